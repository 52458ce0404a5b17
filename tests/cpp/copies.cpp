// Copies, fills and comparisons: memory of all kinds, types that do not fit, and 10,000 random copies against a loop
// over all indices.
#include <complex>
#include <memory>
#include <vector>

#include "check.hpp"
#if defined(__cpp_lib_span)
#include <span>
#endif

using namespace stride;

namespace {

struct pixel {
  unsigned char r, g, b;
};

// Memory that is written must last; what is read may end with the call.
static_assert(!std::is_constructible_v<memory, std::vector<float>>, "written, and lost");
static_assert(!std::is_constructible_v<memory, std::array<float, 4>>, "written, and lost");
static_assert(std::is_constructible_v<memory, std::vector<float> &>, "lasting");
static_assert(std::is_constructible_v<const_memory, std::vector<float>>, "read");
#if defined(__cpp_lib_span)
static_assert(std::is_constructible_v<memory, std::span<float>>, "a view");
#endif

void memory_of_all_kinds() {
  float few[2] = {};
  CHECK(memory(static_cast<float *>(few), static_cast<uint64_t>(-1)).bytes() == 0);
  CHECK(memory(static_cast<void *>(few), UINT64_MAX).bytes() == UINT64_MAX);
  const layout rows = *layout::try_make(F32, {2, 3}), columns = *layout::try_ordered(F32, {2, 3}, {0, 1});
  const float src[6] = {1, 2, 3, 4, 5, 6};
  const std::vector<float> wanted = {1, 4, 2, 5, 3, 6};
  std::vector<float> vector(6);
  CHECK(try_copy(columns, vector, rows, src) && vector == wanted);
  std::array<float, 6> array{};
  CHECK(try_copy(columns, array, rows, src) && std::vector<float>(array.begin(), array.end()) == wanted);
  float plain[6] = {};
  CHECK(try_copy(columns, plain, rows, src) && std::vector<float>(plain, plain + 6) == wanted);
  const auto owned = std::make_unique<float[]>(6);
  CHECK(try_copy(columns, {owned.get(), 6}, rows, src) && owned[1] == 4.0f);
  float square[2][3] = {};
  CHECK(try_copy(rows, square, columns, wanted) && square[1][0] == 4.0f);
  unsigned char raw[24];
  CHECK(try_copy(columns, raw, rows, src) && std::memcmp(raw, wanted.data(), 24) == 0);
  CHECK(try_copy(columns, {static_cast<void *>(raw), 24}, rows, src).has_value());
  CHECK(try_copy(columns, {static_cast<void *>(raw), UINT64_MAX}, rows, src).has_value());
#if defined(__cpp_lib_span)
  CHECK(try_copy(columns, std::span<float>(vector), rows, std::span<const float>(src)).has_value());
#endif
  // One side left out.
  std::vector<float> back(6);
  CHECK(try_copy(packed, back, columns, vector) && std::memcmp(back.data(), src, sizeof src) == 0);
  CHECK(try_copy(columns, vector, packed, src) && vector == wanted);
  CHECK(try_copy(packed, vector, packed, src).status() == STRIDE_STATUS_NULL_POINTER);
  // No element, no memory.
  const layout empty = *layout::try_make(F32, {0, 3});
  CHECK(try_copy(empty, {}, empty, {}).has_value());
  // Too short by one element.
  const auto shorter = try_copy(columns, {vector.data(), 5}, rows, src);
  CHECK(shorter.status() == STRIDE_STATUS_OUT_OF_BOUNDS && shorter.record().lhs == 24 && shorter.record().rhs == 20);
  CHECK_THROWS(STRIDE_STATUS_OUT_OF_BOUNDS, (copy(columns, {vector.data(), 5}, rows, src), 0));
  CHECK_THROWS(STRIDE_STATUS_SHAPE_MISMATCH, (copy(columns, vector, layout(F32, {3, 2}), src), 0));
}

/// Whether memory of T is taken for a layout of this type; 240 bytes of it.
template <class T>
bool takes(dtype type) {
  std::vector<T> dst(240 / sizeof(T)), src(240 / sizeof(T));
  const layout row = *layout::try_make(type, {15});
  const auto copied = try_copy(row, dst, row, src);
  CHECK(copied || copied.status() == STRIDE_STATUS_DTYPE_MISMATCH);
  return copied.has_value();
}

void types() {
  CHECK(takes<float>(F32) && !takes<float>(S32) && !takes<float>(F64) && takes<float>(bytes(4)) && !takes<float>(U32));
  CHECK(takes<uint16_t>(BF16) && takes<uint16_t>(F16) && takes<uint16_t>(S16) && !takes<uint16_t>(F32));
  CHECK(takes<uint32_t>(F32) && takes<uint64_t>(C64) && !takes<int16_t>(BF16) && !takes<int32_t>(F32));
  CHECK(takes<unsigned char>(F64) && takes<char>(S4) && takes<std::byte>(bytes(3)) && takes<unsigned char>(BF16));
  CHECK(takes<signed char>(S8) && !takes<signed char>(U8) && !takes<signed char>(S4));
  CHECK(takes<std::complex<float>>(C64) && !takes<std::complex<float>>(C128) && !takes<double>(S64));
  // A struct without a dtype is plain bytes.
  CHECK(takes<pixel>(bytes(3)) && !takes<pixel>(U8) && takes<pixel>(bytes(3)) && !takes<pixel>(bytes(4)));
  std::vector<float> dst(3), src(3);
  const layout doubles = *layout::try_make(F64, {1});
  const auto wrong = try_copy(doubles, dst, doubles, src);
  CHECK(std::string(wrong.error().what()) == "dst: dtype is f32 but must be f64");
  CHECK(std::string(try_copy(packed, memory(dst).untyped(), doubles, src).error().what()) ==
        "src: dtype is f32 but must be f64");
}

void fills() {
  const layout rows = *layout::try_make(F32, {2, 3}, {4, 1});
  std::vector<float> dst(7, 1.0f);
  CHECK(try_fill(rows, dst, 2.5f) && dst == std::vector<float>({2.5f, 2.5f, 2.5f, 1.0f, 2.5f, 2.5f, 2.5f}));
  // An int, a double, a byte are no float.
  CHECK(try_fill(rows, dst, 0).status() == STRIDE_STATUS_DTYPE_MISMATCH);
  CHECK(std::string(try_fill(rows, dst, 0.0).error().what()) == "value: dtype is f64 but must be f32");
  CHECK(try_fill(rows, dst, static_cast<unsigned char>(0)).status() == STRIDE_STATUS_DTYPE_MISMATCH);
  std::vector<double> doubles(9);
  CHECK(try_fill(rows, doubles, 1.0f).status() == STRIDE_STATUS_DTYPE_MISMATCH);
  CHECK(try_fill(layout(), dst, 1.0f).status() == STRIDE_STATUS_INVALID_DTYPE);
  unsigned char nibbles[2] = {0xFF, 0xFF};
  CHECK(try_fill(*layout::try_make(U4, {3}), nibbles, static_cast<unsigned char>(5)) && nibbles[0] == 0x55 &&
        nibbles[1] == 0xF5);
  pixel image[2] = {};
  CHECK(try_fill(*layout::try_make(bytes(3), {2}), image, pixel{1, 2, 3}) && image[1].b == 3);
  CHECK_THROWS(STRIDE_STATUS_DTYPE_MISMATCH, (fill(rows, dst, 0), 0));

  CHECK(*try_compare(rows, dst, rows, dst) == -1);
  std::vector<float> other = dst;
  other[5] = 0;
  CHECK(*try_compare(rows, dst, rows, other) == 4);
  CHECK(try_compare(rows, dst, *layout::try_make(F64, {2, 3}), std::vector<double>(6)).status() ==
        STRIDE_STATUS_DTYPE_MISMATCH);
  CHECK(try_compare(rows, std::vector<int>(7), rows, dst).record().argument == STRIDE_ARGUMENT_LHS);
  CHECK(try_compare(rows, dst, rows, std::vector<int>(7)).record().argument == STRIDE_ARGUMENT_RHS);

  // A border of 9, made in one copy.
  const layout bordered = *layout::try_make(S32, {4, 4});
  const layout inside = *bordered.try_crop({1, 1}, {2, 2});
  const std::vector<int> small = {1, 2, 3, 4};
  std::vector<int> big(16);
  CHECK(try_copy(inside, big, packed, small, options().fill_buffer(9)) && big[0] == 9 && big[5] == 1 && big[10] == 4 &&
        big[15] == 9);

  // Within one buffer: rolled by one, which no direction of travel could do for a transpose.
  std::vector<int> same = {1, 2, 3, 4, 5};
  const layout row = *layout::try_make(S32, {5});
  const layout front = *row.try_crop({0}, {4}), back = *row.try_crop({1}, {4});
  CHECK(try_copy(back, same, front, same).status() == STRIDE_STATUS_OVERLAP);
  CHECK(try_copy(back, same, front, same, options().allow_overlap()) && same == std::vector<int>({1, 1, 2, 3, 4}));
  std::vector<int> square = {1, 2, 3, 4}, scratch(4);
  const layout rows2 = *layout::try_make(S32, {2, 2}), columns2 = *rows2.try_permute({1, 0});
  CHECK(try_copy(columns2, square, rows2, square, options().allow_overlap()).status() == STRIDE_STATUS_SCRATCH_NEEDED);
  CHECK(try_copy(columns2, square, rows2, square, options().allow_overlap(), scratch) &&
        square == std::vector<int>({1, 3, 2, 4}));
  CHECK(options().keep_cached().little_stack().assume_distinct().flags == (8 | 16 | 1));
  CHECK(options().limit_cpu(1).limit_overlap(7).cpu_level == 1 && options().limit_overlap(7).overlap_budget == 7);
}

/// A layout of these sizes whose elements lie in any order and direction, with gaps, and from an offset on.
layout placed(random_numbers &random, dtype type, const dims &sizes) {
  int64_t strides[8] = {}, offset = random.in(0, 3), step = random.in(1, 2);
  uint32_t order[8];
  const auto rank = static_cast<uint32_t>(sizes.size());
  for (uint32_t k = 0; k < rank; k++) order[k] = k;
  for (uint32_t k = rank; k-- > 1;) std::swap(order[k], order[random.in(0, k)]);
  for (uint32_t k = 0; k < rank; k++) {
    const uint32_t dim = order[k];
    const bool mirrored = random.next() % 4 == 0;
    strides[dim] = mirrored ? -step : step;
    if (mirrored && sizes[dim] > 0) offset += step * (sizes[dim] - 1);
    step = step * (sizes[dim] > 0 ? sizes[dim] : 1) + random.in(0, 1) * random.in(0, 3);
  }
  return *layout::try_make(type, sizes, list(strides, rank), offset);
}

template <class T>
void random_copy(random_numbers &random) {
  dims sizes(static_cast<uint32_t>(random.in(0, 4)));
  for (std::size_t k = 0; k < sizes.size(); k++) sizes.data()[k] = random.in(random.next() % 16 == 0 ? 0 : 1, 7);
  const dtype type = dtype_of_v<T>;
  const layout to = placed(random, type, sizes), from = placed(random, type, sizes);
  std::vector<T> dst(static_cast<std::size_t>(*to.try_min_bytes()) / sizeof(T) + 2), src(
      static_cast<std::size_t>(*from.try_min_bytes()) / sizeof(T));
  for (auto &element : dst) element = static_cast<T>(random.next() % 100);
  for (auto &element : src) element = static_cast<T>(random.next() % 100);
  std::vector<T> naive = dst;
  const int64_t elements = *to.try_elements();
  int64_t index[8] = {};
  for (int64_t k = 0; k < elements; k++) {
    int64_t d = to.offset, s = from.offset;
    for (std::size_t i = 0; i < sizes.size(); i++) d += index[i] * to.strides[i], s += index[i] * from.strides[i];
    naive[static_cast<std::size_t>(d)] = src[static_cast<std::size_t>(s)];
    for (std::size_t i = sizes.size(); i-- > 0 && ++index[i] == sizes[i];) index[i] = 0;
  }
  const auto copied = try_copy(to, dst, from, src);
  CHECK(copied && dst == naive);
  if (elements > 0) CHECK(*try_compare(to, dst, from, src) == -1);
}

}  // namespace

void test_copies() {
  memory_of_all_kinds();
  types();
  fills();
  random_numbers random(1);
  for (int k = 0; k < 2500; k++) {
    random_copy<unsigned char>(random);
    random_copy<uint16_t>(random);
    random_copy<float>(random);
    random_copy<double>(random);
  }
}
