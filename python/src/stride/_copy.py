"""Copies: from any layout to any layout, on several threads, and in slabs for arrays larger than memory."""

from __future__ import annotations

import ctypes
import itertools
import math
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Optional, Union, overload

from . import _dtypes, _raw
from ._convert import Conversion
from ._execute import copy_layouts, copy_sides
from ._library import UNBOUNDED, call, int64s, lib, list_of
from ._memory import Array, FieldArray, array, empty, new
from ._native import numpy_types, quick_compare, quick_copy, quick_fill, quick_range, quick_take, remember_dtype
from ._sides import Side, axis_of, like, options_of, side_of
from ._slabs import Slabs
from ._types import Kind, Out, Progress
from ._views import Views
from .errors import DtypeMismatchError, OverlapError, UndecidedError

if TYPE_CHECKING:
    import numpy as np

    from typing_extensions import Unpack

    from ._types import D, How


def _same_dtype(dst: Array, src: Array, names: tuple[str, str] = ("dst", "src")) -> None:
    one, other = dst._number, src._number
    if one == other:
        alike = dst._tag == src._tag or not dst._tag or not src._tag or _swapped_bytes(dst, src) > 0
    elif (one ^ other) in (_raw.DTYPE_HIGH_FIRST, _raw.DTYPE_SWAPPED):  # In the other order within a byte, of bytes.
        alike = True
    else:
        plain = (_dtypes.is_bytes(one) and not dst._tag) or (_dtypes.is_bytes(other) and not src._tag)
        alike = plain and _dtypes.bits_of(one) == _dtypes.bits_of(other)
    if not alike:
        raise _mismatch(dst, src, names)  # No name for it here: its traceback would hold the arrays for the collector.


def _mismatch(dst: Array, src: Array, names: tuple[str, str]) -> DtypeMismatchError:
    numbers = not (_dtypes.is_bytes(dst._number) or _dtypes.is_bytes(src._number))
    hint = "stride.copy converts numbers with convert=True" if numbers else "libstride converts none of these"
    error = DtypeMismatchError(f"{names[0]} has elements {_word(dst)}, {names[1]} {_word(src)}; {hint}")
    error.argument, error.lhs, error.rhs = names[1], src._number, dst._number
    return error


def _word(of: Array) -> str:
    return of._tag.decode("ascii", "replace") if of._tag else of.dtype


def _swapped_bytes(dst: Array, src: Array) -> int:
    """The bytes that are swapped together, where the sides differ in their byte order alone and are no numbers here:
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
    those of the source byte-swapped, where the orders differ."""
    together = _swapped_bytes(dst, src)
    if not (together or isinstance(dst, FieldArray) or isinstance(src, FieldArray)):
        return dst, src
    one, other = dst._number, src._number
    swapped = bool((one ^ other) & _raw.DTYPE_SWAPPED) and not (_dtypes.is_bytes(one) or _dtypes.is_bytes(other))
    to, of = dst._bytes(False), src._bytes(swapped)
    if of.rank > to.rank:  # A complex number has its parts apart.
        call(lib.stride_layout_split, to, to.rank - 1, 2, int64s((2, -1)), to)
    if together:
        for side in (to, of):
            call(lib.stride_layout_split, side, side.rank - 1, 2, int64s((-1, together)), side)
        call(lib.stride_layout_flip, of, 1, int64s((-1,)), of)
    return (Array(to, dst._base, dst._owner, dst.readonly), Array(of, src._base, src._owner, src.readonly))


def copy(dst: Any, src: Any, *, dst_side: Any = None, src_side: Any = None, fill: Any = None,
         convert: Union[bool, Conversion] = False, threads: Optional[int] = None, progress: Optional[Progress] = None,
         slab_bytes: Optional[int] = None) -> None:
    """Copies every element of `src` to the element of `dst` with the same index, as numpy.copyto does.

    Both are anything that `stride.array` takes, or a `Side` of it; dtypes are equal, and `src` is broadcast to the
    shape of `dst`, if that is an array or a layout. `convert` True: numbers of one dtype become those of the other one,
    as numpy.ndarray.astype makes them where C defines it; a `Conversion` also computes. Where they share memory, the
    result is as if `src` had been read first. `threads` None: one; from 32 MiB and four processors on, one for each
    processor. The GIL is released.

    `dst_side` and `src_side` say what a buffer is seen as: a `Layout`, an `xla.Shape`, a `blocks.Blocked`, or a `Side`
    of one. `fill`, a number, one element's bytes or one byte for all of them, is what indices that are None get, and,
    with `dst_side`, all bytes of `dst` that nothing else is written to.

    `progress(done_bytes, total_bytes)` is called after each slab of `slab_bytes` (64 MiB); if it answers False, the
    copy ends with `stride.Stopped`. Slabs keep what is in memory at one time small, for `numpy.memmap`.

    >>> dst = bytearray(6)
    >>> copy(array(dst).reshape(3, 2).T, array(bytes(range(6))).reshape(2, 3))
    >>> list(dst)
    [0, 3, 1, 4, 2, 5]
    >>> copy(dst, Side(b"abc", runs={0: [2, None, slice(None), -1]}), fill=b".")
    >>> bytes(dst)
    b'c.abcc'
    """
    if not isinstance(convert, (bool, Conversion)):
        raise TypeError(f"convert is True or a stride.Conversion, not {type(convert).__name__}: dst has the dtype")
    if convert:
        seen = isinstance(dst, Side) or isinstance(src, Side) or not dst_side is src_side is fill is None
        if seen:
            raise ValueError("convert goes with arrays, not with sides and fills")
        _converted(array(dst), array(src), convert, threads, Slabs(progress, slab_bytes))
        return
    plain = dst_side is None and src_side is None and fill is None
    if plain and (threads is None or threads == 1) and progress is None and slab_bytes is None and quick_copy(dst, src):
        return
    if not plain or isinstance(dst, Side) or isinstance(src, Side):
        _copy_seen(_seen(dst, dst_side, "dst"), _seen(src, src_side, "src"), fill, threads, progress, slab_bytes)
        return
    to, of = array(dst), array(src)
    if to.readonly:
        raise ValueError("dst is read-only")
    if to._number != of._number or to._tag != of._tag:
        _same_dtype(to, of)
    rank = to._raw.rank
    if rank != of._raw.rank or to._raw.sizes[:rank] != of._raw.sizes[:rank]:
        of = like(of, to)
    to, of = _alike(to, of)
    if progress is None and slab_bytes is None:
        copy_layouts(to._raw, to._base, of._raw, of._base, to.nbytes, threads)
        remember_dtype(dst, src)
    else:
        _in_slabs(to, of, threads, Slabs(progress, slab_bytes))


def _converted(to: Array, of: Array, convert: Union[bool, Conversion], threads: Optional[int], slabs: Slabs) -> None:
    """A copy that converts. Elements at any byte go through packed ones."""
    conversion = convert if isinstance(convert, Conversion) else Conversion()
    if to.readonly:
        raise ValueError("dst is read-only")
    for side, name in ((to, "dst"), (of, "src")):
        if side._tag and _dtypes.is_bytes(side._number):
            raise ValueError(f"{name} has elements {_word(side)}, which are no numbers to convert")
    if isinstance(of, FieldArray):
        packed = empty(of.dtype, of.shape)
        copy(packed, of, threads=threads)
        of = packed
    if isinstance(to, FieldArray):
        packed = empty(to.dtype, to.shape)
        _converted(packed, of, conversion, threads, slabs)
        copy(to, packed, threads=threads)
        return
    if to.shape != of.shape:
        of = like(of, to)
    lists = {name: _floats_of(numbers, conversion._shape) for name, numbers in conversion._arrays.items()}
    if slabs.wanted:
        _in_slabs(to, of, threads, slabs, lambda *box: conversion._struct(lists, to.shape, *box))
    else:
        copy_layouts(to._raw, to._base, of._raw, of._base, to.nbytes, threads, conversion._struct(lists, to.shape))


def _floats_of(numbers: Array, shape: tuple[int, ...]) -> Any:
    """Numbers as f32, for each index of a shape, one after the other."""
    packed = empty("f32", shape)
    _converted(packed, numbers, True, 1, Slabs(None, None))
    return list_of(ctypes.c_float, packed.size).from_buffer_copy(packed.tobytes())


def _in_slabs(dst: Array, src: Array, threads: Optional[int], slabs: Slabs,
              convert: Optional[Callable[..., _raw.Conversion]] = None) -> None:
    shared = ctypes.c_uint32(1)
    status = lib.stride_layouts_overlap(dst._raw, dst._base, src._raw, src._base, 0, shared, None)
    itself = ctypes.c_uint32(1)
    status |= lib.stride_layout_self_overlap(dst._raw, 0, itself, None)
    # Sides that share bytes are copied at once: a slab would change what a later one reads. So is what is written
    # twice, which is refused.
    apart = status == 0 and not shared.value and not itself.value
    steps = [max(abs(one), abs(other)) for one, other in zip(dst.strides, src.strides)]
    for start, sizes in slabs.boxes(dst.shape, _dtypes.bits_of(dst._number), steps, () if apart else range(dst.ndim)):
        to, of = dst.crop(start, sizes), src.crop(start, sizes)
        conversion = convert(start, sizes) if convert else None
        copy_layouts(to._raw, to._base, of._raw, of._base, to.nbytes, threads, conversion)
        slabs.done(to.nbytes, dst.nbytes)


def _seen(given: Any, side: Any, name: str) -> Side:
    """A side of an array, or what a buffer is seen as."""
    if side is None:
        return side_of(given)
    if isinstance(given, Side):
        raise ValueError(f"{name} is a side already, and {name}_side another one")
    seen = side_of(side)
    if seen._is_array:
        raise ValueError(f"{name}_side is of an array, not of a layout, a shape or blocks")
    return seen._in(array(given))


def _copy_seen(to: Side, of: Side, fill: Any, threads: Optional[int] = None, progress: Optional[Progress] = None,
               slab_bytes: Optional[int] = None) -> None:
    """A copy of which a side is more than an array."""
    memory, back, slabs = to._memory, None, Slabs(progress, slab_bytes)
    if memory.readonly:
        raise ValueError("dst is read-only")
    if of._is_array and of._is_plain and isinstance(to._of, Views) and of.shape != to.shape:
        of = Side(like(of._of, to))
    # Elements at any byte, and byte-swapped ones that are no numbers here, go as bytes or through packed ones.
    if of._is_array and to._is_array:
        _same_dtype(memory, of._of)
        if not of._fills and (to._range is None) == (of._range is None):
            each, (one, other) = to._of.itemsize, _alike(to._of, of._of)
            if one is not to._of:
                to, of = to._seen_in(one, each), of._seen_in(other, each)
    if isinstance(of._of, FieldArray) or (of._is_array and to._is_array and _swapped_bytes(to._of, of._of)):
        packed = empty(of._of.dtype, of._of.shape)
        packed._tag = to._of._tag if to._is_array else b""
        copy(packed, of._of, threads=threads)
        of = of._seen_in(packed)
    if isinstance(to._of, FieldArray):
        back = to._of
        packed = empty(back.dtype, back.shape)
        if not to._is_plain:
            copy(packed, back, threads=threads)
        to = to._seen_in(packed)
    options = options_of(0, to._number, fill, not to._is_array)
    if slabs.wanted:
        _seen_in_slabs(to, of, options, threads, slabs)
    else:
        _copy_once(to, of, options, threads)
    if back is not None:
        copy(back, to._of, threads=threads)


def _copy_once(to: Side, of: Side, options: Optional[_raw.CopyOptions], threads: Optional[int]) -> None:
    def copied(to: Side, of: Side) -> None:
        copy_sides(to._struct(), to._place("dst"), of._struct(), of._place("src"), options, to.nbytes, threads)

    flags = options.flags if options else 0
    if flags and to._place("dst")[1] == UNBOUNDED:
        raise ValueError("a copy with a fill writes all of dst, so that must be bytes: a bytearray or u8")
    try:
        copied(to, of)
    except (OverlapError, UndecidedError):
        if not _meet(to, of):
            raise
        packed = Side(empty(of.dtype, of.shape))  # As if all had been read first.
        if options:
            options.flags = 0
        copied(packed, of)
        if options:
            options.flags = flags
        copied(to, packed)


def _seen_in_slabs(to: Side, of: Side, options: Optional[_raw.CopyOptions], threads: Optional[int],
                   slabs: Slabs) -> None:
    # As `_in_slabs`; that no index of runs is written twice is found by looking at all of them.
    uncut = range(to.ndim) if to.shape != of.shape or _meet(to, of) else to._along
    steps = [max(pair) for pair in zip(to._steps(), of._steps())]
    for start, sizes in slabs.boxes(to.shape, _dtypes.bits_of(to._number), steps, uncut):
        whole = to.shape == tuple(sizes)
        if options and options.flags and not whole:  # First all of the buffer gets the value.
            none = [0] * to.ndim
            _copy_once(to._box(none, none), of._box(none, none), options, 1)
            options.flags = 0
        piece = to._box(start, sizes)
        _copy_once(piece, of._box(start, sizes) if not whole else of, options, threads)
        slabs.done(piece.nbytes, to.nbytes)


def _meet(to: Side, of: Side) -> bool:
    """Whether the memory of both sides has bytes in common."""
    (one, its_end), (other, end) = to._extent(), of._extent()
    return one < end and other < its_end


def copy_range(dst: Any, src: Any, count: Optional[int] = None, *, dst_first: int = 0, src_first: int = 0,
               **how: Unpack[How]) -> None:
    """Copies `count` elements in row-major order, whatever the shapes: number dst_first + k of `dst` gets number
    src_first + k of `src`. None is all of both, which are as many then: dst.reshape(-1)[:] = src.reshape(-1) without a
    temporary. So a view is packed piece by piece, and unpacked.

    >>> columns = array(b"abcdef").reshape(2, 3).T
    >>> piece = bytearray(3)
    >>> copy_range(piece, columns, 3, src_first=2)
    >>> bytes(piece)
    b'bec'
    """
    if not how and quick_range(dst, src, count, dst_first, src_first):
        return
    to, of = Side(dst, first=dst_first, count=count), Side(src, first=src_first, count=count)
    if to.shape != of.shape:
        raise ValueError(f"dst has {to.shape[0]} elements from {dst_first} on, src {of.shape[0]} from {src_first} on")
    copy(to, of, **how)


@overload
def take(x: np.ndarray[Any, D], indices: Any, axis: int = -1, *, side: None = None, fill: Any = None, out: None = None,
         **how: Unpack[How]) -> np.ndarray[Any, D]: ...
@overload
def take(x: Kind, indices: Any, axis: int = -1, *, side: None = None, fill: Any = None, out: None = None,
         **how: Unpack[How]) -> Kind: ...
@overload
def take(x: Any, indices: Any, axis: int = -1, *, side: Any = None, fill: Any = None, out: Out,
         **how: Unpack[How]) -> Out: ...
@overload
def take(x: Any, indices: Any, axis: int = -1, *, side: Any = None, fill: Any = None, out: None = None,
         **how: Unpack[How]) -> Any: ...


def take(x: Any, indices: Any, axis: int = -1, *, side: Any = None, fill: Any = None, out: Any = None,
         **how: Unpack[How]) -> Any:
    """Elements along one dimension by a list, in one pass: numpy.take, where an entry of the list may also be a slice,
    a range, (first, step, count), and None, which is `fill`: a number of the dtype, or the bytes of an element; zeros,
    if it is not given. Channels get another order so, are dropped, doubled and added. `side`: what the buffer `x` is
    seen as, a `Layout`, an `xla.Shape` or a `blocks.Blocked`.

    >>> bgr = array(b"\\1\\2\\3\\4\\5\\6").reshape(2, 3)
    >>> list(take(bgr, (2, 1, 0, None), fill=255).tobytes())
    [3, 2, 1, 255, 6, 5, 4, 255]
    """
    if type(x) in numpy_types and side is None and not how:
        quick = _quick_take(x, indices, axis, fill, out)
        if quick is not None:
            return quick
    whole = _seen(x, side, "x")
    place = axis_of(whole.ndim, axis)
    of = Side(whole._of, runs={place: list(indices) if isinstance(indices, tuple) else indices})
    if out is None:
        out = new(None if side is not None else x, of._number, of.shape)
    to = array(out)
    if to.shape != of.shape:
        raise ValueError(f"out has the shape {to.shape}, the result {of.shape}")
    if to.readonly:
        raise ValueError("out is read-only")
    if of._is_array:
        _same_dtype(to, of._of, ("out", "x"))
    _copy_seen(Side(to), of._in(whole._memory), fill, **how)
    return out


def _quick_take(x: Any, indices: Any, axis: int, fill: Any, out: Any) -> Any:
    """The result of `take` for an array of NumPy's; None where that has to take the long way."""
    if out is None:
        try:
            shape = list(x.shape)
            shape[axis] = len(indices)
        except (TypeError, IndexError):
            return None
        out = sys.modules["numpy"].empty(shape, x.dtype)
    value = None if fill is None else _element(out, fill) if type(out) in numpy_types else b""
    return out if quick_take(out, x, axis, indices, value) else None


def _element(dst: Any, value: Any) -> bytes:
    """The value as bytes of an element of an array of NumPy's; nothing where it is none."""
    if type(value) is bytes:
        return value
    try:
        return _dtypes.bytes_of_value(_dtypes.number_of_met(dst.dtype), value)
    except (TypeError, ValueError, OverflowError):
        return b""


def fill(dst: Any, value: Any, *, progress: Optional[Progress] = None, slab_bytes: Optional[int] = None) -> None:
    """Writes one value to every element: a number of the dtype, or the bytes of an element. UndecidedError if there are
    more than 64 indices for each element from the lowest one to the highest, and more than 64 KiB of them. `progress`
    and `slab_bytes` as `copy` has them.

    >>> memory = bytearray(4)
    >>> fill(memory, 7)
    >>> list(memory)
    [7, 7, 7, 7]
    """
    slabs = None if progress is None and slab_bytes is None else Slabs(progress, slab_bytes)
    if slabs is None and type(dst) in numpy_types and quick_fill(dst, _element(dst, value)):
        return
    to = array(dst)
    if to.readonly:
        raise ValueError("dst is read-only")
    given = _dtypes.bytes_of_value(to._number, value)
    if isinstance(to, FieldArray):
        copy(to, array(given).reinterpret(to.dtype).reshape(()), progress=progress, slab_bytes=slab_bytes)
    elif slabs is None:
        call(lib.stride_fill, to._raw, to._base, UNBOUNDED, given)
    else:
        for start, sizes in slabs.boxes(to.shape, _dtypes.bits_of(to._number), [abs(step) for step in to.strides]):
            box = to.crop(start, sizes)
            call(lib.stride_fill, box._raw, box._base, UNBOUNDED, given)
            slabs.done(box.nbytes, to.nbytes)


def first_difference(lhs: Any, rhs: Any, *, progress: Optional[Progress] = None,
                     slab_bytes: Optional[int] = None) -> Optional[tuple[int, ...]]:
    """The index of the first element whose bits differ, None if there is none. Shapes and dtypes are equal.
    UndecidedError as for `fill`, by the larger side. `progress` and `slab_bytes` as `copy` has them."""
    one, other = array(lhs), array(rhs)
    _same_dtype(one, other, ("lhs", "rhs"))
    out, (to, of) = ctypes.c_int64(), _alike(one, other)
    if to.shape != of.shape or (progress is None and slab_bytes is None):
        call(lib.stride_compare, to._raw, to._base, UNBOUNDED, of._raw, of._base, UNBOUNDED, out)
        each = 1 if to is one else one.itemsize
        return None if out.value < 0 else one.unravel(out.value // each)
    slabs = Slabs(progress, slab_bytes)
    outward = [math.prod(to.shape[axis + 1:]) for axis in range(to.ndim)]  # Slabs are in row-major order then.
    for start, sizes in slabs.boxes(to.shape, _dtypes.bits_of(to._number), outward):
        lhs_box, rhs_box = to.crop(start, sizes), of.crop(start, sizes)
        call(lib.stride_compare, lhs_box._raw, lhs_box._base, UNBOUNDED, rhs_box._raw, rhs_box._base, UNBOUNDED, out)
        if out.value >= 0:
            index = (first + more for first, more in zip(start, lhs_box.unravel(out.value)))
            return tuple(itertools.islice(index, one.ndim))  # Bytes of an element are dimensions after these.
        slabs.done(lhs_box.nbytes, to.nbytes)
    return None


def equal(lhs: Any, rhs: Any, *, progress: Optional[Progress] = None, slab_bytes: Optional[int] = None) -> bool:
    """Whether shapes and all elements are equal, bit by bit: a NaN equals itself, 0.0 is not -0.0. `progress` and
    `slab_bytes` as `copy` has them.

    >>> equal(b"abc", bytearray(b"abc"))
    True
    """
    if progress is None and slab_bytes is None:
        known = quick_compare(lhs, rhs)
        if known:
            return known == 1
    one, other = array(lhs), array(rhs)
    _same_dtype(one, other, ("lhs", "rhs"))
    return one.shape == other.shape and first_difference(one, other, progress=progress, slab_bytes=slab_bytes) is None
