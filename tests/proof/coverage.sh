#!/usr/bin/env bash
# Lines and branch sides of src that the Rust tests and the C tests run, those of test modules not counted. Needs nightly Rust with
# llvm-tools, for branches. The files that lack most are printed; all lines that no test runs are in target/proof/coverage/lacking.txt.
set -euo pipefail
cd "$(dirname "$0")/../.."
rustup component add --toolchain nightly llvm-tools >/dev/null 2>&1 || true
out=$PWD/target/proof/coverage
tools=$(dirname "$(rustc +nightly --print target-libdir)")/bin
rm -rf "$out/profiles"
mkdir -p "$out/profiles" "$out/programs"
export RUSTFLAGS='-Cinstrument-coverage -Zcoverage-options=branch' LLVM_PROFILE_FILE="$out/profiles/%p-%m.profraw"

# The C tests with the instrumented library, in one that has the standard library, whose runtime writes the profiles.
mkdir -p "$out/with_std/src"
cat > "$out/with_std/Cargo.toml" << END
[package]
name = "with_std"
edition = "2024"
[lib]
crate-type = ["staticlib"]
[dependencies]
libstride = { path = "$PWD" }
[workspace]
END
echo 'pub use stride::ffi;' > "$out/with_std/src/lib.rs"
cargo +nightly build -q --manifest-path "$out/with_std/Cargo.toml" --target-dir "$out/library"
for source in c_tests/*.c; do
    # What asks how much stack a call takes gets another answer here.
    if [ "$source" = c_tests/stack.c ]; then continue; fi
    program=$out/programs/$(basename "$source" .c)
    cc -std=c11 -O1 -Iinclude "$source" "$out/library/debug/libwith_std.a" -o "$program" -lpthread -ldl -lm
    "$program" > /dev/null
done

# Not those that build other programs.
tests=(--lib)
for test in tests/*.rs; do
    case $(basename "$test" .rs) in
        c_abi | examples | ndarray) ;;
        *) tests+=(--test "$(basename "$test" .rs)") ;;
    esac
done
tests+=(--test kernels --test loads)
STRIDE_SHARE=3 cargo +nightly test --target-dir "$out/tests" "${tests[@]}" > "$out/log" 2>&1 || { tail -n 40 "$out/log"; exit 1; }
"$tools/llvm-profdata" merge -sparse "$out"/profiles/*.profraw -o "$out/all.profdata"
objects=()
while read -r object; do objects+=(-object "$object"); done < <(
    sed -n 's/.*Running .*(\(.*\))$/\1/p' "$out/log"
    find "$out/programs" -type f
)
"$tools/llvm-cov" export -format=lcov -instr-profile "$out/all.profdata" "${objects[@]:1}" --sources src > "$out/all.lcov"
python3 tests/proof/coverage.py "$out/all.lcov" "$out/lacking.txt"
