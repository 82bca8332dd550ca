// SPDX-License-Identifier: Apache-2.0
#include "automata/closest_bound.hpp"

#include <algorithm>

namespace tertium {

namespace {

constexpr int kSteps = 12;  // of ascent; more cost more than they save

}  // namespace

Bound::Bound(const Problem& problem, const MoveLattice& lattice, Clock::time_point deadline)
    : problem_(problem),
      lattice_(lattice),
      states_(problem.references.size()),
      insert_(problem.model.price(problem.model.insert)),
      join_(problem.model.price(problem.model.join)),
      move_(problem.model.price(problem.model.move)) {
  read_edits();
  read_unmoved();
  set_initial_shares();
  below_.resize((problem_.tokens.size() + 1) * states_);
  arc_alone_.resize(symbols_);
  arc_token_.resize(symbols_);
  measure(share_, below_);
  if (problem_.moves > 0 && below_[0] < unmoved_) ascend(deadline);
  apart_.assign(lattice.size(), 0);
  for (std::uint32_t state = 0; state < lattice.size(); ++state) {
    for (const std::uint16_t i : lattice.late(state)) apart_[state] += share_[i] - move_;
    for (const std::uint16_t i : lattice.early(state)) apart_[state] -= share_[i];
  }
}

void Bound::read_edits() {
  for (const Acceptor::Arc arc : problem_.references.arcs)
    symbols_ = std::max<std::size_t>(symbols_, arc.symbol + 1);
  used_.assign(symbols_, 0);
  for (const Acceptor::Arc arc : problem_.references.arcs) used_[arc.symbol] = 1;
  const std::size_t n = problem_.tokens.size();
  edit_.assign(n * symbols_, kNever);
  continues_.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const TokenRow& row = *problem_.tokens[i];
    Price* const edits = edit_.data() + i * symbols_;
    for (std::size_t s = 0; s < symbols_; ++s)
      if (used_[s]) edits[s] = problem_.model.price(row.kinds[s]);
    for (const auto& [compound, part] : row.parts) {
      const std::size_t s = problem_.compounds[compound].symbol;
      if (part > 0) continues_[i] = 1;
      if (part == 0 && s < symbols_ && used_[s]) edits[s] = std::min(edits[s], join_);
    }
  }
}

// A correction without moves and without joins: dear perhaps, but a correction.
void Bound::read_unmoved() {
  const Acceptor& references = problem_.references;
  const std::size_t n = problem_.tokens.size();
  std::vector<Price> here(states_), after(states_);
  for (std::size_t p = n + 1; p-- > 0;) {
    const TokenRow* const row = p < n ? problem_.tokens[p] : nullptr;
    const Price drop = row ? problem_.model.price(row->drop) : 0;
    for (std::size_t r = states_; r-- > 0;) {
      Price best = row ? drop + after[r] : references.final[r] ? 0 : kNever;
      for (const Acceptor::Arc arc : references.arcs_of(static_cast<std::uint32_t>(r))) {
        best = std::min(best, insert_ + here[arc.to]);
        if (row)
          best = std::min(best, problem_.model.price(row->kinds[arc.symbol]) + after[arc.to]);
      }
      here[r] = best;
    }
    std::swap(here, after);
  }
  unmoved_ = after[0];
}

// Half of the move, and of the cheapest edit what the token would pay if it were shared
// in proportion to leaving the token out and inserting the symbol.
void Bound::set_initial_shares() {
  const std::size_t n = problem_.tokens.size();
  share_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    Price cheapest = kNever;
    for (std::size_t s = 0; s < symbols_; ++s)
      cheapest = std::min(cheapest, edit_[i * symbols_ + s]);
    const std::int64_t drop = problem_.model.costs[problem_.tokens[i]->drop];
    const std::int64_t both = drop + cost_of(insert_);
    const std::int64_t own =
        cheapest == kNever || both == 0 ? 0 : cost_of(cheapest) * drop / both;
    share_[i] = (cost_of(move_) / 2 + own) << kCostShift;
    if (continues_[i]) share_[i] = std::min(share_[i], move_ + join_);
  }
}

void Bound::find_arcs_alone(const std::vector<Price>& share, std::size_t next) {
  std::fill(arc_alone_.begin(), arc_alone_.end(), insert_);
  std::fill(arc_token_.begin(), arc_token_.end(), kNone);
  if (problem_.moves == 0) return;
  const std::size_t n = problem_.tokens.size();
  // A token goes no further than the window, and others that moved shift it.
  const auto reach = static_cast<std::size_t>(problem_.model.window + problem_.moves);
  const std::size_t end = std::min(n, next + reach + 1);
  for (std::size_t j = next > reach ? next - reach : 0; j < end; ++j) {
    if (j == next) continue;
    const Price rest = move_ - share[j];
    const Price* const edits = edit_.data() + j * symbols_;
    for (std::size_t s = 0; s < symbols_; ++s)
      if (rest + edits[s] < arc_alone_[s]) {
        arc_alone_[s] = rest + edits[s];
        arc_token_[s] = static_cast<std::int32_t>(j);
      }
  }
}

Price Bound::token_alone(const std::vector<Price>& share, std::size_t token) const {
  Price best = problem_.model.price(problem_.tokens[token]->drop);
  if (problem_.moves > 0) best = std::min(best, share[token]);
  if (continues_[token]) best = std::min(best, join_);
  return best;
}

void Bound::measure(const std::vector<Price>& share, std::vector<Price>& below) {
  const Acceptor& references = problem_.references;
  const std::size_t n = problem_.tokens.size();
  for (std::size_t p = n + 1; p-- > 0;) {
    find_arcs_alone(share, p);
    const Price alone = p < n ? token_alone(share, p) : 0;
    const Price* const edits = p < n ? edit_.data() + p * symbols_ : nullptr;
    Price* const here = &below[p * states_];
    const Price* const after = here + states_;
    for (std::size_t r = states_; r-- > 0;) {
      Price best = p < n ? alone + after[r] : references.final[r] ? 0 : kNever;
      for (const Acceptor::Arc arc : references.arcs_of(static_cast<std::uint32_t>(r))) {
        best = std::min(best, arc_alone_[arc.symbol] + here[arc.to]);
        if (edits) best = std::min(best, edits[arc.symbol] + after[arc.to]);
      }
      here[r] = best;
    }
  }
}

Bound::Uses Bound::follow(const std::vector<Price>& share, const std::vector<Price>& below) {
  const Acceptor& references = problem_.references;
  const std::size_t n = problem_.tokens.size();
  Uses uses{std::vector<int>(n, 0), std::vector<int>(n, 0)};
  std::size_t p = 0, r = 0;
  find_arcs_alone(share, p);
  while (true) {
    const Price left = below[p * states_ + r];
    if (p == n && references.final[r] && left == 0) return uses;
    bool stepped = false;
    const auto pass = [&] { if (++p <= n) find_arcs_alone(share, p); };
    for (const Acceptor::Arc arc : references.arcs_of(static_cast<std::uint32_t>(r))) {
      if (p < n && edit_[p * symbols_ + arc.symbol] + below[(p + 1) * states_ + arc.to] == left) {
        pass();
      } else if (arc_alone_[arc.symbol] + below[p * states_ + arc.to] == left) {
        const std::int32_t token = arc_token_[arc.symbol];
        if (token != kNone) ++uses.ahead[static_cast<std::size_t>(token)];
      } else {
        continue;
      }
      r = arc.to;
      stepped = true;
      break;
    }
    if (stepped) continue;
    if (token_alone(share, p) == share[p]) ++uses.behind[p];
    pass();
  }
}

void Bound::ascend(Clock::time_point deadline) {
  const std::size_t n = problem_.tokens.size();
  std::vector<Price> share = share_, below = below_;
  // Steps in cost alone: what decides between equal costs is left as it is.
  double scale = 1;
  for (int step = 0; step < kSteps && Clock::now() < deadline; ++step) {
    const Uses uses = follow(share, below);
    double length = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const int excess = uses.behind[i] - uses.ahead[i];
      length += excess * excess;
    }
    if (length == 0) break;  // every token is used as often as it is left behind
    const double gap = static_cast<double>(cost_of(unmoved_ - below[0]) + 1);
    const double size = scale * gap / length;
    for (std::size_t i = 0; i < n; ++i) {
      const int excess = uses.behind[i] - uses.ahead[i];
      share[i] += static_cast<Price>(excess * size) << kCostShift;
      // A token that goes on a join uses no arc, and pays no more than this.
      if (continues_[i]) share[i] = std::min(share[i], move_ + join_);
    }
    measure(share, below);
    if (below[0] > below_[0]) {
      share_ = share;
      below_ = below;
      if (below_[0] >= unmoved_) break;
    } else {
      scale /= 2;
    }
  }
}

}  // namespace tertium
