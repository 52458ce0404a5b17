"""Forms of buffers that strides cannot describe: XLA's shapes, blocked layouts."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, ClassVar, overload

from . import _dtypes, _raw
from ._copy import copy
from ._layout import Layout
from ._library import call, int64, int64s, list_of, text_of
from ._memory import new
from ._types import Out

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._types import How


class Form:
    """A form of buffer: it says where the elements of a tensor lie."""

    __slots__ = ("_raw",)
    _raw: Any
    #: STRIDE_SIDE_..., and what errors call a side that is one.
    _side_kind: ClassVar[int]
    _what: ClassVar[str]
    #: Functions of the library.
    _to_layout: ClassVar[Any]
    _byte_size: ClassVar[Any]
    _linear_index: ClassVar[Any]
    _multi_index: ClassVar[Any]
    _format: ClassVar[Any]

    @property
    def _number(self) -> int:
        """The dtype of the elements as they lie in the buffer."""
        return int(self._raw.dtype)

    @property
    def dtype(self) -> str:
        """libstride's name of the element type, which is XLA's but for "uint4", "uint2" and "uint1"."""
        return _dtypes.name_of(self._raw.dtype)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Elements along each dimension."""
        return tuple(self._raw.sizes[:self._raw.rank])

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return int(self._raw.rank)

    @property
    def nbytes(self) -> int:
        """Bytes of the buffer, padding included."""
        out = ctypes.c_uint64()
        call(self._byte_size, self._raw, out)
        return out.value

    def position(self, *index: int) -> int:
        """The position of an element in the buffer, counted in elements."""
        out, numbers = ctypes.c_int64(), int64s(index)
        call(self._linear_index, self._raw, len(numbers), numbers, out)
        return out.value

    def index(self, position: int) -> tuple[int, ...]:
        """The index of the element at a position; NotRepresentableError where padding lies."""
        out = list_of(ctypes.c_int64, self.ndim)()
        call(self._multi_index, self._raw, int64(position), self.ndim, out)
        return tuple(out)

    def layout(self) -> Layout:
        """The form as a layout: of a shape NotRepresentableError where tiles move elements so that no strides say it;
        of blocks the whole buffer, padding included, with a dimension for each block."""
        out = _raw.Layout()
        call(self._to_layout, self._raw, out)
        return Layout._of_raw(out)

    @overload
    def pack(self, x: Any, *, out: None = None, fill: Any = b"\0", **how: Unpack[How]) -> bytearray: ...
    @overload
    def pack(self, x: Any, *, out: Out, fill: Any = b"\0", **how: Unpack[How]) -> Out: ...

    def pack(self, x: Any, *, out: Any = None, fill: Any = b"\0", **how: Unpack[How]) -> Any:
        """An array, or a `Side` of one, as a buffer of this form, flat bytes: `copy` with it as `dst_side`. Padding
        gets `fill`: one byte for all of it, one element's bytes, or a number."""
        if out is None:
            out = bytearray(self.nbytes)
        copy(out, x, dst_side=self, fill=fill, **how)
        return out

    @overload
    def unpack(self, buffer: Any, *, out: None = None, **how: Unpack[How]) -> Any: ...
    @overload
    def unpack(self, buffer: Any, *, out: Out, **how: Unpack[How]) -> Out: ...

    def unpack(self, buffer: Any, *, out: Any = None, **how: Unpack[How]) -> Any:
        """The elements of a buffer of this form as a row-major array: a numpy.ndarray where NumPy is there and has the
        type, else a `stride.Array`. Where the buffer stores more bits than the type has, it has the type of as many."""
        if out is None:
            out = new(None, self._number, self.sizes)
        copy(out, buffer, src_side=self, **how)
        return out

    def __str__(self) -> str:
        return text_of(self._format, self._raw)
