#!/usr/bin/env bash
# The kernels' tests and the differential ones where AddressSanitizer watches what lies between elements (tests/oracle/gaps.rs):
# whoever reads or writes there ends the process.
#
#   tests/proof/gaps.sh [quick]      STRIDE_SHARE=1: all checks
#
# Rust keeps its sanitizers for nightly; RUSTC_BOOTSTRAP unlocks them. An access of many bytes is looked at as a whole only by a
# call, which is what the threshold of 0 asks for.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=$PWD/target/proof/gaps
mkdir -p "$out"
export RUSTC_BOOTSTRAP=1 ASAN_OPTIONS=detect_leaks=0 STRIDE_SHARE=${STRIDE_SHARE:-${1:+1}5}
export RUSTFLAGS='-Zsanitizer=address -Cllvm-args=-asan-instrumentation-with-call-threshold=0 --cfg stride_asan'
host=$(rustc -vV | sed -n 's/^host: //p')
test=(cargo test -q --release --target "$host" --target-dir "$out/build" --test kernels --test differential)
if ! "${test[@]}" --no-run 2>"$out/log"; then
    grep -E -m 20 '^error' "$out/log"
    exit 1
fi
"${test[@]}" -- --nocapture >"$out/log" 2>&1 || { grep -av '^$' "$out/log" | tail -n 60; exit 1; }
grep -a 'checks of .* and their gaps' "$out/log"
grep -ac '^test result: ok' "$out/log" | sed 's/^/gaps: programs without a touch: /'
