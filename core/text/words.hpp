// SPDX-License-Identifier: Apache-2.0
// Many texts as numbers: equal words of a batch have equal numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/flat_map.hpp"
#include "text/segment.hpp"
#include "text/tokenize.hpp"

namespace tertium {

// Gives equal words equal numbers, and keeps a copy of every word.
class Vocabulary {
 public:
  static constexpr std::uint32_t kUnknown = 0xFFFFFFFF;

  Vocabulary() = default;
  Vocabulary(Vocabulary&&) = default;  // not copied: words point into chunks
  Vocabulary& operator=(Vocabulary&&) = default;

  // The number of a word, a new one if need be.
  std::uint32_t add(std::string_view word) { return add(word, word_key(word)); }
  // The same for a word whose key is known, and so soon to be asked for.
  std::uint32_t add(std::string_view word, std::uint64_t key);
  void prefetch(std::uint64_t key) const { map_.prefetch(key); }
  // What the number of a word with this key might be, kUnknown if it has none; and
  // whether it is.
  std::uint32_t guess(std::uint64_t key) const {
    const std::uint32_t place = map_.at(key);
    tertium::prefetch(words_.data() + (place == 0 ? 0 : place - 1));
    return place - 1;
  }
  bool is(std::uint32_t id, std::string_view word, std::uint64_t key) const {
    return id != kUnknown && (key < kHashedKey || equal_long(words_[id], word));
  }
  // The number of a word, kUnknown if it has none.
  std::uint32_t find(std::string_view word) const;
  void reserve(std::size_t words) { map_.reserve(words); }
  std::size_t size() const { return words_.size(); }
  std::string_view word(std::uint32_t id) const { return words_[id]; }

 private:
  static constexpr std::size_t kChunk = 1 << 16;

  std::string_view keep(std::string_view word);
  // Whether two words of at least eight bytes are equal.
  static bool equal_long(std::string_view a, std::string_view b) {
    const std::size_t n = a.size();
    if (n != b.size()) return false;
    if (n > 16) return a == b;
    const auto differ = [&](std::size_t i) {
      return detail::load<std::uint64_t>(a.data() + i) ^ detail::load<std::uint64_t>(b.data() + i);
    };
    return (differ(0) | differ(n - 8)) == 0;
  }

  GrowingMap map_;  // key of a word to its number + 1
  std::vector<std::string_view> words_;
  std::vector<std::unique_ptr<char[]>> chunks_;  // their characters, which never move
  std::size_t room_ = 0;                         // characters left in the last one
  char* free_ = nullptr;
};

// Write a text in lower case to `out` if that is easy: if all characters are of
// Latin-1 or the block of general punctuation. Return whether it is.
bool lower_latin(std::string_view text, std::string& out);

// Texts are added one after the other and keep their place. Unlike the words of
// a TokenizedSegment, which live as long as one segment, these are kept, so that
// Python can look at every type once (stems, synonyms, function words).
class Words {
 public:
  explicit Words(Scheme scheme) : tokenizer_(scheme) {}

  // Add a text, cut by the tokeniser or already in tokens.
  void add(std::string_view line);
  void add(std::span<const std::string_view> tokens) { add(tokens, {}); }

  // Make room for so many texts in all, of about the length of those that are there.
  void reserve(std::size_t texts);

  std::size_t texts() const { return first_.size() - 1; }
  std::span<const std::uint32_t> text(std::size_t i) const {
    return std::span(ids_).subspan(first_[i], first_[i + 1] - first_[i]);
  }
  std::size_t types() const { return vocabulary_.size(); }
  std::string_view word(std::uint32_t id) const { return vocabulary_.word(id); }

 private:
  // Tokens that are parts of a text, most of them at least.
  void add(std::span<const std::string_view> tokens, std::string_view text);

  Tokenizer tokenizer_;
  std::vector<std::string_view> tokens_;
  std::vector<std::uint64_t> keys_;  // of the tokens
  Vocabulary vocabulary_;
  std::vector<std::uint32_t> ids_;
  std::vector<std::size_t> first_ = {0};
};

}  // namespace tertium
