//! FILL_BUFFER: every byte of the destination buffer that no element occupies gets the fill value.
//!
//! If loops are nested, the elements of all faster loops together occupy one extent `E`, and a loop of step `s` leaves
//! `s − E` bytes free after each of its iterations but the last. So the rest of the buffer is a few strided fills, one
//! per loop that leaves a gap, and two runs, before the first element and after the last:
//!
//! ```text
//! [head] EEEE gap EEEE gap EEEE [tail]
//! ```
//!
//! Nothing is read, and each fill is cut into parts like the copy itself, so that no two parts write the same byte.
//! Many short gaps are filled by copying one gap's bytes to all of them. Loops that are distinct without being nested
//! do not say where the gaps are: one part fills the whole buffer first and then copies. A plan that runs as a whole
//! does the same if its gaps are a line or two apart. Byte p of the buffer gets `fill[(p mod element bytes) mod 16]`.

use super::super::choose::choose_for;
use super::super::kernels;
use super::super::loops::{Loop, Loops, iterations};
use super::super::nest::{Reach, nested_extent};
use super::super::plan::PlanView;
use super::super::problem::Problem;
use super::Dst;
use super::odometer::for_each_iteration;
use super::run;
use core::mem::MaybeUninit;

/// Puts the destination's loops by step into an empty list; `false` if they are not nested.
fn set_nested(sorted: &mut Loops, plan: &PlanView<'_>) -> bool {
    for l in plan.nest.loops.iter().filter(|l| l.count > 1) {
        let Some(step) = l.dst.checked_abs() else { return false };
        sorted.insert_before(Loop { count: l.count, dst: step, src: 0 }, |other| other.dst > step);
    }
    nested_extent(plan.nest.width, sorted.as_slice()).is_some()
}

/// Bytes of an element; the value starts over with each.
fn period_of(plan: &PlanView<'_>) -> usize {
    usize::try_from(plan.fill_period).unwrap_or(usize::MAX).max(1)
}

/// Whether the places of the gaps follow from the loops alone.
#[inline(never)]
pub(crate) fn is_nested(plan: &PlanView<'_>) -> bool {
    plan.has_places() && (plan.is_empty() || set_nested(&mut Loops::new(), plan))
}

/// Fills the share of part `part` of `parts`, before the copy. Returns the part of the copy that runs then.
///
/// # Safety
/// All of `dst` may be written; `reach` is the destination's and lies in it; no source byte lies in it.
#[inline(always)]
pub(super) unsafe fn fill(plan: &PlanView<'_>, dst: Dst, reach: Reach, [part, parts]: [u32; 2]) -> [u32; 2] {
    // SAFETY: all of `dst` may be written (caller); loops are nested if `goes_by_place`.
    unsafe {
        if goes_by_place(plan, parts) {
            fill_gaps(plan, dst, reach, [part, parts]);
            return [part, parts];
        }
        // One part fills everything and then copies.
        if part == 0 {
            fill_run(plan, dst.base, [0, dst.bytes], [0, 1]);
        }
        [part, 1]
    }
}

/// The distance between gaps, in bytes, up to which it is faster to fill the whole buffer first than each gap.
const CLOSE: i64 = 128;

/// Whether each gap is filled by itself. Otherwise one part fills the whole buffer first: if the loops are not nested,
/// or if the gaps are so close that this is faster.
#[inline(never)] // keeps its list off the caller's stack
fn goes_by_place(plan: &PlanView<'_>, parts: u32) -> bool {
    let mut sorted = Loops::new();
    if !plan.has_places() || !set_nested(&mut sorted, plan) {
        return false;
    }
    let mut extent = plan.nest.width;
    let closest = sorted.as_slice().iter().find(|l| {
        let gap = l.dst > extent;
        extent += (l.count - 1) * l.dst;
        gap
    });
    // Whether long runs of the value can be written several bytes at a time.
    let (value, period) = (&plan.options.fill, period_of(plan));
    let is_quick = kernels::is_one_byte(value, period) || 16usize.checked_rem(period) == Some(0);
    parts > 1 || !is_quick || closest.is_none_or(|l| l.dst > CLOSE)
}

/// Fills a part of all gaps.
///
/// # Safety
/// All of `dst` may be written; `reach` is the destination's and lies in it; the loops are nested.
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn fill_gaps(plan: &PlanView<'_>, dst: Dst, reach: Reach, [part, parts]: [u32; 2]) {
    // SAFETY: head and tail lie in the buffer, since the reach does (caller).
    unsafe {
        fill_run(plan, dst.base, [0, reach.lowest as u64], [part, parts]);
        fill_run(plan, dst.base, [reach.end as u64, dst.bytes], [part, parts]);
    }
    let mut extent = plan.nest.width;
    for k in 0.. {
        // Sorted anew for each gap, so that only one list is on the stack.
        let mut walk = Problem { dst_base: reach.lowest + extent, ..Problem::nothing() };
        let nested = set_nested(&mut walk.loops, plan);
        let Some(&l) = walk.loops.as_slice().get(k).filter(|_| nested) else { return };
        walk.width = l.dst - extent;
        if walk.width > 0 {
            let mut faster = 0..k;
            walk.loops.merge(|_, _| faster.next().is_some());
            if let Some(own) = walk.loops.as_mut_slice().first_mut() {
                own.count -= 1;
            }
            let (period, loops) = (plan.fill_period, walk.loops.as_slice());
            let alike = || loops.iter().all(|l| l.dst.checked_rem(period) == Some(0));
            let many = walk.width <= SHORT_GAP as i64 && iterations(loops) >= MANY_GAPS;
            // SAFETY: a gap ends where the next iteration of its loop begins, which is inside the reach.
            unsafe {
                if !(many && alike()) {
                    fill_walk(plan, dst.base, &mut walk, [part, parts]);
                } else if walk.part(part, parts) {
                    copy_gap(plan, dst.base, &mut walk);
                }
            }
        }
        extent += (l.count - 1) * l.dst;
    }
}

/// Fills a part of one run of bytes.
///
/// # Safety
/// The bytes `begin … end − 1` from `base` may be written.
#[inline(never)] // keeps its frame off the caller's stack
pub(super) unsafe fn fill_run(plan: &PlanView<'_>, base: *mut u8, [begin, end]: [u64; 2], part: [u32; 2]) {
    let mut walk = Problem { width: (end - begin) as i64, dst_base: begin as i64, ..Problem::nothing() };
    // SAFETY: the walk is that run, which may be written (caller).
    unsafe { fill_walk(plan, base, &mut walk, part) };
}

/// # Safety
/// All that `walk` reaches from `base` may be written.
unsafe fn fill_walk(plan: &PlanView<'_>, base: *mut u8, walk: &mut Problem, [part, parts]: [u32; 2]) {
    if walk.width == 0 || !walk.part(part, parts) {
        return;
    }
    for_each_iteration(walk.loops.as_slice(), walk.dst_base, 0, |offset, _| {
        // SAFETY: an iteration of the walk may be written (caller).
        unsafe { fill_gap(plan, base.wrapping_offset(offset as isize), walk.width as usize, offset) };
    });
}

/// Writes `bytes` bytes of the fill, as it stands at byte `offset` of the buffer.
///
/// # Safety
/// They may be written.
unsafe fn fill_gap(plan: &PlanView<'_>, to: *mut u8, bytes: usize, offset: i64) {
    let phase = offset.checked_rem(plan.fill_period).unwrap_or(0) as usize;
    // SAFETY: they may be written (caller); the period is at least 1, and the phase below it.
    unsafe { kernels::fill_rest(to, bytes, &plan.options.fill, period_of(plan), phase) };
}

/// The longest gap, in bytes, that is copied from one that was filled: a call for each would cost more than its bytes.
const SHORT_GAP: usize = 256;
/// Minimum number of gaps for which that pays.
const MANY_GAPS: i64 = 16;

/// [`fill_walk`] for a part of many short gaps that begin alike: fills one of them and copies it to all.
///
/// # Safety
/// All that `walk` reaches from `base` may be written.
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn copy_gap(plan: &PlanView<'_>, base: *mut u8, walk: &mut Problem) {
    let mut gap = [const { MaybeUninit::<u8>::uninit() }; SHORT_GAP];
    let gap = gap.as_mut_ptr().cast::<u8>();
    let bytes = walk.nest().bytes();
    walk.normalise();
    let choice = choose_for(None, walk, &plan.options, bytes);
    // SAFETY: a gap has room. P1 and P2 of the walk: it reads that one, and writes what may be written (caller). P3:
    // the choice was made for it.
    unsafe {
        fill_gap(plan, gap, walk.width as usize, walk.dst_base);
        run(choice, &walk.nest(), base, gap.cast_const());
    }
}
