"""Blocked layouts: buffers whose dimensions are digits of the indices, in any order, as the scale factors of MXFP8 and
NVFP4 lie; and copies into and out of them.

    >>> from stride import blocks
    >>> scales = blocks.Blocked(blocks.SCALE_TILES, "f8e8m0fnu", (200, 6))
    >>> scales.nbytes, scales.padded_sizes, scales.position(32, 0)
    (2048, (256, 8), 4)
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, Optional, overload

from . import _dtypes, _raw
from ._arrays import new
from ._layout import Layout
from ._library import call, int64, int64s, lib, list_of, text_of
from ._memory import array
from ._plan import copy_sides
from ._types import Out

__all__ = ["SCALE_TILES", "Blocked", "copy"]

#: Scale factors of a matrix in tiles of 128 x 4: element (m, k) of a tile lies at m % 32 * 16 + m // 32 * 4 + k.
SCALE_TILES = "a/128 b/4 a%32 a/32%4 b%4"


class Blocked:
    """The blocks of a text, slowest first, for these sizes. A block is the digit `index // step % size` of one index: a
    letter for the dimension, "/step" where that is not 1, "%size" but for as many as the dimension needs.

    >>> Blocked("a/2 b a%2", "bf16", (4, 3)).position(1, 0)      # pairs of rows side by side
    1
    """

    __slots__ = ("_raw",)

    def __init__(self, text: str, dtype: Any, sizes: Sequence[int]) -> None:
        self._raw = _raw.Blocked()
        encoded, numbers = text.encode(), int64s(sizes)
        call(lib.stride_blocked_parse, encoded, len(encoded), _dtypes.number_of(dtype), len(numbers), numbers,
             self._raw)

    @property
    def dtype(self) -> str:
        """libstride's name of the element type."""
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
    def blocks(self) -> tuple[tuple[int, int, int], ...]:
        """Dimension, step and size of each block, slowest first; size 0: as many as the dimension needs."""
        lists = (self._raw.block_dims, self._raw.block_steps, self._raw.block_sizes)
        return tuple(zip(*(of[:self._raw.block_count] for of in lists)))

    @property
    def nbytes(self) -> int:
        """Bytes of the buffer, padding included."""
        out = ctypes.c_uint64()
        call(lib.stride_blocked_byte_size, self._raw, out)
        return out.value

    @property
    def padded_sizes(self) -> tuple[int, ...]:
        """What the blocks of each dimension hold."""
        out = list_of(ctypes.c_int64, self.ndim)()
        call(lib.stride_blocked_padded_sizes, self._raw, self.ndim, out)
        return tuple(out)

    def position(self, *index: int) -> int:
        """The position of an element in the buffer, counted in elements."""
        out, numbers = ctypes.c_int64(), int64s(index)
        call(lib.stride_blocked_linear_index, self._raw, len(numbers), numbers, out)
        return out.value

    def index(self, position: int) -> tuple[int, ...]:
        """The index of the element at a position; NotRepresentableError where padding lies."""
        out = list_of(ctypes.c_int64, self.ndim)()
        call(lib.stride_blocked_multi_index, self._raw, int64(position), self.ndim, out)
        return tuple(out)

    def layout(self) -> Layout:
        """The whole buffer, padding included, as a packed layout with a dimension for each block.

        >>> Blocked(SCALE_TILES, "u8", (200, 6)).layout().shape
        (2, 2, 32, 4, 4)
        """
        out = _raw.Layout()
        call(lib.stride_layout_from_blocked, self._raw, out)
        return Layout._of_raw(out)

    @overload
    def pack(self, x: Any, *, out: None = None, fill: bytes = b"\0", threads: Optional[int] = None) -> bytearray: ...
    @overload
    def pack(self, x: Any, *, out: Out, fill: bytes = b"\0", threads: Optional[int] = None) -> Out: ...

    def pack(self, x: Any, *, out: Any = None, fill: bytes = b"\0", threads: Optional[int] = None) -> Any:
        """An array as a buffer of these blocks, flat bytes; padding gets `fill`, one byte for all of it or one
        element's bytes.

        >>> bytes(Blocked("a/2 b a%2", "u8", (3, 2)).pack(array(b"abcdef").reshape(3, 2), fill=b"."))
        b'acbde.f.'
        """
        if out is None:
            out = bytearray(self.nbytes)
        copy(out, x, dst_blocked=self, fill=fill, threads=threads)
        return out

    @overload
    def unpack(self, buffer: Any, *, out: None = None, threads: Optional[int] = None) -> Any: ...
    @overload
    def unpack(self, buffer: Any, *, out: Out, threads: Optional[int] = None) -> Out: ...

    def unpack(self, buffer: Any, *, out: Any = None, threads: Optional[int] = None) -> Any:
        """The elements of a buffer of these blocks as a row-major array: a numpy.ndarray where NumPy is there and has
        the type, else a `stride.Array`.

        >>> bytes(Blocked("a/2 b a%2", "u8", (3, 2)).unpack(b"acbde.f.").tobytes())
        b'abcdef'
        """
        if out is None:
            out = new(None, _dtypes.number_of(self.dtype), self.sizes)
        copy(out, buffer, src_blocked=self, threads=threads)
        return out

    def _key(self) -> tuple[Any, ...]:
        return self.dtype, self.sizes, self.blocks

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Blocked) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Any, ...]:
        return Blocked, (str(self), self.dtype, self.sizes)

    def __str__(self) -> str:
        return text_of(lib.stride_blocked_format, self._raw)

    def __repr__(self) -> str:
        return f"Blocked({str(self)!r}, {self.dtype!r}, {self.sizes})"


def copy(dst: Any, src: Any, *, dst_blocked: Optional[Blocked] = None, src_blocked: Optional[Blocked] = None,
         fill: Optional[bytes] = None, threads: Optional[int] = None) -> None:
    """Copies between two buffers of which either may be blocked: a blocked side is flat bytes, the other one an array.
    `fill`, one byte or one element's bytes, goes to the padding of the destination."""
    stored = dst_blocked._raw.dtype if dst_blocked else None
    copy_sides(lib.stride_blocked_plan_init, "blocks", dst, src, dst_blocked, src_blocked, stored, fill, threads)
