#!/bin/sh
# Runs programs for Windows by wine, in the folder that WINEPREFIX names.
#
#   tests/windows/wine.sh begin                   makes the folder, and one server for all that follows
#   tests/windows/wine.sh PROGRAM ARGUMENT...     once more where it was wine itself that failed
#   tests/windows/wine.sh end                     ends the server, and says what was run once more
#
# Left to itself, Debian's server ends with each program, and the next one may call it while it does. A program that
# says nothing, which no program of ours but those called header_... does, was not run.
set -eu
: "${WINEPREFIX:?}"
case $1 in
begin)
    mkdir -p "$WINEPREFIX"
    rm -f "$WINEPREFIX/retries.txt"
    wineserver -k 2>/dev/null || true
    wineserver -p >/dev/null 2>&1 || {
        echo "wineserver -p: exit status $?" >&2
        exit 1
    }
    timeout 600 wineboot -i >"$WINEPREFIX/wineboot.txt" 2>&1 && exit
    status=$?
    cat "$WINEPREFIX/wineboot.txt" >&2
    exit $status
    ;;
end)
    wineserver -k 2>/dev/null || true
    if [ -s "$WINEPREFIX/retries.txt" ]; then
        echo 'what wine failed to run was run once more:'
        cat "$WINEPREFIX/retries.txt"
    fi
    exit
    ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
try() {
    status=0
    timeout 600 wine "$@" >"$work/said" 2>"$work/errors" </dev/null || status=$?
    if [ $status = 0 ] && [ ! -s "$work/said" ]; then
        case ${1##*/} in
        header_*) ;;
        *)
            echo 'wine: nothing was said' >>"$work/errors"
            status=99
            ;;
        esac
    fi
}
try "$@"
# Not where the program crashed: that is the program's.
if [ $status != 0 ] && grep -Eq '^wine' "$work/errors" && ! grep -q '^wine: Unhandled' "$work/errors"; then
    { echo "$1: exit status $status" && cat "$work/errors"; } >>"$WINEPREFIX/retries.txt"
    try "$@"
fi
cat "$work/said"
cat "$work/errors" >&2
exit $status
