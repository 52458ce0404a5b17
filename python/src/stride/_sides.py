"""Sides of copies: which elements of an object, and in which order."""

from __future__ import annotations

import array as arrays
import ctypes
import math
import operator
from collections.abc import Iterable, Mapping
from typing import Any, Optional, final

from . import _dtypes, _raw
from ._layout import Layout
from ._library import UNBOUNDED, call, int64, lib
from ._memory import Array, array
from ._views import Views
from .errors import Error, InvalidAxesError, ShapeMismatchError

#: Dtypes of plain memory.
_BYTE_DTYPES = frozenset(_dtypes.number_of(name) for name in ("u8", "s8", "pred", "bytes1"))


@final
class Side:
    """Elements of an object as a copy or a plan sees them: all of them, those at chosen indices along some dimensions,
    or `count` of them from number `first` on, in row-major order, as one dimension.

    The object is an array; or a `Layout`, an `xla.Shape` or a `blocks.Blocked`, and then the copy is given the memory
    apart. `runs` has a list of indices for each dimension that has some: numbers, which may be negative, slices,
    ranges, (first, step, count), and of a source None, which is the copy's `fill`. A slice, a range or an array of
    integers may stand for the list. A destination has no index twice.

    >>> rows = array(b"abcdef").reshape(3, 2)
    >>> Side(rows, runs={0: [2, 0], 1: slice(None, None, -1)}).shape
    (2, 2)
    >>> rolled = Side(rows, runs={0: [slice(-1, None), slice(None, -1)]})
    >>> mirrored_border = Side(rows, runs={0: [(1, -1, 1), slice(None), (1, -1, 1)]})
    >>> third_to_fifth = Side(rows, first=2, count=3)
    """

    __slots__ = ("_along", "_given", "_of", "_range", "_rebased", "_structure", "shape")

    #: Sizes, as they are seen.
    shape: tuple[int, ...]

    def __init__(self, of: Any, runs: Optional[Mapping[int, Any]] = None, *, first: Optional[int] = None,
                 count: Optional[int] = None) -> None:
        if isinstance(of, Side):
            raise TypeError("a side is of an array, a layout, a shape or blocks, not of another side")
        self._of: Any = of if hasattr(of, "_side_kind") else array(of)
        self._given: Optional[Array] = None
        self._along: dict[int, arrays.array[int]] = {}
        self._range: Optional[tuple[int, int]] = None
        self._rebased: Optional[tuple[_raw.Layout, int]] = None
        self._structure: Optional[_raw.Side] = None
        sizes = list(_sizes_of(self._of))
        if first is not None or count is not None:
            if runs:
                raise ValueError("a side has runs, or it is a range")
            begin = 0 if first is None else operator.index(first)
            self._range = begin, math.prod(sizes) - begin if count is None else operator.index(count)
            sizes = [self._range[1]]
        for dimension, indices in (runs or {}).items():
            place = axis_of(len(sizes), dimension)
            if place in self._along:
                raise ValueError(f"dimension {place} has two lists of indices")
            self._along[place], sizes[place] = runs_of(indices, sizes[place])
        self.shape = tuple(sizes)

    @property
    def of(self) -> Any:
        """The array, layout, shape or blocks."""
        return self._of

    @property
    def dtype(self) -> str:
        """libstride's name of the elements' type, as they lie in memory."""
        return _dtypes.name_of(self._number)

    @property
    def ndim(self) -> int:
        """Number of dimensions, as they are seen."""
        return len(self.shape)

    @property
    def nbytes(self) -> int:
        """Bytes of all elements that are seen, side by side."""
        return (math.prod(self.shape) * _dtypes.bits_of(self._number) + 7) // 8

    def __repr__(self) -> str:
        of = self._of.layout if isinstance(self._of, Array) else self._of
        return f"<stride.Side {self.shape} of {of!r}>"

    # --- for copies --------------------------------------------------------------------------------------------------

    @property
    def _number(self) -> int:
        return int(self._of._number)

    @property
    def _is_array(self) -> bool:
        return isinstance(self._of, Array)

    @property
    def _is_plain(self) -> bool:
        """Whether all of the object is seen."""
        return not self._along and self._range is None

    @property
    def _fills(self) -> bool:
        """Whether an index is None."""
        return any(-1 in numbers[::3] for numbers in self._along.values())

    def _seen_in(self, of: Any, each: int = 1) -> Side:
        """The chosen elements of another object; `each`: how many of its elements are one of this."""
        other = Side.__new__(Side)
        other._of, other._given, other._along = of, self._given, self._along
        other._rebased = other._structure = None
        other._range = self._range and (self._range[0] * each, self._range[1] * each)
        if other._range:
            other.shape = (other._range[1],)
        else:
            other.shape = self.shape + _sizes_of(of)[self.ndim:]
        return other

    def _in(self, memory: Array) -> Side:
        """The side with its object in this memory."""
        other = self._seen_in(self._of)
        other._given = None if self._is_array else memory
        return other

    @property
    def _memory(self) -> Array:
        """The array, or the memory of the object."""
        memory = self._of if self._given is None else self._given
        assert isinstance(memory, Array)
        return memory

    def _box(self, starts: Iterable[int], sizes: Iterable[int]) -> Side:
        """The box of `sizes` indices that begins at `starts`."""
        other = self._seen_in(self._of)
        other._along, other.shape = dict(self._along), tuple(sizes)
        for dimension, (start, size) in enumerate(zip(starts, other.shape)):
            if other._range:
                other._range = self._range and (self._range[0] + start, size)
            elif size < self.shape[dimension]:
                runs = self._along.get(dimension, arrays.array("q", (0, 1, self.shape[dimension])))
                other._along[dimension] = _part_of(runs, start, size)
        return other

    def _struct(self) -> _raw.Side:
        """The side for the library; it holds what it points to."""
        if self._structure is not None:
            return self._structure
        raw = _raw.Side()
        of = self._of._whole() if isinstance(self._of, Views) else self._of._raw
        call(lib.stride_side_init, raw, self._of._side_kind, ctypes.addressof(of))
        for dimension, numbers in self._along.items():
            runs = ctypes.cast(numbers.buffer_info()[0], ctypes.POINTER(_raw.IndexRun))
            call(lib.stride_side_set_runs, raw, dimension, len(numbers) // 3, runs)
        if self._range is not None:
            call(lib.stride_side_set_range, raw, *map(int64, self._range))
        raw.holds = of, self._along
        self._structure = raw
        return raw

    def _place(self, name: str) -> tuple[int, int]:
        """Base address and length of the memory."""
        if self._given is None:
            return self._memory._base, UNBOUNDED
        return self._place_in(self._given, name, f"{name}_side's")

    def _place_in(self, of: Array, name: str, whose: str) -> tuple[int, int]:
        """Base address and length of the object in the memory of `of`: of a layout bytes, from whose start it counts,
        or an array that lies as it says; of others bytes."""
        if not isinstance(self._of, Layout):
            return of._flat(f"{name}, which has {self._of._what},")
        raw = of._whole()
        if raw.rank == 1 and raw.dtype in _BYTE_DTYPES and (raw.strides[0] == 1 or raw.sizes[0] < 2):
            return of._flat(name)
        mine, its = self._lowest(), _rebased(raw)  # Views of an array count from where that begins.
        if bytes(raw) != bytes(mine[0]):
            if its[0].dtype != mine[0].dtype or not Layout._of_raw(its[0]).same_mapping(Layout._of_raw(mine[0])):
                raise ShapeMismatchError(f"{name} is neither bytes nor of {whose} layout: {of.layout!r} instead of "
                                         f"{self._of!r}")
        return of._base + its[1] - mine[1], UNBOUNDED

    def _extent(self) -> tuple[int, int]:
        """The first byte of the memory and the one after the last, some more where elements are less than a byte."""
        layout = self._memory.layout
        bits, (lowest, highest) = _dtypes.bits_of(layout._number), layout.span
        return self._memory._base + lowest * bits // 8, self._memory._base + ((highest + 1) * bits + 7) // 8

    def _steps(self) -> tuple[int, ...]:
        """The elements that an index of each dimension spans."""
        if self._range is not None:
            return (1,)
        if isinstance(self._of, Views):
            whole = self._of._whole()
            return tuple(abs(step) for step in whole.strides[:self.ndim])
        return tuple(math.prod(self.shape[axis + 1:]) for axis in range(self.ndim))

    def _lowest(self) -> tuple[_raw.Layout, int]:
        """The layout, counted from its lowest element, and at which byte that lies."""
        if self._rebased is None:
            # What is no layout takes bytes alone, and a layout without a dtype is no array's.
            self._rebased = _rebased(self._of._raw) if isinstance(self._of, Layout) else (_raw.Layout(), 0)
        return self._rebased

    def __getstate__(self) -> tuple[Any, ...]:
        return self._of, self._along, self._range, self.shape

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self._of, self._along, self._range, self.shape = state
        self._given = self._rebased = self._structure = None


def _rebased(of: _raw.Layout) -> tuple[_raw.Layout, int]:
    raw, shift = _raw.Layout(), ctypes.c_int64()
    call(lib.stride_layout_rebase, of, raw, shift)
    return raw, shift.value


def _sizes_of(of: Any) -> tuple[int, ...]:
    sizes: tuple[int, ...] = of.shape if isinstance(of, Views) else of.sizes
    return sizes


def axis_of(rank: int, axis: Any) -> int:
    """The number of a dimension; negative ones count from the end."""
    number = operator.index(axis)
    if not -rank <= number < rank:
        raise InvalidAxesError(f"dimension number {number} is outside {-rank} ... {rank - 1}")
    return number % rank


def side_of(of: Any) -> Side:
    """A side, or all of an object."""
    return of if isinstance(of, Side) else Side(of)


def described(of: Any) -> Side:
    """A side of something that has no memory: a layout, a shape or blocks; of an array its layout."""
    side = side_of(of)
    return side._seen_in(side._of.layout) if isinstance(side._of, Array) else side


def runs_of(indices: Any, size: int) -> tuple[arrays.array[int], int]:
    """Indices along a dimension of `size` as numbers of runs, three each, and how many indices they are."""
    numbers, count = arrays.array("q"), 0
    for item in (indices,) if isinstance(indices, (slice, range)) else indices:
        if item is None:
            run = -1, 0, 1
        elif isinstance(item, slice):
            chosen = range(*item.indices(size))
            run = chosen.start, chosen.step, len(chosen)
        elif isinstance(item, range):
            run = _checked(item.start, item.step, len(item), size)
        elif isinstance(item, tuple):
            if len(item) != 3:
                raise ValueError(f"a run is (first, step, count), not {item}")
            first, step, length = item
            run = (-1, 0, operator.index(length)) if first is None else _checked(first, step, length, size)
        else:
            run = _checked(item, 1, 1, size)
        if run[2] < 0:
            raise ValueError(f"a run has {run[2]} indices")
        numbers.extend(run if run[2] else (0, 1, 0))
        count += run[2]
    return numbers, count


def _checked(first: Any, step: Any, count: Any, size: int) -> tuple[int, int, int]:
    """A run of indices that exist; a negative first one counts from the end."""
    first, step, count = operator.index(first), operator.index(step), operator.index(count)
    begin = first + size if first < 0 else first
    last = begin + (count - 1) * step
    for index, given in ((begin, first), (last, last)) if count > 0 else ():
        if not 0 <= index < size:
            raise IndexError(f"index {given} is outside a dimension of {size}")
    return begin, step, count


def _part_of(runs: arrays.array[int], start: int, size: int) -> arrays.array[int]:
    """The runs of indices `start` to `start` + `size`."""
    part = arrays.array("q")
    for first, step, count in zip(runs[::3], runs[1::3], runs[2::3]):
        begin, end = min(start, count), min(start + size, count)
        if begin < end:
            part.extend((first + begin * step, step, end - begin))
        start, size = max(0, start - count), size - (end - begin)
        if size <= 0:
            break
    return part


def like(src: Any, dst: Any) -> Any:
    """The source with the destination's shape, as numpy.copyto broadcasts it: leading sizes of 1, more than there are
    dimensions, are dropped."""
    shape, wanted = src.shape, dst.shape
    extra = len(shape) - len(wanted)
    if extra > 0 and all(size == 1 for size in shape[:extra]):
        src = src.squeeze(range(extra))
    try:
        return src.broadcast_to(wanted)
    except Error as problem:
        problem.args = (f"src has the shape {shape}, dst {wanted}: {str(problem).removeprefix('shape, ')}",)
        problem.argument = "src"
        raise


def options_of(flags: int, number: int, fill: Any, buffer: bool) -> Optional[_raw.CopyOptions]:
    """The options of a copy; None where nothing is asked for. A fill is one byte for all, one element of the dtype, of
    16 bytes at most that repeat in larger ones, or a number. `buffer`: it also goes to what the copy does not write."""
    if not flags and fill is None:
        return None
    options = _raw.CopyOptions(struct_size=ctypes.sizeof(_raw.CopyOptions), flags=flags)
    if fill is not None:
        element = (_dtypes.bits_of(number) + 7) // 8
        if not isinstance(fill, (bytes, bytearray, memoryview)):
            fill = _dtypes.bytes_of_value(number, fill)
        value = bytes(fill)
        if len(value) == element and value != (value[:16] * (element // 16 + 1))[:element]:
            raise ValueError(f"the fill of an element of {element} bytes is 16 bytes that repeat")
        if len(value) not in (1, min(16, element), element):
            all_of_it = f"the {element} of an element" if element <= 16 else "the 16 that repeat in larger elements"
            raise ValueError(f"a fill has one byte, or {all_of_it}, not {len(value)}")
        options.flags |= buffer and _raw.COPY_FILL_BUFFER
        options.fill[:] = (value * 16)[:16]
    return options
