// SPDX-License-Identifier: Apache-2.0
#include "closest_bound.hpp"

#include <algorithm>

namespace tertium {

namespace {

// An edit of a token into a symbol, split into what the token and what the symbol
// would pay alone: in proportion to leaving out and inserting.
struct Split {
  std::int64_t drop, insert;

  Price token(Price price) const {
    if (drop + insert == 0) return 0;
    return cost_of(price) * drop / (drop + insert) << kCostShift;
  }
};

}  // namespace

Bound::Bound(const Problem& problem, const MoveLattice& lattice)
    : states_(problem.references.size()) {
  const EditModel& model = problem.model;
  const Acceptor& references = problem.references;
  const std::size_t n = problem.tokens.size();
  std::size_t symbols = 0;
  for (const Acceptor::Arc& arc : references.arcs)
    symbols = std::max<std::size_t>(symbols, arc.symbol + 1);
  std::vector<std::uint8_t> used(symbols, 0);
  for (const Acceptor::Arc& arc : references.arcs) used[arc.symbol] = 1;

  const bool may_move = problem.moves > 0;
  const Price insert = model.price(model.insert), join = model.price(model.join);
  const Price move = model.price(model.move);
  const Price behind = (cost_of(move) / 2) << kCostShift, ahead = move - behind;

  // What edit there is between token i and a symbol, with joining among them; the
  // shares that the token and the symbol pay of it if the token moves.
  std::vector<Price> edit(n * symbols), symbol_share(n * symbols), token_share(n, kNever);
  std::vector<std::uint8_t> continues(n, 0);  // may be a part that is not the first
  for (std::size_t i = 0; i < n; ++i) {
    const TokenRow& row = *problem.tokens[i];
    const Split split{model.costs[row.drop], model.costs[model.insert]};
    Price* const edits = &edit[i * symbols];
    for (std::size_t s = 0; s < symbols; ++s) edits[s] = used[s] ? model.price(row.kinds[s]) : kNever;
    for (const auto& [compound, part] : row.parts) {
      if (part > 0) continues[i] = 1;
      const std::size_t s = problem.compounds[compound].symbol;
      if (part == 0 && s < symbols && used[s]) edits[s] = std::min(edits[s], join);
    }
    if (continues[i]) token_share[i] = join;
    for (std::size_t s = 0; s < symbols; ++s) {
      if (!used[s]) continue;
      const Price token = split.token(edits[s]);
      token_share[i] = std::min(token_share[i], token);
      symbol_share[i * symbols + s] = edits[s] - token;
    }
  }

  apart_.assign(lattice.size(), 0);
  for (std::uint32_t state = 0; state < lattice.size(); ++state) {
    for (const std::uint16_t i : lattice.late(state)) apart_[state] += token_share[i] - ahead;
    for (const std::uint16_t i : lattice.early(state)) apart_[state] -= token_share[i] + behind;
  }

  below_.assign((n + 1) * states_, kNever);
  std::vector<Price> arc_alone(symbols);
  // A correction without moves and without joins: dear perhaps, but a correction.
  std::vector<Price> unmoved(states_, kNever), unmoved_after(states_, kNever);
  const std::size_t reach = static_cast<std::size_t>(model.window + problem.moves);
  for (std::size_t p = n + 1; p-- > 0;) {
    std::fill(arc_alone.begin(), arc_alone.end(), insert);
    if (may_move)
      for (std::size_t j = p > reach ? p - reach : 0; j < std::min(n, p + reach + 1); ++j) {
        if (j == p) continue;
        const Price* const share = &symbol_share[j * symbols];
        for (std::size_t s = 0; s < symbols; ++s)
          arc_alone[s] = std::min(arc_alone[s], ahead + share[s]);
      }
    Price token_alone = kNever, drop = kNever;
    const Price* edits = nullptr;
    if (p < n) {
      token_alone = drop = model.price(problem.tokens[p]->drop);
      if (may_move) token_alone = std::min(token_alone, behind + token_share[p]);
      if (continues[p]) token_alone = std::min(token_alone, join);
      edits = &edit[p * symbols];
    }
    Price* const here = &below_[p * states_];
    const Price* const after = p < n ? here + states_ : nullptr;
    for (std::size_t r = states_; r-- > 0;) {
      Price best = kNever, plain = kNever;
      if (after) {
        best = token_alone + after[r];
        plain = drop + unmoved_after[r];
      } else if (references.final[r]) {
        best = plain = 0;
      }
      for (const Acceptor::Arc arc : references.arcs_of(static_cast<std::uint32_t>(r))) {
        best = std::min(best, arc_alone[arc.symbol] + here[arc.to]);
        plain = std::min(plain, insert + unmoved[arc.to]);
        if (after) {
          best = std::min(best, edits[arc.symbol] + after[arc.to]);
          plain = std::min(plain, model.price(problem.tokens[p]->kinds[arc.symbol]) +
                                      unmoved_after[arc.to]);
        }
      }
      here[r] = best;
      unmoved[r] = plain;
    }
    std::swap(unmoved, unmoved_after);
  }
  unmoved_ = unmoved_after[0];
}

}  // namespace tertium
