// SPDX-License-Identifier: Apache-2.0
#include "learn/linear_model.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace tertium {

namespace {

constexpr double kBend = 0.1;  // BEND of tertium.learn.scalers

// Scalers compute as tertium.learn.scalers does, operation by operation.
double sigmoid(double x) {
  const double small = std::exp(-std::abs(x));
  return (x >= 0 ? 1.0 : small) / (1.0 + small);
}

}  // namespace

void check_linear(const LinearOptions& options, std::size_t features) {
  if (options.weights.size() != features) throw std::invalid_argument("one weight a feature");
  if (options.scaling != Scaling::kIsotonic) return;
  if (options.knots.empty() || options.knots.size() != options.heights.size())
    throw std::invalid_argument("isotonic scaling needs one height a knot");
  if (!std::is_sorted(options.knots.begin(), options.knots.end()))
    throw std::invalid_argument("the knots of isotonic scaling must rise");
}

LinearModel::LinearModel(LinearOptions options) : options_(std::move(options)) {}

double LinearModel::raw(const double* features) const {
  double sum = options_.bias;
  for (std::size_t k = 0; k < options_.weights.size(); ++k)
    sum += options_.weights[k] * features[k];
  return sum;
}

double LinearModel::score(double raw, double same) const {
  const double plain = scaled(raw, same);
  if (!options_.anchor) return std::min(plain, 1.0);
  const double best = scaled(same, same);
  if (best > 0) return std::min(plain / best, 1.0);
  return raw >= same ? 1.0 : 0.0;  // a model that gives the reference itself nothing
}

double LinearModel::scaled(double raw, double same) const {
  switch (options_.scaling) {
    case Scaling::kSigmoid: return sigmoid(options_.slope * raw + options_.offset);
    case Scaling::kQuasi: return 2 * sigmoid(raw - same);
    case Scaling::kRelative: {
      const double line = 1.0 + options_.slope * (raw - same);
      return line >= kBend ? line : kBend * std::exp(line / kBend - 1);
    }
    case Scaling::kLinear:
      return std::clamp((options_.slope * raw + options_.offset) / 100, 0.0, 1.0);
    case Scaling::kIsotonic: return between_knots(raw);
  }
  return 0.0;
}

double LinearModel::between_knots(double raw) const {
  const auto& x = options_.knots;
  const auto& y = options_.heights;
  if (raw <= x.front()) return y.front();
  if (raw >= x.back()) return y.back();
  const auto above =
      static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), raw) - x.begin());
  const double slope = (y[above] - y[above - 1]) / (x[above] - x[above - 1]);
  return slope * (raw - x[above - 1]) + y[above - 1];
}

}  // namespace tertium
