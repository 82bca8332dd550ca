// SPDX-License-Identifier: Apache-2.0
// METEOR from aligned words (Banerjee and Lavie 2005; Denkowski and Lavie 2014).
#pragma once

#include <vector>

#include "align/pairs.hpp"

namespace tertium {

struct MeteorOptions {
  double alpha, beta, gamma, delta;
  std::vector<double> weights;  // one a matcher, in the aligner's order
  // Meteor 1.5: a pair matched throughout and in one chunk has no penalty, and
  // its chunk counts nowhere. The form of 2005 has no such rule.
  bool whole_is_free = true;
  // Only 1 - penalty, the share that looks at order.
  bool order_only = false;
};

// Row, in the order of Meteor 1.5's own statistics: words of hyp, of ref,
// function words of hyp, of ref; for every matcher matched content words of hyp,
// of ref, function words of hyp, of ref; chunks; matched words of hyp, of ref.
std::unique_ptr<PairKernel> make_meteor(MeteorOptions options);

}  // namespace tertium
