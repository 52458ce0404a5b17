"""XLA's shapes, with their order, padding and tiles, and copies into and out of buffers that have them.

    >>> from stride import xla
    >>> shape = xla.Shape("bf16[30,100]{1,0:T(8,128)(2,1)}")
    >>> shape.nbytes, shape.position(9, 99)
    (8192, 1223)
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, Optional, overload

from . import _dtypes, _raw
from ._arrays import new
from ._copy import equal
from ._layout import Layout
from ._library import call, int64, int64s, lib, list_of, text_of
from ._memory import array
from ._plan import copy_sides
from ._types import Out

__all__ = ["Shape", "copy", "equal"]


class Shape:
    """An array shape with its layout, as XLA writes it: "f32[3,5]{1,0:T(2,2)}"."""

    __slots__ = ("_raw",)

    def __init__(self, text: str) -> None:
        self._raw = _raw.XlaShape()
        encoded = text.encode()
        call(lib.stride_xla_shape_parse, encoded, len(encoded), self._raw)

    @classmethod
    def _made(cls, function: Any, *arguments: Any) -> Shape:
        shape = cls.__new__(cls)
        shape._raw = _raw.XlaShape()
        call(function, *arguments, shape._raw)
        return shape

    @classmethod
    def of(cls, dtype: Any, sizes: Sequence[int], minor_to_major: Optional[Sequence[int]] = None) -> Shape:
        """A shape without padding and tiles; the order lists the dimensions fastest first, None is row-major."""
        if minor_to_major is not None and len(minor_to_major) != len(sizes):
            raise ValueError(f"{len(sizes)} sizes and {len(minor_to_major)} dimensions")
        shape, numbers = cls.__new__(cls), int64s(sizes)
        shape._raw = _raw.XlaShape()
        call(lib.stride_xla_shape_init, shape._raw, _dtypes.number_of(dtype), len(numbers), numbers,
             None if minor_to_major is None else int64s(minor_to_major))
        return shape

    @classmethod
    def of_tag(cls, tag: str, dtype: Any, sizes: Sequence[int]) -> Shape:
        """A blocked format of oneDNN, TVM or TensorRT by its name: "nChw16c".

        >>> Shape.of_tag("nChw16c", "f32", (1, 20, 4, 4)).nbytes
        2048
        """
        encoded, numbers = tag.encode(), int64s(sizes)
        return cls._made(lib.stride_xla_shape_parse_tag, encoded, len(encoded), _dtypes.number_of(dtype), len(numbers),
                         numbers)

    @classmethod
    def of_layout(cls, layout: Layout) -> Shape:
        """The shape of a layout, padded where that has gaps."""
        return cls._made(lib.stride_layout_to_xla_padded, layout._raw)

    @property
    def dtype(self) -> str:
        """libstride's name of the element type, which is XLA's but for "uint4", "uint2" and "uint1"."""
        return _dtypes.name_of(self._raw.dtype)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Elements along each dimension."""
        return tuple(self._raw.sizes[:self._raw.rank])

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return int(self._raw.rank)

    @property
    def minor_to_major(self) -> tuple[int, ...]:
        """The dimensions, fastest first."""
        return tuple(self._raw.minor_to_major[:self._raw.rank])

    @property
    def tiles(self) -> tuple[tuple[int, ...], ...]:
        """The sizes of each tile; -2**63 joins a dimension with the next one, text *."""
        tiles, first = [], 0
        for number in range(self._raw.tile_count):
            rank = self._raw.tile_ranks[number]
            tiles.append(tuple(self._raw.tile_sizes[first:first + rank]))
            first += rank
        return tuple(tiles)

    @property
    def nbytes(self) -> int:
        """Bytes of the buffer, padding included."""
        out = ctypes.c_uint64()
        call(lib.stride_xla_shape_byte_size, self._raw, out)
        return out.value

    def position(self, *index: int) -> int:
        """The position of an element in the buffer, counted in elements."""
        out, numbers = ctypes.c_int64(), int64s(index)
        call(lib.stride_xla_linear_index, self._raw, len(numbers), numbers, out)
        return out.value

    def index(self, position: int) -> tuple[int, ...]:
        """The index of the element at a position; NotRepresentableError where padding lies."""
        out = list_of(ctypes.c_int64, self.ndim)()
        call(lib.stride_xla_multi_index, self._raw, int64(position), self.ndim, out)
        return tuple(out)

    def layout(self) -> Layout:
        """The same as a layout; NotRepresentableError where tiles move elements so that no strides say it."""
        out = _raw.Layout()
        call(lib.stride_layout_from_xla, self._raw, out)
        return Layout._of_raw(out)

    def describe(self) -> str:
        """All of the shape, for people."""
        return text_of(lib.stride_xla_shape_describe, self._raw)

    @overload
    def pack(self, x: Any, *, out: None = None, fill: bytes = b"\0", threads: Optional[int] = None) -> bytearray: ...
    @overload
    def pack(self, x: Any, *, out: Out, fill: bytes = b"\0", threads: Optional[int] = None) -> Out: ...

    def pack(self, x: Any, *, out: Any = None, fill: bytes = b"\0", threads: Optional[int] = None) -> Any:
        """An array as a buffer of this shape, flat bytes; padding gets `fill`, one byte for all of it or one element's
        bytes.

        >>> bytes(Shape("u8[3,3]{1,0:T(2,2)}").pack(array(bytes(range(1, 10))).reshape(3, 3)))
        b'\\x01\\x02\\x04\\x05\\x03\\x00\\x06\\x00\\x07\\x08\\x00\\x00\\t\\x00\\x00\\x00'
        """
        if out is None:
            out = bytearray(self.nbytes)
        copy(out, x, dst_shape=self, fill=fill, threads=threads)
        return out

    @overload
    def unpack(self, buffer: Any, *, out: None = None, threads: Optional[int] = None) -> Any: ...
    @overload
    def unpack(self, buffer: Any, *, out: Out, threads: Optional[int] = None) -> Out: ...

    def unpack(self, buffer: Any, *, out: Any = None, threads: Optional[int] = None) -> Any:
        """The elements of a buffer of this shape as a row-major array: a numpy.ndarray where NumPy is there and has the
        type, else a `stride.Array`. Where the buffer stores more bits than the type has, it has the type of as many.

        >>> list(Shape("s4[3]").unpack(b"\\x01\\x02\\xff").tobytes())
        [1, 2, 255]
        """
        if out is None:
            out = new(None, self._stored._number, self.sizes)
        copy(out, buffer, src_shape=self, threads=threads)
        return out

    @property
    def _stored(self) -> Layout:
        """One element as the buffer stores it: its type has as many bits."""
        one = Shape.of(self.dtype, ())
        one._raw.element_bits = self._raw.element_bits
        return one.layout()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Shape):
            return NotImplemented
        answer = ctypes.c_uint32()
        call(lib.stride_xla_shapes_equal, self._raw, other._raw, 0, answer)
        return bool(answer.value)

    def __hash__(self) -> int:
        return hash((self.dtype, self.sizes, self.minor_to_major, self.tiles))

    def __reduce__(self) -> tuple[Any, ...]:
        return _of_bytes, (bytes(self._raw),)

    def __str__(self) -> str:
        return text_of(lib.stride_xla_shape_format, self._raw)

    def __repr__(self) -> str:
        return f"Shape({self.describe()!r})"


def _of_bytes(data: bytes) -> Shape:
    shape = Shape.__new__(Shape)
    shape._raw = _raw.XlaShape.from_buffer_copy(data)
    call(lib.stride_xla_shape_validate, shape._raw)
    return shape


def copy(dst: Any, src: Any, *, dst_shape: Optional[Shape] = None, src_shape: Optional[Shape] = None,
         fill: Optional[bytes] = None, threads: Optional[int] = None) -> None:
    """Copies between two buffers of which either may have a shape: a side with a shape is flat bytes, the other one an
    array. `fill`, one byte or one element's bytes, goes to the padding of the destination."""
    stored = dst_shape._stored._raw.dtype if dst_shape else None
    copy_sides(lib.stride_xla_plan_init, "a shape", dst, src, dst_shape, src_shape, stored, fill, threads)
