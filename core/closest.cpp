// SPDX-License-Identifier: Apache-2.0
#include "closest.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "closest_search.hpp"

namespace tertium {

namespace {

// One reference as a set of its own.
Acceptor chain(std::span<const std::uint32_t> symbols) {
  Acceptor out;
  const auto n = static_cast<std::uint32_t>(symbols.size());
  for (std::uint32_t i = 0; i < n; ++i) {
    out.first.push_back(i);
    out.arcs.push_back({symbols[i], i + 1});
    out.final.push_back(0);
  }
  out.first.insert(out.first.end(), {n, n});
  out.final.push_back(1);
  return out;
}

constexpr SearchLimits kNoLimits{1, 0, 1, std::numeric_limits<std::size_t>::max(), 1e9};

}  // namespace

std::size_t Acceptor::longest() const {
  std::vector<std::size_t> length(size(), 0);
  for (std::size_t state = size(); state-- > 0;)
    for (const Arc arc : arcs_of(static_cast<std::uint32_t>(state)))
      length[state] = std::max(length[state], 1 + length[arc.to]);
  return length.empty() ? 0 : length[0];
}

Closest::Closest(Acceptor references, EditModel model, std::vector<Compound> compounds)
    : references_(std::move(references)), model_(std::move(model)), compounds_(std::move(compounds)) {
  if (model_.moves < 0 || model_.moves > MoveLattice::kMostMoves)
    throw std::invalid_argument("moves must be 0 to " + std::to_string(MoveLattice::kMostMoves));
  if (model_.window < 0 || model_.window > MoveLattice::kWidestWindow)
    throw std::invalid_argument("window must be 0 to " +
                                std::to_string(MoveLattice::kWidestWindow));
  for (const std::int32_t cost : model_.costs)
    if (cost < 0 || cost > 100'000) throw std::invalid_argument("costs must be 0 to 10");
  for (const Kind kind : {model_.move, model_.join, model_.insert})
    if (kind >= model_.costs.size()) throw std::invalid_argument("unknown kind of edit");
  if (references_.size() == 0) throw std::invalid_argument("no references");
  for (std::size_t state = 0; state < references_.size(); ++state) {
    const auto arcs = references_.arcs_of(static_cast<std::uint32_t>(state));
    if (arcs.empty() && !references_.final[state])
      throw std::invalid_argument("a state leads to no end");
    for (const Acceptor::Arc arc : arcs)
      if (arc.to <= state || arc.to >= references_.size())
        throw std::invalid_argument("states are not in topological order");
  }
  for (const Compound& compound : compounds_)
    if (compound.parts < 2) throw std::invalid_argument("a compound has two parts at least");
}

std::uint32_t Closest::add_token(TokenRow row) {
  for (const Acceptor::Arc arc : references_.arcs)
    if (arc.symbol >= row.kinds.size()) throw std::invalid_argument("a row is too short");
  for (const Kind kind : row.kinds)
    if (kind != kMatch && kind >= model_.costs.size())
      throw std::invalid_argument("unknown kind of edit");
  if (row.drop >= model_.costs.size()) throw std::invalid_argument("unknown kind of edit");
  for (const auto& [compound, part] : row.parts)
    if (compound >= compounds_.size() || part >= compounds_[compound].parts)
      throw std::invalid_argument("unknown part of a compound");
  tokens_.push_back(std::move(row));
  return static_cast<std::uint32_t>(tokens_.size() - 1);
}

Found Closest::search(std::span<const std::uint32_t> hypothesis, const SearchLimits& limits) const {
  if (hypothesis.size() > MoveLattice::kMostTokens || references_.longest() > MoveLattice::kMostTokens)
    throw std::invalid_argument("more than " + std::to_string(MoveLattice::kMostTokens) + " tokens");
  Problem problem{references_, model_, compounds_, {}, model_.moves};
  for (const std::uint32_t token : hypothesis) problem.tokens.push_back(&tokens_.at(token));
  Found found;
  auto moves = MoveLattice::shared(hypothesis.size(), model_.moves, model_.window);
  {
    Search search(problem, *moves);
    found.proven = search.explore(limits);
    found.bound = cost_of(search.lower_bound());
    if (found.proven) search.read(limits, found);
  }
  if (!found.proven) {
    // What can always be found: the best correction that moves nothing.
    found.exhausted = false;
    problem.moves = 0;
    moves = MoveLattice::shared(hypothesis.size(), 0, model_.window);
    Search search(problem, *moves);
    search.explore(kNoLimits);
    search.read(kNoLimits, found);
  }
  for (Correction& correction : found.corrections) {
    const Acceptor reference = chain(correction.reference);
    const Problem one{reference, model_, compounds_, problem.tokens, problem.moves};
    Search search(one, *moves);
    search.explore(kNoLimits);
    correction = search.correction();
  }
  return found;
}

}  // namespace tertium
