//! Transposes of elements below a byte, by the word.
//!
//! N elements are a word of 64 bits: 16 of 4 bits, 32 of 2, 64 of 1. A tile is N words, one from each of N rows of the
//! source. Half of the elements of half of the words change places, then a quarter, and so on; then the words are those
//! of N rows of the destination:
//!
//! ```text
//! a b c d                a b i j                a e i m
//! e f g h    halves      e f m n    quarters    b f j n
//! i j k l    ------>     c d k l    -------->   c g k o
//! m n o p                g h o p                d h l p
//! ```
//!
//! For 16 nibbles that is four rounds of 8 pairs of words. A round takes its pairs from the two halves of the tile and
//! puts them down one after the other ([`exchange`]), so its loop is the same for tiles of all sizes. (Unrolled for
//! each size, the rounds were 29 KB of code.) Two tiles lie side by side, so each word of a pair is a vector of two.

use core::mem::MaybeUninit;

use super::super::loops::Loop;
use super::super::nest::Packing;
use super::bit_runs::{load, reordered, store};

/// The two loops of a transpose of bits: contiguous in the destination, and contiguous in the source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BitMatrix {
    /// Contiguous in the destination; the step in the source, in bits.
    pub along_dst: Loop,
    /// Contiguous in the source; the step in the destination, in bits.
    pub along_src: Loop,
}

/// Words of a strip: a cache line of the source.
const STRIP: i64 = 8;

/// Words of the largest tile: of elements of one bit.
const TILE_WORDS: usize = 64;

/// One word each of two tiles side by side: a vector.
type Words = [u64; 2];

/// Transposes elements of `packing.element` bits in tiles of N x N elements, where N elements are a word. Words of rows
/// become words of columns. The tiles of a strip go down the rows of the source, so that each source line is used up at
/// once and few destination lines are open.
///
/// # Safety
/// K8 of [`Run`](super::Run), for the elements of the matrix.
#[inline(never)] // keeps its frame off the caller's stack
pub(crate) unsafe fn transpose(
    dst: *mut u8,
    dst_bit: i64,
    src: *const u8,
    src_bit: i64,
    matrix: &BitMatrix,
    packing: Packing,
) {
    let (to_order, from_order, width) = (packing.dst_order(), packing.src_order(), packing.element as i64);
    let BitMatrix { along_dst, along_src } = *matrix;
    let n = 64 / width.max(1);
    // An edge tile keeps some words of the tile before; they come out after the elements that are stored.
    let mut rooms = [const { MaybeUninit::<Words>::uninit() }; 2 * TILE_WORDS];
    let Some(rooms) = rooms.get_mut(..2 * n as usize) else { return };
    for words in &mut *rooms {
        words.write([0; 2]);
    }
    // SAFETY: all of them were written above.
    let rooms = unsafe { &mut *(core::ptr::from_mut(rooms) as *mut [Words]) };
    let Some((tiles, room)) = rooms.split_at_mut_checked(n as usize) else { return };
    let mut strip = 0;
    while strip < along_src.count {
        let strip_end = along_src.count.min(strip + STRIP * n);
        let (mut i, mut most) = (0, n - (dst_bit & 7) / width.max(1)); // later tiles begin at a byte
        while i < along_dst.count {
            let rows = most.min(along_dst.count - i);
            let mut j = strip;
            while j < strip_end {
                let columns = (2 * n).min(strip_end - j);
                let (to, from) = (dst_bit + i * width + j * along_src.dst, src_bit + i * along_dst.src + j * width);
                let whole = rows == n && columns & (n - 1) == 0; // one tile or two
                let side = if columns > n { 2usize } else { 1 };
                // SAFETY: K8: elements of the matrix.
                unsafe {
                    if whole {
                        load_words(tiles, side, src, from, along_dst.src, from_order);
                    } else {
                        for t in 0..side {
                            let (from, bits) = (from + t as i64 * 64, (n.min(columns - t as i64 * n) * width) as u32);
                            for (words, row) in tiles.iter_mut().zip(0..rows) {
                                words[t] = load(src, from + row * along_dst.src, bits, from_order);
                            }
                        }
                    }
                    let tiles = exchange(tiles, room, packing.element);
                    if whole && (to | along_src.dst) & 7 == 0 {
                        store_words(tiles, side, dst, to, along_src.dst, to_order);
                    } else {
                        for t in 0..side {
                            let first = t as i64 * n;
                            for (words, column) in tiles.iter().zip(first..columns) {
                                store(dst, to + column * along_src.dst, (rows * width) as u32, words[t], to_order);
                            }
                        }
                    }
                }
                j += columns;
            }
            i += rows;
            most = n;
        }
        strip = strip_end;
    }
}

/// Loads whole words of `side` tiles, from rows that lie `step` bits apart.
///
/// # Safety
/// K8 for these words.
#[inline(always)]
unsafe fn load_words(tiles: &mut [Words], side: usize, src: *const u8, bit: i64, step: i64, order: u32) {
    let get = |at: *const u8, high: bool| {
        // SAFETY: K8: the bytes that hold a word may be read.
        let word = u64::from_le(unsafe { at.cast::<u64>().read_unaligned() });
        if high { word.swap_bytes() } else { word }
    };
    let mut bit = bit;
    for words in &mut *tiles {
        let (at, phase) = (src.wrapping_offset((bit >> 3) as isize), (bit & 7) as u32);
        // With a phase, a second load brings the bits of a ninth byte. If the high bits come first, the bits go on from
        // byte to byte as in the words of a big-endian machine. A missing second tile is the first one again.
        *words = [at, at.wrapping_add(8 * (side - 1))].map(|at| match (phase, order) {
            (0, _) => get(at, false),
            (_, 0) => get(at, false) >> phase | get(at.wrapping_add(1), false) << (8 - phase),
            _ => (get(at, true) << phase | get(at.wrapping_add(1), true) >> (8 - phase)).swap_bytes(),
        });
        bit += step;
    }
    if order != 0 {
        reorder_words(tiles, order);
    }
}

/// Stores whole words of `side` tiles that begin at bytes, `step` bits apart.
///
/// # Safety
/// K8 for these words.
#[inline(always)]
unsafe fn store_words(tiles: &mut [Words], side: usize, dst: *mut u8, bit: i64, step: i64, order: u32) {
    if order != 0 {
        reorder_words(tiles, order);
    }
    for t in 0..side {
        let mut at = dst.wrapping_offset(((bit + t as i64 * tiles.len() as i64 * step) >> 3) as isize);
        for words in &*tiles {
            // SAFETY: K8: the bytes that hold a word may be written.
            unsafe { at.cast::<u64>().write_unaligned(words[t].to_le()) };
            at = at.wrapping_offset((step >> 3) as isize);
        }
    }
}

/// Element c of word r becomes element r of word c, for N words of N elements. The round with h = N/2, N/4, … exchanges
/// the elements of word r whose number has bit h with those of word r + h whose number has not. Here that bit of r is
/// always the highest one: the words k and k + N/2 become 2k and 2k + 1. This rotates the bits of all word numbers by
/// one place, so that they are back after the last round. The result is in one of the two lists.
#[inline(always)]
fn exchange<'a>(tiles: &'a mut [Words], room: &'a mut [Words], element: u32) -> &'a mut [Words] {
    round::<32>(room, tiles);
    round::<16>(tiles, room);
    round::<8>(room, tiles);
    round::<4>(tiles, room);
    if element == 4 {
        return tiles;
    }
    round::<2>(room, tiles);
    if element == 2 {
        return room;
    }
    round::<1>(tiles, room);
    tiles
}

/// One round of [`exchange`], for elements that lie `SHIFT` bits apart in a word.
#[inline(always)]
fn round<const SHIFT: u32>(to: &mut [Words], from: &[Words]) {
    let low = u64::MAX / ((1 << SHIFT) + 1);
    let Some((lower, upper)) = from.split_at_checked(from.len() / 2) else { return };
    for ((pair, words), others) in to.as_chunks_mut::<2>().0.iter_mut().zip(lower).zip(upper) {
        let moved = [0, 1].map(|t| (words[t] >> SHIFT ^ others[t]) & low);
        *pair = [[0, 1].map(|t| words[t] ^ moved[t] << SHIFT), [0, 1].map(|t| others[t] ^ moved[t])];
    }
}

/// [`reordered`] for all words.
#[inline(never)] // one for both sides
fn reorder_words(tiles: &mut [Words], order: u32) {
    for words in tiles {
        *words = words.map(|word| reordered(word, order));
    }
}
