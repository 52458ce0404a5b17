//! Views
//!
//! A view has other sizes and strides over the same memory; nothing is moved, and negative and zero strides are
//! allowed. Dimension numbers may be negative: -1 is the last. A view without elements keeps the layout's offset.
//! OVERFLOW means that a stride or a size of the view does not fit 64 bits, or that its highest element ends more than
//! 2^60 bytes below the base.
//!
//! Example: the centre of an image as planes.
//!
//!   int64_t sizes[3] = {4, 6, 3}, starts[3] = {1, 2, 0}, centre[3] = {2, 2, 3}, planes[3] = {2, 0, 1};
//!   stride_layout image, view;
//!   stride_layout_init(&image, STRIDE_DTYPE_U8, 3, sizes, NULL, NULL);
//!   stride_layout_crop(&image, 3, starts, centre, &view, NULL);
//!   stride_layout_permute(&view, 3, planes, &view, NULL);
//!   assert(view.offset == 24 && view.sizes[0] == 3 && view.strides[0] == 1 && view.strides[2] == 3);

use super::boundary::{checked_rank, counted, optional_array, ranked};
use super::layout::{map_layout, stride_layout};
use super::status::{report, stride_error, stride_status};
use crate::error::{Argument, check_count};
use crate::view;

/// Dimension i of `out` is dimension axes[i]: sizes {2,3,4} with axes {2,0,1} become {4,2,3} (numpy.transpose).
///
/// Arrays: axes[rank].
///
/// Returns: INVALID_AXES with the entry unless `axes` is a permutation.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_permute(
    layout: *const stride_layout,
    rank: u32,
    axes: *const i64,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, map_layout(layout, out, |l, out| view::permute(l, ranked(axes, rank, Argument::Axes)?, out)))
}

/// NumPy's start:stop:step in every dimension. Negative starts and stops count from the end, and both are clamped.
/// INT64_MAX and INT64_MIN are past the ends: a downward slice that includes index 0 has the stop INT64_MIN. NULL
/// starts or stops: the whole dimension in the step's direction; NULL steps: 1. A negative step mirrors.
///
/// Arrays: starts[rank] or NULL, stops[rank] or NULL, steps[rank] or NULL.
///
/// Returns: INVALID_ARGUMENT with the dimension for a step of 0; OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_slice(
    layout: *const stride_layout,
    rank: u32,
    starts: *const i64,
    stops: *const i64,
    steps: *const i64,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        map_layout(layout, out, |l, out| {
            let rank = checked_rank(rank, Argument::Rank)?;
            check_count(rank, l.rank(), Argument::Rank)?;
            let list = |pointer| optional_array(pointer, rank);
            view::slice(l, list(starts), list(stops), list(steps), out)
        })
    })
}

/// The box of `sizes` elements that begins at index `starts`. Strict: nothing is clamped.
///
/// Arrays: starts[rank], sizes[rank].
///
/// Returns: INDEX_OUT_OF_RANGE with the dimension; INVALID_SIZE; OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_crop(
    layout: *const stride_layout,
    rank: u32,
    starts: *const i64,
    sizes: *const i64,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        map_layout(layout, out, |l, out| {
            view::crop(l, ranked(starts, rank, Argument::Starts)?, ranked(sizes, rank, Argument::Sizes)?, out)
        })
    })
}

/// Mirrors the `count` dimensions named (numpy.flip).
///
/// Arrays: axes[count].
///
/// Returns: INVALID_AXES with the entry; OVERFLOW for a stride of -2^63 where the size is above 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_flip(
    layout: *const stride_layout,
    count: u32,
    axes: *const i64,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, map_layout(layout, out, |l, out| view::flip(l, counted(axes, count, Argument::Axes)?, out)))
}

/// Drops the `count` dimensions named, all of size 1 (numpy.squeeze with axes).
///
/// Arrays: axes[count].
///
/// Returns: INVALID_AXES with the entry; INVALID_SIZE with the dimension.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_squeeze(
    layout: *const stride_layout,
    count: u32,
    axes: *const i64,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, map_layout(layout, out, |l, out| view::squeeze(l, counted(axes, count, Argument::Axes)?, out)))
}

/// Drops every dimension of size 1 (numpy.squeeze without axes).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_squeeze_all(
    layout: *const stride_layout,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, map_layout(layout, out, view::squeeze_all))
}

/// Inserts a dimension of size 1 at each of the `count` places named, which are dimension numbers of `out`
/// (numpy.expand_dims). Its stride is the natural one: size * stride of its right neighbour, 1 at the end.
///
/// Arrays: axes[count].
///
/// Returns: INVALID_AXES with the entry; INVALID_RANK above 64 dimensions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_expand_dims(
    layout: *const stride_layout,
    count: u32,
    axes: *const i64,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, map_layout(layout, out, |l, out| view::expand_dims(l, counted(axes, count, Argument::Axes)?, out)))
}

/// Inserts dimensions of size 1 before dimension `position` until the rank is `rank`. HW with rank 4, position 0: 11HW,
/// as DirectML wants it.
///
/// Returns: INVALID_RANK if the layout has more dimensions already; INVALID_AXES for the position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_pad_rank(
    layout: *const stride_layout,
    rank: u32,
    position: u32,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, map_layout(layout, out, |l, out| view::pad_rank(l, rank as usize, position as usize, out)))
}

/// Other sizes for the elements in their row-major order; one size may be -1 and is computed (numpy.reshape).
/// Zero and negative strides reshape too where dimensions are one run: stride[i] = size[i+1] * stride[i+1].
///
/// Arrays: sizes[rank].
///
/// Returns: NOT_REPRESENTABLE where only a copy could do it; SHAPE_MISMATCH with both counts; INVALID_SIZE;
/// INVALID_RANK; OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_reshape(
    layout: *const stride_layout,
    rank: u32,
    sizes: *const i64,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, map_layout(layout, out, |l, out| view::reshape(l, ranked(sizes, rank, Argument::Sizes)?, out)))
}

/// Cuts dimension `axis` into `count` dimensions with these sizes, one of which may be -1. Never needs a copy.
///
/// Arrays: sizes[count].
///
/// Returns: INVALID_AXES; SHAPE_MISMATCH if the product is not the dimension's size; INVALID_SIZE below 0, except for
/// one -1; INVALID_RANK; OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_split(
    layout: *const stride_layout,
    axis: i64,
    count: u32,
    sizes: *const i64,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, map_layout(layout, out, |l, out| view::split(l, axis, counted(sizes, count, Argument::Sizes)?, out)))
}

/// Joins the `count` dimensions from `axis` on into one.
///
/// Returns: NOT_REPRESENTABLE with the dimension unless they are one run; INVALID_AXES; INVALID_ARGUMENT for the count;
/// OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_merge(
    layout: *const stride_layout,
    axis: i64,
    count: u32,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, map_layout(layout, out, |l, out| view::merge(l, axis, count as usize, out)))
}
