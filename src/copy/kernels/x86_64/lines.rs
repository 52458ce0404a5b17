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
//! The order of tiles is a matter of the caches:
//!
//! * in the cache, tiles go along the source rows in strips of four lines, and the strips down all rows: each line is used
//!   up and each page visited while it is near. Where destination rows lie so that strips would crowd into few sets of the
//!   cache, a strip is one line;
//! * where the rows of a large matrix crowd, blocks are made on the stack and their rows copied one by one;
//! * streaming, tiles go along the source rows in strips of some lines and ask for the next tile row, line by line between
//!   their stores. Streamed lines do not care where they go, unless their rows lie a large power of two apart: then a strip
//!   is narrower. Where the source rows crowd into few sets of the cache, a strip is one line and the next tile row is
//!   asked for in the second level. Where a destination row does not begin at a line, the last 64 bytes of each row are
//!   carried to the next tile, so that whole lines can be streamed all the same. Rows too short for that, if they lie one behind
//!   the other, are put together on the stack.
//!
//! What is left at the ends is a tile that overlaps the one before where nothing is streamed and much is left; else a masked
//! tile: rows that are absent are the last row again, columns that are absent are not loaded, and neither is stored.

use super::super::tile::{sixteen, zips};
use super::super::{LINE, Memory, Rows};
use super::avx512::Lanes4;
use super::gather::first;
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

/// How a source row is loaded.
const WHOLE: u8 = 0;
const HALF: u8 = 1;

/// A transpose with elements of `16 / N` bytes.
#[derive(Clone, Copy)]
struct Problem<'a, const N: usize> {
    dst: *mut u8,
    src: *const u8,
    /// By value: behind a reference they would be read again after every store.
    rows: Rows<'a>,
    /// As the kernel got them, for functions that are not inlined. A copy for these would be loaded in pieces of several words
    /// that were just stored one by one, and wait until all stores before are done.
    given: &'a Rows<'a>,
}

impl<'a, const N: usize> Problem<'a, N> {
    #[inline(always)]
    fn new(dst: *mut u8, src: *const u8, rows: &'a Rows<'a>) -> Self {
        Self { dst, src, rows: *rows, given: rows }
    }

    const WIDTH: usize = 16 / N;
    /// Rows, or columns, of a tile.
    const SIDE: usize = 4 * N;
    /// Lines of each destination row in a staged block, and rows.
    const DEEP: usize = if N >= 8 { 4 } else { 8 };
    const WIDE: usize = STAGED / Self::DEEP;

    /// Element j of source row i.
    ///
    /// # Safety
    /// i is a row.
    #[inline(always)]
    unsafe fn from(self, i: usize, j: usize) -> *const u8 {
        // SAFETY: as promised to this function.
        let row = unsafe { *self.rows.src.get_unchecked(i) };
        self.src.wrapping_offset(row as isize).wrapping_add(j * Self::WIDTH)
    }

    /// Element i of destination row j.
    ///
    /// # Safety
    /// j is a row.
    #[inline(always)]
    unsafe fn to(self, i: usize, j: usize) -> *mut u8 {
        // SAFETY: as promised to this function.
        let row = unsafe { *self.rows.dst.get_unchecked(j) };
        self.dst.wrapping_offset(row as isize).wrapping_add(i * Self::WIDTH)
    }

    /// Source rows i … i + 4n − 1, columns j … j + 4n − 1: calls `put(m, register)` for each column j + m.
    ///
    /// # Safety
    /// These are rows and columns of the problem; AVX-512 BW.
    #[inline(always)]
    unsafe fn tile<const LOAD: u8>(self, i: usize, j: usize, mut put: impl FnMut(usize, __m512i)) {
        // SAFETY: as promised to this function; no load needs alignment.
        unsafe {
            match LOAD {
                WHOLE => whole_tile::<N>(|k| _mm512_loadu_si512(self.from(i + k, j).cast()), put),
                _ => {
                    for h in 0..2 {
                        let half = |k: usize| {
                            let row = |k: usize| _mm256_loadu_si256(self.from(i + k, j + h * 2 * N).cast());
                            _mm512_inserti64x4::<1>(_mm512_castsi256_si512(row(k)), row(k + 2 * N))
                        };
                        let low = zips::<Lanes4, N>(sixteen!(k => Lanes4(half(k % N))));
                        let high = zips::<Lanes4, N>(sixteen!(k => Lanes4(half(N + k % N))));
                        let even = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
                        let odd = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
                        sixteen!(m => if m < N {
                            put(2 * h * N + m, _mm512_permutex2var_epi64(low[m].0, even, high[m].0));
                            put(2 * h * N + N + m, _mm512_permutex2var_epi64(low[m].0, odd, high[m].0));
                        });
                    }
                }
            }
        }
    }

    /// At most 4n rows by at most 4n columns: what no whole tile covers.
    ///
    /// # Safety
    /// As [`Problem::tile`], for `rows` rows and `columns` columns, at least one of each.
    #[inline(always)]
    unsafe fn edge(self, i: usize, j: usize, rows: usize, columns: usize) {
        // SAFETY: as promised to this function.
        unsafe {
            if rows <= N {
                Self::few_rows::<1>(self.dst, self.src, self.given, i, j, rows, columns);
            } else if N >= 8 && columns <= 2 * N && rows == Self::SIDE && j + columns >= N {
                Self::last_columns(self.dst, self.src, self.given, i, j, columns.min(N));
                if columns > N {
                    Self::last_columns(self.dst, self.src, self.given, i, j + N, columns - N);
                }
            } else if columns <= N {
                Self::few_columns(self.dst, self.src, self.given, i, j, rows, columns);
            } else if rows <= 2 * N {
                Self::few_rows::<2>(self.dst, self.src, self.given, i, j, rows, columns);
            } else if N < 16 {
                Self::few_rows::<4>(self.dst, self.src, self.given, i, j, rows, columns);
            } else {
                // The registers do not hold 64 lines.
                Self::few_rows::<2>(self.dst, self.src, self.given, i, j, 2 * N, columns);
                if rows <= 3 * N {
                    Self::few_rows::<1>(self.dst, self.src, self.given, i + 2 * N, j, rows - 2 * N, columns);
                } else {
                    Self::few_rows::<2>(self.dst, self.src, self.given, i + 2 * N, j, rows - 2 * N, columns);
                }
            }
        }
    }

    /// At most `G · n` rows by at most 4n columns. Absent rows are the last one again; absent columns are not loaded;
    /// the masks keep the rows.
    ///
    /// # Safety
    /// As [`Problem::edge`]; G is 1, 2 or 4.
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
        let stored = first(rows * Self::WIDTH);
        let wanted = first(columns * Self::WIDTH);
        // SAFETY: the row exists; masked bytes are not touched.
        let load = |k: usize| unsafe {
            let from = this.from(i + k.min(rows - 1), j);
            if columns >= Self::SIDE {
                _mm512_loadu_si512(from.cast())
            } else {
                _mm512_maskz_loadu_epi8(wanted, from.cast())
            }
        };
        // SAFETY: as promised to this function: only columns below `columns` and rows below `rows` are stored.
        unsafe {
            match G {
                1 => {
                    let z = zips::<Lanes4, N>(sixteen!(k => Lanes4(load(k % N))));
                    let put = |m: usize, lane: __m128i| {
                        if m < columns {
                            _mm_mask_storeu_epi8(this.to(i, j + m).cast(), stored as u16, lane);
                        }
                    };
                    sixteen!(m => if m < N { put(m, _mm512_castsi512_si128(z[m].0)) });
                    sixteen!(m => if m < N { put(N + m, _mm512_extracti32x4_epi32::<1>(z[m].0)) });
                    sixteen!(m => if m < N { put(2 * N + m, _mm512_extracti32x4_epi32::<2>(z[m].0)) });
                    sixteen!(m => if m < N { put(3 * N + m, _mm512_extracti32x4_epi32::<3>(z[m].0)) });
                }
                2 => {
                    let z0 = zips::<Lanes4, N>(sixteen!(k => Lanes4(load(k % N))));
                    let z1 = zips::<Lanes4, N>(sixteen!(k => Lanes4(load(N + k % N))));
                    let put = |m: usize, lanes: __m256i| {
                        if m < columns {
                            _mm256_mask_storeu_epi8(this.to(i, j + m).cast(), stored as u32, lanes);
                        }
                    };
                    let low = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
                    let high = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
                    let low: [__m512i; 16] = sixteen!(m => _mm512_permutex2var_epi64(z0[m % N].0, low, z1[m % N].0));
                    let high: [__m512i; 16] = sixteen!(m => _mm512_permutex2var_epi64(z0[m % N].0, high, z1[m % N].0));
                    sixteen!(m => if m < N { put(m, _mm512_castsi512_si256(low[m])) });
                    sixteen!(m => if m < N { put(N + m, _mm512_extracti64x4_epi64::<1>(low[m])) });
                    sixteen!(m => if m < N { put(2 * N + m, _mm512_castsi512_si256(high[m])) });
                    sixteen!(m => if m < N { put(3 * N + m, _mm512_extracti64x4_epi64::<1>(high[m])) });
                }
                _ => whole_tile::<N>(load, |m, register| {
                    if m < columns {
                        _mm512_mask_storeu_epi8(this.to(i, j + m).cast(), stored, register);
                    }
                }),
            }
        }
    }

    /// At most 4n rows by at most n columns, 16 bytes of each row.
    ///
    /// # Safety
    /// As [`Problem::edge`].
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
    /// As [`Problem::edge`]; there are n columns up to the last of these.
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

    /// Columns of a strip that is streamed, at most `most`: destination rows that lines are under way to. Those to rows that lie
    /// some power of two apart, or an odd multiple of it, wait for each other in the memory; those that are joined do so
    /// only where the rows are not far apart. All numbers are measured.
    #[inline(always)]
    fn strip(self, most: usize, joined: bool) -> usize {
        let step = step(self.rows.dst);
        let near = step < 32 << 10;
        let single = || self.rows.dst.iter().take(32).zip(0..).all(|(&at, j)| at == j * step);
        let most = match step.trailing_zeros() {
            9..=11 if (near || !joined) && single() => return most.min(32).max(Self::SIDE),
            7 if near => most.min(128),
            8 if near => most.min(64),
            12 if near && N <= 2 => most.min(32),
            _ => most,
        };
        // 256 bytes of a source row where these are not short either.
        most.max(if step >= 12 << 10 { 16 * N } else { Self::SIDE })
    }

    /// The tile row behind that of row i, which is a whole one: its first row, which may be one of this tile row where few are
    /// left, and the source; behind the last, that of the next call.
    #[inline(always)]
    fn ahead(self, i: usize) -> (usize, *const u8) {
        let count = self.rows.src.len();
        match i + Self::SIDE {
            next if next < count => (next.min(count.saturating_sub(Self::SIDE)), self.src),
            _ => (0, self.src.wrapping_offset(self.rows.next as isize)),
        }
    }

    /// Asks for column j of row m of the tile row `ahead`.
    ///
    /// # Safety
    /// There is a whole tile row, which has row m.
    #[inline(always)]
    unsafe fn fetch<const HINT: i32>(self, (i, src): (usize, *const u8), m: usize, j: usize) {
        // SAFETY: as promised to this function; a prefetch never faults.
        unsafe {
            let row = *self.rows.src.get_unchecked(i + m);
            _mm_prefetch::<HINT>(src.wrapping_offset(row as isize).wrapping_add(j * Self::WIDTH).cast());
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
                    let i = i.min(count_i - Self::SIDE);
                    this.tile::<LOAD>(i, j, |m, piece| _mm512_storeu_si512(this.to(i, j + m).cast(), piece));
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

    /// Rows, or columns, that whole tiles cover, the last of which may overlap the one before: up to all, but for a few.
    #[inline(always)]
    fn tiled(count: usize) -> usize {
        let rest = count % Self::SIDE;
        if rest > 2 * N && count >= Self::SIDE { count } else { count - rest }
    }

    /// Tiles along the source rows in strips of some columns.
    ///
    /// # Safety
    /// As [`Problem::down`].
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
                    let i = i.min(count_i - Self::SIDE);
                    let mut j = begin;
                    while j < end {
                        let first = j.min(count_j - Self::SIDE);
                        this.tile::<LOAD>(i, first, |m, piece| {
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
                for j in (0..count_j).step_by(Self::SIDE) {
                    this.edge(tiled_i, j, count_i - tiled_i, (count_j - j).min(Self::SIDE));
                }
            }
        }
    }

    /// Tiles along the source rows in strips of some columns, streamed; every destination row begins at a line.
    ///
    /// # Safety
    /// As [`Problem::down`].
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    #[inline(never)]
    unsafe fn along<const LOAD: u8, const HINT: i32>(dst: *mut u8, src: *const u8, given: &'a Rows<'a>, strip: usize) {
        let this = Self::new(dst, src, given);
        let (count_i, count_j) = (this.rows.src.len(), this.rows.dst.len());
        let mut begin = 0;
        while begin < count_j {
            let end = (begin + strip).min(count_j);
            let mut i = 0;
            while i < count_i {
                let rows = (count_i - i).min(Self::SIDE);
                let mut j = begin;
                while j < end {
                    let columns = (end - j).min(Self::SIDE);
                    let ahead = this.ahead(i);
                    // SAFETY: as in `down`; a whole tile begins at a line of each destination row.
                    unsafe {
                        if rows == Self::SIDE && columns == Self::SIDE {
                            this.tile::<LOAD>(i, j, |m, piece| {
                                this.fetch::<HINT>(ahead, m, j);
                                _mm512_stream_si512(this.to(i, j + m).cast(), piece);
                            });
                        } else if rows == Self::SIDE && Self::streams_last(end) {
                            this.stream_last::<LOAD>(i, end, columns, &mut []);
                        } else {
                            this.edge(i, j, rows, columns);
                        }
                    }
                    j += Self::SIDE;
                }
                i += Self::SIDE;
            }
            begin = end;
        }
    }

    /// Whether the last columns of a strip that ends at column `end` are streamed: not bytes without a whole tile of columns.
    const fn streams_last(end: usize) -> bool {
        end >= Self::SIDE || N < 16
    }

    /// Streams the last columns of a strip, fewer than a tile has, of a whole tile of rows.
    ///
    /// # Safety
    /// As [`Problem::stream_columns`], or [`Problem::stream_few`] where there is no whole tile of columns.
    #[inline(always)]
    unsafe fn stream_last<const LOAD: u8>(
        self,
        i: usize,
        end: usize,
        columns: usize,
        cells: &mut [MaybeUninit<__m512i>],
    ) {
        // SAFETY: as promised to this function.
        unsafe {
            if end >= Self::SIDE {
                Self::stream_columns::<LOAD>(self.dst, self.src, self.given, i, end, columns, cells);
            } else {
                Self::stream_few(self.dst, self.src, self.given, i, columns, cells);
            }
        }
    }

    /// The last columns of a strip, fewer than a tile has, streamed: a tile that overlaps the one before, of which the others are
    /// not stored again. Lines are joined where there are cells to keep the ends of pieces in, those of the last columns.
    ///
    /// # Safety
    /// As [`Problem::down`], for whole tile of rows and columns in front of `end`; without cells destination rows begin at
    /// lines, else all cells were written, but in the first turn of i.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
    #[inline(never)]
    unsafe fn stream_columns<const LOAD: u8>(
        dst: *mut u8,
        src: *const u8,
        given: &'a Rows<'a>,
        i: usize,
        end: usize,
        columns: usize,
        cells: &mut [MaybeUninit<__m512i>],
    ) {
        let this = Self::new(dst, src, given);
        let (j, ahead) = (end - Self::SIDE, this.ahead(i));
        // SAFETY: as promised to this function.
        unsafe {
            this.tile::<LOAD>(i, j, |m, piece| {
                this.fetch::<_MM_HINT_T0>(ahead, m, end - columns);
                let Some(column) = (m + columns).checked_sub(Self::SIDE) else { return };
                let to = this.to(i, j + m);
                stream_piece(to, i == 0, cells.get_mut(column), piece);
            });
        }
    }

    /// [`Problem::stream_columns`] of a problem that has no more columns than these.
    ///
    /// # Safety
    /// As there, without a whole tile of columns.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
    #[inline(never)]
    unsafe fn stream_few(
        dst: *mut u8,
        src: *const u8,
        given: &'a Rows<'a>,
        i: usize,
        columns: usize,
        cells: &mut [MaybeUninit<__m512i>],
    ) {
        let this = Self::new(dst, src, given);
        let wanted = first(columns * Self::WIDTH);
        let ahead = this.ahead(i);
        // SAFETY: as promised to this function; masked bytes are not touched.
        unsafe {
            for m in 0..Self::SIDE {
                this.fetch::<_MM_HINT_T0>(ahead, m, 0);
            }
            let load = |k: usize| _mm512_maskz_loadu_epi8(wanted, this.from(i + k, 0).cast());
            whole_tile::<N>(load, |m, piece| {
                if m < columns {
                    let to = this.to(i, m);
                    stream_piece(to, i == 0, cells.get_mut(m), piece);
                }
            });
        }
    }

    /// Short destination rows, one behind the other, which have hardly a whole line each: some of them are made on the stack,
    /// then streamed as what they are together, the next source rows being asked for meanwhile.
    ///
    /// # Safety
    /// As [`Problem::down`]; the destination rows are packed, and shorter than [`PACKED`] lines less one.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
    #[inline(never)] // its stack is its own
    unsafe fn packed(dst: *mut u8, src: *const u8, given: &Rows<'_>, strip: usize) {
        let (count_j, row) = (given.dst.len(), given.src.len() * Self::WIDTH);
        let mut stage = [const { MaybeUninit::<__m512i>::uninit() }; PACKED];
        // Whole tiles, unless fewer columns than one has are left then.
        let fit = ((PACKED - 1) * LINE / row.max(1)).max(1);
        let whole = (fit - fit % Self::SIDE).max(1);
        let even = count_j.div_ceil(count_j.div_ceil(fit).max(1));
        let wide = if even < Self::SIDE || !(1..Self::SIDE).contains(&(count_j % whole)) { whole } else { even };
        // Bytes of the first line on the stack that are there already: in front of all rows, which are another's, or made
        // with the rows before.
        let mut past = dst.addr() & (LINE - 1);
        let mut foreign = first(past);
        let mut begin = 0;
        while begin < count_j {
            let end = (begin + wide).min(count_j);
            let made = stage.as_mut_ptr().cast::<u8>().wrapping_add(past).wrapping_sub(begin * row);
            let from = src.wrapping_add(begin * Self::WIDTH);
            let rows = Rows { dst: given.dst.get(begin..end).unwrap_or(&[]), ..*given };
            let (next, columns) = match end < count_j {
                true => (src.wrapping_add(end * Self::WIDTH), wide.min(count_j - end)),
                false => (src.wrapping_offset(given.next as isize), wide.min(count_j)),
            };
            let mut wanted = given.src.iter().flat_map(|&row| {
                let row = next.wrapping_offset(row as isize);
                let past = row.addr() & (LINE - 1);
                (0..past + columns * Self::WIDTH).step_by(LINE).map(move |at| row.wrapping_add(at))
            });
            let to = dst.wrapping_add(begin * row).wrapping_sub(past).cast::<__m512i>();
            let bytes = past + (end - begin) * row;
            let whole = bytes / LINE;
            past = bytes % LINE;
            // SAFETY: the block's rows lie in the stage, behind what is there already; its lines are lines of the rows.
            unsafe {
                Problem::<N>::across::<HALF>(made, from, &rows, strip);
                let from = stage.as_ptr().cast::<__m512i>();
                for k in 0..whole {
                    if let Some(line) = wanted.next() {
                        ask::<_MM_HINT_T0>(line);
                    }
                    if foreign == 0 {
                        _mm512_stream_si512(to.wrapping_add(k), _mm512_load_si512(from.add(k)));
                    } else {
                        let line = _mm512_maskz_loadu_epi8(!foreign, from.cast());
                        _mm512_mask_storeu_epi8(to.cast(), !foreign, line);
                        foreign = 0;
                    }
                }
                if end == count_j {
                    let ours = first(past) & !foreign;
                    let line = _mm512_maskz_loadu_epi8(ours, from.add(whole).cast());
                    _mm512_mask_storeu_epi8(to.wrapping_add(whole).cast(), ours, line);
                } else {
                    stage.as_mut_ptr().copy_from(stage.as_ptr().add(whole), 1);
                }
            }
            begin = end;
        }
    }

    /// Blocks of some lines of some destination rows, made on the stack and then copied row by row: neither tiles that
    /// lie in one set of the cache nor stores that jump. The next block's lines are asked for meanwhile.
    ///
    /// # Safety
    /// As [`Problem::down`]; if it streams, every destination row begins at a line.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    #[inline(never)] // its stack is its own
    unsafe fn staged<const STREAM: bool>(dst: *mut u8, src: *const u8, given: &'a Rows<'a>) {
        let this = Self::new(dst, src, given);
        let (count_i, count_j) = (this.rows.src.len(), this.rows.dst.len());
        let (whole_i, whole_j) = (count_i - count_i % Self::SIDE, count_j - count_j % Self::SIDE);
        let mut stage = [const { MaybeUninit::<__m512i>::uninit() }; STAGED];
        let deep = Self::DEEP * Self::SIDE;
        let mut begin_j = 0;
        while begin_j < whole_j {
            let end_j = (begin_j + Self::WIDE).min(whole_j);
            let mut begin_i = 0;
            while begin_i < whole_i {
                let end_i = (begin_i + deep).min(whole_i);
                for i in (begin_i..end_i).step_by(Self::SIDE) {
                    for j in (begin_j..end_j).step_by(Self::SIDE) {
                        // SAFETY: as in `down`; row j + m is row j + m − begin_j of the stage, tile i is its line.
                        unsafe {
                            let at = stage.as_mut_ptr().add((j - begin_j) * Self::DEEP + (i - begin_i) / Self::SIDE);
                            this.tile::<WHOLE>(i, j, |m, piece| {
                                (*at.add(m * Self::DEEP)).write(piece);
                            });
                        }
                    }
                }
                let (next_i, next_j, next) = if end_i < whole_i {
                    (end_i, begin_j, 0)
                } else if end_j < whole_j {
                    (0, end_j, 0)
                } else {
                    (0, 0, this.rows.next)
                };
                let from = this.src.wrapping_offset(next as isize).wrapping_add(next_j * Self::WIDTH);
                for j in begin_j..end_j {
                    for k in 0..deep / Self::WIDE {
                        let Some(&row) = this.rows.src.get(next_i + (j - begin_j) * (deep / Self::WIDE) + k) else {
                            break;
                        };
                        for line in 0..Self::WIDE * Self::WIDTH / LINE {
                            ask::<_MM_HINT_T1>(from.wrapping_offset(row as isize).wrapping_add(line * LINE));
                        }
                    }
                    // SAFETY: the block's lines were written; these are elements begin_i … end_i − 1 of the row.
                    unsafe {
                        let to = this.to(begin_i, j).cast::<__m512i>();
                        let from = stage.as_ptr().add((j - begin_j) * Self::DEEP);
                        let put = |k: usize| {
                            let line = (*from.add(k)).assume_init_read();
                            if STREAM {
                                _mm512_stream_si512(to.wrapping_add(k), line);
                            } else {
                                _mm512_storeu_si512(to.wrapping_add(k), line);
                            }
                        };
                        match (end_i - begin_i) / Self::SIDE {
                            lines if lines < Self::DEEP => (0..lines).for_each(put),
                            _ => (0..Self::DEEP).for_each(put), // unrolled
                        }
                    }
                }
                begin_i = end_i;
            }
            begin_j = end_j;
        }
        // SAFETY: as in `down`.
        unsafe {
            if whole_j < count_j {
                for i in (0..whole_i).step_by(Self::SIDE) {
                    this.edge(i, whole_j, Self::SIDE, count_j - whole_j);
                }
            }
            if whole_i < count_i {
                for j in (0..count_j).step_by(Self::SIDE) {
                    this.edge(whole_i, j, count_i - whole_i, (count_j - j).min(Self::SIDE));
                }
            }
        }
    }

    /// [`Problem::along`] for destination rows that begin anywhere: each line is joined from the end of the piece before,
    /// which is kept for every row of the strip, and the begin of this one.
    ///
    /// # Safety
    /// As [`Problem::down`].
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
    #[inline(never)] // its stack is its own
    unsafe fn carried<const HINT: i32>(dst: *mut u8, src: *const u8, given: &'a Rows<'a>) {
        let this = Self::new(dst, src, given);
        let (count_i, count_j) = (this.rows.src.len(), this.rows.dst.len());
        let mut cells = [const { MaybeUninit::<__m512i>::uninit() }; CARRIED];
        let whole_i = count_i - count_i % Self::SIDE;
        // Even strips.
        let strip = count_j.div_ceil(count_j.div_ceil(this.strip(CARRIED, true)).max(1)).next_multiple_of(Self::SIDE);
        let mut begin = 0;
        while begin < count_j {
            let end = (begin + strip).min(count_j);
            let whole_j = end - (end - begin) % Self::SIDE;
            let mut i = 0;
            while i < whole_i {
                let mut j = begin;
                while j < whole_j {
                    let ahead = this.ahead(i);
                    // Sixteen lines are asked for at once, more between the stores.
                    for m in 0..if N >= 4 { Self::SIDE } else { 0 } {
                        // SAFETY: a whole tile row.
                        unsafe { this.fetch::<HINT>(ahead, m, j) };
                    }
                    // SAFETY: as in `down`. Row j + m has the cell j − begin + m, below CARRIED, written in the first
                    // turn of i. The joined line lies inside the row: its first bytes are the end of the piece before.
                    unsafe {
                        this.tile::<HALF>(i, j, |m, piece| {
                            if N < 4 {
                                this.fetch::<HINT>(ahead, m, j);
                            }
                            join(this.to(i, j + m), i == 0, cells.get_unchecked_mut(j - begin + m), piece);
                        });
                    }
                    j += Self::SIDE;
                }
                if j < end {
                    let cells = cells.get_mut(j - begin..end - begin).unwrap_or_default();
                    // SAFETY: as in `down`; the cells of these columns.
                    unsafe {
                        if Self::streams_last(end) {
                            this.stream_last::<HALF>(i, end, end - j, cells);
                        } else {
                            this.edge(i, j, Self::SIDE, end - j);
                        }
                    }
                }
                i += Self::SIDE;
            }
            if whole_i != 0 {
                for j in begin..if Self::streams_last(end) { end } else { whole_j } {
                    // SAFETY: what is left of the last piece, in front of element `whole_i`.
                    unsafe {
                        let to = this.to(whole_i, j);
                        let past = to.addr() & (LINE - 1);
                        let cell = cells.get_unchecked(j - begin).assume_init_read();
                        let index = _mm512_loadu_si512(ASCENDING.as_ptr().add(LINE - past).cast());
                        let rest = _mm512_permutexvar_epi8(index, cell);
                        _mm512_mask_storeu_epi8(to.wrapping_sub(past).cast(), first(past), rest);
                    }
                }
            }
            let mut j = begin;
            while whole_i < count_i && j < end {
                // SAFETY: as in `down`.
                unsafe { this.edge(whole_i, j, count_i - whole_i, (end - j).min(Self::SIDE)) };
                j += Self::SIDE;
            }
            begin = end;
        }
    }
}

/// Streams the line in which a piece of a destination row begins, joined from the end of the piece before and its own begin;
/// of the first piece what lies in its first line.
///
/// # Safety
/// The piece lies at `to`, the one before in front of it; the cell has that, unless this is the first.
#[inline(always)]
unsafe fn join(to: *mut u8, first_piece: bool, cell: &mut MaybeUninit<__m512i>, piece: __m512i) {
    let past = to.addr() & (LINE - 1);
    // SAFETY: as promised to this function.
    unsafe {
        if first_piece {
            _mm512_mask_storeu_epi8(to.cast(), first(LINE - past), piece);
        } else {
            let index = _mm512_loadu_si512(ASCENDING.as_ptr().add(LINE - past).cast());
            let line = _mm512_permutex2var_epi8(cell.assume_init_read(), index, piece);
            _mm512_stream_si512(to.wrapping_sub(past).cast(), line);
        }
    }
    cell.write(piece);
}

/// Streams a line of a destination row: the piece itself where rows begin at lines, else, where there is a cell, as [`join`].
///
/// # Safety
/// As [`join`]; without a cell `to` is the begin of a line.
#[inline(always)]
unsafe fn stream_piece(to: *mut u8, first_piece: bool, cell: Option<&mut MaybeUninit<__m512i>>, piece: __m512i) {
    // SAFETY: as promised to this function.
    unsafe {
        match cell {
            Some(cell) => join(to, first_piece, cell, piece),
            None => _mm512_stream_si512(to.cast(), piece),
        }
    }
}

/// Asks for the line of an address, which need not exist.
#[inline(always)]
fn ask<const HINT: i32>(from: *const u8) {
    // SAFETY: a prefetch never faults.
    unsafe { _mm_prefetch::<HINT>(from.cast()) };
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

/// Bytes from the first row to the second.
#[inline(always)]
fn step(rows: &[i64]) -> i64 {
    rows.get(1).zip(rows.first()).map_or(1, |(b, a)| b.wrapping_sub(*a))
}

/// Lines of a staged block: 32 KiB of the stack.
const STAGED: usize = 512;

/// Lines on the stack for packed rows: 24 KiB.
const PACKED: usize = 384;

/// Bytes from which on packed rows are worth it.
const LEAST_PACKED: usize = 4096;

/// Bytes of a destination row below which nothing is carried, and the same of rows of bytes.
const SHORT_ROW: usize = 640;
const SHORT_ROW_OF_BYTES: usize = 1024;

/// Destination rows whose last piece is carried: 20 KiB of the stack.
const CARRIED: usize = 320;

static ASCENDING: [u8; 2 * LINE] = {
    let (mut table, mut k) = ([0; 2 * LINE], 0);
    while k < 2 * LINE {
        table[k] = k as u8;
        k += 1;
    }
    table
};

/// # Safety
/// As [`Run::Tile`](super::super::Run::Tile); AVX-512 F, BW, DQ, VL and VBMI.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
pub(in super::super) unsafe fn transpose<const N: usize>(dst: *mut u8, src: *const u8, rows: &Rows<'_>) {
    let (count_i, count_j, side) = (rows.src.len(), rows.dst.len(), Problem::<N>::SIDE);
    let problem = Problem::<N>::new(dst, src, rows);
    if count_i.max(count_j) <= side && rows.memory == Memory::Cached {
        // SAFETY: as promised to this function; all there is, which is not more than one tile.
        return unsafe {
            match count_i.min(count_j) == side {
                true if N == 16 => Problem::<N>::down::<HALF>(dst, src, rows),
                true => problem.tile::<WHOLE>(0, 0, |m, piece| _mm512_storeu_si512(problem.to(0, m).cast(), piece)),
                false => problem.edge(0, 0, count_i, count_j),
            }
        };
    }
    let at_lines = src.addr() & (LINE - 1) == 0 && rows.src.iter().take(2).all(|row| row & (LINE as i64 - 1) == 0);
    let longer = rows.dst.len() > rows.src.len();
    // Sixteen rows and the next sixteen do not fit one set of the first level.
    let crowded = N >= 4 && step(rows.src) & 4095 == 0;
    // Destination rows whose lines fall into a few sets of the first level.
    let jumps = step(rows.dst) & 1023 == 0;
    // Of a short destination row too little is whole lines.
    let row = rows.src.len() * (16 / N);
    let short = row < if N == 16 { SHORT_ROW_OF_BYTES } else { SHORT_ROW };
    let packed = || {
        short
            && row * count_j >= LEAST_PACKED
            && (N == 16 || row * side < PACKED * LINE)
            && rows.dst.iter().zip(0..).all(|(&at, j)| at == j * row as i64)
    };
    // 256 bytes of each source row; a tile of wide elements has so few rows that more of each pays.
    let near = if N == 1 { LINE } else { (LINE * N / 4).min(2 * LINE) };
    let strip = || problem.strip(if N < 8 { LINE * N.min(2) } else { 4 * LINE }, false);
    // SAFETY: as promised to this function.
    unsafe {
        match rows.memory {
            Memory::Cached if !at_lines && !jumps => Problem::<N>::across::<HALF>(dst, src, rows, near),
            Memory::Cached if longer && !jumps && N < 16 => Problem::<N>::across::<WHOLE>(dst, src, rows, near),
            Memory::Cached | Memory::Crowded if N == 16 => Problem::<N>::down::<HALF>(dst, src, rows),
            Memory::Cached | Memory::Crowded => Problem::<N>::down::<WHOLE>(dst, src, rows),
            Memory::Fetch if packed() => Problem::<N>::packed(dst, src, rows, near),
            Memory::Fetch if short => Problem::<N>::across::<HALF>(dst, src, rows, near),
            Memory::Fetch if crowded => Problem::<N>::carried::<_MM_HINT_T1>(dst, src, rows),
            Memory::Fetch => Problem::<N>::carried::<_MM_HINT_T0>(dst, src, rows),
            Memory::Stream if at_lines && crowded => Problem::<N>::along::<WHOLE, _MM_HINT_T1>(dst, src, rows, strip()),
            Memory::Stream if at_lines => Problem::<N>::along::<WHOLE, _MM_HINT_T0>(dst, src, rows, strip()),
            Memory::Stream => Problem::<N>::along::<HALF, _MM_HINT_T0>(dst, src, rows, strip()),
            Memory::CrowdedStream if N == 1 => Problem::<N>::along::<WHOLE, _MM_HINT_T0>(dst, src, rows, LINE / 4),
            Memory::CrowdedStream if N == 2 => Problem::<N>::along::<WHOLE, _MM_HINT_T1>(dst, src, rows, near),
            Memory::CrowdedStream => Problem::<N>::along::<WHOLE, _MM_HINT_T1>(dst, src, rows, LINE * N / 16),
            Memory::Staged if N == 1 => Problem::<N>::down::<WHOLE>(dst, src, rows),
            Memory::Staged => Problem::<N>::staged::<false>(dst, src, rows),
            Memory::StagedStream => Problem::<N>::staged::<true>(dst, src, rows),
        }
    }
}
