// SPDX-License-Identifier: Apache-2.0
// Parses sentences with a reordering grammar, also those that it does not derive.
#pragma once

#include <cstddef>
#include <vector>

#include "preorder/parse_chart.hpp"

namespace tertium {

struct ParseOptions {
  // Longer spans are not built; longer sentences become the fewest pieces in a row. The
  // limit is lower for sentences of several hundred words, whose charts are large.
  std::size_t max_span = 100;
  // Skip spans with a lower posterior under the grammar without splits; 0: none.
  double prune = 0;
};

// How a sentence was parsed: by the grammar, by the smoothed one, as several pieces in a
// row, or as nothing but words in a row. (Sentences of one word are parsed.)
enum class ParseOutcome : unsigned char { kParsed, kSmoothed, kGlued, kIdentity };

// The grammar and what is derived from it, for any number of threads.
struct ParseModel {
  explicit ParseModel(const Grammar& grammar)
      : exact(grammar, TableKind::kExact),
        smooth(grammar, TableKind::kSmooth),
        coarse(grammar, TableKind::kCoarse) {}

  ParseTables exact, smooth, coarse;
};

// The charts of one thread.
class Parser {
 public:
  static constexpr std::size_t kLongestOrder = 200;

  Parser(const ParseModel& model, const ParseOptions& options)
      : model_(model), options_(options) {}

  ParseOutcome parse(const ParseSentence& sentence,
                     ParseChart::Sum sum = ParseChart::Sum::kAll);

  const ParseChart& chart() const { return chart_; }
  // The pieces of two or more words that derive the sentence, from left to right.
  const std::vector<ParseSpan>& pieces() const { return pieces_; }
  // The log-probability of the pieces; minus infinity if there is none.
  double log_probability() const;
  // The log-probability of a sentence with an order, which must be the one that its limits
  // leave; minus infinity if the grammar does not derive it. At most kLongestOrder words.
  double order_log_probability(const ParseSentence& sentence,
                               std::span<const std::int32_t> order);

  // The probability that word i comes before word j, to out[i * words + j]. Exact, from
  // the posteriors of pairs of boundaries: O(n^3) for any arity.
  void expectations(double* out);

 private:
  bool derive(const ParseTables& tables, const ParseSentence& sentence, ParseChart::Sum sum);
  std::vector<char> kept_spans(const ParseSentence& sentence);
  void cut();

  const ParseModel& model_;
  ParseOptions options_;
  ParseChart chart_, coarse_;
  std::vector<ParseSpan> pieces_;
};

}  // namespace tertium
