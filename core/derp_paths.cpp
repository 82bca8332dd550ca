// SPDX-License-Identifier: Apache-2.0
#include "derp_paths.hpp"

#include <algorithm>

namespace tertium {

namespace {
constexpr std::size_t kTableCells = std::size_t{1} << 22;  // 16 MB a thread
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
  tables_fit_ = cells <= kTableCells;
  if (!tables_fit_) return;
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
    const std::uint32_t* above = row;
    row += width;
    row[0] = above[0] + 1;
    for (std::size_t b = 1; b < width; ++b)
      row[b] = std::min(above[b - 1] + (label != up_ref_[b - 1]),
                        std::min(above[b], row[b - 1]) + 1);
  }
}

std::uint64_t TreePaths::compare(std::size_t link, std::uint32_t hyp_length,
                                 std::uint32_t ref_length) {
  hyp.climb(links_[link].hyp, up_hyp_);
  ref.climb(links_[link].ref, up_ref_);
  up_hyp_.resize(hyp_length);
  up_ref_.resize(ref_length);
  names_ = up_hyp_;  // labels as small numbers, for the masks of the bit-parallel search
  names_.insert(names_.end(), up_ref_.begin(), up_ref_.end());
  std::sort(names_.begin(), names_.end());
  names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
  for (auto* labels : {&up_hyp_, &up_ref_})
    for (std::uint32_t& label : *labels)
      label = static_cast<std::uint32_t>(
          std::lower_bound(names_.begin(), names_.end(), label) - names_.begin());
  levenshtein_.set_pattern(up_hyp_, names_.size());
  return levenshtein_.distance(up_ref_);
}

}  // namespace tertium
