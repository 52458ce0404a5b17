// What a call costs beside the work in it.
//
//   overhead [MILLISECONDS [LIBRARY...]]
//
// First the functions that make layouts, at rank 1 to 5, in nanoseconds. Then small copies: a prepared plan, one call
// of stride_copy, and what the call takes more than the plan. Each libstride.so named is measured beside the one that
// this program is linked with, alternating and in one memory. A number is the shortest of many rounds of 200 calls.

#define _GNU_SOURCE
#include <dlfcn.h>

#include "bench.h"
#include "stride_interop.h"

enum { MOST_LIBRARIES = 4, MOST_RANK = 5, CALLS = 200 };

#define FUNCTIONS(X)                                                                                             \
  X(layout_init) X(layout_init_ordered) X(layout_init_pitched) X(layout_packed_like) X(layout_permute)           \
  X(layout_crop) X(layout_slice) X(layout_flip) X(layout_select) X(layout_split) X(layout_cut) X(layout_reshape) \
  X(layout_squeeze_all) X(layout_expand_dims) X(layout_broadcast_to) X(layout_window) X(layout_from_ggml)        \
  X(layout_min_bytes) X(copy) X(plan_init) X(plan_execute)

typedef struct library {
#define X(NAME) __typeof__(stride_##NAME) *NAME;
  FUNCTIONS(X)
#undef X
} library;

static library libraries[MOST_LIBRARIES];

static void load(library *out, void *handle) {
#define X(NAME)                                                             \
  if (!(out->NAME = dlsym(handle, "stride_" #NAME))) {                      \
    fprintf(stderr, "%s\n", dlerror());                                     \
    exit(1);                                                                \
  }
  FUNCTIONS(X)
#undef X
}

// What the calls work on: a packed layout of rank `rank`, and a view of it.
static uint32_t rank;
static const int64_t sizes[MOST_RANK] = {2, 3, 4, 5, 6}, zeros[MOST_RANK], ones[MOST_RANK] = {1, 1, 1, 1, 1};
static const int64_t twos[2] = {-1, 2}, reversed[2 * MOST_RANK] = {4, 3, 2, 1, 0};
static int64_t strides[MOST_RANK], wide[MOST_RANK + 1];
static stride_layout base, even, out, second;
static const int64_t ne[4] = {64, 5, 4, 3};
static const uint64_t nb[4] = {4, 256, 1280, 5120};
static volatile int64_t kept;

#define LAYOUT_CALLS(X)                                                                                         \
  X(call_init_null, "init, strides NULL", layout_init(&out, STRIDE_DTYPE_F32, rank, sizes, NULL, NULL))         \
  X(call_init_strides, "init, strides", layout_init(&out, STRIDE_DTYPE_F32, rank, sizes, strides, NULL))        \
  X(call_init_ordered, "init_ordered", layout_init_ordered(&out, STRIDE_DTYPE_F32, rank, sizes, axes, NULL))    \
  X(call_init_pitched, "init_pitched", layout_init_pitched(&out, STRIDE_DTYPE_F32, rank, sizes, 0, 4096, NULL)) \
  X(call_packed_like, "packed_like", layout_packed_like(&base, &out, NULL))                                     \
  X(call_permute, "permute", layout_permute(&base, rank, axes, &out, NULL))                                     \
  X(call_crop, "crop", layout_crop(&base, rank, zeros, ones, &out, NULL))                                       \
  X(call_slice, "slice", layout_slice(&base, rank, NULL, NULL, ones, &out, NULL))                               \
  X(call_flip, "flip", layout_flip(&base, 1, zeros, &out, NULL))                                                \
  X(call_select, "select", layout_select(&base, 0, 1, &out, NULL))                                              \
  X(call_split, "split", layout_split(&even, 0, 2, twos, &out, NULL))                                           \
  X(call_cut, "cut", layout_cut(&base, 0, 1, &out, &second, NULL))                                              \
  X(call_reshape, "reshape", layout_reshape(&base, 1, minus, &out, NULL))                                       \
  X(call_squeeze_all, "squeeze_all", layout_squeeze_all(&base, &out, NULL))                                     \
  X(call_expand_dims, "expand_dims", layout_expand_dims(&base, 1, zeros, &out, NULL))                           \
  X(call_broadcast_to, "broadcast_to", layout_broadcast_to(&base, rank + 1, wide, &out, NULL))                  \
  X(call_window, "window", layout_window(&base, rank, ones, NULL, NULL, &out, NULL))                            \
  X(call_from_ggml, "from_ggml", layout_from_ggml(0, ne, nb, &out, NULL))                                       \
  X(call_min_bytes, "min_bytes", layout_min_bytes(&base, &bytes, NULL))

typedef stride_status call(const library *);
static const int64_t *axes, minus[1] = {-1};
static uint64_t bytes;

#define X(ID, NAME, CALL) \
  static stride_status ID(const library *l) { return l->CALL; }
LAYOUT_CALLS(X)
#undef X
static const struct {
  const char *name;
  call *run;
} layout_calls[] = {
#define X(ID, NAME, CALL) {NAME, ID},
    LAYOUT_CALLS(X)
#undef X
};

// Small copies, of packed layouts or with the destination's dimensions in another order.
typedef struct example {
  const char *name;
  uint32_t dtype, rank;
  int64_t sizes[MOST_RANK];
  int order[MOST_RANK];
} example;

static const example examples[] = {
    {"16 bytes", STRIDE_DTYPE_F32, 1, {4}, {0}},
    {"64 bytes", STRIDE_DTYPE_F32, 1, {16}, {0}},
    {"1 KiB", STRIDE_DTYPE_F32, 1, {256}, {0}},
    {"4 KiB", STRIDE_DTYPE_F32, 1, {1024}, {0}},
    {"4x4 packed", STRIDE_DTYPE_F32, 2, {4, 4}, {0, 1}},
    {"2x2x2x2 packed", STRIDE_DTYPE_F32, 4, {2, 2, 2, 2}, {0, 1, 2, 3}},
    {"4x4 transposed", STRIDE_DTYPE_F32, 2, {4, 4}, {1, 0}},
    {"16x16 transposed", STRIDE_DTYPE_F32, 2, {16, 16}, {1, 0}},
    {"4x6x8 to 021", STRIDE_DTYPE_F32, 3, {4, 6, 8}, {0, 2, 1}},
    {"2x4x4x8 to 0213", STRIDE_DTYPE_F32, 4, {2, 4, 4, 8}, {0, 2, 1, 3}},
    {"1x3x11x11 to NHWC", STRIDE_DTYPE_F32, 4, {1, 3, 11, 11}, {0, 2, 3, 1}},
    {"2x2x3x4x5 reversed", STRIDE_DTYPE_F32, 5, {2, 2, 3, 4, 5}, {4, 3, 2, 1, 0}},
};

static stride_layout dst_layout, src_layout;
static stride_plan plans[MOST_LIBRARIES];
static char *dst, *src;

static stride_status planned(const library *l) {
  return l->plan_execute(&plans[l - libraries], dst, bytes, src, bytes, NULL);
}
static stride_status one_call(const library *l) {
  return l->copy(&dst_layout, dst, bytes, &src_layout, src, bytes, NULL, NULL);
}

// Nanoseconds of a call in each library, alternating.
static void measure(int count, call *run, double seconds, double *best) {
  for (int k = 0; k < count; k++) best[k] = 1e9;
  double end = now() + seconds * count;
  do {
    for (int k = 0; k < count; k++) {
      double begin = now();
      for (int number = 0; number < CALLS; number++) must(run(&libraries[k]));
      double time = (now() - begin) / CALLS * 1e9;
      if (time < best[k]) best[k] = time;
    }
  } while (now() < end);
}

static void row(const char *name, int count, const double *times) {
  printf("%-24s", name);
  for (int k = 0; k < count; k++) printf(" %9.1f", times[k]);
  printf("\n");
}

int main(int count, char **arguments) {
  double seconds = (count > 1 ? atof(arguments[1]) : 20) / 1000;
  int loaded = 1;
  load(&libraries[0], RTLD_DEFAULT);
  for (int k = 2; k < count && loaded < MOST_LIBRARIES; k++) {
    void *handle = dlopen(arguments[k], RTLD_NOW | RTLD_LOCAL);
    if (!handle) return fprintf(stderr, "%s\n", dlerror()), 1;
    load(&libraries[loaded++], handle);
  }
  double times[MOST_LIBRARIES], calls[MOST_LIBRARIES];
  dst = room(1 << 16, 1);
  src = room(1 << 16, 1);
  for (rank = 1; rank <= MOST_RANK; rank++) {
    axes = reversed + MOST_RANK - rank;
    for (uint32_t k = 0; k <= rank; k++) wide[k] = k ? sizes[k - 1] : 7;
    must(stride_layout_init(&base, STRIDE_DTYPE_F32, rank, sizes, NULL, NULL));
    for (uint32_t k = 0; k < rank; k++) strides[k] = base.strides[k];
    even = base;
    even.sizes[0] = 4;
    must(stride_layout_packed_like(&even, &even, NULL));
    printf("rank %u, ns\n", rank);
    for (size_t k = 0; k < sizeof layout_calls / sizeof *layout_calls; k++) {
      measure(loaded, layout_calls[k].run, seconds, times);
      row(layout_calls[k].name, loaded, times);
      kept += out.rank;
    }
  }
  printf("copies, ns: a plan; one call; what the call takes more\n");
  for (size_t k = 0; k < sizeof examples / sizeof *examples; k++) {
    const example *e = &examples[k];
    int64_t order[MOST_RANK];
    for (uint32_t d = 0; d < e->rank; d++) order[d] = e->order[d];
    must(stride_layout_init(&src_layout, e->dtype, e->rank, e->sizes, NULL, NULL));
    must(stride_layout_min_bytes(&src_layout, &bytes, NULL));
    must(stride_layout_permute(&src_layout, e->rank, order, &src_layout, NULL));
    must(stride_layout_packed_like(&src_layout, &dst_layout, NULL));
    for (int l = 0; l < loaded; l++) must(libraries[l].plan_init(&plans[l], &dst_layout, &src_layout, NULL, NULL));
    measure(loaded, planned, seconds, times);
    measure(loaded, one_call, seconds, calls);
    printf("%s\n", e->name);
    row("  a plan", loaded, times);
    row("  one call", loaded, calls);
    for (int l = 0; l < loaded; l++) calls[l] -= times[l];
    row("  more", loaded, calls);
  }
  return 0;
}
