//! The kernel of shuffles.

use super::super::super::shortcut::{SHUFFLED, Shuffle, Window};
use super::super::LINE;
use super::gather::first;
use core::arch::x86_64::*;

/// The bytes of line `k` of a window that are used; none behind its end, whatever the bits say.
#[inline(always)]
fn line_mask(used: &[u64; SHUFFLED / LINE], window: Window, k: usize) -> u64 {
    used.get(k).map_or(0, |used| used & first((window.bytes as usize).saturating_sub(LINE * k)))
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

/// # Safety
/// Both windows begin at the pointers, and lie in memory that may be written and read; the CPU has AVX-512.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi2")]
pub(in super::super::super) unsafe fn shuffle(dst: *mut u8, src: *const u8, shuffle: &Shuffle) {
    let Shuffle { dst: to, src: from, dst_used, index, .. } = shuffle;
    // SAFETY: masks of bytes inside the windows; bytes that are masked out are not touched.
    unsafe {
        if from.bytes.max(to.bytes) <= LINE as u32 {
            let bytes = _mm512_permutexvar_epi8(_mm512_loadu_si512(index.as_ptr().cast()), line(src, shuffle, 0));
            _mm512_mask_storeu_epi8(dst.cast(), line_mask(dst_used, *to, 0), bytes);
            return;
        }
        let (a, b, c, d) = (line(src, shuffle, 0), line(src, shuffle, 1), line(src, shuffle, 2), line(src, shuffle, 3));
        for k in 0..to.bytes.div_ceil(LINE as u32).min(4) as usize {
            let index = _mm512_loadu_si512(index.as_ptr().wrapping_add(LINE * k).cast());
            let (near, far) = (_mm512_permutex2var_epi8(a, index, b), _mm512_permutex2var_epi8(c, index, d));
            let bytes = _mm512_mask_mov_epi8(near, _mm512_movepi8_mask(index), far);
            _mm512_mask_storeu_epi8(dst.wrapping_add(LINE * k).cast(), line_mask(dst_used, *to, k), bytes);
        }
    }
}
