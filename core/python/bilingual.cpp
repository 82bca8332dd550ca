// SPDX-License-Identifier: Apache-2.0
// The aligner that learns from sentence pairs.
#include "align/bilingual.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "python.hpp"

namespace tertium {

namespace {

template <class T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Out = nb::ndarray<nb::numpy, T, nb::ndim<1>, nb::c_contig>;
using Words = std::tuple<Vector<std::int32_t>, Vector<std::int64_t>>;
using Stems = std::tuple<Vector<std::int32_t>, Vector<double>, std::vector<std::string>>;
using Known = std::tuple<Vector<std::int32_t>, Vector<std::int32_t>, Vector<double>,
                         std::vector<std::string>>;
using Settings = std::array<double, 7>;

template <class T>
std::span<const T> span_of(const Vector<T>& x) {
  return {x.data(), x.size()};
}

template <class T>
Out<T> to_array(std::span<const T> values) {
  T* data = new T[values.size()];
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  std::copy(values.begin(), values.end(), data);
  return Out<T>(data, {values.size()}, owner);
}

Side side(const Words& sentences, std::size_t types) {
  const Side out{span_of(std::get<0>(sentences)), span_of(std::get<1>(sentences))};
  if (out.starts.empty() || out.starts.front() != 0 ||
      out.starts.back() != static_cast<std::int64_t>(out.words.size()) ||
      !std::is_sorted(out.starts.begin(), out.starts.end()))
    throw std::invalid_argument("the starts of sentences do not fit the words");
  for (const std::int32_t word : out.words)
    if (word < 0 || static_cast<std::size_t>(word) >= types)
      throw std::out_of_range("a word is not in the vocabulary");
  return out;
}

Vocabulary vocabulary(const Stems& stems) {
  const auto of = span_of(std::get<0>(stems));
  const auto share = span_of(std::get<1>(stems));
  return {{of.begin(), of.end()}, {share.begin(), share.end()}, std::get<2>(stems)};
}

BilingualSettings settings(const Settings& values) {
  for (const double value : values)
    if (!(value >= 0)) throw std::invalid_argument("settings must not be below 0");
  const auto [prior, likeness, back_off, held_out, null_probability, null_prior, jump_prior] =
      values;
  if (!(prior > 0 && back_off > 0 && held_out <= 1 && null_probability < 1 && null_prior > 0))
    throw std::invalid_argument("a setting is out of range");
  return {prior, likeness, back_off, held_out, null_probability, null_prior, jump_prior};
}

using Lists = std::tuple<Out<std::int64_t>, Out<std::int32_t>, Out<std::int32_t>, Out<double>>;

Lists to_lists(const LinkLists& links) {
  return {to_array<std::int64_t>(links.first), to_array<std::int32_t>(links.source),
          to_array<std::int32_t>(links.target), to_array<double>(links.weight)};
}

std::pair<Lists, Lists> to_pair(const std::array<LinkLists, 2>& links) {
  return {to_lists(links[0]), to_lists(links[1])};
}

template <class Function>
auto released(Function&& function) {
  nb::gil_scoped_release release;
  return function();
}

// Keeps the caller's arrays, which the training reads.
struct Training {
  Words source, target;
  std::unique_ptr<BilingualTraining> training;
};

Training* train(const Words& source, const Words& target, const Stems& sources,
                const Stems& targets, std::size_t window, const Settings& values,
                unsigned threads) {
  std::array<Vocabulary, 2> words{vocabulary(sources), vocabulary(targets)};
  const Side left = side(source, words[0].size()), right = side(target, words[1].size());
  if (left.size() != right.size()) throw std::invalid_argument("as many sources as targets");
  const BilingualSettings how = settings(values);
  auto out = std::make_unique<Training>(Training{source, target, nullptr});
  out->training = released([&] {
    return std::make_unique<BilingualTraining>(std::move(words), left, right, window, how, threads);
  });
  return out.release();
}

std::size_t checked(std::size_t d) {
  if (d > 1) throw std::out_of_range("directions are 0 and 1");
  return d;
}

std::unique_ptr<BilingualModel> make_model(
    const Stems& sources, const Stems& targets, const Vector<std::int64_t>& rows,
    const Vector<std::int32_t>& table, const std::array<Vector<float>, 2>& counts,
    const std::array<Vector<double>, 2>& null, const std::array<Vector<double>, 2>& jumps,
    const Settings& values) {
  const auto first = span_of(rows);
  const auto others = span_of(table);
  auto model = std::make_unique<BilingualModel>(
      std::array<Vocabulary, 2>{vocabulary(sources), vocabulary(targets)},
      PairTable({first.begin(), first.end()}, {others.begin(), others.end()}), 0,
      settings(values));
  for (std::size_t d = 0; d < 2; ++d) {
    model->set_counts(d, span_of(counts[d]));
    model->set_null_counts(d, span_of(null[d]));
    model->set_jumps(d, span_of(jumps[d]));
  }
  return model;
}

std::vector<KnownWord> known_words(const Known& known, const BilingualModel& model,
                                   std::size_t side) {
  const auto& [words, stems, shares, texts] = known;
  if (stems.size() != words.size() || shares.size() != words.size() ||
      texts.size() != words.size())
    throw std::invalid_argument("one stem, share and text per word");
  std::vector<KnownWord> out;
  for (std::size_t w = 0; w < words.size(); ++w) {
    if (words.data()[w] >= static_cast<std::int64_t>(model.words(side).size()) ||
        stems.data()[w] >= static_cast<std::int64_t>(model.words(side).stems.size()))
      throw std::out_of_range("a word is not in the vocabulary");
    out.push_back({words.data()[w], stems.data()[w], shares.data()[w], texts[w]});
  }
  return out;
}

BilingualText text(const BilingualModel& model, const Words& source, const Words& target,
                   const Known& sources, const Known& targets) {
  BilingualText out{model,
                    {known_words(sources, model, 0), known_words(targets, model, 1)},
                    side(source, std::get<0>(sources).size()),
                    side(target, std::get<0>(targets).size())};
  if (out.source.size() != out.target.size())
    throw std::invalid_argument("as many sources as targets");
  return out;
}

using Posteriors = std::tuple<double, Out<double>, Out<double>, Out<double>>;

// The posteriors of one sentence, and new weights of the jumps.
Posteriors chain_posteriors(const Matrix& emission, const Vector<double>& null,
                            const Vector<double>& weights, double null_probability) {
  const std::size_t words = emission.shape(0), states = emission.shape(1);
  if (null.size() != words || states == 0 || weights.size() % 2 == 0)
    throw std::invalid_argument("the sizes do not fit");
  Jumps jumps(0);
  jumps.weights.assign(weights.data(), weights.data() + weights.size());
  Chain chain;
  JumpCounts counts(jumps);
  const double likelihood = released([&] {
    return chain.run({emission.data(), words * states}, span_of(null), states, jumps,
                     null_probability);
  });
  chain.add_jumps(jumps, counts);
  return {likelihood, to_array<double>(chain.posterior()),
          to_array<double>(chain.null_posterior()),
          to_array<double>(counts.estimate(jumps, 0))};
}

}  // namespace

void bind_bilingual(nb::module_& m) {
  nb::class_<Training>(m, "BilingualTraining")
      .def(nb::new_(&train), "source"_a, "target"_a, "sources"_a, "targets"_a, "window"_a,
           "settings"_a, "threads"_a)
      .def("iterate", [](Training& t, bool ordered, bool agree, unsigned threads) {
        return released([&] { return t.training->iterate(ordered, agree, threads); });
      }, "ordered"_a, "agree"_a, "threads"_a)
      .def("table", [](const Training& t) {
        const PairTable& table = t.training->model().table();
        return std::pair(to_array(table.rows()), to_array(table.targets()));
      })
      .def("counts", [](const Training& t, std::size_t d) {
        return to_array<float>(t.training->model().counts(checked(d)));
      }, "direction"_a)
      .def("null_counts", [](const Training& t, std::size_t d) {
        return to_array(t.training->model().null_counts(checked(d)));
      }, "direction"_a)
      .def("jumps", [](const Training& t, std::size_t d) {
        return to_array<double>(t.training->model().jumps(checked(d)).weights);
      }, "direction"_a);
  nb::class_<BilingualModel>(m, "BilingualModel")
      .def(nb::new_(&make_model), "sources"_a, "targets"_a, "rows"_a, "table"_a, "counts"_a,
           "null"_a, "jumps"_a, "settings"_a)
      .def("links", [](const BilingualModel& model, const Words& source, const Words& target,
                       const Known& sources, const Known& targets, unsigned threads) {
        const BilingualText batch = text(model, source, target, sources, targets);
        return to_pair(released([&] { return batch.links(threads); }));
      }, "source"_a, "target"_a, "sources"_a, "targets"_a, "threads"_a)
      .def("soft_links", [](const BilingualModel& model, const Words& source, const Words& target,
                            const Known& sources, const Known& targets, double threshold,
                            unsigned threads) {
        const BilingualText batch = text(model, source, target, sources, targets);
        return to_lists(released([&] { return batch.soft_links(threshold, threads); }));
      }, "source"_a, "target"_a, "sources"_a, "targets"_a, "threshold"_a, "threads"_a);
  m.def("chain_posteriors", &chain_posteriors, "emission"_a, "null"_a, "jumps"_a,
        "null_probability"_a);
}

}  // namespace tertium
