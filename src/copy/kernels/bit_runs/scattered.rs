//! Elements below a byte that lie apart on one side: gathers, and elements that have a byte each.

use super::bit_words::{change, load, load_bytes, ones, reordered, store, store_bytes};
use crate::copy::loops::Loop;
use crate::copy::nest::Packing;

/// Bits of the widest element, or run of elements, that [`gather`] packs.
pub(crate) const WIDEST_GATHERED: i64 = 32;

/// Packs elements, or runs of them, of `width` bits each, at most [`WIDEST_GATHERED`], that lie `l.src` bits apart.
///
/// # Safety
/// K8 of [`Run`](crate::copy::kernels::Run), for each of them.
#[inline(never)] // once in the library
pub(crate) unsafe fn gather(
    dst: *mut u8,
    dst_bit: i64,
    src: *const u8,
    src_bit: i64,
    l: Loop,
    width: i64,
    packing: Packing,
) {
    let (to_order, from_order, width) = (packing.dst_order(), packing.src_order(), width as u32);
    let (mut to, mut from, mut word, mut filled) = (dst_bit, src_bit, 0u64, 0u32);
    for _ in 0..l.count {
        // SAFETY: K8: elements of the source, then a word's worth of the destination.
        unsafe {
            let bits = if width == packing.element {
                let byte = *src.wrapping_offset((from >> 3) as isize) as u64;
                byte >> shift_in_byte(from, width, packing.src_high) & ones(width)
            } else {
                load(src, from, width, from_order)
            };
            word |= bits << filled;
            filled += width;
            from += l.src;
            // The first word ends at a byte if an element does.
            if filled + width > 64 - (to & 7) as u32 {
                store(dst, to, filled, word, to_order);
                (to, word, filled) = (to + filled as i64, 0, 0);
            }
        }
    }
    if filled != 0 {
        // SAFETY: K8: the last elements of the destination.
        unsafe { store(dst, to, filled, word, to_order) };
    }
}

/// The low E bits of each byte of a word, side by side in its low 8·E bits; `SPREAD`: the inverse. Each step halves, or
/// doubles, the distance between neighbours, pairs and fours.
#[inline(always)]
fn packed_bytes<const E: u32, const SPREAD: bool>(word: u64) -> u64 {
    // The low E bits of each 8, 2·E of each 16, 4·E of each 32.
    let (ones, twos, fours) =
        ((u64::MAX / 0xFF) * ((1 << E) - 1), (u64::MAX / 0xFFFF) * ((1 << (2 * E)) - 1), (1 << (4 * E)) - 1);
    let fours = fours | fours << 32;
    if SPREAD {
        let word = (word | word << (32 - 4 * E)) & fours;
        let word = (word | word << (16 - 2 * E)) & twos;
        (word | word << (8 - E)) & ones
    } else {
        let word = word & ones;
        let word = (word | word >> (8 - E)) & twos;
        let word = (word | word >> (16 - 2 * E)) & fours;
        (word | word >> (32 - 4 * E)) & (u64::MAX >> (64 - 8 * E))
    }
}

/// The shift of an element of 1, 2 or 4 bits in its byte, which holds all of it.
#[inline(always)]
fn shift_in_byte(bit: i64, element: u32, high: bool) -> u32 {
    // If the high bits come first, its place is counted from the other end.
    (bit & 7) as u32 ^ if high { 8 - element } else { 0 }
}

/// Copies `count` elements that are contiguous in the source to elements of the destination that have a byte each. The
/// other bits of these bytes stay.
///
/// # Safety
/// K8, for each element.
#[inline(never)] // once in the library
pub(crate) unsafe fn widen(dst: *mut u8, dst_bit: i64, src: *const u8, src_bit: i64, count: i64, packing: Packing) {
    let shift = shift_in_byte(dst_bit, packing.element, packing.dst_high);
    let (to, order) = (dst.wrapping_offset((dst_bit >> 3) as isize), packing.src_order());
    // SAFETY: K8 for the same elements.
    unsafe {
        match packing.element {
            1 => widen_bytes::<1>(to, shift, src, src_bit, count, order),
            2 => widen_bytes::<2>(to, shift, src, src_bit, count, order),
            _ => widen_bytes::<4>(to, shift, src, src_bit, count, order),
        }
    }
}

/// # Safety
/// As [`widen`].
#[inline(always)]
unsafe fn widen_bytes<const E: u32>(to: *mut u8, shift: u32, src: *const u8, src_bit: i64, count: i64, order: u32) {
    let mask = ((1u64 << E) - 1) << shift;
    let one = |k: i64| {
        // SAFETY: K8: an element and its byte.
        unsafe { change(to.wrapping_offset(k as isize), mask, load(src, src_bit + k * E as i64, E, order) << shift, 0) }
    };
    let (head, groups) = groups(src_bit, E, count);
    (0..head).for_each(one);
    let from = src.wrapping_offset(((src_bit + head * E as i64) >> 3) as isize);
    let (to, masks) = (to.wrapping_offset(head as isize), mask.wrapping_mul(u64::MAX / 0xFF));
    for group in 0..groups as usize {
        // SAFETY: K8: eight elements, and the byte of each.
        unsafe {
            let elements = reordered(load_bytes(from.wrapping_add(group * E as usize), E as usize), order);
            let at = to.wrapping_add(8 * group).cast::<u64>();
            let before = u64::from_le(at.read_unaligned());
            at.write_unaligned((before & !masks | packed_bytes::<E, true>(elements) << shift).to_le());
        }
    }
    (head + 8 * groups..count).for_each(one);
}

/// The inverse of [`widen`]: elements that have a byte each become contiguous.
///
/// # Safety
/// K8, for each element.
#[inline(never)] // once in the library
pub(crate) unsafe fn narrow(dst: *mut u8, dst_bit: i64, src: *const u8, src_bit: i64, count: i64, packing: Packing) {
    let shift = shift_in_byte(src_bit, packing.element, packing.src_high);
    let (from, order) = (src.wrapping_offset((src_bit >> 3) as isize), packing.dst_order());
    // SAFETY: K8 for the same elements.
    unsafe {
        match packing.element {
            1 => narrow_bytes::<1>(dst, dst_bit, from, shift, count, order),
            2 => narrow_bytes::<2>(dst, dst_bit, from, shift, count, order),
            _ => narrow_bytes::<4>(dst, dst_bit, from, shift, count, order),
        }
    }
}

/// # Safety
/// As [`narrow`].
#[inline(always)]
unsafe fn narrow_bytes<const E: u32>(dst: *mut u8, dst_bit: i64, from: *const u8, shift: u32, count: i64, order: u32) {
    let one = |k: i64| {
        // SAFETY: K8: an element and its byte.
        unsafe {
            let value = (*from.wrapping_offset(k as isize)) as u64 >> shift;
            store(dst, dst_bit + k * E as i64, E, value & ones(E), order);
        }
    };
    let (head, groups) = groups(dst_bit, E, count);
    (0..head).for_each(one);
    let (to, from) =
        (dst.wrapping_offset(((dst_bit + head * E as i64) >> 3) as isize), from.wrapping_offset(head as isize));
    for group in 0..groups as usize {
        // SAFETY: K8: the bytes of eight elements, and the bytes that they become.
        unsafe {
            let word = u64::from_le(from.wrapping_add(8 * group).cast::<u64>().read_unaligned());
            let elements = reordered(packed_bytes::<E, false>(word >> shift), order);
            store_bytes(to.wrapping_add(group * E as usize), E as usize, elements);
        }
    }
    (head + 8 * groups..count).for_each(one);
}

/// The number of elements, of `count` contiguous ones, before the first that begins a byte, and that of the groups of
/// eight from there on.
fn groups(bit: i64, element: u32, count: i64) -> (i64, i64) {
    let head = ((-bit & 7) / element.max(1) as i64).min(count);
    (head, (count - head) / 8)
}
