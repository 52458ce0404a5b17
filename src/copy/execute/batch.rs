//! Batches: one plan at many places, such as the pages of a key-value cache, the tiles of an atlas, the rows of a
//! gather.
//!
//! Copy k runs the plan with both base pointers moved by the k-th offsets. The plan is decoded once and proved once for
//! all copies: with `lowest` and `end` of the plan's reach, all copies lie in the buffer if
//!
//! ```text
//! lowest + min(offsets) >= 0        end + max(offsets) <= length
//! ```
//!
//! Nothing is touched before that, and every part checks all offsets, so that either all parts run or none.
//!
//! *Lists* may be of any length, so they are read twice: for the proof, and while elements are written. A list that
//! shares bytes with the destination's range of a copy is refused. An entry that another thread changes in between is
//! checked again (`Proved`): a copy that leaves the buffers is left out.
//!
//! *Sharing.* If everything that is written lies apart from everything that is read, nothing more is checked. Otherwise
//! each copy is checked against itself, as any copy is. The answer depends only on the distance between its sides, so
//! the last one is kept. Copies are not checked against each other: that would be n² checks, and the places of a pool
//! are distinct because its owner hands them out once. If they are not, the shared bytes get what one of the copies
//! writes.
//!
//! *Parts* take shares of the list. If it is not much longer than there are parts, each copy is cut into pieces, so
//! that a share is a whole number of pieces:
//!
//! ```text
//! pieces of a copy = parts / gcd(count, parts)        3 copies for 2 parts: 2 pieces each, 3 for either part
//! ```
//!
//! No piece is below 4 KiB (`part`). The store was chosen for one copy, when the plan was made.

use super::super::converting::Converting;
use super::super::options;
use super::super::plan::PlanView;
use super::super::shortcut::Shortcut;
pub use super::batch_offsets::Batch;
use super::batch_offsets::{Entry, Proved};
use super::share::Share;
use super::{Dst, Src, check_part, once, quick, run};
use crate::error::Result;
use core::mem::MaybeUninit;

/// Runs part `part` of `parts` of a plan at all places of a batch.
///
/// Errors, all before anything is touched: INVALID_ARGUMENT for the part, and where the plan needs lists; UNSUPPORTED
/// for flags; NULL_POINTER and OUT_OF_BOUNDS; OVERLAP and UNDECIDED of one copy.
///
/// # Safety
/// As [`execute`](super::execute), for each copy; P4 of the plan's shortcut.
#[inline(never)]
pub unsafe fn execute(plan: &PlanView<'_>, batch: Batch<'_>, dst: Dst, src: Src, part: u32, parts: u32) -> Result<()> {
    let Some((batch, share, apart)) = share_of(plan, batch, dst, src, [part, parts])? else { return Ok(()) };
    let single_run = plan.has_places() && plan.nest.loops.is_empty() && !plan.choice.store.is_past();
    let shortcut = plan.shortcut != Shortcut::None && !plan.choice.small_stack;
    if apart && share.pieces == 1 && (single_run || shortcut) {
        let batch = batch.between(share.begin, share.end);
        // SAFETY: P1 of all copies by `Batch::prove`, as far as they still lie in the buffers (`Proved`); they lie
        // apart, or by ASSUME_DISTINCT (K6); P3 and P4 by the caller.
        unsafe { if single_run { copy_runs(&batch, plan, dst, src) } else { run_shortcuts(&batch, plan, dst, src) } }
        return Ok(());
    }
    batch.for_each(&share, |entry, piece, pieces| {
        let (to, from) = entry.of(dst, src);
        // SAFETY: P1 of all copies by `Batch::prove` and `Proved`; P2 by `Batch::check_each`, as the lists were then,
        // unless all lie apart; P3 by the caller; P5: a plan with lists was refused (`check_listed`).
        unsafe {
            if apart || !entry.are_the_same(plan, dst, src) {
                plan.run_part(to, from, [piece, pieces], apart);
            }
        }
    });
    Ok(())
}

/// The proof of [`execute`]: the batch, the share of a part, and whether all that is written lies apart from all that
/// is read. `None` if there is nothing to do.
#[inline(never)] // keeps its frame off the caller's stack
fn share_of<'a>(
    plan: &PlanView<'_>,
    batch: Batch<'a>,
    dst: Dst,
    src: Src,
    [part, parts]: [u32; 2],
) -> Result<Option<(Proved<'a>, Share, bool)>> {
    check_part(part, parts)?;
    plan.options.check_elements_alone()?;
    if plan.is_empty() || batch.dst_offsets.is_empty() {
        return Ok(None);
    }
    plan.converting().map_or(Ok(()), Converting::check_listed)?;
    let needed = plan.needed();
    let apart = batch.prove(&needed, dst, src)? || plan.options.flags & options::ASSUME_DISTINCT != 0;
    if !apart {
        batch.check_each(plan, dst, src)?;
    }
    let share = Share::new(batch.dst_offsets.len(), plan.bytes_moved(), part, parts);
    Ok(share.map(|share| (Proved::new(batch, &needed, dst, src), share, apart)))
}

/// Runs each copy of a plan that has a shortcut.
///
/// # Safety
/// P1 and P3 of all copies, whose sides lie apart; P4 of the shortcut.
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn run_shortcuts(batch: &Proved<'_>, plan: &PlanView<'_>, dst: Dst, src: Src) {
    let mut room = [MaybeUninit::uninit(); Shortcut::WORDS];
    let used = room.get_mut(..plan.shortcut.words()).unwrap_or(&mut []);
    // SAFETY: P4.
    let table = unsafe { once::words(plan.table, used) }.as_ptr();
    for entry in batch.entries() {
        let (to, from) = entry.of(dst, src);
        // SAFETY: P1 and P3, and the sides lie apart; the words of the shortcut are this function's.
        unsafe {
            if !quick::run_shortcut(plan, table, to, from) {
                run(plan.choice, &plan.nest, to.base, from.base);
            }
        }
    }
}

/// Moves one run for each copy. Runs that continue each other on both sides are moved as one.
///
/// # Safety
/// P1 of all copies, whose sides lie apart.
unsafe fn copy_runs(batch: &Proved<'_>, plan: &PlanView<'_>, dst: Dst, src: Src) {
    let width = plan.nest.width;
    let copy = |first: Entry, bytes: i64| {
        let (to, from) = first.begin(plan, dst, src);
        // SAFETY: P1: runs of one copy or of several. Not `copy_nonoverlapping`: the caller may have vouched for too
        // much (K6).
        unsafe { core::ptr::copy(from, to, bytes as usize) };
    };
    let mut entries = batch.entries();
    let Some(mut first) = entries.next() else { return };
    let mut bytes = width;
    for next in entries {
        if next.dst == first.dst.wrapping_add(bytes) && next.src == first.src.wrapping_add(bytes) {
            bytes += width; // within what was proved
            continue;
        }
        copy(first, bytes);
        (first, bytes) = (next, width);
    }
    copy(first, bytes);
}
