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
//     with elements at any byte (packed records)          stride_layout_init_bytes, stride_layout_bytes
//     with its dimensions in another order                stride_layout_init_ordered, stride_layout_init_channels_last
//     with padded rows                                    stride_layout_init_pitched, stride_layout_init_aligned
//     in the corner of a padded buffer                    stride_layout_init_padded
//     of structs, of pixels of n bytes                    stride_dtype_from_bytes, then any of these
//   know how many bytes the buffer needs                  stride_layout_min_bytes
//   know where an element lies                            stride_layout_offset, stride_layout_byte_offset
//   know whether a layout fits my buffer                  stride_layout_fits
//   know whether it is packed, NHWC, ...                  stride_layout_classify, stride_layout_contiguous_run
//   know the order of its dimensions                      stride_layout_dim_order, stride_layout_minor_to_major
//   know how its elements and rows are aligned            stride_layout_alignment
//   know most of this in one call                         stride_layout_query
//   crop, slice, transpose, mirror, reshape               stride_layout_crop, _slice, _permute, _flip, _reshape, ...
//   view sliding windows (unfold); as another dtype       stride_layout_window; stride_layout_reinterpret
//   set any strides, checked                              stride_layout_as_strided
//   select one index, repeat, roll                        stride_layout_select, stride_layout_repeat, stride_layout_cut
//   broadcast one operand; several                        stride_layout_broadcast_to; stride_broadcast_layouts (NumPy)
//   give an elementwise result the operands' layout       stride_layouts_result
//   compose a view with a view; tile; invert              stride_layout_compose, stride_layout_tile, _inverse
//   know how many elements a vector may move at a time    stride_layouts_common_run
//   use a pointer to index (0, ..., 0) of a mirrored view stride_layout_rebase
//   copy, transpose, convert NHWC to NCHW, pad            stride_copy; with gaps filled: STRIDE_COPY_FILL_BUFFER
//     elements of 4, 2 or 1 bits, swap nibbles            stride_copy; dtypes with STRIDE_DTYPE_HIGH_FIRST
//     between byte orders (big-endian files)              stride_copy; dtypes with STRIDE_DTYPE_SWAPPED
//                                                         (of ">f4": stride_dtype_from_typestr)
//     with channels reordered, dropped, filled            stride_copy_take, stride_plan_init_take
//     to other sizes; pack and unpack piece by piece      STRIDE_COPY_ROW_MAJOR; stride_copy_range
//     within one buffer (memmove)                         stride_copy_scratch with STRIDE_COPY_OVERLAP
//     many times, or on my own threads                    stride_plan_init, stride_plan_execute_part
//     many blocks with one plan                           stride_plan_execute_batch
//     by a GPU, DMA or network card, which takes a list   stride_plan_regions
//     by cudaMemcpy3D, CopyTextureRegion, ... with rules  stride_region_rules_init, stride_plan_regions_under
//   know the kind of a copy; what it reaches, moves       stride_copy_classify; stride_plan_query
//   set all elements; compare two tensors                 stride_fill; stride_compare
//   run my own loop over several tensors                  stride_runs_init, stride_runs_next; the loops: _coalesce
//   know whether elements or tensors share memory         stride_layout_self_overlap, stride_layouts_overlap
//   know whether TMA, D3D12, Metal, ... take a layout     stride_requirements_init, stride_layout_meets
//     and get one that they take, and its bytes           stride_layout_fit, stride_layout_required_bytes
//   talk to DirectML                                      stride_layout_to_dml, _from_dml, stride_dml_validate
//   talk to XLA or PJRT; use oneDNN's nChw16c and its kin  stride_xla.h
//   talk to DLPack, Python, ggml, cameras                 stride_interop.h
//   know what went wrong                                  stride_error, stride_error_format
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
// text directly behind it. Only stride_plan_execute_batch and the functions for PJRT have counts behind their lists.
//
// Lists. `Arrays: axes[rank]` says that `axes` points to `rank` entries; brackets may also hold a sum, a fixed number
// or a length in bytes. (NULL, 0) is an empty list. The object says how many entries there must be: another number is
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
// (stride_plan_execute_batch) are read during the copies; one that lies where a copy writes is refused. If another
// thread changes an input during a call, the worst result is wrong bytes inside the buffers and outputs that were
// named.
//
// Units. Sizes, strides and offsets are in elements; what is in bytes or bits says so in its name. The length of a
// buffer may be more than is reached; with UINT64_MAX no upper bound is checked, and the caller guarantees it.
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
// Stack. A call takes at most 48 KiB (64 with XLA shapes, blocked layouts, lists and ranges), 8 with
// STRIDE_COPY_SMALL_STACK. On Windows and on 32-bit systems, whose frames are larger, each is 1 KiB more.
//
// Versions. Within one STRIDE_ABI_VERSION, functions, numbers and structs keep their meaning; new ones may come, and
// what failed may succeed. Releases 0.x may raise it. docs/ABI.md has the details.
//
// Sections: Layouts - Views - Windows and other readings - Composition - Broadcasting - Machines - Copies - Plans -
// Copies in row-major order - Copies that take - Copies as data - Your own kernel - Questions about a layout - Facts -
// Overlap - Requirements - DirectML - Errors - Element types - Version.

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

/// Options of a copy that ask for nothing: stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
#define STRIDE_COPY_OPTIONS_INIT { sizeof(stride_copy_options), 0, 0, 0, 0, { 0 }, NULL }

/// Facts for stride_layout_query to fill in: stride_layout_facts facts = STRIDE_LAYOUT_FACTS_INIT;
#define STRIDE_LAYOUT_FACTS_INIT { sizeof(stride_layout_facts), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

/// Facts for stride_plan_query to fill in: stride_plan_facts facts = STRIDE_PLAN_FACTS_INIT;
#define STRIDE_PLAN_FACTS_INIT { sizeof(stride_plan_facts), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

#ifdef __cplusplus
extern "C" {
#endif

/// What a function answers: one of the STRIDE_STATUS_ values. The numbers never change; new ones may be added.
typedef int32_t stride_status;

/// Why a function did not succeed; see the section on errors.
typedef struct stride_error stride_error;

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
// It is plain data: copy it, write its fields. Every function checks what it is given: rank <= 64; a known dtype; no
// negative size; an element count that fits int64_t (0 as soon as one size is 0); and offsets that fit int64_t, also
// (highest offset + 1) times the bits of an element, so nothing ends past 2^60 bytes. Entries beyond `rank` are
// neither read nor written. An empty layout (a size of 0) reaches nothing and takes 0 bytes. The stride of a dimension
// of size 1 has no effect; only `stride_layout_equal` compares it.
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
enum { STRIDE_SIZE_ONE_KEEP = 0, STRIDE_SIZE_ONE_NATURAL = 1, STRIDE_SIZE_ONE_ONE = 2, STRIDE_SIZE_ONE_ZERO = 3 };

#define STRIDE_MAX_RANK 64  ///< The highest rank.

#define STRIDE_SIZE_ONE_KEEP 0  ///< Strides of size-1 dimensions stay as they are.
#define STRIDE_SIZE_ONE_NATURAL 1  ///< They become size * stride of the next dimension on the right, 1 for the last.
#define STRIDE_SIZE_ONE_ONE 2  ///< They become 1.
#define STRIDE_SIZE_ONE_ZERO 3  ///< They become 0.

/// Where each element of a tensor lies.
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
/// Below rank 3 the same as packed. (DirectMLX, TensorPolicy::InterleavedChannel.)
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
/// {9} is u8 {1000,8} with strides {9,1}. The other side of a copy takes the same form by `stride_layout_bytes`. With
/// STRIDE_DTYPE_SWAPPED the bytes go downward, so that a copy turns them; a complex type then gets two dimensions, its
/// parts and their bytes.
///
/// Arrays: sizes[rank], byte_strides[rank].
///
/// Returns: as `stride_layout_init`; UNSUPPORTED (elements below a byte); INVALID_RANK past 64 dimensions.
STRIDE_API stride_status stride_layout_init_bytes(stride_layout *out, uint32_t dtype, uint32_t rank,
                                                  const int64_t *sizes, const int64_t *byte_strides,
                                                  stride_error *error);

/// The same elements as bytes: u8, with the bytes of each element as one more dimension, the last (see
/// `stride_layout_init_bytes`). f64 {3,2} is u8 {3,2,8}, with strides 8 times as large.
///
/// Returns: UNSUPPORTED (elements below a byte); INVALID_RANK past 64 dimensions; OVERFLOW.
STRIDE_API stride_status stride_layout_bytes(const stride_layout *layout, stride_layout *out, stride_error *error);

/// The packed layout with the dtype and sizes of `layout`, offset 0: where to copy it to. STRIDE_DTYPE_SWAPPED and
/// STRIDE_DTYPE_HIGH_FIRST stay, so the copy has the same byte or bit order.
///
/// Returns: OVERFLOW where repeated elements are too many to be stored.
STRIDE_API stride_status stride_layout_packed_like(const stride_layout *layout, stride_layout *out,
                                                   stride_error *error);

/// The same elements counted from a base pointer moved by `*shift_bytes` bytes, so that the lowest element becomes the
/// first of the buffer. For a pointer to index (0, ..., 0) of a mirrored view: base = pointer + shift. Elements smaller
/// than a byte may begin inside the first byte; the offset that is left says where.
///
/// Returns: OVERFLOW.
STRIDE_API stride_status stride_layout_rebase(const stride_layout *layout, stride_layout *out, int64_t *shift_bytes,
                                              stride_error *error);

/// The same mapping with the strides of size-1 dimensions set by `rule` (STRIDE_SIZE_ONE_...), for consumers that read
/// such strides. An empty layout gets strides 0 unless they are kept. A natural stride that does not fit becomes 0.
///
/// Returns: INVALID_ARGUMENT for the rule.
STRIDE_API stride_status stride_layout_canonicalize(const stride_layout *layout, uint32_t rule, stride_layout *out,
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

/// Other sizes for the same elements in the same row-major order; one size may be -1 and is computed (numpy.reshape).
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

/// The diagonal of two dimensions, `diagonal` steps above the main one (below, if negative), as a new last dimension
/// (numpy.diagonal).
///
/// Returns: INVALID_AXES; OVERFLOW.
STRIDE_API stride_status stride_layout_diagonal(const stride_layout *layout, int64_t diagonal, int64_t axis1,
                                                int64_t axis2, stride_layout *out, stride_error *error);

// =================================================================================================
//
// Windows and other readings
//
// More views: overlapping windows, any strides, another dtype, a dimension less or more, a cut in two. Nothing is
// moved. Dimension numbers may be negative: -1 is the last. A view without elements keeps the layout's offset, except
// as another dtype or where the caller gives the offset. OVERFLOW means that a stride, a size or the number of
// elements of the view does not fit 64 bits, or that its highest element ends 2^60 bytes or more above the base, or
// more than that below it.
//
// Example: numpy.roll(in, 2) is two copies: what lies behind the cut goes in front.
//
//   int64_t sizes[1] = {5}; uint8_t in[5] = {0, 1, 2, 3, 4}, out[5];
//   stride_layout row, front, back, first, rest;
//   stride_layout_init(&row, STRIDE_DTYPE_U8, 1, sizes, NULL, NULL);
//   stride_layout_cut(&row, 0, 3, &front, &back, NULL), stride_layout_cut(&row, 0, 2, &first, &rest, NULL);
//   stride_copy(&first, out, 5, &back, in, 5, NULL, NULL), stride_copy(&rest, out, 5, &front, in, 5, NULL, NULL);
//   assert(out[0] == 3 && out[1] == 4 && out[2] == 0 && out[4] == 2);

/// All windows of `sizes` elements. The first `rank` dimensions of `out` say where a window begins, the others the
/// place inside it. Windows begin every `steps` elements, and their own elements lie `dilations` apart; NULL: 1. A
/// dimension has floor((size - (window - 1) * dilation - 1) / step) + 1 windows, 0 where the window does not fit. A row
/// of 7 in windows of 3 with step 2 is {3,3} with strides {2,1}. Windows of size 0 are floor(size / step) + 1 and give
/// an empty result. (torch.Tensor.unfold, numpy.lib.stride_tricks.sliding_window_view, XLA's ReduceWindow.)
///
/// Arrays: sizes[rank], steps[rank] or NULL, dilations[rank] or NULL.
///
/// Returns: INVALID_SIZE with the dimension; INVALID_ARGUMENT with the dimension for a step or dilation below 1;
/// INVALID_RANK above 32 dimensions; OVERFLOW.
STRIDE_API stride_status stride_layout_window(const stride_layout *layout, uint32_t rank, const int64_t *sizes,
                                              const int64_t *steps, const int64_t *dilations, stride_layout *out,
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

/// The same bytes as elements of `dtype` (numpy.ndarray.view). If the widths are equal, only the dtype changes.
/// Otherwise the last dimension, which must be packed, grows or shrinks: u32 {2,3} is u8 {2,12}, with the other strides
/// and the offset 4 times as large; and back. Elements in a byte are counted from the end at which the new dtype
/// begins.
///
/// Returns: INVALID_DTYPE; DTYPE_MISMATCH for a smaller dtype whose width does not divide the old one; SHAPE_MISMATCH
/// if the last size is not a whole number of new elements; NOT_REPRESENTABLE with the dimension if the last stride is
/// not 1, if another stride or the offset is not a whole number of new elements, or for rank 0; OVERFLOW.
STRIDE_API stride_status stride_layout_reinterpret(const stride_layout *layout, uint32_t dtype, stride_layout *out,
                                                   stride_error *error);

/// Fixes dimension `axis` at this index and drops it; index -1 is the last (numpy: a[:, index]). {2,3,4} at index 1 of
/// axis 0 is {3,4}, with the offset 12 more.
///
/// Returns: INVALID_AXES; INDEX_OUT_OF_RANGE; OVERFLOW.
STRIDE_API stride_status stride_layout_select(const stride_layout *layout, int64_t axis, int64_t index,
                                              stride_layout *out, stride_error *error);

/// Inserts dimension `axis` of `out`: `count` equal entries, stride 0 (einops.repeat). {2,3} with axis 1 and count 4 is
/// {2,4,3}, whose packed copy is `numpy.tile(a, (1,4))`; with axis 2 it is {2,3,4}, whose packed copy is
/// `numpy.repeat(a, 4, 1)`.
///
/// Returns: INVALID_AXES; INVALID_SIZE for a count below 0; INVALID_RANK above 64 dimensions; OVERFLOW.
STRIDE_API stride_status stride_layout_repeat(const stride_layout *layout, int64_t axis, int64_t count,
                                              stride_layout *out, stride_error *error);

/// Cuts dimension `axis` in two: `*front` has its entries 0 ... position - 1, `*back` the others (numpy.split). To roll
/// a dimension of size n by k, cut at n - k and put the back in front of the front.
///
/// Requires: `front` and `back` are two structs.
///
/// Returns: INVALID_AXES; INDEX_OUT_OF_RANGE unless 0 <= position <= size; OVERFLOW.
STRIDE_API stride_status stride_layout_cut(const stride_layout *layout, int64_t axis, int64_t position,
                                           stride_layout *front, stride_layout *back, stride_error *error);

// =================================================================================================
//
// Composition
//
// The elements of a layout have the row-major numbers 0, 1, 2, ... An inner layout whose offset and strides count such
// numbers is a view of the outer one. Composed, the two are one layout, if sizes and strides can express it. CuTe
// calls these functions composition, right_inverse, zipped_divide and max_common_vector; here everything is row-major,
// so the last dimension is the fastest.
//
// Example: every second element of rows of 6 that lie 8 apart.
//
//   int64_t sizes[2] = {4, 6}, pitch[2] = {8, 1}, numbers[1] = {12}, step[1] = {2};
//   stride_layout rows, half; uint32_t parts[1];
//   stride_layout_init(&rows, STRIDE_DTYPE_F32, 2, sizes, pitch, NULL);
//   stride_layout_init(&half, STRIDE_DTYPE_F32, 1, numbers, step, NULL);
//   stride_layout_compose(&rows, &half, &half, 1, parts, NULL);
//   assert(parts[0] == 2 && half.sizes[0] == 4 && half.sizes[1] == 3 && half.strides[0] == 8 && half.strides[1] == 2);

/// outer(inner(i)): element i of `out` is the element of `outer` whose row-major number is where `inner` places i. A
/// dimension of `inner` may have to be split: `group_ranks[k]` is the number of dimensions of `out` that its dimension
/// k becomes, 1 if it stays whole. `rank` is the rank of `inner`. Rows of 6 and every second number, {12} with stride
/// 2: {4,3}, group_ranks {2}. Exact for all signs of strides; dtype and memory are those of `outer`. A size of 1 stays
/// one dimension, with stride 0. An empty `inner` gives an empty layout at `outer`'s offset.
///
/// Arrays: group_ranks[rank].
///
/// Returns: OUT_OF_BOUNDS with the number that `outer` does not have; NOT_REPRESENTABLE with the dimension of `inner`
/// that no split can express (also where carries of two dimensions of `outer` cancel by chance); INVALID_RANK if `out`
/// would have more than 64 dimensions; OVERFLOW.
STRIDE_API stride_status stride_layout_compose(const stride_layout *outer, const stride_layout *inner,
                                               stride_layout *out, uint32_t rank, uint32_t *group_ranks,
                                               stride_error *error);

/// From the order in memory to row-major numbers: `out` places p at the number of the element that is p-th in memory.
/// It has the dimensions of the layout, slowest first, with the strides that they have in a packed layout: column-major
/// {2,3} gives {3,2} with strides {1,3}. The layout composed with its inverse is packed. The offset does not matter;
/// dimensions of size 1 are ordered as `stride_layout_minor_to_major` says.
///
/// Returns: NOT_REPRESENTABLE with the dimension for gaps, zero and negative strides; OVERFLOW.
STRIDE_API stride_status stride_layout_inverse(const stride_layout *layout, stride_layout *out, stride_error *error);

/// Cuts the layout into tiles. The first `rank` dimensions of `out` say which tile, the others which element of it:
/// {4,6} by {2,3} becomes {2,2,2,3}, with strides {12,3,6,1} if it was packed.
///
/// Arrays: tile_sizes[rank].
///
/// Returns: SHAPE_MISMATCH with dimension, size and tile size where a tile would be cut short; INVALID_SIZE for a tile
/// size below 1; INVALID_RANK above rank 32; OVERFLOW.
STRIDE_API stride_status stride_layout_tile(const stride_layout *layout, uint32_t rank, const int64_t *tile_sizes,
                                            stride_layout *out, stride_error *error);

/// How many elements, in row-major order, are contiguous in every one of `count` layouts of equal sizes: so many may be
/// moved at a time. It is the product of the last sizes, as long as every layout is packed there: rows of 6 that lie 8
/// apart and a packed {4,6} give 6, two transposed layouts 1 (permute their dimensions first). Dimensions of size 1 are
/// skipped. An empty layout gives 0, no layouts at all 1. Dtypes and offsets do not matter.
///
/// Arrays: in[count].
///
/// Returns: SHAPE_MISMATCH with the operand, both ranks or the dimension and both sizes.
STRIDE_API stride_status stride_layouts_common_run(uint32_t count, const stride_layout *in, int64_t *elements,
                                                   stride_error *error);

// =================================================================================================
//
// Broadcasting
//
// Results are views: a dimension that is stretched or added gets stride 0, all others keep theirs. Dtypes do not
// matter. A mismatch names the dimension of the result and both sizes.
//
// NumPy's rule: shapes are right-aligned; sizes are equal or 1; 1 stretches, also to 0. XLA's rule: nothing is
// implicit; broadcast_dimensions says which dimension of the larger operand each dimension of the smaller one is.
// DirectML never broadcasts: it wants full sizes with stride 0, which is what these functions make.
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
/// Requires: the two arrays are apart, or the same.
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
/// NumPy's order='K' differs where operands contradict each other (row-major wins) or have equal strides, and may
/// differ where repeated elements leave a place open. PyTorch differs where it looks at strides of dimensions of
/// size 1.
///
/// Arrays: in[count].
///
/// Returns: INVALID_DTYPE; BROADCAST_MISMATCH with operand, dimension and both sizes; OVERFLOW.
STRIDE_API stride_status stride_layouts_result(uint32_t count, const stride_layout *in, uint32_t dtype,
                                               stride_layout *out, stride_error *error);

/// The view of a layout with these sizes by NumPy's rule (numpy.broadcast_to). The rank may grow, never shrink.
///
/// Arrays: sizes[rank].
///
/// Returns: INVALID_RANK; INVALID_SIZE; BROADCAST_MISMATCH with the dimension and both sizes; OVERFLOW.
STRIDE_API stride_status stride_layout_broadcast_to(const stride_layout *layout, uint32_t rank, const int64_t *sizes,
                                                    stride_layout *out, stride_error *error);

/// XLA's broadcast_in_dim: dimension k of the layout becomes dimension broadcast_dimensions[k] of a view with these
/// sizes; all other dimensions repeat. A size of 1 stretches. `broadcast_dimensions` increases strictly: nothing is
/// transposed.
///
/// Arrays: sizes[rank], broadcast_dimensions[count].
///
/// Returns: INVALID_RANK unless `count` is the layout's rank; INVALID_AXES with the entry; BROADCAST_MISMATCH with the
/// dimension and both sizes; INVALID_SIZE; OVERFLOW.
STRIDE_API stride_status stride_layout_broadcast_in_dim(const stride_layout *layout, uint32_t rank,
                                                        const int64_t *sizes, uint32_t count,
                                                        const int64_t *broadcast_dimensions, stride_layout *out,
                                                        stride_error *error);

/// XLA's rule for a binary element-wise operation: the views of both operands with their common sizes. Equal ranks:
/// `broadcast_dimensions` is empty or 0, 1, ... Different ranks: one entry for each dimension of the smaller operand,
/// none only for a scalar. A vector of 3 onto 2x3: {1}; {0} is a mismatch of 3 and 2.
///
/// Arrays: broadcast_dimensions[count].
///
/// Returns: INVALID_RANK for a wrong `count`; INVALID_AXES for entries out of range or order; BROADCAST_MISMATCH with
/// the dimension of the result and both sizes, the left operand's first; OVERFLOW.
STRIDE_API stride_status stride_xla_broadcast(const stride_layout *lhs, const stride_layout *rhs, uint32_t count,
                                              const int64_t *broadcast_dimensions, stride_layout *lhs_out,
                                              stride_layout *rhs_out, stride_error *error);

// =================================================================================================
//
// Machines
//
// A machine is what copies know of a CPU when they choose how to run: its instruction set, its caches, and the sizes
// from which on a treatment pays. Without one, plans are made for the CPU that runs this, by what it says of itself
// and what was measured on its kind. Pass another one (`stride_copy_options.machine`) to use your own measurements
// (`make tune` prints them), or to look at the plans of a CPU that is not at hand. A machine changes how fast a copy
// is, never what it does; a plan for instructions that this CPU lacks runs portable code.
//
// Example: options for plans of a laptop with 8 MiB of cache.
//
//   stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
//   stride_machine laptop;
//   assert(stride_machine_parse("level=avx2 last=8388608", 23, &laptop, NULL) == STRIDE_STATUS_OK);
//   options.machine = &laptop;

/// A CPU as copies see it. All sizes are bytes. Begin with `stride_machine_init` or `stride_machine_parse`. A field
/// named stream_..._from is a size of one side of a copy: from there on its destination is written by non-temporal
/// stores, past the caches (x86-64; the others have no such stores). 0 stands for the rule given, which goes by the
/// caches.
typedef struct stride_machine {
  /// sizeof(stride_machine).
  uint32_t struct_size;
  /// STRIDE_CPU_LEVEL_...: the instruction set. A level of another architecture than the library's is planned for as
  /// STRIDE_CPU_LEVEL_SCALAR, one that the library was built without as the highest below it.
  uint32_t cpu_level;
  /// L1 data cache of one core.
  uint64_t first_cache_bytes;
  /// L2 cache of one core.
  uint64_t second_cache_bytes;
  /// Last-level cache: the part of it that one core may expect.
  uint64_t last_cache_bytes;
  /// Rows, runs and single elements. Rule: 3/8 of the last cache.
  uint64_t stream_rows_from;
  /// Channels: pixels to planes, planes to pixels. Rule: as rows.
  uint64_t stream_channels_from;
  /// Rows and channels whose source is repeated many times. Rule: the last cache.
  uint64_t stream_repeated_from;
  /// Transposes. Rule: 3/10 of the last cache.
  uint64_t stream_transposes_from;
  /// Transposes of bytes. Rule: as those of other elements.
  uint64_t stream_byte_transposes_from;
  /// Transposes whose rows fall into few cache sets. Rule: the second cache.
  uint64_t stream_conflicts_from;
  /// No longer used: transposes in blocks on the stack go by the sizes of all transposes.
  uint64_t stream_blocks_from;
  /// From here on transposes with ordinary stores prefetch the lines of the destination that are next. Rule: never.
  uint64_t prefetch_from;
  /// As stream_conflicts_from, for elements of 1 and 2 bytes. Rule: as wider ones, bytes from twice as much on.
  uint64_t stream_narrow_conflicts_from;
  /// Other transposes, to rows below 512 bytes or not aligned to cache lines. Rule: as aligned ones.
  uint64_t stream_unaligned_from;
  /// No longer used, as stream_blocks_from.
  uint64_t stream_staged_from;
  /// From here on copies of short rows, and channels and transposes with non-temporal stores, prefetch their source
  /// into L2 rather than L1. Rule: never.
  uint64_t prefetch_second_from;
} stride_machine;

/// The machine of the CPU that runs this. Its last cache counts as 64 MiB at most, since other cores use it too.
///
/// Returns: NULL_POINTER; nothing else can go wrong.
STRIDE_API stride_status stride_machine_init(stride_machine *out);

/// Reads `name=value` words, as `stride_machine_format` writes them, in any order and on any lines. `#` begins a
/// comment that ends with its line. What is not named is as on this CPU.
///
/// Arrays: text[length].
///
/// Returns: PARSE with the byte.
STRIDE_API stride_status stride_machine_parse(const char *text, uint64_t length, stride_machine *out,
                                              stride_error *error);

/// Writes a machine as one line, such as "level=avx2 first=32768 second=524288 last=33554432 stream_rows_from=0 ...".
///
/// Arrays: buffer[capacity], length or NULL.
///
/// Returns: INVALID_ARGUMENT for the struct.
STRIDE_API stride_status stride_machine_format(const stride_machine *machine, char *buffer, uint64_t capacity,
                                               uint64_t *length, stride_error *error);

// =================================================================================================
//
// Copies
//
// Copies any layout to any layout of equal sizes. `dst` and `src` are the base pointers of the buffers, `dst_bytes`
// and `src_bytes` their lengths. Before anything is touched, the library proves that every element lies in its buffer,
// that no two destination indices share an element, and that source and destination share no byte. Two channels of one
// image pass, and so does a tensor onto itself, each element to its own place, which writes nothing. An empty copy
// touches nothing, not even null pointers (except with STRIDE_COPY_FILL_BUFFER, which fills the whole buffer).
//
// Dtypes must be equal, or one of them plain bytes of the same width. They may differ in STRIDE_DTYPE_SWAPPED, which
// turns the bytes of each number. Elements need no alignment. The destination is never read, so it may be
// write-combined memory (except with STRIDE_COPY_OVERLAP, where it is the source as well).
//
// Elements smaller than a byte may begin anywhere in it. Their dtypes may differ in STRIDE_DTYPE_HIGH_FIRST: each
// keeps its value (inside one buffer, a byte that holds elements of both orders counts as shared). A destination byte
// that holds several elements may be read, and its other elements are kept: no other thread may write it during the
// copy.
// Where runs are whole bytes in one order on both sides, the copy is one of bytes, and as fast.
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
       STRIDE_COPY_KEEP_CACHED = 8, STRIDE_COPY_SMALL_STACK = 16, STRIDE_COPY_ROW_MAJOR = 32 };
enum { STRIDE_CPU_LEVEL_BEST = 0, STRIDE_CPU_LEVEL_SCALAR = 1, STRIDE_CPU_LEVEL_SSSE3 = 2, STRIDE_CPU_LEVEL_AVX2 = 3,
       STRIDE_CPU_LEVEL_AVX512 = 4, STRIDE_CPU_LEVEL_NEON = 5, STRIDE_CPU_LEVEL_SIMD128 = 6 };

/// The caller guarantees that destination elements are distinct and that the two sides share no byte. No overlap test
/// is made; bounds are still checked, and so is what STRIDE_COPY_FILL_BUFFER fills. If the guarantee is false, the
/// result is unspecified.
#define STRIDE_COPY_ASSUME_DISTINCT 1
/// Every byte and every bit of the destination buffer that no index reaches gets the fill value. To make a border, copy
/// to a crop of the padded tensor, with the whole buffer of the padded tensor. Not for a view of a tensor whose other
/// elements must be kept. A length of UINT64_MAX is OUT_OF_BOUNDS; a buffer that meets the range from the first byte of
/// the source to its last is OVERLAP.
#define STRIDE_COPY_FILL_BUFFER 2
/// The sides may share bytes; the result is as if the source had been read first (memmove). Elements of whole bytes
/// that all move equally far are moved upward or downward, if each stride spans what lies inside it. Otherwise scratch
/// memory is needed, unless the sides are known to share nothing. Not together with STRIDE_COPY_ASSUME_DISTINCT.
#define STRIDE_COPY_OVERLAP 4
/// The destination is read soon: non-temporal stores begin only where it is larger than the last cache. Without this
/// flag they begin sooner, at the sizes of `stride_machine`.
#define STRIDE_COPY_KEEP_CACHED 8
/// A call takes less than 8 KiB of stack (9 on Windows and 32-bit systems) instead of up to 48, for fibers and signal
/// handlers. Not with XLA shapes, blocked layouts, lists and ranges. Large transposes and channels are slower, a
/// transpose through scratch memory is done element by element, and an overlap test that needs more is UNDECIDED.
#define STRIDE_COPY_SMALL_STACK 16
/// For `stride_copy` and `stride_plan_init`: sizes may differ if both sides have the same number of elements, which
/// meet in row-major order.
#define STRIDE_COPY_ROW_MAJOR 32

#define STRIDE_CPU_LEVEL_BEST 0  ///< The best instruction set that the CPU and the library have.
#define STRIDE_CPU_LEVEL_SCALAR 1  ///< Portable code only.
#define STRIDE_CPU_LEVEL_SSSE3 2  ///< x86-64 with SSSE3.
#define STRIDE_CPU_LEVEL_AVX2 3  ///< x86-64 with AVX2.
#define STRIDE_CPU_LEVEL_AVX512 4  ///< x86-64 with AVX-512 F, BW, DQ, VL and VBMI.
#define STRIDE_CPU_LEVEL_NEON 5  ///< 64-bit ARM with NEON.
#define STRIDE_CPU_LEVEL_SIMD128 6  ///< WebAssembly with SIMD128.

/// Options of a copy; begin with STRIDE_COPY_OPTIONS_INIT, which asks for nothing.
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
  /// The value for STRIDE_COPY_FILL_BUFFER: byte p of the buffer gets fill[(p mod element bytes) mod 16]. Elements of
  /// up to 16 bytes are filled with as many bytes of this, elements below a byte with the low bits of fill[0].
  uint8_t fill[16];
  /// What the copy is planned for; NULL: the CPU that runs this. Copies through scratch memory, parts of tiled
  /// copies, and parts that the kernel of the whole cannot take are planned where they run.
  const stride_machine *machine;
} stride_copy_options;

/// The highest STRIDE_CPU_LEVEL_... that this CPU and this library have. Levels of one architecture are ordered: a CPU
/// also runs those below its own. Never fails.
STRIDE_API uint32_t stride_cpu_level(void);

/// STRIDE_COPY_OPTIONS_INIT as a function: options that ask for nothing.
STRIDE_API stride_status stride_copy_options_init(stride_copy_options *out);

/// Copies every element of `src` to the element of `dst` with the same index. `options` NULL: the defaults. One layout
/// may be NULL, but not both: that side is packed, with the dtype and sizes of the other.
///
/// Arrays: dst_layout or NULL, dst[dst_bytes], src_layout or NULL, src[src_bytes], options or NULL.
///
/// Requires: `dst` may be written and `src` read over the bytes that the layouts reach (with STRIDE_COPY_FILL_BUFFER
/// `dst` over all of `dst_bytes`); meanwhile nobody else touches those of `dst` or writes those of `src`.
///
/// Returns: NULL_POINTER if both layouts are; INVALID_ARGUMENT for the options; SHAPE_MISMATCH with the dimension and
/// both sizes; DTYPE_MISMATCH; OUT_OF_BOUNDS with the bytes needed and the length; OVERLAP with the distance of the two
/// sides; UNDECIDED where an overlap test did not finish; SCRATCH_NEEDED with the bytes that `stride_copy_scratch`
/// wants; OVERFLOW if a layout that is left out would be too large.
///
/// Time: in proportion to the bytes, plus at most the budget of an overlap test; the same for all copies.
STRIDE_API stride_status stride_copy(const stride_layout *dst_layout, void *dst, uint64_t dst_bytes,
                                     const stride_layout *src_layout, const void *src, uint64_t src_bytes,
                                     const stride_copy_options *options, stride_error *error);

/// `stride_copy` with scratch memory for sides that share bytes (STRIDE_COPY_OVERLAP): as many bytes as all elements
/// take, packed. It is used only where STRIDE_COPY_OVERLAP says so, and must then lie apart from the range of either
/// side.
///
/// Arrays: dst_layout or NULL, dst[dst_bytes], src_layout or NULL, src[src_bytes], options or NULL,
/// scratch[scratch_bytes].
///
/// Returns: as `stride_copy`; SCRATCH_NEEDED with bytes needed and given; OVERLAP if the scratch does not lie apart.
STRIDE_API stride_status stride_copy_scratch(const stride_layout *dst_layout, void *dst, uint64_t dst_bytes,
                                             const stride_layout *src_layout, const void *src, uint64_t src_bytes,
                                             const stride_copy_options *options, void *scratch, uint64_t scratch_bytes,
                                             stride_error *error);

/// Writes one element's value to every element of `dst`. `value` points to the bytes of one element; an element smaller
/// than a byte is the low bits of its byte, whatever the dtype's order. Indices may share elements.
///
/// Arrays: dst[dst_bytes], value[1 element].
///
/// Time: in proportion to the bytes, each element once. Where indices share elements in three dimensions at once: up to
/// 8 times the elements that are certainly reached (at least the sum of all sizes, each less one), beyond that
/// UNDECIDED.
///
/// Returns: OUT_OF_BOUNDS; OVERLAP if the value lies in an element, UNDECIDED if that is not known (neither can happen
/// where the value lies outside the buffer; the only element of a tensor, if it is whole bytes, may be the value).
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
/// Time: in proportion to the bytes. Where indices share elements: up to 64 times the elements that the side with the
/// larger reach certainly reaches (at least the sum of all sizes, each less one), beyond that UNDECIDED before anything
/// is read.
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
// CPU on which it was made: make it anew rather than store it. What is said of `stride_copy` holds here too.
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
  /// Opaque. Word 0 identifies a plan, its format and how many words are in use, at least 10; the others are neither
  /// written nor read.
  uint64_t words[512];
} stride_plan;

/// Prepares a copy that can then run any number of times, with any buffers. `options` NULL: the defaults. One layout
/// may be NULL, as for `stride_copy`.
///
/// Arrays: dst_layout or NULL, src_layout or NULL, options or NULL.
///
/// Returns: as `stride_copy`, as far as buffers do not matter.
STRIDE_API stride_status stride_plan_init(stride_plan *out, const stride_layout *dst_layout,
                                          const stride_layout *src_layout, const stride_copy_options *options,
                                          stride_error *error);

/// Runs a plan. A plan that was tampered with is refused, or moves wrong bytes within the given lengths; if it claims
/// STRIDE_COPY_ASSUME_DISTINCT, it does so for as long as its loops run.
///
/// Arrays: dst[dst_bytes], src[src_bytes].
///
/// Requires: buffers as for `stride_copy`.
///
/// Returns: INVALID_ARGUMENT if `plan` is not a plan; OUT_OF_BOUNDS; OVERLAP; UNDECIDED; SCRATCH_NEEDED.
STRIDE_API stride_status stride_plan_execute(const stride_plan *plan, void *dst, uint64_t dst_bytes, const void *src,
                                             uint64_t src_bytes, stride_error *error);

/// Runs part `part` (0, 1, ...) of `parts` of a plan. All parts together are the whole, in any order and on any
/// threads. Parts never share a destination byte. They have about 4 KiB or more; surplus parts do nothing. Part 0 does
/// everything where sides share bytes, where fills cannot be split, and where elements smaller than a byte cannot be
/// cut between two bytes. No part takes scratch memory.
///
/// Arrays: dst[dst_bytes], src[src_bytes].
///
/// Requires: as `stride_plan_execute`.
///
/// Returns: as `stride_plan_execute`, and INVALID_ARGUMENT unless part < parts.
STRIDE_API stride_status stride_plan_execute_part(const stride_plan *plan, void *dst, uint64_t dst_bytes,
                                                  const void *src, uint64_t src_bytes, uint32_t part, uint32_t parts,
                                                  stride_error *error);

/// Runs part `part` of `parts` of `count` copies by one plan, such as the blocks of a paged cache or the tiles of an
/// atlas. Copy k has the base pointers moved by `dst_offsets[k]` and `src_offsets[k]` bytes; the lengths are those of
/// the whole buffers. Every copy is proved to lie in them before anything is touched. Offsets below 0 are legal where
/// the plan itself begins further on. Parts take shares of the list or, where that is short, of the copies.
///
/// Arrays: dst[dst_bytes], dst_offsets[count], src[src_bytes], src_offsets[count].
///
/// Requires: as `stride_plan_execute`; no copy writes a byte that another one reads or writes. This is not checked:
/// such a byte gets what one of the copies writes, if a single thread runs them.
///
/// Time: in proportion to the bytes; plus an overlap test for each copy, as `stride_copy` makes it, where the range of
/// all writes does not lie apart from that of all reads. Elements below a byte, and tiles, are not tested: the ranges
/// of the two sides of each copy must lie apart then.
///
/// Returns: as `stride_plan_execute_part`, with the number of the copy in `item`; OVERLAP where a list lies in the
/// range that a copy writes (`lhs` is that copy); UNSUPPORTED for plans with STRIDE_COPY_FILL_BUFFER or
/// STRIDE_COPY_OVERLAP; INVALID_ARGUMENT for a count that no list in memory has.
STRIDE_API stride_status stride_plan_execute_batch(const stride_plan *plan, void *dst, uint64_t dst_bytes,
                                                   const int64_t *dst_offsets, const void *src, uint64_t src_bytes,
                                                   const int64_t *src_offsets, uint64_t count, uint32_t part,
                                                   uint32_t parts, stride_error *error);

/// Bytes of scratch memory that `stride_plan_execute_scratch` needs with base pointers at these addresses. 0 without
/// STRIDE_COPY_OVERLAP, where the sides are known to share nothing, and where elements are moved upward or downward.
///
/// Returns: INVALID_ARGUMENT if `plan` is not a plan; OUT_OF_BOUNDS past the address space, of plans with
/// STRIDE_COPY_OVERLAP.
STRIDE_API stride_status stride_plan_scratch_bytes(const stride_plan *plan, uint64_t dst_address, uint64_t src_address,
                                                   uint64_t *out, stride_error *error);

/// Runs a plan with scratch memory for sides that share bytes. It is used only where it is needed, and must then lie
/// apart from the range of either side.
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

/// Writes what a plan does: kernel, bytes, element width, tiles, and the loops after merging. For people, not to be
/// parsed.
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
// Copies in row-major order
//
// Each side counts its elements in row-major order of its own sizes: number 0 is index (0, ..., 0), and the last index
// moves first, whatever the strides are. So a view is packed into a buffer piece by piece and unpacked from one
// (MPI_Pack), and an array gets other sizes on the way (numpy.reshape of a copy). With STRIDE_COPY_ROW_MAJOR,
// `stride_copy` and `stride_plan_init` take layouts of different sizes with the same number of elements.
//
// Where one side has no gaps, such as a packed buffer, this is an ordinary copy. Where the sizes of both cut each
// other, it is done box by box: the two buffers must lie apart, and STRIDE_COPY_OVERLAP and elements below a byte are
// UNSUPPORTED. STRIDE_COPY_SMALL_STACK is UNSUPPORTED for all ranges, and for sizes that differ.
//
// Example: a column of 2 x 3 numbers, in two pieces.
//
//   const uint8_t matrix[6] = {1, 2, 3, 4, 5, 6}; uint8_t piece[3]; stride_layout columns, packed;
//   int64_t sizes[2] = {3, 2}, steps[2] = {1, 3}, three = 3;
//   stride_layout_init(&columns, STRIDE_DTYPE_U8, 2, sizes, steps, NULL);
//   stride_layout_init(&packed, STRIDE_DTYPE_U8, 1, &three, NULL, NULL);
//   stride_copy_range(&packed, piece, 3, 0, &columns, matrix, 6, 3, 3, NULL, NULL);
//   assert(piece[0] == 5 && piece[1] == 3 && piece[2] == 6);

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
STRIDE_API stride_status stride_copy_range(const stride_layout *dst_layout, void *dst, uint64_t dst_bytes,
                                           int64_t dst_first, const stride_layout *src_layout, const void *src,
                                           uint64_t src_bytes, int64_t src_first, uint64_t count,
                                           const stride_copy_options *options, stride_error *error);

/// `stride_plan_init` of what `stride_copy_range` copies.
///
/// Arrays: options or NULL.
///
/// Returns: as `stride_copy_range`, as far as buffers do not matter.
STRIDE_API stride_status stride_plan_init_range(stride_plan *out, const stride_layout *dst_layout, int64_t dst_first,
                                                const stride_layout *src_layout, int64_t src_first, uint64_t count,
                                                const stride_copy_options *options, stride_error *error);

// =================================================================================================
//
// Copies that take
//
// A list says which index of the source each index of the destination along one dimension is: channels in another
// order, dropped, doubled, or filled with a constant, in one pass. Index i of the destination along `axis` is index
// `indices[i]` of the source; -1 is `options->fill`, repeated from the first byte of each element on (0 without
// options). All other sizes are equal.
//
// A list without -1 that steps by 1, 0 or -1 all along is a view, and an ordinary copy: it needs what it takes. Of any
// other list every index of the source must lie in its buffer, also if it is not taken; the two sides must share no
// element, which is tested exactly: pixels cannot be reordered in their own place; STRIDE_COPY_OVERLAP and elements
// below a byte are UNSUPPORTED. So is STRIDE_COPY_SMALL_STACK of all lists.
//
// Example: RGB pixels to BGRX, whose fourth byte is 255.
//
//   int64_t three[2] = {2, 3}, four[2] = {2, 4}, order[4] = {2, 1, 0, -1}; stride_layout to, from;
//   uint8_t rgb[6] = {1, 2, 3, 4, 5, 6}, bgrx[8]; stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
//   options.fill[0] = 255; stride_layout_init(&from, STRIDE_DTYPE_U8, 2, three, NULL, NULL);
//   stride_layout_init(&to, STRIDE_DTYPE_U8, 2, four, NULL, NULL);
//   stride_copy_take(&to, bgrx, 8, &from, rgb, 6, 1, 4, order, &options, NULL);
//   assert(bgrx[0] == 3 && bgrx[2] == 1 && bgrx[3] == 255 && bgrx[4] == 6);

// As enums; the macros below explain them.
enum { STRIDE_TAKE_MAX_COUNT = 64 };

#define STRIDE_TAKE_MAX_COUNT 64  ///< The most entries of a list of indices.

/// `stride_copy` with the indices of the source along `axis` from a list.
///
/// Arrays: dst[dst_bytes], src[src_bytes], indices[count], options or NULL.
///
/// Requires: buffers as for `stride_copy`.
///
/// Returns: as `stride_copy`; INVALID_AXES; INVALID_RANK unless there are as many entries as the destination's size
/// along `axis`, at most 64; INDEX_OUT_OF_RANGE with the entry (item); UNSUPPORTED.
STRIDE_API stride_status stride_copy_take(const stride_layout *dst_layout, void *dst, uint64_t dst_bytes,
                                          const stride_layout *src_layout, const void *src, uint64_t src_bytes,
                                          int64_t axis, uint32_t count, const int64_t *indices,
                                          const stride_copy_options *options, stride_error *error);

/// `stride_plan_init` with the indices of the source along `axis` from a list. Whatever runs plans runs this one, also
/// in parts and in batches; `stride_plan_regions` refuses lists with -1 (UNSUPPORTED).
///
/// Arrays: indices[count], options or NULL.
///
/// Returns: as `stride_copy_take`, as far as buffers do not matter.
STRIDE_API stride_status stride_plan_init_take(stride_plan *out, const stride_layout *dst_layout,
                                               const stride_layout *src_layout, int64_t axis, uint32_t count,
                                               const int64_t *indices, const stride_copy_options *options,
                                               stride_error *error);

// =================================================================================================
//
// Copies as data
//
// What a copy consists of, for callers that move the bytes themselves: its kind, what a plan reaches, and the shortest
// list of equal rows, rectangles or boxes, as DMA engines, GPU queues (`VkBufferCopy`, `cudaMemcpy3D`, texture
// footprints) and network cards take them. Nothing here touches tensor memory, and no answer depends on the CPU.
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
enum { STRIDE_COPY_KIND_NOTHING = 0, STRIDE_COPY_KIND_CONTIGUOUS = 1, STRIDE_COPY_KIND_ROWS = 2,
       STRIDE_COPY_KIND_FILL = 3, STRIDE_COPY_KIND_TRANSPOSE = 4, STRIDE_COPY_KIND_OTHER = 5,
       STRIDE_COPY_KIND_TILED = 6, STRIDE_COPY_KIND_BITS = 7 };
enum { STRIDE_REGION_API_ANY = 0, STRIDE_REGION_API_CUDA_2D = 1, STRIDE_REGION_API_CUDA_3D = 2,
       STRIDE_REGION_API_OPENCL_RECT = 3, STRIDE_REGION_API_VULKAN_BUFFER = 4, STRIDE_REGION_API_VULKAN_UPLOAD = 5,
       STRIDE_REGION_API_VULKAN_READBACK = 6, STRIDE_REGION_API_D3D12_UPLOAD = 7,
       STRIDE_REGION_API_D3D12_READBACK = 8 };
enum { STRIDE_REGION_NO_NEGATIVE = 1, STRIDE_REGION_NO_REPEATS = 2, STRIDE_REGION_NESTED = 4,
       STRIDE_REGION_SLICE_MULTIPLE = 8, STRIDE_REGION_IMAGE = 16 };

#define STRIDE_COPY_KIND_NOTHING 0  ///< No element is copied.
#define STRIDE_COPY_KIND_CONTIGUOUS 1  ///< One run that is contiguous on both sides: one memcpy.
#define STRIDE_COPY_KIND_ROWS 2  ///< Runs of several elements each.
/// The source repeats one element or run along the fastest dimension of the destination.
#define STRIDE_COPY_KIND_FILL 3
#define STRIDE_COPY_KIND_TRANSPOSE 4  ///< Each side is contiguous along a dimension, but not along the same one.
#define STRIDE_COPY_KIND_OTHER 5  ///< Element by element.
#define STRIDE_COPY_KIND_TILED 6  ///< Of a plan: tiles cut it into several copies, each of its own kind.
#define STRIDE_COPY_KIND_BITS 7  ///< Elements below a byte, in runs that are not whole bytes.

#define STRIDE_REGION_API_ANY 0  ///< No rules: every region is taken.
/// cudaMemcpy2D, hipMemcpy2D: rectangles, pitches of at least a row on both sides. Set pitch_max and row_bytes_max to
/// the device's memPitch. Source: CUDA Runtime API, cudaMemcpy2D.
#define STRIDE_REGION_API_CUDA_2D 1
/// cudaMemcpy3D, hipMemcpy3D: boxes whose slice pitch is a multiple of their row pitch (ysize of the cudaPitchedPtr
/// times it); else as CUDA_2D. Source: CUDA Runtime API, cudaMemcpy3D, cudaPitchedPtr; Driver API, cuMemcpy3D.
#define STRIDE_REGION_API_CUDA_3D 2
/// clEnqueueCopyBufferRect: boxes, row pitches of at least region[0], slice pitches of at least region[1] rows and a
/// multiple of them. Within one buffer both sides must have the same pitches, which is not checked here. Source: OpenCL,
/// clEnqueueCopyBufferRect, CL_INVALID_VALUE.
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
  /// One past the last; both are 0 if nothing is copied. (STRIDE_COPY_FILL_BUFFER writes all of the buffer.)
  int64_t dst_end;
  /// First byte of the source that is read.
  int64_t src_lowest;
  /// One past the last.
  int64_t src_end;
  /// The most scratch memory that `stride_plan_execute_scratch` can need, wherever the sides lie.
  uint64_t scratch_bytes;
  /// Parts worth a thread each, at least 1: one for each 128 KiB. More are legal.
  uint32_t useful_parts;
  /// The STRIDE_COPY_... flags it was made with.
  uint32_t flags;
} stride_plan_facts;

/// A row, rectangle or box of bytes. Row (j, i), i < counts[0] and j < counts[1], begins at
/// `src_offset + i * src_pitches[0] + j * src_pitches[1]` in the source, and likewise in the destination. A region of
/// lower rank has counts of 1 and pitches of 0 for the rest.
typedef struct stride_region {
  /// Byte where the first row begins, from the destination's base pointer.
  int64_t dst_offset;
  /// The same in the source.
  int64_t src_offset;
  /// Bytes of a row.
  uint64_t row_bytes;
  /// Rows of a rectangle; rectangles of a box.
  uint64_t counts[2];
  /// Bytes from one to the next in the destination: where the count is above 1 above 0 (with
  /// STRIDE_COPY_ASSUME_DISTINCT: or 0), and the second not below the first, unless rules of your own for the source
  /// leave only the other order.
  int64_t dst_pitches[2];
  /// The same in the source: negative in mirrored views, 0 where it repeats.
  int64_t src_pitches[2];
} stride_region;

/// What a function that moves regions asks of each. A field that is 0 asks for nothing. A field with two entries has
/// that of the destination first, then that of the source, and each binds its side alone.
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

/// STRIDE_PLAN_FACTS_INIT as a function.
STRIDE_API stride_status stride_plan_facts_init(stride_plan_facts *out);

/// Answers about a plan: kind, bytes, what it reaches of both buffers, scratch memory, and how many parts are worth a
/// thread each. Set `out->struct_size` before the call.
///
/// Returns: INVALID_ARGUMENT if `plan` is not a plan, or for `struct_size`.
STRIDE_API stride_status stride_plan_query(const stride_plan *plan, stride_plan_facts *out, stride_error *error);

/// The same copy as the shortest list of equal rows (`rank` 1), rectangles (2) or boxes (3). `*count` becomes their
/// number, of which the first `capacity` are written: (0, NULL) asks for the number alone. Together they write every
/// element once, in any order. A copy whose elements are not contiguous has rows of one element. Where the
/// destination's loops reach over each other (strides {40,2,3} of sizes {66,20,2}), a shorter list may exist. With
/// tiles, the lists of all boxes of indices that no tile cuts follow each other.
///
/// Arrays: out[capacity].
///
/// Time: in proportion to the regions that are written, whatever their number; with tiles to the boxes, at most 4096,
/// which takes milliseconds.
///
/// Returns: INVALID_RANK unless 1 <= rank <= 3; INVALID_ARGUMENT if `plan` is not a plan; UNSUPPORTED for plans with
/// STRIDE_COPY_FILL_BUFFER or STRIDE_COPY_OVERLAP and for takes with -1, which say more than a list does, where tiles
/// cut into more boxes, and for runs that are not whole bytes.
STRIDE_API stride_status stride_plan_regions(const stride_plan *plan, uint32_t rank, uint64_t capacity,
                                             stride_region *out, uint64_t *count, stride_error *error);

/// The rules of a function that moves regions (STRIDE_REGION_API_...), to be changed where yours are special. With
/// STRIDE_REGION_API_ANY all is 0 but struct_size.
///
/// Returns: INVALID_ARGUMENT for an unknown function.
STRIDE_API stride_status stride_region_rules_init(stride_region_rules *out, uint32_t api, stride_error *error);

/// The same copy as the shortest list of equal regions that keep rules; without any, as `stride_plan_regions`. A row
/// longer than row_bytes_max is cut first. Then one or two loops of the copy become rows and slices: of those that keep
/// the rules, the ones that leave the fewest regions. So boxes whose slice pitch is not a multiple of the row pitch
/// come as rectangles, and rectangles whose pitch is negative, too short or too long as rows. In a box of one row each,
/// pitches[0] is that of the rows from which it was cut. Rows that are contiguous on both sides are one row, whatever
/// the dimensions were; row_bytes_max takes them apart, and of an image rows_max its layers.
///
/// Arrays: out[capacity].
///
/// Time: as `stride_plan_regions`, twice.
///
/// Returns: INVALID_ARGUMENT if `plan` is not a plan, or for `rules`; UNSUPPORTED as `stride_plan_regions`, and where
/// not even single rows keep the rules: with the offset of a region and its alignment, with the bytes of a row (or
/// row_bytes_max) and what they must be a multiple of, or with the bytes of a row that would pass the end of a row of
/// an image and row_bytes_max.
STRIDE_API stride_status stride_plan_regions_under(const stride_plan *plan, const stride_region_rules *rules,
                                                   uint64_t capacity, stride_region *out, uint64_t *count,
                                                   stride_error *error);

// =================================================================================================
//
// Your own kernel
//
// Up to STRIDE_RUNS_MAX_OPERANDS layouts of equal sizes become one set of loops, as few as possible, which are walked
// run by run. At each run the library says where every operand stands, and the caller's loop goes over the elements;
// the library touches no tensor memory. Layouts of other sizes are broadcast first, by `stride_broadcast_layouts`.
// examples/c/add.c adds three operands of different layouts.
//
// Example: a row is added to each row of a matrix.
//
//   float a[6] = {1, 2, 3, 4, 5, 6}, b[3] = {10, 20, 30}; int64_t sizes[2] = {2, 3}, at[2]; uint64_t n, k;
//   stride_layout in[2]; stride_runs runs;
//   stride_layout_init(&in[0], STRIDE_DTYPE_F32, 2, sizes, NULL, NULL); in[1] = in[0]; in[1].strides[0] = 0;
//   for (stride_runs_init(&runs, 2, in, NULL); !stride_runs_next(&runs, 2, at, &n, NULL) && n > 0;)
//     for (k = 0; k < n; k++) a[at[0] / 4 + k] += b[at[1] / 4 + k];
//   assert(a[0] == 11 && a[5] == 36);

// As enums; the macros below explain them.
enum { STRIDE_RUNS_MAX_OPERANDS = 8 };

#define STRIDE_RUNS_MAX_OPERANDS 8  ///< The most operands that have joint loops.

/// The runs of several operands that are left: 4096 bytes without any address. Each copy of it goes on by itself.
typedef struct stride_runs {
  /// Opaque. Word 0 identifies runs, their format and how many words are in use; the others are neither written nor
  /// read. Belongs to this version of the library.
  uint64_t words[512];
} stride_runs;

/// The layouts of the same operands over joint loops, as few as any order of the dimensions gives, into
/// `out[0] ... out[count - 1]`. Dimensions of size 1 go, and dimensions that are one step in all operands become one.
/// The first operand that moves along a dimension runs upward. The last dimension is the one with the smallest |stride|
/// in the first operand, or in the next one where that is 0 or equal; the given order matters only where operands
/// contradict each other or no operand tells two dimensions apart. Sizes {2,3,4,5} of a packed operand and of one with
/// strides {0,0,0,1} become {24,5}, with strides {5,1} and {0,1}.
///
/// Kept: dtypes, and the tuples of offsets, one of each operand, that indices reach, each as often as before. Not kept:
/// their order. One element has rank 0, none rank 1 and size 0.
///
/// Arrays: in[count], out[count].
///
/// Requires: the two arrays are apart, or the same.
///
/// Returns: INVALID_RANK unless 1 <= count <= STRIDE_RUNS_MAX_OPERANDS; SHAPE_MISMATCH with operand and dimension;
/// OVERFLOW if a stride of -2^63 would have to change its sign.
///
/// Source: PyTorch's TensorIterator; numpy.nditer differs where operands contradict each other.
STRIDE_API stride_status stride_layouts_coalesce(uint32_t count, const stride_layout *in, stride_layout *out,
                                                 stride_error *error);

/// All runs of several operands. The loops are those of `stride_layouts_coalesce`, and the last one is the run. If that
/// has fewer than 8 elements and another loop is at least four times as long, the run is the longest loop, or an even
/// part of it that stays in a cache, if there is one. There are fewer runs then, and no operand may have a step of one
/// element.
///
/// Arrays: in[count].
///
/// Returns: as `stride_layouts_coalesce`; UNSUPPORTED for elements below a byte, and for more than 49 loops; OVERFLOW
/// if an offset or a stride in bytes does not fit int64_t. Operands without elements have no runs.
STRIDE_API stride_status stride_runs_init(stride_runs *out, uint32_t count, const stride_layout *in,
                                          stride_error *error);

/// Bytes between the elements of a run in each operand. All runs have the same strides. They may be 0, and below 0
/// except in the first operand that moves. All are 0 where runs have one element.
///
/// Arrays: byte_strides[count].
///
/// Returns: INVALID_RANK unless `count` is the number of operands; INVALID_ARGUMENT if `runs` are not valid.
STRIDE_API stride_status stride_runs_strides(const stride_runs *runs, uint32_t count, int64_t *byte_strides,
                                             stride_error *error);

/// The next run: its number of elements, and for each operand how many bytes its first element lies from the base
/// pointer. At the end `*elements` is 0, on every further call too, and `byte_offsets` is left as it is. In C and C++
/// `stride_runs_step` of stride_runs.h does the same without a call.
///
/// Arrays: byte_offsets[count].
///
/// Returns: as `stride_runs_strides`. Runs that were tampered with give wrong offsets; no memory is touched.
STRIDE_API stride_status stride_runs_next(stride_runs *runs, uint32_t count, int64_t *byte_offsets, uint64_t *elements,
                                          stride_error *error);

/// The next runs in one call, at most `most` of them, all of the same number of elements: for languages in which a call
/// is expensive, and for runs of a few dozen elements. Operand k of run number i begins at byte_offsets[i * count + k].
/// `*found` is the number of runs, 0 only at the end.
///
/// Arrays: byte_offsets[count x most].
///
/// Returns: as `stride_runs_next`; INVALID_ARGUMENT if `most` is 0.
///
/// Time: in proportion to `*found`.
STRIDE_API stride_status stride_runs_next_many(stride_runs *runs, uint32_t count, uint64_t most, int64_t *byte_offsets,
                                               uint64_t *found, uint64_t *elements, stride_error *error);

/// One of `parts` shares of what is left of `runs`, as runs of their own: all parts together give each element once,
/// and may go to threads. They are about equal: whole runs where each part has 16 or more, else runs cut at multiples
/// of 16 elements. With fewer elements the last parts have more, and others nothing.
///
/// Returns: INVALID_ARGUMENT unless part < parts, and if `runs` are not valid.
STRIDE_API stride_status stride_runs_part(const stride_runs *runs, uint32_t part, uint32_t parts, stride_runs *out,
                                          stride_error *error);

// =================================================================================================
//
// Questions about a layout
//
// These functions answer from the layout alone; none touches tensor memory.
//
// Example: where pixel (5,6), channel 2 of a packed image lies, and which element that is.
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
/// Format: NHWC (rank 4) or NDHWC (rank 5) without gaps, as PyTorch's is_contiguous(channels_last) defines it; no
/// empty one.
#define STRIDE_FORMAT_CHANNELS_LAST 8

/// Whether the struct is a valid layout; the error says what is wrong with it.
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

/// The same in bytes: `*offset_bytes` is the byte of the element's first bit, `*bit` that bit's number in it, 0 unless
/// elements are smaller than a byte. Bits are counted from the low end, so the element is (byte >> bit) & mask; with
/// STRIDE_DTYPE_HIGH_FIRST from the high end, so it is (byte >> (8 - bit - width)) & mask. Element 3 of packed s4: byte
/// 1, bit 4.
///
/// Arrays: index[rank].
///
/// Returns: as `stride_layout_offset`; OVERFLOW if the bytes do not fit int64_t.
STRIDE_API stride_status stride_layout_byte_offset(const stride_layout *layout, uint32_t rank, const int64_t *index,
                                                   int64_t *offset_bytes, uint32_t *bit, stride_error *error);

/// Row-major number of an index: the last dimension counts fastest, strides do not matter (numpy.ravel_multi_index).
///
/// Arrays: index[rank].
///
/// Returns: as `stride_layout_offset`.
STRIDE_API stride_status stride_layout_ravel_index(const stride_layout *layout, uint32_t rank, const int64_t *index,
                                                   int64_t *out, stride_error *error);

/// The inverse: the index of a row-major number (numpy.unravel_index).
///
/// Arrays: index[rank].
///
/// Returns: INDEX_OUT_OF_RANGE unless 0 <= linear < element count.
STRIDE_API stride_status stride_layout_unravel_index(const stride_layout *layout, int64_t linear, uint32_t rank,
                                                     int64_t *index, stride_error *error);

/// Every format that holds, as STRIDE_FORMAT_ flags: one layout can be packed and channels-last at once. Offsets do not
/// matter. Empty layouts and rank 0 are PACKED, COLUMN_MAJOR and DENSE.
STRIDE_API stride_status stride_layout_classify(const stride_layout *layout, uint32_t *flags, stride_error *error);

/// The order of the dimensions in memory, fastest varying first. A size-1 dimension sits just major to the next
/// dimension of size > 1 on its right; trailing ones are the most minor.
///
/// Arrays: minor_to_major[rank].
///
/// Returns: NOT_REPRESENTABLE with the dimension for gaps, zero and negative strides.
STRIDE_API stride_status stride_layout_minor_to_major(const stride_layout *layout, uint32_t rank,
                                                      int64_t *minor_to_major, stride_error *error);

/// Strides in bytes, the inverse of `stride_layout_init_byte_strides`, counted from the element (0, ..., 0) as NumPy,
/// Arrow, ggml and PJRT do. The stride of a dimension of size 1 or of an empty layout has no effect: it becomes 0 where
/// it is not a whole number of bytes or is too large.
///
/// Arrays: byte_strides[rank].
///
/// Returns: NOT_REPRESENTABLE with the dimension where elements below a byte do not lie a whole number of bytes apart;
/// OVERFLOW with the dimension.
STRIDE_API stride_status stride_layout_byte_strides(const stride_layout *layout, uint32_t rank, int64_t *byte_strides,
                                                    stride_error *error);

/// `*answer` becomes 1 if dtype, offset, rank, sizes and all strides are equal, also strides without effect; else 0.
STRIDE_API stride_status stride_layout_equal(const stride_layout *lhs, const stride_layout *rhs, uint32_t *answer,
                                             stride_error *error);

/// `*answer` becomes 1 if every index means the same element, else 0: equal dtype and sizes and, unless empty, equal
/// offset and equal strides where the size is above 1.
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
// What a layout is good for: whether it fits a buffer, which part of it is packed, how its elements and rows are
// aligned, in which order its dimensions lie; `stride_layout_query` tells most of this in one call.
//
// The packed run of a layout is the longest tail of dimensions that lie packed together; dimensions of size 1 are
// skipped. A row is one such run: each index of the dimensions outside it has one.
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
  /// Bytes that the buffer must have; UINT64_MAX: none will do, since an element lies below the base pointer.
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
  /// Bytes: the same of the first element of every row.
  uint64_t row_alignment;
} stride_layout_facts;

/// STRIDE_LAYOUT_FACTS_INIT as a function.
STRIDE_API stride_status stride_layout_facts_init(stride_layout_facts *out);

/// Whether every element lies in a buffer of `buffer_bytes`. An empty layout fits any.
///
/// Returns: OUT_OF_BOUNDS with the bytes needed and given (PAST_END), or with the lowest byte if an element lies below
/// the base pointer (BEFORE_START).
STRIDE_API stride_status stride_layout_fits(const stride_layout *layout, uint64_t buffer_bytes, stride_error *error);

/// All facts at once, for callers to whom a call costs more than the answer.
///
/// Requires: `out->struct_size` is set.
///
/// Returns: INVALID_ARGUMENT for `struct_size`.
STRIDE_API stride_status stride_layout_query(const stride_layout *layout, stride_layout_facts *out,
                                             stride_error *error);

/// The largest powers of two, in bytes, that divide the address of every element, and of the first element of every
/// row, if `base_alignment` (a power of two) divides the base pointer. The address of an element below a byte is that
/// of its byte. An empty layout has the base's alignment. Packed f32 {4,3} from a base at 64: elements 4, the one
/// row 64.
///
/// Returns: INVALID_ARGUMENT unless `base_alignment` is a power of two.
STRIDE_API stride_status stride_layout_alignment(const stride_layout *layout, uint64_t base_alignment,
                                                 uint64_t *element, uint64_t *row, stride_error *error);

/// The packed run: how many of the last dimensions lie packed together, and how many elements that are. The innermost
/// stride is 1, each other one the number of elements inside it; dimensions of size 1 count, their strides do not.
/// {3,3,1,96} with strides {288,96,96,1}: 4 dimensions, 864 elements; {4,16} with {18,1}: 1, 16; {4} with {2}: 0, 1. An
/// empty layout is one run of 0 elements. (MLIR, MemRefType::getMaxContiguousTrailingDims.)
STRIDE_API stride_status stride_layout_contiguous_run(const stride_layout *layout, uint32_t *dimensions,
                                                      int64_t *elements, stride_error *error);

/// The order of the dimensions in memory, outermost first; gaps, repeats and mirrors are allowed. An order fits if the
/// strides of its dimensions of size > 1, without their signs, never grow (0 is the smallest). Dimensions of size 1,
/// and all dimensions of an empty layout, may stand anywhere. `preferred` is returned if it fits; (0, NULL) prefers
/// none. Otherwise the order is the canonical one: large strides first, equal ones by their number, a dimension of size
/// 1 in front of the next larger one on its right, trailing ones last. `*unique` becomes 1 if no other order fits,
/// else 0. {8,1,3,3} with strides {9,1,3,1}: {0,2,3,1} if that is preferred, else {0,1,2,3}. (ExecuTorch, dim_order.)
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
// Whether two indices mean the same memory is NP-hard in general. The functions below decide it at once for all
// ordinary layouts, and by an exact search with a budget for the rest: UNDECIDED means that the budget ended first. A
// budget of 0 is the default, 4096 steps; a step takes some hundreds of nanoseconds. Whatever the budget, two more
// cases may be UNDECIDED: layouts that reach 2^61 bytes and more, and elements below a byte in
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

/// `*answer` becomes 1 if two different indices of the layout mean the same element, else 0. Sizes {4,4} with strides
/// {3,4} are distinct, sizes {5,4} with the same strides are not.
///
/// Returns: UNDECIDED.
STRIDE_API stride_status stride_layout_self_overlap(const stride_layout *layout, uint64_t budget, uint32_t *answer,
                                                    stride_error *error);

/// `*answer` becomes 1 if any bit belongs to an element of both layouts, with their base pointers at these addresses
/// (in bytes), else 0. Two channels of one interleaved image do not overlap, nor do two 4-bit elements of one byte.
///
/// Returns: UNDECIDED, also where only one side is HIGH_FIRST and some byte holds elements below a byte of both, or
/// where too many of their strides are not whole bytes for that to be checked.
STRIDE_API stride_status stride_layouts_overlap(const stride_layout *lhs, uint64_t lhs_address,
                                                const stride_layout *rhs, uint64_t rhs_address, uint64_t budget,
                                                uint32_t *answer, stride_error *error);

// =================================================================================================
//
// Requirements
//
// Whether a consumer takes a layout, why not, and the nearest layout that it takes. What a consumer asks for is a
// struct of numbers: begin with `stride_requirements_init`, change what is special. Strides are numbered from the
// innermost outwards: number 0 leads from element to element, number 1 from row to row. Innermost is the last
// dimension with STRIDE_REQUIRE_LAST_INNERMOST, else the one with the smallest stride (its sign does not count).
//
// The stride of a dimension of size 1 is not checked. If such a dimension has a number, there must be some stride
// above 0 with which all rules hold. The consumer may check it: hand over the strides that `stride_layout_fit` gives.
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
//   assert(stride_layout_fit(&rows, &tma, &padded, NULL) == 0 && padded.strides[0] == 512);

// As enums; the macros below explain them.
enum { STRIDE_CONSUMER_ANY = 0, STRIDE_CONSUMER_DIRECTML = 1, STRIDE_CONSUMER_D3D12 = 2, STRIDE_CONSUMER_WEBGPU = 3,
       STRIDE_CONSUMER_TMA = 4, STRIDE_CONSUMER_CUTENSOR = 5, STRIDE_CONSUMER_METAL = 6, STRIDE_CONSUMER_VULKAN = 7,
       STRIDE_CONSUMER_MDSPAN = 8, STRIDE_CONSUMER_ARROW = 9, STRIDE_CONSUMER_VULKAN_IMAGE = 10,
       STRIDE_CONSUMER_OPENGL = 11 };
enum { STRIDE_REQUIRE_LAST_INNERMOST = 1, STRIDE_REQUIRE_UNIT_STRIDE = 2, STRIDE_REQUIRE_NESTED = 4,
       STRIDE_REQUIRE_MULTIPLES = 8, STRIDE_REQUIRE_NO_REPEATS = 16, STRIDE_REQUIRE_NO_NEGATIVE = 32,
       STRIDE_REQUIRE_ELEMENT_ALIGNED = 64, STRIDE_REQUIRE_LAST_ROW_PADDED = 128,
       STRIDE_REQUIRE_PITCH_IN_TEXELS = 256 };

#define STRIDE_CONSUMER_ANY 0  ///< No consumer: every layout is taken.
/// A DML_BUFFER_TENSOR_DESC: rank 1 to 8, no size of 0, no negative stride, at most 2^32 - 1 elements, both counted and
/// from the lowest to the highest; the address a multiple of 16 bytes, bytes rounded up to 4. Dtypes: those of
/// DML_TENSOR_DATA_TYPE. `stride_dml_validate` checks a descriptor by the same rules. Source: learn.microsoft.com,
/// DML_BUFFER_TENSOR_DESC, DML_TENSOR_DATA_TYPE; DirectMLX.h.
#define STRIDE_CONSUMER_DIRECTML 1
/// A D3D12_PLACED_SUBRESOURCE_FOOTPRINT: {depth, rows, columns} or fewer, rows at a multiple of 256 bytes, no gaps
/// between slices, the address a multiple of 512 bytes. An element is a texel of a DXGI_FORMAT: one component (s8, u8,
/// s16, u16, f16, s32, u32, f32), or plain bytes, as many as a texel or a block has (1, 2, 4, 8, 12 or 16). With
/// `texel_dimensions` 1 the last dimension is the components. Texels of three floats are f32 {rows, columns, 3}, since
/// 256 is not a whole number of 12 bytes: 10 x 4 of them have a pitch of 256 and take 888 bytes. A queue that copies
/// textures which the device has no format for is another consumer: set dtypes and both widths to 0. Source:
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
/// (VK_FORMAT_R8_BOOL_ARM, ..._FPENCODING_..._ARM). Set what the device says: rank_max to maxTensorDimensionCount, size_max to
/// maxPerDimensionTensorElements, elements_max to maxTensorElements, stride_bytes_max to maxTensorStride, bytes_max to
/// maxTensorSize; without tensorNonPacked, exact_from to 1. Source: VUID-VkTensorDescriptionARM-... 09733 to 09740,
/// 09883, 09884.
#define STRIDE_CONSUMER_VULKAN 7
/// std::layout_stride::mapping: positive strides, nested in some order. An element is an object of C++, so all dtypes
/// of at least a byte and plain bytes, which are a class. Source: C++23, [mdspan.layout.stride.cons],
/// [mdspan.accessor.default].
#define STRIDE_CONSUMER_MDSPAN 8
/// arrow.fixed_shape_tensor: no gaps in some order, which is its permutation. Dtypes: integers of 8 to 64 bits, f16,
/// f32, f64; plain bytes are FixedSizeBinary. (Boolean has one bit, so pred is none of them.) Source: Arrow, Canonical
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
/// gives the pitch; the row's own length does for what `stride_layout_fit` gives. Source: OpenGL 4.6, 8.4.4.1, and
/// tables 8.1 (initially 4) and 8.2 (types).
#define STRIDE_CONSUMER_OPENGL 11

/// Dimensions count as they stand: the last one is innermost. Without this flag their strides decide, and of equal ones
/// the rightmost is innermost; dimensions of size 1, and repeated ones where they are allowed, then have no number.
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
/// Strides outside the texel (`texel_dimensions`) are whole texels, as where the length of a row is given in texels.
#define STRIDE_REQUIRE_PITCH_IN_TEXELS 256

/// What a consumer asks for. A field that is 0 asks for nothing.
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
  /// The dtypes that are taken, bit n for the STRIDE_DTYPE_... with number n, bit 0 for plain bytes
  /// (STRIDE_DTYPE_BYTES); 0: any. Unless it is 0, dtypes with STRIDE_DTYPE_HIGH_FIRST or STRIDE_DTYPE_SWAPPED are
  /// refused.
  uint64_t dtypes;
  /// The widths of elements that are taken, in bits: powers of two, added up; 0: any. Others are in
  /// `element_bits_by_three`.
  uint32_t element_bits;
  /// Bytes: the address of the lowest element is a multiple of this.
  uint32_t base_alignment;
  /// Bytes: stride number 1, from row to row, is a multiple of this. 1: whole bytes, for elements smaller than one.
  uint32_t row_alignment;
  /// Bytes: strides number 2 and up are multiples of this.
  uint32_t outer_alignment;
  /// For k from this number on, stride number k is stride times size of number k - 1; 0: nowhere. 1: no gaps at all.
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
  /// So many of the innermost dimensions are one texel, or pixel: packed, with exact strides above 0. Dimension
  /// numbers, ranks and sizes are then those of the dimensions outside, number 0 the first of them, and every rule
  /// about an element except `dtypes` is about the texel: {H, W, 3} of bytes with 1 has elements of 24 bits, and
  /// STRIDE_REQUIRE_UNIT_STRIDE means that a pixel's stride is 3. Pitches are then bytes: rows of 5 such pixels with
  /// row_alignment 16 get a pitch of 16; rows of 5 elements of 3 bytes, whose strides are whole, get 48. Without
  /// STRIDE_REQUIRE_LAST_INNERMOST the innermost dimensions are those with the smallest strides that are not 0; a
  /// dimension of size 1 stands around the next one to its right.
  uint32_t texel_dimensions;
  /// Three times these widths are taken as well as `element_bits`: 32 for 96 bits. 0: none, or any width if
  /// element_bits is 0 too.
  uint32_t element_bits_by_three;
} stride_requirements;

/// What a consumer asks for (STRIDE_CONSUMER_...), to be changed where yours is special. With STRIDE_CONSUMER_ANY all
/// is 0 but struct_size.
///
/// Returns: INVALID_ARGUMENT for an unknown consumer.
STRIDE_API stride_status stride_requirements_init(stride_requirements *out, uint32_t consumer, stride_error *error);

/// Whether a consumer takes a layout. `address` is that of the base pointer, 0 where there is no memory yet; the lowest
/// element must be aligned, offset included. OK means that dimensions of size 1 could have strides that will do: hand
/// over those of `stride_layout_fit`, since TMA and Vulkan check them. Checked in this order: rank; dtype; width;
/// sizes; number of elements; strides from the innermost outwards; reach; bytes; address. For an empty layout only what
/// stands before the strides is checked.
///
/// Returns: NOT_REPRESENTABLE, which says no: the dimension of a size or stride, the value and the limit, in bytes
/// where the limit is; argument ADDRESS where only the address is wrong. INVALID_ARGUMENT for requirements that are not
/// valid; OVERFLOW if bytes_max is not 0 and the bytes do not fit uint64_t.
STRIDE_API stride_status stride_layout_meets(const stride_layout *layout, uint64_t address,
                                             const stride_requirements *requirements, stride_error *error);

/// The nearest layout that meets the requirements, to be copied to: the same dtype and sizes, offset 0, the least
/// strides. Dimensions count as they stand with STRIDE_REQUIRE_LAST_INNERMOST, else by their order in memory: by stride
/// without its sign, the rightmost of equal ones innermost. From the innermost outwards, stride number k is stride
/// times size of number k - 1, rounded up to what it must be a multiple of; elements are distinct in any case. f16
/// {64,64} with strides {65,1} gets {64,1} for a tensor map. Strides that meet the requirements become the least ones
/// too. Dimensions of size 1 get strides as if they were larger.
///
/// Returns: NOT_REPRESENTABLE, as `stride_layout_meets`, where no strides help (rank, dtype, sizes), or the result is
/// past a limit; larger strides further in, or others of size-1 dimensions, that would lead to smaller ones are not
/// tried (with STRIDE_REQUIRE_MULTIPLES the strides of size-1 dimensions may themselves be past `stride_bytes_max`).
/// INVALID_ARGUMENT; OVERFLOW.
STRIDE_API stride_status stride_layout_fit(const stride_layout *layout, const stride_requirements *requirements,
                                           stride_layout *out, stride_error *error);

/// Bytes that the consumer counts for a layout: from the lowest element to the highest, or all rows with their padding
/// where STRIDE_REQUIRE_LAST_ROW_PADDED says so, rounded up to total_alignment. 10 rows of 10 floats at a pitch of 256
/// bytes: 2344 for WebGPU, with padded rows 2560. With an offset, the buffer needs as much more: what lies before the
/// lowest element is not counted. Whether the layout meets the requirements is not checked.
///
/// Returns: INVALID_ARGUMENT; OVERFLOW if the bytes do not fit uint64_t.
STRIDE_API stride_status stride_layout_required_bytes(const stride_layout *layout,
                                                      const stride_requirements *requirements, uint64_t *out,
                                                      stride_error *error);

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
//   assert(desc.dimension_count == 4 && desc.total_tensor_size_in_bytes == 28 && stride_dml_validate(&desc, NULL) == 0);

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

/// Bytes that a tensor needs, rounded up to a multiple of 4: what DMLCalcBufferTensorSize computes, with the same
/// parameters. `strides` NULL: packed. 0 for an empty tensor and on any error; `stride_dml_buffer_tensor_size` tells
/// which. Right where the original wraps: {3,2} with strides {2^31,1} of float32 takes 17179869192 bytes, not 8. 2^60
/// bytes and more, or more than 2^63 - 1 elements, are errors, far beyond DirectML's limits.
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

/// Whether DirectML accepts the descriptor, and if not, why. Checked in this order: 1 to 8 dimensions; data type;
/// flags; no size of 0; at most 2^32 - 1 elements, and a highest offset below 2^32 - 1; total size a multiple of 4 and
/// large enough; alignment 0 or a power of two that is at least an element's bytes.
///
/// Returns: INVALID_RANK; INVALID_DTYPE; INVALID_ARGUMENT (flags, total size, alignment); INVALID_SIZE with
/// the dimension; OVERFLOW (too many elements); OUT_OF_BOUNDS (total size too small: bytes needed, bytes given).
STRIDE_API stride_status stride_dml_validate(const stride_dml_buffer_tensor_desc *desc, stride_error *error);

/// Whether DirectML takes a buffer of `buffer_bytes` for a tensor, bound from byte `base_offset_bytes` on. The
/// descriptor must pass `stride_dml_validate`; the offset must be a multiple of
/// STRIDE_DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT and of what the descriptor guarantees; the buffer must hold the total
/// size from there on. A crop that begins at byte 22 cannot be bound: copy it (`stride_copy`).
///
/// Returns: as `stride_dml_validate`; INVALID_ARGUMENT with argument BASE_OFFSET_BYTES, the offset and what it must be
/// a multiple of; OUT_OF_BOUNDS with argument BUFFER_BYTES: bytes needed, bytes given.
STRIDE_API stride_status stride_dml_validate_binding(const stride_dml_buffer_tensor_desc *desc,
                                                     uint64_t base_offset_bytes, uint64_t buffer_bytes,
                                                     stride_error *error);

/// The layout that a descriptor describes, offset 0. Empty tensors pass here; `stride_dml_validate` refuses them.
///
/// Returns: INVALID_RANK above 8; INVALID_DTYPE; OVERFLOW.
STRIDE_API stride_status stride_layout_from_dml(const stride_dml_buffer_tensor_desc *desc, stride_layout *out,
                                                stride_error *error);

/// The descriptor of a layout, with dimensions of size 1 in front until there are `least_rank`, and at least one: {H,W}
/// with least rank 4 becomes {1,1,H,W}. `out` points to the caller's arrays `sizes` and `strides`. `*base_offset_bytes`
/// is the offset of the binding; it may be one that no binding takes, such as a crop's 22 bytes, which
/// `stride_dml_validate_binding` checks. The total size counts from there, without the padding of the last row; a
/// larger one is accepted too. Strides of added dimensions are 0, and so are those of other dimensions of size 1 that
/// do not fit. Flags NONE, no alignment promised.
///
/// Arrays: sizes[8], strides[8].
///
/// Returns: INVALID_DTYPE (DirectML has no such type); INVALID_RANK above 8 (the layout or `least_rank`);
/// INVALID_STRIDE (negative, or 2^32 and more); INVALID_SIZE; OUT_OF_BOUNDS (an offset below 0); NOT_REPRESENTABLE (an
/// offset that is not a whole byte).
STRIDE_API stride_status stride_layout_to_dml(const stride_layout *layout, uint32_t least_rank, uint32_t *sizes,
                                              uint32_t *strides, stride_dml_buffer_tensor_desc *out,
                                              uint64_t *base_offset_bytes, stride_error *error);

/// The strides of DirectMLX's TensorPolicy::InterleavedChannel (NHWC for sizes {N,C,H,W}; {C,1} for rank 2). All are 0
/// if a size is 0.
///
/// Arrays: sizes[dimension_count], strides[dimension_count].
///
/// Returns: INVALID_RANK above 64; INVALID_STRIDE with the dimension where one does not fit 32 bits, OVERFLOW where
/// the elements are too many for any layout.
STRIDE_API stride_status stride_dml_interleaved_channel_strides(uint32_t dimension_count, const uint32_t *sizes,
                                                                uint32_t *strides, stride_error *error);

// =================================================================================================
//
// Errors
//
// What a stride_status means, and what the record says: the argument by its parameter's name, the dimension, the rule
// that was broken, and the two numbers. `stride_error_format` makes a sentence of it.
//
// `detail` says which rule was broken; its comment below says what `lhs` and `rhs` are. Mostly `lhs` is what was found
// and `rhs` what it was held against. INVALID_RANK: the rank or number of entries found, and the one needed or
// allowed. INVALID_SIZE, _STRIDE, _AXES, _TILE and INDEX_OUT_OF_RANGE: the number and its bound. SHAPE_MISMATCH and
// BROADCAST_MISMATCH: the two sizes. DTYPE_MISMATCH: the two dtypes, the source's first. OUT_OF_BOUNDS: the bytes
// needed and those that are there, or the byte before the buffer and 0. SCRATCH_NEEDED: the bytes needed and given.
//
// Example: what is wrong with a negative size.
//
//   int64_t sizes[2] = {3, -1};
//   stride_layout layout; stride_error error; char sentence[200]; uint64_t length;
//   assert(stride_layout_init(&layout, STRIDE_DTYPE_F32, 2, sizes, NULL, &error) == STRIDE_STATUS_INVALID_SIZE);
//   stride_error_format(&error, sentence, sizeof sentence, &length, NULL);
//   assert(strcmp(sentence, "sizes, dimension 1: size -1 is negative") == 0);

/// Why a function did not succeed: which argument, which dimension of it, and the two numbers that do not agree.
struct stride_error {
  /// STRIDE_STATUS_..., as returned.
  int32_t status;
  /// STRIDE_ARGUMENT_...
  uint32_t argument;
  /// Dimension number, or position in a list of dimension numbers; -1: none.
  int32_t dimension;
  /// Operand, tile, block, or copy of a batch; -1: none.
  int32_t item;
  /// Byte in a text; UINT64_MAX: none.
  uint64_t position;
  /// Usually the number that was found. Saturated.
  int64_t lhs;
  /// Usually the number against which it was held. Saturated.
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

// As enums; the macros below explain them.
enum { STRIDE_STATUS_OK = 0, STRIDE_STATUS_NULL_POINTER = 1, STRIDE_STATUS_INVALID_ARGUMENT = 2,
       STRIDE_STATUS_INVALID_DTYPE = 3, STRIDE_STATUS_INVALID_RANK = 4, STRIDE_STATUS_INVALID_SIZE = 5,
       STRIDE_STATUS_INVALID_STRIDE = 6, STRIDE_STATUS_INVALID_AXES = 7, STRIDE_STATUS_INVALID_TILE = 8,
       STRIDE_STATUS_INDEX_OUT_OF_RANGE = 9, STRIDE_STATUS_OVERFLOW = 10, STRIDE_STATUS_SHAPE_MISMATCH = 20,
       STRIDE_STATUS_BROADCAST_MISMATCH = 21, STRIDE_STATUS_DTYPE_MISMATCH = 22, STRIDE_STATUS_OUT_OF_BOUNDS = 30,
       STRIDE_STATUS_OVERLAP = 31, STRIDE_STATUS_SCRATCH_NEEDED = 32, STRIDE_STATUS_PARSE = 40,
       STRIDE_STATUS_UNSUPPORTED = 50, STRIDE_STATUS_NOT_REPRESENTABLE = 100, STRIDE_STATUS_UNDECIDED = 101 };
enum { STRIDE_ARGUMENT_NONE = 0, STRIDE_ARGUMENT_LAYOUT = 1, STRIDE_ARGUMENT_DST_LAYOUT = 2,
       STRIDE_ARGUMENT_SRC_LAYOUT = 3, STRIDE_ARGUMENT_DST = 4, STRIDE_ARGUMENT_SRC = 5,
       STRIDE_ARGUMENT_DST_BYTES = 6, STRIDE_ARGUMENT_SRC_BYTES = 7, STRIDE_ARGUMENT_OUT = 8,
       STRIDE_ARGUMENT_DTYPE = 9, STRIDE_ARGUMENT_RANK = 10, STRIDE_ARGUMENT_SIZES = 11, STRIDE_ARGUMENT_STRIDES = 12,
       STRIDE_ARGUMENT_MINOR_TO_MAJOR = 13, STRIDE_ARGUMENT_AXES = 14, STRIDE_ARGUMENT_INDEX = 15,
       STRIDE_ARGUMENT_STARTS = 16, STRIDE_ARGUMENT_STOPS = 17, STRIDE_ARGUMENT_STEPS = 18,
       STRIDE_ARGUMENT_BROADCAST_DIMENSIONS = 19, STRIDE_ARGUMENT_LHS = 20, STRIDE_ARGUMENT_RHS = 21,
       STRIDE_ARGUMENT_COUNT = 22, STRIDE_ARGUMENT_RANKS = 23, STRIDE_ARGUMENT_OPTIONS = 24,
       STRIDE_ARGUMENT_PLAN = 25, STRIDE_ARGUMENT_PART = 26, STRIDE_ARGUMENT_PARTS = 27, STRIDE_ARGUMENT_BUFFER = 28,
       STRIDE_ARGUMENT_LENGTH = 29, STRIDE_ARGUMENT_TEXT = 30, STRIDE_ARGUMENT_SHAPE = 31, STRIDE_ARGUMENT_DESC = 32,
       STRIDE_ARGUMENT_VALUE = 33, STRIDE_ARGUMENT_PADDED_SIZES = 34, STRIDE_ARGUMENT_KIND = 35,
       STRIDE_ARGUMENT_PITCH_BYTES = 36, STRIDE_ARGUMENT_LINEAR = 37, STRIDE_ARGUMENT_DATA_TYPE = 38,
       STRIDE_ARGUMENT_DIMENSION_COUNT = 39, STRIDE_ARGUMENT_TOTAL_TENSOR_SIZE_IN_BYTES = 40,
       STRIDE_ARGUMENT_GUARANTEED_BASE_OFFSET_ALIGNMENT = 41, STRIDE_ARGUMENT_FLAGS = 42,
       STRIDE_ARGUMENT_ELEMENT_BITS = 43, STRIDE_ARGUMENT_SCRATCH = 44, STRIDE_ARGUMENT_TILE = 45,
       STRIDE_ARGUMENT_AXIS = 46, STRIDE_ARGUMENT_AXIS1 = 47, STRIDE_ARGUMENT_AXIS2 = 48, STRIDE_ARGUMENT_IN = 49,
       STRIDE_ARGUMENT_IN_SHAPE = 50, STRIDE_ARGUMENT_OUT_SHAPE = 51, STRIDE_ARGUMENT_LHS_OUT = 52,
       STRIDE_ARGUMENT_RHS_OUT = 53, STRIDE_ARGUMENT_LHS_LAYOUT = 54, STRIDE_ARGUMENT_RHS_LAYOUT = 55,
       STRIDE_ARGUMENT_LHS_BYTES = 56, STRIDE_ARGUMENT_RHS_BYTES = 57, STRIDE_ARGUMENT_LHS_ADDRESS = 58,
       STRIDE_ARGUMENT_RHS_ADDRESS = 59, STRIDE_ARGUMENT_DST_ADDRESS = 60, STRIDE_ARGUMENT_SRC_ADDRESS = 61,
       STRIDE_ARGUMENT_FIRST_DIFFERENCE = 62, STRIDE_ARGUMENT_ANSWER = 63, STRIDE_ARGUMENT_LOWEST = 64,
       STRIDE_ARGUMENT_HIGHEST = 65, STRIDE_ARGUMENT_OFFSET_BYTES = 66, STRIDE_ARGUMENT_BIT = 67,
       STRIDE_ARGUMENT_BYTE_STRIDES = 68, STRIDE_ARGUMENT_SHIFT_BYTES = 69, STRIDE_ARGUMENT_RULE = 70,
       STRIDE_ARGUMENT_BASE_OFFSET_BYTES = 71, STRIDE_ARGUMENT_LEAST_RANK = 72, STRIDE_ARGUMENT_OUT_RANK = 73,
       STRIDE_ARGUMENT_OUT_SIZES = 74, STRIDE_ARGUMENT_POSITION = 75, STRIDE_ARGUMENT_SIZE = 76,
       STRIDE_ARGUMENT_DIMENSION = 77, STRIDE_ARGUMENT_DIMENSIONS = 78, STRIDE_ARGUMENT_TRANSPOSED = 79,
       STRIDE_ARGUMENT_RESHAPED = 80, STRIDE_ARGUMENT_OUT_AXES = 81, STRIDE_ARGUMENT_TILE_DIMS = 82,
       STRIDE_ARGUMENT_TILE_DIMS_CAPACITY = 83, STRIDE_ARGUMENT_TILE_DIM_SIZES = 84,
       STRIDE_ARGUMENT_TILE_DIM_SIZES_CAPACITY = 85, STRIDE_ARGUMENT_NUM_TILES = 86, STRIDE_ARGUMENT_RECORD = 87,
       STRIDE_ARGUMENT_BYTES = 88, STRIDE_ARGUMENT_SCRATCH_BYTES = 89, STRIDE_ARGUMENT_FILL = 90,
       STRIDE_ARGUMENT_DST_SHAPE = 91, STRIDE_ARGUMENT_SRC_SHAPE = 92, STRIDE_ARGUMENT_CAPACITY = 93,
       STRIDE_ARGUMENT_BUDGET = 94, STRIDE_ARGUMENT_DIAGONAL = 95, STRIDE_ARGUMENT_TAIL_ALIGNMENT = 96,
       STRIDE_ARGUMENT_ELEMENTS = 97, STRIDE_ARGUMENT_BUFFER_BYTES = 98, STRIDE_ARGUMENT_BASE_ALIGNMENT = 99,
       STRIDE_ARGUMENT_ELEMENT = 100, STRIDE_ARGUMENT_ROW = 101, STRIDE_ARGUMENT_PREFERRED = 102,
       STRIDE_ARGUMENT_ORDER = 103, STRIDE_ARGUMENT_UNIQUE = 104, STRIDE_ARGUMENT_ALIGNMENT_BYTES = 105,
       STRIDE_ARGUMENT_DILATIONS = 106, STRIDE_ARGUMENT_OFFSET = 107, STRIDE_ARGUMENT_FRONT = 108,
       STRIDE_ARGUMENT_BACK = 109, STRIDE_ARGUMENT_OUTER = 110, STRIDE_ARGUMENT_INNER = 111,
       STRIDE_ARGUMENT_GROUP_RANKS = 112, STRIDE_ARGUMENT_TILE_SIZES = 113, STRIDE_ARGUMENT_REQUIREMENTS = 114,
       STRIDE_ARGUMENT_CONSUMER = 115, STRIDE_ARGUMENT_ADDRESS = 116, STRIDE_ARGUMENT_RUNS = 117,
       STRIDE_ARGUMENT_BYTE_OFFSETS = 118, STRIDE_ARGUMENT_MOST = 119, STRIDE_ARGUMENT_FOUND = 120,
       STRIDE_ARGUMENT_RUN_BYTES = 121, STRIDE_ARGUMENT_DST_OFFSETS = 122, STRIDE_ARGUMENT_SRC_OFFSETS = 123,
       STRIDE_ARGUMENT_TAG = 124, STRIDE_ARGUMENT_OUTER_ORDER = 125, STRIDE_ARGUMENT_BLOCK_DIMS = 126,
       STRIDE_ARGUMENT_BLOCK_SIZES = 127, STRIDE_ARGUMENT_TENSOR = 128, STRIDE_ARGUMENT_NDIM = 129,
       STRIDE_ARGUMENT_DTYPE_CODE = 130, STRIDE_ARGUMENT_DTYPE_BITS = 131, STRIDE_ARGUMENT_DTYPE_LANES = 132,
       STRIDE_ARGUMENT_BYTE_OFFSET = 133, STRIDE_ARGUMENT_MANAGED = 134, STRIDE_ARGUMENT_MAJOR = 135,
       STRIDE_ARGUMENT_VIEW = 136, STRIDE_ARGUMENT_LEN = 137, STRIDE_ARGUMENT_ITEMSIZE = 138,
       STRIDE_ARGUMENT_FORMAT = 139, STRIDE_ARGUMENT_SUBOFFSETS = 140, STRIDE_ARGUMENT_TYPE = 141,
       STRIDE_ARGUMENT_NE = 142, STRIDE_ARGUMENT_NB = 143, STRIDE_ARGUMENT_BLOCK = 144, STRIDE_ARGUMENT_FOURCC = 145,
       STRIDE_ARGUMENT_WIDTH = 146, STRIDE_ARGUMENT_HEIGHT = 147, STRIDE_ARGUMENT_PITCHES = 148,
       STRIDE_ARGUMENT_PITCH_ALIGNMENT = 149, STRIDE_ARGUMENT_PLANES = 150, STRIDE_ARGUMENT_COMPONENTS = 151,
       STRIDE_ARGUMENT_PLANE_COUNT = 152, STRIDE_ARGUMENT_COMPONENT_COUNT = 153, STRIDE_ARGUMENT_MACHINE = 154,
       STRIDE_ARGUMENT_BLOCKED = 155, STRIDE_ARGUMENT_DST_BLOCKED = 156, STRIDE_ARGUMENT_SRC_BLOCKED = 157,
       STRIDE_ARGUMENT_BLOCK_STEPS = 158, STRIDE_ARGUMENT_INDICES = 159, STRIDE_ARGUMENT_IMAGE = 160,
       STRIDE_ARGUMENT_OFFSETS = 161, STRIDE_ARGUMENT_PITCH_COUNT = 162, STRIDE_ARGUMENT_OFFSET_COUNT = 163,
       STRIDE_ARGUMENT_RULES = 164, STRIDE_ARGUMENT_API = 165, STRIDE_ARGUMENT_DST_FIRST = 166,
       STRIDE_ARGUMENT_SRC_FIRST = 167 };
enum { STRIDE_DETAIL_NONE = 0, STRIDE_DETAIL_BELOW = 1, STRIDE_DETAIL_ABOVE = 2, STRIDE_DETAIL_OUT_OF_RANGE = 3,
       STRIDE_DETAIL_OUT_OF_SIGNED_RANGE = 4, STRIDE_DETAIL_ZERO = 5, STRIDE_DETAIL_NOT_ZERO = 6,
       STRIDE_DETAIL_NOT_EQUAL = 7, STRIDE_DETAIL_NOT_A_MULTIPLE = 8, STRIDE_DETAIL_NOT_A_POWER_OF_TWO = 9,
       STRIDE_DETAIL_UNKNOWN_VALUE = 10, STRIDE_DETAIL_UNKNOWN_FLAG = 11, STRIDE_DETAIL_CONFLICTING_FLAGS = 12,
       STRIDE_DETAIL_UNSUPPORTED_FLAG = 13, STRIDE_DETAIL_STRUCT_SIZE = 14, STRIDE_DETAIL_STRUCT_TAIL = 15,
       STRIDE_DETAIL_BOTH_GIVEN = 16, STRIDE_DETAIL_NEITHER_GIVEN = 17, STRIDE_DETAIL_COUNT = 20,
       STRIDE_DETAIL_REPEATED = 21, STRIDE_DETAIL_OUT_OF_ORDER = 22, STRIDE_DETAIL_NOT_IDENTITY = 23,
       STRIDE_DETAIL_RANKS = 24, STRIDE_DETAIL_ELEMENTS = 25, STRIDE_DETAIL_STRETCH = 26, STRIDE_DETAIL_DYNAMIC = 27,
       STRIDE_DETAIL_PRODUCT = 30, STRIDE_DETAIL_DIFFERENCE = 31, STRIDE_DETAIL_REACH = 32, STRIDE_DETAIL_BITS = 33,
       STRIDE_DETAIL_NEW_STRIDE = 34, STRIDE_DETAIL_DTYPE_UNKNOWN = 40, STRIDE_DETAIL_DTYPE_FOREIGN = 41,
       STRIDE_DETAIL_DTYPE_WIDTH = 42, STRIDE_DETAIL_DTYPES = 43, STRIDE_DETAIL_PAST_END = 50,
       STRIDE_DETAIL_BEFORE_START = 51, STRIDE_DETAIL_ADDRESS_SPACE = 52, STRIDE_DETAIL_UNKNOWN_LENGTH = 53,
       STRIDE_DETAIL_STRIDE_ZERO = 60, STRIDE_DETAIL_SELF_OVERLAP = 61, STRIDE_DETAIL_SHARED_BYTES = 62,
       STRIDE_DETAIL_SHARED_SCRATCH = 63, STRIDE_DETAIL_SCRATCH_BYTES = 64, STRIDE_DETAIL_SHARED_LIST = 65,
       STRIDE_DETAIL_STRIDE = 70, STRIDE_DETAIL_OFFSET = 71, STRIDE_DETAIL_WHOLE_BYTES = 72,
       STRIDE_DETAIL_PADDING = 73, STRIDE_DETAIL_FIELD = 74, STRIDE_DETAIL_NOT_ONE_RUN = 75,
       STRIDE_DETAIL_EMPTY_TILE = 80, STRIDE_DETAIL_MERGE_LAST = 81, STRIDE_DETAIL_TOO_MANY_TILES = 82,
       STRIDE_DETAIL_TOO_MANY_TILE_SIZES = 83, STRIDE_DETAIL_CUT_BY_TILES = 84, STRIDE_DETAIL_TILE_TOO_LONG = 85,
       STRIDE_DETAIL_TILES_MOVE = 86, STRIDE_DETAIL_ELEMENTS_MOVE = 87, STRIDE_DETAIL_PADDING_POSITION = 88,
       STRIDE_DETAIL_TAIL_POSITION = 89, STRIDE_DETAIL_NO_SUCH_VALUE = 90, STRIDE_DETAIL_UNBOUNDED = 91,
       STRIDE_DETAIL_BUDGET = 100, STRIDE_DETAIL_TOO_MANY_ELEMENTS = 101, STRIDE_DETAIL_BIT_ORDERS = 102,
       STRIDE_DETAIL_SYNTAX = 110, STRIDE_DETAIL_NAME = 111, STRIDE_DETAIL_CONSTRUCT = 112,
       STRIDE_DETAIL_NOT_A_PLAN = 120, STRIDE_DETAIL_PLAN_WORDS = 121, STRIDE_DETAIL_WHOLE_ELEMENTS = 130,
       STRIDE_DETAIL_SPLIT = 135, STRIDE_DETAIL_CARRY = 136, STRIDE_DETAIL_NEGATIVE_STRIDE = 140,
       STRIDE_DETAIL_NESTED = 141, STRIDE_DETAIL_STRIDE_MULTIPLE = 142, STRIDE_DETAIL_STRIDE_BYTES = 143,
       STRIDE_DETAIL_ELEMENTS_MAX = 144, STRIDE_DETAIL_REACH_MAX = 145, STRIDE_DETAIL_BYTES_MAX = 146,
       STRIDE_DETAIL_ELEMENT_BITS = 147, STRIDE_DETAIL_NOT_RUNS = 165, STRIDE_DETAIL_TOO_MANY_LOOPS = 166,
       STRIDE_DETAIL_TOO_MANY_PIECES = 170, STRIDE_DETAIL_REGION_DST_OFFSET = 171,
       STRIDE_DETAIL_REGION_SRC_OFFSET = 172, STRIDE_DETAIL_REGION_ROW = 173, STRIDE_DETAIL_REGION_CUT = 174,
       STRIDE_DETAIL_REGION_IMAGE = 175, STRIDE_DETAIL_NOT_A_BLOCK = 180, STRIDE_DETAIL_MERGES = 181,
       STRIDE_DETAIL_BLOCK_ORDER = 182, STRIDE_DETAIL_BLOCK_LETTER = 183, STRIDE_DETAIL_BLOCK_STEP = 184,
       STRIDE_DETAIL_BLOCK_OPEN = 185, STRIDE_DETAIL_BLOCK_COVER = 186, STRIDE_DETAIL_BLOCK_REVERSED = 187,
       STRIDE_DETAIL_TYPE_WIDTH = 190, STRIDE_DETAIL_BYTE_ORDER = 191, STRIDE_DETAIL_INDIRECT = 192,
       STRIDE_DETAIL_FOURCC_UNKNOWN = 193, STRIDE_DETAIL_FOURCC_PACKED = 194, STRIDE_DETAIL_SHARED_PLANES = 195 };

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

#define STRIDE_ARGUMENT_NONE 0  ///< No particular one.
#define STRIDE_ARGUMENT_LAYOUT 1  ///< The layout of a function that takes one.
#define STRIDE_ARGUMENT_DST_LAYOUT 2  ///< The destination's layout.
#define STRIDE_ARGUMENT_SRC_LAYOUT 3  ///< The source's layout.
#define STRIDE_ARGUMENT_DST 4  ///< The destination's memory.
#define STRIDE_ARGUMENT_SRC 5  ///< The source's memory.
#define STRIDE_ARGUMENT_DST_BYTES 6  ///< The destination's length.
#define STRIDE_ARGUMENT_SRC_BYTES 7  ///< The source's length.
#define STRIDE_ARGUMENT_OUT 8  ///< Where a result goes.
#define STRIDE_ARGUMENT_DTYPE 9  ///< An element type.
#define STRIDE_ARGUMENT_RANK 10  ///< A rank: how many entries the lists after it have.
#define STRIDE_ARGUMENT_SIZES 11  ///< Sizes.
#define STRIDE_ARGUMENT_STRIDES 12  ///< Strides.
#define STRIDE_ARGUMENT_MINOR_TO_MAJOR 13  ///< A dimension order, fastest varying first.
#define STRIDE_ARGUMENT_AXES 14  ///< Dimension numbers.
#define STRIDE_ARGUMENT_INDEX 15  ///< An index.
#define STRIDE_ARGUMENT_STARTS 16  ///< Where slices begin.
#define STRIDE_ARGUMENT_STOPS 17  ///< Where slices end.
#define STRIDE_ARGUMENT_STEPS 18  ///< Steps of slices.
#define STRIDE_ARGUMENT_BROADCAST_DIMENSIONS 19  ///< Where the dimensions of a smaller operand go.
#define STRIDE_ARGUMENT_LHS 20  ///< The left of two operands.
#define STRIDE_ARGUMENT_RHS 21  ///< The right of two operands.
#define STRIDE_ARGUMENT_COUNT 22  ///< A number of things: how many entries the lists after it have.
#define STRIDE_ARGUMENT_RANKS 23  ///< Ranks of several operands.
#define STRIDE_ARGUMENT_OPTIONS 24  ///< Options of a copy.
#define STRIDE_ARGUMENT_PLAN 25  ///< A plan.
#define STRIDE_ARGUMENT_PART 26  ///< The number of a part.
#define STRIDE_ARGUMENT_PARTS 27  ///< How many parts.
#define STRIDE_ARGUMENT_BUFFER 28  ///< A text buffer.
#define STRIDE_ARGUMENT_LENGTH 29  ///< A length.
#define STRIDE_ARGUMENT_TEXT 30  ///< A text.
#define STRIDE_ARGUMENT_SHAPE 31  ///< An XLA shape.
#define STRIDE_ARGUMENT_DESC 32  ///< A DirectML descriptor.
#define STRIDE_ARGUMENT_VALUE 33  ///< An element's value.
#define STRIDE_ARGUMENT_PADDED_SIZES 34  ///< Padded sizes.
#define STRIDE_ARGUMENT_KIND 35  ///< A kind of padding, of bitcast or of copy.
#define STRIDE_ARGUMENT_PITCH_BYTES 36  ///< A pitch.
#define STRIDE_ARGUMENT_LINEAR 37  ///< A row-major element number or a position in a buffer.
#define STRIDE_ARGUMENT_DATA_TYPE 38  ///< A DirectML data type.
#define STRIDE_ARGUMENT_DIMENSION_COUNT 39  ///< A DirectML dimension count.
#define STRIDE_ARGUMENT_TOTAL_TENSOR_SIZE_IN_BYTES 40  ///< A field of DirectML's descriptor.
#define STRIDE_ARGUMENT_GUARANTEED_BASE_OFFSET_ALIGNMENT 41  ///< A field of DirectML's descriptor.
#define STRIDE_ARGUMENT_FLAGS 42  ///< Flags.
#define STRIDE_ARGUMENT_ELEMENT_BITS 43  ///< Storage bits of an element.
#define STRIDE_ARGUMENT_SCRATCH 44  ///< Scratch memory.
#define STRIDE_ARGUMENT_TILE 45  ///< A tile of an XLA shape.
#define STRIDE_ARGUMENT_AXIS 46  ///< A dimension number.
#define STRIDE_ARGUMENT_AXIS1 47  ///< The first of two dimension numbers.
#define STRIDE_ARGUMENT_AXIS2 48  ///< The second of two dimension numbers.
#define STRIDE_ARGUMENT_IN 49  ///< Several layouts.
#define STRIDE_ARGUMENT_IN_SHAPE 50  ///< The shape that a bitcast begins with.
#define STRIDE_ARGUMENT_OUT_SHAPE 51  ///< The shape that a bitcast ends with.
#define STRIDE_ARGUMENT_LHS_OUT 52  ///< The view of the left operand.
#define STRIDE_ARGUMENT_RHS_OUT 53  ///< The view of the right operand.
#define STRIDE_ARGUMENT_LHS_LAYOUT 54  ///< The left operand's layout.
#define STRIDE_ARGUMENT_RHS_LAYOUT 55  ///< The right operand's layout.
#define STRIDE_ARGUMENT_LHS_BYTES 56  ///< The left operand's length.
#define STRIDE_ARGUMENT_RHS_BYTES 57  ///< The right operand's length.
#define STRIDE_ARGUMENT_LHS_ADDRESS 58  ///< Where the left operand lies.
#define STRIDE_ARGUMENT_RHS_ADDRESS 59  ///< Where the right operand lies.
#define STRIDE_ARGUMENT_DST_ADDRESS 60  ///< Where the destination lies.
#define STRIDE_ARGUMENT_SRC_ADDRESS 61  ///< Where the source lies.
#define STRIDE_ARGUMENT_FIRST_DIFFERENCE 62  ///< Where the number of the first element that differs goes.
#define STRIDE_ARGUMENT_ANSWER 63  ///< Where yes or no goes.
#define STRIDE_ARGUMENT_LOWEST 64  ///< Where the lowest offset goes.
#define STRIDE_ARGUMENT_HIGHEST 65  ///< Where the highest offset goes.
#define STRIDE_ARGUMENT_OFFSET_BYTES 66  ///< Where an offset in bytes goes.
#define STRIDE_ARGUMENT_BIT 67  ///< Where a bit's number goes.
#define STRIDE_ARGUMENT_BYTE_STRIDES 68  ///< Strides in bytes.
#define STRIDE_ARGUMENT_SHIFT_BYTES 69  ///< Where the bytes that the base pointer moves by go.
#define STRIDE_ARGUMENT_RULE 70  ///< A rule for strides of size-1 dimensions.
#define STRIDE_ARGUMENT_BASE_OFFSET_BYTES 71  ///< The offset of a binding, or where it goes.
#define STRIDE_ARGUMENT_LEAST_RANK 72  ///< The least rank of a result.
#define STRIDE_ARGUMENT_OUT_RANK 73  ///< Where a rank goes; how many entries `out_axes` has.
#define STRIDE_ARGUMENT_OUT_SIZES 74  ///< Where sizes go.
#define STRIDE_ARGUMENT_POSITION 75  ///< A place among dimensions, or along one.
#define STRIDE_ARGUMENT_SIZE 76  ///< A size.
#define STRIDE_ARGUMENT_DIMENSION 77  ///< A dimension number.
#define STRIDE_ARGUMENT_DIMENSIONS 78  ///< Dimension numbers; where a number of dimensions goes.
#define STRIDE_ARGUMENT_TRANSPOSED 79  ///< Where a transposed shape goes.
#define STRIDE_ARGUMENT_RESHAPED 80  ///< Where a reshaped shape goes.
#define STRIDE_ARGUMENT_OUT_AXES 81  ///< Where dimension numbers go.
#define STRIDE_ARGUMENT_TILE_DIMS 82  ///< Sizes of PJRT's tiles.
#define STRIDE_ARGUMENT_TILE_DIMS_CAPACITY 83  ///< How many entries `tile_dims` has.
#define STRIDE_ARGUMENT_TILE_DIM_SIZES 84  ///< Numbers of sizes of PJRT's tiles.
#define STRIDE_ARGUMENT_TILE_DIM_SIZES_CAPACITY 85  ///< How many entries `tile_dim_sizes` has.
#define STRIDE_ARGUMENT_NUM_TILES 86  ///< How many tiles PJRT's layout has.
#define STRIDE_ARGUMENT_RECORD 87  ///< An error record.
#define STRIDE_ARGUMENT_BYTES 88  ///< A number of bytes.
#define STRIDE_ARGUMENT_SCRATCH_BYTES 89  ///< The length of scratch memory.
#define STRIDE_ARGUMENT_FILL 90  ///< Where the bytes of a fill value go.
#define STRIDE_ARGUMENT_DST_SHAPE 91  ///< The destination's XLA shape.
#define STRIDE_ARGUMENT_SRC_SHAPE 92  ///< The source's XLA shape.
#define STRIDE_ARGUMENT_CAPACITY 93  ///< How much there is room for.
#define STRIDE_ARGUMENT_BUDGET 94  ///< Steps that an overlap test may take.
#define STRIDE_ARGUMENT_DIAGONAL 95  ///< Which diagonal.
#define STRIDE_ARGUMENT_TAIL_ALIGNMENT 96  ///< A field of an XLA shape.
#define STRIDE_ARGUMENT_ELEMENTS 97  ///< Where a number of elements goes.
#define STRIDE_ARGUMENT_BUFFER_BYTES 98  ///< The length of a buffer.
#define STRIDE_ARGUMENT_BASE_ALIGNMENT 99  ///< What the base pointer is aligned to.
#define STRIDE_ARGUMENT_ELEMENT 100  ///< Where the alignment of elements goes.
#define STRIDE_ARGUMENT_ROW 101  ///< Where the alignment of rows goes.
#define STRIDE_ARGUMENT_PREFERRED 102  ///< The order of dimensions that the caller would like, outermost first.
#define STRIDE_ARGUMENT_ORDER 103  ///< Where an order of dimensions goes.
#define STRIDE_ARGUMENT_UNIQUE 104  ///< Where it is written whether no other order fits.
#define STRIDE_ARGUMENT_ALIGNMENT_BYTES 105  ///< What neighbours along a dimension are aligned to.
#define STRIDE_ARGUMENT_DILATIONS 106  ///< Distances between the elements of a window.
#define STRIDE_ARGUMENT_OFFSET 107  ///< Where index (0, ..., 0) lies.
#define STRIDE_ARGUMENT_FRONT 108  ///< Where the entries before a place go.
#define STRIDE_ARGUMENT_BACK 109  ///< Where the entries from a place on go.
#define STRIDE_ARGUMENT_OUTER 110  ///< The layout that a composition ends with: it has the elements.
#define STRIDE_ARGUMENT_INNER 111  ///< The layout that a composition begins with: it has the numbers.
#define STRIDE_ARGUMENT_GROUP_RANKS 112  ///< Where the number of dimensions goes that each dimension becomes.
#define STRIDE_ARGUMENT_TILE_SIZES 113  ///< Sizes of a tile.
#define STRIDE_ARGUMENT_REQUIREMENTS 114  ///< What a consumer asks for.
#define STRIDE_ARGUMENT_CONSUMER 115  ///< Whose requirements.
#define STRIDE_ARGUMENT_ADDRESS 116  ///< Where a base pointer points.
#define STRIDE_ARGUMENT_RUNS 117  ///< An iterator over runs, or where a number of runs goes.
#define STRIDE_ARGUMENT_BYTE_OFFSETS 118  ///< Where offsets in bytes go.
#define STRIDE_ARGUMENT_MOST 119  ///< How many at most.
#define STRIDE_ARGUMENT_FOUND 120  ///< Where a number of things that were found goes.
#define STRIDE_ARGUMENT_RUN_BYTES 121  ///< Where the bytes of a run go.
#define STRIDE_ARGUMENT_DST_OFFSETS 122  ///< Where copies of a batch lie in the destination.
#define STRIDE_ARGUMENT_SRC_OFFSETS 123  ///< Where copies of a batch lie in the source.
#define STRIDE_ARGUMENT_TAG 124  ///< The name of a blocked format.
#define STRIDE_ARGUMENT_OUTER_ORDER 125  ///< A dimension order, the outermost first.
#define STRIDE_ARGUMENT_BLOCK_DIMS 126  ///< Which dimension each block is of.
#define STRIDE_ARGUMENT_BLOCK_SIZES 127  ///< Sizes of blocks.
#define STRIDE_ARGUMENT_TENSOR 128  ///< A DLPack tensor.
#define STRIDE_ARGUMENT_NDIM 129  ///< A number of dimensions.
#define STRIDE_ARGUMENT_DTYPE_CODE 130  ///< DLPack's type code.
#define STRIDE_ARGUMENT_DTYPE_BITS 131  ///< DLPack's bits of a lane.
#define STRIDE_ARGUMENT_DTYPE_LANES 132  ///< DLPack's lanes of an element.
#define STRIDE_ARGUMENT_BYTE_OFFSET 133  ///< Bytes to index (0, ..., 0).
#define STRIDE_ARGUMENT_MANAGED 134  ///< A managed DLPack tensor.
#define STRIDE_ARGUMENT_MAJOR 135  ///< DLPack's major version.
#define STRIDE_ARGUMENT_VIEW 136  ///< A Python buffer.
#define STRIDE_ARGUMENT_LEN 137  ///< Bytes of a Python buffer's elements.
#define STRIDE_ARGUMENT_ITEMSIZE 138  ///< Bytes of an element.
#define STRIDE_ARGUMENT_FORMAT 139  ///< An element's type as text.
#define STRIDE_ARGUMENT_SUBOFFSETS 140  ///< Offsets of a Python buffer behind pointers.
#define STRIDE_ARGUMENT_TYPE 141  ///< ggml's number of a type.
#define STRIDE_ARGUMENT_NE 142  ///< ggml's sizes, innermost first.
#define STRIDE_ARGUMENT_NB 143  ///< ggml's strides in bytes, innermost first.
#define STRIDE_ARGUMENT_BLOCK 144  ///< Where the number of elements of a block goes.
#define STRIDE_ARGUMENT_FOURCC 145  ///< A code of four characters.
#define STRIDE_ARGUMENT_WIDTH 146  ///< An image's columns.
#define STRIDE_ARGUMENT_HEIGHT 147  ///< An image's rows.
#define STRIDE_ARGUMENT_PITCHES 148  ///< Bytes from row to row, plane by plane.
#define STRIDE_ARGUMENT_PITCH_ALIGNMENT 149  ///< Bytes of which every pitch is a multiple.
#define STRIDE_ARGUMENT_PLANES 150  ///< Where an image's planes go.
#define STRIDE_ARGUMENT_COMPONENTS 151  ///< Where an image's components go.
#define STRIDE_ARGUMENT_PLANE_COUNT 152  ///< Where the number of planes goes.
#define STRIDE_ARGUMENT_COMPONENT_COUNT 153  ///< Where the number of components goes.
#define STRIDE_ARGUMENT_MACHINE 154  ///< A CPU as copies see it.
#define STRIDE_ARGUMENT_BLOCKED 155  ///< A blocked layout.
#define STRIDE_ARGUMENT_DST_BLOCKED 156  ///< The destination's blocked layout.
#define STRIDE_ARGUMENT_SRC_BLOCKED 157  ///< The source's blocked layout.
#define STRIDE_ARGUMENT_BLOCK_STEPS 158  ///< Steps of blocks.
#define STRIDE_ARGUMENT_INDICES 159  ///< The source's index for each index of the destination.
#define STRIDE_ARGUMENT_IMAGE 160  ///< An image.
#define STRIDE_ARGUMENT_OFFSETS 161  ///< Where row 0 of each plane begins, in bytes.
#define STRIDE_ARGUMENT_PITCH_COUNT 162  ///< The number of pitches.
#define STRIDE_ARGUMENT_OFFSET_COUNT 163  ///< The number of offsets.
#define STRIDE_ARGUMENT_RULES 164  ///< What a function that moves regions asks of each.
#define STRIDE_ARGUMENT_API 165  ///< Whose rules.
#define STRIDE_ARGUMENT_DST_FIRST 166  ///< The number of the first element of the destination.
#define STRIDE_ARGUMENT_SRC_FIRST 167  ///< The number of the first element of the source.

#define STRIDE_DETAIL_NONE 0  ///< No particular rule.
#define STRIDE_DETAIL_BELOW 1  ///< `lhs` is below `rhs`, the least that is allowed.
#define STRIDE_DETAIL_ABOVE 2  ///< `lhs` is above `rhs`, the most that is allowed, or the size.
#define STRIDE_DETAIL_OUT_OF_RANGE 3  ///< `lhs` is outside 0 ... `rhs` - 1.
#define STRIDE_DETAIL_OUT_OF_SIGNED_RANGE 4  ///< `lhs` is outside -`rhs` ... `rhs` - 1.
#define STRIDE_DETAIL_ZERO 5  ///< `lhs` is 0, or stands beside a 0.
#define STRIDE_DETAIL_NOT_ZERO 6  ///< `lhs`, a reserved field, is not 0.
#define STRIDE_DETAIL_NOT_EQUAL 7  ///< `lhs` is not `rhs`.
#define STRIDE_DETAIL_NOT_A_MULTIPLE 8  ///< `lhs` is not a multiple of `rhs`.
#define STRIDE_DETAIL_NOT_A_POWER_OF_TWO 9  ///< `lhs` is not a power of two; `rhs`: the least that is allowed.
#define STRIDE_DETAIL_UNKNOWN_VALUE 10  ///< `lhs` is unknown; the highest known number is `rhs`.
#define STRIDE_DETAIL_UNKNOWN_FLAG 11  ///< The flags `lhs` include unknown ones; `rhs`: the known ones.
#define STRIDE_DETAIL_CONFLICTING_FLAGS 12  ///< The flags `lhs` include `rhs`, which conflicts with another of them.
#define STRIDE_DETAIL_UNSUPPORTED_FLAG 13  ///< The flags `lhs` include `rhs`, which is not supported here.
#define STRIDE_DETAIL_STRUCT_SIZE 14  ///< struct_size is `lhs`; at least `rhs` is needed.
#define STRIDE_DETAIL_STRUCT_TAIL 15  ///< Byte `lhs` of a struct is not 0; this version knows `rhs` bytes of it.
/// A side has a layout and a shape, or a layout and a blocked layout; only one may be given.
#define STRIDE_DETAIL_BOTH_GIVEN 16
/// Neither side has a layout, shape or blocked layout; only one side may be left out.
#define STRIDE_DETAIL_NEITHER_GIVEN 17
#define STRIDE_DETAIL_COUNT 20  ///< `lhs` entries are given, `rhs` are needed.
#define STRIDE_DETAIL_REPEATED 21  ///< `lhs` is repeated; `rhs`: the rank.
#define STRIDE_DETAIL_OUT_OF_ORDER 22  ///< `lhs` is not above `rhs`, the entry before it.
#define STRIDE_DETAIL_NOT_IDENTITY 23  ///< `lhs` must be `rhs`, since the ranks are equal.
#define STRIDE_DETAIL_RANKS 24  ///< Ranks `lhs` and `rhs` differ.
#define STRIDE_DETAIL_ELEMENTS 25  ///< Numbers of elements `lhs` and `rhs` differ.
#define STRIDE_DETAIL_STRETCH 26  ///< Size `lhs` cannot be stretched to `rhs`: it is neither 1 nor `rhs`.
#define STRIDE_DETAIL_DYNAMIC 27  ///< Only one of the sizes `lhs` and `rhs` is dynamic.
#define STRIDE_DETAIL_PRODUCT 30  ///< `lhs` times `rhs` does not fit in 64 bits.
#define STRIDE_DETAIL_DIFFERENCE 31  ///< `lhs` minus `rhs` does not fit in 64 bits.
#define STRIDE_DETAIL_REACH 32  ///< Size `lhs` with stride `rhs` takes the offsets beyond 64 bits.
#define STRIDE_DETAIL_BITS 33  ///< The end of the elements, `lhs` times `rhs` bits, does not fit in 64 bits.
/// A new stride does not fit in 64 bits; `lhs`: the size of its dimension in the result (joint loops: operand).
#define STRIDE_DETAIL_NEW_STRIDE 34
#define STRIDE_DETAIL_DTYPE_UNKNOWN 40  ///< `lhs` is not a dtype.
/// Dtype `lhs` is unknown to DirectML (`rhs` 1), DLPack (2), XLA (3), type strings (4), `dtypes` (below 0: its bits).
#define STRIDE_DETAIL_DTYPE_FOREIGN 41
#define STRIDE_DETAIL_DTYPE_WIDTH 42  ///< The dtype `lhs` is smaller than a byte.
#define STRIDE_DETAIL_DTYPES 43  ///< The dtypes `lhs` and `rhs` differ.
#define STRIDE_DETAIL_PAST_END 50  ///< `lhs` bytes are needed, `rhs` are there.
#define STRIDE_DETAIL_BEFORE_START 51  ///< Byte `lhs`, below 0, is reached.
#define STRIDE_DETAIL_ADDRESS_SPACE 52  ///< `lhs` bytes from address (uint64_t)`rhs` on leave the address space.
#define STRIDE_DETAIL_UNKNOWN_LENGTH 53  ///< The length of the whole buffer is needed; `rhs` is not one.
#define STRIDE_DETAIL_STRIDE_ZERO 60  ///< Stride `lhs`, 0, gives `rhs` indices the same element.
#define STRIDE_DETAIL_SELF_OVERLAP 61  ///< Two indices of the destination share one element.
/// The source begins `lhs` bytes after the first byte of the destination, which takes `rhs` bytes.
#define STRIDE_DETAIL_SHARED_BYTES 62
#define STRIDE_DETAIL_SHARED_SCRATCH 63  ///< The scratch memory shares bytes with a side.
#define STRIDE_DETAIL_SCRATCH_BYTES 64  ///< `lhs` bytes of scratch memory are needed, `rhs` are given.
/// A list shares bytes with the destination of copy `lhs`, which takes `rhs` bytes.
#define STRIDE_DETAIL_SHARED_LIST 65
#define STRIDE_DETAIL_STRIDE 70  ///< Stride `lhs` would have to be `rhs`.
#define STRIDE_DETAIL_OFFSET 71  ///< Offset `lhs` would have to be 0.
/// Stride or offset `lhs` is not a whole number of bytes; a byte holds `rhs` elements.
#define STRIDE_DETAIL_WHOLE_BYTES 72
#define STRIDE_DETAIL_PADDING 73  ///< Size `rhs` is padded to `lhs`, which the result cannot express.
#define STRIDE_DETAIL_FIELD 74  ///< The result cannot express `lhs`, only `rhs`.
/// Stride `lhs` would have to be `rhs` for this dimension and the next to be one run.
#define STRIDE_DETAIL_NOT_ONE_RUN 75
#define STRIDE_DETAIL_EMPTY_TILE 80  ///< A tile has `lhs` sizes; at least `rhs` are needed.
#define STRIDE_DETAIL_MERGE_LAST 81  ///< A tile ends with STRIDE_XLA_TILE_MERGE.
#define STRIDE_DETAIL_TOO_MANY_TILES 82  ///< `lhs` tiles are more than the `rhs` that a shape holds.
#define STRIDE_DETAIL_TOO_MANY_TILE_SIZES 83  ///< `lhs` sizes of tiles are more than the `rhs` that a shape holds.
/// Tiles may cut the `rhs` most minor dimensions; only `lhs` are more minor than this one.
#define STRIDE_DETAIL_CUT_BY_TILES 84
/// A tile of `lhs` sizes reaches past the `rhs` dimensions inside the tile before it.
#define STRIDE_DETAIL_TILE_TOO_LONG 85
#define STRIDE_DETAIL_TILES_MOVE 86  ///< Tiles move an element to position `lhs` from `rhs`.
#define STRIDE_DETAIL_ELEMENTS_MOVE 87  ///< No such shape keeps every element in its place.
#define STRIDE_DETAIL_PADDING_POSITION 88  ///< The position is padding: number `lhs` in a dimension of size `rhs`.
#define STRIDE_DETAIL_TAIL_POSITION 89  ///< Position `lhs` of `rhs` is the padding of the tail.
#define STRIDE_DETAIL_NO_SUCH_VALUE 90  ///< Dtype `rhs` has no value for padding of kind `lhs`.
#define STRIDE_DETAIL_UNBOUNDED 91  ///< A dynamic dimension has no bound.
#define STRIDE_DETAIL_BUDGET 100  ///< No answer within a budget of `lhs` steps.
/// `rhs` elements would have to be visited, more than the `lhs` that are allowed.
#define STRIDE_DETAIL_TOO_MANY_ELEMENTS 101
/// A byte may hold elements that are counted from either end of it; whether they share bits is not checked.
#define STRIDE_DETAIL_BIT_ORDERS 102
/// `lhs` (-1: the end) stands where one of the characters in the bytes of `rhs`, low byte first, may stand.
#define STRIDE_DETAIL_SYNTAX 110
/// `lhs` 0: unknown dtype (`rhs`: the one meant, or 0); 1: no part of a machine; 2: no image format.
#define STRIDE_DETAIL_NAME 111
/// The text uses something that is not supported; `lhs`: the letters of a layout's attribute, else 0.
#define STRIDE_DETAIL_CONSTRUCT 112
#define STRIDE_DETAIL_NOT_A_PLAN 120  ///< Word 0 of a plan is `lhs`; in this version it is `rhs`.
#define STRIDE_DETAIL_PLAN_WORDS 121  ///< A plan was changed after it was made.
/// Stride or offset `lhs` is not a multiple of `rhs`, so not a whole number of elements of the new dtype.
#define STRIDE_DETAIL_WHOLE_ELEMENTS 130
/// The `lhs` elements would have to be a multiple of `rhs` to be cut where rows of the outer layout end.
#define STRIDE_DETAIL_SPLIT 135
/// Number `lhs` is reached, outside 0 ... `rhs` - 1, the numbers between two carries of the outer layout.
#define STRIDE_DETAIL_CARRY 136
#define STRIDE_DETAIL_NEGATIVE_STRIDE 140  ///< Stride `lhs` is negative.
#define STRIDE_DETAIL_NESTED 141  ///< Stride `lhs` is below `rhs`, where the dimension inside it ends.
/// Stride `lhs` is not a multiple of `rhs`, which the dimension inside it requires.
#define STRIDE_DETAIL_STRIDE_MULTIPLE 142
#define STRIDE_DETAIL_STRIDE_BYTES 143  ///< A stride of `lhs` bytes is above `rhs`, the most that is allowed.
#define STRIDE_DETAIL_ELEMENTS_MAX 144  ///< `lhs` elements are above `rhs`, the most that is allowed.
/// `lhs` elements from the lowest to the highest are above `rhs`, the most that is allowed.
#define STRIDE_DETAIL_REACH_MAX 145
#define STRIDE_DETAIL_BYTES_MAX 146  ///< `lhs` bytes are above `rhs`, the most that is allowed.
/// An element has `lhs` bits; `rhs`: the widths that are allowed, added up, and from bit 32 on thirds of others.
#define STRIDE_DETAIL_ELEMENT_BITS 147
#define STRIDE_DETAIL_NOT_RUNS 165  ///< Word 0 of runs is `lhs`; in this version it is `rhs`.
#define STRIDE_DETAIL_TOO_MANY_LOOPS 166  ///< There are `lhs` loops, more than `rhs`.
#define STRIDE_DETAIL_TOO_MANY_PIECES 170  ///< Tiles cut the copy into `lhs` boxes or more; a list takes `rhs`.
/// A region would begin at byte `lhs` of the destination, which is not a multiple of `rhs`.
#define STRIDE_DETAIL_REGION_DST_OFFSET 171
/// A region would begin at byte `lhs` of the source, which is not a multiple of `rhs`.
#define STRIDE_DETAIL_REGION_SRC_OFFSET 172
#define STRIDE_DETAIL_REGION_ROW 173  ///< Rows of `lhs` bytes are not a multiple of `rhs`.
#define STRIDE_DETAIL_REGION_CUT 174  ///< Rows of at most `lhs` bytes cannot be a multiple of `rhs`.
/// A row of `lhs` bytes would pass the end of a row of the image, which has `rhs`.
#define STRIDE_DETAIL_REGION_IMAGE 175
/// A tile cuts `rhs` neighbours by `lhs` with a remainder, which no blocked format does.
#define STRIDE_DETAIL_NOT_A_BLOCK 180
#define STRIDE_DETAIL_MERGES 181  ///< A tile merges dimensions, which no blocked format does.
/// A block with step `lhs` lies where one with step `rhs` would have to; smaller steps lie further in.
#define STRIDE_DETAIL_BLOCK_ORDER 182
/// Letter `rhs` of a tag must be `lhs`: it is a capital if its dimension has blocks, and only then.
#define STRIDE_DETAIL_BLOCK_LETTER 183
/// A block has step `lhs`, but the blocks of its dimension inside it end at `rhs`.
#define STRIDE_DETAIL_BLOCK_STEP 184
/// A block with step `lhs` has size 0, though one with step `rhs` is the highest of its dimension.
#define STRIDE_DETAIL_BLOCK_OPEN 185
#define STRIDE_DETAIL_BLOCK_COVER 186  ///< The blocks of a dimension hold `lhs` of its `rhs` elements.
#define STRIDE_DETAIL_BLOCK_REVERSED 187  ///< In a tag, the size `rhs` of a block stands in front of its letter `lhs`.
/// Type `lhs` of `rhs` bits has no dtype; `lhs` of a text format: its letters, the first in the low byte.
#define STRIDE_DETAIL_TYPE_WIDTH 190
#define STRIDE_DETAIL_BYTE_ORDER 191  ///< Elements of `lhs` bytes are stored in the other byte order.
#define STRIDE_DETAIL_INDIRECT 192  ///< The elements lie behind pointers, `lhs` bytes on.
#define STRIDE_DETAIL_FOURCC_UNKNOWN 193  ///< FourCC `lhs` is unknown.
#define STRIDE_DETAIL_FOURCC_PACKED 194  ///< FourCC `lhs` has samples of `rhs` bits that are not stored in whole bytes.
#define STRIDE_DETAIL_SHARED_PLANES 195  ///< Planes `lhs` and `rhs` share bytes.

// =================================================================================================
//
// Element types
//
// Numbers and names are those of XLA's PrimitiveType. libstride moves bits and never looks at what they mean. Elements
// smaller than a byte are packed without gaps; the first one lies in the low bits of its byte (DLPack, ONNX, DirectML,
// XLA), or in the high bits with STRIDE_DTYPE_HIGH_FIRST (XLA before 2025).
//
// Numbers of several bytes lie in this machine's byte order, or in the other one with STRIDE_DTYPE_SWAPPED (">f4" on
// x86-64). A copy between the two turns the bytes; of a complex number, those of each part. An element of any number n
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
/// Flag of a number of several bytes: they lie in the order that this machine does not have.
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

#endif  // STRIDE_H
