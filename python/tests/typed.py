"""What functions give back, for mypy and pyright: each line is an error where the type is another one. Nobody runs it.

    python -m mypy --strict python/tests/typed.py
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from typing_extensions import assert_type

    import stride

    Floats = np.ndarray[Any, np.dtype[np.float64]]

    class Tensor:
        """As much of PyTorch's as is looked at."""

        @property
        def requires_grad(self) -> bool:
            return False

        @property
        def is_cuda(self) -> bool:
            return False

    def checked(x: Floats, memory: bytearray, tensor: Tensor) -> None:
        y = stride.array(x)
        assert_type(y, stride.Array)
        # An array of NumPy's keeps its dtype, others their kind; `out` comes back as it is.
        assert_type(stride.ascontiguous(x), Floats)
        assert_type(stride.asfortran(x), Floats)
        assert_type(stride.transpose_copy(x, (1, 0)), Floats)
        assert_type(stride.to_channels_last(x, threads=2), Floats)
        assert_type(stride.to_channels_first(x), Floats)
        assert_type(stride.to_channels_first(x, dtype="f32", scale=2), np.ndarray[Any, Any])
        assert_type(stride.to_channels_first(tensor, dtype="f16"), Tensor)
        assert_type(stride.flip_copy(x, 0), Floats)
        assert_type(stride.rot90_copy(x, 1, (0, 1)), Floats)
        assert_type(stride.take(x, (0, None), fill=1.0), Floats)
        assert_type(stride.flip_copy(y), stride.Array)
        assert_type(stride.take(y, (0,), 0), stride.Array)
        assert_type(stride.transpose_copy(tensor), Tensor)
        assert_type(stride.take(tensor, (0,)), Tensor)
        assert_type(stride.rot90_copy(y, out=memory), bytearray)
        assert_type(stride.take(x, (0,), out=y), stride.Array)
        assert_type(stride.xla.Shape("u8[3]").pack(memory), bytearray)
        assert_type(stride.xla.Shape("u8[3]").unpack(memory, out=x), Floats)
        assert_type(stride.blocks.Blocked("a", "u8", (3,)).pack(memory, out=y), stride.Array)
