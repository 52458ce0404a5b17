// What benches/compare.py cannot do from Python: the clock around a C function, the loops of naive.h and casts.h, and a
// copy whose stores go past the cache. Built as a shared object.

#define _GNU_SOURCE
#include <string.h>
#include <time.h>

#include "casts.h"
#include "naive.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// Any of the functions timed here takes up to eight integers or pointers. Handing over more than a function reads does
// no harm in the calling conventions of x86-64 and AArch64.
typedef int function(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);

int compare_call(function *f, const uint64_t a[8]) { return f(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]); }

// Nanoseconds of one of `count` calls, after one that is not timed.
double compare_time(function *f, const uint64_t a[8], int64_t count) {
  struct timespec begin, end;
  compare_call(f, a);
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (int64_t i = 0; i < count; i++) compare_call(f, a);
  clock_gettime(CLOCK_MONOTONIC, &end);
  return ((double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec)) / (double)count;
}

// Flushes a range, which is not empty, from all caches; 1 where there is no such instruction.
int compare_flush(const unsigned char *begin, uint64_t bytes) {
#if defined(__x86_64__)
  for (uint64_t at = 0; at < bytes; at += 64) _mm_clflush(begin + at);
  _mm_clflush(begin + bytes - 1);
  _mm_mfence();
  return 0;
#else
  return (void)begin, (void)bytes, 1;
#endif
}

// Nanoseconds of one call with both sides flushed; below 0 where they cannot be.
double compare_cold(function *f, const uint64_t a[8], const unsigned char *dst, uint64_t dst_bytes,
                    const unsigned char *src, uint64_t src_bytes) {
  struct timespec begin, end;
  if (compare_flush(dst, dst_bytes) || compare_flush(src, src_bytes)) return -1;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  compare_call(f, a);
  clock_gettime(CLOCK_MONOTONIC, &end);
  return (double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec);
}

typedef struct naive {
  naive_loops loops;
  naive_function *function;
} naive;

uint64_t compare_naive_bytes(void) { return sizeof(naive); }

// Returns the distance, in elements, from the source's element with index 0, ..., 0 to that of the lowest destination
// element, where the loops begin.
int64_t compare_naive_init(naive *out, int64_t rank, const int64_t *sizes, const int64_t *dst, const int64_t *src,
                           int64_t width) {
  return naive_prepare(rank, sizes, dst, src, width, &out->loops, &out->function);
}

int compare_naive(const naive *n, unsigned char *dst, const unsigned char *src) {
  n->function(dst, src, &n->loops);
  return 0;
}

// memcpy past the cache; 1 where there is no such store.
int compare_stream(unsigned char *dst, const unsigned char *src, uint64_t bytes) {
#if defined(__x86_64__)
  uint64_t head = -(uintptr_t)dst % 64;
  if (head > bytes) head = bytes;
  memcpy(dst, src, head);
  uint64_t at = head;
  for (; at + 64 <= bytes; at += 64) {
#if defined(__AVX512F__)
    _mm512_stream_si512((void *)(dst + at), _mm512_loadu_si512(src + at));
#else
    for (int k = 0; k < 64; k += 16) {
      _mm_stream_si128((__m128i *)(dst + at + k), _mm_loadu_si128((const __m128i *)(src + at + k)));
    }
#endif
  }
  memcpy(dst + at, src + at, bytes - at);
  _mm_sfence();
  return 0;
#else
  return (void)dst, (void)src, (void)bytes, 1;
#endif
}
