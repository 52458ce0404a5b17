// A DirectML descriptor of a broadcast operand, as in ONNX Runtime's DirectML provider, and by stride_layout_to_dml.
#include "check.h"

// --- before
typedef struct tensor_desc {
  uint32_t sizes[8], strides[8];
  uint64_t bytes;
} tensor_desc;

// Aligns an operand's dimensions on the right and gives it the sizes of the result. A size of 1 is stretched; others
// are not checked.
static void make_desc(tensor_desc *desc, uint32_t operand_rank, const uint32_t *operand, uint32_t rank,
                      const uint32_t *sizes, uint32_t element_bytes) {
  uint32_t stride = 1, last = 0;
  for (uint32_t d = rank; d-- > 0;) {
    const uint32_t added = rank - operand_rank, size = d < added ? 1 : operand[d - added];
    desc->sizes[d] = sizes[d];
    desc->strides[d] = size == 1 ? 0 : stride;
    stride *= size;
    last += (sizes[d] - 1) * desc->strides[d];
  }
  desc->bytes = (((uint64_t)last + 1) * element_bytes + 3) & ~(uint64_t)3;
}
// --- after
// `sizes` and `strides`, of 8 entries each, belong to the caller and are what `desc` points to.
static stride_status make(stride_dml_buffer_tensor_desc *desc, uint32_t *sizes, uint32_t *strides,
                          uint32_t operand_rank, const int64_t *operand, uint32_t rank, const int64_t *result,
                          uint32_t dtype, stride_error *error) {
  stride_layout layout;
  uint64_t offset;
  stride_status status = stride_layout_init(&layout, dtype, operand_rank, operand, NULL, error);
  if (status == STRIDE_STATUS_OK) status = stride_layout_broadcast_to(&layout, rank, result, &layout, error);
  if (status == STRIDE_STATUS_OK) status = stride_layout_to_dml(&layout, 1, sizes, strides, desc, &offset, error);
  return status == STRIDE_STATUS_OK ? stride_dml_validate(desc, error) : status;
}
// --- check

static void random_case(void) {
  const uint32_t rank = (uint32_t)draw(1, 8), operand_rank = (uint32_t)draw(1, rank), added = rank - operand_rank;
  uint32_t old_sizes[8], old_operand[8], sizes[8], strides[8];
  int64_t result[8], operand[8];
  stride_dml_buffer_tensor_desc desc;
  stride_error error;
  tensor_desc old;
  for (uint32_t d = 0; d < rank; d++) {
    result[d] = draw(1, 5);
    old_sizes[d] = (uint32_t)result[d];
    if (d < added) continue;
    operand[d - added] = draw(0, 2) == 0 ? 1 : result[d];
    old_operand[d - added] = (uint32_t)operand[d - added];
  }
  make_desc(&old, operand_rank, old_operand, rank, old_sizes, 2);
  succeed(make(&desc, sizes, strides, operand_rank, operand, rank, result, STRIDE_DTYPE_F16, &error), &error);
  EXPECT(desc.dimension_count == rank && desc.total_tensor_size_in_bytes == old.bytes);
  for (uint32_t d = 0; d < rank; d++) {
    // The stride of a dimension of size 1 has no effect: 0 in the old form, the natural one in the new.
    EXPECT(desc.sizes[d] == old.sizes[d] && (desc.sizes[d] == 1 || desc.strides[d] == old.strides[d]));
  }
}

int main(void) {
  stride_dml_buffer_tensor_desc desc;
  stride_error error;
  tensor_desc old;
  uint32_t sizes[8], strides[8];
  for (int k = 0; k < CASES; k++) random_case();

  // A size of 3 cannot be stretched to 4. The old form reaches one element too far.
  const uint32_t three = 3, four = 4;
  const int64_t operand[1] = {3}, result[1] = {4}, none[2] = {0, 5};
  make_desc(&old, 1, &three, 1, &four, 4);
  EXPECT(old.strides[0] == 1 && old.bytes == 16);
  refused(make(&desc, sizes, strides, 1, operand, 1, result, STRIDE_DTYPE_F32, &error), &error,
          "sizes, dimension 0: size 3 cannot be stretched to 4, since it is not 1");

  // 3 x 65536 x 65536 elements: the stride of dimension 0 is 2^32, which wraps to 0, so three planes share one.
  const uint32_t large[3] = {3, 65536, 65536};
  const int64_t planes[3] = {3, 65536, 65536};
  make_desc(&old, 3, large, 3, large, 1);
  EXPECT(old.strides[0] == 0 && old.bytes == (uint64_t)1 << 32);
  refused(make(&desc, sizes, strides, 3, planes, 3, planes, STRIDE_DTYPE_U8, &error), &error,
          "layout, dimension 0: stride 4294967296 is above the maximum of 4294967295");

  // No elements: the old form says 16 GiB.
  const uint32_t empty[2] = {0, 5};
  make_desc(&old, 2, empty, 2, empty, 4);
  EXPECT(old.bytes == (uint64_t)1 << 34);
  refused(make(&desc, sizes, strides, 2, none, 2, none, STRIDE_DTYPE_F32, &error), &error,
          "sizes, dimension 0: size 0 is below the minimum of 1");
  printf("%d random descriptors agree\n", CASES);
  return 0;
}
