"""Blocked layouts: buffers whose dimensions are digits of the indices, in any order, as the scale factors of MXFP8 and
NVFP4 lie; and copies into and out of them.

    >>> from stride import blocks
    >>> scales = blocks.Blocked(blocks.SCALE_TILES, "f8e8m0fnu", (200, 6))
    >>> scales.nbytes, scales.padded_sizes, scales.position(32, 0)
    (2048, (256, 8), 4)
    >>> scales.layout().shape                     # the whole buffer, a dimension for each block
    (2, 2, 32, 4, 4)
    >>> pairs = Blocked("a/2 b a%2", "u8", (3, 2))
    >>> bytes(pairs.pack(array(b"abcdef").reshape(3, 2), fill=b"."))
    b'acbde.f.'
    >>> bytes(pairs.unpack(b"acbde.f.").tobytes())
    b'abcdef'
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Optional

from . import _copy, _dtypes, _raw
from ._forms import Form
from ._library import call, int64s, lib, list_of
from ._memory import array

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._types import How

__all__ = ["SCALE_TILES", "Blocked", "copy"]

#: Scale factors of a matrix in tiles of 128 x 4: element (m, k) of a tile lies at m % 32 * 16 + m // 32 * 4 + k.
SCALE_TILES = "a/128 b/4 a%32 a/32%4 b%4"


class Blocked(Form):
    """The blocks of a text, slowest first, for these sizes. A block is the digit `index // step % size` of one index: a
    letter for the dimension, "/step" where that is not 1, "%size" but for as many as the dimension needs.

    >>> Blocked("a/2 b a%2", "bf16", (4, 3)).position(1, 0)      # pairs of rows side by side
    1
    """

    __slots__ = ()
    _side_kind, _what = _raw.SIDE_BLOCKED, "blocks"
    _to_layout, _format = lib.stride_layout_from_blocked, lib.stride_blocked_format
    _byte_size = lib.stride_blocked_byte_size
    _linear_index, _multi_index = lib.stride_blocked_linear_index, lib.stride_blocked_multi_index

    def __init__(self, text: str, dtype: Any, sizes: Sequence[int]) -> None:
        self._raw = _raw.Blocked()
        encoded, numbers = text.encode(), int64s(sizes)
        call(lib.stride_blocked_parse, encoded, len(encoded), _dtypes.number_of(dtype), len(numbers), numbers,
             self._raw)

    @property
    def blocks(self) -> tuple[tuple[int, int, int], ...]:
        """Dimension, step and size of each block, slowest first; size 0: as many as the dimension needs."""
        lists = (self._raw.block_dims, self._raw.block_steps, self._raw.block_sizes)
        return tuple(zip(*(of[:self._raw.block_count] for of in lists)))

    @property
    def padded_sizes(self) -> tuple[int, ...]:
        """The sizes with padding, which the blocks hold."""
        out = list_of(ctypes.c_int64, self.ndim)()
        call(lib.stride_blocked_padded_sizes, self._raw, self.ndim, out)
        return tuple(out)

    def _key(self) -> tuple[Any, ...]:
        return self.dtype, self.sizes, self.blocks

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Blocked) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Any, ...]:
        return Blocked, (str(self), self.dtype, self.sizes)

    def __repr__(self) -> str:
        return f"Blocked({str(self)!r}, {self.dtype!r}, {self.sizes})"


def copy(dst: Any, src: Any, *, dst_blocked: Optional[Blocked] = None, src_blocked: Optional[Blocked] = None,
         fill: Any = None, **how: Unpack[How]) -> None:
    """`stride.copy` between two buffers of which either may be blocked: a blocked side is flat bytes, the other one an
    array. `fill` goes to the padding of the destination."""
    _copy.copy(dst, src, dst_side=dst_blocked, src_side=src_blocked, fill=fill, **how)
