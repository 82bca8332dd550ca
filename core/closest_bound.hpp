// SPDX-License-Identifier: Apache-2.0
// What a correction still costs at least.
//
// The bound is the cheapest correction of the tokens from p on into the references
// from state r on, if moved tokens were not known by name: leaving token p behind
// for a move and using an arc for a moved token are separate steps that each pay
// their share of the move and of the edit. It is exact where nothing moves, which is
// why so few pairs of states are visited. Adding the shares of the tokens that are
// late, and taking off those of tokens that went early, makes it consistent: no step
// pays less than the bound drops.
#pragma once

#include <vector>

#include "closest.hpp"

namespace tertium {

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
  // O(tokens * (arcs + symbols * window)).
  Bound(const Problem& problem, const MoveLattice& lattice);

  Price at(std::uint32_t lattice, std::size_t next, std::uint32_t state) const {
    const Price price = below_[next * states_ + state] + apart_[lattice];
    return price > 0 ? price : 0;
  }
  // A correction without moves costs so much.
  Price without_moves() const { return unmoved_; }

 private:
  std::size_t states_;
  std::vector<Price> below_, apart_;
  Price unmoved_;
};

}  // namespace tertium
