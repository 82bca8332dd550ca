// SPDX-License-Identifier: Apache-2.0
// What a correction still costs at least.
//
// The bound is the cheapest correction of the tokens from p on into the references
// from state r on, if moved tokens were not known by name: leaving token i behind for
// a move costs share[i], and using an arc for a moved token what is left of the move
// and of the edit into its symbol, whichever token near p that is cheapest for. It is
// exact where nothing moves, which is why so few pairs of states are visited. Adding
// what tokens that are late have still to pay, and taking off what tokens that went
// early have paid ahead, makes it consistent: no step pays less than the bound drops.
//
// Any shares do; the best are those where the tokens left behind are the tokens that
// arcs were used for (Lagrangian relaxation: share[i] is the price of using token i
// twice or not at all). A few steps of subgradient ascent come near to them.
#pragma once

#include <chrono>
#include <vector>

#include "automata/closest.hpp"

namespace tertium {

using Clock = std::chrono::steady_clock;

// A hypothesis, its edit model and the references it is corrected into.
struct Problem {
  const Acceptor& references;
  const EditModel& model;
  std::span<const Compound> compounds;
  std::vector<const TokenRow*> tokens;
  int moves;
};

class Bound {
 public:
  // O(tokens * (arcs + symbols * window)), times the steps of ascent.
  Bound(const Problem& problem, const MoveLattice& lattice, Clock::time_point deadline);

  Price at(std::uint32_t lattice, std::uint32_t state) const {
    const Price price = below_[lattice_.next(lattice) * states_ + state] + apart_[lattice];
    return price > 0 ? price : 0;
  }
  // A correction without moves costs so much.
  Price without_moves() const { return unmoved_; }

 private:
  // The tokens that were left behind and used, in the cheapest way from the start.
  struct Uses {
    std::vector<int> behind, ahead;
  };

  void read_edits();
  void read_unmoved();
  void set_initial_shares();
  void measure(const std::vector<Price>& share, std::vector<Price>& below);
  void find_arcs_alone(const std::vector<Price>& share, std::size_t next);
  Price token_alone(const std::vector<Price>& share, std::size_t token) const;
  Uses follow(const std::vector<Price>& share, const std::vector<Price>& below);
  void ascend(Clock::time_point deadline);

  const Problem& problem_;
  const MoveLattice& lattice_;
  std::size_t states_, symbols_ = 0;
  Price insert_, join_, move_, unmoved_ = kNever;
  std::vector<std::uint8_t> used_, continues_;  // symbols; tokens that may go on a join
  std::vector<Price> edit_;                     // of every token into every symbol
  std::vector<Price> share_, below_, apart_;
  // Of the tokens before `next`: what each symbol costs by a moved token, and by which.
  std::vector<Price> arc_alone_;
  std::vector<std::int32_t> arc_token_;
};

}  // namespace tertium
