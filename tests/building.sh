#!/usr/bin/env bash
# docs/BUILDING.md as far as it can be tried here: the one cargo command gives what `make lib` gives, on this system and
# for Windows; `make lib TARGET=...` for other processors, and for macOS as far as a linker goes.
#
#   tests/building.sh
#
# Works below target (CARGO_TARGET_DIR). What is not here is printed as `skipped: what, why`.
set -euo pipefail
cd "$(dirname "$0")/.."

target_dir=${CARGO_TARGET_DIR:-target}
work=$target_dir/building
abi=$(sed -n 's/^#define STRIDE_ABI_VERSION //p' include/stride.h)
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
mkdir -p "$work"

skipped() { printf 'skipped: %s\n' "$*"; }
have() { command -v "$1" >/dev/null 2>&1; }
has_target() { rustup target list --installed 2>/dev/null | grep -qx "$1"; }
fail() {
    printf 'FAILED: %s\n' "$*"
    exit 1
}

# --- The one command ----------------------------------------------------------------------------------------------------

command=$(grep -m 1 '^cargo rustc ' docs/BUILDING.md) || fail 'docs/BUILDING.md has no cargo command'
case $command in *'--cfg stride_freestanding') ;; *) fail "not the command for the freestanding library: $command" ;; esac
words=$(sed -n 's/^.*`\(-Clink-arg=-Wl,-soname,[^`]*\)`.*/\1/p' docs/BUILDING.md)
[ "$words" = "-Clink-arg=-Wl,-soname,libstride.so.$abi" ] || fail "docs/BUILDING.md names the library '$words'"

dynamic_of() { readelf -d "$1" | sed -n 's/.*(\(NEEDED\|SONAME\)).*\[\(.*\)\]/\1 \2/p' | sort; }
case $(uname -s) in
Linux)
    make -s lib
    CARGO_TARGET_DIR=$work/command sh -c "$command $words"
    ours=$target_dir/c/libstride.so theirs=$work/command/dist/libstride.so
    cmp <(nm -D "$ours" | cut -c 18-) <(nm -D "$theirs" | cut -c 18-) || fail 'the symbols differ from those of make lib'
    cmp <(dynamic_of "$ours") <(dynamic_of "$theirs") || fail 'the names of libraries differ from those of make lib'
    cc -std=c99 -O1 -Iinclude c_tests/copy.c "$work/command/dist/libstride.a" -o "$work/copy"
    echo "cargo command: $(dynamic_of "$theirs" | tr '\n' ' ' | sed 's/ $//'), $(nm -D --defined-only "$theirs" | wc -l) functions; $("$work/copy")"
    ;;
*) skipped 'the cargo command beside make lib: this compares ELF' ;;
esac

if has_target x86_64-pc-windows-gnu && have x86_64-w64-mingw32-gcc; then
    make -s lib TARGET=x86_64-pc-windows-gnu
    CARGO_BUILD_TARGET=x86_64-pc-windows-gnu CARGO_TARGET_DIR=$work/command sh -c "$command"
    interface_of() { x86_64-w64-mingw32-objdump -p "$1" | sed -n -e '/DLL Name/p' -e '/Ordinal\/Name Pointer/,/^$/s/.*\] //p'; }
    ours=$target_dir/c/x86_64-pc-windows-gnu/stride.dll theirs=$work/command/x86_64-pc-windows-gnu/dist/stride.dll
    [ "$(interface_of "$theirs" | grep -c '^stride_')" -gt 100 ] || fail 'stride.dll of the command exports too little'
    cmp <(interface_of "$ours") <(interface_of "$theirs") || fail 'stride.dll of the command is not that of make lib'
    ls "$work"/command/x86_64-pc-windows-gnu/dist/lib{stride,stride.dll}.a >/dev/null
    echo 'cargo command for Windows: stride.dll exports and needs what that of make lib does'
else
    skipped 'the cargo command for Windows: its target or x86_64-w64-mingw32-gcc is not here'
fi

# --- Other processors ---------------------------------------------------------------------------------------------------

elf() { # TARGET FILE'S_MACHINE
    make -s lib TARGET="$1"
    local library=$target_dir/c/$1/libstride.so
    readelf -h "$library" | grep -q "Machine: *$2" || fail "$library is not for $2"
    readelf -d "$library" | grep -q "SONAME.*\[libstride.so.$abi\]" || fail "$library has no name"
    nm -g --defined-only "$target_dir/c/$1/libstride.a" | grep -q ' T stride_copy$' || fail "no stride_copy in libstride.a for $1"
    echo "make lib TARGET=$1: $(nm -D --defined-only "$library" | grep -c ' T stride_') functions for $2"
}
aarch64=aarch64-unknown-linux-gnu
if has_target $aarch64 && have aarch64-linux-gnu-gcc; then elf $aarch64 AArch64; else skipped "$aarch64: its compiler is not here"; fi
i686=i686-unknown-linux-gnu
if has_target $i686 && echo 'int x;' | cc -m32 -shared -x c - -o "$work/probe" 2>/dev/null; then
    elf $i686 'Intel 80386'
else
    skipped "$i686: cc -m32 does not link here"
fi

# --- macOS --------------------------------------------------------------------------------------------------------------

# lld stands in for Apple's linker, a list of eight functions for its libraries: the names inside are tested, no more.
darwin() {
    local target=$1-apple-darwin
    local out=$target_dir/c/$target
    if ! has_target "$target"; then skipped "$target: not installed"; return; fi
    make -s lib TARGET="$target" >"$work/darwin.txt"
    grep -q 'only the static library' "$work/darwin.txt" || fail "make lib TARGET=$target does not say what it leaves out"
    if ! have ld64.lld || ! have clang || ! have llvm-objdump; then
        skipped "libstride.$abi.dylib for $1: clang or lld is not here"
        return
    fi
    printf '#!/bin/sh\nexec clang -fuse-ld=lld -nostdlib "-L%s" "$@"\n' "$PWD/tests/building" >"$work/darwin-linker"
    chmod +x "$work/darwin-linker"
    make -s lib TARGET="$target" LINKER="$(cd "$work" && pwd)/darwin-linker"
    local commands
    commands=$(llvm-objdump --macho --private-headers "$out/libstride.$abi.dylib")
    grep -q "name @rpath/libstride.$abi.dylib " <<<"$commands" || fail 'the install name'
    [ "$(grep -c "version $version$" <<<"$commands")" = 2 ] || fail 'current and compatibility version'
    local exported
    exported=$(llvm-objdump --macho --exports-trie "$out/libstride.$abi.dylib" | sed -n 's/.* _\(stride_[a-z0-9_]*\).*/\1/p' | sort)
    cmp <(echo "$exported") <(sed -n 's/^STRIDE_API .*[ *]\(stride_[a-z0-9_]*\)(.*/\1/p' include/*.h | LC_ALL=C sort) ||
        fail 'the dylib exports something else than the functions of the headers'
    [ "$(readlink "$out/libstride.dylib")" = "libstride.$abi.dylib" ] || fail 'the link libstride.dylib'
    echo "macOS, $1: linked by lld, $(wc -l <<<"$exported") functions, install name @rpath/libstride.$abi.dylib; not run"
}
darwin x86_64
darwin aarch64
echo 'building: all passed'
