/*
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * stride_runs_next of stride_kernels.h as an inline function for C and C++: no call for each run, which pays most if
 * runs have a few elements. It is compiled into the program and knows where this version of the library keeps the runs
 * that are ready. For all others, and for all runs of another version, it calls the library.
 */
#ifndef STRIDE_RUNS_H
#define STRIDE_RUNS_H

#include "stride.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * stride_runs_next without an error record. A constant `count` makes the shortest code.
 *
 * Arrays: byte_offsets[count].
 *
 * Returns: as stride_runs_next.
 */
static inline stride_status stride_runs_step(stride_runs *runs, uint32_t count, int64_t *byte_offsets,
                                             uint64_t *elements) {
  /* Words: 0 format, levels and operands; 1 runs that are ready; 2 elements of a run, 3 of it skipped, 4 left. From 5
     on, for each operand: its offset, its stride along a run. From 21 on, ten for each level, fastest first: its
     iterations, those left, numbers to add to the offsets. */
  enum { PLACES = 5, LEVELS = 21, LEVEL = 10, STEPS = 2, MOST_LEVELS = 48, MOST_OPERANDS = 8 };
  uint64_t *const words = runs->words, *level = words + LEVELS;
  uint32_t k, levels = (uint32_t)(words[0] >> 8 & 0xFF);
  if ((words[0] & ~(uint64_t)0xFF00) != (UINT64_C(0x5354525200010000) | count) || count > MOST_OPERANDS) {
    return stride_runs_next(runs, count, byte_offsets, elements, NULL);
  }
  if (words[1] != 0) {
    words[1] -= 1;
  } else {
    /* The last run of the fastest level: after it a slower one steps, and all runs of the fastest but one are ready. */
    const uint64_t iterations = levels > 1 ? level[0] : 0, all = iterations * words[2];
    if (iterations == 0 || words[3] != 0 || words[4] <= all || levels > MOST_LEVELS) {
      return stride_runs_next(runs, count, byte_offsets, elements, NULL);
    }
    words[4] -= all;
    words[1] = iterations - 1;
    for (k = 1; k < levels; k++) {
      level += LEVEL;
      if (--level[1] != 0) break;
      level[1] = level[0];
    }
  }
  *elements = words[2];
  for (k = 0; k < count; k++) {
    const uint64_t at = words[PLACES + 2 * k];
    byte_offsets[k] = (int64_t)at;
    words[PLACES + 2 * k] = at + level[STEPS + k];
  }
  return STRIDE_STATUS_OK;
}

#ifdef __cplusplus
}
#endif

#endif
