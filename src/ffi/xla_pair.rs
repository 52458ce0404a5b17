//! XLA: two shapes
//!
//! Equality of shapes, and bitcasts: a bitcast takes the buffer of `in_shape` for that of `out_shape` and moves
//! nothing. Sources: ShapeUtil and LayoutUtil of openxla/xla.
//!
//! Example: a reshape that moves nothing.
//!
//!   stride_xla_shape in_shape, out_shape;
//!   uint32_t moves_nothing;
//!   stride_xla_shape_parse("f32[6,4]{1,0}", 13, &in_shape, NULL);
//!   stride_xla_shape_parse("f32[2,3,4]{2,1,0}", 17, &out_shape, NULL);
//!   stride_xla_reshape_is_bitcast(&in_shape, &out_shape, &moves_nothing, NULL);
//!   assert(moves_nothing == 1);

use super::boundary::{Output, check_entries, counted, ranked, write_entries};
use super::status::{report, stride_error, stride_status};
use super::xla::{read_shape, stride_xla_shape};
use super::xla_rearrange::map_shape;
use crate::error::{Argument, Error, ForArgument, Result};
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
/// Equality ignores the difference between floating-point types.
pub const STRIDE_XLA_IGNORE_FLOAT_PRECISION: u32 = 128;
/// Equality ignores sizes and padded sizes; the ranks still count.
pub const STRIDE_XLA_IGNORE_SIZES: u32 = 256;
/// Equality ignores padded sizes and the kind of padding.
pub const STRIDE_XLA_IGNORE_PADDING: u32 = 512;
/// Of the layout, only the order counts: all of TILES, ELEMENT_BITS, TAIL_ALIGNMENT, MEMORY_SPACE and PADDING.
pub const STRIDE_XLA_MINOR_TO_MAJOR_ONLY: u32 = 542;

/// A bitcast is a reshape.
pub const STRIDE_XLA_BITCAST_RESHAPE: u32 = 1;
/// A bitcast is a transpose.
pub const STRIDE_XLA_BITCAST_TRANSPOSE: u32 = 2;
/// A bitcast is a transpose, a reshape and a transpose, some of which may change nothing.
pub const STRIDE_XLA_BITCAST_TRANSPOSE_RESHAPE_TRANSPOSE: u32 = 3;

/// The arguments of two shapes.
const OPERANDS: [Argument; 2] = [Argument::Lhs, Argument::Rhs];
const BITCAST: [Argument; 2] = [Argument::InShape, Argument::OutShape];

/// The result of `then` for two shapes. An error about a shape names the second.
///
/// # Safety
/// Each shape is null or readable.
unsafe fn with_shapes<T>(
    [first, second]: [*const stride_xla_shape; 2],
    [first_name, second_name]: [Argument; 2],
    then: impl FnOnce(&Shape, &Shape) -> Result<T>,
) -> Result<T> {
    // SAFETY: shapes are null or readable (# Safety).
    let (first, second) = unsafe { (read_shape(first).in_role(first_name)?, read_shape(second).in_role(second_name)?) };
    then(&first, &second).map_err(|error| match error.argument {
        Argument::Shape => Error { argument: second_name, ..error },
        _ => error,
    })
}

/// Writes the answer to a question about two shapes.
///
/// # Safety
/// Each shape is null or readable; `answer` is null or writable.
unsafe fn ask(
    shapes: [*const stride_xla_shape; 2],
    names: [Argument; 2],
    answer: *mut u32,
    question: impl FnOnce(&Shape, &Shape) -> Result<bool>,
) -> Result<()> {
    // SAFETY: shapes are null or readable, `answer` is null or writable (# Safety).
    unsafe {
        with_shapes(shapes, names, |first, second| {
            Output::new(answer, Argument::Answer)?.write_found(question(first, second).map(u32::from))
        })
    }
}

/// `*answer` becomes 1 if the shapes are equal but for what `flags` (STRIDE_XLA_IGNORE_...) ignore, else 0.
///
/// Returns: INVALID_ARGUMENT for an unknown flag.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shapes_equal(
    lhs: *const stride_xla_shape,
    rhs: *const stride_xla_shape,
    flags: u32,
    answer: *mut u32,
    error: *mut stride_error,
) -> stride_status {
    report!(error, ask([lhs, rhs], OPERANDS, answer, |lhs, rhs| Ok(equal::equal(lhs, rhs, Ignore::new(flags)?))))
}

/// `*answer` becomes 1 if a reshape from `in_shape` to `out_shape` is a bitcast, else 0. A reshape keeps the row-major
/// order of the elements. It is a bitcast if every element keeps the place of its bits, and the buffer of `out_shape`
/// is no longer than that of `in_shape`. Order, padding, all tiles and storage bits count; the tail alignment counts
/// only through the length; memory space and dynamic flags do not. Another element type or number of elements gives 0,
/// no elements give 1, whatever the buffers.
///
/// Returns: UNDECIDED if a tile cuts another tile, or dimensions that it merges, in unequal pieces, and there are more
/// elements than may be tried. The most are 4096 steps; an element takes 4, and one for each dimension and tile size of
/// both shapes.
///
/// Time: microseconds for the tiles of ordinary shapes, a quarter of a millisecond at rank 64 with many tiles. This
/// holds for all questions about tiles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_reshape_is_bitcast(
    in_shape: *const stride_xla_shape,
    out_shape: *const stride_xla_shape,
    answer: *mut u32,
    error: *mut stride_error,
) -> stride_status {
    report!(error, ask([in_shape, out_shape], BITCAST, answer, bitcast::reshape_is_bitcast))
}

/// `stride_xla_reshape_is_bitcast` for the transpose whose output dimension i is input dimension axes[i]. If the sizes
/// of `out_shape` are not those of the transposed input, the answer is 0. Dimensions of size 1 may lie anywhere:
/// f32[1,5]{1,0} to f32[5,1]{1,0} by {1,0} is 1 (XLA says 0).
///
/// Arrays: axes[rank].
///
/// Returns: SHAPE_MISMATCH if the ranks differ; INVALID_AXES with the entry unless `axes` is a permutation; UNDECIDED
/// as `stride_xla_reshape_is_bitcast`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_transpose_is_bitcast(
    in_shape: *const stride_xla_shape,
    out_shape: *const stride_xla_shape,
    rank: u32,
    axes: *const i64,
    answer: *mut u32,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        ask([in_shape, out_shape], BITCAST, answer, |input, output| {
            bitcast::transpose_is_bitcast(input, output, ranked(axes, rank, Argument::Axes)?)
        })
    })
}

/// `*answer` becomes 1 if the reshape is a bitcast, or a transpose by some axes (IsReshapeOrTransposeBitcast), else 0.
///
/// Returns: UNDECIDED as `stride_xla_reshape_is_bitcast`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_reshape_or_transpose_is_bitcast(
    in_shape: *const stride_xla_shape,
    out_shape: *const stride_xla_shape,
    answer: *mut u32,
    error: *mut stride_error,
) -> stride_status {
    report!(error, ask([in_shape, out_shape], BITCAST, answer, decompose::reshape_or_transpose_is_bitcast))
}

/// The axes of the transpose that takes the buffer of `in_shape` for that of `out_shape`: output dimension i is input
/// dimension axes[i] (DeduceTransposeDimensionsForBitcast). Dimensions are matched by their order in memory, as in XLA;
/// if that fails, by the positions of their elements, those of size 1 from left to right. Element types may differ,
/// storage bits may not. `rank` is that of `out_shape`.
///
/// Arrays: axes[rank].
///
/// Returns: NOT_REPRESENTABLE if there is none; UNDECIDED as `stride_xla_reshape_is_bitcast`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_transpose_axes(
    in_shape: *const stride_xla_shape,
    out_shape: *const stride_xla_shape,
    rank: u32,
    axes: *mut i64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        with_shapes([in_shape, out_shape], BITCAST, |input, output| {
            check_entries(axes, rank, output.rank(), Argument::Rank, Argument::Axes)?;
            let found = decompose::transpose_axes(input, output)?;
            write_entries(axes, rank, &found, Argument::Rank, Argument::Axes)
        })
    })
}

/// Takes the bitcast from `in_shape` to `out_shape` apart (DecomposeBitcast): `in_shape` is transposed by `axes` to
/// `transposed`, that is reshaped to `reshaped`, and that is transposed by `out_axes` to `out_shape`; nothing moves.
/// `*kind` is STRIDE_XLA_BITCAST_...; without a transpose the axes are 0, 1, ... Element types may differ, storage bits
/// may not.
///
/// Arrays: axes[rank], out_axes[out_rank].
///
/// Returns: NOT_REPRESENTABLE if `out_shape` is not a bitcast of `in_shape`, or the bitcast is not found: if neither a
/// reshape nor a transpose does it alone, both shapes are put into descending order and no other way is tried, as in
/// XLA. (Without tiles there is no other, with tiles there may be.) UNDECIDED as `stride_xla_reshape_is_bitcast`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_bitcast_decompose(
    in_shape: *const stride_xla_shape,
    out_shape: *const stride_xla_shape,
    kind: *mut u32,
    rank: u32,
    axes: *mut i64,
    transposed: *mut stride_xla_shape,
    reshaped: *mut stride_xla_shape,
    out_rank: u32,
    out_axes: *mut i64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        with_shapes([in_shape, out_shape], BITCAST, |input, output| {
            let kind = Output::new(kind, Argument::Kind)?;
            let transposed = Output::new(transposed, Argument::Transposed)?;
            let reshaped = Output::new(reshaped, Argument::Reshaped)?;
            check_entries(axes, rank, input.rank(), Argument::Rank, Argument::Axes)?;
            check_entries(out_axes, out_rank, output.rank(), Argument::OutRank, Argument::OutAxes)?;
            let found = decompose::decompose(input, output)?;
            // Both before anything is written: permutations of valid shapes, but an output may be an input.
            let shapes = (found.transposed(input)?, found.reshaped(output)?);
            kind.write(match found.kind {
                Kind::Reshape => STRIDE_XLA_BITCAST_RESHAPE,
                Kind::Transpose => STRIDE_XLA_BITCAST_TRANSPOSE,
                Kind::TransposeReshapeTranspose => STRIDE_XLA_BITCAST_TRANSPOSE_RESHAPE_TRANSPOSE,
            });
            transposed.write_shape(&shapes.0);
            reshaped.write_shape(&shapes.1);
            write_entries(axes, rank, &found.axes, Argument::Rank, Argument::Axes)?;
            write_entries(out_axes, out_rank, &found.output_axes, Argument::OutRank, Argument::OutAxes)
        })
    })
}

/// The shape of these sizes whose order makes the reshape from `shape` a bitcast (AlignLayouts). Dimensions of size 1
/// become the most major ones. Padding stays if it can; tiles stay if they can, and are dropped if none are needed. If
/// the sizes are those of the shape, `out` is the shape. Otherwise no dimension of `out` is dynamic, and an empty shape
/// becomes one in descending order, without padding and tiles.
///
/// Arrays: sizes[rank].
///
/// Returns: SHAPE_MISMATCH with both element counts; NOT_REPRESENTABLE if no order that keeps the dimensions in their
/// order in memory does it (with tiles another one may), or if dimensions of size 1 of `shape` cannot be deleted;
/// INVALID_RANK; INVALID_SIZE; UNDECIDED as `stride_xla_reshape_is_bitcast`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_align(
    shape: *const stride_xla_shape,
    rank: u32,
    sizes: *const i64,
    out: *mut stride_xla_shape,
    error: *mut stride_error,
) -> stride_status {
    report!(error, map_shape(shape, out, |shape| decompose::align(shape, ranked(sizes, rank, Argument::Sizes)?)))
}

/// The shape of a binary element-wise operation (ShapeInference::InferBinaryOpShape). Sizes and `broadcast_dimensions`
/// follow the rule of `stride_xla_broadcast`. If both sizes of a dimension are equal, the result is dynamic if either
/// is; if one is 1, the other decides. If types and sizes are equal, the result is `lhs` with its layout; otherwise it
/// has the default layout. Of two floating-point types, the one of larger range wins.
///
/// Arrays: broadcast_dimensions[count].
///
/// Returns: DTYPE_MISMATCH with both types; INVALID_RANK for a wrong `count`; INVALID_AXES for entries out of range or
/// order; BROADCAST_MISMATCH with the dimension of the result and both sizes, the left operand's first. Its detail is
/// DYNAMIC if one size is a dynamic 1 and the other a static size that is not 1 (different ranks only). OVERFLOW if the
/// result has too many elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_broadcast(
    lhs: *const stride_xla_shape,
    rhs: *const stride_xla_shape,
    count: u32,
    broadcast_dimensions: *const i64,
    out: *mut stride_xla_shape,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let places = counted(broadcast_dimensions, count, Argument::BroadcastDimensions)?;
        let out = Output::new(out, Argument::Out)?;
        let result = with_shapes([lhs, rhs], OPERANDS, |lhs, rhs| broadcast::broadcast(lhs, rhs, places))?;
        out.write_shape(&result);
    })
}
