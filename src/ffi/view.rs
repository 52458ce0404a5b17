//! Views
//!
//! Other sizes and strides over the same memory: nothing is moved, signs and zero strides pass through. Dimension numbers
//! may be negative here, -1 is the last. A view without elements keeps the layout's offset.
//!
//! Every function returns NULL_POINTER or what is wrong with the layout besides the statuses named. `out` may be `layout`.
#![allow(non_camel_case_types)]

use super::layout::stride_layout;
use super::status::{stride_error, stride_status};
use super::{array, checked_rank, map_layout, optional_array};
use crate::error::Argument;
use crate::view;

/// Dimension i of `out` is dimension axes[i]: sizes {2,3,4} with axes {2,0,1} become {4,2,3} (numpy.transpose).
///
/// Returns: INVALID_AXES with the position unless `axes` is a permutation.
///
/// # Safety
/// `axes` holds as many entries as the layout has dimensions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_permute(
    layout: *const stride_layout,
    axes: *const i64,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe { map_layout(layout, out, error, |l| view::permute(l, array(axes, l.rank(), Argument::Axes)?)) }
}

/// NumPy's start:stop:step in every dimension. Negative starts and stops count from the end, both are clamped, and
/// INT64_MIN and INT64_MAX reach past either end. NULL starts and stops: the whole dimension in the step's direction; NULL
/// steps: 1. A negative step mirrors.
///
/// Returns: INVALID_ARGUMENT with the dimension for a step of 0.
///
/// # Safety
/// `starts`, `stops` and `steps` are NULL or hold as many entries as the layout has dimensions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_slice(
    layout: *const stride_layout,
    starts: *const i64,
    stops: *const i64,
    steps: *const i64,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        map_layout(layout, out, error, |l| {
            let list = |pointer| optional_array(pointer, l.rank());
            view::slice(l, list(starts), list(stops), list(steps))
        })
    }
}

/// The box of `sizes` elements that begins at index `starts`. Strict: nothing is clamped.
///
/// Returns: INDEX_OUT_OF_RANGE with the dimension; INVALID_SIZE.
///
/// # Safety
/// `starts` and `sizes` hold as many entries as the layout has dimensions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_crop(
    layout: *const stride_layout,
    starts: *const i64,
    sizes: *const i64,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        map_layout(layout, out, error, |l| {
            view::crop(l, array(starts, l.rank(), Argument::Starts)?, array(sizes, l.rank(), Argument::Sizes)?)
        })
    }
}

/// Reverses the `count` dimensions named (numpy.flip).
///
/// Returns: INVALID_AXES with the position; OVERFLOW where an element lay far below the base pointer.
///
/// # Safety
/// `axes` holds `count` entries.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_flip(
    layout: *const stride_layout,
    count: u32,
    axes: *const i64,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        map_layout(layout, out, error, |l| {
            view::flip(l, array(axes, checked_rank(count, Argument::Count)?, Argument::Axes)?)
        })
    }
}

/// Drops the `count` dimensions named, all of size 1 (numpy.squeeze with axes).
///
/// Returns: INVALID_AXES with the position; INVALID_SIZE with the dimension.
///
/// # Safety
/// `axes` holds `count` entries.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_squeeze(
    layout: *const stride_layout,
    count: u32,
    axes: *const i64,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        map_layout(layout, out, error, |l| {
            view::squeeze(l, array(axes, checked_rank(count, Argument::Count)?, Argument::Axes)?)
        })
    }
}

/// Drops every dimension of size 1 (numpy.squeeze without axes).
///
/// Returns: nothing else.
///
/// # Safety
/// Nothing else.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_squeeze_all(
    layout: *const stride_layout,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe { map_layout(layout, out, error, view::squeeze_all) }
}

/// Inserts a dimension of size 1 at each of the `count` places named, which are dimension numbers of `out`
/// (numpy.expand_dims). Its stride is the natural one: size * stride of its right neighbour, 1 at the end.
///
/// Returns: INVALID_AXES with the position; INVALID_RANK above 64 dimensions.
///
/// # Safety
/// `axes` holds `count` entries.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_expand_dims(
    layout: *const stride_layout,
    count: u32,
    axes: *const i64,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        map_layout(layout, out, error, |l| {
            view::expand_dims(l, array(axes, checked_rank(count, Argument::Count)?, Argument::Axes)?)
        })
    }
}

/// Inserts dimensions of size 1 before dimension `position` until the rank is `rank`. HW with rank 4, position 0: 11HW, as
/// DirectML wants it.
///
/// Returns: INVALID_RANK if the layout has more dimensions already; INVALID_AXES for the position.
///
/// # Safety
/// Nothing else.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_pad_rank(
    layout: *const stride_layout,
    rank: u32,
    position: u32,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe { map_layout(layout, out, error, |l| view::pad_rank(l, rank as usize, position as usize)) }
}

/// Other sizes for the same elements in the same row-major order; one size may be -1 and is computed (numpy.reshape). Zero
/// and negative strides reshape as well where they are one run: stride[i] = size[i+1] * stride[i+1].
///
/// Returns: NOT_REPRESENTABLE where only a copy could do it; SHAPE_MISMATCH with both counts; INVALID_SIZE; INVALID_RANK.
///
/// # Safety
/// `sizes` holds `rank` entries.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_reshape(
    layout: *const stride_layout,
    rank: u32,
    sizes: *const i64,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        map_layout(layout, out, error, |l| {
            view::reshape(l, array(sizes, checked_rank(rank, Argument::Rank)?, Argument::Sizes)?)
        })
    }
}

/// Cuts dimension `axis` into `count` dimensions with these sizes, one of which may be -1. Always possible.
///
/// Returns: INVALID_AXES; SHAPE_MISMATCH if the product is not the dimension's size; INVALID_RANK.
///
/// # Safety
/// `sizes` holds `count` entries.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_split(
    layout: *const stride_layout,
    axis: i64,
    count: u32,
    sizes: *const i64,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        map_layout(layout, out, error, |l| {
            view::split(l, axis, array(sizes, checked_rank(count, Argument::Count)?, Argument::Sizes)?)
        })
    }
}

/// Joins the `count` dimensions from `axis` on into one.
///
/// Returns: NOT_REPRESENTABLE with the dimension unless they are one run; INVALID_AXES; INVALID_ARGUMENT for the count.
///
/// # Safety
/// Nothing else.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_merge(
    layout: *const stride_layout,
    axis: i64,
    count: u32,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe { map_layout(layout, out, error, |l| view::merge(l, axis, count as usize)) }
}

/// The diagonal of two dimensions, `diagonal` steps above the main one (below, if negative), as a new last dimension
/// (numpy.diagonal).
///
/// Returns: INVALID_AXES.
///
/// # Safety
/// Nothing else.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_diagonal(
    layout: *const stride_layout,
    diagonal: i64,
    axis1: i64,
    axis2: i64,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe { map_layout(layout, out, error, |l| view::diagonal(l, diagonal, axis1, axis2)) }
}
