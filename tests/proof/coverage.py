#!/usr/bin/env python3
"""coverage.py FOLDER: lines, branch sides and regions of the library that tests run, from what llvm-cov exported there
(c.lcov and rust.lcov, c.json and rust.json), and lines of the kernels that the inputs that fuzzing kept run
(kept.lcov). Test modules, and what the compiler alone runs, are left out. What no test runs is written to
FOLDER/lacking.txt."""

import collections
import json
import os
import re
import sys

# What the compiler alone runs: constants are made of it.
COMPILED = {
    "src/copy/kernels/list.rs": ["flat"],
    "src/copy/kernels/register.rs": ["masks"],
    "src/ffi/version.rs": ["number"],
    "src/vocabulary/images/codes.rs": ["codes"],
    "src/vocabulary/images/list.rs": ["at", "pixel", "pixels"],
}
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def counted(path):
    """The lines of a file that count: those in front of the first test module, but for what the compiler runs."""
    with open(os.path.join(ROOT, path)) as file:
        lines = file.read().split("\n")
    out, until = set(), None
    compiled = COMPILED.get(path, []).copy()
    for number, line in enumerate(lines, 1):
        if re.match(r"#\[cfg\((all\()?test\b", line) and any("mod tests" in of for of in lines[number:number + 3]):
            break
        begins = re.match(r"( *)(?:pub(?:\([a-z]+\))? )?const fn (\w+)", line)
        if begins and begins[2] in compiled:
            compiled.remove(begins[2])
            until = begins[1] + "}"
        if until is None:
            out.add(number)
        elif line == until:
            until = None
    assert not compiled, f"{path} has no {compiled}"
    return out


def lines_and_sides(names):
    """How often each line and each side of a branch was run, by path; of some files together, the most."""
    lines, sides = collections.defaultdict(dict), collections.defaultdict(dict)
    path, of_file = "", set()
    for name in names:
        with open(name) as file:
            records = file.readlines()
        for record in records:
            kind, _, rest = record.strip().partition(":")
            if kind == "SF":
                path = os.path.relpath(rest, ROOT)
                of_file = counted(path) if path.startswith("src/") else set()
            elif kind == "DA":
                number, count = rest.split(",")[:2]
                if int(number) in of_file:
                    lines[path][int(number)] = max(lines[path].get(int(number), 0), int(count))
            elif kind == "BRDA":
                number, block, branch, taken = rest.split(",")
                if int(number) in of_file:
                    key = (int(number), block, branch)
                    sides[path][key] = max(sides[path].get(key, 0), 0 if taken == "-" else int(taken))
    return lines, sides


def regions_on(lines, names):
    """The same of each region (first line and column, last line and column) that begins on one of the lines."""
    regions = collections.defaultdict(dict)
    for name in names:
        with open(name) as file:
            functions = json.load(file)["data"][0]["functions"]
        for function in functions:
            for *place, count, in_file, _, kind in function["regions"]:
                path = os.path.relpath(function["filenames"][in_file], ROOT)
                # Code; the other kinds are gaps, and what macros become.
                if kind == 0 and place[0] in lines.get(path, ()):
                    regions[path][tuple(place)] = max(regions[path].get(tuple(place), 0), count)
    return regions


def main():
    folder = sys.argv[1]
    both = lambda kind: [os.path.join(folder, f"{tests}.{kind}") for tests in ("c", "rust")]
    lines, sides = lines_and_sides(both("lcov"))
    regions = regions_on(lines, both("json"))
    kept, _ = lines_and_sides([os.path.join(folder, "kept.lcov")])
    kernels = [count > 0 for path in kept if path.startswith("src/copy/kernels/") for count in kept[path].values()]
    table, lacking = [], []
    for path in lines:
        run = sum(count > 0 for count in lines[path].values())
        taken = sum(count > 0 for count in sides[path].values())
        entered = sum(count > 0 for count in regions[path].values())
        table.append((len(lines[path]) - run, path, run, len(lines[path]), taken, len(sides[path]), entered, len(regions[path])))
        lacking += [f"{path}:{number}: line" for number, count in sorted(lines[path].items()) if not count]
        lacking += [f"{path}:{key[0]}: side {key[2]} of a branch" for key, count in sorted(sides[path].items()) if not count]
        lacking += [f"{path}:{place[0]}: region from column {place[1]}" for place, count in sorted(regions[path].items()) if not count]
    with open(os.path.join(folder, "lacking.txt"), "w") as file:
        file.write("\n".join(lacking) + "\n")
    for _, path, run, of, taken, of_sides, entered, of_regions in sorted(table, reverse=True)[:15]:
        print(f"{path:42} {run:5} of {of:5} lines, {taken:5} of {of_sides:5} branch sides, {entered:5} of {of_regions:5} regions")
    run, of, taken, of_sides, entered, of_regions = (sum(row[k] for row in table) for k in range(2, 8))
    print(f"{run} of {of} lines, {taken} of {of_sides} branch sides, {entered} of {of_regions} regions of {len(table)} files; "
          f"what fuzzing kept: {sum(kernels)} of {len(kernels)} lines of kernels")
    tenths = lambda part, whole: f"{1000 * part // whole / 10}"  # down
    print(f"coverage: {tenths(run, of)} % of lines, {tenths(taken, of_sides)} % of branch sides, {tenths(entered, of_regions)} % of regions; "
          f"{tenths(sum(kernels), len(kernels))} % of the kernels' lines by what fuzzing kept")
    return 0


if __name__ == "__main__":
    sys.exit(main())
