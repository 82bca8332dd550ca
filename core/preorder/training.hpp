// SPDX-License-Identifier: Apache-2.0
// Expectations of a grammar over the forests of a corpus: the E-step of its training, and
// forced parsing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "preorder/forest.hpp"
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

// The forests of many sentences, compact.
class ForestCorpus {
 public:
  ForestCorpus(std::vector<GrammarOperator> operators, const ForestSettings& settings);

  // Units of sentence i: [first[i], first[i + 1]) of their terminals and ranks. Returns
  // what kept each sentence from being added.
  std::vector<ForestFault> add(std::span<const std::uint32_t> first,
                               std::span<const std::uint32_t> terminal,
                               std::span<const std::uint32_t> rank, unsigned threads);

  std::size_t size() const { return sentences_.size(); }
  std::size_t units() const { return units_; }
  std::size_t edges() const { return edges_; }
  ChartCounts chart_counts() const;

  // The log-probability of every sentence with its order, and the expected counts of all
  // (unless `counts` is null). A sentence with probability 0 has -inf and counts nothing.
  // Equal for any number of threads: counts are added in the order of sentences.
  std::vector<double> expect(const Grammar& grammar, unsigned threads,
                             GrammarCounts* counts) const;

 private:
  friend class ForestPass;

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
  // Numbers within a sentence count from its start.
  struct Sentence {
    std::vector<Node> nodes;
    std::vector<Use> uses;
    std::vector<std::uint32_t> edges;  // uses
  };

  Sentence compile(const Forest& forest, std::span<const std::uint32_t> terminal) const;
  std::vector<std::uint32_t> first_children() const;

  std::vector<GrammarOperator> operators_;
  ForestSettings settings_;
  std::vector<Sentence> sentences_;
  std::size_t units_ = 0, edges_ = 0, terminals_ = 0;
};

}  // namespace tertium
