// SPDX-License-Identifier: Apache-2.0
// Eight 16-bit numbers at a time: SSE2, which every x86-64 has, the vectors that GCC
// (from 12 on) and Clang have for every machine, or plain loops for other compilers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/compiler.hpp"

// MSVC has SSE2 on x86-64 without saying so.
#if (defined(__SSE2__) || defined(_M_X64)) && !defined(TERTIUM_GENERIC_LANES)
#include <emmintrin.h>
#define TERTIUM_SSE2_LANES 1
#endif

namespace tertium {

constexpr std::size_t kLanes = 8;

#ifdef TERTIUM_SSE2_LANES

struct Lanes {
  __m128i v;

  static Lanes load(const std::int16_t* p) {
    return {_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))};
  }
  static Lanes all(std::int16_t x) { return {_mm_set1_epi16(x)}; }
  // The numbers at eight places.
  static Lanes gather(const std::int16_t* p, const std::uint16_t* at) {
    return {_mm_set_epi16(p[at[7]], p[at[6]], p[at[5]], p[at[4]], p[at[3]], p[at[2]], p[at[1]],
                          p[at[0]])};
  }
  void store(std::int16_t* p) const { _mm_storeu_si128(reinterpret_cast<__m128i*>(p), v); }
  Lanes last() const { return all(static_cast<std::int16_t>(_mm_extract_epi16(v, 7))); }
  // The largest number up to each place; numbers are not negative.
  Lanes prefix_max() const {
    __m128i x = _mm_max_epi16(v, _mm_slli_si128(v, 2));
    x = _mm_max_epi16(x, _mm_slli_si128(x, 4));
    return {_mm_max_epi16(x, _mm_slli_si128(x, 8))};
  }
};

inline Lanes max(Lanes a, Lanes b) { return {_mm_max_epi16(a.v, b.v)}; }
inline Lanes operator+(Lanes a, Lanes b) { return {_mm_add_epi16(a.v, b.v)}; }
inline Lanes operator-(Lanes a, Lanes b) { return {_mm_sub_epi16(a.v, b.v)}; }
inline Lanes operator&(Lanes a, Lanes b) { return {_mm_and_si128(a.v, b.v)}; }
inline Lanes operator|(Lanes a, Lanes b) { return {_mm_or_si128(a.v, b.v)}; }
// b where a has no ones.
inline Lanes without(Lanes a, Lanes b) { return {_mm_andnot_si128(a.v, b.v)}; }
// All ones where equal.
inline Lanes equal(Lanes a, Lanes b) { return {_mm_cmpeq_epi16(a.v, b.v)}; }

#elif defined(TERTIUM_VECTORS)

struct Lanes {
  using Vector = std::int16_t __attribute__((vector_size(16)));
  Vector v;

  static Lanes load(const std::int16_t* p) {
    Lanes out;
    std::memcpy(&out.v, p, sizeof out.v);
    return out;
  }
  static Lanes all(std::int16_t x) { return {Vector{x, x, x, x, x, x, x, x}}; }
  static Lanes gather(const std::int16_t* p, const std::uint16_t* at) {
    return {Vector{p[at[0]], p[at[1]], p[at[2]], p[at[3]], p[at[4]], p[at[5]], p[at[6]],
                   p[at[7]]}};
  }
  void store(std::int16_t* p) const { std::memcpy(p, &v, sizeof v); }
  Lanes last() const { return all(v[7]); }
  Lanes prefix_max() const {
    const Vector none = {};
    Vector x = v;
    const auto take = [&x](Vector y) { x = x > y ? x : y; };
    take(__builtin_shufflevector(none, x, 0, 8, 9, 10, 11, 12, 13, 14));
    take(__builtin_shufflevector(none, x, 0, 1, 8, 9, 10, 11, 12, 13));
    take(__builtin_shufflevector(none, x, 0, 1, 2, 3, 8, 9, 10, 11));
    return {x};
  }
};

inline Lanes max(Lanes a, Lanes b) { return {a.v > b.v ? a.v : b.v}; }
inline Lanes operator+(Lanes a, Lanes b) { return {a.v + b.v}; }
inline Lanes operator-(Lanes a, Lanes b) { return {a.v - b.v}; }
inline Lanes operator&(Lanes a, Lanes b) { return {a.v & b.v}; }
inline Lanes operator|(Lanes a, Lanes b) { return {a.v | b.v}; }
inline Lanes without(Lanes a, Lanes b) { return {~a.v & b.v}; }
inline Lanes equal(Lanes a, Lanes b) { return {a.v == b.v}; }

#else

struct Lanes {
  std::int16_t v[kLanes];

  template <class Make>
  static Lanes make(const Make& number) {
    Lanes out;
    for (std::size_t i = 0; i < kLanes; ++i) out.v[i] = static_cast<std::int16_t>(number(i));
    return out;
  }
  static Lanes load(const std::int16_t* p) {
    return make([p](std::size_t i) { return p[i]; });
  }
  static Lanes all(std::int16_t x) {
    return make([x](std::size_t) { return x; });
  }
  static Lanes gather(const std::int16_t* p, const std::uint16_t* at) {
    return make([p, at](std::size_t i) { return p[at[i]]; });
  }
  void store(std::int16_t* p) const { std::memcpy(p, v, sizeof v); }
  Lanes last() const { return all(v[kLanes - 1]); }
  Lanes prefix_max() const {
    std::int16_t highest = 0;
    return make([&](std::size_t i) { return highest = v[i] > highest ? v[i] : highest; });
  }
};

inline Lanes max(Lanes a, Lanes b) {
  return Lanes::make([&](std::size_t i) { return a.v[i] > b.v[i] ? a.v[i] : b.v[i]; });
}
inline Lanes operator+(Lanes a, Lanes b) {
  return Lanes::make([&](std::size_t i) { return a.v[i] + b.v[i]; });
}
inline Lanes operator-(Lanes a, Lanes b) {
  return Lanes::make([&](std::size_t i) { return a.v[i] - b.v[i]; });
}
inline Lanes operator&(Lanes a, Lanes b) {
  return Lanes::make([&](std::size_t i) { return a.v[i] & b.v[i]; });
}
inline Lanes operator|(Lanes a, Lanes b) {
  return Lanes::make([&](std::size_t i) { return a.v[i] | b.v[i]; });
}
inline Lanes without(Lanes a, Lanes b) {
  return Lanes::make([&](std::size_t i) { return ~a.v[i] & b.v[i]; });
}
inline Lanes equal(Lanes a, Lanes b) {
  return Lanes::make([&](std::size_t i) { return a.v[i] == b.v[i] ? -1 : 0; });
}

#endif

}  // namespace tertium
