//! The walk: an odometer over the outer loops, the kernel inside.

use super::super::choose::{Choice, LONG_ROW};
use super::super::kernels::{self, Block, Family, Memory, Permutation, Run};
use super::super::loops::Loop;
use super::super::nest::Nest;
use super::matrices::{elements_to_a_line, run_matrices};
use super::odometer::for_each_turn;
use core::ops::ControlFlow;

/// Runs a kernel over all iterations of a problem.
///
/// # Safety
/// The choice fits the problem. Bytes that are reached may be written from `dst` and read from `src`, and no byte
/// belongs to both unless each element is its own source.
#[inline(always)] // a stack frame of its own would cost small copies
pub(super) unsafe fn run(choice: Choice, nest: &Nest<'_>, dst: *mut u8, src: *const u8) {
    // A plan may have been made for another machine.
    if !choice.kernel().level.is_here() {
        // SAFETY: as promised to this function; the portable kernel takes any loops.
        return unsafe { run_anywhere(nest, dst, src) };
    }
    // SAFETY: as promised to this function.
    unsafe { run_unfenced(choice, nest, dst, src) };
    if !matches!(choice.memory, Memory::Cached | Memory::Staged) {
        kernels::fence();
    }
}

/// # Safety
/// As [`run`].
#[cold]
#[inline(never)]
unsafe fn run_anywhere(nest: &Nest<'_>, dst: *mut u8, src: *const u8) {
    // SAFETY: as promised to this function.
    unsafe { run_unfenced(Choice::anywhere(nest.width), nest, dst, src) };
}

/// # Safety
/// As [`run`].
#[inline(always)]
unsafe fn run_unfenced(choice: Choice, nest: &Nest<'_>, dst: *mut u8, src: *const u8) {
    // SAFETY: as promised to this function.
    unsafe {
        match choice.kernel().run {
            Run::Tile(kernel) => run_matrices(kernel, choice, nest, None, dst, src),
            _ => run_blocks(choice, nest, dst, src),
        }
    }
}

/// [`run`] for kernels that take the first loops as they are.
///
/// # Safety
/// As [`run`].
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn run_blocks(choice: Choice, nest: &Nest<'_>, dst: *mut u8, src: *const u8) {
    let kernel = match choice.kernel().run {
        Run::Block(kernel) => kernel,
        // SAFETY: as promised to this function.
        Run::Blocks(kernel) => return unsafe { run_permutations(kernel, choice, nest, dst, src) },
        Run::Tile(_) => return,
    };
    if nest.loops.is_empty() && !choice.memory.streams() {
        let (to, from) = nest.begin(dst, src);
        // SAFETY: the one element. Not `copy_nonoverlapping`: as in the scalar `rows`.
        return unsafe { core::ptr::copy(from, to, nest.width as usize) };
    }
    let (a, b, outer) = nest.kernel_loops();
    let (c, outer) = match outer {
        [c, outer @ ..] if choice.kernel().family.takes_three() => (*c, outer),
        _ => (Loop::ONCE, outer),
    };
    let (family, memory) = (choice.kernel().family, choice.memory);
    let block = Block { memory, hints: choice.hints, width: nest.width, a, b, c };
    if memory.streams() && matches!(family, Family::Reverse | Family::Gather(_)) {
        // SAFETY: as promised to this function.
        return unsafe { run_from_lines(kernel, block, nest, dst, src) };
    }
    for_each_turn(outer, nest.dst_base, nest.src_base, |to, from| {
        // SAFETY: the block's iterations at these offsets are iterations of the problem, which the caller vouches for.
        unsafe { kernel(dst.wrapping_offset(to as isize), src.wrapping_offset(from as isize), &block) };
        ControlFlow::Continue(())
    });
}

/// [`run_blocks`] for runs that are streamed by whole registers: what lies before the first line of each run is a call
/// of its own. Runs of different alignments are called for one by one, if they are long.
///
/// # Safety
/// As [`run`]; the destination of the block's first loop is a run.
#[inline(never)]
unsafe fn run_from_lines(
    kernel: unsafe fn(*mut u8, *const u8, &Block),
    mut block: Block,
    nest: &Nest<'_>,
    dst: *mut u8,
    src: *const u8,
) {
    let slower = nest.loops.get(1..).unwrap_or(&[]);
    let alike = slower.iter().all(|l| l.dst & (kernels::LINE as i64 - 1) == 0);
    let outer = match alike {
        true => slower.get(1..).unwrap_or(&[]),
        false if block.a.count * block.width >= LONG_ROW => {
            block.b = Loop::ONCE;
            slower
        }
        false => {
            block.memory = Memory::Cached;
            slower.get(1..).unwrap_or(&[])
        }
    };
    for_each_turn(outer, nest.dst_base, nest.src_base, |to, from| {
        let (to, from) = (dst.wrapping_offset(to as isize), src.wrapping_offset(from as isize));
        let head = elements_to_a_line(to, block.width).unwrap_or(0) as i64;
        let Loop { count, dst: _, src: step } = block.a;
        // SAFETY: the block's iterations at these offsets are iterations of the problem, which the caller vouches for.
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
        ControlFlow::Continue(())
    });
}

/// [`run`] for blocks that are one permutation.
///
/// # Safety
/// As [`run`].
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn run_permutations(
    kernel: unsafe fn(*mut u8, *const u8, &Permutation),
    choice: Choice,
    nest: &Nest<'_>,
    dst: *mut u8,
    src: *const u8,
) {
    let Some((inner, rows)) = nest.loops.split_at_checked(choice.dst_run as usize) else { return };
    let (row, outer) = rows.split_first().map_or((Loop::ONCE, rows), |(row, outer)| (*row, outer));
    let level = choice.kernel().level;
    let Some(blocks) = Permutation::new(nest.width, inner, row, level) else { return };
    for_each_turn(outer, nest.dst_base, nest.src_base, |to, from| {
        // SAFETY: a row of blocks is iterations of the problem, which the caller vouches for.
        unsafe { kernel(dst.wrapping_offset(to as isize), src.wrapping_offset(from as isize), &blocks) };
        ControlFlow::Continue(())
    });
}
