// SPDX-License-Identifier: Apache-2.0
// Levenshtein distance, bit-parallel (Myers 1999, block form of Hyyrö 2003).
//
// The pattern runs down the columns of the matrix, 64 rows a word; one text
// symbol costs ceil(m / 64) steps. States can be kept, so that texts which
// share a prefix share its work.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tertium {

class Levenshtein {
 public:
  using Symbols = std::span<const std::uint32_t>;

  struct Block {
    std::uint64_t plus, minus;  // vertical differences +1 and -1
  };

  // Symbols are numbers below `types`.
  void set_pattern(Symbols pattern, std::size_t types) {
    length_ = pattern.size();
    blocks_ = (length_ + 63) / 64;
    types_ = types;
    if (masks_.size() < blocks_ * types_) masks_.resize(blocks_ * types_);
    std::fill_n(masks_.begin(), blocks_ * types_, 0);
    for (std::size_t i = 0; i < length_; ++i)
      masks_[(i / 64) * types_ + pattern[i]] |= std::uint64_t{1} << (i % 64);
    last_bit_ = length_ == 0 ? 0 : std::uint64_t{1} << ((length_ - 1) % 64);
  }

  std::size_t blocks() const { return blocks_; }

  // Set the state before the first text symbol and return the distance to "".
  std::size_t start(Block* state) const {
    for (std::size_t b = 0; b < blocks_; ++b) state[b] = Block{~std::uint64_t{0}, 0};
    return length_;
  }

  // Read one text symbol: update the state and return the new distance.
  std::size_t step(Block* state, std::uint32_t symbol, std::size_t distance) const {
    // The row above the matrix counts up: a horizontal +1 enters the first block.
    std::uint64_t carry_plus = 1, carry_minus = 0;
    for (std::size_t b = 0; b < blocks_; ++b) {
      const std::uint64_t mask = masks_[b * types_ + symbol];
      const std::uint64_t plus = state[b].plus, minus = state[b].minus;
      const std::uint64_t vertical = mask | minus;
      const std::uint64_t match = mask | carry_minus;
      const std::uint64_t diagonal = (((match & plus) + plus) ^ plus) | match;
      std::uint64_t horizontal_plus = minus | ~(diagonal | plus);
      std::uint64_t horizontal_minus = plus & diagonal;
      if (b + 1 == blocks_) {
        distance += (horizontal_plus & last_bit_) != 0;
        distance -= (horizontal_minus & last_bit_) != 0;
      }
      const std::uint64_t out_plus = horizontal_plus >> 63;
      const std::uint64_t out_minus = horizontal_minus >> 63;
      horizontal_plus = (horizontal_plus << 1) | carry_plus;
      horizontal_minus = (horizontal_minus << 1) | carry_minus;
      state[b].plus = horizontal_minus | ~(vertical | horizontal_plus);
      state[b].minus = horizontal_plus & vertical;
      carry_plus = out_plus;
      carry_minus = out_minus;
    }
    return distance;
  }

  std::size_t distance(Symbols text) {
    if (length_ == 0) return text.size();
    state_.resize(blocks_);
    std::size_t d = start(state_.data());
    for (const std::uint32_t symbol : text) d = step(state_.data(), symbol, d);
    return d;
  }

 private:
  std::size_t length_ = 0, blocks_ = 0, types_ = 0;
  std::uint64_t last_bit_ = 0;
  std::vector<std::uint64_t> masks_;
  std::vector<Block> state_;
};

}  // namespace tertium
