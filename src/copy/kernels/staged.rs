//! Channels and transposes past the cache.
//!
//! Their planes and rows hardly all begin at whole lines. So pieces of them are made on the stack, each byte as far into a line
//! as it will be in the destination; likewise of the pixels where these are the destination. What is whole goes on line by line,
//! what is not waits for the next piece. While a piece is made, a later one is asked for.

use super::ahead::{ask, goes_far};
use super::hints::SECOND;
use super::register::Register;
use super::rows::begin;
use super::{BLOCK_ROW, Block, LINE, Loop, Memory, Rows};
use core::mem::MaybeUninit;

/// Bytes of a channel from which on this pays.
pub(super) const LEAST: usize = 256;
/// Bytes of a channel that are made at a time.
const PIECE: usize = 512;
/// Pieces from the one that is made to the one that is asked for.
const AHEAD: i64 = 4;
/// Room for four channels: a line and a part of one before each piece, and as far into a line as the first one begins.
const ROOM: usize = 4 * (PIECE + 2 * LINE) + LINE;
/// What is made lies within pages: a store that lies in two takes about 100 ns (Zen 4, RGB to planes that begin anywhere: 0.2
/// to 0.6 of memcpy with them, 0.3 to 1.5 without).
const PAGE: usize = 4096;

/// How lines, so many of them, go past the cache: by stores as wide as the kernel's registers (Zen 4, 25 MB of RGB: 1.5 of
/// memcpy by 32 bytes, 1.3 by 16).
pub(super) type Past = unsafe fn(to: *mut u8, from: *const u8, count: &usize);

/// Writes lines past the cache, where there is such an instruction.
///
/// # Safety
/// They may be read and written, and begin at a multiple of 64 on the destination's side; the CPU has the instruction set of R.
#[inline(always)]
pub(super) unsafe fn past<R: Register>(to: *mut u8, from: *const u8, count: &usize) {
    for line in 0..*count {
        for piece in (0..LINE).step_by(R::BYTES) {
            let at = line * LINE + piece;
            // SAFETY: as promised to this function.
            unsafe { R::load(from.wrapping_add(at)).stream(to.wrapping_add(at)) };
        }
    }
}

#[repr(align(64))]
struct Pieces(MaybeUninit<[u8; 2 * ROOM]>);
const _: () = assert!(ROOM <= PAGE);

/// Runs a kernel of two to four channels piece by piece. `pixels` and `channels` are the block's first two loops, the third one
/// walks images.
///
/// # Safety
/// As [`Run::Block`](super::Run::Block); the width is a power of two.
#[inline(never)]
pub(super) unsafe fn staged(
    (run, past): (unsafe fn(*mut u8, *const u8, &Block), Past),
    dst: *mut u8,
    src: *const u8,
    block: &Block,
    [pixels, channels]: [Loop; 2],
) {
    let (width, images) = (block.width, block.c);
    let apart = pixels.dst == width;
    let runs = if apart { channels.count } else { 1 };
    let pitch = (PIECE + LINE) as i64 + (channels.dst & (LINE as i64 - 1));
    let made_channels = if apart { Loop { dst: pitch, ..channels } } else { channels };
    let most = (PIECE as i64 / width.max(1)).max(1);
    let in_image = (pixels.count / most + i64::from(pixels.count % most != 0)).max(1);
    let mut pieces = Pieces(MaybeUninit::uninit());
    let pieces = pieces.0.as_mut_ptr().cast::<u8>();
    let left = PAGE - pieces.addr() % PAGE;
    let pieces = if left < ROOM { pieces.wrapping_add(left) } else { pieces };
    // Image and piece that are asked for.
    let (mut later_image, mut later) = (AHEAD / in_image, AHEAD % in_image);
    for image in 0..images.count {
        let (dst, image_src) = begin(dst, src, images, image);
        let made = pieces.wrapping_add(dst.addr() % LINE);
        for k in 0..in_image {
            let (to, from) = begin(dst, image_src, pixels, k * most);
            let piece = Loop { count: most.min(pixels.count - k * most), ..pixels };
            let (a, b) = if apart { (piece, made_channels) } else { (made_channels, piece) };
            let memory = if later_image < images.count { Memory::Fetch } else { Memory::Cached };
            let ahead = (later_image - image).wrapping_mul(images.src).wrapping_add((later - k) * most * pixels.src);
            let c = Loop { src: ahead, ..Loop::ONCE };
            let block = Block { memory, hints: block.hints & SECOND, width, a, b, c };
            // SAFETY: pixels of the image, for which there is room.
            unsafe { run(made, from, &block) };
            later += 1;
            if later == in_image {
                (later_image, later) = (later_image + 1, 0);
            }
            let bytes = (piece.count * piece.dst) as usize;
            for r in 0..runs {
                let (to, made) =
                    (to.wrapping_offset((r * channels.dst) as isize), made.wrapping_offset((r * pitch) as isize));
                // SAFETY: what was made now, and what waited.
                unsafe { pass(past, to, made, bytes, k == 0, k + 1 == in_image) };
            }
        }
    }
}

/// Rows of the destination that a transpose makes at a time, and bytes from row to row: lines of it, and what waits in front of
/// them. Of elements of one and two bytes there are more rows and fewer lines, so that there is enough of each source row.
const ROWS: [usize; 2] = [80, 64];
const PITCHES: [usize; 2] = [4 * LINE, BLOCK_ROW as usize + LINE];

#[repr(align(64))]
struct Made(MaybeUninit<[u8; ROWS[0] * PITCHES[0]]>);
const _: () = assert!(ROWS[1] * PITCHES[1] <= size_of::<Made>());

/// Runs a transposing kernel block by block. While one is passed on, the next one's source is asked for.
///
/// # Safety
/// As [`Run::Tile`](super::Run::Tile); the width is a power of two.
#[inline(never)]
pub(super) unsafe fn transposed(
    (run, past): (unsafe fn(*mut u8, *const u8, &Rows<'_>), Past),
    dst: *mut u8,
    src: *const u8,
    rows: &Rows<'_>,
) {
    let width = rows.width as usize;
    let wide = usize::from(width > 2);
    let (wide, pitch) = (ROWS[wide].max(1), PITCHES[wide]); // Rust 1.89 does not see that no row is 0
    let deep = (pitch - LINE).checked_div(width).unwrap_or(1).max(1);
    let mut made = Made(MaybeUninit::uninit());
    let made = made.0.as_mut_ptr().cast::<u8>();
    let mut places = [0i64; ROWS[0]];
    let count_i = rows.src.len();
    let mut begin_j = 0;
    for dst_rows in rows.dst.chunks(wide) {
        let end_j = begin_j + dst_rows.len();
        for ((place, row), k) in places.iter_mut().zip(dst_rows).zip(0..) {
            *place = k * pitch as i64 + ((dst.addr() as i64).wrapping_add(*row) & (LINE as i64 - 1));
        }
        let from = src.wrapping_add(begin_j * width);
        let mut begin_i = 0;
        for src_rows in rows.src.chunks(deep) {
            let end_i = begin_i + src_rows.len();
            let places = places.get(..dst_rows.len()).unwrap_or(&[]);
            let block = Rows { memory: Memory::Cached, hints: 0, src: src_rows, dst: places, next: [0; 2], ..*rows };
            // SAFETY: elements of the problem, for which there is room.
            unsafe { run(made, from, &block) };
            let (next_i, next) = match (end_i < count_i, end_j < rows.dst.len()) {
                (true, _) => (end_i, from),
                (_, true) => (0, src.wrapping_add(end_j * width)),
                _ => (0, src.wrapping_offset(rows.next[1] as isize)),
            };
            let mut later = rows.src.iter().skip(next_i);
            for (&place, &row) in places.iter().zip(dst_rows) {
                for &row in later.by_ref().take(deep.div_ceil(wide)) {
                    let row = next.wrapping_offset(row as isize);
                    let past = row.addr() % LINE;
                    ask(row.wrapping_sub(past), past + wide * width, goes_far(rows.hints));
                }
                let to = dst.wrapping_offset(row as isize).wrapping_add(begin_i * width);
                let made = made.wrapping_add(place as usize);
                // SAFETY: what was made now, and what waited.
                unsafe { pass(past, to, made, src_rows.len() * width, begin_i == 0, end_i == count_i) };
            }
            begin_i = end_i;
        }
        begin_j = end_j;
    }
}

/// Writes the lines of a piece for `to`, which is as far into a line as `made`, and of what waited before it. What is no whole line
/// is written if it is the first or the last of its run, else it waits.
///
/// # Safety
/// What there is may be written; in front of `made` is the rest of a line, and behind the piece one. But for the last piece,
/// `bytes` is a multiple of a line.
#[inline(always)]
unsafe fn pass(past: Past, to: *mut u8, made: *mut u8, bytes: usize, first: bool, last: bool) {
    let before = to.addr() % LINE;
    let (to, made, end) = (to.wrapping_sub(before), made.wrapping_sub(before), before + bytes);
    let mut at = 0;
    // SAFETY: as promised to this function.
    unsafe {
        if first && before != 0 {
            at = LINE.min(end);
            core::ptr::copy(made.wrapping_add(before), to.wrapping_add(before), at - before);
        }
        let whole = end.saturating_sub(at) / LINE;
        past(to.wrapping_add(at), made.wrapping_add(at), &whole);
        at += whole * LINE;
        if last {
            core::ptr::copy(made.wrapping_add(at), to.wrapping_add(at), end - at);
        } else {
            core::ptr::copy(made.wrapping_add(at), made, LINE);
        }
    }
}
