// SPDX-License-Identifier: Apache-2.0
// Word classes by the exchange algorithm (Kneser and Ney 1993; Martin, Liermann and Ney
// 1998): words move, one at a time, to the class with which a class bigram model gives
// the text the highest likelihood.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tertium {

// Sentence i has the words [starts[i], starts[i + 1]), numbers below `types`.
struct WordLists {
  std::span<const std::uint32_t> words;
  std::span<const std::uint64_t> starts;
  std::size_t types = 0;
};

struct WordClasses {
  std::vector<std::uint32_t> classes;   // of every word
  std::vector<double> log_likelihoods;  // at the start, and after each iteration
};

// The most frequent words start in a class each, and the others in random ones. Ends
// early when no word moves. An iteration takes O(classes · neighbours) per word, where
// neighbours are the classes next to it.
WordClasses exchange_classes(const WordLists& text, std::size_t classes,
                             std::size_t iterations, std::uint64_t seed);

}  // namespace tertium
