//! Transposes on AVX-512: tiles of whole lines.
//!
//! With `n = 16 / width` a tile is 4n source rows by 4n columns, 64 bytes both ways. A register holds four 16-byte lanes,
//! and the transpose is two smaller ones:
//!
//! ```text
//! inside lanes   n rows of a group, zipped log2 n times:   z[g][m] lane c = column c·n + m of rows g·n … g·n + n − 1
//! of lanes       4 x 4 for each m:                          out[c·n + m] lane g = z[g][m] lane c
//! ```
//!
//! *Whole* loads take a line of a source row at once, which is best where rows begin at lines. Where they do not, half of
//! such loads would cross a line twice; *half* loads put 32 bytes of rows k and k + 2n into one register, and one round of
//! the lanes' transpose is done by loading. That is best for bytes as well, whose 64 lines do not fit the registers.
//!
//! In the cache, tiles go along the source rows in strips of four lines, and the strips down all rows: each line is used up
//! and each page visited while it is near. Where destination rows lie so that strips would crowd into few sets of the cache,
//! a strip is one line. [`stream`] is the other memory modes, [`edges`] what is left at the ends.

mod edges;
mod stream;

use super::super::ahead::{ask_for_matrix, ask_for_rows, goes_far};
use super::super::hints::STAGE;
use super::super::tile::{sixteen, zips};
use super::super::{LINE, Memory, Rows, fetch, step};
use super::avx512::Lanes4;
use core::arch::x86_64::*;
use stream::{HALF_STAGED, LEAST_PACKED, PACKED, STAGED};

/// How a source row is loaded.
const WHOLE: u8 = 0;
const HALF: u8 = 1;

/// A matrix to be transposed, with elements of `16 / N` bytes.
#[derive(Clone, Copy)]
struct Matrix<'a, const N: usize> {
    dst: *mut u8,
    src: *const u8,
    /// By value: behind a reference they would be read again after every store.
    rows: Rows<'a>,
    /// As the kernel got them, for functions that are not inlined. A copy for these would be loaded in pieces of several words
    /// that were just stored one by one, and wait until all stores before are done.
    given: &'a Rows<'a>,
}

impl<'a, const N: usize> Matrix<'a, N> {
    #[inline(always)]
    fn new(dst: *mut u8, src: *const u8, rows: &'a Rows<'a>) -> Self {
        Self { dst, src, rows: *rows, given: rows }
    }

    const WIDTH: usize = 16 / N;
    /// Rows, or columns, of a tile.
    const SIDE: usize = 4 * N;

    /// Element j of source row i.
    ///
    /// # Safety
    /// i is a row.
    #[inline(always)]
    unsafe fn from(self, i: usize, j: usize) -> *const u8 {
        // SAFETY: as promised to this function.
        let row = unsafe { *self.rows.src.get_unchecked(i) };
        self.src.wrapping_add(j * Self::WIDTH).wrapping_offset(row as isize)
    }

    /// Element i of destination row j.
    ///
    /// # Safety
    /// j is a row.
    #[inline(always)]
    unsafe fn to(self, i: usize, j: usize) -> *mut u8 {
        // SAFETY: as promised to this function.
        let row = unsafe { *self.rows.dst.get_unchecked(j) };
        self.dst.wrapping_add(i * Self::WIDTH).wrapping_offset(row as isize)
    }

    /// Source rows i … i + 4n − 1, columns j … j + 4n − 1: calls `put(m, register)` for each column j + m.
    ///
    /// # Safety
    /// These are rows and columns of the matrix; AVX-512 BW.
    #[inline(always)]
    unsafe fn tile<const LOAD: u8>(self, i: usize, j: usize, mut put: impl FnMut(usize, __m512i)) {
        // SAFETY: as promised to this function; no load needs alignment.
        unsafe {
            match LOAD {
                WHOLE => whole_tile::<N>(|k| _mm512_loadu_si512(self.from(i + k, j).cast()), put),
                _ => {
                    self.half_tile(i, j, &mut put);
                    self.half_tile(i, j + 2 * N, |m, register| put(2 * N + m, register));
                }
            }
        }
    }

    /// [`Matrix::tile`] of 2n columns, in half loads.
    ///
    /// # Safety
    /// As there.
    #[inline(always)]
    unsafe fn half_tile(self, i: usize, j: usize, mut put: impl FnMut(usize, __m512i)) {
        // SAFETY: as promised to this function.
        unsafe {
            let half = |k: usize| {
                let row = |k: usize| _mm256_loadu_si256(self.from(i + k, j).cast());
                _mm512_inserti64x4::<1>(_mm512_castsi256_si512(row(k)), row(k + 2 * N))
            };
            let low = zips::<Lanes4, N>(sixteen!(k => Lanes4(half(k % N))));
            let high = zips::<Lanes4, N>(sixteen!(k => Lanes4(half(N + k % N))));
            let even = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
            let odd = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
            sixteen!(m => if m < N {
                put(m, _mm512_permutex2var_epi64(low[m].0, even, high[m].0));
                put(N + m, _mm512_permutex2var_epi64(low[m].0, odd, high[m].0));
            });
        }
    }

    /// Tiles down strips of one line.
    ///
    /// # Safety
    /// The caller's elements; AVX-512 BW.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    #[inline(never)]
    unsafe fn down<const LOAD: u8>(dst: *mut u8, src: *const u8, given: &'a Rows<'a>) {
        let this = Self::new(dst, src, given);
        let (count_i, count_j) = (this.rows.src.len(), this.rows.dst.len());
        let (tiled_i, tiled_j) = (Self::tiled(count_i), Self::tiled(count_j));
        // SAFETY: the rows and columns lie inside the counts; a tile's registers are whole pieces of destination rows.
        unsafe {
            for j in (0..tiled_j).step_by(Self::SIDE) {
                let j = j.min(count_j - Self::SIDE);
                for i in (0..tiled_i).step_by(Self::SIDE) {
                    let wanted = if N < 16 { this.wanted::<LOAD>(i + Self::SIDE, j) } else { None };
                    let i = i.min(count_i - Self::SIDE);
                    this.tile::<LOAD>(i, j, |m, piece| {
                        this.ask(wanted, m);
                        _mm512_storeu_si512(this.to(i, j + m).cast(), piece)
                    });
                }
                if tiled_i < count_i {
                    this.edge(tiled_i, j, count_i - tiled_i, Self::SIDE);
                }
            }
            if tiled_j < count_j {
                for i in (0..count_i).step_by(Self::SIDE) {
                    this.edge(i, tiled_j, (count_i - i).min(Self::SIDE), count_j - tiled_j);
                }
            }
        }
    }

    /// Where the tile at (i, j) writes the ends of its pieces, if there is one and the plan says to ask for it: the first column,
    /// and the place in each row. Not for whole loads of 1 and 2 bytes, which need all registers; of other bytes they are asked for here,
    /// all at once, for the same reason.
    #[inline(always)]
    fn wanted<const LOAD: u8>(self, i: usize, j: usize) -> Option<(usize, *const u8)> {
        if LOAD == WHOLE && N >= 8 || !self.rows.asks() || i >= self.rows.src.len() {
            return None;
        }
        let j = j.min(self.rows.dst.len().saturating_sub(Self::SIDE));
        let to = self.dst.wrapping_add(i * Self::WIDTH + LINE - 1).cast_const();
        if N == 16 {
            ask_for_rows(to, self.rows.dst.get(j..j + Self::SIDE).unwrap_or(&[]));
            return None;
        }
        Some((j, to))
    }

    /// # Safety
    /// A matrix with a whole tile of columns, which has column m.
    #[inline(always)]
    unsafe fn ask(self, wanted: Option<(usize, *const u8)>, m: usize) {
        if let Some((j, to)) = wanted {
            // SAFETY: as promised to this function.
            let row = unsafe { *self.rows.dst.get_unchecked(j + m) };
            fetch(to.wrapping_offset(row as isize), false);
        }
    }

    /// Rows, or columns, that whole tiles cover, the last of which may overlap the one before: up to all, but for a few.
    #[inline(always)]
    fn tiled(count: usize) -> usize {
        let rest = count % Self::SIDE;
        if rest > 2 * N && count >= Self::SIDE { count } else { count - rest }
    }

    /// Tiles along the source rows in strips of some columns.
    ///
    /// # Safety
    /// As [`Matrix::down`].
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    #[inline(never)]
    unsafe fn across<const LOAD: u8>(dst: *mut u8, src: *const u8, given: &'a Rows<'a>, strip: usize) {
        let this = Self::new(dst, src, given);
        let (count_i, count_j) = (this.rows.src.len(), this.rows.dst.len());
        let (tiled_i, tiled_j) = (Self::tiled(count_i), Self::tiled(count_j));
        // SAFETY: as in `down`.
        unsafe {
            let mut begin = 0usize;
            loop {
                let end = tiled_j.min(begin.saturating_add(strip));
                for i in (0..tiled_i).step_by(Self::SIDE) {
                    let next = i + Self::SIDE;
                    let i = i.min(count_i - Self::SIDE);
                    let mut j = begin;
                    while j < end {
                        let first = j.min(count_j - Self::SIDE);
                        let wanted = match j + Self::SIDE {
                            beside if beside < end => this.wanted::<LOAD>(i, beside),
                            _ => this.wanted::<LOAD>(next, begin),
                        };
                        this.tile::<LOAD>(i, first, |m, piece| {
                            this.ask(wanted, m);
                            _mm512_storeu_si512(this.to(i, first + m).cast(), piece)
                        });
                        j += Self::SIDE;
                    }
                    if end == tiled_j && end < count_j {
                        this.edge(i, end, Self::SIDE, count_j - end);
                    }
                }
                if end == tiled_j {
                    break;
                }
                begin = end;
            }
            if tiled_i < count_i {
                this.edge(tiled_i, 0, count_i - tiled_i, count_j);
            }
        }
    }
}

/// The tile of the lines that `load(k)` loads: calls `put(m, register)` for each column m.
///
/// # Safety
/// AVX-512 BW.
#[inline(always)]
pub(super) unsafe fn whole_tile<const N: usize>(load: impl Fn(usize) -> __m512i, mut put: impl FnMut(usize, __m512i)) {
    // SAFETY: as promised to this function.
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

/// Bytes of a destination row below which nothing is carried, and the same of rows of bytes.
const LEAST_CARRIED: usize = 640;
const LEAST_CARRIED_OF_BYTES: usize = 1024;

/// # Safety
/// As [`Run::Tile`](super::super::Run::Tile); AVX-512 F, BW, DQ, VL and VBMI.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
pub(in super::super) unsafe fn transpose<const N: usize>(dst: *mut u8, src: *const u8, rows: &Rows<'_>) {
    let (count_i, count_j, side) = (rows.src.len(), rows.dst.len(), Matrix::<N>::SIDE);
    let matrix = Matrix::<N>::new(dst, src, rows);
    if count_i.max(count_j) <= side && rows.memory == Memory::Cached {
        // SAFETY: as promised to this function; all there is, which is not more than one tile.
        return unsafe {
            match count_i.min(count_j) == side {
                true if N == 16 => Matrix::<N>::down::<HALF>(dst, src, rows),
                true => matrix.tile::<WHOLE>(0, 0, |m, piece| _mm512_storeu_si512(matrix.to(0, m).cast(), piece)),
                false => matrix.edge(0, 0, count_i, count_j),
            }
        };
    }
    let at_lines = src.addr() & (LINE - 1) == 0 && rows.src.iter().take(2).all(|row| row & (LINE as i64 - 1) == 0);
    let longer = rows.dst.len() > rows.src.len();
    // Sixteen rows and the next sixteen do not fit one set of the first level.
    let crowded = N >= 4 && step(rows.src) & 4095 == 0;
    let far = crowded || goes_far(rows.hints);
    // Destination rows whose lines fall into a few sets of the first level.
    let jumps = step(rows.dst) & 1023 == 0;
    // Whole loads of 2 bytes leave no registers to ask with.
    let halves = N == 8 && rows.asks();
    // Of a short destination row too little is whole lines.
    let row = rows.src.len() * (16 / N);
    let short = row < if N == 16 { LEAST_CARRIED_OF_BYTES } else { LEAST_CARRIED };
    let packed = || {
        short
            && row * count_j >= LEAST_PACKED
            && (N == 16 || row * side < PACKED * LINE)
            && rows.dst.iter().zip(0..).all(|(&at, j)| at == j * row as i64)
    };
    // Rows that lie an element more or less than a page apart have two lines each in a few sets: as many of them as a tile has.
    let beside = N == 2 && matches!(step(rows.dst) & 2047, 1..=8 | 2040..);
    // Else 256 bytes of each source row; a tile of wide elements has so few rows that more of each pays.
    let near = if N == 1 { LINE / 4 } else { (LINE * N / 4).min(2 * LINE) };
    let near = if beside { side } else { near };
    let stages = N < 16 && rows.hints & STAGE != 0 && count_j >= side;
    let strip = match rows.memory {
        Memory::Stream => matrix.strip(if N < 8 { LINE * N.min(2) } else { 4 * LINE }, false),
        _ => 0,
    };
    // SAFETY: as promised to this function.
    unsafe {
        match rows.memory {
            Memory::Cached if N < 8 && (N + 1..side).contains(&count_j) => Matrix::<N>::narrow(dst, src, rows),
            Memory::Cached if (!at_lines || halves) && !jumps => Matrix::<N>::across::<HALF>(dst, src, rows, near),
            Memory::Cached if longer && !jumps && N < 16 => Matrix::<N>::across::<WHOLE>(dst, src, rows, near),
            Memory::Cached | Memory::Crowded if N == 16 => Matrix::<N>::down::<HALF>(dst, src, rows),
            Memory::Cached | Memory::Crowded => Matrix::<N>::down::<WHOLE>(dst, src, rows),
            Memory::Fetch if packed() => Matrix::<N>::packed(dst, src, rows, near),
            Memory::Fetch if short => {
                ask_for_matrix(dst, src, rows, Matrix::<N>::WIDTH);
                Matrix::<N>::across::<HALF>(dst, src, rows, near)
            }
            Memory::Fetch => Matrix::<N>::carried(dst, src, rows, far),
            Memory::Stream | Memory::CrowdedStream if stages => {
                Matrix::<N>::staged::<HALF_STAGED>(dst, src, rows, true)
            }
            Memory::Stream if at_lines => Matrix::<N>::along::<WHOLE>(dst, src, rows, strip, far),
            Memory::Stream => Matrix::<N>::along::<HALF>(dst, src, rows, strip, goes_far(rows.hints)), // crowded or not
            Memory::CrowdedStream if N == 1 => Matrix::<N>::along::<WHOLE>(dst, src, rows, LINE / 4, false),
            Memory::CrowdedStream if N == 2 => Matrix::<N>::along::<WHOLE>(dst, src, rows, near, true),
            Memory::CrowdedStream => Matrix::<N>::along::<WHOLE>(dst, src, rows, LINE * N / 16, true),
            Memory::Staged if N == 1 => Matrix::<N>::down::<WHOLE>(dst, src, rows),
            Memory::Staged if N == 4 && stages => Matrix::<N>::staged::<HALF_STAGED>(dst, src, rows, false),
            Memory::Staged => Matrix::<N>::staged::<STAGED>(dst, src, rows, false),
            Memory::StagedStream if N == 4 && stages => Matrix::<N>::staged::<HALF_STAGED>(dst, src, rows, true),
            Memory::StagedStream => Matrix::<N>::staged::<STAGED>(dst, src, rows, true),
        }
    }
}
