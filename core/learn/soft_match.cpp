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

  const double* of(std::uint32_t word) const {
    if ((word + std::size_t{1}) * dimensions > values.size())
      throw std::invalid_argument("a word of the batch has no row of numbers");
    return values.data() + word * dimensions;
  }
};

class SoftWorker final : public PairWorker {
 public:
  explicit SoftWorker(const Vectors& vectors) : vectors_(vectors) {}

  void row(const Pair& pair, double* out) override {
    best_.assign(pair.ref.size(), 0.0);
    double hyps = 0.0;
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
      hyps += best;
    }
    double refs = 0.0;
    for (const double best : best_) refs += best;
    out[0] = hyps;
    out[1] = refs;
    out[2] = static_cast<double>(pair.hyp.size());
    out[3] = static_cast<double>(pair.ref.size());
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
                                            std::size_t dimensions) {
  if (dimensions == 0) throw std::invalid_argument("vectors have no numbers");
  return std::make_unique<SoftKernel>(Vectors{std::move(vectors), dimensions});
}

}  // namespace tertium
