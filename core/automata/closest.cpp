// SPDX-License-Identifier: Apache-2.0
#include "automata/closest.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <stdexcept>
#include <string>

#include "automata/closest_search.hpp"

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

constexpr SearchLimits kNoLimits{1, 0, 1, std::numeric_limits<std::size_t>::max(), 0};
constexpr Clock::time_point kNoDeadline = Clock::time_point::max();
// Costs of this and more do not fit into a price.
constexpr std::int64_t kDearest = std::int64_t{1} << 26;

Clock::time_point deadline_in(double seconds) {
  const Clock::time_point now = Clock::now();
  const std::chrono::duration<double> left = kNoDeadline - now;
  if (!(seconds < left.count() / 2)) return kNoDeadline;
  return now + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace

std::size_t Acceptor::longest() const {
  std::vector<std::size_t> length(size(), 0);
  for (std::size_t state = size(); state-- > 0;)
    for (const Arc arc : arcs_of(static_cast<std::uint32_t>(state)))
      length[state] = std::max(length[state], 1 + length[arc.to]);
  return length.empty() ? 0 : length[0];
}

Closest::Closest(Acceptor references, EditModel model, std::vector<Compound> compounds)
    : references_(std::move(references)),
      longest_(references_.longest()),
      model_(std::move(model)),
      compounds_(std::move(compounds)) {
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
  for (const Acceptor::Arc arc : references_.arcs)
    symbols_ = std::max<std::size_t>(symbols_, arc.symbol + 1);
  for (const Compound& compound : compounds_)
    if (compound.parts < 2) throw std::invalid_argument("a compound has two parts at least");
}

std::uint32_t Closest::add_token(TokenRow row) {
  if (row.kinds.size() < symbols_) throw std::invalid_argument("a row is too short");
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
  const std::size_t n = hypothesis.size();
  if (n > MoveLattice::kMostTokens || longest_ > MoveLattice::kMostTokens)
    throw std::invalid_argument("more than " + std::to_string(MoveLattice::kMostTokens) + " tokens");
  const std::int32_t dearest = *std::max_element(model_.costs.begin(), model_.costs.end());
  if (static_cast<std::int64_t>(n + longest_) * dearest >= kDearest)
    throw std::invalid_argument("too many tokens for such costs");
  const Clock::time_point deadline = deadline_in(limits.seconds);
  Problem problem{references_, model_, compounds_, {}, model_.moves};
  for (const std::uint32_t token : hypothesis) problem.tokens.push_back(&tokens_.at(token));
  Found found;
  int moved = 0;  // the moves that the corrections were found with
  const auto attempt = [&](int moves, const SearchLimits& within, Clock::time_point until) {
    problem.moves = moves;
    Search search(problem, *MoveLattice::shared(n, moves, model_.window), until);
    search.explore(within);
    if (moves == model_.moves) found.bound = cost_of(search.lower_bound());
    if (!search.found()) return false;
    Found here;
    here.exhausted = search.complete();
    search.read(within, here);
    if (!found.corrections.empty() && found.corrections[0].cost <= here.corrections[0].cost)
      return true;
    found.corrections = std::move(here.corrections);
    found.costs = std::move(here.costs);
    found.exhausted = here.exhausted;
    moved = moves;
    return true;
  };
  found.proven = attempt(model_.moves, limits, deadline);
  if (!found.proven) {
    // What can always be found is the best correction that moves nothing; the budget
    // may do for some moves.
    SearchLimits rest = limits;
    rest.nodes = std::numeric_limits<std::size_t>::max();
    rest.slack = 0;
    attempt(0, rest, kNoDeadline);
    for (int moves = 1; moves < model_.moves; ++moves)
      if (Clock::now() > deadline || !attempt(moves, limits, deadline)) break;
    found.exhausted = false;
  }
  for (Correction& correction : found.corrections) {
    const Acceptor reference = chain(correction.reference);
    const Problem one{reference, model_, compounds_, problem.tokens, moved};
    Search search(one, *MoveLattice::shared(n, moved, model_.window), kNoDeadline);
    search.explore(kNoLimits);
    correction = search.correction();
  }
  return found;
}

}  // namespace tertium
