// Runs as a range: sums over operands of several layouts against a loop over all indices.
#include <vector>

#include "check.hpp"

using namespace stride;

namespace {

/// Adds the runs of `c[i] = a[i] + b[i]` that are left.
void add(runs<3> &left, float *c, const float *a, const float *b) {
  const auto strides = left.try_strides();
  CHECK(strides.has_value());
  run<3> one{};
  one.strides = *strides;
  while (left.next(one) == STRIDE_STATUS_OK && one.elements > 0) {
    float *to = one.at(0, c);
    const float *from = one.at(1, a), *other = one.at(2, b);
    for (uint64_t k = 0; k < one.elements; k++) {
      *to = *from + *other;
      to += one.strides[0] / 4, from += one.strides[1] / 4, other += one.strides[2] / 4;
    }
  }
}

void sums() {
  const layout out = *layout::try_make(F32, {40, 30});
  const auto operands = try_broadcast(out, *out.try_flip({1}), *layout::try_make(F32, {30}));
  std::vector<float> a(1200), b(30), wanted(1200), c(1200);
  for (std::size_t k = 0; k < 1200; k++) a[k] = static_cast<float>(k);
  for (std::size_t k = 0; k < 30; k++) b[k] = static_cast<float>(1000 * k);
  for (std::size_t i = 0; i < 40; i++) {
    for (std::size_t j = 0; j < 30; j++) wanted[i * 30 + j] = a[i * 30 + 29 - j] + b[j];
  }
  const auto all = runs<3>::try_make(*operands);
  CHECK(all.has_value());
  runs<3> left = *all;
  add(left, c.data(), a.data(), b.data());
  CHECK(c == wanted);

  // In parts, each element once.
  c.assign(1200, 0);
  for (uint32_t part = 0; part < 3; part++) {
    auto share = all->try_part(part, 3);
    CHECK(share.has_value());
    add(*share, c.data(), a.data(), b.data());
  }
  CHECK(c == wanted && all->try_part(3, 3).status() == STRIDE_STATUS_INVALID_ARGUMENT);

  c.assign(1200, 0);
  uint64_t elements = 0;
  runs<3> again = *all;
  for (const auto &run : again) {
    elements += run.elements;
    for (uint64_t k = 0; k < run.elements; k++) {
      const auto step = static_cast<int64_t>(k);
      run.at(0, c.data())[step * run.strides[0] / 4] =
          run.at(1, a.data())[step * run.strides[1] / 4] + run.at(2, b.data())[step * run.strides[2] / 4];
    }
  }
  CHECK(elements == 1200 && c == wanted);
  // They are walked once.
  for (const auto &run : again) CHECK(run.elements == 0);

#ifndef STRIDE_NO_EXCEPTIONS
  elements = 0;
  for (auto run : runs(out, *out.try_permute({0, 1}))) elements += run.elements;
  CHECK(elements == 1200 && runs(*operands).strides() == *all->try_strides());
#endif
  // No elements, one element, other sizes, no runs at all.
  auto none = *runs<1>::try_make(*layout::try_make(F32, {0, 3}));
  for (const auto &run : none) CHECK(run.elements == 12345);
  auto scalar = *runs<2>::try_make(*layout::try_make(F32, {}, {}, 3), *layout::try_make(U8, {}));
  int times = 0;
  for (const auto &run : scalar) CHECK(++times == 1 && run.elements == 1 &&
                                         run.offsets[0] == 12 && run.offsets[1] == 0);
  CHECK(times == 1);
  CHECK(runs<2>::try_make(out, *layout::try_make(F32, {2})).status() == STRIDE_STATUS_SHAPE_MISMATCH);
  CHECK(runs<1>::try_make(*layout::try_make(S4, {2})).status() == STRIDE_STATUS_UNSUPPORTED);
  runs<2> nothing;
  run<2> one{};
  CHECK(nothing.next(one) == STRIDE_STATUS_INVALID_ARGUMENT && !nothing.try_strides());
  CHECK_THROWS(STRIDE_STATUS_INVALID_ARGUMENT, nothing.begin());
  CHECK_THROWS(STRIDE_STATUS_SHAPE_MISMATCH, runs(out, layout(F32, {2})));
}

}  // namespace

void test_runs() { sums(); }
