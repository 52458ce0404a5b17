#!/bin/sh
# The archive for C: the library's one object, whose global symbols are stride_* alone. Rust's archive also holds a copy
# of its compiler runtime, whose names would meet those of the next Rust library; what the object needs of it, every C
# compiler's own runtime has as well.
#
#   tools/archive.sh FROM.a TO.a [STRIP]          STRIP takes its debug information out
set -eu
from=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
mkdir -p "$(dirname "$2")"
to=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
member=$("${AR:-ar}" t "$from" | grep '^stride[.-]')
"${AR:-ar}" x "$from" "$member"
mv "$member" stride.o
if [ -n "${3:-}" ]; then "$3" -g stride.o; fi
"${AR:-ar}" rcs whole.a stride.o
# As `place` of lib.sh does.
if ! cmp -s whole.a "$to"; then
    mv -f whole.a "$to.$$"
    mv -f "$to.$$" "$to"
fi
