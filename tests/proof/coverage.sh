#!/usr/bin/env bash
# Lines, branch sides and regions of src that the Rust tests, the examples of the documentation and the C tests run,
# those of test modules not counted; and lines of the kernels that the inputs that fuzzing kept (tests/corpora) run by
# themselves. Needs nightly Rust with llvm-tools, for branches. The files that lack most are printed; all that no test
# runs is in target/proof/coverage/lacking.txt.
set -euo pipefail
cd "$(dirname "$0")/../.."
rustup component add --toolchain nightly llvm-tools >/dev/null 2>&1 || true
out=$PWD/target/proof/coverage
libraries=$(rustc +nightly --print target-libdir)
tools=$(dirname "$libraries")/bin
rm -rf "$out/profiles" "$out/examples" "$out/programs" "$out"/*.lcov "$out"/*.json
mkdir -p "$out/programs"
export RUSTFLAGS='-Cinstrument-coverage -Zcoverage-options=branch'
export RUSTDOCFLAGS="$RUSTFLAGS -Zunstable-options --persist-doctests $out/examples"

# The C tests with the instrumented library, in one that has the standard library, whose runtime writes the profiles.
LLVM_PROFILE_FILE=$out/profiles/none/%m.profraw cargo +nightly build -q --manifest-path tests/with_std/Cargo.toml --target-dir "$out/library"
export LLVM_PROFILE_FILE="$out/profiles/c/%p-%m.profraw"
. tests/proof/counted.sh
for name in $(instrumented_programs); do
    program=$out/programs/$name
    cc -std=c11 -O1 -Iinclude "c_tests/$name.c" "$out/library/debug/libwith_std.a" "$libraries"/libprofiler_builtins-*.rlib \
        -Wl,-u,__llvm_profile_runtime -o "$program" -lpthread -ldl -lm
    "$program" > /dev/null
done

# Not those that build other programs.
tests=(--lib)
for name in $(rust_tests); do
    case $name in
        c_abi | examples | header | ndarray) ;;
        *) tests+=(--test "$name") ;;
    esac
done
export LLVM_PROFILE_FILE="$out/profiles/rust/%p-%m.profraw"
for kind in tests doc; do
    if [ $kind = doc ]; then tests=(--doc); fi
    STRIDE_SHARE=3 cargo +nightly test --target-dir "$out/tests" "${tests[@]}" > "$out/$kind.txt" 2>&1 || { tail -n 40 "$out/$kind.txt"; exit 1; }
done

# covered KIND OBJECT...: what the profiles of a kind say of these. (Functions of the same name are others in another
# build, as those of C in the library that has its own tests in it: llvm-cov warns of "mismatched data" and takes the
# others.)
covered() {
    local kind=$1 objects=()
    shift
    for object in "$@"; do objects+=(-object "$object"); done
    "$tools/llvm-profdata" merge -sparse "$out/profiles/$kind"/*.profraw -o "$out/$kind.profdata"
    "$tools/llvm-cov" export -format=lcov -instr-profile "$out/$kind.profdata" "${objects[@]:1}" --sources src > "$out/$kind.lcov"
    "$tools/llvm-cov" export -format=text -instr-profile "$out/$kind.profdata" "${objects[@]:1}" --sources src > "$out/$kind.json"
}
covered c "$out"/programs/*
mapfile -t binaries < <(
    sed -n 's/.*Running .*(\(.*\))$/\1/p' "$out/tests.txt"
    find "$out/examples" -type f -executable
)
covered rust "${binaries[@]}"

export LLVM_PROFILE_FILE="$out/profiles/kept/%p-%m.profraw"
kept=()
for test in $(grep -l 'fn inputs_that_fuzzing_kept' tests/*.rs tests/*/main.rs); do
    binary=$(sed -n "s|.*Running $test (\(.*\))\$|\1|p" "$out/tests.txt")
    "$binary" --exact inputs_that_fuzzing_kept > "$out/kept.txt"
    [ "$(tests_that passed "$out/kept.txt")" = 1 ] || { cat "$out/kept.txt"; exit 1; }
    kept+=("$binary")
done
covered kept "${kept[@]}"
python3 tests/proof/coverage.py "$out"
