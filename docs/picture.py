#!/usr/bin/env python3
"""The picture of the guide's page on layouts, with the answers of the library:
`python3 docs/picture.py --lib target/c/libstride.so`.

One image of 2 x 3 pixels of three channels in four places. Where each element lies the library says; this script only
paints. Written to docs/guide/src/layouts.svg; `--check` writes nothing and fails if the file is another one.
"""
import argparse
import ctypes
import os
import sys
from html import escape

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PICTURE = os.path.join(ROOT, "docs", "guide", "src", "layouts.svg")
COLOURS = ["#e4572e", "#4f9d4f", "#3f72c4"]
SIZES = [1, 3, 2, 3]  # N, C, H, W
CELL, GAP, LEFT = 30, 46, 12
F32 = 11


class Layout(ctypes.Structure):
    _fields_ = [("dtype", ctypes.c_uint32), ("rank", ctypes.c_uint32), ("offset", ctypes.c_int64),
                ("sizes", ctypes.c_int64 * 64), ("strides", ctypes.c_int64 * 64)]


def numbers(values):
    return (ctypes.c_int64 * len(values))(*values)


class Library:
    def __init__(self, path):
        self.library = ctypes.CDLL(path)

    def call(self, name, *arguments):
        status = getattr(self.library, name)(*arguments, None)
        assert status == 0, f"{name}: status {status}"

    def layout(self, name, *arguments):
        out = Layout()
        self.call(name, ctypes.byref(out), F32, len(SIZES), numbers(SIZES), *arguments)
        return out

    def view(self, layout, name, *arguments):
        out = Layout()
        self.call(name, ctypes.byref(layout), *arguments, ctypes.byref(out))
        return out

    def positions(self, layout):
        """{(c, h, w): offset}"""
        found, at = {}, ctypes.c_int64()
        sizes = layout.sizes[:4]
        for c in range(sizes[1]):
            for h in range(sizes[2]):
                for w in range(sizes[3]):
                    index = numbers([0, c, h, w])
                    self.call("stride_layout_offset", ctypes.byref(layout), 4, index, ctypes.byref(at))
                    found[c, h, w] = at.value
        return found

    def text(self, layout):
        text, length = ctypes.create_string_buffer(128), ctypes.c_uint64()
        self.call("stride_layout_format", ctypes.byref(layout), text, ctypes.c_uint64(128), ctypes.byref(length))
        return text.value.decode()

    def tiled(self, text):
        """{(h, w): position} and the number of positions of a shape of two dimensions."""
        shape, found, at, size = (ctypes.c_uint64 * 512)(), {}, ctypes.c_int64(), ctypes.c_uint64()
        self.call("stride_xla_shape_parse", text.encode(), ctypes.c_uint64(len(text)), shape)
        self.call("stride_xla_shape_byte_size", shape, ctypes.byref(size))
        for h in range(3):
            for w in range(5):
                self.call("stride_xla_linear_index", shape, 2, numbers([h, w]), ctypes.byref(at))
                found[h, w] = at.value
        return found, size.value // 4


class Svg:
    def __init__(self, width, height):
        self.parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                      f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12" role="img">',
                      "<title>where the elements of a tensor lie</title>",
                      '<rect width="100%" height="100%" fill="white"/>']

    def text(self, x, y, text, anchor="start", fill="#222", weight="normal", family="sans-serif"):
        self.parts.append(f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{fill}" font-weight="{weight}" '
                          f'font-family="{family}">{escape(text)}</text>')

    def cell(self, x, y, label="", fill="#f1f1f1", strong=True):
        self.parts.append(f'<rect x="{x}" y="{y}" width="{CELL - 2}" height="{CELL - 2}" rx="3" fill="{fill}"'
                          f'{"" if strong else " fill-opacity=" + chr(34) + "0.25" + chr(34)}/>')
        if label:
            self.text(x + CELL / 2 - 1, y + 19, label, "middle", "white" if strong and fill != "#f1f1f1" else "#555")

    def strip(self, y, title, text, cells, count):
        """Memory from left to right; `cells` is {offset: (label, colour, strong)}."""
        self.text(LEFT, y, title, weight="bold")
        self.text(LEFT + 250, y, text, fill="#555", family="monospace")
        for position in range(count):
            self.cell(LEFT + CELL * position, y + 8, *cells.get(position, ("",)))

    def __str__(self):
        return "\n".join(self.parts) + "\n</svg>\n"


def draw(library):
    svg = Svg(LEFT * 2 + CELL * 24, 5 * (CELL + GAP) + 90)
    name = lambda c, h, w: f"{'RGB'[c]}{3 * h + w}"
    svg.text(LEFT, 20, "An image of 2 x 3 pixels. The same elements, the same indices, other places in memory:",
             weight="bold")
    for h in range(2):
        for w in range(3):
            svg.cell(LEFT + CELL * w, 32 + CELL * h, str(3 * h + w), "#999")
    nhwc = library.layout("stride_layout_init_channels_last")
    nchw = library.layout("stride_layout_init", None)
    pitched = library.layout("stride_layout_init_pitched", ctypes.c_int64(2), ctypes.c_uint64(16))
    box, begin = numbers([1, 3, 2, 2]), numbers([0, 0, 0, 1])
    mirrored = library.view(nhwc, "stride_layout_crop", 4, begin, box)
    mirrored = library.view(mirrored, "stride_layout_flip", 1, numbers([3]))
    y = 122
    strips = ("pixels, NHWC", nhwc, 18), ("planes, NCHW", nchw, 18), ("rows of 16 bytes", pitched, 24)
    for title, layout, count in strips:
        cells = {at: (name(*index), COLOURS[index[0]], True) for index, at in library.positions(layout).items()}
        svg.strip(y, title, library.text(layout), cells, count)
        y += CELL + GAP
    cells = {at: (name(*index), COLOURS[index[0]], False) for index, at in library.positions(nhwc).items()}
    for index, at in library.positions(mirrored).items():
        cells[at] = (f"{'RGB'[index[0]]}{2 * index[1] + index[2]}", COLOURS[index[0]], True)
    svg.strip(y, "a view, in its own numbers", library.text(mirrored), cells, 18)
    y += CELL + GAP
    text = "f32[3,5]{1,0:T(2,2)}"
    positions, count = library.tiled(text)
    shades = ["#6a4c93", "#1982c4", "#8ac926", "#ffb000", "#ff595e", "#36949d"]
    cells = {at: (f"{h},{w}", shades[at // 4], True) for (h, w), at in positions.items()}
    svg.strip(y, "XLA tiles, with their padding", text, cells, count)
    return str(svg)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lib", required=True)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    picture = draw(Library(os.path.abspath(options.lib)))
    before = open(PICTURE, encoding="utf-8").read() if os.path.exists(PICTURE) else None
    if options.check and picture != before:
        sys.exit("docs/guide/src/layouts.svg is not what the library says: run docs/picture.py")
    if not options.check:
        with open(PICTURE, "w", encoding="utf-8") as file:
            file.write(picture)
    print("docs/guide/src/layouts.svg: as the library says")


if __name__ == "__main__":
    main()
