// SPDX-License-Identifier: Apache-2.0
// The choice of matches: a beam search over the words of the hypothesis.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pairs.hpp"

namespace tertium {

// Chooses matches that share no word so that, in this order of importance,
//   1. most words are covered, of both texts together;
//   2. there are fewest chunks: runs of matches that are neighbours in the same
//      order in both texts;
//   3. the sum of |first hypothesis word - first reference word| is smallest;
//   4. the sum of the matchers' numbers is smallest (exact before stem).
// What is equal in all of these is decided by the order of the search, which
// depends on nothing but the pair.
//
// Candidates that share words, directly or through others, form a component. A
// component of one candidate is always taken. The states of the search are sets
// of used reference words of the other components, with the place where the
// current chunk could go on; equal states are merged, which loses nothing. So the
// result is the best there is unless more than `beam` states were alive before
// one of the words.
//
// Cost: O(words + candidates x states).
class AlignmentSearch {
 public:
  explicit AlignmentSearch(std::size_t beam) : beam_(beam) {}

  // Write the best matches to `out`, by first hypothesis word. Candidates are in
  // the order of CandidateFinder. Returns whether the result is surely optimal.
  bool run(std::size_t hyp_words, std::size_t ref_words, std::span<const Match> candidates,
           std::span<const std::uint32_t> first, std::vector<Match>& out);

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  struct Component {
    std::uint32_t candidates = 0;
    std::uint32_t hyp_words = 0, ref_words = 0;
    std::uint32_t first_bit = 0;
    bool phrases = false;
  };
  struct Cost {
    std::uint64_t lost_chunks;  // words surely lost << 32 | chunks
    std::uint64_t far;          // displacement << 24 | sum of matchers
    auto operator<=>(const Cost&) const = default;
  };
  struct State {
    Cost cost;
    std::uint32_t end;    // where a match would continue the chunk, 0: nowhere
    std::uint32_t trail;  // the last candidate taken and those before it
  };
  struct Step {
    std::uint32_t before, candidate;
  };
  // The states before one hypothesis word, with their used reference words.
  struct Layer {
    std::vector<State> states;
    std::vector<std::uint64_t> used;
    std::vector<std::uint32_t> table;  // of state numbers + 1, by hash
    void clear();
  };

  std::uint32_t root(std::uint32_t node);
  void join(std::uint32_t a, std::uint32_t b);
  void find_components();
  void number_bits();
  template <std::size_t kFixed>
  void search();
  template <std::size_t kFixed>
  std::uint32_t pass(std::uint32_t h, Layer& now);
  template <std::size_t kFixed>
  void expand(std::uint32_t h, Layer& now);
  template <std::size_t kFixed>
  void insert(std::uint32_t at, const State& state, const std::uint64_t* used);
  template <std::size_t kFixed>
  void prune(Layer& now);
  template <std::size_t kFixed>
  std::uint32_t count_used(const std::uint64_t* used, std::uint32_t from, std::uint32_t to) const;
  void grow(Layer& to, std::size_t words) const;
  std::uint32_t potential(const Component& c, std::uint32_t hyp_left, std::uint32_t used) const;
  bool can_continue(std::uint32_t at, std::uint32_t end) const;
  Layer& layer(std::uint32_t at) { return layers_[at % layers_.size()]; }
  static void add(State& state, const Match& match);

  std::size_t beam_, width_ = 0, hyp_words_ = 0, ref_words_ = 0, words_ = 0;
  std::uint32_t longest_ = 1;  // hypothesis words of a candidate
  bool complete_ = false;      // every loss is for good, so only lossless states matter
  bool exact_ = true;
  std::span<const Match> candidates_;
  std::span<const std::uint32_t> first_;
  std::vector<std::uint32_t> parent_;     // union-find: hypothesis, then reference words
  std::vector<std::uint32_t> component_;  // of every hypothesis word, or kNone
  std::vector<std::uint32_t> number_;     // of a component, by its root
  std::vector<Component> components_;
  std::vector<std::uint32_t> bit_;        // of every reference word
  std::vector<std::uint32_t> left_;       // words of the component from here on
  std::vector<std::uint32_t> last_start_;
  std::vector<std::uint32_t> expiring_, first_expiring_;  // bits, by hypothesis word
  std::vector<Layer> layers_;
  std::vector<Step> trails_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint64_t> scratch_;
  Layer kept_;
};

}  // namespace tertium
