"""Types of what functions take and give back, for programs that check theirs (mypy, pyright). NumPy and PyTorch may be
missing, there and here: what is not known is Any."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Optional, Protocol, TypedDict, TypeVar, Union

from ._memory import Array

if TYPE_CHECKING:
    import numpy

    #: A dtype of NumPy's.
    D = TypeVar("D", bound=numpy.dtype[Any])


class Tensor(Protocol):
    """The attributes that tell a PyTorch tensor from other arrays."""

    @property
    def requires_grad(self) -> bool:
        """Whether gradients are computed."""
        raise NotImplementedError

    @property
    def is_cuda(self) -> bool:
        """Whether it is on a GPU."""
        raise NotImplementedError


#: The kind of an array, which comes back as it was given.
Kind = TypeVar("Kind", bound=Union[Array, Tensor])
#: The type of `out`.
Out = TypeVar("Out")
#: Called during a copy with the bytes that are copied so far and those of the whole copy. False cancels it.
Progress = Callable[[int, int], Any]


class How(TypedDict, total=False):
    """Options of every copy, which `stride.copy` explains."""

    threads: Optional[int]
    progress: Optional[Progress]
    slab_bytes: Optional[int]
