/* Section "Blocked layouts": digits of indices from lists and from text, where elements lie, and copies. */
#include "check.h"

static const char scale_tiles[] = "a/128 b/4 a%32 a/32%4 b%4";

static stride_blocked parsed(const char *text, uint32_t dtype, uint32_t rank, const int64_t *sizes) {
  stride_blocked out;
  poison(&out, sizeof out);
  CHECK_OK(stride_blocked_parse(text, strlen(text), dtype, rank, sizes, &out, NULL));
  return out;
}

TEXT_FUNCTION(write_blocks, stride_blocked_format, (const stride_blocked *))
TEXT_FUNCTION(write_sentence, stride_error_format, (const stride_error *))

static void lists_and_texts(void) {
  stride_blocked out;
  poison(&out, sizeof out);
  CHECK_OK(stride_blocked_init(&out, STRIDE_DTYPE_F8E8M0FNU, 2, LIST(200, 6), 5, LIST(0, 1, 0, 0, 1),
                               LIST(128, 4, 1, 32, 1), LIST(0, 0, 32, 4, 4), NULL));
  CHECK_WRITES(write_blocks, &out, scale_tiles);
  CHECK(out.dtype == STRIDE_DTYPE_F8E8M0FNU && out.rank == 2 && out.block_count == 5 && out.flags == 0);
  CHECK(is_poisoned(&out.sizes[2], 62 * 8) && is_poisoned(&out.block_sizes[5], 59 * 8));
  CHECK_OK(stride_blocked_validate(&out, NULL));
  out = parsed("a/16 b/16 c d b/4%4 a%16 b%4", STRIDE_DTYPE_F32, 4, LIST(20, 30, 3, 3)); /* OIhw4i16o4i */
  CHECK_WRITES(write_blocks, &out, "a/16 b/16 c d b/4%4 a%16 b%4");
  out = parsed("", STRIDE_DTYPE_F32, 0, NULL);
  CHECK_WRITES(write_blocks, &out, "");
  /* In place: the sizes are those of the output. */
  out = parsed("b a", STRIDE_DTYPE_U8, 2, LIST(5, 7));
  CHECK_OK(stride_blocked_parse("a b", 3, STRIDE_DTYPE_U8, 2, out.sizes, &out, NULL));
  CHECK(out.sizes[0] == 5 && out.sizes[1] == 7 && out.block_dims[0] == 0);
}

static void where_elements_lie(void) {
  const stride_blocked scales = parsed(scale_tiles, STRIDE_DTYPE_U8, 2, LIST(200, 6));
  int64_t position, index[2], padded[2];
  uint64_t bytes;
  stride_layout layout;
  stride_error record;
  CHECK_OK(stride_blocked_byte_size(&scales, &bytes, NULL));
  CHECK_OK(stride_blocked_padded_sizes(&scales, 2, padded, NULL));
  CHECK(bytes == 2048 && padded[0] == 256 && padded[1] == 8);
  CHECK_OK(stride_layout_from_blocked(&scales, &layout, NULL));
  CHECK_LAYOUT(layout, STRIDE_DTYPE_U8, 0, 5, LIST(2, 2, 32, 4, 4), LIST(1024, 512, 16, 4, 1));
  for (int64_t m = 0; m < 200; m++) {
    for (int64_t k = 0; k < 6; k++) {
      const int64_t expected = (m / 128 * 2 + k / 4) * 512 + m % 32 * 16 + m / 32 % 4 * 4 + k % 4;
      CHECK_OK(stride_blocked_linear_index(&scales, 2, LIST(m, k), &position, NULL));
      CHECK_EQ(position, expected);
      CHECK_OK(stride_blocked_multi_index(&scales, position, 2, index, NULL));
      CHECK(index[0] == m && index[1] == k);
    }
  }
  /* Position 514 is (0,6), 1032 is (200,0). */
  CHECK_FAILS(record, stride_blocked_multi_index(&scales, 514, 2, index, &record), NOT_REPRESENTABLE, LINEAR, 1, 6, 6);
  CHECK_EQ(record.detail, STRIDE_DETAIL_PADDING_POSITION);
  CHECK_OK(stride_blocked_linear_index(&scales, 2, LIST(199, 5), &position, NULL));
  CHECK_EQ(position, 1024 + 512 + 7 * 16 + 2 * 4 + 1);
  CHECK_FAILS(record, stride_blocked_multi_index(&scales, 1024 + 8 * 16 + 2 * 4, 2, index, &record), NOT_REPRESENTABLE,
              LINEAR, 0, 200, 200);
  CHECK_FAILS(record, stride_blocked_multi_index(&scales, 2048, 2, index, &record), INDEX_OUT_OF_RANGE, LINEAR, -1,
              2048, 2048);
  CHECK_FAILS(record, stride_blocked_linear_index(&scales, 2, LIST(0, 6), &position, &record), INDEX_OUT_OF_RANGE,
              INDEX, 1, 6, 6);
}

static void mistakes(void) {
  stride_blocked out;
  stride_error record;
  poison(&out, sizeof out);
#define INIT(dims, steps, sizes)                                                                                     \
  stride_blocked_init(&out, STRIDE_DTYPE_U8, 2, LIST(200, 6), 3, dims, steps, sizes, &record)
  CHECK_FAILS(record, INIT(LIST(0, 2, 0), LIST(4, 1, 1), LIST(0, 0, 4)), INVALID_AXES, BLOCK_DIMS, -1, 2, 2);
  CHECK_EQ(record.item, 1);
  CHECK_WRITES(write_sentence, &record, "block_dims, block 1: dimension number 2 is outside 0 ... 1");
  CHECK_FAILS(record, INIT(LIST(0, 1, 0), LIST(4, 1, 1), LIST(0, -1, 4)), INVALID_SIZE, BLOCK_SIZES, -1, -1, 0);
  CHECK_EQ(record.item, 1);
  CHECK_FAILS(record, INIT(LIST(0, 1, 0), LIST(4, 1, 1), LIST(0, 0, 2)), INVALID_TILE, BLOCK_STEPS, -1, 4, 2);
  CHECK_EQ(record.item, 0);
  CHECK_WRITES(write_sentence, &record,
               "block_steps, block 0: step is 4 but must be 2, where the dimension's smaller blocks end");
  CHECK_FAILS(record, INIT(LIST(0, 1, 0), LIST(4, 1, 1), LIST(0, 0, 0)), INVALID_TILE, BLOCK_SIZES, -1, 1, 4);
  CHECK_EQ(record.item, 2);
  CHECK_FAILS(record, INIT(LIST(0, 1, 0), LIST(4, 1, 1), LIST(49, 0, 4)), INVALID_TILE, SIZES, 0, 196, 200);
  CHECK_WRITES(write_sentence, &record,
               "sizes, dimension 0: size is 200, but its blocks cover 196 indices; enlarge the block with the highest "
               "step");
#undef INIT
  CHECK_FAILS(record, stride_blocked_parse("a b%4 b/4", 9, STRIDE_DTYPE_U8, 2, LIST(1, -2), &out, &record),
              INVALID_SIZE, SIZES, 1, -2, 0);
  CHECK_PARSE(record, stride_blocked_parse("a b%", 4, STRIDE_DTYPE_U8, 2, LIST(1, 2), &out, &record), TEXT, 4, 0, 0);
  CHECK_WRITES(write_sentence, &record, "text, byte 4: the text ends where a number is expected");
  CHECK_UNTOUCHED(out);
}

/* A batch of three matrices into scale tiles, filled and not, and from tiles of one kind into another. */
static void copies(void) {
  const int64_t sizes[3] = {3, 130, 5};
  const stride_blocked scales = parsed("a b/128 c/4 b%32 b/32%4 c%4", STRIDE_DTYPE_U16, 3, sizes);
  const stride_blocked pairs = parsed("b/2 a c b%2", STRIDE_DTYPE_U16, 3, sizes);
  static uint16_t rows[3][130][5], tiles[3 * 256 * 8], expected[3 * 256 * 8], other[65][3][5][2], back[3][130][5];
  stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
  stride_plan plan;
  memset(expected, 0x7F, sizeof expected);
  for (int m = 0, number = 0; m < 3 * 130; m++) {
    const int b = m / 130, r = m % 130;
    for (int k = 0; k < 5; k++) {
      rows[b][r][k] = (uint16_t)(1000 + number++);
      expected[b * 2048 + (r / 128 * 2 + k / 4) * 512 + r % 32 * 16 + r / 32 % 4 * 4 + k % 4] = rows[b][r][k];
    }
  }
  memset(tiles, 0x7F, sizeof tiles);
  CHECK_OK(stride_copy_sides(BLOCKED(&scales), tiles, sizeof tiles, NULL, rows, sizeof rows, NULL, NULL));
  CHECK(memcmp(tiles, expected, sizeof tiles) == 0);
  memset(tiles, 0, sizeof tiles);
  options.flags = STRIDE_COPY_FILL_BUFFER;
  options.fill[0] = options.fill[1] = 0x7F;
  CHECK_OK(stride_plan_init_sides(&plan, BLOCKED(&scales), NULL, &options, NULL));
  CHECK_OK(stride_plan_execute(&plan, tiles, sizeof tiles, rows, sizeof rows, NULL));
  CHECK(memcmp(tiles, expected, sizeof tiles) == 0);
  CHECK_OK(stride_copy_sides(BLOCKED(&pairs), other, sizeof other, BLOCKED(&scales), tiles, sizeof tiles, NULL, NULL));
  CHECK(other[64][2][4][1] == rows[2][129][4] && other[1][0][3][0] == rows[0][2][3]);
  CHECK_OK(stride_copy_sides(NULL, back, sizeof back, BLOCKED(&pairs), other, sizeof other, NULL, NULL));
  CHECK(memcmp(back, rows, sizeof rows) == 0);
}

static const test tests[] = {
    TEST(lists_and_texts),
    TEST(where_elements_lie),
    TEST(mistakes),
    TEST(copies),
};

int main(void) { return RUN(tests); }
