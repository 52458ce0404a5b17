#!/bin/sh
# Builds Photo with mono and runs it: PREFIX=/where/libstride/is/installed sh examples/languages/csharp/run.sh
# Needs mcs and mono of 6.4 or later, whose mscorlib has Span (Debian: mono-mcs).
set -eu
: "${PREFIX:?says where libstride is installed}"
PREFIX=$(cd "$PREFIX" && pwd)
cd "$(dirname "$0")"
for tool in mcs mono; do
    command -v $tool > /dev/null || { echo "skipped: csharp, $tool is not here"; exit 0; }
done
out=../../../target/languages/csharp
mkdir -p $out
mcs -nologo -warnaserror -out:$out/Generate.exe Generate.cs
mono $out/Generate.exe "$PREFIX/share/stride/stride.json" $out/Native.cs
mcs -nologo -warnaserror -nowarn:649 -unsafe -out:$out/Photo.exe $out/Native.cs Stride.cs Photo.cs
LD_LIBRARY_PATH=$PREFIX/lib mono $out/Photo.exe ../../data/chelsea.ppm
