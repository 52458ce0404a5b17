//! AVX2: registers of two lanes of 16 bytes, and masked loads of whole elements of 4 and 8 bytes.

use super::super::register::Register;
use super::super::tile::Vector;
use super::gather::{self, Sieve};
use super::ssse3::Lane;
use core::arch::x86_64::*;

#[derive(Clone, Copy)]
pub(super) struct Lanes2(pub __m256i);

impl Vector for Lanes2 {
    type One = Lane;

    #[inline(always)]
    unsafe fn of_lanes(lane: impl Fn(usize) -> Lane) -> Self {
        // SAFETY: as promised to this function.
        Self(unsafe { _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(lane(0).0), lane(1).0) })
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
}

impl Register for Lanes2 {
    const LANE: usize = 16;
    type Lane = Lane;
    type Half = Lane;
    type Sixteen = Lane;

    #[inline(always)]
    unsafe fn stream(self, to: *mut u8) {
        // SAFETY: as promised to this function.
        unsafe { if cfg!(miri) { self.store(to) } else { _mm256_stream_si256(to.cast(), self.0) } }
    }

    #[inline(always)]
    unsafe fn load_lanes(from: *const u8, step: isize) -> Self {
        // SAFETY: as promised to this function.
        unsafe {
            match step {
                -16 => Self(_mm256_permute4x64_epi64::<0x4E>(Self::load(from.wrapping_sub(16)).0)),
                _ => Self::gather(|lane| from.wrapping_offset(lane as isize * step)),
            }
        }
    }

    #[inline(always)]
    unsafe fn store_lanes(self, to: *mut u8, step: isize) {
        // SAFETY: as promised to this function.
        unsafe {
            Lane(_mm256_castsi256_si128(self.0)).store(to);
            Lane(_mm256_extracti128_si256::<1>(self.0)).store(to.wrapping_offset(step));
        }
    }

    #[inline(always)]
    unsafe fn repeat<const W: usize>(from: *const u8) -> Self {
        // SAFETY: as promised to this function.
        unsafe { Self(_mm256_broadcastsi128_si256(Lane::repeat::<W>(from).0)) }
    }

    #[inline(always)]
    unsafe fn tables<const K: usize>(index: *const u8) -> [Self; K] {
        // SAFETY: as promised to this function.
        unsafe { Lane::tables::<K>(index).map(|table| Self(_mm256_broadcastsi128_si256(table.0))) }
    }

    #[inline(always)]
    unsafe fn pick_by<const K: usize>(registers: &[Self; K], tables: &[Self; K]) -> Self {
        // SAFETY: as promised to this function.
        unsafe {
            let mut all = _mm256_setzero_si256();
            for (register, table) in registers.iter().zip(tables) {
                all = _mm256_or_si256(all, _mm256_shuffle_epi8(register.0, table.0));
            }
            Self(all)
        }
    }
}

/// How every K-th element of W bytes, 4 or 8, comes into one register: by K masked loads, each of which has its
/// elements at other places, or-ed together, and one permutation. Load r begins at element `r · (32 / W − 1)`, or
/// `r · 32 / W` for K = 3.
struct Places<const W: usize, const K: usize>;

impl<const W: usize, const K: usize> Places<W, K> {
    const ELEMENTS: usize = 32 / W;
    /// Elements from one load to the next.
    const STEP: usize = if K == 3 { Self::ELEMENTS } else { Self::ELEMENTS - 1 };
    /// `[r][p]`: which of the wanted elements 4 bytes p of load r belong to.
    const WANTED: [[i32; 8]; K] = {
        let (mut wanted, mut r) = ([[i32::MAX; 8]; K], 0);
        while r < K {
            let mut p = 0;
            while p < 8 {
                let element = r * Self::STEP + p * 4 / W;
                if element.is_multiple_of(K) {
                    wanted[r][p] = (element / K) as i32;
                }
                p += 1;
            }
            r += 1;
        }
        wanted
    };
    /// `[p]`: where 4 bytes p of the result are.
    const INDEX: [i32; 8] = {
        let (mut index, mut r) = ([0; 8], 0);
        while r < K {
            let mut p = 0;
            while p < 8 {
                let wanted = Self::WANTED[r][p];
                if wanted < Self::ELEMENTS as i32 {
                    index[wanted as usize * W / 4 + p % (W / 4)] = p as i32;
                }
                p += 1;
            }
            r += 1;
        }
        index
    };
    /// The same with the elements in the other order. From entry `m · W / 4` on it is that of m elements fewer.
    const MIRRORED: [i32; 16] = {
        let (mut index, mut p) = ([0; 16], 0);
        while p < 8 {
            let element = Self::ELEMENTS - 1 - p * 4 / W;
            index[p] = Self::INDEX[element * W / 4 + p % (W / 4)];
            p += 1;
        }
        index
    };
}

/// Elements of 4 and of 8 bytes: narrower ones cannot be left out.
impl Sieve for Lanes2 {
    #[inline(always)]
    unsafe fn every<const W: usize, const K: usize>(from: *const u8, count: usize, mirrored: bool) -> Self {
        const { assert!(W == 4 || W == 8) };
        let index = if mirrored {
            let fewer = Places::<W, K>::ELEMENTS - count;
            const { &Places::<W, K>::MIRRORED }.as_ptr().wrapping_add(fewer * W / 4)
        } else {
            const { &Places::<W, K>::INDEX }.as_ptr()
        };
        // SAFETY: as promised to this function; masked elements are not touched; there are eight entries.
        unsafe {
            // A constant mask would let the compiler load what is between the elements where it begins and ends with
            // one.
            let count = if W == 8 && K == 3 { core::hint::black_box(count) } else { count };
            let count = _mm256_set1_epi32(count as i32);
            let mut all = _mm256_setzero_si256();
            for (r, wanted) in const { &Places::<W, K>::WANTED }.iter().enumerate() {
                let mask = _mm256_cmpgt_epi32(count, _mm256_loadu_si256(wanted.as_ptr().cast()));
                let from = from.wrapping_add(r * Places::<W, K>::STEP * W);
                let piece = match W {
                    4 => _mm256_maskload_epi32(from.cast(), mask),
                    _ => _mm256_maskload_epi64(from.cast(), mask),
                };
                all = _mm256_or_si256(all, piece);
            }
            Self(_mm256_permutevar8x32_epi32(all, _mm256_loadu_si256(index.cast())))
        }
    }
}

instruction_set!("avx2", Lanes2, transposes in lanes, gather::gather<W, K>);
