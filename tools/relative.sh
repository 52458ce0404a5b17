#!/bin/sh
# The way from one folder to another, which need not exist: tools/relative.sh /usr/lib/pkgconfig /usr prints ../..
set -eu
FROM=$1 TO=$2 HERE=$PWD awk '
# parts(path, list): the names on the way from the root, "." and ".." resolved; their number.
function parts(path, list,    all, count, i, n) {
    if (path !~ /^\//) path = ENVIRON["HERE"] "/" path
    count = split(path, all, "/")
    for (i = 1; i <= count; i++)
        if (all[i] == "..") { if (n > 0) n-- }
        else if (all[i] != "" && all[i] != ".") list[++n] = all[i]
    return n + 0
}
BEGIN {
    from = parts(ENVIRON["FROM"], a)
    to = parts(ENVIRON["TO"], b)
    while (same < from && same < to && a[same + 1] == b[same + 1]) same++
    for (i = same; i < from; i++) way = way "/.."
    for (i = same + 1; i <= to; i++) way = way "/" b[i]
    print way == "" ? "." : substr(way, 2)
}'
