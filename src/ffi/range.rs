//! Copies in row-major order
//!
//! Each side counts its elements in row-major order of its own sizes: number 0 is index (0, ..., 0), and the last index
//! moves first, whatever the strides are. So a view is packed into a buffer piece by piece and unpacked from one
//! (MPI_Pack), and an array gets other sizes on the way (numpy.reshape of a copy). With STRIDE_COPY_ROW_MAJOR,
//! `stride_copy` and `stride_plan_init` take layouts of different sizes with the same number of elements.
//!
//! Where one side has no gaps, such as a packed buffer, this is an ordinary copy. Where the sizes of both cut each
//! other, it is done box by box: the two buffers must lie apart, and STRIDE_COPY_OVERLAP and elements below a byte are
//! UNSUPPORTED. STRIDE_COPY_SMALL_STACK is UNSUPPORTED for all ranges, and for sizes that differ.
//!
//! Example: a column of 2 x 3 numbers, in two pieces.
//!
//!   const uint8_t matrix[6] = {1, 2, 3, 4, 5, 6}; uint8_t piece[3]; stride_layout columns, packed;
//!   int64_t sizes[2] = {3, 2}, steps[2] = {1, 3}, three = 3;
//!   stride_layout_init(&columns, STRIDE_DTYPE_U8, 2, sizes, steps, NULL);
//!   stride_layout_init(&packed, STRIDE_DTYPE_U8, 1, &three, NULL, NULL);
//!   stride_copy_range(&packed, piece, 3, 0, &columns, matrix, 6, 3, 3, NULL, NULL);
//!   assert(piece[0] == 5 && piece[1] == 3 && piece[2] == 6);
#![allow(non_camel_case_types)]

use super::boundary::report;
use super::copy::{dst_buffer, src_buffer, stride_copy_options};
use super::layout::stride_layout;
use super::plan::stride_plan;
use super::sides::{Range, Says, copy_layouts, plan_layouts};
use super::status::{stride_error, stride_status};
use core::ffi::c_void;

/// Copies `count` elements: number `dst_first + k` of the destination gets number `src_first + k` of the source, in
/// row-major order.
///
/// Arrays: dst[dst_bytes], src[src_bytes], options or NULL.
///
/// Requires: buffers as for `stride_copy`, all of both layouts. (With STRIDE_COPY_FILL_BUFFER, elements of the
/// destination outside the range count as not reached, and get the fill value.)
///
/// Returns: as `stride_copy`, whatever the sizes are; OUT_OF_BOUNDS with the end of a range and how many elements there
/// are; UNSUPPORTED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_copy_range(
    dst_layout: *const stride_layout,
    dst: *mut c_void,
    dst_bytes: u64,
    dst_first: i64,
    src_layout: *const stride_layout,
    src: *const c_void,
    src_bytes: u64,
    src_first: i64,
    count: u64,
    options: *const stride_copy_options,
    error: *mut stride_error,
) -> stride_status {
    let (to, from) = (dst_buffer(dst, dst_bytes), src_buffer(src, src_bytes));
    let says = Says::Range(Range { firsts: [dst_first, src_first], count });
    // SAFETY: as the header asks of callers.
    unsafe { report(error, || copy_layouts([dst_layout, src_layout], says, to, from, options)) }
}

/// `stride_plan_init` of what `stride_copy_range` copies.
///
/// Arrays: options or NULL.
///
/// Returns: as `stride_copy_range`, as far as buffers do not matter.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_plan_init_range(
    out: *mut stride_plan,
    dst_layout: *const stride_layout,
    dst_first: i64,
    src_layout: *const stride_layout,
    src_first: i64,
    count: u64,
    options: *const stride_copy_options,
    error: *mut stride_error,
) -> stride_status {
    let says = Says::Range(Range { firsts: [dst_first, src_first], count });
    // SAFETY: as the header asks of callers.
    unsafe { report(error, || plan_layouts(out, [dst_layout, src_layout], says, options)) }
}
