/* Sections "Other readings" and "Windows, repeats and cuts", and the layouts with gaps. tests/facts.rs has the many cases. */
#include "check.h"

/* sizes {2,3,4} packed, at offset 100. */
static stride_layout cube(void) { return layout_of(STRIDE_DTYPE_F32, 100, 3, LIST(2, 3, 4), NULL); }

static void layouts_with_gaps(void) {
  stride_layout out;
  CHECK_OK(stride_layout_init_padded(&out, STRIDE_DTYPE_F32, 2, LIST(30, 100), LIST(32, 128), NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 0, 2, LIST(30, 100), LIST(128, 1));
  CHECK_LAYOUT_FAILS(stride_layout_init_padded(&out, STRIDE_DTYPE_F32, 2, LIST(2, 3), LIST(1, 4), &record), INVALID_SIZE,
                     PADDED_SIZES, 0, 1, 2);
  CHECK_OK(stride_layout_init_padded(&out, STRIDE_DTYPE_F32, 2, LIST(2, 0), LIST(4, 4), NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 0, 2, LIST(2, 0), LIST(0, 0));
  CHECK_OK(stride_layout_init_aligned(&out, STRIDE_DTYPE_BYTES | 12, 2, LIST(2, 3), 0, 16, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_BYTES | 12, 0, 2, LIST(2, 3), LIST(4, 1));
  CHECK_OK(stride_layout_init_aligned(&out, STRIDE_DTYPE_U4, 2, LIST(2, 3), -2, 4, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_U4, 0, 2, LIST(2, 3), LIST(8, 1));
  CHECK_LAYOUT_FAILS(stride_layout_init_aligned(&out, STRIDE_DTYPE_F32, 2, LIST(2, 3), 0, 0, &record), INVALID_ARGUMENT,
                     ALIGNMENT_BYTES, -1, 0, 1);
  CHECK_LAYOUT_FAILS(stride_layout_init_aligned(&out, STRIDE_DTYPE_F32, 2, LIST(2, 3), 2, 4, &record), INVALID_AXES, AXIS,
                     -1, 2, 2);
}

static void windows(void) {
  stride_layout in = layout_of(STRIDE_DTYPE_F32, 5, 1, LIST(7), LIST(3)), out;
  CHECK_OK(stride_layout_window(&in, 1, LIST(3), LIST(2), NULL, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 5, 2, LIST(3, 3), LIST(6, 3));
  CHECK_OK(stride_layout_window(&in, 1, LIST(3), NULL, LIST(3), &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 5, 2, LIST(1, 3), LIST(3, 9));
  CHECK_OK(stride_layout_window(&in, 1, LIST(8), NULL, NULL, &out, NULL)); /* does not fit */
  CHECK_EQ(out.sizes[0], 0);
  CHECK_LAYOUT_FAILS(stride_layout_window(&in, 1, LIST(3), LIST(0), NULL, &out, &record), INVALID_ARGUMENT, STEPS, 0, 0, 1);
  CHECK_LAYOUT_FAILS(stride_layout_window(&in, 1, LIST(3), NULL, LIST(-2), &out, &record), INVALID_ARGUMENT, DILATIONS, 0,
                     -2, 1);
  CHECK_LAYOUT_FAILS(stride_layout_window(&in, 1, LIST(-3), NULL, NULL, &out, &record), INVALID_SIZE, SIZES, 0, -3, 0);
  CHECK_OK(stride_layout_window(&in, 1, LIST(3), LIST(2), NULL, &in, NULL));
  CHECK_LAYOUT(in, STRIDE_DTYPE_F32, 5, 2, LIST(3, 3), LIST(6, 3));

  int64_t ones[33];
  for (size_t k = 0; k < COUNT(ones); k++) ones[k] = 1;
  const stride_layout most = layout_of(STRIDE_DTYPE_F32, 0, 33, ones, NULL);
  CHECK_LAYOUT_FAILS(stride_layout_window(&most, 33, ones, NULL, NULL, &out, &record), INVALID_RANK, OUT, -1, 66, 64);
}

static void as_strided(void) {
  stride_layout in = cube(), out;
  CHECK_OK(stride_layout_as_strided(&in, 2, LIST(4, 6), LIST(-6, 1), 118, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 118, 2, LIST(4, 6), LIST(-6, 1));
  CHECK_LAYOUT_FAILS(stride_layout_as_strided(&in, 1, LIST(25), LIST(1), 100, &out, &record), OUT_OF_BOUNDS, STRIDES, -1,
                     124, 123);
  CHECK_LAYOUT_FAILS(stride_layout_as_strided(&in, 1, LIST(3), LIST(-1), 101, &out, &record), OUT_OF_BOUNDS, STRIDES, -1,
                     99, 100);
  CHECK_LAYOUT_FAILS(stride_layout_as_strided(&in, 1, LIST(3), LIST(1), INT64_MAX, &out, &record), OUT_OF_BOUNDS, OFFSET,
                     -1, INT64_MAX, 123);
  CHECK_OK(stride_layout_as_strided(&in, 1, LIST(0), LIST(1), INT64_MAX, &out, NULL)); /* reaches nothing */
  CHECK_OK(stride_layout_as_strided(&in, 0, NULL, NULL, 123, &in, NULL));
  CHECK_EQ(in.offset, 123);
  /* The lists may lie in the output. */
  in = cube();
  CHECK_OK(stride_layout_as_strided(&in, 3, in.sizes, in.strides, 100, &in, NULL));
  CHECK_LAYOUT(in, STRIDE_DTYPE_F32, 100, 3, LIST(2, 3, 4), LIST(12, 4, 1));
}

static void reinterpret(void) {
  stride_layout in = layout_of(STRIDE_DTYPE_U32, 5, 2, LIST(2, 3), LIST(-4, 1)), out;
  CHECK_OK(stride_layout_reinterpret(&in, STRIDE_DTYPE_U8, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_U8, 20, 2, LIST(2, 12), LIST(-16, 1));
  CHECK_OK(stride_layout_reinterpret(&out, STRIDE_DTYPE_U32, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_U32, 5, 2, LIST(2, 3), LIST(-4, 1));
  CHECK_OK(stride_layout_reinterpret(&in, STRIDE_DTYPE_F32, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 5, 2, LIST(2, 3), LIST(-4, 1));
  CHECK_OK(stride_layout_reinterpret(&in, STRIDE_DTYPE_S4 | STRIDE_DTYPE_HIGH_FIRST, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_S4 | STRIDE_DTYPE_HIGH_FIRST, 40, 2, LIST(2, 24), LIST(-32, 1));
  CHECK_LAYOUT_FAILS(stride_layout_reinterpret(&in, STRIDE_DTYPE_U64, &out, &record), SHAPE_MISMATCH, LAYOUT, 1, 3, 2);
  CHECK_LAYOUT_FAILS(stride_layout_reinterpret(&in, STRIDE_DTYPE_BYTES | 3, &out, &record), DTYPE_MISMATCH, DTYPE, -1,
                     STRIDE_DTYPE_BYTES | 3, STRIDE_DTYPE_U32);
  in = layout_of(STRIDE_DTYPE_U8, 2, 2, LIST(2, 4), LIST(5, 1));
  CHECK_LAYOUT_FAILS(stride_layout_reinterpret(&in, STRIDE_DTYPE_U16, &out, &record), NOT_REPRESENTABLE, LAYOUT, 0, 5, 2);
  CHECK_LAYOUT_FAILS(stride_layout_reinterpret(&in, 0, &out, &record), INVALID_DTYPE, DTYPE, -1, 0, 0);
  const stride_layout scalar = layout_of(STRIDE_DTYPE_U8, 2, 0, NULL, NULL);
  CHECK_LAYOUT_FAILS(stride_layout_reinterpret(&scalar, STRIDE_DTYPE_U4, &out, &record), NOT_REPRESENTABLE, LAYOUT, -1, 0,
                     1);
}

static void select_and_repeat(void) {
  stride_layout in = cube(), out;
  CHECK_OK(stride_layout_select(&in, 0, 1, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 112, 2, LIST(3, 4), LIST(4, 1));
  CHECK_OK(stride_layout_select(&in, -1, -1, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 103, 2, LIST(2, 3), LIST(12, 4));
  CHECK_LAYOUT_FAILS(stride_layout_select(&in, 1, 3, &out, &record), INDEX_OUT_OF_RANGE, INDEX, -1, 3, 3);
  CHECK_LAYOUT_FAILS(stride_layout_select(&in, 1, -4, &out, &record), INDEX_OUT_OF_RANGE, INDEX, -1, -4, 3);
  CHECK_LAYOUT_FAILS(stride_layout_select(&in, 3, 0, &out, &record), INVALID_AXES, AXIS, -1, 3, 3);
  CHECK_OK(stride_layout_repeat(&in, 1, 5, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 100, 4, LIST(2, 5, 3, 4), LIST(12, 0, 4, 1));
  CHECK_OK(stride_layout_repeat(&in, -1, 5, &in, NULL));
  CHECK_LAYOUT(in, STRIDE_DTYPE_F32, 100, 4, LIST(2, 3, 4, 5), LIST(12, 4, 1, 0));
  CHECK_LAYOUT_FAILS(stride_layout_repeat(&in, 5, 5, &out, &record), INVALID_AXES, AXIS, -1, 5, 5);
  CHECK_LAYOUT_FAILS(stride_layout_repeat(&in, 0, -5, &out, &record), INVALID_SIZE, COUNT, -1, -5, 0);
  CHECK_OK(stride_layout_select(&in, 0, 0, &in, NULL));
  CHECK_EQ(in.rank, 3);
}

static void cut(void) {
  stride_layout in = cube(), front, back;
  CHECK_OK(stride_layout_cut(&in, 1, 1, &front, &back, NULL));
  CHECK_LAYOUT(front, STRIDE_DTYPE_F32, 100, 3, LIST(2, 1, 4), LIST(12, 4, 1));
  CHECK_LAYOUT(back, STRIDE_DTYPE_F32, 104, 3, LIST(2, 2, 4), LIST(12, 4, 1));
  CHECK_OK(stride_layout_cut(&in, -1, 4, &front, &back, NULL));
  CHECK(front.sizes[2] == 4 && back.sizes[2] == 0 && back.offset == 100);
  CHECK_OK(stride_layout_cut(&in, -1, 0, &front, &back, NULL));
  CHECK(front.sizes[2] == 0 && back.sizes[2] == 4 && back.offset == 100);
  poison(&back, sizeof back);
  CHECK_LAYOUT_FAILS(stride_layout_cut(&in, 0, 3, &out, &back, &record), INDEX_OUT_OF_RANGE, POSITION, -1, 3, 3);
  CHECK_LAYOUT_FAILS(stride_layout_cut(&in, 0, -1, &out, &back, &record), INDEX_OUT_OF_RANGE, POSITION, -1, -1, 3);
  CHECK_LAYOUT_FAILS(stride_layout_cut(&in, 3, 0, &out, &back, &record), INVALID_AXES, AXIS, -1, 3, 3);
  CHECK_UNTOUCHED(back);
  CHECK_OK(stride_layout_cut(&in, 0, 1, &front, &in, NULL));
  CHECK_EQ(in.offset, 112);
}

static const test tests[] = {
    TEST(layouts_with_gaps), TEST(windows), TEST(as_strided), TEST(reinterpret), TEST(select_and_repeat), TEST(cut),
};

int main(void) { return RUN(tests); }
