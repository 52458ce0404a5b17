//! The rules: which kernel a copy gets, and which of its loops.
//!
//! They look at the loop `D` that is fastest in the destination, and at the loop `S` whose step in the source is one
//! element. They are the rows of a table, [`RULES`], of which the first one that answers decides. docs/ENGINE.md has
//! them as a list, which is made of what stands behind `Rule:` here (`make plans`), so that it cannot say anything
//! else.

use super::super::kernels::{self, Family, Permutation};
use super::super::loops::{Loop, turns};
use super::super::problem::Problem;
use super::numbers::{
    BLOCKS_IN_ROW, ELEMENTS_IN_BLOCKS, FEW, LANE, LEAST_IN_CALL, LEAST_PACKED, LINE, LONG_BLOCKS, LONGEST_PACKED,
    MANY_ALONE, MANY_BLOCKS, MANY_REPEATED,
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
    /// In the order of the destination, of which `d` is the first.
    loops: &'a [Loop],
    d: Loop,
}

/// What a rule answers: the kernel, and the loop that becomes its second one.
type Answer = Option<(Choice, usize)>;

/// In the order in which they are asked. A copy that none of them takes is **transposed**, or anything else.
const RULES: [fn(&Facts<'_>) -> Answer; 7] = [wide, spread, permuted, whole_run, deinterleaved, gathered, interleaved];

/// The kernel, its loops in front.
pub(super) fn choose_kernel(problem: &mut Problem, level: Level, lengths: Lengths, machine: &Machine) -> Choice {
    let (width, bytes) = (problem.width, lengths.bytes);
    let loops = problem.loops.as_slice();
    let Some(&d) = loops.first() else { return rows(width, level) };
    let facts = Facts { width, level, bytes, loops, d };
    if let Some((choice, second)) = RULES.iter().find_map(|rule| rule(&facts)) {
        problem.loops.bring(second, 1);
        return choice;
    }
    match loops.iter().position(|l| l.src == width).or_else(|| loops.iter().position(|l| facts.one_by_one(l))) {
        Some(s) => transposed(problem, s, level, lengths, machine),
        None => anything_else(&facts),
    }
}

impl Facts<'_> {
    fn kernel(&self, family: Family) -> Option<Choice> {
        kernel(family, self.width, self.level)
    }

    /// The same for channels of so many pixels: those that do not fill a register of AVX-512, which masks the rest, are
    /// left to AVX2 from a lane on.
    fn channels(&self, family: Family, pixels: i64) -> Option<Choice> {
        let short = (LANE..LINE).contains(&pixels.saturating_mul(self.width));
        let level = if short && self.level == Level::Avx512 { Level::Avx2 } else { self.level };
        kernel(family, self.width, level)
    }

    /// Whether pixels, of which `taken` bytes are copied, that begin `pixel` bytes apart are worth packing; those
    /// without gaps do not ask. **Spaced** leaves out bytes of pixels up to the `longest` where they are, and what
    /// fills a lane is transposed as it is.
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

    /// Whether there are many calls for few elements each: one loop more is worth more than several elements at once.
    fn is_little(&self, elements: i64) -> bool {
        self.loops.len() > 2 && elements < LEAST_IN_CALL
    }

    /// The same of calls that take two loops, whichever these are.
    fn is_little_in_rows(&self) -> bool {
        let longest = || self.loops.iter().skip(1).map(|l| l.count).max().unwrap_or(1);
        self.d.count < LEAST_IN_CALL && self.is_little(self.d.count * longest())
    }
}

/// Rule: elements above 16 bytes, mostly runs that were folded, are **rows**, a block move each; short ones at short
/// steps, and such that are repeated, as the lines below say, **spaced** or **repeat**.
fn wide(facts: &Facts<'_>) -> Answer {
    if facts.width <= kernels::WIDEST_ELEMENT {
        return None;
    }
    Some((repeated(facts).or_else(|| spaced(facts)).unwrap_or_else(|| rows(facts.width, facts.level)), 1))
}

/// Rule: where `D` has gaps in the destination, **spaced** or **strided**, the last line.
fn spread(facts: &Facts<'_>) -> Answer {
    (facts.d.dst != facts.width).then(|| (anything_else(facts), 1))
}

/// Rule: where `D` is contiguous, and with the next loops a block of at most 64 bytes (AVX-512: 128) without gaps on
/// either side, whatever order and direction it has in the source, or below AVX-512 a square of 16 bytes by as many
/// elements, and there are 512 elements and more, **permute**: each block, or as many as fill 16 bytes, by one
/// permutation of bytes; blocks of fewer than 16 bytes with gaps between them only where a row of them has 16 elements
/// (AVX-512: all). `D` alone only in blocks of at most 16 bytes that follow each other on both sides, in either
/// direction, 512 bytes and more (a single element is such a block where neither **reverse** takes it, nor, below 64
/// KiB in all, **spaced**);
/// with AVX-512 also in blocks of which 64 bytes on either side hold two, with the gaps between them, where there are
/// 128 of them, 8 in a row, and in as many blocks of any length of an element that is repeated, of widths that **fill**
/// takes.
fn permuted(facts: &Facts<'_>) -> Answer {
    let Facts { width, level, bytes, loops, d } = *facts;
    let enough = if d.src == 0 || d.src == -width { LONG_BLOCKS } else { ELEMENTS_IN_BLOCKS * width };
    let kernel = kernels::find(Family::Permute, width, level).filter(|_| bytes >= enough as u64)?;
    let level = kernels::KERNELS.get(kernel)?.level;
    let elements = turns(loops);
    let (masks, fill) = (level == Level::Avx512, kernels::find(Family::Fill, width, level).is_some());
    let (mut longest, mut bytes) = (None, width);
    let alone = kernels::find(Family::Reverse, width, level).is_none()
        && (facts.bytes >= MANY_ALONE || spaced(facts).is_none());
    for (taken, row) in loops.iter().enumerate() {
        let block = Permutation::block(width, loops.get(..taken)?, level);
        if let Some((dst, src)) = block.filter(|_| taken > 0 || alone) {
            let close = row.dst == dst && row.src.saturating_abs() == src;
            if close && dst <= LANE && row.count.saturating_mul(dst) >= LONG_BLOCKS {
                longest = Some(taken);
                break;
            }
            // A single loop has kernels of its own, which pay in longer runs; what does not fill a lane pays in rows
            // that are long enough.
            let in_row = row.count.saturating_mul(dst) >= LEAST_IN_CALL * width;
            let fills = close || dst >= LANE || masks || in_row;
            let many = masks && row.count >= BLOCKS_IN_ROW && elements >= MANY_BLOCKS.saturating_mul(d.count);
            let together = || Permutation::group([dst, src], *row, level) > 1;
            let pays = taken > 1 || taken > 0 && many && (fill && d.src == 0 || together());
            if pays && fills && elements >= ELEMENTS_IN_BLOCKS {
                longest = Some(taken);
            }
        }
        bytes = bytes.saturating_mul(row.count);
        if bytes > 2 * kernels::WIDEST_BLOCK as i64 || row.dst.saturating_mul(row.count) != bytes {
            break;
        }
    }
    longest.map(|taken| (Choice { dst_run: taken as u8, ..Choice::of(kernel as u8) }, 1))
}

/// Rule: where `D` is contiguous and does not step in the source, **fill**, or **repeat** for widths up to 64 bytes
/// that it does not take (below AVX-512 up to 21, at least 32 times); where it steps back by one element there,
/// **reverse**. Not up to four elements of at most 16 bytes below AVX-512, nor two that are the same with it.
fn whole_run(facts: &Facts<'_>) -> Answer {
    let Facts { width, level, d, .. } = *facts;
    if d.src != 0 && d.src != -width {
        return None;
    }
    let masks = level == Level::Avx512;
    if !masks && d.count <= FEW && d.count * width <= 16 {
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

/// Rule: where `D` walks pixels, forwards or backwards, and a loop of two to four turns their channels, in either
/// order, **deinterleave**; with AVX-512 that of AVX2 for channels of 16 to 63 bytes. There may be gaps between 32 or
/// more pixels of fewer than 16 bytes, which are packed on the stack: at most 63 bytes from pixel to pixel (AVX-512:
/// where **spaced** does not take short pixels, below), no other loop walks on where the channels end, and channels of
/// 4 bytes stand in their order.
fn deinterleaved(facts: &Facts<'_>) -> Answer {
    let Facts { width, loops, d, .. } = *facts;
    let pixel = d.src.saturating_abs();
    if pixel >= LONGEST_PACKED {
        return None;
    }
    let channels = |l: &Loop| {
        let taken = l.count * width;
        // Of an axis that two loops walk, all is read at once by a transpose.
        let goes_on = || loops.iter().any(|m| m.src.saturating_abs() == taken);
        // Wide elements in the other order are gathered.
        let ordered = l.src.is_positive() || width < 4;
        taken == pixel || ordered && !goes_on() && facts.gaps_pay(taken, d, pixel, longest_pixel(width).0)
    };
    let of_pixel = |l: &Loop| {
        facts.one_by_one(l) && (2..=4).contains(&l.count) && !facts.is_little(d.count * l.count) && channels(l)
    };
    let at = loops.iter().position(of_pixel)?;
    Some((facts.channels(Family::Deinterleave(loops.get(at)?.count), d.count)?, at))
}

/// Rule: where `D` takes every second, third or fourth source element of 4 or 8 bytes, forwards or backwards, a line of
/// them, no loop is contiguous in the source, and **spaced** would not take it, **gather**.
fn gathered(facts: &Facts<'_>) -> Answer {
    let Facts { width, loops, d, .. } = *facts;
    let every = (2..=4).find(|k| k * width == d.src.saturating_abs())?;
    let worth_it = d.count * width >= LINE && !facts.is_little_in_rows() && spaced(facts).is_none();
    let choice = facts.kernel(Family::Gather(every)).filter(|_| worth_it)?;
    loops.iter().all(|l| l.src != width).then_some((choice, 1))
}

/// Rule: where `D` has two to four turns, the next loop walks one pixel after the other, with gaps as above, and one
/// element after the other in the source, forwards or backwards, **interleave**, of AVX2 as above.
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

/// Rule: anything else is **strided**, element by element in destination order; with AVX-512 **spaced**, several
/// elements a step, where `D` takes steps of at most 48 bytes on both sides with elements of at most 32, if there are
/// enough: six in a row and 48 in two loops (192 where not even three elements of the closer side are in a line). Of
/// elements that are one move (1, 2, 4, 8 bytes) 16 in a row from 4 bytes on, 128 where a line has fewer than five
/// steps of the farther side, and never where it has fewer than four of the closer side, or of the farther one if the
/// destination is a run, nor where they have 16 bytes; of others 128 where a line has fewer than four steps of the
/// farther side, and never then from 9 to 15 bytes. Repeated elements are enough with six.
fn anything_else(facts: &Facts<'_>) -> Choice {
    spaced(facts).unwrap_or_else(|| strided(facts.width, facts.level))
}

fn spaced(facts: &Facts<'_>) -> Option<Choice> {
    facts.kernel(Family::Spaced).filter(|choice| packs(choice.kernel(), facts.width, facts.loops))
}

fn repeated(facts: &Facts<'_>) -> Option<Choice> {
    let Facts { width, level, d, .. } = *facts;
    // Below AVX-512 a line of the same elements is put together in memory first.
    let worth_it = level == Level::Avx512 || (d.count >= MANY_REPEATED && 3 * width <= 64);
    let repeats = d.dst == width && d.src == 0 && width <= kernels::WIDEST_REPEATED;
    facts.kernel(Family::Repeat).filter(|_| repeats && worth_it)
}
