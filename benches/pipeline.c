// A copy between a loop that makes its source and one that reads its result.
//
//   pipeline [MILLISECONDS]
//
// Timed alone, streaming stores win more than they give a program: the loop that reads the result next misses the
// caches. Here three loops are timed together: one writes the source, the copy moves it, one sums up the destination.
// The copy is memcpy, a plan, or a plan for STRIDE_COPY_KEEP_CACHED. Figures are memcpy's time over the other's, each
// the shortest of many rounds in a row; `alone` has the copy without the two loops.

#define _GNU_SOURCE
#include "bench.h"

enum { MEMCPY, PLANNED, KEPT, WAYS };

static stride_plan plans[WAYS];
static uint32_t *dst, *src;
static uint64_t bytes;
static volatile uint32_t sink;

static void copy(int way) {
  if (way == MEMCPY) {
    memcpy(dst, src, bytes);
  } else {
    must(stride_plan_execute(&plans[way], dst, bytes, src, bytes, NULL));
  }
}

static void produce(uint32_t seed) {
  for (uint64_t k = 0; k < bytes / 4; k++) src[k] = seed + (uint32_t)k;
}

static void consume(void) {
  uint32_t sum = 0;
  for (uint64_t k = 0; k < bytes / 4; k++) sum += dst[k];
  sink = sum;
}

typedef struct problem {
  const char *name;
  int64_t sizes[2], strides[2];  // of the destination, which is packed, and of the source; f32
} problem;

static void measure(const problem *p, double seconds) {
  double pipeline[WAYS], alone[WAYS];
  stride_layout to, from;
  bytes = (uint64_t)(p->sizes[0] * p->sizes[1]) * 4;
  must(stride_layout_init(&to, STRIDE_DTYPE_F32, 2, p->sizes, NULL, NULL));
  must(stride_layout_init(&from, STRIDE_DTYPE_F32, 2, p->sizes, p->strides, NULL));
  if (p->strides[0] < 0) from.offset = (p->sizes[0] - 1) * -p->strides[0];
  for (int way = PLANNED; way < WAYS; way++) {
    stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
    options.flags = way == KEPT ? STRIDE_COPY_KEEP_CACHED : 0;
    must(stride_plan_init(&plans[way], &to, &from, &options, NULL));
  }
  for (int way = 0; way < WAYS; way++) pipeline[way] = alone[way] = 1e9;
  double end = now() + seconds;
  for (uint32_t round = 0; round < 4 || now() < end; round++) {
    for (int way = 0; way < WAYS; way++) {
      double begin = now(), copied;
      produce(round);
      copy(way);
      consume();
      copied = now();
      if (copied - begin < pipeline[way]) pipeline[way] = copied - begin;
      copy(way);
      begin = now();
      copy(way);
      copied = now();
      if (copied - begin < alone[way]) alone[way] = copied - begin;
    }
  }
  printf("%-24s %6.1f MiB  pipeline: planned %.2f, kept %.2f   alone: planned %.2f, kept %.2f\n", p->name,
         (double)bytes / (1 << 20), pipeline[MEMCPY] / pipeline[PLANNED], pipeline[MEMCPY] / pipeline[KEPT],
         alone[MEMCPY] / alone[PLANNED], alone[MEMCPY] / alone[KEPT]);
  fflush(stdout);
}

int main(int argument_count, char **arguments) {
  double seconds = (argument_count > 1 ? atof(arguments[1]) : 100) / 1000;
  static const int64_t sides[] = {400, 528, 784, 1040, 1552, 2064, 2896, 4112, 5776};
  dst = room((size_t)136 << 20, 0);
  src = room((size_t)136 << 20, 0);
  for (size_t k = 0; k < sizeof sides / sizeof *sides; k++) {
    int64_t side = sides[k];
    char name[2][64];
    const problem problems[] = {
        {name[0], {side, side}, {1, side}},
        {name[1], {side, side}, {-side, 1}},
    };
    snprintf(name[0], sizeof name[0], "transpose %d^2", (int)side);
    snprintf(name[1], sizeof name[1], "upside down %d^2", (int)side);
    for (int n = 0; n < 2; n++) measure(&problems[n], seconds);
  }
  return 0;
}
