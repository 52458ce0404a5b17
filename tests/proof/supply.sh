#!/usr/bin/env bash
# What the crate is made of: licenses and sources of all crates (cargo-deny, without its database of advisories), the
# oldest versions of its dependencies, the oldest Rust that Cargo.toml promises, and a list of parts (CycloneDX) with a
# sum for each.
#
#   tests/proof/supply.sh [quick]      quick: the last two
set -euo pipefail
cd "$(dirname "$0")/../.."
out=$PWD/target/proof/supply
mkdir -p "$out"
. tests/proof/counted.sh

oldest=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
if rustup toolchain install "$oldest" --profile minimal >/dev/null 2>&1; then
    # The C library as well, for it is the optimiser that sees that nothing panics.
    by_oldest() {
        cargo "+$oldest" check --locked --lib --features ndarray,half --target-dir "$out/oldest" &&
            RUSTUP_TOOLCHAIN=$oldest make -s lib OUT="$out/oldest/c library"
    }
    counted "the library by Rust $oldest" by_oldest
else
    echo "skipped: the library by Rust $oldest, it cannot be installed"
fi
if python3 -c 'import tomllib' 2>/dev/null; then
    counted 'a list of parts beside Cargo.lock' python3 tools/parts.py "$out/libstride.cdx.json" --check
else
    echo 'skipped: the list of parts, it needs Python 3.11'
fi
if [ "${1:-}" = quick ]; then
    echo "supply: $passed of $ran checks"
    [ "$passed" = "$ran" ]
    exit
fi

if ! command -v cargo-deny >/dev/null; then cargo install -q --locked --root "$out" cargo-deny; fi
export PATH=$PATH:$out/bin
counted 'licenses, sources, banned crates' cargo deny --offline check licenses sources bans

# Of the library's own dependencies: those of its tests are nobody's but ours.
rm -rf "$out/minimal"
mkdir -p "$out/minimal"
cp -r src build.rs Cargo.toml README.md include "$out/minimal/"
minimal() {
    set -e
    cd "$out/minimal"
    # What only the tests, benches and examples name is left out, so that it takes no part in the choice.
    sed -i '/^\[dev-dependencies\]/,/^$/d; /^\[\[bench\]\]/,/^$/d; /^\[\[example\]\]/,/^$/d; /^\[\[test\]\]/,/^$/d' Cargo.toml
    cargo +nightly update -Zminimal-versions
    cargo "+$oldest" check --locked --lib --features ndarray,half
}
counted 'the oldest versions of its dependencies' bash -c "$(declare -f minimal); out='$out' oldest='$oldest' minimal"

echo "supply: $passed of 4 checks"
[ "$passed" = 4 ]
