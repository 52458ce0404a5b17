/* Null pointers: every function that takes pointers, each required pointer NULL in turn, with and without an error
 * record. The answer is NULL_POINTER and names the argument by its parameter's name in capitals, and no output is
 * touched. Then every pointer that may be NULL. The harness checks that each function of the headers with a pointer
 * among its arguments occurs here. */
#include "check.h"

/* Everything that the calls below write. */
static struct {
  stride_layout layout, other;
  stride_xla_shape shape, second;
  stride_blocked blocked;
  stride_plan plan;
  stride_runs runs;
  stride_dml_buffer_tensor_desc desc;
  stride_dl_tensor tensor;
  stride_layout parts[4];
  int64_t numbers[STRIDE_MAX_RANK];
  uint32_t sizes32[8], strides32[8], word;
  uint64_t length, other_length;
  stride_plan_facts plan_facts;
  stride_region region;
  double real;
  char text[64];
  unsigned char bytes[64];
  size_t counts[4];
  stride_layout_facts facts;
} out;

/* Valid arguments. */
static const int64_t sizes[2] = {2, 3}, zeros[2] = {0, 0}, order[2] = {1, 0};
static const uint32_t sizes32[2] = {2, 3};
static stride_layout layout, scalar;
static stride_xla_shape shape, scalar_shape;
static stride_blocked blocks_there, no_blocks;
static stride_plan plan;
static stride_runs runs;
static stride_copy_options moving;
static stride_dml_buffer_tensor_desc desc;
static unsigned char source[32];

/* The error argument of the calls: each is made with a record and without one. */
static stride_error record, *error;

static void set_up(void) {
  CHECK_OK(stride_layout_init(&layout, STRIDE_DTYPE_U8, 2, sizes, NULL, NULL));
  CHECK_OK(stride_layout_init(&scalar, STRIDE_DTYPE_U8, 0, NULL, NULL, NULL));
  CHECK_OK(stride_xla_shape_init(&shape, STRIDE_DTYPE_U8, 2, sizes, NULL, NULL));
  CHECK_OK(stride_xla_shape_init(&scalar_shape, STRIDE_DTYPE_U8, 0, NULL, NULL, NULL));
  shape.padding_kind = STRIDE_XLA_PADDING_ZERO;
  CHECK_OK(stride_blocked_parse("b a", 3, STRIDE_DTYPE_U8, 2, sizes, &blocks_there, NULL));
  CHECK_OK(stride_blocked_parse(NULL, 0, STRIDE_DTYPE_U8, 0, NULL, &no_blocks, NULL));
  CHECK_OK(stride_plan_init(&plan, &layout, &layout, NULL, NULL));
  CHECK_OK(stride_runs_init(&runs, 1, &layout, NULL));
  CHECK_OK(stride_copy_options_init(&moving));
  moving.flags = STRIDE_COPY_OVERLAP;
  desc.data_type = STRIDE_DML_TENSOR_DATA_TYPE_UINT8;
  desc.dimension_count = 2;
  desc.sizes = sizes32;
  desc.total_tensor_size_in_bytes = 8;
}

#define REFUSED(argument_, call) REFUSED_BECAUSE(NONE, argument_, call)

#define REFUSED_BECAUSE(detail_, argument_, call)                                                                    \
  do {                                                                                                               \
    poison(&out, sizeof out);                                                                                        \
    poison(&record, sizeof record);                                                                                  \
    error = &record;                                                                                                 \
    CHECK_STATUS(call, NULL_POINTER);                                                                                \
    check_equal(record.status, STRIDE_STATUS_NULL_POINTER, __FILE__, __LINE__, "status of the record");              \
    check_equal(record.argument, STRIDE_ARGUMENT_##argument_, __FILE__, __LINE__, #argument_ " in " #call);          \
    check_equal((int64_t)record.detail, STRIDE_DETAIL_##detail_, __FILE__, __LINE__, #detail_ " in " #call);         \
    check_sentence(&record, #argument_, __FILE__, __LINE__);                                                         \
    error = NULL;                                                                                                    \
    CHECK_STATUS(call, NULL_POINTER);                                                                                \
    check_true(is_poisoned(&out, sizeof out), __FILE__, __LINE__, "outputs untouched by " #call);                    \
  } while (0)

#define ACCEPTED(call)                                                                                               \
  do {                                                                                                               \
    poison(&record, sizeof record);                                                                                  \
    error = &record;                                                                                                 \
    CHECK_OK(call);                                                                                                  \
    CHECK_UNTOUCHED(record);                                                                                         \
    error = NULL;                                                                                                    \
    CHECK_OK(call);                                                                                                  \
  } while (0)

static void status(void) {
  stride_error bad;
  memset(&bad, 0, sizeof bad);
  CHECK_STATUS(stride_error_format(NULL, out.text, 64, &out.length, NULL), NULL_POINTER); /* with a sentence */
  REFUSED(BUFFER, stride_error_format(&bad, NULL, 64, &out.length, error));;
  ACCEPTED(stride_error_format(&bad, out.text, 64, NULL, error));
  ACCEPTED(stride_error_format(&bad, NULL, 0, &out.length, error));
}

static void dtype(void) {
  REFUSED(OUT, stride_dtype_from_bytes(12, NULL, error));
  REFUSED(OUT, stride_dtype_bits(STRIDE_DTYPE_F32, NULL, error));
  REFUSED(BUFFER, stride_dtype_name(STRIDE_DTYPE_F32, NULL, 64, &out.length, error));;
  ACCEPTED(stride_dtype_name(STRIDE_DTYPE_F32, out.text, 64, NULL, error));
  stride_machine machine;
  REFUSED(TEXT, stride_machine_parse(NULL, 3, &machine, error));
  REFUSED(OUT, stride_machine_parse("", 0, NULL, error));
  CHECK_STATUS(stride_machine_init(NULL), NULL_POINTER); /* without a record */
  CHECK_OK(stride_machine_init(&machine));
  REFUSED(MACHINE, stride_machine_format(NULL, out.text, 64, &out.length, error));
  REFUSED(BUFFER, stride_machine_format(&machine, NULL, 64, &out.length, error));
  ACCEPTED(stride_machine_format(&machine, out.text, 64, NULL, error));
  ACCEPTED(stride_machine_parse(NULL, 0, &machine, error));
  ACCEPTED(stride_machine_format(&machine, NULL, 0, &out.length, error));
  REFUSED(TEXT, stride_dtype_parse(NULL, 3, &out.word, error));
  REFUSED(OUT, stride_dtype_parse("f32", 3, NULL, error));
  ACCEPTED(stride_dtype_name(STRIDE_DTYPE_F32, NULL, 0, &out.length, error));
}

static void layouts(void) {
  const uint32_t u8 = STRIDE_DTYPE_U8;
  REFUSED(OUT, stride_layout_init(NULL, u8, 2, sizes, zeros, error));
  REFUSED(SIZES, stride_layout_init(&out.layout, u8, 2, NULL, zeros, error));
  REFUSED(OUT, stride_layout_init_ordered(NULL, u8, 2, sizes, order, error));
  REFUSED(SIZES, stride_layout_init_ordered(&out.layout, u8, 2, NULL, order, error));
  REFUSED(MINOR_TO_MAJOR, stride_layout_init_ordered(&out.layout, u8, 2, sizes, NULL, error));
  REFUSED(OUT, stride_layout_init_channels_last(NULL, u8, 2, sizes, error));
  REFUSED(SIZES, stride_layout_init_channels_last(&out.layout, u8, 2, NULL, error));
  REFUSED(OUT, stride_layout_init_pitched(NULL, u8, 2, sizes, 0, 4, error));
  REFUSED(SIZES, stride_layout_init_pitched(&out.layout, u8, 2, NULL, 0, 4, error));
  REFUSED(OUT, stride_layout_init_byte_strides(NULL, u8, 2, sizes, zeros, error));
  REFUSED(SIZES, stride_layout_init_byte_strides(&out.layout, u8, 2, NULL, zeros, error));
  REFUSED(BYTE_STRIDES, stride_layout_init_byte_strides(&out.layout, u8, 2, sizes, NULL, error));
  REFUSED(OUT, stride_layout_init_bytes(NULL, u8, 2, sizes, zeros, error));
  REFUSED(SIZES, stride_layout_init_bytes(&out.layout, u8, 2, NULL, zeros, error));
  REFUSED(BYTE_STRIDES, stride_layout_init_bytes(&out.layout, u8, 2, sizes, NULL, error));
  REFUSED(LAYOUT, stride_layout_as_bytes(NULL, &out.layout, error));
  REFUSED(OUT, stride_layout_as_bytes(&layout, NULL, error));
  REFUSED(OUT, stride_layout_init_padded(NULL, u8, 2, sizes, sizes, error));
  REFUSED(SIZES, stride_layout_init_padded(&out.layout, u8, 2, NULL, sizes, error));
  REFUSED(PADDED_SIZES, stride_layout_init_padded(&out.layout, u8, 2, sizes, NULL, error));
  REFUSED(OUT, stride_layout_init_aligned(NULL, u8, 2, sizes, 0, 4, error));
  REFUSED(SIZES, stride_layout_init_aligned(&out.layout, u8, 2, NULL, 0, 4, error));
  REFUSED(LAYOUT, stride_layout_packed_like(NULL, &out.layout, error));
  REFUSED(OUT, stride_layout_packed_like(&layout, NULL, error));
  REFUSED(LAYOUT, stride_layout_rebase(NULL, &out.layout, out.numbers, error));
  REFUSED(OUT, stride_layout_rebase(&layout, NULL, out.numbers, error));
  REFUSED(SHIFT_BYTES, stride_layout_rebase(&layout, &out.layout, NULL, error));
  REFUSED(LAYOUT, stride_layout_canonicalize(NULL, STRIDE_SIZE_ONE_ONE, &out.layout, error));
  REFUSED(OUT, stride_layout_canonicalize(&layout, STRIDE_SIZE_ONE_ONE, NULL, error));
  REFUSED(TEXT, stride_layout_parse(NULL, 3, &out.layout, error));
  REFUSED(OUT, stride_layout_parse("u8[]", 4, NULL, error));

  ACCEPTED(stride_layout_init(&out.layout, u8, 2, sizes, NULL, error)); /* packed */
  ACCEPTED(stride_layout_init(&out.layout, u8, 0, NULL, NULL, error));
  ACCEPTED(stride_layout_init_ordered(&out.layout, u8, 0, NULL, NULL, error));
  ACCEPTED(stride_layout_init_channels_last(&out.layout, u8, 0, NULL, error));
  ACCEPTED(stride_layout_init_byte_strides(&out.layout, u8, 0, NULL, NULL, error));
  ACCEPTED(stride_layout_init_bytes(&out.layout, u8, 0, NULL, NULL, error));
  ACCEPTED(stride_layout_init_padded(&out.layout, u8, 0, NULL, NULL, error));
}

static void questions(void) {
  REFUSED(LAYOUT, stride_layout_validate(NULL, error));
  REFUSED(LAYOUT, stride_layout_element_count(NULL, out.numbers, error));
  REFUSED(OUT, stride_layout_element_count(&layout, NULL, error));
  REFUSED(LAYOUT, stride_layout_span(NULL, &out.numbers[0], &out.numbers[1], error));
  REFUSED(LOWEST, stride_layout_span(&layout, NULL, &out.numbers[1], error));
  REFUSED(HIGHEST, stride_layout_span(&layout, &out.numbers[0], NULL, error));
  REFUSED(LAYOUT, stride_layout_min_bytes(NULL, &out.length, error));
  REFUSED(OUT, stride_layout_min_bytes(&layout, NULL, error));
  REFUSED(LAYOUT, stride_layout_offset(NULL, 2, zeros, out.numbers, error));
  REFUSED(INDEX, stride_layout_offset(&layout, 2, NULL, out.numbers, error));
  REFUSED(OUT, stride_layout_offset(&layout, 2, zeros, NULL, error));
  REFUSED(LAYOUT, stride_layout_byte_offset(NULL, 2, zeros, out.numbers, &out.word, error));
  REFUSED(INDEX, stride_layout_byte_offset(&layout, 2, NULL, out.numbers, &out.word, error));
  REFUSED(OFFSET_BYTES, stride_layout_byte_offset(&layout, 2, zeros, NULL, &out.word, error));
  REFUSED(BIT, stride_layout_byte_offset(&layout, 2, zeros, out.numbers, NULL, error));
  REFUSED(LAYOUT, stride_layout_ravel_index(NULL, 2, zeros, out.numbers, error));
  REFUSED(INDEX, stride_layout_ravel_index(&layout, 2, NULL, out.numbers, error));
  REFUSED(OUT, stride_layout_ravel_index(&layout, 2, zeros, NULL, error));
  REFUSED(LAYOUT, stride_layout_unravel_index(NULL, 0, 2, out.numbers, error));
  REFUSED(INDEX, stride_layout_unravel_index(&layout, 0, 2, NULL, error));
  REFUSED(LAYOUT, stride_layout_multi_index(NULL, 0, 2, out.numbers, &out.length, error));
  REFUSED(INDEX, stride_layout_multi_index(&layout, 0, 2, NULL, &out.length, error));
  ACCEPTED(stride_layout_multi_index(&layout, 0, 2, out.numbers, NULL, error));
  REFUSED(LAYOUT, stride_layout_classify(NULL, &out.word, error));
  REFUSED(FLAGS, stride_layout_classify(&layout, NULL, error));
  REFUSED(LAYOUT, stride_layout_minor_to_major(NULL, 2, out.numbers, error));
  REFUSED(MINOR_TO_MAJOR, stride_layout_minor_to_major(&layout, 2, NULL, error));
  REFUSED(LAYOUT, stride_layout_byte_strides(NULL, 2, out.numbers, error));
  REFUSED(BYTE_STRIDES, stride_layout_byte_strides(&layout, 2, NULL, error));
  REFUSED(LHS, stride_layout_equal(NULL, &layout, &out.word, error));
  REFUSED(RHS, stride_layout_equal(&layout, NULL, &out.word, error));
  REFUSED(ANSWER, stride_layout_equal(&layout, &layout, NULL, error));
  REFUSED(LHS, stride_layout_same_mapping(NULL, &layout, &out.word, error));
  REFUSED(RHS, stride_layout_same_mapping(&layout, NULL, &out.word, error));
  REFUSED(ANSWER, stride_layout_same_mapping(&layout, &layout, NULL, error));
  REFUSED(LAYOUT, stride_layout_format(NULL, out.text, 64, &out.length, error));
  REFUSED(BUFFER, stride_layout_format(&layout, NULL, 64, &out.length, error));;
  ACCEPTED(stride_layout_format(&layout, out.text, 64, NULL, error));

  ACCEPTED(stride_layout_offset(&scalar, 0, NULL, out.numbers, error));
  ACCEPTED(stride_layout_byte_offset(&scalar, 0, NULL, out.numbers, &out.word, error));
  ACCEPTED(stride_layout_ravel_index(&scalar, 0, NULL, out.numbers, error));
  ACCEPTED(stride_layout_unravel_index(&scalar, 0, 0, NULL, error));
  ACCEPTED(stride_layout_multi_index(&scalar, 0, 0, NULL, NULL, error));
  ACCEPTED(stride_layout_minor_to_major(&scalar, 0, NULL, error));
  ACCEPTED(stride_layout_format(&layout, NULL, 0, &out.length, error));
}

static void facts(void) {
  int64_t *const order_out = out.numbers;
  REFUSED(LAYOUT, stride_layout_fits(NULL, 6, error));
  REFUSED(LAYOUT, stride_layout_query(NULL, &out.facts, error));
  REFUSED(OUT, stride_layout_query(&layout, NULL, error));
  REFUSED(LAYOUT, stride_layout_alignment(NULL, 64, &out.length, &out.length, error));
  REFUSED(ELEMENT, stride_layout_alignment(&layout, 64, NULL, &out.length, error));
  REFUSED(ROW, stride_layout_alignment(&layout, 64, &out.length, NULL, error));
  REFUSED(LAYOUT, stride_layout_contiguous_run(NULL, &out.word, out.numbers, error));
  REFUSED(DIMENSIONS, stride_layout_contiguous_run(&layout, NULL, out.numbers, error));
  REFUSED(ELEMENTS, stride_layout_contiguous_run(&layout, &out.word, NULL, error));
  REFUSED(LAYOUT, stride_layout_dim_order(NULL, 2, order, 2, order_out, &out.word, error));
  REFUSED(PREFERRED, stride_layout_dim_order(&layout, 2, NULL, 2, order_out, &out.word, error));
  REFUSED(ORDER, stride_layout_dim_order(&layout, 2, order, 2, NULL, &out.word, error));
  REFUSED(UNIQUE, stride_layout_dim_order(&layout, 2, order, 2, order_out, NULL, error));

  ACCEPTED(stride_layout_dim_order(&layout, 0, NULL, 2, order_out, &out.word, error)); /* no wish */
  ACCEPTED(stride_layout_dim_order(&scalar, 0, NULL, 0, NULL, &out.word, error));
}

static void windows(void) {
  REFUSED(LAYOUT, stride_layout_window(NULL, 2, sizes, sizes, sizes, &out.layout, error));
  REFUSED(SIZES, stride_layout_window(&layout, 2, NULL, sizes, sizes, &out.layout, error));
  REFUSED(OUT, stride_layout_window(&layout, 2, sizes, sizes, sizes, NULL, error));
  REFUSED(LAYOUT, stride_layout_as_strided(NULL, 2, sizes, zeros, 0, &out.layout, error));
  REFUSED(SIZES, stride_layout_as_strided(&layout, 2, NULL, zeros, 0, &out.layout, error));
  REFUSED(STRIDES, stride_layout_as_strided(&layout, 2, sizes, NULL, 0, &out.layout, error));
  REFUSED(OUT, stride_layout_as_strided(&layout, 2, sizes, zeros, 0, NULL, error));
  REFUSED(LAYOUT, stride_layout_reinterpret(NULL, STRIDE_DTYPE_U4, &out.layout, error));
  REFUSED(OUT, stride_layout_reinterpret(&layout, STRIDE_DTYPE_U4, NULL, error));
  REFUSED(LAYOUT, stride_layout_select(NULL, 0, 0, &out.layout, error));
  REFUSED(OUT, stride_layout_select(&layout, 0, 0, NULL, error));
  REFUSED(LAYOUT, stride_layout_repeat(NULL, 0, 2, &out.layout, error));
  REFUSED(OUT, stride_layout_repeat(&layout, 0, 2, NULL, error));
  REFUSED(LAYOUT, stride_layout_cut(NULL, 0, 1, &out.layout, &out.other, error));
  REFUSED(FRONT, stride_layout_cut(&layout, 0, 1, NULL, &out.other, error));
  REFUSED(BACK, stride_layout_cut(&layout, 0, 1, &out.layout, NULL, error));

  ACCEPTED(stride_layout_window(&layout, 2, sizes, NULL, sizes, &out.layout, error));
  ACCEPTED(stride_layout_window(&layout, 2, sizes, sizes, NULL, &out.layout, error));
  ACCEPTED(stride_layout_window(&scalar, 0, NULL, NULL, NULL, &out.layout, error));
  ACCEPTED(stride_layout_as_strided(&layout, 0, NULL, NULL, 5, &out.layout, error));
}

static void overlap(void) {
  REFUSED(LAYOUT, stride_layout_self_overlap(NULL, 0, &out.word, error));
  REFUSED(ANSWER, stride_layout_self_overlap(&layout, 0, NULL, error));
  REFUSED(LHS, stride_layouts_overlap(NULL, 0, &layout, 0, 0, &out.word, error));
  REFUSED(RHS, stride_layouts_overlap(&layout, 0, NULL, 0, 0, &out.word, error));
  REFUSED(ANSWER, stride_layouts_overlap(&layout, 0, &layout, 0, 0, NULL, error));
  ACCEPTED(stride_layouts_overlap(&layout, 0, &layout, 0, 0, &out.word, error)); /* addresses are numbers */
}

static void broadcasting(void) {
  const uint32_t ranks[2] = {1, 1}, no_ranks[2] = {0, 0};
  REFUSED(RANKS, stride_broadcast_sizes(2, NULL, zeros, &out.word, out.numbers, error));
  REFUSED(SIZES, stride_broadcast_sizes(2, ranks, NULL, &out.word, out.numbers, error));
  REFUSED(OUT_RANK, stride_broadcast_sizes(2, ranks, zeros, NULL, out.numbers, error));
  REFUSED(OUT_SIZES, stride_broadcast_sizes(2, ranks, zeros, &out.word, NULL, error));
  REFUSED(IN, stride_broadcast_layouts(1, NULL, &out.layout, error));
  REFUSED(OUT, stride_broadcast_layouts(1, &layout, NULL, error));
  REFUSED(LAYOUT, stride_layout_broadcast_to(NULL, 2, sizes, &out.layout, error));
  REFUSED(SIZES, stride_layout_broadcast_to(&layout, 2, NULL, &out.layout, error));
  REFUSED(OUT, stride_layout_broadcast_to(&layout, 2, sizes, NULL, error));
  REFUSED(LAYOUT, stride_layout_broadcast_in_dim(NULL, 2, sizes, 2, LIST(0, 1), &out.layout, error));
  REFUSED(SIZES, stride_layout_broadcast_in_dim(&layout, 2, NULL, 2, LIST(0, 1), &out.layout, error));
  REFUSED(BROADCAST_DIMENSIONS, stride_layout_broadcast_in_dim(&layout, 2, sizes, 2, NULL, &out.layout, error));
  REFUSED(OUT, stride_layout_broadcast_in_dim(&layout, 2, sizes, 2, LIST(0, 1), NULL, error));
  REFUSED(LHS, stride_xla_broadcast(NULL, &layout, 2, LIST(0, 1), &out.layout, &out.other, error));
  REFUSED(RHS, stride_xla_broadcast(&layout, NULL, 2, LIST(0, 1), &out.layout, &out.other, error));
  REFUSED(BROADCAST_DIMENSIONS, stride_xla_broadcast(&layout, &layout, 2, NULL, &out.layout, &out.other, error));
  REFUSED(LHS_OUT, stride_xla_broadcast(&layout, &layout, 2, LIST(0, 1), NULL, &out.other, error));
  REFUSED(RHS_OUT, stride_xla_broadcast(&layout, &layout, 2, LIST(0, 1), &out.layout, NULL, error));

  REFUSED(IN, stride_elementwise_layout(1, NULL, STRIDE_DTYPE_U8, &out.layout, error));
  CHECK_EQ(record.item, -1); /* the list, none of its operands */
  REFUSED(OUT, stride_elementwise_layout(1, &layout, STRIDE_DTYPE_U8, NULL, error));

  ACCEPTED(stride_broadcast_sizes(0, NULL, NULL, &out.word, out.numbers, error));
  ACCEPTED(stride_broadcast_sizes(2, no_ranks, NULL, &out.word, out.numbers, error));
  ACCEPTED(stride_broadcast_layouts(0, NULL, NULL, error));
  ACCEPTED(stride_elementwise_layout(0, NULL, STRIDE_DTYPE_U8, &out.layout, error));
  ACCEPTED(stride_layout_broadcast_to(&scalar, 0, NULL, &out.layout, error));
  ACCEPTED(stride_layout_broadcast_in_dim(&scalar, 0, NULL, 0, NULL, &out.layout, error));
  ACCEPTED(stride_xla_broadcast(&layout, &layout, 0, NULL, &out.layout, &out.other, error));
}

static void composition(void) {
  uint32_t *parts = out.sizes32;
  REFUSED(OUTER, stride_layout_compose(NULL, &layout, &out.layout, 2, parts, error));
  REFUSED(INNER, stride_layout_compose(&layout, NULL, &out.layout, 2, parts, error));
  REFUSED(OUT, stride_layout_compose(&layout, &layout, NULL, 2, parts, error));
  REFUSED(GROUP_RANKS, stride_layout_compose(&layout, &layout, &out.layout, 2, NULL, error));
  REFUSED(LAYOUT, stride_layout_inverse(NULL, &out.layout, error));
  REFUSED(OUT, stride_layout_inverse(&layout, NULL, error));
  REFUSED(LAYOUT, stride_layout_tile(NULL, 2, sizes, &out.layout, error));
  REFUSED(TILE_SIZES, stride_layout_tile(&layout, 2, NULL, &out.layout, error));
  REFUSED(OUT, stride_layout_tile(&layout, 2, sizes, NULL, error));
  REFUSED(IN, stride_layouts_common_run(1, NULL, out.numbers, error));
  CHECK_EQ(record.item, -1);
  REFUSED(ELEMENTS, stride_layouts_common_run(1, &layout, NULL, error));

  ACCEPTED(stride_layout_compose(&layout, &scalar, &out.layout, 0, NULL, error));
  ACCEPTED(stride_layout_tile(&scalar, 0, NULL, &out.layout, error));
  ACCEPTED(stride_layouts_common_run(0, NULL, out.numbers, error));
}

static void views(void) {
  REFUSED(LAYOUT, stride_layout_permute(NULL, 2, order, &out.layout, error));
  REFUSED(AXES, stride_layout_permute(&layout, 2, NULL, &out.layout, error));
  REFUSED(OUT, stride_layout_permute(&layout, 2, order, NULL, error));
  REFUSED(LAYOUT, stride_layout_slice(NULL, 2, zeros, sizes, sizes, &out.layout, error));
  REFUSED(OUT, stride_layout_slice(&layout, 2, zeros, sizes, sizes, NULL, error));
  REFUSED(LAYOUT, stride_layout_crop(NULL, 2, zeros, sizes, &out.layout, error));
  REFUSED(STARTS, stride_layout_crop(&layout, 2, NULL, sizes, &out.layout, error));
  REFUSED(SIZES, stride_layout_crop(&layout, 2, zeros, NULL, &out.layout, error));
  REFUSED(OUT, stride_layout_crop(&layout, 2, zeros, sizes, NULL, error));
  REFUSED(LAYOUT, stride_layout_flip(NULL, 2, order, &out.layout, error));
  REFUSED(AXES, stride_layout_flip(&layout, 2, NULL, &out.layout, error));
  REFUSED(OUT, stride_layout_flip(&layout, 2, order, NULL, error));
  REFUSED(LAYOUT, stride_layout_squeeze(NULL, 2, order, &out.layout, error));
  REFUSED(AXES, stride_layout_squeeze(&layout, 2, NULL, &out.layout, error));
  REFUSED(OUT, stride_layout_squeeze(&layout, 2, order, NULL, error));
  REFUSED(LAYOUT, stride_layout_squeeze_all(NULL, &out.layout, error));
  REFUSED(OUT, stride_layout_squeeze_all(&layout, NULL, error));
  REFUSED(LAYOUT, stride_layout_expand_dims(NULL, 2, order, &out.layout, error));
  REFUSED(AXES, stride_layout_expand_dims(&layout, 2, NULL, &out.layout, error));
  REFUSED(OUT, stride_layout_expand_dims(&layout, 2, order, NULL, error));
  REFUSED(LAYOUT, stride_layout_pad_rank(NULL, 4, 0, &out.layout, error));
  REFUSED(OUT, stride_layout_pad_rank(&layout, 4, 0, NULL, error));
  REFUSED(LAYOUT, stride_layout_reshape(NULL, 2, sizes, &out.layout, error));
  REFUSED(SIZES, stride_layout_reshape(&layout, 2, NULL, &out.layout, error));
  REFUSED(OUT, stride_layout_reshape(&layout, 2, sizes, NULL, error));
  REFUSED(LAYOUT, stride_layout_split(NULL, 0, 2, sizes, &out.layout, error));
  REFUSED(SIZES, stride_layout_split(&layout, 0, 2, NULL, &out.layout, error));
  REFUSED(OUT, stride_layout_split(&layout, 0, 2, LIST(2, 1), NULL, error));
  REFUSED(LAYOUT, stride_layout_merge(NULL, 0, 2, &out.layout, error));
  REFUSED(OUT, stride_layout_merge(&layout, 0, 2, NULL, error));
  REFUSED(LAYOUT, stride_layout_diagonal(NULL, 0, 0, 1, &out.layout, error));
  REFUSED(OUT, stride_layout_diagonal(&layout, 0, 0, 1, NULL, error));

  ACCEPTED(stride_layout_slice(&layout, 2, NULL, sizes, sizes, &out.layout, error));
  ACCEPTED(stride_layout_slice(&layout, 2, zeros, NULL, sizes, &out.layout, error));
  ACCEPTED(stride_layout_slice(&layout, 2, zeros, sizes, NULL, &out.layout, error));
  ACCEPTED(stride_layout_slice(&layout, 2, NULL, NULL, NULL, &out.layout, error));
  ACCEPTED(stride_layout_permute(&scalar, 0, NULL, &out.layout, error));
  ACCEPTED(stride_layout_crop(&scalar, 0, NULL, NULL, &out.layout, error));
  ACCEPTED(stride_layout_flip(&layout, 0, NULL, &out.layout, error));
  ACCEPTED(stride_layout_squeeze(&layout, 0, NULL, &out.layout, error));
  ACCEPTED(stride_layout_expand_dims(&layout, 0, NULL, &out.layout, error));
  ACCEPTED(stride_layout_reshape(&scalar, 0, NULL, &out.layout, error));
}

static void own_kernels(void) {
  REFUSED(IN, stride_layouts_coalesce(1, NULL, &out.layout, error));
  REFUSED(OUT, stride_layouts_coalesce(1, &layout, NULL, error));
  REFUSED(OUT, stride_runs_init(NULL, 1, &layout, error));
  REFUSED(IN, stride_runs_init(&out.runs, 1, NULL, error));
  REFUSED(RUNS, stride_runs_strides(NULL, 1, out.numbers, error));
  REFUSED(BYTE_STRIDES, stride_runs_strides(&runs, 1, NULL, error));
  REFUSED(RUNS, stride_runs_next(NULL, 1, out.numbers, &out.length, error));
  REFUSED(BYTE_OFFSETS, stride_runs_next(&runs, 1, NULL, &out.length, error));
  REFUSED(ELEMENTS, stride_runs_next(&runs, 1, out.numbers, NULL, error));
  REFUSED(RUNS, stride_runs_next_many(NULL, 1, 4, out.numbers, &out.length, &out.length, error));
  REFUSED(BYTE_OFFSETS, stride_runs_next_many(&runs, 1, 4, NULL, &out.length, &out.length, error));
  REFUSED(FOUND, stride_runs_next_many(&runs, 1, 4, out.numbers, NULL, &out.length, error));
  REFUSED(ELEMENTS, stride_runs_next_many(&runs, 1, 4, out.numbers, &out.length, NULL, error));
  REFUSED(RUNS, stride_runs_part(NULL, 0, 2, &out.runs, error));
  REFUSED(OUT, stride_runs_part(&runs, 0, 2, NULL, error));
}

static void requirements(void) {
  stride_requirements any;
  CHECK_OK(stride_requirements_init(&any, STRIDE_CONSUMER_ANY, NULL));
  REFUSED(OUT, stride_requirements_init(NULL, STRIDE_CONSUMER_TMA, error));
  REFUSED(LAYOUT, stride_layout_meets(NULL, 0, &any, error));
  REFUSED(REQUIREMENTS, stride_layout_meets(&layout, 0, NULL, error));
  REFUSED(LAYOUT, stride_layout_adapt(NULL, &any, &out.layout, error));
  REFUSED(REQUIREMENTS, stride_layout_adapt(&layout, NULL, &out.layout, error));
  REFUSED(OUT, stride_layout_adapt(&layout, &any, NULL, error));
  REFUSED(LAYOUT, stride_layout_required_bytes(NULL, &any, &out.length, error));
  REFUSED(REQUIREMENTS, stride_layout_required_bytes(&layout, NULL, &out.length, error));
  REFUSED(OUT, stride_layout_required_bytes(&layout, &any, NULL, error));
}

static void directml(void) {
  const uint32_t u8 = STRIDE_DML_TENSOR_DATA_TYPE_UINT8;
  stride_dml_buffer_tensor_desc without_sizes = desc;
  without_sizes.sizes = NULL;
  CHECK_EQ(stride_dml_calc_buffer_tensor_size(u8, 2, NULL, sizes32), 0);
  CHECK_EQ(stride_dml_calc_buffer_tensor_size(u8, 2, sizes32, NULL), 8);
  CHECK_EQ(stride_dml_calc_buffer_tensor_size(u8, 0, NULL, NULL), 4);
  REFUSED(SIZES, stride_dml_buffer_tensor_size(u8, 2, NULL, sizes32, &out.length, error));
  REFUSED(OUT, stride_dml_buffer_tensor_size(u8, 2, sizes32, NULL, NULL, error));
  REFUSED(DESC, stride_dml_validate(NULL, error));
  REFUSED(DESC, stride_dml_validate_binding(NULL, 0, 64, error));
  REFUSED(SIZES, stride_dml_validate(&without_sizes, error));;
  REFUSED(DESC, stride_layout_from_dml(NULL, &out.layout, error));
  REFUSED(SIZES, stride_layout_from_dml(&without_sizes, &out.layout, error));;
  REFUSED(OUT, stride_layout_from_dml(&desc, NULL, error));
  REFUSED(LAYOUT, stride_layout_to_dml(NULL, 1, out.sizes32, out.strides32, &out.desc, &out.length, error));
  REFUSED(SIZES, stride_layout_to_dml(&layout, 1, NULL, out.strides32, &out.desc, &out.length, error));
  REFUSED(STRIDES, stride_layout_to_dml(&layout, 1, out.sizes32, NULL, &out.desc, &out.length, error));
  REFUSED(OUT, stride_layout_to_dml(&layout, 1, out.sizes32, out.strides32, NULL, &out.length, error));
  REFUSED(BASE_OFFSET_BYTES, stride_layout_to_dml(&layout, 1, out.sizes32, out.strides32, &out.desc, NULL, error));

  ACCEPTED(stride_dml_buffer_tensor_size(u8, 2, sizes32, NULL, &out.length, error)); /* packed */
  ACCEPTED(stride_dml_buffer_tensor_size(u8, 0, NULL, NULL, &out.length, error));
  ACCEPTED(stride_dml_validate(&desc, error)); /* its strides are NULL */
  ACCEPTED(stride_layout_from_dml(&desc, &out.layout, error));
}

static void xla(void) {
  const uint32_t u8 = STRIDE_DTYPE_U8;
  REFUSED(OUT, stride_xla_shape_init(NULL, u8, 2, sizes, order, error));
  REFUSED(SIZES, stride_xla_shape_init(&out.shape, u8, 2, NULL, order, error));
  REFUSED(SHAPE, stride_xla_shape_set_padding(NULL, 2, sizes, STRIDE_XLA_PADDING_ZERO, error));
  REFUSED(PADDED_SIZES, stride_xla_shape_set_padding(&shape, 2, NULL, STRIDE_XLA_PADDING_ZERO, error));
  REFUSED(SHAPE, stride_xla_shape_set_element_bits(NULL, 8, error));
  REFUSED(SHAPE, stride_xla_shape_add_tile(NULL, 2, sizes, error));
  REFUSED(TILE, stride_xla_shape_add_tile(&shape, 2, NULL, error));
  REFUSED(TEXT, stride_xla_shape_parse(NULL, 6, &out.shape, error));
  REFUSED(OUT, stride_xla_shape_parse("f32[2]", 6, NULL, error));
  REFUSED(SHAPE, stride_xla_shape_format(NULL, out.text, 64, &out.length, error));
  REFUSED(BUFFER, stride_xla_shape_format(&shape, NULL, 64, &out.length, error));;
  ACCEPTED(stride_xla_shape_format(&shape, out.text, 64, NULL, error));
  REFUSED(SHAPE, stride_xla_shape_describe(NULL, out.text, 64, &out.length, error));
  REFUSED(BUFFER, stride_xla_shape_describe(&shape, NULL, 64, &out.length, error));
  ACCEPTED(stride_xla_shape_describe(&shape, out.text, 64, NULL, error));
  REFUSED(SHAPE, stride_xla_shape_validate(NULL, error));
  REFUSED(SHAPE, stride_xla_shape_byte_size(NULL, &out.length, error));
  REFUSED(OUT, stride_xla_shape_byte_size(&shape, NULL, error));
  REFUSED(SHAPE, stride_xla_shape_data_byte_size(NULL, &out.length, error));
  REFUSED(OUT, stride_xla_shape_data_byte_size(&shape, NULL, error));
  REFUSED(SHAPE, stride_xla_shape_dense_byte_size(NULL, &out.length, error));
  REFUSED(OUT, stride_xla_shape_dense_byte_size(&shape, NULL, error));
  REFUSED(SHAPE, stride_xla_shape_expansion_factor(NULL, &out.real, error));
  REFUSED(OUT, stride_xla_shape_expansion_factor(&shape, NULL, error));
  REFUSED(SHAPE, stride_xla_shape_is_untiled(NULL, &out.word, error));
  REFUSED(ANSWER, stride_xla_shape_is_untiled(&shape, NULL, error));
  REFUSED(SHAPE, stride_xla_shape_true_rank(NULL, &out.word, error));
  REFUSED(OUT, stride_xla_shape_true_rank(&shape, NULL, error));
  REFUSED(SHAPE, stride_xla_shape_padding_bytes(NULL, out.bytes, error));
  REFUSED(FILL, stride_xla_shape_padding_bytes(&shape, NULL, error));
  REFUSED(SHAPE, stride_xla_linear_index(NULL, 2, zeros, out.numbers, error));
  REFUSED(INDEX, stride_xla_linear_index(&shape, 2, NULL, out.numbers, error));
  REFUSED(OUT, stride_xla_linear_index(&shape, 2, zeros, NULL, error));
  REFUSED(SHAPE, stride_xla_multi_index(NULL, 0, 2, out.numbers, error));
  REFUSED(INDEX, stride_xla_multi_index(&shape, 0, 2, NULL, error));
  REFUSED(SHAPE, stride_layout_from_xla(NULL, &out.layout, error));
  REFUSED(OUT, stride_layout_from_xla(&shape, NULL, error));
  REFUSED(LAYOUT, stride_layout_to_xla(NULL, &out.shape, error));
  REFUSED(OUT, stride_layout_to_xla(&layout, NULL, error));
  REFUSED(LAYOUT, stride_layout_to_xla_padded(NULL, &out.shape, error));
  REFUSED(OUT, stride_layout_to_xla_padded(&layout, NULL, error));

  ACCEPTED(stride_xla_shape_init(&out.shape, u8, 2, sizes, NULL, error)); /* descending */
  ACCEPTED(stride_xla_shape_init(&out.shape, u8, 0, NULL, NULL, error));
  ACCEPTED(stride_xla_shape_set_padding(&scalar_shape, 0, NULL, STRIDE_XLA_PADDING_NONE, error));
  ACCEPTED(stride_xla_shape_format(&shape, NULL, 0, &out.length, error));
  ACCEPTED(stride_xla_shape_describe(&shape, NULL, 0, &out.length, error));
  ACCEPTED(stride_xla_linear_index(&scalar_shape, 0, NULL, out.numbers, error));
  ACCEPTED(stride_xla_multi_index(&scalar_shape, 0, 0, NULL, error));
}

static void xla_algebra(void) {
  const stride_xla_shape *in = &shape;
  uint32_t *answer = &out.word;
  int64_t *numbers = out.numbers;
  REFUSED(SHAPE, stride_xla_shape_permute(NULL, 2, order, &out.shape, error));
  REFUSED(AXES, stride_xla_shape_permute(in, 2, NULL, &out.shape, error));
  REFUSED(OUT, stride_xla_shape_permute(in, 2, order, NULL, error));
  REFUSED(SHAPE, stride_xla_shape_descending(NULL, &out.shape, error));
  REFUSED(OUT, stride_xla_shape_descending(in, NULL, error));
  REFUSED(SHAPE, stride_xla_shape_delete_dimensions(NULL, 1, zeros, &out.shape, error));
  REFUSED(DIMENSIONS, stride_xla_shape_delete_dimensions(in, 1, NULL, &out.shape, error));
  REFUSED(OUT, stride_xla_shape_delete_dimensions(in, 1, zeros, NULL, error));
  REFUSED(SHAPE, stride_xla_shape_prepend_major(NULL, 2, &out.shape, error));
  REFUSED(OUT, stride_xla_shape_prepend_major(in, 2, NULL, error));
  REFUSED(SHAPE, stride_xla_shape_is_most_major(NULL, 0, answer, error));
  REFUSED(ANSWER, stride_xla_shape_is_most_major(in, 0, NULL, error));
  REFUSED(LHS, stride_xla_shapes_equal(NULL, in, 0, answer, error));
  REFUSED(RHS, stride_xla_shapes_equal(in, NULL, 0, answer, error));
  REFUSED(ANSWER, stride_xla_shapes_equal(in, in, 0, NULL, error));
  REFUSED(IN_SHAPE, stride_xla_reshape_is_bitcast(NULL, in, answer, error));
  REFUSED(OUT_SHAPE, stride_xla_reshape_is_bitcast(in, NULL, answer, error));
  REFUSED(ANSWER, stride_xla_reshape_is_bitcast(in, in, NULL, error));
  REFUSED(IN_SHAPE, stride_xla_transpose_is_bitcast(NULL, in, 2, order, answer, error));
  REFUSED(OUT_SHAPE, stride_xla_transpose_is_bitcast(in, NULL, 2, order, answer, error));
  REFUSED(AXES, stride_xla_transpose_is_bitcast(in, in, 2, NULL, answer, error));
  REFUSED(ANSWER, stride_xla_transpose_is_bitcast(in, in, 2, order, NULL, error));
  REFUSED(IN_SHAPE, stride_xla_reshape_or_transpose_is_bitcast(NULL, in, answer, error));
  REFUSED(OUT_SHAPE, stride_xla_reshape_or_transpose_is_bitcast(in, NULL, answer, error));
  REFUSED(ANSWER, stride_xla_reshape_or_transpose_is_bitcast(in, in, NULL, error));
  REFUSED(IN_SHAPE, stride_xla_transpose_axes(NULL, in, 2, numbers, error));
  REFUSED(OUT_SHAPE, stride_xla_transpose_axes(in, NULL, 2, numbers, error));
  REFUSED(AXES, stride_xla_transpose_axes(in, in, 2, NULL, error));
#define DECOMPOSE(in, to, kind, axes, transposed, reshaped, out_axes)                                                \
  stride_xla_bitcast_decompose(in, to, kind, 2, axes, transposed, reshaped, 2, out_axes, error)
  REFUSED(IN_SHAPE, DECOMPOSE(NULL, in, answer, numbers, &out.second, &out.shape, numbers + 2));;
  REFUSED(OUT_SHAPE, DECOMPOSE(in, NULL, answer, numbers, &out.second, &out.shape, numbers + 2));;
  REFUSED(KIND, DECOMPOSE(in, in, NULL, numbers, &out.second, &out.shape, numbers + 2));;
  REFUSED(AXES, DECOMPOSE(in, in, answer, NULL, &out.second, &out.shape, numbers + 2));;
  REFUSED(TRANSPOSED, DECOMPOSE(in, in, answer, numbers, NULL, &out.shape, numbers + 2));;
  REFUSED(RESHAPED, DECOMPOSE(in, in, answer, numbers, &out.shape, NULL, numbers + 2));;
  REFUSED(OUT_AXES, DECOMPOSE(in, in, answer, numbers, &out.second, &out.shape, NULL));;
#undef DECOMPOSE
  REFUSED(SHAPE, stride_xla_shape_align(NULL, 2, sizes, &out.shape, error));
  REFUSED(SIZES, stride_xla_shape_align(in, 2, NULL, &out.shape, error));
  REFUSED(OUT, stride_xla_shape_align(in, 2, sizes, NULL, error));
  REFUSED(LHS, stride_xla_shape_broadcast(NULL, in, 0, NULL, &out.shape, error));;
  REFUSED(RHS, stride_xla_shape_broadcast(in, NULL, 0, NULL, &out.shape, error));;
  REFUSED(BROADCAST_DIMENSIONS, stride_xla_shape_broadcast(in, in, 2, NULL, &out.shape, error));
  REFUSED(OUT, stride_xla_shape_broadcast(in, in, 0, NULL, NULL, error));;

  ACCEPTED(stride_xla_shape_permute(&scalar_shape, 0, NULL, &out.shape, error));
  ACCEPTED(stride_xla_shape_delete_dimensions(in, 0, NULL, &out.shape, error));
  ACCEPTED(stride_xla_transpose_is_bitcast(&scalar_shape, &scalar_shape, 0, NULL, answer, error));
  ACCEPTED(stride_xla_transpose_axes(&scalar_shape, &scalar_shape, 0, NULL, error));
  ACCEPTED(stride_xla_bitcast_decompose(&scalar_shape, &scalar_shape, answer, 0, NULL, &out.shape, &out.second, 0, NULL,
                                        error));
  ACCEPTED(stride_xla_shape_align(&scalar_shape, 0, NULL, &out.shape, error));
  ACCEPTED(stride_xla_shape_broadcast(in, &scalar_shape, 0, NULL, &out.shape, error));
}

static void blocked(void) {
  const uint32_t u8 = STRIDE_DTYPE_U8;
  const int64_t dims[1] = {1}, blocks[1] = {2};
  stride_xla_shape tiled;
  CHECK_OK(stride_xla_shape_init_blocked(&tiled, u8, 2, sizes, NULL, 1, dims, blocks, NULL));
  int64_t *const to = out.numbers, *const dims_out = to + 2, *const blocks_out = to + 4;
  REFUSED(OUT, stride_xla_shape_init_blocked(NULL, u8, 2, sizes, order, 1, dims, blocks, error));
  REFUSED(SIZES, stride_xla_shape_init_blocked(&out.shape, u8, 2, NULL, order, 1, dims, blocks, error));
  REFUSED(BLOCK_DIMS, stride_xla_shape_init_blocked(&out.shape, u8, 2, sizes, order, 1, NULL, blocks, error));
  REFUSED(BLOCK_SIZES, stride_xla_shape_init_blocked(&out.shape, u8, 2, sizes, order, 1, dims, NULL, error));
  REFUSED(SHAPE, stride_xla_shape_to_blocked(NULL, 2, to, 2, dims_out, blocks_out, &out.word, error));
  REFUSED(OUTER_ORDER, stride_xla_shape_to_blocked(&tiled, 2, NULL, 2, dims_out, blocks_out, &out.word, error));
  REFUSED(BLOCK_DIMS, stride_xla_shape_to_blocked(&tiled, 2, to, 2, NULL, blocks_out, &out.word, error));
  REFUSED(BLOCK_SIZES, stride_xla_shape_to_blocked(&tiled, 2, to, 2, dims_out, NULL, &out.word, error));
  REFUSED(COUNT, stride_xla_shape_to_blocked(&tiled, 2, to, 2, dims_out, blocks_out, NULL, error));
  REFUSED(TAG, stride_xla_shape_parse_tag(NULL, 2, u8, 2, sizes, &out.shape, error));
  REFUSED(SIZES, stride_xla_shape_parse_tag("ab", 2, u8, 2, NULL, &out.shape, error));
  REFUSED(OUT, stride_xla_shape_parse_tag("ab", 2, u8, 2, sizes, NULL, error));
  REFUSED(SHAPE, stride_xla_shape_format_tag(NULL, out.text, 64, &out.length, error));
  REFUSED(BUFFER, stride_xla_shape_format_tag(&shape, NULL, 64, &out.length, error));
  ACCEPTED(stride_xla_shape_format_tag(&shape, out.text, 64, NULL, error));

  ACCEPTED(stride_xla_shape_init_blocked(&out.shape, u8, 2, sizes, NULL, 1, dims, blocks, error));
  ACCEPTED(stride_xla_shape_init_blocked(&out.shape, u8, 0, NULL, NULL, 0, NULL, NULL, error));
  ACCEPTED(stride_xla_shape_to_blocked(&shape, 2, to, 0, NULL, NULL, &out.word, error));
  ACCEPTED(stride_xla_shape_to_blocked(&scalar_shape, 0, NULL, 0, NULL, NULL, &out.word, error));
  ACCEPTED(stride_xla_shape_parse_tag(NULL, 0, u8, 0, NULL, &out.shape, error));
  ACCEPTED(stride_xla_shape_format_tag(&tiled, NULL, 0, &out.length, error));
}

static void pjrt(void) {
  const uint32_t u8 = STRIDE_DTYPE_U8;
  const int64_t tile[2] = {2, 2};
  const size_t two = 2;
  stride_xla_shape tiled = shape;
  CHECK_OK(stride_xla_shape_add_tile(&tiled, 2, tile, NULL));
  int64_t *const order = out.numbers, *const dims = out.numbers + 2;
  size_t *const counts = out.counts, *const count = out.counts + 1;
  REFUSED(OUT, stride_xla_shape_from_pjrt_tiled(NULL, u8, 2, sizes, zeros, tile, &two, 1, error));
  REFUSED(SIZES, stride_xla_shape_from_pjrt_tiled(&out.shape, u8, 2, NULL, zeros, tile, &two, 1, error));
  REFUSED(MINOR_TO_MAJOR, stride_xla_shape_from_pjrt_tiled(&out.shape, u8, 2, sizes, NULL, tile, &two, 1, error));
  REFUSED(TILE_DIMS, stride_xla_shape_from_pjrt_tiled(&out.shape, u8, 2, sizes, zeros, NULL, &two, 1, error));
  REFUSED(TILE_DIM_SIZES, stride_xla_shape_from_pjrt_tiled(&out.shape, u8, 2, sizes, zeros, tile, NULL, 1, error));
  REFUSED(SHAPE, stride_xla_shape_to_pjrt_tiled(NULL, 2, order, dims, 2, counts, 1, count, error));
  REFUSED(MINOR_TO_MAJOR, stride_xla_shape_to_pjrt_tiled(&tiled, 2, NULL, dims, 2, counts, 1, count, error));
  REFUSED(TILE_DIMS, stride_xla_shape_to_pjrt_tiled(&tiled, 2, order, NULL, 2, counts, 1, count, error));
  REFUSED(TILE_DIM_SIZES, stride_xla_shape_to_pjrt_tiled(&tiled, 2, order, dims, 2, NULL, 1, count, error));
  REFUSED(NUM_TILES, stride_xla_shape_to_pjrt_tiled(&tiled, 2, order, dims, 2, counts, 1, NULL, error));

  ACCEPTED(stride_xla_shape_from_pjrt_tiled(&out.shape, u8, 0, NULL, NULL, NULL, NULL, 0, error));
  ACCEPTED(stride_xla_shape_to_pjrt_tiled(&scalar_shape, 0, NULL, NULL, 0, NULL, 0, count, error));
}

static void copies(void) {
  unsigned char *dst = out.bytes;
  stride_layout transposed;
  stride_copy_options scratch = moving;
  stride_plan transposing; /* the same bytes in another order: nothing but scratch memory helps */
  CHECK_OK(stride_layout_init_ordered(&transposed, STRIDE_DTYPE_U8, 2, sizes, LIST(0, 1), NULL));
  CHECK_OK(stride_plan_init(&transposing, &layout, &transposed, &moving, NULL));
  REFUSED_BECAUSE(NEITHER_GIVEN, DST_LAYOUT, stride_copy(NULL, dst, 6, NULL, source, 6, NULL, error)); /* one may be */
  REFUSED(DST, stride_copy(&layout, NULL, 6, &layout, source, 6, NULL, error));
  REFUSED(SRC, stride_copy(&layout, dst, 6, &layout, NULL, 6, NULL, error));
  CHECK_STATUS(stride_copy_options_init(NULL), NULL_POINTER); /* without a record, as the others that begin a struct */
  CHECK_STATUS(stride_layout_facts_init(NULL), NULL_POINTER);
  CHECK_STATUS(stride_plan_facts_init(NULL), NULL_POINTER);
  CHECK_STATUS(stride_image_init(NULL), NULL_POINTER);
  scratch.scratch_bytes = 6;
  REFUSED(SCRATCH, stride_copy(&layout, dst, 6, &transposed, dst, 6, &scratch, error));
  REFUSED(SCRATCH, stride_plan_execute_scratch(&transposing, dst, 6, dst, 6, NULL, 6, error));
  REFUSED(OUT, stride_plan_init(NULL, &layout, &layout, NULL, error));
  REFUSED_BECAUSE(NEITHER_GIVEN, DST_LAYOUT, stride_plan_init(&out.plan, NULL, NULL, NULL, error));
  REFUSED(PLAN, stride_plan_execute(NULL, dst, 6, source, 6, error));
  REFUSED(DST, stride_plan_execute(&plan, NULL, 6, source, 6, error));
  REFUSED(SRC, stride_plan_execute(&plan, dst, 6, NULL, 6, error));
  REFUSED(PLAN, stride_plan_execute_part(NULL, dst, 6, source, 6, 0, 2, error));
  REFUSED(DST, stride_plan_execute_part(&plan, NULL, 6, source, 6, 0, 2, error));
  REFUSED(SRC, stride_plan_execute_part(&plan, dst, 6, NULL, 6, 0, 2, error));
  {
    const float one[1] = {1};
    const stride_layout number = layout;
    stride_conversion by_list;
    stride_copy_options converting = moving;
    stride_plan scaled;
    stride_layout same_value;
    CHECK_STATUS(stride_conversion_init(NULL), NULL_POINTER);
    CHECK_OK(stride_conversion_init(&by_list));
    by_list.flags = STRIDE_CONVERT_AFFINE;
    by_list.scales = one;
    by_list.value_count = 1;
    converting.flags = 0;
    converting.conversion = &by_list;
    REFUSED(VALUES, stride_copy(&number, dst, 6, &number, source, 6, &converting, error));
    CHECK_OK(stride_layout_init(&same_value, STRIDE_DTYPE_F32, 2, sizes, LIST(0, 0), NULL));
    by_list.values = &same_value;
    CHECK_OK(stride_plan_init(&scaled, &number, &number, &converting, NULL));
    REFUSED(PLAN, stride_plan_execute_values(NULL, dst, 6, source, 6, NULL, one, NULL, 1, 0, 1, error));
    REFUSED(DST, stride_plan_execute_values(&scaled, NULL, 6, source, 6, NULL, one, NULL, 1, 0, 1, error));
    REFUSED(SRC, stride_plan_execute_values(&scaled, dst, 6, NULL, 6, NULL, one, NULL, 1, 0, 1, error));
    REFUSED(SCALES, stride_plan_execute_values(&scaled, dst, 6, source, 6, NULL, NULL, NULL, 1, 0, 1, error));
    CHECK_OK(stride_plan_execute_values(&scaled, dst, 6, source, 6, NULL, one, NULL, 1, 0, 1, error));
  }
  REFUSED(PLAN, stride_plan_scratch_bytes(NULL, 64, 64, &out.length, error));
  REFUSED(OUT, stride_plan_scratch_bytes(&plan, 64, 64, NULL, error));
  REFUSED(PLAN, stride_plan_execute_scratch(NULL, dst, 6, source, 6, source + 8, 6, error));
  REFUSED(DST, stride_plan_execute_scratch(&plan, NULL, 6, source, 6, source + 8, 6, error));
  REFUSED(SRC, stride_plan_execute_scratch(&plan, dst, 6, NULL, 6, source + 8, 6, error));
  REFUSED(PLAN, stride_plan_describe(NULL, out.text, 64, &out.length, error));
  REFUSED(BUFFER, stride_plan_describe(&plan, NULL, 64, &out.length, error));;
  ACCEPTED(stride_plan_describe(&plan, out.text, 64, NULL, error));
  REFUSED(DST_LAYOUT, stride_fill(NULL, dst, 6, source, error));
  REFUSED(DST, stride_fill(&layout, NULL, 6, source, error));
  REFUSED(VALUE, stride_fill(&layout, dst, 6, NULL, error));
  REFUSED(LHS_LAYOUT, stride_compare(NULL, source, 6, &layout, source, 6, out.numbers, error));
  REFUSED(LHS, stride_compare(&layout, NULL, 6, &layout, source, 6, out.numbers, error));
  REFUSED(RHS_LAYOUT, stride_compare(&layout, source, 6, NULL, source, 6, out.numbers, error));
  REFUSED(RHS, stride_compare(&layout, source, 6, &layout, NULL, 6, out.numbers, error));
  REFUSED(FIRST_DIFFERENCE, stride_compare(&layout, source, 6, &layout, source, 6, NULL, error));

  ACCEPTED(stride_copy(&layout, dst, 6, &layout, source, 6, NULL, error)); /* options NULL: the defaults */
  ACCEPTED(stride_copy(NULL, dst, 6, &layout, source, 6, NULL, error));    /* a layout NULL: packed */
  ACCEPTED(stride_copy(&layout, dst, 6, NULL, source, 6, NULL, error));
  ACCEPTED(stride_plan_init(&out.plan, NULL, &layout, NULL, error));
  ACCEPTED(stride_plan_init(&out.plan, &layout, NULL, NULL, error));
  ACCEPTED(stride_copy(&layout, dst, 6, &layout, source, 6, &scratch, error)); /* none needed */
  ACCEPTED(stride_plan_init(&out.plan, &layout, &layout, NULL, error));
  ACCEPTED(stride_plan_execute_scratch(&plan, dst, 6, source, 6, NULL, 0, error)); /* none needed */
  ACCEPTED(stride_plan_describe(&plan, NULL, 0, &out.length, error));
}

static void copies_as_data(void) {
  const int64_t *const to = zeros, *const from = zeros;
  unsigned char *dst = out.bytes;
  REFUSED(DST_LAYOUT, stride_copy_classify(NULL, &layout, &out.word, &out.length, &out.other_length, error));
  REFUSED(SRC_LAYOUT, stride_copy_classify(&layout, NULL, &out.word, &out.length, &out.other_length, error));
  REFUSED(KIND, stride_copy_classify(&layout, &layout, NULL, &out.length, &out.other_length, error));
  REFUSED(RUNS, stride_copy_classify(&layout, &layout, &out.word, NULL, &out.other_length, error));
  REFUSED(RUN_BYTES, stride_copy_classify(&layout, &layout, &out.word, &out.length, NULL, error));
  REFUSED(PLAN, stride_plan_query(NULL, &out.plan_facts, error));
  REFUSED(OUT, stride_plan_query(&plan, NULL, error));
  REFUSED(PLAN, stride_plan_regions(NULL, 1, 1, &out.region, &out.length, error));
  REFUSED(OUT, stride_plan_regions(&plan, 1, 1, NULL, &out.length, error));
  REFUSED(COUNT, stride_plan_regions(&plan, 1, 1, &out.region, NULL, error));
  stride_region_rules rules;
  CHECK_OK(stride_region_rules_init(&rules, STRIDE_REGION_API_CUDA_3D, NULL));
  REFUSED(OUT, stride_region_rules_init(NULL, STRIDE_REGION_API_CUDA_3D, error));
  REFUSED(PLAN, stride_plan_regions_under(NULL, &rules, 1, &out.region, &out.length, error));
  REFUSED(RULES, stride_plan_regions_under(&plan, NULL, 1, &out.region, &out.length, error));
  REFUSED(OUT, stride_plan_regions_under(&plan, &rules, 1, NULL, &out.length, error));
  REFUSED(COUNT, stride_plan_regions_under(&plan, &rules, 1, &out.region, NULL, error));
  REFUSED(PLAN, stride_plan_execute_batch(NULL, dst, 6, to, source, 6, from, 1, 0, 1, error));
  REFUSED(DST, stride_plan_execute_batch(&plan, NULL, 6, to, source, 6, from, 1, 0, 1, error));
  REFUSED(DST_OFFSETS, stride_plan_execute_batch(&plan, dst, 6, NULL, source, 6, from, 1, 0, 1, error));
  REFUSED(SRC, stride_plan_execute_batch(&plan, dst, 6, to, NULL, 6, from, 1, 0, 1, error));
  REFUSED(SRC_OFFSETS, stride_plan_execute_batch(&plan, dst, 6, to, source, 6, NULL, 1, 0, 1, error));

  ACCEPTED(stride_plan_regions(&plan, 1, 0, NULL, &out.length, error));
  ACCEPTED(stride_plan_regions_under(&plan, &rules, 0, NULL, &out.length, error));
  ACCEPTED(stride_plan_execute_batch(&plan, NULL, 0, NULL, NULL, 0, NULL, 0, 0, 1, error));
}

static void sides_of_copies(void) {
  unsigned char *dst = out.bytes;
  const stride_side *whole = LAYOUT(&layout), *tiles = SHAPE(&shape), *blocks = BLOCKED(&blocks_there);
  stride_side side, lost = *whole, no_runs = *TAKING(whole, 0, 1, RUNS({0, 1, 2}));
  lost.of = NULL;
  no_runs.along[0].runs = NULL;
  REFUSED(OUT, stride_side_init(NULL, STRIDE_SIDE_LAYOUT, &layout, error));
  poison(&side, sizeof side);
  REFUSED(OF, stride_side_init(&side, STRIDE_SIDE_LAYOUT, NULL, error));
  CHECK_UNTOUCHED(side);
  REFUSED(SIDE, stride_side_set_runs(NULL, 0, 1, RUNS({0, 1, 2}), error));
  side = *whole;
  REFUSED(RUNS, stride_side_set_runs(&side, 0, 1, NULL, error));
  REFUSED(SIDE, stride_side_set_range(NULL, 0, 1, error));
  CHECK(memcmp(&side, whole, sizeof side) == 0);
  REFUSED_BECAUSE(NEITHER_GIVEN, DST_SIDE, stride_copy_sides(NULL, dst, 6, NULL, source, 6, NULL, error));
  REFUSED_BECAUSE(NEITHER_GIVEN, DST_SIDE, stride_plan_init_sides(&out.plan, NULL, NULL, NULL, error));
  REFUSED(OUT, stride_plan_init_sides(NULL, whole, whole, NULL, error));
  for (int k = 0; k < 3; k++) {
    const stride_side *one = k == 0 ? whole : k == 1 ? tiles : blocks;
    REFUSED(DST, stride_copy_sides(one, NULL, 6, whole, source, 6, NULL, error));
    REFUSED(SRC, stride_copy_sides(whole, dst, 6, one, NULL, 6, NULL, error));
    REFUSED(DST_SIDE, stride_copy_sides(&lost, dst, 6, one, source, 6, NULL, error));
    REFUSED(SRC_SIDE, stride_plan_init_sides(&out.plan, one, &lost, NULL, error));
    REFUSED(DST_SIDE, stride_plan_init_sides(&out.plan, &no_runs, one, NULL, error));
    REFUSED(SRC_SIDE, stride_copy_sides(one, dst, 6, &no_runs, source, 6, NULL, error));

    ACCEPTED(stride_copy_sides(one, dst, 6, whole, source, 6, NULL, error));
    ACCEPTED(stride_copy_sides(one, dst, 6, NULL, source, 6, NULL, error)); /* nothing: packed */
    ACCEPTED(stride_copy_sides(NULL, dst, 6, one, source, 6, NULL, error));
    ACCEPTED(stride_plan_init_sides(&out.plan, one, NULL, NULL, error));
    ACCEPTED(stride_plan_init_sides(&out.plan, NULL, one, NULL, error));
  }
  ACCEPTED(stride_side_set_runs(&side, 0, 0, NULL, error));
  ACCEPTED(stride_copy_sides(&side, NULL, 0, NULL, NULL, 0, NULL, error)); /* no index */
}

static void blocked_layouts(void) {
  static const int64_t ones[2] = {1, 1};
  const uint32_t u8 = STRIDE_DTYPE_U8;
  const stride_blocked *there = &blocks_there;
  REFUSED(OUT, stride_blocked_init(NULL, u8, 2, sizes, 2, order, ones, zeros, error));
  REFUSED(SIZES, stride_blocked_init(&out.blocked, u8, 2, NULL, 2, order, ones, zeros, error));
  REFUSED(BLOCK_DIMS, stride_blocked_init(&out.blocked, u8, 2, sizes, 2, NULL, ones, zeros, error));
  REFUSED(BLOCK_STEPS, stride_blocked_init(&out.blocked, u8, 2, sizes, 2, order, NULL, zeros, error));
  REFUSED(BLOCK_SIZES, stride_blocked_init(&out.blocked, u8, 2, sizes, 2, order, ones, NULL, error));
  REFUSED(BLOCKED, stride_blocked_validate(NULL, error));
  REFUSED(TEXT, stride_blocked_parse(NULL, 3, u8, 2, sizes, &out.blocked, error));
  REFUSED(SIZES, stride_blocked_parse("b a", 3, u8, 2, NULL, &out.blocked, error));
  REFUSED(OUT, stride_blocked_parse("b a", 3, u8, 2, sizes, NULL, error));
  REFUSED(BLOCKED, stride_blocked_format(NULL, out.text, 64, &out.length, error));
  REFUSED(BUFFER, stride_blocked_format(there, NULL, 64, &out.length, error));
  ACCEPTED(stride_blocked_format(there, out.text, 64, NULL, error));
  REFUSED(BLOCKED, stride_blocked_byte_size(NULL, &out.length, error));
  REFUSED(OUT, stride_blocked_byte_size(there, NULL, error));
  REFUSED(BLOCKED, stride_blocked_padded_sizes(NULL, 2, out.numbers, error));
  REFUSED(PADDED_SIZES, stride_blocked_padded_sizes(there, 2, NULL, error));
  REFUSED(BLOCKED, stride_layout_from_blocked(NULL, &out.layout, error));
  REFUSED(OUT, stride_layout_from_blocked(there, NULL, error));
  REFUSED(BLOCKED, stride_blocked_linear_index(NULL, 2, zeros, out.numbers, error));
  REFUSED(INDEX, stride_blocked_linear_index(there, 2, NULL, out.numbers, error));
  REFUSED(OUT, stride_blocked_linear_index(there, 2, zeros, NULL, error));
  REFUSED(BLOCKED, stride_blocked_multi_index(NULL, 0, 2, out.numbers, error));
  REFUSED(INDEX, stride_blocked_multi_index(there, 0, 2, NULL, error));

  ACCEPTED(stride_blocked_init(&out.blocked, u8, 0, NULL, 0, NULL, NULL, NULL, error));
  ACCEPTED(stride_blocked_parse(NULL, 0, u8, 0, NULL, &out.blocked, error));
  ACCEPTED(stride_blocked_format(there, NULL, 0, &out.length, error));
  ACCEPTED(stride_blocked_padded_sizes(&no_blocks, 0, NULL, error));
  ACCEPTED(stride_blocked_linear_index(&no_blocks, 0, NULL, out.numbers, error));
  ACCEPTED(stride_blocked_multi_index(&no_blocks, 0, 0, NULL, error));
}

static void interop(void) {
  static const size_t nb[4] = {1, 3, 6, 6};
  static const int64_t ne[4] = {3, 2, 1, 1};
  static const uint64_t pitches[2] = {8, 8};
  const uint32_t nv12 = STRIDE_FOURCC_NV12;
  int64_t *shape2 = &out.numbers[0], *strides2 = &out.numbers[2];
  int64_t shape_there[2] = {2, 3};
  stride_dl_tensor tensor, without_shape;
  stride_dl_managed_tensor_versioned managed, managed_without_shape;
  stride_py_buffer view;
  stride_image image;
  memset(&tensor, 0, sizeof tensor);
  memset(&managed, 0, sizeof managed);
  memset(&view, 0, sizeof view);
  tensor.ndim = managed.ndim = 2;
  tensor.dtype_code = managed.dtype_code = 1;
  tensor.dtype_bits = managed.dtype_bits = 8;
  tensor.dtype_lanes = managed.dtype_lanes = 1;
  tensor.shape = managed.shape = shape_there;
  managed.major = 1;
  image = (stride_image)STRIDE_IMAGE_INIT;
  image.fourcc = nv12;
  image.width = 5;
  image.height = 3;
  without_shape = tensor;
  without_shape.shape = NULL;
  managed_without_shape = managed;
  managed_without_shape.shape = NULL;
  view.ndim = 1;

  REFUSED(TENSOR, stride_layout_from_dlpack(NULL, &out.layout, error));
  REFUSED(SHAPE, stride_layout_from_dlpack(&without_shape, &out.layout, error));
  REFUSED(OUT, stride_layout_from_dlpack(&tensor, NULL, error));
  REFUSED(MANAGED, stride_layout_from_dlpack_versioned(NULL, &out.layout, error));
  REFUSED(SHAPE, stride_layout_from_dlpack_versioned(&managed_without_shape, &out.layout, error));
  REFUSED(OUT, stride_layout_from_dlpack_versioned(&managed, NULL, error));
  REFUSED(LAYOUT, stride_layout_to_dlpack(NULL, 2, shape2, strides2, &out.tensor, error));
  REFUSED(SHAPE, stride_layout_to_dlpack(&layout, 2, NULL, strides2, &out.tensor, error));
  REFUSED(STRIDES, stride_layout_to_dlpack(&layout, 2, shape2, NULL, &out.tensor, error));
  REFUSED(OUT, stride_layout_to_dlpack(&layout, 2, shape2, strides2, NULL, error));
  REFUSED(VIEW, stride_layout_from_py_buffer(NULL, &out.layout, error));
  REFUSED(OUT, stride_layout_from_py_buffer(&view, NULL, error));
  REFUSED(TEXT, stride_dtype_from_typestr(NULL, 3, &out.word, error));
  REFUSED(OUT, stride_dtype_from_typestr("<f4", 3, NULL, error));
  REFUSED(BUFFER, stride_dtype_to_typestr(STRIDE_DTYPE_F32, NULL, 3, &out.length, error));
  ACCEPTED(stride_dtype_to_typestr(STRIDE_DTYPE_F32, out.text, 3, NULL, error));
  REFUSED(OUT, stride_dtype_from_ggml(0, NULL, &out.word, error));
  REFUSED(BLOCK, stride_dtype_from_ggml(0, &out.word, NULL, error));
  REFUSED(NE, stride_layout_from_ggml(24, NULL, nb, &out.layout, error));
  REFUSED(NB, stride_layout_from_ggml(24, ne, NULL, &out.layout, error));
  REFUSED(OUT, stride_layout_from_ggml(24, ne, nb, NULL, error));
  REFUSED(LAYOUT, stride_layout_to_ggml(NULL, 24, out.numbers, out.counts, &out.length, error));
  REFUSED(NE, stride_layout_to_ggml(&layout, 24, NULL, out.counts, &out.length, error));
  REFUSED(NB, stride_layout_to_ggml(&layout, 24, out.numbers, NULL, &out.length, error));
  REFUSED(OFFSET_BYTES, stride_layout_to_ggml(&layout, 24, out.numbers, out.counts, NULL, error));
  REFUSED(PITCHES, stride_image_planes(nv12, 5, 3, 2, NULL, 1, &out.word, out.parts, &out.length, error));
  REFUSED(PLANE_COUNT, stride_image_planes(nv12, 5, 3, 2, pitches, 1, NULL, out.parts, &out.length, error));
  REFUSED(PLANES, stride_image_planes(nv12, 5, 3, 2, pitches, 1, &out.word, NULL, &out.length, error));
  REFUSED(BYTES, stride_image_planes(nv12, 5, 3, 2, pitches, 1, &out.word, out.parts, NULL, error));
  REFUSED(PITCHES, stride_image_components(nv12, 5, 3, 2, NULL, 1, &out.word, out.parts, &out.length, error));
  REFUSED(COMPONENT_COUNT, stride_image_components(nv12, 5, 3, 2, pitches, 1, NULL, out.parts, &out.length, error));
  REFUSED(COMPONENTS, stride_image_components(nv12, 5, 3, 2, pitches, 1, &out.word, NULL, &out.length, error));
  REFUSED(BYTES, stride_image_components(nv12, 5, 3, 2, pitches, 1, &out.word, out.parts, NULL, error));

  REFUSED(IMAGE, stride_image_planes_of(NULL, &out.word, out.parts, &out.length, error));
  REFUSED(PLANE_COUNT, stride_image_planes_of(&image, NULL, out.parts, &out.length, error));
  REFUSED(PLANES, stride_image_planes_of(&image, &out.word, NULL, &out.length, error));
  REFUSED(BYTES, stride_image_planes_of(&image, &out.word, out.parts, NULL, error));
  REFUSED(IMAGE, stride_image_components_of(NULL, &out.word, out.parts, &out.length, error));
  REFUSED(COMPONENT_COUNT, stride_image_components_of(&image, NULL, out.parts, &out.length, error));
  REFUSED(COMPONENTS, stride_image_components_of(&image, &out.word, NULL, &out.length, error));
  REFUSED(BYTES, stride_image_components_of(&image, &out.word, out.parts, NULL, error));
  REFUSED(TEXT, stride_image_fourcc(NULL, 4, &out.word, error));
  REFUSED(FOURCC, stride_image_fourcc("NV12", 4, NULL, error));

  ACCEPTED(stride_layout_from_dlpack(&tensor, &out.layout, error)); /* its strides are NULL, and its data */
  ACCEPTED(stride_layout_from_dlpack_versioned(&managed, &out.layout, error));
  ACCEPTED(stride_layout_to_dlpack(&scalar, 0, NULL, NULL, &out.tensor, error));
  ACCEPTED(stride_layout_from_py_buffer(&view, &out.layout, error)); /* all its pointers are NULL */
  ACCEPTED(stride_dtype_to_typestr(STRIDE_DTYPE_F32, NULL, 0, &out.length, error));
  ACCEPTED(stride_image_planes(nv12, 5, 3, 0, NULL, 1, &out.word, out.parts, &out.length, error));
}

static const test tests[] = {
  TEST(set_up),
  TEST(status),
  TEST(dtype),
  TEST(layouts),
  TEST(views),
  TEST(windows),
  TEST(composition),
  TEST(broadcasting),
  TEST(copies),
  TEST(copies_as_data),
  TEST(own_kernels),
  TEST(questions),
  TEST(facts),
  TEST(overlap),
  TEST(requirements),
  TEST(directml),
  TEST(xla),
  TEST(blocked),
  TEST(xla_algebra),
  TEST(pjrt),
  TEST(sides_of_copies),
  TEST(blocked_layouts),
  TEST(interop),
};

int main(void) { return RUN(tests); }
