// SPDX-License-Identifier: Apache-2.0
#include "ribes.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "segment.hpp"

namespace tertium {

namespace {

using Symbols = std::span<const std::uint32_t>;

// The occurrences of one word in a text, thinned out while its context grows.
class Occurrences {
 public:
  void start(Symbols text, std::uint32_t word) {
    text_ = text;
    places_.clear();
    for (std::size_t p = 0; p < text.size(); ++p)
      if (text[p] == word) places_.push_back(p);
  }

  // Keep the places whose neighbour at `offset` is `word`.
  void keep(std::ptrdiff_t offset, std::uint32_t word) {
    std::erase_if(places_, [&](std::size_t place) {
      const std::ptrdiff_t p = static_cast<std::ptrdiff_t>(place) + offset;
      return p < 0 || p >= static_cast<std::ptrdiff_t>(text_.size()) ||
             text_[static_cast<std::size_t>(p)] != word;
    });
  }

  std::size_t size() const { return places_.size(); }
  std::size_t front() const { return places_.front(); }

 private:
  Symbols text_;
  std::vector<std::size_t> places_;
};

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
    align(hyp, ref);
    const double n = static_cast<double>(hyp.size());
    const double brevity = std::min(1.0, std::exp(1.0 - static_cast<double>(ref.size()) / n));
    const double precision = static_cast<double>(order_.size()) / n;
    return kendall() * std::pow(precision, options_.alpha) * std::pow(brevity, options_.beta);
  }

  // The reference positions of the hypothesis words that can be identified: by
  // being unique in both texts, or unique there together with the words to
  // their right or left, for the smallest such context.
  void align(Symbols hyp, Symbols ref) {
    order_.clear();
    count(hyp, hyp_counts_);
    count(ref, ref_counts_);
    for (std::size_t i = 0; i < hyp.size(); ++i) {
      const std::uint32_t word = hyp[i];
      if (ref_counts_[word] == 0) continue;
      if (hyp_counts_[word] == 1 && ref_counts_[word] == 1) {
        order_.push_back(static_cast<std::size_t>(
            std::find(ref.begin(), ref.end(), word) - ref.begin()));
      } else {
        align_by_context(hyp, ref, i);
      }
    }
  }

  void align_by_context(Symbols hyp, Symbols ref, std::size_t i) {
    for (Occurrences* side : {&right_ref_, &left_ref_}) side->start(ref, hyp[i]);
    for (Occurrences* side : {&right_hyp_, &left_hyp_}) side->start(hyp, hyp[i]);
    const std::size_t limit = std::min(std::max(i, hyp.size() - i + 1), ref.size());
    for (std::size_t window = 1; window < limit; ++window) {
      const auto offset = static_cast<std::ptrdiff_t>(window);
      if (i + window < hyp.size()) {
        right_ref_.keep(offset, hyp[i + window]);
        right_hyp_.keep(offset, hyp[i + window]);
        if (right_ref_.size() == 1 && right_hyp_.size() == 1)
          return order_.push_back(right_ref_.front());
      }
      if (window <= i) {
        left_ref_.keep(-offset, hyp[i - window]);
        left_hyp_.keep(-offset, hyp[i - window]);
        if (left_ref_.size() == 1 && left_hyp_.size() == 1)
          return order_.push_back(left_ref_.front());
      }
      const bool right_open = right_ref_.size() > 0 && i + window + 1 < hyp.size();
      const bool left_open = left_ref_.size() > 0 && window + 1 <= i;
      if (!right_open && !left_open) return;
    }
  }

  void count(Symbols text, std::vector<std::uint32_t>& counts) const {
    counts.assign(segment_.types() + 1, 0);
    for (const std::uint32_t word : text) ++counts[word];
  }

  // The share of ascending pairs, (tau + 1) / 2; O(n^2), n words.
  double kendall() const {
    const std::size_t n = order_.size();
    if (n < 2) return 0.0;
    std::size_t ascending = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i + 1; j < n; ++j) ascending += order_[i] < order_[j];
    return static_cast<double>(ascending) / (static_cast<double>(n * (n - 1)) / 2);
  }

  RibesOptions options_;
  TokenizedSegment segment_;
  std::vector<std::uint32_t> hyp_counts_, ref_counts_;
  std::vector<std::size_t> order_;
  Occurrences right_ref_, left_ref_, right_hyp_, left_hyp_;
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
