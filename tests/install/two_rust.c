// libstride and another Rust library, both static, in one program.
#include <stdio.h>

#include <stride.h>

int64_t other_sum(uint64_t n);

int main(void) {
  const int64_t sizes[2] = {2, 3}, columns[2] = {1, 2};
  const float src[6] = {0, 1, 2, 3, 4, 5};
  float dst[6] = {0};
  stride_layout from, to;
  if (stride_layout_init(&from, STRIDE_DTYPE_F32, 2, sizes, NULL, NULL) != STRIDE_STATUS_OK) return 1;
  if (stride_layout_init(&to, STRIDE_DTYPE_F32, 2, sizes, columns, NULL) != STRIDE_STATUS_OK) return 2;
  if (stride_copy(&to, dst, sizeof dst, &from, src, sizeof src, NULL, NULL) != STRIDE_STATUS_OK) return 3;
  if (dst[1] != 3 || dst[4] != 2) return 4;
  if (other_sum(1000) != 499500) return 5;
  printf("two Rust libraries in one program\n");
  return 0;
}
