//! Channels interleaved and deinterleaved. Written once over [`Register`].
//!
//! `E` elements of W bytes fill a lane. K lanes of pixels, `E` of them, become one lane of each of the K channels. Each
//! side is picked out of the other by a table of byte positions ([`Tables`]). The code is the same for all W:
//!
//! ```text
//! pixels    R0 G0 B0 R1 | G1 B1 R2 G2 | B2 R3 G3 B3      W = 4, K = 3, lanes of 16 bytes
//! channels  R0 R1 R2 R3 | G0 G1 G2 G3 | B0 B1 B2 B3
//! ```
//!
//! A register of several lanes does as many such groups at once, the pixels lane by lane.
//!
//! Three does not divide E, so no two of three lanes of pixels have the same channel at the same position. If blends
//! are cheap, a channel is therefore a blend of all pixels and one permutation, and pixels are blends of the permuted
//! channels ([`Register::apart`], [`Register::together`]).
//!
//! Pixels with gaps between them are packed on the stack, piece by piece ([`gaps`]).
//!
//! Pixels may be read downward (mirrored images), and so may channels (BGR for RGB); only their pointers differ. A step
//! of mirrored pixels begins at its lowest address and takes the lanes in reverse order. The elements of a channel are
//! reversed within each lane while the channels are apart.

use super::gaps;
use super::prefetch::prefetch;
use super::register::{Register, Tables, Width, steps};
use super::reverse::{Reverse, load_mirrored, lowest};
use super::rows::begin;
use super::{Inner, LINE, OfLoops, hints, scalar};
use core::hint::black_box; // or the compiler makes one for each kernel

/// Minimum lines of a channel for which its steps are aligned to lines.
const LEAST_ALIGNED_LINES: usize = 20;

/// Calls `$step` for each step of channels of `$bytes` bytes, with the byte at which it begins and the bytes that it
/// takes. (Not a function: a closure is inlined, and so keeps its instruction set, only if it is called in one place.)
///
/// With masks, whole steps have a loop for each kind of `$setup`, and partial steps a loop of their own. If `$head` is
/// not 0, the second step begins at byte `$head`, which is in the first one. Without masks each channel fills a
/// register, and the last step overlaps the one before.
macro_rules! each_step {
    ($register:ty, $bytes:expr, $head:expr, $setup:ident, |$at:ident, $now:ident| $step:expr) => {{
        let bytes = $bytes;
        if <$register>::MASKS {
            let (mut $at, mut next) = (0, if $head == 0 { <$register>::BYTES } else { $head });
            while $at < bytes {
                if next - $at == <$register>::BYTES && next <= bytes {
                    let $now = <$register>::BYTES;
                    macro_rules! whole_steps {
                        ($like:expr) => {{
                            let $setup = $like;
                            while $at + $now <= bytes {
                                $step;
                                $at += $now;
                            }
                        }};
                    }
                    match $setup {
                        StepSetup { mirrored: false, ahead: 0, .. } => {
                            whole_steps!(StepSetup { mirrored: false, ahead: 0, ..$setup })
                        }
                        StepSetup { mirrored: false, .. } => whole_steps!(StepSetup { mirrored: false, ..$setup }),
                        _ => whole_steps!(StepSetup { mirrored: true, ..$setup }),
                    }
                    next = $at + $now;
                    continue;
                }
                let $now = <$register>::BYTES.min(bytes - $at);
                $step;
                ($at, next) = (next, next + <$register>::BYTES);
            }
        } else {
            debug_assert!(bytes >= <$register>::BYTES, "fewer pixels than a lane go one by one");
            let (whole, last) = steps::<$register>(bytes);
            let $now = <$register>::BYTES;
            for k in 0..whole {
                let $at = k * <$register>::BYTES;
                $step;
            }
            if let Some(($at, _)) = last {
                $step;
            }
        }
    }};
}

/// K interleaved channels to K runs (`APART`): `a` walks the pixels, `b` the channels. Or K runs to K interleaved
/// channels: `a` walks the channels, `b` the pixels. Each of them goes upward or downward in the source.
///
/// # Safety
/// K1–K3 of [`Run`](super::Run), K1 for R.
#[inline(always)]
pub(super) unsafe fn channels<R: Register, const K: usize, const APART: bool>(
    dst: *mut u8,
    src: *const u8,
    inner: &Inner,
    itself: OfLoops,
) {
    let Inner { a, b, .. } = *inner;
    let pixels = if APART { a } else { b };
    let pixel = if APART { pixels.src.wrapping_abs() } else { pixels.dst };
    let width = Width::of(inner.width);
    if pixel != (K as i64).wrapping_mul(inner.width) {
        // SAFETY: K1–K3 for the same loops: two to four channels of 1, 2, 4 or 8 bytes.
        return unsafe { gaps::packed::<APART>(black_box(itself), dst, src, inner) };
    }
    // SAFETY: K1–K3 for the same loops; without masks the pixels fill the register.
    unsafe {
        match width.of_elements(pixels.count as usize) {
            bytes if !R::MASKS && bytes < R::LANE => scalar::strided_any(dst, src, inner),
            bytes if R::BYTES != R::LANE && bytes < R::BYTES => dense::<R::Lane, K, APART>(dst, src, inner, width),
            // For two elements in a lane, the compiler finds better code than tables if it knows the width.
            _ if !R::MASKS && inner.width == 8 => dense::<R, K, APART>(dst, src, inner, const { Width::of(8) }),
            _ => dense::<R, K, APART>(dst, src, inner, width),
        }
    }
}

/// [`channels`] for all images, if their pixels have no gaps and fill a register. With masks they may be fewer.
///
/// # Safety
/// As [`channels`].
#[inline(always)]
unsafe fn dense<R: Register, const K: usize, const APART: bool>(
    dst: *mut u8,
    src: *const u8,
    inner: &Inner,
    width: Width,
) {
    let Inner { a, b, c: images, .. } = *inner;
    let (pixels, channels) = if APART { (a, b) } else { (b, a) };
    let bytes = width.of_elements(pixels.count as usize);
    let (ahead, far) = (inner.ahead, inner.hints & hints::SECOND != 0);
    // SAFETY: K1: the CPU has the instruction set of R.
    let reverse = unsafe { Reverse::<R>::of(width) };
    let setup = StepSetup { tables: Tables::of::<R, APART>(width), reverse, mirrored: pixels.src < 0, ahead, far };
    for image in 0..images.count {
        let (dst, mut from) = begin(dst, src, images, image);
        if !APART {
            let mut channel_of = [from; K];
            for (channel, start) in channel_of.iter_mut().enumerate() {
                *start = from.wrapping_offset((channel as i64 * channels.src) as isize);
            }
            // SAFETY: K1; K3: each step takes pixels of the image.
            unsafe { each_step!(R, bytes, 0, setup, |at, now| interleave_step(dst, channel_of, &setup, at, now)) };
            continue;
        }
        let mut to = [dst; K];
        for (channel, to) in to.iter_mut().enumerate() {
            *to = dst.wrapping_offset((channel as i64 * channels.dst) as isize);
        }
        if channels.src < 0 {
            to.reverse();
            from = from.wrapping_sub(width.of_elements(K - 1));
        }
        // Stores that straddle lines take longer, so a step that aligns them pays.
        let head = to.first().map_or(0, |to| to.addr().wrapping_neg() % LINE);
        let at_line = R::BYTES == LINE && ahead == 0 && bytes >= LEAST_ALIGNED_LINES * LINE;
        let head = if at_line && head & (width.bytes() - 1) == 0 { head } else { 0 };
        // SAFETY: K1; K3: each step takes pixels of the image.
        unsafe { each_step!(R, bytes, head, setup, |at, now| deinterleave_step(to, from, &setup, at, now)) };
    }
}

/// The facts that all steps have in common.
#[derive(Clone, Copy)]
struct StepSetup<R, const K: usize> {
    tables: Tables<K>,
    reverse: Reverse<R>,
    /// Whether pixels are read downward.
    mirrored: bool,
    /// Bytes from what is loaded to what is prefetched; 0: nothing.
    ahead: isize,
    /// Whether lines are prefetched into L2 alone.
    far: bool,
}

/// The pixels whose channels are the `now` bytes from byte `at` on. Channel c, in ascending source order, goes to
/// `to[c]`.
///
/// # Safety
/// As [`channels`], for these pixels.
#[inline(always)]
unsafe fn deinterleave_step<R: Register, const K: usize>(
    to: [*mut u8; K],
    src: *const u8,
    setup: &StepSetup<R, K>,
    at: usize,
    now: usize,
) {
    let &StepSetup { ref tables, ref reverse, mirrored, ahead, far } = setup;
    let from = src.wrapping_offset(lowest(mirrored, K * reverse.width.bytes(), K * at, K * now));
    if ahead != 0 {
        prefetch(from.wrapping_offset(ahead), K * now, far);
    }
    let lane = (K * R::LANE) as isize;
    let (first_lane, lane_step) = if mirrored { (K * (R::BYTES - R::LANE), -lane) } else { (0, lane) };
    // SAFETY: any bytes are a vector, zeros too.
    let mut registers: [R; K] = unsafe { core::mem::zeroed() };
    for (r, register) in registers.iter_mut().enumerate() {
        let from = from.wrapping_add(r * R::LANE);
        // SAFETY: K1; K3: the pixels of this step.
        *register = unsafe {
            if !R::MASKS || now == R::BYTES {
                R::load_lanes(from.wrapping_add(first_lane), lane_step)
            } else {
                R::load_first(from, (K * now).saturating_sub(r * R::LANE).min(R::LANE))
            }
        };
    }
    // SAFETY: K1; `Tables::of` made the tables for R.
    let mut pieces = unsafe { R::apart(&registers, tables) };
    if mirrored {
        // SAFETY: K1: the CPU has the instruction set of R.
        unsafe { reverse.all(&mut pieces, now) };
    }
    for (piece, to) in pieces.into_iter().zip(to) {
        let to = to.wrapping_add(at);
        // SAFETY: K1; K3: the elements of a channel in this step.
        unsafe { if !R::MASKS || now == R::BYTES { piece.store(to) } else { piece.store_first(to, now) } };
    }
}

/// The pixels whose channels are the `now` bytes from byte `at` on: channel c comes from `from[c]`.
///
/// # Safety
/// As [`channels`], for these pixels.
#[inline(always)]
unsafe fn interleave_step<R: Register, const K: usize>(
    dst: *mut u8,
    from: [*const u8; K],
    setup: &StepSetup<R, K>,
    at: usize,
    now: usize,
) {
    let &StepSetup { ref tables, ref reverse, mirrored, ahead, far } = setup;
    let lowest = lowest(mirrored, reverse.width.bytes(), at, now);
    let mut from = from;
    for from in &mut from {
        *from = from.wrapping_offset(lowest);
        if ahead != 0 {
            prefetch(from.wrapping_offset(ahead), now, far);
        }
    }
    // SAFETY: any bytes are a vector, zeros too.
    let mut runs: [R; K] = unsafe { core::mem::zeroed() };
    for (register, from) in runs.iter_mut().zip(from) {
        // SAFETY: K1; K3: the elements of a channel in this step.
        *register = unsafe {
            if R::MASKS && now != R::BYTES {
                R::load_first(from, now)
            } else if mirrored {
                load_mirrored(from)
            } else {
                R::load(from)
            }
        };
    }
    if mirrored {
        // SAFETY: K1: the CPU has the instruction set of R.
        unsafe { reverse.all(&mut runs, now) };
    }
    // SAFETY: K1; `Tables::of` made the tables for R.
    let pieces = unsafe { R::together(&runs, tables) };
    let to = dst.wrapping_add(K * at);
    for (r, piece) in pieces.into_iter().enumerate() {
        let to = to.wrapping_add(r * R::LANE);
        // SAFETY: K1; K3: the pixels of this step.
        unsafe {
            if !R::MASKS || now == R::BYTES {
                piece.store_lanes(to, (K * R::LANE) as isize);
            } else {
                piece.store_first(to, (K * now).saturating_sub(r * R::LANE).min(R::LANE));
            }
        }
    }
}
