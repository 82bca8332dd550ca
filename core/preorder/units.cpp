// SPDX-License-Identifier: Apache-2.0
#include "preorder/units.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace tertium {

// Put a block after the others. A block whose hull meets that of an earlier one becomes
// one with it and all between, whose hull may meet others in turn.
void UnitFinder::push(Block block) {
  for (;;) {
    auto next = by_lo_.upper_bound(block.hi);  // starts behind the hull
    if (next == by_lo_.begin()) break;
    const std::uint32_t met = (--next)->second;
    if (blocks_[met].hi < block.lo) break;
    while (blocks_.size() > met) {
      const Block& last = blocks_.back();
      block.start = last.start;
      block.lo = std::min(block.lo, last.lo);
      block.hi = std::max(block.hi, last.hi);
      by_lo_.erase(last.lo);
      blocks_.pop_back();
    }
  }
  by_lo_.emplace(block.lo, static_cast<std::uint32_t>(blocks_.size()));
  blocks_.push_back(block);
}

std::span<const MinimalUnit> UnitFinder::find(std::uint32_t words,
                                              std::span<const std::uint32_t> source,
                                              std::span<const std::uint32_t> target) {
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  hulls_.assign(words, {0, 0, kNone, 0});
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] >= words) throw std::out_of_range("a link lies outside of its sentence");
    Block& hull = hulls_[source[i]];
    hull.lo = std::min(hull.lo, target[i]);
    hull.hi = std::max(hull.hi, target[i]);
  }
  blocks_.clear();
  by_lo_.clear();
  for (std::uint32_t word = 0; word < words; ++word)
    if (hulls_[word].lo != kNone) push({word, word + 1, hulls_[word].lo, hulls_[word].hi});

  units_.clear();
  std::uint32_t rank = 0;
  // The ranks by block replace the lowest targets, which are not needed any longer.
  for (const auto& [lo, block] : by_lo_) blocks_[block].lo = ++rank;
  std::uint32_t word = 0;
  for (const Block& block : blocks_) {
    for (; word < block.start; ++word) units_.push_back({word, word + 1, 0});
    units_.push_back({block.start, block.end, block.lo});
    word = block.end;
  }
  for (; word < words; ++word) units_.push_back({word, word + 1, 0});
  return units_;
}

}  // namespace tertium
