/* Section "Views": every view against NumPy's answer for the same array, in place as well. */
#include "check.h"

/* sizes {2,3,4} packed, at offset 100. */
static stride_layout cube(void) { return layout_of(STRIDE_DTYPE_F32, 100, 3, LIST(2, 3, 4), NULL); }

static void permute(void) {
  stride_layout in = cube(), out;
  CHECK_OK(stride_layout_permute(&in, 3, LIST(2, 0, 1), &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 100, 3, LIST(4, 2, 3), LIST(1, 12, 4));
  CHECK_OK(stride_layout_permute(&in, 3, LIST(-1, -3, -2), &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 100, 3, LIST(4, 2, 3), LIST(1, 12, 4));
  CHECK_LAYOUT_FAILS(stride_layout_permute(&in, 3, LIST(2, 0, 0), &out, &record), INVALID_AXES, AXES, 2, 0, 3);
  CHECK_LAYOUT_FAILS(stride_layout_permute(&in, 3, LIST(2, 3, 0), &out, &record), INVALID_AXES, AXES, 1, 3, 3);
  CHECK_LAYOUT_FAILS(stride_layout_permute(&in, 3, LIST(2, -1, 0), &out, &record), INVALID_AXES, AXES, 1, -1, 3);
  CHECK_OK(stride_layout_permute(&in, 3, LIST(2, 0, 1), &in, NULL));
  CHECK_LAYOUT(in, STRIDE_DTYPE_F32, 100, 3, LIST(4, 2, 3), LIST(1, 12, 4));
  stride_layout scalar = layout_of(STRIDE_DTYPE_F32, 3, 0, NULL, NULL);
  CHECK_OK(stride_layout_permute(&scalar, 0, NULL, &scalar, NULL));
  CHECK_EQ(scalar.offset, 3);
}

static void slice(void) {
  stride_layout in = cube(), out;
  /* a[:, ::-1, 1:3] */
  CHECK_OK(stride_layout_slice(&in, 3, LIST(0, INT64_MAX, 1), LIST(INT64_MAX, INT64_MIN, 3), LIST(1, -1, 1), &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 100 + 2 * 4 + 1, 3, LIST(2, 3, 2), LIST(12, -4, 1));
  /* a[-1:, -2:-1, ::3] */
  CHECK_OK(stride_layout_slice(&in, 3, LIST(-1, -2, 0), LIST(INT64_MAX, -1, INT64_MAX), LIST(1, 1, 3), &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 100 + 12 + 4, 3, LIST(1, 1, 2), LIST(12, 4, 3));
  /* All NULL: the whole. NULL starts and stops with a negative step: the whole, mirrored. */
  CHECK_OK(stride_layout_slice(&in, 3, NULL, NULL, NULL, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 100, 3, LIST(2, 3, 4), LIST(12, 4, 1));
  CHECK_OK(stride_layout_slice(&in, 3, NULL, NULL, LIST(-1, 1, -2), &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 100 + 12 + 3, 3, LIST(2, 3, 2), LIST(-12, 4, -2));
  CHECK_LAYOUT_FAILS(stride_layout_slice(&in, 3, NULL, NULL, LIST(1, 0, 1), &out, &record),
                   INVALID_ARGUMENT, STEPS, 1, 0, 0);
  CHECK_OK(stride_layout_slice(&in, 3, NULL, LIST(1, 1, 1), NULL, &in, NULL));
  CHECK_LAYOUT(in, STRIDE_DTYPE_F32, 100, 3, LIST(1, 1, 1), LIST(12, 4, 1));
}

/* size = len(range(*slice(start, stop, step).indices(n))) and the first index, as CPython computes them. */
static void slices_of_every_kind(void) {
  for (int64_t n = 0; n <= 4; n++) {
    const stride_layout in = layout_of(STRIDE_DTYPE_U8, 50, 1, LIST(n), LIST(3));
    for (int64_t start = -6; start <= 6; start++) {
      for (int64_t stop = -6; stop <= 6; stop++) {
        for (int64_t step = -3; step <= 3; step++) {
          if (step == 0) continue;
          const int64_t low = step > 0 ? 0 : -1, high = step > 0 ? n : n - 1;
          int64_t from = start < 0 ? start + n : start, to = stop < 0 ? stop + n : stop, count = 0;
          from = from < low ? low : from > high ? high : from;
          to = to < low ? low : to > high ? high : to;
          for (int64_t i = from; step > 0 ? i < to : i > to; i += step) count++;
          stride_layout out;
          CHECK_OK(stride_layout_slice(&in, 1, &start, &stop, &step, &out, NULL));
          CHECK_EQ(out.sizes[0], count);
          CHECK_EQ(out.offset, count ? 50 + 3 * from : 50);
          if (count > 1) CHECK_EQ(out.strides[0], 3 * step);
        }
      }
    }
  }
}

static void crop(void) {
  stride_layout in = cube(), out;
  CHECK_OK(stride_layout_crop(&in, 3, LIST(1, 0, 2), LIST(1, 3, 2), &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 114, 3, LIST(1, 3, 2), LIST(12, 4, 1));
  CHECK_OK(stride_layout_crop(&in, 3, LIST(2, 3, 4), LIST(0, 0, 0), &out, NULL));
  CHECK_EQ(out.offset, 100); /* without elements the offset stays */
  CHECK_LAYOUT_FAILS(stride_layout_crop(&in, 3, LIST(0, 0, 3), LIST(2, 3, 2), &out, &record),
                   INDEX_OUT_OF_RANGE, SIZES, 2, 5, 4);
  CHECK_LAYOUT_FAILS(stride_layout_crop(&in, 3, LIST(0, -1, 0), LIST(2, 3, 2), &out, &record), INDEX_OUT_OF_RANGE, STARTS, 1,
                     -1, 4);
  CHECK_LAYOUT_FAILS(stride_layout_crop(&in, 3, LIST(3, 0, 0), LIST(0, 3, 2), &out, &record),
                   INDEX_OUT_OF_RANGE, STARTS, 0, 3, 3);
  CHECK_LAYOUT_FAILS(stride_layout_crop(&in, 3, LIST(0, 0, 0), LIST(2, -3, 2), &out, &record),
                   INVALID_SIZE, SIZES, 1, -3, 0);
  CHECK_OK(stride_layout_crop(&in, 3, LIST(1, 0, 2), LIST(1, 3, 2), &in, NULL));
  CHECK_EQ(in.offset, 114);
}

static void flip(void) {
  stride_layout in = cube(), out;
  CHECK_OK(stride_layout_flip(&in, 2, LIST(0, -1), &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 100 + 12 + 3, 3, LIST(2, 3, 4), LIST(-12, 4, -1));
  CHECK_OK(stride_layout_flip(&in, 0, NULL, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 100, 3, LIST(2, 3, 4), LIST(12, 4, 1));
  CHECK_LAYOUT_FAILS(stride_layout_flip(&in, 2, LIST(2, -1), &out, &record), INVALID_AXES, AXES, 1, -1, 3);
  CHECK_LAYOUT_FAILS(stride_layout_flip(&in, 1, LIST(3), &out, &record), INVALID_AXES, AXES, 0, 3, 3);
  CHECK_OK(stride_layout_flip(&in, 2, LIST(0, 2), &in, NULL)); /* twice is once nothing */
  CHECK_OK(stride_layout_flip(&in, 2, LIST(0, 2), &in, NULL));
  CHECK_LAYOUT(in, STRIDE_DTYPE_F32, 100, 3, LIST(2, 3, 4), LIST(12, 4, 1));
}

static void squeeze(void) {
  stride_layout in = layout_of(STRIDE_DTYPE_F32, 7, 5, LIST(1, 3, 1, 2, 1), LIST(9, 2, 8, -1, 7));
  stride_layout out;
  CHECK_OK(stride_layout_squeeze(&in, 2, LIST(0, -3), &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 7, 3, LIST(3, 2, 1), LIST(2, -1, 7));
  CHECK_OK(stride_layout_squeeze(&in, 0, NULL, &out, NULL));
  CHECK_EQ(out.rank, 5);
  CHECK_LAYOUT_FAILS(stride_layout_squeeze(&in, 1, LIST(1), &out, &record), INVALID_SIZE, LAYOUT, 1, 3, 1);
  CHECK_LAYOUT_FAILS(stride_layout_squeeze(&in, 2, LIST(0, -5), &out, &record), INVALID_AXES, AXES, 1, -5, 5);
  CHECK_OK(stride_layout_squeeze_all(&in, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 7, 2, LIST(3, 2), LIST(2, -1));
  CHECK_OK(stride_layout_squeeze_all(&in, &in, NULL));
  CHECK_EQ(in.rank, 2);
  CHECK_OK(stride_layout_squeeze_all(&in, &in, NULL));
  CHECK_EQ(in.rank, 2);
}

static void expand_dims(void) {
  stride_layout in = layout_of(STRIDE_DTYPE_F32, 7, 2, LIST(3, 4), NULL), out;
  CHECK_OK(stride_layout_expand_dims(&in, 3, LIST(0, 2, -1), &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 7, 5, LIST(1, 3, 1, 4, 1), LIST(12, 4, 4, 1, 1));
  CHECK_LAYOUT_FAILS(stride_layout_expand_dims(&in, 1, LIST(3), &out, &record), INVALID_AXES, AXES, 0, 3, 3);
  CHECK_LAYOUT_FAILS(stride_layout_expand_dims(&in, 2, LIST(1, 1), &out, &record), INVALID_AXES, AXES, 1, 1, 4);
  int64_t axes[63];
  for (int k = 0; k < 63; k++) axes[k] = k;
  stride_layout untouched;
  poison(&untouched, sizeof untouched);
  CHECK_STATUS(stride_layout_expand_dims(&in, 63, axes, &untouched, NULL), INVALID_RANK);
  CHECK_UNTOUCHED(untouched);
  CHECK_OK(stride_layout_expand_dims(&in, 62, axes, &in, NULL));
  CHECK_EQ(in.rank, 64);
  CHECK_EQ(in.sizes[62], 3);
}

static void pad_rank(void) {
  stride_layout in = layout_of(STRIDE_DTYPE_F32, 7, 2, LIST(3, 4), NULL), out;
  CHECK_OK(stride_layout_pad_rank(&in, 4, 0, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 7, 4, LIST(1, 1, 3, 4), LIST(12, 12, 4, 1));
  CHECK_OK(stride_layout_pad_rank(&in, 4, 1, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 7, 4, LIST(3, 1, 1, 4), LIST(4, 4, 4, 1));
  CHECK_OK(stride_layout_pad_rank(&in, 3, 2, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 7, 3, LIST(3, 4, 1), LIST(4, 1, 1));
  CHECK_OK(stride_layout_pad_rank(&in, 2, 0, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 7, 2, LIST(3, 4), LIST(4, 1));
  CHECK_LAYOUT_FAILS(stride_layout_pad_rank(&in, 1, 0, &out, &record), INVALID_RANK, RANK, -1, 1, 2);
  CHECK_LAYOUT_FAILS(stride_layout_pad_rank(&in, 4, 3, &out, &record), INVALID_AXES, POSITION, -1, 3, 3);
  stride_layout untouched;
  poison(&untouched, sizeof untouched);
  CHECK_STATUS(stride_layout_pad_rank(&in, 65, 0, &untouched, NULL), INVALID_RANK);
  CHECK_UNTOUCHED(untouched);
  CHECK_OK(stride_layout_pad_rank(&in, 64, 0, &in, NULL));
  CHECK_EQ(in.rank, 64);
}

static void reshape(void) {
  stride_layout in = cube(), out;
  CHECK_OK(stride_layout_reshape(&in, 2, LIST(6, 4), &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 100, 2, LIST(6, 4), LIST(4, 1));
  CHECK_OK(stride_layout_reshape(&in, 4, LIST(2, -1, 2, 3), &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 100, 4, LIST(2, 2, 2, 3), LIST(12, 6, 3, 1));
  /* A mirrored run and a repeated one. */
  const stride_layout mirrored = layout_of(STRIDE_DTYPE_F32, 11, 2, LIST(3, 4), LIST(-4, -1));
  CHECK_OK(stride_layout_reshape(&mirrored, 1, LIST(-1), &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 11, 1, LIST(12), LIST(-1));
  const stride_layout repeated = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(3, 4), LIST(0, 0));
  CHECK_OK(stride_layout_reshape(&repeated, 1, LIST(12), &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 0, 1, LIST(12), LIST(0));
  const stride_layout scalar = layout_of(STRIDE_DTYPE_F32, 4, 0, NULL, NULL);
  CHECK_OK(stride_layout_reshape(&scalar, 2, LIST(1, 1), &out, NULL));
  CHECK_EQ(out.rank, 2);
  CHECK_OK(stride_layout_reshape(&out, 0, NULL, &out, NULL));
  CHECK_EQ(out.rank, 0);
}

static void reshapes_that_are_refused(void) {
  stride_layout in = cube(), transposed;
  CHECK_OK(stride_layout_permute(&in, 3, LIST(2, 0, 1), &transposed, NULL));
  stride_layout out;
  stride_error record;
  poison(&out, sizeof out);
  CHECK_STATUS(stride_layout_reshape(&transposed, 1, LIST(24), &out, &record), NOT_REPRESENTABLE);
  CHECK_EQ(record.argument, STRIDE_ARGUMENT_LAYOUT);
  CHECK_FAILS(record, stride_layout_reshape(&in, 2, LIST(5, 5), &out, &record), SHAPE_MISMATCH, SIZES, -1, 25, 24);
  CHECK_STATUS(stride_layout_reshape(&in, 2, LIST(5, -1), &out, NULL), SHAPE_MISMATCH);
  CHECK_STATUS(stride_layout_reshape(&in, 2, LIST(-1, -1), &out, NULL), INVALID_SIZE);
  CHECK_STATUS(stride_layout_reshape(&in, 2, LIST(-2, 12), &out, NULL), INVALID_SIZE);
  CHECK_STATUS(stride_layout_reshape(&in, 65, LIST(24), &out, NULL), INVALID_RANK);
  CHECK_UNTOUCHED(out);
}

static void reshapes_of_nothing(void) {
  const stride_layout empty = layout_of(STRIDE_DTYPE_F32, 9, 2, LIST(0, 4), LIST(1, 7));
  stride_layout out;
  CHECK_OK(stride_layout_reshape(&empty, 3, LIST(5, 0, 2), &out, NULL));
  CHECK_EQ(out.rank, 3);
  CHECK_EQ(out.offset, 9);
  CHECK_OK(stride_layout_reshape(&empty, 2, LIST(-1, 3), &out, NULL));
  CHECK_EQ(out.sizes[0], 0);
  CHECK_STATUS(stride_layout_reshape(&empty, 1, LIST(1), &out, NULL), SHAPE_MISMATCH);
}

static void split_and_merge(void) {
  stride_layout in = layout_of(STRIDE_DTYPE_F32, 50, 2, LIST(2, 12), LIST(12, -1)), halves, out;
  CHECK_OK(stride_layout_split(&in, -1, 2, LIST(3, -1), &halves, NULL));
  CHECK_LAYOUT(halves, STRIDE_DTYPE_F32, 50, 3, LIST(2, 3, 4), LIST(12, -4, -1));
  CHECK_OK(stride_layout_merge(&halves, 1, 2, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 50, 2, LIST(2, 12), LIST(12, -1));
  CHECK_OK(stride_layout_merge(&halves, -1, 1, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 50, 3, LIST(2, 3, 4), LIST(12, -4, -1));

  CHECK_LAYOUT_FAILS(stride_layout_merge(&halves, 0, 2, &out, &record), NOT_REPRESENTABLE, LAYOUT, 0, 12, -12);
  CHECK_LAYOUT_FAILS(stride_layout_merge(&halves, 1, 3, &out, &record), INVALID_ARGUMENT, COUNT, -1, 3, 2);
  CHECK_LAYOUT_FAILS(stride_layout_merge(&halves, 1, 0, &out, &record), INVALID_ARGUMENT, COUNT, -1, 0, 1);
  CHECK_LAYOUT_FAILS(stride_layout_split(&in, 2, 1, LIST(12), &out, &record), INVALID_AXES, AXIS, -1, 2, 2);
  CHECK_LAYOUT_FAILS(stride_layout_split(&in, 1, 1, LIST(11), &out, &record), SHAPE_MISMATCH, SIZES, -1, 11, 12);
  stride_layout untouched;
  poison(&untouched, sizeof untouched);
  CHECK_STATUS(stride_layout_merge(&halves, 3, 1, &untouched, NULL), INVALID_AXES);
  CHECK_STATUS(stride_layout_merge(&halves, 0, UINT32_MAX, &untouched, NULL), INVALID_ARGUMENT);
  CHECK_STATUS(stride_layout_split(&in, 0, 65, LIST(2), &untouched, NULL), INVALID_RANK);
  CHECK_UNTOUCHED(untouched);

  CHECK_OK(stride_layout_split(&in, 1, 2, LIST(4, 3), &in, NULL));
  CHECK_LAYOUT(in, STRIDE_DTYPE_F32, 50, 3, LIST(2, 4, 3), LIST(12, -3, -1));
  CHECK_OK(stride_layout_merge(&in, 1, 2, &in, NULL));
  CHECK_LAYOUT(in, STRIDE_DTYPE_F32, 50, 2, LIST(2, 12), LIST(12, -1));
}

static void diagonal(void) {
  stride_layout in = cube(), out;
  CHECK_OK(stride_layout_diagonal(&in, 0, 1, 2, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 100, 2, LIST(2, 3), LIST(12, 5));
  CHECK_OK(stride_layout_diagonal(&in, 2, -2, -1, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 102, 2, LIST(2, 2), LIST(12, 5));
  CHECK_OK(stride_layout_diagonal(&in, -1, 1, 2, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 104, 2, LIST(2, 2), LIST(12, 5));
  CHECK_OK(stride_layout_diagonal(&in, -1, 2, 1, &out, NULL)); /* axis1 counts the rows */
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 101, 2, LIST(2, 3), LIST(12, 5));
  CHECK_OK(stride_layout_diagonal(&in, INT64_MIN, 1, 2, &out, NULL));
  CHECK_EQ(out.sizes[1], 0);
  CHECK_EQ(out.offset, 100);
  CHECK_LAYOUT_FAILS(stride_layout_diagonal(&in, 0, 1, -2, &out, &record), INVALID_AXES, AXIS2, -1, -2, 3);
  CHECK_LAYOUT_FAILS(stride_layout_diagonal(&in, 0, 3, 0, &out, &record), INVALID_AXES, AXIS1, -1, 3, 3);
  CHECK_OK(stride_layout_diagonal(&in, 0, 0, 1, &in, NULL));
  CHECK_LAYOUT(in, STRIDE_DTYPE_F32, 100, 2, LIST(4, 2), LIST(1, 16));
}

static void counts_above_64_are_refused(void) {
  const stride_layout in = cube();
  stride_layout out;
  poison(&out, sizeof out);
  CHECK_STATUS(stride_layout_flip(&in, 65, LIST(0), &out, NULL), INVALID_RANK);
  CHECK_STATUS(stride_layout_squeeze(&in, UINT32_MAX, LIST(0), &out, NULL), INVALID_RANK);
  CHECK_STATUS(stride_layout_expand_dims(&in, 65, LIST(0), &out, NULL), INVALID_RANK);
  CHECK_UNTOUCHED(out);
}

static const test tests[] = {
    TEST(permute),
    TEST(slice),
    TEST(slices_of_every_kind),
    TEST(crop),
    TEST(flip),
    TEST(squeeze),
    TEST(expand_dims),
    TEST(pad_rank),
    TEST(reshape),
    TEST(reshapes_that_are_refused),
    TEST(reshapes_of_nothing),
    TEST(split_and_merge),
    TEST(diagonal),
    TEST(counts_above_64_are_refused),
};

int main(void) { return RUN(tests); }
