#!/usr/bin/env bash
# The tests under Miri, which runs every instruction by the rules of the language: no access out of bounds, of memory that is not
# written, through a pointer that may not, or of wrong alignment, whether or not a CPU would mind. Needs nightly Rust with miri.
#
#   tests/proof/miri.sh [quick]      quick: by one model of borrows
#
# Miri has no vector kernels, so that portable code runs; the tests cut their sizes under `cfg(miri)`.
set -euo pipefail
cd "$(dirname "$0")/../.."
rustup component add --toolchain nightly miri rust-src >/dev/null 2>&1 || true
cargo +nightly miri setup >/dev/null 2>&1
tests=(--lib --test seed_pages --test rules --test views --test requirements --test composition --test copies_exhaustive)
models=('' -Zmiri-tree-borrows)
if [ "${1:-}" = quick ]; then models=(-Zmiri-tree-borrows); fi
total=0
for model in "${models[@]}"; do
    for alignment in -Zmiri-symbolic-alignment-check; do
        log=$(mktemp)
        MIRIFLAGS="-Zmiri-strict-provenance -Zmiri-disable-isolation $alignment $model" STRIDE_SHARE=${STRIDE_SHARE:-997} \
            cargo +nightly miri test --target-dir target/miri "${tests[@]}" > "$log" 2>&1 || { tail -n 60 "$log"; exit 1; }
        ran=$(sed -n 's/^test result: ok. \([0-9]*\) passed.*/\1/p' "$log" | awk '{ n += $1 } END { print n + 0 }')
        echo "miri ${model:-stacked borrows}: $ran tests"
        total=$((total + ran))
    done
done
echo "miri: $total tests"
[ "$total" -gt 100 ]
