// SPDX-License-Identifier: Apache-2.0
#include "stats/correlation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/radix.hpp"

namespace tertium {

namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

// Below this, looking at every pair is faster than sorting.
constexpr std::size_t kFew = 48;

bool is_constant(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(),
                     [&](double value) { return value == values[0]; });
}

}  // namespace

double from_counts(Coefficient kind, const PairCounts& c, std::size_t n) {
  const auto all = static_cast<double>(c.pairs());
  if (all == 0) return kUndefined;
  const auto agree = static_cast<double>(c.concordant - c.discordant);
  const auto untied_human = static_cast<double>(c.concordant + c.discordant + c.tied_metric);
  const auto untied_metric = static_cast<double>(c.concordant + c.discordant + c.tied_human);
  switch (kind) {
    case Coefficient::kTauA:
      return agree / all;
    case Coefficient::kTauB:  // Kendall (1945)
      if (untied_human == 0 || untied_metric == 0) return kUndefined;
      return std::clamp(agree / std::sqrt(untied_metric * untied_human), -1.0, 1.0);
    case Coefficient::kTauC: {  // Stuart (1953)
      if (untied_human == 0 || untied_metric == 0) return kUndefined;
      const auto classes = static_cast<double>(std::min(c.classes_human, c.classes_metric));
      const auto size = static_cast<double>(n);
      return 2 * agree / (size * size * (classes - 1) / classes);
    }
    case Coefficient::kTau23:
      return (agree + static_cast<double>(c.tied_both - c.tied_human - c.tied_metric)) / all;
    case Coefficient::kAcc23:
      return static_cast<double>(c.concordant + c.tied_both) / all;
    default:
      return kUndefined;
  }
}

double pearson(std::span<const double> x, std::span<const double> y) {
  const std::size_t n = x.size();
  if (n < 2 || is_constant(x) || is_constant(y)) return kUndefined;
  const auto mean = [n](std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(n);
  };
  const double mean_x = mean(x), mean_y = mean(y);
  double xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double a = x[i] - mean_x, b = y[i] - mean_y;
    xx += a * a;
    yy += b * b;
    xy += a * b;
  }
  // One root keeps a perfect correlation at 1; two are for very large and small sums.
  double scale = std::sqrt(xx * yy);
  if (!std::isnormal(xx * yy)) scale = std::sqrt(xx) * std::sqrt(yy);
  if (!(scale > 0) || !std::isfinite(scale)) return kUndefined;
  return std::clamp(xy / scale, -1.0, 1.0);
}

void average_ranks(std::span<const double> values, std::vector<std::uint32_t>& order,
                   std::vector<double>& ranks) {
  const std::size_t n = values.size();
  order.resize(n);
  ranks.resize(n);
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return values[a] < values[b]; });
  for (std::size_t from = 0, to; from < n; from = to) {
    for (to = from + 1; to < n && values[order[to]] == values[order[from]];) ++to;
    for (std::size_t k = from; k < to; ++k)
      ranks[order[k]] = static_cast<double>(from + to + 1) / 2;
  }
}

double Correlator::spearman(std::span<const double> human, std::span<const double> metric) {
  average_ranks(human, order_, left_);
  average_ranks(metric, order_, right_);
  return pearson(left_, right_);
}

void Correlator::count_few(std::span<const double> human, std::span<const double> metric,
                           double epsilon, PairCounts& out) {
  const std::size_t n = human.size();
  std::int64_t product = 0, untied = 0, untied_human = 0, untied_metric = 0;
  for (std::size_t i = 0; i + 1 < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) {
      const double difference = metric[i] - metric[j];
      const int m = (difference > epsilon) - (difference < -epsilon);
      const int h = (human[i] > human[j]) - (human[i] < human[j]);
      product += m * h;
      untied += m != 0 && h != 0;
      untied_human += h != 0;
      untied_metric += m != 0;
    }
  const auto all = static_cast<std::int64_t>(n * (n - (n > 0)) / 2);
  out.concordant = (untied + product) / 2;
  out.discordant = (untied - product) / 2;
  out.tied_metric = untied_human - untied;
  out.tied_human = untied_metric - untied;
  out.tied_both = all - untied - out.tied_metric - out.tied_human;
}

void Correlator::count_many(std::span<const double> human, std::span<const double> metric,
                            double epsilon, PairCounts& out) {
  const std::size_t n = human.size();
  points_.resize(n);
  for (std::uint32_t i = 0; i < n; ++i) points_[i] = {sort_key(human[i]), i};
  sort_by_key(points_, scratch_);
  std::int64_t ties = 0, classes = 0;
  for (std::size_t from = 0, to; from < n; from = to, ++classes) {
    const std::uint64_t key = points_[from].key;
    for (to = from; to < n && points_[to].key == key; ++to)
      points_[to] = {sort_key(metric[points_[to].place]), static_cast<std::uint32_t>(classes)};
    const auto size = static_cast<std::int64_t>(to - from);
    ties += size * (size - 1) / 2;
  }
  sort_by_key(points_, scratch_);
  sorted_.resize(n);
  for (std::size_t i = 0; i < n; ++i) sorted_[i] = from_sort_key(points_[i].key);
  // A window runs behind: what is in the tree is lower by more than epsilon.
  tree_.assign(static_cast<std::size_t>(classes) + 1, 0);
  seen_.assign(static_cast<std::size_t>(classes), 0);
  std::size_t behind = 0;
  for (std::size_t i = 0; i < n; ++i) {
    while (sorted_[i] - sorted_[behind] > epsilon) {
      const std::uint32_t rank = points_[behind++].place;
      ++seen_[rank];
      for (std::size_t k = rank + 1; k < tree_.size(); k += k & (0 - k)) ++tree_[k];
    }
    const std::uint32_t rank = points_[i].place;
    std::int64_t lower = 0;
    for (std::size_t k = rank; k > 0; k &= k - 1) lower += tree_[k];
    const std::int64_t equal = seen_[rank];
    out.concordant += lower;
    out.tied_human += equal;
    out.discordant += static_cast<std::int64_t>(behind) - lower - equal;
  }
  const auto all = static_cast<std::int64_t>(n * (n - 1) / 2);
  out.tied_both = ties - out.tied_human;
  out.tied_metric = all - out.concordant - out.discordant - ties;
}

PairCounts Correlator::count(std::span<const double> human, std::span<const double> metric,
                             double epsilon) {
  PairCounts out;
  if (human.size() <= kFew)
    count_few(human, metric, epsilon, out);
  else
    count_many(human, metric, epsilon, out);
  const auto classes = [&](std::span<const double> values) {
    sorted_.assign(values.begin(), values.end());
    std::sort(sorted_.begin(), sorted_.end());
    return std::unique(sorted_.begin(), sorted_.end()) - sorted_.begin();
  };
  out.classes_human = classes(human);
  out.classes_metric = classes(metric);
  return out;
}

double Correlator::operator()(Coefficient kind, std::span<const double> human,
                              std::span<const double> metric, double epsilon) {
  if (kind == Coefficient::kPearson) return pearson(human, metric);
  if (kind == Coefficient::kSpearman) return spearman(human, metric);
  if (kind == Coefficient::kTauC) return from_counts(kind, count(human, metric, 0), human.size());
  PairCounts counts;
  if (human.size() <= kFew)
    count_few(human, metric, epsilon, counts);
  else
    count_many(human, metric, epsilon, counts);
  return from_counts(kind, counts, human.size());
}

double Correlator::complete(Coefficient kind, std::span<const double> human,
                            std::span<const double> metric, double epsilon) {
  kept_human_.clear();
  kept_metric_.clear();
  for (std::size_t i = 0; i < human.size(); ++i)
    if (!std::isnan(human[i]) && !std::isnan(metric[i])) {
      kept_human_.push_back(human[i]);
      kept_metric_.push_back(metric[i]);
    }
  return (*this)(kind, kept_human_, kept_metric_, epsilon);
}

}  // namespace tertium
