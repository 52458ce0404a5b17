#!/usr/bin/env python3
"""What has once been made simple stays so: limits of files, and where numbers stand.

- A file of code has at most 450 lines, and a line 120 characters, but for the tables of `TABLES`.
- A number that decides which plan is made stands in src/copy/choose/numbers.rs, with its unit and what found it.
- The address of the repository stands in Cargo.toml. What is built takes it from there; README.md, CITATION.cff and
  .github have to repeat it.

`--self-test` plants a fault of each kind in a copy of the tree, for these rules, for the rooms (tests/rooms.py), the version
(tools/version.py) and the figures of README.md (docs/chart.py, tools/counts.py), and fails where one is not found.
"""

import fnmatch
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LINES, CHARACTERS = 450, 120
CODE = ["src/*.rs", "cli/src/*.rs", "python/src/stride/*.py", "python/src/stride/*.c", "docs/play/*.mjs"]
# Tables of one row a line, and what is generated.
TABLES = ["src/error/lists.rs", "src/sentence/rules.rs", "src/vocabulary/images/list.rs", "src/copy/kernels/list.rs",
          "python/src/stride/_raw.py", "docs/play/interface.mjs"]
# Literals that decide nothing: the first numbers, and widths of elements, registers and lines.
WIDTHS = {0, 1, 2, 3, 4, 8, 16, 32, 64}


def tracked():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True, text=True,
                            stdout=subprocess.PIPE).stdout.split("\n")
    return [path for path in listed if os.path.isfile(os.path.join(ROOT, path))]


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def sizes(paths):
    """Files and lines that are too long."""
    for path in paths:
        lines = read(path).splitlines()
        if len(lines) > LINES:
            yield f"{path} has {len(lines)} lines, more than {LINES}"
        for number, line in enumerate(lines, 1):
            if len(line) > CHARACTERS:
                yield f"{path}:{number} has {len(line)} characters, more than {CHARACTERS}"


def numbers():
    """Numbers of the planner that stand outside their file."""
    folder = "src/copy/choose"
    for name in sorted(os.listdir(os.path.join(ROOT, folder))):
        if name == "numbers.rs":
            continue
        code = re.sub(r"#\[cfg\(test\)\]\s*mod tests \{.*", "", read(f"{folder}/{name}"), flags=re.S)
        for at, line in enumerate(code.splitlines(), 1):
            line = re.sub(r'"[^"]*"|//.*', "", line)
            for literal in re.findall(r"(?<![\w.])\d[\d_]*(?![\w.]|\.\d)", line):
                if int(literal.replace("_", "")) not in WIDTHS:
                    yield f"{folder}/{name}:{at} decides by {literal}, which stands in numbers.rs with its reason"
            if re.search(r"\bconst [A-Z_]+: (?:[iu](?:8|16|32|64|size)) =", line):
                yield f"{folder}/{name}:{at} has a number of its own, which stands in numbers.rs with its reason"


def addresses(paths):
    """Other addresses of the repository than the one in Cargo.toml."""
    address = re.search(r'^repository = "(.*?)"', read("Cargo.toml"), re.M)[1]
    name = address.rpartition("/")[2]
    for path in paths:
        if re.search(r"\.(md|cff|yml|toml|json|html|in|mjs)$", path):
            for found in sorted(set(re.findall(rf"https://git[a-z]+\.com/[\w.-]+/{name}\b", read(path)))):
                if found != address:
                    yield f"{path} has {found}, Cargo.toml {address}"


def planted():
    """The fault, the file that it is planted in, what is found and replaced, what finds it, and what that says."""
    ratchet, rooms = [sys.executable, "tests/ratchet.py"], [sys.executable, "tests/rooms.py"]
    yield "a long file", "src/side.rs", r"\Z", "//\n" * 600, ratchet, "src/side.rs has"
    yield "a long line", "cli/src/main.rs", r"\Z", "// " + "x" * 120 + "\n", ratchet, "cli/src/main.rs:"
    yield "a number of the planner", "src/copy/choose/store.rs", r"(?m)^fn ", "const LEAST: i64 = 4096;\nfn ", \
        ratchet, "src/copy/choose/store.rs:"
    yield "a literal that decides", "src/copy/choose/order.rs", r"\Z", "fn f(x: i64) -> bool { x > 768 }\n", ratchet, \
        "decides by 768"
    yield "a room that uses what it may not", "src/model/arith.rs", r"\A", "use crate::copy::plan;\n", rooms, \
        "src/model/arith.rs uses copy/plan"
    yield "a circle of files", "src/view/cut.rs", r"\A", "use super::methods;\n", rooms, "files that use each other: src"
    yield "a file in no room", "src/nowhere.rs", r"\Z", "//! Nothing.\n", rooms, "src/nowhere.rs is in no room"
    yield "a circle of the page's modules", "docs/play/names.mjs", r"\Z", 'import { x } from "./play.mjs";\n', rooms, \
        "files that use each other: docs/play"
    yield "the kind of a plan", "src/copy/execute/walk.rs", r"\Z", "fn f(p: P) -> bool { p.boxes }\n", rooms, \
        "asks for the kind of a plan"
    yield "another address", "Cargo.toml", r"https://github\.com/\w+", "https://github.com/else", ratchet, \
        "README.md has https://"
    yield "another version", "CITATION.cff", r"(?m)^version: .*", "version: 9.8.7", \
        [sys.executable, "tools/version.py"], "CITATION.cff has version 9.8.7"
    yield "another ratio", "README.md", r"OpenCV \d+\.\d+ times", "OpenCV 1.1 times", \
        [sys.executable, "docs/chart.py", "--check"], "README.md"
    yield "another size", "README.md", r"is \d+ KiB stripped", "is 7 KiB stripped", \
        [sys.executable, "tools/counts.py"], "README.md does not say"


def self_test(paths):
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
            shutil.copy(os.path.join(ROOT, path), os.path.join(folder, path), follow_symlinks=False)
        subprocess.run(["git", "init", "-q", folder], check=True)
        missed, count = [], 0
        for fault, path, pattern, text, command, said in planted():
            count += 1
            place = os.path.join(folder, path)
            before = read(path) if os.path.exists(os.path.join(ROOT, path)) else None
            after, changed = re.subn(pattern, lambda _: text, before or "", count=1)
            with open(place, "w", encoding="utf-8") as file:
                file.write(after)
            done = subprocess.run(command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if not changed or not done.returncode or said not in done.stdout:
                missed.append(f"planted, and not found: {fault} in {path}: {done.stdout[-300:]}")
            if before is None:
                os.remove(place)
            else:
                with open(place, "w", encoding="utf-8") as file:
                    file.write(before)
    print("\n".join(missed) or f"ratchet: {count} of {count} planted faults are found")
    return 1 if missed else 0


def main():
    paths = tracked()
    if "--self-test" in sys.argv:
        return self_test(paths)
    looked_at = [path for path in paths if any(fnmatch.fnmatch(path, code) for code in CODE) and path not in TABLES]
    wrong = [f"{path}: no such file" for path in TABLES if path not in paths]
    wrong += [*sizes(looked_at), *numbers(), *addresses(paths)]
    print("\n".join(wrong) or f"ratchet: {len(looked_at)} files have at most {LINES} lines of {CHARACTERS} characters")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
