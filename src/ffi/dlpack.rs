//! DLPack
//!
//! stride_dl_tensor has the memory layout of DLTensor, and stride_dl_managed_tensor_versioned that of
//! DLManagedTensorVersioned: cast one to the other. (A DLManagedTensor begins with its DLTensor.) A layout counts from
//! `data`; index (0, ..., 0) lies `byte_offset` bytes after it. No deleter is called and no data is touched, so tensors
//! may be on any device. Source: dlpack.h of dmlc/dlpack, versions 1.0 to 1.3 and older ones.
//!
//! Example: the second row of a matrix of floats, given away and taken back.
//!
//!   int64_t sizes[1] = {3}, shape[1], strides[1]; stride_layout row, back; stride_dl_tensor tensor;
//!   stride_layout_init(&row, STRIDE_DTYPE_F32, 1, sizes, NULL, NULL);
//!   row.offset = 3;
//!   stride_layout_to_dlpack(&row, 1, shape, strides, &tensor, NULL);
//!   stride_layout_from_dlpack(&tensor, &back, NULL);
//!   assert(tensor.byte_offset == 12 && tensor.dtype_bits == 32 && back.offset == 3 && shape[0] == 3);

use super::boundary::{Output, array, check_entries, check_given, optional_array};
use super::layout::{read_layout, stride_layout};
use super::status::{report, stride_error, stride_status};
use crate::error::{Argument, Result};
use crate::model::LayoutBuf;
use crate::vocabulary::dlpack::{self, DataType, Tensor};
use core::ffi::c_void;
use core::ptr::{addr_of, addr_of_mut};

/// DLPACK_FLAG_BITMASK_READ_ONLY.
pub const STRIDE_DL_FLAG_READ_ONLY: u32 = 1;
/// DLPACK_FLAG_BITMASK_IS_COPIED.
pub const STRIDE_DL_FLAG_IS_COPIED: u32 = 2;
/// DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED: an element below a byte has a byte of its own.
pub const STRIDE_DL_FLAG_IS_SUBBYTE_TYPE_PADDED: u32 = 4;

/// DLTensor: 48 bytes with fields at 0, 8, 12, 16, 20, 21, 22, 24, 32 and 40 on 64-bit machines.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stride_dl_tensor {
    /// The memory, which the library never reads.
    pub data: *mut c_void,
    /// DLDeviceType; not read. Before you touch the memory, check that you can reach the device (1: the CPU).
    pub device_type: i32,
    /// Number of the device; not read.
    pub device_id: i32,
    /// Number of dimensions.
    pub ndim: i32,
    /// DLDataTypeCode: 0 signed, 1 unsigned, 2 float, 4 bfloat, 5 complex, 6 bool, ...
    pub dtype_code: u8,
    /// Bits of one lane.
    pub dtype_bits: u8,
    /// Lanes of an element: 1, more for vectors.
    pub dtype_lanes: u16,
    /// Elements along each dimension, outermost first.
    pub shape: *mut i64,
    /// Elements between neighbours along each dimension, any sign; NULL: packed.
    pub strides: *mut i64,
    /// Bytes from `data` to index (0, ..., 0).
    pub byte_offset: u64,
}

/// DLManagedTensorVersioned: 80 bytes, the fields of its tensor from 32 on, on 64-bit machines.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stride_dl_managed_tensor_versioned {
    /// Major version: 1.
    pub major: u32,
    /// Minor version; any.
    pub minor: u32,
    /// The producer's own.
    pub manager_ctx: *mut c_void,
    /// A function of the producer, which the library does not call.
    pub deleter: *mut c_void,
    /// STRIDE_DL_FLAG_...
    pub flags: u64,
    /// From here on the fields of stride_dl_tensor.
    pub data: *mut c_void,
    /// DLDeviceType; not read. Before you touch the memory, check that you can reach the device (1: the CPU).
    pub device_type: i32,
    /// Number of the device; not read.
    pub device_id: i32,
    /// Number of dimensions.
    pub ndim: i32,
    /// DLDataTypeCode.
    pub dtype_code: u8,
    /// Bits of one lane.
    pub dtype_bits: u8,
    /// Lanes of an element.
    pub dtype_lanes: u16,
    /// Elements along each dimension, outermost first.
    pub shape: *mut i64,
    /// Elements between neighbours along each dimension, any sign; NULL: packed.
    pub strides: *mut i64,
    /// Bytes from `data` to index (0, ..., 0).
    pub byte_offset: u64,
}

/// Views the caller's tensor.
///
/// # Safety
/// `pointer` is a readable tensor; its arrays are null, or readable for `ndim` entries while the result lives.
unsafe fn read_tensor<'a>(pointer: *const stride_dl_tensor) -> Result<Tensor<'a>> {
    // SAFETY: fields and arrays are readable (# Safety); `rank_of` checked the rank.
    unsafe {
        let rank = dlpack::rank_of(addr_of!((*pointer).ndim).read())?;
        Ok(Tensor {
            dtype: DataType {
                code: addr_of!((*pointer).dtype_code).read(),
                bits: addr_of!((*pointer).dtype_bits).read(),
                lanes: addr_of!((*pointer).dtype_lanes).read(),
            },
            sizes: array(addr_of!((*pointer).shape).read(), rank, Argument::Shape)?,
            strides: optional_array(addr_of!((*pointer).strides).read(), rank),
            byte_offset: addr_of!((*pointer).byte_offset).read(),
        })
    }
}

/// The layout of a tensor, counted from `data`; its offset is `byte_offset` / bytes of an element. `strides` NULL is
/// packed, as dlpack.h had it before version 1.2; strides may be negative. An element of several lanes is that many
/// bytes (float of 32 bits and 4 lanes: bytes16); so are an opaque handle and any type of whole bytes that has no dtype
/// (int of 128 bits: bytes16; complex of two halves: bytes4). Elements below a byte are packed. If `data` is index (0,
/// ..., 0) of a mirrored view, elements lie below it: `stride_layout_rebase` moves the base down to them. A
/// `byte_offset` that is not a whole number of elements becomes 0 in a tensor without elements.
///
/// Returns: INVALID_RANK (`ndim` below 0 or above 64); NULL_POINTER (`shape`); INVALID_DTYPE (code, bits or lanes
/// without a dtype, such as floats of 6 bits); NOT_REPRESENTABLE (`byte_offset` is not a whole number of elements: add
/// it to your pointer and pass 0); INVALID_SIZE; OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_from_dlpack(
    tensor: *const stride_dl_tensor,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        check_given(tensor, Argument::Tensor)?;
        let tensor = read_tensor(tensor)?;
        Output::new(out, Argument::Out)?.write_made(|out| dlpack::to_layout_in(&tensor, false, out))
    })
}

/// `stride_layout_from_dlpack` for a managed tensor. Its version is checked first, and its flags are obeyed: with
/// IS_SUBBYTE_TYPE_PADDED an element below a byte has a byte of its own, and is u8 (s8 if signed).
///
/// Returns: UNSUPPORTED (a major version other than 1, or an unknown flag); else as `stride_layout_from_dlpack`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_from_dlpack_versioned(
    managed: *const stride_dl_managed_tensor_versioned,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        check_given(managed, Argument::Managed)?;
        let (major, flags) = (addr_of!((*managed).major).read(), addr_of!((*managed).flags).read());
        let padded = dlpack::subbyte_types_are_padded(major, flags)?;
        let tensor = read_tensor(addr_of!((*managed).data).cast())?;
        Output::new(out, Argument::Out)?.write_made(|out| dlpack::to_layout_in(&tensor, padded, out))
    })
}

/// A layout as a tensor whose `shape` and `strides` are the arrays given here. `data`, `device_type` and `device_id`
/// stay as they are: set them to the base pointer and its device. Strides are never NULL, and are those of the layout
/// (`stride_layout_canonicalize` chooses those of size 1). Plain bytes become a vector of uint8. A layout without
/// elements gets `byte_offset` 0, whatever its offset.
///
/// Arrays: shape[rank], strides[rank].
///
/// Returns: INVALID_DTYPE (STRIDE_DTYPE_HIGH_FIRST or STRIDE_DTYPE_SWAPPED; more than 65535 bytes); OUT_OF_BOUNDS (an
/// element below the base pointer: `stride_layout_rebase`); NOT_REPRESENTABLE (an offset that is not a whole byte).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_to_dlpack(
    layout: *const stride_layout,
    rank: u32,
    shape: *mut i64,
    strides: *mut i64,
    out: *mut stride_dl_tensor,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let layout = read_layout(layout, Argument::Layout)?;
        let out = Output::new(out, Argument::Out)?;
        check_entries(shape, rank, layout.rank(), Argument::Rank, Argument::Shape)?;
        check_entries(strides, rank, layout.rank(), Argument::Rank, Argument::Strides)?;
        let (dtype, byte_offset) = dlpack::from_layout(&layout)?;
        // The arrays may be those of the layout itself.
        let own = LayoutBuf::copied(&layout);
        let own = own.view()?;
        Output(shape).write_all(own.sizes());
        Output(strides).write_all(own.strides());
        addr_of_mut!((*out.0).ndim).write(rank as i32);
        addr_of_mut!((*out.0).dtype_code).write(dtype.code);
        addr_of_mut!((*out.0).dtype_bits).write(dtype.bits);
        addr_of_mut!((*out.0).dtype_lanes).write(dtype.lanes);
        addr_of_mut!((*out.0).shape).write(shape);
        addr_of_mut!((*out.0).strides).write(strides);
        addr_of_mut!((*out.0).byte_offset).write(byte_offset);
    })
}
