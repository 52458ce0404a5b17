// The headers together as C++: the functions have C linkage, the initialiser is an expression of C++
// too, and what macros and structs expand to gives no warning, also with -Wold-style-cast -Wconversion -Wuseless-cast.
#include "stride_machine.h"
#include "stride_interop.h"
#include "stride_runs.h"
#include "stride_xla.h"
#include "stride.h"
#include "stride_kernels.h"
#include "stride_consumers.h"
// Before and after the C headers, which C++11 compiles too.
#if defined(_MSVC_LANG) ? _MSVC_LANG >= 201703L : __cplusplus >= 201703L
#include "stride.hpp"
#include "stride.hpp"
#include "stride_runs.h"
static_assert(sizeof(stride::layout) == sizeof(stride_layout) && stride::dtype_of_v<float> == stride::F32, "the same");
#endif

#include <cstring>

// What the initialiser holds, at compile time.
constexpr stride_copy_options defaults = STRIDE_COPY_OPTIONS_INIT;
static_assert(defaults.struct_size == sizeof(stride_copy_options), "struct_size is the struct's size");
static_assert(defaults.flags == 0 && defaults.cpu_level == STRIDE_CPU_LEVEL_BEST && defaults.reserved == 0, "nothing");
constexpr stride_layout_facts unasked = STRIDE_LAYOUT_FACTS_INIT;
static_assert(unasked.struct_size == sizeof(stride_layout_facts) && unasked.row_alignment == 0, "nothing");
static_assert(defaults.overlap_budget == 0 && defaults.fill[0] == 0 && defaults.fill[15] == 0, "nothing");

// Constants go where they belong without a cast.
constexpr uint32_t dtypes[] = {STRIDE_DTYPE_F32, STRIDE_DTYPE_S4 | STRIDE_DTYPE_HIGH_FIRST, STRIDE_DTYPE_BYTES | 12};
constexpr uint32_t flags[] = {STRIDE_COPY_FILL_BUFFER | STRIDE_COPY_OVERLAP, STRIDE_XLA_SHAPE_HIGH_FIRST,
                              STRIDE_XLA_MINOR_TO_MAJOR_ONLY, STRIDE_FORMAT_DENSE, STRIDE_ARGUMENT_TAIL_ALIGNMENT};
constexpr int64_t tile[] = {STRIDE_XLA_TILE_MERGE, 2, 4};
constexpr uint32_t image[] = {STRIDE_FOURCC_NV12, STRIDE_FOURCC_RGBA64F, STRIDE_DL_FLAG_IS_SUBBYTE_TYPE_PADDED};
constexpr uint64_t detail = STRIDE_DETAIL_PLAN_WORDS;
static_assert(dtypes[2] == 0x8000000Cu && flags[0] == 6 && tile[0] < 0 && image[2] == 4 && STRIDE_XLA_UNBOUNDED == tile[0] && detail > 0,
              "as in C");

int main() {
  const int64_t sizes[2] = {2, 3};
  stride_copy_options options = STRIDE_COPY_OPTIONS_INIT, made;
  float src[6] = {1, 2, 3, 4, 5, 6}, dst[16] = {};
  stride_layout packed, transposed;
  stride_error error;
  const int64_t column_major[2] = {1, 2};
  if (stride_copy_options_init(&made) != STRIDE_STATUS_OK) return 1;
  if (std::memcmp(&made, &options, sizeof made) != 0 || std::memcmp(&made, &defaults, sizeof made) != 0) return 2;
  if (stride_layout_init(&packed, STRIDE_DTYPE_F32, 2, sizes, nullptr, &error) != STRIDE_STATUS_OK) return 3;
  if (stride_layout_init(&transposed, STRIDE_DTYPE_F32, 2, sizes, column_major, nullptr) != STRIDE_STATUS_OK) return 4;
  options.flags = STRIDE_COPY_FILL_BUFFER;
  const stride_status copied = stride_copy(&transposed, dst, sizeof dst, &packed, src, sizeof src, &options, nullptr);
  if (copied != STRIDE_STATUS_OK) return 5;
  if (!(dst[0] > 0.5f && dst[1] > 3.5f && dst[2] < 2.5f && dst[5] > 5.5f)) return 6;

  stride_xla_shape shape;
  if (stride_xla_shape_parse("f32[2,3]{0,1}", 13, &shape, &error) != STRIDE_STATUS_OK) return 7;
  if (stride_xla_shape_add_tile(&shape, 3, tile, &error) != STRIDE_STATUS_OK) return 8;
  options.cpu_level = stride_cpu_level();
  stride_side to, from;
  const stride_index_run mirrored[1] = {{1, -1, 2}};
  if (stride_side_init(&to, STRIDE_SIDE_SHAPE, &shape, &error) != STRIDE_STATUS_OK) return 9;
  if (stride_side_init(&from, STRIDE_SIDE_LAYOUT, &packed, &error) != STRIDE_STATUS_OK) return 9;
  if (stride_side_set_runs(&from, 0, 1, mirrored, nullptr) != STRIDE_STATUS_OK) return 9;
  const stride_status tiled = stride_copy_sides(&to, dst, sizeof dst, &from, src, sizeof src, &options, &error);
  if (tiled != STRIDE_STATUS_OK) return 9;

  stride_layout planes[4];
  uint32_t count;
  uint64_t bytes;
  if (stride_image_planes(image[0], 5, 3, 0, nullptr, 1, &count, planes, &bytes, &error) != STRIDE_STATUS_OK) return 10;
  return count == 2 && bytes == 27 ? 0 : 11;
}
