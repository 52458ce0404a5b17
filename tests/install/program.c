// A stranger's program: it includes what is installed and prints a transposed matrix. `1 4 2 5 3 6` is right.
#include <stdio.h>

#include <stride.h>
#include <stride_interop.h>
#include <stride_runs.h>
#include <stride_xla.h>

int main(void) {
  const unsigned char rows[6] = {1, 2, 3, 4, 5, 6};
  const int64_t sizes[2] = {2, 3}, columns_first[2] = {0, 1};
  unsigned char columns[6];
  stride_layout src, dst;
  if (stride_version() != STRIDE_VERSION || stride_abi_version() != STRIDE_ABI_VERSION) return 1;
  if (stride_layout_init(&src, STRIDE_DTYPE_U8, 2, sizes, NULL, NULL) != STRIDE_STATUS_OK) return 2;
  if (stride_layout_init_ordered(&dst, STRIDE_DTYPE_U8, 2, sizes, columns_first, NULL) != STRIDE_STATUS_OK) return 3;
  if (stride_copy(&dst, columns, 6, &src, rows, 6, NULL, NULL) != STRIDE_STATUS_OK) return 4;
  printf("%d.%d.%d:", STRIDE_VERSION_MAJOR, STRIDE_VERSION_MINOR, STRIDE_VERSION_PATCH);
  for (int k = 0; k < 6; k++) printf(" %d", columns[k]);
  return 0;
}
