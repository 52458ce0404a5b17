// Instructions of small copies, for benches/counts.sh, which runs this under callgrind and reads what each dump holds.
//
// The level is capped at AVX2, since valgrind executes no AVX-512. Each function is called once before it is counted,
// so that symbols are bound and the CPU has been asked.

#include <stdio.h>
#include <stdlib.h>
#include <valgrind/callgrind.h>

#include "stride.h"

typedef struct example {
  const char *name;
  uint32_t rank;
  int64_t sizes[8], src[8];  // of a packed destination; strides of the source
} example;

// The kind "small" of benches/cases/list.txt.
static const example examples[] = {
    {"2x3", 2, {3, 2}, {1, 3}},
    {"16x16", 2, {16, 16}, {1, 16}},
    {"1x3x8x8 nchw to nhwc", 4, {1, 8, 8, 3}, {192, 8, 1, 64}},
    {"rank 8 of 2s, reversed", 8, {2, 2, 2, 2, 2, 2, 2, 2}, {1, 2, 4, 8, 16, 32, 64, 128}},
    {"packed, 16 elements", 1, {16}, {1}},
};

static void expect(stride_status status) {
  if (status != STRIDE_STATUS_OK) {
    fprintf(stderr, "%s\n", stride_status_name(status));
    exit(1);
  }
}

#define COUNTED(WHAT, CALL)                                                 \
  do {                                                                      \
    char label[128];                                                        \
    snprintf(label, sizeof label, "%s|%s", e->name, WHAT);                  \
    expect(CALL);                                                           \
    CALLGRIND_ZERO_STATS;                                                   \
    stride_status status = CALL;                                            \
    CALLGRIND_DUMP_STATS_AT(label);                                         \
    expect(status);                                                         \
  } while (0)

int main(void) {
  static float dst[256], src[256];
  stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
  options.cpu_level = STRIDE_CPU_LEVEL_AVX2;
  for (size_t k = 0; k < sizeof examples / sizeof *examples; k++) {
    const example *e = &examples[k];
    static stride_layout to, from;
    static stride_plan plan;
    expect(stride_layout_init(&to, STRIDE_DTYPE_F32, e->rank, e->sizes, NULL, NULL));
    expect(stride_layout_init(&from, STRIDE_DTYPE_F32, e->rank, e->sizes, e->src, NULL));
    COUNTED("nothing", STRIDE_STATUS_OK);
    COUNTED("stride_plan_init", stride_plan_init(&plan, &to, &from, &options, NULL));
    COUNTED("stride_plan_execute", stride_plan_execute(&plan, dst, sizeof dst, src, sizeof src, NULL));
    COUNTED("stride_copy", stride_copy(&to, dst, sizeof dst, &from, src, sizeof src, &options, NULL));
    char text[1024];
    uint64_t length;
    expect(stride_plan_describe(&plan, text, sizeof text, &length, NULL));
    fprintf(stderr, "plan|%s|%s\n", e->name, text);
  }
  return 0;
}
