// stride.h: libstride 0.1.0. Generated from src/ffi by cbindgen 0.29.4: `make header`.
// SPDX-License-Identifier: MIT OR Apache-2.0
//
// libstride says where a tensor's elements lie in memory, and copies them from any layout to any other.
//
// A stride_layout describes a tensor's memory: the element type, the sizes and strides in elements, outermost dimension
// first, and the offset of index (0, ..., 0). Most functions compute with layouts alone. Copies run between two
// buffers, each given by pointer and length:
//
//   #include <stride.h>
//   int64_t sizes[4] = {1, 3, 224, 224};
//   stride_layout nchw, nhwc;
//   stride_layout_init(&nchw, STRIDE_DTYPE_F32, 4, sizes, NULL, NULL);
//   stride_layout_init_channels_last(&nhwc, STRIDE_DTYPE_F32, 4, sizes, NULL);
//   stride_copy(&nchw, dst, dst_bytes, &nhwc, src, src_bytes, NULL, NULL);
//
// I want to ...                                         Function
//   describe a tensor by sizes and strides                stride_layout_init (dtypes: the last section but one)
//     by strides in bytes, and back                       stride_layout_init_byte_strides, stride_layout_byte_strides
//     with elements at any byte (packed records)          stride_layout_init_bytes, stride_layout_as_bytes
//     with its dimensions in another order                stride_layout_init_ordered, stride_layout_init_channels_last
//     with padded rows                                    stride_layout_init_pitched, stride_layout_init_aligned
//     in the corner of a padded buffer                    stride_layout_init_padded
//     of structs, of pixels of n bytes                    stride_dtype_from_bytes, then any of these
//     by a text, "f32[2,3]:1,2"; write one                stride_layout_parse, stride_layout_format
//   know how many bytes the buffer needs                  stride_layout_min_bytes
//   know where an element lies; which index lies there    stride_layout_offset, _byte_offset; stride_layout_multi_index
//   know whether a layout fits my buffer                  stride_layout_fits
//   know whether it is packed, NHWC, ...                  stride_layout_classify, stride_layout_contiguous_run
//   know the order of its dimensions                      stride_layout_dim_order, stride_layout_minor_to_major
//   know how its elements and rows are aligned            stride_layout_alignment
//   know most of this in one call                         stride_layout_query
//   crop, slice, transpose, mirror, reshape               stride_layout_crop, _slice, _permute, _flip, _reshape, ...
//   select one index; read as another dtype               stride_layout_select; stride_layout_reinterpret
//   set any strides, checked                              stride_layout_as_strided
//   broadcast one operand; several                        stride_layout_broadcast_to; stride_broadcast_layouts (NumPy)
//   give an elementwise result the operands' layout       stride_elementwise_layout
//   use a pointer to index (0, ..., 0) of a mirrored view stride_layout_rebase
//   copy, transpose, convert NHWC to NCHW, pad            stride_copy; with gaps filled: STRIDE_COPY_FILL_BUFFER
//     elements of 4, 2 or 1 bits, swap nibbles            stride_copy; dtypes with STRIDE_DTYPE_HIGH_FIRST
//     between byte orders (big-endian files)              stride_copy; dtypes with STRIDE_DTYPE_SWAPPED
//                                                         (of ">f4": stride_dtype_from_typestr)
//     converting: u8 to f32, f32 to bf16, (x - m) * s     stride_copy; a stride_conversion in its options
//     take rows or channels by a list, roll, pad, fill    stride_copy_sides, stride_side_set_runs
//     to other sizes; pack and unpack piece by piece      stride_copy_sides, stride_side_set_range
//     to, from, between XLA's tiles and blocked layouts   stride_copy_sides, stride_side_init
//     within one buffer (memmove)                         STRIDE_COPY_OVERLAP; scratch in stride_copy_options
//     many times, or on my own threads                    stride_plan_init, stride_plan_execute_part
//     at many places with one plan                        stride_plan_execute_batch
//   know what a plan reaches, how many threads it fills   stride_plan_query
//   set all elements; compare two tensors                 stride_fill; stride_compare
//   know whether elements or tensors share memory         stride_layout_self_overlap, stride_layouts_overlap
//   talk to DirectML                                      stride_layout_to_dml, _from_dml, stride_dml_validate
//   know whether TMA, D3D12, Metal, ... take a layout     stride_consumers.h
//     have a GPU or DMA engine copy                       stride_consumers.h
//   view sliding windows, roll, compose, tile             stride_kernels.h
//     run my own loop over several tensors                stride_kernels.h
//   plan for another CPU                                  stride_machine.h
//   talk to XLA or PJRT; use oneDNN's nChw16c and its kin  stride_xla.h
//   talk to DLPack, Python, ggml, cameras                 stride_interop.h
//     lay out scale factors and swizzles (stride_blocked) stride_interop.h
//   know why a call failed                                stride_error, stride_error_format
//   bind this header to another language                  stride.json describes all of it; stride.cdef declares it
//                                                         without a preprocessor (LuaJIT, PHP, cffi)
//
// Rules for all functions
//
// Status and error. A function that can fail returns a stride_status, 0 for success, and takes a stride_error last,
// which may be NULL and is written on every status but OK. On failure every output and all memory are as they were.
// Exceptions: the `_init` functions of options, facts, machines and images take no error,
// stride_dml_calc_buffer_tensor_size returns 0, and stride_error_format writes its text on failure too.
//
// Order of parameters. Initialisers (_init, _from_pjrt_tiled) and setters (_set_, _add_) have their object first.
// Others have inputs first, the object before the rest, and outputs last, before `error`. Copies and fills have the
// destination before the source, as memcpy has. A count stands directly before its lists, the length of memory or of a
// text directly after it. Only stride_plan_execute_batch and the functions for PJRT have counts after their lists.
//
// Lists. `Arrays: axes[rank]` says that `axes` points to `rank` entries; brackets may also hold a sum, a fixed number
// or a length in bytes. (NULL, 0) is an empty list. The object decides the number of entries: another one is
// INVALID_RANK with the number given and the one needed. Nothing beyond the entries is read or written.
//
// Pointers. A pointer is valid for its type and for what `Arrays:` says, aligned for its type, and not NULL unless `or
// NULL` says so: else NULL_POINTER. Tensor memory (void *) needs no alignment, and may be NULL where no byte is
// reached. An output may be the same struct as an input. The library keeps no pointer.
//
// Structs that may grow begin with struct_size: set it to their sizeof, at most 4096. Bytes beyond those that this
// version knows must be 0 in a struct that is read, and become 0 in one that is written. Begin with the struct's
// STRIDE_..._INIT, or with its _init function, which writes the struct as large as the library's version has it.
//
// Read first. Copies, fills and comparisons read layouts, shapes, options, machines and plans once, before they write
// the first byte, so these structs may lie anywhere, also among the bytes that are written. Lists of offsets
// (stride_plan_execute_batch) are read during the copies; a list in bytes that a copy writes is refused. If another
// thread changes an input during a call, the worst result is wrong bytes inside the named buffers and outputs.
//
// Units. Sizes, strides and offsets are in elements; numbers of bytes or bits say so in their names. The length of a
// buffer may be more than is reached. With UINT64_MAX no upper bound is checked, and the caller guarantees it.
//
// Texts. As much as fits is written to `buffer` of `capacity` bytes, always terminated. `length`, where it is not NULL,
// gets the length of the whole text without the terminator. A buffer that is too small is no failure; (NULL, 0) asks
// for the length alone.
//
// Returns. Any function may return OK, NULL_POINTER, INVALID_RANK for wrong counts and ranks above 64, and the statuses
// of a struct that is not valid. `Returns:` names the others.
//
// Threads. The library starts no thread, allocates nothing, prints nothing and never aborts. Its only state is one word
// that remembers what the CPU offers. Whatever is `const` may be shared between threads.
//
// Time. A call takes nanoseconds to a few microseconds, in proportion to ranks and lists, unless `Time:` says more. An
// overlap test takes at most its budget, about a millisecond unless the caller sets one.
//
// Stack. A call takes at most 48 KiB (80 with XLA shapes, blocked layouts, runs and ranges), 8 with
// STRIDE_COPY_SMALL_STACK; with a conversion 56 (104) and 20. On Windows and on 32-bit systems, whose frames are
// larger, each is 1 KiB more.
//
// Versions. Within one STRIDE_ABI_VERSION, functions, numbers and structs keep their meaning; new ones may come, and
// calls that failed may succeed. Releases 0.x may raise it. docs/ABI.md has the details.
//
// Sections: Layouts - Views - Other readings - Broadcasting - Conversions - Copies - Plans - Sides of copies - Facts
// about a plan - Questions about a layout - Facts - Overlap - DirectML - Errors - Element types - Version.

#ifndef STRIDE_H
#define STRIDE_H

#include <stddef.h>
#include <stdint.h>

#define STRIDE_VERSION_MAJOR 0
#define STRIDE_VERSION_MINOR 1
#define STRIDE_VERSION_PATCH 0
#define STRIDE_VERSION 100  ///< STRIDE_VERSION_MAJOR * 10000 + STRIDE_VERSION_MINOR * 100 + STRIDE_VERSION_PATCH
#define STRIDE_ABI_VERSION 0

/// Precedes every function. On Windows define STRIDE_STATIC to link the archive; define STRIDE_API to replace it.
#ifndef STRIDE_API
#if defined(_WIN32) && !defined(STRIDE_STATIC)
#define STRIDE_API __declspec(dllimport)
#else
#define STRIDE_API
#endif
#endif

/// The default options of a copy: stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
#define STRIDE_COPY_OPTIONS_INIT { sizeof(stride_copy_options), 0, 0, 0, 0, { 0 }, NULL, NULL, 0, NULL }

/// Facts for stride_layout_query to fill in: stride_layout_facts facts = STRIDE_LAYOUT_FACTS_INIT;
#define STRIDE_LAYOUT_FACTS_INIT { sizeof(stride_layout_facts), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

/// Facts for stride_plan_query to fill in: stride_plan_facts facts = STRIDE_PLAN_FACTS_INIT;
#define STRIDE_PLAN_FACTS_INIT { sizeof(stride_plan_facts), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

/// A side without runs and range, whose `kind` and `of` are still to be set: stride_side side = STRIDE_SIDE_INIT;
#define STRIDE_SIDE_INIT { sizeof(stride_side), 0, 0, -1, 0, 0, NULL, NULL, { { NULL, 0, 0 } } }

#ifdef __cplusplus
extern "C" {
#endif

/// The status that a function returns: one of the STRIDE_STATUS_ values. The numbers never change; new ones may be
/// added.
typedef int32_t stride_status;

/// The reason why a function failed; see the section on errors.
typedef struct stride_error stride_error;

/// A CPU as copies see it; see stride_machine.h.
typedef struct stride_machine stride_machine;

// =================================================================================================
//
// Layouts
//
// A layout says where each element of a tensor lies:
//
//   element offset of (i0, ..., i[r-1]) = offset + i0*strides[0] + ... + i[r-1]*strides[r-1]
//
// in elements from the base pointer, which is the start of the buffer. Strides may be negative (mirrored), zero (one
// element repeated) or larger than needed (padding).
//
// It is plain data: copy it, write its fields. Every function checks a layout: rank <= 64; a known dtype; no negative
// size; an element count that fits int64_t (0 as soon as one size is 0). All offsets must fit int64_t, and so must
// (highest offset + 1) times the bits of an element: nothing ends past 2^60 bytes. Entries beyond `rank` are neither
// read nor written. An empty layout (a size of 0) reaches nothing and takes 0 bytes. The stride of a dimension of size
// 1 has no effect; only `stride_layout_equal` compares it.
//
// Example: an image of 480 rows of 640 pixels of three bytes; rows lie 2048 bytes apart.
//
//   int64_t sizes[3] = {480, 640, 3};
//   stride_layout image;
//   uint64_t bytes;
//   stride_layout_init_pitched(&image, STRIDE_DTYPE_U8, 3, sizes, 0, 2048, NULL);
//   stride_layout_min_bytes(&image, &bytes, NULL);
//   assert(image.strides[0] == 2048 && image.strides[1] == 3 && bytes == 479 * 2048 + 640 * 3);
//
// Example: the f64 of 1000 records of nine bytes, each a flag and an f64, to an array.
//
//   static uint8_t records[9000]; static double values[1000];
//   int64_t count = 1000, apart = 9;
//   stride_layout field;
//   stride_layout_init_bytes(&field, STRIDE_DTYPE_F64, 1, &count, &apart, NULL); /* u8 {1000,8} */
//   stride_copy(NULL, values, sizeof values, &field, records + 1, sizeof records - 1, NULL, NULL);

// As enums; the macros below explain them.
enum { STRIDE_MAX_RANK = 64 };

#define STRIDE_MAX_RANK 64  ///< The highest rank.

/// The place of each element of a tensor.
typedef struct stride_layout {
  /// STRIDE_DTYPE_...
  uint32_t dtype;
  /// Number of dimensions, 0 to 64.
  uint32_t rank;
  /// Elements from the base pointer to index (0, ..., 0).
  int64_t offset;
  /// Elements along each dimension, outermost first; 0 and more.
  int64_t sizes[STRIDE_MAX_RANK];
  /// Elements from one index to the next along each dimension; any sign, 0 repeats the element.
  int64_t strides[STRIDE_MAX_RANK];
} stride_layout;

/// Makes a layout of these sizes and strides, offset 0. `strides` NULL: packed, that is row-major without gaps (all
/// strides 0 if a size is 0).
///
/// Arrays: sizes[rank], strides[rank] or NULL.
///
/// Returns: INVALID_DTYPE; INVALID_SIZE with the dimension; OVERFLOW.
STRIDE_API stride_status stride_layout_init(stride_layout *out, uint32_t dtype, uint32_t rank, const int64_t *sizes,
                                            const int64_t *strides, stride_error *error);

/// Makes a layout without gaps in any order of the dimensions: `minor_to_major` lists all of 0 ... rank - 1, fastest
/// varying first. {1,0} of 2x3 has strides {3,1}, {0,1} has {1,2}.
///
/// Arrays: sizes[rank], minor_to_major[rank].
///
/// Returns: as `stride_layout_init`; INVALID_AXES with the entry.
STRIDE_API stride_status stride_layout_init_ordered(stride_layout *out, uint32_t dtype, uint32_t rank,
                                                    const int64_t *sizes, const int64_t *minor_to_major,
                                                    stride_error *error);

/// Makes a layout without gaps whose dimension 1 varies fastest and dimension 0 slowest: NHWC for sizes {N,C,H,W}.
/// Below rank 3 it is packed. (DirectMLX, TensorPolicy::InterleavedChannel.)
///
/// Arrays: sizes[rank].
///
/// Returns: as `stride_layout_init`.
STRIDE_API stride_status stride_layout_init_channels_last(stride_layout *out, uint32_t dtype, uint32_t rank,
                                                          const int64_t *sizes, stride_error *error);

/// Makes a packed layout with rows `pitch_bytes` apart. `axis` is the dimension that counts the rows: 0 for the sizes
/// {H,W,C} of an image, 2 (or -2) for {N,C,H,W}. The strides of the dimensions outside it follow from the pitch.
///
/// Arrays: sizes[rank].
///
/// Returns: as `stride_layout_init`; INVALID_AXES outside -rank ... rank - 1; INVALID_ARGUMENT if the pitch is shorter
/// than what lies inside the axis, or not a whole number of elements (an empty layout takes any).
STRIDE_API stride_status stride_layout_init_pitched(stride_layout *out, uint32_t dtype, uint32_t rank,
                                                    const int64_t *sizes, int64_t axis, uint64_t pitch_bytes,
                                                    stride_error *error);

/// Makes a layout whose elements lie in the corner of a packed buffer of `padded_sizes`: {2,3} in {2,4} has the strides
/// {4,1}. All strides are 0 if a size is 0. (XLA's padded_dimensions.)
///
/// Arrays: sizes[rank], padded_sizes[rank].
///
/// Returns: as `stride_layout_init`; INVALID_SIZE with the dimension for a padded size below the size.
STRIDE_API stride_status stride_layout_init_padded(stride_layout *out, uint32_t dtype, uint32_t rank,
                                                   const int64_t *sizes, const int64_t *padded_sizes,
                                                   stride_error *error);

/// Makes a packed layout with padded rows: the pitch is the least multiple of `alignment_bytes` that holds a row and is
/// a whole number of elements. Rows of 640 pixels of 3 bytes aligned to 256 lie 2048 apart, rows of 3 elements of 12
/// bytes aligned to 16 lie 48 apart. `axis` as for `stride_layout_init_pitched`. Any alignment but 0 will do; a power
/// of two keeps rows aligned as far as the base pointer is.
///
/// Arrays: sizes[rank].
///
/// Returns: as `stride_layout_init`; INVALID_AXES outside -rank ... rank - 1; INVALID_ARGUMENT for an alignment of 0 or
/// above 2^60 (an empty layout takes any).
STRIDE_API stride_status stride_layout_init_aligned(stride_layout *out, uint32_t dtype, uint32_t rank,
                                                    const int64_t *sizes, int64_t axis, uint64_t alignment_bytes,
                                                    stride_error *error);

/// Makes a layout with strides in bytes, as NumPy, ggml and Arrow have them. A stride of a dimension of size 1 that is
/// not a whole number of elements becomes 0.
///
/// Arrays: sizes[rank], byte_strides[rank].
///
/// Returns: as `stride_layout_init`; INVALID_STRIDE with the dimension for any other such stride (an empty layout takes
/// any): `stride_layout_init_bytes` takes them.
STRIDE_API stride_status stride_layout_init_byte_strides(stride_layout *out, uint32_t dtype, uint32_t rank,
                                                         const int64_t *sizes, const int64_t *byte_strides,
                                                         stride_error *error);

/// Makes a layout of elements at any byte, such as a field of packed records, which `stride_layout_init_byte_strides`
/// refuses. The result is u8 and has the bytes of each element as one more dimension, the last: f64 {1000} with strides
/// {9} is u8 {1000,8} with strides {9,1}. `stride_layout_as_bytes` gives the other side of a copy this form. With
/// STRIDE_DTYPE_SWAPPED the stride of the bytes is -1, so that a copy swaps them; a complex type then gets two
/// dimensions, its parts and their bytes.
///
/// Arrays: sizes[rank], byte_strides[rank].
///
/// Returns: as `stride_layout_init`; UNSUPPORTED (elements below a byte); INVALID_RANK past 64 dimensions.
STRIDE_API stride_status stride_layout_init_bytes(stride_layout *out, uint32_t dtype, uint32_t rank,
                                                  const int64_t *sizes, const int64_t *byte_strides,
                                                  stride_error *error);

/// The layout of the elements' bytes: u8, with the bytes of each element as one more dimension, the last (see
/// `stride_layout_init_bytes`). f64 {3,2} is u8 {3,2,8}, with strides 8 times as large.
///
/// Returns: UNSUPPORTED (elements below a byte); INVALID_RANK past 64 dimensions; OVERFLOW.
STRIDE_API stride_status stride_layout_as_bytes(const stride_layout *layout, stride_layout *out, stride_error *error);

/// The packed layout with the dtype and sizes of `layout` and offset 0, for a copy of it. STRIDE_DTYPE_SWAPPED and
/// STRIDE_DTYPE_HIGH_FIRST stay, so the copy has the byte or bit order of `layout`.
///
/// Returns: OVERFLOW where repeated elements are too many to be stored.
STRIDE_API stride_status stride_layout_packed_like(const stride_layout *layout, stride_layout *out,
                                                   stride_error *error);

/// The layout of these elements from a base pointer moved by `*shift_bytes` bytes, at which the lowest element begins.
/// If your pointer is to index (0, ..., 0) of a mirrored view, that base is pointer + shift. An element smaller than a
/// byte may begin inside the first byte; `out->offset` says where.
///
/// Returns: OVERFLOW.
STRIDE_API stride_status stride_layout_rebase(const stride_layout *layout, stride_layout *out, int64_t *shift_bytes,
                                              stride_error *error);

/// The layout of a text of `length` bytes, in the form that `stride_layout_format` writes or in a shorter one.
///
///   f32[2,3]                           packed
///   f32[2,3] strides [1,2] offset 7    as `stride_layout_format` writes it
///   f32[2,3]:1,2+7                     that layout in short: strides and offset, in elements
///   f32[1,32,8,8]:nhwc                 an order, outermost first, without offset: a tag of stride_xla.h
///   f32[2,3]{0,1}                      XLA's order, fastest first
///
/// Arrays: text[length].
///
/// Returns: PARSE with the byte position; as `stride_layout_init`, with the byte of the size or stride; of an order of
/// XLA as `stride_layout_from_xla`; NOT_REPRESENTABLE for tiles and blocks, with the detail and the byte that say whose
/// text it is. TEXT_OF_TILES: the whole is for `stride_xla_shape_parse`. TEXT_OF_TAG, TEXT_OF_BLOCKS: the text after
/// that byte is for `stride_xla_shape_parse_tag` or `stride_blocked_parse`; the text before it is a packed layout with
/// the dtype and the sizes that they take.
STRIDE_API stride_status stride_layout_parse(const char *text, uint64_t length, stride_layout *out,
                                             stride_error *error);

// =================================================================================================
//
// Views
//
// A view has other sizes and strides over the same memory; nothing is moved, and negative and zero strides are
// allowed. Dimension numbers may be negative: -1 is the last. A view without elements keeps the layout's offset.
// OVERFLOW means that a stride or a size of the view does not fit 64 bits, or that its highest element ends more than
// 2^60 bytes below the base.
//
// Example: the centre of an image as planes.
//
//   int64_t sizes[3] = {4, 6, 3}, starts[3] = {1, 2, 0}, centre[3] = {2, 2, 3}, planes[3] = {2, 0, 1};
//   stride_layout image, view;
//   stride_layout_init(&image, STRIDE_DTYPE_U8, 3, sizes, NULL, NULL);
//   stride_layout_crop(&image, 3, starts, centre, &view, NULL);
//   stride_layout_permute(&view, 3, planes, &view, NULL);
//   assert(view.offset == 24 && view.sizes[0] == 3 && view.strides[0] == 1 && view.strides[2] == 3);

/// Dimension i of `out` is dimension axes[i]: sizes {2,3,4} with axes {2,0,1} become {4,2,3} (numpy.transpose).
///
/// Arrays: axes[rank].
///
/// Returns: INVALID_AXES with the entry unless `axes` is a permutation.
STRIDE_API stride_status stride_layout_permute(const stride_layout *layout, uint32_t rank, const int64_t *axes,
                                               stride_layout *out, stride_error *error);

/// NumPy's start:stop:step in every dimension. Negative starts and stops count from the end, and both are clamped.
/// INT64_MAX and INT64_MIN are past the ends: a downward slice that includes index 0 has the stop INT64_MIN. NULL
/// starts or stops: the whole dimension in the step's direction; NULL steps: 1. A negative step mirrors.
///
/// Arrays: starts[rank] or NULL, stops[rank] or NULL, steps[rank] or NULL.
///
/// Returns: INVALID_ARGUMENT with the dimension for a step of 0; OVERFLOW.
STRIDE_API stride_status stride_layout_slice(const stride_layout *layout, uint32_t rank, const int64_t *starts,
                                             const int64_t *stops, const int64_t *steps, stride_layout *out,
                                             stride_error *error);

/// The box of `sizes` elements that begins at index `starts`. Strict: nothing is clamped.
///
/// Arrays: starts[rank], sizes[rank].
///
/// Returns: INDEX_OUT_OF_RANGE with the dimension; INVALID_SIZE; OVERFLOW.
STRIDE_API stride_status stride_layout_crop(const stride_layout *layout, uint32_t rank, const int64_t *starts,
                                            const int64_t *sizes, stride_layout *out, stride_error *error);

/// Mirrors the `count` dimensions named (numpy.flip).
///
/// Arrays: axes[count].
///
/// Returns: INVALID_AXES with the entry; OVERFLOW for a stride of -2^63 where the size is above 1.
STRIDE_API stride_status stride_layout_flip(const stride_layout *layout, uint32_t count, const int64_t *axes,
                                            stride_layout *out, stride_error *error);

/// Drops the `count` dimensions named, all of size 1 (numpy.squeeze with axes).
///
/// Arrays: axes[count].
///
/// Returns: INVALID_AXES with the entry; INVALID_SIZE with the dimension.
STRIDE_API stride_status stride_layout_squeeze(const stride_layout *layout, uint32_t count, const int64_t *axes,
                                               stride_layout *out, stride_error *error);

/// Drops every dimension of size 1 (numpy.squeeze without axes).
STRIDE_API stride_status stride_layout_squeeze_all(const stride_layout *layout, stride_layout *out,
                                                   stride_error *error);

/// Inserts a dimension of size 1 at each of the `count` places named, which are dimension numbers of `out`
/// (numpy.expand_dims). Its stride is the natural one: size * stride of its right neighbour, 1 at the end.
///
/// Arrays: axes[count].
///
/// Returns: INVALID_AXES with the entry; INVALID_RANK above 64 dimensions.
STRIDE_API stride_status stride_layout_expand_dims(const stride_layout *layout, uint32_t count, const int64_t *axes,
                                                   stride_layout *out, stride_error *error);

/// Inserts dimensions of size 1 before dimension `position` until the rank is `rank`. HW with rank 4, position 0: 11HW,
/// as DirectML wants it.
///
/// Returns: INVALID_RANK if the layout has more dimensions already; INVALID_AXES for the position.
STRIDE_API stride_status stride_layout_pad_rank(const stride_layout *layout, uint32_t rank, uint32_t position,
                                                stride_layout *out, stride_error *error);

/// Other sizes for the elements in their row-major order; one size may be -1 and is computed (numpy.reshape).
/// Zero and negative strides reshape too where dimensions are one run: stride[i] = size[i+1] * stride[i+1].
///
/// Arrays: sizes[rank].
///
/// Returns: NOT_REPRESENTABLE where only a copy could do it; SHAPE_MISMATCH with both counts; INVALID_SIZE;
/// INVALID_RANK; OVERFLOW.
STRIDE_API stride_status stride_layout_reshape(const stride_layout *layout, uint32_t rank, const int64_t *sizes,
                                               stride_layout *out, stride_error *error);

/// Cuts dimension `axis` into `count` dimensions with these sizes, one of which may be -1. Never needs a copy.
///
/// Arrays: sizes[count].
///
/// Returns: INVALID_AXES; SHAPE_MISMATCH if the product is not the dimension's size; INVALID_SIZE below 0, except for
/// one -1; INVALID_RANK; OVERFLOW.
STRIDE_API stride_status stride_layout_split(const stride_layout *layout, int64_t axis, uint32_t count,
                                             const int64_t *sizes, stride_layout *out, stride_error *error);

/// Joins the `count` dimensions from `axis` on into one.
///
/// Returns: NOT_REPRESENTABLE with the dimension unless they are one run; INVALID_AXES; INVALID_ARGUMENT for the count;
/// OVERFLOW.
STRIDE_API stride_status stride_layout_merge(const stride_layout *layout, int64_t axis, uint32_t count,
                                             stride_layout *out, stride_error *error);

// =================================================================================================
//
// Other readings
//
// More views: a dimension less, another dtype, any strides. Nothing is moved. Dimension numbers may be negative: -1 is
// the last. A view without elements keeps the layout's offset, except as another dtype or where the caller gives the
// offset. OVERFLOW means that a stride, a size or the number of elements of the view does not fit 64 bits, or that its
// highest element ends 2^60 bytes or more above the base, or more than that below it.
//
// Example: the red channel of an image whose pixels are numbers 0xAARRGGBB, on a CPU with the low byte first.
//
//   int64_t sizes[2] = {4, 6}, last[1] = {2};
//   stride_layout view;
//   stride_layout_init(&view, STRIDE_DTYPE_U32, 2, sizes, NULL, NULL);
//   stride_layout_expand_dims(&view, 1, last, &view, NULL);
//   stride_layout_reinterpret(&view, STRIDE_DTYPE_U8, &view, NULL), stride_layout_select(&view, 2, 2, &view, NULL);
//   assert(view.rank == 2 && view.offset == 2 && view.strides[0] == 24 && view.strides[1] == 4);

/// Fixes dimension `axis` at this index and drops it; index -1 is the last (numpy: a[:, index]). {2,3,4} at index 1 of
/// axis 0 is {3,4}, with the offset 12 more.
///
/// Returns: INVALID_AXES; INDEX_OUT_OF_RANGE; OVERFLOW.
STRIDE_API stride_status stride_layout_select(const stride_layout *layout, int64_t axis, int64_t index,
                                              stride_layout *out, stride_error *error);

/// The bytes of a layout as elements of `dtype` (numpy.ndarray.view). If the widths are equal, only the dtype changes.
/// Otherwise the last dimension, which must be packed, grows or shrinks: u32 {2,3} is u8 {2,12}, with the other strides
/// and the offset 4 times as large; and back. Elements in a byte are counted from the end at which the new dtype
/// begins.
///
/// Returns: INVALID_DTYPE; DTYPE_MISMATCH for a smaller dtype whose width does not divide the old one; SHAPE_MISMATCH
/// if the last size is not a whole number of new elements; NOT_REPRESENTABLE with the dimension if the last stride is
/// not 1, if another stride or the offset is not a whole number of new elements, or for rank 0; OVERFLOW.
STRIDE_API stride_status stride_layout_reinterpret(const stride_layout *layout, uint32_t dtype, stride_layout *out,
                                                   stride_error *error);

/// Any sizes, strides and offset over the elements from the lowest to the highest that the layout reaches. The offset
/// counts from the base pointer. (torch.as_strided checks the storage instead, and wraps: pytorch#145259, #150388.)
///
/// Arrays: sizes[rank], strides[rank].
///
/// Returns: OUT_OF_BOUNDS with the element offset outside this range and the end of it (an empty view leaves nothing);
/// INVALID_SIZE; OVERFLOW.
STRIDE_API stride_status stride_layout_as_strided(const stride_layout *layout, uint32_t rank, const int64_t *sizes,
                                                  const int64_t *strides, int64_t offset, stride_layout *out,
                                                  stride_error *error);

// =================================================================================================
//
// Broadcasting
//
// Results are views: a dimension that is stretched or added gets stride 0, all others keep theirs. Dtypes do not
// matter. A mismatch names the dimension of the result and both sizes.
//
// NumPy's rule: shapes are right-aligned; sizes are equal or 1; 1 stretches, also to 0. XLA's rule, where nothing is
// implicit, is in stride_kernels.h. DirectML never broadcasts: it needs full sizes with stride 0, as these functions
// make them.
//
// Example: one bias for each of three channels of {2,3,4,4}.
//
//   int64_t channels[3] = {3, 1, 1}, full[4] = {2, 3, 4, 4};
//   stride_layout bias;
//   stride_layout_init(&bias, STRIDE_DTYPE_F32, 3, channels, NULL, NULL);
//   stride_layout_broadcast_to(&bias, 4, full, &bias, NULL);
//   assert(bias.rank == 4 && bias.strides[0] == 0 && bias.strides[1] == 1 && bias.strides[2] == 0);

/// The common sizes of `count` shapes by NumPy's rule. `ranks[k]` is the rank of shape k; `sizes` holds the sizes of
/// all shapes one after the other. {7,1,5} and {2,1} give {7,2,5}; no shapes at all give rank 0.
///
/// Arrays: ranks[count], sizes[sum of ranks], out_sizes[64].
///
/// Returns: INVALID_RANK, INVALID_SIZE with the operand; BROADCAST_MISMATCH with operand, dimension and both sizes;
/// OVERFLOW.
STRIDE_API stride_status stride_broadcast_sizes(uint32_t count, const uint32_t *ranks, const int64_t *sizes,
                                                uint32_t *out_rank, int64_t *out_sizes, stride_error *error);

/// The views of `count` layouts with their common sizes by NumPy's rule, into `out[0] ... out[count - 1]`.
///
/// Arrays: in[count], out[count].
///
/// Requires: `out` is `in`, or the two arrays share no byte.
///
/// Returns: as `stride_broadcast_sizes`; the item of the error is the operand.
STRIDE_API stride_status stride_broadcast_layouts(uint32_t count, const stride_layout *in, stride_layout *out,
                                                  stride_error *error);

/// The layout that the result of an elementwise operation on `count` operands should have: their common sizes by
/// NumPy's rule, `dtype`, and packed, with the dimensions in the operands' order in memory. One NHWC operand and a bias
/// give NHWC; operands without gaps and with equal strides give these strides; no operands give rank 0. The rule is
/// PyTorch's (TensorIterator). The first operand that tells two dimensions apart decides: the larger |stride| is
/// outside. A stride of 0 and a size of 1 decide nothing; of equal strides the larger size is outside. Two dimensions
/// that no operand tells apart stay row-major, unless one of them changes places with a third.
///
/// NumPy's order='K' differs if operands contradict each other (row-major wins) or have equal strides, and may differ
/// if repeated elements leave a place open. PyTorch differs where it reads strides of dimensions of size 1.
///
/// Arrays: in[count].
///
/// Returns: INVALID_DTYPE; BROADCAST_MISMATCH with operand, dimension and both sizes; OVERFLOW.
STRIDE_API stride_status stride_elementwise_layout(uint32_t count, const stride_layout *in, uint32_t dtype,
                                                   stride_layout *out, stride_error *error);

/// The view of a layout with these sizes by NumPy's rule (numpy.broadcast_to). The rank may grow, never shrink.
///
/// Arrays: sizes[rank].
///
/// Returns: INVALID_RANK; INVALID_SIZE; BROADCAST_MISMATCH with the dimension and both sizes; OVERFLOW.
STRIDE_API stride_status stride_layout_broadcast_to(const stride_layout *layout, uint32_t rank, const int64_t *sizes,
                                                    stride_layout *out, stride_error *error);

// =================================================================================================
//
// Conversions
//
// A copy converts numbers if its options have a conversion: to the destination's dtype, and with
// STRIDE_CONVERT_AFFINE by arithmetic on the way. Without a conversion both dtypes must be equal.
//
//   with AFFINE, in f32, or in f64 if   (x - subtract) * scale + add; with DIVIDE / scale instead. Each operation
//   a dtype is s32, u32, s64, u64, f64  rounds once. A NaN that comes out is the positive quiet one
//   to a float                          one rounding to nearest even, from the exact value. Subnormals are kept. Too
//                                       large: infinity, of f8e4m3fn NaN; with FINITE the largest finite number, of
//                                       infinities too
//   a NaN to a float, without AFFINE    keeps its sign and the leading bits of its payload, and is quiet
//   a float to an integer               toward zero, with NEAREST to nearest even; with ADD_LAST `add` is added now;
//                                       too large: the nearest integer of the dtype; NaN: 0
//   an integer to another one           its low bits, with SATURATE the nearest integer of the dtype
//   pred                                any byte that is not 0 is 1; a destination gets 1 for what is not 0, and NaN
//
// Any two of these convert: pred, s4, u4, s8, u8, s16, u16, s32, u32, s64, u64, f8e4m3fn, f8e5m2, f16, bf16, f32, f64;
// and c64, c128 by value, to each other and from real numbers. Others are UNSUPPORTED. Without AFFINE, equal dtypes
// move as they are. Results are equal bit for bit on every CPU and in every part. The caller's thread must round to
// nearest and must not flush subnormals; otherwise numbers are unspecified, but nothing else is touched.
//
// `subtract`, `scale` and `add` may be lists. Then `values` is a layout of f32 with the sizes of the copy, which maps
// each element to its number in the lists: with stride 0 along all dimensions but one, each channel has its own. A
// plan keeps that layout, but not the lists: `stride_plan_execute_values` takes them. They must not lie in bytes that
// the copy writes.
//
// Both sides may be the same memory if their elements have one width and each is converted in its place, once. Any
// other sides that share bytes are OVERLAP; STRIDE_COPY_OVERLAP allows them, with scratch memory for all elements of
// the source. The fill value of STRIDE_COPY_FILL_BUFFER has the destination's dtype and is not converted.
//
// Example: bytes as f32 from -1 to 1.
//
//   stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
//   stride_conversion to_floats;
//   assert(stride_conversion_init(&to_floats) == STRIDE_STATUS_OK && to_floats.scale == 1);
//   to_floats.flags = STRIDE_CONVERT_AFFINE;
//   to_floats.subtract = 127.5;
//   to_floats.scale = 1 / 127.5;
//   options.conversion = &to_floats;

// As enums; the macros below explain them.
enum { STRIDE_CONVERT_AFFINE = 1, STRIDE_CONVERT_DIVIDE = 2, STRIDE_CONVERT_NEAREST = 4, STRIDE_CONVERT_SATURATE = 8,
       STRIDE_CONVERT_FINITE = 16, STRIDE_CONVERT_ADD_LAST = 32 };

#define STRIDE_CONVERT_AFFINE 1  ///< (x - subtract) * scale + add.
#define STRIDE_CONVERT_DIVIDE 2  ///< With STRIDE_CONVERT_AFFINE: / scale.
#define STRIDE_CONVERT_NEAREST 4  ///< Floats become the nearest integer, of two the even one.
#define STRIDE_CONVERT_SATURATE 8  ///< Integers that do not fit become the nearest that does.
#define STRIDE_CONVERT_FINITE 16  ///< Floats that do not fit become the largest finite number.
#define STRIDE_CONVERT_ADD_LAST 32  ///< With STRIDE_CONVERT_AFFINE, to an integer: `add` is added after rounding.

/// The conversion of each number. Begin with `stride_conversion_init`, which keeps values as they are.
typedef struct stride_conversion {
  /// sizeof(stride_conversion).
  uint32_t struct_size;
  /// STRIDE_CONVERT_... flags.
  uint32_t flags;
  /// Read with STRIDE_CONVERT_AFFINE, unless `subtracts` is a list.
  double subtract;
  /// Read with STRIDE_CONVERT_AFFINE, unless `scales` is a list.
  double scale;
  /// Read with STRIDE_CONVERT_AFFINE, unless `adds` is a list. With STRIDE_CONVERT_ADD_LAST an integer.
  double add;
  /// The place of each element's numbers in the lists; NULL: there are no lists.
  const stride_layout *values;
  /// A list of `subtract`; NULL: the number.
  const float *subtracts;
  /// A list of `scale`; NULL: the number.
  const float *scales;
  /// A list of `add`; NULL: the number. With STRIDE_CONVERT_ADD_LAST integers.
  const float *adds;
  /// Numbers in each list.
  uint64_t value_count;
} stride_conversion;

/// A conversion that keeps values as they are: no flags, (x - 0) * 1 + 0.
STRIDE_API stride_status stride_conversion_init(stride_conversion *out);

// =================================================================================================
//
// Copies
//
// Copies any layout to any layout of equal sizes. `dst` and `src` are the base pointers of the buffers, `dst_bytes`
// and `src_bytes` their lengths. Before anything is touched, the library proves that every element lies in its buffer,
// that no two destination indices share an element, and that source and destination share no byte. Two channels of one
// image may be copied to each other. A copy of a tensor to itself, each element to its own place, writes nothing. An
// empty copy touches nothing, not even null pointers; with STRIDE_COPY_FILL_BUFFER it fills the whole buffer.
//
// Dtypes must be equal, or one of them plain bytes of the same width. They may differ in STRIDE_DTYPE_SWAPPED: then
// the bytes of each number are swapped. Elements need no alignment. The destination is never read, so it may be
// write-combined memory. (With STRIDE_COPY_OVERLAP it may also be the source, and is read.)
//
// Elements smaller than a byte may begin anywhere in it. Their dtypes may differ in STRIDE_DTYPE_HIGH_FIRST: each
// keeps its value. (Inside one buffer, a byte that holds elements of both bit orders counts as shared.) A destination
// byte that holds several elements may be read, and its other elements are kept: no other thread may write it during
// the copy. Where runs are whole bytes of one bit order on both sides, bytes are copied, as fast as any others.
//
// Example: NHWC to NCHW.
//
//   int64_t sizes[4] = {1, 2, 2, 2};
//   uint8_t planes[8], pixels[8] = {0, 1, 2, 3, 4, 5, 6, 7};
//   stride_layout nchw, nhwc;
//   stride_layout_init(&nchw, STRIDE_DTYPE_U8, 4, sizes, NULL, NULL);
//   stride_layout_init_channels_last(&nhwc, STRIDE_DTYPE_U8, 4, sizes, NULL);
//   assert(stride_copy(&nchw, planes, 8, &nhwc, pixels, 8, NULL, NULL) == STRIDE_STATUS_OK && planes[1] == 2);

// As enums; the macros below explain them.
enum { STRIDE_COPY_ASSUME_DISTINCT = 1, STRIDE_COPY_FILL_BUFFER = 2, STRIDE_COPY_OVERLAP = 4,
       STRIDE_COPY_KEEP_CACHED = 8, STRIDE_COPY_SMALL_STACK = 16 };
enum { STRIDE_CPU_LEVEL_BEST = 0, STRIDE_CPU_LEVEL_SCALAR = 1, STRIDE_CPU_LEVEL_SSSE3 = 2, STRIDE_CPU_LEVEL_AVX2 = 3,
       STRIDE_CPU_LEVEL_AVX512 = 4, STRIDE_CPU_LEVEL_NEON = 5, STRIDE_CPU_LEVEL_SIMD128 = 6 };

/// The caller guarantees that destination elements are distinct and that the two sides share no byte. No overlap test
/// is made. Bounds are still checked, and so are the bytes that STRIDE_COPY_FILL_BUFFER fills. If the guarantee is
/// false, the result is unspecified.
#define STRIDE_COPY_ASSUME_DISTINCT 1
/// Every byte and every bit of the destination buffer that no index reaches gets the fill value. To make a border, copy
/// to a crop of the padded tensor, with the whole buffer of the padded tensor. Do not use it for a view of a tensor
/// whose other elements must be kept. A length of UINT64_MAX is OUT_OF_BOUNDS; a buffer that meets the range from the
/// source's first byte to its last is OVERLAP.
#define STRIDE_COPY_FILL_BUFFER 2
/// The sides may share bytes; the result is as if the source had been read first (memmove). No scratch memory is needed
/// if all elements are whole bytes and move equally far, and each stride spans the dimensions inside it; nor if the
/// sides are known to share nothing. Otherwise it is. Not together with STRIDE_COPY_ASSUME_DISTINCT.
#define STRIDE_COPY_OVERLAP 4
/// The destination is read soon: non-temporal stores begin only where it is larger than the last cache. Without this
/// flag they begin sooner, at the sizes of `stride_machine`.
#define STRIDE_COPY_KEEP_CACHED 8
/// For fibers and signal handlers: a call takes at most 8 KiB of stack (9 on Windows and 32-bit systems) instead of up
/// to 48, with a conversion 20 instead of 56. Not with XLA shapes, blocked layouts, lists and ranges. Large transposes
/// and channels are slower, a transpose through scratch memory is done element by element, and an overlap test that
/// needs more stack is UNDECIDED.
#define STRIDE_COPY_SMALL_STACK 16

#define STRIDE_CPU_LEVEL_BEST 0  ///< The best instruction set that the CPU and the library have.
#define STRIDE_CPU_LEVEL_SCALAR 1  ///< Portable code only.
#define STRIDE_CPU_LEVEL_SSSE3 2  ///< x86-64 with SSSE3.
#define STRIDE_CPU_LEVEL_AVX2 3  ///< x86-64 with AVX2, BMI2 and F16C.
#define STRIDE_CPU_LEVEL_AVX512 4  ///< x86-64 with AVX-512 F, BW, DQ, VL and VBMI.
#define STRIDE_CPU_LEVEL_NEON 5  ///< 64-bit ARM with NEON.
#define STRIDE_CPU_LEVEL_SIMD128 6  ///< WebAssembly with SIMD128.

/// Options of a copy; begin with STRIDE_COPY_OPTIONS_INIT, the defaults.
typedef struct stride_copy_options {
  /// sizeof(stride_copy_options). 40, which ends before `machine`, is the earliest version.
  uint32_t struct_size;
  /// STRIDE_COPY_... flags.
  uint32_t flags;
  /// The highest STRIDE_CPU_LEVEL_... to use; 0: the best. Levels compare as numbers; any known one is accepted on
  /// any CPU.
  uint32_t cpu_level;
  /// Zero.
  uint32_t reserved;
  /// Steps that an overlap test may take; 0: the default.
  uint64_t overlap_budget;
  /// The value for STRIDE_COPY_FILL_BUFFER: byte p of the buffer gets fill[(p mod element bytes) mod 16], elements
  /// below a byte the low bits of fill[0].
  uint8_t fill[16];
  /// The CPU for which the copy is planned; NULL: the one that runs this. Copies through scratch memory, parts of
  /// tiled copies, and parts that the kernel of the whole cannot take are planned where they run.
  const stride_machine *machine;
  /// Memory for sides that share bytes, in single calls; plans take theirs when they run. It is used only where
  /// STRIDE_COPY_OVERLAP says so, and must then lie outside the range of either side.
  void *scratch;
  /// Its bytes: as many as all elements take, packed.
  uint64_t scratch_bytes;
  /// The conversion of numbers; NULL: dtypes must be equal, and elements move as they are.
  const stride_conversion *conversion;
} stride_copy_options;

/// STRIDE_COPY_OPTIONS_INIT as a function: the default options.
STRIDE_API stride_status stride_copy_options_init(stride_copy_options *out);

/// Copies every element of `src` to the element of `dst` with the same index. `options` NULL: the defaults. One of the
/// layouts may be NULL: that side is packed, with the dtype and sizes of the other.
///
/// Arrays: dst_layout or NULL, dst[dst_bytes], src_layout or NULL, src[src_bytes], options or NULL.
///
/// Requires: `dst` may be written and `src` read over the bytes that the layouts reach (with STRIDE_COPY_FILL_BUFFER
/// `dst` over all of `dst_bytes`). During the call no other thread touches those of `dst` or writes those of `src`.
///
/// Returns: NULL_POINTER if both layouts are; INVALID_ARGUMENT for the options; SHAPE_MISMATCH with the dimension and
/// both sizes; DTYPE_MISMATCH without a conversion, UNSUPPORTED for dtypes that do not convert; OUT_OF_BOUNDS with the
/// bytes needed and the length; OVERLAP with the distance of the two sides; UNDECIDED where an overlap test did not
/// finish; SCRATCH_NEEDED with the bytes that `options->scratch` must have and has; OVERFLOW if the layout that is NULL
/// would be too large.
///
/// Time: in proportion to the bytes, plus at most the budget of an overlap test. This holds for all copies.
STRIDE_API stride_status stride_copy(const stride_layout *dst_layout, void *dst, uint64_t dst_bytes,
                                     const stride_layout *src_layout, const void *src, uint64_t src_bytes,
                                     const stride_copy_options *options, stride_error *error);

/// Writes one element's value to every element of `dst`. `value` points to the bytes of one element; an element smaller
/// than a byte is the low bits of its byte, whatever the dtype's order. Indices may share elements.
///
/// Arrays: dst[dst_bytes], value[1 element].
///
/// Time: in proportion to the bytes. If indices share elements, a fill may take 64 times the elements from the lowest
/// one to the highest, or 64 KiB of elements. Beyond that it is UNDECIDED before anything is written. Dimensions of
/// stride 0 take no time, and dimensions that are a run together take that of the run.
///
/// Returns: OUT_OF_BOUNDS; OVERLAP if the value lies in an element, UNDECIDED if that is not known. Neither happens if
/// `value` lies outside the buffer. `value` may be the tensor's only element, if that has whole bytes.
STRIDE_API stride_status stride_fill(const stride_layout *dst_layout, void *dst, uint64_t dst_bytes, const void *value,
                                     stride_error *error);

/// Compares two tensors of equal sizes byte by byte, elements smaller than a byte bit by bit, in either order.
/// `*first_difference` becomes the row-major number of the first element that differs (`stride_layout_unravel_index`
/// gives its index), -1 if all are equal.
///
/// Arrays: lhs[lhs_bytes], rhs[rhs_bytes].
///
/// Requires: all bytes that the layouts reach are initialised (padding inside structs is compared too).
///
/// Time: in proportion to the bytes. If indices share elements, a comparison may take 64 times the elements from the
/// lowest one to the highest, of the side where these are more, or 64 KiB of elements. Beyond that it is UNDECIDED
/// before anything is read. Dimensions of stride 0 on both sides take no time.
///
/// Returns: SHAPE_MISMATCH; DTYPE_MISMATCH; OUT_OF_BOUNDS; UNDECIDED.
STRIDE_API stride_status stride_compare(const stride_layout *lhs_layout, const void *lhs, uint64_t lhs_bytes,
                                        const stride_layout *rhs_layout, const void *rhs, uint64_t rhs_bytes,
                                        int64_t *first_difference, stride_error *error);

// =================================================================================================
//
// Plans
//
// A plan is a copy prepared once. It holds no address, and may be copied, shared, and run by many threads at once. Its
// parts write different bytes, so any thread pool can run them. It belongs to this version of the library and to the
// CPU on which it was made: make it anew rather than store it. All rules of `stride_copy` hold for plans too.
//
// Example: one transpose in four parts, each of which could run on a thread of its own.
//
//   int64_t sizes[2] = {64, 64}, columns_first[2] = {0, 1}; static float dst[64 * 64], src[64 * 64];
//   stride_layout rows, columns; stride_plan plan; uint32_t part;
//   stride_layout_init(&rows, STRIDE_DTYPE_F32, 2, sizes, NULL, NULL);
//   stride_layout_init_ordered(&columns, STRIDE_DTYPE_F32, 2, sizes, columns_first, NULL);
//   assert(stride_plan_init(&plan, &columns, &rows, NULL, NULL) == STRIDE_STATUS_OK);
//   for (part = 0; part < 4; part++) stride_plan_execute_part(&plan, dst, sizeof dst, src, sizeof src, part, 4, NULL);

/// A prepared copy. 4096 bytes without any address.
typedef struct stride_plan {
  /// Opaque. Word 0 identifies a plan, its format and the number of words in use, at least 12. Words that are not in
  /// use are neither written nor read.
  uint64_t words[512];
} stride_plan;

/// Prepares a copy that can then run any number of times, with any buffers. `options` NULL: the defaults. One layout
/// may be NULL: that side is packed, with the dtype and sizes of the other.
///
/// Arrays: dst_layout or NULL, src_layout or NULL, options or NULL.
///
/// Returns: as `stride_copy`, as far as buffers do not matter.
STRIDE_API stride_status stride_plan_init(stride_plan *out, const stride_layout *dst_layout,
                                          const stride_layout *src_layout, const stride_copy_options *options,
                                          stride_error *error);

/// Runs a plan. A plan that was tampered with is refused, or moves wrong bytes within the given lengths; if it claims
/// STRIDE_COPY_ASSUME_DISTINCT, the call lasts as long as its loops say.
///
/// Arrays: dst[dst_bytes], src[src_bytes].
///
/// Requires: buffers as for `stride_copy`.
///
/// Returns: INVALID_ARGUMENT if `plan` is not a plan; OUT_OF_BOUNDS; OVERLAP; UNDECIDED; SCRATCH_NEEDED.
STRIDE_API stride_status stride_plan_execute(const stride_plan *plan, void *dst, uint64_t dst_bytes, const void *src,
                                             uint64_t src_bytes, stride_error *error);

/// Runs part `part` (0, 1, ...) of `parts` of a plan. All parts together are the whole, in any order and on any
/// threads. Parts never share a destination byte. A part has about 4 KiB or more; surplus parts do nothing. Part 0 does
/// everything if sides share bytes, if a fill cannot be split, or if elements smaller than a byte cannot be cut between
/// two bytes. No part takes scratch memory.
///
/// Arrays: dst[dst_bytes], src[src_bytes].
///
/// Requires: as `stride_plan_execute`.
///
/// Returns: as `stride_plan_execute`, and INVALID_ARGUMENT unless part < parts.
STRIDE_API stride_status stride_plan_execute_part(const stride_plan *plan, void *dst, uint64_t dst_bytes,
                                                  const void *src, uint64_t src_bytes, uint32_t part, uint32_t parts,
                                                  stride_error *error);

/// Runs part `part` of `parts` of a plan whose conversion has lists. Give a list for each one that the conversion had
/// when the plan was made, and NULL for the others.
///
/// Arrays: dst[dst_bytes], src[src_bytes], subtracts[value_count] or NULL, scales[value_count] or NULL,
/// adds[value_count] or NULL.
///
/// Requires: as `stride_plan_execute`; during the call no thread writes to the lists.
///
/// Returns: as `stride_plan_execute_part`; NULL_POINTER for a list that the plan needs; INVALID_ARGUMENT for one that
/// it does not; OUT_OF_BOUNDS with the entry that is needed and the number of entries; OVERLAP for a list in bytes that
/// are written.
STRIDE_API stride_status stride_plan_execute_values(const stride_plan *plan, void *dst, uint64_t dst_bytes,
                                                    const void *src, uint64_t src_bytes, const float *subtracts,
                                                    const float *scales, const float *adds, uint64_t value_count,
                                                    uint32_t part, uint32_t parts, stride_error *error);

/// Runs part `part` of `parts` of `count` copies by one plan, such as the blocks of a paged cache or the tiles of an
/// atlas. Copy k has the base pointers moved by `dst_offsets[k]` and `src_offsets[k]` bytes; the lengths are those of
/// the whole buffers. Every copy is proved to lie in them before anything is touched. An offset may be negative if the
/// plan's elements begin far enough above the base. Parts divide the list or, if that is short, the copies.
///
/// Arrays: dst[dst_bytes], dst_offsets[count], src[src_bytes], src_offsets[count].
///
/// Requires: as `stride_plan_execute`; no copy writes a byte that another one reads or writes. This is not checked. If
/// one thread runs them, such a byte gets the value of one of the copies.
///
/// Time: in proportion to the bytes. If the range of all writes meets that of all reads, each copy takes an overlap
/// test more, as `stride_copy` makes it.
///
/// Returns: as `stride_plan_execute_part`, with the number of the copy in `item`; OVERLAP if offsets lie in the range
/// that a copy writes (`lhs` is that copy); UNSUPPORTED for plans with STRIDE_COPY_FILL_BUFFER or STRIDE_COPY_OVERLAP;
/// INVALID_ARGUMENT for a count that no list in memory has, and for plans whose conversion has lists.
STRIDE_API stride_status stride_plan_execute_batch(const stride_plan *plan, void *dst, uint64_t dst_bytes,
                                                   const int64_t *dst_offsets, const void *src, uint64_t src_bytes,
                                                   const int64_t *src_offsets, uint64_t count, uint32_t part,
                                                   uint32_t parts, stride_error *error);

/// Bytes of scratch memory that `stride_plan_execute_scratch` needs with base pointers at these addresses. 0 without
/// STRIDE_COPY_OVERLAP, and where that flag needs none.
///
/// Returns: INVALID_ARGUMENT if `plan` is not a plan; OUT_OF_BOUNDS past the address space, of plans with
/// STRIDE_COPY_OVERLAP.
STRIDE_API stride_status stride_plan_scratch_bytes(const stride_plan *plan, uint64_t dst_address, uint64_t src_address,
                                                   uint64_t *out, stride_error *error);

/// Runs a plan with scratch memory for sides that share bytes. The memory is used only if it is needed, and must then
/// lie outside the range of either side.
///
/// Arrays: dst[dst_bytes], src[src_bytes], scratch[scratch_bytes].
///
/// Requires: as `stride_plan_execute`; the scratch is written.
///
/// Returns: as `stride_plan_execute`; SCRATCH_NEEDED with bytes needed and given; OVERLAP if the scratch does not lie
/// apart.
STRIDE_API stride_status stride_plan_execute_scratch(const stride_plan *plan, void *dst, uint64_t dst_bytes,
                                                     const void *src, uint64_t src_bytes, void *scratch,
                                                     uint64_t scratch_bytes, stride_error *error);

/// Writes a plan as text: kernel, bytes, element width, tiles, and the loops after merging; of a copy of several nests
/// of loops its pieces, divisions (`stride_plan_init_sides`) and runs. For people, not to be parsed.
///
/// Arrays: buffer[capacity], length or NULL.
///
/// Time: with tiles of many dimensions about a millisecond.
///
/// Returns: INVALID_ARGUMENT if `plan` is not a plan.
STRIDE_API stride_status stride_plan_describe(const stride_plan *plan, char *buffer, uint64_t capacity,
                                              uint64_t *length, stride_error *error);

// =================================================================================================
//
// Sides of copies
//
// A side is a layout, an XLA shape or a blocked layout: all of it, the indices that runs list along dimensions, or a
// range of its elements in row-major order. Any side is copied to any other one whose sizes, after runs and ranges,
// are equal. Runs are {first, step, count}:
//
//   all of it      stride_side_init
//   a list         one run for each index: {3,1,1}, {1,1,1}, {4,1,1} takes rows 3, 1 and 4
//   a roll         two runs: {n-k,1,k}, {0,1,n-k}; k is the shift of numpy.roll
//   a border       three runs, here 8 on both ends:
//     reflected      {8,-1,8}, {0,1,n}, {n-2,-1,8}
//     the edge       {0,0,8}, {0,1,n}, {n-1,0,8}
//     wrapped        {n-8,1,8}, {0,1,n}, {0,1,8}
//     constant       {-1,0,8}, {0,1,n}, {-1,0,8}
//   a constant     a run {-1,0,count} of a source is the fill value
//   a range        stride_side_set_range: one dimension, whatever the sizes are; two ranges copy in row-major order
//
// A side borrows its pointers until the call returns; a plan keeps none of them. All elements of the object must lie
// in the buffer, including those that the runs or the range skip: rows 0 to 2 of ten rows of 12 bytes need 120 bytes,
// not 36. A shape or blocked layout needs its whole buffer, padding included, unless the side is all of it and the
// copy one nest of loops. Runs may be of any length. They are proved before anything is touched; an entry that another
// thread changes during the call is left out.
//
// The fill value is `options->fill`, repeated from the first byte of each element on, as the destination stores it:
// from u32 to u32:swapped the bytes of elements are swapped, those of the fill are not. Padding is neither read nor
// written. With STRIDE_COPY_FILL_BUFFER every byte that the copy does not write gets the fill value, so also the
// elements that runs or a range skip.
//
// STRIDE_COPY_SMALL_STACK is UNSUPPORTED unless both sides are layouts without runs and ranges: other calls take up to
// 80 KiB of the stack. STRIDE_COPY_OVERLAP works if the copy is one nest of loops in spite of tiles and runs, and is
// UNSUPPORTED otherwise. A shape whose storage is wider than its type counts as the integer type of its storage: s4 in
// a byte needs an s8 layout on the other side, as `stride_layout_from_xla` makes it.
//
// Example: rows 3 and 1 of a matrix.
//
//   uint8_t rows[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, taken[6]; int64_t sizes[2] = {4, 3};
//   stride_layout matrix; stride_side from; stride_index_run list[2] = {{3, 1, 1}, {1, 1, 1}};
//   stride_layout_init(&matrix, STRIDE_DTYPE_U8, 2, sizes, NULL, NULL);
//   stride_side_init(&from, STRIDE_SIDE_LAYOUT, &matrix, NULL);
//   stride_side_set_runs(&from, 0, 2, list, NULL);
//   assert(stride_copy_sides(NULL, taken, 6, &from, rows, 12, NULL, NULL) == STRIDE_STATUS_OK);
//   assert(taken[0] == 10 && taken[2] == 12 && taken[3] == 4 && taken[5] == 6);

// As enums; the macros below explain them.
enum { STRIDE_SIDE_LAYOUT = 1, STRIDE_SIDE_SHAPE = 2, STRIDE_SIDE_BLOCKED = 3 };
enum { STRIDE_MAX_ALONG = 8 };

#define STRIDE_SIDE_LAYOUT 1  ///< A side that is a layout: `of` is a `stride_layout`.
#define STRIDE_SIDE_SHAPE 2  ///< A side that is an XLA shape: `of` is a `stride_xla_shape` (stride_xla.h).
#define STRIDE_SIDE_BLOCKED 3  ///< A side that is a blocked layout: `of` is a `stride_blocked` (stride_interop.h).

#define STRIDE_MAX_ALONG 8  ///< The most dimensions of a side that have runs.

/// Indices along a dimension: first, first + step, ...; `count` of them. {-1,0,count} of a source is the fill value.
typedef struct stride_index_run {
  /// The first index, in 0 ... size - 1; -1: the fill value. Ignored if `count` is 0.
  int64_t first;
  /// The distance from one index to the next, which may be negative. 0 with a count above 1: sources only.
  int64_t step;
  /// Number of indices; 0 or more.
  int64_t count;
} stride_index_run;

/// Runs along one dimension.
typedef struct stride_side_runs {
  /// The runs, one after the other.
  const stride_index_run *runs;
  /// The dimension.
  uint32_t dimension;
  /// Number of runs.
  uint32_t count;
} stride_side_runs;

/// One side of a copy; make it with `stride_side_init`, or begin with STRIDE_SIDE_INIT.
typedef struct stride_side {
  /// sizeof(stride_side).
  uint32_t struct_size;
  /// STRIDE_SIDE_...: what `of` points to.
  uint32_t kind;
  /// The number of the first element of a range.
  int64_t range_first;
  /// Elements of a range, which may be 0; -1: there is no range.
  int64_t range_count;
  /// Dimensions that have runs.
  uint32_t along_count;
  /// Zero.
  uint32_t reserved;
  /// The layout, shape or blocked layout.
  const void *of;
  /// NULL.
  const void *reserved_pointer;
  /// One entry for each dimension that has runs.
  stride_side_runs along[STRIDE_MAX_ALONG];
} stride_side;

/// The side that is all of an object. `of` is borrowed, and read when the side is used.
///
/// Returns: NULL_POINTER; INVALID_ARGUMENT for a kind that is not STRIDE_SIDE_...
STRIDE_API stride_status stride_side_init(stride_side *out, uint32_t kind, const void *of, stride_error *error);

/// Lists the indices along a dimension, counted from 0, by runs: index i of the side is the i-th index of the runs, so
/// the side's size is the sum of their counts. A second call for a dimension replaces its runs. (0, NULL): no index, so
/// the side is empty. The runs are borrowed, and read when the side is used. A side has runs or a range, not both;
/// `stride_side_init` removes either.
///
/// Arrays: runs[count].
///
/// Returns: NULL_POINTER; INVALID_ARGUMENT for struct_size; INVALID_RANK above 8 dimensions with runs.
STRIDE_API stride_status stride_side_set_runs(stride_side *side, uint32_t dimension, uint32_t count,
                                              const stride_index_run *runs, stride_error *error);

/// Makes the side one dimension: the `count` elements from number `first` on in row-major order. A second call replaces
/// the range. A side has runs or a range, not both; `stride_side_init` removes either.
///
/// Returns: NULL_POINTER; INVALID_ARGUMENT for struct_size; INVALID_SIZE for numbers below 0.
STRIDE_API stride_status stride_side_set_range(stride_side *side, int64_t first, int64_t count, stride_error *error);

/// Copies every element of the source side to the element of the destination side with the same index. `options` NULL:
/// the defaults. One of the sides may be NULL: it is packed, with the dtype and sizes of the other.
///
/// Arrays: dst_side or NULL, dst[dst_bytes], src_side or NULL, src[src_bytes], options or NULL.
///
/// Requires: buffers as for `stride_copy`, over all elements of the objects (see the head of this section).
///
/// Returns: as `stride_copy`; INVALID_ARGUMENT for a side's fields, and if a run of the destination is the fill value;
/// INVALID_RANK above 8 dimensions with runs; INVALID_TILE for a shape's tile or a block (item); INVALID_AXES for a
/// dimension that does not exist or has runs twice; INDEX_OUT_OF_RANGE and INVALID_SIZE with the run (item); OVERLAP
/// with the run that repeats an index of the destination, or for runs in bytes that are written; UNDECIDED if that is
/// not known; OUT_OF_BOUNDS with the end of a range and the number of elements; UNSUPPORTED for a side with runs and a
/// range, a shape with too many tiles or an unbounded size, STRIDE_COPY_SMALL_STACK unless both sides are layouts
/// without runs and ranges, and STRIDE_COPY_OVERLAP if the copy is several nests of loops.
///
/// Time: as `stride_copy`, plus that of the runs, which are read three times, and of the pieces into which tiles and
/// runs cut the copy. Ascending runs of a destination are proved disjoint in one pass. n runs in another order take n *
/// n / 2 steps of the overlap budget or more, whose default is enough for 91. Sort them, raise the budget, or set
/// STRIDE_COPY_ASSUME_DISTINCT.
STRIDE_API stride_status stride_copy_sides(const stride_side *dst_side, void *dst, uint64_t dst_bytes,
                                           const stride_side *src_side, const void *src, uint64_t src_bytes,
                                           const stride_copy_options *options, stride_error *error);

/// Prepares a copy between two sides, which can then run any number of times. The plan holds all that it needs of them,
/// with their runs and their divisions, which cut an index where tiles, blocks or the rows of a range do. It has 500
/// words for both: between layouts of rank 4 at least 400 single indices or 120 runs.
///
/// Arrays: dst_side or NULL, src_side or NULL, options or NULL.
///
/// Returns: as `stride_copy_sides`, as far as buffers do not matter; UNSUPPORTED with the words needed and those that
/// there are if the plan would be too long.
STRIDE_API stride_status stride_plan_init_sides(stride_plan *out, const stride_side *dst_side,
                                                const stride_side *src_side, const stride_copy_options *options,
                                                stride_error *error);

// =================================================================================================
//
// Facts about a plan
//
// Numbers about a plan: its kind, the bytes that it reaches in both buffers, the scratch memory that it needs, and the
// number of threads that it is worth. Nothing here touches tensor memory, and no answer depends on the CPU.
//
// Example: a transpose of 4 MiB is worth 32 threads.
//
//   int64_t sizes[2] = {1024, 1024}, columns_first[2] = {0, 1};
//   stride_layout columns; stride_plan plan; stride_plan_facts facts = STRIDE_PLAN_FACTS_INIT;
//   stride_layout_init_ordered(&columns, STRIDE_DTYPE_F32, 2, sizes, columns_first, NULL);
//   stride_plan_init(&plan, NULL, &columns, NULL, NULL), stride_plan_query(&plan, &facts, NULL);
//   assert(facts.kind == STRIDE_COPY_KIND_TRANSPOSE && facts.useful_parts == 32 && facts.dst_end == 4 << 20);

// As enums; the macros below explain them.
enum { STRIDE_COPY_KIND_NOTHING = 0, STRIDE_COPY_KIND_CONTIGUOUS = 1, STRIDE_COPY_KIND_ROWS = 2,
       STRIDE_COPY_KIND_FILL = 3, STRIDE_COPY_KIND_TRANSPOSE = 4, STRIDE_COPY_KIND_OTHER = 5,
       STRIDE_COPY_KIND_TILED = 6, STRIDE_COPY_KIND_BITS = 7 };

#define STRIDE_COPY_KIND_NOTHING 0  ///< No element is copied.
#define STRIDE_COPY_KIND_CONTIGUOUS 1  ///< One run that is contiguous on both sides: one memcpy.
#define STRIDE_COPY_KIND_ROWS 2  ///< Runs of several elements each.
/// The source repeats one element or run along the fastest dimension of the destination.
#define STRIDE_COPY_KIND_FILL 3
#define STRIDE_COPY_KIND_TRANSPOSE 4  ///< Each side is contiguous along a dimension, but not along the same one.
#define STRIDE_COPY_KIND_OTHER 5  ///< Element by element.
#define STRIDE_COPY_KIND_TILED 6  ///< Of a plan: tiles cut it into several copies, each of its own kind.
#define STRIDE_COPY_KIND_BITS 7  ///< Elements below a byte, in runs that are not whole bytes.

/// Facts about a plan; begin with STRIDE_PLAN_FACTS_INIT.
typedef struct stride_plan_facts {
  /// sizeof(stride_plan_facts), set by the caller.
  uint32_t struct_size;
  /// STRIDE_COPY_KIND_...
  uint32_t kind;
  /// Bytes of all elements.
  uint64_t bytes;
  /// Runs that are contiguous on both sides; 0 for tiles and bits, where they are not counted.
  uint64_t runs;
  /// Bytes of each run.
  uint64_t run_bytes;
  /// First byte of the destination that is written, from its base pointer; with tiles, the first of their buffer.
  int64_t dst_lowest;
  /// One past the last byte written; both are 0 if nothing is copied. (STRIDE_COPY_FILL_BUFFER writes all of the
  /// buffer.)
  int64_t dst_end;
  /// First byte of the source that is read.
  int64_t src_lowest;
  /// One past the last byte read.
  int64_t src_end;
  /// The most scratch memory that `stride_plan_execute_scratch` can need, wherever the sides lie.
  uint64_t scratch_bytes;
  /// Parts worth a thread each, at least 1: one for each 128 KiB. More are legal.
  uint32_t useful_parts;
  /// The STRIDE_COPY_... flags with which it was made.
  uint32_t flags;
} stride_plan_facts;

/// STRIDE_PLAN_FACTS_INIT as a function.
STRIDE_API stride_status stride_plan_facts_init(stride_plan_facts *out);

/// Writes the facts about a plan. Set `out->struct_size` before the call.
///
/// Returns: INVALID_ARGUMENT if `plan` is not a plan, or for `struct_size`.
STRIDE_API stride_status stride_plan_query(const stride_plan *plan, stride_plan_facts *out, stride_error *error);

// =================================================================================================
//
// Questions about a layout
//
// These functions answer from the layout alone; none touches tensor memory.
//
// Example: the offset of pixel (5,6), channel 2 of a packed image, and its index from that number.
//
//   int64_t sizes[3] = {480, 640, 3}, pixel[3] = {5, 6, 2}, index[3], offset;
//   stride_layout image;
//   stride_layout_init(&image, STRIDE_DTYPE_U8, 3, sizes, NULL, NULL);
//   stride_layout_offset(&image, 3, pixel, &offset, NULL);
//   stride_layout_unravel_index(&image, 9620, 3, index, NULL);
//   assert(offset == 9620 && index[0] == 5 && index[1] == 6 && index[2] == 2);

// As enums; the macros below explain them.
enum { STRIDE_FORMAT_PACKED = 1, STRIDE_FORMAT_COLUMN_MAJOR = 2, STRIDE_FORMAT_DENSE = 4,
       STRIDE_FORMAT_CHANNELS_LAST = 8 };

#define STRIDE_FORMAT_PACKED 1  ///< Format: row-major without gaps.
#define STRIDE_FORMAT_COLUMN_MAJOR 2  ///< Format: the first dimension varies fastest, without gaps.
/// Format: without gaps in some order of the dimensions, each element once; signs of strides do not count.
#define STRIDE_FORMAT_DENSE 4
/// Format: NHWC (rank 4) or NDHWC (rank 5) without gaps and not empty, as PyTorch's is_contiguous(channels_last) has
/// it.
#define STRIDE_FORMAT_CHANNELS_LAST 8

/// Checks that the struct is a valid layout; the error says what is wrong with it.
///
/// Returns: INVALID_DTYPE; INVALID_RANK; INVALID_SIZE; OVERFLOW.
STRIDE_API stride_status stride_layout_validate(const stride_layout *layout, stride_error *error);

/// Number of elements: the product of the sizes, 1 for rank 0.
STRIDE_API stride_status stride_layout_element_count(const stride_layout *layout, int64_t *out, stride_error *error);

/// Lowest and highest element offset that any index reaches; 0 and -1 if the layout is empty.
STRIDE_API stride_status stride_layout_span(const stride_layout *layout, int64_t *lowest, int64_t *highest,
                                            stride_error *error);

/// Bytes that the buffer must have: ceil((highest offset + 1) * element bits / 8); 0 if the layout is empty.
///
/// Returns: OUT_OF_BOUNDS if an element lies below the base pointer (see `stride_layout_rebase`).
STRIDE_API stride_status stride_layout_min_bytes(const stride_layout *layout, uint64_t *out, stride_error *error);

/// Element offset of an index from the base pointer: offset + index . strides.
///
/// Arrays: index[rank].
///
/// Returns: INVALID_RANK if `rank` is not the layout's; INDEX_OUT_OF_RANGE with the dimension.
STRIDE_API stride_status stride_layout_offset(const stride_layout *layout, uint32_t rank, const int64_t *index,
                                              int64_t *out, stride_error *error);

/// Byte offset of an index from the base pointer: `*offset_bytes` is the byte of the element's first bit, `*bit` that
/// bit's number in it, 0 unless elements are smaller than a byte. Bits are counted from the low end, so the element is
/// (byte >> bit) & mask; with STRIDE_DTYPE_HIGH_FIRST from the high end, so it is (byte >> (8 - bit - width)) & mask.
/// Element 3 of packed s4: byte 1, bit 4.
///
/// Arrays: index[rank].
///
/// Returns: as `stride_layout_offset`; OVERFLOW if the bytes do not fit int64_t.
STRIDE_API stride_status stride_layout_byte_offset(const stride_layout *layout, uint32_t rank, const int64_t *index,
                                                   int64_t *offset_bytes, uint32_t *bit, stride_error *error);

/// The inverse of `stride_layout_offset`: the first index, in row-major order, that lies `offset` elements from the
/// base pointer. `*sharing` becomes the number of indices that lie there: more than 1 where strides are 0 or dimensions
/// overlap, as those of windows do.
///
/// Arrays: index[rank], sharing or NULL.
///
/// Returns: INVALID_RANK if `rank` is not the layout's; NOT_REPRESENTABLE if no index lies there; UNDECIDED if a search
/// of 4096 steps does not end. A search is needed only if strides are not nested in any order; it is shorter with
/// `sharing` NULL.
///
/// Time: at most that of an overlap test.
STRIDE_API stride_status stride_layout_multi_index(const stride_layout *layout, int64_t offset, uint32_t rank,
                                                   int64_t *index, uint64_t *sharing, stride_error *error);

/// Row-major number of an index: the last dimension counts fastest, strides do not matter (numpy.ravel_multi_index).
///
/// Arrays: index[rank].
///
/// Returns: as `stride_layout_offset`.
STRIDE_API stride_status stride_layout_ravel_index(const stride_layout *layout, uint32_t rank, const int64_t *index,
                                                   int64_t *out, stride_error *error);

/// The index of a row-major number, the inverse of `stride_layout_ravel_index` (numpy.unravel_index).
///
/// Arrays: index[rank].
///
/// Returns: INDEX_OUT_OF_RANGE unless 0 <= linear < element count.
STRIDE_API stride_status stride_layout_unravel_index(const stride_layout *layout, int64_t linear, uint32_t rank,
                                                     int64_t *index, stride_error *error);

/// Every format that holds, as STRIDE_FORMAT_ flags: one layout can be packed and channels-last at once. Offsets do not
/// matter. Empty layouts and rank 0 are PACKED, COLUMN_MAJOR and DENSE.
STRIDE_API stride_status stride_layout_classify(const stride_layout *layout, uint32_t *flags, stride_error *error);

/// The order of the dimensions in memory, fastest varying first. A size-1 dimension comes right after the nearest
/// dimension of size > 1 on its right; those with none on their right come first.
///
/// Arrays: minor_to_major[rank].
///
/// Returns: NOT_REPRESENTABLE with the dimension for gaps, zero and negative strides.
STRIDE_API stride_status stride_layout_minor_to_major(const stride_layout *layout, uint32_t rank,
                                                      int64_t *minor_to_major, stride_error *error);

/// Strides in bytes, as NumPy, Arrow, ggml and PJRT have them: the inverse of `stride_layout_init_byte_strides`. The
/// offset does not count. The stride of a dimension of size 1 or of an empty layout has no effect: it becomes 0 if it
/// is not a whole number of bytes or is too large.
///
/// Arrays: byte_strides[rank].
///
/// Returns: NOT_REPRESENTABLE with the dimension if elements below a byte do not lie a whole number of bytes apart;
/// OVERFLOW with the dimension.
STRIDE_API stride_status stride_layout_byte_strides(const stride_layout *layout, uint32_t rank, int64_t *byte_strides,
                                                    stride_error *error);

/// `*answer` becomes 1 if dtype, offset, rank, sizes and all strides are equal, also strides without effect; else 0.
STRIDE_API stride_status stride_layout_equal(const stride_layout *lhs, const stride_layout *rhs, uint32_t *answer,
                                             stride_error *error);

/// `*answer` becomes 1 if every index means the same element in both layouts, else 0: equal dtype and sizes and, unless
/// empty, equal offset and equal strides of dimensions of size > 1.
STRIDE_API stride_status stride_layout_same_mapping(const stride_layout *lhs, const stride_layout *rhs,
                                                    uint32_t *answer, stride_error *error);

/// Writes the layout as text: "f32[2,3] strides [3,1] offset 0".
///
/// Arrays: buffer[capacity], length or NULL.
STRIDE_API stride_status stride_layout_format(const stride_layout *layout, char *buffer, uint64_t capacity,
                                              uint64_t *length, stride_error *error);

// =================================================================================================
//
// Facts
//
// Properties of a layout: whether it fits a buffer, its packed run, the alignment of its elements and rows, the order
// of its dimensions. `stride_layout_query` writes most of them in one call.
//
// The packed run of a layout is the longest tail of dimensions that lie packed together; dimensions of size 1 are
// skipped. A row is one such run: there is one for each index of the other dimensions.
//
// Example: rows of 640 pixels of three bytes, 2048 bytes apart.
//
//   int64_t sizes[3] = {480, 640, 3};
//   stride_layout image;
//   stride_layout_facts facts = STRIDE_LAYOUT_FACTS_INIT;
//   stride_layout_init_aligned(&image, STRIDE_DTYPE_U8, 3, sizes, 0, 256, NULL);
//   stride_layout_query(&image, &facts, NULL);
//   assert(facts.run_elements == 1920 && facts.row_alignment == 2048 && facts.min_bytes == 479 * 2048 + 1920);

/// Facts about a layout; begin with STRIDE_LAYOUT_FACTS_INIT.
typedef struct stride_layout_facts {
  /// sizeof(stride_layout_facts), set by the caller.
  uint32_t struct_size;
  /// STRIDE_FORMAT_... flags: every format that holds.
  uint32_t formats;
  /// Elements; 0 if the layout is empty.
  int64_t element_count;
  /// Lowest element offset that any index reaches, in elements from the base pointer; 0 if the layout is empty.
  int64_t lowest;
  /// Highest element offset; -1 if the layout is empty.
  int64_t highest;
  /// Bytes that the buffer must have; UINT64_MAX: no buffer fits, since an element lies below the base pointer.
  uint64_t min_bytes;
  /// Bytes of a packed copy; UINT64_MAX if they are too many (repeated elements).
  uint64_t packed_bytes;
  /// Bits of an element.
  uint32_t element_bits;
  /// Dimensions of the packed run.
  uint32_t run_dimensions;
  /// Elements of the packed run.
  int64_t run_elements;
  /// Bytes: the largest power of two that divides the address of every element, if the base pointer is aligned to as
  /// much. If it is aligned to less, the smaller number holds.
  uint64_t element_alignment;
  /// Bytes: the largest power of two that divides the address of every row's first element, on that condition.
  uint64_t row_alignment;
} stride_layout_facts;

/// STRIDE_LAYOUT_FACTS_INIT as a function.
STRIDE_API stride_status stride_layout_facts_init(stride_layout_facts *out);

/// Checks that every element lies in a buffer of `buffer_bytes`. An empty layout fits any.
///
/// Returns: OUT_OF_BOUNDS with the bytes needed and given (PAST_END), or with the lowest byte if an element lies below
/// the base pointer (BEFORE_START).
STRIDE_API stride_status stride_layout_fits(const stride_layout *layout, uint64_t buffer_bytes, stride_error *error);

/// All facts at once, for callers to whom a call costs more than an answer.
///
/// Requires: `out->struct_size` is set.
///
/// Returns: INVALID_ARGUMENT for `struct_size`.
STRIDE_API stride_status stride_layout_query(const stride_layout *layout, stride_layout_facts *out,
                                             stride_error *error);

/// The largest powers of two, in bytes, that divide the address of every element, and that of every row's first
/// element, if `base_alignment` (a power of two) divides the base pointer. The address of an element below a byte is
/// that of its byte. An empty layout has the base's alignment. Packed f32 {4,3} with a base alignment of 64: elements
/// 4, the one row 64.
///
/// Returns: INVALID_ARGUMENT unless `base_alignment` is a power of two.
STRIDE_API stride_status stride_layout_alignment(const stride_layout *layout, uint64_t base_alignment,
                                                 uint64_t *element, uint64_t *row, stride_error *error);

/// The packed run: the number of trailing dimensions that lie packed together, and of their elements. The innermost
/// stride is 1, each other one the number of elements inside it. Dimensions of size 1 are counted; their strides are
/// ignored. {3,3,1,96} with strides {288,96,96,1}: 4 dimensions, 864 elements; {4,16} with {18,1}: 1, 16; {4} with {2}:
/// 0, 1. An empty layout is one run of 0 elements. (MLIR, MemRefType::getMaxContiguousTrailingDims.)
STRIDE_API stride_status stride_layout_contiguous_run(const stride_layout *layout, uint32_t *dimensions,
                                                      int64_t *elements, stride_error *error);

/// The order of the dimensions in memory, outermost first; gaps, repeats and mirrors are allowed. An order fits if the
/// strides of its dimensions of size > 1, without their signs, never grow (0 is the smallest). Dimensions of size 1,
/// and all dimensions of an empty layout, may stand anywhere. `preferred` is returned if it fits; (0, NULL) prefers
/// none. Otherwise the order is the canonical one: large strides first, equal ones by their number, a dimension of size
/// 1 before the nearest one of size > 1 on its right, or last if there is none. `*unique` becomes 1 if no other order
/// fits, else 0. {8,1,3,3} with strides {9,1,3,1}: {0,2,3,1} if that is preferred, else {0,1,2,3}. (ExecuTorch,
/// dim_order.)
///
/// Arrays: preferred[count], order[rank].
///
/// Returns: INVALID_RANK unless `count` is 0 or the layout's rank, and `rank` the layout's; INVALID_AXES with the entry
/// unless `preferred` is a permutation of 0 ... rank - 1.
STRIDE_API stride_status stride_layout_dim_order(const stride_layout *layout, uint32_t count, const int64_t *preferred,
                                                 uint32_t rank, int64_t *order, uint32_t *unique, stride_error *error);

// =================================================================================================
//
// Overlap
//
// To decide whether two indices mean the same memory is NP-hard in general. The functions below decide it at once for
// all ordinary layouts, and by an exact search with a budget for the rest: UNDECIDED means that the budget ended
// first. A budget of 0 is the default, 4096 steps; a step takes some hundreds of nanoseconds. With any budget, two
// more cases may be UNDECIDED: layouts that reach 2^61 bytes and more, and elements below a byte in
// `stride_layouts_overlap` (detail BIT_ORDERS).
//
// Example: the red and the green channel of one image of three interleaved bytes share nothing.
//
//   int64_t sizes[1] = {100}, strides[1] = {3};
//   stride_layout channel;
//   uint32_t overlap;
//   stride_layout_init(&channel, STRIDE_DTYPE_U8, 1, sizes, strides, NULL);
//   stride_layouts_overlap(&channel, 4096, &channel, 4097, 0, &overlap, NULL);
//   assert(overlap == 0);

/// `*answer` becomes 1 if two different indices of the layout mean the same element, else 0. With strides {3,4}, the
/// indices of sizes {4,4} are distinct, those of {5,4} are not.
///
/// Returns: UNDECIDED.
STRIDE_API stride_status stride_layout_self_overlap(const stride_layout *layout, uint64_t budget, uint32_t *answer,
                                                    stride_error *error);

/// `*answer` becomes 1 if any bit belongs to an element of both layouts, with their base pointers at these addresses
/// (in bytes), else 0. Two channels of one interleaved image do not overlap, nor do two 4-bit elements of one byte.
///
/// Returns: UNDECIDED, also if only one side is HIGH_FIRST and some byte holds elements below a byte of both, or if too
/// many of their strides are not whole bytes to check that.
STRIDE_API stride_status stride_layouts_overlap(const stride_layout *lhs, uint64_t lhs_address,
                                                const stride_layout *rhs, uint64_t rhs_address, uint64_t budget,
                                                uint32_t *answer, stride_error *error);

// =================================================================================================
//
// DirectML
//
// stride_dml_buffer_tensor_desc has the memory layout of DML_BUFFER_TENSOR_DESC: cast one to the other.
// `stride_dml_buffer_tensor_size` computes how many bytes a tensor takes; `stride_dml_validate` says whether DirectML
// accepts it, with the reason that E_INVALIDARG does not give. Sources: DirectML.h, DirectMLX.h, and the DirectML
// pages on learn.microsoft.com.
//
// Example: rows of 3 floats at a pitch of 4, as an engine that wants four dimensions describes them.
//
//   int64_t sizes[2] = {2, 3}, strides[2] = {4, 1};
//   uint32_t dml_sizes[8], dml_strides[8]; uint64_t offset;
//   stride_layout rows; stride_dml_buffer_tensor_desc desc;
//   stride_layout_init(&rows, STRIDE_DTYPE_F32, 2, sizes, strides, NULL);
//   stride_layout_to_dml(&rows, 4, dml_sizes, dml_strides, &desc, &offset, NULL);
//   assert(desc.dimension_count == 4 && desc.total_tensor_size_in_bytes == 28);
//   assert(stride_dml_validate(&desc, NULL) == STRIDE_STATUS_OK);

// As enums; the macros below explain them.
enum { STRIDE_DML_TENSOR_DATA_TYPE_UNKNOWN = 0, STRIDE_DML_TENSOR_DATA_TYPE_FLOAT32 = 1,
       STRIDE_DML_TENSOR_DATA_TYPE_FLOAT16 = 2, STRIDE_DML_TENSOR_DATA_TYPE_UINT32 = 3,
       STRIDE_DML_TENSOR_DATA_TYPE_UINT16 = 4, STRIDE_DML_TENSOR_DATA_TYPE_UINT8 = 5,
       STRIDE_DML_TENSOR_DATA_TYPE_INT32 = 6, STRIDE_DML_TENSOR_DATA_TYPE_INT16 = 7,
       STRIDE_DML_TENSOR_DATA_TYPE_INT8 = 8, STRIDE_DML_TENSOR_DATA_TYPE_FLOAT64 = 9,
       STRIDE_DML_TENSOR_DATA_TYPE_UINT64 = 10, STRIDE_DML_TENSOR_DATA_TYPE_INT64 = 11,
       STRIDE_DML_TENSOR_DATA_TYPE_UINT4 = 12, STRIDE_DML_TENSOR_DATA_TYPE_INT4 = 13 };
enum { STRIDE_DML_TENSOR_FLAG_NONE = 0, STRIDE_DML_TENSOR_FLAG_OWNED_BY_DML = 1 };
enum { STRIDE_DML_TENSOR_DIMENSION_COUNT_MAX = 8, STRIDE_DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT = 16 };

#define STRIDE_DML_TENSOR_DATA_TYPE_UNKNOWN 0  ///< DML_TENSOR_DATA_TYPE_UNKNOWN.
#define STRIDE_DML_TENSOR_DATA_TYPE_FLOAT32 1  ///< DML_TENSOR_DATA_TYPE_FLOAT32.
#define STRIDE_DML_TENSOR_DATA_TYPE_FLOAT16 2  ///< DML_TENSOR_DATA_TYPE_FLOAT16.
#define STRIDE_DML_TENSOR_DATA_TYPE_UINT32 3  ///< DML_TENSOR_DATA_TYPE_UINT32.
#define STRIDE_DML_TENSOR_DATA_TYPE_UINT16 4  ///< DML_TENSOR_DATA_TYPE_UINT16.
#define STRIDE_DML_TENSOR_DATA_TYPE_UINT8 5  ///< DML_TENSOR_DATA_TYPE_UINT8.
#define STRIDE_DML_TENSOR_DATA_TYPE_INT32 6  ///< DML_TENSOR_DATA_TYPE_INT32.
#define STRIDE_DML_TENSOR_DATA_TYPE_INT16 7  ///< DML_TENSOR_DATA_TYPE_INT16.
#define STRIDE_DML_TENSOR_DATA_TYPE_INT8 8  ///< DML_TENSOR_DATA_TYPE_INT8.
#define STRIDE_DML_TENSOR_DATA_TYPE_FLOAT64 9  ///< DML_TENSOR_DATA_TYPE_FLOAT64.
#define STRIDE_DML_TENSOR_DATA_TYPE_UINT64 10  ///< DML_TENSOR_DATA_TYPE_UINT64.
#define STRIDE_DML_TENSOR_DATA_TYPE_INT64 11  ///< DML_TENSOR_DATA_TYPE_INT64.
#define STRIDE_DML_TENSOR_DATA_TYPE_UINT4 12  ///< DML_TENSOR_DATA_TYPE_UINT4.
#define STRIDE_DML_TENSOR_DATA_TYPE_INT4 13  ///< DML_TENSOR_DATA_TYPE_INT4.
#define STRIDE_DML_TENSOR_FLAG_NONE 0  ///< DML_TENSOR_FLAG_NONE.
#define STRIDE_DML_TENSOR_FLAG_OWNED_BY_DML 1  ///< DML_TENSOR_FLAG_OWNED_BY_DML.
/// The most dimensions that DirectML takes (DML_TENSOR_DIMENSION_COUNT_MAX1).
#define STRIDE_DML_TENSOR_DIMENSION_COUNT_MAX 8

/// Bytes: the offset of a binding is a multiple of this (DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT).
#define STRIDE_DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT 16

/// DML_BUFFER_TENSOR_DESC: 48 bytes with fields at 0, 4, 8, 16, 24, 32 and 40 on 64-bit machines.
typedef struct stride_dml_buffer_tensor_desc {
  /// STRIDE_DML_TENSOR_DATA_TYPE_...
  uint32_t data_type;
  /// STRIDE_DML_TENSOR_FLAG_...
  uint32_t flags;
  /// Number of dimensions, 1 to 8.
  uint32_t dimension_count;
  /// Elements along each dimension, outermost first.
  const uint32_t *sizes;
  /// Elements between neighbours along each dimension; NULL: packed.
  const uint32_t *strides;
  /// Bytes of the buffer: a multiple of 4, at least what the elements need.
  uint64_t total_tensor_size_in_bytes;
  /// Bytes: 0, or a power of two of which the binding's offset is a multiple.
  uint32_t guaranteed_base_offset_alignment;
} stride_dml_buffer_tensor_desc;

/// Bytes that a tensor needs, rounded up to a multiple of 4: DirectMLX's DMLCalcBufferTensorSize, with its parameters.
/// `strides` NULL: packed. 0 for an empty tensor and on any error; `stride_dml_buffer_tensor_size` tells them apart.
/// Correct where the original wraps: {3,2} with strides {2^31,1} of float32 takes 17179869192 bytes, not 8. 2^60 bytes
/// and more, or more than 2^63 - 1 elements, are errors, far beyond DirectML's limits.
///
/// Arrays: sizes[dimension_count], strides[dimension_count] or NULL.
STRIDE_API uint64_t stride_dml_calc_buffer_tensor_size(uint32_t data_type, uint32_t dimension_count,
                                                       const uint32_t *sizes, const uint32_t *strides);

/// `stride_dml_calc_buffer_tensor_size` with a reason: `*out` becomes the number of bytes. An empty tensor takes 0,
/// rank 0 is one element. Up to 64 dimensions.
///
/// Arrays: sizes[dimension_count], strides[dimension_count] or NULL.
///
/// Returns: INVALID_DTYPE; INVALID_RANK; OVERFLOW.
STRIDE_API stride_status stride_dml_buffer_tensor_size(uint32_t data_type, uint32_t dimension_count,
                                                       const uint32_t *sizes, const uint32_t *strides, uint64_t *out,
                                                       stride_error *error);

/// Checks that DirectML accepts the descriptor; the error says why not. In this order: 1 to 8 dimensions; data type;
/// flags; no size of 0; at most 2^32 - 1 elements, and a highest offset below 2^32 - 1; total size a multiple of 4 and
/// large enough; alignment 0 or a power of two that is at least an element's bytes.
///
/// Returns: INVALID_RANK; INVALID_DTYPE; INVALID_ARGUMENT (flags, total size, alignment); INVALID_SIZE with
/// the dimension; OVERFLOW (too many elements); OUT_OF_BOUNDS (total size too small: bytes needed, bytes given).
STRIDE_API stride_status stride_dml_validate(const stride_dml_buffer_tensor_desc *desc, stride_error *error);

/// Checks that DirectML accepts a buffer of `buffer_bytes` for a tensor, bound from byte `base_offset_bytes` on. The
/// descriptor must pass `stride_dml_validate`. The offset must be a multiple of
/// STRIDE_DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT and of the descriptor's guaranteed_base_offset_alignment. From there on
/// the buffer must hold the total size. A crop that begins at byte 22 cannot be bound: copy it (`stride_copy`).
///
/// Returns: as `stride_dml_validate`; INVALID_ARGUMENT with argument BASE_OFFSET_BYTES, the offset and the number of
/// which it must be a multiple; OUT_OF_BOUNDS with argument BUFFER_BYTES: bytes needed, bytes given.
STRIDE_API stride_status stride_dml_validate_binding(const stride_dml_buffer_tensor_desc *desc,
                                                     uint64_t base_offset_bytes, uint64_t buffer_bytes,
                                                     stride_error *error);

/// The layout that a descriptor describes, offset 0. Empty tensors pass here; `stride_dml_validate` refuses them.
///
/// Returns: INVALID_RANK above 8; INVALID_DTYPE; OVERFLOW.
STRIDE_API stride_status stride_layout_from_dml(const stride_dml_buffer_tensor_desc *desc, stride_layout *out,
                                                stride_error *error);

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
STRIDE_API stride_status stride_layout_to_dml(const stride_layout *layout, uint32_t least_rank, uint32_t *sizes,
                                              uint32_t *strides, stride_dml_buffer_tensor_desc *out,
                                              uint64_t *base_offset_bytes, stride_error *error);

// =================================================================================================
//
// Errors
//
// A function returns a stride_status. The record of an error says more: the argument by its parameter's name, the
// dimension, the rule that was broken, and the two numbers. `stride_error_format` makes a sentence of it. Branch on
// the status; the numbers of arguments and rules are in stride_errors.h.
//
// Example: the sentence for a negative size.
//
//   int64_t sizes[2] = {3, -1};
//   stride_layout layout; stride_error error; char sentence[200]; uint64_t length;
//   assert(stride_layout_init(&layout, STRIDE_DTYPE_F32, 2, sizes, NULL, &error) == STRIDE_STATUS_INVALID_SIZE);
//   stride_error_format(&error, sentence, sizeof sentence, &length, NULL);
//   assert(strcmp(sentence, "sizes, dimension 1: size -1 is negative") == 0);

// As enums; the macros below explain them.
enum { STRIDE_STATUS_OK = 0, STRIDE_STATUS_NULL_POINTER = 1, STRIDE_STATUS_INVALID_ARGUMENT = 2,
       STRIDE_STATUS_INVALID_DTYPE = 3, STRIDE_STATUS_INVALID_RANK = 4, STRIDE_STATUS_INVALID_SIZE = 5,
       STRIDE_STATUS_INVALID_STRIDE = 6, STRIDE_STATUS_INVALID_AXES = 7, STRIDE_STATUS_INVALID_TILE = 8,
       STRIDE_STATUS_INDEX_OUT_OF_RANGE = 9, STRIDE_STATUS_OVERFLOW = 10, STRIDE_STATUS_SHAPE_MISMATCH = 20,
       STRIDE_STATUS_BROADCAST_MISMATCH = 21, STRIDE_STATUS_DTYPE_MISMATCH = 22, STRIDE_STATUS_OUT_OF_BOUNDS = 30,
       STRIDE_STATUS_OVERLAP = 31, STRIDE_STATUS_SCRATCH_NEEDED = 32, STRIDE_STATUS_PARSE = 40,
       STRIDE_STATUS_UNSUPPORTED = 50, STRIDE_STATUS_NOT_REPRESENTABLE = 100, STRIDE_STATUS_UNDECIDED = 101 };

#define STRIDE_STATUS_OK 0  ///< Done.
#define STRIDE_STATUS_NULL_POINTER 1  ///< A pointer that is required is null.
#define STRIDE_STATUS_INVALID_ARGUMENT 2  ///< A number, flag or structure size outside its range.
#define STRIDE_STATUS_INVALID_DTYPE 3  ///< Not a dtype, or not one that serves here.
#define STRIDE_STATUS_INVALID_RANK 4  ///< A rank above the limit, or not the rank that the other argument has.
#define STRIDE_STATUS_INVALID_SIZE 5  ///< A negative size, or a size that this function cannot take.
#define STRIDE_STATUS_INVALID_STRIDE 6  ///< A stride that this function cannot take.
#define STRIDE_STATUS_INVALID_AXES 7  ///< Dimension numbers that repeat, are out of range or out of order.
#define STRIDE_STATUS_INVALID_TILE 8  ///< A tile or block that is not valid.
#define STRIDE_STATUS_INDEX_OUT_OF_RANGE 9  ///< An index outside its dimension.
#define STRIDE_STATUS_OVERFLOW 10  ///< A number too large for 64 bits, or for DirectML's 32.
#define STRIDE_STATUS_SHAPE_MISMATCH 20  ///< Sizes that should be equal are not.
#define STRIDE_STATUS_BROADCAST_MISMATCH 21  ///< Sizes that cannot be broadcast together.
#define STRIDE_STATUS_DTYPE_MISMATCH 22  ///< Element types that should be equal are not.
#define STRIDE_STATUS_OUT_OF_BOUNDS 30  ///< An element below the base of the buffer or past its end.
#define STRIDE_STATUS_OVERLAP 31  ///< Two indices, or two buffers, share bytes where they must not.
#define STRIDE_STATUS_SCRATCH_NEEDED 32  ///< The copy needs scratch memory.
#define STRIDE_STATUS_PARSE 40  ///< Text that does not follow the grammar.
#define STRIDE_STATUS_UNSUPPORTED 50  ///< Valid, but not implemented in this version.
#define STRIDE_STATUS_NOT_REPRESENTABLE 100  ///< The answer is no: the result has no such form.
#define STRIDE_STATUS_UNDECIDED 101  ///< No answer within the limits on work and stack.

/// The reason why a function failed: the argument, the dimension of it, and the two numbers that do not agree.
struct stride_error {
  /// STRIDE_STATUS_..., as returned.
  int32_t status;
  /// STRIDE_ARGUMENT_...
  uint32_t argument;
  /// Dimension number, or position in a list of dimension numbers; -1: none.
  int32_t dimension;
  /// Operand, tile, block, run, or copy of a batch; -1: none.
  int32_t item;
  /// Byte in a text; UINT64_MAX: none.
  uint64_t position;
  /// Usually the number that was found. Saturated.
  int64_t lhs;
  /// Usually the number with which it was compared. Saturated.
  int64_t rhs;
  /// STRIDE_DETAIL_...: which rule was broken; 0: none.
  uint64_t detail;
  /// Zero.
  uint64_t reserved[2];
};

/// The word for a status, such as "OVERFLOW"; "UNKNOWN" for a number that is not one. Never fails, never NULL.
STRIDE_API const char *stride_status_name(stride_status status);

/// Writes a sentence such as "src_layout, dimension 2: size is 5, but it is 7 in dst_layout". On failure `buffer` gets
/// a sentence too, with the numbers of the record, so it may be printed in any case.
///
/// Arrays: buffer[capacity], length or NULL.
///
/// Returns: INVALID_ARGUMENT if `record` holds an unknown status, argument or detail.
STRIDE_API stride_status stride_error_format(const stride_error *record, char *buffer, uint64_t capacity,
                                             uint64_t *length, stride_error *error);

// =================================================================================================
//
// Element types
//
// Numbers and names are those of XLA's PrimitiveType. Without a stride_conversion, values are never converted: bits
// are copied as they are. Elements smaller than a byte are packed without gaps; the first one lies in the low bits of
// its byte (DLPack, ONNX, DirectML, XLA), or in the high bits with STRIDE_DTYPE_HIGH_FIRST (XLA before 2025).
//
// Numbers of several bytes lie in this machine's byte order, or in the other one with STRIDE_DTYPE_SWAPPED (">f4" on
// x86-64). A copy between the two swaps the bytes; of a complex number, those of each part. An element of any number n
// of bytes is STRIDE_DTYPE_BYTES | n; it has no byte order, and is copied unchanged to and from every type of the same
// width.
//
// Example: a pixel of three floats is one element of 12 bytes.
//
//   uint32_t pixel, bits;
//   stride_dtype_from_bytes(12, &pixel, NULL);
//   stride_dtype_bits(pixel, &bits, NULL);
//   assert(bits == 96 && pixel == (STRIDE_DTYPE_BYTES | 12));

// As enums; the macros below explain them.
enum { STRIDE_DTYPE_PRED = 1, STRIDE_DTYPE_S1 = 30, STRIDE_DTYPE_S2 = 26, STRIDE_DTYPE_S4 = 21, STRIDE_DTYPE_S8 = 2,
       STRIDE_DTYPE_S16 = 3, STRIDE_DTYPE_S32 = 4, STRIDE_DTYPE_S64 = 5, STRIDE_DTYPE_U1 = 31, STRIDE_DTYPE_U2 = 27,
       STRIDE_DTYPE_U4 = 22, STRIDE_DTYPE_U8 = 6, STRIDE_DTYPE_U16 = 7, STRIDE_DTYPE_U32 = 8, STRIDE_DTYPE_U64 = 9,
       STRIDE_DTYPE_F4E2M1FN = 32, STRIDE_DTYPE_F8E3M4 = 29, STRIDE_DTYPE_F8E4M3 = 28, STRIDE_DTYPE_F8E4M3FN = 20,
       STRIDE_DTYPE_F8E4M3B11FNUZ = 23, STRIDE_DTYPE_F8E4M3FNUZ = 25, STRIDE_DTYPE_F8E5M2 = 19,
       STRIDE_DTYPE_F8E5M2FNUZ = 24, STRIDE_DTYPE_F8E8M0FNU = 33, STRIDE_DTYPE_F16 = 10, STRIDE_DTYPE_BF16 = 16,
       STRIDE_DTYPE_F32 = 11, STRIDE_DTYPE_F64 = 12, STRIDE_DTYPE_C64 = 15, STRIDE_DTYPE_C128 = 18,
       STRIDE_DTYPE_HIGH_FIRST = 1073741824, STRIDE_DTYPE_SWAPPED = 536870912 };

#define STRIDE_DTYPE_PRED 1  ///< 8 bits
#define STRIDE_DTYPE_S1 30  ///< 1 bit
#define STRIDE_DTYPE_S2 26  ///< 2 bits
#define STRIDE_DTYPE_S4 21  ///< 4 bits
#define STRIDE_DTYPE_S8 2  ///< 8 bits
#define STRIDE_DTYPE_S16 3  ///< 16 bits
#define STRIDE_DTYPE_S32 4  ///< 32 bits
#define STRIDE_DTYPE_S64 5  ///< 64 bits
#define STRIDE_DTYPE_U1 31  ///< 1 bit
#define STRIDE_DTYPE_U2 27  ///< 2 bits
#define STRIDE_DTYPE_U4 22  ///< 4 bits
#define STRIDE_DTYPE_U8 6  ///< 8 bits
#define STRIDE_DTYPE_U16 7  ///< 16 bits
#define STRIDE_DTYPE_U32 8  ///< 32 bits
#define STRIDE_DTYPE_U64 9  ///< 64 bits
#define STRIDE_DTYPE_F4E2M1FN 32  ///< 4 bits
#define STRIDE_DTYPE_F8E3M4 29  ///< 8 bits
#define STRIDE_DTYPE_F8E4M3 28  ///< 8 bits
#define STRIDE_DTYPE_F8E4M3FN 20  ///< 8 bits
#define STRIDE_DTYPE_F8E4M3B11FNUZ 23  ///< 8 bits
#define STRIDE_DTYPE_F8E4M3FNUZ 25  ///< 8 bits
#define STRIDE_DTYPE_F8E5M2 19  ///< 8 bits
#define STRIDE_DTYPE_F8E5M2FNUZ 24  ///< 8 bits
#define STRIDE_DTYPE_F8E8M0FNU 33  ///< 8 bits
#define STRIDE_DTYPE_F16 10  ///< 16 bits
#define STRIDE_DTYPE_BF16 16  ///< 16 bits
#define STRIDE_DTYPE_F32 11  ///< 32 bits
#define STRIDE_DTYPE_F64 12  ///< 64 bits
#define STRIDE_DTYPE_C64 15  ///< 64 bits
#define STRIDE_DTYPE_C128 18  ///< 128 bits
/// Flag of a type smaller than a byte: the first element lies in the high bits of its byte.
#define STRIDE_DTYPE_HIGH_FIRST 0x40000000
/// Flag of a number of several bytes: they lie in the byte order that this machine does not have.
#define STRIDE_DTYPE_SWAPPED 0x20000000
#define STRIDE_DTYPE_BYTES 0x80000000  ///< Flag: the low 24 bits are an element's bytes, 1 to 2^24 - 1, without a type.

/// The type of an element of `bytes` bytes: structs, 12-byte pixels.
///
/// Returns: INVALID_DTYPE unless 1 <= bytes < 2^24.
STRIDE_API stride_status stride_dtype_from_bytes(uint32_t bytes, uint32_t *out, stride_error *error);

/// Bits of one element, 1 and more.
///
/// Returns: INVALID_DTYPE.
STRIDE_API stride_status stride_dtype_bits(uint32_t dtype, uint32_t *out, stride_error *error);

/// Writes the name: "f32", "bytes12", "s4", "s4:high" with STRIDE_DTYPE_HIGH_FIRST and "f32:swapped" with
/// STRIDE_DTYPE_SWAPPED. At most 13 characters.
///
/// Arrays: buffer[capacity], length or NULL.
///
/// Returns: INVALID_DTYPE.
STRIDE_API stride_status stride_dtype_name(uint32_t dtype, char *buffer, uint64_t capacity, uint64_t *length,
                                           stride_error *error);

/// The type with this name, the inverse of `stride_dtype_name`. `length` counts the bytes of `text`.
///
/// Arrays: text[length].
///
/// Returns: PARSE if there is no such name.
STRIDE_API stride_status stride_dtype_parse(const char *text, uint64_t length, uint32_t *out, stride_error *error);

// =================================================================================================
//
// Version
//
// The macros STRIDE_VERSION, STRIDE_VERSION_MAJOR, _MINOR and _PATCH are those of this header; the functions answer
// for the library that is linked. Compare the two to be sure that they match.
//
// Example: the library is the one that the program was compiled for.
//
//   int same_interface = stride_abi_version() == STRIDE_ABI_VERSION;
//   int new_enough = stride_version() >= STRIDE_VERSION;
//   assert(same_interface && new_enough);

/// Version of the library: MAJOR * 10000 + MINOR * 100 + PATCH. Never fails.
STRIDE_API uint32_t stride_version(void);

/// Version of the binary interface: the number in the shared library's name. A program works with this library if
/// its header has the same STRIDE_ABI_VERSION and no higher STRIDE_VERSION. Never fails.
STRIDE_API uint32_t stride_abi_version(void);

#ifdef __cplusplus
}  // extern "C"
#endif

// For fewer programs.
#include "stride_kernels.h"
#include "stride_consumers.h"
#include "stride_machine.h"
#include "stride_errors.h"

#endif  // STRIDE_H
