"""The package itself: the mirrors of the structs, what its documents say, and that NumPy is not needed."""

import ctypes
import ctypes.util
import doctest
import importlib
import os
import pathlib
import pkgutil
import re
import subprocess
import sys
import unittest

import stride
from stride import _raw

ROOT = pathlib.Path(__file__).resolve().parents[2]
WITHOUT_NUMPY = """
import sys
sys.modules["numpy"] = None  # Whoever imports it gets an ImportError.
import stride
from stride import xla

memory = bytearray(range(24))
view = memoryview(memory).cast("B", (4, 6))
made = stride.transpose_copy(view)
assert type(made) is stride.Array and made.shape == (6, 4)
assert made.tobytes() == bytes(6 * row + column for column in range(6) for row in range(4))
out = memoryview(bytearray(24)).cast("B", (6, 4))
stride.copy(out, stride.array(view).T)
assert bytes(out) == made.tobytes()
stride.copy(stride.array(memory)[1:], stride.array(memory)[:-1])
assert list(memory) == [0, *range(23)]
assert stride.asfortran(view).is_fortran and stride.flip_copy(b"abc").tobytes() == b"cba"
stride.fill(memory, 1)
assert stride.equal(memory, bytes([1] * 24))
plan = stride.Plan(stride.Layout("u8", (6, 4)), stride.Layout("u8", (4, 6)).T)
plan.execute(out, bytes(range(24)))
shape = xla.Shape("u8[4,6]{1,0:T(2,4)}")
assert shape.unpack(shape.pack(view)).tobytes() == bytes(view)
try:
    stride.array(memory).numpy()
except ImportError as problem:
    assert str(problem) == "NumPy is not installed"
else:
    raise AssertionError
assert sys.modules["numpy"] is None and "ml_dtypes" not in sys.modules
print("done")
"""


class Package(unittest.TestCase):
    def test_structs_are_those_of_the_header(self):
        column = "64" if ctypes.sizeof(ctypes.c_void_p) == 8 else "32"
        self.assertEqual(len(_raw.LAYOUTS), 22)
        for name, (struct, sizes, offsets) in _raw.LAYOUTS.items():
            self.assertEqual(ctypes.sizeof(struct), sizes[column], name)
            self.assertEqual(
                {field: getattr(struct, field).offset for field, *_ in struct._fields_},
                {field: offset[column] for field, offset in offsets.items()},
                name,
            )

    def test_every_function_is_bound(self):
        for name, (_, parameters) in _raw.FUNCTIONS.items():
            self.assertEqual(getattr(stride._library.lib, name).argtypes, parameters)

    def test_only_functions_of_the_library_are_called(self):
        called = set()
        for path in pathlib.Path(stride.__path__[0]).glob("*.py"):
            if path.name != "_raw.py":
                called |= set(re.findall(r"\b(?:lib|loaded)\.(stride_\w+)", path.read_text()))
        self.assertGreater(len(called), 60)
        self.assertEqual(called - set(_raw.FUNCTIONS), set())

    def test_the_version(self):
        self.assertEqual(stride.__version__, _raw.VERSION_TEXT)
        self.assertIn(stride.cpu_level(), ("scalar", "ssse3", "avx2", "avx512", "neon", "simd128"))

    def test_what_the_documents_say(self):
        ran = 0
        for module in pkgutil.iter_modules(stride.__path__):
            result = doctest.testmod(importlib.import_module(f"stride.{module.name}"))
            self.assertEqual(result.failed, 0, module.name)
            ran += result.attempted
        page = doctest.testfile(str(ROOT / "docs" / "PYTHON.md"), module_relative=False)
        self.assertEqual(page.failed, 0)
        self.assertGreater(ran, 20)
        self.assertGreater(page.attempted, 20)

    def test_everything_public_is_documented(self):
        for name in stride.__all__:
            made = getattr(stride, name)
            self.assertTrue(made.__doc__, name)
            for member, value in vars(made).items() if isinstance(made, type) else ():
                if not member.startswith("_") and (callable(value) or isinstance(value, (property, classmethod))):
                    self.assertTrue(getattr(value, "__doc__", None), f"{name}.{member}")

    def test_numpy_is_not_needed(self):
        made = subprocess.run([sys.executable, "-c", WITHOUT_NUMPY], capture_output=True, text=True)
        self.assertEqual((made.returncode, made.stdout, made.stderr), (0, "done\n", ""))

    def test_a_library_of_another_kind_is_refused(self):
        for path, sentence in (
            ("/nowhere/libstride.so", "libstride.so"),  # Windows says it with backslashes
            (ctypes.util.find_library("c"), "is no libstride"),
        ):
            if path is None:
                continue
            found = (
                path
                if os.path.isabs(path)
                else next(
                    (
                        line.split()[-1]
                        for line in pathlib.Path("/proc/self/maps").read_text().splitlines()
                        if line.endswith(path)
                    ),
                    path,
                )
            )
            made = subprocess.run(
                [sys.executable, "-c", "import stride"],
                capture_output=True,
                text=True,
                env={**os.environ, "STRIDE_LIBRARY": found},
            )
            self.assertNotEqual(made.returncode, 0)
            self.assertIn(sentence, made.stderr)
            self.assertIn("\nImportError: ", made.stderr)


if __name__ == "__main__":
    unittest.main()
