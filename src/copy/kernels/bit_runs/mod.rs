//! Elements below a byte: runs and fills of bits; [`scattered`] has gathers, `bit_matrix` transposes.
//!
//! Bits are numbered by elements: element k of width b begins at bit k·b, whatever the order in the byte. So bit p lies
//! in byte p / 8, and within it, from the low end:
//!
//! ```text
//! low first    p mod 8                    byte  |76543210|   elements of 4 bits  |1111 0000|
//! high first   8 − b − (p mod 8)                                                 |0000 1111|
//! ```
//!
//! A word of 64 bits is always *low first* here: words loaded from or stored to a side that begins with the high bits
//! have the elements of each byte reversed. Both directions use the same few shifts and masks ([`reordered`]), which is
//! all that two different orders cost.
//!
//! Nothing outside the described bits is changed, and no byte without such a bit is read or written. A destination byte
//! is read only if it holds neighbours. Bits may begin anywhere: with `s = p mod 8` a word is `word(p / 8) >> s |
//! word(p / 8 + 1) << (8 − s)`; the second of these two loads brings the upper bits.

mod bit_words;
mod scattered;

pub(crate) use bit_words::{element, repeated};
pub(super) use bit_words::{load, reordered, store};
pub(crate) use scattered::{WIDEST_GATHERED, gather, narrow, widen};

use super::super::loops::Loop;
use super::super::nest::Packing;
use bit_words::word_at;

/// Copies a run of bits.
///
/// # Safety
/// K8 of [`Run`](super::Run), for the run.
#[inline(never)] // once in the library
pub(crate) unsafe fn copy_run(dst: *mut u8, dst_bit: i64, src: *const u8, src_bit: i64, count: i64, packing: Packing) {
    let (to_order, from_order) = (packing.dst_order(), packing.src_order());
    let (mut to, mut from, mut left) = (dst_bit, src_bit, count);
    // SAFETY: K8: pieces of the run.
    unsafe {
        if left > 64 {
            let head = -to & 7;
            if head != 0 {
                store(dst, to, head as u32, load(src, from, head as u32, from_order), to_order);
                (to, from, left) = (to + head, from + head, left - head);
            }
            let whole = left / 64;
            let (at, first) = (dst.wrapping_offset((to >> 3) as isize), src.wrapping_offset((from >> 3) as isize));
            let phase = (from & 7) as u32;
            if phase == 0 && packing.is_one_order() {
                core::ptr::copy(first, at, (left / 8) as usize); // in bytes: a 32-bit usize cannot count the bits
                (to, from, left) = (to + (left & !7), from + (left & !7), left & 7);
            } else {
                copy_words(at, first, whole as usize, phase, from_order, to_order);
                (to, from, left) = (to + 64 * whole, from + 64 * whole, left & 63);
            }
        }
        if left > 0 {
            store(dst, to, left as u32, load(src, from, left as u32, from_order), to_order);
        }
    }
}

/// Copies whole words; the source begins at bit `phase` of a byte.
///
/// # Safety
/// K8 for these words.
#[inline(always)]
unsafe fn copy_words(dst: *mut u8, src: *const u8, count: usize, phase: u32, from_order: u32, to_order: u32) {
    let put = |k: usize, word: u64| {
        // SAFETY: K8: word k of the destination.
        unsafe { dst.wrapping_add(8 * k).cast::<u64>().write_unaligned(reordered(word, to_order).to_le()) }
    };
    // SAFETY: K8: word k of the source.
    let get = |k: usize, phase: u32, order: u32| unsafe { word_at(src.wrapping_add(8 * k), phase, order) };
    // A loop for each case, so that the compiler makes vectors of it.
    match (phase, from_order) {
        (0, _) => (0..count).for_each(|k| put(k, get(k, 0, from_order))),
        (_, 0) => (0..count).for_each(|k| put(k, get(k, phase, 0))),
        _ => (0..count).for_each(|k| put(k, get(k, phase, from_order))),
    }
}

/// Copies `count` elements downward in the source: the first one is at `src_bit`, each next one lower.
///
/// # Safety
/// K8, for each element.
#[inline(never)] // once in the library
pub(crate) unsafe fn reverse_run(
    dst: *mut u8,
    dst_bit: i64,
    src: *const u8,
    src_bit: i64,
    count: i64,
    packing: Packing,
) {
    let (to_order, from_order, width) = (packing.dst_order(), packing.src_order(), packing.element as i64);
    let (mut to, mut left) = (dst_bit, count * width);
    // One past the last bit that is left in the source.
    let mut end = src_bit + width;
    // Reverses the bytes, and the elements in each of them.
    let reversed = |word: u64| reordered(word.swap_bytes(), packing.element);
    while left > 0 {
        // First up to a byte of the destination, then its whole words at once, then the rest.
        let head = -to & 7;
        let bits = if head != 0 { left.min(head) } else { left.min(64) };
        // SAFETY: K8: some elements of both runs.
        unsafe {
            if head == 0 && left >= 64 {
                let whole = left / 64;
                let (at, last) =
                    (dst.wrapping_offset((to >> 3) as isize), src.wrapping_offset(((end - 64) >> 3) as isize));
                let phase = (end & 7) as u32;
                for k in 0..whole as usize {
                    let word = word_at(last.wrapping_sub(8 * k), phase, from_order);
                    at.wrapping_add(8 * k).cast::<u64>().write_unaligned(reordered(reversed(word), to_order).to_le());
                }
                (to, end, left) = (to + 64 * whole, end - 64 * whole, left & 63);
                continue;
            }
            let word = load(src, end - bits, bits as u32, from_order);
            store(dst, to, bits as u32, reversed(word) >> ((64 - bits) & 63), to_order);
        }
        (to, end, left) = (to + bits, end - bits, left - bits);
    }
}

/// Gives all elements of a run of bits the value repeated in `byte` ([`Packing::repeated`]).
///
/// # Safety
/// K8 for the destination.
#[inline(never)] // once in the library
pub(crate) unsafe fn fill_run(dst: *mut u8, dst_bit: i64, count: i64, byte: u8, packing: Packing) {
    let (order, word) = (packing.dst_order(), u64::from_ne_bytes([byte; 8]));
    let (mut to, mut left) = (dst_bit, count);
    // SAFETY: K8: pieces of the run.
    unsafe {
        if left > 64 {
            let head = -to & 7;
            if head != 0 {
                store(dst, to, head as u32, word, order);
                (to, left) = (to + head, left - head);
            }
            core::ptr::write_bytes(dst.wrapping_offset((to >> 3) as isize), byte, (left / 8) as usize);
            (to, left) = (to + (left & !7), left & 7);
        }
        if left > 0 {
            store(dst, to, left as u32, word, order);
        }
    }
}

/// The first iteration of `l` whose elements of `packing.element` bits differ; `lhs` takes the destination's side.
///
/// # Safety
/// K8 for every element that `l` reaches; both sides are read.
pub(crate) unsafe fn first_difference(
    (lhs, lhs_bit): (*const u8, i64),
    (rhs, rhs_bit): (*const u8, i64),
    l: Loop,
    packing: Packing,
) -> Option<i64> {
    let (lhs_order, rhs_order, width) = (packing.dst_order(), packing.src_order(), packing.element as i64);
    let contiguous = l.dst == width && l.src == width;
    let together = if contiguous { 64 / width.max(1) } else { 1 };
    let mut number = 0;
    while number < l.count {
        let elements = together.min(l.count - number);
        let bits = (elements * width) as u32;
        // SAFETY: K8: elements of iterations of `l`.
        let differ = unsafe {
            load(lhs, lhs_bit + number * l.dst, bits, lhs_order) ^ load(rhs, rhs_bit + number * l.src, bits, rhs_order)
        };
        if differ != 0 {
            return Some(number + differ.trailing_zeros() as i64 / width.max(1));
        }
        number += elements;
    }
    None
}
