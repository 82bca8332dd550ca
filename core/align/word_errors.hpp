// SPDX-License-Identifier: Apache-2.0
// Errors of words, read off an alignment of single words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "align/pairs.hpp"

namespace tertium {

// What is wrong with a word; a word in another form may also be in the wrong place.
enum WordError : std::uint8_t {
  kForm = 1,    // matched by another matcher than the first, such as by its stem
  kOrder = 2,   // matched, but not in the longest rising sequence of matches
  kChoice = 4,  // unmatched, and stands for an unmatched word of the other text
  kAlone = 8,   // unmatched otherwise: extra in the output, missing of the reference
};

// The errors of one system: one byte per word, all segments in their order. Of several
// references the one with the fewest errors counts, of equal ones the first.
struct SystemErrors {
  std::string hyp, ref;
  std::vector<std::int32_t> links;    // by word of the output: its match, or -1
  std::vector<std::uint32_t> chosen;  // the number of the reference, by segment
};

// Between two neighbouring matches of the rising sequence, unmatched words of output and
// reference stand for each other from left to right; a word of `marks` (by number of the
// word) only stands for another. What one side has more is alone.
// O(m log m) for m matches.
SystemErrors word_errors(const PairBatch& batch, const std::vector<char>& marks,
                         std::size_t system, unsigned threads);

}  // namespace tertium
