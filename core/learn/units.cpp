// SPDX-License-Identifier: Apache-2.0
#include "learn/units.hpp"

#include <algorithm>

#include "text/tokenize.hpp"
#include "text/unicode.hpp"

namespace tertium {

namespace {

// Cut at spaces alone; an empty line is one empty word, as in Java.
void split_at_spaces(Text text, std::vector<Text>& tokens) {
  std::size_t start = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] != ' ') continue;
    if (i > start) tokens.push_back(text.substr(start, i - start));
    start = i + 1;
  }
  if (tokens.empty()) tokens.push_back(text.substr(0, 0));
}

}  // namespace

UnitCounter::UnitCounter(const UnitOptions& options)
    : options_(options),
      char_grams_(options.char_order - (options.released && options.char_order > 0)) {}

void UnitCounter::cut(Text text) {
  tokens_.clear();
  if (options_.released) split_at_spaces(text, tokens_);
  else split(text, stops_, tokens_);
}

// Read the characters of the words cut last, joined by one space.
template <class Number>
void UnitCounter::read_chars(Side& side, Number&& number) const {
  std::size_t bytes = tokens_.size();  // there are no more symbols than bytes and spaces
  for (const Text token : tokens_) bytes += token.size();
  side.chars.resize(bytes);
  std::uint32_t* out = side.chars.data();
  for (const Text token : tokens_) {
    if (out != side.chars.data()) *out++ = number(U' ');
    for (std::size_t i = 0; i < token.size();) {
      const char32_t c = next_point(token, i);
      if (c < 0x10000 || !options_.released) {
        *out++ = number(c);
      } else {
        *out++ = number(0xD800 + ((c - 0x10000) >> 10));
        *out++ = number(0xDC00 + (c & 0x3FF));
      }
    }
  }
  side.length = static_cast<std::size_t>(out - side.chars.data());
  side.chars.resize(side.length - (options_.released && side.length > 0));
}

void UnitCounter::set_refs(std::span<const Text> refs) {
  count_ = refs.size();
  if (refs_.size() < count_) refs_.resize(count_);
  std::size_t bytes = 0;  // there is no more than one word more than bytes
  for (const Text ref : refs) bytes += ref.size() + 1;
  intern_.reset(bytes);
  numbers_.reset();
  for (std::size_t r = 0; r < count_; ++r) {
    Side& side = refs_[r].side;
    cut(refs[r]);
    side.words.clear();
    for (const Text token : tokens_) side.words.push_back(intern_.add(token));
    read_chars(side, [&](char32_t c) { return numbers_.add(c); });
  }
  for (std::size_t r = 0; r < count_; ++r) {
    Ref& own = refs_[r];
    const auto build = [](NgramCounts& counts, const Symbols& symbols, std::size_t orders,
                          std::size_t types) {
      counts.build(1, [&](std::size_t) -> const Symbols& { return symbols; }, symbols.size(),
                   orders, types);
    };
    if (char_grams_ > 0) build(own.chars, own.side.chars, char_grams_, numbers_.size());
    if (options_.word_order > 0)
      build(own.words, own.side.words, options_.word_order, intern_.size());
    own.skips.reserve(options_.gaps.size());
    while (own.skips.size() < options_.gaps.size())
      own.skips.emplace_back(options_.gaps[own.skips.size()]);
    for (SkipPairs& pairs : own.skips) pairs.set_ref(own.side.words, intern_.size());
  }
}

void UnitCounter::set_hyp(Text hyp) {
  cut(hyp);
  hyp_.words.clear();
  for (const Text token : tokens_) hyp_.words.push_back(intern_.find(token));
  read_chars(hyp_, [&](char32_t c) { return numbers_.find(c); });
}

std::size_t UnitCounter::word_total(std::size_t words, std::size_t n) const {
  return ngram_total(words, n) + (options_.released ? 2 : 0);
}

void UnitCounter::set_totals(const Side& hyp, const Side& ref, UnitCounts& out) const {
  out.char_length = {0, hyp.length, ref.length};
  out.word_length = {0, hyp.words.size(), ref.words.size()};
  out.chars.resize(options_.char_order);
  for (std::size_t n = 1; n <= options_.char_order; ++n)
    out.chars[n - 1] = {0, ngram_total(hyp.length, n), ngram_total(ref.length, n)};
  out.words.resize(options_.word_order);
  for (std::size_t n = 1; n <= options_.word_order; ++n)
    out.words[n - 1] = {0, word_total(hyp.words.size(), n), word_total(ref.words.size(), n)};
  out.skips.resize(options_.gaps.size());
}

// Of released word n-grams, the marked pieces at both ends that are equal.
std::size_t UnitCounter::common_borders(const Symbols& hyp, const Symbols& ref, std::size_t n) {
  const std::size_t size = std::min(n, hyp.size());
  if (size != std::min(n, ref.size())) return 0;
  const auto part = static_cast<std::ptrdiff_t>(size);
  return std::size_t{std::equal(hyp.begin(), hyp.begin() + part, ref.begin())} +
         std::size_t{std::equal(hyp.end() - part, hyp.end(), ref.end() - part)};
}

void UnitCounter::count(std::size_t r, UnitCounts& out) {
  Ref& own = refs_[r];
  set_totals(hyp_, own.side, out);
  if (options_.char_order > 0) {
    std::size_t n = 0;
    if (options_.released) {
      out.chars[0].common = std::min(hyp_.length, own.side.length);  // empty strings
      n = 1;
    }
    if (char_grams_ > 0)
      for (const std::size_t common : own.chars.match(hyp_.chars)) out.chars[n++].common = common;
  }
  if (options_.word_order > 0) {
    std::size_t n = 0;
    for (const std::size_t common : own.words.match(hyp_.words)) {
      const std::size_t borders =
          options_.released ? common_borders(hyp_.words, own.side.words, n + 1) : 0;
      out.words[n++].common = common + borders;
    }
  }
  for (std::size_t k = 0; k < own.skips.size(); ++k) {
    SkipPairs& pairs = own.skips[k];
    out.skips[k] = {pairs.common(hyp_.words), pairs.total(hyp_.words.size()),
                    pairs.total(own.side.words.size())};
  }
}

void UnitCounter::count_copy(std::size_t r, UnitCounts& out) const {
  const Ref& own = refs_[r];
  set_totals(own.side, own.side, out);
  for (auto* counts : {&out.chars, &out.words})
    for (UnitCount& count : *counts) count.common = count.ref;
  for (std::size_t k = 0; k < own.skips.size(); ++k) {
    const std::size_t total = own.skips[k].total(own.side.words.size());
    out.skips[k] = {total, total, total};
  }
}

}  // namespace tertium
