#!/bin/sh
# Builds photo and runs it: PREFIX=/where/libstride/is/installed sh examples/languages/fortran/run.sh
# Needs gfortran 9 or later with OpenMP, and awk.
set -eu
: "${PREFIX:?says where libstride is installed}"
PREFIX=$(cd "$PREFIX" && pwd)
cd "$(dirname "$0")"
command -v gfortran > /dev/null || { echo "skipped: fortran, gfortran is not here"; exit 0; }
out=../../../target/languages/fortran
mkdir -p $out
awk -f generate.awk "$PREFIX/share/stride/stride.cdef" > $out/stride_c.f90
types="int8:integer(c_int8_t) int16:integer(c_int16_t) int32:integer(c_int32_t) int64:integer(c_int64_t)
    real32:real(c_float) real64:real(c_double) complex32:complex(c_float_complex) complex64:complex(c_double_complex)"
for dst in $types; do
    for src in $types; do
        name=${dst%%:*}_${src%%:*}
        sed "s/NAME/$name/; s/DST/${dst#*:}/; s/SRC/${src#*:}/" copies.inc >&3
        echo "procedure :: copy_$name" >&4
        echo "procedure, private :: execute_$name; generic :: execute => execute_$name" >&5
    done
done 3> $out/copies.f90 4> $out/copy.f90 5> $out/execute.f90
gfortran -std=f2018 -O2 -Wall -fopenmp -J $out -I $out $out/stride_c.f90 stride.f90 photo.f90 \
    -L"$PREFIX/lib" -lstride -o $out/photo
LD_LIBRARY_PATH=$PREFIX/lib $out/photo ../../data/chelsea.ppm
