"""einops on stride.Array: its backend, as a program writes it whose arrays these are.

Elements are moved by stride; numbers are NumPy's business. In einops' tests it takes the place of a backend that is
never there.
"""

import numpy
from einops import _backends

import stride


def tile_into(to, x, counts):
    """numpy.tile: both sides with two dimensions for each, how many times and which element."""
    counts = (1,) * (x.ndim - len(counts)) + tuple(counts)
    sizes = (1,) * (len(counts) - x.ndim) + x.shape
    for place in reversed(range(len(counts))):
        to = to.split(place, (counts[place], sizes[place]))
    x = x.expand_dims(range(len(counts) - x.ndim))
    stride.copy(to, x.expand_dims(range(0, 2 * len(counts), 2)))


def concatenate_into(to, pieces, axis):
    for piece in pieces:
        part, to = to.cut(axis, piece.shape[axis])
        stride.copy(part, piece)


class ArrayBackend(_backends.AbstractBackend):
    framework_name = "stride"

    def is_appropriate_type(self, tensor):
        return isinstance(tensor, stride.Array)

    def from_numpy(self, x):
        return stride.array(x)

    def to_numpy(self, x):
        return x.numpy()

    def arange(self, start, stop):
        return stride.array(numpy.arange(start, stop))

    def reshape(self, x, shape):
        try:
            return x.reshape(shape)
        except stride.errors.NotRepresentableError:
            packed = stride.empty(x.dtype, shape)
            stride.copy_range(packed, x)
            return packed

    def transpose(self, x, axes):
        return x.permute(axes)

    def reduce(self, x, operation, axes):
        return stride.array(numpy.asarray(getattr(x.numpy(), operation)(axis=axes)))

    def stack_on_zeroth_dimension(self, tensors):
        return self.concat([tensor.expand_dims(0) for tensor in tensors], 0)

    def add_axis(self, x, new_position):
        return x.expand_dims(new_position)

    def tile(self, x, repeats):
        whole = stride.empty(x.dtype, [size * count for size, count in zip(x.shape, repeats)])
        tile_into(whole, x, repeats)
        return whole

    def concat(self, tensors, axis):
        shape = list(tensors[0].shape)
        shape[axis] = sum(tensor.shape[axis] for tensor in tensors)
        whole = stride.empty(tensors[0].dtype, shape)
        concatenate_into(whole, tensors, axis)
        return whole

    def is_float_type(self, x):
        return x.dtype in ("f16", "f32", "f64")

    def einsum(self, pattern, *x):
        return stride.array(numpy.einsum(pattern, *[array.numpy() for array in x]))


_backends.CupyBackend = ArrayBackend
