//! SSSE3: registers of 16 bytes, and the byte shuffle.

use super::super::register::{Join, Register, Width};
use super::super::tile::{Vector, zip_by};
use core::arch::x86_64::*;

/// One lane: SSE2, which every x86-64 CPU has.
#[derive(Clone, Copy)]
pub(super) struct Lane(pub(super) __m128i);

impl Vector for Lane {
    type One = Self;

    #[inline(always)]
    unsafe fn of_lanes(lane: impl Fn(usize) -> Self) -> Self {
        lane(0)
    }

    zip_by! { |a, b|
        zip_low:
            _mm_unpacklo_epi8(a, b), _mm_unpacklo_epi16(a, b),
            _mm_unpacklo_epi32(a, b), _mm_unpacklo_epi64(a, b);
        zip_high:
            _mm_unpackhi_epi8(a, b), _mm_unpackhi_epi16(a, b),
            _mm_unpackhi_epi32(a, b), _mm_unpackhi_epi64(a, b);
    }
}

impl Register for Lane {
    type Lane = Self;
    type Past = Self;
    type Half = Self;
    type Sixteen = Self;

    #[inline(always)]
    unsafe fn stream(self, to: *mut u8) {
        // SAFETY: K1; K3: 16 bytes from `to`, a multiple of 16, may be written.
        unsafe { if cfg!(miri) { self.store(to) } else { _mm_stream_si128(to.cast(), self.0) } }
    }

    #[inline(always)]
    unsafe fn repeat(from: *const u8, width: Width) -> Self {
        // SAFETY: K1; K3: the element may be read.
        Self(unsafe {
            match width.bytes() {
                1 => _mm_set1_epi8(from.cast::<i8>().read()),
                2 => _mm_set1_epi16(from.cast::<i16>().read_unaligned()),
                4 => _mm_set1_epi32(from.cast::<i32>().read_unaligned()),
                8 => _mm_set1_epi64x(from.cast::<i64>().read_unaligned()),
                _ => _mm_loadu_si128(from.cast()),
            }
        })
    }

    #[inline(always)]
    unsafe fn tables<const K: usize>(index: *const u8) -> [Self; K] {
        // SAFETY: K1; `index` has 16 bytes.
        unsafe {
            let mut tables = [Self(_mm_loadu_si128(index.cast())); K];
            for (k, table) in tables.iter_mut().enumerate() {
                // 0 … 15 for bytes of this register, more for others; these get the top bit, which makes a zero.
                let own = _mm_xor_si128(table.0, _mm_set1_epi8((k * 16) as i8));
                *table = Self(_mm_adds_epu8(own, _mm_set1_epi8(0x70)));
            }
            tables
        }
    }

    #[inline(always)]
    unsafe fn pick_by<const K: usize>(registers: &[Self; K], tables: &[Self; K]) -> Self {
        // SAFETY: K1: the CPU has SSSE3.
        unsafe {
            let mut all = _mm_setzero_si128();
            for (register, table) in registers.iter().zip(tables) {
                all = _mm_or_si128(all, _mm_shuffle_epi8(register.0, table.0));
            }
            Self(all)
        }
    }
}

impl Join for Lane {
    #[inline(always)]
    unsafe fn join<const W: usize>(from: *const u8, step: isize) -> Self {
        const { assert!(W == 4 || W == 8) };
        let at = |n: isize| from.wrapping_offset(n * step);
        // SAFETY: K1; K3: the elements may be read, at any alignment.
        Self(unsafe {
            if W == 8 {
                _mm_unpacklo_epi64(_mm_loadl_epi64(at(0).cast()), _mm_loadl_epi64(at(1).cast()))
            } else {
                let four = |n: isize| _mm_cvtsi32_si128(at(n).cast::<i32>().read_unaligned());
                _mm_unpacklo_epi64(_mm_unpacklo_epi32(four(0), four(1)), _mm_unpacklo_epi32(four(2), four(3)))
            }
        })
    }
}

instruction_set!("ssse3", Lane, one lane);
