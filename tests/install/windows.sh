#!/usr/bin/env bash
# libstride for Windows with GNU's tools by CMake: built as part of a project and installed, then found there by another
# one; the programs of both run under wine.
#
#   tests/install/windows.sh          what is missing here is printed as `skipped: what, why`
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
out=$(realpath -m "${CARGO_TARGET_DIR:-target}/c")
tools=x86_64-w64-mingw32
target=x86_64-pc-windows-gnu
unset DESTDIR PREFIX LIBDIR INCLUDEDIR DATADIR MAKEFLAGS MFLAGS MAKEOVERRIDES CMAKE_PREFIX_PATH

have() { command -v "$1" >/dev/null 2>&1; }
fail() {
    echo "Windows by CMake: $*" >&2
    exit 1
}
for tool in cmake wine $tools-gcc $tools-g++; do
    have $tool || { echo "skipped: Windows by CMake, $tool is not here"; exit 0; }
done
if ! sh tools/has_target.sh $target; then
    echo "skipped: Windows by CMake, Rust has no $target here"
    exit 0
fi
version=$(awk -F'"' '/^version = / { print $2; exit }' Cargo.toml)
tmp=$(mktemp -d)
export WINEPREFIX=$out/wine WINEDEBUG=-all DISPLAY=
trap '"$root/tests/windows/wine.sh" end; rm -rf "$tmp"' EXIT
tests/windows/wine.sh begin || fail "wine's folder cannot be made: exit status $?"

cp -r tests/install "$tmp/consumer"
cd "$tmp/consumer"
cross=(-DCMAKE_SYSTEM_NAME=Windows -DCMAKE_C_COMPILER=$tools-gcc -DCMAKE_CXX_COMPILER=$tools-g++
    "-DCMAKE_CXX_STANDARD_LIBRARIES=-static")

# by_cmake NAME FOLDER_OF_THE_DLL ARGUMENT...
by_cmake() {
    local name=$1 dll=$2 language kind printed needed
    shift 2
    { cmake -S cmake -B "$name" "${cross[@]}" "$@" && cmake --build "$name"; } >"$tmp/log" 2>&1 ||
        { cat "$tmp/log"; fail "$name"; }
    for language in c cpp; do
        for kind in stride static; do
            printed=$(WINEPATH=$dll "$root/tests/windows/wine.sh" "$name/${language}_$kind.exe" 2>"$tmp/log" | tr -d '\r') ||
                { status=$?; cat "$tmp/log"; fail "$name, $language, $kind: exit status $status"; }
            [ "$printed" = "$version: 1 4 2 5 3 6" ] || fail "$name, $language, $kind prints '$printed'"
            needed=$($tools-objdump -p "$name/${language}_$kind.exe" | grep -c 'DLL Name: stride.dll' || true)
            [ "$needed" = "$([ $kind = stride ] && echo 1 || echo 0)" ] ||
                fail "$name, $language, $kind asks $needed times for stride.dll"
        done
    done
    echo "ok: Windows by CMake: $name, C and C++, shared and static"
}
by_cmake add_subdirectory add_subdirectory/stride -DHOW=add_subdirectory -DFROM="$root" -DSTRIDE_RUST_TARGET=$target \
    -DSTRIDE_INSTALL=ON -DSTRIDE_CARGO_TARGET_DIR="$out/build"
cmake --install add_subdirectory --prefix "$tmp/prefix" >"$tmp/log" 2>&1 || { cat "$tmp/log"; fail 'cmake --install'; }
by_cmake find_package "$tmp/prefix/bin" -DHOW=find_package -DASKED="${version%.*}" -DCMAKE_PREFIX_PATH="$tmp/prefix"

# What has to be said is said.
cmake -S "$root" -B refused -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_C_COMPILER=$tools-gcc >"$tmp/log" 2>&1 &&
    fail 'a build for another system without a Rust target is not refused'
grep -q 'say for which Rust target' "$tmp/log" || { cat "$tmp/log"; fail 'the refusal has another reason'; }
