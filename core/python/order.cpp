// SPDX-License-Identifier: Apache-2.0
// Permutations, their trees, and the metrics of word order.
#include "order/order.hpp"

#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <tuple>

#include "python.hpp"

namespace tertium {
namespace {

// -------------------------------------------------------- permutations from Python

// Append the values of a sequence, counted from `base` there and from 0 here.
void add_values(std::vector<std::uint32_t>& out, std::vector<char>& seen, PyObject* item,
                std::size_t index, long base) {
  // Lists and tuples as they are, anything else as a tuple of our own.
  const bool is_list = PyList_Check(item);
  nb::object held = is_list ? nb::borrow(item) : nb::steal(PySequence_Tuple(item));
  if (!held) {
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw nb::python_error();
    PyErr_Clear();
    throw std::invalid_argument("permutation " + std::to_string(index) +
                                " is not a list of values; give each from " +
                                std::to_string(base) + " on once");
  }
  const Py_ssize_t n = is_list ? PyList_Size(held.ptr()) : PyTuple_Size(held.ptr());
  const auto fault = [&](Py_ssize_t at, const std::string& what) {
    throw std::invalid_argument("permutation " + std::to_string(index) + ": value " +
                                std::to_string(at + 1) + " is " + what + "; give each of " +
                                std::to_string(base) + " to " + std::to_string(n - 1 + base) +
                                " once");
  };
  seen.assign(static_cast<std::size_t>(n), 0);
  const std::size_t before = out.size();
  out.resize(before + static_cast<std::size_t>(n));
  for (Py_ssize_t i = 0; i < n; ++i) {
    PyObject* given = is_list ? PyList_GetItem(held.ptr(), i) : PyTuple_GetItem(held.ptr(), i);
    if (given && PyBool_Check(given)) fault(i, "not an integer");
    const long value = given ? PyLong_AsLong(given) : -1;
    if (value == -1 && PyErr_Occurred()) {
      const bool is_number = PyErr_ExceptionMatches(PyExc_OverflowError);
      PyErr_Clear();
      fault(i, is_number ? "too large for " + std::to_string(n) + " words" : "not an integer");
    }
    if (value < base || value - base >= n) fault(i, std::to_string(value));
    const auto place = static_cast<std::size_t>(value - base);
    if (seen[place]++) fault(i, std::to_string(value) + " again");
    out[before + static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(place);
  }
}

Permutations* make_permutations(nb::handle items, long base) {
  const nb::object tuple = nb::steal(PySequence_Tuple(items.ptr()));
  if (!tuple) throw nb::python_error();
  auto out = std::make_unique<Permutations>();
  std::vector<char> seen;
  for (Py_ssize_t i = 0; i < PyTuple_Size(tuple.ptr()); ++i) {
    add_values(out->values, seen, PyTuple_GetItem(tuple.ptr(), i), static_cast<std::size_t>(i),
               base);
    if (i == 0) {  // others are likely as long
      const auto count = static_cast<std::size_t>(PyTuple_Size(tuple.ptr()));
      if (out->values.size() < 1024) out->values.reserve(out->values.size() * count);
      out->first.reserve(count + 1);
    }
    out->first.push_back(out->values.size());
  }
  return out.release();
}

std::vector<std::uint32_t> one_permutation(nb::handle values) {
  std::vector<std::uint32_t> out;
  std::vector<char> seen;
  add_values(out, seen, values.ptr(), 0, 1);
  return out;
}

// ------------------------------------------------------------------------- trees

// Columns of nodes, children before parents: start, end, lowest and highest value
// from 1, kind (0 leaf, 1 straight, 2 inverted, 3 prime), number of children.
using Column = std::vector<std::uint32_t>;
using TreeColumns = std::tuple<Column, Column, Column, Column, Column, Column>;

TreeColumns tree_columns(nb::handle values) {
  const std::vector<std::uint32_t> perm = one_permutation(values);
  TreeBuilder builder;
  TreeColumns out;
  auto& [start, end, lo, hi, kind, count] = out;
  for (const TreeNode& node : builder.build(perm).nodes) {
    start.push_back(node.start);
    end.push_back(node.end);
    lo.push_back(node.lo + 1);
    hi.push_back(node.hi + 1);
    kind.push_back(static_cast<std::uint32_t>(node.kind));
    count.push_back(node.count);
  }
  return out;
}

// The number of nodes of every tree, for timing the builder alone.
std::vector<std::size_t> tree_sizes(const Permutations& perms) {
  nb::gil_scoped_release release;
  TreeBuilder builder;
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < perms.size(); ++i)
    out.push_back(builder.build(perms.at(i)).nodes.size());
  return out;
}

// ----------------------------------------------------------------------- settings

template <typename T>
T choose(const std::string& name, std::initializer_list<std::pair<const char*, T>> choices) {
  for (const auto& [known, value] : choices)
    if (name == known) return value;
  throw std::invalid_argument("unknown choice " + name);
}

bool set_flat(const std::string& name, FlatMetric& out) {
  static constexpr const char* kNames[] = {"kendall", "spearman", "hamming",
                                           "ulam",    "fuzzy",    "sqrt-kendall"};
  for (std::size_t i = 0; i < std::size(kNames); ++i)
    if (name == kNames[i]) return out = static_cast<FlatMetric>(i), true;
  return false;
}

Measure measure(const std::string& name, FlatMetric& flat) {
  if (set_flat(name, flat)) return Measure::kFlat;
  return choose<Measure>(name, {{"pet-size", Measure::kPetSize},
                                {"max-op", Measure::kMaxOp},
                                {"n-pets", Measure::kNPets},
                                {"log-pets", Measure::kLogPets},
                                {"straight-ratio", Measure::kStraightRatio},
                                {"inverted-ratio", Measure::kInvertedRatio},
                                {"avg-arity", Measure::kAvgArity},
                                {"recpet", Measure::kRecpet},
                                {"recpef", Measure::kRecpef}});
}

Keep keep_link(const std::string& name) {
  return choose<Keep>(name, {{"leftmost", Keep::kLeftmost},
                             {"rightmost", Keep::kRightmost},
                             {"probable", Keep::kProbable}});
}

Unaligned unaligned_words(const std::string& name) {
  return choose<Unaligned>(name, {{"drop", Unaligned::kDrop},
                                  {"left", Unaligned::kLeft},
                                  {"right", Unaligned::kRight}});
}

OrderKernel* make_order(const std::string& name, double beta, double gamma,
                        const std::string& op_score, const std::string& forest,
                        const std::string& child_weight, bool rescale,
                        const std::string& branching, const std::string& over,
                        const std::string& keep, const std::string& unaligned, double alpha,
                        const std::string& lexical, bool brevity, const std::string& weight) {
  OrderKernelSettings out;
  OrderSettings& order = out.order;
  order.measure = measure(name, order.flat);
  order.chart = choose<bool>(over, {{"tree", false}, {"chart", true}});
  order.beta = beta;
  order.gamma = gamma;
  order.graded = op_score != "binary";
  if (order.graded && !set_flat(op_score, order.op_score))
    throw std::invalid_argument("unknown choice " + op_score);
  order.forest = choose<ForestMode>(forest, {{"split", ForestMode::kSplit},
                                             {"tree", ForestMode::kTree},
                                             {"max", ForestMode::kMax},
                                             {"min", ForestMode::kMin}});
  order.by_span = choose<bool>(child_weight, {{"plain", false}, {"span", true}});
  order.rescale = rescale;
  order.right_branching = choose<bool>(branching, {{"left", false}, {"right", true}});
  out.keep = keep_link(keep);
  out.unaligned = unaligned_words(unaligned);
  out.alpha = alpha;
  out.lexical = choose<Lexical>(lexical, {{"bleu1", Lexical::kBleu1}, {"f1", Lexical::kF1}});
  out.brevity = brevity;
  out.by_length = choose<bool>(weight, {{"segment", false}, {"length", true}});
  return new OrderKernel(out);
}

// -------------------------------------------------------------------------- scores

OutMatrix permutation_rows(const OrderKernel& kernel, const Permutations& perms,
                           unsigned threads) {
  double* data;
  OutMatrix out = make_matrix(perms.size(), kernel.width(), data);
  nb::gil_scoped_release release;
  kernel.permutation_rows(perms, 0, perms.size(), threads, data);
  return out;
}

std::vector<Sums> sum_permutations(const OrderKernel& kernel,
                                   const std::vector<const Permutations*>& systems,
                                   unsigned threads) {
  nb::gil_scoped_release release;
  std::vector<Sums> sums;
  for (const Permutations* perms : systems)
    sums.push_back(sum_in_parts(perms->size(), kernel.width(), 1,
                           [&](std::size_t begin, std::size_t end, std::span<double* const> out) {
                             kernel.permutation_rows(*perms, begin, end, threads, out[0]);
                           })[0]);
  return sums;
}

std::vector<double> node_values(const OrderKernel& kernel, nb::handle values) {
  const std::vector<std::uint32_t> perm = one_permutation(values);
  TreeBuilder builder;
  OrderScorer scorer(kernel.order());
  const auto found = scorer.node_values(builder.build(perm));
  return {found.begin(), found.end()};
}

using MatchTuple = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
                              std::uint32_t, double>;
using Reduced =
    std::tuple<std::vector<std::uint32_t>, std::vector<std::uint32_t>, std::vector<long>>;

// The permutation from 1; of every position the hypothesis word, and its own word of
// the reference or -1.
Reduced reduce_matches(std::size_t hyp_words, const std::vector<MatchTuple>& tuples,
                       const std::string& keep, const std::string& unaligned) {
  std::vector<Match> matches;
  std::uint64_t ref_words = 0;
  for (const auto& [hyp, hyp_length, ref, ref_length, matcher, weight] : tuples) {
    const std::uint64_t end = ref + std::uint64_t{ref_length};
    if (hyp_length == 0 || ref_length == 0 || hyp + std::uint64_t{hyp_length} > hyp_words ||
        end > INT32_MAX)
      throw std::invalid_argument("match " + std::to_string(hyp) + "-" + std::to_string(ref) +
                                  " lies outside its text; count words from 0");
    ref_words = std::max(ref_words, end);
    matches.push_back({hyp, hyp_length, ref, ref_length, matcher, weight});
  }
  std::sort(matches.begin(), matches.end(), [](const Match& a, const Match& b) {
    return std::tie(a.hyp, a.ref) < std::tie(b.hyp, b.ref);
  });
  const std::vector<std::uint32_t> hyp(hyp_words), ref(ref_words);
  Reduction reduction(keep_link(keep), unaligned_words(unaligned));
  Reduced out;
  auto& [perm, hyps, refs] = out;
  for (const std::uint32_t value : reduction.reduce({hyp, ref, matches, nullptr, nullptr}))
    perm.push_back(value + 1);
  for (const Reduction::Place& place : reduction.places()) {
    hyps.push_back(place.word);
    refs.push_back(place.own ? static_cast<long>(place.key) : -1);
  }
  return out;
}

}  // namespace

void bind_order(nb::module_& m) {
  nb::class_<Permutations>(m, "Permutations")
      .def(nb::new_(&make_permutations), "perms"_a, "base"_a = 1)
      .def("__len__", &Permutations::size);
  nb::class_<OrderKernel, PairKernel>(m, "OrderKernel")
      .def("permutation_rows", &permutation_rows, "perms"_a, "threads"_a)
      .def("sum_permutations", &sum_permutations, "systems"_a, "threads"_a)
      .def("node_values", &node_values, "values"_a);
  m.def("order", &make_order, "measure"_a, nb::kw_only(), "beta"_a = 0.6, "gamma"_a = 0.0,
        "op_score"_a = "binary", "forest"_a = "split", "child_weight"_a = "plain",
        "rescale"_a = false, "branching"_a = "left", "over"_a = "tree", "keep"_a = "leftmost",
        "unaligned"_a = "drop", "alpha"_a = 0.0, "lexical"_a = "bleu1", "brevity"_a = false,
        "weight"_a = "segment", nb::rv_policy::take_ownership);
  m.def("permutation_tree", &tree_columns, "values"_a);
  m.def("permutation_tree_sizes", &tree_sizes, "perms"_a);
  m.def("reduce_matches", &reduce_matches, "hyp_words"_a, "matches"_a, "keep"_a = "leftmost",
        "unaligned"_a = "drop");
}

}  // namespace tertium
