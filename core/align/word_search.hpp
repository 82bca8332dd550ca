// SPDX-License-Identifier: Apache-2.0
// The search of AlignmentSearch once more, for pairs without phrases and with at most
// 64 contested reference words: nearly all. It goes through the same states in the
// same order, but what depends on a word or a candidate alone is worked out once, and
// a state is one record.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "align/cost.hpp"
#include "align/pairs.hpp"
#include "base/pace.hpp"

namespace tertium {

class WordSearch {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  // A contested word of the hypothesis. Reference words that it competes for have
  // bits, whose numbers are the caller's.
  struct Stop {
    std::uint32_t hyp;
    std::uint32_t left;           // words of its component from here on
    std::uint32_t refs;           // reference words of its component,
    std::uint64_t own;            // and their bits
    std::uint64_t expiring;       // bits that are unused after it
    bool may_go_without = true;   // whether it need not be matched
    std::uint32_t first = 0, last = 0;  // its options
  };

  // Describe a pair: one call for every word of the hypothesis, first to last.
  void start(std::size_t hyp_words, bool complete);
  void add_bare();
  void add_settled(const Match& match);
  // `goes_on`: whether one of the options behind is next to what is settled before.
  template <class GoesOn>
  void add_contested(const Stop& stop, GoesOn goes_on) {
    if (stride_.end != 0 && !goes_on(stride_.end)) stride_.end = 0;
    add_stop(stop);
  }
  // An option of the last contested word; by reference. `goes_on`: whether a candidate
  // of the next word is next to it.
  void add_option(const Match& match, std::uint64_t bit, bool goes_on);
  void close();
  std::size_t candidates() const { return settled_ + options_.size(); }

  // What every best alignment adds from word h on, at least; for a pass with a limit.
  void set_bounds(std::span<const AlignmentCost> bounds) { bounds_ = bounds; }
  // Search from the first word to past the last one, leaving out what costs as much
  // as `limit`; return whether states were dropped for lack of room.
  bool pass(std::size_t width, const AlignmentCost* limit);
  // The cost of the best alignment, null if all were left out.
  const AlignmentCost* best() const { return now_.empty() ? nullptr : &now_.front().cost; }
  // Make the best alignment that of chosen().
  void keep();
  // For every contested word the reference word that it gets, or kNone.
  std::span<const std::uint32_t> chosen() const { return chosen_; }

 private:
  // All words between two contested ones. Behind its first match it is the same for
  // all states.
  struct Stride {
    std::uint64_t far = 0;
    std::uint32_t words = 0, chunks = 0;
    std::uint32_t continues = kNone;  // a chunk less for states with this end
    std::uint32_t end = 0;
  };
  struct Option {  // a candidate of a contested word
    std::uint64_t bit, far;
    std::uint32_t hyp, ref;
    std::uint32_t continues, end;  // the end is 0 where nothing could go on
  };
  struct State {
    AlignmentCost cost;
    std::uint64_t used = 0;
    std::uint32_t end = 0;  // where a match would continue the chunk, 0: nowhere
    std::uint32_t trail = kNone;  // the last option taken and those before it
  };
  struct Rank {
    AlignmentCost cost;
    std::uint32_t number;
    auto operator<=>(const Rank&) const = default;
  };
  struct Step {
    std::uint32_t before, option;
  };

  static std::uint32_t continued(std::uint32_t ref) { return ref == 0 ? kNone : ref; }
  void add_stop(const Stop& stop);
  void stride(const Stride& stride);
  void expand(const Stop& stop);
  // Add a state unless it costs too much or an equal one is as good.
  void insert(const State& state, std::uint32_t taken) {
    if (state.cost < ceiling_) insert_or_merge(state, taken);
  }
  void insert_or_merge(const State& state, std::uint32_t taken);
  void rehash();
  bool prune(std::size_t width);

  bool complete_ = true;
  std::uint32_t hyp_words_ = 0, settled_ = 0;
  Stride stride_;  // under construction
  std::vector<Stop> stops_;
  std::vector<Stride> strides_;  // before every stop, and after the last one
  std::vector<Option> options_;

  std::span<const AlignmentCost> bounds_;
  AlignmentCost ceiling_;  // what states that are inserted must stay below
  std::vector<State> now_, next_;
  std::vector<std::uint32_t> table_;  // of next_: numbers + 1
  std::vector<Step> trails_;
  std::vector<Rank> ranks_;
  std::vector<std::uint32_t> chosen_;
  Pace pace_;
};

}  // namespace tertium
