// Measures this CPU and prints its machine: from which size on copies of each kind are better written past the caches.
//
//   tune [MILLISECONDS [MEBIBYTES]]     for each copy; of the largest side, 64
//
// One sweep for each measured size of a machine's text. Each copy of a sweep runs planned both ways, some
// times each in turns: through the caches and past them (or without asking for lines and with it); alone, and with
// somebody who reads the result once, whose time counts. The size that is printed loses least over all copies of its
// sweep, both ways of using them counted alike; beside it stands what each would take by itself. Comments of the output
// name CPU, compiler and date, the last line is for stride_machine_parse.

#define _GNU_SOURCE
#include "bench.h"

#include <inttypes.h>
#include <math.h>

enum { STEPS = 12, ROUNDS = 3, TURNS = 5, MOST_BYTES = 1 << 26 };
#define NEVER ((uint64_t)1 << 62)

// Bytes of a side: 32 KiB to 64 MiB.
static uint64_t size_of_step(int step) { return (uint64_t)32768 << step; }

typedef struct sides {
  stride_layout dst, src;
} sides;

static sides made(uint32_t dtype, uint32_t rank, const int64_t *sizes, const int64_t *dst, const int64_t *src) {
  sides out;
  must(stride_layout_init(&out.dst, dtype, rank, sizes, dst, NULL));
  must(stride_layout_init(&out.src, dtype, rank, sizes, src, NULL));
  must(stride_layout_rebase(&out.src, &out.src, &(int64_t){0}, NULL));
  return out;
}

static sides matrix(uint32_t dtype, int64_t rows, int64_t columns) {
  return made(dtype, 2, (int64_t[]){columns, rows}, NULL, (int64_t[]){1, columns});
}

// An odd number of lines: no two rows share a set of a cache for that.
static int64_t side_of(uint64_t bytes, int64_t width) {
  int64_t lines = (int64_t)(sqrt((double)bytes / (double)width) * (double)width / 64);
  return (lines | 1) * 64 / width;
}

static sides cropped(uint64_t bytes) {
  int64_t rows = (int64_t)bytes / 4096;
  return made(STRIDE_DTYPE_F32, 2, (int64_t[]){rows, 1024}, NULL, (int64_t[]){1040, 1});
}
static sides short_rows(uint64_t bytes) {
  return made(STRIDE_DTYPE_F32, 2, (int64_t[]){(int64_t)bytes / 256, 64}, NULL, (int64_t[]){80, 1});
}
static sides reversed(uint64_t bytes) {
  return made(STRIDE_DTYPE_F32, 1, (int64_t[]){(int64_t)bytes / 4}, NULL, (int64_t[]){-1});
}
static sides channels(uint64_t bytes) {
  int64_t pixels = (int64_t)bytes / 3;
  return made(STRIDE_DTYPE_U8, 2, (int64_t[]){3, pixels}, NULL, (int64_t[]){1, 3});
}
static sides four_channels(uint64_t bytes) {
  return made(STRIDE_DTYPE_U8, 2, (int64_t[]){4, (int64_t)bytes / 4}, NULL, (int64_t[]){1, 4});
}
static sides joined(uint64_t bytes) {
  int64_t pixels = (int64_t)bytes / 12;
  return made(STRIDE_DTYPE_F32, 2, (int64_t[]){pixels, 3}, NULL, (int64_t[]){1, pixels});
}
static sides every_second(uint64_t bytes) {
  return made(STRIDE_DTYPE_F32, 1, (int64_t[]){(int64_t)bytes / 4}, NULL, (int64_t[]){2});
}
static sides rows_repeated(uint64_t bytes) {
  return made(STRIDE_DTYPE_F32, 2, (int64_t[]){(int64_t)bytes / 4096, 1024}, NULL, (int64_t[]){0, 1});
}
static sides one_repeated(uint64_t bytes) {
  return made(STRIDE_DTYPE_F32, 2, (int64_t[]){(int64_t)bytes / 4096, 1024}, NULL, (int64_t[]){1, 0});
}
static sides matrix_u8(uint64_t bytes) { return matrix(STRIDE_DTYPE_U8, side_of(bytes, 1), side_of(bytes, 1)); }
static sides matrix_u16(uint64_t bytes) { return matrix(STRIDE_DTYPE_U16, side_of(bytes, 2), side_of(bytes, 2)); }
static sides matrix_f32(uint64_t bytes) { return matrix(STRIDE_DTYPE_F32, side_of(bytes, 4), side_of(bytes, 4)); }
static sides matrix_f64(uint64_t bytes) { return matrix(STRIDE_DTYPE_F64, side_of(bytes, 8), side_of(bytes, 8)); }
// Rows that begin anywhere.
static sides any(uint32_t dtype, uint64_t bytes, int64_t width) {
  return matrix(dtype, side_of(bytes, width) + 3, side_of(bytes, width) - 5);
}
static sides any_u8(uint64_t bytes) { return any(STRIDE_DTYPE_U8, bytes, 1); }
static sides any_u16(uint64_t bytes) { return any(STRIDE_DTYPE_U16, bytes, 2); }
static sides any_f32(uint64_t bytes) { return any(STRIDE_DTYPE_F32, bytes, 4); }
static sides any_f64(uint64_t bytes) { return any(STRIDE_DTYPE_F64, bytes, 8); }
static sides pages_u8(uint64_t bytes) { return matrix(STRIDE_DTYPE_U8, (int64_t)bytes / 4096 / 64 * 64, 4096); }
static sides pages_u16(uint64_t bytes) { return matrix(STRIDE_DTYPE_U16, (int64_t)bytes / 4096 / 32 * 32, 2048); }
static sides pages_f32(uint64_t bytes) { return matrix(STRIDE_DTYPE_F32, (int64_t)bytes / 4096 / 16 * 16, 1024); }
static sides pages_f64(uint64_t bytes) { return matrix(STRIDE_DTYPE_F64, (int64_t)bytes / 4096 / 8 * 8, 512); }
static sides pages_c128(uint64_t bytes) { return matrix(STRIDE_DTYPE_C128, (int64_t)bytes / 4096 / 4 * 4, 256); }

typedef struct sweep {
  const char *name;
  struct {
    const char *name;
    sides (*make)(uint64_t bytes);
  } copies[5];
} sweep;

// The first two are found before all others, which are measured with them.
static const sweep sweeps[] = {
    {"prefetch_from",
     {{"u8", any_u8}, {"u16", any_u16}, {"f32", any_f32}, {"f64", any_f64}, {"f32 in lines", matrix_f32}}},
    {"prefetch_second_from",
     {{"u8", any_u8}, {"f32", any_f32}, {"f32 in lines", matrix_f32}, {"3 planes, f32", joined}, {"short rows", short_rows}}},
    {"stream_rows_from",
     {{"cropped rows", cropped}, {"reversed", reversed}, {"every second", every_second}}},
    {"stream_channels_from",
     {{"3 to planes, u8", channels}, {"4 to planes, u8", four_channels}, {"3 planes, f32", joined}}},
    {"stream_repeated_from",
     {{"a row for all", rows_repeated}, {"a column for all", one_repeated}}},
    {"stream_transposes_from",
     {{"u16", matrix_u16}, {"f32", matrix_f32}, {"f64", matrix_f64}}},
    {"stream_byte_transposes_from", {{"u8", matrix_u8}}},
    {"stream_conflicts_from",
     {{"f32 x 1024", pages_f32}, {"f64 x 512", pages_f64}, {"16 bytes x 256", pages_c128}}},
    {"stream_narrow_conflicts_from",
     {{"u8 x 4096", pages_u8}, {"u16 x 2048", pages_u16}}},
    {"stream_unaligned_from",
     {{"u8", any_u8}, {"u16", any_u16}, {"f32", any_f32}, {"f64", any_f64}}},
};
enum { SWEEPS = sizeof sweeps / sizeof *sweeps };

// The machine with these sizes, one for each sweep; 0: as on this CPU.
static stride_machine machine_of(const uint64_t sizes[SWEEPS]) {
  char text[SWEEPS * 64] = "";
  size_t length = 0;
  for (int k = 0; k < SWEEPS; k++) {
    if (sizes[k] == 0) continue;
    length += (size_t)snprintf(text + length, sizeof text - length, "%s=%" PRIu64 " ", sweeps[k].name, sizes[k]);
  }
  stride_machine machine;
  must(stride_machine_parse(text, length, &machine, NULL));
  return machine;
}

static void set(uint64_t sizes[SWEEPS], const char *name, uint64_t from) {
  for (int k = 0; k < SWEEPS; k++) {
    if (!strcmp(sweeps[k].name, name)) sizes[k] = from;
  }
}

// The plan with this size for one sweep, none of the others streaming; lines are asked for as was found.
static void plan_with(stride_plan *plan, const sides *of, const uint64_t tuned[SWEEPS], const sweep *s, uint64_t from) {
  stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
  uint64_t sizes[SWEEPS];
  for (int k = 0; k < SWEEPS; k++) sizes[k] = k < 2 ? tuned[k] : NEVER;
  // What is about copies that are streamed.
  if (!strcmp(s->name, "stream_unaligned_from") || s == &sweeps[1]) {
    set(sizes, "stream_transposes_from", 1);
    set(sizes, "stream_byte_transposes_from", 1);
    set(sizes, "stream_channels_from", 1);
    set(sizes, "stream_unaligned_from", 1);
  }
  sizes[s - sweeps] = from;
  stride_machine machine = machine_of(sizes);
  options.machine = &machine;
  must(stride_plan_init(plan, &of->dst, &of->src, &options, NULL));
}

static volatile uint64_t read_once;

static double run(const stride_plan *plan, void *to, const void *from, uint64_t bytes, int reads) {
  double begin = now();
  must(stride_plan_execute(plan, to, UINT64_MAX, from, UINT64_MAX, NULL));
  if (reads) {
    const uint64_t *words = to;
    uint64_t sum = 0;
    for (uint64_t k = 0; k < bytes / 8; k++) sum += words[k];
    read_once = sum;
  }
  return now() - begin;
}

// log(time of the second way / time of the first one) of one copy, its middle one of some rounds; `spread`: from end to
// end.
static double compare(const stride_plan plans[2], void *to, const void *from, uint64_t bytes, int reads, double seconds,
                      double *spread) {
  double ratios[ROUNDS];
  for (int round = 0; round < ROUNDS; round++) {
    double best[2] = {1e9, 1e9}, begin = now();
    for (int turn = 0; turn < 2 * TURNS || now() - begin < seconds / ROUNDS; turn++) {
      int way = turn / TURNS & 1;
      double t = run(&plans[way], to, from, bytes, reads);
      if (turn % TURNS > 1 && t < best[way]) best[way] = t;  // the first ones find what the other way left in the caches
    }
    double ratio = log(best[1] / best[0]);
    int at = round;
    for (; at > 0 && ratios[at - 1] > ratio; at--) ratios[at] = ratios[at - 1];
    ratios[at] = ratio;
  }
  *spread = ratios[ROUNDS - 1] - ratios[0];
  return ratios[ROUNDS / 2];
}

// What is lost if copies are streamed from a step on.
static double loss(const double *ratios, int from) {
  double lost = 0;
  for (int step = 0; step < STEPS; step++) {
    double ratio = ratios[step];
    if (step >= from && ratio > 0) lost += ratio;
    if (step < from && ratio < 0) lost -= ratio;
  }
  return lost;
}

static int least(const double *ratios) {
  int best = STEPS;  // of two that lose the same the larger one: what stays in the caches is there for others
  for (int from = STEPS - 1; from >= 0; from--) {
    if (loss(ratios, from) < loss(ratios, best) - 1e-3) best = from;
  }
  return best;
}

static void print_size(const char *before, int step) {
  if (step == STEPS) printf("%snever", before);
  else printf("%s%.1f MiB", before, (double)size_of_step(step) / (1 << 20));
}

static void print_cpu(void) {
  char line[256] = "";
  FILE *info = fopen("/proc/cpuinfo", "r");
  while (info && fgets(line, sizeof line, info) && strncmp(line, "model name", 10)) {
  }
  if (info) fclose(info);
  char *name = strchr(line, ':');
  time_t today = time(NULL);
  char date[32];
  strftime(date, sizeof date, "%Y-%m-%d", gmtime(&today));
  printf("# make tune, %s, libstride %u.%u.%u, compiler %s\n# CPU:%s", date, stride_version() / 10000, stride_version() / 100 % 100,
         stride_version() % 100, __VERSION__, name ? name + 1 : " unknown\n");
}

int main(int argc, char **argv) {
  double seconds = (argc > 1 ? atof(argv[1]) : 20) / 1000;
  double most = (argc > 2 ? atof(argv[2]) : 64) * (1 << 20);
  uint64_t tuned[SWEEPS] = {0};
  unsigned char *to = room(MOST_BYTES * 2, 0), *from = room((size_t)MOST_BYTES * 5 / 2, 0);
  print_cpu();
  for (int k = 0; k < SWEEPS; k++) {
    const sweep *s = &sweeps[k];
    double total[2][STEPS] = {{0}}, both[STEPS] = {0}, spreads = 0;
    int measured = 0;
    printf("#\n# %s: time from that size on / below it, alone (and with a reader)\n", s->name);
    for (int c = 0; c < 5 && s->copies[c].make; c++) {
      printf("#   %-18s", s->copies[c].name);
      for (int step = 0; step < STEPS; step++) {
        static stride_plan plans[2];
        char texts[2][512];
        uint64_t length;
        sides of = s->copies[c].make(size_of_step(step));
        for (int way = 0; way < 2; way++) {
          plan_with(&plans[way], &of, tuned, s, way ? 1 : NEVER);
          must(stride_plan_describe(&plans[way], texts[way], sizeof texts[way], &length, NULL));
        }
        if (!strcmp(texts[0], texts[1]) || (double)size_of_step(step) > most) {
          printf("  -");
          continue;
        }
        uint64_t bytes;
        must(stride_layout_min_bytes(&of.dst, &bytes, NULL));
        double ratios[2];
        for (int reads = 0; reads < 2; reads++) {
          double spread;
          ratios[reads] = compare(plans, to, from, bytes, reads, seconds, &spread);
          total[reads][step] += ratios[reads];
          both[step] += ratios[reads];
          spreads += spread;
          measured++;
        }
        printf("  %.2f (%.2f)", exp(ratios[0]), exp(ratios[1]));
        fflush(stdout);
      }
      puts("");
    }
    if (!measured) {
      puts("#   no plan of this instruction set depends on it");
      continue;
    }
    int step = least(both);
    print_size("#   least loss: ", step);
    print_size("; alone ", least(total[0]));
    print_size(", with a reader ", least(total[1]));
    printf("; mean spread of a ratio %.0f %%\n", 100 * spreads / measured);
    tuned[k] = step == STEPS ? NEVER : size_of_step(step);
  }
  char text[1024];
  uint64_t length;
  stride_machine machine = machine_of(tuned);
  must(stride_machine_format(&machine, text, sizeof text, &length, NULL));
  printf("#\n%s\n", text);
  return 0;
}
