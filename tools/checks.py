#!/usr/bin/env python3
"""Runs the checks of tools/checks.toml: `bash .ci/run` before each change, `make release-check` before each release.

    checks.py test|ci|release [NAMES...] [--list]

A tier runs its own checks and those of the tiers in front of it, but for samples of what a check of its own does whole
(`covers`); with names, only these. As many run at a time as there are cores, the longest first, and at the end, one
after the other, those that have all cores (`alone`). Each one's output is printed when it has ended, with its seconds.
What a check needs is installed first where it can be; a check whose need cannot be had is printed as skipped, with the
reason, as is what a check itself leaves out. The end is a list of all that was skipped, the five slowest checks, and
what failed, with its last lines.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import threading
import time

try:
    import tomllib
except ImportError:  # before Python 3.11
    from pip._vendor import tomli as tomllib

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LOGS = os.path.join(ROOT, "target", "checks")
TIERS = ["test", "ci", "release", "proof"]
BASH = ["bash", "-euo", "pipefail", "-c"]
MOST = 45  # minutes of a check that says nothing of them


def table():
    """The checks, in their order, and what they need."""
    with open(os.path.join(ROOT, "tools", "checks.toml"), "rb") as file:
        read = tomllib.load(file)
    for name, check in read["check"].items():
        check["name"] = name
    return list(read["check"].values()), read["need"]


def environment():
    """Builds lie where cargo puts them, so that none is made twice; what is pinned in a file is compared only."""
    own = {name: value for name, value in os.environ.items()
           if not name.startswith("STRIDE_WRITE_") and name not in ("CARGO_TARGET_DIR", "CARGO_BUILD_TARGET")}
    return {**own, "CARGO_INCREMENTAL": "0", "CARGO_TERM_COLOR": "never"}


def bash(command, **more):
    return subprocess.run([*BASH, command], cwd=ROOT, env=environment(), **more)


def cpu():
    with open("/proc/cpuinfo") as file:
        fields = dict(re.findall(r"^(model name|cpu family|model)\s*: (.*)$", file.read(), re.M))
    name, family, model = (fields.get(field, "unknown") for field in ("model name", "cpu family", "model"))
    return f"{name} (family {family} model {model})"


def install(names, needs):
    """Those that cannot be had. Packages come first, by one command; then what has its own, which may need them."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}

    def there(name):
        return bash(needs[name].get("probe", f"command -v {name}"), **quiet).returncode == 0

    missing = [name for name in names if not there(name)]
    packages = " ".join(needs[name]["apt"] for name in missing if "apt" in needs[name])
    if packages:
        apt = "DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends"
        one_by_one = f"for package in {packages}; do {apt} $package || true; done"
        bash(f"apt-get update && {{ {apt} {packages} || {one_by_one}; }}", **quiet)
    for name in missing:
        if "install" in needs[name]:
            bash(f"timeout 600 bash -c '{needs[name]['install']}'", **quiet)
    return {name for name in missing if not there(name)}


def longest_first(checks):
    """In front what takes longest, with all that must wait for it; at the end what has all cores."""
    def minutes(check):
        waiting = [other for other in checks if check["name"] in other.get("after", [])]
        return check["minutes"] + max(map(minutes, waiting), default=0)

    return sorted(checks, key=lambda check: (check.get("alone", False), -minutes(check)))


class Run:
    """The checks of one call: which one may begin, and what came of each."""

    def __init__(self, checks, lacking):
        self.checks, self.lacking, self.cores = checks, lacking, os.cpu_count() or 1
        self.waiting, self.running, self.ended = longest_first(checks), {}, {}
        self.skipped, self.changed, self.started = [], threading.Condition(), time.monotonic()

    def say(self, text):
        print(text, flush=True)

    def skip(self, text):
        self.skipped.append(text)
        self.say(f"skipped: {text}")

    def next(self):
        """The check that may begin now, if any."""
        chosen = {check["name"] for check in self.checks}
        for check in self.waiting:
            if any(name in chosen and name not in self.ended for name in check.get("after", [])):
                continue
            alone = check.get("alone", False) or any(other.get("alone") for other, _ in self.running.values())
            # One that wants all cores is not overtaken for ever.
            if self.running and (alone or len(self.running) >= self.cores):
                return None
            return check
        return None

    def one(self, check):
        log, begun = os.path.join(LOGS, check["name"] + ".txt"), time.monotonic()
        most = check.get("most", MOST)
        with open(log, "wb") as file:
            process = subprocess.Popen([*BASH, check["command"]], cwd=ROOT, env=environment(), stdout=file,
                                       stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True)
            self.running[check["name"]] = (check, process)
            try:
                status = process.wait(60 * most)
            except subprocess.TimeoutExpired:
                file.write(f"took more than {most} minutes\n".encode())
                status = 124
            end(process)
        with open(log, encoding="utf-8", errors="replace") as file:
            text = file.read()
        with self.changed:
            now, mark = time.monotonic(), "skipped: "
            seconds, verdict = now - begun, "passed" if status == 0 else f"FAILED ({status})"
            self.say(f"\n== {check['name']}: {check['guards']}\n{text.rstrip()}\n"
                     f"-- {check['name']}: {verdict}, {seconds:.0f} s, at {now - self.started:.0f} s")
            self.skipped += [line.removeprefix(mark) for line in text.splitlines() if line.startswith(mark)]
            del self.running[check["name"]]
            self.ended[check["name"]] = (seconds, status, text)
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
                lacks = [need for need in check.get("needs", []) if need in self.lacking]
                if lacks:
                    self.skip(f"{check['name']}: {', '.join(lacks)} cannot be installed")
                    self.ended[check["name"]] = (0, None, "")
                    continue
                self.running[check["name"]] = (check, None)
                threading.Thread(target=self.one, args=(check,), daemon=True).start()

    def sum_up(self):
        failed = [name for name, (_, status, _) in self.ended.items() if status]
        for name in failed:
            lines = self.ended[name][2].rstrip().splitlines()
            self.say("\n".join([f"\n== {name} failed. Its last lines:", *lines[-40:]]))
        self.say("\n" + "\n".join(f"skipped: {what}" for what in self.skipped or ["nothing"]))
        slowest = sorted(((seconds, name) for name, (seconds, *_) in self.ended.items()), reverse=True)[:5]
        self.say("slowest: " + ", ".join(f"{name} {seconds:.0f} s" for seconds, name in slowest))
        passed = sum(status == 0 for _, status, _ in self.ended.values())
        self.say(f"{passed} of {len(self.ended)} checks passed in {time.monotonic() - self.started:.0f} s"
                 + (f"; FAILED: {', '.join(failed)}" if failed else ""))
        return 1 if failed else 0


def end(process):
    """Ends what a check has left running: each is a group of processes."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tier", choices=TIERS[:3])
    parser.add_argument("names", nargs="*", help="only these checks")
    parser.add_argument("--list", action="store_true", help="print each check's minutes and what it guards")
    options = parser.parse_args()
    checks, needs = table()
    known = {check["name"] for check in checks}
    if unknown := set(options.names) - known:
        parser.error(f"no such check: {', '.join(sorted(unknown))}; --list has them")
    tiers = TIERS[:TIERS.index(options.tier) + 1]
    if options.names:
        chosen = [check for check in checks if check["name"] in options.names]
    else:
        chosen = [check for check in checks if check["tier"] in tiers]
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
    run = Run(chosen, lacking)
    try:
        run.all()
    finally:
        for _, process in run.running.values():
            if process:
                end(process)
    return run.sum_up()


if __name__ == "__main__":
    sys.exit(main())
