// SPDX-License-Identifier: Apache-2.0
// The reordering grammar, its units and its training.
#include "preorder/grammar.hpp"

#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include "preorder/forest.hpp"
#include "preorder/training.hpp"
#include "preorder/units.hpp"
#include "preorder_arrays.hpp"
#include "python.hpp"

namespace tertium {
namespace {

Grammar* make_grammar(const std::vector<std::vector<std::uint32_t>>& ranks,
                      const std::vector<std::int32_t>& emitters,
                      const std::vector<std::uint32_t>& splits, InVector<double> root,
                      InVector<double> unary, InVector<std::uint32_t> first,
                      InVector<std::uint32_t> slot, InVector<double> value,
                      InVector<double> slot_backoff, InVector<double> terminal_backoff) {
  auto out = std::make_unique<Grammar>();
  out->shape = read_shape(ranks, emitters, splits);
  out->root = copied(root);
  out->unary = copied(unary);
  out->first = copied(first);
  out->slot = copied(slot);
  out->value = copied(value);
  out->slot_backoff = copied(slot_backoff);
  out->terminal_backoff = copied(terminal_backoff);
  out->check();
  return out.release();
}

using Whole = std::uint32_t;

// ------------------------------------------------------------------------ units

// The units of all sentences: where those of each start; first word, end, rank.
auto minimal_units(InVector<Whole> words, InVector<Whole> first, InVector<Whole> source,
                   InVector<Whole> target) {
  const auto lengths = as_span(words), starts = as_span(first);
  const auto sources = as_span(source), targets = as_span(target);
  if (starts.size() != lengths.size() + 1 || starts.back() != sources.size() ||
      sources.size() != targets.size() || !std::is_sorted(starts.begin(), starts.end()))
    throw std::invalid_argument("the links do not fit the sentences");
  std::vector<Whole> unit_first = {0}, start, end, rank;
  {
    nb::gil_scoped_release release;
    UnitFinder finder;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      const std::size_t from = starts[i], count = starts[i + 1] - from;
      for (const MinimalUnit& unit :
           finder.find(lengths[i], sources.subspan(from, count), targets.subspan(from, count))) {
        start.push_back(unit.start);
        end.push_back(unit.end);
        rank.push_back(unit.rank);
      }
      unit_first.push_back(static_cast<Whole>(start.size()));
    }
  }
  return std::tuple(to_numpy(std::move(unit_first)), to_numpy(std::move(start)),
                    to_numpy(std::move(end)), to_numpy(std::move(rank)));
}

// ---------------------------------------------------------------------- forests

ForestSettings read_settings(const std::string& branching, const std::string& attach,
                             const std::string& height) {
  ForestSettings out;
  out.branching = branching == "left"    ? Branching::kLeft
                  : branching == "right" ? Branching::kRight
                                         : Branching::kAll;
  out.attach = attach == "left" ? Attach::kLeft : Attach::kRight;
  out.height = height == "high"   ? Height::kHigh
               : height == "both" ? Height::kBoth
                                  : Height::kLow;
  return out;
}

// The nodes of one forest, children before parents: start, end, operator, edges. Empty if
// there is none.
using ForestRow =
    std::tuple<Whole, Whole, std::int32_t, std::vector<std::vector<Whole>>>;

std::vector<ForestRow> forest_rows(const std::vector<std::vector<Whole>>& ranks,
                                   const std::vector<std::int32_t>& emitters,
                                   InVector<Whole> unit_ranks, const std::string& branching,
                                   const std::string& attach, const std::string& height) {
  const GrammarShape shape = read_shape(ranks, emitters, std::vector<Whole>(ranks.size(), 1));
  ForestBuilder builder(shape.operators, read_settings(branching, attach, height));
  std::vector<ForestRow> out;
  if (builder.build(as_span(unit_ranks)) != ForestFault::kNone) return out;
  const Forest forest = builder.forest();
  for (const ForestNode& node : forest.nodes) {
    std::vector<std::vector<Whole>> edges(node.edges);
    for (std::size_t e = 0, at = node.first_edge; e < node.edges; ++e)
      for (std::size_t c = 0; c < shape.operators[static_cast<std::size_t>(node.op)].arity(); ++c)
        edges[e].push_back(forest.children[at++]);
    out.emplace_back(node.start, node.end, node.op, std::move(edges));
  }
  return out;
}

ForestCorpus* make_corpus(const std::vector<std::vector<Whole>>& ranks,
                          const std::vector<std::int32_t>& emitters, const std::string& branching,
                          const std::string& attach, const std::string& height) {
  GrammarShape shape = read_shape(ranks, emitters, std::vector<Whole>(ranks.size(), 1));
  return new ForestCorpus(std::move(shape.operators), read_settings(branching, attach, height));
}

auto add_sentences(ForestCorpus& corpus, InVector<Whole> first, InVector<Whole> terminal,
                   InVector<Whole> rank, InVector<Whole> sentence, InVector<double> weight,
                   unsigned threads) {
  std::vector<std::uint8_t> out;
  const UnitArrays units = {as_span(first), as_span(terminal), as_span(rank), as_span(sentence),
                            as_span(weight)};
  {
    nb::gil_scoped_release release;
    for (const ForestFault fault : corpus.add(units, threads))
      out.push_back(static_cast<std::uint8_t>(fault));
  }
  return to_numpy(std::move(out));
}

auto chart_counts(const ForestCorpus& corpus) {
  ChartCounts counts = corpus.chart_counts();
  return std::tuple(to_numpy(std::move(counts.root)), to_numpy(std::move(counts.unary)),
                    to_numpy(std::move(counts.terminal)), to_numpy(std::move(counts.child)),
                    to_numpy(std::move(counts.count)));
}

auto expect(const ForestCorpus& corpus, const Grammar& grammar, unsigned threads) {
  GrammarCounts counts;
  std::vector<double> logs;
  {
    nb::gil_scoped_release release;
    logs = corpus.expect(grammar, threads, &counts);
  }
  return std::tuple(to_numpy(std::move(logs)), to_numpy(std::move(counts.root)),
                    to_numpy(std::move(counts.unary)), to_numpy(std::move(counts.value)));
}

auto merge_losses(const ForestCorpus& corpus, const Grammar& grammar, InVector<Whole> states,
                  InVector<double> shares, unsigned threads) {
  std::vector<double> losses;
  const auto first = as_span(states);
  const auto parts = as_span(shares);
  {
    nb::gil_scoped_release release;
    losses = corpus.merge_losses(grammar, first, parts, threads);
  }
  return to_numpy(std::move(losses));
}

auto log_probabilities(const ForestCorpus& corpus, const Grammar& grammar, unsigned threads) {
  std::vector<double> logs;
  {
    nb::gil_scoped_release release;
    logs = corpus.expect(grammar, threads, nullptr);
  }
  return to_numpy(std::move(logs));
}

}  // namespace

void bind_preorder_grammar(nb::module_& m) {
  nb::class_<Grammar>(m, "ReorderingGrammar")
      .def(nb::new_(&make_grammar), "ranks"_a, "emitters"_a, "splits"_a, "root"_a, "unary"_a,
           "first"_a, "slot"_a, "value"_a, "slot_backoff"_a, "terminal_backoff"_a)
      .def_prop_ro("states", [](const Grammar& g) { return g.shape.states(); })
      .def_prop_ro("slots", [](const Grammar& g) { return g.shape.slots(); })
      .def("emissions", [](const Grammar& g, std::size_t terminal) {
        if (terminal >= g.terminals()) throw nb::index_error("no such terminal");
        std::vector<double> out(g.shape.slots());
        g.emissions(terminal, out);
        return to_numpy(std::move(out));
      }, "terminal"_a);
  m.def("minimal_units", &minimal_units, "words"_a, "first"_a, "source"_a, "target"_a);
  m.def("forest_rows", &forest_rows, "ranks"_a, "emitters"_a, "unit_ranks"_a, "branching"_a,
        "attach"_a, "height"_a);
  nb::class_<ForestCorpus>(m, "ForestCorpus")
      .def(nb::new_(&make_corpus), "ranks"_a, "emitters"_a, "branching"_a, "attach"_a,
           "height"_a)
      .def("__len__", &ForestCorpus::size)
      .def_prop_ro("units", &ForestCorpus::units)
      .def_prop_ro("edges", &ForestCorpus::edges)
      .def("add", &add_sentences, "first"_a, "terminal"_a, "rank"_a, "sentence"_a, "weight"_a,
           "threads"_a)
      .def("chart_counts", &chart_counts)
      .def("expect", &expect, "grammar"_a, "threads"_a)
      .def("merge_losses", &merge_losses, "grammar"_a, "states"_a, "shares"_a, "threads"_a)
      .def("log_probabilities", &log_probabilities, "grammar"_a, "threads"_a);
}

}  // namespace tertium
