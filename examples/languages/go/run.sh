#!/bin/sh
# Builds photo with cgo and runs it: PREFIX=/where/libstride/is/installed sh examples/languages/go/run.sh
# Needs Go 1.19 or later, a C compiler and pkg-config.
set -eu
: "${PREFIX:?says where libstride is installed}"
PREFIX=$(cd "$PREFIX" && pwd)
cd "$(dirname "$0")"
for tool in go cc pkg-config; do
    command -v $tool > /dev/null || { echo "skipped: go, $tool is not here"; exit 0; }
done
out=../../../target/languages/go
mkdir -p $out
export CGO_ENABLED=1 PKG_CONFIG_PATH="$PREFIX/lib/pkgconfig" LD_LIBRARY_PATH="$PREFIX/lib"
go build -buildvcs=false -o $out/photo .
$out/photo ../../data/chelsea.ppm
