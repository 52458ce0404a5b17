#!/usr/bin/env python3
"""MPI as the oracle of copies in row-major order: random views as derived datatypes, which MPI_Pack packs, MPI_Unpack
unpacks and MPI_Sendrecv sends to one of another shape. The order of a type map of nested vectors is row-major.

    python3 tests/mpi_oracle.py path/to/libstride.so [seed [cases]]

Needs NumPy, mpi4py and an MPI (`pip install mpich mpi4py`); without them it is skipped.
"""

import ctypes
import os
import random
import sys

try:
    import numpy as np
    from mpi4py import MPI
except ImportError as missing:
    print("skipped: MPI,", missing)
    sys.exit(0)
except RuntimeError as missing:  # mpi4py is there, the library of MPI is not.
    print("skipped: MPI,", str(missing).splitlines()[0])
    sys.exit(0)

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from numpy_oracle import OK, Layout, Library, Side, check  # noqa: E402

LIBRARY = Library(os.path.abspath(sys.argv[1]))
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1
CASES = int(sys.argv[3]) if len(sys.argv) > 3 else 6000
SELF = MPI.COMM_SELF
TYPES = {"u1": MPI.UINT8_T, "u2": MPI.UINT16_T, "i4": MPI.INT32_T, "f8": MPI.DOUBLE, "c16": MPI.C_DOUBLE_COMPLEX}


def side(array, first, count):
    """A range of the elements of an array, and the array's memory: where its first element is."""
    width = array.itemsize
    below = sum((size - 1) * min(step, 0) for size, step in zip(array.shape, array.strides))
    end = sum((size - 1) * max(step, 0) for size, step in zip(array.shape, array.strides)) + width
    layout = Layout(width, array.shape, [step // width for step in array.strides], -below // width)
    memory = ctypes.c_void_p(array.__array_interface__["data"][0] + below), ctypes.c_uint64(end - below)
    return Side(LIBRARY, 1, layout, (), (first, count)), *memory


def copy_range(dst, src, count=None, dst_first=0, src_first=0):
    """Copies elements in row-major order, whatever the shapes are; as many as the source has."""
    count = src.size if count is None else count
    sides = *side(dst, dst_first, count), *side(src, src_first, count)
    check("status", LIBRARY.call("copy_sides", *sides, None), OK)


class View:
    """A view of a buffer of its own whose elements are apart, and the same as a derived datatype."""

    def __init__(self, random, dtype, sizes):
        width = np.dtype(dtype).itemsize
        strides, reach = [0] * len(sizes), width
        for place in random.sample(range(len(sizes)), len(sizes)):  # Any order in memory, gaps between.
            step = reach + width * random.choice((0, 0, 0, 1, 3))
            strides[place] = step
            reach = step * (sizes[place] - 1) + reach
        offset = width * random.choice((0, 0, 1, 5))
        self.buffer = np.frombuffer(random.randbytes(offset + reach + 8), "u1").copy()
        for place, size in enumerate(sizes):
            if random.random() < 0.25:
                offset += (size - 1) * strides[place]
                strides[place] = -strides[place]
        self.array = np.ndarray(sizes, dtype, self.buffer, offset, strides)
        nest = TYPES[dtype]
        for size, step in zip(reversed(sizes), reversed(strides)):
            nest = nest.Create_hvector(size, 1, step)
        self.type = nest.Create_hindexed([1], [offset]).Commit()

    def packed(self, dtype):
        out = np.empty(self.array.nbytes, "u1")
        assert self.type.Pack(self.buffer, out, 0, SELF) == out.nbytes
        return out.view(dtype)


def shape(random, count):
    """`count` elements in a random shape."""
    sizes = []
    while len(sizes) < 5:
        size = random.choice([by for by in range(1, min(count, 40) + 1) if count % by == 0])
        sizes.append(size)
        count //= size
        if count == 1:
            break
    return tuple(sizes) if count == 1 else (*sizes, count)


def case(random, number):
    dtype = random.choice(list(TYPES))
    count = random.choice((1, 2, 12, 60, 64, 100, 210, 360, 720, 1024, 2520))
    src, dst = View(random, dtype, shape(random, count)), View(random, dtype, shape(random, count))
    say = (SEED, number, dtype, src.array.shape, src.array.strides, dst.array.shape, dst.array.strides)

    # Pack: at once, and in pieces.
    wanted, got = src.packed(dtype), np.empty(count, dtype)
    copy_range(got, src.array)
    assert got.tobytes() == wanted.tobytes(), say
    first, got = 0, np.empty(count, dtype)
    while first < count:
        piece = random.randint(1, count - first)
        copy_range(got[first:first + piece], src.array, piece, src_first=first)
        first += piece
    assert got.tobytes() == wanted.tobytes(), say

    # From one shape to the other; then unpack. No byte between the elements changes.
    before = dst.buffer.copy()
    SELF.Sendrecv([src.buffer, 1, src.type], 0, 0, [dst.buffer, 1, dst.type], 0, 0)
    wanted_buffer = dst.buffer.copy()
    dst.buffer[:] = before
    copy_range(dst.array, src.array)
    assert dst.buffer.tobytes() == wanted_buffer.tobytes(), say
    dst.buffer[:] = before
    dst.type.Unpack(wanted.view("u1"), 0, dst.buffer, SELF)
    wanted_buffer = dst.buffer.copy()
    dst.buffer[:] = before
    first = 0
    while first < count:
        piece = random.randint(1, count - first)
        copy_range(dst.array, wanted[first:first + piece], piece, dst_first=first)
        first += piece
    assert dst.buffer.tobytes() == wanted_buffer.tobytes(), say
    src.type.Free()
    dst.type.Free()


def fortran_section():
    """mpich#6909: 99 of the 100 elements of A(1:30:3, 1:20:2) were right. Here all are, by MPI's own packing too."""
    a = np.arange(30 * 20, dtype="i4").reshape((30, 20), order="F")
    section = a[0:30:3, 0:20:2].T  # The first subscript is the fastest of Fortran's order.
    got = np.empty(100, "i4")
    copy_range(got, section)
    rows = TYPES["i4"].Create_vector(10, 1, 3)
    both = rows.Create_hvector(10, 1, 2 * 30 * 4).Commit()
    packed = np.empty(400, "u1")
    both.Pack(a.reshape(-1, order="F"), packed, 0, SELF)
    assert got.tolist() == packed.view("i4").tolist() == [3 * i + 60 * j for j in range(10) for i in range(10)]


fortran_section()
for number in range(CASES):
    case(random.Random(f"{SEED} {number}"), number)
print(f"{CASES} views of seed {SEED}: packed, unpacked and sent as {MPI.Get_library_version().splitlines()[0]} does")
