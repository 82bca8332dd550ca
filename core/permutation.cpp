// SPDX-License-Identifier: Apache-2.0
#include "permutation.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tertium {

namespace {
constexpr std::uint32_t kNone = UINT32_MAX;
}  // namespace

// ------------------------------------------------------------------------- trees
//
// After Bergeron, Chauve, de Montgolfier and Raffinot (2008): the strong intervals
// are found as matching brackets over the positions. An interval is a stretch of
// positions whose values are contiguous.

const FlatTree& TreeBuilder::build(Permutation perm) {
  tree_.nodes.clear();
  tree_.children.clear();
  if (perm.empty()) return tree_;
  const std::size_t n = perm.size();
  position_.resize(n);
  for (std::uint32_t i = 0; i < n; ++i) position_[perm[i]] = i;
  sup_.resize(n);
  inf_.resize(n);
  outer_.resize(n);
  if (n <= 64) {
    find_reaches_short(perm);
  } else {
    find_ranges(perm);
    find_reaches(perm);
    find_outer();
  }
  find_brackets();
  match_brackets(perm);
  return tree_;
}

// right_[i]: the widest range of values around perm[i] that all stand at i or
// behind it; left_[i]: at i or before it. Over the positions by value these are
// the nearest smaller (greater) neighbours, found with a stack that only grows
// (falls).
void TreeBuilder::find_ranges(Permutation perm) {
  const auto n = static_cast<std::uint32_t>(perm.size());
  right_.resize(n);
  left_.resize(n);
  stack_.resize(n);
  pending_.resize(n);
  std::uint32_t* const low = stack_.data();     // values at growing positions
  std::uint32_t* const high = pending_.data();  // values at falling positions
  std::size_t lows = 0, highs = 0;
  for (std::uint32_t value = 0; value < n; ++value) {
    const std::uint32_t at = position_[value];
    while (lows > 0 && position_[low[lows - 1]] > at) right_[position_[low[--lows]]].hi = value - 1;
    right_[at].lo = lows > 0 ? low[lows - 1] + 1 : 0;
    low[lows++] = value;
    while (highs > 0 && position_[high[highs - 1]] < at)
      left_[position_[high[--highs]]].hi = value - 1;
    left_[at].lo = highs > 0 ? high[highs - 1] + 1 : 0;
    high[highs++] = value;
  }
  while (lows > 0) right_[position_[low[--lows]]].hi = n - 1;
  while (highs > 0) left_[position_[high[--highs]]].hi = n - 1;
}

// sup_[i]: the last position up to which all values lie in right_[i]; inf_[j] the
// same leftwards. [i, j] is an interval iff j <= sup_[i] and inf_[j] <= i. Every
// position is jumped over once, so the loops are linear.
void TreeBuilder::find_reaches(Permutation perm) {
  const auto n = static_cast<std::uint32_t>(perm.size());
  for (std::uint32_t i = n; i-- > 0;) {
    std::uint32_t j = i + 1;
    while (j < n && right_[i].lo <= perm[j] && perm[j] <= right_[i].hi) j = sup_[j] + 1;
    sup_[i] = j - 1;
  }
  for (std::uint32_t j = 0; j < n; ++j) {
    std::uint32_t i = j;  // one behind the position looked at
    while (i > 0 && left_[j].lo <= perm[i - 1] && perm[i - 1] <= left_[j].hi) i = inf_[i - 1];
    inf_[j] = i;
  }
}

// outer_[k].lo: the largest s < k with sup_[s] >= k; .hi: the smallest s > k with
// inf_[s] <= k; kNone where there is none.
void TreeBuilder::find_outer() {
  const auto n = static_cast<std::uint32_t>(sup_.size());
  std::size_t depth = 0;
  for (std::uint32_t k = 0; k < n; ++k) {
    while (depth > 0 && sup_[stack_[depth - 1]] < k) --depth;
    outer_[k].lo = depth > 0 ? stack_[depth - 1] : kNone;
    stack_[depth++] = k;
  }
  depth = 0;
  for (std::uint32_t k = n; k-- > 0;) {
    while (depth > 0 && inf_[stack_[depth - 1]] > k) --depth;
    outer_[k].hi = depth > 0 ? stack_[depth - 1] : kNone;
    stack_[depth++] = k;
  }
}

// All of the above for up to 64 words, with sets of values and positions as bits
// of a number: no loop inside, so no branch that cannot be foreseen.
void TreeBuilder::find_reaches_short(Permutation perm) {
  const auto n = static_cast<std::uint32_t>(perm.size());
  const std::uint64_t all = ~std::uint64_t{0} >> (64 - n);
  std::uint64_t below[65];           // positions of lower values
  std::uint64_t ended[65] = {}, begun[65] = {};
  below[0] = 0;
  for (std::uint32_t v = 0; v < n; ++v) below[v + 1] = below[v] | std::uint64_t{1} << position_[v];
  // Positions of the widest range of values around v that spares a set of values.
  const auto around = [&](std::uint32_t v, std::uint64_t spared) {
    const std::uint64_t lower = (std::uint64_t{1} << v) - 1;
    const auto lo = static_cast<std::uint32_t>(std::bit_width(spared & lower));
    const auto end = static_cast<std::uint32_t>(std::countr_zero(spared & ~lower));
    return below[std::min(end, n)] ^ below[lo];
  };
  std::uint64_t before = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint64_t own = std::uint64_t{1} << perm[i];
    const std::uint64_t right = around(perm[i], before);
    const std::uint64_t left = around(perm[i], all & ~(before | own));
    sup_[i] = i + static_cast<std::uint32_t>(std::countr_one(right >> i)) - 1;
    inf_[i] = i - static_cast<std::uint32_t>(std::countl_one(left << (63 - i))) + 1;
    ended[sup_[i] + 1] |= std::uint64_t{1} << i;
    begun[inf_[i]] |= std::uint64_t{1} << i;
    before |= own;
  }
  std::uint64_t open = 0;  // s < k with sup_[s] >= k
  for (std::uint32_t k = 0; k < n; ++k) {
    open &= ~ended[k];
    outer_[k].lo = static_cast<std::uint32_t>(std::bit_width(open)) - 1;  // kNone if empty
    open |= std::uint64_t{1} << k;
  }
  open = 0;  // s > k with inf_[s] <= k
  for (std::uint32_t k = n; k-- > 0;) {
    outer_[k].hi = open ? static_cast<std::uint32_t>(std::countr_zero(open)) : kNone;
    open = (open | std::uint64_t{1} << k) & ~begun[k];
  }
}

// ends_[i] (starts_[i]): where the longest interval that starts (ends) at i and
// is made of canonical generators ends (starts).
void TreeBuilder::find_brackets() {
  const auto n = static_cast<std::uint32_t>(sup_.size());
  ends_.resize(n);
  starts_.resize(n);
  for (std::uint32_t k = 0; k < n; ++k) ends_[k] = starts_[k] = k;
  ends_[0] = n - 1;
  for (std::uint32_t k = n - 1; k > 0; --k) {
    const std::uint32_t s = outer_[k].lo;
    if (s != kNone && is_block(s, ends_[k])) ends_[s] = std::max(ends_[s], ends_[k]);
  }
  starts_[n - 1] = 0;
  for (std::uint32_t k = 0; k + 1 < n; ++k) {
    const std::uint32_t s = outer_[k].hi;
    if (s != kNone && is_block(starts_[k], s)) starts_[s] = std::min(starts_[s], starts_[k]);
  }
}

// Every position opens a bracket at itself and at starts_, and closes one at
// itself and at ends_. Matching brackets enclose strong intervals, each found at
// least once, inner ones first.
void TreeBuilder::match_brackets(Permutation perm) {
  const auto n = static_cast<std::uint32_t>(perm.size());
  opens_.assign(n, 1);
  closes_.assign(n, 1);
  for (std::uint32_t i = 0; i < n; ++i) {
    ++opens_[starts_[i]];
    ++closes_[ends_[i]];
  }
  tree_.nodes.reserve(2 * perm.size());
  tree_.children.reserve(2 * perm.size());
  stack_.resize(2 * perm.size());  // positions of open brackets
  pending_.clear();                // nodes without a parent
  std::size_t depth = 0;
  for (std::uint32_t x = 0; x < n; ++x) {
    pending_.push_back(static_cast<std::uint32_t>(tree_.nodes.size()));
    tree_.nodes.push_back({x, x + 1, perm[x], perm[x], 0, 0, NodeKind::kLeaf});
    // Brackets that open and close here enclose the word alone.
    for (std::uint32_t open = closes_[x]; open < opens_[x]; ++open) stack_[depth++] = x;
    std::uint32_t last = x;
    for (std::uint32_t close = opens_[x]; close < closes_[x]; ++close) {
      const std::uint32_t start = stack_[--depth];
      if (start == last) continue;
      last = start;
      add_node(start, x + 1);
    }
  }
}

void TreeBuilder::add_node(std::uint32_t start, std::uint32_t end) {
  std::size_t from = pending_.size();
  while (from > 0 && tree_.nodes[pending_[from - 1]].start >= start) --from;
  TreeNode node{start, end, UINT32_MAX, 0, static_cast<std::uint32_t>(tree_.children.size()),
                static_cast<std::uint32_t>(pending_.size() - from), NodeKind::kPrime};
  bool rises = true, falls = true;
  std::uint32_t before = tree_.nodes[pending_[from]].lo;
  for (std::size_t i = from; i < pending_.size(); ++i) {
    const TreeNode& child = tree_.nodes[pending_[i]];
    tree_.children.push_back(pending_[i]);
    node.lo = std::min(node.lo, child.lo);
    node.hi = std::max(node.hi, child.hi);
    rises = rises && child.lo >= before;
    falls = falls && child.lo <= before;
    before = child.lo;
  }
  if (rises) node.kind = NodeKind::kStraight;
  if (falls) node.kind = NodeKind::kInverted;
  pending_.resize(from);
  pending_.push_back(static_cast<std::uint32_t>(tree_.nodes.size()));
  tree_.nodes.push_back(node);
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
