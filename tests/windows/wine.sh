#!/bin/sh
# Runs a program for Windows; once more where it was wine itself that failed, and said so.
#
#   tests/windows/wine.sh PROGRAM ARGUMENT...
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
try() {
    status=0
    wine "$@" >"$work/said" 2>"$work/errors" </dev/null || status=$?
}
try "$@"
if [ $status != 0 ] && grep -Eq '^(wine client error|wineserver|wine: could not)' "$work/errors"; then
    cat "$work/errors" >&2
    try "$@"
fi
cat "$work/said"
cat "$work/errors" >&2
exit $status
