// SPDX-License-Identifier: Apache-2.0
#include "preorder/forest.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace tertium {

ForestBuilder::ForestBuilder(const std::vector<GrammarOperator>& operators,
                             const ForestSettings& settings)
    : settings_(settings), operators_(operators) {
  for (std::size_t i = 0; i < operators.size(); ++i) {
    const auto op = static_cast<std::int32_t>(i);
    const GrammarOperator& item = operators[i];
    if (item.emitter < 0) by_ranks_.emplace(item.ranks, op);
    if (item.emitter == 0) join_right_ = op;
    if (item.emitter == 1) join_left_ = op;
  }
}

std::int32_t ForestBuilder::find(std::vector<std::uint32_t> ranks) const {
  const auto at = by_ranks_.find(ranks);
  return at == by_ranks_.end() ? -1 : at->second;
}

ForestFault ForestBuilder::build(std::span<const std::uint32_t> ranks) {
  aligned_.clear();
  perm_.clear();
  for (std::uint32_t unit = 0; unit < ranks.size(); ++unit) {
    if (ranks[unit] == 0) continue;
    aligned_.push_back(unit);
    perm_.push_back(ranks[unit] - 1);
  }
  seen_.assign(perm_.size(), 0);
  for (const std::uint32_t value : perm_)
    if (value >= perm_.size() || std::exchange(seen_[value], 1))
      throw std::invalid_argument("the ranks of aligned units are not a permutation");
  if (aligned_.size() < 2) return ForestFault::kTooFewUnits;
  if (aligned_.size() < ranks.size() && (join_left_ < 0 || join_right_ < 0))
    return ForestFault::kNoOperator;
  const FlatTree& tree = trees_.build(perm_);
  // Units after the last aligned one end the sentence.
  joined_.assign(tree.nodes.size(), {});
  aligned_.push_back(static_cast<std::uint32_t>(ranks.size()));
  join_unaligned(tree);

  nodes_.clear();
  children_.clear();
  tops_.resize(tree.nodes.size());
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const TreeNode& node = tree.nodes[i];
    std::uint32_t top;
    if (node.kind == NodeKind::kLeaf) {
      top = add_unit(aligned_[node.start]);
    } else {
      const bool prime = node.kind == NodeKind::kPrime;
      const std::int32_t op = prime ? prime_operator(tree, node)
                                    : find(node.kind == NodeKind::kStraight
                                               ? std::vector<std::uint32_t>{1, 2}
                                               : std::vector<std::uint32_t>{2, 1});
      if (op < 0) return ForestFault::kNoOperator;
      top = prime ? add_prime(tree, node, op) : add_chain(tree.children_of(node), op);
    }
    tops_[i] = add_joined(top, joined_[i]);
  }
  return ForestFault::kNone;
}

// Find the node that each run of unaligned units joins. High: the largest node on that
// side of the gap; the root at the ends of the sentence.
void ForestBuilder::join_unaligned(const FlatTree& tree) {
  const auto n = static_cast<std::uint32_t>(aligned_.size()) - 1;
  const bool right = settings_.attach == Attach::kRight;
  const bool high = settings_.height == Height::kHigh;
  // The first node that starts (or ends) at a position is the unit, the last one the
  // largest, as children stand before parents.
  std::vector<std::size_t> starting(n, 0), ending(n + 1, 0);
  std::vector<char> starts(n, 0), ends(n + 1, 0);
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const TreeNode& node = tree.nodes[i];
    if (high || !std::exchange(starts[node.start], 1)) starting[node.start] = i;
    if (high || !std::exchange(ends[node.end], 1)) ending[node.end] = i;
  }
  const std::uint32_t leading = aligned_[0], trailing = aligned_[n] - aligned_[n - 1] - 1;
  joined_[starting[0]].before = leading;
  joined_[ending[n]].behind = trailing;
  for (std::uint32_t gap = 1; gap < n; ++gap) {
    const std::uint32_t count = aligned_[gap] - aligned_[gap - 1] - 1;
    if (right)
      joined_[starting[gap]].before = count;
    else
      joined_[ending[gap]].behind = count;
  }
}

std::int32_t ForestBuilder::prime_operator(const FlatTree& tree, const TreeNode& node) const {
  const auto parts = tree.children_of(node);
  std::vector<std::uint32_t> ranks(parts.size());
  if (parts.size() > 9) return -1;  // no grammar has them, and ranks are quadratic
  for (std::size_t a = 0; a < parts.size(); ++a)
    for (const std::uint32_t other : parts)
      ranks[a] += tree.nodes[other].lo <= tree.nodes[parts[a]].lo;
  return find(std::move(ranks));
}

std::uint32_t ForestBuilder::add_node(std::int32_t op, std::uint32_t start, std::uint32_t end) {
  nodes_.push_back({start, end, op, static_cast<std::uint32_t>(children_.size()), 0});
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

void ForestBuilder::add_edge(std::initializer_list<std::uint32_t> children) {
  children_.insert(children_.end(), children);
  ++nodes_.back().edges;
}

std::uint32_t ForestBuilder::add_unit(std::uint32_t unit) { return add_node(-1, unit, unit + 1); }

std::uint32_t ForestBuilder::add_prime(const FlatTree& tree, const TreeNode& node,
                                       std::int32_t op) {
  const auto parts = tree.children_of(node);
  const std::uint32_t top = add_node(op, nodes_[tops_[parts.front()]].start,
                                     nodes_[tops_[parts.back()]].end);
  for (const std::uint32_t part : parts) children_.push_back(tops_[part]);
  nodes_.back().edges = 1;
  return top;
}

// Every run of two or more parts is a node, with an edge for every boundary in it; for a
// single tree only the runs of the first or of the last parts.
std::uint32_t ForestBuilder::add_chain(std::span<const std::uint32_t> parts, std::int32_t op) {
  const std::size_t m = parts.size();
  runs_.assign(m * (m + 1), 0);  // [first][end]
  const auto run = [&](std::size_t a, std::size_t b) -> std::uint32_t& {
    return runs_[a * (m + 1) + b];
  };
  for (std::size_t a = 0; a < m; ++a) run(a, a + 1) = tops_[parts[a]];
  for (std::size_t size = 2; size <= m; ++size)
    for (std::size_t a = 0, b = size; b <= m; ++a, ++b) {
      const bool left = settings_.branching == Branching::kLeft;
      const bool right = settings_.branching == Branching::kRight;
      if ((left && a > 0) || (right && b < m)) continue;
      run(a, b) = add_node(op, nodes_[run(a, a + 1)].start, nodes_[run(b - 1, b)].end);
      const std::size_t from = left ? b - 1 : a + 1, to = right ? a + 2 : b;
      for (std::size_t split = from; split < to; ++split)
        add_edge({run(a, split), run(split, b)});
    }
  return run(0, m);
}

// The nearest unaligned unit joins first.
std::uint32_t ForestBuilder::add_joined(std::uint32_t top, const Joined& joined) {
  for (std::uint32_t i = 0; i < joined.before; ++i) {
    const ForestNode inner = nodes_[top];
    const std::uint32_t unit = add_unit(inner.start - 1);
    const std::uint32_t whole = add_node(join_right_, inner.start - 1, inner.end);
    add_edge({unit, top});
    top = whole;
  }
  for (std::uint32_t i = 0; i < joined.behind; ++i) {
    const ForestNode inner = nodes_[top];
    const std::uint32_t unit = add_unit(inner.end);
    const std::uint32_t whole = add_node(join_left_, inner.start, inner.end + 1);
    add_edge({top, unit});
    top = whole;
  }
  return top;
}

}  // namespace tertium
