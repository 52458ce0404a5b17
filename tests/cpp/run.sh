#!/usr/bin/env bash
# The tests of stride.hpp: every compiler, C++17, 20 and 23, without exceptions, under sanitizers, with std::mdspan.
#
#   tests/cpp/run.sh LIBDIR [OUT]       make lib; tests/cpp/run.sh target/c
#
# LIBDIR holds libstride.a. CXX names the compilers, g++ and clang++ without it; RUNNER goes before each program,
# CXXFLAGS and LDFLAGS into each build: CXX=x86_64-w64-mingw32-g++-posix RUNNER=wine CXXFLAGS=-DSTRIDE_STATIC
# LDFLAGS=-static for Windows. std::mdspan and std::expected are those of clang++-19 with libc++, and of Zig, whose
# command ZIG is. JOBS compilers run at a time; QUICK=1: one standard by each compiler, and the example.
#
# Each build is one program of eight translation units, so the header is linked against itself.
set -euo pipefail

if [ $# -lt 1 ]; then
  echo "usage: $0 LIBDIR [OUT]" >&2
  exit 2
fi
library=$(realpath "$1")/libstride.a
cd "$(dirname "$0")/../.."
out=${2:-${CARGO_TARGET_DIR:-target}/cpp}
quick=${QUICK:-}
standards=(17 20 2b) sanitizers=(address,undefined thread)
if [ -n "$quick" ]; then standards=(17) sanitizers=(); fi
jobs=${JOBS:-$(nproc)}
[ -f "$library" ] || { echo "$0: there is no $library" >&2; exit 2; }
warnings='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wold-style-cast -Werror'
programs=0

# Commands and flags are words of one variable.
# shellcheck disable=SC2086
program() { # NAME COMPILER FLAGS
  local name=$1 compiler=$2 flags=$3 folder=$out/${1// /-}
  mkdir -p "$folder"
  for source in tests/cpp/*.cpp; do basename "$source" .cpp; done | xargs -P "$jobs" -I{} \
    $compiler $flags ${CXXFLAGS:-} $warnings -Iinclude -c tests/cpp/{}.cpp -o "$folder/{}.o"
  $compiler $flags ${CXXFLAGS:-} "$folder"/*.o "$library" ${LDFLAGS:--pthread} -o "$folder/tests.exe"
  ${RUNNER:-} "$folder/tests.exe" >"$folder/log" || { cat "$folder/log"; echo "FAILED: $name"; exit 1; }
  tr -d '\r' <"$folder/log" | grep '^skipped' || true
  awk -v name="$name" '/ checks, / { checks += $2 } /^mdspan: with/ { sub("mdspan: ", ""); sub("\r", ""); how = $0 }
    END { print name ": " checks " checks, " how; exit !checks }' "$folder/log"
  programs=$((programs + 1))
}

# Whether a compiler takes flags, as for sanitizers that are not installed.
# shellcheck disable=SC2086
takes() { # COMPILER FLAGS
  mkdir -p "$out"
  echo 'int main() { return 0; }' | $1 $2 -x c++ - ${LDFLAGS:-} -o "$out/probe.exe" >/dev/null 2>&1
}

for compiler in ${CXX:-g++ clang++}; do
  if ! command -v "$compiler" >/dev/null; then
    echo "skipped: C++ tests with $compiler, it is not installed"
    continue
  fi
  for standard in "${standards[@]}"; do
    if takes "$compiler" "-std=c++$standard"; then
      # Warnings that need the optimiser show at -O2.
      program "$compiler c++$standard" "$compiler" "-std=c++$standard $([ $standard = 17 ] && echo -O2 || echo -O0)"
    else
      echo "skipped: $compiler with C++$standard, it does not know it"
    fi
  done
  if [ -n "$quick" ]; then continue; fi
  program "$compiler c++17 without exceptions" "$compiler" '-std=c++17 -O0 -fno-exceptions -fno-rtti'
done

# Sanitizers, of one compiler.
compiler=${CXX:-g++}
compiler=${compiler%% *}
export UBSAN_OPTIONS=print_stacktrace=1
for sanitizer in "${sanitizers[@]}"; do
  if takes "$compiler" "-fsanitize=$sanitizer"; then
    program "$compiler c++17 $sanitizer" "$compiler" "-std=c++17 -O1 -g -fsanitize=$sanitizer -fno-sanitize-recover=all"
  else
    echo "skipped: C++ tests with -fsanitize=$sanitizer, $compiler has no such sanitizer here"
  fi
done

# Libraries with std::mdspan and std::expected; those of a compiler for another system are its own.
if [ -z "${CXX:-}" ]; then
  newest='-std=c++23 -stdlib=libc++'
  if echo '#include <mdspan>' | clang++-19 $newest -x c++ -E - >/dev/null 2>&1; then
    program 'clang++-19 c++23 libc++' clang++-19 "$newest -O1"
  else
    echo 'skipped: std::mdspan and std::expected, clang++-19 with libc++ is not installed'
  fi
fi
if [ -n "${ZIG:-}" ] && [ -z "$quick" ]; then
  # Its C++ library is compiled on first use, a minute or two.
  program 'zig c++23' "$ZIG c++ -target x86_64-linux-gnu" '-std=c++23 -O1'
elif [ -z "$quick" ]; then
  echo 'skipped: std::mdspan and std::expected of Zig, ZIG is not set'
fi

# An answer that is dropped is a warning; what is called for its effect is none.
drops() { # COMPILER STATEMENT
  # shellcheck disable=SC2086
  printf '#include "stride.hpp"\nvoid f(%s) { %s; }\n' \
    'stride::layout a, stride::plan p, char *b, stride::xla::shape s' "$2" |
    $1 -std=c++17 ${CXXFLAGS:-} -Wall -Wno-unused -Wunused-result -Iinclude -fsyntax-only -x c++ - 2>&1 |
    grep -c 'Wunused-result' || true
}
answers='a.permute({1, 0}); a.try_flip({0}); a.elements(); a.text(); a.is_contiguous(); a.try_validate();
  stride::layout::ordered(stride::F32, {2}, {0}); stride::compare(a, {b, 4}, a, {b, 4}); stride::broadcast(a, a);
  p.facts(); p.regions(1); p.try_execute({b, 4}, {b, 4}); s.byte_size();
  stride::F32.swapped(); stride::try_copy(a, {b, 4}, a, {b, 4})'
effects='a.validate(); p.execute({b, 4}, {b, 4}); stride::copy(a, {b, 4}, a, {b, 4}); stride::fill(a, {b, 4}, 1.0f);
  stride::copy(s, {b, 4}, a, {b, 4})'
wanted=$(tr -cd ';' <<<"$answers;" | wc -c)
found=$(drops "$compiler" "$answers") silent=$(drops "$compiler" "$effects")
if [ "$found" -ne "$wanted" ] || [ "$silent" -ne 0 ]; then
  echo "FAILED: $found of $wanted answers may not be dropped, and $silent of what has none"
  exit 1
fi

# What a reader tries first.
example=$out/quickstart.exe
compiler=${CXX:-g++}
# shellcheck disable=SC2086
${compiler%% *} -std=c++17 $warnings ${CXXFLAGS:-} -Iinclude examples/cpp/quickstart.cpp "$library" \
  ${LDFLAGS:--pthread} -o "$example"
${RUNNER:-} "$example" | tr -d '\r' >"$out/quickstart.txt"
diff examples/cpp/quickstart.txt "$out/quickstart.txt"

[ "$programs" -gt 0 ] || { echo 'no compiler was found, nothing was tested'; exit 1; }
echo "stride.hpp: $programs programs and the example passed"
