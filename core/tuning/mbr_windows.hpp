// SPDX-License-Identifier: Apache-2.0
// tuning/: n-best lists at work.
//
// The n-grams of the texts of one list. A text is a sequence of windows, one per symbol:
// the n-grams of all orders that start there. Hypotheses of a list differ in a few words,
// so most windows were seen before, and one look-up finds all their n-grams.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tertium {

// A map from 64-bit keys to 32-bit values that grows, and is emptied in O(1).
class EpochMap {
 public:
  void clear() {
    used_ = 0;
    if (++epoch_ == 0) {
      for (Slot& slot : slots_) slot.epoch = 0;
      epoch_ = 1;
    }
  }

  // The value of `key`, or `fresh` if it had none and has that one now.
  std::uint32_t at_or_add(std::uint64_t key, std::uint32_t fresh);

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t epoch = 0;
    std::uint32_t value = 0;
  };
  void grow();

  std::vector<Slot> slots_ = std::vector<Slot>(4096);
  std::size_t used_ = 0;
  std::uint32_t epoch_ = 1;
};

class NgramWindows {
 public:
  static constexpr std::uint32_t kNone = 0;  // an n-gram that would end behind the text

  // Forget everything. Symbols are numbers below `types`.
  void reset(std::size_t orders, std::size_t types);
  void add(std::span<const std::uint32_t> symbols);

  std::size_t orders() const { return orders_; }
  std::size_t texts() const { return first_.size() - 1; }
  std::size_t windows() const { return grams_.size() / orders_; }
  std::size_t grams() const { return gram_count_; }  // kNone included

  // The windows of a text.
  std::span<const std::uint32_t> of(std::size_t text) const {
    return std::span(texts_).subspan(first_[text], first_[text + 1] - first_[text]);
  }
  // The n-grams of a window, shortest first: `orders` numbers.
  const std::uint32_t* grams_of(std::uint32_t window) const {
    return grams_.data() + window * orders_;
  }

 private:
  std::uint32_t window_at(std::span<const std::uint32_t> symbols, std::size_t i,
                          std::uint64_t packed);
  std::uint32_t walk(std::span<const std::uint32_t> symbols, std::size_t i, std::uint32_t* out);

  std::size_t orders_ = 0, gram_count_ = 1;
  unsigned bits_ = 0;  // of a symbol in a packed window; 0 if 64 do not suffice
  EpochMap windows_, children_;
  std::vector<std::uint32_t> grams_;  // of all windows
  std::vector<std::uint32_t> walked_;
  std::vector<std::uint32_t> texts_;
  std::vector<std::size_t> first_;
};

}  // namespace tertium
