/* Sections "XLA: rearranging shapes" and "XLA: two shapes". Examples of xla/shape_util_test.cc and
 * shape_inference_test.cc; the rules in depth are in tests/xla_algebra.rs. */
#include "check.h"

TEXT_FUNCTION(write_shape, stride_xla_shape_format, (const stride_xla_shape *))

/* A shape that a call made. */
#define CHECK_SHAPE(call_with_out, text)                                                                             \
  do {                                                                                                               \
    stride_xla_shape out;                                                                                            \
    poison(&out, sizeof out);                                                                                        \
    CHECK_OK(call_with_out);                                                                                         \
    CHECK_WRITES(write_shape, &out, text);                                                                           \
  } while (0)

static void permuted_and_descending(void) {
  stride_xla_shape shape = shape_of("f32[2,<=3,4]{1,0,2:S(1)}");
  CHECK_SHAPE(stride_xla_shape_permute(&shape, 3, LIST(2, 0, 1), &out, NULL), "f32[4,2,<=3]{2,1,0:S(1)}");
  CHECK_SHAPE(stride_xla_shape_permute(&shape, 3, LIST(-1, 0, 1), &out, NULL), "f32[4,2,<=3]{2,1,0:S(1)}");
  CHECK_SHAPE_FAILS(stride_xla_shape_permute(&shape, 3, LIST(2, 0, 2), &out, &record), INVALID_AXES, AXES, 2, 2, 3);
  CHECK_SHAPE_FAILS(stride_xla_shape_permute(&shape, 3, LIST(3, 0, 1), &out, &record), INVALID_AXES, AXES, 0, 3, 3);
  shape = shape_of("f32[128,24,4,48,48]{2,4,3,1,0}");
  CHECK_SHAPE(stride_xla_shape_descending(&shape, &out, NULL), "f32[128,24,48,48,4]{4,3,2,1,0}");
  CHECK_OK(stride_xla_shape_descending(&shape, &shape, NULL)); /* in place */
  CHECK_WRITES(write_shape, &shape, "f32[128,24,48,48,4]{4,3,2,1,0}");
}

static void tiles_and_padding_go_along(void) {
  stride_xla_shape shape = shape_of("f32[2,3]"), out;
  CHECK_OK(stride_xla_shape_set_padding(&shape, 2, LIST(4, 5), STRIDE_XLA_PADDING_ZERO, NULL));
  CHECK_OK(stride_xla_shape_add_tile(&shape, 2, LIST(2, 4), NULL));
  poison(&out, sizeof out);
  CHECK_OK(stride_xla_shape_permute(&shape, 2, LIST(1, 0), &out, NULL));
  CHECK_EQ(out.padded_sizes[0], 5);
  CHECK_EQ(out.padded_sizes[1], 4);
  CHECK_EQ(out.padding_kind, STRIDE_XLA_PADDING_ZERO);
  CHECK_EQ(out.minor_to_major[0], 0);
  CHECK_EQ(out.tile_count, 1);
  CHECK_EQ(out.tile_ranks[0], 2);
  CHECK_EQ(out.tile_sizes[1], 4);
  uint32_t answer = 7;
  CHECK_OK(stride_xla_transpose_is_bitcast(&shape, &out, 2, LIST(1, 0), &answer, NULL));
  CHECK_EQ(answer, 1);
  CHECK_OK(stride_xla_shape_prepend_major(&shape, 4, &out, NULL));
  CHECK_EQ(out.padded_sizes[2], 5);
  CHECK_EQ(out.tile_ranks[0], 2);
}

static void deleted(void) {
  stride_xla_shape shape = shape_of("f32[5,3,2]{2,0,1}");
  CHECK_SHAPE(stride_xla_shape_delete_dimensions(&shape, 1, LIST(1), &out, NULL), "f32[5,2]{1,0}");
  CHECK_SHAPE(stride_xla_shape_delete_dimensions(&shape, 0, NULL, &out, NULL), "f32[5,3,2]{2,0,1}");
  CHECK_SHAPE_FAILS(stride_xla_shape_delete_dimensions(&shape, 2, LIST(1, 1), &out, &record), INVALID_AXES, DIMENSIONS, 1, 1,
                    3);
  CHECK_SHAPE_FAILS(stride_xla_shape_delete_dimensions(&shape, 65, LIST(1), &out, &record), INVALID_RANK, COUNT, -1, 65,
                    64);
  shape = shape_of("f32[5,3,2,7,9]{2,0,1,4,3}");
  CHECK_SHAPE(stride_xla_shape_delete_dimensions(&shape, 3, LIST(3, 2, 1), &out, NULL), "f32[5,9]{0,1}");
  shape = shape_of("f32[4,1]");
  CHECK_OK(stride_xla_shape_set_padding(&shape, 2, LIST(4, 3), STRIDE_XLA_PADDING_UNKNOWN, NULL));
  CHECK_SHAPE_FAILS(stride_xla_shape_delete_dimensions(&shape, 1, LIST(1), &out, &record), NOT_REPRESENTABLE, SHAPE, 1,
                    3, 1);
  /* Padding that holds no element, as a size is 0: the deleted dimension's goes to one that has as much. */
  shape = shape_of("f32[0,1,1]");
  CHECK_OK(stride_xla_shape_set_padding(&shape, 3, LIST(0, (int64_t)1 << 40, (int64_t)1 << 40), STRIDE_XLA_PADDING_UNKNOWN,
                                        NULL));
  CHECK_SHAPE_FAILS(stride_xla_shape_delete_dimensions(&shape, 1, LIST(1), &out, &record), OVERFLOW, SHAPE, -1,
                    (int64_t)1 << 40, (int64_t)1 << 40);
}

static void inserted(void) {
  const stride_xla_shape shape = shape_of("f32[10,20,30]{0,2,1}");
  CHECK_SHAPE(stride_xla_shape_prepend_major(&shape, 40, &out, NULL), "f32[40,10,20,30]{1,3,2,0}");
  CHECK_SHAPE_FAILS(stride_xla_shape_prepend_major(&shape, -1, &out, &record), INVALID_SIZE, SIZE, -1, -1, 0);
  const stride_xla_shape ones = shape_of("f32[1,1,16,1,279]{4,0,1,2,3}");
  uint32_t answer = 7;
  CHECK_OK(stride_xla_shape_is_most_major(&ones, 2, &answer, NULL));
  CHECK_EQ(answer, 1);
  CHECK_OK(stride_xla_shape_is_most_major(&ones, 1, &answer, NULL));
  CHECK_EQ(answer, 0);
}

static uint32_t equal(const char *lhs, const char *rhs, uint32_t flags) {
  const stride_xla_shape left = shape_of(lhs), right = shape_of(rhs);
  uint32_t answer = 7;
  CHECK_OK(stride_xla_shapes_equal(&left, &right, flags, &answer, NULL));
  return answer;
}

static void equality(void) {
  CHECK_EQ(equal("f32[2,3]", "f32[2,3]{1,0}", 0), 1);
  CHECK_EQ(equal("f32[2,3]", "f32[2,3]{0,1}", STRIDE_XLA_MINOR_TO_MAJOR_ONLY), 0);
  CHECK_EQ(equal("f32[2,3]", "f32[2,3]{0,1:L(8)}", STRIDE_XLA_IGNORE_LAYOUT), 1);
  CHECK_EQ(equal("f32[2]", "f32[2]{0:L(8)E(64)S(1)}", STRIDE_XLA_MINOR_TO_MAJOR_ONLY), 1);
  CHECK_EQ(equal("f32[2]", "f32[2]{0:E(64)}", STRIDE_XLA_IGNORE_ELEMENT_BITS), 1);
  CHECK_EQ(equal("f32[2]", "f32[2]{0:L(8)}", STRIDE_XLA_IGNORE_TAIL_ALIGNMENT), 1);
  CHECK_EQ(equal("f32[2]", "f32[2]{0:S(1)}", STRIDE_XLA_IGNORE_MEMORY_SPACE), 1);
  CHECK_EQ(equal("f32[2]", "f32[<=2]", STRIDE_XLA_IGNORE_DYNAMIC), 1);
  CHECK_EQ(equal("f32[2]", "s32[2]", STRIDE_XLA_IGNORE_ELEMENT_TYPE), 1);
  CHECK_EQ(equal("f32[2]", "f16[2]", STRIDE_XLA_IGNORE_FLOAT_PRECISION), 1);
  CHECK_EQ(equal("f32[2]", "s32[2]", STRIDE_XLA_IGNORE_FLOAT_PRECISION), 0);
  CHECK_EQ(equal("f32[2]", "f32[3]", STRIDE_XLA_IGNORE_SIZES), 1);
  CHECK_EQ(STRIDE_XLA_MINOR_TO_MAJOR_ONLY, STRIDE_XLA_IGNORE_TILES | STRIDE_XLA_IGNORE_ELEMENT_BITS |
                                               STRIDE_XLA_IGNORE_TAIL_ALIGNMENT | STRIDE_XLA_IGNORE_MEMORY_SPACE |
                                               STRIDE_XLA_IGNORE_PADDING);
  const stride_xla_shape shape = shape_of("f32[2]");
  stride_error record;
  uint32_t answer = 7;
  CHECK_FAILS(record, stride_xla_shapes_equal(&shape, &shape, 1024, &answer, &record), INVALID_ARGUMENT, FLAGS, -1, 1024,
              1023);
  CHECK_EQ(answer, 7);
}

static uint32_t reshape(const char *in, const char *out) {
  const stride_xla_shape from = shape_of(in), to = shape_of(out);
  uint32_t answer = 7;
  CHECK_OK(stride_xla_reshape_is_bitcast(&from, &to, &answer, NULL));
  return answer;
}

static void bitcasts(void) {
  CHECK_EQ(reshape("f32[3,4]{1,0}", "f32[6,2]{1,0}"), 1);
  CHECK_EQ(reshape("f32[3,4]{0,1}", "f32[6,2]{0,1}"), 0);
  CHECK_EQ(reshape("f32[3,2,2]{1,0,2}", "f32[6,2]{0,1}"), 1);
  CHECK_EQ(reshape("f32[3,2,2]{1,0,2}", "f16[6,2]{0,1}"), 0);
  CHECK_EQ(reshape("s4[6]{0:E(4)}", "s4[6]"), 0);
  CHECK_EQ(reshape("f32[2,0]", "f32[0,3]"), 1);
  CHECK_EQ(reshape("f32[6]", "f32[7]"), 0);
  stride_xla_shape in = shape_of("f32[1,5]{1,0}"), out = shape_of("f32[5,1]{1,0}");
  uint32_t answer = 7;
  CHECK_OK(stride_xla_transpose_is_bitcast(&in, &out, 2, LIST(1, 0), &answer, NULL));
  CHECK_EQ(answer, 1);
  CHECK_OK(stride_xla_transpose_is_bitcast(&in, &out, 2, LIST(0, 1), &answer, NULL));
  CHECK_EQ(answer, 0);
  in = shape_of("f32[10,5]{0,1}");
  out = shape_of("f32[5,10]{0,1}");
  CHECK_OK(stride_xla_reshape_or_transpose_is_bitcast(&in, &out, &answer, NULL));
  CHECK_EQ(answer, 0);
  out = shape_of("f32[5,10]{1,0}");
  CHECK_OK(stride_xla_reshape_or_transpose_is_bitcast(&in, &out, &answer, NULL));
  CHECK_EQ(answer, 1);
  stride_error record;
  answer = 7;
  CHECK_FAILS(record, stride_xla_transpose_is_bitcast(&in, &out, 2, LIST(0, 0), &answer, &record), INVALID_AXES, AXES, 1, 0,
              2);
  out.sizes[0] = -1;
  CHECK_FAILS(record, stride_xla_reshape_is_bitcast(&in, &out, &answer, &record), INVALID_SIZE, OUT_SHAPE, 0, -1, 0);
  CHECK_FAILS(record, stride_xla_reshape_is_bitcast(&out, &in, &answer, &record), INVALID_SIZE, IN_SHAPE, 0, -1, 0);
  CHECK_EQ(answer, 7);
}

static void decomposed(void) {
  const stride_xla_shape in = shape_of("f32[16,3,17]{1,2,0}"), out = shape_of("f32[16,51]{0,1}");
  stride_xla_shape transposed, reshaped;
  int64_t axes[3] = {7, 7, 7}, out_axes[2] = {7, 7};
  uint32_t kind = 7;
  poison(&transposed, sizeof transposed);
  poison(&reshaped, sizeof reshaped);
  CHECK_OK(stride_xla_bitcast_decompose(&in, &out, &kind, 3, axes, &transposed, &reshaped, 2, out_axes, NULL));
  CHECK_EQ(kind, STRIDE_XLA_BITCAST_TRANSPOSE_RESHAPE_TRANSPOSE);
  CHECK(memcmp(axes, LIST(0, 2, 1), sizeof axes) == 0);
  CHECK(memcmp(out_axes, LIST(1, 0), sizeof out_axes) == 0);
  CHECK_WRITES(write_shape, &transposed, "f32[16,17,3]{2,1,0}");
  CHECK_WRITES(write_shape, &reshaped, "f32[51,16]{1,0}");

  const stride_xla_shape reversed = shape_of("f32[3,17,16]{0,1,2}");
  CHECK_OK(stride_xla_bitcast_decompose(&in, &reversed, &kind, 3, axes, &transposed, &reshaped, 3, axes, NULL));
  CHECK_EQ(kind, STRIDE_XLA_BITCAST_TRANSPOSE);
  CHECK_OK(stride_xla_transpose_axes(&in, &reversed, 3, axes, NULL));
  CHECK(memcmp(axes, LIST(1, 2, 0), sizeof axes) == 0);
  CHECK_STATUS(stride_xla_transpose_axes(&in, &out, 2, axes, NULL), NOT_REPRESENTABLE);

  const stride_xla_shape other = shape_of("f32[815]");
  stride_error record;
  poison(&transposed, sizeof transposed);
  kind = 7;
  CHECK_FAILS(record, stride_xla_bitcast_decompose(&in, &other, &kind, 3, axes, &transposed, &reshaped, 1, out_axes, &record),
              NOT_REPRESENTABLE, OUT_SHAPE, -1, 0, 0);
  CHECK_EQ(kind, 7);
  CHECK_UNTOUCHED(transposed);
}

static void aligned(void) {
  const stride_xla_shape shape = shape_of("f32[3,8,5,7,11]{3,2,1,0,4}");
  CHECK_SHAPE(stride_xla_shape_align(&shape, 6, LIST(4, 3, 2, 7, 5, 11), &out, NULL),
              "f32[4,3,2,7,5,11]{4,3,2,1,0,5}");
  CHECK_SHAPE_FAILS(stride_xla_shape_align(&shape, 5, LIST(4, 3, 2, 5, 77), &out, &record), NOT_REPRESENTABLE, SHAPE, -1,
                    9240, 0);
  CHECK_SHAPE_FAILS(stride_xla_shape_align(&shape, 1, LIST(4), &out, &record), SHAPE_MISMATCH, SIZES, -1, 4, 9240);
}

static void broadcast_shapes(void) {
  const stride_xla_shape matrix = shape_of("f32[16,<=8]{0,1}"), row = shape_of("f32[8]"), column = shape_of("f32[16]");
  CHECK_SHAPE(stride_xla_shape_broadcast(&matrix, &row, 1, LIST(1), &out, NULL), "f32[16,<=8]{1,0}");
  CHECK_SHAPE(stride_xla_shape_broadcast(&column, &matrix, 1, LIST(0), &out, NULL), "f32[16,<=8]{1,0}");
  CHECK_SHAPE(stride_xla_shape_broadcast(&matrix, &matrix, 0, NULL, &out, NULL), "f32[16,<=8]{0,1}");
  CHECK_SHAPE_FAILS(stride_xla_shape_broadcast(&matrix, &row, 1, LIST(0), &out, &record), BROADCAST_MISMATCH, RHS, 0,
                    16, 8);
  CHECK_SHAPE_FAILS(stride_xla_shape_broadcast(&matrix, &row, 0, NULL, &out, &record), INVALID_RANK,
                    COUNT, -1, 0, 1);
  const stride_xla_shape bounded = shape_of("f32[<=1]");
  CHECK_SHAPE_FAILS(stride_xla_shape_broadcast(&bounded, &matrix, 1, LIST(0), &out, &record), BROADCAST_MISMATCH, RHS,
                    0, 1, 16);
  const stride_xla_shape integers = shape_of("s32[16,8]");
  CHECK_SHAPE_FAILS(stride_xla_shape_broadcast(&matrix, &integers, 0, NULL, &out, &record), DTYPE_MISMATCH, RHS, -1,
                    STRIDE_DTYPE_S32, STRIDE_DTYPE_F32);
}

static const test tests[] = {
    TEST(permuted_and_descending), TEST(tiles_and_padding_go_along),
    TEST(deleted),                 TEST(inserted),
    TEST(equality),                TEST(bitcasts),
    TEST(decomposed),              TEST(aligned),
    TEST(broadcast_shapes),
};

int main(void) { return RUN(tests); }
