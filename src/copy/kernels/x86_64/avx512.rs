//! AVX-512 (F, BW, DQ, VL, VBMI): registers of 64 bytes, which are one lane to byte permutations, and masks.

use super::super::prefetch::prefetch_rows;
use super::super::register::{Register, Tables, Width};
use super::super::tile::{Vector, sixteen, zip_by, zips};
use super::super::{Rows, first, scalar};
use super::avx2::{self, Lanes2};
use super::ssse3::Lane;
use core::arch::x86_64::*;

#[derive(Clone, Copy)]
pub(super) struct Lanes4(pub __m512i);

impl Vector for Lanes4 {
    type One = Lane;
    const WHOLE: bool = true;

    #[inline(always)]
    unsafe fn columns<const N: usize>(row: impl Fn(usize) -> *const u8, mut put: impl FnMut(usize, Self)) {
        // SAFETY: K1; K3: a line of each row, or half of one, may be read, at any alignment.
        unsafe {
            match N {
                ..=4 => whole_tile::<N>(|k| _mm512_loadu_si512(row(k).cast()), |m, register| put(m, Self(register))),
                _ => half_tile::<N>(row, put),
            }
        }
    }

    #[inline(always)]
    unsafe fn of_lanes(lane: impl Fn(usize) -> Lane) -> Self {
        // SAFETY: K1: the CPU has AVX-512.
        unsafe {
            let [low, high] = [0, 2].map(|at| Lanes2::of_lanes(|l| lane(at + l)).0);
            Self(_mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high))
        }
    }

    zip_by! { |a, b|
        zip_low:
            _mm512_unpacklo_epi8(a, b), _mm512_unpacklo_epi16(a, b),
            _mm512_unpacklo_epi32(a, b), _mm512_unpacklo_epi64(a, b);
        zip_high:
            _mm512_unpackhi_epi8(a, b), _mm512_unpackhi_epi16(a, b),
            _mm512_unpackhi_epi32(a, b), _mm512_unpackhi_epi64(a, b);
    }
}

impl Register for Lanes4 {
    const LANE: usize = 64;
    const MASKS: bool = true;
    const BLENDS: bool = true;
    type Lane = Self;
    type Past = Lanes2;
    type Half = __m256i;
    type Sixteen = __m128i;

    #[inline(always)]
    unsafe fn stream(self, to: *mut u8) {
        // SAFETY: K1; K3: 64 bytes from `to`, a multiple of 64, may be written.
        unsafe { _mm512_stream_si512(to.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn load_masked(from: *const u8, mask: u64) -> Self {
        // SAFETY: K1; K3: the mask's bytes may be read; others are not touched.
        Self(unsafe { _mm512_maskz_loadu_epi8(mask, from.cast()) })
    }

    #[inline(always)]
    unsafe fn store_masked(self, to: *mut u8, mask: u64) {
        // SAFETY: K1; K3: the mask's bytes may be written; others are not touched.
        unsafe { _mm512_mask_storeu_epi8(to.cast(), mask, self.0) }
    }

    #[inline(always)]
    unsafe fn repeat(from: *const u8, width: Width) -> Self {
        // SAFETY: K1; K3: the element may be read.
        Self(unsafe {
            match width.bytes() {
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
        // SAFETY: K1; `index` has 64 bytes.
        unsafe { [Self(_mm512_loadu_si512(index.cast())); K] }
    }

    #[inline(always)]
    unsafe fn pick_by<const K: usize>(registers: &[Self; K], tables: &[Self; K]) -> Self {
        let register = |k: usize| registers[k % K].0;
        let index = tables[0].0;
        // SAFETY: K1: the CPU has AVX-512.
        unsafe {
            if K == 1 {
                return Self(_mm512_permutexvar_epi8(index, register(0)));
            }
            let low = _mm512_permutex2var_epi8(register(0), index, register(1));
            if K == 2 {
                return Self(low);
            }
            let later = _mm512_movepi8_mask(index); // the index's top bit tells which pair
            if K == 3 {
                return Self(_mm512_mask_permutexvar_epi8(low, later, index, register(2)));
            }
            let high = _mm512_permutex2var_epi8(register(2), index, register(3));
            Self(_mm512_mask_blend_epi8(later, low, high))
        }
    }

    #[inline(always)]
    unsafe fn apart<const K: usize>(pixels: &[Self; K], tables: &Tables<K>) -> [Self; K] {
        let mut pieces = *pixels;
        // SAFETY: K1; an index has 64 bytes; of one into a single register the lowest six bits count.
        unsafe {
            for ((piece, index), masks) in pieces.iter_mut().zip(tables.index).zip(tables.blends) {
                *piece = if K == 3 {
                    Self::pick(&[blend(pixels, masks)], index.as_ptr())
                } else {
                    Self::pick(pixels, index.as_ptr())
                };
            }
        }
        pieces
    }

    #[inline(always)]
    unsafe fn together<const K: usize>(channels: &[Self; K], tables: &Tables<K>) -> [Self; K] {
        if K != 3 {
            // SAFETY: K1; an index has 64 bytes.
            return unsafe { Self::apart(channels, tables) };
        }
        let mut spread = *channels;
        // SAFETY: K1; an index has 64 bytes.
        unsafe {
            for (channel, index) in spread.iter_mut().zip(tables.index) {
                *channel = Self::pick(&[*channel], index.as_ptr());
            }
            let mut pixels = spread;
            for (piece, masks) in pixels.iter_mut().zip(tables.blends) {
                *piece = blend(&spread, masks);
            }
            pixels
        }
    }
}

/// Byte p of the one of three registers whose mask has bit p.
///
/// # Safety
/// K1 of [`Run`](super::super::Run).
#[inline(always)]
unsafe fn blend<const K: usize>(registers: &[Lanes4; K], masks: &[u64; K]) -> Lanes4 {
    let (a, b, c) = (registers[0].0, registers[1 % K].0, registers[2 % K].0);
    // SAFETY: K1: the CPU has AVX-512.
    Lanes4(unsafe { _mm512_mask_blend_epi8(masks[2 % K], _mm512_mask_blend_epi8(masks[1 % K], a, b), c) })
}

/// The tile of the lines that `load(k)` loads, 4n rows by 4n columns. Calls `put(m, register)` for each column m.
///
/// # Safety
/// K1: AVX-512 BW.
#[inline(always)]
pub(super) unsafe fn whole_tile<const N: usize>(load: impl Fn(usize) -> __m512i, mut put: impl FnMut(usize, __m512i)) {
    // SAFETY: K1: the CPU has AVX-512.
    unsafe {
        let z0 = zips::<Lanes4, N>(sixteen!(k => Lanes4(load(k % N))));
        let z1 = zips::<Lanes4, N>(sixteen!(k => Lanes4(load(N + k % N))));
        let z2 = zips::<Lanes4, N>(sixteen!(k => Lanes4(load(2 * N + k % N))));
        let z3 = zips::<Lanes4, N>(sixteen!(k => Lanes4(load(3 * N + k % N))));
        sixteen!(m => if m < N {
            let low_01 = _mm512_shuffle_i64x2::<0x44>(z0[m].0, z1[m].0);
            let high_01 = _mm512_shuffle_i64x2::<0xEE>(z0[m].0, z1[m].0);
            let low_23 = _mm512_shuffle_i64x2::<0x44>(z2[m].0, z3[m].0);
            let high_23 = _mm512_shuffle_i64x2::<0xEE>(z2[m].0, z3[m].0);
            put(m, _mm512_shuffle_i64x2::<0x88>(low_01, low_23));
            put(N + m, _mm512_shuffle_i64x2::<0xDD>(low_01, low_23));
            put(2 * N + m, _mm512_shuffle_i64x2::<0x88>(high_01, high_23));
            put(3 * N + m, _mm512_shuffle_i64x2::<0xDD>(high_01, high_23));
        });
    }
}

/// A tile of 4n rows by 2n columns. A register has 32 bytes each of rows k and k + 2n, so that loading does one of the
/// two rounds that exchange lanes. Calls `put(m, register)` for each column m.
///
/// # Safety
/// As [`Vector::columns`].
#[inline(always)]
unsafe fn half_tile<const N: usize>(row: impl Fn(usize) -> *const u8, mut put: impl FnMut(usize, Lanes4)) {
    // SAFETY: K1; K3: half a line of each row may be read, at any alignment.
    unsafe {
        let half = |k: usize| {
            let row = |k: usize| _mm256_loadu_si256(row(k).cast());
            Lanes4(_mm512_inserti64x4::<1>(_mm512_castsi256_si512(row(k)), row(k + 2 * N)))
        };
        let low = zips::<Lanes4, N>(sixteen!(k => half(k % N)));
        let high = zips::<Lanes4, N>(sixteen!(k => half(N + k % N)));
        let even = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
        let odd = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
        sixteen!(m => if m < N {
            put(m, Lanes4(_mm512_permutex2var_epi64(low[m].0, even, high[m].0)));
            put(N + m, Lanes4(_mm512_permutex2var_epi64(low[m].0, odd, high[m].0)));
        });
    }
}

/// A register of 16-byte lanes whose first bytes AVX-512 stores under a mask.
trait Masked: Vector<One = Lane> {
    /// Stores the bytes whose bits are set.
    ///
    /// # Safety
    /// As [`Register::store_masked`]; AVX-512.
    unsafe fn put(self, to: *mut u8, mask: u64);
}

impl Masked for Lane {
    #[inline(always)]
    unsafe fn put(self, to: *mut u8, mask: u64) {
        // SAFETY: K1; K3: the mask's bytes may be written.
        unsafe { _mm_mask_storeu_epi8(to.cast(), mask as u16, self.0) }
    }
}

impl Masked for Lanes2 {
    #[inline(always)]
    unsafe fn put(self, to: *mut u8, mask: u64) {
        // SAFETY: K1; K3: the mask's bytes may be written.
        unsafe { _mm256_mask_storeu_epi8(to.cast(), mask as u32, self.0) }
    }
}

impl Masked for Lanes4 {
    #[inline(always)]
    unsafe fn put(self, to: *mut u8, mask: u64) {
        // SAFETY: K1; K3: the mask's bytes may be written.
        unsafe { self.store_masked(to, mask) }
    }
}

/// The edges of a transpose, which fill no tile: under masks, or in AVX2's tiles if these are faster.
///
/// # Safety
/// K1–K4 of [`Run`](super::super::Run); K1 is AVX-512.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
unsafe fn few<const N: usize>(dst: *mut u8, src: *const u8, rows: &Rows<'_>) {
    let columns = rows.dst.len();
    // Masks move whole lines of elements of 4 bytes or more. For narrower elements, and for fewer columns, half lines
    // are faster, if there are more of them than two lanes hold: setting up their walk takes longer than such a tile.
    // (Not for bytes: their tiles take 1.4 KiB of the stack.)
    let is_narrow = N < 16 && columns >= N && (N > 4 || columns < 4 * N);
    // SAFETY: K1–K4 for the same rows.
    unsafe {
        match rows.src.len() {
            count if count > 2 * N && is_narrow && 2 * rows.strip as usize >= columns => {
                avx2::transpose::<N>(dst, src, &Rows { next: [0; 2], strip: 0, ..*rows })
            }
            count if count == 1 || columns == 1 => scalar::transpose_small(dst, src, rows),
            count if count <= N => masked::<Lane, N>(dst, src, rows),
            count if count <= 2 * N => masked::<Lanes2, N>(dst, src, rows),
            _ => masked::<Lanes4, N>(dst, src, rows),
        }
    }
}

/// [`few`] in tiles of as many rows as V holds, by n columns, or by a line if the registers hold one. Absent rows
/// repeat the last one, absent columns are not loaded, and neither is stored.
///
/// # Safety
/// As [`few`].
#[inline(always)]
unsafe fn masked<V: Masked, const N: usize>(dst: *mut u8, src: *const u8, rows: &Rows<'_>) {
    let (count_i, count_j, width, side) = (rows.src.len(), rows.dst.len(), 16 / N, N * V::LANES);
    for i in (0..count_i).step_by(side) {
        let present = (count_i - i).min(side);
        let stored = first(present * width);
        let prefetches = rows.store.prefetches(rows.hints) && i + side < count_i;
        let here = rows.src.get(i..i + present).unwrap_or(&[]);
        let mut padded = [0; 64];
        // If there are fewer rows, the last one is repeated.
        let offsets = if present == side { here } else { repeat_last(here, &mut padded) };
        let mut j = 0;
        while j < count_j {
            let left = count_j - j;
            let columns = left.min(if V::LANES == 4 && N <= 4 { 4 * N } else { N });
            let wanted = first(columns * width);
            if prefetches {
                let to = dst.wrapping_add((i + 2 * side) * width - 1);
                prefetch_rows(to, rows.dst.get(j..j + columns).unwrap_or(&[]));
            }
            // SAFETY: `k` is below `side`; `offsets` has as many rows.
            let from =
                |k: usize| src.wrapping_offset(unsafe { *offsets.get_unchecked(k) } as isize).wrapping_add(j * width);
            // SAFETY: K1; K3: masked bytes are not touched; columns that are stored are there.
            unsafe {
                let to = |m: usize| {
                    let row = *rows.dst.get_unchecked(j + m);
                    dst.wrapping_offset(row as isize).wrapping_add(i * width)
                };
                let put = |m: usize, register: V| register.put(to(m), stored);
                if columns > N {
                    let load = |k: usize| _mm512_maskz_loadu_epi8(wanted, from(k).cast());
                    whole_tile::<N>(load, |m, line| {
                        if m < columns {
                            Lanes4(line).put(to(m), stored)
                        }
                    });
                } else if columns == N {
                    lanes_of::<V, N>(|k| Lane::load(from(k)), put);
                } else {
                    let lane = |k: usize| Lane(_mm_maskz_loadu_epi8(wanted as u16, from(k).cast()));
                    lanes_of::<V, N>(lane, |m, register| {
                        if m < columns {
                            put(m, register)
                        }
                    });
                }
            }
            j += columns;
        }
    }
}

/// A table of 64 rows: those of `rows`, and the last of them repeated.
#[inline(always)]
fn repeat_last<'a>(rows: &[i64], table: &'a mut [i64; 64]) -> &'a [i64] {
    let last = rows.last().copied().unwrap_or(0);
    for (entry, k) in table.iter_mut().zip(0..) {
        *entry = rows.get(k).copied().unwrap_or(last);
    }
    table
}

/// A tile of n columns of as many rows as V holds. Calls `put(m, register)` for each column m.
///
/// # Safety
/// K1: AVX-512.
#[inline(always)]
unsafe fn lanes_of<V: Masked, const N: usize>(lane: impl Fn(usize) -> Lane, put: impl Fn(usize, V)) {
    // SAFETY: K1: the CPU has AVX-512.
    let out = unsafe { zips::<V, N>(sixteen!(k => V::of_lanes(|l| lane(l * N + k % N)))) };
    sixteen!(m => if m < N { put(m, out[m]) });
}

instruction_set!("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi2", Lanes4, few: few::<N>);
instruction_set!(convert "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi2,f16c", super::casts::convert::<true>);
