// Elements that have a constructor, element by element by hand, and run by run by stride::runs.
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.h"
#include "stride.hpp"

// --- before
// The index of each element is divided by every size. How many elements there are on either side is unknown.
template <class T>
bool strided_copy(T *dst, const std::int64_t *dst_strides, const T *src, const std::int64_t *src_strides, int rank,
                  const std::int64_t *sizes) {
  std::int64_t count = 1;
  if (rank == 0) return false;
  for (int d = 0; d < rank; d++) count *= sizes[d];
  for (std::int64_t k = 0; k < count; k++) {
    std::int64_t rest = k, to = 0, from = 0;
    for (int d = rank; d-- > 0; rest /= sizes[d]) {
      to += rest % sizes[d] * dst_strides[d];
      from += rest % sizes[d] * src_strides[d];
    }
    dst[to] = src[from];
  }
  return true;
}
// --- after
// By T's own assignment, in the order of dst's memory. The elements of dst are there, as in a std::vector.
template <class T>
void copy_objects(T *dst, std::uint64_t dst_count, const stride::layout &to, const T *src, std::uint64_t src_count,
                  const stride::layout &from) {
  if (to.min_bytes() > dst_count * sizeof(T)) throw std::out_of_range("dst");
  if (from.min_bytes() > src_count * sizeof(T)) throw std::out_of_range("src");
  if (to.self_overlap()) throw std::invalid_argument("dst has one element for two indices");
  const std::int64_t bytes = sizeof(T);
  stride::runs both(to, from);
  for (const auto &run : both) {
    const std::int64_t to_step = run.strides[0] / bytes, from_step = run.strides[1] / bytes;
    T *t = run.at(0, dst);
    const T *f = run.at(1, src);
    for (std::int64_t k = 0; k < std::int64_t(run.elements); k++) t[k * to_step] = f[k * from_step];
  }
}
// --- check

// Some fit into the string itself, others are on the heap.
static std::string text(std::int64_t number) {
  return std::string(std::size_t(number % 40), 'x') + std::to_string(number);
}

static stride::layout layout_of(int rank, const std::int64_t *sizes, const std::int64_t *strides) {
  const auto count = std::uint32_t(rank);
  return stride::layout(stride::bytes(sizeof(std::string)), {sizes, count}, {strides, count});
}

static void random_case() {
  const int rank = int(draw(1, 4));
  std::int64_t sizes[4], to_strides[4], from_strides[4];
  for (int d = 0; d < rank; d++) sizes[d] = draw(0, 15) == 0 ? 0 : draw(1, 6);
  const std::int64_t to_count = random_strides(rank, sizes, to_strides);
  const std::int64_t from_count = random_strides(rank, sizes, from_strides);
  std::vector<std::string> from, old_to(std::size_t(to_count), "kept"), new_to = old_to;
  for (std::int64_t k = 0; k < from_count; k++) from.push_back(text(k));
  EXPECT(strided_copy(old_to.data(), to_strides, from.data(), from_strides, rank, sizes));
  copy_objects(new_to.data(), new_to.size(), layout_of(rank, sizes, to_strides), from.data(), from.size(),
               layout_of(rank, sizes, from_strides));
  EXPECT(old_to == new_to);
}

int main() {
  for (int k = 0; k < CASES; k++) random_case();

  // A scalar, which the old form does not copy; a mirrored source, whose first element lies last.
  const std::string from[3] = {"a", "b", std::string(100, 'c')};
  std::string to[3];
  const stride::layout scalar(stride::bytes(sizeof(std::string)), {}), three(stride::bytes(sizeof(std::string)), {3});
  EXPECT(!strided_copy(to, nullptr, from, nullptr, 0, nullptr));
  copy_objects(to, 1, scalar, from, 1, scalar);
  EXPECT(to[0] == "a");
  copy_objects(to, 3, three, from, 3, three.flip({0}));
  EXPECT(to[0] == from[2] && to[1] == "b" && to[2] == "a");

  // Three strings for two, and two indices for one string: the old form writes both, the first past the end.
  int thrown = 0;
  const std::int64_t sizes[1] = {3}, same[1] = {0}, next[1] = {1};
  EXPECT(strided_copy(to, same, from, next, 1, sizes));
  try {
    copy_objects(to, 2, three, from, 3, three);
  } catch (const std::out_of_range &) {
    thrown++;
  }
  try {
    copy_objects(to, 3, layout_of(1, sizes, same), from, 3, three);
  } catch (const std::invalid_argument &) {
    thrown++;
  }
  EXPECT(thrown == 2);
  std::printf("%d random copies of strings agree\n", CASES);
  return 0;
}
