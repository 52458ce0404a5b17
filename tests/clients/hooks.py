"""A plugin of pytest that puts stride into NumPy: the functions that move elements write by stride's copies.

NumPy makes each call first. Where stride's contract covers it, what NumPy wrote is remembered and wiped out (copyto:
put back to what was there), stride writes it again, and all bytes must be the same, those between elements too. The
caller goes on with what stride wrote. A view stays NumPy's: stride's must have the same address and strides. What the
contract does not cover is NumPy's alone, and counted with the reason.

CLIENTS_HOOKS=0 leaves NumPy as it is; "nothing" has copies that copy nothing, which must be seen. How the tests ended
and all counts go to CLIENTS_REPORT, a JSON file.
"""

import collections
import ctypes
import functools
import importlib
import json
import operator
import os
import sys
import threading

import einops._backends
import numpy
from arrays import concatenate_into, tile_into
from numpy._core._multiarray_tests import internal_overlap
from numpy.lib.array_utils import byte_bounds

import stride

MANY = 1 << 20  # Counts begin here: NumPy's tests count who refers to the small integers.
served, views, handed = (collections.defaultdict(lambda: MANY) for _ in range(3))
wrong, outcomes = [], {}
_here = threading.local()  # `inside`: what NumPy's functions call to do their work is theirs.


def uncovered(*arrays):
    """Why stride does not copy between these; None if it does."""
    for array in arrays:
        if not isinstance(array, numpy.ndarray):
            return "not an array"
        if isinstance(array, numpy.ma.MaskedArray):
            return "a mask"
        if array.dtype.hasobject:
            return "Python objects"
        if type(array.dtype).__module__ != "numpy.dtypes":
            return "a dtype that a test made"
        if not array.itemsize:
            return "elements without bytes"
        if _native(array.dtype) != _native(arrays[0].dtype):
            return "a conversion"
    return None


def _native(dtype):
    """Of numbers either byte order will do: stride swaps them. Long doubles are bytes to it."""
    return dtype.newbyteorder("=") if dtype.kind in "iufc" and dtype.char not in "gG" else dtype


# --- How stride writes what NumPy has written: a function that does, or the reason why it does not --------------------

def copyto(dst, src, casting="same_kind", where=True):
    if where is not True:
        return "where="
    if isinstance(src, (bool, int, float, complex, numpy.number)) and not uncovered(dst):
        if dst.dtype.char in "gG":
            return "a number as a long double, whose padding is anybody's"
        value = numpy.asarray(src).astype(dst.dtype).tobytes()
        return lambda: stride.fill(dst, value)
    return uncovered(dst, src) or (lambda: stride.copy(dst, src))


def ascontiguousarray(want, a, dtype=None, *, like=None):
    def write():
        return stride.ascontiguous(a) if a.ndim else stride.array(a).reshape(1).numpy()  # NumPy's has a dimension.

    return uncovered(want, a) or write


def asfortranarray(want, a, dtype=None, *, like=None):
    return uncovered(want, a) or (lambda: stride.asfortran(a))


def copy(want, a, order="K", subok=False):
    return uncovered(want, a) or (lambda: stride.copy(want, a))


def reshape(want, a, /, shape=None, order="C", *, copy=None):
    if order == "A":
        order = "F" if a.flags.fnc else "C"
    to, of = (want.T, a.T) if order == "F" else (want, a)
    return uncovered(want, a) or (lambda: stride.copy_range(to, of))


def ravel(want, a, order="C"):
    return "order K" if order == "K" else reshape(want, a, -1, order)


def tile(want, A, reps):
    counts = tuple(reps) if numpy.iterable(reps) else (reps,)
    return uncovered(want, A) or (lambda: tile_into(stride.array(want), stride.array(A), counts))


def repeat(want, a, repeats, axis=None):
    def write():
        of = stride.array(stride.ascontiguous(a)).reshape(-1) if axis is None else stride.array(a)
        place = operator.index(axis or 0) % of.ndim
        stride.copy(stride.array(want).split(place, (of.shape[place], int(repeats))), of.expand_dims(place + 1))

    return "as many of each" if numpy.ndim(repeats) else uncovered(want, a) or write


def concatenate(want, arrays, /, axis=0, out=None, *, dtype=None, casting="same_kind"):
    def write():
        pieces = [stride.array(piece) for piece in arrays]
        if axis is not None:
            return concatenate_into(stride.array(want), pieces, operator.index(axis) % want.ndim)
        start = 0
        for piece in pieces:
            stride.copy_range(want, piece, piece.size, dst_first=start)
            start += piece.size

    return uncovered(want, *arrays) or write


def take(want, a, indices, axis=None, out=None, mode="raise"):
    if mode != "raise" or axis is None or numpy.ndim(indices) != 1 or not 0 < len(indices) <= 64:
        return "not a list of 64 indices at most along one dimension"
    if isinstance(indices, numpy.ndarray) and indices.dtype.kind not in "iu":
        return "indices that are no integers"
    return uncovered(want, a) or (lambda: stride.take(a, indices, axis, out=want))


WRITE = [ascontiguousarray, asfortranarray, copy, reshape, ravel, tile, repeat, concatenate, take]


# --- The views: stride's, or the reason why there is none -------------------------------------------------------------

def _in_shape(a, shape, order):
    if order == "F":
        return a.T.reshape(shape[::-1] if numpy.iterable(shape) else shape).T
    return a.reshape(shape) if order == "C" else "order A or K"


VIEWS = {
    "reshape": lambda a, shape=None, order="C", *, copy=None: _in_shape(a, shape, order),
    "ravel": lambda a, order="C": _in_shape(a, -1, order),
    "transpose": lambda a, axes=None: a.transpose(axes),
    "swapaxes": lambda a, axis1, axis2: a.swapaxes(axis1, axis2),
    "moveaxis": lambda a, source, destination:
        "several dimensions" if numpy.iterable(source) else a.moveaxis(source, destination),
    "flip": lambda m, axis=None: m.flip(axis),
    "rot90": lambda m, k=1, axes=(0, 1): m.rot90(k, axes),
    "squeeze": lambda a, axis=None: a.squeeze(axis),
    "expand_dims": lambda a, axis: a.expand_dims(axis),
    "broadcast_to": lambda array, shape, subok=False: array.broadcast_to(shape),
    "diagonal": lambda a, offset=0, axis1=0, axis2=1: a.diagonal(offset, axis1, axis2),
    "ascontiguousarray": lambda a, dtype=None: stride.array(stride.ascontiguous(a)),
    "asfortranarray": lambda a, dtype=None: stride.array(stride.asfortran(a)),
}


# --- One call ---------------------------------------------------------------------------------------------------------

def _memory(array):
    """Where an array's elements lie: the address of the first byte, and how many there are up to the last."""
    if not array.size:
        return array.ctypes.data, 0
    low, end = byte_bounds(array)
    return low, end - low


def _fields(array):
    """The bytes of an array without the padding of its structs, which is anybody's."""
    if array.dtype.names is None:
        return [array.tobytes()]
    return [part for name in array.dtype.names for part in _fields(array[name])]


def _same(array, low, wanted):
    """Whether an array's memory is what is wanted."""
    if array.dtype.names is None or not wanted:
        return ctypes.string_at(low, len(wanted)) == wanted
    plain = array.view(numpy.ndarray)
    then = numpy.ndarray(plain.shape, plain.dtype, wanted, plain.ctypes.data - low, plain.strides)
    return _fields(plain) == _fields(then)


def _alike(one, other):
    return (type(one), one.dtype, one.shape, one.strides) == (type(other), other.dtype, other.shape, other.strides)


def _fail(name, problem, *arrays):
    what = [f"{array.dtype} {array.shape} {array.strides}" for array in arrays if isinstance(array, numpy.ndarray)]
    wrong.append(f"{name}({', '.join(what)}): {problem}")
    raise AssertionError(wrong[-1])


def _rewrite(name, write, result, before, args):
    """Lets stride write what NumPy has written, and gives that. before: what was there; None, whatever it was."""
    low, length = _memory(result)
    wanted = ctypes.string_at(low, length)
    if before is not None:
        ctypes.memmove(low, before, length)
    elif length == result.nbytes:
        ctypes.memset(low, 0xA5, length)
    else:
        handed[name, "a result with gaps"] += 1
        return result
    try:
        made = write()
    except Exception as problem:
        ctypes.memmove(low, wanted, length)
        if before is not None and internal_overlap(result):
            handed[name, "a destination that overlaps itself"] += 1
            return result
        _fail(name, f"{type(problem).__name__}: {problem}", result, *args)
    if made is not None:  # An array of its own.
        ctypes.memmove(low, wanted, length)
        if not _alike(made, result) or _fields(made) != _fields(result):
            _fail(name, "another array", result, made, *args)
    elif not _same(result, low, wanted):
        _fail(name, "other bytes", result, *args)
    served[name,] += 1
    return result if made is None else made


def _look(name, result, of, rest, kwargs):
    """Holds a view against stride's."""
    reason = uncovered(result, of) or (None if name in VIEWS else "a view")
    try:
        view = reason or VIEWS[name](stride.array(of), *rest, **kwargs)
        if isinstance(view, str):
            handed[name, view] += 1
            return
        seen = view.numpy()
    except Exception as problem:
        _fail(name, f"{type(problem).__name__}: {problem}", result, of)
    # The strides of dimensions of size 1 say nothing.
    one, other = ([step for size, step in zip(x.shape, x.strides) if size > 1] for x in (result, seen))
    if seen.shape != result.shape or (result.size and (one != other or seen.ctypes.data != result.ctypes.data)):
        _fail(name, f"another view: {view!r}", result, of)
    views[name,] += 1


def _call_copyto(original, dst, src, *args, **kwargs):
    write = copyto(dst, src, *args, **kwargs)
    if isinstance(write, str):
        original(dst, src, *args, **kwargs)
        handed["copyto", write] += 1
        return
    before = ctypes.string_at(*_memory(dst))
    original(dst, src, *args, **kwargs)
    _rewrite("copyto", write, dst, before, (dst, src))


def _call(name, serve, original, *args, **kwargs):
    result, of = original(*args, **kwargs), args[0] if args else None
    list_ = name == "concatenate"
    if not isinstance(result, numpy.ndarray) or not isinstance(of, (list, tuple) if list_ else numpy.ndarray):
        handed[name, "not an array"] += 1
    elif kwargs.get("out") is not None:
        handed[name, "out="] += 1
    elif not list_ and (numpy.may_share_memory(result, of) or name in VIEWS and not result.size):
        _look(name, result, of, args[1:], kwargs)
    else:
        write = serve(result, *args, **kwargs) if serve else "a copy"
        if not isinstance(write, str):
            return _rewrite(name, write, result, None, args)
        handed[name, write] += 1
    return result


def _hook(original, call):
    @functools.wraps(original)
    def function(*args, **kwargs):
        if getattr(_here, "inside", False):
            return original(*args, **kwargs)
        _here.inside = True
        try:
            return call(original, *args, **kwargs)
        finally:
            _here.inside = False

    function.__wrapped__ = getattr(original, "__wrapped__", original)  # NumPy's tests read its signature.
    return function


def put_in():
    """Replaces the functions wherever NumPy's modules have them by name."""
    for module in ("char", "fft", "lib", "linalg", "ma", "matrixlib", "polynomial", "rec", "strings", "testing"):
        importlib.import_module(f"numpy.{module}")
    serves = {function.__name__: function for function in WRITE}
    hooks = {numpy.copyto: _hook(numpy.copyto, _call_copyto)}
    for name in {*serves, *VIEWS}:
        original = getattr(numpy, name)
        hooks[original] = _hook(original, functools.partial(_call, name, serves.get(name)))
    by_id = {id(original): hook for original, hook in hooks.items()}
    for module in [module for name, module in sys.modules.items() if name.split(".")[0] == "numpy"]:
        for name, value in list(vars(module).items()):
            if id(value) in by_id:
                setattr(module, name, by_id[id(value)])
    known = numpy._core.overrides.ARRAY_FUNCTIONS
    known.update(hooks[original] for original in known & hooks.keys())
    # einops calls methods here.
    einops._backends.NumpyBackend.reshape = lambda self, x, shape: numpy.reshape(x, shape)
    einops._backends.NumpyBackend.transpose = lambda self, x, axes: numpy.transpose(x, axes)


# --- pytest -----------------------------------------------------------------------------------------------------------

def pytest_runtest_logreport(report):
    if report.when == "call" or report.outcome != "passed":
        outcomes[report.nodeid] = report.outcome


def pytest_collectreport(report):
    if report.failed:
        outcomes[report.nodeid] = "failed"


def pytest_sessionfinish():
    told = {"outcomes": outcomes, "wrong": wrong}
    for kind, counter in (("served", served), ("views", views), ("handed", handed)):
        told[kind] = {": ".join(key): count - MANY for key, count in counter.items()}
    with open(os.environ["CLIENTS_REPORT"], "w") as file:
        json.dump(told, file)


if os.environ["CLIENTS_HOOKS"] == "nothing":
    stride.copy = stride.fill = lambda dst, src: None
if os.environ["CLIENTS_HOOKS"] != "0":
    put_in()
