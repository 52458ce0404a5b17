/* The header alone, first and twice: it needs nothing before it, and its guard holds. */
#include "stride.h"
#include "stride.h"

int main(void) {
  const int64_t sizes[2] = {2, 3};
  const stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
  stride_layout layout;
  if (options.struct_size != sizeof options) return 1;
  return stride_layout_init(&layout, STRIDE_DTYPE_F32, 2, sizes, NULL, NULL) == STRIDE_STATUS_OK ? 0 : 1;
}
