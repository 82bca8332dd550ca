// SPDX-License-Identifier: Apache-2.0
// Texts as BEER 4 reads them: quotes and dashes normalised, cut into numbers with their
// separators, runs of letters, and single symbols.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tertium {

struct Lexeme {
  enum class Kind : std::uint8_t { kWord, kNumber, kSymbol };

  std::string_view lower;  // in lower case
  // The beginning of a long word, so that its inflected forms are equal; else the word.
  std::string_view stem;
  Kind kind;
  bool capital;  // starts with a capital letter
  bool ascii;
};

class LexemeReader {
 public:
  // Read a text; what was read before is forgotten.
  void read(std::string_view text);

  const std::vector<Lexeme>& lexemes() const { return lexemes_; }
  // The characters, single spaces between words as written.
  const std::vector<char32_t>& characters() const { return characters_; }

 private:
  void normalise(std::string_view text);
  std::size_t end_of(std::size_t begin, Lexeme::Kind& kind) const;
  void add(std::size_t begin, std::size_t end, Lexeme::Kind kind);

  std::vector<char32_t> characters_;
  std::string lower_;  // of all lexemes
  std::vector<Lexeme> lexemes_;
};

}  // namespace tertium
