// SPDX-License-Identifier: Apache-2.0
// Characters of a segment as numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tertium {

// Gives the characters of the references small numbers.
class CharNumbers {
 public:
  CharNumbers() : numbers_(0x110000) {}

  void reset() {
    for (const char32_t c : known_) numbers_[c] = 0;
    known_.clear();
  }
  std::uint32_t add(char32_t c) {
    if (numbers_[c] == 0) {
      known_.push_back(c);
      numbers_[c] = static_cast<std::uint32_t>(known_.size());
    }
    return numbers_[c] - 1;
  }
  // size() or more for a character that no reference has.
  std::uint32_t find(char32_t c) const { return numbers_[c] - 1; }
  std::size_t size() const { return known_.size(); }

 private:
  std::vector<std::uint32_t> numbers_;  // one more than the number; 0: none
  std::vector<char32_t> known_;
};

}  // namespace tertium
