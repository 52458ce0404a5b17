//! XLA: rearranging shapes
//!
//! Other dimensions for a shape, or the same ones in another order. Dimension numbers may be negative, -1 is the last. Padded
//! sizes go with their dimension; storage bits, tail alignment, memory space and kind of padding stay. Tiles cut the last
//! dimensions as they lie in memory, whatever their numbers.
//!
//! Every function returns NULL_POINTER or what is wrong with the shape besides the statuses named. `out` may be an input.
//! Sources: ShapeUtil and LayoutUtil of openxla/xla.
#![allow(non_camel_case_types)]

use super::status::{stride_error, stride_status};
use super::xla::{answer, read_shape, stride_xla_shape};
use super::{Output, array, checked_rank, report};
use crate::error::{Argument, Result};
use crate::vocabulary::xla::Shape;
use crate::vocabulary::xla::rearrange::{self, Insert};

/// Makes one shape of another.
///
/// # Safety
/// `shape` as for [`read_shape`]; `out` null or writable; `error` as for [`report`].
pub(super) unsafe fn map_shape(
    shape: *const stride_xla_shape,
    out: *mut stride_xla_shape,
    error: *mut stride_error,
    map: impl FnOnce(&Shape) -> Result<Shape>,
) -> stride_status {
    // SAFETY: as promised to this function.
    unsafe {
        report(error, || {
            let shape = read_shape(shape)?;
            let out = Output::new(out, Argument::Out)?;
            out.write_shape(&map(&shape)?);
            Ok(())
        })
    }
}

/// Dimension i of `out` is dimension axes[i]. Every element keeps its position, padding and tiles included
/// (PermuteDimensions). f32[2,3,4]{1,0,2} by {2,0,1} is f32[4,2,3]{2,1,0}.
///
/// Returns: INVALID_AXES with the position unless `axes` is a permutation.
///
/// # Safety
/// `axes` holds as many entries as the shape has dimensions; `shape` and `out` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_permute(
    shape: *const stride_xla_shape,
    axes: *const i64,
    out: *mut stride_xla_shape,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe { map_shape(shape, out, error, |s| rearrange::permute(s, array(axes, s.rank(), Argument::Axes)?)) }
}

/// The dimensions renumbered so that the order is descending. Every element keeps its position, padding and tiles included
/// (MakeShapeWithDescendingLayoutAndSamePhysicalLayout). f32[128,24,4,48,48]{2,4,3,1,0} is f32[128,24,48,48,4]{4,3,2,1,0}.
///
/// Returns: nothing else.
///
/// # Safety
/// `shape` and `out` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_descending(
    shape: *const stride_xla_shape,
    out: *mut stride_xla_shape,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe { map_shape(shape, out, error, rearrange::descending) }
}

/// The shape without `count` dimensions, in any order (DeleteDimensions).
///
/// If all of them have size 1, every element keeps its position: their padding goes to the next more minor dimension, and the
/// first tile loses its entries for them where that is needed. Otherwise it is the shape of a new buffer: the other dimensions
/// keep order and padded sizes, and tiles must not reach the deleted ones (XLA would let them cut other dimensions).
///
/// Returns: INVALID_AXES with the position in the list; NOT_REPRESENTABLE with the dimension where no shape does that;
/// UNDECIDED as `stride_xla_reshape_is_bitcast`.
///
/// # Safety
/// `dimensions` holds `count` entries; `shape` and `out` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_delete_dimensions(
    shape: *const stride_xla_shape,
    count: u32,
    dimensions: *const i64,
    out: *mut stride_xla_shape,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        map_shape(shape, out, error, |shape| {
            let count = checked_rank(count, Argument::Axes)?;
            rearrange::delete(shape, array(dimensions, count, Argument::Axes)?)
        })
    }
}

/// The shape with a new dimension 0 of this size, the most major one in memory (PrependMajorDimension). The elements whose new
/// index is 0 lie where the old ones lay, padding and tiles included.
///
/// Returns: INVALID_RANK beyond 64 dimensions; INVALID_SIZE; OVERFLOW.
///
/// # Safety
/// `shape` and `out` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_prepend_major(
    shape: *const stride_xla_shape,
    size: i64,
    out: *mut stride_xla_shape,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe { map_shape(shape, out, error, |shape| rearrange::insert(shape, size, Insert::PrependMajor)) }
}

/// The shape with a new last dimension of this size, the most major one in memory (AppendMajorDimension). The elements whose
/// new index is 0 lie where the old ones lay, padding and tiles included.
///
/// Returns: as `stride_xla_shape_prepend_major`.
///
/// # Safety
/// `shape` and `out` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_append_major(
    shape: *const stride_xla_shape,
    size: i64,
    out: *mut stride_xla_shape,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe { map_shape(shape, out, error, |shape| rearrange::insert(shape, size, Insert::AppendMajor)) }
}

/// The shape with a new last dimension of this size, the most minor one in memory (AppendMinorDimension). The element at
/// position p becomes those at p * size ... p * size + size - 1; each tile gets `size` as its last entry.
///
/// Returns: as `stride_xla_shape_prepend_major`; NOT_REPRESENTABLE with the tile that reaches past the one before it;
/// UNSUPPORTED where the tiles have too many sizes.
///
/// # Safety
/// `shape` and `out` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_append_minor(
    shape: *const stride_xla_shape,
    size: i64,
    out: *mut stride_xla_shape,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe { map_shape(shape, out, error, |shape| rearrange::insert(shape, size, Insert::AppendMinor)) }
}

/// Another layout of the same array: `dimension` is the most major one in memory, the others keep their order
/// (MoveDimToMajor). Tiles cut the last dimensions of the new order.
///
/// Returns: INVALID_AXES; OVERFLOW.
///
/// # Safety
/// `shape` and `out` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_move_to_major(
    shape: *const stride_xla_shape,
    dimension: i64,
    out: *mut stride_xla_shape,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe { map_shape(shape, out, error, |shape| rearrange::move_to_major(shape, dimension)) }
}

/// The same to the other end: `dimension` is the most minor one in memory (MoveDimToMinor).
///
/// Returns: INVALID_AXES; OVERFLOW.
///
/// # Safety
/// `shape` and `out` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_move_to_minor(
    shape: *const stride_xla_shape,
    dimension: i64,
    out: *mut stride_xla_shape,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe { map_shape(shape, out, error, |shape| rearrange::move_to_minor(shape, dimension)) }
}

/// Whether all dimensions more major than this one have size 1 (IsEffectivelyMostMajorDimension). Padded sizes and tiles are
/// not looked at.
///
/// Returns: INVALID_AXES.
///
/// # Safety
/// `shape` and `out` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_is_most_major(
    shape: *const stride_xla_shape,
    dimension: i64,
    out: *mut u32,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe { answer(shape, out, error, |shape| rearrange::is_most_major(shape, dimension).map(u32::from)) }
}
