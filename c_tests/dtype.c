/* Section "Element types": numbers of XLA's PrimitiveType (xla_data.proto), widths, names both ways. */
#include "check.h"

static const struct {
  uint32_t dtype, number, bits;
  const char *name;
} all[] = {
    {STRIDE_DTYPE_PRED, 1, 8, "pred"},
    {STRIDE_DTYPE_S1, 30, 1, "s1"},
    {STRIDE_DTYPE_S2, 26, 2, "s2"},
    {STRIDE_DTYPE_S4, 21, 4, "s4"},
    {STRIDE_DTYPE_S8, 2, 8, "s8"},
    {STRIDE_DTYPE_S16, 3, 16, "s16"},
    {STRIDE_DTYPE_S32, 4, 32, "s32"},
    {STRIDE_DTYPE_S64, 5, 64, "s64"},
    {STRIDE_DTYPE_U1, 31, 1, "u1"},
    {STRIDE_DTYPE_U2, 27, 2, "u2"},
    {STRIDE_DTYPE_U4, 22, 4, "u4"},
    {STRIDE_DTYPE_U8, 6, 8, "u8"},
    {STRIDE_DTYPE_U16, 7, 16, "u16"},
    {STRIDE_DTYPE_U32, 8, 32, "u32"},
    {STRIDE_DTYPE_U64, 9, 64, "u64"},
    {STRIDE_DTYPE_F4E2M1FN, 32, 4, "f4e2m1fn"},
    {STRIDE_DTYPE_F8E3M4, 29, 8, "f8e3m4"},
    {STRIDE_DTYPE_F8E4M3, 28, 8, "f8e4m3"},
    {STRIDE_DTYPE_F8E4M3FN, 20, 8, "f8e4m3fn"},
    {STRIDE_DTYPE_F8E4M3B11FNUZ, 23, 8, "f8e4m3b11fnuz"},
    {STRIDE_DTYPE_F8E4M3FNUZ, 25, 8, "f8e4m3fnuz"},
    {STRIDE_DTYPE_F8E5M2, 19, 8, "f8e5m2"},
    {STRIDE_DTYPE_F8E5M2FNUZ, 24, 8, "f8e5m2fnuz"},
    {STRIDE_DTYPE_F8E8M0FNU, 33, 8, "f8e8m0fnu"},
    {STRIDE_DTYPE_F16, 10, 16, "f16"},
    {STRIDE_DTYPE_BF16, 16, 16, "bf16"},
    {STRIDE_DTYPE_F32, 11, 32, "f32"},
    {STRIDE_DTYPE_F64, 12, 64, "f64"},
    {STRIDE_DTYPE_C64, 15, 64, "c64"},
    {STRIDE_DTYPE_C128, 18, 128, "c128"},
};

TEXT_FUNCTION(write_name, stride_dtype_name, *(const uint32_t *))

static uint32_t bits_of(uint32_t dtype) {
  uint32_t bits = 0;
  CHECK_OK(stride_dtype_bits(dtype, &bits, NULL));
  return bits;
}

static stride_status parse(const char *text, uint32_t *out, stride_error *error) {
  char *exact = heap_text(text);
  const stride_status status = stride_dtype_parse(exact, strlen(text), out, error);
  free(exact);
  return status;
}

static void numbers_widths_and_names(void) {
  for (size_t k = 0; k < COUNT(all); k++) {
    uint32_t back = 0;
    CHECK_EQ(all[k].dtype, all[k].number);
    CHECK_EQ(bits_of(all[k].dtype), all[k].bits);
    CHECK_WRITES(write_name, &all[k].dtype, all[k].name);
    CHECK_OK(parse(all[k].name, &back, NULL));
    CHECK_EQ(back, all[k].dtype);
  }
}

/* A type with a flag and the suffix of its name, where the flag is one for it. */
static void check_flag(uint32_t dtype, uint32_t flag, const char *suffix, int allowed, const char *plain_name) {
  const uint32_t with_flag = dtype | flag;
  uint32_t bits, back = 0;
  char name[32];
  poison(&bits, sizeof bits);
  if (!allowed) {
    CHECK_STATUS(stride_dtype_bits(with_flag, &bits, NULL), INVALID_DTYPE);
    CHECK_UNTOUCHED(bits);
    return;
  }
  sprintf(name, "%s:%s", plain_name, suffix);
  CHECK_EQ(bits_of(with_flag), bits_of(dtype));
  CHECK_WRITES(write_name, &with_flag, name);
  CHECK_OK(parse(name, &back, NULL));
  CHECK_EQ(back, with_flag);
}

static void high_first_is_for_types_below_a_byte_and_swapped_for_numbers_above(void) {
  for (size_t k = 0; k < COUNT(all); k++) {
    check_flag(all[k].dtype, STRIDE_DTYPE_HIGH_FIRST, "high", all[k].bits < 8, all[k].name);
    check_flag(all[k].dtype, STRIDE_DTYPE_SWAPPED, "swapped", all[k].bits > 8, all[k].name);
  }
}

static void plain_bytes(void) {
  const uint32_t last = (1u << 24) - 1;
  uint32_t dtype = 0;
  CHECK_OK(stride_dtype_from_bytes(12, &dtype, NULL));
  CHECK_EQ(dtype, STRIDE_DTYPE_BYTES | 12);
  CHECK_EQ(bits_of(dtype), 96);
  CHECK_WRITES(write_name, &dtype, "bytes12");
  CHECK_OK(parse("bytes12", &dtype, NULL));
  CHECK_EQ(dtype, STRIDE_DTYPE_BYTES | 12);

  CHECK_OK(stride_dtype_from_bytes(1, &dtype, NULL));
  CHECK_EQ(bits_of(dtype), 8);
  CHECK_OK(stride_dtype_from_bytes(last, &dtype, NULL));
  CHECK_EQ(bits_of(dtype), 8 * (int64_t)last);
  CHECK_WRITES(write_name, &dtype, "bytes16777215");
}

static void byte_counts_outside_the_range(void) {
  static const uint32_t none[] = {0, 1u << 24, STRIDE_DTYPE_BYTES, UINT32_MAX};
  for (size_t k = 0; k < COUNT(none); k++) {
    uint32_t dtype;
    poison(&dtype, sizeof dtype);
    CHECK_STATUS(stride_dtype_from_bytes(none[k], &dtype, NULL), INVALID_DTYPE);
    CHECK_UNTOUCHED(dtype);
  }
}

static void numbers_that_are_no_dtype(void) {
  static const uint32_t none[] = {0, 13, 14, 17, 34, 255, STRIDE_DTYPE_HIGH_FIRST, STRIDE_DTYPE_BYTES,
                                  STRIDE_DTYPE_BYTES | STRIDE_DTYPE_HIGH_FIRST | 4, STRIDE_DTYPE_BYTES | 1u << 24,
                                  1u << 28 | STRIDE_DTYPE_F32, STRIDE_DTYPE_SWAPPED | STRIDE_DTYPE_U8,
                                  STRIDE_DTYPE_SWAPPED | STRIDE_DTYPE_BYTES | 4, UINT32_MAX};
  for (size_t k = 0; k < COUNT(none); k++) {
    uint32_t bits;
    uint64_t length;
    char buffer[8];
    stride_error record;
    poison(&bits, sizeof bits);
    poison(&length, sizeof length);
    poison(buffer, sizeof buffer);
    CHECK_STATUS(stride_dtype_bits(none[k], &bits, &record), INVALID_DTYPE);
    CHECK_EQ(record.argument, STRIDE_ARGUMENT_DTYPE);
    CHECK_EQ(record.lhs, none[k]);
    CHECK_STATUS(stride_dtype_name(none[k], buffer, sizeof buffer, &length, NULL), INVALID_DTYPE);
    CHECK_UNTOUCHED(bits);
    CHECK_UNTOUCHED(length);
    CHECK_UNTOUCHED(buffer);
  }
}

static void texts_that_are_no_dtype(void) {
  static const char *const none[] = {
      "", "f", "F32", "f32 ", " f32", "f33", "f32:high", "s4:", "s4:low", "s4:high ", "s4:highx", "bytes",
      "bytes0", "bytes016777216", "bytes16777216", "bytes-1", "bytes99999999999999999999", "bytes 1",
  };
  for (size_t k = 0; k < COUNT(none); k++) {
    uint32_t dtype;
    stride_error record;
    poison(&dtype, sizeof dtype);
    CHECK_STATUS(parse(none[k], &dtype, &record), PARSE);
    CHECK_EQ(record.argument, STRIDE_ARGUMENT_TEXT);
    CHECK_UNTOUCHED(dtype);
  }
  uint32_t dtype = 0;
  CHECK_OK(stride_dtype_parse("f32[2]", 3, &dtype, NULL)); /* the length ends the text */
  CHECK_EQ(dtype, STRIDE_DTYPE_F32);
  CHECK_STATUS(stride_dtype_parse("f32\0", 4, &dtype, NULL), PARSE);
  CHECK_STATUS(stride_dtype_parse(NULL, 0, &dtype, NULL), PARSE); /* (NULL, 0) is an empty text */
}

static const test tests[] = {
    TEST(numbers_widths_and_names),
    TEST(high_first_is_for_types_below_a_byte_and_swapped_for_numbers_above),
    TEST(plain_bytes),
    TEST(byte_counts_outside_the_range),
    TEST(numbers_that_are_no_dtype),
    TEST(texts_that_are_no_dtype),
};

int main(void) { return RUN(tests); }
