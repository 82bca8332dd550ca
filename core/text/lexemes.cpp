// SPDX-License-Identifier: Apache-2.0
#include "text/lexemes.hpp"

#include <algorithm>

#include "text/letters.hpp"
#include "text/unicode.hpp"

namespace tertium {

namespace {

constexpr std::size_t kShortWord = 4;  // characters of words without endings

char32_t plain(char32_t c) {
  switch (c) {
    case U'“': case U'”': case U'„': case U'‟': case U'«': case U'»': return U'"';
    case U'‘': case U'’': case U'‚': case U'‛': case U'`': case U'´': return U'\'';
    case U'‐': case U'‑': case U'‒': case U'–': case U'—': case U'―': case U'−': return U'-';
    default: return c;
  }
}

bool is_letter(char32_t c) {
  if (c < 0x80) return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z');
  const CharClass kind = char_class(c);
  return kind == kOther || kind == kCombining;
}

bool is_number(char32_t c) {
  return c < 0x80 ? c >= U'0' && c <= U'9' : char_class(c) == kNumber;
}

void append(std::string& out, char32_t c) {
  if (c < 0x80) {
    out.push_back(static_cast<char>(c));
    return;
  }
  std::string bytes;
  out += encode(std::u32string_view(&c, 1), bytes);
}

}  // namespace

void LexemeReader::read(std::string_view text) {
  normalise(text);
  lexemes_.clear();
  lower_.clear();
  lower_.reserve(4 * characters_.size());  // so that views into it stay valid
  for (std::size_t i = 0; i < characters_.size();) {
    if (characters_[i] == U' ') {
      ++i;
      continue;
    }
    Lexeme::Kind kind;
    const std::size_t end = end_of(i, kind);
    add(i, end, kind);
    i = end;
  }
}

void LexemeReader::normalise(std::string_view text) {
  characters_.clear();
  bool space = false;
  for (std::size_t i = 0; i < text.size();) {
    const char32_t c = plain(next_point(text, i));
    if (is_space(c)) {
      space = !characters_.empty();
      continue;
    }
    if (space) characters_.push_back(U' ');
    // Two single quotes are one double quote.
    if (c == U'\'' && !space && !characters_.empty() && characters_.back() == c)
      characters_.back() = U'"';
    else
      characters_.push_back(c);
    space = false;
  }
}

std::size_t LexemeReader::end_of(std::size_t begin, Lexeme::Kind& kind) const {
  const auto at = [&](std::size_t i) { return i < characters_.size() ? characters_[i] : U' '; };
  std::size_t end = begin + 1;
  if (is_number(at(begin))) {
    kind = Lexeme::Kind::kNumber;
    for (;; ++end) {
      const char32_t c = at(end);
      const bool separator = c == U'.' || c == U',' || c == U':';
      if (!is_number(c) && !(separator && is_number(at(end + 1)))) return end;
    }
  }
  if (!is_letter(at(begin))) {
    kind = char_class(at(begin)) == kSpaceless ? Lexeme::Kind::kWord : Lexeme::Kind::kSymbol;
    return end;
  }
  kind = Lexeme::Kind::kWord;
  while (at(end) != U' ' && is_letter(at(end))) ++end;
  return end;
}

void LexemeReader::add(std::size_t begin, std::size_t end, Lexeme::Kind kind) {
  const std::size_t size = end - begin;
  // Two thirds of a long word: endings are at most a third of it.
  const std::size_t stem =
      kind == Lexeme::Kind::kWord && size > kShortWord ? std::max(kShortWord, (2 * size + 2) / 3)
                                                       : size;
  const std::size_t start = lower_.size();
  std::size_t stem_end = start;
  bool ascii = true;
  for (std::size_t i = begin; i < end; ++i) {
    append(lower_, lower_case(characters_[i]));
    ascii = ascii && characters_[i] < 0x80;
    if (i + 1 - begin == stem) stem_end = lower_.size();
  }
  const std::string_view whole(lower_);
  lexemes_.push_back({whole.substr(start), whole.substr(start, stem_end - start), kind,
                      lower_case(characters_[begin]) != characters_[begin], ascii});
}

}  // namespace tertium
