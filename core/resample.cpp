// SPDX-License-Identifier: Apache-2.0
#include "resample.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
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

// Rows as numbers of type T, padded with zeros to whole blocks of columns.
template <class T>
struct Padded {
  static constexpr std::size_t kBlock = 32 / sizeof(T);

  Padded(const double* rows, std::size_t n, std::size_t width)
      : stride((width + kBlock - 1) / kBlock * kBlock), values(n * stride) {
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < width; ++k)
        values[i * stride + k] = static_cast<T>(rows[i * width + k]);
  }

  const T* row(std::size_t i) const { return values.data() + i * stride; }

  std::size_t stride;
  std::vector<T> values;
};

// Whether all sums are whole numbers that fit 32 bits: then they are exact in
// any order, and twice as many fit a vector register.
bool is_whole(const double* rows, std::size_t n, std::size_t width) {
  constexpr double kLimit = 2147483647.0;
  for (std::size_t i = 0; i < n * width; ++i)
    if (rows[i] != std::nearbyint(rows[i]) || std::abs(rows[i]) * static_cast<double>(n) > kLimit)
      return false;
  return true;
}

template <class T>
void sum_draws(const double* rows, std::size_t n, std::size_t width, std::size_t trials,
               std::uint64_t seed, unsigned threads, double* sums) {
  using Table = Padded<T>;
  const Table table(rows, n, width);
  parallel_for(trials, 8, threads, [&]() -> Body {
    return [&, drawn = std::vector<std::uint32_t>(n)](std::size_t from, std::size_t to) mutable {
      for (std::size_t t = from; t < to; ++t) {
        Random random(seed, t);
        for (std::uint32_t& i : drawn) i = random.below(static_cast<std::uint32_t>(n));
        for (std::size_t start = 0; start < width; start += Table::kBlock) {
          T sum[Table::kBlock] = {};
          for (const std::uint32_t i : drawn) {
            const T* row = table.row(i) + start;
            for (std::size_t k = 0; k < Table::kBlock; ++k) sum[k] += row[k];
          }
          const std::size_t end = std::min(Table::kBlock, width - start);
          for (std::size_t k = 0; k < end; ++k)
            sums[t * width + start + k] = static_cast<double>(sum[k]);
        }
      }
    };
  });
}

template <class T>
void sum_heads(const double* rows, std::size_t n, std::size_t width, std::size_t trials,
               std::uint64_t seed, unsigned threads, double* sums) {
  // Eight coins at a time: the 256 possible sums of every eight rows are made
  // once, so a trial adds n / 8 rows instead of deciding on n. Panels keep the
  // tables in cache and their size independent of n.
  constexpr std::size_t kCoins = 8, kCases = 1 << kCoins, kPanel = 128;
  constexpr std::size_t kGroups = kPanel / kCoins, kGroupsPerDraw = 64 / kCoins;
  using Table = Padded<T>;
  const Table table(rows, n, width);
  const std::size_t stride = table.stride;
  std::vector<T> cases(kGroups * kCases * stride), totals(trials * stride);
  for (std::size_t start = 0; start < n; start += kPanel) {
    const std::size_t end = std::min(n, start + kPanel);
    const std::size_t groups = (end - start + kCoins - 1) / kCoins;
    for (std::size_t g = 0; g < groups; ++g) {
      // Case c is the case without its highest head, plus the row of that head.
      for (std::size_t c = 1; c < kCases; ++c) {
        const std::size_t head = std::bit_width(c) - 1, i = start + g * kCoins + head;
        const T* without = &cases[(g * kCases + (c ^ (std::size_t{1} << head))) * stride];
        T* with = &cases[(g * kCases + c) * stride];
        for (std::size_t k = 0; k < stride; ++k)
          with[k] = without[k] + (i < end ? table.row(i)[k] : T{0});
      }
    }
    parallel_for(trials, 64, threads, [&]() -> Body {
      return [&](std::size_t from, std::size_t to) {
        for (std::size_t t = from; t < to; ++t) {
          Random random(seed, t, start / 64);
          std::uint64_t draws[kPanel / 64];
          for (std::uint64_t& draw : draws) draw = random.next();
          for (std::size_t first = 0; first < stride; first += Table::kBlock) {
            T* total = &totals[t * stride + first];
            T sum[Table::kBlock];
            std::copy_n(total, Table::kBlock, sum);
            for (std::size_t g = 0; g < groups; ++g) {
              const std::size_t c =
                  draws[g / kGroupsPerDraw] >> (g % kGroupsPerDraw * kCoins) & (kCases - 1);
              const T* entry = &cases[(g * kCases + c) * stride + first];
              for (std::size_t k = 0; k < Table::kBlock; ++k) sum[k] += entry[k];
            }
            std::copy_n(sum, Table::kBlock, total);
          }
        }
      };
    });
  }
  for (std::size_t t = 0; t < trials; ++t)
    for (std::size_t k = 0; k < width; ++k)
      sums[t * width + k] = static_cast<double>(totals[t * stride + k]);
}

}  // namespace

void bootstrap_sums(const double* rows, std::size_t n, std::size_t width,
                    std::size_t trials, std::uint64_t seed, unsigned threads, double* sums) {
  const bool whole = is_whole(rows, n, width);
  (whole ? sum_draws<std::int32_t> : sum_draws<double>)(rows, n, width, trials, seed, threads,
                                                        sums);
}

void coin_sums(const double* rows, std::size_t n, std::size_t width, std::size_t trials,
               std::uint64_t seed, unsigned threads, double* sums) {
  const bool whole = is_whole(rows, n, width);
  (whole ? sum_heads<std::int32_t> : sum_heads<double>)(rows, n, width, trials, seed, threads,
                                                        sums);
}

}  // namespace tertium
