#!/usr/bin/env python3
"""Binds the headers by ctypesgen, and compares what comes of it with stride.json and the library.

    ctypesgen_bind.py LIBRARY          needs: pip install ctypesgen==1.1.1, and a C compiler in $CC or cc

ctypesgen reads glibc's <stdint.h> too and stumbles over <sys/cdefs.h>; -ffreestanding takes the compiler's own
<stdint.h> instead. What it says about our own headers is a fault, but for the one macro that is no number, which it
leaves out.
"""

import ctypes
import importlib.util
import os
import re
import subprocess
import sys
import tempfile

from answers import API, GUARDS, HEADERS, INCLUDE, Calls, check, data_model, known_answers, numbers, summary

CC = os.environ.get("CC", "cc")
LEFT_OUT = re.compile(r"STRIDE_\w+_INIT\b")  # Braced initialisers: Python has no such thing.


def generate(library, output):
    """Runs ctypesgen and returns its complaints."""
    command = [sys.executable, "-c", "from ctypesgen.main import main; main()"]
    command += [f"--cpp={CC} -E -ffreestanding", "-l", library, "-o", output]
    command += [os.path.join(INCLUDE, name) for name in HEADERS]
    result = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    check(result.returncode == 0, f"ctypesgen: {result.stderr}")
    return [line for line in result.stderr.splitlines() if not line.startswith("INFO")]


def load(path):
    spec = importlib.util.spec_from_file_location("stride", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def ctype(module, kind):
    """The ctypes type of a C type as the JSON writes it."""
    kind = kind.replace("const ", "")
    if kind.endswith("*"):
        kind = kind.rstrip("* ")
        return ctypes.c_void_p if kind == "void" else ctypes.POINTER(ctype(module, kind))
    known = {"int64_t": ctypes.c_int64, "int32_t": ctypes.c_int32, "uint32_t": ctypes.c_uint32,
             "uint64_t": ctypes.c_uint64, "uint8_t": ctypes.c_uint8, "size_t": ctypes.c_size_t, "uint16_t": ctypes.c_uint16, "ptrdiff_t": ctypes.c_ssize_t,
             "char": ctypes.c_char, "double": ctypes.c_double, "float": ctypes.c_float}
    return known.get(kind) or getattr(module, kind)


def check_functions(api, module):
    bound = 0
    for function in api["functions"]:
        name, of = function["name"], getattr(module, function["name"], None)
        check(of is not None, f"{name} was not bound: not in the library, or not understood")
        if of is None:
            continue
        bound += 1
        check(len(of.argtypes) == len(function["parameters"]), f"{name}: number of parameters")
        for given, parameter in zip(of.argtypes, function["parameters"]):
            wanted = ctype(module, parameter["type"])
            # Text is a class of ctypesgen's own; all the rest must be the very type.
            same = given is wanted or (wanted is ctypes.POINTER(ctypes.c_char) and given.__name__ == "String")
            check(same, f"{name}: {parameter['name']} is {given}, JSON {wanted}")
        wanted = ctypes.c_char_p if function["returns"] == "const char *" else ctype(module, function["returns"])
        check(of.restype is wanted, f"{name}: returns {of.restype}, JSON {wanted}")
    return bound


def check_constants(api, module):
    """In both directions, as ctypesgen evaluates the macros."""
    known = numbers(api)
    made = {name for name in vars(module) if re.match("STRIDE_[A-Z]", name)}
    made -= GUARDS | {"STRIDE_API"}
    for name in sorted(known.keys() | made):
        value = getattr(module, name, None)
        check(value == known.get(name), f"{name}: ctypesgen {value}, JSON {known.get(name)}")
    return len(made)


def check_structs(api, module):
    align = ctypes.alignment(type("Probe", (ctypes.Structure,), {"_fields_": [("x", ctypes.c_int64)]}))
    model = data_model(ctypes.sizeof(ctypes.c_void_p), align)
    for struct in api["structs"]:
        of = getattr(module, struct["name"])
        check(ctypes.sizeof(of) == struct["size"][model], f"sizeof {struct['name']}")
        check(ctypes.alignment(of) == struct["align"][model], f"alignof {struct['name']}")
        for field in struct["fields"]:
            bound = getattr(of, field["name"])
            size = ctypes.sizeof(ctype(module, field["type"])) * field.get("entries", 1)
            same = (bound.offset, bound.size) == (field["offset"][model], size)
            check(same, f"{struct['name']}.{field['name']}: {bound}")
    return len(api["structs"])


class Adaptor:
    """How ctypes does what answers.py asks for."""

    null = None

    def __init__(self, module):
        self.module = module

    def make(self, kind, values):
        array = ctype(self.module, kind) * (values if isinstance(values, int) else len(values))
        return array() if isinstance(values, int) else array(*values)

    def struct(self, kind):
        return getattr(self.module, kind)()

    def memory(self, struct):
        return ctypes.addressof(struct)

    def pointer(self, struct):
        return ctypes.pointer(struct)

    def text(self, value):
        return value if isinstance(value, bytes) else value.value

    def function(self, name):
        return getattr(self.module, name)


def main():
    api = API
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "stride_bound.py")
        complaints = generate(os.path.abspath(sys.argv[1]), output)
        module = load(output)
    for line in complaints:
        check(LEFT_OUT.search(line), f"ctypesgen: {line}")
    functions, constants = check_functions(api, module), check_constants(api, module)
    structs = check_structs(api, module)
    calls = Calls(api, Adaptor(module))
    known_answers(calls, calls.adaptor, numbers(api))
    return summary("ctypesgen", api, f"{functions} functions bound, {constants} constants, {structs} structs", calls)


if __name__ == "__main__":
    sys.exit(main())
