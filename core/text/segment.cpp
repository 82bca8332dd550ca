// SPDX-License-Identifier: Apache-2.0
#include "text/segment.hpp"

namespace tertium {

std::uint32_t Interner::add(std::string_view word) {
  std::uint64_t key = word_key(word);
  const bool exact = key < kHashedKey;
  for (;; key = next_key(key)) {
    FlatMap::Slot& slot = map_.find(key);
    if (!map_.holds(slot)) {
      const auto id = static_cast<std::uint32_t>(words_.size());
      words_.push_back(word);
      map_.fill(slot, key, id);
      return id;
    }
    if (exact || words_[slot.value] == word) return slot.value;
  }
}

std::uint32_t Interner::find(std::string_view word) {
  std::uint64_t key = word_key(word);
  const bool exact = key < kHashedKey;
  for (;; key = next_key(key)) {
    const FlatMap::Slot& slot = map_.find(key);
    if (!map_.holds(slot)) return static_cast<std::uint32_t>(words_.size());
    if (exact || words_[slot.value] == word) return slot.value;
  }
}

void TokenizedSegment::set_refs(std::span<const std::string_view> refs) {
  count_ = refs.size();
  if (refs_.size() < count_) {
    refs_.resize(count_);
    ref_tokens_.resize(count_);
  }
  tokenizer_.reset();
  words_ = 0;
  for (std::size_t r = 0; r < count_; ++r) {
    tokenizer_(refs[r], ref_tokens_[r]);
    words_ += ref_tokens_[r].size();
  }
  intern_.reset(words_);
  for (std::size_t r = 0; r < count_; ++r) {
    refs_[r].clear();
    for (const std::string_view token : ref_tokens_[r]) refs_[r].push_back(intern_.add(token));
  }
}

void TokenizedSegment::set_hyp(std::string_view hyp) {
  tokenizer_(hyp, hyp_tokens_);
  hyp_.clear();
  for (const std::string_view token : hyp_tokens_) hyp_.push_back(intern_.find(token));
}

}  // namespace tertium
