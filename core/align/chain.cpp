// SPDX-License-Identifier: Apache-2.0
#include "align/chain.hpp"

#include <algorithm>
#include <cmath>

#include "base/clones.hpp"
#include "base/pace.hpp"

namespace tertium {

namespace {

// out += factor * values: order of sums does not depend on the width of vectors.
TERTIUM_INLINE void add_scaled(double* out, const double* values, double factor, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] += factor * values[i];
}

// out[b] = sum over a of from[a] * weights[b - a], for all rows at once: a Toeplitz
// matrix, given from its diagonal.
TERTIUM_CLONES void convolve(double* out, std::size_t columns, const double* from,
                             std::size_t rows, const double* diagonal) {
  std::fill(out, out + columns, 0.0);
  for (std::size_t a = 0; a < rows; ++a)
    if (from[a] != 0) add_scaled(out, diagonal - a, from[a], columns);
}

// out[b - a] += from[a] * to[b].
TERTIUM_CLONES void correlate(double* diagonal, const double* from, std::size_t rows,
                              const double* to, std::size_t columns) {
  for (std::size_t a = 0; a < rows; ++a)
    if (from[a] != 0) add_scaled(diagonal - a, to, from[a], columns);
}

}  // namespace

std::size_t Jumps::place(std::ptrdiff_t distance) const {
  const auto edge = static_cast<std::ptrdiff_t>(window());
  return static_cast<std::size_t>(std::clamp(distance, -edge, edge) + edge);
}

void JumpCounts::add(const JumpCounts& other) {
  for (std::size_t k = 0; k < counts.size(); ++k) {
    counts[k] += other.counts[k];
    shares[k] += other.shares[k];
  }
}

std::vector<double> JumpCounts::estimate(const Jumps& jumps, double prior) const {
  constexpr double kRate = 0.05;
  std::vector<double> weights = jumps.weights;
  double sum = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const double share = from_fixed(shares[k]) + prior;
    if (share > 0) weights[k] = (from_fixed(counts[k]) + prior * kRate) / share;
    sum += weights[k];
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

// Positions are counted from 0 = before the first word; state i is at position i + 1.
void Chain::spread(const Jumps& jumps, std::size_t n) {
  n_ = n;
  ahead_.resize(2 * n + 1);
  back_.resize(2 * n + 1);
  for (std::size_t k = 0; k <= 2 * n; ++k) {
    const auto distance = static_cast<std::ptrdiff_t>(k) - static_cast<std::ptrdiff_t>(n);
    ahead_[k] = back_[2 * n - k] = jumps.weights[jumps.place(distance)];
  }
  norm_.assign(n + 1, 0.0);
  for (std::size_t from = 0; from <= n; ++from)
    for (std::size_t i = 0; i < n; ++i) norm_[from] += ahead_[n + 1 + i - from];
}

double Chain::forward(std::span<const double> emission, std::span<const double> null,
                      double stay) {
  const std::size_t n = n_, m = null.size();
  real_.resize(m * n);
  total_.assign((m + 1) * (n + 1), 0.0);
  scale_.resize(m);
  flow_.resize(n + 1);
  total_[0] = 1.0;
  double log_likelihood = 0;
  Pace pace;
  for (std::size_t j = 0; j < m; ++j) {
    const double* before = total_.data() + j * (n + 1);
    double* after = total_.data() + (j + 1) * (n + 1);
    double* real = real_.data() + j * n;
    for (std::size_t from = 0; from <= n; ++from)
      flow_[from] = before[from] * (1 - stay) / norm_[from];
    convolve(real, n, flow_.data(), n + 1, ahead_.data() + n + 1);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += real[i] *= emission[j * n + i];
    for (std::size_t from = 0; from <= n; ++from)
      sum += after[from] = before[from] * stay * null[j];
    scale_[j] = 1 / sum;
    for (std::size_t from = 0; from <= n; ++from) after[from] *= scale_[j];
    for (std::size_t i = 0; i < n; ++i) after[i + 1] += real[i] *= scale_[j];
    log_likelihood += std::log(sum);
    pace.spend(n * n);
  }
  return log_likelihood;
}

void Chain::backward(std::span<const double> emission, std::span<const double> null,
                     double stay) {
  const std::size_t n = n_, m = null.size();
  posterior_.resize(m * n);
  null_posterior_.resize(m);
  beta_.assign(n + 1, 1.0);
  next_.resize(n + 1);
  products_.assign(2 * n + 1, 0.0);
  leaving_.assign(n + 1, 0.0);
  std::vector<double>& values = flow_;
  std::vector<double> leave(n + 1);
  Pace pace;
  for (std::size_t j = m; j-- > 0;) {
    const double* before = total_.data() + j * (n + 1);
    double linked = 0;
    for (std::size_t i = 0; i < n; ++i) {
      linked += posterior_[j * n + i] = real_[j * n + i] * beta_[i + 1];
      values[i] = emission[j * n + i] * beta_[i + 1] * scale_[j];
    }
    null_posterior_[j] = std::max(0.0, 1 - linked);
    // From state i back to positions: the distance falls as the position rises.
    convolve(next_.data(), n + 1, values.data(), n, back_.data() + n - 1);
    for (std::size_t from = 0; from <= n; ++from) {
      leave[from] = before[from] * (1 - stay) / norm_[from];
      leaving_[from] += leave[from] * next_[from];
      beta_[from] = next_[from] * (1 - stay) / norm_[from] +
                    stay * null[j] * scale_[j] * beta_[from];
    }
    correlate(products_.data() + n + 1, leave.data(), n + 1, values.data(), n);
    pace.spend(2 * n * n);
  }
}

double Chain::run(std::span<const double> emission, std::span<const double> null, std::size_t n,
                  const Jumps& jumps, double null_probability) {
  spread(jumps, n);
  const double log_likelihood = forward(emission, null, null_probability);
  backward(emission, null, null_probability);
  return log_likelihood;
}

double Chain::run_unordered(std::span<const double> emission, std::span<const double> null,
                            std::size_t n, double null_probability) {
  const std::size_t m = null.size();
  posterior_.resize(m * n);
  null_posterior_.resize(m);
  double log_likelihood = 0;
  const double each = (1 - null_probability) / static_cast<double>(n);
  for (std::size_t j = 0; j < m; ++j) {
    double sum = null_posterior_[j] = null[j] * null_probability;
    for (std::size_t i = 0; i < n; ++i)
      sum += posterior_[j * n + i] = emission[j * n + i] * each;
    const double scale = 1 / sum;
    for (std::size_t i = 0; i < n; ++i) posterior_[j * n + i] *= scale;
    null_posterior_[j] *= scale;
    log_likelihood += std::log(sum);
  }
  return log_likelihood;
}

void Chain::add_jumps(const Jumps& jumps, JumpCounts& counts) const {
  const std::size_t n = n_;
  std::vector<double> shares(2 * n + 1);
  for (std::size_t from = 0; from <= n; ++from) {
    const double share = leaving_[from] / norm_[from];
    for (std::size_t i = 0; i < n; ++i) shares[n + 1 + i - from] += share;
  }
  for (std::size_t k = 0; k <= 2 * n; ++k) {
    const auto distance = static_cast<std::ptrdiff_t>(k) - static_cast<std::ptrdiff_t>(n);
    counts.counts[jumps.place(distance)] += to_fixed(products_[k] * ahead_[k]);
    counts.shares[jumps.place(distance)] += to_fixed(shares[k]);
  }
}

}  // namespace tertium
