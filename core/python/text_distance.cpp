// SPDX-License-Identifier: Apache-2.0
// Edit distances of many pairs of texts.
#include "text/text_distance.hpp"

#include "python.hpp"

namespace tertium {
namespace {

std::vector<std::size_t> text_distances(const nb::list& first, const nb::list& second,
                                        unsigned threads) {
  HeldBatch held;
  std::vector<Text> texts[2];
  for (const nb::list* list : {&first, &second}) {
    PyObject* items = held.hold(list->ptr());
    for (Py_ssize_t i = 0; i < PyTuple_Size(items); ++i)
      texts[list == &second].push_back(
          view(PyTuple_GetItem(items, i), "text", static_cast<std::size_t>(i)));
  }
  const std::size_t n = texts[0].size();
  if (texts[1].size() != n) throw std::invalid_argument("as many first as second texts");
  std::vector<std::size_t> out(n);
  nb::gil_scoped_release release;
  parallel_for(n, 64, threads, [&]() -> Body {
    return [&, distance = TextDistance()](std::size_t from, std::size_t to) mutable {
      for (std::size_t i = from; i < to; ++i) out[i] = distance(texts[0][i], texts[1][i]);
    };
  });
  return out;
}

}  // namespace

void bind_text_distance(nb::module_& m) {
  m.def("text_distances", &text_distances, "first"_a, "second"_a, "threads"_a);
}

}  // namespace tertium
