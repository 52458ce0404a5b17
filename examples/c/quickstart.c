#include <stdio.h>
#include <stride.h>

int main(void) {
  const float pixels[12] = {1, 10, 100, 2, 20, 200, 3, 30, 300, 4, 40, 400};  // NHWC: 2 x 2 pixels of 3 channels
  const int64_t sizes[4] = {1, 3, 2, 2};                                      // N, C, H, W
  float planes[12];
  stride_layout nhwc, nchw;
  stride_error error;
  if (stride_layout_init_channels_last(&nhwc, STRIDE_DTYPE_F32, 4, sizes, &error) == STRIDE_STATUS_OK &&
      stride_layout_init(&nchw, STRIDE_DTYPE_F32, 4, sizes, NULL, &error) == STRIDE_STATUS_OK &&
      stride_copy(&nchw, planes, sizeof planes, &nhwc, pixels, sizeof pixels, NULL, &error) == STRIDE_STATUS_OK) {
    for (int k = 0; k < 12; k++) printf("%g ", planes[k]);  // 1 2 3 4 10 20 30 40 100 200 300 400
    nhwc.sizes[3] = 5;                                      // a mistake, so that there is something to explain:
    stride_copy(&nchw, planes, sizeof planes, &nhwc, pixels, sizeof pixels, NULL, &error);
  }
  char text[128];
  uint64_t length;
  stride_error_format(&error, text, sizeof text, &length, NULL);
  printf("\n%s\n", text);  // src_layout, dimension 3: size 5 does not equal 2
}
