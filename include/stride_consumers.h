// stride_consumers.h: libstride 0.1.0. Generated from src/ffi by cbindgen 0.29.4: `make header`.
// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Requirements of other APIs, and copies that other APIs make. APIs that take a tensor by pointer and strides have
// rules for them, and so have those that copy rows and boxes of bytes. Here such rules are numbers: whether an API
// accepts a layout, the nearest layout that it accepts, and a copy as the regions that it moves. The rules for all
// functions stand in stride.h, which includes this header at its end.
//
// I want to ...                                         Function
//   know whether TMA, D3D12, Metal, ... accept a layout   stride_requirements_init, stride_layout_meets
//     and get one that they accept, and its bytes         stride_layout_adapt, stride_layout_required_bytes
//   set the strides that size-1 dimensions have           stride_layout_canonicalize
//   have a GPU, DMA or network card copy: a list          stride_plan_regions
//     by cudaMemcpy3D, CopyTextureRegion, ... with rules  stride_region_rules_init, stride_plan_regions_under
//   know the kind of a copy                               stride_copy_classify
//
// Sections: Requirements - Copies as data.

#ifndef STRIDE_CONSUMERS_H
#define STRIDE_CONSUMERS_H

#include "stride.h"

#ifdef __cplusplus
extern "C" {
#endif

// =================================================================================================
//
// Requirements
//
// A consumer is an API that accepts some layouts. Here is whether it accepts one, why not, and the nearest that it
// does. Its requirements are a struct of numbers: begin with `stride_requirements_init`, change what is special.
// Strides are numbered from the innermost outwards: number 0 leads from element to element, number 1 from row to row.
// Innermost is the last dimension with STRIDE_REQUIRE_LAST_INNERMOST, else the one with the smallest stride (its sign
// does not count).
//
// The stride of a dimension of size 1 is not checked. If such a dimension has a number, there must be some stride
// above 0 with which all rules hold. The consumer may check it, so pass the strides that `stride_layout_adapt` gives.
//
// Pixels of several elements can be described in two ways: elements of 3 bytes (STRIDE_DTYPE_BYTES | 3), whose strides
// are whole pixels, or a last dimension of 3 elements with `texel_dimensions` 1, whose rows lie at any byte.
//
// Example: a tensor map refuses rows of 511 bf16, 1022 bytes, and takes those of 1024.
//
//   int64_t sizes[2] = {64, 511};
//   stride_requirements tma; stride_layout rows, padded; stride_error error;
//   stride_layout_init(&rows, STRIDE_DTYPE_BF16, 2, sizes, NULL, NULL);
//   stride_requirements_init(&tma, STRIDE_CONSUMER_TMA, NULL);
//   assert(stride_layout_meets(&rows, 0, &tma, &error) != 0 && error.lhs == 1022 && error.rhs == 16);
//   assert(stride_layout_adapt(&rows, &tma, &padded, NULL) == 0 && padded.strides[0] == 512);

// As enums; the macros below explain them.
enum { STRIDE_SIZE_ONE_KEEP = 0, STRIDE_SIZE_ONE_NATURAL = 1, STRIDE_SIZE_ONE_ONE = 2, STRIDE_SIZE_ONE_ZERO = 3 };
enum { STRIDE_CONSUMER_ANY = 0, STRIDE_CONSUMER_DIRECTML = 1, STRIDE_CONSUMER_D3D12 = 2, STRIDE_CONSUMER_WEBGPU = 3,
       STRIDE_CONSUMER_TMA = 4, STRIDE_CONSUMER_CUTENSOR = 5, STRIDE_CONSUMER_METAL = 6, STRIDE_CONSUMER_VULKAN = 7,
       STRIDE_CONSUMER_MDSPAN = 8, STRIDE_CONSUMER_ARROW = 9, STRIDE_CONSUMER_VULKAN_IMAGE = 10,
       STRIDE_CONSUMER_OPENGL = 11 };
enum { STRIDE_REQUIRE_LAST_INNERMOST = 1, STRIDE_REQUIRE_UNIT_STRIDE = 2, STRIDE_REQUIRE_NESTED = 4,
       STRIDE_REQUIRE_MULTIPLES = 8, STRIDE_REQUIRE_NO_REPEATS = 16, STRIDE_REQUIRE_NO_NEGATIVE = 32,
       STRIDE_REQUIRE_ELEMENT_ALIGNED = 64, STRIDE_REQUIRE_LAST_ROW_PADDED = 128,
       STRIDE_REQUIRE_PITCH_IN_TEXELS = 256 };

#define STRIDE_SIZE_ONE_KEEP 0  ///< Strides of size-1 dimensions stay as they are.
/// Strides of size-1 dimensions become size * stride of the next dimension on the right, 1 for the last.
#define STRIDE_SIZE_ONE_NATURAL 1
#define STRIDE_SIZE_ONE_ONE 2  ///< Strides of size-1 dimensions become 1.
#define STRIDE_SIZE_ONE_ZERO 3  ///< Strides of size-1 dimensions become 0.

#define STRIDE_CONSUMER_ANY 0  ///< No consumer: every layout is accepted.
/// A DML_BUFFER_TENSOR_DESC: rank 1 to 8, no size of 0, no negative stride; at most 2^32 - 1 elements, and as many from
/// the lowest to the highest; the address a multiple of 16 bytes, bytes rounded up to 4. Dtypes: those of
/// DML_TENSOR_DATA_TYPE. `stride_dml_validate` checks a descriptor by the same rules. Source: learn.microsoft.com,
/// DML_BUFFER_TENSOR_DESC, DML_TENSOR_DATA_TYPE; DirectMLX.h.
#define STRIDE_CONSUMER_DIRECTML 1
/// A D3D12_PLACED_SUBRESOURCE_FOOTPRINT: {depth, rows, columns} or fewer, rows at a multiple of 256 bytes, no gaps
/// between slices, the address a multiple of 512 bytes. An element is a texel of a DXGI_FORMAT: one component (s8, u8,
/// s16, u16, f16, s32, u32, f32), or plain bytes, as many as a texel or a block has (1, 2, 4, 8, 12 or 16). With
/// `texel_dimensions` 1 the last dimension is the components. Texels of three floats are f32 {rows, columns, 3}, since
/// 256 is not a whole number of 12 bytes: 10 x 4 of them have a pitch of 256 and take 888 bytes. A queue may also copy
/// textures for which the device has no format: set dtypes and both widths to 0. Source:
/// learn.microsoft.com, D3D12_SUBRESOURCE_FOOTPRINT, D3D12_TEXTURE_DATA_PITCH_ALIGNMENT,
/// D3D12_TEXTURE_DATA_PLACEMENT_ALIGNMENT, DXGI_FORMAT.
#define STRIDE_CONSUMER_D3D12 2
/// A GPUTexelCopyBufferInfo: as D3D12, but images lie a whole number of rows apart, the address is a multiple of an
/// element, and no texel has 12 bytes. For formats of depth or stencil set base_alignment to 4. Source: WebGPU,
/// "validating GPUTexelCopyBufferInfo", "validating linear texture data"; "texel block copy footprint" in "Texture
/// Format Capabilities".
#define STRIDE_CONSUMER_WEBGPU 3
/// cuTensorMapEncodeTiled, dimensions reversed (globalStrides[k] is byte stride rank - 2 - k): rank 1 to 5, sizes 1 to
/// 2^32; address and strides multiples of 16 bytes; strides below 2^40 bytes, nested, none 0 or negative, the last one
/// of one element. Elements are moved as they are, so a CUtensorMapDataType is a width: all dtypes and plain bytes of
/// 1, 2, 4 and 8 bytes (s8, float8 and pred as UINT8). For CU_TENSOR_MAP_INTERLEAVE_32B set rank_min to 3 and the
/// alignments to 32. For 16U4_ALIGN16B set the alignments to 32 and element_bits to 4. Not checked: that the last size
/// of 16U4_ALIGN16B is a multiple of 128; boxes; whether each stride is a multiple of the next (set
/// STRIDE_REQUIRE_MULTIPLES). Source: CUDA Driver API, Tensor Map Object Management.
#define STRIDE_CONSUMER_TMA 4
/// cutensorCreateTensorDescriptor: sizes and strides above 0; elements may overlap. Dtypes: f16, bf16, f32, f64, c64,
/// c128, which its operations support; the enumeration has integers too. Set base_alignment to the descriptor's
/// alignmentRequirement. Source: cuTENSOR 2, Helper Functions; "Supported data-type combinations" of
/// cutensorCreatePermutation, cutensorCreateElementwiseBinary, cutensorCreateElementwiseTrinary.
#define STRIDE_CONSUMER_CUTENSOR 5
/// MTLTensorDescriptor for machine learning, dimensions reversed: rank 0 to 16, rows at a multiple of 64 bytes, no gaps
/// further out. Dtypes: f32, f16, bf16, and integers of 8 to 32 bits. The offset must be 0 then, which is not checked.
/// For other usage set row_alignment and exact_from to 0. For types of 2 and 4 bits and float8 set dtypes to 0 and the
/// three alignments to 128. Source: developer.apple.com, MTLTensorDescriptor.strides, MTLTensorDataType.
#define STRIDE_CONSUMER_METAL 6
/// A VkTensorDescriptionARM: rank at least 1, sizes above 0; its bytes are pStrides[0] times pDimensions[0]. Dtypes:
/// those of a VkFormat of one component, integers of 8 to 64 bits, f16, f32, f64; and pred, bf16, f8e4m3fn, f8e5m2
/// (VK_FORMAT_R8_BOOL_ARM, ..._FPENCODING_..._ARM). Set the device's limits: rank_max to maxTensorDimensionCount,
/// size_max to maxPerDimensionTensorElements, elements_max to maxTensorElements, stride_bytes_max to maxTensorStride,
/// bytes_max to maxTensorSize; without tensorNonPacked, exact_from to 1. Source: VUID-VkTensorDescriptionARM-... 09733
/// to 09740, 09883, 09884.
#define STRIDE_CONSUMER_VULKAN 7
/// std::layout_stride::mapping: positive strides, nested in some order. An element is an object of C++: any dtype of at
/// least a byte, or plain bytes, which are a class. Source: C++23, [mdspan.layout.stride.cons],
/// [mdspan.accessor.default].
#define STRIDE_CONSUMER_MDSPAN 8
/// arrow.fixed_shape_tensor: no gaps in some order, which is its permutation. Dtypes: integers of 8 to 64 bits, f16,
/// f32, f64; plain bytes are FixedSizeBinary. (Boolean has one bit, so pred is not Boolean.) Source: Arrow, Canonical
/// Extension Types, Data Types.
#define STRIDE_CONSUMER_ARROW 9
/// The buffer of a VkBufferImageCopy, its bytes from `bufferOffset` on: {depth or layers, rows, columns} or fewer, no
/// size of 0; rows whole texels apart (bufferRowLength), images whole rows apart (bufferImageHeight); the offset a
/// multiple of the texel and of 4. On queues for graphics or compute, formats without depth and stencil do not need the
/// 4: set base_alignment to 0. An element is a texel of a VkFormat: one component (integers of 8 to 64 bits, f16, f32,
/// f64), or plain bytes, as many as a texel or a block has (1, 2, 3, 4, 6, 8, 12, 16, 24 or 32). Source:
/// VUID-VkBufferImageCopy-... 09101, 09102, 06659 to 06661; VUID-vkCmdCopyBufferToImage-dstImage-07975, -07978,
/// -commandBuffer-07737; Compatible Formats.
#define STRIDE_CONSUMER_VULKAN_IMAGE 10
/// Pixels that OpenGL unpacks: {depth, rows, columns} or fewer; rows at a multiple of 4 bytes, images whole rows apart
/// (UNPACK_IMAGE_HEIGHT). Set row_alignment to UNPACK_ALIGNMENT, 1, 2, 4 or 8; for packing to PACK_ALIGNMENT. An
/// element is one of a pixel type: s8, u8, s16, u16, f16, s32, u32, f32; packed pixels (UNSIGNED_SHORT_5_6_5) are u8,
/// u16 or u32. With `texel_dimensions` 1 the last dimension is the components of a pixel. Where UNPACK_SWAP_BYTES is
/// set, leave STRIDE_DTYPE_SWAPPED out. Not checked: whether some UNPACK_ROW_LENGTH, in whole pixels and rounded up,
/// gives the pitch. For results of `stride_layout_adapt` the row's own length does. Source: OpenGL 4.6, 8.4.4.1, and
/// tables 8.1 (initially 4) and 8.2 (types).
#define STRIDE_CONSUMER_OPENGL 11

/// The last dimension is innermost. Without this flag strides decide, and of equal ones the rightmost is innermost;
/// dimensions of size 1, and repeated ones where they are allowed, then have no number.
#define STRIDE_REQUIRE_LAST_INNERMOST 1
#define STRIDE_REQUIRE_UNIT_STRIDE 2  ///< Stride number 0 is 1, not -1.
/// Stride number k is at least stride times size of number k - 1, so no two elements share memory.
#define STRIDE_REQUIRE_NESTED 4
/// Stride number k is a multiple of stride number k - 1, unless that is 0; with a texel from number 2 on. For whole
/// texels there is STRIDE_REQUIRE_PITCH_IN_TEXELS.
#define STRIDE_REQUIRE_MULTIPLES 8
#define STRIDE_REQUIRE_NO_REPEATS 16  ///< No stride of 0 where the size is above 1.
/// No stride below 0 where the size is above 1. Where negative strides are allowed, the other rules apply to them
/// without their sign.
#define STRIDE_REQUIRE_NO_NEGATIVE 32
#define STRIDE_REQUIRE_ELEMENT_ALIGNED 64  ///< The address of the lowest element is a multiple of an element's bytes.
/// `stride_layout_required_bytes` counts the last row with its padding, the last image with its own, and so on.
#define STRIDE_REQUIRE_LAST_ROW_PADDED 128
/// Strides outside the texel (`texel_dimensions`) are whole texels, for APIs that count the length of a row in texels.
#define STRIDE_REQUIRE_PITCH_IN_TEXELS 256

/// The requirements of a consumer. A field that is 0 requires nothing.
typedef struct stride_requirements {
  /// sizeof(stride_requirements). 96, which ends before `texel_dimensions`, is the earliest version.
  uint32_t struct_size;
  /// STRIDE_REQUIRE_... flags.
  uint32_t flags;
  /// The lowest rank.
  uint32_t rank_min;
  /// The highest rank; 0: any.
  uint32_t rank_max;
  /// The least size of a dimension; from 1 on no tensor may be empty.
  uint64_t size_min;
  /// The largest size of a dimension; 0: any.
  uint64_t size_max;
  /// The dtypes that are accepted, bit n for the STRIDE_DTYPE_... with number n, bit 0 for plain bytes
  /// (STRIDE_DTYPE_BYTES); 0: any. Unless it is 0, dtypes with STRIDE_DTYPE_HIGH_FIRST or STRIDE_DTYPE_SWAPPED are
  /// refused.
  uint64_t dtypes;
  /// The widths of elements that are accepted, in bits: powers of two, added up; 0: any. Other widths are in
  /// `element_bits_by_three`.
  uint32_t element_bits;
  /// Bytes: the address of the lowest element is a multiple of this.
  uint32_t base_alignment;
  /// Bytes: stride number 1, from row to row, is a multiple of this. 1: whole bytes, for elements smaller than one.
  uint32_t row_alignment;
  /// Bytes: strides number 2 and up are multiples of this.
  uint32_t outer_alignment;
  /// For k from this number on, stride number k is stride times size of number k - 1; 0: for no k. 1: no gaps at all.
  uint32_t exact_from;
  /// Bytes: `stride_layout_required_bytes` is rounded up to a multiple of this.
  uint32_t total_alignment;
  /// The longest stride in bytes; 0: any.
  uint64_t stride_bytes_max;
  /// The most that `stride_layout_required_bytes` may be; 0: any.
  uint64_t bytes_max;
  /// The most elements; 0: any.
  uint64_t elements_max;
  /// The most elements from the lowest to the highest, gaps included; 0: any.
  uint64_t reach_max;
  /// The number of innermost dimensions that are one texel, or pixel: packed, with exact strides above 0. Dimension
  /// numbers, ranks and sizes are then those of the dimensions outside, number 0 the first of them. Every rule about
  /// an element except `dtypes` is then about the texel: {H, W, 3} of bytes with 1 has elements of 24 bits, and
  /// STRIDE_REQUIRE_UNIT_STRIDE means that a pixel's stride is 3. Pitches are then bytes: rows of 5 such pixels with
  /// row_alignment 16 get a pitch of 16; rows of 5 elements of 3 bytes, whose strides are whole, get 48. Without
  /// STRIDE_REQUIRE_LAST_INNERMOST the innermost dimensions are those with the smallest strides that are not 0; a
  /// dimension of size 1 counts as outside the next one to its right.
  uint32_t texel_dimensions;
  /// Three times these widths are accepted as well as `element_bits`: 32 for 96 bits. 0: none, or any width if
  /// element_bits is 0 too.
  uint32_t element_bits_by_three;
} stride_requirements;

/// The word for a consumer (STRIDE_CONSUMER_...), such as "vulkan_image"; NULL for a number that is none. They count up
/// from 0, which is "any".
STRIDE_API const char *stride_consumer_name(uint32_t consumer);

/// The requirements of a consumer (STRIDE_CONSUMER_...), to be changed where yours is special. With STRIDE_CONSUMER_ANY
/// all fields but struct_size are 0.
///
/// Returns: INVALID_ARGUMENT for an unknown consumer.
STRIDE_API stride_status stride_requirements_init(stride_requirements *out, uint32_t consumer, stride_error *error);

/// Checks that a consumer accepts a layout. `address` is that of the base pointer, 0 if there is no memory yet; the
/// lowest element must be aligned, offset included. Strides of size-1 dimensions are not checked, only that some would
/// be accepted: pass those of `stride_layout_adapt` to TMA and Vulkan, which check them. In this order: rank; dtype;
/// width; sizes; number of elements; strides from the innermost outwards; reach; bytes; address. For an empty layout
/// the checks end before the strides.
///
/// Returns: NOT_REPRESENTABLE if it does not: the dimension of a size or stride, the value and the limit, in bytes if
/// the limit is; argument ADDRESS if only the address is wrong. INVALID_ARGUMENT for requirements that are not valid;
/// OVERFLOW if bytes_max is not 0 and the bytes do not fit uint64_t.
STRIDE_API stride_status stride_layout_meets(const stride_layout *layout, uint64_t address,
                                             const stride_requirements *requirements, stride_error *error);

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
STRIDE_API stride_status stride_layout_adapt(const stride_layout *layout, const stride_requirements *requirements,
                                             stride_layout *out, stride_error *error);

/// Bytes that the consumer counts for a layout: from the lowest element to the highest, or all rows with their padding
/// if STRIDE_REQUIRE_LAST_ROW_PADDED says so, rounded up to total_alignment. 10 rows of 10 floats at a pitch of 256
/// bytes: 2344 for WebGPU, with padded rows 2560. Bytes before the lowest element are not counted, so with an offset
/// the buffer needs as many more. Whether the layout meets the requirements is not checked.
///
/// Returns: INVALID_ARGUMENT; OVERFLOW if the bytes do not fit uint64_t.
STRIDE_API stride_status stride_layout_required_bytes(const stride_layout *layout,
                                                      const stride_requirements *requirements, uint64_t *out,
                                                      stride_error *error);

/// The layout with the strides of its size-1 dimensions set by `rule` (STRIDE_SIZE_ONE_...), for consumers that read
/// such strides. An empty layout gets strides 0 unless they are kept. A natural stride that does not fit becomes 0.
///
/// Returns: INVALID_ARGUMENT for the rule.
STRIDE_API stride_status stride_layout_canonicalize(const stride_layout *layout, uint32_t rule, stride_layout *out,
                                                    stride_error *error);

// =================================================================================================
//
// Copies as data
//
// A copy as numbers, for callers that move the bytes themselves: its kind, and the shortest list of equal rows,
// rectangles or boxes, as DMA engines, GPU queues (`VkBufferCopy`, `cudaMemcpy3D`, texture footprints) and network
// cards accept them. Nothing here touches tensor memory, and no answer depends on the CPU.
//
// Example: a crop of 64 x 32 pixels at (100, 100) of the chroma plane of an NV12 image of 848 x 480 is one rectangle.
//
//   int64_t plane[3] = {240, 424, 2}, starts[3] = {50, 50, 0}, sizes[3] = {16, 32, 2}; uint64_t count;
//   stride_layout chroma; stride_plan plan; stride_region region;
//   stride_layout_init(&chroma, STRIDE_DTYPE_U8, 3, plane, NULL, NULL); chroma.offset = 848 * 480;
//   stride_layout_crop(&chroma, 3, starts, sizes, &chroma, NULL); stride_plan_init(&plan, NULL, &chroma, NULL, NULL);
//   stride_plan_regions(&plan, 2, 1, &region, &count, NULL); assert(count == 1 && region.src_offset == 449540);
//   assert(region.row_bytes == 64 && region.counts[0] == 16 && region.src_pitches[0] == 848);

// As enums; the macros below explain them.
enum { STRIDE_REGION_API_ANY = 0, STRIDE_REGION_API_CUDA_2D = 1, STRIDE_REGION_API_CUDA_3D = 2,
       STRIDE_REGION_API_OPENCL_RECT = 3, STRIDE_REGION_API_VULKAN_BUFFER = 4, STRIDE_REGION_API_VULKAN_UPLOAD = 5,
       STRIDE_REGION_API_VULKAN_READBACK = 6, STRIDE_REGION_API_D3D12_UPLOAD = 7,
       STRIDE_REGION_API_D3D12_READBACK = 8 };
enum { STRIDE_REGION_NO_NEGATIVE = 1, STRIDE_REGION_NO_REPEATS = 2, STRIDE_REGION_NESTED = 4,
       STRIDE_REGION_SLICE_MULTIPLE = 8, STRIDE_REGION_IMAGE = 16 };

#define STRIDE_REGION_API_ANY 0  ///< No rules: every region is accepted.
/// cudaMemcpy2D, hipMemcpy2D: rectangles, pitches of at least a row on both sides. Set pitch_max and row_bytes_max to
/// the device's memPitch. Source: CUDA Runtime API, cudaMemcpy2D.
#define STRIDE_REGION_API_CUDA_2D 1
/// cudaMemcpy3D, hipMemcpy3D: boxes whose slice pitch is a multiple of their row pitch (ysize of the cudaPitchedPtr
/// times it); else as CUDA_2D. Source: CUDA Runtime API, cudaMemcpy3D, cudaPitchedPtr; Driver API, cuMemcpy3D.
#define STRIDE_REGION_API_CUDA_3D 2
/// clEnqueueCopyBufferRect: boxes, row pitches of at least region[0], slice pitches of at least region[1] rows and a
/// multiple of them. Within one buffer both sides must have the same pitches, which is not checked here. Source:
/// OpenCL, clEnqueueCopyBufferRect, CL_INVALID_VALUE.
#define STRIDE_REGION_API_OPENCL_RECT 3
#define STRIDE_REGION_API_VULKAN_BUFFER 4  ///< VkBufferCopy: rows. Source: Vulkan, VkBufferCopy.
/// VkBufferImageCopy from a buffer, the source, to an image, the destination: boxes whose rows are rows of the image
/// and whose slices are its layers; in the buffer offsets at multiples of 4 and rows at most 2^31 - 1 bytes apart. Set
/// row_bytes_max to the bytes of a row of the image, rows_max to the rows of a layer; row_bytes_alignment, the source's
/// pitch_alignment (bufferRowLength counts texels) and the destination's offset_alignment to the texel's bytes, the
/// source's offset_alignment to a multiple of them. Source: as STRIDE_CONSUMER_VULKAN_IMAGE; VkBufferImageCopy;
/// VUID-vkCmdCopyBufferToImage-bufferRowLength-09108.
#define STRIDE_REGION_API_VULKAN_UPLOAD 5
/// VkBufferImageCopy from an image, the source, to a buffer, the destination; else as VULKAN_UPLOAD.
#define STRIDE_REGION_API_VULKAN_READBACK 6
/// CopyTextureRegion from a buffer, the source, to a texture, the destination: boxes whose rows and slices are those of
/// the texture; in the buffer offsets at multiples of 512, pitches at multiples of 256. Set row_bytes_max to the bytes
/// of a row of the texture and rows_max to its rows. An array's layers are subresources, and a call takes one: rank_max
/// 2. Source: as STRIDE_CONSUMER_D3D12; D3D12_SUBRESOURCE_FOOTPRINT, whose RowPitch is a UINT.
#define STRIDE_REGION_API_D3D12_UPLOAD 7
/// CopyTextureRegion from a texture, the source, to a buffer, the destination; else as D3D12_UPLOAD.
#define STRIDE_REGION_API_D3D12_READBACK 8
#define STRIDE_REGION_NO_NEGATIVE 1  ///< No pitch is below 0.
#define STRIDE_REGION_NO_REPEATS 2  ///< No pitch is 0: nothing repeats.
/// A row pitch is at least the bytes of a row, a slice pitch at least the row pitch times the rows.
#define STRIDE_REGION_NESTED 4
#define STRIDE_REGION_SLICE_MULTIPLE 8  ///< A slice pitch is a multiple of the row pitch.
/// This side is an image: rows of row_bytes_max bytes, one after the other, and layers of rows_max rows, one after the
/// other. The row pitch is row_bytes_max, the slice pitch row_bytes_max * rows_max, and no region passes the end of a
/// row or a layer. If rows_max is 0, any slice pitch that keeps the other rules is a layer's; if row_bytes_max is 0,
/// the smallest step of this side that is not 0 is the row pitch.
#define STRIDE_REGION_IMAGE 16

/// A row, rectangle or box of bytes. Row (j, i), i < counts[0] and j < counts[1], begins at
/// `src_offset + i * src_pitches[0] + j * src_pitches[1]` in the source, and likewise in the destination. A rectangle
/// has counts[1] 1 and pitches[1] 0, a row also counts[0] 1 and pitches[0] 0.
typedef struct stride_region {
  /// Bytes from the destination's base pointer to the first row.
  int64_t dst_offset;
  /// Bytes from the source's base pointer to the first row.
  int64_t src_offset;
  /// Bytes of a row.
  uint64_t row_bytes;
  /// Rows of a rectangle; rectangles of a box.
  uint64_t counts[2];
  /// Bytes from one row, or rectangle, to the next in the destination. Where the count is above 1, they are above 0
  /// (with STRIDE_COPY_ASSUME_DISTINCT: or 0), and the second is not below the first, unless rules of your own for
  /// the source leave only the other order.
  int64_t dst_pitches[2];
  /// Bytes from one row, or rectangle, to the next in the source: negative in mirrored views, 0 where it repeats.
  int64_t src_pitches[2];
} stride_region;

/// The rules of a function that moves regions. A field that is 0 is no rule. A field with two entries has that of the
/// destination first, then that of the source, and each is for its side alone.
typedef struct stride_region_rules {
  /// sizeof(stride_region_rules).
  uint32_t struct_size;
  /// The highest rank: 1 rows, 2 rectangles, 3 boxes; 0: 3.
  uint32_t rank_max;
  /// STRIDE_REGION_... flags. Where pitches below 0 are allowed, the other rules apply to them without their sign.
  uint32_t flags[2];
  /// Bytes: the offset of each region is a multiple of this.
  uint32_t offset_alignment[2];
  /// Bytes: all pitches are multiples of this.
  uint32_t pitch_alignment[2];
  /// Bytes: the longest pitch from row to row; 0: any.
  uint64_t pitch_max[2];
  /// The longest row in bytes; 0: any. Longer rows are cut into rows of a rectangle. With STRIDE_REGION_IMAGE: the
  /// bytes of a row of the image.
  uint64_t row_bytes_max;
  /// The most rows of a rectangle, counts[0]; 0: any. With STRIDE_REGION_IMAGE: the rows of a layer.
  uint64_t rows_max;
  /// The most rectangles of a box, counts[1]; 0: any.
  uint64_t slices_max;
  /// Bytes: the bytes of a row are a multiple of this.
  uint32_t row_bytes_alignment;
  /// Zero.
  uint32_t reserved;
} stride_region_rules;

/// The kind of the copy of `src_layout` to `dst_layout` (STRIDE_COPY_KIND_...), the number of its runs that are
/// contiguous on both sides, and the bytes of each: 2x3x8x8 floats from NHWC to NCHW are TRANSPOSE, 384 runs of 4
/// bytes; a packed copy is 1 run.
///
/// Returns: as `stride_plan_init` without options.
STRIDE_API stride_status stride_copy_classify(const stride_layout *dst_layout, const stride_layout *src_layout,
                                              uint32_t *kind, uint64_t *runs, uint64_t *run_bytes, stride_error *error);

/// The copy of a plan as the shortest list of equal rows (`rank` 1), rectangles (2) or boxes (3). `*count` becomes
/// their number, of which the first `capacity` are written; (0, NULL) writes the number alone. Together they write
/// every element once, in any order. A copy whose elements are not contiguous has rows of one element. If the
/// destination's loops interleave (strides {40,2,3} of sizes {66,20,2}), a shorter list may exist. Tiles cut the
/// indices into boxes; the lists of all boxes follow each other.
///
/// Arrays: out[capacity].
///
/// Time: in proportion to the regions that are written, whatever their number; with tiles to the boxes, at most 4096,
/// which takes milliseconds.
///
/// Returns: INVALID_RANK unless 1 <= rank <= 3; INVALID_ARGUMENT if `plan` is not a plan; UNSUPPORTED for plans with
/// STRIDE_COPY_FILL_BUFFER, STRIDE_COPY_OVERLAP or runs of the fill value, which no list of regions expresses, for more
/// than 4096 boxes, and for runs that are not whole bytes.
STRIDE_API stride_status stride_plan_regions(const stride_plan *plan, uint32_t rank, uint64_t capacity,
                                             stride_region *out, uint64_t *count, stride_error *error);

/// The rules of a function that moves regions (STRIDE_REGION_API_...), to be changed where yours are special. With
/// STRIDE_REGION_API_ANY all fields but struct_size are 0.
///
/// Returns: INVALID_ARGUMENT for an unknown function.
STRIDE_API stride_status stride_region_rules_init(stride_region_rules *out, uint32_t api, stride_error *error);

/// The copy of a plan as the shortest list of equal regions that keep rules; without any, as `stride_plan_regions`. A
/// row longer than row_bytes_max is cut first. Then one or two loops of the copy become rows and slices: of those that
/// keep the rules, the ones that leave the fewest regions. So boxes whose slice pitch is not a multiple of the row
/// pitch come as rectangles, and rectangles whose pitch is negative, too short or too long as rows. In a box whose
/// rectangles have one row each, pitches[0] is that of the rows from which it was cut. Rows that are contiguous on both
/// sides are one row, whatever the dimensions were; row_bytes_max cuts them, and of an image rows_max its layers.
///
/// Arrays: out[capacity].
///
/// Time: as `stride_plan_regions`, twice.
///
/// Returns: INVALID_ARGUMENT if `plan` is not a plan, or for `rules`; UNSUPPORTED as `stride_plan_regions`, and if not
/// even single rows keep the rules: with the offset of a region and its alignment; with the bytes of a row (or
/// row_bytes_max) and their alignment; or with the bytes of a row that would pass the end of an image's row and
/// row_bytes_max.
STRIDE_API stride_status stride_plan_regions_under(const stride_plan *plan, const stride_region_rules *rules,
                                                   uint64_t capacity, stride_region *out, uint64_t *count,
                                                   stride_error *error);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // STRIDE_CONSUMERS_H
