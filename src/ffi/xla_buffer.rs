//! XLA: the buffer of a shape
//!
//! The length of the buffer, the position of each element in it, and the layout of the elements.
//!
//! Example: an untiled shape is an ordinary layout, and can be copied, viewed and broadcast as one.
//!
//!   stride_xla_shape shape;
//!   stride_layout layout;
//!   stride_xla_shape_parse("s32[2,3]{0,1}", 13, &shape, NULL);
//!   stride_layout_from_xla(&shape, &layout, NULL);
//!   assert(layout.strides[0] == 1 && layout.strides[1] == 2);

use super::boundary::{Output, ranked, write_found_entries};
use super::layout::{read_layout, stride_layout};
use super::status::{report, stride_error, stride_status};
use super::xla::{ask, stride_xla_shape, with_shape};
use crate::error::{Argument, ForArgument, Result};
use crate::model::Layout;
use crate::vocabulary::xla::{Shape, padding};

/// Bytes of the buffer: padding, tiles and tail alignment included.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_byte_size(
    shape: *const stride_xla_shape,
    out: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, ask(shape, out, Argument::Out, Shape::byte_size))
}

/// Bytes up to the end of the last element in the buffer, 0 if there is none. Copies need more: the whole buffer. XLA's
/// ArrayDataSize considers only the first tile.
///
/// Returns: UNDECIDED if a tile merges dimensions of which a more minor one is padded, or a tile after the first merges
/// any, and neither a rule nor a number of tries decides.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_data_byte_size(
    shape: *const stride_xla_shape,
    out: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, ask(shape, out, Argument::Out, Shape::data_size))
}

/// Bytes of the elements alone, as if neither padded nor tiled; dynamic dimensions count at their bound.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_dense_byte_size(
    shape: *const stride_xla_shape,
    out: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, ask(shape, out, Argument::Out, Shape::dense_size))
}

/// Byte size divided by dense size, at least 1: f32[2,3] by the tile (8,128) takes 170.67 times the memory. Infinite
/// for padding without elements, 1 for an empty buffer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_expansion_factor(
    shape: *const stride_xla_shape,
    out: *mut f64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, ask(shape, out, Argument::Out, Shape::expansion_factor))
}

/// `*answer` becomes 1 if the tiles change nothing, else 0: every element lies where it would without them, and the
/// buffer is as long. f32[24,128] by (8,128): 1.
///
/// Returns: UNDECIDED as `stride_xla_shape_data_byte_size`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_is_untiled(
    shape: *const stride_xla_shape,
    answer: *mut u32,
    error: *mut stride_error,
) -> stride_status {
    report!(error, ask(shape, answer, Argument::Answer, |shape| Ok(u32::from(shape.is_untiled()?))))
}

/// Number of dimensions of size above 1, which XLA's pages call the true rank.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_true_rank(
    shape: *const stride_xla_shape,
    out: *mut u32,
    error: *mut stride_error,
) -> stride_status {
    report!(error, ask(shape, out, Argument::Out, |shape| Ok(shape.true_rank() as u32)))
}

/// The 16 bytes that fill this shape's padding: the `fill` of a copy with STRIDE_COPY_FILL_BUFFER.
///
/// Arrays: fill[16].
///
/// Returns: NOT_REPRESENTABLE if the kind names no number, or one that the type does not have.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_padding_bytes(
    shape: *const stride_xla_shape,
    fill: *mut u8,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        ask(shape, fill.cast::<[u8; 16]>(), Argument::Fill, |shape| {
            padding::padding_bytes(shape.dtype(), shape.storage_bits() as u32, shape.padding_kind)
        })
    })
}

/// Position of an index in the buffer, in elements, with order, padding and all tiles
/// (without tiles: IndexUtil::MultidimensionalIndexToLinearIndex). f32[3,5] by the tile (2,2): (2,3) lies at 17.
///
/// Arrays: index[rank].
///
/// Returns: INDEX_OUT_OF_RANGE with the dimension.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_linear_index(
    shape: *const stride_xla_shape,
    rank: u32,
    index: *const i64,
    out: *mut i64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, ask(shape, out, Argument::Out, |shape| shape.linear_index(ranked(index, rank, Argument::Index)?)))
}

/// The index at a position of the buffer: the inverse of `stride_xla_linear_index`.
///
/// Arrays: index[rank].
///
/// Returns: INDEX_OUT_OF_RANGE outside the buffer; NOT_REPRESENTABLE if the position is padding, with the dimension
/// past whose size it lies or the tile (item) that reaches past the dimensions that it cuts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_multi_index(
    shape: *const stride_xla_shape,
    linear: i64,
    rank: u32,
    index: *mut i64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        with_shape(shape, |shape| {
            write_found_entries(index, rank, shape.rank(), Argument::Index, |index| shape.multi_index(linear, index))
        })
    })
}

/// The layout of the shape's elements in its buffer. If the storage is wider than the type (s4 in a byte), the layout's
/// dtype is the integer of that width, signed if the type is (16 plain bytes for 128 bits). A tiled shape has a layout
/// if every element lies as it would without tiles.
///
/// Returns: NOT_REPRESENTABLE if tiles move elements, with the first such tile (item) and an element's positions with
/// and without the tiles; UNDECIDED as `stride_xla_shape_is_untiled`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_from_xla(
    shape: *const stride_xla_shape,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        with_shape(shape, |shape| {
            Output::new(out, Argument::Out)?.write_made(|out| shape.layout_in(out).in_role(Argument::Shape))
        })
    })
}

/// # Safety
/// `layout` is null or readable, `out` null or writable.
#[inline(never)] // it makes a shape, which is large
unsafe fn to_xla(
    layout: *const stride_layout,
    out: *mut stride_xla_shape,
    convert: fn(&Layout<'_>) -> Result<Shape>,
) -> Result<()> {
    // SAFETY: `layout` is null or readable, `out` null or writable (# Safety).
    unsafe {
        let layout = read_layout(layout, Argument::Layout)?;
        Output::new(out, Argument::Out)?.write_made_shape(&convert(&layout).in_role(Argument::Layout))
    }
}

/// The unpadded shape of a layout, in the order that `stride_layout_minor_to_major` returns.
///
/// Returns: INVALID_DTYPE (plain bytes, STRIDE_DTYPE_SWAPPED); NOT_REPRESENTABLE (an offset, gaps, zero or negative
/// strides).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_to_xla(
    layout: *const stride_layout,
    out: *mut stride_xla_shape,
    error: *mut stride_error,
) -> stride_status {
    report!(error, to_xla(layout, out, Shape::from_layout))
}

/// The shape with the least padding that has the layout's strides: rows of 3 at a pitch of 5 become a dimension padded
/// to 5. Each stride must be a multiple of the next smaller one. If the least is not 1, the fastest dimension is one of
/// size 1, padded to that stride. The slowest dimension is never padded. The kind of padding is
/// STRIDE_XLA_PADDING_UNKNOWN.
///
/// Returns: as `stride_layout_to_xla`, without the gaps that padding explains.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_to_xla_padded(
    layout: *const stride_layout,
    out: *mut stride_xla_shape,
    error: *mut stride_error,
) -> stride_status {
    report!(error, to_xla(layout, out, Shape::from_layout_padded))
}
