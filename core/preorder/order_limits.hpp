// SPDX-License-Identifier: Apache-2.0
// What the order of a sentence must respect, as conditions on the nodes of a tree.
//
// One node separates any two words, so a pair in a fixed order is a condition on two
// children of this node. Words around a boundary stay neighbours if every node that starts,
// ends or divides there keeps the boundary: a condition on single nodes as well.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tertium {

// Boundary b is before word b.
struct LimitLists {
  std::vector<std::uint32_t> joints;  // boundaries whose two words stay neighbours
  std::vector<std::uint32_t> walls;   // boundaries that no word crosses
  std::vector<std::pair<std::uint32_t, std::uint32_t>> before;  // the first precedes the second
};

class OrderLimits {
 public:
  OrderLimits() = default;  // none
  // Throws std::invalid_argument if a list has a place outside the sentence.
  OrderLimits(std::size_t words, const LimitLists& lists);
  // Exactly this order: the source index at every place.
  explicit OrderLimits(std::span<const std::int32_t> order);

  bool any() const { return !joints_.empty(); }
  // Whether they leave no more than one order.
  bool complete() const { return complete_; }

  bool joint(std::size_t boundary) const { return joints_[boundary]; }
  // Whether there is a wall strictly within a span.
  bool wall(std::size_t begin, std::size_t end) const {
    return begin < end && walls_[end] > walls_[begin + 1];
  }
  // Whether words [a, b) may come before the words [c, d), which follow them in the source,
  // and whether they may come after them.
  bool straight(std::size_t a, std::size_t b, std::size_t c, std::size_t d) const {
    return sum(swapped_, a, b, c, d) == 0;
  }
  bool inverted(std::size_t a, std::size_t b, std::size_t c, std::size_t d) const {
    return sum(kept_, a, b, c, d) == 0;
  }
  // Whether the middle separates a pair in a fixed order.
  bool apart(std::size_t begin, std::size_t middle, std::size_t end) const {
    return !straight(begin, middle, middle, end) || !inverted(begin, middle, middle, end);
  }
  // Whether a span has both words of a pair in a fixed order.
  bool paired(std::size_t begin, std::size_t end) const {
    return sum(kept_, begin, end, begin, end) + sum(swapped_, begin, end, begin, end) > 0;
  }
  // Whether the words of a span may be in the order of the source.
  bool in_order(std::size_t begin, std::size_t end) const {
    return sum(swapped_, begin, end, begin, end) == 0;
  }

 private:
  using Counts = std::vector<std::uint32_t>;
  std::uint32_t sum(const Counts& counts, std::size_t a, std::size_t b, std::size_t c,
                    std::size_t d) const {
    const std::uint32_t *low = &counts[a * side_], *high = &counts[b * side_];
    return (high[d] - low[d]) - (high[c] - low[c]);
  }
  void add_up(Counts& counts) const;

  std::size_t side_ = 0;       // words + 1
  std::vector<char> joints_;   // by boundary
  Counts walls_;               // by boundary b: how many there are before b
  Counts kept_, swapped_;      // sums over pairs of words i < j above and to the left
  bool complete_ = false;
};

}  // namespace tertium
