// SPDX-License-Identifier: Apache-2.0
// N-gram counts of the references of one segment, as a lazy trie over symbols.
//
// Every n-gram is a node reached from the node of its first n-1 symbols, so
// counts are exact (contents are never hashed) and a walk stops at the first
// n-gram that the references do not have: longer ones cannot match either.
//
// Most long n-grams occur once. A node that was reached once has no children
// yet, only the place in the text where it goes on (its tail); it is unfolded
// when it is reached again. So building takes about as many steps as there are
// repeated n-grams, and the tables stay small enough for the fastest cache.
//
// Symbols are numbers below `types`; any other number matches nothing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/flat_map.hpp"
#include "base/pace.hpp"
#include "text/bit_ngrams.hpp"

namespace tertium {

class NgramTrie {
 public:
  static constexpr std::size_t kMaxOrder = 64;  // bits in Node::used

  // Forget everything. `symbols` bounds the total length of the references.
  void reset(std::size_t symbols, std::size_t max_order, std::size_t types) {
    orders_ = max_order;
    types_ = types;
    dense_ = symbols * max_order < 0xFFFF && symbols * max_order * types <= kDenseLimit;
    if (!dense_) sparse_.reset(symbols * std::min(symbols, max_order));
    text_.clear();
    table_.clear();
    rows_ = 0;
    nodes_.clear();
    nodes_.push_back({});  // the root
    unfold(0);
    touched_ = false;
  }

  // Add the n-grams of one reference; the count of an n-gram is its largest
  // count in any one reference. References are numbered 0, 1, ...
  void add_reference(std::span<const std::uint32_t> symbols, std::uint32_t ref) {
    const auto base = static_cast<std::uint32_t>(text_.size());
    text_.insert(text_.end(), symbols.begin(), symbols.end());
    text_.push_back(kEnd);
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      const std::size_t longest = std::min(symbols.size() - i, orders_);
      pace_.spend(16 * longest);
      std::uint32_t node = 0;
      for (std::size_t n = 0; n < longest; ++n) {
        const std::uint32_t next = child(node, symbols[i + n]);
        if (next == 0) {
          add_child(node, symbols[i + n], base + static_cast<std::uint32_t>(i), ref);
          break;
        }
        node = next;
        const std::uint32_t tail = nodes_[node].tail;
        const std::uint32_t before = nodes_[node].ref;
        nodes_[node].add(ref);
        if (tail == kEnd || n + 1 == orders_) continue;
        unfold(node);
        const std::uint32_t symbol = text_[tail + n + 1];
        if (symbol != kEnd) add_child(node, symbol, tail, before);
      }
    }
  }

  // Call hit(order - 1, start of the n-gram) for every clipped match.
  template <class Hit>
  void match(std::span<const std::uint32_t> symbols, Hit&& hit) {
    if (touched_) restore();
    touched_ = true;
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      const std::size_t longest = std::min(symbols.size() - i, orders_);
      pace_.spend(16 * longest);
      std::uint32_t place = 0;
      for (std::size_t n = 0; n < longest; ++n) {
        if (symbols[i + n] >= types_) break;
        place = child(place, symbols[i + n]);
        if (place == 0) break;
        Node& node = nodes_[place];
        if (node.left > 0) {
          --node.left;
          hit(n, i);
        }
        if (node.tail == kEnd) continue;
        // The rest of the n-grams from here on occur once: compare the texts.
        const std::uint32_t* tail = &text_[node.tail];
        for (++n; n < longest && symbols[i + n] == tail[n]; ++n) {
          if (symbols[i + n] == kEnd) break;
          const std::uint64_t bit = std::uint64_t{1} << n;
          if (node.used & bit) continue;
          node.used |= bit;
          hit(n, i);
        }
        break;
      }
    }
  }

 private:
  static constexpr std::uint32_t kEnd = 0xFFFFFFFFu;
  // Four million entries of two bytes; longer texts use a hash table.
  static constexpr std::size_t kDenseLimit = std::size_t{1} << 22;

  struct Node {
    std::uint32_t most = 0;  // largest count in one reference
    std::uint32_t left = 0;  // not matched yet
    std::uint32_t here = 0;  // count in the reference added last
    std::uint32_t ref = 0;
    std::uint32_t tail = kEnd;  // where the n-gram starts, if not unfolded
    std::uint32_t row = 0;      // of the table of children
    std::uint64_t used = 0;     // orders of the tail that were matched

    void add(std::uint32_t now) {
      here = ref == now ? here + 1 : 1;
      ref = now;
      left = most = std::max(most, here);
    }
  };

  static std::uint64_t key(std::uint32_t node, std::uint32_t symbol) {
    return static_cast<std::uint64_t>(node) << 32 | symbol;
  }

  // Give a node room for children.
  void unfold(std::uint32_t node) {
    nodes_[node].tail = kEnd;
    if (!dense_) return;
    nodes_[node].row = rows_++;
    table_.resize(table_.size() + types_, 0);
  }

  void add_child(std::uint32_t node, std::uint32_t symbol, std::uint32_t tail,
                 std::uint32_t ref) {
    const auto fresh = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({1, 1, 1, ref, tail, 0, 0});
    if (dense_) {
      table_[nodes_[node].row * types_ + symbol] = static_cast<std::uint16_t>(fresh);
    } else {
      const std::uint64_t k = key(node, symbol);
      sparse_.fill(sparse_.find(k), k, fresh);
    }
  }

  std::uint32_t child(std::uint32_t node, std::uint32_t symbol) {
    if (dense_) return table_[nodes_[node].row * types_ + symbol];
    const FlatMap::Slot& slot = sparse_.find(key(node, symbol));
    return sparse_.holds(slot) ? slot.value : 0;
  }

  void restore() {
    for (Node& node : nodes_) {
      node.left = node.most;
      node.used = 0;
    }
  }

  std::size_t orders_ = 0, types_ = 0;
  bool dense_ = true, touched_ = false;
  std::uint32_t rows_ = 0;
  std::vector<std::uint32_t> text_;
  std::vector<std::uint16_t> table_;
  FlatMap sparse_;
  std::vector<Node> nodes_;
  Pace pace_;
};

// Clipped matches with the references of one segment, by the quicker way that
// fits them.
class NgramCounts {
 public:
  using Symbols = std::span<const std::uint32_t>;

  // `ref(r)` returns the symbols of reference r; `symbols` is their sum.
  template <class Ref>
  void build(std::size_t refs, Ref&& ref, std::size_t symbols, std::size_t max_order,
             std::size_t types) {
    short_ = refs == 1 && symbols <= BitNgrams::kMaxLength;
    orders_ = max_order;
    if (short_) return bits_.build(ref(0), max_order, types);
    trie_.reset(symbols, max_order, types);
    for (std::size_t r = 0; r < refs; ++r) trie_.add_reference(ref(r), static_cast<std::uint32_t>(r));
  }

  // Matches by order; the span is valid until the next call.
  std::span<const std::size_t> match(Symbols hyp) {
    matches_.assign(orders_, 0);
    if (short_) bits_.match(hyp, matches_.data());
    else trie_.match(hyp, [&](std::size_t n, std::size_t) { ++matches_[n]; });
    return matches_;
  }

 private:
  std::size_t orders_ = 0;
  bool short_ = false;  // one short reference
  BitNgrams bits_;
  NgramTrie trie_;
  std::vector<std::size_t> matches_;
};

// The number of n-grams of one order in a sequence.
inline std::size_t ngram_total(std::size_t length, std::size_t order) {
  return length >= order ? length - order + 1 : 0;
}

}  // namespace tertium
