// stride.hpp: libstride for C++17 and later. Header only, over stride.h, stride_runs.h, stride_xla.h, stride_interop.h,
// whose comments are the manual: each function here names the C function that it calls, or has its name.
// SPDX-License-Identifier: MIT OR Apache-2.0
//
//   #include <stride.hpp>
//   using namespace stride;
//   layout nchw(F32, {1, 3, 224, 224}), nhwc = layout::channels_last(F32, {1, 3, 224, 224});
//   copy(nchw, planes, nhwc, pixels);                                // std::vector<float>, arrays, spans, raw memory
//   layout centre = nchw.crop({0, 0, 16, 16}, {1, 3, 192, 192}).flip({-1}).permute({0, 2, 3, 1});
//
// I want to ...                                         Name
//   describe a tensor                                     layout, layout::ordered, channels_last, pitched, padded, ...
//   view it otherwise                                     crop, flip, permute, slice, reshape, window, ...: by value
//   ask about it                                          elements, min_bytes, offset_of, query, is_contiguous, ==, ...
//   copy, fill, compare                                   copy, fill, compare
//   convert on the way, (x - a) * b + c                   options().convert(conversion().affine(a, b, c))
//   copy many times, or on several threads                plan: execute, execute_part, run(..., parts, threads{})
//   run my own loop over several tensors                  for (auto run : runs(a, b, c))
//   copy one std::mdspan to another                       copy(dst, src)
//   take and give std::mdspan                             layout::of(mdspan), to_mdspan<Mdspan>(layout, pointer)
//   XLA's shapes, tiles, blocked formats                  xla::shape
//   scale factors and other blocks in any order           blocked
//   take rows by a list, roll, pad; a range of elements   side(layout).runs(dimension, list), side(layout).range(...)
//   take DLPack's and DirectML's tensors                  layout::from_dlpack, layout::from_dml
//
// Rules
//
// Values. layout, plan, runs, options, conversion, requirements, xla::shape and blocked are the C structs with
// functions: with their bytes, trivially copyable, accepted by every C function that takes the struct, zeros at first.
// Only functions that return std::string or std::vector, and threads, allocate; nothing else is owned.
//
// Errors. A function that can fail has two forms, name(...), which throws stride::error, and try_name(...), which
// returns result<T> and does not throw (except bad_alloc, if it allocates, and an executor's own exceptions). A
// constructor's other form is try_make. Both carry the library's record and sentence. Without exceptions
// (-fno-exceptions, or STRIDE_NO_EXCEPTIONS defined) only the second forms exist.
//
// Lists. A list of numbers is {1, 2, 3}, an array, vector, std::span or any other object with data() and size() of
// int64_t. An empty list is C's NULL. A wrong number of entries is INVALID_RANK.
//
// Memory. A tensor's memory is an object with data() and size(), an array, or a pointer with its number of elements.
// The type of its elements must be the layout's: float for F32. Unsigned integers of 16 bits and more serve for every
// dtype as wide as they are; char, unsigned char, std::byte and memory(void *, bytes) serve for all. A plan has no
// dtype, so its memory is not checked.

#ifndef STRIDE_HPP
#define STRIDE_HPP

#include <array>
#include <atomic>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "stride.h"
#include "stride_interop.h"
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif
#include "stride_runs.h"
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
#include "stride_xla.h"

#if defined(_MSVC_LANG) ? _MSVC_LANG < 201703L : __cplusplus < 201703L
#error "stride.hpp needs C++17"
#endif

#if defined(__has_include)
#if __has_include(<version>)
#include <version>
#endif
#endif
#if defined(__cpp_lib_expected)
#include <expected>
#endif

// Casts between size_t and uint64_t have an effect on 32-bit machines.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuseless-cast"
#endif

#if !defined(STRIDE_NO_EXCEPTIONS) && !defined(__cpp_exceptions) && !defined(_CPPUNWIND)
#define STRIDE_NO_EXCEPTIONS
#endif

// MinGW's win32 thread model has <thread>, but no std::thread in it before GCC 13.
#if !defined(STRIDE_NO_THREADS) && defined(__GLIBCXX__) && !defined(_GLIBCXX_HAS_GTHREADS)
#define STRIDE_NO_THREADS
#endif

// A throwing form stands beside its try_ form, and is left out where nothing can be thrown.
#ifdef STRIDE_NO_EXCEPTIONS
#define STRIDE_THROWING(...)
#else
#define STRIDE_THROWING(...) __VA_ARGS__
#endif

// Both forms of a function whose answer is one expression, a result<type>: type name(parameters), which throws, and
// result<type> try_name(parameters). Functions that allocate may throw bad_alloc in both.
#define STRIDE_FORMS(before, after, type, name, parameters, ...)                     \
  before ::stride::result<type> try_##name parameters after noexcept(!::stride::detail::allocates<type>) { \
    return __VA_ARGS__;                                                              \
  }                                                                                  \
  STRIDE_THROWING(before type name parameters after { return (__VA_ARGS__).value(); })
#define STRIDE_CONST(type, name, parameters, ...) \
  STRIDE_FORMS([[nodiscard]], const, type, name, parameters, __VA_ARGS__)
#define STRIDE_CREATE(type, name, parameters, ...) \
  STRIDE_FORMS([[nodiscard]] static, , type, name, parameters, __VA_ARGS__)
#define STRIDE_FREE(type, name, parameters, ...) \
  STRIDE_FORMS([[nodiscard]] inline, , type, name, parameters, __VA_ARGS__)
// The throwing form of a function without an answer may be called for its effect.
#define STRIDE_CONST_VOID(name, parameters, ...) STRIDE_FORMS(, const, void, name, parameters, __VA_ARGS__)
#define STRIDE_FREE_VOID(name, parameters, ...) STRIDE_FORMS(inline, , void, name, parameters, __VA_ARGS__)

namespace stride {
// Parts of one program with and without exceptions have different functions of one name.
#ifdef STRIDE_NO_EXCEPTIONS
inline namespace without_exceptions {
#endif

// =====================================================================================================================
// Lists
// =====================================================================================================================

/// A list that somebody else owns: a pointer and a length. As a parameter it takes any object with data() and size().
template <class T>
class span {
  template <class C>
  using enable_if_range = std::enable_if_t<
      !std::is_same_v<std::remove_cv_t<std::remove_reference_t<C>>, span> &&
      std::is_convertible_v<std::remove_pointer_t<decltype(std::declval<C &>().data())> (*)[], T (*)[]> &&
      std::is_convertible_v<decltype(std::declval<C &>().size()), std::size_t>>;

 public:
  constexpr span() noexcept = default;
  constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
  template <std::size_t N>
  constexpr span(T (&array)[N]) noexcept : span(array, N) {}
  template <class C, class = enable_if_range<C>>
  constexpr span(C &&range) noexcept : span(range.data(), static_cast<std::size_t>(range.size())) {}
  /// For parameters: the entries live until the end of the full expression.
  template <class U = T, class = std::enable_if_t<std::is_const_v<U>>>
  constexpr span(std::initializer_list<std::remove_const_t<T>> entries) noexcept
      : span(entries.begin(), entries.size()) {}

  constexpr T *data() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr T *begin() const noexcept { return data_; }
  constexpr T *end() const noexcept { return data_ + size_; }
  constexpr T &operator[](std::size_t k) const noexcept { return data_[k]; }
  /// The length as C functions take it; one that does not fit is refused by them.
  constexpr uint32_t count() const noexcept { return size_ < UINT32_MAX ? static_cast<uint32_t>(size_) : UINT32_MAX; }

 private:
  T *data_ = nullptr;
  std::size_t size_ = 0;
};

/// Sizes, strides, an index, dimension numbers.
using list = span<const int64_t>;

/// A list of up to 64 numbers that a function returns.
class dims {
 public:
  dims() noexcept : size_(0) {}
  /// An entry for each dimension of a layout, still to be written.
  explicit dims(uint32_t size) noexcept : size_(size < STRIDE_MAX_RANK ? size : STRIDE_MAX_RANK) {}
  int64_t *data() noexcept { return entries_; }
  const int64_t *data() const noexcept { return entries_; }
  std::size_t size() const noexcept { return size_; }
  const int64_t *begin() const noexcept { return entries_; }
  const int64_t *end() const noexcept { return entries_ + size_; }
  int64_t operator[](std::size_t k) const noexcept { return entries_[k]; }

 private:
  uint32_t size_;
  int64_t entries_[STRIDE_MAX_RANK] = {};
};

// =====================================================================================================================
// Errors
// =====================================================================================================================

/// The reason why a function failed. The sentence is the library's, made when the error is, without allocation.
class error : public std::exception {
 public:
  explicit error(const stride_error &record) noexcept : record_(record) {
    uint64_t length = 0;
    if (stride_error_format(&record, sentence_, sizeof sentence_, &length, nullptr) != STRIDE_STATUS_OK) {
      std::strncpy(sentence_, stride_status_name(record.status), sizeof sentence_ - 1);
    }
  }
  const char *what() const noexcept override { return sentence_; }
  /// STRIDE_STATUS_...
  stride_status status() const noexcept { return record_.status; }
  /// The argument, the dimension, the rule and both numbers.
  const stride_error &record() const noexcept { return record_; }

 private:
  stride_error record_;
  char sentence_[256] = {};
};

template <class T>
class result;

namespace detail {

/// True if making a result takes memory from the heap.
template <class T>
constexpr bool allocates = std::is_same_v<T, std::string>;

/// A value that `call(T *, stride_error *)` writes, or the record that it writes instead. It begins as T{}, in its
/// place.
template <class T, class Call>
result<T> attempt(Call &&call) noexcept;

STRIDE_THROWING([[noreturn]] inline void raise(const stride_error &record) { throw error(record); })

inline stride_error record_of(stride_status status, uint32_t argument, uint64_t detail, int64_t lhs, int64_t rhs) {
  stride_error record{};
  record.status = status;
  record.argument = argument;
  record.dimension = record.item = -1;
  record.position = UINT64_MAX;
  record.detail = detail;
  record.lhs = lhs;
  record.rhs = rhs;
  return record;
}

}  // namespace detail

/// A value, or the reason why there is none. The try_ forms return it; it has the members of std::expected that they
/// need.
template <class T>
class [[nodiscard]] result {
 public:
  using value_type = T;
  result(const T &value) noexcept(std::is_nothrow_copy_constructible_v<T>)
      : held_(std::in_place_index<0>, value) {}
  result(T &&value) noexcept(std::is_nothrow_move_constructible_v<T>)
      : held_(std::in_place_index<0>, std::move(value)) {}
  /// A failure; the record's status is not OK.
  explicit result(const stride_error &record) noexcept : held_(std::in_place_index<1>, record) {}

  explicit operator bool() const noexcept { return has_value(); }
  bool has_value() const noexcept { return held_.index() == 0; }
  stride_status status() const noexcept { return record().status; }
  /// All zeros where there is a value.
  const stride_error &record() const noexcept {
    static constexpr stride_error none{};
    return has_value() ? none : *std::get_if<1>(&held_);
  }
  stride::error error() const noexcept { return stride::error(record()); }

  /// Only where there is a value.
  const T &operator*() const & noexcept { return *std::get_if<0>(&held_); }
  T &operator*() & noexcept { return *std::get_if<0>(&held_); }
  T operator*() && noexcept(std::is_nothrow_move_constructible_v<T>) { return std::move(**this); }
  const T *operator->() const noexcept { return std::get_if<0>(&held_); }
  T *operator->() noexcept { return std::get_if<0>(&held_); }
  template <class U>
  T value_or(U &&other) const {
    return has_value() ? **this : static_cast<T>(std::forward<U>(other));
  }
  /// The value; without one it throws.
  STRIDE_THROWING(const T &value() const & {
    if (!has_value()) detail::raise(record());
    return **this;
  })
  STRIDE_THROWING(T value() && {
    if (!has_value()) detail::raise(record());
    return std::move(**this);
  })

  /// The result that `next` returns for the value; or this failure.
  template <class F>
  auto and_then(F &&next) const -> std::decay_t<decltype(next(std::declval<const T &>()))> {
    using next_result = std::decay_t<decltype(next(std::declval<const T &>()))>;
    return has_value() ? std::forward<F>(next)(**this) : next_result(record());
  }
  /// The value that `change` returns for the value; or this failure.
  template <class F>
  auto transform(F &&change) const -> result<std::decay_t<decltype(change(std::declval<const T &>()))>> {
    using changed = result<std::decay_t<decltype(change(std::declval<const T &>()))>>;
    return has_value() ? changed(std::forward<F>(change)(**this)) : changed(record());
  }

#if defined(__cpp_lib_expected)
  /// By `=` or `return`: braces and parentheses make a std::expected<bool, ...> of whether there is a value.
  operator std::expected<T, stride::error>() const {
    if (has_value()) return **this;
    return std::unexpected(error());
  }
#endif

 private:
  template <class U, class Call>
  friend result<U> detail::attempt(Call &&) noexcept;
  result() : held_(std::in_place_index<0>) {}
  std::variant<T, stride_error> held_;
};

/// Success, or the reason for a failure.
template <>
class [[nodiscard]] result<void> {
 public:
  using value_type = void;
  result() noexcept = default;
  explicit result(const stride_error &record) noexcept : record_(record) {}
  explicit operator bool() const noexcept { return record_.status == STRIDE_STATUS_OK; }
  bool has_value() const noexcept { return record_.status == STRIDE_STATUS_OK; }
  stride_status status() const noexcept { return record_.status; }
  const stride_error &record() const noexcept { return record_; }
  stride::error error() const noexcept { return stride::error(record_); }
  STRIDE_THROWING(void value() const {
    if (!has_value()) detail::raise(record_);
  })
#if defined(__cpp_lib_expected)
  operator std::expected<void, stride::error>() const {
    if (has_value()) return {};
    return std::unexpected(error());
  }
#endif

 private:
  stride_error record_{};
};

namespace detail {

template <class T, class Call>
result<T> attempt(Call &&call) noexcept {
  result<T> made;
  stride_error record{};  // written on every status but OK
  if ((record.status = call(&*made, &record)) != STRIDE_STATUS_OK) made.held_.template emplace<1>(record);
  return made;
}

/// A value that `call` writes, or the record that it writes instead. It begins as `initial`.
template <class T, class Call>
result<T> attempt(const T &initial, Call &&call) noexcept {
  return attempt<T>([&](T *out, stride_error *record) {
    *out = initial;
    return call(out, record);
  });
}

/// The result of a C function whose last two parameters are the output and the error.
template <class T, class... P, class... A>
result<T> made(stride_status (*function)(P...), const A &...arguments) noexcept {
  return attempt<T>([&](T *out, stride_error *record) { return function(arguments..., out, record); });
}

/// The result of a C function whose last parameter is the error, without an output.
template <class... P, class... A>
result<void> done(stride_status (*function)(P...), const A &...arguments) noexcept {
  stride_error record{};
  return function(arguments..., &record) == STRIDE_STATUS_OK ? result<void>() : result<void>(record);
}

/// The result of a C function that answers yes or no.
template <class... P, class... A>
result<bool> answered(stride_status (*function)(P...), const A &...arguments) noexcept {
  return made<uint32_t>(function, arguments...).transform([](uint32_t answer) { return answer != 0; });
}

/// The result of a C function that fills a list of `rank` entries, given by their number and place.
template <class... P, class... A>
result<dims> listed(stride_status (*function)(P...), uint32_t rank, const A &...arguments) noexcept {
  return attempt(dims(rank), [&](dims *out, stride_error *record) {
    return function(arguments..., rank, out->data(), record);
  });
}

/// The result of a C function that writes a text.
template <class... P, class... A>
result<std::string> written(stride_status (*function)(P...), const A &...arguments) {
  uint64_t length = 0;
  stride_error record{};
  if (function(arguments..., nullptr, 0, &length, &record) != STRIDE_STATUS_OK) return result<std::string>(record);
  std::string text(static_cast<std::size_t>(length), '\0');
  if (function(arguments..., text.data(), length + 1, &length, &record) != STRIDE_STATUS_OK) {
    return result<std::string>(record);
  }
  return text;
}

/// A list by its STRIDE_ARGUMENT_.
struct named_list {
  uint32_t argument;
  list entries;
  bool may_be_left_out = false;
};
using lists = std::initializer_list<named_list>;

/// True if each list that is not left out has `count` entries; C functions take one number for all of them.
inline result<void> counted(uint32_t count, lists given) noexcept {
  for (const named_list &one : given) {
    const uint32_t found = one.entries.count();
    if (found != count && !(one.may_be_left_out && found == 0)) {
      return result<void>(record_of(STRIDE_STATUS_INVALID_RANK, one.argument, STRIDE_DETAIL_COUNT, found, count));
    }
  }
  return {};
}

/// A pointer for C functions that read no more than its address.
inline uint64_t address(const void *pointer) noexcept {
  return static_cast<uint64_t>(reinterpret_cast<std::uintptr_t>(pointer));
}

/// A list that may be left out: one without entries is none, and its pointer null.
inline list optional(list entries) noexcept { return entries.empty() ? list() : entries; }

/// Checks that `U` has the bytes of the C struct `C`.
template <class U, class C>
constexpr bool same_bytes = sizeof(U) == sizeof(C) && alignof(U) == alignof(C) && std::is_base_of_v<C, U> &&
                            std::is_trivially_copyable_v<U> && std::is_standard_layout_v<U>;

}  // namespace detail

// =====================================================================================================================
// Element types
// =====================================================================================================================

/// The type of an element: a STRIDE_DTYPE_ number as a type of its own.
class dtype {
 public:
  constexpr dtype() noexcept = default;
  constexpr explicit dtype(uint32_t number) noexcept : number_(number) {}
  constexpr uint32_t number() const noexcept { return number_; }
  /// This type below a byte, with the first element in the high bits (STRIDE_DTYPE_HIGH_FIRST).
  [[nodiscard]] constexpr dtype high_first() const noexcept { return dtype(number_ | STRIDE_DTYPE_HIGH_FIRST); }
  friend constexpr bool operator==(dtype lhs, dtype rhs) noexcept { return lhs.number_ == rhs.number_; }
  friend constexpr bool operator!=(dtype lhs, dtype rhs) noexcept { return lhs.number_ != rhs.number_; }

  /// This type above a byte, in the byte order that this machine does not have (STRIDE_DTYPE_SWAPPED).
  [[nodiscard]] constexpr dtype swapped() const noexcept { return dtype(number_ ^ STRIDE_DTYPE_SWAPPED); }

  /// Bits of one element.
  STRIDE_CONST(uint32_t, bits, (), detail::made<uint32_t>(stride_dtype_bits, number_))
  /// "f32", "bytes12", "s4:high", "f32:swapped".
  STRIDE_CONST(std::string, name, (), detail::written(stride_dtype_name, number_))
  /// The type with this name.
  STRIDE_CREATE(dtype, parse, (std::string_view name),
                detail::attempt<dtype>([&](dtype *out, stride_error *record) {
                  return stride_dtype_parse(name.data(), uint64_t{name.size()}, &out->number_, record);
                }))

 private:
  uint32_t number_ = 0;
};

inline constexpr dtype PRED{STRIDE_DTYPE_PRED};
inline constexpr dtype S1{STRIDE_DTYPE_S1}, S2{STRIDE_DTYPE_S2}, S4{STRIDE_DTYPE_S4}, S8{STRIDE_DTYPE_S8},
    S16{STRIDE_DTYPE_S16}, S32{STRIDE_DTYPE_S32}, S64{STRIDE_DTYPE_S64};
inline constexpr dtype U1{STRIDE_DTYPE_U1}, U2{STRIDE_DTYPE_U2}, U4{STRIDE_DTYPE_U4}, U8{STRIDE_DTYPE_U8},
    U16{STRIDE_DTYPE_U16}, U32{STRIDE_DTYPE_U32}, U64{STRIDE_DTYPE_U64};
inline constexpr dtype F4E2M1FN{STRIDE_DTYPE_F4E2M1FN}, F8E3M4{STRIDE_DTYPE_F8E3M4}, F8E4M3{STRIDE_DTYPE_F8E4M3},
    F8E4M3FN{STRIDE_DTYPE_F8E4M3FN}, F8E4M3B11FNUZ{STRIDE_DTYPE_F8E4M3B11FNUZ}, F8E4M3FNUZ{STRIDE_DTYPE_F8E4M3FNUZ},
    F8E5M2{STRIDE_DTYPE_F8E5M2}, F8E5M2FNUZ{STRIDE_DTYPE_F8E5M2FNUZ}, F8E8M0FNU{STRIDE_DTYPE_F8E8M0FNU};
inline constexpr dtype F16{STRIDE_DTYPE_F16}, BF16{STRIDE_DTYPE_BF16}, F32{STRIDE_DTYPE_F32}, F64{STRIDE_DTYPE_F64},
    C64{STRIDE_DTYPE_C64}, C128{STRIDE_DTYPE_C128};

/// An element of `n` bytes of no particular type. Not 1 <= n < 2^24: a dtype that every function refuses.
[[nodiscard]] constexpr dtype bytes(std::size_t n) noexcept {
  return dtype(STRIDE_DTYPE_BYTES | (n < (std::size_t{1} << 24) ? static_cast<uint32_t>(n) : 0));
}

/// The dtype of a C++ type, as `value`. Specialise it for types of your own: a half, a struct as bytes(sizeof(T)).
template <class T, class = void>
struct dtype_of;
template <>
struct dtype_of<bool> {
  static_assert(sizeof(bool) == 1, "PRED has one byte");
  static constexpr dtype value = PRED;
};
namespace detail {
template <class T>
constexpr bool is_integer = std::is_integral_v<T> && !std::is_same_v<T, bool> && sizeof(T) < 9;
}
template <class T>
struct dtype_of<T, std::enable_if_t<detail::is_integer<T>>> {
  static constexpr dtype value = sizeof(T) == 1   ? (std::is_signed_v<T> ? S8 : U8)
                                 : sizeof(T) == 2 ? (std::is_signed_v<T> ? S16 : U16)
                                 : sizeof(T) == 4 ? (std::is_signed_v<T> ? S32 : U32)
                                                  : (std::is_signed_v<T> ? S64 : U64);
};
template <>
struct dtype_of<std::byte> {
  static constexpr dtype value = U8;
};
template <>
struct dtype_of<float> {
  static constexpr dtype value = F32;
};
template <>
struct dtype_of<double> {
  static constexpr dtype value = F64;
};
template <>
struct dtype_of<std::complex<float>> {
  static constexpr dtype value = C64;
};
template <>
struct dtype_of<std::complex<double>> {
  static constexpr dtype value = C128;
};
template <class T>
inline constexpr dtype dtype_of_v = dtype_of<std::remove_cv_t<T>>::value;

namespace detail {

template <class T, class = void>
struct has_dtype : std::false_type {};
template <class T>
struct has_dtype<T, std::void_t<decltype(dtype_of<T>::value)>> : std::true_type {};

/// The dtype of memory of `T`: that of a number; plain bytes of a struct; 0 for memory of bytes, which holds any dtype.
template <class T>
constexpr uint32_t stored() noexcept {
  static_assert(std::is_trivially_copyable_v<T>, "libstride moves bytes: elements have to be trivially copyable");
  if constexpr (std::is_same_v<T, char> || std::is_same_v<T, unsigned char> || std::is_same_v<T, std::byte>) {
    return 0;
  } else if constexpr (has_dtype<T>::value) {
    return dtype_of<T>::value.number();
  } else {
    return bytes(sizeof(T)).number();
  }
}

/// True if memory that stores one dtype may be taken for that of a layout.
inline bool serves(uint32_t stored, uint32_t wanted) noexcept {
  uint32_t has = 0, needs = 0;
  if (stored == 0 || stored == wanted) return true;
  if (stride_dtype_bits(stored, &has, nullptr) != STRIDE_STATUS_OK) return false;
  // A number that is no dtype is refused by the library, with its own sentence.
  if (stride_dtype_bits(wanted, &needs, nullptr) != STRIDE_STATUS_OK) return true;
  const bool storage = stored == U16.number() || stored == U32.number() || stored == U64.number();
  return has == needs && (storage || ((stored | wanted) & STRIDE_DTYPE_BYTES) != 0);
}

}  // namespace detail

// =====================================================================================================================
// Memory
// =====================================================================================================================

/// A tensor's buffer: its address, its bytes, and the dtype that it stores. `Void` is void or const void.
template <class Void>
class basic_memory {
  template <class T>
  using pointed = std::conditional_t<std::is_const_v<Void>, const T, T>;
  template <class C>
  using element = std::remove_pointer_t<decltype(std::declval<C &>().data())>;
  template <class C>
  using enable_if_range = std::enable_if_t<!std::is_void_v<element<C>> && std::is_convertible_v<element<C> *, Void *> &&
                                           std::is_convertible_v<decltype(std::declval<C &>().size()), std::size_t>>;
  // Bytes written to a container that ends with the expression are lost; a span does not own its memory.
  template <class C>
  using enable_if_lasting =
      std::enable_if_t<std::is_const_v<Void> || std::is_lvalue_reference_v<C> ||
                       std::is_convertible_v<decltype(std::declval<const std::decay_t<C> &>().data()), Void *>>;

 public:
  constexpr basic_memory() noexcept = default;
  /// Bytes that may hold anything. UINT64_MAX: the caller guarantees the length.
  constexpr basic_memory(Void *data, uint64_t bytes) noexcept : data_(data), bytes_(bytes) {}
  /// This many elements; a number larger than any memory, such as -1, is refused.
  template <class T, class = std::enable_if_t<!std::is_void_v<T> && std::is_convertible_v<T *, Void *>>>
  constexpr basic_memory(T *data, uint64_t elements) noexcept
      : data_(data), bytes_(elements <= PTRDIFF_MAX / sizeof(T) ? elements * sizeof(T) : 0),
        stored_(detail::stored<std::remove_cv_t<T>>()) {}
  template <class T, std::size_t N>
  constexpr basic_memory(T (&array)[N]) noexcept
      : data_(array), bytes_(sizeof array), stored_(detail::stored<std::remove_cv_t<std::remove_all_extents_t<T>>>()) {}
  template <class C, class = enable_if_range<C>, class = enable_if_lasting<C>>
  constexpr basic_memory(C &&range) noexcept : basic_memory(range.data(), static_cast<uint64_t>(range.size())) {}
  template <class Other, class = std::enable_if_t<std::is_const_v<Void> && std::is_same_v<Other, void>>>
  constexpr basic_memory(const basic_memory<Other> &writable) noexcept
      : data_(writable.address()), bytes_(writable.bytes()), stored_(writable.stored()) {}

  constexpr Void *address() const noexcept { return data_; }
  constexpr uint64_t bytes() const noexcept { return bytes_; }
  constexpr uint32_t stored() const noexcept { return stored_; }
  /// This memory as bytes of any dtype.
  constexpr basic_memory untyped() const noexcept { return {data_, bytes_}; }

 private:
  Void *data_ = nullptr;
  uint64_t bytes_ = 0;
  uint32_t stored_ = 0;
};

/// Memory that is written; read. A tensor's base pointer is where it begins.
using memory = basic_memory<void>;
using const_memory = basic_memory<const void>;

// =====================================================================================================================
// Layouts
// =====================================================================================================================

/// The requirements of a consumer: stride_requirements, whose fields may be changed.
class requirements : public stride_requirements {
 public:
  /// No requirements.
  requirements() noexcept : stride_requirements() { struct_size = sizeof(stride_requirements); }
  /// Those of a STRIDE_CONSUMER_.
  static result<requirements> try_make(uint32_t consumer) noexcept {
    return detail::attempt<requirements>([&](requirements *out, stride_error *record) {
      return stride_requirements_init(out, consumer, record);
    });
  }
  STRIDE_THROWING(explicit requirements(uint32_t consumer) : requirements(try_make(consumer).value()) {})
  /// Bytes that the consumer counts for a layout.
  STRIDE_CONST(uint64_t, required_bytes, (const stride_layout &of),
               detail::attempt<uint64_t>([&](uint64_t *out, stride_error *record) {
                 return stride_layout_required_bytes(&of, this, out, record);
               }))
};

/// Lowest and highest element offset; 0 and -1 if a layout is empty.
struct offset_range {
  int64_t lowest = 0, highest = -1;
};
/// The place of an element's first bit.
struct place {
  int64_t byte = 0;
  uint32_t bit = 0;
};
/// Bytes that divide the address of every element, and of the first of every row.
struct alignments {
  uint64_t element = 0, row = 0;
};
/// A layout, and the bytes by which its base pointer is to be moved.
template <class Layout>
struct moved {
  Layout view;
  int64_t shift_bytes = 0;
};

/// The place of each element of a tensor: stride_layout with functions. Views return new layouts, nothing is moved.
///
/// The fields are the C struct's: dtype, rank, offset, sizes[64], strides[64]. Dimension numbers may be negative.
class layout : public stride_layout {
  using halves = std::array<layout, 2>;
  using rebased = moved<layout>;

  // The offset of index (0, ..., 0) by the mapping of a std::mdspan, which may be any; of a view without a mapping 0.
  template <class Mdspan, std::size_t... K>
  static auto origin(const Mdspan &view, std::index_sequence<K...>, int) noexcept
      -> decltype(static_cast<int64_t>(view.mapping()((static_cast<void>(K), typename Mdspan::index_type{})...))) {
    return static_cast<int64_t>(view.mapping()((static_cast<void>(K), typename Mdspan::index_type{})...));
  }
  template <class Mdspan, class Zeros>
  static int64_t origin(const Mdspan &, Zeros, long) noexcept {
    return 0;
  }

 public:
  /// No layout yet: every function refuses it.
  layout() noexcept : stride_layout() {}
  layout(const stride_layout &plain) noexcept : stride_layout(plain) {}

  /// Sizes and strides in elements, outermost first; without strides packed.
  static result<layout> try_make(stride::dtype type, list extents, list steps = {}, int64_t base_offset = 0) noexcept {
    if (auto same = detail::counted(extents.count(), {{STRIDE_ARGUMENT_STRIDES, steps, true}}); !same) {
      return result<layout>(same.record());
    }
    return detail::attempt<layout>([&](layout *out, stride_error *record) {
      const auto status = stride_layout_init(out, type.number(), extents.count(), extents.data(),
                                             detail::optional(steps).data(), record);
      if (status != STRIDE_STATUS_OK || base_offset == 0) return status;
      out->offset = base_offset;
      return stride_layout_validate(out, record);
    });
  }
  STRIDE_THROWING(layout(stride::dtype type, list extents, list steps = {}, int64_t base_offset = 0)
                  : layout(try_make(type, extents, steps, base_offset).value()) {})

  /// The text that `text` writes, or a shorter form: "f32[2,3]", "f32[2,3]:1,2+7", "f32[1,32,8,8]:nhwc",
  /// "f32[2,3]{0,1}".
  STRIDE_CREATE(layout, parse, (std::string_view text),
                detail::made<layout>(stride_layout_parse, text.data(), uint64_t{text.size()}))
  /// Without gaps, `minor_to_major` lists the dimensions, fastest varying first.
  STRIDE_CREATE(layout, ordered, (stride::dtype type, list extents, list minor_to_major),
                first(stride_layout_init_ordered, type, extents, {STRIDE_ARGUMENT_MINOR_TO_MAJOR, minor_to_major}))
  /// In the corner of a packed buffer of these sizes.
  STRIDE_CREATE(layout, padded, (stride::dtype type, list extents, list padded_extents),
                first(stride_layout_init_padded, type, extents, {STRIDE_ARGUMENT_PADDED_SIZES, padded_extents}))
  /// Strides in bytes, as NumPy has them.
  STRIDE_CREATE(layout, byte_strided, (stride::dtype type, list extents, list byte_steps),
                first(stride_layout_init_byte_strides, type, extents, {STRIDE_ARGUMENT_BYTE_STRIDES, byte_steps}))
  /// Any strides in bytes: the bytes of each element are one more dimension.
  STRIDE_CREATE(layout, of_bytes, (stride::dtype type, list extents, list byte_steps),
                first(stride_layout_init_bytes, type, extents, {STRIDE_ARGUMENT_BYTE_STRIDES, byte_steps}))
  /// Dimension 1 varies fastest: NHWC for sizes {N, C, H, W}.
  STRIDE_CREATE(layout, channels_last, (stride::dtype type, list extents),
                first(stride_layout_init_channels_last, type, extents))
  /// Rows, the neighbours along `axis`, lie `pitch_bytes` apart.
  STRIDE_CREATE(layout, pitched, (stride::dtype type, list extents, int64_t axis, uint64_t pitch_bytes),
                first(stride_layout_init_pitched, type, extents, axis, pitch_bytes))
  /// Rows, the neighbours along `axis`, lie a multiple of `alignment_bytes` apart.
  STRIDE_CREATE(layout, aligned, (stride::dtype type, list extents, int64_t axis, uint64_t alignment_bytes),
                first(stride_layout_init_aligned, type, extents, axis, alignment_bytes))
  /// The layout of a DLPack tensor, counted from its data; of a managed one, whose version is checked.
  STRIDE_CREATE(layout, from_dlpack, (const stride_dl_tensor &tensor),
                detail::made<layout>(stride_layout_from_dlpack, &tensor))
  STRIDE_CREATE(layout, from_dlpack, (const stride_dl_managed_tensor_versioned &managed),
                detail::made<layout>(stride_layout_from_dlpack_versioned, &managed))
  /// The layout of a DirectML descriptor.
  STRIDE_CREATE(layout, from_dml, (const stride_dml_buffer_tensor_desc &desc),
                detail::made<layout>(stride_layout_from_dml, &desc))
  /// The layout of a std::mdspan, or of a type with its interface, counted from data_handle(). `type` is for elements
  /// without a dtype_of.
  template <class Mdspan>
  static result<layout> try_of(const Mdspan &view, stride::dtype type) noexcept {
    constexpr auto dimensions = static_cast<std::size_t>(Mdspan::rank());
    static_assert(dimensions <= STRIDE_MAX_RANK, "a layout has at most 64 dimensions");
    if (!view.is_strided()) {
      return result<layout>(detail::record_of(STRIDE_STATUS_NOT_REPRESENTABLE, STRIDE_ARGUMENT_STRIDES, 0, 0, 0));
    }
    int64_t extents[dimensions + 1] = {}, steps[dimensions + 1] = {};
    bool empty = false;
    // A mapping of rank 0 has no stride().
    if constexpr (dimensions > 0) {
      for (std::size_t k = 0; k < dimensions; k++) {
        const auto r = static_cast<typename Mdspan::rank_type>(k);
        extents[k] = static_cast<int64_t>(view.extent(r)), steps[k] = static_cast<int64_t>(view.stride(r));
        empty = empty || extents[k] == 0;
      }
    }
    const int64_t first = empty ? 0 : origin(view, std::make_index_sequence<dimensions>(), 0);
    return try_make(type, list(extents, dimensions), list(steps, dimensions), first);
  }
  template <class Mdspan>
  static result<layout> try_of(const Mdspan &view) noexcept {
    return try_of(view, dtype_of_v<typename Mdspan::element_type>);
  }
  STRIDE_THROWING(template <class Mdspan, class... Type>
                  [[nodiscard]] static layout of(const Mdspan &view, Type... type) {
                    return try_of(view, type...).value();
                  })

  // Fields
  [[nodiscard]] stride::dtype type() const noexcept { return stride::dtype(dtype); }
  /// The sizes and the strides. Not of a temporary, whose entries would be gone.
  [[nodiscard]] list shape() const & noexcept { return {sizes, rank < STRIDE_MAX_RANK ? rank : STRIDE_MAX_RANK}; }
  [[nodiscard]] list steps() const & noexcept { return {strides, rank < STRIDE_MAX_RANK ? rank : STRIDE_MAX_RANK}; }
  list shape() const && = delete;
  list steps() const && = delete;

  // Views
  /// Dimension i of the view is dimension axes[i]: sizes {2, 3, 4} with axes {2, 0, 1} become {4, 2, 3}.
  STRIDE_CONST(layout, permute, (list axes), view(stride_layout_permute, axes.count(), axes.data()))
  /// NumPy's start:stop:step in every dimension; an empty list leaves them out.
  STRIDE_CONST(layout, slice, (list starts, list stops = {}, list by = {}),
               view_if({{STRIDE_ARGUMENT_STARTS, starts, true},
                        {STRIDE_ARGUMENT_STOPS, stops, true},
                        {STRIDE_ARGUMENT_STEPS, by, true}},
                       rank, stride_layout_slice, detail::optional(starts).data(), detail::optional(stops).data(),
                       detail::optional(by).data()))
  /// The box of so many elements that begins at index `starts`.
  STRIDE_CONST(layout, crop, (list starts, list extents),
               view_if({{STRIDE_ARGUMENT_STARTS, starts}, {STRIDE_ARGUMENT_SIZES, extents}}, rank, stride_layout_crop,
                       starts.data(), extents.data()))
  /// Mirrors the dimensions named.
  STRIDE_CONST(layout, flip, (list axes), view(stride_layout_flip, axes.count(), axes.data()))
  /// Drops the dimensions named, all of size 1; without a list every dimension of size 1.
  STRIDE_CONST(layout, squeeze, (list axes), view(stride_layout_squeeze, axes.count(), axes.data()))
  STRIDE_CONST(layout, squeeze, (), view(stride_layout_squeeze_all))
  /// Inserts a dimension of size 1 at each of these places of the view.
  STRIDE_CONST(layout, expand_dims, (list axes), view(stride_layout_expand_dims, axes.count(), axes.data()))
  /// Inserts dimensions of size 1 before dimension `position` until there are `least`.
  STRIDE_CONST(layout, pad_rank, (uint32_t least, uint32_t position = 0), view(stride_layout_pad_rank, least, position))
  /// Other sizes for the elements in row-major order; one may be -1. NOT_REPRESENTABLE: only a copy could do it.
  STRIDE_CONST(layout, reshape, (list extents), view(stride_layout_reshape, extents.count(), extents.data()))
  /// Cuts dimension `axis` into dimensions of these sizes, one of which may be -1.
  STRIDE_CONST(layout, split, (int64_t axis, list extents),
               view(stride_layout_split, axis, extents.count(), extents.data()))
  /// Joins `count` dimensions from `axis` on into one.
  STRIDE_CONST(layout, merge, (int64_t axis, uint32_t count), view(stride_layout_merge, axis, count))
  /// The diagonal of two dimensions, so many steps above the main one, as a new last dimension.
  STRIDE_CONST(layout, diagonal, (int64_t above = 0, int64_t axis1 = 0, int64_t axis2 = 1),
               view(stride_layout_diagonal, above, axis1, axis2))
  /// All windows of so many elements: the first dimensions number the windows, the others their elements.
  STRIDE_CONST(layout, window, (list extents, list by = {}, list dilations = {}),
               view_if({{STRIDE_ARGUMENT_STEPS, by, true}, {STRIDE_ARGUMENT_DILATIONS, dilations, true}},
                       extents.count(), stride_layout_window, extents.data(), detail::optional(by).data(),
                       detail::optional(dilations).data()))
  /// Any sizes, strides and offset over the elements between the lowest and the highest.
  STRIDE_CONST(layout, as_strided, (list extents, list by, int64_t from = 0),
               view_if({{STRIDE_ARGUMENT_STRIDES, by}}, extents.count(), stride_layout_as_strided, extents.data(),
                       by.data(), from))
  /// The bytes of this layout as elements of another dtype.
  STRIDE_CONST(layout, reinterpret, (stride::dtype type), view(stride_layout_reinterpret, type.number()))
  /// Without dimension `axis`, at this index of it.
  STRIDE_CONST(layout, select, (int64_t axis, int64_t index), view(stride_layout_select, axis, index))
  /// With one more dimension of `count` equal entries, stride 0, at place `axis`.
  STRIDE_CONST(layout, repeat, (int64_t axis, int64_t count), view(stride_layout_repeat, axis, count))
  /// Dimension `axis` in two, the entries before `position` and the others: auto [front, back] = a.cut(0, 3).
  STRIDE_CONST(halves, cut, (int64_t axis, int64_t position),
               detail::attempt<halves>([&](halves *out, stride_error *record) {
                 return stride_layout_cut(this, axis, position, &(*out)[0], &(*out)[1], record);
               }))
  /// Cut into tiles: the first dimensions number the tiles, the others their elements.
  STRIDE_CONST(layout, tile, (list extents), view(stride_layout_tile, extents.count(), extents.data()))
  /// The view with these sizes by NumPy's rule.
  STRIDE_CONST(layout, broadcast_to, (list extents), view(stride_layout_broadcast_to, extents.count(), extents.data()))
  /// XLA's rule: dimension k becomes dimension broadcast_dimensions[k], all others repeat.
  STRIDE_CONST(layout, broadcast_in_dim, (list extents, list broadcast_dimensions),
               view(stride_layout_broadcast_in_dim, extents.count(), extents.data(), broadcast_dimensions.count(),
                    broadcast_dimensions.data()))
  /// This layout's elements by `inner`, a layout of their row-major numbers.
  STRIDE_CONST(layout, compose, (const stride_layout &inner),
               detail::attempt<layout>([&](layout *out, stride_error *record) {
                 uint32_t group_ranks[STRIDE_MAX_RANK];
                 return stride_layout_compose(this, &inner, out, inner.rank, group_ranks, record);
               }))
  /// The map from the order in memory to row-major numbers.
  STRIDE_CONST(layout, inverse, (), view(stride_layout_inverse))

  // Relatives
  /// The packed layout with this dtype and these sizes, for a copy.
  STRIDE_CONST(layout, packed_like, (), view(stride_layout_packed_like))
  /// These elements as bytes: u8, the bytes of each element as one more dimension, the last.
  STRIDE_CONST(layout, as_bytes, (), view(stride_layout_as_bytes))
  /// The nearest layout that a consumer accepts.
  STRIDE_CONST(layout, adapt, (const stride_requirements &consumer), view(stride_layout_adapt, &consumer))
  /// These elements from a base pointer to the lowest of them.
  STRIDE_CONST(rebased, rebase, (), detail::attempt<rebased>([&](rebased *out, stride_error *record) {
                 return stride_layout_rebase(this, &out->view, &out->shift_bytes, record);
               }))
  /// This layout with the strides of dimensions of size 1 set by a STRIDE_SIZE_ONE_ rule.
  STRIDE_CONST(layout, canonicalize, (uint32_t rule), view(stride_layout_canonicalize, rule))

  // Questions
  STRIDE_CONST_VOID(validate, (), detail::done(stride_layout_validate, self()))
  /// Number of elements.
  STRIDE_CONST(int64_t, elements, (), asked<int64_t>(stride_layout_element_count))
  /// Bytes that the buffer must have.
  STRIDE_CONST(uint64_t, min_bytes, (), asked<uint64_t>(stride_layout_min_bytes))
  /// Lowest and highest element offset (stride_layout_span).
  STRIDE_CONST(offset_range, reach, (), detail::attempt<offset_range>([&](auto *out, stride_error *record) {
                 return stride_layout_span(this, &out->lowest, &out->highest, record);
               }))
  /// Element offset of an index from the base pointer; byte and bit of that element.
  STRIDE_CONST(int64_t, offset_of, (list index), asked<int64_t>(stride_layout_offset, index.count(), index.data()))
  STRIDE_CONST(place, byte_offset_of, (list index), detail::attempt<place>([&](place *out, stride_error *record) {
                 return stride_layout_byte_offset(this, index.count(), index.data(), &out->byte, &out->bit, record);
               }))
  /// The first index at an element offset; the number of indices there. NOT_REPRESENTABLE if there is none.
  STRIDE_CONST(dims, multi_index, (int64_t at), detail::attempt(dims(rank), [&](dims *out, stride_error *record) {
                 return stride_layout_multi_index(this, at, rank, out->data(), nullptr, record);
               }))
  STRIDE_CONST(uint64_t, sharing, (int64_t at), detail::attempt<uint64_t>([&](uint64_t *out, stride_error *record) {
                 dims first(rank);
                 return stride_layout_multi_index(this, at, rank, first.data(), out, record);
               }))
  /// Row-major number of an index, and back.
  STRIDE_CONST(int64_t, ravel_index, (list index),
               asked<int64_t>(stride_layout_ravel_index, index.count(), index.data()))
  STRIDE_CONST(dims, unravel_index, (int64_t linear), detail::listed(stride_layout_unravel_index, rank, self(), linear))
  /// STRIDE_FORMAT_ flags; true if it is row-major without gaps; true if it is NHWC or NDHWC without gaps.
  STRIDE_CONST(uint32_t, classify, (), asked<uint32_t>(stride_layout_classify))
  [[nodiscard]] bool is_contiguous() const noexcept {
    return (try_classify().value_or(0u) & STRIDE_FORMAT_PACKED) != 0;
  }
  [[nodiscard]] bool is_channels_last() const noexcept {
    return (try_classify().value_or(0u) & STRIDE_FORMAT_CHANNELS_LAST) != 0;
  }
  /// Most of these answers in one call.
  STRIDE_CONST(stride_layout_facts, query, (),
               detail::attempt(stride_layout_facts(STRIDE_LAYOUT_FACTS_INIT), [&](auto *out, stride_error *record) {
                 return stride_layout_query(this, out, record);
               }))
  /// Dimensions fastest varying first, of a layout without gaps.
  STRIDE_CONST(dims, minor_to_major, (), detail::listed(stride_layout_minor_to_major, rank, self()))
  /// Dimensions outermost first, gaps, repeats and mirrors allowed; `preferred` if it fits.
  STRIDE_CONST(dims, dim_order, (list preferred = {}),
               detail::attempt(dims(rank), [&](dims *out, stride_error *record) {
                 uint32_t unique = 0;
                 return stride_layout_dim_order(this, preferred.count(), preferred.data(), rank, out->data(), &unique,
                                                record);
               }))
  /// Strides in bytes.
  STRIDE_CONST(dims, byte_strides, (), detail::listed(stride_layout_byte_strides, rank, self()))
  /// The largest power of two that divides all addresses, if `base` divides the base pointer.
  STRIDE_CONST(alignments, alignment, (uint64_t base),
               detail::attempt<alignments>([&](alignments *out, stride_error *record) {
                 return stride_layout_alignment(this, base, &out->element, &out->row, record);
               }))
  /// True if every element lies in a buffer of this many bytes; the check with its error.
  [[nodiscard]] bool fits(uint64_t buffer_bytes) const noexcept { return try_require_fits(buffer_bytes).has_value(); }
  STRIDE_CONST_VOID(require_fits, (uint64_t buffer_bytes), detail::done(stride_layout_fits, self(), buffer_bytes))
  /// True if a consumer accepts it, with the base pointer at this address (stride_layout_meets); the check with its
  /// error.
  [[nodiscard]] bool meets(const stride_requirements &consumer, const void *base = nullptr) const noexcept {
    return try_require(consumer, base).has_value();
  }
  STRIDE_CONST_VOID(require, (const stride_requirements &consumer, const void *base = nullptr),
                    detail::done(stride_layout_meets, self(), detail::address(base), &consumer))
  /// True if two indices mean the same element. UNDECIDED: not within the budget.
  STRIDE_CONST(bool, self_overlap, (uint64_t budget = 0), detail::answered(stride_layout_self_overlap, self(), budget))
  /// True if every index means the same element in both layouts.
  STRIDE_CONST(bool, same_mapping, (const stride_layout &other),
               detail::answered(stride_layout_same_mapping, self(), &other))
  /// "f32[2,3] strides [3,1] offset 0".
  STRIDE_CONST(std::string, text, (), detail::written(stride_layout_format, self()))

  /// Equal in dtype, offset, rank, sizes and all strides, also those without effect (stride_layout_equal).
  friend bool operator==(const layout &lhs, const layout &rhs) noexcept {
    const std::size_t bytes = lhs.shape().size() * sizeof(int64_t);
    return lhs.dtype == rhs.dtype && lhs.rank == rhs.rank && lhs.offset == rhs.offset &&
           std::memcmp(lhs.sizes, rhs.sizes, bytes) == 0 && std::memcmp(lhs.strides, rhs.strides, bytes) == 0;
  }
  friend bool operator!=(const layout &lhs, const layout &rhs) noexcept { return !(lhs == rhs); }

 private:
  const stride_layout *self() const noexcept { return this; }
  template <class T, class... P, class... A>
  result<T> asked(stride_status (*function)(P...), const A &...arguments) const noexcept {
    return detail::made<T>(function, self(), arguments...);
  }
  template <class... P, class... A>
  result<layout> view(stride_status (*function)(P...), const A &...arguments) const noexcept {
    return detail::made<layout>(function, self(), arguments...);
  }
  /// A view by several lists that share one number, `count`.
  template <class... P, class... A>
  result<layout> view_if(detail::lists given, uint32_t count, stride_status (*function)(P...),
                         const A &...arguments) const noexcept {
    const auto same = detail::counted(count, given);
    return same ? view(function, count, arguments...) : result<layout>(same.record());
  }
  /// An initialiser has its output first.
  template <class... P, class... A>
  static result<layout> first(stride_status (*function)(P...), stride::dtype type, list extents,
                              const A &...arguments) noexcept {
    return detail::attempt<layout>([&](layout *out, stride_error *record) {
      return function(out, type.number(), extents.count(), extents.data(), arguments..., record);
    });
  }
  template <class... P>
  static result<layout> first(stride_status (*function)(P...), stride::dtype type, list extents,
                              detail::named_list second) noexcept {
    const auto same = detail::counted(extents.count(), {second});
    return same ? first(function, type, extents, second.entries.data()) : result<layout>(same.record());
  }
};

// =====================================================================================================================
// Several layouts
// =====================================================================================================================

namespace detail {

template <class... L>
using enable_if_layouts = std::enable_if_t<(sizeof...(L) > 0) && (std::is_base_of_v<stride_layout, L> && ...)>;

/// `function(count, in, out)` of the layouts, as an array.
template <std::size_t N, class Function>
result<std::array<layout, N>> together(Function function, const std::array<layout, N> &in) noexcept {
  return attempt<std::array<layout, N>>([&](std::array<layout, N> *out, stride_error *record) {
    // The C functions want stride_layout in a row, which layouts are: the bytes are the same.
    return function(static_cast<uint32_t>(N), in.data(), out->data(), record);
  });
}

}  // namespace detail

/// The views with their common sizes by NumPy's rule: auto [a2, b2] = broadcast(a, b).
template <class... L, class = detail::enable_if_layouts<L...>>
result<std::array<layout, sizeof...(L)>> try_broadcast(const L &...layouts) noexcept {
  return detail::together(stride_broadcast_layouts, std::array<layout, sizeof...(L)>{{layout(layouts)...}});
}
STRIDE_THROWING(template <class... L, class = detail::enable_if_layouts<L...>>
                [[nodiscard]] std::array<layout, sizeof...(L)> broadcast(const L &...layouts) {
                  return try_broadcast(layouts...).value();
                })
/// The operands over joint loops, as few as possible.
template <class... L, class = detail::enable_if_layouts<L...>>
result<std::array<layout, sizeof...(L)>> try_coalesce(const L &...layouts) noexcept {
  return detail::together(stride_layouts_coalesce, std::array<layout, sizeof...(L)>{{layout(layouts)...}});
}
STRIDE_THROWING(template <class... L, class = detail::enable_if_layouts<L...>>
                [[nodiscard]] std::array<layout, sizeof...(L)> coalesce(const L &...layouts) {
                  return try_coalesce(layouts...).value();
                })
/// The layout that the result of an elementwise operation on operands should have: elementwise_layout({a, b}, F32).
STRIDE_FREE(layout, elementwise_layout, (span<const layout> operands, dtype type),
            detail::attempt<layout>([&](layout *out, stride_error *record) {
              return stride_elementwise_layout(operands.count(), operands.data(), type.number(), out, record);
            }))
/// The number of elements that are contiguous in all of these layouts: common_run({a, b}).
STRIDE_FREE(int64_t, common_run, (span<const layout> operands),
            detail::attempt<int64_t>([&](int64_t *out, stride_error *record) {
              return stride_layouts_common_run(operands.count(), operands.data(), out, record);
            }))
/// True if any bit belongs to an element of both, with these base pointers.
STRIDE_FREE(bool, overlap,
            (const stride_layout &lhs, const void *lhs_base, const stride_layout &rhs, const void *rhs_base,
             uint64_t budget = 0),
            detail::answered(stride_layouts_overlap, &lhs, detail::address(lhs_base), &rhs, detail::address(rhs_base),
                             budget))

// =====================================================================================================================
// Copies
// =====================================================================================================================

/// The conversion of each number: stride_conversion. options().convert(conversion().affine(127.5, 1 / 127.5))
class conversion : public stride_conversion {
 public:
  /// Values as they are.
  conversion() noexcept : stride_conversion() {
    struct_size = sizeof(stride_conversion);
    scale = 1;
  }
  /// (x - less) * factor + more.
  conversion &affine(double less, double factor, double more = 0) noexcept {
    subtract = less;
    scale = factor;
    add = more;
    return with(STRIDE_CONVERT_AFFINE);
  }
  /// The numbers of each element from lists of `count`, at the entries that `of` gives; nullptr: the number for all.
  /// The layout and the lists must live as long as this is used.
  conversion &lists(const stride_layout &of, uint64_t count, const float *less, const float *factors,
                    const float *more = nullptr) noexcept {
    values = &of;
    value_count = count;
    subtracts = less;
    scales = factors;
    adds = more;
    return with(STRIDE_CONVERT_AFFINE);
  }
  /// / factor.
  conversion &divide() noexcept { return with(STRIDE_CONVERT_DIVIDE); }
  /// Floats become the nearest integer.
  conversion &nearest() noexcept { return with(STRIDE_CONVERT_NEAREST); }
  /// Integers that do not fit become the nearest that does.
  conversion &saturate() noexcept { return with(STRIDE_CONVERT_SATURATE); }
  /// Floats that do not fit become the largest finite number.
  conversion &finite() noexcept { return with(STRIDE_CONVERT_FINITE); }
  /// `more` is added after rounding.
  conversion &add_last() noexcept { return with(STRIDE_CONVERT_ADD_LAST); }

 private:
  conversion &with(uint32_t flag) noexcept {
    flags |= flag;
    return *this;
  }
};

/// Options of a copy: stride_copy_options. options().allow_overlap().keep_cached()
class options : public stride_copy_options {
 public:
  options() noexcept : stride_copy_options(STRIDE_COPY_OPTIONS_INIT) {}
  /// Every byte of the destination buffer that no index reaches gets this value, one element: its bytes are used as
  /// they are, so give -1.0 for F64, not -1.0f, and INT64_C(-1) for S64, not -1.
  template <class T>
  options &fill_buffer(const T &value) noexcept {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof fill, "a value of up to 16 bytes");
    std::memcpy(fill, &value, sizeof value);
    return with(STRIDE_COPY_FILL_BUFFER);
  }
  /// The two sides may share bytes (memmove).
  options &allow_overlap() noexcept { return with(STRIDE_COPY_OVERLAP); }
  /// The caller guarantees that destination elements are distinct and the sides share no byte.
  options &assume_distinct() noexcept { return with(STRIDE_COPY_ASSUME_DISTINCT); }
  /// The destination is read soon: it is written past the caches only if it is larger than the last one.
  options &keep_cached() noexcept { return with(STRIDE_COPY_KEEP_CACHED); }
  /// A call takes at most 8 KiB of stack (STRIDE_COPY_SMALL_STACK).
  options &little_stack() noexcept { return with(STRIDE_COPY_SMALL_STACK); }
  /// The highest STRIDE_CPU_LEVEL_ to use.
  options &limit_cpu(uint32_t level) noexcept {
    cpu_level = level;
    return *this;
  }
  /// The CPU to plan for, which lives as long as these options are used; nullptr: the one that runs this.
  options &for_machine(const stride_machine *of) noexcept {
    machine = of;
    return *this;
  }
  /// The conversion of numbers, which must live as long as these options are used.
  options &convert(const stride_conversion &how) noexcept {
    conversion = &how;
    return *this;
  }
  /// Steps that an overlap test may take.
  options &limit_overlap(uint64_t steps) noexcept {
    overlap_budget = steps;
    return *this;
  }

 private:
  options &with(uint32_t flag) noexcept {
    flags |= flag;
    return *this;
  }
};

/// A side of a copy that is packed, with the dtype and sizes of the other side: copy(packed, dst, view, src).
struct packed_side {};
inline constexpr packed_side packed{};

/// Indices along a dimension, `step` apart: {first, step, count}; {-1, 0, count} is the fill value of the options.
using index_run = stride_index_run;

/// One side of a copy (stride_side): a layout, a shape of XLA or a blocked layout, or runs of indices or a range of
/// elements of one; or `packed`, which has neither runs nor a range. It borrows the object and the runs: keep them
/// alive. A temporary lives only as long as the call whose argument it is: do not write `side s = layout(...)`.
class side {
 public:
  side(const stride_layout &given) noexcept : side(STRIDE_SIDE_LAYOUT, &given) {}
  side(const stride_xla_shape &given) noexcept : side(STRIDE_SIDE_SHAPE, &given) {}
  side(const stride_blocked &given) noexcept : side(STRIDE_SIDE_BLOCKED, &given) {}
  side(packed_side) noexcept : side(0, nullptr) {}
  /// Lists the indices along one more dimension by runs, which must live as long as this (stride_side_set_runs).
  template <class Runs>
  side &runs(uint32_t dimension, const Runs &through) noexcept {
    (void)stride_side_set_runs(own(), dimension, static_cast<uint32_t>(std::size(through)), std::data(through),
                               &wrong_);
    return *this;
  }
  template <class Runs>
  side &runs(uint32_t, const Runs &&) = delete;
  /// Makes it the `count` elements from number `first` on in row-major order (stride_side_set_range).
  side &range(int64_t first, int64_t count) noexcept {
    (void)stride_side_set_range(own(), first, count, &wrong_);
    return *this;
  }
  /// The struct for C functions; null for `packed`.
  const stride_side *get() const noexcept { return side_.of != nullptr ? &side_ : nullptr; }
  /// The layout, if the side is all of one.
  const stride_layout *as_layout() const noexcept {
    return side_.along_count == 0 && side_.range_count < 0 ? of_layout() : nullptr;
  }
  /// The layout of the side, if its object is one.
  const stride_layout *of_layout() const noexcept {
    return side_.kind == STRIDE_SIDE_LAYOUT ? static_cast<const stride_layout *>(side_.of) : nullptr;
  }
  /// The error of setting runs or a range; STRIDE_STATUS_OK if there was none.
  const stride_error &wrong() const noexcept { return wrong_; }

 private:
  // The struct that runs and a range change; null for `packed`, so that they are refused there.
  stride_side *own() noexcept { return side_.of != nullptr ? &side_ : nullptr; }
  // Entries of dimensions without runs have no value: most sides are plain and made for one call.
  side(uint32_t kind, const void *of) noexcept {
    side_.struct_size = sizeof side_;
    side_.kind = kind;
    side_.range_first = 0;
    side_.range_count = -1;
    side_.along_count = side_.reserved = 0;
    side_.of = of;
    side_.reserved_pointer = nullptr;
    wrong_.status = STRIDE_STATUS_OK;
  }
  stride_side side_;
  stride_error wrong_;
};

namespace detail {

/// True if memory stores the dtype of a layout.
inline result<void> typed(const stride_layout *wanted, uint32_t stored, uint32_t argument) noexcept {
  if (wanted == nullptr || serves(stored, wanted->dtype)) return {};
  return result<void>(
      record_of(STRIDE_STATUS_DTYPE_MISMATCH, argument, STRIDE_DETAIL_DTYPES, stored, wanted->dtype));
}
/// The check that both sides were made without an error, and that memory stores the dtypes of layouts. Those of shapes
/// and blocked layouts are not checked, since storage may be wider.
inline result<void> checked(const side &dst, const side &src) noexcept {
  if (dst.wrong().status != STRIDE_STATUS_OK) return result<void>(dst.wrong());
  if (src.wrong().status != STRIDE_STATUS_OK) return result<void>(src.wrong());
  return {};
}
inline result<void> typed(const side &dst, memory to, const side &src, const_memory from) noexcept {
  if (auto meant = checked(dst, src); !meant) return meant;
  const side &of_dst = dst.get() != nullptr ? dst : src, &of_src = src.get() != nullptr ? src : dst;
  if (auto held = typed(of_dst.of_layout(), to.stored(), STRIDE_ARGUMENT_DST); !held) return held;
  return typed(of_src.of_layout(), from.stored(), STRIDE_ARGUMENT_SRC);
}
/// True if stride_copy and stride_plan_init serve: layouts, one of which may be left out.
inline bool plain(const side &dst, const side &src) noexcept {
  return (dst.as_layout() != nullptr || dst.get() == nullptr) && (src.as_layout() != nullptr || src.get() == nullptr);
}

}  // namespace detail

/// Copies every element of `src` to the element of `dst` with the same index (stride_copy, stride_copy_sides);
/// `scratch` is for sides that share bytes.
inline result<void> try_copy(const side &dst_side, memory dst, const side &src_side, const_memory src,
                             const options &with = {}, memory scratch = {}) noexcept {
  if (auto checked = detail::typed(dst_side, dst, src_side, src); !checked) return checked;
  if (scratch.bytes() != 0) {
    options lent = with;
    lent.scratch = scratch.address();
    lent.scratch_bytes = scratch.bytes();
    return try_copy(dst_side, dst, src_side, src, lent);
  }
  if (detail::plain(dst_side, src_side)) {
    return detail::done(stride_copy, dst_side.as_layout(), dst.address(), dst.bytes(), src_side.as_layout(),
                        src.address(), src.bytes(), &with);
  }
  return detail::done(stride_copy_sides, dst_side.get(), dst.address(), dst.bytes(), src_side.get(), src.address(),
                      src.bytes(), &with);
}
STRIDE_THROWING(inline void copy(const side &dst_side, memory dst, const side &src_side, const_memory src,
                                 const options &with = {}, memory scratch = {}) {
  try_copy(dst_side, dst, src_side, src, with, scratch).value();
})
/// Writes one value to every element; UNDECIDED if there are more than 64 indices for each element from the lowest one
/// to the highest, and more than 64 KiB of them. The value's type and bytes are checked against the layout's dtype, as
/// memory is.
template <class T>
result<void> try_fill(const stride_layout &dst_layout, memory dst, const T &value) noexcept {
  constexpr uint32_t stored = detail::stored<T>();
  uint32_t bits = 0;
  // A number that is no dtype is refused by stride_fill, which then reads no value.
  if (stride_dtype_bits(dst_layout.dtype, &bits, nullptr) == STRIDE_STATUS_OK &&
      (!detail::serves(stored, dst_layout.dtype) || (bits + 7) / 8 != sizeof(T))) {
    constexpr uint32_t given = stored != 0 ? stored : STRIDE_DTYPE_U8;
    return result<void>(detail::record_of(STRIDE_STATUS_DTYPE_MISMATCH, STRIDE_ARGUMENT_VALUE, STRIDE_DETAIL_DTYPES,
                                          given, dst_layout.dtype));
  }
  if (auto checked = detail::typed(&dst_layout, dst.stored(), STRIDE_ARGUMENT_DST); !checked) return checked;
  const void *const address = &value;
  return detail::done(stride_fill, &dst_layout, dst.address(), dst.bytes(), address);
}
STRIDE_THROWING(template <class T> void fill(const stride_layout &dst_layout, memory dst, const T &value) {
  try_fill(dst_layout, dst, value).value();
})
/// The row-major number of the first element that differs, -1 if all are equal, byte by byte. UNDECIDED as for a fill,
/// by the larger side.
inline result<int64_t> try_compare(const stride_layout &lhs_layout, const_memory lhs, const stride_layout &rhs_layout,
                                   const_memory rhs) noexcept {
  if (auto checked = detail::typed(&lhs_layout, lhs.stored(), STRIDE_ARGUMENT_LHS); !checked) {
    return result<int64_t>(checked.record());
  }
  if (auto checked = detail::typed(&rhs_layout, rhs.stored(), STRIDE_ARGUMENT_RHS); !checked) {
    return result<int64_t>(checked.record());
  }
  return detail::made<int64_t>(stride_compare, &lhs_layout, lhs.address(), lhs.bytes(), &rhs_layout, rhs.address(),
                               rhs.bytes());
}
STRIDE_THROWING([[nodiscard]] inline int64_t compare(const stride_layout &lhs_layout, const_memory lhs,
                                                     const stride_layout &rhs_layout, const_memory rhs) {
  return try_compare(lhs_layout, lhs, rhs_layout, rhs).value();
})

// =====================================================================================================================
// Plans
// =====================================================================================================================

#ifndef STRIDE_NO_THREADS
/// Runs the parts of a plan on up to `count` threads, of which the caller's is one; 0: as many as the machine has. They
/// live as long as the call. If no more can be started, those that there are do the work (without exceptions that ends
/// the program).
class threads {
 public:
  explicit threads(unsigned count = 0) noexcept : count_(count) {}
  /// part(k) for each k below `parts`, each once; returns when all are done. `part` does not throw.
  template <class Part>
  void operator()(uint32_t parts, const Part &part) const {
    std::atomic<uint32_t> next{0};
    const auto work = [&]() noexcept {
      // Not fetch_add: threads that come late would count beyond `parts`.
      for (uint32_t k = next.load(); k < parts;) {
        if (!next.compare_exchange_weak(k, k + 1)) continue;
        part(k);
        k = next.load();
      }
    };
    const uint32_t wanted = count_ != 0 ? count_ : (std::thread::hardware_concurrency)();
    const uint32_t most = wanted < parts ? wanted : parts;
    std::vector<std::thread> others;
#ifndef STRIDE_NO_EXCEPTIONS
    try {
#endif
      if (most > 1) others.reserve(most - 1);
      for (uint32_t k = 1; k < most; k++) others.emplace_back(work);
#ifndef STRIDE_NO_EXCEPTIONS
    } catch (const std::exception &) {
      // No memory or no thread: the caller's own runs the parts that are left.
    }
#endif
    work();
    for (auto &other : others) other.join();
  }

 private:
  unsigned count_;
};
#endif

/// A copy prepared once: stride_plan. May be shared and run by many threads at once.
class plan : public stride_plan {
 public:
  /// No plan yet: every function refuses it.
  plan() noexcept : stride_plan() {}
  plan(const stride_plan &plain) noexcept : stride_plan(plain) {}
  static result<plan> try_make(const side &dst_side, const side &src_side, const options &with = {}) noexcept {
    if (auto meant = detail::checked(dst_side, src_side); !meant) return result<plan>(meant.record());
    return detail::attempt<plan>([&](plan *out, stride_error *record) {
      return detail::plain(dst_side, src_side)
                 ? stride_plan_init(out, dst_side.as_layout(), src_side.as_layout(), &with, record)
                 : stride_plan_init_sides(out, dst_side.get(), src_side.get(), &with, record);
    });
  }
  STRIDE_THROWING(plan(const side &dst_side, const side &src_side, const options &with = {})
                  : plan(try_make(dst_side, src_side, with).value()) {})

  /// Runs it; `scratch` is for sides that share bytes.
  STRIDE_CONST_VOID(execute, (memory dst, const_memory src, memory scratch = {}),
                    scratch.bytes() == 0
                        ? detail::done(stride_plan_execute, self(), dst.address(), dst.bytes(), src.address(),
                                       src.bytes())
                        : detail::done(stride_plan_execute_scratch, self(), dst.address(), dst.bytes(), src.address(),
                                       src.bytes(), scratch.address(), scratch.bytes()))
  /// Runs it with the lists of its conversion.
  STRIDE_CONST_VOID(execute, (memory dst, const_memory src, const conversion &with),
                    try_execute_part(dst, src, 0, 1, with))
  /// Runs part `part` of `parts`, on any thread; the lists of a conversion, if the plan has some, are given again.
  STRIDE_CONST_VOID(execute_part,
                    (memory dst, const_memory src, uint32_t part, uint32_t parts, const conversion &with = {}),
                    detail::done(stride_plan_execute_values, self(), dst.address(), dst.bytes(), src.address(),
                                 src.bytes(), with.subtracts, with.scales, with.adds, with.value_count, part, parts))
  /// Runs it with the base pointers moved by these bytes, one copy for each pair of offsets.
  STRIDE_CONST_VOID(execute_batch,
                    (memory dst, list dst_offsets, const_memory src, list src_offsets, uint32_t part = 0,
                     uint32_t parts = 1),
                    dst_offsets.size() != src_offsets.size()
                        ? result<void>(detail::record_of(STRIDE_STATUS_INVALID_RANK, STRIDE_ARGUMENT_SRC_OFFSETS,
                                                         STRIDE_DETAIL_COUNT, src_offsets.count(), dst_offsets.count()))
                        : detail::done(stride_plan_execute_batch, self(), dst.address(), dst.bytes(),
                                       dst_offsets.data(), src.address(), src.bytes(), src_offsets.data(),
                                       uint64_t{dst_offsets.size()}, part, parts))
  /// Runs it in `parts` parts (facts().useful_parts of them are worth a thread each) by any thread pool:
  /// `executor(parts, part)` calls part(k) once for each k below `parts`, on any thread and in any order, and returns
  /// when all are done. `part` does not throw. The error is that of the first part that failed; INVALID_ARGUMENT if
  /// `part` was called less often, or more.
  template <class Executor>
  result<void> try_run(memory dst, const_memory src, uint32_t parts, Executor &&executor,
                       const conversion &with = {}) const {
    if (parts == 0) return try_execute_part(dst, src, 0, 0);
    std::atomic<uint32_t> ran{0};
    std::atomic<bool> failed{false};
    stride_error first{};
    const auto part = [&](uint32_t k) noexcept {
      const auto status = try_execute_part(dst, src, k, parts, with);
      if (!status && !failed.exchange(true)) first = status.record();
      ran.fetch_add(1);
    };
    std::forward<Executor>(executor)(parts, part);
    if (failed.load()) return result<void>(first);
    if (const uint32_t done = ran.load(); done != parts) {
      return result<void>(detail::record_of(STRIDE_STATUS_INVALID_ARGUMENT, STRIDE_ARGUMENT_PARTS,
                                            STRIDE_DETAIL_NOT_EQUAL, done, parts));
    }
    return {};
  }
  STRIDE_THROWING(template <class Executor>
                  void run(memory dst, const_memory src, uint32_t parts, Executor &&executor,
                           const conversion &with = {}) const {
                    try_run(dst, src, parts, std::forward<Executor>(executor), with).value();
                  })

  /// Bytes of scratch that it needs with these base pointers.
  STRIDE_CONST(uint64_t, scratch_bytes, (const void *dst, const void *src),
               detail::made<uint64_t>(stride_plan_scratch_bytes, self(), detail::address(dst), detail::address(src)))
  /// Kind, bytes, the ranges that it reaches, the number of parts that are worth a thread each.
  STRIDE_CONST(stride_plan_facts, facts, (),
               detail::attempt(stride_plan_facts(STRIDE_PLAN_FACTS_INIT), [&](auto *out, stride_error *record) {
                 return stride_plan_query(this, out, record);
               }))
  /// The copy as the shortest list of rows (`rank` 1), rectangles (2) or boxes (3).
  result<std::vector<stride_region>> try_regions(uint32_t rank) const {
    return regions_by([&](uint64_t capacity, stride_region *out, uint64_t *count, stride_error *record) {
      return stride_plan_regions(this, rank, capacity, out, count, record);
    });
  }
  STRIDE_THROWING([[nodiscard]] std::vector<stride_region> regions(uint32_t rank) const {
    return try_regions(rank).value();
  })
  /// The copy as the shortest list of regions that keep rules; begin with stride_region_rules_init.
  result<std::vector<stride_region>> try_regions(const stride_region_rules &rules) const {
    return regions_by([&](uint64_t capacity, stride_region *out, uint64_t *count, stride_error *record) {
      return stride_plan_regions_under(this, &rules, capacity, out, count, record);
    });
  }
  STRIDE_THROWING([[nodiscard]] std::vector<stride_region> regions(const stride_region_rules &rules) const {
    return try_regions(rules).value();
  })
  /// The plan as text, for people.
  STRIDE_CONST(std::string, describe, (), detail::written(stride_plan_describe, self()))

 private:
  const stride_plan *self() const noexcept { return this; }
  /// The number first, then the list.
  template <typename Call>
  static result<std::vector<stride_region>> regions_by(Call &&call) {
    uint64_t count = 0;
    stride_error record{};
    auto status = call(0, nullptr, &count, &record);
    if (status != STRIDE_STATUS_OK) return result<std::vector<stride_region>>(record);
    std::vector<stride_region> all;
    if (count > all.max_size()) {
      return result<std::vector<stride_region>>(
          detail::record_of(STRIDE_STATUS_UNSUPPORTED, STRIDE_ARGUMENT_CAPACITY, STRIDE_DETAIL_TOO_MANY_PIECES,
                            static_cast<int64_t>(count), static_cast<int64_t>(all.max_size())));
    }
    all.resize(static_cast<std::size_t>(count));
    status = call(all.size(), all.data(), &count, &record);
    if (status != STRIDE_STATUS_OK) return result<std::vector<stride_region>>(record);
    return all;
  }
};

// =====================================================================================================================
// Your own kernel
// =====================================================================================================================

/// A run of `N` operands: its number of elements, and the bytes from each base pointer to its first element.
template <uint32_t N>
struct run {
  std::array<int64_t, N> offsets;
  /// Bytes from one element to the next, in each operand.
  std::array<int64_t, N> strides;
  uint64_t elements;
  /// The first element of operand `k`, whose base pointer is `base`.
  template <class T>
  T *at(std::size_t k, T *base) const noexcept {
    using byte_type = std::conditional_t<std::is_const_v<T>, const char, char>;
    return reinterpret_cast<T *>(reinterpret_cast<byte_type *>(base) + offsets[k]);
  }
};

/// The runs that are left of `N` operands of equal sizes: stride_runs. for (auto run : runs(a, b)) walks them, once;
/// a copy of them, or a part, is walked on its own.
template <uint32_t N>
class runs : public stride_runs {
  static_assert(0 < N && N <= STRIDE_RUNS_MAX_OPERANDS, "1 to 8 operands");

 public:
  /// None: walked, they are INVALID_ARGUMENT.
  runs() noexcept : stride_runs() {}
  static result<runs> try_make(const std::array<layout, N> &operands) noexcept {
    return detail::attempt<runs>([&](runs *out, stride_error *record) {
      return stride_runs_init(out, N, operands.data(), record);
    });
  }
  template <class... L, class = detail::enable_if_layouts<L...>>
  static result<runs> try_make(const L &...operands) noexcept {
    static_assert(sizeof...(L) == N, "one layout for each operand");
    return try_make(std::array<layout, N>{{layout(operands)...}});
  }
  STRIDE_THROWING(explicit runs(const std::array<layout, N> &operands) : runs(try_make(operands).value()) {})
  STRIDE_THROWING(template <class... L, class = detail::enable_if_layouts<L...>> explicit runs(const L &...operands)
                  : runs(try_make(operands...).value()) {})

  /// Bytes from one element of a run to the next, the same for all runs.
  result<std::array<int64_t, N>> try_strides() const noexcept {
    return detail::attempt<std::array<int64_t, N>>([&](auto *out, stride_error *record) {
      return stride_runs_strides(this, N, out->data(), record);
    });
  }
  STRIDE_THROWING([[nodiscard]] std::array<int64_t, N> strides() const { return try_strides().value(); })
  /// The next run, compiled into the caller's loop; none has 0 elements. It leaves `strides` alone.
  stride_status next(run<N> &out) noexcept {
    out.elements = 0;
    return stride_runs_step(this, N, out.offsets.data(), &out.elements);
  }
  /// Part `part` of `parts` of the runs that are left.
  result<runs> try_part(uint32_t part, uint32_t parts) const noexcept {
    const stride_runs *self = this;
    return detail::attempt<runs>([&](runs *out, stride_error *record) {
      return stride_runs_part(self, part, parts, out, record);
    });
  }
  STRIDE_THROWING([[nodiscard]] runs part(uint32_t part, uint32_t parts) const {
    return try_part(part, parts).value();
  })

  struct sentinel {};
  /// Moves the runs that it comes from.
  class iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = run<N>;
    using difference_type = std::ptrdiff_t;
    using pointer = const run<N> *;
    using reference = const run<N> &;
    iterator() noexcept = default;
    explicit iterator(runs *from) : from_(from) {
      if (auto strides = from->try_strides()) {
        now_.strides = *strides;
        ++*this;
      } else {
        STRIDE_THROWING(detail::raise(strides.record());)
      }
    }
    reference operator*() const noexcept { return now_; }
    pointer operator->() const noexcept { return &now_; }
    iterator &operator++() noexcept {
      // An error would have come from try_strides; runs that were tampered with since then end.
      if (from_->next(now_) != STRIDE_STATUS_OK) now_.elements = 0;
      return *this;
    }
    void operator++(int) noexcept { ++*this; }
    friend bool operator==(const iterator &lhs, sentinel) noexcept { return lhs.now_.elements == 0; }
    friend bool operator!=(const iterator &lhs, sentinel) noexcept { return lhs.now_.elements != 0; }

   private:
    runs *from_ = nullptr;
    run<N> now_{};
  };
  iterator begin() { return iterator(this); }
  sentinel end() const noexcept { return {}; }
};
template <class... L, class = detail::enable_if_layouts<L...>>
runs(const L &...) -> runs<static_cast<uint32_t>(sizeof...(L))>;
template <std::size_t N>
runs(const std::array<layout, N> &) -> runs<static_cast<uint32_t>(N)>;

// =====================================================================================================================
// std::mdspan
// =====================================================================================================================

/// A std::mdspan with std::layout_stride, or a type with its interface, over the elements of a layout with the base
/// pointer `base`: to_mdspan<std::mdspan<float, std::dextents<int, 3>, std::layout_stride>>(nhwc, pixels.data()).
///
/// A mapping has strides above 0 and gives each index an element of its own. Repeated, mirrored and interleaved layouts
/// are NOT_REPRESENTABLE, with the dimension; a stride without effect becomes one that the mapping may have. Sizes must
/// equal static extents and fit index_type; the dtype must be that of the elements.
template <class Mdspan>
result<Mdspan> try_to_mdspan(const layout &from, typename Mdspan::element_type *base) {
  using mapping = typename Mdspan::mapping_type;
  using extents = typename Mdspan::extents_type;
  using index = typename Mdspan::index_type;
  constexpr auto rank = static_cast<std::size_t>(Mdspan::rank());
  constexpr uint64_t most = static_cast<uint64_t>((std::numeric_limits<index>::max)());
  const auto refused = [](stride_status status, uint32_t argument, uint64_t rule, int64_t lhs, int64_t rhs,
                          std::size_t dimension = SIZE_MAX) {
    auto record = detail::record_of(status, argument, rule, lhs, rhs);
    if (dimension != SIZE_MAX) record.dimension = static_cast<int32_t>(dimension);
    return result<Mdspan>(record);
  };
  constexpr uint32_t stored = detail::stored<std::remove_cv_t<typename Mdspan::element_type>>();
  if (auto valid = from.try_validate(); !valid) return result<Mdspan>(valid.record());
  if (auto checked = detail::typed(&from, stored, STRIDE_ARGUMENT_LAYOUT); !checked) {
    return result<Mdspan>(checked.record());
  }
  if (uint32_t bits = 0; stride_dtype_bits(from.dtype, &bits, nullptr) != STRIDE_STATUS_OK ||
                         bits != sizeof(typename Mdspan::element_type) * 8) {
    return refused(STRIDE_STATUS_DTYPE_MISMATCH, STRIDE_ARGUMENT_LAYOUT, STRIDE_DETAIL_DTYPES,
                   stored != 0 ? stored : STRIDE_DTYPE_U8, from.dtype);
  }
  if (from.rank != rank) {
    return refused(STRIDE_STATUS_INVALID_RANK, STRIDE_ARGUMENT_LAYOUT, STRIDE_DETAIL_NOT_EQUAL, from.rank,
                   static_cast<int64_t>(rank));
  }
  auto consumer = requirements::try_make(STRIDE_CONSUMER_MDSPAN);
  if (!consumer) return result<Mdspan>(consumer.record());
  if (auto taken = from.try_require(*consumer); !taken) return result<Mdspan>(taken.record());

  // Strides without effect become those of a packed layout, in which an empty dimension counts as one of size 1.
  std::array<index, rank> sizes{}, strides{};
  uint64_t natural = 1, reach = 1;
  bool empty = false;
  for (std::size_t k = 0; k < rank; k++) empty = empty || from.sizes[k] == 0;
  for (std::size_t k = rank; k-- > 0;) {
    const auto size = static_cast<uint64_t>(from.sizes[k]);
    const auto fixed = extents::static_extent(static_cast<typename extents::rank_type>(k));
    if (fixed != static_cast<std::size_t>(-1) && fixed != size) {
      return refused(STRIDE_STATUS_SHAPE_MISMATCH, STRIDE_ARGUMENT_LAYOUT, STRIDE_DETAIL_NOT_EQUAL, from.sizes[k],
                     static_cast<int64_t>(fixed), k);
    }
    const uint64_t without_effect = natural <= most ? natural : 1;
    const uint64_t step = empty || size == 1 ? without_effect : static_cast<uint64_t>(from.strides[k]);
    const uint64_t entries = size > 1 ? size : 1;
    if (size > most || step > most || entries > UINT64_MAX / step || reach + (entries - 1) * step > most) {
      // The elements that the index would have to count; 2^63 - 1 stands for more.
      constexpr uint64_t farthest = INT64_MAX;
      const uint64_t further = entries > farthest / step ? farthest : (entries - 1) * step;
      return refused(STRIDE_STATUS_OVERFLOW, STRIDE_ARGUMENT_LAYOUT, STRIDE_DETAIL_ABOVE,
                     static_cast<int64_t>(reach < farthest - further ? reach + further : farthest),
                     static_cast<int64_t>(most < farthest ? most : farthest), k);
    }
    reach += empty ? 0 : (entries - 1) * step;
    natural = entries * step;
    sizes[k] = static_cast<index>(size), strides[k] = static_cast<index>(step);
  }
  return Mdspan(base + (empty ? 0 : from.offset), mapping(extents(sizes), strides));
}
STRIDE_THROWING(template <class Mdspan>
                [[nodiscard]] Mdspan to_mdspan(const layout &from, typename Mdspan::element_type *base) {
                  return try_to_mdspan<Mdspan>(from, base).value();
                })

namespace detail {

/// True if `View` has the interface of std::mdspan.
template <class View, class = void>
struct is_mdspan : std::false_type {};
template <class View>
struct is_mdspan<View, std::void_t<typename View::element_type, typename View::mapping_type,
                                   decltype(std::declval<const View &>().data_handle())>> : std::true_type {};
template <class... View>
using enable_if_mdspans = std::enable_if_t<(is_mdspan<View>::value && ...)>;

/// True if the view has the default accessor or none: then elements lie as they are where the mapping says.
template <class View, class = void>
struct has_plain_access : std::true_type {};
template <template <class...> class Mdspan, class T, class Extents, class Layout, class Accessor>
struct has_plain_access<Mdspan<T, Extents, Layout, Accessor>, void>
    : std::is_same<Mdspan<T, Extents, Layout>, Mdspan<T, Extents, Layout, Accessor>> {};

/// A side of a copy that is a std::mdspan: its layout, and the bytes that this reaches from data_handle() on.
struct viewed_side {
  layout view;
  uint64_t bytes = 0;
};
template <class View>
result<viewed_side> viewed(const View &view, uint32_t argument) noexcept {
  using element = std::remove_const_t<typename View::element_type>;
  static_assert(std::is_trivially_copyable_v<element>, "libstride moves bytes: elements have to be trivially copyable");
  static_assert(has_plain_access<View>::value, "elements are moved as they lie, by the default accessor");
  const auto made = [&] {
    if constexpr (has_dtype<element>::value) {
      return layout::try_of(view, dtype_of_v<element>);
    } else {
      return layout::try_of(view, bytes(sizeof(element)));
    }
  }();
  const auto side = made.and_then([](const layout &of) {
    return of.try_min_bytes().transform([&](uint64_t bytes) { return viewed_side{of, bytes}; });
  });
  if (side) return side;
  auto record = side.record();
  record.argument = argument;
  return result<viewed_side>(record);
}

}  // namespace detail

/// Copies every element of one std::mdspan, or of a type with its interface, to the element of the other one with the
/// same index (stride_copy): any mappings with strides, any extents and index types. Sizes that differ are
/// SHAPE_MISMATCH, with the dimension. Numbers of two types are DTYPE_MISMATCH unless the options convert. With options
/// write stride::copy(dst, src, options), by its full name, since std::copy has three parameters too.
template <class Dst, class Src, class = detail::enable_if_mdspans<Dst, Src>>
result<void> try_copy(const Dst &dst, const Src &src, const options &with = {}, memory scratch = {}) noexcept {
  using element = typename Dst::element_type;
  using other = std::remove_const_t<typename Src::element_type>;
  static_assert(!std::is_const_v<element>, "the elements of the destination are written");
  static_assert(std::is_same_v<element, other> ||
                    (detail::has_dtype<element>::value && detail::has_dtype<other>::value),
                "both sides have elements of one type, or numbers that options().convert(...) converts");
  static_assert(Dst::rank() == Src::rank(), "both sides have the same number of dimensions");
  const auto to = detail::viewed(dst, STRIDE_ARGUMENT_DST_LAYOUT);
  if (!to) return result<void>(to.record());
  const auto from = detail::viewed(src, STRIDE_ARGUMENT_SRC_LAYOUT);
  if (!from) return result<void>(from.record());
  const memory written(static_cast<void *>(dst.data_handle()), to->bytes);
  const const_memory read(static_cast<const void *>(src.data_handle()), from->bytes);
  return try_copy(to->view, written, from->view, read, with, scratch);
}
STRIDE_THROWING(template <class Dst, class Src, class = detail::enable_if_mdspans<Dst, Src>>
                void copy(const Dst &dst, const Src &src, const options &with = {}, memory scratch = {}) {
                  try_copy(dst, src, with, scratch).value();
                })

// =====================================================================================================================
// XLA
// =====================================================================================================================

/// stride_xla.h: array shapes with order, padding, tiles and storage bits; oneDNN's blocked formats among them. For all
/// other functions pass the shape to those of C.
namespace xla {

class shape : public stride_xla_shape {
 public:
  /// No shape yet: every function refuses it.
  shape() noexcept : stride_xla_shape() {}
  shape(const stride_xla_shape &plain) noexcept : stride_xla_shape(plain) {}
  /// Unpadded; `minor_first` lists the dimensions, fastest varying first, descending without it.
  static result<shape> try_make(stride::dtype type, list extents, list minor_first = {}) noexcept {
    const list order = detail::optional(minor_first);
    const auto same = detail::counted(extents.count(), {{STRIDE_ARGUMENT_MINOR_TO_MAJOR, order, true}});
    if (!same) return result<shape>(same.record());
    return detail::attempt<shape>([&](shape *out, stride_error *record) {
      return stride_xla_shape_init(out, type.number(), extents.count(), extents.data(), order.data(), record);
    });
  }
  STRIDE_THROWING(shape(stride::dtype type, list extents, list minor_first = {})
                  : shape(try_make(type, extents, minor_first).value()) {})
  /// XLA's text: "bf16[30,100]{1,0:T(8,128)}".
  STRIDE_CREATE(shape, parse, (std::string_view text),
                detail::made<shape>(stride_xla_shape_parse, text.data(), uint64_t{text.size()}))
  /// A blocked format by its tag: "nChw16c", "OIhw4i16o4i".
  STRIDE_CREATE(shape, from_tag, (std::string_view tag, stride::dtype type, list extents),
                detail::made<shape>(stride_xla_shape_parse_tag, tag.data(), uint64_t{tag.size()}, type.number(),
                                    extents.count(), extents.data()))
  /// The unpadded shape of a layout.
  STRIDE_CREATE(shape, of, (const stride_layout &given), detail::made<shape>(stride_layout_to_xla, &given))

  /// This shape in a buffer of these padded sizes; the kind of padding is a STRIDE_XLA_PADDING_.
  STRIDE_CONST(shape, with_padding, (list padded, uint32_t kind = STRIDE_XLA_PADDING_UNKNOWN),
               detail::attempt(*this, [&](shape *out, stride_error *record) {
                 return stride_xla_shape_set_padding(out, padded.count(), padded.data(), kind, record);
               }))
  /// Cut by one more tile.
  STRIDE_CONST(shape, with_tile, (list tile), detail::attempt(*this, [&](shape *out, stride_error *record) {
                 return stride_xla_shape_add_tile(out, tile.count(), tile.data(), record);
               }))
  /// With this many storage bits of an element.
  STRIDE_CONST(shape, with_element_bits, (uint32_t bits), detail::attempt(*this, [&](shape *out, stride_error *record) {
                 return stride_xla_shape_set_element_bits(out, bits, record);
               }))
  /// Dimension i is dimension axes[i]; every element keeps its position.
  STRIDE_CONST(shape, permute, (list axes),
               detail::made<shape>(stride_xla_shape_permute, self(), axes.count(), axes.data()))

  /// The layout of the elements in the buffer, if sizes and strides can express it.
  STRIDE_CONST(layout, to_layout, (), detail::made<layout>(stride_layout_from_xla, self()))
  /// Bytes of the buffer; position of an index in it, in elements, and back.
  STRIDE_CONST(uint64_t, byte_size, (), detail::made<uint64_t>(stride_xla_shape_byte_size, self()))
  STRIDE_CONST(int64_t, linear_index, (list index),
               detail::made<int64_t>(stride_xla_linear_index, self(), index.count(), index.data()))
  STRIDE_CONST(dims, multi_index, (int64_t linear), detail::listed(stride_xla_multi_index, rank, self(), linear))
  /// XLA's text; a longer text for people, with padding and flags; the tag of a blocked format.
  STRIDE_CONST(std::string, text, (), detail::written(stride_xla_shape_format, self()))
  STRIDE_CONST(std::string, describe, (), detail::written(stride_xla_shape_describe, self()))
  STRIDE_CONST(std::string, tag, (), detail::written(stride_xla_shape_format_tag, self()))

 private:
  const stride_xla_shape *self() const noexcept { return this; }
};

}  // namespace xla

// =====================================================================================================================
// Blocked layouts
// =====================================================================================================================

/// stride_interop.h: buffers whose dimensions are digits of the indices, in any order.
class blocked : public stride_blocked {
 public:
  /// No layout yet: every function refuses it.
  blocked() noexcept : stride_blocked() {}
  blocked(const stride_blocked &plain) noexcept : stride_blocked(plain) {}
  /// The blocks of a text, slowest first: "a/128 b/4 a%32 a/32%4 b%4" are scale factors in tiles of 128 x 4.
  STRIDE_CREATE(blocked, parse, (std::string_view text, stride::dtype type, list extents),
                detail::made<blocked>(stride_blocked_parse, text.data(), uint64_t{text.size()}, type.number(),
                                      extents.count(), extents.data()))

  /// Bytes of the buffer, padding included; the buffer as a layout with a dimension for each block.
  STRIDE_CONST(uint64_t, byte_size, (), detail::made<uint64_t>(stride_blocked_byte_size, self()))
  STRIDE_CONST(layout, buffer, (), detail::made<layout>(stride_layout_from_blocked, self()))
  /// The sizes with padding, which the blocks of each dimension have together.
  STRIDE_CONST(dims, padded_sizes, (), detail::listed(stride_blocked_padded_sizes, rank, self()))
  /// Position of an index in the buffer, in elements, and back.
  STRIDE_CONST(int64_t, linear_index, (list index),
               detail::made<int64_t>(stride_blocked_linear_index, self(), index.count(), index.data()))
  STRIDE_CONST(dims, multi_index, (int64_t linear), detail::listed(stride_blocked_multi_index, rank, self(), linear))
  STRIDE_CONST(std::string, text, (), detail::written(stride_blocked_format, self()))

 private:
  const stride_blocked *self() const noexcept { return this; }
};

// Every value type has the bytes of its C struct.
static_assert(detail::same_bytes<layout, stride_layout> && detail::same_bytes<plan, stride_plan> &&
                  detail::same_bytes<runs<1>, stride_runs> && detail::same_bytes<options, stride_copy_options> &&
                  detail::same_bytes<conversion, stride_conversion> &&
                  detail::same_bytes<requirements, stride_requirements> &&
                  detail::same_bytes<xla::shape, stride_xla_shape> && detail::same_bytes<blocked, stride_blocked>,
              "a value type has the bytes of its C struct");

#ifdef STRIDE_NO_EXCEPTIONS
}  // namespace without_exceptions
#endif
}  // namespace stride

/// Hashes of the fields that == compares, so that both may be keys of std::unordered_map.
template <>
struct std::hash<stride::dtype> {
  std::size_t operator()(stride::dtype of) const noexcept { return std::hash<uint32_t>()(of.number()); }
};
template <>
struct std::hash<stride::layout> {
  std::size_t operator()(const stride::layout &of) const noexcept {
    // An odd factor and a shift mix each number into all bits. The factor is that of SplitMix64.
    uint64_t mixed = 0;
    const auto add = [&mixed](uint64_t number) {
      mixed = (mixed ^ number) * 0xBF58476D1CE4E5B9u;
      mixed ^= mixed >> 31;
    };
    add(uint64_t{of.dtype} << 32 | of.rank), add(static_cast<uint64_t>(of.offset));
    for (const int64_t size : of.shape()) add(static_cast<uint64_t>(size));
    for (const int64_t step : of.steps()) add(static_cast<uint64_t>(step));
    return static_cast<std::size_t>(mixed);
  }
};

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#undef STRIDE_FREE_VOID
#undef STRIDE_CONST_VOID
#undef STRIDE_FREE
#undef STRIDE_CREATE
#undef STRIDE_CONST
#undef STRIDE_FORMS
#undef STRIDE_THROWING

#endif  // STRIDE_HPP
