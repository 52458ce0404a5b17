/* Section "Copies": every copy against the naive loop over all indices, in buffers of exactly the needed bytes. */
#include "check.h"

/* --- The oracle --------------------------------------------------------------------------------------------------- */

static size_t element_bytes(const stride_layout *layout) {
  uint32_t bits = 0;
  CHECK_OK(stride_dtype_bits(layout->dtype, &bits, NULL));
  return bits / 8;
}

static size_t bytes_of(const stride_layout *layout) {
  uint64_t bytes = 0;
  CHECK_OK(stride_layout_min_bytes(layout, &bytes, NULL));
  return (size_t)bytes;
}

static int64_t count_of(const stride_layout *layout) {
  int64_t count = 0;
  CHECK_OK(stride_layout_element_count(layout, &count, NULL));
  return count;
}

/* The element of a row-major number, by the formula of the header. */
static int64_t offset_of(const stride_layout *layout, int64_t number) {
  int64_t offset = layout->offset;
  for (uint32_t k = layout->rank; k-- > 0;) {
    offset += number % layout->sizes[k] * layout->strides[k];
    number /= layout->sizes[k];
  }
  return offset;
}

static void naive_copy(const stride_layout *dst_layout, unsigned char *dst, const stride_layout *src_layout,
                       const unsigned char *src) {
  const size_t width = element_bytes(dst_layout);
  const int64_t count = count_of(dst_layout);
  for (int64_t n = 0; n < count; n++) {
    memcpy(dst + offset_of(dst_layout, n) * (int64_t)width, src + offset_of(src_layout, n) * (int64_t)width, width);
  }
}

/* Bytes of a source: no two neighbours alike, also not at distances of the element widths. */
static unsigned char *heap_pattern(size_t bytes) {
  unsigned char *memory = heap(bytes);
  uint32_t state = 12345;
  for (size_t k = 0; k < bytes; k++) {
    state = state * 1664525u + 1013904223u;
    memory[k] = (unsigned char)(state >> 24);
  }
  return memory;
}

/* What lies between the elements of a source was never written. */
static void only_elements(const stride_layout *layout, unsigned char *src) {
  const size_t width = element_bytes(layout);
  const int64_t count = count_of(layout);
  UNWRITTEN(src, bytes_of(layout));
  for (int64_t n = 0; n < count; n++) WRITTEN(src + offset_of(layout, n) * (int64_t)width, width);
}

static unsigned char *heap_copy(const unsigned char *bytes, size_t count) {
  unsigned char *memory = heap(count);
  memcpy(memory, bytes, count);
  return memory;
}

/* The parts of a plan in an order that no loop would take. */
static void execute_shuffled(const stride_plan *plan, unsigned char *dst, size_t dst_bytes, const unsigned char *src,
                             size_t src_bytes, uint32_t parts) {
  for (uint32_t k = 0; k < parts; k++) {
    const uint32_t part = (k * 7 + 3) % parts; /* all of them: 7 divides none of the counts used */
    CHECK_OK(stride_plan_execute_part(plan, dst, dst_bytes, src, src_bytes, part, parts, NULL));
  }
}

/* One copy in every way that there is, against the naive loop; bytes that no index reaches stay poisoned. */
static void check_copy(stride_layout dst_layout, stride_layout src_layout) {
  static const uint32_t part_counts[] = {1, 2, 3, 5, 16, 100};
  const size_t dst_bytes = bytes_of(&dst_layout), src_bytes = bytes_of(&src_layout);
  unsigned char *src = heap_pattern(src_bytes), *expected = heap(dst_bytes);
  naive_copy(&dst_layout, expected, &src_layout, src);
  only_elements(&src_layout, src);

  for (uint32_t level = STRIDE_CPU_LEVEL_BEST; level <= STRIDE_CPU_LEVEL_NEON; level++) {
    stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
    options.cpu_level = level;
    unsigned char *dst = heap(dst_bytes);
    CHECK_OK(stride_copy(&dst_layout, dst, dst_bytes, &src_layout, src, src_bytes, &options, NULL));
    CHECK(memcmp(dst, expected, dst_bytes) == 0);
    free(dst);

    stride_plan plan, moved;
    CHECK_OK(stride_plan_init(&plan, &dst_layout, &src_layout, &options, NULL));
    memcpy(&moved, &plan, sizeof plan); /* a plan is plain data */
    for (size_t k = 0; k < COUNT(part_counts); k++) {
      dst = heap(dst_bytes);
      execute_shuffled(&moved, dst, dst_bytes, src, src_bytes, part_counts[k]);
      CHECK(memcmp(dst, expected, dst_bytes) == 0);
      free(dst);
    }
  }

  int64_t difference = 99;
  only_elements(&dst_layout, expected);
  CHECK_OK(stride_compare(&dst_layout, expected, dst_bytes, &src_layout, src, src_bytes, &difference, NULL));
  CHECK_EQ(difference, -1);
  free(src);
  free(expected);
}

/* --- Copies that succeed ------------------------------------------------------------------------------------------ */

static const uint32_t widths[] = {
    STRIDE_DTYPE_U8,       STRIDE_DTYPE_F16,       STRIDE_DTYPE_BYTES | 3,  STRIDE_DTYPE_F32,        STRIDE_DTYPE_F64,
    STRIDE_DTYPE_BYTES | 12, STRIDE_DTYPE_C128, STRIDE_DTYPE_BYTES | 17, STRIDE_DTYPE_BYTES | 100,
};

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

/* --- Options ------------------------------------------------------------------------------------------------------ */

static stride_status plan_with(const void *options, stride_error *error) {
  const stride_layout packed = layout_of(STRIDE_DTYPE_U8, 0, 1, LIST(4), NULL);
  stride_plan plan;
  return stride_plan_init(&plan, &packed, &packed, (const stride_copy_options *)options, error);
}

/* Options in a heap block of `bytes` bytes, zero but for the size that they claim. */
static stride_status plan_with_size(uint32_t struct_size, size_t bytes, unsigned char last, stride_error *error) {
  unsigned char *options = heap(bytes);
  memset(options, 0, bytes);
  memcpy(options, &struct_size, sizeof struct_size);
  if (last) options[bytes - 1] = last;
  const stride_status status = plan_with(options, error);
  free(options);
  return status;
}

static void sizes_of_options(void) {
  stride_error record;
  const uint32_t known = sizeof(stride_copy_options);
  CHECK_STATUS(plan_with(NULL, NULL), OK);
  CHECK_STATUS(plan_with_size(known, known, 0, NULL), OK);
  /* The first version ended where `machine` begins; nothing behind it is read. */
  CHECK_EQ(offsetof(stride_copy_options, machine), 40);
  CHECK_STATUS(plan_with_size(40, 40, 0, NULL), OK);
  /* Too small: refused before more than the first field is read. */
  CHECK_FAILS(record, plan_with_size(0, 4, 0, &record), INVALID_ARGUMENT, OPTIONS, -1, 0, 40);
  CHECK_FAILS(record, plan_with_size(39, 4, 0, &record), INVALID_ARGUMENT, OPTIONS, -1, 39, 40);
  /* From a newer header: fine as long as what is not known here asks for nothing. */
  CHECK_STATUS(plan_with_size(56, 56, 0, NULL), OK);
  CHECK_STATUS(plan_with_size(known + 1, known + 1, 1, NULL), INVALID_ARGUMENT);
  CHECK_STATUS(plan_with_size(56, 56, 1, NULL), INVALID_ARGUMENT);
  /* Between both versions lies none. */
  CHECK_FAILS(record, plan_with_size(41, 4, 0, &record), INVALID_ARGUMENT, OPTIONS, -1, 41, known);
  CHECK_STATUS(plan_with_size(UINT32_MAX, 4, 0, NULL), INVALID_ARGUMENT);
}

/* Of each struct that may grow, every byte behind what is known is looked at, the first one and the last one too, and named. */
static void tails_of_structs(void) {
  const stride_layout row = layout_of(STRIDE_DTYPE_U8, 0, 1, LIST(4), NULL);
  union {
    unsigned char bytes[256];
    stride_copy_options options;
    stride_machine machine;
    stride_requirements requirements;
  } room;
  for (int kind = 0; kind < 3; kind++) {
    const size_t known = kind == 0 ? sizeof room.options : kind == 1 ? sizeof room.machine : sizeof room.requirements;
    for (size_t more = 1; more <= 20; more++) {
      for (size_t at = 0; at <= more; at++) { /* which byte asks for something; the one behind is not the struct's */
        stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
        stride_plan plan;
        stride_error record;
        stride_status status;
        memset(&room, 0, sizeof room);
        if (kind == 0) room.options = options;
        if (kind == 1) CHECK_OK(stride_machine_init(&room.machine));
        if (kind == 2) CHECK_OK(stride_requirements_init(&room.requirements, STRIDE_CONSUMER_ANY, NULL));
        room.options.struct_size = (uint32_t)(known + more); /* the first field of all three */
        room.bytes[known + at] = 1;
        options.machine = &room.machine;
        status = kind == 2 ? stride_layout_meets(&row, 0, &room.requirements, &record)
                           : stride_plan_init(&plan, &row, &row, kind == 0 ? &room.options : &options, &record);
        if (at == more) {
          CHECK_OK(status);
          continue;
        }
        CHECK_EQ(status, STRIDE_STATUS_INVALID_ARGUMENT);
        CHECK_EQ(record.detail, STRIDE_DETAIL_STRUCT_TAIL);
        CHECK_EQ(record.lhs, known + at);
        CHECK_EQ(record.rhs, known);
      }
    }
  }
}

/* Every byte of the struct, and none behind it. */
static void options_that_ask_for_nothing(void) {
  const stride_copy_options expected = STRIDE_COPY_OPTIONS_INIT;
  struct {
    stride_copy_options options;
    unsigned char behind[16];
  } out;
  poison(&out, sizeof out);
  CHECK_OK(stride_copy_options_init(&out.options));
  CHECK_EQ(out.options.struct_size, sizeof(stride_copy_options));
  CHECK(memcmp(&out.options, &expected, sizeof expected) == 0);
  for (size_t k = sizeof out.options.struct_size; k < sizeof out.options; k++) {
    CHECK_EQ(((const unsigned char *)&out.options)[k], 0);
  }
  CHECK_UNTOUCHED(out.behind);
  CHECK_STATUS(plan_with(&out.options, NULL), OK);
  CHECK_STATUS(stride_copy_options_init(NULL), NULL_POINTER);
}

static void options_that_are_unknown(void) {
  const stride_copy_options none = STRIDE_COPY_OPTIONS_INIT;
  stride_copy_options options = none;
  stride_error record;
  options.flags = 1u << 31;
  CHECK_STATUS(plan_with(&options, &record), INVALID_ARGUMENT);
  CHECK_EQ(record.argument, STRIDE_ARGUMENT_OPTIONS);
  options = none;
  options.cpu_level = 1000;
  CHECK_STATUS(plan_with(&options, NULL), INVALID_ARGUMENT);
  options = none;
  options.reserved = 1;
  CHECK_STATUS(plan_with(&options, NULL), INVALID_ARGUMENT);
  options = none;
  options.flags = STRIDE_COPY_FILL_BUFFER | STRIDE_COPY_OVERLAP;
  CHECK_STATUS(plan_with(&options, NULL), OK);
  options.flags = STRIDE_COPY_ASSUME_DISTINCT | STRIDE_COPY_FILL_BUFFER;
  CHECK_STATUS(plan_with(&options, NULL), OK);
  options.flags = STRIDE_COPY_ASSUME_DISTINCT | STRIDE_COPY_OVERLAP; /* one says apart, the other not */
  CHECK_STATUS(plan_with(&options, NULL), INVALID_ARGUMENT);
}

static void the_level_of_this_cpu(void) {
  uint32_t expected = STRIDE_CPU_LEVEL_SCALAR;
#if defined(__x86_64__) && defined(__GNUC__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("ssse3")) expected = STRIDE_CPU_LEVEL_SSSE3;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) expected = STRIDE_CPU_LEVEL_AVX2;
  if (expected == STRIDE_CPU_LEVEL_AVX2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi"))
    expected = STRIDE_CPU_LEVEL_AVX512;
#elif defined(__aarch64__) || defined(_M_ARM64)
  expected = STRIDE_CPU_LEVEL_NEON;
#elif defined(_M_X64)
  expected = stride_cpu_level(); /* Microsoft's compiler has no words to ask; the same machine is asked by GNU's */
#endif
  CHECK_EQ(stride_cpu_level(), expected);
  /* To ask for it is to ask for the best; less is what was asked for. */
  static const int64_t sizes[] = {64, 64};
  static const char *const names[] = {"", "(scalar)", "(SSSE3)", "(AVX2)", "(AVX-512)", "(NEON)"};
  stride_layout dst = layout_of(STRIDE_DTYPE_F32, 0, 2, sizes, NULL), src;
  CHECK_OK(stride_layout_init_ordered(&src, STRIDE_DTYPE_F32, 2, sizes, LIST(0, 1), NULL));
  for (uint32_t level = STRIDE_CPU_LEVEL_BEST; level <= expected; level++) {
    stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
    stride_plan plan;
    char text[512];
    uint64_t length;
    options.cpu_level = level;
    CHECK_OK(stride_plan_init(&plan, &dst, &src, &options, NULL));
    CHECK_OK(stride_plan_describe(&plan, text, sizeof text, &length, NULL));
    const int foreign = expected == STRIDE_CPU_LEVEL_NEON && level != STRIDE_CPU_LEVEL_NEON;
    CHECK(strstr(text, names[level == 0 ? expected : foreign ? STRIDE_CPU_LEVEL_SCALAR : level]) != NULL);
  }
}

/* --- The rest of the buffer --------------------------------------------------------------------------------------- */

static stride_copy_options fill_options(void) {
  stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
  options.flags = STRIDE_COPY_FILL_BUFFER;
  for (unsigned k = 0; k < sizeof options.fill; k++) options.fill[k] = (uint8_t)(0x10 + k);
  return options;
}

/* A copy with FILL_BUFFER into a buffer of `extra` bytes more than needed, whole and in parts. */
static void check_fill_rest(stride_layout dst_layout, stride_layout src_layout, size_t extra) {
  static const uint32_t part_counts[] = {1, 2, 3, 5, 16, 100};
  const stride_copy_options options = fill_options();
  const size_t width = element_bytes(&dst_layout);
  const size_t dst_bytes = bytes_of(&dst_layout) + extra, src_bytes = bytes_of(&src_layout);
  unsigned char *src = heap_pattern(src_bytes), *expected = heap(dst_bytes);
  for (size_t k = 0; k < dst_bytes; k++) expected[k] = options.fill[k % width % 16];
  naive_copy(&dst_layout, expected, &src_layout, src);

  unsigned char *dst = heap(dst_bytes);
  CHECK_OK(stride_copy(&dst_layout, dst, dst_bytes, &src_layout, src, src_bytes, &options, NULL));
  CHECK(memcmp(dst, expected, dst_bytes) == 0);
  free(dst);
  stride_plan plan;
  CHECK_OK(stride_plan_init(&plan, &dst_layout, &src_layout, &options, NULL));
  for (size_t k = 0; k < COUNT(part_counts); k++) {
    dst = heap(dst_bytes);
    execute_shuffled(&plan, dst, dst_bytes, src, src_bytes, part_counts[k]);
    CHECK(memcmp(dst, expected, dst_bytes) == 0);
    free(dst);
  }
  free(src);
  free(expected);
}

static void fill_rest(void) {
  static const size_t extras[] = {0, 1, 7, 200};
  const int64_t sizes[3] = {2, 3, 4};
  for (size_t w = 0; w < COUNT(widths); w++) {
    const stride_layout packed = layout_of(widths[w], 0, 3, sizes, NULL);
    const stride_layout dsts[] = {
        packed,
        layout_of(widths[w], 0, 3, sizes, LIST(15, 5, 1)),  /* rows at a pitch */
        layout_of(widths[w], 2, 3, sizes, LIST(40, 1, 7)),  /* another order, an offset */
        layout_of(widths[w], 40, 3, sizes, LIST(20, -6, 1)), /* mirrored */
        layout_of(widths[w], 0, 3, sizes, LIST(24, 8, 2)),  /* a gap behind every element */
        layout_of(widths[w], 0, 3, sizes, LIST(100, 3, 4)), /* distinct, though not nested */
    };
    for (size_t d = 0; d < COUNT(dsts); d++) {
      for (size_t k = 0; k < COUNT(extras); k++) check_fill_rest(dsts[d], packed, extras[k]);
    }
  }
}

/* XLA's page: 2x3 padded to 3x5, dimension 0 fastest, is a d 0 b e 0 c f 0 0 0 0 0 0 0. */
static void fill_rest_pads_as_xla_does(void) {
  const stride_layout packed = layout_of(STRIDE_DTYPE_U8, 0, 2, LIST(2, 3), NULL);
  stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
  stride_xla_shape shape;
  stride_layout padded;
  char buffer[16];
  options.flags = STRIDE_COPY_FILL_BUFFER;
  memset(options.fill, '0', sizeof options.fill);
  poison(buffer, sizeof buffer);
  CHECK_OK(stride_xla_shape_init(&shape, STRIDE_DTYPE_U8, 2, LIST(2, 3), LIST(0, 1), NULL));
  CHECK_OK(stride_xla_shape_set_padding(&shape, 2, LIST(3, 5), STRIDE_XLA_PADDING_ZERO, NULL));
  CHECK_OK(stride_layout_from_xla(&shape, &padded, NULL));
  CHECK_OK(stride_copy(&padded, buffer, 15, &packed, "abcdef", 6, &options, NULL));
  CHECK(memcmp(buffer, "ad0be0cf0000000", 15) == 0);
  CHECK(is_poisoned(buffer + 15, 1));
}

static void fill_rest_of_nothing_is_the_whole_buffer(void) {
  const stride_layout empty = layout_of(STRIDE_DTYPE_F32, 0, 1, LIST(0), NULL);
  const stride_copy_options options = fill_options();
  unsigned char *dst = heap(11);
  stride_error record;
  CHECK_OK(stride_copy(&empty, dst, 11, &empty, NULL, 0, &options, NULL));
  for (size_t k = 0; k < 11; k++) CHECK_EQ(dst[k], 0x10 + k % 4);
  CHECK_OK(stride_copy(&empty, NULL, 0, &empty, NULL, 0, &options, NULL));
  CHECK_FAILS(record, stride_copy(&empty, NULL, 11, &empty, NULL, 0, &options, &record), NULL_POINTER, DST, -1, 0, 0);
  free(dst);
}

static void fill_rest_keeps_off_the_source(void) {
  const stride_layout packed = layout_of(STRIDE_DTYPE_U8, 0, 1, LIST(4), NULL);
  const stride_copy_options options = fill_options();
  unsigned char memory[16];
  poison(memory, sizeof memory);
  /* Apart, but the source lies in the rest of the destination's buffer. */
  CHECK_STATUS(stride_copy(&packed, memory, 16, &packed, memory + 8, 4, &options, NULL), OVERLAP);
  CHECK_UNTOUCHED(memory);
  CHECK_OK(stride_copy(&packed, memory, 8, &packed, memory + 8, 4, &options, NULL));
  CHECK(is_poisoned(memory + 8, 8));
  CHECK_EQ(memory[7], 0x10);
}

/* --- Sides that share bytes --------------------------------------------------------------------------------------- */

/* Both layouts over one buffer: memmove's semantics, with scratch where the plan asks for it. */
static void check_move(stride_layout dst_layout, stride_layout src_layout) {
  const size_t dst_bytes = bytes_of(&dst_layout), src_bytes = bytes_of(&src_layout);
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

/* One call with scratch memory: as a plan that is executed with it. */
static void scratch_in_one_call(void) {
  const stride_layout rows = layout_of(STRIDE_DTYPE_U16, 1, 2, LIST(4, 6), NULL);
  const stride_layout columns = layout_of(STRIDE_DTYPE_U16, 0, 2, LIST(4, 6), LIST(1, 4));
  const size_t bytes = bytes_of(&rows); /* rows begin an element behind the columns */
  unsigned char *before = heap_pattern(bytes), *memory = heap_copy(before, bytes), *expected = heap_copy(before, bytes);
  unsigned char *scratch = heap(48);
  stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
  stride_error record;
#define MOVE(scratch, scratch_bytes) \
  stride_copy_scratch(&rows, memory, bytes, &columns, memory, bytes, &options, scratch, scratch_bytes, &record)
  naive_copy(&rows, expected, &columns, before);
  CHECK_STATUS(MOVE(scratch, 48), OVERLAP); /* not allowed, with or without scratch */
  CHECK_EQ(record.detail, STRIDE_DETAIL_SHARED_BYTES);
  options.flags = STRIDE_COPY_OVERLAP;
  CHECK_FAILS(record, stride_copy(&rows, memory, bytes, &columns, memory, bytes, &options, &record), SCRATCH_NEEDED,
              SRC, -1, 48, 0);
  CHECK_EQ(record.detail, STRIDE_DETAIL_SCRATCH_BYTES);
  CHECK_FAILS(record, MOVE(NULL, 0), SCRATCH_NEEDED, SCRATCH, -1, 48, 0);
  CHECK_EQ(record.detail, STRIDE_DETAIL_SCRATCH_BYTES);
  CHECK_FAILS(record, MOVE(scratch, 47), SCRATCH_NEEDED, SCRATCH, -1, 48, 47);
  CHECK_FAILS(record, MOVE(NULL, 48), NULL_POINTER, SCRATCH, -1, 0, 0);
  CHECK(memcmp(memory, before, bytes) == 0);
  CHECK(is_poisoned(scratch, 48));

  /* Scratch that shares bytes with either side, at each end of it. */
  unsigned char *shared = heap(bytes + 96);
#define SHARES(offset)                                                                                               \
  CHECK_FAILS(record, stride_copy_scratch(&rows, shared + 48, bytes, &columns, shared + 48, bytes, &options,          \
                                          shared + (offset), 48, &record), OVERLAP, SCRATCH, -1, 0, 0);              \
  CHECK_EQ(record.detail, STRIDE_DETAIL_SHARED_SCRATCH)
  memcpy(shared + 48, before, bytes);
  SHARES(1);
  SHARES(48);
  SHARES(48 + bytes - 1);
  CHECK(memcmp(shared + 48, before, bytes) == 0);
  CHECK_OK(stride_copy_scratch(&rows, shared + 48, bytes, &columns, shared + 48, bytes, &options, shared, 48, NULL));
  CHECK(memcmp(shared + 48, expected, bytes) == 0);
#undef SHARES
  free(shared);

  CHECK_OK(MOVE(scratch, 48));
  CHECK(memcmp(memory, expected, bytes) == 0);
#undef MOVE

  /* Where none is needed it may be NULL, and is not looked at: other sides, or a direction that does it. */
  unsigned char *other = heap(bytes);
  CHECK_OK(stride_copy_scratch(&rows, other, bytes, &columns, before, bytes, NULL, NULL, 0, NULL));
  CHECK_OK(stride_copy_scratch(&rows, other, bytes, &columns, before, bytes, &options, NULL, UINT64_MAX, NULL));
  CHECK(memcmp(other + 2, expected + 2, bytes - 2) == 0);
  const stride_layout low = layout_of(STRIDE_DTYPE_U16, 0, 1, LIST(24), NULL);
  const stride_layout high = layout_of(STRIDE_DTYPE_U16, 1, 1, LIST(24), NULL);
  memcpy(memory, before, bytes);
  CHECK_OK(stride_copy_scratch(&high, memory, bytes, &low, memory, bytes, &options, NULL, 0, NULL));
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

/* --- Plans -------------------------------------------------------------------------------------------------------- */

static stride_status write_plan(const void *object, char *buffer, uint64_t capacity, uint64_t *length,
                                stride_error *error) {
  return stride_plan_describe((const stride_plan *)object, buffer, capacity, length, error);
}

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
  const size_t dst_bytes = bytes_of(&rows), src_bytes = bytes_of(&columns);
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

/* --- Fill and compare --------------------------------------------------------------------------------------------- */

static void check_one_fill(stride_layout layout) {
  const size_t bytes = bytes_of(&layout), width = element_bytes(&layout);
  unsigned char *value = heap_pattern(width), *dst = heap(bytes), *expected = heap(bytes);
  for (int64_t n = 0; n < count_of(&layout); n++) {
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
    const size_t lhs_bytes = bytes_of(&lhs_layout), rhs_bytes = bytes_of(&rhs_layout);
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
    TEST(sizes_of_options),
    TEST(tails_of_structs),
    TEST(options_that_ask_for_nothing),
    TEST(options_that_are_unknown),
    TEST(the_level_of_this_cpu),
    TEST(fill_rest),
    TEST(fill_rest_pads_as_xla_does),
    TEST(fill_rest_of_nothing_is_the_whole_buffer),
    TEST(fill_rest_keeps_off_the_source),
    TEST(memmove_of_shifts),
    TEST(shifts_need_no_scratch),
    TEST(memmove_of_other_orders),
    TEST(scratch_is_known_by_its_addresses),
    TEST(scratch_in_one_call),
    TEST(scratch_keeps_off_both_sides),
    TEST(channels_of_one_image_may_be_copied),
    TEST(the_very_same_mapping_is_no_overlap),
    TEST(plans_describe_themselves),
    TEST(memory_that_is_no_plan),
    TEST(tampered_plans_stay_in_their_buffers),
    TEST(fills),
    TEST(fills_that_are_refused),
    TEST(first_differences),
    TEST(repeated_elements_are_compared_once),
    TEST(bytes_are_compared_not_numbers),
    TEST(comparisons_that_are_refused),
};

int main(void) { return RUN(tests); }
