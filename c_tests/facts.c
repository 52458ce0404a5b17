/* Section "Facts": fit, facts in one call, alignment, packed runs, orders. tests/facts.rs has the many cases. */
#include "check.h"

static stride_layout pitched(void) {
  stride_layout image;
  CHECK_OK(stride_layout_init_aligned(&image, STRIDE_DTYPE_U8, 3, LIST(480, 640, 3), 0, 256, NULL));
  return image;
}

static void fits(void) {
  const stride_layout image = pitched();
  const int64_t needed = 479 * 2048 + 1920;
  stride_error record;
  CHECK_OK(stride_layout_fits(&image, (uint64_t)needed, NULL));
  CHECK_OK(stride_layout_fits(&image, UINT64_MAX, NULL));
  CHECK_FAILS(record, stride_layout_fits(&image, (uint64_t)needed - 1, &record), OUT_OF_BOUNDS, BUFFER_BYTES, -1, needed,
              needed - 1);
  CHECK_EQ(record.detail, STRIDE_DETAIL_PAST_END);
  const stride_layout mirrored = layout_of(STRIDE_DTYPE_F32, 0, 1, LIST(3), LIST(-1));
  CHECK_FAILS(record, stride_layout_fits(&mirrored, 100, &record), OUT_OF_BOUNDS, LAYOUT, -1, -8, 0);
  CHECK_EQ(record.detail, STRIDE_DETAIL_BEFORE_START);
  const stride_layout empty = layout_of(STRIDE_DTYPE_F32, INT64_MIN, 2, LIST(3, 0), LIST(-1, 5));
  CHECK_OK(stride_layout_fits(&empty, 0, NULL));
}

static void facts_in_one_call(void) {
  const stride_layout image = pitched();
  stride_layout_facts facts;
  poison(&facts, sizeof facts);
  facts.struct_size = sizeof facts;
  CHECK_OK(stride_layout_query(&image, &facts, NULL));
  CHECK_EQ(facts.struct_size, sizeof facts);
  CHECK_EQ(facts.formats, 0);
  CHECK_EQ(facts.element_count, 480 * 640 * 3);
  CHECK_EQ(facts.lowest, 0);
  CHECK_EQ(facts.highest, 479 * 2048 + 1919);
  CHECK_EQ(facts.min_bytes, 479 * 2048 + 1920);
  CHECK_EQ(facts.packed_bytes, 480 * 640 * 3);
  CHECK_EQ(facts.element_bits, 8);
  CHECK_EQ(facts.run_dimensions, 2);
  CHECK_EQ(facts.run_elements, 1920);
  CHECK_EQ(facts.element_alignment, 1);
  CHECK_EQ(facts.row_alignment, 2048);

  const stride_layout mirrored = layout_of(STRIDE_DTYPE_F32, 0, 1, LIST(3), LIST(-1));
  CHECK_OK(stride_layout_query(&mirrored, &facts, NULL));
  CHECK(facts.min_bytes == UINT64_MAX && facts.lowest == -2 && facts.packed_bytes == 12);
  const stride_layout empty = layout_of(STRIDE_DTYPE_F32, 3, 2, LIST(3, 0), LIST(-1, 5));
  CHECK_OK(stride_layout_query(&empty, &facts, NULL));
  CHECK(facts.element_count == 0 && facts.highest == -1 && facts.min_bytes == 0 && facts.run_dimensions == 2);
  CHECK(facts.row_alignment == (uint64_t)1 << 63);
}

/* The size says how much there is. */
static void sizes_of_the_struct(void) {
  const stride_layout image = pitched();
  const uint32_t known = sizeof(stride_layout_facts);
  unsigned char *const memory = heap(known + 16); /* a later version's struct */
  stride_layout_facts facts;
  stride_error record;
  uint32_t size = known + 16;
  memcpy(memory, &size, sizeof size);
  CHECK_OK(stride_layout_query(&image, (stride_layout_facts *)(void *)memory, NULL));
  memcpy(&facts, memory, sizeof facts);
  CHECK_EQ(facts.struct_size, size);
  CHECK_EQ(facts.row_alignment, 2048);
  for (uint32_t k = 0; k < 16; k++) CHECK_EQ(memory[known + k], 0);

  poison(memory, known);
  size = known - 1; /* nothing after the size is read */
  memcpy(memory, &size, sizeof size);
  CHECK_FAILS(record, stride_layout_query(&image, (stride_layout_facts *)(void *)memory, &record), INVALID_ARGUMENT, OUT,
              -1, known - 1, known);
  CHECK_EQ(record.detail, STRIDE_DETAIL_STRUCT_SIZE);
  CHECK(is_poisoned(memory + sizeof size, known - sizeof size));
  size = 4097;
  memcpy(memory, &size, sizeof size);
  CHECK_FAILS(record, stride_layout_query(&image, (stride_layout_facts *)(void *)memory, &record), INVALID_ARGUMENT, OUT,
              -1, 4097, 4096);
  free(memory);
}

static void check_alignment(stride_layout layout, uint64_t base, uint64_t element, uint64_t row) {
  uint64_t found[2] = {0, 0};
  CHECK_OK(stride_layout_alignment(&layout, base, &found[0], &found[1], NULL));
  CHECK_EQ(found[0], element);
  CHECK_EQ(found[1], row);
}

static void alignments(void) {
  check_alignment(pitched(), 4096, 1, 2048);
  check_alignment(pitched(), 64, 1, 64);
  check_alignment(layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(4, 3), NULL), 64, 4, 64);
  check_alignment(layout_of(STRIDE_DTYPE_F32, 2, 2, LIST(4, 3), NULL), 64, 4, 8);
  check_alignment(layout_of(STRIDE_DTYPE_U4, 0, 2, LIST(4, 3), LIST(16, 1)), 64, 1, 8);
  check_alignment(layout_of(STRIDE_DTYPE_U8, 5, 1, LIST(0), NULL), 64, 64, 64);
  const stride_layout image = pitched();
  stride_error record;
  uint64_t element, row;
  poison(&element, sizeof element);
  poison(&row, sizeof row);
  CHECK_FAILS(record, stride_layout_alignment(&image, 48, &element, &row, &record), INVALID_ARGUMENT, BASE_ALIGNMENT, -1,
              48, 1);
  CHECK_EQ(record.detail, STRIDE_DETAIL_NOT_A_POWER_OF_TWO);
  CHECK_STATUS(stride_layout_alignment(&image, 0, &element, &row, NULL), INVALID_ARGUMENT);
  CHECK_UNTOUCHED(element);
  CHECK_UNTOUCHED(row);
}

static void check_run(stride_layout layout, uint32_t dimensions, int64_t elements) {
  uint32_t found = 99;
  int64_t length = -1;
  CHECK_OK(stride_layout_contiguous_run(&layout, &found, &length, NULL));
  CHECK_EQ(found, dimensions);
  CHECK_EQ(length, elements);
}

static void runs(void) {
  check_run(layout_of(STRIDE_DTYPE_F32, 864, 4, LIST(3, 3, 1, 96), LIST(288, 96, 96, 1)), 4, 864);
  check_run(layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(4, 16), LIST(18, 1)), 1, 16);
  check_run(layout_of(STRIDE_DTYPE_F32, 0, 1, LIST(4), LIST(2)), 0, 1);
  check_run(layout_of(STRIDE_DTYPE_F32, 0, 0, NULL, NULL), 0, 1);
  check_run(layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(0, 4), LIST(7, 7)), 2, 0);
}

static void orders(void) {
  const stride_layout weight = layout_of(STRIDE_DTYPE_F32, 0, 4, LIST(8, 1, 3, 3), LIST(9, 1, 3, 1));
  int64_t order[4];
  uint32_t unique = 9;
  stride_error record;
  CHECK_OK(stride_layout_dim_order(&weight, 4, LIST(0, 2, 3, 1), 4, order, &unique, NULL));
  CHECK(memcmp(order, LIST(0, 2, 3, 1), sizeof order) == 0 && unique == 0);
  CHECK_OK(stride_layout_dim_order(&weight, 0, NULL, 4, order, &unique, NULL));
  CHECK(memcmp(order, LIST(0, 1, 2, 3), sizeof order) == 0 && unique == 0);
  CHECK_OK(stride_layout_dim_order(&weight, 4, LIST(3, 2, 1, 0), 4, order, &unique, NULL)); /* does not fit */
  CHECK(memcmp(order, LIST(0, 1, 2, 3), sizeof order) == 0);
  CHECK_OK(stride_layout_dim_order(&weight, 4, order, 4, order, &unique, NULL)); /* in place */
  CHECK(memcmp(order, LIST(0, 1, 2, 3), sizeof order) == 0);
  const stride_layout mirrored = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(3, 4), LIST(-1, 3));
  CHECK_OK(stride_layout_dim_order(&mirrored, 0, NULL, 2, order, &unique, NULL));
  CHECK(order[0] == 1 && order[1] == 0 && unique == 1);

  poison(order, sizeof order);
  poison(&unique, sizeof unique);
  CHECK_FAILS(record, stride_layout_dim_order(&weight, 4, LIST(0, 1, 1, 2), 4, order, &unique, &record), INVALID_AXES,
              PREFERRED, 2, 1, 4);
  CHECK_FAILS(record, stride_layout_dim_order(&weight, 3, LIST(0, 1, 2), 4, order, &unique, &record), INVALID_RANK, COUNT,
              -1, 3, 4);
  CHECK_UNTOUCHED(order);
  CHECK_UNTOUCHED(unique);
}

static const test tests[] = {
    TEST(fits), TEST(facts_in_one_call), TEST(sizes_of_the_struct), TEST(alignments), TEST(runs), TEST(orders),
};

int main(void) { return RUN(tests); }
