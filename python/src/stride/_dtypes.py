"""Names of element types.

A name is libstride's own, which counts bits: "f32", "u8", "bf16", "s4", "bytes12". NumPy's and PyTorch's words are
taken too: `numpy.float32`, `numpy.dtype("<f4")`, "<f4", "float32", `torch.float32`. Four texts are words of both: "u8"
has eight bits, as everywhere in libstride; "u1", "u2" and "u4" are refused, and their elements of 1, 2 and 4 bits are
called "uint1", "uint2" and "uint4", as PyTorch and ml_dtypes do.
"""

from __future__ import annotations

import ctypes
import functools
import importlib
import operator
import struct
import sys
from typing import Any, Optional

from . import _raw
from ._library import call, lib, text_of
from .errors import Error

_WORDS = {
    "bool": "pred", "bool_": "pred", "byte": "s8", "half": "f16", "float": "f64", "int": "s64", "complex": "c128",
    "int2": "s2", "int4": "s4", "uint1": "u1", "uint2": "u2", "uint4": "u4", "bfloat16": "bf16", "complex64": "c64",
    "complex128": "c128", "float4_e2m1fn": "f4e2m1fn",
    **{f"float{bits}": f"f{bits}" for bits in (16, 32, 64)},
    **{f"{word}{bits}": f"{letter}{bits}"
       for word, letter in (("int", "s"), ("uint", "u")) for bits in (8, 16, 32, 64)},
    **{f"float8_{name}": f"f8{name}" for name in
       ("e3m4", "e4m3", "e4m3fn", "e4m3b11fnuz", "e4m3fnuz", "e5m2", "e5m2fnuz", "e8m0fnu")},
}
_CODES = {"b1", "i1", "i2", "i4", "i8", "f2", "f4", "f8", "c8", "c16"}  # NumPy's, which are no names of libstride.
# ml_dtypes gives these a byte each.
_IN_A_BYTE = {"int2": "s8", "int4": "s8", "uint2": "u8", "uint4": "u8", "float4_e2m1fn": "u8"}
_IN_C = ("byte", "int", "float")  # Other ones in PyTorch than in NumPy.
_AMBIGUOUS = {"u1": "u8", "u2": "u16", "u4": "u32"}  # What they are in NumPy.
_LETTERS = {
    "pred": "?", "s8": "b", "s16": "h", "s32": "i", "s64": "q", "u8": "B", "u16": "H", "u32": "I", "u64": "Q",
    "f16": "e", "f32": "f", "f64": "d", "c64": "ff", "c128": "dd",
}


@functools.lru_cache(maxsize=512)
def _of_text(text: str) -> int:
    if text in _AMBIGUOUS:
        bits = int(text[1:])
        raise ValueError(f"{text!r} is {bits} {'bit' if bits == 1 else 'bits'} here and {bits} "
                         f"{'byte' if bits == 1 else 'bytes'} in NumPy: say 'uint{bits}' or '{_AMBIGUOUS[text]}'")
    try:
        return _parsed(text)
    except Error as problem:
        problem.args = (f"dtype {text!r}{str(problem).removeprefix('dtype')}",)
        raise


def _parsed(text: str) -> int:
    out = ctypes.c_uint32()
    if text in _CODES:
        text = ("|" if text in ("b1", "i1") else "=") + text
    if text[:1] in ("<", ">", "=", "|"):
        swapped = "<" if sys.byteorder == "little" else ">"
        typestr = (swapped + text[1:] if text[0] == "=" else text).encode()
        call(lib.stride_dtype_from_typestr, typestr, len(typestr), out)
    else:
        name = _WORDS.get(text, text).encode()
        call(lib.stride_dtype_parse, name, len(name), out)
    return out.value


def number_of(dtype: Any) -> int:
    """The library's number for whatever names a dtype."""
    if isinstance(dtype, str):
        return _of_text(dtype)
    typestr = getattr(dtype, "str", None)
    if isinstance(typestr, str):  # numpy.dtype
        word = str(getattr(dtype, "name", ""))
        if word in _IN_A_BYTE:
            return _of_text(_IN_A_BYTE[word])
        # Of ml_dtypes the type string says how wide it is (float8_e5m2 has the letter of floats), the name what it is.
        return _of_text(word if word in _WORDS and ("V" in typestr or typestr[1:] == "f1") else typestr)
    if isinstance(dtype, type):  # numpy.float32, float
        numpy = sys.modules.get("numpy")
        if numpy is not None and issubclass(dtype, numpy.generic):
            return number_of(numpy.dtype(dtype))
        return _of_text(_IN_A_BYTE.get(dtype.__name__, dtype.__name__))
    if hasattr(dtype, "dtype"):  # jax.numpy.float32
        return number_of(dtype.dtype)
    word = str(dtype)
    if word.startswith("torch."):
        return _of_text(word[len("torch."):])
    raise TypeError(f"a dtype is a name such as 'f32', or NumPy's or PyTorch's dtype, not {dtype!r}")


#: `number_of`, which remembers its answers.
number_of_met = functools.lru_cache(maxsize=256)(number_of)


@functools.lru_cache(maxsize=512)
def name_of(number: int) -> str:
    """The library's name; one that `number_of` takes."""
    name = text_of(lib.stride_dtype_name, number)
    return f"uint{name[1:]}" if name in _AMBIGUOUS else name


@functools.lru_cache(maxsize=512)
def bits_of(number: int) -> int:
    """Bits of one element."""
    out = ctypes.c_uint32()
    call(lib.stride_dtype_bits, number, out)
    return out.value


def is_bytes(number: int) -> bool:
    """Whether a dtype is plain bytes."""
    return bool(number & _raw.DTYPE_BYTES)


def dtype(of: Any) -> str:
    """libstride's name of a dtype.

    >>> dtype("float32"), dtype("<u8"), dtype("u8"), dtype("bytes12")
    ('f32', 'u64', 'u8', 'bytes12')
    """
    return name_of(number_of(of))


def numpy_module() -> Any:
    """NumPy, or None where it is not installed."""
    loaded = sys.modules.get("numpy")
    if loaded is not None:
        return loaded
    try:
        return importlib.import_module("numpy")
    except ImportError:
        return None


@functools.lru_cache(maxsize=512)
def typestr_of(number: int) -> Optional[str]:
    """NumPy's type string; None for types that have none, such as bf16."""
    try:
        return text_of(lib.stride_dtype_to_typestr, number)
    except TypeError:
        return None


@functools.lru_cache(maxsize=512)
def numpy_dtype(number: int) -> Any:
    """NumPy's dtype, from ml_dtypes where NumPy has none; None if there is none."""
    numpy, typestr = numpy_module(), typestr_of(number)
    if numpy is None:
        return None
    if typestr is not None:
        return numpy.dtype(typestr)
    word = next((word for word, name in _WORDS.items() if name == name_of(number) and word not in _IN_A_BYTE), None)
    try:
        return None if word is None else numpy.dtype(getattr(importlib.import_module("ml_dtypes"), word))
    except (ImportError, AttributeError):
        return None


def torch_dtype(torch: Any, number: int) -> Any:
    """PyTorch's dtype; None if there is none."""
    words = (word for word, name in _WORDS.items() if name == name_of(number) and word not in _IN_C)
    return next((getattr(torch, word) for word in words if hasattr(torch, word)), None)


def format_of(number: int) -> Optional[bytes]:
    """The format of the buffer protocol; None for types that have none."""
    letters = None if is_bytes(number) else _LETTERS.get(name_of(number & ~_raw.DTYPE_SWAPPED))
    if letters is None:  # NumPy makes a struct without fields of "4x".
        return None
    order = (">" if sys.byteorder == "little" else "<") if number & _raw.DTYPE_SWAPPED else ""
    return (order + (f"Z{letters[0]}" if len(letters) == 2 else letters)).encode()


@functools.lru_cache(maxsize=512)
def _packed_by(number: int) -> Any:
    """The Python type of a number and the function that packs it; None of dtypes that Python has none for."""
    swapped = not is_bytes(number) and bool(number & _raw.DTYPE_SWAPPED)
    letters = _LETTERS.get(name_of(number & ~_raw.DTYPE_SWAPPED if swapped else number))
    if letters is None:
        return None
    order = (">" if sys.byteorder == "little" else "<") if swapped else "="
    kind: Any = complex if len(letters) == 2 else float if letters in "efd" else operator.index
    return kind, struct.Struct(order + letters).pack


def bytes_of_value(number: int, value: Any) -> bytes:
    """One element's bytes: of a number by its dtype, of bytes as they are."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        given, size = bytes(value), max(1, bits_of(number) // 8)
        if len(given) != size:
            raise ValueError(f"an element of {name_of(number)} has {size} bytes, not {len(given)}")
        return given
    by = _packed_by(number)
    if by is None:
        raise TypeError(f"the value of {name_of(number)} is given as bytes: {max(1, bits_of(number) // 8)} of them")
    if hasattr(value, "item"):  # A NumPy scalar.
        value = value.item()
    kind, pack = by
    try:
        if isinstance(value, str):
            raise TypeError("a text")
        one = kind(value)
        made: bytes = pack(one.real, one.imag) if kind is complex else pack(one)
        return made
    except (TypeError, struct.error, OverflowError) as problem:
        of = TypeError if isinstance(problem, TypeError) else OverflowError
        raise of(f"{value!r} is no value of {name_of(number)}") from problem
