#!/usr/bin/env bash
# Compiles every example with each compiler that is here, warnings as errors, and runs it.
#
#     tests/examples.sh DIRECTORY_OF_LIBSTRIDE [PYTHON]
#
# PYTHON has numpy, onnx, onnxruntime and nvidia-cuda-cccl, or some of them; what is missing is printed as skipped.
# CC_LIST and CXX_LIST are the compilers, gcc and clang unless they say otherwise.
set -uo pipefail
lib=$(cd "$1" && pwd)
python=${2:-python3}
case $python in */*) python=$(cd "$(dirname "$python")" && pwd)/$(basename "$python") ;; esac
cd "$(dirname "$0")/.." || exit 1
archive=$lib/libstride.a
out=$lib/examples
mkdir -p "$out"
warnings=(-O2 -Wall -Wextra -Wpedantic -Werror -Iinclude)
export PYTHONDONTWRITEBYTECODE=1
photo=examples/data/chelsea.ppm
failures=0 done=0

skipped() { printf 'skipped: %s\n' "$*"; }
have() { command -v "$1" >/dev/null 2>&1; }

# run NAME COMMAND...: its last line, or all of it if it fails.
run() {
    local name=$1
    shift
    if "$@" > "$out/output.txt" 2>&1; then
        printf 'ok      %s: %s\n' "$name" "$(tail -n 1 "$out/output.txt")"
        done=$((done + 1))
    else
        printf 'FAILED  %s (exit status %s)\n' "$name" "$?"
        cat "$out/output.txt"
        failures=$((failures + 1))
    fi
}

# build NAME COMPILER ARGUMENTS...: whether there is a program $out/program afterwards.
build() {
    local name=$1
    shift
    rm -f "$out/program"
    if "$@" -o "$out/program" > "$out/output.txt" 2>&1; then return 0; fi
    printf 'FAILED  %s does not compile\n' "$name"
    head -n 30 "$out/output.txt"
    failures=$((failures + 1))
    return 1
}

# refuses NAME SENTENCE COMMAND...: exit status 1 and this sentence.
refuses() {
    local name=$1 sentence=$2 code=0
    shift 2
    "$@" > "$out/output.txt" 2>&1 || code=$?
    if [ $code = 1 ] && [ "$(cat "$out/output.txt")" = "$sentence" ]; then
        printf 'ok      %s: %s\n' "$name" "$sentence"
        done=$((done + 1))
    else
        printf 'FAILED  %s: exit status %s, %s\n' "$name" $code "$(cat "$out/output.txt")"
        printf '        expected: %s\n' "$sentence"
        failures=$((failures + 1))
    fi
}

# Folder of CCCL's headers, which have an mdspan, or nothing.
cccl=$("$python" - 2>/dev/null <<'END' || true
import importlib.util
for name in ("nvidia.cuda_cccl", "nvidia.cu13"):
    try:
        spec = importlib.util.find_spec(name)
    except ModuleNotFoundError:
        continue
    if spec:
        print(list(spec.submodule_search_locations)[0] + "/include")
        break
END
)
has_dnnl() { echo '#include <oneapi/dnnl/dnnl.hpp>' | "$1" -x c++ -E - >/dev/null 2>&1; }

# c_examples LABEL COMPILER...
c_examples() {
    local label=$1 file
    shift
    if ! echo 'int main(void) { return 0; }' | "$@" -x c - -o "$out/program" 2>/dev/null; then
        skipped "examples in C with $label: it is not installed"
        return
    fi
    for file in examples/c/*.c; do
        if grep -q '<mpi.h>' "$file"; then continue; fi  # tests/cluster.sh
        build "$file, $label" "$@" -std=c99 -D_POSIX_C_SOURCE=200112L "${warnings[@]}" "$file" "$archive" || continue
        if [ "$file" = examples/c/photo.c ]; then
            run "$file, $label" "$out/program" $photo "$out"
        else
            run "$file, $label" "$out/program"
        fi
    done
    for file in examples/migrating/[0-9]*.c; do
        build "$file, $label" "$@" -std=c99 "${warnings[@]}" "$file" "$archive" && run "$file, $label" "$out/program"
    done
    file=examples/pipeline/pipeline.c
    build "$file, $label" "$@" -std=c99 "${warnings[@]}" "$file" "$archive" || return
    run "$file, $label" "$out/program" $photo "$out/planes.pgm" 100 40 256 200
    run "$file, $label, the whole picture" "$out/program" $photo "$out/planes.pgm"
    refuses "$file, $label, a box outside" \
        "pipeline: crop: sizes, dimension 1: start plus size is 656, beyond 451, the layout's size" \
        "$out/program" $photo "$out/planes.pgm" 400 0 256 200
    refuses "$file, $label, no pixels" 'pipeline: box: it has no pixels, which no picture file can say' \
        "$out/program" $photo "$out/planes.pgm" 0 0 0 7
    refuses "$file, $label, no picture" \
        'pipeline: README.md: not a binary PPM picture of one byte a channel and at most 16384 x 16384 pixels' \
        "$out/program" README.md "$out/planes.pgm"
}

for cc in ${CC_LIST:-gcc clang}; do c_examples "$cc" "$cc"; done
c_examples 'cc with sanitizers' cc -g -fsanitize=address,undefined -fno-sanitize-recover=all

for cxx in ${CXX_LIST:-g++ clang++}; do
    if ! have "$cxx"; then
        skipped "examples in C++ with $cxx: it is not installed"
        continue
    fi
    for file in examples/migrating/[0-9]*.cpp; do
        build "$file, $cxx" "$cxx" -std=c++17 "${warnings[@]}" "$file" "$archive" && run "$file, $cxx" "$out/program"
        if [ -n "$cccl" ]; then
            build "$file, $cxx" "$cxx" -std=c++17 "${warnings[@]}" -isystem "$cccl" "$file" "$archive" &&
                run "$file, $cxx with CCCL" "$out/program"
        fi
    done
    file=examples/consumers/onednn/convolution.cpp
    if has_dnnl "$cxx"; then
        build "$file, $cxx" "$cxx" -std=c++17 "${warnings[@]}" "$file" "$archive" -ldnnl &&
            OMP_NUM_THREADS=${OMP_NUM_THREADS:-1} run "$file, $cxx" "$out/program"
    else
        skipped "$file with $cxx: there is no oneapi/dnnl/dnnl.hpp (libdnnl-dev)"
    fi
done

# The first compiler whose library has std::mdspan.
file=examples/migrating/09_mdspan_copy.cpp label=
for mdspan in 'g++ -std=c++23' 'clang++ -std=c++2b' 'clang++-19 -std=c++23 -stdlib=libc++'; do
    if echo '#include <mdspan>' | $mdspan -x c++ -E - >/dev/null 2>&1; then
        label="${mdspan%% *} with std::mdspan"
        # shellcheck disable=SC2086
        build "$file, $label" $mdspan "${warnings[@]}" "$file" "$archive" && run "$file, $label" "$out/program"
        break
    fi
done
if [ -z "$label" ]; then skipped "$file with std::mdspan: neither g++, clang++ nor clang++-19 has <mdspan>"; fi
if [ -z "$cccl" ]; then skipped "$file with cuda::std::mdspan: $python has no nvidia-cuda-cccl"; fi

# The package from its sources, with the library that is tested.
export STRIDE_LIBRARY=$lib/libstride.so PYTHONPATH=$PWD/python/src
has() { "$python" -c "import $1" >/dev/null 2>&1; }
for file in examples/migrating/[0-9]*.py; do
    if has numpy; then run "$file" "$python" "$file"; else skipped "$file: $python has no numpy"; fi
done
file=examples/consumers/onnxruntime/edges.py
if has 'numpy, onnx, onnxruntime'; then
    run "$file" "$python" "$file" $photo
else
    skipped "$file: $python has no onnxruntime, onnx or numpy"
fi
run docs/MIGRATING.md python3 tests/migrating_page.py

printf '%s examples ran, %s failed\n' $done $failures
[ $failures = 0 ] && [ $done -gt 0 ]
