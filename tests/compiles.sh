#!/usr/bin/env bash
# The library compiles without warnings for other systems: all that docs/INSTALL.md names, or those that are given.
#
#   tests/compiles.sh [TARGET[+FEATURE]...]          FEATURE: where the build decides about it
set -euo pipefail
cd "$(dirname "$0")/.."
all="{aarch64,i686,s390x,riscv64gc,powerpc64le}-unknown-linux-gnu armv7-unknown-linux-gnueabihf x86_64-unknown-linux-musl
aarch64-unknown-none-softfloat wasm32-unknown-unknown{,+simd128} wasm32-wasip1
{x86_64,i686,aarch64}-pc-windows-msvc {x86_64,i686}-pc-windows-gnu {x86_64,aarch64}-apple-darwin"
if [ $# = 0 ]; then eval "set -- $(tr '\n' ' ' <<< "$all")"; fi
for row; do
    target=${row%+*} flags='-D warnings'
    if [ "$row" != "$target" ]; then flags+=" -Ctarget-feature=+${row#*+}"; fi
    if rustup target add "$target" >/dev/null 2>&1; then
        # Kernels for NEON and SIMD128 are seen by nothing else.
        case $row in aarch64-unknown-linux-gnu | *+simd128) check=clippy ;; *) check=check ;; esac
        RUSTFLAGS=$flags cargo $check --quiet --lib --target "$target" --target-dir target/other
        echo "$row"
    else
        echo "skipped: check for $row, its standard library cannot be installed"
    fi
done
