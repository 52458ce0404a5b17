//! Words of 1 to 64 bits, low first, loaded from and stored to either bit order.

use crate::copy::nest::Packing;

impl Packing {
    /// Whether a run of whole bytes has the same bytes on both sides.
    pub fn is_one_order(self) -> bool {
        self.dst_high == self.src_high
    }

    /// A byte of this element repeated: the same in both orders.
    pub fn repeated(self, value: u8) -> u8 {
        repeated(value, self.element)
    }

    /// Bits of the elements whose order within a byte of the destination is reversed; 0: none.
    pub(in super::super) fn dst_order(self) -> u32 {
        if self.dst_high { self.element } else { 0 }
    }

    /// Bits of the elements whose order within a byte of the source is reversed; 0: none.
    pub(in super::super) fn src_order(self) -> u32 {
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
pub(super) fn ones(count: u32) -> u64 {
    u64::MAX >> (64u32.wrapping_sub(count) & 63)
}

/// Reverses the elements within each byte; 0 leaves them as they are.
#[inline(always)]
pub(in super::super) fn reordered(word: u64, element: u32) -> u64 {
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
/// K8 of [`Run`](crate::copy::kernels::Run), for `count` bytes of the source.
#[inline(always)]
pub(super) unsafe fn load_bytes(at: *const u8, count: usize) -> u64 {
    // SAFETY: K8: `count` bytes from `at` may be read; two loads may cover some of them twice.
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
/// K8, for `count` bytes of the destination.
#[inline(always)]
pub(super) unsafe fn store_bytes(at: *mut u8, count: usize, word: u64) {
    // SAFETY: K8: `count` bytes from `at` may be written.
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
/// K8, for these bits of the source.
#[inline(never)] // for the ends of runs; a hundred instructions
pub(in super::super) unsafe fn load(src: *const u8, bit: i64, count: u32, order: u32) -> u64 {
    let (at, phase) = (src.wrapping_offset((bit >> 3) as isize), (bit & 7) as u32);
    let bytes = (phase + count).div_ceil(8) as usize;
    // SAFETY: K8: exactly the bytes that hold these bits.
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
/// K8, for a byte that is read and written.
#[inline(always)]
pub(super) unsafe fn change(at: *mut u8, mask: u64, bits: u64, order: u32) {
    let (mask, bits) = (reordered(mask, order) as u8, reordered(bits, order) as u8);
    // SAFETY: K8: the byte may be read and written.
    unsafe { *at = *at & !mask | bits & mask };
}

/// Writes bits `bit … bit + count − 1`, 1 to 64 of them. A byte that is shared with neighbours is read.
///
/// # Safety
/// K8, for these bits of the destination.
#[inline(never)] // for the ends of runs; a hundred instructions
pub(in super::super) unsafe fn store(dst: *mut u8, bit: i64, count: u32, word: u64, order: u32) {
    let (mut at, phase) = (dst.wrapping_offset((bit >> 3) as isize), (bit & 7) as u32);
    let (mut word, mut left) = (word, count);
    // SAFETY: K8: the bytes that hold these bits, one after the other.
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

/// A word that begins at bit `phase` of a byte.
///
/// # Safety
/// K8, for the bytes that hold it: nine, or eight if `phase` is 0.
#[inline(always)]
pub(super) unsafe fn word_at(src: *const u8, phase: u32, order: u32) -> u64 {
    // SAFETY: K8: eight bytes, then those from the second to the ninth.
    let get =
        |at: usize| reordered(u64::from_le(unsafe { src.wrapping_add(at).cast::<u64>().read_unaligned() }), order);
    if phase == 0 { get(0) } else { get(0) >> phase | get(1) << (8 - phase) }
}

/// The value of one element, in the low bits.
///
/// # Safety
/// K8, for the element.
pub(crate) unsafe fn element(src: *const u8, bit: i64, packing: Packing) -> u8 {
    // SAFETY: K8: the byte that holds the element may be read.
    unsafe { load(src, bit, packing.element, packing.src_order()) as u8 }
}
