"""What the Python programs of this folder need of libstride, by ctypes: its structs, calls with exceptions, layouts of
NumPy arrays."""

import ctypes

import numpy as np

MAX_RANK = 64
COPY_FILL_BUFFER = 2


class Layout(ctypes.Structure):
    """stride_layout of stride.h."""

    _fields_ = [("dtype", ctypes.c_uint32), ("rank", ctypes.c_uint32), ("offset", ctypes.c_int64),
                ("sizes", ctypes.c_int64 * MAX_RANK), ("strides", ctypes.c_int64 * MAX_RANK)]


class Error(ctypes.Structure):
    """stride_error."""

    _fields_ = [("status", ctypes.c_int32), ("argument", ctypes.c_uint32), ("dimension", ctypes.c_int32),
                ("item", ctypes.c_int32), ("position", ctypes.c_uint64), ("lhs", ctypes.c_int64),
                ("rhs", ctypes.c_int64), ("detail", ctypes.c_uint64), ("reserved", ctypes.c_uint64 * 2)]


class CopyOptions(ctypes.Structure):
    """stride_copy_options."""

    _fields_ = [("struct_size", ctypes.c_uint32), ("flags", ctypes.c_uint32), ("cpu_level", ctypes.c_uint32),
                ("reserved", ctypes.c_uint32), ("overlap_budget", ctypes.c_uint64), ("fill", ctypes.c_uint8 * 16)]


def longs(numbers):
    """A list of int64_t."""
    return (ctypes.c_int64 * len(numbers))(*numbers)


class Stride:
    """The library at `path`. Functions that fail raise ValueError with the library's sentence."""

    def __init__(self, path):
        self._lib = ctypes.CDLL(path)

    def call(self, name, *arguments):
        """A function that ends with a stride_error. Numbers must be ctypes objects, which know their width."""
        error, sentence, length = Error(), ctypes.create_string_buffer(256), ctypes.c_uint64()
        if getattr(self._lib, name)(*arguments, ctypes.byref(error)) == 0:
            return
        self._lib.stride_error_format(ctypes.byref(error), sentence, ctypes.c_uint64(256), ctypes.byref(length), None)
        raise ValueError(sentence.value.decode())

    def layout(self, array):
        """Where an array's elements lie, counted from index (0, ..., 0)."""
        layout, dtype = Layout(), ctypes.c_uint32()
        typestr = array.dtype.str.encode()
        self.call("stride_dtype_from_typestr", typestr, ctypes.c_uint64(len(typestr)), ctypes.byref(dtype))
        self.call("stride_layout_init_byte_strides", ctypes.byref(layout), dtype, ctypes.c_uint32(array.ndim),
                  longs(array.shape), longs(array.strides))
        return layout

    def view(self, name, layout, *arguments):
        """The layout that a function of a layout answers: stride_layout_<name>."""
        out = Layout()
        self.call("stride_layout_" + name, ctypes.byref(layout), *arguments, ctypes.byref(out))
        return out

    def copy(self, dst_layout, dst, src_layout, src, fill=None):
        """Between two arrays without gaps, whose memory the layouts describe. `fill`: for bytes not reached."""
        options = CopyOptions(struct_size=ctypes.sizeof(CopyOptions))
        if fill is not None:
            options.flags = COPY_FILL_BUFFER
            options.fill[:] = [fill] * 16
        if not dst.flags.writeable:
            raise ValueError("dst is read-only")
        self.call("stride_copy", ctypes.byref(dst_layout), dst.ctypes.data_as(ctypes.c_void_p),
                  ctypes.c_uint64(dst.nbytes), ctypes.byref(src_layout), src.ctypes.data_as(ctypes.c_void_p),
                  ctypes.c_uint64(src.nbytes), ctypes.byref(options))


def seen_through(layout, array):
    """The memory of an array without gaps, as a layout says."""
    size = array.itemsize
    return np.ndarray(tuple(layout.sizes[:layout.rank]), array.dtype, array, layout.offset * size,
                      tuple(stride * size for stride in layout.strides[:layout.rank]))
