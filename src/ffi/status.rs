//! Status and error
//!
//! Every function that can fail returns a stride_status and takes, as its last argument, a pointer to a stride_error that
//! may be NULL. The record is written on every status but OK. Outputs are written only on success.
//!
//! Rules for all functions. Pointers must be valid for what their type says, and arrays for as many entries as the
//! description says; NULL where a pointer is required is NULL_POINTER, and (NULL, 0) is an empty array. An output may be
//! the same struct as an input. The library keeps no pointer, allocates nothing, prints nothing and has no global state
//! but one word that remembers what the CPU offers. Everything `const` may be shared between threads.
//!
//! A text is written to a buffer of `capacity` bytes: as much as fits, always terminated; `*length` gets the length of the
//! whole text without the terminator, and is required. A buffer that is too small is no error; (NULL, 0) only asks for the
//! length.
#![allow(non_camel_case_types)]

use super::{report, write_text};
use crate::error::{Argument, Error, Status};
use core::ffi::c_char;

/// What a function answers: one of the STRIDE_STATUS_ values. The numbers never change; new ones may be added.
pub type stride_status = i32;

/// Done.
pub const STRIDE_STATUS_OK: i32 = 0;
/// A pointer that is required is null.
pub const STRIDE_STATUS_NULL_POINTER: i32 = 1;
/// A number, flag or structure size outside its range.
pub const STRIDE_STATUS_INVALID_ARGUMENT: i32 = 2;
/// Not a dtype, or not one that serves here.
pub const STRIDE_STATUS_INVALID_DTYPE: i32 = 3;
/// A rank above the limit, or not the rank that the other argument has.
pub const STRIDE_STATUS_INVALID_RANK: i32 = 4;
/// A negative size, or a size that this function cannot take.
pub const STRIDE_STATUS_INVALID_SIZE: i32 = 5;
/// A stride that this function cannot take.
pub const STRIDE_STATUS_INVALID_STRIDE: i32 = 6;
/// Dimension numbers that repeat, are out of range or out of order.
pub const STRIDE_STATUS_INVALID_AXES: i32 = 7;
/// A tile that is not valid.
pub const STRIDE_STATUS_INVALID_TILE: i32 = 8;
/// An index outside its dimension.
pub const STRIDE_STATUS_INDEX_OUT_OF_RANGE: i32 = 9;
/// A product or sum that does not fit 64 bits.
pub const STRIDE_STATUS_OVERFLOW: i32 = 10;
/// Sizes that should be equal are not.
pub const STRIDE_STATUS_SHAPE_MISMATCH: i32 = 20;
/// Sizes that cannot be broadcast together.
pub const STRIDE_STATUS_BROADCAST_MISMATCH: i32 = 21;
/// Element types that should be equal are not.
pub const STRIDE_STATUS_DTYPE_MISMATCH: i32 = 22;
/// An element below the base of the buffer or past its end.
pub const STRIDE_STATUS_OUT_OF_BOUNDS: i32 = 30;
/// Two indices, or two buffers, share bytes where they must not.
pub const STRIDE_STATUS_OVERLAP: i32 = 31;
/// The copy needs scratch memory.
pub const STRIDE_STATUS_SCRATCH_NEEDED: i32 = 32;
/// Text that does not follow the grammar.
pub const STRIDE_STATUS_PARSE: i32 = 40;
/// Valid, but not built in this version.
pub const STRIDE_STATUS_UNSUPPORTED: i32 = 50;
/// The answer is no: the result has no such form.
pub const STRIDE_STATUS_NOT_REPRESENTABLE: i32 = 100;
/// The work budget ended before the answer.
pub const STRIDE_STATUS_UNDECIDED: i32 = 101;

/// No particular one.
pub const STRIDE_ARGUMENT_NONE: u32 = 0;
/// The layout of a function that takes one.
pub const STRIDE_ARGUMENT_LAYOUT: u32 = 1;
/// The destination's layout.
pub const STRIDE_ARGUMENT_DST_LAYOUT: u32 = 2;
/// The source's layout.
pub const STRIDE_ARGUMENT_SRC_LAYOUT: u32 = 3;
/// The destination's memory.
pub const STRIDE_ARGUMENT_DST: u32 = 4;
/// The source's memory.
pub const STRIDE_ARGUMENT_SRC: u32 = 5;
/// The destination's length.
pub const STRIDE_ARGUMENT_DST_BYTES: u32 = 6;
/// The source's length.
pub const STRIDE_ARGUMENT_SRC_BYTES: u32 = 7;
/// Where a result goes.
pub const STRIDE_ARGUMENT_OUT: u32 = 8;
/// An element type.
pub const STRIDE_ARGUMENT_DTYPE: u32 = 9;
/// A rank.
pub const STRIDE_ARGUMENT_RANK: u32 = 10;
/// Sizes.
pub const STRIDE_ARGUMENT_SIZES: u32 = 11;
/// Strides.
pub const STRIDE_ARGUMENT_STRIDES: u32 = 12;
/// A dimension order, fastest varying first.
pub const STRIDE_ARGUMENT_MINOR_TO_MAJOR: u32 = 13;
/// Dimension numbers.
pub const STRIDE_ARGUMENT_AXES: u32 = 14;
/// An index.
pub const STRIDE_ARGUMENT_INDEX: u32 = 15;
/// Where slices begin.
pub const STRIDE_ARGUMENT_STARTS: u32 = 16;
/// Where slices end.
pub const STRIDE_ARGUMENT_STOPS: u32 = 17;
/// Steps of slices.
pub const STRIDE_ARGUMENT_STEPS: u32 = 18;
/// Where the dimensions of a smaller operand go.
pub const STRIDE_ARGUMENT_BROADCAST_DIMENSIONS: u32 = 19;
/// The left of two operands.
pub const STRIDE_ARGUMENT_LHS: u32 = 20;
/// The right of two operands.
pub const STRIDE_ARGUMENT_RHS: u32 = 21;
/// A number of things.
pub const STRIDE_ARGUMENT_COUNT: u32 = 22;
/// Ranks of several operands.
pub const STRIDE_ARGUMENT_RANKS: u32 = 23;
/// Options of a copy.
pub const STRIDE_ARGUMENT_OPTIONS: u32 = 24;
/// A plan.
pub const STRIDE_ARGUMENT_PLAN: u32 = 25;
/// The number of a part.
pub const STRIDE_ARGUMENT_PART: u32 = 26;
/// How many parts.
pub const STRIDE_ARGUMENT_PARTS: u32 = 27;
/// A text buffer.
pub const STRIDE_ARGUMENT_BUFFER: u32 = 28;
/// A length.
pub const STRIDE_ARGUMENT_LENGTH: u32 = 29;
/// A text.
pub const STRIDE_ARGUMENT_TEXT: u32 = 30;
/// An XLA shape.
pub const STRIDE_ARGUMENT_SHAPE: u32 = 31;
/// A DirectML descriptor.
pub const STRIDE_ARGUMENT_DESC: u32 = 32;
/// An element's value.
pub const STRIDE_ARGUMENT_VALUE: u32 = 33;
/// Padded sizes.
pub const STRIDE_ARGUMENT_PADDED_SIZES: u32 = 34;
/// A kind or rule.
pub const STRIDE_ARGUMENT_KIND: u32 = 35;
/// A row pitch.
pub const STRIDE_ARGUMENT_PITCH: u32 = 36;
/// A row-major element number or a position in a buffer.
pub const STRIDE_ARGUMENT_LINEAR: u32 = 37;
/// A DirectML data type.
pub const STRIDE_ARGUMENT_DATA_TYPE: u32 = 38;
/// A DirectML dimension count.
pub const STRIDE_ARGUMENT_DIMENSION_COUNT: u32 = 39;
/// DirectML's TotalTensorSizeInBytes.
pub const STRIDE_ARGUMENT_TOTAL_BYTES: u32 = 40;
/// DirectML's GuaranteedBaseOffsetAlignment.
pub const STRIDE_ARGUMENT_ALIGNMENT: u32 = 41;
/// Flags.
pub const STRIDE_ARGUMENT_FLAGS: u32 = 42;
/// Storage bits of an element.
pub const STRIDE_ARGUMENT_ELEMENT_BITS: u32 = 43;
/// Scratch memory.
pub const STRIDE_ARGUMENT_SCRATCH: u32 = 44;
/// A tile of an XLA shape.
pub const STRIDE_ARGUMENT_TILE: u32 = 45;

/// Why a function did not succeed: which argument, which dimension of it, and the two numbers that do not agree.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct stride_error {
    /// STRIDE_STATUS_...
    pub status: i32,
    /// STRIDE_ARGUMENT_...
    pub argument: u32,
    /// Dimension number, or position in a list of dimension numbers; -1: none.
    pub dimension: i32,
    /// Operand or tile; -1: none.
    pub item: i32,
    /// Byte in a text; UINT64_MAX: none.
    pub position: u64,
    /// The number that was found. Saturated.
    pub lhs: i64,
    /// The number that it was held against. Saturated.
    pub rhs: i64,
    /// Zero.
    pub reserved: [u64; 3],
}

impl From<Error> for stride_error {
    fn from(error: Error) -> Self {
        Self {
            status: error.status.number(),
            argument: error.argument.number(),
            dimension: error.dimension,
            item: error.item,
            position: error.position,
            lhs: error.lhs,
            rhs: error.rhs,
            reserved: [0; 3],
        }
    }
}

/// The word for a status, such as "OVERFLOW"; "UNKNOWN" for a number that is none. Never fails, never NULL.
#[unsafe(no_mangle)]
pub extern "C" fn stride_status_name(status: stride_status) -> *const c_char {
    Status::from_number(status).map_or(c"UNKNOWN", Status::c_name).as_ptr()
}

/// Writes a sentence such as "src_layout, dimension 2: size 5 does not equal 7".
///
/// Returns: NULL_POINTER; INVALID_ARGUMENT if `record` holds a status or argument that is none.
///
/// # Safety
/// `record` and `length` valid or NULL; `buffer` valid for `capacity` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_error_format(
    record: *const stride_error,
    buffer: *mut c_char,
    capacity: u64,
    length: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        report(error, || {
            if record.is_null() {
                return Err(super::null(Argument::None));
            }
            let record = record.read();
            let bad = Error::new(Status::InvalidArgument).numbers(record.status as i64, record.argument as i64);
            let found = Error {
                status: Status::from_number(record.status).ok_or(bad)?,
                argument: Argument::from_number(record.argument).ok_or(bad)?,
                dimension: record.dimension,
                item: record.item,
                position: record.position,
                lhs: record.lhs,
                rhs: record.rhs,
            };
            write_text(buffer, capacity, length, &found)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_the_numbers_of_the_core() {
        assert_eq!(STRIDE_STATUS_OK, Status::Ok.number());
        assert_eq!(STRIDE_STATUS_NULL_POINTER, Status::NullPointer.number());
        assert_eq!(STRIDE_STATUS_INVALID_ARGUMENT, Status::InvalidArgument.number());
        assert_eq!(STRIDE_STATUS_INVALID_DTYPE, Status::InvalidDtype.number());
        assert_eq!(STRIDE_STATUS_INVALID_RANK, Status::InvalidRank.number());
        assert_eq!(STRIDE_STATUS_INVALID_SIZE, Status::InvalidSize.number());
        assert_eq!(STRIDE_STATUS_INVALID_STRIDE, Status::InvalidStride.number());
        assert_eq!(STRIDE_STATUS_INVALID_AXES, Status::InvalidAxes.number());
        assert_eq!(STRIDE_STATUS_INVALID_TILE, Status::InvalidTile.number());
        assert_eq!(STRIDE_STATUS_INDEX_OUT_OF_RANGE, Status::IndexOutOfRange.number());
        assert_eq!(STRIDE_STATUS_OVERFLOW, Status::Overflow.number());
        assert_eq!(STRIDE_STATUS_SHAPE_MISMATCH, Status::ShapeMismatch.number());
        assert_eq!(STRIDE_STATUS_BROADCAST_MISMATCH, Status::BroadcastMismatch.number());
        assert_eq!(STRIDE_STATUS_DTYPE_MISMATCH, Status::DtypeMismatch.number());
        assert_eq!(STRIDE_STATUS_OUT_OF_BOUNDS, Status::OutOfBounds.number());
        assert_eq!(STRIDE_STATUS_OVERLAP, Status::Overlap.number());
        assert_eq!(STRIDE_STATUS_SCRATCH_NEEDED, Status::ScratchNeeded.number());
        assert_eq!(STRIDE_STATUS_PARSE, Status::Parse.number());
        assert_eq!(STRIDE_STATUS_UNSUPPORTED, Status::Unsupported.number());
        assert_eq!(STRIDE_STATUS_NOT_REPRESENTABLE, Status::NotRepresentable.number());
        assert_eq!(STRIDE_STATUS_UNDECIDED, Status::Undecided.number());
        assert_eq!(STRIDE_ARGUMENT_NONE, Argument::None.number());
        assert_eq!(STRIDE_ARGUMENT_LAYOUT, Argument::Layout.number());
        assert_eq!(STRIDE_ARGUMENT_DST_LAYOUT, Argument::DstLayout.number());
        assert_eq!(STRIDE_ARGUMENT_SRC_LAYOUT, Argument::SrcLayout.number());
        assert_eq!(STRIDE_ARGUMENT_DST, Argument::Dst.number());
        assert_eq!(STRIDE_ARGUMENT_SRC, Argument::Src.number());
        assert_eq!(STRIDE_ARGUMENT_DST_BYTES, Argument::DstBytes.number());
        assert_eq!(STRIDE_ARGUMENT_SRC_BYTES, Argument::SrcBytes.number());
        assert_eq!(STRIDE_ARGUMENT_OUT, Argument::Out.number());
        assert_eq!(STRIDE_ARGUMENT_DTYPE, Argument::Dtype.number());
        assert_eq!(STRIDE_ARGUMENT_RANK, Argument::Rank.number());
        assert_eq!(STRIDE_ARGUMENT_SIZES, Argument::Sizes.number());
        assert_eq!(STRIDE_ARGUMENT_STRIDES, Argument::Strides.number());
        assert_eq!(STRIDE_ARGUMENT_MINOR_TO_MAJOR, Argument::MinorToMajor.number());
        assert_eq!(STRIDE_ARGUMENT_AXES, Argument::Axes.number());
        assert_eq!(STRIDE_ARGUMENT_INDEX, Argument::Index.number());
        assert_eq!(STRIDE_ARGUMENT_STARTS, Argument::Starts.number());
        assert_eq!(STRIDE_ARGUMENT_STOPS, Argument::Stops.number());
        assert_eq!(STRIDE_ARGUMENT_STEPS, Argument::Steps.number());
        assert_eq!(STRIDE_ARGUMENT_BROADCAST_DIMENSIONS, Argument::BroadcastDimensions.number());
        assert_eq!(STRIDE_ARGUMENT_LHS, Argument::Lhs.number());
        assert_eq!(STRIDE_ARGUMENT_RHS, Argument::Rhs.number());
        assert_eq!(STRIDE_ARGUMENT_COUNT, Argument::Count.number());
        assert_eq!(STRIDE_ARGUMENT_RANKS, Argument::Ranks.number());
        assert_eq!(STRIDE_ARGUMENT_OPTIONS, Argument::Options.number());
        assert_eq!(STRIDE_ARGUMENT_PLAN, Argument::Plan.number());
        assert_eq!(STRIDE_ARGUMENT_PART, Argument::Part.number());
        assert_eq!(STRIDE_ARGUMENT_PARTS, Argument::Parts.number());
        assert_eq!(STRIDE_ARGUMENT_BUFFER, Argument::Buffer.number());
        assert_eq!(STRIDE_ARGUMENT_LENGTH, Argument::Length.number());
        assert_eq!(STRIDE_ARGUMENT_TEXT, Argument::Text.number());
        assert_eq!(STRIDE_ARGUMENT_SHAPE, Argument::Shape.number());
        assert_eq!(STRIDE_ARGUMENT_DESC, Argument::Desc.number());
        assert_eq!(STRIDE_ARGUMENT_VALUE, Argument::Value.number());
        assert_eq!(STRIDE_ARGUMENT_PADDED_SIZES, Argument::PaddedSizes.number());
        assert_eq!(STRIDE_ARGUMENT_KIND, Argument::Kind.number());
        assert_eq!(STRIDE_ARGUMENT_PITCH, Argument::Pitch.number());
        assert_eq!(STRIDE_ARGUMENT_LINEAR, Argument::Linear.number());
        assert_eq!(STRIDE_ARGUMENT_DATA_TYPE, Argument::DataType.number());
        assert_eq!(STRIDE_ARGUMENT_DIMENSION_COUNT, Argument::DimensionCount.number());
        assert_eq!(STRIDE_ARGUMENT_TOTAL_BYTES, Argument::TotalBytes.number());
        assert_eq!(STRIDE_ARGUMENT_ALIGNMENT, Argument::Alignment.number());
        assert_eq!(STRIDE_ARGUMENT_FLAGS, Argument::Flags.number());
        assert_eq!(STRIDE_ARGUMENT_ELEMENT_BITS, Argument::ElementBits.number());
        assert_eq!(STRIDE_ARGUMENT_SCRATCH, Argument::Scratch.number());
        assert_eq!(STRIDE_ARGUMENT_TILE, Argument::Tile.number());
    }
}
