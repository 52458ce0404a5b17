#!/bin/sh
# Builds Photo with JNA and runs it: PREFIX=/where/libstride/is/installed sh examples/languages/java/run.sh
# Needs a JDK of 11 or later, and JNA 5 (Debian: libjna-java); JNA=... says where its jar is.
set -eu
: "${PREFIX:?says where libstride is installed}"
PREFIX=$(cd "$PREFIX" && pwd)
JNA=${JNA:-/usr/share/java/jna.jar}
cd "$(dirname "$0")"
for tool in java javac; do
    command -v $tool > /dev/null || { echo "skipped: java, $tool is not here"; exit 0; }
done
[ -f "$JNA" ] || { echo "skipped: java, $JNA is not here"; exit 0; }
out=../../../target/languages/java
mkdir -p $out
java Generate.java "$PREFIX/share/stride/stride.cdef" $out/StrideC.java
javac -Xlint:all,-serial -cp "$JNA" -d $out $out/StrideC.java Stride.java Photo.java
java -cp "$out:$JNA" -Djna.library.path="$PREFIX/lib" Photo ../../data/chelsea.ppm
