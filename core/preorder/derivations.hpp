// SPDX-License-Identifier: Apache-2.0
// The most probable derivations of a sentence, with their states.
#pragma once

#include <cstdint>
#include <vector>

#include "preorder/parser.hpp"
#include "preorder/risk.hpp"

namespace tertium {

struct DerivationNode {
  std::uint32_t begin, end;
  std::int32_t op;  // -1: a terminal
  std::uint32_t split, children;
};

struct Derivation {
  double log_probability;
  std::vector<DerivationNode> nodes;  // parents first, children from left to right
  Order order;
};

// The `count` best, from a chart of best derivations (ParseChart::Sum::kBest), the best
// first, lazily (Huang and Chiang 2005, algorithm 3). Pieces in a row have one: the
// best of each.
std::vector<Derivation> best_derivations(const Parser& parser, std::size_t count);

}  // namespace tertium
