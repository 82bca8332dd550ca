// SPDX-License-Identifier: Apache-2.0
#include "preorder/parser.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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
// weight would do. O(n · width).
void Parser::cut() {
  const std::size_t n = chart_.words();
  struct Best {
    std::size_t pieces = 0;
    double log = 0;
    std::size_t from = 0;
  };
  std::vector<Best> best(n + 1);
  for (std::size_t end = 1; end <= n; ++end) {
    best[end] = {best[end - 1].pieces + 1, best[end - 1].log, end - 1};
    for (std::size_t begin = end > chart_.width() ? end - chart_.width() : 0; begin + 1 < end;
         ++begin) {
      const double value = chart_.root(begin, end);
      if (value <= 0) continue;
      const double log = best[begin].log + std::log(value) - chart_.log_scale(begin, end);
      const std::size_t pieces = best[begin].pieces + 1;
      if (pieces < best[end].pieces || (pieces == best[end].pieces && log > best[end].log))
        best[end] = {pieces, log, begin};
    }
  }
  pieces_.clear();
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
  for (std::size_t i = 0; i < n; ++i) {
    out[i * n + i] = 0;
    for (std::size_t j = i + 1; j < n; ++j) {
      const double swap = std::clamp(swapped[i * n + j], 0.0, 1.0);
      out[i * n + j] = 1 - swap;
      out[j * n + i] = swap;
    }
  }
}

}  // namespace tertium
