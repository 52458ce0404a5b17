//! AVX-512 (F, BW, DQ, VL, VBMI): registers of 64 bytes, which are one lane to byte permutations, and masks.

use super::super::first;
use super::super::register::{Positions, Register};
use super::super::reverse::turn_round;
use super::super::tile::Vector;
use super::gather::{self, Sieve};
pub(in super::super) use super::spaced::spaced;
use super::ssse3::Lane;
pub(in super::super) use super::{lines::transpose, padded::transpose_padded};
use core::arch::x86_64::*;

#[derive(Clone, Copy)]
pub(super) struct Lanes4(pub __m512i);

impl Lanes4 {
    /// Four lanes together.
    ///
    /// # Safety
    /// AVX-512.
    #[inline(always)]
    pub(super) unsafe fn of_lanes(lane: impl Fn(usize) -> __m128i) -> Self {
        // SAFETY: as promised to this function.
        unsafe {
            let low = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(lane(0)), lane(1));
            let high = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(lane(2)), lane(3));
            Self(_mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high))
        }
    }
}

impl Vector for Lanes4 {
    type One = Lane;

    #[inline(always)]
    unsafe fn gather(rows: impl Fn(usize) -> *const u8) -> Self {
        // SAFETY: as promised to this function; loads need no alignment.
        unsafe { Self::of_lanes(|k| _mm_loadu_si128(rows(k).cast())) }
    }

    #[inline(always)]
    unsafe fn zip_low(self, other: Self, width: usize) -> Self {
        let (a, b) = (self.0, other.0);
        // SAFETY: as promised to this function.
        unsafe {
            match width {
                1 => Self(_mm512_unpacklo_epi8(a, b)),
                2 => Self(_mm512_unpacklo_epi16(a, b)),
                4 => Self(_mm512_unpacklo_epi32(a, b)),
                _ => Self(_mm512_unpacklo_epi64(a, b)),
            }
        }
    }

    #[inline(always)]
    unsafe fn zip_high(self, other: Self, width: usize) -> Self {
        let (a, b) = (self.0, other.0);
        // SAFETY: as promised to this function.
        unsafe {
            match width {
                1 => Self(_mm512_unpackhi_epi8(a, b)),
                2 => Self(_mm512_unpackhi_epi16(a, b)),
                4 => Self(_mm512_unpackhi_epi32(a, b)),
                _ => Self(_mm512_unpackhi_epi64(a, b)),
            }
        }
    }
}

impl Register for Lanes4 {
    const LANE: usize = 64;
    const MASKS: bool = true;
    type Lane = Self;
    type Half = __m256i;
    type Sixteen = __m128i;

    #[inline(always)]
    unsafe fn stream(self, to: *mut u8) {
        // SAFETY: as promised to this function.
        unsafe { _mm512_stream_si512(to.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn load_first(from: *const u8, bytes: usize) -> Self {
        // SAFETY: as promised to this function.
        unsafe { Self::load_masked(from, first(bytes)) }
    }

    #[inline(always)]
    unsafe fn store_first(self, to: *mut u8, bytes: usize) {
        // SAFETY: as promised to this function.
        unsafe { self.store_masked(to, first(bytes)) }
    }

    #[inline(always)]
    unsafe fn load_masked(from: *const u8, mask: u64) -> Self {
        // SAFETY: masked bytes are not touched.
        Self(unsafe { _mm512_maskz_loadu_epi8(mask, from.cast()) })
    }

    #[inline(always)]
    unsafe fn store_masked(self, to: *mut u8, mask: u64) {
        // SAFETY: masked bytes are not touched.
        unsafe { _mm512_mask_storeu_epi8(to.cast(), mask, self.0) }
    }

    #[inline(always)]
    unsafe fn repeat<const W: usize>(from: *const u8) -> Self {
        // SAFETY: as promised to this function.
        Self(unsafe {
            match W {
                1 => _mm512_set1_epi8(from.cast::<i8>().read()),
                2 => _mm512_set1_epi16(from.cast::<i16>().read_unaligned()),
                4 => _mm512_set1_epi32(from.cast::<i32>().read_unaligned()),
                8 => _mm512_set1_epi64(from.cast::<i64>().read_unaligned()),
                _ => _mm512_broadcast_i32x4(_mm_loadu_si128(from.cast())),
            }
        })
    }

    #[inline(always)]
    unsafe fn tables<const K: usize>(index: *const u8) -> [Self; K] {
        // SAFETY: as promised to this function.
        unsafe { [Self(_mm512_loadu_si512(index.cast())); K] }
    }

    #[inline(always)]
    unsafe fn pick_by<const K: usize>(registers: &[Self; K], tables: &[Self; K]) -> Self {
        let register = |k: usize| registers[k % K].0;
        let index = tables[0].0;
        // SAFETY: as promised to this function.
        unsafe {
            if K == 1 {
                return Self(_mm512_permutexvar_epi8(index, register(0)));
            }
            let low = _mm512_permutex2var_epi8(register(0), index, register(1));
            if K == 2 {
                return Self(low);
            }
            let high = _mm512_permutex2var_epi8(register(2), index, register(3));
            Self(_mm512_mask_blend_epi8(_mm512_movepi8_mask(index), low, high)) // the index's top bit tells which pair
        }
    }

    // Three channels: one permutation for each register, and blends, which are cheaper.
    #[inline(always)]
    unsafe fn apart<const W: usize, const K: usize>(pixels: &[Self; K]) -> [Self; K] {
        let mut pieces = *pixels;
        let tables = const { &Positions::<Self, W, K>::APART }.iter();
        let masks = const { &Positions::<Self, W, K>::OF_CHANNEL };
        // SAFETY: as promised to this function.
        unsafe {
            for ((piece, index), masks) in pieces.iter_mut().zip(tables).zip(masks) {
                if K == 3 {
                    let mixed = blend(blend(pixels[0].0, masks[1 % K], pixels[1 % K].0), masks[2 % K], pixels[2 % K].0);
                    piece.0 = _mm512_permutexvar_epi8(_mm512_loadu_si512(index.as_ptr().cast()), mixed);
                } else {
                    *piece = Self::pick(pixels, index.as_ptr());
                }
            }
        }
        pieces
    }

    #[inline(always)]
    unsafe fn together<const W: usize, const K: usize>(channels: &[Self; K]) -> [Self; K] {
        let (mut pieces, mut spread) = (*channels, *channels);
        // SAFETY: as promised to this function.
        unsafe {
            if K == 3 {
                for (channel, index) in spread.iter_mut().zip(const { &Positions::<Self, W, K>::SPREAD }) {
                    channel.0 = _mm512_permutexvar_epi8(_mm512_loadu_si512(index.as_ptr().cast()), channel.0);
                }
                for (piece, masks) in pieces.iter_mut().zip(const { &Positions::<Self, W, K>::OF_LANE }) {
                    piece.0 = blend(blend(spread[0].0, masks[1 % K], spread[1 % K].0), masks[2 % K], spread[2 % K].0);
                }
            } else {
                for (piece, index) in pieces.iter_mut().zip(const { &Positions::<Self, W, K>::TOGETHER }) {
                    *piece = Self::pick(channels, index.as_ptr());
                }
            }
        }
        pieces
    }
}

/// Byte p of `b` where the mask has bit p, else of `a`.
#[inline(always)]
unsafe fn blend(a: __m512i, mask: u64, b: __m512i) -> __m512i {
    // SAFETY: AVX-512 BW.
    unsafe { _mm512_mask_blend_epi8(mask, a, b) }
}

/// Which bytes are loaded for every K-th element of W bytes.
struct Described<const W: usize, const K: usize>;

impl<const W: usize, const K: usize> Described<W, K> {
    /// `[r]`: the bytes of the r-th register of pixels that belong to such an element.
    const MASKS: [u64; K] = {
        let (mut masks, mut byte) = ([0u64; K], 0);
        while byte < K * 64 {
            if byte % (K * W) < W {
                masks[byte / 64] |= 1 << (byte % 64);
            }
            byte += 1;
        }
        masks
    };
}

impl Sieve for Lanes4 {
    #[inline(always)]
    unsafe fn every<const W: usize, const K: usize>(from: *const u8, count: usize, mirrored: bool) -> Self {
        let bytes = if count == Self::BYTES / W { usize::MAX } else { count * K * W };
        // SAFETY: as promised to this function; masked elements are not touched.
        unsafe {
            let mut registers = [Self(_mm512_setzero_si512()); K];
            for (r, (register, mask)) in registers.iter_mut().zip(const { Described::<W, K>::MASKS }).enumerate() {
                let mask = mask & first(bytes.saturating_sub(r * 64));
                let from = from.wrapping_add(r * 64);
                register.0 = match W {
                    4 => _mm512_maskz_loadu_epi32(_pext_u64(mask, 0x1111_1111_1111_1111) as u16, from.cast()),
                    8 => _mm512_maskz_loadu_epi64(_pext_u64(mask, 0x0101_0101_0101_0101) as u8, from.cast()),
                    _ => _mm512_maskz_loadu_epi8(mask, from.cast()),
                };
            }
            let all = Self::pick(&registers, const { &Positions::<Self, W, K>::APART[0] }.as_ptr());
            if mirrored { turn_round::<Self, W>(all, count) } else { all }
        }
    }
}

instruction_set!("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi2", Lanes4, gather::gather<W, K>);
