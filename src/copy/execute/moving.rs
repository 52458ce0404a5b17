//! Copies whose two sides share bytes, with memmove's semantics: the result is as if the source had been read first.
//!
//! *By direction.* If both sides step alike, the destination is the source shifted by a constant. Elements moved one by
//! one in ascending order of their address never write a byte that is still to be read if the shift is downward; in
//! descending order if it is upward. Ascending order is the order of nested loops.
//!
//! *By scratch.* Everything else is two copies: to packed scratch memory and from there to the destination. Rows that
//! move together in place by different distances go this way too, although ascending order would do: kernels read the
//! ends of rows twice.

use super::super::choose::{Choice, choose_for};
use super::super::kernels::Run;
use super::super::loops::Loops;
use super::super::nest::{Nest, Reach, Unit, nested_extent};
use super::super::plan::PlanView;
use super::super::problem::Problem;
use super::odometer::for_each_place;
use super::{Dst, Src, are_apart, check_buffer, run_large};
use crate::error::{Argument, Detail, Result, Status};
use crate::machine::Machine;

/// Whether steps are equal and nested, so that a copy by direction is correct.
pub(crate) fn direction_suffices(plan: &PlanView<'_>) -> bool {
    let alike = plan.has_places() && plan.nest.loops.iter().all(|l| l.dst == l.src);
    alike && nested_extent(plan.nest.width, plan.nest.loops).is_some()
}

/// Runs the whole copy, as part 0; other parts have nothing to do, and get no scratch. SCRATCH_NEEDED with the bytes
/// needed and given; OVERLAP where the scratch shares bytes with either side.
///
/// # Safety
/// P1 and P3; the scratch may be read and written, as far as its length says.
#[inline(never)] // keeps its frame off the caller's stack
pub(super) unsafe fn run_shared(
    plan: &PlanView<'_>,
    dst: Dst,
    src: Src,
    scratch: Option<Dst>,
    part: u32,
) -> Result<()> {
    if direction_suffices(plan) {
        if part == 0 {
            // SAFETY: P1; the direction suffices.
            unsafe { by_direction(plan, dst, src) };
        }
        return Ok(());
    }
    let needed = plan.bytes_moved();
    let scratch = scratch_of(plan, dst, src, scratch)?;
    let machine = Machine::this();
    if plan.nest.unit != Unit::Bytes {
        // Bits are written beside those that are there.
        // SAFETY: `scratch_of`: the scratch has so many bytes.
        unsafe { core::ptr::write_bytes(scratch.base, 0, needed as usize) };
    }
    // One half after the other, so that only one problem is on the stack.
    for first in [true, false] {
        let mut problem = Problem::nothing();
        set_half(&mut problem, &plan.nest, first);
        let mut choice = choose_for(Some(&machine), &mut problem, &plan.options, needed);
        if problem.unit == Unit::Bytes && choice.small_stack && matches!(choice.kernel().run, Run::Tile(_)) {
            // The tables of a transpose would be too much beside two problems (the plan may lie on the stack as well).
            choice = Choice::anywhere(problem.width);
        }
        let (to, from) = if first { (scratch.base, src.base) } else { (dst.base, scratch.base.cast_const()) };
        // SAFETY: P1 and P2 of each half: the scratch has `needed` bytes and is apart from both sides (`scratch_of`).
        // P3: the choice was made for it, or takes any loops.
        unsafe { run_large(choice, &problem.nest(), to, from) };
    }
    Ok(())
}

/// Bytes of scratch: all elements, packed; of a conversion, those of the source.
pub(super) fn scratch_needed(plan: &PlanView<'_>) -> u64 {
    if plan.converting().is_some() { plan.nest.bytes() } else { plan.bytes_moved() }
}

/// [`run_shared`] of a conversion: the source is moved to the scratch memory, and converted from there.
///
/// # Safety
/// P1, P3 and P5; the scratch may be read and written, as far as its length says.
#[inline(never)] // keeps its frame off the caller's stack
pub(super) unsafe fn convert_shared(
    plan: &PlanView<'_>,
    dst: Dst,
    src: Src,
    scratch: Option<Dst>,
    part: u32,
) -> Result<()> {
    let scratch = scratch_of(plan, dst, src, scratch)?;
    if part != 0 {
        return Ok(());
    }
    let mut packed = Problem::nothing();
    packed.set(&plan.nest);
    let mut step = plan.nest.width;
    for l in packed.loops.as_mut_slice() {
        (l.dst, step) = (step, step * l.count);
    }
    packed.dst_base = 0;
    // SAFETY: P1 and P2 of both copies: the scratch has room for all elements and is apart from both sides
    // (`scratch_of`). P3: the portable kernel takes any loops; in bits the choice is the plan's own. P5 by the caller.
    unsafe {
        if packed.unit != Unit::Bytes {
            core::ptr::write_bytes(scratch.base, 0, scratch_needed(plan) as usize);
        }
        let choice = if packed.unit == Unit::Bytes { Choice::anywhere(packed.width) } else { plan.choice };
        run_large(choice, &packed.nest(), scratch.base, src.base);
        for (l, from) in packed.loops.as_mut_slice().iter_mut().zip(plan.nest.loops) {
            (l.dst, l.src) = (from.dst, l.dst);
        }
        (packed.dst_base, packed.src_base) = (plan.nest.dst_base, 0);
        if let Unit::Bits(packing) = &mut packed.unit {
            packing.src_high = false; // as it was written there
        }
        let choice = Choice { store: plan.choice.store, small_stack: plan.choice.small_stack, ..choice };
        let from = Src { base: scratch.base, bytes: scratch.bytes };
        PlanView { nest: packed.nest(), choice, ..*plan }.run_part(dst, from, [0, 1], true);
    }
    Ok(())
}

/// Makes a problem half of a copy through scratch memory, in which elements are packed in destination order: the first
/// half writes it, the second reads it.
fn set_half(problem: &mut Problem, nest: &Nest<'_>, first: bool) {
    problem.set(nest);
    if let (Unit::Bits(packing), false) = (&mut problem.unit, first) {
        packing.src_high = packing.dst_high; // as the first half wrote it
    }
    *if first { &mut problem.dst_base } else { &mut problem.src_base } = 0;
    let mut step = nest.width;
    for l in problem.loops.as_mut_slice() {
        let packed = if first { &mut l.dst } else { &mut l.src };
        *packed = step;
        step *= l.count; // the destination's elements are distinct, so this stays below its reach
    }
    problem.normalise();
}

/// The scratch memory; SCRATCH_NEEDED if it has too few bytes, OVERLAP where it shares bytes with what a side reaches.
fn scratch_of(plan: &PlanView<'_>, dst: Dst, src: Src, scratch: Option<Dst>) -> Result<Dst> {
    let needed = scratch_needed(plan);
    let given = scratch.map_or(0, |scratch| scratch.bytes);
    let named = if scratch.is_some() { Argument::Scratch } else { Argument::Src };
    let Some(scratch) = scratch.filter(|_| given >= needed) else {
        // A call without a parameter for scratch memory names the source.
        return Err(Status::ScratchNeeded.of(named).because_wide(Detail::ScratchBytes, needed as i128, given as i128));
    };
    let (address, all) = (scratch.base.addr() as u64, Reach { lowest: 0, highest: 0, end: needed as i64 });
    check_buffer(all, address, needed, [Argument::Scratch; 2])?;
    plan.check_lists(scratch, all)?;
    let sides = [(dst.base.addr() as u64, plan.reached.dst), (src.base.addr() as u64, plan.reached.src)];
    match sides.iter().all(|(side, reach)| are_apart(address, &all, *side, reach)) {
        true => Ok(scratch),
        false => Err(Status::Overlap.of(Argument::Scratch).because(Detail::SharedScratch, 0, 0)),
    }
}

/// # Safety
/// P1; [`direction_suffices`].
#[inline(never)]
unsafe fn by_direction(plan: &PlanView<'_>, dst: Dst, src: Src) {
    let mut walk = Problem::nothing();
    walk.set(&plan.nest);
    let (to, from) = plan.nest.begin(dst.base, src.base);
    if to.addr() > from.addr() {
        walk.loops = Loops::new();
        for &item in plan.nest.loops {
            let reversed = walk.reversed(item);
            walk.loops.push(reversed);
        }
    }
    let (to, from) = walk.nest().begin(dst.base, src.base);
    for_each_place(walk.loops.as_slice(), to, from, |to, from| {
        // SAFETY: P1: an element of each side; `copy` allows the two to overlap.
        unsafe { core::ptr::copy(from, to, plan.nest.width as usize) };
    });
}
