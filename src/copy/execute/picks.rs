//! Relayouts in which runs pick short rows: gathers and scatters, without a piece for each run.
//!
//! One side has runs along one dimension, most of them of few indices, and inside that dimension lies one row of bytes
//! on both sides. An index moves the begin of its row on the side that has the runs; its place in the list moves the
//! begin on the other side:
//!
//! ```text
//! gather    dst + place · dst step   <-   src + index · src step
//! scatter   dst + index · dst step   <-   src + place · src step
//! ```

use super::super::kernels::WIDEST_CHUNK;
use super::super::loops::Loop;
use super::super::nest::Unit;
use super::super::problem::Problem;
use super::super::relayout::along::Runs;
use super::super::relayout::{Relayout, Slab};
use super::odometer::for_each_place;
use super::{Dst, Src};
use core::mem::MaybeUninit;

/// The longest row, in bytes: longer ones are worth a kernel and its store.
const MOST_BYTES: i64 = 16 << 10;
/// Indices of a run, on average, above which a run is worth a piece.
const FEW_INDICES: i64 = 4;

/// Runs along a dimension, and the steps by which its indices move both sides.
#[derive(Clone, Copy)]
pub(super) struct Picks<'a> {
    dimension: usize,
    runs: Runs<'a>,
    /// The object's size along the dimension, and the number of indices of the runs.
    size: i64,
    count: i64,
    /// Bytes by which a place and an index move each side; any number if there is only one.
    place: [i64; 2],
    index: [i64; 2],
    /// Bytes of an element, and the fill value that indices of a source may be.
    width: i64,
    fill: [u8; 16],
}

impl<'a> Picks<'a> {
    /// The picks of a relayout, if it is one of short rows.
    #[inline(never)] // keeps its frame off the caller's stack
    pub(super) fn of(relayout: &Relayout<'a>, fill: [u8; 16]) -> Option<Self> {
        let (along, object, scatters) = match (relayout.dst.along.as_slice(), relayout.src.along.as_slice()) {
            ([], [along]) => (along, relayout.src, false),
            ([along], []) => (along, relayout.dst, true),
            _ => return None,
        };
        let of = |list: &[i64]| list.get(along.dimension).copied().unwrap_or(0);
        let count = of(relayout.sizes);
        let few = (along.runs.len() as i64).saturating_mul(FEW_INDICES) >= count;
        let sums = relayout.sides().iter().all(|side| side.map.is_sum());
        if !few || !sums || relayout.part != 0 || relayout.unit != Unit::Bytes {
            return None;
        }
        let [to, from] = relayout.sides().map(|side| of(&side.map.strides).wrapping_mul(relayout.width));
        let (place, index) = if scatters { ([0, from], [to, 0]) } else { ([to, 0], [0, from]) };
        let (dimension, runs, size) = (along.dimension, along.runs, of(&object.map.sizes));
        let picks = Self { dimension, runs, size, count, place, index, width: relayout.width, fill };
        let mut rows = Problem::nothing();
        relayout.set_rows(dimension, relayout.width, &Slab::ALL, &mut rows);
        let inside = |l: &Loop| l.dst.unsigned_abs() < to.unsigned_abs();
        let short = rows.width <= MOST_BYTES && !rows.loops.as_slice().iter().any(inside);
        // Pixels have a kernel of their own (`run_pixels`).
        let chunk = size.max(count).saturating_mul(relayout.width) <= WIDEST_CHUNK as i64 / 2;
        let pixels = chunk
            && to == relayout.width
            && from.unsigned_abs() == to.unsigned_abs()
            && !rows.loops.as_slice().is_empty();
        (short && !pixels).then_some(picks)
    }

    /// Runs a slab.
    ///
    /// # Safety
    /// P1 and P2.
    #[inline(never)] // keeps its frame off the caller's stack
    pub(super) unsafe fn run(&self, relayout: &Relayout<'_>, slab: &Slab, dst: Dst, src: Src) {
        let mut rows = Problem::nothing();
        relayout.set_rows(self.dimension, self.width, slab, &mut rows);
        let (begin, end) = slab.of(self.dimension, self.count);
        let first = self.skip(begin);
        let [to_place, from_place] = self.place.map(|step| begin.wrapping_mul(step));
        rows.dst_base += to_place;
        rows.src_base += from_place;
        let (to, from) = rows.nest().begin(dst.base, src.base);
        for_each_place(rows.loops.as_slice(), to, from, |to, from| {
            // SAFETY: P1: the row of each index of the object is reached.
            unsafe { self.copy_rows((to, from), rows.width, first, end - begin) };
        });
    }

    /// The run in which place `begin` lies, and the number of its indices before that.
    fn skip(&self, begin: i64) -> (usize, i64) {
        let (mut number, mut done) = (0, begin);
        while done > 0 && number < self.runs.len() {
            let count = self.runs.get(number).count.max(0);
            if done < count {
                break;
            }
            (number, done) = (number + 1, done - count);
        }
        (number, done)
    }

    /// Copies a row of `width` bytes for each of `count` indices, from a place in the runs on.
    ///
    /// # Safety
    /// The rows of all indices of the object may be written and read.
    unsafe fn copy_rows(&self, at: (*mut u8, *const u8), width: i64, first: (usize, i64), count: i64) {
        // SAFETY: the rows may be written.
        let fill = |to: *mut u8| unsafe { self.fill_row(to, width) };
        // SAFETY: the rows may be written and read; `each` leaves out what is no index of the object.
        unsafe {
            match width {
                1 => self.each(at, first, count, |to, from| move_bytes::<1>(to, from), fill),
                2 => self.each(at, first, count, |to, from| move_bytes::<2>(to, from), fill),
                4 => self.each(at, first, count, |to, from| move_bytes::<4>(to, from), fill),
                8 => self.each(at, first, count, |to, from| move_bytes::<8>(to, from), fill),
                16 => self.each(at, first, count, |to, from| move_bytes::<16>(to, from), fill),
                32 => self.each(at, first, count, |to, from| move_bytes::<32>(to, from), fill),
                64 => self.each(at, first, count, |to, from| move_bytes::<64>(to, from), fill),
                // Not `copy_nonoverlapping`: the caller may have vouched for too much (K6).
                _ => self.each(at, first, count, |to, from| core::ptr::copy(from, to, width as usize), fill),
            }
        }
    }

    /// Gives a row of `width` bytes the fill value.
    ///
    /// # Safety
    /// It may be written.
    #[inline(never)] // once for all widths
    unsafe fn fill_row(&self, to: *mut u8, width: i64) {
        // Runs of a destination have no such index, unless they were changed.
        for byte in (0..width).filter(|_| self.index[0] == 0) {
            let value = self.fill.get((byte % self.width.max(1) % 16) as usize).copied().unwrap_or(0);
            // SAFETY: a byte of the row.
            unsafe { to.wrapping_offset(byte as isize).write(value) };
        }
    }

    /// Calls `copy` with both addresses of each index. Runs that were changed since they were proved, and leave the
    /// object, end it.
    #[inline(always)]
    fn each(
        &self,
        (mut to, mut from): (*mut u8, *const u8),
        (first, mut done): (usize, i64),
        mut left: i64,
        copy: impl Fn(*mut u8, *const u8),
        fill: impl Fn(*mut u8),
    ) {
        let ([to_step, from_step], [to_index, from_index]) = (self.place, self.index);
        let row = |to: *mut u8, from: *const u8, index: i64| {
            let (row, of) = (index.wrapping_mul(to_index) as isize, index.wrapping_mul(from_index) as isize);
            (to.wrapping_offset(row), from.wrapping_offset(of))
        };
        let next = |to: *mut u8, from: *const u8| {
            (to.wrapping_offset(to_step as isize), from.wrapping_offset(from_step as isize))
        };
        let mut number = first;
        while number < self.runs.len() && left > 0 {
            // Long lists are of single indices.
            if done == 0 {
                let most = left;
                for index in self.runs.singles(number, self.size).take(most as usize) {
                    let (row, of) = row(to, from, index);
                    copy(row, of);
                    (to, from) = next(to, from);
                    left -= 1;
                }
                number += (most - left) as usize;
            }
            let run = self.runs.get(number); // none past the last
            let mut index = run.first.wrapping_add(run.step.wrapping_mul(done));
            let count = (run.count - done).min(left).max(0);
            if run.outside(self.size).is_some() {
                return;
            }
            (done, left, number) = (0, left - count, number + 1);
            for _ in 0..count {
                let (row, of) = row(to, from, index);
                if run.fills() {
                    fill(row)
                } else {
                    copy(row, of)
                }
                index = index.wrapping_add(run.step);
                (to, from) = next(to, from);
            }
        }
    }
}

/// # Safety
/// So many bytes may be written and read.
#[inline(always)]
unsafe fn move_bytes<const N: usize>(to: *mut u8, from: *const u8) {
    // SAFETY: so many bytes, at any alignment, which need not be initialised.
    unsafe { to.cast::<MaybeUninit<[u8; N]>>().write_unaligned(from.cast::<MaybeUninit<[u8; N]>>().read_unaligned()) };
}
