// SPDX-License-Identifier: Apache-2.0
// Finds the bytes of a line where a tokeniser must look closer.
//
// Comparing every byte with a few ranges runs in vector registers; the result
// is a set of bits, so that the tokeniser jumps from stop to stop instead of
// guessing at every byte whether the word ends.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace tertium {

struct ByteRange {
  unsigned char first, last;
};

class Stops {
 public:
  // A stop is a byte in one of the ranges.
  template <std::size_t N>
  void scan(std::string_view line, const ByteRange (&ranges)[N]) {
    bits_.clear();
    for (std::size_t start = 0; start < line.size(); start += kBlock) {
      // Whole blocks and one range at a time: simple loops of a known length
      // run in vector registers.
      unsigned char bytes[kBlock] = {}, flags[kBlock] = {};
      const std::size_t length = std::min(kBlock, line.size() - start);
      std::memcpy(bytes, line.data() + start, length);
      for (const ByteRange range : ranges) {
        const auto width = static_cast<unsigned char>(range.last - range.first);
        for (std::size_t k = 0; k < kBlock; ++k)
          flags[k] |= static_cast<unsigned char>(bytes[k] - range.first) <= width;
      }
      bits_.push_back(pack(flags) & (~std::uint64_t{0} >> (kBlock - length)));
    }
  }

  // Call visit(place) for every stop, first to last.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t block = 0; block < bits_.size(); ++block)
      for (std::uint64_t bits = bits_[block]; bits != 0; bits &= bits - 1)
        visit(block * kBlock + static_cast<std::size_t>(std::countr_zero(bits)));
  }

 private:
  static constexpr std::size_t kBlock = 64;

  static std::uint64_t pack(const unsigned char* flags) {
    std::uint64_t packed = 0;
    if constexpr (std::endian::native == std::endian::little) {
      // Eight bytes of 0 or 1 to eight bits: the product brings byte k to bit
      // 56 + k, and no two terms meet.
      for (std::size_t g = 0; g < kBlock / 8; ++g) {
        std::uint64_t eight;
        std::memcpy(&eight, flags + 8 * g, 8);
        packed |= ((eight * 0x0102040810204080ull) >> 56) << (8 * g);
      }
    } else {
      for (std::size_t k = 0; k < kBlock; ++k) packed |= static_cast<std::uint64_t>(flags[k]) << k;
    }
    return packed;
  }

  std::vector<std::uint64_t> bits_;
};

}  // namespace tertium
