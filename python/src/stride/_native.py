"""Jobs for which ctypes is too slow or unable: python/native.c, which lies beside the library as `lib/native.so`.

It is given the addresses of the functions that it calls, so it is no extension module: every CPython of a platform
loads the same file. Where it is not there, small copies take some microseconds more (`_copy`), and no array gives
itself away as DLPack.
"""

from __future__ import annotations

import array
import ctypes
import pathlib
import sys
from collections.abc import Callable
from typing import Any, Optional

from . import _raw
from ._library import lib

# The order of the structs `python` and `library` in native.c.
_OF_PYTHON = ("PyObject_GetBuffer", "PyBuffer_Release", "PyObject_Type", "PySet_Contains", "Py_DecRef", "PyErr_Clear",
              "PyEval_SaveThread", "PyEval_RestoreThread", "PyLong_FromLong", "PyLong_AsVoidPtr", "PyCFunction_NewEx",
              "Py_IncRef", "Py_IsInitialized", "PyGILState_Ensure", "PyGILState_Release", "PyCapsule_New",
              "PyCapsule_IsValid", "PyCapsule_GetPointer", "PyObject_GetAttrString", "PyLong_AsLongLong",
              "PyErr_Occurred", "PySequence_Size", "PySequence_GetItem", "PyMem_Malloc", "PyMem_Free")
_OF_LIBRARY = ("stride_layout_from_py_buffer", "stride_layout_rebase", "stride_layout_broadcast_to",
               "stride_layout_as_bytes", "stride_copy", "stride_compare", "stride_fill", "stride_plan_execute",
               "stride_copy_sides")

#: The classes whose buffer says what they are; NumPy's are added when they are met.
plain_types: set[type] = {bytes, bytearray, memoryview, array.array}

#: Those of them that are NumPy's: an array keeps its memory for as long as it lives.
numpy_types: set[type] = set()

#: Dtypes of NumPy's arrays that were copied, and so have no references to objects.
plain_dtypes: set[Any] = set()


def remember_dtype(dst: Any, src: Any) -> None:
    """Of two arrays that were copied; the next two of this dtype go the short way, whatever it is."""
    dtype = getattr(dst, "dtype", None)
    if dtype is not None and dtype is getattr(src, "dtype", None) and len(plain_dtypes) < 256 and {
            type(dst), type(src)} <= plain_types:
        plain_dtypes.add(dtype)


def python_function(name: str, result: Any, *parameters: Any) -> Any:
    """A function of Python's. Those of `ctypes.pythonapi` are shared, and who uses them may set other parameters."""
    return ctypes.PYFUNCTYPE(result, *parameters)((name, ctypes.pythonapi))


def _addresses(functions: Any, names: tuple[str, ...]) -> Any:
    found = (ctypes.cast(getattr(functions, name), ctypes.c_void_p) for name in names)
    return (ctypes.c_void_p * len(names))(*(of.value for of in found))


def _load() -> Any:
    name = {"win32": "native.dll", "darwin": "native.dylib"}.get(sys.platform, "native.so")
    try:
        return ctypes.PyDLL(str(pathlib.Path(__file__).resolve().parent / "lib" / name))
    except OSError:
        return None


class Seen(_raw.Layout):
    """A layout and the memory that it is of, as `seen` in native.c."""

    _fields_ = [("base", ctypes.c_uint64), ("readonly", ctypes.c_uint64)]


class Prepared(ctypes.Structure):
    """A plan and what its sides must be, as `prepared` in native.c."""

    _fields_ = [("plan", ctypes.c_void_p), ("layouts", ctypes.c_void_p * 2), ("shifts", ctypes.c_int64 * 2)]


def never(*arguments: Any) -> int:
    """The answer where the file is missing."""
    return 0


_native = _load()

# The order in which native.c takes them.
_OBJECTS: tuple[Any, ...] = plain_types, plain_dtypes, {list, tuple}, None

#: Each answers 0 where it did nothing: what its sides are is for others to see.
#: quick_copy(dst, src), quick_fill(dst, bytes of an element), quick_execute(address of `Prepared`, dst, src): 1, done.
#: quick_take(out, x, axis, indices, bytes of an element or None), quick_range(dst, src, count, dst_first, src_first).
#: quick_compare(lhs, rhs): 1, equal; 2, different. quick_look(address of `Seen`, x): 1, seen.
quick_copy: Callable[..., int] = never
quick_compare: Callable[..., int] = never
quick_fill: Callable[..., int] = never
quick_look: Callable[..., int] = never
quick_execute: Callable[..., int] = never
quick_take: Callable[..., int] = never
quick_range: Callable[..., int] = never

#: The capsule of a tensor, which it frees: of the struct's address, whether it is DLManagedTensorVersioned, and an
#: object that holds all of it. None where the file is missing.
new_capsule: Optional[Callable[[int, bool, Any], Any]] = None

if _native is not None:
    _native.stride_native_bind.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.py_object * 4]
    _native.stride_native_bind.restype = None
    _native.stride_native_function.restype = _native.stride_native_capsule.restype = ctypes.py_object
    _native.stride_native_capsule.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.py_object]
    _native.stride_native_bind(_addresses(ctypes.pythonapi, _OF_PYTHON), _addresses(lib, _OF_LIBRARY),
                               (ctypes.py_object * 4)(*map(ctypes.py_object, _OBJECTS)))
    quick_copy, quick_compare, quick_fill, quick_look, quick_execute, quick_take, quick_range = map(
        _native.stride_native_function, range(7))
    new_capsule = _native.stride_native_capsule
