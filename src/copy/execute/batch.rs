//! Batches: one plan at many places, such as the pages of a key-value cache, the tiles of an atlas, the blocks of a
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
//! the last one is kept. Copies are not checked against each other: that would be n² checks, and the blocks of a pool
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
//! No piece is below 4 KiB (`part`). The treatment of the caches was chosen for one copy, when the plan was made.

use super::super::bits::BitWords;
use super::super::options;
use super::super::plan::{PlanView, PlanWords};
use super::super::shortcut::Shortcut;
use super::super::tiled::TiledWords;
pub use super::places::Batch;
use super::places::{Places, Proved};
use super::share::Share;
use super::{Dst, Src, bits, check_part, once, quick, relayout, run, run_part};
use crate::error::Result;
use core::mem::MaybeUninit;

/// Runs part `part` of `parts` of a plan at all places of a batch.
///
/// Errors, all before anything is touched: INVALID_ARGUMENT for the part; UNSUPPORTED for flags; NULL_POINTER and
/// OUT_OF_BOUNDS; OVERLAP and UNDECIDED of one copy.
///
/// # Safety
/// As [`execute`](super::execute), for each copy.
#[inline(never)]
pub unsafe fn execute(words: PlanWords<'_>, batch: Batch<'_>, dst: Dst, src: Src, part: u32, parts: u32) -> Result<()> {
    let plan = words.decode();
    let plan = plan.as_ref().map_err(|&error| error)?; // by reference: a second copy would take stack
    check_part(part, parts)?;
    plan.options.check_elements_alone()?;
    if plan.is_empty() || batch.dst_offsets.is_empty() {
        return Ok(());
    }
    let apart = batch.prove(&plan.reached, dst, src)? || plan.options.flags & options::ASSUME_DISTINCT != 0;
    if !apart {
        batch.check_each(plan, dst, src)?;
    }
    let batch = Proved::new(batch, &plan.reached, dst, src);
    let single_run = plan.nest.loops.is_empty() && !plan.choice.memory.streams();
    let shortcut = plan.shortcut != Shortcut::None && !plan.choice.small_stack;
    let Some(share) = Share::new(batch.count(), plan.bytes_moved(), part, parts) else { return Ok(()) };
    if single_run && apart && share.pieces == 1 {
        // SAFETY: as promised to this function; all runs were proved to lie in both buffers, and apart.
        unsafe { copy_runs(&batch.between(share.begin, share.end), plan, dst, src) };
        return Ok(());
    }
    if shortcut && apart && share.pieces == 1 {
        // SAFETY: as promised to this function; all copies were proved to lie in both buffers, and apart.
        unsafe { run_shortcuts(words, &batch.between(share.begin, share.end), plan, dst, src) };
        return Ok(());
    }
    batch.for_each(&share, |places, piece, pieces| {
        let (to, from) = places.of(dst, src);
        // SAFETY: as promised to this function; what all copies reach was proved to lie in both buffers, and no copy
        // shares bytes with itself, or each element is its own source.
        unsafe {
            if !apart && places.are_the_same(plan, dst, src) {
                return;
            }
            match pieces {
                1 => run(plan.choice, &plan.nest, to.base, from.base),
                _ => run_part(plan, to, from, piece, pieces),
            }
        }
    });
    Ok(())
}

/// Runs each copy of a plan that has a shortcut.
///
/// # Safety
/// All copies lie in both buffers, and what is written apart from what is read; the words of the shortcut may be read.
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn run_shortcuts(words: PlanWords<'_>, batch: &Proved<'_>, plan: &PlanView<'_>, dst: Dst, src: Src) {
    let mut room = [MaybeUninit::uninit(); Shortcut::WORDS];
    let used = room.get_mut(..words.shortcut.words()).unwrap_or(&mut []);
    // SAFETY: as promised to this function.
    let table = unsafe { once::words(words.table, used) }.as_ptr();
    let words = PlanWords { table, ..words };
    for places in batch.places() {
        let (to, from) = places.of(dst, src);
        // SAFETY: as promised to this function.
        unsafe {
            if !quick::run_shortcut(&words, to, from) {
                run(plan.choice, &plan.nest, to.base, from.base);
            }
        }
    }
}

/// [`execute`] of a relayout; the sides of each copy must lie apart.
///
/// # Safety
/// As [`execute`].
#[inline(never)] // keeps its frame off the caller's stack
pub unsafe fn execute_words(
    words: TiledWords<'_>,
    batch: Batch<'_>,
    dst: Dst,
    src: Src,
    part: u32,
    parts: u32,
) -> Result<()> {
    let mut shapes = [None, None];
    let (relayout, options, _) = words.decode(&mut shapes)?;
    check_part(part, parts)?;
    options.check_elements_alone()?;
    if relayout.is_empty() {
        return Ok(());
    }
    let reached = relayout.reached()?;
    let Some((batch, share)) = batch.share_apart(&reached, &options, dst, src, part, parts)? else { return Ok(()) };
    batch.for_each(&share, |places, piece, pieces| {
        let (to, from) = places.of(dst, src);
        // SAFETY: as in `execute`.
        unsafe { relayout::run_share(&relayout, &options, &reached, to, from, [piece as u64, pieces as u64], true) };
    });
    Ok(())
}

/// [`execute`] of a plan in bits; the sides of each copy must lie in bytes apart.
///
/// # Safety
/// As [`execute`].
#[inline(never)] // keeps its frame off the caller's stack
pub unsafe fn execute_bits(
    words: BitWords<'_>,
    batch: Batch<'_>,
    dst: Dst,
    src: Src,
    part: u32,
    parts: u32,
) -> Result<()> {
    let plan = words.decode()?;
    check_part(part, parts)?;
    plan.options.check_elements_alone()?;
    let reached = plan.reached_bytes();
    let Some((batch, share)) = batch.share_apart(&reached, &plan.options, dst, src, part, parts)? else {
        return Ok(());
    };
    batch.for_each(&share, |places, piece, pieces| {
        let (to, from) = places.of(dst, src);
        // SAFETY: as in `execute`.
        unsafe { bits::run_share(&plan, to, from, piece, pieces) };
    });
    Ok(())
}

/// Moves one run for each copy. Runs that continue each other on both sides are moved as one.
///
/// # Safety
/// The runs lie in both buffers, and what is written apart from what is read.
unsafe fn copy_runs(batch: &Proved<'_>, plan: &PlanView<'_>, dst: Dst, src: Src) {
    let width = plan.nest.width;
    let copy = |first: Places, bytes: i64| {
        let (to, from) = first.begin(plan, dst, src);
        // SAFETY: as promised to this function. Not `copy_nonoverlapping`: as in the scalar `rows`.
        unsafe { core::ptr::copy(from, to, bytes as usize) };
    };
    let mut places = batch.places();
    let Some(mut first) = places.next() else { return };
    let mut bytes = width;
    for next in places {
        if next.dst == first.dst.wrapping_add(bytes) && next.src == first.src.wrapping_add(bytes) {
            bytes += width; // within what was proved
            continue;
        }
        copy(first, bytes);
        (first, bytes) = (next, width);
    }
    copy(first, bytes);
}
