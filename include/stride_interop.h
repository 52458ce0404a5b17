// stride_interop.h: libstride 0.1.0. Generated from src/ffi by cbindgen 0.29.4: `make header`.
// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Other systems' forms of a layout: DLPack, Python's buffers and NumPy's type strings, ggml, planes of images. Each
// becomes a stride_layout; layouts also become DLPack's and ggml's, and dtypes type strings. If a system cannot express
// a layout, the error says why. Blocked layouts, which no stride_layout can express, have functions of their own. The
// rules for all functions stand in stride.h. No header of these systems is needed, and none of their functions is
// called: the library neither keeps nor frees their memory.
//
// I want to ...                                         Function
//   take a tensor from DLPack                             stride_layout_from_dlpack; a managed one: ..._versioned
//   give one to DLPack                                    stride_layout_to_dlpack
//   take a Python buffer (memoryview, bytes, an array)    stride_layout_from_py_buffer
//   read or print NumPy's '<f4'                           stride_dtype_from_typestr, stride_dtype_to_typestr
//   take a tensor from ggml, give one                     stride_layout_from_ggml, stride_layout_to_ggml
//   know the bytes of a block of a quantised type         stride_dtype_from_ggml
//   know the code of DRM_FORMAT_NV12 or yuv420p10le       stride_image_fourcc
//   find the planes of NV12, I420, YUY2, ...              stride_image_planes
//     also upside down (negative pitch), or apart         stride_image_planes_of
//   convert one such image into another                   stride_image_components, then stride_copy for each; ..._of
//   describe scale factors of MXFP8, NVFP4; swizzles      stride_blocked_parse, stride_blocked_init
//   know where an element of such a buffer lies           stride_blocked_linear_index, stride_blocked_multi_index
//   copy to, from or between such buffers                 stride_copy_sides, stride_plan_init_sides
//
// Sections: DLPack - Python's buffers - ggml - Codes of images - Images in planes - Blocked layouts.

#ifndef STRIDE_INTEROP_H
#define STRIDE_INTEROP_H

#include "stride.h"

/// An image description whose fields are still to be set: stride_image image = STRIDE_IMAGE_INIT;
#define STRIDE_IMAGE_INIT { sizeof(stride_image), 0, 0, 0, 0, 0, 0, 0, { 0 }, { 0 } }

#ifdef __cplusplus
extern "C" {
#endif

// =================================================================================================
//
// DLPack
//
// stride_dl_tensor has the memory layout of DLTensor, and stride_dl_managed_tensor_versioned that of
// DLManagedTensorVersioned: cast one to the other. (A DLManagedTensor begins with its DLTensor.) A layout counts from
// `data`; index (0, ..., 0) lies `byte_offset` bytes after it. No deleter is called and no data is touched, so tensors
// may be on any device. Source: dlpack.h of dmlc/dlpack, versions 1.0 to 1.3 and older ones.
//
// Example: the second row of a matrix of floats, given away and taken back.
//
//   int64_t sizes[1] = {3}, shape[1], strides[1]; stride_layout row, back; stride_dl_tensor tensor;
//   stride_layout_init(&row, STRIDE_DTYPE_F32, 1, sizes, NULL, NULL);
//   row.offset = 3;
//   stride_layout_to_dlpack(&row, 1, shape, strides, &tensor, NULL);
//   stride_layout_from_dlpack(&tensor, &back, NULL);
//   assert(tensor.byte_offset == 12 && tensor.dtype_bits == 32 && back.offset == 3 && shape[0] == 3);

// As enums; the macros below explain them.
enum { STRIDE_DL_FLAG_READ_ONLY = 1, STRIDE_DL_FLAG_IS_COPIED = 2, STRIDE_DL_FLAG_IS_SUBBYTE_TYPE_PADDED = 4 };

#define STRIDE_DL_FLAG_READ_ONLY 1  ///< DLPACK_FLAG_BITMASK_READ_ONLY.
#define STRIDE_DL_FLAG_IS_COPIED 2  ///< DLPACK_FLAG_BITMASK_IS_COPIED.
/// DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED: an element below a byte has a byte of its own.
#define STRIDE_DL_FLAG_IS_SUBBYTE_TYPE_PADDED 4

/// DLTensor: 48 bytes with fields at 0, 8, 12, 16, 20, 21, 22, 24, 32 and 40 on 64-bit machines.
typedef struct stride_dl_tensor {
  /// The memory, which the library never reads.
  void *data;
  /// DLDeviceType; not read. Before you touch the memory, check that you can reach the device (1: the CPU).
  int32_t device_type;
  /// Number of the device; not read.
  int32_t device_id;
  /// Number of dimensions.
  int32_t ndim;
  /// DLDataTypeCode: 0 signed, 1 unsigned, 2 float, 4 bfloat, 5 complex, 6 bool, ...
  uint8_t dtype_code;
  /// Bits of one lane.
  uint8_t dtype_bits;
  /// Lanes of an element: 1, more for vectors.
  uint16_t dtype_lanes;
  /// Elements along each dimension, outermost first.
  int64_t *shape;
  /// Elements between neighbours along each dimension, any sign; NULL: packed.
  int64_t *strides;
  /// Bytes from `data` to index (0, ..., 0).
  uint64_t byte_offset;
} stride_dl_tensor;

/// DLManagedTensorVersioned: 80 bytes, the fields of its tensor from 32 on, on 64-bit machines.
typedef struct stride_dl_managed_tensor_versioned {
  /// Major version: 1.
  uint32_t major;
  /// Minor version; any.
  uint32_t minor;
  /// The producer's own.
  void *manager_ctx;
  /// A function of the producer, which the library does not call.
  void *deleter;
  /// STRIDE_DL_FLAG_...
  uint64_t flags;
  /// From here on the fields of stride_dl_tensor.
  void *data;
  /// DLDeviceType; not read. Before you touch the memory, check that you can reach the device (1: the CPU).
  int32_t device_type;
  /// Number of the device; not read.
  int32_t device_id;
  /// Number of dimensions.
  int32_t ndim;
  /// DLDataTypeCode.
  uint8_t dtype_code;
  /// Bits of one lane.
  uint8_t dtype_bits;
  /// Lanes of an element.
  uint16_t dtype_lanes;
  /// Elements along each dimension, outermost first.
  int64_t *shape;
  /// Elements between neighbours along each dimension, any sign; NULL: packed.
  int64_t *strides;
  /// Bytes from `data` to index (0, ..., 0).
  uint64_t byte_offset;
} stride_dl_managed_tensor_versioned;

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
STRIDE_API stride_status stride_layout_from_dlpack(const stride_dl_tensor *tensor, stride_layout *out,
                                                   stride_error *error);

/// `stride_layout_from_dlpack` for a managed tensor. Its version is checked first, and its flags are obeyed: with
/// IS_SUBBYTE_TYPE_PADDED an element below a byte has a byte of its own, and is u8 (s8 if signed).
///
/// Returns: UNSUPPORTED (a major version other than 1, or an unknown flag); else as `stride_layout_from_dlpack`.
STRIDE_API stride_status stride_layout_from_dlpack_versioned(const stride_dl_managed_tensor_versioned *managed,
                                                             stride_layout *out, stride_error *error);

/// A layout as a tensor whose `shape` and `strides` are the arrays given here. `data`, `device_type` and `device_id`
/// stay as they are: set them to the base pointer and its device. Strides are never NULL, and are those of the layout
/// (`stride_layout_canonicalize` chooses those of size 1). Plain bytes become a vector of uint8. A layout without
/// elements gets `byte_offset` 0, whatever its offset.
///
/// Arrays: shape[rank], strides[rank].
///
/// Returns: INVALID_DTYPE (STRIDE_DTYPE_HIGH_FIRST or STRIDE_DTYPE_SWAPPED; more than 65535 bytes); OUT_OF_BOUNDS (an
/// element below the base pointer: `stride_layout_rebase`); NOT_REPRESENTABLE (an offset that is not a whole byte).
STRIDE_API stride_status stride_layout_to_dlpack(const stride_layout *layout, uint32_t rank, int64_t *shape,
                                                 int64_t *strides, stride_dl_tensor *out, stride_error *error);

// =================================================================================================
//
// Python's buffers
//
// stride_py_buffer has the memory layout of Py_buffer, which is part of Python's stable ABI since 3.11: cast one to
// the other. A buffer's pointer is index (0, ..., 0), so its layout has offset 0, and a mirrored one reaches below it:
// `stride_layout_rebase` gives the distance. A type string is `typestr` of NumPy's array interface: order, kind and
// bytes. Sources: "Buffer Protocol" of Python's C API manual, PEP 3118, Python's struct module; NumPy's array
// interface.
//
// Example: memoryview(bytes(24)).cast('i', (2, 3))[::-1], whose strides in Python are (-12, 4).
//
//   ptrdiff_t shape[2] = {2, 3}, strides[2] = {-12, 4}; char format[2] = "i"; stride_layout rows; uint32_t dtype;
//   stride_py_buffer view = {NULL, NULL, 24, 4, 1, 2, format, shape, strides, NULL, NULL};
//   stride_layout_from_py_buffer(&view, &rows, NULL);
//   assert(rows.dtype == STRIDE_DTYPE_S32 && rows.offset == 0 && rows.strides[0] == -3 && rows.strides[1] == 1);
//   stride_dtype_from_typestr("|V12", 4, &dtype, NULL);
//   assert(dtype == (STRIDE_DTYPE_BYTES | 12));

/// Py_buffer: 80 bytes with fields at 0, 8, 16, 24, 32, 36, 40, 48, 56, 64 and 72 on 64-bit machines.
typedef struct stride_py_buffer {
  /// The memory, which the library never reads.
  void *buf;
  /// The exporting object; not read.
  void *obj;
  /// Bytes of all elements together.
  ptrdiff_t len;
  /// Bytes of an element.
  ptrdiff_t itemsize;
  /// 1 if the memory is read-only; not read.
  int32_t readonly;
  /// Number of dimensions.
  int32_t ndim;
  /// An element's type as in the struct module; NULL: not given.
  char *format;
  /// Elements along each dimension; NULL: not given, the buffer is `len` bytes.
  ptrdiff_t *shape;
  /// Bytes between neighbours along each dimension; NULL: packed.
  ptrdiff_t *strides;
  /// NULL, or an entry for each dimension: 0 or above if its elements are pointers to follow, else below 0.
  ptrdiff_t *suboffsets;
  /// The exporter's own.
  void *internal;
} stride_py_buffer;

/// The layout of a buffer, counted from `buf`. Without `shape` it is `len` bytes; without `strides` packed; without
/// `format` its items are u8 if they have one byte, else plain bytes. With `ndim` 0 it is one item.
///
/// Formats that are a number's letters give its type ('<f', 'D' or 'Zd', '?'; 'l', 'L', 'n' and 'N' have 4 or 8 bytes,
/// with any mark for the byte order), with STRIDE_DTYPE_SWAPPED in the other byte order ('>f'). Every other format,
/// such as '12s' or 'T{...}', gives plain bytes of `itemsize`. Strides are in bytes and may be negative. If one is not
/// a whole number of items (a field of packed records), the layout is that of `stride_layout_init_bytes`: u8, with the
/// bytes of each item as one more dimension.
///
/// Returns: INVALID_RANK (`ndim`); INVALID_DTYPE (an item size that no element has; a letter of another size; a long
/// double in the other byte order; 'O' anywhere but in a field's name: references to objects); INVALID_SIZE;
/// SHAPE_MISMATCH (`len` is not `itemsize` times the elements); NOT_REPRESENTABLE (`suboffsets`: pointers to follow);
/// OVERFLOW.
STRIDE_API stride_status stride_layout_from_py_buffer(const stride_py_buffer *view, stride_layout *out,
                                                      stride_error *error);

/// The type that an array interface's type string names: "<f4", "|b1", "<c16"; with STRIDE_DTYPE_SWAPPED in the other
/// byte order. Long doubles, dates, strings, structs ("|V12", "<U3", "<M8[ns]") and all widths that no number has are
/// plain bytes. `length` counts the bytes of `text`.
///
/// Arrays: text[length].
///
/// Returns: PARSE with the byte that is wrong (also for references to objects, "|O8", and bit fields); INVALID_DTYPE (a
/// size that no element has; plain bytes in the other byte order, such as ">U3" on x86-64).
STRIDE_API stride_status stride_dtype_from_typestr(const char *text, uint64_t length, uint32_t *out,
                                                   stride_error *error);

/// Writes the type string of a type: on x86-64 "<f4", with STRIDE_DTYPE_SWAPPED ">f4"; plain bytes are "|V12". At most
/// 10 characters.
///
/// Arrays: buffer[capacity], length or NULL.
///
/// Returns: INVALID_DTYPE (no such type, or one without a type string: bf16, f8e5m2, s4).
STRIDE_API stride_status stride_dtype_to_typestr(uint32_t dtype, char *buffer, uint64_t capacity, uint64_t *length,
                                                 stride_error *error);

// =================================================================================================
//
// ggml
//
// The fields of a ggml_tensor, so that no header of ggml is needed: `type`, `ne` (elements, innermost first) and `nb`
// (bytes between neighbours, innermost first). Layouts have rank 4 and the dimensions in reverse order. A block of a
// quantised type is one element of plain bytes: Q4_0 has 32 values in 18 bytes. The data pointer is index (0, ..., 0).
// Sources: ggml.h and ggml-common.h of ggml-org/llama.cpp.
//
// Example: two rows of 64 values of Q4_0 (type 2) are 2 x 2 blocks.
//
//   int64_t ne[4] = {64, 2, 1, 1}; size_t nb[4] = {18, 36, 72, 72}; uint64_t bytes;
//   stride_layout rows;
//   stride_layout_from_ggml(2, ne, nb, &rows, NULL);
//   stride_layout_min_bytes(&rows, &bytes, NULL);
//   assert(rows.dtype == (STRIDE_DTYPE_BYTES | 18) && rows.sizes[3] == 2 && rows.strides[2] == 2 && bytes == 72);

// As enums; the macros below explain them.
enum { STRIDE_GGML_MAX_DIMS = 4 };

#define STRIDE_GGML_MAX_DIMS 4  ///< The dimensions of every tensor (GGML_MAX_DIMS).

/// The type of an element, or of a block of a quantised type, and the number of its values: F32 (0) is f32 and 1, Q4_0
/// (2) is bytes18 and 32.
///
/// Returns: INVALID_DTYPE (not a number of ggml's, or one that ggml has removed).
STRIDE_API stride_status stride_dtype_from_ggml(uint32_t type, uint32_t *out, uint32_t *block, stride_error *error);

/// The layout of a tensor: dimension i of `out` is ggml's dimension 3 - i. A stride that is not a whole number of
/// elements becomes 0 if the size is 1. Otherwise the layout is that of `stride_layout_init_bytes`: u8, with the bytes
/// of each element or block as a fifth dimension. Dimensions in errors are ggml's.
///
/// Arrays: ne[4], nb[4].
///
/// Returns: INVALID_DTYPE (`type`); INVALID_SIZE (below 0, or not a whole number of blocks); INVALID_STRIDE (beyond 63
/// bits); OVERFLOW.
STRIDE_API stride_status stride_layout_from_ggml(uint32_t type, const int64_t *ne, const size_t *nb, stride_layout *out,
                                                 stride_error *error);

/// The tensor of this type that a layout is: the inverse of `stride_layout_from_ggml`. Missing dimensions are
/// outermost, of size 1. A stride without effect becomes that of a new tensor of ggml: `nb[0] * (ne[0] / block)`, then
/// `nb[i - 1] * ne[i - 1]`. `*offset_bytes` leads from the base pointer to the tensor's data pointer.
///
/// Arrays: ne[4], nb[4].
///
/// Returns: INVALID_DTYPE (`type`); DTYPE_MISMATCH (the layout's dtype is not that of `stride_dtype_from_ggml`);
/// INVALID_RANK above 4; INVALID_STRIDE (negative, or more than a size_t holds); OUT_OF_BOUNDS (an element below the
/// base pointer); OVERFLOW.
STRIDE_API stride_status stride_layout_to_ggml(const stride_layout *layout, uint32_t type, int64_t *ne, size_t *nb,
                                               uint64_t *offset_bytes, stride_error *error);

// =================================================================================================
//
// Codes of images
//
// An image format is a FourCC: four characters, the first in the low byte. docs/IMAGE_FORMATS.md lists them all, with
// their names in DRM, V4L2 and FFmpeg and the order of the samples in memory. If V4L2 and DRM mean different orders by
// the same letters, DRM's counts. Other codes for the same format are accepted: 'YU12' for I420. Samples have this
// machine's byte order; there are no codes for big-endian formats. Formats whose samples do not lie in whole bytes
// ('NV15', 'P030', 'v210', 'UYVP') are known, and refused by name. Sources: videodev2.h and drm_fourcc.h of Linux,
// pixdesc.c and raw_pix_fmt_tags.h of FFmpeg, fourcc.org.
//
// Example: the code of a name, and of FFmpeg's word for it.
//
//   uint32_t fourcc;
//   stride_image_fourcc("DRM_FORMAT_NV12", 15, &fourcc, NULL);
//   assert(fourcc == STRIDE_FOURCC_NV12);
//   stride_image_fourcc("yuv420p10le", 11, &fourcc, NULL);
//   assert(fourcc == STRIDE_FOURCC_I010);

// As enums; the macros below explain them.
enum { STRIDE_FOURCC_NV12 = 842094158, STRIDE_FOURCC_NV21 = 825382478, STRIDE_FOURCC_NV16 = 909203022,
       STRIDE_FOURCC_NV61 = 825644622, STRIDE_FOURCC_NV24 = 875714126, STRIDE_FOURCC_NV42 = 842290766,
       STRIDE_FOURCC_P010 = 808530000, STRIDE_FOURCC_P012 = 842084432, STRIDE_FOURCC_P016 = 909193296,
       STRIDE_FOURCC_P210 = 808530512, STRIDE_FOURCC_P212 = 842084944, STRIDE_FOURCC_P216 = 909193808,
       STRIDE_FOURCC_P410 = 808531024, STRIDE_FOURCC_P412 = 842085456, STRIDE_FOURCC_P416 = 909194320,
       STRIDE_FOURCC_I420 = 808596553, STRIDE_FOURCC_YV12 = 842094169, STRIDE_FOURCC_I422 = 842150985,
       STRIDE_FOURCC_YV16 = 909203033, STRIDE_FOURCC_I444 = 875836489, STRIDE_FOURCC_YV24 = 875714137,
       STRIDE_FOURCC_I010 = 808529993, STRIDE_FOURCC_I210 = 808530505, STRIDE_FOURCC_S410 = 808531027,
       STRIDE_FOURCC_S012 = 842084435, STRIDE_FOURCC_S212 = 842084947, STRIDE_FOURCC_S412 = 842085459,
       STRIDE_FOURCC_S016 = 909193299, STRIDE_FOURCC_S216 = 909193811, STRIDE_FOURCC_S416 = 909194323,
       STRIDE_FOURCC_Q410 = 808531025, STRIDE_FOURCC_Q401 = 825242705, STRIDE_FOURCC_YUY2 = 844715353,
       STRIDE_FOURCC_YVYU = 1431918169, STRIDE_FOURCC_UYVY = 1498831189, STRIDE_FOURCC_VYUY = 1498765654,
       STRIDE_FOURCC_Y210 = 808530521, STRIDE_FOURCC_Y212 = 842084953, STRIDE_FOURCC_Y216 = 909193817,
       STRIDE_FOURCC_AYUV = 1448433985, STRIDE_FOURCC_XYUV = 1448434008, STRIDE_FOURCC_AVUY = 1498764865,
       STRIDE_FOURCC_XVUY = 1498764888, STRIDE_FOURCC_Y408 = 942683257, STRIDE_FOURCC_V408 = 942683254,
       STRIDE_FOURCC_VU24 = 875713878, STRIDE_FOURCC_V308 = 942682998, STRIDE_FOURCC_Y412 = 842085465,
       STRIDE_FOURCC_Y416 = 909194329, STRIDE_FOURCC_XV36 = 909334104, STRIDE_FOURCC_XV48 = 942954072,
       STRIDE_FOURCC_Y410 = 808531033, STRIDE_FOURCC_XV30 = 808670808, STRIDE_FOURCC_V410 = 808531062,
       STRIDE_FOURCC_GREY = 1497715271, STRIDE_FOURCC_Y10 = 540029273, STRIDE_FOURCC_Y12 = 540160345,
       STRIDE_FOURCC_Y14 = 540291417, STRIDE_FOURCC_Y16 = 540422489, STRIDE_FOURCC_R16F = 1210064978,
       STRIDE_FOURCC_R32F = 1176510546, STRIDE_FOURCC_GR88 = 943215175, STRIDE_FOURCC_RG88 = 943212370,
       STRIDE_FOURCC_GR32 = 842224199, STRIDE_FOURCC_RG32 = 842221394, STRIDE_FOURCC_GR1616F = 1210077767,
       STRIDE_FOURCC_GR3232F = 1176523335, STRIDE_FOURCC_RGB24 = 859981650, STRIDE_FOURCC_BGR24 = 861030210,
       STRIDE_FOURCC_BGRA = 875713089, STRIDE_FOURCC_XR24 = 875713112, STRIDE_FOURCC_AB24 = 875708993,
       STRIDE_FOURCC_XB24 = 875709016, STRIDE_FOURCC_RA24 = 875708754, STRIDE_FOURCC_RX24 = 875714642,
       STRIDE_FOURCC_BA24 = 875708738, STRIDE_FOURCC_BX24 = 875714626, STRIDE_FOURCC_RGB6 = 910313298,
       STRIDE_FOURCC_BGR6 = 911361858, STRIDE_FOURCC_AR48 = 942953025, STRIDE_FOURCC_XR48 = 942953048,
       STRIDE_FOURCC_AB48 = 942948929, STRIDE_FOURCC_XB48 = 942948952, STRIDE_FOURCC_AB10 = 808534593,
       STRIDE_FOURCC_BGRH = 1213351746, STRIDE_FOURCC_AR4H = 1211388481, STRIDE_FOURCC_XR4H = 1211388504,
       STRIDE_FOURCC_RGBA64F = 1211384385, STRIDE_FOURCC_XB4H = 1211384408, STRIDE_FOURCC_BGRF = 1179797314,
       STRIDE_FOURCC_AB8F = 1178092097, STRIDE_FOURCC_RG16 = 909199186, STRIDE_FOURCC_BG16 = 909199170,
       STRIDE_FOURCC_AR30 = 808669761, STRIDE_FOURCC_XR30 = 808669784, STRIDE_FOURCC_AB30 = 808665665,
       STRIDE_FOURCC_XB30 = 808665688, STRIDE_FOURCC_RA30 = 808665426, STRIDE_FOURCC_RX30 = 808671314,
       STRIDE_FOURCC_BA30 = 808665410, STRIDE_FOURCC_BX30 = 808671298, STRIDE_FOURCC_SBGGR8 = 825770306,
       STRIDE_FOURCC_SBGGR16 = 844257602 };

#define STRIDE_FOURCC_NV12 0x3231564e  ///< 'NV12': 8-bit Y, then U and V side by side, half the columns and rows.
#define STRIDE_FOURCC_NV21 0x3132564e  ///< 'NV21': as NV12 with V before U.
#define STRIDE_FOURCC_NV16 0x3631564e  ///< 'NV16': as NV12 with all rows.
#define STRIDE_FOURCC_NV61 0x3136564e  ///< 'NV61': as NV21 with all rows.
#define STRIDE_FOURCC_NV24 0x3432564e  ///< 'NV24': as NV12 with all columns and rows.
#define STRIDE_FOURCC_NV42 0x3234564e  ///< 'NV42': as NV21 with all columns and rows.
#define STRIDE_FOURCC_P010 0x30313050  ///< 'P010': as NV12 with 16-bit samples, whose high 10 bits count.
#define STRIDE_FOURCC_P012 0x32313050  ///< 'P012': as P010, 12 bits.
#define STRIDE_FOURCC_P016 0x36313050  ///< 'P016': as P010, 16 bits.
#define STRIDE_FOURCC_P210 0x30313250  ///< 'P210': as P010 with all rows.
#define STRIDE_FOURCC_P212 0x32313250  ///< 'P212': as P210, 12 bits.
#define STRIDE_FOURCC_P216 0x36313250  ///< 'P216': as P210, 16 bits.
#define STRIDE_FOURCC_P410 0x30313450  ///< 'P410': as P010 with all columns and rows.
#define STRIDE_FOURCC_P412 0x32313450  ///< 'P412': as P410, 12 bits.
#define STRIDE_FOURCC_P416 0x36313450  ///< 'P416': as P410, 16 bits.
/// 'I420': 8-bit Y, U, V, half the columns and rows; 'IYUV' and 'YU12' are the same.
#define STRIDE_FOURCC_I420 0x30323449
#define STRIDE_FOURCC_YV12 0x32315659  ///< 'YV12': as I420 with V before U.
#define STRIDE_FOURCC_I422 0x32323449  ///< 'I422': as I420 with all rows; '422P' and 'YU16' are the same.
#define STRIDE_FOURCC_YV16 0x36315659  ///< 'YV16': as YV12 with all rows.
#define STRIDE_FOURCC_I444 0x34343449  ///< 'I444': as I420 with all columns and rows; 'YU24' is the same.
#define STRIDE_FOURCC_YV24 0x34325659  ///< 'YV24': as YV12 with all columns and rows.
/// 'I010': as I420 with 16-bit samples, whose low 10 bits count; 'S010' is the same.
#define STRIDE_FOURCC_I010 0x30313049
#define STRIDE_FOURCC_I210 0x30313249  ///< 'I210': as I010 with all rows; 'S210' is the same.
#define STRIDE_FOURCC_S410 0x30313453  ///< 'S410': as I010 with all columns and rows.
#define STRIDE_FOURCC_S012 0x32313053  ///< 'S012': as I010, 12 bits.
#define STRIDE_FOURCC_S212 0x32313253  ///< 'S212': as I210, 12 bits.
#define STRIDE_FOURCC_S412 0x32313453  ///< 'S412': as S410, 12 bits.
#define STRIDE_FOURCC_S016 0x36313053  ///< 'S016': as I010, 16 bits.
#define STRIDE_FOURCC_S216 0x36313253  ///< 'S216': as I210, 16 bits.
#define STRIDE_FOURCC_S416 0x36313453  ///< 'S416': as S410, 16 bits.
#define STRIDE_FOURCC_Q410 0x30313451  ///< 'Q410': as S410, but the high 10 bits count.
#define STRIDE_FOURCC_Q401 0x31303451  ///< 'Q401': as Q410 with V before U.
#define STRIDE_FOURCC_YUY2 0x32595559  ///< 'YUY2': Y U Y V for two pixels; 'YUYV' is the same.
#define STRIDE_FOURCC_YVYU 0x55595659  ///< 'YVYU': Y V Y U for two pixels.
#define STRIDE_FOURCC_UYVY 0x59565955  ///< 'UYVY': U Y V Y for two pixels.
#define STRIDE_FOURCC_VYUY 0x59555956  ///< 'VYUY': V Y U Y for two pixels.
#define STRIDE_FOURCC_Y210 0x30313259  ///< 'Y210': as YUY2 with 16-bit samples, whose high 10 bits count.
#define STRIDE_FOURCC_Y212 0x32313259  ///< 'Y212': as Y210, 12 bits.
#define STRIDE_FOURCC_Y216 0x36313259  ///< 'Y216': as Y210, 16 bits.
/// 'AYUV': bytes V U Y A in memory (DRM and Microsoft; V4L2 means A Y U V by these letters, and V U Y A by 'VUYA').
#define STRIDE_FOURCC_AYUV 0x56555941
/// 'XYUV': bytes V U Y X in memory (DRM; V4L2 means X Y U V by these letters, and V U Y X by 'VUYX').
#define STRIDE_FOURCC_XYUV 0x56555958
#define STRIDE_FOURCC_AVUY 0x59555641  ///< 'AVUY': bytes Y U V A in memory (V4L2's 'YUVA').
#define STRIDE_FOURCC_XVUY 0x59555658  ///< 'XVUY': bytes Y U V X in memory (V4L2's 'YUVX').
#define STRIDE_FOURCC_Y408 0x38303479  ///< 'y408': bytes A Y U V in memory (V4L2's AYUV32).
#define STRIDE_FOURCC_V408 0x38303476  ///< 'v408': bytes U Y V A in memory.
#define STRIDE_FOURCC_VU24 0x34325556  ///< 'VU24': bytes Y U V in memory (V4L2's 'YUV3').
#define STRIDE_FOURCC_V308 0x38303376  ///< 'v308': bytes V Y U in memory.
#define STRIDE_FOURCC_Y412 0x32313459  ///< 'Y412': 16-bit U Y V A in memory, whose high 12 bits count.
#define STRIDE_FOURCC_Y416 0x36313459  ///< 'Y416': as Y412, 16 bits.
#define STRIDE_FOURCC_XV36 0x36335658  ///< 'XV36': as Y412 without A.
#define STRIDE_FOURCC_XV48 0x38345658  ///< 'XV48': as Y416 without A.
/// 'Y410': a 32-bit word for each pixel, from its low bits U, Y, V of 10 bits, A of 2.
#define STRIDE_FOURCC_Y410 0x30313459
#define STRIDE_FOURCC_XV30 0x30335658  ///< 'XV30': as Y410 without A.
/// 'v410': a 32-bit word for each pixel, 2 unused bits, then U, Y, V of 10 bits.
#define STRIDE_FOURCC_V410 0x30313476
#define STRIDE_FOURCC_GREY 0x59455247  ///< 'GREY': 8-bit Y; 'Y800', 'Y8' and DRM's 'R8' are the same.
#define STRIDE_FOURCC_Y10 0x20303159  ///< 'Y10 ': 16-bit Y, whose low 10 bits count; DRM's 'R10' is the same.
#define STRIDE_FOURCC_Y12 0x20323159  ///< 'Y12 ': as Y10, 12 bits; DRM's 'R12' is the same.
#define STRIDE_FOURCC_Y14 0x20343159  ///< 'Y14 ': as Y10, 14 bits.
#define STRIDE_FOURCC_Y16 0x20363159  ///< 'Y16 ': as Y10, 16 bits; DRM's 'R16' and V4L2's depth 'Z16' are the same.
#define STRIDE_FOURCC_R16F 0x48202052  ///< 'R  H': f16 R.
#define STRIDE_FOURCC_R32F 0x46202052  ///< 'R  F': f32 R.
#define STRIDE_FOURCC_GR88 0x38385247  ///< 'GR88': bytes R G in memory.
#define STRIDE_FOURCC_RG88 0x38384752  ///< 'RG88': bytes G R in memory.
#define STRIDE_FOURCC_GR32 0x32335247  ///< 'GR32': 16-bit R G in memory.
#define STRIDE_FOURCC_RG32 0x32334752  ///< 'RG32': 16-bit G R in memory.
#define STRIDE_FOURCC_GR1616F 0x48205247  ///< 'GR H': f16 R G in memory.
#define STRIDE_FOURCC_GR3232F 0x46205247  ///< 'GR F': f32 R G in memory.
#define STRIDE_FOURCC_RGB24 0x33424752  ///< 'RGB3': bytes R G B in memory (V4L2's RGB24, DRM's BGR888 'BG24').
#define STRIDE_FOURCC_BGR24 0x33524742  ///< 'BGR3': bytes B G R in memory (V4L2's BGR24, DRM's RGB888 'RG24').
/// 'AR24': bytes B G R A in memory (V4L2's ABGR32, DRM's ARGB8888; 'BGRA' elsewhere).
#define STRIDE_FOURCC_BGRA 0x34325241
#define STRIDE_FOURCC_XR24 0x34325258  ///< 'XR24': bytes B G R X in memory.
#define STRIDE_FOURCC_AB24 0x34324241  ///< 'AB24': bytes R G B A in memory.
#define STRIDE_FOURCC_XB24 0x34324258  ///< 'XB24': bytes R G B X in memory.
#define STRIDE_FOURCC_RA24 0x34324152  ///< 'RA24': bytes A B G R in memory.
#define STRIDE_FOURCC_RX24 0x34325852  ///< 'RX24': bytes X B G R in memory.
#define STRIDE_FOURCC_BA24 0x34324142  ///< 'BA24': bytes A R G B in memory.
#define STRIDE_FOURCC_BX24 0x34325842  ///< 'BX24': bytes X R G B in memory.
#define STRIDE_FOURCC_RGB6 0x36424752  ///< 'RGB6': 16-bit R G B in memory (V4L2's RGB48, DRM's BGR161616 'BG48').
#define STRIDE_FOURCC_BGR6 0x36524742  ///< 'BGR6': 16-bit B G R in memory (V4L2's BGR48, DRM's RGB161616 'RG48').
#define STRIDE_FOURCC_AR48 0x38345241  ///< 'AR48': 16-bit B G R A in memory.
#define STRIDE_FOURCC_XR48 0x38345258  ///< 'XR48': 16-bit B G R X in memory.
#define STRIDE_FOURCC_AB48 0x38344241  ///< 'AB48': 16-bit R G B A in memory.
#define STRIDE_FOURCC_XB48 0x38344258  ///< 'XB48': 16-bit R G B X in memory.
#define STRIDE_FOURCC_AB10 0x30314241  ///< 'AB10': as AB48, but the high 10 bits of a sample count.
/// 'BGRH': f16 R G B in memory (DRM's BGR161616F; V4L2 means 18 bits for each pixel by these letters).
#define STRIDE_FOURCC_BGRH 0x48524742
#define STRIDE_FOURCC_AR4H 0x48345241  ///< 'AR4H': f16 B G R A in memory.
#define STRIDE_FOURCC_XR4H 0x48345258  ///< 'XR4H': f16 B G R X in memory.
#define STRIDE_FOURCC_RGBA64F 0x48344241  ///< 'AB4H': f16 R G B A in memory, 64 bits (DRM's ABGR16161616F).
#define STRIDE_FOURCC_XB4H 0x48344258  ///< 'XB4H': f16 R G B X in memory.
#define STRIDE_FOURCC_BGRF 0x46524742  ///< 'BGRF': f32 R G B in memory (DRM's BGR323232F).
#define STRIDE_FOURCC_AB8F 0x46384241  ///< 'AB8F': f32 R G B A in memory (DRM's ABGR32323232F).
/// 'RG16': a 16-bit word for each pixel, R:G:B of 5:6:5 bits, R in the high ones (V4L2's RGB565 'RGBP'; V4L2 means
/// Bayer samples of 16 bits by these letters, which lie in the same places).
#define STRIDE_FOURCC_RG16 0x36314752
#define STRIDE_FOURCC_BG16 0x36314742  ///< 'BG16': as RG16 with B in the high bits.
/// 'AR30': a 32-bit word for each pixel, A:R:G:B of 2:10:10:10 bits, A in the high ones.
#define STRIDE_FOURCC_AR30 0x30335241
#define STRIDE_FOURCC_XR30 0x30335258  ///< 'XR30': as AR30 without A.
#define STRIDE_FOURCC_AB30 0x30334241  ///< 'AB30': as AR30, A:B:G:R.
#define STRIDE_FOURCC_XB30 0x30334258  ///< 'XB30': as AB30 without A.
#define STRIDE_FOURCC_RA30 0x30334152  ///< 'RA30': as AR30, R:G:B:A of 10:10:10:2 bits.
#define STRIDE_FOURCC_RX30 0x30335852  ///< 'RX30': as RA30 without A.
#define STRIDE_FOURCC_BA30 0x30334142  ///< 'BA30': as RA30, B:G:R:A.
#define STRIDE_FOURCC_BX30 0x30335842  ///< 'BX30': as BA30 without A.
/// 'BA81': a byte for each pixel, Bayer's pattern; 'GBRG', 'GRBG' and 'RGGB' differ in the pattern only.
#define STRIDE_FOURCC_SBGGR8 0x31384142
/// 'BYR2': a 16-bit sample for each pixel, Bayer's pattern; so are 'GB16', 'GR16' and those of 10, 12, 14 bits.
#define STRIDE_FOURCC_SBGGR16 0x32525942

/// The code of a name: its own letters ("NV12"; "R8", whose two spaces may be left out), a name of the Linux headers
/// with DRM_FORMAT_ or V4L2_PIX_FMT_ ("V4L2_PIX_FMT_ABGR32"), or FFmpeg's name ("yuv420p10le").
///
/// Arrays: text[length].
///
/// Returns: PARSE (no known format has this name); INVALID_ARGUMENT (a length that no text has).
STRIDE_API stride_status stride_image_fourcc(const char *text, uint64_t length, uint32_t *fourcc, stride_error *error);

// =================================================================================================
//
// Images in planes
//
// An image consists of planes. A plane is a layout {rows, columns, samples of a column}: NV12 has {H, W, 1} and, for
// its chroma, {ceil(H/2), ceil(W/2), 2}; YUY2 is one plane {H, ceil(W/2), 4} of Y U Y V. A component is the layout
// {rows, columns} of one kind of sample, always in the order Y, U, V, A or R, G, B, A. So NV12, NV21, I420 and YV12
// differ only in offsets and strides, and one becomes the other by three copies. If a pixel is one word (RG16, XR30),
// that word is the only component. Offsets count from the pointer. Each row takes its pitch, the last one too; an
// image without columns or rows takes nothing.
//
// A pitch below zero leads from row 0 downward in memory, as in upside-down frames of FFmpeg and in BMP files. If the
// pointer is row 0 itself, the other rows lie below it: `stride_layout_rebase` gives the layout whose lowest element
// is 0, and the distance to move the pointer. If the pointer is the start of the buffer, `offsets` says where row 0
// begins, and layouts can be copied as they are.
//
// Example: an image of 5 x 3 pixels in NV12, whose rows are padded to 16 bytes; V lies in every second chroma byte.
//
//   stride_layout parts[4]; uint32_t count; uint64_t bytes;
//   stride_image_planes(STRIDE_FOURCC_NV12, 5, 3, 0, NULL, 16, &count, parts, &bytes, NULL);
//   assert(count == 2 && bytes == 80 && parts[1].offset == 48 && parts[1].sizes[0] == 2 && parts[1].sizes[1] == 3);
//   stride_image_components(STRIDE_FOURCC_NV12, 5, 3, 0, NULL, 16, &count, parts, &bytes, NULL);
//   assert(count == 3 && parts[2].offset == 49 && parts[2].strides[0] == 16 && parts[2].strides[1] == 2);
//
// Example: a BGRA frame upside down, to three planes R, G, B. Pixel (0, 0) is the first of the second row in memory.
//
//   const uint8_t frame[16] = {9, 8, 7, 0, 6, 5, 4, 0, 3, 2, 1, 0, 13, 12, 11, 0};
//   uint8_t rgb[3][4]; int64_t sizes[2] = {2, 2}; stride_layout parts[4], plane; uint32_t count; uint64_t bytes;
//   stride_image image = STRIDE_IMAGE_INIT;
//   image.fourcc = STRIDE_FOURCC_BGRA;
//   image.width = image.height = 2;
//   image.pitch_count = image.offset_count = 1;
//   image.pitches[0] = -8;
//   image.offsets[0] = 8;
//   stride_image_components_of(&image, &count, parts, &bytes, NULL);
//   stride_layout_init(&plane, STRIDE_DTYPE_U8, 2, sizes, NULL, NULL);
//   for (int k = 0; k < 3; k++) assert(!stride_copy(&plane, rgb[k], 4, &parts[k], frame, bytes, NULL, NULL));
//   assert(rgb[0][0] == 1 && rgb[0][1] == 11 && rgb[1][0] == 2 && rgb[2][0] == 3 && rgb[0][2] == 7);

/// A description of an image; begin with STRIDE_IMAGE_INIT or `stride_image_init`. A field that is 0 sets nothing.
typedef struct stride_image {
  /// sizeof(stride_image).
  uint32_t struct_size;
  /// The format: STRIDE_FOURCC_... or a code that means the same.
  uint32_t fourcc;
  /// Columns of pixels.
  int64_t width;
  /// Rows of pixels.
  int64_t height;
  /// Each pitch is a multiple of this many bytes, which may be any number (96: 32 pixels of 3 bytes).
  uint64_t pitch_alignment;
  /// The height is rounded up to a multiple before planes are placed (16: 1080 rows take 1088, and chroma 544).
  /// Layouts keep the true rows.
  uint64_t height_alignment;
  /// Entries of `pitches`: as many as planes, or 0 for the least pitches that are allowed.
  uint32_t pitch_count;
  /// Entries of `offsets`: as many as planes, or 0 for planes that follow each other in memory.
  uint32_t offset_count;
  /// Bytes from row to row of each plane. Below 0: row 0 is the last one in memory.
  int64_t pitches[4];
  /// Bytes from the pointer to row 0 of each plane. Planes may lie in any order.
  int64_t offsets[4];
} stride_image;

/// The planes of an image, in the order in which they lie in memory. `width` and `height` are in pixels. `pitches` has
/// the bytes from row to row of each plane; without any, each plane gets the least multiple of `pitch_alignment`, a
/// power of two. `*bytes` becomes the length of the whole image. `stride_image_planes_of` has more options.
///
/// Arrays: pitches[count], planes[4].
///
/// Returns: INVALID_ARGUMENT (an unknown code; an alignment that is not a power of two; a pitch that is too short for
/// its row, not a multiple of the alignment or of a sample, or above 2^63 - 1); UNSUPPORTED (samples that do not lie in
/// whole bytes); INVALID_RANK (neither as many pitches as planes nor none); INVALID_SIZE below 0; OVERFLOW.
STRIDE_API stride_status stride_image_planes(uint32_t fourcc, int64_t width, int64_t height, uint32_t count,
                                             const uint64_t *pitches, uint64_t pitch_alignment, uint32_t *plane_count,
                                             stride_layout *planes, uint64_t *bytes, stride_error *error);

/// The components of an image: the layout {rows, columns} of each kind of sample, in the order Y, U, V, A or R, G, B,
/// A, whatever their order in memory. The parameters are those of `stride_image_planes`.
///
/// Arrays: pitches[count], components[4].
///
/// Returns: as `stride_image_planes`.
STRIDE_API stride_status stride_image_components(uint32_t fourcc, int64_t width, int64_t height, uint32_t count,
                                                 const uint64_t *pitches, uint64_t pitch_alignment,
                                                 uint32_t *component_count, stride_layout *components, uint64_t *bytes,
                                                 stride_error *error);

/// STRIDE_IMAGE_INIT as a function.
STRIDE_API stride_status stride_image_init(stride_image *out);

/// The planes of an image, in the order of its format. `*bytes` is the distance from the lowest byte of any plane, or
/// the pointer if that is lower, to one past the highest; every row counts with its pitch. Without offsets, row 0 of
/// plane 0 lies at the pointer, and the planes follow each other in memory from the lowest byte of plane 0 on.
///
/// Arrays: planes[4].
///
/// Returns: INVALID_ARGUMENT (an unknown code; a pitch that is shorter than its row, up or down, or not a multiple of
/// the alignment or of a sample; an offset that is not a multiple of a sample; struct_size); UNSUPPORTED (samples that
/// do not lie in whole bytes); INVALID_RANK (neither as many pitches or offsets as planes nor none); INVALID_SIZE below
/// 0; OVERLAP (planes share bytes that are not padding), UNDECIDED (the overlap test found no answer); OVERFLOW.
STRIDE_API stride_status stride_image_planes_of(const stride_image *image, uint32_t *plane_count, stride_layout *planes,
                                                uint64_t *bytes, stride_error *error);

/// The components of an image, each {rows, columns}, in the order Y, U, V, A or R, G, B, A, whatever their order in
/// memory. `*bytes` is that of `stride_image_planes_of`.
///
/// Arrays: components[4].
///
/// Returns: as `stride_image_planes_of`.
STRIDE_API stride_status stride_image_components_of(const stride_image *image, uint32_t *component_count,
                                                    stride_layout *components, uint64_t *bytes, stride_error *error);

// =================================================================================================
//
// Blocked layouts
//
// A buffer whose dimensions are digits of the indices, in any order: how the scale factors of MXFP8 and NVFP4,
// swizzled matrices and packed weights lie. A block is one digit of one index,
//
//   (index[dimension] / step) % size
//
// The innermost block of a dimension has step 1, and the step of each other one is the product of the sizes inside it.
// The outermost reaches the dimension's end; if its size is 0, it is as large as that takes. All blocks, slowest
// first, are the dimensions of the packed row-major buffer; positions past the end of a dimension are padding. As
// text, a block is a letter for its dimension, a the first, then "/step" unless that is 1, then "%size" unless that is
// 0; one space separates blocks:
//
//   a b             row-major         a/128 b/4 a%32 a/32%4 b%4         scale factors in tiles of 128 x 4
//   b a             column-major      a b/128 c/4 b%32 b/32%4 c%4       such tiles of a batch of matrices
//   a/2 b a%2       pairs of rows     a/16 b/16 c d b/4%4 a%16 b%4      oneDNN's OIhw4i16o4i
//
// `stride_copy_sides` copies to and from blocked layouts (STRIDE_SIDE_BLOCKED). What oneDNN calls a blocked format, by
// a tag such as nChw16c, is a shape: `stride_xla_shape_parse_tag` of stride_xla.h.
//
// Source: "1D Block Scaling Factors Layout" of cuBLAS's documentation.
//
// Example: 200 x 6 scale factors into tiles; STRIDE_COPY_FILL_BUFFER would write zeros into their padding.
//
//   static uint8_t scales[200][6] = {{127, 126}, {125}}, tiles[256 * 8];
//   int64_t sizes[2] = {200, 6}, index[2] = {32, 0}, position; stride_blocked blocked;
//   stride_blocked_parse("a/128 b/4 a%32 a/32%4 b%4", 25, STRIDE_DTYPE_F8E8M0FNU, 2, sizes, &blocked, NULL);
//   stride_blocked_linear_index(&blocked, 2, index, &position, NULL);
//   stride_side to; stride_side_init(&to, STRIDE_SIDE_BLOCKED, &blocked, NULL);
//   stride_copy_sides(&to, tiles, 2048, NULL, scales, 1200, NULL, NULL);
//   assert(position == 4 && tiles[0] == 127 && tiles[1] == 126 && tiles[16] == 125);

/// A blocked layout: plain data; make it with `stride_blocked_init` or from text.
typedef struct stride_blocked {
  /// STRIDE_DTYPE_...
  uint32_t dtype;
  /// Number of dimensions, 0 to 64.
  uint32_t rank;
  /// Number of blocks, 0 to 64.
  uint32_t block_count;
  /// Zero.
  uint32_t flags;
  /// Elements along each dimension; 0 and more.
  int64_t sizes[STRIDE_MAX_RANK];
  /// The dimension of each block, slowest block first.
  int64_t block_dims[STRIDE_MAX_RANK];
  /// The step of each block: its digit is (index / step) % size.
  int64_t block_steps[STRIDE_MAX_RANK];
  /// The size of each block; 0: as large as the dimension needs, only for its outermost block.
  int64_t block_sizes[STRIDE_MAX_RANK];
} stride_blocked;

/// The layout of these sizes and blocks, slowest block first: block k is the digit (index[block_dims[k]] /
/// block_steps[k]) % block_sizes[k]. Scale tiles are {0,1,0,0,1}, {128,4,1,32,1}, {0,0,32,4,4}.
///
/// Arrays: sizes[rank], block_dims[count], block_steps[count], block_sizes[count].
///
/// Returns: INVALID_RANK above 64 dimensions or blocks; INVALID_DTYPE; INVALID_SIZE with the dimension, or with the
/// block (item) whose size is negative; INVALID_AXES with the block; INVALID_TILE with the block, its step and the
/// right step, or, if its size is 0, its step and that of a block outside it; INVALID_TILE with the dimension, the
/// product of its blocks and its size; OVERFLOW.
STRIDE_API stride_status stride_blocked_init(stride_blocked *out, uint32_t dtype, uint32_t rank, const int64_t *sizes,
                                             uint32_t count, const int64_t *block_dims, const int64_t *block_steps,
                                             const int64_t *block_sizes, stride_error *error);

/// Checks that a blocked layout is valid; the error says what is wrong with it, as in `stride_blocked_init`.
STRIDE_API stride_status stride_blocked_validate(const stride_blocked *blocked, stride_error *error);

/// The blocked layout of these sizes that a text describes. `length` counts the bytes of `text`.
///
/// Arrays: text[length], sizes[rank].
///
/// Returns: PARSE with the byte position; else as `stride_blocked_init`, of the text.
STRIDE_API stride_status stride_blocked_parse(const char *text, uint64_t length, uint32_t dtype, uint32_t rank,
                                              const int64_t *sizes, stride_blocked *out, stride_error *error);

/// Writes the text of the blocks, without the sizes.
///
/// Arrays: buffer[capacity], length or NULL.
///
/// Returns: INVALID_RANK above 26, the number of letters.
STRIDE_API stride_status stride_blocked_format(const stride_blocked *blocked, char *buffer, uint64_t capacity,
                                               uint64_t *length, stride_error *error);

/// Bytes of the buffer, padding included: 200 x 6 bytes in scale tiles take 256 x 8.
STRIDE_API stride_status stride_blocked_byte_size(const stride_blocked *blocked, uint64_t *out, stride_error *error);

/// The sizes with padding, which the blocks of each dimension have together: {256,8} for {200,6} in scale tiles.
///
/// Arrays: padded_sizes[rank].
///
/// Returns: INVALID_RANK unless `rank` is that of the layout.
STRIDE_API stride_status stride_blocked_padded_sizes(const stride_blocked *blocked, uint32_t rank,
                                                     int64_t *padded_sizes, stride_error *error);

/// The whole buffer, padding included, as a packed layout with a dimension for each block: {2,2,32,4,4} for 200 x 6 in
/// scale tiles.
STRIDE_API stride_status stride_layout_from_blocked(const stride_blocked *blocked, stride_layout *out,
                                                    stride_error *error);

/// Position of an index in the buffer, in elements: (32,0) lies at 4 of scale tiles.
///
/// Arrays: index[rank].
///
/// Returns: INVALID_RANK; INDEX_OUT_OF_RANGE with the dimension.
STRIDE_API stride_status stride_blocked_linear_index(const stride_blocked *blocked, uint32_t rank, const int64_t *index,
                                                     int64_t *out, stride_error *error);

/// The index at a position of the buffer: the inverse of `stride_blocked_linear_index`.
///
/// Arrays: index[rank].
///
/// Returns: INDEX_OUT_OF_RANGE outside the buffer; NOT_REPRESENTABLE if the position is padding, with the dimension
/// past whose size it lies.
STRIDE_API stride_status stride_blocked_multi_index(const stride_blocked *blocked, int64_t linear, uint32_t rank,
                                                    int64_t *index, stride_error *error);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // STRIDE_INTEROP_H
