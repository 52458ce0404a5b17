//! Transposes in lanes of 16 bytes, of elements whose width is no power of two: each is padded to 4, 8 or 16 bytes in the
//! register, transposed like those (`tile`), and joined again.
//!
//! A lane is loaded and stored whole, wherever its row goes on so far. What is loaded too much is dropped; what is stored
//! too much lies in the next elements of the same row, which are written afterwards.

use super::tile::{Vector, sixteen, zips};
use super::{LINE, Rows, scalar};

/// For each width: byte k of a register of padded elements comes from byte `[0][k]` of a run of them, and the other way
/// round `[1][k]`.
pub(super) static PADDED: [[[u8; LINE]; 2]; 17] = {
    let (mut tables, mut width) = ([[[0; LINE]; 2]; 17], 1);
    while width < tables.len() {
        let room = width.next_power_of_two();
        let room = if room < 4 { 4 } else { room };
        let mut k = 0;
        while k < LINE {
            let inside = if k % room < width { k % room } else { width - 1 };
            tables[width][0][k] = (k / room * width + inside) as u8;
            tables[width][1][k] = (k / width * room + k % width) as u8;
            k += 1;
        }
        width += 1;
    }
    tables
};

/// Elements of any width.
///
/// # Safety
/// As [`Run::Tile`](super::Run::Tile); the CPU has the instruction set of V, which is one lane.
#[inline(always)]
pub(super) unsafe fn transpose<V: Vector>(dst: *mut u8, src: *const u8, rows: &Rows<'_>) {
    // SAFETY: as promised to this function.
    unsafe {
        match rows.width {
            ..=4 => padded::<V, 4>(dst, src, rows),
            5..=8 => padded::<V, 2>(dst, src, rows),
            9..=16 => single::<V>(dst, src, rows),
            _ => scalar::transpose_any(dst, src, rows),
        }
    }
}

/// How many elements of a run, in groups of N, go on for a lane from where they begin; N elements are a lane's at most.
#[inline(always)]
fn in_lanes<const N: usize>(count: usize, width: usize) -> usize {
    (count + N).saturating_sub(16usize.div_ceil(width)) / N * N
}

/// [`transpose`] for elements that fit `16 / N` bytes.
///
/// # Safety
/// As there.
#[inline(always)]
unsafe fn padded<V: Vector, const N: usize>(dst: *mut u8, src: *const u8, rows: &Rows<'_>) {
    let width = (rows.width as usize).clamp(1, 16 / N);
    let [apart, together] = PADDED.get(width).unwrap_or(&PADDED[0]);
    let (whole_i, whole_j) = (in_lanes::<N>(rows.src.len(), width), in_lanes::<N>(rows.dst.len(), width));
    // Strips of about a line.
    let side = LINE / 16 * N;
    for begin in (0..whole_j).step_by(side) {
        let end = (begin + side).min(whole_j);
        for i in (0..whole_i).step_by(N) {
            for j in (begin..end).step_by(N) {
                // SAFETY: N rows and columns of the problem, which go on for a lane.
                unsafe {
                    let load = |k: usize| {
                        let row = *rows.src.get_unchecked(i + k);
                        let lane = V::load(src.wrapping_offset(row as isize).wrapping_add(j * width));
                        V::pick(&[lane], apart.as_ptr())
                    };
                    let out = zips::<V, N>(sixteen!(k => load(k % N)));
                    sixteen!(m => if m < N {
                        let row = *rows.dst.get_unchecked(j + m);
                        let to = dst.wrapping_offset(row as isize).wrapping_add(i * width);
                        V::pick(&[out[m]], together.as_ptr()).store(to);
                    });
                }
            }
        }
    }
    // SAFETY: as promised to this function.
    unsafe { rest(dst, src, rows, width, whole_i, whole_j) };
}

/// [`transpose`] for elements of more than 8 bytes, one in a lane: nothing changes its place.
///
/// # Safety
/// As there.
#[inline(always)]
unsafe fn single<V: Vector>(dst: *mut u8, src: *const u8, rows: &Rows<'_>) {
    const COLUMNS: usize = 4;
    let width = (rows.width as usize).clamp(1, 16);
    let (whole_i, whole_j) = (in_lanes::<1>(rows.src.len(), width), in_lanes::<1>(rows.dst.len(), width));
    let whole_j = whole_j - whole_j % COLUMNS;
    for (strip, columns) in rows.dst.get(..whole_j).unwrap_or(&[]).chunks_exact(COLUMNS).enumerate() {
        for (i, &row) in rows.src.get(..whole_i).unwrap_or(&[]).iter().enumerate() {
            let from = src.wrapping_offset(row as isize).wrapping_add(strip * COLUMNS * width);
            for (m, &row) in columns.iter().enumerate() {
                let to = dst.wrapping_offset(row as isize).wrapping_add(i * width);
                // SAFETY: an element of the problem, whose rows go on for a lane.
                unsafe { V::load(from.wrapping_add(m * width)).store(to) };
            }
        }
    }
    // SAFETY: as promised to this function.
    unsafe { rest(dst, src, rows, width, whole_i, whole_j) };
}

/// What is left of the rows, and of the columns.
///
/// # Safety
/// As [`transpose`].
unsafe fn rest(dst: *mut u8, src: *const u8, rows: &Rows<'_>, width: usize, whole_i: usize, whole_j: usize) {
    let below =
        Rows { src: rows.src.get(whole_i..).unwrap_or(&[]), dst: rows.dst.get(..whole_j).unwrap_or(&[]), ..*rows };
    let beside = Rows { dst: rows.dst.get(whole_j..).unwrap_or(&[]), ..*rows };
    // SAFETY: rows and columns of the problem.
    unsafe {
        scalar::transpose_small(dst.wrapping_add(whole_i * width), src, &below);
        scalar::transpose_small(dst, src.wrapping_add(whole_j * width), &beside);
    }
}
