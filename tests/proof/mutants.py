#!/usr/bin/env python3
"""Mutants of the whole crate: each changes one expression or the answer of one function, and a test must fail.

    mutants.py [--only FILE] [--build] [--names]

The list is cargo-mutants'. Its mutants are put into one library, which the environment tells which one it is
(`mutants/`); what the compiler refuses cannot be a mutant. Operators are replaced in the tree of an expression, not in
its text, and const functions where they run, not where the compiler runs them. Each test is run once to see which
mutants it asks for, then each mutant meets the tests that ask for it (of the slow ones those that are explained meet
the C programs). Those that the compiler alone evaluates, and those that no test asks for, are built one by one. Kernels
for ARM, emulated, and ndarray meet a few tests of their own. What was found is kept below target/proof/mutants, so it
may be broken off (MUTANT_HOURS) and goes on where it was. `mutants/outcomes.txt` has it too, file by file: what it says
of a file that is as it was then is taken over, but for what no test noticed and nothing explains, if the tests are
others now. One in 64, others each time, is met once more, and must be as it says; with STRIDE_AGAIN=1 all begin anew
(what is broken off then goes on without it). missed.txt in that folder has the mutants that no test noticed, except
those that `mutants/unseen.txt` explains, and seen.txt those that it explains and a test notices.
"""

import argparse
import bisect
import collections
import concurrent.futures
import hashlib
import itertools
import json
import os
import queue
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# They build other programs, or need more.
NOT_RUN = {"examples", "ndarray", "header"}
# What is not compiled here but by itself, and the tests that it meets.
ELSEWHERE = {
    "src/slices/ndarray.rs": ["--features=ndarray", "--test=ndarray"],
    "src/copy/kernels/aarch64/neon.rs": ["--target=aarch64-unknown-linux-gnu", "--test=kernels", "--test=differential"],
}
# Nothing that allocates is in the library, so the compiler refuses these in any case.
ALLOCATES = re.compile(r"\b(Vec|Box|String|vec!)|::std")
REACHED_BYTES = 1 << 16
# As others name mutants otherwise, which unseen.txt and outcomes.txt have by their names.
CARGO_MUTANTS = "cargo-mutants@27.1.0"
SAFE = "/*uns*/"
# Seconds of tests that every mutant meets before any meets the rest.
QUICK = 4
PINS = {"plans", "calls", "errors"}
# Seconds after which a build counts as one that never ends, for some constants do not. Others take 15.
BUILD = 90
# How names of C programs end.
C = "_in_c"
JUDGED = "judged"  # instead of a test's name: it met the C programs alone, since unseen.txt has it
OUTCOMES = os.path.join(ROOT, "tests/proof/mutants/outcomes.txt")
# Its letters: what became of a mutant, and after which stage, where it was missed.
LETTERS = {"caught": "c", "late": "t", "refused": "r", "quick": "q", JUDGED: "j", "missed": "m"}
# Of those that are built one by one, each stage has a file, and a letter for what it missed.
STAGES = {"soon.json": "q", "c.json": "j", "all.json": "m"}


def said(*command, **more):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **more).stdout


def number_of(lines, digits):
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:digits]


def replace(path, text):
    """A file as a whole or not at all."""
    with open(path + ".new", "w") as file:
        file.write(text)
    os.replace(path + ".new", path)


def rust_tests(tree):
    """What cargo is told of the tests."""
    names = [name[:-3] for name in sorted(os.listdir(os.path.join(tree, "tests"))) if name.endswith(".rs")]
    return ["--lib", "--test=kernels", "--test=loads", *(f"--test={name}" for name in names if name not in NOT_RUN)]


def names_without_lines(mutants):
    """Names of mutants that stay when lines above them change: the how manieth of its kind in its file."""
    seen = collections.Counter()
    for mutant in mutants:
        name = re.sub(r":\d+:\d+:", ":", mutant["name"])
        seen[name] += 1
        yield f"{name} {seen[name]}"


class Tree:
    """The sources with all mutants in, and the tests that were built of them."""

    def __init__(self, folder, commit):
        self.folder, self.tree = folder, os.path.join(folder, "tree")
        self.commit = commit
        self.environment = dict(os.environ, RUSTC_BOOTSTRAP="1", RUSTFLAGS="--cap-lints=allow", STRIDE_SHARE="7", RUST_BACKTRACE="0",
                                CARGO_PROFILE_DIST_OPT_LEVEL="1", CARGO_PROFILE_DIST_LTO="off",
                                CARGO_INCREMENTAL="0", CARGO_TARGET_DIR=os.path.join(self.tree, "target"))

    def file(self, name):
        return os.path.join(self.folder, name)

    def read(self, name, otherwise=None):
        if otherwise is not None and not os.path.exists(self.file(name)):
            return otherwise
        with open(self.file(name)) as file:
            return json.load(file)

    def write(self, name, value):
        replace(self.file(name), json.dumps(value))

    def build(self):
        """Writes list.json, inside.json (numbers of the mutants that are in) and refused.json, and builds the tests."""
        self.current("tree")
        mutants = self.listed()
        self.write("list.json", mutants)
        program = os.path.join(ROOT, "tests/proof/mutants")
        said("cargo", "build", "-q", "--release", "--manifest-path", program + "/Cargo.toml", "--target-dir", self.file("program"))
        refused = [number for number, mutant in enumerate(mutants)
                   if mutant["genre"] == "FnValue" and ALLOCATES.search(mutant["replacement"])]
        without = [number for number, mutant in enumerate(mutants) if mutant["file"] in ELSEWHERE]
        while True:
            said("git", "checkout", "-q", ".", cwd=self.tree)
            self.write("without.json", refused + without)
            self.put_in()
            errors = self.errors(mutants)
            if not errors:
                break
            print(f"the compiler refuses {len(errors)} more", flush=True)
            # What is put in otherwise than cargo-mutants writes it may be refused for that.
            for number in errors:
                (refused if mutants[number]["genre"] in ("FnValue", "MatchArm") else without).append(number)
        self.write("refused.json", refused)

    def listed(self):
        """The list of cargo-mutants, which leaves out unsafe functions. So `unsafe` is a comment of the same length while it reads them."""
        for folder, _, names in os.walk(os.path.join(self.tree, "src")):
            for path in (os.path.join(folder, name) for name in names if name.endswith(".rs")):
                with open(path) as file:
                    text = file.read()
                with open(path, "w") as file:
                    file.write(re.sub(r'\bunsafe (?=(extern "C" )?fn\b)', SAFE, text))
        return json.loads(said("cargo", "mutants", "--list", "--json", cwd=self.tree).replace(SAFE, "unsafe "))

    def put_in(self):
        """All mutants of list.json but those of without.json into the tree."""
        files = [self.file(name) for name in ("list.json", "inside.json", "without.json")]
        said(self.file("program/release/mutants"), *files, cwd=self.tree)

    def renew(self):
        """The tests are others now, or all begins anew."""
        self.current("tree")
        self.put_in()
        for name in ["tests.json", "outcomes.json", "taken.json", "seconds.json", *STAGES]:
            if os.path.exists(self.file(name)):
                os.remove(self.file(name))

    def current(self, name):
        """The sources as they were committed when this began, in a tree of their own."""
        folder = self.file(name)
        if not os.path.isdir(folder):
            said("git", "clone", "-q", ROOT, folder)
        said("git", "fetch", "-q", "origin", "HEAD", cwd=folder)
        said("git", "checkout", "-q", "--force", "--detach", self.commit, cwd=folder)
        return folder

    def errors(self, mutants):
        """The numbers of the mutants that the compiler refuses."""
        run = subprocess.run(["cargo", "check", "--lib", "--message-format=json"], cwd=self.tree, env=self.environment, capture_output=True, text=True)
        numbers = set()
        for line in run.stdout.splitlines():
            message = json.loads(line).get("message")
            if not message or message["level"] != "error":
                continue
            for span in message["spans"]:
                if span["is_primary"]:
                    with open(os.path.join(self.tree, span["file_name"])) as file:
                        lines = file.readlines()
                    first, last = span["line_start"] - 1, span["line_end"]
                    if (message["code"] or {}).get("code") == "E0004":
                        numbers.update(unguarded(lines[first:]))
                    else:
                        numbers.add(int(re.findall(r"mutant::is\((\d+)u32\)", "".join(lines[:last]))[-1]))
        if run.returncode and not numbers:
            sys.exit(run.stderr)
        return sorted(numbers)

    def programs(self):
        """The test programs: name and path."""
        lines = said("cargo", "test", "-q", "--no-run", "--message-format=json", *rust_tests(self.tree), cwd=self.tree, env=self.environment).splitlines()
        messages = [json.loads(line) for line in lines if line.startswith("{")]
        programs = {message["target"]["name"]: message["executable"] for message in messages if message.get("executable")}
        # It compiles the library for C, and the C programs; its own tests are of the library that is shipped.
        subprocess.run([programs.pop("c_abi"), "-q"], cwd=self.tree, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        target = self.environment["CARGO_TARGET_DIR"]
        objects, library = os.path.join(target, "tmp/c_tests"), os.path.join(target, "c")
        for name in sorted(os.listdir(objects)):
            if name.endswith(".o") and name != "stack.o":  # with mutants in them, frames are larger
                program = os.path.join(objects, name[:-2] + C)
                said("cc", os.path.join(objects, name), library + "/libstride.so", "-Wl,-rpath," + library, "-pthread", "-o", program)
                programs[name[:-2] + C] = program
        return programs

    def run(self, program, tests, seconds, **more):
        """Tests of one program: how it ended (0: they passed; None: it ran out of time), and the time of the CPU that it took."""
        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            room = (12 if "long_runs" in program else 6) << 30
            resource.setrlimit(resource.RLIMIT_AS, (room, room))
            os.setsid()

        before = time.monotonic()
        arguments = [] if program.endswith(C) else ["--exact", "--test-threads=1", "-q", *tests]
        process = subprocess.Popen([program, *arguments], cwd=self.tree, env=dict(self.environment, **more),
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=limit)
        usage = None
        while time.monotonic() - before < 4 * seconds + 20:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                process.returncode = os.waitstatus_to_exitcode(status)
                took = usage.ru_utime + usage.ru_stime
                return (None if process.returncode == -24 else process.returncode), took
            time.sleep(min(0.05, 0.001 + (time.monotonic() - before) / 10))
        os.killpg(process.pid, 9)
        process.wait()
        return None, time.monotonic() - before

    def reach(self, programs):
        """What each test asks for: (program, test, seconds, numbers)."""
        known = self.read("tests.json", [])
        have = {(program, test) for program, test, *_ in known}
        wanted = []
        for name, path in programs.items():
            tests = [name]
            if not name.endswith(C):
                tests = re.findall(r"^(.+): test$", said(path, "--list", "--format=terse", cwd=self.tree, env=self.environment), re.M)
            wanted += [(name, test) for test in tests if (name, test) not in have]

        def one(job):
            name, test = job
            with tempfile.NamedTemporaryFile(dir=self.folder) as file:
                file.truncate(REACHED_BYTES)
                status, seconds = self.run(programs[name], [test], 3600, STRIDE_MUTANT="reached", STRIDE_MUTANTS_REACHED=file.name)
                with open(file.name, "rb") as reached:
                    numbers = [number for number, byte in enumerate(reached.read()) if byte]
            if status == 0:
                # Once more, as it runs as a mutant.
                status, seconds = self.run(programs[name], [test], 3600)
            return name, test, seconds if status == 0 else None, numbers

        with concurrent.futures.ThreadPoolExecutor(jobs()) as pool:
            for number, found in enumerate(pool.map(one, wanted)):
                known.append(found)
                if number % 100 == 99:
                    self.write("tests.json", known)
        self.write("tests.json", known)
        broken = [f"{name}: {test}" for name, test, seconds, _ in known if seconds is None]
        if broken:
            print("not asked, for they fail with the mutants in, none chosen:", *broken, sep="\n  ")
        return [test for test in known if test[2] is not None]

    def outcome(self, number, tests, programs):
        """What became of a mutant that meets these tests: `caught` or `late` and by which, or `missed`."""
        most, tests = 0.2, collections.deque(tests)
        while tests:
            wave, seconds = collections.defaultdict(list), collections.Counter()
            while tests and (not wave or sum(seconds.values()) + tests[0][1] <= most):
                (name, test), took = tests.popleft()
                wave[name].append(test)
                seconds[name] += took
            for name, some in wave.items():
                limit = 3 * seconds[name] + 2
                status, took = self.run(programs[name], some, limit, STRIDE_MUTANT=str(number))
                # What the system ended, or took its time with, is held against the same tests without a mutant.
                unsure = status is None or status == -9 or took > 1
                if status != 0 and not (unsure and self.run(programs[name], some, limit)[0] != 0):
                    return "late" if status is None else "caught", name, some
            most *= 4
        return "missed", "", []


def quick_and_slow(file, tests):
    """The tests of a mutant of this file in the order in which it meets them: those of the first QUICK seconds, and
    what is left. First what takes no time, then what pins many answers; of what is left the kernels' own tests first,
    if it is one of theirs."""
    tests = sorted(tests, key=lambda test: (test[1] > 0.05, test[0][0] not in PINS, test[1]))
    ends = list(itertools.accumulate(seconds for _, seconds in tests))
    quick = bisect.bisect(ends, QUICK)
    kernels = file.startswith("src/copy/kernels/")
    return tests[:quick], sorted(tests[quick:], key=lambda test: not (kernels and test[0][0] == "kernels"))


def unguarded(lines):
    """The mutants that delete an arm without a guard of the match that begins here: the compiler's `_ if …` is no wildcard."""
    depth = len(lines[0]) - len(lines[0].lstrip())
    end = next(number for number, line in enumerate(lines) if number and line.strip() and len(line) - len(line.lstrip()) <= depth)
    arms = [line for line in lines[:end] if len(line) - len(line.lstrip()) <= depth + 8]
    return [int(number) for line in arms for number in re.findall(r"if !crate::mutant::is\((\d+)u32\) =>", line)]


def unseen(names):
    """Those that no program would notice, and those that no test tells, by `mutants/unseen.txt`: lines that say why,
    and what their names match, behind a "!" for the second kind."""
    explained, untold, stale = set(), set(), []
    with open(os.path.join(ROOT, "tests/proof/mutants/unseen.txt")) as file:
        for line in file.read().splitlines():
            if line and not line.startswith("#"):
                these = [name for name in names if re.search(line.removeprefix("! "), name)]
                if not these:
                    stale.append(f"unseen.txt: no mutant is called {line}")
                (untold if line.startswith("! ") else explained).update(these)
    if stale:
        sys.exit("\n".join(stale))
    return explained, untold


def of_files(blobs, mutants):
    """Each file of the list: its name, a number for what it is and how its mutants are called, and how many they are."""
    for name, these in itertools.groupby(mutants, lambda mutant: mutant["file"]):
        names = [mutant["name"] for mutant in these]
        yield name, number_of([blobs[name], *names], 12), len(names)


def kept(blobs, tests, mutants, judged):
    """What outcomes.txt says of each mutant, by its letters, where its file is the same now, and the seconds that all
    took. What is not noticed is that by the tests that there were; but what unseen.txt has stays unseen."""
    if not os.path.exists(OUTCOMES):
        return "." * len(mutants), 0
    with open(OUTCOMES) as file:
        first, *lines = (line.split() for line in file if not line.startswith("#"))
    of_file = {(name, version): letters for name, version, letters in lines}
    letters = "".join(of_file.get((name, version), "." * count) for name, version, count in of_files(blobs, mutants))
    if first[0] != tests:
        lasting = [letter if letter in "ctr" or letter == "j" and mutant["name"] in judged else "." for mutant, letter in zip(mutants, letters)]
        letters = "".join(lasting)
    return letters, int(first[1])


def take_over(tree, letters, mutants, places, judged, outcomes):
    """What these letters say of mutants that were not met here, into `outcomes` and the files of the stages: how many
    these are, with those that were taken over before. `places`: the mutants of the library, and those of them that
    tests ask for."""
    taken = set(tree.read("taken.json", []))
    words = {letter: word for word, letter in LETTERS.items()}
    stages = {name: tree.read(name, {}) for name in STAGES}
    inside, asked = places
    for number, (mutant, letter) in enumerate(zip(mutants, letters)):
        name = mutant["name"]
        # Where none asks any more, what noticed it may be gone; what was refused can be built now; and other tests are
        # quick.
        if number in asked:
            again = letter in "rq" or letter == "j" and name not in judged
        else:
            again = letter in "ct" and number in inside
        if letter == "." or again:
            continue
        if number not in outcomes and name not in stages["soon.json"]:
            taken.add(number)
        if number in asked:
            outcomes.setdefault(number, ("missed", JUDGED, []) if letter == "j" else (words[letter], "", []))
            continue
        missed = "".join(STAGES.values()).find(letter) + 1
        for stage in list(STAGES)[:missed or 1]:
            stages[stage].setdefault(name, "missed" if missed else words[letter])
    for name, known in stages.items():
        tree.write(name, known)
    tree.write("taken.json", sorted(taken))
    return len(taken)


def letters_of(tree, mutants, refused, outcomes):
    """What became of each mutant, as outcomes.txt has it."""
    stages = [(missed, tree.read(name, {})) for name, missed in STAGES.items()]

    def letter_of(number, mutant):
        if number in refused:
            return LETTERS["refused"]
        if number in outcomes:
            word, by, _ = outcomes[number]
            return LETTERS[JUDGED if by == JUDGED else word]
        letter = "."
        for missed, known in stages:
            word = known.get(mutant["name"])
            if word != "missed":
                return LETTERS[word] if word else letter
            # (Those that are compiled elsewhere have one stage.)
            letter = LETTERS["missed"] if mutant["file"] in ELSEWHERE else missed
        return letter

    return "".join(itertools.starmap(letter_of, enumerate(mutants)))


def contradict(was, here, judged):
    """Whether a mutant was noticed by what did not notice it here, or the other way round. (Of what unseen.txt no
    longer has the tests were not all met.)"""
    return was in "ct" and here in "jm" or here in "ct" and (was == "m" or was == "j" and judged)


def keep(blobs, tests, mutants, letters, seconds):
    """Writes outcomes.txt."""
    lines = [
        "# What became of each mutant, as `mutants.py` wrote it: a number for the tests, seconds so far; then for each file a number and",
        "# a letter for each mutant in the order of the list: c a test fails, t none came to its end, r the compiler refuses it, . not yet;",
        "# missed by q the quick tests, j those and the C programs, m all.",
        f"{tests} {round(seconds)}",
    ]
    rest = iter(letters)
    lines += [f"{name} {version} {''.join(itertools.islice(rest, count))}" for name, version, count in of_files(blobs, mutants)]
    replace(OUTCOMES, "".join(line + "\n" for line in lines))


def jobs():
    return int(os.environ.get("MUTANT_JOBS", os.cpu_count()))


def changed(text, diff):
    """A file in which the only hunk of a unified diff is put."""
    lines, hunk = text.splitlines(keepends=True), diff.splitlines(keepends=True)[2:]
    first = int(re.match(r"@@ -(\d+)", hunk[0])[1]) - 1
    old, new = ([line[1:] for line in hunk[1:] if line[0] in kind] for kind in (" -", " +"))
    if lines[first:first + len(old)] != old:
        sys.exit(f"not the lines of this diff:\n{diff}")
    return "".join(lines[:first] + new + lines[first + len(old):])


def alone(folder):
    """The environment in which mutants are built one by one in a folder. What the compiler warns of is for the tests;
    but most constants that never end it refuses (with `--cap-lints` it would go on)."""
    allowed = "-Awarnings -Aarithmetic_overflow -Aunconditional_panic"
    arm = "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_"
    emulated = {arm + "LINKER": "aarch64-linux-gnu-gcc", arm + "RUNNER": "qemu-aarch64 -L /usr/aarch64-linux-gnu"}
    return dict(os.environ, STRIDE_SHARE="7", CARGO_TARGET_DIR=folder + "/target", RUSTFLAGS=allowed, **emulated)


def built(folder, mutant, tests, seconds):
    """What becomes of a mutant that is put into the sources in a folder, and meets tests for so many seconds: `refused`
    by the compiler, `caught` (also where the library compiles and its tests do not), `late` or `missed`."""
    environment = alone(folder)
    path = os.path.join(folder, mutant["file"])
    with open(path) as file:
        text = file.read()
    try:
        with open(path, "w") as file:
            file.write(changed(text, mutant["diff"]))
        test = ["cargo", "test", "-q", *tests]
        compiled = ended([*test, "--no-run"], BUILD, cwd=folder, env=environment)
        if compiled != 0:
            of_library = [flag for flag in tests if flag.startswith(("--features", "--target"))]
            build = ["cargo", "build", "-q", "--lib", *of_library]
            library = ended(build, BUILD, cwd=folder, env=environment) and ended(build, BUILD, cwd=folder, env=environment)
            if library != 0:
                return "late" if library is None else "refused"
            # Were it not for the mutant, the tests would compile: once more, in case the machine had no room or no
            # time.
            compiled = compiled and ended([*test, "--no-run"], BUILD, cwd=folder, env=environment)
            if compiled:
                return "caught"
        status = ended(test, seconds + BUILD * (compiled is None), cwd=folder, env=environment)
        return "late" if status is None else "caught" if status else "missed"
    finally:
        with open(path, "w") as file:
            file.write(text)


def ended(command, seconds, **more):
    """How a command ended (0: well); None: it did not, in so many seconds."""
    silent = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    process = subprocess.Popen(command, start_new_session=True, **silent, **more)
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.wait()
        return None


def one_by_one(tree, mutants, numbers, judged, until):
    """Those that are no part of the one library: first with the tests that are soonest to notice, then with the C
    programs, then, but for the judged ones, with all."""
    left, found = {mutants[number]["name"]: mutants[number] for number in numbers}, {}
    folders = queue.SimpleQueue()
    for number in range(jobs()):
        folders.put(tree.current(f"plain{number}"))
    soonest = {True: ["--lib", "--test=kernels"], False: ["--lib", *(f"--test={name}" for name in sorted(PINS))]}
    tests_of_stages = [soonest | ELSEWHERE, dict.fromkeys(soonest, ["--test=c_abi"]), dict.fromkeys(soonest, rust_tests(tree.tree))]

    def kind(name):
        file = name.split(":")[0]
        return file if file in ELSEWHERE else file.startswith("src/copy/kernels/")

    for file, tests_of in zip(STAGES, tests_of_stages):
        known = tree.read(file, {})
        for which, tests in tests_of.items():
            new = [name for name in left if name not in known and kind(name) == which]
            if not new or time.monotonic() > until:
                continue
            # A test that fails anyway would notice them all.
            folder = tree.current("plain0")
            said("cargo", "test", "-q", *tests, "--no-run", cwd=folder, env=alone(folder))
            begun = time.monotonic()
            said("cargo", "test", "-q", *tests, cwd=folder, env=alone(folder))
            limit = 20 + (2 + jobs()) * (time.monotonic() - begun) # so many at a time

            def one(name):
                if time.monotonic() > until:
                    return None
                folder = folders.get()
                word = built(folder, left[name], tests, limit)
                folders.put(folder)
                return word

            with concurrent.futures.ThreadPoolExecutor(jobs()) as pool:
                for name, word in zip(new, pool.map(one, new)):
                    if word:
                        known[name] = word
                        tree.write(file, known)
        # What was missed has an outcome only when all that it meets has met it.
        more = {name for name in left if known.get(name) == "missed" and kind(name) in soonest and file != "all.json"
                and (file == "soon.json" or name not in judged)}
        found.update((name, known[name]) for name in left if name in known and name not in more)
        left = {name: left[name] for name in left if name in more}
    return found


def main():
    parse = argparse.ArgumentParser()
    parse.add_argument("--only", metavar="FILE", help="only the mutants whose names are the lines of this file, and print each")
    parse.add_argument("--build", action="store_true", help="only make list and library")
    parse.add_argument("--names", action="store_true", help="only put all mutants in, and see that each line of unseen.txt is the name of one")
    arguments = parse.parse_args()
    begun = time.monotonic()
    again = bool(os.environ.get("STRIDE_AGAIN"))
    until = begun + 3600 * float(os.environ.get("MUTANT_HOURS", 8))
    if not shutil.which("cargo-mutants"):
        said("cargo", "install", "-q", "--locked", CARGO_MUTANTS)
    commit = said("git", "rev-parse", "HEAD", cwd=ROOT).strip()
    if arguments.names:
        with tempfile.TemporaryDirectory() as folder:
            tree = Tree(folder, commit)
            tree.build()
            mutants, inside = tree.read("list.json"), tree.read("inside.json")
            explained, untold = unseen([mutant["name"] for mutant in mutants])
        print(f"mutants: {len(mutants)}, {len(inside)} of them in one library; unseen.txt has the names of {len(explained)} "
              f"that no program would notice, and of {len(untold)} that no test here does")
        return
    if not all(map(shutil.which, ("aarch64-linux-gnu-gcc", "qemu-aarch64"))):
        said("apt-get", "install", "-y", "gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross", "qemu-user")
    said("rustup", "-q", "target", "add", "aarch64-unknown-linux-gnu")
    listed = said("git", "ls-tree", "-r", commit, "src", "build.rs", "Cargo.toml", "Cargo.lock", "tests", "c_tests", "benches/cases", cwd=ROOT)
    of_sources = re.compile(r"\t(src/|build\.rs|Cargo|tests/proof/mutants(\.py|/[mCs]))")
    sources = [line for line in listed.splitlines() if of_sources.search(line)] + [said("rustc", "-V")]
    tests = [line for line in listed.splitlines() if not of_sources.search(line) and not re.search(r"\ttests/proof/|\.md$", line)]
    blobs = {name: blob for _, _, blob, name in map(str.split, listed.splitlines())}
    folder = os.path.join(ROOT, "target/proof/mutants", number_of(sources, 16))
    state = number_of(tests + [line for line in sources if "\tsrc/" not in line], 16)
    os.makedirs(folder, exist_ok=True)
    tree = Tree(folder, commit)
    if not os.path.exists(tree.file("refused.json")):
        tree.build()
    elif again or tree.read("state.json") != state:
        tree.renew()
    tree.write("state.json", state)
    mutants, inside, refused = tree.read("list.json"), tree.read("inside.json"), set(tree.read("refused.json"))
    explained, untold = unseen([mutant["name"] for mutant in mutants])
    judged = explained | untold
    programs = tree.programs()
    print(f"{len(mutants)} mutants, {len(refused)} refused by the compiler, {len(inside)} in one library; {len(programs)} test programs", flush=True)
    if arguments.build:
        return
    asking = collections.defaultdict(list)
    for name, test, seconds, numbers in tree.reach(programs):
        for number in numbers:
            asking[number].append(((name, test), seconds))
    outcomes = {int(number): outcome for number, outcome in tree.read("outcomes.json", {}).items()}
    names = set()
    if arguments.only:
        with open(arguments.only) as file:
            names.update(file.read().splitlines())
    in_library = set(inside) & set(asking)
    before, seconds = kept(blobs, state, mutants, judged)
    # Stays the same where this goes on.
    salt = os.path.basename(folder) + state
    to_meet = [again or mutant["name"] in names or int(number_of([salt, mutant["name"]], 8), 16) % 64 == 0 for mutant in mutants]
    letters = ["." if meet or number in refused else letter for number, (meet, letter) in enumerate(zip(to_meet, before))]
    taken = take_over(tree, letters, mutants, (set(inside), in_library), judged, outcomes)
    tree.write("outcomes.json", outcomes)
    # In an order that makes any beginning a sample of the whole.
    left = sorted(in_library, key=lambda number: number_of([mutants[number]["name"]], 64))
    if arguments.only:
        left = [number for number in left if mutants[number]["name"] in names]
    # The tests that noticed a mutant before, of whatever sources, are asked first.
    of_all = Tree(os.path.dirname(folder), commit)
    hints, lasting = of_all.read("hints.json", {}), list(names_without_lines(mutants))
    for number, outcome in outcomes.items():
        if outcome[1] == JUDGED and mutants[number]["name"] not in judged:
            outcomes[number] = ("quick", "", [])  # unseen.txt had it then, so that the slow tests have not met it
    for stage in (0, 1):
        # `quick`: the first stage did not notice it.
        met = [number for number in left if outcomes.get(number, [""])[0] == ("quick" if stage else "")]

        def one(number):
            if time.monotonic() > until:
                return None
            if not stage and lasting[number] in hints:
                name, tests = hints[lasting[number]]
                these = [test for test in asking[number] if test[0][0] == name and test[0][1] in tests]
                found = tree.outcome(number, these, programs)
                if found[0] != "missed":
                    return found
            these = quick_and_slow(mutants[number]["file"], asking[number])[stage]
            if stage and mutants[number]["name"] in judged:
                these = [test for test in these if test[0][0].endswith(C)]
            found = tree.outcome(number, these, programs)
            if found[0] == "missed" and not stage:
                return "quick", "", []
            return ("missed", JUDGED, []) if found[0] == "missed" and mutants[number]["name"] in judged else found

        with concurrent.futures.ThreadPoolExecutor(jobs()) as pool:
            for place, (number, outcome) in enumerate(zip(met, pool.map(one, met))):
                if outcome:
                    outcomes[number] = outcome
                    if arguments.only:
                        print(mutants[number]["name"], *outcome[:2], flush=True)
                if place % 20 == 19:
                    tree.write("outcomes.json", outcomes)
        tree.write("outcomes.json", outcomes)
        hints.update((lasting[number], outcome[1:]) for number, outcome in outcomes.items() if outcome[0] in ("caught", "late") and outcome[1])
        of_all.write("hints.json", hints)
    here = [number for number in range(len(mutants)) if number not in refused]
    single = [number for number in here if number not in in_library]
    if arguments.only:
        single = [number for number in single if mutants[number]["name"] in names]
    found = one_by_one(tree, mutants, single, judged, until)
    verdicts = collections.Counter(outcome[0] for outcome in outcomes.values()) + collections.Counter(found.values())
    named = [(mutants[number]["name"], outcome[0]) for number, outcome in sorted(outcomes.items())] + list(found.items())
    left = [name for name, word in named if word in ("quick", "missed") and name not in explained]
    missed = [name for name in left if name not in untold]
    with open(tree.file("missed.txt"), "w") as file:
        file.writelines(name + "\n" for name in missed)
    # What is said to be unseen has met the C programs; what a test caught all the same, not by its time, is a pattern
    # too wide.
    unnoticed = sum(word == "missed" and name in explained for name, word in named)
    with open(tree.file("seen.txt"), "w") as file:
        file.writelines(name + "\n" for name, word in named if word == "caught" and name in explained)
    # Those that the quick tests did not notice count as not noticed, whether they met the rest or not.
    done = verdicts["caught"] + verdicts["late"] + verdicts["missed"] + verdicts["quick"]
    viable = len(here) - verdicts["refused"]
    caught = verdicts["caught"] + verdicts["late"]

    def share(of):
        return 100 * caught / max(of, 1)

    print(f"mutants: {caught} of {done} caught, {verdicts['late']} of them by time, "
          f"{unnoticed} that no program would notice, {len(missed)} that nobody has explained; {viable} are possible: "
          f"{share(done):.2f} % of all, {share(done - unnoticed):.2f} % without those")
    seconds = max(0 if again else seconds, tree.read("seconds.json", 0)) + time.monotonic() - begun
    tree.write("seconds.json", seconds)
    if not arguments.only:
        now = letters_of(tree, mutants, refused, outcomes)
        both = list(zip(mutants, before, now))
        wrong = [f"  {mutant['name']}: {was}, here {here}" for mutant, was, here in both if contradict(was, here, mutant["name"] in judged)]
        if wrong:
            print("outcomes.txt is not what is seen here:", *wrong, sep="\n")
            if not again:
                sys.exit(1)
        # What is to be met once more and was not yet stays as it was, so that it is compared then.
        now = [was if here in ".q" and was != "." and not again else here for _, was, here in both]
        keep(blobs, state, mutants, "".join(now), seconds)
    print(f"in all: {round(seconds)} s, {taken} outcomes of before")


if __name__ == "__main__":
    main()
