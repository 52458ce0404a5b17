#!/usr/bin/env python3
"""Builds the wheel: the package's files and one shared library. Needs Python alone.

    python3 python/build_wheel.py --library target/c/libstride.so --out target/wheels

The tag follows from the library: its processor, its system, and for Linux the newest version of glibc that it asks for,
or that it wants musl.
The same files give the same wheel, byte for byte. pip calls `build_wheel` below (pyproject.toml).
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import zipfile
from typing import Any, Optional

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
NAMES = {"linux": "libstride.so", "macosx": "libstride.dylib", "win": "stride.dll"}
CLASSIFIERS = ("Programming Language :: Python :: 3", "Programming Language :: Python :: Implementation :: CPython",
               "Programming Language :: Rust", "Typing :: Typed", "Topic :: Scientific/Engineering")


def version() -> str:
    found = re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text("utf-8"), re.M)
    assert found
    return found[1]


def platform_of(library: bytes) -> str:
    """The platform tag of a shared library."""
    if library[:4] == b"\x7fELF":
        (machine,) = struct.unpack_from("<H" if library[5] == 1 else ">H", library, 18)
        processor = {62: "x86_64", 183: "aarch64", 3: "i686", 40: "armv7l", 22: "s390x", 21: "ppc64le", 243: "riscv64"}
        needs = [tuple(map(int, found)) for found in re.findall(rb"\0GLIBC_(\d+)\.(\d+)(?:\.\d+)?(?=\0)", library)]
        newest = max([(2, 17), *needs])  # Older tags are known to few versions of pip.
        if machine not in processor:
            sys.exit(f"the library is for an ELF machine that no wheel has a name for, {machine}")
        name = processor[machine]
        # What musl's libc is called, which has no versions of symbols.
        if re.search(rb"\0libc\.(so|musl-\w+\.so\.1)\0", library):
            return f"musllinux_1_1_{name}"
        legacy = f".manylinux2014_{name}" if newest == (2, 17) else ""
        return f"manylinux_{newest[0]}_{newest[1]}_{name}{legacy}"
    if library[:2] == b"MZ":
        (header,) = struct.unpack_from("<I", library, 60)
        (machine,) = struct.unpack_from("<H", library, header + 4)
        return {0x8664: "win_amd64", 0xAA64: "win_arm64", 0x14C: "win32"}[machine]
    if library[:4] == b"\xcf\xfa\xed\xfe":
        (machine,) = struct.unpack_from("<I", library, 4)
        return {0x01000007: "macosx_10_12_x86_64", 0x0100000C: "macosx_11_0_arm64"}[machine]
    sys.exit("the library is neither ELF nor a DLL nor Mach-O of 64 bits")


def metadata() -> str:
    lines = ["Metadata-Version: 2.1", "Name: stride", f"Version: {version()}",
             "Summary: Where the elements of arrays lie in memory, and moving them from any layout to any other",
             "License: MIT OR Apache-2.0", "Requires-Python: >=3.9", *(f"Classifier: {text}" for text in CLASSIFIERS),
             "Description-Content-Type: text/markdown", "", (ROOT / "docs" / "PYTHON.md").read_text("utf-8")]
    return "\n".join(lines)


def write(library: pathlib.Path, out: pathlib.Path) -> pathlib.Path:
    """Writes the wheel and returns its path."""
    content = library.read_bytes()
    functions = json.loads((ROOT / "include" / "stride.json").read_text("utf-8"))["functions"]
    missing = [function["name"] for function in functions if function["name"].encode() + b"\0" not in content]
    if missing:
        sys.exit(f"{library} lacks {len(missing)} functions of include/stride.json, the first is {missing[0]}")
    platform = platform_of(content)
    system = next(name for prefix, name in NAMES.items() if platform.startswith(prefix) or
                  (prefix == "linux" and platform.startswith(("manylinux", "musllinux"))))
    info = f"stride-{version()}.dist-info"
    tags = "".join(f"Tag: py3-none-{tag}\n" for tag in platform.split("."))
    files: dict[str, bytes] = {
        f"stride/{path.name}": path.read_bytes() for path in sorted((HERE / "src" / "stride").iterdir())
        if path.suffix == ".py" or path.name == "py.typed"}
    files[f"stride/lib/{system}"] = content
    files[f"{info}/METADATA"] = metadata().encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: stride\nRoot-Is-Purelib: false\n{tags}".encode()
    for name in ("LICENSE-APACHE", "LICENSE-MIT", "LICENSE-THIRD-PARTY"):
        files[f"{info}/licenses/{name}"] = (ROOT / name).read_bytes()
    record = ""
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"stride-{version()}-py3-none-{platform}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if name == f"stride/lib/{system}" else 0o100644) << 16
            wheel.writestr(entry, data)
    return path


def built() -> pathlib.Path:
    """The library: the one that STRIDE_LIBRARY names, else built now."""
    chosen = os.environ.get("STRIDE_LIBRARY")
    if chosen:
        return pathlib.Path(chosen)
    if not sys.platform.startswith("linux"):
        sys.exit("set STRIDE_LIBRARY to the shared library that goes into the wheel")
    subprocess.run(["make", "-s", "-C", str(ROOT), "lib"], check=True)
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", "target"))
    return ROOT / target / "c" / "libstride.so"


def build_wheel(wheel_directory: str, config_settings: Optional[dict[str, Any]] = None,
                metadata_directory: Optional[str] = None) -> str:
    """What pip asks for (PEP 517)."""
    return write(built(), pathlib.Path(wheel_directory)).name


def build_sdist(sdist_directory: str, config_settings: Optional[dict[str, Any]] = None) -> str:
    """The sources are those of the whole library, which has its own tarball."""
    raise SystemExit("there is no source distribution for Python alone: the library's own tarball has this folder")


def main() -> None:
    parser = argparse.ArgumentParser(description="Builds the wheel.")
    parser.add_argument("--library", type=pathlib.Path, help="libstride.so, stride.dll or libstride.dylib; without it: "
                        "STRIDE_LIBRARY, else it is built")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "target" / "wheels")
    options = parser.parse_args()
    print(write(options.library or built(), options.out))


if __name__ == "__main__":
    main()
