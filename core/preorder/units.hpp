// SPDX-License-Identifier: Apache-2.0
// Minimal units: the smallest parts of a sentence that move as a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace tertium {

// Words [start, end). The rank among aligned units counts from 1; 0 is an unaligned word.
struct MinimalUnit {
  std::uint32_t start, end, rank;
};

// Finds the finest segmentation whose units have disjoint target hulls: the longest
// minimal phrase pairs (Stanojević 2017, section 3.3). Unaligned words within a unit
// belong to it, the others are units by themselves. Keeps its scratch memory.
class UnitFinder {
 public:
  // Links are the words source[i] and target[i]. O(l + n log n) for l links; throws
  // std::out_of_range for a link outside of the n words. Units live until the next call.
  std::span<const MinimalUnit> find(std::uint32_t words, std::span<const std::uint32_t> source,
                                    std::span<const std::uint32_t> target);

 private:
  struct Block {
    std::uint32_t start, end, lo, hi;
  };

  void push(Block block);

  std::vector<Block> hulls_, blocks_;
  std::map<std::uint32_t, std::uint32_t> by_lo_;  // the block of each lowest target
  std::vector<MinimalUnit> units_;
};

}  // namespace tertium
