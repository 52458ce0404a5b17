#!/usr/bin/env python3
"""einops' and NumPy's own tests with stride inside (hooks.py, arrays.py), beside the same without it.

    run.py WHEEL          make wheel; python3 tests/clients/run.py target/wheels/*.whl

A test must end as it does without stride; no call may give other bytes than NumPy's; and stride must have made as many
calls as stand in LEAST, so that nothing passes because nothing was asked. Of NumPy's, all but those of compilers, types
and random numbers. Packages come by pip, into target/clients, where the logs are too.
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
WORK = HERE.parents[1] / "target" / "clients"
PACKAGES = ["numpy==2.4.6", "einops==0.8.2", "pytest==9.2.0", "hypothesis==6.170.17"]

NUMPY = ["lib", "ma", "matrixlib", "fft", "polynomial", "_core", "linalg", "testing", "tests"]
#: Calls that stride makes, and views that it is asked for.
LEAST = {"einops": (600, 2400), "numpy": (63_000, 18_000)}
#: einops' tests that pass on stride.Array; the one that is left out.
ON_ARRAYS = 54
ADDS = {"einops/tests/test_examples.py::test_rearrange_examples": "adds two arrays, which stride.Array does not"}

#: These fail where references are held to what was given, or in a cycle.
LEAKS = ["numpy/_core/tests/test_numeric.py::TestCreationFuncs::test_for_reference_leak",
         "numpy/lib/tests/test_io.py::test_load_refcount"]
LEFT_OUT = {
    "numpy/_core/tests/test_multiarray.py::TestNewBufferProtocol::test_error_if_stored_buffer_info_is_corrupted[obj0]":
        "wants numpy.ones whose buffer nobody has asked for; stride did, to fill it",
    "numpy/_core/tests/test_multiarray.py::TestTextSignatures::test_c_func_dispatcher_text_signature[concatenate]":
        "wants a function that is written in C",
    "numpy/_core/tests/test_multiarray.py::TestFlat::test_refcount":
        "counts who refers to None, which a collection of garbage changes: it fails without stride too, now and then",
}
HOW = {"without": "without stride", "with": "with stride inside", "on": "on stride.Array",
       "broken": "with copies that copy nothing"}


def install(wheel):
    """The Python of a fresh environment; None where packages cannot be had."""
    python = WORK / "venv" / "bin" / "python"
    pip = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    try:
        for command in ([sys.executable, "-m", "venv", "--clear", WORK / "venv"], [*pip, *PACKAGES]):
            subprocess.run(command, check=True, timeout=600)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        return None
    subprocess.run([*pip, "--no-index", "--no-deps", wheel], check=True)
    return python


class Suite:
    """The tests of a package."""

    def __init__(self, name, python, paths, left_out):
        code = "import sysconfig; print(sysconfig.get_path('purelib'))"
        self.site = pathlib.Path(subprocess.check_output([python, "-c", code], text=True).strip())
        self.name, self.python, self.paths, self.left_out = name, python, paths, left_out

    def run(self, how):
        """What the plugin tells; how is one of HOW."""
        log, report = (WORK / f"{self.name}-{how}.{kind}" for kind in ("txt", "json"))
        report.unlink(missing_ok=True)
        (WORK / "run").mkdir(exist_ok=True)
        own = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "STRIDE_"))}
        own |= {"PATH": f"{self.python.parent}:{os.environ['PATH']}", "PYTHONPATH": str(HERE),
                "PYTHONPYCACHEPREFIX": str(WORK / "compiled"), "CLIENTS_REPORT": str(report),
                "CLIENTS_HOOKS": {"with": "1", "broken": "nothing"}.get(how, "0"), "NPY_AVAILABLE_MEM": "1 GB",
                "EINOPS_TEST_BACKENDS": "stride" if how == "on" else "numpy"}
        command = [self.python, "-m", "pytest", "-q", "-p", "hooks", "-p", "no:cacheprovider", "--rootdir", self.site,
                   "-W", "ignore", "-m", "not slow", "--tb=short", *(f"--deselect={test}" for test in self.left_out)]
        begun = time.monotonic()
        with open(log, "w") as file:
            ended = subprocess.run([*command, *(self.site / self.name / path for path in self.paths)], cwd=WORK / "run",
                                   env=own, stdout=file, stderr=file)
        if not report.exists():
            sys.exit(f"{self.name} {HOW[how]}: pytest ended with {ended.returncode}\n{log.read_text()[-4000:]}")
        read = json.loads(report.read_text())
        counts = collections.Counter(read["outcomes"].values())
        print(f"{self.name} {HOW[how]}: {counts['passed']} passed, {counts['failed']} failed, "
              f"{counts['skipped']} skipped, {time.monotonic() - begun:.0f} s", flush=True)
        if how in ("with", "on"):
            for test, why in self.left_out.items():
                if any(test.startswith(f"{self.name}/{path}") for path in self.paths):
                    print(f"  left out: {test}: {why}")
            if counts["failed"]:
                print(log.read_text().partition("= FAILURES =")[2][:20_000])
        return read


def several(counts, most=10):
    named = sorted(counts.items(), key=lambda item: -item[1])
    if len(named) > most:
        named[most:] = [("others", sum(count for _, count in named[most:]))]
    return f"{sum(counts.values())}: " + "; ".join(f"{name} {count}" for name, count in named)


def otherwise(suite, least):
    """Of a suite: tests, those that end otherwise with stride, calls, views, wrong results; 1 if all is well."""
    plain, inside = suite.run("without"), suite.run("with")
    ends, ends_inside = plain["outcomes"], inside["outcomes"]
    for test in (test for test, outcome in ends.items() if outcome == "failed"):
        print(f"  fails without stride too: {test}")
    other = [test for test in {**ends, **ends_inside} if ends.get(test) not in ("failed", ends_inside.get(test))]
    for test in other:
        print(f"  OTHERWISE: {test}: {ends.get(test)} without stride, {ends_inside.get(test)} with it")
    for test in LEAKS:
        if test in ends_inside:
            print(f"  leaks: {test}: {ends_inside[test]}")
    print(f"  calls by stride {several(inside['served'])}\n  views as stride's {several(inside['views'])}\n"
          f"  calls that are NumPy's alone {several(inside['handed'])}")
    for text in inside["wrong"]:
        print(f"  WRONG: {text}")
    made = [sum(inside[kind].values()) for kind in ("served", "views")]
    enough = all(count >= few for count, few in zip(made, least))
    if not enough:
        print(f"  TOO FEW: {made} calls and views, of {least}")
    return len(ends), len(other), *made, len(inside["wrong"]), int(enough and not other and not inside["wrong"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", type=pathlib.Path)
    options = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    python = install(options.wheel.resolve())
    if not python:
        print(f"skipped: einops' and NumPy's own tests, pip cannot install {' '.join(PACKAGES)}")
        return 0
    results = [otherwise(Suite("einops", python, [""], {}), LEAST["einops"]),
               otherwise(Suite("numpy", python, NUMPY, LEFT_OUT), LEAST["numpy"])]
    broken = Suite("numpy", python, ["lib/tests/test_twodim_base.py"], {}).run("broken")
    on = collections.Counter(Suite("einops", python, [""], ADDS).run("on")["outcomes"].values())
    tests, other, calls, views, wrong, well = (sum(column) for column in zip(*results))
    print(f"clients: {tests - other} of {tests} tests of einops and NumPy end as without stride, {on['passed']} of "
          f"{on['passed'] + on['failed']} on its arrays; {calls} calls, {views} views, {wrong} wrong")
    return int(bool(well < len(results) or on["failed"] or on["passed"] < ON_ARRAYS or not broken["wrong"]))


if __name__ == "__main__":
    sys.exit(main())
