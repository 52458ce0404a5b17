#!/usr/bin/env python3
"""The inputs of fuzzing that are worth keeping: tests/corpora has one file for each target, a line of hexadecimal digits for each input.
`cargo test` runs them; fuzzing begins with them.

    corpora.py unpack TARGET     from there to fuzz/corpus/TARGET
    corpora.py pack              the other way: of each target those that reach something that shorter ones do not, and of these
                                 as many as fit in 40 KB, evenly from short to long
"""
import glob
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
KEPT = os.path.join(HERE, "..", "tests", "corpora")
MOST = 40_000


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
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "-merge=1", folder, os.path.join(HERE, "corpus", target)], check=True, stderr=subprocess.DEVNULL)
        inputs = []
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), "rb") as file:
                inputs.append(file.read())
    inputs = sorted((one for one in inputs if one), key=lambda one: (len(one), one))
    step = max(1, -(-sum(2 * len(one) + 1 for one in inputs) // MOST))
    kept = inputs[step - 1::step]
    with open(os.path.join(KEPT, target + ".txt"), "w") as file:
        file.writelines(one.hex() + "\n" for one in kept)
    print(f"{target}: {len(kept)} of {len(inputs)}")


match sys.argv[1:]:
    case ["unpack", target]:
        unpack(target)
    case ["pack"]:
        for name in sorted(os.listdir(KEPT)):
            pack(name.removesuffix(".txt"))
    case _:
        sys.exit(__doc__)
