// SPDX-License-Identifier: Apache-2.0
// ROUGE-S (Lin 2004): skip bigrams, pairs of words in their order.
#pragma once

#include "base/kernel.hpp"
#include "text/tokenize.hpp"

namespace tertium {

struct RougeOptions {
  Scheme scheme = Scheme::kNone;
  long max_skip = -1;  // words between the two; negative: any number
  double beta = 1.0;
};

// Row: common skip bigrams, those of the hypothesis, those of the reference.
std::unique_ptr<Kernel> make_rouge_s(const RougeOptions& options);

}  // namespace tertium
