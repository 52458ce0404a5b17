#!/usr/bin/env python3
"""Makes what a release page carries: release.py FOLDER [SYSTEM...], which `make release` calls.

    stride-VERSION.tar.xz                   the sources, with those of all crates (tools/dist.sh)
    stride-VERSION-SYSTEM.tar.xz or .zip    the tree that `make install` makes, for each system below
    libstride-VERSION-....whl               the Python package, for each of them that has Python
    libstride-VERSION.tgz                   the npm package, of stride.wasm
    stride-VERSION.json                     the headers as data
    stride-VERSION.cdx.json                 the list of parts (CycloneDX, tools/parts.py)
    SHA256SUMS

The same commit gives the same bytes, by the same compilers in any folder. SYSTEM: only these, and no sources.
What cannot be made here is printed as `skipped: what, why`. tests/install/page.py installs and tries what was made.
"""

import concurrent.futures
import dataclasses
import functools
import hashlib
import io
import lzma
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import time
import zipfile

from version import of_crate

ROOT = pathlib.Path(__file__).resolve().parents[1]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target").resolve()
VERSION = of_crate("version")
ABI = re.search(r"^#define STRIDE_ABI_VERSION (\d+)", (ROOT / "include/stride.h").read_text(), re.M)[1]
ZIG = "ziglang==0.16.0"
# What a surrounding make or a packager's environment says of where to build for and install to.
OTHERS = """DESTDIR PREFIX LIBDIR INCLUDEDIR DATADIR OUT SETS TARGET LINKER AR MAKEFLAGS MFLAGS MAKEOVERRIDES RUSTFLAGS
    CARGO_BUILD_TARGET SOURCE_DATE_EPOCH LD_LIBRARY_PATH PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR CMAKE_PREFIX_PATH
    PYTHONPATH""".split()


@dataclasses.dataclass(frozen=True)
class System:
    """`tag`: what Python calls it, if there is one; `zig`: its target, where zig's compiler is the one for this system
    (tools/zig/cc); `gcc`: else GNU's."""
    name: str
    rust: str
    tag: str = ""
    gcc: str = ""
    zig: str = ""

    @property
    def kind(self):
        return next(kind for kind in ("linux", "windows", "macos", "wasm32") if kind in self.name)

    @property
    def package(self):
        return f"stride-{VERSION}-{self.name}" + (".zip" if self.kind == "windows" else ".tar.xz")

    @property
    def cc(self):
        """The C compiler; `environment` is its."""
        return str(ROOT / "tools/zig/cc") if self.zig else "cc" if self.rust == host() else self.gcc

    @property
    def environment(self):
        own = {name: value for name, value in os.environ.items() if name not in OTHERS}
        # A shell, make or Python cuts CC in words.
        return {**own, "LC_ALL": "C", "CC": shlex.quote(self.cc), "ZIG_TARGET": self.zig}


SYSTEMS = [
    System("x86_64-linux-gnu", "x86_64-unknown-linux-gnu", "manylinux2014_x86_64", gcc="x86_64-linux-gnu-gcc"),
    System("aarch64-linux-gnu", "aarch64-unknown-linux-gnu", "manylinux2014_aarch64", gcc="aarch64-linux-gnu-gcc"),
    System("x86_64-linux-musl", "x86_64-unknown-linux-musl", "musllinux_1_1_x86_64", zig="x86_64-linux-musl"),
    System("aarch64-linux-musl", "aarch64-unknown-linux-musl", "musllinux_1_1_aarch64", zig="aarch64-linux-musl"),
    System("x86_64-windows-gnu", "x86_64-pc-windows-gnu", "win_amd64", gcc="x86_64-w64-mingw32-gcc"),
    # The oldest versions that Rust builds for.
    System("x86_64-macos", "x86_64-apple-darwin", "macosx_10_12_x86_64", zig="x86_64-macos.10.12"),
    System("aarch64-macos", "aarch64-apple-darwin", "macosx_11_0_arm64", zig="aarch64-macos.11.0"),
    # zig's compiler is for programs: Rust links stride.wasm.
    System("wasm32", "wasm32-unknown-unknown", zig="wasm32-wasi"),
]


def output(*command):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


@functools.cache
def host():
    return re.search(r"^host: (.*)", output("rustc", "-vV"), re.M)[1]


@functools.cache
def commit_time():
    return int(output("git", "log", "-1", "--format=%ct"))


@functools.cache
def has_zig():
    """Whether zig is here, or can be installed."""
    def there():
        asked = [ROOT / "tools/zig/cc", "--version"]
        return subprocess.run(asked, env={**os.environ, "ZIG_TARGET": "native"}, capture_output=True).returncode == 0

    if not there():
        for command in ([sys.executable, "-m", "venv", "target/zig"], ["target/zig/bin/pip", "install", "-q", ZIG]):
            if subprocess.run(command, cwd=ROOT, capture_output=True).returncode != 0:
                break
    return there()


def lacking(system):
    """Why the files for this system cannot be made here, or nothing."""
    if system.rust != host():
        has = ["sh", "tools/has_target.sh", system.rust]
        for command in (has, ["rustup", "target", "add", system.rust], has):
            if shutil.which(command[0]) and subprocess.run(command, cwd=ROOT, capture_output=True).returncode == 0:
                break
        else:
            return f"Rust has no {system.rust} here"
    if system.kind == "wasm32":
        return ""
    if system.kind == "windows" and not any(map(shutil.which, ("llvm-dlltool", "llvm-dlltool-14", "llvm-dlltool-19"))):
        return "llvm-dlltool is not here"
    if system.zig and not has_zig():
        return f"zig is not here, and pip cannot install {ZIG}"
    return "" if shutil.which(system.cc) else f"{system.cc} is not here"


def quietly(system, *command):
    """What it prints, which is shown where it fails."""
    done = subprocess.run(command, cwd=ROOT, env=system.environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        sys.exit(f"{done.stdout}\n{system.name}: {' '.join(map(str, command))}: exit status {done.returncode}")
    return done.stdout


def tar_of(folder):
    """A .tar.xz of it, by names in order, the time of the commit, and nobody's."""
    def of_nobody(entry):
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = ""
        entry.mtime = commit_time()
        entry.mode = 0o755 if entry.isdir() or entry.issym() or entry.mode & 0o100 else 0o644
        return entry

    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for path in [folder, *sorted(folder.rglob("*"))]:
            tar.add(path, path.relative_to(folder.parent), recursive=False, filter=of_nobody)
    return lzma.compress(made.getvalue(), preset=9)


def zip_of(folder):
    """A .zip of it, in the same way; links have no place in one."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(str(path.relative_to(folder.parent)), time.gmtime(commit_time())[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # the mode is one of Unix
            entry.external_attr = (0o100755 if path.stat().st_mode & 0o100 else 0o100644) << 16
            archive.writestr(entry, path.read_bytes())
    return made.getvalue()


def library_of(tree):
    """The shared library in an installed tree, as a file."""
    names = [f"lib/libstride.so.{VERSION}", f"lib/libstride.{ABI}.dylib", "bin/stride.dll"]
    return next(tree / name for name in names if (tree / name).exists())


def wheel(system, tree, page):
    """Its compiler is the one that CC names."""
    quietly(system, sys.executable, "python/build_wheel.py", "--library", library_of(tree), "--out", page)


def npm(system, tree, page):
    if not shutil.which("npm"):
        print("skipped: the npm package, npm is not here")
        return
    package = tree.parent / "npm"
    quietly(system, "node", "packaging/npm/build.mjs", tree / "lib", package)
    quietly(system, "npm", "pack", "--silent", "--pack-destination", page, package)


def make(system, page):
    stage = TARGET / "release-work" / system.name / f"stride-{VERSION}-{system.name}"
    shutil.rmtree(stage.parent, ignore_errors=True)
    command = ["make", "-s", "install", f"PREFIX={stage}"]
    if system.rust != host():
        command.append(f"TARGET={system.rust}")
        if system.zig and system.kind != "wasm32":
            command.append(f"LINKER={system.cc}")
    quietly(system, *command)
    (page / system.package).write_bytes((zip_of if system.kind == "windows" else tar_of)(stage))
    if system.tag:
        wheel(system, stage, page)
    if system.kind == "wasm32":
        npm(system, stage, page)


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    page, names = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    if unknown := set(names) - {system.name for system in SYSTEMS}:
        sys.exit(f"no such system: {', '.join(sorted(unknown))}; there are {', '.join(one.name for one in SYSTEMS)}")
    if not (ROOT / ".git").exists():
        sys.exit(f"{ROOT} is no git clone; a release is made from one")
    if output("git", "status", "--porcelain", "--untracked-files=no"):
        print("files differ from the last commit, which the sources are of; all else is of the files", file=sys.stderr)
    page.mkdir(parents=True, exist_ok=True)
    for old in [*page.glob("stride-*"), *page.glob("libstride-*"), page / "SHA256SUMS"]:
        old.unlink(missing_ok=True)
    whys = {system: lacking(system) for system in SYSTEMS if not names or system.name in names}
    for system, why in whys.items():
        if why:
            print(f"skipped: the files for {system.name}, {why}")
    # Each is an optimisation of the whole library, on one core.
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for made in [pool.submit(make, system, page) for system, why in whys.items() if not why]:
            made.result()
    if not names:
        quietly(SYSTEMS[0], "make", "-s", "dist", f"DIST={page}")
        (page / f"stride-{VERSION}.tar.xz.sha256").unlink()
    shutil.copyfile(ROOT / "include/stride.json", page / f"stride-{VERSION}.json")
    quietly(SYSTEMS[0], sys.executable, "tools/parts.py", page / f"stride-{VERSION}.cdx.json", "--check")
    files = sorted(path for path in page.iterdir() if path.name != "SHA256SUMS")
    sums = "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)
    (page / "SHA256SUMS").write_text(sums)


if __name__ == "__main__":
    main()
