"""Arrays of others: a layout together with the memory that it is of, without a copy.

An object is asked, in this order, for the buffer protocol (NumPy, bytes, bytearray, memoryview, array.array, mmap, JAX
on the CPU), for `__array_interface__` (NumPy's types that have no buffer format) and for DLPack (PyTorch, JAX's bf16).
The object, and its claim on the memory, stay alive for as long as the `Array` does.
"""

from __future__ import annotations

import ctypes
import re
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Optional, final

from . import _dtypes, _raw
from ._layout import Layout
from ._library import call, int64s, lib, uint64
from ._native import Seen, numpy_types, plain_types, python_function, quick_look
from ._views import Views
from .errors import InvalidDtypeError, InvalidStrideError

if TYPE_CHECKING:
    import numpy as np

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


@final
class Array(Views):
    """A layout with the memory of some object. Its views share the memory; `numpy()` and `numpy.asarray` look at it.

    >>> memory = bytearray(range(6))
    >>> rows = Array.of(memory).reshape(2, 3)
    >>> rows.T.tobytes()
    b'\\x00\\x03\\x01\\x04\\x02\\x05'
    """

    __slots__ = ("_base", "_item", "_owner", "_readonly", "_tag")

    def __init__(self, raw: _raw.Layout, base: int, owner: Any, readonly: bool, tag: bytes = b"", item: int = 0) -> None:
        self._raw, self._base, self._owner, self._tag, self._facts_ = raw, base, owner, tag, None
        self._readonly = readonly
        #: Of elements at any byte their dtype; `_raw` is of u8 then, and its offset and strides are bytes.
        self._item = item

    @staticmethod
    def of(x: Any) -> Array:
        """The same as `stride.array`."""
        return array(x)

    def _with(self, raw: _raw.Layout) -> Array:
        tag = self._tag if raw.dtype == self._raw.dtype else b""
        return Array(raw, self._base, self._owner, self.readonly, tag, self._item)

    @property
    def _number(self) -> int:
        return int(self._item or self._raw.dtype)

    def _bytes(self, swapped: bool) -> _raw.Layout:
        """The layout of the elements' bytes, each a dimension more; in the order of a dtype that is swapped, or not."""
        out, number = _raw.Layout(), self._number
        if not _dtypes.is_bytes(number):
            number = number | _raw.DTYPE_SWAPPED if swapped else number & ~_raw.DTYPE_SWAPPED
        if not self._item:
            raw = _raw.Layout.from_buffer_copy(self._raw)
            raw.dtype = number
            call(lib.stride_layout_bytes, raw, out)
            return out
        rank = self._raw.rank
        call(lib.stride_layout_init_bytes, out, number, rank, self._raw.sizes, self._raw.strides)
        out.offset += self._raw.offset
        return out

    def _whole(self) -> _raw.Layout:
        """Of elements at any byte the layout of their bytes."""
        swapped = bool(self._item & _raw.DTYPE_SWAPPED) and not _dtypes.is_bytes(self._item)
        return self._bytes(swapped) if self._item else self._raw

    def _facts(self) -> _raw.LayoutFacts:
        if self._item and self._facts_ is None:
            self._facts_ = Layout._of_raw(self._bytes(False))._facts()
        return super()._facts()

    @property
    def layout(self) -> Layout:
        """Where the elements lie, counted from `address`; of elements at any byte (a field of packed records) where
        their bytes do (`Layout.of_bytes`)."""
        return Layout._of_raw(self._whole())

    @property
    def strides(self) -> tuple[int, ...]:
        """Elements (not bytes) from one index to the next along each dimension."""
        if self._item:
            raise ValueError("elements that lie at any byte have no strides in elements; byte_strides tells those in bytes")
        return super().strides

    @property
    def min_bytes(self) -> int:
        """Bytes that the memory must have."""
        return self.layout.min_bytes if self._item else super().min_bytes

    @property
    def contiguous_run(self) -> int:
        """How many elements, from the last dimensions on, lie side by side."""
        return super().contiguous_run // (self.itemsize if self._item else 1)

    @property
    def overlaps_itself(self) -> bool:
        """Whether two indices mean the same element, or share a byte."""
        return self.layout.overlaps_itself if self._item else super().overlaps_itself

    def fits(self, nbytes: int) -> bool:
        """Whether every element lies in so many bytes."""
        return self.layout.fits(nbytes) if self._item else super().fits(nbytes)

    def reinterpret(self, dtype: Any) -> Array:
        """The same bytes as elements of another dtype (numpy.ndarray.view)."""
        if not self._item:
            return super().reinterpret(dtype)
        number = _dtypes.number_of(dtype)
        if _dtypes.bits_of(number) != _dtypes.bits_of(self._item):
            raise ValueError(f"elements of {self.dtype} at any byte are no elements of {_dtypes.name_of(number)}")
        return Array(self._raw, self._base, self._owner, self.readonly, b"", number)

    @property
    def address(self) -> int:
        """The address that the layout counts from."""
        return self._base

    @property
    def readonly(self) -> bool:
        """Whether the memory may not be written."""
        return self._readonly

    def _flat(self, name: str) -> tuple[int, int]:
        """Address and length of its bytes, which have no gaps."""
        bits = self._raw.offset * _dtypes.bits_of(self._raw.dtype)  # Of elements at any byte: of a byte each.
        if not self.is_contiguous:
            raise ValueError(f"{name} is not a buffer without gaps")
        if self.size and bits % 8:
            raise ValueError(f"{name} begins within a byte")
        return self._base + (bits // 8 if self.size else 0), self.nbytes

    @property
    def __array_interface__(self) -> dict[str, Any]:
        typestr = _dtypes.typestr_of(self._number)
        if typestr is None:
            raise AttributeError(f"NumPy has no word for {self.dtype}")
        return {"version": 3, "typestr": typestr, "shape": self.shape, "strides": self.byte_strides,
                "data": (self._base + self.offset * (1 if self._item else self.itemsize) if self.size else self._base or 1,
                         self.readonly)}

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> np.ndarray[Any, Any]:
        seen = self.numpy()  # Where the array interface has no word for the type.
        if copy or dtype not in (None, seen.dtype):
            if copy is False:
                raise ValueError(f"an array of {seen.dtype} as {dtype} is a copy")
            converted: np.ndarray[Any, Any] = seen.astype(dtype or seen.dtype)
            return converted
        return seen

    def __dlpack__(self, *, stream: Any = None, max_version: Optional[tuple[int, int]] = None,
                   dl_device: Optional[tuple[int, int]] = None, copy: Optional[bool] = None) -> Any:
        """A capsule of DLPack, which torch.from_dlpack and numpy.from_dlpack take; BufferError where it has no word for
        the dtype, or for memory that is read-only (before version 1.0)."""
        from ._exports import dlpack

        if stream is not None:
            raise BufferError("memory of the CPU has no streams: stream must be None")
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferError(f"dl_device is {tuple(dl_device)}, the memory is the CPU's: (1, 0)")
        return dlpack(self, max_version, copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        """The CPU."""
        return 1, 0

    def __buffer__(self, flags: int) -> memoryview:
        """The buffer protocol, from Python 3.12 on (PEP 688): memoryview(array)."""
        from ._exports import buffer

        return buffer(self)

    def __copy__(self) -> Array:
        return self._with(_raw.Layout.from_buffer_copy(self._raw))

    def __reduce__(self) -> Any:
        raise TypeError("an Array looks at memory that is somebody else's: pickle or deep-copy that, or its tobytes()")

    def numpy(self) -> np.ndarray[Any, Any]:
        """A numpy.ndarray of the same memory."""
        numpy, dtype = _dtypes.numpy_module(), _dtypes.numpy_dtype(self._number)
        if numpy is None:
            raise ImportError("NumPy is not installed")
        if dtype is None:
            raise TypeError(f"NumPy has no dtype for {self.dtype}")
        if _dtypes.typestr_of(self._number) is not None:
            made: np.ndarray[Any, Any] = numpy.asarray(self)
            return made
        plain = self.__copy__()
        plain._tag = b""
        if self._item:
            plain._item = _raw.DTYPE_BYTES | self.itemsize
        else:
            plain._raw.dtype = _raw.DTYPE_BYTES | self.itemsize
        made = numpy.asarray(plain).view(dtype)
        return made

    def tobytes(self) -> bytes:
        """All elements, row-major and side by side."""
        from ._copy import copy

        packed = empty(self.dtype, self.shape)
        copy(packed, self)
        return ctypes.string_at(packed._base, self.nbytes)

    def __len__(self) -> int:
        if not self.ndim:
            raise TypeError("an array without dimensions has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator[Array]:
        return (self[index] for index in range(len(self)))

    def __bool__(self) -> bool:
        raise TypeError("an array is neither true nor false: ask its size, or compare its elements")

    __contains__ = None  # No values are compared one by one.

    def __repr__(self) -> str:
        return f"<stride.Array {self.layout!r} at {self._base:#x}{', read-only' if self.readonly else ''}>"


def empty(dtype: Any, shape: Any) -> Array:
    """A packed array with memory of its own, a bytearray, which is all zeros at first.

    >>> empty("u8", (2, 3)).tobytes()
    b'\\x00\\x00\\x00\\x00\\x00\\x00'
    """
    layout = Layout(dtype, shape)
    memory = bytearray(layout.min_bytes)
    whole = array(memory)
    return Array(layout._raw, whole._base, (memory, whole), False)


def array(x: Any) -> Array:
    """The array that an object is, without a copy: whatever has the buffer protocol, `__array_interface__` or DLPack.

    >>> array(memoryview(bytes(24)).cast("i", (2, 3)))[::-1].layout
    Layout('s32', (2, 3), strides=(-3, 1), offset=3)
    """
    if isinstance(x, Array):
        return x
    if type(x) in numpy_types:
        seen = Seen()
        if quick_look(ctypes.addressof(seen), x):
            return Array(seen, seen.base, x, bool(seen.readonly))
    try:
        export = _Export(x)
    except (TypeError, ValueError, BufferError) as problem:
        return _without_buffer(x, problem)
    if type(x) not in plain_types and _meet(x):
        return array(_of_time(x))
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
                 readonly: bool, tag: bytes = b"") -> Array:
    """An array of elements whose strides are no whole number of them."""
    raw = _raw.Layout()
    call(lib.stride_layout_init_byte_strides, raw, _raw.DTYPE_U8, len(sizes), int64s(sizes), int64s(byte_strides))
    made = _rebased(raw, address, owner, readonly, tag)
    made._item = number
    return made


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
    """An array of a scalar's value, which nobody writes."""
    made = sys.modules["numpy"].asarray(x)
    made.flags.writeable = False
    return made


def _rebased(raw: _raw.Layout, address: int, owner: Any, readonly: bool, tag: bytes) -> Array:
    """An array whose layout counts from its lowest element."""
    tag = b"" if _UNTYPED.fullmatch(tag) else tag
    rank = raw.rank
    if raw.offset or (rank and min(raw.strides[:rank]) < 0):
        shift = ctypes.c_int64()
        call(lib.stride_layout_rebase, raw, raw, shift)
        address += shift.value
    return Array(raw, address, owner, readonly, tag)


def _one_way(tag: bytes) -> bytes:
    """A buffer's format, in one way for each type: NumPy writes "l" or "=q" by the alignment of the pointer, ctypes "<q"."""
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


def _without_buffer(x: Any, problem: Exception) -> Array:
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


def _of_interface(x: Any, interface: dict[str, Any]) -> Array:
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
    layout: Any
    apart: Any = None  # The byte strides, if they are no whole number of elements.
    if strides is None:
        layout = Layout(number and _dtypes.name_of(number), shape)
    else:
        if len(strides) != len(shape):
            raise ValueError(f"the array interface has {len(strides)} strides and {len(shape)} sizes")
        try:
            layout = Layout._made(lib.stride_layout_init_byte_strides, _dtypes.name_of(number), shape, int64s(strides))
        except InvalidStrideError:
            apart, layout = strides, Layout.of_bytes(_dtypes.name_of(number), shape, strides)
    owner: Any = x
    if isinstance(data, tuple) and len(data) == 2:
        address, readonly = uint64(data[0]), bool(data[1])
    elif isinstance(data, tuple):
        raise TypeError("the data of an array interface is an address and whether it is read-only")
    elif data is not None:
        memory = array(data)
        first, length = memory._flat("the data of an array interface")
        start = int(interface.get("offset", 0))
        lowest, end = (start + number * layout.itemsize for number in (layout.span[0], layout.span[1] + 1))
        if layout.size and not 0 <= lowest <= end <= length:
            raise ValueError(f"the array interface describes bytes {lowest} to {end} of its data, which has {length}")
        address, readonly, owner = first + start, memory.readonly, (x, memory)
    else:
        raise TypeError("an array interface without data")
    tag = _tag_of(typestr, descr) if _dtypes.is_bytes(number) else b""
    if apart is not None:
        return _at_any_byte(number, shape, apart, address, owner, readonly, tag)
    return _rebased(layout._raw, address, owner, readonly, tag)


def _number_of(dtype: Any, typestr: str) -> int:
    """A dtype's number; plain bytes, which the tag tells apart, of what is no number in the other byte order."""
    try:
        return _dtypes.number_of(dtype)
    except InvalidDtypeError as refused:
        if refused.detail != _raw.DETAIL_BYTE_ORDER:
            raise
        return _dtypes.number_of("|V" + typestr[2:].partition("[")[0])


def _tag_of(typestr: str, descr: Any) -> bytes:
    """What the buffer protocol writes for text and long doubles; the fields of a struct, the type string itself where
    it has no word."""
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


def _of_dlpack(x: Any) -> Array:
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
