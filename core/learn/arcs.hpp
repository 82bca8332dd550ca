// SPDX-License-Identifier: Apache-2.0
// Dependency arcs as features of a trained metric (BEER_Treepel, Stanojević 2017, 5.3.2):
// what two trees share and what one of them has alone, one number a relation.
#pragma once

#include <cstddef>
#include <cstdint>

#include "align/pairs.hpp"

namespace tertium {

// Labels of trees are relations 0 .. relations. A batch without trees has flattened
// ones: every word hangs on the one before it.
struct ArcSettings {
  std::size_t relations = 1;
  std::uint32_t root = 0, flat = 0;  // the relations of flattened trees
  bool longer = false;  // whether shared arcs are divided by the longer text, not the mean
};

// Row, for every relation: distinct arcs (relation, head word, dependent word) of both
// texts, divided by the mean number of arcs; of the hypothesis alone, divided by its
// arcs; of the reference alone, by its arcs. A root hangs on no word.
std::unique_ptr<PairKernel> make_arc_features(const ArcSettings& settings);

// Pairs (word, number of its dependents) of words that have dependents. Row: shared
// (clipped), those of the hypothesis, those of the reference.
std::unique_ptr<PairKernel> make_valencies();

}  // namespace tertium
