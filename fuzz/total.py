#!/usr/bin/env python3
"""What was fuzzed so far, from fuzz/runs.txt."""

import collections
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(HERE, "Cargo.toml")) as file:
    targets = set(re.findall(r'^\[\[bin\]\]\nname = "(.*)"', file.read(), re.M))
with open(os.path.join(HERE, "runs.txt")) as file:
    rows = [line.split() for line in file if not line.startswith("#")]
unknown = {row[1] for row in rows} - targets - {"all-six"}
if unknown:
    raise SystemExit(f"fuzz/runs.txt: no such targets: {', '.join(sorted(unknown))}")
# Two runs of a target never take as long and run as many inputs.
if len({tuple(row) for row in rows}) != len(rows):
    raise SystemExit("fuzz/runs.txt: a run is there twice")
seconds, inputs = collections.Counter(), collections.Counter()
for _, target, spent, ran, *_ in rows:
    seconds[target] += int(spent)
    inputs[target] += int(ran)
for target in sorted(seconds):
    print(f"{target:12} {inputs[target]:12,} inputs, {seconds[target] / 3600:.2f} hours")
hours, least = sum(seconds.values()) / 3600, min(seconds[target] for target in targets) / 3600
print(f"fuzzed so far: {sum(inputs.values()):,} inputs, {hours:.2f} hours of a core, {least:.2f} of a target at least")
print(f"in all: {sum(seconds.values())} s, {rows[0][0]} to {rows[-1][0]}")
