// SPDX-License-Identifier: Apache-2.0
#include "metrics/bleu.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "metrics/ngram_kernel.hpp"
#include "text/ngrams.hpp"
#include "text/segment.hpp"

namespace tertium {

namespace {

double reference_length(const TokenizedSegment& segment, RefLength mode) {
  const double hyp = static_cast<double>(segment.hyp().size());
  double best = static_cast<double>(segment.ref(0).size());
  double sum = best;
  for (std::size_t r = 1; r < segment.refs(); ++r) {
    const double length = static_cast<double>(segment.ref(r).size());
    sum += length;
    const double gap = std::abs(length - hyp), best_gap = std::abs(best - hyp);
    // Of two equally close references the shorter counts.
    const bool closer = gap < best_gap || (gap == best_gap && length < best);
    if ((mode == RefLength::kClosest && closer) ||
        (mode == RefLength::kShortest && length < best) ||
        (mode == RefLength::kLongest && length > best))
      best = length;
  }
  return mode == RefLength::kAverage ? sum / static_cast<double>(segment.refs()) : best;
}

double brevity_penalty(double hyp, double ref) {
  if (hyp >= ref) return 1.0;
  return hyp > 0 ? std::exp(1.0 - ref / hyp) : 0.0;
}

// Counts clipped matches of one segment.
class BleuCounter {
 public:
  BleuCounter(Scheme scheme, std::size_t max_order)
      : segment_(Tokenizer(scheme)), max_order_(max_order) {}

  void set_refs(std::span<const Text> refs) {
    segment_.set_refs(refs);
    counts_.build(segment_.refs(), [&](std::size_t r) { return segment_.ref(r); },
                  segment_.ref_words(), max_order_, segment_.types());
  }

  // Write the matches of every order to matches[0 .. max_order).
  const TokenizedSegment& count(Text hyp, double* matches) {
    segment_.set_hyp(hyp);
    std::ranges::copy(counts_.match(segment_.hyp()), matches);
    return segment_;
  }

 private:
  TokenizedSegment segment_;
  NgramCounts counts_;
  std::size_t max_order_;
};

class BleuWorker final : public Worker {
 public:
  explicit BleuWorker(const BleuOptions& options)
      : options_(options), counter_(options.scheme, options.max_order) {}

  void set_refs(std::span<const Text> refs) override { counter_.set_refs(refs); }

  void row(Text hyp, double* out) override {
    double* matches = out + 2;
    double* totals = matches + options_.max_order;
    const TokenizedSegment& segment = counter_.count(hyp, matches);
    out[0] = static_cast<double>(segment.hyp().size());
    out[1] = reference_length(segment, options_.ref_length);
    for (std::size_t n = 0; n < options_.max_order; ++n)
      totals[n] = static_cast<double>(ngram_total(segment.hyp().size(), n + 1));
  }

 private:
  BleuOptions options_;
  BleuCounter counter_;
};

class BleuReader final : public NgramReader {
 public:
  explicit BleuReader(Scheme scheme) : tokenizer_(scheme) {}

  void reset(std::size_t bytes) override {
    tokenizer_.reset();
    intern_.reset(bytes);
  }
  void read(Text text, std::span<Symbols> out) override {
    tokenizer_(text, tokens_);
    out.front().clear();
    for (const Text token : tokens_) out.front().push_back(intern_.add(token));
  }
  std::size_t types(std::size_t) const override { return intern_.size(); }

 private:
  Tokenizer tokenizer_;
  Interner intern_;
  std::vector<Text> tokens_;
};

class Bleu final : public NgramKernel {
 public:
  explicit Bleu(const BleuOptions& options) : options_(options) {}

  std::size_t width() const override { return 2 + 2 * options_.max_order; }

  std::unique_ptr<Worker> worker() const override {
    return std::make_unique<BleuWorker>(options_);
  }

  std::vector<std::size_t> orders() const override { return {options_.max_order}; }

  std::unique_ptr<NgramReader> reader() const override {
    return std::make_unique<BleuReader>(options_.scheme);
  }

  void fill(NgramTotals hyp, NgramTotals ref, const double* matches,
            double* out) const override {
    out[0] = hyp.lengths[0];
    out[1] = ref.lengths[0];
    std::copy_n(matches, options_.max_order, out + 2);
    std::copy_n(hyp.totals, options_.max_order, out + 2 + options_.max_order);
  }

  double score(const double* row) const override {
    const double* matches = row + 2;
    const double* totals = matches + options_.max_order;
    const std::size_t orders = options_.max_order;
    if (row[0] <= 0) return 0.0;
    if (options_.smoothing == Smoothing::kPlusOne) return plus_one(row, matches, totals);
    // No match at all: zero whatever the smoothing (sacreBLEU #141).
    if (std::all_of(matches, matches + orders, [](double m) { return m == 0; })) return 0.0;

    double log_sum = 0.0;
    double halvings = 1.0;
    std::size_t effective = orders;
    for (std::size_t n = 0; n < orders; ++n) {
      double match = matches[n], total = totals[n];
      if (options_.smoothing == Smoothing::kAddK && n > 0) {
        match += options_.smooth_value;
        total += options_.smooth_value;
      }
      if (total == 0) {
        // No n-grams of this order: zero unless the order is lowered.
        return options_.effective_order ? finish(row, log_sum, effective) : 0.0;
      }
      if (options_.effective_order) effective = n + 1;
      double precision = 0.0;
      if (match != 0) {
        precision = match / total;
      } else if (options_.smoothing == Smoothing::kExp) {
        halvings *= 2;
        precision = 1.0 / (halvings * total);
      } else if (options_.smoothing == Smoothing::kFloor) {
        precision = options_.smooth_value / total;
      }
      if (precision <= 0) return 0.0;
      log_sum += std::log(precision);
    }
    return finish(row, log_sum, effective);
  }

 private:
  static double finish(const double* row, double log_sum, std::size_t orders) {
    return 100.0 * brevity_penalty(row[0], row[1]) *
           std::exp(log_sum / static_cast<double>(orders));
  }

  double plus_one(const double* row, const double* matches, const double* totals) const {
    double log_sum = 0.0;
    for (std::size_t n = 0; n < options_.max_order; ++n)
      log_sum += std::log((matches[n] + 1) / (totals[n] + 1));
    return finish(row, log_sum, options_.max_order);
  }

  BleuOptions options_;
};

// -------------------------------------------------------------------- BLEU-NRC

constexpr std::size_t kNrcOrders = 4;

class BleuNrcWorker final : public Worker {
 public:
  BleuNrcWorker(Scheme scheme, double k) : counter_(scheme, kNrcOrders + 1), k_(k) {}

  void set_refs(std::span<const Text> refs) override { counter_.set_refs(refs); }

  void row(Text hyp, double* out) override {
    double matches[kNrcOrders + 1];
    const TokenizedSegment& segment = counter_.count(hyp, matches);
    out[0] = segment.hyp().empty() ? 0.0 : 100.0 * smooth(segment, matches);
    out[1] = 1.0;
  }

 private:
  double smooth(const TokenizedSegment& segment, const double* matches) const {
    const std::size_t length = segment.hyp().size();
    // Zero counts become ever smaller: K / ln |c|, with |c| at least 2.
    const double factor = k_ / std::log(std::max<double>(2.0, static_cast<double>(length)));
    double counts[kNrcOrders + 2];  // m'_1 .. m'_5 at 1 .. 5
    double inverse = 1.0;
    for (std::size_t n = 1; n <= kNrcOrders + 1; ++n) {
      if (matches[n - 1] == 0) {
        inverse *= factor;
        counts[n] = 1.0 / inverse;
      } else {
        counts[n] = matches[n - 1];
      }
    }
    double previous = counts[1] + 1;  // m''_0
    double log_sum = 0.0;
    std::size_t used = 0;
    for (std::size_t n = 1; n <= kNrcOrders; ++n) {
      previous = (previous + counts[n] + counts[n + 1]) / 3;
      const std::size_t total = ngram_total(length, n);
      if (total == 0) continue;
      log_sum += std::log(previous / static_cast<double>(total));
      ++used;
    }
    const double ref = reference_length(segment, RefLength::kClosest);
    return brevity_penalty(static_cast<double>(length), ref) *
           std::exp(log_sum / static_cast<double>(used));
  }

  BleuCounter counter_;
  double k_;
};

class BleuNrc final : public Kernel {
 public:
  BleuNrc(Scheme scheme, double k) : scheme_(scheme), k_(k) {}
  std::size_t width() const override { return 2; }
  std::unique_ptr<Worker> worker() const override {
    return std::make_unique<BleuNrcWorker>(scheme_, k_);
  }
  double score(const double* row) const override { return row[1] > 0 ? row[0] / row[1] : 0.0; }

 private:
  Scheme scheme_;
  double k_;
};

}  // namespace

std::unique_ptr<Kernel> make_bleu(const BleuOptions& options) {
  return std::make_unique<Bleu>(options);
}

std::unique_ptr<Kernel> make_bleu_nrc(Scheme scheme, double k) {
  return std::make_unique<BleuNrc>(scheme, k);
}

}  // namespace tertium
