// SPDX-License-Identifier: Apache-2.0
// Clipped counts of character n-grams, word n-grams and skip bigrams (BEER).
//
// Characters are those of the words joined by one space, so n-grams cross
// words. `released` counts as the program of BEER 2.0 does:
//
// - words end at U+0020 alone, and an empty line is one empty word;
// - a window of n characters has n - 1 of them: so charN are the (N-1)-grams
//   of the text without its last character, and char1 counts empty strings;
// - word n-grams have two more pieces: the first n words with a mark before
//   them, the last n with a mark behind (fewer, if there are fewer);
// - characters are UTF-16 units.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/kernel.hpp"
#include "text/char_numbers.hpp"
#include "text/ngrams.hpp"
#include "text/segment.hpp"
#include "text/skip_pairs.hpp"
#include "text/stops.hpp"

namespace tertium {

struct UnitOptions {
  std::size_t char_order = 0;  // the longest n-grams; 0: none are counted
  std::size_t word_order = 0;
  std::vector<long> gaps;  // of skip bigrams; -1: any number of words between
  bool released = false;
};

struct UnitCount {
  std::size_t common = 0, hyp = 0, ref = 0;
  bool empty() const { return hyp == 0 && ref == 0; }
};

struct UnitCounts {
  std::vector<UnitCount> chars, words, skips;  // by order - 1, by gap
  UnitCount char_length, word_length;          // `common` is unused
};

// The counts of one segment: references are read once for many hypotheses.
class UnitCounter {
 public:
  explicit UnitCounter(const UnitOptions& options);

  void set_refs(std::span<const Text> refs);
  void set_hyp(Text hyp);
  std::size_t refs() const { return count_; }

  // The counts of the hypothesis with reference r.
  void count(std::size_t r, UnitCounts& out);
  // What count() gives for a hypothesis that equals reference r.
  void count_copy(std::size_t r, UnitCounts& out) const;

 private:
  using Symbols = std::vector<std::uint32_t>;

  struct Side {
    Symbols words, chars;
    std::size_t length = 0;  // characters, with those that windows leave out
  };
  struct Ref {
    Side side;
    NgramCounts chars, words;
    std::vector<SkipPairs> skips;
  };

  void cut(Text text);
  template <class Number>
  void read_chars(Side& side, Number&& number) const;
  void set_totals(const Side& hyp, const Side& ref, UnitCounts& out) const;
  std::size_t word_total(std::size_t words, std::size_t n) const;
  static std::size_t common_borders(const Symbols& hyp, const Symbols& ref, std::size_t n);

  UnitOptions options_;
  std::size_t char_grams_;  // the longest n-grams of Side::chars
  std::size_t count_ = 0;
  std::vector<Text> tokens_;
  Stops stops_;
  Interner intern_;
  CharNumbers numbers_;
  Side hyp_;
  std::vector<Ref> refs_;
};

}  // namespace tertium
