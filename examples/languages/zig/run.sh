#!/usr/bin/env bash
# Builds photo.zig with the libstride that is installed in PREFIX, and runs it.
#
# ZIG is the command, as ZIG='python3 -m ziglang'. Without it Python's package ziglang serves, from target/zig or
# installed under target/languages/zig. The first run takes minutes: Zig compiles its translate-c.
set -euo pipefail
cd "$(dirname "$0")"
export PREFIX=${PREFIX:?says where libstride is installed}
skip() { echo "skipped: zig, $*"; exit 0; }

target=$(cd ../../.. && pwd)/target
out=$target/languages/zig
mkdir -p "$out"
if [ -z "${ZIG:-}" ]; then
  for venv in "$target/zig" "$out/venv"; do
    if [ "$("$venv/bin/python" -m ziglang version 2> /dev/null)" = 0.16.0 ]; then ZIG="$venv/bin/python -m ziglang"; fi
  done
fi
if [ -z "${ZIG:-}" ]; then
  { python3 -m venv "$out/venv" && "$out/venv/bin/pip" install -q ziglang==0.16.0; } > /dev/null 2>&1 ||
    skip 'ziglang cannot be installed'
  ZIG="$out/venv/bin/python -m ziglang"
fi

export ZIG_GLOBAL_CACHE_DIR=$out/cache ZIG_LOCAL_CACHE_DIR=$out/cache
# shellcheck disable=SC2086 # A command of several words.
$ZIG translate-c "$PREFIX/include/stride.h" -lc > "$out/c.zig"
# shellcheck disable=SC2086
$ZIG build-exe --dep c -Mroot=photo.zig -Mc="$out/c.zig" -L"$PREFIX/lib" -lstride -rpath "$PREFIX/lib" -lc \
  -femit-bin="$out/photo"
exec "$out/photo" ../../data/chelsea.ppm
