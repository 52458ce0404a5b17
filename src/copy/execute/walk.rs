//! The walk: an odometer over the outer loops, the kernel inside.

use super::super::choose::{Choice, LONG_ROW};
use super::super::kernels::{self, Block, Family, Memory, OfLoops, Permutation, Permute, Run};
use super::super::loops::Loop;
use super::super::nest::{Nest, Unit};
use super::bits;
use super::matrices::{elements_to_a_line, run_matrices};
use super::odometer::for_each_place;

/// Runs a kernel over all iterations of a problem.
///
/// # Safety
/// The choice fits the problem. Bytes that are reached may be written from `dst` and read from `src`, and no byte
/// belongs to both unless each element is its own source.
#[inline(always)] // a stack frame of its own would cost small copies
pub(super) unsafe fn run(choice: Choice, nest: &Nest<'_>, dst: *mut u8, src: *const u8) {
    if let Unit::Bits(packing) = nest.unit {
        // SAFETY: as promised to this function.
        return unsafe { bits::run(nest, packing, choice.small_stack, dst, src) };
    }
    // A plan may have been made for another machine; the portable kernel takes any loops.
    let choice = if choice.kernel().level.is_here() { choice } else { Choice::anywhere(nest.width) };
    let (to, from) = nest.begin(dst, src);
    // SAFETY: as promised to this function: the first elements lie there.
    unsafe {
        match choice.kernel().run {
            Run::Tile(kernel) => run_matrices(kernel, choice, nest, None, to, from),
            Run::Blocks(kernel) => run_permutations(kernel, choice, nest, to, from),
            Run::Block(kernel) => run_blocks(kernel, choice, nest, to, from),
        }
    }
    if !matches!(choice.memory, Memory::Cached | Memory::Staged) {
        kernels::fence();
    }
}

/// [`run`] for kernels that take the first loops as they are, from the first elements on.
///
/// # Safety
/// As [`run`].
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn run_blocks(kernel: OfLoops, choice: Choice, nest: &Nest<'_>, to: *mut u8, from: *const u8) {
    if nest.loops.is_empty() && !choice.memory.streams() {
        // SAFETY: the one element. Not `copy_nonoverlapping`: as in the scalar `rows`.
        return unsafe { core::ptr::copy(from, to, nest.width as usize) };
    }
    let (a, b, outer) = nest.kernel_loops();
    let family = choice.kernel().family;
    let (c, outer) = match outer {
        [c, outer @ ..] if family.takes_three() => (*c, outer),
        _ => (Loop::ONCE, outer),
    };
    let block = Block { memory: choice.memory, hints: choice.hints, width: nest.width, a, b, c };
    // SAFETY: the block's iterations at these places are iterations of the problem, which the caller vouches for.
    unsafe {
        if block.memory.streams() && matches!(family, Family::Reverse | Family::Gather(_)) {
            return run_from_lines(kernel, block, nest, to, from);
        }
        for_each_place(outer, to, from, |to, from| kernel(to, from, &block));
    }
}

/// [`run_blocks`] for runs that are streamed by whole registers: what lies before the first line of each run is a call
/// of its own. Runs of different alignments are called for one by one, if they are long.
///
/// # Safety
/// As [`run`]; the destination of the block's first loop is a run.
#[inline(never)]
unsafe fn run_from_lines(kernel: OfLoops, mut block: Block, nest: &Nest<'_>, to: *mut u8, from: *const u8) {
    let slower = nest.loops.get(1..).unwrap_or(&[]);
    let alike = slower.iter().all(|l| l.dst & (kernels::LINE as i64 - 1) == 0);
    let long = block.a.count * block.width >= LONG_ROW;
    match (alike, long) {
        (true, _) => {}
        (_, true) => block.b = Loop::ONCE,
        _ => block.memory = Memory::Cached,
    }
    let outer = slower.get(usize::from(alike || !long)..).unwrap_or(&[]);
    for_each_place(outer, to, from, |to, from| {
        let head = elements_to_a_line(to, block.width).unwrap_or(0) as i64;
        let Loop { count, dst: _, src: step } = block.a;
        // SAFETY: the block's iterations at these places are iterations of the problem, which the caller vouches for.
        unsafe {
            if head == 0 || head >= count || !block.memory.streams() {
                kernel(to, from, &block);
            } else {
                let (to_rest, from_rest) = (head * block.width, head * step);
                let first = Block { memory: Memory::Cached, a: Loop { count: head, ..block.a }, ..block };
                let rest = Block { a: Loop { count: count - head, ..block.a }, ..block };
                kernel(to, from, &first);
                kernel(to.wrapping_offset(to_rest as isize), from.wrapping_offset(from_rest as isize), &rest);
            }
        }
    });
}

/// [`run`] for blocks that are one permutation, from the first elements on.
///
/// # Safety
/// As [`run`].
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn run_permutations(kernel: Permute, choice: Choice, nest: &Nest<'_>, to: *mut u8, from: *const u8) {
    let Some((inner, rows)) = nest.loops.split_at_checked(choice.dst_run as usize) else { return };
    let (row, outer) = rows.split_first().map_or((Loop::ONCE, rows), |(row, outer)| (*row, outer));
    let level = choice.kernel().level;
    let Some(blocks) = Permutation::new(nest.width, inner, row, level) else { return };
    // SAFETY: a row of blocks is iterations of the problem, which the caller vouches for.
    for_each_place(outer, to, from, |to, from| unsafe { kernel(to, from, &blocks) });
}
