//! The kernel of shuffles.

use super::super::super::shortcut::{SHUFFLED, Shuffle, Window};
use super::super::LINE;
use core::arch::x86_64::*;

/// The bytes of line `k` of a window that are used; none behind its end, whatever the bits say.
///
/// # Safety
/// BMI2; the line begins inside the window.
#[inline(always)]
unsafe fn line_mask(used: &[u64; SHUFFLED / LINE], window: Window, k: usize) -> u64 {
    let left = (window.bytes as usize - LINE * k).min(u8::MAX as usize);
    // SAFETY: as promised to this function.
    unsafe { _bzhi_u64(used.get(k).copied().unwrap_or(0), left as u32) }
}

/// Line `k` of the source's window; zeros behind its end.
///
/// # Safety
/// As [`shuffle`].
#[inline(always)]
unsafe fn line(src: *const u8, shuffle: &Shuffle, k: usize) -> __m512i {
    // SAFETY: as promised to this function; lines behind the end are not touched.
    unsafe {
        match LINE * k {
            first if first < shuffle.src.bytes as usize => {
                let mask = line_mask(&shuffle.src_used, shuffle.src, k);
                _mm512_maskz_loadu_epi8(mask, src.wrapping_add(first).cast())
            }
            _ => _mm512_setzero_si512(),
        }
    }
}

/// Stores every line of the destination's window, picked by its index.
///
/// # Safety
/// As [`shuffle`].
#[inline(always)]
unsafe fn store(dst: *mut u8, shuffle: &Shuffle, pick: impl Fn(__m512i) -> __m512i) {
    let Shuffle { dst: to, dst_used, index, .. } = shuffle;
    for k in 0..to.bytes.div_ceil(LINE as u32).min(4) as usize {
        // SAFETY: masks of bytes inside the window; bytes that are masked out are not touched.
        unsafe {
            let bytes = pick(_mm512_loadu_si512(index.as_ptr().wrapping_add(LINE * k).cast()));
            _mm512_mask_storeu_epi8(dst.wrapping_add(LINE * k).cast(), line_mask(dst_used, *to, k), bytes);
        }
    }
}

/// # Safety
/// Both windows begin at the pointers, and lie in memory that may be written and read; the CPU has AVX-512.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi2")]
pub(in super::super::super) unsafe fn shuffle(dst: *mut u8, src: *const u8, shuffle: &Shuffle) {
    // SAFETY: as promised to this function.
    unsafe {
        let a = line(src, shuffle, 0);
        if shuffle.src.bytes.max(shuffle.dst.bytes) <= LINE as u32 {
            let bytes = _mm512_permutexvar_epi8(_mm512_loadu_si512(shuffle.index.as_ptr().cast()), a);
            return _mm512_mask_storeu_epi8(dst.cast(), line_mask(&shuffle.dst_used, shuffle.dst, 0), bytes);
        }
        let b = line(src, shuffle, 1);
        if shuffle.src.bytes <= LINE as u32 {
            store(dst, shuffle, |index| _mm512_permutexvar_epi8(index, a));
        } else if shuffle.src.bytes <= 2 * LINE as u32 {
            store(dst, shuffle, |index| _mm512_permutex2var_epi8(a, index, b));
        } else {
            let (c, d) = (line(src, shuffle, 2), line(src, shuffle, 3));
            store(dst, shuffle, |index| {
                let (near, far) = (_mm512_permutex2var_epi8(a, index, b), _mm512_permutex2var_epi8(c, index, d));
                _mm512_mask_mov_epi8(near, _mm512_movepi8_mask(index), far)
            });
        }
    }
}
