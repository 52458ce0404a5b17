"""XLA's shapes: the numbers of XLA's own pages, and buffers held against the rule of tiles written out with NumPy."""

import pickle
import unittest

import numpy as np

import stride
from stride import Layout, xla


def tiled(a, rows, columns, padding=0):
    """A matrix in tiles of rows x columns, each row-major, as openxla.org/xla/tiled_layout says."""
    down, right = -(-a.shape[0] // rows), -(-a.shape[1] // columns)
    whole = np.full((down * rows, right * columns), padding, a.dtype)
    whole[: a.shape[0], : a.shape[1]] = a
    return whole.reshape(down, rows, right, columns).transpose(0, 2, 1, 3).tobytes()


class Shapes(unittest.TestCase):
    def test_the_page_on_tiled_layout(self):
        # "F32[3,5] with tile 2x2: index (2,3) is at linear index 17."
        shape = xla.Shape("f32[3,5]{1,0:T(2,2)}")
        self.assertEqual((shape.nbytes, shape.position(2, 3), shape.index(17)), (24 * 4, 17, (2, 3)))
        self.assertEqual(
            (shape.dtype, shape.sizes, shape.minor_to_major, shape.tiles), ("f32", (3, 5), (1, 0), ((2, 2),))
        )
        self.assertRaises(stride.errors.NotRepresentableError, shape.index, 23)
        self.assertRaises(stride.errors.NotRepresentableError, shape.layout)

    def test_text(self):
        for text in (
            "f32[2,3]{0,1}",
            "bf16[30,100]{1,0:T(8,128)(2,1)}",
            "pred[]",
            "s4[16]{0:E(4)}",
            "f32[<=8,4]{1,0}",
        ):
            shape = xla.Shape(text)
            self.assertEqual(str(shape), text)
            for twin in (pickle.loads(pickle.dumps(shape)), xla.Shape(str(shape))):
                self.assertEqual(twin, shape)
                self.assertEqual(hash(twin), hash(shape))
        self.assertNotEqual(xla.Shape("f32[2,3]{0,1}"), xla.Shape("f32[2,3]{1,0}"))
        with self.assertRaises(stride.errors.ParseError) as caught:
            xla.Shape("f32[2,3}")
        self.assertEqual((caught.exception.position, caught.exception.name), (7, "PARSE"))

    def test_layouts(self):
        self.assertEqual(xla.Shape("f32[2,3]{0,1}").layout(), Layout("f32", (2, 3), (1, 2)))
        self.assertEqual(str(xla.Shape.of_layout(Layout("f32", (2, 3)).T)), "f32[3,2]{0,1}")
        self.assertEqual(str(xla.Shape.of("bf16", (2, 3), (0, 1))), "bf16[2,3]{0,1}")
        self.assertEqual(
            xla.Shape.of_layout(Layout("f32", (2, 3), (4, 1))).describe(),
            "f32[2,3]{1,0}, padded to [2,4], anything in the padding",
        )

    def test_a_length_is_spatial(self):
        for tag, strides in (("NLC", (15, 1, 3)), ("NCL", (15, 5, 1)), ("LIO", (1, 2, 6))):
            self.assertEqual(xla.Shape.of_tag(tag, "f32", (2, 3, 5)).layout().strides, strides, tag)

    def test_blocked(self):
        shape = xla.Shape.of_tag("nChw16c", "f32", (1, 20, 2, 2))
        a = np.arange(80, dtype="f4").reshape(1, 20, 2, 2)
        whole = np.zeros((1, 32, 2, 2), "f4")
        whole[:, :20] = a
        self.assertEqual(bytes(shape.pack(a)), whole.reshape(1, 2, 16, 2, 2).transpose(0, 1, 3, 4, 2).tobytes())


class Copies(unittest.TestCase):
    def test_in_and_out(self):
        for dtype, name in (("f4", "f32"), ("u1", "u8"), ("f8", "f64"), ("i2", "s16")):
            for sizes in ((3, 5), (30, 100), (1, 1), (200, 300)):
                for tile in ((2, 2), (8, 128)):
                    a = np.random.default_rng(3).integers(1, 100, sizes).astype(dtype)
                    shape = xla.Shape(f"{name}[{sizes[0]},{sizes[1]}]{{1,0:T({tile[0]},{tile[1]})}}")
                    buffer = shape.pack(a)
                    self.assertEqual(bytes(buffer), tiled(a, *tile))
                    self.assertEqual(bytes(shape.pack(a[::-1, ::-1])), tiled(a[::-1, ::-1], *tile))
                    back = shape.unpack(buffer)
                    self.assertIsInstance(back, np.ndarray)
                    np.testing.assert_array_equal(back, a)
                    out = np.zeros(sizes[::-1], dtype).T
                    self.assertIs(shape.unpack(buffer, out=out), out)
                    np.testing.assert_array_equal(out, a)

    def test_padding_threads_and_retiling(self):
        a = np.random.default_rng(3).integers(1, 100, (700, 900)).astype("f4")
        small, large = xla.Shape("f32[700,900]{1,0:T(8,128)}"), xla.Shape("f32[700,900]{0,1:T(16,4)}")
        one = np.array(-1, "f4").tobytes()
        for threads in (1, 4):
            buffer = small.pack(a, fill=one, threads=threads)
            self.assertEqual(bytes(buffer), tiled(a, 8, 128, -1))
            again = bytearray(large.nbytes)
            xla.copy(again, buffer, dst_shape=large, src_shape=small, threads=threads)
            np.testing.assert_array_equal(large.unpack(again, threads=threads), a)

    def test_storage_that_is_wider_than_the_type(self):
        for text, dtype in (
            ("s4[2,5]", "i1"),
            ("u4[2,5]{1,0:T(2,2)}", "u1"),
            ("s2[2,5]", "i1"),
            ("s1[2,5]", "i1"),
            ("f4e2m1fn[2,5]", "u1"),
            ("u8[2,5]{0,1:E(16)}", "u2"),
            ("f32[2,5]{1,0:T(2,4)E(64)}", "u8"),
        ):
            with self.subTest(text):
                shape, a = xla.Shape(text), np.arange(10).reshape(2, 5).astype(dtype)
                back = shape.unpack(shape.pack(a))
                self.assertEqual(back.dtype, dtype)
                np.testing.assert_array_equal(back, a)
        nibbles = xla.Shape("s4[6]{0:E(4)}").unpack(b"\x21\x43\x65")  # NumPy has no such type.
        self.assertIsInstance(nibbles, stride.Array)
        self.assertEqual((nibbles.dtype, bytes(nibbles.tobytes())), ("s4", b"\x21\x43\x65"))

    def test_fills_of_one_byte_and_of_an_element(self):
        one, shape = np.array([1], "<f4"), xla.Shape("f32[1]{0:T(3)}")
        self.assertEqual(bytes(shape.pack(one, fill=b"\xff")), one.tobytes() + b"\xff" * 8)
        self.assertEqual(bytes(shape.pack(one, fill=b"abcd")), one.tobytes() + b"abcdabcd")
        self.assertRaisesRegex(ValueError, "the 4 of an element, not 2", shape.pack, one, fill=b"ab")
        wide = xla.Shape("u8[1]{0:T(2)E(16)}")
        self.assertEqual(bytes(wide.pack(np.array([7], "<u2"), fill=b"ab")), b"\7\0ab")

    def test_views_as_buffers(self):
        shape, memory = xla.Shape("u8[2,2]{0,1}"), bytearray(range(12))
        part = stride.array(memory)[5:9]
        self.assertEqual(bytes(memoryview(shape.unpack(part))), b"\5\7\6\x08")
        shape.pack(stride.array(b"__abcd")[2:].reshape(2, 2), out=part)
        self.assertEqual(bytes(memory), b"\0\1\2\3\4acbd\x09\x0a\x0b")
        xla.Shape("u8[2]{0:T(4)}").pack(b"xy", out=part, fill=b".")  # The padding of the part alone.
        self.assertEqual(bytes(memory), b"\0\1\2\3\4xy..\x09\x0a\x0b")
        for length, call in ((3, shape.unpack), (3, lambda to: shape.pack(np.zeros((2, 2), "u1"), out=to))):
            self.assertRaisesRegex(stride.errors.OutOfBoundsError, "4 bytes are needed, but the buffer has 3", call, part[1:1 + length])
        nibbles = stride.Array.of(stride.empty("uint4", (8,)))
        self.assertRaisesRegex(ValueError, "begins within a byte", xla.Shape("u4[2]{0:E(4)}").unpack, nibbles[1:5])

    def test_refused(self):
        shape, a = xla.Shape("f32[3,5]{1,0:T(2,2)}"), np.zeros((3, 5), "f4")
        for call, kind, sentence in (
            (lambda: shape.pack(a[:, :4]), stride.errors.ShapeMismatchError, "is 5 in dst|is 4 in dst"),
            (lambda: shape.pack(a.astype("f8")), stride.errors.DtypeMismatchError, "f64"),
            (lambda: shape.unpack(bytes(95)), stride.errors.OutOfBoundsError, "96 bytes are needed, but the buffer has 95"),
            (lambda: shape.pack(a, out=bytes(96)), ValueError, "dst is read-only"),
            (lambda: shape.pack(a, out=memoryview(bytearray(192))[::2]), ValueError, "without gaps"),
            (lambda: xla.Shape("tuple[]"), stride.errors.ParseError, "byte 0"),
            (lambda: xla.Shape.of_tag("nXhw", "f32", (1, 2, 3, 4)), stride.errors.ParseError, "tag, byte"),
        ):
            with self.subTest(sentence=sentence):
                self.assertRaisesRegex(kind, sentence, call)


if __name__ == "__main__":
    unittest.main()
