// What a call costs, and what a second thread gains.
//
//   calls [MILLISECONDS]
//
// Small copies in nanoseconds, all checks included: a plan that is run again, one call of stride_copy, and making the
// plan. Then copies of 1 MB and more in two parts on two threads, against the whole on one; a gain above 2 is two cores
// with a second-level cache each. Every number is the shortest of many rounds in one memory (of 1000 calls each for
// small copies), in so many milliseconds, three times as many for large ones. Both sides begin at huge pages.

#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>

#include "bench.h"

enum { MAX_RANK = 8 };

typedef struct problem {
  const char *name;
  int rank;
  int64_t sizes[MAX_RANK];  // of the packed source
  int order[MAX_RANK];      // dimension k of the packed destination is the source's order[k]
} problem;

static const problem small[] = {
    {"2x3", 2, {2, 3}, {1, 0}},
    {"16x16", 2, {16, 16}, {1, 0}},
    {"1x3x8x8 to NHWC", 4, {1, 3, 8, 8}, {0, 2, 3, 1}},
    {"rank 8 of 2s, reversed", 8, {2, 2, 2, 2, 2, 2, 2, 2}, {7, 6, 5, 4, 3, 2, 1, 0}},
    {"rank 4, 3x4x5x6 reversed", 4, {3, 4, 5, 6}, {3, 2, 1, 0}},
};

static const problem large[] = {
    {"512x512", 2, {512, 512}, {1, 0}},
    {"1000x1000", 2, {1000, 1000}, {1, 0}},
    {"3x512x512 to NHWC", 4, {1, 3, 512, 512}, {0, 2, 3, 1}},
    {"2x64x56x56 to NHWC", 4, {2, 64, 56, 56}, {0, 2, 3, 1}},
    {"72x80x48, inner axis kept", 3, {72, 80, 48}, {1, 0, 2}},
    {"22x24x20x24 reversed", 4, {22, 24, 20, 24}, {3, 2, 1, 0}},
    {"1000x1000, as it is", 2, {1000, 1000}, {0, 1}},
};

// One copy of 4-byte elements.
static stride_layout dst_layout, src_layout;
static stride_plan plan;
static char *dst, *src;
static uint64_t bytes;

static void describe(const problem *p) {
  int64_t steps[MAX_RANK], sizes[MAX_RANK], strides[MAX_RANK], step = 1;
  for (int k = p->rank - 1; k >= 0; k--) {
    steps[k] = step;
    step *= p->sizes[k];
  }
  for (int k = 0; k < p->rank; k++) {
    sizes[k] = p->sizes[p->order[k]];
    strides[k] = steps[p->order[k]];
  }
  bytes = (uint64_t)step * 4;
  must(stride_layout_init(&dst_layout, STRIDE_DTYPE_F32, (uint32_t)p->rank, sizes, NULL, NULL));
  must(stride_layout_init(&src_layout, STRIDE_DTYPE_F32, (uint32_t)p->rank, sizes, strides, NULL));
  must(stride_plan_init(&plan, &dst_layout, &src_layout, NULL, NULL));
}

static void planned(void) { must(stride_plan_execute(&plan, dst, bytes, src, bytes, NULL)); }
static void one_call(void) { must(stride_copy(&dst_layout, dst, bytes, &src_layout, src, bytes, NULL, NULL)); }
static void planning(void) { must(stride_plan_init(&plan, &dst_layout, &src_layout, NULL, NULL)); }

// The second thread runs its part as often as `wanted` grows.
static atomic_ulong wanted, finished;

static void *second_thread(void *unused) {
  for (unsigned long round = 1; round; round++) {
    while (atomic_load_explicit(&wanted, memory_order_acquire) < round) __asm__ volatile("" ::: "memory");
    must(stride_plan_execute_part(&plan, dst, bytes, src, bytes, 1, 2, NULL));
    atomic_store_explicit(&finished, round, memory_order_release);
  }
  return unused;
}

static void both_threads(void) {
  unsigned long round = atomic_load(&wanted) + 1;
  atomic_store_explicit(&wanted, round, memory_order_release);
  must(stride_plan_execute_part(&plan, dst, bytes, src, bytes, 0, 2, NULL));
  while (atomic_load_explicit(&finished, memory_order_acquire) < round) __asm__ volatile("" ::: "memory");
}

// Seconds of the shortest round of `calls` calls, in so many seconds.
static double shortest(void (*run)(void), int calls, double seconds) {
  double best = 1e9, end = now() + seconds;
  do {
    double begin = now();
    for (int k = 0; k < calls; k++) run();
    double time = (now() - begin) / calls;
    if (time < best) best = time;
  } while (now() < end);
  return best;
}

int main(int count, char **arguments) {
  double seconds = (count > 1 ? atof(arguments[1]) : 100) / 1000;
  size_t most = (size_t)8 << 20;
  dst = room(most, 0);
  src = room(most, 0);
  printf("%-28s %10s %10s %10s  ns\n", "", "planned", "one call", "planning");
  for (size_t k = 0; k < sizeof small / sizeof *small; k++) {
    describe(&small[k]);
    double a = shortest(planned, 1000, seconds), b = shortest(one_call, 1000, seconds);
    double c = shortest(planning, 1000, seconds);
    printf("%-28s %10.1f %10.1f %10.1f\n", small[k].name, a * 1e9, b * 1e9, c * 1e9);
  }
  pthread_t thread;
  enum { LARGE = sizeof large / sizeof *large };
  double one[LARGE];
  // Before there is a second thread: it never sleeps, and may share a core with the first.
  for (int k = 0; k < LARGE; k++) {
    describe(&large[k]);
    one[k] = shortest(planned, 1, 3 * seconds);
  }
  if (pthread_create(&thread, NULL, second_thread, NULL)) return 1;
  printf("\n%-28s %10s %10s %10s\n", "", "one, us", "two, us", "gain");
  for (int k = 0; k < LARGE; k++) {
    describe(&large[k]);
    double two = shortest(both_threads, 1, 3 * seconds);
    printf("%-28s %10.1f %10.1f %10.2f\n", large[k].name, one[k] * 1e6, two * 1e6, one[k] / two);
  }
  return 0;
}
