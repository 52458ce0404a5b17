//! For small copies: the kernel of shuffles, which are one permutation of bytes; and the rows of tables.

use super::super::super::shortcut::{Bits, Offsets, RowRoom, Shuffle};
use super::super::LINE;
use super::super::register::Register;
use super::avx512::Lanes4;
use core::arch::x86_64::*;
use core::ptr::addr_of;

/// The bytes of line `k` of a window of this many bytes that are used; none behind its end, whatever the bits say.
///
/// # Safety
/// BMI2; the bits may be read; `k` is below 4.
#[inline(always)]
unsafe fn line_mask(used: *const Bits, bytes: u32, k: usize) -> u64 {
    let left = (bytes as usize).saturating_sub(LINE * k).min(u8::MAX as usize);
    // SAFETY: as promised to this function; a line is among the first four.
    unsafe { _bzhi_u64(used.cast::<u64>().add(k).read_volatile(), left as u32) }
}

/// Line `k` of the source's window of this many bytes; zeros behind its end.
///
/// # Safety
/// As [`shuffle`].
#[inline(always)]
unsafe fn line(src: *const u8, bytes: u32, shuffle: *const Shuffle, k: usize) -> __m512i {
    // SAFETY: as promised to this function. (A line behind the end may lie in a page that is not there: a masked move
    // would not fault, but take a hundred times as long.)
    unsafe {
        if LINE * k >= bytes as usize {
            return _mm512_setzero_si512();
        }
        let mask = line_mask(addr_of!((*shuffle).src_used), bytes, k);
        _mm512_maskz_loadu_epi8(mask, src.wrapping_add(LINE * k).cast())
    }
}

/// Stores the first lines of the destination's window of this many bytes, picked from as many of the source's. All that
/// stands in the shuffle is read before the first line is written: it may lie there.
///
/// # Safety
/// As [`shuffle`].
#[inline(always)]
unsafe fn store<const LINES: usize>(dst: *mut u8, bytes: u32, shuffle: *const Shuffle, src: &[Lanes4; LINES]) {
    // SAFETY: masks of bytes inside the window; bytes that are masked out are not touched. The index has four lines.
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

/// # Safety
/// Both windows begin at the pointers, have at most 256 bytes, and lie in memory that may be written and read; the
/// shuffle may be read; the CPU has AVX-512.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi2")]
pub(in super::super::super) unsafe fn shuffle(
    dst: *mut u8,
    src: *const u8,
    dst_bytes: u32,
    src_bytes: u32,
    shuffle: *const Shuffle,
) {
    // SAFETY: as promised to this function.
    unsafe {
        let line = |k| Lanes4(line(src, src_bytes, shuffle, k));
        match src_bytes.max(dst_bytes).div_ceil(LINE as u32) {
            0 | 1 => store::<1>(dst, dst_bytes, shuffle, &[line(0)]),
            2 => store::<2>(dst, dst_bytes, shuffle, &[line(0), line(1)]),
            _ => store::<4>(dst, dst_bytes, shuffle, &[line(0), line(1), line(2), line(3)]),
        }
    }
}

/// Reads `count` rows of a table, in whole eights. Those that begin below 0 or above `last` become `last`.
///
/// # Safety
/// The table may be read; the CPU has AVX-512.
#[inline(always)]
pub(in super::super::super) unsafe fn read_rows(from: *const Offsets, count: u32, last: i64, to: &mut RowRoom) {
    for (k, room) in to.iter_mut().enumerate().take(count.div_ceil(8) as usize) {
        // SAFETY: as promised to this function.
        unsafe {
            let eight = _mm512_loadu_si512(from.cast::<__m512i>().add(k));
            _mm512_storeu_si512(room.as_mut_ptr().cast(), _mm512_min_epu64(eight, _mm512_set1_epi64(last)));
        }
    }
}
