// stride.h: libstride 0.1.0. Generated from src/ffi by cbindgen 0.29.4: `make header`.
//
// Where a tensor's elements lie in memory, and how to move them from any layout to any other.
//
// Sizes and strides are in elements, outermost dimension first; whatever is in bytes or bits says so in its name. Functions
// are named stride_<noun>_<verb>, take their object first (const: not changed), then inputs, then outputs, and the error
// record last. Values in, values out: layouts, shapes, plans and errors are plain fixed-size structs without pointers that
// the caller owns.
//
//   #include <stride.h>
//   int64_t sizes[4] = {1, 3, 224, 224};
//   stride_layout nchw, nhwc;
//   stride_layout_init(&nchw, STRIDE_DTYPE_F32, 4, sizes, NULL, NULL);
//   stride_layout_init_channels_last(&nhwc, STRIDE_DTYPE_F32, 4, sizes, NULL);
//   stride_copy(&nchw, dst, dst_bytes, &nhwc, src, src_bytes, NULL, NULL);
//
// Sections: version, status and error, element types, layouts, questions about a layout, overlap, broadcasting, views,
// DirectML, XLA, PJRT, copies, plans.

#ifndef STRIDE_H
#define STRIDE_H

#include <stddef.h>
#include <stdint.h>

#define STRIDE_VERSION_MAJOR 0
#define STRIDE_VERSION_MINOR 1
#define STRIDE_VERSION_PATCH 0
#define STRIDE_VERSION (STRIDE_VERSION_MAJOR * 10000 + STRIDE_VERSION_MINOR * 100 + STRIDE_VERSION_PATCH)
#define STRIDE_ABI_VERSION 0

// Options of a copy that ask for nothing: stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
#define STRIDE_COPY_OPTIONS_INIT { (uint32_t)sizeof(stride_copy_options), 0, 0, 0, 0, { 0 } }

#ifdef __cplusplus
extern "C" {
#endif

// =================================================================================================
//
// Version
//
// The macros STRIDE_VERSION_MAJOR, _MINOR and _PATCH are those of this header; the functions answer for the library that
// is linked. A program that wants to be sure compares the two.

/// Version of the library: MAJOR * 10000 + MINOR * 100 + PATCH. Never fails.
uint32_t stride_version(void);

/// Version of the binary interface: the number in the shared library's name. Programs built against a header with the
/// same STRIDE_ABI_VERSION work with this library. Never fails.
uint32_t stride_abi_version(void);

// =================================================================================================
//
// Status and error
//
// Every function that can fail returns a stride_status and takes, as its last argument, a pointer to a stride_error that
// may be NULL. The record is written on every status but OK. Outputs are written only on success.
//
// Rules for all functions. Pointers must be valid for what their type says, and arrays for as many entries as the
// description says; NULL where a pointer is required is NULL_POINTER, and (NULL, 0) is an empty array. An output may be
// the same struct as an input. The library keeps no pointer, allocates nothing, prints nothing and has no global state
// but one word that remembers what the CPU offers. Everything `const` may be shared between threads.
//
// A text is written to a buffer of `capacity` bytes: as much as fits, always terminated; `*length` gets the length of the
// whole text without the terminator, and is required. A buffer that is too small is no error; (NULL, 0) only asks for the
// length.

/// Done.
#define STRIDE_STATUS_OK 0

/// A pointer that is required is null.
#define STRIDE_STATUS_NULL_POINTER 1

/// A number, flag or structure size outside its range.
#define STRIDE_STATUS_INVALID_ARGUMENT 2

/// Not a dtype, or not one that serves here.
#define STRIDE_STATUS_INVALID_DTYPE 3

/// A rank above the limit, or not the rank that the other argument has.
#define STRIDE_STATUS_INVALID_RANK 4

/// A negative size, or a size that this function cannot take.
#define STRIDE_STATUS_INVALID_SIZE 5

/// A stride that this function cannot take.
#define STRIDE_STATUS_INVALID_STRIDE 6

/// Dimension numbers that repeat, are out of range or out of order.
#define STRIDE_STATUS_INVALID_AXES 7

/// A tile that is not valid.
#define STRIDE_STATUS_INVALID_TILE 8

/// An index outside its dimension.
#define STRIDE_STATUS_INDEX_OUT_OF_RANGE 9

/// A product or sum that does not fit 64 bits.
#define STRIDE_STATUS_OVERFLOW 10

/// Sizes that should be equal are not.
#define STRIDE_STATUS_SHAPE_MISMATCH 20

/// Sizes that cannot be broadcast together.
#define STRIDE_STATUS_BROADCAST_MISMATCH 21

/// Element types that should be equal are not.
#define STRIDE_STATUS_DTYPE_MISMATCH 22

/// An element below the base of the buffer or past its end.
#define STRIDE_STATUS_OUT_OF_BOUNDS 30

/// Two indices, or two buffers, share bytes where they must not.
#define STRIDE_STATUS_OVERLAP 31

/// The copy needs scratch memory.
#define STRIDE_STATUS_SCRATCH_NEEDED 32

/// Text that does not follow the grammar.
#define STRIDE_STATUS_PARSE 40

/// Valid, but not built in this version.
#define STRIDE_STATUS_UNSUPPORTED 50

/// The answer is no: the result has no such form.
#define STRIDE_STATUS_NOT_REPRESENTABLE 100

/// The work budget ended before the answer.
#define STRIDE_STATUS_UNDECIDED 101

/// No particular one.
#define STRIDE_ARGUMENT_NONE 0

/// The layout of a function that takes one.
#define STRIDE_ARGUMENT_LAYOUT 1

/// The destination's layout.
#define STRIDE_ARGUMENT_DST_LAYOUT 2

/// The source's layout.
#define STRIDE_ARGUMENT_SRC_LAYOUT 3

/// The destination's memory.
#define STRIDE_ARGUMENT_DST 4

/// The source's memory.
#define STRIDE_ARGUMENT_SRC 5

/// The destination's length.
#define STRIDE_ARGUMENT_DST_BYTES 6

/// The source's length.
#define STRIDE_ARGUMENT_SRC_BYTES 7

/// Where a result goes.
#define STRIDE_ARGUMENT_OUT 8

/// An element type.
#define STRIDE_ARGUMENT_DTYPE 9

/// A rank.
#define STRIDE_ARGUMENT_RANK 10

/// Sizes.
#define STRIDE_ARGUMENT_SIZES 11

/// Strides.
#define STRIDE_ARGUMENT_STRIDES 12

/// A dimension order, fastest varying first.
#define STRIDE_ARGUMENT_MINOR_TO_MAJOR 13

/// Dimension numbers.
#define STRIDE_ARGUMENT_AXES 14

/// An index.
#define STRIDE_ARGUMENT_INDEX 15

/// Where slices begin.
#define STRIDE_ARGUMENT_STARTS 16

/// Where slices end.
#define STRIDE_ARGUMENT_STOPS 17

/// Steps of slices.
#define STRIDE_ARGUMENT_STEPS 18

/// Where the dimensions of a smaller operand go.
#define STRIDE_ARGUMENT_BROADCAST_DIMENSIONS 19

/// The left of two operands.
#define STRIDE_ARGUMENT_LHS 20

/// The right of two operands.
#define STRIDE_ARGUMENT_RHS 21

/// A number of things.
#define STRIDE_ARGUMENT_COUNT 22

/// Ranks of several operands.
#define STRIDE_ARGUMENT_RANKS 23

/// Options of a copy.
#define STRIDE_ARGUMENT_OPTIONS 24

/// A plan.
#define STRIDE_ARGUMENT_PLAN 25

/// The number of a part.
#define STRIDE_ARGUMENT_PART 26

/// How many parts.
#define STRIDE_ARGUMENT_PARTS 27

/// A text buffer.
#define STRIDE_ARGUMENT_BUFFER 28

/// A length.
#define STRIDE_ARGUMENT_LENGTH 29

/// A text.
#define STRIDE_ARGUMENT_TEXT 30

/// An XLA shape.
#define STRIDE_ARGUMENT_SHAPE 31

/// A DirectML descriptor.
#define STRIDE_ARGUMENT_DESC 32

/// An element's value.
#define STRIDE_ARGUMENT_VALUE 33

/// Padded sizes.
#define STRIDE_ARGUMENT_PADDED_SIZES 34

/// A kind or rule.
#define STRIDE_ARGUMENT_KIND 35

/// A row pitch.
#define STRIDE_ARGUMENT_PITCH 36

/// A row-major element number or a position in a buffer.
#define STRIDE_ARGUMENT_LINEAR 37

/// A DirectML data type.
#define STRIDE_ARGUMENT_DATA_TYPE 38

/// A DirectML dimension count.
#define STRIDE_ARGUMENT_DIMENSION_COUNT 39

/// DirectML's TotalTensorSizeInBytes.
#define STRIDE_ARGUMENT_TOTAL_BYTES 40

/// DirectML's GuaranteedBaseOffsetAlignment.
#define STRIDE_ARGUMENT_ALIGNMENT 41

/// Flags.
#define STRIDE_ARGUMENT_FLAGS 42

/// Storage bits of an element.
#define STRIDE_ARGUMENT_ELEMENT_BITS 43

/// Scratch memory.
#define STRIDE_ARGUMENT_SCRATCH 44

/// A tile of an XLA shape.
#define STRIDE_ARGUMENT_TILE 45

/// What a function answers: one of the STRIDE_STATUS_ values. The numbers never change; new ones may be added.
typedef int32_t stride_status;

/// Why a function did not succeed: which argument, which dimension of it, and the two numbers that do not agree.
typedef struct stride_error {
  /// STRIDE_STATUS_...
  int32_t status;
  /// STRIDE_ARGUMENT_...
  uint32_t argument;
  /// Dimension number, or position in a list of dimension numbers; -1: none.
  int32_t dimension;
  /// Operand or tile; -1: none.
  int32_t item;
  /// Byte in a text; UINT64_MAX: none.
  uint64_t position;
  /// The number that was found. Saturated.
  int64_t lhs;
  /// The number that it was held against. Saturated.
  int64_t rhs;
  /// Zero.
  uint64_t reserved[3];
} stride_error;

/// The word for a status, such as "OVERFLOW"; "UNKNOWN" for a number that is none. Never fails, never NULL.
const char *stride_status_name(stride_status status);

/// Writes a sentence such as "src_layout, dimension 2: size 5 does not equal 7".
///
/// Returns: NULL_POINTER; INVALID_ARGUMENT if `record` holds a status or argument that is none.
///
/// Safety:
/// `record` and `length` valid or NULL; `buffer` valid for `capacity` bytes.
stride_status stride_error_format(const stride_error *record,
                                  char *buffer,
                                  uint64_t capacity,
                                  uint64_t *length,
                                  stride_error *error);

// =================================================================================================
//
// Element types
//
// The numbers are those of XLA's PrimitiveType, the names XLA's. libstride moves bits and never looks at what they mean.
// Elements below a byte are packed without gaps; the first one lies in the low bits of its byte (DLPack, ONNX, DirectML),
// or in the high bits with STRIDE_DTYPE_HIGH_FIRST (XLA). An element of any number n of bytes is STRIDE_DTYPE_BYTES | n.

/// `pred`, 8 bits.
#define STRIDE_DTYPE_PRED 1

/// `s1`, 1 bit.
#define STRIDE_DTYPE_S1 30

/// `s2`, 2 bits.
#define STRIDE_DTYPE_S2 26

/// `s4`, 4 bits.
#define STRIDE_DTYPE_S4 21

/// `s8`, 8 bits.
#define STRIDE_DTYPE_S8 2

/// `s16`, 16 bits.
#define STRIDE_DTYPE_S16 3

/// `s32`, 32 bits.
#define STRIDE_DTYPE_S32 4

/// `s64`, 64 bits.
#define STRIDE_DTYPE_S64 5

/// `u1`, 1 bit.
#define STRIDE_DTYPE_U1 31

/// `u2`, 2 bits.
#define STRIDE_DTYPE_U2 27

/// `u4`, 4 bits.
#define STRIDE_DTYPE_U4 22

/// `u8`, 8 bits.
#define STRIDE_DTYPE_U8 6

/// `u16`, 16 bits.
#define STRIDE_DTYPE_U16 7

/// `u32`, 32 bits.
#define STRIDE_DTYPE_U32 8

/// `u64`, 64 bits.
#define STRIDE_DTYPE_U64 9

/// `f4e2m1fn`, 4 bits.
#define STRIDE_DTYPE_F4E2M1FN 32

/// `f8e3m4`, 8 bits.
#define STRIDE_DTYPE_F8E3M4 29

/// `f8e4m3`, 8 bits.
#define STRIDE_DTYPE_F8E4M3 28

/// `f8e4m3fn`, 8 bits.
#define STRIDE_DTYPE_F8E4M3FN 20

/// `f8e4m3b11fnuz`, 8 bits.
#define STRIDE_DTYPE_F8E4M3B11FNUZ 23

/// `f8e4m3fnuz`, 8 bits.
#define STRIDE_DTYPE_F8E4M3FNUZ 25

/// `f8e5m2`, 8 bits.
#define STRIDE_DTYPE_F8E5M2 19

/// `f8e5m2fnuz`, 8 bits.
#define STRIDE_DTYPE_F8E5M2FNUZ 24

/// `f8e8m0fnu`, 8 bits.
#define STRIDE_DTYPE_F8E8M0FNU 33

/// `f16`, 16 bits.
#define STRIDE_DTYPE_F16 10

/// `bf16`, 16 bits.
#define STRIDE_DTYPE_BF16 16

/// `f32`, 32 bits.
#define STRIDE_DTYPE_F32 11

/// `f64`, 64 bits.
#define STRIDE_DTYPE_F64 12

/// `c64`, 64 bits.
#define STRIDE_DTYPE_C64 15

/// `c128`, 128 bits.
#define STRIDE_DTYPE_C128 18

/// Flag of a type below a byte: the first element lies in the high bits of its byte.
#define STRIDE_DTYPE_HIGH_FIRST 0x40000000

/// Flag of an element of that many bytes, 1 to 2^24 - 1, without a meaning.
#define STRIDE_DTYPE_BYTES 0x80000000

/// The type of an element of `bytes` bytes: structs, 12-byte pixels.
///
/// Returns: INVALID_DTYPE unless 1 <= bytes < 2^24.
///
/// Safety:
/// `out` valid or NULL.
stride_status stride_dtype_bytes(uint32_t bytes, uint32_t *out, stride_error *error);

/// Bits of one element, 1 and more.
///
/// Returns: INVALID_DTYPE.
///
/// Safety:
/// `out` valid or NULL.
stride_status stride_dtype_bits(uint32_t dtype, uint32_t *out, stride_error *error);

/// Writes the name: "f32", "bytes12", "s4", and "s4:high" with STRIDE_DTYPE_HIGH_FIRST.
///
/// Returns: INVALID_DTYPE.
///
/// Safety:
/// `buffer` valid for `capacity` bytes; `length` valid or NULL.
stride_status stride_dtype_name(uint32_t dtype,
                                char *buffer,
                                uint64_t capacity,
                                uint64_t *length,
                                stride_error *error);

/// The type with this name, the inverse of `stride_dtype_name`. `length` counts the bytes of `text`.
///
/// Returns: PARSE if there is no such name.
///
/// Safety:
/// `text` valid for `length` bytes; `out` valid or NULL.
stride_status stride_dtype_parse(const char *text,
                                 uint64_t length,
                                 uint32_t *out,
                                 stride_error *error);

// =================================================================================================
//
// Layouts
//
// A layout says where each element of a tensor lies:
//
//   element offset of (i0, ..., i[r-1]) = offset + i0*strides[0] + ... + i[r-1]*strides[r-1]
//
// in elements from the base pointer, which is the start of the buffer. Strides may be negative (mirrored), zero (one
// element repeated) or larger than needed (padding). It is plain data: copy it, write its fields, but then every function
// checks again that rank <= 64, no size is negative, the element count fits int64_t (0 as soon as one size is 0), and all
// element offsets, and (highest + 1) in bits, fit int64_t. Entries behind `rank` are neither read nor written.
//
// An empty layout (a size of 0) reaches nothing and takes 0 bytes. The stride of a dimension of size 1 says nothing and is
// ignored by every question.

/// The highest rank.
#define STRIDE_MAX_RANK 64

/// Strides of size-1 dimensions stay as they are.
#define STRIDE_SIZE_ONE_KEEP 0

/// They become size * stride of the next dimension on the right, 1 for the last.
#define STRIDE_SIZE_ONE_NATURAL 1

/// They become 1.
#define STRIDE_SIZE_ONE_ONE 2

/// They become 0.
#define STRIDE_SIZE_ONE_ZERO 3

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

/// A layout with these sizes and strides in elements, offset 0. `strides` NULL: packed, that is row-major without gaps
/// (all strides 0 if a size is 0).
///
/// Returns: NULL_POINTER; INVALID_DTYPE; INVALID_RANK; INVALID_SIZE with the dimension; OVERFLOW.
///
/// Safety:
/// `sizes` and `strides` hold `rank` entries; `out` valid or NULL.
stride_status stride_layout_init(stride_layout *out,
                                 uint32_t dtype,
                                 uint32_t rank,
                                 const int64_t *sizes,
                                 const int64_t *strides,
                                 stride_error *error);

/// A layout without gaps in any order of the dimensions: `minor_to_major` lists all of 0 ... rank - 1, fastest varying
/// first. {1,0} of 2x3 has strides {3,1}, {0,1} has {1,2}.
///
/// Returns: as `stride_layout_init`, and INVALID_AXES with the position in the list.
///
/// Safety:
/// `sizes` and `minor_to_major` hold `rank` entries; `out` valid or NULL.
stride_status stride_layout_init_ordered(stride_layout *out,
                                         uint32_t dtype,
                                         uint32_t rank,
                                         const int64_t *sizes,
                                         const int64_t *minor_to_major,
                                         stride_error *error);

/// A layout without gaps whose dimension 1 varies fastest and dimension 0 slowest: NHWC for sizes {N,C,H,W}. Below rank 3
/// the same as packed. (DirectMLX, TensorPolicy::InterleavedChannel.)
///
/// Returns: as `stride_layout_init`.
///
/// Safety:
/// `sizes` holds `rank` entries; `out` valid or NULL.
stride_status stride_layout_init_channels_last(stride_layout *out,
                                               uint32_t dtype,
                                               uint32_t rank,
                                               const int64_t *sizes,
                                               stride_error *error);

/// A packed layout whose rows, the last dimension, begin `row_pitch_bytes` bytes apart.
///
/// Returns: as `stride_layout_init`, and INVALID_ARGUMENT if the pitch does not hold a row or is no whole number of
/// elements.
///
/// Safety:
/// `sizes` holds `rank` entries; `out` valid or NULL.
stride_status stride_layout_init_pitched(stride_layout *out,
                                         uint32_t dtype,
                                         uint32_t rank,
                                         const int64_t *sizes,
                                         uint64_t row_pitch_bytes,
                                         stride_error *error);

/// A layout with strides in bytes, as NumPy, ggml and Arrow have them. Strides of dimensions of size 1 that are no whole
/// number of elements become 0.
///
/// Returns: as `stride_layout_init`, and INVALID_STRIDE with the dimension for any other such stride.
///
/// Safety:
/// `sizes` and `byte_strides` hold `rank` entries; `out` valid or NULL.
stride_status stride_layout_init_bytes(stride_layout *out,
                                       uint32_t dtype,
                                       uint32_t rank,
                                       const int64_t *sizes,
                                       const int64_t *byte_strides,
                                       stride_error *error);

/// The packed layout with the dtype and sizes of `layout`, offset 0: where to copy it to.
///
/// Returns: NULL_POINTER, or what is wrong with `layout`.
///
/// Safety:
/// `layout` and `out` valid or NULL; they may be the same.
stride_status stride_layout_packed_like(const stride_layout *layout,
                                        stride_layout *out,
                                        stride_error *error);

/// The same elements seen from a base pointer moved by `*shift_bytes` bytes, so that the lowest element becomes the first
/// of the buffer. For callers whose pointer is index (0, ..., 0) of a mirrored view: base = pointer + shift. Of elements
/// below a byte, the place in the first byte stays as the offset.
///
/// Returns: NULL_POINTER; OVERFLOW.
///
/// Safety:
/// `layout`, `out` and `shift_bytes` valid or NULL; `out` may be `layout`.
stride_status stride_layout_rebase(const stride_layout *layout,
                                   stride_layout *out,
                                   int64_t *shift_bytes,
                                   stride_error *error);

/// The same mapping with the strides of size-1 dimensions by `rule` (STRIDE_SIZE_ONE_...); an empty layout gets strides 0
/// unless they are kept. For consumers that do look at them. A natural stride that does not fit becomes 0.
///
/// Returns: NULL_POINTER; INVALID_ARGUMENT for the rule.
///
/// Safety:
/// `layout` and `out` valid or NULL; they may be the same.
stride_status stride_layout_canonicalize(const stride_layout *layout,
                                         uint32_t rule,
                                         stride_layout *out,
                                         stride_error *error);

// =================================================================================================
//
// Questions about a layout
//
// Each answers in a few nanoseconds to microseconds, touches no tensor memory and checks the layout first, so besides the
// statuses named every one returns what is wrong with the struct: INVALID_DTYPE, INVALID_RANK, INVALID_SIZE, OVERFLOW.

/// Format: row-major without gaps.
#define STRIDE_FORMAT_PACKED 1

/// Format: the first dimension varies fastest, without gaps.
#define STRIDE_FORMAT_COLUMN_MAJOR 2

/// Format: without gaps in some order of the dimensions, each element once; signs of strides do not count.
#define STRIDE_FORMAT_DENSE 4

/// Format: NHWC (rank 4) or NDHWC (rank 5) without gaps, as PyTorch's is_contiguous(channels_last) tells.
#define STRIDE_FORMAT_CHANNELS_LAST 8

/// Whether the struct is a valid layout; the error says what is wrong with it.
///
/// Returns: NULL_POINTER; INVALID_DTYPE; INVALID_RANK; INVALID_SIZE; OVERFLOW.
///
/// Safety:
/// `layout` valid or NULL.
stride_status stride_layout_validate(const stride_layout *layout, stride_error *error);

/// Number of elements: the product of the sizes, 1 for rank 0.
///
/// Returns: NULL_POINTER, or what is wrong with `layout`.
///
/// Safety:
/// `layout` and `out` valid or NULL.
stride_status stride_layout_element_count(const stride_layout *layout,
                                          int64_t *out,
                                          stride_error *error);

/// Lowest and highest element offset that any index reaches; 0 and -1 if the layout is empty.
///
/// Returns: NULL_POINTER, or what is wrong with `layout`.
///
/// Safety:
/// `layout`, `lowest` and `highest` valid or NULL.
stride_status stride_layout_span(const stride_layout *layout,
                                 int64_t *lowest,
                                 int64_t *highest,
                                 stride_error *error);

/// Bytes that the buffer must have: ceil((highest offset + 1) * element bits / 8); 0 if the layout is empty.
///
/// Returns: NULL_POINTER; OUT_OF_BOUNDS if an element lies below the base pointer (see `stride_layout_rebase`).
///
/// Safety:
/// `layout` and `out` valid or NULL.
stride_status stride_layout_min_bytes(const stride_layout *layout,
                                      uint64_t *out,
                                      stride_error *error);

/// Element offset of an index from the base pointer: offset + index . strides.
///
/// Returns: NULL_POINTER; INVALID_RANK if `rank` is not the layout's; INDEX_OUT_OF_RANGE with the dimension.
///
/// Safety:
/// `index` holds `rank` entries; `layout` and `out` valid or NULL.
stride_status stride_layout_offset(const stride_layout *layout,
                                   uint32_t rank,
                                   const int64_t *index,
                                   int64_t *out,
                                   stride_error *error);

/// The same in bytes: `*bytes` is the byte of the element's first bit, `*bit` that bit's number in it (0 unless elements
/// are smaller than a byte), counted from the end of the byte at which the dtype begins.
///
/// Returns: as `stride_layout_offset`; OVERFLOW far below the base pointer.
///
/// Safety:
/// `index` holds `rank` entries; `layout`, `bytes` and `bit` valid or NULL.
stride_status stride_layout_byte_offset(const stride_layout *layout,
                                        uint32_t rank,
                                        const int64_t *index,
                                        int64_t *bytes,
                                        uint32_t *bit,
                                        stride_error *error);

/// Row-major number of an index: the last dimension counts fastest, strides do not matter (numpy.ravel_multi_index).
///
/// Returns: as `stride_layout_offset`.
///
/// Safety:
/// `index` holds `rank` entries; `layout` and `out` valid or NULL.
stride_status stride_layout_ravel_index(const stride_layout *layout,
                                        uint32_t rank,
                                        const int64_t *index,
                                        int64_t *out,
                                        stride_error *error);

/// The inverse: the index of a row-major number (numpy.unravel_index). `index` gets as many entries as the layout has
/// dimensions.
///
/// Returns: NULL_POINTER; INDEX_OUT_OF_RANGE unless 0 <= linear < element count.
///
/// Safety:
/// `index` has room for the layout's rank (NULL if that is 0); `layout` valid or NULL.
stride_status stride_layout_unravel_index(const stride_layout *layout,
                                          int64_t linear,
                                          int64_t *index,
                                          stride_error *error);

/// Every format that holds, as STRIDE_FORMAT_ flags: one layout can be packed and channels-last at once. Offsets do not
/// matter. Empty layouts and rank 0 are PACKED, COLUMN_MAJOR and DENSE.
///
/// Returns: NULL_POINTER, or what is wrong with `layout`.
///
/// Safety:
/// `layout` and `flags` valid or NULL.
stride_status stride_layout_formats(const stride_layout *layout,
                                    uint32_t *flags,
                                    stride_error *error);

/// The order of the dimensions in memory, fastest varying first; as many entries as the layout has dimensions. A size-1
/// dimension sits just major to the next dimension of size > 1 on its right, trailing ones are the most minor.
///
/// Returns: NULL_POINTER; NOT_REPRESENTABLE with the dimension for gaps, zero and negative strides.
///
/// Safety:
/// `minor_to_major` has room for the layout's rank (NULL if that is 0); `layout` valid or NULL.
stride_status stride_layout_minor_to_major(const stride_layout *layout,
                                           int64_t *minor_to_major,
                                           stride_error *error);

/// Strides in bytes, `rank` entries: the inverse of `stride_layout_init_bytes`. NumPy, Arrow, ggml and PJRT have them, counted
/// from the element (0, ..., 0). The stride of a dimension of size 1 or of an empty layout says nothing: it becomes 0 where it
/// has no such number.
///
/// Returns: NULL_POINTER; NOT_REPRESENTABLE with the dimension where elements below a byte lie no whole number of bytes apart.
///
/// Safety:
/// `byte_strides` has room for `layout->rank` entries; `layout` valid or NULL.
stride_status stride_layout_byte_strides(const stride_layout *layout,
                                         int64_t *byte_strides,
                                         stride_error *error);

/// `*answer` becomes 1 if dtype, offset, rank, sizes and all strides are equal, also those that say nothing; else 0.
///
/// Returns: NULL_POINTER, or what is wrong with a layout.
///
/// Safety:
/// `lhs`, `rhs` and `answer` valid or NULL.
stride_status stride_layout_equal(const stride_layout *lhs,
                                  const stride_layout *rhs,
                                  uint32_t *answer,
                                  stride_error *error);

/// `*answer` becomes 1 if every index means the same element: equal dtype and sizes and, unless empty, equal offset and
/// equal strides where the size is above 1; else 0.
///
/// Returns: NULL_POINTER, or what is wrong with a layout.
///
/// Safety:
/// `lhs`, `rhs` and `answer` valid or NULL.
stride_status stride_layout_same_mapping(const stride_layout *lhs,
                                         const stride_layout *rhs,
                                         uint32_t *answer,
                                         stride_error *error);

/// Writes the layout as text: "f32[2,3] strides [3,1] offset 0".
///
/// Returns: NULL_POINTER, or what is wrong with `layout`.
///
/// Safety:
/// `buffer` valid for `capacity` bytes; `layout` and `length` valid or NULL.
stride_status stride_layout_format(const stride_layout *layout,
                                   char *buffer,
                                   uint64_t capacity,
                                   uint64_t *length,
                                   stride_error *error);

// =================================================================================================
//
// Overlap
//
// Whether two indices mean the same memory is NP-hard in general. The questions below are decided at once for all
// ordinary layouts, and by an exact search with a work budget for the rest: UNDECIDED means that the budget ended first.
// A budget of 0 is a sensible default, well below a millisecond.

/// `*answer` becomes 1 if two different indices of the layout mean the same element, else 0. Sizes {4,4} with strides {3,4}
/// are distinct, sizes {5,4} with the same strides are not.
///
/// Returns: NULL_POINTER; UNDECIDED.
///
/// Safety:
/// `layout` and `answer` valid or NULL.
stride_status stride_layout_self_overlap(const stride_layout *layout,
                                         uint64_t budget,
                                         uint32_t *answer,
                                         stride_error *error);

/// `*answer` becomes 1 if any bit belongs to an element of both layouts, with their base pointers at these addresses (in
/// bytes), else 0. Two channels of one interleaved image do not overlap, nor do two 4-bit elements of one byte.
///
/// Returns: NULL_POINTER; UNDECIDED, also for elements below a byte in one byte if only one side is HIGH_FIRST.
///
/// Safety:
/// `lhs`, `rhs` and `answer` valid or NULL. The addresses are only numbers.
stride_status stride_layouts_overlap(const stride_layout *lhs,
                                     uint64_t lhs_address,
                                     const stride_layout *rhs,
                                     uint64_t rhs_address,
                                     uint64_t budget,
                                     uint32_t *answer,
                                     stride_error *error);

// =================================================================================================
//
// Broadcasting
//
// Results are views: a dimension that is stretched or added gets stride 0, all others keep theirs. Dtypes do not matter.
// A mismatch names the dimension of the result and both sizes.
//
// NumPy's rule: shapes are right-aligned; sizes are equal or 1; 1 stretches, also to 0. XLA's rule: nothing is implicit;
// broadcast_dimensions says which dimension of the larger operand each dimension of the smaller one is.

/// The common sizes of `count` shapes by NumPy's rule. `ranks[k]` is the rank of shape k; `sizes` holds the sizes of all
/// shapes one after the other. {7,1,5} and {2,1} give {7,2,5}; no shapes at all give rank 0.
///
/// Returns: NULL_POINTER; INVALID_RANK, INVALID_SIZE with the operand; BROADCAST_MISMATCH with operand, dimension and both
/// sizes; OVERFLOW.
///
/// Safety:
/// `ranks` holds `count` entries, `sizes` as many as they sum to; `out_rank` valid or NULL; `out_sizes` has room for 64
/// entries.
stride_status stride_broadcast_sizes(uint32_t count,
                                     const uint32_t *ranks,
                                     const int64_t *sizes,
                                     uint32_t *out_rank,
                                     int64_t *out_sizes,
                                     stride_error *error);

/// The views of `count` layouts with their common sizes by NumPy's rule, into `out[0] ... out[count - 1]`.
///
/// Returns: as `stride_broadcast_sizes`; the item of the error is the operand.
///
/// Safety:
/// `in` and `out` hold `count` layouts; they are apart, or the same array.
stride_status stride_broadcast_layouts(uint32_t count,
                                       const stride_layout *in,
                                       stride_layout *out,
                                       stride_error *error);

/// The view of a layout with these sizes by NumPy's rule (numpy.broadcast_to). The rank may grow, never shrink.
///
/// Returns: NULL_POINTER; INVALID_RANK; INVALID_SIZE; BROADCAST_MISMATCH with the dimension and both sizes; OVERFLOW.
///
/// Safety:
/// `sizes` holds `rank` entries; `layout` and `out` valid or NULL; they may be the same.
stride_status stride_layout_broadcast_to(const stride_layout *layout,
                                         uint32_t rank,
                                         const int64_t *sizes,
                                         stride_layout *out,
                                         stride_error *error);

/// XLA's broadcast_in_dim: dimension k of the layout becomes dimension broadcast_dimensions[k] of a view with these sizes;
/// all other dimensions repeat. A size of 1 stretches. Strictly increasing, so this never transposes.
///
/// Returns: NULL_POINTER; INVALID_RANK; INVALID_AXES with the position in the list; BROADCAST_MISMATCH with the dimension
/// and both sizes.
///
/// Safety:
/// `sizes` holds `rank` entries, `broadcast_dimensions` as many as the layout has dimensions; `layout` and `out` valid or
/// NULL; they may be the same.
stride_status stride_layout_broadcast_in_dim(const stride_layout *layout,
                                             uint32_t rank,
                                             const int64_t *sizes,
                                             const int64_t *broadcast_dimensions,
                                             stride_layout *out,
                                             stride_error *error);

/// XLA's rule for a binary element-wise operation: the views of both operands with their common sizes. Equal ranks:
/// `broadcast_dimensions` is empty or 0, 1, ... Different ranks: one entry for each dimension of the smaller operand, none
/// only for a scalar. A vector of 3 onto 2x3: {1}; {0} is a mismatch of 3 and 2.
///
/// Returns: NULL_POINTER; INVALID_AXES (a wrong count, entries out of range or order); BROADCAST_MISMATCH with the
/// dimension of the result and both sizes, the left operand's first.
///
/// Safety:
/// `broadcast_dimensions` holds `count` entries; the layouts valid or NULL; each output may be one of the inputs.
stride_status stride_xla_broadcast(const stride_layout *lhs,
                                   const stride_layout *rhs,
                                   uint32_t count,
                                   const int64_t *broadcast_dimensions,
                                   stride_layout *lhs_out,
                                   stride_layout *rhs_out,
                                   stride_error *error);

// =================================================================================================
//
// Views
//
// Other sizes and strides over the same memory: nothing is moved, signs and zero strides pass through. Dimension numbers
// may be negative here, -1 is the last. A view without elements keeps the layout's offset.
//
// Every function returns NULL_POINTER or what is wrong with the layout besides the statuses named. `out` may be `layout`.

/// Dimension i of `out` is dimension axes[i]: sizes {2,3,4} with axes {2,0,1} become {4,2,3} (numpy.transpose).
///
/// Returns: INVALID_AXES with the position unless `axes` is a permutation.
///
/// Safety:
/// `axes` holds as many entries as the layout has dimensions.
stride_status stride_layout_permute(const stride_layout *layout,
                                    const int64_t *axes,
                                    stride_layout *out,
                                    stride_error *error);

/// NumPy's start:stop:step in every dimension. Negative starts and stops count from the end, both are clamped, and
/// INT64_MIN and INT64_MAX reach past either end. NULL starts and stops: the whole dimension in the step's direction; NULL
/// steps: 1. A negative step mirrors.
///
/// Returns: INVALID_ARGUMENT with the dimension for a step of 0.
///
/// Safety:
/// `starts`, `stops` and `steps` are NULL or hold as many entries as the layout has dimensions.
stride_status stride_layout_slice(const stride_layout *layout,
                                  const int64_t *starts,
                                  const int64_t *stops,
                                  const int64_t *steps,
                                  stride_layout *out,
                                  stride_error *error);

/// The box of `sizes` elements that begins at index `starts`. Strict: nothing is clamped.
///
/// Returns: INDEX_OUT_OF_RANGE with the dimension; INVALID_SIZE.
///
/// Safety:
/// `starts` and `sizes` hold as many entries as the layout has dimensions.
stride_status stride_layout_crop(const stride_layout *layout,
                                 const int64_t *starts,
                                 const int64_t *sizes,
                                 stride_layout *out,
                                 stride_error *error);

/// Reverses the `count` dimensions named (numpy.flip).
///
/// Returns: INVALID_AXES with the position; OVERFLOW where an element lay far below the base pointer.
///
/// Safety:
/// `axes` holds `count` entries.
stride_status stride_layout_flip(const stride_layout *layout,
                                 uint32_t count,
                                 const int64_t *axes,
                                 stride_layout *out,
                                 stride_error *error);

/// Drops the `count` dimensions named, all of size 1 (numpy.squeeze with axes).
///
/// Returns: INVALID_AXES with the position; INVALID_SIZE with the dimension.
///
/// Safety:
/// `axes` holds `count` entries.
stride_status stride_layout_squeeze(const stride_layout *layout,
                                    uint32_t count,
                                    const int64_t *axes,
                                    stride_layout *out,
                                    stride_error *error);

/// Drops every dimension of size 1 (numpy.squeeze without axes).
///
/// Returns: nothing else.
///
/// Safety:
/// Nothing else.
stride_status stride_layout_squeeze_all(const stride_layout *layout,
                                        stride_layout *out,
                                        stride_error *error);

/// Inserts a dimension of size 1 at each of the `count` places named, which are dimension numbers of `out`
/// (numpy.expand_dims). Its stride is the natural one: size * stride of its right neighbour, 1 at the end.
///
/// Returns: INVALID_AXES with the position; INVALID_RANK above 64 dimensions.
///
/// Safety:
/// `axes` holds `count` entries.
stride_status stride_layout_expand_dims(const stride_layout *layout,
                                        uint32_t count,
                                        const int64_t *axes,
                                        stride_layout *out,
                                        stride_error *error);

/// Inserts dimensions of size 1 before dimension `position` until the rank is `rank`. HW with rank 4, position 0: 11HW, as
/// DirectML wants it.
///
/// Returns: INVALID_RANK if the layout has more dimensions already; INVALID_AXES for the position.
///
/// Safety:
/// Nothing else.
stride_status stride_layout_pad_rank(const stride_layout *layout,
                                     uint32_t rank,
                                     uint32_t position,
                                     stride_layout *out,
                                     stride_error *error);

/// Other sizes for the same elements in the same row-major order; one size may be -1 and is computed (numpy.reshape). Zero
/// and negative strides reshape as well where they are one run: stride[i] = size[i+1] * stride[i+1].
///
/// Returns: NOT_REPRESENTABLE where only a copy could do it; SHAPE_MISMATCH with both counts; INVALID_SIZE; INVALID_RANK.
///
/// Safety:
/// `sizes` holds `rank` entries.
stride_status stride_layout_reshape(const stride_layout *layout,
                                    uint32_t rank,
                                    const int64_t *sizes,
                                    stride_layout *out,
                                    stride_error *error);

/// Cuts dimension `axis` into `count` dimensions with these sizes, one of which may be -1. Always possible.
///
/// Returns: INVALID_AXES; SHAPE_MISMATCH if the product is not the dimension's size; INVALID_RANK.
///
/// Safety:
/// `sizes` holds `count` entries.
stride_status stride_layout_split(const stride_layout *layout,
                                  int64_t axis,
                                  uint32_t count,
                                  const int64_t *sizes,
                                  stride_layout *out,
                                  stride_error *error);

/// Joins the `count` dimensions from `axis` on into one.
///
/// Returns: NOT_REPRESENTABLE with the dimension unless they are one run; INVALID_AXES; INVALID_ARGUMENT for the count.
///
/// Safety:
/// Nothing else.
stride_status stride_layout_merge(const stride_layout *layout,
                                  int64_t axis,
                                  uint32_t count,
                                  stride_layout *out,
                                  stride_error *error);

/// The diagonal of two dimensions, `diagonal` steps above the main one (below, if negative), as a new last dimension
/// (numpy.diagonal).
///
/// Returns: INVALID_AXES.
///
/// Safety:
/// Nothing else.
stride_status stride_layout_diagonal(const stride_layout *layout,
                                     int64_t diagonal,
                                     int64_t axis1,
                                     int64_t axis2,
                                     stride_layout *out,
                                     stride_error *error);

// =================================================================================================
//
// DirectML
//
// stride_dml_buffer_tensor_desc has the memory layout of DML_BUFFER_TENSOR_DESC: cast one to the other. How many bytes a
// tensor takes is arithmetic (`stride_dml_buffer_tensor_size`); whether DirectML accepts it is a verdict of its own
// (`stride_dml_validate`), with the reason that E_INVALIDARG does not give. Sources: DirectML.h, DirectMLX.h, and the
// DirectML pages on learn.microsoft.com.

/// DML_TENSOR_DATA_TYPE_UNKNOWN.
#define STRIDE_DML_TENSOR_DATA_TYPE_UNKNOWN 0

/// DML_TENSOR_DATA_TYPE_FLOAT32.
#define STRIDE_DML_TENSOR_DATA_TYPE_FLOAT32 1

/// DML_TENSOR_DATA_TYPE_FLOAT16.
#define STRIDE_DML_TENSOR_DATA_TYPE_FLOAT16 2

/// DML_TENSOR_DATA_TYPE_UINT32.
#define STRIDE_DML_TENSOR_DATA_TYPE_UINT32 3

/// DML_TENSOR_DATA_TYPE_UINT16.
#define STRIDE_DML_TENSOR_DATA_TYPE_UINT16 4

/// DML_TENSOR_DATA_TYPE_UINT8.
#define STRIDE_DML_TENSOR_DATA_TYPE_UINT8 5

/// DML_TENSOR_DATA_TYPE_INT32.
#define STRIDE_DML_TENSOR_DATA_TYPE_INT32 6

/// DML_TENSOR_DATA_TYPE_INT16.
#define STRIDE_DML_TENSOR_DATA_TYPE_INT16 7

/// DML_TENSOR_DATA_TYPE_INT8.
#define STRIDE_DML_TENSOR_DATA_TYPE_INT8 8

/// DML_TENSOR_DATA_TYPE_FLOAT64.
#define STRIDE_DML_TENSOR_DATA_TYPE_FLOAT64 9

/// DML_TENSOR_DATA_TYPE_UINT64.
#define STRIDE_DML_TENSOR_DATA_TYPE_UINT64 10

/// DML_TENSOR_DATA_TYPE_INT64.
#define STRIDE_DML_TENSOR_DATA_TYPE_INT64 11

/// DML_TENSOR_DATA_TYPE_UINT4.
#define STRIDE_DML_TENSOR_DATA_TYPE_UINT4 12

/// DML_TENSOR_DATA_TYPE_INT4.
#define STRIDE_DML_TENSOR_DATA_TYPE_INT4 13

/// DML_TENSOR_FLAG_NONE.
#define STRIDE_DML_TENSOR_FLAG_NONE 0

/// DML_TENSOR_FLAG_OWNED_BY_DML.
#define STRIDE_DML_TENSOR_FLAG_OWNED_BY_DML 1

/// The most dimensions that DirectML takes (DML_TENSOR_DIMENSION_COUNT_MAX1).
#define STRIDE_DML_TENSOR_DIMENSION_COUNT_MAX 8

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
  /// 0, or the power of two that the binding's offset is a multiple of.
  uint32_t guaranteed_base_offset_alignment;
} stride_dml_buffer_tensor_desc;

/// Bytes that a tensor needs, rounded up to a multiple of 4: what DMLCalcBufferTensorSize computes, and callable where it
/// is called. 0 on any error (and for an empty tensor); `stride_dml_buffer_tensor_size` tells which. `strides` NULL:
/// packed. Right where the original wraps: {3,2} with strides {2^31,1} of float32 takes 17179869192 bytes, not 8.
///
/// Safety:
/// `sizes` holds `dimension_count` entries; `strides` too, or is NULL.
uint64_t stride_dml_calc_buffer_tensor_size(uint32_t data_type,
                                            uint32_t dimension_count,
                                            const uint32_t *sizes,
                                            const uint32_t *strides);

/// The same with a reason: `*out` becomes the number of bytes. An empty tensor takes 0, rank 0 is one element. Up to 64
/// dimensions.
///
/// Returns: NULL_POINTER; INVALID_DTYPE; INVALID_RANK; OVERFLOW.
///
/// Safety:
/// `sizes` holds `dimension_count` entries; `strides` too, or is NULL; `out` valid or NULL.
stride_status stride_dml_buffer_tensor_size(uint32_t data_type,
                                            uint32_t dimension_count,
                                            const uint32_t *sizes,
                                            const uint32_t *strides,
                                            uint64_t *out,
                                            stride_error *error);

/// Whether DirectML accepts the descriptor, and if not, why. Checked in this order: 1 to 8 dimensions; data type; flags;
/// no size of 0; at most 2^32 - 1 elements, counted and reached; total size a multiple of 4 and large enough; alignment 0
/// or a power of two of at least an element.
///
/// Returns: NULL_POINTER; INVALID_RANK; INVALID_DTYPE; INVALID_ARGUMENT (flags, total size, alignment); INVALID_SIZE with
/// the dimension; OVERFLOW (too many elements); OUT_OF_BOUNDS (total size too small: bytes needed, bytes given).
///
/// Safety:
/// `desc` valid or NULL, its arrays hold `dimension_count` entries or are NULL.
stride_status stride_dml_validate(const stride_dml_buffer_tensor_desc *desc,
                                  stride_error *error);

/// The layout that a descriptor describes, offset 0. Empty tensors pass: whether DirectML takes them is the question of
/// `stride_dml_validate`.
///
/// Returns: NULL_POINTER; INVALID_RANK above 8; INVALID_DTYPE; OVERFLOW.
///
/// Safety:
/// `desc` valid or NULL, its arrays hold `dimension_count` entries or are NULL; `out` valid or NULL.
stride_status stride_layout_from_dml(const stride_dml_buffer_tensor_desc *desc,
                                     stride_layout *out,
                                     stride_error *error);

/// The descriptor of a layout. `out` points to the caller's arrays `sizes` and `strides`; `*base_offset_bytes` is the offset
/// of the binding, and the total size counts from there. Flags NONE, no alignment promised.
///
/// Returns: NULL_POINTER; INVALID_DTYPE (DirectML has no such type); INVALID_RANK above 8; INVALID_STRIDE (negative, or 2^32
/// and more); INVALID_SIZE; OUT_OF_BOUNDS (an offset below 0); NOT_REPRESENTABLE (an offset that is no whole byte).
///
/// Safety:
/// `sizes` and `strides` have room for 8 entries; `layout`, `out` and `base_offset_bytes` valid or NULL.
stride_status stride_layout_to_dml(const stride_layout *layout,
                                   uint32_t *sizes,
                                   uint32_t *strides,
                                   stride_dml_buffer_tensor_desc *out,
                                   uint64_t *base_offset_bytes,
                                   stride_error *error);

/// The strides of DirectMLX's TensorPolicy::InterleavedChannel (NHWC for sizes {N,C,H,W}; {C,1} for rank 2).
///
/// Returns: NULL_POINTER; INVALID_RANK above 64; INVALID_STRIDE with the dimension where one does not fit 32 bits,
/// OVERFLOW where it does not even fit 64.
///
/// Safety:
/// `sizes` holds `dimension_count` entries; `strides` has room for as many, and may be `sizes`.
stride_status stride_dml_interleaved_channel_strides(uint32_t dimension_count,
                                                     const uint32_t *sizes,
                                                     uint32_t *strides,
                                                     stride_error *error);

// =================================================================================================
//
// XLA
//
// stride_xla_shape is an array shape with its layout: order of the dimensions, padded sizes, tiles, storage width. Plain
// data; make it with `stride_xla_shape_init` or from text. A type below a byte takes a whole byte unless the element bits, text
// E(4), say less; packed elements begin with the high bits. Sources: xla/layout.h, shape_util.cc, index_util.h and
// docs/tiled_layout.md of openxla/xla.
//
// Tiles cut the buffer. Its dimensions D, most major first, begin as the padded sizes in the order of the layout, e is an index
// in them. Each tile t in turn takes the last dimensions, as many as it has sizes (with size-1 dimensions in front where
// there are fewer), merges those marked STRIDE_XLA_TILE_MERGE into the next more minor one, and replaces them by
// ceil(D / t)..., t... and their index by e / t..., e mod t.... What is left is row-major: f32[3,5] by the tile (2,2) has the
// sizes (2,3,2,2), and index (2,3) is (1,1,0,1), position 17 of 24.
//
// Every function that takes a shape checks it, and returns what is wrong with it: INVALID_DTYPE, INVALID_RANK,
// INVALID_SIZE with the dimension, INVALID_AXES with the position, INVALID_ARGUMENT, INVALID_TILE with the tile and the
// place in it, OVERFLOW, UNSUPPORTED. A dynamic dimension without a bound has the size STRIDE_XLA_UNBOUNDED; such a shape is
// valid, has a text, and can be padded and tiled, and every other function returns UNSUPPORTED with the dimension.

/// Padding: nothing was said.
#define STRIDE_XLA_PADDING_NONE 0

/// Padding holds the number 0.
#define STRIDE_XLA_PADDING_ZERO 1

/// Padding holds the number 1.
#define STRIDE_XLA_PADDING_ONE 2

/// Padding holds the lowest number of the type, minus infinity where it has one.
#define STRIDE_XLA_PADDING_LOWEST 3

/// Padding holds the highest number of the type, infinity where it has one.
#define STRIDE_XLA_PADDING_HIGHEST 4

/// Padding holds anything.
#define STRIDE_XLA_PADDING_UNKNOWN 5

/// The most tiles of a shape; their sizes are at most 64 together.
#define STRIDE_XLA_MAX_TILES 8

/// In a tile: join this dimension with the next more minor one. Text *.
#define STRIDE_XLA_TILE_MERGE INT64_MIN

/// The size of a dynamic dimension without a bound. Text ?.
#define STRIDE_XLA_UNBOUNDED INT64_MIN

/// An XLA array shape with its layout.
typedef struct stride_xla_shape {
  /// STRIDE_DTYPE_..., without STRIDE_DTYPE_HIGH_FIRST.
  uint32_t dtype;
  /// Number of dimensions, 0 to 64.
  uint32_t rank;
  /// Storage bits of an element, 0: whole bytes. Text E(...).
  uint32_t element_bits;
  /// STRIDE_XLA_PADDING_...
  uint32_t padding_kind;
  /// Number of tiles. Text T(...).
  uint32_t tile_count;
  /// Zero.
  uint32_t reserved;
  /// The buffer's element count is rounded up to a multiple of this; at least 1. Text L(...).
  int64_t tail_alignment;
  /// Which memory; carried, never looked at. Text S(...).
  int64_t memory_space;
  /// Bit k: dimension k is dynamic and its size is the bound, text <=, or STRIDE_XLA_UNBOUNDED, text ?.
  uint64_t dynamic_dimensions;
  /// Elements along each dimension.
  int64_t sizes[STRIDE_MAX_RANK];
  /// Dimension numbers, fastest varying first.
  int64_t minor_to_major[STRIDE_MAX_RANK];
  /// Sizes of the buffer, each at least the size; equal to the sizes where nothing is padded.
  int64_t padded_sizes[STRIDE_MAX_RANK];
  /// Sizes of all tiles, one tile after the other.
  int64_t tile_sizes[STRIDE_MAX_RANK];
  /// Number of sizes of each tile.
  uint32_t tile_ranks[STRIDE_XLA_MAX_TILES];
} stride_xla_shape;

/// An unpadded shape. `minor_to_major` lists the dimensions, fastest varying first; NULL: descending, which is row-major.
///
/// Returns: NULL_POINTER, or what is wrong with the shape.
///
/// Safety:
/// `sizes` holds `rank` entries; `minor_to_major` too, or is NULL; `out` valid or NULL.
stride_status stride_xla_shape_init(stride_xla_shape *out,
                                    uint32_t dtype,
                                    uint32_t rank,
                                    const int64_t *sizes,
                                    const int64_t *minor_to_major,
                                    stride_error *error);

/// Lays the shape into a buffer of these padded sizes, each at least the size; `kind` (STRIDE_XLA_PADDING_...) says what the
/// padding holds. 2x3 padded to 3x5 with dimension 0 fastest and zeros: a d 0 b e 0 c f 0 0 0 0 0 0 0.
///
/// Returns: NULL_POINTER; INVALID_SIZE with the dimension; INVALID_ARGUMENT for the kind; OVERFLOW.
///
/// Safety:
/// `padded_sizes` holds as many entries as the shape has dimensions; `shape` valid or NULL.
stride_status stride_xla_shape_set_padding(stride_xla_shape *shape,
                                           const int64_t *padded_sizes,
                                           uint32_t kind,
                                           stride_error *error);

/// Sets the storage bits of an element, text E(bits): a power of two up to 128 that holds the type; 0: whole bytes.
///
/// Returns: NULL_POINTER; INVALID_ARGUMENT.
///
/// Safety:
/// `shape` valid or NULL.
stride_status stride_xla_shape_set_element_bits(stride_xla_shape *shape,
                                                uint32_t bits,
                                                stride_error *error);

/// Cuts the buffer by one more tile of `count` sizes, most major first, which acts on the result of the tiles before. A size
/// is above 0 or STRIDE_XLA_TILE_MERGE.
///
/// Returns: NULL_POINTER; INVALID_TILE with the tile's number and the place in it; UNSUPPORTED beyond 8 tiles or 64 sizes, with
/// both numbers; OVERFLOW.
///
/// Safety:
/// `tile` holds `count` entries; `shape` valid or NULL.
stride_status stride_xla_shape_add_tile(stride_xla_shape *shape,
                                        uint32_t count,
                                        const int64_t *tile,
                                        stride_error *error);

/// Reads a shape from text such as "f32[2,3]{0,1}" or "bf16[<=8,?,1004]{2,1,0:T(2,*,128)(2,1)L(4)E(16)S(1)}": tiles, tail
/// alignment, element bits and memory space, in this order. `length` counts the bytes of `text`. Without a layout the order is
/// descending. White space and C comments may stand between tokens.
///
/// Returns: NULL_POINTER; PARSE with the byte position; UNSUPPORTED with the position for tuples, tokens, sparse and split
/// layouts, and beyond 8 tiles or 64 sizes of them; INVALID_RANK above 64; OVERFLOW.
///
/// Safety:
/// `text` valid for `length` bytes; `out` valid or NULL.
stride_status stride_xla_shape_parse(const char *text,
                                     uint64_t length,
                                     stride_xla_shape *out,
                                     stride_error *error);

/// Writes the shape as XLA prints it: the order whenever the rank is above 0, other sections where they say something.
///
/// Returns: NULL_POINTER; NOT_REPRESENTABLE with the dimension that is padded, since padding has no text.
///
/// Safety:
/// `buffer` valid for `capacity` bytes; `shape` and `length` valid or NULL.
stride_status stride_xla_shape_format(const stride_xla_shape *shape,
                                      char *buffer,
                                      uint64_t capacity,
                                      uint64_t *length,
                                      stride_error *error);

/// Whether the struct is a valid shape; the error says what is wrong with it.
///
/// Returns: NULL_POINTER, or what is wrong with the shape.
///
/// Safety:
/// `shape` valid or NULL.
stride_status stride_xla_shape_validate(const stride_xla_shape *shape, stride_error *error);

// =================================================================================================
//
// XLA: the buffer of a shape
//
// How long it is, where in it each element lies, and the layout that the elements have. Each function returns what is wrong
// with the shape as well.

/// Bytes of the buffer: padding, tiles and tail alignment included.
///
/// Returns: NULL_POINTER, or what is wrong with the shape.
///
/// Safety:
/// `shape` and `out` valid or NULL.
stride_status stride_xla_shape_byte_size(const stride_xla_shape *shape,
                                         uint64_t *out,
                                         stride_error *error);

/// Bytes up to the end of the element that lies furthest in the buffer, 0 if there is none. XLA's ArrayDataSize looks at the
/// first tile only.
///
/// Returns: NULL_POINTER; UNDECIDED where a tile merges dimensions of which a more minor one is padded, or a tile after the
/// first merges any, and the last 65,536 positions are all padding.
///
/// Safety:
/// `shape` and `out` valid or NULL.
stride_status stride_xla_shape_data_size(const stride_xla_shape *shape,
                                         uint64_t *out,
                                         stride_error *error);

/// Bytes of the elements alone, as if neither padded nor tiled; dynamic dimensions count at their bound.
///
/// Returns: NULL_POINTER, or what is wrong with the shape.
///
/// Safety:
/// `shape` and `out` valid or NULL.
stride_status stride_xla_shape_dense_size(const stride_xla_shape *shape,
                                          uint64_t *out,
                                          stride_error *error);

/// Byte size by dense size, at least 1: f32[2,3] by the tile (8,128) takes 170.67 times the memory. Infinite where a padded buffer
/// has no elements, 1 where there is neither.
///
/// Returns: NULL_POINTER, or what is wrong with the shape.
///
/// Safety:
/// `shape` and `out` valid or NULL.
stride_status stride_xla_shape_expansion_factor(const stride_xla_shape *shape,
                                                double *out,
                                                stride_error *error);

/// Whether the tiles change nothing: 1 where every element lies where it would without them and the buffer is as long, else 0.
/// f32[24,128] by (8,128): 1.
///
/// Returns: NULL_POINTER; UNDECIDED where a tile merges dimensions of which a more minor one is padded, or a tile after the
/// first merges any, and there are more than 65,536 elements.
///
/// Safety:
/// `shape` and `out` valid or NULL.
stride_status stride_xla_shape_is_untiled(const stride_xla_shape *shape,
                                          uint32_t *out,
                                          stride_error *error);

/// Number of dimensions of size above 1, which XLA's pages call the true rank.
///
/// Returns: NULL_POINTER, or what is wrong with the shape.
///
/// Safety:
/// `shape` and `out` valid or NULL.
stride_status stride_xla_shape_true_rank(const stride_xla_shape *shape,
                                         uint32_t *out,
                                         stride_error *error);

/// The 16 bytes that fill this shape's padding: the `fill` of a copy with STRIDE_COPY_FILL_REST.
///
/// Returns: NULL_POINTER; NOT_REPRESENTABLE where the kind names no number, or one that the type does not have.
///
/// Safety:
/// `fill` has room for 16 bytes; `shape` valid or NULL.
stride_status stride_xla_shape_padding_bytes(const stride_xla_shape *shape,
                                             uint8_t *fill,
                                             stride_error *error);

/// Position of an index in the buffer, in elements: order, padding and all tiles counted
/// (IndexUtil::MultidimensionalIndexToLinearIndex where there are no tiles). f32[3,5] by the tile (2,2): (2,3) lies at 17.
///
/// Returns: NULL_POINTER; INDEX_OUT_OF_RANGE with the dimension.
///
/// Safety:
/// `index` holds as many entries as the shape has dimensions; `shape` and `out` valid or NULL.
stride_status stride_xla_linear_index(const stride_xla_shape *shape,
                                      const int64_t *index,
                                      int64_t *out,
                                      stride_error *error);

/// The inverse: the index at a position of the buffer, as many entries as the shape has dimensions.
///
/// Returns: NULL_POINTER; INDEX_OUT_OF_RANGE outside the buffer; NOT_REPRESENTABLE where the position is padding, with the
/// dimension past whose size it lies or the tile (item) that reaches past what it cuts.
///
/// Safety:
/// `index` has room for as many entries as the shape has dimensions; `shape` valid or NULL.
stride_status stride_xla_multi_index(const stride_xla_shape *shape,
                                     int64_t linear,
                                     int64_t *index,
                                     stride_error *error);

/// The layout of the shape's elements in its buffer. Where the storage is wider than the type (s4 in a byte), the layout's
/// dtype is the integer type of the storage. Tiles are no hindrance where every element lies where it would without them.
///
/// Returns: NULL_POINTER; NOT_REPRESENTABLE where tiles move elements, with the first such tile (item) and an element's
/// positions with and without the tiles; UNDECIDED as `stride_xla_shape_is_untiled`.
///
/// Safety:
/// `shape` and `out` valid or NULL.
stride_status stride_layout_from_xla(const stride_xla_shape *shape,
                                     stride_layout *out,
                                     stride_error *error);

/// The unpadded shape of a layout; the order as `stride_layout_minor_to_major` tells.
///
/// Returns: NULL_POINTER; INVALID_DTYPE (plain bytes); NOT_REPRESENTABLE (an offset, gaps, zero or negative strides, elements
/// below a byte that begin with the low bits).
///
/// Safety:
/// `layout` and `out` valid or NULL.
stride_status stride_layout_to_xla(const stride_layout *layout,
                                   stride_xla_shape *out,
                                   stride_error *error);

/// The shape with the least padding that has the layout's strides: rows of 3 at a pitch of 5 become a dimension padded to 5.
/// What the padding holds is STRIDE_XLA_PADDING_UNKNOWN; the slowest dimension is never padded.
///
/// Returns: as `stride_layout_to_xla`, without the gaps that padding explains.
///
/// Safety:
/// `layout` and `out` valid or NULL.
stride_status stride_layout_to_xla_padded(const stride_layout *layout,
                                          stride_xla_shape *out,
                                          stride_error *error);

// =================================================================================================
//
// XLA: rearranging shapes
//
// Other dimensions for a shape, or the same ones in another order. Dimension numbers may be negative, -1 is the last. Padded
// sizes go with their dimension; storage bits, tail alignment, memory space and kind of padding stay. Tiles cut the last
// dimensions as they lie in memory, whatever their numbers.
//
// Every function returns NULL_POINTER or what is wrong with the shape besides the statuses named. `out` may be an input.
// Sources: ShapeUtil and LayoutUtil of openxla/xla.

/// Dimension i of `out` is dimension axes[i]. Every element keeps its position, padding and tiles included
/// (PermuteDimensions). f32[2,3,4]{1,0,2} by {2,0,1} is f32[4,2,3]{2,1,0}.
///
/// Returns: INVALID_AXES with the position unless `axes` is a permutation.
///
/// Safety:
/// `axes` holds as many entries as the shape has dimensions; `shape` and `out` valid or NULL.
stride_status stride_xla_shape_permute(const stride_xla_shape *shape,
                                       const int64_t *axes,
                                       stride_xla_shape *out,
                                       stride_error *error);

/// The dimensions renumbered so that the order is descending. Every element keeps its position, padding and tiles included
/// (MakeShapeWithDescendingLayoutAndSamePhysicalLayout). f32[128,24,4,48,48]{2,4,3,1,0} is f32[128,24,48,48,4]{4,3,2,1,0}.
///
/// Returns: nothing else.
///
/// Safety:
/// `shape` and `out` valid or NULL.
stride_status stride_xla_shape_descending(const stride_xla_shape *shape,
                                          stride_xla_shape *out,
                                          stride_error *error);

/// The shape without `count` dimensions, in any order (DeleteDimensions).
///
/// If all of them have size 1, every element keeps its position: their padding goes to the next more minor dimension, and the
/// first tile loses its entries for them where that is needed. Otherwise it is the shape of a new buffer: the other dimensions
/// keep order and padded sizes, and tiles must not reach the deleted ones (XLA would let them cut other dimensions).
///
/// Returns: INVALID_AXES with the position in the list; NOT_REPRESENTABLE with the dimension where no shape does that;
/// UNDECIDED as `stride_xla_reshape_is_bitcast`.
///
/// Safety:
/// `dimensions` holds `count` entries; `shape` and `out` valid or NULL.
stride_status stride_xla_shape_delete_dimensions(const stride_xla_shape *shape,
                                                 uint32_t count,
                                                 const int64_t *dimensions,
                                                 stride_xla_shape *out,
                                                 stride_error *error);

/// The shape with a new dimension 0 of this size, the most major one in memory (PrependMajorDimension). The elements whose new
/// index is 0 lie where the old ones lay, padding and tiles included.
///
/// Returns: INVALID_RANK beyond 64 dimensions; INVALID_SIZE; OVERFLOW.
///
/// Safety:
/// `shape` and `out` valid or NULL.
stride_status stride_xla_shape_prepend_major(const stride_xla_shape *shape,
                                             int64_t size,
                                             stride_xla_shape *out,
                                             stride_error *error);

/// The shape with a new last dimension of this size, the most major one in memory (AppendMajorDimension). The elements whose
/// new index is 0 lie where the old ones lay, padding and tiles included.
///
/// Returns: as `stride_xla_shape_prepend_major`.
///
/// Safety:
/// `shape` and `out` valid or NULL.
stride_status stride_xla_shape_append_major(const stride_xla_shape *shape,
                                            int64_t size,
                                            stride_xla_shape *out,
                                            stride_error *error);

/// The shape with a new last dimension of this size, the most minor one in memory (AppendMinorDimension). The element at
/// position p becomes those at p * size ... p * size + size - 1; each tile gets `size` as its last entry.
///
/// Returns: as `stride_xla_shape_prepend_major`; NOT_REPRESENTABLE with the tile that reaches past the one before it;
/// UNSUPPORTED where the tiles have too many sizes.
///
/// Safety:
/// `shape` and `out` valid or NULL.
stride_status stride_xla_shape_append_minor(const stride_xla_shape *shape,
                                            int64_t size,
                                            stride_xla_shape *out,
                                            stride_error *error);

/// Another layout of the same array: `dimension` is the most major one in memory, the others keep their order
/// (MoveDimToMajor). Tiles cut the last dimensions of the new order.
///
/// Returns: INVALID_AXES; OVERFLOW.
///
/// Safety:
/// `shape` and `out` valid or NULL.
stride_status stride_xla_shape_move_to_major(const stride_xla_shape *shape,
                                             int64_t dimension,
                                             stride_xla_shape *out,
                                             stride_error *error);

/// The same to the other end: `dimension` is the most minor one in memory (MoveDimToMinor).
///
/// Returns: INVALID_AXES; OVERFLOW.
///
/// Safety:
/// `shape` and `out` valid or NULL.
stride_status stride_xla_shape_move_to_minor(const stride_xla_shape *shape,
                                             int64_t dimension,
                                             stride_xla_shape *out,
                                             stride_error *error);

/// Whether all dimensions more major than this one have size 1 (IsEffectivelyMostMajorDimension). Padded sizes and tiles are
/// not looked at.
///
/// Returns: INVALID_AXES.
///
/// Safety:
/// `shape` and `out` valid or NULL.
stride_status stride_xla_shape_is_most_major(const stride_xla_shape *shape,
                                             int64_t dimension,
                                             uint32_t *out,
                                             stride_error *error);

// =================================================================================================
//
// XLA: two shapes
//
// Whether shapes are equal, whether one buffer can be taken for the other's, and by which steps one becomes the other.
//
// Every function returns NULL_POINTER or what is wrong with a shape besides the statuses named; the first is the argument
// LHS, the second RHS. `out` may be an input. Sources: ShapeUtil and LayoutUtil of openxla/xla.

/// Equality ignores the layout: order, padding, tiles, storage bits, tail alignment, memory space.
#define STRIDE_XLA_IGNORE_LAYOUT 1

/// Equality ignores tiles.
#define STRIDE_XLA_IGNORE_TILES 2

/// Equality ignores storage bits.
#define STRIDE_XLA_IGNORE_ELEMENT_BITS 4

/// Equality ignores the tail alignment.
#define STRIDE_XLA_IGNORE_TAIL_ALIGNMENT 8

/// Equality ignores the memory space.
#define STRIDE_XLA_IGNORE_MEMORY_SPACE 16

/// Equality ignores which dimensions are dynamic.
#define STRIDE_XLA_IGNORE_DYNAMIC 32

/// Equality ignores the element type.
#define STRIDE_XLA_IGNORE_ELEMENT_TYPE 64

/// Equality ignores which floating-point type it is.
#define STRIDE_XLA_IGNORE_FLOAT_PRECISION 128

/// Equality ignores sizes and padded sizes; the ranks still count.
#define STRIDE_XLA_IGNORE_SIZES 256

/// Equality ignores padded sizes and what the padding holds.
#define STRIDE_XLA_IGNORE_PADDING 512

/// Of the layout, only the order counts: all of TILES, ELEMENT_BITS, TAIL_ALIGNMENT, MEMORY_SPACE and PADDING.
#define STRIDE_XLA_MINOR_TO_MAJOR_ONLY 542

/// A bitcast is a reshape.
#define STRIDE_XLA_BITCAST_RESHAPE 1

/// A bitcast is a transpose.
#define STRIDE_XLA_BITCAST_TRANSPOSE 2

/// A bitcast is a transpose, a reshape and a transpose, of which one or the other may change nothing.
#define STRIDE_XLA_BITCAST_TRANSPOSE_RESHAPE_TRANSPOSE 3

/// Whether the shapes are equal in all that `flags` (STRIDE_XLA_IGNORE_...) do not leave out; 0: in everything.
///
/// Returns: INVALID_ARGUMENT for an unknown flag.
///
/// Safety:
/// `lhs`, `rhs` and `answer` valid or NULL.
stride_status stride_xla_shapes_equal(const stride_xla_shape *lhs,
                                      const stride_xla_shape *rhs,
                                      uint32_t flags,
                                      uint32_t *answer,
                                      stride_error *error);

/// Whether a reshape from `in` to `out`, which keeps the row-major order of the elements, moves nothing: 1 if every element
/// keeps the place of its bits, and the buffer of `out` is no longer than that of `in`. Then the buffer of `in` can be taken
/// for that of `out`. Order, padding, all tiles and storage bits count; the tail alignment only through the length; memory
/// space and dynamic flags do not. Another element type or number of elements: 0. No elements: 1, whatever the buffers.
///
/// Returns: UNDECIDED where a tile cuts another tile in unequal pieces and there are more than 65536 elements.
///
/// Safety:
/// `in`, `out` and `answer` valid or NULL.
stride_status stride_xla_reshape_is_bitcast(const stride_xla_shape *in,
                                            const stride_xla_shape *out,
                                            uint32_t *answer,
                                            stride_error *error);

/// The same for the transpose whose output dimension i is input dimension axes[i]. Sizes of `out` that are not those of the
/// transposed input: 0. Dimensions of size 1 may lie anywhere: f32[1,5]{1,0} to f32[5,1]{1,0} by {1,0} is 1 (XLA says 0).
///
/// Returns: SHAPE_MISMATCH if the ranks differ; INVALID_AXES with the position unless `axes` is a permutation; UNDECIDED as
/// `stride_xla_reshape_is_bitcast`.
///
/// Safety:
/// `axes` holds as many entries as `in` has dimensions; `in`, `out` and `answer` valid or NULL.
stride_status stride_xla_transpose_is_bitcast(const stride_xla_shape *in,
                                              const stride_xla_shape *out,
                                              const int64_t *axes,
                                              uint32_t *answer,
                                              stride_error *error);

/// Whether one of the two is a bitcast: the reshape, or a transpose by some axes (IsReshapeOrTransposeBitcast).
///
/// Returns: UNDECIDED as `stride_xla_reshape_is_bitcast`.
///
/// Safety:
/// `in`, `out` and `answer` valid or NULL.
stride_status stride_xla_reshape_or_transpose_is_bitcast(const stride_xla_shape *in,
                                                         const stride_xla_shape *out,
                                                         uint32_t *answer,
                                                         stride_error *error);

/// The axes of the transpose that takes the buffer of `in` for that of `out`: output dimension i is input dimension axes[i]
/// (DeduceTransposeDimensionsForBitcast). Dimensions are matched as they lie in memory; where that fails, those of size 1
/// apart from the others. Element types may differ, storage bits may not.
///
/// Returns: NOT_REPRESENTABLE where there is none; UNDECIDED as `stride_xla_reshape_is_bitcast`.
///
/// Safety:
/// `axes` has room for as many entries as `out` has dimensions; `in` and `out` valid or NULL.
stride_status stride_xla_transpose_axes(const stride_xla_shape *in,
                                        const stride_xla_shape *out,
                                        int64_t *axes,
                                        stride_error *error);

/// Takes the bitcast from `in` to `out` apart (DecomposeBitcast): `in` transposed by `axes` is `transposed`, which reshaped is
/// `reshaped`, which transposed by `out_axes` is `out`, and nothing moves. `kind` is STRIDE_XLA_BITCAST_...: where it names no
/// transpose the axes are 0, 1, ... Element types may differ, storage bits may not.
///
/// Returns: NOT_REPRESENTABLE where `out` is no bitcast of `in`; UNDECIDED as `stride_xla_reshape_is_bitcast`.
///
/// Safety:
/// `axes` has room for as many entries as `in` has dimensions, `out_axes` for as many as `out` has; the other pointers valid
/// or NULL; no two outputs the same.
stride_status stride_xla_bitcast_decompose(const stride_xla_shape *in,
                                           const stride_xla_shape *out,
                                           uint32_t *kind,
                                           int64_t *axes,
                                           stride_xla_shape *transposed,
                                           stride_xla_shape *reshaped,
                                           int64_t *out_axes,
                                           stride_error *error);

/// The shape of these sizes whose order makes the reshape from `shape` a bitcast (AlignLayouts). Dimensions of size 1 become
/// the most major ones. Padding stays if it can; tiles stay if they can, or are dropped where none are needed. No dimension
/// of `out` is dynamic, unless the sizes are those of the shape: then `out` is the shape.
///
/// Returns: SHAPE_MISMATCH with both element counts; NOT_REPRESENTABLE where no order does it; INVALID_RANK; INVALID_SIZE;
/// UNDECIDED as `stride_xla_reshape_is_bitcast`.
///
/// Safety:
/// `sizes` holds `rank` entries; `shape` and `out` valid or NULL.
stride_status stride_xla_shape_align(const stride_xla_shape *shape,
                                     uint32_t rank,
                                     const int64_t *sizes,
                                     stride_xla_shape *out,
                                     stride_error *error);

/// The shape of a binary element-wise operation (ShapeInference::InferBinaryOpShape). Sizes and `broadcast_dimensions` as in
/// `stride_xla_broadcast`; where both sizes are equal the result is dynamic if either is, where one is 1 the other decides.
/// Equal types and sizes: `lhs` with its layout; else the default layout. Of two floating-point types, that of more range.
///
/// Returns: DTYPE_MISMATCH with both types; INVALID_AXES (a wrong count, entries out of range or order); BROADCAST_MISMATCH
/// with the dimension of the result and both sizes, the left operand's first. Its argument is FLAGS where only one dimension
/// is dynamic, the sizes differ and none is a static 1 (different ranks only).
///
/// Safety:
/// `broadcast_dimensions` holds `count` entries; `lhs`, `rhs` and `out` valid or NULL.
stride_status stride_xla_shape_broadcast(const stride_xla_shape *lhs,
                                         const stride_xla_shape *rhs,
                                         uint32_t count,
                                         const int64_t *broadcast_dimensions,
                                         stride_xla_shape *out,
                                         stride_error *error);

// =================================================================================================
//
// PJRT
//
// Memory layouts of buffers as the PJRT C API passes them (xla/pjrt/c/pjrt_c_api.h), by the fields of its structs, so that no
// header of PJRT is needed: PJRT_Buffer_MemoryLayout_Tiled here, with the same types. The byte strides of
// PJRT_Buffer_MemoryLayout_Strides go in by `stride_layout_init_bytes` and come out of `stride_layout_byte_strides`. They may be
// negative; the data pointer is the element (0, ..., 0), while a layout counts from the start of the buffer, so
// `stride_layout_rebase` tells how far back that is. Where PJRT means row-major by no strides, use `stride_layout_init`.

/// The shape of a tiled layout. `rank` is both the number of `sizes` and PJRT's `minor_to_major_size`. `tile_dims` holds the sizes
/// of all tiles, one tile after the other, `tile_dim_sizes` how many each of the `num_tiles` tiles has: {8,128,2,1} and
/// {2,2} are T(8,128)(2,1).
///
/// Returns: NULL_POINTER; INVALID_TILE and UNSUPPORTED as `stride_xla_shape_add_tile`; else as `stride_xla_shape_init`.
///
/// Safety:
/// `sizes` and `minor_to_major` hold `rank` entries, `tile_dim_sizes` `num_tiles`, `tile_dims` the sum of those; `out` valid or
/// NULL.
stride_status stride_xla_shape_from_pjrt_tiled(stride_xla_shape *out,
                                               uint32_t dtype,
                                               uint32_t rank,
                                               const int64_t *sizes,
                                               const int64_t *minor_to_major,
                                               const int64_t *tile_dims,
                                               const size_t *tile_dim_sizes,
                                               size_t num_tiles,
                                               stride_error *error);

/// The other way: `minor_to_major` gets `rank` entries (PJRT's `minor_to_major_size`), `tile_dims` the sizes of all tiles,
/// `tile_dim_sizes` their numbers, `*num_tiles` how many there are. 64 and STRIDE_XLA_MAX_TILES entries are always enough. Type,
/// sizes, dynamic dimensions and memory space travel beside a layout in PJRT and are not looked at.
///
/// Returns: NULL_POINTER; NOT_REPRESENTABLE for padding with the dimension, element bits and a tail alignment, none of which
/// PJRT can say; INVALID_ARGUMENT with the length needed and the capacity for an array that is too short.
///
/// Safety:
/// `minor_to_major` has room for as many entries as the shape has dimensions, `tile_dims` and `tile_dim_sizes` for their
/// capacities; `shape` and `num_tiles` valid or NULL.
stride_status stride_xla_shape_to_pjrt_tiled(const stride_xla_shape *shape,
                                             int64_t *minor_to_major,
                                             int64_t *tile_dims,
                                             size_t tile_dims_capacity,
                                             size_t *tile_dim_sizes,
                                             size_t tile_dim_sizes_capacity,
                                             size_t *num_tiles,
                                             stride_error *error);

// =================================================================================================
//
// Copies
//
// Any layout to any layout of equal sizes. `dst` and `src` are the base pointers of the buffers, `dst_bytes` and
// `src_bytes` their lengths (UINT64_MAX: the caller vouches). Before anything is touched it is proved that every element
// lies in its buffer, that no two destination elements are one, and that source and destination share no byte; two
// channels of one image pass. An empty copy touches nothing, not even null pointers. Dtypes must be equal, or one of them
// plain bytes of the same width; elements below a byte are UNSUPPORTED in this version. Elements may lie at any address:
// none needs alignment.
//
// Besides the statuses named, functions return what is wrong with a layout.

/// Flag: destination elements are distinct and the two sides share no byte, the caller vouches; no overlap test is made.
/// Bounds are checked all the same. If it is untrue, the order of writes is unspecified.
#define STRIDE_COPY_ASSUME_DISTINCT 1

/// Flag: every byte of the destination buffer that no index reaches gets the fill value; so `dst_bytes` must be the
/// tensor's own buffer, never the parent of a view nor UINT64_MAX (OUT_OF_BOUNDS), and no source byte may lie in it.
#define STRIDE_COPY_FILL_REST 2

/// Flag: the sides may share bytes; the result is as if the source had been read first (memmove). Where a direction alone
/// cannot do that, scratch memory is needed. Not together with STRIDE_COPY_ASSUME_DISTINCT.
#define STRIDE_COPY_OVERLAP 4

/// Flag: the destination is wanted in the cache afterwards. Without it a large destination is written past the cache.
#define STRIDE_COPY_KEEP_CACHED 8

/// Flag: a call takes less than 8 KiB of the stack instead of at most 48 (64 with tiled shapes), as on fibers and in signal
/// handlers. Large transposes and channels are slower; an overlap test that needs more is UNDECIDED.
#define STRIDE_COPY_SMALL_STACK 16

/// The best instruction set that the CPU has.
#define STRIDE_CPU_LEVEL_BEST 0

/// Portable code only.
#define STRIDE_CPU_LEVEL_SCALAR 1

/// x86-64 with SSSE3.
#define STRIDE_CPU_LEVEL_SSSE3 2

/// x86-64 with AVX2.
#define STRIDE_CPU_LEVEL_AVX2 3

/// x86-64 with AVX-512 F, BW, DQ, VL and VBMI.
#define STRIDE_CPU_LEVEL_AVX512 4

/// 64-bit ARM with NEON.
#define STRIDE_CPU_LEVEL_NEON 5

/// Options of a copy; begin with STRIDE_COPY_OPTIONS_INIT.
typedef struct stride_copy_options {
  /// sizeof(stride_copy_options). Up to 4096, as a newer version may have it: what is not known here must be zero.
  uint32_t struct_size;
  /// STRIDE_COPY_... flags.
  uint32_t flags;
  /// The highest STRIDE_CPU_LEVEL_... to use, as a number, even of another architecture; 0: the best there is.
  uint32_t cpu_level;
  /// Zero.
  uint32_t reserved;
  /// Steps that an overlap test may take; 0: a sensible number.
  uint64_t overlap_budget;
  /// Bytes for STRIDE_COPY_FILL_REST, repeated from the first byte of each element on.
  uint8_t fill[16];
} stride_copy_options;

/// The highest STRIDE_CPU_LEVEL_... that this CPU runs, as a number from STRIDE_CPU_LEVEL_SCALAR on. Levels of one
/// architecture are ordered: a CPU runs those below its own as well. Never fails.
uint32_t stride_cpu_level(void);

/// Copies every element of `src` to the element of `dst` with the same index. `options` NULL: the defaults.
///
/// Returns: NULL_POINTER; INVALID_ARGUMENT for the options; SHAPE_MISMATCH with the dimension and both sizes;
/// DTYPE_MISMATCH; OUT_OF_BOUNDS with the bytes needed and the length; OVERLAP with the distance of the two sides; UNDECIDED
/// where an overlap test did not finish; SCRATCH_NEEDED with the bytes needed; UNSUPPORTED.
///
/// Safety:
/// `dst` may be written and `src` read for as many bytes as the layouts reach, as far as the lengths allow (with
/// STRIDE_COPY_FILL_REST `dst` for all of `dst_bytes`). Structs valid or NULL.
stride_status stride_copy(const stride_layout *dst_layout,
                          void *dst,
                          uint64_t dst_bytes,
                          const stride_layout *src_layout,
                          const void *src,
                          uint64_t src_bytes,
                          const stride_copy_options *options,
                          stride_error *error);

/// Writes one element's value to every element of `dst`. `value` points to the bytes of one element. Indices that mean one
/// element do no harm here.
///
/// Returns: NULL_POINTER; OUT_OF_BOUNDS; OVERLAP if the value lies in an element, UNDECIDED if that is not known (neither can
/// be where the value lies outside the buffer); UNSUPPORTED below a byte.
///
/// Safety:
/// `dst` as for `stride_copy`; `value` may be read for one element.
stride_status stride_fill(const stride_layout *layout,
                          void *dst,
                          uint64_t dst_bytes,
                          const void *value,
                          stride_error *error);

/// Compares two tensors of equal sizes byte by byte. `*first_difference` becomes the row-major number of the first element
/// that differs (`stride_layout_unravel_index` gives its index), -1 if all are equal.
///
/// Returns: NULL_POINTER; SHAPE_MISMATCH; DTYPE_MISMATCH; OUT_OF_BOUNDS; UNSUPPORTED below a byte.
///
/// Safety:
/// `lhs` and `rhs` may be read for as many bytes as the layouts reach, as far as the lengths allow; all of these bytes are
/// initialised (padding inside structs is compared too).
stride_status stride_compare(const stride_layout *lhs_layout,
                             const void *lhs,
                             uint64_t lhs_bytes,
                             const stride_layout *rhs_layout,
                             const void *rhs,
                             uint64_t rhs_bytes,
                             int64_t *first_difference,
                             stride_error *error);

// =================================================================================================
//
// Plans
//
// A plan is a copy prepared once: it holds no address, may be copied, shared, and run by many threads at once. Its parts
// write different bytes, so any thread pool can run them. It belongs to this version of the library and to the CPU that it
// was made on: make it anew rather than store it. What is said of `stride_copy` holds here too.

/// A prepared copy. 4096 bytes without any address.
typedef struct stride_plan {
  /// Opaque. Word 0 tells a plan from other memory, its format and how many words are in use; the others are neither
  /// written nor read.
  uint64_t words[512];
} stride_plan;

/// Prepares a copy that can then run any number of times, with any buffers.
///
/// Returns: as `stride_copy`, as far as buffers do not matter.
///
/// Safety:
/// Structs valid or NULL.
stride_status stride_plan_init(stride_plan *out,
                               const stride_layout *dst_layout,
                               const stride_layout *src_layout,
                               const stride_copy_options *options,
                               stride_error *error);

/// Runs a plan. A plan that was tampered with is refused, or moves wrong bytes inside the two buffers named (if it claims
/// STRIDE_COPY_ASSUME_DISTINCT, for as long as its loops say).
///
/// Returns: NULL_POINTER; INVALID_ARGUMENT if `plan` is none; OUT_OF_BOUNDS; OVERLAP; UNDECIDED; SCRATCH_NEEDED.
///
/// Safety:
/// Buffers as for `stride_copy`; `plan` valid or NULL, and not inside the bytes that are written.
stride_status stride_plan_execute(const stride_plan *plan,
                                  void *dst,
                                  uint64_t dst_bytes,
                                  const void *src,
                                  uint64_t src_bytes,
                                  stride_error *error);

/// Runs part `part` (0, 1, ...) of `parts` of a plan. All parts together are the whole; in any order, on any threads. Parts
/// never share a destination byte. Work is shared out in pieces of about 4 KiB or more; where there are more parts than that,
/// the rest do nothing.
///
/// Returns: as `stride_plan_execute`, and INVALID_ARGUMENT unless part < parts.
///
/// Safety:
/// As `stride_plan_execute`.
stride_status stride_plan_execute_part(const stride_plan *plan,
                                       void *dst,
                                       uint64_t dst_bytes,
                                       const void *src,
                                       uint64_t src_bytes,
                                       uint32_t part,
                                       uint32_t parts,
                                       stride_error *error);

/// Bytes of scratch that `stride_plan_execute_scratch` needs with base pointers at these addresses. 0 without
/// STRIDE_COPY_OVERLAP, where nothing is shared, and where a direction of travel suffices.
///
/// Returns: NULL_POINTER; INVALID_ARGUMENT if `plan` is none; OUT_OF_BOUNDS past the address space.
///
/// Safety:
/// `plan` and `out` valid or NULL. The addresses are only numbers.
stride_status stride_plan_scratch_bytes(const stride_plan *plan,
                                        uint64_t dst_address,
                                        uint64_t src_address,
                                        uint64_t *out,
                                        stride_error *error);

/// Runs a plan with scratch memory for sides that share bytes. The scratch shares none with either side; it is used only
/// where it is needed.
///
/// Returns: as `stride_plan_execute`; SCRATCH_NEEDED with bytes needed and given; OVERLAP if the scratch shares bytes.
///
/// Safety:
/// As `stride_plan_execute`, and `scratch` may be written for `scratch_bytes` bytes.
stride_status stride_plan_execute_scratch(const stride_plan *plan,
                                          void *dst,
                                          uint64_t dst_bytes,
                                          const void *src,
                                          uint64_t src_bytes,
                                          void *scratch,
                                          uint64_t scratch_bytes,
                                          stride_error *error);

/// Writes what a plan does: kernel, bytes, element width, tiles, and the loops after merging.
///
/// Returns: NULL_POINTER; INVALID_ARGUMENT if `plan` is none.
///
/// Safety:
/// `buffer` valid for `capacity` bytes; `plan` and `length` valid or NULL.
stride_status stride_plan_describe(const stride_plan *plan,
                                   char *buffer,
                                   uint64_t capacity,
                                   uint64_t *length,
                                   stride_error *error);

// =================================================================================================
//
// Copies to and from XLA shapes
//
// Each side is a layout or a shape, tiles, padding and all: of `..._layout` and `..._shape` exactly one is not NULL. Padding is
// neither read nor written, except that STRIDE_COPY_FILL_REST gives padding of the destination the fill value (the bytes of
// `stride_xla_shape_padding_bytes`). STRIDE_COPY_SMALL_STACK is UNSUPPORTED with a shape; a call takes
// at most 64 KiB of the stack. Tiles are gone through in pieces; where
// `stride_plan_describe` tells of several, a side with tiles wants the length of its whole buffer
// (`stride_xla_shape_byte_size` without the tail alignment), sides whose ranges meet are OVERLAP, STRIDE_COPY_OVERLAP is
// UNSUPPORTED, and STRIDE_COPY_FILL_REST is done by part 0.

/// `stride_copy` with a layout or a shape on each side.
///
/// Returns: as `stride_copy`; INVALID_ARGUMENT if both of `..._layout` and `..._shape` are given, or what is wrong with the shape;
/// UNSUPPORTED.
///
/// Safety:
/// As `stride_copy`.
stride_status stride_xla_copy(const stride_layout *dst_layout,
                              const stride_xla_shape *dst_shape,
                              void *dst,
                              uint64_t dst_bytes,
                              const stride_layout *src_layout,
                              const stride_xla_shape *src_shape,
                              const void *src,
                              uint64_t src_bytes,
                              const stride_copy_options *options,
                              stride_error *error);

/// `stride_plan_init` with a layout or a shape on each side. Parts of a plan with tiles are cut where the tiles of the
/// destination are.
///
/// Returns: as `stride_xla_copy`, as far as buffers do not matter.
///
/// Safety:
/// Structs valid or NULL.
stride_status stride_xla_plan_init(stride_plan *out,
                                   const stride_layout *dst_layout,
                                   const stride_xla_shape *dst_shape,
                                   const stride_layout *src_layout,
                                   const stride_xla_shape *src_shape,
                                   const stride_copy_options *options,
                                   stride_error *error);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // STRIDE_H
