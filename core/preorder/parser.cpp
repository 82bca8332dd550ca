// SPDX-License-Identifier: Apache-2.0
#include "preorder/parser.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "preorder/pair_posteriors.hpp"

namespace tertium {

ParseOutcome Parser::parse(const ParseSentence& sentence, ParseChart::Sum sum) {
  pieces_.clear();
  if (sentence.words < 2) {
    chart_.fill(model_.exact, sentence, options_.max_span, sum);
    return ParseOutcome::kParsed;
  }
  if (derive(model_.exact, sentence, sum)) return ParseOutcome::kParsed;
  if (derive(model_.smooth, sentence, sum)) return ParseOutcome::kSmoothed;
  return pieces_.empty() ? ParseOutcome::kIdentity : ParseOutcome::kGlued;
}

namespace {

// The spans that are a block of an order: nothing else is a node of its trees.
std::vector<char> blocks(std::span<const std::int32_t> order) {
  const std::size_t n = order.size();
  std::vector<std::size_t> place(n);
  for (std::size_t s = 0; s < n; ++s) place[static_cast<std::size_t>(order[s])] = s;
  std::vector<char> out(n * n);
  for (std::size_t begin = 0; begin < n; ++begin) {
    std::size_t low = place[begin], high = low;
    for (std::size_t end = begin + 1; end <= n; ++end) {
      low = std::min(low, place[end - 1]);
      high = std::max(high, place[end - 1]);
      out[begin * n + (end - begin - 1)] = high - low == end - begin - 1;
    }
  }
  return out;
}

}  // namespace

double Parser::order_log_probability(const ParseSentence& sentence,
                                     std::span<const std::int32_t> order) {
  const std::size_t n = sentence.words;
  if (n > kLongestOrder) throw std::invalid_argument("the sentence of an order is too long");
  pieces_.clear();
  chart_.fill(model_.exact, sentence, n, ParseChart::Sum::kAll, blocks(order));
  if (n > 1 && chart_.width() == n && chart_.root(0, n) > 0)
    pieces_ = {{0, static_cast<std::uint32_t>(n)}};
  return log_probability();
}

// Whether the whole sentence is one piece.
bool Parser::derive(const ParseTables& tables, const ParseSentence& sentence,
                    ParseChart::Sum sum) {
  const std::size_t n = sentence.words;
  const auto whole = [&] { return chart_.width() == n && chart_.root(0, n) > 0; };
  if (options_.prune > 0 && &tables == &model_.exact) {
    chart_.fill(tables, sentence, options_.max_span, sum, kept_spans(sentence));
    if (!whole()) chart_.fill(tables, sentence, options_.max_span, sum);
  } else {
    chart_.fill(tables, sentence, options_.max_span, sum);
  }
  if (!whole()) {
    cut();
    return false;
  }
  pieces_ = {{0, static_cast<std::uint32_t>(n)}};
  return true;
}

std::vector<char> Parser::kept_spans(const ParseSentence& sentence) {
  coarse_.fill(model_.coarse, sentence, options_.max_span);
  const std::size_t n = sentence.words;
  std::vector<char> keep(coarse_.spans(), 1);
  if (coarse_.width() < n || coarse_.root(0, n) == 0) return keep;
  const ParseSpan root{0, static_cast<std::uint32_t>(n)};
  coarse_.fill_outside({&root, 1});
  for (std::size_t span = 0; span < keep.size(); ++span)
    keep[span] = coarse_.posterior(span) >= options_.prune;
  return keep;
}

// The fewest pieces in a row, of these the most probable: what glue rules of vanishing
// weight would do. None if limits forbid all. O(n · width).
void Parser::cut() {
  const std::size_t n = chart_.words();
  struct Best {
    std::size_t pieces = SIZE_MAX;
    double log = 0;
    std::size_t from = 0;
  };
  const auto possible = [&](std::size_t b) {
    return !chart_.limits() || chart_.limits()->order().straight(0, b, b, n);
  };
  std::vector<Best> best(n + 1);
  best[0].pieces = 0;
  for (std::size_t end = 1; end <= n; ++end) {
    if (!possible(end)) continue;
    if (best[end - 1].pieces < SIZE_MAX)
      best[end] = {best[end - 1].pieces + 1, best[end - 1].log, end - 1};
    for (std::size_t begin = end > chart_.width() ? end - chart_.width() : 0; begin + 1 < end;
         ++begin) {
      if (best[begin].pieces == SIZE_MAX) continue;
      const double value = chart_.root(begin, end);
      if (value <= 0) continue;
      const double log = best[begin].log + std::log(value) - chart_.log_scale(begin, end);
      const std::size_t pieces = best[begin].pieces + 1;
      if (pieces < best[end].pieces || (pieces == best[end].pieces && log > best[end].log))
        best[end] = {pieces, log, begin};
    }
  }
  pieces_.clear();
  if (best[n].pieces == SIZE_MAX) return;
  for (std::size_t end = n; end > 0; end = best[end].from)
    if (end - best[end].from > 1)
      pieces_.push_back({static_cast<std::uint32_t>(best[end].from),
                         static_cast<std::uint32_t>(end)});
  std::reverse(pieces_.begin(), pieces_.end());
}

double Parser::log_probability() const {
  if (pieces_.empty()) return -std::numeric_limits<double>::infinity();
  double sum = 0;
  for (const auto& [begin, end] : pieces_)
    sum += std::log(chart_.root(begin, end)) - chart_.log_scale(begin, end);
  return sum;
}

void Parser::expectations(double* out) {
  const std::size_t n = chart_.words();
  std::vector<double> swapped(n * n);
  if (!pieces_.empty()) {
    chart_.fill_outside(pieces_);
    swap_posteriors(chart_, swapped);
  }
  const OrderLimits* limits = chart_.limits() ? &chart_.limits()->order() : nullptr;
  for (std::size_t i = 0; i < n; ++i) {
    out[i * n + i] = 0;
    for (std::size_t j = i + 1; j < n; ++j) {
      double swap = std::clamp(swapped[i * n + j], 0.0, 1.0);
      if (limits && !limits->straight(i, i + 1, j, j + 1)) swap = 1;
      if (limits && !limits->inverted(i, i + 1, j, j + 1)) swap = 0;
      out[i * n + j] = 1 - swap;
      out[j * n + i] = swap;
    }
  }
}

}  // namespace tertium
