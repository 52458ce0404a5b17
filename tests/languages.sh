#!/usr/bin/env bash
# Runs the program of each language in examples/languages, and holds what it prints against expected.txt.
#
#     tests/languages.sh PREFIX [LANGUAGE...]          make install PREFIX=...; all languages unless some are named
#
# A language that is not here says so: `skipped: WHAT, WHY`, and is left out. At least one must run.
set -uo pipefail
if [ $# -lt 1 ]; then
  echo "usage: $0 PREFIX [LANGUAGE...]" >&2
  exit 2
fi
PREFIX=$(realpath -e "$1") || exit 2
export PREFIX
shift
cd "$(dirname "$0")/../examples/languages" || exit 1
if [ $# = 0 ]; then
  for script in */run.sh; do set -- "$@" "${script%/run.sh}"; done
fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
done=0 failed=0

for language; do
  code=0
  "$language/run.sh" > "$out/printed" 2> "$out/errors" || code=$?
  if [ $code = 0 ] && [ "$(grep -c '' "$out/printed")" = 1 ] && grep '^skipped: ' "$out/printed"; then continue; fi
  if [ $code = 0 ] && cmp -s expected.txt "$out/printed"; then
    echo "ok: $language"
    done=$((done + 1))
  else
    echo "FAILED: $language, exit status $code"
    cat "$out/errors"
    diff expected.txt "$out/printed"
    failed=$((failed + 1))
  fi
done
[ $failed = 0 ] && [ $done -gt 0 ]
