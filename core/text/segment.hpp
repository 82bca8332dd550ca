// SPDX-License-Identifier: Apache-2.0
// Words of a segment as numbers.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/flat_map.hpp"
#include "text/tokenize.hpp"

namespace tertium {

namespace detail {
template <class Number>
inline std::uint64_t load(const char* p) {
  Number number;
  std::memcpy(&number, p, sizeof number);
  return number;
}

}  // namespace detail

// A key of a word: of up to seven bytes the word itself, of longer ones a hash
// above kHashedKey, so that equal keys do not mean equal words.
constexpr std::uint64_t kHashedKey = std::uint64_t{0xFF} << 56;
inline std::uint64_t word_key(std::string_view word) {
  const char* p = word.data();
  const std::size_t n = word.size();
  if (n < 8) {
    std::uint64_t bytes = 0;
    if (n >= 4) bytes = detail::load<std::uint32_t>(p) | detail::load<std::uint32_t>(p + n - 4) << (8 * (n - 4));
    else if (n >= 2) bytes = detail::load<std::uint16_t>(p) | detail::load<std::uint16_t>(p + n - 2) << (8 * (n - 2));
    else if (n == 1) bytes = detail::load<std::uint8_t>(p);
    return bytes | static_cast<std::uint64_t>(n) << 56;
  }
  std::uint64_t hash = mix(n ^ detail::load<std::uint64_t>(p));
  for (std::size_t i = 8; i + 8 < n; i += 8) hash = mix(hash ^ detail::load<std::uint64_t>(p + i));
  return mix(hash ^ detail::load<std::uint64_t>(p + n - 8)) | kHashedKey;
}
// The same for a word that is most often part of `text`, and not empty. Whether a word
// is short is hard to foretell, so both keys are made, from the eight bytes up to its end.
inline std::uint64_t word_key(std::string_view word, std::string_view text) {
  const char* p = word.data();
  const std::size_t n = word.size();
  const std::size_t start = reinterpret_cast<std::uintptr_t>(p) -
                            reinterpret_cast<std::uintptr_t>(text.data());
  if (std::endian::native != std::endian::little || start >= text.size() || start + n < 8 ||
      n > 16)
    return word_key(word);
  const std::uint64_t is_short = std::uint64_t{0} - (n < 8);  // all bits or none
  const char* last = p + n - 8;
  const auto tail = detail::load<std::uint64_t>(last);
  const auto head = detail::load<std::uint64_t>(p - (is_short & (8 - n)));
  const std::uint64_t bytes = tail >> ((64 - 8 * n) & 63) | static_cast<std::uint64_t>(n) << 56;
  const std::uint64_t hash = mix(mix(n ^ head) ^ tail) | kHashedKey;
  return (bytes & is_short) | (hash & ~is_short);
}
inline std::uint64_t next_key(std::uint64_t key) { return (key + 1) | kHashedKey; }

// Gives equal words equal small numbers.
class Interner {
 public:
  // Forget everything and make room for `words` words.
  void reset(std::size_t words) {
    map_.reset(words);
    words_.clear();
  }
  // The number of a word, a new one if need be.
  std::uint32_t add(std::string_view word);
  // The number of a word, size() if it has none.
  std::uint32_t find(std::string_view word);
  std::size_t size() const { return words_.size(); }
  std::string_view word(std::uint32_t id) const { return words_[id]; }

 private:
  FlatMap map_;
  std::vector<std::string_view> words_;
};

// One segment as numbers: equal words of the references have equal numbers
// below types(), and every hypothesis word that they lack is types().
class TokenizedSegment {
 public:
  explicit TokenizedSegment(Tokenizer tokenizer) : tokenizer_(std::move(tokenizer)) {}

  void set_refs(std::span<const std::string_view> refs);
  void set_hyp(std::string_view hyp);

  std::span<const std::uint32_t> hyp() const { return hyp_; }
  std::span<const std::uint32_t> ref(std::size_t r) const { return refs_[r]; }
  std::size_t refs() const { return count_; }
  std::size_t ref_words() const { return words_; }  // of all references
  std::size_t types() const { return intern_.size(); }
  std::string_view word(std::uint32_t id) const { return intern_.word(id); }

 private:
  Tokenizer tokenizer_;
  Interner intern_;
  std::vector<std::string_view> hyp_tokens_;
  std::vector<std::vector<std::string_view>> ref_tokens_;
  std::vector<std::uint32_t> hyp_;
  std::vector<std::vector<std::uint32_t>> refs_;
  std::size_t count_ = 0, words_ = 0;
};

}  // namespace tertium
