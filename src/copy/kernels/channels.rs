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
//!
//! Pixels with gaps between them are packed on the stack, piece by piece ([`gaps`]).
//!
//! Pixels may be read backwards (mirrored images), and so may channels (BGR for RGB), which is a matter of their pointers. A
//! step of mirrored pixels begins at its lowest address and takes lanes in the other order; in each lane the elements of a
//! channel are turned round while they are apart.

use super::ahead::{Ahead, goes_far};
use super::gaps::{self, Run};
use super::register::Register;
use super::reverse::{load_mirrored, lowest, turn_round};
use super::rows::begin;
use super::staged::{self, Pass, staged};
use super::{Block, LINE, Loop, Memory};
use core::hint::black_box; // or the compiler makes one for each
use core::mem::MaybeUninit;

/// Steps from which on it pays to bring channels to whole lines.
const LONG: usize = 20;

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

/// K interleaved channels to K runs: `a` walks the pixels, `b` the channels, both in either direction. A piece of them that
/// was [staged()] asks for another one of the source: its third loop has one turn, and its step leads there.
///
/// # Safety
/// As [`Run::Block`](super::Run::Block); the CPU has the instruction set of R.
#[inline(always)]
pub(super) unsafe fn deinterleave<R: Register, const W: usize, const K: usize>(
    dst: *mut u8,
    src: *const u8,
    block: &Block,
    itself: Run,
    pass: Pass,
) {
    let Block { a, b, c, memory, .. } = *block;
    if a.src.wrapping_abs() != (K * W) as i64 {
        // SAFETY: as promised to this function.
        return unsafe { gaps::apart(black_box(itself), dst, src, block) };
    }
    let count = a.count as usize;
    let (mut to, mut from) = ([dst; K], src);
    for (channel, to) in to.iter_mut().enumerate() {
        *to = dst.wrapping_offset((channel as i64 * b.dst) as isize);
    }
    if b.src < 0 {
        to.reverse();
        from = src.wrapping_sub((K - 1) * W);
    }
    let mirrored = a.src < 0;
    // SAFETY: as promised to this function.
    unsafe {
        match memory {
            _ if memory.streams() && count * W >= staged::LEAST => staged((itself, pass), dst, src, block, [a, b]),
            _ if c.count != 1 => each_image(itself, dst, src, block),
            _ if count < R::BYTES / W => deinterleave_by::<R::Lane, W, K>(to, from, count, mirrored, Ahead::NOTHING),
            _ => deinterleave_by::<R, W, K>(to, from, count, mirrored, ahead(block)),
        }
    }
}

/// From what a step loads to what it asks for; 0: for nothing. (Of one image; others are no step away.)
#[inline(always)]
fn ahead(block: &Block) -> Ahead {
    Ahead { bytes: block.c.src as isize, far: goes_far(block.hints) }
}

/// Runs a kernel for each turn of the slowest loop. (In the kernel that loop would cost each image what is done once before
/// the others.)
///
/// # Safety
/// As [`Run::Block`](super::Run::Block).
unsafe fn each_image(itself: Run, dst: *mut u8, src: *const u8, block: &Block) {
    let image = Block { memory: Memory::Cached, c: Loop::ONCE, ..*block };
    for k in 0..block.c.count {
        let (to, from) = begin(dst, src, block.c, k);
        // SAFETY: as promised to this function.
        unsafe { itself(to, from, &image) };
    }
}

/// [`deinterleave`] of at least a register's worth of pixels, or by a register of one lane: channel c, upward in the source,
/// goes to `to[c]`. `mirrored`: the pixels are read backwards. Each step asks for as much, `ahead` bytes from its own,
/// unless that is 0.
///
/// # Safety
/// As [`deinterleave`].
#[inline(always)]
unsafe fn deinterleave_by<R: Register, const W: usize, const K: usize>(
    to: [*mut u8; K],
    src: *const u8,
    count: usize,
    mirrored: bool,
    ahead: Ahead,
) {
    let (elements, pixel) = (R::BYTES / W, (K * W) as isize);
    let step = if mirrored { -pixel } else { pixel };
    let (mut to, mut src, mut count) = (to, src, count);
    // SAFETY: pixels of the run.
    unsafe {
        // Stores that cross lines take longer; so it is worth a step to begin at one.
        let head = to.first().map_or(0, |to| to.addr().wrapping_neg() % LINE);
        if R::BYTES == LINE && ahead.bytes == 0 && count >= LONG * elements && head != 0 && head.is_multiple_of(W) {
            deinterleave_step::<R, W, K>(to, src, step, 0, elements, ahead);
            to = to.map(|to| to.wrapping_add(head));
            (src, count) = (src.wrapping_offset((head / W) as isize * step), count - head / W);
        }
        let (whole, last) = steps::<R, W>(count);
        for k in 0..whole {
            deinterleave_step::<R, W, K>(to, src, step, k * elements, elements, ahead);
        }
        if let Some((at, now)) = last {
            deinterleave_step::<R, W, K>(to, src, step, at, now, ahead);
        }
    }
}

/// The `now` pixels from pixel `at` on, which lie `step` bytes apart.
///
/// # Safety
/// As [`deinterleave`], for these.
#[inline(always)]
unsafe fn deinterleave_step<R: Register, const W: usize, const K: usize>(
    to: [*mut u8; K],
    src: *const u8,
    step: isize,
    at: usize,
    now: usize,
    ahead: Ahead,
) {
    let (bytes, mirrored) = (now * W, step < 0);
    let from = lowest(src, step, at, now);
    ahead.ask(from, K * bytes);
    let lane_step = step * (R::LANE / W) as isize;
    let first_lane = if mirrored { K * (R::BYTES - R::LANE) } else { 0 };
    let mut registers = [const { MaybeUninit::<R>::uninit() }; K];
    for (r, register) in registers.iter_mut().enumerate() {
        let from = from.wrapping_add(r * R::LANE);
        // SAFETY: the pixels of this step.
        register.write(unsafe {
            if bytes == R::BYTES {
                R::load_lanes(from.wrapping_add(first_lane), lane_step)
            } else {
                R::load_first(from, (K * bytes).saturating_sub(r * R::LANE).min(R::LANE))
            }
        });
    }
    // SAFETY: all of them were written; as promised to this function.
    let mut pieces = unsafe { R::apart::<W, K>(&assume_all(&registers)) };
    if mirrored {
        // SAFETY: as promised to this function.
        unsafe { turn_all::<R, W>(&mut pieces, now) };
    }
    for (piece, to) in pieces.into_iter().zip(to) {
        let to = to.wrapping_add(at * W);
        // SAFETY: the elements of a channel in this step.
        unsafe { if bytes == R::BYTES { piece.store(to) } else { piece.store_first(to, bytes) } };
    }
}

/// K runs to K interleaved channels: `a` walks the channels, `b` the pixels, in either direction. Else as [`deinterleave`].
///
/// # Safety
/// As [`Run::Block`](super::Run::Block); the CPU has the instruction set of R.
#[inline(always)]
pub(super) unsafe fn interleave<R: Register, const W: usize, const K: usize>(
    dst: *mut u8,
    src: *const u8,
    block: &Block,
    itself: Run,
    pass: Pass,
) {
    let Block { a, b, c, memory, .. } = *block;
    if b.dst != (K * W) as i64 {
        // SAFETY: as promised to this function.
        return unsafe { gaps::together(black_box(itself), dst, src, block) };
    }
    let count = b.count as usize;
    let mut from = [src; K];
    for (channel, from) in from.iter_mut().enumerate() {
        *from = src.wrapping_offset((channel as i64 * a.src) as isize);
    }
    let mirrored = b.src < 0;
    // SAFETY: as promised to this function.
    unsafe {
        match memory {
            _ if memory.streams() && count * W >= staged::LEAST => staged((itself, pass), dst, src, block, [b, a]),
            _ if c.count != 1 => each_image(itself, dst, src, block),
            _ if count < R::BYTES / W => interleave_by::<R::Lane, W, K>(dst, from, count, mirrored, Ahead::NOTHING),
            _ => interleave_by::<R, W, K>(dst, from, count, mirrored, ahead(block)),
        }
    }
}

/// [`interleave`] of at least a register's worth of pixels, or by a register of one lane: channel c comes from `from[c]`.
/// `mirrored` and `ahead` as above.
///
/// # Safety
/// As [`interleave`].
#[inline(always)]
unsafe fn interleave_by<R: Register, const W: usize, const K: usize>(
    dst: *mut u8,
    from: [*const u8; K],
    count: usize,
    mirrored: bool,
    ahead: Ahead,
) {
    let elements = R::BYTES / W;
    let step = if mirrored { -(W as isize) } else { W as isize };
    let (whole, last) = steps::<R, W>(count);
    // SAFETY: pixels of the run.
    unsafe {
        for k in 0..whole {
            interleave_step::<R, W, K>(dst, from, step, k * elements, elements, ahead);
        }
        if let Some((at, now)) = last {
            interleave_step::<R, W, K>(dst, from, step, at, now, ahead);
        }
    }
}

/// The `now` pixels from pixel `at` on, whose elements lie `step` bytes apart.
///
/// # Safety
/// As [`interleave`], for these.
#[inline(always)]
unsafe fn interleave_step<R: Register, const W: usize, const K: usize>(
    dst: *mut u8,
    from: [*const u8; K],
    step: isize,
    at: usize,
    now: usize,
    ahead: Ahead,
) {
    let (bytes, mirrored) = (now * W, step < 0);
    let from = from.map(|from| lowest(from, step, at, now));
    for from in from {
        ahead.ask(from, bytes);
    }
    let mut registers = [const { MaybeUninit::<R>::uninit() }; K];
    for (register, from) in registers.iter_mut().zip(from) {
        // SAFETY: the elements of a channel in this step.
        register.write(unsafe {
            if bytes != R::BYTES {
                R::load_first(from, bytes)
            } else if mirrored {
                load_mirrored(from)
            } else {
                R::load(from)
            }
        });
    }
    // SAFETY: all of them were written.
    let mut runs = unsafe { assume_all(&registers) };
    if mirrored {
        // SAFETY: as promised to this function.
        unsafe { turn_all::<R, W>(&mut runs, now) };
    }
    // SAFETY: as promised to this function.
    let pieces = unsafe { R::together::<W, K>(&runs) };
    let to = dst.wrapping_add(at * K * W);
    for (r, piece) in pieces.into_iter().enumerate() {
        let to = to.wrapping_add(r * R::LANE);
        // SAFETY: the pixels of this step.
        unsafe {
            if bytes == R::BYTES {
                piece.store_lanes(to, (K * R::LANE) as isize);
            } else {
                piece.store_first(to, (K * bytes).saturating_sub(r * R::LANE).min(R::LANE));
            }
        }
    }
}

/// [`turn_round`] for each of some channels.
///
/// # Safety
/// As there.
#[inline(always)]
unsafe fn turn_all<R: Register, const W: usize>(channels: &mut [R], now: usize) {
    for channel in channels {
        // SAFETY: as promised to this function.
        *channel = unsafe { turn_round::<R, W>(*channel, now) };
    }
}

/// # Safety
/// All of them were written.
#[inline(always)]
unsafe fn assume_all<R: Register, const K: usize>(registers: &[MaybeUninit<R>; K]) -> [R; K] {
    // SAFETY: as promised to this function; the layout is the same.
    unsafe { registers.as_ptr().cast::<[R; K]>().read() }
}
