#!/usr/bin/env bash
# What is in the C library, and what of it the C tests name: symbols of panics; functions that it needs from outside, of
# which those that copy, fill and compare memory are all (so it cannot allocate, print, start a thread or end the
# program); functions of the headers that C programs call, statuses that they expect; rooms of src that have unsafe
# code. Fails where a symbol of a panic is, a function or a status is missing, or a room has unsafe code that
# docs/ARCHITECTURE.md does not name.
set -euo pipefail
cd "$(dirname "$0")/../.."
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET
make -s lib
out=$PWD/target/proof/library
rm -rf "$out"
mkdir -p "$out"
. tests/proof/counted.sh
library=target/c/libstride.so

symbols=$(nm "$library")
grep -q ' T stride_copy$' <<< "$symbols" || { echo 'libstride.so was stripped, so its symbols tell nothing'; exit 1; }
grep -i panick <<< "$symbols" || true
panics=$(grep -ci panick <<< "$symbols" || true)
# What the compiler's start files name weakly is no need.
outside=$(nm -D --undefined-only "$library" | awk '$1 != "w" { sub("@.*", "", $2); print $2 }' | sort -u)
stray=$(grep -cvxE 'mem(cpy|move|set|cmp)|bcmp' <<< "$outside" || true)
echo "needed from outside:" $outside
echo "library: $panics symbols of panics, $stray functions from outside that do more than copy, fill or compare"

for source in c_tests/*.c; do cc -std=c11 -Iinclude -c "$source" -o "$out/$(basename "$source" .c).o"; done
called "$out"/*.o > "$out/called"
python3 - "$out/called" << 'PYTHON'
import glob, json, re, sys
header = json.load(open("include/stride.json"))
functions = {function["name"] for function in header["functions"]}
called = set(open(sys.argv[1]).read().split()) & functions
statuses = set(re.findall(r"#define (STRIDE_STATUS_\w+)", open("include/stride.h").read()))
text = "".join(open(file).read() for file in glob.glob("c_tests/*.c"))
# In a check, which names it without what is in front; OK is CHECK_OK.
checks = re.findall(r"\bCHECK\w*\([^;]*;", text)
expected = {status for status in statuses
            if any(re.search(rf"\b(STRIDE_STATUS_|CHECK_)?{status.removeprefix('STRIDE_STATUS_')}\b", check) for check in checks)}
for what, missing in (("not called", functions - called), ("not expected", statuses - expected)):
    if missing:
        print(f"{what}: {', '.join(sorted(missing))}")
print(f"from C: {len(called)} of {len(functions)} functions called, {len(expected)} of {len(statuses)} statuses expected")
rooms, allowed = {}, ("ffi", "copy/execute", "copy/kernels", "copy/lent", "slices", "machine")
for file in glob.glob("src/**/*.rs", recursive=True):
    code = re.sub(r"//.*", "", open(file).read())
    uses = len(re.findall(r"\bunsafe (?:\{|fn \w|impl|trait|extern)", code))
    if uses:
        path = file.removeprefix("src/")
        room = next((room for room in allowed if path.startswith(room)), path)
        rooms[room] = rooms.get(room, 0) + uses
print("unsafe:", ", ".join(f"{uses} in {room}" for room, uses in sorted(rooms.items())))
print(f"unsafe code: {sum(rooms.values())} places, {len(rooms)} rooms")
sys.exit(bool(functions - called or statuses - expected or set(rooms) - set(allowed)))
PYTHON
[ "$panics" = 0 ] && [ "$stray" = 0 ]
