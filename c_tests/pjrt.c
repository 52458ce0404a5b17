/* Section "PJRT": its tiled layouts, field by field, and its byte strides. */
#include "check.h"

/* pjrt_c_api.h's two structs, without what stands before every struct of PJRT. */
typedef struct tiled {
  const int64_t *minor_to_major;
  size_t minor_to_major_size;
  const int64_t *tile_dims;
  const size_t *tile_dim_sizes;
  size_t num_tiles;
} tiled;

typedef struct strides {
  const int64_t *byte_strides;
  size_t num_byte_strides;
} strides;

#define COUNTS(...) ((const size_t[]){__VA_ARGS__})

TEXT_FUNCTION(write_shape, stride_xla_shape_format, (const stride_xla_shape *))

static stride_status from(stride_xla_shape *out, uint32_t dtype, const int64_t *sizes, const tiled *layout,
                          stride_error *error) {
  return stride_xla_shape_from_pjrt_tiled(out, dtype, (uint32_t)layout->minor_to_major_size, sizes,
                                          layout->minor_to_major, layout->tile_dims, layout->tile_dim_sizes,
                                          layout->num_tiles, error);
}

static void layouts_come_in(void) {
  const tiled column_major = {LIST(0, 1), 2, NULL, NULL, 0};
  const tiled tpu = {LIST(2, 1, 0), 3, LIST(8, 128, 2, 1), COUNTS(2, 2), 2};
  const tiled merged = {LIST(2, 1, 0), 3, LIST(INT64_MIN, 4), COUNTS(2), 1}; /* a merged dimension travels as INT64_MIN */
  const tiled scalar = {NULL, 0, LIST(256), COUNTS(1), 1};
  const tiled eight = {LIST(0), 1, LIST(8, 1, 1, 1, 1, 1, 1, 1), COUNTS(1, 1, 1, 1, 1, 1, 1, 1), 8}; /* the most */
  stride_xla_shape shape;
  poison(&shape, sizeof shape);
  CHECK_OK(from(&shape, STRIDE_DTYPE_F32, LIST(2, 3), &column_major, NULL));
  CHECK_WRITES(write_shape, &shape, "f32[2,3]{0,1}");
  CHECK_OK(from(&shape, STRIDE_DTYPE_BF16, LIST(3, 32, 256), &tpu, NULL));
  CHECK_WRITES(write_shape, &shape, "bf16[3,32,256]{2,1,0:T(8,128)(2,1)}");
  CHECK_OK(from(&shape, STRIDE_DTYPE_F32, LIST(2, 3, 5), &merged, NULL));
  CHECK_WRITES(write_shape, &shape, "f32[2,3,5]{2,1,0:T(*,4)}");
  CHECK_OK(from(&shape, STRIDE_DTYPE_F32, NULL, &scalar, NULL));
  CHECK_WRITES(write_shape, &shape, "f32[]{:T(256)}");
  CHECK_OK(from(&shape, STRIDE_DTYPE_F32, LIST(20), &eight, NULL));
  CHECK_WRITES(write_shape, &shape, "f32[20]{0:T(8)(1)(1)(1)(1)(1)(1)(1)}");
}

static void layouts_that_are_none(void) {
  const tiled twice = {LIST(1, 1), 2, NULL, NULL, 0};
  const tiled empty_tile = {LIST(1, 0), 2, LIST(2), COUNTS(1, 0), 2};
  const tiled zero = {LIST(1, 0), 2, LIST(4, 2, 0), COUNTS(1, 2), 2};
  const tiled many = {LIST(1, 0), 2, LIST(2), COUNTS(1), SIZE_MAX};
  const tiled nine = {LIST(1, 0), 2, LIST(1, 1, 1, 1, 1, 1, 1, 1, 1), COUNTS(1, 1, 1, 1, 1, 1, 1, 1, 1), 9};
  const tiled long_tile = {LIST(1, 0), 2, LIST(2), COUNTS(1, SIZE_MAX), 2}; /* only counted, never read */
  const int64_t most = SIZE_MAX > (uint64_t)INT64_MAX ? INT64_MAX : (int64_t)SIZE_MAX;
  stride_xla_shape out;
  stride_error record;
  poison(&out, sizeof out);
#define FROM(layout) from(&out, STRIDE_DTYPE_F32, LIST(2, 3), &(layout), &record)
  CHECK_FAILS(record, FROM(twice), INVALID_AXES, MINOR_TO_MAJOR, 1, 1, 2);
  CHECK_FAILS(record, FROM(empty_tile), INVALID_TILE, TILE_DIM_SIZES, -1, 0, 1);
  CHECK_EQ(record.item, 1);
  CHECK_FAILS(record, FROM(zero), INVALID_TILE, TILE_DIMS, 1, 0, 1);
  CHECK_EQ(record.item, 1);
  CHECK_FAILS(record, FROM(many), UNSUPPORTED, NUM_TILES, -1, most, STRIDE_XLA_MAX_TILES);
  CHECK_FAILS(record, FROM(nine), UNSUPPORTED, NUM_TILES, -1, 9, STRIDE_XLA_MAX_TILES);
  CHECK_FAILS(record, FROM(long_tile), UNSUPPORTED, TILE_DIM_SIZES, -1, most, STRIDE_MAX_RANK);
  CHECK_EQ(record.item, 1);
#undef FROM
  const tiled plain = {LIST(1, 0), 2, NULL, NULL, 0};
  CHECK_STATUS(from(&out, 0, LIST(2, 3), &plain, NULL), INVALID_DTYPE);
  CHECK_STATUS(from(&out, STRIDE_DTYPE_F32, LIST(2, -3), &plain, NULL), INVALID_SIZE);
  CHECK_UNTOUCHED(out);
}

/* Through arrays of exactly the length needed, back into the same shape. */
static void check_round_trip(const char *text, size_t tile_dims_count, size_t num_tiles) {
  const stride_xla_shape shape = shape_of(text);
  int64_t *order = (int64_t *)(void *)heap(shape.rank * sizeof(int64_t));
  int64_t *dims = (int64_t *)(void *)heap(tile_dims_count * sizeof(int64_t));
  size_t *counts = (size_t *)(void *)heap(num_tiles * sizeof(size_t));
  size_t found = 99;
  CHECK_OK(stride_xla_shape_to_pjrt_tiled(&shape, shape.rank, order, dims, tile_dims_count, counts, num_tiles, &found, NULL));
  CHECK_EQ(found, num_tiles);
  const tiled layout = {order, shape.rank, dims, counts, found};
  stride_xla_shape back;
  poison(&back, sizeof back);
  CHECK_OK(from(&back, shape.dtype, shape.sizes, &layout, NULL));
  CHECK_WRITES(write_shape, &back, text);
  free(counts);
  free(dims);
  free(order);
}

static void layouts_go_out(void) {
  check_round_trip("f32[]", 0, 0);
  check_round_trip("f32[2,3]{0,1}", 0, 0);
  check_round_trip("f32[]{:T(256)}", 1, 1);
  check_round_trip("bf16[3,32,256]{2,1,0:T(8,128)(2,1)}", 4, 2);
  check_round_trip("bf16[7]{0:T(1024)(128)(2,1)}", 4, 3);
  check_round_trip("f32[2,3,5]{0,2,1:T(*,*,4)}", 3, 1);
  check_round_trip("s4[8]{0}", 0, 0);
}

static void arrays_that_are_too_short(void) {
  const stride_xla_shape shape = shape_of("bf16[32,256]{1,0:T(8,128)(2,1)}");
  int64_t order[2], dims[4];
  size_t counts[2], found;
  stride_error record;
  poison(order, sizeof order);
  poison(dims, sizeof dims);
  poison(counts, sizeof counts);
  poison(&found, sizeof found);
  CHECK_FAILS(record, stride_xla_shape_to_pjrt_tiled(&shape, 2, order, dims, 3, counts, 2, &found, &record),
              INVALID_ARGUMENT, TILE_DIMS_CAPACITY, -1, 3, 4);
  CHECK_FAILS(record, stride_xla_shape_to_pjrt_tiled(&shape, 2, order, dims, 4, counts, 1, &found, &record),
              INVALID_ARGUMENT, TILE_DIM_SIZES_CAPACITY, -1, 1, 2);
  CHECK_UNTOUCHED(order);
  CHECK_UNTOUCHED(dims);
  CHECK_UNTOUCHED(counts);
  CHECK_UNTOUCHED(found);
}

static void what_pjrt_cannot_say(void) {
  stride_xla_shape shape = shape_of("f32[2,3]{0,1}");
  int64_t order[2];
  size_t found;
  stride_error record;
  poison(order, sizeof order);
  poison(&found, sizeof found);
#define TO() stride_xla_shape_to_pjrt_tiled(&shape, shape.rank, order, NULL, 0, NULL, 0, &found, &record)
  CHECK_OK(stride_xla_shape_set_padding(&shape, 2, LIST(2, 5), STRIDE_XLA_PADDING_ZERO, NULL));
  CHECK_FAILS(record, TO(), NOT_REPRESENTABLE, PADDED_SIZES, 1, 5, 3);
  shape = shape_of("s4[8]{0:E(4)}");
  CHECK_FAILS(record, TO(), NOT_REPRESENTABLE, ELEMENT_BITS, -1, 4, 0);
  shape = shape_of("f32[5]{0:L(8)}");
  CHECK_FAILS(record, TO(), NOT_REPRESENTABLE, TAIL_ALIGNMENT, -1, 8, 1);
  CHECK_UNTOUCHED(order);
  CHECK_UNTOUCHED(found);
  shape = shape_of("f32[<=5,3]{1,0:S(1)}"); /* both travel beside the layout */
  CHECK_OK(TO());
#undef TO
  CHECK_EQ(order[0], 1);
  CHECK_EQ(order[1], 0);
  CHECK_EQ(found, 0);
}

/* A mirrored column of f32[4,3]: the data pointer lies inside the buffer. */
static void strides_in_and_out(void) {
  const strides in = {LIST(-12, 4), 2};
  stride_layout layout, rebased;
  int64_t out[2], shift = 0;
  CHECK_OK(stride_layout_init_byte_strides(&layout, STRIDE_DTYPE_F32, (uint32_t)in.num_byte_strides, LIST(4, 3),
                                    in.byte_strides, NULL));
  CHECK_OK(stride_layout_rebase(&layout, &rebased, &shift, NULL));
  CHECK_EQ(shift, -36); /* the buffer begins 36 bytes before index (0,0) */
  CHECK_EQ(rebased.offset, 9);
  CHECK_OK(stride_layout_byte_strides(&rebased, 2, out, NULL));
  CHECK_EQ(out[0], -12);
  CHECK_EQ(out[1], 4);
}

static const test tests[] = {
    TEST(layouts_come_in),
    TEST(layouts_that_are_none),
    TEST(layouts_go_out),
    TEST(arrays_that_are_too_short),
    TEST(what_pjrt_cannot_say),
    TEST(strides_in_and_out),
};

int main(void) { return RUN(tests); }
