#!/usr/bin/env python3
"""Lines and branch sides of some lcov files together, test modules left out: coverage.py LACKING FILE..."""

import collections
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def test_modules_begin(path):
    """The line of the first test module, which stands at the end of a file."""
    with open(path) as file:
        lines = file.read().split("\n")
    for number, line in enumerate(lines, 1):
        if re.match(r"#\[cfg\((all\()?test\b", line) and any("mod tests" in of for of in lines[number:number + 3]):
            return number
    return len(lines) + 1


def main():
    lines, sides = collections.defaultdict(dict), collections.defaultdict(dict)
    path, end = "", 0
    for name in sys.argv[2:]:
        with open(name) as file:
            records = file.readlines()
        for record in records:
            kind, _, rest = record.strip().partition(":")
            if kind == "SF":
                path = os.path.relpath(rest, ROOT)
                end = test_modules_begin(rest) if path.startswith("src/") else 0
            elif kind == "DA":
                number, count = rest.split(",")[:2]
                if int(number) < end:
                    lines[path][int(number)] = max(lines[path].get(int(number), 0), int(count))
            elif kind == "BRDA":
                number, block, branch, taken = rest.split(",")
                if int(number) < end:
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
