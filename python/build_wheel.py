#!/usr/bin/env python3
"""Builds the wheel: the package's files, the shared library, and native.c compiled. Needs Python and a C compiler.

    python3 python/build_wheel.py --library target/c/libstride.so --out target/wheels
    python3 python/build_wheel.py --library stride.dll --cc x86_64-w64-mingw32-gcc

The compiler makes files for the library's system and takes the options of gcc and clang: CC in the environment, else
cc. It needs no Python and no libc of that system, but for Windows and macOS what every program there links.

Users install `libstride` and import `stride`, since `stride` on PyPI is somebody else's. The tag follows from the
library: its processor, its system, and for Linux the newest version of glibc that it asks for, or that it wants musl.
The same files and the same compiler give the same wheel, byte for byte. pip calls `build_wheel` below (pyproject.toml).
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile
from typing import Any, Optional

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
NAMES = {"linux": ("libstride.so", "native.so"), "macosx": ("libstride.dylib", "native.dylib"),
         "win": ("stride.dll", "native.dll")}
# Nothing from outside, so that one file serves every libc.
OPTIONS = {"linux": ["-nostdlib", "-fno-stack-protector", "-s"], "macosx": [], "win": ["-s"]}
CC = os.environ.get("CC") or next(filter(shutil.which, ("cc", "gcc", "clang")), "cc")
CLASSIFIERS = ("Programming Language :: Python :: 3", "Programming Language :: Python :: Implementation :: CPython",
               "Programming Language :: Rust", "Typing :: Typed", "Topic :: Scientific/Engineering")


def of_crate(field: str) -> str:
    """What Cargo.toml has of the library."""
    found = re.search(f'^{field} = "(.*?)"', (ROOT / "Cargo.toml").read_text("utf-8"), re.M)
    assert found
    return found[1]


def version() -> str:
    return of_crate("version")


def machine_of(library: bytes) -> tuple[str, str]:
    """The system and the processor of a shared library, as tags of wheels name them."""
    if library[:4] == b"\x7fELF":
        (machine,) = struct.unpack_from("<H" if library[5] == 1 else ">H", library, 18)
        processor = {62: "x86_64", 183: "aarch64", 3: "i686", 40: "armv7l", 22: "s390x", 21: "ppc64le", 243: "riscv64"}
        if machine not in processor:
            sys.exit(f"the library is for an ELF machine that no wheel has a name for, {machine}")
        return "linux", processor[machine]
    if library[:2] == b"MZ":
        (header,) = struct.unpack_from("<I", library, 60)
        (machine,) = struct.unpack_from("<H", library, header + 4)
        return "win", {0x8664: "amd64", 0xAA64: "arm64", 0x14C: "win32"}[machine]
    if library[:4] == b"\xcf\xfa\xed\xfe":
        (machine,) = struct.unpack_from("<I", library, 4)
        return "macosx", {0x01000007: "x86_64", 0x0100000C: "arm64"}[machine]
    sys.exit("the library is neither ELF nor a DLL nor Mach-O of 64 bits")


def platform_of(library: bytes) -> str:
    """The platform tag of a shared library."""
    system, processor = machine_of(library)
    if system == "win":
        return processor if processor == "win32" else f"win_{processor}"
    if system == "macosx":
        return f"macosx_{'11_0' if processor == 'arm64' else '10_12'}_{processor}"
    # What musl's libc is called, which has no versions of symbols.
    if re.search(rb"\0libc\.(so|musl-\w+\.so\.1)\0", library):
        return f"musllinux_1_1_{processor}"
    needs = [tuple(map(int, found)) for found in re.findall(rb"\0GLIBC_(\d+)\.(\d+)(?:\.\d+)?(?=\0)", library)]
    newest = max([(2, 17), *needs])  # Older tags are known to few versions of pip.
    legacy = f".manylinux2014_{processor}" if newest == (2, 17) else ""
    return f"manylinux_{newest[0]}_{newest[1]}_{processor}{legacy}"


def native(cc: str, machine: tuple[str, str]) -> bytes:
    """native.c for this system and processor."""
    system, out = machine[0], NAMES[machine[0]][1]
    command = [*shlex.split(cc), "-std=c11", "-O2", "-shared", "-fPIC", *OPTIONS[system], "-I", str(ROOT / "include"),
               str(HERE / "native.c"), "-o", out]
    hint = (f"--cc, or CC, names a compiler for {' '.join(machine)}. --without-native (of pip: --config-settings "
            "without-native=1) leaves the file out: small copies take some microseconds more then")
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True,
                                  env={**os.environ, "SOURCE_DATE_EPOCH": "0"})  # GNU ld writes a time into a DLL.
        except OSError as problem:
            sys.exit(f"python/native.c cannot be compiled: {problem}. {hint}")
        if done.returncode:
            sys.exit(f"python/native.c cannot be compiled: {shlex.join(command)}\n{done.stdout}{done.stderr}{hint}")
        made = (pathlib.Path(folder) / out).read_bytes()
    if machine_of(made) != machine:
        sys.exit(f"{cc} makes files for {' '.join(machine_of(made))}, the library is for {' '.join(machine)}. {hint}")
    return made


def metadata() -> str:
    repository = of_crate("repository")
    files = f"{repository}/blob/v{version()}"
    # An index resolves no links to files.
    manual = re.sub(r"\]\(\s*(?![\s#]|https:)", f"]({files}/docs/", (ROOT / "docs" / "PYTHON.md").read_text("utf-8"))
    lines = ["Metadata-Version: 2.1", "Name: libstride", f"Version: {version()}",
             "Summary: Where the elements of arrays lie in memory, and moving them from any layout to any other",
             "License: MIT OR Apache-2.0", f"Project-URL: Repository, {repository}",
             f"Project-URL: Changelog, {files}/CHANGELOG.md", "Requires-Python: >=3.9",
             *(f"Classifier: {text}" for text in CLASSIFIERS),
             "Description-Content-Type: text/markdown", "", manual]
    return "\n".join(lines)


def write(library: pathlib.Path, out: pathlib.Path, cc: Optional[str]) -> pathlib.Path:
    """Writes the wheel and returns its path. Without a compiler it has no native.c."""
    content = library.read_bytes()
    functions = json.loads((ROOT / "include" / "stride.json").read_text("utf-8"))["functions"]
    missing = [function["name"] for function in functions if function["name"].encode() + b"\0" not in content]
    if missing:
        sys.exit(f"{library} lacks {len(missing)} functions of include/stride.json, the first is {missing[0]}")
    platform, machine = platform_of(content), machine_of(content)
    info = f"libstride-{version()}.dist-info"
    tags = "".join(f"Tag: py3-none-{tag}\n" for tag in platform.split("."))
    files: dict[str, bytes] = {
        f"stride/{path.name}": path.read_bytes() for path in sorted((HERE / "src" / "stride").iterdir())
        if path.suffix == ".py" or path.name == "py.typed"}
    binaries = {f"stride/lib/{NAMES[machine[0]][0]}": content}
    if cc is not None:
        binaries[f"stride/lib/{NAMES[machine[0]][1]}"] = native(cc, machine)
    files.update(binaries)
    files[f"{info}/METADATA"] = metadata().encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: libstride\nRoot-Is-Purelib: false\n{tags}".encode()
    for name in ("LICENSE-APACHE", "LICENSE-MIT", "LICENSE-THIRD-PARTY"):
        files[f"{info}/licenses/{name}"] = (ROOT / name).read_bytes()
    record = ""
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"libstride-{version()}-py3-none-{platform}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if name in binaries else 0o100644) << 16
            wheel.writestr(entry, data)
    return path


def built() -> pathlib.Path:
    """The library: the one that STRIDE_LIBRARY names, else built now."""
    chosen = os.environ.get("STRIDE_LIBRARY")
    if chosen:
        return pathlib.Path(chosen)
    if not sys.platform.startswith("linux"):
        sys.exit("set STRIDE_LIBRARY to the shared library that goes into the wheel")
    for tool, source in (("cargo", "Rust from https://rustup.rs"), ("make", "it by the system's packages")):
        if not shutil.which(tool):
            sys.exit(f"building the library needs {tool}: install {source}, or set STRIDE_LIBRARY to a "
                     "libstride.so that is there")
    done = subprocess.run(["make", "-s", "-C", str(ROOT), "lib"])
    if done.returncode:
        sys.exit("the library could not be built, as `make lib` says above; STRIDE_LIBRARY names one that is there")
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", "target"))
    return ROOT / target / "c" / "libstride.so"


def build_wheel(wheel_directory: str, config_settings: Optional[dict[str, Any]] = None,
                metadata_directory: Optional[str] = None) -> str:
    """The build hooks of pip (PEP 517). `--config-settings without-native=` leaves native.c out."""
    without = "without-native" in (config_settings or {})
    return write(built(), pathlib.Path(wheel_directory), None if without else CC).name


def build_sdist(sdist_directory: str, config_settings: Optional[dict[str, Any]] = None) -> str:
    """The sources are those of the whole library, which has its own tarball."""
    raise SystemExit("there is no source distribution for Python alone: the library's own tarball has this folder")


def build_editable(wheel_directory: str, config_settings: Optional[dict[str, Any]] = None,
                   metadata_directory: Optional[str] = None) -> str:
    """The library and native.c are compiled into the wheel, so none of it is used where it lies."""
    raise SystemExit("libstride cannot be installed in editable mode: run `pip install ./python` again after a change, "
                     "or use the sources with PYTHONPATH=python/src STRIDE_LIBRARY=target/c/libstride.so")


def main() -> None:
    parser = argparse.ArgumentParser(description="Builds the wheel.")
    parser.add_argument("--library", type=pathlib.Path, help="libstride.so, stride.dll or libstride.dylib; without it: "
                        "STRIDE_LIBRARY, else it is built")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "target" / "wheels")
    parser.add_argument("--cc", default=CC, help="the C compiler, with its options; without it: CC, else cc")
    parser.add_argument("--without-native", action="store_true", help="no native.c, which small copies are fast by")
    options = parser.parse_args()
    print(write(options.library or built(), options.out, None if options.without_native else options.cc))


if __name__ == "__main__":
    main()
