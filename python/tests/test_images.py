"""Images: numbers of public reports, and planes taken apart with NumPy."""

import unittest

import numpy as np

import stride
from stride import Layout, images


class Images(unittest.TestCase):
    def test_names(self):
        for name in ("NV12", "nv12", "DRM_FORMAT_NV12", "V4L2_PIX_FMT_NV12"):
            self.assertEqual(images.fourcc(name), 0x3231564E)
        self.assertEqual(images.planes(0x3231564E, 5, 3), images.planes("NV12", 5, 3))
        for name in ("", "nv99", "DRM_FORMAT_", "H264"):
            self.assertRaises(stride.errors.ParseError, images.fourcc, name)
        with self.assertRaises(stride.errors.UnsupportedError) as caught:  # IENT/YUView#699
            images.planes("NV15", 64, 64)
        self.assertIn("NV15", str(caught.exception))

    def test_reports(self):
        # raspberrypi/linux#3503: RGB24 of 624 x 480, rows of a multiple of 32 pixels, the height of 16.
        found = images.planes("V4L2_PIX_FMT_RGB24", 624, 480, pitch_alignment=96, height_alignment=16)
        self.assertEqual((found.layouts[0].strides[0], found.nbytes), (1920, 921600))
        # raspberrypi/userland#425: 1944 x 2592 lies in 1952 x 2592.
        found = images.planes("GREY", 1944, 2592, pitch_alignment=32, height_alignment=16)
        self.assertEqual((found.layouts[0].strides[0], found.nbytes), (1952, 1952 * 2592))
        # Intel-Media-SDK/MediaSDK#2196: 1920 x 1080 is decoded into 1920 x 1088.
        y, uv = images.planes("NV12", 1920, 1080, height_alignment=16).layouts
        self.assertEqual((y.shape, uv.shape, uv.offset), ((1080, 1920, 1), (540, 960, 2), 1920 * 1088))
        # raspberrypi/firmware#1767: V lies before U in NV21 and YV16.
        for name, offsets in (("NV21", (384001, 384000)), ("YV16", (576000, 384000))):
            layouts = images.components(name, 800, 480).layouts
            self.assertEqual((layouts[1].offset, layouts[2].offset), offsets)

    def test_an_image_upside_down(self):
        # PyAV-Org/PyAV#1244: rows go downward from the pointer; from the start of the buffer they can be read.
        frame = np.arange(6 * 16, dtype="u1").reshape(6, 16)
        flipped = {"pitches": [-16, -16], "offsets": [48, 80]}
        y, u, v = images.components("NV12", 12, 4, **flipped).arrays(frame)
        self.assertTrue(np.array_equal(y.numpy(), frame[3::-1, :12]))
        self.assertTrue(np.array_equal(u.numpy(), frame[5:3:-1, 0:12:2]))
        self.assertTrue(np.array_equal(v.numpy(), frame[5:3:-1, 1:12:2]))
        from_row_0 = images.planes("NV12", 12, 4, pitches=[-16, -16])
        self.assertEqual([layout.offset for layout in from_row_0.layouts], [0, 32])
        self.assertEqual((from_row_0.nbytes, from_row_0.layouts[0].span[0]), (96, -48))
        self.assertRaises(stride.errors.OutOfBoundsError, from_row_0.arrays, frame)

    def test_samples_of_16_bits(self):
        frame = np.arange(24, dtype="u2")
        y, u, v = images.components("P010", 4, 4).arrays(frame.view("u1"))
        self.assertEqual((y.dtype, y.shape), ("u16", (4, 4)))
        self.assertEqual(v.numpy().tolist(), [[17, 19], [21, 23]])
        self.assertEqual(images.components("DRM_FORMAT_XRGB2101010", 4, 4).layouts, (Layout("u32", (4, 4)),))

    def test_refusals(self):
        refused = [
            (dict(pitches=[3, 4]), stride.errors.InvalidArgumentError),
            (dict(pitches=[4]), stride.errors.InvalidRankError),
            (dict(pitches=[4] * 5), stride.errors.InvalidRankError),
            (dict(offsets=[0, 12]), stride.errors.OverlapError),
            (dict(offsets=[0]), stride.errors.InvalidRankError),
        ]
        for keywords, kind in refused:
            with self.assertRaises(kind):
                images.planes("NV12", 4, 4, **keywords)
        self.assertRaises(OverflowError, images.planes, 2**32, 4, 4)
        self.assertRaises(OverflowError, images.planes, "NV12", 2**63, 4)
        self.assertRaises(ValueError, images.planes("NV12", 4, 4).arrays, np.zeros((5, 9), "u1")[:, ::2])
        self.assertRaises(ValueError, images.planes("NV12", 4, 4).arrays, bytes(23))


if __name__ == "__main__":
    unittest.main()
