#!/usr/bin/env python3
"""FFmpeg as the oracle of image formats: of each format that it has a name for, the planes, their lengths, and where
every component begins and how it goes on, by libavutil's own descriptors and functions; frames that its filters and
its scaler made, taken apart by layouts; and the codes of DRM and V4L2 by the headers of Linux.

    python3 tests/image_oracle.py path/to/libstride.so [seed]

FFmpeg is the one inside of PyAV (`pip install av`), of which ctypes calls libavutil. Without it, and without the
headers, that part is skipped. LINUX_HEADERS may name a folder with newer ones.
"""

import ctypes
import glob
import os
import random
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
os.environ["STRIDE_LIBRARY"] = os.path.abspath(sys.argv[1])
sys.path.insert(0, os.path.join(ROOT, "python", "src"))

import stride  # noqa: E402
from stride import images  # noqa: E402

RANDOM = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
SIZES = [(5, 3), (1, 1), (7, 2), (1, 4), (6, 1), (640, 480), (1920, 1080)] + [
    (RANDOM.randrange(1, 300), RANDOM.randrange(1, 300)) for _ in range(20)]


def page():
    """Rows of docs/IMAGE_FORMATS.md, which are the library's: code, planes and memory, names of each list."""
    with open(os.path.join(ROOT, "docs", "IMAGE_FORMATS.md"), encoding="utf-8") as file:
        rows = [line.strip("|\n").split("|") for line in file if line.startswith("| `")]
    names = lambda cell: re.findall("`([^`]+)`", cell)
    for code, also, planes, memory, *lists in rows:
        yield names(code)[0].strip("'"), planes.strip(), memory.strip(), [names(of) for of in lists]


def check(holds, *what):
    if not holds:
        raise SystemExit(" ".join(["wrong:", *map(str, what)]))


# --- libavutil --------------------------------------------------------------------------------------------------------


class Component(ctypes.Structure):
    """AVComponentDescriptor: `step` and `offset` in bytes, `depth` in bits."""

    _fields_ = [(name, ctypes.c_int) for name in ("plane", "step", "offset", "shift", "depth")]


class Descriptor(ctypes.Structure):
    """AVPixFmtDescriptor."""

    _fields_ = [("name", ctypes.c_char_p), ("nb_components", ctypes.c_uint8), ("log2_chroma_w", ctypes.c_uint8),
                ("log2_chroma_h", ctypes.c_uint8), ("flags", ctypes.c_uint64), ("comp", Component * 4)]


def libavutil():
    """The library that PyAV has loaded."""
    try:
        import av
    except ImportError:
        print("skipped: FFmpeg's formats, av is missing")
        return None, None
    folder = os.path.dirname(os.path.abspath(av.__file__))
    found = glob.glob(os.path.join(folder, "..", "av.libs", "libavutil*.so*")) + glob.glob(
        os.path.join(folder, ".dylibs", "libavutil*"))
    if not found:
        print("skipped: FFmpeg's formats, av has no libavutil of its own")
        return None, None
    library = ctypes.CDLL(found[0])
    library.av_get_pix_fmt.argtypes = [ctypes.c_char_p]
    library.av_pix_fmt_desc_get.restype = ctypes.POINTER(Descriptor)
    return av, library


def descriptor(library, name):
    number = library.av_get_pix_fmt(name.encode())
    if number < 0:
        return None
    of = library.av_pix_fmt_desc_get(number).contents
    check(of.name.decode() == name, name)
    return number, of


def planes_beside(library, name, number, width, height, alignment):
    """Pitches, plane lengths and the whole length, as av_image_get_buffer_size has them."""
    lines, sizes = (ctypes.c_int * 4)(), (ctypes.c_size_t * 4)()
    check(library.av_image_fill_linesizes(lines, number, width) >= 0, name)
    pitches = [-(-line // alignment) * alignment for line in lines]
    check(library.av_image_fill_plane_sizes(sizes, number, height, (ctypes.c_ssize_t * 4)(*pitches)) >= 0, name)
    total = library.av_image_get_buffer_size(number, width, height, alignment)
    found = images.planes(name, width, height, pitch_alignment=alignment)
    where = (name, width, height, alignment)
    count = sum(1 for line in lines if line)
    check(len(found.layouts) == count and found.nbytes == total, *where, found, total)
    start = 0
    for layout, pitch, length in zip(found.layouts, pitches, sizes):
        check(layout.itemsize * layout.offset == start, *where, layout)
        check(layout.itemsize * layout.strides[0] == pitch, *where, layout)
        check(layout.itemsize * layout.strides[0] * layout.shape[0] == length, *where, layout)
        start += length
    return found, pitches


def components_beside(name, of, width, height, alignment, found, pitches):
    components = images.components(name, width, height, pitch_alignment=alignment).layouts
    size = components[0].itemsize
    starts = [layout.offset * layout.itemsize for layout in found.layouts]
    if len(components) != of.nb_components:
        # All of a pixel in one word.
        check(len(components) == 1 and components[0].shape == (height, width), name, components)
        for k in range(of.nb_components):
            part = of.comp[k]
            check(part.plane == 0 and part.step == size and part.offset < size, name)
        return
    for k, layout in enumerate(components):
        part = of.comp[k]
        w, h = (of.log2_chroma_w, of.log2_chroma_h) if k in (1, 2) else (0, 0)
        shape = (-(-height >> h), -(-width >> w))
        check(layout.shape == shape, name, layout, shape)
        check(layout.offset * size == starts[part.plane] + part.offset, name, layout, k)
        if shape[0] > 1:
            check(layout.strides[0] * size == pitches[part.plane], name, layout)
        check(layout.strides[1] * size == part.step, name, layout, part.step)
        check((part.depth + 7) // 8 <= size and part.depth + part.shift <= 8 * size, name, part.depth)


def formats_beside_ffmpeg(library):
    known, words, newer = [], [], []
    for _, _, memory, (_, _, names) in page():
        for name in names:
            described = descriptor(library, name)
            if not described:
                newer.append(name)
                continue
            number, of = described
            for width, height in SIZES:
                for alignment in (1, 16, 32, 64):
                    found, pitches = planes_beside(library, name, number, width, height, alignment)
                    components_beside(name, of, width, height, alignment, found, pitches)
            (words if memory == "word" else known).append(name)
    print(f"{len(known)} formats of FFmpeg by component: {' '.join(known)}")
    print(f"{len(words)} more, whose pixels are words: {' '.join(words)}")
    if newer:
        print(f"{len(newer)} more, which this FFmpeg does not know: {' '.join(newer)}")
    print(f"sizes: {len(SIZES)}, with alignments of 1, 16, 32 and 64 bytes")
    check(len(known) + len(words) > 60, "formats")


# --- Frames -----------------------------------------------------------------------------------------------------------


def noise(av, name, width, height):
    """A frame of any bytes."""
    frame = av.VideoFrame(width, height, name)
    for plane in frame.planes:
        plane.update(RANDOM.randbytes(plane.buffer_size))
    return frame


def buffer(frame, rows):
    """From the lowest byte of all planes to the end of the highest: its address, length, and the offsets of rows 0."""
    planes = frame.planes
    first = [plane.buffer_ptr for plane in planes]
    low = [at + min(0, plane.line_size * (count - 1)) for at, plane, count in zip(first, planes, rows)]
    high = [at + max(0, plane.line_size * (count - 1)) + abs(plane.line_size)
            for at, plane, count in zip(first, planes, rows)]
    return min(low), max(high) - min(low), [at - min(low) for at in first]


def taken_apart(frame):
    """The components of a frame as packed bytes, by layouts with its pitches and offsets, whatever their sign."""
    name, width, height = frame.format.name, frame.width, frame.height
    rows = [layout.shape[0] for layout in images.planes(name, width, height).layouts]
    address, length, offsets = buffer(frame, rows)
    pitches = [plane.line_size for plane in frame.planes]
    found = images.components(name, width, height, pitches=pitches, offsets=offsets)
    memory = (ctypes.c_uint8 * length).from_address(address)
    return [part.tobytes() for part in found.arrays(memory)]


def frames_of_ffmpeg(av):
    exact = [("nv12", "yuv420p"), ("nv21", "yuv420p"), ("yuv420p", "nv12"), ("yuyv422", "yuv422p"),
             ("uyvy422", "yuv422p"), ("nv24", "yuv444p"), ("rgba", "bgra"), ("bgra", "argb"), ("argb", "abgr"),
             ("rgb24", "bgr24"), ("rgb48le", "bgr48le")]
    count = 0
    for source, target in exact:
        for width, height in ((64, 6), (62, 34), (2, 2)):
            frame = noise(av, source, width, height)
            other = frame.reformat(format=target)
            check(taken_apart(frame) == taken_apart(other), source, "to", target, width, height)
            count += 1
    # vflip leaves the samples where they are, and turns the pitches round.
    flipped_planes = 0
    for name in ("yuv420p", "nv12", "bgra", "rgb24", "yuv444p10le", "gray"):
        for width, height in ((12, 4), (33, 6), (5, 3)):
            frame = noise(av, name, width, height)
            graph = av.filter.Graph()
            source = graph.add_buffer(width=width, height=height, format=frame.format, time_base="1/1")
            flip, sink = graph.add("vflip"), graph.add("buffersink")
            source.link_to(flip)
            flip.link_to(sink)
            graph.configure()
            source.push(frame)
            flipped = sink.pull()
            flipped_planes += sum(plane.line_size < 0 for plane in flipped.planes)
            for straight, upside, layout in zip(taken_apart(frame), taken_apart(flipped),
                                                images.components(name, width, height).layouts):
                row = layout.shape[1] * layout.itemsize
                rows = [straight[k:k + row] for k in range(0, len(straight), row)]
                check(b"".join(reversed(rows)) == upside, "vflip of", name, width, height)
            count += 1
    check(flipped_planes > 0, "no negative line size was met")
    print(f"{count} frames that FFmpeg made, {flipped_planes} planes of them with rows that go downward")


# --- Headers of Linux -------------------------------------------------------------------------------------------------

# Letters by which V4L2 means another order than DRM: the name gives a code of its order.
OTHERWISE = {"V4L2_PIX_FMT_AYUV32": b"y408"}


def codes_of_linux():
    """Every name of the headers that is known has the header's code; every name of the list stands in the headers."""
    patterns = [("drm/drm_fourcc.h", r"#define (DRM_FORMAT_\w+)\s+fourcc_code\('(.)', '(.)', '(.)', '(.)'\)"),
                ("linux/videodev2.h", r"#define (V4L2_PIX_FMT_\w+)\s+v4l2_fourcc\('(.)', '(.)', '(.)', '(.)'\)")]
    for k, (header, pattern) in enumerate(patterns):
        paths = glob.glob("/usr/include/" + header) + glob.glob("/usr/*/include/" + header)
        paths += glob.glob(os.path.join(os.environ.get("LINUX_HEADERS", "/usr/include/libdrm"), header))
        if not paths:
            print(f"skipped: codes of {header}, it is missing")
            continue
        codes = {}
        for path in paths:
            with open(path, encoding="utf-8") as file:
                codes.update({name: "".join(letters).encode() for name, *letters in re.findall(pattern, file.read())})
        known = 0
        for name, letters in codes.items():
            try:
                found = images.fourcc(name).to_bytes(4, "little")
            except stride.errors.ParseError:
                continue
            check(found == OTHERWISE.get(name, letters), name, found, letters)
            known += 1
        prefix = ("DRM_FORMAT_", "V4L2_PIX_FMT_")[k]
        listed = {prefix + name for _, _, _, lists in page() for name in lists[k]}
        newer = sorted(listed - set(codes))
        print(f"{known} of the {len(codes)} codes of {header}; not in this header: {' '.join(newer) or 'none'}")
        check(known > 25, header)


def main():
    codes_of_linux()
    av, library = libavutil()
    if library:
        formats_beside_ffmpeg(library)
        frames_of_ffmpeg(av)


main()
