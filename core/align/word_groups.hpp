// SPDX-License-Identifier: Apache-2.0
// Which words of a pair compete, for texts of up to 64 words with one key a word:
// nearly all pairs of an aligner of words and stems.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "align/candidates.hpp"
#include "align/cost.hpp"

namespace tertium {

// Words of equal key form a group: all its words match each other, and those of no
// other group. Sets of words are bits of a number, so that questions which take a
// loop over candidates elsewhere take a shift and an `and`.
//
// A group of one word on either side is taken by every best alignment: nothing speaks
// against covering more words. Next to such a match a repeated word is settled, too,
// where continuing the chunk surely saves one. What is settled, becomes a group of its
// own. These are the rules of AlignmentGraph, in the same order, so that both leave
// the same words contested.
class WordGroups {
 public:
  using Set = std::uint64_t;
  static constexpr std::size_t kWords = 64;

  struct Group {
    Set hyps = 0, refs = 0;
    // Whether its words have nothing to choose from.
    bool settled() const { return hyps == 0 || refs == 0 || (one(hyps) && one(refs)); }
  };

  explicit WordGroups(const MatcherSet& set);

  // Find and settle the groups of a pair. Returns false if that is not possible here:
  // if a text is too long or words have several keys.
  bool build(const Pair& pair);

  // Hypothesis words that still have a choice.
  Set contested() const { return contested_; }
  std::uint32_t hyp_words() const { return hyp_words_; }
  // The group of word h.
  const Group& words(std::uint32_t h) const { return groups_[hyp_group_[h + 1]]; }
  Match match(std::uint32_t h, std::uint32_t ref) const {
    return {h, 1, ref, 1, hyp_[h] == ref_[ref] ? equal_ : other_};
  }
  // The reference words before those that word h + 1 may stand for.
  Set before_next(std::uint32_t h) const { return groups_[hyp_group_[h + 2]].refs >> 1; }
  // What every best alignment adds from a word on, at least (see AlignmentGraph).
  void build_bounds(std::vector<AlignmentCost>& bounds) const;
  // Write all matches; chosen[h] is what the contested word h gets, if anything.
  void write(std::span<const std::uint32_t> chosen, std::vector<Match>& out) const;

  // How many words a set has. Without a processor's own instruction for it, which not
  // all have, std::popcount would be a call.
  static std::uint32_t count(Set set) {
    set -= set >> 1 & 0x5555555555555555;
    set = (set & 0x3333333333333333) + (set >> 2 & 0x3333333333333333);
    set = (set + (set >> 4)) & 0x0F0F0F0F0F0F0F0F;
    return static_cast<std::uint32_t>(set * 0x0101010101010101 >> 56);
  }
  // Call visit(word) for the words of a set, first to last.
  template <class Visit>
  static void for_each(Set set, Visit visit) {
    for (; set != 0; set &= set - 1) visit(static_cast<std::uint32_t>(std::countr_zero(set)));
  }

 private:
  // Larger groups are not settled, as in AlignmentGraph.
  static constexpr std::uint32_t kSettled = 256;

  static bool one(Set set) { return (set & (set - 1)) == 0; }  // or none
  static Set bit(std::uint32_t i) { return Set{1} << i; }

  template <class Key>
  void index(std::span<const std::uint32_t> ref, Key key);
  template <class Key>
  void find(Key key);
  void settle();
  void settle_word(std::uint32_t h);
  void settle_alone(Group& group);
  bool alone(const Group& group) const;
  bool one_matcher(const Group& group) const;
  void take(Group& group, std::uint32_t h, std::uint32_t ref);
  Group& group(std::uint32_t h) { return groups_[hyp_group_[h + 1]]; }
  // The reference words behind those that word h - 1 may stand for.
  Set behind_previous(std::uint32_t h) const { return groups_[hyp_group_[h]].refs << 1; }

  bool possible_;
  const std::uint32_t* keys_;            // of every word of the batch; null: the words are
  std::uint32_t equal_, other_;          // the matcher of equal words, and of others
  std::vector<std::uint8_t> key_group_;  // of every key: its group in the reference, or 0

  std::span<const std::uint32_t> hyp_, ref_;
  // Of the reference, which many outputs share; group 0 is that of words without any.
  std::uint32_t ref_groups_ = 1;
  std::array<Set, kWords + 1> ref_sets_ = {};
  std::array<std::uint8_t, kWords + 2> ref_group_of_ = {};

  std::uint32_t hyp_words_ = 0, count_ = 1;
  Set contested_ = 0, matched_ = 0;
  std::array<Group, 2 * kWords + 1> groups_;
  // The group of every word, at the word's place + 1: around the text there is none.
  std::array<std::uint8_t, kWords + 2> hyp_group_ = {}, ref_group_ = {};
  std::vector<std::uint32_t> few_, many_;
  std::vector<std::uint64_t> least_;
};

}  // namespace tertium
