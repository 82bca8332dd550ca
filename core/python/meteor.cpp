// SPDX-License-Identifier: Apache-2.0
// METEOR.
#include "meteor.hpp"

#include <nanobind/stl/vector.h>

#include "python.hpp"

namespace tertium {

void bind_meteor(nb::module_& m) {
  m.def("meteor", [](const std::vector<double>& weights, double alpha, double beta, double gamma,
                     double delta, bool whole_is_free, bool order_only) {
    if (weights.empty()) throw std::invalid_argument("one weight a matcher");
    return make_meteor({alpha, beta, gamma, delta, weights, whole_is_free, order_only});
  }, "weights"_a, "alpha"_a, "beta"_a, "gamma"_a, "delta"_a, "whole_is_free"_a, "order_only"_a);
}

}  // namespace tertium
