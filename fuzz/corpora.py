#!/usr/bin/env python3
"""The inputs of fuzzing that are worth keeping: tests/corpora has one file for each target, a line of hexadecimal
digits for each input. `cargo test` runs them; fuzzing begins with them.

    corpora.py unpack TARGET     from there to fuzz/corpus/TARGET
    corpora.py pack              the other way: of some thousands of each target, those that were kept before among them, those that
                                 reach most of the code that shorter ones do not, as many as fit in 40 KB
"""
import glob
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
KEPT = os.path.join(HERE, "..", "tests", "corpora")
MOST = 40_000
# Of up to 50,000: the merge looks through all edges for each input, half a million where there are kernels.
LOOKED_AT = 4000


def unpack(target):
    folder = os.path.join(HERE, "corpus", target)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(KEPT, target + ".txt")) as file:
        for number, line in enumerate(file):
            with open(os.path.join(folder, f"kept-{number}"), "wb") as out:
                out.write(bytes.fromhex(line))


def pack(target):
    programs = glob.glob(os.path.join(HERE, "target", "*", "release", target))
    if len(programs) != 1:
        sys.exit(f"{target}: there is not one program, but {len(programs)}: bash fuzz/run.sh build")
    program = programs[0]
    corpus = os.path.join(HERE, "corpus", target)
    before, found = set(), set()
    for name in os.listdir(corpus):
        with open(os.path.join(corpus, name), "rb") as file:
            (before if name.startswith("kept-") else found).add(file.read())
    by_length = lambda one: (len(one), one)
    found = sorted(found - before, key=by_length)
    inputs = sorted((before | set(found[::max(1, -(-len(found) // LOOKED_AT))])) - {b""}, key=by_length)
    with tempfile.TemporaryDirectory() as folder:
        taken, some, told = (os.path.join(folder, name) for name in ("taken", "some", "told"))
        os.mkdir(taken)
        os.mkdir(some)
        for number, one in enumerate(inputs):
            with open(os.path.join(some, str(number)), "wb") as file:
                file.write(one)
        subprocess.run([program, "-merge=1", f"-merge_control_file={told}", taken, some], check=True, stderr=subprocess.DEVNULL)
        with open(told) as file:
            lines = file.read().split("\n")
    # How many inputs there are, and how many of them of the first folder; their names, from short to long; then of each
    # one, by its place there, that it began, and what it reached: "FT 17 6 7", edges run so many times, and "COV 17 3 5
    # 8", edges.
    names = [int(os.path.basename(name)) for name in lines[2:2 + int(lines[0])]]
    seen, new = {"FT": set(), "COV": set()}, {}
    for line in lines[2 + len(names):]:
        kind, *rest = line.split() or [""]
        if kind in seen:
            reached = set(rest[1:]) - seen[kind]
            seen[kind] |= reached
            new.setdefault(names[int(rest[0])], {})[kind] = len(reached)
    if len(new) != len(inputs):
        sys.exit(f"{target}: {len(inputs) - len(new)} inputs did not come to their end: bash fuzz/run.sh tells why")
    kept, room = [], MOST
    for number in sorted(new, key=lambda number: (-new[number]["COV"], -new[number]["FT"], number)):
        size = 2 * len(inputs[number]) + 1
        if size <= room and any(new[number].values()):
            room -= size
            kept.append(number)
    with open(os.path.join(KEPT, target + ".txt"), "w") as file:
        file.writelines(inputs[number].hex() + "\n" for number in sorted(kept))
    print(f"{target}: {len(kept)} of {len(inputs)}", flush=True)


match sys.argv[1:]:
    case ["unpack", target]:
        unpack(target)
    case ["pack"]:
        for name in sorted(os.listdir(KEPT)):
            pack(name.removesuffix(".txt"))
    case _:
        sys.exit(__doc__)
