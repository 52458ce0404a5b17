#!/usr/bin/env bash
# Binds the library by cffi, ctypesgen and koffi, and calls it with hostile arguments.
#
#   tests/bindings/run.sh LIBRARY          make lib; tests/bindings/run.sh target/c/libstride.so
#
# The tools are installed under target/bindings. What cannot be had here is said and left out; whatever runs must pass.
# HOSTILE_ARGUMENTS goes to hostile.py, as in HOSTILE_ARGUMENTS='--cases 5000 --seed 7'.
set -euo pipefail

if [ $# -ne 1 ]; then
  echo "usage: $0 LIBRARY" >&2
  exit 2
fi
library=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
tools=$here/../../target/bindings
failed=0
# Python writes no __pycache__ beside the sources.
export PYTHONDONTWRITEBYTECODE=1
mkdir -p "$tools"

has_python_tool() { # package==version
  [ -x "$tools/venv/bin/python" ] || python3 -m venv "$tools/venv" || return 1
  "$tools/venv/bin/pip" install --quiet --disable-pip-version-check "$1"
}

has_node_tool() { # package@version
  command -v node > /dev/null || return 1
  command -v npm > /dev/null || return 1
  npm install --silent --no-audit --no-fund --prefix "$tools/npm" "$1"
}

run() {
  "$@" || { echo "FAILED: $*"; failed=1; }
}

if has_python_tool cffi==2.1.1; then
  run "$tools/venv/bin/python" "$here/cffi_bind.py" "$library"
else
  echo "skipped: cffi, pip cannot install it"
fi
if has_python_tool ctypesgen==1.1.1; then
  run "$tools/venv/bin/python" "$here/ctypesgen_bind.py" "$library"
else
  echo "skipped: ctypesgen, pip cannot install it"
fi
if has_node_tool koffi@3.3.4; then
  NODE_PATH=$tools/npm/node_modules run node "$here/koffi_bind.js" "$library"
else
  echo "skipped: koffi, there is no node, or npm cannot install it"
fi
# shellcheck disable=SC2086 # Several arguments in one variable.
run python3 "$here/hostile.py" "$library" --sentences "$tools/sentences.txt" ${HOSTILE_ARGUMENTS:-}
exit "$failed"
