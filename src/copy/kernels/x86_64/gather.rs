//! Every K-th element of a run. Written once over [`Sieve`], a register that can leave out elements when it loads,
//! since only the elements that are described may be touched.

use super::super::Block;
use super::super::ahead::{ask, is_far_masked, stretches};
use super::super::register::{Register, put, put_first, steps};
use super::super::reverse::lowest;
use super::super::rows::begin;

/// A register that can leave out elements when it loads.
pub(super) trait Sieve: Register {
    /// Every K-th element of W bytes from an address on, `count` of them, at most a register's; `mirrored`: in the
    /// other order. No other byte is touched.
    ///
    /// # Safety
    /// See [`Register`], for the elements named; there is at least one.
    unsafe fn every<const W: usize, const K: usize>(from: *const u8, count: usize, mirrored: bool) -> Self;
}

/// Every K-th element of a run: `a.src` is K elements, upward or downward. Only the bytes of described elements are
/// loaded.
///
/// # Safety
/// As [`Run::Block`](super::super::Run::Block); the CPU has the instruction set of R.
#[inline(always)]
pub(super) unsafe fn gather<R: Sieve, const W: usize, const K: usize>(dst: *mut u8, src: *const u8, block: &Block) {
    let Block { a, b, memory, .. } = *block;
    let (count, elements, stream, far) = (a.count as usize, R::BYTES / W, memory.streams(), is_far_masked(block));
    let mirrored = a.src < 0;
    let apart = if mirrored { -((K * W) as isize) } else { (K * W) as isize };
    let (whole, last) = steps::<R, W>(count);
    let of_step = elements as i64 * apart as i64;
    let stretches = if far { stretches(whole as i64, of_step, b.src) } else { [(whole as i64, 0); 2] };
    for j in 0..b.count {
        let (to, from) = begin(dst, src, b, j);
        let mut step = 0;
        for (end, ahead) in stretches {
            while step < end {
                let at = step as usize * elements;
                let from = lowest(from, apart, at, elements);
                if far {
                    ask(from.wrapping_offset(ahead), K * R::BYTES, false);
                }
                // SAFETY: the elements of this step.
                unsafe { put(R::every::<W, K>(from, elements, mirrored), to.wrapping_add(at * W), stream) };
                step += 1;
            }
        }
        if let Some((at, now)) = last {
            // SAFETY: the elements that are left.
            unsafe {
                let piece = R::every::<W, K>(lowest(from, apart, at, now), now, mirrored);
                put_first(piece, to.wrapping_add(at * W), now * W, stream);
            }
        }
    }
}
