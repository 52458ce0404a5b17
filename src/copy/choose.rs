//! The choice: which kernel, which loops it takes, and how it treats the caches.
//!
//! The choice looks at the loop `D` that is fastest in the destination and at the loop `S` whose step in the source is one
//! element. In this order:
//!
//! * no loop, or elements above 16 bytes (mostly folded runs): **rows**, but **repeat** or **spaced** for short ones that stand close;
//! * `D` contiguous, not stepping in the source: **fill**, or **repeat** for odd and wide elements; stepping back by one element there: **reverse**;
//! * before both **pixels** where `D` is one of short pixels, and the next loop walks pixels without gaps;
//! * `D` takes every second to fourth source element: **deinterleave** if a loop of as many turns walks the others, else
//!   **gather**; `D` has two to four turns and the next loop walks one element after the other: **interleave**;
//! * `D` contiguous and an `S` elsewhere (or one that runs backwards, which is turned round): **transpose**, but **spaced**
//!   for the channels of short pixels, where one of the two takes pixels of a few bytes and the other their channels: the
//!   pixels are passed over once for each channel;
//! * else **spaced** where `D` takes steps of at most 48 bytes on both sides, with elements of at most 32;
//! * else **strided**: element by element, in destination order.
//!
//! A transpose wants long runs on both sides, and a short loop must not spoil it. So `D` takes in further loops as long as
//! together they are one run of the destination, and `S` likewise in the source, until either run is a few cache lines
//! long. To the kernel they are two tables of row offsets; it cannot tell one loop from five.
//!
//! The loops that the kernel does not take are an odometer around it, in destination order (streamed rows: in source
//! order).

use super::kernels::level::{Caches, Level};
use super::kernels::{self, Family, Kernel, Memory};
use super::loops::Loop;
use super::nest::Nest;
use super::options::{self, Options};
use super::problem::Problem;

/// A kernel and the loops that it takes. Small: it goes through registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    /// Index into [`kernels::KERNELS`].
    pub kernel: u16,
    /// Of a transpose: how many loops are one run of the destination, and how many behind them one of the source. Other
    /// kernels take two loops, or three ([`Family::takes_three`]).
    pub dst_run: u8,
    pub src_run: u8,
    /// How the kernel treats the caches.
    pub memory: Memory,
    /// The tables of a transpose are those of [`SHORT_RUN`].
    pub small_stack: bool,
}

/// Elements that the tables of a transpose hold of a run of the destination; the slowest loop of a run may go on.
pub(crate) const LONGEST_RUN: i64 = 1536;
/// The same of a run of the source, which is gone through in strips anyhow.
pub(crate) const LONGEST_ACROSS: i64 = 768;
/// The same of both in tables for short runs, and where the stack is small.
pub(crate) const SHORT_RUN: i64 = 64;
/// The same beside blocks on the stack; pieces of runs of several loops are hardly longer.
pub(crate) const LONGEST_PIECE: i64 = 512;
/// Bytes from which on a run needs no further loop.
const LONG_ENOUGH: i64 = 256;

impl Choice {
    pub(crate) fn kernel(&self) -> &'static Kernel {
        kernels::KERNELS.get(self.kernel as usize).unwrap_or(&kernels::KERNELS[0])
    }

    /// Whether the kernel exists, runs on this CPU, and may take the first loops of this problem.
    #[inline(always)]
    pub fn fits(&self, nest: &Nest<'_>) -> bool {
        let Some(kernel) = kernels::KERNELS.get(self.kernel as usize) else { return false };
        let loops = nest.loops;
        if !kernel.level.is_here() {
            return false;
        }
        if kernel.family != Family::Transpose {
            let (a, b, _) = nest.kernel_loops();
            return kernel.accepts(nest.width, a, b);
        }
        let longest = if self.small_stack { SHORT_RUN } else { LONGEST_RUN };
        let one_run = |run: &[Loop], step: fn(&Loop) -> i64| {
            let mut length = 1i64;
            for l in run {
                if length > longest || length.checked_mul(nest.width) != Some(step(l)) {
                    return false;
                }
                let Some(longer) = length.checked_mul(l.count) else { return false };
                length = longer;
            }
            !run.is_empty()
        };
        (kernel.width == 0 || kernel.width == nest.width)
            && self.runs(loops).is_some_and(|(dst, src, _)| one_run(dst, |l| l.dst) && one_run(src, |l| l.src))
    }

    /// The loops of a transpose: one run of the destination, one of the source, and the others.
    #[inline(always)]
    pub(crate) fn runs<'a>(&self, loops: &'a [Loop]) -> Option<(&'a [Loop], &'a [Loop], &'a [Loop])> {
        let (along_dst, others) = loops.split_at_checked(self.dst_run as usize)?;
        let (along_src, outer) = others.split_at_checked(self.src_run as usize)?;
        Some((along_dst, along_src, outer))
    }
}

/// Picks the kernel for a problem in normal form and brings its loops to the front, the rest into destination order; then how it treats the caches.
/// `bytes` is the size of the whole copy, which this may be a part of.
#[inline(never)]
pub(crate) fn choose(problem: &mut Problem, options: &Options, bytes: u64) -> Choice {
    let small_stack = options.flags & options::SMALL_STACK != 0;
    let mut choice = choose_kernel(problem, options.level(), if small_stack { SHORT_RUN } else { LONGEST_RUN });
    choice.small_stack = small_stack;
    choice.memory = choose_memory(problem, &choice, options, bytes);
    if choice.memory.streams() && choice.kernel().family == Family::Rows {
        // Streamed lines do not care where they go, but reads want to go upward.
        problem.sort_by_source();
    } else if options.flags & options::OVERLAP == 0 {
        let family = choice.kernel().family;
        let in_lines = family.takes_three() && !choice.memory.streams() && stay_in_lines(problem);
        if !in_lines && bytes <= Caches::of_this_cpu().second {
            lengthen_block(problem, family, bytes);
        }
    }
    choice
}

/// Turns of a kernel's loops below which the call of the kernel is felt.
const SHORT_BLOCK: i64 = 64;
/// Bytes that the first cache of any CPU holds.
const FIRST_CACHE: u64 = 32 << 10;

/// Gives a kernel whose second loop (or second and third) is free the longest loops there are, where its own are short: in the
/// second cache the order does not matter. (Copies by direction want the loops in the destination's order.)
fn lengthen_block(problem: &mut Problem, family: Family, bytes: u64) {
    if matches!(family, Family::Transpose | Family::Deinterleave(_) | Family::Interleave(_) | Family::Pixels) {
        return;
    }
    // A third loop costs a kernel hardly more than a second one, so that all are counted: where the first cache holds both
    // sides, to have four times as many turns; beyond it, elements that share lines are better kept together.
    let (taken, enough) = match family.takes_three() {
        true if bytes <= FIRST_CACHE / 2 => (3, 4 * SHORT_BLOCK),
        true => (3, SHORT_BLOCK),
        false => (2, SHORT_BLOCK),
    };
    for at in 1..taken {
        let loops = problem.loops.as_slice();
        if loops.len() <= taken || turns(loops.get(..taken).unwrap_or(loops)) >= enough {
            return;
        }
        let others = loops.iter().enumerate().skip(at);
        let longest = others.max_by_key(|&(k, l)| (l.count, usize::MAX - k)).map_or(at, |(k, _)| k);
        problem.loops.bring(longest, at);
    }
}

/// Gives a kernel of single elements or rows, each of them in another line of a source that leaves the second cache, the
/// loop that stays in these lines: as its second one, or as its first one where the lines leave the cache before they are
/// needed again, and those of the destination do not.
fn stay_in_lines(problem: &mut Problem) -> bool {
    const LINE: i64 = 64;
    let (loops, half) = (problem.loops.as_slice(), Caches::of_this_cpu().second as i64 / 2);
    let far = |l: &Loop| l.count.saturating_mul(l.src.saturating_abs()) > half;
    let Some(first) = loops.first().filter(|l| l.src.saturating_abs() >= LINE) else { return false };
    let closest = loops.iter().enumerate().skip(1).min_by_key(|(_, l)| l.src.saturating_abs());
    let Some((at, l)) = closest.filter(|(_, l)| l.src.saturating_abs() < LINE && loops.iter().any(far)) else {
        return false;
    };
    // Rows a page apart share a set of the first level.
    let stays = |count: i64, pitch: i64| count <= 8 || count <= half / LINE && pitch & 4095 != 0;
    let to = usize::from(stays(first.count, first.src) || !stays(l.count, l.dst));
    problem.loops.bring(at, to);
    true
}

/// Whether a run of a transpose fits the tables beside blocks: a single loop, which is cut, or several that are short enough.
fn is_piece(run: &[Loop]) -> bool {
    run.len() == 1 || turns(run) <= LONGEST_PIECE
}

/// Bytes of a row from which on its lines are streamed wherever it begins.
pub(crate) const LONG_ROW: i64 = 2048;
/// Bytes from which on crowding of rows in the cache is minded.
const CROWDED_FROM: u64 = 1 << 16;

/// Bytes per side decide, beside the caches of this CPU (second level, last level; the sizes in brackets are those of the
/// CPU that was measured, 1 and 32 MiB, and of one that does not tell).
fn choose_memory(problem: &Problem, choice: &Choice, options: &Options, bytes: u64) -> Memory {
    let kernel = choice.kernel();
    let transposes = kernel.family == Family::Transpose;
    let staged = transposes && choice.small_stack;
    let padded = transposes && kernel.level != Level::Avx512 && problem.width.count_ones() != 1;
    if kernel.level == Level::Scalar || bytes < CROWDED_FROM || staged || padded {
        return Memory::Cached;
    }
    let caches = Caches::of_this_cpu();
    let streams = |from: u64| bytes >= from && options.flags & options::KEEP_CACHED == 0;
    if kernel.family != Family::Transpose {
        // Streaming pays where both sides no longer fit the last level (12 MiB), and rows have whole lines to stream if
        // they are long, or if they are nothing else.
        let lines = problem.width & 63 == 0 && problem.loops.as_slice().iter().all(|l| l.dst & 63 == 0);
        let worth_it = match kernel.family {
            Family::Rows => problem.width >= LONG_ROW || lines,
            Family::Spaced | Family::Repeat | Family::Pixels => false,
            _ => true,
        };
        return if worth_it && streams(caches.last / 8 * 3) { Memory::Stream } else { Memory::Cached };
    }
    // A tile touches `64 / width` rows; rows whose pitch shares a large power of two with 4096 share cache sets, of
    // which the first level has 12 ways or fewer. Wide elements have few rows in a tile, but all of them in one set.
    // Tiles that read a source line once, as those of AVX-512 do, mind it only where they cannot write freely either.
    let loops = problem.loops.as_slice();
    let pitch = |l: Option<&Loop>, step: fn(&Loop) -> i64| l.map_or(1, |l| step(l).unsigned_abs());
    let (src_pitch, dst_pitch) =
        (pitch(loops.first(), |l| l.src), pitch(loops.get(choice.dst_run as usize), |l| l.dst));
    let rows = 64 / problem.width.max(1) as u64;
    let few_sets = |rows: u64, pitch: u64| (rows << pitch.trailing_zeros().min(12)) / 4096 > 12;
    let whole_lines = kernel.level == Level::Avx512;
    let minds = !whole_lines || problem.width == 1 || dst_pitch.is_multiple_of(1024);
    let crowd = |pitch: u64| few_sets(rows, pitch) || pitch.is_multiple_of(4096);
    let crowds = match problem.width {
        // Without AVX-512 bytes mind only the source's rows, and only the largest powers; wider elements those of the
        // destination, which are as far apart.
        1 if !whole_lines => src_pitch.is_multiple_of(2048),
        2 | 4 if !whole_lines => crowd(dst_pitch),
        _ => minds && crowd(src_pitch),
    };
    let flat = loops.len() == 2;
    // What crowds is better written past the caches as soon as it leaves the second level (1 MiB); in tiles of bytes there
    // are so many rows that this pays later (2 MiB). Beyond the last level the rows of a matrix are far enough apart for
    // strips of several lines. Without crowding a transpose still writes its lines far apart, so that it gains earlier
    // than rows do (8 MiB).
    let crowded_from = if problem.width == 1 { 2 * caches.second } else { caches.second };
    // Blocks made on the stack, whose rows are then copied one by one, mind no crowding on either side. (The largest tables
    // leave no stack for them.) Streamed strips are better than blocks that are not streamed, and these better than short
    // rows that are not.
    let runs = choice.runs(loops).filter(|(a, b, _)| is_piece(a) && is_piece(b));
    if let Some((along_dst, along_src, _)) = runs.filter(|_| whole_lines && problem.width < 16) {
        let jumps = !crowds && few_sets(rows.min(32), dst_pitch);
        // The rows of runs of several loops lie at several distances.
        let single = along_dst.len() == 1 && along_src.len() == 1;
        let short = turns(along_dst).saturating_mul(problem.width) <= LONG_ENOUGH;
        let beyond = if problem.width < 8 { caches.last / 4 } else { caches.last / 8 * 3 };
        match problem.width {
            2 | 4 if jumps && (single || bytes < caches.last) && streams(crowded_from) => return Memory::CrowdedStream,
            _ if (jumps && single || crowds) && streams(beyond) => return Memory::StagedStream,
            _ if jumps && single => return Memory::Staged,
            2 | 8 if crowds && streams(crowded_from) => return Memory::CrowdedStream,
            _ if crowds && short && streams(crowded_from) => return Memory::StagedStream,
            _ if crowds && bytes >= crowded_from => return Memory::Staged,
            _ => {}
        }
    }
    let crowds_src_alone = problem.width == 1 && !whole_lines && !crowd(dst_pitch);
    let strips = if whole_lines { flat && problem.width != 8 } else { problem.width <= 4 };
    let few_lines = strips && bytes < caches.last;
    match crowds {
        true if crowds_src_alone && flat && bytes >= caches.second => Memory::Crowded,
        true if streams(crowded_from) && few_lines => Memory::CrowdedStream,
        true if streams(crowded_from) => Memory::Stream,
        true if flat && (kernel.level == Level::Avx512 || bytes >= caches.second) => Memory::Crowded,
        _ if streams(caches.last / 4) => Memory::Stream,
        _ => Memory::Cached,
    }
}

fn choose_kernel(problem: &mut Problem, level: Level, longest_run: i64) -> Choice {
    let width = problem.width;
    let of = |kernel: usize| Choice {
        kernel: kernel as u16,
        dst_run: 0,
        src_run: 0,
        memory: Memory::Cached,
        small_stack: false,
    };
    let block = |family| kernels::find(family, width, level).map(of);
    let rows = || block(Family::Rows).unwrap_or(of(0));
    let loops = problem.loops.as_slice();
    let Some(&d) = loops.first() else { return rows() };
    let spaced = || block(Family::Spaced).filter(|choice| packs(choice.kernel(), width, loops));
    // Below AVX-512 a line of the same elements is put together in memory first.
    let worth_it = level == Level::Avx512 || (d.count >= MANY_REPEATED && 3 * width <= 64);
    let repeats = d.dst == width && d.src == 0 && worth_it;
    let repeat = || block(Family::Repeat).filter(|_| repeats && width <= kernels::WIDEST_REPEATED);
    if width > kernels::WIDEST_ELEMENT {
        return repeat().or_else(spaced).unwrap_or_else(rows);
    }
    let strided = || spaced().or(block(Family::Strided)).unwrap_or_else(rows);
    if d.dst != width {
        return strided();
    }
    let pixels = block(Family::Pixels).filter(|choice| match loops {
        [d, next, ..] => choice.kernel().accepts(width, *d, *next) && next.count * next.dst >= LONG_PIXELS,
        _ => false,
    });
    if let Some(choice) = pixels {
        return choice;
    }
    let masks = level == Level::Avx512;
    let few = !masks && d.count <= FEW && d.count * width <= 16;
    if few && (d.src == 0 || d.src == -width) {
        return strided();
    }
    // Many calls for little: one loop more is worth more than several elements at once.
    let little = |elements: i64| loops.len() > 2 && elements < LEAST_IN_CALL;
    let longest = || loops.iter().skip(1).map(|l| l.count).max().unwrap_or(1);
    let little_in_rows = || d.count < LEAST_IN_CALL && little(d.count * longest());
    if d.src == 0 && !(masks && d.count <= 2) {
        return block(Family::Fill).or_else(repeat).filter(|_| !little_in_rows()).unwrap_or_else(strided);
    }
    if d.src == -width {
        return block(Family::Reverse).filter(|_| !little_in_rows()).unwrap_or_else(strided);
    }
    let s = loops.iter().position(|l| l.src == width);
    let every = (1..=4).find(|k| k * width == d.src).unwrap_or(0);
    if (2..=4).contains(&every) {
        let channels = s.filter(|&s| loops.get(s).is_some_and(|l| l.count == every) && !little(d.count * every));
        if let Some((s, choice)) = channels.zip(block(Family::Deinterleave(every))) {
            problem.loops.bring(s, 1);
            return choice;
        }
        let worth_it = || d.count >= least_to_gather(width) && !little_in_rows();
        if let Some(choice) = block(Family::Gather(every)).filter(|_| s.is_none() && worth_it()) {
            return choice;
        }
    }
    // A loop that is contiguous backwards is one forwards, its destination rows in the other order.
    let backwards = || loops.iter().position(|l| l.src == -width);
    let Some(s) = s.or_else(backwards) else { return strided() };
    let pixels = |l: &Loop| l.dst == d.count * width && l.src == width && !little(d.count * l.count);
    let pixels_next = s == 1 && loops.get(1).is_some_and(pixels);
    if let Some(choice) = block(Family::Interleave(d.count)).filter(|_| pixels_next) {
        return choice;
    }
    let Some(kernel) = kernels::find(Family::Transpose, width, level) else { return strided() };
    problem.walk_source_upward(s);
    if let Some(choice) = block(Family::Spaced)
        && short_pixels(problem, choice.kernel(), s)
    {
        return choice;
    }
    let (dst_run, src_run) = grow_runs(problem, s, longest_run);
    let choice = Choice { dst_run: dst_run as u8, src_run: src_run as u8, ..of(kernel) };
    if is_tiny(problem, &choice) || is_narrow(problem, level, &choice) {
        problem.normalise();
        return block(Family::Strided).unwrap_or_else(rows);
    }
    choice
}

/// Elements, of at most 16 bytes together, up to which a run that is repeated or read backwards is faster one by one. (Not
/// where masks move them at once.)
const FEW: i64 = 4;
/// Elements that a call should take where there are many calls.
const LEAST_IN_CALL: i64 = 16;

/// Elements of a row from which on a gather pays: a line of those that are fast alone.
fn least_to_gather(width: i64) -> i64 {
    if width >= 4 { 64 / width } else { 4 }
}

/// Times that an element is repeated from which on it pays to put a line of them together in memory.
const MANY_REPEATED: i64 = 32;
/// Bytes of pixels from which on it pays to move several at once.
const LONG_PIXELS: i64 = 512;
/// Elements of a row, and of all rows of a block, from which on it pays to move several at once: the tables must be made.
const LEAST_IN_ROW: i64 = 6;
const LEAST_IN_BLOCK: i64 = 48;
/// The longest step on either side then: a line must be worth its load or its store.
const LONGEST_STEP: i64 = 48;

/// Elements of a row from which on it pays to move only a few at once, where each is cheap alone.
const LEAST_OF_FEW: i64 = 128;

/// Whether a kernel of small steps may take the first two loops, and is faster than one element at a time.
fn packs(kernel: &Kernel, width: i64, loops: &[Loop]) -> bool {
    let (Some(&d), block) = (loops.first(), turns(loops.get(..2).unwrap_or(loops))) else { return false };
    // Where not even three are in a line on the closer side there is less to win.
    let near = d.dst.min(if d.src == 0 { d.dst } else { d.src.saturating_abs() });
    let least_in_block = if 2 * near + width <= 64 { LEAST_IN_BLOCK } else { 4 * LEAST_IN_BLOCK };
    let far = d.dst.max(d.src.saturating_abs());
    far <= LONGEST_STEP
        && d.count >= least_in_row(width, d, far)
        && block >= least_in_block
        && kernel.accepts(width, d, d)
}

/// [`LEAST_IN_ROW`], or more where one element at a time is fast (a single load and store, or long ones that are rows) and a
/// step has few of them: it moves those in a line of the side where they stand farther apart, `far` bytes.
fn least_in_row(width: i64, d: Loop, far: i64) -> i64 {
    let one_move = width.count_ones() == 1 && width <= 16;
    let fit = |elements: i64| (elements - 1) * far + width <= 64;
    match (one_move, d.src) {
        (_, 0) => LEAST_IN_ROW,
        // Such runs are joined in registers.
        (true, _) if d.dst == width && width <= 8 && !fit(4) => i64::MAX,
        (true, _) if !fit(5) => LEAST_OF_FEW,
        (true, _) if width >= 4 => 16,
        (false, _) if width > 16 => LEAST_OF_FEW,
        (false, _) if !fit(4) => 8,
        _ => LEAST_IN_ROW,
    }
}

/// Pixels from which on they are passed over once for each of their channels.
const MANY_PIXELS: i64 = 64;

/// The longest pixel for which that is faster than a transpose, where it is read and where it is written. Transposes of
/// widths that are no power of two are slow.
fn longest_pixel(width: i64) -> (i64, i64) {
    if width.count_ones() == 1 { ((8 + 4 * width).min(40), 6 + 2 * width) } else { (16 + 2 * width, 12 + 2 * width) }
}

/// Whether a transpose is the channels of short pixels. Brings the pixels to the front then, their channels behind them.
fn short_pixels(problem: &mut Problem, kernel: &Kernel, s: usize) -> bool {
    let (width, loops) = (problem.width, problem.loops.as_slice());
    let (Some(&d), Some(&along)) = (loops.first(), loops.get(s)) else { return false };
    let (longest_read, longest_written) = longest_pixel(width);
    let reads = d.src <= longest_read && d.count >= MANY_PIXELS && packs(kernel, width, &[d, along]);
    let writes = along.dst <= longest_written && along.count >= MANY_PIXELS && packs(kernel, width, &[along, d]);
    if reads || writes {
        problem.loops.bring(s, usize::from(reads));
    }
    reads || writes
}

/// Elements of a transpose up to which one at a time is faster than a call with tables, unless it is a whole tile.
const TINY: i64 = 48;

/// Whether a transpose is one of many that are so small that one element at a time is faster than calls with tables. Below
/// the size from which they are streamed, this goes on for longer, since runs of the destination are joined in registers.
/// Not so tiles of whole lanes, however few elements they have, unless the elements are wide.
fn is_tiny(problem: &Problem, choice: &Choice) -> bool {
    let Some((dst, src, [_, ..])) = choice.runs(problem.loops.as_slice()) else { return false };
    let (dst, src, width) = (turns(dst), turns(src), problem.width.max(1));
    let (elements, shorter) = (dst.saturating_mul(src), dst.min(src).saturating_mul(width));
    let few = if width <= 8 { 128 } else { 192 };
    let few = if dst >= src.saturating_mul(4) { 2 * few } else { few };
    let near = problem.nest().bytes() < Caches::of_this_cpu().last / 4;
    let uneven = width > 8 || shorter % (4 * width).max(16) != 0;
    elements <= TINY && (shorter < 64 || width == 16) || near && elements <= few && uneven
}

/// Whether one side of a transpose is shorter than a lane, or than four where an element takes one, where elements are padded
/// in lanes.
fn is_narrow(problem: &Problem, level: Level, choice: &Choice) -> bool {
    let Some((dst, src, _)) = choice.runs(problem.loops.as_slice()) else { return false };
    let shorter = turns(dst).min(turns(src));
    let least = if problem.width > 8 { 64 } else { 16 };
    level != Level::Avx512 && problem.width.count_ones() != 1 && shorter.saturating_mul(problem.width) < least
}

/// Turns of nested loops; saturated.
#[inline(always)]
pub(crate) fn turns(loops: &[Loop]) -> i64 {
    loops.iter().fold(1i64, |product, l| product.saturating_mul(l.count))
}

/// Lets the runs of `D`, the first loop, and `S`, the one at `s`, take in further loops, in turns, while they are short.
/// Afterwards the loops of `D` stand in front, those of `S` behind them.
fn grow_runs(problem: &mut Problem, s: usize, longest_run: i64) -> (usize, usize) {
    let (width, all) = (problem.width, problem.loops.as_slice().len());
    let count = |at: usize| problem.loops.as_slice().get(at).map_or(1, |l| l.count);
    let (mut dst_run, mut src_run) = (1, 1);
    let (mut dst_length, mut src_length) = (count(0), count(s));
    let may_grow = |length: i64, l: &Loop, step: i64| {
        step == length * width && length <= longest_run && length * width < LONG_ENOUGH && l.count > 1
    };
    // Meanwhile the loops of `S` stand at the end.
    let last = all.saturating_sub(1);
    problem.loops.bring(s, last);
    loop {
        let others = problem.loops.as_slice().get(dst_run..all.saturating_sub(src_run)).unwrap_or(&[]);
        // The others are in the destination's order, so that only the first can go on there.
        let for_dst = others.first().filter(|l| may_grow(dst_length, l, l.dst));
        let for_src = || others.iter().enumerate().find(|(_, l)| may_grow(src_length, l, l.src));
        // The shorter run goes first.
        let picked = match for_dst {
            Some(_) if dst_length <= src_length => None,
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
    (dst_run, src_run)
}
