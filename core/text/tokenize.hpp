// SPDX-License-Identifier: Apache-2.0
// text/: from bytes to words: Unicode, tokenisers, numbers for words and characters, n-grams.
//
// Tokenisers equal to sacreBLEU's (none, 13a, intl, zh, char and Tercom's), and `words`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "text/stops.hpp"
#include "text/unicode.hpp"

namespace tertium {

struct TercomOptions {
  bool normalized = false;
  bool no_punct = false;
  bool asian_support = false;
};

enum class Scheme : std::uint8_t { kNone, k13a, kIntl, kZh, kChar, kWords, kTercom };

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
  Stops stops_;
};

// Cut at white space as str.split() does, appending to tokens.
void split(std::string_view line, Stops& stops, std::vector<std::string_view>& tokens);

}  // namespace tertium
