// SPDX-License-Identifier: Apache-2.0
#include "trees/derp_paths.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace tertium {

namespace {
constexpr std::size_t kTableCells = std::size_t{1} << 22;  // 16 MB a thread
// Beyond these a pair takes minutes (two chains of 5,160 words 90 s) or half a GB.
constexpr std::size_t kMostCells = std::size_t{1} << 35;
constexpr std::size_t kMostKept = std::size_t{1} << 27;
constexpr std::uint32_t kNone = ~std::uint32_t{0};
}  // namespace

bool RootedTree::set(std::span<const std::uint32_t> heads,
                     std::span<const std::uint32_t> labels) {
  const std::size_t n = heads.size();
  heads_.assign(1, 0);
  heads_.insert(heads_.end(), heads.begin(), heads.end());
  labels_.assign(1, 0);
  labels_.insert(labels_.end(), labels.begin(), labels.end());
  depth_.assign(n + 1, 0);
  above_.assign(n + 1, 0);
  meet_.assign(n + 1, 0);
  order_.clear();
  for (std::uint32_t v = 1; v <= n; ++v) {
    walk_.clear();
    std::uint32_t u = v;
    for (; u != 0 && depth_[u] == 0; u = heads_[u]) {
      if (walk_.size() == n) return false;
      walk_.push_back(u);
    }
    std::uint32_t depth = depth_[u];
    for (auto it = walk_.rbegin(); it != walk_.rend(); ++it) {
      depth_[*it] = ++depth;
      order_.push_back(*it);
    }
  }
  return true;
}

void RootedTree::climb(std::uint32_t word, std::vector<std::uint32_t>& out) const {
  out.clear();
  for (std::uint32_t u = word + 1; u != 0; u = heads_[u]) out.push_back(labels_[u]);
}

void RootedTree::from(std::uint32_t word) {
  for (std::uint32_t u = word + 1; u != 0; u = heads_[u]) above_[u] = 1;
  for (const std::uint32_t u : order_) {  // both are read: no branch to predict
    const std::uint32_t own = depth_[u], inherited = meet_[heads_[u]];
    meet_[u] = above_[u] ? own : inherited;
  }
  for (std::uint32_t u = word + 1; u != 0; u = heads_[u]) above_[u] = 0;
}

void TreePaths::set(std::span<const Link> links) {
  links_ = links;
  ends_.clear();
  std::size_t cells = 0;
  for (const Link& link : links) {
    ends_.push_back({hyp.depth(link.hyp), ref.depth(link.ref), cells});
    const std::size_t rows = std::size_t{1} + ends_.back().hyp_depth;
    const std::size_t columns = std::size_t{1} + ends_.back().ref_depth;
    cells += rows * columns;
  }
  const std::size_t climbs = links.size() * links.size();
  tables_fit_ = cells <= kTableCells || cells <= climbs;
  if (cells > kMostCells || std::min(cells, climbs) > kMostKept)
    throw std::invalid_argument(
        "trees with " + std::to_string(links.size()) +
        " links are too deep to compare (at most 2^35 pairs of labels above linked words, "
        "and 2^27 where links are more than 11,585); flatten the trees (flat=yes), or split "
        "the text");
  if (!tables_fit_) {
    if (climbs_.size() < climbs) climbs_.resize(climbs);
    for (std::size_t i = 0; i < links.size(); ++i) fill_climbs(i);
    return;
  }
  if (table_.size() < cells) table_.resize(cells);
  for (std::size_t i = 0; i < links.size(); ++i) fill(i);
}

void TreePaths::fill(std::size_t i) {
  hyp.climb(links_[i].hyp, up_hyp_);
  ref.climb(links_[i].ref, up_ref_);
  const std::size_t width = up_ref_.size() + 1;
  std::uint32_t* row = table_.data() + ends_[i].table;
  for (std::size_t b = 0; b < width; ++b) row[b] = static_cast<std::uint32_t>(b);
  for (const std::uint32_t label : up_hyp_) {
    pace_.spend(2 * width);
    const std::uint32_t* above = row;
    row += width;
    row[0] = above[0] + 1;
    for (std::size_t b = 1; b < width; ++b)
      row[b] = std::min(above[b - 1] + (label != up_ref_[b - 1]),
                        std::min(above[b], row[b - 1]) + 1);
  }
}

void TreePaths::fill_climbs(std::size_t i) {
  from(i);
  hyp.climb(links_[i].hyp, up_hyp_);
  ref.climb(links_[i].ref, up_ref_);
  // Links in lists by the row that holds their distance: the labels climbed in hyp.
  first_.assign(up_hyp_.size() + 1, kNone);
  next_.resize(links_.size());
  for (std::uint32_t j = 0; j < links_.size(); ++j) {
    std::uint32_t& first = first_[ends_[i].hyp_depth - hyp.meeting_depth(links_[j].hyp)];
    next_[j] = first;
    first = j;
  }
  std::uint32_t* const climbs = climbs_.data() + i * links_.size();
  const auto keep = [&](std::size_t climbed) {
    for (std::uint32_t j = first_[climbed]; j != kNone; j = next_[j])
      climbs[j] = row_[ends_[i].ref_depth - ref.meeting_depth(links_[j].ref)];
  };
  const std::size_t width = up_ref_.size() + 1;
  row_.resize(width);
  for (std::size_t b = 0; b < width; ++b) row_[b] = static_cast<std::uint32_t>(b);
  keep(0);
  for (std::size_t a = 0; a < up_hyp_.size(); ++a) {
    pace_.spend(2 * width);
    std::uint32_t diagonal = row_[0]++, left = row_[0];
    for (std::size_t b = 1; b < width; ++b) {
      const std::uint32_t above = row_[b];
      left = std::min(diagonal + (up_hyp_[a] != up_ref_[b - 1]), std::min(above, left) + 1);
      row_[b] = left;
      diagonal = above;
    }
    keep(a + 1);
  }
}

}  // namespace tertium
