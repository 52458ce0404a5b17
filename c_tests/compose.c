/* Section "Composition": CuTe's examples (media/docs/cpp/cute/02_layout_algebra.md of CUTLASS), made row-major. */
#include "check.h"

/* (6,2):(8,2) o (4,3):(3,1) = ((2,2),3):((24,2),8). */
static void compose_of_cutlass(void) {
  const stride_layout outer = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 6), LIST(2, 8));
  const stride_layout inner = layout_of(STRIDE_DTYPE_U8, 0, 2, LIST(3, 4), LIST(1, 3));
  stride_layout out;
  uint32_t parts[3];
  poison(parts, sizeof parts);
  CHECK_OK(stride_layout_compose(&outer, &inner, &out, 2, parts, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 0, 3, LIST(3, 2, 2), LIST(8, 2, 24));
  CHECK_EQ(parts[0], 1);
  CHECK_EQ(parts[1], 2);
  CHECK(is_poisoned(&parts[2], sizeof(uint32_t)));
}

static void mirrored_repeated_and_single(void) {
  stride_layout outer = layout_of(STRIDE_DTYPE_F32, 5, 2, LIST(4, 6), LIST(8, 1));
  stride_layout inner = layout_of(STRIDE_DTYPE_U8, 23, 3, LIST(12, 1, 2), LIST(-2, 77, 0));
  uint32_t parts[3];
  CHECK_OK(stride_layout_compose(&outer, &inner, &inner, 3, parts, NULL)); /* in place */
  CHECK_LAYOUT(inner, STRIDE_DTYPE_F32, 34, 4, LIST(4, 3, 1, 2), LIST(-8, -2, 0, 0));
  CHECK(parts[0] == 2 && parts[1] == 1 && parts[2] == 1);
  inner = layout_of(STRIDE_DTYPE_U8, 0, 2, LIST(3, 0), LIST(-9, 1));
  CHECK_OK(stride_layout_compose(&outer, &inner, &outer, 2, parts, NULL));
  CHECK_LAYOUT(outer, STRIDE_DTYPE_F32, 5, 2, LIST(3, 0), LIST(0, 0));
}

static void compose_says_why_not(void) {
  const stride_layout rows = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(4, 6), LIST(8, 1));
  stride_layout inner;
  uint32_t parts[2];
  poison(parts, sizeof parts);
#define COMPOSE(rank) stride_layout_compose(&rows, &inner, &out, rank, parts, &record)
  inner = layout_of(STRIDE_DTYPE_U8, 0, 1, LIST(25), NULL);
  CHECK_LAYOUT_FAILS(COMPOSE(1), OUT_OF_BOUNDS, INNER, -1, 24, 24);
  inner = layout_of(STRIDE_DTYPE_U8, 1, 1, LIST(2), LIST(-2));
  CHECK_LAYOUT_FAILS(COMPOSE(1), OUT_OF_BOUNDS, INNER, -1, -1, 24);
  CHECK_LAYOUT_FAILS(COMPOSE(2), INVALID_RANK, RANK, -1, 2, 1);
  /* Four numbers lie in one row; of five the last one does not. */
  inner = layout_of(STRIDE_DTYPE_U8, 2, 2, LIST(2, 5), LIST(12, 1));
  CHECK_LAYOUT_FAILS(COMPOSE(2), NOT_REPRESENTABLE, INNER, 1, 5, 4);
  /* Each alone stays in its row, 3 + 4 do not. */
  inner = layout_of(STRIDE_DTYPE_U8, 0, 2, LIST(2, 5), LIST(3, 1));
  CHECK_LAYOUT_FAILS(COMPOSE(2), NOT_REPRESENTABLE, INNER, 1, 7, 6);
#undef COMPOSE
  CHECK_UNTOUCHED(parts);
}

static void inverse(void) {
  stride_layout layout = layout_of(STRIDE_DTYPE_F32, 9, 2, LIST(2, 3), LIST(1, 2));
  stride_layout out, memory;
  uint32_t parts[2];
  CHECK_OK(stride_layout_inverse(&layout, &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_F32, 0, 2, LIST(3, 2), LIST(1, 3));
  CHECK_OK(stride_layout_compose(&layout, &out, &memory, 2, parts, NULL));
  CHECK_LAYOUT(memory, STRIDE_DTYPE_F32, 9, 2, LIST(3, 2), LIST(2, 1));
  layout = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), LIST(4, 1));
  CHECK_LAYOUT_FAILS(stride_layout_inverse(&layout, &out, &record), NOT_REPRESENTABLE, LAYOUT, 0, 4, 3);
}

static void tile(void) {
  stride_layout layout = layout_of(STRIDE_DTYPE_U8, 3, 2, LIST(4, 6), LIST(-8, 1));
  stride_layout out;
  CHECK_OK(stride_layout_tile(&layout, 2, LIST(2, 3), &out, NULL));
  CHECK_LAYOUT(out, STRIDE_DTYPE_U8, 3, 4, LIST(2, 2, 2, 3), LIST(-16, 3, -8, 1));
  CHECK_LAYOUT_FAILS(stride_layout_tile(&layout, 2, LIST(2, 4), &out, &record), SHAPE_MISMATCH, TILE_SIZES, 1, 6, 4);
  CHECK_LAYOUT_FAILS(stride_layout_tile(&layout, 2, LIST(0, 3), &out, &record), INVALID_SIZE, TILE_SIZES, 0, 0, 1);
  CHECK_LAYOUT_FAILS(stride_layout_tile(&layout, 3, LIST(1, 1, 1), &out, &record), INVALID_RANK, RANK, -1, 3, 2);
  CHECK_OK(stride_layout_tile(&layout, 2, LIST(4, 1), &layout, NULL)); /* in place */
  CHECK_LAYOUT(layout, STRIDE_DTYPE_U8, 3, 4, LIST(1, 6, 4, 1), LIST(-32, 1, -8, 1));
}

static void common_run(void) {
  const stride_layout in[3] = {layout_of(STRIDE_DTYPE_F32, 0, 3, LIST(4, 1, 6), LIST(8, 99, 1)),
                               layout_of(STRIDE_DTYPE_U8, 5, 3, LIST(4, 1, 6), NULL),
                               layout_of(STRIDE_DTYPE_U8, 0, 3, LIST(4, 1, 5), NULL)};
  int64_t elements;
  stride_error record;
  CHECK_OK(stride_layouts_common_run(2, in, &elements, NULL));
  CHECK_EQ(elements, 6);
  CHECK_OK(stride_layouts_common_run(1, in + 1, &elements, NULL));
  CHECK_EQ(elements, 24);
  CHECK_OK(stride_layouts_common_run(0, NULL, &elements, NULL));
  CHECK_EQ(elements, 1);
  poison(&elements, sizeof elements);
  CHECK_FAILS(record, stride_layouts_common_run(3, in, &elements, &record), SHAPE_MISMATCH, IN, 2, 5, 6);
  CHECK_EQ(record.item, 2);
  CHECK_UNTOUCHED(elements);
}

static const test tests[] = {
    TEST(compose_of_cutlass), TEST(mirrored_repeated_and_single), TEST(compose_says_why_not), TEST(inverse), TEST(tile),
    TEST(common_run),
};

int main(void) { return RUN(tests); }
