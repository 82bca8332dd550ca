// SPDX-License-Identifier: Apache-2.0
#include "stats/calibration.hpp"

#include <cmath>
#include <cstdint>

#include "base/radix.hpp"

namespace tertium {

namespace {

// What a pair does to the sum of accuracies when it becomes a tie.
struct Change {
  std::uint64_t key;  // of the difference, see sort_key
  float sign;
  std::uint32_t pairs;  // of its group
};

}  // namespace

Calibration calibrate_ties(std::span<const double> human, std::span<const double> metric,
                           std::size_t size) {
  std::vector<Change> changes;
  std::vector<double> h, m;
  double right = 0;  // the sum of accuracies
  std::size_t groups = 0;
  for (std::size_t first = 0; first < human.size(); first += size) {
    h.clear();
    m.clear();
    for (std::size_t i = first; i < first + size; ++i)
      if (!std::isnan(human[i]) && !std::isnan(metric[i])) {
        h.push_back(human[i]);
        m.push_back(metric[i]);
      }
    if (h.size() < 2) continue;
    ++groups;
    const auto pairs = static_cast<std::uint32_t>(h.size() * (h.size() - 1) / 2);
    std::size_t correct = 0;
    for (std::size_t i = 0; i + 1 < h.size(); ++i)
      for (std::size_t j = i + 1; j < h.size(); ++j) {
        const double difference = m[i] - m[j];
        const int by_metric = (difference > 0) - (difference < 0);
        const int by_human = (h[i] > h[j]) - (h[i] < h[j]);
        correct += by_metric == by_human;
        if (by_metric != 0 && (by_human == 0 || by_human == by_metric))
          changes.push_back({sort_key(std::abs(difference)),
                             by_human == 0 ? 1.0f : -1.0f, pairs});
      }
    right += static_cast<double>(correct) / pairs;
  }
  if (groups == 0) return {0, 0, 0};
  std::vector<Change> scratch;
  sort_by_key(changes, scratch);
  // Sums that differ only by rounding are equal: then the smaller epsilon stays.
  constexpr double kTolerance = 1e-12;
  double best = right;
  std::uint64_t best_key = sort_key(0);
  for (std::size_t from = 0, to; from < changes.size(); from = to) {
    for (to = from; to < changes.size() && changes[to].key == changes[from].key; ++to)
      right += static_cast<double>(changes[to].sign) / changes[to].pairs;
    if (right > best + kTolerance * static_cast<double>(groups)) {
      best = right;
      best_key = changes[from].key;
    }
  }
  return {from_sort_key(best_key), best / static_cast<double>(groups), groups};
}

}  // namespace tertium
