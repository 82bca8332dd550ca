// SPDX-License-Identifier: Apache-2.0
// Monolingual word alignment, and the share of words it covers.
#include "align.hpp"

#include "coverage.hpp"
#include "python.hpp"

namespace tertium {

void bind_align(nb::module_& m) {
  m.def("align", [](PairBatch& pairs, unsigned threads) {
    nb::gil_scoped_release release;
    align(pairs, threads);
  }, "pairs"_a, "threads"_a);
  m.def("aligned_percentage", [] { return make_aligned_percentage(); });
}

}  // namespace tertium
