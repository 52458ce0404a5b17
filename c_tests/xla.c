/* Section "XLA": shapes, their text, padding and indices. Texts as xla/shape_util.cc and shape_layout print them. */
#include "check.h"

TEXT_FUNCTION(write_shape, stride_xla_shape_format, (const stride_xla_shape *))
TEXT_FUNCTION(describe_shape, stride_xla_shape_describe, (const stride_xla_shape *))

static stride_status parse(const char *text, stride_xla_shape *out, stride_error *error) {
  char *exact = heap_text(text);
  const stride_status status = stride_xla_shape_parse(exact, strlen(text), out, error);
  free(exact);
  return status;
}

static stride_xla_shape padded_example(void) {
  stride_xla_shape shape = shape_of("f32[2,3]{0,1}");
  CHECK_OK(stride_xla_shape_set_padding(&shape, 2, LIST(3, 5), STRIDE_XLA_PADDING_ZERO, NULL));
  return shape;
}

static void a_new_shape(void) {
  stride_xla_shape shape;
  poison(&shape, sizeof shape);
  CHECK_OK(stride_xla_shape_init(&shape, STRIDE_DTYPE_F32, 2, LIST(2, 3), NULL, NULL));
  CHECK_EQ(shape.dtype, STRIDE_DTYPE_F32);
  CHECK_EQ(shape.rank, 2);
  CHECK_EQ(shape.element_bits, 0);
  CHECK_EQ(shape.padding_kind, STRIDE_XLA_PADDING_NONE);
  CHECK_EQ(shape.tile_count, 0);
  CHECK_EQ(shape.flags, 0);
  CHECK_EQ(shape.tail_alignment, 1);
  CHECK_EQ(shape.memory_space, 0);
  CHECK_EQ(shape.dynamic_dimensions, 0);
  CHECK_EQ(shape.sizes[1], 3);
  CHECK_EQ(shape.padded_sizes[1], 3);
  CHECK_EQ(shape.minor_to_major[0], 1); /* descending is row-major */
  CHECK_EQ(shape.minor_to_major[1], 0);
  CHECK(is_poisoned(&shape.sizes[2], sizeof(int64_t)));
  CHECK_OK(stride_xla_shape_validate(&shape, NULL));
}

static void what_init_refuses(void) {
  stride_xla_shape out;
  stride_error record;
  poison(&out, sizeof out);
#define INIT(dtype, rank, sizes, order) stride_xla_shape_init(&out, dtype, rank, sizes, order, &record)
  CHECK_FAILS(record, INIT(STRIDE_DTYPE_F32, 2, LIST(2, -3), NULL), INVALID_SIZE, SIZES, 1, -3, 0);
  CHECK_FAILS(record, INIT(STRIDE_DTYPE_F32, 65, LIST(2), NULL), INVALID_RANK, RANK, -1, 65, 64);
  CHECK_FAILS(record, INIT(STRIDE_DTYPE_F32, 2, LIST(2, 3), LIST(0, 0)), INVALID_AXES, MINOR_TO_MAJOR, 1, 0, 2);
  CHECK_STATUS(INIT(0, 1, LIST(2), NULL), INVALID_DTYPE);
  CHECK_STATUS(INIT(STRIDE_DTYPE_BYTES | 4, 1, LIST(2), NULL), INVALID_DTYPE);
  CHECK_FAILS(record, INIT(STRIDE_DTYPE_S4 | STRIDE_DTYPE_HIGH_FIRST, 1, LIST(2), NULL), INVALID_DTYPE, DTYPE, -1,
              STRIDE_DTYPE_S4 | STRIDE_DTYPE_HIGH_FIRST, 3); /* the order stands in the flags */
  CHECK_STATUS(INIT(STRIDE_DTYPE_F32, 2, LIST((int64_t)1 << 40, (int64_t)1 << 40), NULL), OVERFLOW);
#undef INIT
  CHECK_UNTOUCHED(out);
}

static void texts_come_back(void) {
  static const char *const texts[] = {"f32[]", "f32[2,3]{1,0}", "f32[2,3]{0,1}", "pred[7]{0}", "bf16[0,4]{1,0}",
                                      "s4[8]{0:E(4)}", "f32[<=5,3]{1,0}",
                                      "f32[4]{0:L(16)E(64)S(5)}", "c128[1,2,3]{0,2,1}", "f32[]{:T(256)}",
                                      "f32[?,<=8]{1,0}", "bf16[8,2,3,1004]{3,2,1,0:T(2,*,*,128)(2,1)L(4)E(32)S(1)}"};
  for (size_t k = 0; k < COUNT(texts); k++) {
    const stride_xla_shape shape = shape_of(texts[k]);
    CHECK_WRITES(write_shape, &shape, texts[k]);
  }
}

static void texts_are_read_freely(void) {
  stride_xla_shape shape = shape_of("f32[2,3]"); /* no layout: descending */
  CHECK_WRITES(write_shape, &shape, "f32[2,3]{1,0}");
  shape = shape_of(" f32 [ 2 , /* rows */ 3 ] { 0 , 1 } // the end");
  CHECK_WRITES(write_shape, &shape, "f32[2,3]{0,1}");
  shape = shape_of("s8[4]{0:E(8)}"); /* eight bits is what s8 has anyway */
  CHECK_WRITES(write_shape, &shape, "s8[4]{0}");
  shape = shape_of("f32[<=5,3]");
  CHECK(shape.dynamic_dimensions == 1);
}

static void texts_that_are_no_shape(void) {
  static const struct {
    const char *text;
    int64_t position, lhs, rhs; /* numbers where it is one that is wrong */
  } all[] = {
      {"", 0, 0, 0},
      {"x32[2]", 0, 0, 0},
      {"f32", 3, 0, 0},
      {"f32[2", 5, 0, 0},
      {"f32[2,]", 6, 0, 0},
      {"f32[-2]", 4, 0, 0},
      {"f32[2]x", 6, 0, 0},
      {"f32[2,3]{0,5}", 11, 5, 2},
      {"f32[2,3]{0,0}", 11, 0, 2},
      {"f32[2,3]{0}", 10, 1, 2},
      {"bytes4[2]", 0, 0, 0},
      {"s4[2]{0:E(4}", 11, 0, 0},
      {"f32[8]{0:T(0)}", 11, 0, 1},
      {"f32[8]{0:T(2,*)}", 13, STRIDE_XLA_TILE_MERGE, 1},
      {"f32[8]{0:T(-3)}", 11, -3, 1},
      {"f32[8]{0:T()}", 11, 0, 0},
      {"f32[8]{0:L(2)T(2)}", 13, 0, 0},
  };
  for (size_t k = 0; k < COUNT(all); k++) {
    stride_xla_shape out;
    stride_error record;
    poison(&out, sizeof out);
    CHECK_PARSE(record, parse(all[k].text, &out, &record), TEXT, all[k].position, all[k].lhs, all[k].rhs);
    CHECK_UNTOUCHED(out);
  }
}

static void texts_for_later_versions(void) {
  static const char *const all[] = {"f32[2]{0:D(D)}", "f32[2]{0:SC(0:1)}", "f32[2]{0:M(8)}", "(f32[2])", "token[]",
                                    "opaque[]"};
  for (size_t k = 0; k < COUNT(all); k++) {
    stride_xla_shape out;
    stride_error record;
    poison(&out, sizeof out);
    CHECK_STATUS(parse(all[k], &out, &record), UNSUPPORTED);
    CHECK(record.position < strlen(all[k]));
    CHECK_UNTOUCHED(out);
  }
}

static void validate_names_what_is_wrong(void) {
  const stride_xla_shape good = shape_of("f32[2,3]{0,1}");
  stride_xla_shape shape = good;
  stride_error record;
#define VERDICT(field, value, status, dimension, lhs, rhs)                                                             \
  shape = good;                                                                                                      \
  shape.field = value;                                                                                               \
  CHECK_FAILS(record, stride_xla_shape_validate(&shape, &record), status, SHAPE, dimension, lhs, rhs)
  VERDICT(dtype, 0, INVALID_DTYPE, -1, 0, 0);
  VERDICT(rank, 65, INVALID_RANK, -1, 65, 64);
  VERDICT(sizes[1], -1, INVALID_SIZE, 1, -1, 0);
  VERDICT(padded_sizes[1], 2, INVALID_SIZE, 1, 2, 3);
  VERDICT(minor_to_major[1], 0, INVALID_AXES, 1, 0, 2);
  VERDICT(element_bits, 16, INVALID_ARGUMENT, -1, 16, 32);
  VERDICT(element_bits, 48, INVALID_ARGUMENT, -1, 48, 32);
  VERDICT(element_bits, 256, INVALID_ARGUMENT, -1, 256, 128);
  VERDICT(padding_kind, 6, INVALID_ARGUMENT, -1, 6, 5);
  VERDICT(tail_alignment, 0, INVALID_ARGUMENT, -1, 0, 1);
  VERDICT(tile_count, 9, UNSUPPORTED, -1, 9, 8);
  VERDICT(dynamic_dimensions, 4, INVALID_ARGUMENT, -1, 2, 2);
  VERDICT(flags, 2, INVALID_ARGUMENT, -1, 2, STRIDE_XLA_SHAPE_HIGH_FIRST);
  VERDICT(flags, 0x80000001, INVALID_ARGUMENT, -1, 0x80000001, STRIDE_XLA_SHAPE_HIGH_FIRST);
  VERDICT(sizes[1], STRIDE_XLA_UNBOUNDED, INVALID_SIZE, 1, STRIDE_XLA_UNBOUNDED, 0); /* not dynamic */
#undef VERDICT
}

static void byte_sizes(void) {
  CHECK_EQ(shape_bytes(shape_of("f32[]")), 4);
  CHECK_EQ(shape_bytes(shape_of("f32[2,3]")), 24);
  CHECK_EQ(shape_bytes(shape_of("f32[2,0]")), 0);
  CHECK_EQ(shape_bytes(shape_of("s4[8]")), 8); /* a byte each, unless the text says less */
  CHECK_EQ(shape_bytes(shape_of("s4[9]{0:E(4)}")), 5);
  CHECK_EQ(shape_bytes(shape_of("f32[5]{0:L(8)}")), 32);
  CHECK_EQ(shape_bytes(padded_example()), 60);
}

static void element_bits(void) {
  stride_xla_shape shape = shape_of("s4[8]");
  CHECK_OK(stride_xla_shape_set_element_bits(&shape, 4, NULL));
  CHECK_EQ(shape_bytes(shape), 4);
  CHECK_OK(stride_xla_shape_set_element_bits(&shape, 32, NULL));
  CHECK_EQ(shape_bytes(shape), 32);
  CHECK_OK(stride_xla_shape_set_element_bits(&shape, 0, NULL));
  CHECK_EQ(shape_bytes(shape), 8);
  const stride_xla_shape before = shape;
  stride_error record;
  CHECK_FAILS(record, stride_xla_shape_set_element_bits(&shape, 2, &record), INVALID_ARGUMENT, ELEMENT_BITS, -1, 2, 4);
  CHECK_FAILS(record, stride_xla_shape_set_element_bits(&shape, 12, &record),
              INVALID_ARGUMENT, ELEMENT_BITS, -1, 12, 4);
  CHECK(memcmp(&shape, &before, sizeof shape) == 0);
}

static void true_ranks(void) {
  static const char *const texts[] = {"f32[]", "f32[1,1]", "f32[2,1,3]", "f32[0,2]"};
  static const uint32_t ranks[] = {0, 0, 2, 1};
  for (size_t k = 0; k < COUNT(texts); k++) {
    const stride_xla_shape shape = shape_of(texts[k]);
    uint32_t rank = 99;
    CHECK_OK(stride_xla_shape_true_rank(&shape, &rank, NULL));
    CHECK_EQ(rank, ranks[k]);
  }
}

static void padding_is_refused(void) {
  stride_xla_shape shape = shape_of("f32[2,3]");
  const stride_xla_shape before = shape;
  stride_error record;
#define PAD(kind, ...) stride_xla_shape_set_padding(&shape, 2, LIST(__VA_ARGS__), kind, &record)
  CHECK_FAILS(record, PAD(STRIDE_XLA_PADDING_ZERO, 2, 2), INVALID_SIZE, PADDED_SIZES, 1, 2, 3);
  CHECK_FAILS(record, PAD(6, 2, 3), INVALID_ARGUMENT, KIND, -1, 6, 5);
  CHECK_STATUS(PAD(STRIDE_XLA_PADDING_ZERO, (int64_t)1 << 40, (int64_t)1 << 40), OVERFLOW);
#undef PAD
  CHECK(memcmp(&shape, &before, sizeof shape) == 0);

  /* Padding has no text. */
  const stride_xla_shape padded = padded_example();
  char buffer[16];
  uint64_t length;
  poison(buffer, sizeof buffer);
  poison(&length, sizeof length);
  CHECK_FAILS(record, stride_xla_shape_format(&padded, buffer, sizeof buffer, &length, &record),
              NOT_REPRESENTABLE, SHAPE, 0, 3, 2);
  CHECK_UNTOUCHED(buffer);
  CHECK_UNTOUCHED(length);
}

/* The fill is one element, as this machine stores the number, and then zeros. */
static void check_fill(const char *text, uint32_t kind, unsigned width, uint64_t number) {
  const uint16_t one = 1;
  const int is_little = *(const unsigned char *)&one;
  stride_xla_shape shape = shape_of(text);
  unsigned char *fill = heap(16);
  unsigned k;
  shape.padding_kind = kind;
  CHECK_OK(stride_xla_shape_padding_bytes(&shape, fill, NULL));
  for (k = 0; k < 16; k++) {
    const unsigned place = is_little ? k : width - 1 - k;
    CHECK_EQ(fill[k], k < width ? number >> 8 * place & 0xFF : 0);
  }
  free(fill);
}

static void padding_bytes(void) {
  check_fill("f32[2]", STRIDE_XLA_PADDING_ZERO, 4, 0);
  check_fill("f32[2]", STRIDE_XLA_PADDING_ONE, 4, 0x3F800000);
  check_fill("f32[2]", STRIDE_XLA_PADDING_LOWEST, 4, 0xFF800000); /* minus infinity */
  check_fill("f64[2]", STRIDE_XLA_PADDING_HIGHEST, 8, 0x7FF0000000000000);
  check_fill("s8[2]", STRIDE_XLA_PADDING_LOWEST, 1, 0x80);
  check_fill("u16[2]", STRIDE_XLA_PADDING_HIGHEST, 2, 0xFFFF);
  check_fill("s4[2]{0:E(4)}", STRIDE_XLA_PADDING_ONE, 1, 0x11);
  check_fill("s4[2]", STRIDE_XLA_PADDING_LOWEST, 1, 0xF8); /* -8 in a byte */
}

static void padding_without_a_number(void) {
  static const struct {
    const char *text;
    uint32_t kind;
  } all[] = {{"f32[2]", STRIDE_XLA_PADDING_NONE},
             {"f32[2]", STRIDE_XLA_PADDING_UNKNOWN},
             {"c64[2]", STRIDE_XLA_PADDING_LOWEST},
             {"f8e8m0fnu[2]", STRIDE_XLA_PADDING_ZERO}};
  for (size_t k = 0; k < COUNT(all); k++) {
    stride_xla_shape shape = shape_of(all[k].text);
    uint8_t fill[16];
    poison(fill, sizeof fill);
    shape.padding_kind = all[k].kind;
    CHECK_STATUS(stride_xla_shape_padding_bytes(&shape, fill, NULL), NOT_REPRESENTABLE);
    CHECK_UNTOUCHED(fill);
  }
}

/* The page's example: 2x3 padded to 3x5, dimension 0 fastest: a d 0 b e 0 c f 0 0 0 0 0 0 0. */
static void positions_in_a_padded_buffer(void) {
  static const int64_t rows[15] = {0, 1, -1, 0, 1, -1, 0, 1, -1, -1, -1, -1, -1, -1, -1};
  static const int64_t columns[15] = {0, 0, -1, 1, 1, -1, 2, 2, -1, -1, -1, -1, -1, -1, -1};
  const stride_xla_shape shape = padded_example();
  for (int64_t linear = 0; linear < 15; linear++) {
    int64_t index[2], back = -1;
    poison(index, sizeof index);
    if (rows[linear] < 0) {
      CHECK_STATUS(stride_xla_multi_index(&shape, linear, 2, index, NULL), NOT_REPRESENTABLE);
      CHECK_UNTOUCHED(index);
      continue;
    }
    CHECK_OK(stride_xla_multi_index(&shape, linear, 2, index, NULL));
    CHECK_EQ(index[0], rows[linear]);
    CHECK_EQ(index[1], columns[linear]);
    CHECK_OK(stride_xla_linear_index(&shape, 2, index, &back, NULL));
    CHECK_EQ(back, linear);
  }
}

static void positions_outside(void) {
  const stride_xla_shape shape = padded_example(), scalar = shape_of("f32[]");
  int64_t out[2];
  stride_error record;
  poison(out, sizeof out);
  CHECK_FAILS(record, stride_xla_multi_index(&shape, 15, 2, out, &record), INDEX_OUT_OF_RANGE, LINEAR, -1, 15, 15);
  CHECK_FAILS(record, stride_xla_multi_index(&shape, -1, 2, out, &record), INDEX_OUT_OF_RANGE, LINEAR, -1, -1, 15);
  CHECK_FAILS(record, stride_xla_linear_index(&shape, 2, LIST(1, 3), out, &record), INDEX_OUT_OF_RANGE, INDEX, 1, 3, 3);
  CHECK_UNTOUCHED(out);
  CHECK_OK(stride_xla_multi_index(&scalar, 0, 0, NULL, NULL));
  CHECK_OK(stride_xla_linear_index(&scalar, 0, NULL, out, NULL));
  CHECK_EQ(out[0], 0);
}

static stride_xla_shape with_tile(stride_xla_shape shape, uint32_t count, const int64_t *tile) {
  CHECK_OK(stride_xla_shape_add_tile(&shape, count, tile, NULL));
  return shape;
}

static void tiles_are_added(void) {
  stride_xla_shape shape = shape_of("f32[3,5]");
  shape = with_tile(with_tile(shape, 3, LIST(STRIDE_XLA_TILE_MERGE, 2, 2)), 1, LIST(4));
  CHECK_EQ(shape.tile_count, 2);
  CHECK_EQ(shape.tile_ranks[0], 3);
  CHECK_EQ(shape.tile_sizes[3], 4);
  CHECK(is_poisoned(&shape.tile_sizes[4], sizeof(int64_t)));
  CHECK_WRITES(write_shape, &shape, "f32[3,5]{1,0:T(*,2,2)(4)}");

  const stride_xla_shape before = shape;
  stride_error record;
#define ADD(count, ...) stride_xla_shape_add_tile(&shape, count, LIST(__VA_ARGS__), &record)
  CHECK_FAILS(record, ADD(2, 4, -1), INVALID_TILE, TILE, 1, -1, 1);
  CHECK_EQ(record.item, 2);
  CHECK_FAILS(record, ADD(1, STRIDE_XLA_TILE_MERGE), INVALID_TILE, TILE, 0, STRIDE_XLA_TILE_MERGE, 1);
  CHECK_FAILS(record, ADD(0, 1), INVALID_TILE, TILE, -1, 0, 1);
  CHECK_FAILS(record, ADD(2, (int64_t)1 << 40, (int64_t)1 << 40), OVERFLOW, TILE, -1, (int64_t)12 << 40, (int64_t)1 << 40);
#undef ADD
  CHECK(memcmp(&shape, &before, sizeof shape) == 0);
}

/* docs/tiled_layout.md: f32[3,5] by 2x2; element (2,3) is (1,1,0,1) of (2,3,2,2). */
static void positions_in_tiles(void) {
  const stride_xla_shape shape = with_tile(shape_of("f32[3,5]"), 2, LIST(2, 2));
  int64_t position = -1, index[2];
  stride_error record;
  CHECK_OK(stride_xla_linear_index(&shape, 2, LIST(2, 3), &position, NULL));
  CHECK_EQ(position, 17);
  CHECK_OK(stride_xla_multi_index(&shape, 17, 2, index, NULL));
  CHECK_EQ(index[0], 2);
  CHECK_EQ(index[1], 3);
  poison(index, sizeof index);
  CHECK_FAILS(record, stride_xla_multi_index(&shape, 14, 2, index, &record), NOT_REPRESENTABLE, LINEAR, -1, 3, 3);
  CHECK_EQ(record.item, 0);
  CHECK_FAILS(record, stride_xla_multi_index(&shape, 24, 2, index, &record), INDEX_OUT_OF_RANGE, LINEAR, -1, 24, 24);
  CHECK_UNTOUCHED(index);
}

static void sizes_of_tiled_shapes(void) {
  static const struct {
    const char *text;
    uint64_t bytes, data, dense;
    double factor;
    uint32_t untiled;
  } all[] = {
      {"f32[3,5]{1,0:T(2,2)}", 96, 84, 60, 1.6, 0},
      {"f32[3,5]", 60, 60, 60, 1, 1},
      {"f32[]{:T(256)}", 1024, 4, 4, 256, 0},
      {"u8[3,4]{1,0:T(4,4)(2,1)}", 16, 15, 12, 16.0 / 12, 0},
      {"f32[24,128]{1,0:T(8,128)}", 12288, 12288, 12288, 1, 1},
      {"s4[3]{0:T(8)E(4)}", 4, 2, 2, 2, 0},
      {"f32[0,5]{1,0:T(8,128)}", 0, 0, 0, 1, 1},
  };
  for (size_t k = 0; k < COUNT(all); k++) {
    const stride_xla_shape shape = shape_of(all[k].text);
    uint64_t data = 0, dense = 0;
    double factor = 0;
    uint32_t untiled = 9;
    CHECK_EQ(shape_bytes(shape), all[k].bytes);
    CHECK_OK(stride_xla_shape_data_byte_size(&shape, &data, NULL));
    CHECK_EQ(data, all[k].data);
    CHECK_OK(stride_xla_shape_dense_byte_size(&shape, &dense, NULL));
    CHECK_EQ(dense, all[k].dense);
    CHECK_OK(stride_xla_shape_expansion_factor(&shape, &factor, NULL));
    CHECK(factor == all[k].factor);
    CHECK_OK(stride_xla_shape_is_untiled(&shape, &untiled, NULL));
    CHECK_EQ(untiled, all[k].untiled);
  }
}

/* The tiles merge columns that the second one cuts in unequal pieces, and there are too many elements to try. */
static void untiled_is_undecided(void) {
  const stride_xla_shape shape = shape_of("u8[1023,1024]{0,1:T(*,1)(*,2)}");
  stride_layout layout;
  uint32_t untiled;
  stride_error record;
  poison(&layout, sizeof layout);
  poison(&untiled, sizeof untiled);
  CHECK_FAILS(record, stride_xla_shape_is_untiled(&shape, &untiled, &record), UNDECIDED, SHAPE, -1, 256, 1023 << 10);
  CHECK_STATUS(stride_layout_from_xla(&shape, &layout, NULL), UNDECIDED);
  CHECK_UNTOUCHED(untiled);
  CHECK_UNTOUCHED(layout);
}

static void layouts_of_tiled_shapes(void) {
  stride_xla_shape shape = shape_of("f32[24,128]{1,0:T(8,128)}");
  stride_layout out;
  stride_error record;
  CHECK_OK(stride_layout_from_xla(&shape, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 0, 2, LIST(24, 128), LIST(128, 1));
  shape = with_tile(shape, 2, LIST(2, 1));
  poison(&out, sizeof out);
  CHECK_FAILS(record, stride_layout_from_xla(&shape, &out, &record), NOT_REPRESENTABLE, SHAPE, -1, 2, 1);
  CHECK_EQ(record.item, 1);
  CHECK_UNTOUCHED(out);
}

static void dimensions_without_a_bound(void) {
  stride_xla_shape shape = shape_of("f32[2,?]{0,1}");
  CHECK_EQ(shape.sizes[1], STRIDE_XLA_UNBOUNDED);
  CHECK_EQ(shape.dynamic_dimensions, 2);
  CHECK_OK(stride_xla_shape_validate(&shape, NULL));
  CHECK_OK(stride_xla_shape_set_element_bits(&shape, 64, NULL));
  shape = with_tile(shape, 2, LIST(8, 128));
  CHECK_WRITES(write_shape, &shape, "f32[2,?]{0,1:T(8,128)E(64)}");

  stride_error record;
  stride_layout layout;
  struct {
    int64_t numbers[2];
    uint64_t bytes;
    double factor;
    uint32_t word;
  } out;
  poison(&out, sizeof out);
  poison(&layout, sizeof layout);
#define UNBOUNDED(call) CHECK_FAILS(record, call, UNSUPPORTED, SHAPE, 1, STRIDE_XLA_UNBOUNDED, INT64_MAX)
  UNBOUNDED(stride_xla_shape_byte_size(&shape, &out.bytes, &record));
  UNBOUNDED(stride_xla_shape_data_byte_size(&shape, &out.bytes, &record));
  UNBOUNDED(stride_xla_shape_dense_byte_size(&shape, &out.bytes, &record));
  UNBOUNDED(stride_xla_shape_expansion_factor(&shape, &out.factor, &record));
  UNBOUNDED(stride_xla_shape_is_untiled(&shape, &out.word, &record));
  UNBOUNDED(stride_xla_shape_true_rank(&shape, &out.word, &record));
  UNBOUNDED(stride_xla_linear_index(&shape, 2, LIST(0, 0), out.numbers, &record));
  UNBOUNDED(stride_xla_multi_index(&shape, 0, 2, out.numbers, &record));
  UNBOUNDED(stride_layout_from_xla(&shape, &layout, &record));
#undef UNBOUNDED
  CHECK_UNTOUCHED(out);
  CHECK_UNTOUCHED(layout);
  CHECK_FAILS(record, stride_xla_shape_set_padding(&shape, 2, LIST(2, 8), STRIDE_XLA_PADDING_ZERO, &record),
              INVALID_SIZE, PADDED_SIZES, 1, 8, STRIDE_XLA_UNBOUNDED);
}

static void layouts_of_shapes(void) {
  stride_layout out;
  stride_xla_shape shape = shape_of("f32[2,3]{0,1}");
  CHECK_OK(stride_layout_from_xla(&shape, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), LIST(1, 2));
  shape = padded_example();
  CHECK_OK(stride_layout_from_xla(&shape, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), LIST(1, 3));
  shape = shape_of("s4[8]"); /* one per byte */
  CHECK_OK(stride_layout_from_xla(&shape, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_S8, 0, 1, LIST(8), LIST(1));
  shape = shape_of("s4[8]{0:E(4)}"); /* packed elements begin with the low bits */
  CHECK_OK(stride_layout_from_xla(&shape, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_S4, 0, 1, LIST(8), LIST(1));
}

/* The order of XLA before 2025: no text says it, it goes along in the flags. */
static void high_bits_first(void) {
  const stride_xla_shape low = shape_of("s4[3,5]{0,1:E(4)}");
  stride_xla_shape high = low, out;
  stride_layout layout;
  stride_error record;
  char buffer[32];
  uint64_t length;
  uint32_t answer = 7;
  high.flags = STRIDE_XLA_SHAPE_HIGH_FIRST;
  CHECK_OK(stride_xla_shape_validate(&high, NULL));
  CHECK_EQ(shape_bytes(high), 8);
  poison(buffer, sizeof buffer);
  poison(&length, sizeof length);
  CHECK_FAILS(record, stride_xla_shape_format(&high, buffer, sizeof buffer, &length, &record), NOT_REPRESENTABLE, FLAGS,
              -1, STRIDE_XLA_SHAPE_HIGH_FIRST, 0);
  CHECK_UNTOUCHED(buffer);
  CHECK_UNTOUCHED(length);

  CHECK_OK(stride_layout_from_xla(&high, &layout, NULL));
  CHECK_LAYOUT(layout, STRIDE_DTYPE_S4 | STRIDE_DTYPE_HIGH_FIRST, 0, 2, LIST(3, 5), LIST(1, 3));
  poison(&out, sizeof out);
  CHECK_OK(stride_layout_to_xla(&layout, &out, NULL));
  CHECK_EQ(out.dtype, STRIDE_DTYPE_S4);
  CHECK_EQ(out.element_bits, 4);
  CHECK_EQ(out.flags, STRIDE_XLA_SHAPE_HIGH_FIRST);
  CHECK_OK(stride_xla_shapes_equal(&out, &high, 0, &answer, NULL));
  CHECK_EQ(answer, 1);

  /* It is part of the layout, and no buffer of one order can be taken for one of the other. */
  CHECK_OK(stride_xla_shapes_equal(&low, &high, 0, &answer, NULL));
  CHECK_EQ(answer, 0);
  CHECK_OK(stride_xla_shapes_equal(&low, &high, STRIDE_XLA_IGNORE_LAYOUT, &answer, NULL));
  CHECK_EQ(answer, 1);
  CHECK_OK(stride_xla_reshape_is_bitcast(&low, &high, &answer, NULL));
  CHECK_EQ(answer, 0);
  CHECK_OK(stride_xla_reshape_is_bitcast(&high, &high, &answer, NULL));
  CHECK_EQ(answer, 1);
  CHECK_OK(stride_xla_shape_permute(&high, 2, LIST(1, 0), &out, NULL));
  CHECK_EQ(out.flags, STRIDE_XLA_SHAPE_HIGH_FIRST);
  CHECK_OK(stride_xla_transpose_is_bitcast(&high, &out, 2, LIST(1, 0), &answer, NULL));
  CHECK_EQ(answer, 1);
  out.flags = 0;
  CHECK_OK(stride_xla_transpose_is_bitcast(&high, &out, 2, LIST(1, 0), &answer, NULL));
  CHECK_EQ(answer, 0);

  /* Where a byte holds one element there is no order: layouts and buffers do not change. */
  const stride_xla_shape wide = shape_of("s4[8]");
  stride_xla_shape flagged = wide;
  flagged.flags = STRIDE_XLA_SHAPE_HIGH_FIRST;
  CHECK_OK(stride_layout_from_xla(&flagged, &layout, NULL));
  CHECK_LAYOUT(layout, STRIDE_DTYPE_S8, 0, 1, LIST(8), LIST(1));
  CHECK_OK(stride_xla_reshape_is_bitcast(&wide, &flagged, &answer, NULL));
  CHECK_EQ(answer, 1);
}

/* A position is the same in either order; what it means in bits is the layout's. */
static void positions_of_nibbles(void) {
  stride_xla_shape shape = shape_of("u4[3,5]{0,1:E(4)}");
  for (uint32_t flags = 0; flags <= STRIDE_XLA_SHAPE_HIGH_FIRST; flags++) {
    stride_layout layout;
    shape.flags = flags;
    CHECK_OK(stride_layout_from_xla(&shape, &layout, NULL));
    CHECK_EQ(layout.dtype, STRIDE_DTYPE_U4 | (flags ? STRIDE_DTYPE_HIGH_FIRST : 0));
    for (int64_t i = 0; i < 15; i++) {
      const int64_t index[2] = {i % 3, i / 3};
      int64_t position = -1, byte = -1;
      uint32_t bit = 99;
      CHECK_OK(stride_xla_linear_index(&shape, 2, index, &position, NULL));
      CHECK_EQ(position, i);
      CHECK_OK(stride_layout_byte_offset(&layout, 2, index, &byte, &bit, NULL));
      CHECK_EQ(byte, i / 2);
      CHECK_EQ(bit, i % 2 * 4);
    }
  }
}

/* All of a shape for people: XLA's text, and after it what that cannot say. */
static void shapes_are_described(void) {
  static const char *const texts[] = {"f32[]", "f32[2,3]{0,1}", "f32[?,<=8]{1,0}", "s4[8]{0:E(4)}",
                                      "bf16[8,2,3,1004]{3,2,1,0:T(2,*,*,128)(2,1)L(4)E(32)S(1)}"};
  static const char *const kinds[] = {"", ", zeros in the padding", ", ones in the padding",
                                      ", the lowest number in the padding", ", the highest number in the padding",
                                      ", anything in the padding"};
  for (size_t k = 0; k < COUNT(texts); k++) {
    const stride_xla_shape shape = shape_of(texts[k]);
    CHECK_WRITES(describe_shape, &shape, texts[k]);
  }
  for (uint32_t kind = STRIDE_XLA_PADDING_NONE; kind <= STRIDE_XLA_PADDING_UNKNOWN; kind++) {
    stride_xla_shape shape = shape_of("f32[2,3]");
    char expected[100];
    CHECK_OK(stride_xla_shape_set_padding(&shape, 2, LIST(4, 128), kind, NULL));
    sprintf(expected, "f32[2,3]{1,0}, padded to [4,128]%s", kinds[kind]);
    CHECK_WRITES(describe_shape, &shape, expected);
  }
  stride_xla_shape shape = shape_of("s4[2,3]{1,0:T(2,2)E(4)}");
  shape.flags = STRIDE_XLA_SHAPE_HIGH_FIRST;
  CHECK_WRITES(describe_shape, &shape, "s4[2,3]{1,0:T(2,2)E(4)}, high bits first");
  CHECK_OK(stride_xla_shape_set_padding(&shape, 2, LIST(2, 5), STRIDE_XLA_PADDING_LOWEST, NULL));
  CHECK_WRITES(describe_shape, &shape,
               "s4[2,3]{1,0:T(2,2)E(4)}, padded to [2,5], the lowest number in the padding, high bits first");

  /* What is no shape is not described. */
  stride_error record;
  char buffer[8];
  uint64_t length;
  poison(buffer, sizeof buffer);
  poison(&length, sizeof length);
  shape.sizes[1] = -3;
  CHECK_FAILS(record, stride_xla_shape_describe(&shape, buffer, sizeof buffer, &length, &record), INVALID_SIZE, SHAPE, 1,
              -3, 0);
  CHECK_UNTOUCHED(buffer);
  CHECK_UNTOUCHED(length);
}

static void shapes_of_layouts(void) {
  stride_xla_shape shape;
  stride_layout layout = layout_of(STRIDE_DTYPE_F32, 0, 4, LIST(2, 3, 4, 5), LIST(60, 1, 15, 3));
  CHECK_OK(stride_layout_to_xla(&layout, &shape, NULL));
  CHECK_WRITES(write_shape, &shape, "f32[2,3,4,5]{1,3,2,0}");
  layout = layout_of(STRIDE_DTYPE_S4, 0, 1, LIST(8), NULL);
  CHECK_OK(stride_layout_to_xla(&layout, &shape, NULL));
  CHECK_WRITES(write_shape, &shape, "s4[8]{0:E(4)}");

  /* Rows of 3 at a pitch of 5. */
  layout = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), LIST(5, 1));
  CHECK_OK(stride_layout_to_xla_padded(&layout, &shape, NULL));
  CHECK_EQ(shape.padded_sizes[0], 2);
  CHECK_EQ(shape.padded_sizes[1], 5);
  CHECK_EQ(shape.padding_kind, STRIDE_XLA_PADDING_UNKNOWN);
  stride_layout back;
  CHECK_OK(stride_layout_from_xla(&shape, &back, NULL));
  CHECK_LAYOUT(back, STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), LIST(5, 1));
}

static void layouts_that_have_no_shape(void) {
  const stride_layout none[] = {
      layout_of(STRIDE_DTYPE_F32, 1, 2, LIST(2, 3), NULL),
      layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), LIST(0, 1)),
      layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), LIST(3, -1)),
      layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), LIST(7, 2)),
      layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(4, 4), LIST(3, 1)),
  };
  const stride_layout pitched = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), LIST(5, 1));
  const stride_layout plain = layout_of(STRIDE_DTYPE_BYTES | 4, 0, 1, LIST(2), NULL);
  stride_xla_shape out;
  poison(&out, sizeof out);
  for (size_t k = 0; k < COUNT(none); k++) {
    CHECK_STATUS(stride_layout_to_xla(&none[k], &out, NULL), NOT_REPRESENTABLE);
    CHECK_STATUS(stride_layout_to_xla_padded(&none[k], &out, NULL), NOT_REPRESENTABLE);
  }
  CHECK_STATUS(stride_layout_to_xla(&pitched, &out, NULL), NOT_REPRESENTABLE);
  CHECK_STATUS(stride_layout_to_xla(&plain, &out, NULL), INVALID_DTYPE);
  CHECK_STATUS(stride_layout_to_xla_padded(&plain, &out, NULL), INVALID_DTYPE);
  CHECK_UNTOUCHED(out);
}

static const test tests[] = {
    TEST(a_new_shape),
    TEST(what_init_refuses),
    TEST(texts_come_back),
    TEST(texts_are_read_freely),
    TEST(texts_that_are_no_shape),
    TEST(texts_for_later_versions),
    TEST(validate_names_what_is_wrong),
    TEST(byte_sizes),
    TEST(element_bits),
    TEST(true_ranks),
    TEST(padding_is_refused),
    TEST(padding_bytes),
    TEST(padding_without_a_number),
    TEST(positions_in_a_padded_buffer),
    TEST(positions_outside),
    TEST(tiles_are_added),
    TEST(positions_in_tiles),
    TEST(sizes_of_tiled_shapes),
    TEST(untiled_is_undecided),
    TEST(layouts_of_tiled_shapes),
    TEST(dimensions_without_a_bound),
    TEST(layouts_of_shapes),
    TEST(high_bits_first),
    TEST(positions_of_nibbles),
    TEST(shapes_are_described),
    TEST(shapes_of_layouts),
    TEST(layouts_that_have_no_shape),
};

int main(void) { return RUN(tests); }
