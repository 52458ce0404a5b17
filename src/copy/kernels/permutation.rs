//! Chunks that are one permutation of bytes, as their kernel gets them: found in loops, with their index.

use super::super::loops::Loop;
use super::{WIDEST_ELEMENT, first};
use crate::machine::Level;
use core::ops::Range;

/// Bytes of the longest chunk of [`Family::Permute`](super::Family::Permute): two lanes of AVX-512. Other sets take
/// half of it, four lanes.
pub const WIDEST_CHUNK: usize = 128;

/// A kernel of chunks that are one permutation; its contract is that of [`Run`](super::Run).
pub type Permute = unsafe fn(dst: *mut u8, src: *const u8, chunks: &Permutation);

/// Chunks that are one permutation of bytes, prepared for the lanes of an instruction set.
#[derive(Clone, Debug)]
pub struct Permutation {
    /// Bytes of a chunk of the destination.
    pub(super) dst_bytes: usize,
    /// Bytes of a chunk of the source: fewer if elements are repeated, in chunks of at most a lane.
    pub(super) src_bytes: usize,
    /// The step from chunk to chunk.
    pub(super) row: Loop,
    /// Whether a chunk is a transposed square of as many elements a side as a lane of 16 bytes holds.
    pub(super) square: bool,
    /// Chunks that go through a lane together: more than one only if the chunks of a row have no gaps, or masks leave
    /// the gaps out.
    pub(super) group: usize,
    /// The bytes of a group's lane that belong to its chunks in the destination.
    pub(super) dst_mask: u64,
    /// The bytes of a group's lane that belong to its chunks in the source.
    pub(super) src_mask: u64,
    /// Bytes from the first element of a group to its lowest byte in the source.
    pub(super) lowest: isize,
    /// The numbers of chunks from which a group may load and store a whole lane: surplus bytes lie in neighbouring
    /// chunks, and those that are stored in later ones. May be empty, with `start > end`.
    pub(super) whole: Range<usize>,
    /// The source byte of each byte of a group. In chunks of several lanes, byte p of a lane comes from piece `index[p]
    /// / lane`, byte `index[p] % lane`.
    pub(super) index: [u8; WIDEST_CHUNK],
    /// Whether some bytes come from `fill`, which is then the second piece.
    pub(super) fills: bool,
    /// One lane of bytes that are filled.
    pub(super) fill: [u8; WIDEST_CHUNK / 2],
}

/// The entry of a list for a byte that is filled ([`Permutation::of_list`]).
pub const FILLED: u8 = 0xFF;

/// Bytes of a lane of a level that has kernels of [`Family::Permute`](super::Family::Permute): bytes are permuted
/// within lanes.
const fn lane(level: Level) -> usize {
    if matches!(level, Level::Avx512) { 64 } else { 16 }
}

/// Whether two loops transpose a square of as many elements a side as a lane of 16 bytes holds.
fn is_square(width: i64, inner: &[Loop], level: Level) -> bool {
    let side = 16i64.checked_div(width).unwrap_or(0);
    let square = [Loop { count: side, dst: width, src: 16 }, Loop { count: side, dst: 16, src: width }];
    lane(level) == 16 && matches!(width, 1 | 2 | 4 | 8) && matches!(inner, [a, b] if [*a, *b] == square)
}

/// The elements of a transpose that are chunks. One kernel transposes the chunks, and another permutes their bytes as
/// they leave the stack.
#[derive(Clone, Copy, Debug)]
pub struct Chunks<'a> {
    /// The kernel that permutes.
    pub run: Permute,
    pub(super) level: Level,
    /// Bytes of an element of a chunk.
    pub(super) width: i64,
    /// The loops of a chunk.
    pub(super) inner: &'a [Loop],
    /// Bytes of a chunk.
    pub bytes: i64,
    /// Bytes from the lowest byte of a chunk in the source to its first element.
    pub first: i64,
}

impl<'a> Chunks<'a> {
    /// The chunks of these loops, for a kernel of permutations and its level. `None` unless a chunk is contiguous and
    /// has at most [`WIDEST_ELEMENT`] bytes.
    pub fn new(run: Permute, level: Level, width: i64, inner: &'a [Loop]) -> Option<Self> {
        let (bytes, src) = Permutation::chunk(width, inner, level)?;
        let first = -lowest(inner);
        (bytes == src && bytes <= WIDEST_ELEMENT).then_some(Self { run, level, width, inner, bytes, first })
    }

    /// The permutation of `count` chunks that are contiguous on both sides.
    pub fn in_row(&self, count: usize) -> Option<Permutation> {
        let row = Loop { count: count as i64, dst: self.bytes, src: self.bytes };
        Permutation::new(self.width, self.inner, row, self.level)
    }
}

/// Bytes from the first element of a chunk to its lowest byte in the source.
fn lowest(inner: &[Loop]) -> i64 {
    inner.iter().map(|l| (l.count - 1).wrapping_mul(l.src).min(0)).sum()
}

impl Permutation {
    /// Bytes of a chunk of `inner` loops, fastest first, in the destination and the source. `None` if there are gaps,
    /// or more bytes than this level takes.
    #[inline]
    pub fn chunk(width: i64, inner: &[Loop], level: Level) -> Option<(i64, i64)> {
        if is_square(width, inner, level) {
            return Some((256 / width, 256 / width));
        }
        let lane = lane(level) as i64;
        let most = if lane == 16 { WIDEST_CHUNK as i64 / 2 } else { WIDEST_CHUNK as i64 };
        if !(1..=most).contains(&width) {
            return None;
        }
        let (mut dst, mut src) = (width, width);
        for l in inner {
            let longest = most.checked_div(dst)?;
            if l.dst != dst || !(1..=longest).contains(&l.count) {
                return None;
            }
            dst *= l.count;
        }
        // In the source the loops may have any order and direction.
        let steps = || inner.iter().filter(|l| l.count > 1 && l.src != 0);
        let mut found = 0;
        while let Some(l) = steps().find(|l| l.src.unsigned_abs() == src as u64) {
            src *= l.count;
            found += 1;
        }
        (found == steps().count() && (src == dst || dst <= lane)).then_some((dst, src))
    }

    /// A row of chunks of these sizes, without an index.
    fn blank(dst_bytes: usize, src_bytes: usize, row: Loop) -> Self {
        Self {
            dst_bytes,
            src_bytes,
            row,
            square: false,
            group: 1,
            dst_mask: first(dst_bytes),
            src_mask: first(src_bytes),
            lowest: 0,
            whole: 0..0,
            index: [0; WIDEST_CHUNK],
            fills: false,
            fill: [0; WIDEST_CHUNK / 2],
        }
    }

    /// The permutation of a row of chunks of these loops.
    pub fn new(width: i64, inner: &[Loop], row: Loop, level: Level) -> Option<Self> {
        const LAST: usize = WIDEST_CHUNK - 1;
        let (dst, src) = Self::chunk(width, inner, level)?;
        let (dst_bytes, src_bytes, lane) = (dst as usize, src as usize, lane(level));
        let mut chunks = Self { square: is_square(width, inner, level), ..Self::blank(dst_bytes, src_bytes, row) };
        if chunks.square {
            return Some(chunks);
        }
        let lowest = lowest(inner);
        // The source byte of each byte of a chunk. Each loop repeats all bytes so far, each time with its step added.
        let mut of_chunk = [0u8; WIDEST_CHUNK];
        for (byte, from) in of_chunk.iter_mut().zip(-lowest..).take(width as usize) {
            *byte = from as u8;
        }
        let mut filled = width as usize;
        for l in inner {
            let (made, rest) = of_chunk.split_at_mut_checked(filled)?;
            let mut moved = 0u8;
            for again in rest.chunks_exact_mut(filled.max(1)).take(l.count as usize - 1) {
                moved = moved.wrapping_add(l.src as u8);
                again.iter_mut().zip(&*made).for_each(|(byte, from)| *byte = from.wrapping_add(moved));
            }
            filled *= l.count as usize;
        }
        (chunks.lowest, chunks.index) = (lowest as isize, of_chunk);
        if dst_bytes > lane && dst_bytes & (lane - 1) != 0 {
            // The last piece ends with the chunk.
            let number = |byte: usize| byte >> lane.trailing_zeros();
            let last = number(dst_bytes - 1);
            let begins = |piece: usize| (piece * lane).min(dst_bytes - lane);
            for (at, byte) in chunks.index.iter_mut().enumerate().take((last + 1) * lane) {
                let from = of_chunk[(begins(number(at)) + (at & (lane - 1))) & LAST] as usize;
                let piece = number(from).min(last);
                *byte = (piece * lane + from - begins(piece)) as u8;
            }
        } else if dst_bytes <= lane {
            chunks.set_groups(of_chunk.get(..dst_bytes)?, &[0], level)?;
        }
        Some(chunks)
    }

    /// A row of chunks whose bytes a list picks from the source's chunk. Byte p of a chunk that the list has as
    /// [`FILLED`] becomes `fill[p]`. `None` if a chunk is longer than a lane.
    pub fn of_list(list: &[u8], src_bytes: usize, row: Loop, level: Level, fill: &[u8]) -> Option<Self> {
        let (dst_bytes, lane) = (list.len(), lane(level));
        if !(1..=lane).contains(&dst_bytes) || !(1..=lane).contains(&src_bytes) {
            return None;
        }
        let mut chunks = Self { fills: list.contains(&FILLED), ..Self::blank(dst_bytes, src_bytes, row) };
        chunks.set_groups(list, fill, level)?;
        Some(chunks)
    }

    /// Groups chunks of at most a lane; `made` is the index of one.
    fn set_groups(&mut self, made: &[u8], fill: &[u8], level: Level) -> Option<()> {
        let (dst_bytes, src_bytes, row, lane) = (self.dst_bytes, self.src_bytes, self.row, lane(level));
        let (group, downward) = (Self::group([dst_bytes as i64, src_bytes as i64], row, level) as usize, row.src < 0);
        let [dst_step, src_step] = [row.dst as usize, row.src.unsigned_abs() as usize];
        for number in 0..group {
            self.dst_mask |= first(dst_bytes) << (number * dst_step);
            self.src_mask |= first(src_bytes) << (number * src_step);
            let moved = src_step * if downward { group - 1 - number } else { number };
            let begin = number * dst_step;
            let again = self.index.get_mut(begin..)?;
            again.iter_mut().zip(made).for_each(|(byte, from)| *byte = from.wrapping_add(moved as u8));
            if !self.fills {
                continue;
            }
            let filled = self.index.iter_mut().zip(&mut self.fill).enumerate().skip(begin).zip(made.iter().enumerate());
            for ((at, (byte, slot)), (k, _)) in filled.filter(|(_, (_, from))| **from == FILLED) {
                *byte = (lane + at) as u8;
                *slot = fill.get(k).copied().unwrap_or(0);
            }
        }
        self.group = group;
        self.lowest -= if downward { ((group - 1) * src_step) as isize } else { 0 };
        self.whole = self.in_whole_lanes(lane);
        Some(())
    }

    /// [`Permutation::whole`] for lanes of this many bytes.
    fn in_whole_lanes(&self, lane: usize) -> Range<usize> {
        let Self { dst_bytes, src_bytes, group, row, .. } = *self;
        let count = row.count as usize;
        let in_lane = |bytes: usize| lane.checked_div(bytes).unwrap_or(0) + 1;
        let end_of = |bytes: usize| (count + 1).saturating_sub(in_lane(bytes));
        let (mut first, mut end) = (0, count);
        if group * dst_bytes != lane {
            end = if row.dst == dst_bytes as i64 { end_of(dst_bytes) } else { 0 };
        }
        if group * src_bytes != lane {
            match row.src {
                step if step == src_bytes as i64 => end = end.min(end_of(src_bytes)),
                step if step == -(src_bytes as i64) => first = in_lane(src_bytes).saturating_sub(group),
                _ => end = 0, // bytes between the chunks must not be read
            }
        }
        let last = count - group;
        if first > last { last..0 } else { first..end.min(last + 1) }
    }

    /// The number of chunks of these sizes, in the destination and the source, that a kernel of this level moves at
    /// once.
    pub fn group([dst, src]: [i64; 2], row: Loop, level: Level) -> i64 {
        let (lane, src_step) = (lane(level) as i64, row.src.saturating_abs());
        let dense = row.dst == dst && src_step == src;
        if !dense && (lane == 16 || row.dst < dst || src_step < src) {
            return 1;
        }
        let fit = |bytes: i64, step: i64| (lane - bytes).checked_div(step).map_or(0, |more| more + 1);
        fit(dst, row.dst).min(fit(src, src_step)).min(row.count).max(1)
    }
}
