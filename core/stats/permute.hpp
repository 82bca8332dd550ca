// SPDX-License-Identifier: Apache-2.0
// Permutation tests between metrics: differences of coefficients after swaps.
//
// Each function fills out[p * trials.count + t] with mean coefficient of the first
// metric of pair p minus that of the second, after the swaps of trial first + t.
// Means are over the groups where a coefficient is defined, and 0 if none is.
// Results do not depend on the number of threads.
#pragma once

#include <span>

#include "stats/correlation.hpp"
#include "stats/swaps.hpp"

namespace tertium {

// Systems that fit the words of permute_tau_b.
constexpr std::size_t kMaxTauSystems = 63;

// Kendall's tau-b by item. In an item without ties of scores the difference is
// linear in the coins, so that these items together are one product; in others,
// all pairs of systems are bits of a few words.
void permute_tau_b(const Scores& scores, std::span<const Rivals> rivals, SwapTrials trials,
                   unsigned threads, double* out);

// Pairwise accuracy with exact ties: linear in the coins for any grouping.
// O(groups * members^2) once for two metrics.
void permute_accuracy(const Scores& scores, const Grouping& grouping,
                      std::span<const Rivals> rivals, SwapTrials trials, unsigned threads,
                      double* out);

// Pearson's r by item, from sums over the swapped entries of every metric.
void permute_pearson(const Scores& scores, std::span<const Rivals> rivals, SwapTrials trials,
                     unsigned threads, double* out);

// Sums over swapped entries in every group, out[t][group][column]: for Pearson's
// r in a few large groups. `rows` has one row an entry.
void swapped_sums(const double* rows, std::size_t width, const Scores& scores,
                  const Grouping& grouping, SwapTrials trials, unsigned threads, double* out);

// Any coefficient and grouping, computed anew for every two metrics and trial.
void permute_any(Coefficient kind, const Scores& scores, const Grouping& grouping,
                 std::span<const Rivals> rivals, SwapTrials trials, unsigned threads,
                 double* out);

// --------------------------------------------------------------- shared by kernels

// One column a pair of metrics: out[p][t] += total_p - 2 * (sum over swapped
// entries), which is the sum of +weight for entries that stay and -weight for
// those that are swapped. weights[p * size + entry].
void add_signed_sums(const std::vector<double>& weights, const Scores& scores,
                     std::span<const std::uint32_t> pairs, SwapTrials trials, unsigned threads,
                     double* out);

}  // namespace tertium
