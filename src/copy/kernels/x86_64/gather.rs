//! Every K-th element of a run. Written once over [`Sieve`], a register that can leave out elements when it loads, since
//! only the elements that are described may be touched.

use super::super::Block;
use super::super::ahead::{ask, is_far_masked, stretches};
use super::super::channels::{assume_all, steps};
use super::super::register::Positions;
use super::super::register::{Register, put, put_first};
use super::super::runs::begin;
use core::mem::MaybeUninit;

/// A register that can leave out elements when it loads.
pub(super) trait Sieve: Register {
    /// Lane l from `from + l · step`: its elements of W bytes whose bits are in `mask` and that lie in the first `bytes`
    /// bytes from `from` on. No other byte is touched.
    ///
    /// # Safety
    /// See [`Register`], for the elements named.
    unsafe fn load_elements<const W: usize>(from: *const u8, step: usize, mask: u64, bytes: usize) -> Self;
}

/// The lowest `count` of 64 bits; all of them from 64 on.
#[inline(always)]
pub(super) const fn first(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// Which bytes are loaded, for R's lanes, elements of W bytes and every K-th of them.
struct Described<R, const W: usize, const K: usize>(R);

impl<R: Register, const W: usize, const K: usize> Described<R, W, K> {
    /// `[r]`: the bytes of the r-th lane of pixels that belong to a described element.
    const MASKS: [u64; K] = {
        let (mut masks, mut byte) = ([0u64; K], 0);
        while byte < K * R::LANE {
            if byte % (K * W) < W {
                masks[byte / R::LANE] |= 1 << (byte % R::LANE);
            }
            byte += 1;
        }
        masks
    };
}

/// Every K-th element of a run: `a.src` is K elements. Only the bytes of described elements are loaded.
///
/// # Safety
/// As [`Run::Block`](super::super::Run::Block); the CPU has the instruction set of R.
#[inline(always)]
pub(super) unsafe fn gather<R: Sieve, const W: usize, const K: usize>(dst: *mut u8, src: *const u8, block: &Block) {
    // SAFETY: as promised to this function.
    unsafe {
        if is_far_masked(block) {
            gather_rows::<R, W, K, true>(dst, src, block);
        } else {
            gather_rows::<R, W, K, false>(dst, src, block);
        }
    }
}

/// # Safety
/// As [`gather`].
#[inline(always)]
unsafe fn gather_rows<R: Sieve, const W: usize, const K: usize, const FAR: bool>(
    dst: *mut u8,
    src: *const u8,
    block: &Block,
) {
    let Block { a, b, memory, .. } = *block;
    let (count, elements, stream) = (a.count as usize, R::BYTES / W, memory.streams());
    let (whole, last) = steps::<R, W>(count);
    let stretches = if FAR { stretches(whole as i64, (K * R::BYTES) as i64, b.src) } else { [(whole as i64, 0); 2] };
    for j in 0..b.count {
        let (to, from) = begin(dst, src, b, j);
        let mut step = 0;
        for (end, ahead) in stretches {
            while step < end {
                let at = step as usize * elements;
                let from = from.wrapping_add(at * K * W);
                if FAR {
                    ask(from.wrapping_offset(ahead), K * R::BYTES);
                }
                // SAFETY: the elements of this step.
                unsafe { put(gather_step::<R, W, K>(from, usize::MAX), to.wrapping_add(at * W), stream) };
                step += 1;
            }
        }
        if let Some((at, now)) = last {
            let bytes = if now == elements { usize::MAX } else { now * K * W };
            // SAFETY: the elements that are left.
            unsafe {
                let piece = gather_step::<R, W, K>(from.wrapping_add(at * K * W), bytes);
                put_first(piece, to.wrapping_add(at * W), now * W, stream);
            }
        }
    }
}

/// A register of every K-th element from an address on, as far as they lie in the first `bytes` bytes.
///
/// # Safety
/// As [`gather`], for these elements.
#[inline(always)]
unsafe fn gather_step<R: Sieve, const W: usize, const K: usize>(from: *const u8, bytes: usize) -> R {
    let mut registers = [const { MaybeUninit::<R>::uninit() }; K];
    for (r, (register, mask)) in registers.iter_mut().zip(const { Described::<R, W, K>::MASKS }).enumerate() {
        let from = from.wrapping_add(r * R::LANE);
        // SAFETY: as promised to this function.
        register.write(unsafe { R::load_elements::<W>(from, K * R::LANE, mask, bytes.saturating_sub(r * R::LANE)) });
    }
    // SAFETY: all of them were written.
    unsafe { R::pick(&assume_all(&registers), const { &Positions::<R, W, K>::APART[0] }.as_ptr()) }
}
