/* Section "Overlap": whether two indices, or two layouts, share memory. */
#include "check.h"

static uint32_t self_overlap(stride_layout layout) {
  uint32_t answer = 99;
  CHECK_OK(stride_layout_self_overlap(&layout, 0, &answer, NULL));
  return answer;
}

static uint32_t overlap(stride_layout lhs, uint64_t lhs_address, stride_layout rhs, uint64_t rhs_address) {
  uint32_t answer = 99, mirrored = 98;
  CHECK_OK(stride_layouts_overlap(&lhs, lhs_address, &rhs, rhs_address, 0, &answer, NULL));
  CHECK_OK(stride_layouts_overlap(&rhs, rhs_address, &lhs, lhs_address, 0, &mirrored, NULL));
  CHECK_EQ(answer, mirrored);
  return answer;
}

static stride_layout u8_layout(uint32_t rank, const int64_t *sizes, const int64_t *strides) {
  return layout_of(STRIDE_DTYPE_U8, 0, rank, sizes, strides);
}

static void two_indices_of_one_layout(void) {
  CHECK_EQ(self_overlap(u8_layout(2, LIST(4, 4), LIST(3, 4))), 0);
  CHECK_EQ(self_overlap(u8_layout(2, LIST(5, 4), LIST(3, 4))), 1); /* (4,0) and (0,3) are both 12 */
  CHECK_EQ(self_overlap(u8_layout(2, LIST(2, 3), NULL)), 0);
  CHECK_EQ(self_overlap(u8_layout(2, LIST(2, 3), LIST(2, 1))), 1);
  CHECK_EQ(self_overlap(u8_layout(2, LIST(2, 3), LIST(3, -1))), 0);
  CHECK_EQ(self_overlap(u8_layout(1, LIST(2), LIST(0))), 1);
}

static void ordinary_cases_that_say_nothing(void) {
  CHECK_EQ(self_overlap(u8_layout(0, NULL, NULL)), 0);
  CHECK_EQ(self_overlap(u8_layout(1, LIST(1), LIST(0))), 0);
  CHECK_EQ(self_overlap(u8_layout(2, LIST(0, 5), LIST(0, 0))), 0);
}

/* Every pair of strides of a small layout, against all pairs of indices. */
static void self_overlap_against_brute_force(void) {
  for (int64_t a = -6; a <= 6; a++) {
    for (int64_t b = -6; b <= 6; b++) {
      int seen[64] = {0}, expected = 0;
      for (int64_t i = 0; i < 4; i++) {
        for (int64_t j = 0; j < 3; j++) expected |= seen[32 + i * a + j * b]++ > 0;
      }
      CHECK_EQ(self_overlap(u8_layout(2, LIST(4, 3), LIST(a, b))), expected);
    }
  }
}

static void two_layouts(void) {
  const stride_layout run = u8_layout(1, LIST(16), NULL);
  CHECK_EQ(overlap(run, 1000, run, 1000), 1);
  CHECK_EQ(overlap(run, 1000, run, 1015), 1);
  CHECK_EQ(overlap(run, 1000, run, 1016), 0);
  CHECK_EQ(overlap(run, 0, run, UINT64_MAX - 15), 0);
  CHECK_EQ(overlap(run, 1000, u8_layout(1, LIST(0), NULL), 1004), 0);
}

static void channels_of_one_image_are_apart(void) {
  const stride_layout channel = u8_layout(2, LIST(8, 8), LIST(24, 3));
  CHECK_EQ(overlap(channel, 1000, channel, 1001), 0);
  CHECK_EQ(overlap(channel, 1000, channel, 1002), 0);
  CHECK_EQ(overlap(channel, 1000, channel, 1003), 1);
  /* Wider elements reach into the next channel. */
  const stride_layout wide = layout_of(STRIDE_DTYPE_U16, 0, 1, LIST(8), LIST(3));
  const stride_layout narrow = layout_of(STRIDE_DTYPE_U8, 0, 1, LIST(8), LIST(6));
  CHECK_EQ(overlap(wide, 1000, narrow, 1001), 1);
  CHECK_EQ(overlap(wide, 1000, narrow, 1002), 0);
}

static void nibbles_of_one_byte_are_apart(void) {
  const stride_layout even = layout_of(STRIDE_DTYPE_U4, 0, 1, LIST(4), LIST(2));
  const stride_layout odd = layout_of(STRIDE_DTYPE_U4, 1, 1, LIST(4), LIST(2));
  CHECK_EQ(overlap(even, 1000, odd, 1000), 0);
  CHECK_EQ(overlap(even, 1000, even, 1001), 1);
  /* From the other end of the byte, element 0 is what element 1 is from this one: never a guess. */
  stride_layout high = even;
  high.dtype |= STRIDE_DTYPE_HIGH_FIRST;
  uint32_t answer;
  poison(&answer, sizeof answer);
  CHECK_STATUS(stride_layouts_overlap(&even, 1000, &high, 1000, 0, &answer, NULL), UNDECIDED);
  CHECK_STATUS(stride_layouts_overlap(&odd, 1000, &high, 1000, 0, &answer, NULL), UNDECIDED);
  CHECK_UNTOUCHED(answer);
  stride_error record;
  CHECK_STATUS(stride_layouts_overlap(&even, 1000, &high, 1000, UINT64_MAX, &answer, &record), UNDECIDED);
  CHECK_EQ(record.detail, STRIDE_DETAIL_BIT_ORDERS);
  CHECK_EQ(overlap(even, 1000, high, 1004), 0);
}

static void a_budget_may_end_before_the_answer(void) {
  /* A subset sum problem: no stride nests in another, and none divides. */
  int64_t sizes[40], strides[40];
  for (int k = 0; k < 40; k++) {
    sizes[k] = 2;
    strides[k] = ((int64_t)1 << 40) + 982451653LL * k * k + 57885161LL * k;
  }
  const stride_layout hard = u8_layout(40, sizes, strides);
  uint32_t answer;
  stride_error record;
  poison(&answer, sizeof answer);
  CHECK_STATUS(stride_layout_self_overlap(&hard, 1, &answer, &record), UNDECIDED);
  CHECK_EQ(record.status, STRIDE_STATUS_UNDECIDED);
  CHECK_UNTOUCHED(answer);
}

static void bad_layouts_are_named(void) {
  const stride_layout good = u8_layout(1, LIST(3), NULL);
  stride_layout bad = good;
  bad.sizes[0] = -3;
  uint32_t answer;
  stride_error record;
  poison(&answer, sizeof answer);
  CHECK_FAILS(record, stride_layout_self_overlap(&bad, 0, &answer, &record), INVALID_SIZE, LAYOUT, 0, -3, 0);
  CHECK_FAILS(record, stride_layouts_overlap(&bad, 0, &good, 0, 0, &answer, &record), INVALID_SIZE, LHS, 0, -3, 0);
  CHECK_FAILS(record, stride_layouts_overlap(&good, 0, &bad, 0, 0, &answer, &record), INVALID_SIZE, RHS, 0, -3, 0);
  CHECK_UNTOUCHED(answer);
}

static const test tests[] = {
    TEST(two_indices_of_one_layout),
    TEST(ordinary_cases_that_say_nothing),
    TEST(self_overlap_against_brute_force),
    TEST(two_layouts),
    TEST(channels_of_one_image_are_apart),
    TEST(nibbles_of_one_byte_are_apart),
    TEST(a_budget_may_end_before_the_answer),
    TEST(bad_layouts_are_named),
};

int main(void) { return RUN(tests); }
