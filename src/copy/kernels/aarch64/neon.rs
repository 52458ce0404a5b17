//! NEON: registers of 16 bytes, and look-ups in tables of one to four registers.

use super::super::register::{Join, Register, Width};
use super::super::tile::{Vector, zip_by};
use core::arch::aarch64::*;

#[derive(Clone, Copy)]
struct Lane(uint8x16_t);

impl Vector for Lane {
    type One = Self;

    #[inline(always)]
    unsafe fn of_lanes(lane: impl Fn(usize) -> Self) -> Self {
        lane(0)
    }

    zip_by! { |a, b|
        zip_low:
            vzip1q_u8(a, b),
            vreinterpretq_u8_u16(vzip1q_u16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b))),
            vreinterpretq_u8_u32(vzip1q_u32(vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b))),
            vreinterpretq_u8_u64(vzip1q_u64(vreinterpretq_u64_u8(a), vreinterpretq_u64_u8(b)));
        zip_high:
            vzip2q_u8(a, b),
            vreinterpretq_u8_u16(vzip2q_u16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b))),
            vreinterpretq_u8_u32(vzip2q_u32(vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b))),
            vreinterpretq_u8_u64(vzip2q_u64(vreinterpretq_u64_u8(a), vreinterpretq_u64_u8(b)));
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
                1 => vdupq_n_u8(from.read()),
                2 => vreinterpretq_u8_u16(vdupq_n_u16(from.cast::<u16>().read_unaligned())),
                4 => vreinterpretq_u8_u32(vdupq_n_u32(from.cast::<u32>().read_unaligned())),
                8 => vreinterpretq_u8_u64(vdupq_n_u64(from.cast::<u64>().read_unaligned())),
                _ => vld1q_u8(from),
            }
        })
    }

    #[inline(always)]
    unsafe fn tables<const K: usize>(index: *const u8) -> [Self; K] {
        // SAFETY: K1; `index` has 16 bytes.
        unsafe { [Self::load(index); K] }
    }

    #[inline(always)]
    unsafe fn pick_by<const K: usize>(registers: &[Self; K], tables: &[Self; K]) -> Self {
        let (register, index) = (|k: usize| registers[k % K].0, tables[0].0);
        // SAFETY: K1: the CPU has NEON.
        Self(unsafe {
            match K {
                1 => vqtbl1q_u8(register(0), index),
                2 => vqtbl2q_u8(uint8x16x2_t(register(0), register(1)), index),
                3 => vqtbl3q_u8(uint8x16x3_t(register(0), register(1), register(2)), index),
                _ => vqtbl4q_u8(uint8x16x4_t(register(0), register(1), register(2), register(3)), index),
            }
        })
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
                vcombine_u8(vld1_u8(at(0)), vld1_u8(at(1)))
            } else {
                let four = |n: isize| at(n).cast::<u32>().read_unaligned();
                let all = vsetq_lane_u32::<1>(four(1), vdupq_n_u32(four(0)));
                vreinterpretq_u8_u32(vsetq_lane_u32::<3>(four(3), vsetq_lane_u32::<2>(four(2), all)))
            }
        })
    }
}

instruction_set!("neon", Lane, one lane);
