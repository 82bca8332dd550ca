// SPDX-License-Identifier: Apache-2.0
// Tokenisers, equal to sacreBLEU's: none, 13a, intl, zh, char and Tercom's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flat_map.hpp"
#include "unicode.hpp"

namespace tertium {

struct TercomOptions {
  bool normalized = false;
  bool no_punct = false;
  bool asian_support = false;
};

enum class Scheme : std::uint8_t { kNone, k13a, kIntl, kZh, kChar, kTercom };

// Cuts lines into tokens. The tokens point into the line or into the
// tokeniser's own buffers, and live until reset().
class Tokenizer {
 public:
  explicit Tokenizer(Scheme scheme, TercomOptions tercom = {})
      : scheme_(scheme), tercom_(tercom) {}

  void operator()(std::string_view line, std::vector<std::string_view>& tokens);
  void reset() { used_ = 0; }

 private:
  std::string& buffer();

  Scheme scheme_;
  TercomOptions tercom_;
  std::deque<std::string> buffers_;  // a deque: growing moves no string
  std::size_t used_ = 0;
};

// Cut at white space as str.split() does.
void split(std::string_view line, std::vector<std::string_view>& tokens);

// Gives equal tokens of one segment equal small numbers.
class Interner {
 public:
  void reset(std::size_t tokens) {
    map_.reset(tokens);
    words_.clear();
  }
  std::uint32_t operator()(std::string_view word);
  std::size_t size() const { return words_.size(); }
  std::string_view word(std::uint32_t id) const { return words_[id]; }

 private:
  FlatMap map_;
  std::vector<std::string_view> words_;
};

// One segment as numbers: equal tokens have equal numbers in all its texts.
class TokenizedSegment {
 public:
  explicit TokenizedSegment(Tokenizer tokenizer) : tokenizer_(std::move(tokenizer)) {}

  void read(std::string_view hyp, std::span<const std::string_view> refs);

  std::span<const std::uint32_t> hyp() const { return texts_[0]; }
  std::span<const std::uint32_t> ref(std::size_t r) const { return texts_[r + 1]; }
  std::size_t refs() const { return count_ - 1; }
  std::size_t types() const { return intern_.size(); }
  std::string_view word(std::uint32_t id) const { return intern_.word(id); }

 private:
  Tokenizer tokenizer_;
  Interner intern_;
  std::vector<std::vector<std::string_view>> tokens_;
  std::vector<std::vector<std::uint32_t>> texts_;
  std::size_t count_ = 0;
};

}  // namespace tertium
