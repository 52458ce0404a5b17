#!/usr/bin/env bash
# docs/INSTALL.md as far as it can be tried here: the one cargo command gives what `make lib` gives, on this system and
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
has_target() { sh tools/has_target.sh "$1"; }
fail() {
    printf 'FAILED: %s\n' "$*"
    exit 1
}

# --- The one command --------------------------------------------------------------------------------------------------

command=$(grep -m 1 '^cargo rustc ' docs/INSTALL.md) || fail 'docs/INSTALL.md has no cargo command'
[ "${command%'--cfg stride_freestanding'}" != "$command" ] || fail "not for the freestanding library: $command"
words=$(grep -m 1 '^-Clink-arg=' docs/INSTALL.md) || fail 'docs/INSTALL.md has no arguments for ELF systems'
[[ "$words" = *"-soname,libstride.so.$abi "* ]] || fail "docs/INSTALL.md names the library '$words'"
words="$words $(grep -o -m 1 -e '-Cllvm-args=[^ ]*' <<<"$command")"
# The same wherever they stand.
for file in tools/lib.sh CMakeLists.txt Cargo.toml; do
    for word in $words; do
        if [[ $word != *-soname* ]] && ! grep -qe "$word" "$file"; then fail "$file has no $word"; fi
    done
done

# --- A target that Rust has no libraries for --------------------------------------------------------------------------

none=wasm32-unknown-unknown
printf '#!/bin/sh\necho /nowhere\n' >"$work/rustc"
chmod +x "$work/rustc"
if said=$(RUSTC=$(realpath "$work/rustc") sh tools/lib.sh $none "$work/none" 2>&1); then fail "built without Rust's libraries"; fi
[ "$said" = "Rust's libraries for $none are not here: rustup target add $none" ] || fail "$said"

# --- Builds, two at a time: each is an optimisation of the whole library, a minute on one core ------------------------

gnu=x86_64-pc-windows-gnu aarch64=aarch64-unknown-linux-gnu mac=aarch64-apple-darwin
here=$target_dir/c
builds=()
# start NAME COMMAND...: what it says goes to a file, which finish prints if it fails.
start() {
    local name=$1
    shift
    "$@" >"$work/$name.txt" 2>&1 &
    builds+=("$! $name")
}
finish() {
    local build
    for build in "${builds[@]}"; do
        wait "${build% *}" || { cat "$work/${build#* }.txt"; fail "${build#* }"; }
    done
    builds=()
}

make -s lib
if [ "$(uname -s)" = Linux ]; then start command env CARGO_TARGET_DIR="$work/command" sh -c "$command $words"; fi

has_gnu= has_aarch64= has_mac=
if has_target $gnu && have x86_64-w64-mingw32-gcc; then has_gnu=1; else
    skipped "the cargo command for Windows: its target or x86_64-w64-mingw32-gcc is not here"
fi
if has_target $aarch64 && have aarch64-linux-gnu-gcc; then has_aarch64=1; else
    skipped "make lib TARGET=$aarch64: its target or aarch64-linux-gnu-gcc is not here"
fi
if has_target $mac && have lld-link && have clang && have llvm-objdump; then has_mac=1; else
    skipped "make lib TARGET=$mac: its target, clang or lld is not here"
fi

if [ -n "$has_gnu" ]; then start "$gnu" make -s lib TARGET=$gnu; fi
finish
if [ -n "$has_aarch64" ]; then start "$aarch64" make -s lib TARGET=$aarch64; fi
if [ -n "$has_mac" ]; then
    # lld stands in for Apple's linker, a list of a few functions for its libraries.
    printf '#!/bin/sh\nexec clang -target arm64-apple-macosx11.0 -fuse-ld=lld -nostdlib "-L%s" "$@"\n' "$PWD/tests/building" >"$work/mac-linker"
    chmod +x "$work/mac-linker"
    start "$mac" make -s lib TARGET=$mac LINKER="$(cd "$work" && pwd)/mac-linker"
fi
finish

# --- What they made ---------------------------------------------------------------------------------------------------

functions=$(sed -n 's/^STRIDE_API .*[ *]\(stride_[a-z0-9_]*\)(.*/\1/p' include/*.h | LC_ALL=C sort)
# exports FILE NAMES: exactly the functions of the headers.
exports() {
    diff <(LC_ALL=C sort <<<"$2") <(echo "$functions") || fail "$1: < exported, > declared"
}

# The command beside make lib: the same functions, the same names of libraries.
dynamic_of() { readelf -d "$1" | sed -n 's/.*(\(NEEDED\|SONAME\)).*\[\(.*\)\]/\1 \2/p' | sort; }
if [ "$(uname -s)" = Linux ]; then
    made=$work/command/dist
    exports 'the cargo command' "$(nm -D --defined-only "$made/libstride.so" | cut -d ' ' -f 3)"
    diff <(nm -Du "$made/libstride.so") <(nm -Du "$here/libstride.so") || fail 'it needs other functions than make lib'
    diff <(dynamic_of "$made/libstride.so") <(dynamic_of "$here/libstride.so") || fail 'it names other libraries'
    cc -std=c99 -O1 -Iinclude c_tests/copy.c "$made/libstride.a" -o "$work/copy"
    cc -std=c99 -O1 -Iinclude c_tests/copy.c "$made/libstride.so" -o "$work/copy_shared"
    ln -sf libstride.so "$made/libstride.so.$abi"
    static=$("$work/copy")
    shared=$(LD_LIBRARY_PATH=$made "$work/copy_shared")
    echo "the cargo command here: as make lib; static $static; shared $shared"
else
    skipped 'the cargo command beside make lib: this compares ELF'
fi

# For Windows the two give cargo the same work, and it says so: nothing is built again.
if [ -n "$has_gnu" ]; then
    again=$(CARGO_BUILD_TARGET=$gnu CARGO_TARGET_DIR=$here/$gnu/build sh -c "$command" 2>&1)
    if grep -q Compiling <<<"$again"; then fail "the cargo command is not what make lib does for Windows: $again"; fi
    cmp "$here/$gnu/build/$gnu/dist/stride.dll" "$here/$gnu/stride.dll"
    echo 'the cargo command for Windows: the stride.dll of make lib'
fi

if [ -n "$has_aarch64" ]; then
    made=$here/$aarch64
    case $(readelf -h "$made/libstride.so") in *Machine:*AArch64*) ;; *) fail 'libstride.so is not for 64-bit ARM' ;; esac
    exports "$aarch64, shared" "$(nm -D --defined-only "$made/libstride.so" | cut -d ' ' -f 3)"
    exports "$aarch64, static" "$(aarch64-linux-gnu-nm -g --defined-only "$made/libstride.a" |
        sed -n 's/^[0-9a-f]* . //p')"
    [ "$(dynamic_of "$made/libstride.so" | grep SONAME)" = "SONAME libstride.so.$abi" ] || fail 'its soname'
    ran=
    if have qemu-aarch64; then
        aarch64-linux-gnu-gcc -std=c99 -O1 -Iinclude c_tests/copy.c "$made/libstride.so" -o "$work/copy_aarch64"
        ran=", $(qemu-aarch64 -L /usr/aarch64-linux-gnu -E LD_LIBRARY_PATH="$made" "$work/copy_aarch64")"
    fi
    echo "make lib TARGET=$aarch64: $(wc -l <<<"$functions") functions$ran"
fi

if [ -n "$has_mac" ]; then
    made=$here/$mac
    commands=$(llvm-objdump --macho --private-headers "$made/libstride.$abi.dylib")
    grep -q "name @rpath/libstride.$abi.dylib " <<<"$commands" || fail 'the install name'
    [ "$(grep -c "version $version\$" <<<"$commands")" = 2 ] || fail 'current and compatibility version'
    [ "$(readlink "$made/libstride.dylib")" = "libstride.$abi.dylib" ] || fail 'the link libstride.dylib'
    exports "$mac, shared" "$(llvm-objdump --macho --exports-trie "$made/libstride.$abi.dylib" |
        sed -n 's/^0x[^ ]* *_//p')"
    exports "$mac, static" "$(llvm-nm -g --defined-only "$made/libstride.a" | sed -n 's/^[0-9a-f]* . _//p')"
    echo "make lib TARGET=$mac: $(wc -l <<<"$functions") functions, @rpath/libstride.$abi.dylib $version; not run"
fi
echo 'building: all passed'
