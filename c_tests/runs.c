/* Section "Your own kernel": joint loops, runs and their parts, against plain loops over indices. */
#include "check.h"
#include "stride_runs.h"

static void joint_loops(void) {
  stride_layout in[2], out[2];
  in[0] = layout_of(STRIDE_DTYPE_F32, 10, 4, LIST(2, 3, 4, 5), NULL);
  in[1] = layout_of(STRIDE_DTYPE_U4, 7, 4, LIST(2, 3, 4, 5), LIST(0, 0, 0, 1));
  CHECK_OK(stride_layouts_coalesce(2, in, out, NULL));
  CHECK_LAYOUT(out[0], STRIDE_DTYPE_F32, 10, 2, LIST(24, 5), LIST(5, 1));
  CHECK_LAYOUT(out[1], STRIDE_DTYPE_U4, 7, 2, LIST(24, 5), LIST(0, 1));
  CHECK_OK(stride_layouts_coalesce(2, in, in, NULL)); /* in place */
  CHECK_LAYOUT(in[0], STRIDE_DTYPE_F32, 10, 2, LIST(24, 5), LIST(5, 1));
  CHECK_LAYOUT(in[1], STRIDE_DTYPE_U4, 7, 2, LIST(24, 5), LIST(0, 1));

  /* Mirrored in the first operand: both are reversed. */
  in[0] = layout_of(STRIDE_DTYPE_U8, 11, 2, LIST(3, 4), LIST(-4, -1));
  in[1] = layout_of(STRIDE_DTYPE_U8, 0, 2, LIST(3, 4), NULL);
  CHECK_OK(stride_layouts_coalesce(2, in, out, NULL));
  CHECK_LAYOUT(out[0], STRIDE_DTYPE_U8, 0, 1, LIST(12), LIST(1));
  CHECK_LAYOUT(out[1], STRIDE_DTYPE_U8, 11, 1, LIST(12), LIST(-1));

  in[0] = layout_of(STRIDE_DTYPE_U8, 5, 3, LIST(1, 1, 1), LIST(9, 9, 9));
  CHECK_OK(stride_layouts_coalesce(1, in, out, NULL));
  CHECK_LAYOUT(out[0], STRIDE_DTYPE_U8, 5, 0, LIST(0), LIST(0));
  in[0] = layout_of(STRIDE_DTYPE_U8, 5, 2, LIST(3, 0), NULL);
  CHECK_OK(stride_layouts_coalesce(1, in, out, NULL));
  CHECK_LAYOUT(out[0], STRIDE_DTYPE_U8, 5, 1, LIST(0), LIST(0));
}

/* A transposed and a mirrored operand and a row: every element once, each with its own neighbours. */
static void runs_reach_every_element(void) {
  enum { ROWS = 6, COLUMNS = 40, ALL = ROWS * COLUMNS };
  const stride_layout in[4] = {
      layout_of(STRIDE_DTYPE_S32, 0, 2, LIST(ROWS, COLUMNS), NULL),
      layout_of(STRIDE_DTYPE_S32, 0, 2, LIST(ROWS, COLUMNS), LIST(1, ROWS)),
      layout_of(STRIDE_DTYPE_S32, COLUMNS - 1, 2, LIST(ROWS, COLUMNS), LIST(COLUMNS, -1)),
      layout_of(STRIDE_DTYPE_S16, 0, 2, LIST(ROWS, COLUMNS), LIST(0, 1)),
  };
  for (uint32_t parts = 1; parts <= 5; parts++) {
    int32_t dst[ALL], columns[ALL], mirrored[ALL];
    int16_t row[COLUMNS];
    stride_runs all;
    poison(&all, sizeof all);
    for (int k = 0; k < ALL; k++) dst[k] = -1, columns[k] = k, mirrored[k] = 1000 * k;
    for (int k = 0; k < COLUMNS; k++) row[k] = (int16_t)(100 * k);
    CHECK_OK(stride_runs_init(&all, 4, in, NULL));
    for (uint32_t part = 0; part < parts; part++) {
      stride_runs runs;
      int64_t at[4], steps[4];
      uint64_t elements;
      CHECK_OK(stride_runs_part(&all, part, parts, &runs, NULL));
      CHECK_OK(stride_runs_strides(&runs, 4, steps, NULL));
      while (stride_runs_next(&runs, 4, at, &elements, NULL) == STRIDE_STATUS_OK && elements > 0) {
        for (uint64_t k = 0; k < elements; k++) {
          int32_t a, b, c, *to = (int32_t *)((char *)dst + at[0]);
          int16_t d;
          memcpy(&a, to, sizeof a);
          memcpy(&b, (char *)columns + at[1], sizeof b);
          memcpy(&c, (char *)mirrored + at[2], sizeof c);
          memcpy(&d, (char *)row + at[3], sizeof d);
          CHECK_EQ(a, -1);
          *to = b + c + d;
          for (int operand = 0; operand < 4; operand++) at[operand] += steps[operand];
        }
      }
      CHECK_EQ(elements, 0);
    }
    for (int i = 0; i < ROWS; i++) {
      for (int j = 0; j < COLUMNS; j++) {
        CHECK_EQ(dst[i * COLUMNS + j], i + ROWS * j + 1000 * (i * COLUMNS + COLUMNS - 1 - j) + 100 * j);
      }
    }
  }
}

/* A copy of runs goes on by itself; part 0 of 1 is all that is left; an output may be the input. */
static void runs_are_values(void) {
  const stride_layout matrix = layout_of(STRIDE_DTYPE_F64, 0, 2, LIST(3, 10), LIST(16, 1));
  stride_runs runs, copy;
  int64_t at, steps;
  uint64_t elements;
  CHECK_OK(stride_runs_init(&runs, 1, &matrix, NULL));
  CHECK_OK(stride_runs_strides(&runs, 1, &steps, NULL));
  CHECK_EQ(steps, 8);
  CHECK_OK(stride_runs_next(&runs, 1, &at, &elements, NULL));
  CHECK_EQ(at, 0);
  CHECK_EQ(elements, 10);
  copy = runs;
  CHECK_OK(stride_runs_next(&runs, 1, &at, &elements, NULL));
  CHECK_EQ(at, 128);
  CHECK_OK(stride_runs_next(&copy, 1, &at, &elements, NULL));
  CHECK_EQ(at, 128);
  CHECK_OK(stride_runs_part(&copy, 0, 1, &copy, NULL));
  CHECK_OK(stride_runs_next(&copy, 1, &at, &elements, NULL));
  CHECK_EQ(at, 256);
  CHECK_EQ(elements, 10);
  for (int k = 0; k < 3; k++) {
    at = 77;
    CHECK_OK(stride_runs_next(&copy, 1, &at, &elements, NULL));
    CHECK_EQ(elements, 0);
    CHECK_EQ(at, 77);
  }
}

/* Many at once: the same runs in the same order; what was cut comes alone. */
static void many_runs(void) {
  const stride_layout in[2] = {layout_of(STRIDE_DTYPE_U8, 0, 2, LIST(7, 40), LIST(64, 1)),
                               layout_of(STRIDE_DTYPE_U16, 0, 2, LIST(7, 40), LIST(0, 1))};
  for (uint64_t most = 1; most <= 9; most++) {
    for (uint32_t part = 0; part < 3; part++) {
      stride_runs one, many;
      int64_t at[2], list[2 * 9 + 1];
      uint64_t elements, found, each;
      CHECK_OK(stride_runs_init(&one, 2, in, NULL));
      CHECK_OK(stride_runs_part(&one, part, 3, &one, NULL));
      many = one;
      do {
        poison(list, sizeof list);
        CHECK_OK(stride_runs_next_many(&many, 2, most, list, &found, &each, NULL));
        CHECK(found <= most);
        CHECK(is_poisoned(&list[2 * found], sizeof list - 2 * found * sizeof *list));
        for (uint64_t k = 0; k < found; k++) {
          CHECK_OK(stride_runs_next(&one, 2, at, &elements, NULL));
          CHECK(elements == each && at[0] == list[2 * k] && at[1] == list[2 * k + 1]);
        }
      } while (found > 0);
      CHECK_EQ(each, 0);
      CHECK_OK(stride_runs_next(&one, 2, at, &elements, NULL));
      CHECK_EQ(elements, 0);
    }
  }
}

/* The step of stride_runs.h gives what stride_runs_next gives and leaves the same words, whoever of the two went before;
 * of words that were tampered with it gives something. */
static void steps_are_the_runs(void) {
  uint64_t seed = 7, forged, walked = 0;
  for (int round = 0; round < 4000; round++) {
    const uint32_t count = 1 + (uint32_t)(round % 8), rank = (uint32_t)(round / 8 % 6);
    stride_layout in[8];
    stride_runs by_next, by_step;
    int64_t sizes[6], a[8], b[8];
    uint64_t n, m;
    for (uint32_t d = 0; d < rank; d++) sizes[d] = 1 + (int64_t)(next_number(&seed) % (d < 2 ? 40 : 4));
    for (uint32_t k = 0; k < count; k++) {
      int64_t strides[6];
      for (uint32_t d = 0; d < rank; d++) strides[d] = (int64_t)(next_number(&seed) % 41) - 20;
      in[k] = layout_of(STRIDE_DTYPE_F32, 1000, rank, sizes, strides);
    }
    poison(&by_next, sizeof by_next);
    CHECK_OK(stride_runs_init(&by_next, count, in, NULL));
    if (round % 3 != 0) {
      const uint32_t parts = 1 + (uint32_t)(next_number(&seed) % 4);
      CHECK_OK(stride_runs_part(&by_next, (uint32_t)(next_number(&seed) % parts), parts, &by_next, NULL));
    }
    forged = round % 5 == 0 ? next_number(&seed) % 41 : 0; /* not the first word, which says what is in use */
    if (forged != 0) by_next.words[forged] = next_number(&seed) >> next_number(&seed) % 64;
    by_step = by_next;
    for (int round = 0; round < 20000; round++) {
      memset(a, 0, sizeof a);
      memset(b, 0, sizeof b);
      CHECK_OK(stride_runs_next(&by_next, count, a, &n, NULL));
      if (round % 7 == 3) {
        CHECK_OK(stride_runs_next(&by_step, count, b, &m, NULL));
      } else {
        CHECK_OK(stride_runs_step(&by_step, count, b, &m));
      }
      CHECK(forged != 0 || (n == m && memcmp(a, b, sizeof a) == 0 && memcmp(&by_next, &by_step, sizeof by_next) == 0));
      walked++;
      if (n == 0) break;
    }
    CHECK(forged != 0 || n == 0);
  }
  CHECK(walked > 100000);
}

/* What it refuses is what stride_runs_next refuses. */
static void steps_refused(void) {
  const stride_layout matrix = layout_of(STRIDE_DTYPE_F64, 0, 2, LIST(3, 10), LIST(16, 1));
  stride_runs runs;
  int64_t at[16];
  uint64_t elements;
  poison(at, sizeof at);
  poison(&elements, sizeof elements);
  CHECK_OK(stride_runs_init(&runs, 1, &matrix, NULL));
  CHECK_STATUS(stride_runs_step(&runs, 2, at, &elements), INVALID_RANK);
  CHECK_STATUS(stride_runs_step(&runs, 0, at, &elements), INVALID_RANK);
  runs.words[0] += 8; /* nine operands */
  CHECK_STATUS(stride_runs_step(&runs, 9, at, &elements), INVALID_ARGUMENT);
  runs.words[0] += (uint64_t)1 << 16; /* another version */
  CHECK_STATUS(stride_runs_step(&runs, 1, at, &elements), INVALID_ARGUMENT);
  CHECK_UNTOUCHED(at);
  CHECK_UNTOUCHED(elements);
}

static void refused(void) {
  stride_layout in[3], out[3];
  stride_error record;
  stride_runs runs;
  int64_t numbers[9];
  uint64_t elements;
  in[0] = in[1] = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 3), NULL);
  in[2] = layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(2, 4), NULL);
  poison(out, sizeof out);
  poison(&runs, sizeof runs);
  CHECK_FAILS(record, stride_layouts_coalesce(3, in, out, &record), SHAPE_MISMATCH, IN, 1, 4, 3);
  CHECK_EQ(record.item, 2);
  CHECK_FAILS(record, stride_runs_init(&runs, 3, in, &record), SHAPE_MISMATCH, IN, 1, 4, 3);
  in[2] = layout_of(STRIDE_DTYPE_F32, 0, 1, LIST(6), NULL);
  CHECK_FAILS(record, stride_runs_init(&runs, 3, in, &record), SHAPE_MISMATCH, IN, -1, 1, 2);
  in[1] = layout_of(STRIDE_DTYPE_S4, 0, 2, LIST(2, 3), NULL);
  CHECK_FAILS(record, stride_runs_init(&runs, 2, in, &record), UNSUPPORTED, IN, -1, STRIDE_DTYPE_S4, 0);
  in[1].rank = 65;
  CHECK_FAILS(record, stride_runs_init(&runs, 2, in, &record), INVALID_RANK, IN, -1, 65, 64);
  CHECK_EQ(record.item, 1);
  CHECK_FAILS(record, stride_layouts_coalesce(0, in, out, &record), INVALID_RANK, COUNT, -1, 0, 1);
  CHECK_FAILS(record, stride_runs_init(&runs, 9, in, &record), INVALID_RANK, COUNT, -1, 9, 8);
  CHECK_UNTOUCHED(out);
  CHECK_UNTOUCHED(runs);

  CHECK_OK(stride_runs_init(&runs, 1, in, NULL));
  poison(numbers, sizeof numbers);
  poison(&elements, sizeof elements);
  CHECK_FAILS(record, stride_runs_next(&runs, 2, numbers, &elements, &record), INVALID_RANK, COUNT, -1, 2, 1);
  CHECK_FAILS(record, stride_runs_next_many(&runs, 2, 4, numbers, &elements, &elements, &record), INVALID_RANK, COUNT,
              -1, 2, 1);
  CHECK_FAILS(record, stride_runs_next_many(&runs, 1, 0, numbers, &elements, &elements, &record), INVALID_ARGUMENT,
              MOST, -1, 0, 1);
  CHECK_FAILS(record, stride_runs_strides(&runs, 0, numbers, &record), INVALID_RANK, COUNT, -1, 0, 1);
  CHECK_FAILS(record, stride_runs_part(&runs, 4, 4, &runs, &record), INVALID_ARGUMENT, PART, -1, 4, 4);
  CHECK_FAILS(record, stride_runs_part(&runs, 0, 0, &runs, &record), INVALID_ARGUMENT, PARTS, -1, 0, 1);
  runs.words[0] ^= (uint64_t)1 << 60;
  CHECK_STATUS(stride_runs_next(&runs, 1, numbers, &elements, NULL), INVALID_ARGUMENT);
  CHECK_STATUS(stride_runs_strides(&runs, 1, numbers, NULL), INVALID_ARGUMENT);
  CHECK_STATUS(stride_runs_part(&runs, 0, 1, &runs, NULL), INVALID_ARGUMENT);
  CHECK_UNTOUCHED(numbers);
  CHECK_UNTOUCHED(elements);
}

static const test tests[] = {
    TEST(joint_loops),
    TEST(runs_reach_every_element),
    TEST(runs_are_values),
    TEST(many_runs),
    TEST(steps_are_the_runs),
    TEST(steps_refused),
    TEST(refused),
};

int main(void) { return RUN(tests); }
