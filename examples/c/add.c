/* out[i] = a[i] + b[i] + c[i]. One operand is a broadcast row; the others are packed matrices, then a transposed and
 * a mirrored one.
 *
 * The library says where each run of elements begins in every operand and how far apart its elements lie; the loop over
 * them is ours. It has two forms: one for neighbours in memory, which compilers vectorise, and one for any steps. */
#include <stdio.h>
#include <stdlib.h>

#include <stride.h>
#include <stride_runs.h>

enum { ROWS = 480, COLUMNS = 640, OUT = 0, A, B, C, OPERANDS };

/* One run. Steps are in bytes. */
static void add_run(float *out, const float *a, const float *b, const float *c, const int64_t *steps,
                    uint64_t elements) {
  const int64_t one = sizeof(float);
  uint64_t k;
  if (steps[OUT] == one && steps[A] == one && steps[B] == one && steps[C] == one) {
    for (k = 0; k < elements; k++) out[k] = a[k] + b[k] + c[k];
    return;
  }
  for (k = 0; k < elements; k++) {
    *out = *a + *b + *c;
    out = (float *)((char *)out + steps[OUT]);
    a = (const float *)((const char *)a + steps[A]);
    b = (const float *)((const char *)b + steps[B]);
    c = (const float *)((const char *)c + steps[C]);
  }
}

/* Adds along all runs that are left. Each thread of a pool would do this with its own part (stride_runs_part). */
static stride_status add(stride_runs *runs, float *out, const float *a, const float *b, const float *c,
                         stride_error *error) {
  int64_t at[OPERANDS], steps[OPERANDS];
  uint64_t elements;
  stride_status status = stride_runs_strides(runs, OPERANDS, steps, error);
  while (status == STRIDE_STATUS_OK) {
    status = stride_runs_step(runs, OPERANDS, at, &elements);
    if (status != STRIDE_STATUS_OK || elements == 0) break;
    add_run((float *)((char *)out + at[OUT]), (const float *)((const char *)a + at[A]),
            (const float *)((const char *)b + at[B]), (const float *)((const char *)c + at[C]), steps, elements);
  }
  return status;
}

static void give_up(const stride_error *error) {
  char sentence[256];
  uint64_t length;
  stride_error_format(error, sentence, sizeof sentence, &length, NULL);
  fprintf(stderr, "add: %s\n", sentence);
  exit(1);
}

int main(void) {
  const int64_t sizes[2] = {ROWS, COLUMNS}, columns_first[2] = {0, 1}, last = -1;
  static float out[ROWS * COLUMNS], a[COLUMNS], b[ROWS * COLUMNS], c[ROWS * COLUMNS];
  int i, j, k, mixed;

  for (k = 0; k < COLUMNS; k++) a[k] = (float)k;
  for (k = 0; k < ROWS * COLUMNS; k++) b[k] = (float)(k % 1000), c[k] = (float)(k % 77);

  for (mixed = 0; mixed < 2; mixed++) {
    stride_layout layouts[OPERANDS];
    stride_runs runs, half;
    stride_error error;
    uint32_t part;

    /* out: packed. a: one row, broadcast. b and c: packed, in the second round column-major and mirrored. */
    if (stride_layout_init(&layouts[OUT], STRIDE_DTYPE_F32, 2, sizes, NULL, &error) ||
        stride_layout_init(&layouts[A], STRIDE_DTYPE_F32, 1, &sizes[1], NULL, &error) ||
        stride_layout_init_ordered(&layouts[B], STRIDE_DTYPE_F32, 2, sizes, columns_first, &error) ||
        stride_layout_flip(&layouts[OUT], 1, &last, &layouts[C], &error)) {
      give_up(&error);
    }
    if (!mixed) layouts[B] = layouts[C] = layouts[OUT];
    if (stride_broadcast_layouts(OPERANDS, layouts, layouts, &error) ||
        stride_runs_init(&runs, OPERANDS, layouts, &error)) {
      give_up(&error);
    }
    /* In two parts, as two threads would run it. */
    for (part = 0; part < 2; part++) {
      if (stride_runs_part(&runs, part, 2, &half, &error) || add(&half, out, a, b, c, &error)) give_up(&error);
    }

    for (i = 0; i < ROWS; i++) {
      for (j = 0; j < COLUMNS; j++) {
        const float of_b = mixed ? b[i + ROWS * j] : b[i * COLUMNS + j];
        const float of_c = mixed ? c[i * COLUMNS + (COLUMNS - 1 - j)] : c[i * COLUMNS + j];
        if (out[i * COLUMNS + j] != a[j] + of_b + of_c) {
          printf("row %d, column %d is wrong\n", i, j);
          return 1;
        }
      }
    }
    printf("%s: %d sums, as the naive loop has them\n", mixed ? "mixed" : "packed", ROWS * COLUMNS);
  }
  return 0;
}
