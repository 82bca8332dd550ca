// SPDX-License-Identifier: Apache-2.0
// Random numbers that depend on (seed, trial, place) alone.
#pragma once

#include <cstdint>

namespace tertium {

// SplitMix64 (Steele, Lea and Flood 2014), one stream a trial.
class Random {
 public:
  // The stream of one trial, from its draw number `skip` on.
  Random(std::uint64_t seed, std::uint64_t trial, std::uint64_t skip = 0)
      : state_(scramble(scramble(seed) + 0xD1342543DE82EF95ull * (trial + 1)) + kStep * skip) {}

  std::uint64_t next() { return scramble(state_ += kStep); }

  // The draw that comes after k others, without making these.
  std::uint64_t draw(std::uint64_t k) const { return scramble(state_ + kStep * (k + 1)); }

  // Call visit(i) with n numbers below n, without bias (Lemire 2019): two from
  // every draw, and a rejected one from a draw of its own. n fits in 32 bits.
  template <class Visit>
  void indices(std::uint32_t n, Visit&& visit) {
    const std::uint32_t threshold = (0u - n) % n;
    const auto scaled = [&](std::uint64_t half) {
      std::uint64_t product = half * n;
      while (static_cast<std::uint32_t>(product) < threshold)
        product = (next() & 0xFFFFFFFFu) * n;
      return static_cast<std::uint32_t>(product >> 32);
    };
    for (std::uint32_t i = 0; i + 1 < n; i += 2) {
      const std::uint64_t both = next();
      visit(scaled(both & 0xFFFFFFFFu));
      visit(scaled(both >> 32));
    }
    if (n % 2 == 1) visit(scaled(next() & 0xFFFFFFFFu));
  }

 private:
  static constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15ull;

  static std::uint64_t scramble(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

}  // namespace tertium
