// SPDX-License-Identifier: Apache-2.0
// Structural features of trained metrics.
#include "learn/arcs.hpp"
#include "learn/soft_match.hpp"
#include "order/features.hpp"
#include "python.hpp"
#include "trees/dependency.hpp"

namespace tertium {

void bind_features(nb::module_& m) {
  m.def("order_features", [] { return make_order_features(); });
  m.def("arc_features",
        [](std::size_t relations, std::uint32_t root, std::uint32_t flat, bool longer) {
          return make_arc_features({relations, root, flat, longer});
        }, "relations"_a, "root"_a, "flat"_a, "longer"_a);
  m.def("valencies", [] { return make_valencies(); });
  m.def("chain_counts", [](bool flat, std::size_t max_length) {
    return make_chain_counts(flat, max_length);
  }, "flat"_a, "max_length"_a);
  m.def("soft_match", [](const Matrix& vectors, std::vector<double> weights) {
    return make_soft_match({vectors.data(), vectors.data() + vectors.size()}, vectors.shape(1),
                           std::move(weights));
  }, "vectors"_a, "weights"_a = std::vector<double>{});
}

}  // namespace tertium
