#!/usr/bin/env bash
# A million random calls with their structs and lists inside the buffers (c_tests/placed.c), and a million more with the
# library and the program under AddressSanitizer: `make proof JOBS=placed`.
set -euo pipefail
cd "$(dirname "$0")/../.."
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET
calls=${1:-1000000}
out=target/proof/placed
mkdir -p "$out"
make -s lib
cc -std=c99 -O2 -Iinclude c_tests/placed.c target/c/libstride.a -o "$out/plain"
"$out/plain" "$calls" 1 | tee "$out/said"
bash c_tests/sanitize.sh "$out" placed "$calls" 2 | tee "$out/watched.txt"
grep -q '^sanitized: 1 of 1 programs and the library' "$out/watched.txt"
awk '/random calls/ { calls += $1; watched = $1; gsub(",", ""); refused += $9; failures += $11 }
    END {
        printf "placed: %d calls, %d of them under AddressSanitizer, ", calls, watched
        printf "%d refused, %d failures\n", refused, failures
        exit failures != 0
    }' "$out/said" "$out/watched.txt"
