//! The walk: an odometer over the outer loops, the kernel inside, and the tables of rows that a transpose wants.

use super::super::choose::{Choice, LONG_ROW, LONGEST_PIECE, LONGEST_RUN};
use super::super::kernels::{self, Block, Family, Memory, Rows, Run};
use super::super::problem::{Loop, MAX_LOOPS, Nest};
use core::mem::MaybeUninit;
use core::ops::ControlFlow;

/// Calls `run` with both byte offsets for every turn of `loops`, fastest first, until it breaks.
#[inline(always)]
pub(super) fn for_each_turn(
    loops: &[Loop],
    mut dst: i64,
    mut src: i64,
    mut run: impl FnMut(i64, i64) -> ControlFlow<()>,
) {
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
pub(super) unsafe fn run(choice: Choice, nest: &Nest<'_>, dst: *mut u8, src: *const u8) {
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
                memory = if begins_a_line(dst, nest) { memory } else { Memory::Cached };
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

/// Whether the first element of the destination lies at the begin of a cache line.
fn begins_a_line(dst: *const u8, nest: &Nest<'_>) -> bool {
    (dst.addr() as i64).wrapping_add(nest.dst_base) & 63 == 0
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
        let rows = dst_rows.rows.iter().any(|&row| unaligned(row)) || unaligned(dst_rows.step);
        if !begins_a_line(dst, nest) || rows || outer.iter().any(|l| unaligned(l.dst)) {
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
