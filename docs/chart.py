#!/usr/bin/env python3
"""The charts and tables of measured figures, made from benches/record: `python3 docs/chart.py`.

Nothing here measures. Charts go to docs/charts; the tables between `<!-- chart.py: NAME -->` and `<!-- end -->` in
docs/PERFORMANCE.md are rewritten. `--check` writes nothing and fails if a file is not what the records say.
"""
import math
import os
import re
import sys
from html import escape

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RECORD = os.path.join(ROOT, "benches", "record")
PAGE = os.path.join(ROOT, "docs", "PERFORMANCE.md")
OURS = "libstride"
COLOURS = {OURS: "#1f5fa8", "best peer": "#d9730d", "PyTorch": "#8a8f98", "NumPy": "#c3c7cd"}
WAYS = ["planned", "one call", "stream", "naive", "numpy", "torch", "cv2", "ndarray", "strided-perm", "ndcopy",
        "transpose"]
KINDS = {"packed": "one run", "small": "a few elements", "transpose": "2-D transpose", "narrow": "2-D, one side short",
         "nchw to nhwc": "NCHW to NHWC", "nhwc to nchw": "NHWC to NCHW", "permute": "rank 3 to 6 permuted",
         "rows": "rows kept whole", "step": "steps, columns", "reverse": "mirrored", "fill": "repeated (stride 0)"}
GROUPS = {"A": "2-D transpose", "B": "NCHW, NHWC", "C": "heads, inner axis kept or moved", "D": "rank 3 to 6 permuted",
          "E": "crops, steps, mirrored", "F": "repeated (stride 0)", "G": "pitches, padding", "H": "a few elements"}


def geomean(numbers):
    # A figure below a hundredth is written 0.00: what it was is at most that.
    return math.exp(sum(math.log(max(x, 0.005)) for x in numbers) / len(numbers))


def lines_of(name):
    with open(os.path.join(RECORD, name), encoding="utf-8") as file:
        return file.read().splitlines()


def table_cases(name):
    """The cases of `make bench-table`: kind, name, {way: median}. Ways that cannot do a case are absent."""
    cases = []
    for line in lines_of(name):
        match = re.match(r"(\S.{13})(.+?)\s+(\d+) ns\s+(.*)$", line)
        if not match or line.startswith(("#", "kind")):
            continue
        fields, figures, at = match[4].split(), {}, 0
        for way in WAYS:
            if fields[at] == "-":
                at += 1
            else:
                figures[way] = float(fields[at + 1])
                at += 2
        assert at + 2 == len(fields), line
        cases.append((match[1].strip(), match[2].strip(), figures))
    return cases


def peer_cases(name):
    """The named cases beside many peers: group, name, ours, best peer, its figure."""
    cases = []
    for line in lines_of(name):
        match = re.match(r"([A-H]) (.+?)\s{2,}(\d+\.\d+) (.*?)\s(\w+)\s+(\d+\.\d+)\s+(\d+\.\d+)$", line)
        if match:
            cases.append((match[1], match[2], float(match[3]), match[5], float(match[6])))
    return cases


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


def kinds_of(cases):
    """Per kind: how many cases, {what: geometric mean}, cases in which a peer is faster."""
    rows = []
    for kind, label in KINDS.items():
        of_kind = [figures for other, _, figures in cases if other == kind]
        best = [max(x for way, x in f.items() if way in WAYS[3:]) for f in of_kind]
        means = {OURS: geomean([f["planned"] for f in of_kind]), "best peer": geomean(best)}
        for name, way in (("PyTorch", "torch"), ("NumPy", "numpy")):
            able = [f[way] for f in of_kind if way in f]
            if 4 * len(able) >= 3 * len(of_kind):  # over those that it can do
                means[name] = geomean(able)
        rows.append((label, len(of_kind), means, sum(b > f["planned"] for b, f in zip(best, of_kind))))
    return rows


def kinds_chart(cases, subtitle):
    rows, left, unit, row = kinds_of(cases), 190, 210, 46
    chart = Svg(880, 92 + row * len(rows) + 34, "libstride beside its peers")
    chart.text(12, 22, "Copies of eleven kinds; memcpy of the same bytes = 1", size=15, weight="bold")
    chart.text(12, 40, subtitle, fill="#555")
    x = left
    for name, colour in COLOURS.items():
        label = "best of eight peers, chosen case by case" if name == "best peer" else name
        chart.bar(x, 52, 12, 12, colour)
        chart.text(x + 17, 62, label)
        x += 40 + 6.6 * len(label)
    bottom = 84 + row * len(rows)
    for tick in range(0, 12, 2):
        chart.line(left + unit * tick / 4, 78, left + unit * tick / 4, bottom, "#888" if tick == 4 else "#e2e2e2")
        chart.text(left + unit * tick / 4, bottom + 15, f"{tick / 4:g}", "middle", "#555")
    for k, (label, count, means, behind) in enumerate(rows):
        y = 84 + row * k
        chart.text(12, y + 17, label, weight="bold")
        chart.text(12, y + 31, f"{count} cases" + (f", a peer leads in {behind}" if behind else ""),
                   fill="#a33" if behind else "#555", size=11)
        for j, name in enumerate(COLOURS):
            height, at = (13, y) if j == 0 else (8, y + 14 + 9 * (j - 1))
            if name in means:
                chart.bar(left, at, unit * means[name], height, COLOURS[name])
                chart.text(left + unit * means[name] + 4, at + height - (2 if j == 0 else 0), f"{means[name]:.2f}",
                           fill="#222" if j == 0 else "#666", size=12 if j == 0 else 9)
    return str(chart)


def peers_chart(cases, subtitle):
    """Each case as a dot, ours over the best peer, on a logarithmic axis; those that a peer wins are named."""
    behind = sorted((ours / best, name, peer) for _, name, ours, peer, best in cases if ours < best)
    left, width, row = 235, 560, 30
    top, bottom = 78, 78 + row * len(GROUPS)
    chart = Svg(860, bottom + 58 + 16 * ((len(behind) + 1) // 2), "libstride over the best peer, case by case")

    def at(ratio):
        return left + width * (math.log2(min(max(ratio, 0.5), 16)) + 1) / 5

    chart.text(12, 22, "libstride over the best of the peers, each case a dot", size=15, weight="bold")
    chart.text(12, 40, subtitle, fill="#555")
    chart.text(12, 56, "right of the line libstride is faster, left of it (red) the peer named below", fill="#555")
    for tick in (0.5, 1, 2, 4, 8, 16):
        chart.line(at(tick), top - 8, at(tick), bottom - 6, "#888" if tick == 1 else "#e2e2e2")
        chart.text(at(tick), bottom + 9, f"{tick:g} x", "middle", "#555")
    for k, (group, label) in enumerate(GROUPS.items()):
        y = top + row * k + 6
        chart.text(12, y + 4, label)
        for j, (_, _, ours, _, best) in enumerate(c for c in cases if c[0] == group):
            chart.dot(at(ours / best), y + (j % 3 - 1) * 6, "#c22" if ours < best else COLOURS[OURS])
    half = (len(behind) + 1) // 2
    for k, (ratio, name, peer) in enumerate(behind):
        x, y = 12 + 425 * (k // half), bottom + 36 + 16 * (k % half)
        chart.text(x, y, f"{ratio:.2f}  {name}: {peer}", fill="#a33", size=11)
    return str(chart)


def kinds_table(cases):
    out = ["| copies | cases | libstride | best peer of each case | PyTorch | NumPy | cases that a peer wins |",
           "|---|---|---|---|---|---|---|"]
    for label, count, means, behind in kinds_of(cases):
        cells = [f"{means[name]:.2f}" if name in means else "–" for name in COLOURS]
        out.append(f"| {label} | {count} | **{cells[0]}** | {cells[1]} | {cells[2]} | {cells[3]} | {behind} |")
    return "\n".join(out)


def peers_table(cases):
    out = ["| copies | cases | libstride | best peer of each case | libstride over it | cases that a peer wins |",
           "|---|---|---|---|---|---|"]
    for group, label in GROUPS.items():
        mine = [c for c in cases if c[0] == group]
        ours, best = geomean([c[2] for c in mine]), geomean([c[4] for c in mine])
        behind = sum(c[2] < c[4] for c in mine)
        out.append(f"| {label} | {len(mine)} | **{ours:.2f}** | {best:.2f} | {ours / best:.2f} | {behind} |")
    return "\n".join(out)


def losses_table(rows):
    """Rows are: case, ours, the faster peer, its figure."""
    out = ["| case | libstride | faster | its figure | libstride over it |", "|---|---|---|---|---|"]
    for name, ours, peer, best in sorted(rows, key=lambda row: row[1] / row[3]):
        out.append(f"| {name} | {ours:.2f} | {peer} | {best:.2f} | {ours / best:.2f} |")
    return "\n".join(out)


def losses_to_peers(cases):
    return losses_table([(name, ours, peer, best) for _, name, ours, peer, best in cases if ours < best])


def losses_in_table(cases):
    rows = []
    for kind, name, figures in cases:
        peer = max((way for way in figures if way in WAYS[3:]), key=figures.get)
        if figures[peer] > figures["planned"]:
            rows.append((f"{KINDS[kind]}: {name}", figures["planned"], peer, figures[peer]))
    return losses_table(rows)


def calls_table(name):
    """Small copies of `make bench-calls`, in nanoseconds."""
    out = ["| copy | planned, ns | one call, ns | planning, ns |", "|---|---|---|---|"]
    for line in lines_of(name):
        match = re.fullmatch(r"(\S.*?)\s+(\d+\.\d)\s+(\d+\.\d)\s+(\d+\.\d)", line)
        if match:
            out.append("| " + " | ".join(match.groups()) + " |")
    return "\n".join(out[:7])  # behind them stand those of two threads


def main():
    zen5 = table_cases("2026-11-21-zen5.txt")
    zen5_peers = peer_cases("2026-11-21-zen5-peers.txt")
    xeon_peers = peer_cases("2026-11-22-emerald-rapids-peers.txt")
    zen4_peers = peer_cases("2026-11-22-zen4-peers.txt")
    # A record whose form changed must not become a chart of nothing.
    assert len(zen5) == 131 and {kind for kind, _, _ in zen5} == set(KINDS), len(zen5)
    assert [len(peers) for peers in (zen5_peers, xeon_peers, zen4_peers)] == [86] * 3
    when = "2026-11-21, one thread,"
    later = "2026-11-22, one thread,"
    files = {
        "docs/charts/zen5.svg": kinds_chart(
            zen5, f"AMD EPYC (Zen 5), {when} geometric means of 131 cases; benches/record/2026-11-21-zen5.txt"),
        "docs/charts/zen5-peers.svg": peers_chart(
            zen5_peers, f"AMD EPYC (Zen 5), {when} 86 cases; benches/record/2026-11-21-zen5-peers.txt"),
        "docs/charts/emerald-rapids-peers.svg": peers_chart(
            xeon_peers, f"Intel Xeon (Emerald Rapids), {later} 86 cases; "
                        "benches/record/2026-11-22-emerald-rapids-peers.txt"),
        "docs/charts/zen4-peers.svg": peers_chart(
            zen4_peers, f"AMD EPYC (Zen 4), {later} 86 cases; benches/record/2026-11-22-zen4-peers.txt"),
    }
    tables = {"zen5": kinds_table(zen5), "zen5 losses": losses_in_table(zen5), "zen5 peers": peers_table(zen5_peers),
              "zen5 peers losses": losses_to_peers(zen5_peers), "emerald rapids": peers_table(xeon_peers),
              "emerald rapids losses": losses_to_peers(xeon_peers),
              "zen4": peers_table(zen4_peers), "zen4 losses": losses_to_peers(zen4_peers),
              "zen5 calls": calls_table("2026-11-21-zen5-calls.txt"),
              "zen3 calls": calls_table("2026-11-21-zen3-calls.txt"),
              "zen4 calls": calls_table("2026-11-22-zen4-calls.txt")}
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    for name, table in tables.items():
        pattern = rf"(<!-- chart\.py: {name} -->\n).*?(<!-- end -->)"
        page, found = re.subn(pattern, lambda match, new=f"\n{table}\n\n": match[1] + new + match[2], page, flags=re.S)
        assert found == 1, f"docs/PERFORMANCE.md has {found} places for the table '{name}'"
    files["docs/PERFORMANCE.md"] = page

    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        said = f"A peer is faster in {tables['zen5 losses'].count(chr(10)) - 1} of the {len(zen5)} cases"
        assert said in " ".join(file.read().split()), f"README.md should say: {said}"

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
