// What a sanitizer must find inside the library; where it finds nothing it watches nothing there. Each breaks one
// promise of the caller:
//
//   control address   a destination of fewer bytes than is said
//   control memory    bytes that were never written, which the answer of a comparison hangs on
//   control thread    two threads that write to the same destination
//
// It ends well if nothing is found, which is the failure (sanitizers.sh, c_tests/sanitize.sh).

#include "stride.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 5, STEP = 3, BYTES = (ELEMENTS - 1) * STEP + 1 };

static stride_layout dst, src;
static unsigned char from[ELEMENTS], *to;
static atomic_int there;

// Single bytes three bytes apart: moved by instructions of the library, by no function of libc.
static stride_status copy(uint64_t said) { return stride_copy(&dst, to, said, &src, from, sizeof from, NULL, NULL); }

static void *copies(void *unused) {
  // Without an order between the threads, which the sanitizer would take for a lock.
  atomic_fetch_add_explicit(&there, 1, memory_order_relaxed);
  while (atomic_load_explicit(&there, memory_order_relaxed) < 2) continue;
  for (int k = 0; k < 100; k++) copy(BYTES);
  return unused;
}

int main(int count, char **arguments) {
  const int64_t sizes[1] = {ELEMENTS}, step[1] = {STEP};
  int64_t first = 0;
  if (count != 2) return 0;
  if (stride_layout_init(&dst, STRIDE_DTYPE_U8, 1, sizes, step, NULL)) return 0;
  if (stride_layout_init(&src, STRIDE_DTYPE_U8, 1, sizes, NULL, NULL)) return 0;
  to = malloc(strcmp(arguments[1], "address") ? BYTES : BYTES - 1);
  if (!to) return 0;
  if (!strcmp(arguments[1], "memory")) {
    stride_compare(&dst, to, BYTES, &src, from, sizeof from, &first, NULL);
    printf("%lld\n", (long long)first);
  } else if (!strcmp(arguments[1], "thread")) {
    pthread_t other;
    if (pthread_create(&other, NULL, copies, NULL)) return 0;
    copies(NULL);
    pthread_join(other, NULL);
  } else {
    copy(BYTES);
  }
  free(to);
  return 0;
}
