// SPDX-License-Identifier: Apache-2.0
// One text of a segment as numbers, for the features of BEER 4.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "base/kernel.hpp"
#include "text/char_numbers.hpp"
#include "text/lexemes.hpp"
#include "text/letters.hpp"
#include "text/segment.hpp"
#include "text/word_list.hpp"

namespace tertium {

struct LexicalSide {
  using Symbols = std::vector<std::uint32_t>;

  enum class Rarity : std::uint8_t { kKnown, kCapital, kLower, kForeign };

  Symbols text;    // characters, with spaces as written
  Symbols chars;   // without spaces
  Symbols spaced;  // lower-cased words, with a space around each
  Symbols words, stems;
  std::vector<double> weights;    // of stems, by the word list
  std::vector<char> function;     // whether a word is a function word
  std::vector<Rarity> rarity;     // whether a word is missing from the list
  std::vector<char> name;         // whether a word looks like a name
  std::vector<Script> letters;    // the scripts of all letters
};

// Reads texts of one segment: references give characters and words their numbers.
class LexicalReader {
 public:
  explicit LexicalReader(const WordList* list) : list_(list) {}

  // Begin a segment whose references have so many bytes.
  void reset(std::size_t bytes);
  void read_ref(Text text, LexicalSide& side);
  void read_hyp(Text text, LexicalSide& side);

  std::size_t types() const { return words_.size(); }
  std::size_t stem_types() const { return stems_.size(); }
  // One more than the characters of references: the last number is for all others.
  std::size_t char_types() const { return numbers_.size() + 1; }

 private:
  template <class Number>
  void read_characters(const LexemeReader& reader, LexicalSide& side, Number&& number) const;
  void read_list(const LexemeReader& reader, LexicalSide& side) const;

  const WordList* list_;
  std::deque<LexemeReader> ref_readers_;  // which keep the words that have numbers
  std::size_t refs_ = 0;
  LexemeReader hyp_reader_;
  Interner words_, stems_;
  CharNumbers numbers_;
};

}  // namespace tertium
