// SPDX-License-Identifier: Apache-2.0
// The closest of many references.
#include "automata/closest.hpp"

#include <nanobind/stl/pair.h>

#include <functional>
#include <map>

#include "python.hpp"

namespace tertium {

namespace {

using Arcs = std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>>;

Acceptor acceptor(const Arcs& arcs, const std::vector<bool>& finals) {
  if (arcs.size() != finals.size()) throw std::invalid_argument("one end mark a state");
  Acceptor out;
  for (std::size_t state = 0; state < arcs.size(); ++state) {
    out.first.push_back(static_cast<std::uint32_t>(out.arcs.size()));
    for (const auto& [symbol, to] : arcs[state]) out.arcs.push_back({symbol, to});
    out.final.push_back(finals[state]);
  }
  out.first.push_back(static_cast<std::uint32_t>(out.arcs.size()));
  return out;
}

// The kinds of a token's edits come as bytes, one a symbol.
std::uint32_t add_token(Closest& self, const nb::bytes& kinds, Kind drop,
                        std::vector<std::pair<std::uint32_t, std::uint32_t>> parts) {
  const auto* data = reinterpret_cast<const Kind*>(kinds.c_str());
  return self.add_token({{data, data + kinds.size()}, drop, std::move(parts)});
}

nb::tuple described(const Found& found) {
  nb::list corrections;
  for (const Correction& correction : found.corrections) {
    nb::list edits;
    for (const Correction::Edit& edit : correction.edits)
      edits.append(nb::make_tuple(edit.kind, edit.token, edit.symbol, edit.moved));
    corrections.append(nb::make_tuple(correction.cost, correction.reference, edits));
  }
  return nb::make_tuple(corrections, found.costs, found.bound, found.proven, found.exhausted);
}

nb::list search(const Closest& self, const std::vector<std::vector<std::uint32_t>>& hypotheses,
                std::size_t corrections, std::int64_t slack, std::size_t references,
                std::size_t nodes, double seconds, unsigned threads) {
  const SearchLimits limits{corrections, slack, references, nodes, seconds};
  std::vector<Found> found(hypotheses.size());
  {
    nb::gil_scoped_release release;
    parallel_for(hypotheses.size(), 1, threads, [&]() -> Body {
      return [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) found[i] = self.search(hypotheses[i], limits);
      };
    });
  }
  nb::list out;
  for (const Found& one : found) out.append(described(one));
  return out;
}

// Every permutation of a move lattice, with the fewest moves that make it.
std::vector<std::pair<std::vector<std::uint16_t>, int>> permutations(std::size_t tokens, int moves,
                                                                     int window) {
  const MoveLattice lattice(tokens, moves, window);
  std::map<std::vector<std::uint16_t>, int> fewest;
  std::vector<std::uint16_t> order;
  const std::function<void(std::uint32_t, int)> walk = [&](std::uint32_t state, int moved) {
    if (state == lattice.end()) {
      const auto [place, fresh] = fewest.try_emplace(order, moved);
      if (!fresh) place->second = std::min(place->second, moved);
    }
    for (const MoveStep& step : lattice.steps(state)) {
      const bool out = step.step != Step::kPostpone;
      const bool pays = step.step == Step::kPostpone || step.step == Step::kEarly;
      if (out) order.push_back(step.token);
      walk(step.to, moved + pays);
      if (out) order.pop_back();
    }
  };
  walk(0, 0);
  return {fewest.begin(), fewest.end()};
}

std::size_t lattice_size(std::size_t tokens, int moves, int window) {
  return MoveLattice(tokens, moves, window).size();
}

}  // namespace

void bind_closest(nb::module_& m) {
  nb::class_<Closest>(m, "Closest")
      .def("__init__",
           [](Closest* self, const Arcs& arcs, const std::vector<bool>& finals,
              std::vector<std::int32_t> costs, Kind move, Kind join, Kind insert, int moves,
              int window, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& compounds) {
             std::vector<Compound> read;
             for (const auto& [symbol, parts] : compounds) read.push_back({symbol, parts});
             new (self) Closest(acceptor(arcs, finals),
                                {std::move(costs), move, join, insert, moves, window},
                                std::move(read));
           },
           "arcs"_a, "finals"_a, "costs"_a, "move"_a, "join"_a, "insert"_a, "moves"_a,
           "window"_a, "compounds"_a)
      .def("add_token", &add_token, "kinds"_a, "drop"_a, "parts"_a)
      .def("search", &search, "hypotheses"_a, "corrections"_a, "slack"_a, "references"_a,
           "nodes"_a, "seconds"_a, "threads"_a);
  m.def("move_permutations", &permutations, "tokens"_a, "moves"_a, "window"_a);
  m.def("move_states", &lattice_size, "tokens"_a, "moves"_a, "window"_a);
}

}  // namespace tertium
