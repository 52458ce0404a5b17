/* Section "Copies to and from XLA shapes": pictures of the buffers, what is refused and why, parts, padding. */
#include "check.h"

static stride_layout packed(uint32_t rank, const int64_t *sizes) {
  stride_layout layout;
  poison(&layout, sizeof layout);
  CHECK_OK(stride_layout_init(&layout, STRIDE_DTYPE_U8, rank, sizes, NULL, NULL));
  return layout;
}

/* 3x5 in tiles of 2x2, as openxla/xla docs/tiled_layout.md draws it: six tiles, the last column and row of them padded. */
static void tiles_of_the_document(void) {
  const int64_t sizes[2] = {3, 5};
  const stride_layout rows = packed(2, sizes);
  const stride_xla_shape tiled = shape_of("u8[3,5]{1,0:T(2,2)}");
  const char *letters = "abcdefghijklmno";
  char buffer[25] = "........................", back[16] = "...............";
  CHECK_OK(stride_xla_copy(NULL, &tiled, buffer, 24, &rows, NULL, letters, 15, NULL, NULL));
  CHECK(strcmp(buffer, "abfgcdhie.j.kl..mn..o...") == 0);
  CHECK_OK(stride_xla_copy(&rows, NULL, back, 15, NULL, &tiled, buffer, 24, NULL, NULL));
  CHECK(strcmp(back, letters) == 0);
}

static void padding_gets_the_fill_value(void) {
  const int64_t sizes[2] = {3, 5};
  const stride_layout rows = packed(2, sizes);
  const stride_xla_shape tiled = shape_of("u8[3,5]{1,0:T(2,2)}");
  stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
  char buffer[25] = "........................";
  memset(options.fill, '!', sizeof options.fill); /* of one byte only the first counts */
  options.fill[0] = '#';
  options.flags = STRIDE_COPY_FILL_BUFFER;
  CHECK_OK(stride_xla_copy(NULL, &tiled, buffer, 24, &rows, NULL, "abcdefghijklmno", 15, &options, NULL));
  CHECK(strcmp(buffer, "abfgcdhie#j#kl##mn##o###") == 0);
}

static void from_tiles_to_other_tiles_in_parts(void) {
  const stride_xla_shape from = shape_of("u8[7,9]{1,0:T(2,4)}"), to = shape_of("u8[7,9]{0,1:T(3,2)(2,1)}");
  unsigned char source[96], dst[144], expected[144];
  stride_plan plan;
  int64_t index[2], at, place;
  uint64_t bytes;
  uint32_t part;
  size_t k;
  CHECK_OK(stride_xla_shape_byte_size(&from, &bytes, NULL));
  CHECK_EQ(bytes, 96u); /* 4 x 3 tiles of 8 */
  CHECK_OK(stride_xla_shape_byte_size(&to, &bytes, NULL));
  CHECK_EQ(bytes, 96u); /* 3 x 4 tiles of 3x2, each cut into 2 x 2 of 2x1 */
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
  CHECK_OK(stride_xla_plan_init(&plan, NULL, &to, NULL, &from, NULL, NULL));
  for (part = 3; part-- > 0;) {
    CHECK_OK(stride_plan_execute_part(&plan, dst, 96, source, sizeof source, part, 3, NULL));
  }
  CHECK(memcmp(dst, expected, sizeof dst) == 0);
}

/* Nothing but padding: all of the buffer gets the fill value, by one call, by a plan and by part 0 of its parts. */
static void padding_alone(void) {
  const int64_t sizes[2] = {0, 5};
  const stride_layout rows = packed(2, sizes);
  const stride_xla_shape tiled = shape_of("u8[0,5]{1,0:T(2,2)}");
  stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
  stride_plan plan;
  uint64_t needed;
  char buffer[9] = "........";
  memset(options.fill, '!', sizeof options.fill); /* of one byte only the first counts */
  options.fill[0] = '#';
  options.flags = STRIDE_COPY_FILL_BUFFER;
  CHECK_OK(stride_xla_shape_byte_size(&tiled, &needed, NULL));
  CHECK_EQ(needed, 0u); /* but a buffer may be longer than what it holds */
  CHECK_OK(stride_xla_copy(NULL, &tiled, buffer, 8, &rows, NULL, NULL, 0, &options, NULL));
  CHECK(strcmp(buffer, "########") == 0);
  memset(buffer, '.', 8);
  CHECK_OK(stride_xla_plan_init(&plan, NULL, &tiled, &rows, NULL, &options, NULL));
  CHECK_OK(stride_plan_execute_part(&plan, buffer, 8, NULL, 0, 1, 2, NULL));
  CHECK_OK(stride_plan_execute_part(&plan, buffer, 8, NULL, 0, 0, 2, NULL));
  CHECK(strcmp(buffer, "########") == 0);
  options.flags = 0;
  memset(buffer, '.', 8);
  CHECK_OK(stride_xla_copy(NULL, &tiled, buffer, 8, &rows, NULL, NULL, 0, &options, NULL));
  CHECK(strcmp(buffer, "........") == 0);
}

/* A plan with tiles is described, and needs no scratch memory. */
static void a_plan_with_tiles(void) {
  const int64_t sizes[2] = {3, 5};
  const stride_layout rows = packed(2, sizes);
  const stride_xla_shape tiled = shape_of("u8[3,5]{1,0:T(2,2)}"), merged = shape_of("u8[3,5]{1,0:T(*,4)}");
  char text[128], buffer[24];
  uint64_t length, scratch;
  stride_plan plan;
  CHECK_OK(stride_xla_plan_init(&plan, NULL, &tiled, &rows, NULL, NULL, NULL));
  CHECK_OK(stride_plan_describe(&plan, text, sizeof text, &length, NULL));
  CHECK(strcmp(text, "relayout: 15 bytes in elements of 1, 4 pieces; to tiles (2,2); from strides") == 0);
  CHECK_EQ(length, strlen(text));
  CHECK_OK(stride_plan_scratch_bytes(&plan, 0, 1 << 20, &scratch, NULL));
  CHECK_EQ(scratch, 0u);
  memset(buffer, '.', sizeof buffer);
  CHECK_OK(stride_plan_execute_scratch(&plan, buffer, 24, "abcdefghijklmno", 15, NULL, 0, NULL));
  CHECK(memcmp(buffer, "abfgcdhie.j.kl..mn..o...", 24) == 0);
  CHECK_OK(stride_xla_plan_init(&plan, &rows, NULL, NULL, &merged, NULL, NULL));
  CHECK_OK(stride_plan_describe(&plan, text, sizeof text, &length, NULL));
  CHECK(strstr(text, "to strides; from tiles (*,4)") != NULL);
}

static void what_is_refused(void) {
  const int64_t sizes[2] = {3, 5}, other[2] = {3, 4};
  const stride_layout rows = packed(2, sizes), fewer = packed(2, other);
  const stride_xla_shape tiled = shape_of("u8[3,5]{1,0:T(2,2)}"), wide = shape_of("u16[3,5]{1,0:T(2,2)}");
  const stride_xla_shape packed_bits = shape_of("s4[3,5]{1,0:T(2,2)E(4)}");
  stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
  stride_plan plan;
  stride_error e;
  char buffer[64] = {0};
#define REFUSES(STATUS, CALL) CHECK_EQ(CALL, STRIDE_STATUS_##STATUS)
  REFUSES(INVALID_ARGUMENT, stride_xla_copy(&rows, &tiled, buffer, 24, &rows, NULL, buffer + 32, 15, NULL, &e));
  CHECK_EQ(e.argument, STRIDE_ARGUMENT_DST_LAYOUT);
  REFUSES(SHAPE_MISMATCH, stride_xla_copy(NULL, &tiled, buffer, 24, &fewer, NULL, buffer + 32, 15, NULL, &e));
  CHECK(e.dimension == 1 && e.lhs == 4 && e.rhs == 5 && e.argument == STRIDE_ARGUMENT_SRC_LAYOUT);
  REFUSES(SHAPE_MISMATCH, stride_xla_copy(&fewer, NULL, buffer, 12, NULL, &tiled, buffer + 32, 24, NULL, &e));
  CHECK(e.dimension == 1 && e.lhs == 5 && e.rhs == 4 && e.argument == STRIDE_ARGUMENT_SRC_SHAPE);
  REFUSES(DTYPE_MISMATCH, stride_xla_plan_init(&plan, NULL, &tiled, NULL, &wide, NULL, &e));
  CHECK_EQ(e.argument, STRIDE_ARGUMENT_SRC_SHAPE);
  REFUSES(DTYPE_MISMATCH, stride_xla_copy(NULL, &wide, buffer, 48, &rows, NULL, buffer + 48, 15, NULL, &e));
  REFUSES(OUT_OF_BOUNDS, stride_xla_copy(NULL, &tiled, buffer, 20, &rows, NULL, buffer + 32, 15, NULL, &e));
  CHECK(e.argument == STRIDE_ARGUMENT_DST_BYTES && e.rhs == 20);
  REFUSES(OUT_OF_BOUNDS, stride_xla_copy(&rows, NULL, buffer, 15, NULL, &tiled, buffer + 32, 20, NULL, &e));
  CHECK(e.argument == STRIDE_ARGUMENT_SRC_BYTES && e.rhs == 20);
  REFUSES(OVERLAP, stride_xla_copy(NULL, &tiled, buffer, 24, &rows, NULL, buffer + 10, 15, NULL, &e));
  REFUSES(UNSUPPORTED, stride_xla_plan_init(&plan, NULL, &packed_bits, NULL, &packed_bits, NULL, &e));
  options.flags = STRIDE_COPY_OVERLAP;
  REFUSES(UNSUPPORTED, stride_xla_plan_init(&plan, NULL, &tiled, &rows, NULL, &options, &e));
  CHECK_EQ(e.argument, STRIDE_ARGUMENT_OPTIONS);
  options.flags = STRIDE_COPY_SMALL_STACK;
  REFUSES(UNSUPPORTED, stride_xla_plan_init(&plan, NULL, &tiled, &rows, NULL, &options, &e));
  REFUSES(UNSUPPORTED, stride_xla_copy(NULL, &tiled, buffer, 24, &rows, NULL, buffer + 32, 15, &options, &e));
  CHECK_OK(stride_xla_plan_init(&plan, &rows, NULL, &rows, NULL, &options, &e));
#undef REFUSES
}

static const test tests[] = {
    TEST(tiles_of_the_document),
    TEST(padding_gets_the_fill_value),
    TEST(from_tiles_to_other_tiles_in_parts),
    TEST(padding_alone),
    TEST(a_plan_with_tiles),
    TEST(what_is_refused),
};

int main(void) { return RUN(tests); }
