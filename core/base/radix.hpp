// SPDX-License-Identifier: Apache-2.0
// Sorting of many records by a 64-bit key, such as the bits of a number.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tertium {

// Keys that sort as the numbers do; 0 and -0 are one.
inline std::uint64_t sort_key(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
  return bits >> 63 ? ~bits : bits | std::uint64_t{1} << 63;
}

inline double from_sort_key(std::uint64_t key) {
  return std::bit_cast<double>(key >> 63 ? key & ~(std::uint64_t{1} << 63) : ~key);
}

// Sort records by their member `key`: the highest 31 bits (of a number: sign,
// exponent, 19 bits of the mantissa) in three passes from the lowest, leaving out
// digits that are all alike; then the few runs in which these do not decide.
// Equal keys keep their order. O(n log n) at worst, nearly O(n) for measured numbers;
// few records are sorted faster by comparing them. `other` is scratch.
template <class Record>
void sort_by_key(std::vector<Record>& records, std::vector<Record>& other) {
  constexpr unsigned kBits = 11, kDigits = 3, kLow = 33;
  constexpr std::size_t kValues = std::size_t{1} << kBits;
  const auto before = [](const Record& a, const Record& b) { return a.key < b.key; };
  if (records.size() < kValues) {
    std::stable_sort(records.begin(), records.end(), before);
    return;
  }
  const auto digit = [](const Record& record, unsigned d) {
    return static_cast<std::size_t>(record.key >> (kLow + d * kBits) & (kValues - 1));
  };
  std::vector<std::array<std::size_t, kValues>> places(kDigits);
  for (const Record& record : records)
    for (unsigned d = 0; d < kDigits; ++d) ++places[d][digit(record, d)];
  other.resize(records.size());
  for (unsigned d = 0; d < kDigits; ++d) {
    std::array<std::size_t, kValues>& place = places[d];
    if (std::find(place.begin(), place.end(), records.size()) != place.end()) continue;
    std::size_t sum = 0;
    for (std::size_t& entry : place) {
      const std::size_t count = entry;
      entry = sum;
      sum += count;
    }
    for (const Record& record : records) other[place[digit(record, d)]++] = record;
    records.swap(other);
  }
  for (auto from = records.begin(), to = from; from != records.end(); from = to) {
    bool equal = true;
    for (to = from + 1; to != records.end() && to->key >> kLow == from->key >> kLow; ++to)
      equal = equal && to->key == from->key;
    if (!equal) std::stable_sort(from, to, before);
  }
}

}  // namespace tertium
