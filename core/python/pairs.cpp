// SPDX-License-Identifier: Apache-2.0
// Batches of pairs, and the kernels that read them.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "align/pairs.hpp"
#include "python.hpp"
#include "trees/tree_edit.hpp"

namespace tertium {
namespace {

using MatchTuple = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
                              std::uint32_t, double>;
using TreeTuple = std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>;

// Adds texts to the words of a batch, or the tokens of texts.
struct TextReader {
  Words words;
  bool lowercase;
  std::string small = {};  // the lower-case form of a text
  bool plain = true;       // whether all texts so far were of type str itself

  void add(PyObject* item, const char* what, std::size_t i) {
    plain &= PyUnicode_CheckExact(item) != 0;
    if (PyUnicode_Check(item)) return add_text(item, what, i);
    const nb::object tuple = nb::steal(PySequence_Tuple(item));
    if (!tuple) throw nb::python_error();
    std::vector<Text> tokens;
    std::vector<nb::object> held;
    for (Py_ssize_t t = 0; t < PyTuple_Size(tuple.ptr()); ++t) {
      PyObject* token = PyTuple_GetItem(tuple.ptr(), t);
      if (lowercase && PyUnicode_Check(token)) token = held.emplace_back(lower(token)).ptr();
      tokens.push_back(view(token, what, i));
    }
    words.add(tokens);
  }

 private:
  void add_text(PyObject* item, const char* what, std::size_t i) {
    const Text text = view(item, what, i);
    if (!lowercase) return words.add(text);
    if (lower_latin(text, small)) return words.add(small);
    const nb::object other = lower(item);  // str.lower() knows the rest of Unicode
    words.add(view(other.ptr(), what, i));
  }

  static nb::object lower(PyObject* text) {
    const nb::object out = nb::steal(PyObject_CallMethod(text, "lower", nullptr));
    if (!out) throw nb::python_error();
    return out;
  }
};

// A tuple of our own, whatever happens to the caller's list.
nb::object hold(nb::handle items) {
  if (PyUnicode_Check(items.ptr())) throw nb::type_error("a list of texts, not a str");
  const nb::object tuple = nb::steal(PySequence_Tuple(items.ptr()));
  if (!tuple) throw nb::python_error();
  return tuple;
}

// Systems are sequences of texts, references one sequence of texts per segment; a text
// is a str or the sequence of its tokens.
PairBatch* make_pairs(const nb::object& systems, const nb::object& refs,
                      const std::string& tokenize, bool lowercase) {
  TextReader reader{Words(scheme(tokenize)), lowercase};
  std::vector<std::size_t> first = {0};
  const auto size = [](const nb::object& tuple) {
    return static_cast<std::size_t>(PyTuple_Size(tuple.ptr()));
  };
  const auto add_all = [&](const nb::object& texts, const char* what, auto number) {
    for (std::size_t i = 0; i < size(texts); ++i)
      reader.add(PyTuple_GetItem(texts.ptr(), static_cast<Py_ssize_t>(i)), what, number(i));
  };
  const nb::object segments = hold(refs);
  for (std::size_t i = 0; i < size(segments); ++i) {
    const nb::object own = hold(PyTuple_GetItem(segments.ptr(), static_cast<Py_ssize_t>(i)));
    if (size(own) == 0)
      throw std::invalid_argument("segment " + std::to_string(i) + " has no reference");
    add_all(own, "reference of segment", [i](std::size_t) { return i; });
    first.push_back(reader.words.texts());
  }
  const nb::object columns = hold(systems);
  reader.words.reserve(reader.words.texts() + size(columns) * size(segments));
  reader.plain = true;  // whatever references are
  for (std::size_t s = 0; s < size(columns); ++s) {
    const nb::object hyps = hold(PyTuple_GetItem(columns.ptr(), static_cast<Py_ssize_t>(s)));
    if (size(hyps) != size(segments))
      throw std::invalid_argument("as many references as hypotheses");
    add_all(hyps, "hypothesis", [](std::size_t i) { return i; });
  }
  auto batch =
      std::make_unique<PairBatch>(std::move(reader.words), size(columns), std::move(first));
  batch->set_plain(reader.plain);
  return batch.release();
}

std::size_t ref_index(const PairBatch& batch, std::size_t system, std::size_t segment,
                      std::size_t ref) {
  if (system >= batch.systems() || segment >= batch.segments() ||
      ref >= batch.first_ref(segment + 1) - batch.first_ref(segment))
    throw std::out_of_range("no such pair");
  return batch.first_ref(segment) + ref;
}

std::vector<std::string> words_of(const PairBatch& batch, std::span<const std::uint32_t> ids) {
  std::vector<std::string> out;
  for (const std::uint32_t id : ids) out.emplace_back(batch.words().word(id));
  return out;
}

nb::list types(const PairBatch& batch) {
  nb::list out;
  for (std::uint32_t id = 0; id < batch.words().types(); ++id) {
    const std::string_view word = batch.words().word(id);
    out.append(nb::str(word.data(), word.size()));
  }
  return out;
}

std::vector<MatchTuple> get_matches(const PairBatch& batch, std::size_t system,
                                    std::size_t segment, std::size_t ref) {
  std::vector<MatchTuple> out;
  for (const Match& m : batch.pair(system, segment, ref_index(batch, system, segment, ref)).matches)
    out.emplace_back(m.hyp, m.hyp_length, m.ref, m.ref_length, m.matcher, m.weight);
  return out;
}

void set_matches(PairBatch& batch, std::size_t system, std::size_t segment, std::size_t ref,
                 const std::vector<MatchTuple>& tuples) {
  const std::size_t index = ref_index(batch, system, segment, ref);
  const Pair pair = batch.pair(system, segment, index);
  std::vector<Match> matches;
  for (const auto& [hyp, hyp_length, at, ref_length, matcher, weight] : tuples) {
    if (hyp_length == 0 || ref_length == 0 || hyp + std::uint64_t{hyp_length} > pair.hyp.size() ||
        at + std::uint64_t{ref_length} > pair.ref.size())
      throw std::out_of_range("a match lies outside its texts");
    matches.push_back({hyp, hyp_length, at, ref_length, matcher, weight});
  }
  std::sort(matches.begin(), matches.end(), [](const Match& a, const Match& b) {
    return std::tie(a.hyp, a.ref) < std::tie(b.hyp, b.ref);
  });
  batch.set_matches(system, index, std::move(matches));
}

// Which word of which text spoils the tree.
std::string describe(const PairBatch& batch, std::size_t text, const NotATree& fault) {
  std::string words;
  for (const std::uint32_t id : batch.words().text(text))
    words += (words.empty() ? "" : " ") + std::string(batch.words().word(id));
  const std::uint32_t id = batch.words().text(text)[fault.node];
  return "word " + std::to_string(fault.node + 1) + " ('" + std::string(batch.words().word(id)) +
         "') of '" + words + "' " + fault.what() +
         "; heads must form a tree: words counted from 1, 0 for a root";
}

// For every label the number of the first one that is equal up to the colon.
std::vector<std::uint32_t> universal_labels(const std::vector<std::string>& names) {
  std::map<std::string, std::uint32_t> numbers;
  std::vector<std::uint32_t> out;
  for (const std::string& name : names)
    out.push_back(numbers.try_emplace(name.substr(0, name.find(':')), out.size()).first->second);
  return out;
}

void set_trees(PairBatch& batch, const std::vector<TreeTuple>& tuples,
               const std::vector<std::string>& names) {
  if (tuples.size() != batch.words().texts()) throw std::invalid_argument("one tree a text");
  std::vector<DependencyTree> trees;
  OrderedForest forest;
  for (std::size_t i = 0; i < tuples.size(); ++i) {
    const auto& [heads, labels] = tuples[i];
    const std::size_t n = batch.words().text(i).size();
    if (heads.size() != n || labels.size() != n)
      throw std::invalid_argument("tree " + std::to_string(i) + " has not one head a word");
    try {
      forest.assign(heads);
    } catch (const NotATree& fault) {
      throw std::invalid_argument(describe(batch, i, fault));
    }
    for (const std::uint32_t label : labels)
      if (!names.empty() && label >= names.size())
        throw std::out_of_range("a label has no name");
    trees.push_back({heads, labels});
  }
  batch.set_trees(std::move(trees), universal_labels(names));
}

// Words that no text of the batch has are passed over.
void set_function_words(PairBatch& batch, nb::handle words) {
  std::vector<char> flags(batch.words().types());
  for (std::uint32_t id = 0; id < flags.size(); ++id) {
    const std::string_view word = batch.words().word(id);
    const nb::str key(word.data(), word.size());
    const int found = PySequence_Contains(words.ptr(), key.ptr());
    if (found < 0) throw nb::python_error();
    flags[id] = static_cast<char>(found);
  }
  batch.set_function_words(std::move(flags));
}

std::vector<OutMatrix> rows(const PairKernel& kernel, const PairBatch& batch, unsigned threads) {
  std::vector<OutMatrix> out;
  std::vector<double*> places(batch.systems());
  for (double*& place : places) out.push_back(make_matrix(batch.segments(), kernel.width(), place));
  nb::gil_scoped_release release;
  compute_rows(kernel, batch, 0, batch.segments(), threads, places);
  return out;
}

std::vector<OutMatrix> rows_by_reference(const PairKernel& kernel, const PairBatch& batch,
                                         unsigned threads) {
  std::vector<OutMatrix> out;
  std::vector<double*> places(batch.systems());
  for (double*& place : places) out.push_back(make_matrix(batch.refs(), kernel.width(), place));
  nb::gil_scoped_release release;
  for (std::size_t s = 0; s < places.size(); ++s)
    reference_rows(kernel, batch, s, threads, places[s]);
  return out;
}

std::vector<Sums> sums(const PairKernel& kernel, const PairBatch& batch, unsigned threads) {
  nb::gil_scoped_release release;
  return sum_rows(kernel, batch, threads);
}

}  // namespace

void bind_pairs(nb::module_& m) {
  m.def("is_punctuation", [](const std::string& word) { return is_punctuation(word); }, "word"_a);
  nb::class_<PairBatch>(m, "Pairs")
      .def(nb::new_(&make_pairs), "systems"_a, "refs"_a, "tokenize"_a, "lowercase"_a = false)
      .def_prop_ro("systems", &PairBatch::systems)
      .def_prop_ro("segments", &PairBatch::segments)
      .def_prop_ro("plain", &PairBatch::plain)
      .def_prop_ro("words", &types)
      .def("hyp", [](const PairBatch& b, std::size_t system, std::size_t segment) {
        ref_index(b, system, segment, 0);
        return words_of(b, b.words().text(b.hyp_text(system, segment)));
      }, "system"_a, "segment"_a)
      .def("ref", [](const PairBatch& b, std::size_t segment, std::size_t ref) {
        return words_of(b, b.words().text(ref_index(b, 0, segment, ref)));
      }, "segment"_a, "ref"_a)
      .def("matches", &get_matches, "system"_a, "segment"_a, "ref"_a)
      .def("set_matches", &set_matches, "system"_a, "segment"_a, "ref"_a, "matches"_a)
      .def("set_trees", &set_trees, "trees"_a, "labels"_a = std::vector<std::string>())
      .def("set_function_words", &set_function_words, "words"_a);
  nb::class_<PairKernel, Scorer>(m, "PairKernel")
      .def("rows", &rows, "pairs"_a, "threads"_a)
      .def("reference_rows", &rows_by_reference, "pairs"_a, "threads"_a)
      .def("sums", &sums, "pairs"_a, "threads"_a);
}

}  // namespace tertium
