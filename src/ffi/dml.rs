//! DirectML
//!
//! stride_dml_buffer_tensor_desc has the memory layout of DML_BUFFER_TENSOR_DESC: cast one to the other.
//! `stride_dml_buffer_tensor_size` computes how many bytes a tensor takes; `stride_dml_validate` says whether DirectML
//! accepts it, with the reason that E_INVALIDARG does not give. Sources: DirectML.h, DirectMLX.h, and the DirectML
//! pages on learn.microsoft.com.
//!
//! Example: rows of 3 floats at a pitch of 4, as an engine that wants four dimensions describes them.
//!
//!   int64_t sizes[2] = {2, 3}, strides[2] = {4, 1};
//!   uint32_t dml_sizes[8], dml_strides[8]; uint64_t offset;
//!   stride_layout rows; stride_dml_buffer_tensor_desc desc;
//!   stride_layout_init(&rows, STRIDE_DTYPE_F32, 2, sizes, strides, NULL);
//!   stride_layout_to_dml(&rows, 4, dml_sizes, dml_strides, &desc, &offset, NULL);
//!   assert(desc.dimension_count == 4 && desc.total_tensor_size_in_bytes == 28);
//!   assert(stride_dml_validate(&desc, NULL) == STRIDE_STATUS_OK);

use super::boundary::{Output, array, check_given, checked_rank, optional_array};
use super::layout::{read_layout, stride_layout};
use super::status::{report, stride_error, stride_status};
use crate::error::{Argument, Result, check_rank};
use crate::vocabulary::dml::{self, BufferTensor, MAX_DIMENSION_COUNT};
use core::ptr::addr_of;

/// DML_TENSOR_DATA_TYPE_UNKNOWN.
pub const STRIDE_DML_TENSOR_DATA_TYPE_UNKNOWN: u32 = 0;
/// DML_TENSOR_DATA_TYPE_FLOAT32.
pub const STRIDE_DML_TENSOR_DATA_TYPE_FLOAT32: u32 = 1;
/// DML_TENSOR_DATA_TYPE_FLOAT16.
pub const STRIDE_DML_TENSOR_DATA_TYPE_FLOAT16: u32 = 2;
/// DML_TENSOR_DATA_TYPE_UINT32.
pub const STRIDE_DML_TENSOR_DATA_TYPE_UINT32: u32 = 3;
/// DML_TENSOR_DATA_TYPE_UINT16.
pub const STRIDE_DML_TENSOR_DATA_TYPE_UINT16: u32 = 4;
/// DML_TENSOR_DATA_TYPE_UINT8.
pub const STRIDE_DML_TENSOR_DATA_TYPE_UINT8: u32 = 5;
/// DML_TENSOR_DATA_TYPE_INT32.
pub const STRIDE_DML_TENSOR_DATA_TYPE_INT32: u32 = 6;
/// DML_TENSOR_DATA_TYPE_INT16.
pub const STRIDE_DML_TENSOR_DATA_TYPE_INT16: u32 = 7;
/// DML_TENSOR_DATA_TYPE_INT8.
pub const STRIDE_DML_TENSOR_DATA_TYPE_INT8: u32 = 8;
/// DML_TENSOR_DATA_TYPE_FLOAT64.
pub const STRIDE_DML_TENSOR_DATA_TYPE_FLOAT64: u32 = 9;
/// DML_TENSOR_DATA_TYPE_UINT64.
pub const STRIDE_DML_TENSOR_DATA_TYPE_UINT64: u32 = 10;
/// DML_TENSOR_DATA_TYPE_INT64.
pub const STRIDE_DML_TENSOR_DATA_TYPE_INT64: u32 = 11;
/// DML_TENSOR_DATA_TYPE_UINT4.
pub const STRIDE_DML_TENSOR_DATA_TYPE_UINT4: u32 = 12;
/// DML_TENSOR_DATA_TYPE_INT4.
pub const STRIDE_DML_TENSOR_DATA_TYPE_INT4: u32 = 13;

/// DML_TENSOR_FLAG_NONE.
pub const STRIDE_DML_TENSOR_FLAG_NONE: u32 = 0;
/// DML_TENSOR_FLAG_OWNED_BY_DML.
pub const STRIDE_DML_TENSOR_FLAG_OWNED_BY_DML: u32 = 1;

/// The most dimensions that DirectML takes (DML_TENSOR_DIMENSION_COUNT_MAX1).
pub const STRIDE_DML_TENSOR_DIMENSION_COUNT_MAX: usize = 8;

/// Bytes: the offset of a binding is a multiple of this (DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT).
pub const STRIDE_DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT: u32 = 16;

/// DML_BUFFER_TENSOR_DESC: 48 bytes with fields at 0, 4, 8, 16, 24, 32 and 40 on 64-bit machines.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stride_dml_buffer_tensor_desc {
    /// STRIDE_DML_TENSOR_DATA_TYPE_...
    pub data_type: u32,
    /// STRIDE_DML_TENSOR_FLAG_...
    pub flags: u32,
    /// Number of dimensions, 1 to 8.
    pub dimension_count: u32,
    /// Elements along each dimension, outermost first.
    pub sizes: *const u32,
    /// Elements between neighbours along each dimension; NULL: packed.
    pub strides: *const u32,
    /// Bytes of the buffer: a multiple of 4, at least what the elements need.
    pub total_tensor_size_in_bytes: u64,
    /// Bytes: 0, or a power of two of which the binding's offset is a multiple.
    pub guaranteed_base_offset_alignment: u32,
}

// DirectML.h's struct is cast to this one: on Windows 40 bytes with 32-bit pointers, 48 with 64-bit ones.
#[cfg(windows)]
const _: () = assert!(
    size_of::<stride_dml_buffer_tensor_desc>() == if cfg!(target_pointer_width = "64") { 48 } else { 40 }
        && align_of::<stride_dml_buffer_tensor_desc>() == 8
);

/// Views the caller's descriptor.
///
/// # Safety
/// `pointer` is null, or a readable descriptor, whose arrays are null or readable for `dimension_count` entries.
unsafe fn read_desc<'a>(pointer: *const stride_dml_buffer_tensor_desc) -> Result<BufferTensor<'a>> {
    check_given(pointer, Argument::Desc)?;
    // SAFETY: not null (`check_given`); fields and arrays are readable (# Safety); padding is not read.
    unsafe {
        let rank = addr_of!((*pointer).dimension_count).read();
        check_rank(rank as usize, MAX_DIMENSION_COUNT, Argument::DimensionCount)?;
        Ok(BufferTensor {
            data_type: addr_of!((*pointer).data_type).read(),
            flags: addr_of!((*pointer).flags).read(),
            sizes: array(addr_of!((*pointer).sizes).read(), rank as usize, Argument::Sizes)?,
            strides: optional_array(addr_of!((*pointer).strides).read(), rank as usize),
            total_bytes: addr_of!((*pointer).total_tensor_size_in_bytes).read(),
            alignment: addr_of!((*pointer).guaranteed_base_offset_alignment).read(),
        })
    }
}

/// # Safety
/// `sizes` and `strides` are null, or readable for `dimension_count` entries.
unsafe fn size(data_type: u32, dimension_count: u32, sizes: *const u32, strides: *const u32) -> Result<u64> {
    let rank = checked_rank(dimension_count, Argument::DimensionCount)?;
    // SAFETY: both lists are null or have `dimension_count` entries (# Safety).
    unsafe { dml::buffer_tensor_size(data_type, array(sizes, rank, Argument::Sizes)?, optional_array(strides, rank)) }
}

/// Bytes that a tensor needs, rounded up to a multiple of 4: DirectMLX's DMLCalcBufferTensorSize, with its parameters.
/// `strides` NULL: packed. 0 for an empty tensor and on any error; `stride_dml_buffer_tensor_size` tells them apart.
/// Correct where the original wraps: {3,2} with strides {2^31,1} of float32 takes 17179869192 bytes, not 8. 2^60 bytes
/// and more, or more than 2^63 - 1 elements, are errors, far beyond DirectML's limits.
///
/// Arrays: sizes[dimension_count], strides[dimension_count] or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_dml_calc_buffer_tensor_size(
    data_type: u32,
    dimension_count: u32,
    sizes: *const u32,
    strides: *const u32,
) -> u64 {
    // SAFETY: both lists are null or have `dimension_count` entries (`Arrays:`).
    unsafe { size(data_type, dimension_count, sizes, strides) }.unwrap_or(0)
}

/// `stride_dml_calc_buffer_tensor_size` with a reason: `*out` becomes the number of bytes. An empty tensor takes 0,
/// rank 0 is one element. Up to 64 dimensions.
///
/// Arrays: sizes[dimension_count], strides[dimension_count] or NULL.
///
/// Returns: INVALID_DTYPE; INVALID_RANK; OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_dml_buffer_tensor_size(
    data_type: u32,
    dimension_count: u32,
    sizes: *const u32,
    strides: *const u32,
    out: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, Output::new(out, Argument::Out)?.write_found(size(data_type, dimension_count, sizes, strides)))
}

/// Checks that DirectML accepts the descriptor; the error says why not. In this order: 1 to 8 dimensions; data type;
/// flags; no size of 0; at most 2^32 - 1 elements, and a highest offset below 2^32 - 1; total size a multiple of 4 and
/// large enough; alignment 0 or a power of two that is at least an element's bytes.
///
/// Returns: INVALID_RANK; INVALID_DTYPE; INVALID_ARGUMENT (flags, total size, alignment); INVALID_SIZE with
/// the dimension; OVERFLOW (too many elements); OUT_OF_BOUNDS (total size too small: bytes needed, bytes given).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_dml_validate(
    desc: *const stride_dml_buffer_tensor_desc,
    error: *mut stride_error,
) -> stride_status {
    report!(error, dml::validate(&read_desc(desc)?))
}

/// Checks that DirectML accepts a buffer of `buffer_bytes` for a tensor, bound from byte `base_offset_bytes` on. The
/// descriptor must pass `stride_dml_validate`. The offset must be a multiple of
/// STRIDE_DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT and of the descriptor's guaranteed_base_offset_alignment. From there on
/// the buffer must hold the total size. A crop that begins at byte 22 cannot be bound: copy it (`stride_copy`).
///
/// Returns: as `stride_dml_validate`; INVALID_ARGUMENT with argument BASE_OFFSET_BYTES, the offset and the number of
/// which it must be a multiple; OUT_OF_BOUNDS with argument BUFFER_BYTES: bytes needed, bytes given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_dml_validate_binding(
    desc: *const stride_dml_buffer_tensor_desc,
    base_offset_bytes: u64,
    buffer_bytes: u64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, dml::validate_binding(&read_desc(desc)?, base_offset_bytes, buffer_bytes))
}

/// The layout that a descriptor describes, offset 0. Empty tensors pass here; `stride_dml_validate` refuses them.
///
/// Returns: INVALID_RANK above 8; INVALID_DTYPE; OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_from_dml(
    desc: *const stride_dml_buffer_tensor_desc,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let desc = read_desc(desc)?;
        Output::new(out, Argument::Out)?.write_made(|out| dml::to_layout_in(&desc, out))
    })
}

/// The descriptor of a layout. Dimensions of size 1 are added as the first ones until there are `least_rank`, at least
/// one: {H,W} with least rank 4 becomes {1,1,H,W}. `out` points to the caller's arrays `sizes` and `strides`.
/// `*base_offset_bytes` is the offset of the binding. It may be one that no binding accepts, such as a crop's 22 bytes;
/// `stride_dml_validate_binding` checks that. The total size counts from that offset, without the padding of the last
/// row; DirectML accepts a larger one too. Strides of added dimensions are 0, and so are strides of other dimensions of
/// size 1 that do not fit. Flags NONE, no alignment guaranteed.
///
/// Arrays: sizes[8], strides[8].
///
/// Returns: INVALID_DTYPE (DirectML has no such type); INVALID_RANK above 8 (the layout or `least_rank`);
/// INVALID_STRIDE (negative, or 2^32 and more); INVALID_SIZE; OUT_OF_BOUNDS (an offset below 0); NOT_REPRESENTABLE (an
/// offset that is not a whole byte).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_to_dml(
    layout: *const stride_layout,
    least_rank: u32,
    sizes: *mut u32,
    strides: *mut u32,
    out: *mut stride_dml_buffer_tensor_desc,
    base_offset_bytes: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let layout = read_layout(layout, Argument::Layout)?;
        let (sizes_out, strides_out) = (Output::new(sizes, Argument::Sizes)?, Output::new(strides, Argument::Strides)?);
        let out = Output::new(out, Argument::Out)?;
        let base_offset_bytes = Output::new(base_offset_bytes, Argument::BaseOffsetBytes)?;
        let found = dml::from_layout(&layout, least_rank)?;
        let rank = (found.dimension_count as usize).min(MAX_DIMENSION_COUNT);
        sizes_out.write_all(&found.sizes[..rank]);
        strides_out.write_all(&found.strides[..rank]);
        out.write(stride_dml_buffer_tensor_desc {
            data_type: found.data_type,
            flags: STRIDE_DML_TENSOR_FLAG_NONE,
            dimension_count: found.dimension_count,
            sizes,
            strides,
            total_tensor_size_in_bytes: found.total_bytes,
            guaranteed_base_offset_alignment: 0,
        });
        base_offset_bytes.write(found.base_offset_bytes);
    })
}
