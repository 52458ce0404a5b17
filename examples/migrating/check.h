// What the programs of this folder share: random numbers, the offset of every element, and reports of failures. A
// program of your own needs none of it.
#ifndef CHECK_H
#define CHECK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stride.h>

enum { CASES = 2000 };

// Ends the program unless `condition` holds.
#define EXPECT(condition)                                                        \
  do {                                                                           \
    if (!(condition)) {                                                          \
      fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                                   \
    }                                                                            \
  } while (0)

// Ends the program with the library's sentence unless `status` is OK.
static inline void succeed(stride_status status, const stride_error *error) {
  char sentence[256];
  uint64_t length;
  if (status == STRIDE_STATUS_OK) return;
  stride_error_format(error, sentence, sizeof sentence, &length, NULL);
  fprintf(stderr, "%s: %s\n", stride_status_name(status), sentence);
  exit(1);
}

// The call failed, with this sentence; it is printed.
static inline void refused(stride_status status, const stride_error *error, const char *expected) {
  char sentence[256] = "";
  uint64_t length;
  if (status != STRIDE_STATUS_OK) stride_error_format(error, sentence, sizeof sentence, &length, NULL);
  if (strcmp(sentence, expected) != 0) {
    fprintf(stderr, "status %s, '%s'; expected '%s'\n", stride_status_name(status), sentence, expected);
    exit(1);
  }
  printf("  refused: %s\n", sentence);
}

// A number from `least` to `most`, the same sequence in every run (xorshift64*).
static inline int64_t draw(int64_t least, int64_t most) {
  static uint64_t state = 88172645463325252u;
  state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
  return least + (int64_t)((state * 2685821657736338717u >> 32) % (uint64_t)(most - least + 1));
}

static inline void *allocate(int64_t bytes) {
  void *memory = malloc(bytes > 0 ? (size_t)bytes : 1);
  if (memory == NULL) exit(1);
  return memory;
}

// `bytes` bytes of noise.
static inline uint8_t *noise(int64_t bytes) {
  uint8_t *memory = (uint8_t *)allocate(bytes);
  for (int64_t k = 0; k < bytes; k++) memory[k] = (uint8_t)draw(0, 255);
  return memory;
}

// Strides for `sizes` in a random order of the dimensions, with some gaps. Returns the number of elements from the
// first to the last, 0 if there are none.
static inline int64_t random_strides(int rank, const int64_t *sizes, int64_t *strides) {
  int order[8], empty = 0;
  int64_t stride = 1;
  for (int d = 0; d < rank; d++) order[d] = d, empty |= sizes[d] == 0;
  for (int d = rank; d-- > 1;) {
    const int other = (int)draw(0, d), kept = order[d];
    order[d] = order[other], order[other] = kept;
  }
  for (int d = 0; d < rank; d++) {
    strides[order[d]] = stride;
    stride = stride * (sizes[order[d]] > 0 ? sizes[order[d]] : 1) + (draw(0, 2) == 0 ? draw(1, 3) : 0);
  }
  int64_t last = 0;
  for (int d = 0; d < rank; d++) last += (sizes[d] - 1) * strides[d];
  return empty ? 0 : last + 1;
}

// Element offset of the index whose row-major number is `number`.
static inline int64_t place(int64_t number, int rank, const int64_t *sizes, const int64_t *strides) {
  int64_t offset = 0;
  for (int d = rank; d-- > 0; number /= sizes[d]) offset += number % sizes[d] * strides[d];
  return offset;
}

static inline int64_t product(int rank, const int64_t *sizes) {
  int64_t count = 1;
  for (int d = 0; d < rank; d++) count *= sizes[d];
  return count;
}

#endif
