/* Section "Plans": what they say of themselves, and memory that is none. */
#include "naive.h"

TEXT_FUNCTION(write_plan, stride_plan_describe, (const stride_plan *))

static void plans_describe_themselves(void) {
  const stride_layout rows = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(64, 96), NULL);
  const stride_layout columns = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(64, 96), LIST(1, 64));
  const stride_layout empty = layout_of(STRIDE_DTYPE_F32, 0, 1, LIST(0), NULL);
  const stride_layout *const layouts[] = {&rows, &columns};
  for (size_t k = 0; k < 2; k++) {
    stride_plan plan;
    char buffer[2048];
    uint64_t length = 0;
    CHECK_OK(stride_plan_init(&plan, &rows, layouts[k], NULL, NULL));
    CHECK_OK(stride_plan_describe(&plan, buffer, sizeof buffer, &length, NULL));
    CHECK(length > 0 && length < sizeof buffer);
    CHECK(strstr(buffer, "24576") != NULL); /* the bytes moved */
    CHECK_WRITES(write_plan, &plan, buffer);
  }
  stride_plan plan;
  uint64_t length = 0;
  CHECK_OK(stride_plan_init(&plan, &empty, &empty, NULL, NULL));
  CHECK_OK(stride_plan_describe(&plan, NULL, 0, &length, NULL));
  CHECK(length > 0);
}

static void memory_that_is_no_plan(void) {
  stride_plan plan;
  unsigned char memory[16];
  char text[16];
  uint64_t length;
  poison(memory, sizeof memory);
  poison(text, sizeof text);
  poison(&length, sizeof length);
  for (int pattern = 0; pattern < 256; pattern++) {
    stride_error record;
    memset(&plan, pattern, sizeof plan);
    CHECK_STATUS(stride_plan_execute(&plan, memory, 8, memory + 8, 8, &record), INVALID_ARGUMENT);
    CHECK_EQ(record.argument, STRIDE_ARGUMENT_PLAN);
    CHECK_STATUS(stride_plan_execute_part(&plan, memory, 8, memory + 8, 8, 0, 1, NULL), INVALID_ARGUMENT);
    CHECK_STATUS(stride_plan_execute_scratch(&plan, memory, 8, memory + 8, 8, NULL, 0, NULL), INVALID_ARGUMENT);
    CHECK_STATUS(stride_plan_scratch_bytes(&plan, 1, 1, &length, NULL), INVALID_ARGUMENT);
    CHECK_STATUS(stride_plan_describe(&plan, text, sizeof text, &length, NULL), INVALID_ARGUMENT);
  }
  CHECK_UNTOUCHED(memory);
  CHECK_UNTOUCHED(text);
  CHECK_UNTOUCHED(length);
}

/* Every bit of the first words flipped: refused, or wrong bytes inside the two buffers, which are exact heap blocks. */
static void tampered_plans_stay_in_their_buffers(void) {
  enum { WORDS = 24 };
  const stride_layout rows = layout_of(STRIDE_DTYPE_F32, 1, 3, LIST(3, 5, 7), LIST(40, 8, 1));
  const stride_layout columns = layout_of(STRIDE_DTYPE_F32, 0, 3, LIST(3, 5, 7), LIST(1, 3, 15));
  const uint32_t flags[] = {0, STRIDE_COPY_FILL_BUFFER, STRIDE_COPY_OVERLAP, STRIDE_COPY_ASSUME_DISTINCT};
  const size_t dst_bytes = bytes_of(rows), src_bytes = bytes_of(columns);
  unsigned char *src = heap_pattern(src_bytes), *src_before = heap_copy(src, src_bytes);
  for (size_t f = 0; f < COUNT(flags); f++) {
    stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
    stride_plan plan;
    options.flags = flags[f];
    memset(&plan, 0, sizeof plan);
    CHECK_OK(stride_plan_init(&plan, &rows, &columns, &options, NULL));
    for (size_t bit = 0; bit < WORDS * 64; bit++) {
      stride_plan forged = plan;
      unsigned char *dst = heap(dst_bytes);
      forged.words[bit / 64] ^= (uint64_t)1 << bit % 64;
      if (stride_plan_execute(&forged, dst, dst_bytes, src, src_bytes, NULL) != STRIDE_STATUS_OK) {
        CHECK(is_poisoned(dst, dst_bytes));
      }
      free(dst);
    }
  }
  CHECK(memcmp(src, src_before, src_bytes) == 0);
  free(src);
  free(src_before);
}

static const test tests[] = {
    TEST(plans_describe_themselves),
    TEST(memory_that_is_no_plan),
    TEST(tampered_plans_stay_in_their_buffers),
};

int main(void) { return RUN(tests); }
