// std::mdspan, both ways; where the compiler's library has none, a stand-in of this test's own.
#include <utility>
#include <vector>

#include "check.hpp"
#if defined(__cpp_lib_mdspan)
#include <mdspan>
namespace md = std;
constexpr const char *whose = "std::mdspan";
constexpr std::size_t any = std::dynamic_extent;
#else
#include "mdspan_stand_in.hpp"
namespace md = stand_in;
constexpr const char *whose = "the test's own stand-in for std::mdspan";
constexpr std::size_t any = md::dynamic_extent;
#endif

using namespace stride;

namespace {

template <class T, class Index, std::size_t Rank>
using strided = md::mdspan<T, md::dextents<Index, Rank>, md::layout_stride>;

/// A row that runs backwards, index 0 at its end: a strided layout whose first element is not at the pointer.
struct backwards {
  template <class Extents>
  class mapping {
   public:
    using extents_type = Extents;
    using index_type = typename Extents::index_type;
    using size_type = std::size_t;
    using rank_type = typename Extents::rank_type;
    using layout_type = backwards;
    constexpr explicit mapping(const Extents &sizes) noexcept : sizes_(sizes) {}
    constexpr const Extents &extents() const noexcept { return sizes_; }
    constexpr index_type operator()(index_type i) const noexcept {
      return static_cast<index_type>(sizes_.extent(0) - 1 - i);
    }
    constexpr index_type required_span_size() const noexcept { return sizes_.extent(0); }
    static constexpr bool is_always_unique() noexcept { return true; }
    static constexpr bool is_always_exhaustive() noexcept { return true; }
    static constexpr bool is_always_strided() noexcept { return true; }
    static constexpr bool is_unique() noexcept { return true; }
    static constexpr bool is_exhaustive() noexcept { return true; }
    static constexpr bool is_strided() noexcept { return true; }
    constexpr index_type stride(rank_type) const noexcept { return -1; }
    friend constexpr bool operator==(const mapping &one, const mapping &other) noexcept {
      return one.sizes_.extent(0) == other.sizes_.extent(0);
    }

   private:
    Extents sizes_;
  };
};

/// The same as one whose mapping does not say that it has strides.
struct unstrided {
  template <class Extents>
  class mapping : public backwards::mapping<Extents> {
   public:
    using layout_type = unstrided;
    using backwards::mapping<Extents>::mapping;
    static constexpr bool is_always_strided() noexcept { return false; }
    static constexpr bool is_strided() noexcept { return false; }
  };
};

void to_layouts() {
  std::vector<float> data(24);
  using three = md::dextents<int, 3>;
  const three sizes(std::array<int, 3>{{2, 3, 4}});
  const md::mdspan<float, three> right(data.data(), md::layout_right::mapping<three>(sizes));
  const md::mdspan<const float, three, md::layout_left> left(data.data(), md::layout_left::mapping<three>(sizes));
  CHECK(*layout::try_of(right) == *layout::try_make(F32, {2, 3, 4}));
  CHECK(*layout::try_of(left) == *layout::try_make(F32, {2, 3, 4}, {1, 2, 6}));
  const md::layout_stride::mapping<three> gaps(sizes, std::array<int, 3>{{100, 30, 7}});
  const md::mdspan<float, three, md::layout_stride> far_apart(data.data(), gaps);
  CHECK(*layout::try_of(far_apart) == *layout::try_make(F32, {2, 3, 4}, {100, 30, 7}));
  CHECK(*layout::try_of(far_apart, BF16) == *layout::try_make(BF16, {2, 3, 4}, {100, 30, 7}));
  using none = md::extents<int>;
  const md::mdspan<double, none> scalar(nullptr, md::layout_right::mapping<none>(none()));
  CHECK(*layout::try_of(scalar) == *layout::try_make(F64, {}));
  using one = md::dextents<int, 1>;
  for (const int size : {1, 5, 0}) {
    const backwards::mapping<one> mapping(one(std::array<int, 1>{{size}}));
    const md::mdspan<float, one, backwards> row(data.data(), mapping);
    CHECK(*layout::try_of(row) == *layout::try_make(F32, {size}, {-1}, size == 0 ? 0 : size - 1));
  }
  WITH_EXCEPTIONS(CHECK(layout::of(left) == *layout::try_of(left) && layout::of(left, S32).type() == S32);)
}

template <class Mdspan>
stride_error refusal(const layout &from) {
  typename Mdspan::element_type *const nowhere = nullptr;
  const auto made = try_to_mdspan<Mdspan>(from, nowhere);
  CHECK(!made);
  return made.record();
}

void to_mdspans() {
  std::vector<float> data(60);
  for (std::size_t k = 0; k < data.size(); k++) data[k] = static_cast<float>(k);
  // A crop of NHWC: its offset goes into the pointer.
  const layout crop = *layout::try_channels_last(F32, {3, 4, 5})->try_crop({1, 1, 2}, {2, 3, 3});
  const auto view = try_to_mdspan<strided<float, int, 3>>(crop, data.data());
  CHECK(view.has_value());
  bool same = true;
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 3; j++) {
      for (int k = 0; k < 3; k++) {
        const int there = i * view->stride(0) + j * view->stride(1) + k * view->stride(2);
        same = same && view->data_handle() + there == data.data() + *crop.try_offset_of({i, j, k});
      }
    }
  }
  CHECK(same && view->extent(0) == 2 && view->extent(2) == 3);
  // There and back.
  layout at_start = crop;
  at_start.offset = 0;
  CHECK(*layout::try_of(*view) == at_start);
  WITH_EXCEPTIONS(CHECK((to_mdspan<strided<const float, int, 3>>(crop, data.data()).stride(0) == crop.strides[0]));)

  // What a mapping cannot say: mirrored, repeated, two indices for one element, interleaved.
  const auto mirrored = refusal<strided<float, int, 2>>(*layout::try_make(F32, {2, 3}, {-3, 1}, 3));
  CHECK(mirrored.status == STRIDE_STATUS_NOT_REPRESENTABLE && mirrored.dimension == 0);
  CHECK(sentence(mirrored) == "layout, dimension 0: stride -3 is negative");
  CHECK(refusal<strided<float, int, 2>>(*layout::try_make(F32, {2, 3}, {1, 0})).status ==
        STRIDE_STATUS_NOT_REPRESENTABLE);
  CHECK(refusal<strided<float, int, 2>>(*layout::try_make(F32, {5, 4}, {3, 4})).status ==
        STRIDE_STATUS_NOT_REPRESENTABLE);
  // Other ranks, dtypes, static sizes; an index that is too small.
  const layout matrix = *layout::try_make(F32, {2, 300});
  CHECK(refusal<strided<float, int, 3>>(matrix).status == STRIDE_STATUS_INVALID_RANK);
  CHECK(refusal<strided<double, int, 2>>(matrix).status == STRIDE_STATUS_DTYPE_MISMATCH);
  CHECK(refusal<strided<unsigned char, int, 2>>(matrix).status == STRIDE_STATUS_DTYPE_MISMATCH);
  CHECK(refusal<strided<float, signed char, 2>>(matrix).status == STRIDE_STATUS_OVERFLOW);
  const auto narrow = refusal<strided<float, signed char, 2>>(*layout::try_make(F32, {100, 2}));
  CHECK(narrow.status == STRIDE_STATUS_OVERFLOW && narrow.dimension == 0);
  CHECK(sentence(narrow) == "layout, dimension 0: 200 elements are more than the maximum of 127");
  CHECK((refusal<md::mdspan<float, md::extents<int, any, 200>, md::layout_stride>>(matrix).dimension == 1));
  CHECK((try_to_mdspan<md::mdspan<float, md::extents<int, 2, any>, md::layout_stride>>(matrix, data.data())
             .has_value()));
  CHECK(refusal<strided<float, int, 2>>(layout()).status == STRIDE_STATUS_INVALID_DTYPE);
  CHECK((try_to_mdspan<strided<float, signed char, 2>>(*layout::try_make(F32, {2, 3}, {100, 1}), data.data())
             .has_value()));
  CHECK_THROWS(STRIDE_STATUS_INVALID_RANK, to_mdspan<strided<float, int, 3>>(matrix, data.data()));

  // Strides that say nothing become some that a mapping may have; sizes of 0, rank 0.
  const auto ones = try_to_mdspan<strided<float, int, 3>>(*layout::try_make(F32, {1, 3, 1}, {-7, 4, 0}), data.data());
  CHECK(ones && ones->stride(0) == 12 && ones->stride(1) == 4 && ones->stride(2) == 1);
  const auto empty =
      try_to_mdspan<strided<float, int, 3>>(*layout::try_make(F32, {2, 3, 0}, {0, 0, 0}, 9), data.data());
  CHECK(empty && empty->stride(0) == 3 && empty->stride(1) == 1 && empty->stride(2) == 1);
  CHECK(empty->data_handle() == data.data());
  const auto scalar = try_to_mdspan<strided<float, int, 0>>(*layout::try_make(F32, {}, {}, 7), data.data());
  CHECK(scalar && scalar->data_handle() == data.data() + 7);
  // A stride that says nothing need not fit the mapping's type as that of a packed layout would.
  const layout billions = *layout::try_make(F32, {1, 3}, {1, 1000000000});
  const auto distant = try_to_mdspan<strided<float, int, 2>>(billions, data.data());
  CHECK(distant && distant->stride(0) == 1 && distant->stride(1) == 1000000000);
  // A half of one's own travels as its bits.
  std::vector<uint16_t> halves(6);
  CHECK((try_to_mdspan<strided<uint16_t, long, 2>>(*layout::try_make(BF16, {2, 3}), halves.data()).has_value()));
}

struct pixel {
  unsigned char r, g, b;
};

/// What multiplies as it reads; its pointer is one to the elements.
template <class T>
struct doubling {
  using offset_policy = doubling;
  using element_type = T;
  using reference = T;
  using data_handle_type = T *;
  constexpr reference access(data_handle_type data, std::size_t at) const noexcept {
    return static_cast<T>(2 * data[at]);
  }
  constexpr data_handle_type offset(data_handle_type data, std::size_t at) const noexcept { return data + at; }
};
using matrix_of_int = md::dextents<int, 2>;
static_assert(detail::has_plain_access<md::mdspan<float, matrix_of_int>>::value);
static_assert(detail::has_plain_access<md::mdspan<const float, matrix_of_int, md::layout_left>>::value);
static_assert(!detail::has_plain_access<md::mdspan<float, matrix_of_int, md::layout_left, doubling<float>>>::value);
static_assert(!detail::is_mdspan<std::vector<float>>::value && !detail::is_mdspan<layout>::value);

void copies() {
  // Rows to columns, which both have no gaps.
  using three = md::dextents<int, 3>;
  using fixed = md::extents<long, 2, any, 4>;
  std::vector<float> from(24), to(24);
  for (std::size_t k = 0; k < from.size(); k++) from[k] = static_cast<float>(k);
  const md::mdspan<const float, three> right(from.data(),
                                             md::layout_right::mapping<three>(three(std::array<int, 3>{{2, 3, 4}})));
  const fixed sizes(std::array<long, 3>{{2, 3, 4}});
  const md::mdspan<float, fixed, md::layout_left> left(to.data(), md::layout_left::mapping<fixed>(sizes));
  CHECK(try_copy(left, right).has_value());
  bool same = true;
  for (std::size_t i = 0; i < 2; i++) {
    for (std::size_t j = 0; j < 3; j++) {
      for (std::size_t k = 0; k < 4; k++) same = same && to[i + 2 * j + 6 * k] == from[12 * i + 4 * j + k];
    }
  }
  CHECK(same);
  // Sizes that differ; nothing is written then.
  const std::vector<float> before = to;
  const md::mdspan<const float, three> other(from.data(),
                                             md::layout_right::mapping<three>(three(std::array<int, 3>{{2, 2, 4}})));
  const auto differ = try_copy(left, other);
  CHECK(differ.status() == STRIDE_STATUS_SHAPE_MISMATCH && to == before);
  CHECK(sentence(differ.record()) == "src_layout, dimension 1: size is 2, but it is 3 in dst_layout");
  CHECK_THROWS(STRIDE_STATUS_SHAPE_MISMATCH, stride::copy(left, other));
  WITH_EXCEPTIONS(copy(left, right); CHECK(to == before);)

  // A row that runs backwards; the same memory on both sides; a mapping without strides.
  using one = md::dextents<int, 1>;
  const one five(std::array<int, 1>{{5}});
  std::vector<float> row(5);
  const md::mdspan<float, one> forward(row.data(), md::layout_right::mapping<one>(five));
  const md::mdspan<float, one, backwards> mirrored(row.data(), backwards::mapping<one>(five));
  const md::mdspan<const float, one> first_five(from.data(), md::layout_right::mapping<one>(five));
  CHECK(try_copy(mirrored, first_five).has_value() && row == std::vector<float>({4, 3, 2, 1, 0}));
  CHECK(try_copy(forward, mirrored).status() == STRIDE_STATUS_OVERLAP);
  std::vector<unsigned char> scratch(5 * sizeof(float));
  CHECK(try_copy(forward, mirrored, options().allow_overlap(), scratch).has_value());
  CHECK(row == std::vector<float>({0, 1, 2, 3, 4}));
  const md::mdspan<float, one, unstrided> knotted(row.data(), unstrided::mapping<one>(five));
  const auto refused = try_copy(knotted, first_five);
  CHECK(refused.status() == STRIDE_STATUS_NOT_REPRESENTABLE);
  CHECK(refused.record().argument == STRIDE_ARGUMENT_DST_LAYOUT);
  CHECK(try_copy(forward, knotted).record().argument == STRIDE_ARGUMENT_SRC_LAYOUT);

  // Structs without a dtype are moved as their bytes; a scalar; no elements, no memory.
  const pixel colours[2] = {{1, 2, 3}, {4, 5, 6}};
  pixel turned[2] = {};
  const one two(std::array<int, 1>{{2}});
  const md::mdspan<const pixel, one> pair(colours, md::layout_right::mapping<one>(two));
  const md::mdspan<pixel, one, backwards> written(turned, backwards::mapping<one>(two));
  CHECK(try_copy(written, pair) && turned[0].r == 4 && turned[1].b == 3);
  using none = md::extents<int>;
  const double source = 7;
  double scalar = 0;
  CHECK(try_copy(md::mdspan<double, none>(&scalar, md::layout_right::mapping<none>(none())),
                 md::mdspan<const double, none>(&source, md::layout_right::mapping<none>(none()))) &&
        scalar == 7.0);
  const one nothing(std::array<int, 1>{{0}});
  const md::mdspan<float, one> empty(nullptr, md::layout_right::mapping<one>(nothing));
  CHECK(try_copy(empty, empty).has_value());

  // Random strides in any order, with gaps, beside the loop over all indices.
  random_numbers random(7);
  for (int round = 0; round < 1000; round++) {
    const std::array<int, 3> extents{
        {static_cast<int>(random.in(0, 5)), static_cast<int>(random.in(1, 6)), static_cast<int>(random.in(1, 7))}};
    std::array<int, 3> strides[2];
    int reach[2] = {};
    for (int side = 0; side < 2; side++) {
      int order[3] = {0, 1, 2}, step = static_cast<int>(random.in(1, 3));
      for (std::size_t k = 3; k > 1; k--) std::swap(order[k - 1], order[random.next() % k]);
      for (const int dimension : order) {
        const auto d = static_cast<std::size_t>(dimension);
        strides[side][d] = step;
        reach[side] += extents[d] > 0 ? (extents[d] - 1) * step : 0;
        step = step * (extents[d] > 0 ? extents[d] : 1) + static_cast<int>(random.in(0, 2));
      }
    }
    std::vector<int> values(static_cast<std::size_t>(reach[1] + 1)), result(static_cast<std::size_t>(reach[0] + 1), -1);
    for (std::size_t k = 0; k < values.size(); k++) values[k] = static_cast<int>(k);
    std::vector<int> wanted = result;
    for (int i = 0; i < extents[0]; i++) {
      for (int j = 0; j < extents[1]; j++) {
        for (int k = 0; k < extents[2]; k++) {
          const auto at = [&](int side) {
            return static_cast<std::size_t>(i * strides[side][0] + j * strides[side][1] + k * strides[side][2]);
          };
          wanted[at(0)] = values[at(1)];
        }
      }
    }
    const strided<int, int, 3> dst(result.data(), md::layout_stride::mapping<three>(three(extents), strides[0]));
    const strided<const int, int, 3> src(values.data(), md::layout_stride::mapping<three>(three(extents), strides[1]));
    CHECK(try_copy(dst, src) && result == wanted);
  }
}

}  // namespace

void test_mdspan() {
  std::printf("mdspan: with %s\n", whose);
  to_layouts();
  to_mdspans();
  copies();
}
