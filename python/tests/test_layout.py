"""Layouts and views, held against NumPy's own views of the same array."""

import copy
import pickle
import random
import sys
import unittest

import numpy as np

import stride
from stride import Layout


def numbered(shape):
    """An array whose elements are their own offsets."""
    return np.arange(int(np.prod(shape)), dtype="u4").reshape(shape)


def offsets(layout):
    """The element offset of every index."""
    out = np.empty(layout.shape, "u4")
    for index in np.ndindex(*layout.shape):
        out[index] = layout.offset_of(*index)
    return out


class Views(unittest.TestCase):
    SHAPE = (4, 6, 5)

    def check(self, made, expected):
        self.assertEqual(made.shape, expected.shape)
        np.testing.assert_array_equal(offsets(made), expected)

    def test_views_as_numpy_has_them(self):
        layout, a = Layout("u32", self.SHAPE), numbered(self.SHAPE)
        pairs = {
            "permute": (layout.permute(2, 0, 1), a.transpose(2, 0, 1)),
            "permute, a list": (layout.permute([2, -3, 1]), a.transpose(2, 0, 1)),
            "transpose": (layout.transpose(), a.T),
            "T": (layout.T, a.T),
            "swapaxes": (layout.swapaxes(0, -1), a.swapaxes(0, -1)),
            "moveaxis": (layout.moveaxis(0, -1), np.moveaxis(a, 0, -1)),
            "moveaxis down": (layout.moveaxis(-1, 0), np.moveaxis(a, -1, 0)),
            "flip": (layout.flip(), np.flip(a)),
            "flip one": (layout.flip(1), np.flip(a, 1)),
            "flip two": (layout.flip((0, -1)), np.flip(a, (0, -1))),
            "flip none": (layout.flip(()), a),
            "crop": (layout.crop((1, 2, 0), (2, 3, 5)), a[1:3, 2:5]),
            "reshape": (layout.reshape(8, -1), a.reshape(8, -1)),
            "reshape, a tuple": (layout.reshape((2, 2, 30)), a.reshape(2, 2, 30)),
            "split": (layout.split(1, (2, -1)), a.reshape(4, 2, 3, 5)),
            "merge": (layout.merge(0, 2), a.reshape(24, 5)),
            "diagonal": (layout.diagonal(), a.diagonal()),
            "diagonal of others": (layout.diagonal(-1, 2, 1), a.diagonal(-1, 2, 1)),
            "expand_dims": (layout.expand_dims((0, 2)), np.expand_dims(a, (0, 2))),
            "squeeze": (layout.expand_dims(1).squeeze(1), a),
            "squeeze all": (layout.expand_dims((0, 4)).squeeze(), a),
            "broadcast_to": (layout.broadcast_to(2, 4, 6, 5), np.broadcast_to(a, (2, 4, 6, 5))),
            "broadcast_dim": (layout.broadcast_dim(1, 3), np.repeat(a[:, None], 3, 1)),
            "window": (layout.window((2, 3, 1)), np.lib.stride_tricks.sliding_window_view(a, (2, 3, 1))),
            "window with steps": (
                layout.window((2, 3, 1), (2, 3, 1)),
                np.lib.stride_tricks.sliding_window_view(a, (2, 3, 1))[::2, ::3],
            ),
            "as_blocks": (layout.as_blocks((2, 3, 5)), a.reshape(2, 2, 2, 3, 1, 5).transpose(0, 2, 4, 1, 3, 5)),
            "cut, front": (layout.cut(1, 2)[0], a[:, :2]),
            "cut, back": (layout.cut(1, 2)[1], a[:, 2:]),
            "as_strided": (layout.as_strided((3, 2), (7, 50), 3), np.array([[3, 53], [10, 60], [17, 67]])),
            **{f"rot90 {k}": (layout.rot90(k, (2, 0)), np.rot90(a, k, (2, 0))) for k in range(-3, 6)},
        }
        for name, (made, expected) in pairs.items():
            with self.subTest(name):
                self.check(made, expected)

    def test_indexing(self):
        layout, a = Layout("u32", self.SHAPE), numbered(self.SHAPE)
        for key in (
            0,
            -1,
            np.int64(2),
            slice(None),
            slice(1, 3),
            slice(None, None, -1),
            slice(3, None, -2),
            (),
            Ellipsis,
            (0, 1, 2),
            (-1, -1, -1),
            (Ellipsis, 0),
            (0, Ellipsis, slice(1, -1)),
            None,
            (None, 0, None),
            (slice(None), None, 2, None),
            (Ellipsis, None),
            (slice(5, 1), 0),
            (slice(-100, 100, 3), slice(2)),
            (slice(None, None, -1),) * 3,
            slice(0, 0),
            slice(2**70, None, -1),
            (1, None, Ellipsis, None),
        ):
            with self.subTest(key=key):
                self.check(layout[key], a[key])

    def test_random_indexing(self):
        draw = random.Random(1)
        for _ in range(300):
            shape = tuple(draw.randint(1, 5) for _ in range(draw.randint(0, 4)))
            layout, a, shown = Layout("u32", shape), numbered(shape), []
            for _ in range(2):
                key = [
                    draw.choice(
                        (
                            None,
                            slice(
                                *(draw.choice((None, draw.randint(-7, 7))) for _ in range(2)),
                                draw.choice((None, 1, 2, -1, -3)),
                            ),
                        )
                    )
                    for _ in range(draw.randint(0, a.ndim))
                ]
                key = key[: a.ndim]
                shown.append(key)
                layout, a = layout[tuple(key)], a[tuple(key)]
            with self.subTest(shape=shape, keys=shown):
                self.check(layout, a)

    def test_reinterpret(self):
        self.assertEqual(Layout("u32", (2, 3)).reinterpret("u8"), Layout("u8", (2, 12)))
        self.assertEqual(Layout("u8", (2, 12)).reinterpret("<f4"), Layout("f32", (2, 3)))


class Values(unittest.TestCase):
    def test_constructors(self):
        self.assertEqual(Layout.ordered("f32", (2, 3), (0, 1)).strides, (1, 2))
        self.assertEqual(Layout.channels_last("f32", (2, 3, 4, 5)).strides, (60, 1, 15, 3))
        self.assertEqual(Layout.pitched("u8", (480, 640, 3), 0, 2048).strides, (2048, 3, 1))
        self.assertEqual(Layout.aligned("u8", (480, 640, 3), 0, 256).strides, (2048, 3, 1))
        self.assertEqual(Layout.padded("f32", (2, 3), (2, 4)).strides, (4, 1))
        self.assertEqual(Layout("f32", (2, 3), (4, 1), 5).min_bytes, (5 + 4 + 3) * 4)
        self.assertEqual(Layout.channels_last("f32", (2, 3, 4, 5)).packed(), Layout("f32", (2, 3, 4, 5)))

    def test_properties(self):
        layout = Layout("f16", (4, 3), (8, 2), 1)
        self.assertEqual(
            (layout.dtype, layout.ndim, layout.itemsize, layout.size, layout.nbytes), ("f16", 2, 2, 12, 24)
        )
        self.assertEqual((layout.offset, layout.span, layout.byte_strides), (1, (1, 29), (16, 4)))
        self.assertEqual((layout.is_contiguous, layout.is_fortran, layout.is_dense), (False, False, False))
        self.assertEqual((layout.T.dim_order, layout.contiguous_run, layout.overlaps_itself), ((1, 0), 1, False))
        self.assertTrue(Layout("u8", (5, 4), (3, 4)).overlaps_itself)
        self.assertTrue(Layout("f32", (2, 3)).is_contiguous)
        self.assertTrue(Layout("f32", (2, 3)).T.is_fortran)
        self.assertTrue(Layout.channels_last("f32", (2, 3, 4, 5)).is_channels_last)
        self.assertEqual(Layout("f32", (2, 3)).unravel(4), (1, 1))
        self.assertEqual((layout.index_at(1 + 8 + 4), layout.sharing_at(13), layout.sharing_at(14)), ((1, 2), 1, 0))
        windows = Layout("f32", (5, 3), (1, 1))
        self.assertEqual((windows.index_at(2), windows.sharing_at(2)), ((0, 2), 3))
        self.assertEqual((layout.fits(60), layout.fits(59)), (True, False))

    def test_texts_come_back(self):
        for layout in (Layout("f32", (2, 3), (-3, 1), 3), Layout("u4:high", (2, 0)), Layout("bytes12", ())):
            self.assertEqual(Layout.parse(str(layout)), layout)
        self.assertEqual(Layout.parse("f32[1,3,4,5]:nhwc"), Layout.channels_last("f32", (1, 3, 4, 5)))

    def test_empty_scalar_and_sub_byte(self):
        empty, scalar, bits = Layout("f32", (3, 0)), Layout("f64", ()), Layout("s4", (3, 3))
        self.assertEqual(
            (empty.size, empty.nbytes, empty.min_bytes, empty.span, empty.is_contiguous), (0, 0, 0, (0, -1), True)
        )
        self.assertEqual((scalar.size, scalar.nbytes, scalar.shape, scalar.offset_of()), (1, 8, (), 0))
        self.assertEqual((bits.nbytes, bits.itemsize, bits.min_bytes), (5, 0, 5))
        self.assertEqual(list(empty), [Layout("f32", (0,))] * 3)

    def test_equality_hash_pickle_repr(self):
        for layout in (
            Layout("u8", (2, 3)),
            Layout("u8", (2, 3), (1, 2), 7),
            Layout("bytes12", (2,)),
            Layout("f32", ()),
            Layout("s4:high", (4,)),
            Layout("f32", (2, 0)),
            Layout("f32", (3,), (-1,), 2),
        ):
            with self.subTest(layout=layout):
                for twin in (pickle.loads(pickle.dumps(layout)), copy.deepcopy(layout), eval(repr(layout))):
                    self.assertEqual(twin, layout)
                    self.assertEqual(hash(twin), hash(layout))
        self.assertNotEqual(Layout("u8", (2,)), Layout("s8", (2,)))
        self.assertNotEqual(Layout("u8", (2,)), (2,))
        self.assertEqual(repr(Layout("u8", (2, 3))), "Layout('u8', (2, 3))")
        self.assertEqual(repr(Layout("u8", (2, 3)).T), "Layout('u8', (3, 2), strides=(1, 3))")
        self.assertEqual(str(Layout("f32", (2, 3))), "f32[2,3] strides [3,1] offset 0")
        self.assertTrue(Layout("u8", (1, 3), (9, 1)).same_mapping(Layout("u8", (1, 3))))

    def test_iteration(self):
        self.assertEqual(list(Layout("u8", (2, 3))), [Layout("u8", (3,)), Layout("u8", (3,), offset=3)])
        with self.assertRaisesRegex(TypeError, "without dimensions"):
            list(Layout("u8", ()))

    def test_dtypes(self):
        import ml_dtypes

        names = {
            "f32": ("f32", "f4", "<f4", "float32", np.float32, np.dtype("f4")),
            "f64": (float, "f8", np.dtype(float)),
            "u8": ("u8", "uint8", np.uint8),
            "u64": ("u64", "<u8", "uint64", np.dtype("u8")),
            "s64": (int, "i8", "int64"),
            "pred": (bool, "bool", "|b1", np.bool_),
            "c64": ("c64", "complex64", "c8"),
            "c128": (complex, "<c16"),
            "bf16": ("bf16", "bfloat16", ml_dtypes.bfloat16, np.dtype(ml_dtypes.bfloat16)),
            "f8e4m3fn": ("float8_e4m3fn", np.dtype(ml_dtypes.float8_e4m3fn)),
            "f8e5m2": ("float8_e5m2", np.dtype(ml_dtypes.float8_e5m2)),
            "s4": ("s4", "int4"),
            "s8": ("s8", np.dtype(ml_dtypes.int4)),
            "bytes8": ("<M8[ns]", np.dtype("m8[s]")),
            "bytes12": ("|V12", "<U3"),
        }
        for name, words in names.items():
            for word in words:
                with self.subTest(word=word):
                    self.assertEqual(stride.dtype(word), name)

    def test_several_layouts(self):
        self.assertEqual(stride.broadcast_shapes((7, 1, 5), (2, 1)), (7, 2, 5))
        self.assertEqual(stride.broadcast_shapes(), ())
        nhwc = Layout.channels_last("f32", (2, 3, 4, 5))
        self.assertEqual(stride.elementwise_layout("f16", nhwc, Layout("f32", (3, 1, 1))).strides, nhwc.strides)
        self.assertEqual(Layout("f32", (4, 6), (8, 1)).compose(Layout("f32", (12,), (2,))).strides, (8, 2))

    def test_consumers(self):
        rows = Layout("bf16", (64, 511))
        self.assertIs(rows.meets("tma"), False)
        self.assertEqual(rows.why_not("tma"), "layout, dimension 0: a stride of 1022 bytes is not a multiple of 16")
        self.assertEqual(rows.adapt("tma").strides, (512, 1))
        self.assertIs(rows.adapt("tma").meets("tma"), True)
        self.assertIsNone(rows.adapt("tma").why_not("tma"))
        self.assertEqual(rows.adapt("tma").why_not("tma", 8),
                         "address: the lowest element lies at 8, which is not a multiple of 16")
        self.assertRaises(OverflowError, rows.why_not, "tma", -1)
        self.assertEqual(Layout("uint4", (4,)).why_not("cutensor"),
                         "layout: dtype u4 is not accepted; those accepted are f16, bf16, f32, f64, c64, c128")
        self.assertEqual(Layout(">f8" if sys.byteorder == "little" else "<f8", (4,)).why_not("arrow"),
                         "layout: dtype f64:swapped is not accepted; f64 is")
        self.assertEqual([Layout("bytes12", (4,)).meets(name) for name in ("d3d12", "opengl", "vulkan_image")],
                         [True, False, True])
        records = stride.array(np.zeros(4, "u1,f8")["f1"])
        self.assertEqual((records.meets("mdspan"), records.meets("tma")), (True, False))

    def test_texels(self):
        texels = Layout("f32", (4, 10, 3))
        self.assertIn("120 bytes", texels.why_not("d3d12", texel_dimensions=1))
        rows = texels.adapt("d3d12", texel_dimensions=1)
        self.assertEqual(rows.strides, (64, 3, 1))
        self.assertTrue(rows.meets("d3d12", texel_dimensions=1))
        self.assertIn("multiple of 3", rows.why_not("vulkan_image", texel_dimensions=1))
        self.assertEqual(texels.adapt("any", row_alignment=50, texel_dimensions=1).strides, (50, 3, 1))
        self.assertRaisesRegex(TypeError, "'pitch' is no field", texels.adapt, "any", pitch=3)
        self.assertRaisesRegex(TypeError, "'reserved' is no field", texels.adapt, "any", reserved=0)
        self.assertRaises(OverflowError, texels.adapt, "any", row_alignment=2**32)
        self.assertRaises(OverflowError, texels.adapt, "any", row_alignment=-1)


if __name__ == "__main__":
    unittest.main()
