//! AVX2 kernels.

use super::super::Rows;
use super::tile::{self, Vector};
use core::arch::x86_64::*;

#[derive(Clone, Copy)]
struct Lanes2(__m256i);

impl Vector for Lanes2 {
    const LANES: usize = 2;

    #[inline(always)]
    unsafe fn gather(rows: impl Fn(usize) -> *const u8) -> Self {
        // SAFETY: as promised to this function; loads need no alignment.
        unsafe {
            let (low, high) = (_mm_loadu_si128(rows(0).cast()), _mm_loadu_si128(rows(1).cast()));
            Self(_mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high))
        }
    }

    #[inline(always)]
    unsafe fn zip_low(self, other: Self, width: usize) -> Self {
        let (a, b) = (self.0, other.0);
        // SAFETY: as promised to this function.
        unsafe {
            match width {
                1 => Self(_mm256_unpacklo_epi8(a, b)),
                2 => Self(_mm256_unpacklo_epi16(a, b)),
                4 => Self(_mm256_unpacklo_epi32(a, b)),
                _ => Self(_mm256_unpacklo_epi64(a, b)),
            }
        }
    }

    #[inline(always)]
    unsafe fn zip_high(self, other: Self, width: usize) -> Self {
        let (a, b) = (self.0, other.0);
        // SAFETY: as promised to this function.
        unsafe {
            match width {
                1 => Self(_mm256_unpackhi_epi8(a, b)),
                2 => Self(_mm256_unpackhi_epi16(a, b)),
                4 => Self(_mm256_unpackhi_epi32(a, b)),
                _ => Self(_mm256_unpackhi_epi64(a, b)),
            }
        }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: as promised to this function; no alignment is needed.
        unsafe { _mm256_storeu_si256(to.cast(), self.0) }
    }
}

/// # Safety
/// As [`Run::Tile`](super::super::Run::Tile); AVX2.
#[target_feature(enable = "avx2")]
pub(in super::super) unsafe fn transpose<const N: usize>(dst: *mut u8, src: *const u8, rows: &Rows<'_>) {
    // SAFETY: as promised to this function.
    unsafe { tile::transpose::<Lanes2, N>(dst, src, rows) }
}
