#!/usr/bin/env python3
"""Binds the headers by cffi as they stand, and compares what comes of it with stride.json and the library.

    cffi_bind.py LIBRARY          needs: pip install cffi, and a C compiler in $CC or cc

The headers go through the C preprocessor alone and nothing of them is rewritten, so a declaration that cffi cannot read
is a fault of the header.
"""

import os
import re
import subprocess
import sys
import tempfile

import cffi

from answers import API, GUARDS, HEADERS, INCLUDE, Calls, check, data_model, known_answers, numbers, summary

CC = os.environ.get("CC", "cc").split()
BOTH = "".join(f'#include "{name}"\n' for name in HEADERS)
# Macros that are no numbers: guards, the decoration of functions and initialisers.
NOT_NUMBERS = GUARDS | {
    "STRIDE_API", "STRIDE_COPY_OPTIONS_INIT", "STRIDE_LAYOUT_FACTS_INIT", "STRIDE_PLAN_FACTS_INIT", "STRIDE_SIDE_INIT", "STRIDE_IMAGE_INIT",
}


def run(*command, source=None):
    return subprocess.run(command, input=source, check=True, stdout=subprocess.PIPE, text=True).stdout


def declarations():
    """The preprocessed header. cffi knows the types of <stdint.h> and <stddef.h> itself, so these two are empty."""
    with tempfile.TemporaryDirectory() as empty:
        for name in ["stddef.h", "stdint.h"]:
            open(os.path.join(empty, name), "w").close()
        return run(*CC, "-E", "-P", "-nostdinc", "-I", empty, "-I", INCLUDE, "-x", "c", "-", source=BOTH)


def numbers_of_the_header():
    """Every #define that is a number, with its value as the C compiler computes it."""
    defines = run(*CC, "-E", "-dM", "-I", INCLUDE, "-x", "c", "-", source=BOTH)
    names = sorted(set(re.findall(r"^#define (STRIDE_\w+)\b", defines, re.M)) - NOT_NUMBERS)
    lines = "".join(f'  printf("{name} %lld\\n", (long long)({name}));\n' for name in names)
    with tempfile.TemporaryDirectory() as folder:
        source, binary = os.path.join(folder, "numbers.c"), os.path.join(folder, "numbers")
        with open(source, "w") as file:
            file.write(f"{BOTH}#include <stdio.h>\nint main(void) {{\n{lines}  return 0;\n}}\n")
        run(*CC, "-I", INCLUDE, source, "-o", binary)
        return {name: int(value) for name, value in (line.split() for line in run(binary).splitlines())}


def check_constants(api):
    """In both directions: a #define that the JSON lacks is as wrong as the reverse."""
    header, known = numbers_of_the_header(), numbers(api)
    for name in sorted(known.keys() | header.keys()):
        check(header.get(name) == known.get(name), f"{name}: header {header.get(name)}, JSON {known.get(name)}")
    return len(header)


def check_structs(api, ffi):
    model = data_model(ffi.sizeof("void *"), ffi.alignof("struct { int64_t x; }"))
    for struct in api["structs"]:
        name, fields = struct["name"], dict(ffi.typeof(struct["name"]).fields)
        check(ffi.sizeof(name) == struct["size"][model], f"sizeof {name}")
        check(ffi.alignof(name) == struct["align"][model], f"alignof {name}")
        check(list(fields) == [of["name"] for of in struct["fields"]], f"{name}: names or order of the fields")
        for field in struct["fields"]:
            entries = f"[{field['entries']}]" if "entries" in field else ""
            check(ffi.offsetof(name, field["name"]) == field["offset"][model], f"offset of {name}.{field['name']}")
            check(fields[field["name"]].type is ffi.typeof(field["type"] + entries), f"type of {name}.{field['name']}")
    return len(api["structs"])


def check_functions(api, ffi, lib):
    """Declared in the headers, exported by the library, and of the types that the JSON says."""
    known = sorted(of["name"] for of in api["functions"])
    check([name for name in dir(lib) if name.islower()] == known, "headers and JSON name other functions")
    bound = 0
    for function in api["functions"]:
        name = function["name"]
        try:
            types = ffi.typeof(getattr(lib, name))
        except AttributeError:
            check(False, f"{name} is not in the library")
            continue
        bound += 1
        check(types.result is ffi.typeof(function["returns"]), f"{name}: what it returns")
        wanted = [ffi.typeof(of["type"]) for of in function["parameters"]]
        check(list(types.args) == wanted, f"{name}: parameters {types.args}, JSON {wanted}")
    return bound


class Adaptor:
    """How cffi does what answers.py asks for."""

    def __init__(self, ffi, lib):
        self.ffi, self.lib, self.null = ffi, lib, ffi.NULL

    def make(self, kind, values):
        return self.ffi.new(f"{kind}[]", values)

    def struct(self, kind):
        return self.ffi.new(f"{kind} *")

    def memory(self, struct):
        return struct

    def pointer(self, struct):
        return struct

    def text(self, value):
        return self.ffi.string(value)

    def function(self, name):
        return getattr(self.lib, name)


def main():
    api, ffi = API, cffi.FFI()
    ffi.cdef(declarations())
    lib = ffi.dlopen(sys.argv[1])
    functions, constants, structs = check_functions(api, ffi, lib), check_constants(api), check_structs(api, ffi)
    calls = Calls(api, Adaptor(ffi, lib))
    known_answers(calls, calls.adaptor, numbers(api))
    return summary("cffi", api, f"{functions} functions bound, {constants} constants, {structs} structs", calls)


if __name__ == "__main__":
    sys.exit(main())
