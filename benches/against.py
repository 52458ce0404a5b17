#!/usr/bin/env python3
"""Another libstride beside this one, in one process: `make bench-against OLD=other/libstride.so`, or OLD=commit, which
is built first. Of several, such as OLD=commit,commit, the best of each case and place counts as the old one.

All libraries plan every case of a list and alternate, with the destination at 0, 16, 32 and 48 bytes after a
line, as malloc and others give it, and the source at 16. The shortest time of each counts. A row has the new one's
speed as a share of memcpy's and its worst place beside its place at 0, both over the four places, and old time over new
time (above 1: the new one is faster) as a mean and at each place. With --runs 2 all of it is done twice, and what is
slower than before is listed by the better run.

    --cold            both sides are flushed before every call
    --list NAME       benches/cases/NAME.txt, or several: list,published
    --cases PATTERN   a regular expression for `kind case`, as in compare.py
    --level N         the highest instruction set of both, as STRIDE_CPU_LEVEL_... counts them
    --machine TEXT    both plan for this machine (stride_machine_parse), which the CPU must be able to run
    --least BYTES     cases of at least so many bytes; --most BYTES: at most
    --milliseconds N  for each case and place
    --runs N          so many runs, one after the other
"""
import argparse
import ctypes
import math
import os
import statistics
import subprocess
import sys

import compare

PLACES = [(0, 16), (16, 16), (32, 16), (48, 16)]
SLOWER, APART = 0.90, 0.85  # what is listed at the end


class Options(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_uint32), ("flags", ctypes.c_uint32), ("cpu_level", ctypes.c_uint32),
                ("reserved", ctypes.c_uint32), ("overlap_budget", ctypes.c_uint64), ("fill", ctypes.c_uint8 * 16),
                ("machine", ctypes.c_void_p)]


def options_for(library, machine, level=0):
    """Options of a library's copies, for this machine (stride_machine_parse); "": this CPU."""
    out = Options(struct_size=ctypes.sizeof(Options), cpu_level=level)
    if machine:
        out.kept, text = (ctypes.c_uint64 * 512)(), machine.encode()
        if library.stride_machine_parse(text, ctypes.c_uint64(len(text)), out.kept, None):
            sys.exit(f"no such machine: {machine}")
        out.machine = ctypes.addressof(out.kept)
    return out


class Against(compare.Bench):
    def __init__(self, options):
        super().__init__(options)
        self.libraries = {"new": self.stride, **{path: ctypes.CDLL(path) for path in options.old}}
        self.options = options
        self.copy_options = {name: options_for(library, options.machine, options.level)
                             for name, library in self.libraries.items()}

    def ways(self, case, place):
        to, source, plans = self.layout(case, case.dst), self.layout(case, case.src), {}
        for name, library in self.libraries.items():
            plan = (ctypes.c_uint64 * 512)()
            options = ctypes.byref(self.copy_options[name])
            status = library.stride_plan_init(plan, ctypes.byref(to), ctypes.byref(source), options, None)
            assert status == 0, f"{name}: {case.name}: status {status}"
            plans[name] = plan, library
        return self.executions(case, place, plans)

    def same_bytes(self, case):
        """Both make the same buffer."""
        size = case.extent(case.dst) * case.width
        made = []
        ways, _ = self.ways(case, PLACES[1])
        for name in self.libraries:
            low = self.dst.address + compare.PAGE - 64
            ctypes.memset(low, 0xA5, size + 192)
            if not ways[name].once():
                sys.exit(f"{case.name}: {name} refuses")
            made.append(ctypes.string_at(low, size + 192))
        if any(bytes_of_one != made[0] for bytes_of_one in made):
            sys.exit(f"{case.name}: they copy different bytes")

    def measure(self, case):
        """Shortest nanoseconds by place, for each way."""
        self.same_bytes(case)
        times = {}
        for place in PLACES:
            ways, sides = self.ways(case, place)
            best = self.shortest(ways, self.options.milliseconds, sides if self.options.cold else None)
            for name in ways:
                times.setdefault(name, []).append(best[name])
        times["old"] = [min(at_place) for at_place in zip(*(times[name] for name in self.options.old))]
        return times


def library_of(old):
    """The file, or the library of that commit, which is built below target/against."""
    if os.path.exists(old):
        return os.path.abspath(old)
    root = os.path.dirname(compare.HERE)
    commit = compare.first_line(["git", "rev-parse", "--short=8", f"{old}^{{commit}}"])
    if not commit:
        sys.exit(f"OLD={old} is neither a file nor a commit")
    tree = os.path.join(root, "target", "against", commit)
    library = os.path.join(tree, "target", "c", "libstride.so")
    if not os.path.exists(library):
        os.makedirs(tree, exist_ok=True)
        ours = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "CARGO_TARGET_DIR")
        own = {name: value for name, value in os.environ.items() if name not in ours}
        subprocess.run(f"git archive {commit} | tar -x -C '{tree}'", cwd=root, check=True, shell=True)
        subprocess.run(["make", "-s", "lib"], cwd=tree, check=True, env=own)
    return library


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("lib")
    parser.add_argument("harness")
    for name, kind, default in (("list", str, "list"), ("cases", str, ""), ("machine", str, ""), ("level", int, 0),
                                ("least", float, 0), ("most", float, math.inf), ("milliseconds", float, 30),
                                ("runs", int, 1)):
        parser.add_argument(f"--{name}", type=kind, default=default)
    parser.add_argument("--cold", action="store_true")
    options = parser.parse_args()
    options.peers, options.old = None, [library_of(old) for old in options.old.split(",")]
    compare.on_one_core()
    chosen = [case for name in options.list.split(",") for case in compare.cases(name)
              if options.least <= case.bytes <= options.most and case.matches(options.cases)]
    bench = Against(options)
    largest = max(case.extent(strides) * case.width for case in chosen for strides in (case.dst, case.src))
    bench.reserve(largest + compare.SPARE)
    mean = statistics.geometric_mean

    def say(text):
        print(text, flush=True)

    for line in compare.head(bench)[:2]:
        say(f"# {line}")
    say(f"# {'cold, both sides flushed' if options.cold else 'warm'}; level {options.level or 'best'}"
        + (f"; machine {options.machine}" if options.machine else ""))
    places = [place for place, _ in PLACES]
    columns = " ".join(f"{f'at {place}':>6}" for place in places)
    say(f"# {'case':58} {'bytes':>10} {'share':>6} {'old/new':>8} {columns} {'worst place':>11}")
    gains, apart = {}, {}
    for _ in range(options.runs):
        shares, of_run = [], []
        for case in chosen:
            times = bench.measure(case)
            name = f"{case.kind}: {case.name}"
            share = mean([m / t for m, t in zip(times["memcpy"], times["new"])])
            at_place = [old / new for old, new in zip(times["old"], times["new"])]
            apart[name] = max(apart.get(name, 0), times["new"][0] / max(times["new"]))
            for place, gain in zip(places, at_place):
                gains[name, place] = max(gains.get((name, place), 0), gain)
            shares.append(share)
            of_run.append(at_place)
            say(f"{name:60} {case.bytes:10} {share:6.2f} {mean(at_place):8.3f} "
                + " ".join(f"{gain:6.2f}" for gain in at_place) + f" {times['new'][0] / max(times['new']):11.2f}")
        by_place = ", ".join(f"{mean(gains_there):.3f} at {place}" for place, gains_there in zip(places, zip(*of_run)))
        say(f"# {len(chosen)} cases: share of memcpy {mean(shares):.3f}, "
            f"old over new {mean(map(mean, of_run)):.3f}: {by_place}")
    below = sorted((gain, f"{name} @{place}") for (name, place), gain in gains.items() if gain < SLOWER)
    say(f"# slower than before, below {SLOWER}: {len(below)} of {len(gains)} cases and places")
    for gain, name in below:
        say(f"#   {gain:.2f}  {name}")
    below = sorted((value, name) for name, value in apart.items() if value < APART)
    say(f"# slower off lines than on them, below {APART}: {len(below)}")
    for value, name in below:
        say(f"#   {value:.2f}  {name}")


if __name__ == "__main__":
    main()
