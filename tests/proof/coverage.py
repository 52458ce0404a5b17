#!/usr/bin/env python3
"""Lines and branch sides of some lcov files together, test modules and what the compiler alone runs left out:
coverage.py LACKING FILE..."""

import collections
import os
import re
import sys

# What the compiler alone runs: constants are made of it.
COMPILED = {
    "src/copy/kernels/list.rs": ["count", "flat"],
    "src/copy/kernels/register.rs": ["places"],
    "src/copy/kernels/reverse.rs": ["mirrored"],
    "src/copy/kernels/x86_64/lines/stream.rs": ["deep"],
    "src/ffi/version.rs": ["number"],
    "src/machine/mod.rs": ["any"],
    "src/vocabulary/images.rs": ["plane", "component"],
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


def main():
    lines, sides = collections.defaultdict(dict), collections.defaultdict(dict)
    path, of_file = "", set()
    for name in sys.argv[2:]:
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
    table, lacking = [], []
    for path in lines:
        run = sum(count > 0 for count in lines[path].values())
        taken = sum(count > 0 for count in sides[path].values())
        table.append((len(lines[path]) - run, path, run, len(lines[path]), taken, len(sides[path])))
        lacking += [f"{path}:{number}: line" for number, count in sorted(lines[path].items()) if not count]
        lacking += [f"{path}:{key[0]}: side {key[2]} of a branch" for key, count in sorted(sides[path].items()) if not count]
    with open(sys.argv[1], "w") as file:
        file.write("\n".join(lacking) + "\n")
    for lack, path, run, of, taken, of_sides in sorted(table, reverse=True)[:15]:
        print(f"{path:42} {run:5} of {of:5} lines, {taken:5} of {of_sides:5} branch sides")
    run, of, taken, of_sides = (sum(row[k] for row in table) for k in (2, 3, 4, 5))
    print(f"{run} of {of} lines, {taken} of {of_sides} branch sides of {len(table)} files")
    tenths = lambda part, whole: f"{1000 * part // whole / 10}"  # down
    print(f"coverage: {tenths(run, of)} % of lines, {tenths(taken, of_sides)} % of branch sides")
    return 0


if __name__ == "__main__":
    sys.exit(main())
