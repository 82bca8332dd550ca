// SPDX-License-Identifier: Apache-2.0
// Levenshtein distance, bit-parallel (Myers 1999, block form of Hyyrö 2003).
//
// The pattern runs down the columns of the matrix, 64 rows per machine word; one text
// symbol costs ceil(m / 64) steps. States can be kept, so that texts which
// share a prefix share its work. The masks of a long pattern would need memory for
// blocks times symbols: then one block after the other reads the whole text.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/pace.hpp"

namespace tertium {

class Levenshtein {
 public:
  using Symbols = std::span<const std::uint32_t>;

  struct Block {
    std::uint64_t plus, minus;  // vertical differences +1 and -1
  };

  // Whether the masks of all blocks are few enough to be kept, as step() needs them.
  static bool keeps_masks(std::size_t length, std::size_t types) {
    return blocks_of(length) <= kMostMasks / std::max<std::size_t>(types, 1);
  }

  // Symbols are numbers below `types`.
  void set_pattern(Symbols pattern, std::size_t types) {
    length_ = pattern.size();
    blocks_ = blocks_of(length_);
    types_ = types;
    last_bit_ = length_ == 0 ? 0 : std::uint64_t{1} << ((length_ - 1) % 64);
    pattern_.clear();
    if (!keeps_masks(length_, types_)) {
      pattern_.assign(pattern.begin(), pattern.end());
      return;
    }
    if (masks_.size() < blocks_ * types_) masks_.resize(blocks_ * types_);
    std::fill_n(masks_.begin(), blocks_ * types_, 0);
    for (std::size_t i = 0; i < length_; ++i)
      masks_[(i / 64) * types_ + pattern[i]] |= std::uint64_t{1} << (i % 64);
  }

  std::size_t blocks() const { return blocks_; }

  // Set the state before the first text symbol and return the distance to "".
  std::size_t start(Block* state) const {
    for (std::size_t b = 0; b < blocks_; ++b) state[b] = kStart;
    return length_;
  }

  // Read one text symbol: update the state and return the new distance. The pattern
  // must not be empty.
  std::size_t step(Block* state, std::uint32_t symbol, std::size_t distance) const {
    Carry carry;
    const std::size_t last = blocks_ - 1;
    for (std::size_t b = 0; b < last; ++b) advance(state[b], masks_[b * types_ + symbol], carry);
    return advance(state[last], masks_[last * types_ + symbol], carry).added(distance, last_bit_);
  }

  std::size_t distance(Symbols text) {
    if (length_ == 0) return text.size();
    if (!pattern_.empty()) return distance_by_block(text);
    state_.resize(blocks_);
    std::size_t d = start(state_.data());
    for (; !text.empty(); text = text.subspan(std::min(kAtOnce, text.size()))) {
      const Symbols part = text.first(std::min(kAtOnce, text.size()));
      for (const std::uint32_t symbol : part) d = step(state_.data(), symbol, d);
      pace_.spend(2 * blocks_ * part.size());
    }
    return d;
  }

 private:
  static constexpr std::size_t kMostMasks = std::size_t{1} << 22;  // 32 MB
  static constexpr std::size_t kAtOnce = 1024;  // symbols, before a look for Ctrl-C
  static constexpr Block kStart{~std::uint64_t{0}, 0};

  // The horizontal differences of one column in a block.
  struct Differences {
    std::uint64_t plus, minus;
    // Those of the pattern's last symbol add up to the distance.
    std::size_t added(std::size_t distance, std::uint64_t last_bit) const {
      return distance + ((plus & last_bit) != 0) - ((minus & last_bit) != 0);
    }
  };

  // Horizontal differences at the upper edge of a block. The row above the matrix
  // counts up: a +1 enters the first block.
  struct Carry {
    std::uint64_t plus = 1, minus = 0;
  };

  static std::size_t blocks_of(std::size_t length) { return length / 64 + (length % 64 != 0); }

  // One block reads one symbol.
  static Differences advance(Block& block, std::uint64_t mask, Carry& carry) {
    const std::uint64_t plus = block.plus, minus = block.minus;
    const std::uint64_t vertical = mask | minus;
    const std::uint64_t match = mask | carry.minus;
    const std::uint64_t diagonal = (((match & plus) + plus) ^ plus) | match;
    const Differences found{minus | ~(diagonal | plus), plus & diagonal};
    const std::uint64_t horizontal_plus = (found.plus << 1) | carry.plus;
    const std::uint64_t horizontal_minus = (found.minus << 1) | carry.minus;
    block.plus = horizontal_minus | ~(vertical | horizontal_plus);
    block.minus = horizontal_plus & vertical;
    carry = {found.plus >> 63, found.minus >> 63};
    return found;
  }

  // The same, with memory for the symbols and the text alone.
  std::size_t distance_by_block(Symbols text) {
    masks_.assign(types_, 0);
    carries_.assign(text.size(), Edge{1, 0});
    std::size_t d = length_;
    for (std::size_t b = 0; b < blocks_; ++b) {
      const Symbols part = Symbols(pattern_).subspan(64 * b, std::min<std::size_t>(64, length_ - 64 * b));
      for (std::size_t i = 0; i < part.size(); ++i) masks_[part[i]] |= std::uint64_t{1} << i;
      const std::uint64_t last = b + 1 == blocks_ ? last_bit_ : 0;
      Block block = kStart;
      for (std::size_t t = 0; t < text.size(); ++t) {
        Carry carry{carries_[t].plus, carries_[t].minus};
        d = advance(block, masks_[text[t]], carry).added(d, last);
        carries_[t] = Edge{static_cast<std::uint8_t>(carry.plus), static_cast<std::uint8_t>(carry.minus)};
      }
      pace_.spend(4 * text.size());
      for (const std::uint32_t symbol : part) masks_[symbol] = 0;
    }
    return d;
  }

  struct Edge {
    std::uint8_t plus, minus;
  };

  std::size_t length_ = 0, blocks_ = 0, types_ = 0;
  std::uint64_t last_bit_ = 0;
  std::vector<std::uint32_t> pattern_;  // if its masks are not kept
  std::vector<std::uint64_t> masks_;
  std::vector<Block> state_;
  std::vector<Edge> carries_;
  Pace pace_;
};

}  // namespace tertium
