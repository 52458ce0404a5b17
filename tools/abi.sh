#!/usr/bin/env bash
# The binary interface of the library beside docs/abi/libstride.abi, the one that was promised: every function,
# parameter, struct, field and its place, read from debug information by libabigail.
#
#   tools/abi.sh FOLDER           builds in FOLDER; fails if anything but an added function differs
#   tools/abi.sh FOLDER --write   makes docs/abi/libstride.abi anew: after functions were added, or a new ABI version
#
# libabigail says nothing when it finds no debug information and compares names of symbols alone. So the types are
# counted on both sides, and the comparison is shown to find a field that moved before it is believed.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(realpath -m "$1")
write=${2:-}
baseline=docs/abi/libstride.abi

fail() {
    echo "abi: $*" >&2
    exit 1
}
if [ "$(uname -sm)" != 'Linux x86_64' ]; then
    echo "skipped: abi, $baseline is of Linux on x86-64, this is $(uname -sm)"
    exit 0
fi
for tool in abidw abidiff; do
    command -v $tool >/dev/null || { echo "skipped: abi, $tool of libabigail (abigail-tools) is not here"; exit 0; }
done

abi=$(awk '/^#define STRIDE_ABI_VERSION / { print $3 }' include/stride.h)
# Not optimised, which changes nothing of the interface and takes a fraction of the time; panics stay in, so that their
# symbol is undefined.
CARGO_PROFILE_DIST_DEBUG=2 CARGO_PROFILE_DIST_OPT_LEVEL=0 CARGO_PROFILE_DIST_LTO=off CARGO_PROFILE_DIST_CODEGEN_UNITS=16 \
    "${CARGO:-cargo}" rustc -q --lib --profile dist --crate-type cdylib --target x86_64-unknown-linux-gnu --target-dir "$folder/build" \
    -- --cfg stride_freestanding -Clink-arg=-lc -Clink-arg=-Wl,-soname,libstride.so."$abi"
found=$folder/libstride.abi
abidw --no-corpus-path --no-comp-dir-path --no-show-locs --no-parameter-names --type-id-style hash \
    --out-file "$found" "$folder/build/x86_64-unknown-linux-gnu/dist/libstride.so"

# holds FILE: it has every function and struct of the headers, with types.
holds() {
    python3 - "$1" include/stride.json <<'PYTHON'
import json, sys
import xml.etree.ElementTree as xml

tree, header = xml.parse(sys.argv[1]).getroot(), json.load(open(sys.argv[2]))
functions = {f.get("name"): f for f in tree.iter("function-decl") if f.get("elf-symbol-id")}
structs = {s.get("name"): s for s in tree.iter("class-decl") if s.get("is-declaration-only") != "yes"}
mistakes = []
parameters = fields = 0
for function in header["functions"]:
    name = function["name"]
    if name not in functions:
        mistakes.append(f"no function {name}")
        continue
    parameters += len(functions[name].findall("parameter"))
    if len(functions[name].findall("parameter")) != len(function["parameters"]):
        mistakes.append(f"{name} has another number of parameters")
for struct in header["structs"]:
    name = struct["name"]
    if name not in structs:
        mistakes.append(f"no struct {name}")
        continue
    if int(structs[name].get("size-in-bits")) != 8 * struct["size"]["64"]:
        mistakes.append(f"{name} has another size")
    members = structs[name].iter("data-member")
    places = {m.find("var-decl").get("name"): int(m.get("layout-offset-in-bits")) for m in members}
    for field in struct["fields"]:
        fields += 1
        if places.get(field["name"]) != 8 * field["offset"]["64"]:
            mistakes.append(f"{name}.{field['name']} lies elsewhere")
for mistake in mistakes[:10]:
    print(f"abi: {sys.argv[1]}: {mistake}", file=sys.stderr)
print(f"{len(header['functions'])} functions, {parameters} parameters,", f"{len(header['structs'])} structs, {fields} fields")
sys.exit(bool(mistakes) or not parameters or not fields)
PYTHON
}
seen=$(holds "$found") ||
    fail 'the library built with debug information is not what the headers say; is the information there?'

if [ "$write" = --write ]; then
    mkdir -p "$(dirname "$baseline")"
    cp "$found" "$baseline"
    echo "abi: $baseline written: $seen"
    exit 0
fi

compare() { abidiff --no-added-syms --no-show-locs "$1" "$found"; }

# A baseline whose fields `dtype` and `rank` of a layout have changed places must be found to differ.
python3 - "$baseline" "$folder/moved.abi" <<'PYTHON'
import sys
import xml.etree.ElementTree as xml

tree = xml.parse(sys.argv[1])
moved = 0
for struct in tree.getroot().iter("class-decl"):
    members = {m.find("var-decl").get("name"): m for m in struct.iter("data-member")}
    if struct.get("name") == "stride_layout" and "dtype" in members:
        a, b = members["dtype"], members["rank"]
        here, there = a.get("layout-offset-in-bits"), b.get("layout-offset-in-bits")
        a.set("layout-offset-in-bits", there)
        b.set("layout-offset-in-bits", here)
        moved += 1
tree.write(sys.argv[2])
sys.exit(moved == 0)
PYTHON
if compare "$folder/moved.abi" >"$folder/moved.txt" 2>&1; then
    fail 'a field that moved is not found: the comparison says nothing'
fi
grep -q "u32 dtype' offset changed" "$folder/moved.txt" || {
    cat "$folder/moved.txt"
    fail 'abidiff failed at a field that moved, but does not name it'
}

if ! compare "$baseline" >"$folder/report.txt" 2>&1; then
    cat "$folder/report.txt"
    fail "the binary interface is not the one of $baseline; docs/ABI.md says what may change"
fi
added=$(abidiff --no-show-locs --added-fns "$baseline" "$found" | grep -c "^ *\[A\]" || true)
[ "$added" = 0 ] || echo "abi: $added functions are not promised yet: make abi WRITE=1"
echo "abi: as promised: $seen"
