//! Relayouts: the proof as for any copy, then piece by piece.

use super::super::choose::choose;
use super::super::nest::{Reach, Reached};
use super::super::options::{self, Options, USEFUL};
use super::super::problem::Problem;
use super::super::tiled::{Pieces, Relayout, Share, Side, TiledWords};
use super::rest::{Fill, fill_run};
use super::{Dst, Src, are_apart, check_buffer, check_buffers, check_part, check_whole, run, take, they_overlap};
use crate::error::{Argument, Result};
use crate::machine::Machine;
use crate::model::overlap;

/// Runs part `part` of `parts` of a relayout's plan; errors as [`execute`](super::execute), and INVALID_ARGUMENT if the
/// words are not one.
///
/// # Safety
/// As [`execute`](super::execute).
#[inline(never)] // keeps its frame off the caller's stack
pub unsafe fn execute_words(words: TiledWords<'_>, dst: Dst, src: Src, part: u32, parts: u32) -> Result<()> {
    let mut shapes = [None, None];
    let (relayout, options, period) = words.decode(&mut shapes)?;
    // SAFETY: as promised to this function.
    unsafe { execute(&relayout, &options, period, dst, src, part, parts) }
}

/// What [`execute_words`] asks of `parts` parts before anything is touched, of slices: they share no byte, and their
/// lengths are true.
#[inline(never)] // its stack is its own
pub(crate) fn check_words(words: TiledWords<'_>, dst: Dst, src: Src, parts: u32) -> Result<()> {
    check_part(0, parts)?;
    let mut shapes = [None, None];
    let (relayout, ..) = words.decode(&mut shapes)?;
    check_sides(relayout.reached()?, dst, src)?;
    Ok(())
}

/// [`check_buffers`]; a source without elements is not looked at.
fn check_sides(reached: Reached, dst: Dst, src: Src) -> Result<[Reach; 2]> {
    if (reached.src.lowest, reached.src.end) != (0, 0) {
        return check_buffers(reached, dst, src);
    }
    let arguments = [Argument::Dst, Argument::DstBytes];
    Ok([check_buffer(reached.dst, dst.base.addr() as u64, dst.bytes, arguments)?, reached.src])
}

/// Runs part `part` of `parts` of a relayout, which is not empty; errors as [`execute`](super::execute). A tiled side
/// needs its whole buffer, and sides whose ranges meet are OVERLAP.
///
/// # Safety
/// As [`execute`](super::execute).
pub(crate) unsafe fn execute(
    relayout: &Relayout<'_>,
    options: &Options,
    period: i64,
    dst: Dst,
    src: Src,
    part: u32,
    parts: u32,
) -> Result<()> {
    check_part(part, parts)?;
    let fill_rest = options.flags & options::FILL_BUFFER != 0;
    let fill = Fill { period, bytes: &options.fill };
    // The fill writes the whole buffer.
    let whole = if fill_rest { Some(check_whole(dst)?) } else { None };
    let reached = relayout.reached()?;
    let (dst_address, src_address) = (dst.base.addr() as u64, src.base.addr() as u64);
    let [to, from] = check_sides(reached, dst, src)?;
    let written = whole.unwrap_or(to);
    let trusted = options.flags & options::ASSUME_DISTINCT != 0 && !fill_rest;
    let apart = trusted || are_apart(dst_address, &written, src_address, &from);
    if !apart {
        let shared =
            if fill_rest { Some(true) } else { relayout.sides_meet(dst_address, to, src_address, options.effort()) };
        match shared {
            Some(false) => {}
            Some(true) => return Err(they_overlap(dst_address, written, src_address, from)),
            None => return Err(overlap::undecided(options.overlap_budget).argument(Argument::Src)),
        }
    }
    let (part, parts) = match fill_rest {
        // Position alone does not distinguish padding from elements: one part fills everything and then copies.
        true if part > 0 => return Ok(()),
        true => {
            // SAFETY: all of `dst` is the caller's to write; no source byte lies in it.
            unsafe { fill_run(fill, dst.base, 0, dst.bytes, 0, 1) };
            (0, 1)
        }
        false => (part as u64, (parts as u64).min((reached.bytes / USEFUL).max(1))),
    };
    if part >= parts {
        return Ok(());
    }
    // SAFETY: the reach was proved to lie in both buffers; nothing is shared.
    unsafe { run_share(relayout, options, &reached, dst, src, [part, parts], apart) };
    Ok(())
}

/// Runs part `part` of `parts`, in chunks if it is large. `apart`: the ranges of the two sides do not meet.
///
/// # Safety
/// The reach was proved to lie in both buffers; no element is shared.
pub(super) unsafe fn run_share(
    relayout: &Relayout<'_>,
    options: &Options,
    reached: &Reached,
    dst: Dst,
    src: Src,
    [part, parts]: [u64; 2],
    apart: bool,
) {
    // Many pieces pass over the same lines, which should still be in the cache.
    let second = Machine::this().caches.second.max(1);
    let own = reached.bytes / parts.max(1);
    // The pieces of a list all pass over the same lines.
    let many = if matches!(relayout.src, Side::Taken(_)) { 2 } else { MANY_PIECES };
    let chunks = if own > 2 * second && relayout.count_pieces(many) == many { own / second } else { 1 };
    for chunk in 0..chunks {
        let Some(share) = relayout.part(part * chunks + chunk, parts * chunks) else { continue };
        // SAFETY: as promised to this function.
        unsafe {
            if !(apart && take::run_pixels(relayout, options, &share, dst, src)) {
                run_pieces(relayout, options, reached, dst, src, &share);
            }
        }
    }
}

/// Minimum pieces of a large relayout that is done in chunks of L2.
const MANY_PIECES: usize = 9;

/// # Safety
/// The reach was proved to lie in both buffers; nothing is shared.
unsafe fn run_pieces(relayout: &Relayout<'_>, options: &Options, reached: &Reached, dst: Dst, src: Src, share: &Share) {
    let mut pieces = Pieces::<64>::new(relayout, share);
    let (mut problem, machine) = (Problem::nothing(), Machine::this());
    while let Some(piece) = pieces.next() {
        relayout.set_problem(&piece, &mut problem);
        if relayout.is_filled(&piece) {
            // SAFETY: as promised to this function.
            unsafe { take::fill_piece(&mut problem, options, reached, dst) };
            continue;
        }
        problem.normalise();
        let choice = choose(&mut problem, options, reached.bytes, &machine);
        // SAFETY: the piece's elements are some of the relayout's, which lie in what was proved.
        unsafe { run(choice, &problem.nest(), dst.base, src.base) };
    }
}
