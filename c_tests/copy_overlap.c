/* Section "Copies", sides that share bytes: refused, or moved as memmove does. */
#include "naive.h"

/* Both layouts over one buffer: memmove's semantics, with scratch where the plan asks for it. */
static void check_move(stride_layout dst_layout, stride_layout src_layout) {
  const size_t dst_bytes = bytes_of(dst_layout), src_bytes = bytes_of(src_layout);
  const size_t bytes = dst_bytes > src_bytes ? dst_bytes : src_bytes;
  unsigned char *before = heap_pattern(bytes), *expected = heap_copy(before, bytes), *memory = heap_copy(before, bytes);
  naive_copy(&dst_layout, expected, &src_layout, before);

  stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
  stride_error record;
  CHECK_STATUS(stride_copy(&dst_layout, memory, bytes, &src_layout, memory, bytes, &options, NULL), OVERLAP);
  CHECK(memcmp(memory, before, bytes) == 0);

  options.flags = STRIDE_COPY_OVERLAP;
  stride_plan plan;
  uint64_t needed = UINT64_MAX;
  const uint64_t address = (uint64_t)(uintptr_t)memory;
  CHECK_OK(stride_plan_init(&plan, &dst_layout, &src_layout, &options, NULL));
  CHECK_OK(stride_plan_scratch_bytes(&plan, address, address, &needed, NULL));
  if (needed == 0) {
    CHECK_OK(stride_copy(&dst_layout, memory, bytes, &src_layout, memory, bytes, &options, NULL));
  } else {
    unsigned char *scratch = heap((size_t)needed);
    CHECK_FAILS(record, stride_plan_execute(&plan, memory, bytes, memory, bytes, &record), SCRATCH_NEEDED, SRC, -1,
                (int64_t)needed, 0);
    CHECK_FAILS(record, stride_plan_execute_scratch(&plan, memory, bytes, memory, bytes, scratch, needed - 1, &record),
                SCRATCH_NEEDED, SCRATCH, -1, (int64_t)needed, (int64_t)needed - 1);
    CHECK(memcmp(memory, before, bytes) == 0);
    CHECK_OK(stride_plan_execute_scratch(&plan, memory, bytes, memory, bytes, scratch, needed, NULL));
    free(scratch);
  }
  CHECK(memcmp(memory, expected, bytes) == 0);

  memcpy(memory, before, bytes); /* in parts, where a direction suffices */
  if (needed == 0) execute_shuffled(&plan, memory, bytes, memory, bytes, 3);
  if (needed == 0) CHECK(memcmp(memory, expected, bytes) == 0);
  free(before);
  free(expected);
  free(memory);
}

static void memmove_of_shifts(void) {
  for (size_t w = 0; w < COUNT(widths); w++) {
    for (int64_t shift = 1; shift < 12; shift++) {
      const stride_layout low = layout_of(widths[w], 0, 1, LIST(30), NULL);
      const stride_layout high = layout_of(widths[w], shift, 1, LIST(30), NULL);
      check_move(low, high);
      check_move(high, low);
      const stride_layout low_rows = layout_of(widths[w], 0, 2, LIST(6, 5), LIST(9, 1));
      const stride_layout high_rows = layout_of(widths[w], shift % 9 < 5 ? shift : 1, 2, LIST(6, 5), LIST(9, 1));
      check_move(low_rows, high_rows);
      check_move(high_rows, low_rows);
    }
  }
}

static void shifts_need_no_scratch(void) {
  const stride_layout low = layout_of(STRIDE_DTYPE_F32, 0, 1, LIST(30), NULL);
  const stride_layout high = layout_of(STRIDE_DTYPE_F32, 3, 1, LIST(30), NULL);
  stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
  stride_plan plan;
  uint64_t needed = UINT64_MAX;
  options.flags = STRIDE_COPY_OVERLAP;
  CHECK_OK(stride_plan_init(&plan, &low, &high, &options, NULL));
  CHECK_OK(stride_plan_scratch_bytes(&plan, 1 << 20, 1 << 20, &needed, NULL));
  CHECK_EQ(needed, 0);
}

static void memmove_of_other_orders(void) {
  for (size_t w = 0; w < COUNT(widths); w++) {
    const stride_layout rows = layout_of(widths[w], 0, 2, LIST(4, 6), NULL);
    const stride_layout columns = layout_of(widths[w], 0, 2, LIST(4, 6), LIST(1, 4));
    const stride_layout mirrored = layout_of(widths[w], 23, 2, LIST(4, 6), LIST(-6, -1));
    const stride_layout repeated = layout_of(widths[w], 2, 2, LIST(4, 6), LIST(0, 1));
    check_move(rows, columns);
    check_move(columns, rows);
    check_move(rows, mirrored);
    check_move(mirrored, rows);
    check_move(rows, repeated);
  }
}

static void scratch_is_known_by_its_addresses(void) {
  const stride_layout rows = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(4, 6), NULL);
  const stride_layout columns = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(4, 6), LIST(1, 4));
  stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
  stride_plan plan;
  uint64_t needed = UINT64_MAX;
  CHECK_OK(stride_plan_init(&plan, &rows, &columns, &options, NULL));
  CHECK_OK(stride_plan_scratch_bytes(&plan, 4096, 4096, &needed, NULL));
  CHECK_EQ(needed, 0); /* not asked for */
  options.flags = STRIDE_COPY_OVERLAP;
  CHECK_OK(stride_plan_init(&plan, &rows, &columns, &options, NULL));
  CHECK_OK(stride_plan_scratch_bytes(&plan, 4096, 4096, &needed, NULL));
  CHECK_EQ(needed, 96);
  CHECK_OK(stride_plan_scratch_bytes(&plan, 4096, 4096 + 96, &needed, NULL));
  CHECK_EQ(needed, 0);
  stride_error record;
  poison(&needed, sizeof needed);
  CHECK_STATUS(stride_plan_scratch_bytes(&plan, UINT64_MAX - 8, 4096, &needed, &record), OUT_OF_BOUNDS);
  CHECK_UNTOUCHED(needed);
}

static const stride_copy_options *with(stride_copy_options *options, void *scratch, uint64_t bytes) {
  options->scratch = scratch;
  options->scratch_bytes = bytes;
  return options;
}

/* One call with scratch memory: as a plan that is executed with it. */
static void scratch_in_one_call(void) {
  const stride_layout rows = layout_of(STRIDE_DTYPE_U16, 1, 2, LIST(4, 6), NULL);
  const stride_layout columns = layout_of(STRIDE_DTYPE_U16, 0, 2, LIST(4, 6), LIST(1, 4));
  const size_t bytes = bytes_of(rows); /* rows begin an element after the columns */
  unsigned char *before = heap_pattern(bytes), *memory = heap_copy(before, bytes), *expected = heap_copy(before, bytes);
  unsigned char *scratch = heap(48);
  stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
  stride_error record;
#define MOVE(scratch, scratch_bytes) \
  stride_copy(&rows, memory, bytes, &columns, memory, bytes, with(&options, scratch, scratch_bytes), &record)
  naive_copy(&rows, expected, &columns, before);
  CHECK_STATUS(MOVE(scratch, 48), OVERLAP); /* not allowed, with or without scratch */
  CHECK_EQ(record.detail, STRIDE_DETAIL_SHARED_BYTES);
  options.flags = STRIDE_COPY_OVERLAP;
  CHECK_FAILS(record, stride_copy(&rows, memory, bytes, &columns, memory, bytes, with(&options, NULL, 0), &record), SCRATCH_NEEDED,
              SRC, -1, 48, 0);
  CHECK_EQ(record.detail, STRIDE_DETAIL_SCRATCH_BYTES);
  CHECK_FAILS(record, MOVE(NULL, 0), SCRATCH_NEEDED, SRC, -1, 48, 0); /* none is given */
  CHECK_FAILS(record, MOVE(scratch, 0), SCRATCH_NEEDED, SCRATCH, -1, 48, 0);
  CHECK_EQ(record.detail, STRIDE_DETAIL_SCRATCH_BYTES);
  CHECK_FAILS(record, MOVE(scratch, 47), SCRATCH_NEEDED, SCRATCH, -1, 48, 47);
  CHECK_FAILS(record, MOVE(NULL, 48), NULL_POINTER, SCRATCH, -1, 0, 0);
  CHECK(memcmp(memory, before, bytes) == 0);
  CHECK(is_poisoned(scratch, 48));

  /* Scratch that shares bytes with either side, at each end of it. */
  unsigned char *shared = heap(bytes + 96);
#define SHARES(offset)                                                                                               \
  CHECK_FAILS(record, stride_copy(&rows, shared + 48, bytes, &columns, shared + 48, bytes,                           \
                                  with(&options, shared + (offset), 48), &record), OVERLAP, SCRATCH, -1, 0, 0);      \
  CHECK_EQ(record.detail, STRIDE_DETAIL_SHARED_SCRATCH)
  memcpy(shared + 48, before, bytes);
  SHARES(1);
  SHARES(48);
  SHARES(48 + bytes - 1);
  CHECK(memcmp(shared + 48, before, bytes) == 0);
  CHECK_OK(stride_copy(&rows, shared + 48, bytes, &columns, shared + 48, bytes, with(&options, shared, 48), NULL));
  CHECK(memcmp(shared + 48, expected, bytes) == 0);
#undef SHARES
  free(shared);

  CHECK_OK(MOVE(scratch, 48));
  CHECK(memcmp(memory, expected, bytes) == 0);
#undef MOVE

  /* Where none is needed it may be NULL, and is not looked at: other sides, or a direction that does it. */
  unsigned char *other = heap(bytes);
  CHECK_OK(stride_copy(&rows, other, bytes, &columns, before, bytes, with(&options, NULL, 0), NULL));
  CHECK_OK(stride_copy(&rows, other, bytes, &columns, before, bytes, with(&options, NULL, UINT64_MAX), NULL));
  CHECK(memcmp(other + 2, expected + 2, bytes - 2) == 0);
  const stride_layout low = layout_of(STRIDE_DTYPE_U16, 0, 1, LIST(24), NULL);
  const stride_layout high = layout_of(STRIDE_DTYPE_U16, 1, 1, LIST(24), NULL);
  memcpy(memory, before, bytes);
  CHECK_OK(stride_copy(&high, memory, bytes, &low, memory, bytes, with(&options, NULL, 0), NULL));
  CHECK(memcmp(memory + 2, before, 48) == 0);
  free(other);
  free(scratch);
  free(expected);
  free(memory);
  free(before);
}

static void scratch_keeps_off_both_sides(void) {
  const stride_layout rows = layout_of(STRIDE_DTYPE_U8, 0, 2, LIST(4, 6), NULL);
  const stride_layout columns = layout_of(STRIDE_DTYPE_U8, 0, 2, LIST(4, 6), LIST(1, 4));
  unsigned char memory[64];
  stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
  stride_plan plan;
  stride_error record;
  poison(memory, sizeof memory);
  options.flags = STRIDE_COPY_OVERLAP;
  CHECK_OK(stride_plan_init(&plan, &rows, &columns, &options, NULL));
  CHECK_FAILS(record, stride_plan_execute_scratch(&plan, memory, 24, memory, 24, memory + 23, 24, &record),
              OVERLAP, SCRATCH, -1, 0, 0);
  CHECK_FAILS(record, stride_plan_execute_scratch(&plan, memory, 24, memory, 24, NULL, 24, &record),
              NULL_POINTER, SCRATCH, -1, 0, 0);
  /* Up to the end of the address space, and past it. */
  unsigned char *top = (unsigned char *)(uintptr_t)(UINTPTR_MAX - 24);
  CHECK_FAILS(record, stride_plan_execute_scratch(&plan, top, 24, top, 24, top, 24, &record), OVERLAP, SCRATCH, -1, 0,
              0);
  CHECK_FAILS(record, stride_plan_execute_scratch(&plan, top, 24, top, 24, top + 1, 24, &record), OUT_OF_BOUNDS,
              SCRATCH, -1, 24, (int64_t)(uintptr_t)(top + 1));
  CHECK_UNTOUCHED(memory);
  CHECK_OK(stride_plan_execute_scratch(&plan, memory, 24, memory, 24, memory + 24, 24, NULL));
  CHECK(is_poisoned(memory + 48, 16));
}

/* Scratch memory that touches the first or the last byte of one side alone, and that lies beside it. */
static void scratch_beside_each_side(void) {
  static const uint32_t dtypes[] = {STRIDE_DTYPE_U16, STRIDE_DTYPE_U4};
  stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
  options.flags = STRIDE_COPY_OVERLAP;
  for (size_t k = 0; k < COUNT(dtypes); k++) {
    const stride_layout rows = layout_of(dtypes[k], 0, 2, LIST(15, 9), LIST(9, 1));
    const stride_layout columns = layout_of(dtypes[k], 0, 2, LIST(15, 9), LIST(1, 15));
    const size_t bytes = bytes_of(rows);
    for (int dst_first = 0; dst_first < 2; dst_first++) {
      unsigned char memory[1024], before[1024], expected[1024];
      unsigned char *low = memory + 400, *high = low + 10, *dst = dst_first ? low : high, *src = dst_first ? high : low;
      stride_error record;
      stride_plan plan;
      CHECK_OK(stride_plan_init(&plan, &rows, &columns, &options, NULL));
#define WITH(scratch) \
  stride_copy(&rows, dst, bytes, &columns, src, bytes, with(&options, scratch, bytes), &record)
#define PLANNED(scratch) stride_plan_execute_scratch(&plan, dst, bytes, src, bytes, (scratch), bytes, &record)
      fill_pattern(before, sizeof before);
      memcpy(memory, before, sizeof before);
      CHECK_FAILS(record, WITH(low + 1 - bytes), OVERLAP, SCRATCH, -1, 0, 0); /* the first byte of the lower side */
      CHECK_FAILS(record, WITH(high + bytes - 1), OVERLAP, SCRATCH, -1, 0, 0); /* the last one of the higher side */
      CHECK_FAILS(record, PLANNED(low + 1 - bytes), OVERLAP, SCRATCH, -1, 0, 0);
      CHECK_FAILS(record, PLANNED(high + bytes - 1), OVERLAP, SCRATCH, -1, 0, 0);
      CHECK(memcmp(memory, before, sizeof before) == 0);
      CHECK_OK(WITH(low - bytes));
      memcpy(expected, dst, bytes);
      memcpy(memory, before, sizeof before);
      CHECK_OK(PLANNED(high + bytes));
      CHECK(memcmp(dst, expected, bytes) == 0);
#undef WITH
#undef PLANNED
    }
  }
}

static void channels_of_one_image_may_be_copied(void) {
  const stride_layout red = layout_of(STRIDE_DTYPE_U8, 0, 2, LIST(4, 5), LIST(15, 3));
  const stride_layout blue = layout_of(STRIDE_DTYPE_U8, 2, 2, LIST(4, 5), LIST(15, 3));
  unsigned char *image = heap_pattern(60), *expected = heap_copy(image, 60);
  naive_copy(&blue, expected, &red, image);
  CHECK_OK(stride_copy(&blue, image, 60, &red, image, 60, NULL, NULL));
  CHECK(memcmp(image, expected, 60) == 0);
  free(image);
  free(expected);
}

static void the_very_same_mapping_is_no_overlap(void) {
  const stride_layout rows = layout_of(STRIDE_DTYPE_F32, 1, 2, LIST(3, 4), LIST(6, 1));
  unsigned char *memory = heap_pattern(100), *before = heap_copy(memory, 100);
  CHECK_OK(stride_copy(&rows, memory, 100, &rows, memory, 100, NULL, NULL));
  CHECK(memcmp(memory, before, 100) == 0);
  free(memory);
  free(before);
}

static const test tests[] = {
    TEST(memmove_of_shifts),
    TEST(shifts_need_no_scratch),
    TEST(memmove_of_other_orders),
    TEST(scratch_is_known_by_its_addresses),
    TEST(scratch_in_one_call),
    TEST(scratch_keeps_off_both_sides),
    TEST(scratch_beside_each_side),
    TEST(channels_of_one_image_may_be_copied),
    TEST(the_very_same_mapping_is_no_overlap),
};

int main(void) { return RUN(tests); }
