// Random copies against C loops, compiled with -O3.
//
//   random [SEED [COUNT [MILLISECONDS]]] [--only N] [--list] [--worst N] [--small-pages] [--level N]
//
// There are two rivals. *naive* is what anybody writes: one function of the caller's dimensions, which arrive at run
// time, looped over in their order, typed by the element's width. *tuned* is what a good C programmer writes for one
// copy (naive.h): it knows everything before the clock starts, so a ratio above 1 is earned by the copy itself.
//
// Problem N of a seed is always the same, whatever the count: --only N takes it alone, with more time. --list prints
// every problem, --worst N so many of each size instead of 3. Both sides of a problem lie at offsets inside their page
// that belong to the problem, in huge pages unless --small-pages is given, so that runs can be compared. --level N caps
// our instruction set at STRIDE_CPU_LEVEL_... N; the rivals keep theirs.
//
// A ratio is the time of a rival divided by ours; below 1.00 we lose. Per problem the four ways (naive, tuned, planned,
// one call) alternate, each warmed before it is timed, and the shortest time of each counts. Results are compared
// byte by byte, gaps included. The exit status is 0 unless results differ.

#define _GNU_SOURCE
#include "bench.h"
#include "naive.h"
#include "shapes.h"

enum { GUARD = 4096 };

// ---------------------------------------------------------------------------------------------------------------------
// The naive loops. Strides in bytes; the fastest dimension last, if the caller keeps to that.

typedef void nested_loops(unsigned char *dst, const unsigned char *src, int64_t rank, const int64_t *sizes,
                          const int64_t *to, const int64_t *from, int64_t width);

// Sizes and steps are in registers: an element's bytes may be anything, so what lies in memory is read anew after each.
#define NAIVE_LOOPS(NAME, COPY)                                                                                       \
  static void NAME(unsigned char *restrict dst, const unsigned char *restrict src, int64_t rank,                      \
                   const int64_t *sizes, const int64_t *to, const int64_t *from, int64_t width) {                     \
    const int64_t size = *sizes, dst_step = *to, src_step = *from;                                                    \
    (void)width;                                                                                                      \
    if (rank > 1) {                                                                                                   \
      for (int64_t i = 0; i < size; i++) {                                                                            \
        NAME(dst + i * dst_step, src + i * src_step, rank - 1, sizes + 1, to + 1, from + 1, width);                   \
      }                                                                                                               \
    } else {                                                                                                          \
      for (int64_t i = 0; i < size; i++) COPY(dst + i * dst_step, src + i * src_step, width);                         \
    }                                                                                                                 \
  }
#define COPY_AS(TYPE, DST, SRC) *(TYPE *)(DST) = *(const TYPE *)(SRC)
#define COPY_1(DST, SRC, WIDTH) COPY_AS(element_1, DST, SRC)
#define COPY_2(DST, SRC, WIDTH) COPY_AS(element_2, DST, SRC)
#define COPY_4(DST, SRC, WIDTH) COPY_AS(element_4, DST, SRC)
#define COPY_8(DST, SRC, WIDTH) COPY_AS(element_8, DST, SRC)
#define COPY_16(DST, SRC, WIDTH) COPY_AS(element_16, DST, SRC)
#define COPY_ANY(DST, SRC, WIDTH) memcpy(DST, SRC, (size_t)(WIDTH))
NAIVE_LOOPS(loops_1, COPY_1)
NAIVE_LOOPS(loops_2, COPY_2)
NAIVE_LOOPS(loops_4, COPY_4)
NAIVE_LOOPS(loops_8, COPY_8)
NAIVE_LOOPS(loops_16, COPY_16)
NAIVE_LOOPS(loops_any, COPY_ANY)

static void naive(unsigned char *dst, const unsigned char *src, int64_t rank, const int64_t *sizes,
                  const int64_t *dst_strides, const int64_t *src_strides, int64_t width) {
  nested_loops *loops = width == 1    ? loops_1
                        : width == 2  ? loops_2
                        : width == 4  ? loops_4
                        : width == 8  ? loops_8
                        : width == 16 ? loops_16
                                      : loops_any;
  int64_t to[MAX_RANK], from[MAX_RANK];
  for (int64_t d = 0; d < rank; d++) {
    to[d] = dst_strides[d] * width;
    from[d] = src_strides[d] * width;
  }
  loops(dst, src, rank, sizes, to, from, width);
}

// ---------------------------------------------------------------------------------------------------------------------
// Running and timing.

enum way { NAIVE, TUNED, PLANNED, ONE_CALL, WAYS };
static const char *const way_names[WAYS] = {"naive", "tuned", "planned", "one call"};

typedef struct run {
  const problem *p;
  stride_layout layouts[2];
  stride_plan plan;
  naive_loops loops;
  naive_function *tuned;
  unsigned char *dst, *dst_first;
  const unsigned char *src, *src_first;
  uint64_t dst_bytes, src_bytes;
} run;

static stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;

static void check(stride_status status, const char *what, const problem *p) {
  if (status == STRIDE_STATUS_OK) return;
  fprintf(stderr, "problem %d: %s: %s\n", p->number, what, stride_status_name(status));
  exit(2);
}

static inline void once(const run *r, enum way way) {
  switch (way) {
    case NAIVE:
      naive(r->dst + r->p->offsets[DST] * r->p->width, r->src + r->p->offsets[SRC] * r->p->width, r->p->rank,
            r->p->sizes, r->p->strides[DST], r->p->strides[SRC], r->p->width);
      break;
    case TUNED: r->tuned(r->dst_first, r->src_first, &r->loops); break;
    case PLANNED:
      check(stride_plan_execute(&r->plan, r->dst, r->dst_bytes, r->src, r->src_bytes, NULL), "execute", r->p);
      break;
    default:
      check(stride_copy(&r->layouts[DST], r->dst, r->dst_bytes, &r->layouts[SRC], r->src, r->src_bytes, &options, NULL),
            "copy", r->p);
  }
}

// Nanoseconds of one.
static double timed(const run *r, enum way way, int64_t batch) {
  double start = now();
  for (int64_t i = 0; i < batch; i++) once(r, way);
  return 1e9 * (now() - start) / (double)batch;
}

static void measure(const run *r, double budget, double best[WAYS]) {
  int64_t batch[WAYS];
  for (int way = 0; way < WAYS; way++) {
    double one = timed(r, (enum way)way, 1);
    for (batch[way] = 1; one * (double)batch[way] < 2e3 && batch[way] < 1024;) {  // until the clock's own time is small
      batch[way] *= 4;
      one = timed(r, (enum way)way, batch[way]);
    }
    batch[way] = one < 2e4 ? (int64_t)(2e4 / (one + 1)) + 1 : 1;
    best[way] = one;
  }
  double start = now();
  for (int round = 0; round < 400 && (round < 3 || now() - start < budget); round++) {
    for (int way = 0; way < WAYS; way++) {
      once(r, (enum way)way);
      double one = timed(r, (enum way)way, batch[way]);
      if (one < best[way]) best[way] = one;
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// The report.

typedef struct result {
  problem p;
  double best[WAYS];
  char plan[1024];
} result;

static enum way rival;

static double ratio(const result *r, enum way way) { return r->best[rival] / r->best[way]; }

static int by_ratio(const void *a, const void *b) {
  double x = ratio(a, PLANNED), y = ratio(b, PLANNED);
  return (x > y) - (x < y);
}

static int by_number(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void print_list(const char *what, const int64_t *list, int count, char between) {
  printf("%s", what);
  for (int d = 0; d < count; d++) printf("%s%lld", d ? (char[]){between, 0} : "", (long long)list[d]);
}

static void print_result(const result *r) {
  const problem *p = &r->p;
  printf("%6.2f  once %5.2f   ", ratio(r, PLANNED), ratio(r, ONE_CALL));
  for (int way = 0; way < WAYS; way++) printf("%s %.0f%s", way_names[way], r->best[way], way + 1 < WAYS ? ", " : " ns");
  printf("   #%d %s, %s strided, %lld bytes\n", p->number, kind_names[p->kind], side_names[p->side], (long long)p->bytes);
  printf("        %d-byte elements, ", p->width);
  print_list("sizes ", p->sizes, p->rank, 'x');
  print_list(", dst ", p->strides[DST], p->rank, ',');
  print_list(", src ", p->strides[SRC], p->rank, ',');
  printf("; pages begin %lld and %lld bytes before\n        %s\n", (long long)p->placement[DST],
         (long long)p->placement[SRC], r->plan);
}

static void print_head(const char *what) {
  printf("\n%-20s %5s  %6s %6s %6s %6s %6s %6s %6s  %6s  %8s %8s\n", what, "count", "lowest", "1 %", "5 %", "25 %",
         "half", "75 %", "most", "slower", "once 5 %", "once half");
}

typedef int selector(const result *r, int64_t wanted);

static void print_quantiles(const char *name, const result *results, int count, selector *select, int64_t wanted) {
  double *planned = malloc((size_t)count * sizeof(double)), *called = malloc((size_t)count * sizeof(double));
  int n = 0, slower = 0;
  for (int k = 0; k < count; k++) {
    if (!select(&results[k], wanted)) continue;
    planned[n] = ratio(&results[k], PLANNED);
    called[n] = ratio(&results[k], ONE_CALL);
    slower += planned[n++] < 0.995;
  }
  if (n > 0) {
    qsort(planned, (size_t)n, sizeof *planned, by_number);
    qsort(called, (size_t)n, sizeof *called, by_number);
#define AT(LIST, PERCENT) LIST[(n - 1) * (PERCENT) / 100]
    printf("%-20s %5d  %6.2f %6.2f %6.2f %6.2f %6.2f %6.2f %6.2f  %5.1f%%  %8.2f %8.2f\n", name, n, planned[0],
           AT(planned, 1), AT(planned, 5), AT(planned, 25), AT(planned, 50), AT(planned, 75), planned[n - 1],
           100.0 * slower / n, AT(called, 5), AT(called, 50));
#undef AT
  }
  free(planned);
  free(called);
}

static const int64_t class_ends[] = {256, 4 << 10, 64 << 10, 1 << 20, INT64_MAX};
static const char *const class_names[] = {"below 256 B", "below 4 KiB", "below 64 KiB", "below 1 MiB", "1 MiB and above"};
enum { CLASSES = 5 };

static int size_class(int64_t bytes) {
  int c = 0;
  while (bytes >= class_ends[c]) c++;
  return c;
}

static int any(const result *r, int64_t wanted) { return (void)r, (void)wanted, 1; }
static int of_class(const result *r, int64_t wanted) { return size_class(r->p.bytes) == wanted; }
static int of_kind(const result *r, int64_t wanted) { return r->p.kind == (enum kind)wanted; }
static int of_side(const result *r, int64_t wanted) { return r->p.side == (enum side)wanted; }
static int of_width(const result *r, int64_t wanted) { return r->p.width == wanted; }

static void kernel_name(const result *r, char name[24]) {
  size_t length = strcspn(r->plan, " _,:;");  // the family: what is before the width
  if (length > 23) length = 23;
  memcpy(name, r->plan, length);
  name[length] = 0;
}

static char kernels[64][24];
static int kernel_count;

static int of_kernel(const result *r, int64_t wanted) {
  char name[24];
  kernel_name(r, name);
  return strcmp(name, kernels[wanted]) == 0;
}

static void report(enum way against, result *results, int count, int worst) {
  rival = against;
  qsort(results, (size_t)count, sizeof *results, by_ratio);
  printf("\n======== %s: its time / ours, below 1.00 it wins\n", way_names[rival]);
  for (int c = 0; c < CLASSES; c++) {
    int shown = 0;
    for (int k = 0; k < count && shown < worst; k++) {
      if (size_class(results[k].p.bytes) != c) continue;
      if (shown++ == 0) printf("\nthe worst of %s:\n", class_names[c]);
      print_result(&results[k]);
    }
  }
  print_head("planned");
  print_quantiles("all", results, count, any, 0);
  print_head("by size");
  for (int c = 0; c < CLASSES; c++) print_quantiles(class_names[c], results, count, of_class, c);
  print_head("by kind");
  for (int k = 0; k < KINDS; k++) print_quantiles(kind_names[k], results, count, of_kind, k);
  print_head("by strided side");
  for (int s = 0; s < SIDES; s++) print_quantiles(side_names[s], results, count, of_side, s);
  print_head("by width in bytes");
  for (int w = 1; w <= MAX_WIDTH; w++) {
    char name[16];
    snprintf(name, sizeof name, "%d", w);
    print_quantiles(name, results, count, of_width, w);
  }
  kernel_count = 0;
  for (int k = 0; k < count && kernel_count < 64; k++) {
    char name[24];
    kernel_name(&results[k], name);
    int known = 0;
    for (int other = 0; other < kernel_count; other++) known |= strcmp(kernels[other], name) == 0;
    if (!known) strcpy(kernels[kernel_count++], name);
  }
  print_head("by kernel");
  for (int k = 0; k < kernel_count; k++) print_quantiles(kernels[k], results, count, of_kernel, k);
}

int main(int argc, char **argv) {
  uint64_t numbers[3] = {1, 1000, 20};  // seed, count, milliseconds
  int given = 0, only = -1, worst = 3, small_pages = 0;
  for (int k = 1; k < argc; k++) {
    if (strcmp(argv[k], "--only") == 0 && k + 1 < argc) only = atoi(argv[++k]);
    else if (strcmp(argv[k], "--level") == 0 && k + 1 < argc) options.cpu_level = (uint32_t)atoi(argv[++k]);
    else if (strcmp(argv[k], "--list") == 0) worst = INT32_MAX;
    else if (strcmp(argv[k], "--worst") == 0 && k + 1 < argc) worst = atoi(argv[++k]);
    else if (strcmp(argv[k], "--small-pages") == 0) small_pages = 1;
    else if (argv[k][0] >= '0' && argv[k][0] <= '9' && given < 3) numbers[given++] = strtoull(argv[k], NULL, 10);
    else return fprintf(stderr, "random [SEED [COUNT [MILLISECONDS]]] [--only N] [--list] [--worst N] [--small-pages]"
                                " [--level N]\n"), 2;
  }
  int start = only >= 0 ? only : 0, count = only >= 0 ? 1 : (int)numbers[1], differing = 0;
  double budget = (double)numbers[2] * 1e-3 * (only >= 0 ? 10 : 1);

  unsigned char *src_page = room(SIDE_BYTES + 4 * GUARD, small_pages);
  unsigned char *dst_page = room(SIDE_BYTES + 4 * GUARD, small_pages);
  unsigned char *expected = room(SIDE_BYTES + 4 * GUARD, small_pages);
  state = 7;
  for (int64_t i = 0; i < SIDE_BYTES + 2 * GUARD; i += 8) {
    uint64_t word = next();
    memcpy(src_page + i, &word, 8);
  }
  result *results = calloc((size_t)count, sizeof *results);
  for (int k = 0; k < count; k++) {
    result *found = &results[k];
    problem *p = &found->p;
    *p = draw(numbers[0], start + k);
    static run r;
    r.p = p;
    for (int which = 0; which < 2; which++) {
      uint32_t dtype = STRIDE_DTYPE_BYTES | (uint32_t)p->width;
      check(stride_layout_init(&r.layouts[which], dtype, (uint32_t)p->rank, p->sizes, p->strides[which], NULL), "layout", p);
      r.layouts[which].offset = p->offsets[which];
    }
    r.dst = dst_page + GUARD + p->placement[DST];
    r.src = src_page + GUARD + p->placement[SRC];
    r.dst_bytes = (uint64_t)(p->extents[DST] * p->width);
    r.src_bytes = (uint64_t)(p->extents[SRC] * p->width);
    int64_t first = naive_prepare(p->rank, p->sizes, p->strides[DST], p->strides[SRC], p->width, &r.loops, &r.tuned);
    r.dst_first = r.dst;
    r.src_first = r.src + (p->offsets[SRC] + first) * p->width;
    check(stride_plan_init(&r.plan, &r.layouts[DST], &r.layouts[SRC], &options, NULL), "plan", p);
    uint64_t length;
    check(stride_plan_describe(&r.plan, found->plan, sizeof found->plan, &length, NULL), "describe", p);

    unsigned char *whole = r.dst - 64;
    size_t whole_bytes = (size_t)r.dst_bytes + 128;
    memset(whole, 0xA5, whole_bytes);
    once(&r, NAIVE);
    memcpy(expected, whole, whole_bytes);
    for (int way = TUNED; way < WAYS; way++) {
      memset(whole, 0xA5, whole_bytes);
      once(&r, (enum way)way);
      if (memcmp(whole, expected, whole_bytes) != 0) {
        printf("problem %d: %s moved other bytes than the naive loops\n", p->number, way_names[way]);
        differing = 1;
      }
    }
    measure(&r, budget, found->best);
  }
  printf("seed %llu, %d problems\n", (unsigned long long)numbers[0], count);
  report(NAIVE, results, count, worst);
  report(TUNED, results, count, worst);
  return differing;
}
