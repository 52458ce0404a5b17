"""Conversions of numbers: what a copy makes of each."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, Optional, Union, final

from . import _raw
from ._layout import Layout, broadcast_shapes
from ._library import list_of
from ._memory import Array, array
from .errors import Error

_PLAIN = {"subtract": 0.0, "scale": 1.0, "add": 0.0}


@final
class Conversion:
    """(x - subtract) * scale + add, as the dtype of the destination; for `stride.copy(dst, src, convert=...)`.

    Each of the three is a number, a list of numbers, or an array, that is broadcast to the shape of the destination:
    for channels before an image of shape (3, 1, 1). They are f32 in lists and arrays. Without any of them nothing
    is computed, as with convert=True.

    `divide`: / scale. `nearest`: floats become the nearest integer, of two the even one, and not the next one toward
    zero. `saturate`: integers that do not fit an integer become the nearest that does; their low bits are kept
    otherwise. `finite`: floats that do not fit become the largest number, and not infinity. `add_last`: `add`, whole
    numbers, joins after rounding. All rules stand in stride.h, at `stride_conversion`.

    >>> from stride import copy
    >>> bytes_of = bytearray(3)
    >>> copy(bytes_of, array(memoryview(b"abc")), convert=Conversion(subtract=96, scale=[1, 10, 100]))
    >>> list(bytes_of)
    [1, 20, 255]
    """

    __slots__ = ("_arrays", "_flags", "_numbers", "_shape")

    def __init__(self, *, subtract: Any = None, scale: Any = None, add: Any = None, divide: bool = False,
                 nearest: bool = False, saturate: bool = False, finite: bool = False, add_last: bool = False) -> None:
        given = {"subtract": subtract, "scale": scale, "add": add}
        asked = ((any(of is not None for of in given.values()), _raw.CONVERT_AFFINE), (divide, _raw.CONVERT_DIVIDE),
                 (nearest, _raw.CONVERT_NEAREST), (saturate, _raw.CONVERT_SATURATE), (finite, _raw.CONVERT_FINITE),
                 (add_last, _raw.CONVERT_ADD_LAST))
        self._flags = sum(flag for wanted, flag in asked if wanted)
        self._numbers, arrays = dict(_PLAIN), {}
        for name, of in given.items():
            if of is None:
                continue
            made = _numbers_of(of)
            if isinstance(made, Array):
                arrays[name] = made
            else:
                self._numbers[name] = made
        self._shape = broadcast_shapes(*(of.shape for of in arrays.values()))
        self._arrays = arrays

    def _struct(self, lists: dict[str, Any], shape: tuple[int, ...], start: Optional[Sequence[int]] = None,
                sizes: Sequence[int] = ()) -> _raw.Conversion:
        """For a copy of this shape, or the box of it that begins at `start`; with the numbers of its arrays, for each
        index of their common shape."""
        made = _raw.Conversion(struct_size=ctypes.sizeof(_raw.Conversion), flags=self._flags, **self._numbers)
        if lists:
            try:
                values = Layout("f32", self._shape).broadcast_to(shape)
            except Error as error:
                given = f"{' and '.join(lists)} of shape {self._shape}"
                raise ValueError(f"{given} cannot be broadcast to {shape}: a number for each channel before an "
                                 "image has the shape (channels, 1, 1)") from error
            values = values if start is None else values.crop(start, sizes)
            made.values = ctypes.pointer(values._raw)
            for name, of in lists.items():
                setattr(made, name + "s", of)
                made.value_count = len(of)
        return made


def _numbers_of(given: Any) -> Union[float, Array]:
    """A number, or an array of numbers."""
    if isinstance(given, (int, float)) or (getattr(given, "ndim", 1) == 0 and hasattr(given, "__float__")):
        return float(given)
    return floats(given) if isinstance(given, (list, tuple)) else array(given)


def floats(numbers: Sequence[float]) -> Array:
    """Numbers one after the other."""
    return array(list_of(ctypes.c_float, len(numbers))(*numbers))
