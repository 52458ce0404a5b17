#!/usr/bin/env bash
# Installs the npm package that tools/release.py packed in an empty folder, and tests it there: its numbers, its types;
# and its numbers again where there is no SIMD.
#
#   packaging/npm/check.sh PACKAGE.tgz
#
# Everything lies under target/npm. What cannot be had here is said and left out.
set -euo pipefail
tarball=$(realpath "${1:?usage: check.sh PACKAGE.tgz}")
cd "$(dirname "$0")/../.."
out=$PWD/target/npm
rm -rf "$out/empty"
mkdir -p "$out/empty" "$out/tools"

cd "$out/empty"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --offline "$tarball"
here=../../../packaging/npm
cp $here/test.mjs $here/photo.mjs $here/types.ts .
PHOTO=$(realpath ../../../examples/data/chelsea.ppm) EXPECTED=$(realpath ../../../examples/languages/expected.txt)
export PHOTO EXPECTED
# $1: the level that is expected; $2: what begins each test.
try() {
  LEVEL=$1 NODE_OPTIONS=$2 node --test test.mjs > test.txt || { cat test.txt; exit 1; }
  sed -n "s/^# pass \(.*\)/npm package: \1 tests passed, $1/p" test.txt
}
try SIMD128 ''
try SCALAR '--import=data:text/javascript,WebAssembly.validate=()=>false' # as a host without SIMD128 says

if [ -x "$out/tools/node_modules/.bin/tsc" ] ||
  npm install --silent --no-audit --no-fund --prefix "$out/tools" typescript@7.0.2 > /dev/null 2>&1; then
  "$out/tools/node_modules/.bin/tsc" --strict --noEmit --target es2022 --module nodenext types.ts
  echo 'npm package: its types are as types.ts uses them'
else
  echo 'skipped: types of the npm package, typescript cannot be installed'
fi
ls -l "$tarball" | awk '{ print "npm package: " $5 " bytes packed" }'
