#!/usr/bin/env python3
"""The hostile caller: calls every function with NULLs, wrong counts, random numbers, and structs that lie in the memory
that is moved, and holds the library to its rules.

    hostile.py LIBRARY [--cases N] [--seed S] [--only PART_OF_A_NAME] [--sentences FILE] [--replay FUNCTION:PHASE:NUMBER]

Standard library only; all that it knows of functions, structs and numbers it reads from stride.json. What JSON cannot
say, values with which a call succeeds, stands in VALUES below.

Every pointer that a call gets ends at an unreadable page and has known bytes before it, so that reading or writing
past an array is a crash, and writing before it is seen. Each function runs in a process of its own; a crash or a hang
is a finding like any other. Calls are honest where C gives the callee no way to tell: buffers are as long as the call
says (but for counts that no function accepts), and STRIDE_COPY_ASSUME_DISTINCT, which is a promise, is never given.
"""

import argparse
import collections
import ctypes
import json
import math
import mmap
import os
import pickle
import random
import re
import signal
import struct
import sys
import time

INCLUDE = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "include"))

FORMATS = {"uint16_t": "H", "ptrdiff_t": "q", "uint8_t": "B", "char": "B", "int32_t": "i", "uint32_t": "I", "int64_t": "q", "uint64_t": "Q", "size_t": "Q",
           "double": "d", "float": "f", "stride_status": "i"}
CTYPES = {"int32_t": ctypes.c_int32, "uint32_t": ctypes.c_uint32, "int64_t": ctypes.c_int64, "uint64_t": ctypes.c_uint64,
          "size_t": ctypes.c_size_t, "stride_status": ctypes.c_int32, "const char *": ctypes.c_char_p}
# What goes wherever a number goes.
NUMBERS = [0, 1, -1, 2, 3, 5, 8, 63, 64, 65, 2**31, 2**31 - 1, 2**32 - 1, 2**62, 2**63 - 1, -(2**63), -(2**31), 2**40]
FLOATS = [0.0, 1.0, -1.0, 0.5, -2.5, 128.0, 3e9, 1e-41, math.inf, -math.inf, math.nan]
MOST_ENTRIES = 70  # Entries that exist of a list, whatever its count says. No function takes more than 64.
MOST_BYTES = 8192  # Of a tensor.
SECONDS_OF_A_HANG = 10  # Of the CPU: no call waits for anything.
MOST_EXAMPLES = 6  # Of one kind of sentence.
FRONT = 256  # Known bytes before everything that is passed.


# ----------------------------------------------------------------------------------------------------------------------
# stride.json
# ----------------------------------------------------------------------------------------------------------------------


class Api:
    """stride.json, with what is looked up often."""

    def __init__(self):
        with open(os.path.join(INCLUDE, "stride.json")) as file:
            whole = json.load(file)
        self.number = {of["name"]: of["value"] for of in whole["constants"]}
        self.structs = {of["name"]: of for of in whole["structs"]}
        self.functions = {of["name"]: of for of in whole["functions"]}
        self.packers = {name: struct.Struct(self.packing(of)) for name, of in self.structs.items()}
        self.dtypes = [value for name, value in self.number.items() if name.startswith("STRIDE_DTYPE_") and value < 2**29]
        self.arguments = self.names("STRIDE_ARGUMENT_")
        self.details = self.names("STRIDE_DETAIL_")
        self.statuses = self.names("STRIDE_STATUS_")

    def names(self, prefix):
        return {value: name[len(prefix):] for name, value in self.number.items() if name.startswith(prefix)}

    def packing(self, of):
        """The struct module's format, gaps between fields included."""
        text, at = "<", 0
        for field in of["fields"]:
            kind, entries = field["type"], field.get("entries", 1)
            text += "x" * (field["offset"]["64"] - at)
            if kind in self.structs:
                text += f"{entries * self.structs[kind]['size']['64']}s"  # All of them are one value.
            else:
                text += f"{entries}{'Q' if kind.endswith('*') else FORMATS[kind]}"
            at = struct.calcsize(text)
        return text + "x" * (of["size"]["64"] - at)

    def size_of(self, kind):
        return self.structs[kind]["size"]["64"] if kind in self.structs else struct.calcsize(FORMATS[kind])


API = Api()
N = API.number
DTYPE_BYTES, HIGH_FIRST = N["STRIDE_DTYPE_BYTES"], N["STRIDE_DTYPE_HIGH_FIRST"]
SWAPPED = N["STRIDE_DTYPE_SWAPPED"]
F32, U8, S4 = N["STRIDE_DTYPE_F32"], N["STRIDE_DTYPE_U8"], N["STRIDE_DTYPE_S4"]
ASSUME_DISTINCT, OVERLAP = N["STRIDE_COPY_ASSUME_DISTINCT"], N["STRIDE_COPY_OVERLAP"]
AFFINE = N["STRIDE_CONVERT_AFFINE"]
BITS = {value: int(re.match(r"\d+", of).group()) for value, of in
        ((entry["value"], entry["doc"]) for entry in json.load(open(os.path.join(INCLUDE, "stride.json")))["constants"]
         if entry["name"].startswith("STRIDE_DTYPE_")) if re.match(r"\d+ bit", of)}


def pointee(kind):
    """The type that a pointer type points to; None for plain memory."""
    name = kind.replace("const ", "").rstrip("* ")
    return None if name == "void" else name


def bits_of(dtype):
    """Storage bits; 8 for what is none, which no function takes."""
    if dtype & DTYPE_BYTES:
        return 8 * (dtype & 0xFFFFFF)
    return BITS.get(dtype & ~(HIGH_FIRST | SWAPPED), 8)


# ----------------------------------------------------------------------------------------------------------------------
# Values of parameters: a number, None for NULL, or one of these
# ----------------------------------------------------------------------------------------------------------------------


class Struct:
    """A struct that is passed in. An array field has all its entries; those after the rank are junk. A pointer is a
    value that lies elsewhere, None, or an address at which nobody looks."""

    def __init__(self, kind, /, **fields):
        self.kind, self.fields = kind, fields

    def __getattr__(self, name):
        return self.__dict__["fields"][name]

    def copy(self):
        def own(of):
            return [own(entry) for entry in of] if isinstance(of, list) else of.copy() if isinstance(of, Struct) else of

        return Struct(self.kind, **{name: own(of) for name, of in self.fields.items()})

    def pointers(self):
        """The values that lie elsewhere, by their names: those of structs inside of this one as along.0.runs."""
        for field in API.structs[self.kind]["fields"]:
            name, value = field["name"], self.fields[field["name"]]
            if field["type"] in API.structs:
                for at, entry in enumerate(value):
                    yield from ((f"{name}.{at}.{inner}", of) for inner, of in entry.pointers())
            elif field["type"].endswith("*") and value is not None and not isinstance(value, int):
                yield name, value

    def pack(self, addresses=()):
        """The bytes. `addresses`: where what pointers point to was put."""
        flat, addresses = [], dict(addresses)
        for field in API.structs[self.kind]["fields"]:
            name, value = field["name"], self.fields[field["name"]]
            if field["type"] in API.structs:
                inner = [{of.split(".", 2)[2]: to for of, to in addresses.items() if of.startswith(f"{name}.{at}.")}
                         for at in range(len(value))]
                value = b"".join(entry.pack(of) for entry, of in zip(value, inner))
            elif field["type"].endswith("*"):
                value = addresses.get(name, value if isinstance(value, int) else 0)
            flat += value if isinstance(value, list) else [value]
        data = API.packers[self.kind].pack(*flat)
        if "struct_size" in self.fields:
            # The struct is as long as it says, between the 4 bytes that say it and the 4096 that are taken.
            length = -(-max(min(self.struct_size, 4096), 4) // 8) * 8
            data = (data + bytes(self.fields.get("tail", 0) for _ in range(length)))[:length] if length > len(data) else data[:length]
        # An object of another kind than its side says: there is as much memory as any kind has.
        return data + POISON[len(data):self.fields.get("room", 0)]

    def __str__(self):
        shown = []
        for field in API.structs[self.kind]["fields"]:
            value = self.fields[field["name"]]
            if isinstance(value, list):
                while self.kind in ("stride_plan", "stride_runs") and value and value[-1] == 0:
                    value = value[:-1]
                rank = min(self.fields.get("rank", len(value)), len(value))
                many = {of: min(self.fields.get("block_count", 0), 64) for of in ("block_dims", "block_steps", "block_sizes")}
                many |= {"tile_ranks": min(self.fields.get("tile_count", 0), 8), "tile_sizes": tile_entries(self)}
                many |= {"along": self.fields.get("along_count")}
                value = value[:many.get(field["name"], rank)]
                value = "[" + ",".join(str(of) if isinstance(of, Struct) else show_number(of) for of in value) + "]"
            elif isinstance(value, int):
                value = show_number(value)
            shown.append(f"{field['name']}={value}")
        if "tail" in self.fields:
            shown.append(f"bytes after={self.fields['tail']}")
        return self.kind.replace("stride_", "") + "{" + " ".join(shown) + "}"


def tile_entries(of):
    if of.kind != "stride_xla_shape":
        return 64
    return min(sum(of.tile_ranks[:min(of.tile_count, 8)]), 64)


def show_number(value):
    """2^63-1 rather than 9223372036854775807."""
    for power in (31, 32, 40, 62, 63, 64):
        for sign, more in ((1, 0), (1, -1), (-1, 0)):
            if value == sign * (1 << power) + more:
                return ("-" if sign < 0 else "") + f"2^{power}" + ("-1" if more else "")
    return str(value)


class List:
    """An array of numbers or structs that is passed in."""

    def __init__(self, kind, items):
        self.kind, self.items = kind, list(items)

    def pack(self):
        if self.kind in API.structs:
            return b"".join(of.pack() for of in self.items)
        return struct.pack(f"<{len(self.items)}{FORMATS[self.kind]}", *self.items)

    def __str__(self):
        return "[" + ",".join(str(of) if isinstance(of, Struct) else show_number(of) for of in self.items) + "]"


class Text:
    """Bytes of a text that is passed in."""

    def __init__(self, data):
        self.data = bytes(data)

    def pack(self):
        return self.data

    def __str__(self):
        return repr(self.data)[1:]


class Memory:
    """Plain memory: a tensor, an element or scratch. `within`: it begins `at` bytes inside of another parameter's memory."""

    def __init__(self, size, within=None, at=0):
        self.size, self.within, self.at = size, within, at

    def pack(self):
        return POISON[FRONT:FRONT + self.size]

    def __str__(self):
        return f"<{self.size} bytes{f' from byte {self.at} of {self.within} on' if self.within else ''}>"


class Out:
    """So many entries for the function to write."""

    def __init__(self, kind, entries):
        self.kind, self.entries = kind, entries

    def pack(self):
        return POISON[FRONT:FRONT + self.entries * API.size_of(self.kind)]

    def __str__(self):
        return f"<room for {self.entries}>" if self.entries != 1 else "<out>"


class Same:
    """The very struct that another parameter points to."""

    def __init__(self, name):
        self.name = name

    def __str__(self):
        return f"<the same as {self.name}>"


POISON = random.Random(20).randbytes(FRONT + 2**17)


# ----------------------------------------------------------------------------------------------------------------------
# Values with which calls succeed
# ----------------------------------------------------------------------------------------------------------------------


def layout(dtype, sizes, strides=None, offset=0, junk=None):
    if strides is None:
        strides, step = [0] * len(sizes), 1
        for at in reversed(range(len(sizes))):
            strides[at], step = step, step * max(sizes[at], 1)
    rest = (junk or [7] * 64)[:64 - len(sizes)]
    return Struct("stride_layout", dtype=dtype, rank=len(sizes), offset=offset, sizes=list(sizes) + rest, strides=strides + rest)


def shape(dtype, sizes, order=None, padded=None, tiles=(), junk=None, **fields):
    rank, rest = len(sizes), (junk or [7] * 64)
    flat = [entry for tile in tiles for entry in tile]
    whole = {"element_bits": 0, "padding_kind": 0, "flags": 0, "tail_alignment": 1, "memory_space": 0, "dynamic_dimensions": 0}
    return Struct("stride_xla_shape", dtype=dtype, rank=rank, tile_count=len(tiles), sizes=list(sizes) + rest[rank:],
                  minor_to_major=(list(range(rank))[::-1] if order is None else list(order)) + rest[rank:],
                  padded_sizes=list(padded or sizes) + rest[rank:], tile_sizes=flat + rest[len(flat):],
                  tile_ranks=[len(tile) for tile in tiles] + [7] * (8 - len(tiles)), **(whole | fields))


def blocked(dtype, sizes, blocks, junk=None, **fields):
    """A blocked layout; a block is a dimension, a step and a size. Entries that are not in use are junk."""
    rest, lists = junk or [0] * 64, list(zip(*blocks)) or [()] * 3
    whole = dict(zip(("sizes", "block_dims", "block_steps", "block_sizes"), [list(of) + rest[len(of):] for of in (sizes, *lists)]))
    return Struct("stride_blocked", dtype=dtype, rank=len(sizes), block_count=len(blocks), flags=0, **(whole | fields))


def side(of, along=(), first=0, count=-1):
    """A side; `along`: dimensions and their runs. Entries that are not in use point where nobody looks."""
    entries = [Struct("stride_side_runs", dimension=dimension, count=len(runs), runs=List("stride_index_run", runs)) for dimension, runs in along]
    entries += [Struct("stride_side_runs", dimension=7, count=7, runs=7) for _ in range(N["STRIDE_MAX_ALONG"] - len(along))]
    return Struct("stride_side", struct_size=API.size_of("stride_side"), kind=kind_of_side(of), range_first=first, range_count=count,
                  along_count=len(along), reserved=0, of=of, reserved_pointer=0, along=entries)


def kind_of_side(of):
    return of and N["STRIDE_SIDE_" + {"stride_layout": "LAYOUT", "stride_xla_shape": "SHAPE", "stride_blocked": "BLOCKED"}[of.kind]]


def copy_options(**fields):
    none = {"struct_size": API.size_of("stride_copy_options"), "flags": 0, "cpu_level": 0, "reserved": 0, "overlap_budget": 0,
            "fill": [0] * 16, "machine": None, "scratch": None, "scratch_bytes": 0, "conversion": None}
    return Struct("stride_copy_options", **none | fields)


def conversion(**fields):
    none = {"struct_size": API.size_of("stride_conversion"), "flags": 0, "subtract": 0.0, "scale": 1.0, "add": 0.0, "values": None,
            "subtracts": None, "scales": None, "adds": None, "value_count": 0}
    return Struct("stride_conversion", **none | fields)


def real_sizes(of):
    return of.sizes[:min(of.rank, 64)]


def product(sizes):
    return math.prod(sizes)


def min_bytes(of):
    """The length of a side's buffer; for a shape an upper bound that is often exact."""
    if of.kind == "stride_layout":
        sizes, strides = real_sizes(of), of.strides[:of.rank]
        if 0 in sizes:
            return 0
        highest = of.offset + sum((size - 1) * max(stride, 0) for size, stride in zip(sizes, strides))
        return max(-(-(highest + 1) * bits_of(of.dtype) // 8), 0)
    if of.kind == "stride_blocked":
        blocks = zip(of.block_dims[:of.block_count], of.block_steps, of.block_sizes)
        return -(-product(size or -(-of.sizes[at] // max(step, 1)) for at, step, size in blocks) * bits_of(of.dtype) // 8)
    elements = of.padded_sizes[:of.rank]
    return -(-product(elements) * max(of.element_bits, bits_of(of.dtype), 8) // 8) * (4 if of.tile_count else 1)


class Scene:
    """Values of the parameters of one function that go together. `plain`: always the same, and the call succeeds."""

    def __init__(self, function, seed, plain):
        self.name, self.plain, self.r = function["name"], plain, random.Random(seed)

    def __getattr__(self, name):
        """Layouts, shapes and the like are made when they are first asked for."""
        made = {"layout": self.layouts, "second": self.layouts, "shape": self.shapes, "second_shape": self.shapes,
                "sides": self.choose_sides, "options": self.choose_options, "blocked": self.blocked_layouts}
        if name not in made:
            raise AttributeError(name)
        made[name]()
        return self.__dict__[name]

    # Choices. In the plain scene the first possibility is always taken.

    def pick(self, *of):
        return of[0] if self.plain else self.r.choice(of)

    def chance(self, of):
        return not self.plain and self.r.random() < of

    def permutation(self, rank):
        order = list(range(rank))
        if self.plain:
            return order[::-1]
        self.r.shuffle(order)
        return order

    def junk(self):
        return self.r.choices([0, 1, 1, 2, 3, -1, 2**63 - 1], k=64)

    def dtype(self):
        return self.pick(F32, U8, F32, U8, N["STRIDE_DTYPE_U16"], N["STRIDE_DTYPE_C128"], S4, S4 | HIGH_FIRST,
                         N["STRIDE_DTYPE_PRED"], N["STRIDE_DTYPE_U1"], DTYPE_BYTES | 12, N["STRIDE_DTYPE_F64"],
                         F32 | SWAPPED)

    def sizes(self):
        rank = self.pick(3, 0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 8)
        if self.chance(0.02):
            return [self.r.choice([1, 1, 1, 2]) if at < 8 else 1 for at in range(64)]
        return [2, 3, 4] if self.plain else [self.r.choice([1, 2, 2, 3, 4, 5, 6]) if not self.chance(0.02) else 0 for _ in range(rank)]

    def strided(self, dtype, sizes):
        """Any layout of these sizes: an order of the dimensions, gaps, mirrored or repeated dimensions."""
        rank = len(sizes)
        if self.plain:
            return layout(dtype, sizes)
        strides, step, offset = [0] * rank, 1, 0
        for at in self.permutation(rank) if self.chance(0.5) else reversed(range(rank)):
            strides[at], step = step, step * max(sizes[at], 1) + (self.r.choice([1, 2, 5]) if self.chance(0.15) else 0)
            if self.chance(0.1):
                offset += strides[at] * (max(sizes[at], 1) - 1)
                strides[at] = -strides[at]
            elif self.chance(0.05):
                strides[at] = self.r.choice([0, 1, 2])
        return layout(dtype, sizes, strides, offset + (self.r.randrange(4) if self.chance(0.2) else 0), self.junk())

    def layouts(self):
        """Two layouts of one dtype and equal sizes."""
        dtype, sizes = self.dtype(), self.sizes()
        if self.name == "stride_layout_squeeze":
            sizes = [1] + sizes if len(sizes) < 64 else sizes
        self.converts = self.name in CONVERTING and (self.plain and self.name == "stride_plan_execute_values" or self.chance(0.4))
        other = self.dtype() if self.converts else dtype
        first, second = self.strided(dtype, sizes), self.strided(N["STRIDE_DTYPE_S8"] if self.plain and self.converts else other, sizes)
        if self.name == "stride_layout_merge" and self.chance(0.7):
            first = layout(dtype, sizes)
        if self.name in ("stride_layouts_overlap", "stride_layout_self_overlap") and self.chance(0.5):
            for of in (first, second):
                of.strides[:of.rank] = [self.r.randrange(-9, 40) for _ in range(of.rank)]
                of.sizes[:of.rank] = [self.r.randrange(1, 40) for _ in range(of.rank)]
        self.layout, self.second = first, second

    def some_shape(self, dtype, sizes):
        rank = len(sizes)
        if self.plain:
            return shape(dtype, sizes, padding_kind=N["STRIDE_XLA_PADDING_ZERO"])
        tiles = []
        while rank and len(tiles) < 3 and self.chance(0.35):
            entries = self.r.choice([1, 2, 2, 2, min(rank + 1, 4)])
            tiles.append([self.r.choice([1, 2, 2, 4, 8, -(2**63) if at + 1 < entries and self.chance(0.2) else 3]) for at in range(entries)])
        padded = [size + self.r.choice([0, 0, 1, 3]) for size in sizes] if self.chance(0.25) else None
        fields = {"padding_kind": self.r.randrange(6), "memory_space": self.r.choice([0, 1, 5])}
        if self.chance(0.15):
            fields["tail_alignment"] = self.r.choice([1, 4, 128])
        if bits_of(dtype) < 8 and self.chance(0.6):
            fields |= {"element_bits": self.r.choice([bits_of(dtype), 4, 8]), "flags": self.r.randrange(2)}
        if self.chance(0.1) and rank:
            fields["dynamic_dimensions"] = 1 << self.r.randrange(rank)
            if self.chance(0.3):
                at = fields["dynamic_dimensions"].bit_length() - 1
                sizes = sizes[:at] + [-(2**63)] + sizes[at + 1:]
                padded = None
        order = self.permutation(rank) if self.chance(0.4) else None
        return shape(dtype, sizes, order, padded, tiles, self.junk(), **fields)

    def shapes(self):
        """Two shapes of one dtype; the second is equal, transposed, or of the same number of elements."""
        dtype, sizes = self.dtype(), self.sizes()
        dtype &= ~HIGH_FIRST if dtype & DTYPE_BYTES else ~(HIGH_FIRST | SWAPPED)
        if dtype & DTYPE_BYTES:
            dtype = F32
        if "_dimensions" in self.name:
            sizes = [1] + sizes[:63]
        first = self.some_shape(dtype, sizes)
        second = first.copy()
        if self.chance(0.6):
            order = self.permutation(first.rank)
            kept = [[of[at] for at in order] for of in (first.sizes, first.padded_sizes)]
            second.sizes[:first.rank], second.padded_sizes[:first.rank] = kept
            inverse = {dimension: at for at, dimension in enumerate(order)}
            second.minor_to_major[:first.rank] = [inverse[dimension] for dimension in first.minor_to_major[:first.rank]]
        elif self.chance(0.5):
            second = self.some_shape(dtype, self.regroup(real_sizes(first), False))
        self.shape, self.second_shape = first, second

    def some_blocks(self, sizes):
        """Digits of these sizes, in any order."""
        blocks = []
        for dimension, size in enumerate(sizes):
            step = 1
            while step < size and len(blocks) < 50 and (self.plain is False or dimension == 0 and len(blocks) < 1):
                blocks.append((dimension, step, self.pick(2, 1, 2, 3, 4, 8)))
                step *= blocks[-1][2]
                if not self.plain and self.chance(0.5):
                    break
            if step < size or self.chance(0.3):
                blocks.append((dimension, step, 0 if self.plain or self.chance(0.7) else max(-(-size // step), 1)))
        if not self.plain:
            self.r.shuffle(blocks)
        return blocks[:64]

    def some_blocked(self, dtype, sizes):
        return blocked(dtype, sizes, self.some_blocks(sizes), self.junk())

    def blocked_layouts(self):
        """A blocked layout of the dtype and the sizes of the layouts."""
        self.blocked = self.some_blocked(self.layout.dtype, real_sizes(self.layout))

    def blocked_text(self):
        if not self.plain and self.chance(0.2):
            return self.pick(b"a b", b"", b"a/2", b"a/2 a%2 b ", b"a/0", b"z", b"a/2%99999999999999999999", b"b a%4 a/4%x")
        blocks = self.some_blocks(real_sizes(self.layout)[:26])
        return " ".join(f"{chr(97 + at)}/{step}" + (f"%{size}" if size else "") for at, step, size in blocks).encode()

    def regroup(self, sizes, ask=True):
        """Other sizes with the same product; one of them may be asked for by -1."""
        if self.plain:
            return [product(sizes)]
        sizes = list(sizes)
        if any(size < 0 for size in sizes):
            return sizes  # Unbounded.
        for _ in range(self.r.randrange(3)):
            if len(sizes) > 1 and self.chance(0.5):
                at = self.r.randrange(len(sizes) - 1)
                sizes[at:at + 2] = [sizes[at] * sizes[at + 1]]
            elif len(sizes) < 60:
                at = self.r.randrange(len(sizes) + 1)
                pieces = [1] if at == len(sizes) or sizes[at] % 2 else [2, sizes[at] // 2]
                sizes[at:at + (len(pieces) - 1)] = pieces
        if ask and sizes and self.chance(0.2):
            sizes[self.r.randrange(len(sizes))] = -1
        return sizes

    def some_object(self, dtype, sizes, kind):
        if kind == "layout":
            return self.strided(dtype, sizes)
        return self.some_shape(dtype, sizes) if kind == "shape" else self.some_blocked(dtype, sizes)

    def some_runs(self, size, seen, may_fill):
        """Runs that see a dimension of this size as one of `seen` indices; of a destination, each index once."""
        runs, left = [], seen
        if not may_fill:
            order = self.r.sample(range(size), seen) if self.chance(0.4) else range(seen)
            one = {"first": size - 1, "step": -1, "count": seen}
            return [one] if self.chance(0.4) else [{"first": first, "step": 1, "count": 1} for first in order]
        while left > 0:
            count = left if self.plain else self.r.randrange(left + 1)
            first, step = (size - 1 if self.plain else self.r.randrange(size)) if size else -1, self.pick(-1, 0, 1, 1, -1, 2)
            if not 0 <= first + step * (count - 1) < size:
                step, count = (0, min(count, 1 if first < 0 else count))
            if self.chance(0.15):
                first, step = -1, 0
            runs.append({"first": first, "step": step, "count": count})
            left -= count
        return runs

    def some_side(self, dtype, seen, may_fill, kind):
        """A side that is seen with these sizes."""
        sizes, along, runs_of = list(seen), [], range(len(seen))
        first, count = 0, -1
        if len(seen) == 1 and self.chance(0.4):
            first, count = self.r.randrange(3), seen[0]
            sizes = self.regroup([first + count + self.r.randrange(3)], False)
        elif may_fill and self.plain or self.chance(0.5):
            runs_of = self.r.sample(runs_of, min(len(seen), self.pick(1, 1, 2, 3))) if not self.plain else [0]
            for dimension in runs_of:
                sizes[dimension] += 1 if self.plain else self.r.choice([0, 0, 1, 3])
                runs = self.some_runs(sizes[dimension], seen[dimension], may_fill)[:MOST_ENTRIES]
                along.append((dimension, [Struct("stride_index_run", **run) for run in runs]))
        return side(self.some_object(dtype, sizes, kind), along, first, count)

    def choose_sides(self):
        """Two sides that are seen alike."""
        dtype, seen = self.dtype(), self.sizes()
        kinds = [self.pick(kind, "layout", "layout", "shape", "blocked") for kind in ("shape", "layout")]
        if "shape" in kinds:
            dtype = F32 if dtype & DTYPE_BYTES else dtype & ~(HIGH_FIRST | SWAPPED)
        if self.chance(0.25):
            seen = [min(product(seen), 100)]
        self.sides = [self.some_side(dtype, seen, kind == 1, name) for kind, name in enumerate(kinds)]

    def choose_options(self):
        flags = 0
        if not self.plain:
            flags = sum(flag for flag in (2, 4, 8, 16) if self.chance(0.25))
        fields = {"cpu_level": self.pick(0, 0, 1, 2, 3, 4, 5), "overlap_budget": self.pick(0, 0, 1, 1000, 10**6), "fill": list(self.r.randbytes(16))}
        if self.chance(0.3):
            fields |= {"scratch_bytes": self.pick(256, 0, 4096)}
            fields |= {"scratch": Memory(fields["scratch_bytes"])}
        if self.chance(0.1):
            fields |= {"machine": machine(self)}
        if self.layout and self.converts:
            fields |= {"conversion": self.conversion()}
        self.options = copy_options(flags=flags, **fields)

    def conversion(self):
        """To any dtype, with lists where the plain scene has them: one of subtracts and one of scales, of an entry each row."""
        flags = AFFINE if self.plain else self.pick(0, AFFINE) | sum(flag for flag in (2, 4, 8, 16, 32) if self.chance(0.1))
        fields = {"flags": flags} | {name: self.pick(*FLOATS) for name in ("subtract", "scale", "add")}
        if flags & AFFINE and (self.plain or self.chance(0.6)):
            sizes = real_sizes(self.layout)
            kept = [at == 0 if self.plain else self.chance(0.4) for at in range(len(sizes))]
            strides = [step * of for step, of in zip(layout(F32, [size if of else 1 for size, of in zip(sizes, kept)]).strides, kept)]
            values = layout(F32, sizes, strides, 0, self.junk())
            count = min(min_bytes(values) // 4, MOST_ENTRIES)
            fields |= {"values": values, "value_count": count}
            for at, name in enumerate(LISTS):
                if at < 2 if self.plain else self.chance(0.5):
                    fields[name] = List("float", [self.pick(*FLOATS) for _ in range(count)])
        return conversion(**fields)

    # What several parameters are about

    def both(self):
        """The two sides of this function."""
        return [of.of for of in self.sides] if self.name in OF_SIDES else (self.layout, self.second)

    def length(self, of):
        """A length of a side's buffer, mostly enough."""
        needed = min_bytes(of)
        if needed > MOST_BYTES:
            return MOST_BYTES
        return needed + self.pick(0, 0, 0, 1, 8, 100)

    def plan(self):
        """A plan as the library makes it, of layouts or of sides; of the plain layouts where it refuses."""
        sides = (self.layout, self.second) if self.layout and self.converts or not self.chance(0.4) else self.sides
        self.layout, self.second = [of.of if of.kind == "stride_side" else of for of in sides]
        made = make_plan(*sides, self.options)
        self.lists = self.options.conversion if made and self.converts else conversion()
        if made is None:
            self.layout, self.second = layout(F32, [2, 3]), layout(F32, [2, 3], [1, 2])
            made = make_plan(self.layout, self.second, None)
        return made

    def runs(self):
        """Runs as the library makes them, of one operand or two; of the plain layout where it refuses."""
        operands = [self.layout, self.second][:self.pick(2, 1, 2)]
        made = make_runs(operands)
        if made is None:
            operands = [layout(F32, [2, 3])]
            made = make_runs(operands)
        self.walked = len(operands)
        return made

    def requirements(self):
        """Those of a consumer, sometimes with other numbers in some fields."""
        made = make_requirements(self.pick(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11))
        for field in API.structs[made.kind]["fields"][1:]:
            if not self.plain and self.chance(0.05):
                made.fields[field["name"]] = self.pick(0, 1, 2, 3, 16, 64, 2**32 - 1)
        if not self.plain and self.chance(0.2):
            made.fields["texel_dimensions"] = self.pick(1, 2)
        return made

    def image(self):
        """An image of a known format, with pitches and offsets of either sign."""
        planes = lambda *values: [self.pick(*values) for _ in range(4)]
        width, height = self.pick(5, 8, 0, 1920), self.pick(3, 4, 0, 1080)
        return Struct("stride_image", struct_size=API.size_of("stride_image"), fourcc=rule("", "fourcc")(self),
                      width=width, height=height, pitch_alignment=self.pick(0, 1, 3, 16, 96, 2**63, 2**64 - 1),
                      height_alignment=self.pick(0, 1, 3, 16, 2**63, 2**64 - 1), pitch_count=self.pick(0, 0, 1, 2, 3, 4),
                      offset_count=self.pick(0, 0, 1, 2, 3, 4), pitches=planes(7680, -7680, 16, -16, 0, 2**62, -(2**63)),
                      offsets=planes(0, 64, -64, 10**7, -(10**7), 2**59, 2**63 - 1, -(2**63)))

    def rules(self):
        """Those of a function that moves regions, sometimes with limits."""
        def pair(*values):
            return [self.pick(0, *values), self.pick(0, *values)]

        return Struct(
            "stride_region_rules", struct_size=API.size_of("stride_region_rules"), rank_max=self.pick(3, 0, 1, 2),
            flags=pair(1, 2, 7, 15, 16, 31), offset_alignment=pair(1, 3, 4, 2**32 - 1), pitch_alignment=pair(1, 2, 2**32 - 1),
            pitch_max=pair(1, 50, 2**64 - 1), row_bytes_max=self.pick(0, 1, 7, 2**64 - 1), rows_max=self.pick(0, 1, 3),
            slices_max=self.pick(0, 1, 2**63), row_bytes_alignment=self.pick(0, 1, 4, 2**32 - 1),
            reserved=self.pick(0, 0, 0, 1))

    def record(self):
        """An error record as a function writes it."""
        sizes = self.pick([2, -1], [2**62, 2**62], [2, 3])
        return make_record(sizes)

    def rank(self):
        return (self.shape if "_xla_" in self.name and "_layout_" not in self.name else self.layout).rank

    def ones(self):
        return [at for at, size in enumerate(real_sizes(self.layout)) if size == 1]

    def index(self):
        sizes = real_sizes(self.shape if "_xla_" in self.name else self.layout)
        return [self.r.randrange(max(size, 1)) if not self.plain else max(size, 1) - 1 for size in sizes]

    def some_axes(self, rank):
        return self.r.sample(range(-rank, 0), min(rank, self.pick(2, 0, 1, 2))) if rank else []

    def dml_sizes(self):
        return [min(max(size, 0), 2**32 - 1) for size in real_sizes(self.layout)]

    def desc(self):
        sizes = [max(size, 1) for size in self.dml_sizes()[:8]] or [1]
        strides = None if self.pick(True, False) else [max(of, 0) for of in self.layout.strides[:self.layout.rank]][:8] or [1]
        reach = product(sizes) if strides is None else 1 + sum((size - 1) * step for size, step in zip(sizes, strides))
        return Struct("stride_dml_buffer_tensor_desc", data_type=1, flags=self.pick(0, 1), dimension_count=len(sizes),
                      sizes=List("uint32_t", sizes), strides=strides and List("uint32_t", strides),
                      total_tensor_size_in_bytes=4 * reach + self.pick(0, 0, 4), guaranteed_base_offset_alignment=self.pick(0, 0, 4, 256))

    def block_sizes(self):
        """As many as there are dimensions for them; the plain ones are those of dimensions 2, 1 and 2."""
        return [2, 4, 2] if self.plain else [self.pick(1, 2, 4, 16) for _ in range(self.r.randrange(5))] if self.shape.rank else []

    def tag(self):
        """A format of these dimensions, by their numbers; or a name."""
        rank = min(self.shape.rank, 26)
        if not self.plain and self.chance(0.3):
            return self.pick(b"nChw16c", b"NCHW16c", b"OIhw4i16o4i", b"hwio", b"nc", b"tnc", b"ldigo", b"", b"x", b"nchw16c", b"any")
        blocks = [self.r.randrange(rank) for _ in range(self.r.randrange(4))] if rank and not self.plain else [1] if rank else []
        letters = [chr(97 + at) for at in self.permutation(rank)]
        outer = "".join(letter.upper() if ord(letter) - 97 in blocks else letter for letter in letters)
        return (outer + "".join(f"{self.pick(4, 2, 8, 16)}{chr(97 + at)}" for at in blocks)).encode()

    def dl_fields(self):
        """The fields of a DLPack tensor: integers of 8 to 64 bits or vectors, often with an offset."""
        of, bits = self.layout, self.pick(32, 8, 16, 64)
        rank, width = min(of.rank, 64), bits // 8
        more = [1] * (64 - rank)
        return dict(data=0, device_type=1, device_id=0, ndim=rank, dtype_code=self.pick(1, 0, 1), dtype_bits=bits,
                    dtype_lanes=self.pick(1, 1, 1, 2), byte_offset=self.pick(0, 0, width, 8 * width),
                    shape=List("int64_t", real_sizes(of) + more),
                    strides=None if self.pick(True, False) else List("int64_t", of.strides[:rank] + more))

    def dl_tensor(self):
        return Struct("stride_dl_tensor", **self.dl_fields())

    def dl_managed(self):
        return Struct("stride_dl_managed_tensor_versioned", major=1, minor=self.pick(0, 1, 3), manager_ctx=0, deleter=0,
                      flags=self.pick(0, 0, 1, 4, 7), **self.dl_fields())

    def py_buffer(self):
        of = self.layout
        rank, text, width = min(of.rank, 64), *self.pick((b"d", 8), (b"<f", 4), (b"B", 1), (b"T{B:x:}", 1), (b"12s", 12))
        more = [1] * (64 - rank)
        return Struct("stride_py_buffer", buf=0, obj=0, len=product(real_sizes(of)) * width, itemsize=width, readonly=0, ndim=rank,
                      format=List("char", text + b"\0"), shape=List("ptrdiff_t", real_sizes(of) + more),
                      strides=None if self.pick(True, False) else List("ptrdiff_t", [entry * width for entry in of.strides[:rank]] + more),
                      suboffsets=None if self.pick(True, False) else List("ptrdiff_t", [-1] * 64), internal=0)

    def ggml_layout(self):
        """Of rank 4 at most, with what ggml has."""
        return layout(F32, real_sizes(self.layout)[:4])

    def shape_text(self):
        return self.pick(b"bf16[30,100]{1,0:T(8,128)}", b"f32[2,3]", b"f32[]", b"s4[<=8,?,1004]{2,1,0:T(2,*,128)(2,1)L(4)E(4)S(1)}",
                         b" f32 [ 2 , /* c */ 3 ] { 0 , 1 } ", b"(f32[2], s32[])", b"token[]", b"f32[2]{0:D(S)}", b"pred[0]",
                         b"f32[2,3]{1,0:T(8,128)S(5)}", b"f32[1,2,3,4]{3,2,1,0:T(4)(2)(1)}")


def operands(scene):
    """The shapes of a broadcast, right-aligned with some sizes 1."""
    sizes, several = real_sizes(scene.layout), []
    for _ in range(scene.pick(2, 0, 1, 2, 3)):
        own = [1 if scene.chance(0.3) else size for size in sizes]
        several.append(own[len(own) - scene.r.randrange(len(own) + 1):] if scene.chance(0.5) else own)
    return several


def operand_layouts(scene):
    return [scene.strided(scene.layout.dtype, sizes) for sizes in operands(scene)]


def blank_facts(kind):
    """Facts to be filled: the size is set, the rest is anything."""
    fields = {of["name"]: 7 for of in API.structs[kind]["fields"]}
    return Struct(kind, **fields | {"struct_size": API.structs[kind]["size"]["64"]})
def numbers(scene):
    """A layout of row-major numbers of the scene's layout, mostly of those that it has."""
    if "numbers" not in scene.__dict__:
        whole, r = max(product(real_sizes(scene.layout)), 1), scene.r
        sizes, strides = [whole], [1]
        if not scene.plain:
            strides = [r.choice([0, 1, 1, 2, 3, -1, *real_sizes(scene.layout)]) for _ in range(r.choice([0, 1, 1, 2, 3]))]
            sizes = [r.choice([1, 2, 2, 3, 4, 6, min(whole, 2**40)]) for _ in strides]
        below = sum((size - 1) * min(step, 0) for size, step in zip(sizes, strides))
        scene.numbers = layout(U8, sizes, strides, -below, scene.junk())
    return scene.numbers
def joint_layouts(scene):
    """Layouts of equal sizes."""
    return [scene.layout, scene.second] + [scene.strided(scene.dtype(), real_sizes(scene.layout)) for _ in range(scene.pick(0, 0, 1, 6))]


def machine(scene):
    """A CPU, with sizes that none has."""
    def size():
        return scene.pick(1 << 20, 0, 1, 64, 2**63, 2**64 - 1)

    sizes = {of["name"]: [size() for _ in range(of["entries"])] if "entries" in of else size()
             for of in API.structs["stride_machine"]["fields"]}
    return Struct("stride_machine", **sizes | {"struct_size": API.size_of("stride_machine"), "cpu_level": scene.pick(0, 1, 2, 3, 4, 5)})


# What a parameter is, by its name or by function and name; a function of the scene. Parameters that are written to and
# counts of lists need no entry: they follow from the JSON. Entries of lists are numbers; `of` makes them a List.
VALUES = {
    "tensor": lambda s: s.dl_tensor(), "managed": lambda s: s.dl_managed(), "view": lambda s: s.py_buffer(),
    "stride_dtype_from_typestr.text": lambda s: s.pick(b"<f4", b"|b1", b"|V12", b"<U3", b"<M8[ns]", b"|O8", b">f4", b"|V0"),
    "type": lambda s: s.pick(0, 0, 2, 12, 24, 30, 4, 43), "ne": lambda s: [s.pick(64, 256, 3), 2, s.pick(3, 0, 1), 1],
    "nb": lambda s: [4, s.pick(256, 4, 36), 512, 1536],
    "stride_layout_to_ggml.layout": lambda s: s.ggml_layout(), "stride_layout_to_ggml.type": lambda s: s.pick(0, 0, 1, 2),
    "fourcc": lambda s: N["STRIDE_FOURCC_" + s.pick("NV12", "I420", "P010", "YUY2", "RGB24", "BGRA", "RGBA64F", "YV12", "NV24", "S416", "XR30", "AB8F", "RG88")],
    "width": lambda s: s.pick(5, 8, 0, 1920), "height": lambda s: s.pick(3, 4, 0, 1080), "pitch_alignment": lambda s: s.pick(1, 1, 16, 256),
    "image": lambda s: s.image(), "stride_image_fourcc.text": lambda s: s.pick(
        b"NV12", b"DRM_FORMAT_YUV420", b"V4L2_PIX_FMT_AYUV32", b"yuv420p10le", b"R8", b"", b"H264", b"DRM_FORMAT_", b"V4L2_PIX_FMT_RGB"),
    "pitches": lambda s: s.pick([], [], [1920, 1920], [8, 8, 8], [64]),
    "layout": lambda s: s.layout, "lhs": lambda s: s.layout, "rhs": lambda s: s.second, "dst_layout": lambda s: s.both()[0],
    "src_layout": lambda s: s.both()[1], "lhs_layout": lambda s: s.layout, "rhs_layout": lambda s: s.second,
    "shape": lambda s: s.shape, "in_shape": lambda s: s.shape, "out_shape": lambda s: s.second_shape,
    "stride_xla_shapes_equal.lhs": lambda s: s.shape, "stride_xla_shapes_equal.rhs": lambda s: s.second_shape,
    "stride_xla_shape_broadcast.lhs": lambda s: s.shape, "stride_xla_shape_broadcast.rhs": lambda s: s.second_shape,
    "stride_broadcast_layouts.in": operand_layouts, "stride_elementwise_layout.in": operand_layouts,
    "stride_elementwise_layout.dtype": lambda s: s.layout.dtype, "stride_layouts_common_run.in": lambda s: [s.layout, s.second],
    "outer": lambda s: s.layout, "inner": lambda s: numbers(s), "stride_layout_compose.rank": lambda s: numbers(s).rank,
    "tile_sizes": lambda s: [s.pick(*[of for of in (1, 2, 3, max(size, 1)) if size % of == 0]) for size in real_sizes(s.layout)],
    "stride_layouts_coalesce.in": joint_layouts, "stride_runs_init.in": joint_layouts,
    "subtracts": lambda s: s.lists.subtracts, "scales": lambda s: s.lists.scales, "adds": lambda s: s.lists.adds,
    "runs": lambda s: s.__dict__.setdefault("walking", s.runs()), "stride_runs_next.count": lambda s: s.walked,
    "stride_runs_next_many.count": lambda s: s.walked, "most": lambda s: s.pick(8, 1, 3, 40),
    "stride_runs_strides.count": lambda s: s.walked,
    "stride_broadcast_sizes.ranks": lambda s: s.__dict__.setdefault("operands", operands(s)) and [len(of) for of in s.operands],
    "stride_broadcast_sizes.sizes": lambda s: [size for of in s.__dict__.setdefault("operands", operands(s)) for size in of],
    "plan": lambda s: s.__dict__.setdefault("made", s.plan()), "options": lambda s: s.options, "desc": lambda s: s.desc(),
    "record": lambda s: s.record(),
    "machine": lambda s: machine(s), "stride_machine_parse.text": lambda s: s.pick(
        b"level=avx2 first=32768\nlast=7 # bytes", b"", b"# only", b"level=", b"last=18446744073709551616", b"=", b"second", b"stream_from=1 "),
    "requirements": lambda s: s.requirements(), "consumer": lambda s: s.pick(4, 0, 11), "api": lambda s: s.pick(2, 0, 8), "rules": lambda s: s.rules(), "address": lambda s: s.pick(4096, 0, 24, 2**64 - 16),
    "dtype": lambda s: s.shape.dtype if "_xla_" in s.name else s.layout.dtype, "bytes": lambda s: s.pick(12, 1, 2**24 - 1),
    "rank": lambda s: s.rank(), "out_rank": lambda s: s.second_shape.rank,
    "sizes": lambda s: real_sizes(s.shape if "_xla_" in s.name else s.layout), "strides": lambda s: s.layout.strides[:s.layout.rank],
    "byte_strides": lambda s: [of * -(-bits_of(s.layout.dtype) // 8) for of in s.layout.strides[:s.layout.rank]],
    "minor_to_major": lambda s: s.permutation(s.rank()), "axes": lambda s: s.permutation(s.rank()),
    "starts": lambda s: [s.pick(0, 0, 1, -1) for _ in real_sizes(s.layout)], "stops": lambda s: real_sizes(s.layout),
    "steps": lambda s: [s.pick(1, 1, 2, -1) for _ in real_sizes(s.layout)], "index": lambda s: s.index(),
    "stride_layout_init_pitched.axis": lambda s: s.pick(0, 0, -1, 1),
    "pitch_bytes": lambda s: -(-product(real_sizes(s.layout)[1:]) * bits_of(s.layout.dtype) // 8) + s.pick(0, 0, 4, 12, 1),
    "rule": lambda s: s.pick(1, 0, 2, 3),
    "stride_layout_init_padded.padded_sizes": lambda s: [size + s.pick(1, 0, 3) for size in real_sizes(s.layout)],
    "stride_layout_init_aligned.axis": lambda s: s.pick(0, 0, -1, 1), "alignment_bytes": lambda s: s.pick(16, 1, 3, 64, 256, 2**60),
    "buffer_bytes": lambda s: min_bytes(s.layout) + s.pick(0, 0, 1, -1) if min_bytes(s.layout) else s.pick(0, 7),
    "stride_layout_query.out": lambda s: blank_facts("stride_layout_facts"), "base_alignment": lambda s: s.pick(64, 1, 2, 4096, 2**63, 12),
    "preferred": lambda s: s.permutation(s.layout.rank) if s.plain or s.chance(0.8) else [],
    "stride_layout_window.sizes": lambda s: [s.pick(min(size, 2), 1, size, 3, 0) for size in real_sizes(s.layout)],
    "stride_layout_window.steps": lambda s: [s.pick(1, 1, 2, 3) for _ in real_sizes(s.layout)],
    "dilations": lambda s: [s.pick(1, 1, 2) for _ in real_sizes(s.layout)],
    "stride_layout_multi_index.offset": lambda s: s.layout.offset + s.pick(0, 0, 1, 5),
    "stride_layout_parse.text": lambda s: s.pick(
        b"f32[2,3]:1,2+7", b"u8[4] strides [-1] offset 3", b"f32[1,3,4,5]:nhwc", b"f32[2,3]{0,1}", b"u8[2,3]:a b",
        b"f32[1,9,2,2]:nChw4c", b"f32[3,5]{1,0:T(2,2)}", b"f32[2,3]:1", b"u4:high[", b"f32[9223372036854775807,2]"),
    "stride_layout_as_strided.offset": lambda s: s.layout.offset + s.pick(0, 0, 0, 1),
    "stride_layout_reinterpret.dtype": lambda s: s.pick(U8, S4, N["STRIDE_DTYPE_U16"], F32, N["STRIDE_DTYPE_F64"], DTYPE_BYTES | 12),
    "stride_layout_select.index": lambda s: s.pick(1, 0, -1, 4), "stride_layout_repeat.count": lambda s: s.pick(3, 0, 1, 2),
    "stride_layout_cut.position": lambda s: s.pick(1, 0, 2, 3),
    "stride_layout_crop.starts": lambda s: [0 if s.plain else s.r.randrange(size + 1) for size in real_sizes(s.layout)],
    "stride_layout_crop.sizes": lambda s: [s.pick(size, 1, 0) for size in real_sizes(s.layout)],
    "stride_layout_flip.axes": lambda s: s.some_axes(s.layout.rank),
    "stride_layout_squeeze.axes": lambda s: s.ones() if s.plain or s.chance(0.7) else s.some_axes(s.layout.rank),
    "stride_layout_expand_dims.axes": lambda s: s.pick([0, -1], [], [1], [-1], [0, 1]),
    "stride_layout_pad_rank.rank": lambda s: min(s.layout.rank + s.pick(2, 0, 1), 64), "position": lambda s: s.pick(1, 0),
    "stride_layout_reshape.sizes": lambda s: s.regroup(real_sizes(s.layout)), "axis": lambda s: s.pick(0, 0, 1, -1),
    "dst_side": lambda s: s.sides[0], "src_side": lambda s: s.sides[1], "side": lambda s: s.sides[1],
    "stride_side_set_runs.dimension": lambda s: s.pick(1, 0, 2, 2**32 - 1), "first": lambda s: s.pick(0, 1, -1, 2**63 - 1),
    "stride_side_set_runs.runs": lambda s: [Struct("stride_index_run", **of) for of in s.some_runs(4, s.pick(3, 0, 1, 9), True)],
    "stride_side_set_range.count": lambda s: s.pick(3, 0, -1, 2**63 - 1),
    "stride_layout_split.sizes": lambda s: s.regroup(real_sizes(s.layout)[:1]),
    "stride_layout_merge.count": lambda s: s.pick(2, 1, 2, s.layout.rank),
    "diagonal": lambda s: s.pick(0, 0, 1, -1), "axis1": lambda s: 0, "axis2": lambda s: s.pick(1, -1),
    "stride_layout_broadcast_to.sizes": lambda s: s.pick([2], []) + real_sizes(s.layout),
    "stride_layout_broadcast_in_dim.sizes": lambda s: [2] + real_sizes(s.layout),
    "stride_layout_broadcast_in_dim.broadcast_dimensions": lambda s: list(range(1, s.layout.rank + 1)),
    "broadcast_dimensions": lambda s: list(range(s.rank())) if s.pick(False, True) else [],
    "stride_xla_broadcast.broadcast_dimensions": lambda s: list(range(s.layout.rank)) if s.pick(False, True) else [],
    "dst_bytes": lambda s: s.length(s.both()[0]), "src_bytes": lambda s: s.length(s.both()[1]),
    "lhs_bytes": lambda s: s.length(s.layout), "rhs_bytes": lambda s: s.length(s.second), "scratch_bytes": lambda s: s.pick(256, 0, 4096),
    "part": lambda s: s.pick(0, 1), "parts": lambda s: s.pick(2, 3, 2**31), "linear": lambda s: s.pick(0, 1, 5),
    "dst_offsets": lambda s: s.pick([0], [], [0, 4, 100], [-4], [64, 0]), "src_offsets": lambda s: s.pick([0], [], [0, 0, 8], [4], [0, -8]),
    "stride_plan_query.out": lambda s: blank_facts("stride_plan_facts"),
    "stride_plan_regions.rank": lambda s: s.pick(2, 1, 3), "stride_plan_regions.capacity": lambda s: s.pick(MOST_ENTRIES, 0, 1, 5),
    "stride_plan_regions_under.capacity": lambda s: s.pick(MOST_ENTRIES, 0, 1, 5),
    "capacity": lambda s: s.pick(200, 0, 1, 10, 1000), "dst_address": lambda s: s.pick(4096, 4097), "src_address": lambda s: s.pick(8192, 4100),
    "lhs_address": lambda s: 4096, "rhs_address": lambda s: s.pick(4096, 4097, 5000), "budget": lambda s: s.pick(0, 0, 1, 1000, 10**6),
    "data_type": lambda s: s.pick(1, 2, 5, 11, 12), "dimension_count": lambda s: s.layout.rank,
    "stride_dml_buffer_tensor_size.sizes": lambda s: s.dml_sizes(), "stride_dml_calc_buffer_tensor_size.sizes": lambda s: s.dml_sizes(),
    "stride_dml_buffer_tensor_size.strides": lambda s: [max(of, 0) for of in s.layout.strides[:s.layout.rank]],
    "stride_dml_calc_buffer_tensor_size.strides": lambda s: [max(of, 0) for of in s.layout.strides[:s.layout.rank]],
    "least_rank": lambda s: s.pick(4, 0, 1, 8), "status": lambda s: s.pick(1, 0, 5, 7777),
    "stride_dtype_parse.text": lambda s: s.pick(b"bf16", b"f32", b"bytes12", b"s4:high", b"f33", b"bytes0"),
    "stride_xla_shape_parse.text": lambda s: s.shape_text(),
    "padded_sizes": lambda s: [size + s.pick(1, 0, 3) for size in real_sizes(s.shape)], "kind": lambda s: s.pick(1, 0, 2, 3, 4, 5),
    "element_bits": lambda s: s.pick(32, 0, 4, 8, 64, 128), "tile": lambda s: s.pick([2, 2], [4], [8, 128], [2, -(2**63), 2], []),
    "dimensions": lambda s: [0] if s.plain else s.some_axes(s.shape.rank), "size": lambda s: s.pick(2, 1, 0, 3), "dimension": lambda s: s.pick(0, 0, -1, 1),
    "flags": lambda s: s.pick(0, 1, 542, 1023), "stride_xla_shape_align.sizes": lambda s: s.regroup(real_sizes(s.shape)),
    "stride_xla_shape_from_pjrt_tiled.tile_dim_sizes": lambda s: s.pick([2, 2], [], [1], [2, 1]),
    "stride_xla_shape_from_pjrt_tiled.tile_dims": lambda s: s.pick([8, 128, 2, 1], [4]),
    "tile_dims_capacity": lambda s: s.pick(64, 0, 3), "tile_dim_sizes_capacity": lambda s: s.pick(8, 0, 1),
    "stride_xla_shape_init_blocked.outer_order": lambda s: s.permutation(s.shape.rank),
    "stride_xla_shape_init_blocked.block_dims": lambda s: [2, 1, 2] if s.plain else [s.r.randrange(s.shape.rank or 1) for _ in s.__dict__.setdefault("blocks", s.block_sizes())],
    "stride_xla_shape_init_blocked.block_sizes": lambda s: s.__dict__.setdefault("blocks", s.block_sizes()),
    "blocked": lambda s: s.blocked, "stride_blocked_parse.text": lambda s: s.blocked_text(),
    "stride_blocked_init.block_dims": lambda s: [of[0] for of in s.__dict__.setdefault("blocks", s.some_blocks(real_sizes(s.layout)))],
    "stride_blocked_init.block_steps": lambda s: [of[1] for of in s.__dict__.setdefault("blocks", s.some_blocks(real_sizes(s.layout)))],
    "stride_blocked_init.block_sizes": lambda s: [of[2] for of in s.__dict__.setdefault("blocks", s.some_blocks(real_sizes(s.layout)))],
    "stride_xla_shape_parse_tag.tag": lambda s: s.tag(),
    "stride_xla_transpose_is_bitcast.axes": lambda s: list(range(s.rank())) if s.plain else s.permutation(s.rank()),
}
LISTS = ("subtracts", "scales", "adds")
CONVERTING = ("stride_copy", "stride_plan_init", "stride_plan_execute", "stride_plan_execute_part", "stride_plan_execute_batch",
              "stride_plan_execute_values", "stride_plan_describe", "stride_plan_query", "stride_plan_regions")
OF_SIDES = ("stride_copy_sides", "stride_plan_init_sides")
OBJECTS = ("stride_layout", "stride_xla_shape", "stride_blocked")
# Counts that the object does not fix, with the most entries that any call can need. All others have one right value.
FREE_COUNTS = {
    "stride_layout_init.rank": 64, "stride_layout_init_ordered.rank": 64, "stride_layout_init_channels_last.rank": 64,
    "stride_layout_init_pitched.rank": 64, "stride_layout_init_byte_strides.rank": 64, "stride_layout_init_bytes.rank": 64, "stride_layout_flip.count": 64,
    "stride_layout_squeeze.count": 64, "stride_layout_expand_dims.count": 64, "stride_layout_reshape.rank": 64,
    "stride_layout_split.count": 64, "stride_layout_init_padded.rank": 64, "stride_layout_init_aligned.rank": 64,
    "stride_layout_as_strided.rank": 64, "stride_layout_dim_order.count": 64,
    "stride_broadcast_sizes.count": None, "stride_broadcast_layouts.count": None,
    "stride_elementwise_layout.count": None, "stride_layouts_common_run.count": None,
    "stride_layout_broadcast_to.rank": 64, "stride_layout_broadcast_in_dim.rank": 64, "stride_xla_broadcast.count": 64,
    "stride_dml_buffer_tensor_size.dimension_count": 64, "stride_dml_calc_buffer_tensor_size.dimension_count": 64,
    "stride_xla_shape_init.rank": 64,
    "stride_xla_shape_add_tile.count": 64, "stride_xla_shape_delete_dimensions.count": 64, "stride_xla_shape_align.rank": 64,
    "stride_xla_shape_broadcast.count": 64, "stride_xla_shape_from_pjrt_tiled.rank": 64,
    "stride_xla_shape_from_pjrt_tiled.num_tiles": 64, "stride_xla_shape_to_pjrt_tiled.tile_dims_capacity": 64,
    "stride_xla_shape_to_pjrt_tiled.tile_dim_sizes_capacity": 64, "stride_layouts_coalesce.count": 8, "stride_runs_init.count": 8,
    "stride_xla_shape_init_blocked.rank": 64, "stride_blocked_init.rank": 64, "stride_blocked_init.count": 64, "stride_blocked_parse.rank": 64,
    "stride_xla_shape_init_blocked.count": 64, "stride_xla_shape_to_blocked.capacity": 64, "stride_xla_shape_parse_tag.rank": 64,
    "stride_image_planes.count": 4, "stride_image_components.count": 4,
    "stride_plan_regions.capacity": None, "stride_plan_regions_under.capacity": None, "stride_plan_execute_batch.count": None,
    "stride_runs_next_many.most": None, "stride_plan_execute_values.value_count": None, "stride_side_set_runs.count": 64,
}
LENGTHS_IN_BYTES = {"dst_bytes", "src_bytes", "lhs_bytes", "rhs_bytes", "scratch_bytes", "capacity", "length"}


def rule(function, name):
    return VALUES.get(f"{function}.{name}") or VALUES.get(name)


def is_tile_or_text(parameter):
    return pointee(parameter["type"]) == "char"


def scene_values(function, seed, plain):
    """A value for each parameter, in their order."""
    scene, values = Scene(function, seed, plain), {}
    parameters = {of["name"]: of for of in function["parameters"]}
    # A plan decides which layouts are copied, so it comes first.
    for name in sorted(parameters, key=lambda name: name != "plan"):
        values[name] = parameter_value(scene, parameters[name])
    values = {name: values[name] for name in parameters}
    counts_from_lists(function, values)
    return make_honest(function, values, scene.r)


def parameter_value(scene, parameter):
    name, kind = parameter["name"], parameter["type"]
    if name == "error" or (parameter.get("direction") == "out" and kind != "void *" and rule(scene.name, name) is None):
        return Out(pointee(kind), 1)
    if kind == "void *" or kind == "const void *":
        return Memory(0)
    if parameter.get("direction") == "out":
        return Out(pointee(kind), 1)
    made = rule(scene.name, name)
    if name in LISTS:
        return made(scene) and List("float", made(scene).items)
    if made is None:
        if parameter.get("direction"):
            raise KeyError(f"no value for {scene.name}.{name}")
        return 0  # A count: it follows from its list.
    value = made(scene)
    if isinstance(value, bytes):
        return Text(value)
    if isinstance(value, list):
        return List(pointee(kind), value)
    return value.copy() if isinstance(value, Struct) else value


def counts_from_lists(function, values):
    """Counts that nothing else says: as many as the first list has that they count."""
    done = set()
    for parameter in function["parameters"]:
        count, of = parameter.get("length"), values[parameter["name"]]
        if count not in values or count in done:
            continue
        if isinstance(of, (List, Text)):
            values[count] = len(of.items) if isinstance(of, List) else len(of.data)
            done.add(count)


def entries(function, values, parameter):
    """How many entries the call says that a pointer has."""
    length = parameter.get("length")
    if length is None:
        return 1
    if length in values:
        return values[length]
    if length.isdigit():
        return int(length)
    if length == "1 element":
        return min(-(-bits_of(values["dst_layout"].dtype) // 8), 2 * MOST_BYTES) if values["dst_layout"] else 16
    if " x " in length:
        return math.prod(values[of] for of in length.split(" x "))
    total = 0
    counts = values[length.removeprefix("sum of ")]
    for of in counts.items if counts else []:
        if of > 64:
            break  # No operand has a rank above 64 and no tile so many sizes, so what follows is not looked at.
        total += of
    return total


def make_honest(function, values, r):
    """Makes lists and buffers as long as the call says, up to what can be needed."""
    for name in values:
        # Of lengths in bytes and of the number of operands all is looked at, so they are never more than there is.
        counts = FREE_COUNTS.get(f"{function['name']}.{name}", 64) is None
        if (counts or name in LENGTHS_IN_BYTES) and isinstance(values[name], int):
            values[name] = min(values[name] % 2**64, MOST_ENTRIES if counts else MOST_BYTES)
    # A list that is as long as the sum of another comes after that.
    for parameter in sorted(function["parameters"], key=lambda of: "sum" in of.get("length", "")):
        of = values[parameter["name"]]
        if of is None or "direction" not in parameter or isinstance(of, (Struct, Same)):
            continue
        many = entries(function, values, parameter)
        if isinstance(of, Memory):
            if of.within is None:
                of.size = many
        elif isinstance(of, Text):
            of.data = (of.data + b" " * many)[:many]
        elif isinstance(of, Out):
            of.entries = many if of.kind == "char" else min(many, MOST_ENTRIES * (8 if " x " in parameter.get("length", "") else 1))
        elif isinstance(of, List):
            many = min(many, MOST_ENTRIES * 64 if "sum" in parameter["length"] else MOST_ENTRIES)
            more = {"stride_layout": [layout(U8, [2])], "stride_index_run": [Struct("stride_index_run", first=1, step=1, count=1)]}
            more = more.get(of.kind, [0, 1, 1, 2])
            of.items = (of.items + [r.choice(more) for _ in range(many - len(of.items))])[:many]
    for of in values.values():
        if isinstance(of, Struct):
            make_struct_honest(function, of)
    return values


def make_struct_honest(function, of):
    """What a struct points to is as long as the struct says."""
    if of.kind == "stride_copy_options" and isinstance(of.scratch, Memory):
        of.fields["scratch_bytes"] = min(of.scratch_bytes % 2**64, MOST_BYTES)
        of.scratch.size = of.scratch_bytes
    if of.kind == "stride_copy_options" and isinstance(of.conversion, Struct):
        make_struct_honest(function, of.conversion)
    elif of.kind == "stride_conversion":
        lists = [of.fields[name] for name in LISTS if isinstance(of.fields[name], List)]
        if lists:
            of.fields["value_count"] = min(of.value_count % 2**64, *(len(each.items) for each in lists))
    elif of.kind == "stride_side":
        for at, entry in enumerate(of.along):
            if isinstance(entry.runs, List):
                entry.fields["count"] = len(entry.runs.items)
            elif at < of.along_count:
                entry.fields["runs"] = None  # And whatever count.
        if isinstance(of.of, Struct):
            of.of.fields["room"] = max(map(API.size_of, OBJECTS))
        if function["name"].startswith("stride_side_set_"):  # They write to what `stride_side_init` made.
            of.fields["struct_size"] = API.size_of("stride_side")


# ----------------------------------------------------------------------------------------------------------------------
# Memory and calls
# ----------------------------------------------------------------------------------------------------------------------

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.memcmp.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]
LIBC.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]


class Room:
    """Memory that ends at a page that cannot be read."""

    def __init__(self, size):
        self.map = mmap.mmap(-1, size + 2 * mmap.PAGESIZE)
        start = ctypes.addressof(ctypes.c_char.from_buffer(self.map))
        self.end = start + mmap.PAGESIZE + size
        for page in (start, self.end):
            if LIBC.mprotect(page, mmap.PAGESIZE, 0) != 0:
                raise OSError(ctypes.get_errno(), "mprotect")

    def put(self, data):
        """Puts the data right before the end, known bytes before it; returns where."""
        whole = POISON[:FRONT] + data
        ctypes.memmove(self.end - len(whole), whole, len(whole))
        return Placed(self.end - len(data), data, whole)


class Placed:
    """Where data was put, and what it was."""

    def __init__(self, address, data, whole):
        self.address, self.data, self.whole = address, data, whole

    def front_kept(self):
        return LIBC.memcmp(self.address - FRONT, self.whole, FRONT) == 0

    def kept(self):
        return LIBC.memcmp(self.address - FRONT, self.whole, len(self.whole)) == 0

    def now(self):
        return ctypes.string_at(self.address, len(self.data))


ROOMS = []
LIBRARY = None


def room(at):
    while len(ROOMS) <= at:
        ROOMS.append(Room(2**17))
    return ROOMS[at]


def load(path):
    global LIBRARY
    LIBRARY = ctypes.CDLL(os.path.abspath(path))
    for function in API.functions.values():
        bound = getattr(LIBRARY, function["name"])
        bound.restype = CTYPES[function["returns"]]
        bound.argtypes = [ctypes.c_void_p if "direction" in of else CTYPES[of["type"]] for of in function["parameters"]]


class Inside:
    """The struct or list of one parameter lies `at` bytes inside of the memory of another one."""

    def __init__(self, name, memory, at):
        self.name, self.memory, self.at = name, memory, at

    def __str__(self):
        return f"{self.name} at byte {self.at} of {self.memory}"


def place(values, inside=None, elsewhere=False):
    """Puts all that is pointed to in memory; returns the arguments and what was put where. `elsewhere`: what lies inside
    of some memory lies there, but the call gets a copy of it."""
    arguments, placed, rooms = {}, {}, iter(range(50))
    # Where memory ends is known before it is filled, so what lies inside can be pointed to first.
    memory = inside and room(next(rooms))
    told = []

    def put(name, of):
        addresses = {}
        for field, to in of.pointers() if isinstance(of, Struct) else ():
            addresses[field] = put(f"{name}.{field}", to)
        data = of.pack(addresses) if isinstance(of, Struct) else of.pack()
        if inside and name == inside.name:
            told.append(data)
            return room(52).put(data).address if elsewhere else memory.end - values[inside.memory].size + inside.at
        placed[name] = room(next(rooms)).put(data)
        return placed[name].address

    for name, of in values.items():
        if of is None or isinstance(of, int):
            arguments[name] = of
        elif not (inside and name == inside.memory) and not isinstance(of, Same) and not (isinstance(of, Memory) and of.within):
            arguments[name] = put(name, of)
    if inside:
        data = bytearray(values[inside.memory].pack())
        data[inside.at:inside.at + len(told[0])] = told[0]
        placed[inside.memory] = memory.put(bytes(data))
        arguments[inside.memory] = placed[inside.memory].address
    for name, of in values.items():
        if isinstance(of, Same):
            arguments[name] = arguments[of.name]
        elif isinstance(of, Memory) and of.within:
            arguments[name] = arguments[of.within] + of.at if arguments[of.within] is not None else None
    return {name: arguments[name] for name in values}, placed


def call(function, arguments):
    """The status, and the processor's time in milliseconds."""
    of = getattr(LIBRARY, function["name"])
    begun = time.thread_time_ns()
    status = of(*arguments.values())
    return status, (time.thread_time_ns() - begun) / 1e6


def make_plan(dst, src, options):
    """A plan for the two sides, or None."""
    kind = "side" if dst.kind == "stride_side" else "layout"
    function = API.functions["stride_plan_init_sides" if kind == "side" else "stride_plan_init"]
    values = {"out": Out("stride_plan", 1), f"dst_{kind}": dst, f"src_{kind}": src, "options": options, "error": None}
    arguments, placed = place(values)
    placed["out"] = room(50).put(bytes(4096))
    arguments["out"] = placed["out"].address
    if call(function, arguments)[0] != 0:
        return None
    return Struct("stride_plan", words=list(struct.unpack("<512Q", placed["out"].now())))


def make_runs(operands):
    """Runs of these layouts, or None."""
    values = {"out": Out("stride_runs", 1), "count": len(operands), "in": List("stride_layout", operands), "error": None}
    arguments, placed = place(values)
    placed["out"] = room(50).put(bytes(4096))
    arguments["out"] = placed["out"].address
    if call(API.functions["stride_runs_init"], arguments)[0] != 0:
        return None
    return Struct("stride_runs", words=list(struct.unpack("<512Q", placed["out"].now())))


RECORD = struct.Struct("<iIiiQqqQQQ")
Record = collections.namedtuple("Record", "status argument dimension item position lhs rhs detail reserved0 reserved1")


def make_record(sizes):
    function = API.functions["stride_layout_init"]
    values = {"out": Out("stride_layout", 1), "dtype": F32, "rank": len(sizes), "sizes": List("int64_t", sizes), "strides": None,
              "error": Out("stride_error", 1)}
    arguments, placed = place(values)
    status = call(function, arguments)[0]
    got = Record(*RECORD.unpack(placed["error"].now())) if status else Record(0, 0, -1, -1, 2**64 - 1, 0, 0, 0, 0, 0)
    return Struct("stride_error", **got._replace(reserved0=[0, 0])._asdict() | {"reserved": [0, 0]})


def sentence(record_address):
    """What the library says of a record; None if it refuses to."""
    buffer, length = ctypes.create_string_buffer(1000), ctypes.c_uint64()
    status = LIBRARY.stride_error_format(record_address, ctypes.addressof(buffer), 1000, ctypes.addressof(length), None)
    text = buffer.value.decode("latin1")
    return text if status == 0 and length.value == len(text) else None


def make_requirements(consumer):
    placed = room(51).put(bytes(API.size_of("stride_requirements")))
    call(API.functions["stride_requirements_init"], {"out": placed.address, "consumer": consumer, "error": None})
    numbers = API.packers["stride_requirements"].unpack(placed.now())
    names = [field["name"] for field in API.structs["stride_requirements"]["fields"]]
    return Struct("stride_requirements", **dict(zip(names, numbers)))


# The part of the flags inside a plan that promises what hostile calls never promise.
def promise_in_plans():
    """Where in a plan STRIDE_COPY_ASSUME_DISTINCT stands: the words that differ when it is asked for."""
    sides = layout(F32, [2, 3]), layout(F32, [2, 3], [1, 2])
    options, plans = copy_options(), []
    for flags in (0, ASSUME_DISTINCT):
        options.fields["flags"] = flags
        plans.append(make_plan(*sides, options).words)
    return [(at, one ^ other) for at, (one, other) in enumerate(zip(*plans)) if one != other]


# ----------------------------------------------------------------------------------------------------------------------
# What must hold after a call
# ----------------------------------------------------------------------------------------------------------------------

# What `lhs` and `rhs` must be for a detail to be true. A number at either end of 64 bits may be a larger one,
# saturated.
EDGES = (2**63 - 1, -(2**63))


def beyond(value):
    return not -(2**63) <= value < 2**63


TRUE_OF = {
    "BELOW": lambda l, r: l < r, "ABOVE": lambda l, r: l > r, "OUT_OF_RANGE": lambda l, r: not 0 <= l < r,
    "OUT_OF_SIGNED_RANGE": lambda l, r: not -r <= l < r, "ZERO": lambda l, r: l == 0, "NOT_ZERO": lambda l, r: l != 0,
    "NOT_EQUAL": lambda l, r: l != r, "NOT_A_MULTIPLE": lambda l, r: r == 0 or l % r != 0,
    "NOT_A_POWER_OF_TWO": lambda l, r: l <= 0 or l & (l - 1) != 0, "UNKNOWN_FLAG": lambda l, r: l & ~r != 0,
    "CONFLICTING_FLAGS": lambda l, r: l & r == r, "UNSUPPORTED_FLAG": lambda l, r: l & r == r, "STRUCT_SIZE": lambda l, r: l < r,
    "STRUCT_TAIL": lambda l, r: l >= r, "COUNT": lambda l, r: l != r, "OUT_OF_ORDER": lambda l, r: l <= r,
    "NOT_IDENTITY": lambda l, r: l != r, "RANKS": lambda l, r: l != r, "ELEMENTS": lambda l, r: l != r,
    "STRETCH": lambda l, r: l not in (1, r), "PRODUCT": lambda l, r: beyond(l * r), "SUM": lambda l, r: beyond(l + r),
    "BITS": lambda l, r: beyond(l * r), "DTYPES": lambda l, r: l != r, "PAST_END": lambda l, r: l > r,
    "BEFORE_START": lambda l, r: l < 0, "SCRATCH_BYTES": lambda l, r: l > r, "STRIDE": lambda l, r: l != r,
    "OFFSET": lambda l, r: l != 0, "WHOLE_BYTES": lambda l, r: l % r != 0, "FIELD": lambda l, r: l != r,
    "EMPTY_TILE": lambda l, r: l < r, "TOO_MANY_TILES": lambda l, r: l > r, "TOO_MANY_TILE_SIZES": lambda l, r: l > r,
    "TILES_MOVE": lambda l, r: l != r, "TOO_MANY_ELEMENTS": lambda l, r: r > l, "DTYPE_UNKNOWN": lambda l, r: l not in API.dtypes,
    "SPLIT": lambda l, r: l % r != 0, "CARRY": lambda l, r: not 0 <= l < r,
    "NEGATIVE_STRIDE": lambda l, r: l < 0, "NESTED": lambda l, r: abs(l) < r, "STRIDE_MULTIPLE": lambda l, r: l % r != 0,
    "STRIDE_BYTES": lambda l, r: l > r, "ELEMENTS_MAX": lambda l, r: l > r, "REACH_MAX": lambda l, r: l > r, "BYTES_MAX": lambda l, r: l > r,
    "TAIL_POSITION": lambda l, r: 0 <= l < r, "PADDING_POSITION": lambda l, r: l >= r, "STRIDE_ZERO": lambda l, r: l == 0,
}
# Details whose `lhs` is the number that was found, which must be somewhere in the argument.
FOUND = {"BELOW", "ABOVE", "OUT_OF_RANGE", "OUT_OF_SIGNED_RANGE", "ZERO", "NOT_ZERO", "NOT_EQUAL", "NOT_A_MULTIPLE",
         "NOT_A_POWER_OF_TWO", "UNKNOWN_VALUE", "UNKNOWN_FLAG", "CONFLICTING_FLAGS", "UNSUPPORTED_FLAG", "STRUCT_SIZE", "COUNT",
         "REPEATED", "OUT_OF_ORDER", "NOT_IDENTITY", "DTYPE_UNKNOWN", "DTYPE_FOREIGN", "DTYPE_WIDTH", "STRIDE_ZERO", "OFFSET"}

# Sentences that say how their first number was computed.
# A bit of dynamic_dimensions, the rank of a result, where strides lead, the number of an element that a composition
# reaches, and the size beside which a tile stands.
COMPUTED = [
    "it reaches element ", "the layout's size", "start plus size is", "the range ends at element", "elements are not a multiple of", "element is not a multiple of",
    "elements are more than", "elements from the lowest to the highest are more than",
    "dynamic dimension ", "dimensions with runs are above", "out: rank ", "an element of", "an element would lie at", "a stride of ", "the lowest element lies at ",
]


def saturate(value):
    return max(min(value, 2**63 - 1), -(2**63))


def numbers_in(value):
    """All numbers of an argument, saturated as in a record."""
    if isinstance(value, int):
        return {saturate(value)}
    if isinstance(value, List):
        return set().union(*(numbers_in(of) for of in value.items))
    if isinstance(value, Struct):
        # What the flags of a shape say of its elements stands in a record as part of their type.
        high = {value.dtype | HIGH_FIRST} if value.kind == "stride_xla_shape" and value.flags & N["STRIDE_XLA_SHAPE_HIGH_FIRST"] else set()
        each = (of if isinstance(of, list) else [of] for of in value.fields.values() if of is not None)
        return high.union(*(numbers_in(entry) for of in each for entry in of))
    return set()


def numbers_at(value, at):
    """The numbers at this place of a list or of the lists of a struct."""
    if isinstance(value, Struct):
        return set().union(*(numbers_at(of, at) for of in value.fields.values() if isinstance(of, (list, List, Struct))))
    if isinstance(value, int):
        return {saturate(value)}
    items = value.items if isinstance(value, List) else value
    return numbers_in(items[at]) if at < len(items) else set()


def known_names(function):
    """Parameters, and the fields of the structs that the function reads."""
    names = set()
    for parameter in function["parameters"]:
        names.add(parameter["name"])
        of = API.structs.get(pointee(parameter["type"]) if "direction" in parameter else None)
        if of and parameter["direction"] != "out":
            names |= {field["name"] for field in of["fields"]}
            inner = (API.structs.get(pointee(field["type"]), {"fields": ()}) for field in of["fields"] if field["type"].endswith("*"))
            names |= {field["name"] for each in inner for field in each["fields"]}
    return names - {"error"}


def argument_value(function, values, name):
    """The parameter of this name, or the structs that have a field of this name."""
    if name in values:
        unsigned = any(of["name"] == name and of["type"] == "uint64_t" for of in function["parameters"])
        return [values[name] % 2**64 if unsigned else values[name]]
    found = []
    for of in values.values():
        of = of if not isinstance(of, List) else (of.items[0] if of.items and isinstance(of.items[0], Struct) else None)
        if isinstance(of, Struct) and name in of.fields:
            field = of.fields[name]
            found.append(List("int64_t", field) if isinstance(field, list) else field)
    return found


def check_record(function, values, status, placed):
    """What is wrong with the record of a call that failed, and its sentence."""
    record = Record(*RECORD.unpack(placed["error"].now()))
    wrong, text = [], sentence(placed["error"].address)
    if status not in API.statuses:
        wrong.append(f"returned {status}, which is no status")
    elif "STRIDE_STATUS_" + API.statuses[status] not in function["statuses"]:
        wrong.append(f"returned {API.statuses[status]}, which stride.json does not list for it")
    if record.status != status:
        wrong.append(f"returned {status}, the record says {record.status}")
    name = API.arguments.get(record.argument, "?").lower()
    if name not in known_names(function):
        wrong.append(f"argument {record.argument} ({name}) is no parameter and no field of a struct that is read")
    detail = API.details.get(record.detail)
    if detail is None:
        wrong.append(f"detail {record.detail} is none")
    if record.detail == 0 and API.statuses.get(status) != "NULL_POINTER":
        wrong.append("detail 0")
    if record.reserved0 or record.reserved1:
        wrong.append("reserved is not 0")
    if text is None:
        wrong.append("stride_error_format refuses the record")
    elif not re.match(re.escape(name) + r"\b", text):
        wrong.append(f"the sentence does not begin with {name}")
    edge = record.lhs in EDGES or record.rhs in EDGES
    if detail in TRUE_OF and not edge and not TRUE_OF[detail](record.lhs, record.rhs):
        wrong.append(f"untrue: {detail} of lhs {record.lhs} and rhs {record.rhs}")
    wrong += check_places(function, values, record, name, detail, text or "")
    return record, text, wrong


def check_places(function, values, record, name, detail, text):
    """Whether dimension, item and position are places in the argument, and `lhs` is a number that stands there."""
    wrong, candidates = [], argument_value(function, values, name)
    if not -1 <= record.dimension < 64 or not -1 <= record.item < 2**31:
        wrong.append(f"dimension {record.dimension}, item {record.item}")
    texts = [of for of in values.values() if isinstance(of, Text)]
    is_text = name in ("text", "tag") and record.position <= (len(texts[0].data) if texts else 0)
    if record.position != 2**64 - 1 and not is_text:
        wrong.append(f"position {record.position}")
    lists = [of for of in candidates if isinstance(of, List) and of.kind not in API.structs]
    if lists and record.dimension >= max(len(of.items) for of in lists):
        wrong.append(f"dimension {record.dimension} of a list with fewer entries")
    # Of an output nothing stands there yet, and some sentences say where their number comes from.
    given = candidates and not any(of is None or isinstance(of, (Out, Text)) for of in candidates) and not any(of in text for of in COMPUTED)
    # The words of a plan hold several numbers each. Of a broadcast, the left operand's size comes first.
    given = given and name != "plan" and API.statuses.get(record.status) != "BROADCAST_MISMATCH"
    # Of a side the sum of the counts and the last index of a run are computed, and an object of another kind is junk.
    of_side = isinstance(values.get(name), Struct) and values[name].kind == "stride_side"
    computed = API.statuses.get(record.status) in ("SHAPE_MISMATCH", "INDEX_OUT_OF_RANGE")
    given = given and not (of_side and (computed or values[name].fields["kind"] != kind_of_side(values[name].of)))
    if detail in FOUND and given and not any(record.lhs in numbers_in(of) for of in candidates):
        wrong.append(f"lhs {record.lhs} is no number of {name}")
    elif detail in FOUND and given and record.dimension >= 0 and record.item < 0:
        if not any(record.lhs in numbers_at(of, record.dimension) for of in candidates):
            wrong.append(f"lhs {record.lhs} does not stand at {record.dimension} of {name}")
    if detail == "PAST_END" and isinstance(values.get(name), int) and record.rhs != saturate(values[name]):
        wrong.append(f"rhs {record.rhs} is not {name}")
    return wrong


def check_memory(function, values, status, placed):
    """Whether anything changed that must not."""
    wrong = []
    by_name = {of["name"]: of for of in function["parameters"]}
    aliased = {of.name for of in values.values() if isinstance(of, Same)} | {
        of.within for of in values.values() if isinstance(of, Memory) and of.within}
    for name, of in placed.items():
        if of.kept():
            continue
        direction = by_name.get(name, {"direction": "out" if name == "options.scratch" else "in"})["direction"]
        if not of.front_kept():
            wrong.append(f"bytes before {name} were written")
        if name == "error":
            if status == 0:
                wrong.append("the record was written though the call succeeded")
        elif status != 0 and function["name"] == "stride_error_format":
            if direction == "in":
                wrong.append(f"{name} is an input and was written")  # The buffer always gets a sentence.
        elif status != 0 and function["returns"] == "stride_status":
            wrong.append(f"{name} was written though the call failed")
        elif direction == "in" and name not in aliased:
            wrong.append(f"{name} is an input and was written")
    if status == 0:
        wrong += check_entries_after(values, placed)
    return wrong


def check_entries_after(values, placed):
    """A layout that is written keeps what it has after its rank."""
    wrong = []
    for name, of in values.items():
        if not isinstance(of, Out) or of.kind != "stride_layout" or name not in placed:
            continue
        now, before = placed[name].now(), placed[name].data
        for base in range(0, len(now), 1040):
            rank = struct.unpack_from("<I", now, base + 4)[0]
            for first, last in ((base + 16 + 8 * rank, base + 528), (base + 528 + 8 * rank, base + 1040)):
                if now[first:last] != before[first:last]:
                    wrong.append(f"{name} was written after its rank {rank}")
    return wrong


# ----------------------------------------------------------------------------------------------------------------------
# Cases
# ----------------------------------------------------------------------------------------------------------------------


class Case:
    """One call: its values, and what must come of it if that is known.

    `wanted`: None, "OK", or a status's name with the name of the argument or None. `needed`: the numbers of
    INVALID_RANK.
    """

    def __init__(self, phase, number, values, wanted=None, argument=None, numbers=None, inside=None):
        self.phase, self.number, self.values, self.wanted = phase, number, values, wanted
        self.argument, self.numbers, self.inside = argument, numbers, inside


def plain_case(function, options):
    yield Case("plain", 0, scene_values(function, 0, True), "OK")


def null_cases(function, options):
    """NULL for each pointer in turn."""
    pointers = [of for of in function["parameters"] if "direction" in of]
    for number, parameter in enumerate(pointers):
        values, name = scene_values(function, 0, True), parameter["name"]
        many = entries(function, values, parameter)
        allowed = parameter["null"] == "allowed" or (parameter["null"] == "if_empty" and many == 0)
        # "Tensor memory (void *) may be NULL where nothing is reached": plain copies need no scratch.
        allowed = allowed and (name not in LISTS or values[name] is None)  # A list that the plan needs.
        wanted = "OK" if allowed or name == "scratch" else "NULL_POINTER"
        values[name] = None
        yield Case("null", number, values, wanted, None if wanted == "OK" else name)
    if {"scratch", "src"} <= scene_values(function, 0, True).keys() or function["name"] == "stride_copy":
        yield Case("null", 100, scratch_is_needed(function), "NULL_POINTER", "scratch")
    # All at once.
    values = scene_values(function, 0, True)
    for parameter in pointers:
        values[parameter["name"]] = None
    yield Case("null", len(pointers), values)


def scratch_is_needed(function):
    """A transpose of a matrix onto itself, one byte further on, which no direction can do; and no scratch memory."""
    values = scene_values(function, 0, True)
    sides = layout(F32, [5, 7]), layout(F32, [5, 7], [1, 5])
    options = copy_options(flags=OVERLAP, scratch_bytes=256)
    made = {"dst_layout": sides[0], "src_layout": sides[1], "options": options, "plan": make_plan(*sides, options), "dst": Memory(141),
            "dst_bytes": 141, "src": Memory(140, "dst", 1), "src_bytes": 140, "scratch": None, "scratch_bytes": 256}
    return {name: made.get(name, of) for name, of in values.items()}


def empty_cases(function, options):
    """Lists of no entries are NULL, tensors without elements are NULL."""
    counts = {of["length"] for of in function["parameters"] if of.get("null") == "if_empty"}
    values, rank_0 = scene_values(function, 0, True), False
    memory = [of["name"] for of in function["parameters"] if isinstance(values[of["name"]], Memory) and "length" in of]
    if memory:
        for name, of in values.items():
            if isinstance(of, Struct) and "sizes" in of.fields and of.kind != "stride_dml_buffer_tensor_desc":
                of.sizes[0] = of.fields.get("padded_sizes", [0])[0] = 0
            elif isinstance(of, Struct) and of.kind == "stride_side":
                of.of.sizes[0] = of.of.fields.get("padded_sizes", [0])[0] = 0
                of.fields["along"] = side(of.of, [(0, [])]).along  # No index of no index.
                of.fields["along_count"] = 1
            elif isinstance(of, Struct) and of.kind == "stride_plan":
                empty = layout(F32, [0, 3])
                values[name] = make_plan(empty, empty, None)
        for name in memory:
            values[name] = None
        yield Case("empty", 0, values, "OK")
        return
    for count in sorted(counts & values.keys()):
        values = scene_values(function, 0, True)
        for parameter in function["parameters"]:
            if parameter.get("length") == count:
                values[parameter["name"]] = None
                for other in function["parameters"]:
                    if other.get("length") == f"sum of {parameter['name']}":
                        values[other["name"]] = None
        for of in values.values():
            # The object has the rank 0 then.
            if isinstance(of, Struct) and "rank" in of.fields and f"{function['name']}.{count}" not in FREE_COUNTS:
                of.fields["rank"] = 0
        values[count] = 0
        # Rank 0 has no axis, so what wants one fails for another reason than a null pointer.
        yield Case("empty", 1, values, "NOT NULL_POINTER")


def count_cases(function, options):
    """Wrong counts. The lists of a count that the object fixes keep their length and end at the unreadable page."""
    number = 0
    counted = {of["length"] for of in function["parameters"] if "length" in of and not is_tile_or_text(of) and of["type"][-6:] != "void *"}
    for count in sorted(counted & {of["name"] for of in function["parameters"]}):
        right = scene_values(function, 0, True)[count]
        kind = next(of["type"] for of in function["parameters"] if of["name"] == count)
        key = f"{function['name']}.{count}"
        for wrong in (right - 1, right + 1, 0, 65, 2**32 - 1, 2**64 - 1):
            if wrong < 0 or wrong == right or wrong >= 2 ** (8 * API.size_of(kind)):
                continue
            if wrong > MOST_ENTRIES and FREE_COUNTS.get(key, 64) is None:
                continue  # As many operands would have to exist.
            values = scene_values(function, 0, True)
            values[count] = wrong
            if key in FREE_COUNTS:
                most, before = FREE_COUNTS[key] or MOST_ENTRIES, {name: of for name, of in values.items()}
                values = make_honest(function, values, random.Random(0))
                for parameter in function["parameters"]:
                    of = before[parameter["name"]]
                    if parameter.get("length") == count and isinstance(of, List):
                        of.items = of.items[:most]
                    elif parameter.get("length") == count and isinstance(of, Out):
                        of.entries = min(of.entries, most)
                yield Case("count", number, values, "INVALID_RANK" if wrong > 64 and count in ("rank", "dimension_count") else None,
                           count if wrong > 64 and count in ("rank", "dimension_count") else None)
            else:
                yield Case("count", number, values, "INVALID_RANK", count, (saturate(wrong), right))
            number += 1


# What is wrong with a side of the plain scene, whose source has runs along dimension 0, and what it is called.
REFUSED_SIDES = [
    ("NULL_POINTER", "src", lambda of: {"of": None}), ("INVALID_ARGUMENT", "dst", lambda of: {"kind": 0}),
    ("INVALID_ARGUMENT", "dst", lambda of: {"kind": 4}), ("INVALID_ARGUMENT", "src", lambda of: {"reserved": 2**32 - 1}),
    ("INVALID_ARGUMENT", "src", lambda of: {"reserved_pointer": 1}), ("INVALID_ARGUMENT", "src", lambda of: {"struct_size": 4}),
    ("INVALID_RANK", "src", lambda of: {"along_count": 9}), ("INVALID_RANK", "dst", lambda of: {"along_count": 2**32 - 1}),
    ("INVALID_SIZE", "dst", lambda of: {"range_first": -1}), ("INVALID_SIZE", "src", lambda of: {"range_count": -(2**63)}),
    ("UNSUPPORTED", "src", lambda of: {"range_count": 0}), ("OUT_OF_BOUNDS", "dst", lambda of: {"range_count": 2**63 - 1, "range_first": 2**63 - 1}),
    ("NULL_POINTER", "src", lambda of: along(of, 0, None)), ("INVALID_AXES", "src", lambda of: along(of, 3, [(0, 1, 2)])),
    ("INVALID_AXES", "src", lambda of: along(of, 2**32 - 1, [])), ("INVALID_AXES", "src", lambda of: along(of, 1, [(0, 1, 3)], [(0, 1, 3)])),
    ("INVALID_SIZE", "src", lambda of: along(of, 0, [(0, 1, 2), (0, 0, -1)])), ("INVALID_SIZE", "dst", lambda of: along(of, 0, [(0, 1, -(2**63))])),
    ("OVERFLOW", "src", lambda of: along(of, 0, [(0, 0, 2**63 - 1), (1, 0, 1)])), ("INDEX_OUT_OF_RANGE", "src", lambda of: along(of, 0, [(3, 0, 2)])),
    ("INDEX_OUT_OF_RANGE", "src", lambda of: along(of, 0, [(-1, 1, 2)])), ("INDEX_OUT_OF_RANGE", "src", lambda of: along(of, 0, [(0, 2**62, 2)])),
    ("INDEX_OUT_OF_RANGE", "dst", lambda of: along(of, 0, [(1, -1, 2**63 - 1)])), ("INVALID_ARGUMENT", "dst", lambda of: along(of, 0, [(0, 1, 1), (-1, 0, 1)])),
    ("OVERLAP", "dst", lambda of: along(of, 0, [(1, 0, 2)])), ("OVERLAP", "dst", lambda of: along(of, 0, [(1, 1, 1), (1, 1, 1)])),
    ("SHAPE_MISMATCH", "src", lambda of: along(of, 0, [(0, 0, 2**40)])),
]


def along(of, dimension, *lists):
    """The fields of a side with these runs of one dimension; None: NULL, and more runs than there are addresses."""
    runs = [(dimension, [Struct("stride_index_run", **dict(zip(("first", "step", "count"), run))) for run in each or ()]) for each in lists]
    made = side(of.of, runs).fields
    if lists == (None,):
        made["along"][0].fields |= {"runs": None, "count": 2**32 - 1}
    return {name: made[name] for name in ("along", "along_count")}


def side_cases(function, options):
    """Sides with one thing wrong each."""
    for number, (wanted, which, change) in enumerate(REFUSED_SIDES if function["name"] in OF_SIDES else ()):
        values = scene_values(function, 0, True)
        values[f"{which}_side"].fields |= change(values[f"{which}_side"])
        argument = "src_side" if wanted == "SHAPE_MISMATCH" else f"{which}_side"
        yield Case("side", number, values, wanted, argument)


def alias_cases(function, options):
    """Every output in the place of every input of its type."""
    number = 0
    for parameter in function["parameters"]:
        for other in function["parameters"]:
            same = pointee(parameter["type"]) == pointee(other["type"])
            if parameter.get("direction") == "out" and other.get("direction") == "in" and same and pointee(other["type"]) in API.structs:
                values = scene_values(function, 0, True)
                values[parameter["name"]] = Same(other["name"])
                yield Case("alias", number, values, "OK")
                number += 1


def inside_cases(function, options):
    """A struct or list, or one that a struct points to, lies in the memory that the call moves, and says the same as
    elsewhere."""
    told = [of["name"] for of in function["parameters"] if of.get("direction") == "in" and of["type"][-6:] != "void *"]
    memory = [name for name in ("dst", "src", "lhs", "rhs", "scratch") if f"{name}_bytes" in {of["name"] for of in function["parameters"]}]
    for number in range(options.cases if told and memory else 0):
        r = random.Random(f"{options.seed} inside {function['name']} {number}")
        values, name, where = scene_values(function, r.random(), False), r.choice(told), r.choice(memory)
        for _ in range(r.choice([0, 0, 0, 1, 2])):
            mutate(function, values, r)
        values = keep_promises(make_honest(function, values, r))
        one = values[name]
        if isinstance(one, Struct) and r.random() < 0.5:
            inner, one = r.choice([("", one)] + [(f".{field}", of) for field, of in one.pointers()])
            name += inner
        if not isinstance(one, (Struct, List)) or not isinstance(values[where], Memory) or values[where].within:
            continue
        length = len(one.pack())
        values[f"{where}_bytes"] = min(MOST_BYTES, max(values[f"{where}_bytes"], length + 8 * r.randrange(100)))
        at = 8 * r.randrange((values[f"{where}_bytes"] - length) // 8 + 1)
        yield Case("inside", number, make_honest(function, values, r), inside=Inside(name, where, at))


def random_cases(function, options):
    """Scenes of all kinds with a few numbers, lists or pointers changed."""
    for number in range(options.cases):
        r = random.Random(f"{options.seed} {function['name']} {number}")
        values = scene_values(function, r.random(), False)
        for _ in range(r.choice([0, 1, 1, 1, 2, 3, 6])):
            mutate(function, values, r)
        yield Case("random", number, keep_promises(make_honest(function, values, r)))


def hostile_number(r, kind):
    if kind in ("float", "double"):
        return r.choice(FLOATS)
    value = r.choice(NUMBERS) if r.random() < 0.7 else r.randrange(-4, 12)
    return wrap(value, kind)


def wrap(value, kind):
    """As a C compiler would convert the number."""
    bits = 8 * struct.calcsize(FORMATS[kind])
    value %= 1 << bits
    return value - (1 << bits) if kind.startswith(("int", "ptrdiff")) and value >> (bits - 1) else value


def mutate(function, values, r):
    parameter = r.choice([of for of in function["parameters"] if of["name"] != "error"])
    name, of = parameter["name"], values[parameter["name"]]
    if "direction" in parameter and r.random() < 0.03:
        values[name] = None
    elif isinstance(of, int):
        near = of + r.choice([-1, 1])
        values[name] = wrap(near, parameter["type"]) if r.random() < 0.2 else hostile_number(r, parameter["type"])
        if name == "dtype":
            values[name] = some_dtype(r)
    elif isinstance(of, List) and of.items:
        at = r.randrange(len(of.items))
        if of.kind in API.structs:
            mutate_struct(of.items[at], r)
        elif r.random() < 0.2:
            of.items[at] = r.choice(of.items)
        else:
            of.items[at] = hostile_number(r, of.kind)
    elif isinstance(of, Struct):
        mutate_struct(of, r)
    elif isinstance(of, Text):
        values[name] = mutate_text(of, r)
        values["length"] = len(values[name].data)
    elif isinstance(of, Memory):
        mutate_memory(values, name, r)
    elif isinstance(of, Out) and of.kind in API.structs:
        inputs = [other["name"] for other in function["parameters"] if other.get("direction") == "in" and isinstance(values[other["name"]], Struct)
                  and values[other["name"]].kind == of.kind and "length" not in parameter]
        if inputs:
            values[name] = Same(r.choice(inputs))


def some_dtype(r):
    return r.choice([r.choice(API.dtypes), r.choice(API.dtypes) | HIGH_FIRST, r.choice(API.dtypes) | SWAPPED, DTYPE_BYTES | r.choice([0, 1, 3, 16, 2**24 - 1, 2**24]),
                     hostile_number(r, "uint32_t"), r.randrange(40)])


def mutate_struct(of, r):
    field = r.choice(API.structs[of.kind]["fields"])
    name, value = field["name"], of.fields[field["name"]]
    if of.kind == "stride_side" and name in ("of", "along"):
        mutate_side(of, name, r)
    elif of.kind == "stride_side_runs" and name == "runs":
        mutate_runs(of, r)
    elif name in ("machine", "scratch", "conversion", "values"):
        if isinstance(value, Struct) and r.random() < 0.8:
            mutate_struct(value, r)
        else:
            of.fields[name] = None
    elif of.kind == "stride_conversion" and name in LISTS:
        of.fields[name] = None if isinstance(value, List) else List("float", [r.choice(FLOATS) for _ in range(max(of.value_count % 2**64 % 71, 1))])
    elif isinstance(value, List) or value is None:
        # A list that a descriptor points to. It exists for as many dimensions as any function looks at.
        kind, many = pointee(field["type"]), 8 if of.kind == "stride_dml_buffer_tensor_desc" else 64
        if kind == "char":
            text = r.choice([b"", b"<", b">d", b"Zf", b"Zd", b"?", b"x" * 40, b"@l", b"!H", b"T{<d:x:}"])
            of.fields[name] = None if r.random() < 0.1 else List("char", text + b"\0")
        else:
            of.fields[name] = None if r.random() < 0.1 else List(kind, [hostile_number(r, kind) if r.random() < 0.3 else r.randrange(5) for _ in range(many)])
    elif isinstance(value, list):
        used = of.fields.get("rank", 40 if of.kind in ("stride_plan", "stride_runs") else 4)
        at = r.randrange(len(value)) if r.random() < 0.1 else r.randrange(max(min(used, len(value)), 1))
        if of.kind in ("stride_plan", "stride_runs") and r.random() < 0.5:
            value[at] = (value[at] ^ (1 << r.randrange(64))) % 2**64
        elif r.random() < 0.15:
            value[at] = r.choice(value)
        else:
            value[at] = hostile_number(r, field["type"])
    elif field["type"].endswith("*"):
        of.fields[name] = r.choice([0, 1, 2**64 - 1])  # Nobody looks there.
    elif name == "dtype":
        of.fields[name] = some_dtype(r)
    elif name == "struct_size":
        own = API.structs[of.kind]["size"]["64"]
        of.fields[name] = r.choice([0, 4, 8, own - 1, own, own + 1, own + 4, own + 8, own + 24, 4096, 4097, 2**32 - 1])
        of.fields["tail"] = r.choice([0, 0, 1])
    elif name == "dimension_count":
        of.fields[name] = hostile_number(r, field["type"])
        for other in ("sizes", "strides"):
            if of.fields[other] is not None:
                of.fields[other].items = (of.fields[other].items + [r.randrange(1, 4) for _ in range(8)])[:8]
    else:
        of.fields[name] = hostile_number(r, field["type"])
    if of.kind == "stride_copy_options":
        of.fields["overlap_budget"] = min(of.fields["overlap_budget"], 10**6)


def mutate_side(of, name, r):
    """Another object, or other runs along dimensions."""
    if name == "of" and (of.of is None or r.random() < 0.2):
        of.fields["of"] = r.choice([None, layout(F32, [2, 3]), shape(F32, [2, 3], tiles=[[2, 2]]), blocked(F32, [2, 3], [(0, 1, 0), (1, 1, 0)])])
    elif name == "of":
        mutate_struct(of.of, r)
    elif r.random() < 0.3:
        of.fields["along_count"] = min(of.along_count + 1, len(of.along))
        used = of.along[of.along_count - 1].fields
        used |= {"dimension": r.choice([0, 0, 1, 2, 63]), "runs": List("stride_index_run", [])}
    else:
        mutate_struct(of.along[r.randrange(max(min(of.along_count, len(of.along)), 1))], r)


def mutate_runs(of, r):
    """Other runs along a dimension: none, one more, fewer, one twice, or another number."""
    runs, what = of.runs.items if isinstance(of.runs, List) else [], r.randrange(5)
    if what == 0:
        of.fields["runs"] = None
    elif what == 1 or not runs:
        of.fields["runs"] = List("stride_index_run", runs + [Struct("stride_index_run", **{key: r.randrange(-1, 4) for key in ("first", "step", "count")})])
    elif what == 2:
        del runs[r.randrange(len(runs))]
    elif what == 3:
        runs.append(r.choice(runs).copy())
    else:
        mutate_struct(r.choice(runs), r)


def mutate_text(of, r):
    data = bytearray(of.data)
    for _ in range(r.choice([1, 1, 2, 4])):
        at = r.randrange(len(data) + 1)
        what = r.randrange(4)
        if what == 0:
            data[at:at] = r.choice([b"[", b"]", b"{", b"}", b"(", b")", b",", b":", b"*", b"9", b"99999999999999999999", b"-1", b"T(2)", b"E(4)", b"\0", b"\xff", b"<=", b"?", b"/*", b"T(" + b"2," * 70 + b"2)", b"1," * 65])
        elif what == 1 and data:
            del data[min(at, len(data) - 1)]
        elif what == 2:
            del data[at:]
        elif data:
            data[min(at, len(data) - 1)] = r.choice(b"[]{}(),:*0123456789abfsTLEMS<=? ")
    return Text(data)


def mutate_memory(values, name, r):
    """Another length, or a place inside of another buffer."""
    others = [other for other, of in values.items() if isinstance(of, Memory) and other != name and of.within is None]
    count = {"dst": "dst_bytes", "src": "src_bytes", "lhs": "lhs_bytes", "rhs": "rhs_bytes", "scratch": "scratch_bytes"}.get(name)
    if others and count and r.random() < 0.6 and not any(isinstance(of, Memory) and of.within for of in values.values()):
        other = r.choice(others)
        its = {"dst": "dst_bytes", "src": "src_bytes", "lhs": "lhs_bytes", "rhs": "rhs_bytes", "scratch": "scratch_bytes"}.get(other)
        if its is None:
            return
        at, size = r.choice([0, 0, 1, 4, r.randrange(64)]), values[count]
        values[its] = min(max(values[its], at + size), MOST_BYTES)
        values[count] = min(size, values[its] - at)
        values[name] = Memory(values[count], other, at)
    elif count:
        values[count] = r.choice([0, 1, 2, values[count] - 1, values[count] + 1, r.randrange(MOST_BYTES)]) % MOST_BYTES


PROMISES = []


def keep_promises(values):
    """No promise that could be broken, no search that takes long, no memory inside of memory that there is not."""
    for name, of in values.items():
        if isinstance(of, Struct) and of.kind == "stride_copy_options":
            of.fields["flags"] &= ~ASSUME_DISTINCT
        elif isinstance(of, Struct) and of.kind == "stride_plan":
            for at, bits in PROMISES:
                of.words[at] &= ~bits
        elif isinstance(of, Memory) and of.within:
            outer = values[of.within]
            if outer is None or of.at + of.size > outer.size:
                values[name] = None
            else:
                count = {"dst": "dst_bytes", "src": "src_bytes", "lhs": "lhs_bytes", "rhs": "rhs_bytes", "scratch": "scratch_bytes"}[name]
                of.size = values[count] = min(values[count], outer.size - of.at)
    if "budget" in values:
        values["budget"] = min(values["budget"], 10**6)
    return values


PHASES = {"plain": plain_case, "null": null_cases, "empty": empty_cases, "count": count_cases, "side": side_cases, "alias": alias_cases, "inside": inside_cases,
          "random": random_cases}


def cases(function, options):
    for phase in PHASES.values():
        yield from phase(function, options)


# ----------------------------------------------------------------------------------------------------------------------
# Running
# ----------------------------------------------------------------------------------------------------------------------


class Findings:
    """What the calls of one or more functions showed."""

    def __init__(self):
        self.calls, self.statuses, self.pairs = 0, collections.Counter(), collections.Counter()
        self.plain, self.violations, self.sentences, self.slowest = [], [], {}, {}

    def add_sentence(self, key, text, function, where):
        shown = self.sentences.setdefault(key, [0, set(), []])
        shown[0] += 1
        if function not in shown[1] and len(shown[2]) < MOST_EXAMPLES:
            shown[2].append((text, where))
        shown[1].add(function)

    def merge(self, other):
        self.calls += other.calls
        self.statuses.update(other.statuses)
        self.pairs.update(other.pairs)
        self.plain += other.plain
        self.violations += other.violations
        self.slowest |= other.slowest
        for key, (count, functions, examples) in other.sentences.items():
            shown = self.sentences.setdefault(key, [0, set(), []])
            shown[0] += count
            shown[1] |= functions
            shown[2] = (shown[2] + examples)[:MOST_EXAMPLES]


def show(function, case):
    values = ", ".join(f"{name}={show_number(of) if isinstance(of, int) else of}" for name, of in case.values.items())
    return f"{function['name']}({values})" + (f", {case.inside}" if case.inside else "")


def kind_of(text):
    """A sentence without what differs from call to call: the argument, numbers and names of dtypes."""
    text = re.sub(r"^\w+", "*", text)
    text = re.sub(r"-?\b(0x[0-9a-f]+|\d+)\b", "#", text)
    return re.sub(r"\b(pred|bytes\d+|(s|u|f|bf|c)\d+(e\d+m\d+\w*)?)(:high)?\b", "dtype", text)


def wanted_or_wrong(case, status, record):
    """How the call ended otherwise than it must."""
    name = API.statuses.get(status, status)
    if case.wanted is None or (case.wanted == "NOT NULL_POINTER" and name != "NULL_POINTER"):
        return []
    if name != case.wanted:
        return [f"{name}, wanted {case.wanted}"]
    if record and case.argument and API.arguments.get(record.argument) != case.argument.upper():
        return [f"names {API.arguments.get(record.argument)}, wanted {case.argument.upper()}"]
    # Above 64 the limit may be named instead of the number that is needed.
    if record and case.numbers and (record.lhs, record.rhs) != case.numbers and not record.lhs == case.numbers[0] > 64 == record.rhs:
        return [f"numbers {record.lhs} and {record.rhs}, wanted {case.numbers}"]
    return []


def differs_elsewhere(function, case, status, placed):
    """Whether a call to which all the same was said in other memory does something else."""
    left = {name: of.now() for name, of in placed.items()}
    if status and API.details.get(Record(*RECORD.unpack(left["error"])).detail) == "SHARED_LIST":
        return []  # Lists are read while elements are written, so one that would be written over is refused.
    arguments, apart = place(case.values, case.inside, elsewhere=True)
    other = call(function, arguments)[0]
    wrong = [f"{API.statuses.get(status)}, but {API.statuses.get(other)} with {case.inside.name} elsewhere"] if other != status else []
    # What points to it has another address in it.
    left.pop(case.inside.name.split(".")[0], None)
    return wrong + [f"{name} is other than with {case.inside.name} elsewhere" for name, of in left.items() if apart[name].now() != of]


def run_case(function, case, findings):
    """Calls, checks, and returns what was said."""
    values, has_status = case.values, function["returns"] == "stride_status"
    arguments, placed = place(values, case.inside)
    signal.setitimer(signal.ITIMER_PROF, SECONDS_OF_A_HANG)
    status, took = call(function, arguments)
    signal.setitimer(signal.ITIMER_PROF, 0)
    wrong, record, text = [], None, None
    findings.calls += 1
    if took > findings.slowest.get(function["name"], (0,))[0]:
        findings.slowest[function["name"]] = (took, f"{case.phase}:{case.number}")
    if has_status:
        findings.statuses[API.statuses.get(status, status)] += 1
        if status != 0 and "error" in placed:
            record, text, wrong = check_record(function, values, status, placed)
            findings.pairs[API.statuses.get(status, status), API.details.get(record.detail, record.detail)] += 1
        wrong += wanted_or_wrong(case, status, record)
        if case.phase == "plain" and status == 0:
            findings.plain.append(function["name"])
    wrong += check_memory(function, values, status if has_status else 0, placed)
    if case.inside:
        wrong += differs_elsewhere(function, case, status, placed)
    if has_status and values.get("error") is not None and case.number % 4 == 0:
        # Without a record the same must happen.
        arguments, placed = place(values, case.inside)
        again = call(function, arguments | {"error": None})[0]
        if again != status:
            wrong.append(f"{API.statuses.get(again)} without a record")
        wrong += check_memory(function, values, again, {name: of for name, of in placed.items()})
    where = f"{function['name']}:{case.phase}:{case.number}"
    if text is not None:
        key = (API.statuses.get(status), API.details.get(record.detail), kind_of(text))
        if key not in findings.sentences or (function["name"] not in findings.sentences[key][1] and len(findings.sentences[key][2]) < MOST_EXAMPLES):
            where_and_call = f"{where}  {show(function, case)}"
            findings.add_sentence(key, text, function["name"], where_and_call)
        else:
            findings.add_sentence(key, text, function["name"], where)
    for one in wrong:
        findings.violations.append((one, where, show(function, case), text))
    return status, record, text


def run_function(function, options, skip, progress, pipe):
    """In a process of its own: all cases but those that are known to end it."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    findings = Findings()
    for at, case in enumerate(cases(function, options)):
        if at in skip:
            continue
        progress[:8] = struct.pack("<q", at)
        run_case(function, case, findings)
    with os.fdopen(pipe, "wb") as file:
        pickle.dump(findings, file)


def run_apart(function, options):
    """Runs a function's cases in a child, and again without the case that killed it, if one did."""
    progress, skip, deaths = mmap.mmap(-1, mmap.PAGESIZE), set(), []
    while len(skip) < 12:
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            code = 1
            try:
                os.close(reading)
                run_function(function, options, skip, progress, writing)
                code = 0
            except BaseException as error:  # The parent must hear of a fault of this program too.
                import traceback
                traceback.print_exc()
            finally:
                os._exit(code)
        os.close(writing)
        with os.fdopen(reading, "rb") as file:
            data = file.read()
        status = os.waitpid(child, 0)[1]
        if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0:
            findings = pickle.loads(data)
            findings.violations = deaths + findings.violations
            return findings
        if not os.WIFSIGNALED(status):
            raise SystemExit(f"hostile.py itself is at fault at {function['name']}")
        at = struct.unpack("<q", progress[:8])[0]
        case = next(of for index, of in enumerate(cases(function, options)) if index == at)
        name = signal.Signals(os.WTERMSIG(status)).name
        name = "hang" if name == "SIGPROF" else name
        deaths.append((name, f"{function['name']}:{case.phase}:{case.number}", show(function, case), None))
        skip.add(at)
    findings = Findings()
    findings.violations = deaths + [("gave up after 12 crashes", function["name"], "", None)]
    return findings


def write_sentences(path, findings):
    with open(path, "w") as file:
        for (status, detail, template), (count, functions, examples) in sorted(findings.sentences.items(), key=lambda of: str(of[0])):
            file.write(f"{status} {detail}: {count} times, {len(functions)} functions\n")
            for text, where in examples:
                file.write(f"  {text}\n      {where}\n")


def report(findings, wanted):
    print("statuses:", ", ".join(f"{name} {count}" for name, count in findings.statuses.most_common()))
    print("status and detail:")
    for (status, detail), count in sorted(findings.pairs.items(), key=str):
        print(f"  {status} {detail}: {count}")
    print(f"plain calls that succeeded: {len(findings.plain)} of {len(wanted)}: {', '.join(findings.plain)}")
    slow = sorted(((took, name, where) for name, (took, where) in findings.slowest.items()), reverse=True)[:5]
    print("slowest calls:", ", ".join(f"{name} {took:.1f} ms ({where})" for took, name, where in slow))
    kinds = {}
    for what, where, called, text in findings.violations:
        # The same fault in several functions, told by the sentence or without one by the function, is one.
        same = kind_of(text) if text else where.split(":")[0]
        kinds.setdefault((re.sub(r"-?\d+", "#", what), same), []).append((len(called), what, where, called, text))
    for key, several in sorted(kinds.items()):
        _, what, where, called, text = min(several)
        functions = sorted({of[2].split(":")[0] for of in several})
        print(f"VIOLATION ({len(several)} times in {', '.join(functions)}) {what}\n    {where}\n    {called}" + (f"\n    {text}" if text else ""))
    lacking = sorted(set(wanted) - set(findings.plain))
    if lacking:
        print("VIOLATION plain calls that did not succeed:", ", ".join(lacking))
    return len(kinds) + len(lacking)


def replay(options):
    name, phase, number = options.replay.split(":")
    function = API.functions[name]
    case = next((of for of in PHASES[phase](function, options) if of.number == int(number)), None)
    if case is None:
        raise SystemExit(f"there is no case {options.replay}")
    print(show(function, case))
    findings = Findings()
    status, record, text = run_case(function, case, findings)
    print(API.statuses.get(status, status), record, text)
    for violation in findings.violations:
        print("VIOLATION", violation[0])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("--cases", type=int, default=500, help="random calls of each function, and as many with a struct in its buffers")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", default="")
    parser.add_argument("--sentences", help="write every distinct sentence with example calls to this file")
    parser.add_argument("--replay", help="make one call again, as a violation names it")
    options = parser.parse_args()
    load(options.library)
    PROMISES.extend(promise_in_plans())
    if options.replay:
        return replay(options)
    findings, begun = Findings(), time.monotonic()
    chosen = [of for of in API.functions.values() if options.only in of["name"] and of["parameters"]]
    for function in chosen:
        findings.merge(run_apart(function, options))
    wanted = [of["name"] for of in chosen if of["returns"] == "stride_status"]
    violations = report(findings, wanted)
    if options.sentences:
        write_sentences(options.sentences, findings)
    print(f"hostile: {len(chosen)} functions, {findings.calls} calls in {time.monotonic() - begun:.0f} s, "
          f"{len(findings.sentences)} kinds of sentence, {violations} kinds of violation ({len(findings.violations)} calls)")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
