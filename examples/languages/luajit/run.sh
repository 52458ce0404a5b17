#!/usr/bin/env bash
# Runs photo.lua with the libstride that is installed in PREFIX.
set -euo pipefail
cd "$(dirname "$0")"
export PREFIX=${PREFIX:?says where libstride is installed}
skip() { echo "skipped: luajit, $*"; exit 0; }

command -v luajit > /dev/null || skip 'it is not installed'
exec luajit photo.lua ../../data/chelsea.ppm
