#!/usr/bin/env python3
"""Windows over an array by NumPy's as_strided, which checks nothing, and by stride_layout_window."""

import random

import numpy as np
from numpy.lib.stride_tricks import as_strided

import stride


# --- before
def windows_by_hand(array, sizes, steps):
    """The number of windows must be right: nothing checks that they end inside the array."""
    counts = tuple((n - size) // step + 1 for n, size, step in zip(array.shape, sizes, steps))
    outer = tuple(apart * step for apart, step in zip(array.strides, steps))
    return as_strided(array, counts + tuple(sizes), outer + array.strides)


# --- after
def windows(array, sizes, steps):
    """The library counts the windows and checks them."""
    return np.asarray(stride.array(array).window(sizes, steps))


def strided(array, shape, strides, offset=0):
    """Any sizes and strides, in elements; refused if they leave what the array reaches."""
    return np.asarray(stride.array(array).as_strided(shape, strides, offset))


# --- check


def refused(sentence, function, *arguments):
    try:
        function(*arguments)
    except ValueError as error:
        assert str(error) == sentence, str(error)
        print("  refused:", error)
    else:
        raise AssertionError("nothing was refused: " + sentence)


def main():
    draw = random.Random(1).randint
    cases = 500
    for _ in range(cases):
        rank = draw(1, 3)
        shape = [draw(1, 9) for _ in range(rank)]
        array = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
        if draw(0, 1):
            array = array.T.copy().T
        sizes = [draw(1, n) for n in shape]
        steps = [draw(1, 3) for _ in range(rank)]
        old, new = windows_by_hand(array, sizes, steps), windows(array, sizes, steps)
        assert old.shape == new.shape and (old == new).all()
        # Strides of dimensions of size 1 may differ; all others are the same.
        assert all(a == b or n <= 1 for a, b, n in zip(old.strides, new.strides, new.shape))
        assert np.shares_memory(array, new)

    # Three windows of four in a row of ten that begin at 0, 4 and 8: the third leaves the row by two elements. The row
    # is the front of a longer array, so that the old form reads valid memory.
    memory = np.arange(16)
    row = memory[:10]
    assert as_strided(row, (3, 4), (4 * 8, 8))[2, 3] == 11
    refused("strides: an element would lie at offset 11, but the layout ends at 9", strided, row, (3, 4), (4, 1))
    assert (strided(row, (2, 4), (4, 1)) == [[0, 1, 2, 3], [4, 5, 6, 7]]).all()
    assert (strided(row, (4,), (-2,), 8) == [8, 6, 4, 2]).all()
    # A window that is larger than the row: none fits, and the old form's count is negative.
    assert windows(row, [11], [1]).shape == (0, 11)
    try:
        windows_by_hand(row, [12], [1])
    except ValueError as error:
        assert "negative" in str(error)
    else:
        raise AssertionError("NumPy took a size below 0")
    refused("steps, dimension 0: 0 is below the minimum of 1", windows, row, [3], [0])
    print(f"{cases} random windows agree")


main()
