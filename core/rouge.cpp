// SPDX-License-Identifier: Apache-2.0
#include "rouge.hpp"

#include <algorithm>
#include <vector>

#include "segment.hpp"

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
      : options_(options), segment_(Tokenizer(options.scheme)) {}

  void set_refs(std::span<const Text> refs) override { segment_.set_refs(refs); }

  // O(n^2) pairs for a segment of n words, O(n k) with max_skip = k.
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
  template <class Visit>
  std::size_t for_each_pair(Symbols text, Visit&& visit) const {
    std::size_t pairs = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      std::size_t end = text.size();
      if (options_.max_skip >= 0)
        end = std::min(end, i + static_cast<std::size_t>(options_.max_skip) + 2);
      for (std::size_t j = i + 1; j < end; ++j) {
        visit((static_cast<std::uint64_t>(text[i]) << 32) | text[j]);
        ++pairs;
      }
    }
    return pairs;
  }

  void count(Symbols hyp, Symbols ref, double* out) {
    const std::size_t bound = for_each_pair(ref, [](std::uint64_t) {});
    pairs_.reset(std::min(bound, segment_.types() * segment_.types()));
    for_each_pair(ref, [&](std::uint64_t pair) {
      FlatMap::Slot& slot = pairs_.find(pair);
      if (pairs_.holds(slot)) ++slot.value;
      else pairs_.fill(slot, pair, 1);
    });
    std::size_t common = 0;
    const std::size_t total = for_each_pair(hyp, [&](std::uint64_t pair) {
      FlatMap::Slot& slot = pairs_.find(pair);
      if (!pairs_.holds(slot) || slot.value == 0) return;
      --slot.value;
      ++common;
    });
    out[0] = static_cast<double>(common);
    out[1] = static_cast<double>(total);
    out[2] = static_cast<double>(bound);
  }

  RougeOptions options_;
  TokenizedSegment segment_;
  FlatMap pairs_;
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
