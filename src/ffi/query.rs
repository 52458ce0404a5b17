//! Questions about a layout
//!
//! Each answers in a few nanoseconds to microseconds, touches no tensor memory and checks the layout first, so besides the
//! statuses named every one returns what is wrong with the struct: INVALID_DTYPE, INVALID_RANK, INVALID_SIZE, OVERFLOW.
#![allow(non_camel_case_types)]

use super::layout::stride_layout;
use super::status::{stride_error, stride_status};
use super::{Output, array, checked_rank, read_layout, report, write_text};
use crate::error::{Argument, Result};
use crate::model::MAX_RANK;
use core::ffi::c_char;

/// Format: row-major without gaps.
pub const STRIDE_FORMAT_PACKED: u32 = 1;
/// Format: the first dimension varies fastest, without gaps.
pub const STRIDE_FORMAT_COLUMN_MAJOR: u32 = 2;
/// Format: without gaps in some order of the dimensions, each element once; signs of strides do not count.
pub const STRIDE_FORMAT_DENSE: u32 = 4;
/// Format: NHWC (rank 4) or NDHWC (rank 5) without gaps, as PyTorch's is_contiguous(channels_last) tells.
pub const STRIDE_FORMAT_CHANNELS_LAST: u32 = 8;

/// Whether the struct is a valid layout; the error says what is wrong with it.
///
/// Returns: NULL_POINTER; INVALID_DTYPE; INVALID_RANK; INVALID_SIZE; OVERFLOW.
///
/// # Safety
/// `layout` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_validate(
    layout: *const stride_layout,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe { report(error, || read_layout(layout, Argument::Layout).map(|_| ())) }
}

/// Number of elements: the product of the sizes, 1 for rank 0.
///
/// Returns: NULL_POINTER, or what is wrong with `layout`.
///
/// # Safety
/// `layout` and `out` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_element_count(
    layout: *const stride_layout,
    out: *mut i64,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        report(error, || {
            let layout = read_layout(layout, Argument::Layout)?;
            Output::new(out, Argument::Out)?.write(layout.element_count());
            Ok(())
        })
    }
}

/// Lowest and highest element offset that any index reaches; 0 and -1 if the layout is empty.
///
/// Returns: NULL_POINTER, or what is wrong with `layout`.
///
/// # Safety
/// `layout`, `lowest` and `highest` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_span(
    layout: *const stride_layout,
    lowest: *mut i64,
    highest: *mut i64,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        report(error, || {
            let span = read_layout(layout, Argument::Layout)?.span();
            let (lowest, highest) = (Output::new(lowest, Argument::Out)?, Output::new(highest, Argument::Out)?);
            lowest.write(span.0);
            highest.write(span.1);
            Ok(())
        })
    }
}

/// Bytes that the buffer must have: ceil((highest offset + 1) * element bits / 8); 0 if the layout is empty.
///
/// Returns: NULL_POINTER; OUT_OF_BOUNDS if an element lies below the base pointer (see `stride_layout_rebase`).
///
/// # Safety
/// `layout` and `out` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_min_bytes(
    layout: *const stride_layout,
    out: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        report(error, || {
            let layout = read_layout(layout, Argument::Layout)?;
            let out = Output::new(out, Argument::Out)?;
            out.write(layout.min_bytes()?);
            Ok(())
        })
    }
}

/// Element offset of an index from the base pointer: offset + index . strides.
///
/// Returns: NULL_POINTER; INVALID_RANK if `rank` is not the layout's; INDEX_OUT_OF_RANGE with the dimension.
///
/// # Safety
/// `index` holds `rank` entries; `layout` and `out` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_offset(
    layout: *const stride_layout,
    rank: u32,
    index: *const i64,
    out: *mut i64,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        report(error, || {
            let layout = read_layout(layout, Argument::Layout)?;
            let index = array(index, checked_rank(rank, Argument::Rank)?, Argument::Index)?;
            let out = Output::new(out, Argument::Out)?;
            out.write(layout.offset_of(index)?);
            Ok(())
        })
    }
}

/// The same in bytes: `*bytes` is the byte of the element's first bit, `*bit` that bit's number in it (0 unless elements
/// are smaller than a byte), counted from the end of the byte at which the dtype begins.
///
/// Returns: as `stride_layout_offset`; OVERFLOW far below the base pointer.
///
/// # Safety
/// `index` holds `rank` entries; `layout`, `bytes` and `bit` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_byte_offset(
    layout: *const stride_layout,
    rank: u32,
    index: *const i64,
    bytes: *mut i64,
    bit: *mut u32,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        report(error, || {
            let layout = read_layout(layout, Argument::Layout)?;
            let index = array(index, checked_rank(rank, Argument::Rank)?, Argument::Index)?;
            let (bytes, bit) = (Output::new(bytes, Argument::Out)?, Output::new(bit, Argument::Out)?);
            let found = layout.byte_offset_of(index)?;
            bytes.write(found.0);
            bit.write(found.1);
            Ok(())
        })
    }
}

/// Row-major number of an index: the last dimension counts fastest, strides do not matter (numpy.ravel_multi_index).
///
/// Returns: as `stride_layout_offset`.
///
/// # Safety
/// `index` holds `rank` entries; `layout` and `out` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_ravel_index(
    layout: *const stride_layout,
    rank: u32,
    index: *const i64,
    out: *mut i64,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        report(error, || {
            let layout = read_layout(layout, Argument::Layout)?;
            let index = array(index, checked_rank(rank, Argument::Rank)?, Argument::Index)?;
            let out = Output::new(out, Argument::Out)?;
            out.write(layout.ravel(index)?);
            Ok(())
        })
    }
}

/// The inverse: the index of a row-major number (numpy.unravel_index). `index` gets as many entries as the layout has
/// dimensions.
///
/// Returns: NULL_POINTER; INDEX_OUT_OF_RANGE unless 0 <= linear < element count.
///
/// # Safety
/// `index` has room for the layout's rank (NULL if that is 0); `layout` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_unravel_index(
    layout: *const stride_layout,
    linear: i64,
    index: *mut i64,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        report(error, || {
            let layout = read_layout(layout, Argument::Layout)?;
            let mut found = [0i64; MAX_RANK];
            layout.unravel(linear, &mut found)?;
            write_entries(index, &found[..layout.rank()], Argument::Index)
        })
    }
}

/// Writes an output array; (null, 0) is fine.
///
/// # Safety
/// `pointer` has room for the entries, or is null.
pub(super) unsafe fn write_entries(pointer: *mut i64, values: &[i64], argument: Argument) -> Result<()> {
    if values.is_empty() {
        return Ok(());
    }
    let out = Output::new(pointer, argument)?;
    // SAFETY: as promised to this function; `values` is the library's own.
    unsafe { out.write_all(values) };
    Ok(())
}

/// Every format that holds, as STRIDE_FORMAT_ flags: one layout can be packed and channels-last at once. Offsets do not
/// matter. Empty layouts and rank 0 are PACKED, COLUMN_MAJOR and DENSE.
///
/// Returns: NULL_POINTER, or what is wrong with `layout`.
///
/// # Safety
/// `layout` and `flags` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_formats(
    layout: *const stride_layout,
    flags: *mut u32,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        report(error, || {
            let layout = read_layout(layout, Argument::Layout)?;
            Output::new(flags, Argument::Out)?.write(layout.formats());
            Ok(())
        })
    }
}

/// The order of the dimensions in memory, fastest varying first; as many entries as the layout has dimensions. A size-1
/// dimension sits just major to the next dimension of size > 1 on its right, trailing ones are the most minor.
///
/// Returns: NULL_POINTER; NOT_REPRESENTABLE with the dimension for gaps, zero and negative strides.
///
/// # Safety
/// `minor_to_major` has room for the layout's rank (NULL if that is 0); `layout` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_minor_to_major(
    layout: *const stride_layout,
    minor_to_major: *mut i64,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        report(error, || {
            let layout = read_layout(layout, Argument::Layout)?;
            let mut order = [0i64; MAX_RANK];
            layout.minor_to_major(&mut order)?;
            write_entries(minor_to_major, &order[..layout.rank()], Argument::Out)
        })
    }
}

/// Strides in bytes, `rank` entries: the inverse of `stride_layout_init_bytes`. NumPy, Arrow, ggml and PJRT have them, counted
/// from the element (0, ..., 0). The stride of a dimension of size 1 or of an empty layout says nothing: it becomes 0 where it
/// has no such number.
///
/// Returns: NULL_POINTER; NOT_REPRESENTABLE with the dimension where elements below a byte lie no whole number of bytes apart.
///
/// # Safety
/// `byte_strides` has room for `layout->rank` entries; `layout` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_byte_strides(
    layout: *const stride_layout,
    byte_strides: *mut i64,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        report(error, || {
            let layout = read_layout(layout, Argument::Layout)?;
            let mut found = [0i64; MAX_RANK];
            layout.byte_strides(&mut found)?;
            write_entries(byte_strides, &found[..layout.rank()], Argument::Out)
        })
    }
}

/// `*answer` becomes 1 if dtype, offset, rank, sizes and all strides are equal, also those that say nothing; else 0.
///
/// Returns: NULL_POINTER, or what is wrong with a layout.
///
/// # Safety
/// `lhs`, `rhs` and `answer` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_equal(
    lhs: *const stride_layout,
    rhs: *const stride_layout,
    answer: *mut u32,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        report(error, || {
            let (lhs, rhs) = (read_layout(lhs, Argument::Lhs)?, read_layout(rhs, Argument::Rhs)?);
            Output::new(answer, Argument::Out)?.write(lhs.same_fields(&rhs).into());
            Ok(())
        })
    }
}

/// `*answer` becomes 1 if every index means the same element: equal dtype and sizes and, unless empty, equal offset and
/// equal strides where the size is above 1; else 0.
///
/// Returns: NULL_POINTER, or what is wrong with a layout.
///
/// # Safety
/// `lhs`, `rhs` and `answer` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_same_mapping(
    lhs: *const stride_layout,
    rhs: *const stride_layout,
    answer: *mut u32,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        report(error, || {
            let (lhs, rhs) = (read_layout(lhs, Argument::Lhs)?, read_layout(rhs, Argument::Rhs)?);
            Output::new(answer, Argument::Out)?.write(lhs.same_mapping(&rhs).into());
            Ok(())
        })
    }
}

/// Writes the layout as text: "f32[2,3] strides [3,1] offset 0".
///
/// Returns: NULL_POINTER, or what is wrong with `layout`.
///
/// # Safety
/// `buffer` valid for `capacity` bytes; `layout` and `length` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_format(
    layout: *const stride_layout,
    buffer: *mut c_char,
    capacity: u64,
    length: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        report(error, || {
            let layout = read_layout(layout, Argument::Layout)?;
            write_text(buffer, capacity, length, &layout)
        })
    }
}
