#!/usr/bin/env bash
# The library from two clones in two folders, byte for byte: nothing of a path, a time or a machine is in it.
set -euo pipefail
cd "$(dirname "$0")/../.."
folders=$(mktemp -d)
trap 'rm -rf "$folders"' EXIT
for folder in "$folders/one" "$folders/another place/of a longer name"; do
    mkdir -p "$(dirname "$folder")"
    git clone -q . "$folder"
    (cd "$folder" && env -u CARGO_TARGET_DIR make -s lib)
done
same=0 files=0
for file in libstride.so libstride.a; do
    files=$((files + 1))
    if cmp "$folders/one/target/c/$file" "$folders/another place/of a longer name/target/c/$file"; then same=$((same + 1)); fi
    sha256sum "$folders/one/target/c/$file" | sed "s|$folders/||"
done
echo "reproducible: $same of $files files"
[ "$same" = "$files" ]
