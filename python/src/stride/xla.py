"""XLA's shapes, with their order, padding and tiles, and copies into and out of buffers that have them.

    >>> from stride import xla
    >>> shape = xla.Shape("bf16[30,100]{1,0:T(8,128)(2,1)}")
    >>> shape.nbytes, shape.position(9, 99)
    (8192, 1223)
    >>> list(Shape("u8[3,3]{1,0:T(2,2)}").pack(array(bytes(range(1, 10))).reshape(3, 3)))
    [1, 2, 4, 5, 3, 0, 6, 0, 7, 8, 0, 0, 9, 0, 0, 0]
    >>> list(Shape("s4[3]").unpack(b"\\x01\\x02\\xff").tobytes())
    [1, 2, 255]
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Optional

from . import _copy, _dtypes, _raw
from ._copy import equal
from ._forms import Form
from ._layout import Layout
from ._library import call, int64s, lib, text_of
from ._memory import array

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._types import How

__all__ = ["Shape", "copy", "equal"]


class Shape(Form):
    """An array shape with its layout, as XLA writes it: "f32[3,5]{1,0:T(2,2)}"."""

    __slots__ = ()
    _side_kind, _what = _raw.SIDE_SHAPE, "a shape"
    _to_layout, _format = lib.stride_layout_from_xla, lib.stride_xla_shape_format
    _byte_size = lib.stride_xla_shape_byte_size
    _linear_index, _multi_index = lib.stride_xla_linear_index, lib.stride_xla_multi_index

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

    def describe(self) -> str:
        """All of the shape, for people."""
        return text_of(lib.stride_xla_shape_describe, self._raw)

    @property
    def _number(self) -> int:
        return _stored(self.dtype, self._raw.element_bits)

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

    def __repr__(self) -> str:
        return f"Shape({self.describe()!r})"


@functools.lru_cache(maxsize=512)
def _stored(dtype: str, element_bits: int) -> int:
    """The dtype of one element as a buffer stores it in so many bits."""
    one = Shape.of(dtype, ())
    one._raw.element_bits = element_bits
    return one.layout()._number


def _of_bytes(data: bytes) -> Shape:
    shape = Shape.__new__(Shape)
    shape._raw = _raw.XlaShape.from_buffer_copy(data)
    call(lib.stride_xla_shape_validate, shape._raw)
    return shape


def copy(dst: Any, src: Any, *, dst_shape: Optional[Shape] = None, src_shape: Optional[Shape] = None,
         fill: Any = None, **how: Unpack[How]) -> None:
    """`stride.copy` between two buffers of which either may have a shape: a side with a shape is flat bytes, the other
    one an array. `fill` goes to the padding of the destination."""
    _copy.copy(dst, src, dst_side=dst_shape, src_side=src_shape, fill=fill, **how)
