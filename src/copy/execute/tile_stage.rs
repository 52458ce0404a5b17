//! Stages of a transpose: tiles build up to 64 rows on the stack, which are then written as lines of the destination.
//!
//! ```text
//! source -> tiles -> | waiting | piece of row 0 . . . | waiting | piece of row 1 . . . | -> writer -> destination
//! ```
//!
//! Elements may change on the way ([`Change`]): chunks are permuted as they leave the stage, numbers are converted
//! before the tiles read them. While a stage is written, the source of the next one is prefetched.

use super::super::kernels::{
    self, Chunks, LINE, Permutation, RowPiece, Rows, Store, Transpose, WIDEST_ELEMENT, Write, hints, prefetch,
};
use super::converter::{Converter, MOST_DEEP};
use super::stage::Lines;
use crate::machine::Level;
use core::array::from_fn;
use core::mem::MaybeUninit;

/// Bytes of each source row that are read for a stage: so many rows of the destination, but at most `MOST_ROWS`.
const ACROSS: usize = 256;
const MOST_ROWS: usize = 64;
/// Lines of a row on the stack.
const MOST_LINES: usize = 8;
/// Lines of a stage: those of the rows, and one before each row, which waits.
const TILE_STAGE: usize = 5 * MOST_ROWS;

/// The change of a transpose's elements as they leave the stack.
#[derive(Clone, Copy)]
pub enum Change<'a> {
    Nothing,
    /// They are chunks, whose bytes are permuted.
    Permute(&'a Chunks<'a>),
    /// They are numbers of another dtype, which are converted before they are transposed. Places of the destination are
    /// those of elements as wide as the source's; the kernel is one for the destination's.
    Convert(&'a Converter<'a>),
}

/// A kernel of transposes, the writer of its instruction set, and the change of the elements.
#[derive(Clone, Copy)]
pub struct Tiles<'a> {
    pub run: Transpose,
    pub write: Write,
    pub change: Change<'a>,
}

impl<'a> Tiles<'a> {
    /// A kernel with the writer of this instruction set.
    pub fn new(run: Transpose, level: Level, change: Change<'a>) -> Self {
        Self { run, write: kernels::writer(level).0, change }
    }
}

/// Runs a kernel that transposes by tiles, as it is or stage by stage. (Neither has the other's stack beside its own.)
/// Stages are for elements that fill lines, which have a power of two of bytes, at most [`WIDEST_ELEMENT`]; and for
/// elements that change.
///
/// # Safety
/// K1 to K4, as [`Run::Tile`](super::super::kernels::Run::Tile); a kernel of converted numbers has their width.
#[inline(always)]
pub unsafe fn transpose(dst: *mut u8, src: *const u8, rows: &Rows<'_>, tiles: &Tiles<'_>) {
    let fills_lines = rows.width.count_ones() == 1 && rows.width <= WIDEST_ELEMENT;
    // SAFETY: K1 to K4 by the caller; `shape` gives room.
    unsafe {
        match (rows.store, tiles.change) {
            (_, Change::Permute(_) | Change::Convert(_)) => changed(dst, src, rows, tiles),
            (Store::Past | Store::Staged, _) if fills_lines => by_stages(tiles, dst, src, rows, None),
            _ => (tiles.run)(dst, src, rows),
        }
    }
}

/// [`transpose`] for elements that change.
///
/// # Safety
/// K1 to K4.
#[inline(never)] // once for all callers
unsafe fn changed(dst: *mut u8, src: *const u8, rows: &Rows<'_>, tiles: &Tiles<'_>) {
    // SAFETY: K1 to K4 by the caller; `shape` gives room.
    unsafe {
        match tiles.change {
            Change::Permute(elements) => permuted(dst, src, rows, elements, tiles),
            Change::Convert(convert) if rows.store == Store::Direct => converted(dst, src, rows, convert, tiles),
            _ => by_stages(tiles, dst, src, rows, None),
        }
    }
}

/// Permutes the elements of pieces of rows.
struct Permuted<'a> {
    elements: &'a Chunks<'a>,
    /// For `count` elements in a row, and for the rest at the end of a row.
    count: usize,
    full: Option<Permutation>,
    rest: Option<Permutation>,
    /// A finished piece of a row, and the line before it.
    row: Lines<{ 1 + MOST_LINES }>,
}

/// [`transpose`] for chunks, whose bytes are permuted as they leave the stack.
///
/// # Safety
/// K1 to K4.
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn permuted(dst: *mut u8, src: *const u8, rows: &Rows<'_>, elements: &Chunks<'_>, tiles: &Tiles<'_>) {
    let [_, _, count] = shape(rows, rows.store == Store::Staged, None);
    let rest = rows.src.len().checked_rem(count).unwrap_or(0);
    let full = elements.in_row(count);
    let rest = if rest == 0 { None } else { elements.in_row(rest) };
    let mut permuted = Permuted { elements, count, full, rest, row: Lines(MaybeUninit::uninit()) };
    // SAFETY: K1 to K4 by the caller; `shape` gives rows of so many elements room.
    unsafe { by_stages(tiles, dst, src, rows, Some(&mut permuted)) };
}

/// [`transpose`] for numbers that are converted to the stack, and transposed from there into the destination.
///
/// # Safety
/// K1 to K4.
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn converted(dst: *mut u8, src: *const u8, rows: &Rows<'_>, convert: &Converter<'_>, tiles: &Tiles<'_>) {
    let width = rows.width as usize;
    let [wide, ..] = shape(rows, false, Some(convert));
    let deep = (TILE_STAGE * LINE / wide).checked_div(convert.bytes(width)).unwrap_or(1).clamp(1, MOST_DEEP);
    let mut numbers = Lines::<TILE_STAGE>(MaybeUninit::uninit());
    let numbers = numbers.0.as_mut_ptr().cast::<u8>();
    for (dst_rows, j) in rows.dst.chunks(wide).zip((0..).step_by(wide)) {
        for (src_rows, i) in rows.src.chunks(deep).zip((0..).step_by(deep)) {
            let mut places = [0i64; MOST_ROWS];
            let to = dst.wrapping_add(i * width);
            for (place, row) in places.iter_mut().zip(dst_rows) {
                *place = convert.place(to.wrapping_offset(*row as isize)).addr().wrapping_sub(dst.addr()) as i64;
            }
            let places = places.get(..dst_rows.len()).unwrap_or(&[]);
            let staged = Rows { hints: 0, src: src_rows, dst: places, next: [0; 2], ..*rows };
            // SAFETY: K1 to K3: these are parts of the matrix, and `wide` · `deep` numbers have room. K4: `Direct`.
            unsafe { convert.transpose(tiles.run, dst, numbers, src.wrapping_add(j * width), &staged) };
        }
    }
}

impl Permuted<'_> {
    /// Permutes the elements of a piece that was built into its place. If they go past the caches, it permutes them
    /// into a row of the stack, which is then written together with the waiting line.
    ///
    /// # Safety
    /// K1 to K3, as [`Write`].
    unsafe fn write(&mut self, to: *mut u8, made: *mut u8, count: usize, (write, piece): (Write, &RowPiece)) {
        let Some(permutation) = (if count == self.count { &self.full } else { &self.rest }) else { return };
        let (run, from) = (self.elements.run, made.wrapping_add(self.elements.first as usize));
        let row = self.row.0.as_mut_ptr().cast::<u8>().wrapping_add(LINE);
        // SAFETY: K1 and K2: the permutation is of this kernel, for so many elements; K3: the piece was built at
        // `made`, after a line that waits, and has room in the row.
        unsafe {
            if !piece.past {
                return run(to, from, permutation);
            }
            run(row, from, permutation);
            // The line that waits is before the piece.
            if !piece.first {
                made.wrapping_sub(LINE).copy_to(row.wrapping_sub(LINE), LINE);
            }
            write(to, row, piece);
            if !piece.last {
                row.wrapping_sub(LINE).copy_to(made.wrapping_sub(LINE), LINE);
            }
        }
    }
}

/// Rows of a stage, lines of each, and elements of each; none of them is 0. `few` rows, and longer ones, where a call
/// for each costs more.
#[inline(always)] // so that callers see that none is 0
fn shape(rows: &Rows<'_>, few: bool, convert: Option<&Converter<'_>>) -> [usize; 3] {
    let width = rows.width as usize;
    let most = if few { MOST_ROWS / 2 } else { MOST_ROWS };
    let wide = ACROSS.checked_div(width).unwrap_or(1).min(most).max(1);
    // Converted numbers take as many lines again.
    let [width, sides] = convert.map_or([width, 1], |convert| [convert.bytes(width), 2]);
    let lines = (TILE_STAGE.checked_div(wide).unwrap_or(2).saturating_sub(1) / sides).clamp(1, MOST_LINES);
    let deep = (lines * LINE).checked_div(width).unwrap_or(1);
    [wide, lines, if convert.is_some() { deep.min(MOST_DEEP) } else { deep }.max(1)]
}

/// [`transpose`] by stages on the stack, a waiting line before each row among them. While a stage is written, the
/// source of the next one is prefetched into L2: the stage fills L1.
///
/// # Safety
/// K1 to K4; there is room.
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn by_stages(
    &Tiles { run, write, change }: &Tiles<'_>,
    dst: *mut u8,
    src: *const u8,
    rows: &Rows<'_>,
    mut permuted: Option<&mut Permuted<'_>>,
) {
    let convert = if let Change::Convert(convert) = change { Some(convert) } else { None };
    let width = rows.width as usize;
    // Permutations that are streamed gain by more of each source row.
    let [wide, lines, deep] = shape(rows, permuted.is_some() && rows.store == Store::Staged, convert);
    let mut made = Lines::<TILE_STAGE>(MaybeUninit::uninit());
    let made = made.0.as_mut_ptr().cast::<u8>().wrapping_add(LINE);
    let numbers = made.wrapping_add((wide * (1 + lines) - 1) * LINE); // those that are converted
    let places: [i64; MOST_ROWS] = from_fn(|k| (k * (1 + lines) * LINE) as i64);
    let (count_i, past) = (rows.src.len(), rows.store == Store::Past && rows.width.count_ones() == 1);
    let prefetches = past || permuted.is_none() && rows.hints & hints::FAR != 0;
    let mut begin_j = 0;
    for dst_rows in rows.dst.chunks(wide) {
        let end_j = begin_j + dst_rows.len();
        let from = src.wrapping_add(begin_j * width);
        let places = places.get(..dst_rows.len()).unwrap_or(&[]);
        let mut begin_i = 0;
        for src_rows in rows.src.chunks(deep) {
            let end_i = begin_i + src_rows.len();
            let staged = Rows { store: Store::Direct, hints: 0, src: src_rows, dst: places, next: [0; 2], ..*rows };
            // SAFETY: K1 and K2 by the caller; K3: these are parts of the matrix, and the stage has room; K4: `Direct`.
            unsafe {
                match convert {
                    Some(convert) => convert.transpose(run, made, numbers, from, &staged),
                    None => run(made, from, &staged),
                }
            }
            let (next_i, next) = match (end_i < count_i, end_j < rows.dst.len()) {
                (true, _) => (end_i, from),
                (_, true) => (0, src.wrapping_add(end_j * width)),
                _ => (0, src.wrapping_offset(rows.next[1] as isize)),
            };
            let mut later = rows.src.iter().skip(if prefetches { next_i } else { count_i });
            let (bytes, first, last) = (src_rows.len() * width, begin_i == 0, end_i == count_i);
            let bytes = convert.map_or(bytes, |convert| convert.bytes(bytes));
            let piece = RowPiece { bytes, first, last, past };
            for (&place, &row) in places.iter().zip(dst_rows) {
                for &row in later.by_ref().take(deep.div_ceil(wide)) {
                    let row = next.wrapping_offset(row as isize);
                    let before = row.addr() % LINE;
                    prefetch(row.wrapping_sub(before), before + wide * width, true);
                }
                let to = dst.wrapping_offset(row as isize).wrapping_add(begin_i * width);
                let to = convert.map_or(to, |convert| convert.place(to));
                let made = made.wrapping_add(place as usize);
                // SAFETY: K1, K2; K3: a piece of a row of the matrix, lines or the last (`shape`), and what waits.
                unsafe {
                    match &mut permuted {
                        Some(permuted) => permuted.write(to, made, src_rows.len(), (write, &piece)),
                        None => write(to, made, &piece),
                    }
                }
            }
            begin_i = end_i;
        }
        begin_j = end_j;
    }
}
