//! The rules: which kernel a copy gets, and which of its loops.
//!
//! They look at two loops: `D`, the fastest in the destination, and `S`, whose step in the source is one element. The
//! rules are the rows of [`RULES`]; the first one that answers decides. `make plans` copies what follows `Rule:` here
//! into docs/ENGINE.md, so that both say the same.

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

/// What the rules look at.
#[derive(Clone, Copy)]
struct Facts<'a> {
    width: i64,
    level: Level,
    /// Bytes of the whole copy.
    bytes: u64,
    /// In destination order; `d` is the first.
    loops: &'a [Loop],
    d: Loop,
}

/// What a rule answers: the kernel, and the loop that becomes its second one.
type Answer = Option<(Choice, usize)>;

/// In the order in which they are asked. A copy that none of them takes is **transposed**, or anything else.
const RULES: [fn(&Facts<'_>) -> Answer; 7] = [wide, spread, permuted, whole_run, deinterleaved, gathered, interleaved];

/// Picks the kernel and moves its loops to the front.
pub(super) fn choose_kernel(problem: &mut Problem, level: Level, lengths: Lengths, machine: &Machine) -> Choice {
    let (width, bytes) = (problem.width, lengths.bytes);
    let loops = problem.loops.as_slice();
    let Some(&d) = loops.first() else { return rows(width, level) };
    let facts = Facts { width, level, bytes, loops, d };
    if let Some((choice, second)) = RULES.iter().find_map(|rule| rule(&facts)) {
        problem.loops.bring(second, 1);
        return choice;
    }
    let along_src = loops.iter().position(|l| l.src == width);
    let Some(s) = along_src.or_else(|| loops.iter().position(|l| facts.one_by_one(l))) else {
        return anything_else(&facts);
    };
    transposed(problem, s, level, lengths, machine)
}

impl Facts<'_> {
    fn kernel(&self, family: Family) -> Option<Choice> {
        kernel(family, self.width, self.level)
    }

    /// The same for channels of `pixels` pixels. With AVX-512, channels of a lane or more that do not fill a register
    /// are left to AVX2: they would need masks.
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

    /// Whether a loop walks the source element by element, forwards or backwards.
    fn one_by_one(&self, l: &Loop) -> bool {
        l.src == self.width || l.src == -self.width
    }

    /// Whether there are many calls of few elements each: one more loop in the kernel then gains more than moving
    /// several elements at once.
    fn is_little(&self, elements: i64) -> bool {
        self.loops.len() > 2 && elements < LEAST_IN_CALL
    }

    /// The same for calls that take two loops, whichever these are.
    fn is_little_in_rows(&self) -> bool {
        let longest = || self.loops.iter().skip(1).map(|l| l.count).max().unwrap_or(1);
        self.d.count < LEAST_IN_CALL && self.is_little(self.d.count * longest())
    }
}

/// Rule: elements above 16 bytes, mostly runs that were folded, are **rows**, one chunk move each; if they are repeated
/// **repeat**, and at short steps **spaced**, where the lines below allow it.
fn wide(facts: &Facts<'_>) -> Answer {
    if facts.width <= kernels::WIDEST_ELEMENT {
        return None;
    }
    Some((repeated(facts).or_else(|| spaced(facts)).unwrap_or_else(|| rows(facts.width, facts.level)), 1))
}

/// Rule: where `D` has gaps in the destination, **spaced** or **strided**, as the last line says.
fn spread(facts: &Facts<'_>) -> Answer {
    (facts.d.dst != facts.width).then(|| (anything_else(facts), 1))
}

/// Rule: **permute**, one permutation of bytes for each chunk or for as many as fill a lane, where `D`, alone or with
/// the next loops, forms a chunk of at most 64 bytes (AVX-512: 128) without gaps on either side, in any order and
/// direction in the source, or below AVX-512 a square of 16 bytes by as many elements. The copy has at least 512
/// elements, or 512 bytes if `D` is repeated or reversed. Limits: the table at this rule in `choose/rules.rs`.
///
/// | loops of a chunk | taken if |
/// |---|---|
/// | one or more | chunks of at most 16 bytes follow each other on both sides, in either direction, for 512 bytes |
/// | none: single elements | the same, and neither **reverse** nor, below 64 KiB in all, **spaced** takes them |
/// | two or more | 512 elements; below AVX-512, chunks of fewer than 16 bytes with gaps only in rows of 16 elements |
/// | one | AVX-512: 512 elements in 128 chunks, 8 in a row; 64 bytes of each side hold two chunks with the gap |
/// | one, repeated | AVX-512: the same numbers, for chunks of any length and the widths that **fill** takes |
fn permuted(facts: &Facts<'_>) -> Answer {
    let Facts { width, level, bytes, loops, d } = *facts;
    let enough = if d.src == 0 || d.src == -width { PERMUTED_ROW } else { PERMUTED_ELEMENTS * width };
    let kernel = kernels::find(Family::Permute, width, level).filter(|_| bytes >= enough as u64)?;
    let level = kernels::KERNELS.get(kernel)?.level;
    let elements = iterations(loops);
    let (masks, fill) = (level == Level::Avx512, kernels::find(Family::Fill, width, level).is_some());
    let (mut longest, mut bytes) = (None, width);
    let alone = kernels::find(Family::Reverse, width, level).is_none()
        && (facts.bytes >= PERMUTED_ALONE || spaced(facts).is_none());
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

/// Rule: where `D` is contiguous and repeats one source element, **fill**, or **repeat** for other widths up to 64
/// bytes (below AVX-512 up to 21, at least 32 times). Where it steps back by one element in the source, **reverse**.
/// Not for up to four elements of at most 16 bytes together below AVX-512, nor for two repeated elements with it.
fn whole_run(facts: &Facts<'_>) -> Answer {
    let Facts { width, level, d, .. } = *facts;
    if d.src != 0 && d.src != -width {
        return None;
    }
    let masks = level == Level::Avx512;
    if !masks && d.count <= FEW_IN_RUN && d.count * width <= LANE {
        return Some((anything_else(facts), 1));
    }
    if d.src == 0 && d.count <= 2 && masks {
        return None;
    }
    let found = match d.src {
        0 => facts.kernel(Family::Fill).or_else(|| repeated(facts)),
        _ => facts.kernel(Family::Reverse),
    };
    Some((found.filter(|_| !facts.is_little_in_rows()).unwrap_or_else(|| anything_else(facts)), 1))
}

/// Rule: **deinterleave** where `D` walks pixels, forwards or backwards, and a loop of two to four iterations walks
/// their channels, in either order; with AVX-512 the kernel of AVX2 for channels of 16 to 63 bytes. At least 32 pixels
/// of fewer than 16 bytes may have gaps between them: they are packed on the stack. They begin at most 63 bytes apart
/// (AVX-512: where **spaced** does not take short pixels, below), no other loop goes on where the channels end, and
/// channels of 4 bytes are in ascending order.
fn deinterleaved(facts: &Facts<'_>) -> Answer {
    let Facts { width, loops, d, .. } = *facts;
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
        taken == pixel || ordered && !goes_on() && facts.gaps_pay(taken, d, pixel, longest_pixel(width).0)
    };
    let of_pixel = |l: &Loop| {
        facts.one_by_one(l) && (2..=4).contains(&l.count) && !facts.is_little(d.count * l.count) && channels(l)
    };
    let at = loops.iter().position(of_pixel)?;
    Some((facts.channels(Family::Deinterleave(loops.get(at)?.count), d.count)?, at))
}

/// Rule: **gather** where `D` takes every second, third or fourth source element of 4 or 8 bytes, forwards or
/// backwards, at least a line of them, no loop is contiguous in the source, and **spaced** would not take it.
fn gathered(facts: &Facts<'_>) -> Answer {
    let Facts { width, loops, d, .. } = *facts;
    let every = (2..=4).find(|k| k * width == d.src.saturating_abs())?;
    let worth_it = d.count * width >= CACHE_LINE && !facts.is_little_in_rows() && spaced(facts).is_none();
    let choice = facts.kernel(Family::Gather(every)).filter(|_| worth_it)?;
    loops.iter().all(|l| l.src != width).then_some((choice, 1))
}

/// Rule: **interleave** where `D` has two to four iterations and the next loop walks the pixels, with gaps as above,
/// and in the source one element after the other, forwards or backwards; with AVX-512 the kernel of AVX2 as above.
fn interleaved(facts: &Facts<'_>) -> Answer {
    let Facts { width, loops, d, .. } = *facts;
    let &pixels = loops.get(1)?;
    let taken = d.count * width;
    let close = taken == pixels.dst || facts.gaps_pay(taken, pixels, pixels.dst, longest_pixel(width).1);
    if !facts.one_by_one(&pixels) || !close || facts.is_little(d.count * pixels.count) {
        return None;
    }
    Some((facts.channels(Family::Interleave(d.count), pixels.count)?, 1))
}

/// Rule: anything else is **strided**, element by element in destination order. With AVX-512 it is **spaced**, several
/// elements a step, if `D` takes steps of at most 48 bytes on both sides with elements of at most 32, and the first two
/// loops have 48 elements (192 if a line does not hold three elements of the closer side). How many `D` itself needs:
/// the table of `least_in_row` in `choose/spaced.rs`.
fn anything_else(facts: &Facts<'_>) -> Choice {
    spaced(facts).unwrap_or_else(|| strided(facts.width, facts.level))
}

fn spaced(facts: &Facts<'_>) -> Option<Choice> {
    facts.kernel(Family::Spaced).filter(|choice| packs(choice.kernel(), facts.width, facts.loops))
}

fn repeated(facts: &Facts<'_>) -> Option<Choice> {
    let Facts { width, level, d, .. } = *facts;
    // Below AVX-512 a line of equal elements is assembled in memory first.
    let worth_it = level == Level::Avx512 || (d.count >= MANY_REPEATED && 3 * width <= CACHE_LINE);
    let repeats = d.dst == width && d.src == 0 && width <= kernels::WIDEST_REPEATED;
    facts.kernel(Family::Repeat).filter(|_| repeats && worth_it)
}
