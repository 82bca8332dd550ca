// SPDX-License-Identifier: Apache-2.0
// A paraphrase table: which phrases stand for which.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/flat_map.hpp"
#include "text/words.hpp"

namespace tertium {

// Phrases are words between spaces. The table is filled, closed, and then read
// by any number of threads. It knows phrases by text, so it serves any batch.
class PhraseTable {
 public:
  static constexpr std::uint32_t kRoot = 0;

  // Add a pair, in both directions: paraphrases stand for each other.
  void add(std::string_view phrase, std::string_view paraphrase);
  // Make the table ready for reading; more pairs may be added later.
  void close();
  bool closed() const { return closed_; }
  std::size_t size() const { return pairs_.size() / 2; }  // pairs

  std::uint32_t word(std::string_view word) const { return words_.find(word); }
  // The phrase one word longer than `phrase`, kRoot if no entry starts so. Phrases
  // are the nodes of a trie; a phrase is its node's number.
  std::uint32_t longer(std::uint32_t phrase, std::uint32_t word) const {
    return word == Vocabulary::kUnknown ? kRoot : nodes_.at(edge(phrase, word));
  }
  // The phrases that stand for `phrase`, in rising order.
  std::span<const std::uint32_t> paraphrases(std::uint32_t phrase) const {
    return std::span(others_).subspan(first_[phrase], first_[phrase + 1] - first_[phrase]);
  }
  // Whether the pair was added more than once, as by a table that has it in both
  // directions.
  bool repeated(std::uint32_t phrase, std::uint32_t other) const;

 private:
  static std::uint64_t edge(std::uint32_t node, std::uint32_t word) {
    return static_cast<std::uint64_t>(node) << 32 | word;
  }
  std::uint32_t number(std::string_view phrase);

  Vocabulary words_;
  GrowingMap nodes_;
  std::uint32_t last_node_ = kRoot;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;
  std::vector<std::size_t> first_ = {0, 0};  // of every node
  std::vector<std::uint32_t> others_;
  std::vector<bool> repeated_;
  bool closed_ = true;
};

}  // namespace tertium
