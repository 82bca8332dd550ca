// SPDX-License-Identifier: Apache-2.0
// The reordering grammar, its units and its training.
#include "preorder/grammar.hpp"

#include <memory>
#include <utility>

#include "preorder_arrays.hpp"
#include "python.hpp"

namespace tertium {
namespace {

Grammar* make_grammar(const std::vector<std::vector<std::uint32_t>>& ranks,
                      const std::vector<std::int32_t>& emitters,
                      const std::vector<std::uint32_t>& splits, InVector<double> root,
                      InVector<double> unary, InVector<std::uint32_t> first,
                      InVector<std::uint32_t> slot, InVector<double> value,
                      InVector<double> slot_backoff, InVector<double> terminal_backoff) {
  auto out = std::make_unique<Grammar>();
  out->shape = read_shape(ranks, emitters, splits);
  out->root = copied(root);
  out->unary = copied(unary);
  out->first = copied(first);
  out->slot = copied(slot);
  out->value = copied(value);
  out->slot_backoff = copied(slot_backoff);
  out->terminal_backoff = copied(terminal_backoff);
  out->check();
  return out.release();
}

}  // namespace

void bind_preorder_grammar(nb::module_& m) {
  nb::class_<Grammar>(m, "ReorderingGrammar")
      .def(nb::new_(&make_grammar), "ranks"_a, "emitters"_a, "splits"_a, "root"_a, "unary"_a,
           "first"_a, "slot"_a, "value"_a, "slot_backoff"_a, "terminal_backoff"_a)
      .def_prop_ro("states", [](const Grammar& g) { return g.shape.states(); })
      .def_prop_ro("slots", [](const Grammar& g) { return g.shape.slots(); })
      .def("emissions", [](const Grammar& g, std::size_t terminal) {
        if (terminal >= g.terminals()) throw nb::index_error("no such terminal");
        std::vector<double> out(g.shape.slots());
        g.emissions(terminal, out);
        return to_numpy(std::move(out));
      }, "terminal"_a);
}

}  // namespace tertium
