"""Wrong input: the class, the whole sentence and the numbers of every refusal."""

import pickle
import sys
import unittest

import numpy as np

import stride
from stride import Layout, errors

OTHER_ORDER = ">" if sys.byteorder == "little" else "<"

A = np.zeros((4, 6), "f4")
L = Layout("f32", (4, 6))
FROZEN = np.broadcast_to(np.float32(0), (2, 2))

# What is called, the class, the sentence; for a stride.Error: argument, dimension, lhs, rhs.
TABLE = [
    (
        lambda: Layout("f32", (3, -1)),
        errors.InvalidSizeError,
        "shape, dimension 1: size -1 is negative",
        ("shape", 1, -1, 0),
    ),
    (
        lambda: Layout("f33", (3,)),
        errors.ParseError,
        "dtype 'f33', byte 0: unknown dtype",
        ("dtype", None, 0, 0),
    ),
    (
        lambda: Layout("f32", (1,) * 65),
        errors.InvalidRankError,
        "ndim: 65 is above the maximum of 64",
        ("ndim", None, 65, 64),
    ),
    (
        lambda: Layout("f32", (2**62, 4)),
        errors.TooLargeError,
        "shape, dimension 1: 4611686018427387904 times 4 does not fit in 64 bits",
        ("shape", 1, 2**62, 4),
    ),
    (lambda: Layout("f32", (2**64,)), OverflowError, "18446744073709551616 does not fit 64 bits", None),
    (lambda: Layout("f32", (2.0,)), TypeError, "'float' object cannot be interpreted as an integer", None),
    (lambda: Layout("f32", (2, 3), (1,)), ValueError, "2 sizes and 1 strides", None),
    (
        lambda: Layout(object(), (2,)),
        TypeError,
        "a dtype is a name such as 'f32', or NumPy's or PyTorch's dtype, not ",
        None,
    ),
    (
        lambda: Layout(OTHER_ORDER + "f16", (2,)),
        errors.InvalidDtypeError,
        f"dtype '{OTHER_ORDER}f16': elements of 16 bytes are not in the byte order of this machine",
        None,
    ),
    (
        lambda: L.permute(0, 0),
        errors.InvalidAxesError,
        "axes, entry 1: dimension number 0 is repeated",
        ("axes", 1, 0, 2),
    ),
    (lambda: L.permute(0), errors.InvalidRankError, "axes: 1 entry is given, but 2 are needed", ("axes", None, 1, 2)),
    (
        lambda: L.flip(2),
        errors.InvalidAxesError,
        "axes, entry 0: dimension number 2 is outside -2 ... 1",
        ("axes", 0, 2, 2),
    ),
    (
        lambda: L.swapaxes(0, 5),
        errors.InvalidAxesError,
        "axes, entry 0: dimension number 5 is outside -2 ... 1",
        ("axes", 0, 5, 2),
    ),
    (
        lambda: L.crop((0, 5), (4, 2)),
        errors.IndexOutOfRangeError,
        "sizes, dimension 1: start plus size is 7, beyond 6, the layout's size",
        None,
    ),
    (
        lambda: L.T.reshape(24),
        errors.NotRepresentableError,
        "layout, dimension 0: stride is 1, not 24, so it makes no run with the dimensions after it; copy, then reshape",
        ("layout", 0, 1, 24),
    ),
    (lambda: L.reshape(5, 5), errors.ShapeMismatchError, "sizes: their product is 25, but the layout has 24 elements", None),
    (lambda: L.squeeze(0), errors.InvalidSizeError, "size is 4 but must be 1", None),
    (lambda: L[4], errors.IndexOutOfRangeError, "index: index 4 is outside -4 ... 3", ("index", None, 4, 4)),
    (lambda: L[0, 0, 0], IndexError, "3 indices are given, the layout has 2 dimensions", None),
    (lambda: L[..., ...], IndexError, "an index has one Ellipsis at most", None),
    (lambda: L[::0], errors.InvalidArgumentError, "steps, dimension 0: 0 is not allowed", None),
    (lambda: L[[0, 1]], TypeError, "an index is made of integers, slices, None and Ellipsis, not list", None),
    (lambda: L["x"], TypeError, "an index is made of integers, slices, None and Ellipsis, not str", None),
    (
        lambda: L.broadcast_to(4, 5),
        errors.BroadcastMismatchError,
        "shape, dimension 1: size 6 cannot be stretched to 5, since it is not 1",
        ("shape", 1, 6, 5),
    ),
    (
        lambda: L.as_strided((4, 6), (6, 1), 1),
        errors.OutOfBoundsError,
        "strides: an element would lie at offset 24, but the layout ends at 23",
        None,
    ),
    (
        lambda: L.offset_of(4, 0),
        errors.IndexOutOfRangeError,
        "index, dimension 0: index 4 is outside 0 ... 3",
        ("index", 0, 4, 4),
    ),
    (lambda: L.rot90(0.5), TypeError, "'float' object cannot be interpreted as an integer", None),
    (lambda: L.merge(0, -1), ValueError, "-1 dimensions cannot be merged", None),
    (lambda: L[True], TypeError, "an index is made of integers, slices, None and Ellipsis, not bool", None),
    (lambda: L[0:2.0], TypeError, "'float' object cannot be interpreted as an integer", None),
    (lambda: L.rot90(1, (0, 0)), ValueError, "rot90 needs two different dimensions", None),
    (lambda: L.meets("gpu"), ValueError, "'gpu' is no consumer that is known; these are: any, arrow, ", None),
    (lambda: L.why_not("gpu"), ValueError, "'gpu' is no consumer that is known; these are: any, arrow, ", None),
    (lambda: Layout("u4", (2,)), ValueError, "'u4' is 4 bits here and 4 bytes in NumPy: say 'uint4' or 'u32'", None),
    (lambda: stride.dtype("u1"), ValueError, "'u1' is 1 bit here and 1 byte in NumPy: say 'uint1' or 'u8'", None),
    (lambda: L.index_at(24), errors.NotRepresentableError, "offset: no index lies at element 24", ("offset", None, 24, 0)),
    (
        lambda: Layout.parse("f32[1,32,8,8]:nChw16c"),
        errors.NotRepresentableError,
        "text, byte 13: the tag has blocks, which strides cannot say",
        ("text", None, 0, 0),
    ),
    (
        lambda: L.unravel(24),
        errors.IndexOutOfRangeError,
        "number: number 24 is outside 0 ... 23",
        ("number", None, 24, 24),
    ),
    (
        lambda: L.as_blocks((3, 3)),
        errors.ShapeMismatchError,
        "sizes, dimension 0: the layout's size 4 is not a multiple of 3",
        ("sizes", 0, 4, 3),
    ),
    (lambda: L.offset_of(1), errors.InvalidRankError, "index: 1 entry is given, but 2 are needed", ("index", None, 1, 2)),
    (
        lambda: stride.broadcast_shapes((2,), (3,)),
        errors.BroadcastMismatchError,
        "shapes",
        None,
    ),
    (
        lambda: stride.images.planes("NV12", 4, 4, pitches=[4]),
        errors.InvalidRankError,
        "pitches: 1 entry is given, but 2 are needed",
        ("pitches", None, 1, 2),
    ),
    (
        lambda: stride.Plan(L.flip(0).flip(0), L).execute(bytearray(95), bytes(96)),
        errors.OutOfBoundsError,
        "dst: 96 bytes are needed, but the buffer has 95",
        ("dst", None, 96, 95),
    ),
    (
        lambda: stride.copy(A, A.astype("f8")),
        TypeError,
        "dst has elements f32, src f64; stride.copy converts numbers with convert=True",
        ("src", None, 12, 11),
    ),
    (
        lambda: stride.copy(np.zeros(2, "M8[s]"), np.zeros(2, "M8[ms]")),
        errors.DtypeMismatchError,
        "dst has elements M8[s], src M8[ms]; libstride converts none of these",
        None,
    ),
    (
        lambda: stride.copy(np.zeros(2, "i8"), np.zeros(2, "M8[ms]")),
        errors.DtypeMismatchError,
        "dst has elements s64, src M8[ms]; libstride converts none of these",
        None,
    ),
    (
        lambda: stride.copy(A, A[:, :5]),
        errors.BroadcastMismatchError,
        "src has the shape (4, 5), dst (4, 6): dimension 1: size 5 cannot be stretched to 6, since it is not 1",
        ("src", 1, 5, 6),
    ),
    (
        lambda: stride.copy(A[0], A),
        errors.InvalidRankError,
        "src has the shape (4, 6), dst (6,): ndim: 1 is below 2, the layout's rank",
        None,
    ),
    (lambda: stride.copy(FROZEN, np.zeros((2, 2), "f4")), ValueError, "dst is read-only", None),
    (lambda: stride.copy(bytes(4), bytes(4)), ValueError, "dst is read-only", None),
    (
        lambda: stride.copy([1], [2]),
        TypeError,
        "list has no buffer protocol, no __array_interface__ and no DLPack: numpy.asarray makes an array of it",
        None,
    ),
    (
        lambda: stride.copy(np.lib.stride_tricks.as_strided(A, (4, 6), (0, 4)), A),
        errors.OverlapError,
        "dst, dimension 0: stride 0 maps 4 indices to one element",
        None,
    ),
    (lambda: stride.copy(A, A.copy(), threads="2"), TypeError, "'str' object cannot be interpreted as an integer", None),
    (lambda: stride.copy(A, A.copy(), threads=0), ValueError, "threads is 0, at least 1 is needed", None),
    (lambda: stride.copy(A, A.copy(), slab_bytes=0), ValueError, "slab_bytes is 0, at least 1 is needed", None),
    (lambda: stride.fill(A, b"abc"), ValueError, "an element of f32 has 4 bytes, not 3", None),
    (lambda: stride.fill(np.zeros(2, "u1"), 256), OverflowError, "256 is no value of u8", None),
    (lambda: stride.fill(np.zeros(2, "u1"), 1.5), TypeError, "1.5 is no value of u8", None),
    (lambda: stride.fill(np.zeros(2, "f4"), [1, 2]), TypeError, "[1, 2] is no value of f32", None),
    (lambda: stride.fill(np.zeros(2, "f4"), 1j), TypeError, "1j is no value of f32", None),
    (lambda: stride.fill(np.zeros(2, "f4"), 1e300), OverflowError, "1e+300 is no value of f32", None),
    (lambda: stride.fill(np.zeros(2, "c8"), None), TypeError, "None is no value of c64", None),
    (lambda: stride.fill(np.zeros(2, "c8"), "1j"), TypeError, "'1j' is no value of c64", None),
    (lambda: stride.fill(np.zeros(2, "?"), [1]), TypeError, "[1] is no value of pred", None),
    (lambda: stride.fill(np.zeros(2, "V3"), 1), TypeError, "the value of bytes3 is given as bytes: 3 of them", None),
    (lambda: stride.fill(bytes(3), 1), ValueError, "dst is read-only", None),
    (
        lambda: stride.equal(A, A.astype("i4")),
        TypeError,
        "lhs has elements f32, rhs s32; stride.copy converts numbers with convert=True",
        None,
    ),
    (
        lambda: stride.first_difference(A, A[:2]),
        errors.ShapeMismatchError,
        "rhs, dimension 0: size is 2, but it is 4 in lhs",
        None,
    ),
    (
        lambda: stride.to_channels_last(A),
        ValueError,
        "an image has 3 dimensions, a batch of images 4 or more, not 2",
        None,
    ),
    (lambda: stride.transpose_copy(A, (0, 1, 2)), errors.InvalidRankError, "3 entries are given, but 2 are needed", None),
    (
        lambda: stride.Plan(Layout("u8", (4,)), Layout("s8", (4,))),
        errors.DtypeMismatchError,
        "src: dtype is s8 but must be u8",
        ("src", None, 2, 6),
    ),
    (lambda: stride.Plan(L, L, fill=b""), ValueError, "a fill has one byte, or the 4 of an element, not 0", None),
    (
        lambda: stride.Plan(L, L, overlap=True, assume_distinct=True),
        errors.InvalidArgumentError,
        "overlap and assume_distinct contradict each other; set one of them",
        None,
    ),
]


class Sentences(unittest.TestCase):
    def test_table(self):
        for number, (call, kind, sentence, numbers) in enumerate(TABLE):
            with self.subTest(number=number, sentence=sentence):
                with self.assertRaises(kind) as caught:
                    call()
                self.assertIn(sentence, str(caught.exception))
                # No words of C.
                self.assertNotRegex(str(caught.exception), r"\b(dst|src|lhs|rhs)_(layout|bytes)\b|\bstride_|STRIDE_")
                if numbers:
                    error = caught.exception
                    self.assertEqual((error.argument, error.dimension, error.lhs, error.rhs), numbers)

    def test_every_refusal_is_an_error_of_stride(self):
        for call, kind, _, numbers in TABLE:
            if isinstance(kind, type) and issubclass(kind, stride.Error):
                self.assertRaises(stride.Error, call)
                self.assertRaises(ValueError, call)
        self.assertTrue(issubclass(errors.DtypeMismatchError, TypeError))
        self.assertTrue(issubclass(errors.IndexOutOfRangeError, IndexError))
        self.assertTrue(issubclass(errors.TooLargeError, OverflowError))

    def test_each_status_has_a_class(self):
        named = {number for number, name in errors.STATUS_NAMES.items() if name != "OK"}
        self.assertEqual(set(stride.Error.of_status), named)
        for status, kind in stride.Error.of_status.items():
            self.assertEqual((kind.status, kind("").name), (status, errors.STATUS_NAMES[status]))

    def test_nothing_was_written(self):
        a = np.arange(24, dtype="f4").reshape(4, 6)
        before = a.copy()
        for src in (a[:, :5].copy(), a.astype("f8"), a[None, :3].copy()):
            self.assertRaises(stride.Error, stride.copy, a, src)
        np.testing.assert_array_equal(a, before)

    def test_stopped_is_pickled(self):
        twin = pickle.loads(pickle.dumps(stride.Stopped(3, 5)))
        self.assertEqual(
            (twin.done_bytes, twin.total_bytes, str(twin)), (3, 5, "the copy was stopped after 3 of 5 bytes")
        )


if __name__ == "__main__":
    unittest.main()
