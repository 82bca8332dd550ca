// SPDX-License-Identifier: Apache-2.0
// Features of a bracketing transduction grammar over the source words alone, hashed into
// a table of weights.
//
// A node [l, m, r) looks at the words at the ends of both children and next to them, as
// Nakagawa (2015) does, and at all pairs of words that it would swap, as Tromble and
// Eisner (2009) do. Most features see only a part of a node: the cut at m, the span
// [l, r), the left or the right child. They are summed once per part, not per node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "preorder/btg_chart.hpp"

namespace tertium {

// What is known of a word: the word itself if it is frequent, and its classes from coarse
// to fine. Numbers are hashes; 0 and 1 are the ends of the sentence.
constexpr std::size_t kBtgAttributes = 4;

// The slots of all parts of one sentence.
class BtgFeatures {
 public:
  // `mask` is the number of slots of the table, a power of two, less 1.
  void read(std::span<const std::uint64_t> attributes, std::uint32_t mask);

  // Call visit(part, slots) for every part.
  template <class Visit>
  void each(Visit&& visit) const {
    for (std::size_t part = 0; part + 1 < first_.size(); ++part)
      visit(part, std::span(slots_).subspan(first_[part], first_[part + 1] - first_[part]));
  }
  std::size_t parts() const { return first_.size() - 1; }
  const BtgNodes& nodes() const { return nodes_; }

  // The scores of nodes, from the sums of weights of all parts.
  void combine(std::span<const Both> parts, std::vector<Both>& scores);
  // The gradient of the parts, from that of the nodes.
  void divide(std::span<const Both> scores, std::vector<Both>& parts);

 private:
  class Writer;
  void write_cuts(Writer& writer);
  void write_spans(Writer& writer);
  void write_left(Writer& writer);
  void write_right(Writer& writer);
  void write_nodes(Writer& writer);
  void write_pairs(Writer& writer);

  // Numbers of parts. A child is part of a node only beside another child.
  std::size_t cut(std::size_t m) const { return m; }
  std::size_t span(std::size_t l, std::size_t r) const { return words() + square(l, r); }
  std::size_t left(std::size_t l, std::size_t m) const { return span(l, m) + square(words(), 0); }
  std::size_t right(std::size_t m, std::size_t r) const {
    return left(m, r) + square(words(), 0);
  }
  std::size_t node(std::size_t number) const { return right(words(), 0) + number; }
  std::size_t pair(std::size_t number) const { return node(nodes_.size()) + number; }
  std::size_t square(std::size_t a, std::size_t b) const { return a * (words() + 1) + b; }
  std::size_t words() const { return nodes_.words(); }

  BtgNodes nodes_;
  std::vector<std::uint32_t> slots_;
  std::vector<std::size_t> first_;
  std::vector<double> pairs_, rectangles_;
};

}  // namespace tertium
