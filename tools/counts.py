#!/usr/bin/env python3
"""How many there are of what the documents and tools/checks.toml count: `counts.py` prints the numbers of the tree, and
fails if a page says another one.

Names in capitals are the numbers that a `bound` of tools/checks.toml may use.
"""

import glob
import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORDS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split()


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def files(pattern):
    return len(glob.glob(os.path.join(ROOT, pattern)))


def kernels():
    """Lines of src/copy/kernels/list.rs for x86-64: each has a kernel for every width, one if it names none."""
    text = re.sub(r"//.*", "", read("src/copy/kernels/list.rs"))

    def of(lines):
        lists = re.findall(r"(?:family|transposes)!\(([^;]*?)\)(?=[,;]|\n|\])", lines)
        return sum(max(1, len(re.findall(r"\b\d+\b(?!\))", line))) for line in lists) + lines.count("kernel!(")

    of_one_lane, vectors = map(of, re.search(r"macro_rules! vectors \{(.*?)\n    \};(.*?)\n\}", text, re.S).groups())
    sets = re.search(r"const FAMILIES: .*? = &\[(.*?)\n\];", text, re.S)[1]
    others = r'(?:stride_neon|target_feature = "simd128")'
    sets = re.sub(rf"#\[cfg\(all\({others}, .*?\)\)\]\s*(vectors!\(.*?\)|&\[.*?\n    \]),", "", sets, flags=re.S)
    return of(sets) + sets.count("vectors!(") * vectors + sets.count("of one lane") * of_one_lane


HEADER = json.loads(read("include/stride.json"))
CONSTANTS = [constant["name"] for constant in HEADER["constants"]]
NOT_INSTRUMENTED = re.search(r"grep -vxE '([^']*)'", read("tests/proof/counted.sh"))[1].split("|")
TREE = {
    "FUNCTIONS": len(HEADER["functions"]),
    "WITH_ARGUMENTS": sum(bool(function["parameters"]) for function in HEADER["functions"]),
    "STATUSES": sum(name.startswith("STRIDE_STATUS_") for name in CONSTANTS),
    "KERNELS": kernels(),
    "C_PROGRAMS": files("c_tests/*.c") - len(NOT_INSTRUMENTED),
}


def said():
    """Pages, and sentences that stand on them."""
    helpers = files("examples/migrating/[0-9]*")
    consumers = sum(name.startswith("STRIDE_CONSUMER_") for name in CONSTANTS) - 1  # and ANY
    machines = files("tests/plans/*.txt") - 1  # and runs.txt
    copies = len(re.findall(r"^    Kind \{", read("cli/src/bench/kinds.rs"), re.M))
    everyday = len(re.findall(r"^[^#\s]", read("benches/cases/everyday.txt"), re.M))
    rank = re.search(r"#define STRIDE_MAX_RANK (\d+)", read("include/stride.h"))[1]
    shown = {job: re.search(rf"^\|.*?\|.*?\| (.*?) \| `make proof JOBS={job}`", read("docs/PROOF.md"), re.M)[1]
             for job in ("fuzz", "exhaustive")}
    inputs, pairs = (int(text.split()[0].replace(",", "")) // 10**6 for text in shown.values())
    size = {name: round(int(number) / 1024)
            for number, name in re.findall(r"^ *(\d+)  (.*)$", read("benches/bytes.txt"), re.M)}
    library, program = size["libstride.so, stripped"], size["a program that makes a layout"]
    return [
        ("README.md", f"[{WORDS[helpers]} helpers and their bugs]"),
        ("README.md", f"![{WORDS[everyday].capitalize()} everyday copies"),
        ("README.md", f"up to {rank} dimensions"),
        ("README.md", f"{inputs} million fuzz inputs, {pairs} million pairs"),
        ("README.md", f"`libstride.so` is {library} KiB stripped"),
        ("README.md", f"no copy is {program} KiB in all"),
        ("docs/INSTALL.md", f"AVX-512 | {library} |"),
        ("docs/INSTALL.md", f" | {library} |\n| `libstride.a`, x86-64 Linux |"),
        ("docs/INSTALL.md", f"no copy: {program} KiB in all"),
        ("docs/MIGRATING.md", f"shows {WORDS[helpers]} of them"),
        ("docs/MIGRATING.md", f"ready values for {WORDS[consumers]} consumers"),
        ("docs/ARCHITECTURE.md", f"`presets` ({WORDS[consumers]} consumers"),
        ("docs/ENGINE.md", f"each named copy on {WORDS[machines]} machines"),
        ("docs/TOOL.md", f"makes {WORDS[copies]} everyday copies"),
        ("examples/README.md", f"{WORDS[helpers]} hand-written helpers"),
        ("src/vocabulary/requirements/mod.rs", f"those of {WORDS[consumers]} consumers"),
        ("src/vocabulary/requirements/presets.rs", f"What {WORDS[consumers]} consumers ask for"),
        ("tests/README.md", f"every named copy on {WORDS[machines]} machines"),
    ]


def main():
    print(", ".join(f"{name} {number}" for name, number in TREE.items()))
    sentences = said()
    wrong = [f"{page} does not say: {' '.join(sentence.split())}" for page, sentence in sentences
             if " ".join(sentence.split()) not in " ".join(read(page).split())]
    print("\n".join(wrong) or f"counts: {len(sentences)} sentences say how many there are")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
