"""Planes and components of images: NV12, I420, YUY2, BGRA and others, by their FourCC or name.

    >>> from stride import images
    >>> y, uv = images.planes("NV12", 1920, 1080, height_alignment=16).layouts   # a decoder's 1088 rows
    >>> uv
    Layout('u8', (540, 960, 2), offset=2088960)
    >>> images.components("V4L2_PIX_FMT_NV21", 6, 4, pitch_alignment=16).layouts[1]
    Layout('u8', (2, 3), strides=(16, 2), offset=65)
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, NamedTuple, Optional, Union

from . import _raw
from ._layout import Layout
from ._library import call, int64, lib, list_of, uint64
from ._memory import Array, array

__all__ = ["Image", "components", "fourcc", "planes"]


class Image(NamedTuple):
    """Layouts of planes or components, and the bytes that all planes take."""

    layouts: tuple[Layout, ...]
    nbytes: int

    def arrays(self, memory: Any) -> tuple[Array, ...]:
        """An array of each layout, which count from the start of `memory`, bytes of somebody.

        >>> upside_down = bytes([9, 8, 7, 0, 6, 5, 4, 0, 3, 2, 1, 0, 13, 12, 11, 0])
        >>> bgra = components("bgra", 2, 2, pitches=[-8], offsets=[8])
        >>> red, green, blue, alpha = bgra.arrays(upside_down)
        >>> red.tobytes()
        b'\\x01\\x0b\\x07\\x04'
        """
        owner = array(memory)
        address, length = owner._flat("the memory of an image")
        for layout in self.layouts:
            call(lib.stride_layout_fits, layout._raw, length)
        return tuple(Array(layout._raw, address, owner, owner.readonly) for layout in self.layouts)


def fourcc(name: str) -> int:
    """The code of a name: its letters, DRM_FORMAT_... or V4L2_PIX_FMT_... of Linux, FFmpeg's "yuv420p10le".

    >>> fourcc("DRM_FORMAT_YUV420").to_bytes(4, "little")
    b'YU12'
    """
    encoded, code = name.encode(), ctypes.c_uint32()
    call(lib.stride_image_fourcc, encoded, len(encoded), code)
    return code.value


def planes(format: Union[str, int], width: int, height: int, *, pitches: Optional[Sequence[int]] = None,
           offsets: Optional[Sequence[int]] = None, pitch_alignment: int = 1, height_alignment: int = 1) -> Image:
    """The planes of an image of `width` by `height` pixels, each (rows, columns, samples of a column).

    `pitches` are the bytes from row to row of each plane, below 0 where rows go downward in memory, or the least that
    are a multiple of `pitch_alignment`. `offsets` are the bytes to each plane's row 0; without them planes lie after
    each other, with as many rows as a height has that is a multiple of `height_alignment`.
    """
    return _asked(lib.stride_image_planes_of, format, width, height, pitches, offsets, pitch_alignment,
                  height_alignment)


def components(format: Union[str, int], width: int, height: int, *, pitches: Optional[Sequence[int]] = None,
               offsets: Optional[Sequence[int]] = None, pitch_alignment: int = 1, height_alignment: int = 1) -> Image:
    """The components of an image in the order Y, U, V, A or R, G, B, A, each (rows, columns); as `planes`."""
    return _asked(lib.stride_image_components_of, format, width, height, pitches, offsets, pitch_alignment,
                  height_alignment)


def _asked(function: Any, format: Union[str, int], width: int, height: int, pitches: Optional[Sequence[int]],
           offsets: Optional[Sequence[int]], pitch_alignment: int, height_alignment: int) -> Image:
    image = _raw.Image(struct_size=ctypes.sizeof(_raw.Image), width=int64(width), height=int64(height),
                       pitch_alignment=uint64(pitch_alignment), height_alignment=uint64(height_alignment))
    code = fourcc(format) if isinstance(format, str) else uint64(format)
    if code >= 2**32:
        raise OverflowError(f"{code} does not fit 32 bits")
    image.fourcc = code
    for name, counter, values in (("pitches", "pitch_count", pitches), ("offsets", "offset_count", offsets)):
        numbers = [int64(value) for value in values or ()]
        setattr(image, counter, len(numbers))
        for k, number in enumerate(numbers[:4]):
            getattr(image, name)[k] = number
    count, found, nbytes = ctypes.c_uint32(), list_of(_raw.Layout, 4)(), ctypes.c_uint64()
    call(function, image, count, found, nbytes)
    layouts = tuple(Layout._of_raw(_raw.Layout.from_buffer_copy(found[k])) for k in range(count.value))
    return Image(layouts, nbytes.value)
