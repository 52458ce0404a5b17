//! Elements below a byte: runs, gathers and fills of bits. (`bit_matrix` has the transposes.)
//!
//! *Places* are numbers of bits: element k of width b begins at bit k·b, whatever the order in the byte. So bit p lies
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

use super::super::loops::Loop;
use super::super::nest::Packing;

impl Packing {
    /// Whether a run of whole bytes is the same bytes on both sides.
    pub fn is_one_order(self) -> bool {
        self.dst_high == self.src_high
    }

    /// A byte of this element repeated: the same in both orders.
    pub fn repeated(self, value: u8) -> u8 {
        repeated(value, self.element)
    }

    /// Width of the elements whose order within a byte is reversed; 0: none.
    pub(super) fn dst_order(self) -> u32 {
        if self.dst_high { self.element } else { 0 }
    }

    pub(super) fn src_order(self) -> u32 {
        if self.src_high { self.element } else { 0 }
    }
}

/// The low bits of a value, 1, 2 or 4 of them, as often as they go into a byte.
pub(crate) fn repeated(value: u8, bits: u32) -> u8 {
    let low = value as u64 & ones(bits);
    (low * (0xFF / ones(bits).max(1))) as u8
}

/// `count` ones, 1 to 64.
#[inline(always)]
fn ones(count: u32) -> u64 {
    u64::MAX >> (64u32.wrapping_sub(count) & 63)
}

/// Reverses the elements within each byte; 0 leaves them as they are.
#[inline(always)]
pub(super) fn reordered(word: u64, element: u32) -> u64 {
    let swapped = |word: u64, by: u32, low: u64| (word & low) << by | word >> by & low;
    let mut word = word;
    if element != 0 {
        word = swapped(word, 4, 0x0F0F_0F0F_0F0F_0F0F);
    }
    if element == 1 || element == 2 {
        word = swapped(word, 2, 0x3333_3333_3333_3333);
    }
    if element == 1 {
        word = swapped(word, 1, 0x5555_5555_5555_5555);
    }
    word
}

/// Up to 8 bytes, the first one lowest.
///
/// # Safety
/// So many bytes may be read.
#[inline(always)]
unsafe fn load_bytes(at: *const u8, count: usize) -> u64 {
    // SAFETY: as promised to this function; two loads of four or two bytes may cover some bytes twice.
    unsafe {
        let four = |skip: usize| u32::from_le(at.wrapping_add(skip).cast::<u32>().read_unaligned()) as u64;
        let two = |skip: usize| u16::from_le(at.wrapping_add(skip).cast::<u16>().read_unaligned()) as u64;
        match count {
            8.. => u64::from_le(at.cast::<u64>().read_unaligned()),
            4..8 => four(0) | four(count - 4) << (8 * (count - 4)),
            2 | 3 => two(0) | two(count - 2) << (8 * (count - 2)),
            1 => *at as u64,
            0 => 0,
        }
    }
}

/// The inverse of [`load_bytes`].
///
/// # Safety
/// So many bytes may be written.
#[inline(always)]
unsafe fn store_bytes(at: *mut u8, count: usize, word: u64) {
    // SAFETY: as promised to this function.
    unsafe {
        let four = |skip: usize, word: u64| at.wrapping_add(skip).cast::<u32>().write_unaligned((word as u32).to_le());
        let two = |skip: usize, word: u64| at.wrapping_add(skip).cast::<u16>().write_unaligned((word as u16).to_le());
        match count {
            8.. => at.cast::<u64>().write_unaligned(word.to_le()),
            4..8 => {
                four(0, word);
                four(count - 4, word >> (8 * (count - 4)));
            }
            2 | 3 => {
                two(0, word);
                two(count - 2, word >> (8 * (count - 2)));
            }
            1 => *at = word as u8,
            0 => {}
        }
    }
}

/// Bits `bit … bit + count − 1`, 1 to 64 of them.
///
/// # Safety
/// The bytes that hold them may be read.
#[inline(never)] // for the ends of runs; a hundred instructions
pub(super) unsafe fn load(src: *const u8, bit: i64, count: u32, order: u32) -> u64 {
    let (at, phase) = (src.wrapping_offset((bit >> 3) as isize), (bit & 7) as u32);
    let bytes = (phase + count).div_ceil(8) as usize;
    // SAFETY: exactly the bytes that hold these bits.
    let word = unsafe {
        let word = reordered(load_bytes(at, bytes.min(8)), order) >> phase;
        // There is a ninth byte only if the first one was shifted.
        if bytes > 8 { word | reordered(*at.wrapping_add(8) as u64, order) << ((64 - phase) & 63) } else { word }
    };
    word & ones(count)
}

/// Changes some bits of a byte; `mask` and `bits` are low first.
///
/// # Safety
/// The byte may be read and written.
#[inline(always)]
unsafe fn change(at: *mut u8, mask: u64, bits: u64, order: u32) {
    let (mask, bits) = (reordered(mask, order) as u8, reordered(bits, order) as u8);
    // SAFETY: as promised to this function.
    unsafe { *at = *at & !mask | bits & mask };
}

/// Writes bits `bit … bit + count − 1`, 1 to 64 of them. A byte that is shared with neighbours is read.
///
/// # Safety
/// The bytes that hold them may be written, and read where they hold others.
#[inline(never)] // for the ends of runs; a hundred instructions
pub(super) unsafe fn store(dst: *mut u8, bit: i64, count: u32, word: u64, order: u32) {
    let (mut at, phase) = (dst.wrapping_offset((bit >> 3) as isize), (bit & 7) as u32);
    let (mut word, mut left) = (word, count);
    // SAFETY: the bytes that hold these bits, one after the other.
    unsafe {
        if phase != 0 || left < 8 {
            let first = left.min(8 - phase);
            change(at, ones(first) << phase, word << phase, order);
            (word, left, at) = (word >> first, left - first, at.wrapping_add(1));
        }
        let whole = left / 8;
        store_bytes(at, whole as usize, reordered(word, order));
        let rest = left % 8;
        if rest != 0 {
            change(at.wrapping_add(whole as usize), ones(rest), word >> ((8 * whole) & 63), order);
        }
    }
}

/// The value of one element, in the low bits.
///
/// # Safety
/// The byte that holds it may be read.
pub(crate) unsafe fn element(src: *const u8, bit: i64, packing: Packing) -> u8 {
    // SAFETY: as promised to this function.
    unsafe { load(src, bit, packing.element, packing.src_order()) as u8 }
}

/// Copies a run of bits.
///
/// # Safety
/// The bytes that hold the bits of the source may be read and those of the destination written, and read where they
/// hold others; no bit belongs to both.
#[inline(never)] // once in the library
pub(crate) unsafe fn copy_run(dst: *mut u8, dst_bit: i64, src: *const u8, src_bit: i64, count: i64, packing: Packing) {
    let (to_order, from_order) = (packing.dst_order(), packing.src_order());
    let (mut to, mut from, mut left) = (dst_bit, src_bit, count);
    // SAFETY: pieces of the run, as promised to this function.
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
/// As [`copy_run`].
#[inline(always)]
unsafe fn copy_words(dst: *mut u8, src: *const u8, count: usize, phase: u32, from_order: u32, to_order: u32) {
    let put = |k: usize, word: u64| {
        // SAFETY: word k of the destination.
        unsafe { dst.wrapping_add(8 * k).cast::<u64>().write_unaligned(reordered(word, to_order).to_le()) }
    };
    // SAFETY: word k of the source.
    let get = |k: usize, phase: u32, order: u32| unsafe { word_at(src.wrapping_add(8 * k), phase, order) };
    // A loop for each case, so that the compiler vectorises it.
    match (phase, from_order) {
        (0, _) => (0..count).for_each(|k| put(k, get(k, 0, from_order))),
        (_, 0) => (0..count).for_each(|k| put(k, get(k, phase, 0))),
        _ => (0..count).for_each(|k| put(k, get(k, phase, from_order))),
    }
}

/// Bits of the widest piece that [`gather`] takes.
pub(crate) const WIDEST_PIECE: i64 = 32;

/// Packs pieces of `width` bits, at most [`WIDEST_PIECE`], that lie `l.src` bits apart.
///
/// # Safety
/// As [`copy_run`], for each piece.
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
        // SAFETY: a piece of the source, then a word's worth of the destination, as promised to this function.
        unsafe {
            let piece = if width == packing.element {
                let byte = *src.wrapping_offset((from >> 3) as isize) as u64;
                byte >> shift_in_byte(from, width, packing.src_high) & ones(width)
            } else {
                load(src, from, width, from_order)
            };
            word |= piece << filled;
            filled += width;
            from += l.src;
            // The first word ends at a byte if pieces do.
            if filled + width > 64 - (to & 7) as u32 {
                store(dst, to, filled, word, to_order);
                (to, word, filled) = (to + filled as i64, 0, 0);
            }
        }
    }
    if filled != 0 {
        // SAFETY: as above.
        unsafe { store(dst, to, filled, word, to_order) };
    }
}

/// The low E bits of each byte of a word, side by side in its low 8·E bits; `SPREAD`: the other way. Each step halves,
/// or doubles, how far apart neighbours, pairs and fours are.
#[inline(always)]
fn packed_bytes<const E: u32, const SPREAD: bool>(word: u64) -> u64 {
    // So many bits of each 8, 16 and 32.
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

/// How far an element of 1, 2 or 4 bits is shifted in its byte, which holds all of it.
#[inline(always)]
fn shift_in_byte(bit: i64, element: u32, high: bool) -> u32 {
    // If the high bits come first, its place is counted from the other end.
    (bit & 7) as u32 ^ if high { 8 - element } else { 0 }
}

/// Copies `count` elements that are contiguous in the source to elements of the destination that have a byte each, of
/// which all other bits stay.
///
/// # Safety
/// As [`copy_run`], for each element.
#[inline(never)] // once in the library
pub(crate) unsafe fn widen(dst: *mut u8, dst_bit: i64, src: *const u8, src_bit: i64, count: i64, packing: Packing) {
    let shift = shift_in_byte(dst_bit, packing.element, packing.dst_high);
    let (to, order) = (dst.wrapping_offset((dst_bit >> 3) as isize), packing.src_order());
    // SAFETY: as promised to this function.
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
        // SAFETY: an element and its byte.
        unsafe { change(to.wrapping_offset(k as isize), mask, load(src, src_bit + k * E as i64, E, order) << shift, 0) }
    };
    let (head, groups) = groups(src_bit, E, count);
    (0..head).for_each(one);
    let from = src.wrapping_offset(((src_bit + head * E as i64) >> 3) as isize);
    let (to, masks) = (to.wrapping_offset(head as isize), mask.wrapping_mul(u64::MAX / 0xFF));
    for group in 0..groups as usize {
        // SAFETY: eight elements, and the byte of each.
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
/// As [`copy_run`], for each element.
#[inline(never)] // once in the library
pub(crate) unsafe fn narrow(dst: *mut u8, dst_bit: i64, src: *const u8, src_bit: i64, count: i64, packing: Packing) {
    let shift = shift_in_byte(src_bit, packing.element, packing.src_high);
    let (from, order) = (src.wrapping_offset((src_bit >> 3) as isize), packing.dst_order());
    // SAFETY: as promised to this function.
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
        // SAFETY: an element and its byte.
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
        // SAFETY: the bytes of eight elements, and the bytes that they become.
        unsafe {
            let word = u64::from_le(from.wrapping_add(8 * group).cast::<u64>().read_unaligned());
            let elements = reordered(packed_bytes::<E, false>(word >> shift), order);
            store_bytes(to.wrapping_add(group * E as usize), E as usize, elements);
        }
    }
    (head + 8 * groups..count).for_each(one);
}

/// How many of `count` contiguous elements come before one that begins a byte, and how many groups of eight follow.
fn groups(bit: i64, element: u32, count: i64) -> (i64, i64) {
    let head = ((-bit & 7) / element.max(1) as i64).min(count);
    (head, (count - head) / 8)
}

/// Copies `count` elements in reverse: the first one is at `src_bit`, each next one before the one before it.
///
/// # Safety
/// As [`copy_run`], for each element.
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
        // SAFETY: some elements of both runs, as promised to this function.
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

/// A word that begins at bit `phase` of a byte.
///
/// # Safety
/// The bytes that hold it, nine unless `phase` is 0, may be read.
#[inline(always)]
unsafe fn word_at(src: *const u8, phase: u32, order: u32) -> u64 {
    // SAFETY: eight bytes, then those from the second to the ninth.
    let get =
        |at: usize| reordered(u64::from_le(unsafe { src.wrapping_add(at).cast::<u64>().read_unaligned() }), order);
    if phase == 0 { get(0) } else { get(0) >> phase | get(1) << (8 - phase) }
}

/// Gives all elements of a run of bits the value repeated in `byte` ([`Packing::repeated`]).
///
/// # Safety
/// The bytes that hold the bits may be written, and read where they hold others.
#[inline(never)] // once in the library
pub(crate) unsafe fn fill_run(dst: *mut u8, dst_bit: i64, count: i64, byte: u8, packing: Packing) {
    let (order, word) = (packing.dst_order(), u64::from_ne_bytes([byte; 8]));
    let (mut to, mut left) = (dst_bit, count);
    // SAFETY: pieces of the run, as promised to this function.
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
/// The bytes of every element that `l` reaches may be read on both sides.
pub(crate) unsafe fn first_difference(
    (lhs, lhs_bit): (*const u8, i64),
    (rhs, rhs_bit): (*const u8, i64),
    l: Loop,
    packing: Packing,
) -> Option<i64> {
    let (lhs_turn, rhs_turn, width) = (packing.dst_order(), packing.src_order(), packing.element as i64);
    let contiguous = l.dst == width && l.src == width;
    let together = if contiguous { 64 / width.max(1) } else { 1 };
    let mut order = 0;
    while order < l.count {
        let elements = together.min(l.count - order);
        let bits = (elements * width) as u32;
        // SAFETY: elements of iterations of `l`, as promised to this function.
        let differ = unsafe {
            load(lhs, lhs_bit + order * l.dst, bits, lhs_turn) ^ load(rhs, rhs_bit + order * l.src, bits, rhs_turn)
        };
        if differ != 0 {
            return Some(order + differ.trailing_zeros() as i64 / width.max(1));
        }
        order += elements;
    }
    None
}
