// SPDX-License-Identifier: Apache-2.0
#include "text/unicode.hpp"

namespace tertium {

namespace {

struct Range {
  char32_t first, last;
  CharClass kind;
};

constexpr Range kRanges[] = {
#include "text/unicode_tables.inc"
};

// One byte a code point: 1.1 MB, filled on first use.
std::vector<std::uint8_t> make_table() {
  std::vector<std::uint8_t> table(0x110000, kOther);
  for (const Range& range : kRanges)
    for (char32_t c = range.first; c <= range.last; ++c) table[c] = range.kind;
  return table;
}

}  // namespace

CharClass char_class(char32_t point) {
  static const std::vector<std::uint8_t> table = make_table();
  return static_cast<CharClass>(table[point]);
}

void decode(std::string_view text, std::vector<std::uint32_t>& out) {
  out.clear();
  for (std::size_t i = 0; i < text.size();) out.push_back(next_point(text, i));
}

std::u32string decode(std::string_view text) {
  std::u32string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) out.push_back(next_point(text, i));
  return out;
}

std::string_view encode(std::u32string_view text, std::string& out) {
  out.clear();
  for (const char32_t c : text) {
    if (c < 0x80) {
      out.push_back(static_cast<char>(c));
    } else if (c < 0x800) {
      out.push_back(static_cast<char>(0xC0 | (c >> 6)));
      out.push_back(static_cast<char>(0x80 | (c & 0x3F)));
    } else if (c < 0x10000) {
      out.push_back(static_cast<char>(0xE0 | (c >> 12)));
      out.push_back(static_cast<char>(0x80 | ((c >> 6) & 0x3F)));
      out.push_back(static_cast<char>(0x80 | (c & 0x3F)));
    } else {
      out.push_back(static_cast<char>(0xF0 | (c >> 18)));
      out.push_back(static_cast<char>(0x80 | ((c >> 12) & 0x3F)));
      out.push_back(static_cast<char>(0x80 | ((c >> 6) & 0x3F)));
      out.push_back(static_cast<char>(0x80 | (c & 0x3F)));
    }
  }
  return out;
}

std::string_view strip_right(std::string_view text) {
  while (!text.empty()) {
    std::size_t start = text.size() - 1;
    while (start > 0 && (static_cast<unsigned char>(text[start]) & 0xC0) == 0x80) --start;
    std::size_t i = start;
    if (!is_space(next_point(text, i))) break;
    text = text.substr(0, start);
  }
  return text;
}

std::string_view strip(std::string_view text) {
  text = strip_right(text);
  while (!text.empty()) {
    std::size_t i = 0;
    if (!is_space(next_point(text, i))) break;
    text = text.substr(i);
  }
  return text;
}

bool is_punctuation(std::string_view word) {
  for (std::size_t i = 0; i < word.size();) {
    const char32_t c = next_point(word, i);
    // Grave and acute accents are symbols to Unicode and quotes to treebanks.
    if (char_class(c) != kPunctuation && c != '`' && c != 0xB4) return false;
  }
  return !word.empty();
}

}  // namespace tertium
