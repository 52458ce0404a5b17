/* A fence follows the non-temporal stores of a call before it returns: another thread that learns then that the copy is
 * done must see all of it.
 *
 * No result of a copy shows that. So this steps through copies, instruction by instruction, and counts the non-temporal
 * stores and the fences among them. x86-64 Linux, and no emulator. */
#define _GNU_SOURCE
#include "naive.h"

#if defined(__linux__) && defined(__x86_64__)

#include <signal.h>
#include <ucontext.h>

enum { ROOM = 1 << 18 };

/* A CPU with caches so small that what is large here leaves them. */
static const char small_cpu[] =
    "first=16384 second=32768 last=65536 stream_from=1 stream_late_from=1 stream_channels_from=1 "
    "stream_unaligned_from=1";

/* Instructions of a call; its non-temporal stores, and those since the last fence. */
static volatile long steps, stores_past_the_caches, without_a_fence;

/* The next instruction, if it is one of these: movnti, movntps, movntdq, with any prefix; sfence, mfence. */
static void look_at(const unsigned char *code) {
  const unsigned char *op = code;
  while (*op == 0x66 || (*op & 0xF0) == 0x40) op++;
  if (op[0] == 0x0F && op[1] == 0xAE && (op[2] == 0xF8 || op[2] == 0xF0)) without_a_fence = 0;
  const int legacy = op[0] == 0x0F && (op[1] == 0xC3 || op[1] == 0x2B || op[1] == 0xE7);
  const int vex2 = code[0] == 0xC5 && (code[2] == 0x2B || code[2] == 0xE7);
  const int vex3 = code[0] == 0xC4 && (code[1] & 0x1F) == 1 && (code[3] == 0x2B || code[3] == 0xE7);
  const int evex = code[0] == 0x62 && (code[1] & 7) == 1 && (code[4] == 0x2B || code[4] == 0xE7);
  if (legacy || vex2 || vex3 || evex) {
    stores_past_the_caches++;
    without_a_fence++;
  }
}

static void on_step(int number, siginfo_t *info, void *context) {
  (void)number;
  (void)info;
  steps++;
  look_at((const unsigned char *)(uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP]);
}

/* Whether the processor stops after each instruction from here on. (What lies below the stack pointer is not ours.) */
static inline void step(int on) {
  if (on) {
    __asm__ volatile("lea -128(%%rsp), %%rsp; pushf; orl $0x100, (%%rsp); popf; lea 128(%%rsp), %%rsp" ::
                         : "memory", "cc");
  } else {
    __asm__ volatile("lea -128(%%rsp), %%rsp; pushf; andl $~0x100, (%%rsp); popf; lea 128(%%rsp), %%rsp" ::
                         : "memory", "cc");
  }
}

/* A fence follows the non-temporal stores of every kernel before the call returns. */
static void stores_stand_behind_a_fence(void) {
  static unsigned char room[ROOM + 64], src[ROOM];
  unsigned char *dst = room + (64 - (uintptr_t)room % 64); /* at a line: more is streamed then */
  long streamed = 0;
  for (uint32_t level = STRIDE_CPU_LEVEL_SSSE3; level <= stride_cpu_level(); level++) {
    const struct {
      const char *name;
      stride_layout dst, src;
      uint32_t flags;
    } large[] = {
        {"rows", layout_of(STRIDE_DTYPE_U8, 64, 2, LIST(33, 2048), LIST(2112, 1)),
         layout_of(STRIDE_DTYPE_U8, 0, 2, LIST(33, 2048), LIST(2049, 1)), 0},
        {"run", layout_of(STRIDE_DTYPE_U8, 0, 1, LIST(66000), NULL),
         layout_of(STRIDE_DTYPE_U8, 0, 1, LIST(66000), NULL), 0},
        {"run, rest filled", layout_of(STRIDE_DTYPE_U8, 0, 2, LIST(4, 16500), LIST(20032, 1)),
         layout_of(STRIDE_DTYPE_U8, 0, 2, LIST(4, 16500), NULL), STRIDE_COPY_FILL_BUFFER},
        {"fill", layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(30, 550), NULL),
         layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(30, 550), LIST(0, 0)), 0},
        {"transpose", layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(136, 128), NULL),
         layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(136, 128), LIST(1, 136)), 0},
        {"transpose of bytes", layout_of(STRIDE_DTYPE_U8, 0, 2, LIST(260, 256), NULL),
         layout_of(STRIDE_DTYPE_U8, 0, 2, LIST(260, 256), LIST(1, 260)), 0},
        {"transpose beside lines", layout_of(STRIDE_DTYPE_F32, 1, 2, LIST(136, 130), NULL),
         layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(136, 130), LIST(1, 136)), 0},
        {"crowded transpose", layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(34, 512), LIST(1024, 1)),
         layout_of(STRIDE_DTYPE_F32, 0, 2, LIST(34, 512), LIST(1, 34)), 0},
        {"planes", layout_of(STRIDE_DTYPE_U8, 0, 3, LIST(3, 115, 192), NULL),
         layout_of(STRIDE_DTYPE_U8, 0, 3, LIST(3, 115, 192), LIST(1, 576, 3)), 0},
        {"pixels", layout_of(STRIDE_DTYPE_F32, 0, 3, LIST(60, 96, 3), NULL),
         layout_of(STRIDE_DTYPE_F32, 0, 3, LIST(60, 96, 3), LIST(96, 1, 5760)), 0},
        {"gather", layout_of(STRIDE_DTYPE_F32, 0, 1, LIST(16500), NULL),
         layout_of(STRIDE_DTYPE_F32, 0, 1, LIST(16500), LIST(2)), 0},
        {"reversed", layout_of(STRIDE_DTYPE_F32, 0, 1, LIST(16500), NULL),
         layout_of(STRIDE_DTYPE_F32, 16499, 1, LIST(16500), LIST(-1)), 0},
    };
    stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
    stride_machine machine;
    CHECK_OK(stride_machine_parse(small_cpu, strlen(small_cpu), &machine, NULL));
    options.machine = &machine;
    machine.cpu_level = level;
    for (size_t k = 0; k < COUNT(large); k++) {
      stride_plan plan;
      stride_status found;
      options.flags = large[k].flags;
      CHECK_OK(stride_plan_init(&plan, &large[k].dst, &large[k].src, &options, NULL));
      without_a_fence = stores_past_the_caches = 0;
      step(1);
      found = stride_plan_execute(&plan, dst, large[k].flags ? bytes_of(large[k].dst) + 100 : ROOM, src, ROOM, NULL);
      step(0);
      CHECK_OK(found);
      if (without_a_fence)
        fprintf(stderr, "%s, level %u: %ld stores without a fence\n", large[k].name, level, (long)without_a_fence);
      CHECK_EQ(without_a_fence, 0);
      streamed += stores_past_the_caches > 0;
    }
  }
  printf("%ld copies past the caches, fenced\n", streamed);
  CHECK(stride_cpu_level() < STRIDE_CPU_LEVEL_SSSE3 || streamed >= 8);
}

static const test tests[] = {TEST(stores_stand_behind_a_fence)};

int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_step;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGTRAP, &action, NULL);
  step(1);
  step(0);
  if (steps == 0) {
    printf("skipped: fences, this program cannot be stepped through\n");
    return 0;
  }
  return RUN(tests);
}

#else

int main(void) {
  printf("skipped: fences, programs are stepped through on x86-64 Linux alone\n");
  return 0;
}

#endif
