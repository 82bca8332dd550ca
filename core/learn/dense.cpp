// SPDX-License-Identifier: Apache-2.0
#include "learn/dense.hpp"

#include <algorithm>
#include <vector>

#include "base/batch.hpp"
#include "base/clones.hpp"

namespace tertium {

namespace {

constexpr std::size_t kBlock = 1024;  // rows; part of what defines the sums
constexpr std::size_t kLanes = 4;     // of a dot product; also

TERTIUM_CLONES
void dots(const double* a, std::size_t rows, std::size_t columns, const double* b,
          double* out) {
  const std::size_t whole = columns / kLanes * kLanes;
  for (std::size_t i = 0; i < rows; ++i, a += columns) {
    double lane[kLanes] = {};
    for (std::size_t j = 0; j < whole; j += kLanes)
      for (std::size_t l = 0; l < kLanes; ++l) lane[l] += a[j + l] * b[j + l];
    double sum = (lane[0] + lane[1]) + (lane[2] + lane[3]);
    for (std::size_t j = whole; j < columns; ++j) sum += a[j] * b[j];
    out[i] = sum;
  }
}

TERTIUM_CLONES
void products(const double* a, std::size_t rows, std::size_t columns, const double* b,
              std::size_t width, double* out) {
  std::fill_n(out, rows * width, 0.0);
  for (std::size_t i = 0; i < rows; ++i, a += columns, out += width)
    for (std::size_t j = 0; j < columns; ++j) {
      const double x = a[j];
      const double* row = b + j * width;
      for (std::size_t c = 0; c < width; ++c) out[c] += x * row[c];
    }
}

// Add a row times a number.
TERTIUM_CLONES
void add_rows_times(const double* a, std::size_t rows, std::size_t columns,
                    const double* b, double* out) {
  for (std::size_t i = 0; i < rows; ++i, a += columns) {
    const double x = b[i];
    if (x == 0) continue;
    for (std::size_t j = 0; j < columns; ++j) out[j] += x * a[j];
  }
}

// Add the outer products of rows.
TERTIUM_CLONES
void add_outer(const double* a, std::size_t rows, std::size_t columns, const double* b,
               std::size_t width, double* out) {
  for (std::size_t i = 0; i < rows; ++i, a += columns, b += width) {
    if (std::all_of(b, b + width, [](double x) { return x == 0; })) continue;
    double* to = out;
    for (std::size_t j = 0; j < columns; ++j, to += width) {
      const double x = a[j];
      for (std::size_t c = 0; c < width; ++c) to[c] += x * b[c];
    }
  }
}

std::size_t blocks_of(std::size_t rows) { return (rows + kBlock - 1) / kBlock; }

}  // namespace

void multiply(Dense a, Dense b, unsigned threads, double* out) {
  const Body body = [&](std::size_t from, std::size_t to) {
    const std::size_t begin = from * kBlock, end = std::min(to * kBlock, a.rows);
    const double* rows = a.data + begin * a.columns;
    if (b.columns == 1)
      dots(rows, end - begin, a.columns, b.data, out + begin);
    else
      products(rows, end - begin, a.columns, b.data, b.columns, out + begin * b.columns);
  };
  parallel_for(blocks_of(a.rows), 1, threads, [&] { return body; });
}

void multiply_transposed(Dense a, Dense b, unsigned threads, double* out) {
  const std::size_t size = a.columns * b.columns, count = blocks_of(a.rows);
  std::vector<double> sums(count * size);
  const Body body = [&](std::size_t from, std::size_t to) {
    for (std::size_t k = from; k < to; ++k) {
      const std::size_t begin = k * kBlock, end = std::min(begin + kBlock, a.rows);
      const double* rows = a.data + begin * a.columns;
      double* sum = sums.data() + k * size;
      if (b.columns == 1)
        add_rows_times(rows, end - begin, a.columns, b.data + begin, sum);
      else
        add_outer(rows, end - begin, a.columns, b.data + begin * b.columns, b.columns, sum);
    }
  };
  parallel_for(count, 1, threads, [&] { return body; });
  std::fill_n(out, size, 0.0);
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t j = 0; j < size; ++j) out[j] += sums[k * size + j];
}

}  // namespace tertium
