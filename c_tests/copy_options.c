/* Section "Copies", options: their sizes and tails, the level, and the rest of a buffer that is filled. */
#include "naive.h"

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
  /* The first version ended where `machine` begins; nothing after it is read. */
  CHECK_EQ(offsetof(stride_copy_options, machine), 40);
  CHECK_STATUS(plan_with_size(40, 40, 0, NULL), OK);
  /* Too small: refused before more than the first field is read. */
  CHECK_FAILS(record, plan_with_size(0, 4, 0, &record), INVALID_ARGUMENT, OPTIONS, -1, 0, 40);
  CHECK_FAILS(record, plan_with_size(39, 4, 0, &record), INVALID_ARGUMENT, OPTIONS, -1, 39, 40);
  /* From a newer header: fine as long as what is not known here asks for nothing. */
  CHECK_STATUS(plan_with_size(known + 8, known + 8, 0, NULL), OK);
  CHECK_STATUS(plan_with_size(known + 1, known + 1, 1, NULL), INVALID_ARGUMENT);
  CHECK_STATUS(plan_with_size(known + 8, known + 8, 1, NULL), INVALID_ARGUMENT);
  /* Between both versions lies none. */
  CHECK_FAILS(record, plan_with_size(41, 4, 0, &record), INVALID_ARGUMENT, OPTIONS, -1, 41, known);
  CHECK_FAILS(record, plan_with_size(known - 1, 4, 0, &record), INVALID_ARGUMENT, OPTIONS, -1, known - 1, known);
  CHECK_STATUS(plan_with_size(UINT32_MAX, 4, 0, NULL), INVALID_ARGUMENT);
}

/* Of each struct that may grow, every byte after the known ones is read, the first and the last too, and named. */
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
      for (size_t at = 0; at <= more; at++) { /* which byte asks for something; the one after it is not the struct's */
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

/* As the macro has it, every byte of the struct, and none after it. */
#define CHECK_BEGUN(type, init, begun)                     \
  do {                                                     \
    const type expected = begun;                           \
    struct {                                               \
      type made;                                           \
      unsigned char after[16];                             \
    } out;                                                 \
    poison(&out, sizeof out);                              \
    CHECK_OK(init(&out.made));                             \
    CHECK_EQ(out.made.struct_size, sizeof(type));          \
    CHECK(memcmp(&out.made, &expected, sizeof(type)) == 0); \
    CHECK_UNTOUCHED(out.after);                            \
  } while (0)

static void structs_that_say_nothing_yet(void) {
  CHECK_BEGUN(stride_layout_facts, stride_layout_facts_init, STRIDE_LAYOUT_FACTS_INIT);
  CHECK_BEGUN(stride_plan_facts, stride_plan_facts_init, STRIDE_PLAN_FACTS_INIT);
}

static void options_that_ask_for_nothing(void) {
  const stride_copy_options expected = STRIDE_COPY_OPTIONS_INIT;
  struct {
    stride_copy_options options;
    unsigned char after[16];
  } out;
  poison(&out, sizeof out);
  CHECK_OK(stride_copy_options_init(&out.options));
  CHECK_EQ(out.options.struct_size, sizeof(stride_copy_options));
  CHECK(memcmp(&out.options, &expected, sizeof expected) == 0);
  for (size_t k = sizeof out.options.struct_size; k < sizeof out.options; k++) {
    CHECK_EQ(((const unsigned char *)&out.options)[k], 0);
  }
  CHECK_UNTOUCHED(out.after);
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
  const size_t dst_bytes = bytes_of(dst_layout) + extra, src_bytes = bytes_of(src_layout);
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
        layout_of(widths[w], 0, 3, sizes, LIST(24, 8, 2)),  /* a gap after every element */
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

/* STRIDE_COPY_FILL_BUFFER writes all of the destination's buffer: no source may lie in it, not even after the
 * elements. */
static void sources_in_a_buffer_that_is_filled(void) {
  const stride_layout bytes = layout_of(STRIDE_DTYPE_U8, 0, 2, LIST(3, 5), LIST(9, 1));
  const stride_layout nibbles = layout_of(STRIDE_DTYPE_U4, 1, 2, LIST(3, 5), LIST(9, 1));
  const stride_layout dense = layout_of(STRIDE_DTYPE_U8, 0, 2, LIST(3, 5), NULL);
  const stride_layout dense_nibbles = layout_of(STRIDE_DTYPE_U4, 0, 2, LIST(3, 5), NULL);
  const stride_xla_shape tiles = shape_of("u8[3,5]{1,0:T(2,2)}");
  stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
  stride_error record;
  stride_plan plans[3];
  unsigned char memory[1024], before[1024], *dst = memory + 200;
  const size_t all = 500;
  options.flags = STRIDE_COPY_FILL_BUFFER;
  fill_pattern(before, sizeof before);
  memcpy(memory, before, sizeof before);
  CHECK_OK(stride_plan_init(&plans[0], &bytes, &dense, &options, NULL));
  CHECK_OK(stride_plan_init(&plans[1], &nibbles, &dense_nibbles, &options, NULL));
  CHECK_OK(stride_plan_init_sides(&plans[2], SHAPE(&tiles), LAYOUT(&dense), &options, NULL));
  for (size_t k = 0; k < 4; k++) {
    const long length = k == 1 ? 8 : 15; /* of the source */
    const long inside[] = {1 - length, 100, (long)all - length, (long)all - 1};
    const long outside[] = {-length, (long)all};
#define FILL(at) \
  (k == 3 ? stride_copy(&bytes, dst, all, &dense, dst + (at), (uint64_t)length, &options, &record) \
          : stride_plan_execute(&plans[k], dst, all, dst + (at), (uint64_t)length, &record))
    for (size_t n = 0; n < COUNT(inside); n++) {
      CHECK_STATUS(FILL(inside[n]), OVERLAP);
      CHECK_EQ(record.argument, STRIDE_ARGUMENT_SRC);
      CHECK_EQ(record.lhs, inside[n]);
      CHECK(memcmp(memory, before, sizeof before) == 0);
    }
    for (size_t n = 0; n < COUNT(outside); n++) {
      CHECK_OK(FILL(outside[n]));
      memcpy(memory, before, sizeof before);
    }
#undef FILL
  }
}

static const test tests[] = {
    TEST(sizes_of_options),
    TEST(tails_of_structs),
    TEST(structs_that_say_nothing_yet),
    TEST(options_that_ask_for_nothing),
    TEST(options_that_are_unknown),
    TEST(the_level_of_this_cpu),
    TEST(fill_rest),
    TEST(fill_rest_pads_as_xla_does),
    TEST(fill_rest_of_nothing_is_the_whole_buffer),
    TEST(fill_rest_keeps_off_the_source),
    TEST(sources_in_a_buffer_that_is_filled),
};

int main(void) { return RUN(tests); }
