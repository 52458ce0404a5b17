//! Layouts
//!
//! A layout says where each element of a tensor lies:
//!
//!   element offset of (i0, ..., i[r-1]) = offset + i0*strides[0] + ... + i[r-1]*strides[r-1]
//!
//! in elements from the base pointer, which is the start of the buffer. Strides may be negative (mirrored), zero (one
//! element repeated) or larger than needed (padding). It is plain data: copy it, write its fields, but then every function
//! checks again that rank <= 64, no size is negative, the element count fits int64_t (0 as soon as one size is 0), and all
//! element offsets, and (highest + 1) in bits, fit int64_t. Entries behind `rank` are neither read nor written.
//!
//! An empty layout (a size of 0) reaches nothing and takes 0 bytes. The stride of a dimension of size 1 says nothing and is
//! ignored by every question.
#![allow(non_camel_case_types)]

use super::status::{stride_error, stride_status};
use super::{Output, array, checked_rank, map_layout, read_layout, report};
use crate::error::{Argument, Error, Result, Status};
use crate::model::build::SizeOneRule;
use crate::model::{Dtype, Layout, LayoutBuf};

/// The highest rank.
pub const STRIDE_MAX_RANK: usize = 64;

/// Where each element of a tensor lies.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct stride_layout {
    /// STRIDE_DTYPE_...
    pub dtype: u32,
    /// Number of dimensions, 0 to 64.
    pub rank: u32,
    /// Elements from the base pointer to index (0, ..., 0).
    pub offset: i64,
    /// Elements along each dimension, outermost first; 0 and more.
    pub sizes: [i64; STRIDE_MAX_RANK],
    /// Elements from one index to the next along each dimension; any sign, 0 repeats the element.
    pub strides: [i64; STRIDE_MAX_RANK],
}

/// Strides of size-1 dimensions stay as they are.
pub const STRIDE_SIZE_ONE_KEEP: u32 = 0;
/// They become size * stride of the next dimension on the right, 1 for the last.
pub const STRIDE_SIZE_ONE_NATURAL: u32 = 1;
/// They become 1.
pub const STRIDE_SIZE_ONE_ONE: u32 = 2;
/// They become 0.
pub const STRIDE_SIZE_ONE_ZERO: u32 = 3;

/// Makes a layout from sizes.
///
/// # Safety
/// `out`, `sizes` and `error` as promised to the calling function.
unsafe fn init(
    out: *mut stride_layout,
    dtype: u32,
    rank: u32,
    sizes: *const i64,
    error: *mut stride_error,
    make: impl FnOnce(Dtype, &[i64]) -> Result<LayoutBuf>,
) -> stride_status {
    // SAFETY: as promised to this function.
    unsafe {
        report(error, || {
            let out = Output::new(out, Argument::Out)?;
            let dtype = Dtype::new(dtype)?;
            let sizes = array(sizes, checked_rank(rank, Argument::Rank)?, Argument::Sizes)?;
            out.write_layout(&make(dtype, sizes)?)
        })
    }
}

/// A layout with these sizes and strides in elements, offset 0. `strides` NULL: packed, that is row-major without gaps
/// (all strides 0 if a size is 0).
///
/// Returns: NULL_POINTER; INVALID_DTYPE; INVALID_RANK; INVALID_SIZE with the dimension; OVERFLOW.
///
/// # Safety
/// `sizes` and `strides` hold `rank` entries; `out` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_init(
    out: *mut stride_layout,
    dtype: u32,
    rank: u32,
    sizes: *const i64,
    strides: *const i64,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function; the rank is checked before an array is read.
    unsafe {
        if strides.is_null() {
            return init(out, dtype, rank, sizes, error, LayoutBuf::packed);
        }
        report(error, || {
            let out = Output::new(out, Argument::Out)?;
            let dtype = Dtype::new(dtype)?;
            let sizes = array(sizes, checked_rank(rank, Argument::Rank)?, Argument::Sizes)?;
            let strides = array(strides, sizes.len(), Argument::Strides)?;
            // The arrays may lie in `out` itself.
            if overlaps(out.0, sizes) || overlaps(out.0, strides) {
                return out.write_layout(&LayoutBuf::strided(dtype, sizes, strides)?);
            }
            out.write_view(&Layout::new(dtype, 0, sizes, strides)?);
            Ok(())
        })
    }
}

/// Whether an input array lies in an output struct.
fn overlaps(out: *const stride_layout, input: &[i64]) -> bool {
    let (begin, end) = (out.addr(), out.addr().wrapping_add(size_of::<stride_layout>()));
    let first = input.as_ptr().addr();
    first < end && begin < first.wrapping_add(size_of_val(input))
}

/// A layout without gaps in any order of the dimensions: `minor_to_major` lists all of 0 ... rank - 1, fastest varying
/// first. {1,0} of 2x3 has strides {3,1}, {0,1} has {1,2}.
///
/// Returns: as `stride_layout_init`, and INVALID_AXES with the position in the list.
///
/// # Safety
/// `sizes` and `minor_to_major` hold `rank` entries; `out` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_init_ordered(
    out: *mut stride_layout,
    dtype: u32,
    rank: u32,
    sizes: *const i64,
    minor_to_major: *const i64,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        init(out, dtype, rank, sizes, error, |dtype, sizes| {
            LayoutBuf::ordered(dtype, sizes, array(minor_to_major, sizes.len(), Argument::MinorToMajor)?)
        })
    }
}

/// A layout without gaps whose dimension 1 varies fastest and dimension 0 slowest: NHWC for sizes {N,C,H,W}. Below rank 3
/// the same as packed. (DirectMLX, TensorPolicy::InterleavedChannel.)
///
/// Returns: as `stride_layout_init`.
///
/// # Safety
/// `sizes` holds `rank` entries; `out` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_init_channels_last(
    out: *mut stride_layout,
    dtype: u32,
    rank: u32,
    sizes: *const i64,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe { init(out, dtype, rank, sizes, error, LayoutBuf::channels_last) }
}

/// A packed layout whose rows, the last dimension, begin `row_pitch_bytes` bytes apart.
///
/// Returns: as `stride_layout_init`, and INVALID_ARGUMENT if the pitch does not hold a row or is no whole number of
/// elements.
///
/// # Safety
/// `sizes` holds `rank` entries; `out` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_init_pitched(
    out: *mut stride_layout,
    dtype: u32,
    rank: u32,
    sizes: *const i64,
    row_pitch_bytes: u64,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe { init(out, dtype, rank, sizes, error, |dtype, sizes| LayoutBuf::pitched(dtype, sizes, row_pitch_bytes)) }
}

/// A layout with strides in bytes, as NumPy, ggml and Arrow have them. Strides of dimensions of size 1 that are no whole
/// number of elements become 0.
///
/// Returns: as `stride_layout_init`, and INVALID_STRIDE with the dimension for any other such stride.
///
/// # Safety
/// `sizes` and `byte_strides` hold `rank` entries; `out` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_init_bytes(
    out: *mut stride_layout,
    dtype: u32,
    rank: u32,
    sizes: *const i64,
    byte_strides: *const i64,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        init(out, dtype, rank, sizes, error, |dtype, sizes| {
            LayoutBuf::byte_strided(dtype, sizes, array(byte_strides, sizes.len(), Argument::Strides)?)
        })
    }
}

/// The packed layout with the dtype and sizes of `layout`, offset 0: where to copy it to.
///
/// Returns: NULL_POINTER, or what is wrong with `layout`.
///
/// # Safety
/// `layout` and `out` valid or NULL; they may be the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_packed_like(
    layout: *const stride_layout,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe { map_layout(layout, out, error, LayoutBuf::packed_like) }
}

/// The same elements seen from a base pointer moved by `*shift_bytes` bytes, so that the lowest element becomes the first
/// of the buffer. For callers whose pointer is index (0, ..., 0) of a mirrored view: base = pointer + shift. Of elements
/// below a byte, the place in the first byte stays as the offset.
///
/// Returns: NULL_POINTER; OVERFLOW.
///
/// # Safety
/// `layout`, `out` and `shift_bytes` valid or NULL; `out` may be `layout`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_rebase(
    layout: *const stride_layout,
    out: *mut stride_layout,
    shift_bytes: *mut i64,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        report(error, || {
            let layout = read_layout(layout, Argument::Layout)?;
            let out = Output::new(out, Argument::Out)?;
            let shift_bytes = Output::new(shift_bytes, Argument::Out)?;
            let (rebased, shift) = layout.rebased()?;
            out.write_layout(&rebased)?;
            shift_bytes.write(shift);
            Ok(())
        })
    }
}

/// The same mapping with the strides of size-1 dimensions by `rule` (STRIDE_SIZE_ONE_...); an empty layout gets strides 0
/// unless they are kept. For consumers that do look at them. A natural stride that does not fit becomes 0.
///
/// Returns: NULL_POINTER; INVALID_ARGUMENT for the rule.
///
/// # Safety
/// `layout` and `out` valid or NULL; they may be the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_canonicalize(
    layout: *const stride_layout,
    rule: u32,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    let rule = match rule {
        STRIDE_SIZE_ONE_KEEP => Ok(SizeOneRule::Keep),
        STRIDE_SIZE_ONE_NATURAL => Ok(SizeOneRule::Natural),
        STRIDE_SIZE_ONE_ONE => Ok(SizeOneRule::One),
        STRIDE_SIZE_ONE_ZERO => Ok(SizeOneRule::Zero),
        other => {
            let bad = Error::new(Status::InvalidArgument).argument(Argument::Kind);
            Err(bad.numbers(other as i64, STRIDE_SIZE_ONE_ZERO as i64))
        }
    };
    // SAFETY: pointers as promised to this function.
    unsafe { map_layout(layout, out, error, |layout| Ok(layout.canonical(rule?))) }
}
