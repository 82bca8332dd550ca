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
// What it joins there: the unit, the largest subtree that does not contain both sides, or
// either of them.
enum class Height : std::uint8_t { kLow, kHigh, kBoth };

struct ForestSettings {
  Branching branching = Branching::kAll;
  Attach attach = Attach::kRight;
  Height height = Height::kLow;
};

// A span of units with an operator, or one unit. With Height::kBoth, a span may have
// several nodes, each with another operator.
struct ForestNode {
  std::uint32_t start, end;         // units, half open
  std::int32_t op;                  // -1 for a unit
  std::uint32_t first_edge, edges;  // edge e has its arity() children at first_edge + e · arity
};

// Children stand before their parents. Nodes that are nobody's child are roots: one of
// them, the last node, unless heights are alternatives.
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
  // How many unaligned units join a node on one side: all, or any number if the others
  // may join a larger block.
  struct Side {
    std::uint32_t count = 0;
    bool open = false;
  };
  struct Joined {
    Side before, behind;
  };
  // The nodes for one span: those of different operators.
  using Choice = std::vector<std::uint32_t>;
  // A subtree, by how many unaligned units before and behind it belong to it already.
  struct Tops {
    std::uint32_t lefts = 0, rights = 0;
    std::vector<Choice> choices;  // lefts x rights

    Tops() = default;
    Tops(std::uint32_t left_count, std::uint32_t right_count)
        : lefts(left_count), rights(right_count), choices(left_count * right_count) {}
    Choice& at(std::uint32_t left, std::uint32_t right) {
      return choices[left * rights + right];
    }
    const Choice& at(std::uint32_t left, std::uint32_t right) const {
      return choices[left * rights + right];
    }
  };

  std::int32_t find(std::vector<std::uint32_t> ranks) const;
  void join_unaligned(const FlatTree& tree);
  std::int32_t prime_operator(const FlatTree& tree, const TreeNode& node) const;
  std::uint32_t add_node(std::int32_t op, std::uint32_t start, std::uint32_t end);
  void add_edge(std::initializer_list<std::uint32_t> children);
  std::uint32_t add_unit(std::uint32_t unit);
  std::uint32_t joining_unit(std::uint32_t unit);
  Tops add_leaf(std::uint32_t unit, const Joined& joined);
  Tops add_prime(std::span<const std::uint32_t> parts, std::int32_t op);
  Tops add_chain(std::span<const std::uint32_t> parts, std::int32_t op);
  Tops add_run(std::size_t a, std::size_t b, std::size_t parts, std::int32_t op);
  std::uint32_t add_joined(const Choice& inner, bool before);
  Tops closed_before(const Tops& tops, std::uint32_t count);
  Tops closed_behind(const Tops& tops, std::uint32_t count);
  Choice closed(const std::vector<const Choice*>& inner, std::uint32_t count, bool before);

  ForestSettings settings_;
  const std::vector<GrammarOperator>& operators_;
  std::map<std::vector<std::uint32_t>, std::int32_t> by_ranks_;
  std::int32_t join_right_ = -1, join_left_ = -1;  // for an unaligned unit before or after

  TreeBuilder trees_;
  std::vector<std::uint32_t> aligned_, perm_;
  std::vector<char> seen_;
  std::vector<Joined> low_, high_;    // by node of the tree: what joins it low or high
  std::vector<Tops> tops_;            // by node of the tree
  std::vector<Tops> runs_;            // of parts of a chain, [first][end]
  std::vector<std::int64_t> joiner_;  // the nodes of unaligned units; -1 if there is none
  std::vector<ForestNode> nodes_;
  std::vector<std::uint32_t> children_;
};

}  // namespace tertium
