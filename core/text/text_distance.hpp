// SPDX-License-Identifier: Apache-2.0
// Levenshtein distance of two texts in code points: unit costs, spaces and case count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/char_numbers.hpp"
#include "text/levenshtein.hpp"
#include "text/unicode.hpp"

namespace tertium {

class TextDistance {
 public:
  std::size_t operator()(std::string_view a, std::string_view b) {
    if (a == b) return 0;
    numbers_.reset();
    number(a, first_);
    number(b, second_);
    levenshtein_.set_pattern(first_, numbers_.size());
    return levenshtein_.distance(second_);
  }

 private:
  void number(std::string_view text, std::vector<std::uint32_t>& out) {
    out.clear();
    decode(text, out);
    for (std::uint32_t& symbol : out) symbol = numbers_.add(symbol);
  }

  CharNumbers numbers_;
  Levenshtein levenshtein_;
  std::vector<std::uint32_t> first_, second_;
};

}  // namespace tertium
