#!/usr/bin/env python3
"""NumPy as an independent oracle: random layouts, the same question to NumPy and to libstride.

    python3 tests/numpy_oracle.py path/to/libstride.so [seed [section [case]]]

Every case draws from its own generator, made of seed, section and case number, so the line that a failure prints
replays it alone. Needs ctypes and NumPy; without NumPy it is skipped.
"""

import ctypes
import itertools
import math
import random
import sys
import time

from structs import raw

try:
    import numpy as np
except ImportError:
    print("skipped: numpy oracle, numpy is missing")
    sys.exit(0)

try:  # NumPy's own bounded Diophantine solver; part of its test module, so not of every build
    from numpy._core._multiarray_tests import internal_overlap
except ImportError:
    internal_overlap = None

byte_bounds = getattr(np.lib, "array_utils", np).byte_bounds  # its place since NumPy 2.0, and before
TooHardError = getattr(np, "exceptions", np).TooHardError

OK, INDEX_OUT_OF_RANGE, BROADCAST_MISMATCH, OUT_OF_BOUNDS, OVERLAP = 0, 9, 21, 30, 31
UNSUPPORTED, NOT_REPRESENTABLE, UNDECIDED = 50, 100, 101
PACKED, COLUMN_MAJOR = 1, 2
FILL_BUFFER, ALLOW_OVERLAP = 2, 4
INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1
WIDTHS = (1, 2, 3, 4, 6, 8, 12, 16)


class Layout(raw.Layout):
    def __init__(self, width=1, sizes=(), strides=(), offset=0):
        super().__init__(0x80000000 | width, len(sizes), offset)
        self.sizes[: len(sizes)] = sizes
        self.strides[: len(sizes)] = strides

    def shape(self):
        return tuple(self.sizes[: self.rank])

    def steps(self):
        return tuple(self.strides[: self.rank])

    def __repr__(self):
        return f"sizes {self.shape()} strides {self.steps()} offset {self.offset} width {self.dtype & 0xFFFFFF}"


class Options(raw.CopyOptions):
    def __init__(self, flags=0, fill=b"", cpu_level=0):
        super().__init__(ctypes.sizeof(Options), flags, cpu_level)
        self.fill[: len(fill)] = fill


class Side(raw.Side):
    """As stride_side_init, stride_side_set_runs and stride_side_set_range make it."""

    def __init__(self, lib, kind, of, along=(), window=None):
        """`along`: dimensions and their runs, each (first, step, count); `window`: the first element and the count."""
        super().__init__()
        self.borrowed = [of, *((raw.IndexRun * max(len(runs), 1))(*runs) for _, runs in along)]
        check("side_init", lib.call("side_init", self, ctypes.c_uint32(kind), of), OK)
        for (dimension, runs), memory in zip(along, self.borrowed[1:]):
            entries = ctypes.c_uint32(dimension), ctypes.c_uint32(len(runs)), memory
            check("side_set_runs", lib.call("side_set_runs", self, *entries), OK)
        if window:
            check("side_set_range", lib.call("side_set_range", self, *map(ctypes.c_int64, window)), OK)


class Failure(Exception):
    """The two sides disagree."""


def check(what, got, expected):
    if got != expected:
        raise Failure(f"{what}: libstride says {got!r}, the oracle {expected!r}")


def i64(*numbers):
    return (ctypes.c_int64 * max(len(numbers), 1))(*numbers)


def u64(number):
    return ctypes.c_uint64(number)


class Library:
    """The functions that are tested; each returns its status, the error record is left out."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)

    def call(self, name, *arguments):
        """Calls stride_<name>. Structs go by reference, plain numbers as uint32_t."""
        function = getattr(self.library, "stride_" + name)
        function.restype = ctypes.c_int32
        convert = lambda a: ctypes.byref(a) if isinstance(a, ctypes.Structure) else a
        return function(*[convert(a) for a in arguments], None)

    def ask(self, name, *arguments, kind=ctypes.c_int64):
        """Calls a function whose last argument is an answer; the answer."""
        out = kind()
        check(f"status of {name}", self.call(name, *arguments, ctypes.byref(out)), OK)
        return out.value

    def view(self, name, *arguments):
        """Calls a function whose last argument is a layout; status and layout."""
        out = Layout()
        return self.call(name, *arguments, out), out


class Case:
    """One random case: a generator and what was drawn so far, for the message."""

    def __init__(self, library, seed, section, number):
        self.lib, self.log = library, []
        self.random = random.Random(f"{seed} {section} {number}")
        self.undecided = 0

    def note(self, *facts):
        self.log.append(" ".join(str(fact) for fact in facts))

    def sizes(self, most_rank=5, largest=5, empty=0.05):
        """Few dimensions, many of size 1, some of size 0."""
        r = self.random
        draw = lambda: 0 if r.random() < empty else 1 if r.random() < 0.25 else r.randint(2, largest)
        return tuple(draw() for _ in range(r.randint(0, most_rank)))

    def memory(self, count):
        return np.frombuffer(self.random.randbytes(max(count, 1)), np.uint8).copy()

    def array(self, width, sizes, strides, offset, memory, base=0):
        """A NumPy array over `memory`: strides and offset in elements, `base` in bytes."""
        where = base + offset * width if math.prod(sizes) else 0
        steps = [stride * width if size > 1 else 0 for size, stride in zip(sizes, strides)]
        return np.ndarray(sizes, f"V{width}", memory, where, steps)

    def dense(self, width):
        """A packed array in a random order of its dimensions, as NumPy and as a layout made from its byte strides."""
        sizes = self.sizes()
        order = self.random.sample(range(len(sizes)), len(sizes))
        memory = self.memory(math.prod(sizes) * width)
        array = np.ndarray([sizes[d] for d in order], f"V{width}", memory).transpose(np.argsort(order).astype(int))
        status, layout = self.lib.view_made("layout_init_byte_strides", width, array.shape, array.strides)
        check("init_byte_strides", status, OK)
        self.note("base", layout)
        return memory, array, layout

    def same(self, what, layout, array, memory):
        """Shape, strides where they mean something, and place must be equal."""
        check(f"{what}: sizes", layout.shape(), array.shape)
        if not array.size:
            return
        width = array.itemsize
        meaningful = lambda strides: tuple(s for s, n in zip(strides, array.shape) if n > 1)
        check(f"{what}: strides", meaningful(layout.steps()), tuple(s // width for s in meaningful(array.strides)))
        place = array.__array_interface__["data"][0] - memory.__array_interface__["data"][0]
        check(f"{what}: offset", layout.offset, place // width)


def view_made(self, name, width, sizes, *lists):
    """Calls stride_layout_init...(out, dtype, rank, sizes, list...)."""
    out = Layout()
    lists = [i64(*entries) for entries in lists]
    return self.call(name, out, ctypes.c_uint32(0x80000000 | width), len(sizes), i64(*sizes), *lists), out


Library.view_made = view_made


# Each section is a function of a case.


def views(case):
    """A chain of view operations on one array."""
    r, lib = case.random, case.lib
    width = r.choice(WIDTHS)
    memory, array, layout = case.dense(width)
    for _ in range(r.randint(1, 4)):
        rank = array.ndim
        operation = r.choice(["permute", "slice", "flip", "diagonal", "reshape", "broadcast", "expand", "squeeze"])
        axes_of = lambda count, rank: [a - r.choice([0, rank]) for a in r.sample(range(rank), count)]
        if operation == "permute":
            axes = axes_of(rank, rank)
            case.note(operation, axes)
            (status, layout), array = lib.view("layout_permute", layout, rank, i64(*axes)), array.transpose(axes)
        elif operation == "slice":
            bound = lambda size: r.choice([INT64_MIN, INT64_MAX, *range(-size - 2, size + 3)])
            step = lambda: r.choice([-3, -2, -1, -1, 1, 1, 1, 2, 3, INT64_MIN, INT64_MAX])
            cuts = [(bound(n), bound(n), step()) for n in array.shape]
            lists = [list(entries) for entries in zip(*cuts)] if cuts else [[], [], []]
            given = [r.random() < 0.8 for _ in lists]
            case.note(operation, [entries if there else None for there, entries in zip(given, lists)])
            pointers = [i64(*entries) if there else None for there, entries in zip(given, lists)]
            status, layout = lib.view("layout_slice", layout, rank, *pointers)
            numpy_cut = [slice(*(c if there else None for there, c in zip(given, cut))) for cut in cuts]
            array = array[(*numpy_cut, ...)]
        elif operation == "flip":
            axes = axes_of(r.randint(0, rank), rank)
            case.note(operation, axes)
            status, layout = lib.view("layout_flip", layout, len(axes), i64(*axes))
            array = np.flip(array, tuple(axes)) if rank else array  # NumPy makes a scalar of rank 0
        elif operation == "diagonal" and rank >= 2:
            (first, second), k = axes_of(2, rank), r.randint(-5, 5)
            case.note(operation, k, first, second)
            arguments = ctypes.c_int64(k), ctypes.c_int64(first), ctypes.c_int64(second)
            status, layout = lib.view("layout_diagonal", layout, *arguments)
            array = array.diagonal(k, first, second)
        elif operation == "reshape":
            sizes = reshaped(r, array.shape)
            case.note(operation, sizes)
            status, new = lib.view("layout_reshape", layout, len(sizes), i64(*sizes))
            expected = array.reshape(sizes)
            if array.size and not np.may_share_memory(expected, array):  # NumPy made a copy
                check("reshape", status, NOT_REPRESENTABLE)
                continue
            if not array.size:
                expected = array = expected.copy()
            layout, array = new, expected
        elif operation == "broadcast":
            sizes = [r.choice([0, 2, 3]) if n == 1 and r.random() < 0.5 else n for n in array.shape]
            sizes = [r.randint(1, 3) for _ in range(r.randint(0, 2))] + sizes
            if math.prod(sizes) > 20000:
                continue
            case.note(operation, sizes)
            status, layout = lib.view("layout_broadcast_to", layout, len(sizes), i64(*sizes))
            array = np.broadcast_to(array, sizes)
        elif operation == "expand":
            count = r.randint(0, 2)
            axes = axes_of(count, rank + count)
            case.note(operation, axes)
            status, layout = lib.view("layout_expand_dims", layout, count, i64(*axes))
            array = np.expand_dims(array, tuple(axes))
        elif operation == "squeeze":
            ones = [d for d, n in enumerate(array.shape) if n == 1]
            axes = r.sample(ones, r.randint(0, len(ones)))
            case.note(operation, axes)
            status, layout = lib.view("layout_squeeze", layout, len(axes), i64(*axes))
            array = array.squeeze(tuple(axes))
        else:
            continue
        check(f"status of {operation}", status, OK)
        if array.size:
            case.same(operation, layout, array, memory)
        else:
            check(f"{operation}: sizes", layout.shape(), array.shape)
    facts(case, layout, array, memory)


def readings(case):
    """Windows, other strides, other dtypes, one dimension less or more, two parts of one array."""
    r, lib = case.random, case.lib
    width = r.choice(WIDTHS)
    memory, array, layout = case.dense(width)
    rank = array.ndim
    operation = r.choice(["window", "as_strided", "reinterpret", "select", "repeat", "cut"])
    case.note(operation)
    if operation == "window":
        if rank > 3:
            return
        windows = [r.randint(0 if r.random() < 0.1 else 1, max(n, 1) + 1) for n in array.shape]
        steps, dilations = [[r.choice([1, 1, 2, 3]) for _ in array.shape] for _ in range(2)]
        given = r.random() < 0.7
        steps, dilations = (steps, dilations) if given else ([1] * rank, [1] * rank)
        case.note(windows, steps, dilations)
        lists = [i64(*entries) if given else None for entries in (steps, dilations)]
        status, found = lib.view("layout_window", layout, rank, i64(*windows), *lists)
        check("status", status, OK)
        covered = [(w - 1) * d + 1 if w else 0 for w, d in zip(windows, dilations)]
        if any(c > n for c, n in zip(covered, array.shape)):  # NumPy refuses what has no window
            check("no window", math.prod(found.shape()), 0)
            return
        expected = np.lib.stride_tricks.sliding_window_view(array, covered) if rank else array
        cuts = [slice(None, None, step) for step in (*steps, *dilations)]
        case.same("window", found, expected[(*cuts, ...)], memory)
    elif operation == "as_strided":
        sizes = case.sizes(most_rank=3, largest=4)
        strides = [r.randint(-6, 6) for _ in sizes]
        offset = r.randint(0, max(array.size, 1))
        case.note(sizes, strides, offset)
        status, found = lib.view(
            "layout_as_strided", layout, len(sizes), i64(*sizes), i64(*strides), ctypes.c_int64(offset)
        )
        reached = offsets(sizes, strides, offset)
        inside = not reached.size or (array.size and reached.min() >= 0 and reached.max() < array.size)
        check("status", status, OK if inside else OUT_OF_BOUNDS)
        if inside and reached.size:
            start = memory[offset * width : (offset + 1) * width].view(f"V{width}")
            steps = [stride * width for stride in strides]
            case.same(operation, found, np.lib.stride_tricks.as_strided(start, sizes, steps), memory)
    elif operation == "reinterpret":
        new = r.choice(WIDTHS)
        case.note("width", new)
        status, found = lib.view("layout_reinterpret", layout, ctypes.c_uint32(0x80000000 | new))
        try:
            expected = array.view(f"V{new}")
        except ValueError:
            check("refused", status != OK, True)
            return
        # NumPy's strides are in bytes and need not be whole elements.
        whole = all(s % new == 0 for s, n in zip(expected.strides, expected.shape) if n > 1)
        check("status", status, OK if whole or not array.size else NOT_REPRESENTABLE)
        if status == OK:
            case.same(operation, found, expected, memory)
    elif operation == "select" and rank:
        axis = r.randrange(-rank, rank)
        index = r.randint(-array.shape[axis] - 1, array.shape[axis])
        case.note(axis, index)
        status, found = lib.view("layout_select", layout, ctypes.c_int64(axis), ctypes.c_int64(index))
        if not -array.shape[axis] <= index < array.shape[axis]:
            check("status", status, INDEX_OUT_OF_RANGE)
            return
        check("status", status, OK)
        place = (slice(None),) * (axis % rank) + (slice(index, index + 1 or None),)
        case.same(operation, found, array[place].squeeze(axis), memory)
    elif operation == "repeat":
        axis, count = r.randrange(-rank - 1, rank + 1), r.randint(0, 3)
        case.note(axis, count)
        status, found = lib.view("layout_repeat", layout, ctypes.c_int64(axis), ctypes.c_int64(count))
        check("status", status, OK)
        sizes = list(array.shape)
        sizes.insert(axis % (rank + 1), count)
        case.same(operation, found, np.broadcast_to(np.expand_dims(array, axis), sizes), memory)
    elif operation == "cut" and rank:
        axis = r.randrange(-rank, rank)
        position = r.randint(0, array.shape[axis])
        case.note(axis, position)
        front = Layout()
        arguments = layout, ctypes.c_int64(axis), ctypes.c_int64(position), front
        status, back = lib.view("layout_cut", *arguments)
        check("status", status, OK)
        for side, expected in zip((front, back), np.split(array, [position], axis)):
            case.same(operation, side, expected, memory)


def reshaped(r, shape):
    """Other sizes with the same product: the factors in order, some joined; sometimes one of them as -1."""
    count = math.prod(shape)
    if count == 0:
        sizes = [0] + [r.randint(1, 4) for _ in range(r.randint(0, 2))]
        r.shuffle(sizes)
        return sizes
    sizes, rest = [], count
    while rest > 1:
        factor = r.choice([f for f in range(2, rest + 1) if rest % f == 0])
        sizes.append(factor)
        rest //= factor
    for _ in range(r.randint(0, 2)):
        sizes.insert(r.randint(0, len(sizes)), 1)
    if r.random() < 0.5 and len(shape) > 1:  # cut where the old sizes are cut: mostly a view
        at = r.randint(0, len(shape) - 1)
        sizes = [*shape[:at], math.prod(shape[at : at + 2]), *shape[at + 2 :]]
    if sizes and r.random() < 0.3:
        sizes[r.randrange(len(sizes))] = -1
    return sizes


def facts(case, layout, array, memory):
    """Count, span, formats and bytes of one array."""
    lib = case.lib
    check("element count", lib.ask("layout_element_count", layout), array.size)
    flags = lib.ask("layout_classify", layout, kind=ctypes.c_uint32)
    check("packed", bool(flags & PACKED), array.flags.c_contiguous)
    check("column-major", bool(flags & COLUMN_MAJOR), array.flags.f_contiguous)
    if array.size:
        base = memory.__array_interface__["data"][0]
        low, end = [(address - base) // array.itemsize for address in byte_bounds(array)]
        lowest, highest = ctypes.c_int64(), ctypes.c_int64()
        status = lib.call("layout_span", layout, ctypes.byref(lowest), ctypes.byref(highest))
        check("span", (status, lowest.value, highest.value), (OK, low, end - 1))
        check("min_bytes", lib.ask("layout_min_bytes", layout, kind=ctypes.c_uint64), end * array.itemsize)


def indices(case):
    """ravel_multi_index and unravel_index, and the place of one element."""
    r, lib = case.random, case.lib
    sizes = [r.choice([1, 2, 3, 7, 1000, 2**r.randint(0, 12)]) for _ in range(r.randint(1, 5))]
    strides = [r.randint(-1000, 1000) for _ in sizes]
    layout = Layout(1, sizes, strides, r.randint(-1000, 1000))
    index = [r.randrange(size) for size in sizes]
    case.note(layout, index)
    linear = int(np.ravel_multi_index(index, sizes))
    check("ravel", lib.ask("layout_ravel_index", layout, len(sizes), i64(*index)), linear)
    out = i64(*[0] * len(sizes))
    check("unravel status", lib.call("layout_unravel_index", layout, ctypes.c_int64(linear), len(sizes), out), OK)
    check("unravel", tuple(out), tuple(int(i) for i in np.unravel_index(linear, sizes)))
    place = layout.offset + int(np.dot(index, strides))
    check("offset", lib.ask("layout_offset", layout, len(sizes), i64(*index)), place)


def orders(case):
    """Dense layouts in any order of the dimensions: strides from the order, the order from the strides."""
    r, lib = case.random, case.lib
    sizes = case.sizes(empty=0.02)
    order = r.sample(range(len(sizes)), len(sizes))  # fastest first
    case.note(sizes, order)
    slowest_first = order[::-1]
    array = np.empty([sizes[d] for d in slowest_first], np.uint8).transpose(np.argsort(slowest_first).astype(int))
    status, layout = lib.view_made("layout_init_ordered", 1, sizes, order)
    check("status", status, OK)
    case.same("init_ordered", layout, array, array)
    out = i64(*[0] * len(sizes))
    check("minor_to_major status", lib.call("layout_minor_to_major", layout, len(sizes), out), OK)
    found = list(out)[: len(sizes)]
    if array.size:
        large = lambda dimensions: [d for d in dimensions if sizes[d] > 1]
        check("minor_to_major", (sorted(found), large(found)), (sorted(order), large(order)))
        for d in (d for d, n in enumerate(sizes) if n == 1):
            # Just major to the next larger dimension on the right, or with none there among the most minor.
            right = next((k for k in range(d + 1, len(sizes)) if sizes[k] > 1), None)
            below = large(found[: found.index(d)])
            check(f"place of dimension {d}", below[-1:], [] if right is None else [right])


def broadcasts(case):
    """Zero to four shapes by NumPy's rule."""
    r, lib = case.random, case.lib
    common = case.sizes(most_rank=4, largest=4)
    shapes = []
    for _ in range(r.randint(0, 4)):
        shape = [1 if r.random() < 0.3 else n for n in common[r.randint(0, len(common)) :]]
        if shape and r.random() < 0.1:
            shape[r.randrange(len(shape))] = r.randint(0, 5)
        shapes.append(shape)
    case.note(shapes)
    rank, sizes = ctypes.c_uint32(), i64(*[0] * 64)
    ranks = (ctypes.c_uint32 * max(len(shapes), 1))(*map(len, shapes))
    every = i64(*itertools.chain(*shapes))
    status = lib.call("broadcast_sizes", len(shapes), ranks, every, ctypes.byref(rank), sizes)
    try:
        expected = np.broadcast_shapes(*map(tuple, shapes))
    except ValueError:
        check("mismatch", status, BROADCAST_MISMATCH)
        return
    check("status", status, OK)
    check("sizes", tuple(sizes[: rank.value]), expected)
    memory = np.zeros(2000, np.uint8)
    arrays = [np.ndarray(shape, np.uint8, memory, r.randint(0, 9)) for shape in shapes]
    places = [a.__array_interface__["data"][0] - memory.__array_interface__["data"][0] for a in arrays]
    layouts = (Layout * max(len(shapes), 1))()
    for k, (array, place) in enumerate(zip(arrays, places)):
        layouts[k] = Layout(1, array.shape, array.strides, place)
    check("layouts", lib.call("broadcast_layouts", len(shapes), layouts, layouts), OK)
    for k, array in enumerate(arrays):
        case.same(f"operand {k}", layouts[k], np.broadcast_to(array, expected), memory)


def strided(case, sizes, any_strides):
    """Strides and offset that stay at or above the base: nested with gaps and flips, or anything."""
    r = case.random
    strides = [0] * len(sizes)
    if any_strides:
        strides = [r.randint(-7, 7) for _ in sizes]
    else:
        step = r.choice([1, 1, 1, 2, 3])
        for d in r.sample(range(len(sizes)), len(sizes)):
            strides[d] = step * r.choice([1, 1, 1, -1])
            step = step * max(sizes[d], 1) + r.choice([0, 0, 0, 1, 5])
    reach = [(n - 1) * s for n, s in zip(sizes, strides)] if math.prod(sizes) else []
    offset = -sum(min(x, 0) for x in reach) + r.choice([0, 0, 1, 4])
    strides = [s if n > 1 else r.choice([s, 0, -3, INT64_MAX, INT64_MIN]) for n, s in zip(sizes, strides)]
    return strides, offset, offset + sum(max(x, 0) for x in reach) + 1


def offsets(array_sizes, strides, offset):
    """The element offset of every index, in row-major order."""
    out = np.full(array_sizes, offset, np.int64)
    for d, (size, stride) in enumerate(zip(array_sizes, strides)):
        if size > 1:
            out += (np.arange(size) * stride).reshape([-1 if k == d else 1 for k in range(len(array_sizes))])
    return out


def copy_sizes(case):
    r = case.random
    if r.random() < 0.2:  # large enough for tiles and their remainders
        sizes = [r.choice([1, 2, 3, 4, 8, 15, 16, 17, 33, 40, 65, 130]) for _ in range(r.randint(1, 3))]
        return tuple(sizes) if math.prod(sizes) <= 9000 else tuple(min(n, 17) for n in sizes)
    return case.sizes(empty=0.03)


def sides(case, width, sizes, destination_any):
    """Two layouts of these sizes."""
    dst, src = strided(case, sizes, destination_any), strided(case, sizes, case.random.random() < 0.5)
    layouts = [Layout(width, sizes, strides, offset) for strides, offset, _ in (dst, src)]
    case.note("dst", layouts[0])
    case.note("src", layouts[1])
    return dst, src, layouts


def address(memory, byte):
    return ctypes.c_void_p(memory.__array_interface__["data"][0] + byte)


def copies(case):
    """A copy between two buffers, whole destination buffers compared: as one call, with the rest filled, in parts."""
    r, lib = case.random, case.lib
    width, sizes = r.choice(WIDTHS), copy_sizes(case)
    (dst_strides, dst_offset, dst_end), (src_strides, src_offset, src_end), (dst, src) = sides(
        case, width, sizes, r.random() < 0.3
    )
    dst_base, src_base, tail = r.randint(0, 3), r.randint(0, 3), r.choice([0, 0, 7])
    dst_memory = case.memory(dst_base + dst_end * width + tail)
    src_memory = case.memory(src_base + src_end * width)
    dst_bytes = len(dst_memory) - dst_base
    way = r.choice(["copy", "copy", "fill rest", "parts", "short", "compare", "fill"])
    case.note(way, "base", dst_base, src_base, "bytes", dst_bytes)
    expected = dst_memory.copy()
    to = case.array(width, sizes, dst_strides, dst_offset, expected, dst_base)
    source = case.array(width, sizes, src_strides, src_offset, src_memory, src_base)
    reached = offsets(sizes, dst_strides, dst_offset)
    distinct = len(np.unique(reached)) == reached.size
    src_side = address(src_memory, src_base), u64(len(src_memory) - src_base)
    dst_at = address(dst_memory, dst_base)

    if way == "compare":
        found = lib.ask("compare", dst, dst_at, u64(dst_bytes), src, *src_side)
        rows = [np.frombuffer(side.tobytes(), np.uint8).reshape(-1, width) for side in (to, source)]
        differ = np.flatnonzero((rows[0] != rows[1]).any(axis=1))
        check("first difference", found, int(differ[0]) if len(differ) else -1)
        return
    if way == "fill":
        value = case.memory(width)
        check("status", lib.call("fill", dst, dst_at, u64(dst_bytes), address(value, 0)), OK)
        to[...] = value.view(f"V{width}")[0]
        same_bytes(dst_memory, expected)
        return

    flags, fill = (FILL_BUFFER, r.randbytes(16)) if way == "fill rest" else (0, b"")
    level = r.choice([0, 0, 1, 2, 3, 4])  # the best there is, or no better than scalar, SSSE3, AVX2, AVX-512
    case.note("cpu level", level)
    options = Options(flags, fill, level)
    if way == "short":
        needed = dst_end * width if reached.size else 0
        dst_bytes = r.randint(0, max(needed - 1, 0))
    if way == "parts":
        plan = raw.Plan()
        status = lib.call("plan_init", plan, dst, src, options)
        parts = r.randint(1, 9)
        order = r.sample(range(parts), parts)
        case.note("order of parts", order)
        for part in order if status == OK else []:
            status = lib.call("plan_execute_part", plan, dst_at, u64(dst_bytes), *src_side, part, parts)
            check(f"status of part {part}", status, OK)
    else:
        status = lib.call("copy", dst, dst_at, u64(dst_bytes), src, *src_side, options)
    if not distinct:
        check("status", status, OVERLAP)
    elif way == "short" and reached.size:
        check("status", status, OUT_OF_BOUNDS)
    else:
        check("status", status, OK)
        if way == "fill rest":
            element = bytes(fill[k % 16] for k in range(width))
            expected[dst_base:] = np.frombuffer((element * (dst_bytes // width + 1))[:dst_bytes], np.uint8)
        to[...] = source
    same_bytes(dst_memory, expected)


def same_bytes(got, expected):
    if not np.array_equal(got, expected):
        first = int(np.flatnonzero(got != expected)[0])
        raise Failure(f"byte {first} is {got[first]}, should be {expected[first]}")


def seen_source(case, array):
    """A dimension of a source through runs: the dimension, the runs, and what NumPy makes of the array; -1 of `take` is
    the fill value. Fewer dimensions have indices than are wanted if the array has none."""
    r = case.random
    axis = r.randrange(array.ndim)
    n = array.shape[axis]
    fits = lambda most: r.randint(0, most)
    padded = lambda before, after, **how: np.pad(array, [(before, after) if k == axis else (0, 0) for k in range(array.ndim)], **how)
    way = r.choice(["take", "roll", "slice", "repeat", "edge", "reflect", "symmetric", "wrap"] if n else ["nothing"])
    case.note("src", way, "axis", axis)
    if way == "take":
        indices = [r.randrange(n) for _ in range(fits(9))]
        return axis, [(index, r.choice([0, 1, -7]), 1) for index in indices], np.take(array, np.array(indices, int), axis)
    if way == "roll":
        k = fits(n)
        return axis, [(n - k, 1, k), (0, 1, n - k)] if k else [(0, 1, n)], np.roll(array, k, axis)
    if way == "slice":
        first, step = r.randrange(n), r.choice([1, 2, 3, -1, -2])
        picked = range(n)[first::step]
        cut = tuple(slice(first, None, step) if k == axis else slice(None) for k in range(array.ndim))
        return axis, [(first, step, len(picked))], array[cut]
    if way == "repeat":
        times = fits(3)
        return axis, [(index, 0, times) for index in range(n)], np.repeat(array, times, axis)
    if way == "nothing":
        return axis, [], array
    if way == "edge":
        before, after = fits(5), fits(5)
        runs = (0, 0, before), (0, 1, n), (n - 1, 0, after)
    elif way == "reflect":
        before, after = fits(n - 1), fits(n - 1)
        runs = (before, -1, before), (0, 1, n), (n - 2, -1, after)
    elif way == "symmetric":
        before, after = fits(n), fits(n)
        runs = (before - 1, -1, before), (0, 1, n), (n - 1, -1, after)
    else:
        before, after = fits(n), fits(n)
        runs = (n - before, 1, before), (0, 1, n), (0, 1, after)
    return axis, [run for run in runs if run[2] or r.random() < 0.5], padded(before, after, mode=way)


def seen_destination(case, size):
    """Distinct indices of a longer dimension, `size` of them: its length, the runs, and the indices."""
    r = case.random
    way = r.choice(["all", "permutation", "roll", "slice"] if size else ["all"])
    case.note("dst", way)
    if way == "permutation":
        n = size + r.choice([0, 0, 3])
        indices = r.sample(range(n), size)
        return n, [(index, r.choice([0, 1, 5]), 1) for index in indices], indices
    if way == "roll":
        k = r.randrange(size)
        runs = [run for run in ((size - k, 1, k), (0, 1, size - k)) if run[2]]
        return size, runs, np.roll(np.arange(size), k).tolist()
    if way == "slice":
        step, first = r.choice([1, 2, 3, -1, -2]), r.randint(0, 3)
        n = first + (size - 1) * abs(step) + 1 + r.randint(0, 2)
        first = first if step > 0 else n - 1 - first
        return n, [(first, step, size)], list(range(first, first + size * step, step))
    return size, [(0, 1, size)], list(range(size))


def seen_sides(case):
    """Copies between layouts of which runs or a range are seen, beside take, roll, pad, repeat, slices and flat."""
    r, lib = case.random, case.lib
    width, sizes = r.choice(WIDTHS), copy_sizes(case)
    strides, offset, end = strided(case, sizes, r.random() < 0.3)
    src_memory = case.memory(end * width)
    source, src = case.array(width, sizes, strides, offset, src_memory), Layout(width, sizes, strides, offset)
    case.note("src", src)
    values, src_along, src_window, filled = source, [], None, None
    if r.random() < 0.25:
        first = r.randint(0, source.size)
        src_window = first, r.randint(0, source.size - first)
        values = source.ravel()[first:sum(src_window)]
    elif sizes:
        for _ in range(r.randint(0, 2)):
            axis, runs, seen = seen_source(case, values)
            if all(axis != other for other, _ in src_along) and seen.size <= 20000:
                values = seen
                src_along.append((axis, runs))
    if src_along and r.random() < 0.3:  # The fill value around what was seen so far.
        axis, runs = src_along[-1]
        before, after = r.randint(0, 3), r.randint(1, 3)
        src_along[-1] = axis, [(-1, 0, before), *runs, (-1, r.choice([0, 1]) if after == 1 else 0, after)]
        filled = np.zeros(values.shape, bool)
        filled = np.pad(filled, [(before, after) if k == axis else (0, 0) for k in range(values.ndim)], constant_values=True)
        values = np.pad(values, [(before, after) if k == axis else (0, 0) for k in range(values.ndim)], mode="empty")
    fill = r.randbytes(16)
    if filled is not None:
        values = values.copy()
        values[filled] = np.frombuffer(bytes(fill[k % 16] for k in range(width)), f"V{width}")[0]

    # The destination is seen with the sizes of the values.
    dst_sizes, dst_along, dst_window, picked = list(values.shape), [], None, None
    if values.ndim == 1 and r.random() < 0.5:
        count = values.size
        first = r.randint(0, 4)
        whole = first + count + r.randint(0, 3)
        by = r.choice([by for by in range(1, 9) if whole % by == 0]) if whole else 1
        dst_sizes, dst_window = [whole // by, by], (first, count)
    else:
        picked = [np.arange(n) for n in dst_sizes]
        for axis in r.sample(range(values.ndim), min(values.ndim, r.randint(0, 2))):
            dst_sizes[axis], runs, picked[axis] = seen_destination(case, dst_sizes[axis])
            dst_along.append((axis, runs))
    strides, offset, end = strided(case, dst_sizes, False)
    dst_memory = case.memory(end * width + r.choice([0, 7]))
    dst = Layout(width, dst_sizes, strides, offset)
    way = r.choice(["copy", "copy", "fill rest", "parts"])
    case.note("dst", dst, "along", dst_along, "window", dst_window, "src along", src_along, "window", src_window, way)
    expected = dst_memory.copy()
    if way == "fill rest":
        element = bytes(fill[k % 16] for k in range(width))
        expected[:] = np.frombuffer((element * (expected.size // width + 1))[:expected.size], np.uint8)
    to = case.array(width, dst_sizes, strides, offset, expected)
    if dst_window:
        if values.size:
            to.flat[dst_window[0]:sum(dst_window)] = values
    elif values.ndim:
        to[np.ix_(*(np.array(indices, int) for indices in picked))] = values
    else:
        to[...] = values

    both = Side(lib, 1, dst, dst_along, dst_window), Side(lib, 1, src, src_along, src_window)
    options = Options(FILL_BUFFER if way == "fill rest" else 0, fill, r.choice([0, 0, 1, 2, 3, 4]))
    options.overlap_budget = 10**9  # Runs that do not ascend are held against each other.
    buffers = [(address(memory, 0), u64(memory.size)) for memory in (dst_memory, src_memory)]
    if way == "parts":
        plan, parts = raw.Plan(), r.randint(1, 7)
        status = lib.call("plan_init_sides", plan, *both, options)
        many = sum(len(runs) for _, runs in [*dst_along, *src_along])
        if status == UNSUPPORTED and many > 100:
            return
        check("status of the plan", status, OK)
        for part in r.sample(range(parts), parts):
            status = lib.call("plan_execute_part", plan, *buffers[0], *buffers[1], part, parts)
            check(f"status of part {part}", status, OK)
    else:
        check("status", lib.call("copy_sides", both[0], *buffers[0], both[1], *buffers[1], options), OK)
    same_bytes(dst_memory, expected)


def overlapping(case):
    """Copies inside one buffer: refused where bytes are shared, and with memmove's semantics if allowed."""
    r, lib = case.random, case.lib
    width, sizes = r.choice(WIDTHS), case.sizes(most_rank=3)
    dst_side, src_side, (dst, src) = sides(case, width, sizes, False)
    if r.random() < 0.5:  # equal strides, another place
        src_side, src = dst_side, Layout(width, sizes, dst_side[0], dst_side[1])
    ends = max(dst_side[2], src_side[2]) * width
    shift = r.choice([0, 0, width, 2 * width, r.randint(0, 40)])
    dst_base, src_base = r.choice([(0, shift), (shift, 0)])
    memory = case.memory(ends + shift)
    expected = memory.copy()
    case.note("base", dst_base, src_base)
    to = case.array(width, sizes, dst_side[0], dst_side[1], expected, dst_base)
    source = case.array(width, sizes, src_side[0], src_side[1], expected, src_base)
    arguments = address(memory, dst_base), u64(len(memory) - dst_base), address(memory, src_base)
    arguments += (u64(len(memory) - src_base),)
    shared = np.shares_memory(to, source)
    identical = to.size and np.array_equal(
        offsets(sizes, dst_side[0], dst_side[1]) * width + dst_base,
        offsets(sizes, src_side[0], src_side[1]) * width + src_base,
    )
    a, b = address(memory, dst_base).value, address(memory, src_base).value
    question = dst, u64(a), src, u64(b), u64(0)
    check("layouts_overlap", bool(lib.ask("layouts_overlap", *question, kind=ctypes.c_uint32)), shared)
    refused = shared and not identical
    before = memory.copy()
    status = lib.call("copy", dst, *arguments[:2], src, *arguments[2:], None)
    check("copy", status, OVERLAP if refused else OK)
    if refused:
        same_bytes(memory, before)
        plan = raw.Plan()
        check("plan", lib.call("plan_init", plan, dst, src, Options(ALLOW_OVERLAP)), OK)
        needed = lib.ask("plan_scratch_bytes", plan, u64(a), u64(b), kind=ctypes.c_uint64)
        check("scratch is no more than the copy", needed <= to.size * width, True)
        scratch = np.zeros(max(needed, 1), np.uint8)
        if r.random() < 0.5:
            given = address(scratch, 0), u64(needed)
            check("with scratch", lib.call("plan_execute_scratch", plan, *arguments, *given), OK)
        else:
            options = Options(ALLOW_OVERLAP)
            options.scratch, options.scratch_bytes = address(scratch, 0), needed
            check("with scratch", lib.call("copy", dst, *arguments[:2], src, *arguments[2:], options), OK)
    to[...] = source.copy()  # NumPy 2.4 makes no copy of its own in one dimension: m[1:5] = m[0:12:3] goes wrong there
    same_bytes(memory, expected)


def overlaps(case):
    """Whether a layout meets itself, and whether two meet, for arbitrary strides and element sizes."""
    r, lib = case.random, case.lib
    width, sizes = r.choice(WIDTHS), case.sizes(most_rank=4, largest=6)
    span = r.choice([4, 12, 40])
    strides = [r.randint(-span, span) for _ in sizes]
    offset = -sum(min((n - 1) * s, 0) for n, s in zip(sizes, strides)) if math.prod(sizes) else 0
    layout = Layout(width, sizes, strides, offset)
    case.note(layout)
    reached = offsets(sizes, strides, offset)
    answer = ctypes.c_uint32()
    status = lib.call("layout_self_overlap", layout, u64(0), ctypes.byref(answer))
    if status == UNDECIDED:
        case.undecided += 1
    else:
        check("self_overlap", (status, bool(answer.value)), (OK, len(np.unique(reached)) < reached.size))
    if internal_overlap is not None and reached.size:
        end = int(reached.max()) + 1
        array = case.array(width, sizes, strides, offset, np.empty(end * width, np.uint8))
        check("brute force agrees with NumPy", internal_overlap(array) != 0, len(np.unique(reached)) < reached.size)

    other_width, other_sizes = r.choice(WIDTHS), case.sizes(most_rank=3, largest=6)
    other_strides, other_offset, other_end = strided(case, other_sizes, True)
    other = Layout(other_width, other_sizes, other_strides, other_offset)
    place, other_place = r.randint(0, 60), r.randint(0, 60)
    case.note("other", other, "at", place, other_place)
    end = int(reached.max()) + 1 if reached.size else 1
    memory = np.empty(60 + max(end * width, other_end * other_width), np.uint8)
    first = case.array(width, sizes, strides, offset, memory, place)
    second = case.array(other_width, other_sizes, other_strides, other_offset, memory, other_place)
    base = 1 << 40
    question = layout, u64(base + place), other, u64(base + other_place), u64(0)
    status = lib.call("layouts_overlap", *question, ctypes.byref(answer))
    if status == UNDECIDED:
        case.undecided += 1
    else:
        check("layouts_overlap", (status, bool(answer.value)), (OK, np.shares_memory(first, second)))


def hard_overlaps(case):
    """The same questions about layouts too large for brute force. No memory is touched; either side may give up."""
    r, lib = case.random, case.lib
    memory = np.empty(16 + 5000, np.uint8)

    def one():
        width, rank = r.choice(WIDTHS), r.randint(1, 4)
        sizes = [r.choice([2, 3, 10, r.randint(2, 1000)]) for _ in range(rank)]
        scale = r.choice([1, 1, 2, 6, 60])
        strides = [scale * r.randint(-3000, 3000) for _ in range(rank)]
        place = r.randint(0, 5000)
        start = memory[place : place + width].view(f"V{width}")
        array = np.lib.stride_tricks.as_strided(start, sizes, [s * width for s in strides])
        layout = Layout(width, sizes, strides)
        case.note(layout, "at", place)
        return array, layout, u64(address(memory, place).value)

    def agree(what, name, arguments, numpy_answer):
        answer = ctypes.c_uint32()
        status = lib.call(name, *arguments, ctypes.byref(answer))
        try:
            expected = numpy_answer()
        except TooHardError:
            return
        if status == UNDECIDED:
            case.undecided += 1
        else:
            check(what, (status, bool(answer.value)), (OK, bool(expected)))

    (first, layout, first_at), (second, other, second_at) = one(), one()
    work = 20000
    if internal_overlap is not None:
        agree("self_overlap", "layout_self_overlap", (layout, u64(0)), lambda: internal_overlap(first, work))
    question = layout, first_at, other, second_at, u64(0)
    agree("layouts_overlap", "layouts_overlap", question, lambda: np.shares_memory(first, second, work))


SECTIONS = {
    views: 12000,
    readings: 20000,
    indices: 6000,
    orders: 6000,
    broadcasts: 8000,
    copies: 30000,
    seen_sides: 15000,
    overlapping: 15000,
    overlaps: 15000,
    hard_overlaps: 15000,
}


def run_sections(title, sections, path, seed="1", section=None, number=None):
    """Runs so many cases of every section, or of one, or one case; the exit status."""
    library = Library(path)
    print(f"{title}, seed {seed}")
    for run, count in sections.items():
        if section not in (None, run.__name__):
            continue
        start, undecided = time.monotonic(), 0
        for k in range(count) if number is None else [int(number)]:
            case = Case(library, seed, run.__name__, k)
            try:
                run(case)
            except Exception as failure:
                print(f"FAILED: {run.__name__}, case {k}", *case.log, sep="\n  ")
                print(f"  {type(failure).__name__}: {failure}")
                print(f"replay: python3 {sys.argv[0]} {path} {seed} {run.__name__} {k}")
                if not isinstance(failure, Failure):
                    raise
                return 1
            undecided += case.undecided
        if number is None and undecided > count // 100:
            print(f"FAILED: {run.__name__}: {undecided} of {count} cases are undecided")
            return 1
        open_cases = f", {undecided} undecided" if undecided else ""
        print(f"  {run.__name__}: {k + 1 if number is None else 1} cases, {time.monotonic() - start:.1f} s{open_cases}")
    return 0


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 5:
        sys.exit(__doc__)
    sys.exit(run_sections(f"numpy oracle: NumPy {np.__version__}", SECTIONS, *sys.argv[1:]))
