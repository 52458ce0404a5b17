// Children execute a plan that their parent made, and one of their own, while another of the parent's threads copies
// all the time: the library has no locks and no threads that a child could miss.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stride.h>

enum { ROWS = 120, COLUMNS = 77, CHILDREN = 50 };

static stride_plan plan;
static float src[ROWS * COLUMNS];
static atomic_int stop;
static atomic_int turns;
static int thread_failed;

// 0 if `dst` is the transposed source.
static int wrong(const float *dst) {
  for (int row = 0; row < ROWS; row++)
    for (int column = 0; column < COLUMNS; column++)
      if (dst[row + ROWS * column] != src[COLUMNS * row + column]) return 1;
  return 0;
}

static int execute(const stride_plan *what, float *dst) {
  memset(dst, 0, sizeof src);
  if (stride_plan_execute(what, dst, sizeof src, src, sizeof src, NULL) != STRIDE_STATUS_OK) return 1;
  return wrong(dst);
}

static void *copy_on(void *unused) {
  static float dst[ROWS * COLUMNS];
  (void)unused;
  while (!stop) {
    if (execute(&plan, dst)) thread_failed = 1;
    turns++;
  }
  return NULL;
}

int main(void) {
  const int64_t sizes[2] = {ROWS, COLUMNS}, transposed[2] = {1, ROWS};
  stride_layout from, to;
  for (int k = 0; k < ROWS * COLUMNS; k++) src[k] = (float)k;
  if (stride_layout_init(&from, STRIDE_DTYPE_F32, 2, sizes, NULL, NULL) != STRIDE_STATUS_OK) return 1;
  if (stride_layout_init(&to, STRIDE_DTYPE_F32, 2, sizes, transposed, NULL) != STRIDE_STATUS_OK) return 2;
  if (stride_plan_init(&plan, &to, &from, NULL, NULL) != STRIDE_STATUS_OK) return 3;
  float *shared = mmap(NULL, CHILDREN * sizeof src, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 4;

  pthread_t thread;
  if (pthread_create(&thread, NULL, copy_on, NULL) != 0) return 5;
  while (turns == 0) continue;
  for (int child = 0; child < CHILDREN; child++) {
    const pid_t id = fork();
    if (id < 0) return 6;
    if (id == 0) {
      alarm(600);  // A child that hangs is a failure as well.
      stride_plan own;
      static float again[ROWS * COLUMNS];
      if (execute(&plan, shared + child * ROWS * COLUMNS)) _exit(1);
      if (stride_plan_init(&own, &to, &from, NULL, NULL) != STRIDE_STATUS_OK || execute(&own, again)) _exit(2);
      _exit(0);
    }
  }
  int failed = 0;
  for (int child = 0; child < CHILDREN; child++) {
    int status = 0;
    if (wait(&status) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) failed = 7;
  }
  stop = 1;
  pthread_join(thread, NULL);
  for (int child = 0; child < CHILDREN; child++) failed |= wrong(shared + child * ROWS * COLUMNS) ? 8 : 0;
  if (failed || thread_failed) return failed ? failed : 9;
  printf("%d children executed their parent's plan and their own\n", CHILDREN);
  return 0;
}
