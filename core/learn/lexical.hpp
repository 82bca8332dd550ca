// SPDX-License-Identifier: Apache-2.0
// The features of BEER 4: agreement of two texts in characters, words, order and length,
// and with a word list in rare words, function words and words of no known language.
//
// A copy of the reference has the largest value of every feature: 1 of shares, 0 of
// losses, which are negative.
#pragma once

#include <cstddef>
#include <memory>

#include "base/kernel.hpp"
#include "learn/linear_model.hpp"
#include "text/word_list.hpp"

namespace tertium {

// Column numbers. P and R of a unit are neighbours.
namespace lexical {
constexpr std::size_t kCharOrders = 6;    // of characters without spaces, as written
constexpr std::size_t kSpacedOrders = 4;  // 2 to 5, of lower-cased words with spaces
constexpr std::size_t kChars = 0;
constexpr std::size_t kSpaced = kChars + 2 * kCharOrders;
constexpr std::size_t kWords = kSpaced + 2 * kSpacedOrders;
// Without a word list pairs of neighbours and of words within four; with one stems by
// their rarity and function words.
constexpr std::size_t kPairs = kWords + 2;
constexpr std::size_t kOrder = kPairs + 4;  // continuity, coverage, chunks, rising
constexpr std::size_t kEdits = kOrder + 4;  // edits, and P and R of the subsequence
constexpr std::size_t kLength = kEdits + 3;  // words: difference, lack; characters: same
constexpr std::size_t kScript = kLength + 4;
constexpr std::size_t kPlain = kScript + 1;    // the features without a word list
constexpr std::size_t kUnknown = kPlain;       // rate and count of three kinds
constexpr std::size_t kListed = kUnknown + 6;  // the features with one
}  // namespace lexical

// The list may be null, and must live as long as the kernel.
std::unique_ptr<Kernel> make_lexical_features(std::shared_ptr<const WordList> list);
// The row is (score, 1), with the best reference; the score of rows is their mean.
std::unique_ptr<Kernel> make_lexical_model(std::shared_ptr<const WordList> list,
                                           const LinearOptions& model);

}  // namespace tertium
