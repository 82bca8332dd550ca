// SPDX-License-Identifier: Apache-2.0
#include "words.hpp"

#include "segment.hpp"

namespace tertium {

std::uint32_t Vocabulary::add(std::string_view word) {
  std::uint64_t key = word_key(word);
  for (const bool exact = key < kHashedKey;; key = next_key(key)) {
    std::uint32_t& place = map_.at_or_add(key);
    if (place == 0) {
      words_.emplace_back(word);
      return (place = static_cast<std::uint32_t>(words_.size())) - 1;
    }
    if (exact || words_[place - 1] == word) return place - 1;
  }
}

std::uint32_t Vocabulary::find(std::string_view word) const {
  std::uint64_t key = word_key(word);
  for (const bool exact = key < kHashedKey;; key = next_key(key)) {
    const std::uint32_t place = map_.at(key);
    if (place == 0) return kUnknown;
    if (exact || words_[place - 1] == word) return place - 1;
  }
}

void Words::add(std::string_view line) {
  tokenizer_.reset();
  tokenizer_(line, tokens_);
  add(tokens_);
}

void Words::add(std::span<const std::string_view> tokens) {
  for (const std::string_view token : tokens) ids_.push_back(vocabulary_.add(token));
  first_.push_back(ids_.size());
}

}  // namespace tertium
