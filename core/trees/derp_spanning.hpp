// SPDX-License-Identifier: Apache-2.0
// Sets of path pairs that connect the words of both sides (McCaffery 2017, 5.7).
//
// Where several words of one text stand for several of the other, a path pair may
// join what is already joined on one side, and one spanning tree no longer
// settles both.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "trees/derp_paths.hpp"

namespace tertium {

struct PathPair {
  std::array<std::uint32_t, 2> hyp, ref;  // nodes joined on either side
  PathCost cost;
};

// Take pairs in the given order, each that joins two sets on either side, until
// both sides are connected. Neither minimal nor a tree.
std::vector<std::size_t> join_greedily(std::span<const PathPair> pairs, std::size_t hyps,
                                       std::size_t refs);

// The cheapest set that connects both sides, by matroid intersection: polynomial,
// about O((hyps + refs)^2 * pairs) times a few rounds of shortest paths.
std::vector<std::size_t> join_exactly(std::span<const PathPair> pairs, std::size_t hyps,
                                      std::size_t refs);

class UnionFind {
 public:
  void reset(std::size_t n);
  std::uint32_t find(std::uint32_t x);
  bool join(std::uint32_t a, std::uint32_t b);  // false if they were joined

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace tertium
