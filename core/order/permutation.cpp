// SPDX-License-Identifier: Apache-2.0
#include "order/permutation.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace tertium {

// ------------------------------------------------------------------------- trees
//
// After Bergeron, Chauve, de Montgolfier and Raffinot (2008): the strong intervals
// are found as matching brackets over the positions. An interval is a stretch of
// positions whose values are contiguous.

const FlatTree& TreeBuilder::build(Permutation perm) {
  tree_ = {};
  if (perm.empty()) return tree_;
  const std::size_t n = perm.size();
  position_.resize(n);
  for (std::uint32_t i = 0; i < n; ++i) position_[perm[i]] = i;
  sup_.resize(n);
  inf_.resize(n);
  outer_.resize(n);
  if (n <= 63) {
    find_reaches_short(perm);
  } else {
    find_ranges(n);
    find_reaches(perm);
    find_outer();
  }
  find_brackets();
  match_brackets(perm);
  return tree_;
}

// By value, for memory is read in that order: right_[v] is the widest range of
// values around v that all stand at its position or behind it; left_[v] at its
// position or before it. Over the positions by value these are the nearest smaller
// (greater) neighbours, found with a stack that only grows (falls).
void TreeBuilder::find_ranges(std::size_t size) {
  const auto n = static_cast<std::uint32_t>(size);
  right_.resize(n);
  left_.resize(n);
  stack_.resize(n);
  pending_.resize(n);
  std::uint32_t* const low = stack_.data();     // values at growing positions
  std::uint32_t* const high = pending_.data();  // values at falling positions
  std::size_t lows = 0, highs = 0;
  for (std::uint32_t value = 0; value < n; ++value) {
    const std::uint32_t at = position_[value];
    while (lows > 0 && position_[low[lows - 1]] > at) right_[low[--lows]].hi = value - 1;
    right_[value].lo = lows > 0 ? low[lows - 1] + 1 : 0;
    low[lows++] = value;
    while (highs > 0 && position_[high[highs - 1]] < at) left_[high[--highs]].hi = value - 1;
    left_[value].lo = highs > 0 ? high[highs - 1] + 1 : 0;
    high[highs++] = value;
  }
  while (lows > 0) right_[low[--lows]].hi = n - 1;
  while (highs > 0) left_[high[--highs]].hi = n - 1;
}

// sup_[i]: the last position up to which all values lie in the right range of the
// value at i; inf_[j] the same leftwards. [i, j] is an interval iff j <= sup_[i] and
// inf_[j] <= i. Every position is jumped over once, so the loops are linear.
void TreeBuilder::find_reaches(Permutation perm) {
  const auto n = static_cast<std::uint32_t>(perm.size());
  for (std::uint32_t i = n; i-- > 0;) {
    const Range range = right_[perm[i]];
    std::uint32_t j = i + 1;
    while (j < n && range.lo <= perm[j] && perm[j] <= range.hi) j = sup_[j] + 1;
    sup_[i] = j - 1;
  }
  for (std::uint32_t j = 0; j < n; ++j) {
    const Range range = left_[perm[j]];
    std::uint32_t i = j;  // one past the position looked at
    while (i > 0 && range.lo <= perm[i - 1] && perm[i - 1] <= range.hi) i = inf_[i - 1];
    inf_[j] = i;
  }
}

// outer_[k].lo: the largest s < k with sup_[s] >= k; .hi: the smallest s > k with
// inf_[s] <= k; k itself where there is none.
void TreeBuilder::find_outer() {
  const auto n = static_cast<std::uint32_t>(sup_.size());
  std::size_t depth = 0;
  for (std::uint32_t k = 0; k < n; ++k) {
    while (depth > 0 && sup_[stack_[depth - 1]] < k) --depth;
    outer_[k].lo = depth > 0 ? stack_[depth - 1] : k;
    stack_[depth++] = k;
  }
  depth = 0;
  for (std::uint32_t k = n; k-- > 0;) {
    while (depth > 0 && inf_[stack_[depth - 1]] > k) --depth;
    outer_[k].hi = depth > 0 ? stack_[depth - 1] : k;
    stack_[depth++] = k;
  }
}

// All of the above for up to 63 words, with sets of values and positions as bits
// of a number: no loop inside, so no branch that cannot be foreseen. Sets are kept
// mirrored too (bit 62 - x), because processors find the lowest bit faster than
// the highest; bit 63 ends every search.
void TreeBuilder::find_reaches_short(Permutation perm) {
  constexpr std::uint64_t kOne = 1, kEnd = kOne << 63;
  const auto lowest = [](std::uint64_t set) {
    return static_cast<std::uint32_t>(std::countr_zero(set | kEnd));
  };
  const auto n = static_cast<std::uint32_t>(perm.size());
  struct Sets {
    std::uint64_t below, below_mirrored;  // positions of lower values
    std::uint64_t ended, begun;           // positions whose reach ends, begins here
  } sets[64];
  sets[0] = {0, 0, 0, 0};
  for (std::uint32_t v = 0; v < n; ++v)
    sets[v + 1] = {sets[v].below | kOne << position_[v],
                   sets[v].below_mirrored | kOne << (62 - position_[v]), 0, 0};
  std::uint32_t* const sup = sup_.data();
  std::uint32_t* const inf = inf_.data();
  // Values before and behind position i; each set has a bit past all values.
  const std::uint64_t all = (kOne << n) - 1, all_mirrored = all << (63 - n);
  std::uint64_t behind = all | kOne << n, behind_mirrored = all_mirrored | kEnd;
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t v = perm[i], mirrored = 62 - v;
    const std::uint64_t before = all ^ behind, before_mirrored = all_mirrored ^ behind_mirrored;
    behind ^= kOne << v;
    behind_mirrored ^= kOne << mirrored;
    // The ends of the widest range of values around v that spares a set.
    const auto end = [&](std::uint64_t spared) { return v + lowest(spared >> v); };
    const auto lo = [&](std::uint64_t spared) {  // mirrored, so the first is the last
      return 63 - mirrored - lowest(spared >> mirrored);
    };
    const std::uint64_t right = sets[end(before)].below ^ sets[lo(before_mirrored)].below;
    const std::uint64_t left =
        sets[end(behind)].below_mirrored ^ sets[lo(behind_mirrored)].below_mirrored;
    const std::uint32_t next = i + lowest(~(right >> i));
    const std::uint32_t first = i + 1 - lowest(~(left >> (62 - i)));
    sup[i] = next - 1;
    inf[i] = first;
    sets[next].ended |= kOne << (62 - i);
    sets[first].begun |= kOne << i;
  }
  Range* const outer = outer_.data();
  std::uint64_t left = 0, right = 0;  // s < a with sup_[s] >= a; s > b with inf_[s] <= b
  for (std::uint32_t a = 0, b = n - 1; a < n; ++a, --b) {
    left &= ~sets[a].ended;
    const std::uint32_t lo = lowest(left), hi = lowest(right);
    outer[a].lo = lo == 63 ? a : 62 - lo;
    outer[b].hi = hi == 63 ? b : hi;
    left |= kOne << (62 - a);
    right = (right | kOne << b) & ~sets[b].begun;
  }
}

// ends_[i] (starts_[i]): where the longest interval that starts (ends) at i and
// is made of canonical generators ends (starts).
void TreeBuilder::find_brackets() {
  const auto n = static_cast<std::uint32_t>(sup_.size());
  ends_.resize(n);
  starts_.resize(n);
  std::uint32_t* const ends = ends_.data();
  std::uint32_t* const starts = starts_.data();
  const Range* const outer = outer_.data();
  const std::uint32_t* const sup = sup_.data();
  const std::uint32_t* const inf = inf_.data();
  // All bits set if [i, j] is an interval, none otherwise: a branch would be missed
  // every other time.
  const auto block_mask = [&](std::uint32_t i, std::uint32_t j) {
    return 0u - (std::uint32_t{j <= sup[i]} & std::uint32_t{inf[j] <= i});
  };
  std::iota(ends, ends + n, 0u);
  std::iota(starts, starts + n, 0u);
  ends[0] = n - 1;
  starts[n - 1] = 0;
  // Two walks in one loop, for each waits on memory it has just written.
  for (std::uint32_t left = 0, right = n - 1; right > 0; ++left, --right) {
    const std::uint32_t e = outer[right].lo, end = ends[right];
    const std::uint32_t s = outer[left].hi, start = starts[left];
    ends[e] = std::max(ends[e], end & block_mask(e, end));
    starts[s] = std::min(starts[s], start | ~block_mask(start, s));
  }
}

namespace {

// The node over all these nodes. The first two tell its kind: if they were
// neighbours in value too below a prime node, they would make an interval.
TreeNode parent_of(std::span<const std::uint32_t> ids, const TreeNode* nodes) {
  const TreeNode &first = nodes[ids[0]], &second = nodes[ids[1]], &last = nodes[ids.back()];
  TreeNode node{first.start, last.end, first.lo, 0, 0, static_cast<std::uint32_t>(ids.size()),
                NodeKind::kStraight};
  if (second.hi + 1 == first.lo) {
    node.kind = NodeKind::kInverted;
    node.lo = last.lo;
  } else if (first.hi + 1 != second.lo) {
    node.kind = NodeKind::kPrime;
    for (const std::uint32_t id : ids) node.lo = std::min(node.lo, nodes[id].lo);
  }
  node.hi = node.lo + node.words() - 1;
  return node;
}

}  // namespace

// Every position opens a bracket at itself and at starts_, and closes one at
// itself and at ends_. Matching brackets enclose strong intervals, each found at
// least once, inner ones first.
void TreeBuilder::match_brackets(Permutation perm) {
  const auto n = static_cast<std::uint32_t>(perm.size());
  balance_.assign(n, 0);
  stack_.resize(2 * perm.size());
  pending_.resize(n);
  if (nodes_.size() < 2 * perm.size()) {
    nodes_.resize(2 * perm.size());
    children_.resize(2 * perm.size());
    inner_.resize(perm.size());
  }
  // Local names: the compiler need not fear that writing to one changes another.
  std::int32_t* const balances = balance_.data();  // brackets opened less closed
  std::uint32_t* const waiting = pending_.data();  // nodes without a parent
  std::uint32_t* const open = stack_.data();       // first of these, by open bracket
  std::uint32_t* const children = children_.data();
  std::uint32_t* const inner = inner_.data();
  TreeNode* const nodes = nodes_.data();
  for (std::uint32_t i = 0; i < n; ++i) {
    ++balances[starts_[i]];
    --balances[ends_[i]];
  }
  std::uint32_t opened = 0, waits = 0, made = 0, linked = 0, inners = 0;
  for (std::uint32_t x = 0; x < n; ++x) {
    waiting[waits++] = made;
    nodes[made++] = {x, x + 1, perm[x], perm[x], 0, 0, NodeKind::kLeaf};
    // Brackets that open and close here enclose the word alone.
    std::int32_t balance = balances[x];
    for (; balance > 0; --balance) open[opened++] = waits - 1;
    for (; balance < 0; ++balance) {
      const std::uint32_t from = open[--opened];
      if (from == waits - 1) continue;  // found before
      TreeNode& node = nodes[made] = parent_of({waiting + from, waits - from}, nodes);
      node.first = linked;
      std::copy(waiting + from, waiting + waits, children + linked);
      linked += node.count;
      inner[inners++] = made;
      waiting[from] = made++;
      waits = from + 1;
    }
  }
  tree_ = {std::span(nodes_).first(made), std::span(children_).first(linked),
           std::span(inner_).first(inners)};
}

// ------------------------------------------------------------------ flat metrics

namespace {

// 3 Σ d² / (n (n² - 1)) with all sums exact up to n = 2^20 and beyond rounding after.
double spearman(Permutation perm) {
  const auto n = static_cast<double>(perm.size());
  double squares = 0.0;
  for (std::size_t i = 0; i < perm.size(); ++i) {
    const double d = static_cast<double>(perm[i]) - static_cast<double>(i);
    squares += d * d;
  }
  return 1.0 - 3.0 * squares / (n * (n * n - 1.0));
}

double hamming(Permutation perm) {
  std::size_t fixed = 0;
  for (std::size_t i = 0; i < perm.size(); ++i) fixed += perm[i] == i;
  return static_cast<double>(fixed) / static_cast<double>(perm.size());
}

// Breaks between maximal runs of +1 steps.
double fuzzy(Permutation perm) {
  std::size_t breaks = 0;
  for (std::size_t i = 1; i < perm.size(); ++i) breaks += perm[i] != perm[i - 1] + 1;
  return 1.0 - static_cast<double>(breaks) / static_cast<double>(perm.size() - 1);
}

}  // namespace

double FlatScorer::score(FlatMetric metric, Permutation perm) {
  if (perm.size() < 2) return static_cast<double>(perm.size());
  const auto n = static_cast<double>(perm.size());
  switch (metric) {
    case FlatMetric::kKendall:
      return 1.0 - static_cast<double>(inversions(perm)) / (n * (n - 1.0) / 2.0);
    case FlatMetric::kSpearman:
      return spearman(perm);
    case FlatMetric::kHamming:
      return hamming(perm);
    case FlatMetric::kUlam:
      return static_cast<double>(longest_increasing(perm) - 1) / (n - 1.0);
    case FlatMetric::kFuzzy:
      return fuzzy(perm);
    case FlatMetric::kSqrtKendall:
      return std::sqrt(score(FlatMetric::kKendall, perm));
  }
  return 0.0;
}

// Merge sort from the bottom up; short permutations are counted pair by pair.
std::uint64_t FlatScorer::inversions(Permutation perm) {
  const std::size_t n = perm.size();
  std::uint64_t found = 0;
  if (n <= 32) {
    for (std::size_t i = 1; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j) found += perm[j] > perm[i];
    return found;
  }
  values_.assign(perm.begin(), perm.end());
  buffer_.resize(n);
  for (std::size_t width = 1; width < n; width *= 2) {
    for (std::size_t start = 0; start < n; start += 2 * width) {
      const std::size_t middle = std::min(start + width, n), end = std::min(start + 2 * width, n);
      std::size_t a = start, b = middle;
      for (std::size_t out = start; out < end; ++out) {
        if (b == end || (a < middle && values_[a] < values_[b])) {
          buffer_[out] = values_[a++];
        } else {
          found += middle - a;
          buffer_[out] = values_[b++];
        }
      }
    }
    values_.swap(buffer_);
  }
  return found;
}

// Patience sorting: buffer_[l] is the lowest end of an increasing run of l + 1.
std::size_t FlatScorer::longest_increasing(Permutation perm) {
  buffer_.clear();
  for (const std::uint32_t value : perm) {
    const auto place = std::lower_bound(buffer_.begin(), buffer_.end(), value);
    if (place == buffer_.end())
      buffer_.push_back(value);
    else
      *place = value;
  }
  return buffer_.size();
}

}  // namespace tertium
