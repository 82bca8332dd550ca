// SPDX-License-Identifier: Apache-2.0
#include "tuning/mbr.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <thread>

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

// The expected scores of one list after the other. The work on a list has parts, which
// threads share; sums are the same for any number of them.
class ListScorer {
 public:
  virtual ~ListScorer() = default;
  virtual void read(const DistinctTexts& texts) = 0;
  virtual std::size_t parts() const = 0;
  // What one thread does with parts.
  virtual Body work() = 0;
  // Write the expected score of every distinct hypothesis.
  virtual void write(std::span<double> out) const = 0;
};

// Any kernel that reads texts: a thread reads every text once if the kernel can, or
// references once per part. Parts are blocks of hypotheses.
class AnyScorer final : public ListScorer {
 public:
  explicit AnyScorer(const Kernel& kernel) : kernel_(kernel) {}

  void read(const DistinctTexts& texts) override {
    texts_ = &texts;
    all_.clear();
    for (std::size_t i = 0; i < texts.size(); ++i) all_.push_back(texts.text(i));
    scores_.assign(texts.hyps(), 0.0);
  }

  std::size_t parts() const override { return (texts_->hyps() + kBlock - 1) / kBlock; }

  Body work() override {
    if (std::shared_ptr<TextsWorker> pairs = kernel_.texts_worker()) {
      pairs->read(all_);
      return body([](std::size_t) {},
                  [pairs](std::size_t h, std::size_t r, double* row) { pairs->row(h, r, row); });
    }
    std::shared_ptr<Worker> worker = kernel_.worker();
    return body([this, worker](std::size_t r) { worker->set_refs(std::span(&all_[r], 1)); },
                [this, worker](std::size_t h, std::size_t, double* row) {
                  worker->row(all_[h], row);
                });
  }

  void write(std::span<double> out) const override { std::ranges::copy(scores_, out.begin()); }

 private:
  static constexpr std::size_t kBlock = 64;

  template <class SetRef, class Row>
  Body body(SetRef set_ref, Row fill) {
    return [this, set_ref, fill, row = std::vector<double>(kernel_.width()), pace = Pace()](
               std::size_t from, std::size_t to) mutable {
      const std::size_t end = std::min(to * kBlock, scores_.size());
      for (std::size_t r = 0; r < all_.size(); ++r) {
        if (texts_->weight(r) == 0) continue;
        set_ref(r);
        for (std::size_t h = from * kBlock; h < end; ++h) {
          fill(h, r, row.data());
          scores_[h] += texts_->weight(r) * kernel_.score(row.data());
          pace.spend(64 + all_[h].size() + all_[r].size());
        }
      }
    };
  }

  const Kernel& kernel_;
  const DistinctTexts* texts_ = nullptr;
  std::vector<Text> all_;
  std::vector<double> scores_;
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

// Parts are pairs of blocks of texts. Every part has sums of its own, those of a block's
// texts against the other block, which are added at the end.
class PairwiseScorer final : public ListScorer {
 public:
  explicit PairwiseScorer(const NgramKernel& kernel) : kernel_(kernel), counted_(kernel) {}

  void read(const DistinctTexts& texts) override {
    texts_ = &texts;
    counted_.read(texts);
    sets_.build(counted_.streams());
    blocks_ = (texts.size() + kBlock - 1) / kBlock;
    sums_.assign(texts.size() * blocks_, 0.0);
    parts_.clear();
    for (std::size_t a = 0; a < blocks_; ++a)
      for (std::size_t b = a; b < blocks_; ++b) parts_.emplace_back(a, b);
  }

  std::size_t parts() const override { return parts_.size(); }

  Body work() override {
    return [this, scratch = Scratch(counted_.orders(), kernel_.width())](
               std::size_t from, std::size_t to) mutable {
      for (std::size_t part = from; part < to; ++part)
        score_part(parts_[part].first, parts_[part].second, scratch);
    };
  }

  void write(std::span<double> out) const override {
    for (std::size_t h = 0; h < out.size(); ++h) {
      const auto sums = sums_.begin() + static_cast<std::ptrdiff_t>(h * blocks_);
      out[h] = std::accumulate(sums, sums + static_cast<std::ptrdiff_t>(blocks_), 0.0);
    }
  }

 private:
  static constexpr std::size_t kBlock = 128;

  struct Scratch {
    Scratch(std::size_t orders, std::size_t width) : matches(orders), row(width) {}
    std::vector<double> matches, row;
    Pace pace;
  };

  // Scores are added in the order of the references, whichever pair comes first.
  void score_part(std::size_t first, std::size_t second, Scratch& scratch) {
    const std::size_t end = std::min(texts_->size(), (first + 1) * kBlock);
    const std::size_t last = std::min(texts_->size(), (second + 1) * kBlock);
    for (std::size_t a = first * kBlock; a < end; ++a) {
      if (first == second && a < texts_->hyps() && texts_->weight(a) != 0) {
        std::copy_n(counted_.totals(a).totals, scratch.matches.size(), scratch.matches.data());
        add(a, a, scratch);
      }
      for (std::size_t b = std::max(a + 1, second * kBlock); b < last; ++b)
        score_both(a, b, scratch);
    }
  }

  void score_both(std::size_t a, std::size_t b, Scratch& scratch) {
    const bool forward = a < texts_->hyps() && texts_->weight(b) != 0;
    const bool backward = b < texts_->hyps() && texts_->weight(a) != 0;
    if (!forward && !backward) return;
    sets_.match(a, b, scratch.matches.data());
    if (forward) add(a, b, scratch);
    if (backward) add(b, a, scratch);
    scratch.pace.spend(64 + sets_.words());
  }

  void add(std::size_t hyp, std::size_t ref, Scratch& scratch) {
    kernel_.fill(counted_.totals(hyp), counted_.totals(ref), scratch.matches.data(),
                 scratch.row.data());
    sums_[hyp * blocks_ + ref / kBlock] += texts_->weight(ref) * kernel_.score(scratch.row.data());
  }

  const NgramKernel& kernel_;
  const DistinctTexts* texts_ = nullptr;
  CountedTexts counted_;
  FeatureSets sets_;
  std::size_t blocks_ = 0;
  std::vector<double> sums_;  // by text and block of references
  std::vector<std::pair<std::size_t, std::size_t>> parts_;
};

class AggregateScorer final : public ListScorer {
 public:
  explicit AggregateScorer(const NgramKernel& kernel)
      : kernel_(kernel), counted_(kernel), matches_(counted_.orders()), row_(kernel.width()) {}

  void read(const DistinctTexts& texts) override {
    counted_.read(texts);
    average(texts);
    scores_.resize(texts.hyps());
  }
  std::size_t parts() const override { return 1; }
  Body work() override {
    return [this](std::size_t, std::size_t) {
      const NgramTotals ref{lengths_.data(), totals_.data()};
      for (std::size_t h = 0; h < scores_.size(); ++h) {
        match(h);
        kernel_.fill(counted_.totals(h), ref, matches_.data(), row_.data());
        scores_[h] = kernel_.score(row_.data());
      }
    };
  }

  void write(std::span<double> out) const override { std::ranges::copy(scores_, out.begin()); }

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
  std::vector<double> matches_, row_, scores_;
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

// The memory of one list at a time.
class ListWorker {
 public:
  ListWorker(const Kernel& kernel, MbrMethod method) : scorer_(make_scorer(kernel, method)) {}

  void score(const MbrList& list, unsigned threads, double* out) {
    texts_.read(list);
    scorer_->read(texts_);
    if (threads == 1) scorer_->work()(0, scorer_->parts());
    else parallel_for(scorer_->parts(), 1, threads, [this] { return scorer_->work(); });
    scores_.resize(texts_.hyps());
    scorer_->write(scores_);
    texts_.spread(scores_, out);
  }

 private:
  std::unique_ptr<ListScorer> scorer_;
  DistinctTexts texts_;
  std::vector<double> scores_;
};

}  // namespace

bool has_aggregate(const Kernel& kernel) {
  return dynamic_cast<const NgramKernel*>(&kernel) != nullptr;
}

void expected_scores(const Kernel& kernel, std::span<const MbrList> lists, MbrMethod method,
                     unsigned threads, std::span<double* const> out) {
  // Few lists do not keep all threads busy, so these share each list.
  constexpr std::size_t kMany = 4;
  const unsigned all = threads ? threads : std::max(1u, std::thread::hardware_concurrency());
  if (method == MbrMethod::kPairwise && lists.size() < kMany * all) {
    ListWorker worker(kernel, method);
    for (std::size_t i = 0; i < lists.size(); ++i) worker.score(lists[i], threads, out[i]);
    return;
  }
  parallel_for(lists.size(), 1, threads, [&]() -> Body {
    auto worker = std::make_shared<ListWorker>(kernel, method);
    return [&, worker](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) worker->score(lists[i], 1, out[i]);
    };
  });
}

}  // namespace tertium
