/* The test frame: checks that name their place, a table of tests, and a few helpers for layouts.
 *
 * A test file is a program of its own:
 *
 *   static void one_plus_one(void) { CHECK_EQ(1 + 1, 2); }
 *   static const test tests[] = {TEST(one_plus_one)};
 *   int main(void) { return RUN(tests); }
 */
#ifndef STRIDE_CHECK_H
#define STRIDE_CHECK_H

#include "stride.h"
#include "stride_interop.h"
#include "stride_xla.h"

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define UNWRITTEN(memory, bytes) __msan_poison((memory), (bytes))
#define WRITTEN(memory, bytes) __msan_unpoison((memory), (bytes))
#endif
#endif
/* Bytes that MemorySanitizer shall take for never written, and that it shall not. Nothing elsewhere. */
#ifndef UNWRITTEN
#define UNWRITTEN(memory, bytes) ((void)(memory), (void)(bytes))
#define WRITTEN(memory, bytes) ((void)(memory), (void)(bytes))
#endif

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct test {
  const char *name;
  void (*run)(void);
} test;

/* Of what a program writes each thread has its own where many run it at once (tests/proof/at_once.c). */
#ifndef PER_THREAD
#define PER_THREAD
#endif
static PER_THREAD long checks_passed = 0;
static PER_THREAD long checks_failed = 0;
static PER_THREAD const char *running_test = "";

static inline int check_report(int passed, const char *file, int line, const char *text) {
  if (passed) {
    checks_passed++;
  } else {
    checks_failed++;
    fprintf(stderr, "%s:%d: %s: %s", file, line, running_test, text);
  }
  return passed;
}

static inline void check_true(int passed, const char *file, int line, const char *text) {
  if (!check_report(passed, file, line, text)) fprintf(stderr, "\n");
}

static inline void check_equal(int64_t lhs, int64_t rhs, const char *file, int line, const char *text) {
  if (!check_report(lhs == rhs, file, line, text)) fprintf(stderr, " (%lld != %lld)\n", (long long)lhs, (long long)rhs);
}

static inline void check_same_text(const char *lhs, const char *rhs, const char *file, int line, const char *text) {
  if (!check_report(strcmp(lhs, rhs) == 0, file, line, text)) fprintf(stderr, " (\"%s\" != \"%s\")\n", lhs, rhs);
}

#define CHECK(condition) check_true((condition) != 0, __FILE__, __LINE__, #condition)
#define CHECK_EQ(lhs, rhs) check_equal((int64_t)(lhs), (int64_t)(rhs), __FILE__, __LINE__, #lhs " == " #rhs)
#define CHECK_TEXT(lhs, rhs) check_same_text((lhs), (rhs), __FILE__, __LINE__, #lhs " is " #rhs)

/* A call that succeeds. */
#define CHECK_OK(call) check_equal((call), STRIDE_STATUS_OK, __FILE__, __LINE__, #call)

/* Every failure has a sentence, which begins with the name of the argument as the function's declaration has it ("tile 2",
 * where it is the one of several). */
static inline void check_sentence(const stride_error *record, const char *argument, const char *file, int line) {
  char sentence[512], name[64];
  uint64_t length = 0;
  size_t k;
  for (k = 0; argument[k] && k + 1 < sizeof name; k++) name[k] = (char)tolower((unsigned char)argument[k]);
  name[k] = '\0';
  check_equal(stride_error_format(record, sentence, sizeof sentence, &length, NULL), STRIDE_STATUS_OK, file, line,
              "a sentence for the record");
  check_true(length < sizeof sentence, file, line, "a sentence of a usable length");
  const int ends = sentence[k] == ':' || sentence[k] == ',' || (sentence[k] == ' ' && record->item >= 0);
  if (!check_report(strncmp(sentence, name, k) == 0 && ends, file, line, "the sentence begins with the argument's name")) {
    fprintf(stderr, " (%s: \"%s\")\n", name, sentence);
  }
}

static inline void check_record(const stride_error *record, stride_status returned, const stride_error *expected,
                                const char *argument, const char *file, int line, const char *text) {
  check_equal(returned, expected->status, file, line, text);
  check_equal(record->status, expected->status, file, line, "status of the record");
  check_equal(record->argument, expected->argument, file, line, "argument of the record");
  check_equal(record->dimension, expected->dimension, file, line, "dimension of the record");
  check_equal(record->lhs, expected->lhs, file, line, "lhs of the record");
  check_equal(record->rhs, expected->rhs, file, line, "rhs of the record");
  check_true((record->detail == STRIDE_DETAIL_NONE) == (record->status == STRIDE_STATUS_NULL_POINTER), file, line,
             "only a null pointer says all without a detail");
  check_true(record->reserved[0] == 0 && record->reserved[1] == 0, file, line, "reserved");
  check_sentence(record, argument, file, line);
}

/* A call that fails and writes `record`: status and argument without their prefixes, dimension, both numbers. */
#define CHECK_FAILS(record, call, status_, argument_, dimension_, lhs_, rhs_)                                        \
  do {                                                                                                               \
    stride_error expected_record;                                                                                    \
    stride_status returned_status;                                                                                   \
    memset(&expected_record, 0, sizeof expected_record);                                                             \
    expected_record.status = STRIDE_STATUS_##status_;                                                                \
    expected_record.argument = STRIDE_ARGUMENT_##argument_;                                                          \
    expected_record.dimension = (dimension_);                                                                        \
    expected_record.lhs = (lhs_);                                                                                    \
    expected_record.rhs = (rhs_);                                                                                    \
    memset(&(record), 0xA5, sizeof(record));                                                                         \
    returned_status = (call);                                                                                        \
    check_record(&(record), returned_status, &expected_record, #argument_, __FILE__, __LINE__, #call);               \
  } while (0)

/* A text that is refused at this byte. What may stand there, which SYNTAX has in lhs and rhs, the sentence says
   (status.c). */
#define CHECK_PARSE(record, call, argument_, position_, lhs_, rhs_)                                                  \
  do {                                                                                                               \
    memset(&(record), 0xA5, sizeof(record));                                                                         \
    CHECK_STATUS(call, PARSE);                                                                                       \
    CHECK_EQ((record).argument, STRIDE_ARGUMENT_##argument_);                                                        \
    CHECK_EQ((record).position, position_);                                                                          \
    CHECK((record).detail == STRIDE_DETAIL_SYNTAX || ((record).lhs == (lhs_) && (record).rhs == (rhs_)));            \
  } while (0)

/* A call that fails, where the status is all that the header promises. */
#define CHECK_STATUS(call, status_) check_equal((call), STRIDE_STATUS_##status_, __FILE__, __LINE__, #call)

static inline int run_tests(const test *tests, size_t count) {
  for (size_t k = 0; k < count; k++) {
    running_test = tests[k].name;
    tests[k].run();
  }
  if (checks_failed == 0) printf("%ld checks passed\n", checks_passed);
  return checks_failed != 0 || checks_passed == 0;
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define TEST(function) {#function, function}
#define RUN(tests) run_tests((tests), COUNT(tests))

/* Numbers as an array: LIST(2, 3) is {2, 3}. */
#define LIST(...) ((const int64_t[]){__VA_ARGS__})
#define LIST32(...) ((const uint32_t[]){__VA_ARGS__})

/* Memory that no function may have written yet. */
enum { POISON = 0xA5 };

/* Marsaglia's xorshift. */
static inline uint64_t next_number(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  return *state ^= *state << 17;
}

static inline void poison(void *memory, size_t bytes) { memset(memory, POISON, bytes); }

static inline int is_poisoned(const void *memory, size_t bytes) {
  const unsigned char *byte = (const unsigned char *)memory;
  for (size_t k = 0; k < bytes; k++) {
    if (byte[k] != POISON) return 0;
  }
  return 1;
}

#define CHECK_UNTOUCHED(variable) CHECK(is_poisoned(&(variable), sizeof(variable)))

/* Exactly this many poisoned bytes of heap, so that a tool that watches the heap sees the first stray byte. */
static inline unsigned char *heap(size_t bytes) {
  unsigned char *memory = (unsigned char *)malloc(bytes ? bytes : 1);
  if (!memory) {
    fprintf(stderr, "out of memory\n");
    exit(1);
  }
  poison(memory, bytes ? bytes : 1);
  return memory;
}

/* A text in exactly as many bytes of heap, without a terminator. */
static inline char *heap_text(const char *text) {
  char *memory = (char *)heap(strlen(text));
  memcpy(memory, text, strlen(text));
  return memory;
}

/* A layout by its fields, checked by the library. The tail of its arrays stays poisoned. */
static inline stride_layout layout_of(uint32_t dtype, int64_t offset, uint32_t rank, const int64_t *sizes,
                                      const int64_t *strides) {
  stride_layout out;
  poison(&out, sizeof out);
  CHECK_OK(stride_layout_init(&out, dtype, rank, sizes, strides, NULL));
  out.offset = offset;
  return out;
}

static inline void check_layout(stride_layout layout, const stride_layout *expected, const char *file, int line) {
  check_equal(layout.dtype, expected->dtype, file, line, "dtype");
  check_equal(layout.offset, expected->offset, file, line, "offset");
  check_equal(layout.rank, expected->rank, file, line, "rank");
  for (uint32_t k = 0; k < expected->rank && k < STRIDE_MAX_RANK; k++) {
    check_equal(layout.sizes[k], expected->sizes[k], file, line, "size");
    check_equal(layout.strides[k], expected->strides[k], file, line, "stride");
  }
}

/* Every field of a layout; sizes and strides as LIST(...). */
#define CHECK_LAYOUT(layout, dtype_, offset_, rank_, sizes_, strides_)                                               \
  do {                                                                                                               \
    stride_layout expected_layout;                                                                                   \
    expected_layout.dtype = (dtype_);                                                                                \
    expected_layout.offset = (offset_);                                                                              \
    expected_layout.rank = (rank_);                                                                                  \
    memcpy(expected_layout.sizes, (sizes_), (rank_) * sizeof(int64_t));                                              \
    memcpy(expected_layout.strides, (strides_), (rank_) * sizeof(int64_t));                                          \
    check_layout((layout), &expected_layout, __FILE__, __LINE__);                                                    \
  } while (0)

static inline uint64_t bytes_of(stride_layout layout) {
  uint64_t bytes = UINT64_MAX;
  CHECK_OK(stride_layout_min_bytes(&layout, &bytes, NULL));
  return bytes;
}

static inline int64_t count_of(stride_layout layout) {
  int64_t count = -1;
  CHECK_OK(stride_layout_element_count(&layout, &count, NULL));
  return count;
}

static inline uint64_t shape_bytes(stride_xla_shape shape) {
  uint64_t bytes = UINT64_MAX;
  CHECK_OK(stride_xla_shape_byte_size(&shape, &bytes, NULL));
  return bytes;
}

/* The shape that a text says. */
static inline stride_xla_shape shape_of(const char *text) {
  stride_xla_shape shape;
  poison(&shape, sizeof shape);
  CHECK_OK(stride_xla_shape_parse(text, strlen(text), &shape, NULL));
  return shape;
}

/* All of an object as a side, which borrows it. */
static inline stride_side side_of(uint32_t kind, const void *of) {
  stride_side side;
  poison(&side, sizeof side);
  CHECK_OK(stride_side_init(&side, kind, of, NULL));
  return side;
}

/* Through runs along one dimension more; as a range. */
static inline stride_side taking(stride_side side, uint32_t dimension, uint32_t count, const stride_index_run *runs) {
  CHECK_OK(stride_side_set_runs(&side, dimension, count, runs, NULL));
  return side;
}
static inline stride_side numbered(stride_side side, int64_t first, int64_t count) {
  CHECK_OK(stride_side_set_range(&side, first, count, NULL));
  return side;
}

/* Runs as an array: RUNS({2, 1, 1}, {0, 1, 1}). Sides as arguments, each of a pointer. */
#define RUNS(...) ((const stride_index_run[]){__VA_ARGS__})
#define A_SIDE(side) ((const stride_side[]){side})
#define LAYOUT(of) A_SIDE(side_of(STRIDE_SIDE_LAYOUT, of))
#define SHAPE(of) A_SIDE(side_of(STRIDE_SIDE_SHAPE, of))
#define BLOCKED(of) A_SIDE(side_of(STRIDE_SIDE_BLOCKED, of))
#define TAKING(side, dimension, count, runs) A_SIDE(taking(*(side), dimension, count, runs))
#define NUMBERED(side, first, count) A_SIDE(numbered(*(side), first, count))

/* A function that writes text about an object, its arguments brought into one form; one of the library's, which takes
 * the object `as` a pointer or a value. */
typedef stride_status (*text_function)(const void *object, char *buffer, uint64_t capacity, uint64_t *length,
                                       stride_error *error);
#define TEXT_FUNCTION(name, function, as)                                                                            \
  static stride_status name(const void *object, char *buffer, uint64_t capacity, uint64_t *length,                   \
                            stride_error *error) {                                                                   \
    return function(as object, buffer, capacity, length, error);                                                     \
  }

/* The contract of every text: the length is always the full one, as much as fits is written, always terminated, and
 * nothing after the capacity. */
static inline void check_text(text_function write, const void *object, const char *expected, const char *file,
                              int line) {
  const size_t full = strlen(expected);
  uint64_t length = 0;
  check_equal(write(object, NULL, 0, &length, NULL), STRIDE_STATUS_OK, file, line, "(NULL, 0) asks for the length");
  check_equal((int64_t)length, (int64_t)full, file, line, "length");
  for (size_t capacity = 0; capacity <= full + 2; capacity++) {
    char *buffer = (char *)heap(capacity);
    const size_t fits = capacity == 0 ? 0 : capacity - 1 < full ? capacity - 1 : full;
    length = 0;
    check_equal(write(object, buffer, capacity, &length, NULL), STRIDE_STATUS_OK, file, line, "a text in a buffer");
    check_equal((int64_t)length, (int64_t)full, file, line, "length whatever the capacity");
    if (capacity > 0) {
      check_true(memcmp(buffer, expected, fits) == 0, file, line, "the text's beginning");
      check_true(buffer[fits] == '\0', file, line, "the terminator");
      if (capacity > full) check_same_text(buffer, expected, file, line, "the whole text");
    }
    free(buffer);
  }
}

#define CHECK_WRITES(function, object, expected) check_text((function), (object), (expected), __FILE__, __LINE__)

/* A failed call leaves the output alone. */
#define CHECK_OUT_FAILS(type, call_with_out_and_record, status, argument, dimension, lhs, rhs)                       \
  do {                                                                                                               \
    stride_error record;                                                                                             \
    type out;                                                                                                        \
    poison(&out, sizeof out);                                                                                        \
    CHECK_FAILS(record, call_with_out_and_record, status, argument, dimension, lhs, rhs);                            \
    CHECK_UNTOUCHED(out);                                                                                            \
  } while (0)
#define CHECK_LAYOUT_FAILS(...) CHECK_OUT_FAILS(stride_layout, __VA_ARGS__)
#define CHECK_SHAPE_FAILS(...) CHECK_OUT_FAILS(stride_xla_shape, __VA_ARGS__)

#endif
