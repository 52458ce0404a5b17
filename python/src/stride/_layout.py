"""Layouts: where each element of a tensor lies, as a value without memory."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from typing import Any, Optional, final

from . import _dtypes, _raw
from ._foreign import look_at
from ._library import call, int64, int64s, lib, list_of, text_of, uint64
from ._views import Views, answer, requirements


@final
class Layout(Views):
    """The place of each element of a tensor: dtype, shape, strides in elements, offset.

    >>> image = Layout("u8", (480, 640, 3))
    >>> image.permute(2, 0, 1)[:, 10:20, ::-1]
    Layout('u8', (3, 10, 640), strides=(1, 1920, -3), offset=21117)
    """

    __slots__ = ()

    def __init__(self, dtype: Any, shape: Sequence[int], strides: Optional[Sequence[int]] = None,
                 offset: int = 0) -> None:
        if strides is not None and len(strides) != len(shape):
            raise ValueError(f"{len(shape)} sizes and {len(strides)} strides")
        self._facts_ = None
        self._raw = _raw.Layout()
        sizes = int64s(shape)
        call(lib.stride_layout_init, self._raw, _dtypes.number_of(dtype), len(sizes), sizes,
             None if strides is None else int64s(strides))
        if offset:
            self._raw.offset = int64(offset)
            call(lib.stride_layout_validate, self._raw)

    @classmethod
    def _of_raw(cls, raw: _raw.Layout) -> Layout:
        layout = cls.__new__(cls)
        layout._raw, layout._facts_ = raw, None
        return layout

    def _with(self, raw: _raw.Layout) -> Layout:
        return Layout._of_raw(raw)

    @classmethod
    def _made(cls, function: Any, dtype: Any, shape: Sequence[int], *arguments: Any) -> Layout:
        out, sizes = _raw.Layout(), int64s(shape)
        call(function, out, _dtypes.number_of(dtype), len(sizes), sizes, *arguments)
        return cls._of_raw(out)

    @classmethod
    def of(cls, x: Any) -> Layout:
        """The layout of an array: anything with the buffer protocol, `__array_interface__` or DLPack. It counts from
        the lowest element, so that a mirrored array has an offset. Of elements at any byte (a field of packed records)
        it is that of their bytes (`of_bytes`)."""
        return cls._of_raw(x._whole() if isinstance(x, Views) else look_at(x).whole())

    @classmethod
    def parse(cls, text: str) -> Layout:
        """The layout of a text, which `str` writes, or of a shorter one: "f32[2,3]", with strides and offset
        "f32[2,3]:1,2+7", with an order "f32[1,32,8,8]:nhwc" or XLA's "f32[2,3]{0,1}". Names of dtypes are libstride's
        alone. Text of tiles or blocks is a NotRepresentableError: `xla.Shape` and `blocks.Blocked` take it.

        >>> Layout.parse("u8[4,6,3]:18,-3,1+15")
        Layout('u8', (4, 6, 3), strides=(18, -3, 1), offset=15)
        """
        out, encoded = _raw.Layout(), text.encode()
        call(lib.stride_layout_parse, encoded, len(encoded), out)
        return cls._of_raw(out)

    @classmethod
    def ordered(cls, dtype: Any, shape: Sequence[int], minor_to_major: Sequence[int]) -> Layout:
        """Without gaps, in the order that lists the dimensions fastest first: (0, 1) is Fortran's."""
        if len(minor_to_major) != len(shape):
            raise ValueError(f"{len(shape)} sizes and {len(minor_to_major)} dimensions")
        return cls._made(lib.stride_layout_init_ordered, dtype, shape, int64s(minor_to_major))

    @classmethod
    def channels_last(cls, dtype: Any, shape: Sequence[int]) -> Layout:
        """Without gaps, dimension 1 fastest: NHWC for the shape (N, C, H, W)."""
        return cls._made(lib.stride_layout_init_channels_last, dtype, shape)

    @classmethod
    def pitched(cls, dtype: Any, shape: Sequence[int], axis: int, pitch_bytes: int) -> Layout:
        """Packed, but neighbours along `axis` lie `pitch_bytes` apart."""
        return cls._made(lib.stride_layout_init_pitched, dtype, shape, int64(axis), uint64(pitch_bytes))

    @classmethod
    def aligned(cls, dtype: Any, shape: Sequence[int], axis: int, alignment_bytes: int) -> Layout:
        """Packed, but neighbours along `axis` lie a multiple of `alignment_bytes` apart."""
        return cls._made(lib.stride_layout_init_aligned, dtype, shape, int64(axis), uint64(alignment_bytes))

    @classmethod
    def padded(cls, dtype: Any, shape: Sequence[int], padded_shape: Sequence[int]) -> Layout:
        """In the corner of a packed buffer of `padded_shape`."""
        if len(padded_shape) != len(shape):
            raise ValueError(f"{len(shape)} sizes and {len(padded_shape)} padded sizes")
        return cls._made(lib.stride_layout_init_padded, dtype, shape, int64s(padded_shape))

    def packed(self) -> Layout:
        """The packed layout of the same dtype and shape: where to copy it to."""
        return self._view(lib.stride_layout_packed_like)

    def as_bytes(self) -> Layout:
        """The elements as bytes: u8, the bytes of each element as one more dimension, the last."""
        return self._view(lib.stride_layout_as_bytes)

    @classmethod
    def of_bytes(cls, dtype: Any, shape: Sequence[int], byte_strides: Sequence[int]) -> Layout:
        """Elements at any byte, as `as_bytes` has them: a field of packed records.

        >>> Layout.of_bytes("f64", (1000,), (9,))
        Layout('u8', (1000, 8), strides=(9, 1))
        """
        if len(byte_strides) != len(shape):
            raise ValueError(f"{len(shape)} sizes and {len(byte_strides)} strides")
        return cls._made(lib.stride_layout_init_bytes, dtype, shape, int64s(byte_strides))

    def adapt(self, consumer: str, **fields: int) -> Layout:
        """The nearest layout that a consumer takes (`why_not`).

        >>> Layout("u8", (4, 5, 3)).adapt("opengl", texel_dimensions=1).strides
        (16, 3, 1)
        """
        out = _raw.Layout()
        call(lib.stride_layout_adapt, self._raw, requirements(consumer, fields), out)
        return Layout._of_raw(out)

    def compose(self, inner: Layout) -> Layout:
        """The view of this layout that `inner` says in row-major numbers, exactly or not at all."""
        out, parts = _raw.Layout(), list_of(ctypes.c_uint32, inner.ndim)()
        call(lib.stride_layout_compose, self._raw, inner._raw, out, inner.ndim, parts)
        return Layout._of_raw(out)

    def same_mapping(self, other: Layout) -> bool:
        """Whether every index means the same place, whatever the strides of dimensions of size 1."""
        return answer(lib.stride_layout_same_mapping, self._raw, other._raw)

    def _key(self) -> tuple[int, tuple[int, ...], tuple[int, ...], int]:
        return int(self._raw.dtype), self.shape, self.strides, self.offset

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Layout) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Any, ...]:
        return Layout, (self.dtype, self.shape, self.strides, self.offset)

    def __iter__(self) -> Iterator[Layout]:
        if not self.ndim:
            raise TypeError("a layout without dimensions has no parts to go through")
        return (self[index] for index in range(self.shape[0]))

    def __repr__(self) -> str:
        strides = "" if self.strides == self.packed_strides() else f", strides={self.strides}"
        return f"Layout({self.dtype!r}, {self.shape}{strides}{f', offset={self.offset}' if self.offset else ''})"

    def packed_strides(self) -> tuple[int, ...]:
        """The strides of `packed`; those that it has where elements are too many to be stored."""
        out = _raw.Layout()
        if lib.stride_layout_packed_like(self._raw, out, None):
            return ()
        return tuple(out.strides[:out.rank])

    def __str__(self) -> str:
        return text_of(lib.stride_layout_format, self._raw)


def broadcast_shapes(*shapes: Sequence[int]) -> tuple[int, ...]:
    """The common shape by NumPy's rule.

    >>> broadcast_shapes((7, 1, 5), (2, 1))
    (7, 2, 5)
    """
    ranks = list_of(ctypes.c_uint32, len(shapes))(*(len(shape) for shape in shapes))
    rank, out = ctypes.c_uint32(), list_of(ctypes.c_int64, _raw.MAX_RANK)()
    sizes = int64s(size for shape in shapes for size in shape)
    call(lib.stride_broadcast_sizes, len(shapes), ranks, sizes, rank, out)
    return tuple(out[:rank.value])


def elementwise_layout(dtype: Any, *operands: Layout) -> Layout:
    """The layout that the result of an elementwise operation should have: the operands' common shape and order."""
    out, given = _raw.Layout(), list_of(_raw.Layout, len(operands))(*(operand._raw for operand in operands))
    call(lib.stride_elementwise_layout, len(operands), given, _dtypes.number_of(dtype), out)
    return Layout._of_raw(out)
