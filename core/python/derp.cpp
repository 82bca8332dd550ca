// SPDX-License-Identifier: Apache-2.0
// DERP and dependency overlap.
#include "trees/derp.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <array>
#include <map>
#include <tuple>
#include <utility>

#include "python.hpp"
#include "trees/dependency.hpp"

namespace tertium {
namespace {

// First and second word of the hypothesis, of the reference, L, L_max.
using EdgeTuple = std::array<std::uint64_t, 6>;

template <typename Choice>
Choice choose(const std::map<std::string, Choice>& choices, const std::string& name) {
  const auto found = choices.find(name);
  if (found == choices.end()) throw std::invalid_argument("unknown choice " + name);
  return found->second;
}

DerpOptions options(bool flat, const std::string& ordinality, const std::string& normalise,
                    bool ignore_punct, const std::string& labels,
                    const std::string& degenerate) {
  using O = DerpOptions;
  return {flat,
          choose<O::Ordinality>({{"contract", O::Ordinality::kContract},
                                 {"greedy", O::Ordinality::kGreedy},
                                 {"exact", O::Ordinality::kExact}},
                                ordinality),
          choose<O::Normalise>({{"max", O::Normalise::kMax},
                                {"spanning", O::Normalise::kSpanning},
                                {"dependency", O::Normalise::kDependency}},
                               normalise),
          ignore_punct,
          choose<O::Labels>({{"full", O::Labels::kFull},
                             {"universal", O::Labels::kUniversal},
                             {"none", O::Labels::kNone}},
                            labels),
          choose<O::Degenerate>({{"keep", O::Degenerate::kKeep},
                                 {"zero", O::Degenerate::kZero},
                                 {"drop", O::Degenerate::kDrop}},
                                degenerate)};
}

// Aligned words of the hypothesis, its words, and the same of the reference.
using Counts = std::array<std::size_t, 4>;

// Score, counts, edges.
std::tuple<double, Counts, std::vector<EdgeTuple>> derp_edges(
    const PairBatch& batch, std::size_t system, std::size_t segment, std::size_t ref,
    const DerpOptions& chosen) {
  if (system >= batch.systems() || segment >= batch.segments() ||
      ref >= batch.first_ref(segment + 1) - batch.first_ref(segment))
    throw std::out_of_range("no such pair");
  Derp derp(chosen);
  std::vector<DerpEdge> edges;
  const DerpSums sums = derp.edges(batch.pair(system, segment, batch.first_ref(segment) + ref), edges);
  std::vector<EdgeTuple> out;
  for (const DerpEdge& e : edges)
    out.push_back({e.hyp[0], e.hyp[1], e.ref[0], e.ref[1], edits_of(e.cost), longest_of(e.cost)});
  const Counts counts{sums.hyp_aligned, sums.hyp_words, sums.ref_aligned, sums.ref_words};
  return {derp.score(sums), counts, out};
}

std::vector<std::size_t> derp_join(const std::vector<EdgeTuple>& tuples, std::uint32_t hyps,
                                   std::uint32_t refs, bool exact) {
  std::vector<PathPair> pairs;
  for (const auto& [h0, h1, r0, r1, edits, longest] : tuples) {
    if (std::max(h0, h1) >= hyps || std::max(r0, r1) >= refs)
      throw std::out_of_range("a pair of paths joins words that do not exist");
    pairs.push_back({{static_cast<std::uint32_t>(h0), static_cast<std::uint32_t>(h1)},
                     {static_cast<std::uint32_t>(r0), static_cast<std::uint32_t>(r1)},
                     path_cost(edits, longest)});
  }
  return exact ? join_exactly(pairs, hyps, refs) : join_greedily(pairs, hyps, refs);
}

}  // namespace

void bind_derp(nb::module_& m) {
  m.def("derp", [](bool flat, const std::string& ordinality, const std::string& normalise,
                   bool ignore_punct, const std::string& labels, const std::string& degenerate) {
    return make_derp(options(flat, ordinality, normalise, ignore_punct, labels, degenerate));
  }, "flat"_a, "ordinality"_a, "normalise"_a, "ignore_punct"_a, "labels"_a, "degenerate"_a);
  m.def("derp_edges", [](const PairBatch& pairs, std::size_t system, std::size_t segment,
                         std::size_t ref, bool flat, const std::string& ordinality,
                         const std::string& normalise, bool ignore_punct,
                         const std::string& labels, const std::string& degenerate) {
    return derp_edges(pairs, system, segment, ref,
                      options(flat, ordinality, normalise, ignore_punct, labels, degenerate));
  }, "pairs"_a, "system"_a, "segment"_a, "ref"_a, "flat"_a, "ordinality"_a, "normalise"_a,
     "ignore_punct"_a, "labels"_a, "degenerate"_a);
  m.def("derp_join", &derp_join, "pairs"_a, "hyps"_a, "refs"_a, "exact"_a);
  m.def("headword_chain", [](bool flat, std::size_t max_length) {
    return make_headword_chain(flat, max_length);
  }, "flat"_a, "max_length"_a);
  m.def("dependency_overlap", [](bool flat, const std::string& arcs, const std::string& score) {
    return make_dependency_overlap(
        flat,
        choose<Arcs>({{"labelled", Arcs::kLabelled}, {"unlabelled", Arcs::kUnlabelled},
                      {"words", Arcs::kWords}}, arcs),
        choose<Overlap>({{"precision", Overlap::kPrecision}, {"recall", Overlap::kRecall},
                         {"f", Overlap::kF}, {"mean", Overlap::kMean}}, score));
  }, "flat"_a, "arcs"_a, "score"_a);
}

}  // namespace tertium
