//! Which kernel, and which loops it takes.
//!
//! The choice looks at the loop `D` that is fastest in the destination and at the loop `S` whose step in the source is one
//! element. In this order:
//!
//! * no loop, or elements above 16 bytes (mostly folded runs): **rows**, but **repeat** or **spaced** for short ones that
//!   stand close;
//! * the first loops a block of at most 64 bytes (128 with AVX-512) without gaps on either side, in any order and direction in
//!   the source, with another loop around them: **permute**;
//! * `D` contiguous, not stepping in the source: **fill**, or **repeat** for odd and wide elements; stepping back by one
//!   element there: **reverse**;
//! * `D` takes every second to fourth source element: **deinterleave** if a loop of as many turns walks the others, else
//!   **gather**; `D` has two to four turns and the next loop walks one element after the other: **interleave**; all of them
//!   whichever way they go in the source (mirrored images, channels in the other order);
//! * `D` contiguous and an `S` elsewhere (or one that runs backwards, which is turned round): **transpose**, but **spaced**
//!   for the channels of short pixels, where one of the two takes pixels of a few bytes and the other their channels: the
//!   pixels are passed over once for each channel;
//! * else **spaced** where `D` takes steps of at most 48 bytes on both sides, with elements of at most 32;
//! * else **strided**: element by element, in destination order.
//!
//! A transpose wants long runs on both sides, and a short loop must not spoil it. So `D` takes in further loops as long as
//! together they are one run of the destination, and `S` likewise in the source, until either run is a few cache lines
//! long. To the kernel they are two tables of row offsets; it cannot tell one loop from five.

use super::super::kernels::{self, Family, Kernel, Permutation};
use super::super::loops::Loop;
use super::super::problem::Problem;
use super::{Choice, LONG_ENOUGH, turns};
use crate::machine::{Level, Machine};

/// The kernel, its loops in front.
pub(super) fn choose_kernel(problem: &mut Problem, level: Level, lengths: Lengths, machine: &Machine) -> Choice {
    let width = problem.width;
    let of = |kernel: usize| Choice::of(kernel as u16);
    let block = move |family| kernels::find(family, width, level).map(of);
    let rows = move || block(Family::Rows).unwrap_or(of(0));
    let loops = problem.loops.as_slice();
    let Some(&d) = loops.first() else { return rows() };
    let spaced = move || block(Family::Spaced).filter(|choice| packs(choice.kernel(), width, loops));
    // Below AVX-512 a line of the same elements is put together in memory first.
    let worth_it = level == Level::Avx512 || (d.count >= MANY_REPEATED && 3 * width <= 64);
    let repeats = d.dst == width && d.src == 0 && worth_it;
    let repeat = move || block(Family::Repeat).filter(|_| repeats && width <= kernels::WIDEST_REPEATED);
    if width > kernels::WIDEST_ELEMENT {
        return repeat().or_else(spaced).unwrap_or_else(rows);
    }
    let strided = move || spaced().or(block(Family::Strided)).unwrap_or_else(rows);
    if d.dst != width {
        return strided();
    }
    let enough = if d.src == 0 || d.src == -width { LONG_BLOCKS } else { ELEMENTS_IN_BLOCKS * width };
    if lengths.bytes >= enough as u64
        && let Some(choice) = permuted(problem, level)
    {
        return choice;
    }
    // Many calls for little: one loop more is worth more than several elements at once.
    let little = move |elements: i64| loops.len() > 2 && elements < LEAST_IN_CALL;
    let longest = move || loops.iter().skip(1).map(|l| l.count).max().unwrap_or(1);
    let little_in_rows = move || d.count < LEAST_IN_CALL && little(d.count * longest());
    if d.src == 0 || d.src == -width {
        let masks = level == Level::Avx512;
        if !masks && d.count <= FEW && d.count * width <= 16 {
            return strided();
        }
        let whole = if d.src == 0 { block(Family::Fill).or_else(repeat) } else { block(Family::Reverse) };
        if d.src != 0 || d.count > 2 || !masks {
            return whole.filter(|_| !little_in_rows()).unwrap_or_else(strided);
        }
    }
    let s = loops.iter().position(|l| l.src == width);
    let one_by_one = |l: &Loop| l.src == width || l.src == -width;
    if let Some(every) = (2..=4).find(|k| k * width == d.src.saturating_abs()) {
        let channels = loops.iter().position(|l| one_by_one(l) && l.count == every && !little(d.count * every));
        if let Some((channels, choice)) = channels.zip(block(Family::Deinterleave(every))) {
            problem.loops.bring(channels, 1);
            return choice;
        }
        let worth_it = || d.count >= least_to_gather(width) && !little_in_rows();
        if let Some(choice) = block(Family::Gather(every)).filter(|_| s.is_none() && worth_it()) {
            return choice;
        }
    }
    let pixels = |l: &Loop| l.dst == d.count * width && one_by_one(l) && !little(d.count * l.count);
    if loops.get(1).is_some_and(pixels)
        && let Some(choice) = block(Family::Interleave(d.count))
    {
        return choice;
    }
    // A loop that is contiguous backwards is one forwards, its destination rows in the other order.
    let Some(s) = s.or_else(|| loops.iter().position(one_by_one)) else { return strided() };
    let Some(kernel) = kernels::find(Family::Transpose, width, level) else { return strided() };
    problem.walk_source_upward(s);
    if let Some(choice) = block(Family::Spaced)
        && short_pixels(problem, choice.kernel(), s)
    {
        return choice;
    }
    let (dst_run, src_run) = grow_runs(problem, s, lengths);
    let choice = Choice { dst_run: dst_run as u8, src_run: src_run as u8, ..of(kernel) };
    if is_tiny(problem, &choice, machine) || is_narrow(problem, level, &choice) {
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
    if d.count.max(along.count) < MANY_PIXELS {
        return false;
    }
    let (longest_read, longest_written) = longest_pixel(width);
    // Pixels that are a lane are transposed by whole lanes.
    let lanes = along.count * width == 16;
    let reads = d.src <= longest_read && !lanes && d.count >= MANY_PIXELS && packs(kernel, width, &[d, along]);
    let writes = along.dst <= longest_written && along.count >= MANY_PIXELS && packs(kernel, width, &[along, d]);
    if reads || writes {
        problem.loops.bring(s, usize::from(reads));
    }
    reads || writes
}

/// Bytes of a row of blocks, and elements of a copy, from which on it pays to make the index of a permutation.
const LONG_BLOCKS: i64 = 512;
const ELEMENTS_IN_BLOCKS: i64 = 512;
/// Bytes of a lane of most sets.
const LANE: i64 = 16;

/// The kernel of blocks that are one permutation, if the first loops are one: short ones that stand in a long row without gaps,
/// several of which share a lane, or as long ones as there are.
fn permuted(problem: &Problem, level: Level) -> Option<Choice> {
    let (width, loops) = (problem.width, problem.loops.as_slice());
    let elements = turns(loops);
    let kernel = kernels::find(Family::Permute, width, level)?;
    let level = kernels::KERNELS.get(kernel)?.level;
    let (mut longest, mut bytes) = (None, width);
    for (taken, row) in loops.iter().enumerate() {
        let block = Permutation::block(width, loops.get(..taken)?, level);
        if let Some((dst, src)) = block.filter(|_| taken > 0 || kernels::find(Family::Reverse, width, level).is_none())
        {
            let close = row.dst == dst && row.src.saturating_abs() == src;
            if close && dst <= LANE && row.count.saturating_mul(dst) >= LONG_BLOCKS {
                longest = Some(taken);
                break;
            }
            // A single loop has kernels of its own; what does not fill a lane moves under masks only.
            let fills = close || dst >= LANE || level == Level::Avx512;
            if taken > 1 && fills && elements >= ELEMENTS_IN_BLOCKS {
                longest = Some(taken);
            }
        }
        bytes = bytes.saturating_mul(row.count);
        if bytes > 2 * kernels::WIDEST_BLOCK as i64 || row.dst.saturating_mul(row.count) != bytes {
            break;
        }
    }
    longest.map(|taken| Choice { dst_run: taken as u8, ..Choice::of(kernel as u16) })
}

/// Elements of a transpose up to which one at a time is faster than a call with tables, unless it is a whole tile.
const TINY: i64 = 48;

/// Whether a transpose is one of many that are so small that one element at a time is faster than calls with tables. Below
/// the size from which they are streamed, this goes on for longer, since runs of the destination are joined in registers.
/// Not so tiles of whole lanes, however few elements they have, unless the elements are wide.
fn is_tiny(problem: &Problem, choice: &Choice, machine: &Machine) -> bool {
    let Some((dst, src, [_, ..])) = choice.runs(problem.loops.as_slice()) else { return false };
    let (dst, src, width) = (turns(dst), turns(src), problem.width.max(1));
    let (elements, shorter) = (dst.saturating_mul(src), dst.min(src).saturating_mul(width));
    let few = if width <= 8 { 128 } else { 192 };
    let few = if dst >= src.saturating_mul(4) { 2 * few } else { few };
    let near = problem.nest().bytes() < machine.caches.last / 4;
    let uneven = width > 8 || shorter % (4 * width).max(16) != 0;
    elements <= TINY && (shorter < 64 || width == 16) || near && elements <= few && uneven
}

/// Whether one side of a transpose is shorter than a lane, or than four where an element takes one, where elements are padded
/// in lanes.
fn is_narrow(problem: &Problem, level: Level, choice: &Choice) -> bool {
    if level == Level::Avx512 || problem.width.count_ones() == 1 {
        return false;
    }
    let Some((dst, src, _)) = choice.runs(problem.loops.as_slice()) else { return false };
    let shorter = turns(dst).min(turns(src));
    let least = if problem.width > 8 { 64 } else { 16 };
    shorter.saturating_mul(problem.width) < least
}

/// Bytes of a run of the source from which on that of a streamed destination takes a loop that both want.
const SOME_LINES: i64 = 160;

/// How much there is to copy, and how far the runs of a transpose grow.
#[derive(Clone, Copy)]
pub(super) struct Lengths {
    /// Bytes of the whole copy.
    pub bytes: u64,
    /// Elements from which on the tables hold no further loop.
    pub longest: i64,
    /// Bytes from which on a run of the destination needs none.
    pub dst_enough: i64,
}

/// Lets the runs of `D`, the first loop, and `S`, the one at `s`, take in further loops, in turns, while they are short.
/// Afterwards the loops of `D` stand in front, those of `S` behind them.
fn grow_runs(problem: &mut Problem, s: usize, lengths: Lengths) -> (usize, usize) {
    let (width, all) = (problem.width, problem.loops.as_slice().len());
    if (all, s) == (2, 1) {
        return (1, 1); // nothing else to take in
    }
    let count = |at: usize| problem.loops.as_slice().get(at).map_or(1, |l| l.count);
    let (mut dst_run, mut src_run) = (1, 1);
    let (mut dst_length, mut src_length) = (count(0), count(s));
    let may_grow = |length: i64, l: &Loop, step: i64, enough: i64| {
        step == length * width && length <= lengths.longest && length * width < enough && l.count > 1
    };
    // Meanwhile the loops of `S` stand at the end.
    let last = all.saturating_sub(1);
    problem.loops.bring(s, last);
    loop {
        let others = problem.loops.as_slice().get(dst_run..all.saturating_sub(src_run)).unwrap_or(&[]);
        // A run that is whole lines is long enough sooner.
        let in_lines = (dst_length * width) & 63 == 0;
        let dst_enough = if in_lines { (lengths.dst_enough / 2).max(LONG_ENOUGH) } else { lengths.dst_enough };
        // The others are in the destination's order, so that only the first can go on there.
        let for_dst = others.first().filter(|l| may_grow(dst_length, l, l.dst, dst_enough));
        let for_src = || others.iter().enumerate().find(|(_, l)| may_grow(src_length, l, l.src, LONG_ENOUGH));
        // The shorter run goes first; streamed, that of the destination as soon as the source's has some lines, and while it
        // is not much longer.
        let some_lines = src_length * width >= SOME_LINES && dst_length < 4 * src_length;
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
    (dst_run, src_run)
}
