// SPDX-License-Identifier: Apache-2.0
// What candidates compete for: the problem that the search of an alignment solves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "align/candidates.hpp"
#include "align/cost.hpp"

namespace tertium {

// Candidates that share words, directly or through others, form a component. A
// component of one candidate is taken by every best alignment: nothing speaks
// against covering more words. Next to such a match a repeated word is settled,
// too, where continuing the chunk surely saves one. Of what is still contested,
// every reference word has a bit.
class AlignmentGraph {
 public:
  // In the order of how many candidates a component has: none, one, more.
  enum class Kind : std::uint8_t { kBare, kForced, kContested };

  struct Component {
    std::uint32_t candidates = 0, hyp_words = 0, ref_words = 0;
    std::uint32_t first_bit = 0;       // bits of a component are side by side
    std::uint32_t first_hyp = 0xFFFFFFFF;  // its first word in the hypothesis
    bool phrases = false;
    bool complete() const {  // all its words match each other
      return !phrases && candidates == std::uint64_t{hyp_words} * ref_words;
    }
  };

  // Candidates are in the order of CandidateFinder.
  void build(std::size_t hyp_words, std::size_t ref_words, std::span<const Match> candidates,
             std::span<const std::uint32_t> first);
  // Fill bound(); called only where it is needed.
  void build_bounds();

  std::uint32_t hyp_words() const { return static_cast<std::uint32_t>(kinds_.size()); }
  std::span<const Match> candidates() const { return candidates_; }
  // The numbers of the candidates that start at word h are first(h) .. first(h + 1).
  std::uint32_t first(std::uint32_t h) const { return first_[h]; }
  Kind kind(std::uint32_t h) const { return kinds_[h]; }
  const Component& component(std::uint32_t h) const { return components_[component_[h]]; }
  std::uint32_t left(std::uint32_t h) const { return left_[h]; }  // its words from h on
  std::uint32_t bit(std::uint32_t ref) const { return bit_[ref]; }
  std::uint32_t bits() const { return bits_; }
  std::uint32_t longest() const { return longest_; }  // hypothesis words of a candidate
  bool phrases() const { return phrases_; }  // whether a candidate is longer than a word
  bool contested() const { return bits_ > 0; }
  // Whether every contested component is complete: then a word once lost cannot be
  // made good, and some alignment loses none.
  bool complete() const { return complete_; }
  // Bits that no candidate wants that starts at word `to` or later but some that
  // starts in from .. to.
  std::span<const std::uint32_t> expiring(std::uint32_t from, std::uint32_t to) const {
    return std::span(expiring_).subspan(first_expiring_[from],
                                        first_expiring_[to] - first_expiring_[from]);
  }
  // Whether a candidate starts at hypothesis word h and reference word `ref`.
  bool starts(std::uint32_t h, std::uint32_t ref) const {
    if (h >= kinds_.size()) return false;
    for (std::uint32_t k = first_[h]; k < first_[h + 1]; ++k)
      if (candidates_[k].ref == ref) return true;
    return false;
  }
  // What every best alignment adds from word h on, at least.
  const AlignmentCost& bound(std::uint32_t h) const { return bounds_[h]; }
  std::span<const AlignmentCost> bounds() const { return bounds_; }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  // Larger components are not settled: it takes the square of their size.
  static constexpr std::uint32_t kSettled = 256;

  std::uint32_t root(std::uint32_t number);
  void find_components(std::size_t ref_words);
  void settle(std::size_t ref_words);
  void settle_word(std::uint32_t h);
  void settle_alone(Component& c);
  std::uint32_t first_contested(const Component& c) const;
  void force(std::uint32_t h, std::uint32_t ref);
  void fix(std::uint32_t h, std::uint32_t ref);
  bool may_start(std::uint32_t h, std::uint32_t ref) const;
  bool may_end(std::uint32_t h, std::uint32_t ref) const;
  template <class Visit>
  bool any_other(std::uint32_t h, Visit visit) const;
  void leave_out_settled();
  void number_bits(std::size_t ref_words);
  bool surely_starts_chunk(std::uint32_t h) const;

  std::span<const Match> candidates_;
  std::span<const std::uint32_t> first_;
  std::uint32_t bits_ = 0, longest_ = 1;
  bool complete_ = true, phrases_ = false;
  std::vector<std::uint32_t> parent_;  // of joined components
  std::vector<Component> components_;
  std::vector<std::uint32_t> contested_;  // words, rising
  std::vector<Kind> kinds_;
  std::vector<std::uint32_t> begin_, end_;  // reference words where a forced match at h
                                            // begins, and where one ends before h
  std::vector<char> ref_fixed_;
  std::vector<std::uint32_t> hyps_, refs_;  // words of a component
  std::vector<std::uint64_t> least_;
  std::vector<std::uint32_t> next_;  // contested word of the same component
  std::vector<Match> open_;          // candidates that are left
  std::vector<std::uint32_t> open_first_;
  std::vector<std::uint32_t> component_, ref_component_, left_, bit_;
  std::vector<std::uint32_t> last_start_, expiring_, first_expiring_;
  std::vector<AlignmentCost> bounds_;
};

}  // namespace tertium
