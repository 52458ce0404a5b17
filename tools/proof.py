#!/usr/bin/env python3
"""The figures that docs/PROOF.md shows, measured: `make proof`. Hours in all; what was measured stays, so that it may
be broken off.

    proof.py [NAMES...] [--list] [--again]

Each job is a command that prints what it did. The figure is read from its output, so that a job that ran nothing has
none and fails. Results lie below target/proof, one file for each; a job that reached its figure with the same sources
is not run again, unless it is named, or --again says so. docs/PROOF.md is written after each job: where there is no
result of these sources it keeps the row that it had. What is measured is a commit, which the row names.
"""

import argparse
import datetime
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time

import checks
import counts

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RESULTS = os.path.join(ROOT, "target", "proof")
PAGE = os.path.join(ROOT, "docs", "PROOF.md")
BEGIN, END = "<!-- table: `make proof` -->", "<!-- /table -->"


class Job:
    """A row: a check of tools/checks.toml with what its output tells, and what of that is enough.

    A command that goes on where it was prints "in all: N s", and after it what more there is to say; `counts` only
    adds up what was measured elsewhere."""

    def __init__(self, check):
        self.name, self.figure, self.reach, self.command = (check[key] for key in ("name", "figure", "reach", "command"))
        self.pattern, self.bound, self.shown = check["pattern"], check["bound"], check["shown"]
        self.counts, self.needs = check.get("counts", False), check.get("needs", [])

    def enough(self, numbers):
        return bool(eval(self.bound, {"__builtins__": {}}, {**counts.TREE, **numbers}))

    def read(self, text):
        """The figure as it is shown, and whether it is enough; None without one. Numbers of several lines are added up."""
        total = {}
        for found in re.finditer(self.pattern, text, re.M):
            for name, number in found.groupdict().items():
                total[name] = total.get(name, 0) + number_of(number)
        if not total:
            return None
        return self.shown.format(**{name: f"{number:,}" for name, number in total.items()}), self.enough(total)

    def begin_of_row(self):
        return f"| {self.figure} | {self.reach} |"

    def wrong_with(self, line):
        """The mistake in a row of the page; None where its words are the check's and its numbers are enough, or called
        short."""
        begin = self.begin_of_row()
        if not line.startswith(begin):
            return "other words"
        shown = re.sub(r"\\{(\w+)\\}", r"(?P<\1>[\\d,.]+)", re.escape(self.shown))
        found = re.match(rf" {shown}(, exit status -?\d+)?( \(\*\*short\*\*\))? \|", line[len(begin):])
        if not found:
            return "no figure"
        numbers = {name: number_of(number) for name, number in found.groupdict().items()}
        if not self.enough(numbers) and "(**short**)" not in found[0]:
            return f"numbers that are not enough: {self.bound}"
        return None


def number_of(text):
    number = float(text.replace(",", ""))
    return int(number) if number == int(number) and "." not in text else round(number, 2)


CHECKS, NEEDS = checks.table()
JOBS = [Job(check) for check in CHECKS if "figure" in check]


# What `make proof` itself writes.
ASIDE = [":(exclude)docs/PROOF.md", ":(exclude)fuzz/runs.txt", ":(exclude)tests/proof/mutants/outcomes.txt"]


def git(*arguments):
    run = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    if run.returncode:
        raise SystemExit(f"proof: what is measured is a commit, and git says: {run.stderr.strip()}")
    return run.stdout.strip()


def sources():
    """A number for all files but those that `make proof` writes, and the commit."""
    changed = git("status", "--porcelain", "--", ".", *ASIDE)
    if changed:
        raise SystemExit(f"proof: it measures a commit, and these files are not as they were committed:\n{changed}")
    files = git("ls-files", "-s", "--", ".", *ASIDE)
    return hashlib.sha256(files.encode()).hexdigest()[:12], git("rev-parse", "--short=8", "HEAD")


# By a signal to bash or to what it ran. (A crash is a result.)
BROKEN_OFF = [status for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP) for status in (-number, 128 + number)]


def run(job, digest, commit, again):
    """Runs a job, its output going by and to a file."""
    print(f"== {job.name}: {job.command}", flush=True)
    begun, lines = time.monotonic(), []
    log = os.path.join(RESULTS, job.name + ".txt")
    with open(log, "w") as file:
        process = subprocess.Popen([*checks.BASH, job.command], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   errors="replace", env={**checks.environment(), **({"STRIDE_AGAIN": "1"} if again else {})})
        for line in process.stdout:
            file.write(line)
            lines.append(line)
            if len(lines) % 200 == 0:
                print(".", end="", flush=True)
    status, text = process.wait(), "".join(lines)
    print("\n" + "".join(line for line in lines if line.startswith("skipped: ")), end="")
    if status in BROKEN_OFF:
        raise SystemExit(f"{job.name} was broken off: {status}")
    read = job.read(text)
    seen, enough = read if read else ("no figure", False)
    # Some take hours, and it is the commit of the row that they shall be about.
    if sources()[0] != digest:
        raise SystemExit(f"{job.name}: the sources changed while it ran, so this is no figure: {seen}")
    in_all = re.findall(r"^in all: (\d+) s(.*)$", text, re.M)
    seconds, where = (int(in_all[-1][0]), in_all[-1][1]) if in_all else (round(time.monotonic() - begun), "")
    result = {"seen": seen, "reached": bool(enough and status == 0), "status": status, "sources": digest, "commit": commit,
              "where": where.lstrip(", ") if job.counts else f"{checks.cpu()}, {seconds} s{where}", "date": datetime.date.today().isoformat(), "seconds": seconds}
    if status:
        result["seen"] += f", exit status {status}"
    with open(os.path.join(RESULTS, job.name + ".json"), "w") as file:
        json.dump(result, file)
    print(f"\n{job.name}: {result['seen']} ({'reached' if result['reached'] else 'NOT reached'}: {job.reach}), {result['seconds']} s", flush=True)
    if not result["reached"]:
        print("".join(lines[-15:]))
    return result


def result_of(job, digest):
    """What was measured of these sources."""
    try:
        with open(os.path.join(RESULTS, job.name + ".json")) as file:
            result = json.load(file)
    except FileNotFoundError:
        return None
    return result if result.get("sources") == digest else None


def row(job, result):
    cells = [result["seen"] + ("" if result["reached"] else " (**short**)"), f"`make proof JOBS={job.name}`",
             result["where"], f"{result['date']}, {result['commit']}"]
    return f"{job.begin_of_row()} {' | '.join(cells)} |"


def rows_of_page():
    """Each job, and its line of the page; an empty one where there is none."""
    with open(PAGE) as file:
        named = {found[1]: line for line in file.read().splitlines() if (found := re.search(r"`make proof JOBS=(\w+)`", line))}
    return [(job, named.get(job.name, "")) for job in JOBS]


def write_page(digest):
    with open(PAGE) as file:
        before, rest = file.read().split(BEGIN)
    after = rest.split(END)[1]
    lines = ["| figure | reach | seen | command | CPU, time | date, commit |", "|---|---|---|---|---|---|"]
    for job, old in rows_of_page():
        result = result_of(job, digest)
        none = f"{job.begin_of_row()} not measured yet (**short**) | `make proof JOBS={job.name}` | | |"
        lines.append(row(job, result) if result else none if job.wrong_with(old) else old)
    page = before + BEGIN + "\n" + "\n".join(lines) + "\n" + END + after
    with open(PAGE, "w") as file:
        file.write(page)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help="jobs; without any, all that have not reached their figure with these sources")
    parser.add_argument("--list", action="store_true", help="print each job's figure, the one that is to be reached, and its command")
    parser.add_argument("--check", action="store_true", help="only see that the page has a row for each job, of what it measures now, whose numbers are enough or called short")
    parser.add_argument("--again", action="store_true", help="run every job, and all of it, even what passed with these sources")
    options = parser.parse_args()
    known = {job.name: job for job in JOBS}
    if options.list:
        for job in JOBS:
            print(f"{job.name:14} {job.figure} (reach: {job.reach})\n{'':14} {job.command}")
        return 0
    if options.check:
        rows = rows_of_page()
        wrong = [f"{job.name} ({what})" for job, line in rows if (what := job.wrong_with(line))]
        short = [job.name for job, line in rows if "(**short**)" in line]
        print(f"proof: {len(JOBS)} rows; {', '.join(short) or 'none'} fell short of their aim, and the page says so")
        if wrong:
            print(f"proof: docs/PROOF.md is wrong about {', '.join(wrong)}")
        return 1 if wrong else 0
    unknown = set(options.names) - set(known)
    if unknown:
        parser.error(f"no such job: {', '.join(sorted(unknown))}; --list has them")
    os.makedirs(RESULTS, exist_ok=True)
    now, commit = sources()
    checks.cpu()
    short = []
    for job in [known[name] for name in options.names] or JOBS:
        result = result_of(job, now)
        if not result or not result["reached"] or options.again or job.name in options.names:
            for need, said in checks.install(job.needs, NEEDS).items():
                print(f"skipped: {need} cannot be had, which {job.name} needs: {said}")
            result = run(job, now, commit, options.again)
            write_page(now)
        if not result["reached"]:
            short.append(job.name)
    write_page(now)
    print(f"proof: docs/PROOF.md is written; short of what is to be reached: {', '.join(short) or 'nothing'}")
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main())
