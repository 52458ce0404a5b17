#!/usr/bin/env bash
# The tests under Miri, which runs every step of the portable code by Rust's rules: no access out of bounds or of memory
# that was never written, none by a pointer that was not made for it, none of a wrong alignment. By both models of
# borrows. Then some tests with kernels for AVX2, which Miri knows (of AVX-512 and NEON it lacks look-ups in tables).
# Pages that may not be touched are the other tests' business; there are a few cases of each kind, since Miri takes a
# thousand times as long (`oracle::times`). Files of tests that it cannot run, or not in an hour, say so at their heads
# (`#![cfg(not(miri))]`), tests of the other files beside themselves (`ignore`).
#
#   tests/proof/miri.sh [quick|targets]      quick: by one model, some of the tests; targets: fewer, as other targets
set -euo pipefail
cd "$(dirname "$0")/../.."
[[ ${1:-} =~ ^(quick|targets)?$ ]] || { echo "tests/proof/miri.sh: no such argument: $1"; exit 2; }

rustup component add --toolchain nightly miri rust-src >/dev/null 2>&1 || true
said=$(cargo +nightly miri setup 2>&1) || { echo "$said"; exit 1; }

. tests/proof/counted.sh
mkdir -p target/miri
# begin NAME FLAGS TESTS...: beside what follows, as each takes one core; a group of processes, which ends with this.
declare -A job
begin() {
    set -m
    (
        status=0 began=$SECONDS
        MIRIFLAGS="-Zmiri-strict-provenance -Zmiri-symbolic-alignment-check $2" \
            cargo +nightly miri test --no-fail-fast --target-dir target/miri "${@:3}" || status=$?
        echo "$((SECONDS - began)) s"
        exit $status
    ) >"target/miri/$1.txt" 2>&1 &
    set +m
    job[$1]=$!
}
trap 'for group in "${job[@]}"; do kill -- "-$group" 2>/dev/null || true; done' EXIT
# finish NAME LEAST: prints what it said, how many passed, in $passed, and what was ignored, in $ignored; fails where it
# is fewer.
finish() {
    local status=0 log=target/miri/$1.txt
    wait "${job[$1]}" || status=$?
    cat "$log"
    passed=$(tests_that passed "$log")
    ignored=$(tests_that ignored "$log")
    echo "$1: $passed tests"
    if [ $status != 0 ]; then exit $status; fi
    if [ "$passed" -lt "$2" ]; then
        echo "fewer than $2"
        exit 1
    fi
}

# Only what is compiled for another target, so that nothing of that target needs to be here.
if [ "${1:-}" = targets ]; then
    total=0 targets=0
    for target in i686-unknown-linux-gnu aarch64-unknown-linux-gnu s390x-unknown-linux-gnu; do
        begin "$target" '' --target "$target" --lib --test differential --test seed_pages
        finish "$target" 150
        total=$((total + passed)) targets=$((targets + 1))
    done
    echo "miri targets: $total tests of $targets targets"
    exit
fi

models=(stacked tree)
least=600
with_vectors=(--lib --test differential --test relayout --test batch)
least_with_vectors=150
without=
if [ "${1:-}" = quick ]; then
    models=(stacked)
    least=160
    with_vectors=(--test differential)
    least_with_vectors=9
    tests=(--lib --test convert --test differential --test relayout --test seed_pages --test views)
else
    tests=(--features ndarray,half --lib --tests)
    left_out=$(grep -lE '^#!\[cfg\(.*not\(miri\)' tests/*.rs tests/*/main.rs)
    sed 's/^/left out: /' <<< "$left_out"
    without=", $(wc -l <<< "$left_out") left out"
fi

said=
for model in "${models[@]}"; do
    flag=
    if [ "$model" = tree ]; then flag=-Zmiri-tree-borrows; fi
    begin "$model" "$flag" "${tests[@]}"
done
for model in "${models[@]}"; do
    finish "$model" "$least"
    said+="${said:+, }$passed tests by $model borrows"
done
left=$ignored
if [ "$(uname -m)" = x86_64 ]; then
    RUSTFLAGS='-Ctarget-feature=+avx2,+bmi2' begin avx2 '' "${with_vectors[@]}"
    finish avx2 "$least_with_vectors"
    said+=", $passed with AVX2"
fi
echo "miri: $said$without, $left ignored"
