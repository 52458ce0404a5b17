//! Element types
//!
//! Numbers and names are those of XLA's PrimitiveType. Without a stride_conversion, values are never converted: bits
//! are copied as they are. Elements smaller than a byte are packed without gaps; the first one lies in the low bits of
//! its byte (DLPack, ONNX, DirectML, XLA), or in the high bits with STRIDE_DTYPE_HIGH_FIRST (XLA before 2025).
//!
//! Numbers of several bytes lie in this machine's byte order, or in the other one with STRIDE_DTYPE_SWAPPED (">f4" on
//! x86-64). A copy between the two swaps the bytes; of a complex number, those of each part. An element of any number n
//! of bytes is STRIDE_DTYPE_BYTES | n; it has no byte order, and is copied unchanged to and from every type of the same
//! width.
//!
//! Example: a pixel of three floats is one element of 12 bytes.
//!
//!   uint32_t pixel, bits;
//!   stride_dtype_from_bytes(12, &pixel, NULL);
//!   stride_dtype_bits(pixel, &bits, NULL);
//!   assert(bits == 96 && pixel == (STRIDE_DTYPE_BYTES | 12));

use super::boundary::{Output, text_in, write_text};
use super::status::{report, stride_error, stride_status};
use crate::error::Argument;
use crate::model::Dtype;
use core::ffi::c_char;

/// Flag of a type smaller than a byte: the first element lies in the high bits of its byte.
pub const STRIDE_DTYPE_HIGH_FIRST: u32 = 0x4000_0000;
/// Flag of a number of several bytes: they lie in the byte order that this machine does not have.
pub const STRIDE_DTYPE_SWAPPED: u32 = 0x2000_0000;
/// Flag: the low 24 bits are an element's bytes, 1 to 2^24 - 1, without a type.
pub const STRIDE_DTYPE_BYTES: u32 = 0x8000_0000;

/// The type of an element of `bytes` bytes: structs, 12-byte pixels.
///
/// Returns: INVALID_DTYPE unless 1 <= bytes < 2^24.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_dtype_from_bytes(bytes: u32, out: *mut u32, error: *mut stride_error) -> stride_status {
    report!(error, Output::new(out, Argument::Out)?.write_found(Dtype::bytes(bytes).map(Dtype::code)))
}

/// Bits of one element, 1 and more.
///
/// Returns: INVALID_DTYPE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_dtype_bits(dtype: u32, out: *mut u32, error: *mut stride_error) -> stride_status {
    let bits = |dtype: Dtype| dtype.bits() as u32;
    report!(error, Output::new(out, Argument::Out)?.write_found(Dtype::new(dtype).map(bits)))
}

/// Writes the name: "f32", "bytes12", "s4", "s4:high" with STRIDE_DTYPE_HIGH_FIRST and "f32:swapped" with
/// STRIDE_DTYPE_SWAPPED. At most 13 characters.
///
/// Arrays: buffer[capacity], length or NULL.
///
/// Returns: INVALID_DTYPE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_dtype_name(
    dtype: u32,
    buffer: *mut c_char,
    capacity: u64,
    length: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, write_text(buffer, capacity, length, &Dtype::new(dtype)?))
}

/// The type with this name, the inverse of `stride_dtype_name`. `length` counts the bytes of `text`.
///
/// Arrays: text[length].
///
/// Returns: PARSE if there is no such name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_dtype_parse(
    text: *const c_char,
    length: u64,
    out: *mut u32,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let text = text_in(text, length)?;
        Output::new(out, Argument::Out)?.write_found(Dtype::parse(text).map(Dtype::code))
    })
}
