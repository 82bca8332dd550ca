// SPDX-License-Identifier: Apache-2.0
// The module tertium._core.
#include "python.hpp"

NB_MODULE(_core, m) {
  using namespace tertium;
  nb::set_leak_warnings(false);  // kernels held by lazily freed modules are no leaks
  bind_metrics(m);
  bind_pairs(m);
  bind_align(m);
  bind_meteor(m);
  bind_order(m);
  bind_tree_edit(m);
  bind_derp(m);
  bind_meta(m);
  bind_trueskill(m);
}
