// SPDX-License-Identifier: Apache-2.0
// The chart of a sentence: inside and outside values of all spans.
//
// Time O(n^2 · slots · states + n^3 · items), memory O(n^2 · slots); with spans of at
// most w words, n w in place of n^2. Every word's values are scaled by a power of two,
// which is exact, and the same for all derivations of a span, so that long sentences
// neither underflow nor overflow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/pace.hpp"
#include "preorder/parse_limits.hpp"
#include "preorder/parse_tables.hpp"

namespace tertium {

// A terminal that covers words [begin, end); -1 is a word that the grammar ignores.
struct ParseTerminal {
  std::uint32_t begin, end;
  std::int64_t terminal;
};

struct ParseSentence {
  std::size_t words = 0;
  std::vector<ParseTerminal> terminals;
  OrderLimits limits;
};

using ParseSpan = std::pair<std::uint32_t, std::uint32_t>;

class ParseChart {
 public:
  enum class Sum { kAll, kBest };  // over derivations: their sum, or the best one

  // Fill the inside values of all derivations that the sentence's limits allow; it must
  // stay where it is. Spans that `keep` lacks (if it has any) have no states.
  void fill(const ParseTables& tables, const ParseSentence& sentence, std::size_t max_span,
            Sum sum = Sum::kAll, std::span<const char> keep = {});

  // Fill the outside values of these disjoint spans and those within, such that inside
  // times outside is a posterior: each of the spans is derived from the root.
  void fill_outside(std::span<const ParseSpan> roots);

  std::size_t words() const { return n_; }
  std::size_t width() const { return width_; }  // the longest span
  std::size_t spans() const { return n_ * width_; }
  const ParseTables& tables() const { return *tables_; }
  // Null if the order of the sentence is free.
  const ParseLimits* limits() const { return limits_ ? &*limits_ : nullptr; }
  // Whether an item over [begin, end) may be made of those of its parts.
  bool allows(std::size_t item, std::size_t begin, std::size_t middle, std::size_t end) const {
    return !limits_ || limits_->allows(item, begin, middle, end);
  }
  // Whether a state over this span has listed edges: see ParseLimits.
  bool listed(std::size_t arity, std::size_t begin, std::size_t end) const {
    return arity > 2 && limits_ && limits_->listed(begin, end);
  }

  // Span numbers; the span must be at most width() words long.
  std::size_t at(std::size_t begin, std::size_t end) const {
    return begin * width_ + (end - begin - 1);
  }
  const double* slots(std::size_t span) const { return &slots_[span * tables_->slots()]; }
  const double* items(std::size_t span) const { return &items_[span * tables_->items()]; }
  const double* left(std::size_t span) const { return &left_[span * tables_->items()]; }
  const double* states(std::size_t span) const { return &states_[span * tables_->states()]; }
  const double* slots_outside(std::size_t span) const {
    return &slots_outside_[span * tables_->slots()];
  }
  const double* items_outside(std::size_t span) const {
    return &items_outside_[span * tables_->items()];
  }
  // What the slots emit over a span; null if there is no terminal.
  const double* emissions(std::size_t span) const;
  // The inside value of the root over a span.
  double root(std::size_t begin, std::size_t end) const;
  // The natural logarithm of the scale of a span: log p = log(value) - log_scale.
  double log_scale(std::size_t begin, std::size_t end) const;
  // The posterior of a span with any state.
  double posterior(std::size_t span) const;

 private:
  void emit(const ParseSentence& sentence);
  void combine(std::size_t length, std::span<const char> keep);
  void join(std::size_t begin, std::size_t middle, std::size_t end, double* out) const;
  void list_edges(std::size_t begin, std::size_t end, double* out);
  void expand(std::size_t length, std::span<const char> keep);
  void rescale(std::size_t length);
  void scatter(std::size_t begin, std::size_t length);
  void scatter_edges(std::size_t begin, std::size_t end);

  const ParseTables* tables_ = nullptr;
  std::optional<ParseLimits> limits_;
  std::size_t n_ = 0, width_ = 0;
  Sum sum_ = Sum::kAll;
  std::vector<char> kept_;
  std::vector<std::int64_t> scale_;  // of words: powers of two
  std::vector<double> slots_, items_, left_, states_;
  std::vector<double> slots_outside_, items_outside_, outside_;
  std::vector<double> emitted_;           // rows of emissions
  std::vector<std::uint32_t> emission_;   // by span: its row + 1, or 0
  Pace pace_;
};

}  // namespace tertium
