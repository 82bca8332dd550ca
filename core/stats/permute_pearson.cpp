// SPDX-License-Identifier: Apache-2.0
// Permutation tests of Pearson's r.
//
// Sums of scores, squares and products with people's scores are linear in the
// coins, so a trial adds up the swapped entries of every metric once, and the
// sums of all pairs of metrics follow: what stays of one plus what comes from the
// other. O(entries * metrics + groups * pairs) a trial.
#include <algorithm>
#include <cmath>

#include "base/batch.hpp"
#include "base/clones.hpp"
#include "stats/permute.hpp"

namespace tertium {

namespace {

constexpr std::size_t kItems = 64;  // whose sums fit the cache
constexpr std::size_t kSums = 3;

// Sums of squares below this share of the raw ones are rounding: a constant.
constexpr double kConstant = 1e-13;

// Sums of a block of items, [metric][sum][item].
struct Block {
  std::vector<double> values;

  explicit Block(std::size_t metrics) : values(metrics * kSums * kItems) {}
  double* at(std::size_t m, std::size_t sum) { return &values[(m * kSums + sum) * kItems]; }
  const double* at(std::size_t m, std::size_t sum) const {
    return &values[(m * kSums + sum) * kItems];
  }
};

// Items [first, last): what a trial needs of them.
struct Items {
  std::size_t first, last, metrics;
  std::vector<double> rows;  // (entry, metric, sum), centred, people's by length too
  std::vector<double> inverse;  // 1 / entries
  Block totals;

  Items(const Scores& scores, std::size_t from, std::size_t to)
      : first(from), last(to), metrics(scores.metrics),
        rows((to - from) * scores.systems * metrics * kSums), inverse(kItems), totals(metrics) {
    for (std::size_t g = 0; g < to - from; ++g) add(scores, g);
  }

  void add(const Scores& scores, std::size_t g) {
    const std::size_t start = (first + g) * scores.systems;
    double n = 0, sum = 0, centre = 0;
    for (std::size_t i = 0; i < scores.systems; ++i)
      if (!std::isnan(scores.human[start + i])) {
        ++n;
        sum += scores.human[start + i];
        for (std::size_t m = 0; m < metrics; ++m) centre += scores.metric(m)[start + i];
      }
    if (n < 2) return;
    inverse[g] = 1 / n;
    // One centre for all metrics: they exchange their scores.
    centre /= n * static_cast<double>(metrics);
    double squares = 0;
    bool constant = true;
    double any = 0;
    bool seen = false;
    for (std::size_t i = 0; i < scores.systems; ++i) {
      const double h = scores.human[start + i];
      if (std::isnan(h)) continue;
      squares += (h - sum / n) * (h - sum / n);
      constant = constant && (!seen || h == any);
      any = h;
      seen = true;
    }
    if (constant) return;
    const double scale = 1 / std::sqrt(squares);
    for (std::size_t i = 0; i < scores.systems; ++i) {
      const double h = scores.human[start + i];
      if (std::isnan(h)) continue;
      double* row = &rows[(g * scores.systems + i) * metrics * kSums];
      for (std::size_t m = 0; m < metrics; ++m, row += kSums) {
        const double x = scores.metric(m)[start + i] - centre;
        row[0] = x;
        row[1] = x * x;
        row[2] = x * (h - sum / n) * scale;
        for (std::size_t k = 0; k < kSums; ++k) totals.at(m, k)[g] += row[k];
      }
    }
  }

  // Sums over the swapped entries.
  void swap(const SwapMask& mask, std::size_t systems, std::vector<double>& sum,
            Block& out) const {
    const std::size_t width = metrics * kSums;
    for (std::size_t g = 0; g < last - first; ++g) {
      std::fill(sum.begin(), sum.end(), 0.0);
      for (std::size_t i = 0; i < systems; ++i) {
        if (!mask.at(first + g, i)) continue;
        const double* row = &rows[(g * systems + i) * width];
        for (std::size_t k = 0; k < width; ++k) sum[k] += row[k];
      }
      for (std::size_t m = 0; m < metrics; ++m)
        for (std::size_t k = 0; k < kSums; ++k) out.at(m, k)[g] = sum[m * kSums + k];
    }
  }
};

struct Mean {
  double sum = 0, defined = 0;
};

// Add r of metric `own` with the swapped entries of `other`. Eight lanes are
// summed side by side, the same way on every processor.
TERTIUM_CLONES void add_correlations(const Items& items, const Block& swapped, std::size_t own,
                                     std::size_t other, Mean& mean) {
  constexpr std::size_t kLanes = 8;
  const double *t0 = items.totals.at(own, 0), *t1 = items.totals.at(own, 1),
               *t2 = items.totals.at(own, 2);
  const double *a0 = swapped.at(own, 0), *a1 = swapped.at(own, 1), *a2 = swapped.at(own, 2);
  const double *b0 = swapped.at(other, 0), *b1 = swapped.at(other, 1), *b2 = swapped.at(other, 2);
  const double* inverse = items.inverse.data();
  double r[kItems], good[kItems];
  for (std::size_t g = 0; g < kItems; ++g) {
    const double x = t0[g] - a0[g] + b0[g], xx = t1[g] - a1[g] + b1[g];
    const double xy = t2[g] - a2[g] + b2[g];
    const double squares = xx - x * x * inverse[g];
    good[g] = static_cast<double>(squares > kConstant * xx);
    // Where it is not good, 0 / sqrt(something positive).
    r[g] = good[g] * xy / std::sqrt(squares * good[g] + (1.0 - good[g]));
  }
  double sum[kLanes] = {}, defined[kLanes] = {};
  for (std::size_t start = 0; start < kItems; start += kLanes)
    for (std::size_t k = 0; k < kLanes; ++k) {
      sum[k] += r[start + k];
      defined[k] += good[start + k];
    }
  for (std::size_t k = 0; k < kLanes; ++k) {
    mean.sum += sum[k];
    mean.defined += defined[k];
  }
}

}  // namespace

void permute_pearson(const Scores& scores, std::span<const Rivals> rivals, SwapTrials trials,
                     unsigned threads, double* out) {
  const std::size_t pairs = rivals.size(), count = trials.count;
  std::vector<Mean> first(pairs * count), second(pairs * count);
  for (std::size_t start = 0; start < scores.segments; start += kItems) {
    const Items items(scores, start, std::min(scores.segments, start + kItems));
    parallel_for(count, 16, threads, [&]() -> Body {
      return [&, swapped = Block(scores.metrics),
              sum = std::vector<double>(scores.metrics * kSums)](std::size_t from,
                                                                 std::size_t to) mutable {
        for (std::size_t t = from; t < to; ++t) {
          const SwapMask mask(trials.swap, trials.seed, trials.first + t, scores.systems);
          items.swap(mask, scores.systems, sum, swapped);
          for (std::size_t p = 0; p < pairs; ++p) {
            add_correlations(items, swapped, rivals[p].a, rivals[p].b, first[p * count + t]);
            add_correlations(items, swapped, rivals[p].b, rivals[p].a, second[p * count + t]);
          }
        }
      };
    });
  }
  const auto mean = [](const Mean& m) { return m.defined > 0 ? m.sum / m.defined : 0.0; };
  for (std::size_t k = 0; k < pairs * count; ++k) out[k] = mean(first[k]) - mean(second[k]);
}

void swapped_sums(const double* rows, std::size_t width, const Scores& scores,
                  const Grouping& grouping, SwapTrials trials, unsigned threads, double* out) {
  constexpr std::size_t kEntries = 256;  // whose rows stay in the cache
  const std::size_t stride = grouping.groups * width, systems = scores.systems;
  std::fill_n(out, trials.count * stride, 0.0);
  parallel_for(trials.count, 64, threads, [&]() -> Body {
    return [&](std::size_t from, std::size_t to) {
      for (std::size_t g = 0; g < grouping.groups; ++g)
        for (std::size_t start = 0; start < grouping.members; start += kEntries)
          for (std::size_t t = from; t < to; ++t) {
            const SwapMask mask(trials.swap, trials.seed, trials.first + t, systems);
            double* sum = out + t * stride + g * width;
            const std::size_t end = std::min(grouping.members, start + kEntries);
            for (std::size_t k = start; k < end; ++k) {
              const std::size_t entry = grouping.at(g, k);
              if (!mask.at(entry / systems, entry % systems)) continue;
              const double* row = rows + entry * width;
              for (std::size_t c = 0; c < width; ++c) sum[c] += row[c];
            }
          }
    };
  });
}

}  // namespace tertium
