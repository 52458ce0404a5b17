//! The kernel of shuffles: a small copy as one permutation of bytes.

use super::super::super::shortcut::{Lines, SHUFFLED, Window};
use super::super::LINE;
use super::super::register::Register;
use super::avx512::Lanes4;
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
unsafe fn line(src: *const u8, lines: &Lines, k: usize) -> __m512i {
    // SAFETY: as promised to this function; lines behind the end are not touched.
    unsafe {
        if LINE * k >= lines.src.bytes as usize {
            return _mm512_setzero_si512();
        }
        _mm512_maskz_loadu_epi8(line_mask(&lines.src_used, lines.src, k), src.wrapping_add(LINE * k).cast())
    }
}

/// Stores every line of the destination's window, picked by its index. All indexes are read before the first line is
/// written: they may lie there.
///
/// # Safety
/// As [`shuffle`].
#[inline(always)]
unsafe fn store(dst: *mut u8, lines: &Lines, index: *const u8, pick: impl Fn(__m512i) -> __m512i) {
    let count = lines.dst.bytes.div_ceil(LINE as u32);
    // SAFETY: masks of bytes inside the window; bytes that are masked out are not touched. The index has four lines.
    unsafe {
        let picked = |k: usize| pick(_mm512_loadu_si512(index.add(LINE * k).cast()));
        let put = |k: usize, bytes: __m512i| {
            _mm512_mask_storeu_epi8(dst.wrapping_add(LINE * k).cast(), line_mask(&lines.dst_used, lines.dst, k), bytes);
        };
        let (first, second) = (picked(0), picked(1));
        if count > 2 {
            let (third, fourth) = (picked(2), picked(3));
            put(0, first);
            put(1, second);
            put(2, third);
            if count > 3 {
                put(3, fourth);
            }
            return;
        }
        put(0, first);
        if count > 1 {
            put(1, second);
        }
    }
}

/// # Safety
/// Both windows begin at the pointers, and lie in memory that may be written and read; `index` is that of a shuffle;
/// the CPU has AVX-512.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi2")]
pub(in super::super::super) unsafe fn shuffle(dst: *mut u8, src: *const u8, lines: &Lines, index: *const u8) {
    // SAFETY: as promised to this function.
    unsafe {
        let a = line(src, lines, 0);
        if lines.src.bytes.max(lines.dst.bytes) <= LINE as u32 {
            let bytes = _mm512_permutexvar_epi8(_mm512_loadu_si512(index.cast()), a);
            return _mm512_mask_storeu_epi8(dst.cast(), line_mask(&lines.dst_used, lines.dst, 0), bytes);
        }
        let b = line(src, lines, 1);
        if lines.src.bytes <= LINE as u32 {
            store(dst, lines, index, |index| _mm512_permutexvar_epi8(index, a));
        } else if lines.src.bytes <= 2 * LINE as u32 {
            store(dst, lines, index, |index| _mm512_permutex2var_epi8(a, index, b));
        } else {
            let all = [a, b, line(src, lines, 2), line(src, lines, 3)].map(Lanes4);
            store(dst, lines, index, |index| Lanes4::pick_by(&all, &[Lanes4(index); 4]).0);
        }
    }
}
