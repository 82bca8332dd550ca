// SPDX-License-Identifier: Apache-2.0
// The only file of the core that knows Python.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>

#include "batch.hpp"
#include "bleu.hpp"
#include "character.hpp"
#include "chrf.hpp"
#include "edit.hpp"
#include "levenshtein.hpp"
#include "ngrams.hpp"
#include "nist.hpp"
#include "resample.hpp"
#include "ribes.hpp"
#include "rouge.hpp"
#include "ter.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace tertium {
namespace {

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using OutMatrix = nb::ndarray<nb::numpy, double, nb::ndim<2>, nb::c_contig>;
using OutVector = nb::ndarray<nb::numpy, double, nb::ndim<1>, nb::c_contig>;

// ------------------------------------------------------------- texts from Python

[[noreturn]] void wrong_type(const char* what, std::size_t i, PyObject* found) {
  const nb::str name(nb::handle(reinterpret_cast<PyObject*>(Py_TYPE(found))).attr("__name__"));
  const std::string message = std::string(what) + " " + std::to_string(i) +
                              " is of type " + name.c_str() + ", not str";
  throw nb::type_error(message.c_str());
}

// A view of the UTF-8 form that CPython keeps inside the string object: valid
// as long as the string lives, also while the GIL is released.
Text view(PyObject* object, const char* what, std::size_t i) {
  if (!PyUnicode_Check(object)) wrong_type(what, i, object);
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(object, &size);
  if (!data) throw nb::python_error();
  return Text(data, static_cast<std::size_t>(size));
}

// Texts in tuples of our own: they stay as they are and alive for as long as the
// views are used, whatever other threads do to the caller's lists.
struct HeldBatch {
  Batch batch;
  std::vector<nb::object> held;

  PyObject* hold(PyObject* sequence) {
    PyObject* tuple = PySequence_Tuple(sequence);  // itself, if it is a tuple
    if (!tuple) throw nb::python_error();
    held.push_back(nb::steal(tuple));
    return tuple;
  }
};

void add_refs(HeldBatch& out, PyObject* item, std::size_t i) {
  if (PyUnicode_Check(item)) {
    out.batch.refs.push_back(view(item, "reference", i));
    return;
  }
  // The outer tuple holds an inner one; anything else is copied into a tuple.
  PyObject* tuple = PyTuple_Check(item) ? item : out.hold(item);
  const Py_ssize_t count = PyTuple_Size(tuple);
  for (Py_ssize_t r = 0; r < count; ++r)
    out.batch.refs.push_back(view(PyTuple_GetItem(tuple, r), "reference of segment", i));
}

HeldBatch read_batch(const std::vector<nb::list>& systems, const nb::list& refs) {
  HeldBatch out;
  PyObject* ref_items = out.hold(refs.ptr());
  const auto n = static_cast<std::size_t>(PyTuple_Size(ref_items));
  for (const nb::list& hyps : systems) {
    PyObject* items = out.hold(hyps.ptr());
    if (static_cast<std::size_t>(PyTuple_Size(items)) != n)
      throw std::invalid_argument("as many references as hypotheses");
    std::vector<Text>& texts = out.batch.systems.emplace_back();
    texts.reserve(n);
    for (std::size_t i = 0; i < n; ++i)
      texts.push_back(view(PyTuple_GetItem(items, static_cast<Py_ssize_t>(i)), "hypothesis", i));
  }
  out.batch.refs.reserve(n);
  out.batch.first.reserve(n + 1);
  for (std::size_t i = 0; i < n; ++i) {
    out.batch.first.push_back(out.batch.refs.size());
    add_refs(out, PyTuple_GetItem(ref_items, static_cast<Py_ssize_t>(i)), i);
    if (out.batch.refs.size() == out.batch.first.back())
      throw std::invalid_argument("segment " + std::to_string(i) + " has no reference");
  }
  out.batch.first.push_back(out.batch.refs.size());
  return out;
}

// --------------------------------------------------------------- arrays to Python

OutMatrix make_matrix(std::size_t rows, std::size_t columns, double*& data) {
  if (columns > 0 && rows > SIZE_MAX / sizeof(double) / columns) throw std::bad_alloc();
  data = new double[rows * columns];
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  return OutMatrix(data, {rows, columns}, owner);
}

std::vector<OutMatrix> rows(const Kernel& kernel, const std::vector<nb::list>& systems,
                            const nb::list& refs, unsigned threads) {
  const HeldBatch held = read_batch(systems, refs);
  std::vector<OutMatrix> out;
  std::vector<double*> places(systems.size());
  for (double*& place : places)
    out.push_back(make_matrix(held.batch.size(), kernel.width(), place));
  nb::gil_scoped_release release;
  compute_rows(kernel, held.batch, 0, held.batch.size(), threads, places);
  return out;
}

using Totals = std::vector<std::vector<double>>;

Totals add(const Kernel& kernel, Totals totals, const std::vector<nb::list>& systems,
           const nb::list& refs, unsigned threads) {
  if (totals.size() != systems.size()) throw std::invalid_argument("one total a system");
  for (const auto& total : totals)
    if (total.size() != kernel.width()) throw std::invalid_argument("total has the wrong width");
  const HeldBatch held = read_batch(systems, refs);
  nb::gil_scoped_release release;
  add_rows(kernel, held.batch, threads, totals);
  return totals;
}

// Add rows to a total one after the other, as Kernel.add does.
std::vector<double> sum_rows(std::vector<double> total, const Matrix& matrix) {
  const std::size_t width = matrix.shape(1);
  if (total.size() != width) throw std::invalid_argument("total has the wrong width");
  const double* data = matrix.data();
  for (std::size_t i = 0; i < matrix.shape(0); ++i)
    for (std::size_t k = 0; k < width; ++k) total[k] += data[i * width + k];
  return total;
}

OutVector scores(const Kernel& kernel, const Matrix& matrix) {
  if (matrix.shape(1) != kernel.width()) throw std::invalid_argument("rows have the wrong width");
  const std::size_t n = matrix.shape(0);
  double* data = new double[n];
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  for (std::size_t i = 0; i < n; ++i) data[i] = kernel.score(matrix.data() + i * kernel.width());
  return OutVector(data, {n}, owner);
}

double score(const Kernel& kernel, const std::vector<double>& row) {
  if (row.size() != kernel.width()) throw std::invalid_argument("row has the wrong width");
  return kernel.score(row.data());
}

void observe(NistKernel& kernel, const nb::list& refs) {
  HeldBatch held;
  PyObject* items = held.hold(refs.ptr());
  for (Py_ssize_t i = 0; i < PyTuple_Size(items); ++i)
    add_refs(held, PyTuple_GetItem(items, i), static_cast<std::size_t>(i));
  nb::gil_scoped_release release;
  kernel.observe(held.batch.refs);
}

template <auto Sums>
OutMatrix resample(const Matrix& matrix, std::size_t trials, std::uint64_t seed,
                   unsigned threads, std::size_t first) {
  if (matrix.shape(0) > 0xFFFFFFFFull) throw std::invalid_argument("too many segments");
  double* data = nullptr;
  OutMatrix out = make_matrix(trials, matrix.shape(1), data);
  nb::gil_scoped_release release;
  Sums(matrix.data(), matrix.shape(0), matrix.shape(1), {seed, first, trials}, threads, data);
  return out;
}

// -------------------------------------------------------------------------- names

Scheme scheme(const std::string& name) {
  if (name == "none") return Scheme::kNone;
  if (name == "13a") return Scheme::k13a;
  if (name == "intl") return Scheme::kIntl;
  if (name == "zh") return Scheme::kZh;
  if (name == "char") return Scheme::kChar;
  throw std::invalid_argument("unknown tokeniser " + name);
}

Smoothing smoothing(const std::string& name) {
  if (name == "none") return Smoothing::kNone;
  if (name == "floor") return Smoothing::kFloor;
  if (name == "add-k") return Smoothing::kAddK;
  if (name == "exp") return Smoothing::kExp;
  if (name == "plus-one") return Smoothing::kPlusOne;
  throw std::invalid_argument("unknown smoothing " + name);
}

RefLength ref_length(const std::string& name) {
  if (name == "closest") return RefLength::kClosest;
  if (name == "shortest") return RefLength::kShortest;
  if (name == "average") return RefLength::kAverage;
  if (name == "longest") return RefLength::kLongest;
  throw std::invalid_argument("unknown reference length " + name);
}

std::size_t order(std::size_t n) {
  if (n > NgramTrie::kMaxOrder) throw std::invalid_argument("n-grams are at most 64 long");
  return n;
}

std::size_t positive_order(std::size_t n) {
  if (n == 0) throw std::invalid_argument("n-grams are at least 1 long");
  return order(n);
}

EditKind edit_kind(const std::string& name) {
  if (name == "wer") return EditKind::kWer;
  if (name == "per") return EditKind::kPer;
  if (name == "cder") return EditKind::kCder;
  throw std::invalid_argument("unknown error rate " + name);
}

std::vector<std::vector<std::string>> tokenize(const nb::list& lines, const std::string& name,
                                               bool normalized, bool no_punct, bool asian) {
  const TercomOptions tercom{normalized, no_punct, asian};
  Tokenizer tokenizer(name == "tercom" ? Scheme::kTercom : scheme(name), tercom);
  std::vector<Text> tokens;
  std::vector<std::vector<std::string>> out;
  HeldBatch held;
  PyObject* items = held.hold(lines.ptr());
  for (Py_ssize_t i = 0; i < PyTuple_Size(items); ++i) {
    tokenizer.reset();
    tokenizer(view(PyTuple_GetItem(items, i), "line", static_cast<std::size_t>(i)), tokens);
    out.emplace_back(tokens.begin(), tokens.end());
  }
  return out;
}

// Edit distance of two sequences of numbers below `types`.
std::size_t levenshtein(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b,
                        std::size_t types) {
  for (const auto* text : {&a, &b})
    for (const std::uint32_t symbol : *text)
      if (symbol >= types) throw std::invalid_argument("symbol out of range");
  Levenshtein distance;
  distance.set_pattern(a, types);
  return distance.distance(b);
}

}  // namespace
}  // namespace tertium

NB_MODULE(_core, m) {
  using namespace tertium;
  nb::set_leak_warnings(false);  // kernels held by lazily freed modules are no leaks

  nb::class_<Kernel>(m, "Kernel")
      .def_prop_ro("width", &Kernel::width)
      .def("rows", &rows, "systems"_a, "refs"_a, "threads"_a)
      .def("add", &add, "totals"_a, "systems"_a, "refs"_a, "threads"_a)
      .def("score", &score, "row"_a)
      .def("scores", &scores, "rows"_a);
  nb::class_<NistKernel, Kernel>(m, "NistKernel").def("observe", &observe, "refs"_a);

  m.def("bleu", [](const std::string& tok, const std::string& smooth, double value, bool effective,
                   std::size_t n, const std::string& length) {
    return make_bleu({scheme(tok), smoothing(smooth), value, effective, positive_order(n),
                      ref_length(length)});
  }, "tokenize"_a, "smooth_method"_a, "smooth_value"_a, "effective_order"_a, "max_ngram_order"_a,
     "ref_length"_a);
  m.def("bleu_nrc", [](const std::string& tok, double k) { return make_bleu_nrc(scheme(tok), k); },
        "tokenize"_a, "k"_a);
  m.def("chrf", [](std::size_t chars, std::size_t words, double beta, bool whitespace, bool eps) {
    positive_order(chars + words);
    return make_chrf({order(chars), order(words), beta, whitespace, eps});
  }, "char_order"_a, "word_order"_a, "beta"_a, "whitespace"_a, "eps_smoothing"_a);
  m.def("ter", [](bool normalized, bool no_punct, bool asian) {
    return make_ter({normalized, no_punct, asian});
  }, "normalized"_a, "no_punct"_a, "asian_support"_a);
  m.def("edit", [](const std::string& kind, const std::string& tok) {
    return make_edit(edit_kind(kind), scheme(tok));
  }, "kind"_a, "tokenize"_a);
  m.def("character", [](double threshold) { return make_character({threshold}); }, "threshold"_a);
  m.def("ribes", [](const std::string& tok, double alpha, double beta) {
    return make_ribes({scheme(tok), alpha, beta});
  }, "tokenize"_a, "alpha"_a, "beta"_a);
  m.def("rouge_s", [](const std::string& tok, long max_skip, double beta) {
    return make_rouge_s({scheme(tok), max_skip, beta});
  }, "tokenize"_a, "max_skip"_a, "beta"_a);
  m.def("nist", [](const std::string& tok, std::size_t n) {
    return make_nist(scheme(tok), positive_order(n));
  }, "tokenize"_a, "max_ngram_order"_a);

  m.def("tokenize", &tokenize, "lines"_a, "name"_a, "normalized"_a = false, "no_punct"_a = false,
        "asian_support"_a = false);
  m.def("sum_rows", &sum_rows, "total"_a, "rows"_a);
  m.def("levenshtein", &levenshtein, "a"_a, "b"_a, "types"_a);
  m.def("bootstrap_sums", &resample<bootstrap_sums>, "rows"_a, "trials"_a, "seed"_a, "threads"_a,
        "first"_a = 0);
  m.def("coin_sums", &resample<coin_sums>, "rows"_a, "trials"_a, "seed"_a, "threads"_a,
        "first"_a = 0);
}
