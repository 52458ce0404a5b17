// std::mdspan, both ways; where the compiler's library has none, a stand-in of this test's own.
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
  const auto distant = try_to_mdspan<strided<float, int, 2>>(*layout::try_make(F32, {1, 3}, {1, 1000000000}), data.data());
  CHECK(distant && distant->stride(0) == 1 && distant->stride(1) == 1000000000);
  // A half of one's own travels as its bits.
  std::vector<uint16_t> halves(6);
  CHECK((try_to_mdspan<strided<uint16_t, long, 2>>(*layout::try_make(BF16, {2, 3}), halves.data()).has_value()));
}

}  // namespace

void test_mdspan() {
  std::printf("mdspan: with %s\n", whose);
  to_layouts();
  to_mdspans();
}
