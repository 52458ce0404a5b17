#!/usr/bin/env bash
# Runs photo.rb with the libstride that is installed in PREFIX.
set -euo pipefail
cd "$(dirname "$0")"
export PREFIX=${PREFIX:?says where libstride is installed}
skip() { echo "skipped: ruby, $*"; exit 0; }

command -v ruby > /dev/null || skip 'it is not installed'
ruby -e 'require "ffi"' 2> /dev/null || skip 'it has no ffi (ruby-ffi, gem install ffi)'
exec ruby -w photo.rb ../../data/chelsea.ppm
