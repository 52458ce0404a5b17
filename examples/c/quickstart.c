#include <stdio.h>
#include <stride.h>
int main(void) {
  const float pixels[12] = {1, 10, 100, 2, 20, 200, 3, 30, 300, 4, 40, 400};  // 2 x 2 pixels of 3 channels
  const int64_t sizes[4] = {1, 3, 2, 2};                                      // N, C, H, W
  float planes[12];
  stride_layout nhwc, nchw;
  stride_layout_init_channels_last(&nhwc, STRIDE_DTYPE_F32, 4, sizes, NULL);
  stride_layout_init(&nchw, STRIDE_DTYPE_F32, 4, sizes, NULL, NULL);
  int32_t status = stride_copy(&nchw, planes, sizeof planes, &nhwc, pixels, sizeof pixels, NULL, NULL);
  for (int k = 0; k < 12; k++) printf("%g ", planes[k]);  // 1 2 3 4 10 20 30 40 100 200 300 400
  return status;                                          // 0: STRIDE_STATUS_OK
}
