// SPDX-License-Identifier: Apache-2.0
// chrF (Popović 2015) and chrF++ (Popović 2017), equal to sacreBLEU's.
#pragma once

#include "base/kernel.hpp"

namespace tertium {

struct ChrfOptions {
  std::size_t char_order = 6;
  std::size_t word_order = 0;
  double beta = 2.0;
  bool whitespace = false;
  bool eps_smoothing = false;
};

// Row: for every order, characters first, the n-grams of the hypothesis, of
// the best reference, and the matches.
std::unique_ptr<Kernel> make_chrf(const ChrfOptions& options);

}  // namespace tertium
