// SPDX-License-Identifier: Apache-2.0
// Minimum Bayes risk (Kumar and Byrne 2004): the expected score of every hypothesis of a
// list against pseudo-references, often the list itself.
#pragma once

#include <vector>

#include "base/kernel.hpp"

namespace tertium {

// Hypotheses and weighted pseudo-references of one segment. Weights add up to 1.
struct MbrList {
  std::vector<Text> hyps, refs;
  const double* weights;
};

// kPairwise: the mean of the scores against every reference. Metrics over n-grams count
// each text once and match two texts once for both directions. O(n^2) per list. Threads
// share the work on a list where there are few lists.
// kAggregate: the score against expected n-gram counts (DeNero et al. 2009 for BLEU,
// Vamvas and Sennrich 2024 for chrF), of metrics over n-grams only. O(n) per list.
enum class MbrMethod { kPairwise, kAggregate };

// Write the expected scores of the hypotheses of every list to out[list].
void expected_scores(const Kernel& kernel, std::span<const MbrList> lists, MbrMethod method,
                     unsigned threads, std::span<double* const> out);

// Whether a metric has expected n-gram counts.
bool has_aggregate(const Kernel& kernel);

}  // namespace tertium
