// SPDX-License-Identifier: Apache-2.0
#include "text/word_list.hpp"

#include <bit>
#include <stdexcept>

namespace tertium {

std::uint64_t word_hash(std::string_view word) {
  std::uint64_t hash = 0xCBF29CE484222325ull;
  for (const char c : word) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001B3ull;
  }
  hash ^= hash >> 33;
  hash *= 0xFF51AFD7ED558CCDull;
  return hash ^ (hash >> 33);
}

WordList::WordList(std::span<const std::uint8_t> counts,
                   std::span<const std::uint16_t> fingerprints,
                   std::span<const std::uint8_t> bands)
    : fingerprints_(fingerprints.begin(), fingerprints.end()), bands_(bands.begin(), bands.end()) {
  if (!std::has_single_bit(counts.size()))
    throw std::invalid_argument("the number of buckets is not a power of two");
  first_.push_back(0);
  for (const std::uint8_t count : counts) first_.push_back(first_.back() + count);
  if (first_.back() != fingerprints_.size() || fingerprints_.size() != bands_.size())
    throw std::invalid_argument("buckets, fingerprints and bands do not fit together");
}

unsigned WordList::band(std::string_view word) const {
  const std::uint64_t hash = word_hash(word);
  const std::size_t bucket = hash & (first_.size() - 2);
  const auto fingerprint = static_cast<std::uint16_t>(hash >> 48);
  for (std::uint32_t i = first_[bucket]; i < first_[bucket + 1]; ++i)
    if (fingerprints_[i] == fingerprint) return bands_[i];
  return 0;
}

}  // namespace tertium
