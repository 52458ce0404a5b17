// The header alone, first and twice, as C++: the functions have C linkage, the initialiser is an expression of C++ too.
#include "stride.h"
#include "stride.h"

int main() {
  const int64_t sizes[2] = {2, 3};
  const stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
  float src[6] = {1, 2, 3, 4, 5, 6}, dst[6] = {};
  stride_layout packed, transposed;
  const int64_t column_major[2] = {1, 2};
  if (stride_layout_init(&packed, STRIDE_DTYPE_F32, 2, sizes, nullptr, nullptr) != STRIDE_STATUS_OK) return 1;
  if (stride_layout_init(&transposed, STRIDE_DTYPE_F32, 2, sizes, column_major, nullptr) != STRIDE_STATUS_OK) return 2;
  const stride_status copied = stride_copy(&transposed, dst, sizeof dst, &packed, src, sizeof src, &options, nullptr);
  if (copied != STRIDE_STATUS_OK) return 3;
  return dst[0] == 1 && dst[1] == 4 && dst[2] == 2 && dst[5] == 6 ? 0 : 4;
}
