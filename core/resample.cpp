// SPDX-License-Identifier: Apache-2.0
#include "resample.hpp"

#include <algorithm>
#include <vector>

#include "batch.hpp"

namespace tertium {

namespace {

// SplitMix64 (Steele, Lea and Flood 2014), one stream a trial.
class Random {
 public:
  // The stream of one trial, from its draw number `skip` on.
  Random(std::uint64_t seed, std::uint64_t trial, std::uint64_t skip = 0)
      : state_(scramble(scramble(seed) + 0xD1342543DE82EF95ull * (trial + 1)) + kStep * skip) {}

  std::uint64_t next() { return scramble(state_ += kStep); }

  // A number below n, without bias (Lemire 2019); n fits in 32 bits.
  std::uint32_t below(std::uint32_t n) {
    std::uint64_t product = next32() * n;
    if (static_cast<std::uint32_t>(product) < n) {
      const std::uint32_t threshold = (0u - n) % n;
      while (static_cast<std::uint32_t>(product) < threshold) product = next32() * n;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

 private:
  static constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15ull;

  static std::uint64_t scramble(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }

  std::uint64_t next32() {
    if (half_) {
      half_ = false;
      return spare_;
    }
    const std::uint64_t both = next();
    spare_ = both >> 32;
    half_ = true;
    return both & 0xFFFFFFFFu;
  }

  std::uint64_t state_, spare_ = 0;
  bool half_ = false;
};

}  // namespace

void bootstrap_sums(const double* rows, std::size_t n, std::size_t width,
                    std::size_t trials, std::uint64_t seed, unsigned threads, double* sums) {
  parallel_for(trials, 8, threads, [&]() -> Body {
    return [&, counts = std::vector<std::uint32_t>(n)](std::size_t from, std::size_t to) mutable {
      for (std::size_t t = from; t < to; ++t) {
        Random random(seed, t);
        std::fill(counts.begin(), counts.end(), 0);
        for (std::size_t i = 0; i < n; ++i) ++counts[random.below(static_cast<std::uint32_t>(n))];
        double* sum = sums + t * width;
        std::fill_n(sum, width, 0.0);
        for (std::size_t i = 0; i < n; ++i) {
          if (counts[i] == 0) continue;
          const double weight = counts[i];
          const double* row = rows + i * width;
          for (std::size_t k = 0; k < width; ++k) sum[k] += weight * row[k];
        }
      }
    };
  });
}

void coin_sums(const double* rows, std::size_t n, std::size_t width, std::size_t trials,
               std::uint64_t seed, unsigned threads, double* sums) {
  // Four coins at a time: the 16 possible sums of every four rows are made
  // once, so a trial adds n / 4 rows instead of deciding on n. Panels keep the
  // table in cache and its size independent of n.
  constexpr std::size_t kCoins = 4, kCases = 1 << kCoins, kPanel = 1024;
  constexpr std::size_t kGroups = kPanel / kCoins, kGroupsPerDraw = 64 / kCoins;
  std::vector<double> table(kGroups * kCases * width);
  std::fill_n(sums, trials * width, 0.0);
  for (std::size_t start = 0; start < n; start += kPanel) {
    const std::size_t end = std::min(n, start + kPanel);
    const std::size_t groups = (end - start + kCoins - 1) / kCoins;
    std::fill(table.begin(), table.end(), 0.0);
    for (std::size_t i = start; i < end; ++i) {
      const std::size_t group = (i - start) / kCoins, bit = (i - start) % kCoins;
      for (std::size_t c = 1; c < kCases; ++c) {
        if (!(c >> bit & 1)) continue;
        double* entry = &table[(group * kCases + c) * width];
        for (std::size_t k = 0; k < width; ++k) entry[k] += rows[i * width + k];
      }
    }
    parallel_for(trials, 64, threads, [&]() -> Body {
      return [&](std::size_t from, std::size_t to) {
        for (std::size_t t = from; t < to; ++t) {
          Random random(seed, t, start / 64);
          double* sum = sums + t * width;
          std::uint64_t bits = 0;
          for (std::size_t g = 0; g < groups; ++g) {
            if (g % kGroupsPerDraw == 0) bits = random.next();
            const double* entry = &table[(g * kCases + (bits & (kCases - 1))) * width];
            bits >>= kCoins;
            for (std::size_t k = 0; k < width; ++k) sum[k] += entry[k];
          }
        }
      };
    });
  }
}

}  // namespace tertium
