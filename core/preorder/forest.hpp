// SPDX-License-Identifier: Apache-2.0
// Forests: all trees of the operators of a grammar that yield one order of a sentence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "order/permutation.hpp"
#include "preorder/grammar.hpp"

namespace tertium {

// Which trees of a chain of equal binary operators there are.
enum class Branching : std::uint8_t { kLeft, kRight, kAll };
// The side on which an unaligned unit looks for the unit it joins.
enum class Attach : std::uint8_t { kLeft, kRight };
// What it joins there: the unit, or the largest subtree that does not contain both sides.
enum class Height : std::uint8_t { kLow, kHigh };

struct ForestSettings {
  Branching branching = Branching::kAll;
  Attach attach = Attach::kRight;
  Height height = Height::kLow;
};

// A span of units with its operator, or one unit.
struct ForestNode {
  std::uint32_t start, end;         // units, half open
  std::int32_t op;                  // -1 for a unit
  std::uint32_t first_edge, edges;  // edge e has its arity() children at first_edge + e · arity
};

// Children stand before their parents; the root is the last node.
struct Forest {
  std::span<const ForestNode> nodes;
  std::span<const std::uint32_t> children;
};

enum class ForestFault : std::uint8_t { kNone, kTooFewUnits, kNoOperator };

// Builds forests in time linear in their size, at most O(n³), and keeps its memory.
class ForestBuilder {
 public:
  ForestBuilder(const std::vector<GrammarOperator>& operators, const ForestSettings& settings);

  // Ranks of units from 1, 0 for unaligned units. At least two units must be aligned.
  // The forest lives until the next call.
  ForestFault build(std::span<const std::uint32_t> ranks);
  Forest forest() const { return {nodes_, children_}; }

 private:
  // How many unaligned units before and behind a node join it.
  struct Joined {
    std::uint32_t before = 0, behind = 0;
  };

  std::int32_t find(std::vector<std::uint32_t> ranks) const;
  void join_unaligned(const FlatTree& tree);
  std::int32_t prime_operator(const FlatTree& tree, const TreeNode& node) const;
  std::uint32_t add_node(std::int32_t op, std::uint32_t start, std::uint32_t end);
  void add_edge(std::initializer_list<std::uint32_t> children);
  std::uint32_t add_unit(std::uint32_t unit);
  std::uint32_t add_prime(const FlatTree& tree, const TreeNode& node, std::int32_t op);
  std::uint32_t add_chain(std::span<const std::uint32_t> parts, std::int32_t op);
  std::uint32_t add_joined(std::uint32_t top, const Joined& joined);

  ForestSettings settings_;
  const std::vector<GrammarOperator>& operators_;
  std::map<std::vector<std::uint32_t>, std::int32_t> by_ranks_;
  std::int32_t join_right_ = -1, join_left_ = -1;  // for an unaligned unit before or after

  TreeBuilder trees_;
  std::vector<std::uint32_t> aligned_, perm_, tops_, runs_;
  std::vector<char> seen_;
  std::vector<Joined> joined_;
  std::vector<ForestNode> nodes_;
  std::vector<std::uint32_t> children_;
};

}  // namespace tertium
