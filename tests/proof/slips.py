#!/usr/bin/env python3
"""Slips put into the source by hand, each of which must make a test fail: what would be seen if somebody made it.

Works on a copy of the tree below target/slips. A slip is a file, a text that stands in it once, what is there instead, and
the test that must notice, as docs/PROOF.md says; a text, a test or its name on that page that is no longer there is a failure of this list
(with --texts nothing else is asked). Prints the tests that failed.
"""

import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TREE = os.path.join(ROOT, "target", "slips", "tree")

# What it is, file, text, text instead, arguments of cargo test, the test that fails.
SLIPS = [
    ("an off-by-one in the span", "src/model/arith.rs", "let reach = (size - 1) as i128 * stride as i128;",
     "let reach = size as i128 * stride as i128;", ["--test", "exhaustive", "--test", "views"],
     "layouts_of_anybody_keep_the_invariants_or_name_the_one_they_break"),
    ("no rule for size 1", "src/model/facts.rs", "if size != 1 {\n                if stride != elements {",
     "if size != 0 {\n                if stride != elements {", ["--test", "rules", "--test", "facts"], "facts::of_all_small_layouts"),
    ("a kernel that writes one byte too far", "src/copy/kernels/mod.rs", "{ (1 << count) - 1 }", "{ (1 << (count + 1)) - 1 }",
     ["--test", "memory", "--test", "differential"], "copies_inside_one_buffer_are_refused_or_right"),
    ("a part that overlaps its neighbour by one turn", "src/copy/execute/part.rs", "bound(part + 1) - bound(part));",
     "(bound(part + 1) + 1).min(turns) - bound(part));", ["--lib"], "each_turn_belongs_to_one_part"),
    ("the remainder of a tile dropped", "src/copy/tiled/sums.rs", "digit.size = digit.size / t + i64::from(digit.size % t != 0);",
     "digit.size /= t;", ["--test", "xla_tiles", "--test", "relayout"], "a_tile_for_each_of_64_dimensions"),
    ("an error record with its numbers swapped", "src/error/mod.rs", "self.lhs = lhs;\n        self.rhs = rhs;",
     "self.lhs = rhs;\n        self.rhs = lhs;", ["--test", "errors", "--test", "rules"], "broadcasting::examples_of_numpy"),
]

# Of a failure without the name of a test.
NO_NAME = "a failure outside all tests"


def caught_by(arguments):
    """The names of the tests that fail; None where it does not even compile."""
    command = ["cargo", "test", "--quiet", "--no-fail-fast", *arguments]
    environment = {**os.environ, "CARGO_TARGET_DIR": os.path.join(ROOT, "target", "slips", "build"), "RUST_BACKTRACE": "0"}
    run = subprocess.run(command, cwd=TREE, capture_output=True, text=True, env=environment)
    text = run.stdout + run.stderr
    if "could not compile" in text:
        print(text[-2000:])
        return None
    failed = set(re.findall(r"^    (\w[\w:]*)$", text, re.M))
    if run.returncode and not failed:
        # A test that ended the process is no more there to say its name: it is the last one that began.
        alone = ["cargo", "test", *arguments, "--", "--test-threads=1"]
        text = subprocess.run(alone, cwd=TREE, stdout=subprocess.PIPE, text=True, env=environment).stdout
        failed.update(re.findall(r"^test (\w[\w:]*) \.\.\. .*\Z", text, re.M))
    return sorted(failed) or ([NO_NAME] if run.returncode else [])


def source_of(what, name, text):
    """A file in which the text stands once; None, and why."""
    with open(os.path.join(ROOT, name)) as file:
        source = file.read()
    if source.count(text) == 1:
        return source
    print(f"{what}: the text stands {source.count(text)} times in {name}: {text}")
    return None


def is_named(what, test):
    """Whether there is such a test, and docs/PROOF.md names it."""
    function = f"fn {test.split('::')[-1]}()"
    there = subprocess.run(["git", "grep", "-qF", function, "--", "src", "tests"], cwd=ROOT).returncode == 0
    with open(os.path.join(ROOT, "docs", "PROOF.md")) as page:
        named = f"`{test}`" in page.read()
    if not there or not named:
        print(f"{what}: {'docs/PROOF.md does not name' if there else 'there is no'} {test}")
    return there and named


def main():
    if "--texts" in sys.argv[1:]:
        there = sum(source_of(*slip[:3]) is not None and is_named(slip[0], slip[5]) for slip in SLIPS)
        print(f"slips: {there} of {len(SLIPS)} can be put in")
        return 0 if there == len(SLIPS) else 1
    shutil.rmtree(TREE, ignore_errors=True)
    os.makedirs(TREE)
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    for name in filter(None, files):
        os.makedirs(os.path.dirname(os.path.join(TREE, name)), exist_ok=True)
        # As new files: cargo would take what a run before built of a slip for what is there now.
        shutil.copy(os.path.join(ROOT, name), os.path.join(TREE, name))
    tests = sorted({tuple(slip[4]) for slip in SLIPS})
    for arguments in tests:
        failed = caught_by(list(arguments))
        if failed != []:
            print(f"without a slip {' '.join(arguments)} does not pass: {failed}")
            return 1
    caught = 0
    for what, name, text, instead, arguments, by in SLIPS:
        path = os.path.join(TREE, name)
        source = source_of(what, name, text)
        if source is None:
            continue
        with open(path, "w") as file:
            file.write(source.replace(text, instead))
        failed = caught_by(arguments)
        with open(path, "w") as file:
            file.write(source)
        others = [test for test in failed or [] if not f"::{test}".endswith(f"::{by}")]
        named = len(others) < len(failed or [])
        caught += named
        print(f"{what} ({name}): {'caught by ' if named else 'NOT caught by '}{', '.join([by, *others][:4])}", flush=True)
    print(f"slips: {caught} of {len(SLIPS)} caught")
    return 0 if caught == len(SLIPS) else 1


if __name__ == "__main__":
    sys.exit(main())
