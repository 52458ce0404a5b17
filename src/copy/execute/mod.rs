//! Execution: proof first, then the walk.
//!
//! 1. The plan's own loops say which bytes they reach on either side. Every one must lie in `[0, length)` of the buffer
//!    named, and the buffer in the address space. This holds for a forged plan as for an honest one.
//! 2. Two compares tell ranges that are apart. Else [`overlap`] decides, in bytes. The very same
//!    mapping needs no copy; anything shared is refused, unless the caller asked for memmove's semantics (`moving`).
//! 3. A part takes its share of the turns: the slowest loop with enough turns is cut, or several; in the end the run
//!    itself, in pieces of 64 bytes. Turns write different elements, so parts never share a destination byte.
//! 4. An odometer over all loops but the kernel's two calls the kernel. No recursion.
//! 5. With FILL_REST the bytes that no element occupies get theirs, in the same parts (`rest`).
//!
//! Nothing is touched before step 3.

pub mod compare;
mod moving;
mod rest;

use super::kernels::{self, Block, Family, Memory, Rows, Run};
use super::options;
use super::plan::{Choice, LONG_ROW, LONGEST_PIECE, LONGEST_RUN, PlanView, choose};
use super::problem::{Loop, MAX_LOOPS, Nest, Problem, Reach};
use crate::error::{Argument, Error, Result, Status};
use crate::model::overlap::{self, Occupied};
use core::mem::MaybeUninit;
use core::ops::ControlFlow;

/// A caller's buffer for writing: base pointer and length in bytes; `u64::MAX`: the caller vouches.
#[derive(Clone, Copy, Debug)]
pub struct Dst {
    /// Start of the buffer.
    pub base: *mut u8,
    /// Its length.
    pub bytes: u64,
}

/// A caller's buffer for reading.
#[derive(Clone, Copy, Debug)]
pub struct Src {
    /// Start of the buffer.
    pub base: *const u8,
    /// Its length.
    pub bytes: u64,
}

/// How source and destination lie to each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sharing {
    Apart,
    /// Each element is its own source.
    Same,
    /// Some byte belongs to both.
    Shared,
    /// The budget ended first.
    Unknown,
}

/// Runs part `part` of `parts` of a plan.
///
/// Errors, all before anything is touched: INVALID_ARGUMENT for the part; NULL_POINTER and OUT_OF_BOUNDS for a buffer;
/// OVERLAP, UNDECIDED, or with the OVERLAP flag SCRATCH_NEEDED.
///
/// # Safety
/// `dst` may be written and `src` read over the bytes that the plan reaches, for as long as the call runs, as far as the
/// lengths allow. With FILL_REST all of `dst` may be written.
pub unsafe fn execute(plan: &PlanView<'_>, dst: Dst, src: Src, part: u32, parts: u32) -> Result<()> {
    // SAFETY: the caller's promise is the one that `execute_with` asks for; there is no scratch.
    unsafe { execute_with(plan, dst, src, None, part, parts) }
}

/// [`execute`] of the whole plan with scratch memory for copies that overlap.
///
/// # Safety
/// As [`execute`], and `scratch` may be written.
pub unsafe fn execute_scratch(plan: &PlanView<'_>, dst: Dst, src: Src, scratch: Dst) -> Result<()> {
    // SAFETY: as promised to this function.
    unsafe { execute_with(plan, dst, src, Some(scratch), 0, 1) }
}

/// Bytes of scratch that [`execute_scratch`] needs for these addresses: 0 unless the two sides share bytes in a way that
/// no direction of travel can handle and the plan allows overlap.
pub fn scratch_bytes(plan: &PlanView<'_>, dst_address: u64, src_address: u64) -> Result<u64> {
    if plan.is_empty() || plan.options.flags & (options::OVERLAP | options::FILL_REST) != options::OVERLAP {
        return Ok(0);
    }
    let everything = u64::MAX;
    let dst_reach = check_reach(plan.nest.dst_reach(), dst_address, everything, Argument::Dst)?;
    let src_reach = check_reach(plan.nest.src_reach(), src_address, everything, Argument::Src)?;
    match sharing(plan, dst_address, dst_reach, src_address, src_reach) {
        Sharing::Shared | Sharing::Unknown if !moving::direction_suffices(plan) => Ok(plan.bytes_moved()),
        _ => Ok(0),
    }
}

/// # Safety
/// As [`execute`] and [`execute_scratch`].
unsafe fn execute_with(
    plan: &PlanView<'_>,
    dst: Dst,
    src: Src,
    scratch: Option<Dst>,
    part: u32,
    parts: u32,
) -> Result<()> {
    if part >= parts {
        let error = Error::new(Status::InvalidArgument);
        let argument = if parts == 0 { Argument::Parts } else { Argument::Part };
        return Err(error.argument(argument).numbers(part as i64, parts as i64));
    }
    let (dst_address, src_address) = (dst.base.addr() as u64, src.base.addr() as u64);
    let fill_rest = plan.options.flags & options::FILL_REST != 0;
    if fill_rest {
        check_whole(dst)?;
    }
    if plan.is_empty() {
        if fill_rest {
            // SAFETY: all of `dst` is the caller's to write, checked to be addressable.
            unsafe { rest::fill_run(plan, dst.base, 0, dst.bytes, part, parts) };
        }
        return Ok(());
    }
    let dst_reach = check_buffer(plan.nest.dst_reach(), dst_address, dst.bytes, [Argument::Dst, Argument::DstBytes])?;
    let src_reach = check_buffer(plan.nest.src_reach(), src_address, src.bytes, [Argument::Src, Argument::SrcBytes])?;
    let mut sharing = if plan.options.flags & options::ASSUME_DISTINCT != 0 {
        Sharing::Apart
    } else {
        sharing(plan, dst_address, dst_reach, src_address, src_reach)
    };
    let nested = !fill_rest || rest::is_nested(plan);
    if fill_rest && plan.options.flags & options::ASSUME_DISTINCT == 0 && (sharing != Sharing::Same || !nested) {
        // The fill writes all over the buffer: no source element may lie in it.
        let src_first = src_address as i128 + src_reach.lowest as i128;
        let src_end = src_address as i128 + src_reach.end as i128;
        let dst_end = dst_address as i128 + dst.bytes as i128;
        if src_first < dst_end && (dst_address as i128) < src_end {
            sharing = Sharing::Shared;
        }
    }
    if matches!(sharing, Sharing::Shared | Sharing::Unknown) {
        let allowed = plan.options.flags & (options::OVERLAP | options::FILL_REST) == options::OVERLAP;
        if !allowed {
            let error = match sharing {
                Sharing::Unknown => overlap::undecided(plan.options.overlap_budget),
                _ => {
                    let distance = src_address as i128 + src_reach.lowest as i128
                        - (dst_address as i128 + dst_reach.lowest as i128);
                    let extent = dst_reach.end as i128 - dst_reach.lowest as i128;
                    Error::new(Status::Overlap).wide_numbers(distance, extent)
                }
            };
            return Err(error.argument(Argument::Src));
        }
        // SAFETY: both reaches were proved to lie in the buffers.
        return unsafe { moving::run(plan, dst, src, scratch, part) };
    }
    if !nested {
        // Gaps cannot be told from elements by their place, so one part fills everything and then copies.
        if part == 0 {
            // SAFETY: all of `dst` is the caller's to write; the reaches were proved; no source byte lies in `dst`.
            unsafe {
                rest::fill_run(plan, dst.base, 0, dst.bytes, 0, 1);
                run(plan.choice, &plan.nest, dst.base, src.base);
            }
        }
        return Ok(());
    }
    if fill_rest {
        // SAFETY: the gaps lie between bytes 0 and `dst.bytes`, which are the caller's to write.
        unsafe { rest::fill_gaps(plan, dst, dst_reach, part, parts) };
    }
    if sharing == Sharing::Same {
        return Ok(());
    }
    if parts == 1 {
        // SAFETY: the reach was proved to lie in both buffers; nothing is shared.
        unsafe { run(plan.choice, &plan.nest, dst.base, src.base) };
        return Ok(());
    }
    let divisible = plan.kernel().family == Family::Rows;
    if let Some(mut problem) = Problem::of(&plan.nest).part(part, parts, divisible) {
        let choice = choose(&mut problem, &plan.options, plan.bytes_moved());
        // SAFETY: a part of the turns reaches a part of what was proved to lie in the buffers; nothing is shared.
        unsafe { run(choice, &problem.nest(), dst.base, src.base) };
    }
    Ok(())
}

/// NULL_POINTER, or OUT_OF_BOUNDS where a byte that is reached lies outside the buffer or the address space.
fn check_buffer(reach: Option<Reach>, address: u64, bytes: u64, arguments: [Argument; 2]) -> Result<Reach> {
    let [pointer, length] = arguments;
    if address == 0 {
        return Err(Error::new(Status::NullPointer).argument(pointer));
    }
    check_reach(reach, address, bytes, length)
}

/// [`check_buffer`] for an address that is only a number.
fn check_reach(reach: Option<Reach>, address: u64, bytes: u64, length: Argument) -> Result<Reach> {
    let error = Error::new(Status::OutOfBounds).argument(length);
    let Some(reach) = reach else { return Err(error.wide_numbers(i128::MAX, bytes as i128)) };
    if reach.lowest < 0 {
        return Err(error.wide_numbers(reach.lowest as i128, bytes as i128));
    }
    let both = usize::try_from(address).ok().zip(usize::try_from(reach.end).ok());
    let fits = both.is_some_and(|(address, end)| address.checked_add(end).is_some());
    if reach.end as u64 > bytes || !fits {
        return Err(error.wide_numbers(reach.end as i128, bytes as i128));
    }
    Ok(reach)
}

/// [`check_buffer`] for a buffer that is written from end to end.
fn check_whole(dst: Dst) -> Result<()> {
    if dst.bytes == 0 {
        return Ok(());
    }
    let reach = i64::try_from(dst.bytes).ok().map(|end| Reach { lowest: 0, highest: end - 1, end });
    check_buffer(reach, dst.base.addr() as u64, dst.bytes, [Argument::Dst, Argument::DstBytes]).map(|_| ())
}

fn sharing(plan: &PlanView<'_>, dst_address: u64, dst: Reach, src_address: u64, src: Reach) -> Sharing {
    let at = |address: u64, offset: i64| address as i128 + offset as i128;
    if at(dst_address, dst.end) <= at(src_address, src.lowest)
        || at(src_address, src.end) <= at(dst_address, dst.lowest)
    {
        return Sharing::Apart;
    }
    let loops = plan.nest.loops;
    if at(dst_address, plan.nest.dst_base) == at(src_address, plan.nest.src_base)
        && loops.iter().all(|l| l.dst == l.src)
    {
        return Sharing::Same;
    }
    let occupied = |address, reach: Reach, step: fn(&Loop) -> i64| Occupied {
        lowest: at(address, reach.lowest),
        highest: at(address, reach.highest),
        width: plan.nest.width as u64,
        scale: 1,
        loops: loops.iter().map(move |l| (l.count, step(l))),
    };
    let (dst, src) = (occupied(dst_address, dst, |l| l.dst), occupied(src_address, src, |l| l.src));
    match overlap::share_a_unit(&dst, &src, plan.options.overlap_budget) {
        Some(false) => Sharing::Apart,
        Some(true) => Sharing::Shared,
        None => Sharing::Unknown,
    }
}

impl Problem {
    /// The turns of part `part` of `parts`; `None` where it has nothing to do. Where a loop has a turn for each part, the
    /// shares differ by at most one turn of it; else no share is more than twice another. `divisible`: the element itself may be cut as well.
    fn part(mut self, part: u32, parts: u32, divisible: bool) -> Option<Self> {
        let (mut part, mut parts) = (part as u64, parts as u64);
        while parts > 1 {
            let loops = self.loops.as_mut_slice();
            // The slowest loop with a turn for each part, else the one with the most turns.
            let all = loops.iter().enumerate();
            let enough = all
                .filter(|(_, l)| l.count as u64 >= parts)
                .max_by_key(|(_, l)| l.dst.unsigned_abs())
                .map(|(at, _)| at);
            let most = loops.iter().enumerate().filter(|(_, l)| l.count > 1).max_by_key(|(_, l)| l.count);
            let cut = match enough.or(most.map(|(at, _)| at)) {
                Some(at) => loops.get_mut(at)?,
                None if divisible => return self.part_of_run(part, parts),
                None => return (part == 0).then_some(self),
            };
            let turns = (cut.count as u64).max(1);
            let (first, count);
            if turns >= parts {
                // ⌊turns · part / parts⌋ without a product of three factors' width.
                let bound = |k: u64| (turns / parts) * k + (turns % parts) * k / parts;
                (first, count) = (bound(part), bound(part + 1) - bound(part));
                parts = 1;
            } else {
                // Several parts share one turn and go on with the other loops.
                first = part * turns / parts;
                count = 1;
                let (begin, end) = ((first * parts).div_ceil(turns), ((first + 1) * parts).div_ceil(turns));
                (part, parts) = (part - begin, end - begin);
            }
            self.dst_base += first as i64 * cut.dst;
            self.src_base += first as i64 * cut.src;
            cut.count = count as i64;
        }
        Some(self)
    }

    fn part_of_run(mut self, part: u64, parts: u64) -> Option<Self> {
        let share = (self.width as u64).div_ceil(parts).next_multiple_of(64);
        let begin = part.checked_mul(share).filter(|&begin| begin < self.width as u64)?;
        self.width = share.min(self.width as u64 - begin) as i64;
        self.dst_base += begin as i64;
        self.src_base += begin as i64;
        Some(self)
    }
}

/// Calls `run` with both byte offsets for every turn of `loops`, fastest first, until it breaks.
#[inline(always)]
fn for_each_turn(loops: &[Loop], mut dst: i64, mut src: i64, mut run: impl FnMut(i64, i64) -> ControlFlow<()>) {
    if loops.is_empty() {
        let _ = run(dst, src);
        return;
    }
    let mut turns = [0i64; MAX_LOOPS];
    while run(dst, src).is_continue() {
        let mut carry = true;
        for (l, turn) in loops.iter().zip(turns.iter_mut()) {
            if *turn + 1 < l.count {
                *turn += 1;
                dst += l.dst;
                src += l.src;
                carry = false;
                break;
            }
            dst -= l.dst * *turn;
            src -= l.src * *turn;
            *turn = 0;
        }
        if carry {
            return;
        }
    }
}

/// Runs a kernel over all turns of a problem.
///
/// # Safety
/// The choice fits the problem, which reaches only bytes that may be written from `dst` and read from `src`, and none of
/// both, but where each element is its own source.
unsafe fn run(choice: Choice, nest: &Nest<'_>, dst: *mut u8, src: *const u8) {
    // SAFETY: as promised to this function.
    unsafe { run_unfenced(choice, nest, dst, src) };
    if choice.memory.streams() {
        kernels::fence();
    }
}

/// # Safety
/// As [`run`].
unsafe fn run_unfenced(choice: Choice, nest: &Nest<'_>, dst: *mut u8, src: *const u8) {
    match choice.kernel().run {
        Run::Block(kernel) => {
            let (a, b, outer) = nest.kernel_loops();
            let mut memory = choice.memory;
            if memory.streams() && choice.kernel().family == Family::Rows && nest.width < LONG_ROW {
                // Short rows are streamed only as whole lines.
                let first = (dst.addr() as i64).wrapping_add(nest.dst_base);
                memory = if first & 63 == 0 { memory } else { Memory::Cached };
            }
            let block = Block { memory, width: nest.width, a, b };
            for_each_turn(outer, nest.dst_base, nest.src_base, |to, from| {
                // SAFETY: the block's turns at these offsets are turns of the problem, which the caller vouches for.
                unsafe { kernel(dst.wrapping_offset(to as isize), src.wrapping_offset(from as isize), &block) };
                ControlFlow::Continue(())
            });
        }
        Run::Tile(kernel) => {
            // SAFETY: as promised to this function.
            unsafe { run_tiles(kernel, choice, nest, dst, src) };
        }
    }
}

/// [`run`] for transposes: makes the tables, and cuts single loops that are longer than a table.
///
/// # Safety
/// As [`run`].
unsafe fn run_tiles(
    kernel: unsafe fn(*mut u8, *const u8, &Rows<'_>),
    choice: Choice,
    nest: &Nest<'_>,
    dst: *mut u8,
    src: *const u8,
) {
    let loops = nest.loops;
    let both = choice.dst_run + choice.src_run;
    let (Some(along_dst), Some(along_src), Some(outer)) =
        (loops.get(..choice.dst_run), loops.get(choice.dst_run..both), loops.get(both..))
    else {
        return;
    };
    let (mut src_table, mut dst_table) =
        ([const { MaybeUninit::uninit() }; TABLE], [const { MaybeUninit::uninit() }; TABLE]);
    let src_rows = Table::fill(&mut src_table, along_dst, |l| l.src);
    let dst_rows = Table::fill(&mut dst_table, along_src, |l| l.dst);
    let mut memory = choice.memory;
    if memory.streams() {
        // Whole lines need every destination row to begin at one.
        let unaligned = |offset: i64| offset & 63 != 0;
        let first = (dst.addr() as i64).wrapping_add(nest.dst_base);
        let rows = dst_rows.rows.iter().any(|&row| unaligned(row)) || unaligned(dst_rows.step);
        if unaligned(first) || rows || outer.iter().any(|l| unaligned(l.dst)) {
            memory = memory.unaligned(nest.bytes());
        }
    }
    for_each_turn(outer, nest.dst_base, nest.src_base, |to, from| {
        for j in dst_rows.pieces() {
            for i in src_rows.pieces() {
                let to = to + j.begin * dst_rows.step + i.begin * nest.width;
                let from = from + i.begin * src_rows.step + j.begin * nest.width;
                let rows = Rows { memory, width: nest.width, src: i.rows, dst: j.rows };
                // SAFETY: pieces of both runs are turns of the problem, which the caller vouches for.
                unsafe { kernel(dst.wrapping_offset(to as isize), src.wrapping_offset(from as isize), &rows) };
            }
        }
        ControlFlow::Continue(())
    });
}

const TABLE: usize = LONGEST_RUN as usize;

/// Row offsets of one run.
struct Table<'a> {
    rows: &'a [i64],
    /// Elements of the whole run, and bytes between neighbours where it is longer than the table.
    count: i64,
    step: i64,
}

/// A stretch of a run.
struct Piece<'a> {
    begin: i64,
    rows: &'a [i64],
}

impl<'a> Table<'a> {
    /// The offsets of every turn of `run`, fastest first; of a single long loop only the first ones.
    fn fill(table: &'a mut [MaybeUninit<i64>; TABLE], run: &[Loop], step: impl Fn(&Loop) -> i64) -> Self {
        let (count, first_step) = match run {
            [only] => (only.count, step(only)),
            _ => (run.iter().map(|l| l.count).product(), 0),
        };
        let limit = if run.len() == 1 { LONGEST_PIECE } else { LONGEST_RUN };
        let length = count.clamp(1, limit) as usize;
        // The first loop's offsets, then for each further loop what stands there again, moved by its steps.
        let mut filled = 0;
        if let Some(fastest) = run.first() {
            let (mut offset, step) = (0i64, step(fastest));
            filled = (fastest.count.clamp(1, limit) as usize).min(length);
            for slot in table.iter_mut().take(filled) {
                slot.write(offset);
                offset = offset.wrapping_add(step);
            }
        }
        for l in run.iter().skip(1) {
            let (block, step) = (filled, step(l));
            let mut moved = step;
            for _ in 1..l.count {
                let (known, open) = table.split_at_mut_checked(filled).unwrap_or((&mut [], &mut []));
                let room = length.saturating_sub(filled).min(block);
                for (slot, before) in open.iter_mut().zip(known.iter().take(room)) {
                    // SAFETY: the first `filled` entries were written.
                    slot.write(unsafe { before.assume_init_read() }.wrapping_add(moved));
                }
                filled += room;
                if filled >= length {
                    break;
                }
                moved = moved.wrapping_add(step);
            }
        }
        let length = filled;
        // SAFETY: the first `length` entries were written.
        let rows = unsafe { core::slice::from_raw_parts(table.as_ptr().cast::<i64>(), length) };
        Self { rows, count, step: first_step }
    }

    /// Stretches of at most a table's length, all but the last of one length.
    fn pieces(&self) -> impl Iterator<Item = Piece<'a>> {
        let (rows, count) = (self.rows, self.count);
        let longest = (rows.len() as i64).max(1);
        // Even pieces: 1000 rows are 2 x 500, not 512 and 488; a multiple of 64 keeps the tiles whole.
        let pieces = count / longest + i64::from(count % longest != 0);
        let even = if pieces <= 1 { longest } else { (count / pieces + 64) & !63 }.min(longest);
        (0..count).step_by(even.max(1) as usize).map(move |begin| {
            let length = even.min(count - begin);
            Piece { begin, rows: rows.get(..length as usize).unwrap_or(rows) }
        })
    }
}
