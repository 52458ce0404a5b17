"""Copies: from any layout to any layout, on several threads, and in slabs for arrays larger than memory."""

from __future__ import annotations

import ctypes
import itertools
import operator
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Optional, overload

from . import _dtypes, _raw
from ._layout import Layout
from ._library import UNBOUNDED, call, failure, int64, int64s, lib, scratch_of, uint64
from ._memory import Array, array, empty
from ._plan import execute, like, options_of
from ._native import numpy_types, quick_compare, quick_copy, quick_fill, remember_dtype
from ._threads import parts_of
from ._types import Kind, Out
from .errors import DtypeMismatchError, Error, Stopped

if TYPE_CHECKING:
    import numpy as np

    from ._types import D

Progress = Callable[[int, int], Any]

#: Bytes of a slab, where a copy is made slab by slab.
SLAB_BYTES = 1 << 26

_OVERLAP = _raw.CopyOptions(struct_size=ctypes.sizeof(_raw.CopyOptions), flags=_raw.COPY_OVERLAP)


def _same_dtype(dst: Array, src: Array, names: tuple[str, str] = ("dst", "src")) -> None:
    one, other = dst._number, src._number
    if one == other:
        alike = dst._tag == src._tag or not dst._tag or not src._tag or _turned_bytes(dst, src) > 0
    elif (one ^ other) in (_raw.DTYPE_HIGH_FIRST, _raw.DTYPE_SWAPPED):  # In the other order within a byte, of bytes.
        alike = True
    else:
        plain = (_dtypes.is_bytes(one) and not dst._tag) or (_dtypes.is_bytes(other) and not src._tag)
        alike = plain and _dtypes.bits_of(one) == _dtypes.bits_of(other)
    if not alike:
        raise _mismatch(dst, src, names)  # No name for it here: its traceback would hold the arrays for the collector.


def _mismatch(dst: Array, src: Array, names: tuple[str, str]) -> DtypeMismatchError:
    error = DtypeMismatchError(
        f"{names[0]} has elements {_word(dst)}, {names[1]} {_word(src)}; libstride converts none")
    error.argument, error.lhs, error.rhs = names[1], src._number, dst._number
    return error


def _word(of: Array) -> str:
    return of._tag.decode("ascii", "replace") if of._tag else of.dtype


def _turned_bytes(dst: Array, src: Array) -> int:
    """How many bytes are turned together, where the sides differ in their byte order alone and are no numbers here:
    dates, texts, long doubles; else 0."""
    if dst._tag == src._tag:
        return 0
    kind = dst._tag.lstrip(b"<>=")
    if kind != src._tag.lstrip(b"<>="):
        return 0
    if kind[:3] in (b"M8[", b"m8["):
        return 8
    if kind[-1:] == b"w":
        return 4
    return dst.itemsize // {b"g": 1, b"Zg": 2}[kind] if kind in (b"g", b"Zg") else 0


def _alike(dst: Array, src: Array) -> tuple[Array, Array]:
    """Both sides as bytes, where the elements of one lie at any byte, or are no numbers here and the orders differ;
    those of the source turned, where the orders differ."""
    together = _turned_bytes(dst, src)
    if not (dst._item or src._item or together):
        return dst, src
    one, other = dst._number, src._number
    turned = bool((one ^ other) & _raw.DTYPE_SWAPPED) and not (_dtypes.is_bytes(one) or _dtypes.is_bytes(other))
    to, of = dst._bytes(False), src._bytes(turned)
    if of.rank > to.rank:  # A complex number has its parts apart.
        call(lib.stride_layout_split, to, to.rank - 1, 2, int64s((2, -1)), to)
    if together:
        for side in (to, of):
            call(lib.stride_layout_split, side, side.rank - 1, 2, int64s((-1, together)), side)
        call(lib.stride_layout_flip, of, 1, int64s((-1,)), of)
    return (Array(to, dst._base, dst._owner, dst.readonly), Array(of, src._base, src._owner, src.readonly))


def copy(dst: Any, src: Any, *, threads: Optional[int] = None, progress: Optional[Progress] = None,
         slab_bytes: Optional[int] = None) -> None:
    """Copies every element of `src` to the element of `dst` with the same index, as numpy.copyto does.

    Both are anything that `stride.array` takes; dtypes are equal, and `src` is broadcast to the shape of `dst`. Where
    they share memory, the result is as if `src` had been read first. `threads` None: one; from 32 MiB and four
    processors on, one for each processor. The GIL is released.

    `progress(done_bytes, total_bytes)` is called after each slab of `slab_bytes` (64 MiB); if it answers False, the
    copy ends with `stride.Stopped`. Slabs keep what is in memory at one time small, for `numpy.memmap`.

    >>> dst = bytearray(6)
    >>> copy(array(dst).reshape(3, 2).T, array(bytes(range(6))).reshape(2, 3))
    >>> list(dst)
    [0, 3, 1, 4, 2, 5]
    """
    if (threads is None or threads == 1) and progress is None and slab_bytes is None and quick_copy(dst, src):
        return
    to, of = array(dst), array(src)
    if to.readonly:
        raise ValueError("dst is read-only")
    if to._raw.dtype != of._raw.dtype or to._tag != of._tag or to._item or of._item:
        _same_dtype(to, of)
    rank = to._raw.rank
    if rank != of._raw.rank or to._raw.sizes[:rank] != of._raw.sizes[:rank]:
        of = like(of, to)
    to, of = _alike(to, of)
    if progress is None and slab_bytes is None:
        _copy(to, of, threads)
        remember_dtype(dst, src)
    else:
        _in_slabs(to, of, threads, progress, SLAB_BYTES if slab_bytes is None else slab_bytes)


def _copy(dst: Array, src: Array, threads: Optional[int]) -> None:
    """One copy of equal shapes and dtypes."""
    record = _raw.Error()
    parts = 1 if threads == 1 else parts_of(threads, dst.nbytes)
    if parts > 1:
        plan = _raw.Plan()
        status = lib.stride_plan_init(plan, dst._raw, src._raw, None, record)
        if status == 0:
            try:
                execute(plan, dst._base, UNBOUNDED, src._base, UNBOUNDED, parts)
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
            scratch = scratch_of(record.lhs)
            call(lib.stride_copy_scratch, dst._raw, dst._base, UNBOUNDED, src._raw, src._base, UNBOUNDED, _OVERLAP,
                 scratch, record.lhs)
            return
    if status:
        raise failure(record)


def _in_slabs(dst: Array, src: Array, threads: Optional[int], progress: Optional[Progress], slab_bytes: int) -> None:
    if slab_bytes < 1:
        raise ValueError(f"slab_bytes is {slab_bytes}, at least 1 is needed")
    total, done = dst.nbytes, 0
    shared = ctypes.c_uint32(1)
    status = lib.stride_layouts_overlap(dst._raw, dst._base, src._raw, src._base, 0, shared, None)
    itself = ctypes.c_uint32(1)
    status |= lib.stride_layout_self_overlap(dst._raw, 0, itself, None)
    # Sides that share bytes are copied at once: a slab would change what a later one reads. So is what is written
    # twice, which is refused.
    apart = status == 0 and not shared.value and not itself.value
    pieces = _slabs(dst, src, slab_bytes) if apart else iter([(dst, src)])
    for to, of in pieces:
        _copy(to, of, threads)
        done = min(total, done + to.nbytes)  # Below a byte each piece is rounded up.
        answer = True if progress is None else progress(done, total)
        if answer is False or (hasattr(answer, "dtype") and not answer):
            raise Stopped(done, total)


def _slabs(dst: Array, src: Array, slab_bytes: int) -> Iterator[tuple[Array, Array]]:
    """The copy in boxes of at most so many bytes. Each cut halves the dimension that reaches farthest on either side,
    so that the boxes of a transpose are near squares and both sides are read and written in long runs."""
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


def copy_range(dst: Any, src: Any, count: Optional[int] = None, *, dst_first: int = 0, src_first: int = 0,
               threads: Optional[int] = None) -> None:
    """Copies `count` elements in row-major order, whatever the shapes: number dst_first + k of `dst` gets number
    src_first + k of `src`. None is all of both, which are as many then: dst.reshape(-1)[:] = src.reshape(-1) without a
    temporary. So a view is packed piece by piece, and unpacked.

    >>> columns = array(b"abcdef").reshape(2, 3).T
    >>> piece = bytearray(3)
    >>> copy_range(piece, columns, 3, src_first=2)
    >>> bytes(piece)
    b'bec'
    """
    to, of = array(dst), array(src)
    if to.readonly:
        raise ValueError("dst is read-only")
    _same_dtype(to, of)
    if count is None:
        if to.size - dst_first != of.size - src_first:
            raise ValueError(f"dst has {to.size - dst_first} elements from {dst_first} on, src {of.size - src_first} from "
                             f"{src_first} on")
        count = to.size - dst_first
    sides, each = _alike(to, of), to.itemsize
    if sides[0] is not to:  # The bytes of each element are one dimension more.
        to, of = sides
        count, dst_first, src_first = count * each, dst_first * each, src_first * each
    plan = _raw.Plan()
    call(lib.stride_plan_init_range, plan, to._raw, int64(dst_first), of._raw, int64(src_first), uint64(count), None)
    execute(plan, to._base, UNBOUNDED, of._base, UNBOUNDED, 1 if threads == 1 else parts_of(threads, to.nbytes))


@overload
def take(x: np.ndarray[Any, D], indices: Sequence[Optional[int]], axis: int = -1, *, fill: Any = None, out: None = None,
         threads: Optional[int] = None) -> np.ndarray[Any, D]: ...
@overload
def take(x: Kind, indices: Sequence[Optional[int]], axis: int = -1, *, fill: Any = None, out: None = None,
         threads: Optional[int] = None) -> Kind: ...
@overload
def take(x: Any, indices: Sequence[Optional[int]], axis: int = -1, *, fill: Any = None, out: Out,
         threads: Optional[int] = None) -> Out: ...
@overload
def take(x: Any, indices: Sequence[Optional[int]], axis: int = -1, *, fill: Any = None, out: None = None,
         threads: Optional[int] = None) -> Any: ...


def take(x: Any, indices: Sequence[Optional[int]], axis: int = -1, *, fill: Any = None, out: Any = None,
         threads: Optional[int] = None) -> Any:
    """Elements along one dimension by a list, in one pass: numpy.take of at most 64 indices, where None is `fill`: a
    number of the dtype, or the bytes of an element; zeros, if it is not given. Channels get another order so, are
    dropped, doubled and added.

    >>> bgr = array(b"\\1\\2\\3\\4\\5\\6").reshape(2, 3)
    >>> list(take(bgr, (2, 1, 0, None), fill=255).tobytes())
    [3, 2, 1, 255, 6, 5, 4, 255]
    """
    from ._arrays import new

    of = array(x)
    place, sizes = of._axis(axis), of.shape
    size = sizes[place]
    list_ = [-1 if index is None else operator.index(index) for index in indices]
    for index, given in zip(list_, indices):
        if given is not None and not -size <= index < size:
            raise IndexError(f"index {index} is outside a dimension of {size}")
    list_ = [index + size if given is not None and index < 0 else index for index, given in zip(list_, indices)]
    shape = (*sizes[:place], len(list_), *sizes[place + 1:])
    if out is None:
        out = new(x, of._number, shape)
    to = array(out)
    if to.shape != shape:
        raise ValueError(f"out has the shape {to.shape}, the result {shape}")
    if to.readonly:
        raise ValueError("out is read-only")
    _same_dtype(to, of, ("out", "x"))
    if -1 in list_:
        value = bytes(max(1, to.itemsize)) if fill is None else _dtypes.bytes_of_value(to._number, fill)
        if len(value) > 16 and value != (value * 16)[:16] * (len(value) // 16) + value[:len(value) % 16]:
            raise ValueError(f"the fill of an element of {len(value)} bytes is 16 bytes that repeat")
        options: Any = options_of(0, value[:16] if len(value) > 16 else value, 8 * len(value))
        options.flags = 0
    else:
        options = None
    if of._item or _turned_bytes(to, of):  # Elements at any byte, or turned, go through packed ones.
        packed = empty(of.dtype, of.shape)
        packed._tag = to._tag
        copy(packed, of, threads=threads)
        of = packed
    if to._item:
        copy(to, take(of, indices, axis, fill=fill, out=empty(to.dtype, shape), threads=threads), threads=threads)
        return out
    plan = _raw.Plan()
    call(lib.stride_plan_init_take, plan, to._raw, of._raw, place, len(list_), int64s(list_), options)
    execute(plan, to._base, UNBOUNDED, of._base, UNBOUNDED, 1 if threads == 1 else parts_of(threads, to.nbytes))
    return out


def _element(dst: Any, value: Any) -> bytes:
    """The value as bytes of an element of an array of NumPy's; nothing where it is none."""
    if type(value) is bytes:
        return value
    try:
        return _dtypes.bytes_of_value(_dtypes.number_of_met(dst.dtype), value)
    except (TypeError, ValueError, OverflowError):
        return b""


def fill(dst: Any, value: Any) -> None:
    """Writes one value to every element: a number of the dtype, or the bytes of an element.

    >>> memory = bytearray(4)
    >>> fill(memory, 7)
    >>> list(memory)
    [7, 7, 7, 7]
    """
    if type(dst) in numpy_types and quick_fill(dst, _element(dst, value)):
        return
    to = array(dst)
    if to.readonly:
        raise ValueError("dst is read-only")
    given = _dtypes.bytes_of_value(to._number, value)
    if to._item:
        copy(to, array(given).reinterpret(to.dtype).reshape(()))
        return
    call(lib.stride_fill, to._raw, to._base, UNBOUNDED, given)


def first_difference(lhs: Any, rhs: Any) -> Optional[tuple[int, ...]]:
    """The index of the first element whose bits differ, None if there is none. Shapes and dtypes are equal."""
    one, other = array(lhs), array(rhs)
    _same_dtype(one, other, ("lhs", "rhs"))
    out, (to, of) = ctypes.c_int64(), _alike(one, other)
    each = 1 if to is one else one.itemsize
    call(lib.stride_compare, to._raw, to._base, UNBOUNDED, of._raw, of._base, UNBOUNDED, out)
    return None if out.value < 0 else one.unravel(out.value // each)


def equal(lhs: Any, rhs: Any) -> bool:
    """Whether shapes and all elements are equal, bit by bit: a NaN equals itself, 0.0 is not -0.0.

    >>> equal(b"abc", bytearray(b"abc"))
    True
    """
    known = quick_compare(lhs, rhs)
    if known:
        return known == 1
    one, other = array(lhs), array(rhs)
    _same_dtype(one, other, ("lhs", "rhs"))
    return one.shape == other.shape and first_difference(one, other) is None
