// SPDX-License-Identifier: Apache-2.0
// AMBER (Chen and Kuhn 2011): precision, recall and F of n-grams, times ten penalties,
// averaged over several forms of the text.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/kernel.hpp"
#include "text/tokenize.hpp"

namespace tertium {

// What becomes of a word of more than kAmberPart characters; shorter ones are kept.
enum class AmberForm : std::uint8_t {
  kWords,        // kept
  kStems,        // its stem, which the caller supplies
  kPrefixes,     // its first characters
  kSuffixes,     // its last characters
  kPrefixSplit,  // two tokens: its first characters, the others
  kSuffixSplit,  // two tokens: the others, its last characters
  kPieces,       // tokens of kAmberPart characters each, the last one shorter
  kWindows,      // all its substrings of kAmberPart characters
};

constexpr std::size_t kAmberPart = 4;
// Where stems are a form, a text is followed by this and its stems, separated by spaces.
constexpr char kAmberStems = '\x1E';
constexpr std::size_t kAmberPenalties = 10;

struct AmberOptions {
  Scheme scheme = Scheme::kNone;
  std::vector<AmberForm> forms;
  std::size_t max_order = 4;
  double alpha = 0.9;           // weight of recall in F
  std::array<double, 3> theta;  // weights of AvgP, Fmean and AvgF
  double gamma = 0.1, beta = 3;  // of the chunk penalty
  // Exponents of the penalties: brevity and redundancy in words and in characters, short
  // and long words, chunks, continuity, Spearman, Kendall.
  std::array<double, kAmberPenalties> weights;
};

// Row, one block per form: matches, n-grams of hyp and n-grams of ref by order; words of
// the shorter and of the longer text; characters of the shorter text, of the longer text
// and of ref; differences in short and in long words; chunks; by order from 2 the matches
// that could continue; aligned words times Spearman's share, times Kendall's share, and
// aligned words. Of several references the one with the best score counts, form by form.
std::unique_ptr<Kernel> make_amber(AmberOptions options);

}  // namespace tertium
