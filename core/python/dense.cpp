// SPDX-License-Identifier: Apache-2.0
// Products of matrices for learning.
#include "learn/dense.hpp"

#include "python.hpp"

namespace tertium {

namespace {

Dense dense(const Matrix& m) { return {m.data(), m.shape(0), m.shape(1)}; }

OutMatrix product(const Matrix& a, const Matrix& b, unsigned threads) {
  if (a.shape(1) != b.shape(0)) throw std::invalid_argument("inner sizes differ");
  double* data = nullptr;
  OutMatrix out = make_matrix(a.shape(0), b.shape(1), data);
  nb::gil_scoped_release release;
  multiply(dense(a), dense(b), threads, data);
  return out;
}

OutMatrix transposed_product(const Matrix& a, const Matrix& b, unsigned threads) {
  if (a.shape(0) != b.shape(0)) throw std::invalid_argument("numbers of rows differ");
  double* data = nullptr;
  OutMatrix out = make_matrix(a.shape(1), b.shape(1), data);
  nb::gil_scoped_release release;
  multiply_transposed(dense(a), dense(b), threads, data);
  return out;
}

}  // namespace

void bind_dense(nb::module_& m) {
  m.def("product", &product, "a"_a, "b"_a, "threads"_a);
  m.def("transposed_product", &transposed_product, "a"_a, "b"_a, "threads"_a);
}

}  // namespace tertium
