//! Runs read downward. Written once over [`Register`].

use super::prefetch::prefetch;
use super::register::{Register, Width, number, put_first, steps};
use super::rows::begin;
use super::scalar::Bytes;
use super::{Inner, table};

/// Elements read downward: `a.src` is minus their width.
///
/// # Safety
/// K1–K3 of [`Run`](super::Run), K1 for R.
#[inline(always)]
pub(super) unsafe fn reverse<R: Register>(dst: *mut u8, src: *const u8, inner: &Inner) {
    let width = Width::of(inner.width);
    // SAFETY: K1; K2, K3 for the same loops, whose runs have as many bytes as each arm says.
    unsafe {
        match width.of_elements(inner.a.count as usize) {
            bytes if R::MASKS || bytes >= R::BYTES => reverse_by::<R>(dst, src, inner, width),
            16.. => reverse_by::<R::Lane>(dst, src, inner, width),
            8.. => reverse_short::<8>(dst, src, inner, width),
            4.. => reverse_short::<4>(dst, src, inner, width),
            2.. => reverse_short::<2>(dst, src, inner, width),
            _ => reverse_short::<1>(dst, src, inner, width),
        }
    }
}

/// [`reverse`] for N to 2 N bytes: the last N bytes of each run become the first ones, and vice versa.
///
/// # Safety
/// As [`reverse`]; the runs have this many bytes, and N is a multiple of the width, at most 8.
#[inline(always)]
unsafe fn reverse_short<const N: usize>(dst: *mut u8, src: *const u8, inner: &Inner, width: Width) {
    let Inner { a, b, .. } = *inner;
    let bytes = width.of_elements(a.count as usize);
    let before_last = bytes - N;
    for j in 0..b.count {
        let (to, from) = begin(dst, src, b, j);
        let lowest = from.wrapping_sub(bytes - width.bytes());
        // SAFETY: K3: the first and the last N bytes of both runs.
        unsafe {
            let (low, high) = (number::<N>(lowest), number::<N>(lowest.wrapping_add(before_last)));
            for (number, to) in [(high, to), (low, to.wrapping_add(before_last))] {
                let reversed = reversed(number, width) >> (64 - 8 * N);
                to.cast::<Bytes<N>>().write_unaligned(reversed.to_le_bytes().as_ptr().cast::<Bytes<N>>().read());
            }
        }
    }
}

/// The elements of a number in reverse order.
#[inline(always)]
fn reversed(number: u64, width: Width) -> u64 {
    const ODD: u64 = 0x00FF_00FF_00FF_00FF;
    match width.bytes() {
        1 => number.swap_bytes(),
        2 => {
            let bytes = number.swap_bytes();
            bytes >> 8 & ODD | (bytes & ODD) << 8
        }
        4 => number.rotate_left(32),
        _ => number,
    }
}

/// Reverses the elements of a lane.
#[derive(Clone, Copy)]
pub(super) struct Reverse<R> {
    pub(super) width: Width,
    /// The index of a whole lane, in a register.
    whole: [R; 1],
    /// The index of a whole lane in memory. From byte n on it is the index for n bytes fewer.
    index: &'static [u8; 128],
}

impl<R: Register> Reverse<R> {
    /// For each width, `[p]`: the source of byte p of a lane that is read downward. From byte n on, the first byte of
    /// an element, the table is that for n bytes fewer.
    const TABLES: [[u8; 128]; 5] = table!([[0; 128]; 5], |log| {
        let width = 1 << log;
        table!([0; 128], |p| if p < R::LANE {
            ((R::LANE / width - 1 - p / width) * width + p % width) as u8
        } else {
            0
        })
    });

    /// The tables for elements of this width.
    ///
    /// # Safety
    /// K1 of [`Run`](super::Run).
    #[inline(always)]
    pub(super) unsafe fn of(width: Width) -> Self {
        let index = &const { &Self::TABLES }[width.entry::<5>()];
        // SAFETY: K1; an index has a lane's bytes, each below a lane's.
        Self { width, whole: unsafe { R::tables(index.as_ptr()) }, index }
    }

    /// Reverses the elements of each lane, or those of the first `now` bytes if that is less than a lane.
    ///
    /// # Safety
    /// K1.
    #[inline(always)]
    pub(super) unsafe fn one(&self, register: R, now: usize) -> R {
        // SAFETY: K1; from byte `LANE − now` on the table has a lane's bytes, each below a lane's.
        unsafe {
            if now >= R::LANE {
                R::pick_by(&[register], &self.whole)
            } else {
                R::pick(&[register], self.index.as_ptr().wrapping_add(R::LANE - now))
            }
        }
    }

    /// [`Reverse::one`] for each of some registers.
    ///
    /// # Safety
    /// K1.
    #[inline(always)]
    pub(super) unsafe fn all(&self, registers: &mut [R], now: usize) {
        for register in registers {
            // SAFETY: K1: the CPU has the instruction set of R.
            *register = unsafe { self.one(*register, now) };
        }
    }
}

/// A register whose lanes are loaded in reverse order.
///
/// # Safety
/// K1 and K3, for a register's bytes from `from` on.
#[inline(always)]
pub(super) unsafe fn load_mirrored<R: Register>(from: *const u8) -> R {
    // SAFETY: K1; K3: a register's bytes from `from` may be read.
    unsafe { R::load_lanes(from.wrapping_add(R::BYTES - R::LANE), -(R::LANE as isize)) }
}

/// Offset from the first element of a run to the lowest of the `now` bytes from byte `at` on.
#[inline(always)]
pub(super) fn lowest(mirrored: bool, element: usize, at: usize, now: usize) -> isize {
    (if mirrored { element.wrapping_sub(at + now) } else { at }) as isize
}

/// [`reverse`] for runs that fill a register, or for any with masks.
///
/// # Safety
/// As [`reverse`].
#[inline(always)]
unsafe fn reverse_by<R: Register>(dst: *mut u8, src: *const u8, inner: &Inner, width: Width) {
    let Inner { a, b, ahead, .. } = *inner;
    let (whole, last) = steps::<R>(width.of_elements(a.count as usize));
    // SAFETY: K1: the CPU has the instruction set of R.
    let reverse = unsafe { Reverse::<R>::of(width) };
    for j in 0..b.count {
        let (to, from) = begin(dst, src, b, j);
        // SAFETY: K1; K3: each step takes elements of the run.
        unsafe {
            let mut step = 0;
            while !R::MASKS && ahead == 0 && step + 4 <= whole {
                for _ in 0..4 {
                    reverse_step(to, from, &reverse, step * R::BYTES, R::BYTES);
                    step += 1;
                }
            }
            if ahead != 0 {
                // Lines that are not in the caches are read fastest in ascending order.
                for step in (0..whole).rev() {
                    prefetch(from.wrapping_offset(ahead - (step * R::BYTES) as isize), 1, false);
                    reverse_step(to, from, &reverse, step * R::BYTES, R::BYTES);
                }
                step = whole;
            }
            while step < whole {
                reverse_step(to, from, &reverse, step * R::BYTES, R::BYTES);
                step += 1;
            }
            if let Some((at, now)) = last {
                reverse_step(to, from, &reverse, at, now);
            }
        }
    }
}

/// The `now` bytes from byte `at` of the destination on.
///
/// # Safety
/// As [`reverse`], for these.
#[inline(always)]
unsafe fn reverse_step<R: Register>(to: *mut u8, from: *const u8, reverse: &Reverse<R>, at: usize, now: usize) {
    let lowest = from.wrapping_offset(lowest(true, reverse.width.bytes(), at, now));
    // SAFETY: K1; K3: the elements of these bytes on both sides.
    unsafe {
        let piece = if now == R::BYTES { load_mirrored(lowest) } else { R::load_first(lowest, now) };
        put_first(reverse.one(piece, now), to.wrapping_add(at), now);
    }
}
