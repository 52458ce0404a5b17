//! Structs of answers that may grow: their first field says how much of it the caller has.

use super::boundary::null;
use crate::error::{Argument, Detail, Error, Result, Status};

/// A pointer to a struct that is written as far as the caller has it, which its first field says.
pub(super) struct SizedOutput<T> {
    pointer: *mut T,
    bytes: usize,
}

impl<T> SizedOutput<T> {
    /// The size from which on a struct is refused rather than written.
    const LARGEST: u32 = 4096;

    /// INVALID_ARGUMENT for a size below `T`'s, or above 4096. (Where a `T` grows, the size of its first version is the least.)
    ///
    /// # Safety
    /// Null, or a struct whose first field, a `u32`, may be read, and that is as large as this says.
    pub(super) unsafe fn new(pointer: *mut T, argument: Argument) -> Result<Self> {
        if pointer.is_null() {
            return Err(null(argument));
        }
        // SAFETY: not null, and the first field is the caller's to read.
        let bytes = unsafe { pointer.cast::<u32>().read() };
        let error = Error::new(Status::InvalidArgument).argument(argument);
        let known = size_of::<T>() as u32;
        if bytes < known {
            return Err(error.because(Detail::StructSize, bytes as i64, known as i64));
        }
        if bytes > Self::LARGEST {
            return Err(error.because(Detail::Above, bytes as i64, Self::LARGEST as i64));
        }
        Ok(Self { pointer, bytes: bytes as usize })
    }

    /// Writes all but the first field, and 0 behind what `T` knows.
    ///
    /// # Safety
    /// The struct given to `new` may be written; `T` has no padding.
    pub(super) unsafe fn write(self, value: &T) {
        let size_field = size_of::<u32>();
        let (to, from) = (self.pointer.cast::<u8>(), core::ptr::from_ref(value).cast::<u8>());
        let known = size_of::<T>().min(self.bytes);
        // SAFETY: both are `T`s, apart from each other, the caller's one followed by the rest of its `bytes`.
        unsafe {
            let rest = known.saturating_sub(size_field);
            core::ptr::copy_nonoverlapping(from.wrapping_add(size_field), to.wrapping_add(size_field), rest);
            core::ptr::write_bytes(to.wrapping_add(known), 0, self.bytes - known);
        }
    }
}
