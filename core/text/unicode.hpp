// SPDX-License-Identifier: Apache-2.0
// UTF-8 decoding and the few character classes that metrics need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tertium {

// kSpaceless: letters of scripts that are written without spaces between words.
enum CharClass : std::uint8_t { kOther, kNumber, kPunctuation, kSymbol, kCombining, kSpaceless };

// The general category (N, P, S, M or anything else) of a code point, or kSpaceless.
CharClass char_class(char32_t point);

// Whether a word is made of punctuation alone.
bool is_punctuation(std::string_view word);

// White space as Python's str.split() understands it.
inline bool is_space(char32_t c) {
  if (c < 0x80) return c == ' ' || (c >= 9 && c <= 13) || (c >= 0x1C && c <= 0x1F);
  return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) ||
         c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

// Decode the code point at text[i] and move i behind it. Input is valid UTF-8.
inline char32_t next_point(std::string_view text, std::size_t& i) {
  const auto byte = [&](std::size_t k) {
    return static_cast<char32_t>(static_cast<unsigned char>(text[k]));
  };
  const char32_t lead = byte(i);
  if (lead < 0x80) {
    i += 1;
    return lead;
  }
  if (lead < 0xE0) {
    const char32_t c = ((lead & 0x1F) << 6) | (byte(i + 1) & 0x3F);
    i += 2;
    return c;
  }
  if (lead < 0xF0) {
    const char32_t c =
        ((lead & 0x0F) << 12) | ((byte(i + 1) & 0x3F) << 6) | (byte(i + 2) & 0x3F);
    i += 3;
    return c;
  }
  const char32_t c = ((lead & 0x07) << 18) | ((byte(i + 1) & 0x3F) << 12) |
                     ((byte(i + 2) & 0x3F) << 6) | (byte(i + 3) & 0x3F);
  i += 4;
  return c;
}

void decode(std::string_view text, std::vector<std::uint32_t>& out);
std::u32string decode(std::string_view text);
// Write text to out and return a view of it.
std::string_view encode(std::u32string_view text, std::string& out);

// The text without the white space at its end.
std::string_view strip_right(std::string_view text);
// The text without the white space at both ends.
std::string_view strip(std::string_view text);

}  // namespace tertium
