//! Channels of pixels with gaps between them: RGBA to RGB planes, planes to RGBX, two coordinates of three.
//!
//! Gaps are neither read nor written, and only a register with masks can leave single bytes out. So the pixels are
//! packed on the stack, piece by piece. There they are read or written without gaps; on the other side each of them is
//! one element.
//!
//! ```text
//! R0 G0 B0 ·· R1 G1 B1 ··   packed   R0 G0 B0 R1 G1 B1   deinterleave   R0 R1 | G0 G1 | B0 B1
//! ```

use super::prefetch::{PREFETCH_DISTANCE, prefetch};
use super::register::numbers;
use super::rows::{begin, step};
use super::{Inner, LINE, Loop, OfLoops, hints};
use core::mem::MaybeUninit;

/// Bytes of packed pixels.
const PACKED: usize = 1024;
/// Bytes of a word that is assembled from several pixels.
const WORD: usize = 8;

/// Packed pixels; the last word may extend after the last pixel.
#[repr(align(64))]
struct Packed(MaybeUninit<[u8; PACKED + WORD]>);

/// Runs a kernel of pixels without gaps for pixels with gaps: to channels (`APART`), or from channels.
///
/// # Safety
/// K1–K3 of [`Run`](super::Run), for the kernel's loops: pixels and channels, or channels and pixels, and images. A
/// pixel has two to four channels, of 1, 2, 4 or 8 bytes.
#[inline(never)]
pub(super) unsafe fn packed<const APART: bool>(run: OfLoops, dst: *mut u8, src: *const u8, inner: &Inner) {
    let Inner { width, a, b, c: images, .. } = *inner;
    let (along, across) = if APART { (a, b) } else { (b, a) };
    let ahead = (PREFETCH_DISTANCE * along.src.signum()) as isize;
    let pixel = (across.count * width) as usize;
    // Whole registers of each channel.
    let lines = (LINE as i64).checked_div(width).unwrap_or(1).max(1);
    let most = PACKED.checked_div(pixel).unwrap_or(0) as i64 & !(lines - 1);
    let mut packed = Packed(MaybeUninit::uninit());
    let packed = packed.0.as_mut_ptr().cast::<u8>();
    // From the lowest channel to channel 0.
    let first = if APART && across.src < 0 { pixel - width as usize } else { 0 };
    let part = Inner { hints: 0, c: Loop::ONCE, ahead: 0, ..*inner };
    let bytes = pixel as i64;
    for image in 0..images.count {
        let (dst, src) = begin(dst, src, images, image);
        let mut at = 0;
        while at < along.count {
            let (to, from) = begin(dst, src, along, at);
            let count = most.min(along.count - at);
            let row = |dst: i64, src: i64| Loop { count, dst, src };
            // SAFETY: K1–K3 for `count` pixels of the image, which the buffer holds: `most · pixel` is at most
            // `PACKED`.
            unsafe {
                if APART {
                    let from = from.wrapping_sub(first);
                    if inner.hints & hints::FAR != 0 && along.src.unsigned_abs() <= LINE as u64 {
                        let lowest = from.wrapping_offset((count - 1) as isize * along.src.min(0) as isize);
                        prefetch(
                            lowest.wrapping_offset(ahead),
                            count as usize * along.src.unsigned_abs() as usize,
                            false,
                        );
                    }
                    each_pixel(pixel, packed, from, row(bytes, along.src));
                    run(to, packed.wrapping_add(first), &Inner { a: row(width, bytes), b: across, ..part });
                } else {
                    run(packed, from, &Inner { a: across, b: row(bytes, along.src), ..part });
                    each_pixel(pixel, to, packed, row(along.dst, bytes));
                }
            }
            at += count;
        }
    }
}

/// Moves pixels of this many bytes, one side of which is packed.
///
/// # Safety
/// K3, for the pixels, and for a word after those that are packed in the destination.
#[inline(always)]
unsafe fn each_pixel(bytes: usize, dst: *mut u8, src: *const u8, pixels: Loop) {
    // SAFETY: K3 for the pixels, and for a word after those that are packed in the destination.
    unsafe {
        match bytes {
            2 => each::<2>(dst, src, pixels),
            3 => each::<3>(dst, src, pixels),
            4 => each::<4>(dst, src, pixels),
            6 => each::<6>(dst, src, pixels),
            8 => each::<8>(dst, src, pixels),
            12 => each::<12>(dst, src, pixels),
            16 => each::<16>(dst, src, pixels),
            24 => each::<24>(dst, src, pixels),
            _ => each::<32>(dst, src, pixels),
        }
    }
}

/// [`each_pixel`] for pixels of P bytes. Pixels to be packed are assembled in words, since the CPU does one store a
/// cycle whatever its width. The next word overwrites the gap at the end of a word.
///
/// # Safety
/// As [`each_pixel`].
unsafe fn each<const P: usize>(dst: *mut u8, src: *const u8, pixels: Loop) {
    let (mut to, mut from, mut left) = (dst, src, pixels.count);
    let fit = WORD / P;
    // SAFETY: K3 for the pixels, and for a word after those that are packed in the destination.
    unsafe {
        for iterations in [4, 1] {
            while fit > 1 && pixels.dst == P as i64 && left >= (iterations * fit) as i64 {
                for _ in 0..iterations {
                    to.cast::<u64>().write_unaligned(numbers::<P>(from, pixels.src as isize).to_le());
                    to = to.wrapping_add(fit * P);
                    from = from.wrapping_offset(fit as isize * pixels.src as isize);
                }
                left -= (iterations * fit) as i64;
            }
        }
        for iterations in [4, 1] {
            while left >= iterations as i64 {
                for _ in 0..iterations {
                    core::ptr::copy(from, to, P);
                    (to, from) = step(to, from, pixels);
                }
                left -= iterations as i64;
            }
        }
    }
}
