//! Transposes: the loops that form their two runs, and those that another kernel moves faster.
//!
//! A transpose wants long runs on both sides, and a short loop must not spoil them. So `D` takes in further loops while
//! together they are one run of the destination, and `S` likewise in the source, until a run is a few cache lines long.
//! The kernel gets two tables of row offsets; it cannot tell one loop from five.

use super::super::kernels::{Family, Kernel};
use super::super::loops::Loop;
use super::super::problem::Problem;
use super::numbers::{
    CACHE_LINE, LANE, LONG_ENOUGH, LONGEST_PIXEL_READ, MANY_PIXELS, ODD_PIXEL_READ, ODD_PIXEL_WRITTEN, PIXEL_READ,
    PIXEL_WRITTEN, SMALL_TRANSPOSE, SMALL_TRANSPOSE_WIDE, SOME_LINES, TINY_TRANSPOSE,
};
use super::spaced::packs;
use super::{Choice, kernel, strided};
use crate::machine::{Level, Machine};

/// Rule: **transpose**
/// - Takes: `D` is contiguous; another loop `S` is contiguous in the source, upward or downward. (Downward is upward
///   with the rows of the destination in reverse order.)
/// - Not: `D` or `S` walks {MANY_PIXELS} or more short pixels (`longest_pixel` in `choose/transposed.rs`): **spaced**,
///   channel by channel. Many transposes of at most {TINY_TRANSPOSE} elements each, or, of copies below L3/4, of at
///   most {SMALL_TRANSPOSE} (wide elements: {SMALL_TRANSPOSE_WIDE}; `is_tiny` has more), and runs that are short for
///   their width (`is_narrow`): **strided**.
pub(super) fn transposed(problem: &mut Problem, s: usize, level: Level, lengths: Lengths, machine: &Machine) -> Choice {
    let width = problem.width;
    let alone = |problem: &mut Problem| {
        problem.normalise();
        strided(width, level)
    };
    let Some(found) = kernel(Family::Transpose, width, level) else { return alone(problem) };
    problem.walk_source_upward(s);
    if let Some(choice) = kernel(Family::Spaced, width, level)
        && short_pixels(problem, choice.kernel(), s)
    {
        return choice;
    }
    let ([dst_run, src_run], elements) = grow_runs(problem, s, lengths);
    let many = problem.loops.as_slice().len() > dst_run + src_run;
    if many && is_tiny(width, elements, problem.nest().bytes(), machine) || is_narrow(width, elements) {
        return alone(problem);
    }
    Choice { dst_run: dst_run as u8, src_run: src_run as u8, ..found }
}

/// The longest pixels, in bytes, for which **spaced** is faster than a transpose: read, and written. Transposes of
/// widths that are not a power of two are slow.
///
/// | width w | read | written |
/// |---|---|---|
/// | power of two | 8 + 4w, at most 40 | 6 + 2w |
/// | other | 16 + 2w | 12 + 2w |
pub(super) fn longest_pixel(width: i64) -> (i64, i64) {
    let sum = |[first, more]: [i64; 2]| first + more * width;
    if width.count_ones() == 1 {
        (sum(PIXEL_READ).min(LONGEST_PIXEL_READ), sum(PIXEL_WRITTEN))
    } else {
        (sum(ODD_PIXEL_READ), sum(ODD_PIXEL_WRITTEN))
    }
}

/// Whether a transpose walks the channels of short pixels. If so, the pixels become the first loop, their channels the
/// second one.
fn short_pixels(problem: &mut Problem, kernel: &Kernel, s: usize) -> bool {
    let (width, loops) = (problem.width, problem.loops.as_slice());
    let (Some(&d), Some(&along)) = (loops.first(), loops.get(s)) else { return false };
    if d.count.max(along.count) < MANY_PIXELS {
        return false;
    }
    let (longest_read, longest_written) = longest_pixel(width);
    // Pixels of one lane are transposed by whole lanes.
    let lanes = along.count * width == LANE;
    let are_many =
        |pixels: Loop, channels: Loop| pixels.count >= MANY_PIXELS && packs(kernel, width, &[pixels, channels]);
    let reads = d.src <= longest_read && !lanes && are_many(d, along);
    let writes = along.dst <= longest_written && are_many(along, d);
    if reads || writes {
        problem.loops.bring(s, usize::from(reads));
    }
    reads || writes
}

/// Whether a transpose is one of many so small that one element at a time is faster than calls with tables. Below the
/// size from which transposes are streamed the limit is higher, since runs of the destination are assembled in
/// registers.
///
/// | copy | elements of a transpose | moved one by one |
/// |---|---|---|
/// | any | at most 48 | if the shorter run has at most 64 bytes, or elements have 16 |
/// | below L3 / 4 | at most 128 of up to 8 bytes | unless they are whole tiles |
/// | below L3 / 4 | at most 192 of more than 8 bytes | always |
///
/// The last two limits double if the run of the destination is at least four times as long as that of the source.
fn is_tiny(width: i64, [dst, src]: [i64; 2], bytes: u64, machine: &Machine) -> bool {
    let (elements, shorter) = (dst.saturating_mul(src), dst.min(src).saturating_mul(width));
    let few = if width <= 8 { SMALL_TRANSPOSE } else { SMALL_TRANSPOSE_WIDE };
    let few = if dst >= src.saturating_mul(4) { 2 * few } else { few };
    let near = bytes < machine.caches.last / 4;
    let uneven = width > 8 || shorter % (4 * width).max(LANE) != 0;
    elements <= TINY_TRANSPOSE && (shorter <= CACHE_LINE || width == LANE) || near && elements <= few && uneven
}

/// Whether a run of a transpose is too short for the kernel.
///
/// | width | shortest run |
/// |---|---|
/// | 1, 2, 4, 8 bytes | any |
/// | 16 bytes | 8 elements |
/// | 9 to 15 bytes | 4 lanes, 64 bytes |
/// | others | a lane, 16 bytes |
fn is_narrow(width: i64, [dst, src]: [i64; 2]) -> bool {
    let least = match width {
        16 => 8 * LANE,
        width if width.count_ones() == 1 => 0,
        9.. => CACHE_LINE,
        _ => LANE,
    };
    dst.min(src).saturating_mul(width) < least
}

/// The size of the copy, and the lengths up to which the runs of a transpose grow.
#[derive(Clone, Copy)]
pub(super) struct Lengths {
    /// Bytes of the whole copy.
    pub bytes: u64,
    /// Elements from which a run takes in no further loop: the tables would not hold it.
    pub longest: i64,
    /// Bytes from which a run of the destination takes in no further loop.
    pub dst_enough: i64,
}

/// Fuses loops into the two runs: `D`, the first loop, and `S`, the one at `s`. Afterwards the loops of `D` come first,
/// then those of `S`. Returns the number of loops of each, and of elements.
///
/// | run | grows while it is shorter than | takes in |
/// |---|---|---|
/// | destination | 256 bytes; streamed by AVX-512 2 KiB, or 1 KiB of whole lines | the next loop in destination order |
/// | source | 256 bytes | any loop |
///
/// The shorter run grows first; the destination wins ties. If the destination is streamed it also goes first as soon as
/// the source run has 160 bytes and a quarter of its length.
fn grow_runs(problem: &mut Problem, s: usize, lengths: Lengths) -> ([usize; 2], [i64; 2]) {
    let (width, all) = (problem.width, problem.loops.as_slice().len());
    let count = |at: usize| problem.loops.as_slice().get(at).map_or(1, |l| l.count);
    let (mut dst_run, mut src_run) = (1, 1);
    let (mut dst_length, mut src_length) = (count(0), count(s));
    if (all, s) == (2, 1) {
        return ([1, 1], [dst_length, src_length]); // nothing else to take in
    }
    let may_grow = |length: i64, step: i64, enough: i64| {
        step == length * width && length <= lengths.longest && length * width < enough
    };
    // Meanwhile the loops of `S` are at the end.
    let last = all.saturating_sub(1);
    problem.loops.bring(s, last);
    loop {
        let others = problem.loops.as_slice().get(dst_run..all.saturating_sub(src_run)).unwrap_or(&[]);
        // A run of whole lines is long enough sooner.
        let in_lines = (dst_length * width) % CACHE_LINE == 0;
        let dst_enough = if in_lines { (lengths.dst_enough / 2).max(LONG_ENOUGH) } else { lengths.dst_enough };
        // The others are in destination order, so only the first can continue the destination run.
        let for_dst = others.first().filter(|l| may_grow(dst_length, l.dst, dst_enough));
        let for_src = || others.iter().enumerate().find(|(_, l)| may_grow(src_length, l.src, LONG_ENOUGH));
        // The order of growth, as above.
        let some_lines = src_length * width >= SOME_LINES && dst_length <= 4 * src_length;
        let long = lengths.dst_enough > LONG_ENOUGH && some_lines;
        let picked = match for_dst {
            Some(_) if dst_length <= src_length || long => None,
            _ => for_src(),
        };
        match (picked, for_dst) {
            (Some((at, l)), _) => {
                (src_run, src_length) = (src_run + 1, src_length * l.count);
                problem.loops.bring(dst_run + at, last);
            }
            (None, Some(l)) => (dst_run, dst_length) = (dst_run + 1, dst_length * l.count),
            (None, None) => break,
        }
    }
    for k in 0..src_run {
        problem.loops.bring(all.saturating_sub(src_run) + k, dst_run + k);
    }
    ([dst_run, src_run], [dst_length, src_length])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Elements of 4 bytes: `D`, a loop of 2 that continues both `D` and `S`, and `S`.
    fn runs(along_dst: i64, along_src: i64, dst_enough: i64) -> [usize; 2] {
        let mut problem = Problem::nothing();
        problem.width = 4;
        for (count, dst, src) in
            [(along_dst, 4, 8 * along_src), (2, 4 * along_dst, 4 * along_src), (along_src, 8 * along_dst, 4)]
        {
            assert!(problem.loops.push(Loop { count, dst, src }));
        }
        grow_runs(&mut problem, 2, Lengths { bytes: 1 << 24, longest: 512, dst_enough }).0
    }

    /// Whether many matrices of this shape are moved one by one, in a copy below 1/4 of L3 and in one of that size.
    fn are_tiny(width: i64, along_dst: i64, along_src: i64) -> [bool; 2] {
        let bytes = (10 * width * along_dst * along_src) as u64;
        [4 * bytes + 4, 4 * bytes].map(|last| {
            let mut machine = Machine::this();
            machine.caches.last = last;
            is_tiny(width, [along_dst, along_src], bytes, &machine)
        })
    }

    #[test]
    fn tiny_transposes_are_no_whole_tiles() {
        let (anywhere, near, never) = ([true, true], [true, false], [false, false]);
        for (width, along_dst, along_src, tiny) in [
            // 48 elements in any copy; up to 128 in small ones, unless they are whole lanes.
            (4, 6, 8, anywhere),
            (4, 7, 7, near),
            (2, 9, 14, near),
            (4, 8, 16, never),
            (4, 9, 15, never),
            (4, 16, 7, near),
            // Up to 256 if the destination run is four times as long as the other.
            (4, 50, 5, near),
            (4, 52, 5, never),
            (4, 19, 7, never),
            // Wide ones: 192.
            (16, 4, 12, anywhere),
            (16, 6, 8, anywhere),
            (16, 7, 7, near),
            (16, 13, 14, near),
            (16, 14, 14, never),
            (12, 9, 5, anywhere),
            (12, 6, 6, near),
        ] {
            assert_eq!(are_tiny(width, along_dst, along_src), tiny, "{width}: {along_dst} by {along_src}");
        }
    }

    /// The shorter run grows first, the destination's if they are equal. A streamed destination run also goes first if
    /// the source run has 160 bytes and a quarter of its length. Runs of 256 bytes take in nothing, a streamed run of
    /// the destination of whole lines from 1 KiB on.
    #[test]
    fn the_run_that_takes_a_loop_that_both_want() {
        for (along_dst, along_src, streamed, kept) in [
            (8, 8, [2, 1], [2, 1]),
            (9, 8, [1, 2], [1, 2]),
            (8, 9, [2, 1], [2, 1]),
            (60, 39, [1, 2], [1, 2]),
            (60, 40, [2, 1], [1, 2]),
            (160, 40, [2, 1], [1, 2]),
            (176, 40, [1, 2], [1, 2]),
            (240, 64, [2, 1], [1, 1]),
            (256, 64, [1, 1], [1, 1]),
        ] {
            assert_eq!(runs(along_dst, along_src, 2048), streamed, "{along_dst} and {along_src}");
            assert_eq!(runs(along_dst, along_src, LONG_ENOUGH), kept, "{along_dst} and {along_src}");
        }
    }
}
