// program.c's like in C++: the headers are included as they are.
#include <array>
#include <cstdio>

#include <stride.h>
#include <stride_interop.h>
#include <stride_runs.h>
#include <stride_xla.h>

int main() {
  const std::array<unsigned char, 6> rows{1, 2, 3, 4, 5, 6};
  const int64_t sizes[2] = {2, 3}, columns_first[2] = {0, 1};
  std::array<unsigned char, 6> columns{};
  stride_layout src, dst;
  if (stride_version() != STRIDE_VERSION || stride_abi_version() != STRIDE_ABI_VERSION) return 1;
  if (stride_layout_init(&src, STRIDE_DTYPE_U8, 2, sizes, nullptr, nullptr) != STRIDE_STATUS_OK) return 2;
  if (stride_layout_init_ordered(&dst, STRIDE_DTYPE_U8, 2, sizes, columns_first, nullptr) != STRIDE_STATUS_OK) return 3;
  if (stride_copy(&dst, columns.data(), columns.size(), &src, rows.data(), rows.size(), nullptr, nullptr) !=
      STRIDE_STATUS_OK)
    return 4;
  std::printf("%d.%d.%d:", STRIDE_VERSION_MAJOR, STRIDE_VERSION_MINOR, STRIDE_VERSION_PATCH);
  for (unsigned char column : columns) std::printf(" %d", column);
  return 0;
}
