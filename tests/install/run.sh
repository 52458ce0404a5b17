#!/usr/bin/env bash
# Installs libstride, moves it, and builds strangers' programs against it in folders of their own: by pkg-config, CMake
# and meson, shared and static, beside another Rust library, loaded and unloaded, and across a fork.
#
#   tests/install/run.sh          what is missing here is printed as `skipped: what, why`
#
# c_tests/install_check.sh looks at the installed files themselves, dist.sh at the source tarball.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
out=$(realpath -m "${CARGO_TARGET_DIR:-target}/c")

# What a surrounding make or a packager's environment says must not decide where this check installs to.
unset DESTDIR PREFIX LIBDIR INCLUDEDIR DATADIR MAKEFLAGS MFLAGS MAKEOVERRIDES LD_LIBRARY_PATH CMAKE_PREFIX_PATH
unset PKG_CONFIG_PATH PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR

version=$(awk -F'"' '/^version = / { print $2; exit }' Cargo.toml)
abi=$(awk '/^#define STRIDE_ABI_VERSION / { print $3 }' include/stride.h)
wanted="$version: 1 4 2 5 3 6"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
passed=0

have() { command -v "$1" >/dev/null 2>&1; }
fail() {
    echo "install consumers: $*" >&2
    exit 1
}
pass() {
    echo "ok: $*"
    passed=$((passed + 1))
}

# quietly NAME COMMAND...: its output is shown only if it fails.
quietly() {
    local name=$1
    shift
    "$@" >"$tmp/log" 2>&1 || { cat "$tmp/log"; fail "$name"; }
}

# runs WHAT PROGRAM shared|static: it prints what it should, and asks for the shared library, or not.
runs() {
    local printed
    printed=$("$2") || fail "$1: exit status $?"
    [ "$printed" = "$wanted" ] || fail "$1 prints '$printed', should print '$wanted'"
    if grep -q "NEEDED.*\[libstride\.so\.$abi\]" <<< "$(readelf -d "$2")"; then
        [ "$3" = shared ] || fail "$1 asks for the shared library"
    else
        [ "$3" = static ] || fail "$1 does not ask for libstride.so.$abi"
    fi
}

# A stage with spaces in its name; then a prefix that has been moved, spaces and all.
make -s install PREFIX=/usr/local DESTDIR="$tmp/a stage"
prefix="$tmp/moved to here"
mv "$tmp/a stage/usr/local" "$prefix"
if grep -rIlF -e /usr/local -e "$tmp" "$prefix/lib"; then fail 'the files above name the prefix or the stage'; fi
pass 'installed into a folder with spaces, and moved'

# What they export is asked of these files by tests/c_abi.rs.
for library in libstride.a libstride.so; do cmp "$out/$library" "$prefix/lib/$library" || fail "$library is not the one that was built"; done
pass 'both libraries are those that were built'

# cargo-c makes the name of the shared library of the first number of the version (Cargo.toml, package.metadata.capi).
[ "${version%%.*}" = "$abi" ] || fail "cargo-c would make libstride.so.${version%%.*}: give library.version in Cargo.toml"

# Where stride.json is, also where it lies apart.
apart=(PREFIX="$tmp/apart" LIBDIR="$tmp/apart/lib/some where" DATADIR="$tmp/apart/data")
make -s install "${apart[@]}" DESTDIR=
# shellcheck disable=SC2016 # CMake's variables.
printf '%s\n' 'cmake_minimum_required(VERSION 3.15)' 'project(asked LANGUAGES NONE)' 'find_package(stride REQUIRED)' \
    'file(READ "${stride_INTERFACE_JSON}" text)' 'file(WRITE said.json "${text}")' >"$tmp/CMakeLists.txt"
for at in "$prefix/lib" "$tmp/apart/lib/some where"; do
    if have pkg-config; then
        eval "file=$(PKG_CONFIG_LIBDIR=$at/pkgconfig pkg-config --variable=interface stride)"
        cmp "$file" include/stride.json || fail "pkg-config's interface is '$file'"
        eval "file=$(PKG_CONFIG_LIBDIR=$at/pkgconfig pkg-config --variable=declarations stride)"
        cmp "$file" include/stride.cdef || fail "pkg-config's declarations are '$file'"
    fi
    if have cmake; then
        rm -rf "$tmp/asked"
        quietly 'the path of stride.json by CMake' cmake -S "$tmp" -B "$tmp/asked" -Dstride_DIR="$at/cmake/stride"
        cmp "$tmp/said.json" include/stride.json || fail "stride_INTERFACE_JSON is not the path of stride.json"
    fi
done
pass 'pkg-config and CMake know where stride.json is'

cp -r tests/install "$tmp/consumer"
cd "$tmp/consumer"
export LD_LIBRARY_PATH=$prefix/lib

if have pkg-config; then
    export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
    [ "$(pkg-config --modversion stride)" = "$version" ] || fail 'pkg-config --modversion'
    if pkg-config --exists 'stride >= 99'; then fail 'pkg-config has a version that is too new'; fi
    # pkg-config quotes spaces for the shell, which has to read them once more.
    eval "flags=($(pkg-config --cflags stride)) shared=($(pkg-config --libs stride))"
    eval "static=($(pkg-config --static --libs stride))"
    for language in c cpp; do
        case $language in
            c) compile=("${CC:-cc}" -std=c99) ;;
            cpp) compile=("${CXX:-c++}" -std=c++17) ;;
        esac
        compile+=(-Wall -Wextra -Wpedantic -Werror "program.$language" "${flags[@]}")
        "${compile[@]}" "${shared[@]}" -o "$language-shared"
        runs "$language by pkg-config" "./$language-shared" shared
        "${compile[@]}" -Wl,-Bstatic "${static[@]}" -Wl,-Bdynamic -o "$language-static"
        runs "$language by pkg-config, static" "./$language-static" static
    done
    pass 'C and C++ by pkg-config, shared and static'
else
    echo 'skipped: pkg-config, it is not here'
fi

# by_cmake NAME GENERATOR ARGUMENT...
by_cmake() {
    local name=$1 generator=$2 language
    shift 2
    quietly "$name" cmake -S cmake -B "build $name" -G "$generator" "$@"
    quietly "$name" cmake --build "build $name"
    for language in c cpp; do
        runs "$name, $language" "build $name/${language}_stride" shared
        runs "$name, $language, static" "build $name/${language}_static" static
    done
    # Built again, nothing is to be done but what asks cargo.
    quietly "$name" cmake --build "build $name"
    pass "C and C++ by CMake: $name, $generator"
}

# asked ANSWER ARGUMENT...: a find_package with these arguments says ANSWER, in a text of one line.
asked() {
    local answer=$1 said
    shift
    rm -rf asked
    mkdir asked
    # shellcheck disable=SC2016 # CMake's variables.
    printf '%s\n' 'cmake_minimum_required(VERSION 3.15)' 'project(asked C)' "find_package(stride $*)" \
        'message(STATUS "found: ${stride_FOUND}, version ${stride_VERSION}")' >asked/CMakeLists.txt
    said=$(cmake -S asked -B asked/build -DCMAKE_PREFIX_PATH="$prefix" 2>&1 | tr -s ' \n' ' ') || true
    [[ $said == *"$answer"* ]] || fail "find_package(stride $*) does not say '$answer', but: $said"
}

if have cmake; then
    second=Ninja
    have ninja || second='Unix Makefiles'
    # Programs built by CMake know where the library is.
    unset LD_LIBRARY_PATH
    by_cmake find_package 'Unix Makefiles' -DHOW=find_package -DASKED="${version%.*}" -DCMAKE_PREFIX_PATH="$prefix"
    # These two build what `make install` has just built, with the same arguments: cargo is done at once.
    by_cmake add_subdirectory 'Unix Makefiles' -DHOW=add_subdirectory -DFROM="$root" -DSTRIDE_CARGO_TARGET_DIR="$out/build"
    by_cmake FetchContent "$second" -DHOW=FetchContent -DFROM="$root" -DSTRIDE_CARGO_TARGET_DIR="$out/build"

    IFS=. read -r major minor patch <<<"$version"
    compatible=('' "$major" "$major.$minor" "$version EXACT" "$major.$minor COMPONENTS shared static")
    other=("$major.$((minor + 1))" "$major.$minor.$((patch + 1))" "$((major + 1))"
        "$major.$((minor + 1)) EXACT")
    if [ "$(printf '%s\n' 3.19 "$(cmake --version | awk '{ print $3; exit }')" | sort -V | head -n 1)" = 3.19 ]; then
        compatible+=("$major.$minor...$((major + 1))")
        other+=("$((major + 9)).0...99" "$major.0.1...<$version")
    else
        echo 'skipped: ranges of versions, this CMake is older than 3.19'
    fi
    for ask in "${compatible[@]}"; do asked "found: 1, version $version" "$ask"; done
    for ask in "${other[@]}"; do asked "strideConfig.cmake, version: $version" "$ask REQUIRED"; done
    asked 'component docs is not installed; libstride has the components shared and static' \
        "$major.$minor REQUIRED COMPONENTS docs"
    pass 'find_package takes versions that are compatible, and refuses others'

    quietly 'cmake --install' cmake -S "$root" -B alone -DSTRIDE_CARGO_TARGET_DIR="$out/build"
    quietly 'cmake --install' cmake --build alone
    quietly 'cmake --install' cmake --install alone --prefix "$tmp/by cmake"
    diff -r "$prefix" "$tmp/by cmake" || fail 'cmake --install does not install what make install does'
    pass 'cmake --install installs what make install does'
else
    echo 'skipped: CMake, it is not here'
fi

if have meson && have ninja && have pkg-config; then
    cp program.c program.cpp meson
    quietly meson meson setup "build meson" meson
    quietly meson meson compile -C "build meson"
    unset LD_LIBRARY_PATH
    runs 'C by meson' "build meson/c_stride" shared
    runs 'C++ by meson' "build meson/cpp_stride" shared
    runs 'C by meson, static' "build meson/c_static" static
    pass 'C and C++ by meson from the installed library'
else
    echo 'skipped: meson, it, ninja or pkg-config is not here'
fi
if have cargo-cinstall; then
    # docs/INSTALL.md says what differs: stride.pc names the prefix, the archive has Rust's compiler runtime inside.
    by_cargo=$tmp/by-cargo-c
    (cd "$root" && quietly 'cargo cinstall' env CARGO_TARGET_DIR="$out/cargo-c" cargo cinstall --offline --profile dist \
        --prefix="$by_cargo" --libdir="$by_cargo/lib")
    names() { (cd "$1" && find . ! -type d | sort); }
    diff <(names "$prefix") <(names "$by_cargo") || fail 'cargo cinstall does not install the files that make install does'
    for folder in include share lib/cmake; do
        diff -r "$prefix/$folder" "$by_cargo/$folder" || fail "$folder of cargo cinstall is not that of make install"
    done
    exported() { nm -D --defined-only "$1/lib/libstride.so" | awk 'NF == 3 { print $3 }' | sort; }
    diff <(exported "$prefix") <(exported "$by_cargo") || fail 'the libstride.so of cargo cinstall does not export what that of make lib does'
    nm "$by_cargo/lib/libstride.so" >"$tmp/symbols"
    grep -q ' stride::copy' <(nm -C "$by_cargo/lib/libstride.so") || fail 'cargo cinstall: stripped, so its symbols tell nothing'
    if grep -i panick "$tmp/symbols"; then fail 'cargo cinstall: a panic in libstride.so'; fi
    if have pkg-config; then
        export PKG_CONFIG_PATH=$by_cargo/lib/pkgconfig LD_LIBRARY_PATH=$by_cargo/lib
        [ "$(pkg-config --modversion stride)" = "$version" ] || fail 'pkg-config --modversion, cargo-c'
        read -ra flags <<<"$(pkg-config --cflags --libs stride)"
        "${CC:-cc}" program.c "${flags[@]}" -o by-cargo-c
        runs 'C by pkg-config, cargo-c' ./by-cargo-c shared
        read -ra flags <<<"$(pkg-config --static --libs stride)"
        "${CC:-cc}" -static program.c -I "$by_cargo/include" "${flags[@]}" -o by-cargo-c-static # it names libc, too
        runs 'C by pkg-config, cargo-c, static' ./by-cargo-c-static static
    fi
    pass 'cargo cinstall installs what make install does, and C finds it'
else
    echo 'skipped: cargo-c, it is not here (cargo install cargo-c)'
fi
export LD_LIBRARY_PATH=$prefix/lib

warnings=(-std=c11 -Wall -Wextra -Wpedantic -Werror)
include=(-I "$prefix/include")
"${CC:-cc}" -O1 "${warnings[@]}" "${include[@]}" dlopen.c -ldl -o dlopen
printed=$(./dlopen "$prefix/lib/libstride.so.$abi") || fail "dlopen: exit status $?"
pass "dlopen: $printed"
for kind in libstride.so libstride.a; do
    "${CC:-cc}" -O1 "${warnings[@]}" "${include[@]}" fork.c "$prefix/lib/$kind" -lpthread -o fork
    printed=$(./fork) || fail "fork, $kind: exit status $?"
    pass "fork, $kind: $printed"
done

# A Rust library with the standard library inside, before libstride and after it; and all of both archives, so
# that no clash of names hides in a member that nobody needs.
rustc="${RUSTC:-rustc}"
if have "$rustc"; then
    "$rustc" --edition 2024 -O -o libother.a other.rs
    system=(-lgcc_s -lutil -lrt -lpthread -lm -ldl -lc)
    two=("${CC:-cc}" "${warnings[@]}" "${include[@]}" two_rust.c)
    archive=$prefix/lib/libstride.a
    "${two[@]}" "$archive" libother.a "${system[@]}" -o two-1
    "${two[@]}" libother.a "$archive" "${system[@]}" -o two-2
    "${two[@]}" -Wl,--whole-archive libother.a "$archive" -Wl,--no-whole-archive "${system[@]}" -o two-3
    for program in two-1 two-2 two-3; do ./$program >/dev/null || fail "$program: exit status $?"; done
    pass 'two Rust libraries in one program, in either order and whole'
else
    echo "skipped: two Rust libraries, $rustc is not here"
fi

echo "install consumers: $passed checks passed"
