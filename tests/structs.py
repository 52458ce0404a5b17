"""The C structs for ctypes, from the Python package's own file alone: the package loads a library of its own."""

import importlib.util
import os

_FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python", "src", "stride", "_raw.py")
_SPEC = importlib.util.spec_from_file_location("stride_raw", _FILE)
raw = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(raw)
