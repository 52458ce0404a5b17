"""Plans: copies prepared once."""

from __future__ import annotations

import ctypes
import operator
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

from . import _raw
from ._execute import execute
from ._layout import Layout
from ._library import UNBOUNDED, call, lib, list_of, set_fields, text_of
from ._memory import array
from ._native import Prepared, quick_execute
from ._sides import Side, like, options_of, side_of
from ._slabs import Slabs
from ._threads import THREADED_BYTES, parts_of

if TYPE_CHECKING:
    from ._types import Progress

_KINDS = {number: name.removeprefix("COPY_KIND_").lower() for name, number in vars(_raw).items()
          if name.startswith("COPY_KIND_")}

_APIS = {name.removeprefix("REGION_API_").lower(): number for name, number in vars(_raw).items()
         if name.startswith("REGION_API_")}


class Region(NamedTuple):
    """Rows of a copy: row (j, i) begins i * pitches[0] + j * pitches[1] after the offset of its side."""

    dst_offset: int
    src_offset: int
    row_bytes: int
    counts: tuple[int, int]
    dst_pitches: tuple[int, int]
    src_pitches: tuple[int, int]


class Plan:
    """A copy prepared once, from the layouts of both sides, for any number of pairs of buffers; many threads may use it
    at once.

    >>> rows = Layout("u8", (2, 3))
    >>> plan = Plan(Layout.ordered("u8", (2, 3), (0, 1)), rows)
    >>> columns = bytearray(6)
    >>> plan.execute(columns, bytes(range(6)))
    >>> list(columns)
    [0, 3, 1, 4, 2, 5]
    """

    __slots__ = ("_address", "_alone", "_dst", "_facts", "_prepared", "_raw", "_small", "_src")

    def __init__(self, dst: Any, src: Any, *, fill: Any = None, overlap: bool = False, assume_distinct: bool = False,
                 keep_cached: bool = False) -> None:
        flags = (overlap and _raw.COPY_OVERLAP) | (assume_distinct and _raw.COPY_ASSUME_DISTINCT) | (
            keep_cached and _raw.COPY_KEEP_CACHED)
        to, of = side_of(dst), side_of(src)
        options = options_of(flags, to._number, fill, not to._is_array)
        self._dst, self._src = (side._seen_in(side._of.layout) if side._is_array else side for side in (to, of))
        of = self._src
        if isinstance(of._of, Layout) and of._is_plain and of.shape != self._dst.shape:
            of = Side(like(of._of, self._dst))
        self._raw = _raw.Plan()
        call(lib.stride_plan_init_sides, self._raw, self._dst._struct(), of._struct(), options)
        self._facts = _raw.PlanFacts(struct_size=ctypes.sizeof(_raw.PlanFacts))
        call(lib.stride_plan_query, self._raw, self._facts)
        self._prepare()

    def _prepare(self) -> None:
        """Makes the argument of `quick_execute`: addresses of what this plan holds."""
        lowest = [side._lowest() for side in (self._dst, self._src)]
        self._prepared = Prepared(ctypes.addressof(self._raw), (ctypes.c_void_p * 2)(
            *(ctypes.addressof(raw) for raw, _ in lowest)), (ctypes.c_int64 * 2)(*(shift for _, shift in lowest)))
        #: Sides that share bytes are no work for several threads, nor is a fill.
        self._alone = bool(self._facts.flags & (_raw.COPY_OVERLAP | _raw.COPY_FILL_BUFFER))
        self._address = ctypes.addressof(self._prepared)
        #: Whether one thread runs it by default.
        self._small = self.nbytes < THREADED_BYTES

    def __getstate__(self) -> tuple[Any, ...]:
        return self._raw, self._facts, self._dst, self._src

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self._raw, self._facts, self._dst, self._src = state
        self._prepare()

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return int(self._facts.bytes)

    @property
    def kind(self) -> str:
        """Its kind: "contiguous", "rows", "fill", "transpose", "other", "tiled", "bits" or "nothing"."""
        return _KINDS.get(self._facts.kind, "other")

    @property
    def useful_threads(self) -> int:
        """Into how many parts it can be cut so that each is worth a thread: one for each 128 KiB. Handing a part to a
        thread of Python's takes longer, so `execute` does that from 32 MiB on, as `stride.copy` does."""
        return int(self._facts.useful_parts)

    def execute(self, dst: Any, src: Any, *, threads: Optional[int] = None, progress: Optional[Progress] = None,
                slab_bytes: Optional[int] = None) -> None:
        """Runs it. Each side is bytes (a bytearray, a buffer of u8), from whose start the layout counts, or an array
        that has the plan's layout. With `progress` or `slab_bytes`, as `stride.copy` has them, it is run part by part,
        each on one thread."""
        if progress is not None or slab_bytes is not None:
            self._execute_slabs(Slabs(progress, slab_bytes), self._sides(dst, src))
            return
        alone = threads == 1 or (threads is None and self._small)
        if alone and quick_execute(self._address, dst, src):
            return
        sides = self._sides(dst, src)
        execute(self._raw, *sides, 1 if self._alone else parts_of(threads, self.nbytes))

    def _execute_slabs(self, slabs: Slabs, sides: tuple[int, int, int, int]) -> None:
        if self._alone:
            execute(self._raw, *sides, 1)
            slabs.done(self.nbytes, self.nbytes)
            return
        parts = min(max(1, -(-self.nbytes // slabs.bytes)), 2**32 - 1)
        for part in range(parts):
            call(lib.stride_plan_execute_part, self._raw, *sides, part, parts)
            slabs.done(self.nbytes * (part + 1) // parts - self.nbytes * part // parts, self.nbytes)

    def execute_part(self, dst: Any, src: Any, part: int, parts: int) -> None:
        """Runs part `part` (0, 1, ...) of `parts` on this thread. All parts together are the whole, in any order; no
        two write the same byte. A plan is pickled, so that other processes on a CPU of the same kind can run parts in
        shared memory or mapped files. Surplus parts do nothing: each has about 4 KiB or more.

        >>> plan, columns = Plan(Layout.ordered("u8", (2, 3), (0, 1)), Layout("u8", (2, 3))), bytearray(6)
        >>> for part in (1, 0):
        ...     plan.execute_part(columns, bytes(range(6)), part, 2)
        >>> list(columns)
        [0, 3, 1, 4, 2, 5]
        """
        numbers = operator.index(part), operator.index(parts)
        if not 0 <= numbers[0] < numbers[1] < 2**32:
            raise ValueError(f"part {numbers[0]} of {numbers[1]}: parts are numbered from 0, and fewer than 2^32")
        call(lib.stride_plan_execute_part, self._raw, *self._sides(dst, src), *numbers)

    def _sides(self, dst: Any, src: Any) -> tuple[int, int, int, int]:
        """Address and length of both sides."""
        to, of = array(dst), array(src)
        if to.readonly:
            raise ValueError("dst is read-only")
        memory = self._dst._place_in(to, "dst", "the plan's")
        if self._facts.flags & _raw.COPY_FILL_BUFFER and memory[1] == UNBOUNDED:
            raise ValueError("a plan with a fill writes all of dst, so that must be bytes: a bytearray or u8")
        return *memory, *self._src._place_in(of, "src", "the plan's")

    def regions(self, api: str = "any", **fields: Any) -> list[Region]:
        """The copy as the shortest list of rows, rectangles or boxes that "cuda_2d", "cuda_3d", "opencl_rect",
        "vulkan_buffer", "vulkan_upload", "vulkan_readback", "d3d12_upload" or "d3d12_readback" take. `fields` change
        those of stride_region_rules, as rank_max=2; where there are two, the destination's comes first. Uploads and
        readbacks need the image: row_bytes_max, the bytes of a row of it, and rows_max, the rows of a layer.

        >>> plan = Plan(Layout("u8", (2, 3)), Layout("u8", (2, 3), (4, 1)))
        >>> [region.row_bytes for region in plan.regions(rank_max=1)], plan.regions("cuda_2d")[0].src_pitches
        ([3, 3], (4, 0))
        >>> layers, pictures = Layout("u8", (2, 2, 4)), Layout("u8", (2, 2, 4), (4, 8, 1))  # side by side
        >>> regions = Plan(layers, pictures).regions("vulkan_upload", row_bytes_max=4, rows_max=2)
        >>> [(region.src_offset, region.counts, region.src_pitches) for region in regions]
        [(0, (2, 1), (8, 0)), (4, (2, 1), (8, 0))]
        """
        if api not in _APIS:
            raise ValueError(f"{api!r} is no function that is known; these are: {', '.join(sorted(_APIS))}")
        rules = _raw.RegionRules()
        call(lib.stride_region_rules_init, rules, _APIS[api])
        set_fields(rules, fields, "rules")
        count = ctypes.c_uint64()
        call(lib.stride_plan_regions_under, self._raw, rules, 0, None, count)
        found = list_of(_raw.Region, count.value)()
        call(lib.stride_plan_regions_under, self._raw, rules, len(found), found, count)
        return [Region(of.dst_offset, of.src_offset, of.row_bytes, tuple(of.counts), tuple(of.dst_pitches),
                       tuple(of.src_pitches)) for of in found]

    def describe(self) -> str:
        """A description for people: the kernel, the loops after merging."""
        return text_of(lib.stride_plan_describe, self._raw)

    def __repr__(self) -> str:
        return f"<stride.Plan {self.kind}, {self.nbytes} bytes>"
