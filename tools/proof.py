#!/usr/bin/env python3
"""The figures that docs/PROOF.md shows, measured: `make proof`. Hours in all; what was measured stays, so that it may be broken off.

    proof.py [NAMES...] [--list] [--again]

Each job is a command that prints what it did. The figure is read from its output, so that a job that ran nothing has none and
fails. Results lie below target/proof, one file for each; a job that reached its figure with these very sources is not run
again, but for --again or by its name. At the end docs/PROOF.md is written: of jobs that were not run again it keeps the row that it had.
"""

import argparse
import datetime
import hashlib
import json
import os
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RESULTS = os.path.join(ROOT, "target", "proof")
PAGE = os.path.join(ROOT, "docs", "PROOF.md")
BEGIN, END = "<!-- table: `make proof` -->", "<!-- /table -->"


class Job:
    """What is measured, what it shall reach, the command, and how its output tells the figure and whether that is reached."""

    def __init__(self, name, figure, reach, command, pattern, enough, shown="{}"):
        self.name, self.figure, self.reach, self.command = name, figure, reach, command
        self.pattern, self.enough, self.shown = pattern, enough, shown

    def read(self, text):
        """The figure as it is shown, and whether it is enough; None without one."""
        found = re.findall(self.pattern, text, re.M)
        if not found:
            return None
        rows = [row if isinstance(row, tuple) else (row,) for row in found]
        numbers = [[float(number.replace(",", "")) for number in row] for row in rows]
        total = [sum(column) for column in zip(*numbers)]
        plain = [int(number) if number == int(number) else round(number, 2) for number in total]
        return self.shown.format(*(f"{number:,}" for number in plain)), self.enough(*total)


def at_least(least):
    return lambda seen, *_: seen >= least


def all_of(seen, of, *_):
    return seen == of and of > 0


JOBS = [
    Job("coverage", "lines and branch sides of src that the Rust and C tests and the documentation's examples run", "99 %, 95 %", "bash tests/proof/coverage.sh",
        r"^coverage: ([\d.]+) % of lines, ([\d.]+) % of branch sides", lambda lines, sides: lines >= 99 and sides >= 95,
        "{} %, {} %"),
    Job("mutants", "mutants of the whole crate that a test catches", "98 % of those that a program can tell from the library", "python3 tests/proof/mutants.py",
        r"^mutants: (\d+) of (\d+) caught, (\d+) of them by time, (\d+) that no program can tell from the library; (\d+) are possible",
        lambda caught, of, late, unseen, possible: caught >= 0.98 * (of - unseen) > 0 and of == possible,
        "{} of {}, {} of them by time; {} no program can tell from the library; {} are possible"),
    Job("slips", "slips put in by hand, each caught by a named test", "all", "python3 tests/proof/slips.py",
        r"^slips: (\d+) of (\d+) caught", all_of, "{} of {}"),
    Job("miri", "tests under Miri: strict provenance, symbolic alignment, both models of borrows", "all that it can run",
        "bash tests/proof/miri.sh", r"^miri: (\d+) tests", at_least(100), "{} tests"),
    Job("fuzz", "inputs of all fuzz targets, and hours of a core, so far", "5 * 10^8 in 24 hours", "python3 fuzz/total.py",
        r"^fuzzed so far: ([\d,]+) inputs, ([\d.]+) hours", lambda inputs, hours: inputs >= 5e8 and hours >= 24,
        "{} in {} hours"),
    Job("exhaustive", "pairs of small layouts copied, byte for byte", "1,000,000 in a run of CI",
        "STRIDE_SHARE=1 cargo test --release --test copies_exhaustive -- --nocapture", r"^(\d+) pairs of layouts", at_least(1e6),
        "{} pairs"),
    Job("hostile", "hostile C calls one after the other, between guard pages, without a crash or a stray byte; the longest",
        "10,000,000, a millisecond", "STRIDE_CALLS=10000000 cargo test --release --test calls -- --nocapture",
        r"^hostile: (\d+) calls, \d+ succeeded, the longest one took (\d+) us",
        lambda calls, longest: calls >= 1e7 and longest <= 1000, "{} calls, {} us"),
    Job("every_function", "hostile calls of every function of the header, records and sentences held to the rules; faults", "none in 1,000,000",
        "make -s lib && python3 tests/bindings/hostile.py target/c/libstride.so --cases 6500",
        r"^hostile: \d+ functions, (\d+) calls in .*, (\d+) kinds of violation",
        lambda calls, kinds: calls >= 1e6 and kinds == 0, "{} calls, {} faults"),
    Job("lemmas", "lemmas behind the checks, proved by z3, and each refuted without its check", "all",
        "bash tests/proof/lemmas.sh", r"^lemmas: (\d+) of (\d+) proved", lambda proved, of: proved == of >= 28,
        "{} of {}"),
    Job("targets", "targets whose tests run", "8", "bash tests/proof/targets.sh", r"^targets: (\d+)", at_least(8), "{}"),
    Job("address", "programs under AddressSanitizer and UBSan, the library's code instrumented", "all",
        "bash c_tests/sanitize.sh", r"^sanitized: (\d+) of (\d+) programs", all_of, "{} of {}"),
    Job("threads", "programs and tests under ThreadSanitizer, 64 threads", "all", "bash tests/proof/sanitizers.sh thread",
        r"^sanitized: (\d+) of (\d+)", all_of, "{} of {}"),
    Job("uninitialized", "programs under MemorySanitizer: padding is never read", "all", "bash tests/proof/sanitizers.sh memory",
        r"^sanitized: (\d+) of (\d+)", all_of, "{} of {}"),
    Job("helgrind", "64 threads under helgrind", "no error", "bash tests/proof/sanitizers.sh helgrind",
        r"^sanitized: (\d+) of (\d+)", all_of, "{} of {}"),
    Job("instructions", "instructions of small copies beside those checked in", "within 2 %",
        "make -s lib && bash benches/counts.sh --check", r"^counts: (\d+) of (\d+) within 2 %", all_of, "{} of {}"),
    Job("reproducible", "libraries built from two folders", "the same bytes", "bash tests/proof/reproducible.sh",
        r"^reproducible: (\d+) of (\d+) files", all_of, "{} of {} files"),
    Job("supply", "checks of what the crate is made of: licenses, sources, oldest versions, oldest Rust, a list of parts", "all",
        "bash tests/proof/supply.sh", r"^supply: (\d+) of (\d+) checks", all_of, "{} of {}"),
]


def output_of(*command):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout.strip()


def sources():
    """A number for all files but those that `make proof` writes."""
    aside = [":(exclude)docs/PROOF.md", ":(exclude)fuzz/runs.txt"]
    files = output_of("git", "ls-files", "-s", "--", ".", *aside) + output_of("git", "diff", "--", ".", *aside)
    return hashlib.sha256(files.encode()).hexdigest()[:12]


def cpu():
    with open("/proc/cpuinfo") as file:
        fields = dict(re.findall(r"^(model name|cpu family|model)\s*: (.*)$", file.read(), re.M))
    return f"{fields.get('model name', 'unknown')} (family {fields.get('cpu family', '?')} model {fields.get('model', '?')})"


def run(job, commit, again):
    """Runs a job, its output going by and to a file."""
    print(f"== {job.name}: {job.command}", flush=True)
    begun, lines = time.monotonic(), []
    log = os.path.join(RESULTS, job.name + ".txt")
    with open(log, "w") as file:
        process = subprocess.Popen(["bash", "-c", job.command], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   errors="replace", env={**os.environ, **({"STRIDE_AGAIN": "1"} if again else {})})
        for line in process.stdout:
            file.write(line)
            lines.append(line)
            if len(lines) % 200 == 0:
                print(".", end="", flush=True)
    status, text = process.wait(), "".join(lines)
    if status < 0 or status > 128:
        raise SystemExit(f"{job.name} was broken off: {status}")
    read = job.read(text)
    seen, enough = read if read else ("no figure", False)
    result = {"seen": seen, "reached": bool(enough and status == 0), "status": status, "commit": commit, "cpu": cpu(),
              "date": datetime.date.today().isoformat(), "seconds": round(time.monotonic() - begun)}
    if status:
        result["seen"] += f", exit status {status}"
    with open(os.path.join(RESULTS, job.name + ".json"), "w") as file:
        json.dump(result, file)
    print(f"\n{job.name}: {result['seen']} ({'reached' if result['reached'] else 'NOT reached'}: {job.reach}), {result['seconds']} s", flush=True)
    if not result["reached"]:
        print("".join(lines[-15:]))
    return result


def result_of(job):
    try:
        with open(os.path.join(RESULTS, job.name + ".json")) as file:
            return json.load(file)
    except FileNotFoundError:
        return None


def row(job, result):
    cells = [job.figure, job.reach, result["seen"] + ("" if result["reached"] else " (**short**)"), f"`make proof JOBS={job.name}`",
             f"{result['cpu']}, {result['seconds']} s", result["date"]]
    return "| " + " | ".join(cells) + " |"


def write_page():
    with open(PAGE) as file:
        before, rest = file.read().split(BEGIN)
    table, after = rest.split(END)
    kept = {}
    for line in table.splitlines():
        named = re.search(r"`make proof JOBS=(\w+)`", line)
        if named:
            kept[named[1]] = line
    lines = ["| figure | reach | seen | command | CPU, time | date |", "|---|---|---|---|---|---|"]
    for job in JOBS:
        result = result_of(job)
        lines.append(row(job, result) if result else kept.get(
            job.name, f"| {job.figure} | {job.reach} | not measured yet (**short**) | `make proof JOBS={job.name}` | | |"))
    with open(PAGE, "w") as file:
        file.write(before + BEGIN + "\n" + "\n".join(lines) + "\n" + END + after)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--again", action="store_true", help="also what has a result of these sources, and what of a job has one")
    options = parser.parse_args()
    known = {job.name: job for job in JOBS}
    if options.list:
        for job in JOBS:
            print(f"{job.name:14} {job.figure} (reach: {job.reach})\n{'':14} {job.command}")
        return 0
    unknown = set(options.names) - set(known)
    if unknown:
        parser.error(f"no such job: {', '.join(sorted(unknown))}; --list has them")
    os.makedirs(RESULTS, exist_ok=True)
    commit = sources()
    short = []
    for job in [known[name] for name in options.names] or JOBS:
        result = result_of(job)
        if not result or not result["reached"] or result["commit"] != commit or options.again or job.name in options.names:
            result = run(job, commit, options.again)
            write_page()
        if not result["reached"]:
            short.append(job.name)
    write_page()
    print(f"proof: docs/PROOF.md is written; short: {', '.join(short) or 'nothing'}")
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main())
