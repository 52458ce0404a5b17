#!/usr/bin/env bash
# The C tests with a sanitizer that wants all code instrumented, Rust's core library too; and helgrind.
#
#   tests/proof/sanitizers.sh thread|memory|helgrind [C PROGRAM...]      without names all, and for threads the Rust tests
#
# thread: no two threads touch the same bytes, one of them writing; all C tests, those that call each function of the
# header in one process that runs them on 64 threads at once (`at_once`), and Rust tests that share a process with 64
# threads. memory: nothing depends on bytes that were never written, as those between the elements of a source are in
# c_tests/naive.h and c_tests/sides.c. helgrind: c_tests/threads.c under valgrind, after a first call of the main
# thread. Both of the first must find what control.c does wrong. Needs nightly Rust with rust-src, and a clang whose
# runtime fits; address: see c_tests/sanitize.sh.
set -euo pipefail
cd "$(dirname "$0")/../.."
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET
kind=$1
shift
host=$(rustc -vV | sed -n 's/^host: //p')
out=$PWD/target/proof/$kind
mkdir -p "$out"
. tests/proof/counted.sh

if [ "$kind" = helgrind ]; then
    make -s lib
    cc -std=c99 -g -O1 -Iinclude c_tests/threads.c target/c/libstride.a -o "$out/threads" -lpthread
    counted threads valgrind -q --tool=helgrind --error-exitcode=99 "$out/threads" known
    echo "sanitized: $passed of $ran"
    [ "$passed" = "$ran" ]
    exit
fi

rustup component add --toolchain nightly rust-src >/dev/null 2>&1 || true
clang=$(command -v clang-19 || command -v clang || true)
if [ -z "$clang" ]; then echo "skipped: $kind, there is no clang"; exit; fi
RUSTFLAGS="-Zsanitizer=$kind" cargo +nightly rustc -q --lib --profile dist --crate-type staticlib -Zbuild-std=core --target "$host" \
    --target-dir "$out/build" -- --cfg stride_freestanding
for name in "$@"; do
    [ "$name" = at_once ] || [ -e "c_tests/$name.c" ] || { echo "no such program: $name"; exit 2; }
done
library=$out/build/$host/dist/libstride.a
flags=(-std=c11 -O1 -g "-fsanitize=$kind" -fno-sanitize-recover=all -Iinclude)
# A race is told only while it is known what the other thread was doing.
export TSAN_OPTIONS=halt_on_error=1:history_size=7 MSAN_OPTIONS=halt_on_error=1
found='WARNING: ThreadSanitizer: data race'
if [ "$kind" = memory ]; then found='WARNING: MemorySanitizer: use-of-uninitialized-value'; fi
"$clang" "${flags[@]}" tests/proof/control.c "$library" -o "$out/control" -lpthread
"$out/control" "$kind" > "$out/log" 2>&1 || true
grep -q "$found" "$out/log" || { echo "the sanitizer does not find what control.c does wrong"; tail -n 20 "$out/log"; exit 1; }
for name in $(instrumented_programs); do
    if [ $# != 0 ] && [[ " $* " != *" $name "* ]]; then continue; fi
    "$clang" "${flags[@]}" "c_tests/$name.c" "$library" -o "$out/$name" -lpthread
    counted "$name" "$out/$name"
done
if [ "$kind" = thread ] && { [ $# = 0 ] || [[ " $* " == *" at_once "* ]]; }; then
    rm -rf "$out/at_once"
    mkdir "$out/at_once"
    programs=
    for source in c_tests/*.c; do
        name=$(basename "$source" .c)
        # Those that have pages, inputs or threads of their own.
        case $name in stack | lists | placed | fences | test_null | threads) continue ;; esac
        "$clang" "${flags[@]}" -DPER_THREAD=_Thread_local "-Dmain=main_of_$name" -c "$source" -o "$out/at_once/$name.o"
        programs+=" X($name)"
    done
    called=$(called "$out"/at_once/*.o | wc -l)
    functions=$(nm -g --defined-only "$library" 2>/dev/null | grep -c ' T stride_')
    [ "$called" = "$functions" ] || { echo "$called of $functions functions are called by many threads at once"; exit 1; }
    "$clang" "${flags[@]}" "-DPROGRAMS=$programs" tests/proof/at_once.c "$out"/at_once/*.o "$library" -o "$out/at_once/all" -lpthread
    counted "$called of $functions functions on 64 threads at once" "$out/at_once/all"
fi
if [ "$kind" = thread ] && [ $# = 0 ]; then
    # Not those with buffers of their own pages, nor those that build programs.
    for test in '--lib' '--test rust_api' '--test rules' '--test views' '--test xla_tiles' '--test composition' '--test requirements'; do
        # shellcheck disable=SC2086 # Two arguments in one variable.
        counted "cargo test $test" env RUSTFLAGS=-Zsanitizer=thread STRIDE_SHARE=50 cargo +nightly test -q -Zbuild-std --target "$host" \
            --target-dir "$out/tests" $test -- --test-threads=64
    done
fi
echo "sanitized: $passed of $ran"
[ "$ran" -gt 0 ] && [ "$passed" = "$ran" ]
