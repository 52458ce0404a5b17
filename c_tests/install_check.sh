#!/usr/bin/env bash
# Installs the library into a temporary folder, builds programs against it as a stranger would, through pkg-config
# alone, and removes it again. Nothing outside that folder is written but the build (CARGO_TARGET_DIR or target).
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v pkg-config >/dev/null; then
    echo 'skipped: install check, pkg-config is missing'
    exit 0
fi

# What a surrounding make or a packager's environment says must not decide where this check installs to.
unset DESTDIR PREFIX LIBDIR INCLUDEDIR DATADIR MAKEFLAGS MFLAGS MAKEOVERRIDES LD_LIBRARY_PATH
unset PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR

version=$(awk -F'"' '/^version = / { print $2; exit }' Cargo.toml)
abi=$(awk '/^#define STRIDE_ABI_VERSION / { print $3 }' include/stride.h)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

fail() {
    echo "install check: $*" >&2
    exit 1
}

# expect WHAT FOUND WANTED
expect() {
    [ "$2" = "$3" ] || fail "$1 is '$2', should be '$3'"
}

# All files and links below a folder, links with their targets.
tree() {
    (cd "$1" && find . ! -type d -printf '%P %l\n' | sed 's/ $//' | LC_ALL=C sort)
}

# expect_installed WHAT FOLDER: exactly these files, and a chain of links from the linker's name to the file.
expect_installed() {
    expect "$1" "$(tree "$2")" "include/stride.h
include/stride.hpp
include/stride_consumers.h
include/stride_errors.h
include/stride_interop.h
include/stride_kernels.h
include/stride_machine.h
include/stride_runs.h
include/stride_xla.h
lib/cmake/stride/strideConfig.cmake
lib/cmake/stride/strideConfigVersion.cmake
lib/libstride.a
lib/libstride.so libstride.so.$abi
lib/libstride.so.$abi libstride.so.$version
lib/libstride.so.$version
lib/pkgconfig/stride.pc
share/licenses/stride/LICENSE-APACHE
share/licenses/stride/LICENSE-MIT
share/licenses/stride/LICENSE-THIRD-PARTY
share/stride/stride.cdef
share/stride/stride.json"
}

# Straight into a prefix, as one's own computer is served.
prefix=$tmp/usr
said=$(make install PREFIX="$prefix" DESTDIR=)
expect_installed "the tree in a prefix" "$prefix"
! grep -q 'sed ' <<< "$said" || fail "make install shows its scripts: $said"
for header in include/*.h include/*.hpp; do cmp "$header" "$prefix/$header"; done
for file in stride.json stride.cdef; do cmp "include/$file" "$prefix/share/stride/$file"; done

# As root without cargo: what was built is installed.
make -s install PREFIX="$tmp/root" DESTDIR= CARGO=no-such-cargo
expect_installed 'the tree without cargo' "$tmp/root"
rm -r "$tmp/root"

# As make install says.
eval "$(sed -n 's/^Unless the system searches there: //p' <<< "$said")"
expect 'the way to pkg-config' "${PKG_CONFIG_PATH:-}" "$prefix/lib/pkgconfig"
expect 'the way of the loader' "${LD_LIBRARY_PATH:-}" "$prefix/lib"
unset LD_LIBRARY_PATH
expect 'the version that pkg-config tells' "$(pkg-config --modversion stride)" "$version"
expect 'the folder that pkg-config tells' "$(realpath "$(pkg-config --variable=libdir stride)")" "$prefix/lib"

wanted="$version: 1 4 2 5 3 6"
compile=("${CC:-cc}" -std=c99 -Wall -Wextra -Wpedantic -Werror tests/install/program.c)
read -ra flags <<<"$(pkg-config --cflags stride)"
read -ra shared <<<"$(pkg-config --libs stride)"
read -ra static <<<"$(pkg-config --static --libs stride)"

"${compile[@]}" "${flags[@]}" "${shared[@]}" -o "$tmp/shared"
expect 'the output of the shared program' "$(LD_LIBRARY_PATH=$prefix/lib "$tmp/shared")" "$wanted"
needs=$(LD_LIBRARY_PATH=$prefix/lib ldd "$tmp/shared")
grep -qF "libstride.so.$abi => $prefix/lib/libstride.so.$abi" <<<"$needs" ||
    fail "the shared program does not ask for libstride.so.$abi"

# The linker prefers a shared library, so it must be told; libc stays shared.
"${compile[@]}" "${flags[@]}" -Wl,-Bstatic "${static[@]}" -Wl,-Bdynamic -o "$tmp/static"
expect 'the output of the static program' "$("$tmp/static")" "$wanted"
needs=$(ldd "$tmp/static")
if grep -qF libstride <<<"$needs"; then fail 'the static program asks for a shared libstride'; fi

make -s uninstall PREFIX="$prefix" DESTDIR=
expect 'what make uninstall leaves in a prefix' "$(tree "$prefix")" ''

# Into a stage, as packages are made: files below the stage, but nothing in them may know of it.
stage=$tmp/stage
make -s install PREFIX=/usr DESTDIR="$stage"
expect_installed 'the tree in a stage' "$stage/usr"
expect 'what else lies in the stage' "$(ls "$stage")" usr
expect 'the prefix in the staged stride.pc' "$(sed -n 's/^prefix=//p' "$stage/usr/lib/pkgconfig/stride.pc")" \
    '${pcfiledir}/../..'
if grep -rqF "$tmp" "$stage/usr/lib/pkgconfig" "$stage/usr/lib/cmake"; then fail 'a staged file names the stage'; fi
make -s uninstall PREFIX=/usr DESTDIR="$stage"
expect 'what make uninstall leaves in a stage' "$(tree "$stage")" ''

# Folders of one's own: Debian's for several architectures, headers of several versions side by side, data elsewhere.
folders=(PREFIX=/usr LIBDIR=/usr/lib/x86_64-linux-gnu INCLUDEDIR=/usr/include/stride-0 DATADIR=/opt/data DESTDIR="$stage")
make -s install "${folders[@]}"
export PKG_CONFIG_PATH=$stage/usr/lib/x86_64-linux-gnu/pkgconfig
for variable in libdir:lib/x86_64-linux-gnu includedir:include/stride-0 prefix:.; do
    expect "pkg-config's ${variable%%:*}" "$(realpath "$(pkg-config --variable="${variable%%:*}" stride)")" \
        "$(realpath "$stage/usr/${variable#*:}")"
done
for file in strideConfig strideConfigVersion; do
    expect "the way to the headers in $file.cmake" \
        "$(sed -n 's|^set(_stride_include "${_stride_here}/\(.*\)")|\1|p' \
            "$stage/usr/lib/x86_64-linux-gnu/cmake/stride/$file.cmake")" '../../../../include/stride-0'
done
make -s uninstall "${folders[@]}"
expect 'what make uninstall leaves in folders of one'"'"'s own' "$(tree "$stage")" ''
expect 'the way to a folder of another tree' "$(sh tools/relative.sh /opt/lib64/pkgconfig /usr/./share/..)" ../../../usr
expect 'the way to the same folder' "$(sh tools/relative.sh a/b/ "$PWD/a//b")" .

echo "install check: libstride $version installs, links and leaves"
