//! Transposes past the caches, and where the rows of large ones crowd.
//!
//! * Tiles go along the source rows in strips of some lines and ask for the next tile row, line by line between their
//!   stores. Streamed lines do not care where they go, unless their rows lie a large power of two apart: then a strip is
//!   narrower. Where the source rows crowd into few sets of the cache, a strip is one line and the next tile row is asked
//!   for in the second level.
//! * Where a destination row does not begin at a line, the last 64 bytes of each row are carried to the next tile, so that
//!   whole lines can be streamed all the same. Rows too short for that, if they lie one behind the other, are put together
//!   on the stack.
//! * Where the rows of a large matrix crowd, blocks are made on the stack and their rows copied one by one.

use super::super::super::ahead::goes_far;
use super::super::super::register::ASCENDING;
use super::super::super::{LINE, fetch, first, step};
use super::{HALF, Matrix, Rows, WHOLE, whole_tile};
use core::arch::x86_64::*;
use core::mem::MaybeUninit;
use core::sync::atomic::{Ordering, compiler_fence};

/// Lines of a staged block: 32 KiB of the stack, or half of it.
pub(super) const STAGED: usize = 512;
pub(super) const HALF_STAGED: usize = STAGED / 2;

/// Lines on the stack for packed rows: 24 KiB.
pub(super) const PACKED: usize = 384;

/// Bytes from which on packed rows are worth it.
pub(super) const LEAST_PACKED: usize = 4096;

/// Destination rows whose last piece is carried: 20 KiB of the stack.
const CARRIED: usize = 320;

impl<'a, const N: usize> Matrix<'a, N> {
    /// Lines of each destination row in a staged block.
    const fn deep(lines: usize) -> usize {
        if N < 4 || N == 4 && lines == STAGED { 8 } else { 4 }
    }

    /// Columns of a strip that is streamed, at most `most`: destination rows that lines are under way to. Those to rows that lie
    /// some power of two apart, or an odd multiple of it, wait for each other in the memory; those that are joined do so
    /// only where the rows are not far apart. All numbers are measured.
    #[inline(always)]
    pub(super) fn strip(self, most: usize, joined: bool) -> usize {
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
            _ => (0, self.src.wrapping_offset(self.rows.next[1] as isize)),
        }
    }

    /// Asks for column j of row m of the tile row `ahead`; `far`: in the second level.
    ///
    /// # Safety
    /// There is a whole tile row, which has row m.
    #[inline(always)]
    unsafe fn fetch(self, (i, src): (usize, *const u8), m: usize, j: usize, far: bool) {
        // SAFETY: as promised to this function.
        unsafe {
            let row = *self.rows.src.get_unchecked(i + m);
            fetch(src.wrapping_offset(row as isize).wrapping_add(j * Self::WIDTH), far);
        }
    }

    /// Tiles along the source rows in strips of some columns, streamed; every destination row begins at a line.
    ///
    /// # Safety
    /// As [`Matrix::down`].
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    #[inline(never)]
    pub(super) unsafe fn along<const LOAD: u8>(
        dst: *mut u8,
        src: *const u8,
        given: &'a Rows<'a>,
        strip: usize,
        far: bool,
    ) {
        let this = Self::new(dst, src, given);
        let (count_i, count_j) = (this.rows.src.len(), this.rows.dst.len());
        let whole_i = count_i - count_i % Self::SIDE;
        let mut begin = 0;
        while begin < count_j {
            let end = (begin + strip).min(count_j);
            for i in (0..whole_i).step_by(Self::SIDE) {
                let ahead = this.ahead(i);
                let mut j = begin;
                while j < end {
                    let columns = (end - j).min(Self::SIDE);
                    // SAFETY: as in `down`; a whole tile begins at a line of each destination row.
                    unsafe {
                        if columns == Self::SIDE {
                            let put = |far: bool| {
                                move |m: usize, piece: __m512i| {
                                    this.fetch(ahead, m, j, far);
                                    _mm512_stream_si512(this.to(i, j + m).cast(), piece);
                                }
                            };
                            // Where a tile has 64 rows, the question at each of them would cost a tenth.
                            if N == 16 && far {
                                this.tile::<LOAD>(i, j, put(true));
                            } else {
                                this.tile::<LOAD>(i, j, put(far && N < 16));
                            }
                        } else if Self::streams_last(end) {
                            this.stream_last::<LOAD>(i, end, columns, &mut []);
                        } else {
                            this.edge(i, j, Self::SIDE, columns);
                        }
                    }
                    j += Self::SIDE;
                }
            }
            if whole_i < count_i {
                // SAFETY: as in `down`.
                unsafe { this.edge(whole_i, begin, count_i - whole_i, end - begin) };
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
    /// As [`Matrix::stream_columns`], or [`Matrix::stream_few`] where there is no whole tile of columns.
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
    /// As [`Matrix::down`], for a whole tile of rows and columns in front of `end`; without cells destination rows begin at
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
        let (j, ahead, far) = (end - Self::SIDE, this.ahead(i), goes_far(given.hints));
        // SAFETY: as promised to this function.
        unsafe {
            this.tile::<LOAD>(i, j, |m, piece| {
                this.fetch(ahead, m, end - columns, far);
                let Some(column) = (m + columns).checked_sub(Self::SIDE) else { return };
                let to = this.to(i, j + m);
                stream_piece(to, i == 0, cells.get_mut(column), piece);
            });
        }
    }

    /// [`Matrix::stream_columns`] of a matrix that has no more columns than these.
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
                this.fetch(ahead, m, 0, goes_far(given.hints));
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
    /// As [`Matrix::down`]; the destination rows are packed, and shorter than [`PACKED`] lines less one.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
    #[inline(never)] // its stack is its own
    pub(super) unsafe fn packed(dst: *mut u8, src: *const u8, given: &Rows<'_>, strip: usize) {
        let (count_j, row) = (given.dst.len(), given.src.len() * Self::WIDTH);
        let mut stage = [const { MaybeUninit::<__m512i>::uninit() }; PACKED];
        // Whole tiles where one fits, unless fewer columns than one has are left then.
        let fit = ((PACKED - 1) * LINE / row.max(1)).max(1);
        let whole = if fit < Self::SIDE { fit } else { fit - fit % Self::SIDE }.max(1);
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
            let rows = Rows { dst: given.dst.get(begin..end).unwrap_or(&[]), hints: 0, ..*given };
            let (next, columns) = match end < count_j {
                true => (src.wrapping_add(end * Self::WIDTH), wide.min(count_j - end)),
                false => (src.wrapping_offset(given.next[1] as isize), wide.min(count_j)),
            };
            let mut wanted = given.src.iter().flat_map(|&row| {
                let row = next.wrapping_offset(row as isize);
                let past = row.addr() & (LINE - 1);
                (0..past + columns * Self::WIDTH).step_by(LINE).map(move |at| row.wrapping_add(at))
            });
            let to = dst.wrapping_add(begin * row).wrapping_sub(past).cast::<__m512i>();
            let bytes = past + (end - begin) * row;
            debug_assert!(bytes <= PACKED * LINE, "behind the stage");
            let whole = bytes / LINE;
            past = bytes % LINE;
            // SAFETY: the block's rows lie in the stage, behind what is there already; its lines are lines of the rows.
            unsafe {
                Matrix::<N>::across::<HALF>(made, from, &rows, strip);
                let from = stage.as_ptr().cast::<__m512i>();
                for k in 0..whole {
                    if let Some(line) = wanted.next() {
                        fetch(line, goes_far(given.hints));
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
    /// As [`Matrix::down`]; if it streams, every destination row begins at a line.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    #[inline(never)] // its stack is its own
    pub(super) unsafe fn staged<const LINES: usize>(dst: *mut u8, src: *const u8, given: &'a Rows<'a>, stream: bool) {
        let this = Self::new(dst, src, given);
        let (count_i, count_j) = (this.rows.src.len(), this.rows.dst.len());
        let (whole_i, whole_j) = (count_i - count_i % Self::SIDE, count_j - count_j % Self::SIDE);
        let mut stage = [const { MaybeUninit::<__m512i>::uninit() }; LINES];
        let each = const { Self::deep(LINES) };
        let (deep, wide) = (each * Self::SIDE, LINES / each);
        let mut begin_j = 0;
        while begin_j < whole_j {
            let end_j = (begin_j + wide).min(whole_j);
            let mut begin_i = 0;
            while begin_i < whole_i {
                let end_i = (begin_i + deep).min(whole_i);
                for i in (begin_i..end_i).step_by(Self::SIDE) {
                    for j in (begin_j..end_j).step_by(Self::SIDE) {
                        // SAFETY: as in `down`; row j + m is row j + m − begin_j of the stage, tile i is its line.
                        unsafe {
                            let at = stage.as_mut_ptr().add((j - begin_j) * each + (i - begin_i) / Self::SIDE);
                            this.tile::<WHOLE>(i, j, |m, piece| {
                                (*at.add(m * each)).write(piece);
                            });
                        }
                    }
                }
                let (next_i, next_j, next) = if end_i < whole_i {
                    (end_i, begin_j, 0)
                } else if end_j < whole_j {
                    (0, end_j, 0)
                } else {
                    (0, 0, this.rows.next[1])
                };
                let from = this.src.wrapping_offset(next as isize).wrapping_add(next_j * Self::WIDTH);
                for j in begin_j..end_j {
                    for k in 0..deep / wide {
                        let Some(&row) = this.rows.src.get(next_i + (j - begin_j) * (deep / wide) + k) else {
                            break;
                        };
                        for line in 0..wide * Self::WIDTH / LINE {
                            fetch(from.wrapping_offset(row as isize).wrapping_add(line * LINE), true);
                        }
                    }
                    // SAFETY: the block's lines were written; these are elements begin_i … end_i − 1 of the row.
                    unsafe {
                        let to = this.to(begin_i, j).cast::<__m512i>();
                        let from = stage.as_ptr().add((j - begin_j) * each);
                        let put = |k: usize| {
                            let line = (*from.add(k)).assume_init_read();
                            if stream {
                                _mm512_stream_si512(to.wrapping_add(k), line);
                            } else {
                                _mm512_storeu_si512(to.wrapping_add(k), line);
                            }
                            // Upward: the compiler would turn the order round, and it takes twice the time (Emerald Rapids).
                            compiler_fence(Ordering::Release);
                        };
                        match (end_i - begin_i) / Self::SIDE {
                            lines if lines < each => (0..lines).for_each(put),
                            _ => (0..each).for_each(put), // unrolled
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
                this.edge(whole_i, 0, count_i - whole_i, count_j);
            }
        }
    }

    /// [`Matrix::along`] for destination rows that begin anywhere: each line is joined from the end of the piece before,
    /// which is kept for every row of the strip, and the begin of this one.
    ///
    /// # Safety
    /// As [`Matrix::down`].
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
    #[inline(never)] // its stack is its own
    pub(super) unsafe fn carried(dst: *mut u8, src: *const u8, given: &'a Rows<'a>, far: bool) {
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
                        unsafe { this.fetch(ahead, m, j, far) };
                    }
                    // SAFETY: as in `down`. Row j + m has the cell j − begin + m, below CARRIED, written in the first
                    // turn of i. The joined line lies inside the row: its first bytes are the end of the piece before.
                    unsafe {
                        this.tile::<HALF>(i, j, |m, piece| {
                            if N < 4 {
                                this.fetch(ahead, m, j, far);
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
            if whole_i < count_i {
                // SAFETY: as in `down`.
                unsafe { this.edge(whole_i, begin, count_i - whole_i, end - begin) };
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
