//! Channels past the cache.
//!
//! Their planes hardly all begin at whole lines. So pieces of them are made on the stack, each byte as far into a line as it
//! will be in the destination; likewise of the pixels where these are the destination. What is whole goes on line by line, what
//! is not waits for the next piece. While a piece is made, a later one is asked for.

use super::rows::begin;
use super::{Block, LINE, Loop, Memory, stream_line};
use core::mem::MaybeUninit;

/// Bytes of a channel from which on this pays.
pub(super) const LEAST: usize = 256;
/// Bytes of a channel that are made at a time.
const PIECE: usize = 1024;
/// Pieces from the one that is made to the one that is asked for.
const AHEAD: i64 = 4;
/// Room for four channels: a line and a part of one before each piece, and as far into a line as the first one begins.
const ROOM: usize = 4 * (PIECE + 2 * LINE) + LINE;

#[repr(align(64))]
struct Pieces(MaybeUninit<[u8; ROOM]>);

/// Runs a kernel of two to four channels piece by piece. `pixels` and `channels` are the block's first two loops, the third one
/// walks images.
///
/// # Safety
/// As [`Run::Block`](super::Run::Block); the width is a power of two.
#[inline(never)]
pub(super) unsafe fn staged(
    run: unsafe fn(*mut u8, *const u8, &Block),
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
            let ahead = (later_image - image) * images.src + (later - k) * most * pixels.src;
            let block = Block { memory, hints: 0, width, a, b, c: Loop { src: ahead, ..Loop::ONCE } };
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
                unsafe { pass(to, made, bytes, k == 0, k + 1 == in_image) };
            }
        }
    }
}

/// Writes the lines of a piece for `to`, which is as far into a line as `made`, and of what waited before it. What is no whole line
/// is written if it is the first or the last of its run, else it waits.
///
/// # Safety
/// What there is may be written; in front of `made` is the rest of a line, and behind the piece one. But for the last piece,
/// `bytes` is a multiple of a line.
#[inline(always)]
unsafe fn pass(to: *mut u8, made: *mut u8, bytes: usize, first: bool, last: bool) {
    let before = to.addr() % LINE;
    let (to, made, end) = (to.wrapping_sub(before), made.wrapping_sub(before), before + bytes);
    let mut at = 0;
    // SAFETY: as promised to this function.
    unsafe {
        if first && before != 0 {
            at = LINE.min(end);
            core::ptr::copy(made.wrapping_add(before), to.wrapping_add(before), at - before);
        }
        while at + LINE <= end {
            stream_line(to.wrapping_add(at), made.wrapping_add(at));
            at += LINE;
        }
        if last {
            core::ptr::copy(made.wrapping_add(at), to.wrapping_add(at), end - at);
        } else {
            core::ptr::copy(made.wrapping_add(at), made, LINE);
        }
    }
}
