"""Packed copies of views, as NumPy's users expect them. Each gives an array of the kind that it got, and takes `out`,
and `threads`, `progress`, `slab_bytes` as `stride.copy` does.

Of a PyTorch tensor the result is a tensor, of everything else a numpy.ndarray; where NumPy is not installed, or has no
such dtype, a `stride.Array`.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Optional, overload

from ._convert import Conversion, floats
from ._copy import copy
from ._dtypes import number_of
from ._layout import Layout
from ._memory import Array, FieldArray, array, new
from ._types import Kind, Out
from ._views import Axes

if TYPE_CHECKING:
    import numpy as np

    from typing_extensions import Unpack

    from ._types import D, How


#: The keyword arguments of `stride.copy`.
_OPTIONS = frozenset(copy.__kwdefaults__ or ())


def _seen(x: Any) -> Any:
    """The array whose views are taken: one of NumPy's, whose own views are made sooner, or a `stride.Array`."""
    numpy = sys.modules.get("numpy")
    return x if numpy is not None and type(x) is numpy.ndarray and not x.dtype.hasobject else array(x)


def _packed(x: Any, view: Any, out: Any, how: How, fortran: bool = False) -> Any:
    """A packed copy of a view of `x`, which `_seen` made."""
    if out is None:
        if isinstance(view, Array):
            out = new(x, view._number, view.shape, fortran)
        else:
            out = sys.modules["numpy"].empty(view.shape, view.dtype, "F" if fortran else "C")
    elif _seen(out).shape != view.shape:
        raise ValueError(f"out has the shape {_seen(out).shape}, the result {view.shape}")
    return _copied(out, view, how)


def _copied(out: Any, view: Any, how: How, **more: Any) -> Any:
    """`out`, into which `view` was copied; a TypeError names a keyword argument that no copy has."""
    for name in how and how.keys() - _OPTIONS:
        raise TypeError(f"unexpected keyword argument {name!r}: neither this function nor stride.copy has it")
    copy(out, view, **more, **how)
    return out


def _natural(x: Any, fortran: bool = False) -> Any:
    """`x`, which has no gaps, with the strides that follow from its shape: that of a dimension of size 1 may be any,
    and torch.from_numpy looks at it."""
    numpy = sys.modules.get("numpy")
    viewed = isinstance(x, Array) or (numpy is not None and isinstance(x, numpy.ndarray))
    if not viewed or isinstance(x, FieldArray) or (1 not in x.shape and min(x.strides, default=0) >= 0):
        return x
    rows = x.T if fortran else x
    natural = rows.reshape(-1).reshape(rows.shape)
    natural = natural.T if fortran else natural
    return x if natural.strides == x.strides else natural


@overload
def ascontiguous(x: np.ndarray[Any, D], *, out: None = None, **how: Unpack[How]) -> np.ndarray[Any, D]: ...
@overload
def ascontiguous(x: Kind, *, out: None = None, **how: Unpack[How]) -> Kind: ...
@overload
def ascontiguous(x: Any, *, out: Out, **how: Unpack[How]) -> Out: ...
@overload
def ascontiguous(x: Any, *, out: None = None, **how: Unpack[How]) -> Any: ...


def ascontiguous(x: Any, *, out: Any = None, **how: Unpack[How]) -> Any:
    """Row-major without gaps; `x` itself if it is that already (numpy.ascontiguousarray, which makes 0-d arrays 1-d),
    or a view of it, if only the stride of a dimension of size 1 is another.

    >>> list(ascontiguous(array(b"abcdef").reshape(2, 3).T).tobytes())
    [97, 100, 98, 101, 99, 102]
    """
    seen = _seen(x)
    if out is None and (seen.is_contiguous if isinstance(seen, Array) else seen.flags.c_contiguous):
        return _natural(x)
    return _packed(x, seen, out, how)


@overload
def asfortran(x: np.ndarray[Any, D], *, out: None = None, **how: Unpack[How]) -> np.ndarray[Any, D]: ...
@overload
def asfortran(x: Kind, *, out: None = None, **how: Unpack[How]) -> Kind: ...
@overload
def asfortran(x: Any, *, out: Out, **how: Unpack[How]) -> Out: ...
@overload
def asfortran(x: Any, *, out: None = None, **how: Unpack[How]) -> Any: ...


def asfortran(x: Any, *, out: Any = None, **how: Unpack[How]) -> Any:
    """Column-major without gaps; `x` itself if it is that already (numpy.asfortranarray), or a view as `ascontiguous`
    gives one."""
    seen = _seen(x)
    if out is None and (seen.is_fortran if isinstance(seen, Array) else seen.flags.f_contiguous):
        return _natural(x, fortran=True)
    return _packed(x, seen, out, how, fortran=True)


@overload
def transpose_copy(x: np.ndarray[Any, D], axes: Optional[Sequence[int]] = None, *, out: None = None,
                   **how: Unpack[How]) -> np.ndarray[Any, D]: ...
@overload
def transpose_copy(x: Kind, axes: Optional[Sequence[int]] = None, *, out: None = None,
                   **how: Unpack[How]) -> Kind: ...
@overload
def transpose_copy(x: Any, axes: Optional[Sequence[int]] = None, *, out: Out, **how: Unpack[How]) -> Out: ...
@overload
def transpose_copy(x: Any, axes: Optional[Sequence[int]] = None, *, out: None = None,
                   **how: Unpack[How]) -> Any: ...


def transpose_copy(x: Any, axes: Optional[Sequence[int]] = None, *, out: Any = None,
                   **how: Unpack[How]) -> Any:
    """numpy.ascontiguousarray(numpy.transpose(x, axes)), always a copy."""
    seen = _seen(x)
    if axes is None:
        view = seen.transpose()
    elif isinstance(seen, Array):
        view = seen.permute(axes)
    else:
        try:
            view = seen.transpose(axes)
        except (ValueError, TypeError):
            view = array(x).permute(axes)  # Its words for what is wrong.
    return _packed(x, view, out, how)


def _channels(rank: int, *, last: bool) -> tuple[int, ...]:
    """The axes of images, channels first, in the order that puts the channels last, and back."""
    if rank < 3:
        raise ValueError(f"an image has 3 dimensions, a batch of images 4 or more, not {rank}")
    front, image = (0,) * (rank > 3), range(1 if rank > 3 else 0, rank)
    if last:
        return *front, *image[1:], image[0]
    return *front, image[-1], *image[:-1]


@overload
def to_channels_last(x: np.ndarray[Any, D], *, out: None = None,
                     **how: Unpack[How]) -> np.ndarray[Any, D]: ...
@overload
def to_channels_last(x: Kind, *, out: None = None, **how: Unpack[How]) -> Kind: ...
@overload
def to_channels_last(x: Any, *, out: Out, **how: Unpack[How]) -> Out: ...
@overload
def to_channels_last(x: Any, *, out: None = None, **how: Unpack[How]) -> Any: ...


def to_channels_last(x: Any, *, out: Any = None, **how: Unpack[How]) -> Any:
    """CHW to HWC, NCHW to NHWC, NCDHW to NDHWC: a packed copy with the channels as the last dimension."""
    seen = _seen(x)
    return _packed(x, seen.transpose(_channels(seen.ndim, last=True)), out, how)


@overload
def to_channels_first(x: np.ndarray[Any, D], *, dtype: None = None, scale: None = None, bias: None = None,
                      out: None = None, **how: Unpack[How]) -> np.ndarray[Any, D]: ...
@overload
def to_channels_first(x: np.ndarray[Any, Any], *, dtype: Any = None, scale: Any = None, bias: Any = None,
                      out: None = None, **how: Unpack[How]) -> np.ndarray[Any, Any]: ...
@overload
def to_channels_first(x: Kind, *, dtype: Any = None, scale: Any = None, bias: Any = None, out: None = None,
                      **how: Unpack[How]) -> Kind: ...
@overload
def to_channels_first(x: Any, *, dtype: None = None, scale: Any = None, bias: Any = None, out: Out,
                      **how: Unpack[How]) -> Out: ...
@overload
def to_channels_first(x: Any, *, dtype: Any = None, scale: Any = None, bias: Any = None, out: None = None,
                      **how: Unpack[How]) -> Any: ...


def to_channels_first(x: Any, *, dtype: Any = None, scale: Any = None, bias: Any = None, out: Any = None,
                      **how: Unpack[How]) -> Any:
    """HWC to CHW, NHWC to NCHW, NDHWC to NCDHW: a packed copy with the channels before the image.

    With `scale` or `bias`, a number or one for each channel, it is x * scale + bias, in one pass. `dtype` is that of
    the result: None is f32 with these, and that of `x` without. With `out` it is the dtype of `out`.

    >>> pixels = array(bytes([0, 255, 51, 0])).reshape(1, 2, 2)
    >>> planes = to_channels_first(pixels, scale=1 / 255, bias=(0, -1))
    >>> array(planes).dtype, array(planes).shape
    ('f32', (2, 1, 2))
    """
    seen = _seen(x)
    view = seen.transpose(_channels(seen.ndim, last=False))
    if dtype is None and scale is None and bias is None:
        return _packed(x, view, out, how)
    if out is None:
        out = new(x, number_of("f32" if dtype is None else dtype), tuple(view.shape), same=False)
    elif dtype is not None:
        raise ValueError("dtype and out are both given")
    elif _seen(out).shape != view.shape:
        raise ValueError(f"out has the shape {_seen(out).shape}, the result {view.shape}")
    numbers = {name: _by_channel(of, view.ndim) for name, of in (("scale", scale), ("add", bias)) if of is not None}
    return _copied(out, view, how, convert=Conversion(**numbers))


def _by_channel(of: Any, rank: int) -> Any:
    """A number for each channel before an image, as what is broadcast along the others."""
    if isinstance(of, (int, float)):
        return of
    return floats(of).reshape((len(of),) + (1,) * (rank - 1 - (rank > 3)))


def _flipped(seen: Any, axes: Axes) -> Any:
    """With dimensions reversed."""
    if not isinstance(seen, Array):
        given = range(seen.ndim) if axes is None else axes if isinstance(axes, Iterable) else (axes,)
        axes, rank = [operator.index(axis) for axis in given], seen.ndim
        if all(-rank <= axis < rank for axis in axes) and len({axis % rank for axis in axes}) == len(axes):
            index = [slice(None)] * rank
            for axis in axes:
                index[axis] = slice(None, None, -1)
            return seen[tuple(index)]
    return array(seen).flip(axes)  # Its words for what is wrong.


@overload
def flip_copy(x: np.ndarray[Any, D], axes: Axes = None, *, out: None = None,
              **how: Unpack[How]) -> np.ndarray[Any, D]: ...
@overload
def flip_copy(x: Kind, axes: Axes = None, *, out: None = None, **how: Unpack[How]) -> Kind: ...
@overload
def flip_copy(x: Any, axes: Axes = None, *, out: Out, **how: Unpack[How]) -> Out: ...
@overload
def flip_copy(x: Any, axes: Axes = None, *, out: None = None, **how: Unpack[How]) -> Any: ...


def flip_copy(x: Any, axes: Axes = None, *, out: Any = None, **how: Unpack[How]) -> Any:
    """A packed copy of numpy.flip(x, axes)."""
    return _packed(x, _flipped(_seen(x), axes), out, how)


@overload
def rot90_copy(x: np.ndarray[Any, D], k: int = 1, axes: Sequence[int] = (0, 1), *, out: None = None,
               **how: Unpack[How]) -> np.ndarray[Any, D]: ...
@overload
def rot90_copy(x: Kind, k: int = 1, axes: Sequence[int] = (0, 1), *, out: None = None,
               **how: Unpack[How]) -> Kind: ...
@overload
def rot90_copy(x: Any, k: int = 1, axes: Sequence[int] = (0, 1), *, out: Out, **how: Unpack[How]) -> Out: ...
@overload
def rot90_copy(x: Any, k: int = 1, axes: Sequence[int] = (0, 1), *, out: None = None,
               **how: Unpack[How]) -> Any: ...


def rot90_copy(x: Any, k: int = 1, axes: Sequence[int] = (0, 1), *, out: Any = None,
               **how: Unpack[How]) -> Any:
    """A packed copy of numpy.rot90(x, k, axes)."""
    seen, one, two = _seen(x), *axes
    rank = seen.ndim
    if isinstance(seen, Array) or not all(-rank <= axis < rank for axis in (one, two)) or one % rank == two % rank:
        return _packed(x, array(x).rot90(k, axes), out, how)  # Its words for what is wrong.
    k = operator.index(k) % 4
    rotated = _flipped(seen, two if k == 1 else one if k == 3 else (one, two) if k else ())
    return _packed(x, rotated.swapaxes(one, two) if k % 2 else rotated, out, how)


def as_layout(of: Any) -> Layout:
    """A layout: itself, or that of an array."""
    return of if isinstance(of, Layout) else Layout.of(of)
