#!/usr/bin/env python3
"""The rules by which tools/checks.py fails a run, each with a planted fault: small tables of checks, and what becomes of
them. And the real table: what it names is there, and what a package registry has may not be skipped.

    tests/checks.py
"""

import os
import re
import stat
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tools"))
sys.dont_write_bytecode = True
import checks  # noqa: E402

APT = """#!/bin/sh
case "$*" in *install*) echo 'Reading package lists...'; echo 'E: Unable to locate package no-such-package'; exit 100 ;; esac
"""


def table(needs="", **commands):
    """A table of checks; each is a command, and more lines of its own after it."""
    text = f"[need]\n{needs}\n"
    for name, lines in commands.items():
        command, _, more = lines.partition("\n")
        text += f"[check.planted_{name}]\ntier = 'ci'\nguards = 'nothing'\nminutes = 1\ncommand = '''{command}'''\n{more}\n"
    return text


NEED = "nowhere = { apt = 'no-such-package', probe = '[ -e /nowhere ]'"
# What is planted, the table, the exit status, what is printed (of `!what`: nothing), more arguments.
CASES = [
    ("nothing", table(one="echo fine", two="true\nafter = ['planted_one']"), 0, ["2 of 2 checks passed"]),
    ("a failure", table(one="echo why; exit 3"), 1, ["FAILED: planted_one exit status 3", "0 of 1 checks passed"]),
    ("a need that cannot be had", table(NEED + " }", one="echo ran\nneeds = ['nowhere']", two="true"), 1,
     ["nowhere cannot be had: E: Unable to locate package no-such-package", "planted_one: failed", "1 of 2 checks", "!^ran"]),
    ("one that may be skipped", table(NEED + ", may_skip = 'a test' }", one="echo ran\nneeds = ['nowhere']", two="true"), 0,
     ["skipped: planted_one, nowhere cannot be had: E: Unable to locate", "1 of 2 checks passed", "!^ran"]),
    ("a run of nothing", table(NEED + ", may_skip = 'a test' }", one="true\nneeds = ['nowhere']"), 1,
     ["0 of 1 checks passed"]),
    ("a line that skips", table(one="echo 'skipped: the half of it, no reason'"), 1,
     ["FAILED: planted_one may not be skipped: the half of it"]),
    ("one that is listed", table(one="echo 'skipped: the half of it, no reason'\nmay_skip = { 'the half' = 'a test' }"), 0,
     ["skipped: the half of it", "1 of 1 checks passed"]),
    ("a summary of nothing", table(one="echo 'sanitized: 0 of 0 programs'"), 1,
     ["FAILED: planted_one counted nothing: sanitized: 0 of 0 programs"]),
    ("ten of ten", table(one="echo 'sanitized: 10 of 10 programs'"), 0, ["1 of 1 checks passed"]),
    ("no test of Rust", table(one="echo 'test result: ok. 0 passed; 0 failed'"), 1, ["counted nothing: no test ran"]),
    ("one program without a test", table(one="for n in 0 10; do echo \"test result: ok. $n passed; 0 failed\"; done"), 0,
     ["1 of 1 checks passed"]),
    ("no test of Python", table(one="printf '%s\\n' 'Ran 0 tests in 0.0s' OK"), 1, ["counted nothing: Ran 0 tests"]),
    ("no figure", table(one="echo 'lemmas proved'\npattern = '^lemmas: (?P<proved>\\d+)'"), 1,
     ["counted nothing: there is no figure"]),
    ("a figure of nothing", table(one="echo 'lemmas: 0 proved'\npattern = '^lemmas: (?P<proved>\\d+)'"), 1,
     ["counted nothing: lemmas: 0"]),
    ("leftovers", table(one="exit 1", two="echo ran\nafter = ['planted_one']", three="echo ran\nafter = ['planted_two']",
                        four="echo other"), 1,
     ["not run: planted_two, after planted_one, which failed", "not run: planted_three, after planted_two, which is not run",
      "1 of 4 checks passed .*FAILED: planted_one, planted_two, planted_three$", "!^ran", "^other"]),
    ("leftovers of one that is skipped",
     table(NEED + ", may_skip = 'a test' }", one="true\nneeds = ['nowhere']", two="echo ran\nafter = ['planted_one']",
           three="true"), 0,
     ["skipped: planted_two, after planted_one, which is skipped", "1 of 3 checks passed", "!^ran"]),
    ("a check that hangs", table(one="tail -f /dev/null\nmost = 0.01"), 1, ["took more than 0.01 minutes", "exit status 124"]),
    ("one run in two that fails", table(one="if [ -e \"$FLAG\" ]; then rm \"$FLAG\"; else touch \"$FLAG\"; exit 1; fi"), 1,
     ["planted_one: 2 of 4 passed beside 0 busy loops", "planted_one: 2 of 4 passed beside [1-9]"], "planted_one", "--times", "4"),
]


def wrong_with(folder, text, status, lines, *arguments):
    """What is not as it was expected of a run."""
    path = os.path.join(folder, "table.toml")
    with open(path, "w") as file:
        file.write(text)
    environment = {**os.environ, "PATH": folder + os.pathsep + os.environ["PATH"], "FLAG": os.path.join(folder, "flag")}
    done = subprocess.run([sys.executable, checks.__file__, "ci", *arguments, "--table", path], env=environment,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    wrong = [] if done.returncode == status else [f"exit status {done.returncode}, expected {status}"]
    for line in lines:
        if bool(re.search(line.removeprefix("!"), done.stdout, re.M)) == line.startswith("!"):
            wrong.append(f"{'this was not' if line[0] == '!' else 'not'} to be printed: {line.removeprefix('!')}")
    return [*wrong, done.stdout] if wrong else []


def wrong_with_table():
    """What is wrong with tools/checks.toml."""
    known, needs = checks.table()
    names = {check["name"] for check in known}
    for check in known:
        for key, of in (("needs", needs), ("after", names), ("covers", names)):
            yield from (f"{check['name']}: {key} has {name}" for name in check.get(key, []) if name not in of)
        yield from (f"{check['name']}: may_skip has no reason for '{what}'"
                    for what, why in check.get("may_skip", {}).items() if not (what and why))
    for name, need in needs.items():
        if "may_skip" in need and ("apt" in need or not re.search("rustup", need.get("install", ""))):
            yield f"{name} may be skipped, and a package registry has it"


def main():
    wrong = list(wrong_with_table())
    for what, *case in CASES:
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "apt-get"), "w") as file:
                file.write(APT)
            os.chmod(file.name, stat.S_IRWXU)
            if found := wrong_with(folder, *case):
                wrong.append("\n".join([f"planted: {what}", *found]))
    print("\n".join([*wrong, f"checks: {len(CASES)} tables, {len(wrong)} not as expected"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
