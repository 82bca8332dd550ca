// SPDX-License-Identifier: Apache-2.0
#include "learn/surface.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

namespace tertium {

namespace {

struct Shares {
  double first, second;
};

double f_mean(double p, double r, double beta) {
  const double factor = beta * beta;
  const double below = factor * p + r;
  return below > 0 ? (1 + factor) * p * r / below : 0.0;
}

double g_mean(double p, double r, double beta) {
  if (beta == 1.0) return std::sqrt(p * r);
  return std::pow(p * std::pow(r, beta), 1 / (1 + beta));
}

// How far two lengths are apart, in the shorter one. Of an empty text, `empty`
// stands for its length if it is 1, and for the feature itself if it is more.
double disbalance(const Source& source, const UnitCount& length) {
  constexpr double kMost = 100000;  // keeps exp() finite
  const auto low = static_cast<double>(std::min(length.hyp, length.ref));
  const auto high = static_cast<double>(std::max(length.hyp, length.ref));
  if (low == 0 && source.empty > 1) return source.empty;
  if (!source.exponential) return (high - low) / std::max(low, 1.0);
  return std::min(std::exp(std::max(high, 1.0) / std::max(low, 1.0)) - std::numbers::e, kMost);
}

// Turns the counts of a segment into features.
class Features {
 public:
  explicit Features(const SurfaceOptions& options) : options_(options) {
    counted_.released = options.released;
    for (const Source& source : options.sources) {
      const auto n = static_cast<std::size_t>(std::max(source.n, 1L));
      if (source.family == Family::kChar) counted_.char_order = std::max(counted_.char_order, n);
      if (source.family == Family::kWord) counted_.word_order = std::max(counted_.word_order, n);
      if (source.family == Family::kSkip) {
        counted_.word_order = std::max<std::size_t>(counted_.word_order, 1);  // to back off
        counted_.gaps.push_back(source.n);
        place_.push_back(counted_.gaps.size() - 1);
      } else {
        place_.push_back(n - 1);
      }
    }
    shares_.resize(options.sources.size());
  }

  const UnitOptions& counted() const { return counted_; }

  // Whether a copy of any reference has the same features: all units, no disbalance.
  bool copies_are_alike() const {
    return std::all_of(options_.sources.begin(), options_.sources.end(), [](const Source& s) {
      const bool length = s.family == Family::kCharLength || s.family == Family::kWordLength;
      return length ? s.empty <= 1 : s.backoff;
    });
  }

  void compute(const UnitCounts& counts, double* out) {
    for (std::size_t s = 0; s < shares_.size(); ++s) shares_[s] = shares(s, counts);
    for (std::size_t c = 0; c < options_.columns.size(); ++c) {
      const Column& column = options_.columns[c];
      const auto [p, r] = shares_[column.source];
      switch (column.formula) {
        case Formula::kFirst: out[c] = p; break;
        case Formula::kSecond: out[c] = r; break;
        case Formula::kF: out[c] = f_mean(p, r, column.beta); break;
        case Formula::kG: out[c] = g_mean(p, r, column.beta); break;
      }
    }
  }

 private:
  Shares shares(std::size_t s, const UnitCounts& counts) const {
    const Source& source = options_.sources[s];
    if (source.family == Family::kCharLength) return {disbalance(source, counts.char_length), 0};
    if (source.family == Family::kWordLength) return {disbalance(source, counts.word_length), 0};
    const UnitCount& count = counted(source, place_[s], counts);
    if (count.empty()) {
      const double value = source.backoff ? 1.0 : 0.0;
      return {value, value};
    }
    const auto common = static_cast<double>(count.common);
    const double p = count.hyp > 0 ? common / static_cast<double>(count.hyp) : 0.0;
    const double r = count.ref > 0 ? common / static_cast<double>(count.ref) : 0.0;
    if (source.symmetric) return {std::min(p, r), std::max(p, r)};
    return {p, r};
  }

  // The counts of a unit, or of the next shorter one that a side has.
  static const UnitCount& counted(const Source& source, std::size_t place,
                                  const UnitCounts& counts) {
    if (source.family == Family::kSkip) {
      const UnitCount& own = counts.skips[place];
      return own.empty() && source.backoff ? counts.words[0] : own;
    }
    const auto& orders = source.family == Family::kChar ? counts.chars : counts.words;
    if (source.backoff)
      while (place > 0 && orders[place].empty()) --place;
    return orders[place];
  }

  SurfaceOptions options_;
  UnitOptions counted_;
  std::vector<std::size_t> place_;  // of every source among its counts
  std::vector<Shares> shares_;
};

class FeatureWorker final : public Worker {
 public:
  explicit FeatureWorker(const SurfaceOptions& options)
      : features_(options), counter_(features_.counted()) {}

  void set_refs(std::span<const Text> refs) override { counter_.set_refs(refs.first(1)); }

  void row(Text hyp, double* out) override {
    counter_.set_hyp(hyp);
    counter_.count(0, counts_);
    features_.compute(counts_, out);
  }

 private:
  Features features_;
  UnitCounter counter_;
  UnitCounts counts_;
};

class FeatureKernel final : public Kernel {
 public:
  explicit FeatureKernel(SurfaceOptions options) : options_(std::move(options)) {}
  std::size_t width() const override { return options_.columns.size(); }
  std::unique_ptr<Worker> worker() const override {
    return std::make_unique<FeatureWorker>(options_);
  }
  double score(const double* row) const override { return row[0]; }  // rows are not sums

 private:
  SurfaceOptions options_;
};

class ModelWorker final : public Worker {
 public:
  ModelWorker(const SurfaceOptions& options, const LinearModel& model)
      : features_(options),
        counter_(features_.counted()),
        model_(model),
        values_(options.columns.size()) {
    if (!model_.relative() || !features_.copies_are_alike()) return;
    const Text empty[1] = {};
    counter_.set_refs(empty);
    counter_.count_copy(0, counts_);
    always_ = raw();
  }

  void set_refs(std::span<const Text> refs) override {
    counter_.set_refs(refs);
    same_.assign(refs.size(), always_);
    if (!model_.relative() || features_.copies_are_alike()) return;
    for (std::size_t r = 0; r < refs.size(); ++r) {
      counter_.count_copy(r, counts_);
      same_[r] = raw();
    }
  }

  void row(Text hyp, double* out) override {
    counter_.set_hyp(hyp);
    double best = 0.0;
    for (std::size_t r = 0; r < counter_.refs(); ++r) {
      counter_.count(r, counts_);
      best = std::max(best, model_.score(raw(), same_[r]));
    }
    out[0] = best;
    out[1] = 1.0;
  }

 private:
  double raw() {
    features_.compute(counts_, values_.data());
    return model_.raw(values_.data());
  }

  Features features_;
  UnitCounter counter_;
  const LinearModel& model_;
  UnitCounts counts_;
  double always_ = 0.0;  // the sum of a copy, if it is always the same
  std::vector<double> values_, same_;
};

class ModelKernel final : public Kernel {
 public:
  ModelKernel(SurfaceOptions options, LinearOptions model)
      : options_(std::move(options)), model_(std::move(model)) {}
  std::size_t width() const override { return 2; }
  std::unique_ptr<Worker> worker() const override {
    return std::make_unique<ModelWorker>(options_, model_);
  }
  double score(const double* row) const override { return row[1] > 0 ? row[0] / row[1] : 0.0; }

 private:
  SurfaceOptions options_;
  LinearModel model_;
};

void check(const SurfaceOptions& options) {
  for (const Source& source : options.sources) {
    const bool counted = source.family == Family::kChar || source.family == Family::kWord;
    const auto most = static_cast<long>(NgramTrie::kMaxOrder);
    if (counted && (source.n < 1 || source.n > most))
      throw std::invalid_argument("n-grams are 1 to 64 long");
    if (source.family == Family::kSkip && (source.n < -1 || source.n > 1000000))
      throw std::invalid_argument("skip bigrams have at most 1,000,000 words between");
  }
  for (const Column& column : options.columns)
    if (column.source >= options.sources.size())
      throw std::invalid_argument("a feature has no source");
}

}  // namespace

std::unique_ptr<Kernel> make_surface_features(const SurfaceOptions& options) {
  check(options);
  return std::make_unique<FeatureKernel>(options);
}

std::unique_ptr<Kernel> make_surface_model(const SurfaceOptions& options,
                                           const LinearOptions& model) {
  check(options);
  check_linear(model, options.columns.size());
  return std::make_unique<ModelKernel>(options, model);
}

}  // namespace tertium
