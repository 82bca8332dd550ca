// SPDX-License-Identifier: Apache-2.0
// Monolingual word alignment, and what can be read off an alignment alone.
#include "align/align.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "align/meteor.hpp"
#include "align/phrases.hpp"
#include "align/word_errors.hpp"
#include "metrics/coverage.hpp"
#include "order/link_tau.hpp"
#include "python.hpp"
#include "text/unicode.hpp"

namespace tertium {
namespace {

using GivenTuple = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
                              std::uint32_t>;
using Given = std::vector<std::vector<GivenTuple>>;

// The matchers of an aligner, and the tables they read.
struct Matchers {
  std::vector<Matcher> list;
  std::vector<nb::object> held;
};

void add_keys(Matchers& matchers, std::vector<std::uint32_t> first,
              std::vector<std::uint32_t> keys) {
  if (first.empty() || first.front() != 0 || first.back() != keys.size() ||
      !std::is_sorted(first.begin(), first.end()))
    throw std::invalid_argument("keys are not cut into words");
  Matcher matcher{Matcher::Kind::kKeys, std::move(first), std::move(keys)};
  for (const std::uint32_t key : matcher.keys) {
    if (key == UINT32_MAX) throw std::invalid_argument("a key is too large");
    matcher.key_count = std::max(matcher.key_count, key + 1);
  }
  matchers.list.push_back(std::move(matcher));
}

// One key a word: words of equal stem match.
void add_stems(Matchers& matchers, const nb::list& stems) {
  Matcher matcher{Matcher::Kind::kKeys};
  Interner known;
  known.reset(stems.size());
  matcher.keys.reserve(stems.size());
  matcher.first.resize(stems.size() + 1);
  std::iota(matcher.first.begin(), matcher.first.end(), 0u);
  for (const nb::handle stem : stems)
    matcher.keys.push_back(known.add(view(stem.ptr(), "stem", matcher.keys.size())));
  matcher.key_count = static_cast<std::uint32_t>(known.size());
  matchers.list.push_back(std::move(matcher));
}

void add_phrases(Matchers& matchers, const nb::object& table) {
  Matcher matcher{Matcher::Kind::kPhrases};
  matcher.table = nb::cast<const PhraseTable*>(table);
  matchers.held.push_back(table);
  matchers.list.push_back(std::move(matcher));
}

// Candidates from Python, checked: one list a pair, systems by references.
std::vector<std::vector<Match>> read_given(const PairBatch& batch, const Given& given,
                                           std::size_t matchers) {
  if (given.empty()) return {};
  if (given.size() != batch.systems() * batch.refs())
    throw std::invalid_argument("one list of candidates per pair");
  std::vector<std::vector<Match>> out(given.size());
  for (std::size_t s = 0; s < batch.systems(); ++s)
    for (std::size_t i = 0; i < batch.segments(); ++i)
      for (std::size_t r = batch.first_ref(i); r < batch.first_ref(i + 1); ++r) {
        const Pair pair = batch.pair(s, i, r);
        const std::size_t number = s * batch.refs() + r;
        for (const auto& [hyp, hyp_length, ref, ref_length, matcher] : given[number]) {
          if (hyp_length == 0 || ref_length == 0 || matcher >= matchers ||
              hyp + std::uint64_t{hyp_length} > pair.hyp.size() ||
              ref + std::uint64_t{ref_length} > pair.ref.size())
            throw std::out_of_range("a candidate of segment " + std::to_string(i) +
                                    " lies outside its texts");
          out[number].push_back({hyp, hyp_length, ref, ref_length, matcher});
        }
      }
  return out;
}

std::size_t align_pairs(PairBatch& batch, const Matchers& matchers, const Given& given,
                        std::size_t beam, unsigned threads, bool as_meteor) {
  if (beam == 0) throw std::invalid_argument("the beam is at least 1");
  for (const Matcher& matcher : matchers.list) {
    if (matcher.kind == Matcher::Kind::kKeys &&
        matcher.first.size() != batch.words().types() + 1)
      throw std::invalid_argument("keys were made for other words");
    if (matcher.kind == Matcher::Kind::kPhrases && !matcher.table->closed())
      throw std::invalid_argument("the phrase table is still open");
  }
  const std::vector<std::vector<Match>> candidates =
      read_given(batch, given, matchers.list.size());
  nb::gil_scoped_release release;
  if (as_meteor) return align_as_meteor(batch, matchers.list, candidates, beam, threads);
  return align(batch, matchers.list, candidates, beam, threads);
}

// Add pairs of phrases; the table must be closed before it is read.
void add_pairs(PhraseTable& table, const nb::iterable& pairs) {
  std::size_t i = 0;
  for (const nb::handle item : pairs) {
    const nb::object tuple = nb::steal(PySequence_Tuple(item.ptr()));
    if (!tuple.is_valid()) throw nb::python_error();
    if (PyTuple_Size(tuple.ptr()) != 2) throw std::invalid_argument("not a pair of phrases");
    table.add(view(PyTuple_GetItem(tuple.ptr(), 0), "phrase", i),
              view(PyTuple_GetItem(tuple.ptr(), 1), "paraphrase", i));
    ++i;
  }
}

// The errors of one system's words as bytes, those of its references, the links between
// them as bytes of 32-bit numbers, and which reference counts. Words of one kind stand for
// each other: punctuation, and the rest.
nb::tuple errors_of_words(const PairBatch& pairs, std::size_t system, unsigned threads) {
  if (system >= pairs.systems()) throw std::out_of_range("there is no such system");
  SystemErrors errors;
  {
    nb::gil_scoped_release release;
    std::vector<char> marks(pairs.words().types());
    for (std::uint32_t word = 0; word < marks.size(); ++word)
      marks[word] = is_punctuation(pairs.words().word(word));
    errors = word_errors(pairs, marks, system, threads);
  }
  return nb::make_tuple(nb::bytes(errors.hyp.data(), errors.hyp.size()),
                        nb::bytes(errors.ref.data(), errors.ref.size()),
                        nb::bytes(errors.links.data(), errors.links.size() * sizeof(std::int32_t)),
                        errors.chosen);
}

}  // namespace

void bind_align(nb::module_& m) {
  nb::class_<PhraseTable>(m, "PhraseTable")
      .def(nb::init<>())
      .def("add", &add_pairs, "pairs"_a)
      .def("close", &PhraseTable::close)
      .def("__len__", &PhraseTable::size);
  nb::class_<Matchers>(m, "Matchers")
      .def(nb::init<>())
      .def("add_exact", [](Matchers& self) { self.list.push_back({}); })
      .def("add_keys", &add_keys, "first"_a, "keys"_a)
      .def("add_stems", &add_stems, "stems"_a)
      .def("add_phrases", &add_phrases, "table"_a)
      .def("add_given", [](Matchers& self) { self.list.push_back({Matcher::Kind::kGiven}); })
      .def("__len__", [](const Matchers& self) { return self.list.size(); });
  m.def("align", &align_pairs, "pairs"_a, "matchers"_a, "given"_a, "beam"_a, "threads"_a,
        "as_meteor"_a = false);
  m.def("align_by_context", [](PairBatch& pairs, unsigned threads) {
    nb::gil_scoped_release release;
    align_by_context(pairs, threads);
  }, "pairs"_a, "threads"_a);
  m.def("word_errors", &errors_of_words, "pairs"_a, "system"_a, "threads"_a);
  m.def("aligned_percentage", [] { return make_aligned_percentage(); });
  m.def("link_tau", [] { return make_link_tau(); });
  m.def("tau_of_links", [](std::vector<WordLink> links) { return link_tau(links); }, "links"_a);
}

}  // namespace tertium
