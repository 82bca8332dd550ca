// SPDX-License-Identifier: Apache-2.0
// Permutation tests of any coefficient: swap, correlate, for every trial.
#include <cmath>

#include "base/batch.hpp"
#include "base/pace.hpp"
#include "stats/permute.hpp"

namespace tertium {

namespace {

struct Mean {
  double sum = 0, defined = 0;

  void add(double value) {
    if (std::isnan(value)) return;
    sum += value;
    ++defined;
  }
  double value() const { return defined > 0 ? sum / defined : 0.0; }
};

}  // namespace

void permute_any(Coefficient kind, const Scores& scores, const Grouping& grouping,
                 std::span<const Rivals> rivals, SwapTrials trials, unsigned threads,
                 double* out) {
  const std::size_t count = trials.count, systems = scores.systems;
  std::vector<std::vector<std::size_t>> members(grouping.groups);
  for (std::size_t g = 0; g < grouping.groups; ++g)
    for (std::size_t k = 0; k < grouping.members; ++k)
      if (!std::isnan(scores.human[grouping.at(g, k)])) members[g].push_back(grouping.at(g, k));
  parallel_for(count, 1, threads, [&]() -> Body {
    return [&, correlate = Correlator(), pace = Pace(), h = std::vector<double>(),
            x = std::vector<double>(), y = std::vector<double>(),
            swapped = std::vector<char>(scores.size())](std::size_t from,
                                                        std::size_t to) mutable {
      for (std::size_t t = from; t < to; ++t) {
        const SwapMask mask(trials.swap, trials.seed, trials.first + t, systems);
        for (std::size_t e = 0; e < swapped.size(); ++e)
          swapped[e] = mask.at(e / systems, e % systems);
        for (std::size_t p = 0; p < rivals.size(); ++p) {
          const double *a = scores.metric(rivals[p].a), *b = scores.metric(rivals[p].b);
          Mean first, second;
          pace.spend(64 * swapped.size());
          for (const std::vector<std::size_t>& group : members) {
            if (group.size() < 2) continue;
            h.clear();
            x.clear();
            y.clear();
            for (const std::size_t e : group) {
              h.push_back(scores.human[e]);
              x.push_back(swapped[e] ? b[e] : a[e]);
              y.push_back(swapped[e] ? a[e] : b[e]);
            }
            first.add(correlate(kind, h, x, 0));
            second.add(correlate(kind, h, y, 0));
          }
          out[p * count + t] = first.value() - second.value();
        }
      }
    };
  });
}

}  // namespace tertium
