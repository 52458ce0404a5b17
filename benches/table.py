#!/usr/bin/env python3
"""Prints the figures of the last `cargo bench` as ratios to memcpy of the same bytes in the same run.

  cargo bench --bench copy && python3 benches/table.py

planned and one call: memcpy's time / ours, so 1.00 is the speed of memcpy; naive: the loops anybody would write.
"""
import json
import os
import sys

root = os.path.join(os.environ.get("CARGO_TARGET_DIR", "target"), "criterion")
times = {}
for folder, _, files in os.walk(root):
    if os.path.basename(folder) == "new" and "estimates.json" in files and "benchmark.json" in files:
        with open(os.path.join(folder, "benchmark.json")) as file:
            benchmark = json.load(file)
        with open(os.path.join(folder, "estimates.json")) as file:
            estimate = json.load(file)["median"]["point_estimate"]
        case, way = benchmark["function_id"].rsplit("/", 1)
        times.setdefault((benchmark["group_id"], case), {})[way] = estimate
if not times:
    sys.exit(f"no figures below {root}: run cargo bench first")
try:
    with open("/proc/cpuinfo") as file:
        print(next(line.split(":")[1].strip() for line in file if line.startswith("model name")))
except (OSError, StopIteration):
    pass
print(f"{'kind':14} {'case':44} {'planned':>8} {'one call':>9} {'naive':>6} {'planned':>12}")
for (kind, case), found in sorted(times.items()):
    if {"planned", "one call", "memcpy", "naive"} <= found.keys():
        planned, once, naive = (found["memcpy"] / found[way] for way in ("planned", "one call", "naive"))
        print(f"{kind:14} {case:44} {planned:8.2f} {once:9.2f} {naive:6.2f} {found['planned']:9.0f} ns")
