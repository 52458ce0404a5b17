//! Copies that take
//!
//! A list says which index of the source each index of the destination along one dimension is: channels in another
//! order, dropped, doubled, or filled with a constant, in one pass. Index i of the destination along `axis` is index
//! `indices[i]` of the source; -1 is `options->fill`, repeated from the first byte of each element on (0 without
//! options). All other sizes are equal.
//!
//! A list without -1 that steps by 1, 0 or -1 all along is a view, and an ordinary copy: it needs what it takes. Of any
//! other list every index of the source must lie in its buffer, also if it is not taken; the two sides must share no
//! element, which is tested exactly: pixels cannot be reordered in their own place; STRIDE_COPY_OVERLAP and elements
//! below a byte are UNSUPPORTED. So is STRIDE_COPY_SMALL_STACK of all lists.
//!
//! Example: RGB pixels to BGRX, whose fourth byte is 255.
//!
//!   int64_t three[2] = {2, 3}, four[2] = {2, 4}, order[4] = {2, 1, 0, -1}; stride_layout to, from;
//!   uint8_t rgb[6] = {1, 2, 3, 4, 5, 6}, bgrx[8]; stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
//!   options.fill[0] = 255; stride_layout_init(&from, STRIDE_DTYPE_U8, 2, three, NULL, NULL);
//!   stride_layout_init(&to, STRIDE_DTYPE_U8, 2, four, NULL, NULL);
//!   stride_copy_take(&to, bgrx, 8, &from, rgb, 6, 1, 4, order, &options, NULL);
//!   assert(bgrx[0] == 3 && bgrx[2] == 1 && bgrx[3] == 255 && bgrx[4] == 6);
#![allow(non_camel_case_types)]

use super::boundary::report;
use super::copy::{dst_buffer, src_buffer, stride_copy_options};
use super::layout::stride_layout;
use super::plan::stride_plan;
use super::sides::{Says, Take, copy_layouts, plan_layouts};
use super::status::{stride_error, stride_status};
use core::ffi::c_void;

/// The most entries of a list of indices.
pub const STRIDE_TAKE_MAX_COUNT: usize = 64;

/// `stride_copy` with the indices of the source along `axis` from a list.
///
/// Arrays: dst[dst_bytes], src[src_bytes], indices[count], options or NULL.
///
/// Requires: buffers as for `stride_copy`.
///
/// Returns: as `stride_copy`; INVALID_AXES; INVALID_RANK unless there are as many entries as the destination's size
/// along `axis`, at most 64; INDEX_OUT_OF_RANGE with the entry (item); UNSUPPORTED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_copy_take(
    dst_layout: *const stride_layout,
    dst: *mut c_void,
    dst_bytes: u64,
    src_layout: *const stride_layout,
    src: *const c_void,
    src_bytes: u64,
    axis: i64,
    count: u32,
    indices: *const i64,
    options: *const stride_copy_options,
    error: *mut stride_error,
) -> stride_status {
    let (to, from) = (dst_buffer(dst, dst_bytes), src_buffer(src, src_bytes));
    let says = Says::Take(Take { axis, count, indices });
    // SAFETY: as the header asks of callers.
    unsafe { report(error, || copy_layouts([dst_layout, src_layout], says, to, from, options)) }
}

/// `stride_plan_init` with the indices of the source along `axis` from a list. Whatever runs plans runs this one, also
/// in parts and in batches; `stride_plan_regions` refuses lists with -1 (UNSUPPORTED).
///
/// Arrays: indices[count], options or NULL.
///
/// Returns: as `stride_copy_take`, as far as buffers do not matter.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_plan_init_take(
    out: *mut stride_plan,
    dst_layout: *const stride_layout,
    src_layout: *const stride_layout,
    axis: i64,
    count: u32,
    indices: *const i64,
    options: *const stride_copy_options,
    error: *mut stride_error,
) -> stride_status {
    let says = Says::Take(Take { axis, count, indices });
    // SAFETY: as the header asks of callers.
    unsafe { report(error, || plan_layouts(out, [dst_layout, src_layout], says, options)) }
}
