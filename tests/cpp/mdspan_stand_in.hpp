// What stride.hpp uses of std::mdspan, with the names and meanings of C++23, for compilers whose library has none. No
// replacement for it: enough to run the same test.
#ifndef STRIDE_TESTS_MDSPAN_STAND_IN_HPP
#define STRIDE_TESTS_MDSPAN_STAND_IN_HPP

#include <array>
#include <cstddef>
#include <cstdint>

namespace stand_in {

inline constexpr std::size_t dynamic_extent = static_cast<std::size_t>(-1);

template <class Index, std::size_t... Sizes>
class extents {
 public:
  using index_type = Index;
  using rank_type = std::size_t;
  static constexpr rank_type rank() noexcept { return sizeof...(Sizes); }
  static constexpr std::size_t static_extent(rank_type r) noexcept {
    constexpr std::array<std::size_t, sizeof...(Sizes) + 1> all{{Sizes..., 0}};
    return all[r];
  }
  constexpr extents() noexcept = default;
  constexpr explicit extents(const std::array<Index, sizeof...(Sizes)> &sizes) noexcept : sizes_(sizes) {}
  constexpr Index extent(rank_type r) const noexcept { return sizes_[r]; }

 private:
  std::array<Index, sizeof...(Sizes)> sizes_{};
};

// Three dimensions and fewer are enough here.
template <class Index, std::size_t Rank>
struct dynamic;
template <class Index>
struct dynamic<Index, 0> {
  using type = extents<Index>;
};
template <class Index>
struct dynamic<Index, 1> {
  using type = extents<Index, dynamic_extent>;
};
template <class Index>
struct dynamic<Index, 2> {
  using type = extents<Index, dynamic_extent, dynamic_extent>;
};
template <class Index>
struct dynamic<Index, 3> {
  using type = extents<Index, dynamic_extent, dynamic_extent, dynamic_extent>;
};
template <class Index, std::size_t Rank>
using dextents = typename dynamic<Index, Rank>::type;

/// Row-major, or column-major.
template <class Extents, bool Right>
class packed_mapping {
 public:
  using extents_type = Extents;
  constexpr explicit packed_mapping(const Extents &sizes) noexcept : sizes_(sizes) {}
  constexpr const Extents &extents() const noexcept { return sizes_; }
  static constexpr bool is_strided() noexcept { return true; }
  constexpr auto stride(std::size_t r) const noexcept {
    typename Extents::index_type product = 1;
    for (std::size_t k = Right ? r + 1 : 0; k < (Right ? Extents::rank() : r); k++) product *= sizes_.extent(k);
    return product;
  }

 private:
  Extents sizes_;
};
struct layout_right {
  template <class Extents>
  using mapping = packed_mapping<Extents, true>;
};
struct layout_left {
  template <class Extents>
  using mapping = packed_mapping<Extents, false>;
};
struct layout_stride {
  template <class Extents>
  class mapping {
   public:
    using extents_type = Extents;
    using strides_type = std::array<typename Extents::index_type, Extents::rank()>;
    constexpr mapping(const Extents &sizes, const strides_type &strides) noexcept : sizes_(sizes), strides_(strides) {}
    constexpr const Extents &extents() const noexcept { return sizes_; }
    static constexpr bool is_strided() noexcept { return true; }
    constexpr auto stride(std::size_t r) const noexcept { return strides_[r]; }

   private:
    Extents sizes_;
    strides_type strides_;
  };
};

template <class T>
struct default_accessor {};

template <class T, class Extents, class Layout = layout_right, class Accessor = default_accessor<T>>
class mdspan {
 public:
  using element_type = T;
  using accessor_type = Accessor;
  using extents_type = Extents;
  using index_type = typename Extents::index_type;
  using rank_type = typename Extents::rank_type;
  using mapping_type = typename Layout::template mapping<Extents>;
  static constexpr rank_type rank() noexcept { return Extents::rank(); }
  constexpr mdspan(T *data, const mapping_type &mapping) noexcept : data_(data), mapping_(mapping) {}
  constexpr T *data_handle() const noexcept { return data_; }
  constexpr const mapping_type &mapping() const noexcept { return mapping_; }
  constexpr index_type extent(rank_type r) const noexcept { return mapping_.extents().extent(r); }
  constexpr index_type stride(rank_type r) const noexcept { return mapping_.stride(r); }
  constexpr bool is_strided() const noexcept { return mapping_.is_strided(); }

 private:
  T *data_;
  mapping_type mapping_;
};

}  // namespace stand_in

#endif
