/* Section "Questions about a layout": counts, spans, indices, formats, orders, comparisons, text. */
#include "check.h"

TEXT_FUNCTION(write_layout, stride_layout_format, (const stride_layout *))

static uint32_t formats_of(stride_layout layout) {
  uint32_t flags = UINT32_MAX;
  CHECK_OK(stride_layout_classify(&layout, &flags, NULL));
  return flags;
}

static void check_span(stride_layout layout, int64_t lowest, int64_t highest) {
  int64_t found[2] = {-99, -99};
  CHECK_OK(stride_layout_span(&layout, &found[0], &found[1], NULL));
  CHECK_EQ(found[0], lowest);
  CHECK_EQ(found[1], highest);
}

static void validate_names_what_is_wrong(void) {
  stride_error record;
  stride_layout layout = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), NULL);
  CHECK_OK(stride_layout_validate(&layout, NULL));
  layout.dtype = 0;
  CHECK_FAILS(record, stride_layout_validate(&layout, &record), INVALID_DTYPE, LAYOUT, -1, 0, 0);
  layout.dtype = STRIDE_DTYPE_F32;
  layout.rank = 65;
  CHECK_FAILS(record, stride_layout_validate(&layout, &record), INVALID_RANK, LAYOUT, -1, 65, 64);
  layout.rank = 2;
  layout.sizes[1] = -3;
  CHECK_FAILS(record, stride_layout_validate(&layout, &record), INVALID_SIZE, LAYOUT, 1, -3, 0);
  layout.sizes[1] = 3;
  layout.offset = INT64_MAX;
  CHECK_STATUS(stride_layout_validate(&layout, NULL), OVERFLOW);
  layout.sizes[0] = 0; /* an empty layout reaches nothing */
  CHECK_OK(stride_layout_validate(&layout, NULL));
}

static void every_question_checks_the_layout(void) {
  stride_layout bad = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), NULL);
  bad.sizes[0] = -2;
  int64_t numbers[2];
  uint64_t bytes;
  uint32_t word;
  char buffer[8];
  poison(numbers, sizeof numbers);
  poison(&bytes, sizeof bytes);
  poison(&word, sizeof word);
  poison(buffer, sizeof buffer);
  CHECK_STATUS(stride_layout_element_count(&bad, numbers, NULL), INVALID_SIZE);
  CHECK_STATUS(stride_layout_span(&bad, &numbers[0], &numbers[1], NULL), INVALID_SIZE);
  CHECK_STATUS(stride_layout_min_bytes(&bad, &bytes, NULL), INVALID_SIZE);
  CHECK_STATUS(stride_layout_offset(&bad, 2, LIST(0, 0), numbers, NULL), INVALID_SIZE);
  CHECK_STATUS(stride_layout_byte_offset(&bad, 2, LIST(0, 0), numbers, &word, NULL), INVALID_SIZE);
  CHECK_STATUS(stride_layout_ravel_index(&bad, 2, LIST(0, 0), numbers, NULL), INVALID_SIZE);
  CHECK_STATUS(stride_layout_unravel_index(&bad, 0, 2, numbers, NULL), INVALID_SIZE);
  CHECK_STATUS(stride_layout_multi_index(&bad, 0, 2, numbers, NULL, NULL), INVALID_SIZE);
  CHECK_STATUS(stride_layout_classify(&bad, &word, NULL), INVALID_SIZE);
  CHECK_STATUS(stride_layout_minor_to_major(&bad, 2, numbers, NULL), INVALID_SIZE);
  CHECK_STATUS(stride_layout_equal(&bad, &bad, &word, NULL), INVALID_SIZE);
  CHECK_STATUS(stride_layout_same_mapping(&bad, &bad, &word, NULL), INVALID_SIZE);
  CHECK_STATUS(stride_layout_format(&bad, buffer, sizeof buffer, &bytes, NULL), INVALID_SIZE);
  CHECK_UNTOUCHED(numbers);
  CHECK_UNTOUCHED(bytes);
  CHECK_UNTOUCHED(word);
  CHECK_UNTOUCHED(buffer);
}

static void element_counts(void) {
  CHECK_EQ(count_of(layout_of(STRIDE_DTYPE_F32, 0, 0, NULL, NULL)), 1);
  CHECK_EQ(count_of(layout_of(STRIDE_DTYPE_F32, 0, 3, LIST(2, 3, 4), NULL)), 24);
  CHECK_EQ(count_of(layout_of(STRIDE_DTYPE_F32, 0, 3, LIST(2, 3, 4), LIST(0, 0, 0))), 24);
  CHECK_EQ(count_of(layout_of(STRIDE_DTYPE_F32, 0, 3, LIST((int64_t)1 << 40, (int64_t)1 << 40, 0), NULL)), 0);
}

static void spans_and_bytes(void) {
  check_span(layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), NULL), 0, 5);
  check_span(layout_of(STRIDE_DTYPE_F32, 7, 2, LIST(2, 3), LIST(-3, 1)), 4, 9);
  check_span(layout_of(STRIDE_DTYPE_F32, 7, 0, NULL, NULL), 7, 7);
  check_span(layout_of(STRIDE_DTYPE_F32, 7, 2, LIST(2, 0), NULL), 0, -1);
  check_span(layout_of(STRIDE_DTYPE_F32, 2, 2, LIST(1, 3), LIST(-1000, 1)), 2, 4); /* size 1: no stride */

  CHECK_EQ(bytes_of(layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), NULL)), 24);
  CHECK_EQ(bytes_of(layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), LIST(5, 1))), 32);
  CHECK_EQ(bytes_of(layout_of(STRIDE_DTYPE_F32, 100, 2, LIST(2, 0), NULL)), 0);
  CHECK_EQ(bytes_of(layout_of(STRIDE_DTYPE_U4, 0, 2, LIST(3, 3), NULL)), 5); /* nine nibbles */
  CHECK_EQ(bytes_of(layout_of(STRIDE_DTYPE_S1, 0, 1, LIST(9), NULL)), 2);
  CHECK_EQ(bytes_of(layout_of(STRIDE_DTYPE_BYTES | 12, 1, 1, LIST(2), NULL)), 36);
}

static void elements_below_the_base(void) {
  const stride_layout mirrored = layout_of(STRIDE_DTYPE_F32, 0, 1, LIST(3), LIST(-1));
  uint64_t bytes;
  stride_error record;
  poison(&bytes, sizeof bytes);
  CHECK_STATUS(stride_layout_min_bytes(&mirrored, &bytes, &record), OUT_OF_BOUNDS);
  CHECK_EQ(record.argument, STRIDE_ARGUMENT_LAYOUT);
  CHECK_UNTOUCHED(bytes);
}

static void offsets_of_indices(void) {
  const stride_layout layout = layout_of(STRIDE_DTYPE_F32, 9, 2, LIST(2, 3), LIST(-5, 2));
  int64_t out = 0, bytes = 0;
  uint32_t bit = 99;
  CHECK_OK(stride_layout_offset(&layout, 2, LIST(1, 2), &out, NULL));
  CHECK_EQ(out, 9 - 5 + 4);
  CHECK_OK(stride_layout_byte_offset(&layout, 2, LIST(1, 2), &bytes, &bit, NULL));
  CHECK_EQ(bytes, 32);
  CHECK_EQ(bit, 0);

  const stride_layout scalar = layout_of(STRIDE_DTYPE_U8, 4, 0, NULL, NULL);
  CHECK_OK(stride_layout_offset(&scalar, 0, NULL, &out, NULL));
  CHECK_EQ(out, 4);
}

static void offsets_of_nibbles(void) {
  stride_layout layout = layout_of(STRIDE_DTYPE_U4, 0, 1, LIST(5), NULL);
  int64_t bytes = 0;
  uint32_t bit = 99;
  CHECK_OK(stride_layout_byte_offset(&layout, 1, LIST(3), &bytes, &bit, NULL));
  CHECK_EQ(bytes, 1);
  CHECK_EQ(bit, 4);
  layout.dtype |= STRIDE_DTYPE_HIGH_FIRST; /* counted from the other end */
  CHECK_OK(stride_layout_byte_offset(&layout, 1, LIST(3), &bytes, &bit, NULL));
  CHECK_EQ(bytes, 1);
  CHECK_EQ(bit, 4);
  layout.offset = -4; /* element -1 is the second nibble of byte -1 */
  CHECK_OK(stride_layout_byte_offset(&layout, 1, LIST(3), &bytes, &bit, NULL));
  CHECK_EQ(bytes, -1);
  CHECK_EQ(bit, 4);
}

static void indices_outside(void) {
  const stride_layout layout = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), NULL);
  stride_error record;
  int64_t out;
  poison(&out, sizeof out);
#define OFFSET(rank, ...) stride_layout_offset(&layout, rank, LIST(__VA_ARGS__), &out, &record)
  CHECK_FAILS(record, OFFSET(2, 1, 3), INDEX_OUT_OF_RANGE, INDEX, 1, 3, 3);
  CHECK_FAILS(record, OFFSET(2, -1, 0), INDEX_OUT_OF_RANGE, INDEX, 0, -1, 2);
  CHECK_FAILS(record, OFFSET(1, 1), INVALID_RANK, RANK, -1, 1, 2);
  CHECK_FAILS(record, OFFSET(3, 0, 0, 0), INVALID_RANK, RANK, -1, 3, 2);
#undef OFFSET
  CHECK_FAILS(record, stride_layout_ravel_index(&layout, 2, LIST(2, 0), &out, &record), INDEX_OUT_OF_RANGE, INDEX, 0, 2,
              2);
  CHECK_UNTOUCHED(out);
}

/* numpy.ravel_multi_index and numpy.unravel_index of (3,4,5): (1,2,3) is 33. */
static void row_major_numbers(void) {
  const stride_layout layout = layout_of(STRIDE_DTYPE_F32, 77, 3, LIST(3, 4, 5), LIST(-1, 0, 1000));
  int64_t linear = 0, index[3] = {0, 0, 0};
  CHECK_OK(stride_layout_ravel_index(&layout, 3, LIST(1, 2, 3), &linear, NULL));
  CHECK_EQ(linear, 33);
  CHECK_OK(stride_layout_unravel_index(&layout, 33, 3, index, NULL));
  CHECK_EQ(index[0], 1);
  CHECK_EQ(index[1], 2);
  CHECK_EQ(index[2], 3);
  for (int64_t k = 0; k < 60; k++) {
    CHECK_OK(stride_layout_unravel_index(&layout, k, 3, index, NULL));
    CHECK_OK(stride_layout_ravel_index(&layout, 3, index, &linear, NULL));
    CHECK_EQ(linear, k);
  }
  const stride_layout scalar = layout_of(STRIDE_DTYPE_F32, 0, 0, NULL, NULL);
  CHECK_OK(stride_layout_unravel_index(&scalar, 0, 0, NULL, NULL));
}

static void row_major_numbers_outside(void) {
  const stride_layout layout = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), NULL);
  const stride_layout empty = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 0), NULL);
  stride_error record;
  int64_t index[2];
  poison(index, sizeof index);
  CHECK_FAILS(record, stride_layout_unravel_index(&layout, 6, 2, index, &record), INDEX_OUT_OF_RANGE, LINEAR, -1, 6, 6);
  CHECK_FAILS(record, stride_layout_unravel_index(&layout, -1, 2, index, &record), INDEX_OUT_OF_RANGE, LINEAR, -1, -1, 6);
  CHECK_FAILS(record, stride_layout_unravel_index(&empty, 0, 2, index, &record), INDEX_OUT_OF_RANGE, LINEAR, -1, 0, 0);
  CHECK_UNTOUCHED(index);
}

/* The rule's own example: two rows of three, four apart and mirrored; then windows of three over seven. */
static void places(void) {
  const stride_layout rows = layout_of(STRIDE_DTYPE_F32, 4, 2, LIST(2, 3), LIST(-4, 1));
  const stride_layout windows = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(5, 3), LIST(1, 1));
  const stride_layout empty = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 0), NULL);
  stride_error record;
  uint64_t sharing = 99;
  int64_t index[2] = {9, 9};
  CHECK_OK(stride_layout_multi_index(&rows, 1, 2, index, &sharing, NULL));
  CHECK(index[0] == 1 && index[1] == 1 && sharing == 1);
  CHECK_OK(stride_layout_multi_index(&windows, 2, 2, index, &sharing, NULL));
  CHECK(index[0] == 0 && index[1] == 2 && sharing == 3);
  CHECK_OK(stride_layout_multi_index(&windows, 6, 2, index, NULL, NULL));
  CHECK(index[0] == 4 && index[1] == 2);
  poison(index, sizeof index);
  poison(&sharing, sizeof sharing);
  CHECK_FAILS(record, stride_layout_multi_index(&rows, 3, 2, index, &sharing, &record), NOT_REPRESENTABLE, OFFSET, -1, 3,
              0);
  CHECK_FAILS(record, stride_layout_multi_index(&rows, -1, 2, index, NULL, &record), NOT_REPRESENTABLE, OFFSET, -1, -1,
              0);
  CHECK_FAILS(record, stride_layout_multi_index(&empty, 0, 2, index, NULL, &record), NOT_REPRESENTABLE, OFFSET, -1, 0,
              0);
  CHECK_FAILS(record, stride_layout_multi_index(&rows, 1, 3, index, &sharing, &record), INVALID_RANK, RANK, -1, 3, 2);
  CHECK_UNTOUCHED(index);
  CHECK_UNTOUCHED(sharing);
}

static void formats(void) {
  const uint32_t every_order = STRIDE_FORMAT_PACKED | STRIDE_FORMAT_COLUMN_MAJOR | STRIDE_FORMAT_DENSE;
  const uint32_t dense = STRIDE_FORMAT_DENSE;
  CHECK_EQ(formats_of(layout_of(STRIDE_DTYPE_F32, 5, 0, NULL, NULL)), every_order);
  CHECK_EQ(formats_of(layout_of(STRIDE_DTYPE_F32, 5, 1, LIST(7), NULL)), every_order);
  CHECK_EQ(formats_of(layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(3, 0), LIST(9, 9))), every_order);
  CHECK_EQ(formats_of(layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), NULL)), STRIDE_FORMAT_PACKED | dense);
  CHECK_EQ(formats_of(layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), LIST(1, 2))), STRIDE_FORMAT_COLUMN_MAJOR | dense);
  CHECK_EQ(formats_of(layout_of(STRIDE_DTYPE_F32, 0, 3, LIST(2, 3, 4), LIST(12, 1, 3))), dense);
  CHECK_EQ(formats_of(layout_of(STRIDE_DTYPE_F32, 5, 2, LIST(2, 3), LIST(3, -1))), dense);
  CHECK_EQ(formats_of(layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), LIST(4, 1))), 0);
  CHECK_EQ(formats_of(layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), LIST(0, 1))), 0);
  /* Strides of size 1 say nothing. */
  CHECK_EQ(formats_of(layout_of(STRIDE_DTYPE_F32, 0, 3, LIST(1, 6, 1), LIST(99, 1, -7))), every_order);
}

static void channels_last_as_pytorch_tells(void) {
  const uint32_t channels_last = STRIDE_FORMAT_CHANNELS_LAST;
  CHECK_EQ(formats_of(layout_of(STRIDE_DTYPE_F32, 0, 4, LIST(2, 3, 4, 5), LIST(60, 1, 15, 3))),
           channels_last | STRIDE_FORMAT_DENSE);
  CHECK(!(formats_of(layout_of(STRIDE_DTYPE_F32, 0, 4, LIST(2, 3, 4, 5), NULL)) & channels_last));
  /* One channel: packed and channels last at once. */
  CHECK_EQ(formats_of(layout_of(STRIDE_DTYPE_F32, 0, 4, LIST(2, 1, 4, 5), NULL)),
           channels_last | STRIDE_FORMAT_PACKED | STRIDE_FORMAT_DENSE);
  CHECK(formats_of(layout_of(STRIDE_DTYPE_F32, 0, 5, LIST(2, 3, 4, 5, 6), LIST(360, 1, 90, 18, 3))) & channels_last);
  CHECK(!(formats_of(layout_of(STRIDE_DTYPE_F32, 0, 3, LIST(3, 4, 5), LIST(1, 15, 3))) & channels_last));
}

static void check_order(stride_layout layout, const int64_t *expected) {
  int64_t order[STRIDE_MAX_RANK + 1];
  poison(order, sizeof order);
  CHECK_OK(stride_layout_minor_to_major(&layout, layout.rank, order, NULL));
  for (uint32_t k = 0; k < layout.rank; k++) CHECK_EQ(order[k], expected[k]);
  CHECK(is_poisoned(&order[layout.rank], sizeof(int64_t)));
}

static void orders(void) {
  check_order(layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), NULL), LIST(1, 0));
  check_order(layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), LIST(1, 2)), LIST(0, 1));
  check_order(layout_of(STRIDE_DTYPE_F32, 0, 4, LIST(2, 3, 4, 5), LIST(60, 1, 15, 3)), LIST(1, 3, 2, 0));
  /* Size 1 sits just major to the next larger dimension on its right; trailing ones are the most minor. */
  check_order(layout_of(STRIDE_DTYPE_F32, 0, 4, LIST(2, 1, 3, 1), LIST(1, 9, 2, 9)), LIST(3, 0, 2, 1));
  check_order(layout_of(STRIDE_DTYPE_F32, 0, 3, LIST(1, 1, 1), NULL), LIST(2, 1, 0));
  const stride_layout scalar = layout_of(STRIDE_DTYPE_F32, 0, 0, NULL, NULL);
  CHECK_OK(stride_layout_minor_to_major(&scalar, 0, NULL, NULL));
}

static void layouts_without_an_order(void) {
  static const int64_t strides[3][2] = {{4, 1}, {0, 1}, {3, -1}}; /* a gap, a repetition, a mirror */
  for (size_t k = 0; k < COUNT(strides); k++) {
    const stride_layout layout = layout_of(STRIDE_DTYPE_F32, 5, 2, LIST(2, 3), strides[k]);
    stride_error record;
    int64_t order[2];
    poison(order, sizeof order);
    CHECK_STATUS(stride_layout_minor_to_major(&layout, layout.rank, order, &record), NOT_REPRESENTABLE);
    CHECK_EQ(record.dimension, k < 2 ? 0 : 1);
    CHECK_UNTOUCHED(order);
  }
}

static uint32_t equal(stride_layout lhs, stride_layout rhs) {
  uint32_t answer = 99;
  CHECK_OK(stride_layout_equal(&lhs, &rhs, &answer, NULL));
  return answer;
}

static uint32_t same_mapping(stride_layout lhs, stride_layout rhs) {
  uint32_t answer = 99;
  CHECK_OK(stride_layout_same_mapping(&lhs, &rhs, &answer, NULL));
  return answer;
}

static void equal_fields_and_equal_mappings(void) {
  const stride_layout a = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(1, 3), LIST(3, 1));
  const stride_layout b = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(1, 3), LIST(99, 1));
  CHECK_EQ(equal(a, a), 1);
  CHECK_EQ(equal(a, b), 0);
  CHECK_EQ(same_mapping(a, b), 1);
  const stride_layout others[] = {
      layout_of(STRIDE_DTYPE_S32, 0, 2, LIST(1, 3), LIST(3, 1)),
      layout_of(STRIDE_DTYPE_F32, 1, 2, LIST(1, 3), LIST(3, 1)),
      layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(1, 4), LIST(3, 1)),
      layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(1, 3), LIST(3, 2)),
      layout_of(STRIDE_DTYPE_F32, 0, 1, LIST(3), LIST(1)),
  };
  for (size_t k = 0; k < COUNT(others); k++) {
    CHECK_EQ(equal(a, others[k]), 0);
    CHECK_EQ(same_mapping(a, others[k]), 0);
    CHECK_EQ(same_mapping(others[k], a), 0);
  }
  /* Without elements, offset and strides mean nothing. */
  CHECK_EQ(same_mapping(layout_of(STRIDE_DTYPE_F32, 4, 2, LIST(0, 3), LIST(3, 1)),
                        layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(0, 3), NULL)), 1);
}

static void layouts_as_text(void) {
  stride_layout layout = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), NULL);
  CHECK_WRITES(write_layout, &layout, "f32[2,3] strides [3,1] offset 0");
  layout = layout_of(STRIDE_DTYPE_U4 | STRIDE_DTYPE_HIGH_FIRST, 0, 0, NULL, NULL);
  CHECK_WRITES(write_layout, &layout, "u4:high[] strides [] offset 0");
  layout = layout_of(STRIDE_DTYPE_BYTES | 12, 7, 1, LIST(3), LIST(-2));
  CHECK_WRITES(write_layout, &layout, "bytes12[3] strides [-2] offset 7");
}

static void strides_in_bytes(void) {
  int64_t out[3];
  stride_layout layout = layout_of(STRIDE_DTYPE_F64, 5, 3, LIST(2, 1, 3), LIST(-3, 7, 0));
  CHECK_OK(stride_layout_byte_strides(&layout, layout.rank, out, NULL));
  CHECK(out[0] == -24 && out[1] == 56 && out[2] == 0);
  layout = layout_of(STRIDE_DTYPE_BYTES | 12, 0, 1, LIST(3), LIST(2));
  CHECK_OK(stride_layout_byte_strides(&layout, layout.rank, out, NULL));
  CHECK_EQ(out[0], 24);
  layout = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(1, 0), LIST(INT64_MAX, INT64_MIN)); /* strides that say nothing */
  CHECK_OK(stride_layout_byte_strides(&layout, layout.rank, out, NULL));
  CHECK(out[0] == 0 && out[1] == 0);
  layout = layout_of(STRIDE_DTYPE_S4, 0, 3, LIST(2, 1, 2), LIST(6, 3, -2));
  CHECK_OK(stride_layout_byte_strides(&layout, layout.rank, out, NULL));
  CHECK(out[0] == 3 && out[1] == 0 && out[2] == -1);
  layout = layout_of(STRIDE_DTYPE_F32, 0, 0, NULL, NULL);
  CHECK_OK(stride_layout_byte_strides(&layout, 0, NULL, NULL));

  stride_error record;
  layout = layout_of(STRIDE_DTYPE_U2, 0, 2, LIST(2, 3), LIST(4, 1));
  poison(out, sizeof out);
  CHECK_FAILS(record, stride_layout_byte_strides(&layout, layout.rank, out, &record), NOT_REPRESENTABLE, LAYOUT, 1, 1, 4);
  CHECK_UNTOUCHED(out);
}

static const test tests[] = {
    TEST(validate_names_what_is_wrong),
    TEST(every_question_checks_the_layout),
    TEST(element_counts),
    TEST(spans_and_bytes),
    TEST(elements_below_the_base),
    TEST(offsets_of_indices),
    TEST(offsets_of_nibbles),
    TEST(indices_outside),
    TEST(row_major_numbers),
    TEST(row_major_numbers_outside),
    TEST(places),
    TEST(formats),
    TEST(channels_last_as_pytorch_tells),
    TEST(orders),
    TEST(layouts_without_an_order),
    TEST(strides_in_bytes),
    TEST(equal_fields_and_equal_mappings),
    TEST(layouts_as_text),
};

int main(void) { return RUN(tests); }
