//! The walk of a transpose: a kernel is called with one matrix after another.
//!
//! The runs of both sides are the rows and columns of a matrix (`row_tables`). A run is cut if it is longer than its
//! table; a matrix is moved in two calls if its rows begin before a line. All other loops go from matrix to matrix.

use super::super::choose::{Choice, LONGEST_ACROSS, LONGEST_PIECE, LONGEST_RUN, SHORT_ROW};
use super::super::kernels::{self, Rows, Store, Transpose};
use super::super::loops::{Loop, iterations};
use super::super::nest::Nest;
use super::super::shortcut::SHORT_RUN;
use super::odometer::{Odometer, for_each_iteration, for_each_place};
use super::row_tables::{RowTable, offsets};
use super::tile_stage::{Change, Tiles, transpose};
use crate::machine::Level;
use core::mem::MaybeUninit;

/// [`run`](super::run) for transposes, from the first elements on, by the stack that their tables take.
///
/// # Safety
/// P1 to P3, of this nest from these pointers on; the CPU has the kernel's level.
#[inline(never)] // keeps its frame off the caller's stack
pub(super) unsafe fn run_matrices(tiles: &Tiles<'_>, choice: &Choice, nest: &Nest<'_>, to: *mut u8, from: *const u8) {
    if choice.chunk != 0 && matches!(tiles.change, Change::Nothing) {
        // SAFETY: P1 to P3.
        return unsafe { run_of_chunks(tiles, choice, nest, to, from) };
    }
    const FEW_ROWS: usize = SHORT_RUN as usize;
    const SRC_ROWS: usize = LONGEST_RUN as usize;
    const DST_ROWS: usize = LONGEST_ACROSS as usize;
    let Some((along_dst, along_src, outer)) = choice.runs(nest.loops) else { return };
    let short = iterations(along_dst).max(iterations(along_src)) <= SHORT_RUN;
    let as_it_is = matches!(tiles.change, Change::Nothing);
    // SAFETY: P1 to P3. (The callees have no more arguments than registers hold, so that this frame is left before they
    // runs.)
    unsafe {
        match store_of(choice) {
            Store::Direct if short && outer.is_empty() && as_it_is => run_few_tiles(tiles, choice, nest, to, from),
            _ if short || choice.small_stack => run_tiles::<FEW_ROWS, FEW_ROWS>(tiles, choice, nest, to, from),
            _ => run_tiles::<SRC_ROWS, DST_ROWS>(tiles, choice, nest, to, from),
        }
    }
}

/// The store of a choice. Whatever the words of a plan say, a small stack has no room for a stage.
fn store_of(choice: &Choice) -> Store {
    if choice.small_stack { Store::Direct } else { choice.store }
}

/// [`run_matrices`] for elements that are chunks, which are built on the stack.
///
/// # Safety
/// As [`run_matrices`].
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn run_of_chunks(tiles: &Tiles<'_>, choice: &Choice, nest: &Nest<'_>, to: *mut u8, from: *const u8) {
    let Some((nest, Some(chunks))) = choice.in_chunks(nest) else { return };
    let (store, from) = (choice.store.on_the_stack(), from.wrapping_offset(-chunks.first as isize));
    let choice = Choice { store, ..*choice };
    // SAFETY: P1 to P3; chunks are elements of the same bytes, which are built on the stack before any is written.
    unsafe { run_matrices(&Tiles { change: Change::Permute(&chunks), ..*tiles }, &choice, &nest, to, from) };
}

/// [`run_matrices`] for one short run on either side.
///
/// # Safety
/// As [`run_matrices`].
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn run_few_tiles(tiles: &Tiles<'_>, choice: &Choice, nest: &Nest<'_>, to: *mut u8, from: *const u8) {
    let Some((along_dst, along_src, _)) = choice.runs(nest.loops) else { return };
    let unset = [const { MaybeUninit::uninit() }; SHORT_RUN as usize];
    let (mut src_table, mut dst_table) = (unset, unset);
    let src = offsets(&mut src_table, along_dst, SHORT_RUN, |l| l.src);
    let dst = offsets(&mut dst_table, along_src, SHORT_RUN, |l| l.dst);
    let rows =
        Rows { store: Store::Direct, strip: choice.columns(), hints: 0, width: nest.width, src, dst, next: [0; 2] };
    // SAFETY: K1 by the caller; K2: no run is empty, and the kernel is one of this width (P3); K3: rows and columns are
    // iterations (P1); K4: the store is `Direct`.
    unsafe { (tiles.run)(to, from, &rows) };
}

/// The elements of this width from an address to the next line; `None` if one straddles it.
fn elements_to_a_line(from: *const u8, width: i64) -> Option<usize> {
    let bytes = from.addr().wrapping_neg() & (kernels::LINE - 1);
    let elements = bytes.checked_div(width as usize)?;
    (elements * width as usize == bytes).then_some(elements)
}

/// [`run_matrices`] with tables of at most SRC and DST rows; cuts runs that are longer.
///
/// # Safety
/// As [`run_matrices`]; all loops of a run but the slowest fit the tables.
#[inline(never)]
unsafe fn run_tiles<const SRC: usize, const DST: usize>(
    tiles: &Tiles<'_>,
    choice: &Choice,
    nest: &Nest<'_>,
    to: *mut u8,
    from: *const u8,
) {
    let (width, Some((along_dst, along_src, outer))) = (nest.width, choice.runs(nest.loops)) else { return };
    let (mut src_table, mut dst_table) =
        ([const { MaybeUninit::uninit() }; SRC], [const { MaybeUninit::uninit() }; DST]);
    // Pieces of destination rows that are streamed, or built on the stack, have the length of the table.
    let (mut store, mut head) = (store_of(choice), 0);
    let src_piece = if store == Store::Direct { LONGEST_PIECE } else { LONGEST_RUN };
    let tables = [
        RowTable::fill(&mut dst_table, along_src, LONGEST_PIECE, width, |l| l.dst),
        RowTable::fill(&mut src_table, along_dst, src_piece, width, |l| l.src),
    ];
    let [dst_rows, src_rows] = &tables;
    let row = src_rows.rows.len() as i64 * width;
    // A wide store that straddles two lines takes the time of two stores, so rows in the caches are cut at a line too.
    let wide = matches!(choice.kernel().level, Level::Avx2 | Level::Avx512)
        && row >= SHORT_ROW
        && width.count_ones() == 1
        && matches!(tiles.change, Change::Nothing)
        && store == Store::Direct;
    if store == Store::Stream || wide {
        // Whole lines need destination rows that are all aligned, or all equally far from a line.
        let unaligned = |offset: i64| offset & 63 != 0;
        let rows = dst_rows.rows.iter().any(|&row| unaligned(row)) || unaligned(dst_rows.step);
        let cut = (src_rows.rows.len() as i64) < src_rows.count && unaligned(row);
        let alike = !(rows || cut || outer.iter().any(|l| unaligned(l.dst)));
        match elements_to_a_line(to, width) {
            Some(elements) if alike && (elements == 0 || row >= SHORT_ROW) => head = elements,
            _ if store == Store::Stream => store = Store::Past,
            _ => {}
        }
    }
    let next = [0, outer.first().map_or(0, |l| l.src)];
    let mut rows = Rows {
        store,
        strip: choice.columns(),
        hints: choice.hints,
        width,
        src: src_rows.rows,
        dst: dst_rows.rows,
        next,
    };
    // SAFETY: P1 to P3; the tables are those of these runs. K4 or `head`, as established above.
    unsafe {
        if src_rows.is_whole() && dst_rows.is_whole() {
            run_whole(tiles, &mut rows, head, outer, to, from);
        } else {
            run_pieces(tiles, &mut rows, head, &tables, outer, to, from);
        }
    }
}

/// [`run_tiles`] where a run is cut into pieces.
///
/// # Safety
/// As [`run_matrices`]; `outer` are the loops around `rows`, and the tables its runs'. K4 or `head`: [`run_matrix`].
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn run_pieces<'a>(
    tiles: &Tiles<'_>,
    rows: &mut Rows<'a>,
    head: usize,
    [dst_rows, src_rows]: &[RowTable<'a>; 2],
    outer: &[Loop],
    to: *mut u8,
    from: *const u8,
) {
    let (width, next_iteration) = (rows.width, rows.next[1]);
    // By offsets: pointers would take more of the stack.
    for_each_iteration(outer, 0, 0, |dst, src| {
        let mut j = 0;
        while let Some(dst_piece) = dst_rows.piece(j) {
            let mut i = 0;
            while let Some(src_piece) = src_rows.piece(i) {
                // In a run of a single loop, all pieces after the head are aligned to lines.
                let (src_piece, head) = match src_rows.unit {
                    1 if i != 0 => (src_piece, 0),
                    1 if head != 0 => (src_piece.get(..head).unwrap_or(src_piece), head),
                    _ => (src_piece, head),
                };
                let (dst, src) = (dst + dst_rows.at(j) + i * width, src + src_rows.at(i) + j * width);
                let (to, from) = (to.wrapping_offset(dst as isize), from.wrapping_offset(src as isize));
                let (past_i, past_j) = (i + src_piece.len() as i64, j + dst_piece.len() as i64);
                let next = if past_i < src_rows.count {
                    src_rows.at(past_i) - src_rows.at(i)
                } else if past_j < dst_rows.count {
                    (past_j - j) * width - src_rows.at(i)
                } else {
                    next_iteration
                };
                (rows.src, rows.dst, rows.next[1]) = (src_piece, dst_piece, next);
                // SAFETY: K1 to K3: pieces of both runs are iterations (P1); K4 or `head`, as in `run_tiles`.
                unsafe { run_matrix(tiles, to, from, rows, head) };
                i = past_i;
            }
            j += dst_piece.len() as i64;
        }
    });
}

/// [`run_tiles`] if each run is one piece. There may be many small matrices, so their rows are set up once.
///
/// # Safety
/// As [`run_matrices`]; `outer` are the loops around `rows`. K4 or `head`: [`run_matrix`].
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn run_whole(tiles: &Tiles<'_>, rows: &mut Rows<'_>, head: usize, outer: &[Loop], to: *mut u8, from: *const u8) {
    let matrix = (rows.src.len() * rows.dst.len()) as i64 * rows.width;
    // SAFETY: K1 to K3 as in `run_matrices`: each place is an iteration (P1). K4 or `head` by the caller.
    unsafe {
        let as_it_is = rows.store == Store::Direct && matches!(tiles.change, Change::Nothing);
        if as_it_is && rows.hints & kernels::hints::FAR != 0 && matrix <= SMALL_MATRIX {
            return run_small(tiles.run, rows, MATRICES_AHEAD / matrix.max(1), outer, to, from);
        }
        for_each_place(outer, to, from, |to, from| run_matrix(tiles, to, from, rows, head));
    }
}

/// One call of a kernel; two if destination rows begin `head` elements before a line: one for these elements and one
/// for the rest.
///
/// # Safety
/// As [`Transpose`], except for K4: the destination rows begin that far before a line.
unsafe fn run_matrix(tiles: &Tiles<'_>, to: *mut u8, from: *const u8, rows: &mut Rows<'_>, head: usize) {
    // SAFETY: K1 to K3 by the caller, and K4 where there is no head.
    unsafe { if head == 0 { transpose(to, from, rows, tiles) } else { run_in_two(tiles, to, from, rows, head) } }
}

/// # Safety
/// K1 to K3.
#[inline(never)] // keeps its locals off the caller's stack
unsafe fn run_in_two(tiles: &Tiles<'_>, to: *mut u8, from: *const u8, rows: &mut Rows<'_>, head: usize) {
    let Rows { store, hints, src: all, .. } = *rows;
    let (first, rest) = all.split_at_checked(head).unwrap_or((all, &[]));
    // SAFETY: K1 to K3: both are parts of the matrix. K4: the first one does not go past the caches, and the second one
    // begins at a line.
    unsafe {
        (rows.store, rows.hints, rows.src) = (Store::Direct, 0, first);
        transpose(to, from, rows, tiles);
        (rows.store, rows.hints, rows.src) = (store, hints, rest);
        if !rest.is_empty() {
            transpose(to.wrapping_add(head * rows.width as usize), from, rows, tiles);
        }
    }
    rows.src = all;
}

/// [`run_whole`] for small matrices that are not in the cache. Each prefetches a later one, `ahead` others between
/// them: the hardware prefetcher does not follow rows of a line or two.
///
/// # Safety
/// As [`run_whole`]; the store is `Direct`.
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn run_small(kernel: Transpose, rows: &mut Rows<'_>, ahead: i64, outer: &[Loop], to: *mut u8, from: *const u8) {
    let mut later = Odometer::new(outer, 0, 0);
    later.begin();
    let mut has_later = (0..=ahead).all(|_| later.advance());
    for_each_iteration(outer, 0, 0, |dst, src| {
        rows.next = if has_later { [later.dst - dst, later.src - src] } else { [0; 2] };
        has_later = has_later && later.advance();
        // SAFETY: K1 to K3 as in `run_whole`; K4: the store is `Direct`.
        unsafe { kernel(to.wrapping_offset(dst as isize), from.wrapping_offset(src as isize), rows) };
    });
}

/// Bytes up to which a matrix is prefetched as a whole.
const SMALL_MATRIX: i64 = 4096;
/// Bytes of matrices between the one that is prefetched and the one that is moved.
const MATRICES_AHEAD: i64 = 4096;
