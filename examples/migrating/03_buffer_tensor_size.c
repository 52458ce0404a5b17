// DMLCalcBufferTensorSize from DirectML's documentation, and stride_dml_buffer_tensor_size.
#include "check.h"

// --- before
// The index of the last element is summed in 32 bits.
static uint64_t calc_buffer_tensor_size(uint32_t data_type, uint32_t dimension_count, const uint32_t *sizes,
                                        const uint32_t *strides) {
  static const uint8_t bits_of[14] = {0, 32, 16, 32, 16, 8, 32, 16, 8, 64, 64, 64, 4, 4};
  uint64_t elements;
  if (data_type == 0 || data_type > 13) return 0;
  if (strides == NULL) {
    elements = sizes[0];
    for (uint32_t d = 1; d < dimension_count; d++) elements *= sizes[d];
  } else {
    uint32_t last = 0;
    for (uint32_t d = 0; d < dimension_count; d++) last += (sizes[d] - 1) * strides[d];
    elements = (uint64_t)last + 1;
  }
  const uint64_t bytes = (elements * bits_of[data_type] + 7) / 8;
  return (bytes + 3) & ~(uint64_t)3;
}
// --- after
// stride_dml_calc_buffer_tensor_size replaces it, with the same parameters. This one says why there is no answer:
static stride_status buffer_tensor_size(uint32_t data_type, uint32_t dimension_count, const uint32_t *sizes,
                                        const uint32_t *strides, uint64_t *bytes, stride_error *error) {
  return stride_dml_buffer_tensor_size(data_type, dimension_count, sizes, strides, bytes, error);
}
// --- check

static uint64_t new_size(uint32_t data_type, uint32_t count, const uint32_t *sizes, const uint32_t *strides) {
  stride_error error;
  uint64_t bytes = 1;
  succeed(buffer_tensor_size(data_type, count, sizes, strides, &bytes, &error), &error);
  EXPECT(bytes == stride_dml_calc_buffer_tensor_size(data_type, count, sizes, strides));
  return bytes;
}

int main(void) {
  for (int k = 0; k < CASES; k++) {
    const uint32_t count = (uint32_t)draw(1, 8), type = (uint32_t)draw(1, 13);
    uint32_t sizes[8], strides[8];
    for (uint32_t d = 0; d < count; d++) sizes[d] = (uint32_t)draw(1, 9), strides[d] = (uint32_t)draw(0, 1000000);
    EXPECT(calc_buffer_tensor_size(type, count, sizes, strides) == new_size(type, count, sizes, strides));
    EXPECT(calc_buffer_tensor_size(type, count, sizes, NULL) == new_size(type, count, sizes, NULL));
  }

  const uint32_t far_apart[2] = {2147483648u, 1}, sizes[2] = {3, 2}, none[2] = {0, 5}, rows[2] = {5, 1};
  EXPECT(calc_buffer_tensor_size(STRIDE_DML_TENSOR_DATA_TYPE_FLOAT32, 2, sizes, far_apart) == 8);
  EXPECT(new_size(STRIDE_DML_TENSOR_DATA_TYPE_FLOAT32, 2, sizes, far_apart) == 17179869192u);
  EXPECT(calc_buffer_tensor_size(STRIDE_DML_TENSOR_DATA_TYPE_FLOAT32, 2, none, rows) == 17179869184u);
  EXPECT(new_size(STRIDE_DML_TENSOR_DATA_TYPE_FLOAT32, 2, none, rows) == 0);
  // A scalar without strides: the old form reads sizes[0], which does not exist.
  EXPECT(new_size(STRIDE_DML_TENSOR_DATA_TYPE_FLOAT32, 0, sizes, NULL) == 4);

  stride_error error;
  uint64_t bytes;
  EXPECT(calc_buffer_tensor_size(99, 2, sizes, NULL) == 0);
  refused(buffer_tensor_size(99, 2, sizes, NULL, &bytes, &error), &error,
          "data_type: 99 is no DML_TENSOR_DATA_TYPE; the highest is 13");
  printf("%d random sizes agree, packed and strided\n", CASES);
  return 0;
}
