// SPDX-License-Identifier: Apache-2.0
// Metrics over texts, tokenisers and resampling.
#include "python.hpp"

#include <nanobind/stl/array.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "metrics/amber.hpp"
#include "metrics/bleu.hpp"
#include "metrics/character.hpp"
#include "metrics/chrf.hpp"
#include "metrics/edit.hpp"
#include "metrics/esa.hpp"
#include "metrics/nist.hpp"
#include "metrics/ribes.hpp"
#include "metrics/rouge.hpp"
#include "metrics/ter.hpp"
#include "stats/resample.hpp"
#include "text/levenshtein.hpp"
#include "text/ngrams.hpp"

namespace tertium {
namespace {

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

std::vector<Sums> sums(const Kernel& kernel, const std::vector<nb::list>& systems,
                       const nb::list& refs, unsigned threads) {
  const HeldBatch held = read_batch(systems, refs);
  nb::gil_scoped_release release;
  return sum_rows(kernel, held.batch, threads);
}

void add_rows(Sums& sums, const Matrix& matrix) {
  if (matrix.shape(1) != sums.width()) throw std::invalid_argument("rows have the wrong width");
  sums.add(matrix.data(), matrix.shape(0));
}

OutVector scores(const Scorer& kernel, const Matrix& matrix) {
  if (matrix.shape(1) != kernel.width()) throw std::invalid_argument("rows have the wrong width");
  const std::size_t n = matrix.shape(0);
  double* data = new double[n];
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  for (std::size_t i = 0; i < n; ++i) data[i] = kernel.score(matrix.data() + i * kernel.width());
  return OutVector(data, {n}, owner);
}

double score(const Scorer& kernel, const std::vector<double>& row) {
  if (row.size() != kernel.width()) throw std::invalid_argument("row has the wrong width");
  return kernel.score(row.data());
}

template <class Observer>
void observe(Observer& kernel, const nb::list& refs) {
  HeldBatch held;
  PyObject* items = held.hold(refs.ptr());
  for (Py_ssize_t i = 0; i < PyTuple_Size(items); ++i)
    add_refs(held, PyTuple_GetItem(items, i), static_cast<std::size_t>(i));
  nb::gil_scoped_release release;
  kernel.observe(held.batch.refs);
}

template <class T>
nb::bytes packed(const std::vector<T>& values) {
  return nb::bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

template <class T>
std::vector<T> unpacked(const nb::bytes& data) {
  std::vector<T> values(data.size() / sizeof(T));
  std::memcpy(values.data(), data.c_str(), values.size() * sizeof(T));
  return values;
}

// For processes on machines of one kind, not for files.
nb::tuple nist_state(const NistKernel& kernel) {
  const NistState state = kernel.state();
  nb::list words;
  for (const std::string& word : state.words) words.append(nb::bytes(word.data(), word.size()));
  return nb::make_tuple(state.total, words, packed(state.counts), packed(state.keys));
}

void restore_nist(NistKernel& kernel, const nb::tuple& data) {
  NistState state;
  state.total = nb::cast<double>(data[0]);
  for (nb::handle word : nb::cast<nb::list>(data[1])) {
    const nb::bytes text = nb::cast<nb::bytes>(word);
    state.words.emplace_back(text.c_str(), text.size());
  }
  state.counts = unpacked<double>(nb::cast<nb::bytes>(data[2]));
  state.keys = unpacked<std::uint64_t>(nb::cast<nb::bytes>(data[3]));
  kernel.restore(state);
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

AmberForm amber_form(const std::string& name) {
  if (name == "words") return AmberForm::kWords;
  if (name == "stems") return AmberForm::kStems;
  if (name == "prefixes") return AmberForm::kPrefixes;
  if (name == "suffixes") return AmberForm::kSuffixes;
  if (name == "prefix-split") return AmberForm::kPrefixSplit;
  if (name == "suffix-split") return AmberForm::kSuffixSplit;
  if (name == "pieces") return AmberForm::kPieces;
  if (name == "windows") return AmberForm::kWindows;
  throw std::invalid_argument("unknown form " + name);
}

std::unique_ptr<Kernel> amber(const std::string& tok, const std::vector<std::string>& names,
                              std::size_t n, double alpha, const std::array<double, 3>& theta,
                              double gamma, double beta,
                              const std::array<double, kAmberPenalties>& weights) {
  std::vector<AmberForm> forms;
  for (const std::string& name : names) forms.push_back(amber_form(name));
  return make_amber({scheme(tok), std::move(forms), positive_order(n), alpha, theta, gamma, beta,
                     weights});
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

// The characters of the longest text, of texts or of tuples and lists of them.
Py_ssize_t longest_text(const nb::sequence& texts) {
  Py_ssize_t longest = 0;
  for (const nb::handle item : texts) {
    if (PyUnicode_Check(item.ptr())) longest = std::max(longest, PyUnicode_GetLength(item.ptr()));
    else if (PyTuple_Check(item.ptr()) || PyList_Check(item.ptr()))
      longest = std::max(longest, longest_text(nb::borrow<nb::sequence>(item)));
  }
  return longest;
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

void bind_metrics(nb::module_& m) {
  nb::class_<Scorer>(m, "Scorer")
      .def_prop_ro("width", &Scorer::width)
      .def("score", &score, "row"_a)
      .def("scores", &scores, "rows"_a);
  nb::class_<Sums>(m, "Sums")
      .def(nb::init<std::size_t>(), "width"_a)
      .def("__len__", &Sums::width)
      .def("add", &add_rows, "rows"_a)
      .def("merge", &Sums::merge, "other"_a)
      .def("append", &Sums::append, "other"_a)
      .def("values", &Sums::values)
      .def("__getstate__", &Sums::parts)
      .def("__setstate__", [](Sums& sums, const Sums::Parts& parts) { new (&sums) Sums(parts); });
  nb::class_<Kernel, Scorer>(m, "Kernel")
      .def("rows", &rows, "systems"_a, "refs"_a, "threads"_a)
      .def("sums", &sums, "systems"_a, "refs"_a, "threads"_a);
  nb::class_<NistKernel, Kernel>(m, "NistKernel")
      .def("observe", &observe<NistKernel>, "refs"_a)
      .def("finish", [](NistKernel& kernel) {
        nb::gil_scoped_release release;
        kernel.finish();
      })
      .def("state", &nist_state)
      .def("restore", &restore_nist, "state"_a);
  nb::class_<EsaKernel, Kernel>(m, "EsaKernel")
      .def("observe", &observe<EsaKernel>, "documents"_a)
      .def("concepts", [](const EsaKernel& kernel, const std::string& text) {
        return kernel.concepts(text);
      }, "text"_a);

  m.def("amber", &amber, "tokenize"_a, "forms"_a, "max_ngram_order"_a, "alpha"_a, "theta"_a,
        "gamma"_a, "beta"_a, "weights"_a);
  m.def("esa", [](const std::string& tok) { return make_esa(scheme(tok)); }, "tokenize"_a);
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
  m.def("longest_text", &longest_text, "texts"_a);
  m.def("levenshtein", &levenshtein, "a"_a, "b"_a, "types"_a);
  m.def("bootstrap_sums", &resample<bootstrap_sums>, "rows"_a, "trials"_a, "seed"_a, "threads"_a,
        "first"_a = 0);
  m.def("coin_sums", &resample<coin_sums>, "rows"_a, "trials"_a, "seed"_a, "threads"_a,
        "first"_a = 0);
}

}  // namespace tertium
