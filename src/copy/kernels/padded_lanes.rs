//! Transposes in lanes of 16 bytes, of elements whose width is not a power of two. Each is padded to 4, 8 or 16 bytes
//! in the register, transposed like elements of these widths ([`tile`](super::tile)), and packed again.
//!
//! A lane is loaded and stored whole wherever its row goes on that far. Surplus bytes that are loaded are dropped;
//! surplus bytes that are stored lie in the next elements of the same row, which are written afterwards.

use super::tile::{Vector, sixteen, zips};
use super::{LINE, Rows, scalar, table};

/// Byte tables for each width. `[0][k]`: the byte of a run of packed elements from which byte k of a register of padded
/// ones comes. `[1][k]`: the reverse. `[2][k]`: as `[0]`, from a lane that ends with the elements.
pub(super) static PADDED: [[[u8; LINE]; 3]; 17] = table!([[[0; LINE]; 3]; 17], |width| {
    let (width, room) = if width == 0 { (1, 4) } else { (width, width.next_power_of_two()) };
    let room = if room < 4 { 4 } else { room };
    let apart = table!([0; LINE], |k| {
        let inside = if k % room < width { k % room } else { width - 1 };
        (k / room * width + inside) as u8
    });
    let together = table!([0; LINE], |k| (k / width * room + k % width) as u8);
    [apart, together, table!(apart, |k| (16 - 16 / room * width) as u8 + apart[k])]
});

/// Elements of any width.
///
/// # Safety
/// K1–K4 of [`Run`](super::Run), K1 for V, which is one lane.
#[inline(always)]
pub(super) unsafe fn transpose<V: Vector>(dst: *mut u8, src: *const u8, rows: &Rows<'_>) {
    // SAFETY: K1–K3 for the same rows, by the function of their width.
    unsafe {
        match rows.width {
            ..=2 => scalar::transpose_small(dst, src, rows),
            3..=4 => padded::<V, 4>(dst, src, rows),
            5..=8 => padded::<V, 2>(dst, src, rows),
            9..=16 => single::<V>(dst, src, rows),
            _ => scalar::transpose_any(dst, src, rows),
        }
    }
}

/// A transpose with padded elements, `16 / N` bytes each.
#[derive(Clone, Copy)]
struct PaddedMatrix<'a, const N: usize> {
    dst: *mut u8,
    src: *const u8,
    rows: Rows<'a>,
    width: usize,
    /// Elements that a lane reaches into.
    touched: usize,
}

/// [`transpose`] for elements that fit `16 / N` bytes.
///
/// # Safety
/// As [`transpose`].
#[inline(always)]
unsafe fn padded<V: Vector, const N: usize>(dst: *mut u8, src: *const u8, rows: &Rows<'_>) {
    let width = (rows.width as usize).clamp(1, 16 / N);
    let matrix = PaddedMatrix::<N> { dst, src, rows: *rows, width, touched: 16usize.div_ceil(width) };
    let (count_i, count_j) = (rows.src.len(), rows.dst.len());
    // SAFETY: K1; K3: the matrix has N rows and `touched` columns at least, within which all tiles lie.
    unsafe {
        if count_i < N || count_j < matrix.touched {
            return scalar::transpose_small(dst, src, rows);
        }
        // Strips of about a line; the last tile may overlap the one before.
        let last_j = count_j - matrix.touched;
        let side = LINE / 16 * N;
        let mut begin = 0;
        while begin < count_j {
            // The last columns follow all strips.
            let last = begin >= last_j + N;
            let (end, last_j) = if last { (count_j, count_j - N) } else { ((begin + side).min(last_j + N), last_j) };
            matrix.down::<V>(if last { last_j } else { begin }, end, last_j, last);
            begin = end;
        }
    }
}

impl<const N: usize> PaddedMatrix<'_, N> {
    /// All rows of the columns from `begin` to `end`, which are the last ones of all or not. No tile begins after
    /// `last_j`.
    ///
    /// # Safety
    /// As [`PaddedMatrix::tile`].
    #[inline(always)]
    unsafe fn down<V: Vector>(self, begin: usize, end: usize, last_j: usize, last_columns: bool) {
        let count_i = self.rows.src.len();
        let [apart, _, apart_at_end] = PADDED.get(self.width).unwrap_or(&PADDED[0]);
        // The last columns are loaded together with bytes before them.
        let load = if last_columns { (16 - N * self.width, apart_at_end) } else { (0, apart) };
        // First the rows that may be stored in whole lanes, then the last rows, and the first ones if there are too
        // few.
        let whole = if count_i < self.touched { 0 } else { count_i - self.touched + N };
        for i in (0..whole).step_by(N).map(|i| i.min(whole - N)) {
            for j in (begin..end).step_by(N).map(|j| j.min(last_j)) {
                // SAFETY: K1; K3: rows and columns of the matrix; `whole` and `last_j` leave room for a lane after
                // each.
                unsafe { self.tile::<V, false>(i, j, load) };
            }
        }
        for i in [0, count_i - N].into_iter().skip(usize::from(whole != 0)) {
            for j in (begin..end).step_by(N).map(|j| j.min(last_j)) {
                // SAFETY: K1; K3: the same columns, and rows of which only the N elements are stored.
                unsafe { self.tile::<V, true>(i, j, load) };
            }
        }
    }

    /// Rows i … i + N − 1, the last ones of all or not, columns j … j + N − 1. A lane is loaded from `before` bytes
    /// before its elements, and padded by the table `apart`.
    ///
    /// # Safety
    /// As [`transpose`]; these rows and columns are the matrix's, and unless they are the last ones, a lane from each
    /// of them on as well.
    #[inline(always)]
    unsafe fn tile<V: Vector, const LAST_ROWS: bool>(self, i: usize, j: usize, (before, apart): (usize, &[u8; 64])) {
        let Self { dst, src, width, .. } = self;
        let [_, together, _] = PADDED.get(width).unwrap_or(&PADDED[0]);
        // SAFETY: K1; K3: a lane of each row lies in the matrix, or of the last rows N elements.
        unsafe {
            let load = |k: usize| {
                let row = *self.rows.src.get_unchecked(i + k);
                let lane = V::load(src.wrapping_offset(row as isize).wrapping_add(j * width).wrapping_sub(before));
                V::pick(&[lane], apart.as_ptr())
            };
            let out = zips::<V, N>(sixteen!(k => load(k % N)));
            sixteen!(m => if m < N {
                let row = *self.rows.dst.get_unchecked(j + m);
                let to = dst.wrapping_offset(row as isize).wrapping_add(i * width);
                let lane = V::pick(&[out[m]], together.as_ptr());
                if LAST_ROWS { lane.store_first(to, N * width) } else { lane.store(to) }
            });
        }
    }
}

/// [`transpose`] for elements of more than 8 bytes, one in a lane: nothing is permuted.
///
/// # Safety
/// As [`transpose`].
#[inline(always)]
unsafe fn single<V: Vector>(dst: *mut u8, src: *const u8, rows: &Rows<'_>) {
    let width = (rows.width as usize).clamp(1, 16);
    let (Some((_, src_rows)), Some((_, dst_rows))) = (rows.src.split_last(), rows.dst.split_last()) else { return };
    let (fours, left) = dst_rows.as_chunks::<4>();
    let mut from = src;
    for columns in fours {
        // SAFETY: K1; K3: elements that are not the last of their rows, so that a lane from each lies inside.
        unsafe { columns_of::<V, 4>(dst, from, width, src_rows, columns) };
        from = from.wrapping_add(4 * width);
    }
    for column in left.as_chunks::<1>().0 {
        // SAFETY: K1; K3: as for four columns.
        unsafe { columns_of::<V, 1>(dst, from, width, src_rows, column) };
        from = from.wrapping_add(width);
    }
    let below = Rows { src: rows.src.get(src_rows.len()..).unwrap_or(&[]), dst: dst_rows, ..*rows };
    let beside = Rows { dst: rows.dst.get(dst_rows.len()..).unwrap_or(&[]), ..*rows };
    // SAFETY: K2, K3: the last row, and the last column.
    unsafe {
        scalar::transpose_small(dst.wrapping_add(src_rows.len() * width), src, &below);
        scalar::transpose_small(dst, src.wrapping_add(dst_rows.len() * width), &beside);
    }
}

/// The elements of all source rows that go to COLUMNS destination rows, the first ones at `src`.
///
/// # Safety
/// As [`single`]; a lane from each element on lies in its row.
#[inline(always)]
unsafe fn columns_of<V: Vector, const COLUMNS: usize>(
    dst: *mut u8,
    src: *const u8,
    width: usize,
    src_rows: &[i64],
    dst_rows: &[i64; COLUMNS],
) {
    for (i, &row) in src_rows.iter().enumerate() {
        let from = src.wrapping_offset(row as isize);
        for (m, &row) in dst_rows.iter().enumerate() {
            let to = dst.wrapping_offset(row as isize).wrapping_add(i * width);
            // SAFETY: K1; K3: a lane from each element lies in its row.
            unsafe { V::load(from.wrapping_add(m * width)).store(to) };
        }
    }
}
