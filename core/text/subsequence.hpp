// SPDX-License-Identifier: Apache-2.0
// The longest common subsequence, bit-parallel (Hyyrö 2004): 64 symbols of the pattern
// per step.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/pace.hpp"

namespace tertium {

class Subsequence {
 public:
  using Symbols = std::span<const std::uint32_t>;

  // Symbols are numbers below `types`.
  void set_pattern(Symbols pattern, std::size_t types) {
    length_ = pattern.size();
    types_ = types;
    blocks_ = (length_ + 63) / 64;
    // Masks of a long pattern over many symbols would need too much memory: then a block
    // makes its own.
    kept_ = blocks_ <= kMostMasks / std::max<std::size_t>(types, 1);
    if (!kept_) {
      pattern_.assign(pattern.begin(), pattern.end());
      return;
    }
    masks_.assign(blocks_ * types_, 0);
    for (std::size_t i = 0; i < length_; ++i)
      masks_[(i / 64) * types_ + pattern[i]] |= std::uint64_t{1} << (i % 64);
  }

  // The length of the longest subsequence that a text shares with the pattern.
  std::size_t length(Symbols text) {
    std::size_t common = 0;
    carries_.assign(text.size(), 0);
    for (std::size_t b = 0; b < blocks_; ++b) {
      const std::uint64_t* masks = block_masks(b);
      std::uint64_t row = ~std::uint64_t{0};
      for (std::size_t t = 0; t < text.size(); ++t) {
        const std::uint64_t hits = row & masks[text[t]];
        const std::uint64_t sum = row + hits;
        const std::uint64_t whole = sum + carries_[t];
        carries_[t] = static_cast<std::uint8_t>((sum < row) | (whole < sum));
        row = whole | (row & ~masks[text[t]]);
      }
      pace_.spend(2 * text.size());
      const std::size_t used = std::min<std::size_t>(64, length_ - 64 * b);
      const std::uint64_t rest = used == 64 ? 0 : ~std::uint64_t{0} << used;
      common += static_cast<std::size_t>(std::popcount(~(row | rest)));
    }
    return common;
  }

 private:
  static constexpr std::size_t kMostMasks = std::size_t{1} << 22;  // 32 MB

  const std::uint64_t* block_masks(std::size_t b) {
    if (kept_) return &masks_[b * types_];
    masks_.assign(types_, 0);
    for (std::size_t i = 64 * b; i < std::min(length_, 64 * b + 64); ++i)
      masks_[pattern_[i]] |= std::uint64_t{1} << (i % 64);
    return masks_.data();
  }

  std::size_t length_ = 0, types_ = 0, blocks_ = 0;
  bool kept_ = true;
  std::vector<std::uint32_t> pattern_;  // if masks are not kept
  std::vector<std::uint64_t> masks_;
  std::vector<std::uint8_t> carries_;
  Pace pace_;
};

}  // namespace tertium
