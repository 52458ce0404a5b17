// C test programs in one process, which 64 threads run at the same time, each beginning with another one: what the
// header promises of threads, asked of every function (sanitizers.sh counts them). PROGRAMS has their names, each in
// X(...); their `main` is called main_of_ and the name. What several threads ask of the same inputs, and of parts of
// one plan, is c_tests/threads.c.

#include <pthread.h>
#include <stdio.h>

enum { THREADS = 64 };

#define X(name) int main_of_##name(void);
PROGRAMS
#undef X
static const struct {
  const char *name;
  int (*run)(void);
} programs[] = {
#define X(name) {#name, main_of_##name},
    PROGRAMS
#undef X
};
enum { COUNT = sizeof programs / sizeof programs[0] };

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static unsigned char failed[THREADS][COUNT];

static void *run_all(void *argument) {
  const unsigned thread = (unsigned)(size_t)argument;
  pthread_mutex_lock(&gate), pthread_mutex_unlock(&gate);  // until all threads are there
  for (unsigned k = 0; k < COUNT; k++) {
    const unsigned which = (thread + k) % COUNT;
    failed[thread][which] = programs[which].run() != 0;
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  int wrong = 0;
  pthread_mutex_lock(&gate);
  for (size_t k = 0; k < THREADS; k++) {
    if (pthread_create(&threads[k], NULL, run_all, (void *)k)) return 2;
  }
  pthread_mutex_unlock(&gate);
  for (int k = 0; k < THREADS; k++) pthread_join(threads[k], NULL);
  for (int k = 0; k < THREADS; k++) {
    for (int which = 0; which < COUNT; which++) {
      if (failed[k][which]) fprintf(stderr, "%s fails on thread %d\n", programs[which].name, k);
      wrong |= failed[k][which];
    }
  }
  return wrong;
}
