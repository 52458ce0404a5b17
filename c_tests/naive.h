/* The oracle of copies: the naive loop over all indices, and one copy in every way that there is, held against it. */
#ifndef STRIDE_NAIVE_H
#define STRIDE_NAIVE_H

#include "check.h"

static const uint32_t widths[] = {
    STRIDE_DTYPE_U8,       STRIDE_DTYPE_F16,       STRIDE_DTYPE_BYTES | 3,  STRIDE_DTYPE_F32,        STRIDE_DTYPE_F64,
    STRIDE_DTYPE_BYTES | 12, STRIDE_DTYPE_C128, STRIDE_DTYPE_BYTES | 17, STRIDE_DTYPE_BYTES | 100,
};

static inline size_t element_bytes(const stride_layout *layout) {
  uint32_t bits = 0;
  CHECK_OK(stride_dtype_bits(layout->dtype, &bits, NULL));
  return bits / 8;
}

/* The element of a row-major number, by the formula of the header. */
static inline int64_t offset_of(const stride_layout *layout, int64_t number) {
  int64_t offset = layout->offset;
  for (uint32_t k = layout->rank; k-- > 0;) {
    offset += number % layout->sizes[k] * layout->strides[k];
    number /= layout->sizes[k];
  }
  return offset;
}

static inline void naive_copy(const stride_layout *dst_layout, unsigned char *dst, const stride_layout *src_layout,
                       const unsigned char *src) {
  const size_t width = element_bytes(dst_layout);
  const int64_t count = count_of(*dst_layout);
  for (int64_t n = 0; n < count; n++) {
    memcpy(dst + offset_of(dst_layout, n) * (int64_t)width, src + offset_of(src_layout, n) * (int64_t)width, width);
  }
}

/* Bytes of a source: no two neighbours alike, also not at distances of the element widths. */
static inline void fill_pattern(unsigned char *memory, size_t bytes) {
  uint32_t state = 12345;
  for (size_t k = 0; k < bytes; k++) {
    state = state * 1664525u + 1013904223u;
    memory[k] = (unsigned char)(state >> 24);
  }
}

static inline unsigned char *heap_pattern(size_t bytes) {
  unsigned char *memory = heap(bytes);
  fill_pattern(memory, bytes);
  return memory;
}

/* What lies between the elements of a source was never written. */
static inline void only_elements(const stride_layout *layout, unsigned char *src) {
  const size_t width = element_bytes(layout);
  const int64_t count = count_of(*layout);
  UNWRITTEN(src, bytes_of(*layout));
  for (int64_t n = 0; n < count; n++) WRITTEN(src + offset_of(layout, n) * (int64_t)width, width);
}

static inline unsigned char *heap_copy(const unsigned char *bytes, size_t count) {
  unsigned char *memory = heap(count);
  memcpy(memory, bytes, count);
  return memory;
}

/* The parts of a plan in an order that no loop would take. */
static inline void execute_shuffled(const stride_plan *plan, unsigned char *dst, size_t dst_bytes,
                                    const unsigned char *src, size_t src_bytes, uint32_t parts) {
  for (uint32_t k = 0; k < parts; k++) {
    const uint32_t part = (k * 7 + 3) % parts; /* all of them: 7 divides none of the counts used */
    CHECK_OK(stride_plan_execute_part(plan, dst, dst_bytes, src, src_bytes, part, parts, NULL));
  }
}

/* One copy in every way that there is, against the naive loop; bytes that no index reaches stay poisoned. */
static inline void check_copy(stride_layout dst_layout, stride_layout src_layout) {
  static const uint32_t part_counts[] = {1, 2, 3, 5, 16, 100};
  const size_t dst_bytes = bytes_of(dst_layout), src_bytes = bytes_of(src_layout);
  unsigned char *src = heap_pattern(src_bytes), *expected = heap(dst_bytes);
  naive_copy(&dst_layout, expected, &src_layout, src);
  only_elements(&src_layout, src);

  for (uint32_t level = STRIDE_CPU_LEVEL_BEST; level <= STRIDE_CPU_LEVEL_SIMD128; level++) {
    stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
    options.cpu_level = level;
    unsigned char *dst = heap(dst_bytes);
    CHECK_OK(stride_copy(&dst_layout, dst, dst_bytes, &src_layout, src, src_bytes, &options, NULL));
    CHECK(memcmp(dst, expected, dst_bytes) == 0);
    free(dst);

    stride_plan plan, moved;
    CHECK_OK(stride_plan_init(&plan, &dst_layout, &src_layout, &options, NULL));
    memcpy(&moved, &plan, sizeof plan); /* a plan is plain data */
    for (size_t k = 0; k < COUNT(part_counts); k++) {
      dst = heap(dst_bytes);
      execute_shuffled(&moved, dst, dst_bytes, src, src_bytes, part_counts[k]);
      CHECK(memcmp(dst, expected, dst_bytes) == 0);
      free(dst);
    }
  }

  int64_t difference = 99;
  only_elements(&dst_layout, expected);
  CHECK_OK(stride_compare(&dst_layout, expected, dst_bytes, &src_layout, src, src_bytes, &difference, NULL));
  CHECK_EQ(difference, -1);
  free(src);
  free(expected);
}

#endif
