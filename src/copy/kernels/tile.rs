//! The transposing tile, once for all widths and vector lengths.
//!
//! A vector is some 128-bit lanes. Lane l of register k holds 16 bytes, `n = 16 / width` elements, of source row `l·n + k`.
//! `log2 n` rounds of *zip* transpose the n x n elements of every lane at once: a round interleaves register i with
//! register i + n/2, element by element, and after as many rounds as an index has bits, (row, column) has become (column,
//! row). Then register m is one piece of destination row m: all lanes of it are neighbours.
//!
//! ```text
//! round:   r[0] r[1] r[2] r[3]  ->  zip low(r0,r2) zip high(r0,r2) zip low(r1,r3) zip high(r1,r3)
//! ```
//!
//! So a tile is n source columns by `lanes · n` source rows and needs no other instruction than unpack. The last tile of a
//! row or column overlaps the one before; what is narrower than one lane is left to the scalar kernel.

#[cfg(target_arch = "aarch64")]
use super::aarch64::neon::Lane;
use super::register::Register;
use super::{LINE, Memory, Rows, fetch, scalar};
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

/// A register seen as lanes of 16 bytes.
pub(super) trait Vector: Register {
    /// How many.
    const LANES: usize = Self::BYTES / 16;
    /// Loads 16 bytes from each pointer, lane by lane.
    ///
    /// # Safety
    /// The bytes may be read; the CPU has the instruction set.
    unsafe fn gather(rows: impl Fn(usize) -> *const u8) -> Self;
    /// The lower halves of every lane of both, their elements of `width` bytes alternating.
    ///
    /// # Safety
    /// The CPU has the instruction set.
    unsafe fn zip_low(self, other: Self, width: usize) -> Self;
    /// The same of the higher halves.
    ///
    /// # Safety
    /// The CPU has the instruction set.
    unsafe fn zip_high(self, other: Self, width: usize) -> Self;
}

/// One lane: SSE2, which every x86-64 CPU has.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(super) struct Lane(pub(super) __m128i);

#[cfg(target_arch = "x86_64")]
impl Vector for Lane {
    #[inline(always)]
    unsafe fn gather(rows: impl Fn(usize) -> *const u8) -> Self {
        // SAFETY: as promised to this function; the load needs no alignment.
        Self(unsafe { _mm_loadu_si128(rows(0).cast()) })
    }

    #[inline(always)]
    unsafe fn zip_low(self, other: Self, width: usize) -> Self {
        let (a, b) = (self.0, other.0);
        // SAFETY: SSE2.
        unsafe {
            match width {
                1 => Self(_mm_unpacklo_epi8(a, b)),
                2 => Self(_mm_unpacklo_epi16(a, b)),
                4 => Self(_mm_unpacklo_epi32(a, b)),
                _ => Self(_mm_unpacklo_epi64(a, b)),
            }
        }
    }

    #[inline(always)]
    unsafe fn zip_high(self, other: Self, width: usize) -> Self {
        let (a, b) = (self.0, other.0);
        // SAFETY: SSE2.
        unsafe {
            match width {
                1 => Self(_mm_unpackhi_epi8(a, b)),
                2 => Self(_mm_unpackhi_epi16(a, b)),
                4 => Self(_mm_unpackhi_epi32(a, b)),
                _ => Self(_mm_unpackhi_epi64(a, b)),
            }
        }
    }
}

/// All of `rows`, in tiles of `V`; N is `16 / width`.
///
/// In the cache a strip of four tiles, a line of every source row, goes down all rows: the lines are used up while they
/// are there. What is to be streamed goes along the source rows instead and lets the destination jump: these instruction
/// sets store no whole lines, so that only the order is that of streaming.
///
/// # Safety
/// As [`Run::Tile`](super::Run::Tile); the CPU has the instruction set of `V`.
#[inline(always)]
pub(super) unsafe fn transpose<V: Vector, const N: usize>(dst: *mut u8, src: *const u8, rows: &Rows<'_>) {
    let (count_i, count_j) = (rows.src.len(), rows.dst.len());
    if count_i < N || count_j < N {
        // SAFETY: as promised to this function.
        return unsafe { scalar::transpose_small(dst, src, rows) };
    }
    if count_i < N * V::LANES {
        // SAFETY: as promised to this function; the counts hold a tile of one lane.
        return unsafe { strips::<Lane, N, false>(dst, src, rows, LINE * N / 16, count_i) };
    }
    // SAFETY: as promised to this function; the counts hold a tile.
    unsafe {
        match rows.memory {
            Memory::Cached => strips::<V, N, false>(dst, src, rows, LINE * N / 16, count_i),
            Memory::Fetch => strips::<V, N, true>(dst, src, rows, LINE * N / 16, count_i),
            Memory::Stream => strips::<V, N, true>(dst, src, rows, count_j, N * V::LANES),
            Memory::Crowded | Memory::CrowdedStream | Memory::Staged | Memory::StagedStream => {
                crowded::<V, N>(dst, src, rows)
            }
        }
    }
}

/// Blocks of `strip` columns by `band` rows; inside, tile rows go down, tiles go along. `FETCH`: the next tile row is asked
/// for.
///
/// # Safety
/// As [`transpose`], with a tile's worth of rows and columns.
#[inline(always)]
unsafe fn strips<V: Vector, const N: usize, const FETCH: bool>(
    dst: *mut u8,
    src: *const u8,
    rows: &Rows<'_>,
    strip: usize,
    band: usize,
) {
    let (count_i, count_j) = (rows.src.len(), rows.dst.len());
    let (step_i, step_j) = (N * V::LANES, N);
    let width = 16 / N;
    let mut begin_i = 0;
    while begin_i < count_i {
        let end_i = (begin_i + band).min(count_i);
        let mut begin_j = 0;
        while begin_j < count_j {
            let end_j = (begin_j + strip).min(count_j);
            let mut i = begin_i;
            while i < end_i {
                let first_i = i.min(count_i - step_i);
                let mut j = begin_j;
                while j < end_j {
                    let first_j = j.min(count_j - step_j);
                    if FETCH && (j * width).is_multiple_of(LINE) {
                        // The rows of the next tile row, one line each.
                        let next = rows.src.get(first_i + step_i..(first_i + 2 * step_i).min(count_i)).unwrap_or(&[]);
                        for &row in next {
                            fetch(src.wrapping_offset(row as isize).wrapping_add(first_j * width));
                        }
                    }
                    // SAFETY: rows first_i … + step_i and columns first_j … + step_j lie inside the counts.
                    unsafe { one::<V, N>(dst, src, rows, first_i, first_j) };
                    j += step_j;
                }
                i += step_i;
            }
            begin_j = end_j;
        }
        begin_i = end_i;
    }
}

/// Rows whose lines fall into the same few sets of the first-level cache evict each other before four tiles have used
/// them up. So each line is read once, into a block of its own from which the tiles are then made.
///
/// # Safety
/// As [`strips`].
#[inline(always)]
unsafe fn crowded<V: Vector, const N: usize>(dst: *mut u8, src: *const u8, rows: &Rows<'_>) {
    let (count_i, count_j) = (rows.src.len(), rows.dst.len());
    let (step_i, step_j, width) = (N * V::LANES, N, 16 / N);
    let line = LINE / width;
    // Several lines of a source row in a row help the prefetcher; narrow elements have too many rows for that.
    let strip = if width >= 4 { 4 * line } else { line };
    if count_j < line {
        // SAFETY: as promised to this function.
        return unsafe { strips::<V, N, false>(dst, src, rows, line, count_i) };
    }
    let mut block = [const { MaybeUninit::<[u8; LINE]>::uninit() }; 64];
    let mut block_rows = [0i64; 64];
    for (k, row) in block_rows.iter_mut().enumerate() {
        *row = (k * LINE) as i64;
    }
    let mut begin_j = 0;
    while begin_j < count_j {
        let end_j = (begin_j + strip).min(count_j);
        let mut i = 0;
        while i < count_i {
            let first_i = i.min(count_i - step_i);
            let next = rows.src.get(first_i + step_i..(first_i + 2 * step_i).min(count_i)).unwrap_or(&[]);
            let mut j = begin_j;
            while j < end_j {
                let first_j = j.min(count_j - line);
                for (slot, &row) in block.iter_mut().zip(rows.src.iter().skip(first_i).take(step_i)) {
                    let from = src.wrapping_offset(row as isize).wrapping_add(first_j * width);
                    // SAFETY: a line's worth of elements of a source row; no alignment is needed.
                    unsafe { slot.as_mut_ptr().copy_from_nonoverlapping(from.cast(), 1) };
                }
                for &row in next {
                    fetch(src.wrapping_offset(row as isize).wrapping_add(first_j * width));
                }
                let part = Rows { src: &block_rows, dst: rows.dst.get(first_j..).unwrap_or(&[]), ..*rows };
                let to = dst.wrapping_add(first_i * width);
                let mut column = 0;
                while column < line {
                    // SAFETY: the block's rows were written; the columns lie inside the counts.
                    unsafe { one::<V, N>(to, block.as_ptr().cast(), &part, 0, column) };
                    column += step_j;
                }
                j += line;
            }
            i += step_i;
        }
        begin_j = end_j;
    }
}

/// Sixteen values written out: in a loop over an array the compiler keeps the registers in memory.
macro_rules! sixteen {
    ($k:ident => $value:expr) => {
        $crate::copy::kernels::tile::sixteen!(@ $k $value, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    (@ $k:ident $value:expr, $($number:literal)*) => {
        [$({
            #[allow(non_upper_case_globals)]
            const $k: usize = $number;
            $value
        }),*]
    };
}
pub(super) use sixteen;

/// Of the first N registers, i interleaved with i + N/2; the others stay.
///
/// # Safety
/// The CPU has the instruction set.
#[inline(always)]
#[allow(clippy::absurd_extreme_comparisons, clippy::manual_is_multiple_of)] // k is a constant in each of the sixteen
unsafe fn zip_round<V: Vector, const N: usize>(old: [V; 16]) -> [V; 16] {
    // SAFETY: as promised to this function.
    unsafe {
        sixteen!(k => match k {
            _ if k >= N => old[k],
            _ if k % 2 == 0 => old[k / 2].zip_low(old[k / 2 + N / 2], 16 / N),
            _ => old[k / 2].zip_high(old[k / 2 + N / 2], 16 / N),
        })
    }
}

/// Transposes the N x N elements of every lane of the first N registers.
///
/// # Safety
/// The CPU has the instruction set.
#[inline(always)]
pub(super) unsafe fn zips<V: Vector, const N: usize>(mut registers: [V; 16]) -> [V; 16] {
    // SAFETY: as promised to this function. log2 N rounds.
    unsafe {
        if N >= 2 {
            registers = zip_round::<V, N>(registers);
        }
        if N >= 4 {
            registers = zip_round::<V, N>(registers);
        }
        if N >= 8 {
            registers = zip_round::<V, N>(registers);
        }
        if N >= 16 {
            registers = zip_round::<V, N>(registers);
        }
    }
    registers
}

/// # Safety
/// As [`transpose`], for `lanes · N` rows from `first_i` on and N columns from `first_j` on.
#[inline(always)]
unsafe fn one<V: Vector, const N: usize>(
    dst: *mut u8,
    src: *const u8,
    rows: &Rows<'_>,
    first_i: usize,
    first_j: usize,
) {
    let width = 16 / N;
    let from = src.wrapping_add(first_j * width);
    let to = dst.wrapping_add(first_i * width);
    // SAFETY: indices below the lengths of the tables (caller); the elements are the caller's.
    unsafe {
        let row =
            |k: usize, lane: usize| from.wrapping_offset(*rows.src.get_unchecked(first_i + lane * N + k) as isize);
        let mut registers: [V; 16] = sixteen!(k => V::gather(|lane| row(k % N, lane)));
        registers = zips::<V, N>(registers);
        let column = |m: usize| to.wrapping_offset(*rows.dst.get_unchecked(first_j + m) as isize);
        sixteen!(m => if m < N { registers[m].store(column(m)) });
    }
}
