#!/usr/bin/env bash
# Builds photo.zig with the libstride that is installed in PREFIX, and runs it.
#
# ZIG is the command, as ZIG='python3 -m ziglang'. Without it and without zig, Python's package ziglang is installed
# under target/zig. The first run takes minutes: Zig compiles its translate-c.
set -euo pipefail
cd "$(dirname "$0")"
export PREFIX=${PREFIX:?says where libstride is installed}
skip() { echo "skipped: zig, $*"; exit 0; }

target=$(cd ../../.. && pwd)/target
out=$target/languages/zig
mkdir -p "$out"
if [ -z "${ZIG:-}" ]; then
  if ! [ -x "$target/zig/bin/python" ]; then python3 -m venv "$target/zig" 2> /dev/null || true; fi
  "$target/zig/bin/python" -m ziglang version > /dev/null 2>&1 ||
    "$target/zig/bin/python" -m pip install -q ziglang==0.16.0 2> /dev/null || skip 'ziglang cannot be installed'
  ZIG="$target/zig/bin/python -m ziglang"
fi

export ZIG_GLOBAL_CACHE_DIR=$out/cache ZIG_LOCAL_CACHE_DIR=$out/cache
# shellcheck disable=SC2086 # A command of several words.
$ZIG translate-c "$PREFIX/include/stride.h" -lc > "$out/c.zig"
# shellcheck disable=SC2086
$ZIG build-exe --dep c -Mroot=photo.zig -Mc="$out/c.zig" -L"$PREFIX/lib" -lstride -rpath "$PREFIX/lib" -lc \
  -femit-bin="$out/photo"
exec "$out/photo" ../../data/chelsea.ppm
