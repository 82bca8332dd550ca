// SPDX-License-Identifier: Apache-2.0
// Four doubles at a time: a vector of GCC or Clang, or an array with the same operators.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/compiler.hpp"

namespace tertium {

constexpr std::size_t kDoubles = 4;

#ifdef TERTIUM_VECTORS

using Doubles = double __attribute__((vector_size(kDoubles * sizeof(double))));
using DoublesMask = std::int64_t __attribute__((vector_size(kDoubles * sizeof(double))));

// No function returns a vector: how it would, differs between processors.
TERTIUM_INLINE void choose(const DoublesMask& mask, const Doubles& yes, const Doubles& no,
                           Doubles& out) {
  out = mask ? yes : no;
}

#else

struct DoublesMask {
  bool v[kDoubles];

  bool operator[](std::size_t i) const { return v[i]; }
};

struct Doubles {
  double v[kDoubles];

  double operator[](std::size_t i) const { return v[i]; }
};

template <class Make>
constexpr auto each_double(const Make& make) {
  return Doubles{{make(0), make(1), make(2), make(3)}};
}

inline Doubles operator-(const Doubles& a) {
  return each_double([&](std::size_t i) { return -a[i]; });
}
inline Doubles operator+(const Doubles& a, double b) {
  return each_double([&](std::size_t i) { return a[i] + b; });
}
inline Doubles operator+(double a, const Doubles& b) { return b + a; }
inline Doubles operator-(const Doubles& a, double b) { return a + -b; }
inline Doubles operator-(const Doubles& a, const Doubles& b) {
  return each_double([&](std::size_t i) { return a[i] - b[i]; });
}
inline Doubles operator*(double a, const Doubles& b) {
  return each_double([&](std::size_t i) { return a * b[i]; });
}
inline DoublesMask operator<(const Doubles& a, const Doubles& b) {
  return {{a[0] < b[0], a[1] < b[1], a[2] < b[2], a[3] < b[3]}};
}
inline DoublesMask operator>(const Doubles& a, const Doubles& b) { return b < a; }
inline DoublesMask operator<(const Doubles& a, double b) { return a < Doubles{{b, b, b, b}}; }
inline void choose(const DoublesMask& mask, const Doubles& yes, const Doubles& no, Doubles& out) {
  for (std::size_t i = 0; i < kDoubles; ++i) out.v[i] = mask[i] ? yes[i] : no[i];
}

#endif

}  // namespace tertium
