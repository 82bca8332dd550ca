// SPDX-License-Identifier: Apache-2.0
// Scores of permutations over their trees and forests.
//
// Simple counts over the tree (Stanojević 2017, 4.3) and the recursive metrics
// RECPET and RECPEF (Stanojević and Sima'an 2014). None enumerates trees.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/pace.hpp"
#include "order/permutation.hpp"

namespace tertium {

enum class Measure : std::uint8_t {
  kFlat,           // OrderSettings::flat
  kPetSize,        // |PET|
  kMaxOp,          // MAX|Op|
  kNPets,          // #PETs
  kLogPets,        // log #trees / log of the most trees
  kStraightRatio,
  kInvertedRatio,  // lower is better
  kAvgArity,       // mean length of operators: at least 2, lower is better
  kRecpet,
  kRecpef,
};

enum class ForestMode : std::uint8_t { kSplit, kTree, kMax, kMin };

struct OrderSettings {
  Measure measure = Measure::kRecpef;
  FlatMetric flat = FlatMetric::kKendall;
  bool chart = false;             // ratios over the forest's spans, not a tree's nodes
  double beta = 0.6;              // weight of a node against the nodes below it
  double gamma = 0.0;             // score of the inverted operator
  bool graded = false;            // longer operators by op_score, otherwise 0
  FlatMetric op_score = FlatMetric::kKendall;
  ForestMode forest = ForestMode::kSplit;
  bool right_branching = false;   // the one tree of RECPET
  bool by_span = false;           // BEER 1.0: children weigh as many words as they have
  bool rescale = false;           // BEER 1.0: full inversion gets 0
};

// Catalan numbers as far as doubles go: exact, scaled by 4^-m, and as logarithms.
class Catalan {
 public:
  static constexpr std::size_t kExact = 31;  // Cat(0) .. Cat(30) are below 2^53
  Catalan();
  double exact(std::size_t m) const { return exact_[m]; }
  double scaled(std::size_t m) { return grow(m), scaled_[m]; }
  double log(std::size_t m) { return grow(m), log_[m]; }

 private:
  void grow(std::size_t m);
  double exact_[kExact];
  std::vector<double> scaled_, log_;
};

// Scores permutations; keeps its scratch memory.
class OrderScorer {
 public:
  // Merged nodes with more children are rejected where cubic time is needed.
  static constexpr std::uint32_t kMostChildren = 2048;

  explicit OrderScorer(const OrderSettings& settings) : settings_(settings) {}

  // n = 0 gives 0 and n = 1 gives 1; where lower is better, both give the lowest.
  double score(Permutation perm);

  // (#trees - 1) / (Cat(n-1) - 1) of the flat tree of n > 2 words.
  double n_pets(const FlatTree& tree, std::size_t n);

  // The recursive score of every node of a flat tree, before rescaling.
  std::span<const double> node_values(const FlatTree& tree);

 private:
  double count_measure(const FlatTree& tree, std::size_t n);
  double recursive(const FlatTree& tree, std::size_t n);

  double op_score(const FlatTree& tree, const TreeNode& node);
  double prime(const FlatTree& tree, const TreeNode& node, double o);
  double merged(const FlatTree& tree, const TreeNode& node, double o);
  double one_tree(double o);
  double splits(double o);
  double splits_by_span(double o);
  double interval_table(double o);
  double all_words(std::size_t k);  // an inverted node over k words, weighed by span

  OrderSettings settings_;
  TreeBuilder builder_;
  FlatScorer flat_;
  Catalan catalan_;
  Pace pace_;
  std::vector<double> values_;
  // The children of the node at work: score, words.
  std::vector<double> scores_, sizes_;
  std::vector<double> table_, left_, right_, inverted_, prefix_;
  std::vector<double> steps_ = {0.0};  // (1 - β) / 2a for a = 1, 2, ...
  std::vector<std::uint32_t> order_, op_;
};

}  // namespace tertium
