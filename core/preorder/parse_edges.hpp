// SPDX-License-Identifier: Apache-2.0
// The edges of a span that are listed with all their boundaries.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "preorder/parse_chart.hpp"

namespace tertium {

// The edges of one operator over a span whose edges ParseLimits lists.
class ParseEdges {
 public:
  ParseEdges(const ParseChart& chart, const ItemRun& run, std::size_t begin, std::size_t end)
      : chart_(chart),
        limits_(*chart.limits()),
        run_(run),
        state_(chart.tables().all[run.state]),
        ranks_(limits_.ranks(run.op)),
        bounds_(run.arity + 1) {
    bounds_.front() = begin;
    bounds_.back() = end;
  }

  // Call visit(bounds) for every edge that the limits allow and whose children have
  // derivations; bounds has one boundary more than there are children.
  template <class Visit>
  void each(Visit&& visit) {
    if (bounds_.back() - bounds_.front() >= run_.arity &&
        limits_.crosses(run_.op, bounds_.front(), bounds_.back()) &&
        limits_.fits(run_.op, 0, bounds_.front()) &&
        limits_.fits(run_.op, run_.arity, bounds_.back()))
      place(0, visit);
  }

  // The product of the children's values, of one of the operator's splits; without that of
  // a child if there is one.
  double product(std::span<const std::size_t> bounds, std::size_t split,
                 std::size_t without = SIZE_MAX) const {
    double out = 1;
    for (std::size_t c = 0; c + 1 < bounds.size(); ++c)
      if (c != without) out *= slots(bounds[c], bounds[c + 1], c)[split];
    return out;
  }

 private:
  const double* slots(std::size_t begin, std::size_t end, std::size_t child) const {
    return chart_.slots(chart_.at(begin, end)) + state_.slots[child];
  }

  template <class Visit>
  void place(std::size_t child, Visit& visit) {
    const std::size_t after = run_.arity - child - 1;  // children still to come
    if (after == 0) {
      if (possible(child)) visit(std::span<const std::size_t>(bounds_));
      return;
    }
    const std::size_t last = bounds_.back() - after;
    for (std::size_t to = bounds_[child] + 1; to <= last; ++to) {
      bounds_[child + 1] = to;
      if (limits_.fits(run_.op, child + 1, to) && possible(child)) place(child + 1, visit);
    }
  }

  // Whether this child may stand beside those before it, and has a derivation.
  bool possible(std::size_t child) const {
    const std::size_t from = bounds_[child], to = bounds_[child + 1];
    const double* values = slots(from, to, child);
    bool derived = false;
    for (std::size_t k = 0; k < run_.count; ++k) derived |= values[k] > 0;
    if (!derived) return false;
    for (std::size_t c = 0; c < child; ++c) {
      const bool ok = ranks_[c] < ranks_[child]
                          ? limits_.order().straight(bounds_[c], bounds_[c + 1], from, to)
                          : limits_.order().inverted(bounds_[c], bounds_[c + 1], from, to);
      if (!ok) return false;
    }
    return true;
  }

  const ParseChart& chart_;
  const ParseLimits& limits_;
  const ItemRun& run_;
  const ParseState& state_;  // the first of the operator
  const std::vector<std::uint32_t>& ranks_;
  std::vector<std::size_t> bounds_;
};

}  // namespace tertium
