#!/usr/bin/env bash
# The library on Windows, as far as another system can tell: stride.dll and the archive as `make lib` builds them for
# x86_64-pc-windows-gnu, what they export and need, the C and C++ tests, the demo and the examples under wine; the
# headers and the C tests as Microsoft's compiler would read them (clang in MSVC mode), and the tests with the static
# library for its linker.
#
#   tests/windows.sh
#
# Works below target (CARGO_TARGET_DIR). What is not here is printed as `skipped: what, why`; each program is listed
# with what came of it.
set -euo pipefail
cd "$(dirname "$0")/.."

gnu=x86_64-pc-windows-gnu
msvc=x86_64-pc-windows-msvc
out=${CARGO_TARGET_DIR:-target}/c/$gnu
msvc_out=${CARGO_TARGET_DIR:-target}/c/$msvc
native=${CARGO_TARGET_DIR:-target}/c
warnings='-Wall -Wextra -Wpedantic -Werror'
tools=x86_64-w64-mingw32
failed=0

skipped() { printf 'skipped: %s\n' "$*"; }
have() { command -v "$1" >/dev/null 2>&1; }
has_target() { sh tools/has_target.sh "$1"; }
fail() {
    printf 'FAILED: %s\n' "$*"
    failed=1
}
# same WHAT FOUND WANTED: both are lists, one entry a line.
same() {
    if [ "$2" = "$3" ]; then
        echo "$1: $(grep -c . <<<"$2"), as they should be"
    else
        fail "$1: < found, > wanted"
        diff <(echo "$2") <(echo "$3") || true
    fi
}
standard_of() { case $1 in test_abi) echo c11 ;; *) echo c99 ;; esac; }

functions=$(python3 -c 'import json
for f in sorted(f["name"] for f in json.load(open("include/stride.json"))["functions"]): print(f)')

# --- The headers in MSVC mode -----------------------------------------------------------------------------------------

# In C and C++, for each of Windows' three processors; and all that c_tests/test_abi.c asserts of sizes and offsets.
headers_in_msvc_mode() {
    local target standard checked=0
    local mode="-fms-compatibility -fms-extensions -fsyntax-only $warnings -isystem tests/windows/libc -Iinclude"
    for target in x86_64 i686 aarch64; do
        for standard in c99 c11 c17; do
            clang --target=$target-pc-windows-msvc $mode -std=$standard c_tests/header_c.c || return 1
            clang --target=$target-pc-windows-msvc $mode -std=$standard -DSTRIDE_STATIC c_tests/header_c.c || return 1
            checked=$((checked + 2))
        done
        for standard in c++11 c++14 c++17 c++20; do
            clang --target=$target-pc-windows-msvc $mode -std=$standard -x c++ c_tests/header_c.c || return 1
            checked=$((checked + 1))
        done
        clang --target=$target-pc-windows-msvc $mode -std=c11 c_tests/test_abi.c || return 1
        checked=$((checked + 1))
    done
    # DirectML.h's struct on 32-bit Windows, and that such an assertion can fail.
    local desc='#include "stride.h"
_Static_assert(sizeof(stride_dml_buffer_tensor_desc) == SIZE, "size");
_Static_assert(_Alignof(stride_dml_buffer_tensor_desc) == 8, "alignment");'
    for target in i686-pc-windows-msvc i686-pc-windows-gnu; do
        clang --target=$target -std=c11 -fsyntax-only -Iinclude -DSIZE=40 -x c - <<<"$desc" || return 1
        ! clang --target=$target -std=c11 -fsyntax-only -Iinclude -DSIZE=48 -x c - <<<"$desc" 2>/dev/null || return 1
    done
    echo "headers in MSVC mode: $checked times without a word; DirectML's descriptor has 40 bytes on 32-bit Windows"
}
if have clang; then
    headers_in_msvc_mode || fail 'headers in MSVC mode'
else
    skipped 'headers in MSVC mode: clang is not here'
fi

# --- The library ------------------------------------------------------------------------------------------------------

if ! have $tools-gcc || ! has_target $gnu; then
    skipped "stride.dll, C tests and demo on Windows: $tools-gcc or Rust's target $gnu is not here"
    exit $failed
fi
# Each is an optimisation of the whole library, a minute on one core: both at once.
mkdir -p "$out"
msvc_build=
if have clang && have lld-link && have llvm-dlltool && has_target $msvc; then
    make -s lib TARGET=$msvc >"$out/msvc.txt" 2>&1 &
    msvc_build=$!
fi
make -s lib TARGET=$gnu
if [ -n "$msvc_build" ] && ! wait "$msvc_build"; then
    cat "$out/msvc.txt"
    fail "make lib TARGET=$msvc"
    exit 1
fi

same 'functions in stride.def' "$(tail -n +3 "$out/stride.def" | tr -d ' ' | LC_ALL=C sort)" "$functions"
same 'functions in libstride.dll.a' "$($tools-nm "$out/libstride.dll.a" | sed -n 's/.* T \(stride_\)/\1/p' |
    LC_ALL=C sort)" "$functions"
if [ -f "$out/stride.lib" ]; then
    same 'functions in stride.lib' "$($tools-nm "$out/stride.lib" 2>/dev/null | sed -n 's/.* T \(stride_\)/\1/p' |
        LC_ALL=C sort)" "$functions"
else
    skipped 'stride.lib: llvm-dlltool is not here'
fi

# --- Programs ---------------------------------------------------------------------------------------------------------

programs=$out/programs
rm -rf "$programs"
mkdir -p "$programs"
cp "$out/stride.dll" "$programs/" # Windows looks beside the program first

if have wine; then
    WINEPREFIX=$(cd "$out" && pwd)/wine
    export WINEPREFIX WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml='
    # A directory of its own, and one server for all of its programs, which ends with this.
    trap 'tests/windows/wine.sh end' EXIT
    tests/windows/wine.sh begin || fail "wine's folder cannot be made: exit status $?"
    runs() { tests/windows/wine.sh "$@" 2>"$programs/errors.txt"; }
else
    skipped 'programs for Windows are built but not run: wine is not here'
    runs() { return 0; }
fi
if have wine; then passed=pass; else passed='built, not run'; fi

# pass NAME FORM COMMAND...: its last line is shown.
pass() {
    local name=$1 form=$2 output status=0
    shift 2
    output=$("$@") || status=$?
    if [ $status = 0 ]; then
        printf '%-16s %-8s %s %s\n' "$name" "$form" "$passed" "$(tail -n 1 <<<"$output" | tr -d '\r')"
    else
        printf '%s\n' "$output" | tail -n 5
        cat "$programs/errors.txt" 2>/dev/null || true
        fail "$name $form, exit status $status"
    fi
}

# The C tests, and what the DLL and the archive have inside.
if have wine; then
    STRIDE_C_TARGET=$gnu STRIDE_C_RUNNER=$PWD/tests/windows/wine.sh cargo test -q --test c_abi --test header ||
        fail 'tests/c_abi.rs on Windows'
else
    skipped 'the C tests on Windows: wine is not here'
fi

# The declarations do what they say: dllimport goes straight to the import table; STRIDE_STATIC does not.
for form in '' -DSTRIDE_STATIC -DSTRIDE_API=; do
    $tools-gcc -std=c99 -O1 $form -Iinclude -c c_tests/version.c -o "$programs/version.o"
    imports=$($tools-nm -u "$programs/version.o" | grep -c __imp_stride_ || true)
    case $form:$imports in
    :0) fail 'without STRIDE_STATIC no function is imported' ;;
    :* | -*:0) ;;
    *) fail "with $form $imports functions are imported" ;;
    esac
done
# STRIDE_API may be empty with the DLL: calls then go by way of the import library.
$tools-gcc -std=c99 -O1 $warnings -DSTRIDE_API= -Iinclude c_tests/version.c "$out/libstride.dll.a" \
    -o "$programs/api.exe"
pass 'STRIDE_API=' dll runs "$programs/api.exe"

$tools-gcc -std=c99 -O1 $warnings -Iinclude tests/windows/load.c -o "$programs/load.exe"
pass load dll runs "$programs/load.exe" "$out/stride.dll"

# The tests of stride.hpp, with the static library and with the DLL. Of the two forms of these compilers one has
# std::thread.
if have $tools-g++-posix && have wine; then
    dll=$programs/cpp_dll
    mkdir -p "$dll"
    cp "$out/libstride.dll.a" "$dll/libstride.a"
    export CXX=$tools-g++-posix RUNNER=tests/windows/wine.sh LDFLAGS=-static STANDARDS=17
    # shellcheck disable=SC1003
    WINEPATH="Z:$(realpath "$programs" | tr / '\\')"
    export WINEPATH
    CXXFLAGS=-DSTRIDE_STATIC tests/cpp/run.sh "$out" "$programs/cpp" || fail 'stride.hpp with the static library'
    tests/cpp/run.sh "$dll" "$dll" || fail 'stride.hpp with the DLL'
    unset CXX RUNNER LDFLAGS STANDARDS
else
    skipped "tests of stride.hpp on Windows: $tools-g++-posix or wine is not here"
fi

# --- The demo and the examples: what they say and draw is what they say and draw here ---------------------------------

example() { # NAME FORM ARGUMENTS...
    local name=$1 flags="-std=c99 -O2 $warnings -Iinclude"
    rm -f "$programs/$name.exe"
    case $2 in
    dll) $tools-gcc $flags "examples/c/$name.c" "$out/libstride.dll.a" -o "$programs/$name.exe" ;;
    static) $tools-gcc $flags -DSTRIDE_STATIC "examples/c/$name.c" "$out/libstride.a" -o "$programs/$name.exe" ;;
    esac || return 1 # whoever asks for this in a condition has switched errexit off
    runs "$programs/$name.exe" "${@:3}"
}

for form in dll static; do
    mkdir -p "$programs/$form"
    pass photo $form example photo $form examples/data/chelsea.ppm "$programs/$form"
    if have wine; then
        sums=$(cd "$programs/$form" && sha256sum mirrored.ppm planes.ppm) || true
        same "checksums of the demo's pictures ($form)" "$sums" "$(cat tests/windows/pictures.sha256)"
    fi
    for name in add draw quickstart; do
        pass $name $form example $name $form
        if have wine && [ -f "$native/libstride.a" ] && have cc; then
            cc -std=c99 -O2 -Iinclude "examples/c/$name.c" "$native/libstride.a" -o "$programs/$name.here"
            diff <(example $name $form | tr -d '\r') <("$programs/$name.here") >"$programs/$name.diff" ||
                fail "$name says something else than here: $(head -n 5 "$programs/$name.diff")"
        fi
    done
done

# --- The static library for Microsoft's linker ------------------------------------------------------------------------

# Programs that clang compiles in MSVC mode and lld-link links as Microsoft's linker would, on Windows' own msvcrt.dll.
if [ -n "$msvc_build" ]; then
    for library in msvcrt ntdll; do
        llvm-dlltool -m i386:x86-64 -d tests/windows/$library.def -l "$programs/$library.lib"
    done
    compile="clang --target=$msvc -fms-compatibility -fms-extensions -O1 $warnings -isystem tests/windows/libc"
    compile="$compile -Iinclude -c"
    link="lld-link /nologo /nodefaultlib /entry:start /subsystem:console /stack:4194304"
    link="$link $programs/msvcrt.lib $programs/ntdll.lib"
    $compile -std=c11 tests/windows/start.c -o "$programs/start.obj"
    for source in c_tests/*.c; do
        name=$(basename "$source" .c)
        if [ $name = lists ] || [ $name = threads ]; then
            skipped "$name with the static library for MSVC: it needs windows.h"
            continue
        fi
        standard=$(standard_of "$name")
        $compile -std=$standard -DSTRIDE_STATIC "$source" -o "$programs/$name.obj"
        $link "$programs/start.obj" "$programs/$name.obj" "$msvc_out/stride_static.lib" "/out:$programs/$name.msvc.exe"
        pass "$name" msvc runs "$programs/$name.msvc.exe"
    done
    # The DLL that GNU's linker made, by the import library for Microsoft's.
    $compile -std=c99 c_tests/header_c.c -o "$programs/header_c.obj"
    $link "$programs/start.obj" "$programs/header_c.obj" "$out/stride.lib" "/out:$programs/header_c.import.exe"
    pass header_c stride.lib runs "$programs/header_c.import.exe"
else
    skipped "the static library for MSVC: clang, lld-link, llvm-dlltool or Rust's target $msvc is not here"
fi

[ $failed = 0 ] && if have wine; then echo 'Windows: all passed'; else echo 'Windows: all built, nothing run'; fi
exit $failed
