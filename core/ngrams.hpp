// SPDX-License-Identifier: Apache-2.0
// N-gram counts of one segment as a trie over integer symbols.
//
// Every n-gram is a node reached from the node of its first n-1 symbols, so
// keys are exact (no hashing of contents) and a walk stops at the first n-gram
// that the reference does not have: longer ones cannot match either.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "flat_map.hpp"

namespace tertium {

class NgramTrie {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  // Forget everything; `ngrams` bounds the number of n-grams to come.
  void reset(std::size_t ngrams) {
    children_.reset(ngrams);
    counts_.clear();
    counts_.push_back({});  // the root
  }

  // Add the n-grams of orders 1..max_order of one reference; the count of an
  // n-gram is its largest count in any one reference. visit(order, node) is
  // called for every occurrence.
  template <class Visit>
  void add_reference(std::span<const std::uint32_t> symbols, std::size_t max_order,
                     std::uint32_t ref, Visit&& visit) {
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      const std::size_t longest =
          symbols.size() - i < max_order ? symbols.size() - i : max_order;
      std::uint32_t node = 0;
      for (std::size_t n = 0; n < longest; ++n) {
        node = grow(node, symbols[i + n]);
        Count& count = counts_[node];
        if (count.ref != ref) {
          count.ref = ref;
          count.here = 0;
        }
        if (++count.here > count.most) count.most = count.here;
        visit(n, node);
      }
    }
  }

  void add_reference(std::span<const std::uint32_t> symbols, std::size_t max_order,
                     std::uint32_t ref) {
    add_reference(symbols, max_order, ref, [](std::size_t, std::uint32_t) {});
  }

  // Call hit(order - 1, node) for every clipped match of the hypothesis.
  template <class Hit>
  void match(std::span<const std::uint32_t> symbols, std::size_t max_order, Hit&& hit) {
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      const std::size_t longest =
          symbols.size() - i < max_order ? symbols.size() - i : max_order;
      std::uint32_t node = 0;
      for (std::size_t n = 0; n < longest; ++n) {
        node = step(node, symbols[i + n]);
        if (node == kNone) break;
        Count& count = counts_[node];
        if (count.used < count.most) {
          ++count.used;
          hit(n, node);
        }
      }
    }
  }

  // Make all reference n-grams available to match() again.
  void restore() {
    for (Count& count : counts_) count.used = 0;
  }

  std::size_t size() const { return counts_.size(); }

 private:
  struct Count {
    std::uint32_t most = 0;  // largest count in one reference
    std::uint32_t used = 0;  // matched so far
    std::uint32_t here = 0;  // count in the reference being added
    std::uint32_t ref = kNone;
  };

  static std::uint64_t key(std::uint32_t node, std::uint32_t symbol) {
    return (static_cast<std::uint64_t>(node) << 32) | symbol;
  }

  std::uint32_t grow(std::uint32_t node, std::uint32_t symbol) {
    const std::uint64_t k = key(node, symbol);
    FlatMap::Slot& slot = children_.find(k);
    if (!children_.holds(slot)) {
      children_.fill(slot, k, static_cast<std::uint32_t>(counts_.size()));
      counts_.push_back({});
    }
    return slot.value;
  }

  std::uint32_t step(std::uint32_t node, std::uint32_t symbol) {
    const FlatMap::Slot& slot = children_.find(key(node, symbol));
    return children_.holds(slot) ? slot.value : kNone;
  }

  FlatMap children_;
  std::vector<Count> counts_;
};

// The number of n-grams of one order in a sequence.
inline std::size_t ngram_total(std::size_t length, std::size_t order) {
  return length >= order ? length - order + 1 : 0;
}

// An upper bound of the number of distinct n-grams up to max_order.
inline std::size_t ngram_bound(std::size_t length, std::size_t max_order) {
  return length * (length < max_order ? length : max_order);
}

}  // namespace tertium
