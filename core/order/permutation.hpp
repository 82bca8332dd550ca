// SPDX-License-Identifier: Apache-2.0
// order/: permutations, their trees and forests, and scores of word order.
//
// Permutations: their flat trees in linear time, and metrics that need no tree.
//
// A permutation of n words is the sequence of the values 0 .. n-1 by position.
// Its flat tree is the tree of strong intervals: every chain of equal binary
// operators of a permutation tree (Zhang and Gildea 2007) is merged into one node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tertium {

using Permutation = std::span<const std::uint32_t>;

enum class NodeKind : std::uint8_t { kLeaf, kStraight, kInverted, kPrime };

struct TreeNode {
  std::uint32_t start, end;    // positions, half open
  std::uint32_t lo, hi;        // lowest and highest value
  std::uint32_t first, count;  // children: children[first .. first + count)
  NodeKind kind;

  std::uint32_t words() const { return end - start; }
};

// Nodes stand children first, so that the root is the last one. A permutation of
// n > 0 words has n leaves and at most n - 1 other nodes.
struct FlatTree {
  std::span<const TreeNode> nodes;
  std::span<const std::uint32_t> children;
  std::span<const std::uint32_t> inner;  // inner nodes, in their order

  std::span<const std::uint32_t> children_of(const TreeNode& node) const {
    return children.subspan(node.first, node.count);
  }
};

// Builds flat trees in time and memory linear in n, without recursion. Keeps its
// scratch memory for the next permutation.
class TreeBuilder {
 public:
  // The tree lives until the next call.
  const FlatTree& build(Permutation perm);

 private:
  void find_ranges(std::size_t n);
  void find_reaches(Permutation perm);
  void find_outer();
  void find_reaches_short(Permutation perm);
  void find_brackets();
  void match_brackets(Permutation perm);

  struct Range {
    std::uint32_t lo, hi;
  };

  FlatTree tree_;  // the used parts of the next three
  std::vector<TreeNode> nodes_;
  std::vector<std::uint32_t> children_, inner_;
  std::vector<std::uint32_t> position_, stack_, pending_;
  std::vector<Range> right_, left_;       // values reachable rightwards, leftwards
  std::vector<std::uint32_t> sup_, inf_;  // last and first position reachable
  std::vector<Range> outer_;              // nearest positions that reach over one
  std::vector<std::uint32_t> ends_, starts_;
  std::vector<std::int32_t> balance_;
};

// Metrics over the values alone; 1 is the order of the reference. n = 0 gives 0
// and n = 1 gives 1, where the formulas give 0/0.
enum class FlatMetric : std::uint8_t {
  kKendall,
  kSpearman,
  kHamming,
  kUlam,
  kFuzzy,
  kSqrtKendall,
};

class FlatScorer {
 public:
  double score(FlatMetric metric, Permutation perm);

 private:
  std::uint64_t inversions(Permutation perm);             // O(n log n)
  std::size_t longest_increasing(Permutation perm);       // O(n log n)

  std::vector<std::uint32_t> values_, buffer_;
};

}  // namespace tertium
