// SPDX-License-Identifier: Apache-2.0
// Word order as features of a trained metric (Stanojević and Sima'an 2014, BEER).
//
// Unlike the metrics of order/order.hpp, which give one number per segment and a convention
// where there is no order, these are all read off one tree, and are 0 there.
#pragma once

#include "align/pairs.hpp"
#include "order/scores.hpp"

namespace tertium {

// Row: share of word pairs in order; (#trees - 1) / (Cat(n-1) - 1); shares of nodes of
// the left-branching tree that are straight, inverted, of four children, of more; the
// share of reference words that are aligned.
inline constexpr std::size_t kOrderFeatures = 7;

// Reads permutations; keeps its scratch memory.
class OrderFeatures {
 public:
  // Write all but the last one to out[0 .. 6). n = 0 gives zeros; n = 1 zeros but for
  // the second, which is 1; for n = 2 the second tells straight (1) from inverted (0).
  void read(Permutation perm, double* out);

 private:
  TreeBuilder builder_;
  FlatScorer flat_;
  OrderScorer counter_{OrderSettings{}};
};

std::unique_ptr<PairKernel> make_order_features();

}  // namespace tertium
