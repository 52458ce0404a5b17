//! XLA: rearranging shapes
//!
//! Functions that renumber, delete or add dimensions of a shape. Dimension numbers may be negative: -1 is the last.
//! Padded sizes stay with their dimension; storage bits, tail alignment, memory space and kind of padding stay. Tiles
//! cut the last dimensions in memory, whatever their numbers. Sources: ShapeUtil and LayoutUtil of openxla/xla.
//!
//! Example: a transpose of the dimensions that moves nothing.
//!
//!   int64_t axes[3] = {2, 0, 1};
//!   char text[64]; uint64_t length; stride_xla_shape shape;
//!   stride_xla_shape_parse("f32[2,3,4]{1,0,2}", 17, &shape, NULL);
//!   stride_xla_shape_permute(&shape, 3, axes, &shape, NULL);
//!   stride_xla_shape_format(&shape, text, sizeof text, &length, NULL);
//!   assert(strcmp(text, "f32[4,2,3]{2,1,0}") == 0);

use super::boundary::{Output, counted, ranked};
use super::status::{report, stride_error, stride_status};
use super::xla::{ask, read_shape, stride_xla_shape};
use crate::error::{Argument, Error, Result};
use crate::vocabulary::xla::Shape;
use crate::vocabulary::xla::rearrange;

/// Makes one shape of another.
///
/// # Safety
/// `shape` is null or readable, `out` null or writable.
pub(super) unsafe fn map_shape(
    shape: *const stride_xla_shape,
    out: *mut stride_xla_shape,
    map: impl FnOnce(&Shape) -> Result<Shape>,
) -> Result<()> {
    // SAFETY: `shape` is null or readable, `out` null or writable (# Safety).
    unsafe {
        let shape = read_shape(shape)?;
        let out = Output::new(out, Argument::Out)?;
        let mapped = map(&shape).map_err(|error| match error.argument {
            Argument::None | Argument::Tile | Argument::PaddedSizes => Error { argument: Argument::Shape, ..error },
            _ => error,
        });
        out.write_made_shape(&mapped)
    }
}

/// Dimension i of `out` is dimension axes[i]. Every element keeps its position, padding and tiles included
/// (PermuteDimensions). f32[2,3,4]{1,0,2} by {2,0,1} is f32[4,2,3]{2,1,0}.
///
/// Arrays: axes[rank].
///
/// Returns: INVALID_AXES with the entry unless `axes` is a permutation.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_permute(
    shape: *const stride_xla_shape,
    rank: u32,
    axes: *const i64,
    out: *mut stride_xla_shape,
    error: *mut stride_error,
) -> stride_status {
    report!(error, map_shape(shape, out, |s| rearrange::permute(s, ranked(axes, rank, Argument::Axes)?)))
}

/// The shape with its dimensions renumbered so that the order is descending. Every element keeps its position, padding
/// and tiles included (MakeShapeWithDescendingLayoutAndSamePhysicalLayout). f32[128,24,4,48,48]{2,4,3,1,0} is
/// f32[128,24,48,48,4]{4,3,2,1,0}.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_descending(
    shape: *const stride_xla_shape,
    out: *mut stride_xla_shape,
    error: *mut stride_error,
) -> stride_status {
    report!(error, map_shape(shape, out, rearrange::descending))
}

/// The shape without `count` dimensions, in any order (DeleteDimensions).
///
/// If all of them have size 1, every element keeps its position: their padding goes to the next more minor dimension,
/// and the first tile loses its entries for them if needed. Otherwise it is the shape of a new buffer: the other
/// dimensions keep order and padded sizes, and tiles must not reach the deleted ones (XLA would let them cut other
/// dimensions). A tile of k sizes reaches the last k dimensions, some of which the tiles before it made: the second of
/// T(8,128)(2,1) reaches nothing new.
///
/// Arrays: dimensions[count].
///
/// Returns: INVALID_AXES with the entry in the list; NOT_REPRESENTABLE with the dimension if no shape has these
/// positions, padded sizes and tiles; UNDECIDED as `stride_xla_reshape_is_bitcast`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_delete_dimensions(
    shape: *const stride_xla_shape,
    count: u32,
    dimensions: *const i64,
    out: *mut stride_xla_shape,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        map_shape(shape, out, |shape| rearrange::delete(shape, counted(dimensions, count, Argument::Dimensions)?))
    })
}

/// The shape with a new dimension 0 of this size, the most major one in memory (PrependMajorDimension). Elements with
/// index 0 along it keep their positions, padding and tiles included.
///
/// Returns: INVALID_RANK beyond 64 dimensions; INVALID_SIZE; OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_prepend_major(
    shape: *const stride_xla_shape,
    size: i64,
    out: *mut stride_xla_shape,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        map_shape(shape, out, |shape| {
            rearrange::prepend_major(shape, size).map_err(|error| match error.argument {
                Argument::None | Argument::Sizes | Argument::PaddedSizes | Argument::Tile => {
                    Error { argument: Argument::Size, dimension: -1, ..error } // the new size is the one that is wrong
                }
                _ => error,
            })
        })
    })
}

/// `*answer` becomes 1 if all dimensions more major than this one have size 1, else 0
/// (IsEffectivelyMostMajorDimension). Padded sizes and tiles do not matter.
///
/// Returns: INVALID_AXES.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_is_most_major(
    shape: *const stride_xla_shape,
    dimension: i64,
    answer: *mut u32,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        ask(shape, answer, Argument::Answer, |shape| rearrange::is_most_major(shape, dimension).map(u32::from))
    })
}
