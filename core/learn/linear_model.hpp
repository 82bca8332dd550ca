// SPDX-License-Identifier: Apache-2.0
// Linear models over features: a weighted sum, and how it becomes a score.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tertium {

// How a weighted sum becomes a score; `same` is that of the reference itself.
enum class Scaling : std::uint8_t {
  kSigmoid,   // 1 / (1 + exp(-(a raw + b)))
  kQuasi,     // 2 / (1 + exp(same - raw))
  kRelative,  // 1 + a (raw - same), above 0 by a bend at its low end
  kLinear,    // (a raw + b) / 100, kept within 0 and 1
  kIsotonic,  // between the knots of a rising line
};

struct LinearOptions {
  std::vector<double> weights;  // one per feature
  double bias = 0.0;
  Scaling scaling = Scaling::kSigmoid;
  double slope = 1.0, offset = 0.0;
  std::vector<double> knots, heights;
  bool anchor = false;  // divide by the score of the reference itself
};

// Throws std::invalid_argument unless the options fit so many features.
void check_linear(const LinearOptions& options, std::size_t features);

class LinearModel {
 public:
  explicit LinearModel(LinearOptions options);

  // Whether score() looks at `same`.
  bool relative() const {
    return options_.anchor || options_.scaling == Scaling::kQuasi ||
           options_.scaling == Scaling::kRelative;
  }
  double raw(const double* features) const;
  double score(double raw, double same) const;

 private:
  double scaled(double raw, double same) const;
  double between_knots(double raw) const;

  LinearOptions options_;
};

}  // namespace tertium
