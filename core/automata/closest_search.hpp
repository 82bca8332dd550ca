// SPDX-License-Identifier: Apache-2.0
// Best-first search over pairs of states, and the corrections read off it.
#pragma once

#include <vector>

#include "automata/closest_bound.hpp"
#include "base/flat_map.hpp"

namespace tertium {

// The part of the product of move lattice and references that corrections within
// the slack go through.
class Search {
 public:
  Search(const Problem& problem, const MoveLattice& lattice, Clock::time_point deadline);

  // Visit every pair of states on a correction that costs no more than the cheapest
  // plus the slack, within the limits.
  void explore(const SearchLimits& limits);
  // Whether the cheapest correction was found, and all those within the slack.
  bool found() const { return found_; }
  bool complete() const { return complete_; }
  // The least that any correction costs, as far as explore has come.
  Price lower_bound() const { return lower_; }
  // Corrections into different references, cheapest first and then by their tokens:
  // the costs of all within the slack (or as many as the limits say), and what the
  // first of them change.
  void read(const SearchLimits& limits, Found& found) const;
  // What one correction that costs least changes, edit by edit.
  Correction correction() const;

 private:
  struct Node {
    std::uint32_t lattice, state, pending;  // pending: the part of a compound to come
    Price paid, rest;
    std::uint32_t first_edge, edges;
    bool settled;
  };
  struct Edge {
    Price price;
    std::uint32_t to;
    std::int32_t token, symbol;
    Kind kind;
    bool moved;
  };

  std::uint32_t node(std::uint32_t lattice, std::uint32_t state, std::uint32_t pending,
                     Price rest);
  bool over(const SearchLimits& limits) const;
  void expand(std::uint32_t index);
  void reach(std::uint32_t lattice, std::uint32_t state, std::uint32_t pending, Edge edge);
  void measure_rest();
  bool is_goal(const Node& node) const;

  const Problem& problem_;
  const MoveLattice& lattice_;
  Bound bound_;
  Price insert_, join_, move_;
  // Parts of compounds still to come, by number; 0 is none.
  std::vector<std::uint32_t> pending_first_;
  std::uint32_t pending_count_;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  GrowingMap numbers_;
  std::vector<std::pair<Price, std::uint32_t>> queue_;
  Clock::time_point deadline_;
  Price most_;       // prices from here on are too high to look at
  Price lower_ = 0;  // no correction is cheaper
  Price paid_ = 0;   // up to the node that is being expanded
  bool found_ = false, complete_ = false;
};

}  // namespace tertium
