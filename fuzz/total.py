#!/usr/bin/env python3
"""What was fuzzed so far, from fuzz/runs.txt."""

import os

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "runs.txt")) as file:
    rows = [line.split() for line in file if not line.startswith("#")]
seconds, inputs = (sum(int(row[k]) for row in rows) for k in (2, 3))
print(f"fuzzed so far: {inputs:,} inputs, {seconds / 3600:.2f} hours of a core, {rows[0][0]} to {rows[-1][0]}")
