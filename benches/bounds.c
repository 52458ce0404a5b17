// What copies in tiles can reach with plain loads and stores, neither past the caches nor fetched ahead: the same
// lines, loaded and stored in the order of tiles, but not transposed.
//
//   bounds [MILLISECONDS]
//
// A transpose loads whole lines of some source rows and stores whole lines of as many destination rows. Here each line
// that is loaded is stored as it is, in the tile's place on the other side: the memory is touched as a transpose must,
// and nothing is computed. Strips of 1 to 16 tiles and all, along the source and along the destination, are tried, and
// the best one counts; what no whole tile covers is left out. Then channels, whose lines go straight, and elements at
// steps, loaded under masks (nothing between them may be read) and whole.
//
// A copy can be above the bound where it does more than that: large matrices whose rows conflict are made in blocks on
// the stack, and others written past the caches. Both sides begin at huge pages.
//
// Ratios are to memcpy of the same bytes, the shortest time of many rounds of each, one after the other.

#define _GNU_SOURCE
#include "bench.h"

enum { LINE = 64, MAX_SIDE = 32 };
typedef int64_t line __attribute__((vector_size(LINE), aligned(1), may_alias));

static char *dst, *src;
static double seconds;

// A timed copy, by its numbers.
typedef struct work {
  void (*run)(const struct work *);
  size_t bytes;
  int64_t rows, columns, width, strip;  // of the source; the strip in tiles
  int along_dst;
  stride_plan plan;
} work;

static void libc(const work *w) { memcpy(dst, src, w->bytes); }
static void ours(const work *w) { must(stride_plan_execute(&w->plan, dst, w->bytes, src, w->bytes * 4, NULL)); }

// Lines of a tile of `side` rows, to the place of the tile on the other side; and of all tiles.
#define TILE(side) tile_##side(to + j * to_pitch + i * width, to_pitch, from + i * from_pitch + j * width, from_pitch)
#define TILES(side)                                                                                            \
  static inline void tile_##side(char *to, int64_t to_pitch, const char *from, int64_t from_pitch) {           \
    line lines[side];                                                                                          \
    _Pragma("GCC unroll 32") for (int k = 0; k < side; k++) lines[k] = *(const line *)(from + k * from_pitch); \
    _Pragma("GCC unroll 32") for (int k = 0; k < side; k++) *(line *)(to + k * to_pitch) = lines[k];           \
  }                                                                                                            \
  static void tiles_##side(const work *w) {                                                                    \
    const int64_t width = LINE / side, from_pitch = w->columns * width, to_pitch = w->rows * width;            \
    const int64_t last_i = w->rows - side, last_j = w->columns - side, step = w->strip * side;                 \
    const char *from = src;                                                                                    \
    char *to = dst;                                                                                            \
    if (w->along_dst) {                                                                                        \
      for (int64_t begin = 0; begin <= last_i; begin += step)                                                  \
        for (int64_t j = 0; j <= last_j; j += side)                                                            \
          for (int64_t i = begin; i <= last_i && i < begin + step; i += side)                                  \
            TILE(side);                                                                                        \
    } else {                                                                                                   \
      for (int64_t begin = 0; begin <= last_j; begin += step)                                                  \
        for (int64_t i = 0; i <= last_i; i += side)                                                            \
          for (int64_t j = begin; j <= last_j && j < begin + step; j += side)                                  \
            TILE(side);                                                                                        \
    }                                                                                                          \
  }
TILES(4) TILES(8) TILES(16) TILES(32)

// Lines of each of three planes, one after the other on the other side; and back.
static void to_pixels(const work *w) {
  int64_t plane = (int64_t)w->bytes / 3;
  for (int64_t at = 0; at + LINE <= plane; at += LINE)
    for (int c = 0; c < 3; c++) *(line *)(dst + 3 * at + c * LINE) = *(const line *)(src + c * plane + at);
}

static void to_planes(const work *w) {
  int64_t plane = (int64_t)w->bytes / 3;
  for (int64_t at = 0; at + LINE <= plane; at += LINE)
    for (int c = 0; c < 3; c++) *(line *)(dst + c * plane + at) = *(const line *)(src + 3 * at + c * LINE);
}

#if defined(__AVX512F__)
#include <immintrin.h>
// Every second element of 4 bytes: two loads for each store, under masks or whole.
static void masked(const work *w) {
  const int64_t bytes = (int64_t)w->bytes;
  for (int64_t at = 0; at + LINE <= bytes; at += LINE) {
    __m512i a = _mm512_maskz_loadu_epi32(0x5555, src + 2 * at), b = _mm512_maskz_loadu_epi32(0x5555, src + 2 * at + LINE);
    _mm512_storeu_si512(dst + at, _mm512_or_si512(a, b));
  }
}

static void whole(const work *w) {
  const int64_t bytes = (int64_t)w->bytes;
  for (int64_t at = 0; at + LINE <= bytes; at += LINE) {
    __m512i a = _mm512_loadu_si512(src + 2 * at), b = _mm512_loadu_si512(src + 2 * at + LINE);
    _mm512_storeu_si512(dst + at, _mm512_or_si512(a, b));
  }
}
#endif

static double once(const work *w) {
  double begin = now();
  int rounds = 1 + (int)(((size_t)1 << 18) / w->bytes);
  for (int k = 0; k < rounds; k++) w->run(w);
  return (now() - begin) / rounds;
}

// The shortest time of each of some works that alternate.
static void race(const work *works, int count, double *best) {
  for (int k = 0; k < count; k++) best[k] = 1e9;
  double end = now() + seconds * count;
  do {
    for (int k = 0; k < count; k++) {
      double time = once(&works[k]);
      if (time < best[k]) best[k] = time;
    }
  } while (now() < end);
}

static void plan(work *w, int rank, const int64_t *sizes, const int64_t *strides) {
  uint32_t dtype = w->width == 2 ? STRIDE_DTYPE_U16 : w->width == 4 ? STRIDE_DTYPE_F32 : w->width == 8 ? STRIDE_DTYPE_F64
                                                                                                       : STRIDE_DTYPE_C128;
  stride_layout to, from;
  must(stride_layout_init(&to, dtype, (uint32_t)rank, sizes, NULL, NULL));
  must(stride_layout_init(&from, dtype, (uint32_t)rank, sizes, strides, NULL));
  must(stride_plan_init(&w->plan, &to, &from, NULL, NULL));
  w->run = ours;
}

static void transpose(int64_t rows, int64_t columns, int64_t width) {
  static const int64_t strips[] = {1, 2, 4, 8, 16, 1 << 20};
  enum { WAYS = 2 + 2 * sizeof strips / sizeof *strips };
  work works[WAYS];
  double best[WAYS], lines = 1e9;
  void (*const tiles)(const work *) = width == 16 ? tiles_4 : width == 8 ? tiles_8 : width == 4 ? tiles_16 : tiles_32;
  for (int k = 0; k < WAYS; k++) {
    works[k] = (work){.run = k ? tiles : libc, .rows = rows, .columns = columns, .width = width};
    works[k].bytes = (size_t)(rows * columns * width);
    if (k > 1) works[k].strip = strips[(k - 2) / 2], works[k].along_dst = k % 2;
  }
  plan(&works[1], 2, (int64_t[]){columns, rows}, (int64_t[]){1, columns});
  race(works, WAYS, best);
  for (int k = 2; k < WAYS; k++)
    if (best[k] < lines) lines = best[k];
  printf("%5lld x %-5lld of %2lld bytes      %8.2f %8.2f %8.2f\n", (long long)rows, (long long)columns, (long long)width,
         best[0] / best[1], best[0] / lines, lines / best[1]);
}

static void channels(int64_t pixels, int planes) {
  work works[3] = {{.run = libc}, {.width = 4}, {.run = planes ? to_planes : to_pixels}};
  double best[3];
  for (int k = 0; k < 3; k++) works[k].bytes = (size_t)(pixels * 12);
  if (planes) plan(&works[1], 2, (int64_t[]){3, pixels}, (int64_t[]){1, 3});
  else plan(&works[1], 2, (int64_t[]){pixels, 3}, (int64_t[]){1, pixels});
  race(works, 3, best);
  printf("3 x %-7lld f32 to %-8s  %8.2f %8.2f %8.2f\n", (long long)pixels, planes ? "planes" : "pixels", best[0] / best[1],
         best[0] / best[2], best[2] / best[1]);
}

static void steps(int64_t count) {
#if defined(__AVX512F__)
  work works[4] = {{.run = libc}, {.width = 4}, {.run = masked}, {.run = whole}};
  double best[4];
  for (int k = 0; k < 4; k++) works[k].bytes = (size_t)(count * 4);
  plan(&works[1], 1, &count, (int64_t[]){2});
  race(works, 4, best);
  printf("every 2nd of %-8lld f32     %8.2f %8.2f %8.2f   (loaded whole %.2f)\n", (long long)(2 * count), best[0] / best[1],
         best[0] / best[2], best[2] / best[1], best[0] / best[3]);
#else
  (void)count;
#endif
}

int main(int count, char **arguments) {
  seconds = (count > 1 ? atof(arguments[1]) : 20) / 1000;
  dst = room((size_t)32 << 20, 0);
  src = room((size_t)72 << 20, 0);
  printf("%-28s %8s %8s %8s\n", "", "ours", "bound", "of it");
  static const int64_t shapes[][3] = {{256, 256, 4},   {512, 512, 4},   {1000, 1000, 4}, {1024, 1024, 4}, {196, 256, 4},
                                      {256, 196, 4},   {512, 784, 4},   {1000, 1000, 8}, {1024, 1024, 8}, {1000, 1000, 2},
                                      {1024, 1024, 2}, {1000, 1000, 16}};
  for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) transpose(shapes[k][0], shapes[k][1], shapes[k][2]);
  for (int planes = 0; planes < 2; planes++) channels(224 * 224, planes);
  steps(1 << 14);
  steps(1 << 16);
  return 0;
}
