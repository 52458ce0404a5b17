//! XLA: two shapes
//!
//! Whether shapes are equal, whether one buffer can be taken for the other's, and by which steps one becomes the other.
//!
//! Every function returns NULL_POINTER or what is wrong with a shape besides the statuses named; the first is the argument
//! LHS, the second RHS. `out` may be an input. Sources: ShapeUtil and LayoutUtil of openxla/xla.
#![allow(non_camel_case_types)]

use super::query::write_entries;
use super::status::{stride_error, stride_status};
use super::xla::{read_shape, stride_xla_shape};
use super::xla_rearrange::map_shape;
use super::{Output, array, checked_rank, report};
use crate::error::{Argument, Error, Result};
use crate::vocabulary::xla::decompose::{self, Kind};
use crate::vocabulary::xla::equal::{self, Ignore};
use crate::vocabulary::xla::{Shape, bitcast, broadcast};

/// Equality ignores the layout: order, padding, tiles, storage bits, tail alignment, memory space.
pub const STRIDE_XLA_IGNORE_LAYOUT: u32 = 1;
/// Equality ignores tiles.
pub const STRIDE_XLA_IGNORE_TILES: u32 = 2;
/// Equality ignores storage bits.
pub const STRIDE_XLA_IGNORE_ELEMENT_BITS: u32 = 4;
/// Equality ignores the tail alignment.
pub const STRIDE_XLA_IGNORE_TAIL_ALIGNMENT: u32 = 8;
/// Equality ignores the memory space.
pub const STRIDE_XLA_IGNORE_MEMORY_SPACE: u32 = 16;
/// Equality ignores which dimensions are dynamic.
pub const STRIDE_XLA_IGNORE_DYNAMIC: u32 = 32;
/// Equality ignores the element type.
pub const STRIDE_XLA_IGNORE_ELEMENT_TYPE: u32 = 64;
/// Equality ignores which floating-point type it is.
pub const STRIDE_XLA_IGNORE_FLOAT_PRECISION: u32 = 128;
/// Equality ignores sizes and padded sizes; the ranks still count.
pub const STRIDE_XLA_IGNORE_SIZES: u32 = 256;
/// Equality ignores padded sizes and what the padding holds.
pub const STRIDE_XLA_IGNORE_PADDING: u32 = 512;
/// Of the layout, only the order counts: all of TILES, ELEMENT_BITS, TAIL_ALIGNMENT, MEMORY_SPACE and PADDING.
pub const STRIDE_XLA_MINOR_TO_MAJOR_ONLY: u32 = 542;

/// A bitcast is a reshape.
pub const STRIDE_XLA_BITCAST_RESHAPE: u32 = 1;
/// A bitcast is a transpose.
pub const STRIDE_XLA_BITCAST_TRANSPOSE: u32 = 2;
/// A bitcast is a transpose, a reshape and a transpose, of which one or the other may change nothing.
pub const STRIDE_XLA_BITCAST_TRANSPOSE_RESHAPE_TRANSPOSE: u32 = 3;

/// Reads two shapes and names each by its place.
///
/// # Safety
/// Both as for [`read_shape`].
unsafe fn read_two(lhs: *const stride_xla_shape, rhs: *const stride_xla_shape) -> Result<(Shape, Shape)> {
    let named = |argument| move |error: Error| Error { argument, ..error };
    // SAFETY: as promised to this function.
    unsafe { Ok((read_shape(lhs).map_err(named(Argument::Lhs))?, read_shape(rhs).map_err(named(Argument::Rhs))?)) }
}

/// Asks something about two shapes.
///
/// # Safety
/// Both as for [`read_shape`]; `out` null or writable; `error` as for [`report`].
unsafe fn ask(
    lhs: *const stride_xla_shape,
    rhs: *const stride_xla_shape,
    out: *mut u32,
    error: *mut stride_error,
    question: impl FnOnce(&Shape, &Shape) -> Result<bool>,
) -> stride_status {
    // SAFETY: as promised to this function.
    unsafe {
        report(error, || {
            let (lhs, rhs) = read_two(lhs, rhs)?;
            let out = Output::new(out, Argument::Out)?;
            out.write(u32::from(question(&lhs, &rhs)?));
            Ok(())
        })
    }
}

/// Whether the shapes are equal in all that `flags` (STRIDE_XLA_IGNORE_...) do not leave out; 0: in everything.
///
/// Returns: INVALID_ARGUMENT for an unknown flag.
///
/// # Safety
/// `lhs`, `rhs` and `answer` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shapes_equal(
    lhs: *const stride_xla_shape,
    rhs: *const stride_xla_shape,
    flags: u32,
    answer: *mut u32,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe { ask(lhs, rhs, answer, error, |lhs, rhs| Ok(equal::equal(lhs, rhs, Ignore::new(flags)?))) }
}

/// Whether a reshape from `in` to `out`, which keeps the row-major order of the elements, moves nothing: 1 if every element
/// keeps the place of its bits, and the buffer of `out` is no longer than that of `in`. Then the buffer of `in` can be taken
/// for that of `out`. Order, padding, all tiles and storage bits count; the tail alignment only through the length; memory
/// space and dynamic flags do not. Another element type or number of elements: 0. No elements: 1, whatever the buffers.
///
/// Returns: UNDECIDED where a tile cuts another tile in unequal pieces and there are more than 65536 elements.
///
/// # Safety
/// `in`, `out` and `answer` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_reshape_is_bitcast(
    r#in: *const stride_xla_shape,
    out: *const stride_xla_shape,
    answer: *mut u32,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe { ask(r#in, out, answer, error, bitcast::reshape_is_bitcast) }
}

/// The same for the transpose whose output dimension i is input dimension axes[i]. Sizes of `out` that are not those of the
/// transposed input: 0. Dimensions of size 1 may lie anywhere: f32[1,5]{1,0} to f32[5,1]{1,0} by {1,0} is 1 (XLA says 0).
///
/// Returns: SHAPE_MISMATCH if the ranks differ; INVALID_AXES with the position unless `axes` is a permutation; UNDECIDED as
/// `stride_xla_reshape_is_bitcast`.
///
/// # Safety
/// `axes` holds as many entries as `in` has dimensions; `in`, `out` and `answer` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_transpose_is_bitcast(
    r#in: *const stride_xla_shape,
    out: *const stride_xla_shape,
    axes: *const i64,
    answer: *mut u32,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        ask(r#in, out, answer, error, |input, output| {
            bitcast::transpose_is_bitcast(input, output, array(axes, input.rank(), Argument::Axes)?)
        })
    }
}

/// Whether one of the two is a bitcast: the reshape, or a transpose by some axes (IsReshapeOrTransposeBitcast).
///
/// Returns: UNDECIDED as `stride_xla_reshape_is_bitcast`.
///
/// # Safety
/// `in`, `out` and `answer` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_reshape_or_transpose_is_bitcast(
    r#in: *const stride_xla_shape,
    out: *const stride_xla_shape,
    answer: *mut u32,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe { ask(r#in, out, answer, error, decompose::reshape_or_transpose_is_bitcast) }
}

/// The axes of the transpose that takes the buffer of `in` for that of `out`: output dimension i is input dimension axes[i]
/// (DeduceTransposeDimensionsForBitcast). Dimensions are matched as they lie in memory; where that fails, those of size 1
/// apart from the others. Element types may differ, storage bits may not.
///
/// Returns: NOT_REPRESENTABLE where there is none; UNDECIDED as `stride_xla_reshape_is_bitcast`.
///
/// # Safety
/// `axes` has room for as many entries as `out` has dimensions; `in` and `out` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_transpose_axes(
    r#in: *const stride_xla_shape,
    out: *const stride_xla_shape,
    axes: *mut i64,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        report(error, || {
            let (input, output) = read_two(r#in, out)?;
            write_entries(axes, &decompose::transpose_axes(&input, &output)?, Argument::Axes)
        })
    }
}

/// Takes the bitcast from `in` to `out` apart (DecomposeBitcast): `in` transposed by `axes` is `transposed`, which reshaped is
/// `reshaped`, which transposed by `out_axes` is `out`, and nothing moves. `kind` is STRIDE_XLA_BITCAST_...: where it names no
/// transpose the axes are 0, 1, ... Element types may differ, storage bits may not.
///
/// Returns: NOT_REPRESENTABLE where `out` is no bitcast of `in`; UNDECIDED as `stride_xla_reshape_is_bitcast`.
///
/// # Safety
/// `axes` has room for as many entries as `in` has dimensions, `out_axes` for as many as `out` has; the other pointers valid
/// or NULL; no two outputs the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_bitcast_decompose(
    r#in: *const stride_xla_shape,
    out: *const stride_xla_shape,
    kind: *mut u32,
    axes: *mut i64,
    transposed: *mut stride_xla_shape,
    reshaped: *mut stride_xla_shape,
    out_axes: *mut i64,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        report(error, || {
            let (input, output) = read_two(r#in, out)?;
            let kind = Output::new(kind, Argument::Kind)?;
            let (transposed, reshaped) =
                (Output::new(transposed, Argument::Out)?, Output::new(reshaped, Argument::Out)?);
            let found = decompose::decompose(&input, &output)?;
            let missing = |list: &[i64], pointer: *mut i64| !list.is_empty() && pointer.is_null();
            if missing(&found.axes, axes) || missing(&found.output_axes, out_axes) {
                return Err(super::null(Argument::Axes));
            }
            // Both before anything is written: permutations of valid shapes, but an output may be an input.
            let shapes = (found.transposed(&input)?, found.reshaped(&output)?);
            kind.write(match found.kind {
                Kind::Reshape => STRIDE_XLA_BITCAST_RESHAPE,
                Kind::Transpose => STRIDE_XLA_BITCAST_TRANSPOSE,
                Kind::TransposeReshapeTranspose => STRIDE_XLA_BITCAST_TRANSPOSE_RESHAPE_TRANSPOSE,
            });
            transposed.write_shape(&shapes.0);
            reshaped.write_shape(&shapes.1);
            write_entries(axes, &found.axes, Argument::Axes)?;
            write_entries(out_axes, &found.output_axes, Argument::Axes)
        })
    }
}

/// The shape of these sizes whose order makes the reshape from `shape` a bitcast (AlignLayouts). Dimensions of size 1 become
/// the most major ones. Padding stays if it can; tiles stay if they can, or are dropped where none are needed. No dimension
/// of `out` is dynamic, unless the sizes are those of the shape: then `out` is the shape.
///
/// Returns: SHAPE_MISMATCH with both element counts; NOT_REPRESENTABLE where no order does it; INVALID_RANK; INVALID_SIZE;
/// UNDECIDED as `stride_xla_reshape_is_bitcast`.
///
/// # Safety
/// `sizes` holds `rank` entries; `shape` and `out` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_align(
    shape: *const stride_xla_shape,
    rank: u32,
    sizes: *const i64,
    out: *mut stride_xla_shape,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        map_shape(shape, out, error, |shape| {
            let rank = checked_rank(rank, Argument::Rank)?;
            decompose::align(shape, array(sizes, rank, Argument::Sizes)?)
        })
    }
}

/// The shape of a binary element-wise operation (ShapeInference::InferBinaryOpShape). Sizes and `broadcast_dimensions` as in
/// `stride_xla_broadcast`; where both sizes are equal the result is dynamic if either is, where one is 1 the other decides.
/// Equal types and sizes: `lhs` with its layout; else the default layout. Of two floating-point types, that of more range.
///
/// Returns: DTYPE_MISMATCH with both types; INVALID_AXES (a wrong count, entries out of range or order); BROADCAST_MISMATCH
/// with the dimension of the result and both sizes, the left operand's first. Its argument is FLAGS where only one dimension
/// is dynamic, the sizes differ and none is a static 1 (different ranks only).
///
/// # Safety
/// `broadcast_dimensions` holds `count` entries; `lhs`, `rhs` and `out` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_broadcast(
    lhs: *const stride_xla_shape,
    rhs: *const stride_xla_shape,
    count: u32,
    broadcast_dimensions: *const i64,
    out: *mut stride_xla_shape,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        report(error, || {
            let (lhs, rhs) = read_two(lhs, rhs)?;
            let count = checked_rank(count, Argument::BroadcastDimensions)?;
            let places = array(broadcast_dimensions, count, Argument::BroadcastDimensions)?;
            let out = Output::new(out, Argument::Out)?;
            out.write_shape(&broadcast::broadcast(&lhs, &rhs, places)?);
            Ok(())
        })
    }
}
