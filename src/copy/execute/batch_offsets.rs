//! The offsets of a batch's copies, and the proof that all copies lie in the buffers.

use super::super::nest::{Reach, Reached};
use super::super::plan::PlanView;
use super::share::Share;
use super::{Dst, Sharing, Src, are_apart, check_reach, lies_in, once, they_overlap};
use crate::error::{Argument, Detail, Error, Result, Status};
use crate::model::overlap;

/// The offsets of a batch's copies in bytes, equally many for both sides.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// From the destination's base pointer.
    pub dst_offsets: &'a [i64],
    /// From the source's.
    pub src_offsets: &'a [i64],
}

/// The offsets of one copy.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) dst: i64,
    pub(super) src: i64,
}

impl Entry {
    /// Both buffers from these offsets on, with the bytes that are left; none if an offset lies before its buffer.
    pub(super) fn of(self, dst: Dst, src: Src) -> (Dst, Src) {
        let left = |bytes: u64, by: i64| u64::try_from(by).map_or(0, |by| bytes.saturating_sub(by));
        let to = Dst { base: dst.base.wrapping_offset(self.dst as isize), bytes: left(dst.bytes, self.dst) };
        (to, Src { base: src.base.wrapping_offset(self.src as isize), bytes: left(src.bytes, self.src) })
    }

    /// The reach of the copy from both base pointers. (It was proved to lie in the buffers.)
    pub(super) fn reached(self, reached: &Reached) -> (Reach, Reach) {
        let moved = |reach: Reach, by: i64| Reach {
            lowest: reach.lowest.wrapping_add(by),
            highest: reach.highest.wrapping_add(by),
            end: reach.end.wrapping_add(by),
        };
        (moved(reached.dst, self.dst), moved(reached.src, self.src))
    }

    /// The addresses of the first elements.
    pub(super) fn begin(self, plan: &PlanView<'_>, dst: Dst, src: Src) -> (*mut u8, *const u8) {
        let (to, from) = self.of(dst, src);
        plan.nest.begin(to.base, from.base)
    }

    /// Whether each element is its own source.
    pub(super) fn are_the_same(self, plan: &PlanView<'_>, dst: Dst, src: Src) -> bool {
        let (to, from) = self.begin(plan, dst, src);
        plan.has_places() && to.cast_const() == from && plan.nest.loops.iter().all(|l| l.dst == l.src)
    }
}

impl<'a> Batch<'a> {
    /// The entry of each copy, which is read once.
    pub(super) fn entries(&self) -> impl Iterator<Item = Entry> + 'a {
        self.dst_offsets.iter().zip(self.src_offsets).map(|(dst, src)| {
            // SAFETY: references may be read.
            let ([dst], [src]) = unsafe { (once::array(dst), once::array(src)) };
            Entry { dst, src }
        })
    }

    /// Proves that all copies lie in the buffers. Returns whether everything that is written lies apart from everything
    /// that is read.
    pub(super) fn prove(&self, reached: &Reached, dst: Dst, src: Src) -> Result<bool> {
        let (dst_address, src_address) = (dst.base.addr() as u64, src.base.addr() as u64);
        for (address, reach, argument) in
            [(dst_address, reached.dst, Argument::Dst), (src_address, reached.src, Argument::Src)]
        {
            // A copy of the fill value alone reads no source.
            if address == 0 && !(argument == Argument::Src && reach.is_nothing()) {
                return Err(Status::NullPointer.of(argument));
            }
        }
        let inside = |reach, offsets, address, bytes, argument| {
            let all = union(reach, offsets).filter(|all| lies_in(all, address, bytes));
            all.ok_or_else(|| outside(reach, offsets, address, bytes, argument))
        };
        let to = inside(reached.dst, self.dst_offsets, dst_address, dst.bytes, Argument::DstOffsets)?;
        let from = inside(reached.src, self.src_offsets, src_address, src.bytes, Argument::SrcOffsets)?;
        self.check_lists(reached, dst_address, &to)?;
        Ok(are_apart(dst_address, &to, src_address, &from))
    }

    /// OVERLAP if a list shares bytes with the destination's reach of a copy; `all` is the reach of all copies there.
    pub(super) fn check_lists(&self, reached: &Reached, dst_address: u64, all: &Reach) -> Result<()> {
        for (list, argument) in [(self.dst_offsets, Argument::DstOffsets), (self.src_offsets, Argument::SrcOffsets)] {
            let bytes = Reach { lowest: 0, highest: 0, end: size_of_val(list) as i64 };
            let shares = |to: &Reach| !are_apart(dst_address, to, list.as_ptr().addr() as u64, &bytes);
            if !shares(all) {
                continue;
            }
            let mut each = self.entries().map(|entry| entry.reached(reached).0).enumerate();
            if let Some((k, to)) = each.find(|(_, to)| shares(to)) {
                let error = Status::Overlap.of(argument);
                return Err(error.because(Detail::SharedList, k as i64, to.end.wrapping_sub(to.lowest)));
            }
        }
        Ok(())
    }

    /// OVERLAP or UNDECIDED if a copy shares bytes with itself.
    #[cold]
    #[inline(never)] // keeps its frame off the caller's stack
    pub(super) fn check_each(&self, plan: &PlanView<'_>, dst: Dst, src: Src) -> Result<()> {
        let (dst_address, src_address) = (dst.base.addr() as u64, src.base.addr() as u64);
        let mut known = None;
        for (k, entry) in self.entries().enumerate() {
            let distance = entry.src.wrapping_sub(entry.dst);
            if known == Some(distance) {
                continue;
            }
            let (to, from) = entry.reached(&plan.reached);
            let addresses = [(dst_address, entry.dst), (src_address, entry.src)];
            let [dst_place, src_place] = addresses.map(|(address, by)| address.wrapping_add_signed(by));
            let error = match plan.sharing(dst_place, plan.reached.dst, src_place, plan.reached.src) {
                Sharing::Apart | Sharing::Same => {
                    known = Some(distance);
                    continue;
                }
                Sharing::Shared => they_overlap(dst_address, to, src_address, from),
                Sharing::Unknown => overlap::undecided(plan.options.overlap_budget),
            };
            return Err(of_entry(Error { argument: Argument::SrcOffsets, ..error }, k));
        }
        Ok(())
    }
}

/// A batch whose copies were proved to lie in the buffers. Its lists may have changed since: a copy that now leaves the
/// buffers is left out.
pub(super) struct Proved<'a> {
    batch: Batch<'a>,
    /// The least offset with which a copy lies in the destination's buffer, and the most that another may be above it.
    dst: (i64, u64),
    src: (i64, u64),
}

impl<'a> Proved<'a> {
    /// A batch that was [proved](Batch::prove) to lie in these buffers.
    pub(super) fn new(batch: Batch<'a>, reached: &Reached, dst: Dst, src: Src) -> Self {
        let side = |reach: &Reach, address: u64, bytes: u64| {
            let room = bytes.min(usize::MAX as u64 - address).min(i64::MAX as u64) as i64;
            (reach.lowest.wrapping_neg(), room.saturating_sub(reach.end).saturating_add(reach.lowest).max(0) as u64)
        };
        let dst = side(&reached.dst, dst.base.addr() as u64, dst.bytes);
        Self { batch, dst, src: side(&reached.src, src.base.addr() as u64, src.bytes) }
    }

    /// The entry of each copy that still lies in the buffers.
    pub(super) fn entries(&self) -> impl Iterator<Item = Entry> {
        let within = |(least, further): (i64, u64), offset: i64| offset.wrapping_sub(least) as u64 <= further;
        self.batch.entries().filter(move |entry| within(self.dst, entry.dst) & within(self.src, entry.src))
    }

    /// Calls `run` with the entry of each copy of a share, the piece of it, and the number of its pieces.
    #[inline(always)]
    pub(super) fn for_each(&self, share: &Share, mut run: impl FnMut(Entry, u32, u32)) {
        let Share { begin, end, pieces } = *share;
        if pieces <= 1 {
            return self.between(begin, end).entries().for_each(|entry| run(entry, 0, 1));
        }
        let mut unit = begin;
        while unit < end {
            let (copy, piece) = (unit / pieces, unit % pieces);
            let whole = piece == 0 && end - unit >= pieces;
            let (of, taken) = if whole { (1, pieces) } else { (pieces, 1) };
            self.between(copy, copy + 1).entries().for_each(|entry| run(entry, piece as u32, of as u32));
            unit += taken;
        }
    }

    pub(super) fn between(&self, first: u64, last: u64) -> Self {
        let some = |offsets: &'a [i64]| offsets.get(first as usize..last as usize).unwrap_or(&[]);
        let Batch { dst_offsets, src_offsets } = self.batch;
        let batch = Batch { dst_offsets: some(dst_offsets), src_offsets: some(src_offsets) };
        Self { batch, ..*self }
    }
}

/// The reach of a side with all offsets; `None` if a number leaves 64 bits.
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
fn outside(reach: Reach, offsets: &[i64], address: u64, bytes: u64, argument: Argument) -> Error {
    let too_far = |end| Status::OutOfBounds.of(argument).because(Detail::AddressSpace, end, address as i64);
    let found = offsets.iter().enumerate().find_map(|(k, &offset)| {
        let end = reach.end.checked_add(offset);
        let moved = Reach { lowest: reach.lowest.saturating_add(offset), end: end.unwrap_or(i64::MAX), ..reach };
        let inside = check_reach(moved, address, bytes, argument);
        let error = if end.is_none() { Some(inside.err().unwrap_or(too_far(i64::MAX))) } else { inside.err() };
        error.map(|error| of_entry(error, k))
    });
    found.unwrap_or(too_far(reach.end)) // the list was changed
}

/// Names the entry of the list.
fn of_entry(error: Error, k: usize) -> Error {
    error.item(k.min(i32::MAX as usize))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;

    #[test]
    fn each_copy_of_a_share_is_run_whole_or_in_its_pieces() {
        for (count, pieces) in [(1u64, 4u64), (3, 2), (5, 3), (10, 1), (2, 5)] {
            let offsets: vec::Vec<i64> = (0..count as i64).collect();
            let batch = Batch { dst_offsets: &offsets, src_offsets: &offsets };
            let batch = Proved { batch, dst: (0, count), src: (0, count) };
            for begin in 0..=count * pieces {
                for end in begin..=count * pieces {
                    let mut seen = vec![0; (count * pieces) as usize];
                    batch.for_each(&Share { begin, end, pieces }, |entry, piece, of| {
                        assert_eq!(entry.dst, entry.src);
                        let first = entry.dst as usize * pieces as usize;
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
