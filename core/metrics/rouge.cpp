// SPDX-License-Identifier: Apache-2.0
#include "metrics/rouge.hpp"

#include <algorithm>

#include "text/segment.hpp"
#include "text/skip_pairs.hpp"

namespace tertium {

namespace {

using Symbols = std::span<const std::uint32_t>;

double f_score(double beta, const double* row) {
  if (row[0] == 0) return 0.0;
  const double precision = row[0] / row[1], recall = row[0] / row[2];
  const double factor = beta * beta;
  return (1 + factor) * precision * recall / (recall + factor * precision);
}

class RougeWorker final : public Worker {
 public:
  explicit RougeWorker(const RougeOptions& options)
      : options_(options), segment_(Tokenizer(options.scheme)), pairs_(options.max_skip) {}

  void set_refs(std::span<const Text> refs) override { segment_.set_refs(refs); }

  // O(n^2) steps for a segment of n words, O(n k) with max_skip = k below 64.
  void row(Text hyp, double* out) override {
    segment_.set_hyp(hyp);
    double best = -1.0;
    for (std::size_t r = 0; r < segment_.refs(); ++r) {
      double candidate[3];
      count(segment_.hyp(), segment_.ref(r), candidate);
      const double score = f_score(options_.beta, candidate);
      if (score > best) {
        best = score;
        std::copy_n(candidate, 3, out);
      }
    }
  }

 private:
  void count(Symbols hyp, Symbols ref, double* out) {
    pairs_.set_ref(ref, segment_.types());
    out[0] = static_cast<double>(pairs_.common(hyp));
    out[1] = static_cast<double>(pairs_.total(hyp.size()));
    out[2] = static_cast<double>(pairs_.total(ref.size()));
  }

  RougeOptions options_;
  TokenizedSegment segment_;
  SkipPairs pairs_;
};

class Rouge final : public Kernel {
 public:
  explicit Rouge(const RougeOptions& options) : options_(options) {}
  std::size_t width() const override { return 3; }
  std::unique_ptr<Worker> worker() const override {
    return std::make_unique<RougeWorker>(options_);
  }
  double score(const double* row) const override { return f_score(options_.beta, row); }

 private:
  RougeOptions options_;
};

}  // namespace

std::unique_ptr<Kernel> make_rouge_s(const RougeOptions& options) {
  return std::make_unique<Rouge>(options);
}

}  // namespace tertium
