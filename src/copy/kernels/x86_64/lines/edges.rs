//! What whole tiles leave of a transpose: a few rows of all columns, a few columns of a tile's rows.
//!
//! A single row is moved element by element, since each is a store of its own. A few columns of more rows than a lane has
//! elements are the last 16 bytes of each row, so that nothing need be masked; with those before them that are stored
//! again. Else a tile under masks: rows that are absent are the last row again, columns that are absent are not loaded, and
//! neither is stored. Which is best for how many rows, columns and bytes was measured.

use super::super::super::first;
use super::super::super::tile::{sixteen, zips};
use super::super::avx512::Lanes4;
use super::{LINE, Matrix, Rows, ask_for_rows, whole_tile};
use core::arch::x86_64::*;

impl<'a, const N: usize> Matrix<'a, N> {
    /// What no whole tile covers: at most 4n rows, and at most 4n columns if it is 4n rows.
    ///
    /// # Safety
    /// As [`Matrix::tile`], for `rows` rows and `columns` columns, at least one of each.
    #[inline(always)]
    pub(super) unsafe fn edge(self, i: usize, j: usize, rows: usize, columns: usize) {
        // SAFETY: as promised to this function.
        unsafe {
            if rows == 1 {
                Self::one_row(self.dst, self.src, self.given, i, j, columns);
            } else if (N >= 8 || N == 4 && columns <= 2 * N) && rows == Self::SIDE && j + columns >= N {
                for at in (0..columns).step_by(N) {
                    Self::last_columns(self.dst, self.src, self.given, i, j + at, (columns - at).min(N));
                }
            } else if columns <= N && rows > N {
                Self::few_columns(self.dst, self.src, self.given, i, j, rows, columns);
            } else if rows <= N {
                Self::few_rows::<1>(self.dst, self.src, self.given, i, j, rows, columns);
            } else if rows <= 2 * N {
                Self::few_rows::<2>(self.dst, self.src, self.given, i, j, rows, columns);
            } else {
                Self::few_rows::<4>(self.dst, self.src, self.given, i, j, rows, columns);
            }
        }
    }

    /// All there is, if that is fewer columns than a tile has.
    ///
    /// # Safety
    /// As [`Matrix::edge`].
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    #[inline(never)]
    pub(super) unsafe fn narrow(dst: *mut u8, src: *const u8, given: &'a Rows<'a>) {
        let this = Self::new(dst, src, given);
        let (count_i, columns) = (this.rows.src.len(), this.rows.dst.len());
        let whole_i = count_i - count_i % Self::SIDE;
        // SAFETY: as promised to this function.
        unsafe {
            for i in (0..whole_i).step_by(Self::SIDE) {
                if this.rows.asks() {
                    let to = this.dst.wrapping_add((i + Self::SIDE) * Self::WIDTH + LINE - 1);
                    ask_for_rows(to, this.rows.dst);
                }
                this.masked_tile::<4, false>(i, 0, Self::SIDE, columns);
            }
            if whole_i < count_i {
                this.edge(whole_i, 0, count_i - whole_i, columns);
            }
        }
    }

    /// # Safety
    /// As [`Matrix::edge`].
    #[inline(never)]
    unsafe fn one_row(dst: *mut u8, src: *const u8, given: &'a Rows<'a>, i: usize, j: usize, columns: usize) {
        // SAFETY: as promised to this function.
        unsafe {
            let row = *given.src.get_unchecked(i);
            let from = src.wrapping_offset(row as isize).wrapping_add(j * Self::WIDTH);
            let to = dst.wrapping_add(i * Self::WIDTH);
            for (m, &row) in given.dst.get_unchecked(j..j + columns).iter().enumerate() {
                let to = to.wrapping_offset(row as isize);
                core::ptr::copy(from.wrapping_add(m * Self::WIDTH), to, Self::WIDTH); // K6
            }
        }
    }

    /// At most `G · n` rows by any columns. The last tile overlaps the one before, unless few columns are left.
    ///
    /// # Safety
    /// As [`Matrix::edge`]; G is 1, 2 or 4.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    #[inline(never)]
    unsafe fn few_rows<const G: usize>(
        dst: *mut u8,
        src: *const u8,
        given: &'a Rows<'a>,
        i: usize,
        j: usize,
        rows: usize,
        columns: usize,
    ) {
        let this = Self::new(dst, src, given);
        // SAFETY: as promised to this function.
        unsafe {
            if columns < Self::SIDE {
                return this.masked_rows::<G, false>(i, j, rows, columns);
            }
            let rest = columns % Self::SIDE;
            let tiled = if G > 1 && rest <= N { columns - rest } else { columns };
            for at in (0..tiled).step_by(Self::SIDE) {
                this.masked_rows::<G, true>(i, j + at.min(tiled - Self::SIDE), rows, Self::SIDE);
            }
            if tiled < columns {
                Self::few_columns(dst, src, given, i, j + tiled, rows, rest);
            }
        }
    }

    /// [`Matrix::masked_tile`], or two of them one below the other where the registers do not hold all lines.
    ///
    /// # Safety
    /// As [`Matrix::masked_tile`].
    #[inline(always)]
    unsafe fn masked_rows<const G: usize, const ALL: bool>(self, i: usize, j: usize, rows: usize, columns: usize) {
        // SAFETY: as promised to this function.
        unsafe {
            if N < 8 || G < 4 {
                self.masked_tile::<G, ALL>(i, j, rows, columns);
            } else {
                self.masked_tile::<2, ALL>(i, j, 2 * N, columns);
                if rows <= 3 * N {
                    self.masked_tile::<1, ALL>(i + 2 * N, j, rows - 2 * N, columns);
                } else {
                    self.masked_tile::<2, ALL>(i + 2 * N, j, rows - 2 * N, columns);
                }
            }
        }
    }

    /// At most `G · n` rows by at most 4n columns, all of them where it is `ALL`. Absent rows are the last one again;
    /// absent columns are not loaded; the masks keep the rows.
    ///
    /// # Safety
    /// As [`Matrix::edge`]; G is 1, 2 or 4.
    #[inline(always)]
    unsafe fn masked_tile<const G: usize, const ALL: bool>(self, i: usize, j: usize, rows: usize, columns: usize) {
        let stored = first(rows * Self::WIDTH);
        let wanted = first(columns * Self::WIDTH);
        // SAFETY: the row exists; masked bytes are not touched.
        let load = |k: usize| unsafe {
            let from = self.from(i + k.min(rows - 1), j);
            if ALL { _mm512_loadu_si512(from.cast()) } else { _mm512_maskz_loadu_epi8(wanted, from.cast()) }
        };
        // SAFETY: as promised to this function: only columns below `columns` and rows below `rows` are stored.
        unsafe {
            match G {
                1 => {
                    let z = zips::<Lanes4, N>(sixteen!(k => Lanes4(load(k % N))));
                    let put = |m: usize, lane: __m128i| {
                        if ALL || m < columns {
                            _mm_mask_storeu_epi8(self.to(i, j + m).cast(), stored as u16, lane);
                        }
                    };
                    sixteen!(m => if m < N { put(m, _mm512_castsi512_si128(z[m].0)) });
                    sixteen!(m => if m < N { put(N + m, _mm512_extracti32x4_epi32::<1>(z[m].0)) });
                    sixteen!(m => if m < N { put(2 * N + m, _mm512_extracti32x4_epi32::<2>(z[m].0)) });
                    sixteen!(m => if m < N { put(3 * N + m, _mm512_extracti32x4_epi32::<3>(z[m].0)) });
                }
                2 => {
                    for h in 0..2 {
                        if !ALL && h * 2 * N >= columns {
                            break;
                        }
                        let half = |k: usize| {
                            let from = self.from(i + k.min(rows - 1), j + h * 2 * N);
                            let wanted = (wanted >> (h * LINE / 2)) as u32;
                            if ALL {
                                _mm256_loadu_si256(from.cast())
                            } else {
                                _mm256_maskz_loadu_epi8(wanted, from.cast())
                            }
                        };
                        let both = |k: usize| _mm512_inserti64x4::<1>(_mm512_castsi256_si512(half(k)), half(N + k));
                        let z = zips::<Lanes4, N>(sixteen!(k => Lanes4(both(k % N))));
                        let z: [__m512i; 16] = sixteen!(m => _mm512_shuffle_i64x2::<0xD8>(z[m].0, z[m].0));
                        let put = |m: usize, lanes: __m256i| {
                            if ALL || h * 2 * N + m < columns {
                                _mm256_mask_storeu_epi8(self.to(i, j + h * 2 * N + m).cast(), stored as u32, lanes);
                            }
                        };
                        sixteen!(m => if m < N { put(m, _mm512_castsi512_si256(z[m])) });
                        sixteen!(m => if m < N { put(N + m, _mm512_extracti64x4_epi64::<1>(z[m])) });
                    }
                }
                _ => whole_tile::<N>(load, |m, register| {
                    if ALL || m < columns {
                        _mm512_mask_storeu_epi8(self.to(i, j + m).cast(), stored, register);
                    }
                }),
            }
        }
    }

    /// At most 4n rows by at most n columns, 16 bytes of each row.
    ///
    /// # Safety
    /// As [`Matrix::edge`].
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    #[inline(never)]
    #[allow(clippy::absurd_extreme_comparisons)] // m is a constant in each of the sixteen
    unsafe fn few_columns(
        dst: *mut u8,
        src: *const u8,
        given: &'a Rows<'a>,
        i: usize,
        j: usize,
        rows: usize,
        columns: usize,
    ) {
        let this = Self::new(dst, src, given);
        let stored = first(rows * Self::WIDTH);
        // The last n columns, if there are so many, of which the first ones are not stored again.
        let back = if j + columns >= N { N - columns } else { 0 };
        let wanted = first(columns * Self::WIDTH) as u16;
        // SAFETY: the row exists, and n of its columns, or masked bytes are not touched.
        let lane = |row: usize| unsafe {
            let row = if rows < Self::SIDE { row.min(rows - 1) } else { row };
            if j + columns >= N {
                _mm_loadu_si128(this.from(i + row, j - back).cast())
            } else {
                _mm_maskz_loadu_epi8(wanted, this.from(i + row, j).cast())
            }
        };
        // SAFETY: as promised to this function: columns from `j` on, `columns` of them, and rows below `rows` are stored.
        unsafe {
            let out = zips::<Lanes4, N>(sixteen!(k => Lanes4::of_lanes(|l| lane(l * N + k % N))));
            sixteen!(m => if m < N && (back..back + columns).contains(&m) {
                _mm512_mask_storeu_epi8(this.to(i, j + m - back).cast(), stored, out[m].0);
            });
        }
    }

    /// 4n rows by at most n columns, the last of 16 bytes of each row: neither masks nor rows that may be absent.
    ///
    /// # Safety
    /// As [`Matrix::edge`]; there are n columns up to the last of these.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    #[inline(never)]
    #[allow(clippy::absurd_extreme_comparisons)] // m is a constant in each of the sixteen
    unsafe fn last_columns(dst: *mut u8, src: *const u8, given: &Rows<'_>, i: usize, j: usize, columns: usize) {
        let back = N - columns;
        let (from, to) = (src.wrapping_add((j - back) * Self::WIDTH), dst.wrapping_add(i * Self::WIDTH));
        // SAFETY: as promised to this function.
        unsafe {
            let (src_rows, dst_rows) = (given.src.as_ptr().add(i), given.dst.as_ptr().add(j - back));
            let lane = |k: usize| _mm_loadu_si128(from.wrapping_offset(*src_rows.add(k) as isize).cast());
            let out = zips::<Lanes4, N>(sixteen!(k => Lanes4::of_lanes(|l| lane(l * N + k % N))));
            sixteen!(m => if m < N && m >= back {
                _mm512_storeu_si512(to.wrapping_offset(*dst_rows.add(m) as isize).cast(), out[m].0);
            });
        }
    }
}
