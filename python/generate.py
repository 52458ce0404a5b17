#!/usr/bin/env python3
"""Writes src/stride/_raw.py, the C interface for ctypes, from include/stride.json.

    python3 python/generate.py            writes the file
    python3 python/generate.py --check    fails, naming the first line, if the file is not what would be written
"""

from __future__ import annotations

import json
import pathlib
import sys
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
DESCRIPTION = HERE.parent / "include" / "stride.json"
RESULT = HERE / "src" / "stride" / "_raw.py"
WIDTH = 118

NUMBERS = {
    "int32_t": "ctypes.c_int32", "uint32_t": "ctypes.c_uint32", "int64_t": "ctypes.c_int64",
    "uint64_t": "ctypes.c_uint64", "uint8_t": "ctypes.c_uint8", "uint16_t": "ctypes.c_uint16",
    "size_t": "ctypes.c_size_t",
    "ptrdiff_t": "ctypes.c_ssize_t", "float": "ctypes.c_float", "double": "ctypes.c_double", "stride_status": "ctypes.c_int32",
}


def class_name(struct: str) -> str:
    """stride_py_buffer: PyBuffer."""
    return "".join(word.capitalize() for word in struct.removeprefix("stride_").split("_"))


def ctype(c: str, structs: set[str]) -> str:
    """The ctypes expression of a C type."""
    plain = c.removeprefix("const ")
    if not plain.endswith("*"):
        return class_name(plain) if plain in structs else NUMBERS[plain]
    target = plain.removesuffix("*").strip()
    if target == "char":
        return "ctypes.c_char_p"
    if target == "void":
        return "ctypes.c_void_p"
    return f"ctypes.POINTER({ctype(target, structs)})"


def version_number(text: str) -> int:
    """STRIDE_VERSION of "MAJOR.MINOR.PATCH"."""
    major, minor, patch = (int(part) for part in text.split("."))
    return major * 10000 + minor * 100 + patch


def wrapped(indent: str, opening: str, items: list[str], closing: str) -> list[str]:
    """`opening items closing` in as few lines as fit."""
    whole = indent + opening + ", ".join(items) + closing
    if len(whole) <= WIDTH:
        return [whole]
    lines, line = [indent + opening.rstrip()], indent + "   "
    for item in items:
        if len(line) + len(item) + 2 > WIDTH:
            lines.append(line)
            line = indent + "   "
        line += " " + item + ","
    return [*lines, line, indent + closing]


def struct_lines(struct: dict[str, Any], structs: set[str]) -> list[str]:
    lines = ["", "", f"class {class_name(struct['name'])}(ctypes.Structure):", f'    """{struct["name"]}."""', ""]
    fields = []
    for field in struct["fields"]:
        # A text that the exporter owns: as a number it is not converted, and may be NULL.
        kind = "ctypes.c_void_p" if field["type"] == "char *" else ctype(field["type"], structs)
        fields.append(f'("{field["name"]}", {kind}{" * %d" % field["entries"] if "entries" in field else ""})')
    return lines + wrapped("    ", "_fields_ = [", fields, "]")


def generated() -> str:
    description = json.loads(DESCRIPTION.read_text())
    structs = {struct["name"] for struct in description["structs"]}
    lines = [
        '"""The C interface of libstride for ctypes. Generated from include/stride.json by python/generate.py."""', "",
        "from __future__ import annotations", "", "import ctypes", "from typing import Any", "",
        f'VERSION_TEXT = "{description["version"]}"',
        f"VERSION = {version_number(description['version'])}", f"ABI_VERSION = {description['abi_version']}", "",
    ]
    lines += [f"{c['name'].removeprefix('STRIDE_')} = {c['value']}" for c in description["constants"]]
    for struct in description["structs"]:
        lines += struct_lines(struct, structs)
    lines += ["", "", "#: Bytes of every struct on 64-bit and on 32-bit machines, and the offset of every field."]
    lines.append("LAYOUTS: dict[str, tuple[Any, dict[str, int], dict[str, dict[str, int]]]] = {")
    for struct in description["structs"]:
        lines.append(f'    "{struct["name"]}": ({class_name(struct["name"])}, {json.dumps(struct["size"])}, {{')
        lines += [f'        "{field["name"]}": {json.dumps(field["offset"])},' for field in struct["fields"]]
        lines.append("    }),")
    lines += ["}", "", "#: Result and parameters of every function.", "FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {"]
    for function in description["functions"]:
        result = "None" if function["returns"] == "void" else ctype(function["returns"], structs)
        lines += wrapped("    ", f'"{function["name"]}": ({result}, [',
                         [ctype(p["type"], structs) for p in function["parameters"]], "]),")
    lines += ["}", ""]
    return "\n".join(lines)


def main() -> None:
    text = generated()
    if sys.argv[1:] != ["--check"]:
        RESULT.write_text(text)
        return
    found = RESULT.read_text()
    if found == text:
        print("python/src/stride/_raw.py is what include/stride.json says")
        return
    pairs = enumerate(zip(found.splitlines() + [""], text.splitlines() + [""]), 1)
    line = next((number for number, (old, new) in pairs if old != new), 0)
    sys.exit(f"python/src/stride/_raw.py, line {line}, is not what include/stride.json says: run python/generate.py")


if __name__ == "__main__":
    main()
