//! Windows, repeats and cuts
//!
//! Views that loops are made of: overlapping windows, a dimension that repeats, a diagonal, a cut in two. The rules of
//! stride.h for views hold here too.
//!
//! Example: numpy.roll(in, 2) is two copies: elements after the cut come first.
//!
//!   int64_t sizes[1] = {5}; uint8_t in[5] = {0, 1, 2, 3, 4}, out[5];
//!   stride_layout row, front, back, first, rest;
//!   stride_layout_init(&row, STRIDE_DTYPE_U8, 1, sizes, NULL, NULL);
//!   stride_layout_cut(&row, 0, 3, &front, &back, NULL), stride_layout_cut(&row, 0, 2, &first, &rest, NULL);
//!   stride_copy(&first, out, 5, &back, in, 5, NULL, NULL), stride_copy(&rest, out, 5, &front, in, 5, NULL, NULL);
//!   assert(out[0] == 3 && out[1] == 4 && out[2] == 0 && out[4] == 2);

use super::boundary::{Output, array, checked_rank, optional_array};
use super::layout::{map_layout, read_layout, stride_layout};
use super::status::{report, stride_error, stride_status};
use crate::error::{Argument, check_count};
use crate::model::LayoutStorage;
use crate::view;

/// All windows of `sizes` elements. The first `rank` dimensions of `out` number the windows, the others their elements.
/// Windows begin every `steps` elements, and their own elements lie `dilations` apart; NULL: 1. A dimension has
/// floor((size - (window - 1) * dilation - 1) / step) + 1 windows, 0 if the window does not fit. A row of 7 in windows
/// of 3 with step 2 is {3,3} with strides {2,1}. Windows of size 0 are floor(size / step) + 1 and give an empty result.
/// (torch.Tensor.unfold, numpy.lib.stride_tricks.sliding_window_view, XLA's ReduceWindow.)
///
/// Arrays: sizes[rank], steps[rank] or NULL, dilations[rank] or NULL.
///
/// Returns: INVALID_SIZE with the dimension; INVALID_ARGUMENT with the dimension for a step or dilation below 1;
/// INVALID_RANK above 32 dimensions; OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_window(
    layout: *const stride_layout,
    rank: u32,
    sizes: *const i64,
    steps: *const i64,
    dilations: *const i64,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        map_layout(layout, out, |l, out| {
            let rank = checked_rank(rank, Argument::Rank)?;
            check_count(rank, l.rank(), Argument::Rank)?;
            let list = |pointer| optional_array(pointer, rank);
            view::window(l, array(sizes, rank, Argument::Sizes)?, list(steps), list(dilations), out)
        })
    })
}

/// Inserts dimension `axis` of `out`: `count` equal entries, stride 0 (einops.repeat). {2,3} with axis 1 and count 4 is
/// {2,4,3}, whose packed copy is `numpy.tile(a, (1,4))`; with axis 2 it is {2,3,4}, whose packed copy is
/// `numpy.repeat(a, 4, 1)`.
///
/// Returns: INVALID_AXES; INVALID_SIZE for a count below 0; INVALID_RANK above 64 dimensions; OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_repeat(
    layout: *const stride_layout,
    axis: i64,
    count: i64,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, map_layout(layout, out, |l, out| view::repeat(l, axis, count, out)))
}

/// The diagonal of two dimensions, `diagonal` steps above the main one (below, if negative), as a new last dimension
/// (numpy.diagonal).
///
/// Returns: INVALID_AXES; OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_diagonal(
    layout: *const stride_layout,
    diagonal: i64,
    axis1: i64,
    axis2: i64,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, map_layout(layout, out, |l, out| view::diagonal(l, diagonal, axis1, axis2, out)))
}

/// Cuts dimension `axis` in two: `*front` has its entries 0 ... position - 1, `*back` the others (numpy.split). To roll
/// a dimension of size n by k, cut at n - k and put the back before the front.
///
/// Requires: `front` and `back` are two structs.
///
/// Returns: INVALID_AXES; INDEX_OUT_OF_RANGE unless 0 <= position <= size; OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_cut(
    layout: *const stride_layout,
    axis: i64,
    position: i64,
    front: *mut stride_layout,
    back: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let layout = read_layout(layout, Argument::Layout)?;
        let (front, back) = (Output::new(front, Argument::Front)?, Output::new(back, Argument::Back)?);
        let mut rooms = [LayoutStorage::default(), LayoutStorage::default()];
        let [before, after] = view::cut(&layout, axis, position, rooms.each_mut())?;
        front.write_view(&before);
        back.write_view(&after);
    })
}
