// Where the choice is wrong: random copies, planned as they are chosen and in every other way that a machine can ask
// for, and beside their neighbours in size.
//
//   cliffs [SEED [COUNT [MILLISECONDS]]] [--only N]
//
// The other ways are the plans for lower instruction sets, with every treatment of the caches from the first byte on,
// and with none; each plan that differs is timed once. The neighbours have one element more or less along the longest
// dimension, and lie packed where the copy does; what counts there is time per byte. A loss is the time of the choice
// divided by the best of all these; what seems to lose is timed again, four times as long, and the smaller loss counts.
// Listed are losses above 1.3. The exit status is 0.

#define _GNU_SOURCE
#include "bench.h"
#include "shapes.h"

#define NEVER ((uint64_t)1 << 62)
enum { WAYS_MAX = 24, SIZES = sizeof ((stride_machine *)0)->measured / sizeof(uint64_t) };

typedef struct way {
  char name[40], description[600];
  stride_plan plan;
  const unsigned char *src;
  unsigned char *dst;
  double bytes, seconds;
} way;

static way ways[WAYS_MAX];
static int way_count;

// Half of all are matrices of any two sizes, which the other generator makes none of.
static problem draw_any(uint64_t seed, int number) {
  problem p = draw(seed, number);
  if (number % 2) return p;
  do {
    double octaves = 10 + 14.5 * unit(), rows = octaves * (0.1 + 0.8 * unit());
    int64_t lines = 64 / p.width > 0 ? 64 / p.width : 1;
    p.kind = PERMUTE;
    p.rank = 2;
    p.sizes[0] = (int64_t)octave(rows);
    p.sizes[1] = (int64_t)octave(octaves - rows) / p.width + 1;
    for (int d = 0; d < 2; d++) {
      if (one_in(3) && p.sizes[d] > lines) p.sizes[d] = p.sizes[d] / lines * lines;
      if (one_in(8) && p.sizes[d] > 64) p.sizes[d] = p.sizes[d] / 64 * 64;
    }
    int64_t pitch = p.sizes[0] + (one_in(4) ? below(40) : 0);
    p.strides[DST][0] = p.sizes[1], p.strides[DST][1] = 1;
    p.strides[SRC][0] = 1, p.strides[SRC][1] = pitch;
    p.offsets[DST] = p.offsets[SRC] = 0;
    p.bytes = p.sizes[0] * p.sizes[1] * p.width;
    p.extents[DST] = p.sizes[0] * p.sizes[1];
    p.extents[SRC] = pitch * p.sizes[1];
  } while (p.bytes <= p.width || p.extents[SRC] * p.width > SIDE_BYTES);
  return p;
}

static stride_layout layout_of(const problem *p, int which, const int64_t *sizes) {
  stride_layout out;
  must(stride_layout_init(&out, STRIDE_DTYPE_BYTES | (uint32_t)p->width, (uint32_t)p->rank, sizes, p->strides[which], NULL));
  out.offset = p->offsets[which];
  return out;
}

// One more way, unless there is such a plan already; `of` is the copy that it is of.
static void add(const char *name, const stride_layout *dst, const stride_layout *src, const stride_machine *machine, double bytes) {
  stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
  way *w = &ways[way_count];
  uint64_t length;
  options.machine = machine;
  options.flags = STRIDE_COPY_ASSUME_DISTINCT;
  must(stride_plan_init(&w->plan, dst, src, &options, NULL));
  must(stride_plan_describe(&w->plan, w->description, sizeof w->description, &length, NULL));
  for (int k = 0; k < way_count; k++) {
    if (!strcmp(ways[k].description, w->description)) return;
  }
  snprintf(w->name, sizeof w->name, "%s", name);
  w->dst = ways[0].dst;
  w->src = ways[0].src;
  w->bytes = bytes;
  way_count++;
}

static void all_ways(const problem *p) {
  static const char *const levels[] = {"", "scalar", "ssse3", "avx2", "avx512", "neon", "simd128"};
  stride_layout dst = layout_of(p, DST, p->sizes), src = layout_of(p, SRC, p->sizes);
  stride_machine here, machine;
  must(stride_machine_init(&here));
  way_count = 0;
  add("chosen", &dst, &src, NULL, (double)p->bytes);
  for (uint32_t level = 1; level < stride_cpu_level(); level++) {
    machine = here;
    machine.cpu_level = level;
    add(levels[level], &dst, &src, &machine, (double)p->bytes);
  }
  machine = here;
  for (int k = 0; k < SIZES; k++) machine.measured[k] = NEVER;
  add("no treatment", &dst, &src, &machine, (double)p->bytes);
  for (int k = 0; k < SIZES; k++) {
    stride_machine one = machine;
    one.measured[k] = 1;
    char name[40];
    snprintf(name, sizeof name, "treatment %d from 1 byte on", k);
    add(name, &dst, &src, &one, (double)p->bytes);
  }
  // Neighbours, where the strides leave room: a size less always does.
  int longest = 0;
  for (int d = 1; d < p->rank; d++) {
    if (p->sizes[d] > p->sizes[longest]) longest = d;
  }
  if (p->sizes[longest] > 32) {
    int64_t sizes[MAX_RANK];
    memcpy(sizes, p->sizes, sizeof sizes);
    for (int less = 1; less <= 2; less++) {
      sizes[longest] = p->sizes[longest] - less;
      stride_layout smaller_dst = layout_of(p, DST, sizes), smaller_src = layout_of(p, SRC, sizes);
      add(less == 1 ? "one element less" : "two elements less", &smaller_dst, &smaller_src, NULL,
          (double)p->bytes / (double)p->sizes[longest] * (double)sizes[longest]);
    }
  }
}

// The best time of each way, alternating, some calls each: the first find in the caches what another way left there.
static void measure(const problem *p, double seconds) {
  for (int k = 0; k < way_count; k++) ways[k].seconds = 1e9;
  double begin = now();
  int64_t calls = 1 + 20000 / (p->bytes + 200);
  for (int round = 0; round < 4 || now() - begin < seconds; round++) {
    for (int k = 0; k < way_count; k++) {
      for (int again = 0; again < 4; again++) {
        double since = now();
        for (int64_t call = 0; call < calls; call++) {
          must(stride_plan_execute(&ways[k].plan, ways[k].dst, UINT64_MAX, ways[k].src, UINT64_MAX, NULL));
        }
        double took = (now() - since) / (double)calls;
        if (again >= 2 && took < ways[k].seconds) ways[k].seconds = took;
      }
    }
  }
}

// By how much the choice loses, and to whom.
static double loss(int *to) {
  double lost = 1;
  *to = 0;
  for (int k = 1; k < way_count; k++) {
    double ratio = ways[0].seconds / ways[0].bytes / (ways[k].seconds / ways[k].bytes);
    if (ratio > lost) lost = ratio, *to = k;
  }
  return lost;
}

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  int count = argc > 2 ? atoi(argv[2]) : 1000, first = 0, above[3] = {0};
  double seconds = (argc > 3 ? atof(argv[3]) : 20) / 1000, worst = 1;
  if (argc > 5 && !strcmp(argv[4], "--only")) first = atoi(argv[5]), count = first + 1;
  unsigned char *to = room(SIDE_BYTES + 8192, 0), *from = room(SIDE_BYTES + 8192, 0);
  printf("loss  number  width  sizes, destination's strides <- source's; bytes; chosen; better\n");
  for (int number = first; number < count; number++) {
    problem p = draw_any(seed, number);
    ways[0].dst = to + p.placement[DST];
    ways[0].src = from + p.placement[SRC];
    all_ways(&p);
    measure(&p, seconds);
    int better;
    double lost = loss(&better);
    if (lost > 1.2) {
      double once = lost;
      measure(&p, 4 * seconds);
      lost = loss(&better);
      if (once < lost) lost = once;
    }
    above[0] += lost > 1.1;
    above[1] += lost > 1.3;
    above[2] += lost > 1.5;
    if (lost > worst) worst = lost;
    if (lost <= 1.3 && first == 0) continue;
    printf("%.2f  %6d  %4d ", lost, number, p.width);
    for (int d = 0; d < p.rank; d++) printf("%s%lld", d ? "x" : " ", (long long)p.sizes[d]);
    for (int which = DST; which >= SRC; which--) {
      printf(which == DST ? ", (" : " <- (");
      for (int d = 0; d < p.rank; d++) printf("%s%lld", d ? " " : "", (long long)p.strides[which][d]);
      printf(")");
    }
    printf("; %lld; %s; %s: %s\n", (long long)p.bytes, ways[0].description, ways[better].name, ways[better].description);
    if (first) {
      for (int k = 0; k < way_count; k++) printf("  %8.1f us  %s: %s\n", 1e6 * ways[k].seconds, ways[k].name, ways[k].description);
    }
    fflush(stdout);
  }
  printf("%d copies: above 1.1 %d, above 1.3 %d (%.1f %%), above 1.5 %d; worst %.2f\n", count - first, above[0], above[1],
         100.0 * above[1] / (count - first), above[2], worst);
  return 0;
}
