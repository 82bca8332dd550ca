// SPDX-License-Identifier: Apache-2.0
#include "learn/lexical_side.hpp"

#include <algorithm>

#include "text/unicode.hpp"

namespace tertium {

namespace {

// Zipf values, in tenths: more frequent words are function words, rarer ones are in no
// list of the language.
constexpr unsigned kFunction = 60, kRare = 20;

// Rare words weigh more: 8 minus the Zipf value, within limits.
double rarity_weight(unsigned band) { return std::clamp(8.0 - band / 10.0, 0.3, 7.0); }

}  // namespace

void LexicalReader::reset(std::size_t bytes) {
  refs_ = 0;
  words_.reset(bytes + 1);
  stems_.reset(bytes + 1);
  numbers_.reset();
}

// The characters of a text in the three forms that features count.
template <class Number>
void LexicalReader::read_characters(const LexemeReader& reader, LexicalSide& side,
                                    Number&& number) const {
  side.text.clear();
  side.chars.clear();
  side.spaced.clear();
  side.letters.clear();
  for (const char32_t c : reader.characters()) {
    side.text.push_back(number(c));
    if (c == U' ') continue;
    side.chars.push_back(side.text.back());
    const Script script = script_of(c);
    if (script != Script::kUncommon) side.letters.push_back(script);
  }
  for (const Lexeme& lexeme : reader.lexemes()) {
    side.spaced.push_back(number(U' '));
    for (std::size_t i = 0; i < lexeme.lower.size();)
      side.spaced.push_back(number(next_point(lexeme.lower, i)));
  }
  if (!side.spaced.empty()) side.spaced.push_back(number(U' '));
}

void LexicalReader::read_list(const LexemeReader& reader, LexicalSide& side) const {
  using Rarity = LexicalSide::Rarity;
  side.weights.clear();
  side.function.clear();
  side.rarity.clear();
  side.name.clear();
  if (list_ == nullptr) return;
  for (const Lexeme& lexeme : reader.lexemes()) {
    const unsigned band = list_->band(lexeme.lower);
    side.weights.push_back(rarity_weight(band));
    side.function.push_back(band >= kFunction);
    const bool known = lexeme.kind != Lexeme::Kind::kWord || band >= kRare;
    side.rarity.push_back(known            ? Rarity::kKnown
                          : !lexeme.ascii  ? Rarity::kForeign
                          : lexeme.capital ? Rarity::kCapital
                                           : Rarity::kLower);
    // The first word of a sentence has a capital in any case.
    side.name.push_back(lexeme.capital && (!side.name.empty() || !known));
  }
}

void LexicalReader::read_ref(Text text, LexicalSide& side) {
  if (ref_readers_.size() <= refs_) ref_readers_.emplace_back();
  LexemeReader& reader = ref_readers_[refs_++];
  reader.read(text);
  read_characters(reader, side, [&](char32_t c) { return numbers_.add(c); });
  read_list(reader, side);
  side.words.clear();
  side.stems.clear();
  for (const Lexeme& lexeme : reader.lexemes()) {
    side.words.push_back(words_.add(lexeme.lower));
    side.stems.push_back(stems_.add(lexeme.stem));
  }
}

void LexicalReader::read_hyp(Text text, LexicalSide& side) {
  hyp_reader_.read(text);
  const auto other = static_cast<std::uint32_t>(numbers_.size());
  read_characters(hyp_reader_, side,
                  [&](char32_t c) { return std::min(numbers_.find(c), other); });
  read_list(hyp_reader_, side);
  side.words.clear();
  side.stems.clear();
  for (const Lexeme& lexeme : hyp_reader_.lexemes()) {
    side.words.push_back(words_.find(lexeme.lower));
    side.stems.push_back(stems_.find(lexeme.stem));
  }
}

}  // namespace tertium
