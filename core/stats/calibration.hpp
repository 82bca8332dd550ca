// SPDX-License-Identifier: Apache-2.0
// Tie calibration (Deutsch, Foster and Freitag 2023, section 5): the epsilon
// under which pairwise accuracy with ties is highest.
//
// A pair becomes a tie of the metric when epsilon reaches its difference. Then a
// pair tied by people turns right and a concordant pair turns wrong; the others
// change nothing. So one sweep over the differences in order is enough: O(P log P)
// for P pairs, where the published search makes P evaluations.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tertium {

struct Calibration {
  double epsilon, accuracy;
  std::size_t groups;  // with at least one pair; without any, accuracy is 0
};

// Scores group after group, `size` of them in each; NaN is missing.
Calibration calibrate_ties(std::span<const double> human, std::span<const double> metric,
                           std::size_t size);

}  // namespace tertium
