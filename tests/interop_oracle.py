#!/usr/bin/env python3
"""Real arrays as the oracle of stride_interop.h: Python's buffers, NumPy's type strings, DLPack with NumPy, JAX and
PyTorch, ggml's own table of types.

    python3 tests/interop_oracle.py path/to/libstride.so [seed]

Both ways. In: an array gives its Py_buffer or DLTensor, the library reads it, and the layout must say what the array
says of itself. Out: the library writes a DLTensor, and NumPy, JAX or PyTorch must read the elements where the layout
has them. Packages that are not there are skipped. What a package refuses (PyTorch: negative strides) is counted, not
wrong.
"""

import array
import collections
import ctypes
import importlib
import math
import os
import random
import sys

from structs import raw

os.environ.setdefault("JAX_PLATFORMS", "cpu")


def found(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"skipped: {name} is missing")
        return None


np, jax, torch, gguf = (found(name) for name in ("numpy", "jax", "torch", "gguf"))
if jax:
    jax.config.update("jax_enable_x64", True)
    import jax.dlpack
    import jax.numpy

LIBRARY = ctypes.CDLL(os.path.abspath(sys.argv[1]))
RANDOM = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
COUNTS = collections.Counter()
I64 = ctypes.POINTER(ctypes.c_int64)


class Layout(raw.Layout):
    def shape(self):
        return tuple(self.sizes[:self.rank])

    def steps(self):
        return tuple(self.strides[:self.rank])


class PyBuffer(ctypes.Structure):
    """Py_buffer, from Include/pybuffer.h."""

    _fields_ = [("buf", ctypes.c_void_p), ("obj", ctypes.c_void_p), ("len", ctypes.c_ssize_t), ("itemsize", ctypes.c_ssize_t),
                ("readonly", ctypes.c_int), ("ndim", ctypes.c_int), ("format", ctypes.c_char_p),
                ("shape", ctypes.POINTER(ctypes.c_ssize_t)), ("strides", ctypes.POINTER(ctypes.c_ssize_t)),
                ("suboffsets", ctypes.POINTER(ctypes.c_ssize_t)), ("internal", ctypes.c_void_p)]


class DLTensor(ctypes.Structure):
    """From dlpack.h, as are the two below."""

    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", I64), ("strides", I64),
                ("byte_offset", ctypes.c_uint64)]


class DLManagedTensor(ctypes.Structure):
    _fields_ = [("tensor", DLTensor), ("manager_ctx", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class DLManagedTensorVersioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("manager_ctx", ctypes.c_void_p),
                ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", DLTensor)]


class Failure(Exception):
    """The library and the oracle disagree."""


def check(what, got, expected):
    if got != expected:
        raise Failure(f"{what}: libstride says {got!r}, the oracle {expected!r}")


def call(name, *arguments):
    """The status; structs go by reference."""
    convert = lambda of: ctypes.byref(of) if isinstance(of, ctypes.Structure) else of
    return getattr(LIBRARY, f"stride_{name}")(*[convert(of) for of in arguments], None)


def ok(name, *arguments):
    check(f"status of {name}", call(name, *arguments), 0)


def named(text):
    """The dtype of libstride's name."""
    out = ctypes.c_uint32()
    ok("dtype_parse", text.encode(), ctypes.c_uint64(len(text)), ctypes.byref(out))
    return out.value


NAMES = {"?": "pred", "b": "s8", "h": "s16", "i": "s32", "q": "s64", "B": "u8", "H": "u16", "I": "u32", "Q": "u64", "e": "f16",
         "f": "f32", "d": "f64", "Zf": "c64", "Zd": "c128"}
DTYPES = {"bool": "pred", "int8": "s8", "int16": "s16", "int32": "s32", "int64": "s64", "uint8": "u8", "uint16": "u16", "uint32": "u32",
          "uint64": "u64", "float16": "f16", "float32": "f32", "float64": "f64", "complex64": "c64", "complex128": "c128"}

API = ctypes.pythonapi
API.PyObject_GetBuffer.argtypes = [ctypes.py_object, ctypes.POINTER(PyBuffer), ctypes.c_int]
API.PyBuffer_Release.argtypes = [ctypes.POINTER(PyBuffer)]
API.PyCapsule_GetPointer.restype = ctypes.c_void_p
API.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
API.PyCapsule_IsValid.argtypes = [ctypes.py_object, ctypes.c_char_p]
API.PyCapsule_New.restype = ctypes.py_object
API.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
SIMPLE, SHAPED, FULL = 0, 0x8, 0x11C  # PyBUF_SIMPLE, PyBUF_ND, PyBUF_FULL_RO


# --- Python's buffers -------------------------------------------------------------------------------------------------


def layout_of_buffer(of, flags=FULL):
    """The layout of an object's buffer, asked for with these flags; the status and the item size too."""
    view, out = PyBuffer(), Layout()
    API.PyObject_GetBuffer(of, ctypes.byref(view), flags)
    try:
        return call("layout_from_py_buffer", view, out), out, view.itemsize
    finally:
        API.PyBuffer_Release(ctypes.byref(view))


def check_view(view):
    """A memoryview says of itself what its buffer must say."""
    status, layout, itemsize = layout_of_buffer(view)
    check("status of layout_from_py_buffer", status, 0)
    check("sizes", layout.shape(), view.shape)
    check("strides in bytes", tuple(step * itemsize for step in layout.steps()), view.strides)
    letters = view.format.lstrip("@=<")
    if letters in NAMES:
        check("dtype", layout.dtype, named(NAMES[letters]))
    elif letters in ("l", "L"):
        check("dtype", layout.dtype, named(("s" if letters == "l" else "u") + str(8 * itemsize)))
    else:
        check("dtype", layout.dtype, 0x80000000 | itemsize)
    COUNTS["buffers"] += 1


def some_slice(size):
    return slice(None, None, RANDOM.choice([1, 1, 2, -1, -2, 3])) if size else slice(None)


def python_buffers():
    for letter in "bBhHiIlLqQfd":
        check_view(memoryview(array.array(letter, range(24)))[some_slice(24)])
    for letter in "bBhHiIlLqQfd?c":
        whole = memoryview(bytearray(96))
        for rows in (1, 2, 3, 4):
            width = memoryview(bytearray(96)).cast(letter).itemsize
            check_view(whole.cast(letter, (rows, 96 // width // rows)) if 96 // width % rows == 0 else whole.cast(letter))
    for size in range(5):
        for step in (1, 2, -1, -3):
            check_view(memoryview(bytes(size))[::step])

    class Record(ctypes.Structure):
        _fields_ = [("x", ctypes.c_float), ("y", ctypes.c_double)]

    for of in ((Record * 5)(), (ctypes.c_int16 * 3 * 2)(), ctypes.c_double(1.5), (ctypes.c_double * 0)()):
        check_view(memoryview(of))
    # Without sizes asked for, a buffer is its bytes; without a format, items of so many bytes.
    for flags, of, expected in ((SIMPLE, b"abcde", (named("u8"), (5,))), (SIMPLE, array.array("d", [1, 2]), (named("u8"), (16,))),
                                (SHAPED, array.array("d", [1, 2]), (0x80000008, (2,)))):
        _, layout, _ = layout_of_buffer(of, flags)
        check("a simple buffer", (layout.dtype, layout.shape(), layout.steps()), (*expected, (1,)))
    # The other byte order is a flag of the dtype.
    swapped = (ctypes.c_int32.__ctype_be__ if sys.byteorder == "little" else ctypes.c_int32.__ctype_le__) * 3
    status, layout, _ = layout_of_buffer(swapped())
    check("the other byte order", (status, layout.dtype), (0, named("s32") | 0x20000000))


def numpy_view(dtype):
    """Any view of a NumPy array: permuted, sliced, mirrored, repeated, with dimensions of 1 and 0."""
    sizes = [RANDOM.choice([1, 1, 2, 3, 4, 5]) if RANDOM.random() > 0.05 else 0 for _ in range(RANDOM.randrange(5))]
    of = np.arange(math.prod(sizes)).astype(dtype).reshape(sizes)
    of = of.transpose(RANDOM.sample(range(of.ndim), of.ndim))
    of = of[(..., *(some_slice(size) for size in of.shape))]  # The dots keep it an array if it has no dimensions.
    if RANDOM.random() < 0.2:
        of = np.broadcast_to(of, (RANDOM.choice([1, 3]), *of.shape))
    return of


def numpy_buffers():
    dtypes = [*DTYPES, "S5", "V12", [("x", "f4"), ("y", "i2")]]
    for _ in range(1500):
        of = numpy_view(RANDOM.choice(dtypes))
        status, layout, itemsize = layout_of_buffer(of)
        check("status of layout_from_py_buffer", status, 0)
        check("item size", itemsize, of.itemsize)
        check("sizes", layout.shape(), of.shape)
        check("dtype", layout.dtype, named(DTYPES[of.dtype.name]) if of.dtype.name in DTYPES else 0x80000000 | of.itemsize)
        if of.size:
            index = tuple(size - 1 for size in of.shape)
            check("the last element", sum(i * step for i, step in zip(index, layout.steps())) * itemsize, sum(i * step for i, step in zip(index, of.strides)))
        COUNTS["NumPy buffers"] += 1


def numpy_type_strings():
    for name in [*DTYPES, "S5", "U3", "V12", "M8[ns]", "m8[s]", "longdouble", "clongdouble", [("x", "f4"), ("y", "i2")]]:
        dtype = np.dtype(name)
        out, text, length = ctypes.c_uint32(), ctypes.create_string_buffer(20), ctypes.c_uint64()
        ok("dtype_from_typestr", dtype.str.encode(), ctypes.c_uint64(len(dtype.str)), ctypes.byref(out))
        known = isinstance(name, str) and name in DTYPES
        check(f"dtype of {dtype.str}", out.value, named(DTYPES[name]) if known else 0x80000000 | dtype.itemsize)
        ok("dtype_to_typestr", out.value, text, ctypes.c_uint64(20), ctypes.byref(length))
        check(f"type string of {dtype}", np.dtype(text.value.decode()), dtype if known else np.dtype(f"V{dtype.itemsize}"))
        foreign = dtype.newbyteorder()
        if foreign != dtype and known:
            ok("dtype_from_typestr", foreign.str.encode(), ctypes.c_uint64(len(foreign.str)), ctypes.byref(out))
            check(foreign.str, out.value, named(DTYPES[name]) | 0x20000000)
            ok("dtype_to_typestr", out.value, text, ctypes.c_uint64(20), ctypes.byref(length))
            check(f"type string of {foreign}", np.dtype(text.value.decode()), foreign)
        COUNTS["type strings"] += 1


# --- DLPack -----------------------------------------------------------------------------------------------------------


def layout_of_capsule(capsule):
    """The layout of what `__dlpack__` gave, and the address that it counts from. The capsule keeps its tensor."""
    out = Layout()
    if API.PyCapsule_IsValid(capsule, b"dltensor_versioned"):
        of = DLManagedTensorVersioned.from_address(API.PyCapsule_GetPointer(capsule, b"dltensor_versioned"))
        status = call("layout_from_dlpack_versioned", of, out)
        COUNTS["versioned capsules"] += 1
    else:
        of = DLManagedTensor.from_address(API.PyCapsule_GetPointer(capsule, b"dltensor"))
        status = call("layout_from_dlpack", of.tensor, out)
        COUNTS["capsules"] += 1
    check("status of layout_from_dlpack", status, 0)
    return out, of.tensor.data


def check_capsule(capsule, address, shape, byte_strides, dtype, bits):
    layout, base = layout_of_capsule(capsule)
    width = bits // 8
    check("dtype", layout.dtype, named(dtype))
    check("sizes", layout.shape(), tuple(shape))
    if math.prod(shape):
        check("address of the first element", (base or 0) + layout.offset * width, address)
        steps = [(got * width, expected) for got, expected, size in zip(layout.steps(), byte_strides, shape) if size > 1]
        check("strides", [got for got, _ in steps], [expected for _, expected in steps])


def numpy_into_layouts():
    for _ in range(1500):
        of = numpy_view(RANDOM.choice([*DTYPES]))
        versions = [{}] + ([{"max_version": (1, 0)}] if int(np.__version__.split(".")[0]) >= 2 else [])
        for keywords in versions:
            try:
                capsule = of.__dlpack__(**keywords)
            except BufferError:
                COUNTS["refused by NumPy"] += 1  # Read-only arrays, in the older form.
                continue
            check_capsule(capsule, of.ctypes.data, of.shape, of.strides, DTYPES[of.dtype.name], 8 * of.itemsize)


def jax_into_layouts():
    for name in DTYPES:
        for shape in ((), (3,), (2, 3), (4, 1, 5), (0, 3)):
            of = jax.numpy.asarray(np.arange(math.prod(shape)).reshape(shape).astype(name))
            expected = np.asarray(of)
            check_capsule(of.__dlpack__(), of.unsafe_buffer_pointer(), shape, expected.strides, DTYPES[name], 8 * expected.itemsize)
    for name in ("bfloat16", "float8_e4m3fn", "float8_e5m2"):
        of = jax.numpy.zeros((2, 3), name)
        try:
            capsule = of.__dlpack__()
        except Exception:
            COUNTS["refused by JAX"] += 1
            continue
        short = {"bfloat16": "bf16", "float8_e4m3fn": "f8e4m3fn", "float8_e5m2": "f8e5m2"}[name]
        width = of.dtype.itemsize
        check_capsule(capsule, of.unsafe_buffer_pointer(), (2, 3), (3 * width, width), short, 8 * width)


def torch_into_layouts():
    names = {**DTYPES, "bfloat16": "bf16"}
    for _ in range(600):
        name = RANDOM.choice(list(names))
        sizes = [RANDOM.choice([0, 1, 2, 3, 4]) for _ in range(RANDOM.randrange(4))]
        of = torch.zeros(sizes, dtype=getattr(torch, name))
        of = of.permute(RANDOM.sample(range(of.ndim), of.ndim))
        for dimension in range(of.ndim):
            if of.shape[dimension] > 1 and RANDOM.random() < 0.3:
                of = of.narrow(dimension, 1, of.shape[dimension] - 1)
        try:
            capsule = torch.utils.dlpack.to_dlpack(of)
        except (BufferError, RuntimeError):
            COUNTS["refused by PyTorch"] += 1
            continue
        strides = [step * of.element_size() for step in of.stride()]
        check_capsule(capsule, of.data_ptr(), of.shape, strides, names[name], 8 * of.element_size())


# JAX calls it without asking whether there is one. The memory is Python's, so there is nothing to free.
DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda managed: None)


class Producer:
    """A layout over memory, given away as DLPack wants it."""

    def __init__(self, layout, memory, versioned):
        rank = layout.rank
        self.shape, self.strides = (ctypes.c_int64 * max(rank, 1))(), (ctypes.c_int64 * max(rank, 1))()
        self.managed = (DLManagedTensorVersioned if versioned else DLManagedTensor)()
        self.name = b"dltensor_versioned" if versioned else b"dltensor"
        self.managed.deleter = ctypes.cast(DELETER, ctypes.c_void_p).value
        tensor = self.managed.tensor
        tensor.data, tensor.device_type = memory.ctypes.data, 1
        if versioned:
            self.managed.major, self.managed.minor = 1, 0
        ok("layout_to_dlpack", layout, rank, self.shape, self.strides, tensor)
        self.memory = memory

    def __dlpack__(self, **_):
        return API.PyCapsule_New(ctypes.addressof(self.managed), self.name, None)

    def __dlpack_device__(self):
        return (1, 0)


def some_layout(memory, negative):
    """A layout over this memory, f32, and the same as a NumPy view."""
    sizes = [RANDOM.choice([1, 2, 3, 4]) for _ in range(RANDOM.randrange(4))]
    steps = [RANDOM.randrange(-4 if negative else 0, 9) for _ in sizes]
    lowest = sum(min(0, (size - 1) * step) for size, step in zip(sizes, steps))
    layout = Layout(named("f32"), len(sizes), RANDOM.randrange(8) - lowest)
    layout.sizes[:len(sizes)], layout.strides[:len(sizes)] = sizes, steps
    view = np.lib.stride_tricks.as_strided(memory[layout.offset:], sizes, [4 * step for step in steps])
    return layout, view


def layouts_into(name, read, count, negative=True):
    """Every element that the package reads must be the one that the layout names."""
    memory = np.arange(1000, dtype=np.float32)
    for number in range(count):
        layout, view = some_layout(memory, negative)
        producer = Producer(layout, memory, number % 2 == 0)
        try:
            got = read(producer)
        except Exception as error:  # Each package has its own.
            COUNTS[f"refused by {name}"] += 1
            if COUNTS[f"refused by {name}"] == 1:
                print(f"{name} refuses, for example: {str(error).splitlines()[0][:100]}")
            continue
        check(f"sizes in {name}", tuple(got.shape), view.shape)
        check(f"elements in {name}", np.asarray(got).tolist(), view.tolist())
        COUNTS[f"into {name}"] += 1
        KEPT.append(producer)  # As long as the array, of whose end nobody tells.


KEPT = []


def dense_into_jax():
    """JAX takes dense arrays: any order of the dimensions, at an offset of whole cache lines."""
    memory = np.zeros(4096, np.float32)
    start = (-memory.ctypes.data % 64) // 4
    memory[:] = np.arange(4096) - start
    for _ in range(60):
        sizes = [RANDOM.choice([2, 3, 4]) for _ in range(RANDOM.randrange(1, 4))]
        order, layout, step = RANDOM.sample(range(len(sizes)), len(sizes)), Layout(named("f32"), len(sizes)), 1
        layout.offset = start + 16 * RANDOM.randrange(8)
        for at in order:
            layout.sizes[at], layout.strides[at], step = sizes[at], step, step * sizes[at]
        view = np.lib.stride_tricks.as_strided(memory[layout.offset:], sizes, [4 * layout.strides[at] for at in range(len(sizes))])
        producer = Producer(layout, memory, False)
        try:
            got = jax.dlpack.from_dlpack(producer)
        except Exception as error:
            COUNTS["refused by JAX"] += 1
            if COUNTS["refused by JAX"] == 1:
                print(f"JAX refuses, for example: {str(error).splitlines()[0][:100]}")
            continue
        check("elements in JAX", np.asarray(got).tolist(), view.tolist())
        COUNTS["into JAX"] += 1
        KEPT.append(producer)


# --- ggml -------------------------------------------------------------------------------------------------------------


def ggml_types():
    """gguf's table of block sizes. It counts 4 bytes for the two halves of Q8_1 that ggml-common.h has 2 bytes for."""
    for number, (elements, size) in gguf.GGML_QUANT_SIZES.items():
        dtype, block = ctypes.c_uint32(), ctypes.c_uint32()
        status = call("dtype_from_ggml", int(number), ctypes.byref(dtype), ctypes.byref(block))
        if status != 0:
            COUNTS["ggml types not known here"] += 1
            print(f"note: gguf has the type {number.name}, which is not known here")
            continue
        bits = ctypes.c_uint32()
        ok("dtype_bits", dtype.value, ctypes.byref(bits))
        size = 36 if number.name == "Q8_1" else size
        check(f"elements and bytes of {number.name}", (block.value, bits.value // 8), (elements, size))
        COUNTS["ggml types"] += 1


def main():
    python_buffers()
    if np:
        numpy_buffers()
        numpy_type_strings()
        numpy_into_layouts()
        layouts_into("NumPy", np.from_dlpack, 800)
    if np and jax:
        jax_into_layouts()
        dense_into_jax()
    if np and torch:
        torch_into_layouts()
        layouts_into("PyTorch", torch.from_dlpack, 400, negative=False)
        layouts_into("PyTorch", torch.from_dlpack, 50)
    if gguf:
        ggml_types()
    # Of what each package may refuse, most is not refused.
    least = {"into NumPy": 400 if np else 0, "into JAX": 30 if np and jax else 0, "into PyTorch": 200 if np and torch else 0,
             "ggml types": 30 if gguf else 0}
    for what, count in least.items():
        if COUNTS[what] < count:
            sys.exit(f"only {COUNTS[what]} {what}, where {count} are the least")
    print("interop oracle:", ", ".join(f"{count} {what}" for what, count in COUNTS.items()))


if __name__ == "__main__":
    main()
