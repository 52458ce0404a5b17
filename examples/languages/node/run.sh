#!/usr/bin/env bash
# Runs photo.js with the libstride that is installed in PREFIX. koffi is installed under target/languages/node.
set -euo pipefail
cd "$(dirname "$0")"
export PREFIX=${PREFIX:?says where libstride is installed}
skip() { echo "skipped: node, $*"; exit 0; }

command -v node > /dev/null || skip 'it is not installed'
command -v npm > /dev/null || skip 'npm is not installed'
photo=$(cd ../../data && pwd)/chelsea.ppm
out=$(cd ../../.. && pwd)/target/languages/node
mkdir -p "$out"
cp package.json stride.js photo.js "$out"
cd "$out"
[ "$(node -p 'require("koffi/package.json").version' 2> /dev/null)" = 3.3.4 ] ||
  npm install --silent --no-audit --no-fund > /dev/null 2>&1 || skip 'koffi cannot be installed'
exec node photo.js "$photo"
