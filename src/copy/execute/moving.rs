//! Copies whose two sides share bytes, with memmove's semantics: the result is as if the source had been read first.
//!
//! *By direction.* If both sides step alike, the destination is the source shifted by a constant. Elements moved one by
//! one in ascending order of their address never write a byte that is still to be read if the shift is downward; in
//! descending order if it is upward. Ascending order is the order of nested loops.
//!
//! *By scratch.* Everything else is two copies: to packed scratch memory and from there to the destination. Rows that
//! move together in place by different distances go this way too, although ascending order would do: kernels read the
//! ends of rows twice.

use super::super::choose::{Choice, choose};
use super::super::kernels::Run;
use super::super::loops::Loops;
use super::super::nest::{Nest, Reach, nested_extent};
use super::super::plan::PlanView;
use super::super::problem::Problem;
use super::odometer::for_each_turn;
use super::walk::run as run_nest;
use super::{Dst, Src};
use crate::error::{Argument, Detail, Error, Result, Status};
use crate::machine::Machine;
use core::ops::ControlFlow;

/// Whether steps are equal and nested, so that a copy by direction is correct.
pub(super) fn direction_suffices(plan: &PlanView<'_>) -> bool {
    let alike = plan.nest.loops.iter().all(|l| l.dst == l.src);
    alike && nested_extent(plan.nest.width, plan.nest.loops).is_some()
}

/// Runs the whole copy, as part 0; other parts have nothing to do. SCRATCH_NEEDED with the bytes needed and given;
/// OVERLAP where the scratch shares bytes with either side.
///
/// # Safety
/// The reach of both sides was proved to lie in the buffers.
#[inline(never)] // keeps its frame off the caller's stack
pub(super) unsafe fn run(plan: &PlanView<'_>, dst: Dst, src: Src, scratch: Option<Dst>, part: u32) -> Result<()> {
    if direction_suffices(plan) {
        if part == 0 {
            // SAFETY: as promised to this function.
            unsafe { by_direction(plan, dst, src) };
        }
        return Ok(());
    }
    let needed = plan.bytes_moved();
    let scratch = scratch_of(scratch, needed)?;
    let sides = [(dst.base.addr() as u64, plan.reached.dst), (src.base.addr() as u64, plan.reached.src)];
    check_scratch(sides, scratch, needed)?;
    let machine = Machine::this();
    // One half after the other, so that only one problem is on the stack.
    for first in [true, false] {
        let mut problem = Problem::nothing();
        set_half(&mut problem, &plan.nest, first);
        let mut choice = choose(&mut problem, &plan.options, needed, &machine);
        if choice.small_stack && matches!(choice.kernel().run, Run::Tile(_)) {
            // The tables of a transpose would be too much beside two problems (the plan may lie on the stack as well).
            choice = Choice::anywhere(problem.width);
        }
        let (to, from) = if first { (scratch.base, src.base) } else { (dst.base, scratch.base.cast_const()) };
        // SAFETY: the source's and the destination's reach were proved; the scratch holds `needed` bytes and is apart
        // from both (check_scratch).
        unsafe { run_nest(choice, &problem.nest(), to, from) };
    }
    Ok(())
}

/// Becomes half of a copy through scratch memory, in which elements are packed in destination order: the first half
/// writes it, the second reads it.
pub(super) fn set_half(problem: &mut Problem, nest: &Nest<'_>, first: bool) {
    problem.set(nest);
    if first {
        problem.dst_base = 0;
    } else {
        problem.src_base = 0;
    }
    let mut step = nest.width;
    for l in problem.loops.as_mut_slice() {
        let packed = if first { &mut l.dst } else { &mut l.src };
        *packed = step;
        step *= l.count; // the destination's elements are distinct, so this stays below its reach
    }
    problem.normalise();
}

/// The scratch memory; SCRATCH_NEEDED if it has fewer than `needed` bytes.
pub(super) fn scratch_of(scratch: Option<Dst>, needed: u64) -> Result<Dst> {
    let given = scratch.map_or(0, |scratch| scratch.bytes);
    let named = if scratch.is_some() { Argument::Scratch } else { Argument::Src };
    scratch.filter(|_| given >= needed).ok_or_else(|| {
        // A call without a parameter for scratch memory names the source.
        let error = Error::new(Status::ScratchNeeded).argument(named);
        error.because_wide(Detail::ScratchBytes, needed as i128, given as i128)
    })
}

/// OVERLAP where the scratch shares bytes with what a side reaches from its address.
pub(super) fn check_scratch(sides: [(u64, Reach); 2], scratch: Dst, needed: u64) -> Result<()> {
    if scratch.base.is_null() {
        return Err(Error::new(Status::NullPointer).argument(Argument::Scratch));
    }
    let begin = scratch.base.addr() as i128;
    let end = begin + needed as i128;
    if end > usize::MAX as i128 {
        let error = Error::new(Status::OutOfBounds).argument(Argument::Scratch);
        return Err(error.because(Detail::AddressSpace, i64::try_from(needed).unwrap_or(i64::MAX), begin as i64));
    }
    for (address, reach) in sides {
        let (first, last) = (address as i128 + reach.lowest as i128, address as i128 + reach.end as i128);
        if begin < last && first < end {
            let error = Error::new(Status::Overlap).argument(Argument::Scratch);
            return Err(error.because(Detail::SharedScratch, 0, 0));
        }
    }
    Ok(())
}

/// # Safety
/// As [`run`], and [`direction_suffices`].
#[inline(never)]
unsafe fn by_direction(plan: &PlanView<'_>, dst: Dst, src: Src) {
    let mut walk = Problem::nothing();
    walk.set(&plan.nest);
    let to = dst.base.addr() as i128 + plan.nest.dst_base as i128;
    let from = src.base.addr() as i128 + plan.nest.src_base as i128;
    if to > from {
        walk.loops = Loops::new();
        for &item in plan.nest.loops {
            let turned = walk.turned_round(item);
            walk.loops.push(turned);
        }
    }
    for_each_turn(walk.loops.as_slice(), walk.dst_base, walk.src_base, |dst_offset, src_offset| {
        let from = src.base.wrapping_offset(src_offset as isize);
        // SAFETY: an element of each side's proved reach; `copy` allows the two to overlap.
        unsafe { core::ptr::copy(from, dst.base.wrapping_offset(dst_offset as isize), plan.nest.width as usize) };
        ControlFlow::Continue(())
    });
}
