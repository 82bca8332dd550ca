// SPDX-License-Identifier: Apache-2.0
#include "trees/tree_edit.hpp"

#include <algorithm>

namespace tertium {

namespace {

constexpr double kMostPairs = 67108864.0;              // 2^26
constexpr double kMostSubproblems = 274877906944.0;  // 2^38

// Subtrees that are not first children, in the order in which they can be compared;
// all nodes together come last, so that several roots are not a special case.
void find_keys(Postorder& order, std::vector<std::uint32_t>& seen) {
  const auto n = static_cast<std::uint32_t>(order.node.size());
  order.keys.clear();
  order.leaves.clear();
  order.work = n;
  seen.assign(n, 0);
  for (std::uint32_t last = n; last-- > 0;) {
    const std::uint32_t first = order.first[last];
    if (first == 0 || seen[first]) continue;
    seen[first] = 1;
    if (first == last) {
      order.leaves.push_back(last);
    } else {
      order.keys.push_back({first, last});
      order.work += last - first + 1;
    }
  }
  std::reverse(order.keys.begin(), order.keys.end());
  if (n > 0) order.keys.push_back({0, n - 1});
}

}  // namespace

void OrderedForest::assign(std::span<const std::uint32_t> parents) {
  const auto n = static_cast<std::uint32_t>(parents.size());
  child_.assign(n + 1, 0);  // by number of the node, counted from 1; 0 is above the roots
  sibling_.assign(n + 1, 0);
  for (std::uint32_t v = n; v > 0; --v) {
    const std::uint32_t parent = parents[v - 1];
    if (parent > n)
      throw NotATree(v - 1, "has head " + std::to_string(parent) + ", but there are only " +
                                std::to_string(n) + " nodes");
    sibling_[v] = child_[parent];
    child_[parent] = v;
  }
  preorder_.clear();
  depth_.assign(n + 1, 0);
  size_.assign(n + 1, 1);
  for (std::uint32_t v = child_[0]; v != 0;) {
    preorder_.push_back(v);
    const std::uint32_t parent = parents[v - 1];
    depth_[v] = parent ? depth_[parent] + 1 : 0;
    if (child_[v]) {
      v = child_[v];
      continue;
    }
    while (v != 0 && !sibling_[v]) v = parents[v - 1];
    if (v != 0) v = sibling_[v];
  }
  if (preorder_.size() != n) {
    // A node from which no root can be reached; n steps upwards lead into the cycle.
    std::vector<char> reached(n + 1, 0);
    for (const std::uint32_t v : preorder_) reached[v] = 1;
    std::uint32_t v = 1;
    while (reached[v]) ++v;
    for (std::uint32_t step = 0; step < n; ++step) v = parents[v - 1];
    throw NotATree(v - 1, "is its own ancestor");
  }
  for (std::uint32_t p = n; p-- > 0;) size_[parents[preorder_[p] - 1]] += size_[preorder_[p]];
  for (Postorder* order : {&left_, &right_}) {
    order->node.resize(n);
    order->first.resize(n);
  }
  for (std::uint32_t p = 0; p < n; ++p) {
    const std::uint32_t v = preorder_[p], size = size_[v];
    // Before v stand all that precede it in preorder but its ancestors, and its subtree.
    const std::uint32_t left = p - depth_[v] + size - 1, right = n - 1 - p;
    left_.node[left] = right_.node[right] = v - 1;
    left_.first[left] = left + 1 - size;
    right_.first[right] = right + 1 - size;
  }
  find_keys(left_, seen_);
  find_keys(right_, seen_);
}

void check_effort(const Postorder& a, const Postorder& b) {
  const double pairs = static_cast<double>(a.node.size()) * static_cast<double>(b.node.size());
  if (pairs <= kMostPairs && a.work * b.work <= kMostSubproblems) return;
  throw std::invalid_argument("trees of " + std::to_string(a.node.size()) + " and " +
                              std::to_string(b.node.size()) +
                              " nodes are too large to compare (at most 2^26 pairs of nodes and "
                              "2^38 subproblems); compare parts of them");
}

template <class Costs>
auto TreeEdit<Costs>::distance(const Postorder& a, const Postorder& b, const Costs& costs)
    -> Value {
  const std::size_t n = a.node.size(), m = b.node.size();
  if (n == 0 || m == 0) {
    Value sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += costs.remove(i);
    for (std::size_t j = 0; j < m; ++j) sum += costs.insert(j);
    return sum;
  }
  stride_ = m + 1;
  if (trees_.size() < n * m) trees_.resize(n * m);
  if (forest_.size() < (n + 1) * stride_) forest_.resize((n + 1) * stride_);
  fill_leaves(a, b, costs);
  for (const KeyRange ka : a.keys)
    for (const KeyRange kb : b.keys) fill(a, b, costs, ka, kb);
  return forest_[n * stride_ + m];
}

// A single node is mapped to the node of the other subtree that saves most, or to
// none: no table is needed, and about half of all key ranges are single nodes.
template <class Costs>
void TreeEdit<Costs>::fill_leaves(const Postorder& a, const Postorder& b, const Costs& costs) {
  const std::size_t n = a.node.size(), m = b.node.size();
  // The leaves of one tree against all subtrees of the other (`order`), whose nodes
  // cost alone(j) without a partner.
  const auto against = [&](const Postorder& order, std::size_t size, const auto& alone,
                         std::span<const std::uint32_t> leaves, const auto& own,
                         const auto& pair, const auto& place) {
    if (leaves.empty()) return;
    total_.resize(size);
    best_.resize(size);
    for (std::size_t j = 0; j < size; ++j) {
      total_[j] = alone(j);
      for (std::size_t c = j; c > order.first[j]; c = order.first[c - 1]) total_[j] += total_[c - 1];
    }
    for (const std::uint32_t leaf : leaves) {
      const Value lone = own(leaf);
      for (std::size_t j = 0; j < size; ++j) {
        Value best = pair(leaf, j) - alone(j);
        for (std::size_t c = j; c > order.first[j]; c = order.first[c - 1])
          best = std::min(best, best_[c - 1]);
        best_[j] = best;
        trees_[place(leaf, j)] = total_[j] + std::min(lone, best);
      }
    }
  };
  const auto remove = [&](std::size_t i) { return costs.remove(i); };
  const auto insert = [&](std::size_t j) { return costs.insert(j); };
  against(
      b, m, insert, a.leaves, remove,
      [&](std::size_t i, std::size_t j) { return costs.rename(i, j); },
      [&](std::size_t i, std::size_t j) { return i * m + j; });
  against(
      a, n, remove, b.leaves, insert,
      [&](std::size_t j, std::size_t i) { return costs.rename(i, j); },
      [&](std::size_t j, std::size_t i) { return i * m + j; });
}

template <class Costs>
void TreeEdit<Costs>::fill(const Postorder& a, const Postorder& b, const Costs& costs,
                           KeyRange ka, KeyRange kb) {
  const std::size_t m = kb.last - kb.first + 1, all = b.node.size();
  const std::uint32_t* starts = b.first.data() + kb.first;
  Value* const top = forest_.data();
  top[0] = 0;
  for (std::size_t j = 0; j < m; ++j) top[j + 1] = top[j] + costs.insert(kb.first + j);
  for (std::size_t i = ka.first; i <= ka.last; ++i) {
    const Value* const above = top + (i - ka.first) * stride_;
    Value* const row = top + (i - ka.first + 1) * stride_;
    Value* const tree = trees_.data() + i * all + kb.first;
    const Value cost = costs.remove(i);
    Value last = row[0] = above[0] + cost;
    pace_.spend(2 * m);
    if (a.first[i] == ka.first) {
      for (std::size_t j = 0; j < m; ++j) {
        // Both prefixes are trees: this is their distance as well.
        const bool whole = starts[j] == kb.first;
        const Value known = tree[j];
        const Value paired = above[j] + costs.rename(i, kb.first + j);
        const Value apart = top[starts[j] - kb.first] + known;
        const Value through = whole ? paired : apart;
        last = std::min(last + costs.insert(kb.first + j), std::min(above[j + 1] + cost, through));
        row[j + 1] = last;
        tree[j] = whole ? last : known;
      }
    } else {
      const Value* const before = top + (a.first[i] - ka.first) * stride_;
      for (std::size_t j = 0; j < m; ++j) {
        const Value through = before[starts[j] - kb.first] + tree[j];
        last = std::min(last + costs.insert(kb.first + j), std::min(above[j + 1] + cost, through));
        row[j + 1] = last;
      }
    }
  }
}

template <class Costs>
std::vector<std::int32_t> TreeEdit<Costs>::mapping(const Postorder& a, const Postorder& b,
                                                   const Costs& costs) {
  const std::size_t n = a.node.size(), m = b.node.size();
  std::vector<std::int32_t> partner(n, -1);
  if (n == 0 || m == 0) return partner;
  struct Task {
    KeyRange a, b;
  };
  std::vector<Task> tasks = {{a.keys.back(), b.keys.back()}};
  while (!tasks.empty()) {
    const auto [ka, kb] = tasks.back();
    tasks.pop_back();
    fill(a, b, costs, ka, kb);
    std::size_t r = ka.last - ka.first + 1, c = kb.last - kb.first + 1;
    while (r > 0 && c > 0) {
      const std::size_t i = ka.first + r - 1, j = kb.first + c - 1;
      const Value here = forest_[r * stride_ + c];
      const std::size_t r0 = a.first[i] - ka.first, c0 = b.first[j] - kb.first;
      if (r0 == 0 && c0 == 0) {
        if (here == forest_[(r - 1) * stride_ + c - 1] + costs.rename(i, j)) {
          partner[i] = static_cast<std::int32_t>(j);
          --r, --c;
          continue;
        }
      } else if (here == forest_[r0 * stride_ + c0] + trees_[i * m + j]) {
        tasks.push_back({{a.first[i], static_cast<std::uint32_t>(i)},
                         {b.first[j], static_cast<std::uint32_t>(j)}});
        r = r0, c = c0;
        continue;
      }
      if (here == forest_[(r - 1) * stride_ + c] + costs.remove(i))
        --r;
      else
        --c;
    }
  }
  return partner;
}

template class TreeEdit<UnitCosts>;
template class TreeEdit<TableCosts<double>>;
template class TreeEdit<TableCosts<std::int64_t>>;

}  // namespace tertium
