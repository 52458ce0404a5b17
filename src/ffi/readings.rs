//! Other readings
//!
//! More views: a dimension less, another dtype, any strides. Nothing is moved. Dimension numbers may be negative: -1 is
//! the last. A view without elements keeps the layout's offset, except as another dtype or where the caller gives the
//! offset. OVERFLOW means that a stride, a size or the number of elements of the view does not fit 64 bits, or that its
//! highest element ends 2^60 bytes or more above the base, or more than that below it.
//!
//! Example: the red channel of an image whose pixels are numbers 0xAARRGGBB, on a CPU with the low byte first.
//!
//!   int64_t sizes[2] = {4, 6}, last[1] = {2};
//!   stride_layout view;
//!   stride_layout_init(&view, STRIDE_DTYPE_U32, 2, sizes, NULL, NULL);
//!   stride_layout_expand_dims(&view, 1, last, &view, NULL);
//!   stride_layout_reinterpret(&view, STRIDE_DTYPE_U8, &view, NULL), stride_layout_select(&view, 2, 2, &view, NULL);
//!   assert(view.rank == 2 && view.offset == 2 && view.strides[0] == 24 && view.strides[1] == 4);

use super::boundary::ranked;
use super::layout::{map_layout, stride_layout};
use super::status::{report, stride_error, stride_status};
use crate::error::Argument;
use crate::model::Dtype;
use crate::view;

/// Fixes dimension `axis` at this index and drops it; index -1 is the last (numpy: a[:, index]). {2,3,4} at index 1 of
/// axis 0 is {3,4}, with the offset 12 more.
///
/// Returns: INVALID_AXES; INDEX_OUT_OF_RANGE; OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_select(
    layout: *const stride_layout,
    axis: i64,
    index: i64,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, map_layout(layout, out, |l, out| view::select(l, axis, index, out)))
}

/// The bytes of a layout as elements of `dtype` (numpy.ndarray.view). If the widths are equal, only the dtype changes.
/// Otherwise the last dimension, which must be packed, grows or shrinks: u32 {2,3} is u8 {2,12}, with the other strides
/// and the offset 4 times as large; and back. Elements in a byte are counted from the end at which the new dtype
/// begins.
///
/// Returns: INVALID_DTYPE; DTYPE_MISMATCH for a smaller dtype whose width does not divide the old one; SHAPE_MISMATCH
/// if the last size is not a whole number of new elements; NOT_REPRESENTABLE with the dimension if the last stride is
/// not 1, if another stride or the offset is not a whole number of new elements, or for rank 0; OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_reinterpret(
    layout: *const stride_layout,
    dtype: u32,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, map_layout(layout, out, |l, out| view::reinterpret(l, Dtype::new(dtype)?, out)))
}

/// Any sizes, strides and offset over the elements from the lowest to the highest that the layout reaches. The offset
/// counts from the base pointer. (torch.as_strided checks the storage instead, and wraps: pytorch#145259, #150388.)
///
/// Arrays: sizes[rank], strides[rank].
///
/// Returns: OUT_OF_BOUNDS with the element offset outside this range and the end of it (an empty view leaves nothing);
/// INVALID_SIZE; OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_as_strided(
    layout: *const stride_layout,
    rank: u32,
    sizes: *const i64,
    strides: *const i64,
    offset: i64,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        map_layout(layout, out, |l, out| {
            let (sizes, strides) = (ranked(sizes, rank, Argument::Sizes)?, ranked(strides, rank, Argument::Strides)?);
            view::as_strided(l, sizes, strides, offset, out)
        })
    })
}
