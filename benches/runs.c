// out = a + b over any layouts: the run iterator beside the odometer that engines write by hand.
//
//   runs [MILLISECONDS]
//
// Both call the same loop for a row or a run. The odometer has a counter for each dimension but the last, steps in
// bytes, and takes the last dimension as the row, as ggml's and ONNX Runtime's loops over strided operands do. The
// iterator is made anew for each pass and asked in three ways: by the step of stride_runs.h, which is compiled into the
// loop, and through the shared library, run by run and for many at once. A ratio is the
// odometer's time to the iterator's; each is the shortest of many passes, which alternate. Results are compared.

#include "bench.h"
#include "stride_runs.h"

enum { MAX_RANK = 6, OPERANDS = 3, ROOM = 1 << 20, MANY = 64 };

typedef struct problem {
  const char *name;
  int rank;
  int64_t sizes[MAX_RANK], strides[OPERANDS][MAX_RANK];  // of out, a and b, in elements
} problem;

static const problem problems[] = {
    {"all packed, 4 x 16 x 32 x 32", 4, {4, 16, 32, 32},
     {{16384, 1024, 32, 1}, {16384, 1024, 32, 1}, {16384, 1024, 32, 1}}},
    {"a row for all, 512 x 128", 2, {512, 128}, {{128, 1}, {128, 1}, {0, 1}}},
    {"a column for all, 512 x 128", 2, {512, 128}, {{128, 1}, {128, 1}, {1, 0}}},
    {"bias of NCHW, 8 x 64 x 14 x 14", 4, {8, 64, 14, 14},
     {{12544, 196, 14, 1}, {12544, 196, 14, 1}, {0, 1, 0, 0}}},
    {"bias of NHWC, 8 x 14 x 14 x 64", 4, {8, 14, 14, 64}, {{12544, 896, 64, 1}, {12544, 896, 64, 1}, {0, 0, 0, 1}}},
    {"NHWC to NCHW, 4 x 3 x 64 x 64", 4, {4, 3, 64, 64},
     {{12288, 4096, 64, 1}, {12288, 1, 192, 3}, {12288, 4096, 64, 1}}},
    {"pitched, 8192 rows of 3", 2, {8192, 3}, {{4, 1}, {4, 1}, {0, 1}}},
    {"pitched, 4096 rows of 8", 2, {4096, 8}, {{16, 1}, {12, 1}, {0, 1}}},
    {"transposed, 192 x 192", 2, {192, 192}, {{192, 1}, {1, 192}, {192, 1}}},
    {"mirrored, 256 x 128", 2, {256, 128}, {{128, 1}, {-128, 1}, {128, 1}}},
    {"rank 6, mixed", 6, {4, 3, 8, 5, 6, 16},
     {{11520, 3840, 480, 96, 16, 1}, {11520, 3840, 480, 1, 80, 5}, {0, 480, 0, 96, 16, 1}}},
    {"rank 6, all of 5", 6, {5, 5, 5, 5, 5, 5},
     {{3125, 625, 125, 25, 5, 1}, {1, 5, 25, 125, 625, 3125}, {0, 125, 0, 25, 5, 1}}},
};

static stride_layout layouts[OPERANDS];
static float *memory[OPERANDS], *other;

// One row or run; steps in bytes.
static __attribute__((noinline)) void add(char *out, const char *a, const char *b, const int64_t *steps,
                                          uint64_t count) {
  const int64_t one = sizeof(float);
  if (steps[0] == one && steps[1] == one && steps[2] == one) {
    for (uint64_t k = 0; k < count; k++) ((float *)out)[k] = ((const float *)a)[k] + ((const float *)b)[k];
  } else if (steps[0] == one && steps[1] == one && steps[2] == 0) {
    const float same = *(const float *)b;
    for (uint64_t k = 0; k < count; k++) ((float *)out)[k] = ((const float *)a)[k] + same;
  } else {
    for (uint64_t k = 0; k < count; k++) {
      *(float *)out = *(const float *)a + *(const float *)b;
      out += steps[0], a += steps[1], b += steps[2];
    }
  }
}

// Run by run; a constant `compiled_in` leaves one of the two.
static inline __attribute__((always_inline)) void run_by_run(float *to, int compiled_in) {
  int64_t at[OPERANDS], steps[OPERANDS];
  uint64_t count;
  stride_runs runs;
  must(stride_runs_init(&runs, OPERANDS, layouts, NULL));
  must(stride_runs_strides(&runs, OPERANDS, steps, NULL));
  while ((compiled_in ? stride_runs_step(&runs, OPERANDS, at, &count)
                      : stride_runs_next(&runs, OPERANDS, at, &count, NULL)) == STRIDE_STATUS_OK && count > 0) {
    add((char *)to + at[0], (const char *)memory[1] + at[1], (const char *)memory[2] + at[2], steps, count);
  }
}

static void by_steps(float *to) { run_by_run(to, 1); }
static void by_runs(float *to) { run_by_run(to, 0); }

static void by_many_runs(float *to) {
  int64_t at[MANY][OPERANDS], steps[OPERANDS];
  uint64_t count, found;
  stride_runs runs;
  must(stride_runs_init(&runs, OPERANDS, layouts, NULL));
  must(stride_runs_strides(&runs, OPERANDS, steps, NULL));
  while (stride_runs_next_many(&runs, OPERANDS, MANY, at[0], &found, &count, NULL) == STRIDE_STATUS_OK && found > 0) {
    for (uint64_t k = 0; k < found; k++) {
      add((char *)to + at[k][0], (const char *)memory[1] + at[k][1], (const char *)memory[2] + at[k][2], steps, count);
    }
  }
}

static void by_odometer(float *to) {
  const int rank = (int)layouts[0].rank;
  int64_t sizes[MAX_RANK], steps[OPERANDS][MAX_RANK] = {{0}}, row[OPERANDS], index[MAX_RANK] = {0};
  char *at[OPERANDS];
  for (int d = 0; d < rank; d++) sizes[d] = layouts[0].sizes[d];
  for (int k = 0; k < OPERANDS; k++) {
    at[k] = (char *)(k == 0 ? to : memory[k]) + layouts[k].offset * (int64_t)sizeof(float);
    for (int d = 0; d < rank; d++) steps[k][d] = layouts[k].strides[d] * (int64_t)sizeof(float);
    row[k] = steps[k][rank - 1];
  }
  for (;;) {
    int d = rank - 2;
    add(at[0], at[1], at[2], row, (uint64_t)sizes[rank - 1]);
    for (; d >= 0; d--) {
      for (int k = 0; k < OPERANDS; k++) at[k] += steps[k][d];
      if (++index[d] < sizes[d]) break;
      for (int k = 0; k < OPERANDS; k++) at[k] -= steps[k][d] * sizes[d];
      index[d] = 0;
    }
    if (d < 0) return;
  }
}

enum { ODOMETER, STEPS, RUNS, MANY_RUNS, WAYS };

static void (*const ways[WAYS])(float *to) = {by_odometer, by_steps, by_runs, by_many_runs};

// Seconds of one pass of each, in so many seconds.
static void shortest(double seconds, double best[WAYS]) {
  double end = now() + seconds;
  for (int which = 0; which < WAYS; which++) best[which] = 1e9;
  do {
    for (int which = 0; which < WAYS; which++) {
      const int passes = 4;
      double begin = now(), time;
      for (int k = 0; k < passes; k++) ways[which](memory[0]);
      time = (now() - begin) / passes;
      if (time < best[which]) best[which] = time;
    }
  } while (now() < end);
}

// What is asked for runs of one element, and what it takes to begin: nanoseconds.
static void overhead(double seconds) {
  const int64_t sizes[3] = {9, 40, 30}, strides[3] = {30, 600, 7};
  double next = 1e9, init = 1e9, end = now() + seconds;
  stride_layout in[OPERANDS];
  stride_runs runs;
  for (int k = 0; k < OPERANDS; k++) {
    must(stride_layout_init(&in[k], STRIDE_DTYPE_F32, 3, sizes, k == 1 ? strides : NULL, NULL));
  }
  do {
    int64_t at[OPERANDS];
    uint64_t count, calls = 0;
    double begin = now(), time;
    for (int k = 0; k < 100; k++) must(stride_runs_init(&runs, OPERANDS, in, NULL));
    time = (now() - begin) / 100;
    if (time < init) init = time;
    begin = now();
    do {
      must(stride_runs_next(&runs, OPERANDS, at, &count, NULL));
      calls++;
    } while (count > 0);
    time = (now() - begin) / (double)calls;
    if (time < next) next = time;
  } while (now() < end);
  printf("\nthree operands: %.1f ns for a run, %.0f ns to begin\n", next * 1e9, init * 1e9);
}

int main(int count, char **arguments) {
  double seconds = (count > 1 ? atof(arguments[1]) : 100) / 1000;
  for (int k = 0; k < OPERANDS; k++) memory[k] = room(ROOM, 0);
  other = room(ROOM, 0);
  for (size_t k = 0; k < ROOM / sizeof(float); k++) memory[1][k] = (float)(k % 1013), memory[2][k] = (float)(k % 97);
  printf("%-32s %6s %6s %9s   %9s %9s %9s   %6s %6s %6s\n", "", "rows", "runs", "rows, us", "step, us", "next, us",
         "many, us", "step", "next", "many");
  for (size_t p = 0; p < sizeof problems / sizeof *problems; p++) {
    const problem *of = &problems[p];
    int64_t at[OPERANDS], all = 1;
    uint64_t elements, runs_walked = 0;
    double best[WAYS];
    stride_runs runs;
    for (int k = 0; k < OPERANDS; k++) {
      must(stride_layout_init(&layouts[k], STRIDE_DTYPE_F32, (uint32_t)of->rank, of->sizes, of->strides[k], NULL));
      must(stride_layout_rebase(&layouts[k], &layouts[k], &at[k], NULL));
    }
    must(stride_runs_init(&runs, OPERANDS, layouts, NULL));
    for (;;) {
      must(stride_runs_next(&runs, OPERANDS, at, &elements, NULL));
      if (elements == 0) break;
      runs_walked++;
    }
    for (int d = 0; d < of->rank - 1; d++) all *= of->sizes[d];
    memset(other, 0, ROOM);
    by_odometer(other);
    for (int which = STEPS; which < WAYS; which++) {
      memset(memory[0], 0, ROOM);
      ways[which](memory[0]);
      if (memcmp(memory[0], other, ROOM) != 0) {
        fprintf(stderr, "%s: the results differ, way %d\n", of->name, which);
        return 1;
      }
    }
    shortest(seconds, best);
    printf("%-32s %6lld %6llu %9.2f   %9.2f %9.2f %9.2f   %6.2f %6.2f %6.2f\n", of->name, (long long)all,
           (unsigned long long)runs_walked, best[ODOMETER] * 1e6, best[STEPS] * 1e6, best[RUNS] * 1e6,
           best[MANY_RUNS] * 1e6, best[ODOMETER] / best[STEPS], best[ODOMETER] / best[RUNS],
           best[ODOMETER] / best[MANY_RUNS]);
  }
  overhead(seconds);
  return 0;
}
