#!/usr/bin/env bash
# The tests under Miri, which runs every step of the portable code by Rust's rules: no access out of bounds or of memory that
# was never written, none by a pointer that was not made for it, none of a wrong alignment. By both models of borrows. Pages
# that bite, processes and vector instructions are the other tests' business; there are a few cases of each kind, since Miri
# takes a thousand times as long (`oracle::times`).
#
#   tests/proof/miri.sh [quick]      quick: by one model, some of the tests
set -euo pipefail
cd "$(dirname "$0")/../.."

rustup component add --toolchain nightly miri rust-src >/dev/null 2>&1 || true
cargo +nightly miri setup >/dev/null 2>&1

models=('' -Zmiri-tree-borrows)
names='batch bits differential exhaustive kernels memory regions relayout rules runs rust_api seed_pages views'
if [ "${1:-}" = quick ]; then
    models=('')
    names='differential relayout seed_pages views'
fi
tests=(--lib)
for name in $names; do
    tests+=(--test "$name")
done

out=$(mktemp)
trap 'rm -f "$out"' EXIT
all=0
for model in "${models[@]}"; do
    begin=$SECONDS
    MIRIFLAGS="-Zmiri-strict-provenance -Zmiri-symbolic-alignment-check $model" \
        cargo +nightly miri test --target-dir target/miri "${tests[@]}" 2>&1 | tee "$out"
    passed=$(sed -n 's/^test result: ok\. \([0-9]*\) passed.*/\1/p' "$out" | awk '{ sum += $1 } END { print sum + 0 }')
    echo "miri ${model:-by stacked borrows}: $passed tests in $((SECONDS - begin)) s"
    all=$((all + passed))
done
if [ "$all" -le 100 ]; then
    echo "only $all tests ran"
    exit 1
fi
echo "miri: $all tests"
