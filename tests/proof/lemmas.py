#!/usr/bin/env python3
"""The arithmetic that the library's checks rely on, proved by z3 (z3-solver from PyPI): lemmas.py [NAMES...].

A lemma names its place, a file below src and a function, and says what holds there. It returns what is given and what
is claimed: z3 must find no case of the first without the second, claim by claim (one that is proved is given from then
on). What is given must be possible, and where `sound` is False a check is missing or a number is off: there z3 must
find a counterexample, so that no lemma holds of nothing. Lines and constants that it encodes are looked up in the
source, lines in the functions where they belong: where one is gone the lemma fails.

Numbers are unbounded unless wrapping is the question (BitVec). What is true of any number of loops, dimensions or terms
is proved by induction, of none and of one more: such a lemma begins with "Step".
"""

import itertools
import pathlib
import re
import sys
import time

from z3 import (UGE, ULE, ULT, Abs, And, BitVecs, Bools, FreshInt, If, Implies, Ints, IntVal, Not, Or, Solver, ZeroExt,
                is_bv_value, sat, unsat)

SOURCE = pathlib.Path(__file__).resolve().parents[2] / "src"
STEPS = 10**9  # of z3 for one claim, which takes at most 10^7: a busy machine decides as much as an idle one
I64, U64, U32 = 2**63 - 1, 2**64 - 1, 2**32 - 1
LEMMAS = []
fits = lambda number: And(-I64 - 1 <= number, number <= I64)
minimum, maximum = lambda a, b: If(a < b, a, b), lambda a, b: If(a > b, a, b)


def text_of(file):
    """What is compiled of a file, without its tests, its blanks as one each."""
    code = re.sub(r"//.*|/\*.*?\*/", "", (SOURCE / file).read_text(encoding="utf-8"))
    return re.sub(r"\s+", " ", re.split(r"#\[cfg\(test\)\]\s*mod ", code)[0])


def bodies(file, name):
    """The functions of this name, each from there to the brace that ends it."""
    for code in re.split(rf"\bfn {name}\b", text_of(file))[1:]:
        depths = itertools.accumulate({"{": 1, "}": -1}.get(letter, 0) for letter in code[code.index("{"):])
        yield code[:code.index("{") + next(place for place, depth in enumerate(depths) if depth == 0)]


def says(place, *lines):
    """Checks that each of these lines stands in `file: function`, wherever it breaks; LookupError."""
    there = list(bodies(*place.split(": ")))
    if not there:
        raise LookupError(f"src/{place} is gone")
    for line in lines:
        if not any(line in body for body in there):
            raise LookupError(f"src/{place} no longer says: {line}")


def found(file, pattern):
    """The group, or the groups, of a pattern that the file has once; LookupError."""
    matches = re.findall(pattern, text_of(file))
    if len(matches) != 1:
        raise LookupError(f"src/{file} has {len(matches)} times: {pattern}")
    return matches.pop()


def constant(file, name):
    """A constant such as `62` or `1 << 28`."""
    number, _, shift = found(file, rf"const {name}: \w+ = (\d+)( << (\d+))?;")
    return int(number) << int(shift or 0)


def lemma(place, without, *lines):
    """A lemma about `file: function`; what its broken variant is without; lines of that function."""
    def add(function):
        LEMMAS.append((function, place, without, lines))
        return function
    return add


def divide(given, a, b):
    """Quotient and remainder of a >= 0 by b > 0, as Rust has them."""
    q, r = FreshInt("q"), FreshInt("r")
    given += [a == q * b + r, 0 <= r, r < b]
    return q, r


def divide_up(given, a, b):
    """The quotient rounded up."""
    q = FreshInt("q")
    given += [(q - 1) * b < a, a <= q * b]
    return q


def by_induction(holds, first, now, after):
    """What is given of the state now, and what is claimed of the first one and of the one after."""
    return [holds(*now)], [holds(*(IntVal(0) + of for of in first)), holds(*after)]


def unique(q, r, p, s, w):
    """What `quotients_are_unique` proves, of these numbers."""
    return Implies(And(q * w + r == p * w + s, 0 <= r, r < w, 0 <= s, s < w), And(q == p, r == s))


@lemma("compose/mod.rs: drift", "r < w")
def quotients_are_unique(sound):
    """Two ways to write a number as q·w + r with 0 <= r < w are one. (Lemmas below use it: `unique`.)"""
    q, r, p, s, w = Ints("q r p s w")
    return [q * w + r == p * w + s, 0 <= r, r < w, 0 <= s, s < w if sound else s <= w], [q == p, r == s]


@lemma("model/arith.rs: near", "the last index in the word",
       "let mut all = offset;", "all |= size | last | (stride ^ stride >> 63);", "if all as u64 >= FAR || count >= MANY")
def small_numbers_show_in_one_word(sound):
    """A word OR-ed together that is below FAR says 0 <= offset < FAR, 1 <= size < FAR and -FAR <= stride < FAR."""
    far = constant("model/arith.rs", "FAR")
    offset, size, stride = BitVecs("offset size stride", 64)
    last = size - 1 if sound else size
    return [ULT(offset | size | last | (stride ^ stride >> 63), far)], [
        And(0 <= offset, offset < far), And(1 <= size, size < far), And(-far <= stride, stride < far)]


def sums_of_small(far, most):
    """Sums of up to `most` products of small numbers, those above 0 and those below; what is added to them is small
    as well."""
    k, up, down, base, more, last, stride = Ints("k up down base more last stride")
    holds = lambda k, up, down: And(0 <= up, up <= k * far * far, -k * far * far <= down, down <= 0)
    reach = last * stride
    above, below = up + maximum(reach, 0), down + minimum(reach, 0)
    given, claims = by_induction(holds, (0, 0, 0), (k, up, down), (k + 1, above, below))
    given += [0 <= k, k < most, 0 <= base, base < far, 0 <= more, more < far, 0 <= last, last < far, -far <= stride, stride < far]
    return given, claims + [And(fits(reach), fits(base + above + below)), And(fits(base + above + more), fits(base + below))]


@lemma("model/arith.rs: near", "FAR = 2^28 (2^29)",
       "first_to_last = first_to_last.wrapping_add(reach);", "downward = downward.wrapping_add(reach.min(0));")
def spans_of_small_numbers_fit(sound):
    """Step: lowest and highest offset of up to 64 dimensions fit i64, as their sums do, while all numbers are below
    FAR."""
    return sums_of_small(constant("model/arith.rs", "FAR") << (not sound), constant("model/mod.rs", "MAX_RANK"))


@lemma("copy/nest.rs: reached_near", "the 28 bits (29)", "let mut all = self.width | self.dst_base | self.src_base;",
       "all |= l.count | last | l.dst | (l.src ^ l.src >> 63);", "downward = downward.wrapping_add(far.min(0));")
def reaches_of_quick_plans_fit(sound):
    """Step: what up to 62 loops reach fits i64, as the sums do, the width added too, while all numbers have at most
    28 bits."""
    says("copy/execute/quick.rs: execute", "_ if used > 3 * MAX_LOOPS as u64 => false")
    says("copy/execute/quick.rs: run_loops", "choice(shape, 0).zip(nest.reached_near())")
    bits = int(found("copy/nest.rs", r"\(all as u64 >> (\d+) == 0 && iterations < MANY\)"))
    return sums_of_small(1 << bits + (not sound), constant("copy/loops.rs", "MAX_LOOPS"))


@lemma("copy/nest.rs: reached_near", "`min(MANY)`", "iterations = iterations.wrapping_mul(l.count).min(MANY);")
def products_of_small_counts_are_exact(sound):
    """Step: a product of counts below FAR that is cut off at MANY never wraps, and is exact unless the true one is
    MANY or more."""
    says("model/arith.rs: near", "count = count.min(MANY).wrapping_mul(size);")
    many, far = constant("copy/nest.rs", "MANY"), constant("model/arith.rs", "FAR")
    iterations, exact, count, width = Ints("iterations exact count width")
    most, cut = (many, lambda product: minimum(product, many)) if sound else (I64, lambda product: product)
    holds = lambda iterations, exact: And(1 <= iterations, iterations <= most,
                                          Or(iterations == exact, And(iterations == many, exact >= many)))
    given, claims = by_induction(holds, (1, 1), (iterations, exact), (cut(iterations * count), exact * count))
    given += [1 <= count, count < far, 0 <= width, width < far]
    return given, [fits(iterations * count), fits(iterations * width)] + claims


@lemma("model/arith.rs: exact", "I3", "let count = element_count(sizes)?;", "let reach = (size - 1) as i128 * stride as i128;",
       "let end_bits = (highest + 1) * bits as i128;")
def sums_of_128_bits_fit(sound):
    """Step: while the product of sizes fits i64 the sum of all size - 1 is below it, and all sums are below 2^127."""
    product, lasts, size, stride, low, high, bits, offset = Ints("product lasts size stride low high bits offset")
    holds = lambda product, lasts, low, high: And(
        1 <= product, 0 <= lasts, lasts < product, -2**63 * (lasts + 1) <= low, low <= high, high <= 2**63 * (lasts + 1))
    reach = (size - 1) * stride
    after = product * size, lasts + size - 1, low + minimum(reach, 0), high + maximum(reach, 0)
    given, claims = by_induction(holds, (1, 0, offset, offset), (product, lasts, low, high), after)
    given += [1 <= size, fits(stride), fits(offset), 1 <= bits]
    given += [bits < 8 * constant("model/dtype/mod.rs", "BYTES_LIMIT")]
    claims += [And(after[2] > -2**127, after[3] < 2**127), Implies(fits(high), (high + 1) * bits < 2**127)]
    return given + [fits(product * size)] * sound, claims


@lemma("model/layout/index.rs: offset_of", "index < size", "offset.wrapping_add(i.wrapping_mul(stride))")
def offsets_lie_in_the_span(sound):
    """Step: the offset of an index lies between lowest and highest. (What drifts are together in a composition does
    likewise.)"""
    says("model/arith.rs: exact", "lowest += reach.min(0); highest += reach.max(0);")
    says("compose/mod.rs: drift_together", "*lowest += drift.min(0); *highest += drift.max(0);")
    low, at, high, i, n, s, offset = Ints("low at high i n s offset")
    after = low + minimum((n - 1) * s, 0), at + i * s, high + maximum((n - 1) * s, 0)
    given, claims = by_induction(lambda low, at, high: And(low <= at, at <= high), (offset, offset, offset), (low, at, high), after)
    return given + [0 <= i, i < n if sound else i <= n], claims


@lemma("model/layout/mod.rs: min_bytes", "lowest >= 0", "if self.extent.lowest < 0 {",
       "bytes_for_bits((self.extent.highest + 1) as u64 * self.dtype.bits() as u64)")
def min_bytes_are_exact(sound):
    """I4 and no element below the base: the unsigned product does not wrap, and the bytes are the fewest, at most
    2^60."""
    says("model/arith.rs: bytes_for_bits", "bits.div_ceil(8)")
    says("model/arith.rs: exact", "if end_bits != end_bits as i64 as i128 {")
    lowest, highest, bits = Ints("lowest highest bits")
    total = (highest + 1) * bits
    given = [lowest <= highest, 1 <= bits, fits(total)] + [0 <= lowest] * sound
    least = divide_up(given, total, 8)
    return given, [And(0 <= total, total <= U64), And(8 * least >= total, 8 * (least - 1) < total, least <= 2**60)]


@lemma("model/build/mod.rs: resolve_axis", "dimension < rank (<=)",
       "if axis < 0 { axis.wrapping_add(rank as i64) } else { axis };", "Ok(dimension) if dimension < rank")
def axes_count_from_both_ends(sound):
    """An axis is accepted if and only if -rank <= axis < rank; below 0 it counts from the end."""
    axis, rank = BitVecs("axis rank", 64)
    dimension = If(axis < 0, axis + rank, axis)
    accepted = And(0 <= dimension, dimension < rank if sound else dimension <= rank)
    return [0 <= rank, rank <= constant("model/mod.rs", "MAX_RANK")], [accepted == And(-rank <= axis, axis < rank)]


@lemma("copy/execute/mod.rs: lies_in", "`checked_add`", "let end = address.checked_add(reach.end as u64);", "(reach.lowest >= 0) &")
def reaches_compare_without_wrapping(sound):
    """Two reaches above their base, both in the address space, that are found apart have no byte in common."""
    says("copy/execute/mod.rs: are_apart", "end(dst_address, dst) <= begin(src_address, src) || end(src_address, src) <= begin(dst_address, dst)")
    given, begin, end, byte, claims = [], [], [], [], []
    for side in ("dst", "src"):
        address, low, behind, at = BitVecs(f"{side} {side}_lowest {side}_end {side}_byte", 64)
        given += [low >= 0, low <= at, at < behind] + [UGE(address + behind, address)] * sound
        begin, end, byte = begin + [address + low], end + [address + behind], byte + [address + at]
        exact = ZeroExt(1, address + at) == ZeroExt(1, address) + ZeroExt(1, at)
        claims += [And(ULE(begin[-1], byte[-1]), ULT(byte[-1], end[-1]), exact)]
    return given + [Or(ULE(end[0], begin[1]), ULE(end[1], begin[0]))], claims + [byte[0] != byte[1]]


@lemma("copy/problem.rs: set_copy", "bytes (bits)", "check_above_base(dst, Argument::DstLayout)?;", "if count == 1 { continue; }",
       "in_order &= self.add(Loop { count, dst: dst_stride * width, src: src_stride * width });")
def products_of_loops_in_bytes_fit(sound):
    """Of a dimension above size 1 even count·step fits, in bytes: I4 bounds its reach in bits."""
    n, stride, highest, width = Ints("n stride highest width")
    given = [n >= 2, width >= 1, (n - 1) * Abs(stride) <= highest, fits((highest + 1) * width * (8 if sound else 1))]
    return given, [n * Abs(stride) <= 2 * highest, n * Abs(stride) * width <= I64]


@lemma("copy/loops.rs: continues_with", "the reach", "outer.dst == self.count.wrapping_mul(self.dst) && outer.src == self.count.wrapping_mul(self.src)")
def wrapped_products_merge_nothing(sound):
    """Where count·step leaves 64 bits (in bits it may) what is left of it is no step of another loop of the same
    reach."""
    n, s, m, outer, wraps = Ints("n s m outer wraps")
    given = [n >= 2, m >= 2, fits(s), fits(outer), n * s == outer + wraps * 2**64]
    return given + [(n - 1) * Abs(s) + (m - 1) * Abs(outer) <= I64] * sound, [wraps == 0]


@lemma("copy/loops.rs: continues_with", "the source's step", "outer.dst == self.count.wrapping_mul(self.dst) && outer.src ==")
def merged_loops_are_one_loop(sound):
    """Loops with outer step = n·inner step on both sides are one: its iteration i + n·j lies where (i, j) does, in
    the same order."""
    says("copy/problem.rs: merge", "Some(inner) if inner.continues_with(&next) => { inner.count *= next.count; true }")
    n, m, dst, src, outer_dst, outer_src, i, j, k, l = Ints("n m dst src outer_dst outer_src i j k l")
    given = [outer_dst == n * dst, 0 <= i, i < n, 0 <= j, j < m, 0 <= k, k < n, 0 <= l, l < m] + [outer_src == n * src] * sound
    t, u = i + n * j, k + n * l
    return given, [And(i * dst + j * outer_dst == t * dst, i * src + j * outer_src == t * src), And(0 <= t, t < n * m),
                   Or(j < l, And(j == l, i < k)) == (t < u)]


@lemma("copy/nest.rs: nested_extent", "one byte of the step", "if l.dst < extent { None } else { extent.checked_add(reach) }",
       "let reach = (l.count - 1).checked_mul(l.dst)?;", "loops.iter().try_fold(width, |extent, l| {")
def nested_iterations_share_no_byte(sound):
    """Step: iterations as far apart as what the faster loops occupy (none: the width) share no byte; they occupy (n
    - 1)·step more."""
    extent, s, n, i, j, a, b = Ints("extent s n i j a b")
    given = [s >= extent if sound else s >= extent - 1, 0 <= i, i < j, j < n, 0 <= a, a < extent, 0 <= b, b < extent]
    return given, [i * s + a < j * s + b, j * s + b < extent + (n - 1) * s]


@lemma("copy/part.rs: share", "the remainder's share", "(count / parts) * k + (count % parts) * k / parts")
def even_shares_are_complete(sound):
    """⌊iterations·k / parts⌋ from two products of 64 bits is exact; it grows by iterations / parts or one more, up
    to all iterations."""
    says("copy/part.rs: part", "part: u32, parts: u32", "(share(iterations, k, parts) + whole / 2)")
    says("copy/part_of_bits.rs: part_of_bits", "iterations.boundary(share(count, k, parts) as i64);")
    says("copy/execute/share.rs: new", "part: u32, parts: u32", "share(units, k, parts);")
    says("runs/iterator.rs: set_part", "(left / parts).wrapping_mul(k)).wrapping_add(left % parts * k / parts)")
    iterations, parts, k = Ints("iterations parts k")
    given = [0 <= iterations, iterations <= U64, parts <= U32, 0 <= k, k < parts]
    q, r = divide(given, iterations, parts)
    (here, _), (there, _) = divide(given, r * k, parts), divide(given, r * (k + 1), parts)
    even, following = (q * k + here, q * (k + 1) + there) if sound else (q * k, q * (k + 1))
    return given, [And(even * parts <= iterations * k, iterations * k < (even + 1) * parts),
                   And(q * (k + 1) <= U64, r * (k + 1) <= U64),
                   And(q <= following - even, following - even <= q + 1),
                   Implies(k + 1 == parts, following == iterations)]


@lemma("copy/part.rs: part", "a sixth (a third)", "if k == parts { iterations } else { even(k) };",
       "(share(iterations, k, parts) + whole / 2) & !(whole - 1);")
def rounded_shares_differ_by_a_third_at_most(sound):
    """Even bounds rounded to multiples of up to 64 iterations leave no part empty; two shares differ by one
    iteration, or by a third."""
    pattern = r"1 << \(iterations / parts / (\d+)\)\.clamp\((\d+), (\d+)\)\.ilog2\(\);"
    sixth, low, high = map(int, found("copy/part.rs", pattern))
    q, a, b, c, d, last, iterations = Ints("q a b c d last iterations")
    given = [q >= 1, 0 <= a, 0 <= c, 0 <= last]
    given += [And(q <= y - x, y - x <= q + 1) for x, y in ((a, b), (c, d), (last, iterations))]
    claims = []
    for whole in (2**k for k in range(high.bit_length()) if low <= 2**k):
        bound = lambda even: (even + whole // 2) / whole * whole
        shares = bound(b) - bound(a), bound(d) - bound(c), iterations - bound(last)
        close = [Or(x - y <= 1, 3 * x <= 4 * y) for x in shares for y in shares]
        chosen = q / (sixth if sound else sixth // 2) >= (whole if whole > low else 0)
        claims.append(Implies(chosen, And(shares[0] >= 1, shares[2] >= 1, *close)))
    return given, claims


@lemma("copy/part.rs: part", "`div_ceil`", "first = part * iterations / parts;",
       "let (begin, end) = ((first * parts).div_ceil(iterations), ((first + 1) * parts).div_ceil(iterations));")
def parts_of_one_iteration_are_those_in_it(sound):
    """Fewer iterations than parts: part p has iteration f = ⌊p·iterations / parts⌋, as all have from ⌈f·parts /
    iterations⌉ to the next iteration's first."""
    says("copy/part_of_bits.rs: part_of_bits", "((first as u64 * parts).div_ceil(count), (end as u64 * parts).div_ceil(count));")
    part, parts, iterations = Ints("part parts iterations")
    given = [1 <= iterations, iterations < parts, parts <= U32, 0 <= part, part < parts]
    first, _ = divide(given, part * iterations, parts)
    up = divide_up if sound else lambda given, a, b: divide(given, a, b)[0]
    begin, end = up(given, first * parts, iterations), up(given, (first + 1) * parts, iterations)
    return given, [And(0 <= first, first < iterations), And(begin <= part, part < end), part * iterations <= U64,
                   (first + 1) * parts <= U64, Implies(first == 0, begin == 0),
                   Implies(first == iterations - 1, end == parts)]


@lemma("copy/part.rs: part_of_run", "the phase in the share", "self.dst_base as u64 & (per_byte - 1)",
       "part.saturating_mul(share).saturating_sub(phase).min(width) as i64;", "(bound(part), bound(part + 1))")
def parts_of_a_run_are_all_of_it(sound):
    """Bounds of parts of a run of bytes or bits begin at 0, never fall, lie where bytes begin, and end where the
    run ends."""
    says("copy/nest.rs: per_byte", "if self == Self::Bytes { 1 } else { 8 }")
    lines = int(found("copy/part.rs", r"let share = \(width \+ phase\)\.div_ceil\(parts\.max\(1\)\)\.next_multiple_of\((\d+) \* per_byte\);"))
    width, parts, part = Ints("width parts part")
    given, claims = [width >= 1, 0 <= part, part < parts], []
    for per_byte, phase in ((1, IntVal(0)), (8, *Ints("phase"))):
        given += [0 <= phase, phase < per_byte]
        even = divide_up(given, width + phase if sound else width, parts)
        share = divide_up(given, even, lines * per_byte) * lines * per_byte
        bound = lambda part: minimum(maximum(part * share - phase, 0), width)
        claims += [bound(parts) == width, And(bound(0) == 0, bound(part) <= bound(part + 1)),
                   Or(part == 0, bound(part) == width, (phase + bound(part)) % per_byte == 0)]
    return given, claims


@lemma("copy/part_of_bits.rs: begins_a_byte", "`<` (<=)",
       "let begin = self.base + t * self.l.dst; (begin - self.l.dst + self.extent - 1) >> 3 < begin >> 3")
def cuts_between_bytes_share_no_byte(sound):
    """Where iteration t begins in another byte than iteration t - 1 ends in, no bit of the iterations before t
    shares a byte with one of the others."""
    says("copy/part_of_bits.rs: part_of_bits", "filter(|&e| e <= l.dst)")
    base, s, extent, t, i, j, a, b = Ints("base s extent t i j a b")
    given = [extent <= s, 0 <= i, i < t, t <= j, 0 <= a, a < extent, 0 <= b, b < extent]
    last, first, before, behind = base + (t - 1) * s + extent - 1, base + t * s, base + i * s + a, base + j * s + b
    (end, _), (begin, _), (one, _), (other, _) = (divide(given, bit, 8) for bit in (last, first, before, behind))
    return given + [end < begin if sound else end <= begin], [before <= last, first <= behind, one < other]


@lemma("copy/part_of_bits.rs: boundary", "8 iterations (7)",
       "near.into_iter().find(|&t| self.begins_a_byte(t)).unwrap_or(self.l.count)")
def bit_boundaries_never_fall(sound):
    """What `begins_a_byte` says repeats after 8 iterations, so a later iteration's boundary is not before an
    earlier one's."""
    near = int(found("copy/part_of_bits.rs", r"let near = t\.\.t\.saturating_add\((\d+)\)\.min\(self\.l\.count\);")) - (not sound)
    base, s, t, u, count = Ints("base s t u count")
    flags = Bools(" ".join(f"iteration{k}" for k in range(8)))
    def boundary(iteration):
        value = count
        for k in reversed(range(near)):
            begins = Or([And((iteration + k) % 8 == at, flag) for at, flag in enumerate(flags)])
            value = If(And(iteration + k < count, begins), iteration + k, value)
        return If(iteration <= 0, 0, value)
    return [0 <= t, t <= u, u <= count], [boundary(t) <= boundary(u), (base + s * (t + 8)) / 8 == (base + s * t) / 8 + s]


@lemma("vocabulary/xla/tiling.rs: position", "the shorter last tile", "= (whole / by.max(1), whole % by.max(1));")
def tiles_hold_each_index_once(sound):
    """index / t and index % t lie in ⌈size / t⌉ tiles of t, and are those of no other index."""
    says("vocabulary/xla/tiling.rs: cut", "self.append((digit, (size as u64).div_ceil(by.max(1) as u64) as i64));")
    size, t, index, other = Ints("size t index other")
    given = [t >= 1, 0 <= index, index < size]
    tiles = divide_up(given, size, t) if sound else divide(given, size, t)[0]
    (block, within), (other_block, other_within) = divide(given, index, t), divide(given, other, t)
    return given, [And(0 <= block, block < tiles, 0 <= within, within < t),
                   Implies(And(block == other_block, within == other_within), index == other)]


@lemma("copy/relayout/sums.rs: divide", "t - 1 (t)", "let rest = *constant % t;", "*constant /= t;",
       "let (variable, residue) = (term.variable, term.factor % t); term.factor /= t;")
def quotients_of_sums_are_sums(sound):
    """Step: a variable x of factor f adds x·(f / t) to the quotient and x·(f % t) to the remainder, which stays in
    0 ... t - 1."""
    says("copy/relayout/sums.rs: lack", "residue as i128 * (count - 1) as i128", "filter(|&reach| reach > 0).sum();",
         "filter(|&reach| reach < 0).sum();", "if up <= above && -down <= below { return Ok(()); }")
    off = int(found("copy/relayout/sums.rs", r"let \(above, below\) = \(\(t - (\d+) - rest\) as i128, rest as i128\);")) - (not sound)
    t, start, value, q, r, up, down, f, own, residue, count, x, total, rests = Ints("t start value q r up down f own residue count x total rests")
    # Towards 0: the sign of what is left is that of the factor.
    given = [0 <= x, x < count, f == own * t + residue, Abs(residue) < t, Implies(f >= 0, residue >= 0), Implies(f <= 0, residue <= 0)]
    first, rest = divide(given, start, t)
    reach = residue * (count - 1)
    holds = lambda value, q, r, up, down: And(value == q * t + r, rest + down <= r, r <= rest + up)
    after = value + x * f, q + x * own, r + x * residue, up + If(reach > 0, reach, 0), down + If(reach < 0, reach, 0)
    more, claims = by_induction(holds, (start, first, rest, 0, 0), (value, q, r, up, down), after)
    given += more + [after[3] <= t - off - rest, -after[4] <= rest, after[0] == total * t + rests, 0 <= rests, rests < t]
    return given + [unique(after[1], after[2], total, rests, t)], claims + [And(total == after[1], rests == after[2])]


@lemma("copy/relayout/pieces.rs: shorten", "the period in the outer step",
       "let outside = Variable { step: inside.step * iterations, count, ..*inside };")
def periods_hold_each_iteration_once(sound):
    """A variable split by a period m: each iteration of whole periods is one i + m·j, at the same index; the others
    come after."""
    says("copy/relayout/sums.rs: divide", "filter(|_| residue != 0)")
    says("copy/relayout/sums.rs: lack", "if count >= 2 * period {")
    says("copy/relayout/pieces.rs: advance", "self.end_piece(&split, split.now, left);")
    says("copy/relayout/pieces.rs: end_piece", "v.count = count;", "*first += further * v.step;")
    says("copy/relayout/pieces.rs: split", "self.shorten(iterations, Some(count / iterations.max(1)))")
    says("copy/relayout/pieces.rs: shorten",
         "(split.now, split.periods) = (iterations * periods.unwrap_or(1), periods.is_some());")
    m, count, step, iteration, first, divisor, rest = Ints("m count step iteration first divisor rest")
    # A residue below t, and not 0; the period is t by what divides both: at least 2.
    given = [divisor >= 1, rest >= 1, divisor * rest < divisor * m, count >= 2 * m, 0 <= iteration, iteration < count]
    (periods, left), (j, i) = divide(given, count, m), divide(given, iteration, m)
    outer = step * m if sound else step
    return given, [m >= 2, (iteration < periods * m) == (j < periods),
                   first + i * step + j * outer == first + iteration * step,
                   And(periods >= 2, left >= 0, periods * m + left == count)]


@lemma("copy/relayout/mod.rs: part", "`div_ceil`", "at.saturating_mul(granule).min(size)",
       "let even = (iterations.l.count as u128 * part as u128 / parts.max(1) as u128) as i64;")
def parts_of_relayouts_are_all_of_them(sound):
    """Bounds of parts in whole tiles begin at 0, never fall, and end where the dimension does."""
    says("copy/relayout/mod.rs: iterations", "(size as u64).div_ceil(granule.max(1) as u64) as i64")
    size, granule, parts, part = Ints("size granule parts part")
    given = [size >= 1, granule >= 1, 0 <= part, part < parts]
    iterations = divide_up(given, size, granule) if sound else divide(given, size, granule)[0]
    (here, _), (there, _) = divide(given, iterations * part, parts), divide(given, iterations * (part + 1), parts)
    bound = lambda tiles: minimum(tiles * granule, size)
    return given, [here <= there, bound(here) <= bound(there), Implies(part == 0, bound(here) == 0),
                   Implies(part + 1 == parts, And(there == iterations, bound(iterations) == size))]


@lemma("compose/mod.rs: place", "c·s in the factor", "place.wrapping_add(((rest % size) as i64).wrapping_mul(stride));",
       "rest /= size;")
def places_are_sums_over_carries(sound):
    """Step: place so far + s·⌊x / w⌋ is offset + s1·x + the sum of (s' - c·s)·⌊x / w'⌋, with w' = w·c and s' the
    next stride."""
    says("compose/mod.rs: of", "weight = weight.wrapping_mul(size);")
    x, offset, first, place, formula, rest, s, w, low, c, outer = Ints("x offset s1 place formula rest s w low c s'")
    given = [c >= 1]
    carry, digit = divide(given, rest, c)
    holds = lambda place, formula, rest, s, w, low: And(place + s * rest == formula, x == rest * w + low, 0 <= low, low < w)
    after = place + digit * s, formula + (outer - c * s if sound else outer) * carry, carry, outer, w * c, low + w * digit
    more, claims = by_induction(holds, (offset, offset + first * x, x, first, 1, 0), (place, formula, rest, s, w, low), after)
    return given + more, claims


@lemma("compose/mod.rs: drift_together", "`begin < weight` (<=)", "error.unless(!below && begin < weight as i128,",
       "let below = begin + *lowest < 0; begin += if below { *lowest } else { *highest };")
def carries_are_sums_in_their_window(sound):
    """Step: i steps add i·t to ⌊x / w⌋ and i·d to x mod w; the sums are these two where lowest and highest stay in
    0 ... w - 1."""
    says("compose/mod.rs: drift", "(begin, next.wrapping_sub(begin))")
    w, b, r, q, x, carries, drift, step, i, low, high, total, rest = Ints("w b r q x carries drift step i low high total rest")
    given = [0 <= r, r < w, b == q * w + r, i >= 0]
    carry, following = divide(given, b + step, w)
    after = x + i * step, carries + i * (carry - q), drift + i * (following - r)
    holds = lambda x, carries, drift: x == (q + carries) * w + (r + drift)
    more, claims = by_induction(holds, (b, 0, 0), (x, carries, drift), after)
    given += more + [low <= after[2], after[2] <= high, r + low >= 0, r + high < w if sound else r + high <= w]
    given += [after[0] == total * w + rest, 0 <= rest, rest < w, unique(q + after[1], r + after[2], total, rest, w)]
    return given, claims + [And(total == q + after[1], rest == r + after[2])]


@lemma("compose/mod.rs: fits", "`saturating_add(1)` (2)",
       "if drift > 0 { weight.wrapping_sub(1).wrapping_sub(begin as u64) } else { begin as u64 };")
def parts_fit_their_window(sound):
    """As many elements as fit stay between two carries, one more does not, and there are at least 2."""
    says("compose/mod.rs: split", "let fits = self.fits(first, step).max(2);")
    more = int(found("compose/mod.rs", r"\(room / drift\.unsigned_abs\(\)\.max\(1\)\)\.saturating_add\((\d+)\)")) + (not sound)
    w, r, d, i = Ints("w r d i")
    given = [0 <= r, r < w, 0 <= r + d, r + d < w, d != 0, i >= 0]
    room, _ = divide(given, If(d > 0, w - 1 - r, r), Abs(d))
    inside = And(0 <= r + i * d, r + i * d < w)
    return given, [room + more >= 2, Implies(i < room + more, inside), Implies(i == room + more, Not(inside))]


def shown(model):
    """A counterexample: the numbers that have names."""
    value = lambda of: of.as_signed_long() if is_bv_value(of) else of
    return ", ".join(f"{name} = {value(model[name])}" for name in sorted(model.decls(), key=str) if "!" not in str(name))


def solve(formulas):
    solver = Solver()
    solver.set("rlimit", STEPS)
    solver.add(*formulas)
    return solver.check(), solver


def prove(function, place, lines):
    """A counterexample of the broken variant and None, or None and why the lemma is not proved."""
    says(place, *lines)
    given, claims = function(True)
    if solve(given)[0] != sat:
        return None, "what is given is not possible, or that is not decided"
    for number, claim in enumerate(claims):
        answer, solver = solve(given + [Not(claim)])
        if answer != unsat:
            return None, f"claim {number}: " + (f"counterexample {shown(solver.model())}" if answer == sat else str(answer))
        given = given + [claim]
    given, claims = function(False)
    answers = (solve(given + [Not(claim)]) for claim in claims)
    example = next((shown(solver.model()) for answer, solver in answers if answer == sat), None)
    return example, None if example else "its broken variant holds as well, or that is not decided"


def main(names):
    proved = failed = 0
    for function, place, without, lines in LEMMAS:
        if names and function.__name__ not in names:
            continue
        begin = time.perf_counter()
        try:
            example, wrong = prove(function, place, lines)
        except (LookupError, OSError, RuntimeError, ValueError) as gone:
            example, wrong = None, gone
        seconds = f"{time.perf_counter() - begin:.1f} s"
        if wrong is None:
            print(f"proved: {function.__name__}  ({seconds}; without {without}: counterexample {example})", flush=True)
        else:
            print(f"FAILED: {function.__name__}  ({seconds}; src/{place}): {wrong}", flush=True)
        proved, failed = proved + (wrong is None), failed + (wrong is not None)
    print(f"lemmas: {proved} of {proved + failed} proved, each refuted without its check")
    return 0 if proved and not failed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
