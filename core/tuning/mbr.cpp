// SPDX-License-Identifier: Apache-2.0
#include "tuning/mbr.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/batch.hpp"
#include "metrics/ngram_kernel.hpp"
#include "text/ngrams.hpp"
#include "text/segment.hpp"
#include "tuning/mbr_sets.hpp"
#include "tuning/mbr_windows.hpp"

namespace tertium {

namespace {

// The distinct texts of a list. Hypotheses come first, in their order.
class DistinctTexts {
 public:
  void read(const MbrList& list) {
    intern_.reset(list.hyps.size() + list.refs.size());
    number_.clear();
    for (const Text hyp : list.hyps) number_.push_back(intern_.add(hyp));
    hyps_ = intern_.size();
    refs_.clear();
    for (const Text ref : list.refs) refs_.push_back(intern_.add(ref));
    weights_.assign(intern_.size(), 0.0);
    for (std::size_t r = 0; r < refs_.size(); ++r) weights_[refs_[r]] += list.weights[r];
  }

  std::size_t size() const { return intern_.size(); }
  std::size_t hyps() const { return hyps_; }  // texts from here on are references only
  Text text(std::size_t i) const { return intern_.word(static_cast<std::uint32_t>(i)); }
  double weight(std::size_t i) const { return weights_[i]; }  // as a reference

  void spread(std::span<const double> scores, double* out) const {
    for (std::size_t i = 0; i < number_.size(); ++i) out[i] = scores[number_[i]];
  }

 private:
  Interner intern_;
  std::size_t hyps_ = 0;
  std::vector<std::uint32_t> number_, refs_;
  std::vector<double> weights_;
};

// One list after the other, on one thread.
class ListScorer {
 public:
  virtual ~ListScorer() = default;
  // Write the expected score of every distinct hypothesis.
  virtual void score(const DistinctTexts& texts, std::span<double> out) = 0;
};

// Any kernel that reads texts: every reference is read once.
class AnyScorer final : public ListScorer {
 public:
  explicit AnyScorer(const Kernel& kernel)
      : kernel_(kernel), worker_(kernel.worker()), row_(kernel.width()) {}

  void score(const DistinctTexts& texts, std::span<double> out) override {
    for (std::size_t r = 0; r < texts.size(); ++r) {
      if (texts.weight(r) == 0) continue;
      const Text ref = texts.text(r);
      worker_->set_refs(std::span(&ref, 1));
      for (std::size_t h = 0; h < texts.hyps(); ++h) {
        const Text hyp = texts.text(h);
        worker_->row(hyp, row_.data());
        out[h] += texts.weight(r) * kernel_.score(row_.data());
        pace_.spend(64 + hyp.size() + ref.size());
      }
    }
  }

 private:
  const Kernel& kernel_;
  std::unique_ptr<Worker> worker_;
  std::vector<double> row_;
  Pace pace_;
};

// Texts of a list with all their n-grams counted.
class CountedTexts {
 public:
  explicit CountedTexts(const NgramKernel& kernel)
      : reader_(kernel.reader()), orders_(kernel.orders()), windows_(orders_.size()) {
    for (const std::size_t n : orders_) all_ += n;
  }

  void read(const DistinctTexts& texts) {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < texts.size(); ++i) bytes += texts.text(i).size();
    reader_->reset(bytes);
    const std::size_t streams = orders_.size();
    if (symbols_.size() < texts.size() * streams) symbols_.resize(texts.size() * streams);
    for (std::size_t i = 0; i < texts.size(); ++i)
      reader_->read(texts.text(i), std::span(symbols_).subspan(i * streams, streams));
    lengths_.clear();
    totals_.clear();
    for (std::size_t i = 0; i < texts.size(); ++i)
      for (std::size_t s = 0; s < streams; ++s) measure(symbols_[i * streams + s].size(), s);
    for (std::size_t s = 0; s < streams; ++s) {
      windows_[s].reset(orders_[s], reader_->types(s));
      for (std::size_t i = 0; i < texts.size(); ++i) {
        windows_[s].add(symbols_[i * streams + s]);
        pace_.spend(8 * orders_[s] * symbols_[i * streams + s].size());
      }
    }
  }

  std::size_t orders() const { return all_; }  // of all streams
  std::span<const NgramWindows> streams() const { return windows_; }
  NgramTotals totals(std::size_t text) const {
    return {&lengths_[text * windows_.size()], &totals_[text * all_]};
  }

 private:
  void measure(std::size_t length, std::size_t stream) {
    lengths_.push_back(static_cast<double>(length));
    for (std::size_t n = 1; n <= orders_[stream]; ++n)
      totals_.push_back(static_cast<double>(ngram_total(length, n)));
  }

  std::unique_ptr<NgramReader> reader_;
  std::vector<std::size_t> orders_;
  std::size_t all_ = 0;
  std::vector<NgramWindows> windows_;
  std::vector<Symbols> symbols_;
  std::vector<double> lengths_, totals_;
  Pace pace_;
};

class PairwiseScorer final : public ListScorer {
 public:
  explicit PairwiseScorer(const NgramKernel& kernel)
      : kernel_(kernel), counted_(kernel), matches_(counted_.orders()), row_(kernel.width()) {}

  void score(const DistinctTexts& texts, std::span<double> out) override {
    counted_.read(texts);
    sets_.build(counted_.streams());
    // Scores are added in the order of the references, whichever pair comes first.
    for (std::size_t a = 0; a < texts.size(); ++a) {
      if (a < texts.hyps() && texts.weight(a) != 0) {
        std::copy_n(counted_.totals(a).totals, matches_.size(), matches_.data());
        out[a] += texts.weight(a) * pair(a, a);
      }
      for (std::size_t b = a + 1; b < texts.size(); ++b) score_both(texts, a, b, out);
    }
  }

 private:
  void score_both(const DistinctTexts& texts, std::size_t a, std::size_t b,
                  std::span<double> out) {
    const bool forward = a < texts.hyps() && texts.weight(b) != 0;
    const bool backward = b < texts.hyps() && texts.weight(a) != 0;
    if (!forward && !backward) return;
    sets_.match(a, b, matches_.data());
    if (forward) out[a] += texts.weight(b) * pair(a, b);
    if (backward) out[b] += texts.weight(a) * pair(b, a);
    pace_.spend(64 + sets_.words());
  }

  double pair(std::size_t hyp, std::size_t ref) {
    kernel_.fill(counted_.totals(hyp), counted_.totals(ref), matches_.data(), row_.data());
    return kernel_.score(row_.data());
  }

  const NgramKernel& kernel_;
  CountedTexts counted_;
  FeatureSets sets_;
  std::vector<double> matches_, row_;
  Pace pace_;
};

class AggregateScorer final : public ListScorer {
 public:
  explicit AggregateScorer(const NgramKernel& kernel)
      : kernel_(kernel), counted_(kernel), matches_(counted_.orders()), row_(kernel.width()) {}

  void score(const DistinctTexts& texts, std::span<double> out) override {
    counted_.read(texts);
    average(texts);
    const NgramTotals ref{lengths_.data(), totals_.data()};
    for (std::size_t h = 0; h < texts.hyps(); ++h) {
      match(h);
      kernel_.fill(counted_.totals(h), ref, matches_.data(), row_.data());
      out[h] = kernel_.score(row_.data());
    }
  }

 private:
  struct Gram {
    double expected = 0.0;  // occurrences in a reference
    std::uint32_t text = 0, count = 0;  // the last hypothesis, and earlier occurrences in it
  };

  // The expected lengths, totals and counts of the references.
  void average(const DistinctTexts& texts) {
    const std::span<const NgramWindows> streams = counted_.streams();
    lengths_.assign(streams.size(), 0.0);
    totals_.assign(counted_.orders(), 0.0);
    for (std::size_t r = 0; r < texts.size(); ++r) {
      const NgramTotals ref = counted_.totals(r);
      for (std::size_t s = 0; s < lengths_.size(); ++s)
        lengths_[s] += texts.weight(r) * ref.lengths[s];
      for (std::size_t n = 0; n < totals_.size(); ++n)
        totals_[n] += texts.weight(r) * ref.totals[n];
    }
    grams_.resize(streams.size());
    for (std::size_t s = 0; s < streams.size(); ++s) count(texts, streams[s], grams_[s]);
  }

  // Counts add up, so windows are counted first and their n-grams once per window.
  void count(const DistinctTexts& texts, const NgramWindows& windows, std::vector<Gram>& grams) {
    expected_.assign(windows.windows(), 0.0);
    for (std::size_t r = 0; r < texts.size(); ++r) {
      const double weight = texts.weight(r);
      if (weight == 0) continue;
      for (const std::uint32_t window : windows.of(r)) expected_[window] += weight;
    }
    grams.assign(windows.grams(), {});
    for (std::uint32_t w = 0; w < expected_.size(); ++w)
      for (std::size_t n = 0; n < windows.orders(); ++n)
        grams[windows.grams_of(w)[n]].expected += expected_[w];
    grams[NgramWindows::kNone].expected = 0.0;
  }

  // Clipped matches: the k-th occurrence of an n-gram counts as far as more than k - 1
  // are expected.
  void match(std::size_t hyp) {
    std::ranges::fill(matches_, 0.0);
    double* matches = matches_.data();
    const auto text = static_cast<std::uint32_t>(hyp + 1);
    for (std::size_t s = 0; s < grams_.size(); ++s) {
      const NgramWindows& windows = counted_.streams()[s];
      Gram* const all = grams_[s].data();
      for (const std::uint32_t window : windows.of(hyp)) {
        const std::uint32_t* grams = windows.grams_of(window);
        for (std::size_t n = 0; n < windows.orders(); ++n) {
          Gram& gram = all[grams[n]];
          gram.count = gram.text == text ? gram.count + 1 : 0;
          gram.text = text;
          matches[n] += std::clamp(gram.expected - gram.count, 0.0, 1.0);
        }
      }
      matches += windows.orders();
    }
  }

  const NgramKernel& kernel_;
  CountedTexts counted_;
  std::vector<double> lengths_, totals_;
  std::vector<double> expected_;          // by window
  std::vector<std::vector<Gram>> grams_;  // by stream
  std::vector<double> matches_, row_;
};

std::unique_ptr<ListScorer> make_scorer(const Kernel& kernel, MbrMethod method) {
  const auto* ngrams = dynamic_cast<const NgramKernel*>(&kernel);
  if (method == MbrMethod::kAggregate) {
    if (!ngrams) throw std::invalid_argument("the metric has no expected n-gram counts");
    return std::make_unique<AggregateScorer>(*ngrams);
  }
  if (ngrams) return std::make_unique<PairwiseScorer>(*ngrams);
  return std::make_unique<AnyScorer>(kernel);
}

}  // namespace

bool has_aggregate(const Kernel& kernel) {
  return dynamic_cast<const NgramKernel*>(&kernel) != nullptr;
}

void expected_scores(const Kernel& kernel, std::span<const MbrList> lists, MbrMethod method,
                     unsigned threads, std::span<double* const> out) {
  parallel_for(lists.size(), 1, threads, [&]() -> Body {
    std::shared_ptr<ListScorer> scorer = make_scorer(kernel, method);
    return [&, scorer, texts = DistinctTexts(), scores = std::vector<double>()](
               std::size_t from, std::size_t to) mutable {
      for (std::size_t i = from; i < to; ++i) {
        texts.read(lists[i]);
        scores.assign(texts.hyps(), 0.0);
        scorer->score(texts, scores);
        texts.spread(scores, out[i]);
      }
    };
  });
}

}  // namespace tertium
