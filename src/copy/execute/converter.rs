//! What converts the pieces of a transpose as they leave the stage.

use super::super::kernels::convert::{Conversion as How, Convert, Rooms};

/// What converts the pieces of a transpose, whose numbers have no lists.
pub struct Converter<'a> {
    pub how: How<'a>,
    pub convert: Convert,
    pub rooms: *mut Rooms,
    /// The destination: places count from here as well.
    pub dst: *mut u8,
    /// Bytes of a number of the source and of the destination, as powers of two.
    pub widths: [u32; 2],
    pub swapped: [bool; 2],
}

impl Converter<'_> {
    /// Where the element goes whose place is this.
    pub fn place(&self, place: *mut u8) -> *mut u8 {
        self.dst.wrapping_add(self.bytes(place.addr().wrapping_sub(self.dst.addr())))
    }

    /// Bytes of the destination for so many of the source.
    pub fn bytes(&self, bytes: usize) -> usize {
        let [src, dst] = self.widths;
        bytes >> src << dst
    }

    /// Converts so many bytes.
    ///
    /// # Safety
    /// They may be read, and what they become may be written.
    pub unsafe fn run(&self, to: *mut u8, made: *mut u8, bytes: usize) {
        let ([src, dst], [src_swapped, dst_swapped]) = (self.widths, self.swapped);
        // SAFETY: as promised to this function; the rooms belong to this converter alone.
        unsafe {
            if src_swapped {
                swap(made, bytes, 1 << src);
            }
            (self.convert)(to, made, bytes >> src, &self.how, &mut *self.rooms);
            if dst_swapped {
                swap(to, self.bytes(bytes), 1 << dst);
            }
        }
    }
}

/// Swaps the bytes of numbers.
///
/// # Safety
/// So many bytes may be read and written.
pub(super) unsafe fn swap(at: *mut u8, bytes: usize, width: usize) {
    for number in (0..bytes / width.max(1)).map(|k| at.wrapping_add(k * width)) {
        for (low, high) in (0..width / 2).map(|low| (low, width - 1 - low)) {
            // SAFETY: as promised to this function.
            unsafe { core::ptr::swap(number.wrapping_add(low), number.wrapping_add(high)) };
        }
    }
}
