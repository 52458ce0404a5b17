#!/usr/bin/env python3
"""The charts and tables of measured figures, made from benches/record: `python3 docs/chart.py`.

Nothing here measures. Charts go to docs/charts. Tables stand between `<!-- chart.py: NAME -->` and `<!-- end -->` in
docs/PERFORMANCE.md and benches/record/README.md. `--check` writes nothing and fails if a file is not what the records
say, or if a record is missing from benches/record/README.md.
"""
import math
import os
import re
import sys
from html import escape

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RECORD = os.path.join(ROOT, "benches", "record")
EVERYDAY = "2026-11-29-granite-rapids-everyday.txt"
NAMED = "2026-11-30-zen5.txt"  # all named cases, of `make bench-peers`
PAGES = ["docs/PERFORMANCE.md", "benches/record/README.md"]
OURS = "libstride"
COLOURS = {OURS: "#1f5fa8", "OpenCV": "#d9730d", "PyTorch": "#8a8f98", "NumPy": "#c3c7cd"}
WAYS = ["planned", "one call", "stream", "naive", "numpy", "torch", "cv2", "ndarray", "strided-perm", "ndcopy",
        "transpose"]
PREPARED = ("naive",)  # peers that know the copy before the clock starts; others, and ours beside them, take one call
KINDS = {"packed": "one run", "small": "a few elements", "transpose": "2-D transpose", "narrow": "2-D, one side short",
         "nchw to nhwc": "NCHW to NHWC", "nhwc to nchw": "NHWC to NCHW", "permute": "rank 3 to 6 permuted",
         "rows": "rows kept whole", "step": "steps, columns", "reverse": "mirrored", "fill": "repeated (stride 0)",
         "block": "small blocks, pixels", "turned": "transposed and mirrored"}
GROUPS = {"A": "2-D transpose", "B": "NCHW, NHWC", "C": "heads, inner axis kept or moved", "D": "rank 3 to 6 permuted",
          "E": "crops, steps, mirrored", "F": "repeated (stride 0)", "G": "pitches, padding", "H": "a few elements"}
# CPUs with the 86 named cases beside many peers, newest record first.
PEERS = {"Intel Granite Rapids": "2026-11-29-granite-rapids-peers.txt",
         "Intel Emerald Rapids": "2026-11-22-emerald-rapids-peers.txt",
         "AMD Zen 5": "2026-11-30-zen5-peers.txt", "AMD Zen 4": "2026-11-22-zen4-peers.txt"}
NEWEST = "Intel Granite Rapids"
# Copies that convert.
CONVERSIONS = "2026-12-01-zen5-conversions.txt"
# CPUs with the small copies of `make bench-calls`.
CALLS = {"AMD Zen 5": "2026-11-30-zen5-calls.txt", "AMD Zen 4": "2026-11-22-zen4-calls.txt",
         "AMD Zen 3": "2026-11-21-zen3-calls.txt"}
# Names of those copies among the cases beside peers.
SMALL = {"t2d 2x3 f32": "2x3", "t2d 16x16 f32": "16x16", "nchw2nhwc 1x3x8x8 f32": "1x3x8x8 to NHWC",
         "rank8 2^8 rev f32": "rank 8 of 2s, reversed"}


def geomean(numbers):
    return math.exp(sum(math.log(max(x, 0.005)) for x in numbers) / len(numbers))


def lines_of(name):
    with open(os.path.join(RECORD, name), encoding="utf-8") as file:
        return file.read().splitlines()


def table_cases(name):
    """The cases of `make bench-table`: kind, name, {way: median}. Ways that cannot do a case are absent."""
    cases, lines = [], lines_of(name)
    heading = next(line for line in lines if line.startswith("kind "))
    ways = [way for way in WAYS if f" {way} " in heading]
    for line in lines:
        match = re.match(r"(\S.{13})(.+?)\s+(\d+) ns\s+(.*)$", line)
        if not match or line.startswith(("#", "kind")):
            continue
        fields, figures, at = match[4].split(), {}, 0
        for way in ways:
            if fields[at] == "-":
                at += 1
            else:
                figures[way] = float(fields[at + 1])
                at += 2
        assert at + 2 == len(fields), line
        cases.append((match[1].strip(), match[2].strip(), figures))
    return cases


def peer_cases(name):
    """The named cases beside many peers: group, name, ours planned and by one call, best peer, its figure. Older
    records have one figure of ours, of a plan."""
    cases = []
    for line in lines_of(name):
        match = re.match(r"([A-H]) (.+?)\s{2,}(\d+\.\d+) (.*?)\s(\w+)\s+(\d+\.\d+)\s+(\d+\.\d+)$", line)
        if match:
            cases.append((match[1], match[2], float(match[3]), None, match[5], float(match[6])))
        elif re.match(r"\| [A-H] ", line):  # GB/s; of group H nanoseconds
            cells = cells_of(line)
            group, _, case = cells[0].partition(" ")
            memcpy, planned, call, best = (float(cells[k]) ** (-1 if group == "H" else 1) for k in (1, 3, 6, 10))
            cases.append((group, case, planned / memcpy, call / memcpy, cells[9], best / memcpy))
    return cases


def cells_of(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def small_copies(name):
    """Copies of a few elements in nanoseconds: {copy: (planned, one call)}."""
    copies = {}
    for line in lines_of(name):
        match = re.fullmatch(r"(\S.*?)\s+(\d+\.\d)\s+(\d+\.\d)\s+(\d+\.\d)", line)
        if match:
            copies[match[1]] = float(match[2]), float(match[3])
        elif line.startswith("| H "):
            cells = cells_of(line)
            copies[SMALL.get(cells[0][2:], cells[0])] = float(cells[3]), float(cells[6])
    return copies


class Svg:
    def __init__(self, width, height, title):
        self.parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                      f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12" role="img">',
                      f"<title>{escape(title)}</title>", '<rect width="100%" height="100%" fill="white"/>']

    def text(self, x, y, text, anchor="start", fill="#222", size=None, weight=None):
        more = (f' font-size="{size}"' if size else "") + (f' font-weight="{weight}"' if weight else "")
        place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}"{more}'
        self.parts.append(f"<text {place}>{escape(text)}</text>")

    def bar(self, x, y, width, height, fill):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}"/>')

    def line(self, x, y, x2, y2, stroke="#ddd"):
        self.parts.append(f'<path d="M{x:.1f} {y:.1f}L{x2:.1f} {y2:.1f}" stroke="{stroke}"/>')

    def dot(self, x, y, fill):
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.4" fill="{fill}" fill-opacity="0.75"/>')

    def __str__(self):
        return "\n".join(self.parts) + "\n</svg>\n"


def lead(figures, peer):
    """Ours over a peer's. A figure below a hundredth is written 0.00: what it was is at most 0.005."""
    return figures["planned" if peer in PREPARED else "one call"] / max(figures[peer], 0.005)


def least_lead(figures):
    """The peer that ours leads least, or that leads ours most."""
    return min((way for way in figures if way in WAYS[3:]), key=lambda way: lead(figures, way))


def everyday_chart(cases, subtitle):
    ways = [(way, name, COLOURS[name]) for way, name in zip(("one call", "cv2", "torch", "numpy"), COLOURS)]
    left, unit, top, row = 300, 420, 82, 66
    bottom = top + row * len(cases)
    chart = Svg(880, bottom + 26, "Five everyday copies by libstride, OpenCV, PyTorch and NumPy")
    chart.text(12, 22, "Five everyday copies, each by one call: share of memcpy's speed, higher is better", size=15,
               weight="bold")
    chart.text(12, 40, subtitle, fill="#555")
    x = left
    for _, name, colour in ways:
        chart.bar(x, 52, 12, 12, colour)
        chart.text(x + 17, 62, name)
        x += 40 + 6.6 * len(name)
    for tick in range(6):
        x = left + unit * tick / 4
        chart.line(x, top - 8, x, bottom - 4, "#888" if tick == 4 else "#e2e2e2")
        chart.text(x, bottom + 14, "memcpy" if tick == 4 else f"{tick / 4:g}", "middle", "#555")
    for k, (_, name, figures) in enumerate(cases):
        what, details = re.match(r"(.+?) (\d.*)$", name).groups()
        sizes, *axes, element = details.split()
        sizes = sizes.split("x")
        shapes = " x ".join(sizes) + (" to " + " x ".join(sizes[int(axis)] for axis in axes[0]) if axes else "")
        y = top + row * k
        chart.text(12, y + 16, what, weight="bold")
        chart.text(12, y + 32, f"{element}, {shapes}", fill="#555", size=11)
        for j, (way, _, colour) in enumerate(ways):
            at = y + 14 * j
            if way in figures:
                chart.bar(left, at, max(unit * figures[way], 1), 11, colour)
                chart.text(left + unit * figures[way] + 4, at + 10, f"{figures[way]:.2f}",
                           fill="#222" if j == 0 else "#666", size=11)
            else:
                chart.text(left + 4, at + 10, "no single call does it", fill="#999", size=10)
    return str(chart)


def peers_chart(cases, subtitle):
    """Each case as a dot, one call over the best peer, on a logarithmic axis; those that a peer wins are named."""
    behind = sorted((ours / best, name, peer) for _, name, _, ours, peer, best in cases if ours < best)
    left, width, row = 235, 560, 30
    top, bottom = 78, 78 + row * len(GROUPS)
    chart = Svg(860, bottom + 58 + 16 * ((len(behind) + 1) // 2), "libstride over the best peer, case by case")
    ticks = [2.0 ** power for power in range(-3, 5)]

    def at(ratio):
        share = math.log2(min(max(ratio, ticks[0]), ticks[-1]) / ticks[0]) / math.log2(ticks[-1] / ticks[0])
        return left + width * share

    chart.text(12, 22, "libstride, by one call, over the best of the peers, each case a dot", size=15, weight="bold")
    chart.text(12, 40, subtitle, fill="#555")
    chart.text(12, 56, "right of the line libstride is faster, left of it (red) the peer named below", fill="#555")
    for tick in ticks:
        chart.line(at(tick), top - 8, at(tick), bottom - 6, "#888" if tick == 1 else "#e2e2e2")
        chart.text(at(tick), bottom + 9, f"{tick:g} x", "middle", "#555")
    for k, (group, label) in enumerate(GROUPS.items()):
        y = top + row * k + 6
        chart.text(12, y + 4, label)
        for j, (_, _, _, ours, _, best) in enumerate(c for c in cases if c[0] == group):
            chart.dot(at(ours / best), y + (j % 3 - 1) * 6, "#c22" if ours < best else COLOURS[OURS])
    half = (len(behind) + 1) // 2
    for k, (ratio, name, peer) in enumerate(behind):
        x, y = 12 + 425 * (k // half), bottom + 36 + 16 * (k % half)
        chart.text(x, y, f"{ratio:.2f}  {name}: {peer}", fill="#a33", size=11)
    return str(chart)


def kinds_table(cases):
    out = ["| copies | cases | planned | one call | best peer of each case | PyTorch | NumPy | a peer wins |",
           "|---|---|---|---|---|---|---|---|"]
    for kind, label in KINDS.items():
        mine = [figures for other, _, figures in cases if other == kind]
        if not mine:
            continue
        peers = [least_lead(figures) for figures in mine]
        cells = [f"{geomean([figures[way] for figures in mine]):.2f}" for way in ("planned", "one call")]
        cells.append(f"{geomean([figures[peer] for figures, peer in zip(mine, peers)]):.2f}")
        for way in ("torch", "numpy"):
            able = [figures[way] for figures in mine if way in figures]  # over those that it can do
            cells.append(f"{geomean(able):.2f}" if 4 * len(able) >= 3 * len(mine) else "–")
        behind = sum(lead(figures, peer) < 1 for figures, peer in zip(mine, peers))
        out.append(f"| {label} | {len(mine)} | **{cells[0]}** | {' | '.join(cells[1:])} | {behind} |")
    return "\n".join(out)


def peers_table(cases):
    out = ["| copies | cases | planned | one call | best peer of each case | one call over it | a peer wins |",
           "|---|---|---|---|---|---|---|"]
    for group, label in GROUPS.items():
        mine = [case for case in cases if case[0] == group]
        planned, call, best = (geomean([case[k] for case in mine]) for k in (2, 3, 5))
        ours = f"{planned:.2f} | **{call:.2f}**"
        behind = sum(case[3] < case[5] for case in mine)
        out.append(f"| {label} | {len(mine)} | {ours} | {best:.2f} | {call / best:.2f} | {behind} |")
    return "\n".join(out)


def cpus_table(cpus):
    out = ["| CPU, record | planned | over the best peer | a peer wins | by more than a tenth |",
           "|---|---|---|---|---|"]
    for cpu, cases in cpus.items():
        ours, ratios = geomean([case[2] for case in cases]), [case[2] / case[5] for case in cases]
        behind, far = (sum(ratio < least for ratio in ratios) for least in (1, 0.9))
        link = f"[{cpu}, {PEERS[cpu][:10]}](../benches/record/{PEERS[cpu]})"
        out.append(f"| {link} | **{ours:.2f}** | {geomean(ratios):.2f} | {behind} of {len(cases)} | {far} |")
    return "\n".join(out)


def groups_table(cpus):
    out = ["| copies | cases | " + " | ".join(cpus) + " |", "|---|---|" + "---|" * len(cpus)]
    for group, label in GROUPS.items():
        cells = []
        for cases in cpus.values():
            mine = [case for case in cases if case[0] == group]
            ours, best = geomean([case[2] for case in mine]), geomean([case[5] for case in mine])
            cells.append(f"**{ours:.2f}**, {ours / best:.2f} ({sum(case[2] < case[5] for case in mine)})")
        out.append(f"| {label} | {len(mine)} | " + " | ".join(cells) + " |")
    return "\n".join(out)


def losses_table(rows, ours):
    """Rows are: case, ours, the faster peer, its figure."""
    out = [f"| case | {ours} | faster | its figure | libstride over it |", "|---|---|---|---|---|"]
    for name, ours, peer, best in sorted(rows, key=lambda row: row[1] / row[3]):
        out.append(f"| {name} | {ours:.2f} | {peer} | {best:.2f} | {ours / best:.2f} |")
    return "\n".join(out)


def losses_to_peers(cases, least):
    return losses_table([(name, call, peer, best) for _, name, _, call, peer, best in cases if call < least * best],
                        "one call")


def losses_in_table(cases):
    rows = []
    for kind, name, figures in cases:
        peer = least_lead(figures)
        if lead(figures, peer) < 1:
            rows.append((f"{KINDS[kind]}: {name}", lead(figures, peer) * figures[peer], peer, figures[peer]))
    return losses_table(rows, "libstride")


def small_table():
    cpus = {NEWEST: small_copies(PEERS[NEWEST]), **{cpu: small_copies(name) for cpu, name in CALLS.items()}}
    out = ["| copy | " + " | ".join(cpus) + " |", "|---|" + "---|" * len(cpus)]
    for copy in cpus["AMD Zen 5"]:
        cells = [f"{of[copy][0]:.0f}, {of[copy][1]:.0f}" if copy in of else "–" for of in cpus.values()]
        out.append(f"| {copy} | " + " | ".join(cells) + " |")
    return "\n".join(out)


def conversions_table():
    """The cases of `make bench-convert`: times of others over ours, warm and cold."""
    def figures(text):
        time, *others = text.split(", ")
        others = {name: float(figure) for name, figure in (other.rsplit(" ", 1) for other in others)}
        memcpy, plain = others.pop("memcpy"), others.pop("plain")
        best = min(others, key=others.get)
        return [" ".join(time.split()[1:]), f"{memcpy:.2f}", f"{plain:.2f}", f"{others[best]:.2f} {best}"]

    out = ["| copy | time | memcpy | plain copy | best of others | cold | memcpy | plain copy | best of others |",
           "|---|---|---|---|---|---|---|---|---|"]
    for line in lines_of(CONVERSIONS):
        if not line.startswith("#"):
            name, warm, cold = re.match(r"(.+?)  +(warm .*);  (cold .*)$", line).groups()
            out.append("| " + " | ".join([name, *figures(warm), *figures(cold)]) + " |")
    return "\n".join(out)


def main():
    zen5 = table_cases(NAMED)
    peers = {cpu: peer_cases(name) for cpu, name in PEERS.items()}
    # A record whose form changed must not become a chart of nothing.
    assert len(zen5) >= 131 and {kind for kind, _, _ in zen5} <= set(KINDS), {kind for kind, _, _ in zen5}
    assert all(len(cases) == 86 and {case[0] for case in cases} == set(GROUPS) for cases in peers.values())
    newest, record = peers[NEWEST], PEERS[NEWEST]
    everyday = table_cases(EVERYDAY)
    assert len(everyday) == 5, len(everyday)
    files = {
        "docs/charts/everyday.svg": everyday_chart(
            everyday,
            f"Intel Xeon (Granite Rapids), {EVERYDAY[:10]}, one thread, warm; make bench-table LIST=everyday"),
        "docs/charts/peers.svg": peers_chart(
            newest, f"{NEWEST}, {record[:10]}, one thread, 86 cases; benches/record/{record}"),
    }
    tables = {"newest": peers_table(newest), "newest losses": losses_to_peers(newest, 0.9), "cpus": cpus_table(peers),
              "small": small_table(), "groups": groups_table(peers), "zen5": kinds_table(zen5),
              "zen5 losses": losses_in_table(zen5), "conversions": conversions_table()}
    for page in PAGES:
        with open(os.path.join(ROOT, page), encoding="utf-8") as file:
            files[page] = file.read()
    for name, table in tables.items():
        pattern, places = rf"(<!-- chart\.py: {name} -->\n).*?(<!-- end -->)", 0
        for page in PAGES:
            new = rf"\g<1>\n{table}\n\n\g<2>"
            files[page], found = re.subn(pattern, new, files[page], flags=re.S)
            places += found
        assert places == 1, f"{places} places for the table '{name}' in {' and '.join(PAGES)}"
    for record in sorted(set(os.listdir(RECORD)) - {"README.md"}):
        assert f"]({record})" in files[PAGES[1]], f"{PAGES[1]} has no line for {record}"

    transpose = everyday[2][2]
    times = [f"{lead(transpose, way):.1f}" for way in ("cv2", "torch", "numpy")]
    for page, said in [
        ("README.md", "takes OpenCV {} times, PyTorch {} times and NumPy {} times as long".format(*times)),
        ("docs/PERFORMANCE.md", f"[{len(zen5)} cases on Zen 5]"),
        ("docs/PERFORMANCE.md", f"with the {tables['zen5 losses'].count(chr(10)) - 1} that a peer wins;"),
        ("benches/record/README.md", f"| {len(zen5)} named cases"),
    ]:
        with open(os.path.join(ROOT, page), encoding="utf-8") as file:
            assert said in " ".join(file.read().split()), f"{page} should say: {said}"

    stale = []
    for name, content in files.items():
        path = os.path.join(ROOT, name)
        before = open(path, encoding="utf-8").read() if os.path.exists(path) else None
        if before != content:
            stale.append(name)
            if "--check" not in sys.argv:
                with open(path, "w", encoding="utf-8") as file:
                    file.write(content)
    if "--check" in sys.argv and stale:
        sys.exit("not what benches/record says, run docs/chart.py: " + ", ".join(stale))
    print(f"{len(files)} files, {len(tables)} tables, as benches/record says"
          + (f"; written: {', '.join(stale)}" if stale else ""))


if __name__ == "__main__":
    main()
