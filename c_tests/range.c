/* Copies in row-major order: other sizes, and ranges of elements. */
#include "check.h"

static const uint32_t u8 = STRIDE_DTYPE_U8;

/* A view is packed in pieces of any length, and unpacked from them. */
static void pack_and_unpack(void) {
  unsigned char from[60], pieces[60], back[60];
  const stride_layout view = layout_of(u8, 1, 3, LIST(2, 3, 4), LIST(30, -1, 3)); /* not in front of the buffer */
  stride_layout turned = view, packed = layout_of(u8, 0, 1, LIST(24), LIST(1));
  stride_error record;
  for (size_t k = 0; k < sizeof from; k++) from[k] = (unsigned char)(k * 5);
  CHECK_FAILS(record, stride_copy_range(&packed, pieces, 60, 0, &view, from, 60, 0, 24, NULL, &record), OUT_OF_BOUNDS,
              SRC_LAYOUT, -1, -1, 0);
  turned.offset = 2;
  for (int64_t length = 1; length < 25; length += 3) {
    poison(pieces, sizeof pieces);
    memset(back, 0, sizeof back);
    for (int64_t first = 0; first < 24; first += length) {
      const uint64_t count = (uint64_t)(first + length < 24 ? length : 24 - first);
      stride_layout piece = layout_of(u8, 0, 1, LIST((int64_t)count), LIST(1));
      CHECK_OK(stride_copy_range(&piece, pieces + first, count, 0, &turned, from, 60, first, count, NULL, NULL));
      CHECK_OK(stride_copy_range(&turned, back, 60, first, &piece, pieces + first, count, 0, count, NULL, NULL));
    }
    for (int k = 0; k < 24; k++) {
      const int at = 2 + k / 12 * 30 - k / 4 % 3 + k % 4 * 3;
      CHECK_EQ(pieces[k], from[at]);
      CHECK_EQ(back[at], from[at]);
    }
    CHECK(is_poisoned(pieces + 24, 36));
  }
}

static void other_sizes(void) {
  static unsigned char from[900], to[1400];
  const stride_layout src = layout_of(u8, 0, 6, LIST(5, 3, 3, 5, 2, 2), LIST(180, 60, 20, 4, 2, 1));
  const stride_layout dst = layout_of(u8, 0, 4, LIST(2, 30, 1, 15), LIST(700, 20, 99, 1));
  const stride_layout fewer = layout_of(u8, 0, 2, LIST(2, 30), LIST(30, 1));
  stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
  stride_plan plan;
  stride_error record;
  for (size_t k = 0; k < sizeof from; k++) from[k] = (unsigned char)(k * 7 + k / 251);
  CHECK_FAILS(record, stride_copy(&dst, to, 1400, &src, from, 900, NULL, &record), SHAPE_MISMATCH, SRC_LAYOUT, -1, 6, 4);
  options.flags = STRIDE_COPY_ROW_MAJOR;
  CHECK_OK(stride_copy(&dst, to, 1400, &src, from, 900, &options, NULL));
  for (size_t k = 0; k < 900; k++) CHECK_EQ(to[k / 450 * 700 + k / 15 % 30 * 20 + k % 15], from[k]);
  memset(to, 0, sizeof to);
  CHECK_OK(stride_plan_init(&plan, &dst, &src, &options, NULL));
  for (uint32_t part = 0; part < 2; part++) {
    CHECK_OK(stride_plan_execute_part(&plan, to, 1400, from, 900, part, 2, NULL));
  }
  for (size_t k = 0; k < 900; k++) CHECK_EQ(to[k / 450 * 700 + k / 15 % 30 * 20 + k % 15], from[k]);
  CHECK_FAILS(record, stride_copy(&fewer, to, 1400, &src, from, 900, &options, &record), SHAPE_MISMATCH, SRC_LAYOUT, -1, 900,
              60);
  /* Equal sizes are as without the flag. */
  CHECK_OK(stride_copy(&src, to, 900, &src, from, 900, &options, NULL));
  CHECK(memcmp(to, from, 900) == 0);
}

static void refused(void) {
  unsigned char memory[12];
  const stride_layout row = layout_of(u8, 0, 1, LIST(6), LIST(1)), f32 = layout_of(STRIDE_DTYPE_F32, 0, 1, LIST(6), LIST(1));
  const stride_layout one = layout_of(u8, 0, 0, NULL, NULL), none = layout_of(u8, 0, 2, LIST(0, 5), LIST(1, 1));
  stride_error record;
  poison(memory, sizeof memory);
#define RANGE(first, from, count) stride_copy_range(&row, memory, 6, first, &row, memory + 6, 6, from, count, NULL, &record)
  CHECK_FAILS(record, RANGE(0, 1, 6), OUT_OF_BOUNDS, SRC_FIRST, -1, 7, 6);
  CHECK_FAILS(record, RANGE(7, 0, 0), OUT_OF_BOUNDS, DST_FIRST, -1, 7, 6);
  CHECK_FAILS(record, RANGE(0, -1, 2), OUT_OF_BOUNDS, SRC_FIRST, -1, -1, 0);
  CHECK_FAILS(record, RANGE(INT64_MAX, 0, 2), OUT_OF_BOUNDS, DST_FIRST, -1, INT64_MAX, 6);
  CHECK_FAILS(record, RANGE(0, 0, UINT64_MAX), INVALID_ARGUMENT, COUNT, -1, INT64_MAX, INT64_MAX);
#undef RANGE
  CHECK_FAILS(record, stride_copy_range(&row, memory, 6, 0, &f32, memory, 24, 0, 1, NULL, &record), DTYPE_MISMATCH, SRC_LAYOUT,
              -1, STRIDE_DTYPE_F32, u8);
  CHECK_FAILS(record, stride_copy_range(&row, memory, 6, 0, &row, memory + 3, 6, 0, 6, NULL, &record), OVERLAP, SRC, -1, 3, 6);
  CHECK(is_poisoned(memory, sizeof memory));
  CHECK_OK(stride_copy_range(&none, NULL, 0, 0, &none, NULL, 0, 0, 0, NULL, NULL));
  memory[6] = 9;
  CHECK_OK(stride_copy_range(&one, memory, 1, 0, &row, memory + 6, 6, 0, 1, NULL, NULL)); /* rank 0 */
  CHECK_EQ(memory[0], 9);
}

int main(void) {
  static const test tests[] = {
      TEST(pack_and_unpack),
      TEST(other_sizes),
      TEST(refused),
  };
  return run_tests(tests, COUNT(tests));
}
