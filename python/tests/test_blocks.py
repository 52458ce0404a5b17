"""Blocked layouts held against NumPy's pad, reshape and transpose."""

import pickle
import unittest

import numpy as np

import stride
from stride import blocks
from stride.blocks import SCALE_TILES, Blocked


def scale_tiles(a, padding=0):
    """A matrix of scale factors as PyTorch's and Triton's helpers swizzle it: (m/128, 4, 32, k/4, 4), transposed."""
    down, right = -(-a.shape[0] // 128), -(-a.shape[1] // 4)
    whole = np.full((down * 128, right * 4), padding, a.dtype)
    whole[: a.shape[0], : a.shape[1]] = a
    return whole.reshape(down, 4, 32, right, 4).transpose(0, 3, 2, 1, 4).tobytes()


class Places(unittest.TestCase):
    def test_scale_tiles(self):
        scales = Blocked(SCALE_TILES, "u8", (200, 6))
        self.assertEqual((scales.nbytes, scales.padded_sizes), (2048, (256, 8)))
        self.assertEqual(scales.layout(), stride.Layout("u8", (2, 2, 32, 4, 4)))
        self.assertEqual([scales.position(0, 0), scales.position(1, 0), scales.position(32, 0)], [0, 16, 4])
        self.assertEqual(scales.index(4), (32, 0))
        self.assertEqual(scales.blocks, ((0, 128, 0), (1, 4, 0), (0, 1, 32), (0, 32, 4), (1, 1, 4)))
        self.assertRaises(stride.errors.NotRepresentableError, scales.index, 2047)
        self.assertRaises(stride.errors.IndexOutOfRangeError, scales.position, 200, 0)

    def test_text(self):
        scales = Blocked(SCALE_TILES, "f8e4m3fn", (200, 6))
        self.assertEqual((str(scales), scales.dtype, scales.sizes, scales.ndim), (SCALE_TILES, "f8e4m3fn", (200, 6), 2))
        for twin in (pickle.loads(pickle.dumps(scales)), eval(repr(scales))):
            self.assertEqual((twin, hash(twin)), (scales, hash(scales)))
        self.assertNotEqual(scales, Blocked("a b", "f8e4m3fn", (200, 6)))
        for text, kind, sentence in (
            ("a/128 b/4 a%32 a/64%4 b%4", stride.errors.InvalidTileError, "block 3: step is 64 but must be 32"),
            ("a b%", stride.errors.ParseError, "byte 4"),
            ("a", stride.errors.InvalidTileError, "dimension 1: size is 6, but its blocks cover 1 index"),
        ):
            self.assertRaisesRegex(kind, sentence, Blocked, text, "u8", (200, 6))


class Copies(unittest.TestCase):
    def test_scale_tiles_as_numpy_makes_them(self):
        for dtype, name in (("u1", "u8"), ("i2", "s16"), ("f4", "f32")):
            for sizes in ((200, 6), (1, 1), (129, 5), (128, 4), (0, 4), (128, 0), (512, 2), (700, 90)):
                a = np.random.default_rng(7).integers(1, 100, sizes).astype(dtype)
                scales = Blocked(SCALE_TILES, name, sizes)
                with self.subTest(sizes=sizes, dtype=dtype):
                    for view in (a, a[::-1, ::-1], np.asfortranarray(a)):
                        self.assertEqual(bytes(scales.pack(view)), scale_tiles(view))
                        np.testing.assert_array_equal(scales.unpack(scales.pack(view)), view)
                    nines = scales.pack(a, fill=np.array([9], dtype).tobytes(), threads=2)
                    self.assertEqual(bytes(nines), scale_tiles(a, 9))

    def test_batches_and_other_digits(self):
        a = np.random.default_rng(7).integers(1, 100, (3, 130, 5)).astype("u1")
        batch = Blocked("a b/128 c/4 b%32 b/32%4 c%4", "u8", a.shape)
        self.assertEqual(bytes(batch.pack(a)), b"".join(scale_tiles(one) for one in a))
        pairs = Blocked("b/2 a c b%2", "u8", a.shape)  # 130 is even, so that nothing is padded.
        expected = a.reshape(3, 65, 2, 5).transpose(1, 0, 3, 2).tobytes()
        self.assertEqual(bytes(pairs.pack(a)), expected)
        out = bytearray(pairs.nbytes)
        blocks.copy(out, batch.pack(a), dst_blocked=pairs, src_blocked=batch)
        self.assertEqual(bytes(out), expected)

    def test_padding_that_is_left_alone(self):
        out = bytearray(b"x" * 8)
        blocks.copy(out, np.arange(6, dtype="u1").reshape(3, 2), dst_blocked=Blocked("a/2 b a%2", "u8", (3, 2)))
        self.assertEqual(bytes(out), b"\0\2\1\3\4x\5x")

    def test_refused(self):
        scales, a = Blocked(SCALE_TILES, "u8", (200, 6)), np.zeros((200, 6), "u1")
        self.assertRaises(stride.errors.ShapeMismatchError, scales.pack, a.T)
        self.assertRaises(stride.errors.DtypeMismatchError, scales.pack, a.astype("f4"))
        self.assertRaises(stride.errors.OutOfBoundsError, scales.unpack, bytes(2047))
        self.assertRaises(stride.errors.OutOfBoundsError, scales.pack, a, out=bytearray(2047))
        self.assertRaisesRegex(ValueError, "src, which has blocks, is not a buffer", scales.unpack,
                               np.zeros((2048, 2), "u1")[:, 0])


if __name__ == "__main__":
    unittest.main()
