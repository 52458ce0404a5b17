"""The loaded library, and how it is called.

The file lies in `lib`, beside this one; the environment variable STRIDE_LIBRARY names another one. ctypes gives the GIL
away during every call.
"""

from __future__ import annotations

import ctypes
import functools
import operator
import os
import pathlib
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from . import _raw
from .errors import error_of

UNBOUNDED = 2**64 - 1  # A length in bytes for memory whose owner has said how much there is.
INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1


def _file() -> str:
    """The library's file."""
    chosen = os.environ.get("STRIDE_LIBRARY")
    if chosen:
        return os.path.abspath(chosen)
    name = {"win32": "stride.dll", "darwin": "libstride.dylib"}.get(sys.platform, "libstride.so")
    path = pathlib.Path(__file__).resolve().parent / "lib" / name
    if not path.exists():
        raise ImportError(f"{path} is not there: this wheel is for another system, or the package is used from its"
                          " sources; set STRIDE_LIBRARY to the file that `make lib` leaves")
    return str(path)


def _load() -> ctypes.CDLL:
    path = _file()
    try:
        loaded = ctypes.CDLL(path)
    except OSError as problem:
        raise ImportError(f"{path}: {problem}") from problem
    try:
        abi, version = int(loaded.stride_abi_version()), int(loaded.stride_version())
    except AttributeError:
        raise ImportError(f"{path} is no libstride") from None
    if abi != _raw.ABI_VERSION or version < _raw.VERSION:
        raise ImportError(f"{path} has ABI version {abi} and version {version}; needed are ABI version "
                          f"{_raw.ABI_VERSION} and version {_raw.VERSION} or later")
    for name, (result, parameters) in _raw.FUNCTIONS.items():
        function = getattr(loaded, name)
        function.restype, function.argtypes = result, parameters
    return loaded


#: The library; functions have their parameters' types.
lib: Any = _load()


@functools.lru_cache(maxsize=1024)
def list_of(kind: Any, count: int) -> Any:
    """The type of a list. One that is made is kept: ctypes' own lists are reference cycles, left to the collector."""
    return kind * count


def address_of(memory: bytearray) -> int:
    """The address of a bytearray, which is not empty."""
    return ctypes.addressof(ctypes.c_char.from_buffer(memory))


_TEXT = list_of(ctypes.c_char, 512)


def text_of(function: Any, *arguments: Any) -> str:
    """The text that a function with `buffer, capacity, length, error` at its end writes."""
    buffer, length = _TEXT(), ctypes.c_uint64()
    call(function, *arguments, buffer, len(buffer), length)
    if length.value >= len(buffer):
        buffer = list_of(ctypes.c_char, length.value + 1)()
        call(function, *arguments, buffer, len(buffer), length)
    text: bytes = buffer.value
    return text.decode("utf-8", "replace")


def call(function: Any, *arguments: Any) -> None:
    """Calls a function whose last parameter is an error record; raises what the record says."""
    record = _raw.Error()
    if function(*arguments, record):
        raise failure(record, function.__name__)


def failure(record: _raw.Error, function: str = "") -> Exception:
    """The exception for a record that the library has filled, in a function of this name."""
    buffer, length = _TEXT(), ctypes.c_uint64()
    status = lib.stride_error_format(record, buffer, len(buffer), length, None)
    sentence = buffer.value.decode("utf-8", "replace") if status == 0 else f"status {record.status}"
    sentence = sentence.replace("; options->conversion converts", "; stride.copy(..., convert=True) converts")
    sentence = sentence.replace("with STRIDE_CONVERT_ADD_LAST", "with add_last")
    return error_of(record, sentence, function)


def int64(value: Any) -> int:
    """An integer of 64 bits; ctypes would cut a longer one."""
    number = operator.index(value)
    if not INT64_MIN <= number <= INT64_MAX:
        raise OverflowError(f"{number} does not fit 64 bits")
    return number


def uint64(value: Any) -> int:
    """An integer of 64 bits, not negative."""
    number = operator.index(value)
    if not 0 <= number < 2**64:
        raise OverflowError(f"{number} is negative" if number < 0 else f"{number} does not fit 64 bits")
    return number


def int64s(values: Iterable[Any]) -> Any:
    """A C array of integers of 64 bits."""
    numbers = [int64(value) for value in values]
    return list_of(ctypes.c_int64, len(numbers))(*numbers)


def version() -> str:
    """The library's version, as in "0.1.0"."""
    number = int(lib.stride_version())
    return f"{number // 10000}.{number // 100 % 100}.{number % 100}"


CPU_LEVELS = {_raw.CPU_LEVEL_SCALAR: "scalar", _raw.CPU_LEVEL_SSSE3: "ssse3", _raw.CPU_LEVEL_AVX2: "avx2",
              _raw.CPU_LEVEL_AVX512: "avx512", _raw.CPU_LEVEL_NEON: "neon",
              _raw.CPU_LEVEL_SIMD128: "simd128"}


def cpu_level() -> str:
    """The instruction set that copies use on this CPU: "scalar", "ssse3", "avx2", "avx512", "neon" or "simd128"."""
    number = int(lib.stride_cpu_level())
    return CPU_LEVELS.get(number, str(number))


def set_fields(struct: ctypes.Structure, fields: Mapping[str, Any], what: str) -> None:
    """Changes fields that a caller names; one of two entries takes both."""
    known: dict[str, Any] = {field[0]: field[1] for field in struct._fields_}
    for name, value in fields.items():
        if name not in known or name in ("struct_size", "reserved"):
            raise TypeError(f"{name!r} is no field of {what}")
        if isinstance(getattr(struct, name), int):
            _put(struct, name, value, known[name])
        else:
            one, other = value
            for side, number in enumerate((one, other)):
                _put(getattr(struct, name), side, number, known[name]._type_)


def _put(where: Any, name: Any, value: Any, kind: Any) -> None:
    """A field, or an entry of one; ctypes would cut a number that is too long."""
    number = uint64(value)
    if number >> 8 * ctypes.sizeof(kind):
        raise OverflowError(f"{name}: {number} does not fit")
    if isinstance(name, str):
        setattr(where, name, number)
    else:
        where[name] = number
