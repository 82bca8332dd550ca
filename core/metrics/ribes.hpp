// SPDX-License-Identifier: Apache-2.0
// RIBES (Isozaki et al. 2010): rank correlation of the words' order.
#pragma once

#include "base/kernel.hpp"
#include "text/tokenize.hpp"

namespace tertium {

struct RibesOptions {
  Scheme scheme = Scheme::kNone;
  double alpha = 0.25;  // exponent of the unigram precision
  double beta = 0.10;   // exponent of the brevity penalty
};

// Row: score of the best reference, 1; the corpus score is the mean.
std::unique_ptr<Kernel> make_ribes(const RibesOptions& options);

}  // namespace tertium
