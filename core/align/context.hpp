// SPDX-License-Identifier: Apache-2.0
// Words identified by their context (Isozaki et al. 2010, 3.1): RIBES's aligner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/pace.hpp"

namespace tertium {

// A word of the hypothesis and the word of the reference it was identified with.
struct Identified {
  std::uint32_t hyp, ref;
};

// The scratch memory of one thread.
class ContextAligner {
 public:
  // The hypothesis words that can be identified, in order: by being unique in
  // both texts, or unique there together with the words to their right or left,
  // for the smallest such context. Words are numbers up to `types`. Two words may
  // be identified with one reference word, by its right and by its left context.
  std::span<const Identified> align(std::span<const std::uint32_t> hyp,
                                    std::span<const std::uint32_t> ref, std::size_t types);

 private:
  using Symbols = std::span<const std::uint32_t>;

  // The occurrences of one word in a text, thinned out while its context grows.
  class Occurrences {
   public:
    void start(Symbols text, std::uint32_t word);
    // Keep the places whose neighbour at `offset` is `word`.
    void keep(std::ptrdiff_t offset, std::uint32_t word);
    std::size_t size() const { return places_.size(); }
    std::uint32_t front() const { return places_.front(); }

   private:
    Symbols text_;
    std::vector<std::uint32_t> places_;
  };

  void by_context(Symbols hyp, Symbols ref, std::uint32_t i);

  std::vector<std::uint32_t> hyp_counts_, ref_counts_;  // all 0 between calls
  Occurrences right_ref_, left_ref_, right_hyp_, left_hyp_;
  std::vector<Identified> found_;
  Pace pace_;
};

}  // namespace tertium
