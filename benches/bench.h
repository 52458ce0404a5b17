// What the benches in C share: a clock, random numbers, memory, and the end where a call fails.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "stride.h"

// Seconds.
static inline double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// SplitMix64.
static inline uint64_t next_number(uint64_t *state) {
  uint64_t z = *state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

static inline void must(stride_status status) {
  if (status == STRIDE_STATUS_OK) return;
  fprintf(stderr, "%s\n", stride_status_name(status));
  exit(1);
}

// Memory that begins at a huge page, and is made of those unless `small_pages`.
static inline void *room(size_t bytes, int small_pages) {
  size_t huge = (size_t)2 << 20, all = (bytes + huge - 1) / huge * huge;
  unsigned char *memory = mmap(NULL, all + huge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) exit(1);
  memory += huge - (uintptr_t)memory % huge;
  if (!small_pages) madvise(memory, all, MADV_HUGEPAGE);
  memset(memory, 0, all);
  return memory;
}
