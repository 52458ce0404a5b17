//! Kernels of channels: interleave and deinterleave. Written once over [`Register`].
//!
//! `E` elements of W bytes fill a lane. K lanes of pixels, `E` of them, are one lane of each of the K channels, and
//! each side is picked out of the other by a table of byte positions, which is a constant:
//!
//! ```text
//! pixels    R0 G0 B0 R1 | G1 B1 R2 G2 | B2 R3 G3 B3      W = 4, K = 3, lanes of 16 bytes
//! channels  R0 R1 R2 R3 | G0 G1 G2 G3 | B0 B1 B2 B3
//! ```
//!
//! A register of several lanes does as many such groups at once, the pixels lane by lane.
//!
//! Three does not divide E, so at no place in a lane do two of three lanes of pixels have the same channel. Where
//! registers are blended cheaply, a channel is therefore a blend of all pixels and one permutation, and pixels are
//! blends of the permuted channels ([`Register::apart`], [`Register::together`]).
//!
//! Pixels with gaps between them are packed on the stack, piece by piece ([`gaps`]).
//!
//! Pixels may be read backwards (mirrored images), and so may channels (BGR for RGB), which is a matter of their
//! pointers. A step of mirrored pixels begins at its lowest address and takes lanes in the other order; in each lane
//! the elements of a channel are turned round while they are apart.

use super::ahead::{Ahead, goes_far};
use super::gaps::{self, Run};
use super::register::{Register, steps};
use super::reverse::{load_mirrored, lowest, turn_round};
use super::rows::begin;
use super::staged::{self, Pass, staged};
use super::{Block, LINE, Loop, Memory, scalar};
use core::hint::black_box; // or the compiler makes one for each
use core::mem::MaybeUninit;

/// Steps from which on it pays to bring channels to whole lines.
const LONG: usize = 20;

/// Calls `$step` with where each step of a run of `$count` pixels begins, and how many it takes. (Not a function: a
/// closure would be inlined, and so have its instruction set, only if it were called in one place.) Under masks all
/// steps are one loop, and the second one begins at pixel `$head`, if that is not 0, which is in the first one. Without
/// masks there is a whole register of pixels, and the last step overlaps the one before.
macro_rules! each_step {
    ($register:ty, $width:expr, $count:expr, $head:expr, |$at:ident, $now:ident| $step:expr) => {{
        let (count, elements) = ($count, <$register>::BYTES / $width);
        if <$register>::MASKS {
            let (mut $at, mut next) = (0, if $head == 0 { elements } else { $head });
            while $at < count {
                let $now = elements.min(count - $at);
                $step;
                ($at, next) = (next, next + elements);
            }
        } else {
            debug_assert!(count >= elements, "fewer pixels than a lane go one by one");
            let (whole, last) = steps::<$register, $width>(count);
            let $now = elements;
            for k in 0..whole {
                let $at = k * elements;
                $step;
            }
            if let Some(($at, _)) = last {
                $step;
            }
        }
    }};
}

/// K interleaved channels to K runs: `a` walks the pixels, `b` the channels, both in either direction. A piece of them
/// that was [staged()] asks for another one of the source: its third loop has one turn, and its step leads there.
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
            _ if !R::MASKS && count < R::LANE / W => scalar::strided::<W>(dst, src, block),
            _ if c.count != 1 => each_image(itself, dst, src, block),
            _ if R::BYTES != R::LANE && count < R::BYTES / W => {
                deinterleave_by::<R::Lane, W, K>(to, from, count, mirrored, Ahead::NOTHING)
            }
            _ => deinterleave_by::<R, W, K>(to, from, count, mirrored, ahead(block)),
        }
    }
}

/// From what a step loads to what it asks for; 0: for nothing. (Of one image; others are no step away.)
#[inline(always)]
fn ahead(block: &Block) -> Ahead {
    Ahead { bytes: block.c.src as isize, far: goes_far(block.hints) }
}

/// Runs a kernel for each turn of the slowest loop. (In the kernel that loop would cost each image what is done once
/// before the others.)
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

/// [`deinterleave`] of pixels that fill a register, or of any under masks: channel c, upward in the source, goes to
/// `to[c]`. `mirrored`: the pixels are read backwards. Each step asks for as much, `ahead` bytes from its own, unless
/// that is 0.
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
    // Stores that cross lines take longer, so that it is worth a step to begin at one.
    let head = to.first().map_or(0, |to| to.addr().wrapping_neg() % LINE);
    let at_line = R::BYTES == LINE && ahead.bytes == 0 && count >= LONG * elements && head.is_multiple_of(W);
    // SAFETY: pixels of the run.
    unsafe {
        each_step!(R, W, count, if at_line { head / W } else { 0 }, |at, now| {
            deinterleave_step::<R, W, K>(to, src, step, at, now, ahead)
        });
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
            if !R::MASKS || bytes == R::BYTES {
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
        unsafe { if !R::MASKS || bytes == R::BYTES { piece.store(to) } else { piece.store_first(to, bytes) } };
    }
}

/// K runs to K interleaved channels: `a` walks the channels, `b` the pixels, in either direction. Else as
/// [`deinterleave`].
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
            _ if !R::MASKS && count < R::LANE / W => scalar::strided::<W>(dst, src, block),
            _ if c.count != 1 => each_image(itself, dst, src, block),
            _ if R::BYTES != R::LANE && count < R::BYTES / W => {
                interleave_by::<R::Lane, W, K>(dst, from, count, mirrored, Ahead::NOTHING)
            }
            _ => interleave_by::<R, W, K>(dst, from, count, mirrored, ahead(block)),
        }
    }
}

/// [`interleave`] of pixels that fill a register, or of any under masks: channel c comes from `from[c]`.
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
    let step = if mirrored { -(W as isize) } else { W as isize };
    // SAFETY: pixels of the run.
    unsafe { each_step!(R, W, count, 0, |at, now| interleave_step::<R, W, K>(dst, from, step, at, now, ahead)) }
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
            if R::MASKS && bytes != R::BYTES {
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
            if !R::MASKS || bytes == R::BYTES {
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
