// What a batch costs beside one copy of the same bytes.
//
//   batch [MILLISECONDS]
//
// Blocks that lie one after the other on both sides are moved by one plan of all of them, by stride_plan_execute_batch
// in order, by the same in a random order on both sides, by one call of stride_plan_execute each, and, where a block is
// one run, by one memcpy each. Every number is the shortest of many runs that are made one after the other, in so
// many milliseconds for each; the ratios are to the one copy of this run. Both sides begin at huge pages.

#define _GNU_SOURCE
#include "bench.h"

typedef struct problem {
  const char *name;
  uint64_t count;
  int64_t rows, columns;  // of 4-byte elements; transposed unless rows is 1
} problem;

static const problem problems[] = {
    {"1000 runs of 4 KiB", 1000, 1, 1024},    {"16000 runs of 256 B", 16000, 1, 64},
    {"4000 runs of 1 KiB", 4000, 1, 256},     {"250 runs of 16 KiB", 250, 1, 4096},
    {"64 runs of 64 KiB", 64, 1, 16384},      {"4000 of 16x16 transposed", 4000, 16, 16},
    {"250 of 64x64 transposed", 250, 64, 64},
};

static stride_plan whole, block;
static char *dst, *src;
static uint64_t bytes, count, block_bytes;
static int64_t *in_order, *to, *from;

static void one_copy(void) { must(stride_plan_execute(&whole, dst, bytes, src, bytes, NULL)); }
static void batch_in_order(void) {
  must(stride_plan_execute_batch(&block, dst, bytes, in_order, src, bytes, in_order, count, 0, 1, NULL));
}
static void batch_anywhere(void) {
  must(stride_plan_execute_batch(&block, dst, bytes, to, src, bytes, from, count, 0, 1, NULL));
}
static void calls(void) {
  for (uint64_t k = 0; k < count; k++) {
    must(stride_plan_execute(&block, dst + to[k], block_bytes, src + from[k], block_bytes, NULL));
  }
}
static void memcpys(void) {
  for (uint64_t k = 0; k < count; k++) memcpy(dst + to[k], src + from[k], block_bytes);
}

static void shuffle(int64_t *list, uint64_t seed) {
  for (uint64_t k = count - 1; k > 0; k--) {
    uint64_t other = next_number(&seed) % (k + 1);
    int64_t kept = list[k];
    list[k] = list[other];
    list[other] = kept;
  }
}

static void describe(const problem *p) {
  int64_t sizes[3] = {(int64_t)p->count, p->rows, p->columns};
  int64_t strides[3] = {p->rows * p->columns, 1, p->rows};
  stride_layout dst_layout, src_layout;
  count = p->count;
  block_bytes = (uint64_t)(p->rows * p->columns * 4);
  bytes = count * block_bytes;
  must(stride_layout_init(&dst_layout, STRIDE_DTYPE_F32, 3, sizes, NULL, NULL));
  must(stride_layout_init(&src_layout, STRIDE_DTYPE_F32, 3, sizes, strides, NULL));
  must(stride_plan_init(&whole, &dst_layout, &src_layout, NULL, NULL));
  must(stride_layout_init(&dst_layout, STRIDE_DTYPE_F32, 2, sizes + 1, NULL, NULL));
  must(stride_layout_init(&src_layout, STRIDE_DTYPE_F32, 2, sizes + 1, strides + 1, NULL));
  must(stride_plan_init(&block, &dst_layout, &src_layout, NULL, NULL));
  for (uint64_t k = 0; k < count; k++) in_order[k] = to[k] = from[k] = (int64_t)(k * block_bytes);
  shuffle(to, 1);
  shuffle(from, 2);
}

int main(int argument_count, char **arguments) {
  static void (*const ways[])(void) = {one_copy, batch_in_order, batch_anywhere, calls, memcpys};
  enum { WAYS = sizeof ways / sizeof *ways, MOST = 16000 };
  double seconds = (argument_count > 1 ? atof(arguments[1]) : 100) / 1000;
  dst = room((size_t)8 << 20, 0);
  src = room((size_t)8 << 20, 0);
  in_order = malloc(3 * MOST * sizeof *in_order);
  if (!in_order) return 1;
  to = in_order + MOST;
  from = to + MOST;
  printf("%-26s %10s %10s %10s %10s %10s  ratio to one copy\n", "", "one, us", "batch", "anywhere", "calls", "memcpy");
  for (size_t k = 0; k < sizeof problems / sizeof *problems; k++) {
    describe(&problems[k]);
    double best[WAYS], end = now() + seconds * WAYS;
    int used = problems[k].rows == 1 ? WAYS : WAYS - 1;
    for (int way = 0; way < WAYS; way++) best[way] = 1e9;
    do {
      for (int way = 0; way < used; way++) {
        double begin = now();
        ways[way]();
        double time = now() - begin;
        if (time < best[way]) best[way] = time;
      }
    } while (now() < end);
    printf("%-26s %10.1f", problems[k].name, best[0] * 1e6);
    for (int way = 1; way < used; way++) printf(" %10.2f", best[0] / best[way]);
    printf("\n");
  }
  return 0;
}
