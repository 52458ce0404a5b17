/* Section "Layouts": every way to make one, and what is refused. Expected strides are NumPy's and DirectMLX's. */
#include "check.h"

static const int64_t nchw[4] = {2, 3, 4, 5};

static void packed(void) {
  CHECK_LAYOUT(layout_of(STRIDE_DTYPE_F32, 0, 4, nchw, NULL), STRIDE_DTYPE_F32, 0, 4, nchw, LIST(60, 20, 5, 1));
  const stride_layout scalar = layout_of(STRIDE_DTYPE_F64, 0, 0, NULL, NULL);
  CHECK_EQ(scalar.rank, 0);
  CHECK_EQ(scalar.offset, 0);
}

static void packed_and_empty_has_strides_zero(void) {
  /* 2^40 * 0 * 2^40 is 0, not an overflow. */
  const int64_t big = (int64_t)1 << 40;
  CHECK_LAYOUT(layout_of(STRIDE_DTYPE_F32, 0, 3, LIST(big, 0, big), NULL), STRIDE_DTYPE_F32, 0, 3, LIST(big, 0, big),
               LIST(0, 0, 0));
}

static void strides_stay_as_given(void) {
  CHECK_LAYOUT(layout_of(STRIDE_DTYPE_U8, 0, 3, LIST(2, 1, 4), LIST(-4, 99, 0)), STRIDE_DTYPE_U8, 0, 3, LIST(2, 1, 4),
               LIST(-4, 99, 0));
}

static void entries_behind_the_rank_are_not_written(void) {
  const stride_layout layout = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), NULL);
  CHECK(is_poisoned(&layout.sizes[2], sizeof(int64_t) * (STRIDE_MAX_RANK - 2)));
  CHECK(is_poisoned(&layout.strides[2], sizeof(int64_t) * (STRIDE_MAX_RANK - 2)));
}

static void ranks_up_to_64(void) {
  int64_t sizes[STRIDE_MAX_RANK + 1];
  for (size_t k = 0; k < COUNT(sizes); k++) sizes[k] = 1;
  sizes[0] = 7;
  const stride_layout layout = layout_of(STRIDE_DTYPE_F32, 0, STRIDE_MAX_RANK, sizes, NULL);
  CHECK_EQ(layout.rank, 64);
  CHECK_EQ(layout.strides[0], 1);
  CHECK_LAYOUT_FAILS(stride_layout_init(&out, STRIDE_DTYPE_F32, 65, sizes, NULL, &record),
                     INVALID_RANK, RANK, -1, 65, 64);
  CHECK_LAYOUT_FAILS(stride_layout_init(&out, STRIDE_DTYPE_F32, UINT32_MAX, sizes, NULL, &record),
                     INVALID_RANK, RANK, -1, UINT32_MAX, 64);
}

static void what_init_refuses(void) {
  const int64_t big = (int64_t)1 << 40;
  CHECK_LAYOUT_FAILS(stride_layout_init(&out, 0, 1, LIST(1), NULL, &record), INVALID_DTYPE, DTYPE, -1, 0, 0);
  CHECK_LAYOUT_FAILS(stride_layout_init(&out, STRIDE_DTYPE_F32, 3, LIST(2, 3, -1), NULL, &record),
                     INVALID_SIZE, SIZES, 2, -1, 0);
  /* A negative size is one even beside a zero. */
  CHECK_LAYOUT_FAILS(stride_layout_init(&out, STRIDE_DTYPE_F32, 2, LIST(0, -1), NULL, &record),
                     INVALID_SIZE, SIZES, 1, -1, 0);
  stride_layout out;
  CHECK_STATUS(stride_layout_init(&out, STRIDE_DTYPE_U8, 2, LIST(big, big), NULL, NULL), OVERFLOW);
  /* The elements can be counted, but not reached. */
  CHECK_STATUS(stride_layout_init(&out, STRIDE_DTYPE_U8, 1, LIST(3), LIST(INT64_MAX), NULL), OVERFLOW);
  CHECK_STATUS(stride_layout_init(&out, STRIDE_DTYPE_U8, 1, LIST(2), LIST(INT64_MIN), NULL), OK);
  /* 2^60 bytes are within the limit, 2^60 bytes and one are not: offsets in bits fit int64_t. */
  CHECK_STATUS(stride_layout_init(&out, STRIDE_DTYPE_U8, 1, LIST(((int64_t)1 << 60) - 1), NULL, NULL), OK);
  CHECK_STATUS(stride_layout_init(&out, STRIDE_DTYPE_U8, 1, LIST((int64_t)1 << 60), NULL, NULL), OVERFLOW);
  /* A stride that says nothing is never too large. */
  CHECK_OK(stride_layout_init(&out, STRIDE_DTYPE_F32, 2, LIST(1, 3), LIST(INT64_MIN, 1), NULL));
  CHECK_OK(stride_layout_init(&out, STRIDE_DTYPE_F32, 2, LIST(0, 3), LIST(INT64_MAX, INT64_MAX), NULL));
}

static void any_order_of_the_dimensions(void) {
  stride_layout out;
  CHECK_OK(stride_layout_init_ordered(&out, STRIDE_DTYPE_F32, 2, LIST(2, 3), LIST(1, 0), NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), LIST(3, 1));
  CHECK_OK(stride_layout_init_ordered(&out, STRIDE_DTYPE_F32, 2, LIST(2, 3), LIST(0, 1), NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), LIST(1, 2));
  CHECK_OK(stride_layout_init_ordered(&out, STRIDE_DTYPE_F32, 4, nchw, LIST(0, 1, 2, 3), NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 0, 4, nchw, LIST(1, 2, 6, 24));
  CHECK_OK(stride_layout_init_ordered(&out, STRIDE_DTYPE_F32, 3, LIST(2, 3, 4), LIST(1, 2, 0), NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 0, 3, LIST(2, 3, 4), LIST(12, 1, 3));
}

static void orders_that_are_no_permutation(void) {
#define ORDER(...) stride_layout_init_ordered(&out, STRIDE_DTYPE_F32, 2, LIST(2, 3), LIST(__VA_ARGS__), &record)
  CHECK_LAYOUT_FAILS(ORDER(1, 1), INVALID_AXES, MINOR_TO_MAJOR, 1, 1, 2);
  CHECK_LAYOUT_FAILS(ORDER(2, 0), INVALID_AXES, MINOR_TO_MAJOR, 0, 2, 2);
  CHECK_LAYOUT_FAILS(ORDER(0, -1), INVALID_AXES, MINOR_TO_MAJOR, 1, -1, 2);
  CHECK_LAYOUT_FAILS(ORDER(INT64_MIN, 0), INVALID_AXES, MINOR_TO_MAJOR, 0, INT64_MIN, 2);
#undef ORDER
}

static void channels_last(void) {
  stride_layout out;
  CHECK_OK(stride_layout_init_channels_last(&out, STRIDE_DTYPE_F32, 4, nchw, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 0, 4, nchw, LIST(60, 1, 15, 3));
  CHECK_OK(stride_layout_init_channels_last(&out, STRIDE_DTYPE_F32, 5, LIST(2, 3, 4, 5, 6), NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 0, 5, LIST(2, 3, 4, 5, 6), LIST(360, 1, 90, 18, 3));
  CHECK_OK(stride_layout_init_channels_last(&out, STRIDE_DTYPE_F32, 3, LIST(2, 3, 4), NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 0, 3, LIST(2, 3, 4), LIST(12, 1, 3));
  CHECK_OK(stride_layout_init_channels_last(&out, STRIDE_DTYPE_F32, 2, LIST(2, 3), NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), LIST(3, 1));
  CHECK_LAYOUT_FAILS(stride_layout_init_channels_last(&out, STRIDE_DTYPE_F32, 2, LIST(2, -3), &record), INVALID_SIZE,
                     SIZES, 1, -3, 0);
}

static void rows_at_a_pitch(void) {
  stride_layout out;
  CHECK_OK(stride_layout_init_pitched(&out, STRIDE_DTYPE_F32, 4, nchw, 2, 256, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 0, 4, nchw, LIST(768, 256, 64, 1));
  CHECK_OK(stride_layout_init_pitched(&out, STRIDE_DTYPE_F32, 4, nchw, -2, 256, NULL)); /* from the end */
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 0, 4, nchw, LIST(768, 256, 64, 1));
  CHECK_OK(stride_layout_init_pitched(&out, STRIDE_DTYPE_F32, 2, LIST(2, 3), 0, 12, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), LIST(3, 1));
  /* Of an image the rows are the first dimension. The last row needs no padding after it. */
  CHECK_OK(stride_layout_init_pitched(&out, STRIDE_DTYPE_U8, 3, LIST(480, 640, 3), 0, 2048, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_U8, 0, 3, LIST(480, 640, 3), LIST(2048, 3, 1));
  CHECK_EQ(bytes_of(out), 479 * 2048 + 1920);
  CHECK_OK(stride_layout_init_pitched(&out, STRIDE_DTYPE_U8, 3, LIST(480, 640, 3), -3, 1920, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_U8, 0, 3, LIST(480, 640, 3), LIST(1920, 3, 1)); /* no padding at all */
  /* Planes, pixels and elements can be apart as well. */
  CHECK_OK(stride_layout_init_pitched(&out, STRIDE_DTYPE_F32, 4, nchw, 1, 100, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 0, 4, nchw, LIST(75, 25, 5, 1));
  CHECK_OK(stride_layout_init_pitched(&out, STRIDE_DTYPE_U8, 3, LIST(480, 640, 3), 1, 4, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_U8, 0, 3, LIST(480, 640, 3), LIST(2560, 4, 1));
  CHECK_OK(stride_layout_init_pitched(&out, STRIDE_DTYPE_F32, 1, LIST(7), 0, 16, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 0, 1, LIST(7), LIST(4));
  CHECK_OK(stride_layout_init_pitched(&out, STRIDE_DTYPE_F32, 2, LIST(2, 3), 1, 8, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), LIST(6, 2));
}

static void pitches_of_other_elements(void) {
  stride_layout out;
  /* Three nibbles need two bytes, which hold four. */
  CHECK_OK(stride_layout_init_pitched(&out, STRIDE_DTYPE_U4, 2, LIST(2, 3), 0, 2, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_U4, 0, 2, LIST(2, 3), LIST(4, 1));
  CHECK_EQ(bytes_of(out), 4);
  CHECK_OK(stride_layout_init_pitched(&out, STRIDE_DTYPE_U4 | STRIDE_DTYPE_HIGH_FIRST, 3, LIST(2, 2, 5), 1, 8, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_U4 | STRIDE_DTYPE_HIGH_FIRST, 0, 3, LIST(2, 2, 5), LIST(32, 16, 1));
  CHECK_OK(stride_layout_init_pitched(&out, STRIDE_DTYPE_S1, 2, LIST(3, 9), 0, 2, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_S1, 0, 2, LIST(3, 9), LIST(16, 1));
  CHECK_LAYOUT_FAILS(stride_layout_init_pitched(&out, STRIDE_DTYPE_U4, 2, LIST(2, 3), 0, 1, &record),
                     INVALID_ARGUMENT, PITCH_BYTES, -1, 1, 2);
  /* Elements of 12 bytes lie a multiple of 12 apart. */
  const uint32_t pixel = STRIDE_DTYPE_BYTES | 12;
  CHECK_OK(stride_layout_init_pitched(&out, pixel, 2, LIST(2, 5), 0, 72, NULL));
  CHECK_LAYOUT(out, pixel, 0, 2, LIST(2, 5), LIST(6, 1));
  CHECK_LAYOUT_FAILS(stride_layout_init_pitched(&out, pixel, 2, LIST(2, 5), 0, 64, &record), INVALID_ARGUMENT,
                     PITCH_BYTES, -1, 64, 12);
  CHECK_LAYOUT_FAILS(stride_layout_init_pitched(&out, pixel, 2, LIST(2, 5), 0, 48, &record), INVALID_ARGUMENT,
                     PITCH_BYTES, -1, 48, 60);
}

/* Nothing lies anywhere, so all strides are 0, whatever the pitch. */
static void pitches_of_nothing(void) {
  stride_layout out;
  CHECK_OK(stride_layout_init_pitched(&out, STRIDE_DTYPE_F32, 3, LIST(2, 0, 4), 0, 64, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 0, 3, LIST(2, 0, 4), LIST(0, 0, 0));
  CHECK_EQ(bytes_of(out), 0);
  CHECK_OK(stride_layout_init_pitched(&out, STRIDE_DTYPE_F32, 2, LIST(2, 0), 0, 0, NULL)); /* 0 bytes are enough */
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 0, 2, LIST(2, 0), LIST(0, 0));
  CHECK_OK(stride_layout_init_pitched(&out, STRIDE_DTYPE_F32, 2, LIST(0, 3), 0, 8, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 0, 2, LIST(0, 3), LIST(0, 0));
  CHECK_OK(stride_layout_init_pitched(&out, STRIDE_DTYPE_F32, 2, LIST(0, 3), 0, UINT64_MAX, NULL));
  CHECK_LAYOUT_FAILS(stride_layout_init_pitched(&out, STRIDE_DTYPE_F32, 2, LIST(0, 3), 2, 12, &record), INVALID_AXES,
                     AXIS, -1, 2, 2);
}

static void pitches_that_are_refused(void) {
#define PITCH(axis, bytes) stride_layout_init_pitched(&out, STRIDE_DTYPE_F32, 2, LIST(2, 3), (axis), (bytes), &record)
  CHECK_LAYOUT_FAILS(PITCH(0, 8), INVALID_ARGUMENT, PITCH_BYTES, -1, 8, 12);
  CHECK_LAYOUT_FAILS(PITCH(0, 0), INVALID_ARGUMENT, PITCH_BYTES, -1, 0, 12);
  CHECK_LAYOUT_FAILS(PITCH(1, 0), INVALID_ARGUMENT, PITCH_BYTES, -1, 0, 4);
  CHECK_LAYOUT_FAILS(PITCH(0, 14), INVALID_ARGUMENT, PITCH_BYTES, -1, 14, 4);
  CHECK_LAYOUT_FAILS(PITCH(0, UINT64_MAX), INVALID_ARGUMENT, PITCH_BYTES, -1, INT64_MAX, 4);
  CHECK_LAYOUT_FAILS(PITCH(2, 12), INVALID_AXES, AXIS, -1, 2, 2);
  CHECK_LAYOUT_FAILS(PITCH(-3, 12), INVALID_AXES, AXIS, -1, -3, 2);
  CHECK_LAYOUT_FAILS(PITCH(INT64_MIN, 12), INVALID_AXES, AXIS, -1, INT64_MIN, 2);
#undef PITCH
  CHECK_LAYOUT_FAILS(stride_layout_init_pitched(&out, STRIDE_DTYPE_F32, 0, NULL, 0, 4, &record), INVALID_AXES, AXIS, -1,
                     0, 0);
  CHECK_LAYOUT_FAILS(stride_layout_init_pitched(&out, STRIDE_DTYPE_F32, 2, LIST(2, -3), 0, 12, &record), INVALID_SIZE,
                     SIZES, 1, -3, 0);
  CHECK_LAYOUT_FAILS(stride_layout_init_pitched(&out, STRIDE_DTYPE_F32, 65, LIST(2), 0, 4, &record), INVALID_RANK, RANK,
                     -1, 65, 64);
  stride_layout out;
  poison(&out, sizeof out);
  CHECK_STATUS(stride_layout_init_pitched(&out, 0, 2, LIST(2, 3), 0, 12, NULL), INVALID_DTYPE);
  /* Far too far apart: the offsets do not fit, nor does the stride of the dimension outside. */
  const int64_t distant = INT64_C(1) << 62;
  CHECK_LAYOUT_FAILS(stride_layout_init_pitched(&out, STRIDE_DTYPE_U8, 2, LIST(3, 3), 0, (uint64_t)distant, &record), OVERFLOW,
                     PITCH_BYTES, 0, 3, distant);
  CHECK_LAYOUT_FAILS(stride_layout_init_pitched(&out, STRIDE_DTYPE_U8, 2, LIST(2, 3), 0, UINT64_MAX, &record), OVERFLOW,
                     PITCH_BYTES, 0, 2, INT64_MAX);
  CHECK_OK(stride_layout_init_pitched(&out, STRIDE_DTYPE_U8, 2, LIST(1, 3), 0, INT64_MAX, NULL));
  CHECK_OK(stride_layout_init_pitched(&out, STRIDE_DTYPE_U8, 2, LIST(1, 3), 0, UINT64_MAX, NULL)); /* leads nowhere */
  CHECK_LAYOUT(out, STRIDE_DTYPE_U8, 0, 2, LIST(1, 3), LIST(0, 1));
  /* What is wrong without a pitch is the sizes. */
  CHECK_LAYOUT_FAILS(stride_layout_init_pitched(&out, STRIDE_DTYPE_F32, 1, LIST(distant), 0, 4, &record), OVERFLOW, SIZES, -1,
                     distant, 32);
  CHECK_LAYOUT_FAILS(stride_layout_init_aligned(&out, STRIDE_DTYPE_F32, 1, LIST(distant), 0, 4, &record), OVERFLOW, SIZES, -1,
                     distant, 32);
  CHECK_LAYOUT_FAILS(stride_layout_init_aligned(&out, STRIDE_DTYPE_U8, 2, LIST(9, 1), 0, (uint64_t)1 << 60, &record),
                     OVERFLOW, ALIGNMENT_BYTES, 0, 9, INT64_C(1) << 60);
  poison(&out, sizeof out);
  CHECK_STATUS(stride_layout_init_pitched(&out, STRIDE_DTYPE_U8, 3, LIST(2, 8, 3), 1, (uint64_t)1 << 61, NULL),
               OVERFLOW);
  CHECK_UNTOUCHED(out);
}

static void strides_in_bytes(void) {
  stride_layout out;
  CHECK_OK(stride_layout_init_byte_strides(&out, STRIDE_DTYPE_F32, 4, nchw, LIST(240, 80, 20, -4), NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 0, 4, nchw, LIST(60, 20, 5, -1));
  CHECK_OK(stride_layout_init_byte_strides(&out, STRIDE_DTYPE_U4, 2, LIST(2, 3), LIST(2, 0), NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_U4, 0, 2, LIST(2, 3), LIST(4, 0));
  /* Strides that say nothing need not divide. */
  CHECK_OK(stride_layout_init_byte_strides(&out, STRIDE_DTYPE_F32, 2, LIST(1, 2), LIST(3, 4), NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 0, 2, LIST(1, 2), LIST(0, 1));
  CHECK_LAYOUT_FAILS(stride_layout_init_byte_strides(&out, STRIDE_DTYPE_F32, 2, LIST(1, 2), LIST(3, 6), &record),
                     INVALID_STRIDE, BYTE_STRIDES, 1, 6, 4);
  CHECK_LAYOUT_FAILS(stride_layout_init_byte_strides(&out, STRIDE_DTYPE_F32, 2, LIST(4, 2), LIST(-7, 4), &record),
                     INVALID_STRIDE, BYTE_STRIDES, 0, -7, 4);
  CHECK_LAYOUT_FAILS(stride_layout_init_byte_strides(&out, STRIDE_DTYPE_U8, 2, LIST(2, 3), LIST(1, INT64_MAX), &record),
                     OVERFLOW, BYTE_STRIDES, 1, 3, INT64_MAX);
}

static void elements_at_any_byte(void) {
  stride_layout out, wide;
  stride_error record;
  CHECK_OK(stride_layout_init_bytes(&out, STRIDE_DTYPE_F64, 1, LIST(1000), LIST(9), NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_U8, 0, 2, LIST(1000, 8), LIST(9, 1));
  CHECK_OK(stride_layout_init_bytes(&out, STRIDE_DTYPE_U16 | STRIDE_DTYPE_SWAPPED, 2, LIST(4, 2), LIST(-7, 3), NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_U8, 1, 3, LIST(4, 2, 2), LIST(-7, 3, -1));
  CHECK_OK(stride_layout_init_bytes(&out, STRIDE_DTYPE_C64 | STRIDE_DTYPE_SWAPPED, 1, LIST(3), LIST(28), NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_U8, 3, 3, LIST(3, 2, 4), LIST(28, 4, -1));
  CHECK_OK(stride_layout_init_bytes(&out, STRIDE_DTYPE_U8, 0, NULL, NULL, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_U8, 0, 1, LIST(1), LIST(1));
  CHECK_OK(stride_layout_init_bytes(&out, STRIDE_DTYPE_F32, 2, LIST(0, 5), LIST(3, 7), NULL)); /* empty */
  CHECK_EQ(out.rank, 3);
  CHECK_LAYOUT_FAILS(stride_layout_init_bytes(&out, STRIDE_DTYPE_U4, 1, LIST(2), LIST(1), &record), UNSUPPORTED, DTYPE, -1,
                     STRIDE_DTYPE_U4, 0);
  CHECK_LAYOUT_FAILS(stride_layout_init_bytes(&out, STRIDE_DTYPE_F32, 2, LIST(2, 3), LIST(1, INT64_MAX), &record),
                     OVERFLOW, BYTE_STRIDES, 1, 3, INT64_MAX);

  wide = layout_of(STRIDE_DTYPE_F64, 11, 2, LIST(4, 6), LIST(-1, 4));
  CHECK_OK(stride_layout_as_bytes(&wide, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_U8, 88, 3, LIST(4, 6, 8), LIST(-8, 32, 1));
  wide.dtype |= STRIDE_DTYPE_SWAPPED;
  CHECK_OK(stride_layout_as_bytes(&wide, &wide, NULL)); /* in place */
  CHECK_LAYOUT(wide, STRIDE_DTYPE_U8, 95, 3, LIST(4, 6, 8), LIST(-8, 32, -1));
  out = layout_of(STRIDE_DTYPE_U2, 0, 1, LIST(4), LIST(1));
  CHECK_FAILS(record, stride_layout_as_bytes(&out, &out, &record), UNSUPPORTED, LAYOUT, -1, STRIDE_DTYPE_U2, 0);
  out.dtype = STRIDE_DTYPE_F64;
  out.rank = 64;
  for (int k = 0; k < 64; k++) out.sizes[k] = out.strides[k] = 1;
  CHECK_FAILS(record, stride_layout_as_bytes(&out, &out, &record), INVALID_RANK, LAYOUT, -1, 65, 64);
}

static void packed_like_forgets_offset_and_strides(void) {
  stride_layout layout = layout_of(STRIDE_DTYPE_U8, 11, 2, LIST(4, 6), LIST(-1, 4));
  stride_layout out;
  CHECK_OK(stride_layout_packed_like(&layout, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_U8, 0, 2, LIST(4, 6), LIST(6, 1));
  CHECK_OK(stride_layout_packed_like(&layout, &layout, NULL));
  CHECK_LAYOUT(layout, STRIDE_DTYPE_U8, 0, 2, LIST(4, 6), LIST(6, 1));
}

static void rebase_moves_the_lowest_element_to_the_base(void) {
  stride_layout mirrored = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), LIST(3, -1));
  stride_layout out;
  int64_t shift = 0, lowest = -1, highest = -1;
  CHECK_OK(stride_layout_rebase(&mirrored, &out, &shift, NULL));
  CHECK_EQ(shift, -8);
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 2, 2, LIST(2, 3), LIST(3, -1));
  CHECK_OK(stride_layout_span(&out, &lowest, &highest, NULL));
  CHECK_EQ(lowest, 0);
  CHECK_EQ(highest, 5);
  CHECK_OK(stride_layout_rebase(&mirrored, &mirrored, &shift, NULL));
  CHECK_EQ(mirrored.offset, 2);

  /* Seven nibbles up: the base moves by three bytes, one nibble stays. Seven down: by four bytes, one stays. */
  stride_layout nibbles = layout_of(STRIDE_DTYPE_U4, 7, 1, LIST(4), NULL);
  CHECK_OK(stride_layout_rebase(&nibbles, &out, &shift, NULL));
  CHECK_EQ(shift, 3);
  CHECK_EQ(out.offset, 1);
  nibbles.offset = -7;
  CHECK_OK(stride_layout_rebase(&nibbles, &out, &shift, NULL));
  CHECK_EQ(shift, -4);
  CHECK_EQ(out.offset, 1);
}

static void canonical_strides_of_size_one(void) {
  const int64_t sizes[6] = {1, 3, 1, 1, 4, 1};
  stride_layout layout = layout_of(STRIDE_DTYPE_F32, 5, 6, sizes, LIST(9, 4, 9, 9, 1, 9));
  stride_layout out;
  CHECK_OK(stride_layout_canonicalize(&layout, STRIDE_SIZE_ONE_KEEP, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 5, 6, sizes, LIST(9, 4, 9, 9, 1, 9));
  CHECK_OK(stride_layout_canonicalize(&layout, STRIDE_SIZE_ONE_NATURAL, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 5, 6, sizes, LIST(12, 4, 4, 4, 1, 1));
  CHECK_OK(stride_layout_canonicalize(&layout, STRIDE_SIZE_ONE_ONE, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 5, 6, sizes, LIST(1, 4, 1, 1, 1, 1));
  CHECK_LAYOUT_FAILS(stride_layout_canonicalize(&layout, 4, &out, &record), INVALID_ARGUMENT, RULE, -1, 4, 3);
  CHECK_OK(stride_layout_canonicalize(&layout, STRIDE_SIZE_ONE_ZERO, &layout, NULL));
  CHECK_LAYOUT(layout, STRIDE_DTYPE_F32, 5, 6, sizes, LIST(0, 4, 0, 0, 1, 0));
}

static void canonical_strides_of_the_empty_and_the_huge(void) {
  const stride_layout empty = layout_of(STRIDE_DTYPE_F32, 3, 2, LIST(0, 4), LIST(7, 8));
  stride_layout out;
  CHECK_OK(stride_layout_canonicalize(&empty, STRIDE_SIZE_ONE_ONE, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 3, 2, LIST(0, 4), LIST(0, 0));
  CHECK_OK(stride_layout_canonicalize(&empty, STRIDE_SIZE_ONE_KEEP, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 3, 2, LIST(0, 4), LIST(7, 8));
  /* 2 * -2^63 does not fit. */
  const stride_layout far_apart = layout_of(STRIDE_DTYPE_U8, 0, 2, LIST(1, 2), LIST(1, INT64_MIN));
  CHECK_OK(stride_layout_canonicalize(&far_apart, STRIDE_SIZE_ONE_NATURAL, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_U8, 0, 2, LIST(1, 2), LIST(0, INT64_MIN));
}

static stride_layout parsed(const char *text) {
  stride_layout out;
  CHECK_OK(stride_layout_parse(text, strlen(text), &out, NULL));
  return out;
}

/* The header's texts; then what needs another parser, and how it gets there. */
static void texts(void) {
  stride_layout out;
  stride_error record;
  CHECK_LAYOUT(parsed("f32[2,3]"), STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), LIST(3, 1));
  CHECK_LAYOUT(parsed("f32[2,3] strides [1,2] offset 7"), STRIDE_DTYPE_F32, 7, 2, LIST(2, 3), LIST(1, 2));
  CHECK_LAYOUT(parsed("f32[2,3]:1,2+7"), STRIDE_DTYPE_F32, 7, 2, LIST(2, 3), LIST(1, 2));
  CHECK_LAYOUT(parsed("f32[1,32,8,8]:nhwc"), STRIDE_DTYPE_F32, 0, 4, LIST(1, 32, 8, 8), LIST(2048, 1, 256, 32));
  CHECK_LAYOUT(parsed("f32[2,3]{0,1}"), STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), LIST(1, 2));
  poison(&out, sizeof out);
  CHECK_PARSE(record, stride_layout_parse("f32[2,3]:1,2-7", 14, &out, &record), TEXT, 12, 0, 0);
  CHECK_STATUS(stride_layout_parse("f32[2]", UINT64_MAX, &out, &record), INVALID_ARGUMENT);
  static const char tag[] = "f32[1,32,8,8]:nChw16c";
  CHECK_STATUS(stride_layout_parse(tag, sizeof tag - 1, &out, &record), NOT_REPRESENTABLE);
  CHECK(record.detail == STRIDE_DETAIL_TEXT_OF_TAG && record.position == 13);
  CHECK_UNTOUCHED(out);
  CHECK_OK(stride_layout_parse(tag, record.position, &out, NULL));
  stride_xla_shape shape;
  const uint64_t after = record.position + 1;
  CHECK_OK(stride_xla_shape_parse_tag(tag + after, sizeof tag - 1 - after, out.dtype, out.rank, out.sizes, &shape,
                                      NULL));
  CHECK(shape.tile_count == 1);
}

static const test tests[] = {
    TEST(texts),
    TEST(packed),
    TEST(packed_and_empty_has_strides_zero),
    TEST(strides_stay_as_given),
    TEST(entries_behind_the_rank_are_not_written),
    TEST(ranks_up_to_64),
    TEST(what_init_refuses),
    TEST(any_order_of_the_dimensions),
    TEST(orders_that_are_no_permutation),
    TEST(channels_last),
    TEST(rows_at_a_pitch),
    TEST(pitches_of_other_elements),
    TEST(pitches_of_nothing),
    TEST(pitches_that_are_refused),
    TEST(strides_in_bytes),
    TEST(elements_at_any_byte),
    TEST(packed_like_forgets_offset_and_strides),
    TEST(rebase_moves_the_lowest_element_to_the_base),
    TEST(canonical_strides_of_size_one),
    TEST(canonical_strides_of_the_empty_and_the_huge),
};

int main(void) { return RUN(tests); }
