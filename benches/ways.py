#!/usr/bin/env python3
"""What every plan costs on every CPU that was measured, and what the choice loses by that.

A plan is a pure function of a copy and of a machine, and a machine is a value. So whoever has one CPU can plan for all
the others, and a record tells what that plan takes there.

    ways.py [record]   times plans on this CPU and writes benches/ways/NAME.txt: `make ways`
    ways.py judge      plans each case for each recorded CPU and holds what that loses, without a clock: `make judge`
    ways.py search     looks for the sizes of each recorded CPU that lose least: `make ways-search`

ARGS='...' of these commands has the options below.

The ways of a copy are the shapes (kernel, loops) that this library plans for the CPU as it is, for other caches and for
lower instruction sets, each with every treatment of the caches and, for the CPU's own set, every hint that its kernel
reads. Each is timed on one core, in huge pages, the source 16 bytes after a line, the destination at 0 and at 16, all
alternating; the shortest time counts. Warm: calls one after the other. Cold, from 1 MiB on: both sides are flushed
before each call.

A record is text. A shape is family, width of an element, instruction set, how many loops form the destination's run,
the source's, and an element that is a block, then the loops, fastest first, as count.destination.source. A row of times
is a state, a place, memcpy's nanoseconds for as many bytes, and those of each plan: the number of its shape, a letter
for the treatment, letters for hints. Capitals are plans of older libraries (BESIDE=commits), which say what could be
had. The letters say what runs at this place: rows that are not aligned to lines, and cannot be streamed there, have a
treatment of their own.

Regret is the time of the plan that is chosen over the best time of its row: warm, cold, and together, which is the
geometric mean of both beside the plan for which that is least. A plan that was not timed counts as 1.3.
"""
import argparse
import ctypes
import glob
import math
import os
import platform
import re
import statistics
import sys
import time

import against
import compare

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
RECORDS = os.path.join(HERE, "ways")
LISTS = ("list", "published", "everyday", "planes")
MOST, COLD_FROM = 68 << 20, 1 << 20  # bytes of a case
SOURCE_AT = 16  # bytes after a line
NEVER = 1 << 62
CACHES = ("level", "first", "second", "last")
LEVELS = {"x86_64": ("scalar", "ssse3", "avx2", "avx512"), "aarch64": ("scalar", "neon")}
# What is held of each CPU: means of warm and of cold, together, the share above 1.3.
HELD = {"with its profile": (1.12, 1.15, 1.07, 0.135), "by rules": (1.12, 1.155, 1.075, 0.15)}
# The share of plans without a time, of the CPU at hand and of others; and what such a plan counts as.
UNTIMED_HERE, UNTIMED, UNTIMED_COST = 0.05, 0.15, 1.3
# How lines are written: by the kernel; past the caches; past the caches by the tiles of a transpose; from the stack.
STORES = "cjsb"
# Letters of records that are no more, and what does their work today: a time that stands for it is marked. Lines past
# the caches from larger blocks, for aligned rows alone; rows past the caches without prefetches. Of all kernels but
# transposes, today's `j` was `s`.
MAPPED = {"p": ("j",), "pn": ("j",), "s": ("sf", "sfn")}
HINTS = "fmlan"  # far, far under masks, string instructions, asks for what is written, next to L2
# The hints that a family's kernels read, with ordinary stores and with others.
READ = {"rows": ("fn", "fn"), "long rows": ("l", ""), "fill": ("l", ""), "strided": ("f", ""), "spaced": ("m", "m"),
        "gather": ("m", ""), "deinterleave": ("f", "n"), "interleave": ("f", "n"), "transpose": ("af", "n")}
LONG_ROW = 2048  # bytes of a row above which it is not prefetched
SHORT_ROW = 1024  # bytes of a row from which what lies before a line has a call of its own


class Form:
    """A plan in words: its shape, and how it treats the caches."""

    def __init__(self, words, sentence):
        shape, used = words[1], words[0] & 0xFFFF
        byte = lambda at: shape >> at & 0xFF
        kernel, rest = sentence.split(" (", 1)
        self.family, self.width = re.sub("[0-9]*(_x.*)?$", "", kernel), words[3]
        level = rest.split(")")[0].lower().replace("-", "")
        signed = [word - (1 << 64) if word >> 63 else word for word in words[used - 3 * byte(32):used]]
        loops = [signed[at:at + 3] for at in range(0, len(signed), 3)]
        parts = f"{byte(16)}+{byte(24)}+{shape >> 12 & 15}"
        self.shape = " ".join([kernel.split("_x")[0], str(self.width), level, parts,
                               *(".".join(map(str, item)) for item in loops)])
        self.store, self.strip = STORES[byte(40) & 15], byte(40) >> 4
        self.hints = {letter for bit, letter in enumerate(HINTS) if byte(48) >> bit & 1}
        run, block = byte(16), shape >> 12 & 15
        width = self.width * math.prod(count for count, *_ in loops[:block])
        self.row = width * math.prod(count for count, *_ in loops[block:block + run])
        self.in_lines = all(dst % 64 == 0 for _, dst, _ in loops[block + run:])

    def at(self, place):
        """The letters of what runs there."""
        store = self.store
        if store == "s" and (not self.in_lines or place % 64 and self.row < SHORT_ROW):
            store = "j"
        return store + "".join(letter for letter in self.reads(store) if letter in self.hints)

    def reads(self, store):
        """The letters of the hints that matter with a store."""
        if self.family == "transpose":
            return {"c": "af", "s": "n", "j": "", "b": "f"}[store]
        return READ.get("long rows" if self.family == "rows" and self.width > LONG_ROW else self.family,
                        ("", ""))[store == "j"]

    def words_of(self, words, hinted, strips):
        """The words of each plan of this shape: every store and, if `hinted`, every hint that is read."""
        for store in ("cjsb" if self.family == "transpose" else
                      "c" if self.family in ("spaced", "repeat", "permute") else "cj"):
            read = self.reads(store)
            # Rows are prefetched next to L2 only where they are prefetched.
            tried = ("", read[:1], read) if self.family == "rows" else ("", *read)
            for hints in dict.fromkeys(tried) if hinted else ("",):
                edited = STORES.index(store) << 40 | strips.get((self.shape, store), self.strip) << 44
                edited |= sum(1 << HINTS.index(letter) for letter in hints) << 48
                yield [words[0], words[1] & ~(0xFFFF << 40) | edited, *words[2:]]


class Library:
    """A libstride, this version's or an older one, that plans for machines."""

    def __init__(self, path):
        self.path, self.stride, self.parsed = path, ctypes.CDLL(os.path.abspath(path)), {}

    def here(self):
        """This CPU as text: words by name."""
        machine, text, length = (ctypes.c_uint64 * 512)(), ctypes.create_string_buffer(4096), ctypes.c_uint64()
        self.stride.stride_machine_init(machine)
        assert self.stride.stride_machine_format(machine, text, ctypes.c_uint64(4096), ctypes.byref(length), None) == 0
        return dict(word.split("=") for word in text.value.decode().split())

    def options(self, machine):
        """Those that ask for a machine, words by name; None: this CPU."""
        text = " ".join(f"{name}={value}" for name, value in (machine or {}).items())
        if text not in self.parsed:
            self.parsed[text] = against.options_for(self.stride, text)
        return self.parsed[text]

    def plan(self, sides, machine):
        """A plan and its description."""
        plan, text, length = (ctypes.c_uint64 * 512)(), ctypes.create_string_buffer(4096), ctypes.c_uint64()
        to, source = map(ctypes.byref, sides)
        status = self.stride.stride_plan_init(plan, to, source, ctypes.byref(self.options(machine)), None)
        assert status == 0, f"{self.path}: status {status}"
        self.stride.stride_plan_describe(plan, text, ctypes.c_uint64(4096), ctypes.byref(length), None)
        return plan, text.value.decode()


def machines(here):
    """The machines whose plans have other shapes: caches, instruction sets."""
    yield None
    for caches in ((1 << 40,) * 3, (1 << 15, 1 << 17, 1 << 19)):
        yield {**here, **dict(zip(CACHES[1:], caches))}
    levels = next((levels for levels in LEVELS.values() if here["level"] in levels), ())
    for level in levels[1:levels.index(here["level"])] if levels else ():
        yield {**here, "level": level}


def digits(number):
    """Three of them, with K and M for thousands."""
    for unit in ("", "k", "M", "G"):
        if number < 999.5:
            return f"{number:.3g}{unit}"
        number /= 1000
    return f"{number:.3g}T"


def number(text):
    units = {"k": 1e3, "M": 1e6, "G": 1e9}
    return float(text[:-1]) * units[text[-1]] if text[-1] in units else float(text)


def size(text):
    """NAME=BYTES, also in K and M, which are 1024 and 1024² here."""
    name, _, value = text.partition("=")
    found = re.fullmatch("([0-9]+)([KM]?)", value)
    if not found:
        sys.exit(f"--size {text}: not NAME=BYTES, such as stream_from=2M")
    return name, str(int(found[1]) << {"": 0, "K": 10, "M": 20}[found[2]])


class Record:
    """What one CPU takes: shapes by number, and times of plans by case, place and state; `memcpy` is among them."""

    def __init__(self):
        self.head, self.shapes, self.rows, self.mapped = {}, {}, {}, set()

    def number(self, shape):
        return str(self.shapes.setdefault(shape, len(self.shapes)))

    def write(self, path):
        with open(path, "w") as file:
            file.write("# What plans cost on this CPU: `make ways` writes it, benches/ways.py has the form.\n")
            file.writelines(f"{name} {value}\n" for name, value in self.head.items())
            file.writelines(f"shape {number} {shape}\n" for shape, number in self.shapes.items())
            last = None
            for (case, place, state), row in self.rows.items():
                file.write("" if case == last else f"case {case}\n")
                last = case
                plans = (f"{plan}:{digits(took)}" for plan, took in row.items() if plan != "memcpy")
                file.write(" ".join([state, str(place), digits(row["memcpy"]), *plans]) + "\n")

    @classmethod
    def read(cls, path):
        record, families = cls(), {}
        with open(path) as file:
            for line in file:
                word, _, rest = line.strip().partition(" ")
                if word == "shape":
                    families[record.number(rest.partition(" ")[2])] = rest.split()[1]
                elif word in ("warm", "cold"):
                    place, memcpy, *times = rest.split()
                    row = record.rows[case, int(place), word] = {"memcpy": number(memcpy)}
                    row.update((plan, number(took)) for plan, took in (time.split(":") for time in times))
                    # What is there as it is called today comes first.
                    row.update({plan.replace("v", "l"): row.pop(plan) for plan in list(row) if plan.endswith("v")})
                    for exact in (True, False):
                        for plan in list(row):
                            shape, letters = re.fullmatch("([0-9]*)(.*)", plan).groups()
                            moved = letters[:1] == "s" and families.get(shape) != "transpose"
                            todays = (letters,) if exact else MAPPED.get(letters, ())
                            for today in todays if shape else ():
                                today = shape + (today.replace("s", "j", 1) if moved else today)
                                if today not in row:
                                    row[today] = row[plan]
                                    record.mapped.add((case, int(place), today))
                elif word == "case":
                    case = rest
                elif word != "#":
                    record.head[word] = rest
        return record


def all_cases(pattern=""):
    """The named copies of all lists, each once."""
    found = {}
    for case in (case for name in LISTS for case in compare.cases(name)):
        if case.bytes <= MOST and case.matches(pattern):
            found.setdefault((*case.sizes, *case.dst, *case.src, case.width), case)
    if not found:
        sys.exit(f"no case matches {pattern!r}: `kind name`, without the colon of the lists")
    return {f"{case.kind}: {case.name}": case for case in found.values()}


class Recorder(compare.Bench):
    def __init__(self, options):
        options.list, options.peers = ",".join(LISTS), None
        super().__init__(options)
        self.milliseconds, self.beside = options.milliseconds, options.old
        self.libraries = [Library(path) for path in (options.lib, *map(against.library_of, options.old))]
        self.here = self.libraries[0].here()

    def ways(self, case, place, record):
        """Plans that differ at this place, by their letters, with the library of each."""
        sides, found, olds = [self.layout(case, strides) for strides in (case.dst, case.src)], {}, {}
        ours, *others = self.libraries
        plans = [(machine, *ours.plan(sides, machine)) for machine in machines(self.here)]
        formed = [Form(list(plan), sentence) for _, plan, sentence in plans]
        # The columns of a strip, which follow from the store.
        strips = {(form.shape, form.store): form.strip for form in formed}
        for form, (machine, plan, sentence) in zip(formed, plans):
            hinted = not machine or machine["level"] == self.here["level"]
            for words in form.words_of(list(plan), hinted, strips):
                form, edited = Form(words, sentence), (ctypes.c_uint64 * 512)(*words)
                found.setdefault(record.number(form.shape) + form.at(place), (edited, ours.stride))
        for library in others:
            here = library.here()
            sizes = [name for name in here if name not in CACHES]
            for machine in (None, {**here, **dict.fromkeys(sizes, NEVER)}, {**here, **dict.fromkeys(sizes, 1)}):
                plan, sentence = library.plan(sides, machine)
                olds.setdefault((library.path, sentence), (plan, library.stride))
        return {**found, **{chr(ord("A") + at): way for at, way in enumerate(olds.values())}}

    def record(self, cases):
        record, here, flushes = Record(), self.here, platform.machine() == "x86_64"
        record.head = {"cpu": compare.cpu(), "machine": " ".join(f"{name}={here[name]}" for name in CACHES),
                       "profile": next((name for name, sizes in profiles().items() if sizes == sizes_of(here)), "none"),
                       "commit": compare.first_line(["git", "rev-parse", "--short=8", "HEAD"]),
                       "beside": " ".join(self.beside) or "none", "date": time.strftime("%Y-%m-%d")}
        for at, (name, case) in enumerate(cases.items()):
            print(f"\r{at + 1} of {len(cases)} ", end="", file=sys.stderr, flush=True)
            for place in (0, 16):
                ways = self.ways(case, place, record)
                run, sides = self.executions(case, (place, SOURCE_AT), ways)
                milliseconds = self.milliseconds * len(run)
                record.rows[name, place, "warm"] = self.shortest(run, milliseconds)
                if case.bytes >= COLD_FROM and flushes:
                    record.rows[name, place, "cold"] = self.shortest(run, milliseconds, sides)
        return record


def sizes_of(machine):
    return {name: value for name, value in machine.items() if name not in CACHES and int(value)}


def profiles():
    """The machines of tests/plans whose sizes were measured: what profiles.rs says of them."""
    found = {}
    for path in sorted(glob.glob(os.path.join(ROOT, "tests", "plans", "*.txt"))):
        with open(path) as file:
            words = dict(word.split("=") for word in file.readline().split() if "=" in word)
        if sizes_of(words):
            found[os.path.basename(path)[:-4]] = sizes_of(words)
    return found


class Judge:
    """A record beside the choice of a library."""

    def __init__(self, library, record, cases):
        self.library, self.record = library, record
        self.machine = dict(word.split("=") for word in record.head["machine"].split())
        self.names = [name for name in library.here() if name not in CACHES]
        layout = compare.Bench.layout
        self.sides = {name: [layout(library, case, strides) for strides in (case.dst, case.src)]
                      for name, case in cases.items()}
        self.places = sorted({(case, place) for case, place, _ in record.rows if case in cases})

    def regrets(self, sizes):
        """Of each case and place: warm, cold (or None) and together, and the plan if it was not timed."""
        self.mapped = 0
        machine, found, forms = {**self.machine, **dict.fromkeys(self.names, 0), **sizes}, {}, {}
        for case, place in self.places:
            if case not in forms:
                plan, sentence = self.library.plan(self.sides[case], machine)
                forms[case] = Form(list(plan), sentence)
            form = forms[case]
            chosen = str(self.record.shapes.get(form.shape, "")) + form.at(place)
            rows = [self.record.rows.get((case, place, state)) for state in ("warm", "cold")]
            rows = [row and {plan: took for plan, took in row.items() if plan != "memcpy"} for row in rows]
            untimed = any(row is not None and chosen not in row for row in rows)
            each = [row and (UNTIMED_COST if untimed else row[chosen] / min(row.values())) for row in rows]
            both = None
            if all(rows):
                sums = {plan: math.sqrt(took * rows[1][plan]) for plan, took in rows[0].items() if plan in rows[1]}
                both = UNTIMED_COST if untimed else sums[chosen] / min(sums.values())
            self.mapped += (case, place, chosen) in self.record.mapped
            found[case, place] = (*each, both, f"{form.shape} {form.at(place)}" if untimed else None)
        return found


def mean(numbers):
    numbers = [number for number in numbers if number]
    return statistics.geometric_mean(numbers) if numbers else 1.0


def figures(regrets):
    """Means of warm, cold and together; the share above 1.3 of warm and cold; the share without a time."""
    warm, cold, both, untimed = zip(*regrets.values())
    each = [number for number in (*warm, *cold) if number]
    return (mean(warm), mean(cold), mean(both), sum(number > 1.3 for number in each) / len(each),
            sum(of is not None for of in untimed) / len(untimed))


def commits_since(commit):
    """How many commits touched the kernels after that one."""
    kernels = os.path.join(ROOT, "src/copy/kernels")
    return compare.first_line(["git", "rev-list", "--count", f"{commit}..HEAD", "--", kernels]) or "unknown"


def recorded(paths):
    """The records of CPUs whose plans this library can make, by name: of these files, or of all."""
    for path in paths or sorted(glob.glob(os.path.join(RECORDS, "*.txt"))):
        record, name = Record.read(path), os.path.basename(path)[:-4]
        level = record.head["machine"].split()[0].removeprefix("level=")
        if level in LEVELS.get(platform.machine(), ()):
            yield name, record
        else:
            print(f"skipped: {name}, of another architecture")


def forms(library, cases):
    """The forms of some plans on one machine, as the records have them: pinned in tests/ways.txt."""
    machine = dict(word.split("=") for word in "level=avx512 first=32768 second=1048576 last=33554432".split())
    machine.update((name, 0) for name in library.here() if name not in CACHES)
    for name, case in list(cases.items())[::16]:
        sides = [compare.Bench.layout(library, case, strides) for strides in (case.dst, case.src)]
        plan, sentence = library.plan(sides, machine)
        form = Form(list(plan), sentence)
        yield f"{name}: {form.shape} | {form.at(0)} {form.at(16)}\n"


def judge(options):
    library, cases, wrong, here = Library(options.lib), all_cases(options.cases), [], compare.cpu()
    changed, names = dict(map(size, options.size)), library.here().keys() - set(CACHES)
    if changed.keys() - names:
        sys.exit(f"--size: the sizes are {', '.join(sorted(names))}")
    for name, record in recorded(options.record):
        print(f"\n{name}: {record.head['cpu']}, {record.head['date']}, commit {record.head['commit']}; "
              f"commits to the kernels since: {commits_since(record.head['commit'])}")
        profile = profiles().get(record.head["profile"], {})
        for how, sizes in (("with its profile", profile), ("by rules", {})):
            if how == "with its profile" and not profile:
                continue
            beside = Judge(library, record, cases)
            regrets = beside.regrets({**sizes, **changed})
            *found, untimed = figures(regrets)
            limit = UNTIMED_HERE if record.head["cpu"] == here else UNTIMED
            whats = ("warm", "cold", "together", "above 1.3", "without a time")
            bounds = zip(whats, (*found, untimed), (*HELD[how], limit))
            wrong += [f"{name} {how}: {what} {figure:.3f}, at most {most}"
                      for what, figure, most in bounds if figure > most]
            warm, cold, both, above = found
            print(f"  {how}: warm {warm:.3f}, cold {cold:.3f}, together {both:.3f}; above 1.3: {above:.1%}; "
                  f"without a time: {untimed:.1%}, by a mapped one: {beside.mapped / len(regrets):.1%} "
                  f"of {len(regrets)} copies and places")
            losses = [(row[2] or row[0], *key, *row[:2]) for key, row in regrets.items() if not row[3]]
            for loss, case, place, warm, cold in sorted(losses, reverse=True)[:options.worst]:
                print(f"    {loss:.2f} (warm {warm:.2f}{f', cold {cold:.2f}' if cold else ''}) {case} @{place}")
            for case in dict.fromkeys(f"{case}: {row[3]}" for (case, _), row in regrets.items() if row[3]):
                print(f"    no time: {case if len(case) < 120 else f'{case[:100]} … {case[-16:]}'}")
    pinned = os.path.join(ROOT, "tests", "ways.txt")
    now = "".join(forms(library, cases))
    if options.write:
        with open(pinned, "w") as file:
            file.write(now)
    elif not options.cases and not changed and not options.record:
        with open(pinned) as file:
            if file.read() != now:
                wrong.append("forms of plans are not those of tests/ways.txt: ways.py judge --write")
    for line in wrong:
        print(f"judge: {line}")
    # A try of one's own is a question.
    return bool(wrong) and not (options.cases or changed and not options.hold)


def search(options):
    """Of each recorded CPU, and of all by rules: sizes that lose least, one at a time as long as that gains."""
    library, cases = Library(options.lib), all_cases(options.cases)
    tried = [0, NEVER, *(step << shift for shift in range(13, 25) for step in (2, 3))]
    for name, record in recorded(options.record):
        beside = Judge(library, record, cases)
        loss = lambda sizes: math.prod(figures(beside.regrets(sizes))[:3])
        sizes, least = dict.fromkeys(beside.names, 0), math.inf
        while (now := loss(sizes)) < least * 0.999:
            least = now
            for size in beside.names:
                sizes[size] = min(tried, key=lambda value: (round(loss({**sizes, size: value}), 3), value))
        print(f"{name}: " + (" ".join(f"{size}={value}" for size, value in sizes.items() if value) or "rules are best"))
        for how, found in (("by rules", {}), ("by these", sizes)):
            warm, cold, both, *_ = figures(beside.regrets(found))
            print(f"  {how}: warm {warm:.3f}, cold {cold:.3f}, together {both:.3f}")
        print(f"  multiplied, these gain {loss({}) / loss(sizes) - 1:.1%}")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", default="record", choices=("record", "judge", "search"))
    parser.add_argument("--lib", default="target/c/libstride.so")
    parser.add_argument("--harness", default="target/c/libcompare.so")
    parser.add_argument("--old", action="append", default=[],
                        help="an older library: a file, or a commit, which is built first")
    parser.add_argument("--cases", default="", help="a regular expression for `kind case`")
    parser.add_argument("--milliseconds", type=float, default=3, help="for each plan, place and state")
    parser.add_argument("--out", help="instead of benches/ways/NAME.txt")
    parser.add_argument("--record", action="append", default=[], metavar="FILE",
                        help="judge and search: this record instead of all of benches/ways")
    parser.add_argument("--worst", type=int, default=12, help="so many losses are listed of each CPU")
    parser.add_argument("--size", action="append", default=[], metavar="NAME=BYTES",
                        help="judges with this size everywhere, such as stream_from=2M")
    parser.add_argument("--hold", action="store_true", help="with --size: exit status 1 where a bound does not hold")
    parser.add_argument("--write", action="store_true", help="judge writes tests/ways.txt anew")
    options = parser.parse_args()
    if options.what != "record":
        return {"judge": judge, "search": search}[options.what](options)
    if options.cases and not options.out:
        sys.exit("--cases: some cases are no record; --out FILE has their times")
    compare.on_one_core()
    cases, recorder = all_cases(options.cases), Recorder(options)
    largest = max(case.extent(strides) * case.width for case in cases.values() for strides in (case.dst, case.src))
    recorder.reserve(largest + compare.SPARE)
    record = recorder.record(cases)
    name = "-".join(re.findall("[a-z0-9]+", record.head["cpu"].lower())) or platform.machine()
    path = options.out or os.path.join(RECORDS, name + ".txt")
    record.write(path)
    print(f"\r{path}: {len(cases)} cases, {len(record.shapes)} shapes, {os.path.getsize(path)} bytes")
    options.record = [path]
    judge(options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
