// SPDX-License-Identifier: Apache-2.0
// How frequent the words of a language are, in three bytes per word.
//
// A word is a bucket and a fingerprint of 16 bits, both from a hash of its bytes, so a
// word that is not in the list is taken for one that is about once in 20,000 times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tertium {

// FNV-1a with a final mix: the same on every machine, as files depend on it.
std::uint64_t word_hash(std::string_view word);

class WordList {
 public:
  // `counts` are the words of every bucket, a power of two of them; fingerprints and
  // bands are those of all buckets one after the other.
  WordList(std::span<const std::uint8_t> counts, std::span<const std::uint16_t> fingerprints,
           std::span<const std::uint8_t> bands);

  // Ten times the Zipf value of a word (log10 of its frequency per billion words); 0 if
  // it is not in the list.
  unsigned band(std::string_view word) const;

 private:
  std::vector<std::uint32_t> first_;  // of every bucket, and the end
  std::vector<std::uint16_t> fingerprints_;
  std::vector<std::uint8_t> bands_;
};

}  // namespace tertium
