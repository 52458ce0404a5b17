#!/bin/sh
# The source tarball: the files of the last commit, the sources of all crates of Cargo.lock in vendor/, and a
# .cargo/config.toml that makes cargo take them, so that it builds and tests without a network. The same commit gives
# the same bytes.
#
#   tools/dist.sh FOLDER          writes FOLDER/stride-VERSION.tar.xz and its .sha256
set -eu
cd "$(dirname "$0")/.."
mkdir -p "$1"
folder=$(cd "$1" && pwd)
if [ "$(git rev-parse --show-toplevel 2>/dev/null)" != "$(pwd -P)" ]; then
    echo "make dist: $(pwd) is no git clone; a source tarball is made from one" >&2
    exit 1
fi
if [ -n "$(git status --porcelain --untracked-files=no)" ]; then
    echo 'make dist: files differ from the last commit; the tarball has those of the commit' >&2
fi
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
time=$(git log -1 --format=%ct)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

git archive --prefix="stride-$version/" HEAD | tar -x -C "$work"
cd "$work/stride-$version"
mkdir .cargo
"${CARGO:-cargo}" vendor --locked --versioned-dirs vendor > .cargo/config.toml 2> "$work/log" || {
    cat "$work/log" >&2
    exit 1
}
grep -q vendored-sources .cargo/config.toml
cd ..
tar --sort=name --mtime="@$time" --owner=0 --group=0 --numeric-owner --mode=go=rX,u+rw -cf source.tar "stride-$version"
xz -3 -T 1 source.tar
# In one step, so that nobody finds half of it.
cp source.tar.xz "$folder/.stride-$version.$$"
mv -f "$folder/.stride-$version.$$" "$folder/stride-$version.tar.xz"
cd "$folder"
sha256sum "stride-$version.tar.xz" | tee "stride-$version.tar.xz.sha256"
