// What the C++ tests have in common: checks that count, random numbers that are the same everywhere, and what both
// forms of a function have to agree in. No test needs exceptions or POSIX.
#ifndef STRIDE_TESTS_CHECK_HPP
#define STRIDE_TESTS_CHECK_HPP

#if defined(_WIN32)
// Its macros min, max, small, near and far must do no harm.
#include <windows.h>
#endif

#include <cstdio>
#include <cstring>
#include <string>

#include "stride.hpp"

// Of the whole program; check.hpp is included by every file of it.
struct counts {
  unsigned long checks = 0, failures = 0;
};
inline counts &count() {
  static counts all;
  return all;
}

inline void check(bool holds, const char *what, const char *file, int line) {
  count().checks++;
  if (holds) return;
  if (++count().failures <= 20) std::printf("%s:%d: %s\n", file, line, what);
}
#define CHECK(...) check((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)

// SplitMix64, of Steele, Lea and Flood.
class random_numbers {
 public:
  explicit random_numbers(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  /// lowest ... highest
  int64_t in(int64_t lowest, int64_t highest) {
    return lowest + static_cast<int64_t>(next() % static_cast<uint64_t>(highest - lowest + 1));
  }

 private:
  uint64_t state_;
};

inline bool same_record(const stride_error &lhs, const stride_error &rhs) {
  return std::memcmp(&lhs, &rhs, sizeof lhs) == 0;
}

/// The sentence of a record as C makes it.
inline std::string sentence(const stride_error &record) {
  char buffer[512];
  uint64_t length = 0;
  stride_error_format(&record, buffer, sizeof buffer, &length, nullptr);
  return buffer;
}

// Whether `throwing`, an expression, throws an error with this status.
#ifndef STRIDE_NO_EXCEPTIONS
#define CHECK_THROWS(wanted, ...)                                     \
  do {                                                                \
    stride_status thrown = STRIDE_STATUS_OK;                          \
    try {                                                             \
      static_cast<void>(__VA_ARGS__);                                 \
    } catch (const stride::error &e) {                                \
      thrown = e.status();                                            \
      CHECK(sentence(e.record()) == e.what());                        \
    }                                                                 \
    check(thrown == (wanted), #__VA_ARGS__, __FILE__, __LINE__);      \
  } while (false)
#define WITH_EXCEPTIONS(...) __VA_ARGS__
#else
#define CHECK_THROWS(wanted, ...) static_cast<void>(0)
#define WITH_EXCEPTIONS(...)
#endif

#endif
