// SPDX-License-Identifier: Apache-2.0
// Bootstrap over segments of coefficients that are not sums over segments.
//
// A resample gives every segment a weight, how often it was drawn; the order of
// scores stays. So scores are sorted once, and a trial counts weighted pairs:
// O(n log k) for n scores with k different ones of people.
#pragma once

#include "stats/correlation.hpp"
#include "stats/resample.hpp"
#include "stats/swaps.hpp"

namespace tertium {

// out[t] = mean over groups of the coefficient of metric 0 in trial first + t, NaN
// if it is defined in none. Draws are those of bootstrap_sums. Scores may be NaN.
void bootstrap_groups(Coefficient kind, const Scores& scores, const Grouping& grouping,
                      double epsilon, Trials trials, unsigned threads, double* out);

}  // namespace tertium
