//! Element types
//!
//! The numbers are those of XLA's PrimitiveType, the names XLA's. libstride moves bits and never looks at what they mean.
//! Elements below a byte are packed without gaps; the first one lies in the low bits of its byte (DLPack, ONNX, DirectML),
//! or in the high bits with STRIDE_DTYPE_HIGH_FIRST (XLA). An element of any number n of bytes is STRIDE_DTYPE_BYTES | n.
#![allow(non_camel_case_types)]

use super::status::{stride_error, stride_status};
use super::{Output, array, report, write_text};
use crate::error::{Argument, Error, Result, Status};
use crate::model::Dtype;
use core::ffi::c_char;

/// `pred`, 8 bits.
pub const STRIDE_DTYPE_PRED: u32 = 1;
/// `s1`, 1 bit.
pub const STRIDE_DTYPE_S1: u32 = 30;
/// `s2`, 2 bits.
pub const STRIDE_DTYPE_S2: u32 = 26;
/// `s4`, 4 bits.
pub const STRIDE_DTYPE_S4: u32 = 21;
/// `s8`, 8 bits.
pub const STRIDE_DTYPE_S8: u32 = 2;
/// `s16`, 16 bits.
pub const STRIDE_DTYPE_S16: u32 = 3;
/// `s32`, 32 bits.
pub const STRIDE_DTYPE_S32: u32 = 4;
/// `s64`, 64 bits.
pub const STRIDE_DTYPE_S64: u32 = 5;
/// `u1`, 1 bit.
pub const STRIDE_DTYPE_U1: u32 = 31;
/// `u2`, 2 bits.
pub const STRIDE_DTYPE_U2: u32 = 27;
/// `u4`, 4 bits.
pub const STRIDE_DTYPE_U4: u32 = 22;
/// `u8`, 8 bits.
pub const STRIDE_DTYPE_U8: u32 = 6;
/// `u16`, 16 bits.
pub const STRIDE_DTYPE_U16: u32 = 7;
/// `u32`, 32 bits.
pub const STRIDE_DTYPE_U32: u32 = 8;
/// `u64`, 64 bits.
pub const STRIDE_DTYPE_U64: u32 = 9;
/// `f4e2m1fn`, 4 bits.
pub const STRIDE_DTYPE_F4E2M1FN: u32 = 32;
/// `f8e3m4`, 8 bits.
pub const STRIDE_DTYPE_F8E3M4: u32 = 29;
/// `f8e4m3`, 8 bits.
pub const STRIDE_DTYPE_F8E4M3: u32 = 28;
/// `f8e4m3fn`, 8 bits.
pub const STRIDE_DTYPE_F8E4M3FN: u32 = 20;
/// `f8e4m3b11fnuz`, 8 bits.
pub const STRIDE_DTYPE_F8E4M3B11FNUZ: u32 = 23;
/// `f8e4m3fnuz`, 8 bits.
pub const STRIDE_DTYPE_F8E4M3FNUZ: u32 = 25;
/// `f8e5m2`, 8 bits.
pub const STRIDE_DTYPE_F8E5M2: u32 = 19;
/// `f8e5m2fnuz`, 8 bits.
pub const STRIDE_DTYPE_F8E5M2FNUZ: u32 = 24;
/// `f8e8m0fnu`, 8 bits.
pub const STRIDE_DTYPE_F8E8M0FNU: u32 = 33;
/// `f16`, 16 bits.
pub const STRIDE_DTYPE_F16: u32 = 10;
/// `bf16`, 16 bits.
pub const STRIDE_DTYPE_BF16: u32 = 16;
/// `f32`, 32 bits.
pub const STRIDE_DTYPE_F32: u32 = 11;
/// `f64`, 64 bits.
pub const STRIDE_DTYPE_F64: u32 = 12;
/// `c64`, 64 bits.
pub const STRIDE_DTYPE_C64: u32 = 15;
/// `c128`, 128 bits.
pub const STRIDE_DTYPE_C128: u32 = 18;
/// Flag of a type below a byte: the first element lies in the high bits of its byte.
pub const STRIDE_DTYPE_HIGH_FIRST: u32 = 0x4000_0000;
/// Flag of an element of that many bytes, 1 to 2^24 - 1, without a meaning.
pub const STRIDE_DTYPE_BYTES: u32 = 0x8000_0000;

/// The type of an element of `bytes` bytes: structs, 12-byte pixels.
///
/// Returns: INVALID_DTYPE unless 1 <= bytes < 2^24.
///
/// # Safety
/// `out` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_dtype_bytes(bytes: u32, out: *mut u32, error: *mut stride_error) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        report(error, || {
            let out = Output::new(out, Argument::Out)?;
            out.write(Dtype::bytes(bytes)?.code());
            Ok(())
        })
    }
}

/// Bits of one element, 1 and more.
///
/// Returns: INVALID_DTYPE.
///
/// # Safety
/// `out` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_dtype_bits(dtype: u32, out: *mut u32, error: *mut stride_error) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        report(error, || {
            let out = Output::new(out, Argument::Out)?;
            out.write(Dtype::new(dtype)?.bits() as u32);
            Ok(())
        })
    }
}

/// Writes the name: "f32", "bytes12", "s4", and "s4:high" with STRIDE_DTYPE_HIGH_FIRST.
///
/// Returns: INVALID_DTYPE.
///
/// # Safety
/// `buffer` valid for `capacity` bytes; `length` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_dtype_name(
    dtype: u32,
    buffer: *mut c_char,
    capacity: u64,
    length: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe { report(error, || write_text(buffer, capacity, length, &Dtype::new(dtype)?)) }
}

/// The type with this name, the inverse of `stride_dtype_name`. `length` counts the bytes of `text`.
///
/// Returns: PARSE if there is no such name.
///
/// # Safety
/// `text` valid for `length` bytes; `out` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_dtype_parse(
    text: *const c_char,
    length: u64,
    out: *mut u32,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        report(error, || {
            let text = text_in(text, length)?;
            let out = Output::new(out, Argument::Out)?;
            out.write(Dtype::parse(text)?.code());
            Ok(())
        })
    }
}

/// The bytes of a text from outside; INVALID_ARGUMENT for a length that no text has.
///
/// # Safety
/// `text` valid for `length` bytes while the result lives, or null.
pub(super) unsafe fn text_in<'a>(text: *const c_char, length: u64) -> Result<&'a [u8]> {
    let limit = isize::MAX as u64;
    if length > limit {
        let error = Error::new(Status::InvalidArgument).argument(Argument::Length);
        return Err(error.wide_numbers(length as i128, limit as i128));
    }
    // SAFETY: as promised to this function.
    unsafe { array(text.cast::<u8>(), length as usize, Argument::Text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_the_numbers_of_the_core() {
        assert_eq!(STRIDE_DTYPE_PRED, Dtype::PRED.code());
        assert_eq!(STRIDE_DTYPE_S1, Dtype::S1.code());
        assert_eq!(STRIDE_DTYPE_S2, Dtype::S2.code());
        assert_eq!(STRIDE_DTYPE_S4, Dtype::S4.code());
        assert_eq!(STRIDE_DTYPE_S8, Dtype::S8.code());
        assert_eq!(STRIDE_DTYPE_S16, Dtype::S16.code());
        assert_eq!(STRIDE_DTYPE_S32, Dtype::S32.code());
        assert_eq!(STRIDE_DTYPE_S64, Dtype::S64.code());
        assert_eq!(STRIDE_DTYPE_U1, Dtype::U1.code());
        assert_eq!(STRIDE_DTYPE_U2, Dtype::U2.code());
        assert_eq!(STRIDE_DTYPE_U4, Dtype::U4.code());
        assert_eq!(STRIDE_DTYPE_U8, Dtype::U8.code());
        assert_eq!(STRIDE_DTYPE_U16, Dtype::U16.code());
        assert_eq!(STRIDE_DTYPE_U32, Dtype::U32.code());
        assert_eq!(STRIDE_DTYPE_U64, Dtype::U64.code());
        assert_eq!(STRIDE_DTYPE_F4E2M1FN, Dtype::F4E2M1FN.code());
        assert_eq!(STRIDE_DTYPE_F8E3M4, Dtype::F8E3M4.code());
        assert_eq!(STRIDE_DTYPE_F8E4M3, Dtype::F8E4M3.code());
        assert_eq!(STRIDE_DTYPE_F8E4M3FN, Dtype::F8E4M3FN.code());
        assert_eq!(STRIDE_DTYPE_F8E4M3B11FNUZ, Dtype::F8E4M3B11FNUZ.code());
        assert_eq!(STRIDE_DTYPE_F8E4M3FNUZ, Dtype::F8E4M3FNUZ.code());
        assert_eq!(STRIDE_DTYPE_F8E5M2, Dtype::F8E5M2.code());
        assert_eq!(STRIDE_DTYPE_F8E5M2FNUZ, Dtype::F8E5M2FNUZ.code());
        assert_eq!(STRIDE_DTYPE_F8E8M0FNU, Dtype::F8E8M0FNU.code());
        assert_eq!(STRIDE_DTYPE_F16, Dtype::F16.code());
        assert_eq!(STRIDE_DTYPE_BF16, Dtype::BF16.code());
        assert_eq!(STRIDE_DTYPE_F32, Dtype::F32.code());
        assert_eq!(STRIDE_DTYPE_F64, Dtype::F64.code());
        assert_eq!(STRIDE_DTYPE_C64, Dtype::C64.code());
        assert_eq!(STRIDE_DTYPE_C128, Dtype::C128.code());
        assert_eq!((STRIDE_DTYPE_HIGH_FIRST, STRIDE_DTYPE_BYTES), (Dtype::HIGH_FIRST, Dtype::BYTES));
    }
}
