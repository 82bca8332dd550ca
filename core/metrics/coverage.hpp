// SPDX-License-Identifier: Apache-2.0
// The share of words that are aligned (McCaffery 2017, 3.5.1).
#pragma once

#include "align/pairs.hpp"

namespace tertium {

// Row: aligned words of both texts, words of both texts.
std::unique_ptr<PairKernel> make_aligned_percentage();

}  // namespace tertium
