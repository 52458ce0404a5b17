/* Section "XLA: blocked formats": order and blocks into shapes and back, and the names of oneDNN and TVM. */
#include "check.h"

TEXT_FUNCTION(write_shape, stride_xla_shape_format, (const stride_xla_shape *))
TEXT_FUNCTION(write_tag, stride_xla_shape_format_tag, (const stride_xla_shape *))

static stride_status parse_tag(const char *tag, uint32_t rank, const int64_t *sizes, stride_xla_shape *out,
                               stride_error *error) {
  char *exact = heap_text(tag);
  const stride_status status =
      stride_xla_shape_parse_tag(exact, strlen(tag), STRIDE_DTYPE_F32, rank, sizes, out, error);
  free(exact);
  return status;
}

static void order_and_blocks_make_a_shape(void) {
  stride_xla_shape shape;
  poison(&shape, sizeof shape);
  CHECK_OK(stride_xla_shape_init_blocked(&shape, STRIDE_DTYPE_F32, 4, LIST(20, 30, 3, 3), NULL, 3, LIST(1, 0, 1),
                                         LIST(4, 16, 4), NULL));
  CHECK_WRITES(write_shape, &shape, "f32[20,30,3,3]{3,2,1,0:T(16,16,1,1)(16,4,1,1)}");
  CHECK_WRITES(write_tag, &shape, "ABcd4b16a4b");
  CHECK_EQ(shape.padding_kind, STRIDE_XLA_PADDING_NONE);
  /* linalg.pack 128x256, outer_dims_perm = [1,0], tiles [8,32]: 8x16x8x32. */
  CHECK_OK(stride_xla_shape_init_blocked(&shape, STRIDE_DTYPE_F32, 2, LIST(128, 256), LIST(1, 0), 2, LIST(0, 1),
                                         LIST(8, 32), NULL));
  CHECK_WRITES(write_tag, &shape, "BA8a32b");
  /* A block of 1 is none, and neighbours are one. */
  CHECK_OK(stride_xla_shape_init_blocked(&shape, STRIDE_DTYPE_F32, 2, LIST(5, 9), NULL, 4, LIST(0, 1, 0, 1),
                                         LIST(1, 4, 1, 2), NULL));
  CHECK_WRITES(write_tag, &shape, "aB8b");
  CHECK_OK(stride_xla_shape_init_blocked(&shape, STRIDE_DTYPE_F32, 0, NULL, NULL, 0, NULL, NULL, NULL));
  CHECK_WRITES(write_tag, &shape, "");
  CHECK_OK(stride_xla_shape_init_blocked(&shape, STRIDE_DTYPE_F32, 2, LIST(3, 0), NULL, 1, LIST(1), LIST(16), NULL));
  CHECK_EQ(shape_bytes(shape), 0); /* empty, whatever its blocks */
}

static void formats_that_are_none(void) {
  stride_xla_shape out;
  stride_error record;
  poison(&out, sizeof out);
#define INIT(rank, sizes, order, count, dims, blocks)                                                                \
  stride_xla_shape_init_blocked(&out, STRIDE_DTYPE_F32, rank, sizes, order, count, dims, blocks, &record)
  CHECK_FAILS(record, INIT(2, LIST(2, 3), LIST(0, 0), 0, NULL, NULL), INVALID_AXES, OUTER_ORDER, 1, 0, 2);
  CHECK_FAILS(record, INIT(2, LIST(2, 3), NULL, 2, LIST(0, 2), LIST(4, 4)), INVALID_AXES, BLOCK_DIMS, 1, 2, 2);
  CHECK_FAILS(record, INIT(2, LIST(2, 3), NULL, 2, LIST(0, 1), LIST(4, 0)), INVALID_SIZE, BLOCK_SIZES, 1, 0, 1);
  CHECK_FAILS(record, INIT(2, LIST(2, -3), NULL, 0, NULL, NULL), INVALID_SIZE, SIZES, 1, -3, 0);
  CHECK_FAILS(record, INIT(1, LIST(2), NULL, 65, NULL, NULL), INVALID_RANK, COUNT, -1, 65, 64);
  CHECK_FAILS(record, INIT(1, LIST(2), NULL, 2, LIST(0, 0), LIST(INT64_MAX, 2)), OVERFLOW, BLOCK_SIZES, 1, INT64_MAX, 2);
  CHECK_STATUS(INIT(1, LIST(2), NULL, 1, LIST(0), LIST(INT64_MAX)), OVERFLOW);
  int64_t dims[18], blocks[18];
  for (int k = 0; k < 18; k++) {
    dims[k] = (k + 1) % 2;
    blocks[k] = 2;
  }
  CHECK_FAILS(record, INIT(2, LIST(2, 3), NULL, 18, dims, blocks), UNSUPPORTED, BLOCK_SIZES, -1, 9, 8);
#undef INIT
  CHECK_UNTOUCHED(out);
}

static void shapes_and_their_blocks(void) {
  const stride_xla_shape tpu = shape_of("bf16[30,100]{1,0:T(8,128)(2,1)}"), merged = shape_of("f32[4,6]{1,0:T(*,4)}");
  int64_t order[2], dims[3], blocks[3];
  uint32_t count = 99;
  stride_error record;
  poison(order, sizeof order);
  poison(dims, sizeof dims);
  poison(blocks, sizeof blocks);
#define TO(shape, rank, capacity) stride_xla_shape_to_blocked(&shape, rank, order, capacity, dims, blocks, &count, &record)
  CHECK_FAILS(record, TO(tpu, 2, 2), INVALID_ARGUMENT, CAPACITY, -1, 2, 3);
  CHECK_FAILS(record, TO(tpu, 1, 3), INVALID_RANK, RANK, -1, 1, 2);
  CHECK_FAILS(record, TO(merged, 2, 3), NOT_REPRESENTABLE, SHAPE, -1, 0, 0);
  CHECK_EQ(record.item, 0);
  CHECK_EQ((int64_t)record.detail, STRIDE_DETAIL_MERGES);
  CHECK(is_poisoned(order, sizeof order) && is_poisoned(dims, sizeof dims) && is_poisoned(blocks, sizeof blocks));
  CHECK_EQ(count, 99);
  CHECK_OK(TO(tpu, 2, 3));
#undef TO
  CHECK(memcmp(order, LIST(0, 1), sizeof order) == 0 && count == 3);
  CHECK(memcmp(dims, LIST(0, 1, 0), sizeof dims) == 0 && memcmp(blocks, LIST(4, 128, 2), sizeof blocks) == 0);
  const stride_xla_shape plain = shape_of("f32[2,3]{0,1}"); /* no blocks: no room needed */
  CHECK_OK(stride_xla_shape_to_blocked(&plain, 2, order, 0, NULL, NULL, &count, NULL));
  CHECK(memcmp(order, LIST(1, 0), sizeof order) == 0 && count == 0);
}

static void tags(void) {
  stride_xla_shape shape;
  poison(&shape, sizeof shape);
  CHECK_OK(parse_tag("nChw16c", 4, LIST(1, 30, 7, 7), &shape, NULL));
  CHECK_WRITES(write_shape, &shape, "f32[1,30,7,7]{3,2,1,0:T(16,1,1)}");
  CHECK_WRITES(write_tag, &shape, "aBcd16b");
  CHECK_OK(parse_tag("NCHW16c", 4, LIST(1, 30, 7, 7), &shape, NULL));
  CHECK_WRITES(write_tag, &shape, "aBcd16b");
  CHECK_OK(parse_tag("hwio", 4, LIST(8, 4, 3, 3), &shape, NULL)); /* sizes as o, i, h, w */
  CHECK_WRITES(write_shape, &shape, "f32[8,4,3,3]{0,1,3,2}");
  CHECK_OK(parse_tag("NLC", 3, LIST(2, 3, 5), &shape, NULL)); /* as n, c, l: a length is no layer */
  CHECK_WRITES(write_shape, &shape, "f32[2,3,5]{1,2,0}");
  const stride_xla_shape tpu = shape_of("bf16[30,100]{1,0:T(8,128)(2,1)}");
  CHECK_WRITES(write_tag, &tpu, "AB4a128b2a");
}

static void tags_that_are_none(void) {
  static const struct {
    const char *tag;
    int64_t lhs, rhs;
    uint64_t position;
  } all[] = {
      {"nChw16", 0, 0, 6},        {"nchw16c", 'C', 'c', 1}, {"NChw16c", 'n', 'N', 0}, {"nChw0c", 0, 1, 4},
      {"nchw ", 0, 0, 4},         {"nch", 3, 4, 3},         {"ncdhw", 5, 4, 5},       {"nccw", 1, 4, 2},
      {"ABCD16b", 'a', 'A', 0},   {"", 0, 4, 0},            {"nChw16C", 0, 0, 6},     {"nChw16z", 0, 0, 6},
      {"any", 3, 4, 3},
  };
  stride_xla_shape out;
  stride_error record;
  poison(&out, sizeof out);
  for (size_t k = 0; k < COUNT(all); k++) {
    CHECK_PARSE(record, parse_tag(all[k].tag, 4, LIST(1, 30, 7, 7), &out, &record), TAG, all[k].position, all[k].lhs,
                all[k].rhs);
  }
  CHECK_STATUS(parse_tag("nchw", 4, LIST(1, -30, 7, 7), &out, NULL), INVALID_SIZE);
  CHECK_FAILS(record, stride_xla_shape_parse_tag("nc", UINT64_MAX, STRIDE_DTYPE_F32, 2, LIST(2, 3), &out, &record),
              INVALID_ARGUMENT, LENGTH, -1, INT64_MAX, SIZE_MAX / 2 > INT64_MAX ? INT64_MAX : (int64_t)(SIZE_MAX / 2));
  CHECK_UNTOUCHED(out);
}

/* The way of the data: three channels of 2x2 pixels into blocks of 2, padded with zeros, and back. */
static void a_copy_into_blocks_and_back(void) {
  static const uint16_t pixels[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  static const uint16_t expected[16] = {1, 5, 2, 6, 3, 7, 4, 8, 9, 0, 10, 0, 11, 0, 12, 0};
  const stride_layout packed = layout_of(STRIDE_DTYPE_U16, 0, 4, LIST(1, 3, 2, 2), NULL);
  stride_xla_shape shape;
  stride_copy_options options;
  uint16_t blocked[16], back[12];
  CHECK_OK(stride_xla_shape_parse_tag("nChw2c", 6, STRIDE_DTYPE_U16, 4, LIST(1, 3, 2, 2), &shape, NULL));
  CHECK_OK(stride_copy_options_init(&options));
  options.flags = STRIDE_COPY_FILL_BUFFER;
  poison(blocked, sizeof blocked);
  CHECK_OK(stride_copy_sides(SHAPE(&shape), blocked, sizeof blocked, LAYOUT(&packed), pixels, sizeof pixels, &options, NULL));
  CHECK(memcmp(blocked, expected, sizeof expected) == 0);
  CHECK_OK(stride_copy_sides(LAYOUT(&packed), back, sizeof back, SHAPE(&shape), blocked, sizeof blocked, NULL, NULL));
  CHECK(memcmp(back, pixels, sizeof pixels) == 0);
}

static const test tests[] = {
    TEST(order_and_blocks_make_a_shape), TEST(formats_that_are_none), TEST(shapes_and_their_blocks),
    TEST(tags), TEST(tags_that_are_none), TEST(a_copy_into_blocks_and_back),
};

int main(void) { return RUN(tests); }
