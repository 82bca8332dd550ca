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
  aligned_.push_back(static_cast<std::uint32_t>(ranks.size()));
  join_unaligned(tree);

  nodes_.clear();
  children_.clear();
  joiner_.assign(ranks.size(), -1);
  tops_.resize(tree.nodes.size());
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const TreeNode& node = tree.nodes[i];
    if (node.kind == NodeKind::kLeaf) {
      tops_[i] = add_leaf(aligned_[node.start], low_[i]);
      continue;
    }
    const bool prime = node.kind == NodeKind::kPrime;
    const std::int32_t op = prime ? prime_operator(tree, node)
                                  : find(node.kind == NodeKind::kStraight
                                             ? std::vector<std::uint32_t>{1, 2}
                                             : std::vector<std::uint32_t>{2, 1});
    if (op < 0) return ForestFault::kNoOperator;
    const auto parts = tree.children_of(node);
    tops_[i] = prime ? add_prime(parts, op) : add_chain(parts, op);
    const std::uint32_t before = high_[i].before.count, behind = high_[i].behind.count;
    if (before) tops_[i] = closed_before(tops_[i], before);
    if (behind) tops_[i] = closed_behind(tops_[i], behind);
  }
  return ForestFault::kNone;
}

// Find the nodes that each run of unaligned units joins. Low: the unit. High: the largest
// node on that side of the gap; the root at the ends of the sentence.
void ForestBuilder::join_unaligned(const FlatTree& tree) {
  const auto n = static_cast<std::uint32_t>(aligned_.size()) - 1;
  const bool right = settings_.attach == Attach::kRight;
  low_.assign(tree.nodes.size(), {});
  high_.assign(tree.nodes.size(), {});
  // The first node that starts (or ends) at a position is the unit, the last one the
  // largest, as children stand before parents.
  std::vector<std::size_t> low_start(n), high_start(n), low_end(n + 1), high_end(n + 1);
  std::vector<char> starts(n, 0), ends(n + 1, 0);
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const TreeNode& node = tree.nodes[i];
    if (!std::exchange(starts[node.start], 1)) low_start[node.start] = i;
    if (!std::exchange(ends[node.end], 1)) low_end[node.end] = i;
    high_start[node.start] = i;
    high_end[node.end] = i;
  }
  const auto join = [&](Side Joined::* side, std::size_t low, std::size_t high,
                        std::uint32_t count) {
    // A unit that is the largest node leaves no choice.
    const bool open = settings_.height == Height::kBoth && low != high;
    if (settings_.height != Height::kHigh || low == high) low_[low].*side = {count, open};
    if (settings_.height != Height::kLow && low != high) high_[high].*side = {count, open};
  };
  join(&Joined::before, low_start[0], high_start[0], aligned_[0]);
  join(&Joined::behind, low_end[n], high_end[n], aligned_[n] - aligned_[n - 1] - 1);
  for (std::uint32_t gap = 1; gap < n; ++gap) {
    const std::uint32_t count = aligned_[gap] - aligned_[gap - 1] - 1;
    if (right)
      join(&Joined::before, low_start[gap], high_start[gap], count);
    else
      join(&Joined::behind, low_end[gap], high_end[gap], count);
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

std::uint32_t ForestBuilder::joining_unit(std::uint32_t unit) {
  if (joiner_[unit] < 0) joiner_[unit] = add_unit(unit);
  return static_cast<std::uint32_t>(joiner_[unit]);
}

// An aligned unit and the unaligned ones that join it. The nearest joins first; those
// before it join before those behind it.
ForestBuilder::Tops ForestBuilder::add_leaf(std::uint32_t unit, const Joined& joined) {
  const auto [before, behind] = joined;
  Tops out(before.open ? before.count + 1 : 1, behind.open ? behind.count + 1 : 1);
  std::uint32_t left = add_unit(unit);
  for (std::uint32_t a = 0; a <= before.count; ++a) {
    if (a > 0) left = add_joined({left}, true);
    if (!before.open && a < before.count) continue;
    std::uint32_t top = left;
    for (std::uint32_t b = 0; b <= behind.count; ++b) {
      if (b > 0) top = add_joined({top}, false);
      if (behind.open || b == behind.count)
        out.at(before.open ? a : 0, behind.open ? b : 0) = {top};
    }
  }
  return out;
}

// The inner children of an operator have all unaligned units that belong to them; only
// the first and the last one may have choices.
ForestBuilder::Tops ForestBuilder::add_prime(std::span<const std::uint32_t> parts,
                                             std::int32_t op) {
  const Tops &front = tops_[parts.front()], &back = tops_[parts.back()];
  Tops out(front.lefts, back.rights);
  std::vector<const Choice*> choices(parts.size());
  std::vector<std::size_t> chosen(parts.size());
  for (std::uint32_t l = 0; l < out.lefts; ++l)
    for (std::uint32_t r = 0; r < out.rights; ++r) {
      for (std::size_t c = 0; c < parts.size(); ++c) choices[c] = &tops_[parts[c]].at(0, 0);
      choices.front() = &front.at(l, 0);
      choices.back() = &back.at(0, r);
      out.at(l, r) = {add_node(op, nodes_[choices.front()->front()].start,
                               nodes_[choices.back()->front()].end)};
      // All combinations, the last child first.
      chosen.assign(parts.size(), 0);
      for (std::size_t c = parts.size(); c > 0;) {
        for (std::size_t i = 0; i < parts.size(); ++i)
          children_.push_back((*choices[i])[chosen[i]]);
        ++nodes_.back().edges;
        for (c = parts.size(); c > 0 && ++chosen[c - 1] == choices[c - 1]->size(); --c)
          chosen[c - 1] = 0;
      }
    }
  return out;
}

// Every run of two or more parts is a node, with an edge for every boundary in it; for a
// single tree only the runs of the first or of the last parts.
ForestBuilder::Tops ForestBuilder::add_chain(std::span<const std::uint32_t> parts,
                                             std::int32_t op) {
  const std::size_t m = parts.size();
  runs_.resize(m * (m + 1));
  for (std::size_t a = 0; a < m; ++a)
    runs_[a * (m + 1) + a + 1] = std::move(tops_[parts[a]]);
  for (std::size_t size = 2; size <= m; ++size)
    for (std::size_t a = 0, b = size; b <= m; ++a, ++b) {
      if (settings_.branching == Branching::kLeft && a > 0) continue;
      if (settings_.branching == Branching::kRight && b < m) continue;
      runs_[a * (m + 1) + b] = add_run(a, b, m, op);
    }
  return std::move(runs_[m]);
}

ForestBuilder::Tops ForestBuilder::add_run(std::size_t a, std::size_t b, std::size_t parts,
                                           std::int32_t op) {
  const auto run = [&](std::size_t from, std::size_t to) -> const Tops& {
    return runs_[from * (parts + 1) + to];
  };
  const std::size_t first = settings_.branching == Branching::kLeft ? b - 1 : a + 1;
  const std::size_t last = settings_.branching == Branching::kRight ? a + 1 : b - 1;
  Tops out(run(a, a + 1).lefts, run(b - 1, b).rights);
  for (std::uint32_t l = 0; l < out.lefts; ++l)
    for (std::uint32_t r = 0; r < out.rights; ++r) {
      out.at(l, r) = {add_node(op, nodes_[run(a, a + 1).at(l, 0).front()].start,
                               nodes_[run(b - 1, b).at(0, r).front()].end)};
      for (std::size_t split = first; split <= last; ++split)
        for (const std::uint32_t left : run(a, split).at(l, 0))
          for (const std::uint32_t right : run(split, b).at(0, r)) add_edge({left, right});
    }
  return out;
}

// The next unaligned unit before or behind a span joins it.
std::uint32_t ForestBuilder::add_joined(const Choice& inner, bool before) {
  const std::uint32_t start = nodes_[inner.front()].start, end = nodes_[inner.front()].end;
  const std::uint32_t unit = joining_unit(before ? start - 1 : end);
  const std::uint32_t whole = before ? add_node(join_right_, start - 1, end)
                                     : add_node(join_left_, start, end + 1);
  for (const std::uint32_t top : inner)
    before ? add_edge({unit, top}) : add_edge({top, unit});
  return whole;
}

ForestBuilder::Tops ForestBuilder::closed_before(const Tops& tops, std::uint32_t count) {
  Tops out(1, tops.rights);
  for (std::uint32_t r = 0; r < tops.rights; ++r) {
    std::vector<const Choice*> inner;
    for (std::uint32_t l = 0; l < tops.lefts; ++l) inner.push_back(&tops.at(l, r));
    out.at(0, r) = closed(inner, count, true);
  }
  return out;
}

ForestBuilder::Tops ForestBuilder::closed_behind(const Tops& tops, std::uint32_t count) {
  Tops out(tops.lefts, 1);
  for (std::uint32_t l = 0; l < tops.lefts; ++l) {
    std::vector<const Choice*> inner;
    for (std::uint32_t r = 0; r < tops.rights; ++r) inner.push_back(&tops.at(l, r));
    out.at(l, 0) = closed(inner, count, false);
  }
  return out;
}

// All unaligned units on one side join a block, of which the nearest may have joined a
// unit in it: `inner` has the block with none of them, with one, ...; or with none alone.
ForestBuilder::Choice ForestBuilder::closed(const std::vector<const Choice*>& inner,
                                            std::uint32_t count, bool before) {
  Choice tops = *inner.front();
  for (std::uint32_t joined = 1; joined <= count; ++joined) {
    const std::uint32_t whole = add_joined(tops, before);
    tops = inner.size() > 1 ? *inner[joined] : Choice{};
    tops.push_back(whole);
  }
  return tops;
}

}  // namespace tertium
