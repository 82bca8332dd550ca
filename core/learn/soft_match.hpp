// SPDX-License-Identifier: Apache-2.0
// Soft matches of words: the best cosine of word vectors, for every word of both texts.
#pragma once

#include <cstddef>
#include <vector>

#include "align/pairs.hpp"

namespace tertium {

// One row of `dimensions` numbers for every word of a batch, in the order of its
// numbers; zeros for a word without a vector. Rows are scaled to unit length here.
// `weights` has one number per word, or none: every word counts 1.
// Row of the kernel: Σ over hypothesis words of weight · max(0, best cosine with a
// reference word), the same for reference words, the weights of both. Equal words have
// cosine 1, whether or not they have a vector. O(|hyp| |ref| dimensions).
std::unique_ptr<PairKernel> make_soft_match(std::vector<double> vectors, std::size_t dimensions,
                                            std::vector<double> weights);

}  // namespace tertium
