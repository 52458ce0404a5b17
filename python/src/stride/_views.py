"""Questions about a layout, and views of it: what a `Layout` and an `Array` (a layout with its memory) have in common.

A view has other sizes and strides over the same memory. Each method answers with one more of the same kind.
"""

from __future__ import annotations

import ctypes
import itertools
import math
import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Optional, TypeVar, Union

from . import _dtypes
from . import _raw as c
from ._library import INT64_MAX, INT64_MIN, call, int64, int64s, lib, list_of, set_fields, text_of, uint64
from .errors import NotRepresentableError

V = TypeVar("V", bound="Views")
Axes = Union[int, Iterable[int], None]
# The library's names, which end where it has none.
_CONSUMERS = {name.decode(): number for number, name in
              enumerate(itertools.takewhile(bool, map(lib.stride_consumer_name, itertools.count())))}


def _axes(axes: Axes, rank: int) -> Any:
    """A list of dimensions; None is all."""
    if axes is None:
        return int64s(range(rank))
    return int64s(axes if isinstance(axes, Iterable) else (axes,))


def _sizes(sizes: tuple[Any, ...]) -> Any:
    """reshape(2, 3) and reshape((2, 3)) mean the same."""
    if len(sizes) == 1 and isinstance(sizes[0], Iterable):
        return int64s(sizes[0])
    return int64s(sizes)


def answer(function: Any, *arguments: Any) -> bool:
    """Yes or no."""
    out = ctypes.c_uint32()
    call(function, *arguments, out)
    return bool(out.value)


class Views:
    """Questions about a layout, and views of it."""

    __slots__ = ("_facts_", "_raw")
    _side_kind = c.SIDE_LAYOUT
    _raw: c.Layout
    _facts_: Optional[c.LayoutFacts]

    def _with(self: V, raw: c.Layout) -> V:
        raise NotImplementedError

    def _view(self: V, function: Any, *arguments: Any) -> V:
        out = c.Layout()
        call(function, self._raw, *arguments, out)
        return self._with(out)

    def _whole(self) -> c.Layout:
        """The layout as the library has it: of elements at any byte that of their bytes."""
        return self._raw

    @property
    def _number(self) -> int:
        """The dtype's number."""
        return int(self._raw.dtype)

    # --- what it says ------------------------------------------------------------------------------------------------

    @property
    def dtype(self) -> str:
        """libstride's name of the element type: "f32"."""
        return _dtypes.name_of(self._number)

    @property
    def shape(self) -> tuple[int, ...]:
        """Elements along each dimension."""
        return tuple(self._raw.sizes[:self._raw.rank])

    @property
    def strides(self) -> tuple[int, ...]:
        """Elements (not bytes) from one index to the next along each dimension."""
        return tuple(self._raw.strides[:self._raw.rank])

    @property
    def byte_strides(self) -> tuple[int, ...]:
        """Bytes from one index to the next along each dimension, as NumPy counts them."""
        out = list_of(ctypes.c_int64, self.ndim)()
        call(lib.stride_layout_byte_strides, self._raw, self.ndim, out)
        return tuple(out)

    @property
    def offset(self) -> int:
        """Elements from the start of the memory to index (0, ..., 0)."""
        return int(self._raw.offset)

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return int(self._raw.rank)

    @property
    def itemsize(self) -> int:
        """Bytes of an element; 0 for those smaller than a byte."""
        return _dtypes.bits_of(self._number) // 8

    def _facts(self) -> c.LayoutFacts:
        if self._facts_ is None:
            facts = c.LayoutFacts(struct_size=ctypes.sizeof(c.LayoutFacts))
            call(lib.stride_layout_query, self._raw, facts)
            self._facts_ = facts
        return self._facts_

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        """Bytes of all elements side by side: what a packed copy takes."""
        return (self.size * _dtypes.bits_of(self._number) + 7) // 8

    @property
    def min_bytes(self) -> int:
        """Bytes that the memory must have."""
        out = ctypes.c_uint64()
        call(lib.stride_layout_min_bytes, self._whole(), out)
        return out.value

    @property
    def span(self) -> tuple[int, int]:
        """The lowest and the highest element offset; (0, -1) if there are no elements."""
        facts = self._facts()
        return int(facts.lowest), int(facts.highest)

    @property
    def is_contiguous(self) -> bool:
        """Row-major without gaps, as after `ascontiguous`. True without elements."""
        return bool(self._facts().formats & c.FORMAT_PACKED)

    @property
    def is_fortran(self) -> bool:
        """Column-major without gaps."""
        return bool(self._facts().formats & c.FORMAT_COLUMN_MAJOR)

    @property
    def is_dense(self) -> bool:
        """Without gaps in some order of the dimensions."""
        return bool(self._facts().formats & c.FORMAT_DENSE)

    @property
    def is_channels_last(self) -> bool:
        """Without gaps, dimension 1 fastest: PyTorch's channels_last."""
        return bool(self._facts().formats & c.FORMAT_CHANNELS_LAST)

    @property
    def contiguous_run(self) -> int:
        """The number of elements, from the last dimensions on, that lie side by side."""
        return int(self._facts().run_elements)

    @property
    def dim_order(self) -> tuple[int, ...]:
        """The dimensions as they lie in memory, the outermost first; gaps, repeats and mirrors allowed."""
        out, unique = list_of(ctypes.c_int64, self.ndim)(), ctypes.c_uint32()
        call(lib.stride_layout_dim_order, self._raw, 0, None, self.ndim, out, unique)
        return tuple(out)

    @property
    def overlaps_itself(self) -> bool:
        """Whether two indices mean the same element; where elements lie at any byte, or share a byte."""
        return answer(lib.stride_layout_self_overlap, self._whole(), 0)

    def offset_of(self, *index: int) -> int:
        """The element offset of an index."""
        out = ctypes.c_int64()
        numbers = int64s(index)
        call(lib.stride_layout_offset, self._raw, len(numbers), numbers, out)
        return out.value

    def index_at(self, offset: int) -> tuple[int, ...]:
        """The first index at an element offset, the inverse of `offset_of`; NotRepresentableError if there is none."""
        out = list_of(ctypes.c_int64, self.ndim)()
        call(lib.stride_layout_multi_index, self._raw, int64(offset), self.ndim, out, None)
        return tuple(out)

    def sharing_at(self, offset: int) -> int:
        """The number of indices at an element offset.

        >>> from stride import Layout
        >>> Layout("f32", (3,)).window((2,)).sharing_at(1)
        2
        """
        out, sharing = list_of(ctypes.c_int64, self.ndim)(), ctypes.c_uint64()
        try:
            call(lib.stride_layout_multi_index, self._raw, int64(offset), self.ndim, out, sharing)
        except NotRepresentableError:
            return 0
        return sharing.value

    def unravel(self, number: int) -> tuple[int, ...]:
        """The index with this row-major number."""
        out = list_of(ctypes.c_int64, self.ndim)()
        call(lib.stride_layout_unravel_index, self._raw, int64(number), self.ndim, out)
        return tuple(out)

    def fits(self, nbytes: int) -> bool:
        """Whether every element lies in so many bytes."""
        return bool(lib.stride_layout_fits(self._whole(), uint64(nbytes), None) == 0)

    # --- views -------------------------------------------------------------------------------------------------------

    def permute(self: V, *axes: Any) -> V:
        """Dimension i of the view is dimension axes[i]: numpy.transpose."""
        numbers = _sizes(axes)
        return self._view(lib.stride_layout_permute, len(numbers), numbers)

    def transpose(self: V, *axes: Any) -> V:
        """`permute`; without axes all dimensions are reversed, as NumPy does."""
        if not axes or axes == (None,):
            return self.permute(range(self.ndim - 1, -1, -1))
        return self.permute(*axes)

    @property
    def T(self: V) -> V:
        """All dimensions in reverse."""
        return self.transpose()

    def swapaxes(self: V, axis1: int, axis2: int) -> V:
        """Two dimensions exchanged."""
        order = list(range(self.ndim))
        one, two = self._axis(axis1), self._axis(axis2)
        order[one], order[two] = order[two], order[one]
        return self.permute(order)

    def moveaxis(self: V, source: int, destination: int) -> V:
        """One dimension to another place, the others in their order."""
        order = [axis for axis in range(self.ndim) if axis != self._axis(source)]
        order.insert(self._axis(destination), self._axis(source))
        return self.permute(order)

    def _axis(self, axis: int) -> int:
        number = int64(axis)
        if not -self.ndim <= number < self.ndim:
            self._view(lib.stride_layout_flip, 1, int64s((number,)))  # Raises the library's sentence.
        return number % self.ndim

    def __getitem__(self: V, key: Any) -> V:
        """NumPy's basic indexing: integers, slices, None and Ellipsis. The answer is always a view."""
        keys = list(key) if isinstance(key, tuple) else [key]
        given = sum(item is not None and item is not Ellipsis for item in keys)
        if given > self.ndim:
            raise IndexError(f"{given} indices are given, the layout has {self.ndim} dimensions")
        if sum(item is Ellipsis for item in keys) > 1:
            raise IndexError("an index has one Ellipsis at most")
        rest = [slice(None)] * (self.ndim - given)
        place = next((number for number, item in enumerate(keys) if item is Ellipsis), len(keys))
        keys[place:place + 1] = rest
        view: V = self
        slices: list[slice] = []
        new: list[int] = []
        axis = 0
        for item in keys:
            if item is None:
                new.append(len(slices) + len(new))
            elif isinstance(item, slice):
                slices.append(item)
                axis += 1
            else:
                try:
                    number = int64(None if isinstance(item, bool) else item)
                except TypeError:
                    raise TypeError("an index is made of integers, slices, None and Ellipsis, not "
                                    f"{type(item).__name__}") from None
                view = view._view(lib.stride_layout_select, axis, number)
        if any(item != slice(None) for item in slices):
            view = view._slices(slices)
        return view.expand_dims(new) if new or view is self else view

    def _slices(self: V, slices: Sequence[slice]) -> V:
        """One slice for each dimension."""
        def end(value: Any, missing: int) -> int:
            return missing if value is None else max(INT64_MIN, min(INT64_MAX, operator.index(value)))

        steps = [end(item.step, 1) for item in slices]
        starts = [end(item.start, 0 if step > 0 else INT64_MAX) for item, step in zip(slices, steps)]
        stops = [end(item.stop, INT64_MAX if step > 0 else INT64_MIN) for item, step in zip(slices, steps)]
        return self._view(lib.stride_layout_slice, len(steps), int64s(starts), int64s(stops), int64s(steps))

    def crop(self: V, starts: Sequence[int], sizes: Sequence[int]) -> V:
        """The box of `sizes` elements that begins at `starts`; nothing is clamped."""
        if len(starts) != len(sizes):
            raise ValueError(f"{len(starts)} starts and {len(sizes)} sizes")
        return self._view(lib.stride_layout_crop, len(starts), int64s(starts), int64s(sizes))

    def flip(self: V, axes: Axes = None) -> V:
        """Dimensions reversed; None is all of them."""
        numbers = _axes(axes, self.ndim)
        return self._view(lib.stride_layout_flip, len(numbers), numbers)

    def rot90(self: V, k: int = 1, axes: Sequence[int] = (0, 1)) -> V:
        """Rotated by 90 degrees k times, from the first of the two dimensions towards the second (numpy.rot90)."""
        one, two = (self._axis(axis) for axis in axes)
        if one == two:
            raise ValueError("rot90 needs two different dimensions")
        rotated: V = self
        k = operator.index(k)
        if k % 4 in (1, 2):
            rotated = rotated.flip(two)
        if k % 4 in (2, 3):
            rotated = rotated.flip(one)
        return rotated.swapaxes(one, two) if k % 2 else rotated.flip(())

    def squeeze(self: V, axes: Axes = None) -> V:
        """Without the dimensions of size 1 named; None is all of them."""
        if axes is None:
            return self._view(lib.stride_layout_squeeze_all)
        numbers = _axes(axes, self.ndim)
        return self._view(lib.stride_layout_squeeze, len(numbers), numbers)

    def expand_dims(self: V, axes: Axes) -> V:
        """With a dimension of size 1 at each place named."""
        numbers = _axes(() if axes is None else axes, 0)
        return self._view(lib.stride_layout_expand_dims, len(numbers), numbers)

    def reshape(self: V, *sizes: Any) -> V:
        """Other sizes, one of which may be -1. NotRepresentableError where only a copy could do it."""
        numbers = _sizes(sizes)
        return self._view(lib.stride_layout_reshape, len(numbers), numbers)

    def split(self: V, axis: int, sizes: Sequence[int]) -> V:
        """One dimension cut into several, one of whose sizes may be -1."""
        return self._view(lib.stride_layout_split, int64(axis), len(sizes), int64s(sizes))

    def merge(self: V, axis: int, count: int) -> V:
        """`count` dimensions from `axis` on joined into one."""
        count = operator.index(count)
        if not 0 <= count < 1 << 32:
            raise ValueError(f"{count} dimensions cannot be merged")
        return self._view(lib.stride_layout_merge, int64(axis), count)

    def diagonal(self: V, offset: int = 0, axis1: int = 0, axis2: int = 1) -> V:
        """The diagonal of two dimensions as a new last one (numpy.diagonal)."""
        return self._view(lib.stride_layout_diagonal, int64(offset), int64(axis1), int64(axis2))

    def window(self: V, sizes: Sequence[int], steps: Optional[Sequence[int]] = None,
               dilations: Optional[Sequence[int]] = None) -> V:
        """All windows: the first dimensions say where one begins, the others the place in it (sliding_window_view)."""
        for given in (steps, dilations):
            if given is not None and len(given) != len(sizes):
                raise ValueError(f"{len(sizes)} sizes and {len(given)} steps or dilations")
        return self._view(lib.stride_layout_window, len(sizes), int64s(sizes), None if steps is None else int64s(steps),
                          None if dilations is None else int64s(dilations))

    def as_strided(self: V, shape: Sequence[int], strides: Sequence[int], offset: int = 0) -> V:
        """Any sizes and strides over the elements that the layout reaches; what leaves them is refused."""
        if len(shape) != len(strides):
            raise ValueError(f"{len(shape)} sizes and {len(strides)} strides")
        return self._view(lib.stride_layout_as_strided, len(shape), int64s(shape), int64s(strides), int64(offset))

    def reinterpret(self: V, dtype: Any) -> V:
        """The bytes as elements of another dtype (numpy.ndarray.view)."""
        return self._view(lib.stride_layout_reinterpret, _dtypes.number_of(dtype))

    def broadcast_dim(self: V, axis: int, count: int) -> V:
        """A new dimension of `count` entries that are the same memory, stride 0; nothing is repeated, as by
        numpy.repeat."""
        return self._view(lib.stride_layout_repeat, int64(axis), int64(count))

    def cut(self: V, axis: int, position: int) -> tuple[V, V]:
        """The part before a position of a dimension, and the rest."""
        front, back = c.Layout(), c.Layout()
        call(lib.stride_layout_cut, self._raw, int64(axis), int64(position), front, back)
        return self._with(front), self._with(back)

    def as_blocks(self: V, sizes: Sequence[int]) -> V:
        """Cut into blocks: the first dimensions say which block, the others the place in it
        (skimage.util.view_as_blocks).

        >>> from stride import Layout
        >>> Layout("f32", (64, 48)).as_blocks((16, 16)).shape
        (4, 3, 16, 16)
        """
        return self._view(lib.stride_layout_tile, len(sizes), int64s(sizes))

    def broadcast_to(self: V, *shape: Any) -> V:
        """With this shape by NumPy's rule; repeated dimensions get stride 0."""
        numbers = _sizes(shape)
        return self._view(lib.stride_layout_broadcast_to, len(numbers), numbers)

    def meets(self, consumer: str, address: int = 0, **fields: int) -> bool:
        """Whether a consumer takes this layout at an address: "directml", "tma", "d3d12", "webgpu", "cutensor",
        "metal", "vulkan", "mdspan", "arrow", "vulkan_image", "opengl". `fields` change those of stride_requirements:
        with texel_dimensions=1 the innermost dimension is one pixel."""
        return self.why_not(consumer, address, **fields) is None

    def why_not(self, consumer: str, address: int = 0, **fields: int) -> Optional[str]:
        """The reason why a consumer does not take this layout; None where it does (`meets`).

        >>> from stride import Layout
        >>> Layout("f32", (64, 511)).why_not("tma")
        'layout, dimension 0: a stride of 2044 bytes is not a multiple of 16'
        """
        try:
            call(lib.stride_layout_meets, self._whole(), uint64(address), requirements(consumer, fields))
        except NotRepresentableError as reason:
            return str(reason)
        return None


def requirements(consumer: str, fields: Mapping[str, int]) -> c.Requirements:
    """The requirements of a consumer, by its name, with some fields changed."""
    if consumer not in _CONSUMERS:
        raise ValueError(f"{consumer!r} is no consumer that is known; these are: {', '.join(sorted(_CONSUMERS))}")
    out = c.Requirements()
    call(lib.stride_requirements_init, out, _CONSUMERS[consumer])
    set_fields(out, fields, "requirements")
    return out
