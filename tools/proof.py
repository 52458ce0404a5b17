#!/usr/bin/env python3
"""The figures that docs/PROOF.md shows, measured: `make proof`. Hours in all; what was measured stays, so that it may be broken off.

    proof.py [NAMES...] [--list] [--again]

Each job is a command that prints what it did. The figure is read from its output, so that a job that ran nothing has none and
fails. Results lie below target/proof, one file for each; a job that reached its figure with the same sources is not run
again, unless it is named, or --again says so. docs/PROOF.md is written after each job: where there is no result of these sources it keeps
the row that it had. What is measured is a commit, which the row names.
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

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RESULTS = os.path.join(ROOT, "target", "proof")
PAGE = os.path.join(ROOT, "docs", "PROOF.md")
BEGIN, END = "<!-- table: `make proof` -->", "<!-- /table -->"


class Job:
    """What is measured, what it shall reach, the command, and how its output tells the figure and whether that is reached.

    A command that goes on where it was prints "in all: N s", and behind it what more there is to say; `counts` only adds up what was
    measured elsewhere. `more` makes more numbers to be shown."""

    def __init__(self, name, figure, reach, command, pattern, enough, shown="{}", counts=False, more=lambda *_: ()):
        self.name, self.figure, self.reach, self.command = name, figure, reach, command
        self.pattern, self.enough, self.shown, self.counts, self.more = pattern, enough, shown, counts, more

    def read(self, text):
        """The figure as it is shown, and whether it is enough; None without one."""
        found = re.findall(self.pattern, text, re.M)
        if not found:
            return None
        rows = [row if isinstance(row, tuple) else (row,) for row in found]
        numbers = [[float(number.replace(",", "")) for number in row] for row in rows]
        total = [sum(column) for column in zip(*numbers)]
        plain = [int(number) if number == int(number) else round(number, 2) for number in [*total, *self.more(*total)]]
        return self.shown.format(*(f"{number:,}" for number in plain)), self.enough(*total)


def at_least(least):
    return lambda seen, *_: seen >= least


def all_of(least):
    """All of those that ran, and as many as there were when this was written."""
    return lambda seen, of: seen == of >= least


JOBS = [
    Job("coverage", "lines, branch sides and regions of src that the Rust and C tests and the documentation's examples run; lines of the kernels "
        "that inputs kept by fuzzing run", "lines 99 %, branch sides 95 %, regions 97 %; lines of the kernels 95 %", "bash tests/proof/coverage.sh",
        r"^coverage: ([\d.]+) % of lines, ([\d.]+) % of branch sides, ([\d.]+) % of regions; ([\d.]+) % of the kernels' lines",
        lambda lines, sides, regions, kernels: lines >= 99 and sides >= 95 and regions >= 97 and kernels >= 95,
        "lines {} %, branch sides {} %, regions {} %; lines of the kernels {} %"),
    Job("mutants", "mutants of the whole crate that a test catches", "98 % of those that some program would notice", "python3 tests/proof/mutants.py",
        r"^mutants: (\d+) of (\d+) caught, (\d+) of them by time, (\d+) that no program would notice, (\d+) that nobody has explained; (\d+) are possible",
        # A tenth is the most that may be called unseen.
        lambda caught, of, late, unseen, unexplained, possible:
            caught >= 0.98 * (of - unseen) > 0 and of == possible and unseen <= 0.1 * of and unexplained == 0,
        "{} of {}, {} of them by time; {} of the others no program would notice, {} nobody has explained; {} are possible: {} % of all, "
        "{} % without those", more=lambda caught, of, late, unseen, *_: (100 * caught / of, 100 * caught / (of - unseen))),
    Job("slips", "slips put in by hand, each caught by a named test", "all", "python3 tests/proof/slips.py",
        r"^slips: (\d+) of (\d+) caught", all_of(6), "{} of {}"),
    Job("miri", "tests under Miri: strict provenance, symbolic alignment, both models of borrows; portable code, and kernels for AVX2 by one model",
        "all that it can run, but for the longest",
        "bash tests/proof/miri.sh", r"^miri: (\d+) tests by stacked borrows, (\d+) tests by tree borrows, (\d+) with AVX2, (\d+) left out, (\d+) ignored",
        lambda stacked, tree, vectors, *_: stacked == tree >= 600 and vectors >= 150,
        "{} tests by stacked borrows, {} by tree borrows, {} with AVX2; {} files of tests, and {} tests of the others, left out"),
    Job("miri_targets", "some of the tests under Miri as 32-bit x86, 64-bit ARM and big-endian s390x", "3 targets",
        "bash tests/proof/miri.sh targets", r"^miri targets: (\d+) tests of (\d+) targets", lambda tests, targets: tests >= 450 and targets == 3,
        "{} tests of {} targets"),
    Job("fuzz", "inputs of all fuzz targets, and hours of a core, so far", "5 * 10^8 in 24 hours", "python3 fuzz/total.py",
        r"^fuzzed so far: ([\d,]+) inputs, ([\d.]+) hours of a core, ([\d.]+) of a target at least",
        lambda inputs, hours, least: inputs >= 5e8 and hours >= 24 and least >= 1, "{} in {} hours, {} of a target at least", counts=True),
    Job("exhaustive", "pairs of small layouts (rank up to 4, sizes 0 to 3, every order, mirrored, padded, steps of 0), no two alike, "
        "copied byte for byte", "all",
        "STRIDE_SHARE=1 STRIDE_WHOLE=1 cargo test --release --test copies_exhaustive -- --nocapture",
        r"^(\d+) pairs of layouts, no two alike, and (\d+) of no elements", lambda pairs, empty: pairs >= 18_353_053 and empty >= 50_018_736,
        "{} pairs, and {} of no elements"),
    Job("named", "named copies (shape, order, width, instruction set, place, machine), byte for byte", "50,000",
        "STRIDE_SHARE=1 cargo test --release --test copies_exhaustive named_copies -- --nocapture", r"^(\d+) named copies by", at_least(50000),
        "{} copies"),
    Job("pages", "checks of kernels between pages that may not be touched: every tail, both ends, every treatment of the caches", "every kernel for x86-64",
        "STRIDE_SHARE=1 cargo test --release --test kernels -- --nocapture", r"^\w+: (\d+) checks of (\d+) kernels between pages",
        lambda checks, kernels: checks >= 1e6 and kernels >= 187, "{} checks of {} kernels"),
    Job("gaps", "checks of kernels whose bytes between elements may not be touched, by AddressSanitizer: one in five of those between pages", "1,000,000",
        "bash tests/proof/gaps.sh", r"^\w+: (\d+) checks of (\d+) kernels between pages and their gaps",
        lambda checks, kernels: checks >= 1e6 and kernels >= 187, "{} checks of {} kernels"),
    Job("others", "the other Rust tests under AddressSanitizer, but for those that build programs; one in three of the longest checks", "all",
        "bash tests/proof/gaps.sh others", r"^under AddressSanitizer: (\d+) tests of (\d+) programs",
        lambda tests, programs: tests >= 650 and programs >= 32, "{} tests of {} programs"),
    Job("inputs", "inputs of random bytes that pass the library's checks", "nine of ten, of each fuzz target",
        "cargo test --tests nine_of_ten_inputs_pass -- --nocapture", r"^inputs of \w+: (\d+) of (\d+) pass",
        lambda passed, of: of >= 11000 and passed >= 0.9 * of, "{} of {}"),
    Job("oracles", "programs of others that give the same answers: NumPy (twice), XLA, DLPack with gguf, oneDNN", "all",
        "bash tests/proof/oracles.sh", r"^oracles: (\d+) of (\d+) agree", all_of(5), "{} of {}"),
    Job("from_c", "functions of the headers that C tests call, statuses that they expect", "all",
        "bash tests/proof/library.sh", r"^from C: (\d+) of (\d+) functions called, (\d+) of (\d+) statuses expected",
        lambda called, functions, expected, statuses: called == functions >= 158 and expected == statuses >= 21,
        "{} of {} functions, {} of {} statuses"),
    Job("panics", "symbols of panics in the C library; functions that it needs from outside to do more than copy, fill or compare "
        "memory (to allocate, print, end the program, start a thread)", "none", "bash tests/proof/library.sh",
        r"^library: (\d+) symbols of panics, (\d+) functions", lambda panics, outside: panics == outside == 0, "{} and {}"),
    Job("unsafe", "places with unsafe code, and rooms of src that have some", "3 rooms", "bash tests/proof/library.sh",
        r"^unsafe code: (\d+) places, (\d+) rooms", lambda places, rooms: places > 0 and rooms <= 3, "{} places, {} rooms"),
    Job("installed", "checks of strangers' programs with the installed library: pkg-config, CMake, meson, loaded and unloaded a thousand "
        "times, across a fork, beside another Rust library", "all, but for cargo-c, which CI runs", "set -o pipefail; bash tests/install/run.sh | awk '{ print } /^skipped/ && !/cargo-c/ { missing = 1 } END { exit missing }'",
        r"^install consumers: (\d+) checks passed", at_least(13), "{} checks"),
    Job("interface", "functions of the binary interface beside the one promised, by abidiff, which is shown to find a field that moved", "all as promised",
        "set -o pipefail; make -s abi | awk '{ print } /not promised yet/ { more = 1 } END { exit more }'", r"^abi: as promised: (\d+) functions", at_least(158), "{} functions"),
    Job("tarball", "bytes of the source tarball, which builds without a network", "it builds", "bash tests/install/dist.sh",
        r"^source tarball: \S+, (\d+) bytes, builds offline", at_least(1), "{} bytes"),
    Job("hostile", "hostile C calls one after the other, without a crash or a stray byte; time of the longest one (of the CPU; what takes "
        "more than 200 us is timed four times)", "10,000,000 calls, a millisecond", "STRIDE_CALLS=10200000 cargo test --release --test calls -- --nocapture",
        r"^hostile: (\d+) calls, \d+ succeeded, the longest one took (\d+) us",
        lambda calls, longest: calls >= 1e7 and longest <= 1000, "{} calls, {} us"),
    Job("every_function", "hostile calls of every function of the header that takes arguments, records and sentences held to the rules; faults", "none in 1,000,000 calls",
        "make -s lib && python3 tests/bindings/hostile.py target/c/libstride.so --cases 6500",
        r"^hostile: (\d+) functions, (\d+) calls in .*, (\d+) kinds of violation",
        lambda functions, calls, kinds: functions >= 155 and calls >= 1e6 and kinds == 0, "{} functions, {} calls, {} faults"),
    Job("placed", "random calls with their structs and lists inside the buffers, beside the same with copies of these elsewhere; the library under "
        "AddressSanitizer too", "no stray byte, none that differs, in 1,000,000 calls of each", "bash tests/proof/placed.sh",
        r"^placed: (\d+) calls, (\d+) of them under AddressSanitizer, (\d+) refused, (\d+) failures",
        lambda calls, watched, refused, failures: calls >= 2e6 - 200 and watched >= 1e6 - 100 and refused > 0 and failures == 0,
        "{} calls, {} of them under AddressSanitizer, {} refused, {} failures"),
    Job("lemmas", "lemmas behind the checks that z3 proves; without the check it finds a counterexample", "all",
        "bash tests/proof/lemmas.sh", r"^lemmas: (\d+) of (\d+) proved", lambda proved, of: proved == of >= 28,
        "{} of {} lemmas"),
    Job("targets", "targets whose tests run", "10 targets", "bash tests/proof/targets.sh", r"^targets: (\d+)", at_least(10), "{} targets"),
    Job("address", "C programs under AddressSanitizer and UBSan, the library under AddressSanitizer", "all",
        "bash c_tests/sanitize.sh", r"^sanitized: (\d+) of (\d+) programs and the library", all_of(34), "{} of {} programs"),
    Job("threads", "C programs, one of 64 threads, those of all functions of the header on 64 threads at once, and programs of Rust tests, "
        "as many threads as tests, under ThreadSanitizer", "all", "bash tests/proof/sanitizers.sh thread",
        r"^sanitized: (\d+) of (\d+)", all_of(42), "{} of {} programs"),
    Job("uninitialized", "C programs under MemorySanitizer: nothing depends on bytes that were never written", "all", "bash tests/proof/sanitizers.sh memory",
        r"^sanitized: (\d+) of (\d+)", all_of(34), "{} of {} programs"),
    Job("valgrind", "tests of the C interface under valgrind, 35 of which run C programs, leaks looked for", "no error",
        "STRIDE_C_RUNNER='valgrind -q --error-exitcode=99 --leak-check=full' cargo test --test c_abi", r"^test result: ok\. (\d+) passed",
        at_least(42), "{} tests"),
    Job("helgrind", "a C program of 64 threads under helgrind", "no error", "bash tests/proof/sanitizers.sh helgrind",
        r"^sanitized: (\d+) of (\d+)", all_of(1), "{} of {} programs"),
    Job("instructions", "instructions of small copies beside those checked in", "within 2 %",
        "make -s lib && bash benches/counts.sh --check", r"^counts: (\d+) of (\d+) within 2 %", all_of(15), "{} of {} counts"),
    Job("reproducible", "libraries built from two folders", "the same bytes", "bash tests/proof/reproducible.sh",
        r"^reproducible: (\d+) of (\d+) files", all_of(2), "{} of {} files"),
    Job("supply", "checks of what the crate is made of: licenses, sources, oldest versions, oldest Rust, a list of parts", "all",
        "bash tests/proof/supply.sh", r"^supply: (\d+) of (\d+) checks", all_of(4), "{} of {} checks"),
]


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
        raise SystemExit(f"proof: what is measured is a commit, and these files are not as they were committed:\n{changed}")
    files = git("ls-files", "-s", "--", ".", *ASIDE)
    return hashlib.sha256(files.encode()).hexdigest()[:12], git("rev-parse", "--short=8", "HEAD")


def cpu():
    with open("/proc/cpuinfo") as file:
        fields = dict(re.findall(r"^(model name|cpu family|model)\s*: (.*)$", file.read(), re.M))
    return f"{fields.get('model name', 'unknown')} (family {fields.get('cpu family', '?')} model {fields.get('model', '?')})"


# By a signal to bash or to what it ran. (A crash is a result.)
BROKEN_OFF = [status for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP) for status in (-number, 128 + number)]


def run(job, digest, commit, again):
    """Runs a job, its output going by and to a file."""
    print(f"== {job.name}: {job.command}", flush=True)
    begun, lines = time.monotonic(), []
    log = os.path.join(RESULTS, job.name + ".txt")
    with open(log, "w") as file:
        # The jobs look for what they built where cargo puts it by itself.
        own = {name: value for name, value in os.environ.items() if name not in ("CARGO_TARGET_DIR", "CARGO_BUILD_TARGET")}
        process = subprocess.Popen(["bash", "-c", job.command], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   errors="replace", env={**own, **({"STRIDE_AGAIN": "1"} if again else {})})
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
              "where": where.lstrip(", ") if job.counts else f"{cpu()}, {seconds} s{where}", "date": datetime.date.today().isoformat(), "seconds": seconds}
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


def begin_of_row(job):
    return f"| {job.figure} | {job.reach} |"


def is_row(job, line):
    """Whether a line of the page is of what the job measures now, by its words: the numbers may be of another day."""
    shown = re.sub(r"\\{\\}", r"[\\d,.]+", re.escape(job.shown))
    return re.match(rf"{re.escape(begin_of_row(job))} ({shown}|no figure|not measured yet)(, exit status -?\d+)?( \(\*\*short\*\*\))? \|", line)


def row(job, result):
    cells = [result["seen"] + ("" if result["reached"] else " (**short**)"), f"`make proof JOBS={job.name}`",
             result["where"], f"{result['date']}, {result['commit']}"]
    return f"{begin_of_row(job)} {' | '.join(cells)} |"


def write_page(digest):
    with open(PAGE) as file:
        before, rest = file.read().split(BEGIN)
    table, after = rest.split(END)
    kept = {}
    for line in table.splitlines():
        named = re.search(r"`make proof JOBS=(\w+)`", line)
        if named:
            kept[named[1]] = line
    lines = ["| figure | reach | seen | command | CPU, time | date, commit |", "|---|---|---|---|---|---|"]
    for job in JOBS:
        result = result_of(job, digest)
        old = kept.get(job.name, "")
        none = f"{begin_of_row(job)} not measured yet (**short**) | `make proof JOBS={job.name}` | | |"
        lines.append(row(job, result) if result else old if is_row(job, old) else none)
    page = before + BEGIN + "\n" + "\n".join(lines) + "\n" + END + after
    with open(PAGE, "w") as file:
        file.write(page)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help="jobs; without any, all that have not reached their figure with these sources")
    parser.add_argument("--list", action="store_true", help="print each job's figure, the one that is to be reached, and its command")
    parser.add_argument("--check", action="store_true", help="only see that the page has a row for each job, of what the job measures now")
    parser.add_argument("--again", action="store_true", help="run every job, and all of it, even what passed with these sources")
    options = parser.parse_args()
    known = {job.name: job for job in JOBS}
    if options.list:
        for job in JOBS:
            print(f"{job.name:14} {job.figure} (reach: {job.reach})\n{'':14} {job.command}")
        return 0
    if options.check:
        with open(PAGE) as file:
            page = file.read().splitlines()
        without = [job.name for job in JOBS if not any(is_row(job, line) for line in page)]
        print(f"proof: {len(JOBS)} rows" if not without else f"proof: docs/PROOF.md says something else of {', '.join(without)}")
        return 1 if without else 0
    unknown = set(options.names) - set(known)
    if unknown:
        parser.error(f"no such job: {', '.join(sorted(unknown))}; --list has them")
    os.makedirs(RESULTS, exist_ok=True)
    now, commit = sources()
    cpu()
    short = []
    for job in [known[name] for name in options.names] or JOBS:
        result = result_of(job, now)
        if not result or not result["reached"] or options.again or job.name in options.names:
            result = run(job, now, commit, options.again)
            write_page(now)
        if not result["reached"]:
            short.append(job.name)
    write_page(now)
    print(f"proof: docs/PROOF.md is written; short of what is to be reached: {', '.join(short) or 'nothing'}")
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main())
