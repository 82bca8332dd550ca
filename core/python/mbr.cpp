// SPDX-License-Identifier: Apache-2.0
// Minimum Bayes risk over lists of texts.
#include "tuning/mbr.hpp"

#include "python.hpp"

namespace tertium {
namespace {

using Weights = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Hypotheses and references often are one list: it is held once.
std::vector<Text> read_texts(HeldBatch& held, const nb::list& texts, const char* what) {
  PyObject* items = held.hold(texts.ptr());
  std::vector<Text> out;
  for (Py_ssize_t i = 0; i < PyTuple_Size(items); ++i)
    out.push_back(view(PyTuple_GetItem(items, i), what, static_cast<std::size_t>(i)));
  return out;
}

OutVector make_vector(std::size_t n, double*& data) {
  data = new double[n];
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  return OutVector(data, {n}, owner);
}

std::vector<OutVector> mbr_scores(const Kernel& kernel, const std::vector<nb::list>& hyps,
                                  const std::vector<nb::list>& refs,
                                  const std::vector<Weights>& weights, bool aggregate,
                                  unsigned threads) {
  if (refs.size() != hyps.size() || weights.size() != hyps.size())
    throw std::invalid_argument("as many lists of references and weights as of hypotheses");
  HeldBatch held;
  std::vector<MbrList> lists;
  std::vector<OutVector> out;
  std::vector<double*> places(hyps.size());
  for (std::size_t i = 0; i < hyps.size(); ++i) {
    MbrList& list = lists.emplace_back();
    list.hyps = read_texts(held, hyps[i], "hypothesis");
    list.refs = refs[i].is(hyps[i]) ? list.hyps : read_texts(held, refs[i], "reference");
    if (weights[i].shape(0) != list.refs.size())
      throw std::invalid_argument("list " + std::to_string(i) + ": one weight per reference");
    list.weights = weights[i].data();
    out.push_back(make_vector(list.hyps.size(), places[i]));
  }
  nb::gil_scoped_release release;
  expected_scores(kernel, lists, aggregate ? MbrMethod::kAggregate : MbrMethod::kPairwise, threads,
                  places);
  return out;
}

}  // namespace

void bind_mbr(nb::module_& m) {
  m.def("mbr_scores", &mbr_scores, "kernel"_a, "hyps"_a, "refs"_a, "weights"_a, "aggregate"_a,
        "threads"_a);
  m.def("has_aggregate", &has_aggregate, "kernel"_a);
}

}  // namespace tertium
