// For qemu-user: how many instructions a program executes, and which run of them, from one jump to the next, counts
// most. Prints four numbers at the end: all instructions; where that run begins, how long it is and how often it was
// executed.
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

// What is used of qemu-plugin.h, API version 1: packages of qemu-user come without it.
struct qemu_plugin_tb;
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, void (*)(uint64_t, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *, int add, void *to, uint64_t number);
void qemu_plugin_register_atexit_cb(uint64_t id, void (*)(uint64_t, void *), void *);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *);

#define EXPORTED __attribute__((visibility("default")))
EXPORTED int qemu_plugin_version = 1;

enum { RUNS = 1 << 17 };
static struct {
  uint64_t at, instructions, times;
} runs[RUNS];
static int run_count;

static void translated(uint64_t id, struct qemu_plugin_tb *block) {
  (void)id;
  uint64_t at = qemu_plugin_tb_vaddr(block), instructions = qemu_plugin_tb_n_insns(block);
  int k = 0;
  while (k < run_count && (runs[k].at != at || runs[k].instructions != instructions)) k++;
  if (k == RUNS) return;
  if (k == run_count) run_count++;
  runs[k].at = at, runs[k].instructions = instructions;
  qemu_plugin_register_vcpu_tb_exec_inline(block, 0, &runs[k].times, 1);
}

static void ended(uint64_t id, void *unused) {
  (void)id, (void)unused;
  uint64_t all = 0;
  int most = 0;
  for (int k = 0; k < run_count; k++) {
    all += runs[k].instructions * runs[k].times;
    if (runs[k].instructions * runs[k].times > runs[most].instructions * runs[most].times) most = k;
  }
  fprintf(stderr, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", all, runs[most].at, runs[most].instructions,
          runs[most].times);
}

EXPORTED int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv) {
  (void)info, (void)argc, (void)argv;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, ended, NULL);
  return 0;
}
