"""Sides of copies, held against NumPy's indexing of the same elements."""

import pickle
import random
import unittest

import numpy as np

import stride
from stride import Layout, Plan, Side, blocks, errors, xla


def chosen(draw, size, times):
    """Indices along a dimension as a side takes them, and as a list; each once, if not `times`."""
    if not size:
        return [], []
    items, list_ = [], []
    left = list(range(size))
    for _ in range(draw.randrange(4)):
        kind = draw.choice(("one", "slice", "range", "run", "none"))
        if kind == "none" and times:
            items.append(None)
            list_.append(None)
        elif kind == "one":
            index = draw.choice(left) if left else None
            if index is None:
                continue
            items.append(draw.choice((index, index - size)))
            list_.append(index)
        else:
            step = draw.choice((1, 1, 2, -1))
            first = draw.randrange(size)
            count = draw.randrange(1, len(range(first, size if step > 0 else -1, step)) + 1)
            indices = range(first, first + step * count, step)
            if not times and not set(indices) <= set(left):
                continue
            stop = first + step * count
            items.append({"range": indices, "run": (draw.choice((first, first - size)), step, count)}.get(
                kind, slice(first, stop if stop >= 0 else None, step)))
            list_.extend(indices)
        if not times:
            left = [index for index in left if index not in list_]
    return items, list_


class Object:
    """Elements of random sizes in memory of some form; `numbers` has for each the place in `flat`."""

    def __init__(self, draw, sizes):
        self.kind = draw.choice(("array", "layout", "shape", "blocks"))
        self.flat = np.frombuffer(bytearray(draw.randbytes(2 * 4096)), "u2")
        if self.kind in ("array", "layout"):
            order = list(range(len(sizes)))
            draw.shuffle(order)
            self.of = Layout.ordered("u16", sizes, order)
            self.of = self.of.flip([axis for axis in range(len(sizes)) if draw.random() < 0.3])
        elif self.kind == "shape":
            text = ",".join(map(str, sizes))
            order = ",".join(map(str, reversed(range(len(sizes)))))
            self.of = xla.Shape(f"u16[{text}]{{{order}:T({draw.randrange(1, 4)},{draw.randrange(1, 4)})}}"
                                if len(sizes) > 1 else f"u16[{text}]")
        else:
            letters = "abc"[:len(sizes)]
            outer = [f"{letter}/2" for letter in letters]
            draw.shuffle(outer)
            self.of = blocks.Blocked(" ".join([*outer, *(f"{letter}%2" for letter in letters)]), "u16", sizes)
        place = self.of.offset_of if self.kind in ("array", "layout") else self.of.position
        self.numbers = np.array([place(*index) for index in np.ndindex(*sizes)], "i8").reshape(sizes)
        self.memory = self.flat[:self.of.nbytes // 2]

    def side(self, **seen):
        """What `copy` is given: the buffer or a side of the array, and the side of a buffer."""
        if self.kind == "array":
            view = np.lib.stride_tricks.as_strided(
                self.memory[self.of.offset:], self.of.shape, [2 * step for step in self.of.strides])
            return (Side(view, **seen) if seen else view), None
        return self.memory.view("u1"), Side(self.of, **seen) if seen else self.of


class AnySide(unittest.TestCase):
    def test_any_side_to_any_side(self):
        draw = random.Random(31)
        met = {}
        for number in range(6000):
            rank = draw.randrange(1, 4)
            if draw.random() < 0.25:  # Two ranges.
                dst, src = (Object(draw, [draw.randrange(1, 6) for _ in range(draw.randrange(1, 4))]) for _ in range(2))
                count = draw.randrange(min(dst.numbers.size, src.numbers.size) + 1)
                first = [draw.randrange(of.numbers.size - count + 1) for of in (dst, src)]
                seen = [{"first": begin, "count": count} for begin in first]
                to, of = (side.numbers.reshape(-1)[begin:begin + count] for side, begin in zip((dst, src), first))
                kind = "range"
            else:
                seen, sizes, lists = [{}, {}], [[], []], [[], []]
                for axis in range(rank):
                    size = draw.randrange(1, 7)
                    items, list_ = chosen(draw, size, False)
                    if not list_ or draw.random() < 0.5:  # All of the destination's indices.
                        items, list_ = None, list(range(size))
                    else:
                        seen[0].setdefault("runs", {})[draw.choice((axis, axis - rank))] = items
                    whole = len(list_) if draw.random() < 0.4 else draw.randrange(1, 7)
                    if whole == len(list_):
                        other = list(range(whole))
                    else:
                        other = [draw.choice((*range(whole), None)) for _ in list_]
                        seen[1].setdefault("runs", {})[axis] = other
                    for which, (n, indices) in enumerate(((size, list_), (whole, other))):
                        sizes[which].append(n)
                        lists[which].append(indices)
                dst, src = (Object(draw, shape) for shape in sizes)
                to = dst.numbers[np.ix_(*lists[0])]
                of = src.numbers[np.ix_(*[[0 if k is None else k for k in list_] for list_ in lists[1]])].copy()
                for axis, list_ in enumerate(lists[1]):
                    of[tuple([slice(None)] * axis + [[place for place, k in enumerate(list_) if k is None]])] = -1
                kind = "runs" if seen[0] or seen[1] else "plain"
            value = draw.choice((None, b"\7\11", 1234))
            expected = dst.memory.copy()
            fill = np.frombuffer(value, "u2")[0] if isinstance(value, bytes) else value or 0
            (x, x_side), (y, y_side) = dst.side(**seen[0]), src.side(**seen[1])
            if value is not None and x_side is not None:
                expected[:] = fill
            expected[to.reshape(-1)] = np.where(of < 0, fill, src.memory[of]).reshape(-1)
            slabs = draw.choice(({}, {}, {"slab_bytes": draw.choice((4, 16, 1 << 20))}))
            told = []
            if slabs:
                slabs["progress"] = lambda done, total: told.append((done, total))
            case = (number, dst.kind, str(dst.of), seen[0], src.kind, str(src.of), seen[1], value, slabs)
            with self.subTest(case=case):
                before = dst.memory.copy()
                if not slabs and draw.random() < 0.5 and (value is None or x_side is None or dst.kind != "layout"):
                    plan = Plan(x if x_side is None else x_side, y if y_side is None else y_side, fill=value)
                    plan = pickle.loads(pickle.dumps(plan))
                    plan.execute(x.of if isinstance(x, Side) else x, y.of if isinstance(y, Side) else y)
                    kind += " plan"
                else:
                    stride.copy(x, y, dst_side=x_side, src_side=y_side, fill=value, **slabs)
                self.assertEqual(dst.memory.tobytes(), expected.tobytes(), before)
                if slabs:
                    self.assertEqual(told[-1], (2 * to.size,) * 2)
            met[kind, dst.kind, src.kind] = met.get((kind, dst.kind, src.kind), 0) + 1
        for kind in ("range", "runs", "range plan", "runs plan"):
            for one in ("array", "layout", "shape", "blocks"):
                for other in ("array", "layout", "shape", "blocks"):
                    self.assertGreater(met.get((kind, one, other), 0), 3, (kind, one, other))

    def test_rolls_borders_and_rows(self):
        a = np.arange(24, dtype="f4").reshape(4, 6)
        for side, expected in (
            (Side(a, runs={0: [slice(-1, None), slice(None, -1)]}), np.roll(a, 1, 0)),
            (Side(a, runs={1: [(2, -1, 2), slice(None), (4, -1, 2)]}), np.pad(a, ((0, 0), (2, 2)), "reflect")),
            (Side(a, runs={0: [(0, 0, 3), slice(None)]}), np.pad(a, ((3, 0), (0, 0)), "edge")),
            (Side(a, runs={0: [(None, 0, 2), slice(None), None]}), np.pad(a, ((2, 1), (0, 0)))),
            (Side(a, runs={-1: [5, 5, 0, -6]}), a[:, [5, 5, 0, 0]]),
            (Side(a, runs={0: np.array([3, -3]), 1: range(5, -1, -2)}), a[[3, 1]][:, [5, 3, 1]]),
            (Side(a, runs={0: [], 1: slice(1, 3)}), a[:0, 1:3]),
            (Side(a.T, first=5), a.T.reshape(-1)[5:]),
            (Side(a, count=0), a.reshape(-1)[:0]),
        ):
            out = np.empty(expected.shape, "f4")
            stride.copy(out, side)
            np.testing.assert_array_equal(out, expected)
            self.assertEqual((side.shape, side.ndim, side.dtype, side.nbytes, side.of.shape),
                             (expected.shape, expected.ndim, "f32", expected.nbytes, side.of.shape))
        self.assertIn("(4, 6)", repr(Side(a)))
        # A destination through runs; a source that is broadcast to them.
        stride.copy(Side(a, runs={0: [3, 1]}), np.arange(6, dtype="f4"))
        np.testing.assert_array_equal(a[[1, 3]], [range(6)] * 2)
        self.assertEqual(a[2, 0], 12)

    def test_takes_from_shapes_and_blocks(self):
        a = np.arange(30, dtype="u1").reshape(5, 6)
        for form in (xla.Shape("u8[5,6]{0,1:T(2,4)}"), blocks.Blocked("b/4 a/2 b%4 a%2", "u8", (5, 6))):
            np.testing.assert_array_equal(stride.take(form.pack(a), [4, 0, -2], 0, side=form), a[[4, 0, 3]])
            out = np.empty((5, 2), "u1")
            self.assertIs(stride.take(form.pack(a), [None, 3], side=form, fill=9, out=out), out)
            np.testing.assert_array_equal(out, np.c_[np.full(5, 9), a[:, 3]])
            row = form.pack(a)
            stride.copy(row, Side(a, runs={0: [0]}), dst_side=Side(form, runs={0: [2]}))
            np.testing.assert_array_equal(form.unpack(row)[[1, 2, 3]], a[[1, 0, 3]])
            np.testing.assert_array_equal(form.unpack(form.pack(Side(a, runs={0: slice(None, None, -1)}))), a[::-1])

    def test_elements_at_any_byte_and_swapped(self):
        records = np.zeros((4, 3), [("a", ">f8"), ("b", "i1")])
        records["a"] = np.arange(12).reshape(4, 3)
        out = np.full((2, 3), -1.0)
        stride.copy(out, Side(records["a"], runs={0: [3, None]}), fill=7.0)
        np.testing.assert_array_equal(out, [[9, 10, 11], [7, 7, 7]])
        stride.copy(Side(records["a"], runs={0: [1], 1: [2, 0]}), out[:1, :2])
        np.testing.assert_array_equal(records["a"][1], [10, 4, 9])
        stride.copy(Side(records["a"], first=10), np.array([5.0, 6.0]))
        np.testing.assert_array_equal(records["a"][3], [9, 5, 6])
        self.assertEqual(records["b"].max(), 0)
        dates = np.arange(6).astype(">M8[s]")
        swapped = np.zeros(3, "<M8[s]")
        stride.copy(swapped, Side(dates, runs={0: [5, 0, 1]}))
        self.assertEqual(swapped.tolist(), dates[[5, 0, 1]].tolist())
        nibbles = stride.empty("uint4", (4,))
        packed = stride.array(b"\x21\x43").reinterpret("uint4")
        stride.copy(nibbles, Side(packed, runs={0: [3, 0, None, 1]}), fill=b"\xff")
        self.assertEqual(nibbles.tobytes(), b"\x14\x2f")

    def test_sides_that_share_memory(self):
        a = np.arange(12).reshape(4, 3)
        expected = a[[3, 2, 1, 0]]
        stride.copy(a, Side(a, runs={0: [3, 2, 1, 0]}))
        np.testing.assert_array_equal(a, expected)
        stride.copy(Side(a, first=1, count=11), Side(a, first=0, count=11), slab_bytes=8)
        np.testing.assert_array_equal(a.reshape(-1), [9, *expected.reshape(-1)[:11]])
        memory = bytearray(range(8))
        stride.copy(memory, memory, dst_side=blocks.Blocked("b/2 a b%2", "u8", (2, 4)), src_side=Layout("u8", (2, 4)))
        self.assertEqual(list(memory), [0, 1, 4, 5, 2, 3, 6, 7])

    def test_threads_and_progress_of_large_ones(self):
        a = np.random.default_rng(5).integers(0, 255, (2000, 700), "u1")
        order = np.random.default_rng(6).permutation(2000)
        for threads in (1, 3):
            out = np.zeros_like(a)
            stride.copy(out, Side(a, runs={0: order}), threads=threads)
            np.testing.assert_array_equal(out, a[order])
            np.testing.assert_array_equal(stride.take(a, order[:300], 0, threads=threads), a[order[:300]])
        told = []
        stride.take(a, order, 0, slab_bytes=1 << 18, progress=lambda done, total: told.append(done))
        self.assertEqual((len(told) > 4, told[-1]), (True, a.nbytes))
        shape = xla.Shape("u8[2000,700]{1,0:T(8,128)}")
        packed = shape.pack(a, fill=3)
        self.assertEqual(shape.pack(a, fill=3, slab_bytes=1 << 16, threads=2), packed)
        np.testing.assert_array_equal(shape.unpack(packed, slab_bytes=1 << 16), a)
        self.assertRaises(stride.Stopped, shape.pack, a, slab_bytes=1 << 16, progress=lambda done, _: done < 1 << 20)

    def test_refused(self):
        a, out, rows = np.zeros((4, 3), "f4"), np.zeros((2, 3), "f4"), Layout("f32", (4, 3))
        shape = xla.Shape("f32[4,3]")
        for call, kind, sentence in (
            (lambda: Side(a, runs={0: [4]}), IndexError, "index 4 is outside a dimension of 4"),
            (lambda: Side(a, runs={0: [-5]}), IndexError, "index -5 is outside a dimension of 4"),
            (lambda: Side(a, runs={0: [(1, 2, 3)]}), IndexError, "index 5 is outside a dimension of 4"),
            (lambda: Side(a, runs={0: [(1, -1, 3)]}), IndexError, "index -1 is outside a dimension of 4"),
            (lambda: Side(a, runs={0: [(0, 1)]}), ValueError, r"a run is \(first, step, count\), not \(0, 1\)"),
            (lambda: Side(a, runs={0: [(0, 1, -1)]}), ValueError, "a run has -1 indices"),
            (lambda: Side(a, runs={0: [1.0]}), TypeError, "'float' object cannot be interpreted as an integer"),
            (lambda: Side(a, runs={2: [0]}), errors.InvalidAxesError, "dimension number 2 is outside -2 ... 1"),
            (lambda: Side(a, runs={1: [0], -1: [0]}), ValueError, "dimension 1 has two lists of indices"),
            (lambda: Side(a, runs={1: [0]}, first=2), ValueError, "a side has runs, or it is a range"),
            (lambda: Side(Side(a)), TypeError, "not of another side"),
            (lambda: Side([1, 2]), TypeError, "list has no buffer protocol"),
            (lambda: stride.copy(out, Side(a, first=6)), errors.ShapeMismatchError, "rank is 1, but it is 2 in dst"),
            (lambda: stride.copy(out.reshape(-1), Side(a, first=9, count=6)), errors.OutOfBoundsError, "15.*12"),
            (lambda: stride.copy(out, Side(a, runs={0: [0]})), errors.ShapeMismatchError, "size is 1, but it is 2"),
            (lambda: stride.copy(Side(out, runs={0: [0, 0]}), out.copy()), errors.OverlapError, "dst"),
            (lambda: stride.copy(Side(out, runs={0: [None, 0]}), out.copy()), errors.InvalidArgumentError, "dst"),
            (lambda: stride.copy(Side(bytes(4), first=1), b"abc"), ValueError, "dst is read-only"),
            (lambda: stride.copy(out, Side(a.astype("i4"), runs={0: [0, 1]})), TypeError, "dst has elements f32, src s32"),
            (lambda: stride.copy(out, b"abc", src_side=Side(a)), ValueError, "src_side is of an array"),
            (lambda: stride.copy(Side(out), a, dst_side=rows), ValueError, "dst is a side already"),
            (lambda: stride.copy(bytearray(47), a, dst_side=rows), errors.OutOfBoundsError, "48 bytes are needed"),
            (lambda: stride.copy(out, a, dst_side=rows), errors.ShapeMismatchError,
             "dst is neither bytes nor of dst_side's layout"),
            (lambda: stride.copy(a, a.copy(), dst_side=rows, fill=1), ValueError, "writes all of dst, so that must be bytes"),
            (lambda: shape.pack(a, fill=b"ab"), ValueError, "one byte, or the 4 of an element, not 2"),
            (lambda: shape.pack(a, fill="x"), TypeError, "'x' is no value of f32"),
            (lambda: stride.take(a, [0], 2), errors.InvalidAxesError, "dimension number 2"),
            (lambda: Plan(rows, Side(rows, runs={0: [0] * 4000})), stride.Error, ""),
        ):
            with self.subTest(sentence=sentence):
                self.assertRaisesRegex(kind, sentence, call)


if __name__ == "__main__":
    unittest.main()
