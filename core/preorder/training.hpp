// SPDX-License-Identifier: Apache-2.0
// Expectations of a grammar over the forests of a corpus: the E-step of its training, and
// forced parsing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "preorder/forest.hpp"
#include "preorder/forest_pass.hpp"
#include "preorder/grammar.hpp"

namespace tertium {

// How often rules occur, in the layout of the grammar.
struct GrammarCounts {
  std::vector<double> root, unary, value;
};

// How often the charts of a corpus have each rule of the unsplit grammar; a child of
// a span counts once for every operator and side of its parents.
struct ChartCounts {
  std::vector<double> root;   // operators
  std::vector<double> unary;  // children of operators x operators
  // Emissions, sorted by terminal and then by child of operators.
  std::vector<std::uint32_t> terminal, child;
  std::vector<double> count;
};

// The units of sentences. Entry i has the units [first[i], first[i + 1]). Entries of the
// same sentence are alternatives, such as those of different links; their weights are
// divided by the sum of those that have a forest.
struct UnitArrays {
  std::span<const std::uint32_t> first, terminal, rank;
  std::span<const std::uint32_t> sentence;  // by entry, never falling
  std::span<const double> weight;           // by entry, positive
};

// The forests of many sentences, compact.
class ForestCorpus {
 public:
  ForestCorpus(std::vector<GrammarOperator> operators, const ForestSettings& settings);

  // Returns what kept each entry from being added.
  std::vector<ForestFault> add(const UnitArrays& units, unsigned threads);

  std::size_t size() const { return first_.size() - 1; }  // sentences
  std::size_t units() const { return units_; }            // of first alternatives
  std::size_t edges() const { return edges_; }
  ChartCounts chart_counts() const;

  // The log-probability of every sentence with its order, and the expected counts of all
  // (unless `counts` is null). Alternatives are a mixture: the probability is the weighted
  // sum of theirs, and each counts with its posterior. A sentence with probability 0 has
  // -inf and counts nothing. Equal for any number of threads: counts are added in the
  // order of sentences.
  std::vector<double> expect(const Grammar& grammar, unsigned threads,
                             GrammarCounts* counts) const;

  // What the log-likelihood loses if states s and s + 1 become one, for each of `states`,
  // estimated node by node (Petrov et al. 2006, section 2.4). Merged slots are means,
  // weighted by the two shares of each pair.
  std::vector<double> merge_losses(const Grammar& grammar, std::span<const std::uint32_t> states,
                                   std::span<const double> shares, unsigned threads) const;

 private:
  friend class SentencePass;

  // The sums of some sentences.
  struct Part {
    std::vector<double> root, unary;
    ForestPass::Emitted emitted;
    std::vector<double> losses;
  };

  CompiledForest compile(const Forest& forest, std::span<const std::uint32_t> terminal) const;
  std::vector<std::uint32_t> first_children() const;
  std::vector<double> sweep(const Grammar& grammar, unsigned threads, const StatePairs* pairs,
                            const std::function<void(const Part&)>& take) const;

  std::vector<GrammarOperator> operators_;
  ForestSettings settings_;
  std::vector<CompiledForest> forests_;
  std::vector<double> weights_;           // by forest
  std::vector<std::size_t> first_ = {0};  // the forests of each sentence
  std::size_t units_ = 0, edges_ = 0, terminals_ = 0;
};

}  // namespace tertium
