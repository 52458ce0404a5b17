//! AVX2: registers of two lanes of 16 bytes.

use super::super::register::{Register, Width};
use super::super::tile::{Vector, zip_by};
use super::ssse3::Lane;
use core::arch::x86_64::*;

#[derive(Clone, Copy)]
pub(super) struct Lanes2(pub __m256i);

impl Vector for Lanes2 {
    type One = Lane;

    #[inline(always)]
    unsafe fn of_lanes(lane: impl Fn(usize) -> Lane) -> Self {
        // SAFETY: K1: the CPU has AVX2.
        Self(unsafe { _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(lane(0).0), lane(1).0) })
    }

    zip_by! { |a, b|
        zip_low:
            _mm256_unpacklo_epi8(a, b), _mm256_unpacklo_epi16(a, b),
            _mm256_unpacklo_epi32(a, b), _mm256_unpacklo_epi64(a, b);
        zip_high:
            _mm256_unpackhi_epi8(a, b), _mm256_unpackhi_epi16(a, b),
            _mm256_unpackhi_epi32(a, b), _mm256_unpackhi_epi64(a, b);
    }
}

impl Register for Lanes2 {
    type Lane = Lane;
    type Past = Self;
    type Half = Lane;
    type Sixteen = Lane;

    #[inline(always)]
    unsafe fn stream(self, to: *mut u8) {
        // SAFETY: K1; K3: 32 bytes from `to`, a multiple of 32, may be written.
        unsafe { if cfg!(miri) { self.store(to) } else { _mm256_stream_si256(to.cast(), self.0) } }
    }

    #[inline(always)]
    unsafe fn load_lanes(from: *const u8, step: isize) -> Self {
        // SAFETY: K1; K3: 16 bytes of each lane may be read.
        unsafe {
            match step {
                -16 => Self(_mm256_permute4x64_epi64::<0x4E>(Self::load(from.wrapping_sub(16)).0)),
                _ => Self::gather(|lane| from.wrapping_offset(lane as isize * step)),
            }
        }
    }

    #[inline(always)]
    unsafe fn store_lanes(self, to: *mut u8, step: isize) {
        // SAFETY: K1; K3: 16 bytes of each lane may be written.
        unsafe {
            Lane(_mm256_castsi256_si128(self.0)).store(to);
            Lane(_mm256_extracti128_si256::<1>(self.0)).store(to.wrapping_offset(step));
        }
    }

    #[inline(always)]
    unsafe fn repeat(from: *const u8, width: Width) -> Self {
        // SAFETY: K1; K3: the element may be read.
        unsafe { Self(_mm256_broadcastsi128_si256(Lane::repeat(from, width).0)) }
    }

    #[inline(always)]
    unsafe fn tables<const K: usize>(index: *const u8) -> [Self; K] {
        // SAFETY: K1; `index` has 16 bytes.
        unsafe { Lane::tables::<K>(index).map(|table| Self(_mm256_broadcastsi128_si256(table.0))) }
    }

    #[inline(always)]
    unsafe fn pick_by<const K: usize>(registers: &[Self; K], tables: &[Self; K]) -> Self {
        // SAFETY: K1: the CPU has AVX2.
        unsafe {
            let mut all = _mm256_setzero_si256();
            for (register, table) in registers.iter().zip(tables) {
                all = _mm256_or_si256(all, _mm256_shuffle_epi8(register.0, table.0));
            }
            Self(all)
        }
    }
}

instruction_set!("avx2", Lanes2);
instruction_set!(convert "avx2,f16c", super::casts::convert::<false>);
