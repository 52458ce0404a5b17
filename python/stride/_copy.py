"""Copies: from any layout to any layout, on several threads, and in slabs for arrays larger than memory."""

from __future__ import annotations

import concurrent.futures
import ctypes
import itertools
import os
import threading
from collections.abc import Callable, Iterator
from typing import Any, Optional

from . import _dtypes, _raw
from ._layout import Layout, _Views
from ._library import UNBOUNDED, call, failure, int64s, lib, text_of
from ._memory import STRIDED, WRITABLE, Array, array, get_buffer, ndarray_types, release_buffer
from .errors import DtypeMismatchError, Error, ShapeMismatchError, Stopped

Progress = Callable[[int, int], Any]

#: Bytes for which a thread more is worth the handing over, some tens of microseconds in Python.
BYTES_A_THREAD = 1 << 20
#: Bytes of a slab, where a copy is made slab by slab.
SLAB_BYTES = 1 << 26

_OVERLAP = _raw.CopyOptions(struct_size=ctypes.sizeof(_raw.CopyOptions), flags=_raw.COPY_OVERLAP)

# --- threads -------------------------------------------------------------------------------------------------------------

_lock = threading.Lock()
_pool: Optional[concurrent.futures.ThreadPoolExecutor] = None


def cpus() -> int:
    """The processors that this process may run on."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _threads() -> concurrent.futures.ThreadPoolExecutor:
    global _pool
    with _lock:
        if _pool is None:
            # One for each processor that is there, whatever this process may use now: idle threads cost nothing.
            _pool = concurrent.futures.ThreadPoolExecutor(max(1, os.cpu_count() or 1), "stride")
        return _pool


def _forget_threads() -> None:
    """A child has none of its parent's threads, and perhaps its lock."""
    global _pool, _lock
    _pool, _lock = None, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_threads)


def _each_part(part: Callable[[int, int], None], parts: int) -> None:
    """Runs all parts, the last one here, and returns when all have ended."""
    tasks = []
    try:
        for number in range(parts - 1):
            tasks.append(_threads().submit(part, number, parts))
    except RuntimeError:  # Python is ending and takes no more tasks: the rest is done here.
        pass
    try:
        for number in range(len(tasks), parts):
            part(number, parts)
    finally:
        concurrent.futures.wait(tasks)
    for task in tasks:
        task.result()


def _parts(threads: Optional[int], nbytes: int) -> int:
    if threads is None:
        return max(1, min(cpus(), nbytes // BYTES_A_THREAD)) if nbytes >= 2 * BYTES_A_THREAD else 1
    if threads < 1:
        raise ValueError(f"threads is {threads}, at least 1 is needed")
    return min(threads, 1024)


# --- plans ---------------------------------------------------------------------------------------------------------------

_KINDS = {number: name.removeprefix("COPY_KIND_").lower() for name, number in vars(_raw).items()
          if name.startswith("COPY_KIND_")}


#: What counts as plain memory.
_BYTE_DTYPES = frozenset(_dtypes.number_of(name) for name in ("u8", "s8", "pred", "bytes1"))


def _options(flags: int, fill: Optional[bytes] = None) -> Optional[_raw.CopyOptions]:
    if not flags and fill is None:
        return None
    options = _raw.CopyOptions(struct_size=ctypes.sizeof(_raw.CopyOptions), flags=flags)
    if fill is not None:
        if not 1 <= len(fill) <= 16:
            raise ValueError(f"a fill has 1 to 16 bytes, not {len(fill)}")
        options.flags |= _raw.COPY_FILL_BUFFER
        options.fill[:len(fill)] = fill
    return options


class Plan:
    """A copy prepared once, for any number of pairs of buffers; many threads may use it at once.

    >>> rows = Layout("u8", (2, 3))
    >>> plan = Plan(Layout.ordered("u8", (2, 3), (0, 1)), rows)
    >>> columns = bytearray(6)
    >>> plan.execute(columns, bytes(range(6)))
    >>> list(columns)
    [0, 3, 1, 4, 2, 5]
    """

    __slots__ = ("_dst", "_facts", "_raw", "_src")

    def __init__(self, dst_layout: Layout, src_layout: Layout, *, fill: Optional[bytes] = None, overlap: bool = False,
                 assume_distinct: bool = False, keep_cached: bool = False) -> None:
        flags = (overlap and _raw.COPY_OVERLAP) | (assume_distinct and _raw.COPY_ASSUME_DISTINCT) | (
            keep_cached and _raw.COPY_KEEP_CACHED)
        self._dst, self._src = _Side(dst_layout, "dst"), _Side(src_layout, "src")
        if dst_layout.shape != src_layout.shape:
            src_layout = _like(src_layout, dst_layout)
        self._raw = _raw.Plan()
        call(lib.stride_plan_init, self._raw, dst_layout._raw, src_layout._raw, _options(flags, fill))
        self._facts = _raw.PlanFacts(struct_size=ctypes.sizeof(_raw.PlanFacts))
        call(lib.stride_plan_query, self._raw, self._facts)

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
        thread of Python's takes longer, so `execute` takes one for each MiB."""
        return int(self._facts.useful_parts)

    def execute(self, dst: Any, src: Any, *, threads: Optional[int] = None) -> None:
        """Runs it. Each side is bytes (a bytearray, a buffer of u8), from whose start the layout counts, or an array
        that has the plan's layout."""
        to, of = array(dst), array(src)
        if to.readonly:
            raise ValueError("dst is read-only")
        memory = self._dst.memory(to)
        if self._facts.flags & _raw.COPY_FILL_BUFFER and memory[1] == UNBOUNDED:
            raise ValueError("a plan with a fill writes all of dst, so that must be bytes: a bytearray, or a buffer of u8")
        # Sides that share bytes are no work for several threads, nor is a fill.
        alone = self._facts.flags & (_raw.COPY_OVERLAP | _raw.COPY_FILL_BUFFER)
        _execute(self._raw, *memory, *self._src.memory(of), 1 if alone else _parts(threads, self.nbytes))

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
        self.layout, self.name, self.rebased, self.shift = layout, name, bytes(raw), shift.value

    def memory(self, of: Array) -> tuple[int, int]:
        """Base address and length for the plan's layout."""
        raw = of._raw
        if raw.rank == 1 and raw.dtype in _BYTE_DTYPES and (raw.strides[0] == 1 or raw.sizes[0] < 2):
            return of._base, raw.sizes[0]
        if bytes(raw) != self.rebased:
            mine = Layout._of_raw(_raw.Layout.from_buffer_copy(self.rebased))
            if raw.dtype != mine._raw.dtype or not of.layout.same_mapping(mine):
                raise ShapeMismatchError(f"{self.name} is neither bytes nor of the plan's layout: {of.layout!r} instead "
                                         f"of {self.layout!r}")
        return of._base - self.shift, UNBOUNDED


def _execute(plan: _raw.Plan, dst: int, dst_bytes: int, src: int, src_bytes: int, parts: int) -> None:
    """Runs a plan; its sides may share bytes if it was made so."""
    def part(number: int, count: int) -> None:
        call(lib.stride_plan_execute_part, plan, dst, dst_bytes, src, src_bytes, number, count)

    if parts > 1:
        _each_part(part, parts)
        return
    record = _raw.Error()
    status = lib.stride_plan_execute(plan, dst, dst_bytes, src, src_bytes, record)
    if status == _raw.STATUS_SCRATCH_NEEDED:
        scratch = (ctypes.c_uint8 * record.lhs)()
        call(lib.stride_plan_execute_scratch, plan, dst, dst_bytes, src, src_bytes, scratch, len(scratch))
    elif status:
        raise failure(record)


# --- copies --------------------------------------------------------------------------------------------------------------


def _like(src: Any, dst: _Views) -> Any:
    """The source with the destination's shape, as numpy.copyto broadcasts it: leading ones more than there are dimensions
    are dropped."""
    extra = src.ndim - dst.ndim
    shape = src.shape
    if extra > 0 and all(size == 1 for size in shape[:extra]):
        src = src.squeeze(range(extra))
    try:
        return src.broadcast_to(dst.shape)
    except Error as problem:
        problem.args = (f"src has the shape {shape}, dst {dst.shape}: {problem}",)
        raise


def _same_dtype(dst: Array, src: Array, names: tuple[str, str] = ("dst", "src")) -> None:
    one, other = dst._raw.dtype, src._raw.dtype
    if one == other:
        alike = dst._tag == src._tag or not dst._tag or not src._tag
    elif (one ^ other) == _raw.DTYPE_HIGH_FIRST:  # The same numbers in the other order within a byte.
        alike = True
    else:
        plain = (_dtypes.is_bytes(one) and not dst._tag) or (_dtypes.is_bytes(other) and not src._tag)
        alike = plain and _dtypes.bits_of(one) == _dtypes.bits_of(other)
    if not alike:
        error = DtypeMismatchError(f"{names[0]} has elements {_word(dst)}, {names[1]} {_word(src)}; libstride converts none")
        error.argument, error.lhs, error.rhs = names[1], other, one
        raise error


def _word(of: Array) -> str:
    return of._tag.decode("ascii", "replace") if of._tag else of.dtype


class _Prepared:
    """The copy of one NumPy array to another one, for the next two of the same dtypes, shapes and strides: most of what a
    small copy takes is to find out what the arrays are."""

    __slots__ = ("dst_shift", "nbytes", "plan", "src_shift")

    def __init__(self, dst: Array, src: Array) -> None:
        self.plan, self.nbytes = _raw.Plan(), dst.nbytes
        call(lib.stride_plan_init, self.plan, dst._raw, src._raw, None)
        self.dst_shift, self.src_shift = dst._base - dst.pointer, src._base - src.pointer

    def run(self, dst: Any, src: Any, threads: Optional[int]) -> bool:
        """False: nothing was done, ask the long way round."""
        to, of = _raw.PyBuffer(), _raw.PyBuffer()
        try:
            get_buffer(dst, to, WRITABLE)
        except (ValueError, BufferError):
            return False
        try:
            get_buffer(src, of, STRIDED)
            dst_base, src_base = (to.buf or 0) + self.dst_shift, (of.buf or 0) + self.src_shift
            parts = 1 if threads == 1 else _parts(threads, self.nbytes)
            if parts == 1:
                return bool(lib.stride_plan_execute(self.plan, dst_base, UNBOUNDED, src_base, UNBOUNDED, None) == 0)
            _execute(self.plan, dst_base, UNBOUNDED, src_base, UNBOUNDED, parts)
            return True
        except (ValueError, BufferError):
            return False
        finally:
            release_buffer(to)
            release_buffer(of)  # Nothing, if it was not got.


_prepared: dict[Any, _Prepared] = {}


def copy(dst: Any, src: Any, *, threads: Optional[int] = None, progress: Optional[Progress] = None,
         slab_bytes: Optional[int] = None) -> None:
    """Copies every element of `src` to the element of `dst` with the same index, as numpy.copyto does.

    Both are anything that `stride.array` takes; dtypes are equal, and `src` is broadcast to the shape of `dst`. Where
    they share memory, the result is as if `src` had been read first. `threads` None: as many as are worth it, at most
    one for each processor. The GIL is given away.

    `progress(done_bytes, total_bytes)` is called after each slab of `slab_bytes` (64 MiB); if it answers False, the copy
    ends with `stride.Stopped`. Slabs keep what is in memory at one time small, for `numpy.memmap`.

    >>> dst = bytearray(6)
    >>> copy(array(dst).reshape(3, 2).T, array(bytes(range(6))).reshape(2, 3))
    >>> list(dst)
    [0, 3, 1, 4, 2, 5]
    """
    key = None
    if type(dst) in ndarray_types and type(src) in ndarray_types and progress is None and slab_bytes is None:
        key = (dst.dtype, dst.shape, dst.strides, src.dtype, src.shape, src.strides)
        known = _prepared.get(key)
        if known is not None and known.run(dst, src, threads):
            return
    to, of = array(dst), array(src)
    if to.readonly:
        raise ValueError("dst is read-only")
    if to._raw.dtype != of._raw.dtype or to._tag != of._tag:
        _same_dtype(to, of)
    rank = to._raw.rank
    if rank != of._raw.rank or to._raw.sizes[:rank] != of._raw.sizes[:rank]:
        of = _like(of, to)
    if progress is None and slab_bytes is None:
        _copy(to, of, threads)
        if key is not None and to.claimed and of.claimed:
            if len(_prepared) >= 256:
                _prepared.clear()
            _prepared[key] = _Prepared(to, of)
    else:
        _in_slabs(to, of, threads, progress, SLAB_BYTES if slab_bytes is None else slab_bytes)


def _copy(dst: Array, src: Array, threads: Optional[int]) -> None:
    """One copy of equal shapes and dtypes."""
    record = _raw.Error()
    parts = 1 if threads == 1 else _parts(threads, dst.nbytes)
    if parts > 1:
        plan = _raw.Plan()
        status = lib.stride_plan_init(plan, dst._raw, src._raw, None, record)
        if status == 0:
            try:
                _execute(plan, dst._base, UNBOUNDED, src._base, UNBOUNDED, parts)
                return
            except ValueError as problem:
                status = getattr(problem, "status", 0)
                if status not in (_raw.STATUS_OVERLAP, _raw.STATUS_UNDECIDED):
                    raise
    else:
        status = lib.stride_copy(dst._raw, dst._base, UNBOUNDED, src._raw, src._base, UNBOUNDED, None, record)
        if status == 0:
            return
    # Whether sides share bytes is found before anything is written.
    if status in (_raw.STATUS_OVERLAP, _raw.STATUS_UNDECIDED):
        status = lib.stride_copy(dst._raw, dst._base, UNBOUNDED, src._raw, src._base, UNBOUNDED, _OVERLAP, record)
        if status == _raw.STATUS_SCRATCH_NEEDED:
            scratch = (ctypes.c_uint8 * record.lhs)()
            call(lib.stride_copy_scratch, dst._raw, dst._base, UNBOUNDED, src._raw, src._base, UNBOUNDED, _OVERLAP,
                 scratch, len(scratch))
            return
    if status:
        raise failure(record)


def _in_slabs(dst: Array, src: Array, threads: Optional[int], progress: Optional[Progress], slab_bytes: int) -> None:
    if slab_bytes < 1:
        raise ValueError(f"slab_bytes is {slab_bytes}, at least 1 is needed")
    total, done = dst.nbytes, 0
    shared = ctypes.c_uint32(1)
    status = lib.stride_layouts_overlap(dst._raw, dst._base, src._raw, src._base, 0, shared, None)
    # Sides that share bytes are copied at once: a slab would change what a later one reads.
    apart = status == 0 and not shared.value
    pieces = _slabs(dst, src, slab_bytes) if apart else iter([(dst, src)])
    for to, of in pieces:
        _copy(to, of, threads)
        done += to.nbytes
        if progress is not None and progress(done, total) is False:
            raise Stopped(done, total)


def _slabs(dst: Array, src: Array, slab_bytes: int) -> Iterator[tuple[Array, Array]]:
    """The copy in boxes of at most so many bytes. Each cut halves the dimension that reaches farthest on either side, so
    that the boxes of a transpose are near squares and both sides are read and written in long runs."""
    sizes = list(dst.shape)
    bits = _dtypes.bits_of(dst._raw.dtype)
    steps = [max(abs(one), abs(other)) for one, other in zip(dst.strides, src.strides)]
    count = dst.size
    while count * bits > 8 * slab_bytes and count > 1:
        axis = max((axis for axis in range(len(sizes)) if sizes[axis] > 1), key=lambda axis: sizes[axis] * steps[axis])
        count = count // sizes[axis] * ((sizes[axis] + 1) // 2)
        sizes[axis] = (sizes[axis] + 1) // 2
    if list(dst.shape) == sizes:
        yield dst, src
        return
    for start in itertools.product(*(range(0, whole, size) for whole, size in zip(dst.shape, sizes))):
        box = [min(size, whole - first) for first, size, whole in zip(start, sizes, dst.shape)]
        yield _crop(dst, start, box), _crop(src, start, box)


def _crop(of: Array, starts: tuple[int, ...], sizes: list[int]) -> Array:
    raw = _raw.Layout()
    call(lib.stride_layout_crop, of._raw, len(sizes), int64s(starts), int64s(sizes), raw)
    return of._with(raw)


def fill(dst: Any, value: Any) -> None:
    """Writes one value to every element: a number of the dtype, or the bytes of an element.

    >>> memory = bytearray(4)
    >>> fill(memory, 7)
    >>> list(memory)
    [7, 7, 7, 7]
    """
    to = array(dst)
    if to.readonly:
        raise ValueError("dst is read-only")
    call(lib.stride_fill, to._raw, to._base, UNBOUNDED, _dtypes.bytes_of_value(to._raw.dtype, value))


def first_difference(lhs: Any, rhs: Any) -> Optional[tuple[int, ...]]:
    """The index of the first element whose bits differ, None if there is none. Shapes and dtypes are equal."""
    one, other = array(lhs), array(rhs)
    _same_dtype(one, other, ("lhs", "rhs"))
    out = ctypes.c_int64()
    call(lib.stride_compare, one._raw, one._base, UNBOUNDED, other._raw, other._base, UNBOUNDED, out)
    return None if out.value < 0 else one.unravel(out.value)


def equal(lhs: Any, rhs: Any) -> bool:
    """Whether shapes and all elements are equal, bit by bit: a NaN equals itself, 0.0 is not -0.0.

    >>> equal(b"abc", bytearray(b"abc"))
    True
    """
    one, other = array(lhs), array(rhs)
    _same_dtype(one, other, ("lhs", "rhs"))
    return one.shape == other.shape and first_difference(one, other) is None
