// A copy between two sets of strides, as in ONNX Runtime's StridedCopy, and by stride_copy.
#include "check.h"

// --- before
// One loop over the flat index, which is divided by every size at every element. The buffers' lengths are unknown.
static int strided_copy(void *dst, const int64_t *dst_strides, const void *src, const int64_t *src_strides, int rank,
                        const int64_t *sizes, size_t element_bytes) {
  int64_t count = 1;
  if (rank == 0) return -1;
  for (int d = 0; d < rank; d++) count *= sizes[d];
  for (int64_t k = 0; k < count; k++) {
    int64_t rest = k, to = 0, from = 0;
    for (int d = rank; d-- > 0; rest /= sizes[d]) {
      to += rest % sizes[d] * dst_strides[d];
      from += rest % sizes[d] * src_strides[d];
    }
    switch (element_bytes) {
      case 1: ((uint8_t *)dst)[to] = ((const uint8_t *)src)[from]; break;
      case 2: ((uint16_t *)dst)[to] = ((const uint16_t *)src)[from]; break;
      case 4: ((uint32_t *)dst)[to] = ((const uint32_t *)src)[from]; break;
      case 8: ((uint64_t *)dst)[to] = ((const uint64_t *)src)[from]; break;
      default: return -1;  // other sizes are not supported
    }
  }
  return 0;
}
// --- after
static stride_status copy(void *dst, uint64_t dst_bytes, const int64_t *dst_strides, const void *src,
                          uint64_t src_bytes, const int64_t *src_strides, uint32_t rank, const int64_t *sizes,
                          uint32_t element_bytes, stride_error *error) {
  uint32_t dtype;
  stride_layout to, from;
  stride_status status = stride_dtype_from_bytes(element_bytes, &dtype, error);
  if (status == STRIDE_STATUS_OK) status = stride_layout_init(&to, dtype, rank, sizes, dst_strides, error);
  if (status == STRIDE_STATUS_OK) status = stride_layout_init(&from, dtype, rank, sizes, src_strides, error);
  if (status != STRIDE_STATUS_OK) return status;
  return stride_copy(&to, dst, dst_bytes, &from, src, src_bytes, NULL, error);
}
// --- check

static void random_case(void) {
  const int rank = (int)draw(1, 5);
  const int64_t width = (int64_t)1 << draw(0, 3);
  int64_t sizes[8], dst_strides[8], src_strides[8];
  stride_error error;
  for (int d = 0; d < rank; d++) sizes[d] = draw(0, 12) == 0 ? 0 : draw(1, 6);
  const int64_t dst_bytes = random_strides(rank, sizes, dst_strides) * width;
  const int64_t src_bytes = random_strides(rank, sizes, src_strides) * width;
  uint8_t *src = noise(src_bytes), *old = noise(dst_bytes), *new = (uint8_t *)allocate(dst_bytes);
  memcpy(new, old, (size_t)dst_bytes);
  EXPECT(strided_copy(old, dst_strides, src, src_strides, rank, sizes, (size_t)width) == 0);
  succeed(copy(new, (uint64_t)dst_bytes, dst_strides, src, (uint64_t)src_bytes, src_strides, (uint32_t)rank, sizes,
               (uint32_t)width, &error), &error);
  EXPECT(memcmp(old, new, (size_t)dst_bytes) == 0);
  free(src), free(old), free(new);
}

int main(void) {
  stride_error error;
  for (int k = 0; k < CASES; k++) random_case();

  // Pixels of three bytes, and a scalar: the old form refuses both.
  const uint8_t pixels[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const int64_t sizes[2] = {2, 2}, by_row[2] = {2, 1}, by_column[2] = {1, 2};
  uint8_t transposed[12];
  EXPECT(strided_copy(transposed, by_column, pixels, by_row, 2, sizes, 3) == -1);
  succeed(copy(transposed, 12, by_column, pixels, 12, by_row, 2, sizes, 3, &error), &error);
  EXPECT(transposed[3] == 6 && transposed[6] == 3 && transposed[11] == 11);
  EXPECT(strided_copy(transposed, NULL, pixels, NULL, 0, NULL, 1) == -1);
  succeed(copy(transposed, 1, NULL, pixels + 5, 1, NULL, 0, NULL, 1, &error), &error);
  EXPECT(transposed[0] == 5);

  // A destination of 6 bytes within an array of 12: the old form writes past its end.
  uint8_t array[12] = {0};
  const int64_t apart[2] = {6, 1}, together[2] = {1, 1};
  EXPECT(strided_copy(array, apart, pixels, by_row, 2, sizes, 1) == 0 && array[7] == 3);
  refused(copy(array, 6, apart, pixels, 12, by_row, 2, sizes, 1, &error), &error,
          "dst_bytes: 8 bytes are needed, but the buffer has 6");
  // Two indices share one element: which value remains depends on the order of the old loop.
  EXPECT(strided_copy(array, together, pixels, by_row, 2, sizes, 1) == 0 && array[1] == 2);
  refused(copy(array, 12, together, pixels, 12, by_row, 2, sizes, 1, &error), &error,
          "dst_layout: two indices map to one element; a destination has an element for each");
  printf("%d random copies agree\n", CASES);
  return 0;
}
