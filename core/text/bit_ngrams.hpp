// SPDX-License-Identifier: Apache-2.0
// Clipped n-gram matches with one short reference, bit-parallel.
//
// M(n, i) is the set of reference positions where the n-gram that starts at
// hypothesis position i occurs, one bit a position:
//
//   M(1, i) = positions of the symbol at i
//   M(n, i) = M(1, i) and (M(n - 1, i + 1) moved down by one)
//
// Equal n-grams have equal sets, so clipping means that every hypothesis
// n-gram takes one position of its set that no other has taken. No table of
// n-grams is needed, and no branch depends on the text. The cost is
// |hyp| * orders * |ref| / 64 steps.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/compiler.hpp"

namespace tertium {

class BitNgrams {
 public:
  static constexpr std::size_t kMaxLength = 512;  // longer ones suit the trie

  void build(std::span<const std::uint32_t> symbols, std::size_t max_order, std::size_t types) {
    orders_ = max_order;
    types_ = types;
    words_ = std::max<std::size_t>(1, (symbols.size() + 63) / 64);
    masks_.assign((types + 1) * words_, 0);  // the last one for unknown symbols
    for (std::size_t i = 0; i < symbols.size(); ++i)
      masks_[symbols[i] * words_ + i / 64] |= std::uint64_t{1} << (i % 64);
  }

  // Add the clipped matches of order n to matches[n - 1].
  void match(std::span<const std::uint32_t> symbols, std::size_t* matches) {
    switch (orders_) {  // the usual ones: chrF++ words, BLEU, BEER, chrF
      case 2: return match_orders<2>(symbols, matches);
      case 4: return match_orders<4>(symbols, matches);
      case 5: return match_orders<5>(symbols, matches);
      case 6: return match_orders<6>(symbols, matches);
      default: return match_orders<0>(symbols, matches);
    }
  }

 private:
  template <std::size_t W>
  using Set = std::array<std::uint64_t, W>;

  // N orders, or any number if N is 0.
  template <std::size_t N>
  void match_orders(std::span<const std::uint32_t> symbols, std::size_t* matches) {
    switch (words_) {
      case 1: return match_words<N, 1>(symbols, matches);
      case 2: return match_words<N, 2>(symbols, matches);
      case 3: return match_words<N, 3>(symbols, matches);
      case 4: return match_words<N, 4>(symbols, matches);
      case 5: return match_words<N, 5>(symbols, matches);
      case 6: return match_words<N, 6>(symbols, matches);
      case 7: return match_words<N, 7>(symbols, matches);
      default: return match_words<N, 8>(symbols, matches);
    }
  }

  template <std::size_t N, std::size_t W>
  void match_words(std::span<const std::uint32_t> symbols, std::size_t* matches) {
    if constexpr (N > 0) {
      // Arrays of known size stay in registers as far as they fit.
      std::array<Set<W>, N> behind{}, taken{};
      std::array<std::size_t, N> found{};
      run<W>(symbols, N, behind.data(), taken.data(), found.data());
      for (std::size_t n = 0; n < N; ++n) matches[n] += found[n];
    } else {
      std::vector<Set<W>> behind(orders_), taken(orders_);
      run<W>(symbols, orders_, behind.data(), taken.data(), matches);
    }
  }

  // behind: the sets of the position behind; taken: the places taken.
  template <std::size_t W>
  TERTIUM_INLINE void run(std::span<const std::uint32_t> symbols, std::size_t orders, Set<W>* behind,
                  Set<W>* taken, std::size_t* matches) const {
    for (std::size_t i = symbols.size(); i-- > 0;) {
      const std::size_t symbol = std::min<std::size_t>(symbols[i], types_);
      Set<W> mask;
      for (std::size_t w = 0; w < W; ++w) mask[w] = masks_[symbol * W + w];
      Set<W> carried = behind[0];
      behind[0] = mask;
      matches[0] += take<W>(mask, taken[0]);
      for (std::size_t n = 1; n < orders; ++n) {
        Set<W> set;
        for (std::size_t w = 0; w < W; ++w) {
          const std::uint64_t above = w + 1 < W ? carried[w + 1] << 63 : 0;
          set[w] = mask[w] & (carried[w] >> 1 | above);
        }
        carried = behind[n];
        behind[n] = set;
        matches[n] += take<W>(set, taken[n]);
      }
    }
  }

  // Take the first free position of a set; tell if there was one.
  template <std::size_t W>
  static std::size_t take(const Set<W>& set, Set<W>& taken) {
    std::uint64_t found = 0;  // all ones as soon as one is taken
    for (std::size_t w = 0; w < W; ++w) {
      const std::uint64_t free = set[w] & ~taken[w];
      taken[w] |= free & (~free + 1) & ~found;
      found |= std::uint64_t{0} - (free != 0);
    }
    return found & 1;
  }

  std::size_t orders_ = 0, types_ = 0, words_ = 1;
  std::vector<std::uint64_t> masks_;
};

}  // namespace tertium
