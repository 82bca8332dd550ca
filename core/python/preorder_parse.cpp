// SPDX-License-Identifier: Apache-2.0
// Parsing with the reordering grammar.
#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "preorder/derivations.hpp"
#include "preorder/parse_samples.hpp"
#include "preorder/parser.hpp"
#include "preorder_arrays.hpp"
#include "python.hpp"

namespace tertium {
namespace {

// The number of words, and terminals as (begin, end, terminal).
using Terminals = std::vector<std::tuple<std::uint32_t, std::uint32_t, std::int64_t>>;
using InSentence = std::pair<std::size_t, Terminals>;
using Outcomes = std::vector<unsigned>;
// (log-probability, nodes, order); nodes as (begin, end, operator, split, children).
using OutNode =
    std::tuple<std::uint32_t, std::uint32_t, std::int32_t, std::uint32_t, std::uint32_t>;
using OutDerivation = std::tuple<double, std::vector<OutNode>, Order>;

std::vector<ParseSentence> read_sentences(const std::vector<InSentence>& sentences,
                                          const std::vector<InLimits>& limits,
                                          const Grammar& grammar) {
  check_limits(limits, sentences.size());
  std::vector<ParseSentence> out;
  for (const auto& [words, terminals] : sentences) {
    ParseSentence& one = out.emplace_back();
    one.words = words;
    one.limits = read_limits(limits, out.size() - 1, words);
    for (const auto& [begin, end, terminal] : terminals) {
      if (begin >= end || end > words)
        throw std::invalid_argument("a terminal lies outside its sentence");
      if (terminal >= static_cast<std::int64_t>(grammar.terminals()))
        throw std::invalid_argument("the grammar has no such terminal");
      one.terminals.push_back({begin, end, terminal});
    }
  }
  return out;
}

// Parse all sentences, and call use(parser, i) for each, on several threads.
template <class Use>
Outcomes for_each(const ParseModel& model, const std::vector<ParseSentence>& sentences,
                  const ParseOptions& options, ParseChart::Sum sum, unsigned threads, Use&& use) {
  Outcomes out(sentences.size());
  nb::gil_scoped_release release;
  parallel_for(sentences.size(), 4, threads, [&]() -> Body {
    return [&, parser = std::make_shared<Parser>(model, options)](std::size_t begin,
                                                                 std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        out[i] = static_cast<unsigned>(parser->parse(sentences[i], sum));
        use(*parser, i);
      }
    };
  });
  return out;
}

std::pair<std::vector<OutMatrix>, Outcomes> expectations(const ParseModel& model,
                                                         const std::vector<InSentence>& in,
                                                         const std::vector<InLimits>& limits,
                                                         std::size_t max_span, double prune,
                                                         unsigned threads) {
  const std::vector<ParseSentence> sentences = read_sentences(in, limits, model.exact.grammar);
  std::vector<OutMatrix> out;
  std::vector<double*> places(sentences.size());
  for (std::size_t i = 0; i < sentences.size(); ++i)
    out.push_back(make_matrix(sentences[i].words, sentences[i].words, places[i]));
  Outcomes outcomes =
      for_each(model, sentences, {max_span, prune}, ParseChart::Sum::kAll, threads,
               [&](Parser& parser, std::size_t i) { parser.expectations(places[i]); });
  return {std::move(out), std::move(outcomes)};
}

std::pair<std::vector<double>, Outcomes> log_probabilities(const ParseModel& model,
                                                           const std::vector<InSentence>& in,
                                                           const std::vector<InLimits>& limits,
                                                           std::size_t max_span,
                                                           unsigned threads) {
  const std::vector<ParseSentence> sentences = read_sentences(in, limits, model.exact.grammar);
  std::vector<double> out(sentences.size());
  Outcomes outcomes =
      for_each(model, sentences, {max_span, 0}, ParseChart::Sum::kAll, threads,
               [&](Parser& parser, std::size_t i) { out[i] = parser.log_probability(); });
  return {std::move(out), std::move(outcomes)};
}

// Orders that have every word once.
void check_orders(const std::vector<Order>& orders, const std::vector<ParseSentence>& sentences) {
  if (orders.size() != sentences.size())
    throw std::invalid_argument("as many orders as sentences");
  for (std::size_t i = 0; i < orders.size(); ++i) {
    Order sorted = orders[i];
    std::sort(sorted.begin(), sorted.end());
    bool fits = sorted.size() == sentences[i].words && sorted.size() <= Parser::kLongestOrder;
    for (std::size_t w = 0; fits && w < sorted.size(); ++w)
      fits = sorted[w] == static_cast<std::int32_t>(w);
    if (!fits) throw std::invalid_argument("an order does not fit its sentence");
  }
}

std::vector<double> order_log_probabilities(const ParseModel& model,
                                            const std::vector<InSentence>& in,
                                            const std::vector<Order>& orders, unsigned threads) {
  std::vector<ParseSentence> sentences = read_sentences(in, {}, model.exact.grammar);
  check_orders(orders, sentences);
  for (std::size_t i = 0; i < orders.size(); ++i) sentences[i].limits = OrderLimits(orders[i]);
  std::vector<double> out(sentences.size());
  nb::gil_scoped_release release;
  parallel_for(sentences.size(), 4, threads, [&]() -> Body {
    return [&, parser = std::make_shared<Parser>(model, ParseOptions{})](std::size_t begin,
                                                                         std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        out[i] = parser->order_log_probability(sentences[i], orders[i]);
    };
  });
  return out;
}

using OutSample = std::pair<NumpyRows<std::int32_t>, NumpyVector<std::int64_t>>;

std::pair<std::vector<OutSample>, Outcomes> samples(const ParseModel& model,
                                                    const std::vector<InSentence>& in,
                                                    const std::vector<InLimits>& limits,
                                                    std::size_t count, std::uint64_t seed,
                                                    std::size_t max_span, unsigned threads) {
  const std::vector<ParseSentence> sentences = read_sentences(in, limits, model.exact.grammar);
  std::vector<std::vector<SampledOrder>> sampled(sentences.size());
  Outcomes outcomes = for_each(model, sentences, {max_span, 0}, ParseChart::Sum::kAll, threads,
                               [&](Parser& parser, std::size_t i) {
                                 sampled[i] = sample_orders(parser, count, seed, i);
                               });
  std::vector<OutSample> out;
  for (std::size_t i = 0; i < sampled.size(); ++i) {
    std::vector<std::int32_t> orders;
    std::vector<std::int64_t> counts;
    for (const SampledOrder& one : sampled[i]) {
      orders.insert(orders.end(), one.order.begin(), one.order.end());
      counts.push_back(one.count);
    }
    out.push_back({to_rows(std::move(orders), sentences[i].words, sampled[i].size()),
                   to_numpy(std::move(counts))});
  }
  return {std::move(out), std::move(outcomes)};
}

std::pair<std::vector<std::vector<OutDerivation>>, Outcomes> derivations(
    const ParseModel& model, const std::vector<InSentence>& in,
    const std::vector<InLimits>& limits, std::size_t count, std::size_t max_span,
    unsigned threads) {
  const std::vector<ParseSentence> sentences = read_sentences(in, limits, model.exact.grammar);
  std::vector<std::vector<OutDerivation>> out(sentences.size());
  Outcomes outcomes = for_each(
      model, sentences, {max_span, 0}, ParseChart::Sum::kBest, threads,
      [&](Parser& parser, std::size_t i) {
        for (Derivation& one : best_derivations(parser, count)) {
          std::vector<OutNode> nodes;
          for (const auto& [begin, end, op, split, children] : one.nodes)
            nodes.push_back({begin, end, op, split, children});
          out[i].push_back({one.log_probability, std::move(nodes), std::move(one.order)});
        }
      });
  return {std::move(out), std::move(outcomes)};
}

}  // namespace

void bind_preorder_parse(nb::module_& m) {
  nb::class_<ParseModel>(m, "ReorderingParser")
      .def(nb::init<const Grammar&>(), "grammar"_a, nb::keep_alive<1, 2>())
      .def("expectations", &expectations, "sentences"_a, "limits"_a, "max_span"_a, "prune"_a,
           "threads"_a)
      .def("log_probabilities", &log_probabilities, "sentences"_a, "limits"_a, "max_span"_a,
           "threads"_a)
      .def("order_log_probabilities", &order_log_probabilities, "sentences"_a, "orders"_a,
           "threads"_a)
      .def("samples", &samples, "sentences"_a, "limits"_a, "count"_a, "seed"_a, "max_span"_a,
           "threads"_a)
      .def("derivations", &derivations, "sentences"_a, "limits"_a, "count"_a, "max_span"_a,
           "threads"_a);
}

}  // namespace tertium
