//! Structs that may grow: their first field says how much of it the caller has.

use super::boundary::{Output, null, report};
use super::status::stride_status;
use crate::error::{Argument, Detail, Error, Result, Status};

/// The size from which on a struct is refused rather than read or written.
const LARGEST: u32 = 4096;

/// Writes a struct that says nothing yet: its size, and zeros.
///
/// # Safety
/// `out` is null or may be written, and zeros are a value of its type.
pub(super) unsafe fn init_sized<T>(out: *mut T) -> stride_status {
    // SAFETY: as promised to this function; the first field is a `u32`.
    unsafe {
        report(core::ptr::null_mut(), || {
            Output::new(out, Argument::Out)?;
            out.write_bytes(0, 1);
            out.cast::<u32>().write(size_of::<T>() as u32);
            Ok(())
        })
    }
}

/// What the first field says; INVALID_ARGUMENT below what this version knows, but for the size of the first version,
/// `least`, and above 4096.
///
/// # Safety
/// The first field, a `u32`, may be read.
#[inline(always)]
unsafe fn size_given<T>(pointer: *const T, least: usize, argument: Argument) -> Result<u32> {
    // SAFETY: as promised to this function.
    let bytes = unsafe { pointer.cast::<u32>().read() };
    let error = Error::new(Status::InvalidArgument).argument(argument);
    let known = size_of::<T>();
    if (bytes as usize) < known && bytes as usize != least {
        let needed = if (bytes as usize) < least { least } else { known };
        return Err(error.because(Detail::StructSize, bytes as i64, needed as i64));
    }
    if bytes > LARGEST {
        return Err(error.because(Detail::Above, bytes as i64, LARGEST as i64));
    }
    Ok(bytes)
}

/// Checks a struct that asks for something: it has what its first version had, and nothing but zeros behind what this
/// version knows, where a newer field would ask for more. The bytes that there are.
///
/// # Safety
/// As many bytes may be read as the struct says, at least 4.
#[inline(always)]
pub(super) unsafe fn check_sized_input<T>(pointer: *const T, least: usize, argument: Argument) -> Result<usize> {
    // SAFETY: as promised to this function.
    let given = unsafe { size_given(pointer, least, argument)? };
    let known = size_of::<T>() as u32;
    for byte in known..given {
        // SAFETY: below the size given.
        let value = unsafe { pointer.cast::<u8>().wrapping_add(byte as usize).read() };
        if value != 0 {
            let error = Error::new(Status::InvalidArgument).argument(argument);
            return Err(error.because(Detail::StructTail, byte as i64, known as i64));
        }
    }
    Ok(given as usize)
}

/// A pointer to a struct that is written as far as the caller has it.
pub(super) struct SizedOutput<T> {
    pointer: *mut T,
    bytes: usize,
}

impl<T> SizedOutput<T> {
    /// INVALID_ARGUMENT as [`size_given`] says.
    ///
    /// # Safety
    /// Null, or a struct whose first field, a `u32`, may be read, and that is as large as this says.
    pub(super) unsafe fn new(pointer: *mut T, argument: Argument) -> Result<Self> {
        if pointer.is_null() {
            return Err(null(argument));
        }
        // SAFETY: not null, and the first field is the caller's to read.
        let bytes = unsafe { size_given(pointer.cast_const(), size_of::<T>(), argument)? };
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
