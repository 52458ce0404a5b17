"""Errors as exceptions: one class for each status of the library, with the library's own sentence.

Every one is a `stride.Error`, and so a `ValueError`; where Python has a word of its own for it, it is that too: a
`DtypeMismatchError` is a `TypeError`, an `IndexOutOfRangeError` an `IndexError`.
"""

from __future__ import annotations

import ctypes
import re
from typing import ClassVar, Optional

from . import _raw


class Error(ValueError):
    """A refusal of the library. The text is its sentence; the attributes are the numbers in it."""

    #: STRIDE_STATUS_..., as the library returned it.
    status: int = 0
    #: The argument that is wrong, by the word that the text has for it: where it is a parameter, the name of that;
    #: "" if it is none in particular.
    argument: str = ""
    #: The dimension, or the position in a list of dimensions.
    dimension: Optional[int] = None
    #: The operand, the tile, or the copy of a batch.
    item: Optional[int] = None
    #: The byte of a text.
    position: Optional[int] = None
    #: Mostly what was found.
    lhs: int = 0
    #: Mostly what it was held against.
    rhs: int = 0
    #: STRIDE_DETAIL_...: the rule that was broken.
    detail: int = 0

    #: The class of each status.
    of_status: ClassVar[dict[int, type[Error]]] = {}

    def __init_subclass__(cls, status: int = 0) -> None:
        super().__init_subclass__()
        if status:
            cls.status = status
            Error.of_status[status] = cls

    @property
    def name(self) -> str:
        """The word for the status, such as "OUT_OF_BOUNDS"."""
        return STATUS_NAMES.get(self.status, "UNKNOWN")


class NullPointerError(Error, status=_raw.STATUS_NULL_POINTER):
    """A pointer that is required is null."""


class InvalidArgumentError(Error, status=_raw.STATUS_INVALID_ARGUMENT):
    """A number, flag or structure size is outside its range."""


class InvalidDtypeError(Error, TypeError, status=_raw.STATUS_INVALID_DTYPE):
    """Not a dtype, or not one that serves here."""


class InvalidRankError(Error, status=_raw.STATUS_INVALID_RANK):
    """A rank above the limit, or not the rank that the other argument has."""


class InvalidSizeError(Error, status=_raw.STATUS_INVALID_SIZE):
    """A negative size, or one that this function cannot take."""


class InvalidStrideError(Error, status=_raw.STATUS_INVALID_STRIDE):
    """A stride that this function cannot take."""


class InvalidAxesError(Error, IndexError, status=_raw.STATUS_INVALID_AXES):
    """Dimension numbers that repeat, are out of range or out of order."""


class InvalidTileError(Error, status=_raw.STATUS_INVALID_TILE):
    """A tile that is not valid."""


class IndexOutOfRangeError(Error, IndexError, status=_raw.STATUS_INDEX_OUT_OF_RANGE):
    """An index outside its dimension."""


class TooLargeError(Error, OverflowError, status=_raw.STATUS_OVERFLOW):
    """A number too large for 64 bits."""


class ShapeMismatchError(Error, status=_raw.STATUS_SHAPE_MISMATCH):
    """Sizes that should be equal are not."""


class BroadcastMismatchError(Error, status=_raw.STATUS_BROADCAST_MISMATCH):
    """Sizes that cannot be broadcast together."""


class DtypeMismatchError(Error, TypeError, status=_raw.STATUS_DTYPE_MISMATCH):
    """Element types that should be equal are not. libstride converts no numbers."""


class OutOfBoundsError(Error, status=_raw.STATUS_OUT_OF_BOUNDS):
    """An element below the base of the buffer or past its end."""


class OverlapError(Error, status=_raw.STATUS_OVERLAP):
    """Two indices, or two buffers, share bytes where they must not."""


class ScratchNeededError(Error, status=_raw.STATUS_SCRATCH_NEEDED):
    """The copy needs scratch memory."""


class ParseError(Error, status=_raw.STATUS_PARSE):
    """Text that does not follow the grammar."""


class UnsupportedError(Error, status=_raw.STATUS_UNSUPPORTED):
    """Valid, but not implemented in this version."""


class NotRepresentableError(Error, status=_raw.STATUS_NOT_REPRESENTABLE):
    """The answer is no: the result has no such form."""


class UndecidedError(Error, status=_raw.STATUS_UNDECIDED):
    """No answer within the limits on work and stack."""


class Stopped(Exception):
    """A copy was stopped by its `progress` function. What was done stays done."""

    def __init__(self, done_bytes: int, total_bytes: int) -> None:
        super().__init__(f"the copy was stopped after {done_bytes} of {total_bytes} bytes")
        self.done_bytes = done_bytes
        self.total_bytes = total_bytes

    def __reduce__(self) -> tuple[type[Stopped], tuple[int, int]]:
        return Stopped, (self.done_bytes, self.total_bytes)


def _names(prefix: str) -> dict[int, str]:
    return {value: name.removeprefix(prefix) for name, value in vars(_raw).items() if name.startswith(prefix)}


#: The word for each status.
STATUS_NAMES: dict[int, str] = _names("STATUS_")

_ARGUMENT_NAMES = {number: "" if number == 0 else name.lower() for number, name in _names("ARGUMENT_").items()}


#: Python's words for arguments of C functions, where they differ: of all functions, and of single ones.
_WORDS = {**{f"{side}_{what}": side for what in ("layout", "bytes", "side") for side in ("dst", "src", "lhs", "rhs")},
          "rank": "ndim", "linear": "position", "options": ""}
_SHAPE = {"sizes": "shape", "padded_sizes": "padded_shape"}
_WORDS_OF = {
    **{f"stride_layout_{name}": _SHAPE for name in (
        "init", "init_ordered", "init_channels_last", "init_pitched", "init_aligned", "init_padded", "init_bytes",
        "init_byte_strides", "as_strided", "broadcast_to")},
    "stride_broadcast_sizes": {"sizes": "shapes", "ranks": "shapes", "count": "shapes"},
    "stride_elementwise_layout": {"in": "operands", "count": "operands"},
    "stride_layout_unravel_index": {"linear": "number"},
    "stride_layout_diagonal": {"diagonal": "offset"},
    "stride_layout_tile": {"tile_sizes": "sizes"},
    "stride_layout_fits": {"buffer_bytes": "memory"},
    "stride_dtype_parse": {"text": "dtype"},
    "stride_dtype_from_typestr": {"text": "dtype"},
    **{f"stride_image_{name}_of": {"fourcc": "format", "pitch_count": "pitches", "offset_count": "offsets"}
       for name in ("planes", "components")},
}
#: Whose length is the C function's rank.
_LISTS = {"stride_layout_permute": "axes", "stride_layout_crop": "starts", "stride_layout_window": "sizes",
          "stride_layout_tile": "sizes", "stride_layout_offset": "index", "stride_xla_linear_index": "index",
          "stride_blocked_linear_index": "index", "stride_xla_shape_parse_tag": "sizes",
          "stride_layout_compose": "inner"}
_C_NOTE = re.compile(r"; [^;]*\bstride_\w+[^;]*| \([^()]*\bstride_\w+[^()]*\)")  # What another C function does.
_C_FLAG = re.compile(r"\bSTRIDE_COPY_(\w+)")


def _in_python(sentence: str, argument: str, word: str, words: dict[str, str]) -> str:
    """A sentence of the library, which begins with the argument, in Python's words."""
    if argument and sentence.startswith((argument + ":", argument + ",", argument + " ")):
        sentence = (word + sentence[len(argument):]).removeprefix(": ")
    for name, other in words.items():
        if "_" in name:  # The other side of a copy; a plain word may mean what it says.
            sentence = re.sub(rf"\b{name}\b", other, sentence)
    return _C_FLAG.sub(lambda flag: flag[1].lower(), _C_NOTE.sub("", sentence))


def error_of(record: _raw.Error, sentence: str, function: str = "") -> Error:
    """The exception for an error record of a C function."""
    words = {**_WORDS, **_WORDS_OF.get(function, {})}
    argument = _ARGUMENT_NAMES.get(record.argument, "")
    word = words.get(argument, argument)
    if record.argument == _raw.ARGUMENT_RANK and record.detail == _raw.DETAIL_COUNT:
        word = _LISTS.get(function, word)
    error = Error.of_status.get(record.status, Error)(_in_python(sentence, argument, word, words))
    error.status = record.status
    error.argument = word
    error.dimension = None if record.dimension < 0 else record.dimension
    error.item = None if record.item < 0 else record.item
    error.position = None if record.position == ctypes.c_uint64(-1).value else record.position
    error.lhs, error.rhs, error.detail = record.lhs, record.rhs, record.detail
    return error
