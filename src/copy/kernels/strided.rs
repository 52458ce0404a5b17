//! Single elements at any steps. Written once over [`Register`](super::register::Register).

use super::prefetch::prefetch;
use super::register::{Join, numbers};
use super::rows::{Whole, begin, each_row, step};
use super::scalar::Bytes;
use super::{Inner, hints};

/// Whether elements beyond the caches are prefetched one by one rather than assembled. Assembling takes fewer
/// instructions on 64-bit ARM, and WebAssembly has no prefetch.
const PREFETCHES: bool = cfg!(target_arch = "x86_64");

/// Elements of W bytes, one by one.
///
/// # Safety
/// K1–K3 of [`Run`](super::Run), K1 for R.
#[inline(always)]
pub(super) unsafe fn strided<R: Join, const W: usize>(dst: *mut u8, src: *const u8, inner: &Inner) {
    // SAFETY: K1; K2, K3 for the same loops; `packed` gets runs of elements of at most 8 bytes.
    unsafe {
        if inner.ahead != 0 {
            prefetched::<W>(dst, src, inner);
        } else if W <= 8
            && inner.a.dst == W as i64
            && inner.a.count * W as i64 >= 16
            && !(PREFETCHES && inner.hints & hints::FAR != 0)
        {
            packed::<R, W>(dst, src, inner);
        } else {
            each_row::<Whole<Bytes<W>>, false, 8>(dst, src, inner);
        }
    }
}

/// [`strided`] to runs. Words, or registers, are assembled from as many elements as fit, since the CPU does one store a
/// cycle whatever its width. The next word overwrites the gap at the end of a word.
///
/// # Safety
/// As [`strided`]; `a.dst` is W, which is at most 8.
#[inline(always)]
unsafe fn packed<R: Join, const W: usize>(dst: *mut u8, src: *const u8, inner: &Inner) {
    let Inner { a, b, c, .. } = *inner;
    // 4 and 8 bytes fill a register, the others a word.
    let room = if W == 4 || W == 8 { 16 } else { 8 };
    let (fit, least) = (room / W, room.div_ceil(W));
    for k in 0..c.count {
        let (dst, src) = begin(dst, src, c, k);
        for j in 0..b.count {
            let (mut to, mut from) = begin(dst, src, b, j);
            let mut left = a.count as usize;
            for iterations in [4, 1] {
                while left >= least + (iterations - 1) * fit {
                    for _ in 0..iterations {
                        // SAFETY: K1; K3: elements of the run; `left` is enough that all bytes stored are inside it.
                        unsafe {
                            match W {
                                4 => R::join::<4>(from, a.src as isize).store(to),
                                8 => R::join::<8>(from, a.src as isize).store(to),
                                _ => to.cast::<u64>().write_unaligned(numbers::<W>(from, a.src as isize).to_le()),
                            }
                        }
                        to = to.wrapping_add(fit * W);
                        from = from.wrapping_offset(fit as isize * a.src as isize);
                    }
                    left -= iterations * fit;
                }
            }
            while left > 0 {
                // SAFETY: K3: an element of the run, of W bytes (K2).
                unsafe { to.cast::<Bytes<W>>().write_unaligned(from.cast::<Bytes<W>>().read_unaligned()) };
                (to, from) = step(to, from, a);
                left -= 1;
            }
        }
    }
}

/// [`strided`] from beyond the caches: each element prefetches another one.
///
/// # Safety
/// As [`strided`].
#[inline(always)]
unsafe fn prefetched<const W: usize>(dst: *mut u8, src: *const u8, inner: &Inner) {
    let Inner { a, b, c, ahead, .. } = *inner;
    for k in 0..c.count {
        let (dst, src) = begin(dst, src, c, k);
        for j in 0..b.count {
            let (mut to, mut from) = begin(dst, src, b, j);
            for _ in 0..a.count {
                prefetch(from.wrapping_offset(ahead), 1, false);
                // SAFETY: K3: an element, of W bytes (K2), that the loops reach on each side.
                unsafe { to.cast::<Bytes<W>>().write_unaligned(from.cast::<Bytes<W>>().read_unaligned()) };
                (to, from) = step(to, from, a);
            }
        }
    }
}
