// SPDX-License-Identifier: Apache-2.0
// Exact sums of rows: the same last bit for any order and any division of the data.
#pragma once

#include <cstddef>
#include <vector>

namespace tertium {

// The sum of rows of one width. Each column is kept without loss, as a few doubles of
// different magnitude whose exact sum it is: an expansion (Shewchuk 1997, "Adaptive
// precision floating-point arithmetic and fast robust geometric predicates", section 2).
// Only `values` rounds, to the nearest double. So partial sums can be merged in any order.
// Counts stay below 2^53 and never leave the first double of a column.
//
// A column that meets an infinity or NaN has the value that plain addition gives.
class Sums {
 public:
  using Parts = std::vector<std::vector<double>>;

  explicit Sums(std::size_t width) : high_(width), rest_(width) {}
  // A column per list; the column is the exact sum of the list.
  explicit Sums(const Parts& parts);

  std::size_t width() const { return high_.size(); }
  // Add `count` rows that follow each other in memory.
  void add(const double* rows, std::size_t count);
  // Add another sum of the same width.
  void merge(const Sums& other);
  // Put the columns of another sum behind these.
  void append(const Sums& other);

  std::vector<double> values() const;
  Parts parts() const;

 private:
  void add_to_column(std::size_t column, double value);

  std::vector<double> high_;              // sums in plain doubles
  std::vector<std::vector<double>> rest_;  // what rounding took from them: expansions
};

}  // namespace tertium
