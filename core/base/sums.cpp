// SPDX-License-Identifier: Apache-2.0
#include "base/sums.hpp"

#include <cmath>
#include <stdexcept>

namespace tertium {

namespace {

// a + b, and what rounding took from it (Knuth's TwoSum): exact for all finite sums.
struct Rounded {
  double sum, lost;
};

Rounded two_sum(double a, double b) {
  const double sum = a + b, b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

// Add a number to an expansion: doubles that do not overlap, the smallest first, none
// of them zero.
void grow(std::vector<double>& expansion, double value) {
  std::size_t kept = 0;
  for (const double part : expansion) {
    const auto [sum, lost] = two_sum(value, part);
    if (lost != 0) expansion[kept++] = lost;
    value = sum;
  }
  expansion.resize(kept);
  if (value != 0) expansion.push_back(value);
}

// The double nearest to an expansion, of two equally near ones the even one.
double nearest(const std::vector<double>& expansion) {
  if (expansion.empty()) return 0;
  std::size_t n = expansion.size() - 1;
  double value = expansion[n], lost = 0;
  while (n > 0 && lost == 0) {
    const auto next = two_sum(value, expansion[--n]);
    value = next.sum;
    lost = next.lost;
  }
  // Rounded half to even, but what follows says that it was not half.
  if (n > 0 && lost != 0 && (lost < 0) == (expansion[n - 1] < 0)) {
    const double twice = 2 * lost, away = value + twice;
    if (away - value == twice) value = away;
  }
  return value;
}

}  // namespace

Sums::Sums(const Parts& parts) : Sums(parts.size()) {
  for (std::size_t k = 0; k < parts.size(); ++k)
    for (const double part : parts[k]) add_to_column(k, part);
}

inline void Sums::add_to_column(std::size_t column, double value) {
  const auto [sum, lost] = two_sum(high_[column], value);
  high_[column] = sum;
  if (lost != 0 && !std::isnan(lost)) grow(rest_[column], lost);
}

void Sums::add(const double* rows, std::size_t count) {
  const std::size_t width = high_.size();
  for (const double* row = rows; row != rows + count * width; row += width)
    for (std::size_t k = 0; k < width; ++k) add_to_column(k, row[k]);
}

void Sums::merge(const Sums& other) {
  if (other.width() != width()) throw std::invalid_argument("sums have different widths");
  for (std::size_t k = 0; k < width(); ++k) {
    // Copies: a sum may be merged with itself.
    const double high = other.high_[k];
    for (const double part : std::vector(other.rest_[k])) grow(rest_[k], part);
    add_to_column(k, high);
  }
}

void Sums::append(const Sums& other) {
  const Sums copy = other;
  high_.insert(high_.end(), copy.high_.begin(), copy.high_.end());
  rest_.insert(rest_.end(), copy.rest_.begin(), copy.rest_.end());
}

std::vector<double> Sums::values() const {
  std::vector<double> out;
  out.reserve(width());
  for (std::size_t k = 0; k < width(); ++k) {
    if (rest_[k].empty() || !std::isfinite(high_[k])) {
      out.push_back(high_[k]);
      continue;
    }
    std::vector<double> all = rest_[k];
    grow(all, high_[k]);
    out.push_back(nearest(all));
  }
  return out;
}

Sums::Parts Sums::parts() const {
  Parts out = rest_;
  for (std::size_t k = 0; k < width(); ++k) out[k].push_back(high_[k]);
  return out;
}

}  // namespace tertium
