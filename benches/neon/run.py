"""NEON beside AVX2 where no ARM is at hand: instructions per byte of each kernel, counted under qemu, and what
llvm-mca expects of its hottest run on three ARM cores.

    python3 benches/neon/run.py OUT X86_LIBRARY ARM_LIBRARY [SHARE]     one case in SHARE; `make bench-neon`

llvm-mca knows no caches: its bytes per cycle are what the instructions of the hottest run alone allow, and say that the
kernel is not what limits the copy if they are above what the memory gives (8 to 16 bytes per cycle from L2).
"""

import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ARM = "aarch64-linux-gnu-"
CORES = ["neoverse-v2", "neoverse-n1", "cortex-a72"]
# Two runs of different length: what is the same in both is no copy.
FEW, MANY = 100, 300


def program(out, compiler, library, cap):
    path = os.path.join(out, "count-" + cap.lower())
    level = "-DLEVEL=STRIDE_CPU_LEVEL_" + cap
    include = os.path.join(HERE, "..", "..", "include")
    source = os.path.join(HERE, "count.c")
    flags = ["-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-static", level, "-I" + include]
    subprocess.run([compiler, *flags, source, library, "-o", path], check=True)
    return path


def lines_of(path, emulator, plugin, *arguments):
    """What the program prints, and what the plugin counts."""
    command = [*emulator, "-plugin", plugin, path, *map(str, arguments)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return done.stdout.splitlines(), [int(number) for number in done.stderr.split()]


def per_byte(path, emulator, plugin, case, size):
    few, many = (lines_of(path, emulator, plugin, case, times)[1][0] for times in (FEW, MANY))
    return (many - few) / (MANY - FEW) / size


def expected(instructions, size, core):
    """Bytes per cycle of a run of instructions that moves `size` bytes."""
    command = ["llvm-mca", "-mtriple=aarch64", "-mcpu=" + core, "-iterations=200"]
    done = subprocess.run(command, input=instructions, capture_output=True, text=True)
    cycles = re.search(r"Total Cycles:\s+(\d+)", done.stdout)
    return 200 * size / int(cycles[1]) if cycles else None


def disassembly(path):
    text = subprocess.run([ARM + "objdump", "-d", "--no-show-raw-insn", path], check=True, capture_output=True, text=True)
    lines = re.findall(r"^\s*([0-9a-f]+):\t(.*)$", text.stdout, re.MULTILINE)
    # Jumps go nowhere: what they cost is the same.
    plain = ((at, re.sub(r"\s*(<.*>|//.*)", "", line)) for at, line in lines)
    return {int(at, 16): re.sub(r"\b[0-9a-f]{6,}$", ".", line) for at, line in plain}


def main(out, x86_library, arm_library, share=1):
    tools = ["qemu-x86_64", "qemu-aarch64", ARM + "gcc", "cc"]
    for tool in tools:
        if not shutil.which(tool):
            print(f"skipped: NEON beside AVX2: {tool} is not here")
            return
    os.makedirs(out, exist_ok=True)
    plugin = os.path.join(os.path.abspath(out), "plugin.so")
    source = os.path.join(HERE, "plugin.c")
    subprocess.run(["cc", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", source, "-o", plugin], check=True)
    arm = program(out, ARM + "gcc", arm_library, "NEON"), ["qemu-aarch64"], plugin
    x86 = program(out, "cc", x86_library, "AVX2"), ["qemu-x86_64", "-cpu", "max"], plugin
    known = disassembly(arm[0]) if shutil.which("llvm-mca") else {}
    if not known:
        print("skipped: bytes per cycle: llvm-mca is not here")
    print(f"{'copy':32} {'bytes':>6} {'NEON':>6} {'AVX2':>6} {'ratio':>6}  bytes per cycle of the hottest run on " + ", ".join(CORES))
    names = [[line.split("|") for line in lines_of(*side)[0]] for side in (arm, x86)]
    for case, (on_arm, on_x86) in list(enumerate(zip(*names)))[:: int(share)]:
        name, size, kernel = on_arm
        counts = [per_byte(*side, case, int(size)) for side in (arm, x86)]
        _, (all_of_them, at, length, times) = lines_of(*arm, case, MANY)
        run = "\n".join(known.get(at + 4 * k, "") for k in range(length))
        moved = int(size) * MANY / times
        cycles = [expected(run, moved, core) for core in CORES] if known else []
        told = ", ".join("-" if c is None else f"{c:.1f}" for c in cycles)
        part = 100 * length * times / all_of_them
        print(f"{name:32} {size:>6} {counts[0]:6.3f} {counts[1]:6.3f} {counts[0] / counts[1]:6.2f}  "
              f"{told} ({length} instructions, {part:.0f} % of all); {kernel}, {on_x86[2]}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
