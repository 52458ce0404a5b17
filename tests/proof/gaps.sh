#!/usr/bin/env bash
# The kernels' tests and the differential ones where AddressSanitizer watches what lies between elements
# (tests/oracle/gaps.rs): whoever reads or writes there ends the process. And all other Rust tests where it watches what
# lies around allocations, but for those that build programs (of these c_tests/sanitize.sh takes the C tests).
#
#   tests/proof/gaps.sh [quick|others]      STRIDE_SHARE=1: all checks of the kernels
#
# Rust keeps its sanitizers for nightly; RUSTC_BOOTSTRAP unlocks them. An access of many bytes is looked at as a whole
# only by a call, which is what the threshold of 0 asks for.
set -euo pipefail
cd "$(dirname "$0")/../.."
[[ ${1:-} =~ ^(quick|others)?$ ]] || { echo "tests/proof/gaps.sh: no such argument: $1"; exit 2; }
out=$PWD/target/proof/gaps
mkdir -p "$out"
# (Without a hand on SIGSEGV: `the_guard_bites` asks for that one.)
export RUSTC_BOOTSTRAP=1 ASAN_OPTIONS=detect_leaks=0:handle_segv=0
export RUSTFLAGS='-Zsanitizer=address -Cllvm-args=-asan-instrumentation-with-call-threshold=0 --cfg stride_asan'
. tests/proof/counted.sh
tests=(--test kernels --test differential)
share=5
case ${1:-} in
    quick)
        share=45
        export STRIDE_SAMPLE=1
        ;;
    others)
        share=3
        tests=(--features ndarray,half --lib)
        for name in $(rust_tests); do
            case $name in c_abi | examples | header | differential | kernels) ;; *) tests+=(--test "$name") ;; esac
        done
        ;;
esac
export STRIDE_SHARE=${STRIDE_SHARE:-$share}
host=$(rustc -vV | sed -n 's/^host: //p')
test=(cargo test --release --target "$host" --target-dir "$out/build")
if ! "${test[@]}" "${tests[@]}" --no-run 2>"$out/log"; then
    grep -E -m 20 '^error' "$out/log"
    exit 1
fi
"${test[@]}" "${tests[@]}" -- --nocapture >"$out/log" 2>&1 || { grep -av '^$' "$out/log" | tail -n 60; exit 1; }
if [ "${1:-}" = others ]; then
    figure="under AddressSanitizer: $(tests_that passed "$out/log") tests of $(grep -ac '^test result: ok' "$out/log") programs"
    # That it was there: without it this test, one of the kernels, does not exist.
    "${test[@]}" --test kernels -- --exact between_pages::a_gap_that_is_read_ends_the_process >"$out/log" 2>&1 || true
    grep -q '^test result: ok. 1 passed' "$out/log" || { grep -av '^$' "$out/log" | tail -n 20; echo "the sanitizer does not find what it has to"; exit 1; }
    echo "$figure"
    exit
fi
grep -a 'checks of .* and their gaps' "$out/log"
grep -ac '^test result: ok' "$out/log" | sed 's/^/gaps: programs without a touch: /'
