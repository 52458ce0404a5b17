#!/usr/bin/env python3
"""libstride beside memcpy and its peers, on every case of benches/cases/list.txt: `make bench-table`; on those that
others published (published.txt): `make bench-table LIST=published`.

A figure is memcpy's time for the same bytes divided by the peer's, in the same run and with the buffers at the same
place: 1.00 is the speed of memcpy. Buffers are tried at several places inside their page, because below a megabyte that
alone moves figures by tens of percent. At each place all ways alternate, each warmed by a call before it is timed,
and the shortest time of each counts. The table gives two figures for each way: the best place's, and the median of all
places.

  planned      stride_plan_execute
  one call     stride_copy
  stream       the same bytes copied with stores past the cache
  naive        prepared loops of naive.h, compiled with -O3 -march=native (NAIVE_CFLAGS)
  numpy        copyto        torch   copy_        cv2     transpose, merge, split, flip, copyTo
  others       Rust crates, if `make bench-peers` has built them (benches/peers); hptt plans in every call

`lead` is libstride's figure over that of the best peer: by one call, as the peers' are, but by the plan beside the
naive loops, which are prepared as it is. Peers that cannot do a case are left out of it, those written in Python pay
for their own call. One thread. Every result is compared byte by byte, gaps included; a difference of libstride's is an
error.
"""
import argparse
import ctypes
import math
import mmap
import os
import platform
import random
import re
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
WIDTHS = {"u8": 1, "u16": 2, "f32": 4, "f64": 8}
# Bytes from the start of a page to the lowest element: destination, source. Destinations at all quarters of a line;
# large blocks of malloc begin at 16.
PLACES = [(0, 0), (16, 16), (2080, 2112), (1072, 48)]
PAGE, SPARE = 4096, 1 << 16
OURS = ("planned", "one call")
PREPARED = ("naive",)  # peers that know the copy before the clock starts
LIMITS = ("memcpy", "stream")

try:
    import numpy
except ImportError:
    numpy = None
try:
    import torch
    torch.set_num_threads(1)
except ImportError:
    torch = None
try:
    import cv2
    cv2.setNumThreads(1)
except ImportError:
    cv2 = None


def packed(sizes):
    strides = [1] * len(sizes)
    for d in reversed(range(len(sizes) - 1)):
        strides[d] = strides[d + 1] * sizes[d + 1]
    return strides


class Case:
    """A line of the list: sizes of both sides, strides in elements."""

    def __init__(self, line):
        self.kind, what, element, sizes, *sides = [field.strip() for field in line.split("|")]
        listed = [int(size) for size in sizes.split("x")]
        self.width = WIDTHS.get(element) or int(element[:-1])
        self.axes, digits = None, ""
        if len(sides) == 1:
            self.axes = [int(axis) for axis in sides[0].removeprefix("axes").split()]
            digits = "".join(map(str, self.axes))
            self.sizes = [listed[axis] for axis in self.axes]
            self.dst, self.src = packed(self.sizes), [packed(listed)[axis] for axis in self.axes]
        else:
            self.sizes = listed
            self.dst, self.src = (packed(listed) if s == "packed" else [int(x) for x in s.split()] for s in sides)
        self.listed = listed
        self.name = " ".join(filter(None, [what, sizes, digits, element]))
        self.bytes = math.prod(self.sizes) * self.width
        assert len(self.sizes) == len(self.dst) == len(self.src), line

    def matches(self, pattern):
        return re.search(pattern, f"{self.kind} {self.name}")

    def below(self, strides):
        return -sum((n - 1) * s for n, s in zip(self.sizes, strides) if s < 0)

    def extent(self, strides):
        return sum((n - 1) * abs(s) for n, s in zip(self.sizes, strides)) + 1


def cases(name):
    with open(os.path.join(HERE, "cases", name + ".txt")) as file:
        return [Case(line) for line in file if line.strip() and not line.startswith("#")]


class Layout(ctypes.Structure):
    _fields_ = [("dtype", ctypes.c_uint32), ("rank", ctypes.c_uint32), ("offset", ctypes.c_int64),
                ("sizes", ctypes.c_int64 * 64), ("strides", ctypes.c_int64 * 64)]


class Buffer:
    """Zeroed memory that begins a page, in huge pages where the system has them."""

    def __init__(self, size):
        self.memory = mmap.mmap(-1, size)
        if hasattr(mmap, "MADV_HUGEPAGE"):
            self.memory.madvise(mmap.MADV_HUGEPAGE)
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        self.bytes = (ctypes.c_uint8 * size).from_buffer(self.memory)


def address_of(library, name):
    return ctypes.cast(getattr(library, name), ctypes.c_void_p).value


class CWay:
    """A C function with its arguments."""

    def __init__(self, harness, function, *arguments):
        self.harness, self.kept = harness, arguments  # keeps arrays alive
        self.function = ctypes.c_void_p(function)
        words = [x if isinstance(x, int) else ctypes.addressof(x) for x in arguments]
        self.arguments = (ctypes.c_uint64 * 8)(*words)

    def once(self):
        return self.harness.compare_call(self.function, self.arguments) == 0

    def time(self, count):
        return self.harness.compare_time(self.function, self.arguments, count)


class PythonWay:
    """A Python function without arguments."""

    def __init__(self, function):
        self.function = function

    def once(self):
        self.function()
        return True

    def time(self, count):
        function, rounds = self.function, range(count)
        function()
        begin = time.perf_counter_ns()
        for _ in rounds:
            function()
        return (time.perf_counter_ns() - begin) / count


class Bench:
    def __init__(self, options):
        self.list = options.list
        self.stride = ctypes.CDLL(os.path.abspath(options.lib))
        self.harness = ctypes.CDLL(os.path.abspath(options.harness))
        self.harness.compare_time.restype = ctypes.c_double
        self.harness.compare_time.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64]
        self.harness.compare_cold.restype = ctypes.c_double
        self.harness.compare_naive_init.restype = ctypes.c_int64
        self.peers = {}
        if options.peers and os.path.exists(options.peers):
            library = ctypes.CDLL(os.path.abspath(options.peers))
            for name in ("ndarray", "strided_perm", "strided_kernel", "ndcopy", "transpose", "hptt"):
                if hasattr(library, f"peer_{name}"):
                    self.peers[name.replace("_", "-")] = address_of(library, f"peer_{name}")
        self.dst = self.src = None

    def names(self):
        python = [name for name, module in (("numpy", numpy), ("torch", torch), ("cv2", cv2)) if module]
        return [*OURS, "stream", "naive", *python, *self.peers]

    def reserve(self, size):
        self.dst, self.src = Buffer(size), Buffer(size)
        # Numbers that are finite and normal in every type, so that peers may calculate.
        block = bytes(random.Random(1).choices(range(1, 64), k=1 << 20))
        for at in range(0, size, len(block)):
            piece = min(len(block), size - at)
            ctypes.memmove(self.src.address + at, block, piece)

    def layout(self, case, strides):
        out = Layout()
        rank = len(case.sizes)
        array = ctypes.c_int64 * rank
        dtype = ctypes.c_uint32(0x80000000 | case.width)
        status = self.stride.stride_layout_init(
            ctypes.byref(out), dtype, ctypes.c_uint32(rank), array(*case.sizes), array(*strides), None)
        assert status == 0, case.name
        out.offset = case.below(strides)
        return out

    def executions(self, case, place, plans):
        """memcpy of as many bytes, and each plan with its library; and the memory of both sides."""
        dst, src = (buffer.address + PAGE + at for buffer, at in ((self.dst, place[0]), (self.src, place[1])))
        dst_bytes, src_bytes = (case.extent(strides) * case.width for strides in (case.dst, case.src))
        found = {"memcpy": CWay(self.harness, address_of(ctypes.CDLL(None), "memcpy"), dst, src, case.bytes)}
        for name, (plan, library) in plans.items():
            execute = address_of(library, "stride_plan_execute")
            found[name] = CWay(self.harness, execute, plan, dst, dst_bytes, src, src_bytes, 0)
        return found, [ctypes.c_uint64(word) for word in (dst, dst_bytes, src, src_bytes)]

    def shortest(self, ways, milliseconds, flushed=None):
        """Shortest nanoseconds of each way, alternating; `flushed` is memory that is cold before each call."""
        def once(name):
            if not flushed:
                return ways[name].time(counts[name])
            nanoseconds = self.harness.compare_cold(ways[name].function, ways[name].arguments, *flushed)
            if nanoseconds < 0:
                sys.exit("cold: this CPU has no instruction that flushes a line")
            return nanoseconds

        counts = {name: max(1, int(2e4 / max(min(way.time(4), way.time(4)), 1))) for name, way in ways.items()}
        best, rounds, begin = dict.fromkeys(ways, math.inf), 0, time.perf_counter()
        while rounds < 5 or (time.perf_counter() - begin) * 1e3 < milliseconds:
            for name in list(ways)[::1 if rounds % 2 else -1]:
                best[name] = min(best[name], once(name))
            rounds += 1
        return best

    def ways(self, case, place):
        """Every way that may do the case, with the buffers at this place."""
        dst, src = self.dst.address + PAGE + place[0], self.src.address + PAGE + place[1]
        dst_bytes, src_bytes = case.extent(case.dst) * case.width, case.extent(case.src) * case.width
        dst_first, src_first = (low + case.below(s) * case.width for low, s in ((dst, case.dst), (src, case.src)))
        dst_layout, src_layout = self.layout(case, case.dst), self.layout(case, case.src)
        plan = (ctypes.c_uint64 * 512)()
        status = self.stride.stride_plan_init(
            plan, ctypes.byref(dst_layout), ctypes.byref(src_layout), None, None)
        assert status == 0, case.name
        array = ctypes.c_int64 * len(case.sizes)
        sizes, dst_strides, src_strides = array(*case.sizes), array(*case.dst), array(*case.src)
        naive = (ctypes.c_uint8 * self.harness.compare_naive_bytes())()
        begin = self.harness.compare_naive_init(
            naive, ctypes.c_int64(len(case.sizes)), sizes, dst_strides, src_strides, ctypes.c_int64(case.width))
        way = lambda library, name, *arguments: CWay(self.harness, address_of(library, name), *arguments)
        found = {
            "memcpy": way(ctypes.CDLL(None), "memcpy", dst, src, case.bytes),
            "planned": way(self.stride, "stride_plan_execute", plan, dst, dst_bytes, src, src_bytes, 0),
            "one call": way(self.stride, "stride_copy", dst_layout, dst, dst_bytes, src_layout, src, src_bytes, 0, 0),
            "stream": way(self.harness, "compare_stream", dst, src, case.bytes),
            "naive": way(self.harness, "compare_naive", naive, dst, src_first + begin * case.width),
        }
        for name, function in self.peers.items():
            found[name] = CWay(self.harness, function, dst_first, src_first, len(case.sizes), sizes, dst_strides,
                               src_strides, case.width)
        for name, function in self.python_ways(case, place).items():
            found[name] = PythonWay(function)
        return found

    def python_ways(self, case, place):
        ways = {}
        if numpy is None:
            return ways
        dtype = numpy.dtype({1: "u1", 2: "u2", 4: "f4", 8: "f8", 16: "c16"}.get(case.width, f"V{case.width}"))

        def view(buffer, place, sizes, strides, below, kind=dtype):
            return numpy.ndarray(sizes, kind, buffer.memory, PAGE + place + below * case.width,
                                 [s * case.width for s in strides])

        to = view(self.dst, place[0], case.sizes, case.dst, case.below(case.dst))
        source = view(self.src, place[1], case.sizes, case.src, case.below(case.src))
        ways["numpy"] = lambda: numpy.copyto(to, source)
        if torch is not None and case.width in (1, 2, 4, 8, 16) and min(case.dst + case.src) >= 0:
            kind = {2: "i2"}.get(case.width, dtype)  # torch has no other 2-byte integer that is everywhere
            flat = [torch.from_numpy(view(buffer, at, [case.extent(s)], [1], 0, numpy.dtype(kind)))
                    for buffer, at, s in ((self.dst, place[0], case.dst), (self.src, place[1], case.src))]
            a, b = (f.as_strided(case.sizes, s) for f, s in zip(flat, (case.dst, case.src)))
            ways["torch"] = lambda: a.copy_(b)
        if cv2 is not None and (way := self.cv2_way(case, place, to, source)):
            ways["cv2"] = way
        return ways

    def cv2_way(self, case, place, to, source):
        pixel = {1: ("u1", []), 2: ("u2", []), 3: ("u1", [3]), 4: ("f4", []), 8: ("f8", []), 12: ("f4", [3]),
                 16: ("f8", [2])}.get(case.width)
        if pixel is None:
            return None

        def image(buffer, place, sizes, strides):  # channels inside an element become an axis
            kind = numpy.dtype(pixel[0])
            steps = [s * case.width for s in strides] + ([kind.itemsize] if pixel[1] else [])
            return numpy.ndarray(sizes + pixel[1], kind, buffer.memory, PAGE + place, steps)

        sizes = case.listed
        if case.axes == [1, 0]:
            a = image(self.src, place[1], sizes, packed(sizes))
            b = image(self.dst, place[0], case.sizes, case.dst)
            return lambda: cv2.transpose(a, dst=b)
        if case.kind == "nchw to nhwc" and sizes[0] == 1 and sizes[1] <= 4:
            planes, b = [source[0, :, :, c] for c in range(sizes[1])], to[0]
            return lambda: cv2.merge(planes, dst=b)
        if case.kind == "nhwc to nchw" and sizes[0] == 1 and sizes[3] <= 4:
            planes, a = [to[0, c] for c in range(sizes[3])], source[0].transpose(1, 2, 0)
            return lambda: cv2.split(a, mv=planes)
        if case.kind == "reverse":
            a = numpy.flip(source, 0 if case.src[0] < 0 else 1)
            direction = 0 if case.src[0] < 0 else 1
            return lambda: cv2.flip(a, direction, dst=to)
        if case.kind == "rows" and len(sizes) == 2:
            return lambda: cv2.copyTo(source, None, dst=to)
        return None

    def check(self, case, ways):
        """Leaves the ways that copy what the naive loops copy; those that cannot do the case say so."""
        size = case.extent(case.dst) * case.width
        low = self.dst.address + PAGE + PLACES[0][0] - 64

        def outcome(way):
            ctypes.memset(low, 0xA5, size + 128)
            return ctypes.string_at(low, size + 128) if way.once() else None

        expected, kept = outcome(ways["naive"]), []
        for name, way in ways.items():
            if name in LIMITS:
                kept += [name] if way.once() or name == "memcpy" else []
                continue
            try:
                found = outcome(way)
            except Exception as problem:  # a Python peer that refuses
                print(f"{case.name}: {name}: {str(problem).strip()[:120]}", file=sys.stderr)
                continue
            if found == expected:
                kept.append(name)
            elif found is not None:
                print(f"{case.name}: {name} copied other bytes", file=sys.stderr)
                if name in OURS:
                    sys.exit(1)
        return kept

    def measure(self, case, milliseconds):
        """Shortest nanoseconds by place, for each way."""
        times, kept = {}, None
        for place in PLACES:
            ways = self.ways(case, place)
            kept = kept or self.check(case, ways)
            ways = {name: ways[name] for name in kept}
            counts, best = {}, {}
            for name, way in ways.items():
                one = way.time(1)
                if one < 2e4:
                    one = way.time(16)
                counts[name], best[name] = max(1, int(2e4 / max(one, 1))), one
            slow = {name for name in best if best[name] > 5e6 and best[name] > 8 * best["memcpy"]}
            begin, rounds = time.perf_counter(), 0
            while rounds < 3 or (time.perf_counter() - begin) * 1e3 < milliseconds / len(PLACES):
                for name, way in ways.items():
                    if name not in slow or rounds == 0:
                        best[name] = min(best[name], way.time(counts[name]))
                rounds += 1
            for name in ways:
                times.setdefault(name, []).append(best[name])
        return times


def ratios(times):
    """(best, median) of memcpy's time over each way's, by place."""
    found = {}
    for name, listed in times.items():
        by_place = [m / t for m, t in zip(times["memcpy"], listed)]
        found[name] = (max(by_place), statistics.median(by_place))
    return found


def leader(found):
    """The peer with the least lead of ours over it, and that lead; None where there is no peer."""
    leads = {name: found["planned" if name in PREPARED else "one call"][1] / found[name][1]
             for name in found if name not in OURS + LIMITS}
    return min(leads.items(), key=lambda item: item[1], default=None)


def on_one_core():
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def first_line(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=HERE)
        return done.stdout.split("\n")[0].strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def cpu():
    try:
        with open("/proc/cpuinfo") as file:
            words = dict(line.split(":", 1) for line in file if ":" in line)
        words = {key.strip(): value.strip() for key, value in words.items()}
        return f"{words['model name']} (family {words['cpu family']} model {words['model']})"
    except (OSError, KeyError):
        return platform.processor()


def head(bench):
    modules = [f"{m.__name__} {m.__version__}" for m in (numpy, torch, cv2) if m]
    return [f"{time.strftime('%Y-%m-%d')}, {cpu()}, {os.cpu_count()} CPUs",
            ", ".join(filter(None, ["commit " + first_line(["git", "describe", "--always", "--dirty"]),
                                    first_line(["rustc", "--version"]), first_line(["cc", "--version"]), *modules])),
            f"make bench-table LIST={bench.list}; memcpy of the same bytes = 1.00; "
            f"best and median of {len(PLACES)} places of the buffers",
            "lead: the median of one call, beside naive of planned, over that of the peer where it is least"]


def table(bench, results):
    names = [name for name in bench.names() if any(name in found for _, _, found in results)]
    lines = [f"# {line}" for line in head(bench)]
    columns = "".join(f" {name:>11}" for name in names)
    lines.append(f"{'kind':13} {'case':52} {'planned':>12} {columns}  lead")
    for case, times, found in results:
        pairs = "".join(f" {found[n][0]:5.2f} {found[n][1]:5.2f}" if n in found else f" {'-':>11}" for n in names)
        best = leader(found)
        lead = f"{best[1]:5.2f} {best[0]}" if best else "    -"
        lines.append(f"{case.kind:13} {case.name:52} {min(times['planned']):9.0f} ns {pairs}  {lead}")
    lines.append("")
    for kind in dict.fromkeys(case.kind for case, _, _ in results):
        own = [found for case, _, found in results if case.kind == kind]
        leads = [best[1] for f in own if (best := leader(f))]
        mean = lambda list_: statistics.geometric_mean(list_) if list_ else float("nan")
        lines.append(f"# {kind:13} {len(own):3} cases: "
                     f"geometric mean of planned {mean([f['planned'][1] for f in own]):.2f}, "
                     f"one call {mean([f['one call'][1] for f in own]):.2f}, lead {mean(leads):.2f}, "
                     f"3 % or more behind a peer in {sum(lead < 0.97 for lead in leads)}")
    if len(results) <= 10:  # as README says it
        for case, _, found in results:
            times = [f"{name} takes {found['one call'][1] / found[name][1]:.1f} times as long as one call"
                     for name in ("cv2", "torch", "numpy") if name in found]
            lines += [f"# {case.name}: {', '.join(times)}"] if times else []
    return "\n".join(lines) + "\n"


def chart(bench, results):
    """Bars of planned (dark: median, light: best place), a tick for one call, a dot for the peer of the least lead."""
    left, unit, most, row = 400, 320, 2.0, 15
    kinds = list(dict.fromkeys(case.kind for case, _, _ in results))
    height = row * (len(results) + 2 * len(kinds)) + 70
    x = lambda ratio: left + unit * min(ratio, most)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + unit * most + 150:.0f}" height="{height}" '
           'font-family="sans-serif" font-size="11">', '<rect width="100%" height="100%" fill="white"/>']
    text = lambda x_, y_, what, more="": out.append(f'<text x="{x_:.1f}" y="{y_}" {more}>{what}</text>')
    text(8, 16, f"libstride, {head(bench)[0]}; memcpy of the same bytes = 1", 'font-weight="bold"')
    text(8, 32, "bar: planned (dark: median of all places of the buffers, light: best place); "
         "tick: one call; dot: best peer")
    for step in range(0, int(most * 4) + 1):
        colour = "#888" if step == 4 else "#e4e4e4"
        out.append(f'<path d="M{x(step / 4):.1f} 44V{height - 20}" stroke="{colour}"/>')
        text(x(step / 4), height - 6, f"{step / 4:.2f}", 'text-anchor="middle" fill="#666"')
    y = 44
    for kind in kinds:
        y += 2 * row
        text(8, y - 4, kind, 'font-weight="bold"')
        for case, _, found in results:
            if case.kind != kind:
                continue
            (best, half), once, peer = found["planned"], found["one call"][1], (leader(found) or (None,))[0]
            text(left - 8, y + 10, case.name, 'text-anchor="end"')
            for ratio, colour in ((best, "#a9c7e8"), (half, "#2a6cb0")):
                out.append(f'<rect x="{left}" y="{y + 2}" width="{x(ratio) - left:.1f}" height="{row - 5}" '
                           f'fill="{colour}"/>')
            out.append(f'<path d="M{x(once):.1f} {y + 1}v{row - 3}" stroke="black" stroke-width="1.5"/>')
            if peer:
                out.append(f'<circle cx="{x(found[peer][1]):.1f}" cy="{y + 7}" r="3" fill="#d9622b"/>')
            note = f"{half:.2f}" + (f", {peer} {found[peer][1]:.2f}" if peer else "")
            text(left + unit * most + 8, y + 10, note, 'fill="#444"')
            y += row
    return "\n".join(out) + "\n</svg>\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lib", default="target/c/libstride.so")
    parser.add_argument("--harness", default="target/c/libcompare.so")
    parser.add_argument("--peers", default="target/peers/release/libpeers.so", help="left out if it is not there")
    parser.add_argument("--cases", default="", help="a regular expression for `kind case`")
    parser.add_argument("--list", default="list", help="the file of benches/cases: list, or published")
    parser.add_argument("--largest", type=float, default=4096, help="MiB that a case moves at most")
    parser.add_argument("--milliseconds", type=float, default=200, help="for each case")
    parser.add_argument("--out", default="target/c/compare", help="writes OUT.txt and OUT.svg")
    options = parser.parse_args()
    on_one_core()
    wanted = [case for case in cases(options.list)
              if case.matches(options.cases) and case.bytes <= options.largest * 2**20]
    if not wanted:
        sys.exit(f"no case matches {options.cases!r}")
    bench = Bench(options)
    for module, name in ((numpy, "numpy"), (torch, "torch"), (cv2, "cv2"), (bench.peers, "Rust peers")):
        if not module:
            print(f"without {name}", file=sys.stderr)
    needed = max(max(case.bytes, *(case.extent(s) * case.width for s in (case.dst, case.src))) for case in wanted)
    bench.reserve((needed + needed // 64 + SPARE + PAGE - 1) // PAGE * PAGE)
    results = []
    for case in wanted:
        times = bench.measure(case, options.milliseconds)
        results.append((case, times, ratios(times)))
    lines = table(bench, results)
    print(lines, end="")
    with open(options.out + ".txt", "w") as file:
        file.write(lines)
    with open(options.out + ".svg", "w") as file:
        file.write(chart(bench, results))


if __name__ == "__main__":
    main()
