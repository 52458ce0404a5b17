// Copies of elements below a byte, beside memcpy of the same bytes and, where there is one, the same copy of bytes.
//
//   bits [MILLISECONDS]
//
// Figures are the best of several rounds in which all of them alternate: x memcpy, x the copy of bytes.

#define _GNU_SOURCE
#include "bench.h"

typedef struct example {
  const char *name;
  uint32_t dst, src;  // dtypes
  int64_t dst_offset, src_offset;
  int64_t sizes[2], dst_strides[2], src_strides[2];
  int64_t bytes[2], byte_strides[2];  // the same copy in bytes from these strides, if there is one
} example;

#define U4 STRIDE_DTYPE_U4
#define U1 STRIDE_DTYPE_U1
#define HIGH STRIDE_DTYPE_HIGH_FIRST

static const example examples[] = {
    {"u4 rows, 2000 of 4000", U4, U4, 0, 0, {4000, 2000}, {2000, 1}, {4000, 1}, {4000, 1000}, {2000, 1}},
    {"u4 every second pair", U4, U4, 0, 0, {2000000, 2}, {2, 1}, {4, 1}, {2000000, 1}, {2, 1}},
    {"u4 run, one nibble later", U4, U4, 1, 0, {1, 8000000}, {0, 1}, {0, 1}, {0}, {0}},
    {"u4 run in L1, one nibble later", U4, U4, 1, 0, {1, 20000}, {0, 1}, {0, 1}, {0}, {0}},
    {"u1 run, from bit 3", U1, U1, 0, 3, {1, 32000000}, {0, 1}, {0, 1}, {0}, {0}},
    {"u4 high to low", U4, U4 | HIGH, 0, 0, {1, 8000000}, {0, 1}, {0, 1}, {0}, {0}},
    {"u4 rows of 1001, out of 1003", U4, U4, 0, 0, {4000, 1001}, {1001, 1}, {1003, 1}, {0}, {0}},
    {"u4 transpose 256x256", U4, U4, 0, 0, {256, 256}, {256, 1}, {1, 256}, {0}, {0}},
    {"u4 transpose 2048x2048", U4, U4, 0, 0, {2048, 2048}, {2048, 1}, {1, 2048}, {0}, {0}},
    {"u4 transpose 5000x5000", U4, U4, 0, 0, {5000, 5000}, {5000, 1}, {1, 5000}, {0}, {0}},
    {"u4 transpose 5001x4999", U4, U4, 0, 0, {5001, 4999}, {4999, 1}, {1, 5001}, {0}, {0}},
    {"u1 transpose 8192x8192", U1, U1, 0, 0, {8192, 8192}, {8192, 1}, {1, 8192}, {0}, {0}},
    {"u4 mirrored", U4, U4, 0, 3999999, {1, 4000000}, {0, 1}, {0, -1}, {0}, {0}},
    {"u4 every second", U4, U4, 0, 0, {1, 4000000}, {0, 1}, {0, 2}, {0}, {0}},
};

static stride_layout make(uint32_t dtype, int64_t offset, const int64_t *sizes, const int64_t *strides) {
  stride_layout out;
  must(stride_layout_init(&out, dtype, 2, sizes, strides, NULL));
  out.offset = offset;
  return out;
}

enum { MEMCPY, BITS, BYTES, WAYS };

int main(int argc, char **argv) {
  double milliseconds = argc > 1 ? atof(argv[1]) : 30;
  printf("%-34s %10s  %8s %8s  plan\n", "", "bytes", "x memcpy", "x bytes");
  for (size_t k = 0; k < sizeof examples / sizeof *examples; k++) {
    const example *e = &examples[k];
    static stride_plan plans[WAYS];
    stride_layout dst = make(e->dst, e->dst_offset, e->sizes, e->dst_strides);
    stride_layout src = make(e->src, e->src_offset, e->sizes, e->src_strides);
    uint64_t to_bytes, from_bytes, length, bits;
    char text[200];
    int has_bytes = e->bytes[0] != 0;
    must(stride_layout_min_bytes(&dst, &to_bytes, NULL));
    must(stride_layout_min_bytes(&src, &from_bytes, NULL));
    must(stride_plan_init(&plans[BITS], &dst, &src, NULL, NULL));
    must(stride_plan_describe(&plans[BITS], text, sizeof text, &length, NULL));
    if (has_bytes) {
      stride_layout packed = make(STRIDE_DTYPE_U8, 0, e->bytes, NULL);
      stride_layout other = make(STRIDE_DTYPE_U8, 0, e->bytes, e->byte_strides);
      must(stride_plan_init(&plans[BYTES], &packed, &other, NULL, NULL));
    }
    bits = e->dst == U1 ? 1 : 4;
    size_t moved = (size_t)(e->sizes[0] * e->sizes[1]) * bits / 8;
    unsigned char *to = room(to_bytes, 0), *from = room(from_bytes, 0);
    double best[WAYS] = {1e9, 1e9, 1e9};
    int repeats = 1 + (int)(3e-4 / ((double)moved / 1e10));
    double begin = now();
    for (int round = 0; round < 5 || now() - begin < milliseconds * 1e-3; round++) {
      for (int way = 0; way < WAYS - !has_bytes; way++) {
        double t = now();
        for (int i = 0; i < repeats; i++) {
          if (way == MEMCPY) memcpy(to, from, moved);
          else must(stride_plan_execute(&plans[way], to, to_bytes, from, from_bytes, NULL));
        }
        t = (now() - t) / repeats;
        if (t < best[way]) best[way] = t;
      }
    }
    text[strcspn(text, ";,")] = 0;
    printf("%-34s %10zu  %8.2f ", e->name, moved, best[MEMCPY] / best[BITS]);
    if (has_bytes) printf("%8.2f  %s\n", best[BYTES] / best[BITS], text);
    else printf("%8s  %s\n", "", text);
  }
  return 0;
}
