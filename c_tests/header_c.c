/* The headers together, what stride.h includes at its end before it and after it. */
#include "stride_consumers.h"
#include "stride.h"
#include "stride_xla.h"
#include "stride_runs.h"
#include "stride_interop.h"
#include "stride_consumers.h"
#include "stride_kernels.h"
#include "stride_machine.h"

int main(void) {
  const int64_t sizes[2] = {2, 3};
  const stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
  stride_layout layout;
  stride_xla_shape shape;
  uint32_t dtype;
  if (options.struct_size != sizeof options) return 1;
  if (stride_layout_init(&layout, STRIDE_DTYPE_F32, 2, sizes, NULL, NULL) != STRIDE_STATUS_OK) return 2;
  if (stride_dtype_from_typestr("<f4", 3, &dtype, NULL) != STRIDE_STATUS_OK || dtype != layout.dtype) return 4;
  return stride_layout_to_xla(&layout, &shape, NULL) == STRIDE_STATUS_OK ? 0 : 3;
}
