"""Copies, held against numpy.copyto."""

import array
import ctypes
import gc
import itertools
import os
import pickle
import queue
import random
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings
from unittest import mock

import ml_dtypes
import numpy as np

import stride
from stride import Layout, Plan, _native

SECONDS_OF_A_HANG = 600  # what takes so long waits for something that does not come
OTHER_ORDER = ">" if sys.byteorder == "little" else "<"

CODES = [
    *"?bBhHiIqQefdgFD",
    "V3",
    "V12",
    "S5",
    "U2",
    "M8[s]",
    "m8[ns]",
    "f4,i2",
    ml_dtypes.bfloat16,
    ml_dtypes.float8_e4m3fn,
]


def others_run_during(job, times, sees=lambda: True):
    """Whether another thread runs Python during `job` while `sees()` holds; `job` runs at most `times` times. No thread
    is made to release the GIL, so the other one runs only where the job releases it."""
    rounds, seen, interval = queue.SimpleQueue(), [], sys.getswitchinterval()

    def other():
        while rounds.get():
            if sees():
                seen.append(True)

    thread = threading.Thread(target=other)
    sys.setswitchinterval(10_000)
    try:
        thread.start()
        for _ in range(times):
            rounds.put(True)
            job()
            if seen:
                return True
        return False
    finally:
        rounds.put(False)
        sys.setswitchinterval(interval)
        thread.join()


def drawn(draw, shape, dtype):
    """An array of this shape with a random way to lie in memory, and that memory with random bytes."""
    order = list(range(len(shape)))
    draw.shuffle(order)
    steps = [draw.choice((1, 1, 1, 2, 3)) for _ in shape]
    extra = [draw.choice((0, 0, 1)) for _ in shape]
    whole = [shape[axis] * steps[axis] + extra[axis] for axis in order]
    dtype = np.dtype(dtype)
    memory = bytearray(draw.randbytes(int(np.prod(whole)) * dtype.itemsize))
    array = np.frombuffer(memory, "u1").view(np.dtype(("V", dtype.itemsize))).view(dtype).reshape(whole)
    array = array.transpose(np.argsort(order))
    for axis in range(len(shape)):
        part = [slice(None)] * len(shape)
        part[axis] = slice(extra[axis], None, steps[axis])
        array = array[tuple(part)]
        if draw.random() < 0.3:
            part[axis] = slice(None, None, -1)
            array = array[tuple(part)]
    assert array.shape == tuple(shape), (array.shape, shape)
    return array, memory


def twin(array, memory):
    """The same array over a copy of its memory."""
    copied = bytearray(memory)
    if not array.size:
        return array.copy(), copied
    start = array.__array_interface__["data"][0] - np.frombuffer(memory, "u1").__array_interface__["data"][0]
    return np.ndarray(array.shape, array.dtype, copied, start, array.strides), copied


class Quick(unittest.TestCase):
    """The short way of small copies answers as the long one does."""

    def both(self, dst, src):
        """What `stride.copy` does with the short way, and whether that took it; the long way does the same."""
        made = []
        for quick in (_native.quick_copy, _native.never):
            taken = []
            memory = bytearray(dst.nbytes) if isinstance(dst, np.ndarray) else None
            to = dst.copy() if memory is None else np.frombuffer(memory, dst.dtype).reshape(dst.shape)

            def watched(*sides):
                taken.append(quick(*sides))
                return taken[-1]

            with mock.patch("stride._copy.quick_copy", watched):
                try:
                    stride.copy(to, src)
                    made.append((to.tobytes() if memory is None else bytes(memory), taken[0]))
                except Exception as problem:
                    made.append((type(problem), str(problem), taken[0]))
        self.assertEqual(made[0][:-1], made[1][:-1])
        return made[0][-1]

    @unittest.skipIf(_native.quick_copy is _native.never, "lib/native is not there")
    def test_what_it_takes(self):
        a = np.arange(24.0).reshape(4, 6)
        for dst, src in ((a, a), (a, a[::-1, ::-1]), (a.T, np.arange(24.0).reshape(6, 4)), (a, a[1]), (a, a[:1, :1]),
                         (np.zeros(0), np.ones(0)), (np.zeros(()), np.ones(())), (a > 1, a > 2), (a * 1j, a * 2j),
                         (a.astype("f2"), a.astype("f2")), (a.astype("l"), a.astype(f"i{np.dtype('l').itemsize}")),
                         (a.astype(OTHER_ORDER + "f4"), a.astype(OTHER_ORDER + "f4")),
                         (a, a.astype(OTHER_ORDER + "f8")), (a.astype(OTHER_ORDER + "c8"), a.astype("c8")[::-1]),
                         (np.zeros(3), np.ones(3, "u1,f8")["f1"]),
                         (np.zeros((2, 3)), np.ones((1, 3), "u1,>f8,<f8")["f1"][:, ::-1]),
                         (np.zeros((4, 3), "u1,>f8,<f8")["f2"].T, np.arange(24, dtype="<f8").reshape(6, 4)[::2]),
                         (np.zeros(3, "u1"), b"abc"), (np.zeros(3, "u1"), bytearray(b"abc")),
                         (np.zeros(3, "u1"), memoryview(b"abcdef")[::2]), (np.zeros(1 << 16), np.ones(1 << 16)),
                         (np.zeros(2, "i4"), array.array("i", (1, 2)))):
            stride.array(dst)  # NumPy's class has been met.
            self.assertTrue(self.both(dst, src), (dst.dtype, dst.shape))

    @unittest.skipIf(_native.quick_copy is _native.never, "lib/native is not there")
    def test_one_dtype(self):
        """What NumPy exports without a format goes the short way once its dtype has been met."""
        for dtype in map(np.dtype, (ml_dtypes.bfloat16, "M8[s]", "V3", "f4,i2", "U2")):
            src = np.frombuffer(bytes(range(6 * dtype.itemsize)), dtype).reshape(2, 3)
            dst = np.zeros((3, 2), dtype)
            stride.copy(dst, src.T)
            dst[:] = np.zeros((), dtype)
            self.assertTrue(_native.quick_copy(dst, src.T[::-1]), dtype)
            self.assertEqual(dst.tobytes(), src.T[::-1].tobytes())
            self.assertTrue(_native.quick_copy(dst, src.T[0]), dtype)
            self.assertFalse(_native.quick_copy(dst, src), dtype)
            self.assertFalse(_native.quick_copy(src.T, dst), dtype)  # src is read-only
        objects = np.zeros(2, "O")
        self.assertRaises(TypeError, stride.copy, objects, objects.copy())
        self.assertFalse(_native.quick_copy(objects, objects.copy()))

    def test_what_it_leaves(self):
        class Mine(np.ndarray):
            pass

        a = np.arange(24.0).reshape(4, 6)
        shared = np.lib.stride_tricks.as_strided(a, (4, 6), (0, 8))
        for dst, src in ((a, a.astype("f4")), (a, a[:3]), (a[0], a), (a, [1.0]),
                         (a, 1.0), (a, np.ma.array(a, mask=True)), (a, a.view(Mine)),
                         (np.zeros(2, "V4"), np.zeros(2, "S4")), (np.zeros(2, "S4"), np.zeros(2, "S4")),
                         (np.zeros(2, "V4"), np.zeros(2, "f4")), (np.zeros(2, "M8[s]"), np.zeros(2, "M8[ms]")),
                         (np.zeros(2, "M8[s]"), np.ones(2, "M8[s]")), (np.zeros(2, "f4,i2"), np.ones(2, "u4,i2")),
                         (np.zeros(3, "f4"), np.ones(3, "u1,i4")["f1"]), (np.zeros(3, "c8"), np.ones(3, "u1,>c8")["f1"]),
                         (a, a.astype(ml_dtypes.bfloat16)),
                         (a, stride.array(a)),
                         (np.zeros((1,) * 3), np.ones((1,) * 4)), (np.zeros(1 << 22), np.ones(1 << 22)),
                         (a, np.ones((4, 6), "i8")), (np.zeros(4, "u1"), np.ones(4, "i1")),
                         (np.zeros(4, "?"), np.ones(4, "u1"))):
            self.assertFalse(self.both(dst, src), (dst.dtype, dst.shape))
        for dst, src in ((shared, a), (np.broadcast_to(a, (2, 4, 6)), a), (bytes(3), b"abc"),
                         (memoryview(b"abc"), b"abc"), (np.zeros(2, "O"), np.zeros(2, "O")), (a[1:], a[:-1]),
                         (None, a)):
            self.assertFalse(_native.quick_copy(dst, src))
        np.testing.assert_array_equal(a, np.arange(24.0).reshape(4, 6))
        if _native.quick_copy is not _native.never:
            self.assertFalse(_native.quick_copy(a))
            self.assertRaises(TypeError, _native.quick_copy, a, src=a)

    def test_comparisons_and_fills(self):
        """They answer as the long way does, and are done here where both sides are numbers."""
        a = np.arange(24.0).reshape(4, 6)
        fields, none = np.zeros(4, "u1,f8"), _native.quick_compare is _native.never
        stride.array(a)  # NumPy's class has been met.
        for lhs, rhs, here in ((a, a.copy(), True), (a[:, ::-1], a, True), (a, a[:2], True), (a[:0], a[:0], True),
                               (fields["f1"], np.zeros(4), True), (fields["f1"], np.ones(4), True),
                               (b"abc", bytearray(b"abc"), True), (a > 5, a > 6, True),
                               (a, a.astype(OTHER_ORDER + "f8"), False), (a, a.astype("f4"), False), (a, [1.0], False),
                               (np.zeros(2, "M8[s]"), np.zeros(2, "M8[s]"), False)):
            self.assertEqual(_native.quick_compare(lhs, rhs) > 0, here and not none, (lhs, rhs))
            made = []
            for quick in (_native.quick_compare, _native.never):
                with mock.patch("stride._copy.quick_compare", quick):
                    try:
                        made.append(stride.equal(lhs, rhs))
                    except Exception as problem:
                        made.append((type(problem), str(problem)))
            self.assertEqual(made[0], made[1])
        frozen = np.zeros(2)
        frozen.flags.writeable = False
        for dst, value in ((a, 2), (a[::-1, ::2], -1.5), (a.astype(OTHER_ORDER + "f4"), 1.5), (a.astype("c16"), 1j),
                           (np.zeros(3, "u1"), b"a"), (np.zeros(3, "u1"), b"ab"), (np.zeros(3, "u1"), 256), (a, "x"),
                           (np.zeros(3, "M8[s]"), 1), (np.zeros(3, "M8[s]"), bytes(8)), (fields["f1"], 3.0),
                           (frozen, 1.0), (np.zeros(3, ml_dtypes.bfloat16), b"ab"), (np.zeros(2, "O"), 1)):
            made = []
            for quick in (_native.quick_fill, _native.never):
                to = dst.copy() if dst.flags.writeable else dst
                with mock.patch("stride._copy.quick_fill", quick):
                    try:
                        stride.fill(to, value)
                        made.append(to.tobytes())
                    except Exception as problem:
                        made.append((type(problem), str(problem)))
            self.assertEqual(made[0], made[1], (dst.dtype, value))
        if not none:
            self.assertEqual(_native.quick_fill(a, np.float64(3).tobytes()), 1)
            self.assertTrue((a == 3).all())

    def test_takes_and_ranges(self):
        """The short way answers as the long one does, and says which it took."""
        a, frozen = np.arange(24.0).reshape(4, 6), np.zeros((2, 6))
        frozen.flags.writeable = False
        here = _native.quick_take is not _native.never
        fields, bf16 = np.ones((4, 3), "u1,f8")["f1"], a.astype(ml_dtypes.bfloat16)
        stride.copy(np.zeros_like(bf16), bf16.copy())  # its dtype has been met
        for x, indices, axis, more, quick in (
            (a, [2, 0], 0, {}, True), (a, (5, -6, 3), -1, {}, True), (a, np.array([3, -4, 3], "i8"), 0, {}, True),
            (a, [1, None, 0], 1, {}, True), (a, [None], 0, {"fill": 2.5}, True), (a, [None], 0, {"fill": b"a"}, True),
            (a[:, ::-2].T, np.arange(-3, 3, dtype="i8"), 0, {}, True), (a, [], 0, {}, True),
            (bf16, [3, None], 0, {}, True),
            (a.astype("c16"), [1, None], 0, {}, True), (a.astype(OTHER_ORDER + "f8"), [1], 0, {}, True),
            (a, list(range(4)) * 40, 0, {}, True),
            (a, [1, 0], 0, {"out": np.zeros((2, 6))}, True), (a, [1, 0], 0, {"out": np.zeros((6, 2)).T}, True),
            (a, [1, None], 0, {"out": np.zeros((2, 6), OTHER_ORDER + "f8"), "fill": 3.0}, True),
            (a, np.arange(3, dtype="i4"), 0, {}, False), (a, np.arange(6)[::2], 1, {}, False),
            (a, range(2), 0, {}, False), (a, slice(1, 3), 0, {}, False), (a, [slice(1)], 0, {}, False),
            (a, [4], 0, {}, False), (a, [-5], 0, {}, False),
            (a, np.array([0, 4]), 0, {}, False), (a, np.array([-5]), 0, {}, False), (a, [0.5], 0, {}, False),
            (a, [0], 2, {}, False), (a, [0], "x", {}, False), (a, [None], 0, {"fill": "x"}, False),
            (a, [1, 0], 0, {"out": frozen}, False), (a, [1, 0], 0, {"out": np.zeros((2, 5))}, False),
            (a, [1, 0], 0, {"out": np.zeros((2, 6), "f4")}, False), (a, [1, 0], 0, {"out": a[:2]}, False),
            (fields, [1, 0], 0, {}, False), (a.astype("O"), [0], 0, {}, False), (a, [0], 0, {"threads": 1}, False),
        ):
            stride.array(np.zeros(1))  # NumPy's class has been met.
            made, case = [], (x.dtype, x.shape, indices, axis, more)
            for way in (_native.quick_take, _native.never):
                taken, given = [], x.copy() if np.shares_memory(more.get("out", 0), x) else x
                changed = {**more, "out": given[:2]} if given is not x else dict(more)

                def watched(*sides):
                    taken.append(way(*sides))
                    return taken[-1]

                with mock.patch("stride._copy.quick_take", watched):
                    try:
                        got = stride.take(given, indices, axis, **changed)
                        made.append((got.dtype, got.shape, got.tobytes(), any(taken)))
                    except Exception as problem:
                        made.append((type(problem), str(problem), any(taken)))
            self.assertEqual(made[0][:-1], made[1][:-1], case)
            self.assertEqual(made[0][-1], here and quick, case)
        for dst, src, count, dst_first, src_first, quick in (
            (np.zeros(8), a, 5, 1, 2, True), (np.zeros(24), a.T, None, 0, 0, True),
            (np.zeros((2, 3)).T, a, None, 0, 18, True), (np.zeros(3), a[::-1, ::-2], 3, 0, 4, True),
            (np.zeros(3), a.astype(OTHER_ORDER + "f8"), 3, 0, 4, True),
            (np.zeros(3), a, None, 0, 0, False), (np.zeros(3), a, 4, 0, 0, False), (np.zeros(3), a, 1, -1, 0, False),
            (np.zeros(3), a, -1, 0, 0, False), (np.zeros(3), a, 1.0, 0, 0, False), (np.zeros(3, "f4"), a, 1, 0, 0, False),
            (a[0], a, 5, 1, 0, False), (np.zeros(3), fields, 3, 0, 0, False), (frozen, a, 1, 0, 0, False),
        ):
            made = []
            for way in (_native.quick_range, _native.never):
                taken, to = [], dst.copy() if dst.flags.writeable else dst

                def watched(*sides):
                    taken.append(way(*sides))
                    return taken[-1]

                with mock.patch("stride._copy.quick_range", watched):
                    of = to if np.shares_memory(dst, src) else src
                    try:
                        stride.copy_range(to, of, count, dst_first=dst_first, src_first=src_first)
                        made.append((to.tobytes(), any(taken)))
                    except Exception as problem:
                        made.append((type(problem), str(problem), any(taken)))
            self.assertEqual(made[0][:-1], made[1][:-1], (dst.shape, src.shape, count, dst_first, src_first))
            self.assertEqual(made[0][-1], here and quick, (dst.shape, src.shape, count, dst_first, src_first))

    def test_plans(self):
        """The short way runs a plan where the long one does, on the same bytes, and leaves the rest."""
        a = np.arange(24.0).reshape(4, 6)
        flat, small = np.arange(48.0).reshape(4, 12), np.arange(6, dtype="u1")
        for plan, dst, src, here in (
            (Plan(Layout("f64", (6, 4)), Layout.of(a.T)), np.zeros((6, 4)), a.T, True),
            (Plan(Layout("f64", (6, 4)), Layout.of(a.T)), bytearray(192), a.tobytes(), True),
            (Plan(Layout("f64", (6, 4)), Layout.of(a.T)), np.zeros((6, 4)), np.asfortranarray(a.T), True),
            (Plan(Layout("f64", (6, 4)), Layout.of(a.T)), np.zeros((6, 4)), a.T.copy(), False),
            (Plan(Layout("f64", (6, 4)), Layout.of(a.T)), np.zeros((6, 4), "f4"), a.T, False),
            (Plan(Layout("f64", (6, 4)), Layout.of(a.T)), bytearray(191), a.tobytes(), False),
            (Plan(Layout("f64", (6, 4)), Layout.of(a.T)), bytearray(192), bytes(191), False),
            (Plan(Layout("f64", (6, 4)), Layout.of(a.T)), bytes(192), a.tobytes(), False),
            (Plan(Layout("f64", (4, 6)), Layout.of(a[::-1, ::-1])), np.zeros((4, 6)), a[::-1, ::-1], True),
            (Plan(Layout("f64", (4, 6)), Layout.of(a[::-1, ::-1])), np.zeros((4, 6)), a.tobytes(), True),
            (Plan(Layout("f64", (4, 6)), Layout.of(flat)[:, 3:9]), np.zeros((4, 6)), flat[:, 3:9], True),
            (Plan(Layout("f64", (4, 6)), Layout.of(flat)[:, 3:9]), np.zeros((4, 6)), flat.tobytes(), True),
            (Plan(Layout("f64", (4, 6)), Layout("f64", (1, 6))), np.zeros((4, 6)), a[1:2], True),
            (Plan(Layout("f64", (4, 6)), Layout("f64", (6,))), np.zeros((4, 6)), a[1], True),
            (Plan(Layout("u8", (3, 2)), Layout("u8", (2, 3)).T), bytearray(6), small, True),
            (Plan(Layout("u8", (6,)), Layout("u8", (6,))[::-1]), bytearray(6), small[::-1], True),
            (Plan(Layout("f64", (2, 2), (3, 1)), Layout("f64", (2, 2)), fill=b"x"), bytearray(40), bytes(32), True),
            (Plan(Layout("f64", (2, 2), (3, 1)), Layout("f64", (2, 2)), fill=b"x"), np.zeros((2, 2)), bytes(32), False),
            (Plan(Layout("f64", (4, 6)), Layout("f64", (4, 6)), overlap=True), np.zeros((4, 6)), a, True),
        ):
            stride.array(a)
            made = []
            for quick in (_native.quick_execute, _native.never):
                taken = []
                to = np.zeros_like(dst) if isinstance(dst, np.ndarray) else type(dst)(dst)

                def watched(*given):
                    taken.append(quick(*given))
                    return taken[-1]

                with mock.patch("stride._plan.quick_execute", watched):
                    try:
                        plan.execute(to, src)
                        made.append((to.tobytes() if isinstance(to, np.ndarray) else bytes(to), any(taken)))
                    except Exception as problem:
                        made.append((type(problem), str(problem), any(taken)))
            self.assertEqual(made[0][:-1], made[1][:-1], plan)
            self.assertEqual(made[0][-1], here and _native.quick_execute is not _native.never, plan)
        other = pickle.loads(pickle.dumps(plan))
        self.assertEqual(other.nbytes, plan.nbytes)

    def test_claims_are_given_back(self):
        for src in (b"abc", b"abcd", np.zeros(3, "i1"), np.zeros((2, 3), "u1"), [1], None):
            memory = bytearray(3)
            _native.quick_copy(memory, src)
            memory.append(1)

    def test_others_run_during_a_larger_copy(self):
        if _native.quick_copy is _native.never or sys.platform == "win32":
            self.skipTest("lib/native is not there, or Windows schedules threads as it likes")

        def copies(rows):
            dst, src = np.zeros((rows, 300), "u1"), np.ones((300, rows), "u1").T
            stride.array(dst)
            return lambda: self.assertTrue(_native.quick_copy(dst, src))

        self.assertTrue(others_run_during(copies(700), 100_000))
        self.assertFalse(others_run_during(copies(7), 10_000))  # Giving it away would take longer than the copy.


class Garbage(unittest.TestCase):
    def left(self, job, times=300):
        """The objects that the collector finds after many runs of a job."""
        for _ in range(3):
            job()
        while gc.collect():
            pass
        gc.disable()
        try:
            for _ in range(times):
                job()
            return gc.collect()
        finally:
            gc.enable()

    def test_nothing_is_left_to_the_collector(self):
        a, big = np.arange(24.0).reshape(4, 6), np.zeros((4, 6), ml_dtypes.bfloat16)
        other = np.zeros_like(a)
        layout, view = Layout("f32", (4, 6)), stride.array(a)
        plan = Plan(layout, layout)

        def refused():
            try:
                stride.copy(a, a[:3])
            except stride.Error:
                pass

        many = np.zeros((5000, 1000), "u1")
        jobs = {
            "copy": (lambda: stride.copy(other, a), 10_000),
            "the long way": (lambda: stride.copy(big, big.copy()), 10_000),
            "broadcast": (lambda: stride.copy(other, view[1]), 1000),
            "shared": (lambda: stride.copy(a[1:], a[:-1]), 1000),
            "scratch": (lambda: stride.copy(view[:4, :4].T, view[:4, :4]), 300),
            "refused": (refused, 300),
            "views": (lambda: view.reshape(2, 2, 6)[::-1, 1:].window((1, 1, 2)).broadcast_dim(0, 2).T, 300),
            "questions": (lambda: (layout.dim_order, layout.byte_strides, layout.unravel(3), layout.why_not("tma"),
                                   str(layout), layout.compose(Layout("f32", (24,))),
                                   stride.elementwise_layout("u8", layout), layout.meets("any"),
                                   stride.broadcast_shapes((2, 1), (3,))), 300),
            "new": (lambda: (stride.transpose_copy(a), stride.ascontiguous(a.T), stride.take(a, (1, 0)),
                             view.tobytes()), 300),
            "plan": (lambda: (plan.execute(bytearray(96), bytes(96)), plan.regions(),
                              Plan(layout, layout).describe()), 300),
            "xla": (lambda: stride.xla.Shape("u8[3,3]{1,0:T(2,2)}").unpack(bytes(16)), 300),
            "blocks": (lambda: stride.blocks.Blocked("a/2 b a%2", "u8", (3, 2)).pack(np.zeros((3, 2), "u1")), 300),
            "images": (lambda: stride.images.planes("NV12", 4, 4).arrays(bytes(24)), 300),
            "numpy": (lambda: np.asarray(view), 300),
            "DLPack": (lambda: _native.new_capsule and np.from_dlpack(view), 300),
            "buffer": (lambda: sys.version_info >= (3, 12) and memoryview(view), 300),
            "threads": (lambda: stride.copy(many, many[::-1], threads=2), 20),
            "slabs": (lambda: stride.copy(other, a, slab_bytes=8, progress=lambda *done: True), 100),
        }
        for name, (job, times) in jobs.items():
            with self.subTest(name=name):
                self.assertEqual(self.left(job, times), 0)


class AgainstNumPy(unittest.TestCase):
    def test_ten_thousand_random_copies(self):
        draw = random.Random(16)
        kinds = {}
        for number in range(10_000):
            dtype = draw.choice(CODES)
            shape = [
                draw.choice((0, 1, 1, 2, 3, 4, 5, 7, 9) if draw.random() < 0.5 else (1, 2, 3, 4, 6, 17))
                for _ in range(draw.randint(0, 5))
            ]
            if draw.random() < 0.03:
                shape = [draw.randint(20, 90), draw.randint(20, 90)]
            dst, memory = drawn(draw, shape, dtype)
            narrow = [1 if draw.random() < 0.15 else size for size in shape]
            narrow = narrow[draw.choice((0, 0, 0, 1)) :] if narrow else [1] * draw.randint(0, 2)
            src, _ = drawn(draw, narrow, dtype)
            other, expected = twin(dst, memory)
            np.copyto(other, src if src.ndim <= dst.ndim else src.reshape(dst.shape))
            stride.copy(dst, src, threads=draw.choice((None, 1, 3)))
            # All of the memory, with what lies between the elements.
            case = (number, np.dtype(dtype), dst.shape, dst.strides, src.shape, src.strides)
            self.assertEqual(memory, expected, case)
            kind = (
                "empty"
                if dst.size == 0
                else "0-d" if dst.ndim == 0 else "broadcast" if dst.shape != src.shape else "same"
            )
            kinds[kind] = kinds.get(kind, 0) + 1
        self.assertTrue(all(kinds[kind] > 300 for kind in ("empty", "0-d", "broadcast", "same")), kinds)

    def test_fields_and_byte_orders(self):
        """Fields of records at any byte, in both byte orders, in and out, through random views of both sides."""
        picked = random.Random(57)
        codes = ["u1", "i2", "f2", "u4", "f4", "i8", "f8", "c8", "c16", "V3", "S5"]
        apart = swapped = 0

        def some(code, shape):
            """A field of records of random bytes; the records, and the field or a mirrored view of it."""
            padding = [(f"in front {k}", f"V{picked.randrange(1, 9)}") for k in range(picked.randrange(3))]
            dtype = np.dtype([*padding, ("it", code), ("after", f"V{picked.randrange(1, 12)}")])
            memory = bytearray(picked.randbytes(int(np.prod(shape)) * dtype.itemsize))
            records = np.ndarray(shape, dtype, memory)
            return memory, dtype, records["it"][(..., *(slice(None, None, picked.choice((1, -1))) for _ in shape))]

        for _ in range(20_000):
            shape = tuple(picked.choice((1, 2, 3, 5, 9, 0)) for _ in range(picked.randrange(4)))
            code = picked.choice(codes)
            orders = "||" if code[0] in "VS" else picked.choices("<>", k=2)
            (memory, dtype, dst), (_, _, src) = (some(order + code, shape) for order in orders)
            apart += bool(src.size > 1 and any(step % src.itemsize for step in src.strides))
            swapped += bool(dst.dtype != src.dtype and dst.size)
            # What lies around the field stays, and each number keeps its bits.
            expected = np.ndarray(shape, dtype, bytearray(memory))
            np.copyto(expected["it"][(..., *(slice(None, None, 1 if step >= 0 else -1) for step in dst.strides))],
                      src if dst.dtype == src.dtype else src.byteswap().view(dst.dtype))
            stride.copy(dst, src)
            case = (dst.dtype, dst.shape, dst.strides, src.dtype, src.strides)
            self.assertEqual(bytes(memory), expected.tobytes(), case)
            self.assertIsNone(stride.first_difference(dst, src), case)
            self.assertEqual(stride.array(src).numpy().tobytes(), src.tobytes())
            self.assertEqual(stride.transpose_copy(src).tobytes(), src.T.tobytes(), case)
        self.assertGreater(min(apart, swapped), 4_000)

    def test_take(self):
        picked = random.Random(290)
        for _ in range(20_000):
            shape = [picked.choice((1, 2, 3, 4, 7, 0 if picked.random() < 0.1 else 5)) for _ in range(picked.randrange(1, 4))]
            axis = picked.randrange(-len(shape), len(shape))
            src, _ = drawn(picked, shape, picked.choice(("u1", "u1", "i2", "f4", "c16", "V3", ">f8")))
            size = src.shape[axis]
            count = picked.randrange(1, 9)
            indices = [picked.randrange(-size, size) if size and picked.random() < 0.85 else None for _ in range(count)]
            value = bytes(picked.randbytes(src.itemsize))
            expected = np.take(src, [0 if index is None else index for index in indices], axis) if size else np.zeros(
                [count if k == axis % len(shape) else n for k, n in enumerate(shape)], src.dtype)
            blank = [slice(None)] * src.ndim
            for number, index in enumerate(indices):
                if index is None:
                    blank[axis] = number
                    expected[tuple(blank)] = np.frombuffer(value, src.dtype)[0]
            case = (src.shape, src.strides, src.dtype, indices, axis)
            self.assertEqual(stride.take(src, indices, axis, fill=value).tobytes(), expected.tobytes(), case)
        # Where no fill is given, a new element is zeros, whatever its type.
        for code in ("u1", "f4", ">f8", "c16", "V2", "V20", "S3", "U2", "M8[s]", "g", "G", "f4,i2", "O"):
            for shape in ((1, 1), (2, 3), (2, 0)):
                src = np.ones(shape, "i4").astype(code) if code[0] not in "Vf" else np.ones(shape, code)
                if code == "O":
                    self.assertRaises(TypeError, stride.take, src, [None], 1)
                    continue
                made = stride.take(src, [None] + [0] * (shape[1] > 0), 1)
                self.assertEqual((made.dtype, made[:, 0].tobytes()), (src.dtype, bytes(shape[0] * src.itemsize)), code)
                self.assertEqual(made[:, 1:].tobytes(), src[:, :1].tobytes(), code)
        pixels = np.arange(400_000, dtype="u1").reshape(250, 400, 4)
        np.testing.assert_array_equal(stride.take(pixels, (2, 1, 0, 3)), pixels[..., [2, 1, 0, 3]])
        records = np.zeros((5, 4), [("a", "f8"), ("b", "i1")])
        records["a"] = np.arange(20).reshape(5, 4)
        np.testing.assert_array_equal(stride.take(records["a"], (3, 0, None), fill=9.0),
                                      np.c_[records["a"][:, [3, 0]], np.full(5, 9.0)])
        foreign = np.arange(6.0).astype(">f4").reshape(2, 3)
        out = np.empty((2, 4), "<f4")
        stride.take(foreign, (2, 0, None, 1), fill=7, out=out)
        np.testing.assert_array_equal(out, [[2, 0, 7, 1], [5, 3, 7, 4]])
        self.assertRaisesRegex(IndexError, "index 3 is outside a dimension of 3", stride.take, foreign, [3])
        rows = np.arange(12_000, dtype="u2").reshape(1000, 12)
        for chosen in (picked.choices(range(-1000, 1000), k=5000), np.arange(999, -1, -3), range(7, 1000, 2)):
            np.testing.assert_array_equal(stride.take(rows, chosen, 0), np.take(rows, list(chosen), 0))
            np.testing.assert_array_equal(stride.take(rows.T, chosen), np.take(rows.T, list(chosen), -1))
        self.assertRaises(ValueError, stride.take, foreign, [0], out=np.empty((2, 2), ">f4"))

    def test_ranges_and_other_shapes(self):
        picked = random.Random(472)
        for _ in range(20_000):
            numbers = [picked.choice((1, 2, 3, 5)) for _ in range(picked.randrange(4))]
            total = int(np.prod(numbers))

            def grouped():
                rest, shape = numbers[:], []
                picked.shuffle(rest)
                while rest:
                    size = 1
                    for _ in range(picked.randrange(1, len(rest) + 1)):
                        size *= rest.pop()
                    shape.append(size)
                return shape

            code = picked.choice(("u1", "f4", "c16", "V3"))
            (dst, memory), (src, _) = drawn(picked, grouped(), code), drawn(picked, grouped(), code)
            dst_first, src_first = picked.randrange(total + 1), picked.randrange(total + 1)
            count = picked.randrange(total - max(dst_first, src_first) + 1)
            if picked.random() < 0.3:
                dst_first, src_first, count = 0, 0, total
            other, expected = twin(dst, memory)
            flat = other.reshape(-1).copy()
            flat[dst_first:dst_first + count] = src.reshape(-1)[src_first:src_first + count]
            other[...] = flat.reshape(other.shape)
            stride.copy_range(dst, src, count, dst_first=dst_first, src_first=src_first)
            self.assertEqual(memory, expected, (dst.shape, dst.strides, src.shape, src.strides, dst_first, src_first, count))
        records = np.zeros((3, 4), [("a", ">f4"), ("b", "V3")])
        records["a"] = np.arange(12).reshape(3, 4)
        out = np.empty((2, 6), "<f4")
        stride.copy_range(out, records["a"])
        np.testing.assert_array_equal(out, np.arange(12).reshape(2, 6))
        self.assertRaises(stride.errors.OutOfBoundsError, stride.copy_range, out, out.copy(), 12, src_first=1)
        self.assertRaises(ValueError, stride.copy_range, out, np.zeros(11, "<f4"))

    def test_a_field_is_an_array(self):
        records = np.zeros((4, 3), [("a", "f8"), ("b", "i1")])
        records["a"] = np.arange(12).reshape(4, 3)
        field = stride.array(records["a"])
        self.assertEqual((field.dtype, field.shape, field.byte_strides, field.size, field.nbytes, field.itemsize),
                         ("f64", (4, 3), (27, 9), 12, 96, 8))
        self.assertRaisesRegex(ValueError, "byte_strides", lambda: field.strides)
        self.assertEqual(field.layout, Layout("u8", (4, 3, 8), (27, 9, 1)))
        self.assertEqual(field.layout, Layout.of_bytes("f64", (4, 3), (27, 9)))
        self.assertEqual((field.is_contiguous, field.contiguous_run, field.min_bytes), (False, 1, 11 * 9 + 8))
        np.testing.assert_array_equal(field.numpy(), records["a"])
        np.testing.assert_array_equal(np.frombuffer(field.T[::-1].tobytes(), "f8").reshape(3, 4), records["a"].T[::-1])
        stride.fill(field[1], 7.5)
        np.testing.assert_array_equal(records["a"][1], [7.5] * 3)
        self.assertEqual(records["b"].max(), 0)
        stride.copy(field, np.float64(2))  # broadcast
        self.assertEqual((records["a"].min(), records["a"].max(), records["b"].max()), (2, 2, 0))
        records["a"][2, 1] = 3
        self.assertEqual(stride.first_difference(field, np.full((4, 3), 2.0)), (2, 1))
        # A plan is of the bytes on both sides.
        plan = Plan(Layout("f64", (4, 3)).as_bytes(), field.layout)
        out = np.empty((4, 3))
        plan.execute(out.view("u1").reshape(4, 3, 8), records["a"])
        np.testing.assert_array_equal(out, records["a"])
        shape = stride.xla.Shape("f64[4,3]{1,0:T(2,2)}")
        np.testing.assert_array_equal(shape.unpack(shape.pack(records["a"])), records["a"])
        shape.unpack(shape.pack(np.ones((4, 3))), out=records["a"])
        self.assertEqual((records["a"].min(), records["b"].max()), (1, 0))

    def test_what_is_no_number_in_the_other_byte_order(self):
        """numpy.copyto swaps the bytes of dates, texts and long doubles; so do these, wherever the elements lie."""
        for code in (">M8[s]", ">m8[s]", ">U1", ">U3", f">f{np.dtype('g').itemsize}", f">c{np.dtype('G').itemsize}"):
            values = np.array(["7", "20", "300", "4", "5", "6"]).astype(code if "U" in code else "i4")
            src = values.astype(code).reshape(2, 3)
            dst = np.zeros((3, 2), code)
            stride.copy(dst, src.T)
            self.assertEqual(dst.tobytes(), src.T.tobytes(), code)
            self.assertEqual(stride.ascontiguous(src.T).dtype, src.dtype)
            native, expected = (np.zeros((3, 2), src.dtype.newbyteorder("=")) for _ in range(2))
            np.copyto(expected, src.T)
            stride.copy(native, src.T)
            np.testing.assert_array_equal(native, expected, code)
            self.assertTrue(stride.equal(native, src.T) and stride.equal(src.T, native), code)
            native[2, 1] = native[0, 0]
            self.assertEqual(stride.first_difference(native, src.T), (2, 1))
            field = np.zeros((3, 2), [("x", "u1"), ("v", native.dtype)])["v"]
            for to in (np.zeros((3, 2), native.dtype)[::-1], field):
                stride.copy(to, src.T)
                np.testing.assert_array_equal(to, expected, code)
            stride.copy_range(native, src.T, 4, dst_first=1, src_first=2)
            np.testing.assert_array_equal(native.ravel()[1:5], expected.ravel()[2:])
            taken = np.zeros((2, 2), native.dtype)
            stride.take(src, (2, 0), out=taken)
            np.testing.assert_array_equal(taken, src[:, [2, 0]].astype(native.dtype))
            back = np.zeros((3, 2), code)
            stride.copy(back, expected)
            self.assertEqual(back.tobytes(), src.T.tobytes(), code)
        for one, other in (("<M8[s]", ">M8[ms]"), ("<M8[s]", ">m8[s]"), ("<U2", ">U3"), ("<U2", "S8"),
                           ([("a", "<i4")], [("a", ">i4")])):
            self.assertRaises(TypeError, stride.copy, np.zeros(2, one), np.zeros(2, other))

    def test_the_other_byte_order(self):
        for code in ("i2", "f4", "f8", "c8", "c16"):
            native = np.arange(1, 7).astype(code).reshape(2, 3)
            foreign = native.astype(native.dtype.newbyteorder())
            self.assertEqual(stride.array(foreign).dtype, stride.dtype(code and native.dtype) + ":swapped")
            out = np.empty((2, 3), native.dtype)
            stride.copy(out, foreign)
            np.testing.assert_array_equal(out, native)
            back = np.empty((2, 3), foreign.dtype)
            stride.copy(back, native)
            self.assertEqual(back.tobytes(), foreign.tobytes())
            self.assertEqual(stride.ascontiguous(foreign.T).dtype, foreign.dtype)  # bits move
            self.assertEqual(stride.ascontiguous(foreign.T).tobytes(), np.ascontiguousarray(foreign.T).tobytes())
            stride.fill(back, 2)
            np.testing.assert_array_equal(back, np.full((2, 3), 2))
            self.assertTrue(stride.equal(native, foreign))
            np.testing.assert_array_equal(stride.array(foreign).numpy(), foreign)
        self.assertEqual(stride.dtype(np.dtype("f4").newbyteorder()), "f32:swapped")

    def test_sides_that_share_memory(self):
        draw = random.Random(5)
        for number in range(1_500):
            size = draw.choice((12, 60, 400))
            memory = np.frombuffer(bytearray(draw.randbytes(4 * size)), "i4").copy()
            views = [
                memory[draw.randint(0, 5) :][: size // 2],
                memory[::-1][: size // 2],
                memory[::2][: size // 2],
                memory[1::2][: size // 2],
                memory[size // 4 :][: size // 2],
            ]
            views += [view.reshape(2, -1) for view in views]
            square = memory[:9].reshape(3, 3)
            dst, src = draw.choice(
                [(one, other) for one in views for other in views if one.shape == other.shape]
                + [(square, square.T), (square[::-1], square.T), (memory[:6], memory[2:3])]
            )
            expected = memory.copy()
            start = (dst.__array_interface__["data"][0] - memory.__array_interface__["data"][0]) // 4
            moved = np.lib.stride_tricks.as_strided(expected[start:], dst.shape, dst.strides)
            moved[...] = np.broadcast_to(src, dst.shape).copy()
            stride.copy(dst, src)
            self.assertEqual(memory.tobytes(), expected.tobytes(), (number, dst.shape, dst.strides, src.strides))

    def test_how_many_threads(self):
        """One by default, since two on one memory lose; from 32 MiB and four processors on one each."""
        from stride import _threads

        for processors, nbytes, expected in ((2, 1 << 40, 1), (3, 1 << 30, 1), (4, (32 << 20) - 1, 1), (4, 32 << 20, 4),
                                             (64, 32 << 20, 32), (64, 1 << 40, 64), (8, 0, 1)):
            with mock.patch.object(_threads, "cpus", lambda: processors):
                self.assertEqual(_threads.parts_of(None, nbytes), expected, (processors, nbytes))
                self.assertEqual(_threads.parts_of(2, nbytes), 2)
        with mock.patch.object(_threads, "cpus", lambda: 8):
            for nbytes, parts in ((1 << 23, []), (1 << 25, [8])):
                src, given = np.arange(nbytes, dtype="u1").reshape(1 << 11, -1), []
                dst = np.zeros(src.shape[::-1], "u1")
                plan = Plan(Layout.of(dst), Layout.of(src.T))

                def counted(part, count):
                    given.append(count)
                    for number in range(count):
                        part(number, count)

                with mock.patch("stride._execute.each_part", counted):
                    stride.copy(dst, src.T)
                    self.assertTrue((dst == src.T).all())
                    self.assertEqual(given, parts)
                    plan.execute(dst, src.T)
                    self.assertEqual(given, 2 * parts)

    def test_large_copies_on_threads(self):
        a = np.random.default_rng(1).integers(0, 255, (1201, 1307, 5), "u1")
        for threads in (None, 1, 2, 8, 100):
            dst = np.zeros((5, 1307, 1201), "u1")
            stride.copy(dst, a.T, threads=threads)
            self.assertTrue((dst == a.T).all())
        memory = a.copy()
        stride.copy(memory[1:], memory[:-1], threads=4)  # Shares memory: not cut into parts, and right.
        self.assertTrue((memory[1:] == a[:-1]).all())

    def test_helpers(self):
        a = np.arange(2 * 3 * 4 * 5, dtype="i2").reshape(2, 3, 4, 5)
        pairs = [
            (stride.ascontiguous(a.T), np.ascontiguousarray(a.T)),
            (stride.asfortran(a), np.asfortranarray(a)),
            (stride.transpose_copy(a), a.T),
            (stride.transpose_copy(a, (3, 1, 0, 2)), a.transpose(3, 1, 0, 2)),
            (stride.to_channels_last(a), np.moveaxis(a, 1, -1)),
            (stride.to_channels_last(a[0]), np.moveaxis(a[0], 0, -1)),
            (stride.to_channels_first(a), np.moveaxis(a, -1, 1)),
            (stride.to_channels_first(a[0]), np.moveaxis(a[0], -1, 0)),
            (stride.to_channels_last(a[:, :, :, :, None]), np.moveaxis(a[:, :, :, :, None], 1, -1)),
            (stride.flip_copy(a), np.flip(a)),
            (stride.flip_copy(a, 1), np.flip(a, 1)),
            (stride.flip_copy(a, (0, -1)), np.flip(a, (0, -1))),
            (stride.rot90_copy(a), np.rot90(a)),
            (stride.rot90_copy(a, -1, (2, 3)), np.rot90(a, -1, (2, 3))),
            (stride.ascontiguous(memoryview(b"abcdef")[::-2]), np.frombuffer(b"fdb", "u1")),
        ]
        for number, (made, expected) in enumerate(pairs):
            with self.subTest(number=number):
                self.assertIsInstance(made, np.ndarray)
                self.assertEqual(made.dtype, expected.dtype)
                np.testing.assert_array_equal(made, expected)
                self.assertTrue(made.flags.f_contiguous if number == 1 else made.flags.c_contiguous)
        self.assertIs(stride.ascontiguous(a), a)
        self.assertIs(stride.asfortran(a.T).base, a.T.base if a.T.base is not None else a)
        out = np.empty((5, 4, 3, 2), "i2")
        self.assertIs(stride.transpose_copy(a, out=out), out)
        np.testing.assert_array_equal(out, a.T)
        self.assertRaisesRegex(
            ValueError, r"out has the shape \(5, 4, 3, 2\), the result", stride.flip_copy, a, out=out
        )
        for number, (axes, k) in enumerate((((0, 1), 0), ((1, 0), 1), ((-1, 1), 2), ((3, 0), 7), ((2, -1), -2))):
            for x in (a, stride.array(a)):
                np.testing.assert_array_equal(np.asarray(stride.rot90_copy(x, k, axes)), np.rot90(a, k, axes), number)
        for job in (lambda x: stride.transpose_copy(x, (0, 1, 2)), lambda x: stride.transpose_copy(x, (0, 0, 1, 2)),
                    lambda x: stride.flip_copy(x, 4), lambda x: stride.flip_copy(x, (0, -4)),
                    lambda x: stride.rot90_copy(x, 1, (1, 1)), lambda x: stride.rot90_copy(x, 1, (1, -3)),
                    lambda x: stride.rot90_copy(x, 1, (0, 9)), lambda x: stride.to_channels_last(x[0, 0]),
                    lambda x: stride.to_channels_first(x[0, 0])):
            said = []
            for x in (a, stride.array(a)):  # A view that NumPy makes is refused in the same words.
                with self.assertRaises(ValueError) as caught:
                    job(x)
                said.append((type(caught.exception), str(caught.exception)))
            self.assertEqual(said[0], said[1])
        when = np.array(["2020-01-01", "2021-01-01"], "M8[D]")
        self.assertEqual(list(stride.flip_copy(when)), list(when[::-1]))

    def test_strides_of_size_1(self):
        """What is contiguous already gets the strides of its shape, which torch.from_numpy looks at
        (numpy/numpy#23349); no element is copied."""
        mirrored = np.arange(2.0).reshape(1, 2)[::-1]
        self.assertEqual(mirrored.strides, (-16, 8))
        for given, strides in ((mirrored, (16, 8)), (np.zeros((2, 1, 3))[:, ::-1], (24, 24, 8)),
                               (np.zeros(8)[:1:4], (8,)), (np.zeros((3, 4))[::-1, :0], (8, 8)),
                               (np.zeros((4, 1), ">i2")[:, ::-1], (2, 2))):
            made = stride.ascontiguous(given)
            self.assertEqual((made.strides, made.dtype, made.shape), (strides, given.dtype, given.shape))
            self.assertTrue(not given.size or np.shares_memory(made, given))
            np.testing.assert_array_equal(made, given)
            self.assertIs(stride.ascontiguous(made), made)
            fortran = stride.asfortran(given.T)
            self.assertEqual((fortran.strides, fortran.shape), (strides[::-1], given.shape[::-1]))
            self.assertIs(stride.asfortran(fortran), fortran)
            seen = stride.ascontiguous(stride.array(given))
            self.assertEqual((seen.layout.is_contiguous, min(seen.strides) >= 0), (True, True))
            self.assertEqual(seen.tobytes(), given.tobytes())
        frozen = np.zeros((1, 2))
        frozen.flags.writeable = False
        self.assertFalse(stride.ascontiguous(frozen[::-1]).flags.writeable)
        self.assertIs(type(stride.ascontiguous(np.zeros((1, 2))[::-1].view(np.matrix))), np.matrix)

    def test_one_type_in_two_formats(self):
        aligned = np.dtype([("a", "i8"), ("b", "f4"), ("c", "u1")], align=True)
        for one, other in ((aligned, aligned), (np.dtype([("a", "l")]), np.dtype([("a", "q")])),
                           (np.dtype([("lq", "L", (2,)), ("n=", "g")]), np.dtype([("lq", "Q", (2,)), ("n=", "g")]))):
            if one != other:
                continue  # Where C's long has 32 bits.
            to, of = np.zeros(4, one), np.zeros(4 * other.itemsize + 1, "u1")[1:].view(other)
            of.view("u1")[:] = range(of.nbytes)
            stride.copy(to, of)  # NumPy writes "l", or "=q" where the memory is not aligned.
            self.assertEqual(to.tobytes(), of.tobytes())
            self.assertTrue(stride.equal(to, of))

        class Pair(ctypes.Structure):
            _fields_ = [("a", ctypes.c_long), ("b", ctypes.c_float)]

        pairs, named = (Pair * 2)((1, 2), (3, 4)), np.zeros(2, np.dtype(Pair))
        stride.copy(named, pairs)
        self.assertEqual(named.tobytes(), bytes(pairs))
        # Other types stay apart: names, kinds, the byte order of a later field.
        for one, other in (("i8", "u8"), ("i8", "f8"), ("i8", ">i8")):
            structs = [np.zeros(2, [("t", "i8"), ("x", kind)]) for kind in (one, other)]
            self.assertRaises(stride.errors.DtypeMismatchError, stride.copy, *structs)
        swapped = [np.zeros(2, [("t", ">i8"), ("x", kind)]) for kind in (">i8", "<i8")]
        self.assertRaises(stride.errors.DtypeMismatchError, stride.copy, *swapped)
        self.assertRaises(stride.errors.DtypeMismatchError, stride.copy, np.zeros(2, "f4"), np.array([b"abcd", b"ef"]))
        stride.copy(np.zeros(2, "f4"), np.array([b"abcd", b"ef"]).view("V4"))

    def test_scalars_as_sources(self):
        for value in (np.float32(3), np.datetime64(7, "s"), np.timedelta64(-7, "ns"), np.complex128(1j), np.bool_(True)):
            made = np.zeros((2, 3), value.dtype)
            stride.copy(made, value)
            np.testing.assert_array_equal(made, np.full((2, 3), value))
        self.assertTrue(stride.array(np.datetime64(7, "s")).readonly)

    def test_fill_and_compare(self):
        for code, value in (
            ("f4", 1.5),
            ("i8", -3),
            ("?", True),
            ("F", 1 + 2j),
            ("e", 0.5),
            ("u1", 255),
            ("D", 1j),
            ("f8", np.float32(2)),
            ("i2", np.int64(7)),
        ):
            a, expected = np.zeros((3, 4), code), np.zeros((3, 4), code)
            stride.fill(a[::-1, ::2], value)
            expected[::-1, ::2] = value
            self.assertTrue((a == expected).all(), code)
        a = np.arange(12, dtype="f4").reshape(3, 4)
        b = a.copy()
        self.assertTrue(stride.equal(a, b) and stride.equal(a.T, b.T) and not stride.equal(a, b[:2]))
        self.assertIsNone(stride.first_difference(a, b))
        b[1, 2] = np.nan
        self.assertEqual(stride.first_difference(a, b), (1, 2))
        self.assertTrue(stride.equal(b, b.copy()))
        self.assertFalse(stride.equal(np.zeros(1), -np.zeros(1)))


class Plans(unittest.TestCase):
    def test_values_that_are_none(self):
        numbers = np.arange(4, dtype="i4")
        self.assertRaisesRegex(ValueError, "has 4 bytes, not 16", stride.fill, numbers, memoryview(numbers.copy()))
        for of, value in (("f4", "x"), ("f4", None), ("c8", "1+2j"), ("i4", None)):
            self.assertRaises(TypeError, stride.fill, np.zeros(2, of), value)

    def test_regions_under_rules(self):
        plan = Plan(Layout("f4", (5, 3, 4)), Layout("f4", (5, 3, 4), (25, 6, 1)))
        [one] = plan.regions()
        self.assertEqual((one.counts, one.src_pitches, one.row_bytes), ((3, 5), (24, 100), 16))
        self.assertEqual([(of.counts, of.src_offset) for of in plan.regions("cuda_3d")],
                         [((5, 1), 0), ((5, 1), 24), ((5, 1), 48)])
        self.assertEqual(len(plan.regions("vulkan_buffer")), 15)
        self.assertEqual(len(plan.regions(rank_max=2, pitch_max=(16, 24))), 5)
        self.assertRaisesRegex(stride.errors.UnsupportedError, "begin at byte 24 of the source", plan.regions, "d3d12_upload")
        self.assertRaisesRegex(ValueError, "'metal' is no function", plan.regions, "metal")
        self.assertRaisesRegex(TypeError, "'pitch' is no field", plan.regions, pitch=1)
        self.assertRaises(OverflowError, plan.regions, rank_max=2**32)
        self.assertRaises(ValueError, plan.regions, flags=(1,))

    def test_regions_of_images(self):
        """Two pictures side by side are two layers, and so two regions, whatever is said of the image."""
        layers, pictures = Layout("u8", (2, 2, 4)), Layout("u8", (2, 2, 4)).permute(1, 0, 2)
        for fields in {}, {"row_bytes_max": 4}, {"row_bytes_max": 4, "rows_max": 2}:
            self.assertEqual(Plan(layers, pictures).regions("vulkan_upload", **fields),
                             [(0, 0, 4, (2, 1), (4, 0), (8, 0)), (8, 4, 4, (2, 1), (4, 0), (8, 0))])
            self.assertEqual(Plan(pictures, layers).regions("vulkan_readback", **fields),
                             [(0, 0, 4, (2, 1), (8, 0), (4, 0)), (4, 8, 4, (2, 1), (8, 0), (4, 0))])
        layers, pictures = Layout("u8", (2, 2, 256)), Layout("u8", (2, 2, 256)).permute(1, 0, 2)
        plan = Plan(layers, pictures)
        self.assertRaisesRegex(stride.errors.UnsupportedError, "begin at byte 256 of the source",
                               plan.regions, "d3d12_upload", row_bytes_max=256)

    def test_a_plan_serves_many_pairs(self):
        a = np.arange(60, dtype="f4").reshape(3, 4, 5)
        dst = np.zeros((5, 4, 3), "f4")
        plan = Plan(Layout.of(dst), Layout.of(a.T))
        for factor in (1, 2, 3):
            plan.execute(dst, (a * factor).T)
            np.testing.assert_array_equal(dst, (a * factor).T)
        memory = bytearray(240)
        plan.execute(memory, bytes(a.data))
        np.testing.assert_array_equal(np.frombuffer(memory, "f4").reshape(5, 4, 3), a.T)
        self.assertEqual((plan.nbytes, plan.kind, plan.useful_threads), (240, "transpose", 1))
        self.assertIn("transpose", plan.describe())

    def test_mirrored_and_cropped(self):
        a = np.arange(24, dtype="u2").reshape(4, 6)
        dst = np.zeros((2, 3), "u2")
        Plan(Layout.of(dst), Layout.of(a[::-1, ::-1]).crop((1, 1), (2, 3))).execute(dst, bytes(a.data))
        np.testing.assert_array_equal(dst, a[::-1, ::-1][1:3, 1:4])
        Plan(Layout.of(dst), Layout.of(a[::-1, ::-1]).crop((1, 1), (2, 3))).execute(dst, a[::-1, ::-1][1:3, 1:4])
        np.testing.assert_array_equal(dst, a[::-1, ::-1][1:3, 1:4])

    def test_views_of_arrays(self):
        memory, out = bytearray(range(24)), bytearray(4)
        plan = Plan(Layout("u8", (4,)), Layout("u8", (2, 4), (0, 2)).flip(1)[0])
        plan.execute(out, stride.array(memory)[8:16])
        self.assertEqual(bytes(out), bytes([14, 12, 10, 8]))
        Plan(Layout("u8", (2,), (2,)), Layout("u8", (2,)), fill=b".").execute(stride.array(memory)[1:4], b"ab")
        self.assertEqual(bytes(memory[:6]), b"\0a.b\4\5")
        self.assertRaises(stride.errors.OutOfBoundsError, plan.execute, out, stride.array(memory)[20:])
        # Of the plan's layout, wherever it begins.
        whole, to = np.arange(8, dtype="f4"), np.zeros(4, "f4")
        plan = Plan(Layout("f32", (4,)), Layout("f32", (8,))[3:7])
        for part in (stride.array(whole)[3:7], whole[3:7], stride.array(whole)[::-1][1:5].flip(0), stride.array(whole)[1:][2:6]):
            to[:] = 0
            plan.execute(to, part)
            self.assertEqual(to.tolist(), [3, 4, 5, 6])

    def test_broadcast_overlap_and_fill(self):
        a = np.arange(12, dtype="u1").reshape(3, 4)
        plan = Plan(Layout("u8", (3, 4)), Layout("u8", (4,)))
        plan.execute(a, a[2].copy())
        self.assertTrue((a == a[2]).all())
        a = np.arange(12, dtype="u1")
        Plan(Layout("u8", (10,)), Layout("u8", (10,)), overlap=True).execute(a[2:], a[:10])
        self.assertEqual(list(a[2:]), list(range(10)))
        padded = Layout.padded("u8", (2, 2), (4, 4)).packed().as_strided((2, 2), (2, 1))
        border = Layout("u8", (4, 4)).crop((1, 1), (2, 2))
        memory = bytearray(16)
        Plan(border, padded, fill=b"\7").execute(memory, b"\1\2\3\4")
        self.assertEqual(list(memory), [7, 7, 7, 7, 7, 1, 2, 7, 7, 3, 4, 7, 7, 7, 7, 7])

    def test_refused(self):
        plan = Plan(Layout("f32", (2, 3)), Layout("f32", (2, 3), (1, 2)))
        a = np.zeros((2, 3), "f4")
        for dst, src, kind, sentence in (
            (a, a, stride.errors.ShapeMismatchError, "src is neither bytes nor of the plan's layout"),
            (
                a.astype("i4"),
                a.T.copy().T,
                stride.errors.ShapeMismatchError,
                "dst is neither bytes nor of the plan's layout",
            ),
            (bytearray(23), bytes(24), stride.errors.OutOfBoundsError, "24 bytes are needed, but the buffer has 23"),
            (bytes(24), bytes(24), ValueError, "dst is read-only"),
        ):
            with self.subTest(sentence=sentence):
                self.assertRaisesRegex(kind, sentence, plan.execute, dst, src)
        filling = Plan(Layout("u8", (2, 2), (3, 1), 1), Layout("u8", (2, 2)), fill=b"\0")
        self.assertRaisesRegex(
            ValueError, "so that must be bytes", filling.execute, np.zeros((3, 3), "u1")[:2, 1:], bytes(4)
        )

    def test_parts_of_a_plan_that_travelled(self):
        a = np.arange(300 * 200, dtype="i4").reshape(300, 200)
        plan = pickle.loads(pickle.dumps(Plan(Layout("s32", (200, 300)), Layout.of(a.T))))
        dst, written = np.full((200, 300), -1, "i4"), np.zeros((200, 300), "i4")
        for part in (4, 0, 2, 1, 3):
            alone = np.full((200, 300), -1, "i4")
            plan.execute_part(alone, a.T, part, 5)
            plan.execute_part(dst, a.T, part, 5)
            written += alone >= 0
        np.testing.assert_array_equal(dst, a.T)
        self.assertTrue((written == 1).all())  # Each part writes, and none what another one writes.
        plan.execute_part(dst, a.T, 99, 100)  # A surplus part.
        for part, parts in ((5, 5), (-1, 5), (0, 0), (0, 2**32), (2**32, 2**32 + 1)):
            self.assertRaisesRegex(ValueError, f"part {part} of {parts}", plan.execute_part, dst, a.T, part, parts)
        self.assertRaises(TypeError, plan.execute_part, dst, a.T, 0.0, 2)
        self.assertRaisesRegex(ValueError, "dst is read-only", plan.execute_part, bytes(240000), a.T, 0, 2)

    def test_eight_threads_with_one_plan(self):
        a = np.arange(500 * 600, dtype="i4").reshape(500, 600)
        plan, wrong = Plan(Layout("s32", (600, 500)), Layout.of(a.T)), []

        def work():
            for _ in range(10):
                dst = np.zeros((600, 500), "i4")
                plan.execute(dst, a.T, threads=2)
                if not (dst == a.T).all():
                    wrong.append(1)

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


class Slabs(unittest.TestCase):
    def test_every_slab_is_told(self):
        a = np.random.default_rng(2).integers(0, 2**31, (70, 90, 11), "i4")
        for slab in (1, 1000, 4096, 10**9):
            dst, told = np.zeros((11, 90, 70), "i4"), []
            few = (slice(None),) if slab > 1 else (slice(0, 2),)
            stride.copy(dst[few], a.T[few], slab_bytes=slab, progress=lambda done, total: told.append((done, total)))
            self.assertTrue((dst[few] == a.T[few]).all())
            self.assertEqual(told[-1], (dst[few].nbytes,) * 2)
            self.assertEqual([done for done, _ in told], sorted({done for done, _ in told}))
            self.assertTrue(all(later - sooner <= max(slab, 4) for (sooner, _), (later, _) in zip(told, told[1:])))
        stride.copy(np.zeros((0, 3)), np.zeros((0, 3)), progress=lambda done, total: told.append((done, total)))
        self.assertEqual(told[-1], (0, 0))

    def test_it_can_be_stopped(self):
        src, dst = np.ones(1000, "u1"), np.zeros(1000, "u1")
        with self.assertRaisesRegex(stride.Stopped, r"stopped after 3\d\d of 1000 bytes") as caught:
            stride.copy(dst, src, slab_bytes=100, progress=lambda done, total: done < 300 and None)
        done = caught.exception.done_bytes
        self.assertEqual((caught.exception.total_bytes, dst.sum()), (1000, done))
        self.assertTrue(dst[:done].all() and not dst[done:].any())

    def test_other_jobs_in_slabs(self):
        """Each answers as it does at once, and tells of every slab."""
        draw = np.random.default_rng(3)
        a = draw.integers(0, 255, (37, 21, 3), "u1")
        records = np.zeros((40, 9), [("x", "u1"), ("v", "f4")])["v"]
        plan = Plan(Layout("u8", (300, 210)), Layout("u8", (210, 300)).T)
        big, other = draw.integers(0, 255, (210, 300), "u1"), np.zeros((300, 210), "u1")
        jobs = {
            "first": (lambda **how: stride.to_channels_first(a, **how), np.moveaxis(a, -1, 0)),
            "last": (lambda **how: stride.to_channels_last(a, **how), np.moveaxis(a, 0, -1)),
            "flip": (lambda **how: stride.flip_copy(a, 1, **how), a[:, ::-1]),
            "rotate": (lambda **how: stride.rot90_copy(a, **how), np.rot90(a)),
            "transpose": (lambda **how: stride.transpose_copy(a, **how), a.T),
            "contiguous": (lambda **how: stride.ascontiguous(a.T, **how), a.T),
            "fortran": (lambda **how: stride.asfortran(a, **how), a),
            "take": (lambda **how: stride.take(a, (2, None, 0), **how),
                     np.stack((a[..., 2], 0 * a[..., 0], a[..., 0]), -1)),
            "range": (lambda **how: (to := np.zeros(900, "u1"), stride.copy_range(to, a.T, 900, src_first=5, **how))[0],
                      a.T.reshape(-1)[5:905]),
            "fill": (lambda **how: (to := np.zeros((9, 70)), stride.fill(to[:, ::2], 2.5, **how))[0],
                     np.tile([2.5, 0], (9, 35))),
            "records": (lambda **how: (stride.fill(records, 3, **how), records)[1], np.full((40, 9), 3, "f4")),
            "equal": (lambda **how: np.array([stride.equal(a, a.copy(), **how)]), np.array([True])),
            "plan": (lambda **how: (plan.execute(other, big.T, **how), other)[1], big.T),
            "blocks": (lambda **how: np.frombuffer(stride.blocks.Blocked("b a c", "u8", a.shape).pack(a, **how), "u1"),
                       a.transpose(1, 0, 2).reshape(-1)),
            "shape": (lambda **how: stride.xla.Shape("u8[63,37]{0,1}").unpack(a.reshape(-1), **how),
                      a.reshape(37, 63).T),
        }
        for name, (job, expected) in jobs.items():
            for slab in (400, 1 << 20):
                told = []
                with self.subTest(name=name, slab=slab):
                    made = job(slab_bytes=slab, progress=lambda done, total: told.append((done, total)))
                    np.testing.assert_array_equal(made, expected)
                    self.assertEqual(len({total for _, total in told}), 1)
                    self.assertEqual((told[-1][0], len(told) > 1), (told[-1][1], slab == 400))
            with self.assertRaises(stride.Stopped, msg=name):
                job(slab_bytes=400, progress=lambda done, total: False)
        b = a.copy()
        for place in ((36, 20, 2), (5, 7, 1), (5, 6, 2), (0, 0, 0)):
            b[place] ^= 1
            self.assertEqual(stride.first_difference(a, b, slab_bytes=100), place)
            self.assertFalse(stride.equal(a, b, slab_bytes=100))
        records[7, 3] = 4
        self.assertEqual(stride.first_difference(records, np.full((40, 9), 3, "f4"), slab_bytes=32), (7, 3))
        self.assertRaises(stride.errors.ShapeMismatchError, stride.first_difference, a, b[1:], slab_bytes=100)

    def test_shared_memory_is_one_slab(self):
        a, told = np.arange(1000, dtype="i4"), []
        stride.copy(a[1:], a[:-1], slab_bytes=16, progress=lambda done, total: told.append(done))
        self.assertEqual((told, list(a[1:])), ([3996], list(range(999))))

    def test_what_is_written_twice_is_refused_in_slabs_too(self):
        twice = np.lib.stride_tricks.as_strided(np.zeros(10), (4, 3), (8, 8))
        for more in ({}, {"slab_bytes": 8}):
            self.assertRaises(stride.errors.OverlapError, stride.copy, twice, np.ones((4, 3)), **more)

    def test_any_false_stops_it_and_bits_are_not_more_than_all(self):
        a, told = np.zeros(100), []
        self.assertRaises(stride.Stopped, stride.copy, a, a.copy(), slab_bytes=80, progress=lambda *_: np.False_)
        bits = stride.empty("uint2", (21,))
        stride.copy(bits, stride.empty("uint2", (21,)), slab_bytes=1, progress=lambda *done: told.append(done))
        self.assertEqual(told[-1], (6, 6))

    @unittest.skipUnless(sys.platform.startswith("linux"), "RLIMIT_DATA counts as it should on Linux only")
    def test_files_larger_than_the_memory(self):
        """Two files of 256 MiB, 128 MiB of memory: each file is mapped, the copy is made in slabs."""
        code = """
import resource, sys
import numpy as np, stride
src = np.memmap(sys.argv[1], "u4", "w+", shape=(4096, 16384))
dst = np.memmap(sys.argv[2], "u4", "w+", shape=(16384, 4096))
for row in range(0, 4096, 1024):
    src[row:row + 1024] = np.arange(row * 16384, (row + 1024) * 16384, dtype="u4").reshape(1024, 16384)
resource.setrlimit(resource.RLIMIT_DATA, (128 << 20,) * 2)
try:
    bytearray(256 << 20)
    sys.exit("the limit is none")
except MemoryError:
    pass
told = []
stride.copy(dst, src.T, progress=lambda done, total: told.append(done), threads=2)
assert len(told) == 4 and told[-1] == src.nbytes, told
for column in range(0, 16384, 2048):
    assert (dst[column] == src[:, column]).all()
assert (dst[-1] == src[:, -1]).all()
"""
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(
                [sys.executable, "-c", code, *(os.path.join(folder, name) for name in ("src", "dst"))],
                check=True,
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
            )


class Processes(unittest.TestCase):
    def test_the_gil_is_given_away(self):
        """While one thread copies, another one runs Python, and sees a destination of which a part is written."""
        dst = np.zeros((3000, 3000), "f4")
        sources = itertools.cycle(np.full((3000, 3000), number, "f4").T for number in (1, 0))

        def half_done():
            return any(np.ptp(dst[::97, ::97]) for _ in range(100))

        self.assertTrue(others_run_during(lambda: stride.copy(dst, next(sources), threads=1), 200, half_done))

    def test_threads_that_cannot_start(self):
        from stride import _threads

        a = np.arange(1 << 20, dtype="f8")
        b = np.zeros_like(a)

        def refuse(*_):
            raise RuntimeError("can't start new thread")

        with mock.patch.object(_threads, "_started", 0):
            with mock.patch.object(_threads._thread, "start_new_thread", refuse):
                stride.copy(b, a, threads=2)
        np.testing.assert_array_equal(b, a)
        b[:] = 7
        other = np.zeros_like(a)
        for _ in range(20):  # What was left then is not done now.
            stride.copy(other, a, threads=3)
        np.testing.assert_array_equal(other, a)
        self.assertTrue((b == 7).all())

    @unittest.skipUnless(hasattr(signal, "pthread_kill"), "there are no signals")
    def test_signals_that_raise(self):
        """A part of the copy sends the signal to the main thread, so that it meets the copy, which has not ended."""
        class Alarm(Exception):
            pass

        def alarm(*_):
            raise Alarm

        from stride import _execute

        a, main, each_part = np.ones((1000, 1000)), threading.get_ident(), _execute.each_part
        before = signal.signal(signal.SIGALRM, alarm)
        try:
            for sender in range(16):
                b, other, began, ended = np.zeros((1000, 1000)), np.zeros((1000, 1000)), [], []

                def sends(part, parts):
                    def one(number, count):
                        elsewhere = threading.get_ident() != main
                        if elsewhere:
                            began.append(number)
                        if number == sender:
                            signal.pthread_kill(main, signal.SIGALRM)
                        part(number, count)
                        if elsewhere:
                            ended.append(number)

                    each_part(one, parts)

                with mock.patch.object(_execute, "each_part", sends), self.assertRaises(Alarm):
                    stride.copy(b, a.T, threads=16)
                # Nobody is writing, and nobody goes on: the threads take up this job before the next one.
                written = np.count_nonzero(b)
                self.assertEqual(sorted(began), sorted(ended))
                stride.copy(other, a.T, threads=16)
                self.assertEqual((np.count_nonzero(b), len(began)), (written, len(ended)))
                np.testing.assert_array_equal(other, a)
        finally:
            signal.signal(signal.SIGALRM, before)

    @unittest.skipUnless(hasattr(signal, "setitimer"), "there are no timers")
    def test_signals_that_raise_anywhere(self):
        """An exception between any two lines takes nothing with it that a later copy waits for."""
        code = (
            "import random, signal, numpy as np, stride\n"
            "class Alarm(Exception): pass\n"
            "def alarm(*_):\n"
            "    global armed\n"
            "    if armed:\n"
            "        armed = False\n"
            "        raise Alarm\n"
            "armed = False\n"
            "signal.signal(signal.SIGALRM, alarm)\n"
            "a, b, met = np.ones((300, 300)), np.zeros((300, 300)), 0\n"
            "while met < 500:\n"
            "    try:\n"
            "        armed = True\n"
            "        signal.setitimer(signal.ITIMER_REAL, random.uniform(1e-5, 4e-4))\n"
            "        stride.copy(b, a.T, threads=16)\n"
            "        armed = False\n"
            "    except Alarm: met += 1\n"
            "signal.setitimer(signal.ITIMER_REAL, 0)\n"
            "stride.copy(b, a.T, threads=16)\n"
            "assert (b == 1).all()\n"
        )
        for _ in range(2):
            subprocess.run([sys.executable, "-c", code], check=True, timeout=SECONDS_OF_A_HANG)

    def test_a_part_that_fails(self):
        from stride import _threads

        done = []

        def part(number, parts):
            done.append(number)
            if number == 3:
                raise ValueError("part 3")

        self.assertRaisesRegex(ValueError, "part 3", _threads.each_part, part, 200)
        self.assertEqual(len(done), len(set(done)))
        done.clear()
        _threads.each_part(lambda number, parts: done.append(number), 200)
        self.assertEqual(sorted(done), list(range(200)))

    @unittest.skipUnless(hasattr(os, "fork"), "there is no fork here")
    def test_fork(self):
        a = np.arange(2_000_000, dtype="i4").reshape(1000, 2000)
        dst = np.zeros((2000, 1000), "i4")
        stride.copy(dst, a.T, threads=4)  # The threads are there now.
        warnings.simplefilter("ignore", RuntimeWarning)  # JAX, if it is there, does not like forks.
        child = os.fork()
        if child == 0:
            signal.alarm(SECONDS_OF_A_HANG)
            try:
                dst[...] = 0
                stride.copy(dst, a.T, threads=4)
                os._exit(0 if (dst == a.T).all() else 1)
            except BaseException:
                os._exit(2)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)

    def test_a_copy_while_python_ends(self):
        code = (
            "import atexit, numpy as np, stride\na = np.ones((2000, 2000)); d = np.empty_like(a)\n"
            "stride.copy(d, a.T, threads=4)\n"
            "def late():\n    d[:] = 0; stride.copy(d, a.T, threads=4); assert (d == 1).all(); print('done')\n"
            "atexit.register(late)\n"
        )
        made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        self.assertEqual((made.stdout, made.stderr), ("done\n", ""))


if __name__ == "__main__":
    unittest.main()
