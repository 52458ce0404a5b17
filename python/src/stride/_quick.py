"""Small copies without ctypes: python/quick.c, which lies beside the library as `lib/quick.so`.

It is given the addresses of the functions that it calls, so it is no extension module: every CPython of a platform
loads the same file. Where it is not there, copies take the long way round (`_copy`), and some microseconds more.
"""

from __future__ import annotations

import array
import ctypes
import pathlib
import sys
from collections.abc import Callable
from typing import Any, Optional

from ._library import lib

# The order of the structs `python` and `library` in quick.c.
_OF_PYTHON = ("PyObject_GetBuffer", "PyBuffer_Release", "PyObject_Type", "PySet_Contains", "Py_DecRef", "PyErr_Clear",
              "PyEval_SaveThread", "PyEval_RestoreThread", "PyBool_FromLong", "PyCFunction_NewEx")
_OF_LIBRARY = ("stride_layout_from_py_buffer", "stride_layout_rebase", "stride_layout_broadcast_to", "stride_copy")

#: The classes whose buffer says what they are; NumPy's are added when they are met.
plain_types: set[type] = {bytes, bytearray, memoryview, array.array}


def _addresses(functions: Any, names: tuple[str, ...]) -> Any:
    found = (ctypes.cast(getattr(functions, name), ctypes.c_void_p) for name in names)
    return (ctypes.c_void_p * len(names))(*(of.value for of in found))


def _bound() -> Optional[Callable[[Any, Any], bool]]:
    name = {"win32": "quick.dll", "darwin": "quick.dylib"}.get(sys.platform, "quick.so")
    try:
        bind = ctypes.PyDLL(str(pathlib.Path(__file__).resolve().parent / "lib" / name)).stride_quick_bind
        of_python = _addresses(ctypes.pythonapi, _OF_PYTHON)
    except (OSError, AttributeError):
        return None
    bind.restype, bind.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_void_p, ctypes.py_object]
    made: Callable[[Any, Any], bool] = bind(of_python, _addresses(lib, _OF_LIBRARY), plain_types)
    return made


def never(dst: Any, src: Any) -> bool:
    """What answers where the file is missing."""
    return False


#: Copies `src` to `dst` where both are plain, and answers whether it did.
quick_copy = _bound() or never
