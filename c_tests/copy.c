/* Section "Copies": every copy against the naive loop over all indices, in buffers of exactly the needed bytes. */
#include "naive.h"

/* --- Copies that succeed ------------------------------------------------------------------------------------------ */

static void transposes(void) {
  static const int64_t sizes[][2] = {{1, 1}, {2, 3}, {7, 16}, {16, 16}, {33, 65}};
  for (size_t w = 0; w < COUNT(widths); w++) {
    for (size_t k = 0; k < COUNT(sizes); k++) {
      stride_layout column_major;
      CHECK_OK(stride_layout_init_ordered(&column_major, widths[w], 2, sizes[k], LIST(0, 1), NULL));
      const stride_layout packed = layout_of(widths[w], 0, 2, sizes[k], NULL);
      check_copy(packed, packed);
      check_copy(packed, column_major);
      check_copy(column_major, packed);
    }
  }
}

static void nchw_to_nhwc_and_back(void) {
  static const int64_t channels[] = {1, 2, 3, 4, 5};
  for (size_t w = 0; w < COUNT(widths); w++) {
    for (size_t k = 0; k < COUNT(channels); k++) {
      const int64_t sizes[4] = {2, channels[k], 5, 9};
      stride_layout nhwc;
      CHECK_OK(stride_layout_init_channels_last(&nhwc, widths[w], 4, sizes, NULL));
      const stride_layout nchw = layout_of(widths[w], 0, 4, sizes, NULL);
      check_copy(nhwc, nchw);
      check_copy(nchw, nhwc);
    }
  }
}

static void mirrored_sides(void) {
  const int64_t sizes[3] = {3, 4, 5};
  for (size_t w = 0; w < COUNT(widths); w++) {
    const stride_layout packed = layout_of(widths[w], 0, 3, sizes, NULL);
    for (uint32_t mask = 1; mask < 8; mask++) {
      int64_t axes[3];
      uint32_t count = 0;
      for (int64_t axis = 0; axis < 3; axis++) {
        if (mask >> axis & 1) axes[count++] = axis;
      }
      stride_layout mirrored;
      CHECK_OK(stride_layout_flip(&packed, count, axes, &mirrored, NULL));
      check_copy(packed, mirrored);
      check_copy(mirrored, packed);
      check_copy(mirrored, mirrored);
    }
  }
}

static void broadcast_sources(void) {
  const int64_t sizes[3] = {4, 3, 10};
  static const int64_t strides[][3] = {{0, 10, 1}, {10, 0, 1}, {3, 1, 0}, {0, 0, 1}, {0, 1, 0}, {0, 0, 0}};
  for (size_t w = 0; w < COUNT(widths); w++) {
    for (size_t k = 0; k < COUNT(strides); k++) {
      check_copy(layout_of(widths[w], 0, 3, sizes, NULL), layout_of(widths[w], 0, 3, sizes, strides[k]));
    }
  }
}

static void gaps_and_offsets(void) {
  const int64_t sizes[2] = {6, 7};
  for (size_t w = 0; w < COUNT(widths); w++) {
    const stride_layout packed = layout_of(widths[w], 0, 2, sizes, NULL);
    const stride_layout rows = layout_of(widths[w], 3, 2, sizes, LIST(11, 1));
    const stride_layout every_third = layout_of(widths[w], 1, 2, sizes, LIST(21, 3));
    const stride_layout skewed = layout_of(widths[w], 0, 2, sizes, LIST(8, 7)); /* distinct, though not nested */
    check_copy(packed, rows);
    check_copy(rows, packed);
    check_copy(every_third, rows);
    check_copy(rows, every_third);
    check_copy(packed, skewed);
  }
}

static void distinct_without_nesting(void) {
  const int64_t sizes[2] = {4, 4};
  check_copy(layout_of(STRIDE_DTYPE_F32, 0, 2, sizes, LIST(3, 4)), layout_of(STRIDE_DTYPE_F32, 0, 2, sizes, NULL));
}

static void ranks_and_sizes_of_one(void) {
  check_copy(layout_of(STRIDE_DTYPE_F64, 2, 0, NULL, NULL), layout_of(STRIDE_DTYPE_F64, 5, 0, NULL, NULL));
  /* Strides of size 1 say nothing, not even 0 in a destination. */
  check_copy(layout_of(STRIDE_DTYPE_F32, 0, 3, LIST(1, 4, 1), LIST(0, 1, -99)),
             layout_of(STRIDE_DTYPE_F32, 0, 3, LIST(1, 4, 1), LIST(INT64_MAX, 2, 7)));
  int64_t sizes[STRIDE_MAX_RANK], order[STRIDE_MAX_RANK];
  for (int64_t k = 0; k < STRIDE_MAX_RANK; k++) {
    sizes[k] = k % 6 == 0 ? 2 : 1;
    order[k] = k;
  }
  stride_layout column_major;
  CHECK_OK(stride_layout_init_ordered(&column_major, STRIDE_DTYPE_U16, STRIDE_MAX_RANK, sizes, order, NULL));
  check_copy(layout_of(STRIDE_DTYPE_U16, 0, STRIDE_MAX_RANK, sizes, NULL), column_major);
}

static void every_permutation_of_four_dimensions(void) {
  const int64_t sizes[4] = {2, 3, 4, 5};
  const stride_layout packed = layout_of(STRIDE_DTYPE_F32, 0, 4, sizes, NULL);
  for (int64_t n = 0; n < 256; n++) {
    const int64_t order[4] = {n & 3, n >> 2 & 3, n >> 4 & 3, n >> 6 & 3};
    stride_layout other;
    if (stride_layout_init_ordered(&other, STRIDE_DTYPE_F32, 4, sizes, order, NULL) != STRIDE_STATUS_OK) continue;
    check_copy(packed, other);
    check_copy(other, packed);
  }
}

static void plain_bytes_match_any_type_of_their_width(void) {
  const int64_t sizes[2] = {3, 5};
  check_copy(layout_of(STRIDE_DTYPE_F32, 0, 2, sizes, NULL),
             layout_of(STRIDE_DTYPE_BYTES | 4, 0, 2, sizes, LIST(1, 3)));
  check_copy(layout_of(STRIDE_DTYPE_BYTES | 2, 0, 2, sizes, NULL),
             layout_of(STRIDE_DTYPE_BF16, 0, 2, sizes, LIST(1, 3)));
}

static void empty_copies_touch_nothing(void) {
  const stride_layout empty = layout_of(STRIDE_DTYPE_F32, 1000, 2, LIST(3, 0), LIST(0, INT64_MAX));
  stride_plan plan;
  stride_error record;
  CHECK_OK(stride_copy(&empty, NULL, 0, &empty, NULL, 0, NULL, NULL));
  CHECK_OK(stride_plan_init(&plan, &empty, &empty, NULL, NULL));
  CHECK_OK(stride_plan_execute(&plan, NULL, 0, NULL, 0, NULL));
  CHECK_OK(stride_plan_execute_part(&plan, NULL, 0, NULL, 0, 4, 5, NULL));
  CHECK_OK(stride_plan_execute_scratch(&plan, NULL, 0, NULL, 0, NULL, 0, NULL));
  CHECK_OK(stride_fill(&empty, NULL, 0, NULL, NULL));
  /* But what is wrong is wrong. */
  const stride_layout other = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(4, 0), NULL);
  const stride_layout integers = layout_of(STRIDE_DTYPE_S32, 0, 2, LIST(3, 0), NULL);
  CHECK_FAILS(record, stride_copy(&empty, NULL, 0, &other, NULL, 0, NULL, &record),
              SHAPE_MISMATCH, SRC_LAYOUT, 0, 4, 3);
  CHECK_STATUS(stride_copy(&empty, NULL, 0, &integers, NULL, 0, NULL, NULL), DTYPE_MISMATCH);
}

static void the_caller_may_vouch_for_lengths(void) {
  const stride_layout packed = layout_of(STRIDE_DTYPE_U8, 0, 1, LIST(5), NULL);
  unsigned char src[5] = {1, 2, 3, 4, 5}, dst[5] = {0};
  CHECK_OK(stride_copy(&packed, dst, UINT64_MAX, &packed, src, UINT64_MAX, NULL, NULL));
  CHECK(memcmp(dst, src, 5) == 0);
}

/* --- Copies that are refused -------------------------------------------------------------------------------------- */

static PER_THREAD unsigned char guard_dst[1024], guard_src[1024];

/* A copy between two arrays of 1024 bytes each, of which the lengths name a part. */
static stride_status guarded_copy(stride_layout dst_layout, uint64_t dst_bytes, stride_layout src_layout,
                                  uint64_t src_bytes, const stride_copy_options *options, stride_error *error) {
  poison(guard_dst, sizeof guard_dst);
  return stride_copy(&dst_layout, guard_dst, dst_bytes, &src_layout, guard_src, src_bytes, options, error);
}

static void out_of_bounds(void) {
  const stride_layout packed = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), NULL);
  const stride_layout rows = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), LIST(5, 1));
  stride_layout below = packed;
  stride_error record;
  below.offset = -1;
  CHECK_FAILS(record, guarded_copy(rows, 31, packed, 24, NULL, &record), OUT_OF_BOUNDS, DST_BYTES, -1, 32, 31);
  CHECK_UNTOUCHED(guard_dst);
  CHECK_FAILS(record, guarded_copy(packed, 24, rows, 31, NULL, &record), OUT_OF_BOUNDS, SRC_BYTES, -1, 32, 31);
  CHECK_UNTOUCHED(guard_dst);
  CHECK_FAILS(record, guarded_copy(packed, 0, rows, 32, NULL, &record), OUT_OF_BOUNDS, DST_BYTES, -1, 24, 0);
  CHECK_STATUS(guarded_copy(below, 24, packed, 24, NULL, &record), OUT_OF_BOUNDS);
  CHECK_EQ(record.argument, STRIDE_ARGUMENT_DST_LAYOUT);
  CHECK_STATUS(guarded_copy(packed, 24, below, 24, NULL, &record), OUT_OF_BOUNDS);
  CHECK_EQ(record.argument, STRIDE_ARGUMENT_SRC_LAYOUT);
  CHECK_UNTOUCHED(guard_dst);
  CHECK_STATUS(guarded_copy(rows, 32, packed, 24, NULL, NULL), OK);
}

static void past_the_address_space(void) {
  const stride_layout huge = layout_of(STRIDE_DTYPE_U8, 0, 2, LIST(2, 2), LIST((int64_t)1 << 59, 1));
  const stride_layout packed = layout_of(STRIDE_DTYPE_U8, 0, 2, LIST(2, 2), NULL);
  unsigned char *high = (unsigned char *)(uintptr_t)(UINTPTR_MAX - 2);
  unsigned char src[4] = {0};
  stride_error record;
  CHECK_FAILS(record, stride_copy(&packed, high, UINT64_MAX, &packed, src, 4, NULL, &record),
              OUT_OF_BOUNDS, DST_BYTES, -1, 4, (int64_t)(uintptr_t)high);
  CHECK_STATUS(guarded_copy(huge, 1024, packed, 4, NULL, NULL), OUT_OF_BOUNDS);
  CHECK_UNTOUCHED(guard_dst);
  /* Plans with shortcuts, to and from the last bytes of all. */
  for (int64_t side = 4; side <= 16; side += 12) {
    const stride_layout rows = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(side, side), NULL);
    const stride_layout columns = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(side, side), LIST(1, side));
    const uint64_t bytes = (uint64_t)(4 * side * side);
    unsigned char *last = (unsigned char *)(uintptr_t)(UINTPTR_MAX - bytes + 1);
    stride_plan plan;
    CHECK_OK(stride_plan_init(&plan, &rows, &columns, NULL, NULL));
    CHECK_STATUS(stride_plan_execute(&plan, last, bytes, guard_src, bytes, NULL), OUT_OF_BOUNDS);
    CHECK_STATUS(stride_plan_execute(&plan, guard_dst, bytes, last, bytes, NULL), OUT_OF_BOUNDS);
    CHECK_UNTOUCHED(guard_dst);
  }
}

static void sizes_and_types_that_differ(void) {
  const stride_layout f32 = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), NULL);
  const stride_layout other = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 4), NULL);
  const stride_layout flat = layout_of(STRIDE_DTYPE_F32, 0, 1, LIST(6), NULL);
  const stride_layout s32 = layout_of(STRIDE_DTYPE_S32, 0, 2, LIST(2, 3), NULL);
  const stride_layout bytes = layout_of(STRIDE_DTYPE_BYTES | 8, 0, 2, LIST(2, 3), NULL);
  const stride_layout s4 = layout_of(STRIDE_DTYPE_S4, 0, 2, LIST(2, 3), NULL);
  const stride_layout u4 = layout_of(STRIDE_DTYPE_U4, 0, 2, LIST(2, 3), NULL);
  const stride_layout s2 = layout_of(STRIDE_DTYPE_S2, 0, 2, LIST(2, 3), NULL);
  stride_error record;
#define COPY(dst, src) guarded_copy(dst, 1024, src, 1024, NULL, &record)
  CHECK_FAILS(record, COPY(f32, other), SHAPE_MISMATCH, SRC_LAYOUT, 1, 4, 3);
  CHECK_FAILS(record, COPY(f32, flat), SHAPE_MISMATCH, SRC_LAYOUT, -1, 1, 2);
  CHECK_FAILS(record, COPY(f32, s32), DTYPE_MISMATCH, SRC_LAYOUT, -1, STRIDE_DTYPE_S32, STRIDE_DTYPE_F32);
  CHECK_STATUS(COPY(f32, bytes), DTYPE_MISMATCH);
  CHECK_FAILS(record, COPY(s4, u4), DTYPE_MISMATCH, SRC_LAYOUT, -1, STRIDE_DTYPE_U4, STRIDE_DTYPE_S4);
  CHECK_STATUS(COPY(s4, s2), DTYPE_MISMATCH);
#undef COPY
  CHECK_UNTOUCHED(guard_dst);
}

static void destinations_that_overlap_themselves(void) {
  const stride_layout packed = layout_of(STRIDE_DTYPE_U8, 0, 2, LIST(5, 4), NULL);
  const stride_layout repeated = layout_of(STRIDE_DTYPE_U8, 0, 2, LIST(5, 4), LIST(4, 0));
  const stride_layout crossing = layout_of(STRIDE_DTYPE_U8, 0, 2, LIST(5, 4), LIST(3, 4));
  stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
  stride_plan plan;
  stride_error record;
  poison(&plan, sizeof plan);
  CHECK_STATUS(guarded_copy(repeated, 1024, packed, 1024, NULL, &record), OVERLAP);
  CHECK_EQ(record.argument, STRIDE_ARGUMENT_DST_LAYOUT);
  CHECK_EQ(record.dimension, 1);
  CHECK_STATUS(guarded_copy(crossing, 1024, packed, 1024, NULL, &record), OVERLAP);
  CHECK_EQ(record.argument, STRIDE_ARGUMENT_DST_LAYOUT);
  CHECK_STATUS(stride_plan_init(&plan, &crossing, &packed, NULL, NULL), OVERLAP);
  CHECK_UNTOUCHED(plan);
  options.flags = STRIDE_COPY_OVERLAP; /* is about the two sides */
  CHECK_STATUS(guarded_copy(crossing, 1024, packed, 1024, &options, NULL), OVERLAP);
  CHECK_UNTOUCHED(guard_dst);
  options.flags = STRIDE_COPY_ASSUME_DISTINCT; /* untrue: the order of writes is unspecified, bounds hold */
  CHECK_STATUS(guarded_copy(repeated, 17, packed, 20, &options, NULL), OK);
  CHECK_STATUS(guarded_copy(crossing, 25, packed, 20, &options, NULL), OK);
  CHECK(is_poisoned(guard_dst + 25, sizeof guard_dst - 25));
  CHECK_STATUS(guarded_copy(crossing, 24, packed, 20, &options, NULL), OUT_OF_BOUNDS);
}

static void parts_that_are_none(void) {
  const stride_layout packed = layout_of(STRIDE_DTYPE_U8, 0, 1, LIST(4), NULL);
  unsigned char src[4] = {1, 2, 3, 4}, dst[4];
  stride_plan plan;
  stride_error record;
  poison(dst, sizeof dst);
  CHECK_OK(stride_plan_init(&plan, &packed, &packed, NULL, NULL));
  CHECK_FAILS(record, stride_plan_execute_part(&plan, dst, 4, src, 4, 0, 0, &record),
              INVALID_ARGUMENT, PARTS, -1, 0, 1);
  CHECK_FAILS(record, stride_plan_execute_part(&plan, dst, 4, src, 4, 3, 3, &record), INVALID_ARGUMENT, PART, -1, 3, 3);
  CHECK_UNTOUCHED(dst);
  /* More parts than work. */
  for (uint32_t part = 0; part < 1000; part++) {
    CHECK_OK(stride_plan_execute_part(&plan, dst, 4, src, 4, part * 4294967, UINT32_MAX, NULL));
  }
}

/* --- Elements below a byte ---------------------------------------------------------------------------------------- */

/* 4, 2 and 1 bit: offsets inside a byte, both orders, neighbours that stay. */
static void elements_below_a_byte(void) {
  const stride_layout row = layout_of(STRIDE_DTYPE_U4, 0, 1, LIST(5), NULL);
  const stride_layout later = layout_of(STRIDE_DTYPE_U4, 1, 1, LIST(5), NULL);
  const stride_layout high = layout_of(STRIDE_DTYPE_U4 | STRIDE_DTYPE_HIGH_FIRST, 0, 1, LIST(5), NULL);
  const stride_layout mirrored = layout_of(STRIDE_DTYPE_U4, 4, 1, LIST(5), LIST(-1));
  const stride_layout pairs = layout_of(STRIDE_DTYPE_U2, 0, 2, LIST(3, 2), NULL);
  const stride_layout columns = layout_of(STRIDE_DTYPE_U2, 0, 2, LIST(3, 2), LIST(1, 3));
  const stride_layout bits = layout_of(STRIDE_DTYPE_U1, 3, 1, LIST(4), NULL);
  const unsigned char five[3] = {0x21, 0x43, 0xF5}, two[2] = {0xE4, 0xF9}, all = 0xFF; /* 0 1 2 3 | 1 2 ... */
  unsigned char to[3];
  int64_t found = 99;
#define BECOMES(dst, bytes, src, from, a, b, c)                                                        do {                                                                                                   memset(to, 0xAA, sizeof to);                                                                         CHECK_OK(stride_copy(&dst, to, bytes, &src, from, sizeof from, NULL, NULL));                         CHECK(to[0] == (a) && to[1] == (b) && to[2] == (c));                                               } while (0)
  BECOMES(row, 3, row, five, 0x21, 0x43, 0xA5);
  BECOMES(later, 3, row, five, 0x1A, 0x32, 0x54);
  BECOMES(high, 3, row, five, 0x12, 0x34, 0x5A);
  BECOMES(mirrored, 3, row, five, 0x45, 0x23, 0xA1);
  BECOMES(columns, 2, pairs, two, 0x58, 0xAB, 0xAA); /* 0 2 1 | 1 3 2 */
#undef BECOMES
  CHECK_OK(stride_fill(&bits, to, 1, &all, NULL));
  CHECK_EQ(to[0], 0x78); /* bits 3 to 6 */
  CHECK_OK(stride_copy(&high, to, 3, &row, five, 3, NULL, NULL));
  CHECK_OK(stride_compare(&high, to, 3, &row, five, 3, &found, NULL));
  CHECK_EQ(found, -1);
  to[2] ^= 0x10;
  CHECK_OK(stride_compare(&high, to, 3, &row, five, 3, &found, NULL));
  CHECK_EQ(found, 4);
}

static const test tests[] = {
    TEST(elements_below_a_byte),
    TEST(transposes),
    TEST(nchw_to_nhwc_and_back),
    TEST(mirrored_sides),
    TEST(broadcast_sources),
    TEST(gaps_and_offsets),
    TEST(distinct_without_nesting),
    TEST(ranks_and_sizes_of_one),
    TEST(every_permutation_of_four_dimensions),
    TEST(plain_bytes_match_any_type_of_their_width),
    TEST(empty_copies_touch_nothing),
    TEST(the_caller_may_vouch_for_lengths),
    TEST(out_of_bounds),
    TEST(past_the_address_space),
    TEST(sizes_and_types_that_differ),
    TEST(destinations_that_overlap_themselves),
    TEST(parts_that_are_none),
};

int main(void) { return RUN(tests); }
