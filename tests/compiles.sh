#!/usr/bin/env bash
# The library compiles without warnings for other systems: all that docs/BUILDING.md names, or those that are given.
#
#   tests/compiles.sh [TARGET...]
set -euo pipefail
cd "$(dirname "$0")/.."
all="{aarch64,i686,s390x,riscv64gc,powerpc64le}-unknown-linux-gnu armv7-unknown-linux-gnueabihf x86_64-unknown-linux-musl
aarch64-unknown-none-softfloat wasm32-unknown-unknown wasm32-wasip1 {x86_64,i686,aarch64}-pc-windows-msvc
{x86_64,i686}-pc-windows-gnu {x86_64,aarch64}-apple-darwin"
if [ $# = 0 ]; then eval "set -- $(tr '\n' ' ' <<< "$all")"; fi
for target; do
    if rustup target add "$target" >/dev/null 2>&1; then
        # Kernels for NEON are seen by nothing else.
        case $target in aarch64-unknown-linux-gnu) check=clippy ;; *) check=check ;; esac
        RUSTFLAGS='-D warnings' cargo $check --quiet --lib --target "$target" --target-dir target/other
        echo "$target"
    else
        echo "skipped: check for $target, its standard library cannot be installed"
    fi
done
