#!/usr/bin/env python3
"""Runs the checks of tools/checks.toml: `bash .ci/run` before each change, `make release-check` before each release.

    checks.py test|ci|release [NAMES...] [--list] [--times N] [--table FILE]

A tier runs its own checks and those of the tiers before it, but for samples of what a check of its own does whole
(`covers`), and where this is not Linux on x86-64 only those that are for this system (`also_on`); with names, only
these. As many run at a time as there are cores, the longest first, and at the end, one after the other, those that have
all cores (`alone`). Each one's output is printed when it has ended, with its seconds. What a check needs is installed
first. It fails, besides by its exit status,

- where a need cannot be had, or it leaves something out (a line `skipped: what, why`), unless the table says that this
  `may_skip`; both are printed, with the reason, and with what `apt-get` or another installer said;
- where it counted nothing: `0 of 0`, no test, no figure.

A check after one that has not passed is not run, which is a failure too unless that one was skipped. The end is a list
of all that was skipped, the five slowest checks, and what failed, with its last lines.

`--times 20` runs each check named twenty times as it is, and twenty times beside busy loops, one for each core: no check
may pass or fail because the machine is fast or slow.
"""

import argparse
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from typing import NamedTuple

try:
    import tomllib
except ImportError:  # before Python 3.11
    from pip._vendor import tomli as tomllib

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TABLE = os.path.join(ROOT, "tools", "checks.toml")
LOGS = os.path.join(ROOT, "target", "checks")
TIERS = ["test", "ci", "release", "proof"]
# On Windows the system's folder, which has another, would come before the path.
BASH = [shutil.which("bash") or "bash", "-euo", "pipefail", "-c"]
# This system, as `also_on` has it.
SYSTEM = {"Linux": "linux", "Darwin": "macos", "FreeBSD": "freebsd"}.get(platform.system(), "windows")
EVERYTHING = SYSTEM == "linux" and platform.machine() == "x86_64"
MOST = 45  # minutes of a check that says nothing of them
SKIPPED = "skipped: "
WORDS = {"failed": "failed", "skipped": "is skipped", "not run": "is not run"}


def table(path=TABLE):
    """The checks, in their order, and what they need."""
    with open(path, "rb") as file:
        read = tomllib.load(file)
    for name, check in read["check"].items():
        check["name"] = name
    for need in read["need"].values():
        if "target" in need:
            need["probe"] = f"sh tools/has_target.sh {need['target']}"
            need["install"] = f"rustup target add {need['target']}"
    return list(read["check"].values()), read["need"]


def environment():
    """Builds lie where cargo puts them, so that none is made twice; what is pinned in a file is compared only."""
    own = {name: value for name, value in os.environ.items()
           if not name.startswith("STRIDE_WRITE_") and name not in ("CARGO_TARGET_DIR", "CARGO_BUILD_TARGET")}
    return {**own, "CARGO_INCREMENTAL": "0", "CARGO_TERM_COLOR": "never"}


def begin(command, stdout):
    """A command as a group of processes, which `end` ends."""
    return subprocess.Popen([*BASH, command], cwd=ROOT, env=environment(), stdin=subprocess.DEVNULL, stdout=stdout,
                            stderr=subprocess.STDOUT, start_new_session=True)


def cpu():
    try:
        with open("/proc/cpuinfo") as file:
            fields = dict(re.findall(r"^(model name|cpu family|model)\s*: (.*)$", file.read(), re.M))
        return "{model name} (family {cpu family} model {model})".format_map(fields)
    except (OSError, KeyError):
        return f"{platform.processor() or platform.machine()}, {platform.platform()}"


def complaint(command, seconds=1800):
    """What a command said if it failed: its errors as apt-get marks them, or its last lines."""
    process = begin(command, subprocess.PIPE)
    try:
        said, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        end(process)
        return f"took more than {seconds} seconds"
    lines = said.decode("utf-8", "replace").strip().splitlines()
    errors = [line for line in lines if line.startswith("E:")] or lines[-5:]
    return "; ".join([*errors, f"exit status {process.returncode}"]) if process.returncode else ""


def install(names, needs):
    """Those that cannot be had, and what was said. Packages come first, by one command; then what has its own, which
    may need them."""
    def wrong(name):
        return complaint(needs[name].get("probe", f"command -v {name}"), 60)

    missing = [name for name in names if wrong(name)]
    said = dict.fromkeys(missing, "")
    by_apt = [name for name in missing if "apt" in needs[name]]
    if by_apt:
        apt = "DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600"
        packages = " ".join(needs[name]["apt"] for name in by_apt)
        update = complaint(f"{apt} update")
        if complaint(f"{apt} install -y --no-install-recommends {packages}"):
            for name in by_apt:  # What can be had of them.
                problem = complaint(f"{apt} install -y --no-install-recommends {needs[name]['apt']}")
                said[name] = "; ".join(filter(None, [problem, update])) if problem else ""
    for name in missing:
        if "install" in needs[name]:
            said[name] += complaint(needs[name]["install"], 600)
    return {name: said[name] or f"it is installed, and not as it should be: {problem}"
            for name in missing if (problem := wrong(name))}


def longest_first(checks):
    """First what takes longest, with all that must wait for it; at the end what has all cores."""
    def minutes(check):
        waiting = [other for other in checks if check["name"] in other.get("after", [])]
        return check["minutes"] + max(map(minutes, waiting), default=0)

    return sorted(checks, key=lambda check: (check.get("alone", False), -minutes(check)))


class Outcome(NamedTuple):
    """What came of a check: `word` is passed, failed, skipped or not run."""

    word: str
    text: str = ""
    seconds: float = 0


def mistakes(check, text):
    """Why a check that ended well has failed all the same."""
    may_skip = (*check.get("may_skip", {}), *check.get("also_on", {}).get(SYSTEM, {}))
    for line in text.splitlines():
        if line.startswith(SKIPPED) and not line.removeprefix(SKIPPED).startswith(may_skip):
            yield f"may not be skipped: {line.removeprefix(SKIPPED)}"
        if re.search(r"\b0 of 0\b|^Ran 0 tests", line):
            yield f"counted nothing: {line}"
    passed = re.findall(r"test result: ok\. (\d+) passed", text)
    if passed and not any(map(int, passed)):
        yield "counted nothing: no test ran"
    if "pattern" in check:
        figures = [found.group() for found in re.finditer(check["pattern"], text, re.M)]
        if not any(re.search("[1-9]", figure) for figure in figures):
            yield f"counted nothing: {'; '.join(figures) or 'there is no figure'}"


class Run:
    """The checks of one call: which one may begin, and what came of each."""

    def __init__(self, checks, needs, lacking, quiet=False):
        self.checks, self.needs, self.lacking, self.quiet = checks, needs, lacking, quiet
        self.cores = os.cpu_count() or 1
        self.waiting, self.running, self.ended = longest_first(checks), {}, {}
        self.skipped, self.changed, self.started = [], threading.Condition(), time.monotonic()

    def say(self, text):
        if not self.quiet:
            print(text, flush=True)

    def next(self):
        """The check that may begin now, if any."""
        for check in self.waiting:
            if any(name not in self.ended for name in self.after(check)):
                continue
            alone = check.get("alone", False) or any(other.get("alone") for other, _ in self.running.values())
            # One that wants all cores is not overtaken for ever.
            if self.running and (alone or len(self.running) >= self.cores):
                return None
            return check
        return None

    def after(self, check):
        """The checks of this call that build what this one uses."""
        chosen = {other["name"] for other in self.checks}
        return [name for name in check.get("after", []) if name in chosen]

    def kept_back(self, check):
        """What comes of a check that cannot run; None if it can."""
        before = [(name, self.ended[name].word) for name in self.after(check) if self.ended[name].word != "passed"]
        lacks = [need for need in check.get("needs", []) if need in self.lacking]
        if before:
            text = "after " + ", ".join(f"{name}, which {WORDS[word]}" for name, word in before)
            return Outcome("skipped" if all(word == "skipped" for _, word in before) else "not run", text)
        if lacks:
            may_skip = all("may_skip" in self.needs[need] for need in lacks)
            said = "; ".join(f"{need} cannot be had: {self.lacking[need]}" for need in lacks)
            return Outcome("skipped" if may_skip else "failed", said)
        return None

    def one(self, check):
        log, begun = os.path.join(LOGS, check["name"] + ".txt"), time.monotonic()
        most = check.get("most", MOST)
        with open(log, "wb") as file:
            process = begin(check["command"], file)
            self.running[check["name"]] = (check, process)
            try:
                status = process.wait(60 * most)
            except subprocess.TimeoutExpired:
                file.write(f"took more than {most} minutes\n".encode())
                status = 124
            end(process)
        with open(log, encoding="utf-8", errors="replace") as file:
            text = file.read().rstrip()
        wrong = [f"exit status {status}"] if status else list(mistakes(check, text))
        text = "\n".join([text, *(f"FAILED: {check['name']} {what}" for what in wrong)])
        with self.changed:
            now = time.monotonic()
            outcome = Outcome("failed" if wrong else "passed", text, now - begun)
            self.say(f"\n== {check['name']}: {check['guards']}\n{text}\n"
                     f"-- {check['name']}: {outcome.word}, {outcome.seconds:.0f} s, at {now - self.started:.0f} s")
            self.skipped += [line.removeprefix(SKIPPED) for line in text.splitlines() if line.startswith(SKIPPED)]
            del self.running[check["name"]]
            self.ended[check["name"]] = outcome
            self.changed.notify_all()

    def all(self):
        os.makedirs(LOGS, exist_ok=True)
        with self.changed:
            while self.waiting or self.running:
                check = self.next()
                if not check:
                    self.changed.wait()
                    continue
                self.waiting.remove(check)
                kept_back = self.kept_back(check)
                if kept_back:
                    self.ended[check["name"]] = kept_back
                    self.say(f"\n-- {check['name']}: {kept_back.word}, {kept_back.text}")
                    if kept_back.word == "skipped":
                        self.skipped.append(f"{check['name']}, {kept_back.text}")
                    continue
                self.running[check["name"]] = (check, None)
                threading.Thread(target=self.one, args=(check,), daemon=True).start()

    def named(self, *words):
        return [name for name, outcome in self.ended.items() if outcome.word in words]

    def sum_up(self):
        for name in self.named("failed"):
            lines = self.ended[name].text.rstrip().splitlines()
            self.say("\n".join([f"\n== {name} failed. Its last lines:", *lines[-40:]]))
        self.say("\n" + "\n".join(f"{SKIPPED}{what}" for what in self.skipped or ["nothing"]))
        for name in self.named("not run"):
            self.say(f"not run: {name}, {self.ended[name].text}")
        slowest = sorted(((outcome.seconds, name) for name, outcome in self.ended.items()), reverse=True)[:5]
        self.say("slowest: " + ", ".join(f"{name} {seconds:.0f} s" for seconds, name in slowest))
        wrong = self.named("failed", "not run")
        self.say(f"{len(self.named('passed'))} of {len(self.ended)} checks passed in "
                 f"{time.monotonic() - self.started:.0f} s" + (f"; FAILED: {', '.join(wrong)}" if wrong else ""))
        return 1 if wrong or not self.named("passed") else 0


def many_times(checks, needs, lacking, times):
    """Each check so many times, as it is and beside busy loops."""
    failed = 0
    for loops in (0, os.cpu_count() or 1):
        busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(loops)]
        try:
            for check in checks:
                passed = 0
                for _ in range(times):
                    run = Run([check], needs, lacking, quiet=True)
                    run.all()
                    outcome = run.ended[check["name"]]
                    passed += outcome.word == "passed"
                    if outcome.word != "passed":
                        print(f"{outcome.text}\n-- {check['name']}: {outcome.word}", flush=True)
                print(f"{check['name']}: {passed} of {times} passed beside {loops} busy loops", flush=True)
                failed += times - passed
        finally:
            for one in busy:
                one.kill()
    return 1 if failed else 0


def end(process):
    """Ends what a check has left running: each is a group of processes, but on Windows."""
    try:
        if SYSTEM == "windows":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):  # macOS says the second of those that have ended
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tier", choices=TIERS[:3])
    parser.add_argument("names", nargs="*", help="only these checks")
    parser.add_argument("--list", action="store_true", help="print each check's minutes and what it guards")
    parser.add_argument("--times", type=int, help="run each check named so many times, idle and beside busy loops")
    parser.add_argument("--table", default=TABLE, help="another table")
    options = parser.parse_intermixed_args()
    sys.stdout.reconfigure(errors="backslashreplace")  # a runner's may not have every letter
    checks, needs = table(options.table)
    known = {check["name"] for check in checks}
    if unknown := set(options.names) - known:
        parser.error(f"no such check: {', '.join(sorted(unknown))}; --list has them")
    tiers = TIERS[:TIERS.index(options.tier) + 1]
    if options.names:
        chosen = [check for check in checks if check["name"] in options.names]
    else:
        chosen = [check for check in checks if check["tier"] in tiers
                  and (EVERYTHING or SYSTEM in check.get("also_on", {}))]
        covered = {sample for check in chosen for sample in check.get("covers", [])}
        chosen = [check for check in chosen if check["name"] not in covered]
    if options.list:
        for check in chosen:
            print(f"{check['name']:16} {check['tier']:8} {check['minutes']:5} min  {check['guards']}")
        return 0
    print(subprocess.run(["rustc", "--version"], capture_output=True, text=True).stdout.strip())
    print(f"{cpu()}, {os.cpu_count()} cores")
    begun = time.monotonic()
    lacking = install(list(dict.fromkeys(need for check in chosen for need in check.get("needs", []))), needs)
    print(f"installed what was missing: {time.monotonic() - begun:.0f} s", flush=True)
    if options.times:
        return many_times(chosen, needs, lacking, options.times)
    run = Run(chosen, needs, lacking)
    try:
        run.all()
    finally:
        for _, process in run.running.values():
            if process:
                end(process)
    return run.sum_up()


if __name__ == "__main__":
    sys.exit(main())
