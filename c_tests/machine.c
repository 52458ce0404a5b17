/* Section "Machines": the text form, and plans for CPUs that are not at hand. tests/plans.rs pins the plans. */
#include "check.h"

static stride_machine parsed(const char *text) {
  stride_machine machine;
  poison(&machine, sizeof machine);
  CHECK_OK(stride_machine_parse(text, strlen(text), &machine, NULL));
  return machine;
}

static void this_cpu(void) {
  stride_machine machine, again;
  char text[1024];
  uint64_t length = 0;
  poison(&machine, sizeof machine);
  CHECK_OK(stride_machine_init(&machine));
  CHECK_EQ(machine.struct_size, sizeof machine);
  CHECK_EQ(machine.cpu_level, stride_cpu_level());
  CHECK(machine.first_cache_bytes >= 1 << 14 && machine.first_cache_bytes <= machine.second_cache_bytes);
  CHECK(machine.second_cache_bytes <= machine.last_cache_bytes);
  CHECK_OK(stride_machine_format(&machine, text, sizeof text, &length, NULL));
  CHECK_EQ(length, strlen(text));
  CHECK(strstr(text, "level=") == text && strstr(text, " last=") != NULL);
  again = parsed(text);
  CHECK(memcmp(&machine, &again, sizeof machine) == 0);
  /* Another architecture's as well. */
  machine = parsed("level=neon"), again = parsed("level=avx2");
  CHECK(machine.cpu_level == STRIDE_CPU_LEVEL_NEON && again.cpu_level == STRIDE_CPU_LEVEL_AVX2);
  CHECK_OK(stride_machine_format(&machine, text, sizeof text, &length, NULL));
  CHECK(strncmp(text, "level=neon ", 11) == 0);
  CHECK_OK(stride_machine_format(&again, text, sizeof text, &length, NULL));
  CHECK(strncmp(text, "level=avx2 ", 11) == 0);
  CHECK_OK(stride_machine_init(&machine));
  again = parsed("");
  CHECK(memcmp(&machine, &again, sizeof machine) == 0);
  CHECK_STATUS(stride_machine_init(NULL), NULL_POINTER);
}

static void texts(void) {
  static const struct {
    const char *text;
    uint64_t byte;
    uint32_t detail;
  } wrong[] = {
      {"level=avx9", 6, STRIDE_DETAIL_NAME},
      {"level=", 6, STRIDE_DETAIL_NAME},
      {"first=1 third=2", 8, STRIDE_DETAIL_NAME},
      {"first", 5, STRIDE_DETAIL_SYNTAX},
      {"# fine\n last=12k", 13, STRIDE_DETAIL_SYNTAX},
      {"last=", 5, STRIDE_DETAIL_SYNTAX},
      {"last=18446744073709551616", 5, STRIDE_DETAIL_SYNTAX},
  };
  stride_machine machine = parsed("level=scalar\tfirst=1 second=2 # caches\nlast=18446744073709551615\n"
                                  "stream_from=3 stream_unaligned_from=10 "
                                  "prefetch_from=7 stream_late_from=8 prefetch_second_from=0 stream_channels_from=9#");
  static const char again[] = "level=scalar first=1 second=2 last=18446744073709551615 stream_from=3 "
                              "stream_late_from=8 stream_channels_from=9 stream_unaligned_from=10 "
                              "prefetch_from=7 prefetch_second_from=0";
  char text[1024];
  uint64_t length;
  CHECK_EQ(machine.cpu_level, STRIDE_CPU_LEVEL_SCALAR);
  CHECK(machine.first_cache_bytes == 1 && machine.second_cache_bytes == 2 && machine.last_cache_bytes == UINT64_MAX);
  /* What was measured is in words without names, and comes back by its names. */
  CHECK_OK(stride_machine_format(&machine, text, sizeof text, &length, NULL));
  CHECK(strcmp(text, again) == 0);
  memset(machine.measured, 0, sizeof machine.measured);
  CHECK_OK(stride_machine_format(&machine, text, sizeof text, &length, NULL));
  CHECK(strstr(text, "stream_from=0 ") != NULL && strstr(text, " prefetch_second_from=0") != NULL);
  for (size_t k = 0; k < COUNT(wrong); k++) {
    stride_error record;
    poison(&machine, sizeof machine);
    poison(&record, sizeof record);
    CHECK_STATUS(stride_machine_parse(wrong[k].text, strlen(wrong[k].text), &machine, &record), PARSE);
    CHECK_EQ(record.argument, STRIDE_ARGUMENT_TEXT);
    CHECK_EQ(record.position, wrong[k].byte);
    CHECK_EQ(record.detail, wrong[k].detail);
    CHECK_UNTOUCHED(machine);
  }
}

static void structs_that_are_none(void) {
  const stride_layout row = layout_of(STRIDE_DTYPE_U8, 0, 1, LIST(4), NULL);
  stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
  stride_machine machine = parsed("");
  stride_error record;
  stride_plan plan;
  options.machine = &machine;
  machine.struct_size = sizeof machine - 1;
  CHECK_FAILS(record, stride_plan_init(&plan, &row, &row, &options, &record), INVALID_ARGUMENT, MACHINE, -1,
              sizeof machine - 1, sizeof machine);
  machine.struct_size = sizeof machine;
  machine.cpu_level = 7;
  CHECK_FAILS(record, stride_plan_init(&plan, &row, &row, &options, &record), INVALID_ARGUMENT, MACHINE, -1, 7, 6);
}

/* A plan for any CPU is right on this one, whatever the CPU is said to be. */
static void copies_for_any_machine(void) {
  static const char *const texts[] = {
      "level=avx512 second=2097152 last=67108864", "level=avx2 last=1048576", "level=ssse3", "level=neon", "level=simd128",
      "level=scalar",
      "first=0 second=0 last=0", "first=18446744073709551615 second=18446744073709551615 last=18446744073709551615",
      "level=avx512 stream_from=1 stream_unaligned_from=1",
      "level=avx2 last=1073741824 prefetch_from=1", "level=ssse3 last=1073741824 prefetch_from=1",
  };
  enum { ROWS = 300, COLUMNS = 260 };
  static PER_THREAD uint32_t from[ROWS * COLUMNS], to[ROWS * COLUMNS];
  const stride_layout dst = layout_of(STRIDE_DTYPE_U32, 0, 2, LIST(COLUMNS, ROWS), NULL);
  const stride_layout src = layout_of(STRIDE_DTYPE_U32, 0, 2, LIST(COLUMNS, ROWS), LIST(1, COLUMNS));
  for (uint32_t k = 0; k < ROWS * COLUMNS; k++) from[k] = k;
  for (size_t t = 0; t < COUNT(texts); t++) {
    const stride_machine machine = parsed(texts[t]);
    stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
    stride_plan plan;
    char description[1024];
    uint64_t length;
    options.machine = &machine;
    CHECK_OK(stride_plan_init(&plan, &dst, &src, &options, NULL));
    CHECK_OK(stride_plan_describe(&plan, description, sizeof description, &length, NULL));
    for (int way = 0; way < 3; way++) {
      memset(to, 0, sizeof to);
      if (way == 0) CHECK_OK(stride_plan_execute(&plan, to, sizeof to, from, sizeof from, NULL));
      if (way == 1) CHECK_OK(stride_copy(&dst, to, sizeof to, &src, from, sizeof from, &options, NULL));
      for (uint32_t part = 0; way == 2 && part < 3; part++) {
        CHECK_OK(stride_plan_execute_part(&plan, to, sizeof to, from, sizeof from, part, 3, NULL));
      }
      uint32_t wrong = 0;
      for (uint32_t i = 0; i < COLUMNS; i++) {
        for (uint32_t j = 0; j < ROWS; j++) wrong += to[i * ROWS + j] != j * COLUMNS + i;
      }
      CHECK_EQ(wrong, 0);
    }
  }
}

static const test tests[] = {
    TEST(this_cpu), TEST(texts), TEST(structs_that_are_none), TEST(copies_for_any_machine),
};

int main(void) { return RUN(tests); }
