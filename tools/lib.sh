#!/bin/sh
# The C library: what `make lib` runs. Freestanding: no Rust runtime inside, and a panic that could be reached fails the
# link.
#
#   tools/lib.sh TARGET DIRECTORY
#
# TARGET: `host`, or another system by Rust's name. DIRECTORY gets
#   *-windows-gnu    stride.dll, libstride.dll.a (import library), stride.lib (the same for Microsoft's linker),
#                    stride.def; libstride.a
#   *-windows-msvc   stride_static.lib; where there is Microsoft's linker stride.dll, stride.lib (import library),
#                    stride.def
#   *-apple-*        libstride.a; where there is Apple's linker libstride.0.dylib, libstride.dylib
#   wasm32-*         libstride.a; for wasm32-unknown-unknown stride.wasm, with malloc and free (packaging/wasm), and
#                    stride_plain.wasm, the same for hosts without SIMD128
#   others (ELF)     libstride.a, libstride.so, libstride.so.0
#
# LINKER is the compiler or linker for TARGET, AR its archiver, CARGO cargo; what is usual for TARGET stands in for
# them. SETS: x86-64's instruction sets, as in the Makefile; WITHOUT: `conversion` leaves that out.
set -eu
if [ $# -ne 2 ]; then
    echo "usage: $0 TARGET DIRECTORY" >&2
    exit 2
fi
target=$1
mkdir -p "$2"
out=$(cd "$2" && pwd)
cd "$(dirname "$0")/.."
cargo=${CARGO:-cargo}
host=$("$cargo" -vV | sed -n 's/^host: //p')
if [ "$target" = host ]; then target=$host; fi
if [ ! -d "$(${RUSTC:-rustc} --print target-libdir --target "$target")" ]; then
    echo "Rust's libraries for $target are not here: rustup target add $target" >&2
    exit 1
fi
abi=$(sed -n 's/^#define STRIDE_ABI_VERSION //p' include/stride.h)
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
made=$out/build/$target/dist
# CARGO_INCREMENTAL=1 makes tests build faster. Here it would leave panics that are never reached, and fail the link.
export CARGO_INCREMENTAL=0

features=${SETS:-avx512}
features=${features#portable}
case ${WITHOUT:-} in
conversion) ;;
'') features="$features conversion" ;;
*) echo "WITHOUT=$WITHOUT: it is conversion, or nothing" >&2 && exit 2 ;;
esac

# Cargo's default is all of them.
some=${SETS:-}${WITHOUT:-}

have() { command -v "$1" >/dev/null 2>&1; }

# place FROM TO: at once, for a program may be running with the one that was there; and not where it is the same, for
# another may be copying it.
place() {
    if cmp -s "$1" "$2"; then return; fi
    cp -f "$1" "$2.$$"
    mv -f "$2.$$" "$2"
}

# The first of these programs that is here.
first_of() {
    for program; do
        if have "$program"; then
            echo "$program"
            return
        fi
    done
}

# GNU's name for the target, which begins the names of its tools: aarch64-linux-gnu, x86_64-w64-mingw32.
prefix=$(echo "$target" | sed -e 's/-unknown-/-/' -e 's/-pc-windows-gnu$/-w64-mingw32/')
linker=${LINKER:-}
case $target in
"$host" | *-windows-gnu*) ;; # Rust knows the linker
*-musl*) if [ -z "$linker" ]; then linker=$(first_of "$prefix-gcc" musl-gcc); fi ;;
*) if [ -z "$linker" ]; then linker=$(first_of "$prefix-gcc"); fi ;;
esac

# build CRATE_TYPES LINK_ARGUMENT...
# Loops whose length is not known are not unrolled, and get one vector form: that is a tenth of the library, and the
# kernels do it by hand where it pays.
few='-Cllvm-args=-unroll-runtime=false -Cllvm-args=-force-vector-interleave=1'
few="$few -Cllvm-args=-enable-epilogue-vectorization=false"
build() {
    types=$1
    shift
    if [ -n "$linker" ]; then set -- "-Clinker=$linker" "$@"; fi
    "$cargo" rustc -q --lib --profile dist --crate-type "$types" --target "$target" --target-dir "$out/build" \
        ${some:+--no-default-features --features "$features"} \
        -- $few --cfg stride_freestanding "$@"
}

# archive [STRIP]: the archive of one object (see tools/archive.sh). An archiver of another system would write no index
# of symbols.
archive() {
    AR=${AR:-$(first_of "$prefix-ar" llvm-ar ar)} sh tools/archive.sh "$made/libstride.a" "$out/libstride.a" "$@"
}

# What the shared library exports, as Windows' tools take it: the functions of the headers.
write_def() {
    {
        echo 'LIBRARY stride.dll'
        echo 'EXPORTS'
        sed -n 's/^STRIDE_API .*[ *]\(stride_[a-z0-9_]*\)(.*/    \1/p' include/*.h
    } >"$out/stride.def"
}

# Where the linker for a system is on that system alone, other systems make the archive. $1: begins the host's own name.
only_archive() {
    case $host in *$1*) return 1 ;; esac
    [ -z "$linker" ] || return 1
    echo "only the static library: $2 is needed for the other (LINKER=...)"
}

case $target in
*-windows-gnu*)
    # The time in its head: the same sources make the same file.
    SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-0}
    export SOURCE_DATE_EPOCH
    build cdylib,staticlib
    place "$made/stride.dll" "$out/stride.dll"
    place "$made/libstride.dll.a" "$out/libstride.dll.a"
    # Its debug information has the path of the object.
    archive "$(first_of "$prefix-strip" llvm-strip strip)"
    write_def
    case $target in
    x86_64-*) machine=i386:x86-64 ;;
    i686-*) machine=i386 ;;
    aarch64-*) machine=arm64 ;;
    esac
    dlltool=$(first_of llvm-dlltool llvm-dlltool-14 llvm-dlltool-19)
    rm -f "$out/stride.lib"
    if [ -n "$dlltool" ]; then
        "$dlltool" -m "$machine" -d "$out/stride.def" -l "$out/stride.lib"
    else
        echo "no stride.lib: llvm-dlltool is not here; on Windows, lib /def:stride.def /machine:x64 makes it"
    fi
    ;;
*-windows-msvc)
    if only_archive windows "Microsoft's linker"; then
        build staticlib
    else
        build cdylib,staticlib
        place "$made/stride.dll" "$out/stride.dll"
        place "$made/stride.dll.lib" "$out/stride.lib"
        write_def
    fi
    # With all of Rust's compiler runtime: Microsoft's does not divide numbers of 128 bits.
    place "$made/stride.lib" "$out/stride_static.lib"
    ;;
*-apple-*)
    if only_archive apple "Apple's linker"; then
        build staticlib
    else
        # A program asks for the version that it was linked with, or a later one (docs/ABI.md). Rust passes -dead_strip.
        build cdylib,staticlib -Clink-arg=-Wl,-install_name,@rpath/libstride."$abi".dylib \
            -Clink-arg=-Wl,-current_version,"$version" -Clink-arg=-Wl,-compatibility_version,"$version"
        place "$made/libstride.dylib" "$out/libstride.$abi.dylib"
        ln -sf "libstride.$abi.dylib" "$out/libstride.dylib"
    fi
    archive
    ;;
wasm32-*)
    build staticlib
    archive
    if [ "$target" = wasm32-unknown-unknown ]; then
        # A module that has SIMD128 is taken by no host without it. (Each form has a folder: cargo gives both one name.)
        for form in stride:+simd128 stride_plain:-simd128; do
            RUSTFLAGS="${RUSTFLAGS:-} -Ctarget-feature=${form#*:}" "$cargo" rustc -q --package stride-wasm \
                --profile dist --target "$target" --target-dir "$out/build/${form%:*}" \
                -- $few -Cstrip=symbols
            place "$out/build/${form%:*}/$target/dist/stride_wasm.wasm" "$out/${form%:*}.wasm"
        done
    fi
    ;;
*)
    # -lc: memcpy binds to libc's dispatching version. -z defs: an undefined symbol, such as a panic, is an error here.
    # On 64-bit ARM the compiler runtime's division of 128-bit numbers mentions what unwinding calls; nothing unwinds
    # here. (The same in CMakeLists.txt, Cargo.toml for cargo-c, docs/INSTALL.md.)
    set -- -Clink-arg=-lc -Clink-arg=-Wl,-z,defs -Clink-arg=-Wl,--defsym=rust_eh_personality=0
    types=cdylib,staticlib
    case $target in
    # Rust links musl into what it makes unless cargo is told not to, and then there is no shared library.
    *-musl*)
        if [ -n "$linker" ] || [ "$target" = "$host" ]; then
            RUSTFLAGS="${RUSTFLAGS:-} -Ctarget-feature=-crt-static"
            export RUSTFLAGS
        else
            types=staticlib
        fi
        ;;
    esac
    build "$types" "$@" -Clink-arg=-Wl,-soname,libstride.so."$abi"
    case $types in
    cdylib*)
        place "$made/libstride.so" "$out/libstride.so"
        [ -h "$out/libstride.so.$abi" ] || ln -sf libstride.so "$out/libstride.so.$abi"
        ;;
    *)
        rm -f "$out/libstride.so" "$out/libstride.so.$abi"
        echo "only the static library: $prefix-gcc or musl-gcc is needed for the other (LINKER=...)"
        ;;
    esac
    archive
    ;;
esac
