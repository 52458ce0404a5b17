//! Structs that may grow: their first field is the size that the caller's version has.

use super::boundary::{Output, check_given};
use super::status::{report, stride_status};
use crate::error::{Argument, Detail, Result, Status};

/// The largest size of a struct that is read or written.
const LARGEST: u32 = 4096;

/// Writes the struct of the defaults: its size, and zeros.
///
/// # Safety
/// `out` is null or writable, and zeros are a value of its type, whose first field is a `u32`.
pub(super) unsafe fn init_sized<T>(out: *mut T) -> stride_status {
    report!(core::ptr::null_mut(), {
        Output::new(out, Argument::Out)?;
        out.write_bytes(0, 1);
        out.cast::<u32>().write(size_of::<T>() as u32);
    })
}

/// The size in the first field. INVALID_ARGUMENT below that of the first version, `least`; above 4096; and for a size
/// that is smaller than this version's and at which no field ends.
///
/// # Safety
/// The first field, a `u32`, is readable.
#[inline(always)]
unsafe fn size_given<T>(pointer: *const T, least: usize, argument: Argument) -> Result<u32> {
    // SAFETY: the first field is readable (# Safety).
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

/// Checks an input struct and returns its size: it has the fields of the first version, and zeros after those of this
/// version, where a newer field would ask for more.
///
/// # Safety
/// `pointer` is readable for as many bytes as its first field says, at least 4.
#[inline(always)]
pub(super) unsafe fn check_sized_input<T>(pointer: *const T, least: usize, argument: Argument) -> Result<usize> {
    // SAFETY: 4 bytes are readable (# Safety).
    let given = unsafe { size_given(pointer, least, argument)? };
    let known = size_of::<T>() as u32;
    for byte in known..given {
        // SAFETY: below the size given, up to which all is readable (# Safety).
        let value = unsafe { pointer.cast::<u8>().wrapping_add(byte as usize).read() };
        if value != 0 {
            return Err(Status::InvalidArgument.of(argument).because(Detail::StructTail, byte as i64, known as i64));
        }
    }
    Ok(given as usize)
}

/// Reads an input struct; fields that the caller's version lacks are 0.
///
/// # Safety
/// `pointer` is null, or readable for as many bytes as its first field says, at least 4. Zeros are a value of `T`.
pub(super) unsafe fn read_sized<T: Copy>(pointer: *const T, least: usize, argument: Argument) -> Result<T> {
    check_given(pointer, argument)?;
    // SAFETY: not null (`check_given`); readable for the size that `check_sized_input` returns (# Safety), of which no
    // more is copied than `given` has; zeros are a `T`.
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
    /// INVALID_ARGUMENT for a size below that of `T` or above 4096.
    ///
    /// # Safety
    /// `pointer` is null, or a struct whose first field, a readable `u32`, is its size.
    pub(super) unsafe fn new(pointer: *mut T, argument: Argument) -> Result<Self> {
        check_given(pointer, argument)?;
        // SAFETY: not null (`check_given`); the first field is readable (# Safety).
        let bytes = unsafe { size_given(pointer.cast_const(), size_of::<T>(), argument)? };
        Ok(Self { pointer, bytes: bytes as usize })
    }

    /// Writes all but the first field, and zeros after the fields of `T`.
    ///
    /// # Safety
    /// The struct given to `new` is writable for its size; `T` has no padding.
    pub(super) unsafe fn write(self, value: &T) {
        let size_field = size_of::<u32>();
        let (to, from) = (self.pointer.cast::<u8>(), core::ptr::from_ref(value).cast::<u8>());
        let known = size_of::<T>().min(self.bytes);
        // SAFETY: the caller's struct is writable for `bytes` (# Safety), of which `known` are copied from a `T`, which
        // lies apart, and the others zeroed.
        unsafe {
            let rest = known.saturating_sub(size_field);
            core::ptr::copy_nonoverlapping(from.wrapping_add(size_field), to.wrapping_add(size_field), rest);
            core::ptr::write_bytes(to.wrapping_add(known), 0, self.bytes - known);
        }
    }
}
