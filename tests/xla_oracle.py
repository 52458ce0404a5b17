#!/usr/bin/env python3
"""XLA as an independent oracle: random shapes, the same question to XLA (through jaxlib) and to libstride.

    python3 tests/xla_oracle.py path/to/libstride.so [seed [section [case]]]

Texts go to XLA's parser in a child process, because some abort the process. Two answers about a text that differ
must be explained by one of RULES; with the jaxlib that tests/proof/oracles.sh installs each rule must be the only
explanation at least once. Without jax the test is skipped. Cases are drawn and replayed as in numpy_oracle.py.
"""

import ctypes
import json
import math
import os
import re
import subprocess
import sys

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"
try:
    try:
        from jaxlib import _hlo as hlo
    except ImportError:  # its place before
        from jaxlib import _jax as hlo
    if sys.argv[1:] != ["--parse"]:
        import jax
        import jax.numpy as jnp
        import numpy as np
        from jax.experimental.layout import Format
        from jax.experimental.layout import Layout as DeviceLayout
        from jaxlib import _jax

        DeviceLayout((1, 0))  # another class had this name before
except (ImportError, TypeError) as problem:
    print(f"skipped: xla oracle, {problem}")
    sys.exit(0)


def parse_for_parent():
    """The child: one text a line as JSON, answered by ["ok", XLA's print] or ["error", message]."""
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for line in sys.stdin:
        try:
            answer = "ok", str(hlo.Shape(json.loads(line)))
        except Exception as refusal:
            answer = "error", str(refusal)
        print(json.dumps(answer), flush=True)


if sys.argv[1:] == ["--parse"]:
    sys.exit(parse_for_parent())

sys.dont_write_bytecode = True  # nothing new in the source tree
import numpy_oracle
from numpy_oracle import FILL_BUFFER, OK, OUT_OF_BOUNDS, Failure, Layout, Options, Side
from numpy_oracle import address, check, i64, same_bytes, u64
from structs import raw

jax.config.update("jax_enable_x64", True)

RULES_OF = "0.10."  # of this jaxlib
INVALID_RANK, OVERFLOW, PARSE, UNSUPPORTED = 4, 10, 40, 50
HIGH_FIRST, SHAPE_HIGH_FIRST = 0x40000000, 1
MERGE = -(2**63)
BITS = {"pred": 8, "f4e2m1fn": 4, "s1": 1, "u1": 1, "s2": 2, "u2": 2, "s4": 4, "u4": 4, "c64": 64, "c128": 128}
BITS |= {kind + str(bits): bits for kind in "su" for bits in (8, 16, 32, 64)}
BITS |= {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}
BITS |= {"f8" + kind: 8 for kind in "e3m4 e4m3 e4m3b11fnuz e4m3fn e4m3fnuz e5m2 e5m2fnuz e8m0fnu".split()}
# XLA's names of NumPy's types
NAMES = {"float32": "f32", "bfloat16": "bf16", "int8": "s8", "float64": "f64", "uint16": "u16", "complex128": "c128"}
Shape, Blocked = raw.XlaShape, raw.Blocked


def parse(lib, text):
    """Status and shape."""
    shape, data = Shape(), text.encode()
    return lib.call("xla_shape_parse", data, u64(len(data)), shape), shape


def parsed(lib, text):
    status, shape = parse(lib, text)
    check(f"status of {text}", status, OK)
    return shape


def printed(lib, shape):
    buffer, length = ctypes.create_string_buffer(4096), ctypes.c_uint64()
    check("status of format", lib.call("xla_shape_format", shape, buffer, u64(4096), ctypes.byref(length)), OK)
    return buffer.raw[: length.value].decode()


# Texts


class Parser:
    """XLA's parser in its child process."""

    def __init__(self):
        self.child = None

    def ask(self, text):
        """("ok", print), ("error", message) or ("abort", "")."""
        if self.child is None:
            command, pipe = [sys.executable, __file__, "--parse"], subprocess.PIPE
            self.child = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)
        self.child.stdin.write(json.dumps(text) + "\n")
        self.child.stdin.flush()
        answer = self.child.stdout.readline()
        if answer:
            return tuple(json.loads(answer))
        self.child.communicate()
        self.child = None
        return "abort", ""


PARSER = Parser()
HUGE = [2**31, 2**32, 2**62, 2**63 - 1]


def random_text(r):
    """A shape as text, mostly right, with now and then one of many ways to be wrong."""
    rarely = lambda chance=0.02: r.random() < chance
    one = lambda good, bad, chance=0.01: str(r.choice(bad if rarely(chance) else good))
    commas = lambda entries: [part for entry in entries for part in (",", *entry)][1:]

    def size():
        bound = ["<="] if rarely(0.08) else []
        some = [0, 1, 1, 2, 3, 4, 5, 8, 16, 128, 1004, r.randint(0, 100)]
        wrong = [*HUGE, "?", -1, "-0", "", "007", "+1", "1e3", "0x10", "<", "=", "1 2", 2**63, -(2**63), "1.0", "a"]
        return bound + [one(some, wrong, 0.03)]

    def tile():
        wrong = [0, -(2**63), "", "x", "?", 2**63 - 1]
        rank = r.randint(1, 4) if not rarely() else r.choice([0, 9])
        entries = [["*"] if rarely(0.1) and k < rank - 1 else [one([1, 2, 4, 8, 128], wrong)] for k in range(rank)]
        if rank and rarely(0.002):
            entries[-1] = [r.choice(["*", "-1", "-5"])]
        return ["(", *commas(entries), ")"]

    def number(good, bad, chance=0.03):
        return ["(", one(good, bad, chance), ")"]

    natural = BITS.get(dtype := one(list(BITS), ["F32", "f33", "", "tuple", "int", "bytes4", "f8e4m3fnX"]), 8)
    if rarely(0.005):
        dtype = r.choice(["token", "opaque", "(f32[2])", "b(f32[2])"])
    rank = r.choice([0, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6]) if not rarely(0.01) else r.choice([7, 30, 64, 65])
    if dtype[-1:] in ("n", "e", ")") and not rarely(0.1):
        rank = 0  # arrays of tokens abort XLA
    words = [dtype] + ["[", *commas(size() for _ in range(rank)), "]"] * (dtype[-1:] != ")")
    if dtype in BITS and not rarely(0.1):
        order = list(range(rank))
        order.reverse() if rarely(0.3) else r.shuffle(order)
        if order and rarely():
            wrong = r.choice([order[-1], rank, 64, 2**40, -1, 2**63 - 1])
            order = r.choice([order[1:], [*order, rank], [], [wrong, *order[1:]]])
        words += ["{", *commas([str(d)] for d in order), *([","] if rarely(0.01) else [])]
        sections = []
        if rarely(0.4):
            tiles = r.randint(1, 3) if not rarely(0.01) else r.choice([0, 9, 20])
            sections.append(["T", *(word for _ in range(tiles) for word in tile())])
        if rarely(0.3):
            sections.append(["L", *number([1, 2, 16, 128, 1024], [2**40, 2**63 - 1, 2**64, ""])])
        if rarely(0.002):
            sections.append(["L", *number([0, -1, -128], [0])])
        if rarely(0.3):
            wider = [bits for bits in (1, 2, 4, 8, 16, 32, 64, 128) if bits >= natural]
            sections.append(["E", *number(wider, [0, 1, 3, -8, 24, 256, 2**32, 2**40, ""], 0.1)])
        if rarely(0.3):
            wrong = [-5, 127, 128, 255, 256, -129, 2**31, 2**63, 2**64 - 1, 2**64, ""]
            sections.append(["S", *number([0, 1, 2, 5], wrong, 0.1)])
        if rarely(0.03):
            others = ["D({})", "SC(0:4)", "SC(7:)", "M(8)", "#(u32)", "*(u32)", "P(f32[2])", "X(1)", "D(D~)"]
            sections.insert(r.randint(0, len(sections)), [r.choice(others).format(",".join("D" * rank))])
        if rarely():
            r.shuffle(sections)
        if sections and rarely(0.01):
            sections.insert(0, r.choice(sections))
        if sections and rarely(0.01):
            sections[-1] = sections[-1][: r.choice([1, -1])]
        words += [":"] * (bool(sections) or rarely(0.05)) + sum(sections, []) + ["}"]
    if rarely(0.01):
        words.append(r.choice(["x", "{0}", ",", "f32[2]", "//", "/*", "/* a */", "/"]))
    if rarely(0.3):
        gaps = [" ", "  ", "\t", "\n", "\r\n", "\r", "/**/", "/* a */", "// b\n", "/*index=5*/"]
        wrong = ["\v", "\f", "/*/", "/", "\\", "//", "\0", "\u00a0", "\ufeff", "/* // */", "// /* \n", "/*", "/***/"]
        words = [r.choice(wrong if rarely(0.01) else gaps) + word if rarely(0.4) else word for word in words]
    text = "".join(words)
    if text and rarely(0.03):
        at, new = r.randrange(len(text)), r.choice("0123456789{}[]():,<=?*+TLESDM# \t\nfsu/%$._\"'@")
        text = text[:at] + r.choice(["", new, new + text[at], text[at] * 2]) + text[at + 1 :]
    return text


class Difference:
    """Two answers about a text, and what they say."""

    def __init__(self, text, status, ours, kind, theirs):
        self.text, self.status, self.ours, self.kind, self.theirs = text, status, ours, kind, theirs
        self.bare = re.sub(r"/\*.*?\*/|//[^\r\n]*|[ \t\r\n]", "", text, flags=re.DOTALL)
        self.accepted = kind == "ok" and status != OK  # by XLA alone
        print_form = r"(\w+)\[([^]]*)\](?:\{([\d,-]*)(?::(.*))?\})?"
        found = re.fullmatch(print_form, theirs) if kind == "ok" else None
        self.dtype, sizes, order, sections = found.groups("") if found else ("", "", "", "")
        self.sizes = [MERGE if n == "?" else int(n.strip("<=")) for n in sizes.split(",")] if sizes else []
        self.order = [int(d) for d in order.split(",")] if order else []
        self.sections = dict(re.findall(r"(SC|[DTLESPM#*])((?:\([^()]*\))+)", sections))
        tile = lambda words: [MERGE if word == "*" else int(word) for word in words.split(",")] if words else []
        self.tiles = [tile(words) for words in re.findall(r"\(([^()]*)\)", self.sections.get("T", ""))]

    def number(self, section, default):
        return int(self.sections[section][1:-1]) if section in self.sections else default

    def natural(self):
        return max(BITS.get(self.dtype, 8), 8)

    def said_space(self):
        """The memory space in the text."""
        found = re.search(r"S\((-?\d+)\)", self.bare)
        return int(found[1]) if found else 0

    def rewritten(self):
        """XLA's print with what libstride says otherwise on purpose."""
        text = self.theirs
        if self.number("E", 0) == self.natural():
            text = re.sub(r"E\(\d+\)", "", text)
        text = re.sub(r"S\(-?\d+\)", "", text)
        if self.said_space():
            text = text if ":" in text else text[:-1] + ":}" if "{" in text else text + "{:}"
            text = text[:-1] + f"S({self.said_space()})" + "}"
        return text.replace("{:}", "").replace(":}", "}")

    def buffer_bits(self):
        """Bits of the buffer as the tiles and the tail alignment want it."""
        if MERGE in self.sizes or 0 in self.sizes:
            return 0
        physical = [self.sizes[d] for d in reversed(self.order)]
        count = math.prod(self.physical_sizes(physical))
        tail = self.number("L", 1)
        return -(-count // tail) * tail * (self.number("E", 0) or self.natural())

    def physical_sizes(self, sizes):
        for tile in self.tiles:
            sizes, tile = [1] * (len(tile) - len(sizes)) + sizes, list(tile)
            prefix, suffix = sizes[: len(sizes) - len(tile)], sizes[len(sizes) - len(tile) :]
            while MERGE in tile:
                at = tile.index(MERGE)
                suffix[at + 1] *= suffix[at]
                del suffix[at], tile[at]
            sizes = prefix + [-(-size // part) for size, part in zip(suffix, tile)] + tile
        return sizes

    def bad_bits(self):
        bits = self.number("E", 0)
        least = 1 if self.dtype == "pred" else BITS.get(self.dtype, 8)
        return bits != 0 and (bits < least or bits > 128 or bits & (bits - 1) != 0)


# of libstride, except for what is inside the brackets
GRAMMAR = r"\w+\[[^]]*\](\{[-\d,]*(:(T(\([-*\d,]*\))+)?(L\(-?\d+\))?(E\(-?\d+\))?(S\(-?\d+\))?)?\})?"

# name: (what XLA does, when it explains a difference)
RULES = {
    "order": (
        "order entries that repeat or lie outside the rank are refused by XLA's validation, not by its parser",
        lambda d: d.accepted and d.status == PARSE and sorted(d.order) != list(range(len(d.sizes))),
    ),
    "tile sizes": (
        "so are tiles that are empty or have a 0; a * that ends a tile is never refused",
        lambda d: d.accepted and d.status == PARSE and any(not t or 0 in t or t[-1] == MERGE for t in d.tiles),
    ),
    "element bits": (
        "any number of bits is taken",
        lambda d: d.accepted and d.status == PARSE and d.bad_bits(),
    ),
    "natural bits": (
        "element bits that are the type's own are printed; here they say nothing and go, as in XLA's own normalisation",
        lambda d: d.status == OK and d.ours == d.rewritten() and d.number("E", 0) == d.natural(),
    ),
    "memory space": (
        "a memory space beyond 8 bits is cut to them: S(256) is S(0), S(128) is S(-128)",
        lambda d: d.status == OK and d.ours == d.rewritten() and not -128 <= d.said_space() < 128,
    ),
    "open section": (
        "what is wrong inside a section goes unnoticed: E(8} and T}",
        lambda d: d.accepted and d.status == PARSE and not re.fullmatch(GRAMMAR, d.bare) and d.bare[:2] != "b(",
    ),
    "other sections": (
        "sparse, split and metadata sections are read",
        lambda d: d.accepted and d.status == UNSUPPORTED and re.search(r"SC|[DPM#]|\*\(", d.bare),
    ),
    "no array": (
        "tuples, tokens and opaque shapes are read; a token with sizes aborts the process",
        lambda d: d.kind != "error" and d.status == UNSUPPORTED and re.match(r"\(|token|opaque", d.bare),
    ),
    "buffer": (
        "the buffer type b(f32[2]) is read",
        lambda d: d.accepted and d.status == PARSE and d.bare.startswith("b("),
    ),
    "overflow": (
        "sizes whose product overflows are refused by validation, without a look at tiles or the tail alignment",
        lambda d: d.accepted and d.status == OVERFLOW and d.buffer_bits() >= 2**63,
    ),
    "rank": (
        "any rank is taken, here up to 64",
        lambda d: d.accepted and d.status == INVALID_RANK and len(d.sizes) > 64,
    ),
    "tile limits": (
        "any number of tiles is taken, here up to 8 with 64 sizes together",
        lambda d: d.accepted and d.status == UNSUPPORTED and (len(d.tiles) > 8 or sum(map(len, d.tiles)) > 64),
    ),
    "minus": (
        "a size may be -0, and <= with the smallest number means ?",
        lambda d: d.accepted and d.status == PARSE and re.search(r"[\[,=]-0+[,\]]|<=-9223372036854775808", d.bare),
    ),
    "wrapping": (
        "a number from 2^63 on wraps to a negative one",
        lambda d: d.kind != "error" and d.status == PARSE and any(int(n) >= 2**63 for n in re.findall(r"\d+", d.bare)),
    ),
    "negative tile": (
        "a negative tile size aborts the process",
        lambda d: d.kind == "abort" and d.status == PARSE and re.search(r"[(,]-\d+[,)]", d.bare),
    ),
    "tail alignment": (
        "a tail alignment below 1 aborts the process",
        lambda d: d.kind == "abort" and d.status == PARSE and re.search(r"L\((-\d+|0+)\)", d.bare),
    ),
}
MET = dict.fromkeys(RULES, 0)


def texts(case):
    """One text to both parsers: taken or refused, and printed alike."""
    lib, text = case.lib, random_text(case.random)
    case.note(repr(text))
    kind, theirs = PARSER.ask(text)
    status, shape = parse(lib, text)
    ours = printed(lib, shape) if status == OK else None
    case.note("libstride:", status, ours)
    case.note("XLA:", kind, theirs)
    if ours is not None:
        check("what is printed is read as the same", printed(lib, parsed(lib, ours)), ours)
    if (kind, status == OK) == ("error", False) or (kind == "ok" and ours == theirs):
        return
    difference = Difference(text, status, ours, kind, theirs)
    explained = [name for name, (_, applies) in RULES.items() if applies(difference)]
    if len(explained) == 1:
        MET[explained[0]] += 1
    if not explained:
        raise Failure("no rule explains the difference")


# Sizes and strides


def random_order(r, rank):
    order = list(range(rank))
    order.reverse() if r.random() < 0.3 else r.shuffle(order)
    return order


def shape_text(dtype, sizes, order, sections=""):
    words = [",".join(map(str, entries)) for entries in (sizes, order)]
    layout = words[1] + (":" + sections if sections else "")
    return f"{dtype}[{words[0]}]" + (f"{{{layout}}}" if layout else "")


def sizes(case):
    """Bytes by XLA's cost analysis, which looks neither at tiles nor at the tail alignment."""
    r, lib = case.random, case.lib
    dtype = r.choice(list(BITS))
    natural, extents = max(BITS[dtype], 8), case.sizes(6, 12)
    bits = r.choice([0, 0, *(b for b in (1, 2, 4, 8, 16, 32, 64, 128) if b >= (BITS[dtype] if dtype != "pred" else 1))])
    dynamic = [r.random() < 0.1 for _ in extents]
    bounds = ["<=" * flag + str(n) for n, flag in zip(extents, dynamic)]
    text = shape_text(dtype, bounds, random_order(r, len(extents)), f"E({bits})" if bits else "")
    case.note(text)
    program = f"HloModule m\nENTRY e {{\n p = {text} parameter(0)\n ROOT c = {text} copy(p)\n}}"
    module = hlo.hlo_module_from_text(program)
    costs = _jax.hlo_module_cost_analysis(jax.devices()[0].client, module)
    metadata = 4 * len(extents) if any(dynamic) else 0  # the sizes themselves, which a CPU puts after the elements
    expected = int(costs.get("bytes accessedout{}", 0)) - metadata
    shape = parsed(lib, text)
    check("byte size", lib.ask("xla_shape_byte_size", shape, kind=ctypes.c_uint64), expected)
    check("by hand", expected, -(-math.prod(extents) * (bits or natural) // 8))


def strides(case):
    """Byte strides of a host array in XLA's layout."""
    r, lib = case.random, case.lib
    dtype, extents = r.choice("s8 u16 f32 f64 c128 pred".split()), case.sizes(6, 6)
    text = shape_text(dtype, extents, random_order(r, len(extents)))
    case.note(text)
    array = np.asarray(hlo.Literal(hlo.Shape(text)))
    status, layout = lib.view("layout_from_xla", parsed(lib, text))
    check("status", status, OK)
    check("sizes", layout.shape(), array.shape)
    if array.size:
        wide = lambda steps: [step for step, size in zip(steps, extents) if size > 1]
        check("strides", wide(layout.steps()), [step // array.itemsize for step in wide(array.strides)])


# Relayouts


def buffer_of(array):
    """The bytes of an array on the device, in its own layout."""
    return np.frombuffer(ctypes.string_at(array.unsafe_buffer_pointer(), array.nbytes), np.uint8)


def side(lib, of):
    """The side that is all of a layout, a shape or a blocked layout."""
    return Side(lib, {Layout: 1, Shape: 2, Blocked: 3}[type(of)], of)


def copy_sides(lib, dst, dst_memory, src, src_memory, options=None):
    to, source = ((address(memory, 0), u64(memory.size)) for memory in (dst_memory, src_memory))
    check("status of the copy", lib.call("copy_sides", side(lib, dst), *to, side(lib, src), *source, options), OK)


def random_array(case, extents, dtype):
    """Any bits, but no NaN and nothing below the least normal number: programs may change those."""
    size = math.prod(extents) * dtype.itemsize
    memory = case.memory(size)[:size]
    if dtype.kind not in "iu":
        number = dtype.itemsize // (2 if dtype.kind == "c" else 1)
        tops = memory[number - 1 :: number]
        tops[...] = tops & 0xBF | 0x20
    return memory.view(dtype).reshape(extents)


def relayouts(case):
    """jnp.transpose, and XLA's own copies from one layout to another, several arrays in one program."""
    r, lib = case.random, case.lib
    device = jax.sharding.SingleDeviceSharding(jax.devices()[0])
    placed = lambda majors: Format(DeviceLayout(tuple(majors)), device)
    arrays, orders = [], []
    for _ in range(8):
        extents = [r.choice([1, 2, 3, 4, 7, 8, 16, r.randint(1, 40)]) for _ in range(r.randint(1, 5))]
        while math.prod(extents) > 50000:
            extents[extents.index(max(extents))] = 2
        arrays.append(random_array(case, extents, jnp.dtype(r.choice(list(NAMES)))))
        orders.append([random_order(r, len(extents)) for _ in range(2)])  # most major first
    case.note([(array.dtype.name, array.shape) for array in arrays], orders)
    program = lambda inputs: ([jnp.transpose(a, first) for a, (first, _) in zip(inputs, orders)], inputs)
    formats = [[placed(pair[k]) for pair in orders] for k in range(2)]
    inputs = [jax.device_put(array, form) for array, form in zip(arrays, formats[0])]
    whole = [placed(range(array.ndim)) for array in arrays]
    turned, copied = jax.jit(program, out_shardings=(whole, formats[1]))(inputs)
    for array, pair, *results in zip(arrays, orders, inputs, turned, copied):
        memory = np.frombuffer(array.tobytes(), np.uint8)
        shapes = [parsed(lib, shape_text(NAMES[array.dtype.name], array.shape, majors[::-1])) for majors in pair]
        status, rows = lib.view_made("layout_init_byte_strides", array.itemsize, array.shape, array.strides)
        check("status", status, OK)
        rows.dtype = shapes[0].dtype
        first, second, back = (np.zeros_like(memory) for _ in range(3))
        copy_sides(lib, shapes[0], first, rows, memory)
        copy_sides(lib, shapes[1], second, shapes[0], first)
        copy_sides(lib, rows, back, shapes[1], second)
        case.note("array", array.dtype.name, array.shape, pair)
        for got, result in zip((first, first, second), results):
            same_bytes(got, buffer_of(result))
        same_bytes(back, memory)


# NumPy's name, XLA's, bits; those that this jaxlib has
PACKED = [("int4", "s4", 4), ("uint4", "u4", 4), ("int2", "s2", 2), ("uint2", "u2", 2), ("float4_e2m1fn", "f4e2m1fn", 4)]
PACKED = [entry for entry in PACKED if hasattr(jnp, entry[0])]
OTHER_ORDER = {"differs": 0, "same": 0}  # elements that would be another number, or the same, in the order of before 2025


def packed(case):
    """Elements below a byte as they lie on the device, in any order of the dimensions: place and value of each.

    What is compared is the memory of the device's own buffer. It is packed in every order, though the layout that jax
    tells of the default one does not say so (sub_byte_element_size_in_bits 0, and a size of one byte each); only as
    many bytes are read as the packed elements take. The host's arrays have a byte for each element.
    """
    r, lib = case.random, case.lib
    dtype, name, bits = r.choice(PACKED)
    extents = [r.choice([1, 2, 3, 5, 7, 8, r.randint(1, 12)]) for _ in range(r.choice([0, 1, 1, 2, 2, 3, 3, 4]))]
    order = random_order(r, len(extents))
    per_byte, majors = 8 // bits, order[::-1]
    values = np.array([r.randrange(1 << bits) for _ in range(math.prod(extents))], np.uint8).reshape(extents)
    text = shape_text(name, extents, order, f"E({bits})")
    case.note(text, values.tolist())
    host = values.view(jnp.dtype(dtype)) if name[0] == "f" else values.astype(np.int8).astype(jnp.dtype(dtype))
    place = Format(DeviceLayout(tuple(majors)), jax.sharding.SingleDeviceSharding(jax.devices()[0]))
    device = jax.device_put(host, place)
    check("order on the device", tuple(device.format.layout.major_to_minor), tuple(majors))
    size = -(-values.size // per_byte)
    memory = ctypes.string_at(device.unsafe_buffer_pointer(), size)
    case.note("memory", memory.hex())
    in_memory = values.transpose(majors).reshape(-1)
    shape = parsed(lib, text)
    check("bytes", lib.ask("xla_shape_byte_size", shape, kind=ctypes.c_uint64), size)
    for flags in 0, SHAPE_HIGH_FIRST:
        shape.flags = flags
        status, layout = lib.view("layout_from_xla", shape)
        check("status", status, OK)
        check("high bits first", bool(layout.dtype & HIGH_FIRST), bool(flags))
        for index in np.ndindex(*extents):
            at, byte, bit = i64(*index), ctypes.c_int64(), ctypes.c_uint32()
            position = lib.ask("xla_linear_index", shape, len(extents), at)
            status = lib.call("layout_byte_offset", layout, len(extents), at, ctypes.byref(byte), ctypes.byref(bit))
            check("status", status, OK)
            check(f"bit of {index}", byte.value * 8 + bit.value, position * bits)
            shift = 8 - bits - bit.value if flags else bit.value
            found = memory[byte.value] >> shift & (1 << bits) - 1
            if not flags:
                check(f"value of {index}", found, values[index])
                continue
            # In the order of before 2025 the element is taken for the one at the other end of the byte.
            mirrored = position - position % per_byte + per_byte - 1 - position % per_byte
            if mirrored < values.size:
                check(f"value of {index}, read from the other end", found, in_memory[mirrored])
                OTHER_ORDER["differs" if found != values[index] else "same"] += 1


# Tiles


def tiled(xp, array, majors, tiles, value):
    """The buffer of a tiled shape by padding, reshaping and transposing, one tile after the other."""
    array = xp.transpose(array, majors)
    for tile in tiles:
        array = xp.reshape(array, (1,) * (len(tile) - array.ndim) + array.shape)
        first = array.ndim - len(tile)
        extents, tile = list(array.shape), list(tile)
        while MERGE in tile:
            at = tile.index(MERGE)
            extents[first + at + 1] *= extents[first + at]
            del extents[first + at], tile[at]
        array = xp.reshape(array, extents)
        lacking = [(0, 0)] * first + [(0, -n % part) for n, part in zip(extents[first:], tile)]
        array = xp.pad(array, lacking, constant_values=value)
        cut = [entry for n, part in zip(array.shape[first:], tile) for entry in (n // part, part)]
        array = xp.reshape(array, extents[:first] + cut)
        inner = range(first, array.ndim)
        array = xp.transpose(array, [*range(first), *inner[::2], *inner[1::2]])
    return xp.reshape(array, (-1,))


# f32, bf16 and s8 on a TPU, one with joined dimensions, nChw16c, nhwc8
KNOWN_TILES = [[(8, 128)], [(8, 128), (2, 1)], [(8, 128), (4, 1)], [(2, 4), (2, 1)], [(1024,), (128,), (2, 1)]]
KNOWN_TILES += [[(2, MERGE, MERGE, 128), (2, 1)], [(MERGE, MERGE, 2, MERGE, 3)], [(16, 1, 1)], [(8,)]]


def random_tiled(case):
    """Extents, order (most major first), tiles; small enough."""
    r = case.random
    while True:
        extents = [r.choice([1, 2, 3, 4, 8, 9, 16, 17, r.randint(1, 140)]) for _ in range(r.randint(1, 5))]
        size = lambda last: r.choice([1, 2, 2, 3, 4, 5, 8, 16, *([] if last else [MERGE])])
        tile = lambda rank: tuple(size(k == rank - 1) for k in range(rank))
        tiles = r.choice(KNOWN_TILES) if r.random() < 0.5 else [tile(r.randint(1, 4)) for _ in range(r.randint(1, 3))]
        majors = random_order(r, len(extents))[::-1]
        if math.prod(extents) <= 20000 and tiled(np, np.zeros(extents, np.int8), majors, tiles, 1).size <= 200000:
            return extents, majors, tiles


def tile_text(tiles):
    words = [",".join("*" if size == MERGE else str(size) for size in tile) for tile in tiles]
    return "T" + "".join(f"({word})" for word in words)


def retiled(case, array, shape, buffer):
    """From the shape to another order and other tiles."""
    majors, tiles = random_order(case.random, array.ndim), case.random.choice(KNOWN_TILES)
    expected = tiled(np, array, majors, tiles, 0)
    text = shape_text(f"u{array.itemsize * 8}", array.shape, majors[::-1], tile_text(tiles))
    case.note("to", text)
    if expected.size <= 200000:
        got = np.zeros(expected.nbytes, np.uint8)
        copy_sides(case.lib, parsed(case.lib, text), got, shape, buffer)
        same_bytes(got, expected.view(np.uint8))


def reblocked(case, array, shape, buffer, fill):
    """From the shape to a blocked layout, whose buffer is a transpose of the digits of the indices, and back; padding is
    `fill` in both."""
    r, lib = case.random, case.lib
    blocks, extents, digits = [], [], []  # of all dimensions, the outermost digit of each first
    for dimension, n in enumerate(array.shape):
        inner = [r.choice([2, 3, 4, 8]) for _ in range(r.choice([0, 0, 1, 1, 2]))]
        steps = [math.prod(inner[k:]) for k in range(len(inner) + 1)]
        blocks += [(dimension, step, size) for step, size in zip(steps, [0, *inner])]
        digits += [-(-n // steps[0]), *inner]
        extents.append(-(-n // steps[0]) * steps[0])
    if math.prod(extents) > 200000:
        return
    order = r.sample(range(len(blocks)), len(blocks))
    value = np.frombuffer(fill, array.dtype)[0]
    whole = np.pad(array, [(0, to - n) for n, to in zip(array.shape, extents)], constant_values=value)
    expected = np.ascontiguousarray(whole.reshape(digits).transpose(order))
    words = " ".join(f"{chr(97 + at)}/{step}" + f"%{size}" * (size > 0) for at, step, size in (blocks[k] for k in order))
    case.note("to", words)
    blocked = Blocked()
    given = words.encode(), u64(len(words)), ctypes.c_uint32(shape.dtype), array.ndim, i64(*array.shape), blocked
    check("status of the text", lib.call("blocked_parse", *given), OK)
    check("byte size", lib.ask("blocked_byte_size", blocked, kind=ctypes.c_uint64), expected.nbytes)
    got = case.memory(expected.nbytes)
    copy_sides(lib, blocked, got, shape, buffer, Options(FILL_BUFFER, fill))
    same_bytes(got, expected.reshape(-1).view(np.uint8))
    back = np.zeros_like(buffer)
    copy_sides(lib, shape, back, blocked, got, Options(FILL_BUFFER, fill))
    same_bytes(back, buffer)


def tiled_copies(case, count=1, xp=np):
    """A row-major array to a tiled shape, with the padding filled and with it left alone, and back."""
    r, lib, cases = case.random, case.lib, []
    for _ in range(count):
        extents, majors, tiles = random_tiled(case)
        cases.append((random_array(case, extents, np.dtype(r.choice(["u1", "u2", "u4", "u8"]))), majors, tiles))
        text = shape_text(f"u{cases[-1][0].itemsize * 8}", extents, majors[::-1], tile_text(tiles))
        case.note(text)
    fill = r.randbytes(16)
    value = lambda array: np.frombuffer(fill, array.dtype)[0]
    program = lambda inputs: [tiled(xp, array, *how, value(array)) for array, (_, *how) in zip(inputs, cases)]
    results = (program if xp is np else jax.jit(program))([array for array, *_ in cases])
    for (array, majors, tiles), result in zip(cases, results):
        text = shape_text(f"u{array.itemsize * 8}", array.shape, majors[::-1], tile_text(tiles))
        shape, expected = parsed(lib, text), np.asarray(result).view(np.uint8)
        check("byte size", lib.ask("xla_shape_byte_size", shape, kind=ctypes.c_uint64), expected.size)
        rows = Layout(array.itemsize, array.shape, [step // array.itemsize for step in array.strides])
        rows.dtype = shape.dtype
        memory = array.reshape(-1).view(np.uint8)
        got = case.memory(expected.size)
        before = got.copy()
        copy_sides(lib, shape, got, rows, memory)
        holds = tiled(np, np.ones_like(array), majors, tiles, 0).astype(bool).repeat(array.itemsize)
        short = u64(int(np.flatnonzero(holds)[-1]))
        sides = side(lib, shape), address(got, 0), short, side(lib, rows), address(memory, 0), u64(memory.size), None
        check("a byte short", lib.call("copy_sides", *sides), OUT_OF_BOUNDS)
        same_bytes(got, np.where(holds, expected, before))
        copy_sides(lib, shape, got, rows, memory, Options(FILL_BUFFER, fill))
        same_bytes(got, expected)
        back = np.zeros_like(memory)
        copy_sides(lib, rows, back, shape, got)
        same_bytes(back, memory)
        retiled(case, array, shape, got)
        reblocked(case, array, shape, got, fill)
        at = tuple(r.randrange(n) for n in array.shape)
        number = np.ravel_multi_index(at, array.shape)
        numbers = tiled(np, np.arange(array.size).reshape(array.shape), majors, tiles, -1)
        place = ctypes.c_int64()
        check("linear index", lib.call("xla_linear_index", shape, len(at), i64(*at), ctypes.byref(place)), OK)
        check("element there", numbers[place.value], number)
        index = i64(*at)
        check("multi index", lib.call("xla_multi_index", shape, ctypes.c_int64(place.value), len(at), index), OK)
        check("index", tuple(index), at)


def tiled_programs(case):
    """The same, several arrays through one program of jnp."""
    tiled_copies(case, 6, jnp)


SECTIONS = {
    texts: 12000,
    sizes: 5000,
    strides: 5000,
    relayouts: 16,
    packed: 200,
    tiled_copies: 3000,
    tiled_programs: 12,
}


def main(*arguments):
    version = jax.lib.__version__
    status = numpy_oracle.run_sections(f"xla oracle: jaxlib {version}", SECTIONS, *arguments)
    if status != 0 or len(arguments) > 2:
        return status
    for name, count in MET.items():
        print(f"  difference {name!r}: {count} times; XLA: {RULES[name][0]}")
    gone = [name for name, count in MET.items() if not count]
    if gone and version.startswith(RULES_OF):
        print("FAILED: differences that are gone:", *gone)
        return 1
    print(f"  packed elements, read from the other end of their bytes: {OTHER_ORDER}")
    if not OTHER_ORDER["differs"]:
        print("FAILED: the elements below a byte do not tell one order from the other")
        return 1
    return 0


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 5:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
