//! Requirements
//!
//! A consumer is an API that accepts some layouts. Here is whether it accepts one, why not, and the nearest that it
//! does. Its requirements are a struct of numbers: begin with `stride_requirements_init`, change what is special.
//! Strides are numbered from the innermost outwards: number 0 leads from element to element, number 1 from row to row.
//! Innermost is the last dimension with STRIDE_REQUIRE_LAST_INNERMOST, else the one with the smallest stride (its sign
//! does not count).
//!
//! The stride of a dimension of size 1 is not checked. If such a dimension has a number, there must be some stride
//! above 0 with which all rules hold. The consumer may check it, so pass the strides that `stride_layout_adapt` gives.
//!
//! Pixels of several elements can be described in two ways: elements of 3 bytes (STRIDE_DTYPE_BYTES | 3), whose strides
//! are whole pixels, or a last dimension of 3 elements with `texel_dimensions` 1, whose rows lie at any byte.
//!
//! Example: a tensor map refuses rows of 511 bf16, 1022 bytes, and takes those of 1024.
//!
//!   int64_t sizes[2] = {64, 511};
//!   stride_requirements tma; stride_layout rows, padded; stride_error error;
//!   stride_layout_init(&rows, STRIDE_DTYPE_BF16, 2, sizes, NULL, NULL);
//!   stride_requirements_init(&tma, STRIDE_CONSUMER_TMA, NULL);
//!   assert(stride_layout_meets(&rows, 0, &tma, &error) != 0 && error.lhs == 1022 && error.rhs == 16);
//!   assert(stride_layout_adapt(&rows, &tma, &padded, NULL) == 0 && padded.strides[0] == 512);

use super::boundary::Output;
use super::layout::{map_layout, read_layout, stride_layout};
use super::sized::{read_sized, same_fields};
use super::status::{report, stride_error, stride_status};
use crate::error::{Argument, Detail, Result, Status};
use crate::model::build::SizeOneRule;
use crate::vocabulary::requirements::{Consumer, Requirements};
use core::ffi::c_char;

/// Strides of size-1 dimensions stay as they are.
pub const STRIDE_SIZE_ONE_KEEP: u32 = 0;
/// Strides of size-1 dimensions become size * stride of the next dimension on the right, 1 for the last.
pub const STRIDE_SIZE_ONE_NATURAL: u32 = 1;
/// Strides of size-1 dimensions become 1.
pub const STRIDE_SIZE_ONE_ONE: u32 = 2;
/// Strides of size-1 dimensions become 0.
pub const STRIDE_SIZE_ONE_ZERO: u32 = 3;

/// No consumer: every layout is accepted.
pub const STRIDE_CONSUMER_ANY: u32 = 0;
/// A DML_BUFFER_TENSOR_DESC: rank 1 to 8, no size of 0, no negative stride; at most 2^32 - 1 elements, and as many from
/// the lowest to the highest; the address a multiple of 16 bytes, bytes rounded up to 4. Dtypes: those of
/// DML_TENSOR_DATA_TYPE. `stride_dml_validate` checks a descriptor by the same rules. Source: learn.microsoft.com,
/// DML_BUFFER_TENSOR_DESC, DML_TENSOR_DATA_TYPE; DirectMLX.h.
pub const STRIDE_CONSUMER_DIRECTML: u32 = 1;
/// A D3D12_PLACED_SUBRESOURCE_FOOTPRINT: {depth, rows, columns} or fewer, rows at a multiple of 256 bytes, no gaps
/// between slices, the address a multiple of 512 bytes. An element is a texel of a DXGI_FORMAT: one component (s8, u8,
/// s16, u16, f16, s32, u32, f32), or plain bytes, as many as a texel or a block has (1, 2, 4, 8, 12 or 16). With
/// `texel_dimensions` 1 the last dimension is the components. Texels of three floats are f32 {rows, columns, 3}, since
/// 256 is not a whole number of 12 bytes: 10 x 4 of them have a pitch of 256 and take 888 bytes. A queue may also copy
/// textures for which the device has no format: set dtypes and both widths to 0. Source:
/// learn.microsoft.com, D3D12_SUBRESOURCE_FOOTPRINT, D3D12_TEXTURE_DATA_PITCH_ALIGNMENT,
/// D3D12_TEXTURE_DATA_PLACEMENT_ALIGNMENT, DXGI_FORMAT.
pub const STRIDE_CONSUMER_D3D12: u32 = 2;
/// A GPUTexelCopyBufferInfo: as D3D12, but images lie a whole number of rows apart, the address is a multiple of an
/// element, and no texel has 12 bytes. For formats of depth or stencil set base_alignment to 4. Source: WebGPU,
/// "validating GPUTexelCopyBufferInfo", "validating linear texture data"; "texel block copy footprint" in "Texture
/// Format Capabilities".
pub const STRIDE_CONSUMER_WEBGPU: u32 = 3;
/// cuTensorMapEncodeTiled, dimensions reversed (globalStrides[k] is byte stride rank - 2 - k): rank 1 to 5, sizes 1 to
/// 2^32; address and strides multiples of 16 bytes; strides below 2^40 bytes, nested, none 0 or negative, the last one
/// of one element. Elements are moved as they are, so a CUtensorMapDataType is a width: all dtypes and plain bytes of
/// 1, 2, 4 and 8 bytes (s8, float8 and pred as UINT8). For CU_TENSOR_MAP_INTERLEAVE_32B set rank_min to 3 and the
/// alignments to 32. For 16U4_ALIGN16B set the alignments to 32 and element_bits to 4. Not checked: that the last size
/// of 16U4_ALIGN16B is a multiple of 128; boxes; whether each stride is a multiple of the next (set
/// STRIDE_REQUIRE_MULTIPLES). Source: CUDA Driver API, Tensor Map Object Management.
pub const STRIDE_CONSUMER_TMA: u32 = 4;
/// cutensorCreateTensorDescriptor: sizes and strides above 0; elements may overlap. Dtypes: f16, bf16, f32, f64, c64,
/// c128, which its operations support; the enumeration has integers too. Set base_alignment to the descriptor's
/// alignmentRequirement. Source: cuTENSOR 2, Helper Functions; "Supported data-type combinations" of
/// cutensorCreatePermutation, cutensorCreateElementwiseBinary, cutensorCreateElementwiseTrinary.
pub const STRIDE_CONSUMER_CUTENSOR: u32 = 5;
/// MTLTensorDescriptor for machine learning, dimensions reversed: rank 0 to 16, rows at a multiple of 64 bytes, no gaps
/// further out. Dtypes: f32, f16, bf16, and integers of 8 to 32 bits. The offset must be 0 then, which is not checked.
/// For other usage set row_alignment and exact_from to 0. For types of 2 and 4 bits and float8 set dtypes to 0 and the
/// three alignments to 128. Source: developer.apple.com, MTLTensorDescriptor.strides, MTLTensorDataType.
pub const STRIDE_CONSUMER_METAL: u32 = 6;
/// A VkTensorDescriptionARM: rank at least 1, sizes above 0; its bytes are pStrides[0] times pDimensions[0]. Dtypes:
/// those of a VkFormat of one component, integers of 8 to 64 bits, f16, f32, f64; and pred, bf16, f8e4m3fn, f8e5m2
/// (VK_FORMAT_R8_BOOL_ARM, ..._FPENCODING_..._ARM). Set the device's limits: rank_max to maxTensorDimensionCount,
/// size_max to maxPerDimensionTensorElements, elements_max to maxTensorElements, stride_bytes_max to maxTensorStride,
/// bytes_max to maxTensorSize; without tensorNonPacked, exact_from to 1. Source: VUID-VkTensorDescriptionARM-... 09733
/// to 09740, 09883, 09884.
pub const STRIDE_CONSUMER_VULKAN: u32 = 7;
/// std::layout_stride::mapping: positive strides, nested in some order. An element is an object of C++: any dtype of at
/// least a byte, or plain bytes, which are a class. Source: C++23, [mdspan.layout.stride.cons],
/// [mdspan.accessor.default].
pub const STRIDE_CONSUMER_MDSPAN: u32 = 8;
/// arrow.fixed_shape_tensor: no gaps in some order, which is its permutation. Dtypes: integers of 8 to 64 bits, f16,
/// f32, f64; plain bytes are FixedSizeBinary. (Boolean has one bit, so pred is not Boolean.) Source: Arrow, Canonical
/// Extension Types, Data Types.
pub const STRIDE_CONSUMER_ARROW: u32 = 9;
/// The buffer of a VkBufferImageCopy, its bytes from `bufferOffset` on: {depth or layers, rows, columns} or fewer, no
/// size of 0; rows whole texels apart (bufferRowLength), images whole rows apart (bufferImageHeight); the offset a
/// multiple of the texel and of 4. On queues for graphics or compute, formats without depth and stencil do not need the
/// 4: set base_alignment to 0. An element is a texel of a VkFormat: one component (integers of 8 to 64 bits, f16, f32,
/// f64), or plain bytes, as many as a texel or a block has (1, 2, 3, 4, 6, 8, 12, 16, 24 or 32). Source:
/// VUID-VkBufferImageCopy-... 09101, 09102, 06659 to 06661; VUID-vkCmdCopyBufferToImage-dstImage-07975, -07978,
/// -commandBuffer-07737; Compatible Formats.
pub const STRIDE_CONSUMER_VULKAN_IMAGE: u32 = 10;
/// Pixels that OpenGL unpacks: {depth, rows, columns} or fewer; rows at a multiple of 4 bytes, images whole rows apart
/// (UNPACK_IMAGE_HEIGHT). Set row_alignment to UNPACK_ALIGNMENT, 1, 2, 4 or 8; for packing to PACK_ALIGNMENT. An
/// element is one of a pixel type: s8, u8, s16, u16, f16, s32, u32, f32; packed pixels (UNSIGNED_SHORT_5_6_5) are u8,
/// u16 or u32. With `texel_dimensions` 1 the last dimension is the components of a pixel. Where UNPACK_SWAP_BYTES is
/// set, leave STRIDE_DTYPE_SWAPPED out. Not checked: whether some UNPACK_ROW_LENGTH, in whole pixels and rounded up,
/// gives the pitch. For results of `stride_layout_adapt` the row's own length does. Source: OpenGL 4.6, 8.4.4.1, and
/// tables 8.1 (initially 4) and 8.2 (types).
pub const STRIDE_CONSUMER_OPENGL: u32 = 11;

/// The last dimension is innermost. Without this flag strides decide, and of equal ones the rightmost is innermost;
/// dimensions of size 1, and repeated ones where they are allowed, then have no number.
pub const STRIDE_REQUIRE_LAST_INNERMOST: u32 = 1;
/// Stride number 0 is 1, not -1.
pub const STRIDE_REQUIRE_UNIT_STRIDE: u32 = 2;
/// Stride number k is at least stride times size of number k - 1, so no two elements share memory.
pub const STRIDE_REQUIRE_NESTED: u32 = 4;
/// Stride number k is a multiple of stride number k - 1, unless that is 0; with a texel from number 2 on. For whole
/// texels there is STRIDE_REQUIRE_PITCH_IN_TEXELS.
pub const STRIDE_REQUIRE_MULTIPLES: u32 = 8;
/// No stride of 0 where the size is above 1.
pub const STRIDE_REQUIRE_NO_REPEATS: u32 = 16;
/// No stride below 0 where the size is above 1. Where negative strides are allowed, the other rules apply to them
/// without their sign.
pub const STRIDE_REQUIRE_NO_NEGATIVE: u32 = 32;
/// The address of the lowest element is a multiple of an element's bytes.
pub const STRIDE_REQUIRE_ELEMENT_ALIGNED: u32 = 64;
/// `stride_layout_required_bytes` counts the last row with its padding, the last image with its own, and so on.
pub const STRIDE_REQUIRE_LAST_ROW_PADDED: u32 = 128;
/// Strides outside the texel (`texel_dimensions`) are whole texels, for APIs that count the length of a row in texels.
pub const STRIDE_REQUIRE_PITCH_IN_TEXELS: u32 = 256;

/// The requirements of a consumer. A field that is 0 requires nothing.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stride_requirements {
    /// sizeof(stride_requirements). 96, which ends before `texel_dimensions`, is the earliest version.
    pub struct_size: u32,
    /// STRIDE_REQUIRE_... flags.
    pub flags: u32,
    /// The lowest rank.
    pub rank_min: u32,
    /// The highest rank; 0: any.
    pub rank_max: u32,
    /// The least size of a dimension; from 1 on no tensor may be empty.
    pub size_min: u64,
    /// The largest size of a dimension; 0: any.
    pub size_max: u64,
    /// The dtypes that are accepted, bit n for the STRIDE_DTYPE_... with number n, bit 0 for plain bytes
    /// (STRIDE_DTYPE_BYTES); 0: any. Unless it is 0, dtypes with STRIDE_DTYPE_HIGH_FIRST or STRIDE_DTYPE_SWAPPED are
    /// refused.
    pub dtypes: u64,
    /// The widths of elements that are accepted, in bits: powers of two, added up; 0: any. Other widths are in
    /// `element_bits_by_three`.
    pub element_bits: u32,
    /// Bytes: the address of the lowest element is a multiple of this.
    pub base_alignment: u32,
    /// Bytes: stride number 1, from row to row, is a multiple of this. 1: whole bytes, for elements smaller than one.
    pub row_alignment: u32,
    /// Bytes: strides number 2 and up are multiples of this.
    pub outer_alignment: u32,
    /// For k from this number on, stride number k is stride times size of number k - 1; 0: for no k. 1: no gaps at all.
    pub exact_from: u32,
    /// Bytes: `stride_layout_required_bytes` is rounded up to a multiple of this.
    pub total_alignment: u32,
    /// The longest stride in bytes; 0: any.
    pub stride_bytes_max: u64,
    /// The most that `stride_layout_required_bytes` may be; 0: any.
    pub bytes_max: u64,
    /// The most elements; 0: any.
    pub elements_max: u64,
    /// The most elements from the lowest to the highest, gaps included; 0: any.
    pub reach_max: u64,
    /// The number of innermost dimensions that are one texel, or pixel: packed, with exact strides above 0. Dimension
    /// numbers, ranks and sizes are then those of the dimensions outside, number 0 the first of them. Every rule about
    /// an element except `dtypes` is then about the texel: {H, W, 3} of bytes with 1 has elements of 24 bits, and
    /// STRIDE_REQUIRE_UNIT_STRIDE means that a pixel's stride is 3. Pitches are then bytes: rows of 5 such pixels with
    /// row_alignment 16 get a pitch of 16; rows of 5 elements of 3 bytes, whose strides are whole, get 48. Without
    /// STRIDE_REQUIRE_LAST_INNERMOST the innermost dimensions are those with the smallest strides that are not 0; a
    /// dimension of size 1 counts as outside the next one to its right.
    pub texel_dimensions: u32,
    /// Three times these widths are accepted as well as `element_bits`: 32 for 96 bits. 0: none, or any width if
    /// element_bits is 0 too.
    pub element_bits_by_three: u32,
}

same_fields! {
    stride_requirements, Requirements:
    flags rank_min rank_max size_min size_max dtypes element_bits base_alignment row_alignment outer_alignment
    exact_from total_alignment stride_bytes_max bytes_max elements_max reach_max texel_dimensions
    element_bits_by_three;
}

/// Bytes of the first version, which ended where the texel begins now.
const FIRST_REQUIREMENTS: usize = core::mem::offset_of!(stride_requirements, texel_dimensions);

/// Reads and checks the caller's requirements.
///
/// # Safety
/// `pointer` is null, or readable for its `struct_size` bytes, at least 4.
unsafe fn read_requirements(pointer: *const stride_requirements) -> Result<Requirements> {
    // SAFETY: `pointer` is null or readable (# Safety); all fields are numbers.
    let given = unsafe { read_sized(pointer, FIRST_REQUIREMENTS, Argument::Requirements)? };
    let requirements = Requirements::from(given);
    requirements.check()?;
    Ok(requirements)
}

/// The word for a consumer (STRIDE_CONSUMER_...), such as "vulkan_image"; NULL for a number that is none. They count up
/// from 0, which is "any".
#[unsafe(no_mangle)]
pub extern "C" fn stride_consumer_name(consumer: u32) -> *const c_char {
    Consumer::from_number(consumer).map_or(core::ptr::null(), |consumer| consumer.c_name().as_ptr())
}

/// The requirements of a consumer (STRIDE_CONSUMER_...), to be changed where yours is special. With STRIDE_CONSUMER_ANY
/// all fields but struct_size are 0.
///
/// Returns: INVALID_ARGUMENT for an unknown consumer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_requirements_init(
    out: *mut stride_requirements,
    consumer: u32,
    error: *mut stride_error,
) -> stride_status {
    report!(error, Output::new(out, Argument::Out)?.write(Requirements::of(Consumer::from_number(consumer)?).into()))
}

/// Checks that a consumer accepts a layout. `address` is that of the base pointer, 0 if there is no memory yet; the
/// lowest element must be aligned, offset included. Strides of size-1 dimensions are not checked, only that some would
/// be accepted: pass those of `stride_layout_adapt` to TMA and Vulkan, which check them. In this order: rank; dtype;
/// width; sizes; number of elements; strides from the innermost outwards; reach; bytes; address. For an empty layout
/// the checks end before the strides.
///
/// Returns: NOT_REPRESENTABLE if it does not: the dimension of a size or stride, the value and the limit, in bytes if
/// the limit is; argument ADDRESS if only the address is wrong. INVALID_ARGUMENT for requirements that are not valid;
/// OVERFLOW if bytes_max is not 0 and the bytes do not fit uint64_t.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_meets(
    layout: *const stride_layout,
    address: u64,
    requirements: *const stride_requirements,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let layout = read_layout(layout, Argument::Layout)?;
        read_requirements(requirements)?.meets(&layout, address)
    })
}

/// The nearest layout that meets the requirements, as the destination of a copy: with the dtype and sizes of `layout`,
/// offset 0, and the least strides. With STRIDE_REQUIRE_LAST_INNERMOST the dimensions keep their order, else they are
/// ordered as in memory: by stride without its sign, the rightmost of equal ones innermost. From the innermost
/// outwards, stride number k is stride times size of number k - 1, rounded up to a multiple that the requirements
/// allow; elements are always distinct. f16 {64,64} with strides {65,1} gets {64,1} for a tensor map. Strides that meet
/// the requirements become the least ones too. Dimensions of size 1 get strides as if they were larger.
///
/// Returns: NOT_REPRESENTABLE, as `stride_layout_meets`, if no strides help (rank, dtype, sizes), or the result is past
/// a limit. Larger strides further in, or others of size-1 dimensions, that would lead to smaller ones are not tried.
/// (With STRIDE_REQUIRE_MULTIPLES the strides of size-1 dimensions may themselves be past `stride_bytes_max`.)
/// INVALID_ARGUMENT; OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_adapt(
    layout: *const stride_layout,
    requirements: *const stride_requirements,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let layout = read_layout(layout, Argument::Layout)?;
        let requirements = read_requirements(requirements)?;
        Output::new(out, Argument::Out)?.write_made(|out| requirements.adapt_in(&layout, out))
    })
}

/// Bytes that the consumer counts for a layout: from the lowest element to the highest, or all rows with their padding
/// if STRIDE_REQUIRE_LAST_ROW_PADDED says so, rounded up to total_alignment. 10 rows of 10 floats at a pitch of 256
/// bytes: 2344 for WebGPU, with padded rows 2560. Bytes before the lowest element are not counted, so with an offset
/// the buffer needs as many more. Whether the layout meets the requirements is not checked.
///
/// Returns: INVALID_ARGUMENT; OVERFLOW if the bytes do not fit uint64_t.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_required_bytes(
    layout: *const stride_layout,
    requirements: *const stride_requirements,
    out: *mut u64,
    error: *mut stride_error,
) -> stride_status {
    report!(error, {
        let layout = read_layout(layout, Argument::Layout)?;
        let requirements = read_requirements(requirements)?;
        Output::new(out, Argument::Out)?.write_found(requirements.required_bytes(&layout))
    })
}

/// The layout with the strides of its size-1 dimensions set by `rule` (STRIDE_SIZE_ONE_...), for consumers that read
/// such strides. An empty layout gets strides 0 unless they are kept. A natural stride that does not fit becomes 0.
///
/// Returns: INVALID_ARGUMENT for the rule.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stride_layout_canonicalize(
    layout: *const stride_layout,
    rule: u32,
    out: *mut stride_layout,
    error: *mut stride_error,
) -> stride_status {
    let rule = match rule {
        STRIDE_SIZE_ONE_KEEP => Ok(SizeOneRule::Keep),
        STRIDE_SIZE_ONE_NATURAL => Ok(SizeOneRule::Natural),
        STRIDE_SIZE_ONE_ONE => Ok(SizeOneRule::One),
        STRIDE_SIZE_ONE_ZERO => Ok(SizeOneRule::Zero),
        other => {
            let error = Status::InvalidArgument.of(Argument::Rule);
            Err(error.because(Detail::UnknownValue, other as i64, STRIDE_SIZE_ONE_ZERO as i64))
        }
    };
    report!(error, map_layout(layout, out, |layout, out| layout.canonical_in(rule?, out)))
}
