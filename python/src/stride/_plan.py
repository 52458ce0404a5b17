"""Plans: copies prepared once."""

from __future__ import annotations

import ctypes
import operator
from typing import Any, NamedTuple, Optional

from . import _dtypes, _raw
from ._layout import Layout
from ._library import UNBOUNDED, call, failure, lib, list_of, scratch_of, set_fields, text_of
from ._memory import Array, array, empty
from ._native import Prepared, quick_execute
from ._threads import THREADED_BYTES, each_part, parts_of
from ._views import Views
from .errors import Error, ShapeMismatchError

_KINDS = {number: name.removeprefix("COPY_KIND_").lower() for name, number in vars(_raw).items()
          if name.startswith("COPY_KIND_")}

#: What counts as plain memory.
_BYTE_DTYPES = frozenset(_dtypes.number_of(name) for name in ("u8", "s8", "pred", "bytes1"))


_APIS = {name.removeprefix("REGION_API_").lower(): number for name, number in vars(_raw).items()
         if name.startswith("REGION_API_")}


class Region(NamedTuple):
    """Rows of a copy: row (j, i) begins i * pitches[0] + j * pitches[1] behind the offset of its side."""

    dst_offset: int
    src_offset: int
    row_bytes: int
    counts: tuple[int, int]
    dst_pitches: tuple[int, int]
    src_pitches: tuple[int, int]


def options_of(flags: int, fill: Optional[bytes] = None, bits: int = 8) -> Optional[_raw.CopyOptions]:
    """The options of a copy; None where nothing is asked for. A fill is one byte for all, or one element, of so many bits."""
    if not flags and fill is None:
        return None
    options = _raw.CopyOptions(struct_size=ctypes.sizeof(_raw.CopyOptions), flags=flags)
    if fill is not None:
        element = (bits + 7) // 8
        if len(fill) not in (1, min(16, element)):
            all_of_it = f"the {element} of an element" if element <= 16 else "the 16 that repeat in larger elements"
            raise ValueError(f"a fill has one byte, or {all_of_it}, not {len(fill)}")
        options.flags |= _raw.COPY_FILL_BUFFER
        options.fill[:] = (fill * 16)[:16]
    return options


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

    def __init__(self, dst: Layout, src: Layout, *, fill: Optional[bytes] = None, overlap: bool = False,
                 assume_distinct: bool = False, keep_cached: bool = False) -> None:
        flags = (overlap and _raw.COPY_OVERLAP) | (assume_distinct and _raw.COPY_ASSUME_DISTINCT) | (
            keep_cached and _raw.COPY_KEEP_CACHED)
        self._dst, self._src = _Side(dst, "dst"), _Side(src, "src")
        if dst.shape != src.shape:
            src = like(src, dst)
        self._raw = _raw.Plan()
        options = options_of(flags, fill, _dtypes.bits_of(dst._raw.dtype))
        call(lib.stride_plan_init, self._raw, dst._raw, src._raw, options)
        self._facts = _raw.PlanFacts(struct_size=ctypes.sizeof(_raw.PlanFacts))
        call(lib.stride_plan_query, self._raw, self._facts)
        self._prepare()

    def _prepare(self) -> None:
        """What `quick_execute` takes: addresses of what this plan holds."""
        sides = self._dst, self._src
        self._prepared = Prepared(ctypes.addressof(self._raw), (ctypes.c_void_p * 2)(
            *(ctypes.addressof(side.rebased) for side in sides)), (ctypes.c_int64 * 2)(*(side.shift for side in sides)))
        #: Sides that share bytes are no work for several threads, nor is a fill; nor for `quick_execute`.
        self._alone = bool(self._facts.flags & (_raw.COPY_OVERLAP | _raw.COPY_FILL_BUFFER))
        self._address = 0 if self._alone else ctypes.addressof(self._prepared)
        #: Whether one thread runs it, unless others are asked for.
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
        """What it is: "contiguous", "rows", "fill", "transpose", "other", "tiled", "bits" or "nothing"."""
        return _KINDS.get(self._facts.kind, "other")

    @property
    def useful_threads(self) -> int:
        """Into how many parts it can be cut so that each is worth a thread: one for each 128 KiB. Handing a part to a
        thread of Python's takes longer, so `execute` does that from 32 MiB on, as `stride.copy` does."""
        return int(self._facts.useful_parts)

    def execute(self, dst: Any, src: Any, *, threads: Optional[int] = None) -> None:
        """Runs it. Each side is bytes (a bytearray, a buffer of u8), from whose start the layout counts, or an array
        that has the plan's layout."""
        alone = threads == 1 or (threads is None and self._small)
        if alone and self._address and quick_execute(self._address, dst, src):
            return
        sides = self._sides(dst, src)
        execute(self._raw, *sides, 1 if self._alone else parts_of(threads, self.nbytes))

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
        memory = self._dst.memory(to)
        if self._facts.flags & _raw.COPY_FILL_BUFFER and memory[1] == UNBOUNDED:
            raise ValueError("a plan with a fill writes all of dst, so that must be bytes: a bytearray or u8")
        return *memory, *self._src.memory(of)

    def regions(self, api: str = "any", **fields: Any) -> list[Region]:
        """The same copy as the shortest list of rows, rectangles or boxes that "cuda_2d", "cuda_3d", "opencl_rect",
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
        """What it does, for people: the kernel, the loops after merging."""
        return text_of(lib.stride_plan_describe, self._raw)

    def __repr__(self) -> str:
        return f"<stride.Plan {self.kind}, {self.nbytes} bytes>"


class _Side:
    """What an operand of a plan must be."""

    __slots__ = ("layout", "name", "rebased", "shift")

    def __init__(self, layout: Layout, name: str) -> None:
        raw, shift = _raw.Layout(), ctypes.c_int64()
        call(lib.stride_layout_rebase, layout._raw, raw, shift)
        self.layout, self.name, self.rebased, self.shift = layout, name, raw, shift.value

    def memory(self, of: Array) -> tuple[int, int]:
        """Base address and length for the plan's layout."""
        raw, shift = of._whole(), ctypes.c_int64()
        if raw.rank == 1 and raw.dtype in _BYTE_DTYPES and (raw.strides[0] == 1 or raw.sizes[0] < 2):
            return of._flat(self.name)
        if bytes(raw) != bytes(self.rebased):
            raw = _raw.Layout()
            call(lib.stride_layout_rebase, of._whole(), raw, shift)  # Views of an array count from where that begins.
            mine = Layout._of_raw(self.rebased)
            if raw.dtype != mine._raw.dtype or not Layout._of_raw(raw).same_mapping(mine):
                raise ShapeMismatchError(f"{self.name} is neither bytes nor of the plan's layout: {of.layout!r} "
                                         f"instead of {self.layout!r}")
        return of._base + shift.value - self.shift, UNBOUNDED


def execute(plan: _raw.Plan, dst: int, dst_bytes: int, src: int, src_bytes: int, parts: int) -> None:
    """Runs a plan; its sides may share bytes if it was made so."""
    def part(number: int, count: int) -> None:
        call(lib.stride_plan_execute_part, plan, dst, dst_bytes, src, src_bytes, number, count)

    if parts > 1:
        each_part(part, parts)
        return
    record = _raw.Error()
    status = lib.stride_plan_execute(plan, dst, dst_bytes, src, src_bytes, record)
    if status == _raw.STATUS_SCRATCH_NEEDED:
        scratch = scratch_of(record.lhs)
        call(lib.stride_plan_execute_scratch, plan, dst, dst_bytes, src, src_bytes, scratch, record.lhs)
    elif status:
        raise failure(record)


def like(src: Any, dst: Views) -> Any:
    """The source with the destination's shape, as numpy.copyto broadcasts it: leading sizes of 1, more than there are
    dimensions, are dropped."""
    extra = src.ndim - dst.ndim
    shape = src.shape
    if extra > 0 and all(size == 1 for size in shape[:extra]):
        src = src.squeeze(range(extra))
    try:
        return src.broadcast_to(dst.shape)
    except Error as problem:
        problem.args = (f"src has the shape {shape}, dst {dst.shape}: {str(problem).removeprefix('shape, ')}",)
        problem.argument = "src"
        raise


def copy_sides(plan_init: Any, what: str, dst: Any, src: Any, dst_side: Any, src_side: Any, stored: Optional[int],
               fill: Optional[bytes], threads: Optional[int]) -> None:
    """Copies between two buffers of which either may have a form that is no layout, which `what` names: such a side is
    flat bytes. `stored`: the dtype of an element of such a destination."""
    to, of = array(dst), array(src)
    if to.readonly:
        raise ValueError("dst is read-only")
    if to._item or of._item:  # Elements at any byte go through packed ones.
        from ._copy import copy

        apart = [empty(side.dtype, side.shape) if side._item else side for side in (to, of)]
        if of._item:
            copy(apart[1], of)
        copy_sides(plan_init, what, apart[0], apart[1], dst_side, src_side, stored, fill, threads)
        if to._item:
            copy(to, apart[0])
        return
    dst_memory = to._flat(f"dst, which has {what},") if dst_side else (to._base, to.min_bytes)
    src_memory = of._flat(f"src, which has {what},") if src_side else (of._base, of.min_bytes)
    bits = 8 if fill is None else _dtypes.bits_of(to._raw.dtype if stored is None else stored)
    plan = _raw.Plan()
    call(plan_init, plan, None if dst_side else to._raw, dst_side._raw if dst_side else None,
         None if src_side else of._raw, src_side._raw if src_side else None, options_of(0, fill, bits))
    execute(plan, *dst_memory, *src_memory, parts_of(threads, max(to.nbytes, of.nbytes)))
