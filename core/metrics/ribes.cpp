// SPDX-License-Identifier: Apache-2.0
#include "metrics/ribes.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "align/context.hpp"
#include "base/pace.hpp"
#include "text/segment.hpp"

namespace tertium {

namespace {

using Symbols = std::span<const std::uint32_t>;

class RibesWorker final : public Worker {
 public:
  explicit RibesWorker(const RibesOptions& options)
      : options_(options), segment_(Tokenizer(options.scheme)) {}

  void set_refs(std::span<const Text> refs) override { segment_.set_refs(refs); }

  void row(Text hyp, double* out) override {
    segment_.set_hyp(hyp);
    double best = 0.0;
    if (!segment_.hyp().empty())
      for (std::size_t r = 0; r < segment_.refs(); ++r)
        best = std::max(best, score(segment_.hyp(), segment_.ref(r)));
    out[0] = best;
    out[1] = 1.0;
  }

 private:
  double score(Symbols hyp, Symbols ref) {
    order_ = aligner_.align(hyp, ref, segment_.types());
    const double n = static_cast<double>(hyp.size());
    const double brevity = std::min(1.0, std::exp(1.0 - static_cast<double>(ref.size()) / n));
    const double precision = static_cast<double>(order_.size()) / n;
    return kendall() * std::pow(precision, options_.alpha) * std::pow(brevity, options_.beta);
  }

  // The share of ascending pairs, (tau + 1) / 2; O(n^2), n words.
  double kendall() {
    const std::size_t n = order_.size();
    if (n < 2) return 0.0;
    std::size_t ascending = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) ascending += order_[i].ref < order_[j].ref;
      if (i % 64 == 63) pace_.spend(64 * n);
    }
    return static_cast<double>(ascending) / (static_cast<double>(n * (n - 1)) / 2);
  }

  RibesOptions options_;
  TokenizedSegment segment_;
  ContextAligner aligner_;
  std::span<const Identified> order_;  // by hypothesis word
  Pace pace_;
};

class Ribes final : public Kernel {
 public:
  explicit Ribes(const RibesOptions& options) : options_(options) {}
  std::size_t width() const override { return 2; }
  std::unique_ptr<Worker> worker() const override {
    return std::make_unique<RibesWorker>(options_);
  }
  double score(const double* row) const override { return row[1] > 0 ? row[0] / row[1] : 0.0; }

 private:
  RibesOptions options_;
};

}  // namespace

std::unique_ptr<Kernel> make_ribes(const RibesOptions& options) {
  return std::make_unique<Ribes>(options);
}

}  // namespace tertium
