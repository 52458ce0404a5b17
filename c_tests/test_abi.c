/* The binary interface as a C compiler sees it: every struct's size and alignment, every field's offset and size, and
 * the value and type of constants of each list. tests/c_abi.rs asserts the same numbers of the Rust types, and
 * include/stride.json tells them. Of 64-bit machines, of 32-bit machines that align int64_t to 8 bytes (ARM, Windows),
 * and of i386 as Linux has it, which aligns it to 4 inside a struct. C11. */
#include "check.h"

#include <stdalign.h>

typedef struct behind_a_byte {
  char byte;
  int64_t number;
} behind_a_byte;

enum { POINTER = sizeof(void *), EIGHT = offsetof(behind_a_byte, number) };
_Static_assert((POINTER == 8 && EIGHT == 8) || (POINTER == 4 && (EIGHT == 8 || EIGHT == 4)), "one of the three");

/* A number that is not the same everywhere. */
#define BY_MACHINE(bits64, bits32, i386) (POINTER == 8 ? (bits64) : EIGHT == 8 ? (bits32) : (i386))

#define FIELD(type, field, offset, size)                                                                             \
  _Static_assert(offsetof(type, field) == (offset), #type "." #field " is at " #offset);                             \
  _Static_assert(sizeof(((type *)0)->field) == (size), #type "." #field " takes " #size)
/* All of them hold numbers of 64 bits and are aligned to them. */
#define STRUCT(type, size)                                                                                           \
  _Static_assert(sizeof(type) == (size), #type " takes " #size);                                                     \
  _Static_assert(alignof(type) == EIGHT, #type " is aligned as int64_t is")

_Static_assert(sizeof(stride_status) == 4 && (stride_status)-1 < 0, "stride_status is int32_t");

STRUCT(stride_error, 64);
FIELD(stride_error, status, 0, 4);
FIELD(stride_error, argument, 4, 4);
FIELD(stride_error, dimension, 8, 4);
FIELD(stride_error, item, 12, 4);
FIELD(stride_error, position, 16, 8);
FIELD(stride_error, lhs, 24, 8);
FIELD(stride_error, rhs, 32, 8);
FIELD(stride_error, detail, 40, 8);
FIELD(stride_error, reserved, 48, 16);

STRUCT(stride_layout, 1040);
FIELD(stride_layout, dtype, 0, 4);
FIELD(stride_layout, rank, 4, 4);
FIELD(stride_layout, offset, 8, 8);
FIELD(stride_layout, sizes, 16, 512);
FIELD(stride_layout, strides, 528, 512);

STRUCT(stride_requirements, 104);
FIELD(stride_requirements, struct_size, 0, 4);
FIELD(stride_requirements, flags, 4, 4);
FIELD(stride_requirements, rank_min, 8, 4);
FIELD(stride_requirements, rank_max, 12, 4);
FIELD(stride_requirements, size_min, 16, 8);
FIELD(stride_requirements, size_max, 24, 8);
FIELD(stride_requirements, dtypes, 32, 8);
FIELD(stride_requirements, element_bits, 40, 4);
FIELD(stride_requirements, base_alignment, 44, 4);
FIELD(stride_requirements, row_alignment, 48, 4);
FIELD(stride_requirements, outer_alignment, 52, 4);
FIELD(stride_requirements, exact_from, 56, 4);
FIELD(stride_requirements, total_alignment, 60, 4);
FIELD(stride_requirements, stride_bytes_max, 64, 8);
FIELD(stride_requirements, bytes_max, 72, 8);
FIELD(stride_requirements, elements_max, 80, 8);
FIELD(stride_requirements, reach_max, 88, 8);
FIELD(stride_requirements, texel_dimensions, 96, 4);
FIELD(stride_requirements, element_bits_by_three, 100, 4);

/* DirectML.h's DML_BUFFER_TENSOR_DESC. */
STRUCT(stride_dml_buffer_tensor_desc, BY_MACHINE(48, 40, 32));
FIELD(stride_dml_buffer_tensor_desc, data_type, 0, 4);
FIELD(stride_dml_buffer_tensor_desc, flags, 4, 4);
FIELD(stride_dml_buffer_tensor_desc, dimension_count, 8, 4);
FIELD(stride_dml_buffer_tensor_desc, sizes, BY_MACHINE(16, 12, 12), POINTER);
FIELD(stride_dml_buffer_tensor_desc, strides, BY_MACHINE(24, 16, 16), POINTER);
FIELD(stride_dml_buffer_tensor_desc, total_tensor_size_in_bytes, BY_MACHINE(32, 24, 20), 8);
FIELD(stride_dml_buffer_tensor_desc, guaranteed_base_offset_alignment, BY_MACHINE(40, 32, 28), 4);

/* dlpack.h's DLTensor, and DLManagedTensorVersioned, which ends with one. */
STRUCT(stride_dl_tensor, BY_MACHINE(48, 40, 36));
FIELD(stride_dl_tensor, data, 0, POINTER);
FIELD(stride_dl_tensor, device_type, BY_MACHINE(8, 4, 4), 4);
FIELD(stride_dl_tensor, device_id, BY_MACHINE(12, 8, 8), 4);
FIELD(stride_dl_tensor, ndim, BY_MACHINE(16, 12, 12), 4);
FIELD(stride_dl_tensor, dtype_code, BY_MACHINE(20, 16, 16), 1);
FIELD(stride_dl_tensor, dtype_bits, BY_MACHINE(21, 17, 17), 1);
FIELD(stride_dl_tensor, dtype_lanes, BY_MACHINE(22, 18, 18), 2);
FIELD(stride_dl_tensor, shape, BY_MACHINE(24, 20, 20), POINTER);
FIELD(stride_dl_tensor, strides, BY_MACHINE(32, 24, 24), POINTER);
FIELD(stride_dl_tensor, byte_offset, BY_MACHINE(40, 32, 28), 8);
STRUCT(stride_dl_managed_tensor_versioned, BY_MACHINE(80, 64, 60));
FIELD(stride_dl_managed_tensor_versioned, major, 0, 4);
FIELD(stride_dl_managed_tensor_versioned, minor, 4, 4);
FIELD(stride_dl_managed_tensor_versioned, manager_ctx, 8, POINTER);
FIELD(stride_dl_managed_tensor_versioned, deleter, BY_MACHINE(16, 12, 12), POINTER);
FIELD(stride_dl_managed_tensor_versioned, flags, BY_MACHINE(24, 16, 16), 8);
#define TENSOR_FIELD(field)                                                                                          \
  _Static_assert(offsetof(stride_dl_managed_tensor_versioned, field) ==                                              \
                     BY_MACHINE(32, 24, 24) + offsetof(stride_dl_tensor, field),                                     \
                 #field " is where the tensor has it")
TENSOR_FIELD(data);
TENSOR_FIELD(device_type);
TENSOR_FIELD(device_id);
TENSOR_FIELD(ndim);
TENSOR_FIELD(dtype_code);
TENSOR_FIELD(dtype_bits);
TENSOR_FIELD(dtype_lanes);
TENSOR_FIELD(shape);
TENSOR_FIELD(strides);
TENSOR_FIELD(byte_offset);

/* pybuffer.h's Py_buffer. */
_Static_assert(sizeof(stride_py_buffer) == BY_MACHINE(80, 44, 44) && alignof(stride_py_buffer) == POINTER, "Py_buffer");
FIELD(stride_py_buffer, buf, 0, POINTER);
FIELD(stride_py_buffer, obj, BY_MACHINE(8, 4, 4), POINTER);
FIELD(stride_py_buffer, len, BY_MACHINE(16, 8, 8), POINTER);
FIELD(stride_py_buffer, itemsize, BY_MACHINE(24, 12, 12), POINTER);
FIELD(stride_py_buffer, readonly, BY_MACHINE(32, 16, 16), 4);
FIELD(stride_py_buffer, ndim, BY_MACHINE(36, 20, 20), 4);
FIELD(stride_py_buffer, format, BY_MACHINE(40, 24, 24), POINTER);
FIELD(stride_py_buffer, shape, BY_MACHINE(48, 28, 28), POINTER);
FIELD(stride_py_buffer, strides, BY_MACHINE(56, 32, 32), POINTER);
FIELD(stride_py_buffer, suboffsets, BY_MACHINE(64, 36, 36), POINTER);
FIELD(stride_py_buffer, internal, BY_MACHINE(72, 40, 40), POINTER);

_Static_assert(sizeof(stride_xla_shape) <= 4096, "stride_xla_shape stays within 4096 bytes");
STRUCT(stride_xla_shape, 2128);
FIELD(stride_xla_shape, dtype, 0, 4);
FIELD(stride_xla_shape, rank, 4, 4);
FIELD(stride_xla_shape, element_bits, 8, 4);
FIELD(stride_xla_shape, padding_kind, 12, 4);
FIELD(stride_xla_shape, tile_count, 16, 4);
FIELD(stride_xla_shape, flags, 20, 4);
FIELD(stride_xla_shape, tail_alignment, 24, 8);
FIELD(stride_xla_shape, memory_space, 32, 8);
FIELD(stride_xla_shape, dynamic_dimensions, 40, 8);
FIELD(stride_xla_shape, sizes, 48, 512);
FIELD(stride_xla_shape, minor_to_major, 560, 512);
FIELD(stride_xla_shape, padded_sizes, 1072, 512);
FIELD(stride_xla_shape, tile_sizes, 1584, 512);
FIELD(stride_xla_shape, tile_ranks, 2096, 32);

STRUCT(stride_blocked, 2064);
FIELD(stride_blocked, dtype, 0, 4);
FIELD(stride_blocked, rank, 4, 4);
FIELD(stride_blocked, block_count, 8, 4);
FIELD(stride_blocked, flags, 12, 4);
FIELD(stride_blocked, sizes, 16, 512);
FIELD(stride_blocked, block_dims, 528, 512);
FIELD(stride_blocked, block_steps, 1040, 512);
FIELD(stride_blocked, block_sizes, 1552, 512);

STRUCT(stride_copy_options, BY_MACHINE(72, 64, 60));
FIELD(stride_copy_options, struct_size, 0, 4);
FIELD(stride_copy_options, flags, 4, 4);
FIELD(stride_copy_options, cpu_level, 8, 4);
FIELD(stride_copy_options, reserved, 12, 4);
FIELD(stride_copy_options, overlap_budget, 16, 8);
FIELD(stride_copy_options, fill, 24, 16);
FIELD(stride_copy_options, machine, 40, POINTER);
FIELD(stride_copy_options, scratch, BY_MACHINE(48, 44, 44), POINTER);
FIELD(stride_copy_options, scratch_bytes, BY_MACHINE(56, 48, 48), 8);
FIELD(stride_copy_options, conversion, BY_MACHINE(64, 56, 56), POINTER);

STRUCT(stride_conversion, BY_MACHINE(72, 56, 56));
FIELD(stride_conversion, struct_size, 0, 4);
FIELD(stride_conversion, flags, 4, 4);
FIELD(stride_conversion, subtract, 8, 8);
FIELD(stride_conversion, scale, 16, 8);
FIELD(stride_conversion, add, 24, 8);
FIELD(stride_conversion, values, 32, POINTER);
FIELD(stride_conversion, subtracts, BY_MACHINE(40, 36, 36), POINTER);
FIELD(stride_conversion, scales, BY_MACHINE(48, 40, 40), POINTER);
FIELD(stride_conversion, adds, BY_MACHINE(56, 44, 44), POINTER);
FIELD(stride_conversion, value_count, BY_MACHINE(64, 48, 48), 8);

STRUCT(stride_index_run, 24);
FIELD(stride_index_run, first, 0, 8);
FIELD(stride_index_run, step, 8, 8);
FIELD(stride_index_run, count, 16, 8);

_Static_assert(sizeof(stride_side_runs) == BY_MACHINE(16, 12, 12) && alignof(stride_side_runs) == POINTER, "runs of a side");
FIELD(stride_side_runs, runs, 0, POINTER);
FIELD(stride_side_runs, dimension, BY_MACHINE(8, 4, 4), 4);
FIELD(stride_side_runs, count, BY_MACHINE(12, 8, 8), 4);

STRUCT(stride_side, BY_MACHINE(176, 136, 136));
FIELD(stride_side, struct_size, 0, 4);
FIELD(stride_side, kind, 4, 4);
FIELD(stride_side, range_first, 8, 8);
FIELD(stride_side, range_count, 16, 8);
FIELD(stride_side, along_count, 24, 4);
FIELD(stride_side, reserved, 28, 4);
FIELD(stride_side, of, 32, POINTER);
FIELD(stride_side, reserved_pointer, BY_MACHINE(40, 36, 36), POINTER);
FIELD(stride_side, along, BY_MACHINE(48, 40, 40), BY_MACHINE(128, 96, 96));

STRUCT(stride_machine, 112);
FIELD(stride_machine, struct_size, 0, 4);
FIELD(stride_machine, cpu_level, 4, 4);
FIELD(stride_machine, first_cache_bytes, 8, 8);
FIELD(stride_machine, second_cache_bytes, 16, 8);
FIELD(stride_machine, last_cache_bytes, 24, 8);
FIELD(stride_machine, measured, 32, 80);

STRUCT(stride_layout_facts, 80);
FIELD(stride_layout_facts, struct_size, 0, 4);
FIELD(stride_layout_facts, formats, 4, 4);
FIELD(stride_layout_facts, element_count, 8, 8);
FIELD(stride_layout_facts, lowest, 16, 8);
FIELD(stride_layout_facts, highest, 24, 8);
FIELD(stride_layout_facts, min_bytes, 32, 8);
FIELD(stride_layout_facts, packed_bytes, 40, 8);
FIELD(stride_layout_facts, element_bits, 48, 4);
FIELD(stride_layout_facts, run_dimensions, 52, 4);
FIELD(stride_layout_facts, run_elements, 56, 8);
FIELD(stride_layout_facts, element_alignment, 64, 8);
FIELD(stride_layout_facts, row_alignment, 72, 8);

/* A constant initialiser. (What it holds is no constant expression in C; c_tests/header_cpp.cpp asserts it in C++.) */
static const stride_copy_options defaults = STRIDE_COPY_OPTIONS_INIT;
static const stride_layout_facts unasked = STRIDE_LAYOUT_FACTS_INIT;

static const stride_image unsaid = STRIDE_IMAGE_INIT;
STRUCT(stride_image, 112);
FIELD(stride_image, struct_size, 0, 4);
FIELD(stride_image, fourcc, 4, 4);
FIELD(stride_image, width, 8, 8);
FIELD(stride_image, height, 16, 8);
FIELD(stride_image, pitch_alignment, 24, 8);
FIELD(stride_image, height_alignment, 32, 8);
FIELD(stride_image, pitch_count, 40, 4);
FIELD(stride_image, offset_count, 44, 4);
FIELD(stride_image, pitches, 48, 32);
FIELD(stride_image, offsets, 80, 32);

STRUCT(stride_plan, 4096);
FIELD(stride_plan, words, 0, 4096);

STRUCT(stride_runs, 4096);
FIELD(stride_runs, words, 0, 4096);
STRUCT(stride_plan_facts, 80);
FIELD(stride_plan_facts, struct_size, 0, 4);
FIELD(stride_plan_facts, kind, 4, 4);
FIELD(stride_plan_facts, bytes, 8, 8);
FIELD(stride_plan_facts, runs, 16, 8);
FIELD(stride_plan_facts, run_bytes, 24, 8);
FIELD(stride_plan_facts, dst_lowest, 32, 8);
FIELD(stride_plan_facts, dst_end, 40, 8);
FIELD(stride_plan_facts, src_lowest, 48, 8);
FIELD(stride_plan_facts, src_end, 56, 8);
FIELD(stride_plan_facts, scratch_bytes, 64, 8);
FIELD(stride_plan_facts, useful_parts, 72, 4);
FIELD(stride_plan_facts, flags, 76, 4);

STRUCT(stride_region, 72);
FIELD(stride_region, dst_offset, 0, 8);
FIELD(stride_region, src_offset, 8, 8);
FIELD(stride_region, row_bytes, 16, 8);
FIELD(stride_region, counts, 24, 16);
FIELD(stride_region, dst_pitches, 40, 16);
FIELD(stride_region, src_pitches, 56, 16);
STRUCT(stride_region_rules, 80);
FIELD(stride_region_rules, struct_size, 0, 4);
FIELD(stride_region_rules, rank_max, 4, 4);
FIELD(stride_region_rules, flags, 8, 8);
FIELD(stride_region_rules, offset_alignment, 16, 8);
FIELD(stride_region_rules, pitch_alignment, 24, 8);
FIELD(stride_region_rules, pitch_max, 32, 16);
FIELD(stride_region_rules, row_bytes_max, 48, 8);
FIELD(stride_region_rules, rows_max, 56, 8);
FIELD(stride_region_rules, slices_max, 64, 8);
FIELD(stride_region_rules, row_bytes_alignment, 72, 4);
FIELD(stride_region_rules, reserved, 76, 4);

/* Constants: of each list the first, the last, and those whose value or type could slip. */
#define CONSTANT(name, value) _Static_assert((name) == (value), #name " is " #value)
CONSTANT(STRIDE_ABI_VERSION, 0);
CONSTANT(STRIDE_STATUS_OK, 0);
CONSTANT(STRIDE_STATUS_NULL_POINTER, 1);
CONSTANT(STRIDE_STATUS_OVERFLOW, 10);
CONSTANT(STRIDE_STATUS_SHAPE_MISMATCH, 20);
CONSTANT(STRIDE_STATUS_OUT_OF_BOUNDS, 30);
CONSTANT(STRIDE_STATUS_PARSE, 40);
CONSTANT(STRIDE_STATUS_UNSUPPORTED, 50);
CONSTANT(STRIDE_STATUS_NOT_REPRESENTABLE, 100);
CONSTANT(STRIDE_STATUS_UNDECIDED, 101);
CONSTANT(STRIDE_ARGUMENT_NONE, 0);
CONSTANT(STRIDE_ARGUMENT_SRC_LAYOUT, 3);
CONSTANT(STRIDE_ARGUMENT_PLAN, 25);
CONSTANT(STRIDE_ARGUMENT_SCRATCH, 44);
CONSTANT(STRIDE_ARGUMENT_TILE, 45);
CONSTANT(STRIDE_ARGUMENT_TAIL_ALIGNMENT, 96);
CONSTANT(STRIDE_ARGUMENT_BACK, 109);
CONSTANT(STRIDE_ARGUMENT_RUNS, 117);
CONSTANT(STRIDE_ARGUMENT_COMPONENT_COUNT, 153);
CONSTANT(STRIDE_DETAIL_NONE, 0);
CONSTANT(STRIDE_DETAIL_COUNT, 20);
CONSTANT(STRIDE_DETAIL_SCRATCH_BYTES, 64);
CONSTANT(STRIDE_DETAIL_PLAN_WORDS, 121);
CONSTANT(STRIDE_DETAIL_WHOLE_ELEMENTS, 130);
CONSTANT(STRIDE_DETAIL_NOT_RUNS, 165);
CONSTANT(STRIDE_DETAIL_FOURCC_UNKNOWN, 193);
CONSTANT(STRIDE_DETAIL_FOURCC_PACKED, 194);
CONSTANT(STRIDE_DETAIL_SHARED_PLANES, 195);
CONSTANT(STRIDE_DTYPE_PRED, 1);
CONSTANT(STRIDE_DTYPE_F32, 11);
CONSTANT(STRIDE_DTYPE_F8E8M0FNU, 33);
CONSTANT(STRIDE_DTYPE_HIGH_FIRST, 0x40000000);
CONSTANT(STRIDE_DTYPE_BYTES, 0x80000000);
_Static_assert((uint32_t)STRIDE_DTYPE_BYTES == STRIDE_DTYPE_BYTES && STRIDE_DTYPE_BYTES > 0, "fits uint32_t");
CONSTANT(STRIDE_MAX_RANK, 64);
CONSTANT(STRIDE_SIZE_ONE_KEEP, 0);
CONSTANT(STRIDE_SIZE_ONE_ZERO, 3);
CONSTANT(STRIDE_FORMAT_PACKED, 1);
CONSTANT(STRIDE_FORMAT_COLUMN_MAJOR, 2);
CONSTANT(STRIDE_FORMAT_DENSE, 4);
CONSTANT(STRIDE_FORMAT_CHANNELS_LAST, 8);
CONSTANT(STRIDE_DML_TENSOR_DATA_TYPE_FLOAT32, 1);
CONSTANT(STRIDE_DML_TENSOR_DATA_TYPE_INT4, 13);
CONSTANT(STRIDE_DML_TENSOR_FLAG_OWNED_BY_DML, 1);
CONSTANT(STRIDE_DML_TENSOR_DIMENSION_COUNT_MAX, 8);
CONSTANT(STRIDE_XLA_PADDING_NONE, 0);
CONSTANT(STRIDE_XLA_PADDING_UNKNOWN, 5);
CONSTANT(STRIDE_RUNS_MAX_OPERANDS, 8);
CONSTANT(STRIDE_XLA_MAX_TILES, 8);
CONSTANT(STRIDE_XLA_SHAPE_HIGH_FIRST, 1);
CONSTANT(STRIDE_XLA_TILE_MERGE, INT64_MIN);
CONSTANT(STRIDE_XLA_UNBOUNDED, INT64_MIN);
_Static_assert(STRIDE_XLA_TILE_MERGE < 0 && STRIDE_XLA_UNBOUNDED < 0, "signed");
CONSTANT(STRIDE_XLA_IGNORE_LAYOUT, 1);
CONSTANT(STRIDE_XLA_IGNORE_PADDING, 512);
CONSTANT(STRIDE_XLA_MINOR_TO_MAJOR_ONLY, 542);
CONSTANT(STRIDE_XLA_BITCAST_RESHAPE, 1);
CONSTANT(STRIDE_XLA_BITCAST_TRANSPOSE_RESHAPE_TRANSPOSE, 3);
CONSTANT(STRIDE_DL_FLAG_READ_ONLY, 1);
CONSTANT(STRIDE_DL_FLAG_IS_COPIED, 2);
CONSTANT(STRIDE_DL_FLAG_IS_SUBBYTE_TYPE_PADDED, 4);
CONSTANT(STRIDE_GGML_MAX_DIMS, 4);
CONSTANT(STRIDE_FOURCC_NV12, 'N' | 'V' << 8 | '1' << 16 | '2' << 24);
CONSTANT(STRIDE_FOURCC_RGB24, 'R' | 'G' << 8 | 'B' << 16 | '3' << 24);
CONSTANT(STRIDE_FOURCC_BGRA, 'A' | 'R' << 8 | '2' << 16 | '4' << 24);
CONSTANT(STRIDE_FOURCC_XR30, 'X' | 'R' << 8 | '3' << 16 | '0' << 24);
CONSTANT(STRIDE_FOURCC_Y16, 'Y' | '1' << 8 | '6' << 16 | ' ' << 24);
CONSTANT(STRIDE_FOURCC_V410, 'v' | '4' << 8 | '1' << 16 | '0' << 24);
CONSTANT(STRIDE_FOURCC_RGBA64F, 'A' | 'B' << 8 | '4' << 16 | 'H' << 24);
CONSTANT(STRIDE_COPY_ASSUME_DISTINCT, 1);
CONSTANT(STRIDE_COPY_FILL_BUFFER, 2);
CONSTANT(STRIDE_COPY_OVERLAP, 4);
CONSTANT(STRIDE_COPY_KEEP_CACHED, 8);
CONSTANT(STRIDE_COPY_SMALL_STACK, 16);
CONSTANT(STRIDE_SIDE_LAYOUT, 1);
CONSTANT(STRIDE_SIDE_SHAPE, 2);
CONSTANT(STRIDE_SIDE_BLOCKED, 3);
CONSTANT(STRIDE_MAX_ALONG, 8);
CONSTANT(STRIDE_COPY_KIND_NOTHING, 0);
CONSTANT(STRIDE_COPY_KIND_TILED, 6);
CONSTANT(STRIDE_CPU_LEVEL_BEST, 0);
CONSTANT(STRIDE_CPU_LEVEL_SCALAR, 1);
CONSTANT(STRIDE_CPU_LEVEL_SSSE3, 2);
CONSTANT(STRIDE_CPU_LEVEL_AVX2, 3);
CONSTANT(STRIDE_CPU_LEVEL_AVX512, 4);
CONSTANT(STRIDE_CPU_LEVEL_NEON, 5);
CONSTANT(STRIDE_CPU_LEVEL_SIMD128, 6);

static void the_initialiser_asks_for_nothing(void) {
  stride_copy_options zero;
  memset(&zero, 0, sizeof zero);
  zero.struct_size = sizeof zero;
  CHECK_EQ(defaults.struct_size, sizeof(stride_copy_options));
  CHECK(memcmp(&defaults, &zero, sizeof zero) == 0);

  stride_layout_facts blank;
  memset(&blank, 0, sizeof blank);
  blank.struct_size = sizeof blank;
  CHECK(memcmp(&unasked, &blank, sizeof blank) == 0);

  stride_image empty;
  memset(&empty, 0, sizeof empty);
  empty.struct_size = sizeof empty;
  CHECK(memcmp(&unsaid, &empty, sizeof empty) == 0);
}

static void constants_serve_the_preprocessor(void) {
#if STRIDE_DTYPE_BYTES == 0x80000000 && STRIDE_MAX_RANK == 64 && STRIDE_VERSION >= 100
  const int usable = 1;
#else
  const int usable = 0;
#endif
  CHECK(usable);
}

static const test tests[] = {
    TEST(the_initialiser_asks_for_nothing),
    TEST(constants_serve_the_preprocessor),
};

int main(void) { return RUN(tests); }
