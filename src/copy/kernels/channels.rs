//! Kernels of channels: interleave and deinterleave. Written once over [`Register`].
//!
//! `E` elements of W bytes fill a lane. K lanes of pixels, `E` of them, are one lane of each of the K channels, and each side
//! is picked out of the other by a table of byte positions, which is a constant:
//!
//! ```text
//! pixels    R0 G0 B0 R1 | G1 B1 R2 G2 | B2 R3 G3 B3      W = 4, K = 3, lanes of 16 bytes
//! channels  R0 R1 R2 R3 | G0 G1 G2 G3 | B0 B1 B2 B3
//! ```
//!
//! A register of several lanes does as many such groups at once, the pixels lane by lane.
//!
//! Three does not divide E, so at no place in a lane do two of three lanes of pixels have the same channel. Where registers
//! are blended cheaply, a channel is therefore a blend of all pixels and one permutation, and pixels are blends of the
//! permuted channels ([`Register::apart`], [`Register::together`]).

use super::Block;
use super::register::{Register, put_first};
use core::mem::MaybeUninit;

/// How `count` elements go through registers: the number of whole ones, and behind them the element at which a last step
/// begins, if there is one, and the elements that it takes. Without masks it overlaps the step before.
#[inline(always)]
pub(super) fn steps<R: Register, const W: usize>(count: usize) -> (usize, Option<(usize, usize)>) {
    let elements = R::BYTES / W;
    let (whole, rest) = (count / elements, count % elements);
    let last = match rest {
        0 => None,
        _ if R::MASKS || whole == 0 => Some((count - rest, rest)),
        _ => Some((count - elements, elements)),
    };
    (whole, last)
}

/// K interleaved channels to K runs: `a` walks the pixels, `b` the channels.
///
/// # Safety
/// As [`Run::Block`](super::Run::Block); the CPU has the instruction set of R.
#[inline(always)]
pub(super) unsafe fn deinterleave<R: Register, const W: usize, const K: usize>(
    dst: *mut u8,
    src: *const u8,
    block: &Block,
) {
    // SAFETY: as promised to this function.
    unsafe {
        if (block.a.count as usize) < R::BYTES / W {
            deinterleave_by::<R::Lane, W, K>(dst, src, block);
        } else {
            deinterleave_by::<R, W, K>(dst, src, block);
        }
    }
}

/// [`deinterleave`] of at least a register's worth of pixels, or by a register of one lane.
///
/// # Safety
/// As [`deinterleave`].
#[inline(always)]
unsafe fn deinterleave_by<R: Register, const W: usize, const K: usize>(dst: *mut u8, src: *const u8, block: &Block) {
    let elements = R::BYTES / W;
    let (whole, last) = steps::<R, W>(block.a.count as usize);
    // SAFETY: pixels of the run.
    unsafe {
        for step in 0..whole {
            deinterleave_step::<R, W, K>(dst, src, block, step * elements, elements);
        }
        if let Some((at, now)) = last {
            deinterleave_step::<R, W, K>(dst, src, block, at, now);
        }
    }
}

/// The `now` pixels from pixel `at` on.
///
/// # Safety
/// As [`deinterleave`], for these.
#[inline(always)]
unsafe fn deinterleave_step<R: Register, const W: usize, const K: usize>(
    dst: *mut u8,
    src: *const u8,
    block: &Block,
    at: usize,
    now: usize,
) {
    let (bytes, stream) = (now * W, block.memory.streams());
    let from = src.wrapping_add(at * K * W);
    let mut registers = [const { MaybeUninit::<R>::uninit() }; K];
    for (r, register) in registers.iter_mut().enumerate() {
        let from = from.wrapping_add(r * R::LANE);
        // SAFETY: the pixels of this step.
        register.write(unsafe {
            if bytes == R::BYTES {
                R::load_lanes(from, (K * R::LANE) as isize)
            } else {
                R::load_first(from, (K * bytes).saturating_sub(r * R::LANE).min(R::LANE))
            }
        });
    }
    // SAFETY: all of them were written.
    let registers = unsafe { assume_all(&registers) };
    // SAFETY: as promised to this function.
    for (c, piece) in unsafe { R::apart::<W, K>(&registers) }.into_iter().enumerate() {
        let to = dst.wrapping_offset((c as i64 * block.b.dst) as isize).wrapping_add(at * W);
        // SAFETY: the elements of channel c in this step.
        unsafe { put_first(piece, to, bytes, stream) };
    }
}

/// K runs to K interleaved channels: `a` walks the channels, `b` the pixels.
///
/// # Safety
/// As [`Run::Block`](super::Run::Block); the CPU has the instruction set of R.
#[inline(always)]
pub(super) unsafe fn interleave<R: Register, const W: usize, const K: usize>(
    dst: *mut u8,
    src: *const u8,
    block: &Block,
) {
    // SAFETY: as promised to this function.
    unsafe {
        if (block.b.count as usize) < R::BYTES / W {
            interleave_by::<R::Lane, W, K>(dst, src, block);
        } else {
            interleave_by::<R, W, K>(dst, src, block);
        }
    }
}

/// [`interleave`] of at least a register's worth of pixels, or by a register of one lane.
///
/// # Safety
/// As [`interleave`].
#[inline(always)]
unsafe fn interleave_by<R: Register, const W: usize, const K: usize>(dst: *mut u8, src: *const u8, block: &Block) {
    let elements = R::BYTES / W;
    let (whole, last) = steps::<R, W>(block.b.count as usize);
    // SAFETY: pixels of the run.
    unsafe {
        for step in 0..whole {
            interleave_step::<R, W, K>(dst, src, block, step * elements, elements);
        }
        if let Some((at, now)) = last {
            interleave_step::<R, W, K>(dst, src, block, at, now);
        }
    }
}

/// The `now` pixels from pixel `at` on.
///
/// # Safety
/// As [`interleave`], for these.
#[inline(always)]
unsafe fn interleave_step<R: Register, const W: usize, const K: usize>(
    dst: *mut u8,
    src: *const u8,
    block: &Block,
    at: usize,
    now: usize,
) {
    let (bytes, stream) = (now * W, block.memory.streams());
    let mut registers = [const { MaybeUninit::<R>::uninit() }; K];
    for (c, register) in registers.iter_mut().enumerate() {
        let from = src.wrapping_offset((c as i64 * block.a.src) as isize).wrapping_add(at * W);
        // SAFETY: the elements of channel c in this step.
        register.write(unsafe { if bytes == R::BYTES { R::load(from) } else { R::load_first(from, bytes) } });
    }
    // SAFETY: all of them were written.
    let registers = unsafe { assume_all(&registers) };
    let to = dst.wrapping_add(at * K * W);
    // SAFETY: as promised to this function.
    for (r, piece) in unsafe { R::together::<W, K>(&registers) }.into_iter().enumerate() {
        let to = to.wrapping_add(r * R::LANE);
        // SAFETY: the pixels of this step.
        unsafe {
            if bytes == R::BYTES {
                piece.store_lanes(to, (K * R::LANE) as isize, stream);
            } else {
                piece.store_first(to, (K * bytes).saturating_sub(r * R::LANE).min(R::LANE));
            }
        }
    }
}

/// # Safety
/// All of them were written.
#[inline(always)]
pub(super) unsafe fn assume_all<R: Register, const K: usize>(registers: &[MaybeUninit<R>; K]) -> [R; K] {
    // SAFETY: as promised to this function; the layout is the same.
    unsafe { registers.as_ptr().cast::<[R; K]>().read() }
}
