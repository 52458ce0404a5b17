// What no element occupies, with STRIDE_COPY_FILL_BUFFER.
//
//   gaps [MILLISECONDS]
//
// Each copy goes to a destination with gaps that become 0: by one plan that fills them, and by memset of the whole
// buffer and a plan that does not. `share` is the time of memset and copy over that of the plan that fills; `beside` is
// the time of the copy alone and of as many bytes of memset as are filled, over the same. Shortest of many rounds that
// alternate.

#define _GNU_SOURCE
#include "bench.h"

enum { FILLED, COPIED, CLEARED, CLEARED_AND_COPIED, WAYS };

typedef struct problem {
  const char *name;
  uint32_t dtype, rank;
  int64_t sizes[4], dst[4], src[4];
  int64_t elements;  // of the destination's buffer
} problem;

static const problem PROBLEMS[] = {
    {"512x7x7 in rows of 32 bytes", STRIDE_DTYPE_F32, 3, {512, 7, 7}, {56, 8, 1}, {49, 7, 1}, 512 * 56},
    {"64x56x56 in rows of 256 bytes", STRIDE_DTYPE_F32, 3, {64, 56, 56}, {3584, 64, 1}, {3136, 56, 1}, 64 * 3584},
    {"225x225 RGB to planes in rows of 256 bytes", STRIDE_DTYPE_U8, 3, {3, 225, 225}, {57600, 256, 1}, {1, 675, 3}, 3 * 57600},
    {"100x100 RGB to planes in rows of 128 bytes", STRIDE_DTYPE_U8, 3, {3, 100, 100}, {12800, 128, 1}, {1, 300, 3}, 3 * 12800},
    {"300x300 RGB to RGBA", STRIDE_DTYPE_U8, 3, {300, 300, 3}, {1200, 4, 1}, {900, 3, 1}, 300 * 1200},
    {"16x62x62x3 in 64x64x4", STRIDE_DTYPE_U8, 4, {16, 62, 62, 3}, {16384, 256, 4, 1}, {11532, 186, 3, 1}, 16 * 16384},
    {"every second", STRIDE_DTYPE_F32, 1, {100000}, {2}, {1}, 200000},
    {"60000x7 in rows of 8", STRIDE_DTYPE_F32, 2, {60000, 7}, {8, 1}, {7, 1}, 480000},
    {"60000x60 in rows of 64", STRIDE_DTYPE_F32, 2, {60000, 60}, {64, 1}, {60, 1}, 3840000},
    {"1000x1000 in rows of 1001", STRIDE_DTYPE_F32, 2, {1000, 1000}, {1001, 1}, {1000, 1}, 1001000},
    {"1000x1000 transposed in rows of 1024", STRIDE_DTYPE_F32, 2, {1000, 1000}, {1024, 1}, {1, 1000}, 1024000},
};

static void measure(const problem *p, double seconds) {
  stride_layout to, from;
  stride_plan fills, copies;
  stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
  uint64_t dst_bytes, src_bytes;
  double best[WAYS] = {1e9, 1e9, 1e9, 1e9};
  must(stride_layout_init(&to, p->dtype, p->rank, p->sizes, p->dst, NULL));
  must(stride_layout_init(&from, p->dtype, p->rank, p->sizes, p->src, NULL));
  must(stride_layout_min_bytes(&from, &src_bytes, NULL));
  dst_bytes = (uint64_t)p->elements * (p->dtype == STRIDE_DTYPE_U8 ? 1 : 4);
  options.flags = STRIDE_COPY_FILL_BUFFER;
  must(stride_plan_init(&fills, &to, &from, &options, NULL));
  must(stride_plan_init(&copies, &to, &from, NULL, NULL));
  unsigned char *dst = malloc(dst_bytes), *src = malloc(src_bytes);
  if (!dst || !src) exit(1);
  memset(dst, 1, dst_bytes);
  memset(src, 2, src_bytes);
  double end = now() + seconds;
  for (int round = 0; round < 4 || now() < end; round++) {
    for (int way = 0; way < WAYS; way++) {
      double begin = now();
      if (way >= CLEARED) memset(dst, 0, dst_bytes);
      __asm__ volatile("" : : "r"(dst) : "memory");
      const stride_plan *plan = way == FILLED ? &fills : &copies;
      if (way != CLEARED) must(stride_plan_execute(plan, dst, dst_bytes, src, src_bytes, NULL));
      double taken = now() - begin;
      if (taken < best[way]) best[way] = taken;
    }
  }
  double filled = best[CLEARED] * (double)(dst_bytes - src_bytes) / (double)dst_bytes;
  printf("%-44s %10llu %10.2f %7.2f %7.2f\n", p->name, (unsigned long long)dst_bytes, best[FILLED] * 1e6,
         best[CLEARED_AND_COPIED] / best[FILLED], (best[COPIED] + filled) / best[FILLED]);
  free(dst);
  free(src);
}

int main(int argument_count, char **arguments) {
  double seconds = (argument_count > 1 ? atof(arguments[1]) : 100) / 1000;
  printf("%-44s %10s %10s %7s %7s\n", "copy", "bytes", "us", "share", "beside");
  for (size_t k = 0; k < sizeof PROBLEMS / sizeof *PROBLEMS; k++) measure(&PROBLEMS[k], seconds);
  return 0;
}
