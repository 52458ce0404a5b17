#!/usr/bin/env bash
# Makes the source tarball, and builds it as a stranger without a network and with an empty cargo home would: by itself,
# and as a meson subproject that packaging/stride.wrap unpacks.
#
#   tests/install/dist.sh [TARBALL]          what is missing here is printed as `skipped: what, why`
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
out=$(realpath -m "${CARGO_TARGET_DIR:-target}/c")
unset DESTDIR PREFIX LIBDIR INCLUDEDIR DATADIR MAKEFLAGS MFLAGS MAKEOVERRIDES LD_LIBRARY_PATH PKG_CONFIG_PATH
unset CARGO_TARGET_DIR

have() { command -v "$1" >/dev/null 2>&1; }
fail() {
    echo "source tarball: $*" >&2
    exit 1
}
version=$(awk -F'"' '/^version = / { print $2; exit }' Cargo.toml)
name=stride-$version
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

if [ $# -gt 0 ]; then
    tarball=$(realpath "$1")
elif make -s dist DIST="$out" >"$tmp/log" 2>&1; then
    tarball=$out/$name.tar.xz
elif grep -qE 'failed to (download|fetch|get)|Could not resolve host' "$tmp/log"; then
    echo "skipped: source tarball, the crates cannot be downloaded: $(grep -m 1 -iE 'error|resolve' "$tmp/log")"
    exit 0
else
    cat "$tmp/log"
    fail 'make dist'
fi
grep -qx "directory = $name" packaging/stride.wrap || fail "packaging/stride.wrap is not for $version"
grep -qx "source_filename = $name.tar.xz" packaging/stride.wrap || fail "packaging/stride.wrap is not for $version"

# Without a network, where the system lets us; always with an empty cargo home, which has nothing to fall back on.
mkdir "$tmp/home"
offline='builds offline'
alone=(env CARGO_HOME="$tmp/home" CARGO_NET_OFFLINE=true)
if unshare -n true 2>/dev/null; then
    alone=(unshare -n "${alone[@]}")
else
    echo 'skipped: a build without any network device, unshare -n is not allowed here; cargo is offline all the same'
    offline='is not known to build offline'
fi

# The subproject is the build of the whole C library.
if have meson && have ninja; then
    mkdir -p "$tmp/app/subprojects/packagefiles"
    cp tests/install/program.c tests/install/program.cpp tests/install/meson/meson.build "$tmp/app"
    cp packaging/stride.wrap "$tmp/app/subprojects"
    cp "$tarball" "$tmp/app/subprojects/packagefiles"
    cd "$tmp/app"
    { "${alone[@]}" meson setup --wrap-mode=forcefallback build && "${alone[@]}" meson compile -C build; } >"$tmp/log" 2>&1 ||
        { cat "$tmp/log"; fail 'the meson subproject'; }
    for program in c_stride cpp_stride c_static; do
        printed=$("build/$program") || fail "$program: exit status $?"
        [ "$printed" = "$version: 1 4 2 5 3 6" ] || fail "$program prints '$printed'"
    done
    DESTDIR="$tmp/stage" "${alone[@]}" meson install -C build >"$tmp/log" 2>&1 ||
        { cat "$tmp/log"; fail 'meson install'; }
    found=$(cd "$tmp/stage" && find . -name 'libstride.so.0' -o -name strideConfig.cmake -o -name stride.pc | wc -l)
    [ "$found" = 3 ] || fail 'meson install does not install what make install does'
    source=$tmp/app/subprojects/$name
    echo "ok: the tarball as a meson subproject, offline, with a shared and a static program"
else
    echo 'skipped: the tarball as a meson subproject, meson or ninja is not here'
    tar -x -f "$tarball" -C "$tmp"
    source=$tmp/$name
    cd "$source"
    "${alone[@]}" make -s lib >"$tmp/log" 2>&1 || { cat "$tmp/log"; fail 'make lib'; }
    echo 'ok: make lib in the tarball, offline'
fi

cd "$source"
# Not optimised: what is asked is whether everything is there.
"${alone[@]}" CARGO_PROFILE_DEV_OPT_LEVEL=0 cargo build --offline --locked --quiet || fail 'cargo build --offline'
echo 'ok: cargo build --offline in the tarball'
# All that the tests and stride.wasm need is there as well; that they compile is the business of others.
"${alone[@]}" cargo metadata --offline --locked --format-version 1 >/dev/null || fail 'a crate of Cargo.lock is missing'
for file in Makefile CMakeLists.txt meson.build LICENSE-MIT LICENSE-APACHE LICENSE-THIRD-PARTY include/stride.json c_tests tests; do
    [ -e "$file" ] || fail "$file is not in the tarball"
done
if [ -e "$tmp/home/registry" ]; then fail 'the cargo home got a registry'; fi
[ "$root" != "$PWD" ]
echo "source tarball: $(basename "$tarball"), $(wc -c <"$tarball") bytes, $offline"
