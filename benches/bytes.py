#!/usr/bin/env python3
"""Bytes of machine code by room, and of the kernels by family and instruction set: `make bench-bytes`.

    bytes.py LIBRARY.so LIBRARY.a [--check|--write]

--check holds them within 3 % of benches/bytes.txt, if that is of the same rustc; --write writes it. Sizes of functions
are those that `nm` tells of the shared library; an inlined function counts in its caller. Three files come first: the
stripped library, and two stripped programs (gcc -O2, -Wl,--gc-sections).
"""

import collections
import datetime
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TABLE = os.path.join(ROOT, "benches", "bytes.txt")
WITHIN = 0.03
LEAST = 2048  # bytes below which a row is not held: one inlined call more is as much
LEVELS = {"ssse3": "SSSE3", "avx2": "AVX2", "avx512": "AVX-512", "neon": "NEON", "scalar": "portable"}
# Files of kernels that belong to one instruction set without being named for it.
OWN = {"padded": "AVX-512 transpose", "spaced": "AVX-512 spaced", "gather": "AVX2 gather"}
PROGRAMS = {"a program that copies": """
#include <stride.h>
static float a[4096], b[4096];
int main(int count, char **numbers) {
    int64_t sizes[2] = {count, count + 1}, there[2] = {1, count};
    stride_layout to, from;
    (void)numbers;
    if (stride_layout_init(&to, STRIDE_DTYPE_F32, 2, sizes, NULL, NULL)) return 1;
    if (stride_layout_init(&from, STRIDE_DTYPE_F32, 2, sizes, there, NULL)) return 1;
    return (int)stride_copy(&to, a, sizeof a, &from, b, sizeof b, NULL, NULL);
}
""", "a program that makes a layout": """
#include <stride.h>
int main(int count, char **numbers) {
    int64_t sizes[2] = {count, count + 1}, elements;
    stride_layout layout;
    (void)numbers;
    if (stride_layout_init(&layout, STRIDE_DTYPE_F32, 2, sizes, NULL, NULL)) return 1;
    return stride_layout_element_count(&layout, &elements, NULL) ? 1 : (int)elements;
}
"""}


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def room(name):
    """Where a function belongs: family and instruction set of a kernel, or the folder of its source."""
    kernel = re.search(r"kernels::(?:x86_64::|aarch64::)?(\w+)(?:::(\w+))?", name)
    if kernel:
        file, function = kernel.groups()
        if file in LEVELS:
            family = re.sub(r"_(small|any|padded|one|rest)$", "", function or "")
            return f"kernels, {LEVELS[file]} {'transpose' if family == 'staged' else family}"
        return f"kernels, {OWN[file]}" if "x86_64::" in name and file in OWN else f"kernels, {file}"
    path = re.search(r"stride::(\w+)(?:::(\w+))?", name)
    if not path or path[1] == "ffi" or name.startswith("stride_"):
        return "ffi" if path or name.startswith("stride_") else "Rust's own"
    return f"{path[1]}/{path[2]}" if path[1] in ("copy", "model", "vocabulary") else path[1]


def stripped(path, folder):
    out = os.path.join(folder, "stripped")
    output("strip", "-s", "-o", out, path)
    return os.path.getsize(out)


def count(library, archive):
    rooms = collections.Counter()
    for line in output("nm", "-S", "--defined-only", "-C", library).splitlines():
        parts = line.split(None, 3)
        if len(parts) == 4 and parts[2] in "tTwW":
            rooms[room(parts[3])] += int(parts[1], 16)
    with tempfile.TemporaryDirectory() as folder:
        sizes = {"libstride.so, stripped": stripped(library, folder)}
        for name, text in PROGRAMS.items():
            source, program = os.path.join(folder, "program.c"), os.path.join(folder, "program")
            with open(source, "w") as file:
                file.write(text)
            headers = os.path.join(ROOT, "include")
            output("gcc", "-O2", "-I", headers, source, archive, "-Wl,--gc-sections", "-o", program)
            sizes[name] = stripped(program, folder)
    return {**sizes, **dict(sorted(rooms.items()))}


def read():
    with open(TABLE) as file:
        head, *lines = file.read().splitlines()
    rows = (line.split(None, 1) for line in lines if not line.startswith("#"))
    return head, {name: int(number) for number, name in rows}


def main():
    *paths, what = sys.argv[1:] if len(sys.argv) == 4 else [*sys.argv[1:], ""]
    if len(paths) != 2 or what not in ("", "--check", "--write"):
        sys.exit(__doc__.split("\n\n")[1])
    rustc = output("rustc", "--version").strip()
    now = count(*paths)
    commit = output("git", "-C", ROOT, "describe", "--always", "--dirty").strip()
    text = "\n".join([f"# {datetime.date.today()}, commit {commit}, {rustc}",
                      "# make bench-bytes; x86-64 Linux, all instruction sets",
                      *(f"{number:8d}  {name}" for name, number in now.items()), ""])
    print(text, end="")
    if what == "--write":
        with open(TABLE, "w") as file:
            file.write(text)
    if what != "--check":
        return 0
    head, before = read()
    if rustc not in head:
        print(f"skipped: benches/bytes.txt is of another compiler: {head}")
        return 0
    wrong = 0
    for name in sorted({*now, *before}):
        old, new = before.get(name, 0), now.get(name, 0)
        if max(old, new) >= LEAST and abs(new - old) > WITHIN * old:
            print(f"{name}: {new} bytes, not {old}")
            wrong += 1
    print(f"bytes: {len(now) - wrong} of {len(now)} rows within 3 %")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
