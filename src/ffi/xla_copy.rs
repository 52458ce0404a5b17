//! Copies to and from XLA shapes
//!
//! Each side is a layout or a shape with its tiles and padding: one of `..._layout` and `..._shape` is NULL. On one of
//! the two sides both may be NULL: that side is packed, with the dtype and sizes of the other. A shape whose storage is
//! wider than its type counts as the integer type of its storage: s4 in a byte wants an s8 layout, as
//! `stride_layout_from_xla` makes it. Padding is neither read nor written; with STRIDE_COPY_FILL_BUFFER that of the
//! destination gets the fill value (`stride_xla_shape_padding_bytes`), in plans by part 0 alone.
//!
//! What always works: two buffers apart, a tiled side with the length of its whole buffer
//! (`stride_xla_shape_byte_size`), elements of whole bytes, and none of the flags STRIDE_COPY_SMALL_STACK (UNSUPPORTED
//! with a shape) and STRIDE_COPY_OVERLAP. Where a copy is one nest of loops in spite of the tiles, as without tiles,
//! STRIDE_COPY_OVERLAP, elements packed below a byte, E(4), and shorter lengths work as for layouts; elsewhere the
//! first two are UNSUPPORTED.
//!
//! Example: a packed matrix into tiles of 2 x 2.
//!
//!   uint8_t rows[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, tiles[16]; int64_t sizes[2] = {3, 3};
//!   stride_xla_shape shape; stride_layout packed;
//!   stride_layout_init(&packed, STRIDE_DTYPE_U8, 2, sizes, NULL, NULL);
//!   stride_xla_shape_parse("u8[3,3]{1,0:T(2,2)}", 19, &shape, NULL);
//!   stride_xla_copy(NULL, &shape, tiles, 16, &packed, NULL, rows, 9, NULL, NULL);
//!   assert(tiles[0] == 1 && tiles[2] == 4 && tiles[4] == 3 && tiles[12] == 9);

use super::boundary::report;
use super::copy::{dst_buffer, src_buffer, stride_copy, stride_copy_options};
use super::layout::stride_layout;
use super::plan::{stride_plan, stride_plan_init};
use super::sides::{Given, copy_sides, plan_sides};
use super::status::{stride_error, stride_status};
use super::xla::stride_xla_shape;
use core::ffi::c_void;

/// `stride_copy` with a layout or a shape on each side.
///
/// Arrays: dst_layout or NULL, dst_shape or NULL, dst[dst_bytes], src_layout or NULL, src_shape or NULL,
/// src[src_bytes], options or NULL.
///
/// Returns: as `stride_copy`; INVALID_ARGUMENT if both of `..._layout` and `..._shape` are given, NULL_POINTER if
/// nothing is given on either side; UNSUPPORTED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_copy(
    dst_layout: *const stride_layout,
    dst_shape: *const stride_xla_shape,
    dst: *mut c_void,
    dst_bytes: u64,
    src_layout: *const stride_layout,
    src_shape: *const stride_xla_shape,
    src: *const c_void,
    src_bytes: u64,
    options: *const stride_copy_options,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: as the header asks of callers.
    unsafe {
        if dst_shape.is_null() && src_shape.is_null() {
            return stride_copy(dst_layout, dst, dst_bytes, src_layout, src, src_bytes, options, error);
        }
        let sides = [Given::shape(dst_layout, dst_shape), Given::shape(src_layout, src_shape)];
        report(error, || copy_sides(sides, dst_buffer(dst, dst_bytes), src_buffer(src, src_bytes), options))
    }
}

/// `stride_plan_init` with a layout or a shape on each side. Parts of a plan with tiles are cut where the destination's
/// tiles are.
///
/// Arrays: dst_layout or NULL, dst_shape or NULL, src_layout or NULL, src_shape or NULL, options or NULL.
///
/// Returns: as `stride_xla_copy`, as far as buffers do not matter.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_xla_plan_init(
    out: *mut stride_plan,
    dst_layout: *const stride_layout,
    dst_shape: *const stride_xla_shape,
    src_layout: *const stride_layout,
    src_shape: *const stride_xla_shape,
    options: *const stride_copy_options,
    error: *mut stride_error,
) -> stride_status {
    // SAFETY: as the header asks of callers.
    unsafe {
        if dst_shape.is_null() && src_shape.is_null() {
            return stride_plan_init(out, dst_layout, src_layout, options, error);
        }
        let sides = [Given::shape(dst_layout, dst_shape), Given::shape(src_layout, src_shape)];
        report(error, || plan_sides(out, sides, options))
    }
}
