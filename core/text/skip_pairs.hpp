// SPDX-License-Identifier: Apache-2.0
// Common skip bigrams: pairs of words in order, with words between them.
//
// Only words that the reference has can be common. Of a short reference, the
// counts of all pairs of its words are a small matrix with the second word as
// the row: reading a text, every word adds to its row the counts of the words
// before it, many at a time. The common pairs are the sum of the smaller
// counts of two matrices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/flat_map.hpp"
#include "base/pace.hpp"

namespace tertium {

class SkipPairs {
 public:
  using Words = std::span<const std::uint32_t>;

  // At most `gap` words between the two of a pair; any number if below 0.
  explicit SkipPairs(long gap) : gap_(gap) {}

  // Words are numbers below `types`. The span must live until the next call.
  void set_ref(Words ref, std::size_t types);
  // Clipped common pairs; hypothesis words that the reference lacks are >= types.
  std::size_t common(Words hyp);

  // The number of pairs in a text of so many words.
  std::size_t total(std::size_t words) const;

 private:
  // Counts in 16 bits with a sign: the smaller of two is one instruction on
  // every processor, and 256 words have no more than 32,640 pairs.
  using Count = std::int16_t;
  static constexpr std::size_t kShort = 256;  // words, and types
  static constexpr std::size_t kLanes = 16;
  static constexpr long kHashed = 64;  // of long texts, gaps whose pairs are hashed

  void fill(Words words, std::vector<Count>& matrix);
  std::size_t common_by_hash(Words hyp);
  std::size_t common_by_second(Words hyp);
  template <class Visit>
  void for_each_pair(Words words, Visit&& visit) const;
  void count_first(Words words, std::uint32_t second, std::vector<std::uint64_t>& counts) const;

  long gap_;
  std::size_t types_ = 0, stride_ = 0;
  Words ref_;
  std::vector<Count> ref_matrix_, hyp_matrix_, window_;
  FlatMap map_;
  std::vector<std::uint64_t> ref_counts_, hyp_counts_;
  Pace pace_;
};

}  // namespace tertium
