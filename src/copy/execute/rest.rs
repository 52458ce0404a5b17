//! FILL_BUFFER: every byte of the destination buffer that no element occupies gets the fill value.
//!
//! With nested loops the elements of all faster loops together occupy one extent `E`, and a loop of step `s` leaves
//! `s − E` bytes free behind each of its turns but the last. So the rest of the buffer is a few strided fills, one per
//! loop that leaves a gap, and two runs in front of the first and behind the last element:
//!
//! ```text
//! [head] EEEE gap EEEE gap EEEE [tail]
//! ```
//!
//! No byte is written twice, nothing is read, and each fill is cut into parts like the copy itself. (Loops that are
//! distinct without being nested tell no gaps: there one part fills everything first and then copies.) Byte p of the buffer
//! gets `fill[(p mod element bytes) mod 16]`.

use super::super::kernels;
use super::super::loops::{Loop, Loops};
use super::super::nest::{Reach, nested_extent};
use super::super::plan::PlanView;
use super::super::problem::Problem;
use super::Dst;
use super::odometer::for_each_turn;
use core::ops::ControlFlow;

/// Puts the destination's loops by step into an empty list; `false` where a step is smaller than what the faster loops occupy.
#[inline(always)]
fn set_nested(sorted: &mut Loops, plan: &PlanView<'_>) -> bool {
    for l in plan.nest.loops.iter().filter(|l| l.count > 1) {
        let Some(step) = l.dst.checked_abs() else { return false };
        sorted.insert_before(Loop { count: l.count, dst: step, src: 0 }, |other| other.dst > step);
    }
    nested_extent(plan.nest.width, sorted.as_slice()).is_some()
}

/// The value: as many bytes of it, repeated, as an element has.
#[derive(Clone, Copy)]
pub(super) struct Fill<'a> {
    pub period: i64,
    pub bytes: &'a [u8; 16],
}

impl PlanView<'_> {
    pub(super) fn fill(&self) -> Fill<'_> {
        Fill { period: self.fill_period, bytes: &self.options.fill }
    }
}

/// Whether the rest of the buffer can be told by place.
#[inline(never)]
pub(super) fn is_nested(plan: &PlanView<'_>) -> bool {
    plan.is_empty() || set_nested(&mut Loops::new(), plan)
}

/// Fills a part of all gaps.
///
/// # Safety
/// All of `dst` may be written; `reach` is the destination's and lies in it; the loops are nested.
pub(super) unsafe fn fill_gaps(plan: &PlanView<'_>, dst: Dst, reach: Reach, part: u32, parts: u32) {
    // SAFETY: head and tail lie in the buffer, since the reach does.
    unsafe {
        fill_run(plan.fill(), dst.base, 0, reach.lowest as u64, part, parts);
        fill_run(plan.fill(), dst.base, reach.end as u64, dst.bytes - reach.end as u64, part, parts);
    }
    let mut extent = plan.nest.width;
    for k in 0.. {
        // Sorted anew for each gap, so that only one list is on the stack.
        let mut walk = Problem { width: 0, dst_base: reach.lowest + extent, src_base: 0, loops: Loops::new() };
        let nested = set_nested(&mut walk.loops, plan);
        let Some(&l) = walk.loops.as_slice().get(k).filter(|_| nested) else { return };
        walk.width = l.dst - extent;
        if walk.width > 0 {
            let mut faster = 0..k;
            walk.loops.merge(|_, _| faster.next().is_some());
            if let Some(own) = walk.loops.as_mut_slice().first_mut() {
                own.count -= 1;
            }
            // SAFETY: each gap ends where the next turn of its loop begins, which is inside the reach.
            unsafe { fill_walk(plan.fill(), dst.base, &mut walk, part, parts) };
        }
        extent += (l.count - 1) * l.dst;
    }
}

/// Fills a part of one run of bytes.
///
/// # Safety
/// The bytes `begin … begin + bytes − 1` from `base` may be written.
#[inline(never)] // its stack is its own
pub(super) unsafe fn fill_run(fill: Fill<'_>, base: *mut u8, begin: u64, bytes: u64, part: u32, parts: u32) {
    let mut walk = Problem { width: bytes as i64, dst_base: begin as i64, src_base: 0, loops: Loops::new() };
    // SAFETY: the walk is that run.
    unsafe { fill_walk(fill, base, &mut walk, part, parts) };
}

/// # Safety
/// All that `walk` reaches from `base` may be written.
unsafe fn fill_walk(fill: Fill<'_>, base: *mut u8, walk: &mut Problem, part: u32, parts: u32) {
    if walk.width == 0 || !walk.part(part, parts) {
        return;
    }
    let period = fill.period.max(1);
    for_each_turn(walk.loops.as_slice(), walk.dst_base, 0, |offset, _| {
        let to = base.wrapping_offset(offset as isize);
        // SAFETY: one turn of the walk.
        unsafe {
            kernels::fill_rest(
                to,
                walk.width as usize,
                fill.bytes,
                usize::try_from(period).unwrap_or(usize::MAX).max(1),
                offset.checked_rem(period).unwrap_or(0) as usize,
            )
        };
        ControlFlow::Continue(())
    });
}
