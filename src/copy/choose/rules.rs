//! The rules: the kernel that a copy gets, and the loops that it takes.
//!
//! They look at two loops: `D`, the fastest in the destination, and `S`, whose step in the source is one element. The
//! rules are the rows of [`RULES`]; the first one that answers decides. The lists after `Rule:` are the rows of a table
//! in docs/ENGINE.md, written by `make plans`, with the constants that stand in braces as numbers.

use super::super::kernels::{self, Family, Permutation};
use super::super::loops::{Loop, iterations};
use super::super::problem::Problem;
use super::numbers::{
    CACHE_LINE, CHUNKS_IN_ROW, FEW_IN_RUN, LANE, LEAST_IN_CALL, LEAST_PACKED, LONGEST_PACKED, MANY_REPEATED,
    PERMUTED_ALONE, PERMUTED_CHUNKS, PERMUTED_ELEMENTS, PERMUTED_ROW,
};
use super::spaced::packs;
use super::transposed::{Lengths, longest_pixel, transposed};
use super::{Choice, kernel, rows, strided};
use crate::machine::{Level, Machine};

/// The copy whose kernel the rules choose.
#[derive(Clone, Copy)]
struct Case<'a> {
    width: i64,
    level: Level,
    /// Bytes of the whole copy.
    bytes: u64,
    /// In destination order; `d` is the first.
    loops: &'a [Loop],
    d: Loop,
}

/// The answer of a rule: the kernel, and the loop that becomes its second one.
type Answer = Option<(Choice, usize)>;

/// The first one with an answer decides. A copy that none of them takes is **transposed**, or anything else.
const RULES: &[fn(&Case<'_>) -> Answer] = &[wide, spread, permuted, whole_run, deinterleaved, gathered, interleaved];

/// Picks the kernel and moves its loops to the front.
pub(super) fn choose_kernel(problem: &mut Problem, level: Level, lengths: Lengths, machine: &Machine) -> Choice {
    let (width, bytes) = (problem.width, lengths.bytes);
    let loops = problem.loops.as_slice();
    let Some(&d) = loops.first() else { return rows(width, level) };
    let case = Case { width, level, bytes, loops, d };
    if let Some((choice, second)) = RULES.iter().find_map(|rule| rule(&case)) {
        problem.loops.bring(second, 1);
        return choice;
    }
    let along_src = loops.iter().position(|l| l.src == width);
    let Some(s) = along_src.or_else(|| loops.iter().position(|l| case.one_by_one(l))) else {
        return anything_else(&case);
    };
    transposed(problem, s, level, lengths, machine)
}

impl Case<'_> {
    fn kernel(&self, family: Family) -> Option<Choice> {
        kernel(family, self.width, self.level)
    }

    /// The best kernel for channels of `pixels` pixels. With AVX-512, channels of a lane or more that do not fill a
    /// register are left to AVX2: they would need masks.
    fn channels(&self, family: Family, pixels: i64) -> Option<Choice> {
        let short = (LANE..CACHE_LINE).contains(&pixels.saturating_mul(self.width));
        let level = if short && self.level == Level::Avx512 { Level::Avx2 } else { self.level };
        kernel(family, self.width, level)
    }

    /// Whether pixels that begin `pixel` bytes apart, of which `taken` bytes are copied, are worth packing; pixels
    /// without gaps need no packing. They are not if **spaced** takes them (up to `longest` bytes), or if they fill a
    /// lane, which is transposed as it is.
    fn gaps_pay(&self, taken: i64, pixels: Loop, pixel: i64, longest: i64) -> bool {
        let spaced = || self.kernel(Family::Spaced).filter(|_| pixel <= longest);
        taken < LANE
            && (taken..LONGEST_PACKED).contains(&pixel)
            && pixels.count >= LEAST_PACKED
            && !spaced().is_some_and(|choice| packs(choice.kernel(), self.width, &[pixels]))
    }

    /// Whether a loop walks the source element by element, upward or downward.
    fn one_by_one(&self, l: &Loop) -> bool {
        l.src == self.width || l.src == -self.width
    }

    /// Whether there are many calls of few elements each: one more loop in the kernel then gains more than moving
    /// several elements at once.
    fn is_little(&self, elements: i64) -> bool {
        self.loops.len() > 2 && elements < LEAST_IN_CALL
    }

    /// [`is_little`](Self::is_little) for calls that take two loops, `D` and any other one.
    fn is_little_in_rows(&self) -> bool {
        let longest = || self.loops.iter().skip(1).map(|l| l.count).max().unwrap_or(1);
        self.d.count < LEAST_IN_CALL && self.is_little(self.d.count * longest())
    }
}

/// Rule: **rows**
/// - Takes: elements of more than {WIDEST_ELEMENT} bytes, mostly folded runs: one move each
/// - Not: elements that **repeat** takes, or **spaced**, by the limits of these rows
fn wide(case: &Case<'_>) -> Answer {
    if case.width <= kernels::WIDEST_ELEMENT {
        return None;
    }
    Some((repeated(case).or_else(|| spaced(case)).unwrap_or_else(|| rows(case.width, case.level)), 1))
}

/// Rule: **spaced** or **strided**
/// - Takes: `D` has gaps in the destination
/// - Limits: the last two rows decide
fn spread(case: &Case<'_>) -> Answer {
    (case.d.dst != case.width).then(|| (anything_else(case), 1))
}

/// Rule: **permute**
/// - Takes: one byte permutation for every chunk, or for as many chunks as fill a lane. A chunk is `D`, alone or with
///   the next loops, without gaps on either side; its source bytes may be in any order.
/// - Limits: chunks of at most {WIDEST_CHUNK / 2} bytes (AVX-512: {WIDEST_CHUNK}), or squares of 16-byte rows (below
///   AVX-512). Copies have at least {PERMUTED_ELEMENTS} elements, or {PERMUTED_ROW} bytes if `D` is repeated or
///   reversed.
/// - Not: too few chunks, or chunks too far apart: the table of `permuted` in `choose/rules.rs`
///
/// | loops of a chunk | taken if |
/// |---|---|
/// | one or more | chunks of at most 16 bytes follow each other on both sides, in either direction, for 512 bytes |
/// | none: single elements | they do so, and neither **reverse** nor, below 64 KiB in all, **spaced** takes them |
/// | two or more | 512 elements; below AVX-512, chunks of fewer than 16 bytes with gaps only in rows of 16 elements |
/// | one | AVX-512: 512 elements in 128 chunks, 8 in a row; 64 bytes of each side hold two chunks with the gap |
/// | one, repeated | AVX-512: 512 elements in 128 chunks of any length, 8 in a row, of the widths that **fill** takes |
fn permuted(case: &Case<'_>) -> Answer {
    let Case { width, level, bytes, loops, d } = *case;
    let enough = if d.src == 0 || d.src == -width { PERMUTED_ROW } else { PERMUTED_ELEMENTS * width };
    let kernel = kernels::find(Family::Permute, width, level).filter(|_| bytes >= enough as u64)?;
    let level = kernels::KERNELS.get(kernel)?.level;
    let elements = iterations(loops);
    let (masks, fill) = (level == Level::Avx512, kernels::find(Family::Fill, width, level).is_some());
    let (mut longest, mut bytes) = (None, width);
    let alone = kernels::find(Family::Reverse, width, level).is_none()
        && (case.bytes >= PERMUTED_ALONE || spaced(case).is_none());
    for (taken, row) in loops.iter().enumerate() {
        let chunk = Permutation::chunk(width, loops.get(..taken)?, level);
        if let Some((dst, src)) = chunk.filter(|_| taken > 0 || alone) {
            let close = row.dst == dst && row.src.saturating_abs() == src;
            if close && dst <= LANE && row.count.saturating_mul(dst) >= PERMUTED_ROW {
                longest = Some(taken);
                break;
            }
            // A chunk of one loop has kernels of its own and pays only in many chunks. A chunk that does not fill a
            // lane pays only in long rows.
            let in_row = row.count.saturating_mul(dst) >= LEAST_IN_CALL * width;
            let fills = close || dst >= LANE || masks || in_row;
            let many = masks && row.count >= CHUNKS_IN_ROW && elements >= PERMUTED_CHUNKS.saturating_mul(d.count);
            let together = || Permutation::group([dst, src], *row, level) > 1;
            let pays = taken > 1 || taken > 0 && many && (fill && d.src == 0 || together());
            if pays && fills && elements >= PERMUTED_ELEMENTS {
                longest = Some(taken);
            }
        }
        bytes = bytes.saturating_mul(row.count);
        if bytes > 2 * kernels::WIDEST_CHUNK as i64 || row.dst.saturating_mul(row.count) != bytes {
            break;
        }
    }
    longest.map(|taken| (Choice { dst_run: taken as u8, ..Choice::of(kernel as u8) }, 1))
}

/// Rule: **fill**, **repeat**, **reverse**
/// - Takes: `D` is contiguous. It repeats one source element: **fill**, or **repeat** for widths that **fill** does not
///   take. It steps back by one element in the source: **reverse**.
/// - Limits: **repeat** of at most {WIDEST_REPEATED} bytes; below AVX-512 at most {CACHE_LINE / 3}, at least
///   {MANY_REPEATED} times
/// - Not: below AVX-512, runs of at most {FEW_IN_RUN} elements and {LANE} bytes; with AVX-512, 2 repeated elements
fn whole_run(case: &Case<'_>) -> Answer {
    let Case { width, level, d, .. } = *case;
    if d.src != 0 && d.src != -width {
        return None;
    }
    let masks = level == Level::Avx512;
    if !masks && d.count <= FEW_IN_RUN && d.count * width <= LANE {
        return Some((anything_else(case), 1));
    }
    if d.src == 0 && d.count <= 2 && masks {
        return None;
    }
    let found = match d.src {
        0 => case.kernel(Family::Fill).or_else(|| repeated(case)),
        _ => case.kernel(Family::Reverse),
    };
    Some((found.filter(|_| !case.is_little_in_rows()).unwrap_or_else(|| anything_else(case)), 1))
}

/// Rule: **deinterleave**
/// - Takes: `D` walks pixels, upward or downward; a loop of two to four iterations walks their channels, in either
///   order. Pixels with gaps are packed on the stack. AVX-512 uses AVX2's kernel for channels of {LANE} bytes and more,
///   but less than a line.
/// - Limits: pixels begin fewer than {LONGEST_PACKED} bytes apart; with gaps, at least {LEAST_PACKED} pixels of fewer
///   than {LANE} bytes
/// - Not: with gaps: **spaced** takes such pixels (`longest_pixel` in `choose/transposed.rs`), another loop goes on
///   where the channels end, or channels of 4 bytes are in descending order
fn deinterleaved(case: &Case<'_>) -> Answer {
    let Case { width, loops, d, .. } = *case;
    let pixel = d.src.saturating_abs();
    if pixel >= LONGEST_PACKED {
        return None;
    }
    let channels = |l: &Loop| {
        let taken = l.count * width;
        // If two loops walk the channel axis, a transpose reads all of it at once.
        let goes_on = || loops.iter().any(|m| m.src.saturating_abs() == taken);
        // Wide channels in descending order are gathered.
        let ordered = l.src.is_positive() || width < 4;
        taken == pixel || ordered && !goes_on() && case.gaps_pay(taken, d, pixel, longest_pixel(width).0)
    };
    let of_pixel = |l: &Loop| {
        case.one_by_one(l) && (2..=4).contains(&l.count) && !case.is_little(d.count * l.count) && channels(l)
    };
    let at = loops.iter().position(of_pixel)?;
    Some((case.channels(Family::Deinterleave(loops.get(at)?.count), d.count)?, at))
}

/// Rule: **gather**
/// - Takes: `D` takes every second, third or fourth source element of 4 or 8 bytes, upward or downward
/// - Limits: at least a line of {CACHE_LINE} bytes
/// - Not: a loop is contiguous in the source, or **spaced** takes it
fn gathered(case: &Case<'_>) -> Answer {
    let Case { width, loops, d, .. } = *case;
    let every = (2..=4).find(|k| k * width == d.src.saturating_abs())?;
    let worth_it = d.count * width >= CACHE_LINE && !case.is_little_in_rows() && spaced(case).is_none();
    let choice = case.kernel(Family::Gather(every)).filter(|_| worth_it)?;
    loops.iter().all(|l| l.src != width).then_some((choice, 1))
}

/// Rule: **interleave**
/// - Takes: `D` has two to four iterations; the next loop walks the pixels, and in the source one element after the
///   other, upward or downward. AVX-512 uses AVX2's kernel for channels of {LANE} bytes and more, but less than a line.
/// - Limits: with gaps, at least {LEAST_PACKED} pixels of fewer than {LANE} bytes that begin fewer than
///   {LONGEST_PACKED} bytes apart
/// - Not: with gaps: **spaced** takes such pixels (`longest_pixel`)
fn interleaved(case: &Case<'_>) -> Answer {
    let Case { width, loops, d, .. } = *case;
    let &pixels = loops.get(1)?;
    let taken = d.count * width;
    let close = taken == pixels.dst || case.gaps_pay(taken, pixels, pixels.dst, longest_pixel(width).1);
    if !case.one_by_one(&pixels) || !close || case.is_little(d.count * pixels.count) {
        return None;
    }
    Some((case.channels(Family::Interleave(d.count), pixels.count)?, 1))
}

/// Rule: **spaced** (AVX-512)
/// - Takes: elements at small steps, several at once
/// - Limits: `D` takes steps of at most {LONGEST_STEP} bytes on both sides, with elements of at most {WIDEST_SPACED}
///   bytes. The first two loops have {LEAST_IN_LOOPS} elements ({LEAST_IN_LOOPS * 4} if a line does not hold three
///   elements of the closer side).
/// - Not: too few iterations of `D`: the table of `least_in_row` in `choose/spaced.rs`
fn spaced(case: &Case<'_>) -> Option<Choice> {
    case.kernel(Family::Spaced).filter(|choice| packs(choice.kernel(), case.width, case.loops))
}

/// Rule: **strided**
/// - Takes: anything else, element by element in destination order
fn anything_else(case: &Case<'_>) -> Choice {
    spaced(case).unwrap_or_else(|| strided(case.width, case.level))
}

fn repeated(case: &Case<'_>) -> Option<Choice> {
    let Case { width, level, d, .. } = *case;
    // Below AVX-512 a line of equal elements is assembled in memory first.
    let worth_it = level == Level::Avx512 || (d.count >= MANY_REPEATED && 3 * width <= CACHE_LINE);
    let repeats = d.dst == width && d.src == 0 && width <= kernels::WIDEST_REPEATED;
    case.kernel(Family::Repeat).filter(|_| repeats && worth_it)
}
