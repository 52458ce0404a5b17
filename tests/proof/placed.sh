#!/usr/bin/env bash
# A million random calls with their structs and lists inside the buffers (c_tests/placed.c), and a million more with the library
# and the program under AddressSanitizer: `make proof JOBS=placed`.
set -euo pipefail
cd "$(dirname "$0")/../.."
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET
calls=${1:-1000000}
out=target/proof/placed
mkdir -p "$out"
host=$(rustc -vV | sed -n 's/^host: //p')
make -s lib
cc -std=c99 -O2 -Iinclude c_tests/placed.c target/c/libstride.a -o "$out/plain"
RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=address cargo rustc -q --lib --profile dist --crate-type staticlib --target "$host" \
    --target-dir "$out/build" -- --cfg stride_freestanding
gcc -std=c11 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -Iinclude c_tests/placed.c \
    "$out/build/$host/dist/libstride.a" -o "$out/watched"
{ "$out/plain" "$calls" 1; "$out/watched" "$calls" 2; } | tee "$out/said" || { cat "$out/said"; exit 1; }
awk '/random calls/ { calls += $1; watched = $1; gsub(",", ""); refused += $9; failures += $11 }
    END { printf "placed: %d calls, %d of them under AddressSanitizer, %d refused, %d failures\n", calls, watched, refused, failures; exit failures != 0 }' "$out/said"
