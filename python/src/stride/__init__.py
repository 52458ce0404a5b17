"""Where the elements of arrays lie in memory, and moving them from any layout to any other.

    import stride
    stride.copy(dst, src)                    # numpy.copyto, for NumPy, PyTorch, JAX, bytearray, memmap
    planes = stride.to_channels_first(photo) # (480, 640, 3) to (3, 480, 640)
    stride.Layout.of(photo).permute(2, 0, 1) # the view as numbers

Bytes are copied as they are, unless `convert` is asked for. Wrong input is a `stride.Error` whose text says which
argument, which dimension and both numbers. NumPy is not needed.
"""

import os as _os
import warnings as _warnings

from . import blocks, errors, images, xla
from ._arrays import (as_layout, ascontiguous, asfortran, flip_copy, rot90_copy, to_channels_first, to_channels_last,
                      transpose_copy)
from ._convert import Conversion
from ._copy import copy, copy_range, equal, fill, first_difference, take
from ._dtypes import dtype
from ._layout import Layout, broadcast_shapes, elementwise_layout
from ._library import cpu_level, version
from ._memory import Array, array, empty
from ._plan import Plan
from ._sides import Side
from ._threads import cpus
from .errors import Error, Stopped

__version__ = version()


def _warn_of_others(folder: str) -> None:
    """The distribution `stride` of PyPI, an older project of others, has a package of the same name."""
    for name in _os.listdir(folder):
        if name.startswith("stride-") and name.endswith((".dist-info", ".egg-info")):
            _warnings.warn(f"{name.rsplit('.', 1)[0]}, a distribution of others, is installed beside libstride, and "
                           "each has replaced files of the other one: pip uninstall stride libstride, then pip install "
                           "libstride", stacklevel=3)


_warn_of_others(_os.path.dirname(_os.path.dirname(_os.path.abspath(__file__))))

__all__ = [
    "Array", "Conversion", "Error", "Layout", "Plan", "Side", "Stopped", "array", "as_layout", "ascontiguous",
    "asfortran", "blocks", "broadcast_shapes", "copy", "copy_range", "cpu_level", "cpus", "dtype", "empty", "equal",
    "errors", "fill", "first_difference", "flip_copy", "images", "elementwise_layout", "rot90_copy", "take",
    "to_channels_first", "to_channels_last", "transpose_copy", "version", "xla",
]
