// SPDX-License-Identifier: Apache-2.0
#include "learn/soft_match.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace tertium {

namespace {

// The sums of a few columns apart: they run in vector registers, and their order is
// the same on every machine.
double dot(const double* a, const double* b, std::size_t n) {
  constexpr std::size_t kLanes = 8;
  double sums[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += a[i + lane] * b[i + lane];
  double total = 0;
  for (; i < n; ++i) total += a[i] * b[i];
  for (const double sum : sums) total += sum;
  return total;
}

struct Vectors {
  std::vector<double> values;
  std::size_t dimensions;
  std::vector<double> weights;

  const double* of(std::uint32_t word) const {
    if ((word + std::size_t{1}) * dimensions > values.size())
      throw std::invalid_argument("a word of the batch has no row of numbers");
    return values.data() + word * dimensions;
  }
  double weight(std::uint32_t word) const { return weights.empty() ? 1.0 : weights.at(word); }
};

class SoftWorker final : public PairWorker {
 public:
  explicit SoftWorker(const Vectors& vectors) : vectors_(vectors) {}

  void row(const Pair& pair, double* out) override {
    best_.assign(pair.ref.size(), 0.0);
    double hyps = 0.0;
    double hyp_weights = 0.0;
    for (const std::uint32_t word : pair.hyp) {
      const double* own = vectors_.of(word);
      double best = 0.0;
      for (std::size_t j = 0; j < pair.ref.size(); ++j) {
        // Rounding may lift a cosine above 1.
        const double cosine =
            word == pair.ref[j]
                ? 1.0
                : std::min(1.0, dot(own, vectors_.of(pair.ref[j]), vectors_.dimensions));
        best = std::max(best, cosine);
        best_[j] = std::max(best_[j], cosine);
      }
      hyps += vectors_.weight(word) * best;
      hyp_weights += vectors_.weight(word);
    }
    double refs = 0.0;
    double ref_weights = 0.0;
    for (std::size_t j = 0; j < pair.ref.size(); ++j) {
      refs += vectors_.weight(pair.ref[j]) * best_[j];
      ref_weights += vectors_.weight(pair.ref[j]);
    }
    out[0] = hyps;
    out[1] = refs;
    out[2] = hyp_weights;
    out[3] = ref_weights;
  }

 private:
  const Vectors& vectors_;
  std::vector<double> best_;
};

class SoftKernel final : public PairKernel {
 public:
  explicit SoftKernel(Vectors vectors) : vectors_(std::move(vectors)) {
    for (double* row = vectors_.values.data();
         row + vectors_.dimensions <= vectors_.values.data() + vectors_.values.size();
         row += vectors_.dimensions) {
      const double length = std::sqrt(dot(row, row, vectors_.dimensions));
      if (!std::isfinite(length)) throw std::invalid_argument("a vector is not finite");
      for (std::size_t i = 0; i < vectors_.dimensions && length > 0; ++i) row[i] /= length;
    }
  }
  std::size_t width() const override { return 4; }
  std::unique_ptr<PairWorker> worker() const override {
    return std::make_unique<SoftWorker>(vectors_);
  }
  double score(const double* row) const override {
    const double words = row[2] + row[3];
    return words > 0 ? (row[0] + row[1]) / words : 0.0;
  }

 private:
  Vectors vectors_;
};

}  // namespace

std::unique_ptr<PairKernel> make_soft_match(std::vector<double> vectors,
                                            std::size_t dimensions,
                                            std::vector<double> weights) {
  if (dimensions == 0) throw std::invalid_argument("vectors have no numbers");
  if (!weights.empty() && weights.size() != vectors.size() / dimensions)
    throw std::invalid_argument("vectors and weights are not equally many");
  for (const double weight : weights)
    if (!(weight >= 0) || !std::isfinite(weight))
      throw std::invalid_argument("a weight is negative or not finite");
  return std::make_unique<SoftKernel>(
      Vectors{std::move(vectors), dimensions, std::move(weights)});
}

}  // namespace tertium
