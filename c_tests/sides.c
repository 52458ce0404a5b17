/* Section "Sides of copies": runs of indices, ranges of elements, tiles; what is refused and why, parts, padding. */
#include "check.h"

static const uint32_t u8 = STRIDE_DTYPE_U8;

static void a_side_is_made_field_by_field(void) {
  const stride_layout row = layout_of(u8, 0, 1, LIST(3), LIST(1));
  const stride_index_run runs[2] = {{2, 1, 1}, {0, 1, 2}};
  stride_side side;
  stride_error record;
  poison(&side, sizeof side);
  CHECK_FAILS(record, stride_side_init(&side, 0, &row, &record), INVALID_ARGUMENT, KIND, -1, 0, STRIDE_SIDE_BLOCKED);
  CHECK_FAILS(record, stride_side_init(&side, 4, &row, &record), INVALID_ARGUMENT, KIND, -1, 4, STRIDE_SIDE_BLOCKED);
  CHECK_UNTOUCHED(side);
  CHECK_OK(stride_side_init(&side, STRIDE_SIDE_LAYOUT, &row, NULL));
  CHECK(side.struct_size == sizeof side && side.kind == STRIDE_SIDE_LAYOUT && side.of == &row);
  CHECK(side.range_first == 0 && side.range_count == -1 && side.along_count == 0);
  CHECK(side.reserved == 0 && side.reserved_pointer == NULL);
  for (uint32_t k = 0; k < STRIDE_MAX_ALONG; k++) {
    CHECK(side.along[k].runs == NULL && side.along[k].dimension == 0 && side.along[k].count == 0);
  }
  stride_side begun = STRIDE_SIDE_INIT;
  begun.kind = STRIDE_SIDE_LAYOUT;
  begun.of = &row;
  CHECK(memcmp(&begun, &side, sizeof side) == 0);
  CHECK_OK(stride_side_set_runs(&side, 5, 2, runs, NULL)); /* which dimensions there are is asked when it is used */
  CHECK_OK(stride_side_set_runs(&side, 0, 1, runs + 1, NULL));
  CHECK_OK(stride_side_set_runs(&side, 5, 0, NULL, NULL)); /* again */
  CHECK(side.along_count == 2 && side.along[0].dimension == 5 && side.along[0].count == 0 && !side.along[0].runs);
  CHECK(side.along[1].dimension == 0 && side.along[1].count == 1 && side.along[1].runs == runs + 1);
  for (uint32_t k = 6; k < 12; k++) CHECK_OK(stride_side_set_runs(&side, k, 2, runs, NULL));
  CHECK_FAILS(record, stride_side_set_runs(&side, 12, 2, runs, &record), INVALID_RANK, SIDE, -1, 9, 8);
  CHECK_OK(stride_side_set_runs(&side, 11, 1, runs, NULL));
  CHECK(side.along_count == 8 && side.along[7].dimension == 11 && side.along[7].count == 1);
  CHECK_FAILS(record, stride_side_set_range(&side, -1, 2, &record), INVALID_SIZE, FIRST, -1, -1, 0);
  CHECK_FAILS(record, stride_side_set_range(&side, 1, -2, &record), INVALID_SIZE, COUNT, -1, -2, 0);
  CHECK(side.range_first == 0 && side.range_count == -1);
  CHECK_OK(stride_side_set_range(&side, 1, 2, NULL));
  CHECK(side.range_first == 1 && side.range_count == 2);
  /* Sides without stride_side_init or STRIDE_SIDE_INIT. */
  static const uint32_t sizes[4] = {0, 3, sizeof side - 8, 5000};
  for (int k = 0; k < 4; k++) {
    const int64_t size = begun.struct_size = sizes[k], limit = k < 3 ? (int64_t)sizeof side : 4096;
    const stride_side before = begun;
    CHECK_FAILS(record, stride_side_set_runs(&begun, 0, 2, runs, &record), INVALID_ARGUMENT, SIDE, -1, size, limit);
    CHECK_FAILS(record, stride_side_set_range(&begun, 0, 1, &record), INVALID_ARGUMENT, SIDE, -1, size, limit);
    CHECK(memcmp(&begun, &before, sizeof begun) == 0);
  }
  /* A range_count of 0 is an empty range, not none. */
  begun.struct_size = sizeof begun;
  begun.range_count = 0;
  unsigned char to[3] = {7, 7, 7}, from[3] = {1, 2, 3};
  CHECK_OK(stride_copy_sides(NULL, to, 3, &begun, from, 3, NULL, NULL));
  CHECK(to[0] == 7 && to[1] == 7 && to[2] == 7);
}

/* --- Runs --------------------------------------------------------------------------------------------------------- */

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
#define TO_RGBX(count, runs, options) \
  stride_copy_sides(LAYOUT(&rgbx), to, 8, TAKING(LAYOUT(&rgb), 1, count, runs), from, 6, options, NULL)
  CHECK_OK(TO_RGBX(2, RUNS({2, -1, 3}, {-1, 0, 1}), &options));
  CHECK(memcmp(to, "\3\2\1\377\6\5\4\377", 8) == 0);
  CHECK_OK(stride_copy_sides(LAYOUT(&rgb), back, 6, TAKING(LAYOUT(&rgbx), 1, 1, RUNS({2, -1, 3})), to, 8, NULL, NULL));
  CHECK(memcmp(back, from, 6) == 0); /* dropped */
  CHECK_OK(TO_RGBX(2, RUNS({0, 0, 2}, {2, 0, 2}), NULL));
  CHECK(memcmp(to, "\1\1\3\3\4\4\6\6", 8) == 0); /* doubled */
  CHECK_OK(TO_RGBX(3, RUNS({-1, 1, 1}, {1, 1, 1}, {-1, 0, 2}), NULL)); /* no options: 0 */
  CHECK(memcmp(to, "\0\2\0\0\0\5\0\0", 8) == 0);
#undef TO_RGBX
}

/* A roll of rows, a border by reflection, and both sides through runs of two dimensions. */
static void rolls_and_borders(void) {
  const stride_layout rows = layout_of(u8, 0, 2, LIST(4, 3), LIST(3, 1)), wide = layout_of(u8, 0, 2, LIST(4, 7), LIST(7, 1));
  unsigned char from[12], to[28];
  for (unsigned char k = 0; k < 12; k++) from[k] = k;
  CHECK_OK(stride_copy_sides(NULL, to, 12, TAKING(LAYOUT(&rows), 0, 2, RUNS({3, 1, 1}, {0, 1, 3})), from, 12, NULL, NULL));
  CHECK(memcmp(to, "\11\12\13\0\1\2\3\4\5\6\7\10", 12) == 0);
  CHECK_OK(stride_copy_sides(LAYOUT(&wide), to, 28, TAKING(LAYOUT(&rows), 1, 3, RUNS({2, -1, 2}, {0, 1, 3}, {1, -1, 2})), from,
                             12, NULL, NULL));
  for (int k = 0; k < 28; k++) {
    static const unsigned char column[7] = {2, 1, 0, 1, 2, 1, 0};
    CHECK_EQ(to[k], from[k / 7 * 3 + column[k % 7]]);
  }
  /* The other borders of the header. */
  CHECK_OK(stride_copy_sides(LAYOUT(&wide), to, 28, TAKING(LAYOUT(&rows), 1, 3, RUNS({0, 0, 2}, {0, 1, 3}, {2, 0, 2})), from,
                             12, NULL, NULL));
  CHECK(memcmp(to, "\0\0\0\1\2\2\2", 7) == 0);
  CHECK_OK(stride_copy_sides(LAYOUT(&wide), to, 28, TAKING(LAYOUT(&rows), 1, 3, RUNS({1, 1, 2}, {0, 1, 3}, {0, 1, 2})), from,
                             12, NULL, NULL));
  CHECK(memcmp(to, "\1\2\0\1\2\0\1", 7) == 0);
  memset(to, 99, sizeof to);
  CHECK_OK(stride_copy_sides(TAKING(TAKING(LAYOUT(&wide), 0, 1, RUNS({3, -2, 2})), 1, 2, RUNS({6, 1, 1}, {0, 1, 1})), to, 28,
                             TAKING(TAKING(LAYOUT(&rows), 1, 1, RUNS({1, 1, 2})), 0, 1, RUNS({0, 3, 2})), from, 12, NULL,
                             NULL));
  for (int k = 0; k < 28; k++) {
    CHECK_EQ(to[k], k == 27 ? 1 : k == 21 ? 2 : k == 13 ? 10 : k == 7 ? 11 : 99);
  }
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
  {
    stride_index_run runs[2] = {{2, -1, 3}, {3, 1, 1}}; /* a plan keeps nothing of them */
    CHECK_OK(stride_plan_init_sides(&plan, LAYOUT(&rgba), TAKING(LAYOUT(&rgba), 1, 2, runs), NULL, NULL));
    poison(runs, sizeof runs);
  }
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

  CHECK_OK(stride_plan_init_sides(&plan, LAYOUT(&rgba), TAKING(LAYOUT(&rgba), 1, 2, RUNS({2, -1, 3}, {-1, 0, 1})), &options,
                                  NULL));
  CHECK_OK(stride_plan_execute_batch(&plan, again, sizeof again, LIST(0), from, sizeof from, LIST(0), 1, 0, 1, NULL));
  for (size_t k = 0; k < sizeof to; k++) CHECK_EQ(again[k], k % 4 == 3 ? 7 : to[k]);
  CHECK_FAILS(record, stride_plan_regions(&plan, 2, 8, regions, &count, &record), UNSUPPORTED, PLAN, -1, -1, 0);
}

/* As many runs as a plan holds, and one more; a copy takes any number. */
static void many_runs(void) {
  static stride_index_run runs[2000];
  static unsigned char from[2000], to[2000];
  const stride_layout cube = layout_of(u8, 0, 4, LIST(500, 1, 2, 2), NULL);
  stride_layout taken = cube, column = layout_of(u8, 0, 1, LIST(2000), NULL);
  stride_plan plan;
  stride_error record;
  for (int64_t k = 0; k < 2000; k++) from[k] = (unsigned char)(k * 11 % 251);
  for (int64_t k = 0; k < 500; k++) runs[k] = (stride_index_run){k * k * 7 % 500, 1, 1};
  taken.sizes[0] = 400;
  CHECK_OK(stride_plan_init_sides(&plan, LAYOUT(&taken), TAKING(LAYOUT(&cube), 0, 400, runs), NULL, NULL));
  CHECK_OK(stride_plan_execute(&plan, to, 1600, from, 2000, NULL));
  for (int64_t k = 0; k < 1600; k++) CHECK_EQ(to[k], from[runs[k / 4].first * 4 + k % 4]);
  taken.sizes[0] = 500;
  poison(&plan, sizeof plan);
  CHECK_STATUS(stride_plan_init_sides(&plan, LAYOUT(&taken), TAKING(LAYOUT(&cube), 0, 500, runs), NULL, &record), UNSUPPORTED);
  CHECK(record.detail == STRIDE_DETAIL_PLAN_SIZE && record.lhs > record.rhs);
  CHECK_UNTOUCHED(plan);
  CHECK_OK(stride_copy_sides(LAYOUT(&taken), to, 2000, TAKING(LAYOUT(&cube), 0, 500, runs), from, 2000, NULL, NULL));
  for (int64_t k = 0; k < 2000; k++) CHECK_EQ(to[k], from[runs[k / 4].first * 4 + k % 4]);
  for (int64_t k = 0; k < 2000; k++) runs[k] = (stride_index_run){k * k * 7 % 2000, 1, 1};
  CHECK_OK(stride_copy_sides(NULL, to, 2000, TAKING(LAYOUT(&column), 0, 2000, runs), from, 2000, NULL, NULL));
  for (int64_t k = 0; k < 2000; k++) CHECK_EQ(to[k], from[runs[k].first]);
}

/* Exactly what is read and written must lie apart. */
static void overlap(void) {
  unsigned char pixel[8] = {1, 2, 3, 4, 5, 6, 7, 8}, scratch[8];
  const stride_layout all = layout_of(u8, 0, 2, LIST(2, 4), LIST(4, 1));
  const stride_layout odd = layout_of(u8, 1, 2, LIST(2, 2), LIST(4, 2));
  const stride_side *even = TAKING(LAYOUT(&all), 1, 2, RUNS({2, 1, 1}, {0, 1, 1}));
  const stride_side *back = TAKING(LAYOUT(&all), 1, 2, RUNS({2, -1, 3}, {3, 1, 1}));
  stride_copy_options moving = STRIDE_COPY_OPTIONS_INIT;
  stride_error record;
  CHECK_OK(stride_copy_sides(LAYOUT(&odd), pixel, 8, even, pixel, 8, NULL, NULL));
  CHECK(memcmp(pixel, "\1\3\3\1\5\7\7\5", 8) == 0);
  CHECK_FAILS(record, stride_copy_sides(LAYOUT(&all), pixel, 8, back, pixel, 8, NULL, &record), OVERLAP, SRC, -1, 0, 8);
  CHECK(memcmp(pixel, "\1\3\3\1\5\7\7\5", 8) == 0);
  moving.flags = STRIDE_COPY_OVERLAP;
  CHECK_FAILS(record, stride_copy_sides(LAYOUT(&all), pixel, 8, back, pixel, 8, &moving, &record), UNSUPPORTED, OPTIONS, -1,
              STRIDE_COPY_OVERLAP, STRIDE_COPY_OVERLAP);
  /* One nest of loops is moved as any copy is. */
  moving.scratch = scratch;
  moving.scratch_bytes = sizeof scratch;
  CHECK_OK(stride_copy_sides(LAYOUT(&all), pixel, 8, TAKING(LAYOUT(&all), 0, 1, RUNS({1, 0, 2})), pixel, 8, &moving, NULL));
  CHECK(memcmp(pixel, "\5\7\7\5\5\7\7\5", 8) == 0);
}

/* Runs that lie where the copy writes, of either side. */
static void runs_in_the_destination(void) {
  const stride_layout bytes = layout_of(u8, 0, 1, LIST(96), LIST(1));
  stride_index_run memory[6];
  static const unsigned char from[96];
  stride_error record;
  for (int64_t k = 0; k < 6; k++) memory[k] = (stride_index_run){90 - 16 * k, 1, 16};
  memory[0].count = 6;
  memory[5] = (stride_index_run){0, 1, 26};
  CHECK_STATUS(stride_copy_sides(NULL, memory, 96, TAKING(LAYOUT(&bytes), 0, 6, memory), from, 96, NULL, &record), OVERLAP);
  CHECK(record.argument == STRIDE_ARGUMENT_SRC_SIDE && record.detail == STRIDE_DETAIL_SHARED_LIST && record.dimension == 0);
  memory[5].count = 10;
  CHECK_STATUS(stride_copy_sides(TAKING(LAYOUT(&bytes), 0, 6, memory), memory, 96, NULL, from, 96, NULL, &record), OVERLAP);
  CHECK(record.argument == STRIDE_ARGUMENT_DST_SIDE && record.detail == STRIDE_DETAIL_SHARED_LIST);
}

static void what_runs_refuse(void) {
  const stride_layout rgb = layout_of(u8, 0, 2, LIST(2, 3), LIST(3, 1)), rgbx = layout_of(u8, 0, 2, LIST(2, 4), LIST(4, 1));
  const stride_layout f32 = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), LIST(3, 1));
  const stride_layout more = layout_of(u8, 0, 2, LIST(5, 3), LIST(3, 1)), row = layout_of(u8, 0, 1, LIST(3), LIST(1));
  const stride_layout nibbles = layout_of(STRIDE_DTYPE_U4, 0, 2, LIST(2, 4), LIST(4, 1));
  const stride_layout none = layout_of(u8, 0, 2, LIST(0, 4), LIST(4, 1)), no_rgb = layout_of(u8, 0, 2, LIST(0, 3), LIST(3, 1));
  const stride_index_run *four = RUNS({2, -1, 3}, {0, 1, 1});
  unsigned char to[8], from[8] = {0x21, 0x43, 0x65, 0x87};
  stride_side twice;
  stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
  stride_error record;
  poison(to, sizeof to);
#define COPY(dst, src) stride_copy_sides(dst, to, 8, src, from, 8, NULL, &record)
#define TAKE(src, dimension, count, runs) COPY(LAYOUT(&rgbx), TAKING(LAYOUT(src), dimension, count, runs))
  CHECK_FAILS(record, TAKE(&rgb, 1, 2, RUNS({2, -1, 3}, {3, 1, 1})), INDEX_OUT_OF_RANGE, SRC_SIDE, 1, 3, 3);
  CHECK_EQ(record.item, 1);
  CHECK_FAILS(record, TAKE(&rgb, 1, 1, RUNS({2, -1, 4})), INDEX_OUT_OF_RANGE, SRC_SIDE, 1, -1, 3);
  CHECK_FAILS(record, TAKE(&rgb, 1, 1, RUNS({-2, 0, 4})), INDEX_OUT_OF_RANGE, SRC_SIDE, 1, -2, 3);
  CHECK_FAILS(record, TAKE(&rgb, 1, 1, RUNS({INT64_MIN, INT64_MAX, 4})), INDEX_OUT_OF_RANGE, SRC_SIDE, 1, INT64_MIN, 3);
  CHECK_FAILS(record, TAKE(&rgb, 1, 2, RUNS({0, 0, 4}, {1, 1, -1})), INVALID_SIZE, SRC_SIDE, 1, -1, 0);
  CHECK_FAILS(record, TAKE(&rgb, 1, 2, RUNS({0, 0, INT64_MAX}, {-1, 0, 1})), OVERFLOW, SRC_SIDE, 1, INT64_MAX, 1);
  CHECK_FAILS(record, TAKE(&rgb, 1, 1, RUNS({2, -1, 3})), SHAPE_MISMATCH, SRC_SIDE, 1, 3, 4);
  CHECK_FAILS(record, TAKE(&rgb, 2, 2, four), INVALID_AXES, SRC_SIDE, -1, 2, 2);
  CHECK_FAILS(record, TAKE(&more, 1, 2, four), SHAPE_MISMATCH, SRC_SIDE, 0, 5, 2);
  CHECK_FAILS(record, TAKE(&row, 0, 2, four), SHAPE_MISMATCH, SRC_SIDE, -1, 1, 2);
  CHECK_FAILS(record, TAKE(&f32, 1, 2, four), DTYPE_MISMATCH, SRC_SIDE, -1, STRIDE_DTYPE_F32, u8);
  CHECK_FAILS(record, COPY(TAKING(LAYOUT(&rgb), 1, 2, RUNS({0, 1, 1}, {-1, 0, 2})), LAYOUT(&rgb)), INVALID_ARGUMENT, DST_SIDE, 1,
              -1, 0);
  CHECK_FAILS(record, COPY(TAKING(LAYOUT(&rgb), 1, 2, RUNS({1, 1, 2}, {2, 1, 1})), LAYOUT(&rgb)), OVERLAP, DST_SIDE, 1, 2, 0);
  CHECK_EQ(record.item, 1);
  CHECK_FAILS(record, COPY(TAKING(LAYOUT(&rgb), 1, 1, RUNS({1, 0, 3})), LAYOUT(&rgb)), OVERLAP, DST_SIDE, 1, 1, 0);
  twice = *TAKING(TAKING(LAYOUT(&rgb), 0, 1, RUNS({0, 1, 2})), 1, 2, four);
  twice.along[1].dimension = 0;
  CHECK_FAILS(record, COPY(LAYOUT(&rgbx), &twice), INVALID_AXES, SRC_SIDE, -1, 0, 2);
  twice.along[1].dimension = 1;
  twice.along_count = 9;
  CHECK_FAILS(record, COPY(LAYOUT(&rgbx), &twice), INVALID_RANK, SRC_SIDE, -1, 9, 8);
  twice.along_count = 2;
  twice.reserved = 1;
  CHECK_FAILS(record, COPY(LAYOUT(&rgbx), &twice), INVALID_ARGUMENT, SRC_SIDE, -1, 1, 0);
  twice.reserved = 0;
  twice.reserved_pointer = to;
  CHECK_STATUS(COPY(LAYOUT(&rgbx), &twice), INVALID_ARGUMENT);
  twice.reserved_pointer = NULL;
  twice.struct_size = sizeof twice - 1;
  CHECK_STATUS(COPY(LAYOUT(&rgbx), &twice), INVALID_ARGUMENT);
  CHECK_STATUS(COPY(LAYOUT(&rgbx), NUMBERED(TAKING(LAYOUT(&rgb), 1, 2, four), 0, 8)), UNSUPPORTED);
  CHECK_EQ(record.detail, STRIDE_DETAIL_RUNS_AND_RANGE);
  options.flags = STRIDE_COPY_SMALL_STACK;
  CHECK_FAILS(record, stride_copy_sides(LAYOUT(&rgbx), to, 8, TAKING(LAYOUT(&rgb), 1, 2, four), from, 8, &options, &record),
              UNSUPPORTED, OPTIONS, -1, STRIDE_COPY_SMALL_STACK, STRIDE_COPY_SMALL_STACK);
  CHECK(is_poisoned(to, sizeof to));
  /* All of the object has to be there, whatever is taken. */
  CHECK_FAILS(record, stride_copy_sides(LAYOUT(&rgbx), to, 8, TAKING(LAYOUT(&rgb), 1, 1, RUNS({0, 0, 4})), from, 5, NULL, &record),
              OUT_OF_BOUNDS, SRC_BYTES, -1, 6, 5);
#undef TAKE
  /* Elements below a byte. */
  CHECK_OK(COPY(LAYOUT(&nibbles), TAKING(LAYOUT(&nibbles), 1, 3, RUNS({3, 1, 1}, {0, 1, 2}, {2, 1, 1}))));
  CHECK(memcmp(to, "\x14\x32\x58\x76", 4) == 0);
#undef COPY
  /* Without elements nothing is touched. */
  CHECK_OK(stride_copy_sides(LAYOUT(&none), NULL, 0, TAKING(LAYOUT(&no_rgb), 1, 2, four), NULL, 0, NULL, NULL));
  CHECK_OK(stride_copy_sides(TAKING(LAYOUT(&rgb), 1, 0, NULL), NULL, 0, NULL, NULL, 0, NULL, NULL));
}

/* --- Ranges ------------------------------------------------------------------------------------------------------- */

/* A view is packed in pieces of any length, and unpacked from them. */
static void pack_and_unpack(void) {
  unsigned char from[60], pieces[60], back[60];
  const stride_layout view = layout_of(u8, 1, 3, LIST(2, 3, 4), LIST(30, -1, 3)); /* not before the buffer */
  stride_layout mirrored = view;
  stride_error record;
  for (size_t k = 0; k < sizeof from; k++) from[k] = (unsigned char)(k * 5);
  CHECK_FAILS(record, stride_copy_sides(NULL, pieces, 60, NUMBERED(LAYOUT(&view), 0, 24), from, 60, NULL, &record), OUT_OF_BOUNDS,
              SRC_SIDE, -1, -1, 0);
  mirrored.offset = 2;
  for (int64_t length = 1; length < 25; length += 3) {
    poison(pieces, sizeof pieces);
    memset(back, 0, sizeof back);
    for (int64_t first = 0; first < 24; first += length) {
      const int64_t count = first + length < 24 ? length : 24 - first;
      const stride_side *some = NUMBERED(LAYOUT(&mirrored), first, count);
      CHECK_OK(stride_copy_sides(NULL, pieces + first, (uint64_t)count, some, from, 60, NULL, NULL));
      CHECK_OK(stride_copy_sides(some, back, 60, NULL, pieces + first, (uint64_t)count, NULL, NULL));
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
  const stride_side *all = NUMBERED(LAYOUT(&src), 0, 900), *there = NUMBERED(LAYOUT(&dst), 0, 900);
  stride_plan plan;
  stride_error record;
  for (size_t k = 0; k < sizeof from; k++) from[k] = (unsigned char)(k * 7 + k / 251);
  CHECK_FAILS(record, stride_copy_sides(LAYOUT(&dst), to, 1400, LAYOUT(&src), from, 900, NULL, &record), SHAPE_MISMATCH, SRC_SIDE,
              -1, 6, 4);
  CHECK_OK(stride_copy_sides(there, to, 1400, all, from, 900, NULL, NULL));
  for (size_t k = 0; k < 900; k++) CHECK_EQ(to[k / 450 * 700 + k / 15 % 30 * 20 + k % 15], from[k]);
  memset(to, 0, sizeof to);
  CHECK_OK(stride_plan_init_sides(&plan, there, all, NULL, NULL));
  for (uint32_t part = 0; part < 2; part++) {
    CHECK_OK(stride_plan_execute_part(&plan, to, 1400, from, 900, part, 2, NULL));
  }
  for (size_t k = 0; k < 900; k++) CHECK_EQ(to[k / 450 * 700 + k / 15 % 30 * 20 + k % 15], from[k]);
  CHECK_FAILS(record, stride_copy_sides(NUMBERED(LAYOUT(&dst), 0, 60), to, 1400, all, from, 900, NULL, &record), SHAPE_MISMATCH,
              SRC_SIDE, 0, 900, 60);
}

static void what_ranges_refuse(void) {
  unsigned char memory[12];
  const stride_layout row = layout_of(u8, 0, 1, LIST(6), LIST(1)), f32 = layout_of(STRIDE_DTYPE_F32, 0, 1, LIST(6), LIST(1));
  const stride_layout one = layout_of(u8, 0, 0, NULL, NULL), none = layout_of(u8, 0, 2, LIST(0, 5), LIST(1, 1));
  stride_side hostile = *LAYOUT(&row);
  stride_error record;
  poison(memory, sizeof memory);
#define RANGE(first, from, count)                                                                                    \
  stride_copy_sides(NUMBERED(LAYOUT(&row), first, count), memory, 6, NUMBERED(LAYOUT(&row), from, count), memory + 6, 6, NULL, \
                    &record)
  CHECK_FAILS(record, RANGE(0, 1, 6), OUT_OF_BOUNDS, SRC_SIDE, -1, 7, 6);
  CHECK_FAILS(record, RANGE(7, 0, 0), OUT_OF_BOUNDS, DST_SIDE, -1, 7, 6);
  CHECK_FAILS(record, RANGE(INT64_MAX, 0, 2), OUT_OF_BOUNDS, DST_SIDE, -1, INT64_MAX, 6);
  CHECK_FAILS(record, RANGE(0, 0, INT64_MAX), OUT_OF_BOUNDS, DST_SIDE, -1, INT64_MAX, 6);
#undef RANGE
  hostile.range_count = -2;
  CHECK_FAILS(record, stride_copy_sides(&hostile, memory, 6, NULL, memory + 6, 6, NULL, &record), INVALID_SIZE, DST_SIDE, -1, -2, -1);
  hostile.range_first = -7;
  hostile.range_count = 1;
  CHECK_FAILS(record, stride_copy_sides(&hostile, memory, 6, NULL, memory + 6, 6, NULL, &record), INVALID_SIZE, DST_SIDE, -1, -7, 0);
  CHECK_FAILS(record, stride_copy_sides(NUMBERED(LAYOUT(&row), 0, 1), memory, 6, NUMBERED(LAYOUT(&f32), 0, 1), memory, 24, NULL,
                                        &record), DTYPE_MISMATCH, SRC_SIDE, -1, STRIDE_DTYPE_F32, u8);
  CHECK_FAILS(record, stride_copy_sides(NUMBERED(LAYOUT(&row), 0, 6), memory, 6, NUMBERED(LAYOUT(&row), 0, 6), memory + 3, 6,
                                        NULL, &record), OVERLAP, SRC, -1, 3, 6);
  CHECK(is_poisoned(memory, sizeof memory));
  CHECK_OK(stride_copy_sides(NUMBERED(LAYOUT(&none), 0, 0), NULL, 0, NUMBERED(LAYOUT(&none), 0, 0), NULL, 0, NULL, NULL));
  memory[6] = 9;
  CHECK_OK(stride_copy_sides(NUMBERED(LAYOUT(&one), 0, 1), memory, 1, NUMBERED(LAYOUT(&row), 0, 1), memory + 6, 6, NULL, NULL));
  CHECK_EQ(memory[0], 9); /* rank 0 */
}

/* --- Tiles -------------------------------------------------------------------------------------------------------- */

/* 3x5 in tiles of 2x2, as openxla/xla docs/tiled_layout.md draws it: six tiles, the last column and row of them padded. */
static void tiles_of_the_document(void) {
  const stride_layout rows = layout_of(u8, 0, 2, LIST(3, 5), NULL);
  const stride_xla_shape tiled = shape_of("u8[3,5]{1,0:T(2,2)}");
  const char *letters = "abcdefghijklmno";
  char buffer[25] = "........................", back[16] = "...............";
  CHECK_OK(stride_copy_sides(SHAPE(&tiled), buffer, 24, LAYOUT(&rows), letters, 15, NULL, NULL));
  CHECK(strcmp(buffer, "abfgcdhie.j.kl..mn..o...") == 0);
  CHECK_OK(stride_copy_sides(LAYOUT(&rows), back, 15, SHAPE(&tiled), buffer, 24, NULL, NULL));
  CHECK(strcmp(back, letters) == 0);
}

static void padding_gets_the_fill_value(void) {
  const stride_layout rows = layout_of(u8, 0, 2, LIST(3, 5), NULL);
  const stride_xla_shape tiled = shape_of("u8[3,5]{1,0:T(2,2)}");
  stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
  char buffer[25] = "........................";
  memset(options.fill, '!', sizeof options.fill); /* of one byte only the first counts */
  options.fill[0] = '#';
  options.flags = STRIDE_COPY_FILL_BUFFER;
  CHECK_OK(stride_copy_sides(SHAPE(&tiled), buffer, 24, LAYOUT(&rows), "abcdefghijklmno", 15, &options, NULL));
  CHECK(strcmp(buffer, "abfgcdhie#j#kl##mn##o###") == 0);
}

static void from_tiles_to_other_tiles_in_parts(void) {
  const stride_xla_shape from = shape_of("u8[7,9]{1,0:T(2,4)}"), to = shape_of("u8[7,9]{0,1:T(3,2)(2,1)}");
  unsigned char source[96], dst[144], expected[144];
  stride_plan plan;
  int64_t index[2], at, place;
  uint32_t part;
  size_t k;
  CHECK_EQ(shape_bytes(from), 96); /* 4 x 3 tiles of 8 */
  CHECK_EQ(shape_bytes(to), 96); /* 3 x 4 tiles of 3x2, each cut into 2 x 2 of 2x1 */
  for (k = 0; k < sizeof source; k++) source[k] = (unsigned char)(k + 1);
  memset(dst, 0, sizeof dst);
  memset(expected, 0, sizeof expected);
  UNWRITTEN(source, sizeof source); /* what tiles are padded with was never written */
  for (index[0] = 0; index[0] < 7; index[0]++) {
    for (index[1] = 0; index[1] < 9; index[1]++) {
      CHECK_OK(stride_xla_linear_index(&from, 2, index, &at, NULL));
      CHECK_OK(stride_xla_linear_index(&to, 2, index, &place, NULL));
      WRITTEN(source + at, 1);
      expected[place] = source[at];
    }
  }
  CHECK_OK(stride_plan_init_sides(&plan, SHAPE(&to), SHAPE(&from), NULL, NULL));
  for (part = 3; part-- > 0;) {
    CHECK_OK(stride_plan_execute_part(&plan, dst, 96, source, sizeof source, part, 3, NULL));
  }
  CHECK(memcmp(dst, expected, sizeof dst) == 0);
}

/* Nothing but padding: all of the buffer gets the fill value, by one call, by a plan and by part 0 of its parts. */
static void padding_alone(void) {
  const stride_layout rows = layout_of(u8, 0, 2, LIST(0, 5), NULL);
  const stride_xla_shape tiled = shape_of("u8[0,5]{1,0:T(2,2)}");
  stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
  stride_plan plan;
  char buffer[9] = "........";
  memset(options.fill, '!', sizeof options.fill); /* of one byte only the first counts */
  options.fill[0] = '#';
  options.flags = STRIDE_COPY_FILL_BUFFER;
  CHECK_EQ(shape_bytes(tiled), 0); /* but a buffer may be longer than what it holds */
  CHECK_OK(stride_copy_sides(SHAPE(&tiled), buffer, 8, LAYOUT(&rows), NULL, 0, &options, NULL));
  CHECK(strcmp(buffer, "########") == 0);
  memset(buffer, '.', 8);
  CHECK_OK(stride_plan_init_sides(&plan, SHAPE(&tiled), LAYOUT(&rows), &options, NULL));
  CHECK_OK(stride_plan_execute_part(&plan, buffer, 8, NULL, 0, 1, 2, NULL));
  CHECK_OK(stride_plan_execute_part(&plan, buffer, 8, NULL, 0, 0, 2, NULL));
  CHECK(strcmp(buffer, "########") == 0);
  options.flags = 0;
  memset(buffer, '.', 8);
  CHECK_OK(stride_copy_sides(SHAPE(&tiled), buffer, 8, LAYOUT(&rows), NULL, 0, &options, NULL));
  CHECK(strcmp(buffer, "........") == 0);
}

/* A plan with tiles is described, and needs no scratch memory. */
static void a_plan_with_tiles(void) {
  const stride_layout rows = layout_of(u8, 0, 2, LIST(3, 5), NULL);
  const stride_xla_shape tiled = shape_of("u8[3,5]{1,0:T(2,2)}"), merged = shape_of("u8[3,5]{1,0:T(*,4)}");
  char text[128], buffer[24];
  uint64_t length, scratch;
  stride_plan plan;
  CHECK_OK(stride_plan_init_sides(&plan, SHAPE(&tiled), LAYOUT(&rows), NULL, NULL));
  CHECK_OK(stride_plan_describe(&plan, text, sizeof text, &length, NULL));
  CHECK(strcmp(text, "relayout: 15 bytes in elements of 1, 4 pieces; to 2 divisions; from strides") == 0);
  CHECK_EQ(length, strlen(text));
  CHECK_OK(stride_plan_scratch_bytes(&plan, 0, 1 << 20, &scratch, NULL));
  CHECK_EQ(scratch, 0u);
  memset(buffer, '.', sizeof buffer);
  CHECK_OK(stride_plan_execute_scratch(&plan, buffer, 24, "abcdefghijklmno", 15, NULL, 0, NULL));
  CHECK(memcmp(buffer, "abfgcdhie.j.kl..mn..o...", 24) == 0);
  CHECK_OK(stride_plan_init_sides(&plan, LAYOUT(&rows), SHAPE(&merged), NULL, NULL));
  CHECK_OK(stride_plan_describe(&plan, text, sizeof text, &length, NULL));
  CHECK(strstr(text, "to strides; from 2 divisions") != NULL);
}

static void what_tiles_refuse(void) {
  const stride_layout rows = layout_of(u8, 0, 2, LIST(3, 5), NULL), fewer = layout_of(u8, 0, 2, LIST(3, 4), NULL);
  const stride_xla_shape tiled = shape_of("u8[3,5]{1,0:T(2,2)}"), wide = shape_of("u16[3,5]{1,0:T(2,2)}");
  stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
  stride_plan plan;
  stride_error e;
  char buffer[64] = {0};
#define REFUSES(STATUS, CALL) CHECK_EQ(CALL, STRIDE_STATUS_##STATUS)
  REFUSES(SHAPE_MISMATCH, stride_copy_sides(SHAPE(&tiled), buffer, 24, LAYOUT(&fewer), buffer + 32, 15, NULL, &e));
  CHECK(e.dimension == 1 && e.lhs == 4 && e.rhs == 5 && e.argument == STRIDE_ARGUMENT_SRC_SIDE);
  REFUSES(SHAPE_MISMATCH, stride_copy_sides(LAYOUT(&fewer), buffer, 12, SHAPE(&tiled), buffer + 32, 24, NULL, &e));
  CHECK(e.dimension == 1 && e.lhs == 5 && e.rhs == 4 && e.argument == STRIDE_ARGUMENT_SRC_SIDE);
  REFUSES(DTYPE_MISMATCH, stride_plan_init_sides(&plan, SHAPE(&tiled), SHAPE(&wide), NULL, &e));
  CHECK_EQ(e.argument, STRIDE_ARGUMENT_SRC_SIDE);
  REFUSES(DTYPE_MISMATCH, stride_copy_sides(SHAPE(&wide), buffer, 48, LAYOUT(&rows), buffer + 48, 15, NULL, &e));
  REFUSES(OUT_OF_BOUNDS, stride_copy_sides(SHAPE(&tiled), buffer, 20, LAYOUT(&rows), buffer + 32, 15, NULL, &e));
  CHECK(e.argument == STRIDE_ARGUMENT_DST_BYTES && e.rhs == 20);
  REFUSES(OUT_OF_BOUNDS, stride_copy_sides(LAYOUT(&rows), buffer, 15, SHAPE(&tiled), buffer + 32, 20, NULL, &e));
  CHECK(e.argument == STRIDE_ARGUMENT_SRC_BYTES && e.rhs == 20);
  REFUSES(OVERLAP, stride_copy_sides(SHAPE(&tiled), buffer, 24, LAYOUT(&rows), buffer + 10, 15, NULL, &e));
  options.flags = STRIDE_COPY_OVERLAP;
  REFUSES(UNSUPPORTED, stride_plan_init_sides(&plan, SHAPE(&tiled), LAYOUT(&rows), &options, &e));
  CHECK_EQ(e.argument, STRIDE_ARGUMENT_OPTIONS);
  options.flags = STRIDE_COPY_SMALL_STACK;
  REFUSES(UNSUPPORTED, stride_plan_init_sides(&plan, SHAPE(&tiled), LAYOUT(&rows), &options, &e));
  REFUSES(UNSUPPORTED, stride_copy_sides(SHAPE(&tiled), buffer, 24, LAYOUT(&rows), buffer + 32, 15, &options, &e));
  CHECK_OK(stride_plan_init_sides(&plan, LAYOUT(&rows), LAYOUT(&rows), &options, &e));
#undef REFUSES
}

/* Rows in another order, from tiles into blocks, and a range of tiles. */
static void runs_and_ranges_of_tiles(void) {
  const int64_t sizes[2] = {3, 5};
  const stride_xla_shape tiled = shape_of("u8[3,5]{1,0:T(2,2)}");
  const stride_layout rows = layout_of(u8, 0, 2, sizes, NULL);
  stride_blocked blocked;
  char tiles[25] = "........................", blocks[21] = "....................", back[16] = "...............";
  CHECK_OK(stride_blocked_parse("a/2 b a%2", 9, u8, 2, sizes, &blocked, NULL));
  CHECK_OK(stride_copy_sides(SHAPE(&tiled), tiles, 24, NULL, "abcdefghijklmno", 15, NULL, NULL));
  CHECK_OK(stride_copy_sides(BLOCKED(&blocked), blocks, 20, TAKING(SHAPE(&tiled), 0, 1, RUNS({2, -1, 3})), tiles, 24, NULL, NULL));
  CHECK(strcmp(blocks, "kflgmhnioja.b.c.d.e.") == 0);
  CHECK_OK(stride_copy_sides(TAKING(LAYOUT(&rows), 0, 1, RUNS({2, -1, 3})), back, 15, BLOCKED(&blocked), blocks, 20, NULL, NULL));
  CHECK(strcmp(back, "abcdefghijklmno") == 0);
  memset(back, '.', 15);
  CHECK_OK(stride_copy_sides(NULL, back, 7, NUMBERED(SHAPE(&tiled), 4, 7), tiles, 24, NULL, NULL));
  CHECK(strcmp(back, "efghijk........") == 0);
}

static const test tests[] = {
    TEST(a_side_is_made_field_by_field),
    TEST(pixels),
    TEST(rolls_and_borders),
    TEST(plans),
    TEST(many_runs),
    TEST(overlap),
    TEST(runs_in_the_destination),
    TEST(what_runs_refuse),
    TEST(pack_and_unpack),
    TEST(other_sizes),
    TEST(what_ranges_refuse),
    TEST(tiles_of_the_document),
    TEST(padding_gets_the_fill_value),
    TEST(from_tiles_to_other_tiles_in_parts),
    TEST(padding_alone),
    TEST(a_plan_with_tiles),
    TEST(what_tiles_refuse),
    TEST(runs_and_ranges_of_tiles),
};

int main(void) { return RUN(tests); }
