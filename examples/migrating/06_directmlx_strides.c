// The strides of DirectMLX's TensorPolicy::InterleavedChannel, and by way of a layout.
#include "check.h"

// --- before
// Channels vary fastest, then the last dimension, and so on to the batch. Products wrap at 2^32.
static void interleaved_channel_strides(uint32_t rank, const uint32_t *sizes, uint32_t *strides) {
  uint32_t stride = 1;
  if (rank > 1) {
    strides[1] = 1;
    stride = sizes[1];
  }
  for (uint32_t d = rank; d-- > 2;) {
    strides[d] = stride;
    stride *= sizes[d];
  }
  strides[0] = stride;
}
// --- after
static stride_status channels_last_strides(uint32_t rank, const int64_t *sizes, uint32_t *strides,
                                           stride_error *error) {
  stride_layout nhwc;
  stride_dml_buffer_tensor_desc desc;
  uint32_t sizes32[STRIDE_DML_TENSOR_DIMENSION_COUNT_MAX];
  uint64_t offset;
  stride_status status = stride_layout_init_channels_last(&nhwc, STRIDE_DTYPE_F16, rank, sizes, error);
  if (status == STRIDE_STATUS_OK) status = stride_layout_to_dml(&nhwc, 1, sizes32, strides, &desc, &offset, error);
  return status;
}
// --- check

int main(void) {
  stride_error error;
  for (int k = 0; k < CASES; k++) {
    const uint32_t rank = (uint32_t)draw(1, 8);
    uint32_t sizes[8], old[8], new[8];
    int64_t long_sizes[8];
    for (uint32_t d = 0; d < rank; d++) long_sizes[d] = sizes[d] = (uint32_t)draw(1, 12);
    interleaved_channel_strides(rank, sizes, old);
    succeed(channels_last_strides(rank, long_sizes, new, &error), &error);
    EXPECT(memcmp(old, new, rank * sizeof old[0]) == 0);
  }

  // Two images of 64 channels and 8192 x 8192 pixels: the second begins 2^32 elements on, which wraps to the first.
  const uint32_t sizes[4] = {2, 64, 8192, 8192};
  const int64_t long_sizes[4] = {2, 64, 8192, 8192};
  uint32_t strides[4];
  interleaved_channel_strides(4, sizes, strides);
  EXPECT(strides[0] == 0);
  refused(channels_last_strides(4, long_sizes, strides, &error), &error,
          "layout, dimension 0: stride 4294967296 is above the maximum of 4294967295");
  // A layout counts in 64 bits and can describe this tensor.
  stride_layout nhwc;
  succeed(stride_layout_init_channels_last(&nhwc, STRIDE_DTYPE_F16, 4, long_sizes, &error), &error);
  EXPECT(nhwc.strides[0] == (int64_t)1 << 32);
  printf("%d random shapes agree\n", CASES);
  return 0;
}
