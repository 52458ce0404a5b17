//! The rows of a portion: runs of the destination, which are converted where they go.
//!
//! Rows that go past the caches, that have gaps, or whose numbers are below a byte, byte-swapped or become complex are
//! converted to a piece on the stack first, and written from there.

use super::super::conversion::{Conversion, Steps};
use super::super::converting::Converting;
use super::super::kernels::number_runs::{Convert, NumberRuns as How, Pass};
use super::super::kernels::{self, Family, Inner, find};
use super::super::loops::Loop;
use super::super::nest::{Nest, Packing, Unit};
use super::bit_walk;
use super::stage::run_direct;
use crate::machine::Level;

/// The entries of the lists along a row: `inner` of them `step` apart, and then the next ones, `outer` further.
#[derive(Clone, Copy)]
pub(super) struct Pattern {
    pub inner: i64,
    pub step: i64,
    pub outer: i64,
}

/// A row of a portion.
pub(super) struct Row {
    /// The bit of the destination at which it begins.
    pub to: i64,
    /// The numbers to convert, and how many elements they are.
    pub from: *const u8,
    pub count: i64,
    /// The entry of its first number in the lists.
    pub first: i64,
    pub pattern: Pattern,
    /// More rows like it, if there is neither a list nor a piece.
    pub runs: Loop,
    /// The loop whose iterations are gaps apart in the destination.
    pub gap: Option<Loop>,
}

/// Converts rows to their places in the destination.
pub(super) struct RowWriter<'a> {
    pub converting: &'a Converting<'a>,
    pub steps: Steps,
    pub convert: Convert,
    /// Of the converter.
    pub rooms: *mut Pass,
    pub level: Level,
    /// Whether rows are converted from the source as it is.
    pub in_place: bool,
    pub past: bool,
    /// Whether all rows are converted to a piece on the stack first; those with gaps are anyway.
    pub staged: bool,
    /// The unit of the nest, and the elements of a run of it.
    pub unit: Unit,
    pub run: i64,
    pub dst: *mut u8,
    /// The piece on the stack, and its bytes.
    pub piece: *mut u8,
    pub piece_bytes: usize,
}

impl RowWriter<'_> {
    /// Converts a row.
    ///
    /// # Safety
    /// The row and those of `runs` may be read, and their places written (P1); their entries lie in the lists (P5). The
    /// piece and the rooms belong to this call. The CPU has the level.
    pub unsafe fn write(&self, row: &Row) {
        let &Row { to, from, count, first, pattern, runs, gap } = row;
        let (piece, piece_bytes) = (self.piece, self.piece_bytes);
        let Conversion { dst, src, .. } = self.converting.conversion;
        let (dst_bits, src_bits) = (dst.bits(), src.bits());
        let (dst_parts, src_parts) = (Conversion::parts(dst), Conversion::parts(src));
        let Pattern { inner, step, outer } = pattern;
        let how = |first: i64, inner: i64, outer: i64| How {
            steps: self.steps,
            numbers: self.converting.conversion.numbers,
            lists: (self.converting.listed != 0).then_some(&self.converting.lists.pointers),
            first,
            inner: inner.max(1) as usize,
            step,
            outer,
            runs,
        };
        let at = |bits: i64| self.dst.wrapping_offset((bits >> 3) as isize);
        if !(self.staged || gap.is_some()) {
            // SAFETY: K3 by the caller, and K7 by P5. K1: the converter is of the level, which is here.
            return unsafe {
                (self.convert)(at(to), from, (count * src_parts) as usize, &how(first, inner, outer), &mut *self.rooms)
            };
        }
        // Elements that stay together, and those of a piece.
        let together = gap.map_or(1, |_| self.run).max(1);
        let most = (quotient(piece_bytes as i64 * 8, dst_bits * 2 * together) * 2 * together).max(together);
        let mut done = 0;
        while done < count {
            let (round, inside) = if inner < count { (done / inner.max(1), done % inner.max(1)) } else { (0, done) };
            let first = first.wrapping_add(round.wrapping_mul(outer)).wrapping_add(inside.wrapping_mul(step));
            let left = most.min(count - done);
            let (now, how) = if inside != 0 || inner > left {
                (left.min(inner - inside), how(first, i64::MAX, 0))
            } else {
                let now = quotient(left, inner) * inner;
                (now, how(first, inner, outer))
            };
            let now = if together > 1 && now > together { quotient(now, together) * together } else { now };
            let from = from.wrapping_offset((done * src_bits / 8) as isize);
            // SAFETY: K1; K3: elements of the row are read, and `most` of them have room in the piece; K7 by P5.
            unsafe {
                (self.convert)(piece, from, (now * src_parts) as usize, &how, &mut *self.rooms);
                if self.past && self.in_place {
                    // The source's next elements are prefetched while the piece is written.
                    let bytes = (now * src_bits / 8) as usize;
                    kernels::prefetch(from.wrapping_add(bytes), bytes, false);
                }
                if dst_parts != src_parts {
                    spread(piece, now as usize, self.steps.dst.bits() / 8);
                }
                if dst.is_swapped() {
                    swap(piece, (now * dst_bits / 8) as usize, self.steps.dst.bits() / 8);
                }
                self.put(to, piece, done, now, gap.map(|gap| (gap, together)));
            }
            done += now;
        }
    }

    /// Writes elements `done … done + now` of a row, which are at `piece`.
    ///
    /// # Safety
    /// As [`RowWriter::write`]; the elements are at `piece`.
    unsafe fn put(&self, to: i64, piece: *const u8, done: i64, now: i64, gap: Option<(Loop, i64)>) {
        let (dst, unit) = (self.converting.conversion.dst, self.unit);
        let bits_each = dst.bits();
        // The elements as a nest: one run, or runs with gaps.
        let (begin, width, loops) = match gap {
            None => (to + done * bits_each, now * bits_each, [Loop::ONCE]),
            Some((l, together)) => {
                let step = self.converting.place(unit, l.dst);
                let round = quotient(done, together);
                let inside = done - round * together;
                let runs = Loop { count: quotient(now, together).max(1), dst: step, src: together * bits_each };
                (to + round * step + inside * bits_each, now.min(together) * bits_each, [runs])
            }
        };
        let [l] = loops;
        // SAFETY: P1 and P2: the elements at `piece`, which belongs to this call, and their places in the destination.
        // K1: the writer and the kernel are of the options' level; K2: they take any rows, or any loops.
        unsafe {
            if bits_each < 8 {
                let packing = Packing { element: bits_each as u32, dst_high: dst.is_high_first(), src_high: false };
                let nest = Nest { unit: Unit::Bits(packing), width, dst_base: begin, src_base: 0, loops: &loops };
                return bit_walk::run(&nest, packing, true, self.dst, piece);
            }
            let (to, width) = (self.dst.wrapping_offset((begin >> 3) as isize), width >> 3);
            let l = Loop { count: l.count, dst: l.dst >> 3, src: l.src >> 3 };
            if gap.is_none() {
                let inner = Inner { hints: 0, width, a: Loop::ONCE, b: Loop::ONCE, c: Loop::ONCE, ahead: 0 };
                if self.past {
                    kernels::writer(self.level).1(to, piece, &inner);
                } else {
                    core::ptr::copy(piece, to, width as usize);
                }
                return;
            }
            let kernel =
                find(Family::Strided, width, self.level).or(find(Family::Rows, width, self.level)).unwrap_or(0);
            if let Some(kernel) = kernels::KERNELS.get(kernel)
                && let kernels::Run::Inner(run) = kernel.run
            {
                let loops = [l];
                let nest = Nest { unit: Unit::Bytes, width, dst_base: 0, src_base: 0, loops: &loops };
                run_direct(run, kernel.family, 0, &nest, to, piece);
            }
        }
    }
}

/// Swaps the bytes of numbers.
///
/// # Safety
/// So many bytes may be read and written.
pub(super) unsafe fn swap(at: *mut u8, bytes: usize, width: usize) {
    for number in (0..bytes / width.max(1)).map(|k| at.wrapping_add(k * width)) {
        for (low, high) in (0..width / 2).map(|low| (low, width - 1 - low)) {
            // SAFETY: two bytes of a number, which is one of those.
            unsafe { core::ptr::swap(number.wrapping_add(low), number.wrapping_add(high)) };
        }
    }
}

/// The quotient of two counts; 0 where there is none.
pub(super) fn quotient(count: i64, by: i64) -> i64 {
    count.checked_div(by).unwrap_or(0)
}

/// Makes real numbers of so many bytes, 4 or 8, complex ones, in place; NaNs become quiet.
///
/// # Safety
/// There is room for twice as many.
unsafe fn spread(at: *mut u8, count: usize, width: usize) {
    for k in (0..count).rev() {
        let (from, to) = (at.wrapping_add(k * width), at.wrapping_add(2 * k * width));
        // SAFETY: there is room for numbers 2k and 2k + 1. What is still to be read lies before both.
        unsafe {
            if width == 4 {
                let number = from.cast::<u32>().read_unaligned();
                let quiet = if f32::from_bits(number).is_nan() { 1 << 22 } else { 0 };
                to.cast::<[u32; 2]>().write_unaligned([number | quiet, 0]);
            } else {
                let number = from.cast::<u64>().read_unaligned();
                let quiet = if f64::from_bits(number).is_nan() { 1 << 51 } else { 0 };
                to.cast::<[u64; 2]>().write_unaligned([number | quiet, 0]);
            }
        }
    }
}
