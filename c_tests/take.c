/* Copies that take: the source's indices along a dimension from a list. */
#include "check.h"

static const uint32_t u8 = STRIDE_DTYPE_U8;

/* -1 is the fill value. */
static stride_copy_options filled(uint8_t value) {
  stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
  memset(options.fill, value, sizeof options.fill);
  return options;
}

static void pixels(void) {
  const stride_layout rgb = layout_of(u8, 0, 2, LIST(2, 3), LIST(3, 1)), rgbx = layout_of(u8, 0, 2, LIST(2, 4), LIST(4, 1));
  const unsigned char from[6] = {1, 2, 3, 4, 5, 6};
  unsigned char to[8], back[6];
  const stride_copy_options options = filled(255);
  CHECK_OK(stride_copy_take(&rgbx, to, 8, &rgb, from, 6, 1, 4, LIST(2, 1, 0, -1), &options, NULL));
  CHECK(memcmp(to, "\3\2\1\377\6\5\4\377", 8) == 0);
  CHECK_OK(stride_copy_take(&rgb, back, 6, &rgbx, to, 8, -1, 3, LIST(2, 1, 0), NULL, NULL)); /* dropped */
  CHECK(memcmp(back, from, 6) == 0);
  CHECK_OK(stride_copy_take(&rgbx, to, 8, &rgb, from, 6, 1, 4, LIST(0, 0, 2, 2), NULL, NULL)); /* doubled */
  CHECK(memcmp(to, "\1\1\3\3\4\4\6\6", 8) == 0);
  CHECK_OK(stride_copy_take(&rgbx, to, 8, &rgb, from, 6, 1, 4, LIST(-1, 1, -1, -1), NULL, NULL)); /* no options: 0 */
  CHECK(memcmp(to, "\0\2\0\0\0\5\0\0", 8) == 0);
}

/* In parts, at many places, as a list of regions. */
static void plans(void) {
  static unsigned char from[4 * 1000], to[4 * 1000], again[4 * 1000];
  const stride_layout rgba = layout_of(u8, 0, 2, LIST(1000, 4), LIST(4, 1));
  const stride_copy_options options = filled(7);
  stride_plan plan;
  stride_plan_facts facts;
  stride_region regions[8];
  uint64_t count;
  stride_error record;
  for (size_t k = 0; k < sizeof from; k++) from[k] = (unsigned char)(k * 7 % 251);
  CHECK_OK(stride_plan_init_take(&plan, &rgba, &rgba, 1, 4, LIST(2, 1, 0, 3), NULL, NULL));
  CHECK_OK(stride_plan_execute(&plan, to, sizeof to, from, sizeof from, NULL));
  for (size_t k = 0; k < sizeof to; k++) CHECK_EQ(to[k], from[k % 4 == 3 ? k : k - k % 4 + 2 - k % 4]);
  for (uint32_t part = 0; part < 3; part++) {
    CHECK_OK(stride_plan_execute_part(&plan, again, sizeof again, from, sizeof from, part, 3, NULL));
  }
  CHECK(memcmp(to, again, sizeof to) == 0);
  memset(again, 0, sizeof again);
  facts.struct_size = sizeof facts;
  CHECK_OK(stride_plan_query(&plan, &facts, NULL));
  CHECK(facts.bytes == 4000 && facts.dst_end == 4000 && facts.src_end == 4000);
  CHECK_OK(stride_plan_regions(&plan, 2, 8, regions, &count, NULL));
  CHECK(count > 1);
  CHECK_FAILS(record, stride_plan_execute(&plan, to, 3999, from, 4000, &record), OUT_OF_BOUNDS, DST_BYTES, -1, 4000, 3999);

  CHECK_OK(stride_plan_init_take(&plan, &rgba, &rgba, 1, 4, LIST(2, 1, 0, -1), &options, NULL));
  CHECK_OK(stride_plan_execute_batch(&plan, again, sizeof again, LIST(0), from, sizeof from, LIST(0), 1, 0, 1, NULL));
  for (size_t k = 0; k < sizeof to; k++) CHECK_EQ(again[k], k % 4 == 3 ? 7 : to[k]);
  CHECK_FAILS(record, stride_plan_regions(&plan, 2, 8, regions, &count, &record), UNSUPPORTED, PLAN, -1, -1, 0);
}

/* Exactly what is read and written must lie apart. */
static void overlap(void) {
  unsigned char pixel[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  const stride_layout all = layout_of(u8, 0, 2, LIST(2, 4), LIST(4, 1));
  const stride_layout odd = layout_of(u8, 1, 2, LIST(2, 2), LIST(4, 2));
  stride_copy_options moving = STRIDE_COPY_OPTIONS_INIT;
  stride_error record;
  CHECK_OK(stride_copy_take(&odd, pixel, 8, &all, pixel, 8, 1, 2, LIST(2, 0), NULL, NULL));
  CHECK(memcmp(pixel, "\1\3\3\1\5\7\7\5", 8) == 0);
  CHECK_FAILS(record, stride_copy_take(&all, pixel, 8, &all, pixel, 8, 1, 4, LIST(2, 1, 0, 3), NULL, &record), OVERLAP, SRC,
              -1, 0, 8);
  CHECK(memcmp(pixel, "\1\3\3\1\5\7\7\5", 8) == 0);
  moving.flags = STRIDE_COPY_OVERLAP;
  CHECK_FAILS(record, stride_copy_take(&all, pixel, 8, &all, pixel, 8, 1, 4, LIST(2, 1, 0, 3), &moving, &record),
              UNSUPPORTED, OPTIONS, -1, STRIDE_COPY_OVERLAP, STRIDE_COPY_OVERLAP);
}

static void refused(void) {
  const stride_layout rgb = layout_of(u8, 0, 2, LIST(2, 3), LIST(3, 1)), rgbx = layout_of(u8, 0, 2, LIST(2, 4), LIST(4, 1));
  const stride_layout f32 = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), LIST(3, 1));
  const stride_layout more = layout_of(u8, 0, 2, LIST(5, 3), LIST(3, 1)), row = layout_of(u8, 0, 1, LIST(3), LIST(1));
  const stride_layout wide = layout_of(u8, 0, 1, LIST(65), LIST(1));
  const stride_layout nibbles = layout_of(STRIDE_DTYPE_U4, 0, 2, LIST(2, 4), LIST(4, 1));
  const stride_layout none = layout_of(u8, 0, 2, LIST(0, 4), LIST(4, 1)), no_rgb = layout_of(u8, 0, 2, LIST(0, 3), LIST(3, 1));
  int64_t many[65] = {0};
  unsigned char to[8], from[8] = {0};
  stride_plan plan;
  stride_error record;
  poison(to, sizeof to);
#define TAKE(dst, src, axis, count, list) stride_copy_take(dst, to, 8, src, from, 8, axis, count, list, NULL, &record)
  CHECK_FAILS(record, TAKE(&rgbx, &rgb, 1, 4, LIST(2, 1, 0, 3)), INDEX_OUT_OF_RANGE, INDICES, -1, 3, 3);
  CHECK_EQ(record.item, 3);
  CHECK_FAILS(record, TAKE(&rgbx, &rgb, 1, 4, LIST(2, -2, 0, 0)), INDEX_OUT_OF_RANGE, INDICES, -1, -2, 3);
  CHECK_EQ(record.item, 1);
  CHECK_FAILS(record, TAKE(&rgbx, &rgb, 1, 3, LIST(2, 1, 0)), INVALID_RANK, COUNT, -1, 3, 4);
  CHECK_FAILS(record, TAKE(&rgbx, &rgb, 2, 4, LIST(2, 1, 0, 0)), INVALID_AXES, AXIS, -1, 2, 2);
  CHECK_FAILS(record, TAKE(&wide, &wide, 0, 65, many), INVALID_RANK, COUNT, -1, 65, 64);
  CHECK_FAILS(record, TAKE(&rgbx, &more, 1, 4, LIST(2, 1, 0, 0)), SHAPE_MISMATCH, SRC_LAYOUT, 0, 5, 2);
  CHECK_FAILS(record, TAKE(&rgbx, &row, 1, 4, LIST(2, 1, 0, 0)), SHAPE_MISMATCH, SRC_LAYOUT, -1, 1, 2);
  CHECK_FAILS(record, TAKE(&rgbx, &f32, 1, 4, LIST(2, 1, 0, 0)), DTYPE_MISMATCH, SRC_LAYOUT, -1, STRIDE_DTYPE_F32, u8);
  CHECK_FAILS(record, TAKE(&nibbles, &nibbles, 1, 4, LIST(2, 1, 0, 3)), UNSUPPORTED, DST_LAYOUT, -1, STRIDE_DTYPE_U4, 0);
#undef TAKE
  CHECK(is_poisoned(to, sizeof to));
  /* Even steps are an ordinary copy, of elements below a byte too. */
  CHECK_OK(stride_plan_init_take(&plan, &nibbles, &nibbles, 1, 4, LIST(3, 2, 1, 0), NULL, NULL));
  /* Without elements nothing is touched. */
  CHECK_OK(stride_copy_take(&none, NULL, 0, &no_rgb, NULL, 0, 1, 4, LIST(2, 1, 0, -1), NULL, NULL));
}

int main(void) {
  static const test tests[] = {
      TEST(pixels),
      TEST(plans),
      TEST(overlap),
      TEST(refused),
  };
  return run_tests(tests, COUNT(tests));
}
