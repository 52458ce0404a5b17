//! Channels and transposes by way of the stack.
//!
//! Planes and rows are rarely all aligned to lines, and a tile writes a few bytes of many rows. So a kernel makes
//! pieces of the rows on the stack, each aligned to lines. The pieces are then written one by one, as lines of the
//! destination: by non-temporal stores, or by ordinary ones where rows only conflict in the cache. A rest that is no
//! whole line of the destination stays in front of the next piece. Meanwhile the source of a later piece is prefetched.
//!
//! ```text
//! stack         | the end of the piece before | a piece, whole lines . . . . |
//! destination            | line . . . . . . . . . . . . . . . . . . |
//! ```

use super::ahead::ask;
use super::hints::{FAR, SECOND};
use super::register::Register;
use super::rows::{begin, lines, part_of_line};
use super::{Block, Blocks, LINE, Loop, Memory, OfLoops, Permutation, Rows, Transpose, WIDEST_ELEMENT};
use core::mem::MaybeUninit;

/// Minimum bytes of a channel for which this pays.
pub(super) const LEAST: usize = 256;
/// Bytes of a channel that are built at a time.
const PIECE: usize = 512;
/// Pieces from the one that is built to the one that is prefetched.
const AHEAD: i64 = 4;
/// Room for four channels, and a line before each.
const ROOM: usize = 4 * (LINE + PIECE);
/// The pieces lie within a page: a store that straddles two takes about 100 ns (Zen 4, RGB to planes at any alignment:
/// 0.2 to 0.6 of memcpy with such stores, 0.3 to 1.5 without).
const PAGE: usize = 4096;

/// A piece of a row of the destination, and where in the row it is. The end that fills no line waits for the next
/// piece, except in the last one.
pub(super) struct Piece {
    /// A multiple of a line, except in the last piece.
    bytes: usize,
    first: bool,
    last: bool,
    streams: bool,
}

/// [`pass`] of an instruction set: its stores are as wide as the kernel's registers (Zen 4, 25 MB of RGB: 1.5 of memcpy
/// by 32 bytes, 1.3 by 16).
pub(super) type Pass = unsafe fn(to: *mut u8, made: *const u8, piece: &Piece);

/// Writes the lines of the destination that a piece completes. It was built at `made` and goes to `to`.
///
/// # Safety
/// As [`Run`](super::Run) for the piece. `made` is at a line of the stack, with the line that waits before it, which
/// may be written. The CPU has the instruction set of R.
#[inline(always)]
pub(super) unsafe fn pass<R: Register>(to: *mut u8, made: *const u8, piece: &Piece) {
    let Piece { bytes, first, last, streams } = *piece;
    let past = to.addr() % LINE;
    // From the line on in which the piece begins.
    let (to, from, end) = (to.wrapping_sub(past), made.wrapping_sub(past), past + bytes);
    // SAFETY: as promised to this function.
    unsafe {
        let mut at = 0;
        if first && past != 0 {
            at = LINE.min(end);
            part_of_line::<R>(to.wrapping_add(past), made, at - past);
        }
        let (whole, rest) = ((end - at) / LINE, (end - at) % LINE);
        if streams {
            lines::<R, true>(to.wrapping_add(at), from.wrapping_add(at), whole);
        } else {
            lines::<R, false>(to.wrapping_add(at), from.wrapping_add(at), whole);
        }
        if last {
            at += whole * LINE;
            part_of_line::<R>(to.wrapping_add(at), from.wrapping_add(at), rest);
        } else if rest != 0 {
            lines::<R, false>(made.wrapping_sub(LINE).cast_mut(), made.wrapping_add(bytes - LINE), 1);
        }
    }
}

#[repr(align(64))]
struct Pieces(MaybeUninit<[u8; 2 * ROOM]>);
const _: () = assert!(ROOM <= PAGE);

/// Runs a kernel of two to four channels piece by piece. `pixels` and `channels` are the block's first two loops; the
/// third one walks images.
///
/// # Safety
/// As [`Run::Block`](super::Run::Block); the width is a power of two.
#[inline(never)]
pub(super) unsafe fn staged(
    (run, pass): (OfLoops, Pass),
    dst: *mut u8,
    src: *const u8,
    block: &Block,
    [pixels, channels]: [Loop; 2],
) {
    const PITCH: usize = LINE + PIECE;
    let (width, images) = (block.width, block.c);
    let apart = pixels.dst == width;
    let runs = if apart { channels.count as usize } else { 1 };
    let made_channels = if apart { Loop { dst: PITCH as i64, ..channels } } else { channels };
    let most = (PIECE as i64 / width.max(1)).max(1);
    let in_image = (pixels.count / most + i64::from(pixels.count % most != 0)).max(1);
    let mut pieces = Pieces(MaybeUninit::uninit());
    let pieces = pieces.0.as_mut_ptr().cast::<u8>();
    let left = PAGE - pieces.addr() % PAGE;
    let made = if left < ROOM { pieces.wrapping_add(left) } else { pieces }.wrapping_add(LINE);
    // Image and piece that are prefetched.
    let (mut later_image, mut later) = (AHEAD / in_image, AHEAD % in_image);
    for image in 0..images.count {
        let (dst, image_src) = begin(dst, src, images, image);
        for k in 0..in_image {
            let (to, from) = begin(dst, image_src, pixels, k * most);
            let part = Loop { count: most.min(pixels.count - k * most), ..pixels };
            let (a, b) = if apart { (part, made_channels) } else { (made_channels, part) };
            let ahead = (later_image - image).wrapping_mul(images.src).wrapping_add((later - k) * most * pixels.src);
            let c = Loop { src: if later_image < images.count { ahead } else { 0 }, ..Loop::ONCE };
            let block = Block { memory: Memory::Cached, hints: block.hints & SECOND, width, a, b, c };
            // SAFETY: pixels of the image, for which there is room.
            unsafe { run(made, from, &block) };
            later += 1;
            if later == in_image {
                (later_image, later) = (later_image + 1, 0);
            }
            let bytes = (part.count * part.dst) as usize;
            let piece = Piece { bytes, first: k == 0, last: k + 1 == in_image, streams: true };
            for r in 0..runs {
                let to = to.wrapping_offset((r as i64).wrapping_mul(channels.dst) as isize);
                // SAFETY: what was built now, and what waited.
                unsafe { pass(to, made.wrapping_add(r * PITCH), &piece) };
            }
        }
    }
}

/// Bytes of each source row that are read for a block: that many rows of the destination, but at most `MOST_ROWS`.
const ACROSS: usize = 256;
const MOST_ROWS: usize = 64;
/// Lines of a row on the stack.
const MOST_LINES: usize = 8;
/// Lines on the stack for a block: of the rows, and one before each that waits.
const ROOM_OF_BLOCK: usize = 5 * MOST_ROWS;

/// Runs a kernel that transposes by tiles, as it is or block by block. (Neither has the other's stack beside its own.)
/// Blocks are for elements of a power of two of bytes, at most [`WIDEST_ELEMENT`], which fill lines; and for elements
/// that are permuted.
///
/// # Safety
/// As [`Run::Tile`](super::Run::Tile).
#[inline(always)]
pub(super) unsafe fn transpose(dst: *mut u8, src: *const u8, rows: &Rows<'_>, run: Transpose, pass: Pass) {
    // SAFETY: as promised to this function.
    unsafe {
        match (rows.memory, rows.blocks) {
            (_, Some(elements)) => permuted(dst, src, rows, elements, (run, pass)),
            (Memory::Cached | Memory::Stream, _) => run(dst, src, rows),
            _ if rows.width.count_ones() != 1 || rows.width > WIDEST_ELEMENT => run(dst, src, rows),
            _ => blocks((run, pass), dst, src, rows, None),
        }
    }
}

/// Permutes the elements of pieces of rows.
struct Permuted<'a> {
    elements: &'a Blocks<'a>,
    /// For `count` elements in a row, and for the rest at the end of a row.
    count: usize,
    full: Option<Permutation>,
    rest: Option<Permutation>,
    /// A finished piece of a row, and the line before it.
    row: Row,
}

#[repr(align(64))]
struct Row(MaybeUninit<[[u8; LINE]; 1 + MOST_LINES]>);

/// [`transpose`] for elements that are blocks, whose bytes are permuted as they leave the stack.
///
/// # Safety
/// As there.
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn permuted(dst: *mut u8, src: *const u8, rows: &Rows<'_>, elements: &Blocks<'_>, kernels: (Transpose, Pass)) {
    let [_, _, count] = shape(rows);
    let rest = rows.src.len().checked_rem(count).unwrap_or(0);
    let full = elements.in_row(count);
    let rest = if rest == 0 { None } else { elements.in_row(rest) };
    let mut permuted = Permuted { elements, count, full, rest, row: Row(MaybeUninit::uninit()) };
    // SAFETY: as promised to this function.
    unsafe { blocks(kernels, dst, src, rows, Some(&mut permuted)) };
}

impl Permuted<'_> {
    /// Permutes the elements of a piece that was built into its place. If it is streamed, permutes them into a row of
    /// the stack, which [`pass`] then writes together with the waiting line.
    ///
    /// # Safety
    /// As [`pass`].
    unsafe fn pass(&mut self, to: *mut u8, made: *const u8, count: usize, (pass, piece): (Pass, &Piece)) {
        let Some(permutation) = (if count == self.count { &self.full } else { &self.rest }) else { return };
        let (run, from) = (self.elements.run, made.wrapping_add(self.elements.first as usize));
        let row = self.row.0.as_mut_ptr().cast::<u8>().wrapping_add(LINE);
        // SAFETY: as promised to this function; a piece has room in the row.
        unsafe {
            if !piece.streams {
                return run(to, from, permutation);
            }
            run(row, from, permutation);
            if !piece.first {
                made.wrapping_sub(LINE).copy_to(row.wrapping_sub(LINE), LINE);
            }
            pass(to, row, piece);
            if !piece.last {
                row.wrapping_sub(LINE).copy_to(made.wrapping_sub(LINE).cast_mut(), LINE);
            }
        }
    }
}

/// Rows of a block, lines of each, and elements of each; none of them is 0.
#[inline(always)] // so that callers see that none is 0
fn shape(rows: &Rows<'_>) -> [usize; 3] {
    let width = rows.width as usize;
    // Fewer and longer rows for permutations, whose calls cost more. But what is streamed gains by more of each source
    // row.
    let most = if rows.blocks.is_some() && rows.memory == Memory::Staged { MOST_ROWS / 2 } else { MOST_ROWS };
    let wide = ACROSS.checked_div(width).unwrap_or(1).clamp(1, most);
    let lines = ROOM_OF_BLOCK.checked_div(wide).unwrap_or(2).saturating_sub(1).clamp(1, MOST_LINES);
    [wide, lines, (lines * LINE).checked_div(width).unwrap_or(1).max(1)]
}

/// [`transpose`] in blocks on the stack, a waiting line before each row among them. While a block is written, the
/// source of the next one is prefetched into L2: the block fills L1.
///
/// # Safety
/// As there; there is room.
#[inline(never)] // keeps its frame off the caller's stack
unsafe fn blocks(
    (run, pass): (Transpose, Pass),
    dst: *mut u8,
    src: *const u8,
    rows: &Rows<'_>,
    mut permuted: Option<&mut Permuted<'_>>,
) {
    #[repr(align(64))]
    struct Made(MaybeUninit<[[u8; LINE]; ROOM_OF_BLOCK]>);

    let width = rows.width as usize;
    let [wide, lines, deep] = shape(rows);
    let mut made = Made(MaybeUninit::uninit());
    let made = made.0.as_mut_ptr().cast::<u8>().wrapping_add(LINE);
    let mut places = [0i64; MOST_ROWS];
    for (place, k) in places.iter_mut().zip(0..) {
        *place = k * ((1 + lines) * LINE) as i64;
    }
    let past = rows.memory == Memory::Joined;
    let (count_i, streams) = (rows.src.len(), past && rows.width.count_ones() == 1);
    let mut begin_j = 0;
    for dst_rows in rows.dst.chunks(wide) {
        let end_j = begin_j + dst_rows.len();
        let from = src.wrapping_add(begin_j * width);
        let places = places.get(..dst_rows.len()).unwrap_or(&[]);
        let mut begin_i = 0;
        for src_rows in rows.src.chunks(deep) {
            let end_i = begin_i + src_rows.len();
            let block = Rows {
                memory: Memory::Cached,
                hints: 0,
                src: src_rows,
                dst: places,
                next: [0; 2],
                blocks: None,
                ..*rows
            };
            // SAFETY: elements of the problem, for which there is room.
            unsafe { run(made, from, &block) };
            let (next_i, next) = match (end_i < count_i, end_j < rows.dst.len()) {
                (true, _) => (end_i, from),
                (_, true) => (0, src.wrapping_add(end_j * width)),
                _ => (0, src.wrapping_offset(rows.next[1] as isize)),
            };
            let asks = streams || rows.blocks.is_none() && rows.hints & FAR != 0;
            let mut later = rows.src.iter().skip(if asks { next_i } else { count_i });
            let (bytes, first, last) = (src_rows.len() * width, begin_i == 0, end_i == count_i);
            let piece = Piece { bytes, first, last, streams };
            for (&place, &row) in places.iter().zip(dst_rows) {
                for &row in later.by_ref().take(deep.div_ceil(wide)) {
                    let row = next.wrapping_offset(row as isize);
                    let past = row.addr() % LINE;
                    ask(row.wrapping_sub(past), past + wide * width, true);
                }
                let to = dst.wrapping_offset(row as isize).wrapping_add(begin_i * width);
                let made = made.wrapping_add(place as usize);
                // SAFETY: what was built now, and what waited.
                unsafe {
                    match &mut permuted {
                        None => pass(to, made, &piece),
                        Some(permuted) => permuted.pass(to, made, src_rows.len(), (pass, &piece)),
                    }
                }
            }
            begin_i = end_i;
        }
        begin_j = end_j;
    }
}
