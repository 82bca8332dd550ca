// SPDX-License-Identifier: Apache-2.0
#include "preorder/pair_posteriors.hpp"

#include <vector>

#include "base/pace.hpp"
#include "preorder/parse_edges.hpp"

namespace tertium {
namespace {

using Square = std::vector<double>;

// How often a pair of boundaries occurs, with its sign, as a corner of the rectangles of
// an operator's swapped children. Boundary b is before child b.
class Corners {
 public:
  explicit Corners(const std::vector<std::uint32_t>& ranks)
      : side_(ranks.size() + 1), counts_(side_ * side_) {
    for (std::size_t c = 0; c < ranks.size(); ++c)
      for (std::size_t d = c + 1; d < ranks.size(); ++d) {
        if (ranks[c] < ranks[d]) continue;
        counts_[c * side_ + d] += 1;
        counts_[c * side_ + d + 1] -= 1;
        counts_[(c + 1) * side_ + d] -= 1;
        counts_[(c + 1) * side_ + d + 1] += 1;
      }
  }
  double operator()(std::size_t b, std::size_t c) const { return counts_[b * side_ + c]; }

 private:
  std::size_t side_;
  std::vector<double> counts_;
};

// A slot or an item, and how its posterior over [i, j) counts at (i, j) and at (j, j).
struct Term {
  std::uint32_t index;
  double here, end;
};

struct Terms {
  std::vector<Term> slots, items;
};

Terms make_terms(const ParseTables& tables) {
  Terms out;
  for (const ParseState& state : tables.all) {
    const Corners corners(tables.grammar.shape.operators[state.op].ranks);
    for (std::size_t c = 0; c < state.arity; ++c) {
      const double end = c == 0 ? corners(1, 1) : 0;
      if (corners(c, c + 1) != 0 || end != 0)
        out.slots.push_back({state.slots[c], corners(c, c + 1), end});
    }
    for (std::size_t done = 2; done <= state.arity; ++done) {
      const double end = done < state.arity ? corners(done, done) : 0;
      if (corners(0, done) != 0 || end != 0)
        out.items.push_back({state.items[done], corners(0, done), end});
    }
  }
  return out;
}

// Boundaries of the inner children of one state, of arity 3 or more. O(n^3).
class InnerPairs {
 public:
  InnerPairs(const ParseChart& chart, const ParseState& state)
      : chart_(chart),
        state_(state),
        side_(chart.words() + 1),
        corners_(chart.tables().grammar.shape.operators[state.op].ranks) {}

  void add_to(Square& out) {
    if (!occurs()) return;
    for (std::size_t from = 1; from + 2 <= state_.arity; ++from) {
      Square chain = inside_of_slot(from);
      for (std::size_t to = from + 2; to <= state_.arity; ++to) {
        chain = product(chain, inside_of_slot(to - 1), to - 1);
        if (corners_(from, to) == 0) continue;
        const Square around = outside_of_chain(from, to);
        for (std::size_t x = 0; x < out.size(); ++x)
          out[x] += corners_(from, to) * chain[x] * around[x];
      }
    }
  }

 private:
  template <class At>
  Square gather(At&& value) const {
    Square out(side_ * side_);
    for (std::size_t i = 0; i + 1 < side_; ++i)
      for (std::size_t j = i + 1; j < side_ && j - i <= chart_.width(); ++j)
        out[i * side_ + j] = value(chart_.at(i, j));
    return out;
  }
  bool occurs() const {
    const std::uint32_t item = state_.items[state_.arity];
    for (std::size_t span = 0; span < chart_.spans(); ++span)
      if (chart_.items(span)[item] * chart_.items_outside(span)[item] > 0) return true;
    return false;
  }
  Square inside_of_slot(std::size_t child) const {
    return gather([&](std::size_t span) { return chart_.slots(span)[state_.slots[child]]; });
  }
  // With so many children done.
  Square inside_of_item(std::size_t done) const {
    if (done == 1) return inside_of_slot(0);
    return gather([&](std::size_t span) { return chart_.items(span)[state_.items[done]]; });
  }
  // Whether the limits allow words [from, to) around a boundary, the b-th of the node.
  bool allowed(std::size_t from, std::size_t boundary, std::size_t to, std::size_t b) const {
    return chart_.limits()->fits(state_.op, b, boundary) &&
           !chart_.limits()->order().apart(from, boundary, to);
  }
  // Two chains in a row, with the b-th boundary between them.
  Square product(const Square& a, const Square& b, std::size_t between) {
    const bool free = !chart_.limits();
    Square out(side_ * side_);
    for (std::size_t i = 0; i < side_; ++i) {
      pace_.spend(side_ * side_ / 4);
      for (std::size_t m = i + 1; m < side_; ++m) {
        const double first = a[i * side_ + m];
        if (first == 0) continue;
        for (std::size_t j = m + 1; j < side_; ++j)
          if (free || allowed(i, m, j, between)) out[i * side_ + j] += first * b[m * side_ + j];
      }
    }
    return out;
  }
  // What precedes the boundary `from` times what is outside of the item up to `to`.
  Square outside_of_chain(std::size_t from, std::size_t to) {
    const Square before = inside_of_item(from);
    Square outside = gather([&](std::size_t span) {
      return chart_.items_outside(span)[state_.items[to]];
    });
    if (chart_.limits()) drop_others(to, outside);
    const bool free = !chart_.limits();
    Square out(side_ * side_);
    for (std::size_t start = 0; start < side_; ++start) {
      pace_.spend(side_ * side_ / 4);
      for (std::size_t x = start + 1; x < side_; ++x) {
        const double first = before[start * side_ + x];
        if (first == 0) continue;
        for (std::size_t y = x + 1; y < side_; ++y)
          if (free || allowed(start, x, y, from))
            out[x * side_ + y] += first * outside[start * side_ + y];
      }
    }
    return out;
  }

  // Values of items that are not allowed, or have listed edges.
  void drop_others(std::size_t done, Square& values) const {
    const ParseLimits& limits = *chart_.limits();
    for (std::size_t i = 0; i < side_; ++i)
      for (std::size_t j = i + 1; j < side_; ++j)
        if (!limits.fits(state_.op, 0, i) || !limits.fits(state_.op, done, j) ||
            (done == state_.arity && limits.listed(i, j)))
          values[i * side_ + j] = 0;
  }

  const ParseChart& chart_;
  const ParseState& state_;
  std::size_t side_;
  Corners corners_;
  Pace pace_;
};

// Boundaries of the listed edges over a span. Those next to each other, and the first and
// the last, are counted as slots and items.
void add_edges(const ParseChart& chart, std::size_t begin, std::size_t end, Square& out) {
  const ParseTables& tables = chart.tables();
  const std::size_t side = chart.words() + 1;
  const double* outside = chart.items_outside(chart.at(begin, end));
  for (const ItemRun& run : tables.runs) {
    if (run.arity == 2 || run.done < run.arity) continue;
    const Corners corners(tables.grammar.shape.operators[run.op].ranks);
    ParseEdges edges(chart, run, begin, end);
    edges.each([&](std::span<const std::size_t> bounds) {
      double posterior = 0;
      for (std::size_t k = 0; k < run.count; ++k)
        posterior += outside[run.first + k] * edges.product(bounds, k);
      for (std::size_t b = 2; b < run.arity; ++b)
        out[bounds[b] * side + bounds[b]] += corners(b, b) * posterior;
      for (std::size_t b = 0; b + 2 <= run.arity; ++b)
        for (std::size_t c = b + 2; c <= run.arity; ++c)
          if (b > 0 || c < run.arity)
            out[bounds[b] * side + bounds[c]] += corners(b, c) * posterior;
    });
  }
}

void add_terms(const std::vector<Term>& terms, const double* inside, const double* outside,
               double& here, double& end) {
  for (const Term& term : terms) {
    const double posterior = inside[term.index] * outside[term.index];
    here += term.here * posterior;
    end += term.end * posterior;
  }
}

}  // namespace

void swap_posteriors(const ParseChart& chart, std::span<double> out) {
  const std::size_t n = chart.words(), side = n + 1;
  const Terms terms = make_terms(chart.tables());
  Square corners(side * side);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j <= n && j - i <= chart.width(); ++j) {
      const std::size_t span = chart.at(i, j);
      double &here = corners[i * side + j], &end = corners[j * side + j];
      add_terms(terms.slots, chart.slots(span), chart.slots_outside(span), here, end);
      add_terms(terms.items, chart.items(span), chart.items_outside(span), here, end);
      if (chart.limits() && chart.limits()->listed(i, j)) add_edges(chart, i, j, corners);
    }
  for (const ParseState& state : chart.tables().all)
    if (state.arity > 2) InnerPairs(chart, state).add_to(corners);
  for (std::size_t i = 0; i < n; ++i) {
    double row = 0;
    for (std::size_t j = 0; j < n; ++j) {
      row += corners[i * side + j];
      out[i * n + j] = row + (i > 0 ? out[(i - 1) * n + j] : 0);
    }
  }
}

}  // namespace tertium
