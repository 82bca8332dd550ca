// SPDX-License-Identifier: Apache-2.0
// The module tertium._core.
#include <atomic>

#include "python.hpp"

namespace {

// Let Ctrl-C end a batch: Python runs its handlers in the main thread alone.
void check_signals() {
  static std::atomic<unsigned long> main_thread{0};
  if (main_thread == 0) {
    nb::gil_scoped_acquire gil;
    const nb::object main = nb::module_::import_("threading").attr("main_thread")();
    main_thread = nb::cast<unsigned long>(main.attr("ident"));
  }
  if (PyThread_get_thread_ident() != main_thread) return;
  nb::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace

NB_MODULE(_core, m) {
  using namespace tertium;
  nb::set_leak_warnings(false);  // kernels held by lazily freed modules are not leaks
  set_poll(check_signals);
  bind_metrics(m);
  bind_pairs(m);
  bind_align(m);
  bind_bilingual(m);
  bind_meteor(m);
  bind_order(m);
  bind_tree_edit(m);
  bind_derp(m);
  bind_meta(m);
  bind_trueskill(m);
  bind_features(m);
  bind_lexical(m);
  bind_surface(m);
  bind_dense(m);
  bind_closest(m);
  bind_line_ends(m);
  bind_mbr(m);
  bind_text_distance(m);
  bind_segmentation(m);
  bind_tuning(m);
  bind_preorder_grammar(m);
  bind_preorder_btg(m);
  bind_preorder_parse(m);
  bind_preorder_risk(m);
}
