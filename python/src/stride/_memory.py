"""Arrays: a layout together with the memory that it is of, without a copy. The object whose memory it is, and its claim
on the memory, stay alive for as long as the `Array` does."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Optional, final

from . import _dtypes, _raw
from ._execute import copy_layouts
from ._exports import buffer, dlpack
from ._foreign import bytes_of_items, look_at
from ._layout import Layout
from ._library import call, lib
from ._views import Views

if TYPE_CHECKING:
    import numpy as np


class Array(Views):
    """A layout with the memory of some object. Its views share the memory; `numpy()` and `numpy.asarray` look at it.

    >>> memory = bytearray(range(6))
    >>> rows = Array.of(memory).reshape(2, 3)
    >>> rows.T.tobytes()
    b'\\x00\\x03\\x01\\x04\\x02\\x05'
    """

    __slots__ = ("_base", "_owner", "_readonly", "_tag")

    def __init__(self, raw: _raw.Layout, base: int, owner: Any, readonly: bool, tag: bytes = b"") -> None:
        self._raw, self._base, self._owner, self._tag, self._facts_ = raw, base, owner, tag, None
        self._readonly = readonly

    @staticmethod
    def of(x: Any) -> Array:
        """The array that `stride.array` makes."""
        return array(x)

    def _with(self, raw: _raw.Layout) -> Array:
        tag = self._tag if raw.dtype == self._raw.dtype else b""
        return Array(raw, self._base, self._owner, self.readonly, tag)

    def _bytes(self, swapped: bool) -> _raw.Layout:
        """The layout of the elements' bytes, each a dimension more; in the order of a dtype that is swapped, or not."""
        raw, out = _raw.Layout.from_buffer_copy(self._raw), _raw.Layout()
        raw.dtype = _in_order(self._number, swapped)
        call(lib.stride_layout_as_bytes, raw, out)
        return out

    @property
    def layout(self) -> Layout:
        """The elements' layout, counted from `address`; of elements at any byte (a field of packed records) that of
        their bytes (`Layout.of_bytes`)."""
        return Layout._of_raw(self._whole())

    @property
    def address(self) -> int:
        """The address that the layout counts from."""
        return self._base

    @property
    def readonly(self) -> bool:
        """Whether the memory may not be written."""
        return self._readonly

    def _begin(self) -> tuple[int, int]:
        """The address of index (0, ..., 0), and the bit in that byte."""
        bits = int(self._raw.offset) * _dtypes.bits_of(self._raw.dtype)
        return self._base + bits // 8, bits % 8

    def _flat(self, name: str) -> tuple[int, int]:
        """Address and length of its bytes, which have no gaps."""
        begin, bit = self._begin()
        if not self.is_contiguous:
            raise ValueError(f"{name} is not a buffer without gaps")
        if self.size and bit:
            raise ValueError(f"{name} begins within a byte")
        return begin if self.size else self._base, self.nbytes

    @property
    def __array_interface__(self) -> dict[str, Any]:
        typestr = _dtypes.typestr_of(self._number)
        if typestr is None:
            raise AttributeError(f"NumPy has no word for {self.dtype}")
        return {"version": 3, "typestr": typestr, "shape": self.shape, "strides": self.byte_strides,
                "data": (self._begin()[0] if self.size else self._base or 1, self.readonly)}

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
        if stream is not None:
            raise BufferError("memory of the CPU has no streams: stream must be None")
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferError(f"dl_device is {tuple(dl_device)}, the memory is the CPU's: (1, 0)")
        return dlpack(self._packed() if copy else self, max_version, bool(copy))

    def __dlpack_device__(self) -> tuple[int, int]:
        """The CPU."""
        return 1, 0

    def __buffer__(self, flags: int) -> memoryview:
        """The buffer protocol, from Python 3.12 on (PEP 688): memoryview(array)."""
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
        made = numpy.asarray(self.reinterpret(f"bytes{self.itemsize}")).view(dtype)
        return made

    def tobytes(self) -> bytes:
        """All elements, row-major and side by side."""
        packed = self._packed()
        return ctypes.string_at(packed._base, self.nbytes)

    def _packed(self) -> Array:
        """Its elements in memory of their own."""
        packed = empty(self.dtype, self.shape)
        copy_layouts(packed._raw, packed._base, self._raw, self._base, self.nbytes)
        return packed

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


@final
class FieldArray(Array):
    """A field of packed records: elements at any byte, whose strides are no whole number of them. `_raw` is of u8, its
    offset and strides are bytes."""

    __slots__ = ("_item",)

    def __init__(self, raw: _raw.Layout, base: int, owner: Any, readonly: bool, tag: bytes, item: int) -> None:
        super().__init__(raw, base, owner, readonly, tag)
        #: The elements' dtype.
        self._item = item

    def _with(self, raw: _raw.Layout) -> FieldArray:
        return FieldArray(raw, self._base, self._owner, self.readonly, self._tag, self._item)

    @property
    def _number(self) -> int:
        return self._item

    def _bytes(self, swapped: bool) -> _raw.Layout:
        return bytes_of_items(self._raw, _in_order(self._item, swapped))

    def _whole(self) -> _raw.Layout:
        return bytes_of_items(self._raw, self._item)

    def _facts(self) -> _raw.LayoutFacts:
        if self._facts_ is None:
            self._facts_ = Layout._of_raw(self._bytes(False))._facts()
        return self._facts_

    @property
    def strides(self) -> tuple[int, ...]:
        raise ValueError("elements that lie at any byte have no strides in elements; byte_strides tells those in bytes")

    @property
    def contiguous_run(self) -> int:
        return super().contiguous_run // self.itemsize

    def reinterpret(self, dtype: Any) -> FieldArray:
        number = _dtypes.number_of(dtype)
        if _dtypes.bits_of(number) != _dtypes.bits_of(self._item):
            raise ValueError(f"elements of {self.dtype} at any byte are no elements of {_dtypes.name_of(number)}")
        return FieldArray(self._raw, self._base, self._owner, self.readonly, b"", number)

    def _packed(self) -> Array:
        packed = empty(self.dtype, self.shape)
        copy_layouts(packed._bytes(False), packed._base, self._bytes(False), self._base, self.nbytes)
        return packed


def _in_order(number: int, swapped: bool) -> int:
    """A dtype, byte-swapped or not; plain bytes have no order."""
    if _dtypes.is_bytes(number):
        return number
    return number | _raw.DTYPE_SWAPPED if swapped else number & ~_raw.DTYPE_SWAPPED


def empty(dtype: Any, shape: Any) -> Array:
    """A packed array with memory of its own, a bytearray, which is all zeros at first.

    >>> empty("u8", (2, 3)).tobytes()
    b'\\x00\\x00\\x00\\x00\\x00\\x00'
    """
    layout = Layout(dtype, shape)
    memory = bytearray(layout.min_bytes)
    whole = array(memory)
    return Array(layout._raw, whole._base, (memory, whole), False)


def new(like: Any, number: int, shape: tuple[int, ...], fortran: bool = False, same: bool = True) -> Any:
    """Memory for packed elements of a dtype, as the kind of array that `like` is. `same`: it is the dtype of `like`."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(like, torch.Tensor):
        dtype = like.dtype if same else _dtypes.torch_dtype(torch, number)
        if dtype is not None:
            made = torch.empty(shape[::-1] if fortran else shape, dtype=dtype)
            return made.permute(*range(made.ndim - 1, -1, -1)) if fortran else made
    numpy = _dtypes.numpy_module()
    if numpy is not None and not isinstance(like, Array):
        dtype = like.dtype if same and isinstance(like, numpy.ndarray) else _dtypes.numpy_dtype(number)
        if dtype is not None:
            return numpy.empty(shape, dtype, order="F" if fortran else "C")
    made = empty(_dtypes.name_of(number), shape[::-1] if fortran else shape)
    return made.T if fortran else made


def array(x: Any) -> Array:
    """The array that an object is, without a copy: whatever has the buffer protocol, `__array_interface__` or DLPack.

    >>> array(memoryview(bytes(24)).cast("i", (2, 3)))[::-1].layout
    Layout('s32', (2, 3), strides=(-3, 1), offset=3)
    """
    if isinstance(x, Array):
        return x
    seen = look_at(x)
    return FieldArray(*seen) if seen.item else Array(*seen[:-1])
