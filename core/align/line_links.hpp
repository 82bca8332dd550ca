// SPDX-License-Identifier: Apache-2.0
// Lines of two texts linked in groups, by the character trigrams that they share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/pace.hpp"

namespace tertium {

// Neighbouring lines of the reference and of the output that belong together; one side
// may have none.
struct LineLink {
  std::uint32_t ref, ref_count, hyp, hyp_count;
  double similarity;  // Dice's coefficient of their trigrams; 0 where a side has none
};

// What a link of a lines with b is worth: (a + b) (similarity - floor) - (a + b - 2) merge.
// A line without a link is worth nothing; a blank line has none.
struct LinkWorth {
  double floor = 0.1, merge = 0.1;
};

// The links, in order, whose sum of worth is the greatest. Lines are linked 1-1, 1-2, 2-1,
// 1-3, 3-1, 1-4, 4-1, 2-2 or not at all; among equal sums, the last link is the earliest
// of that list, then the one before it ...
//
// Of each row only `width` lines on either side of the place that as many characters are
// before are looked at; the width is doubled until the links stay off its edge. Where many
// lines are missing, that ends with all pairs of lines: time and memory are quadratic then,
// up to kMostCells pairs; a text that needs more is rejected (std::length_error).
// Trigrams ignore white space and never reach over the end of a line; a shorter line is one.
class LineLinks {
 public:
  static constexpr std::size_t kMostCells = std::size_t{1} << 24;  // of 24 bytes

  std::vector<LineLink> operator()(std::span<const std::string_view> refs,
                                   std::span<const std::string_view> hyps);
  LinkWorth worth;
  std::size_t width = 32;

 private:
  static constexpr std::size_t kLongest = 4;  // lines of a group
  using Trigrams = std::vector<std::uint64_t>;

  // The sorted trigrams of groups: by first line, then number of lines.
  struct Side {
    std::vector<Trigrams> groups;
    std::vector<std::size_t> sizes;  // trigrams before each line
    std::size_t lines = 0;
    const Trigrams& of(std::size_t first, std::size_t count) const {
      return groups[first * kLongest + count - 1];
    }
    // Whether a line of a group has no trigrams.
    bool blank(std::size_t first, std::size_t count) const {
      for (std::size_t i = first; i < first + count; ++i)
        if (sizes[i] == sizes[i + 1]) return true;
      return false;
    }
  };
  void read(std::span<const std::string_view> texts, Side& side);
  bool link(std::size_t width, std::vector<LineLink>& links);
  double dice(const Trigrams& a, const Trigrams& b);

  Side ref_, hyp_;
  std::vector<std::uint32_t> points_;
  Pace pace_;
};

}  // namespace tertium
