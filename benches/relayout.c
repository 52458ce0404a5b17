// Copies between row-major arrays and tiled XLA shapes or blocked layouts, each way, beside memcpy and a plain
// stride_copy of the same bytes.
//
//   relayout [MILLISECONDS]
//
// A shape is its text, a blocked layout its sizes and its blocks. Figures are the best of several rounds in which all
// of them alternate.

#define _GNU_SOURCE
#include "bench.h"
#include "stride_interop.h"
#include "stride_xla.h"

static const char *const shapes[] = {
    "f32[256,256]{1,0:T(8,128)}",
    "f32[1000,1000]{1,0:T(8,128)}",
    "f32[4096,4096]{1,0:T(8,128)}",
    "f32[5000,5000]{1,0:T(8,128)}",
    "f32[1000,1000]{0,1:T(8,128)}",
    "bf16[1000,1000]{1,0:T(8,128)(2,1)}",
    "bf16[4096,4096]{1,0:T(8,128)(2,1)}",
    "s8[4096,4096]{1,0:T(8,128)(4,1)}",
    "bf16[1000000]{0:T(1024)(128)(2,1)}",
    "f32[8,64,56,56]{3,2,1,0:T(16,1,1)}",  // nChw16c
    "f32[8,60,56,56]{3,2,1,0:T(16,1,1)}",
    "u8[8,64,56,56]{3,2,1,0:T(32,1,1)}",  // NC/32HW32
    "f32[100,300]{1,0:T(3,7)}",
};

static void check(stride_status status, const stride_error *error) {
  char text[256];
  uint64_t length;
  if (status == STRIDE_STATUS_OK) return;
  stride_error_format(error, text, sizeof text, &length, NULL);
  fprintf(stderr, "%s\n", text);
  exit(1);
}

// Blocked layouts of bytes: their blocks and sizes.
static const struct {
  const char *blocks;
  int64_t sizes[2];
} blocked_layouts[] = {
    {"a/128 b/4 a%32 a/32%4 b%4", {8192, 512}},  // scale factors of MXFP8 and NVFP4
    {"a/128 b/4 a%32 a/32%4 b%4", {8191, 510}},
    {"a/128 b/4 a%32 a/32%4 b%4", {128, 64}},
    {"a/4 b a%4", {4096, 4096}},  // VNNI
};

enum { MEMCPY, PLAIN, TO_TILES, FROM_TILES, WAYS };

// Runs the plans, alternating, and prints a line.
static void measure(const char *name, const stride_plan *plans, uint64_t dense, uint64_t tiled, double milliseconds) {
  unsigned char *dst = room(tiled, 0), *src = room(tiled, 0);
  double best[WAYS] = {1e9, 1e9, 1e9, 1e9};
  int repeats = 1 + (int)(3e-4 / ((double)dense / 2e10));
  double begin = now();
  stride_error error;
  for (int round = 0; round < 5 || now() - begin < milliseconds * 1e-3; round++) {
    for (int way = 0; way < WAYS; way++) {
      double t = now();
      for (int i = 0; i < repeats; i++) {
        if (way == MEMCPY) memcpy(dst, src, dense);
        else check(stride_plan_execute(&plans[way], dst, tiled, src, tiled, &error), &error);
      }
      t = (now() - t) / repeats;
      if (t < best[way]) best[way] = t;
    }
  }
  printf("%-40s %10llu   %17.2f %8.2f %18.2f %8.2f\n", name, (unsigned long long)dense, best[MEMCPY] / best[TO_TILES],
         best[MEMCPY] / best[FROM_TILES], best[PLAIN] / best[TO_TILES], best[PLAIN] / best[FROM_TILES]);
}

/* Between all of an object and packed elements, in either direction. */
static void prepare(stride_plan *plans, uint32_t kind, const void *object) {
  stride_side side;
  stride_error error;
  check(stride_side_init(&side, kind, object, &error), &error);
  check(stride_plan_init_sides(&plans[TO_TILES], &side, NULL, NULL, &error), &error);
  check(stride_plan_init_sides(&plans[FROM_TILES], NULL, &side, NULL, &error), &error);
}

int main(int argc, char **argv) {
  double milliseconds = argc > 1 ? atof(argv[1]) : 30;
  static stride_layout packed;
  static stride_plan plans[WAYS];
  stride_error error;
  uint64_t dense, tiled;
  printf("%-40s %10s   x memcpy %8s %8s   x plain %8s %8s\n", "", "bytes", "to", "from", "to", "from");
  for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
    static stride_xla_shape shape;
    check(stride_xla_shape_parse(shapes[k], strlen(shapes[k]), &shape, &error), &error);
    check(stride_layout_init(&packed, shape.dtype, shape.rank, shape.sizes, NULL, &error), &error);
    check(stride_xla_shape_dense_byte_size(&shape, &dense, &error), &error);
    check(stride_xla_shape_byte_size(&shape, &tiled, &error), &error);
    check(stride_plan_init(&plans[PLAIN], &packed, &packed, NULL, &error), &error);
    prepare(plans, STRIDE_SIDE_SHAPE, &shape);
    measure(shapes[k], plans, dense, tiled, milliseconds);
  }
  for (size_t k = 0; k < sizeof blocked_layouts / sizeof *blocked_layouts; k++) {
    static stride_blocked blocked;
    const char *blocks = blocked_layouts[k].blocks;
    const int64_t *sizes = blocked_layouts[k].sizes;
    char name[80];
    check(stride_blocked_parse(blocks, strlen(blocks), STRIDE_DTYPE_U8, 2, sizes, &blocked, &error), &error);
    check(stride_layout_init(&packed, STRIDE_DTYPE_U8, 2, sizes, NULL, &error), &error);
    dense = (uint64_t)(sizes[0] * sizes[1]);
    check(stride_blocked_byte_size(&blocked, &tiled, &error), &error);
    check(stride_plan_init(&plans[PLAIN], &packed, &packed, NULL, &error), &error);
    prepare(plans, STRIDE_SIDE_BLOCKED, &blocked);
    snprintf(name, sizeof name, "%lldx%lld %s", (long long)sizes[0], (long long)sizes[1], blocks);
    measure(name, plans, dense, tiled, milliseconds);
  }
  return 0;
}
