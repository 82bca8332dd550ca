// SPDX-License-Identifier: Apache-2.0
#include "trees/unit_tree_edit.hpp"

#include <algorithm>

#include "base/lanes.hpp"

namespace tertium {

namespace {

// Columns are numbered, and savings counted, in 16 bits.
constexpr double kMostColumns = 1 << 12;  // also bounds what a tree keeps: 100 kB
constexpr std::size_t kMostNodes = 1 << 14;
constexpr std::size_t kMostCells = 1 << 23;  // 16 MB

std::int16_t low_half(std::uint32_t label) { return static_cast<std::int16_t>(label & 0xFFFF); }
std::int16_t high_half(std::uint32_t label) { return static_cast<std::int16_t>(label >> 16); }

std::size_t rounded(std::size_t n) { return (n + kLanes - 1) / kLanes * kLanes; }

}  // namespace

void UnitOrder::assign(const Postorder& postorder, std::span<const std::uint32_t> node_labels) {
  order = &postorder;
  labels.clear();
  for (const std::uint32_t node : postorder.node) labels.push_back(node_labels[node]);
  width = spare = 0;
  if (postorder.work + 9.0 * static_cast<double>(postorder.keys.size()) > kMostColumns ||
      labels.size() > kMostNodes)
    return;
  for (const KeyRange key : postorder.keys) width += rounded(key.last - key.first + 2);
  spare = rounded(postorder.leaves.size());
  const std::size_t columns = width + spare;
  low.assign(columns, 0);
  high.assign(columns, 0);
  whole.assign(width, 0);
  inside.assign(width, -1);
  start.assign(width, 0);
  home.assign(width, 0);
  // Where a subtree is compared as such: in the range that has the same first place.
  std::vector<std::uint16_t> homes(labels.size(), 0);
  for (std::size_t k = 0; k < postorder.leaves.size(); ++k) {
    const std::uint32_t leaf = postorder.leaves[k];
    homes[leaf] = static_cast<std::uint16_t>(width + k);
    low[width + k] = low_half(labels[leaf]);
    high[width + k] = high_half(labels[leaf]);
  }
  std::size_t begin = 0;
  for (const KeyRange key : postorder.keys) {
    std::fill_n(inside.begin() + static_cast<std::ptrdiff_t>(begin), kLanes, 0);
    const std::size_t length = rounded(key.last - key.first + 2);
    std::fill_n(start.begin() + static_cast<std::ptrdiff_t>(begin), length,
                static_cast<std::uint16_t>(begin));
    for (std::uint32_t j = key.first; j <= key.last; ++j) {
      const std::size_t column = begin + 1 + j - key.first;
      low[column] = low_half(labels[j]);
      high[column] = high_half(labels[j]);
      start[column] = static_cast<std::uint16_t>(begin + postorder.first[j] - key.first);
      if (postorder.first[j] == key.first) {
        whole[column] = -1;
        homes[j] = static_cast<std::uint16_t>(column);
      } else {
        home[column] = homes[j];
      }
    }
    begin += length;
  }
}

std::int32_t UnitTreeEdit::distance(const UnitOrder& a, const UnitOrder& b) {
  const std::size_t n = a.labels.size(), m = b.labels.size();
  if (n == 0 || m == 0) return static_cast<std::int32_t>(n + m);
  const std::size_t columns = b.width + b.spare;
  if (b.width == 0 || n > kMostNodes || (n + 1) * columns > kMostCells)
    return large_.distance(*a.order, *b.order, {a.labels.data(), b.labels.data()});
  if (trees_.size() < n * columns) trees_.resize(n * columns);
  if (forest_.size() < 1 + (n + 1) * b.width) forest_.resize(1 + (n + 1) * b.width);
  std::fill_n(forest_.begin(), 1 + b.width, 0);
  for (const std::uint32_t leaf : a.order->leaves) fill(a, b, {leaf, leaf});
  for (const KeyRange key : a.order->keys) fill(a, b, key);
  return static_cast<std::int32_t>(n + m) - forest_[(n + 1) * b.width];
}

void UnitTreeEdit::fill(const UnitOrder& a, const UnitOrder& b, KeyRange key) {
  const std::size_t width = b.width;
  std::int16_t* const rows = forest_.data() + 1;  // one may be read before the first
  for (std::size_t i = key.first; i <= key.last; ++i) {
    const std::int16_t* const above = rows + (i - key.first) * width;
    std::int16_t* const row = rows + (i - key.first + 1) * width;
    pace_.spend(width);
    if (a.order->first[i] == key.first) {
      fill_path(a, b, i, above, row);
      continue;
    }
    const std::int16_t* const tree = trees_.data() + i * (width + b.spare);
    const std::int16_t* const before = rows + (a.order->first[i] - key.first) * width;
    Lanes carry = Lanes::all(0);
    for (std::size_t c = 0; c < width; c += kLanes) {
      const Lanes through = Lanes::gather(before, b.start.data() + c) + Lanes::load(tree + c);
      const Lanes best = max(Lanes::load(above + c), through).prefix_max();
      carry = carry & Lanes::load(b.inside.data() + c);
      max(best, carry).store(row + c);
      carry = max(carry, best.last());
    }
  }
}

// A row whose prefix of a is a tree; every node of a has one such row. Nothing of a
// precedes the tree, so a column holds what two subtrees save: by pairing their
// roots where the prefix of b is a tree too, otherwise as found at its home, which is
// in an earlier range.
void UnitTreeEdit::fill_path(const UnitOrder& a, const UnitOrder& b, std::size_t i,
                             const std::int16_t* above, std::int16_t* row) {
  const std::size_t width = b.width, columns = width + b.spare;
  std::int16_t* const tree = trees_.data() + i * columns;
  const Lanes low = Lanes::all(low_half(a.labels[i])), high = Lanes::all(high_half(a.labels[i]));
  const Lanes one = Lanes::all(1);
  const auto paired = [&](std::size_t c) {  // 1, or 2 for equal labels
    return one - (equal(low, Lanes::load(b.low.data() + c)) &
                  equal(high, Lanes::load(b.high.data() + c)));
  };
  // A single node can be paired with any node of the subtree.
  for (std::size_t c = width; c < columns; c += kLanes) {
    Lanes best = paired(c);
    for (std::size_t child = i; child > a.order->first[i]; child = a.order->first[child - 1])
      best = max(best, Lanes::load(trees_.data() + (child - 1) * columns + c));
    best.store(tree + c);
  }
  tree[0] = 0;  // the home of columns without nodes
  Lanes carry = Lanes::all(0);
  for (std::size_t c = 0; c < width; c += kLanes) {
    const Lanes whole = Lanes::load(b.whole.data() + c);
    const Lanes known = without(whole, Lanes::gather(tree, b.home.data() + c));
    const Lanes corner = Lanes::load(above + c - 1);  // the first is before no tree
    const Lanes through = known | (whole & (corner + paired(c)));
    const Lanes best = max(Lanes::load(above + c), through).prefix_max();
    carry = carry & Lanes::load(b.inside.data() + c);
    const Lanes saved = max(best, carry);
    saved.store(row + c);
    (known | (whole & saved)).store(tree + c);
    carry = max(carry, best.last());
  }
}

}  // namespace tertium
