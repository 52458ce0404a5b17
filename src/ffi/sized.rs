//! Structs that may grow: their first field says how much of it the caller has.

use super::boundary::{Output, check_given};
use super::status::{report, stride_status};
use crate::error::{Argument, Detail, Result, Status};

/// The size from which on a struct is refused rather than read or written.
const LARGEST: u32 = 4096;

/// Writes a struct that says nothing yet: its size, and zeros.
///
/// # Safety
/// `out` is null or may be written, and zeros are a value of its type, whose first field is a `u32`.
pub(super) unsafe fn init_sized<T>(out: *mut T) -> stride_status {
    report!(core::ptr::null_mut(), {
        Output::new(out, Argument::Out)?;
        out.write_bytes(0, 1);
        out.cast::<u32>().write(size_of::<T>() as u32);
    })
}

/// What the first field says; INVALID_ARGUMENT below the size of the first version, `least`, for a size between it and
/// what this version knows at which no field ends, and above 4096.
///
/// # Safety
/// The first field, a `u32`, may be read.
#[inline(always)]
unsafe fn size_given<T>(pointer: *const T, least: usize, argument: Argument) -> Result<u32> {
    // SAFETY: as promised to this function.
    let bytes = unsafe { pointer.cast::<u32>().read() };
    let error = Status::InvalidArgument.of(argument);
    let known = size_of::<T>();
    if (bytes as usize) < least || (bytes as usize) < known && bytes % 8 != 0 {
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
            return Err(Status::InvalidArgument.of(argument).because(Detail::StructTail, byte as i64, known as i64));
        }
    }
    Ok(given as usize)
}

/// Reads a struct that asks for something; what the caller's version lacks is 0.
///
/// # Safety
/// As [`check_sized_input`], or null; zeros are a value of `T`.
pub(super) unsafe fn read_sized<T: Copy>(pointer: *const T, least: usize, argument: Argument) -> Result<T> {
    check_given(pointer, argument)?;
    // SAFETY: as promised to this function.
    unsafe {
        let bytes = check_sized_input(pointer, least, argument)?.min(size_of::<T>());
        let mut given = core::mem::zeroed::<T>();
        core::ptr::copy_nonoverlapping(pointer.cast::<u8>(), (&raw mut given).cast(), bytes);
        Ok(given)
    }
}

/// A struct of C's and one of the core's, each made of the other: the size, fields of the same names, and zeros.
macro_rules! same_fields {
    ($c:ident, $core:ident: $($field:ident)*; $($zero:ident)*) => {
        impl From<$core> for $c {
            fn from(of: $core) -> Self {
                Self { struct_size: size_of::<Self>() as u32, $($field: of.$field,)* $($zero: 0,)* }
            }
        }

        impl From<$c> for $core {
            fn from(given: $c) -> Self {
                Self { $($field: given.$field,)* }
            }
        }
    };
}
pub(super) use same_fields;

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
        check_given(pointer, argument)?;
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
