// SPDX-License-Identifier: Apache-2.0
// METEOR.
#include "metrics/meteor.hpp"

#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string_view>

#include "align/phrases.hpp"
#include "python.hpp"

namespace tertium {
namespace {

// Add the entries of a paraphrase table as a file holds it: a probability, a phrase
// and its paraphrase, one entry per line. Returns the line, from 1, of the first entry that
// is none, or 0.
std::size_t add_table(PhraseTable& table, std::string_view data) {
  std::size_t number = 1;
  const auto line = [&] {
    const std::size_t end = std::min(data.find('\n'), data.size());
    std::string_view found = data.substr(0, end);
    data.remove_prefix(std::min(end + 1, data.size()));
    if (found.ends_with('\r')) found.remove_suffix(1);
    return found;
  };
  for (; !data.empty(); number += 3) {
    const std::string_view weight = line(), phrase = line(), paraphrase = line();
    if (weight.empty() || weight[0] < '0' || weight[0] > '9' || phrase.empty() ||
        paraphrase.empty())
      return number;
    table.add(phrase, paraphrase);
  }
  return 0;
}

}  // namespace

void bind_meteor(nb::module_& m) {
  m.def("add_paraphrases", [](PhraseTable& table, const nb::bytes& data) {
    const std::string_view view(data.c_str(), data.size());
    nb::gil_scoped_release release;
    return add_table(table, view);
  }, "table"_a, "data"_a);
  m.def("meteor", [](const std::vector<double>& weights, double alpha, double beta, double gamma,
                     double delta, bool whole_is_free, bool order_only) {
    if (weights.empty()) throw std::invalid_argument("one weight a matcher");
    return make_meteor({alpha, beta, gamma, delta, weights, whole_is_free, order_only});
  }, "weights"_a, "alpha"_a, "beta"_a, "gamma"_a, "delta"_a, "whole_is_free"_a, "order_only"_a);
}

}  // namespace tertium
