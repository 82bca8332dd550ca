// SPDX-License-Identifier: Apache-2.0
// Products of a tall matrix with a small one, in sums of fixed order.
//
// Learning needs the product of all features with the weights, and the transposed
// product for the gradient. A BLAS sums in an order that depends on its threads and on
// the processor; here every number is the same for any number of threads.
#pragma once

#include <cstddef>

namespace tertium {

// A matrix row by row: `rows` of them, with `columns` numbers each.
struct Dense {
  const double* data;
  std::size_t rows, columns;
};

// out (a.rows × b.columns) = a · b, where b.rows = a.columns.
void multiply(Dense a, Dense b, unsigned threads, double* out);

// out (a.columns × b.columns) = aᵀ · b, where b.rows = a.rows. Rows are added one after
// the other in blocks of fixed size, and then the blocks. Rows of b that are 0 are free.
void multiply_transposed(Dense a, Dense b, unsigned threads, double* out);

}  // namespace tertium
