/* Section "Copies", fill and compare. */
#include "naive.h"

static void check_one_fill(stride_layout layout) {
  const size_t bytes = bytes_of(layout), width = element_bytes(&layout);
  unsigned char *value = heap_pattern(width), *dst = heap(bytes), *expected = heap(bytes);
  for (int64_t n = 0; n < count_of(layout); n++) {
    memcpy(expected + offset_of(&layout, n) * (int64_t)width, value, width);
  }
  CHECK_OK(stride_fill(&layout, dst, bytes, value, NULL));
  CHECK(memcmp(dst, expected, bytes) == 0);
  free(value);
  free(dst);
  free(expected);
}

static void fills(void) {
  for (size_t w = 0; w < COUNT(widths); w++) {
    check_one_fill(layout_of(widths[w], 0, 0, NULL, NULL));
    check_one_fill(layout_of(widths[w], 3, 1, LIST(37), NULL));
    check_one_fill(layout_of(widths[w], 2, 2, LIST(3, 5), LIST(7, 1)));
    check_one_fill(layout_of(widths[w], 20, 2, LIST(3, 5), LIST(-7, -1)));
    check_one_fill(layout_of(widths[w], 0, 2, LIST(3, 5), LIST(0, 2))); /* indices that mean one element */
    check_one_fill(layout_of(widths[w], 0, 2, LIST(5, 4), LIST(3, 4)));
  }
}

static void fills_that_are_refused(void) {
  const stride_layout row = layout_of(STRIDE_DTYPE_F32, 0, 1, LIST(4), NULL);
  const stride_layout nibbles = layout_of(STRIDE_DTYPE_U4, 0, 1, LIST(4), LIST(2));
  unsigned char memory[16], value[4] = {1, 2, 3, 4};
  stride_error record;
  poison(memory, sizeof memory);
  CHECK_FAILS(record, stride_fill(&row, memory, 15, value, &record), OUT_OF_BOUNDS, DST_BYTES, -1, 16, 15);
  CHECK_STATUS(stride_fill(&row, memory, 16, memory + 4, &record), OVERLAP);
  CHECK_EQ(record.argument, STRIDE_ARGUMENT_VALUE);
  CHECK_FAILS(record, stride_fill(&nibbles, memory, 3, value, &record), OUT_OF_BOUNDS, DST_BYTES, -1, 4, 3);
  CHECK_STATUS(stride_fill(&nibbles, memory, 4, memory + 1, &record), OVERLAP);
  CHECK_EQ(record.argument, STRIDE_ARGUMENT_VALUE);
  stride_layout below = row;
  below.offset = -1;
  CHECK_STATUS(stride_fill(&below, memory, 16, value, NULL), OUT_OF_BOUNDS);
  CHECK_UNTOUCHED(memory);
}

/* Each element changed in turn is the one that is found. */
static void first_differences(void) {
  for (size_t w = 0; w < COUNT(widths); w++) {
    const stride_layout lhs_layout = layout_of(widths[w], 2, 3, LIST(2, 3, 4), LIST(16, 5, 1));
    const stride_layout rhs_layout = layout_of(widths[w], 23, 3, LIST(2, 3, 4), LIST(-1, -2, -6));
    const size_t lhs_bytes = bytes_of(lhs_layout), rhs_bytes = bytes_of(rhs_layout);
    const size_t width = element_bytes(&lhs_layout);
    unsigned char *lhs = heap_pattern(lhs_bytes), *rhs = heap(rhs_bytes);
    naive_copy(&rhs_layout, rhs, &lhs_layout, lhs);
    for (int64_t n = -1; n < 24; n++) {
      int64_t found = 99;
      unsigned char *last = n < 0 ? NULL : rhs + offset_of(&rhs_layout, n) * (int64_t)width + width - 1;
      if (last) *last ^= 1;
      CHECK_OK(stride_compare(&lhs_layout, lhs, lhs_bytes, &rhs_layout, rhs, rhs_bytes, &found, NULL));
      CHECK_EQ(found, n);
      if (last) *last ^= 1;
    }
    free(lhs);
    free(rhs);
  }
}

/* Sides that repeat are looked at once, however often they do; the number counts all repetitions. */
static void repeated_elements_are_compared_once(void) {
  const int64_t times = (int64_t)1 << 50;
  const stride_layout one = layout_of(STRIDE_DTYPE_U8, 0, 1, LIST(times), LIST(0));
  const stride_layout rows = layout_of(STRIDE_DTYPE_U8, 0, 4, LIST(2, times, 3, 4), LIST(3, 0, 1, 0));
  const unsigned char lhs[] = {1, 2, 3, 4, 5, 6}, rhs[] = {1, 2, 3, 4, 5, 7};
  int64_t found = 99;
  CHECK_OK(stride_compare(&one, lhs, 1, &one, rhs, 1, &found, NULL));
  CHECK_EQ(found, -1);
  CHECK_OK(stride_compare(&one, lhs, 1, &one, rhs + 1, 1, &found, NULL));
  CHECK_EQ(found, 0);
  CHECK_OK(stride_compare(&rows, lhs, 6, &rows, lhs, 6, &found, NULL));
  CHECK_EQ(found, -1);
  CHECK_OK(stride_compare(&rows, lhs, 6, &rows, rhs, 6, &found, NULL));
  CHECK_EQ(found, 12 * times + 8);
}

static void bytes_are_compared_not_numbers(void) {
  const stride_layout one = layout_of(STRIDE_DTYPE_F32, 0, 1, LIST(1), NULL);
  const uint32_t zero = 0, minus_zero = 0x80000000, nan = 0x7FC00000;
  int64_t found = 99;
  CHECK_OK(stride_compare(&one, &zero, 4, &one, &minus_zero, 4, &found, NULL));
  CHECK_EQ(found, 0);
  CHECK_OK(stride_compare(&one, &nan, 4, &one, &nan, 4, &found, NULL));
  CHECK_EQ(found, -1);
}

static void comparisons_that_are_refused(void) {
  const stride_layout row = layout_of(STRIDE_DTYPE_F32, 0, 1, LIST(4), NULL);
  const stride_layout longer = layout_of(STRIDE_DTYPE_F32, 0, 1, LIST(5), NULL);
  const stride_layout integers = layout_of(STRIDE_DTYPE_S32, 0, 1, LIST(4), NULL);
  const stride_layout nibbles = layout_of(STRIDE_DTYPE_U4, 0, 1, LIST(5), NULL);
  const stride_layout empty = layout_of(STRIDE_DTYPE_F32, 0, 1, LIST(0), NULL);
  unsigned char memory[20] = {0};
  int64_t found;
  stride_error record;
  poison(&found, sizeof found);
#define COMPARE(lhs, lhs_bytes, rhs, rhs_bytes) \
  stride_compare(&lhs, memory, lhs_bytes, &rhs, memory, rhs_bytes, &found, &record)
  CHECK_FAILS(record, COMPARE(row, 15, row, 16), OUT_OF_BOUNDS, LHS_BYTES, -1, 16, 15);
  CHECK_FAILS(record, COMPARE(row, 16, row, 15), OUT_OF_BOUNDS, RHS_BYTES, -1, 16, 15);
  CHECK_FAILS(record, COMPARE(row, 16, longer, 20), SHAPE_MISMATCH, RHS_LAYOUT, 0, 5, 4);
  CHECK_FAILS(record, COMPARE(row, 16, integers, 16), DTYPE_MISMATCH, RHS_LAYOUT, -1, STRIDE_DTYPE_S32,
              STRIDE_DTYPE_F32);
  CHECK_FAILS(record, COMPARE(nibbles, 3, nibbles, 2), OUT_OF_BOUNDS, RHS_BYTES, -1, 3, 2);
  CHECK_FAILS(record, COMPARE(row, 16, nibbles, 16), SHAPE_MISMATCH, RHS_LAYOUT, 0, 5, 4);
  CHECK_UNTOUCHED(found);
  CHECK_STATUS(COMPARE(row, 16, row, 16), OK); /* one buffer may be both */
  CHECK_EQ(found, -1);
#undef COMPARE
  CHECK_OK(stride_compare(&empty, NULL, 0, &empty, NULL, 0, &found, NULL));
  CHECK_EQ(found, -1);
}

static const test tests[] = {
    TEST(fills),
    TEST(fills_that_are_refused),
    TEST(first_differences),
    TEST(repeated_elements_are_compared_once),
    TEST(bytes_are_compared_not_numbers),
    TEST(comparisons_that_are_refused),
};

int main(void) { return RUN(tests); }
