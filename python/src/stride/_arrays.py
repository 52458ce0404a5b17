"""What NumPy's users expect: packed copies of views. Each gives an array of the kind that it got, and takes `out`.

Of a PyTorch tensor the result is a tensor, of everything else a numpy.ndarray; where NumPy is not installed, or has no
such dtype, a `stride.Array`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, Optional, Union

from . import _dtypes
from ._copy import copy
from ._layout import Layout
from ._memory import Array, array, empty


def _new(like: Any, view: Array, fortran: bool = False) -> Any:
    """Memory for a packed copy of a view, as the kind of array that `like` is."""
    shape = view.shape[::-1] if fortran else view.shape
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(like, torch.Tensor):
        made = torch.empty(shape, dtype=like.dtype)
        return made.permute(*range(made.ndim - 1, -1, -1)) if fortran else made
    numpy = _dtypes.numpy_module()
    if numpy is not None and not isinstance(like, Array):
        dtype = like.dtype if isinstance(like, numpy.ndarray) else _dtypes.numpy_dtype(view._number)
        if dtype is not None:
            return numpy.empty(view.shape, dtype, order="F" if fortran else "C")
    made = empty(view.dtype, shape)
    return made.T if fortran else made


def _packed(x: Any, view: Array, out: Any, threads: Optional[int], fortran: bool = False) -> Any:
    if out is None:
        out = _new(x, view, fortran)
    elif array(out).shape != view.shape:
        raise ValueError(f"out has the shape {array(out).shape}, the result {view.shape}")
    copy(out, view, threads=threads)
    return out


def ascontiguous(x: Any, *, out: Any = None, threads: Optional[int] = None) -> Any:
    """Row-major without gaps; `x` itself if it is that already (numpy.ascontiguousarray, which makes 0-d arrays 1-d).

    >>> list(ascontiguous(array(b"abcdef").reshape(2, 3).T).tobytes())
    [97, 100, 98, 101, 99, 102]
    """
    numpy = sys.modules.get("numpy")
    if out is None and numpy is not None and type(x) is numpy.ndarray and not x.dtype.hasobject:  # The same, sooner.
        if x.flags.c_contiguous:
            return x
        out = numpy.empty(x.shape, x.dtype)
        copy(out, x, threads=threads)
        return out
    view = array(x)
    return x if out is None and view.is_contiguous else _packed(x, view, out, threads)


def asfortran(x: Any, *, out: Any = None, threads: Optional[int] = None) -> Any:
    """Column-major without gaps; `x` itself if it is that already (numpy.asfortranarray)."""
    view = array(x)
    return x if out is None and view.is_fortran else _packed(x, view, out, threads, fortran=True)


def transpose_copy(x: Any, axes: Optional[Sequence[int]] = None, *, out: Any = None,
                   threads: Optional[int] = None) -> Any:
    """numpy.ascontiguousarray(numpy.transpose(x, axes)), always a copy."""
    view = array(x)
    return _packed(x, view.transpose() if axes is None else view.permute(axes), out, threads)


def _channel_axis(rank: int) -> int:
    if rank < 3:
        raise ValueError(f"an image has 3 dimensions, a batch of images 4 or more, not {rank}")
    return 0 if rank == 3 else 1


def to_channels_last(x: Any, *, out: Any = None, threads: Optional[int] = None) -> Any:
    """CHW to HWC, NCHW to NHWC, NCDHW to NDHWC: a packed copy with the channels as the last dimension."""
    view = array(x)
    return _packed(x, view.moveaxis(_channel_axis(view.ndim), -1), out, threads)


def to_channels_first(x: Any, *, out: Any = None, threads: Optional[int] = None) -> Any:
    """HWC to CHW, NHWC to NCHW, NDHWC to NCDHW: a packed copy with the channels in front of the image."""
    view = array(x)
    return _packed(x, view.moveaxis(-1, _channel_axis(view.ndim)), out, threads)


def flip_copy(x: Any, axes: Union[int, Sequence[int], None] = None, *, out: Any = None,
              threads: Optional[int] = None) -> Any:
    """A packed copy of numpy.flip(x, axes)."""
    return _packed(x, array(x).flip(axes), out, threads)


def rot90_copy(x: Any, k: int = 1, axes: Sequence[int] = (0, 1), *, out: Any = None,
               threads: Optional[int] = None) -> Any:
    """A packed copy of numpy.rot90(x, k, axes)."""
    return _packed(x, array(x).rot90(k, axes), out, threads)


def as_layout(of: Any) -> Layout:
    """A layout: itself, or that of an array."""
    return of if isinstance(of, Layout) else Layout.of(of)
