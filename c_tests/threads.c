// What the header promises of threads: everything that is `const` may be shared, and a plan's parts may run at once. 64
// threads begin with their first call of the library in this process, so that the word that remembers the CPU is found
// by several of them; then each asks everything of the same inputs, and all must get the same answers, to the byte.
//
// Under ThreadSanitizer and helgrind too: `make proof`. Helgrind takes an atomic word for a plain one: with an argument
// the first call is the main thread's.

#include "check.h"

enum { THREADS = 64, ROUNDS = 8, LOG_BYTES = 1 << 15, ROWS = 96, COLUMNS = 130, TILED_BYTES = ROWS * 256 * 4 };

#ifdef _WIN32
#include <windows.h>
typedef HANDLE thread;
typedef DWORD answer;
#define ENTRY WINAPI
static void start(thread *out, answer(ENTRY *run)(void *), void *of) { *out = CreateThread(NULL, 0, run, of, 0, NULL); }
static void join(thread of) {
  WaitForSingleObject(of, INFINITE);
  CloseHandle(of);
}
static CRITICAL_SECTION gate;
static void make_gate(void) { InitializeCriticalSection(&gate); }
static void lock(void) { EnterCriticalSection(&gate); }
static void unlock(void) { LeaveCriticalSection(&gate); }
#else
#include <pthread.h>
typedef pthread_t thread;
typedef void *answer;
#define ENTRY
static void start(thread *out, answer(ENTRY *run)(void *), void *of) {
  if (pthread_create(out, NULL, run, of)) abort();
}
static void join(thread of) { pthread_join(of, NULL); }
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static void make_gate(void) {}
static void lock(void) { pthread_mutex_lock(&gate); }
static void unlock(void) { pthread_mutex_unlock(&gate); }
#endif

// What all threads share, written before the first one starts.
typedef struct shared {
  stride_layout rows, columns, half, pair[2];
  stride_xla_shape tiled;
  stride_plan transpose, batch, relayout;
  stride_runs runs;
  stride_requirements requirements;
  unsigned char src[ROWS * COLUMNS * 4];
  unsigned char parts[ROWS * COLUMNS * 4];  // each thread writes its part of it
} shared;
static shared common;

typedef struct worker {
  uint32_t number;
  int made_in_thread, refused;
  size_t bytes;
  unsigned char log[LOG_BYTES];
  unsigned char dst[TILED_BYTES];
  unsigned char scratch[1 << 16];
  shared own;
} worker;
static worker workers[THREADS + 1];

static void note(worker *of, const void *what, size_t bytes) {
  if (of->bytes + bytes > LOG_BYTES) abort();
  memcpy(of->log + of->bytes, what, bytes);
  of->bytes += bytes;
}
#define NOTE(of, what) note(of, &(what), sizeof(what))
#define DONE(of, call)                 \
  do {                                 \
    const stride_status done = (call); \
    NOTE(of, done);                    \
    (of)->refused += done != STRIDE_STATUS_OK; \
  } while (0)

static const stride_index_run roll[2] = {{ROWS - 20, 1, 20}, {0, 1, ROWS - 20}};

// The shared inputs; every thread makes them for itself as well, and they must be the same.
static stride_status make(shared *out) {
  static const char text[] = "f32[96,130]{1,0:T(8,128)}";
  const int64_t sizes[2] = {COLUMNS, ROWS}, by_column[2] = {1, COLUMNS}, begin[2] = {0, 0}, steps[2] = {2, 1};
  stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
  options.cpu_level = 0;
  int wrong = stride_layout_init(&out->columns, STRIDE_DTYPE_F32, 2, sizes, NULL, NULL);
  wrong |= stride_layout_init(&out->rows, STRIDE_DTYPE_F32, 2, sizes, by_column, NULL);
  wrong |= stride_layout_slice(&out->columns, 2, begin, sizes, steps, &out->half, NULL);
  out->pair[0] = out->rows, out->pair[1] = out->columns;
  wrong |= stride_xla_shape_parse(text, sizeof text - 1, &out->tiled, NULL);
  wrong |= stride_plan_init(&out->transpose, &out->columns, &out->rows, &options, NULL);
  stride_layout block;
  const int64_t block_sizes[2] = {16, 16}, block_strides[2] = {1, 16};
  wrong |= stride_layout_init(&block, STRIDE_DTYPE_F32, 2, block_sizes, block_strides, NULL);
  stride_layout packed;
  wrong |= stride_layout_init(&packed, STRIDE_DTYPE_F32, 2, block_sizes, NULL, NULL);
  wrong |= stride_plan_init(&out->batch, &packed, &block, &options, NULL);
  stride_layout source;
  const int64_t source_sizes[2] = {ROWS, COLUMNS};
  wrong |= stride_layout_init(&source, STRIDE_DTYPE_F32, 2, source_sizes, NULL, NULL);
  stride_side to, from;
  wrong |= stride_side_init(&to, STRIDE_SIDE_SHAPE, &out->tiled, NULL);
  wrong |= stride_side_init(&from, STRIDE_SIDE_LAYOUT, &source, NULL);
  wrong |= stride_side_set_runs(&from, 0, 2, roll, NULL);
  wrong |= stride_plan_init_sides(&out->relayout, &to, &from, &options, NULL);
  wrong |= stride_runs_init(&out->runs, 2, out->pair, NULL);
  wrong |= stride_requirements_init(&out->requirements, STRIDE_CONSUMER_DIRECTML, NULL);
  for (size_t k = 0; k < sizeof out->src; k++) out->src[k] = (unsigned char)(k * 7 + k / 251);
  return wrong;
}

// Asks everything of the shared inputs.
static void ask(worker *of) {
  const int64_t index[2] = {3, 5}, sizes[2] = {ROWS, COLUMNS}, flat[1] = {ROWS * COLUMNS}, places[2] = {0, 1024};
  const uint32_t dml_sizes[4] = {1, 2, 3, 4};
  stride_layout out, several[2];
  stride_error record;
  stride_xla_shape shape;
  stride_runs runs;
  stride_machine machine;
  stride_side rolled;
  stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
  char text[512];
  uint64_t number = 0, elements = 1;
  int64_t low = 0, high = 0, offsets[2];
  uint32_t flags = 0;
  memset(&record, 0, sizeof record);
  memset(text, 0, sizeof text);
  DONE(of, stride_layout_validate(&common.rows, &record));
  DONE(of, stride_layout_span(&common.rows, &low, &high, NULL));
  NOTE(of, low), NOTE(of, high);
  DONE(of, stride_layout_min_bytes(&common.half, &number, NULL));
  NOTE(of, number);
  DONE(of, stride_layout_offset(&common.half, 2, index, &low, NULL));
  NOTE(of, low);
  DONE(of, stride_layout_classify(&common.columns, &flags, NULL));
  NOTE(of, flags);
  DONE(of, stride_layout_format(&common.half, text, sizeof text, &number, NULL));
  NOTE(of, text);
  DONE(of, stride_layout_self_overlap(&common.half, 0, &flags, NULL));
  NOTE(of, flags);
  DONE(of, stride_layouts_overlap(&common.rows, 0, &common.half, 4, 0, &flags, NULL));
  NOTE(of, flags);
  DONE(of, stride_broadcast_layouts(2, common.pair, several, NULL));
  NOTE(of, several[1].strides[0]);
  DONE(of, stride_layout_reshape(&common.columns, 1, flat, &out, NULL));
  NOTE(of, out.sizes[0]);
  DONE(of, stride_layout_reshape(&common.rows, 1, flat, &out, &record));  // the one that is refused
  DONE(of, stride_error_format(&record, text, sizeof text, &number, NULL));
  NOTE(of, text);
  DONE(of, stride_layout_adapt(&common.half, &common.requirements, &out, NULL));
  NOTE(of, out.strides[0]);
  number = stride_dml_calc_buffer_tensor_size(1, 4, dml_sizes, NULL);
  NOTE(of, number);
  DONE(of, stride_xla_linear_index(&common.tiled, 2, index, &low, NULL));
  NOTE(of, low);
  DONE(of, stride_xla_shape_byte_size(&common.tiled, &number, NULL));
  NOTE(of, number);
  DONE(of, stride_xla_shape_format(&common.tiled, text, sizeof text, &number, NULL));
  NOTE(of, text);
  DONE(of, stride_xla_shape_descending(&common.tiled, &shape, NULL));
  NOTE(of, shape.sizes[1]);
  DONE(of, stride_plan_describe(&common.transpose, text, sizeof text, &number, NULL));
  NOTE(of, text);
  DONE(of, stride_plan_scratch_bytes(&common.transpose, 4, 8, &number, NULL));
  NOTE(of, number);
  DONE(of, stride_runs_part(&common.runs, 1, 3, &runs, NULL));
  for (int k = 0; k < 20 && elements; k++) {
    DONE(of, stride_runs_next(&runs, 2, offsets, &elements, NULL));
    NOTE(of, elements);
    if (elements) NOTE(of, offsets);
  }
  DONE(of, stride_machine_init(&machine));
  DONE(of, stride_machine_format(&machine, text, sizeof text, &number, NULL));
  NOTE(of, text);
  flags = stride_cpu_level();
  NOTE(of, flags);

  memset(of->dst, 0xCD, sizeof of->dst);
  const uint64_t bytes = sizeof common.src;
  DONE(of, stride_plan_execute(&common.transpose, of->dst, bytes, common.src, bytes, NULL));
  note(of, of->dst + 1000, 500);
  DONE(of, stride_compare(&common.columns, of->dst, bytes, &common.rows, common.src, bytes, &low, NULL));
  NOTE(of, low);
  DONE(of, stride_copy(&common.columns, of->dst, bytes, &common.rows, common.src, bytes, NULL, NULL));
  options.scratch = of->scratch;
  options.scratch_bytes = sizeof of->scratch;
  DONE(of, stride_copy(&common.columns, of->dst, bytes, &common.rows, common.src, bytes, &options, NULL));
  DONE(of, stride_plan_execute_scratch(&common.transpose, of->dst, bytes, common.src, bytes, of->scratch,
                                       sizeof of->scratch, NULL));
  note(of, of->dst + 2000, 500);
  DONE(of, stride_side_init(&rolled, STRIDE_SIDE_LAYOUT, &common.rows, NULL));
  DONE(of, stride_side_set_runs(&rolled, 1, 2, roll, NULL));
  DONE(of, stride_copy_sides(NULL, of->dst, bytes, &rolled, common.src, bytes, NULL, NULL));
  note(of, of->dst + 2000, 500);
  DONE(of, stride_plan_execute_batch(&common.batch, of->dst, bytes, places, common.src, bytes, places, 2, 0, 1, NULL));
  note(of, of->dst + 900, 500);
  DONE(of, stride_plan_execute(&common.relayout, of->dst, sizeof of->dst, common.src, bytes, NULL));
  note(of, of->dst + 60000, 500);
  DONE(of, stride_fill(&common.half, of->dst, bytes, common.src, NULL));
  note(of, of->dst + 3000, 500);
  DONE(of, stride_layout_init(&out, STRIDE_DTYPE_F32, 2, sizes, NULL, NULL));
}

// The word that remembers the CPU is the one thing that the library writes: whoever comes first.
static answer ENTRY first_call(void *argument) {
  worker *of = argument;
  lock(), unlock();  // until all threads are there
  of->made_in_thread = make(&of->own) == STRIDE_STATUS_OK;
  return 0;
}

static answer ENTRY work(void *argument) {
  worker *of = argument;
  first_call(of);
  for (int round = 0; round < ROUNDS; round++) {
    of->bytes = 0, of->refused = 0;
    ask(of);
  }
  const uint64_t bytes = sizeof common.src;
  of->made_in_thread &= stride_plan_execute_part(&common.transpose, common.parts, bytes, common.src, bytes, of->number,
                                                 THREADS, NULL) == STRIDE_STATUS_OK;
  return 0;
}

static void on_all_threads(answer(ENTRY *run)(void *)) {
  thread threads[THREADS];
  lock();
  for (uint32_t k = 0; k < THREADS; k++) {
    workers[k].number = k;
    start(&threads[k], run, &workers[k]);
  }
  unlock();
  for (int k = 0; k < THREADS; k++) join(threads[k]);
}

static void the_first_call_of_a_process_may_be_any_threads(void) {
  on_all_threads(first_call);
  for (int k = 0; k < THREADS; k++) {
    CHECK(workers[k].made_in_thread);
    CHECK(!memcmp(&workers[k].own.transpose, &workers[0].own.transpose, sizeof(stride_plan)));
    CHECK(!memcmp(&workers[k].own.relayout, &workers[0].own.relayout, sizeof(stride_plan)));
  }
}

static void const_is_shared_by_64_threads(void) {
  CHECK_OK(make(&common));
  on_all_threads(work);
  ask(&workers[THREADS]);
  CHECK(workers[THREADS].bytes > 4000);
  CHECK_EQ(workers[THREADS].refused, 1);
  for (int k = 0; k < THREADS; k++) {
    CHECK(workers[k].made_in_thread);
    CHECK_EQ(workers[k].refused, 1);
    CHECK_EQ(workers[k].bytes, workers[THREADS].bytes);
    CHECK(!memcmp(workers[k].log, workers[THREADS].log, workers[THREADS].bytes));
  }
}

static void the_parts_of_a_plan_run_at_once(void) {
  int64_t first_difference = 0;
  const uint64_t bytes = sizeof common.src;
  CHECK_OK(stride_compare(&common.columns, common.parts, bytes, &common.rows, common.src, bytes, &first_difference, NULL));
  CHECK_EQ(first_difference, -1);
}

static const test tests[] = {
    TEST(the_first_call_of_a_process_may_be_any_threads),
    TEST(const_is_shared_by_64_threads),
    TEST(the_parts_of_a_plan_run_at_once),
};
int main(int count, char **arguments) {
  (void)arguments;
  make_gate();
  if (count > 1 && make(&common) != STRIDE_STATUS_OK) return 1;
  return RUN(tests);
}
