//! ggml
//!
//! The fields of a ggml_tensor, so that no header of ggml is needed: `type`, `ne` (elements, innermost first) and `nb`
//! (bytes between neighbours, innermost first). Layouts have rank 4 and the dimensions in reverse order. A block of a
//! quantised type is one element of plain bytes: Q4_0 has 32 values in 18 bytes. The data pointer is index (0, ..., 0).
//! Sources: ggml.h and ggml-common.h of ggml-org/llama.cpp.
//!
//! Example: two rows of 64 values of Q4_0 (type 2) are 2 x 2 blocks.
//!
//!   int64_t ne[4] = {64, 2, 1, 1}; size_t nb[4] = {18, 36, 72, 72}; uint64_t bytes;
//!   stride_layout rows;
//!   stride_layout_from_ggml(2, ne, nb, &rows, NULL);
//!   stride_layout_min_bytes(&rows, &bytes, NULL);
//!   assert(rows.dtype == (STRIDE_DTYPE_BYTES | 18) && rows.sizes[3] == 2 && rows.strides[2] == 2 && bytes == 72);

use super::boundary::{Output, check_given};
use super::layout::{read_layout, stride_layout};
use super::status::{report, stride_error, stride_status};
use crate::error::Argument;
use crate::vocabulary::ggml::{self, DIMENSIONS};

/// The dimensions of every tensor (GGML_MAX_DIMS).
pub const STRIDE_GGML_MAX_DIMS: usize = 4;

/// The type of an element, or of a block of a quantised type, and the number of its values: F32 (0) is f32 and 1, Q4_0
/// (2) is bytes18 and 32.
///
/// Returns: INVALID_DTYPE (not a number of ggml's, or one that ggml has removed).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_dtype_from_ggml(
    r#type: u32,
    out: *mut u32,
    block: *mut u32,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let (out, block) = (Output::new(out, Argument::Out)?, Output::new(block, Argument::Block)?);
        let (dtype, elements) = ggml::dtype_of(r#type)?;
        out.write(dtype.code());
        block.write(elements as u32);
    })
}

/// The layout of a tensor: dimension i of `out` is ggml's dimension 3 - i. A stride that is not a whole number of
/// elements becomes 0 if the size is 1. Otherwise the layout is that of `stride_layout_init_bytes`: u8, with the bytes
/// of each element or block as a fifth dimension. Dimensions in errors are ggml's.
///
/// Arrays: ne[4], nb[4].
///
/// Returns: INVALID_DTYPE (`type`); INVALID_SIZE (below 0, or not a whole number of blocks); INVALID_STRIDE (beyond 63
/// bits); OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_from_ggml(
    r#type: u32,
    ne: *const i64,
    nb: *const usize,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        check_given(ne, Argument::Ne)?;
        check_given(nb, Argument::Nb)?;
        let out = Output::new(out, Argument::Out)?;
        let (ne, nb) = (ne.cast::<[i64; DIMENSIONS]>().read(), nb.cast::<[usize; DIMENSIONS]>().read());
        out.write_made(|out| ggml::to_layout_in(r#type, &ne, &nb.map(|bytes| bytes as u64), out))
    })
}

/// The tensor of this type that a layout is: the inverse of `stride_layout_from_ggml`. Missing dimensions are
/// outermost, of size 1. A stride without effect becomes that of a new tensor of ggml: `nb[0] * (ne[0] / block)`, then
/// `nb[i - 1] * ne[i - 1]`. `*offset_bytes` leads from the base pointer to the tensor's data pointer.
///
/// Arrays: ne[4], nb[4].
///
/// Returns: INVALID_DTYPE (`type`); DTYPE_MISMATCH (the layout's dtype is not that of `stride_dtype_from_ggml`);
/// INVALID_RANK above 4; INVALID_STRIDE (negative, or more than a size_t holds); OUT_OF_BOUNDS (an element below the
/// base pointer); OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_to_ggml(
    layout: *const stride_layout,
    r#type: u32,
    ne: *mut i64,
    nb: *mut usize,
    offset_bytes: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let layout = read_layout(layout, Argument::Layout)?;
        let (ne, nb) = (Output::new(ne, Argument::Ne)?, Output::new(nb, Argument::Nb)?);
        let offset_bytes = Output::new(offset_bytes, Argument::OffsetBytes)?;
        let found = ggml::from_layout(&layout, r#type)?;
        let mut strides = [0usize; DIMENSIONS];
        for (place, (slot, &bytes)) in strides.iter_mut().zip(&found.nb).enumerate() {
            *slot = ggml::size_t(place, bytes)?;
        }
        ne.write_all(&found.ne);
        nb.write_all(&strides);
        offset_bytes.write(found.offset_bytes);
    })
}
