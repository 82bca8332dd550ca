// SPDX-License-Identifier: Apache-2.0
#include "stats/bootstrap_groups.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/batch.hpp"
#include "base/radix.hpp"
#include "base/random.hpp"

namespace tertium {

namespace {

struct Entry {
  std::uint64_t key;
  std::uint32_t segment, human, metric;  // the last two: ranks from 0, equal ones share
  double x, h;
};

// A group in the order of the metric's scores.
struct Group {
  std::vector<Entry> entries;
  std::vector<std::uint32_t> below;  // how many are lower by more than epsilon
  std::size_t human_classes = 0, metric_classes = 0;
};

Group make_group(const Scores& scores, const Grouping& grouping, std::size_t g, double epsilon) {
  Group group;
  std::vector<Entry>& entries = group.entries;
  for (std::size_t k = 0; k < grouping.members; ++k) {
    const std::size_t e = grouping.at(g, k);
    const double h = scores.human[e], x = scores.metric(0)[e];
    if (std::isnan(h) || std::isnan(x)) continue;
    const auto segment = static_cast<std::uint32_t>(e / scores.systems);
    entries.push_back({sort_key(h), segment, 0, 0, x, h});
  }
  std::vector<Entry> scratch;
  const auto rank = [&](std::uint32_t Entry::*place) {
    sort_by_key(entries, scratch);
    std::uint32_t classes = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      classes += i > 0 && entries[i].key != entries[i - 1].key;
      entries[i].*place = classes;
    }
    return entries.empty() ? 0 : classes + std::size_t{1};
  };
  group.human_classes = rank(&Entry::human);
  for (Entry& entry : entries) entry.key = sort_key(entry.x);
  group.metric_classes = rank(&Entry::metric);
  std::uint32_t behind = 0;
  for (const Entry& entry : entries) {
    while (entry.x - entries[behind].x > epsilon) ++behind;
    group.below.push_back(behind);
  }
  return group;
}

// Coefficients of weighted groups; keeps its memory.
class Weighted {
 public:
  double operator()(Coefficient kind, const Group& group,
                    const std::vector<std::uint32_t>& weights) {
    std::int64_t n = 0;
    for (const Entry& entry : group.entries) n += weights[entry.segment];
    if (n < 2) return std::numeric_limits<double>::quiet_NaN();
    if (kind == Coefficient::kSpearman) return spearman(group, weights);
    return from_counts(kind, count(group, weights, n), static_cast<std::size_t>(n));
  }

 private:
  static std::int64_t pairs(std::int64_t n) { return n * (n - 1) / 2; }

  PairCounts count(const Group& group, const std::vector<std::uint32_t>& weights,
                   std::int64_t n) {
    PairCounts out;
    tree_.assign(group.human_classes + 1, 0);
    seen_.assign(group.human_classes, 0);
    std::size_t behind = 0, last_metric = group.metric_classes;
    std::int64_t inside = 0;
    for (std::size_t i = 0; i < group.entries.size(); ++i) {
      const Entry& entry = group.entries[i];
      const std::int64_t weight = weights[entry.segment];
      if (weight == 0) continue;
      for (; behind < group.below[i]; ++behind) {
        const Entry& lower = group.entries[behind];
        const std::int64_t add = weights[lower.segment];
        if (add == 0) continue;
        inside += add;
        seen_[lower.human] += add;
        for (std::size_t k = lower.human + 1; k < tree_.size(); k += k & (0 - k)) tree_[k] += add;
      }
      std::int64_t lower = 0;
      for (std::size_t k = entry.human; k > 0; k &= k - 1) lower += tree_[k];
      const std::int64_t equal = seen_[entry.human];
      out.concordant += weight * lower;
      out.tied_human += weight * equal;
      out.discordant += weight * (inside - lower - equal);
      out.classes_metric += entry.metric != last_metric;
      last_metric = entry.metric;
    }
    // What is still outside the tree is there for the ties of people only.
    for (; behind < group.entries.size(); ++behind)
      seen_[group.entries[behind].human] += weights[group.entries[behind].segment];
    std::int64_t ties = 0;
    for (const std::int64_t size : seen_) {
      ties += pairs(size);
      out.classes_human += size > 0;
    }
    out.tied_both = ties - out.tied_human;
    out.tied_metric = pairs(n) - out.concordant - out.discordant - ties;
    return out;
  }

  // Pearson's r of average ranks, which follow from the weights of classes.
  double spearman(const Group& group, const std::vector<std::uint32_t>& weights) {
    first_.assign(group.human_classes, 0);
    second_.assign(group.metric_classes, 0);
    double n = 0;
    for (const Entry& entry : group.entries) {
      const double weight = weights[entry.segment];
      first_[entry.human] += weight;
      second_[entry.metric] += weight;
      n += weight;
    }
    const double mean = (n + 1) / 2;
    const auto to_ranks = [mean](std::vector<double>& sizes) {
      double sum = 0;
      int classes = 0;
      for (double& size : sizes) {
        const double before = sum;
        sum += size;
        classes += size > 0;
        size = before + (size + 1) / 2 - mean;
      }
      return classes;
    };
    if (to_ranks(first_) < 2 || to_ranks(second_) < 2)
      return std::numeric_limits<double>::quiet_NaN();
    double xx = 0, yy = 0, xy = 0;
    for (const Entry& entry : group.entries) {
      const double weight = weights[entry.segment];
      const double a = first_[entry.human], b = second_[entry.metric];
      xx += weight * a * a;
      yy += weight * b * b;
      xy += weight * a * b;
    }
    return std::clamp(xy / std::sqrt(xx * yy), -1.0, 1.0);
  }

  std::vector<std::int64_t> tree_, seen_;
  std::vector<double> first_, second_;
};

}  // namespace

void bootstrap_groups(Coefficient kind, const Scores& scores, const Grouping& grouping,
                      double epsilon, Trials trials, unsigned threads, double* out) {
  std::vector<Group> groups;
  for (std::size_t g = 0; g < grouping.groups; ++g)
    groups.push_back(make_group(scores, grouping, g, epsilon));
  parallel_for(trials.count, 4, threads, [&]() -> Body {
    return [&, correlate = Weighted(), weights = std::vector<std::uint32_t>()](
               std::size_t from, std::size_t to) mutable {
      for (std::size_t t = from; t < to; ++t) {
        weights.assign(scores.segments, 0);
        Random random(trials.seed, trials.first + t);
        random.indices(static_cast<std::uint32_t>(scores.segments),
                       [&](std::uint32_t s) { ++weights[s]; });
        double sum = 0, defined = 0;
        for (const Group& group : groups) {
          const double value = correlate(kind, group, weights);
          if (std::isnan(value)) continue;
          sum += value;
          ++defined;
        }
        out[t] = defined > 0 ? sum / defined : std::numeric_limits<double>::quiet_NaN();
      }
    };
  });
}

}  // namespace tertium
