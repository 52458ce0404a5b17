//! Transposes on AVX-512 of elements of any width up to 16 bytes, a line at a time. A byte permutation pads each
//! element to 4, 8 or 16 bytes in the register; they are transposed like elements of these widths
//! ([`tile`](super::super::tile)), and packed again before the store.

use super::super::padded_lanes::PADDED;
use super::super::prefetch::prefetch_line;
use super::super::{LINE, Rows, first, scalar};
use super::avx512::whole_tile;
use core::arch::x86_64::*;

/// Elements of any width.
///
/// # Safety
/// K1–K4 of [`Run`](super::super::Run); K1 is AVX-512.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
pub(in super::super) unsafe fn transpose_padded(dst: *mut u8, src: *const u8, rows: &Rows<'_>) {
    // SAFETY: K1–K3 for the same rows, by the function of their width.
    unsafe {
        match rows.width {
            ..=4 => padded::<4>(dst, src, rows),
            5..=8 => padded::<2>(dst, src, rows),
            9..=16 => padded::<1>(dst, src, rows),
            _ => scalar::transpose_any(dst, src, rows),
        }
    }
}

/// [`transpose_padded`] for elements that fit `16 / N` bytes.
///
/// # Safety
/// As [`transpose_padded`].
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
unsafe fn padded<const N: usize>(dst: *mut u8, src: *const u8, rows: &Rows<'_>) {
    let (side, width) = (4 * N, (rows.width as usize).min(16 / N));
    let [apart, together, _] = PADDED.get(width).unwrap_or(&PADDED[0]);
    let (count_i, count_j) = (rows.src.len(), rows.dst.len());
    let (prefetches, next_end) = (rows.store.prefetches(rows.hints), 2 * side * width - 1);
    for j in (0..count_j).step_by(side) {
        let columns = (count_j - j).min(side);
        let wanted = first(columns * width);
        let a_line_is_left = (count_j - j) * width >= LINE;
        for i in (0..count_i).step_by(side) {
            let present = (count_i - i).min(side);
            let stored = first(present * width);
            // SAFETY: K1; K3: rows are clamped to the last one; masked bytes are not touched, and a whole line is
            // loaded only if the row has a line left.
            unsafe {
                let apart = _mm512_loadu_si512(apart.as_ptr().cast());
                let together = _mm512_loadu_si512(together.as_ptr().cast());
                let load = |k: usize| {
                    let row = *rows.src.get_unchecked(i + k.min(present - 1));
                    let from = src.wrapping_offset(row as isize).wrapping_add(j * width);
                    let line = match a_line_is_left {
                        true => _mm512_loadu_si512(from.cast()),
                        false => _mm512_maskz_loadu_epi8(wanted, from.cast()),
                    };
                    _mm512_permutexvar_epi8(apart, line)
                };
                whole_tile::<N>(load, |m, register| {
                    if m < columns {
                        let row = *rows.dst.get_unchecked(j + m);
                        let to = dst.wrapping_offset(row as isize).wrapping_add(i * width);
                        if prefetches {
                            prefetch_line(to.wrapping_add(next_end), false);
                        }
                        _mm512_mask_storeu_epi8(to.cast(), stored, _mm512_permutexvar_epi8(together, register));
                    }
                });
            }
        }
    }
}
