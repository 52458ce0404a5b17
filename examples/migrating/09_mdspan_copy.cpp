// A copy between two mdspans, by hand since the standard has none, and by stride.hpp.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "check.h"
#include "stride.hpp"

// The standard library's mdspan, or that of NVIDIA's CCCL, which needs no CUDA; else a class below does.
#if __has_include(<mdspan>) && __cplusplus >= 202302L
#include <mdspan>
namespace md = std;
#define MDSPAN "std::mdspan"
#elif __has_include(<cuda/std/mdspan>)
#include <cuda/std/array>
#include <cuda/std/mdspan>
namespace md = cuda::std;
#define MDSPAN "cuda::std::mdspan"
#endif

// --- before
// If neither side has gaps, one block is copied, even if the two sides have different orders.
template <class Dst, class Src>
void copy_by_hand(const Dst &dst, const Src &src) {
  if (dst.mapping().is_exhaustive() && src.mapping().is_exhaustive()) {
    for (std::size_t k = 0; k < std::size_t(src.mapping().required_span_size()); k++) {
      dst.data_handle()[k] = src.data_handle()[k];
    }
    return;
  }
  using index = typename Src::index_type;
  for (index i = 0; i < src.extent(0); i++)
    for (index j = 0; j < src.extent(1); j++)
      for (index k = 0; k < src.extent(2); k++)
        dst.data_handle()[dst.mapping()(i, j, k)] = src.data_handle()[src.mapping()(i, j, k)];
}
// --- after
// Any rank, extents and mapping with strides, of elements that may be copied byte by byte; offsets in 64 bits, whatever
// the index_type.
template <class Dst, class Src>
stride::result<void> copy(const Dst &dst, const Src &src) {
  return stride::try_copy(dst, src);  // stride::copy throws instead
}
// --- check

#ifdef MDSPAN
using extents = md::dextents<std::int64_t, 3>;
template <class T>
using strided = md::mdspan<T, extents, md::layout_stride>;
template <class T>
strided<T> make(T *data, const std::int64_t *sizes, const std::int64_t *strides) {
  const md::array<std::int64_t, 3> steps{strides[0], strides[1], strides[2]};
  return strided<T>(data, md::layout_stride::mapping<extents>(extents(sizes[0], sizes[1], sizes[2]), steps));
}
#else
#define MDSPAN "a class that has std::mdspan's functions"
// What both forms use of std::mdspan<T, std::dextents<std::int64_t, 3>, std::layout_stride>, for compilers without it.
template <class T>
class strided {
 public:
  using element_type = T;
  using index_type = std::int64_t;
  using rank_type = std::size_t;
  struct mapping_type {
    index_type sizes[3], strides[3];
    index_type operator()(index_type i, index_type j, index_type k) const {
      return i * strides[0] + j * strides[1] + k * strides[2];
    }
    index_type required_span_size() const {
      if (product(3, sizes) == 0) return 0;
      return (*this)(sizes[0] - 1, sizes[1] - 1, sizes[2] - 1) + 1;
    }
    bool is_exhaustive() const { return required_span_size() == product(3, sizes); }
  };
  strided(T *data, const index_type *sizes, const index_type *strides) : data_(data) {
    for (int d = 0; d < 3; d++) mapping_.sizes[d] = sizes[d], mapping_.strides[d] = strides[d];
  }
  static constexpr std::size_t rank() { return 3; }
  static constexpr bool is_strided() { return true; }
  index_type extent(std::size_t d) const { return mapping_.sizes[d]; }
  index_type stride(std::size_t d) const { return mapping_.strides[d]; }
  T *data_handle() const { return data_; }
  const mapping_type &mapping() const { return mapping_; }

 private:
  T *data_;
  mapping_type mapping_;
};
template <class T>
strided<T> make(T *data, const std::int64_t *sizes, const std::int64_t *strides) {
  return {data, sizes, strides};
}
#endif

struct vertex {
  float position[3];
};

// Unless neither side has gaps, the old form copies element by element and is right. Returns the cases compared.
static int random_case() {
  std::int64_t sizes[3], to_strides[3], from_strides[3];
  for (int d = 0; d < 3; d++) sizes[d] = draw(0, 15) == 0 ? 0 : draw(1, 7);
  const std::int64_t to_elements = random_strides(3, sizes, to_strides);
  const std::int64_t from_elements = random_strides(3, sizes, from_strides);
  if (to_elements == product(3, sizes) && from_elements == to_elements && to_elements > 0) return 0;
  vertex *from = static_cast<vertex *>(allocate(from_elements * std::int64_t(sizeof(vertex))));
  vertex *old_to = static_cast<vertex *>(std::calloc(std::size_t(to_elements + 1), sizeof(vertex)));
  vertex *new_to = static_cast<vertex *>(std::calloc(std::size_t(to_elements + 1), sizeof(vertex)));
  for (std::int64_t k = 0; k < from_elements; k++) from[k] = {{float(k), float(k) + 0.25f, float(k) + 0.5f}};
  copy_by_hand(make(old_to, sizes, to_strides), make<const vertex>(from, sizes, from_strides));
  EXPECT(copy(make(new_to, sizes, to_strides), make<const vertex>(from, sizes, from_strides)).has_value());
  EXPECT(std::memcmp(old_to, new_to, std::size_t(to_elements) * sizeof(vertex)) == 0);
  std::free(from), std::free(old_to), std::free(new_to);
  return 1;
}

int main() {
  int compared = 0;
  while (compared < CASES) compared += random_case();

  // From rows to columns: both sides are exhaustive, and the old form transposes nothing.
  const std::int64_t sizes[3] = {1, 2, 3}, rows[3] = {6, 3, 1}, columns[3] = {1, 1, 2}, other[3] = {1, 2, 4};
  const int from[6] = {0, 1, 2, 3, 4, 5};
  int to[6];
  copy_by_hand(make(to, sizes, columns), make(from, sizes, rows));
  EXPECT(to[1] == 1);
  EXPECT(copy(make(to, sizes, columns), make(from, sizes, rows)).has_value());
  EXPECT(to[0] == 0 && to[1] == 3 && to[2] == 1 && to[5] == 5);
  int larger[8];
  const auto wrong = copy(make(larger, other, columns), make(from, sizes, rows));
  refused(wrong.status(), &wrong.record(),
          "src_layout, dimension 2: size is 3, but it is 4 in dst_layout");
  std::printf("%d random copies agree, with %s\n", compared, MDSPAN);
  return 0;
}
