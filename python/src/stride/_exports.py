"""An `Array` for others: a capsule of DLPack, and Python's buffer protocol."""

from __future__ import annotations

import ctypes
from typing import Any, Optional

from . import _dtypes, _raw
from ._library import call, lib, list_of
from ._native import new_capsule, python_function
from .errors import Error

_MINOR = 3  # The newest version of DLPack 1 whose words are used.
_BOOL = 6  # The highest type code before version 1.1.

_memoryview_of = python_function("PyMemoryView_FromBuffer", ctypes.py_object, ctypes.POINTER(_raw.PyBuffer))
_formats: dict[bytes, Any] = {}  # A memoryview looks at its format for as long as it lives.


class _Lists(ctypes.Structure):
    _fields_ = [("shape", ctypes.c_int64 * _raw.MAX_RANK), ("strides", ctypes.c_int64 * _raw.MAX_RANK)]


class _Managed(ctypes.Structure):
    """DLManagedTensor, before DLPack 1.0."""

    _fields_ = [("tensor", _raw.DlTensor), ("manager_ctx", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


def dlpack(of: Any, max_version: Optional[tuple[int, int]], copied: bool) -> Any:
    """A capsule: DLManagedTensorVersioned where the consumer knows version 1, else DLManagedTensor."""
    if new_capsule is None:
        raise BufferError("this stride is without lib/native, which gives arrays away as DLPack")
    versioned = max_version is not None and tuple(max_version) >= (1, 0)
    if of.readonly and not versioned:
        raise BufferError("the array is read-only, which DLPack says from version 1.0 on: max_version=(1, 0)")
    if of._number != of._raw.dtype:
        raise BufferError("DLPack has no word for elements that lie at any byte")
    lists, managed = _Lists(), _raw.DlManagedTensorVersioned() if versioned else _Managed()
    first = getattr(_raw.DlManagedTensorVersioned, "data").offset if versioned else 0
    tensor = _raw.DlTensor.from_buffer(managed, first)
    try:
        call(lib.stride_layout_to_dlpack, of._raw, of.ndim, lists.shape, lists.strides, tensor)
    except Error as problem:
        raise BufferError(f"DLPack has no word for {of.dtype}: {problem}") from problem
    minor = min(_MINOR, max_version[1]) if versioned and max_version and max_version[0] == 1 else _MINOR
    if tensor.dtype_code > _BOOL and (not versioned or minor < 1):
        raise BufferError(f"DLPack has a word for {of.dtype} from version 1.1 on: max_version=(1, 1)")
    tensor.data, tensor.device_type, tensor.byte_offset = of._base + tensor.byte_offset, 1, 0
    if versioned:
        managed.major, managed.minor = 1, minor
        managed.flags = (of.readonly and _raw.DL_FLAG_READ_ONLY) | (copied and _raw.DL_FLAG_IS_COPIED)
    return new_capsule(ctypes.addressof(managed), versioned, (managed, lists, of))


def buffer(of: Any) -> memoryview:
    """A memoryview of the elements, which Python holds together with the array."""
    format = _dtypes.format_of(of._number)
    if format is None or of._tag:
        raise BufferError(f"the buffer protocol has no word for {of.dtype}")
    list_ = list_of(ctypes.c_ssize_t, max(1, of.ndim))
    view = _raw.PyBuffer(buf=of._begin()[0], len=of.nbytes, itemsize=of.itemsize,
                         readonly=of.readonly, ndim=of.ndim, shape=list_(*of.shape),
                         strides=list_(*of.byte_strides))
    if format not in _formats:
        _formats[format] = ctypes.create_string_buffer(format)
    view.format = ctypes.addressof(_formats[format])
    made: memoryview = _memoryview_of(view)
    return made
