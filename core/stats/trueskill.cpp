// SPDX-License-Identifier: Apache-2.0
#include "stats/trueskill.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/batch.hpp"
#include "base/pace.hpp"
#include "base/random.hpp"

namespace tertium {

namespace {

constexpr double kSqrt2 = 1.41421356237309504880;
constexpr double kDensity = 0.39894228040143267794;  // 1 / sqrt(2 pi)

double density(double x) { return kDensity * std::exp(-0.5 * x * x); }
double below(double x) { return 0.5 * std::erfc(-x / kSqrt2); }

// density(x) / below(x); far out on the left its asymptotic series, where both are 0.
double hazard(double x) {
  if (x > -25.0) return density(x) / below(x);
  const double y = 1.0 / (x * x);
  return -x / (1.0 - y * (1.0 - 3.0 * y * (1.0 - 5.0 * y * (1.0 - 7.0 * y))));
}

// By how much means move and variances shrink, in units of c (section 3 of the
// paper: the moments of a truncated normal distribution).
struct Update {
  double mean, variance;
};

Update after_win(double t, double margin) {
  const double x = t - margin;
  const double v = hazard(x);
  return {v, std::clamp(v * (v + x), 0.0, 1.0)};
}

Update after_draw(double t, double margin) {
  const double far = std::abs(t);
  const double upper = margin - far, lower = -margin - far;
  const double mass = below(upper) - below(lower);
  // A draw that the skills rule out: the nearer edge is all that is left.
  if (mass < 1e-290 || upper < -25.0) {
    const Update edge = after_win(upper, 0.0);
    return {t < 0 ? edge.mean : -edge.mean, edge.variance};
  }
  const double a = density(upper), b = density(lower);
  const double v = (b - a) / mass;
  const double w = std::clamp(v * v + (upper * a - lower * b) / mass, 0.0, 1.0);
  return {t < 0 ? -v : v, w};
}

}  // namespace

void trueskill(const Games& games, const TrueSkillModel& model, const Runs& runs,
               unsigned threads, double* skills) {
  if (runs.count == 0) return;
  const std::size_t n = games.players, length = runs.draws.size() / runs.count;
  const double start = model.sigma * model.sigma, drift = model.tau * model.tau;
  const double noise = 2.0 * model.beta * model.beta;
  parallel_for(runs.count, 1, threads, [&]() -> Body {
    return [&](std::size_t begin, std::size_t end) {
      std::vector<double> variance(n);
      std::vector<std::size_t> order;
      Pace pace;
      for (std::size_t run = begin; run < end; ++run) {
        Random random(runs.seed, runs.first + run);
        double* mean = skills + run * 2 * n;
        std::fill_n(mean, n, 0.0);
        std::fill(variance.begin(), variance.end(), start);
        for (std::size_t d = 0; d < length; ++d) {
          const auto j = static_cast<std::size_t>(runs.draws[run * length + d]);
          const auto from = static_cast<std::size_t>(games.starts[j]);
          const auto to = static_cast<std::size_t>(games.starts[j + 1]);
          pace.spend(64 * (1 + to - from));
          order.clear();
          for (std::size_t g = from; g < to; ++g) order.push_back(g);
          // Fisher and Yates; the bias of the product is below 2^-32.
          for (std::size_t left = order.size(); left > 1; --left)
            std::swap(order[left - 1], order[((random.next() >> 32) * left) >> 32]);
          for (const std::size_t g : order) {
            const bool swap = games.outcome[g] < 0;
            const auto a = static_cast<std::size_t>(swap ? games.second[g] : games.first[g]);
            const auto b = static_cast<std::size_t>(swap ? games.first[g] : games.second[g]);
            variance[a] += drift;
            variance[b] += drift;
            const double c2 = noise + variance[a] + variance[b];
            const double c = std::sqrt(c2);
            const double t = (mean[a] - mean[b]) / c, margin = model.margin / c;
            const Update move =
                games.outcome[g] == 0 ? after_draw(t, margin) : after_win(t, margin);
            mean[a] += variance[a] / c * move.mean;
            mean[b] -= variance[b] / c * move.mean;
            variance[a] *= 1.0 - variance[a] / c2 * move.variance;
            variance[b] *= 1.0 - variance[b] / c2 * move.variance;
          }
        }
        for (std::size_t i = 0; i < n; ++i) mean[n + i] = std::sqrt(variance[i]);
      }
    };
  });
}

}  // namespace tertium
