// SPDX-License-Identifier: Apache-2.0
// Differences that are linear in the coins.
//
// Let s_i be +1 where entry i stays and -1 where it is swapped, and let z_ab(i, j)
// be what a pair of entries adds when i has a score of metric a and j one of b.
// First minus second metric is zAA - zBB for (+, +), zAB - zBA for (+, -), and the
// negative for the opposite signs, that is
//   (s_i + s_j) / 2 * (zAA - zBB) + (s_i - s_j) / 2 * (zAB - zBA),
// a sum of one term an entry. So nothing but weights of entries is needed.
#include <algorithm>
#include <cmath>

#include "base/batch.hpp"
#include "base/pace.hpp"
#include "stats/permute.hpp"
#include "stats/resample.hpp"

namespace tertium {

void add_signed_sums(const std::vector<double>& weights, const Scores& scores,
                     std::span<const std::uint32_t> pairs, SwapTrials trials, unsigned threads,
                     double* out) {
  // The tables of coin_sums for eight columns fit the cache.
  constexpr std::size_t kColumns = 8;
  const std::size_t size = scores.size(), count = trials.count;
  std::size_t coins = size;
  if (trials.swap == Swap::kInputs) coins = scores.segments;
  if (trials.swap == Swap::kSystems) coins = scores.systems;
  std::vector<double> rows, sums(count * kColumns);
  for (std::size_t first = 0; first < pairs.size(); first += kColumns) {
    const std::size_t width = std::min(kColumns, pairs.size() - first);
    rows.assign(coins * width, 0.0);
    std::vector<double> totals(width);
    for (std::size_t c = 0; c < width; ++c) {
      const double* column = &weights[(first + c) * size];
      for (std::size_t e = 0; e < size; ++e) {
        std::size_t coin = e;
        if (trials.swap == Swap::kInputs) coin = e / scores.systems;
        if (trials.swap == Swap::kSystems) coin = e % scores.systems;
        rows[coin * width + c] += column[e];
        totals[c] += column[e];
      }
    }
    if (trials.swap == Swap::kNone)
      std::fill(sums.begin(), sums.end(), 0.0);
    else
      coin_sums(rows.data(), coins, width, {trials.seed, trials.first, count}, threads,
                sums.data());
    for (std::size_t c = 0; c < width; ++c)
      for (std::size_t t = 0; t < count; ++t)
        out[pairs[first + c] * count + t] += totals[c] - 2 * sums[t * width + c];
  }
}

namespace {

// Weights of one group for one pair of metrics, of its n entries without gaps.
void add_accuracy(const std::vector<double>& h, const std::vector<double>& a,
                  const std::vector<double>& b, double scale, Pace& pace,
                  std::vector<double>& weights) {
  const std::size_t n = h.size();
  const auto sign = [](double x, double y) { return (x > y) - (x < y); };
  for (std::size_t i = 0; i + 1 < n; ++i) {
    if (i % 64 == 63) pace.spend(64 * 4 * n);
    for (std::size_t j = i + 1; j < n; ++j) {
      const int human = sign(h[i], h[j]);
      const int same = (sign(a[i], a[j]) == human) - (sign(b[i], b[j]) == human);
      const int mixed = (sign(a[i], b[j]) == human) - (sign(b[i], a[j]) == human);
      weights[i] += scale * (same + mixed);
      weights[j] += scale * (same - mixed);
    }
  }
}

}  // namespace

void permute_accuracy(const Scores& scores, const Grouping& grouping,
                      std::span<const Rivals> rivals, SwapTrials trials, unsigned threads,
                      double* out) {
  const std::size_t size = scores.size();
  std::vector<std::vector<std::size_t>> members(grouping.groups);
  std::size_t defined = 0;
  for (std::size_t g = 0; g < grouping.groups; ++g) {
    for (std::size_t k = 0; k < grouping.members; ++k)
      if (!std::isnan(scores.human[grouping.at(g, k)])) members[g].push_back(grouping.at(g, k));
    defined += members[g].size() > 1;
  }
  std::fill_n(out, rivals.size() * trials.count, 0.0);
  if (defined == 0) return;
  std::vector<double> weights(rivals.size() * size);
  parallel_for(rivals.size(), 1, threads, [&]() -> Body {
    return [&, pace = Pace(), h = std::vector<double>(), a = std::vector<double>(),
            b = std::vector<double>(),
            w = std::vector<double>()](std::size_t from, std::size_t to) mutable {
      for (std::size_t p = from; p < to; ++p)
        for (const std::vector<std::size_t>& group : members) {
          const std::size_t n = group.size();
          if (n < 2) continue;
          h.clear();
          a.clear();
          b.clear();
          for (const std::size_t e : group) {
            h.push_back(scores.human[e]);
            a.push_back(scores.metric(rivals[p].a)[e]);
            b.push_back(scores.metric(rivals[p].b)[e]);
          }
          w.assign(n, 0.0);
          // A half from the formula above, and 2 / (n (n - 1)) for the mean.
          const auto pairs = static_cast<double>(n) * static_cast<double>(n - 1) / 2;
          add_accuracy(h, a, b, 0.5 / pairs / static_cast<double>(defined), pace, w);
          for (std::size_t k = 0; k < n; ++k) weights[p * size + group[k]] = w[k];
        }
    };
  });
  std::vector<std::uint32_t> all(rivals.size());
  for (std::size_t p = 0; p < all.size(); ++p) all[p] = static_cast<std::uint32_t>(p);
  add_signed_sums(weights, scores, all, trials, threads, out);
}

}  // namespace tertium
