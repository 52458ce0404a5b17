#include <stdio.h>
#include <stride.h>
int main(void) {
  const float pixels[12] = {1, 10, 100, 2, 20, 200, 3, 30, 300, 4, 40, 400};  // 2 x 2 pixels of 3 channels
  const int64_t sizes[4] = {1, 3, 2, 2};                                      // N, C, H, W
  float planes[12];
  char why[128];
  uint64_t length;
  stride_error error;
  stride_layout nhwc, nchw;
  stride_layout_init_channels_last(&nhwc, STRIDE_DTYPE_F32, 4, sizes, NULL);
  stride_layout_init(&nchw, STRIDE_DTYPE_F32, 4, sizes, NULL, NULL);
  if (stride_copy(&nchw, planes, sizeof planes, &nhwc, pixels, sizeof pixels, NULL, &error)) return 1;
  for (int k = 0; k < 12; k++) printf("%g%s", planes[k], k < 11 ? " " : "\n");
  stride_copy(&nchw, planes, sizeof planes, &nhwc, pixels, 44, NULL, &error);  // a source that is too short
  stride_error_format(&error, why, sizeof why, &length, NULL);
  puts(why);
}
