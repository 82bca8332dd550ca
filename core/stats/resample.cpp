// SPDX-License-Identifier: Apache-2.0
#include "stats/resample.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "base/batch.hpp"
#include "base/clones.hpp"
#include "base/random.hpp"

namespace tertium {

namespace {

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
  return std::all_of(rows, rows + n * width, [&](double x) {
    return x == std::nearbyint(x) && std::abs(x) * static_cast<double>(n) <= 2147483647.0;
  });
}

// Whether all numbers, and the counts of draws, also fit 16 bits.
bool is_small(const double* rows, std::size_t n, std::size_t width) {
  return n <= 32767 && std::all_of(rows, rows + n * width,
                                   [](double x) { return std::abs(x) <= 32767.0; });
}

// The products of one row of counts with four columns of n numbers.
TERTIUM_CLONES void dot(const std::int16_t* counts, const std::int16_t* columns, std::size_t n,
         std::int32_t* sums) {
  std::int32_t a = 0, b = 0, c = 0, d = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::int32_t count = counts[i];
    a += count * columns[i];
    b += count * columns[n + i];
    c += count * columns[2 * n + i];
    d += count * columns[3 * n + i];
  }
  sums[0] = a;
  sums[1] = b;
  sums[2] = c;
  sums[3] = d;
}

// Few small whole numbers: how often every row was drawn, times the columns.
// Products of 16-bit numbers, summed in 32 bits, are one instruction for eight.
void sum_small_draws(const double* rows, std::size_t n, std::size_t width, Trials trials,
                     unsigned threads, double* sums) {
  constexpr std::size_t kBlock = 4;  // columns at a time share a load of counts
  const std::size_t padded = (width + kBlock - 1) / kBlock * kBlock;
  std::vector<std::int16_t> columns(padded * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < width; ++k)
      columns[k * n + i] = static_cast<std::int16_t>(rows[i * width + k]);
  parallel_for(trials.count, 8, threads, [&]() -> Body {
    return [&, counts = std::vector<std::int16_t>(n)](std::size_t from, std::size_t to) mutable {
      for (std::size_t t = from; t < to; ++t) {
        Random random(trials.seed, trials.first + t);
        std::fill(counts.begin(), counts.end(), std::int16_t{0});
        random.indices(static_cast<std::uint32_t>(n), [&](std::uint32_t i) { ++counts[i]; });
        for (std::size_t start = 0; start < padded; start += kBlock) {
          const std::int16_t* column = &columns[start * n];
          std::int32_t sum[kBlock] = {};
          dot(counts.data(), column, n, sum);
          const std::size_t end = std::min(kBlock, width - start);
          for (std::size_t k = 0; k < end; ++k) sums[t * width + start + k] = sum[k];
        }
      }
    };
  });
}

// Add Width columns of the rows drawn, one row after the other: the more columns at a
// time, the fewer walks through the table.
template <std::size_t Width>
TERTIUM_INLINE void add_columns(const double* columns, std::size_t stride,
                                const std::vector<std::uint32_t>& drawn, double* sums) {
  double sum[Width] = {};
  for (const std::uint32_t i : drawn) {
    const double* row = columns + i * stride;
    for (std::size_t k = 0; k < Width; ++k) sum[k] += row[k];
  }
  std::copy_n(sum, Width, sums);
}

TERTIUM_CLONES void add_drawn(const double* table, std::size_t stride,
                              const std::vector<std::uint32_t>& drawn, double* sums) {
  std::size_t start = 0;
  for (; start + 16 <= stride; start += 16)
    add_columns<16>(table + start, stride, drawn, sums + start);
  for (; start < stride; start += 4)
    add_columns<4>(table + start, stride, drawn, sums + start);
}

void sum_draws(const double* rows, std::size_t n, std::size_t width, Trials trials,
               unsigned threads, double* sums) {
  using Table = Padded<double>;
  const Table table(rows, n, width);
  parallel_for(trials.count, 8, threads, [&]() -> Body {
    return [&, drawn = std::vector<std::uint32_t>(n), sum = std::vector<double>(table.stride)](
               std::size_t from, std::size_t to) mutable {
      for (std::size_t t = from; t < to; ++t) {
        Random random(trials.seed, trials.first + t);
        std::size_t place = 0;
        random.indices(static_cast<std::uint32_t>(n),
                       [&](std::uint32_t i) { drawn[place++] = i; });
        add_drawn(table.row(0), table.stride, drawn, sum.data());
        std::copy_n(sum.data(), width, sums + t * width);
      }
    };
  });
}

template <class T>
void sum_heads(const double* rows, std::size_t n, std::size_t width, Trials trials,
               unsigned threads, double* sums) {
  // Eight coins at a time: the 256 possible sums of every eight rows are made
  // once, so a trial adds n / 8 rows instead of deciding on n. Panels keep the
  // tables in cache and their size independent of n.
  constexpr std::size_t kCoins = 8, kCases = 1 << kCoins, kPanel = 128;
  constexpr std::size_t kGroups = kPanel / kCoins, kGroupsPerDraw = 64 / kCoins;
  using Table = Padded<T>;
  const Table table(rows, n, width);
  const std::size_t stride = table.stride;
  std::vector<T> cases(kGroups * kCases * stride), totals(trials.count * stride);
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
    parallel_for(trials.count, 64, threads, [&]() -> Body {
      return [&](std::size_t from, std::size_t to) {
        for (std::size_t t = from; t < to; ++t) {
          Random random(trials.seed, trials.first + t, start / 64);
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
  for (std::size_t t = 0; t < trials.count; ++t)
    for (std::size_t k = 0; k < width; ++k)
      sums[t * width + k] = static_cast<double>(totals[t * stride + k]);
}

}  // namespace

void bootstrap_sums(const double* rows, std::size_t n, std::size_t width, Trials trials,
                    unsigned threads, double* sums) {
  if (n == 0) {
    std::fill_n(sums, trials.count * width, 0.0);
    return;
  }
  const bool small = is_whole(rows, n, width) && is_small(rows, n, width);
  (small ? sum_small_draws : sum_draws)(rows, n, width, trials, threads, sums);
}

void coin_sums(const double* rows, std::size_t n, std::size_t width, Trials trials,
               unsigned threads, double* sums) {
  const bool whole = is_whole(rows, n, width);
  (whole ? sum_heads<std::int32_t> : sum_heads<double>)(rows, n, width, trials, threads, sums);
}

}  // namespace tertium
