// SPDX-License-Identifier: Apache-2.0
// Tree edit distance and DTED.
#include "trees/tree_edit.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "python.hpp"
#include "trees/dted.hpp"
#include "trees/unit_tree_edit.hpp"

namespace tertium {
namespace {

using Numbers = std::vector<std::uint32_t>;
using Partners = std::vector<std::int32_t>;

// ---------------------------------------------------------------- labelled trees

// Prepared in both orders, so that a comparison has nothing left to prepare.
struct LabelledForest {
  OrderedForest forest;
  UnitOrder left, right;

  const Postorder& order(bool mirror) const { return mirror ? forest.right() : forest.left(); }
  const UnitOrder& unit(bool mirror) const { return mirror ? right : left; }
};

LabelledForest* make_forest(const Numbers& parents, const Numbers& labels) {
  if (parents.size() != labels.size()) throw std::invalid_argument("one parent a label");
  auto out = std::make_unique<LabelledForest>();
  out->forest.assign(parents);
  out->left.assign(out->forest.left(), labels);
  out->right.assign(out->forest.right(), labels);
  return out.release();
}

// What keeps the parents from being a tree: the node and the reason.
std::optional<std::pair<std::size_t, std::string>> tree_fault(const Numbers& parents) {
  try {
    OrderedForest().assign(parents);
  } catch (const NotATree& fault) {
    return std::pair(fault.node, std::string(fault.what()));
  }
  return std::nullopt;
}

std::int32_t unit_distance(UnitTreeEdit& edit, const LabelledForest& a, const LabelledForest& b) {
  const bool mirror = mirrored(a.forest, b.forest);
  check_effort(a.order(mirror), b.order(mirror));
  return edit.distance(a.unit(mirror), b.unit(mirror));
}

std::int32_t distance(const LabelledForest& a, const LabelledForest& b) {
  thread_local UnitTreeEdit kept;  // its tables serve the next call
  if (a.forest.size() * b.forest.size() <= 1 << 14) return unit_distance(kept, a, b);
  nb::gil_scoped_release release;
  UnitTreeEdit own;
  return unit_distance(own, a, b);
}

std::vector<std::int32_t> distances(const nb::list& first, const nb::list& second,
                                    unsigned threads) {
  HeldBatch held;
  std::vector<const LabelledForest*> trees[2];
  for (const nb::list* list : {&first, &second}) {
    PyObject* items = held.hold(list->ptr());
    for (Py_ssize_t i = 0; i < PyTuple_Size(items); ++i)
      trees[list == &second].push_back(nb::cast<const LabelledForest*>(
          nb::handle(PyTuple_GetItem(items, i))));
  }
  const std::size_t n = trees[0].size();
  if (trees[1].size() != n) throw std::invalid_argument("as many first as second trees");
  std::vector<std::int32_t> out(n);
  nb::gil_scoped_release release;
  parallel_for(n, 64, threads, [&]() -> Body {
    return [&, edit = UnitTreeEdit()](std::size_t from, std::size_t to) mutable {
      for (std::size_t i = from; i < to; ++i)
        out[i] = unit_distance(edit, *trees[0][i], *trees[1][i]);
    };
  });
  return out;
}

// From places to nodes.
Partners by_node(const Partners& places, const Postorder& a, const Postorder& b) {
  Partners out(places.size(), -1);
  for (std::size_t i = 0; i < places.size(); ++i)
    if (places[i] >= 0)
      out[a.node[i]] = static_cast<std::int32_t>(b.node[static_cast<std::size_t>(places[i])]);
  return out;
}

std::pair<std::int32_t, Partners> mapping(const LabelledForest& a, const LabelledForest& b) {
  nb::gil_scoped_release release;
  TreeEdit<UnitCosts> edit;
  const bool mirror = mirrored(a.forest, b.forest);
  const Postorder &left = a.order(mirror), &right = b.order(mirror);
  check_effort(left, right);
  const UnitCosts costs{a.unit(mirror).labels.data(), b.unit(mirror).labels.data()};
  const std::int32_t cost = edit.distance(left, right, costs);
  return {cost, by_node(edit.mapping(left, right, costs), left, right)};
}

// Costs of nodes; renames by node of a, then of b.
std::pair<double, Partners> weighted(const LabelledForest& a, const LabelledForest& b,
                                     const std::vector<double>& renames,
                                     const std::vector<double>& removes,
                                     const std::vector<double>& inserts, bool map) {
  nb::gil_scoped_release release;
  const std::size_t n = a.forest.size(), m = b.forest.size();
  if (removes.size() != n || inserts.size() != m || renames.size() != n * m)
    throw std::invalid_argument("costs do not fit the trees");
  const bool mirror = mirrored(a.forest, b.forest);
  const Postorder &left = a.order(mirror), &right = b.order(mirror);
  check_effort(left, right);
  TableCosts<double> costs;
  for (const std::uint32_t v : left.node) costs.removes.push_back(removes[v]);
  for (const std::uint32_t w : right.node) costs.inserts.push_back(inserts[w]);
  for (const std::uint32_t v : left.node)
    for (const std::uint32_t w : right.node) costs.renames.push_back(renames[v * m + w]);
  TreeEdit<TableCosts<double>> edit;
  const double cost = edit.distance(left, right, costs);
  return {cost, map ? by_node(edit.mapping(left, right, costs), left, right) : Partners()};
}

// --------------------------------------------------------------------------- DTED

DtedVariant variant(const std::string& name) {
  if (name == "b") return DtedVariant::kB;
  if (name == "c") return DtedVariant::kC;
  if (name == "co") return DtedVariant::kCo;
  if (name == "cl") return DtedVariant::kCl;
  throw std::invalid_argument("unknown variant " + name);
}

DtedWeighting weighting(const std::string& name) {
  if (name == "log") return DtedWeighting::kLog;
  if (name == "proportional") return DtedWeighting::kProportional;
  if (name == "inverse") return DtedWeighting::kInverse;
  throw std::invalid_argument("unknown weighting " + name);
}

Degenerate degenerate(const std::string& name) {
  if (name == "keep") return Degenerate::kKeep;
  if (name == "drop") return Degenerate::kDrop;
  if (name == "zero") return Degenerate::kZero;
  throw std::invalid_argument("unknown treatment of degenerate segments " + name);
}

std::vector<char> skipped(const std::vector<std::string>& words, bool punctuation) {
  std::vector<char> out;
  if (punctuation)
    for (const std::string& word : words) out.push_back(is_punctuation(word));
  return out;
}

using Links = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
using Explained = std::pair<DtedOutcome, Partners>;

}  // namespace

void bind_tree_edit(nb::module_& m) {
  nb::class_<LabelledForest>(m, "LabelledForest")
      .def(nb::new_(&make_forest), "parents"_a, "labels"_a);
  m.def("tree_fault", &tree_fault, "parents"_a);
  m.def("tree_distance", &distance, "a"_a, "b"_a);
  m.def("tree_distances", &distances, "first"_a, "second"_a, "threads"_a);
  m.def("tree_mapping", &mapping, "a"_a, "b"_a);
  m.def("tree_weighted", &weighted, "a"_a, "b"_a, "renames"_a, "removes"_a, "inserts"_a,
        "mapping"_a);

  nb::class_<DtedOutcome>(m, "DtedOutcome")
      .def_ro("dist", &DtedOutcome::dist)
      .def_ro("dist_a", &DtedOutcome::dist_a)
      .def_ro("dist_na", &DtedOutcome::dist_na)
      .def_ro("words", &DtedOutcome::words)
      .def_ro("aligned", &DtedOutcome::aligned)
      .def_ro("prop", &DtedOutcome::prop)
      .def_ro("weight", &DtedOutcome::weight)
      .def_ro("score", &DtedOutcome::score)
      .def_ro("degenerate", &DtedOutcome::degenerate);
  nb::class_<DtedOptions>(m, "DtedOptions")
      .def("__init__", [](DtedOptions* self, const std::string& kind, bool flat,
                          const std::string& weigh, double base, double cap,
                          std::uint32_t mismatch, bool virtual_root, bool binarise,
                          bool ignore_punct, const std::string& odd) {
        new (self) DtedOptions{variant(kind), flat,         weighting(weigh), base,
                               cap,           mismatch,     virtual_root,     binarise,
                               ignore_punct,  degenerate(odd)};
      }, "variant"_a, "flat"_a, "weighting"_a, "log_base"_a, "cap"_a, "mismatch"_a,
         "virtual_root"_a, "binarise"_a, "ignore_punct"_a, "degenerate"_a);
  m.def("dted", [](const DtedOptions& options) { return make_dted(options); }, "options"_a);
  m.def("dted_mapping", [](const DtedOptions& options, const std::vector<std::string>& hyp,
                           const Numbers& hyp_heads, const std::vector<std::string>& ref,
                           const Numbers& ref_heads, Links links) -> Explained {
    for (const auto& [h, r] : links)
      if (h >= hyp.size() || r >= ref.size()) throw std::out_of_range("a link lies outside");
    nb::gil_scoped_release release;
    std::sort(links.begin(), links.end());
    const std::vector<char> hyp_skipped = skipped(hyp, options.ignore_punct);
    const std::vector<char> ref_skipped = skipped(ref, options.ignore_punct);
    const DtedText own{hyp.size(), hyp_heads, hyp_skipped};
    const DtedText other{ref.size(), ref_heads, ref_skipped};
    Dted dted(options);
    const DtedOutcome outcome = dted.compare(own, other, links);
    return {outcome, dted.mapping(own, other, links)};
  }, "options"_a, "hyp"_a, "hyp_heads"_a, "ref"_a, "ref_heads"_a, "links"_a);
}

}  // namespace tertium
