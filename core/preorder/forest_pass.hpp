// SPDX-License-Identifier: Apache-2.0
// Inside and outside values of a grammar over one forest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/pace.hpp"
#include "preorder/grammar.hpp"

namespace tertium {

// A forest with the terminals of its units. Children stand before their parents.
struct CompiledForest {
  // A node as the child of certain operators: the block of slots that expand into it.
  struct Use {
    std::uint32_t node;
    std::uint16_t op, child;
  };
  struct Node {
    std::int32_t op;          // -1 for a unit
    std::uint32_t terminal;   // of a unit
    std::uint32_t first_use;  // uses end where those of the next node start
    std::uint32_t first_edge, edges;
  };

  std::vector<Node> nodes;  // and one more, which ends the uses
  std::vector<Use> uses;
  std::vector<std::uint32_t> edges;  // uses

  bool is_root(std::size_t node) const {
    return nodes[node].first_use == nodes[node + 1].first_use;
  }
};

// Pairs of neighbouring states of an operator, and the shares of both in what they count.
struct StatePairs {
  std::vector<std::size_t> first;    // by operator, and one more
  std::vector<std::uint32_t> state;  // the first of each pair
  std::vector<double> share;         // two per pair
};

// One pass over a forest, in scratch memory. Insides of a node are multiplied by a power
// of two, so that the largest is between 1/2 and 1: sentences of any length survive.
// Outsides are divided by the probability of the sentence and carry the inverse power.
class ForestPass {
 public:
  // Emission counts of a sentence: where they go, and their values one after the other.
  struct Emitted {
    std::vector<std::uint32_t> place, size;
    std::vector<double> count;
  };

  ForestPass(const Grammar& grammar, const std::vector<double>& transposed)
      : grammar_(grammar), shape_(grammar.shape), transposed_(transposed) {}

  double inside(const CompiledForest& forest);
  // After inside: add the expected counts, times a factor; those of unary rules still
  // lack their probability as a factor.
  void outside(const CompiledForest& forest, double factor, double* root, double* unary,
               Emitted& emitted);
  // After outside: add what merging each pair of states, at one node at a time, takes off
  // the log-likelihood.
  void add_losses(const CompiledForest& forest, const StatePairs& pairs, double* losses);

 private:
  static constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t splits(const CompiledForest::Use& use) const { return shape_.splits[use.op]; }
  void lay_out(const CompiledForest& forest);
  void inside_unit(const CompiledForest& forest, std::size_t at);
  void inside_node(const CompiledForest& forest, std::size_t at);
  void expand(const CompiledForest& forest, std::size_t at);
  void outside_edges(const CompiledForest& forest, std::size_t at);
  double merged_inside(const CompiledForest& forest, std::size_t at, std::uint32_t k,
                       const double* shares);
  void count_unit(const CompiledForest& forest, std::size_t at, Emitted& emitted);

  const Grammar& grammar_;
  const GrammarShape& shape_;
  const std::vector<double>& transposed_;  // states x slots
  Pace pace_;
  // Where the vectors of a node (over states) and of a use (over slots) start.
  std::vector<std::size_t> node_at_, use_at_;
  std::vector<int> exponent_;           // by node
  std::vector<double> factor_;          // by edge, a power of two
  std::vector<std::size_t> factor_at_;  // by node
  std::vector<std::uint32_t> place_;    // by use of a unit: where its emissions are
  std::vector<double> inside_, outside_, slot_inside_, slot_outside_, product_;
  double total_ = 0.0;
  int top_exponent_ = 0;
};

}  // namespace tertium
