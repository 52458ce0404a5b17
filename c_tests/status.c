/* Section "Status and error": names, sentences, and the record that every failure writes. */
#include "check.h"

/* The highest numbers of their lists. */
#define LAST_ARGUMENT STRIDE_ARGUMENT_ADD
#define LAST_DETAIL STRIDE_DETAIL_NEEDS_LISTS

static stride_error record_of(int32_t status, uint32_t argument, uint64_t detail) {
  stride_error record;
  memset(&record, 0, sizeof record);
  record.status = status;
  record.argument = argument;
  record.dimension = -1;
  record.item = -1;
  record.position = UINT64_MAX;
  record.detail = detail;
  return record;
}

TEXT_FUNCTION(write_error, stride_error_format, (const stride_error *))

static void every_status_has_its_name(void) {
  static const struct {
    int32_t status;
    const char *name;
  } all[] = {
      {STRIDE_STATUS_OK, "OK"},
      {STRIDE_STATUS_NULL_POINTER, "NULL_POINTER"},
      {STRIDE_STATUS_INVALID_ARGUMENT, "INVALID_ARGUMENT"},
      {STRIDE_STATUS_INVALID_DTYPE, "INVALID_DTYPE"},
      {STRIDE_STATUS_INVALID_RANK, "INVALID_RANK"},
      {STRIDE_STATUS_INVALID_SIZE, "INVALID_SIZE"},
      {STRIDE_STATUS_INVALID_STRIDE, "INVALID_STRIDE"},
      {STRIDE_STATUS_INVALID_AXES, "INVALID_AXES"},
      {STRIDE_STATUS_INVALID_TILE, "INVALID_TILE"},
      {STRIDE_STATUS_INDEX_OUT_OF_RANGE, "INDEX_OUT_OF_RANGE"},
      {STRIDE_STATUS_OVERFLOW, "OVERFLOW"},
      {STRIDE_STATUS_SHAPE_MISMATCH, "SHAPE_MISMATCH"},
      {STRIDE_STATUS_BROADCAST_MISMATCH, "BROADCAST_MISMATCH"},
      {STRIDE_STATUS_DTYPE_MISMATCH, "DTYPE_MISMATCH"},
      {STRIDE_STATUS_OUT_OF_BOUNDS, "OUT_OF_BOUNDS"},
      {STRIDE_STATUS_OVERLAP, "OVERLAP"},
      {STRIDE_STATUS_SCRATCH_NEEDED, "SCRATCH_NEEDED"},
      {STRIDE_STATUS_PARSE, "PARSE"},
      {STRIDE_STATUS_UNSUPPORTED, "UNSUPPORTED"},
      {STRIDE_STATUS_NOT_REPRESENTABLE, "NOT_REPRESENTABLE"},
      {STRIDE_STATUS_UNDECIDED, "UNDECIDED"},
  };
  for (size_t k = 0; k < COUNT(all); k++) CHECK_TEXT(stride_status_name(all[k].status), all[k].name);
}

static void other_numbers_are_unknown(void) {
  static const int32_t none[] = {-1, 11, 19, 23, 33, 41, 51, 99, 102, INT32_MAX, INT32_MIN};
  for (size_t k = 0; k < COUNT(none); k++) CHECK_TEXT(stride_status_name(none[k]), "UNKNOWN");
}

static void a_record_becomes_a_sentence(void) {
  stride_error record =
      record_of(STRIDE_STATUS_SHAPE_MISMATCH, STRIDE_ARGUMENT_SRC_LAYOUT, STRIDE_DETAIL_NOT_EQUAL);
  record.dimension = 2;
  record.lhs = 5;
  record.rhs = 7;
  CHECK_WRITES(write_error, &record, "src_layout, dimension 2: size is 5, but it is 7 in dst_layout");
}

/* The header's example, and one for each of the other places that a record can name. */
static void sentences_of_calls(void) {
  stride_layout layout;
  stride_xla_shape shape;
  stride_error record;
  uint32_t rank;
  int64_t sizes[STRIDE_MAX_RANK];
#define SAYS(call, sentence)                                                                                         \
  do {                                                                                                               \
    CHECK((call) != STRIDE_STATUS_OK);                                                                               \
    CHECK_WRITES(write_error, &record, sentence);                                                                    \
  } while (0)
  SAYS(stride_layout_init(&layout, STRIDE_DTYPE_F32, 2, LIST(3, -1), NULL, &record),
       "sizes, dimension 1: size -1 is negative");
  SAYS(stride_layout_init(&layout, STRIDE_DTYPE_F32, 2, NULL, NULL, &record), "sizes: the pointer is NULL");
  SAYS(stride_broadcast_sizes(2, LIST32(2, 1), LIST(2, 3, 4), &rank, sizes, &record),
       "sizes, operand 1, dimension 1: sizes 3 and 4 are not equal, and neither is 1");
  SAYS(stride_xla_shape_parse("f32[2", 5, &shape, &record), "text, byte 5: the text ends where `,` or `]` is expected");
  SAYS(stride_xla_shape_parse("f32[x]", 6, &shape, &record),
       "text, byte 4: `x` stands where a number is expected");
  SAYS(stride_xla_shape_parse("f32[2]}", 7, &shape, &record),
       "text, byte 6: `}` stands where `{` or the end is expected");
  SAYS(stride_xla_shape_parse("f32[2]{0:Q}", 11, &shape, &record),
       "text, byte 9: `Q` stands where `T`, `L`, `E`, `S` or `}` is expected");
  SAYS(stride_xla_shape_parse("f32[9223372036854775808]", 24, &shape, &record),
       "text, byte 4: the number does not fit in 64 bits");
  SAYS(stride_xla_shape_parse("f32/*", 5, &shape, &record), "text, byte 3: the comment has no end");
  SAYS(stride_xla_shape_parse_tag("NCHWc16", 7, STRIDE_DTYPE_F32, 4, LIST(1, 32, 7, 7), &shape, &record),
       "tag, byte 4: a block is its size, then its letter: write 16c");
  SAYS(stride_dtype_parse("Float32", 7, &rank, &record), "text, byte 0: unknown dtype; it is called f32 here");
  SAYS(stride_dtype_parse("BF16", 4, &rank, &record), "text, byte 0: unknown dtype; it is called bf16 here");
  shape = shape_of("f32[3,5]{1,0:T(2,2)}");
  SAYS(stride_xla_shape_add_tile(&shape, 2, LIST(4, 0), &record),
       "tile 1, entry 1: tile size 0 is below the minimum of 1");
  SAYS(stride_xla_shape_permute(&shape, 1, LIST(0), &shape, &record), "rank: 1 entry is given, but 2 are needed");
#undef SAYS
}

static void every_status_argument_and_detail_has_a_sentence(void) {
  long double_spaces = 0;
  for (int32_t status = 0; status <= STRIDE_STATUS_UNDECIDED; status++) {
    if (strcmp(stride_status_name(status), "UNKNOWN") == 0) continue;
    for (uint32_t argument = STRIDE_ARGUMENT_NONE; argument <= LAST_ARGUMENT; argument++) {
      for (uint64_t detail = STRIDE_DETAIL_NONE; detail <= LAST_DETAIL; detail++) {
        const stride_error record = record_of(status, argument, detail);
        stride_error refusal;
        char buffer[256];
        uint64_t length = 0;
        if (stride_error_format(&record, buffer, sizeof buffer, &length, &refusal) != STRIDE_STATUS_OK) {
          CHECK_EQ(refusal.detail, STRIDE_DETAIL_UNKNOWN_VALUE); /* the numbers have gaps */
          CHECK(refusal.lhs == (int64_t)detail || refusal.lhs == argument);
          continue;
        }
        CHECK_EQ(length, strlen(buffer));
        CHECK(length > 0 && length < sizeof buffer);
        double_spaces += strstr(buffer, "  ") != NULL;
      }
    }
  }
  CHECK_EQ(double_spaces, 0);
}

static void extreme_numbers_are_written(void) {
  stride_error record =
      record_of(STRIDE_STATUS_SHAPE_MISMATCH, STRIDE_ARGUMENT_SRC_LAYOUT, STRIDE_DETAIL_NOT_EQUAL);
  record.dimension = INT32_MAX;
  record.item = INT32_MAX;
  record.position = UINT64_MAX - 1;
  record.lhs = INT64_MIN;
  record.rhs = INT64_MAX;
  char buffer[512];
  uint64_t length = 0;
  CHECK_OK(stride_error_format(&record, buffer, sizeof buffer, &length, NULL));
  CHECK(strstr(buffer, "2147483647") != NULL);
  CHECK(strstr(buffer, "-9223372036854775808") != NULL);
  CHECK(strstr(buffer, "9223372036854775807") != NULL);
  CHECK(strstr(buffer, "18446744073709551614") != NULL);
  /* No number overflows. */
  for (uint64_t detail = STRIDE_DETAIL_NONE; detail <= LAST_DETAIL; detail++) {
    record.detail = detail;
    for (int swapped = 0; swapped < 2; swapped++) {
      const int64_t lhs = record.lhs;
      record.lhs = record.rhs;
      record.rhs = lhs;
      const stride_status status = stride_error_format(&record, buffer, sizeof buffer, &length, NULL);
      CHECK(status == STRIDE_STATUS_OK || status == STRIDE_STATUS_INVALID_ARGUMENT);
    }
  }
}

static void a_record_that_is_none_is_refused(void) {
  static const struct {
    int32_t status;
    uint32_t argument;
    uint64_t detail;
    int64_t number, last;
  } none[] = {
      {-1, 0, 0, -1, STRIDE_STATUS_UNDECIDED},
      {11, 0, 0, 11, STRIDE_STATUS_UNDECIDED},
      {INT32_MAX, 1, 0, INT32_MAX, STRIDE_STATUS_UNDECIDED},
      {0, LAST_ARGUMENT + 1, 0, LAST_ARGUMENT + 1, LAST_ARGUMENT},
      {STRIDE_STATUS_OVERLAP, UINT32_MAX, 0, UINT32_MAX, LAST_ARGUMENT},
      {STRIDE_STATUS_OVERLAP, 0, 18, 18, LAST_DETAIL},
      {STRIDE_STATUS_OVERLAP, 0, LAST_DETAIL + 1, LAST_DETAIL + 1, LAST_DETAIL},
      {STRIDE_STATUS_OVERLAP, 0, (uint64_t)1 << 32, (int64_t)1 << 32, LAST_DETAIL},
      {STRIDE_STATUS_OVERLAP, 0, UINT64_MAX, INT64_MAX, LAST_DETAIL},
  };
  for (size_t k = 0; k < COUNT(none); k++) {
    const stride_error bad = record_of(none[k].status, none[k].argument, none[k].detail);
    stride_error record;
    char buffer[64];
    uint64_t length;
    poison(buffer, sizeof buffer);
    poison(&length, sizeof length);
    CHECK_FAILS(record, stride_error_format(&bad, buffer, sizeof buffer, &length, &record), INVALID_ARGUMENT, RECORD, -1,
                none[k].number, none[k].last);
    CHECK(strncmp(buffer, "status ", 7) == 0 && length >= 7); /* its numbers, so that it may be printed */
    CHECK(memchr(buffer, 0, sizeof buffer) != NULL);
  }
  char buffer[64];
  uint64_t length;
  CHECK_STATUS(stride_error_format(NULL, buffer, sizeof buffer, NULL, NULL), NULL_POINTER);
  CHECK_TEXT(buffer, "there is no record of what went wrong");
  const stride_error newer = record_of(STRIDE_STATUS_OVERLAP, 1, 9999);
  CHECK_STATUS(stride_error_format(&newer, buffer, sizeof buffer, &length, NULL), INVALID_ARGUMENT);
  CHECK_TEXT(buffer, "status 31, argument 1, detail 9999 (0, 0)");
}

static void the_record_is_written_on_failure_only(void) {
  stride_layout layout;
  stride_error record;
  poison(&record, sizeof record);
  CHECK_OK(stride_layout_init(&layout, STRIDE_DTYPE_F32, 2, LIST(2, 3), NULL, &record));
  CHECK_UNTOUCHED(record);

  CHECK_FAILS(record, stride_layout_init(&layout, STRIDE_DTYPE_F32, 2, LIST(2, -3), NULL, &record), INVALID_SIZE, SIZES,
              1, -3, 0);
  CHECK_EQ(record.item, -1);
  CHECK(record.position == UINT64_MAX);
}

static const test tests[] = {
    TEST(every_status_has_its_name),
    TEST(other_numbers_are_unknown),
    TEST(a_record_becomes_a_sentence),
    TEST(sentences_of_calls),
    TEST(every_status_argument_and_detail_has_a_sentence),
    TEST(extreme_numbers_are_written),
    TEST(a_record_that_is_none_is_refused),
    TEST(the_record_is_written_on_failure_only),
};

int main(void) { return RUN(tests); }
