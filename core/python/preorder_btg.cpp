// SPDX-License-Identifier: Apache-2.0
// Word classes and the bracketing transduction grammar.
#include <algorithm>

#include "preorder/btg.hpp"
#include "preorder_arrays.hpp"
#include "python.hpp"
#include "text/exchange.hpp"

namespace tertium {
namespace {

// Sentences one after the other: check that starts rise from 0 to the end.
void check_starts(std::span<const std::uint64_t> starts, std::size_t words) {
  if (starts.empty() || starts.front() != 0 || starts.back() != words ||
      !std::is_sorted(starts.begin(), starts.end()))
    throw std::invalid_argument("the starts of sentences do not fit the words");
}

using Classes = std::pair<NumpyVector<std::uint32_t>, std::vector<double>>;

Classes word_classes(const InVector<std::uint32_t>& words, const InVector<std::uint64_t>& starts,
                     std::size_t types, std::size_t classes, std::size_t iterations,
                     std::uint64_t seed) {
  const WordLists text{as_span(words), as_span(starts), types};
  check_starts(text.starts, text.words.size());
  if (classes == 0) throw std::invalid_argument("at least one class");
  if (std::any_of(text.words.begin(), text.words.end(), [&](auto w) { return w >= types; }))
    throw std::invalid_argument("a word is not below the number of types");
  WordClasses out;
  {
    nb::gil_scoped_release release;
    out = exchange_classes(text, classes, iterations, seed);
  }
  return {to_numpy(std::move(out.classes)), std::move(out.log_likelihoods)};
}

using Attributes = nb::ndarray<const std::uint64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using InWeights = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

std::span<const std::uint64_t> read_attributes(const Attributes& attributes) {
  if (attributes.shape(1) != kBtgAttributes)
    throw std::invalid_argument("a word has another number of attributes");
  return {attributes.data(), attributes.size()};
}

BtgText read_text(const Attributes& attributes, const InVector<std::uint64_t>& starts) {
  const BtgText text{read_attributes(attributes), as_span(starts)};
  check_starts(text.starts, attributes.shape(0));
  return text;
}

// Rows for straight and inverted nodes.
template <class Array>
auto read_weights(const Array& weights) {
  const std::size_t slots = weights.shape(0);
  if (weights.shape(1) != 2 || slots == 0 || (slots & (slots - 1)) != 0 || slots > UINT32_MAX)
    throw std::invalid_argument("weights are two columns, and a power of two of rows");
  return std::span(weights.data(), weights.size());
}

void check_ranks(const BtgText& text, std::span<const std::int32_t> ranks) {
  if (ranks.size() != text.starts.back()) throw std::invalid_argument("one rank per word");
}

double train(const Attributes& attributes, const InVector<std::uint64_t>& starts,
             const InVector<std::int32_t>& ranks, const InVector<std::uint32_t>& order,
             const Weights& weights, const Weights& squares, double penalty, std::size_t batch,
             double first_rate, double last_rate, unsigned threads) {
  const BtgText text = read_text(attributes, starts);
  const BtgPass pass{as_span(order), as_span(ranks), penalty, batch, first_rate, last_rate};
  check_ranks(text, pass.ranks);
  if (batch == 0) throw std::invalid_argument("a batch has at least one sentence");
  if (std::any_of(pass.order.begin(), pass.order.end(), [&](auto i) { return i >= text.size(); }))
    throw std::invalid_argument("there is no such sentence");
  const BtgWeights model{read_weights(weights), read_weights(squares)};
  if (model.weights.size() != model.squares.size())
    throw std::invalid_argument("as many squares as weights");
  nb::gil_scoped_release release;
  return btg_train(text, pass, model, threads);
}

NumpyVector<double> expectations(const Attributes& attributes,
                                 const InVector<std::uint64_t>& starts,
                                 const InWeights& weights, const std::vector<InLimits>& rows,
                                 unsigned threads) {
  const BtgText text = read_text(attributes, starts);
  const std::span<const float> values = read_weights(weights);
  check_limits(rows, text.size());
  std::vector<OrderLimits> limits;
  for (std::size_t i = 0; i < rows.size(); ++i)
    limits.push_back(read_limits(rows, i, text.words(i)));
  std::vector<double> out;
  {
    nb::gil_scoped_release release;
    out = btg_expectations(text, values, limits, threads);
  }
  return to_numpy(std::move(out));
}

OutMatrix scores(const Attributes& attributes, const InWeights& weights) {
  const std::vector<Both> nodes =
      btg_scores(read_attributes(attributes), read_weights(weights));
  double* data = nullptr;
  OutMatrix out = make_matrix(nodes.size(), 2, data);
  for (const Both& node : nodes) {
    *data++ = node.straight;
    *data++ = node.inverted;
  }
  return out;
}

std::pair<double, OutMatrix> gradient(const Attributes& attributes,
                                      const InVector<std::uint64_t>& starts,
                                      const InVector<std::int32_t>& ranks,
                                      const InWeights& weights, double penalty) {
  const BtgText text = read_text(attributes, starts);
  check_ranks(text, as_span(ranks));
  const std::span<const float> values = read_weights(weights);
  double* data = nullptr;
  OutMatrix out = make_matrix(weights.shape(0), 2, data);
  const double objective =
      btg_gradient(text, as_span(ranks), penalty, values, {data, values.size()});
  return {objective, out};
}

}  // namespace

void bind_preorder_btg(nb::module_& m) {
  m.def("word_classes", &word_classes, "words"_a, "starts"_a, "types"_a, "classes"_a,
        "iterations"_a, "seed"_a);
  m.def("btg_train", &train, "attributes"_a, "starts"_a, "ranks"_a, "order"_a, "weights"_a,
        "squares"_a, "penalty"_a, "batch"_a, "first_rate"_a, "last_rate"_a, "threads"_a);
  m.def("btg_expectations", &expectations, "attributes"_a, "starts"_a, "weights"_a, "limits"_a,
        "threads"_a);
  m.def("btg_scores", &scores, "attributes"_a, "weights"_a);
  m.def("btg_gradient", &gradient, "attributes"_a, "starts"_a, "ranks"_a, "weights"_a,
        "penalty"_a);
}

}  // namespace tertium
