/* Section "DirectML": sizes, verdicts and descriptors. Numbers from DirectML.h's and learn.microsoft.com's examples. */
#include "check.h"

enum { F32 = STRIDE_DML_TENSOR_DATA_TYPE_FLOAT32, U8 = STRIDE_DML_TENSOR_DATA_TYPE_UINT8 };

static uint64_t size_of(uint32_t data_type, uint32_t rank, const uint32_t *sizes, const uint32_t *strides) {
  uint64_t bytes = UINT64_MAX;
  CHECK_OK(stride_dml_buffer_tensor_size(data_type, rank, sizes, strides, &bytes, NULL));
  CHECK_EQ(stride_dml_calc_buffer_tensor_size(data_type, rank, sizes, strides), bytes);
  return bytes;
}

static stride_dml_buffer_tensor_desc desc_of(uint32_t data_type, uint32_t rank, const uint32_t *sizes,
                                             const uint32_t *strides, uint64_t total) {
  stride_dml_buffer_tensor_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.data_type = data_type;
  desc.dimension_count = rank;
  desc.sizes = sizes;
  desc.strides = strides;
  desc.total_tensor_size_in_bytes = total;
  return desc;
}

static void sizes_in_bytes(void) {
  CHECK_EQ(size_of(F32, 4, LIST32(1, 2, 3, 4), NULL), 96);
  CHECK_EQ(size_of(F32, 4, LIST32(1, 2, 3, 4), LIST32(24, 12, 4, 1)), 96);
  CHECK_EQ(size_of(F32, 2, LIST32(2, 3), LIST32(5, 1)), 32);
  CHECK_EQ(size_of(U8, 1, LIST32(5), NULL), 8); /* rounded up to 4 */
  CHECK_EQ(size_of(STRIDE_DML_TENSOR_DATA_TYPE_FLOAT16, 2, LIST32(1, 3), NULL), 8);
  CHECK_EQ(size_of(STRIDE_DML_TENSOR_DATA_TYPE_UINT4, 2, LIST32(3, 3), NULL), 8); /* nine nibbles: five bytes */
  CHECK_EQ(size_of(F32, 3, LIST32(2, 3, 4), LIST32(0, 0, 1)), 16);                /* broadcast */
  CHECK_EQ(size_of(F32, 0, NULL, NULL), 4);
  CHECK_EQ(size_of(F32, 2, LIST32(0, 7), LIST32(UINT32_MAX, UINT32_MAX)), 0);
  /* Where the original wraps at 2^32. */
  CHECK_EQ(size_of(F32, 2, LIST32(3, 2), LIST32(1u << 31, 1)), 17179869192);
}

/* The second row of a crop: 22 bytes in, which no binding takes. */
static void bindings(void) {
  stride_layout rows;
  uint32_t sizes[8], strides[8];
  uint64_t offset;
  stride_dml_buffer_tensor_desc desc;
  stride_error record;
  CHECK_OK(stride_layout_init(&rows, STRIDE_DTYPE_F16, 2, LIST(4, 8), NULL, NULL));
  CHECK_OK(stride_layout_crop(&rows, 2, LIST(1, 3), LIST(3, 5), &rows, NULL));
  CHECK_OK(stride_layout_to_dml(&rows, 4, sizes, strides, &desc, &offset, NULL));
  CHECK_EQ(offset, 22);
  CHECK_OK(stride_dml_validate(&desc, NULL));
  CHECK_FAILS(record, stride_dml_validate_binding(&desc, offset, 64, &record), INVALID_ARGUMENT, BASE_OFFSET_BYTES, -1,
              22, STRIDE_DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT);
  CHECK_EQ(desc.total_tensor_size_in_bytes, 44); /* two pitches of 16 and a row of 10, rounded up to 4 */
  CHECK_OK(stride_dml_validate_binding(&desc, 16, 60, NULL));
  CHECK_FAILS(record, stride_dml_validate_binding(&desc, 16, 59, &record), OUT_OF_BOUNDS, BUFFER_BYTES, -1, 60, 59);
  CHECK_FAILS(record, stride_dml_validate_binding(&desc, UINT64_MAX - 15, UINT64_MAX, &record), OUT_OF_BOUNDS,
              BUFFER_BYTES, -1, INT64_MAX, INT64_MAX);
  desc.guaranteed_base_offset_alignment = 64;
  CHECK_FAILS(record, stride_dml_validate_binding(&desc, 16, 64, &record), INVALID_ARGUMENT, BASE_OFFSET_BYTES, -1, 16,
              64);
  desc.total_tensor_size_in_bytes = 3;
  CHECK_FAILS(record, stride_dml_validate_binding(&desc, 16, 64, &record), INVALID_ARGUMENT, TOTAL_TENSOR_SIZE_IN_BYTES,
              -1, 3, 4);
}

static void sizes_that_have_no_answer(void) {
  uint64_t bytes;
  stride_error record;
  poison(&bytes, sizeof bytes);
#define SIZE(data_type, rank, sizes, strides) \
  stride_dml_buffer_tensor_size(data_type, rank, sizes, strides, &bytes, &record)
  CHECK_FAILS(record, SIZE(0, 1, LIST32(1), NULL), INVALID_DTYPE, DATA_TYPE, -1, 0, 13);
  CHECK_FAILS(record, SIZE(14, 1, LIST32(1), NULL), INVALID_DTYPE, DATA_TYPE, -1, 14, 13);
  CHECK_FAILS(record, SIZE(F32, 65, LIST32(1), NULL), INVALID_RANK, DIMENSION_COUNT, -1, 65, 64);
  CHECK_STATUS(SIZE(F32, 2, LIST32(UINT32_MAX, UINT32_MAX), NULL), OVERFLOW);
  CHECK_STATUS(SIZE(F32, 1, LIST32(UINT32_MAX), LIST32(UINT32_MAX)), OVERFLOW);
#undef SIZE
  CHECK_UNTOUCHED(bytes);
  CHECK_EQ(stride_dml_calc_buffer_tensor_size(0, 1, LIST32(1), NULL), 0);
  CHECK_EQ(stride_dml_calc_buffer_tensor_size(F32, 65, LIST32(1), NULL), 0);
  CHECK_EQ(stride_dml_calc_buffer_tensor_size(F32, 2, LIST32(UINT32_MAX, UINT32_MAX), NULL), 0);
}

static void every_data_type_has_its_width(void) {
  static const uint32_t bits[] = {0, 32, 16, 32, 16, 8, 32, 16, 8, 64, 64, 64, 4, 4};
  for (uint32_t data_type = 1; data_type < COUNT(bits); data_type++) {
    CHECK_EQ(size_of(data_type, 1, LIST32(32), NULL), 4 * bits[data_type]);
  }
}

static void descriptors_that_directml_takes(void) {
  stride_dml_buffer_tensor_desc desc = desc_of(F32, 4, LIST32(1, 2, 3, 4), NULL, 96);
  CHECK_OK(stride_dml_validate(&desc, NULL));
  desc.total_tensor_size_in_bytes = 100;
  desc.flags = STRIDE_DML_TENSOR_FLAG_OWNED_BY_DML;
  desc.guaranteed_base_offset_alignment = 256;
  CHECK_OK(stride_dml_validate(&desc, NULL));
  desc = desc_of(U8, 1, LIST32(UINT32_MAX), NULL, (uint64_t)1 << 32);
  CHECK_OK(stride_dml_validate(&desc, NULL));
}

static void verdicts(void) {
  const stride_dml_buffer_tensor_desc good = desc_of(F32, 2, LIST32(2, 3), NULL, 24);
  stride_dml_buffer_tensor_desc desc = good;
  stride_error record;
#define VERDICT(field, value, status, argument, dimension, lhs, rhs)                                                   \
  desc = good;                                                                                                       \
  desc.field = value;                                                                                                \
  CHECK_FAILS(record, stride_dml_validate(&desc, &record), status, argument, dimension, lhs, rhs)
  VERDICT(dimension_count, 0, INVALID_RANK, DIMENSION_COUNT, -1, 0, 1);
  VERDICT(dimension_count, 9, INVALID_RANK, DIMENSION_COUNT, -1, 9, 8);
  VERDICT(data_type, 0, INVALID_DTYPE, DATA_TYPE, -1, 0, 13);
  VERDICT(data_type, 99, INVALID_DTYPE, DATA_TYPE, -1, 99, 13);
  VERDICT(flags, 2, INVALID_ARGUMENT, FLAGS, -1, 2, 1);
  VERDICT(sizes, LIST32(2, 0), INVALID_SIZE, SIZES, 1, 0, 1);
  VERDICT(sizes, LIST32(1u << 16, 1u << 16), OVERFLOW, SIZES, -1, (int64_t)1 << 32, UINT32_MAX);
  VERDICT(strides, LIST32(UINT32_MAX, 1), OVERFLOW, STRIDES, -1, ((int64_t)1 << 32) + 2, UINT32_MAX);
  VERDICT(total_tensor_size_in_bytes, 25, INVALID_ARGUMENT, TOTAL_TENSOR_SIZE_IN_BYTES, -1, 25, 4);
  VERDICT(total_tensor_size_in_bytes, 20, OUT_OF_BOUNDS, TOTAL_TENSOR_SIZE_IN_BYTES, -1, 24, 20);
  VERDICT(guaranteed_base_offset_alignment, 24, INVALID_ARGUMENT, GUARANTEED_BASE_OFFSET_ALIGNMENT, -1, 24, 4);
  VERDICT(guaranteed_base_offset_alignment, 2, INVALID_ARGUMENT, GUARANTEED_BASE_OFFSET_ALIGNMENT, -1, 2, 4);
#undef VERDICT
}

/* "Checked in this order: 1 to 8 dimensions; data type; flags; no size of 0; ..." */
static void the_first_mistake_is_the_one_named(void) {
  stride_dml_buffer_tensor_desc desc = desc_of(99, 0, LIST32(0), NULL, 3);
  desc.flags = 8;
  CHECK_STATUS(stride_dml_validate(&desc, NULL), INVALID_RANK);
  desc.dimension_count = 1;
  CHECK_STATUS(stride_dml_validate(&desc, NULL), INVALID_DTYPE);
  desc.data_type = F32;
  stride_error record;
  CHECK_FAILS(record, stride_dml_validate(&desc, &record), INVALID_ARGUMENT, FLAGS, -1, 8, 1);
  desc.flags = 0;
  CHECK_STATUS(stride_dml_validate(&desc, NULL), INVALID_SIZE);
  desc.sizes = LIST32(1);
  CHECK_FAILS(record, stride_dml_validate(&desc, &record), INVALID_ARGUMENT, TOTAL_TENSOR_SIZE_IN_BYTES, -1, 3, 4);
}

static void layouts_of_descriptors(void) {
  stride_layout out;
  stride_dml_buffer_tensor_desc desc = desc_of(F32, 2, LIST32(2, 3), LIST32(5, 1), 0);
  CHECK_OK(stride_layout_from_dml(&desc, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), LIST(5, 1));
  desc = desc_of(STRIDE_DML_TENSOR_DATA_TYPE_INT4, 2, LIST32(2, 3), NULL, 0);
  CHECK_OK(stride_layout_from_dml(&desc, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_S4, 0, 2, LIST(2, 3), LIST(3, 1));
  desc = desc_of(F32, 2, LIST32(2, 0), NULL, 0); /* empty tensors pass */
  CHECK_OK(stride_layout_from_dml(&desc, &out, NULL));
  CHECK_EQ(out.sizes[1], 0);

  stride_error record;
  poison(&out, sizeof out);
  desc.dimension_count = 9;
  CHECK_FAILS(record, stride_layout_from_dml(&desc, &out, &record), INVALID_RANK, DIMENSION_COUNT, -1, 9, 8);
  desc = desc_of(0, 2, LIST32(2, 3), NULL, 0);
  CHECK_FAILS(record, stride_layout_from_dml(&desc, &out, &record), INVALID_DTYPE, DATA_TYPE, -1, 0, 13);
  CHECK_UNTOUCHED(out);
}

typedef struct description {
  uint32_t sizes[8], strides[8];
  stride_dml_buffer_tensor_desc desc;
  uint64_t base_offset_bytes;
} description;

static stride_status describe_as(const stride_layout *layout, uint32_t least_rank, description *out,
                                 stride_error *error) {
  return stride_layout_to_dml(layout, least_rank, out->sizes, out->strides, &out->desc, &out->base_offset_bytes, error);
}

static stride_status describe(const stride_layout *layout, description *out, stride_error *error) {
  return describe_as(layout, 0, out, error);
}

static void descriptors_of_layouts(void) {
  description out;
  poison(&out, sizeof out);
  const stride_layout layout = layout_of(STRIDE_DTYPE_F16, 3, 3, LIST(2, 1, 3), LIST(5, -9, 1));
  CHECK_OK(describe(&layout, &out, NULL));
  CHECK_EQ(out.desc.data_type, STRIDE_DML_TENSOR_DATA_TYPE_FLOAT16);
  CHECK_EQ(out.desc.flags, STRIDE_DML_TENSOR_FLAG_NONE);
  CHECK_EQ(out.desc.dimension_count, 3);
  CHECK(out.desc.sizes == out.sizes && out.desc.strides == out.strides);
  CHECK_EQ(out.sizes[0], 2);
  CHECK_EQ(out.sizes[2], 3);
  CHECK_EQ(out.strides[0], 5);
  CHECK_EQ(out.strides[1], 0); /* the stride of a size of 1 says nothing */
  CHECK_EQ(out.strides[2], 1);
  CHECK_EQ(out.desc.total_tensor_size_in_bytes, 16); /* eight elements from the binding on */
  CHECK_EQ(out.desc.guaranteed_base_offset_alignment, 0);
  CHECK_EQ(out.base_offset_bytes, 6);
  CHECK(is_poisoned(&out.sizes[3], 5 * sizeof(uint32_t)));
  CHECK_OK(stride_dml_validate(&out.desc, NULL));

  stride_layout back;
  CHECK_OK(stride_layout_from_dml(&out.desc, &back, NULL));
  CHECK_LAYOUT(back, STRIDE_DTYPE_F16, 0, 3, LIST(2, 1, 3), LIST(5, 0, 1));
}

/* Engines and operators want four or five dimensions: those that lack come first, with size 1 and stride 0. */
static void dimensions_in_front(void) {
  const stride_layout rows = layout_of(STRIDE_DTYPE_F32, 2, 3, LIST(2, 5, 3), LIST(20, 4, 1));
  static const uint32_t least_ranks[] = {0, 1, 3, 4, 5, 8};
  for (size_t k = 0; k < COUNT(least_ranks); k++) {
    const uint32_t rank = least_ranks[k] > 3 ? least_ranks[k] : 3, front = rank - 3;
    description out;
    poison(&out, sizeof out);
    CHECK_OK(describe_as(&rows, least_ranks[k], &out, NULL));
    CHECK_EQ(out.desc.dimension_count, rank);
    CHECK(out.desc.sizes == out.sizes && out.desc.strides == out.strides);
    for (uint32_t d = 0; d < rank; d++) {
      CHECK_EQ(out.sizes[d], d < front ? 1 : (uint32_t)rows.sizes[d - front]);
      CHECK_EQ(out.strides[d], d < front ? 0 : (uint32_t)rows.strides[d - front]);
    }
    CHECK(is_poisoned(&out.sizes[rank], (8 - rank) * sizeof(uint32_t)));
    CHECK(is_poisoned(&out.strides[rank], (8 - rank) * sizeof(uint32_t)));
    CHECK_EQ(out.desc.total_tensor_size_in_bytes, 4 * (20 + 16 + 3));
    CHECK_EQ(out.base_offset_bytes, 8);
    CHECK_OK(stride_dml_validate(&out.desc, NULL));
    stride_layout back;
    CHECK_OK(stride_layout_from_dml(&out.desc, &back, NULL));
    CHECK_EQ(back.rank, rank);
  }
  description out;
  stride_error record;
  poison(&out, sizeof out);
  CHECK_FAILS(record, describe_as(&rows, 9, &out, &record), INVALID_RANK, LEAST_RANK, -1, 9, 8);
  CHECK_FAILS(record, describe_as(&rows, UINT32_MAX, &out, &record), INVALID_RANK, LEAST_RANK, -1, UINT32_MAX, 8);
  CHECK_UNTOUCHED(out);
}

/* DirectML has no tensors without dimensions. */
static void descriptors_of_scalars(void) {
  const stride_layout scalar = layout_of(STRIDE_DTYPE_F16, 0, 0, NULL, NULL);
  static const uint32_t least_ranks[] = {0, 1, 4, 8};
  for (size_t k = 0; k < COUNT(least_ranks); k++) {
    const uint32_t rank = least_ranks[k] > 1 ? least_ranks[k] : 1;
    description out;
    poison(&out, sizeof out);
    CHECK_OK(describe_as(&scalar, least_ranks[k], &out, NULL));
    CHECK_EQ(out.desc.dimension_count, rank);
    for (uint32_t d = 0; d < rank; d++) {
      CHECK_EQ(out.sizes[d], 1);
      CHECK_EQ(out.strides[d], 0);
    }
    CHECK(is_poisoned(&out.sizes[rank], (8 - rank) * sizeof(uint32_t)));
    CHECK_EQ(out.desc.total_tensor_size_in_bytes, 4); /* two bytes, rounded up */
    CHECK_EQ(out.base_offset_bytes, 0);
    CHECK_OK(stride_dml_validate(&out.desc, NULL));
  }
}

static void layouts_that_have_no_descriptor(void) {
  const int64_t big = (int64_t)1 << 32;
  const stride_layout nine = layout_of(STRIDE_DTYPE_F32, 0, 9, LIST(1, 1, 1, 1, 1, 1, 1, 1, 1), NULL);
  const stride_layout bf16 = layout_of(STRIDE_DTYPE_BF16, 0, 1, LIST(2), NULL);
  const stride_layout mirrored = layout_of(STRIDE_DTYPE_F32, 5, 2, LIST(2, 3), LIST(3, -1));
  const stride_layout far_apart = layout_of(STRIDE_DTYPE_F32, 0, 1, LIST(2), LIST(big));
  const stride_layout large = layout_of(STRIDE_DTYPE_U8, 0, 1, LIST(big), NULL);
  const stride_layout below = layout_of(STRIDE_DTYPE_F32, -1, 1, LIST(2), NULL);
  const stride_layout half_a_byte = layout_of(STRIDE_DTYPE_U4, 3, 1, LIST(2), NULL);
  description out;
  stride_error record;
  poison(&out, sizeof out);
  CHECK_FAILS(record, describe(&nine, &out, &record), INVALID_RANK, LAYOUT, -1, 9, 8);
  CHECK_STATUS(describe(&bf16, &out, NULL), INVALID_DTYPE);
  CHECK_FAILS(record, describe(&mirrored, &out, &record), INVALID_STRIDE, LAYOUT, 1, -1, 0);
  CHECK_FAILS(record, describe(&far_apart, &out, &record), INVALID_STRIDE, LAYOUT, 0, big, UINT32_MAX);
  CHECK_FAILS(record, describe(&large, &out, &record), INVALID_SIZE, LAYOUT, 0, big, UINT32_MAX);
  CHECK_STATUS(describe(&below, &out, NULL), OUT_OF_BOUNDS);
  CHECK_STATUS(describe(&half_a_byte, &out, NULL), NOT_REPRESENTABLE);
  CHECK_UNTOUCHED(out);
}

static const test tests[] = {
    TEST(bindings),
    TEST(sizes_in_bytes),
    TEST(sizes_that_have_no_answer),
    TEST(every_data_type_has_its_width),
    TEST(descriptors_that_directml_takes),
    TEST(verdicts),
    TEST(the_first_mistake_is_the_one_named),
    TEST(layouts_of_descriptors),
    TEST(descriptors_of_layouts),
    TEST(dimensions_in_front),
    TEST(descriptors_of_scalars),
    TEST(layouts_that_have_no_descriptor),
};

int main(void) { return RUN(tests); }
