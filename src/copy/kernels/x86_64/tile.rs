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

use super::super::{Rows, scalar};

/// Some 128-bit lanes.
pub(super) trait Vector: Copy {
    /// How many.
    const LANES: usize;
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
    /// Stores all lanes.
    ///
    /// # Safety
    /// The bytes may be written; the CPU has the instruction set.
    unsafe fn store(self, to: *mut u8);
}

/// All of `rows`, in tiles of `V`; N is `16 / width`.
///
/// # Safety
/// As [`Run::Tile`](super::super::Run::Tile); the CPU has the instruction set of `V`.
#[inline(always)]
pub(super) unsafe fn transpose<V: Vector, const N: usize>(dst: *mut u8, src: *const u8, rows: &Rows<'_>) {
    let width = 16 / N;
    let (count_i, count_j) = (rows.src.len(), rows.dst.len());
    let (step_i, step_j) = (N * V::LANES, N);
    if count_i < step_i || count_j < step_j {
        // SAFETY: as promised to this function.
        return unsafe { scalar::transpose_small(dst, src, rows) };
    }
    // Four tiles side by side use up a line of every source row while it is in the cache.
    let strip = 64 / width;
    let mut j = 0;
    while j < count_j {
        let end = (j + strip).min(count_j);
        let mut i = 0;
        while i < count_i {
            let first_i = i.min(count_i - step_i);
            let mut column = j;
            while column < end {
                let first_j = column.min(count_j - step_j);
                // SAFETY: rows first_i … + step_i and columns first_j … + step_j lie inside the counts.
                unsafe { one::<V, N>(dst, src, rows, first_i, first_j) };
                column += step_j;
            }
            i += step_i;
        }
        j = end;
    }
}

/// Sixteen values written out: in a loop over an array the compiler keeps the registers in memory.
macro_rules! sixteen {
    ($k:ident => $value:expr) => {
        sixteen!(@ $k $value, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    (@ $k:ident $value:expr, $($number:literal)*) => {
        [$({
            #[allow(non_upper_case_globals)]
            const $k: usize = $number;
            $value
        }),*]
    };
}

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
        // log2 N rounds.
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
        let column = |m: usize| to.wrapping_offset(*rows.dst.get_unchecked(first_j + m) as isize);
        sixteen!(m => if m < N { registers[m].store(column(m)) });
    }
}
