#!/usr/bin/env python3
"""stride_elementwise_layout beside NumPy and PyTorch: which layout the result of an elementwise operation gets.

    python3 tests/result_oracle.py path/to/libstride.so [seed [section [case]]]

10,000 random operations each. The two systems are held against their own rules as well, written down below: so every
difference from libstride is one of the rules, which have names, and is counted; any other is an error. Without NumPy or
PyTorch their section is skipped. Strides of dimensions of size 1 and of empty results say nothing and are not compared.
"""

import ctypes
import itertools
import random
import sys
import time
from collections import Counter

from structs import raw

try:
    import numpy as np
except ImportError:
    np = None
try:
    import torch
except ImportError:
    torch = None

CASES = 10000
F32 = 11
ROOM = 1 << 18  # elements on either side of where operands begin; no operand reaches as far


if np is not None:
    NUMPY_MEMORY = np.zeros(2 * ROOM, np.float32)[ROOM:]
if torch is not None:
    TORCH_MEMORY = torch.zeros(ROOM)
    torch.set_num_threads(1)


class Failure(Exception):
    """Two answers disagree, and nothing says why."""


def hold(holds, what):
    if not holds:
        raise Failure(what)


class Layout(raw.Layout):
    def __init__(self, sizes=(), strides=()):
        super().__init__(F32, len(sizes), 0)
        self.sizes[: len(sizes)] = sizes
        self.strides[: len(sizes)] = strides


def ask(library, operands):
    """What libstride says: sizes and strides."""
    given = (Layout * max(len(operands), 1))(*[Layout(*operand) for operand in operands])
    out = Layout()
    status = library.stride_elementwise_layout(len(operands), given, F32, ctypes.byref(out), None)
    hold(status == 0, f"status {status}")
    return list(out.sizes[: out.rank]), list(out.strides[: out.rank])


# ----------------------------------------------------------------------------------------------------------------------
# The rules
# ----------------------------------------------------------------------------------------------------------------------


def tellable(operands, sizes):
    """For each operand and dimension of the result the size of the stride, 0 where it tells nothing."""
    rows = []
    for own_sizes, strides in operands:
        row = [abs(stride) if size != 1 else 0 for size, stride in zip(own_sizes, strides)]
        rows.append([0] * (len(sizes) - len(row)) + row)
    return rows


def first_operand_decides(rows, sizes):
    """PyTorch's order, fastest first: the inserted dimension and the one that it passes change places."""

    def belongs_outside(one, other):
        for row in rows:
            if row[one] and row[other]:
                if row[one] != row[other]:
                    return 1 if row[one] > row[other] else -1
                if sizes[one] > sizes[other]:
                    return 1
        return 0

    order = list(range(len(sizes)))[::-1]
    for inserted in range(1, len(order)):
        at = inserted
        for other in range(inserted - 1, -1, -1):
            outside = belongs_outside(order[other], order[at])
            if outside > 0:
                order[other], order[at] = order[at], order[other]
                at = other
            elif outside < 0:
                break
    return order


def row_major_wins(rows, sizes):
    """NumPy's K order, fastest first: the inserted dimension moves before all that it passes."""
    order = list(range(len(sizes)))[::-1]
    for inserted in range(1, len(order)):
        at, dimension = inserted, order[inserted]
        for other in range(inserted - 1, -1, -1):
            told = [row[order[other]] > row[dimension] for row in rows if row[order[other]] and row[dimension]]
            if told and all(told):
                at = other
            elif told:
                break
        order.insert(at, order.pop(inserted))
    return order


def packed(order, sizes):
    strides, step = [0] * len(sizes), 1
    for dimension in order:
        strides[dimension] = step
        step *= sizes[dimension]
    return strides


def why(rows, sizes):
    """The names of what NumPy's and PyTorch's rules can disagree about here."""
    found = set()
    for one, other in itertools.combinations([d for d, size in enumerate(sizes) if size > 1], 2):
        both = [(row[one], row[other]) for row in rows if row[one] and row[other]]
        if any(a == b for a, b in both):
            found.add("equal strides")
        if any(a < b for a, b in both) and any(a > b for a, b in both):
            found.add("operands that contradict each other")
        if not both:
            found.add("a place that no operand tells")
    return found


def compared(strides, sizes):
    return [stride for stride, size in zip(strides, sizes) if size > 1] if 0 not in sizes else []


# ----------------------------------------------------------------------------------------------------------------------
# Random operations
# ----------------------------------------------------------------------------------------------------------------------


def operation(r, negative):
    """One to three operands: sizes and strides in elements."""
    common = [r.choice([1, 2, 2, 3, 4, 5]) if r.random() > 0.01 else 0 for _ in range(r.randint(0, 5))]
    shared = r.sample(range(len(common)), len(common))  # operands often lie in the same order
    operands = []
    for _ in range(r.randint(1, 3)):
        sizes = [1 if r.random() < 0.2 else size for size in common]
        if common and r.random() < 0.2:
            sizes = sizes[r.randint(0, len(sizes)) :]
        first = len(common) - len(sizes)
        order = [d - first for d in shared if d >= first]
        if r.random() < 0.4:
            order = list(range(len(sizes)))[::-1]
        elif r.random() < 0.4:
            r.shuffle(order)
        strides, step = [0] * len(sizes), 1
        for dimension in order:
            strides[dimension] = step
            step *= max(sizes[dimension], 1)
            if r.random() < 0.1:
                step += r.randint(1, 5)  # a gap
        for dimension, size in enumerate(sizes):
            if r.random() < 0.05:
                strides[dimension] = r.choice([0, 0, 1, 2, 3])  # repeated, or a window
            if size == 1 and r.random() < 0.5:
                strides[dimension] = r.choice([0, 1, 7, 100])
            if negative and r.random() < 0.15:
                strides[dimension] = -strides[dimension]
        operands.append((sizes, strides))
    return operands


def beside_numpy(library, r, counts):
    operands = operation(r, True)
    sizes, strides = ask(library, operands)
    views = [np.lib.stride_tricks.as_strided(NUMPY_MEMORY, own, [4 * step for step in steps]) for own, steps in operands]
    kinds = [["readonly"]] * len(views) + [["writeonly", "allocate"]]
    k_order = np.nditer([*views, None], ["zerosize_ok", "multi_index"], kinds, order="K").operands[-1]
    results = [k_order] + ([np.negative(*views)] if len(views) == 1 else [np.add(*views)] if len(views) == 2 else [])
    rows = tellable(operands, sizes)
    expected = packed(row_major_wins(rows, sizes), sizes)
    for result in results:
        hold(list(np.shape(result)) == sizes, f"sizes {sizes}, NumPy {np.shape(result)}")
        found = [step // 4 for step in getattr(result, "strides", ())]
        hold(compared(found, sizes) == compared(expected, sizes), f"NumPy {found}, its rule {expected}")
    own = packed(first_operand_decides(rows, sizes), sizes)
    hold(compared(strides, sizes) == compared(own, sizes), f"libstride {strides}, its rule {own}")
    if compared(strides, sizes) == compared(expected, sizes):
        counts["equal"] += 1
        return
    names = why(rows, sizes)
    hold(names, f"libstride {strides}, NumPy {expected}, and no rule explains it")
    counts["differ: " + ", ".join(sorted(names))] += 1


def beside_torch(library, r, counts):
    operands = operation(r, False)
    sizes, strides = ask(library, operands)
    compute = [torch.neg, torch.add, torch.addcmul][len(operands) - 1]
    result = compute(*[torch.as_strided(TORCH_MEMORY, own, steps) for own, steps in operands])
    hold(list(result.shape) == sizes, f"sizes {sizes}, PyTorch {list(result.shape)}")
    if compared(strides, sizes) == compared(result.stride(), sizes):
        counts["equal"] += 1
        return
    # PyTorch looks at strides of dimensions of size 1. Without these dimensions its answer must be ours.
    hold(any(size == 1 for size in sizes), f"libstride {strides}, PyTorch {result.stride()}")
    squeezed = []
    for own, steps in operands:
        kept = [d for d in range(len(own)) if sizes[len(sizes) - len(own) + d] != 1]
        squeezed.append(torch.as_strided(TORCH_MEMORY, [own[d] for d in kept], [steps[d] for d in kept]))
    without = list(compute(*squeezed).stride())
    hold(without == compared(strides, sizes), f"libstride {strides}, PyTorch {result.stride()}, squeezed {without}")
    counts["differ: strides of size-1 dimensions; equal without these dimensions"] += 1


def main(path, seed="1", section=None, case=None):
    library = ctypes.CDLL(path)
    library.stride_elementwise_layout.restype = ctypes.c_int32
    failed = 0
    for name, module, run in (("numpy", np, beside_numpy), ("torch", torch, beside_torch)):
        if section not in (None, name):
            continue
        if module is None:
            print(f"skipped: results beside {name}, it is missing")
            continue
        begun, counts = time.monotonic(), Counter()
        for number in range(CASES) if case is None else [int(case)]:
            try:
                run(library, random.Random(f"{seed} {name} {number}"), counts)
            except Failure as wrong:
                operands = operation(random.Random(f"{seed} {name} {number}"), name == "numpy")
                print(f"FAILED: {name}, case {number}: {wrong}\n  operands (sizes, strides): {operands}")
                print(f"replay: python3 {sys.argv[0]} {path} {seed} {name} {number}")
                failed = 1
                break
        print(f"results beside {name} {module.__version__}, seed {seed}: {sum(counts.values())} operations, "
              f"{time.monotonic() - begun:.1f} s")
        for what, how_many in counts.most_common():
            print(f"  {how_many} {what}")
    return failed


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 5:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
