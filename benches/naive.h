// The loops that a good C programmer would write for one copy, compiled with all that the compiler has: the tuned rival
// of benches/random.c, and the naive one of benches/compare.c.
//
// Everything is known before the clock starts: dimensions are sorted so that the destination's fastest is innermost,
// those of size 1 are gone, neighbours that are one loop are merged, there are as many nested loops as are left, and
// the innermost is typed and compiled apart for the steps that a compiler can use: both sides packed, the source
// standing still, backwards, in twos, in threes or fours either way, one side packed. Pixels of three or four channels
// are made of planes, and planes of pixels, in one pass. Counts and steps are in registers (the elements' bytes may be
// anything, so what lies in memory is read anew after each), and the sides alias nothing.

#include <stdint.h>
#include <stdlib.h>

enum { NAIVE_RANK = 8 };

// Loops in bytes, innermost first.
typedef struct naive_loops {
  int64_t depth, counts[NAIVE_RANK], to[NAIVE_RANK], from[NAIVE_RANK];
} naive_loops;

// Pointers to the elements that every loop begins with.
typedef void naive_function(unsigned char *dst, const unsigned char *src, const naive_loops *l);

#define INNER(ELEMENT, TO, FROM)                                                                                      \
  for (int64_t i = 0; i < n; i++) *(ELEMENT *)(d + i * (TO)) = *(const ELEMENT *)(s + i * (FROM))

#define NEST(NAME, OUTER, LEVEL)                                                                                      \
  static void NAME##_##OUTER(unsigned char *restrict d, const unsigned char *restrict s, const naive_loops *l) {      \
    const int64_t n = l->counts[LEVEL], to = l->to[LEVEL], from = l->from[LEVEL];                                     \
    for (int64_t i = 0; i < n; i++) NAME##_##LEVEL(d + i * to, s + i * from, l);                                      \
  }

// n pixels of N channels each from planes, and planes from such pixels.
#define CHANNELS(NAME, ELEMENT, N)                                                                                    \
  static void NAME##_pixels_##N(unsigned char *restrict d, const unsigned char *restrict s, int64_t n,                \
                                int64_t plane) {                                                                      \
    for (int64_t i = 0; i < n; i++, d += N * sizeof(ELEMENT), s += sizeof(ELEMENT)) {                                 \
      for (int64_t c = 0; c < N; c++) ((ELEMENT *)d)[c] = *(const ELEMENT *)(s + c * plane);                          \
    }                                                                                                                 \
  }                                                                                                                   \
  static void NAME##_planes_##N(unsigned char *restrict d, const unsigned char *restrict s, int64_t n,                \
                                int64_t plane) {                                                                      \
    for (int64_t i = 0; i < n; i++, d += sizeof(ELEMENT), s += N * sizeof(ELEMENT)) {                                 \
      for (int64_t c = 0; c < N; c++) *(ELEMENT *)(d + c * plane) = ((const ELEMENT *)s)[c];                          \
    }                                                                                                                 \
  }

#define NAIVE(NAME, ELEMENT)                                                                                          \
  CHANNELS(NAME, ELEMENT, 3)                                                                                          \
  CHANNELS(NAME, ELEMENT, 4)                                                                                          \
  static void NAME##_row(unsigned char *restrict d, const unsigned char *restrict s, int64_t n, int64_t to,           \
                         int64_t from) {                                                                              \
    enum { W = sizeof(ELEMENT) };                                                                                     \
    if (to == W && from == W) INNER(ELEMENT, W, W);                                                                   \
    else if (to == W && from == 0) INNER(ELEMENT, W, 0);                                                              \
    else if (to == W && from == -W) INNER(ELEMENT, W, -W);                                                            \
    else if (to == W && from == 2 * W) INNER(ELEMENT, W, 2 * W);                                                      \
    else if (to == W && from == 3 * W) INNER(ELEMENT, W, 3 * W);                                                      \
    else if (to == W && from == 4 * W) INNER(ELEMENT, W, 4 * W);                                                      \
    else if (to == W && from == -3 * W) INNER(ELEMENT, W, -3 * W);                                                    \
    else if (to == W && from == -4 * W) INNER(ELEMENT, W, -4 * W);                                                    \
    else if (to == W) INNER(ELEMENT, W, from);                                                                        \
    else if (from == W) INNER(ELEMENT, to, W);                                                                        \
    else INNER(ELEMENT, to, from);                                                                                    \
  }                                                                                                                   \
  static void NAME##_1(unsigned char *d, const unsigned char *s, const naive_loops *l) {                              \
    NAME##_row(d, s, l->counts[0], l->to[0], l->from[0]);                                                             \
  }                                                                                                                   \
  NEST(NAME, rows, 1)                                                                                                 \
  static void NAME##_2(unsigned char *restrict d, const unsigned char *restrict s, const naive_loops *l) {            \
    enum { W = sizeof(ELEMENT) };                                                                                     \
    const int64_t inner = l->counts[0], outer = l->counts[1], from = l->from[0], to = l->to[1];                       \
    const int pixels = l->to[0] == W && to == inner * W && l->from[1] == W;                                           \
    const int planes = l->to[0] == W && from == outer * W && l->from[1] == W;                                         \
    if (pixels && inner == 3) NAME##_pixels_3(d, s, outer, from);                                                     \
    else if (pixels && inner == 4) NAME##_pixels_4(d, s, outer, from);                                                \
    else if (planes && outer == 3) NAME##_planes_3(d, s, inner, to);                                                  \
    else if (planes && outer == 4) NAME##_planes_4(d, s, inner, to);                                                  \
    else NAME##_rows(d, s, l);                                                                                        \
  }                                                                                                                   \
  NEST(NAME, 3, 2)                                                                                                    \
  NEST(NAME, 4, 3)                                                                                                    \
  NEST(NAME, 5, 4)                                                                                                    \
  NEST(NAME, 6, 5)                                                                                                    \
  NEST(NAME, 7, 6)                                                                                                    \
  NEST(NAME, 8, 7)                                                                                                    \
  static naive_function *const NAME[NAIVE_RANK] = {NAME##_1, NAME##_2, NAME##_3, NAME##_4,                            \
                                                   NAME##_5, NAME##_6, NAME##_7, NAME##_8};

// Elements lie anywhere, so no type may promise more than one byte of alignment.
#define ANYWHERE __attribute__((may_alias, aligned(1)))
#define INTEGER(BYTES, TYPE)                                                                                          \
  typedef TYPE ANYWHERE element_##BYTES;                                                                              \
  NAIVE(naive_##BYTES, element_##BYTES)
#define WIDE(BYTES)                                                                                                   \
  typedef struct {                                                                                                    \
    unsigned char bytes[BYTES];                                                                                       \
  } ANYWHERE element_##BYTES;                                                                                         \
  NAIVE(naive_##BYTES, element_##BYTES)

INTEGER(1, uint8_t)
INTEGER(2, uint16_t)
INTEGER(4, uint32_t)
INTEGER(8, uint64_t)
WIDE(3)
WIDE(5)
WIDE(6)
WIDE(7)
WIDE(10)
WIDE(12)
WIDE(16)
WIDE(20)
WIDE(24)
WIDE(32)
WIDE(40)

// Sorted, merged loops in bytes; loops that go down in the destination are reversed on both sides, so that the
// first destination element is the lowest. Returns the source element of that one, in elements from the one with index
// 0, ..., 0.
static int64_t naive_prepare(int64_t rank, const int64_t *sizes, const int64_t *dst, const int64_t *src, int64_t width,
                             naive_loops *l, naive_function **function) {
  int64_t count = 0, first = 0;
  for (int64_t d = rank - 1; d >= 0; d--) {
    if (sizes[d] == 1) continue;
    int64_t to = dst[d] * width, from = src[d] * width, at = count++;
    if (to < 0) {
      first += (sizes[d] - 1) * src[d];
      to = -to;
      from = -from;
    }
    if (count > NAIVE_RANK) abort();
    for (; at > 0 && l->to[at - 1] > to; at--) {
      l->counts[at] = l->counts[at - 1];
      l->to[at] = l->to[at - 1];
      l->from[at] = l->from[at - 1];
    }
    l->counts[at] = sizes[d];
    l->to[at] = to;
    l->from[at] = from;
  }
  if (count == 0) {
    l->counts[0] = count = 1;
    l->to[0] = l->from[0] = width;
  }
  int64_t last = 0;
  for (int64_t k = 1; k < count; k++) {
    if (l->to[k] == l->to[last] * l->counts[last] && l->from[k] == l->from[last] * l->counts[last]) {
      l->counts[last] *= l->counts[k];
    } else {
      last++;
      l->counts[last] = l->counts[k];
      l->to[last] = l->to[k];
      l->from[last] = l->from[k];
    }
  }
  l->depth = last + 1;
#define OF(BYTES)                                                                                                     \
  case BYTES: *function = naive_##BYTES[last]; break
  switch (width) {
    OF(1); OF(2); OF(3); OF(4); OF(5); OF(6); OF(7); OF(8); OF(10); OF(12); OF(16); OF(20); OF(24); OF(32); OF(40);
    default: abort();
  }
#undef OF
  return first;
}
