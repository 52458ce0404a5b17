//! Two functions of small copies: a copy as one permutation of bytes, and rows read from a table.

use super::super::super::shortcut::{Bits, Offsets, RowRoom, Shuffle};
use super::super::LINE;
use super::super::register::Register;
use super::avx512::Lanes4;
use core::arch::x86_64::*;
use core::ptr::addr_of;

/// The bytes of line `k` of a window of `bytes` bytes that are used; none after its end, whatever the bits say.
///
/// # Safety
/// K1 of [`Run`](super::super::Run): BMI2. The bits may be read; `k` is below 4.
#[inline(always)]
unsafe fn line_mask(used: *const Bits, bytes: u32, k: usize) -> u64 {
    let left = (bytes as usize).saturating_sub(LINE * k).min(u8::MAX as usize);
    // SAFETY: K1: BMI2; the bits may be read, and `k` is below 4.
    unsafe { _bzhi_u64(used.cast::<u64>().add(k).read_volatile(), left as u32) }
}

/// Line `k` of the source's window of `bytes` bytes; zeros after its end.
///
/// # Safety
/// As [`shuffle`].
#[inline(always)]
unsafe fn line(src: *const u8, bytes: u32, shuffle: *const Shuffle, k: usize) -> __m512i {
    // SAFETY: K1; K3: bytes of the window; the shuffle may be read. (A line after its end may lie in a page that is not
    // there: a masked move would not fault, but take a hundred times as long.)
    unsafe {
        if LINE * k >= bytes as usize {
            return _mm512_setzero_si512();
        }
        let mask = line_mask(addr_of!((*shuffle).src_used), bytes, k);
        _mm512_maskz_loadu_epi8(mask, src.wrapping_add(LINE * k).cast())
    }
}

/// Stores the first lines of the destination's window of `bytes` bytes, picked from as many of the source's. The whole
/// shuffle is read before the first line is written, since it may lie there.
///
/// # Safety
/// As [`shuffle`].
#[inline(always)]
unsafe fn store<const LINES: usize>(dst: *mut u8, bytes: u32, shuffle: *const Shuffle, src: &[Lanes4; LINES]) {
    // SAFETY: K1; K3: masks of bytes inside the window; bytes that are masked out are not touched. The shuffle may be
    // read; its index has four lines.
    unsafe {
        let lines: [_; LINES] = core::array::from_fn(|k| {
            let index = _mm512_loadu_si512(addr_of!((*shuffle).index).cast::<__m512i>().add(k));
            let bytes_of_line = Lanes4::pick_by(src, &[Lanes4(index); LINES]);
            (line_mask(addr_of!((*shuffle).dst_used), bytes, k), bytes_of_line.0)
        });
        for (k, (mask, bytes_of_line)) in lines.into_iter().enumerate() {
            if LINE * k >= bytes as usize {
                break;
            }
            _mm512_mask_storeu_epi8(dst.wrapping_add(LINE * k).cast(), mask, bytes_of_line);
        }
    }
}

/// A copy as one permutation of bytes, from the source's window to the destination's. A window begins at its pointer.
///
/// # Safety
/// K1: AVX-512. K3, for both windows, of at most 256 bytes each. The shuffle may be read.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi2")]
pub(in super::super::super) unsafe fn shuffle(
    dst: *mut u8,
    src: *const u8,
    dst_bytes: u32,
    src_bytes: u32,
    shuffle: *const Shuffle,
) {
    // SAFETY: K1; K3 for both windows, of at most four lines; the shuffle may be read.
    unsafe {
        let line = |k| Lanes4(line(src, src_bytes, shuffle, k));
        match src_bytes.max(dst_bytes).div_ceil(LINE as u32) {
            0 | 1 => store::<1>(dst, dst_bytes, shuffle, &[line(0)]),
            2 => store::<2>(dst, dst_bytes, shuffle, &[line(0), line(1)]),
            _ => store::<4>(dst, dst_bytes, shuffle, &[line(0), line(1), line(2), line(3)]),
        }
    }
}

/// Reads `count` rows of a table, in whole eights. Rows that begin below 0 or above `last` become `last`.
///
/// # Safety
/// K1: AVX-512. The table may be read.
#[inline(always)]
pub(in super::super::super) unsafe fn read_rows(from: *const Offsets, count: u32, last: i64, to: &mut RowRoom) {
    for (k, room) in to.iter_mut().enumerate().take(count.div_ceil(8) as usize) {
        // SAFETY: K1; the table may be read, in whole eights.
        unsafe {
            let eight = _mm512_loadu_si512(from.cast::<__m512i>().add(k));
            _mm512_storeu_si512(room.as_mut_ptr().cast(), _mm512_min_epu64(eight, _mm512_set1_epi64(last)));
        }
    }
}
