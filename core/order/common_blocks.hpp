// SPDX-License-Identifier: Apache-2.0
// A one-to-one alignment of equal words: the longest common blocks first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/pace.hpp"

namespace tertium {

class CommonBlocks {
 public:
  using Words = std::span<const std::uint32_t>;

  struct Block {
    std::size_t hyp, ref, length;
  };

  // Reference words are numbers below `types`, other numbers match nothing.
  void set_ref(Words ref, std::size_t types);
  // Blocks in the order of the hypothesis. Of blocks of equal length those nearer to the
  // diagonal come first, then those further left. Takes O(p log p) time for p pairs of
  // equal words; above kMostPairs the k-th occurrences of a word are aligned instead.
  const std::vector<Block>& align(Words hyp);

 private:
  static constexpr std::size_t kMostPairs = 1'000'000;

  struct Run {
    std::size_t length, distance, hyp, ref;
    // Whether another run comes first.
    bool operator<(const Run& other) const;
  };

  std::span<const std::uint32_t> places(std::uint32_t word) const;
  std::size_t count_pairs(Words hyp) const;
  void collect(Words hyp);
  void take(std::size_t hyp_words);
  void split(const Run& run, std::size_t hyp_words);
  void align_in_turn(Words hyp);
  std::size_t distance(std::size_t hyp, std::size_t ref, std::size_t hyp_words) const;

  Words ref_;
  std::vector<std::uint32_t> first_, places_;  // of every word in the reference
  std::vector<Run> runs_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> row_, next_;  // place, run length
  std::vector<char> hyp_taken_, ref_taken_;
  std::vector<Block> blocks_;
  Pace pace_;
};

}  // namespace tertium
