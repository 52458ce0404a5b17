#!/usr/bin/env python3
"""Slips put into the source by hand, each of which must make a test fail: what would be seen if somebody made it.

Works on a copy of the tree below target/slips. A slip has a file, a text that occurs in it once, and a replacement. It names what must fail:
a test, which docs/PROOF.md names, or a check of tools/checks.toml and words that it prints. A text, a test or its name on
that page that is no longer there is a failure of this list (with --texts nothing else is asked). Prints who noticed.

    slips.py [--texts] [WORD...]       only slips whose names have one of these words
"""

import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))
import checks  # noqa: E402
TREE = os.path.join(ROOT, "target", "slips", "tree")

# What it is, file, text, text instead, arguments of cargo test or the name of a check, the test that fails or what the check prints.
SLIPS = [
    ("an off-by-one in the span", "src/model/arith.rs", "let reach = (size - 1) as i128 * stride as i128;",
     "let reach = size as i128 * stride as i128;", ["--test", "exhaustive", "--test", "views"],
     "layouts_of_anybody_keep_the_invariants_or_name_the_one_they_break"),
    ("no rule for size 1", "src/model/layout/mod.rs", "if size != 1 && stride != elements {",
     "if size != 0 && stride != elements {", ["--test", "rules", "--test", "facts"], "facts::of_all_small_layouts"),
    ("a kernel that writes one byte too far", "src/copy/kernels/mod.rs", "{ (1 << count) - 1 }", "{ (1 << (count + 1)) - 1 }",
     ["--test", "memory", "--test", "differential"], "copies_inside_one_buffer_are_refused_or_right"),
    ("a part that overlaps its neighbour by one iteration", "src/copy/part.rs", "bound(part + 1) - bound(part));",
     "(bound(part + 1) + 1).min(iterations) - bound(part));", ["--lib"], "each_iteration_belongs_to_one_part"),
    ("the remainder of a tile dropped", "src/vocabulary/xla/tiling.rs",
     "(size as u64).div_ceil(by.max(1) as u64) as i64", "size / by.max(1)", ["--test", "xla_tiles", "--test", "relayout"], "a_tile_for_each_of_64_dimensions"),
    ("an error record with its numbers swapped", "src/error/mod.rs", "self.lhs = lhs;\n        self.rhs = rhs;",
     "self.lhs = rhs;\n        self.rhs = lhs;", ["--test", "errors", "--test", "rules"], "broadcasting::examples_of_numpy"),
    ("a negative size that is empty beside a zero", "src/model/arith.rs", "position(|&size| size < 0)",
     "position(|&size| size < 0 && !sizes.contains(&0))", ["--test", "rules"], "degenerate::zero_wins_over_overflow"),
    ("a stride kept where a size of 1 is stretched", "src/broadcast/mod.rs", "(1, _) => 0,", "(1, stride) => stride,", ["--test", "rules"],
     "broadcasting::degenerate_operands"),
    ("buffers that share a byte taken for apart", "src/copy/execute/mod.rs", "end(dst_address, dst) <= begin(src_address, src) ||",
     "end(dst_address, dst) <= begin(src_address, src) + 1 ||", ["--test", "memory", "--test", "differential"],
     "copies_inside_one_buffer_are_refused_or_right"),
    ("bits of a byte in another order", "src/copy/kernels/bit_runs/bit_words.rs", "swapped(word, 2, 0x3333_3333_3333_3333)",
     "swapped(word, 2, 0x3333_3333_3333_3332)", ["--test", "bits"], "copies_equal_the_naive_loop"),
    ("a plan of another format that is run", "src/copy/words.rs", "(first ^ MAGIC) >> 16 == 0", "(first ^ MAGIC) >> 40 == 0",
     ["--test", "memory", "--test", "differential"], "plans_of_another_format_or_with_unknown_flags_are_refused"),
    ("a part behind the last one", "src/copy/execute/mod.rs", "if part < parts {", "if part <= parts {", ["--test", "rules"],
     "copies::parts_share_no_byte_and_make_the_whole"),
    ("another sentence", "src/sentence/rules.rs", "the plan was changed after it was made", "the plan is not one", ["--test", "errors"],
     "every_reason_has_a_call_and_a_sentence"),
    ("the rest of the buffer, where a share of it begins with the value's first byte", "src/copy/execute/rest.rs",
     "let phase = offset.checked_rem(plan.fill_period).unwrap_or(0) as usize;", "let phase = 0;", ["--test", "rules"],
     "copies::parts_of_a_long_rest_go_on_with_the_value"),
    ("NULL for a list that has entries", "src/ffi/boundary.rs", "if entries > 0 && list.is_null()", "if entries > 64 && list.is_null()",
     ["--test", "c_abi"], "test_null"),
    ("one tile more than there is room for", "src/vocabulary/xla/tiles.rs", "self.count < MAX_TILES,", "self.count <= MAX_TILES,",
     ["--lib"], "tiles_come_back_in_order_and_wrong_ones_do_not"),
    ("lists of a batch that lie in its destination", "src/copy/execute/batch_offsets.rs",
     "        self.check_lists(reached, dst_address, &to)?;\n", "", ["--test", "c_abi"], "placed"),
    ("two parameters of a function in another order", "src/ffi/view.rs", "    rank: u32,\n    axes: *const i64,\n",
     "    axes: *const i64,\n    rank: u32,\n", ["--test", "header"], "the_headers_that_are_checked_in_are_those_that_are_generated"),
    ("another library for pkg-config", "stride.pc.in", "-lstride", "-lstrides", "installed", "cannot find -lstrides"),
    ("axes reversed by the Python package", "python/src/stride/_views.py", "stride_layout_permute, len(numbers), numbers)",
     "stride_layout_permute, len(numbers), numbers[::-1])", "wheel", "FAIL: "),
    ("small copies that take the long way", "src/copy/execute/quick.rs", "if kind == LOOPS && used == 0 && flags == 0 {",
     "if kind == LOOPS && used == 99 && flags == 0 {", "instructions", "packed, 16 elements"),
]

# Of a failure without the name of a test.
NO_NAME = "a failure outside all tests"


def caught_by(arguments):
    """The names of the tests that fail, or what a check prints that fails; None where it does not even compile."""
    if isinstance(arguments, str):
        run = subprocess.run([sys.executable, "tools/checks.py", "ci", arguments], cwd=TREE, capture_output=True, text=True)
        return run.stdout.splitlines() if run.returncode else []
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


def is_named(what, arguments, test):
    """Whether there is such a test, and docs/PROOF.md names it; or such a check."""
    if isinstance(arguments, str):
        return any(check["name"] == arguments for check in checks.table()[0])
    name = test.split("::")[-1]
    # A function, or a C program in the list of tests/c_abi.rs.
    there = subprocess.run(["git", "grep", "-qE", rf"fn {name}\(\)|^    {name}: \"c", "--", "src", "tests"], cwd=ROOT).returncode == 0
    with open(os.path.join(ROOT, "docs", "PROOF.md")) as page:
        named = f"`{test}`" in page.read()
    if not there or not named:
        print(f"{what}: {'docs/PROOF.md does not name' if there else 'there is no'} {test}")
    return there and named


def main():
    words = [word for word in sys.argv[1:] if word != "--texts"]
    slips = [slip for slip in SLIPS if not words or any(word in slip[0] for word in words)]
    if "--texts" in sys.argv[1:]:
        there = sum(source_of(*slip[:3]) is not None and is_named(slip[0], *slip[4:]) for slip in slips)
        print(f"slips: {there} of {len(slips)} can be put in")
        return 0 if there == len(slips) else 1
    shutil.rmtree(TREE, ignore_errors=True)
    os.makedirs(TREE)
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    for name in filter(None, files):
        os.makedirs(os.path.dirname(os.path.join(TREE, name)), exist_ok=True)
        # As new files: cargo would take what a run before built of a slip for what is there now.
        shutil.copy(os.path.join(ROOT, name), os.path.join(TREE, name))
    for arguments in {str(slip[4]): slip[4] for slip in slips}.values():
        failed = caught_by(arguments)
        if failed != []:
            print(f"without a slip {arguments} does not pass: {failed and failed[-5:]}")
            return 1
    caught = 0
    for what, name, text, instead, arguments, by in slips:
        path = os.path.join(TREE, name)
        source = source_of(what, name, text)
        if source is None:
            continue
        with open(path, "w") as file:
            file.write(source.replace(text, instead))
        failed = caught_by(arguments)
        with open(path, "w") as file:
            file.write(source)
        if isinstance(arguments, str):
            others, named, by = [], any(by in line for line in failed or []), f"{arguments}: {by}"
        else:
            others = [test for test in failed or [] if not f"::{test}".endswith(f"::{by}")]
            named = len(others) < len(failed or [])
        caught += named
        print(f"{what} ({name}): {'caught by ' if named else 'NOT caught by '}{', '.join([by, *others][:4])}", flush=True)
    print(f"slips: {caught} of {len(slips)} caught")
    return 0 if caught == len(slips) else 1


if __name__ == "__main__":
    sys.exit(main())
