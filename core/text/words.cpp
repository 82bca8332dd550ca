// SPDX-License-Identifier: Apache-2.0
#include "text/words.hpp"

#include <algorithm>
#include <cstring>

namespace tertium {

std::string_view Vocabulary::keep(std::string_view word) {
  if (word.size() > room_) {
    room_ = std::max(kChunk, word.size());
    chunks_.push_back(std::make_unique_for_overwrite<char[]>(room_));
    free_ = chunks_.back().get();
  }
  if (!word.empty()) std::memcpy(free_, word.data(), word.size());
  const std::string_view kept(free_, word.size());
  free_ += word.size();
  room_ -= word.size();
  return kept;
}

std::uint32_t Vocabulary::add(std::string_view word, std::uint64_t key) {
  for (;; key = next_key(key)) {
    std::uint32_t& place = map_.at_or_add(key);
    if (place == 0) {
      words_.push_back(keep(word));
      return (place = static_cast<std::uint32_t>(words_.size())) - 1;
    }
    if (is(place - 1, word, key)) return place - 1;
  }
}

std::uint32_t Vocabulary::find(std::string_view word) const {
  std::uint64_t key = word_key(word);
  for (;; key = next_key(key)) {
    const std::uint32_t place = map_.at(key);
    if (place == 0) return kUnknown;
    if (is(place - 1, word, key)) return place - 1;
  }
}

bool lower_latin(std::string_view text, std::string& out) {
  out.assign(text);
  // Of signed bytes those beyond ASCII are negative. Runs in vector registers.
  signed char all = 0;
  char* const bytes = out.data();
  const std::size_t n = out.size();
  for (std::size_t i = 0; i < n; ++i) {
    const auto c = static_cast<signed char>(bytes[i]);
    all = static_cast<signed char>(all | c);
    bytes[i] = static_cast<char>(c + (c >= 'A' && c <= 'Z' ? 'a' - 'A' : 0));
  }
  if (all >= 0) return true;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  for (std::size_t i = 0; i < n; ++i) {
    if (byte(i) < 0x80) continue;
    if (i + 1 == n) return false;
    const unsigned char next = byte(i + 1);
    if (byte(i) == 0xC2) {
      // U+0080 to U+00BF have no case.
    } else if (byte(i) == 0xC3) {  // U+00C0 to U+00FF: capitals first, but for the times sign
      if (next < 0x9F && next != 0x97) bytes[i + 1] = static_cast<char>(next + 0x20);
    } else if (byte(i) == 0xE2 && (next == 0x80 || next == 0x81)) {  // U+2000 to U+207F
      ++i;
    } else {
      return false;
    }
    ++i;
  }
  return true;
}

void Words::reserve(std::size_t texts) {
  const std::size_t words = ids_.size() / std::max<std::size_t>(1, this->texts()) + 1;
  ids_.reserve(texts * (words + words / 8));
  first_.reserve(texts + 1);
}

void Words::add(std::string_view line) {
  tokenizer_.reset();
  tokenizer_(line, tokens_);
  add(tokens_, line);
}

void Words::add(std::span<const std::string_view> tokens, std::string_view text) {
  // Round by round, so that memory is on its way when it is looked at.
  keys_.resize(tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    keys_[i] = word_key(tokens[i], text);
    vocabulary_.prefetch(keys_[i]);
  }
  const std::size_t start = ids_.size();
  ids_.resize(start + tokens.size());
  const std::span<std::uint32_t> ids = std::span(ids_).subspan(start);
  for (std::size_t i = 0; i < tokens.size(); ++i) ids[i] = vocabulary_.guess(keys_[i]);
  for (std::size_t i = 0; i < tokens.size(); ++i)
    if (!vocabulary_.is(ids[i], tokens[i], keys_[i]))
      ids[i] = vocabulary_.add(tokens[i], keys_[i]);
  first_.push_back(ids_.size());
}

}  // namespace tertium
