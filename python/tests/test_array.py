"""Arrays of others, without a copy: what they say of themselves, and that nothing of them is kept too long."""

import array
import copy
import gc
import io
import mmap
import pickle
import sys
import threading
import unittest

import ml_dtypes
import numpy as np

import stride
from stride import _foreign, _raw
from stride._native import new_capsule

class Interface:
    """An array interface with memory of its own."""

    def __init__(self, shape, typestr, data, **more):
        self.__array_interface__ = {"version": 3, "shape": shape, "typestr": typestr, "data": data, **more}


try:
    import torch
except ImportError:
    torch = None
try:
    import jax
    import jax.numpy
except ImportError:
    jax = None


class Sources(unittest.TestCase):
    def same(self, x, expected=None):
        """libstride's array of x looks at the same memory and says the same of it."""
        expected = np.asarray(x) if expected is None else expected
        found = stride.array(x)
        self.assertEqual(found.shape, expected.shape)
        if expected.size:
            self.assertEqual(
                [step for step, size in zip(found.byte_strides, found.shape) if size > 1],
                [step for step, size in zip(expected.strides, expected.shape) if size > 1],
            )
            if expected is x or isinstance(x, (bytearray, memoryview)):
                self.assertEqual(
                    found.address + found.offset * found.itemsize, expected.__array_interface__["data"][0]
                )
        self.assertEqual(found.readonly, isinstance(x, np.generic) or not expected.flags.writeable)
        self.assertEqual(found.tobytes(), expected.tobytes())

    def test_numpy(self):
        a = np.arange(2 * 3 * 4 * 5, dtype="f4").reshape(2, 3, 4, 5)
        frozen = a.copy()
        frozen.flags.writeable = False
        for view in (
            a,
            a.T,
            a[::-1],
            a[:, ::-2, 1:, ::3],
            a[..., None],
            a[0, 0, 0, 0:0],
            a[1:1],
            a[0, 1, 2, 3:4],
            a[1, 2, 3, 4:],
            np.zeros(()),
            np.zeros((0, 3)),
            np.zeros((1, 1)),
            np.float64(3),
            frozen,
            frozen[::-1],
            a[0, 0, 0, 0],
            np.broadcast_to(np.float32(1), (2, 3)),
            np.asfortranarray(a[0, 0]),
            np.zeros((2, 0, 3))[::-1],
        ):
            with self.subTest(shape=view.shape, strides=view.strides):
                self.same(view)

    def test_every_dtype_of_numpy(self):
        for code in "?bBhHiIlLqQefdgFDGSUVmM":
            a = np.zeros((3, 4), {"S": "S5", "U": "U3", "V": "V12", "m": "m8[s]", "M": "M8[ns]"}.get(code, code))
            with self.subTest(dtype=a.dtype):
                self.same(a[::-1, ::2])
        point = np.zeros((3, 4), [("x", "f4"), ("y", "i2"), ("z", "u1", 3)])
        self.same(point[::-1])
        self.same(point["y"])
        self.assertEqual(stride.array(point).dtype, "bytes9")
        for kind in (ml_dtypes.bfloat16, ml_dtypes.float8_e5m2, ml_dtypes.int4):
            a = np.arange(6).astype(kind).reshape(2, 3)
            found = stride.array(a[:, ::-1])
            self.assertEqual(found.dtype, stride.dtype(a.dtype))
            self.assertEqual(found.tobytes(), a[:, ::-1].tobytes())
        for kind in (ml_dtypes.bfloat16, ml_dtypes.float8_e5m2, ml_dtypes.float8_e4m3fn):
            self.assertEqual(stride.array(np.arange(3).astype(kind)).numpy().dtype, kind)
        to = stride.empty("f8e5m2", (2, 3))
        stride.copy(to, np.ones((2, 3), ml_dtypes.float8_e5m2))
        self.assertEqual(bytes(memoryview(to.numpy().view("u1"))), b"\x3c" * 6)

    def test_python(self):
        memory = bytearray(range(24))
        self.same(memory)
        self.same(bytes(memory), np.frombuffer(bytes(memory), "u1"))
        self.assertEqual((stride.array(b"").shape, stride.array(b"").tobytes()), ((0,), b""))
        self.same(memoryview(memory)[::-3])
        self.same(memoryview(memory).cast("i", (2, 3))[::-1])
        self.same(array.array("d", [1, 2, 3]))
        with mmap.mmap(-1, 4096) as shared:
            self.same(shared)
        self.assertTrue(stride.array(b"abc").readonly)
        self.assertFalse(stride.array(memory).readonly)

    def test_interface_with_a_buffer_inside(self):
        class Image:  # As PIL's: the bytes themselves are in the interface.
            __array_interface__ = {"version": 3, "shape": (2, 3), "typestr": "|u1", "data": bytes(range(6))}

        class Short:
            __array_interface__ = {"version": 3, "shape": (2, 4), "typestr": "|u1", "data": bytes(range(6))}

        self.assertEqual(stride.array(Image()).T.tobytes(), bytes([0, 3, 1, 4, 2, 5]))
        self.assertRaisesRegex(ValueError, "describes bytes 0 to 8 of its data, which has 6", stride.array, Short())

        for start, shape, strides in ((44, (12,), (-4,)), (4, (3,), (8,)), (40, (5, 2), (-8, 4))):
            backwards = Interface(shape, "<f4", np.arange(12, dtype="<f4").tobytes(), strides=strides, offset=start)
            self.assertEqual(np.asarray(stride.array(backwards)).tolist(), np.asarray(backwards).tolist())
        beyond = Interface((12,), "<f4", bytes(48), strides=(-4,), offset=40)
        self.assertRaisesRegex(ValueError, "describes bytes -4 to 44 of its data, which has 48", stride.array, beyond)
        inner = Interface((2,), "|u1", stride.array(b"abcdef")[3:])
        self.assertEqual(stride.array(inner).tobytes(), b"de")

    def test_back_to_numpy(self):
        a = np.arange(24, dtype="i4").reshape(2, 3, 4)
        permuted = stride.array(a).permute(2, 0, 1)[::-1]
        np.testing.assert_array_equal(np.asarray(permuted), a.transpose(2, 0, 1)[::-1])
        permuted.numpy()[0, 0, 0] = 99
        self.assertEqual(a[0, 0, 3], 99)
        self.assertEqual(np.asarray(stride.array(np.zeros((0, 3)))).shape, (0, 3))
        self.assertFalse(stride.array(b"abc").numpy().flags.writeable)

    def test_refused(self):
        class OnGpu:
            def __dlpack_device__(self):
                return (2, 1)

        class Nothing:
            pass

        for made, sentence in (
            (OnGpu(), "the memory of this OnGpu is on cuda:1; libstride works on memory of the CPU"),
            (Nothing(), "Nothing has no buffer protocol, no __array_interface__ and no DLPack: numpy.asarray makes an array of it"),
            ([1, 2], "list has no buffer protocol, no __array_interface__ and no DLPack: numpy.asarray makes an array of it"),
            (np.array([object()]), "Python objects"),
            (np.array([(1, None)], [("a", "i4"), ("b", "O")]), "Python objects"),
            (np.ma.masked_array([1, 2], [0, 1]), "an array with a mask is two arrays"),
        ):
            with self.subTest(sentence=sentence):
                self.assertRaisesRegex((TypeError, ValueError), sentence, stride.array, made)
        stride.ascontiguous(np.zeros(3))  # Whatever was seen before.
        self.assertRaisesRegex(TypeError, "Python objects", stride.ascontiguous, np.array([object()]))

    def test_refused_however_they_are_told(self):
        hidden = np.dtype({"names": ["o", "t"], "formats": ["O", "M8[s]"], "offsets": [8, 0]})
        times = np.zeros(3, [("Open", "f4"), ("t", "M8[s]")])
        self.assertEqual(stride.array(times).tobytes(), times.tobytes())  # The O of a name is no object.
        late, few = [memoryview(bytearray(16))[::2], np.broadcast_to(np.zeros(1, "u1"), 1000)], np.zeros((2, 3))
        for x, kind, sentence in (
            (np.zeros(2, hidden), TypeError, "Python objects"),
            (np.ma.array(np.zeros(3, "M8[s]"), mask=[1, 0, 1]), TypeError, "a mask is two arrays"),
            (np.ma.array(np.zeros(3, ml_dtypes.bfloat16), mask=[1, 0, 1]), TypeError, "a mask is two arrays"),
            (Interface((8,), "|u1", late[0]), ValueError, "without gaps"),
            (Interface((1000,), "|u1", late[1]), ValueError, "without gaps"),
            (Interface((2, 3), "<f8", few.tobytes(), strides=(8,)), ValueError, "1 strides and 2 sizes"),
            (Interface(None, "<f8", few.tobytes()), TypeError, "an array interface without shape"),
            (Interface((2, 3), None, few.tobytes()), TypeError, "an array interface without typestr"),
            (Interface((2, 3), "<f8", None), TypeError, "an array interface without data"),
            (Interface((2, 3), "<f8", (few.ctypes.data,)), TypeError, "an address and whether it is read-only"),
            (Interface((2, 3), "<f8", (2**64 + few.ctypes.data, False)), OverflowError, "does not fit 64 bits"),
        ):
            with self.subTest(sentence=sentence, of=type(x)):
                self.assertRaisesRegex(kind, sentence, stride.array, x)

    def test_types_of_interfaces(self):
        def told(*arrays):
            return [Interface(x.shape, x.dtype.str, (x.ctypes.data, False), descr=x.dtype.descr) for x in arrays]

        for one, other, names in (
            ("f4", "i4", ("f32", "s32")),
            ("M8[ns]", "M8[s]", (r"M8\[ns\]", r"M8\[s\]")),
            ("U2", "S8", ("2w", "8s")),
            ([("lx", "i8")], [("qx", "i8")], (r"\[\('lx', '.i8'\)\]", r"\[\('qx', '.i8'\)\]")),
        ):
            arrays = np.zeros(2, one), np.zeros(2, other)
            sentence = f"dst has elements {names[0]}, src {names[1]};"
            self.assertRaisesRegex(stride.errors.DtypeMismatchError, sentence, stride.copy, *told(*arrays))
        for kind in ("S5", "U2", "f4", "V3"):  # Told in either way they are one type.
            array = np.arange(9, dtype="u1").view(kind) if kind == "V3" else np.array([1, 22, 3]).astype(kind)
            to = np.zeros_like(array)
            stride.copy(to, *told(array))
            self.assertEqual(to.tobytes(), array.tobytes())

    def test_no_word_makes_it_writable_or_another_type(self):
        view = stride.array(b"abc")
        with self.assertRaises(AttributeError):
            view.readonly = False
        for make in (bool, lambda a: 97 in a):
            self.assertRaises(TypeError, make, view)
        numbers = stride.array(np.ones(3, ml_dtypes.bfloat16))
        self.assertRaisesRegex(ValueError, "is a copy", numbers.__array__, "f4", copy=False)
        self.assertEqual(np.asarray(numbers, "f4").tolist(), [1, 1, 1])

    def test_copies_of_what_only_looks(self):
        memory = np.arange(6, dtype="i2")
        view = stride.array(memory)[::-1]
        twin = copy.copy(view)
        memory[0] = 7
        self.assertEqual((np.asarray(twin).tolist(), twin.layout), ([5, 4, 3, 2, 1, 7], view.layout))
        for x in (view, stride.array(np.zeros(4, "M8[s]"))):
            self.assertRaisesRegex(TypeError, "somebody else's", copy.deepcopy, x)
            self.assertRaisesRegex(TypeError, "somebody else's", pickle.dumps, x)

    def test_asarray_where_the_interface_has_no_word(self):
        numbers = np.arange(6).astype(ml_dtypes.bfloat16)
        seen = np.asarray(stride.array(numbers)[::2])
        self.assertEqual((seen.dtype, seen.tolist()), (numbers.dtype, [0, 2, 4]))
        self.assertTrue(np.shares_memory(seen, numbers))
        self.assertRaisesRegex(TypeError, "NumPy has no dtype", np.asarray, stride.empty("uint4", (3,)))

    def test_a_shape_that_lies(self):
        class Liar(np.ndarray):
            @property
            def shape(self):
                return (1 << 27,)

        honest, liar = np.zeros(4), np.zeros(4).view(Liar)
        big = np.zeros(1 << 20)
        stride.copy(big, big.copy())
        stride.copy(liar, honest)  # By its buffer, which says 4.

    def test_memory_stays_claimed_and_is_given_back(self):
        memory = bytearray(8)
        view = stride.array(memory)[2:]
        self.assertRaises(BufferError, memory.append, 1)
        del view
        gc.collect()
        memory.append(1)
        kept = stride.array(bytearray(b"abc"))  # Nobody else holds the bytearray.
        self.assertEqual(kept.tobytes(), b"abc")

    def test_nothing_leaks(self):
        memory, a = bytearray(64), np.zeros((4, 4), "f4")
        dst, when = np.zeros((4, 4), "f4"), np.zeros(4, "M8[s]")
        tensor = torch.zeros(4, 4) if torch else a
        for x in (memory, a, when, tensor):
            stride.array(x)
        counted = [sys.getrefcount(x) for x in (memory, a, dst, when, tensor)]
        for _ in range(10_000):
            stride.array(memory).reshape(8, 8).T
            stride.copy(dst, a.T)
            stride.array(when)
            stride.array(tensor)
            with self.assertRaises(ValueError):
                stride.copy(memory, a)
        gc.collect()
        self.assertEqual([sys.getrefcount(x) for x in (memory, a, dst, when, tensor)], counted)
        memory.extend(b"still mine")


CODES = "?bBhHiIqQefdFD"


@unittest.skipIf(new_capsule is None, "lib/native is not there")
class DLPack(unittest.TestCase):
    def test_numpy_sees_the_same_memory(self):
        for code in CODES:
            numbers = np.arange(24).astype(code).reshape(2, 3, 4)
            view = stride.array(numbers)[1:, ::-1, ::2].permute(2, 0, 1)
            seen = np.from_dlpack(view)
            wanted = numbers[1:, ::-1, ::2].transpose(2, 0, 1)
            self.assertEqual((seen.dtype, seen.shape, seen.strides), (wanted.dtype, wanted.shape, wanted.strides))
            numbers[1] = 1
            np.testing.assert_array_equal(seen, wanted)
            self.assertTrue(np.shares_memory(seen, numbers))
        self.assertEqual(np.from_dlpack(stride.empty("f32", ())).shape, ())
        self.assertEqual(np.from_dlpack(stride.empty("f32", (0, 3))).shape, (0, 3))

    def test_its_own_way_back(self):
        for code in ("uint4", "s4", "bf16", "f8e4m3fn", "f32", "pred", "c64", "bytes12"):
            given = stride.empty(code, (4, 6))[1:]
            back = stride.array(Foreign(given))
            first = given.address + given.offset * (given.nbytes * 8 // given.size) // 8
            self.assertEqual((back.address, back.offset, back.strides), (first, 0, given.strides))
            self.assertEqual((back.dtype, back.shape, back.nbytes), (given.dtype, given.shape, given.nbytes), code)

    def test_a_device_that_is_told_otherwise(self):
        """The device is the tensor's own: memory of a GPU is not read because `__dlpack_device__` says CPU."""
        memory = stride.array(bytearray(16))

        class Forged:
            def __init__(self, version, kind):
                self.version, self.kind = version, kind

            def __dlpack_device__(self):
                return 1, 0

            def __dlpack__(self, **asked):
                capsule = memory.__dlpack__(max_version=self.version)
                name = _foreign._capsule_name(capsule)
                struct = _raw.DlManagedTensorVersioned if name.endswith(b"versioned") else _raw.DlTensor
                tensor = struct.from_address(_foreign._capsule_pointer(capsule, name))
                tensor.device_type, tensor.device_id = self.kind, 3
                if self.kind not in (1, 3, 11):
                    tensor.data = 4096  # Nothing is there.
                return capsule

        for version in (None, (1, 0)):
            for kind, word in ((2, "cuda:3"), (13, "cuda_managed:3"), (10, "rocm:3"), (8, "metal:3"), (99, "device type 99:3")):
                with self.assertRaisesRegex(TypeError, f"the memory of this Forged is on {word}; libstride works on memory"):
                    stride.array(Forged(version, kind))
                self.assertRaises(TypeError, stride.copy, bytearray(16), Forged(version, kind))
            for kind in (1, 3, 11):  # Memory of the host, pinned or not.
                self.assertEqual(stride.array(Forged(version, kind)).address, memory.address)

    def test_versions_and_flags(self):
        frozen, free = stride.array(bytes(8)), stride.array(bytearray(8))
        for given, flags in ((frozen, 1), (free, 0)):
            for version in ((1, 0), (1, 3), (2, 0)):
                capsule = given.__dlpack__(max_version=version)
                name = _foreign._capsule_name(capsule)
                self.assertEqual(name, b"dltensor_versioned")
                tensor = _raw.DlManagedTensorVersioned.from_address(_foreign._capsule_pointer(capsule, name))
                self.assertEqual((tensor.major, tensor.minor, tensor.flags), (1, version[1] if version[0] == 1 else 3,
                                                                              flags))
        self.assertEqual(_foreign._capsule_name(free.__dlpack__()), b"dltensor")
        self.assertEqual(_foreign._capsule_name(free.__dlpack__(max_version=(0, 8))), b"dltensor")
        if np.lib.NumpyVersion(np.__version__) >= "2.1.0":  # Older ones ask for no version.
            self.assertFalse(np.from_dlpack(frozen).flags.writeable)
        copied = frozen.__dlpack__(copy=True)
        self.assertEqual(_foreign._capsule_name(copied), b"dltensor")
        self.assertEqual(frozen.__dlpack_device__(), (1, 0))

    def test_refusals(self):
        frozen, bf16 = stride.array(bytes(8)), stride.empty("f8e4m3fn", (3,))
        field = stride.array(np.zeros(3, "u1,f8")["f1"])
        for sentence, given, asked in (
            ("read-only", frozen, {}),
            ("read-only", frozen, {"max_version": (0, 9)}),
            ("streams", frozen, {"stream": 1}),
            ("the CPU's", frozen, {"dl_device": (2, 0)}),
            ("at any byte", field, {"max_version": (1, 0)}),
            ("has no word for f32:swapped", stride.empty("f32:swapped", (2,)), {}),
            ("from version 1.1 on", bf16, {"max_version": (1, 0)}),
            ("from version 1.1 on", bf16, {}),
        ):
            with self.assertRaisesRegex(BufferError, sentence):
                given.__dlpack__(**asked)

    def test_memory_is_held_as_long_as_it_is_seen(self):
        for way in ("consumed", "not consumed", "refused"):
            memory = bytearray(8)
            held = np.from_dlpack(stride.array(memory)) if way == "consumed" else stride.array(memory).__dlpack__()
            self.assertRaises(BufferError, memory.append, 1)
            if way == "refused":
                # The capsule goes while the exception of numpy.from_dlpack is on its way.
                held = stride.array(memory).reinterpret("bytes4")
                with self.assertRaisesRegex((RuntimeError, BufferError), "Unsupported"):
                    np.from_dlpack(held)
            del held
            memory.append(1)

    def test_other_threads_and_many(self):
        memory = bytearray(8)
        seen = [np.from_dlpack(stride.array(memory)) for _ in range(100)]
        thread = threading.Thread(target=seen.clear)
        thread.start()
        thread.join()
        memory.append(1)


class Foreign:
    """Somebody's array that has DLPack alone."""

    def __init__(self, of):
        self._of = of

    def __dlpack__(self, **asked):
        return self._of.__dlpack__(**asked)

    def __dlpack_device__(self):
        return self._of.__dlpack_device__()


@unittest.skipUnless(sys.version_info >= (3, 12), "Python asks for __buffer__ from 3.12 on")
class Buffers(unittest.TestCase):
    def test_numbers(self):
        for code in CODES:
            for order in "=S":
                numbers = np.arange(24).astype(np.dtype(code).newbyteorder(order)).reshape(4, 6)[::-1, ::2]
                seen = np.asarray(memoryview(stride.array(numbers)))
                self.assertEqual((seen.dtype, seen.shape, seen.strides), (numbers.dtype, (4, 3), numbers.strides))
                np.testing.assert_array_equal(seen, numbers)
        self.assertEqual(memoryview(stride.empty("s32", ())).shape, ())
        field = np.zeros(3, "u1,f8")["f1"]
        self.assertEqual(memoryview(stride.array(field)).strides, (9,))

    def test_memory_is_held_and_read_only_memory_is_not_written(self):
        memory = bytearray(8)
        view = memoryview(stride.array(memory)[::2])
        self.assertRaises(BufferError, memory.append, 1)
        view[1] = 7
        self.assertEqual(memory[2], 7)
        view.release()
        memory.append(1)
        self.assertTrue(memoryview(stride.array(bytes(8))).readonly)
        self.assertRaisesRegex(TypeError, "bytes-like", io.BytesIO(b"abc").readinto, stride.array(bytes(3)))

    def test_what_has_no_format(self):
        for name in ("bf16", "uint4", "bytes12"):
            self.assertRaisesRegex(BufferError, f"no word for {name}", memoryview, stride.empty(name, (2,)))
        self.assertEqual(np.asarray(stride.array(np.zeros(2, "V4"))).dtype, "V4")


@unittest.skipUnless(torch, "PyTorch is not installed")
class Torch(unittest.TestCase):
    def test_tensors(self):
        t = torch.arange(120, dtype=torch.float32).reshape(2, 3, 4, 5)
        if new_capsule is not None:
            given = stride.array(t).permute(0, 2, 3, 1)[1:, :, ::2]
            seen = torch.from_dlpack(given)
            self.assertTrue(torch.equal(seen, t.permute(0, 2, 3, 1)[1:, :, ::2]))
            t += 1
            self.assertTrue(torch.equal(seen, t.permute(0, 2, 3, 1)[1:, :, ::2]))
            self.assertEqual(torch.from_dlpack(stride.empty("bf16", (2,))).dtype, torch.bfloat16)
        for view in (
            t,
            t.permute(2, 0, 3, 1),
            t[:, 1:, ::2],
            t.expand(2, 2, 3, 4, 5),
            t[0, 0, 0, 0],
            t[:0],
            t[1, 2:],
        ):
            found = stride.array(view)
            self.assertEqual(
                (found.shape, found.address + 4 * found.offset if view.numel() else 0),
                (tuple(view.shape), view.data_ptr() if view.numel() else 0),
            )
            self.assertEqual(found.tobytes(), view.contiguous().numpy().tobytes())

    def test_dtypes(self):
        for dtype in (
            torch.bool,
            torch.uint8,
            torch.int8,
            torch.int16,
            torch.int32,
            torch.int64,
            torch.float16,
            torch.bfloat16,
            torch.float32,
            torch.float64,
            torch.complex64,
            torch.complex128,
        ):
            t = torch.zeros((2, 3), dtype=dtype)
            self.assertEqual(stride.array(t).dtype, stride.dtype(dtype))

    def test_copies_and_helpers(self):
        src = torch.randn(3, 5, 7).to(torch.bfloat16)
        dst = torch.empty(7, 5, 3, dtype=torch.bfloat16)
        stride.copy(dst, src.permute(2, 1, 0))
        self.assertTrue(torch.equal(dst, src.permute(2, 1, 0)))
        made = stride.to_channels_last(src)
        self.assertIsInstance(made, torch.Tensor)
        self.assertTrue(made.is_contiguous() and torch.equal(made, src.permute(1, 2, 0)))
        permuted = stride.asfortran(src)
        self.assertTrue(torch.equal(permuted, src))
        self.assertEqual(permuted.stride(), (1, 3, 15))
        a = np.zeros((3, 5), "f4")
        stride.copy(a, torch.ones(5, 3).T)
        self.assertTrue((a == 1).all())

    def test_refused(self):
        self.assertRaisesRegex((BufferError, RuntimeError), "grad", stride.array, torch.zeros(2, requires_grad=True))
        self.assertRaisesRegex(
            (BufferError, RuntimeError, TypeError),
            "onjugate",
            stride.array,
            torch.zeros(2, dtype=torch.complex64).conj(),
        )
        self.assertRaisesRegex((TypeError, ValueError), "meta", stride.array, torch.zeros(2, device="meta"))


@unittest.skipUnless(jax, "JAX is not installed")
class Jax(unittest.TestCase):
    def test_arrays(self):
        for dtype in ("float32", "bfloat16", "int8", "bool"):
            x = jax.numpy.arange(24).reshape(2, 3, 4).astype(dtype)
            found = stride.array(x)
            self.assertEqual((found.dtype, found.shape, found.readonly), (stride.dtype(dtype), (2, 3, 4), True))
            self.assertEqual(found.tobytes(), np.asarray(x).tobytes())
            dst = np.empty((4, 3, 2), np.asarray(x).dtype)
            stride.copy(dst, found.T)
            np.testing.assert_array_equal(dst, np.asarray(x).T)

    def test_they_are_not_written(self):
        for dtype in ("float32", "bfloat16"):
            x = jax.numpy.zeros(3, dtype)
            self.assertRaisesRegex(ValueError, "dst is read-only", stride.copy, x, np.ones(3, np.asarray(x).dtype))


if __name__ == "__main__":
    unittest.main()
