"""Arrays of others: a layout together with the memory that it is of, without a copy.

An object is asked, in this order, for the buffer protocol (NumPy, bytes, bytearray, memoryview, array.array, mmap, JAX
on the CPU), for `__array_interface__` (NumPy's types that have no buffer format) and for DLPack (PyTorch, JAX's bf16).
"""

from __future__ import annotations

import ctypes
import re
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple, Optional

from . import _dtypes, _raw
from ._library import call, int64s, lib, uint64
from ._native import Seen, numpy_types, plain_types, python_function, quick_look
from .errors import InvalidDtypeError, InvalidStrideError

_get_buffer = python_function("PyObject_GetBuffer", ctypes.c_int, ctypes.py_object, ctypes.POINTER(_raw.PyBuffer),
                              ctypes.c_int)
_release_buffer = python_function("PyBuffer_Release", None, ctypes.POINTER(_raw.PyBuffer))
_capsule_name = python_function("PyCapsule_GetName", ctypes.c_char_p, ctypes.py_object)
_capsule_pointer = python_function("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
_FULL_RO = 0x11C  # PyBUF_FULL_RO: any strides, a format, read-only is fine.

_DEVICES = {1: "cpu", 2: "cuda", 3: "cuda_host", 4: "opencl", 7: "vulkan", 8: "metal", 9: "vpi", 10: "rocm",
            11: "rocm_host", 12: "extension", 13: "cuda_managed", 14: "oneapi", 15: "webgpu", 16: "hexagon", 17: "maia",
            18: "trainium"}
_HOST = (1, 3, 11)  # Memory that the CPU may touch whenever it likes.
_UNTYPED = re.compile(rb"(\d*[xB]|\|?V\d+)")  # Formats of plain bytes: they go with every type of the same width.
_IN_FORMAT = re.compile(rb"(:[^:]*:|[@=^<>!lLnN])")  # Names of fields, and what can be said in two ways.
_PADDING = re.compile(rb"\d*x(?=})")  # At the end of a struct; ctypes tells it from Python 3.12 on.
_NATIVE = b"@^=<" if sys.byteorder == "little" else b"@^=>!"
_WIDE = {b"l": ctypes.sizeof(ctypes.c_long), b"n": ctypes.sizeof(ctypes.c_ssize_t)}


class _Export:
    """A claim on the memory of an object with the buffer protocol."""

    __slots__ = ("view", "_release")

    def __init__(self, of: Any) -> None:
        self._release: Any = None
        self.view = _raw.PyBuffer()
        _get_buffer(of, self.view, _FULL_RO)
        self._release = _release_buffer  # Held here: module globals go first when Python ends.

    def __del__(self) -> None:
        if getattr(self, "_release", None) is not None:  # An interruption may come before there is one.
            self._release(self.view)


class Foreign(NamedTuple):
    """The parts of an `Array`."""

    raw: _raw.Layout
    base: int
    #: Keeps the memory, for as long as it is alive.
    owner: Any
    readonly: bool
    #: The format of elements that are no numbers here.
    tag: bytes = b""
    #: Of elements at any byte their dtype; `raw` is of u8 then, and its offset and strides are bytes.
    item: int = 0

    def whole(self) -> _raw.Layout:
        """The layout of the elements; of elements at any byte that of their bytes."""
        return bytes_of_items(self.raw, self.item) if self.item else self.raw


def bytes_of_items(raw: _raw.Layout, number: int) -> _raw.Layout:
    """The layout of the bytes of elements at any byte, each a dimension more, in the order of their dtype."""
    out = _raw.Layout()
    call(lib.stride_layout_init_bytes, out, number, raw.rank, raw.sizes, raw.strides)
    out.offset += raw.offset
    return out


def look_at(x: Any) -> Foreign:
    """The memory of an object: whatever has the buffer protocol, `__array_interface__` or DLPack."""
    if type(x) in numpy_types:
        seen = Seen()
        if quick_look(ctypes.addressof(seen), x):
            return Foreign(seen, seen.base, x, bool(seen.readonly))
    try:
        export = _Export(x)
    except (TypeError, ValueError, BufferError) as problem:
        return _without_buffer(x, problem)
    if type(x) not in plain_types and _meet(x):
        return look_at(_of_time(x))
    view, raw = export.view, _raw.Layout()
    status = lib.stride_layout_from_py_buffer(view, raw, None)
    tag = b""
    if status or raw.dtype & _raw.DTYPE_BYTES and view.format:
        tag = ctypes.string_at(view.format) if view.format else b""
        if b"O" in re.sub(rb":[^:]*:", b"", tag):  # names of fields say nothing
            raise TypeError("elements that are Python objects cannot be copied as bytes")
        if status:
            call(lib.stride_layout_from_py_buffer, view, raw)
    if raw.rank > view.ndim and view.shape:  # Elements at any byte.
        sizes, steps = ([of[axis] for axis in range(view.ndim)] for of in (view.shape, view.strides))
        number = _number_of_item(view)
        tag = ctypes.string_at(view.format) if view.format and _dtypes.is_bytes(number) else b""
        return _at_any_byte(number, sizes, steps, view.buf or 0, export, bool(view.readonly), _one_way(tag))
    return _rebased(raw, view.buf or 0, export, bool(view.readonly), _one_way(tag))


def _number_of_item(view: _raw.PyBuffer) -> int:
    """The dtype of a buffer's items, wherever they lie: of one item, without dimensions."""
    item, raw = _raw.PyBuffer(), _raw.Layout()
    item.format, item.itemsize, item.len = view.format, view.itemsize, view.itemsize
    call(lib.stride_layout_from_py_buffer, item, raw)
    return int(raw.dtype)


def _at_any_byte(number: int, sizes: Sequence[int], byte_strides: Sequence[int], address: int, owner: Any,
                 readonly: bool, tag: bytes = b"") -> Foreign:
    """Elements whose strides are no whole number of them."""
    raw = _raw.Layout()
    call(lib.stride_layout_init_byte_strides, raw, _raw.DTYPE_U8, len(sizes), int64s(sizes), int64s(byte_strides))
    return _rebased(raw, address, owner, readonly, tag)._replace(item=number)


def _meet(x: Any) -> bool:
    """Remembers NumPy's classes; a masked array is refused. True: a scalar of time, whose buffer says bytes."""
    numpy, masked = sys.modules.get("numpy"), sys.modules.get("numpy.ma")
    if numpy is None:
        return False
    if isinstance(x, numpy.ndarray):
        if masked is not None and isinstance(x, masked.MaskedArray):
            raise TypeError("an array with a mask is two arrays: copy its data and its mask")
        # Not those of others, whose `shape` may say anything.
        if type(x) in (numpy.ndarray, numpy.memmap):
            plain_types.add(type(x))
            numpy_types.add(type(x))
    return isinstance(x, (numpy.datetime64, numpy.timedelta64))


def _of_time(x: Any) -> Any:
    """A read-only array of a scalar's value."""
    made = sys.modules["numpy"].asarray(x)
    made.flags.writeable = False
    return made


def _rebased(raw: _raw.Layout, address: int, owner: Any, readonly: bool, tag: bytes) -> Foreign:
    """Its layout counts from the lowest element."""
    tag = b"" if _UNTYPED.fullmatch(tag) else tag
    rank = raw.rank
    if raw.offset or (rank and min(raw.strides[:rank]) < 0):
        shift = ctypes.c_int64()
        call(lib.stride_layout_rebase, raw, raw, shift)
        address += shift.value
    return Foreign(raw, address, owner, readonly, tag)


def _one_way(tag: bytes) -> bytes:
    """A buffer's format, in one way for each type: NumPy writes "l" or "=q", as the pointer is aligned, ctypes "<q"."""
    out, native_sizes, swapped = [], True, False
    for piece in _IN_FORMAT.split(tag):
        if len(piece) == 1 and piece in b"@^=<>!":
            native_sizes = piece in b"@^"
            if swapped != (piece not in _NATIVE):
                swapped = not swapped
                out.append(b">" if swapped else b"=")
            continue
        if len(piece) == 1 and piece in b"lLnN":
            letter = b"q" if native_sizes and _WIDE[piece.lower()] == 8 else b"i"
            piece = letter if piece.islower() else letter.upper()
        out.append(piece)
    return _PADDING.sub(b"", b"".join(out))


def _without_buffer(x: Any, problem: Exception) -> Foreign:
    _meet(x)
    device = getattr(x, "__dlpack_device__", None)
    if device is not None and not isinstance(x, type):
        _check_device(x, *device())
    interface = getattr(x, "__array_interface__", None)
    if isinstance(interface, dict):
        return _of_interface(x, interface)
    if device is not None:
        return _of_dlpack(x)
    if hasattr(x, "__cuda_array_interface__"):
        raise TypeError(f"the memory of this {type(x).__name__} is on cuda; libstride works on memory of the CPU, copy "
                        "it there first") from None
    if isinstance(problem, TypeError):
        raise TypeError(
            f"{type(x).__name__} has no buffer protocol, no __array_interface__ and no DLPack: "
            "numpy.asarray makes an array of it"
        ) from None
    raise problem


def _check_device(x: Any, kind: int, number: int) -> None:
    if int(kind) not in _HOST:
        raise TypeError(f"the memory of this {type(x).__name__} is on {_DEVICES.get(int(kind), f'device type {kind}')}:"
                        f"{number}; libstride works on memory of the CPU, copy it there first") from None


def _of_interface(x: Any, interface: dict[str, Any]) -> Foreign:
    for name in ("shape", "typestr"):
        if interface.get(name) is None:
            raise TypeError(f"an array interface without {name}")
    shape, strides, data = tuple(interface["shape"]), interface.get("strides"), interface.get("data")
    if interface.get("mask") is not None:
        raise TypeError("an array with a mask is two arrays: copy its data and its mask")
    typestr, descr, dtype = str(interface["typestr"]), interface.get("descr"), getattr(x, "dtype", None)
    if getattr(dtype, "hasobject", False) or _has_objects(descr):
        raise TypeError("elements that are Python objects cannot be copied as bytes")
    number = _number_of(dtype if getattr(dtype, "str", None) == typestr else typestr, typestr)
    raw, sizes = _raw.Layout(), int64s(shape)
    apart: Any = None  # The byte strides, if they are no whole number of elements.
    if strides is None:
        call(lib.stride_layout_init, raw, number, len(sizes), sizes, None)
    else:
        if len(strides) != len(shape):
            raise ValueError(f"the array interface has {len(strides)} strides and {len(shape)} sizes")
        try:
            call(lib.stride_layout_init_byte_strides, raw, number, len(sizes), sizes, int64s(strides))
        except InvalidStrideError:
            apart = strides
            call(lib.stride_layout_init_bytes, raw, number, len(sizes), sizes, int64s(strides))
    owner: Any = x
    if isinstance(data, tuple) and len(data) == 2:
        address, readonly = uint64(data[0]), bool(data[1])
    elif isinstance(data, tuple):
        raise TypeError("the data of an array interface is an address and whether it is read-only")
    elif data is not None:
        memory = look_at(data)
        address, readonly, owner = _within(memory, raw, int(interface.get("offset", 0))), memory.readonly, (x, memory)
    else:
        raise TypeError("an array interface without data")
    tag = _tag_of(typestr, descr) if _dtypes.is_bytes(number) else b""
    if apart is not None:
        return _at_any_byte(number, shape, apart, address, owner, readonly, tag)
    return _rebased(raw, address, owner, readonly, tag)


def _within(memory: Foreign, raw: _raw.Layout, start: int) -> int:
    """The address of a layout that begins at a byte of an array interface's data, and must lie in it."""
    data, layout = _facts(memory.whole()), _facts(raw)
    if not data.formats & _raw.FORMAT_PACKED:
        raise ValueError("the data of an array interface is not a buffer without gaps")
    lowest, end = (start + number * layout.element_bits // 8 for number in (layout.lowest, layout.highest + 1))
    if layout.element_count and not 0 <= lowest <= end <= data.packed_bytes:
        raise ValueError(f"the array interface describes bytes {lowest} to {end} of its data, which has "
                         f"{data.packed_bytes}")
    return memory.base + start


def _facts(of: _raw.Layout) -> _raw.LayoutFacts:
    facts = _raw.LayoutFacts(struct_size=ctypes.sizeof(_raw.LayoutFacts))
    call(lib.stride_layout_query, of, facts)
    return facts


def _number_of(dtype: Any, typestr: str) -> int:
    """A dtype's number; plain bytes, which the tag tells apart, of what is no number in the other byte order."""
    try:
        return _dtypes.number_of(dtype)
    except InvalidDtypeError as refused:
        if refused.detail != _raw.DETAIL_BYTE_ORDER:
            raise
        return _dtypes.number_of("|V" + typestr[2:].partition("[")[0])


def _tag_of(typestr: str, descr: Any) -> bytes:
    """The buffer protocol's format of text and long doubles; the fields of a struct, the type string itself where that
    has no word."""
    order, kind, width = typestr[:1].encode(), typestr[1:2], typestr[2:].encode()
    if order in (b"|", b"<" if sys.byteorder == "little" else b">"):
        order = b""
    if kind == "V" and descr not in (None, [("", typestr)]):
        return repr(descr).encode()
    if kind in ("S", "U"):
        return order + width + {"S": b"s", "U": b"w"}[kind]
    return order + ({"f": b"g", "c": b"Zg"}.get(kind) or kind.encode() + width)


def _has_objects(descr: Any) -> bool:
    """Whether a field of an array interface's `descr` is an object, at any depth; names say nothing."""
    if isinstance(descr, str):
        return descr[1:2] == "O"
    return isinstance(descr, list) and any(len(field) > 1 and _has_objects(field[1]) for field in descr)


def _of_dlpack(x: Any) -> Foreign:
    if callable(getattr(x, "is_neg", None)) and x.is_neg():
        raise TypeError("a tensor whose numbers are negated when they are read has no bytes of its own: resolve_neg()")
    try:
        capsule = x.__dlpack__(max_version=(1, 3))
    except TypeError:
        capsule = x.__dlpack__()
    # The capsule is not consumed: it is kept, and its own destructor frees the tensor. `x` is kept too.
    name: Optional[bytes] = _capsule_name(capsule)
    if name not in (b"dltensor", b"dltensor_versioned"):
        raise TypeError(f"__dlpack__ gave a capsule named {name!r}")
    pointer = _capsule_pointer(capsule, name)
    raw, readonly = _raw.Layout(), type(x).__module__.split(".")[0] in ("jax", "jaxlib")
    tensor: Any
    if name == b"dltensor_versioned":
        tensor = _raw.DlManagedTensorVersioned.from_address(pointer)
        call(lib.stride_layout_from_dlpack_versioned, tensor, raw)
        readonly = readonly or bool(tensor.flags & _raw.DL_FLAG_READ_ONLY)
    else:
        tensor = _raw.DlTensor.from_address(pointer)
        call(lib.stride_layout_from_dlpack, tensor, raw)
    _check_device(x, tensor.device_type, tensor.device_id)  # `__dlpack_device__` may have said another one.
    return _rebased(raw, tensor.data or 0, (x, capsule), readonly, b"")
