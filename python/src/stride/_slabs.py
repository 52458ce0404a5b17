"""Jobs that are done slab by slab, with a word after each: for arrays larger than memory."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Optional

from .errors import Stopped

if TYPE_CHECKING:
    from ._types import Progress

#: Bytes of a slab.
SLAB_BYTES = 1 << 26


class Slabs:
    """Whether a copy is made slab by slab, the size of a slab, and the callback for progress."""

    __slots__ = ("_done", "_progress", "bytes", "wanted")

    def __init__(self, progress: Optional[Progress], slab_bytes: Optional[int]) -> None:
        self._progress, self._done = progress, 0
        self.bytes = SLAB_BYTES if slab_bytes is None else slab_bytes
        self.wanted = progress is not None or slab_bytes is not None
        if self.bytes < 1:
            raise ValueError(f"slab_bytes is {slab_bytes}, at least 1 is needed")

    def boxes(self, shape: Sequence[int], bits: int, steps: Sequence[int],
              uncut: Collection[int] = ()) -> Iterator[tuple[tuple[int, ...], list[int]]]:
        """Starts and sizes of boxes that are no larger. Each cut halves the dimension that reaches farthest, by its
        steps, so that the boxes of a transpose are near squares and both sides are read and written in long runs."""
        sizes, count = list(shape), math.prod(shape)
        while count * bits > 8 * self.bytes:
            axes = [axis for axis in range(len(sizes)) if sizes[axis] > 1 and axis not in uncut]
            if not axes:
                break
            axis = max(axes, key=lambda axis: sizes[axis] * steps[axis])
            count = count // sizes[axis] * ((sizes[axis] + 1) // 2)
            sizes[axis] = (sizes[axis] + 1) // 2
        starts = [range(0, whole, size) if count else range(1) for whole, size in zip(shape, sizes)]
        for start in itertools.product(*starts):
            yield start, [min(size, whole - first) for first, size, whole in zip(start, sizes, shape)]

    def done(self, nbytes: int, total: int) -> None:
        """So many bytes more of all."""
        self._done = min(total, self._done + nbytes)  # Below a byte each piece is rounded up.
        answer = True if self._progress is None else self._progress(self._done, total)
        if answer is False or (hasattr(answer, "dtype") and not answer):
            raise Stopped(self._done, total)
