//! SIMD128: registers of 16 bytes, and look-ups in tables of one register.

use super::super::register::{Join, Register, Width};
use super::super::tile::{Vector, zip_by};
use core::arch::wasm32::*;

#[derive(Clone, Copy)]
struct Lane(v128);

impl Vector for Lane {
    type One = Self;

    #[inline(always)]
    unsafe fn of_lanes(lane: impl Fn(usize) -> Self) -> Self {
        lane(0)
    }

    zip_by! { |a, b|
        zip_low:
            u8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(a, b),
            u16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(a, b),
            u32x4_shuffle::<0, 4, 1, 5>(a, b),
            u64x2_shuffle::<0, 2>(a, b);
        zip_high:
            u8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(a, b),
            u16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(a, b),
            u32x4_shuffle::<2, 6, 3, 7>(a, b),
            u64x2_shuffle::<1, 3>(a, b);
    }
}

impl Register for Lane {
    type Lane = Self;
    type Past = Self;
    type Half = Self;
    type Sixteen = Self;

    #[inline(always)]
    unsafe fn repeat(from: *const u8, width: Width) -> Self {
        // SAFETY: K1; K3: the element may be read.
        Self(unsafe {
            match width.bytes() {
                1 => v128_load8_splat(from),
                2 => v128_load16_splat(from.cast()),
                4 => v128_load32_splat(from.cast()),
                8 => v128_load64_splat(from.cast()),
                _ => v128_load(from.cast()),
            }
        })
    }

    #[inline(always)]
    unsafe fn tables<const K: usize>(index: *const u8) -> [Self; K] {
        // SAFETY: K1; `index` has 16 bytes.
        let mut tables = unsafe { [Self::load(index); K] };
        for (k, table) in tables.iter_mut().enumerate() {
            // 0 … 15 for bytes of this register, more for others; these become zeros.
            table.0 = u8x16_sub(table.0, u8x16_splat((k * 16) as u8));
        }
        tables
    }

    #[inline(always)]
    unsafe fn pick_by<const K: usize>(registers: &[Self; K], tables: &[Self; K]) -> Self {
        let mut all = u8x16_swizzle(registers[0].0, tables[0].0);
        for k in 1..K {
            all = v128_or(all, u8x16_swizzle(registers[k].0, tables[k].0));
        }
        Self(all)
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
                v128_load64_lane::<1>(v128_load64_zero(at(0).cast()), at(1).cast())
            } else {
                let two = v128_load32_lane::<1>(v128_load32_zero(at(0).cast()), at(1).cast());
                v128_load32_lane::<3>(v128_load32_lane::<2>(two, at(2).cast()), at(3).cast())
            }
        })
    }
}

instruction_set!("simd128", Lane, one lane);
