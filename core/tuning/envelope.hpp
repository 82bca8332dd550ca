// SPDX-License-Identifier: Apache-2.0
// Exact line search for tuning (Och 2003, section 5).
//
// Along a line in the space of weights the model score of a hypothesis is itself a line,
// offset + gamma * slope. The hypotheses that win somewhere in a list are the upper
// envelope of its lines, and the corpus changes only where some list changes its winner.
// O(n + m log m) for n hypotheses of which m may be on an envelope, O(b log b) for the b
// changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tertium {

// The hypotheses of all lists, list after list: list i has first[i] .. first[i + 1].
struct Hypotheses {
  std::span<const std::int64_t> first;
  const double* statistics;  // a row of `width` numbers per hypothesis
  std::size_t width;
};

// The model score of every hypothesis: features times weights, in the same order of
// additions on every machine and for any number of threads.
void model_scores(std::span<const double> features, std::span<const double> weights,
                  unsigned threads, std::span<double> out);

struct Sweep {
  // Room for `most` cuts.
  Sweep(std::size_t most, std::size_t width)
      : cuts(new double[most]), statistics(new double[(most + 1) * width]) {}

  std::size_t size = 0;
  std::unique_ptr<double[]> cuts;        // `size`, ascending, all different
  std::unique_ptr<double[]> statistics;  // sums of the winners: size + 1 rows
};

// Winners for every gamma from minus to plus infinity. Of equal lines the first wins, as
// in a list that is sorted by model score. Cuts at which the statistics stay the same are
// left out.
Sweep sweep_line(const Hypotheses& hypotheses, std::span<const double> offsets,
                 std::span<const double> slopes, unsigned threads);

// One pass of kb-MIRA (Cherry and Foster 2012, figure 4): weights are changed in place,
// and their sum over all updates is added to `total`.
struct MiraPass {
  std::span<const double> features;  // a row of weights.size() numbers per hypothesis
  std::span<const double> gains;     // of the metric, one per hypothesis
  std::span<const std::int64_t> first;
  std::span<const std::int32_t> order;  // of lists
  double aggressiveness;
};

// Returns the sum of the losses before the updates.
double mira_pass(const MiraPass& pass, std::span<double> weights, std::span<double> total);

}  // namespace tertium
