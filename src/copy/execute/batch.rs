//! Batches: one plan at many places. The pages of a key-value cache, the tiles of an atlas, the blocks of a gather.
//!
//! Copy k runs the plan with both base pointers moved by the k-th offsets. The plan is decoded once and the proof is
//! made once for all: with `lowest` and `end` of the plan's reach, all copies lie in the buffer if
//!
//! ```text
//! lowest + min(offsets) >= 0        end + max(offsets) <= length
//! ```
//!
//! Nothing is touched before that, and every part looks at all offsets, so that either all parts run or none.
//!
//! *Lists* may be of any length, so they are read twice: for the proof, and while elements are written. A list is refused
//! where it shares bytes with the destination's range of a copy. An entry that another thread changes in between is
//! proved again (`Proved`): a copy that leaves the buffers is left out.
//!
//! *Sharing.* Where all that is written lies apart from all that is read, nothing more is asked. Else each copy is held
//! against itself, as any copy is: what it writes and what it reads. That is the same question for the same distance,
//! so the last answer is kept. One copy is not held against another: that would be n² questions, and the blocks of a
//! pool are distinct because its owner hands them out once. Where it is untrue, the shared bytes get what one of the
//! copies writes.
//!
//! *Parts* take shares of the list. Where it is not much longer than there are parts, each copy is cut into pieces, so
//! that a share is a whole number of pieces:
//!
//! ```text
//! pieces of a copy = parts / gcd(count, parts)        3 copies for 2 parts: 2 pieces each, 3 for either part
//! ```
//!
//! but none below 4 KiB (`part`). How a copy treats the caches was decided for one copy, when the plan was made.

use super::super::bits::BitWords;
use super::super::nest::{Reach, Reached};
use super::super::options::{self, Options};
use super::super::plan::{PlanView, PlanWords};
use super::super::shortcut::Shortcut;
use super::super::tiled::TiledWords;
use super::part::USEFUL;
use super::{
    Dst, Sharing, Src, are_apart, bits, check_part, lies_in, once, quick, relayout, run, run_part, sharing,
    they_overlap,
};
use crate::error::{Argument, Detail, Error, Result, Status};
use crate::model::arith::gcd;
use crate::model::overlap;
use core::mem::MaybeUninit;

/// Where the copies of a batch lie: as many entries on either side, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// From the destination's base pointer.
    pub dst_offsets: &'a [i64],
    /// From the source's.
    pub src_offsets: &'a [i64],
}

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
    let plan = plan.as_ref().map_err(|&error| error)?; // no second copy: the stack is short
    check_part(part, parts)?;
    plan.options.check_elements_alone()?;
    if plan.is_empty() || batch.dst_offsets.is_empty() {
        return Ok(());
    }
    let apart = batch.prove(&plan.reached, dst, src)? || plan.options.flags & options::ASSUME_DISTINCT != 0;
    if !apart {
        batch.check_each(plan, dst, src)?;
    }
    let batch = Proved { batch, bounds: Bounds::new(&plan.reached, dst, src) };
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
        // SAFETY: as promised to this function; what all copies reach was proved to lie in both buffers, and no copy shares
        // bytes with itself, or each element is its own source.
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
#[inline(never)] // its stack is its own
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

/// [`execute`] of a relayout, whose sides must lie apart in each copy.
///
/// # Safety
/// As [`execute`].
#[inline(never)] // its stack is its own
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
        unsafe { relayout::run_share(&relayout, &options, &reached, to, from, piece as u64, pieces as u64) };
    });
    Ok(())
}

/// [`execute`] of a plan in bits, whose sides must lie in bytes apart in each copy.
///
/// # Safety
/// As [`execute`].
#[inline(never)] // its stack is its own
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

/// Moves one run for each copy. Those that follow one another on both sides are one run.
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
            bytes += width; // inside of what was proved
            continue;
        }
        copy(first, bytes);
        (first, bytes) = (next, width);
    }
    copy(first, bytes);
}

/// The offsets of one copy.
#[derive(Clone, Copy)]
struct Places {
    dst: i64,
    src: i64,
}

impl Places {
    /// Both sides from there on, with what is left of them; 0 bytes where it is in front of the buffer.
    #[inline(always)]
    fn of(self, dst: Dst, src: Src) -> (Dst, Src) {
        let left = |bytes: u64, by: i64| u64::try_from(by).map_or(0, |by| bytes.saturating_sub(by));
        let to = Dst { base: dst.base.wrapping_offset(self.dst as isize), bytes: left(dst.bytes, self.dst) };
        (to, Src { base: src.base.wrapping_offset(self.src as isize), bytes: left(src.bytes, self.src) })
    }

    /// What one copy reaches, from the base pointers. (It was proved to lie in the buffers.)
    fn reached(self, reached: &Reached) -> (Reach, Reach) {
        let moved = |reach: Reach, by: i64| Reach {
            lowest: reach.lowest.wrapping_add(by),
            highest: reach.highest.wrapping_add(by),
            end: reach.end.wrapping_add(by),
        };
        (moved(reached.dst, self.dst), moved(reached.src, self.src))
    }

    /// Where the first elements lie.
    fn begin(self, plan: &PlanView<'_>, dst: Dst, src: Src) -> (*mut u8, *const u8) {
        let (to, from) = self.of(dst, src);
        plan.nest.begin(to.base, from.base)
    }

    /// The plan of one copy, with the base pointers of the batch.
    fn plan<'a>(self, plan: &PlanView<'a>) -> PlanView<'a> {
        let mut moved = *plan;
        moved.nest.dst_base = moved.nest.dst_base.wrapping_add(self.dst);
        moved.nest.src_base = moved.nest.src_base.wrapping_add(self.src);
        moved
    }

    /// Whether each element is its own source.
    fn are_the_same(self, plan: &PlanView<'_>, dst: Dst, src: Src) -> bool {
        let (to, from) = self.begin(plan, dst, src);
        to.cast_const() == from && plan.nest.loops.iter().all(|l| l.dst == l.src)
    }
}

/// Offsets with which one copy lies in both buffers.
#[derive(Clone, Copy)]
struct Bounds {
    /// The least one, and how much further the others may be.
    dst: (i64, u64),
    src: (i64, u64),
}

impl Bounds {
    /// Those of a copy that reaches this.
    fn new(reached: &Reached, dst: Dst, src: Src) -> Self {
        let side = |reach: &Reach, address: u64, bytes: u64| {
            let room = bytes.min(usize::MAX as u64 - address).min(i64::MAX as u64) as i64;
            (reach.lowest.wrapping_neg(), room.saturating_sub(reach.end).saturating_add(reach.lowest).max(0) as u64)
        };
        Self {
            dst: side(&reached.dst, dst.base.addr() as u64, dst.bytes),
            src: side(&reached.src, src.base.addr() as u64, src.bytes),
        }
    }

    #[inline(always)]
    fn hold(&self, places: Places) -> bool {
        let within = |(least, further): (i64, u64), offset: i64| offset.wrapping_sub(least) as u64 <= further;
        within(self.dst, places.dst) & within(self.src, places.src)
    }
}

impl<'a> Batch<'a> {
    /// Each entry is read once.
    #[inline(always)]
    fn places(&self) -> impl Iterator<Item = Places> + 'a {
        self.dst_offsets.iter().zip(self.src_offsets).map(|(dst, src)| {
            // SAFETY: entries of the caller's lists.
            let ([dst], [src]) = unsafe { (once::array(dst), once::array(src)) };
            Places { dst, src }
        })
    }

    /// Proves that all copies lie in the buffers; whether all that is written lies apart from all that is read.
    fn prove(&self, reached: &Reached, dst: Dst, src: Src) -> Result<bool> {
        let (dst_address, src_address) = (dst.base.addr() as u64, src.base.addr() as u64);
        let null = |argument| Error::new(Status::NullPointer).argument(argument);
        if dst_address == 0 {
            return Err(null(Argument::Dst));
        }
        if src_address == 0 {
            return Err(null(Argument::Src));
        }
        let to = union(reached.dst, self.dst_offsets).filter(|all| lies_in(all, dst_address, dst.bytes));
        let from = union(reached.src, self.src_offsets).filter(|all| lies_in(all, src_address, src.bytes));
        match (to, from) {
            (Some(to), Some(from)) => {
                self.check_lists(reached, dst_address, &to)?;
                Ok(are_apart(dst_address, &to, src_address, &from))
            }
            (None, _) => {
                Err(outside(reached.dst, self.dst_offsets, dst_address, dst.bytes).argument(Argument::DstOffsets))
            }
            (_, None) => {
                Err(outside(reached.src, self.src_offsets, src_address, src.bytes).argument(Argument::SrcOffsets))
            }
        }
    }

    /// OVERLAP where a list shares bytes with what a copy reaches of the destination, all of which is `all`.
    #[inline(always)]
    fn check_lists(&self, reached: &Reached, dst_address: u64, all: &Reach) -> Result<()> {
        for (list, argument) in [(self.dst_offsets, Argument::DstOffsets), (self.src_offsets, Argument::SrcOffsets)] {
            let bytes = Reach { lowest: 0, highest: 0, end: size_of_val(list) as i64 };
            if !are_apart(dst_address, all, list.as_ptr().addr() as u64, &bytes) {
                self.check_list((list, bytes), argument, reached, dst_address)?;
            }
        }
        Ok(())
    }

    /// [`Batch::check_lists`] of one list, copy by copy.
    #[cold]
    #[inline(never)]
    fn check_list(
        &self,
        (list, bytes): (&[i64], Reach),
        argument: Argument,
        reached: &Reached,
        dst_address: u64,
    ) -> Result<()> {
        for (k, places) in self.places().enumerate() {
            let (to, _) = places.reached(reached);
            if !are_apart(dst_address, &to, list.as_ptr().addr() as u64, &bytes) {
                let error = Error::new(Status::Overlap).argument(argument);
                return Err(error.because(Detail::SharedList, k as i64, to.end.wrapping_sub(to.lowest)));
            }
        }
        Ok(())
    }

    /// OVERLAP or UNDECIDED where a copy shares bytes with itself.
    #[cold]
    #[inline(never)] // its stack is its own
    fn check_each(&self, plan: &PlanView<'_>, dst: Dst, src: Src) -> Result<()> {
        let (dst_address, src_address) = (dst.base.addr() as u64, src.base.addr() as u64);
        let mut known = None;
        for (k, places) in self.places().enumerate() {
            let distance = places.src.wrapping_sub(places.dst);
            if known == Some(distance) {
                continue;
            }
            let (to, from) = places.reached(&plan.reached);
            match sharing(&places.plan(plan), dst_address, to, src_address, from) {
                Sharing::Apart | Sharing::Same => known = Some(distance),
                Sharing::Shared => {
                    let error = they_overlap(dst_address, to, src_address, from);
                    return Err(of_entry(Error { argument: Argument::SrcOffsets, ..error }, k));
                }
                Sharing::Unknown => {
                    let error = overlap::undecided(plan.options.overlap_budget).argument(Argument::SrcOffsets);
                    return Err(of_entry(error, k));
                }
            }
        }
        Ok(())
    }

    /// OVERLAP where the ranges of a copy's two sides meet.
    #[cold]
    fn check_ranges(&self, reached: &Reached, dst: Dst, src: Src) -> Result<()> {
        let (dst_address, src_address) = (dst.base.addr() as u64, src.base.addr() as u64);
        for (k, places) in self.places().enumerate() {
            let (to, from) = places.reached(reached);
            if !are_apart(dst_address, &to, src_address, &from) {
                let error = they_overlap(dst_address, to, src_address, from);
                return Err(of_entry(Error { argument: Argument::SrcOffsets, ..error }, k));
            }
        }
        Ok(())
    }

    /// The proof for plans whose sides must lie apart in each copy, and this part's share; `None` where it has none.
    fn share_apart(
        self,
        reached: &Reached,
        options: &Options,
        dst: Dst,
        src: Src,
        part: u32,
        parts: u32,
    ) -> Result<Option<(Proved<'a>, Share)>> {
        if self.dst_offsets.is_empty() {
            return Ok(None);
        }
        if !self.prove(reached, dst, src)? && options.flags & options::ASSUME_DISTINCT == 0 {
            self.check_ranges(reached, dst, src)?;
        }
        let share = Share::new(self.dst_offsets.len(), reached.bytes, part, parts);
        Ok(share.map(|share| (Proved { batch: self, bounds: Bounds::new(reached, dst, src) }, share)))
    }
}

/// A batch whose copies were proved to lie in the buffers. Its lists may have been changed since: a copy that leaves
/// the buffers now is left out.
struct Proved<'a> {
    batch: Batch<'a>,
    bounds: Bounds,
}

impl<'a> Proved<'a> {
    fn count(&self) -> usize {
        self.batch.dst_offsets.len()
    }

    /// The places of each copy.
    #[inline(always)]
    fn places(&self) -> impl Iterator<Item = Places> {
        self.batch.places().filter(|places| self.bounds.hold(*places))
    }

    /// Calls `run` with the places of each copy of a share, and which of how many pieces of it.
    #[inline(always)]
    fn for_each(&self, share: &Share, mut run: impl FnMut(Places, u32, u32)) {
        let Share { begin, end, pieces } = *share;
        if pieces <= 1 {
            return self.between(begin, end).places().for_each(|places| run(places, 0, 1));
        }
        let (first, last) = (begin.div_ceil(pieces), end / pieces);
        // Pieces in front of the first whole copy, or all of them, and behind the last one.
        let whole = first < last;
        for unit in
            (begin..if whole { first * pieces } else { end }).chain(if whole { last * pieces } else { end }..end)
        {
            let copy = unit / pieces;
            self.between(copy, copy + 1).places().for_each(|places| run(places, (unit % pieces) as u32, pieces as u32));
        }
        if whole {
            self.between(first, last).places().for_each(|places| run(places, 0, 1));
        }
    }

    /// Some of the copies.
    fn between(&self, first: u64, last: u64) -> Self {
        let some = |offsets: &'a [i64]| offsets.get(first as usize..last as usize).unwrap_or(&[]);
        let Batch { dst_offsets, src_offsets } = self.batch;
        let batch = Batch { dst_offsets: some(dst_offsets), src_offsets: some(src_offsets) };
        Self { batch, bounds: self.bounds }
    }
}

/// What a side reaches with all offsets; `None` where a number leaves 64 bits.
fn union(reach: Reach, offsets: &[i64]) -> Option<Reach> {
    let (lowest, highest) =
        offsets.iter().fold((i64::MAX, i64::MIN), |(lowest, highest), &o| (lowest.min(o), highest.max(o)));
    Some(Reach {
        lowest: reach.lowest.checked_add(lowest)?,
        highest: reach.highest.checked_add(highest)?,
        end: reach.end.checked_add(highest)?,
    })
}

/// OUT_OF_BOUNDS of the first copy that does not lie in the buffer.
#[cold]
fn outside(reach: Reach, offsets: &[i64], address: u64, bytes: u64) -> Error {
    let error = Error::new(Status::OutOfBounds);
    let space = usize::MAX as i128 - address as i128;
    for (k, &offset) in offsets.iter().enumerate() {
        let (lowest, end) = (reach.lowest as i128 + offset as i128, reach.end as i128 + offset as i128);
        let found = if lowest < 0 {
            error.because_wide(Detail::BeforeStart, lowest, 0)
        } else if end > bytes as i128 {
            error.because_wide(Detail::PastEnd, end, bytes as i128)
        } else if end > space || end > i64::MAX as i128 {
            error.because_wide(Detail::AddressSpace, end, address as i64 as i128)
        } else {
            continue;
        };
        return of_entry(found, k);
    }
    error.because(Detail::AddressSpace, reach.end, address as i64)
}

/// Names the entry of the list.
fn of_entry(error: Error, k: usize) -> Error {
    error.item(k.min(i32::MAX as usize))
}

/// The pieces of copies that a part does, counted through all copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Share {
    begin: u64,
    end: u64,
    /// Of each copy.
    pieces: u64,
}

/// Copies for each part from which on no copy is cut: shares differ by an eighth.
const MANY: u64 = 8;
/// Pieces of a copy: `count · pieces` fits, since the longer a list is the fewer there are.
const MOST_PIECES: u64 = 1 << 20;

impl Share {
    /// Part `part` of `parts` of so many copies of so many bytes; `None` where it has nothing to do.
    fn new(count: usize, bytes: u64, part: u32, parts: u32) -> Option<Self> {
        let count = count as u64;
        let useful = (count.saturating_mul(bytes) / USEFUL).max(1);
        let (part, parts) = (part as u64, (parts as u64).min(useful).max(1));
        if part >= parts {
            return None;
        }
        let pieces = if count / MANY >= parts {
            1
        } else {
            let even = parts / gcd(count, parts).max(1);
            even.min(bytes / USEFUL).clamp(1, MOST_PIECES)
        };
        let units = count.saturating_mul(pieces);
        // ⌊units · k / parts⌋ without a product of three factors' width.
        let bound = |k: u64| (units / parts) * k + (units % parts) * k / parts;
        Some(Self { begin: bound(part), end: bound(part + 1), pieces })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;

    #[test]
    fn each_piece_belongs_to_one_part() {
        for count in [1usize, 2, 3, 5, 7, 16, 17, 100, 1000] {
            for bytes in [1u64, 16, 4096, 10_000, 100_000, 1 << 20] {
                for parts in [1u32, 2, 3, 4, 7, 16, 64, 1000] {
                    if cfg!(miri) && parts > 16 {
                        continue;
                    }
                    let mut next = 0;
                    let mut pieces = None;
                    let (mut least, mut most, mut busy) = (u64::MAX, 0, 0);
                    for part in 0..parts {
                        let Some(share) = Share::new(count, bytes, part, parts) else { continue };
                        assert_eq!((share.begin, *pieces.get_or_insert(share.pieces)), (next, share.pieces));
                        next = share.end;
                        (least, most) = (least.min(share.end - share.begin), most.max(share.end - share.begin));
                        busy += 1;
                    }
                    let pieces = pieces.expect("part 0 has work");
                    assert_eq!(next, count as u64 * pieces);
                    assert!(most - least <= 1, "{count} copies of {bytes} bytes in {parts}: {least} to {most}");
                    assert!(busy >= 1 && (pieces == 1 || bytes / pieces >= USEFUL));
                }
            }
        }
        // 3 copies of 1 MiB for 2 threads: the same for both.
        let share = |part| Share::new(3, 1 << 20, part, 2);
        assert_eq!(share(0), Some(Share { begin: 0, end: 3, pieces: 2 }));
        assert_eq!(share(1), Some(Share { begin: 3, end: 6, pieces: 2 }));
    }

    #[test]
    fn each_copy_of_a_share_is_run_whole_or_in_its_pieces() {
        for (count, pieces) in [(1u64, 4u64), (3, 2), (5, 3), (10, 1), (2, 5)] {
            let offsets: vec::Vec<i64> = (0..count as i64).collect();
            let bounds = Bounds { dst: (0, count), src: (0, count) };
            let batch = Proved { batch: Batch { dst_offsets: &offsets, src_offsets: &offsets }, bounds };
            for begin in 0..=count * pieces {
                for end in begin..=count * pieces {
                    let mut seen = vec![0; (count * pieces) as usize];
                    batch.for_each(&Share { begin, end, pieces }, |places, piece, of| {
                        assert_eq!(places.dst, places.src);
                        let first = places.dst as usize * pieces as usize;
                        match of {
                            1 => seen[first..][..pieces as usize].iter_mut().for_each(|times| *times += 1),
                            _ => seen[first + piece as usize] += 1,
                        }
                    });
                    let wanted = |unit: usize| i32::from((begin..end).contains(&(unit as u64)));
                    assert!(seen.iter().enumerate().all(|(k, &times)| times == wanted(k)), "{begin} {end} {pieces}");
                }
            }
        }
    }
}
