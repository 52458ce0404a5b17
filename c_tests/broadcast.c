/* Section "Broadcasting": NumPy's rule (numpy.broadcast_shapes) and XLA's (docs/broadcasting.md), their examples. */
#include "check.h"

static void numpy_sizes(void) {
  uint32_t rank = 99;
  int64_t sizes[STRIDE_MAX_RANK + 1];
  poison(sizes, sizeof sizes);
  CHECK_OK(stride_broadcast_sizes(2, LIST32(3, 2), LIST(7, 1, 5, 2, 1), &rank, sizes, NULL));
  CHECK_EQ(rank, 3);
  CHECK_EQ(sizes[0], 7);
  CHECK_EQ(sizes[1], 2);
  CHECK_EQ(sizes[2], 5);
  CHECK(is_poisoned(&sizes[3], sizeof(int64_t)));
  /* 1 stretches, also to 0. */
  CHECK_OK(stride_broadcast_sizes(3, LIST32(1, 0, 2), LIST(1, 4, 0), &rank, sizes, NULL));
  CHECK_EQ(rank, 2);
  CHECK_EQ(sizes[0], 4);
  CHECK_EQ(sizes[1], 0);
}

static void no_shapes_give_rank_zero(void) {
  uint32_t rank = 99;
  int64_t sizes[STRIDE_MAX_RANK];
  poison(sizes, sizeof sizes);
  CHECK_OK(stride_broadcast_sizes(0, NULL, NULL, &rank, sizes, NULL));
  CHECK_EQ(rank, 0);
  CHECK_OK(stride_broadcast_sizes(2, LIST32(0, 0), NULL, &rank, sizes, NULL));
  CHECK_EQ(rank, 0);
  CHECK_UNTOUCHED(sizes);
  CHECK_OK(stride_broadcast_layouts(0, NULL, NULL, NULL));
}

static void sizes_that_do_not_broadcast(void) {
  const int64_t big = (int64_t)1 << 40;
  uint32_t rank;
  int64_t sizes[STRIDE_MAX_RANK];
  stride_error record;
  poison(&rank, sizeof rank);
  poison(sizes, sizeof sizes);
#define SIZES(count, ranks, ...) stride_broadcast_sizes(count, ranks, LIST(__VA_ARGS__), &rank, sizes, &record)
  CHECK_FAILS(record, SIZES(2, LIST32(2, 1), 2, 3, 4), BROADCAST_MISMATCH, SIZES, 1, 3, 4);
  CHECK_EQ(record.item, 1);
  CHECK_FAILS(record, SIZES(3, LIST32(1, 1, 1), 1, 0, 2), BROADCAST_MISMATCH, SIZES, 0, 0, 2);
  CHECK_EQ(record.item, 2);
  CHECK_FAILS(record, SIZES(2, LIST32(1, 2), 2, 3, -1), INVALID_SIZE, SIZES, 1, -1, 0);
  CHECK_EQ(record.item, 1);
  CHECK_FAILS(record, SIZES(2, LIST32(1, 65), 2, 3), INVALID_RANK, RANKS, -1, 65, 64);
  CHECK_EQ(record.item, 1);
  CHECK_STATUS(SIZES(2, LIST32(2, 1), big, 1, big), OVERFLOW);
#undef SIZES
  CHECK_UNTOUCHED(rank);
  CHECK_UNTOUCHED(sizes);
}

static void numpy_layouts(void) {
  stride_layout in[2] = {layout_of(STRIDE_DTYPE_F32, 3, 3, LIST(7, 1, 5), NULL),
                         layout_of(STRIDE_DTYPE_U8, 0, 2, LIST(2, 1), LIST(-9, 4))};
  stride_layout out[2];
  CHECK_OK(stride_broadcast_layouts(2, in, out, NULL));
  CHECK_LAYOUT(out[0], STRIDE_DTYPE_F32, 3, 3, LIST(7, 2, 5), LIST(5, 0, 1));
  CHECK_LAYOUT(out[1], STRIDE_DTYPE_U8, 0, 3, LIST(7, 2, 5), LIST(0, -9, 0));
  CHECK_OK(stride_broadcast_layouts(2, in, in, NULL)); /* in place */
  CHECK_LAYOUT(in[0], STRIDE_DTYPE_F32, 3, 3, LIST(7, 2, 5), LIST(5, 0, 1));
  CHECK_LAYOUT(in[1], STRIDE_DTYPE_U8, 0, 3, LIST(7, 2, 5), LIST(0, -9, 0));
}

static void layouts_that_do_not_broadcast(void) {
  stride_layout in[3] = {layout_of(STRIDE_DTYPE_F32, 0, 1, LIST(3), NULL),
                         layout_of(STRIDE_DTYPE_F32, 0, 1, LIST(1), NULL),
                         layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 4), NULL)};
  stride_layout out[3];
  stride_error record;
  poison(out, sizeof out);
  CHECK_FAILS(record, stride_broadcast_layouts(3, in, out, &record), BROADCAST_MISMATCH, IN, 1, 3, 4);
  CHECK_EQ(record.item, 2);
  in[1].rank = 65;
  CHECK_FAILS(record, stride_broadcast_layouts(3, in, out, &record), INVALID_RANK, IN, -1, 65, 64);
  CHECK_EQ(record.item, 1);
  CHECK_UNTOUCHED(out);
}

/* PyTorch's rule (pytorch#42922); DirectML#240 has no such question, and transposes. */
static void results(void) {
  const stride_layout in[3] = {layout_of(STRIDE_DTYPE_F32, 7, 4, LIST(2, 3, 4, 5), LIST(60, 1, 15, 3)),
                               layout_of(STRIDE_DTYPE_F16, 0, 3, LIST(3, 1, 1), NULL),
                               layout_of(STRIDE_DTYPE_F32, 0, 4, LIST(2, 3, 4, 5), NULL)};
  stride_layout out;
  stride_error record;
  CHECK_OK(stride_elementwise_layout(2, in, STRIDE_DTYPE_F32, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 0, 4, LIST(2, 3, 4, 5), LIST(60, 1, 15, 3));
  CHECK_OK(stride_elementwise_layout(2, in + 1, STRIDE_DTYPE_U8, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_U8, 0, 4, LIST(2, 3, 4, 5), LIST(60, 20, 5, 1));
  CHECK_OK(stride_elementwise_layout(3, in, STRIDE_DTYPE_U8, &out, NULL)); /* the first one decides */
  CHECK_LAYOUT(out, STRIDE_DTYPE_U8, 0, 4, LIST(2, 3, 4, 5), LIST(60, 1, 15, 3));
  CHECK_OK(stride_elementwise_layout(0, NULL, STRIDE_DTYPE_U8, &out, NULL));
  CHECK_EQ(out.rank, 0);

  const stride_layout apart[2] = {in[2], layout_of(STRIDE_DTYPE_F32, 0, 1, LIST(4), NULL)};
  CHECK_LAYOUT_FAILS(stride_elementwise_layout(2, apart, STRIDE_DTYPE_U8, &out, &record), BROADCAST_MISMATCH, IN, 3, 5,
                     4);
  CHECK_LAYOUT_FAILS(stride_elementwise_layout(1, in, 99, &out, &record), INVALID_DTYPE, DTYPE, -1, 99, 0);
  poison(&record, sizeof record);
  CHECK_STATUS(stride_elementwise_layout(2, apart, STRIDE_DTYPE_U8, &out, &record), BROADCAST_MISMATCH);
  CHECK_EQ(record.item, 1);
}

static void broadcast_to(void) {
  stride_layout layout = layout_of(STRIDE_DTYPE_F32, 2, 2, LIST(3, 1), NULL);
  stride_layout out;
  CHECK_OK(stride_layout_broadcast_to(&layout, 3, LIST(4, 3, 5), &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 2, 3, LIST(4, 3, 5), LIST(0, 1, 0));
  CHECK_OK(stride_layout_broadcast_to(&layout, 2, LIST(3, 0), &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 2, 2, LIST(3, 0), LIST(1, 0));

  stride_error record;
  poison(&out, sizeof out);
#define TO(rank, ...) stride_layout_broadcast_to(&layout, rank, LIST(__VA_ARGS__), &out, &record)
  CHECK_FAILS(record, TO(1, 3), INVALID_RANK, RANK, -1, 1, 2);
  CHECK_FAILS(record, TO(2, 4, 5), BROADCAST_MISMATCH, SIZES, 0, 3, 4);
  CHECK_FAILS(record, TO(2, 3, -5), INVALID_SIZE, SIZES, 1, -5, 0);
  CHECK_FAILS(record, TO(65, 3), INVALID_RANK, RANK, -1, 65, 64);
#undef TO
  CHECK_UNTOUCHED(out);
  CHECK_OK(stride_layout_broadcast_to(&layout, 3, LIST(4, 3, 5), &layout, NULL));
  CHECK_LAYOUT(layout, STRIDE_DTYPE_F32, 2, 3, LIST(4, 3, 5), LIST(0, 1, 0));
}

static void broadcast_in_dim(void) {
  stride_layout layout = layout_of(STRIDE_DTYPE_F32, 1, 2, LIST(3, 1), LIST(-1, 7));
  stride_layout out;
  CHECK_OK(stride_layout_broadcast_in_dim(&layout, 4, LIST(2, 3, 4, 5), 2, LIST(1, 3), &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 1, 4, LIST(2, 3, 4, 5), LIST(0, -1, 0, 0));

  stride_error record;
  poison(&out, sizeof out);
#define IN_DIM(...) stride_layout_broadcast_in_dim(&layout, 3, LIST(3, 3, 4), 2, LIST(__VA_ARGS__), &out, &record)
  CHECK_FAILS(record, IN_DIM(1, 0), INVALID_AXES, BROADCAST_DIMENSIONS, 1, 0, 1);
  CHECK_FAILS(record, IN_DIM(1, 1), INVALID_AXES, BROADCAST_DIMENSIONS, 1, 1, 1);
  CHECK_FAILS(record, IN_DIM(0, 3), INVALID_AXES, BROADCAST_DIMENSIONS, 1, 3, 3);
  CHECK_FAILS(record, IN_DIM(-3, 2), INVALID_AXES, BROADCAST_DIMENSIONS, 0, -3, 3);
  CHECK_FAILS(record, IN_DIM(2, 2), BROADCAST_MISMATCH, SIZES, 2, 3, 4);
#undef IN_DIM
  CHECK_UNTOUCHED(out);

  stride_layout scalar = layout_of(STRIDE_DTYPE_F32, 6, 0, NULL, NULL);
  CHECK_OK(stride_layout_broadcast_in_dim(&scalar, 2, LIST(2, 3), 0, NULL, &scalar, NULL));
  CHECK_LAYOUT(scalar, STRIDE_DTYPE_F32, 6, 2, LIST(2, 3), LIST(0, 0));
}

/* XLA's page: "a vector of 3 onto 2x3" is {1}; {0} is a mismatch. */
static void xla_vector_onto_matrix(void) {
  const stride_layout matrix = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), NULL);
  const stride_layout vector = layout_of(STRIDE_DTYPE_F32, 0, 1, LIST(3), NULL);
  stride_layout lhs, rhs;
  stride_error record;
  CHECK_OK(stride_xla_broadcast(&matrix, &vector, 1, LIST(1), &lhs, &rhs, NULL));
  CHECK_LAYOUT(lhs, STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), LIST(3, 1));
  CHECK_LAYOUT(rhs, STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), LIST(0, 1));
  CHECK_OK(stride_xla_broadcast(&vector, &matrix, 1, LIST(1), &lhs, &rhs, NULL));
  CHECK_LAYOUT(lhs, STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), LIST(0, 1));

  poison(&lhs, sizeof lhs);
  poison(&rhs, sizeof rhs);
  CHECK_FAILS(record, stride_xla_broadcast(&matrix, &vector, 1, LIST(0), &lhs, &rhs, &record),
              BROADCAST_MISMATCH, RHS, 0, 2, 3);
  CHECK_FAILS(record, stride_xla_broadcast(&vector, &matrix, 1, LIST(0), &lhs, &rhs, &record),
              BROADCAST_MISMATCH, RHS, 0, 3, 2);
  /* Nothing is implicit. */
  CHECK_FAILS(record, stride_xla_broadcast(&vector, &matrix, 0, NULL, &lhs, &rhs, &record), INVALID_RANK, COUNT, -1, 0,
              1);
  CHECK_STATUS(stride_xla_broadcast(&vector, &matrix, 1, LIST(-1), &lhs, &rhs, NULL), INVALID_AXES);
  CHECK_FAILS(record, stride_xla_broadcast(&vector, &matrix, 2, LIST(0, 1), &lhs, &rhs, &record), INVALID_RANK, COUNT,
              -1, 2, 1);
  CHECK_UNTOUCHED(lhs);
  CHECK_UNTOUCHED(rhs);
}

static void xla_equal_ranks_and_scalars(void) {
  stride_layout lhs = layout_of(STRIDE_DTYPE_F32, 0, 3, LIST(1, 2, 3), NULL);
  stride_layout rhs = layout_of(STRIDE_DTYPE_F32, 0, 3, LIST(4, 1, 3), NULL);
  stride_layout scalar = layout_of(STRIDE_DTYPE_F32, 5, 0, NULL, NULL);
  stride_layout a, b;
  CHECK_OK(stride_xla_broadcast(&lhs, &rhs, 0, NULL, &a, &b, NULL));
  CHECK_LAYOUT(a, STRIDE_DTYPE_F32, 0, 3, LIST(4, 2, 3), LIST(0, 3, 1));
  CHECK_LAYOUT(b, STRIDE_DTYPE_F32, 0, 3, LIST(4, 2, 3), LIST(3, 0, 1));
  CHECK_OK(stride_xla_broadcast(&lhs, &rhs, 3, LIST(0, 1, 2), &a, &b, NULL));
  CHECK_STATUS(stride_xla_broadcast(&lhs, &rhs, 3, LIST(0, 2, 1), &a, &b, NULL), INVALID_AXES);
  /* Each output may be one of the inputs, even the other one. */
  CHECK_OK(stride_xla_broadcast(&scalar, &lhs, 0, NULL, &lhs, &scalar, NULL));
  CHECK_LAYOUT(lhs, STRIDE_DTYPE_F32, 5, 3, LIST(1, 2, 3), LIST(0, 0, 0));
  CHECK_LAYOUT(scalar, STRIDE_DTYPE_F32, 0, 3, LIST(1, 2, 3), LIST(6, 3, 1));
}

static const test tests[] = {
    TEST(numpy_sizes),
    TEST(no_shapes_give_rank_zero),
    TEST(sizes_that_do_not_broadcast),
    TEST(numpy_layouts),
    TEST(layouts_that_do_not_broadcast),
    TEST(results),
    TEST(broadcast_to),
    TEST(broadcast_in_dim),
    TEST(xla_vector_onto_matrix),
    TEST(xla_equal_ranks_and_scalars),
};

int main(void) { return RUN(tests); }
