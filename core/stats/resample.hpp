// SPDX-License-Identifier: Apache-2.0
// stats/: resampling, permutation tests, coefficients of agreement, TrueSkill.
//
// Resampling of statistics: sums of rows under random weights.
//
// Both tests are one product W x rows. For the bootstrap a row of W says how
// often every segment was drawn, for the randomisation test it holds coin
// flips. W is never stored: trial t makes its weights from (seed, t) alone, so
// results are equal on every machine and for every number of threads.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tertium {

// The trials of a run that are wanted: [first, first + count).
struct Trials {
  std::uint64_t seed;
  std::size_t first, count;
};

// sums[t * width ..] = sum of n rows sampled with replacement, in trial first + t.
void bootstrap_sums(const double* rows, std::size_t n, std::size_t width, Trials trials,
                    unsigned threads, double* sums);

// sums[t * width ..] = sum of the rows whose coin shows heads.
void coin_sums(const double* rows, std::size_t n, std::size_t width, Trials trials,
               unsigned threads, double* sums);

}  // namespace tertium
