//! XLA: the buffer of a shape
//!
//! How long it is, where in it each element lies, and the layout that the elements have. Each function returns what is wrong
//! with the shape as well.

use super::layout::stride_layout;
use super::query::write_entries;
use super::status::{stride_error, stride_status};
use super::xla::{answer, read_shape, stride_xla_shape};
use super::{Output, array, read_layout, report};
use crate::error::{Argument, Result};
use crate::model::{Layout, LayoutBuf, MAX_RANK};
use crate::vocabulary::xla::{Shape, padding};

/// Bytes of the buffer: padding, tiles and tail alignment included.
///
/// Returns: NULL_POINTER, or what is wrong with the shape.
///
/// # Safety
/// `shape` and `out` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_byte_size(
    shape: *const stride_xla_shape,
    out: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe { answer(shape, out, error, Shape::byte_size) }
}

/// Bytes up to the end of the element that lies furthest in the buffer, 0 if there is none. XLA's ArrayDataSize looks at the
/// first tile only.
///
/// Returns: NULL_POINTER; UNDECIDED where a tile merges dimensions of which a more minor one is padded, or a tile after the
/// first merges any, and the last 65,536 positions are all padding.
///
/// # Safety
/// `shape` and `out` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_data_size(
    shape: *const stride_xla_shape,
    out: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe { answer(shape, out, error, Shape::data_size) }
}

/// Bytes of the elements alone, as if neither padded nor tiled; dynamic dimensions count at their bound.
///
/// Returns: NULL_POINTER, or what is wrong with the shape.
///
/// # Safety
/// `shape` and `out` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_dense_size(
    shape: *const stride_xla_shape,
    out: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe { answer(shape, out, error, Shape::dense_size) }
}

/// Byte size by dense size, at least 1: f32[2,3] by the tile (8,128) takes 170.67 times the memory. Infinite where a padded buffer
/// has no elements, 1 where there is neither.
///
/// Returns: NULL_POINTER, or what is wrong with the shape.
///
/// # Safety
/// `shape` and `out` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_expansion_factor(
    shape: *const stride_xla_shape,
    out: *mut f64,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe { answer(shape, out, error, Shape::expansion_factor) }
}

/// Whether the tiles change nothing: 1 where every element lies where it would without them and the buffer is as long, else 0.
/// f32[24,128] by (8,128): 1.
///
/// Returns: NULL_POINTER; UNDECIDED where a tile merges dimensions of which a more minor one is padded, or a tile after the
/// first merges any, and there are more than 65,536 elements.
///
/// # Safety
/// `shape` and `out` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_is_untiled(
    shape: *const stride_xla_shape,
    out: *mut u32,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe { answer(shape, out, error, |shape| Ok(u32::from(shape.is_untiled()?))) }
}

/// Number of dimensions of size above 1, which XLA's pages call the true rank.
///
/// Returns: NULL_POINTER, or what is wrong with the shape.
///
/// # Safety
/// `shape` and `out` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_true_rank(
    shape: *const stride_xla_shape,
    out: *mut u32,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe { answer(shape, out, error, |shape| Ok(shape.true_rank() as u32)) }
}

/// The 16 bytes that fill this shape's padding: the `fill` of a copy with STRIDE_COPY_FILL_REST.
///
/// Returns: NULL_POINTER; NOT_REPRESENTABLE where the kind names no number, or one that the type does not have.
///
/// # Safety
/// `fill` has room for 16 bytes; `shape` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_shape_padding_bytes(
    shape: *const stride_xla_shape,
    fill: *mut u8,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        answer(shape, fill.cast::<[u8; 16]>(), error, |shape| {
            padding::padding_bytes(shape.dtype(), shape.storage_bits() as u32, shape.padding_kind)
        })
    }
}

/// Position of an index in the buffer, in elements: order, padding and all tiles counted
/// (IndexUtil::MultidimensionalIndexToLinearIndex where there are no tiles). f32[3,5] by the tile (2,2): (2,3) lies at 17.
///
/// Returns: NULL_POINTER; INDEX_OUT_OF_RANGE with the dimension.
///
/// # Safety
/// `index` holds as many entries as the shape has dimensions; `shape` and `out` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_linear_index(
    shape: *const stride_xla_shape,
    index: *const i64,
    out: *mut i64,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe { answer(shape, out, error, |shape| shape.linear_index(array(index, shape.rank(), Argument::Index)?)) }
}

/// The inverse: the index at a position of the buffer, as many entries as the shape has dimensions.
///
/// Returns: NULL_POINTER; INDEX_OUT_OF_RANGE outside the buffer; NOT_REPRESENTABLE where the position is padding, with the
/// dimension past whose size it lies or the tile (item) that reaches past what it cuts.
///
/// # Safety
/// `index` has room for as many entries as the shape has dimensions; `shape` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_multi_index(
    shape: *const stride_xla_shape,
    linear: i64,
    index: *mut i64,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        report(error, || {
            let read = read_shape(shape);
            let shape = read.as_ref().map_err(|&error| error)?;
            let mut found = [0i64; MAX_RANK];
            shape.multi_index(linear, &mut found)?;
            write_entries(index, &found[..shape.rank().min(MAX_RANK)], Argument::Index)
        })
    }
}

/// The layout of the shape's elements in its buffer. Where the storage is wider than the type (s4 in a byte), the layout's
/// dtype is the integer type of the storage. Tiles are no hindrance where every element lies where it would without them.
///
/// Returns: NULL_POINTER; NOT_REPRESENTABLE where tiles move elements, with the first such tile (item) and an element's
/// positions with and without the tiles; UNDECIDED as `stride_xla_shape_is_untiled`.
///
/// # Safety
/// `shape` and `out` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_from_xla(
    shape: *const stride_xla_shape,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe {
        report(error, || {
            let read = read_shape(shape);
            let layout: Result<LayoutBuf> = read.as_ref().map_err(|&error| error)?.to_layout();
            Output::new(out, Argument::Out)?.write_layout(layout.as_ref().map_err(|&error| error)?)
        })
    }
}

/// # Safety
/// As `stride_layout_to_xla`.
unsafe fn to_xla(
    layout: *const stride_layout,
    out: *mut stride_xla_shape,
    error: *mut stride_error,
    convert: fn(&Layout<'_>) -> Result<Shape>,
) -> stride_status {
    // SAFETY: as promised to this function.
    unsafe {
        report(error, || {
            let layout = read_layout(layout, Argument::Layout)?;
            let out = Output::new(out, Argument::Out)?;
            out.write_shape(&convert(&layout)?);
            Ok(())
        })
    }
}

/// The unpadded shape of a layout; the order as `stride_layout_minor_to_major` tells.
///
/// Returns: NULL_POINTER; INVALID_DTYPE (plain bytes); NOT_REPRESENTABLE (an offset, gaps, zero or negative strides, elements
/// below a byte that begin with the low bits).
///
/// # Safety
/// `layout` and `out` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_to_xla(
    layout: *const stride_layout,
    out: *mut stride_xla_shape,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe { to_xla(layout, out, error, Shape::from_layout) }
}

/// The shape with the least padding that has the layout's strides: rows of 3 at a pitch of 5 become a dimension padded to 5.
/// What the padding holds is STRIDE_XLA_PADDING_UNKNOWN; the slowest dimension is never padded.
///
/// Returns: as `stride_layout_to_xla`, without the gaps that padding explains.
///
/// # Safety
/// `layout` and `out` valid or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_to_xla_padded(
    layout: *const stride_layout,
    out: *mut stride_xla_shape,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: pointers as promised to this function.
    unsafe { to_xla(layout, out, error, Shape::from_layout_padded) }
}
