// The loops that a good C programmer would write for one copy that converts: counts and steps in registers, sides that
// alias nothing, the innermost loop compiled apart for the steps that a compiler can use.

#include <stdint.h>
#include <string.h>

// Loops in elements, outermost first, of which the fastest of the destination is the last. Numbers of the arithmetic
// differ along the outermost one by `step`.
typedef struct cast_loops {
  int64_t counts[4], to[4], from[4], step;
} cast_loops;

#define CAST(NAME, TO, FROM, NUMBER)                                                                                  \
  int compare_cast_##NAME(TO *restrict to, const FROM *restrict from, const cast_loops *l, const float *subtracts,    \
                          const float *scales) {                                                                      \
    const int64_t n = l->counts[3], p = l->to[3], q = l->from[3];                                                     \
    for (int64_t a = 0; a < l->counts[0]; a++) {                                                                      \
      const float subtract = subtracts[a * l->step], scale = scales[a * l->step];                                     \
      for (int64_t b = 0; b < l->counts[1]; b++) {                                                                    \
        for (int64_t c = 0; c < l->counts[2]; c++) {                                                                  \
          TO *restrict d = to + a * l->to[0] + b * l->to[1] + c * l->to[2];                                           \
          const FROM *restrict s = from + a * l->from[0] + b * l->from[1] + c * l->from[2];                           \
          if (p == 1 && q == 1) {                                                                                     \
            for (int64_t i = 0; i < n; i++) d[i] = NUMBER(s[i]);                                                      \
          } else if (p == 1 && q == 3) {                                                                              \
            for (int64_t i = 0; i < n; i++) d[i] = NUMBER(s[3 * i]);                                                  \
          } else if (p == 1) {                                                                                        \
            for (int64_t i = 0; i < n; i++) d[i] = NUMBER(s[i * q]);                                                  \
          } else {                                                                                                    \
            for (int64_t i = 0; i < n; i++) d[i * p] = NUMBER(s[i * q]);                                              \
          }                                                                                                           \
        }                                                                                                             \
      }                                                                                                               \
      (void)subtract, (void)scale;                                                                                    \
    }                                                                                                                 \
    return 0;                                                                                                         \
  }

static inline uint16_t bf16_of(float x) {
  uint32_t bits;
  memcpy(&bits, &x, 4);
  return (uint16_t)(x != x ? bits >> 16 | 0x40 : (bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

#define AFFINE(x) (((float)(x) - subtract) * scale)
#define VALUE(x) (x)
#define TRUTH(x) ((x) != 0)

CAST(u8_f32_affine, float, uint8_t, AFFINE)
CAST(s8_f32_affine, float, int8_t, AFFINE)
CAST(u8_f32, float, uint8_t, VALUE)
CAST(pred_f32, float, uint8_t, TRUTH)
CAST(f32_bf16, uint16_t, float, bf16_of)
CAST(f32_s32, int32_t, float, VALUE)
CAST(s64_s32, int32_t, int64_t, VALUE)
#ifdef __FLT16_MAX__
CAST(f32_f16, _Float16, float, VALUE)
#endif
