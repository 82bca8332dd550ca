// SPDX-License-Identifier: Apache-2.0
// Tuning: line search and passes of MIRA over n-best lists.
#include "tuning/envelope.hpp"

#include "python.hpp"

namespace tertium {

namespace {

using Vector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Starts = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Array>
auto span_of(const Array& x) {
  return std::span(x.data(), x.size());
}

void check_lists(std::span<const std::int64_t> first, std::size_t hypotheses) {
  bool fits = first.size() > 1 && first.front() == 0 &&
              first.back() == static_cast<std::int64_t>(hypotheses);
  for (std::size_t i = 1; fits && i < first.size(); ++i) fits = first[i - 1] < first[i];
  if (!fits) throw std::invalid_argument("lists do not divide the hypotheses");
}

void check_numbers(std::span<const std::int32_t> numbers, std::size_t below) {
  for (const std::int32_t number : numbers)
    if (number < 0 || static_cast<std::size_t>(number) >= below)
      throw std::invalid_argument("number out of range");
}

OutMatrix owned(std::unique_ptr<double[]> data, std::size_t rows, std::size_t columns) {
  nb::capsule owner(data.get(), [](void* p) noexcept { delete[] static_cast<double*>(p); });
  return OutMatrix(data.release(), {rows, columns}, owner);
}

OutMatrix scores(const Matrix& features, const Vector& weights, unsigned threads) {
  const std::size_t n = features.shape(0);
  if (weights.size() != features.shape(1)) throw std::invalid_argument("one weight per feature");
  double* data = nullptr;
  OutMatrix out = make_matrix(1, n, data);
  nb::gil_scoped_release release;
  model_scores({features.data(), features.size()}, span_of(weights), threads, {data, n});
  return out;
}

nb::tuple sweep(const Vector& offsets, const Vector& slopes, const Matrix& statistics,
                const Starts& first, unsigned threads) {
  const std::size_t n = offsets.size(), width = statistics.shape(1);
  if (slopes.size() != n || statistics.shape(0) != n)
    throw std::invalid_argument("hypotheses have arrays of different lengths");
  check_lists(span_of(first), n);
  Sweep result = [&] {
    nb::gil_scoped_release release;
    return sweep_line({span_of(first), statistics.data(), width}, span_of(offsets),
                      span_of(slopes), threads);
  }();
  return nb::make_tuple(owned(std::move(result.cuts), 1, result.size),
                        owned(std::move(result.statistics), result.size + 1, width));
}

nb::tuple mira(const Matrix& features, const Vector& gains, const Starts& first,
               const Numbers& order, const Vector& weights, double aggressiveness) {
  const std::size_t n = features.shape(0), width = features.shape(1);
  if (gains.size() != n || weights.size() != width)
    throw std::invalid_argument("hypotheses have arrays of different lengths");
  check_lists(span_of(first), n);
  check_numbers(span_of(order), first.size() - 1);
  double* data = nullptr;
  OutMatrix out = make_matrix(2, width, data);
  std::copy(weights.data(), weights.data() + width, data);
  std::fill(data + width, data + 2 * width, 0.0);
  double loss = 0;
  {
    nb::gil_scoped_release release;
    loss = mira_pass({{features.data(), n * width}, span_of(gains), span_of(first),
                      span_of(order), aggressiveness},
                     {data, width}, {data + width, width});
  }
  return nb::make_tuple(out, loss);
}

}  // namespace

void bind_tuning(nb::module_& m) {
  m.def("model_scores", &scores, "features"_a, "weights"_a, "threads"_a);
  m.def("sweep_line", &sweep, "offsets"_a, "slopes"_a, "statistics"_a, "first"_a, "threads"_a);
  m.def("mira_pass", &mira, "features"_a, "gains"_a, "first"_a, "order"_a, "weights"_a,
        "aggressiveness"_a);
}

}  // namespace tertium
