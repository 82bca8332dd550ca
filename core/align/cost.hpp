// SPDX-License-Identifier: Apache-2.0
// What alignments are compared by.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>

#include "align/pairs.hpp"

namespace tertium {

// What an alignment is to have little of, the most important part first.
struct AlignmentCost {
  // Words that could be covered and are not << 32 | chunks.
  std::uint64_t lost_chunks = 0;
  // The sum of |first hypothesis word - first reference word| << 24 | the sum of
  // the matchers' numbers.
  std::uint64_t far = 0;

  static constexpr std::uint64_t kLostWord = std::uint64_t{1} << 32;

  auto operator<=>(const AlignmentCost&) const = default;
  AlignmentCost operator+(const AlignmentCost& other) const {
    return {lost_chunks + other.lost_chunks, far + other.far};
  }
  // What costs must stay below so that with `other` they stay below this.
  AlignmentCost less(const AlignmentCost& other) const {
    if (lost_chunks < other.lost_chunks) return {};
    return {lost_chunks - other.lost_chunks, far - std::min(far, other.far)};
  }
  static AlignmentCost never() { return {~std::uint64_t{0}, 0}; }
  static std::uint64_t distance(const Match& m) {
    return std::uint64_t{m.hyp > m.ref ? m.hyp - m.ref : m.ref - m.hyp} << 24;
  }
};

}  // namespace tertium
