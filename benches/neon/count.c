// For run.py: `count CASE TIMES` makes one copy so many times; `count` alone prints name, bytes and kernel of each.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "stride.h"

typedef struct example {
  const char *name;
  uint32_t width, rank;
  int64_t sizes[3], dst[3], src[3];
} example;

#define W(w) {#w " B: transpose 64x64", w, 2, {64, 64}, {64, 1}, {1, 64}}
#define N(w) {#w " B: transpose 3x512", w, 2, {512, 3}, {3, 1}, {1, 512}}
#define R(w) {#w " B: reverse", w, 1, {4096}, {1}, {-1}}
#define P(w) {#w " B: 4x4 matrices", w, 3, {256, 4, 4}, {16, 4, 1}, {16, 1, 4}}
#define D(w, k) {#w " B: deinterleave " #k, w, 2, {k, 1024}, {1024, 1}, {1, k}}
#define I(w, k) {#w " B: interleave " #k, w, 2, {1024, k}, {k, 1}, {1, 1024}}
#define G(w, k) {#w " B: every " #k ". one", w, 1, {4096}, {1}, {k}}
#define F(w) {#w " B: fill", w, 1, {4096}, {1}, {0}}
#define S(w) {#w " B: into every 3. of every 2. one", w, 1, {4096}, {3}, {2}}
#define C(w) {"rows of " #w " bytes", 1, 2, {64, w}, {w, 1}, {w + 13, 1}}
static const example examples[] = {
  C(4), C(8), C(24), C(48), C(100), C(256),
  W(1), W(2), W(4), W(8), W(16), W(3), W(6), W(12), N(1), N(2), N(4), N(8),
  R(1), R(2), R(4), R(8), R(3), P(1), P(2), P(4),
  D(1, 2), D(1, 3), D(1, 4), D(2, 2), D(2, 3), D(2, 4), D(4, 2), D(4, 3), D(4, 4), D(8, 2), D(8, 3), D(8, 4),
  I(1, 2), I(1, 3), I(1, 4), I(2, 2), I(2, 3), I(2, 4), I(4, 2), I(4, 3), I(4, 4), I(8, 2), I(8, 3), I(8, 4),
  G(1, 2), G(2, 2), G(4, 2), G(4, 3), G(8, 2), F(1), F(4), F(8), S(1), S(4), S(8), S(16),
};

int main(int argc, char **argv) {
  static unsigned char dst[1 << 18], src[1 << 18];
  static stride_plan plan;
  for (int k = 0; k < (int)(sizeof examples / sizeof *examples); k++) {
    const example *e = &examples[k];
    if (argc > 1 && atoi(argv[1]) != k) continue;
    stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
    stride_layout to, from;
    options.cpu_level = LEVEL;
    if (stride_layout_init(&to, STRIDE_DTYPE_BYTES | e->width, e->rank, e->sizes, e->dst, NULL)) return 1;
    if (stride_layout_init(&from, STRIDE_DTYPE_BYTES | e->width, e->rank, e->sizes, e->src, NULL)) return 1;
    if (e->src[0] < 0) from.offset = e->sizes[0] - 1;
    if (stride_plan_init(&plan, &to, &from, &options, NULL)) return 1;
    if (argc < 3) {
      char text[1024];
      uint64_t length, bytes = e->width;
      for (uint32_t d = 0; d < e->rank; d++) bytes *= (uint64_t)e->sizes[d];
      stride_plan_describe(&plan, text, sizeof text, &length, NULL);
      text[strcspn(text, ":")] = 0;
      printf("%s|%d|%s\n", e->name, (int)bytes, text);
      continue;
    }
    for (int n = atoi(argv[2]); n > 0; n--) {
      if (stride_plan_execute(&plan, dst, sizeof dst, src, sizeof src, NULL)) return 1;
    }
  }
  return 0;
}
