"""Copies that convert, beside NumPy and ml_dtypes, and where they are installed PyTorch, XLA, ONNX Runtime, OpenCV.

STRIDE_CONVERSIONS is how many random copies there are of each kind.
"""

import ctypes
import os
import random
import unittest

import ml_dtypes
import numpy as np

import stride
from stride import Conversion

try:
    import torch
except ImportError:
    torch = None
try:
    import jax
except ImportError:
    jax = None
try:
    import onnx
    import onnxruntime
except ImportError:
    onnx = onnxruntime = None
try:
    import cv2
except ImportError:
    cv2 = None
try:
    import torchvision
except ImportError:
    torchvision = None

CASES = int(os.environ.get("STRIDE_CONVERSIONS", "1500"))
INTEGERS = [np.dtype(code) for code in "bBhHiIqQ"]
FLOATS = [np.dtype(of) for of in ("e", "f", "d", ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2)]
DTYPES = [np.dtype("?"), *INTEGERS, *FLOATS]
TENSORS = [of for of in DTYPES if of.kind != "u" or of.itemsize == 1]  # PyTorch lacks most of what it has of others.


def limits(dtype):
    info = ml_dtypes.iinfo(dtype) if dtype in INTEGERS else None
    return (int(info.min), int(info.max)) if info else (0, 1)


def numbers(r, dtype, shape, least=-(2**24), most=2**24):
    """Numbers of a dtype that f32 and f64 have as well, and those that C can convert between these limits."""
    if dtype.kind == "b":
        return np.array(r.choices([False, True], k=int(np.prod(shape))), dtype).reshape(shape)
    if dtype in INTEGERS:
        least, most = max(least, limits(dtype)[0]), min(most, limits(dtype)[1])
        return np.array([r.randint(least, most) for _ in range(int(np.prod(shape)))], dtype).reshape(shape)
    span = min(float(most), -float(least) if least < 0 else float(most), float(ml_dtypes.finfo(dtype).max))
    below = max(-span, float(least))
    many = [r.choice([1, 1, 0.01]) * r.uniform(below, span) for _ in range(int(np.prod(shape)))]
    made = np.array(many, np.float32).astype(dtype)
    wide = made.astype(np.float64)  # Those of few digits were rounded, some of them past a limit.
    return np.where((wide >= least) & (wide <= most), made, np.zeros(1, dtype)).astype(dtype).reshape(shape)


def view(r, dtype, shape):
    """An array of this shape somewhere in another one: in another order, with gaps, mirrored. And what it lies in."""
    order = r.sample(range(len(shape)), len(shape)) if r.random() < 0.6 else list(range(len(shape)))
    steps = [r.choice([1, 1, 1, 1, 2, 3, -1]) for _ in shape]
    sizes = [shape[at] * abs(steps[at]) + r.choice([0, 0, 0, 1, 5]) for at in order]
    random_bytes = np.random.RandomState(r.randrange(2**31)).bytes(int(np.prod(sizes)) * dtype.itemsize)
    whole = np.frombuffer(bytearray(random_bytes), dtype).reshape(sizes)
    seen = whole.transpose(np.argsort(order))
    for at, (size, step) in enumerate(zip(shape, steps)):
        kept = slice(None, size * step, step) if step > 0 else slice(size - 1, None, -1)
        seen = seen[(slice(None),) * at + (kept,)]
    return seen, whole


def some_shape(r):
    return [r.choice([1, 2, 3, 3, 4, 7, 16, 33, 64]) for _ in range(r.choice([1, 1, 2, 2, 3, 3, 4]))]


def same(one, other):
    """Whether all bits are equal, but for those of NaNs."""
    one, other = np.asarray(one), np.asarray(other)
    if one.dtype in FLOATS:
        nan = np.isnan(one.astype(np.float64)) & np.isnan(other.astype(np.float64))
        one, other = np.where(nan, 0, one.astype(np.float64)), np.where(nan, 0, other.astype(np.float64))
        return bool((one == other).all() and (np.signbit(one) == np.signbit(other)).all())
    return bool((one == other).all())


def fits(src, dst):
    """Limits of numbers that C converts from one to the other, and that are exact on the way."""
    if src in FLOATS and dst not in FLOATS:
        low, high = limits(dst) if dst.kind != "b" else (-100, 100)
        return max(low, -(2**24)), min(high, 2**24)
    if dst in (ml_dtypes.bfloat16, np.float16) or dst.itemsize == 1:
        return -(2**24), 2**24  # Others round to f32 first.
    return -(2**62), 2**62


def rounded(y, dst):
    """Rounded once. ml_dtypes rounds f64 to f32 first, which is harmless only for odd numbers."""
    if y.dtype != np.float64 or dst.type in (np.float16, np.float32, np.float64):
        return y.astype(dst)
    near = y.astype(np.float32)
    bits, inexact = near.view(np.uint32), (near != y) & np.isfinite(near)
    odd = np.where(np.abs(y) > np.abs(near), bits + np.uint32(1), bits - np.uint32(1)).view(np.float32)
    return np.where(inexact & (bits % 2 == 0), odd, near).astype(dst)


def arithmetic(x, dst, subtract=0.0, scale=1.0, add=0.0, *, divide=False, nearest=False, add_last=False):
    """The result of a conversion, by NumPy."""
    wide = [np.dtype(code) for code in "iIqQd"]
    of = np.float64 if x.dtype in wide or dst in wide else np.float32
    subtract, scale, add = (np.asarray(number).astype(of) for number in (subtract, scale, add))
    y = x.astype(of) - subtract
    y = y / scale if divide else y * scale
    y = y if add_last else y + add
    if dst not in INTEGERS:
        return (y != 0) if dst.kind == "b" else rounded(np.asarray(y), dst)
    y = np.rint(y) if nearest else np.trunc(y)
    y = y + add if add_last else y
    low, high = limits(dst)
    assert dst.itemsize < 8 or np.abs(y).max() < 2**62
    return np.where(np.isnan(y), 0, np.clip(y.astype(np.float64), low, high)).astype(dst)


class ByValue(unittest.TestCase):
    def setUp(self):
        np.seterr(all="ignore")

    def test_random_copies_of_numpy(self):
        for number in range(CASES):
            r = random.Random(number)
            src, dst, shape = r.choice(DTYPES), r.choice(DTYPES), some_shape(r)
            of, _ = view(r, src, shape)
            of[...] = numbers(r, src, shape, *fits(src, dst))
            to, whole = view(r, dst, shape)
            before, place = whole.copy(), to.ctypes.data - whole.ctypes.data
            with self.subTest(number, src=src, dst=dst, shape=shape):
                stride.copy(to, of, convert=True, threads=r.choice([None, 1, 3]))
                self.assertTrue(same(to, of.astype(dst)))
                # With the elements put back, what lies between them is as it was.
                to[...] = np.ndarray(to.shape, dst, before, place, to.strides)
                self.assertEqual(whole.tobytes(), before.tobytes())

    @unittest.skipIf(torch is None, "PyTorch is not installed")
    def test_random_copies_of_pytorch(self):
        saturates = float(torch.tensor(1000.0).to(torch.float8_e4m3fn)) == 448  # Newer ones.
        for number in range(CASES):
            r = random.Random(f"torch {number}")
            src, dst, shape = r.choice(TENSORS), r.choice(TENSORS), some_shape(r)
            words = [of.name for of in (src, dst)]
            of = numbers(r, src, shape, *fits(src, dst))
            of = torch.from_numpy(of.astype("f8") if src in FLOATS else of).to(getattr(torch, words[0]))
            of = of.permute(r.sample(range(of.ndim), of.ndim))
            to = torch.empty(of.shape, dtype=getattr(torch, words[1]))
            with self.subTest(number, src=src, dst=dst, shape=shape):
                stride.copy(to, of, convert=Conversion(finite=dst == ml_dtypes.float8_e4m3fn and saturates))
                want = of.to(to.dtype)
                self.assertTrue(same(to.double().numpy(), want.double().numpy()))


    @unittest.skipIf(jax is None, "JAX is not installed")
    def test_random_copies_of_xla(self):
        with jax.enable_x64(True) if hasattr(jax, "enable_x64") else jax.experimental.enable_x64():
            for number in range(CASES // 10):  # Each pair of dtypes and shapes is compiled.
                r = random.Random(f"xla {number}")
                dst, src = r.choice(DTYPES), r.choice(DTYPES)
                of = numbers(r, src, [r.choice([3, 64])] * 2, *fits(src, dst))
                want = np.asarray(jax.lax.convert_element_type(of, dst))
                to = np.empty(of.shape[::-1], dst).T
                stride.copy(to, of, convert=True)
                self.assertTrue(same(to, want), (number, dst, src))


class Arithmetic(unittest.TestCase):
    def setUp(self):
        np.seterr(all="ignore")

    def test_random_copies(self):
        for number in range(CASES):
            r = random.Random(f"arithmetic {number}")
            src, dst, shape = r.choice(DTYPES), r.choice(DTYPES), some_shape(r)
            of, _ = view(r, src, shape)
            of[...] = numbers(r, src, shape, -300, 300)
            to, _ = view(r, dst, shape)

            def some(integer=False):
                def make():
                    return float(r.randint(-20, 20)) if integer else r.choice([-1, 1]) * r.uniform(0.1, 4)

                if r.random() < 0.4:
                    return make()
                sizes = [size if r.random() < 0.4 else 1 for size in shape][r.choice([0, 0, 1]):]
                return np.array([make() for _ in range(int(np.prod(sizes)))], np.float32).reshape(sizes)

            how = {name: some() for name in ("subtract", "scale", "add") if r.random() < 0.6} or {"scale": some()}
            how |= {name: True for name in ("divide", "nearest") if r.random() < 0.3}
            if dst in INTEGERS and r.random() < 0.3:
                how |= {"add": some(True), "add_last": True}
            if how.get("divide") and "scale" not in how:
                how["scale"] = some()
            with self.subTest(number, src=src, dst=dst, shape=shape, how=how):
                stride.copy(to, of, convert=Conversion(**how), threads=r.choice([None, 1, 3]))
                self.assertTrue(same(to, arithmetic(of, dst, **how)))

    def test_slabs_give_the_same(self):
        x = np.arange(3 * 40 * 50, dtype=np.uint8).reshape(40, 50, 3)
        how = Conversion(scale=np.array([1.5, 2, 0.25]).reshape(3, 1, 1), add=-1)
        one, other = np.empty((3, 40, 50), "f"), np.empty((3, 40, 50), "f")
        stride.copy(one, x.transpose(2, 0, 1), convert=how)
        stride.copy(other, x.transpose(2, 0, 1), convert=how, slab_bytes=999)
        self.assertTrue((one == other).all())

    def test_images_of_channels(self):
        photos = np.random.RandomState(1).randint(0, 256, (2, 30, 40, 3), np.uint8)
        mean, deviation = np.array([0.485, 0.456, 0.406]), np.array([0.229, 0.224, 0.225])
        planes = stride.to_channels_first(photos, scale=1 / (255 * deviation), bias=-mean / deviation)
        want = (photos.transpose(0, 3, 1, 2) / 255 - mean.reshape(3, 1, 1)) / deviation.reshape(3, 1, 1)
        self.assertEqual((planes.dtype, planes.shape), (np.dtype("f"), (2, 3, 30, 40)))
        self.assertLess(np.abs(planes - want).max(), 3e-7 * 4)
        half = stride.to_channels_first(photos[0], dtype="f16")
        self.assertTrue((half == photos[0].transpose(2, 0, 1)).all() and half.dtype == np.float16)
        out = np.empty((3, 30, 40), "f")
        self.assertIs(stride.to_channels_first(photos[0], out=out, scale=2), out)
        self.assertTrue((out == photos[0].transpose(2, 0, 1) * 2.0).all())
        with self.assertRaisesRegex(TypeError, "unexpected keyword argument 'mean': neither this function"):
            stride.to_channels_first(photos[0], mean=1)

    def test_memory_that_is_shared(self):
        x = np.arange(1000, dtype="f") - 500
        for dtype, begin in (("i4", 0), ("i4", 12), ("i2", 0), ("i2", 700), ("f8", 0)):
            memory = np.zeros(9000, np.uint8)
            of = memory[400:4400].view("f")
            of[:] = x
            to = memory[400 + begin:400 + begin + 1000 * np.dtype(dtype).itemsize].view(dtype)
            stride.copy(to, of, convert=True)
            self.assertTrue((to == x).all(), (dtype, begin))

    def test_fields_of_records(self):
        records = np.zeros(5, [("byte", "u1"), ("number", "<f4")])
        records["number"] = [1, 2, 3, 4.5, -5]
        whole = np.empty(5, "i8")
        stride.copy(whole, records["number"], convert=True)
        self.assertEqual(whole.tolist(), [1, 2, 3, 4, -5])
        stride.copy(records["number"], whole[::-1], convert=Conversion(scale=2))
        self.assertEqual(records["number"].tolist(), [-10, 8, 6, 4, 2])
        self.assertEqual(records["byte"].tolist(), [0] * 5)

    def test_what_is_refused_says_what_to_do(self):
        to, of = np.empty((2, 3, 4), "f"), np.zeros((2, 3, 4), np.uint8)
        with self.assertRaisesRegex(TypeError, "convert is True or a stride.Conversion, not str"):
            stride.copy(to, of, convert="f16")
        with self.assertRaisesRegex(ValueError, r"scale of shape \(2,\) cannot be broadcast to \(2, 3, 4\)"):
            stride.copy(to, of, convert=Conversion(scale=[1, 2]))
        with self.assertRaisesRegex(ValueError, "with add_last it must be an integer"):
            stride.copy(of, to, convert=Conversion(add=0.5, add_last=True))
        with self.assertRaisesRegex(Exception, r"stride.copy\(..., convert=True\) converts"):
            stride.Plan(to, of)

    def test_other_byte_orders(self):
        x = np.arange(100, dtype=">f4") / 8
        y = np.empty(100, ">i2")
        stride.copy(y, x, convert=Conversion(nearest=True))
        self.assertTrue((y == np.rint(x)).all())


@unittest.skipIf(onnxruntime is None, "ONNX and ONNX Runtime are not installed")
class OfOnnx(unittest.TestCase):
    """The table of the guide, docs/guide/src/cookbook/convert.md."""

    WORDS = {"b": "INT8", "B": "UINT8", "h": "INT16", "H": "UINT16", "i": "INT32", "I": "UINT32", "q": "INT64",
             "Q": "UINT64", "e": "FLOAT16", "f": "FLOAT", "d": "DOUBLE", "?": "BOOL"}

    def kind(self, dtype):
        return getattr(onnx.TensorProto, self.WORDS[dtype.char])

    def run_node(self, operator, inputs, dst, **attributes):
        key = (operator, tuple(each.dtype for each in inputs), dst, tuple(attributes.items()))
        names = [chr(97 + at) for at in range(len(inputs))]
        if key not in self.sessions:
            of, make = onnx.helper.make_tensor_value_info, onnx.helper
            values = [of(name, self.kind(each.dtype), None) for name, each in zip(names, inputs)]
            node = make.make_node(operator, names, ["out"], **attributes)
            graph = make.make_graph([node], "one", values, [of("out", self.kind(dst), None)])
            model = make.make_model(graph, opset_imports=[make.make_opsetid("", 21)], ir_version=10)
            made = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
            self.sessions[key] = made
        return self.sessions[key].run(None, dict(zip(names, inputs)))[0]

    sessions = {}

    def test_cast(self):
        plain = [of for of in DTYPES if of.char in self.WORDS]
        for number in range(CASES):
            r = random.Random(f"cast {number}")
            src, dst, shape = r.choice(plain), r.choice(plain), some_shape(r)
            of = numbers(r, src, shape, *fits(src, dst))
            to = np.empty(shape, dst)
            with self.subTest(number, src=src, dst=dst):
                stride.copy(to, of, convert=True)
                self.assertTrue(same(to, self.run_node("Cast", [of], dst, to=self.kind(dst))))

    def test_cast_to_f8_saturates(self):
        f8 = {"FLOAT8E4M3FN": ml_dtypes.float8_e4m3fn, "FLOAT8E5M2": ml_dtypes.float8_e5m2}
        special = [0.0, -0.0, np.inf, -np.inf, np.nan, 448, 464, 465, 57344, 61440, 65536, 1e30, 2**-9, 2**-10, 2**-17]
        for number in range(CASES // 10):
            r = random.Random(f"f8 {number}")
            of = np.array([r.choice(special) * r.choice([1, -1, r.uniform(0.5, 2)]) for _ in range(200)], "f")
            for name, dst in f8.items():
                with self.subTest(number, name=name):
                    to = np.empty(of.shape, dst)
                    stride.copy(to, of, convert=Conversion(finite=True))
                    self.assertTrue(same(to, self.to_f8(of, name).view(dst)))

    def to_f8(self, of, name):
        """With saturate 1. (With 0, ONNX Runtime 1.32 makes 448 of 480 in E4M3FN, and NaN of 61440 in E5M2.)"""
        if name not in self.sessions:
            make, kind = onnx.helper, getattr(onnx.TensorProto, name)
            node = make.make_node("Cast", ["a"], ["out"], to=kind, saturate=1)
            both = (("a", onnx.TensorProto.FLOAT), ("out", kind))
            ends = [make.make_tensor_value_info(end, of, None) for end, of in both]
            model = make.make_model(make.make_graph([node], "one", ends[:1], ends[1:]),
                                    opset_imports=[make.make_opsetid("", 21)], ir_version=10)
            made = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
            self.sessions[name] = made
        out = self.sessions[name].run_with_ort_values(None, {"a": onnxruntime.OrtValue.ortvalue_from_numpy(of)})
        shape, address = out[0].shape(), out[0].data_ptr()
        return np.frombuffer((ctypes.c_uint8 * int(np.prod(shape))).from_address(address), np.uint8).copy()

    def quantized(self, per_channel, number):
        r = random.Random(f"quantize {per_channel} {number}")
        dst = r.choice([np.dtype(code) for code in "bBhH"])
        shape = [r.choice([1, 3, 5]), r.choice([1, 4, 7]), r.choice([2, 3, 40])]
        of = np.array([r.uniform(-300, 300) for _ in range(int(np.prod(shape)))], "f").reshape(shape)
        of.reshape(-1)[:4] = [0.5, -0.5, 1e9, -1e9][:of.size]
        channels = shape[1] if per_channel else 1
        scales = np.array([r.choice([0.5, 1, r.uniform(0.1, 3)]) for _ in range(channels)], "f")
        zeros = np.array([r.randint(*(max(-100, limits(dst)[0]), 100)) for _ in range(channels)], dst)
        return of, dst, scales, zeros

    def test_quantize_and_dequantize_linear(self):
        for number in range(CASES // 2):
            for per_channel in (False, True):
                of, dst, scales, zeros = self.quantized(per_channel, number)
                to, back = np.empty(of.shape, dst), np.empty(of.shape, "f")
                apart = (lambda of: of.reshape(-1, 1)) if per_channel else (lambda of: of[0])
                how = {"scale": apart(scales), "add": apart(zeros.astype("f"))}
                how |= {"divide": True, "nearest": True, "add_last": True}
                given = [scales, zeros] if per_channel else [scales[0], zeros[0]]
                with self.subTest(number, dst=dst, per_channel=per_channel):
                    stride.copy(to, of, convert=Conversion(**how))
                    want = self.run_node("QuantizeLinear", [of, *map(np.asarray, given)], dst, axis=1)
                    self.assertTrue(same(to, want))
                    stride.copy(back, to, convert=Conversion(subtract=apart(zeros.astype("f")), scale=apart(scales)))
                    want = self.run_node("DequantizeLinear", [to, *map(np.asarray, given)], np.dtype("f"), axis=1)
                    self.assertTrue(same(back, want))


@unittest.skipIf(torch is None, "PyTorch is not installed")
class OfPyTorch(unittest.TestCase):
    def test_quantize_per_channel(self):
        for number in range(CASES // 5):
            r = random.Random(f"per channel {number}")
            dst = r.choice([torch.qint8, torch.quint8])
            of = torch.tensor([r.uniform(-300, 300) for _ in range(3 * 7 * 33)]).reshape(3, 7, 33)
            scales = torch.tensor([r.choice([0.5, 1.0, r.uniform(0.1, 3)]) for _ in range(7)])
            zeros = torch.tensor([r.randint(0, 100) for _ in range(7)])
            want = torch.quantize_per_channel(of, scales, zeros, 1, dst).int_repr()
            to = torch.empty(of.shape, dtype=want.dtype)
            inverse, add = (of.reshape(7, 1).astype("f") for of in (1.0 / scales.numpy(), zeros.numpy()))
            stride.copy(to, of, convert=Conversion(scale=inverse, add=add, nearest=True, add_last=True))
            self.assertTrue(bool((to == want).all()), number)


def pictures(count):
    for number in range(count):
        r = np.random.RandomState(number)
        yield r.randint(0, 256, (1 + r.randint(40), 1 + r.randint(40), 3)).astype(np.uint8)


@unittest.skipIf(cv2 is None, "OpenCV is not installed")
class OfOpenCV(unittest.TestCase):
    def test_blob_from_image(self):
        mean, scale = (123.675, 116.28, 103.53), 1 / 58.4
        for picture in pictures(CASES // 50):
            want = cv2.dnn.blobFromImage(picture, scale, mean=mean)[0]
            to = np.empty(want.shape, "f")
            by_channel = np.array(mean, "f").reshape(3, 1, 1)
            stride.copy(to, picture.transpose(2, 0, 1), convert=Conversion(subtract=by_channel, scale=scale))
            self.assertTrue((np.abs(to - want) <= np.spacing(np.abs(want))).all())

    def test_convert_to(self):
        for picture in pictures(CASES // 50):
            of = picture.astype("f") * 1.7 - 60
            want = cv2.addWeighted(of, 0.7, of, 0, 3.25, dtype=cv2.CV_8U)
            to = np.empty(want.shape, np.uint8)
            stride.copy(to, of, convert=Conversion(scale=0.7, add=3.25, nearest=True))
            self.assertLessEqual(int(np.abs(to.astype(int) - want).max()), 1)


@unittest.skipIf(torchvision is None, "torchvision is not installed")
class OfTorchvision(unittest.TestCase):
    def test_to_tensor_and_normalize(self):
        from torchvision.transforms import functional
        mean, deviation = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
        for picture in pictures(CASES // 50):
            want = functional.normalize(functional.to_tensor(picture), mean, deviation).numpy()
            to = stride.to_channels_first(picture, dtype="f32", scale=[1 / (255 * each) for each in deviation],
                                          bias=[-mean / each for mean, each in zip(mean, deviation)])
            self.assertTrue(np.allclose(to, want, rtol=3e-7, atol=3e-7))


if __name__ == "__main__":
    unittest.main()
