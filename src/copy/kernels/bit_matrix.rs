//! Transposes of elements below a byte, by the word.
//!
//! N elements are a word of 64 bits: 16 of 4 bits, 32 of 2, 64 of 1. A tile is N words, one of each of N rows of the source; half
//! of the elements of half of the words change places, then a quarter, and so on, and the words are those of N rows of the
//! destination:
//!
//! ```text
//! a b c d                a b i j                a e i m
//! e f g h    halves      e f m n    quarters    b f j n
//! i j k l    ------>     c d k l    -------->   c g k o
//! m n o p                g h o p                d h l p
//! ```
//!
//! For 16 nibbles that is four stages of 8 pairs of words.

use super::super::loops::Loop;
use super::bits::{Packing, load, store, turned};

/// Two loops of elements: the one that is contiguous in the destination and the one that is in the source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Matrix {
    /// One element after the other in the destination; bits between two in the source.
    pub along_dst: Loop,
    /// One element after the other in the source; bits between two in the destination.
    pub along_src: Loop,
}

/// Transposes elements of `packing.element` bits: words of rows become words of columns.
///
/// # Safety
/// As [`copy_run`](super::bits::copy_run), for each element.
#[inline(never)] // its stack is its own
pub(crate) unsafe fn transpose(
    dst: *mut u8,
    dst_bit: i64,
    src: *const u8,
    src_bit: i64,
    matrix: &Matrix,
    packing: Packing,
) {
    // SAFETY: as promised to this function.
    unsafe {
        match packing.element {
            4 => transpose_words::<16>(dst, dst_bit, src, src_bit, matrix, packing),
            2 => transpose_words::<32>(dst, dst_bit, src, src_bit, matrix, packing),
            _ => transpose_words::<64>(dst, dst_bit, src, src_bit, matrix, packing),
        }
    }
}

/// Words of a row that are gone through before the next rows: a cache line of the source.
const STRIP: i64 = 8;

/// [`transpose`] in tiles of N x N elements, of which N are a word. Tiles of a strip go down the rows of the source, so that
/// each of its lines is used up at once and the lines of the destination that are open stay few.
///
/// # Safety
/// As [`transpose`].
#[inline(always)]
unsafe fn transpose_words<const N: usize>(
    dst: *mut u8,
    dst_bit: i64,
    src: *const u8,
    src_bit: i64,
    matrix: &Matrix,
    packing: Packing,
) {
    let (to_turn, from_turn, width) = (packing.dst_turn(), packing.src_turn(), packing.element as i64);
    let Matrix { along_dst, along_src } = *matrix;
    let mut strip = 0;
    while strip < along_src.count {
        let strip_end = along_src.count.min(strip + STRIP * N as i64);
        let (mut i, mut most) = (0, N as i64 - (dst_bit & 7) / width.max(1)); // later tiles begin where a byte does
        while i < along_dst.count {
            let rows = most.min(along_dst.count - i);
            let mut j = strip;
            while j < strip_end {
                let columns = (N as i64).min(strip_end - j);
                let mut tile = [0u64; N];
                let (to, from) = (dst_bit + i * width + j * along_src.dst, src_bit + i * along_dst.src + j * width);
                // SAFETY: elements of the matrix, as promised to this function.
                unsafe {
                    if rows == N as i64 && columns == N as i64 {
                        load_words(&mut tile, src, from, along_dst.src, from_turn);
                    } else {
                        for (word, row) in tile.iter_mut().zip(0..rows) {
                            *word = load(src, from + row * along_dst.src, (columns * width) as u32, from_turn);
                        }
                    }
                    exchange(&mut tile);
                    if rows == N as i64 && columns == N as i64 && (to | along_src.dst) & 7 == 0 {
                        store_words(&tile, dst, to, along_src.dst, to_turn);
                    } else {
                        for (word, column) in tile.iter().zip(0..columns) {
                            store(dst, to + column * along_src.dst, (rows * width) as u32, *word, to_turn);
                        }
                    }
                }
                j += columns;
            }
            i += rows;
            most = N as i64;
        }
        strip = strip_end;
    }
}

/// Loads whole words that lie `step` bits apart.
///
/// # Safety
/// The bytes that hold them may be read.
#[inline(always)]
unsafe fn load_words<const N: usize>(tile: &mut [u64; N], src: *const u8, bit: i64, step: i64, turn: u32) {
    let get = |at: *const u8| {
        // SAFETY: as promised to this function.
        u64::from_le(unsafe { at.cast::<u64>().read_unaligned() })
    };
    if (bit | step) & 7 == 0 {
        for (k, word) in tile.iter_mut().enumerate() {
            *word = turned(get(src.wrapping_offset(((bit + k as i64 * step) >> 3) as isize)), turn);
        }
        return;
    }
    for (k, word) in tile.iter_mut().enumerate() {
        let bit = bit + k as i64 * step;
        let (at, phase) = (src.wrapping_offset((bit >> 3) as isize), (bit & 7) as u32);
        // The second load brings what a ninth byte holds, which is there if there is a phase.
        let second = at.wrapping_add(usize::from(phase != 0));
        let (low, high) = (turned(get(at), turn), turned(get(second), turn));
        *word = if phase == 0 { low } else { low >> phase | high << (8 - phase) };
    }
}

/// Stores whole words that begin at bytes, `step` bits apart.
///
/// # Safety
/// The bytes that hold them may be written.
#[inline(always)]
unsafe fn store_words<const N: usize>(tile: &[u64; N], dst: *mut u8, bit: i64, step: i64, turn: u32) {
    for (k, word) in tile.iter().enumerate() {
        let at = dst.wrapping_offset(((bit + k as i64 * step) >> 3) as isize);
        // SAFETY: as promised to this function.
        unsafe { at.cast::<u64>().write_unaligned(turned(*word, turn).to_le()) };
    }
}

/// Element c of word r becomes element r of word c, for N words of N elements: with h = N/2, N/4, … the elements whose
/// number has bit h are exchanged with those of the word h further on whose number has not.
#[inline(always)]
fn exchange<const N: usize>(tile: &mut [u64; N]) {
    const STAGES: [(u32, u64); 6] = [
        (32, 0x0000_0000_FFFF_FFFF),
        (16, 0x0000_FFFF_0000_FFFF),
        (8, 0x00FF_00FF_00FF_00FF),
        (4, 0x0F0F_0F0F_0F0F_0F0F),
        (2, 0x3333_3333_3333_3333),
        (1, 0x5555_5555_5555_5555),
    ];
    let mut half = N / 2;
    for (shift, low) in STAGES {
        for block in tile.chunks_exact_mut((2 * half).max(1)) {
            let Some((words, others)) = block.split_at_mut_checked(half) else { return };
            for (word, other) in words.iter_mut().zip(others) {
                let moved = (*word >> shift ^ *other) & low;
                *other ^= moved;
                *word ^= moved << shift;
            }
        }
        half /= 2;
        if half == 0 {
            return;
        }
    }
}
