// SPDX-License-Identifier: Apache-2.0
#include "order/order.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/batch.hpp"

namespace tertium {

// ----------------------------------------------------------------------- reduction

Permutation Reduction::reduce(const Pair& pair) {
  places_.clear();
  if (shares_words(pair))
    take_links(pair);
  else
    take_phrases(pair);
  if (unaligned_ == Unaligned::kDrop)
    std::erase_if(places_, [](const Place& place) { return !place.linked; });
  else
    attach();
  order_.resize(places_.size());
  perm_.resize(places_.size());
  std::iota(order_.begin(), order_.end(), 0u);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    const std::uint32_t x = places_[a].key, y = places_[b].key;
    return x != y ? x < y : a < b;  // words of the same target keep their order
  });
  for (std::uint32_t rank = 0; rank < order_.size(); ++rank) perm_[order_[rank]] = rank;
  return perm_;
}

bool Reduction::shares_words(const Pair& pair) {
  hyp_.assign(pair.hyp.size(), 0);
  ref_.assign(pair.ref.size(), 0);
  for (const Match& match : pair.matches) {
    for (std::uint32_t i = 0; i < match.hyp_length; ++i)
      if (hyp_[match.hyp + i]++) return true;
    for (std::uint32_t i = 0; i < match.ref_length; ++i)
      if (ref_[match.ref + i]++) return true;
  }
  return false;
}

// Matches by first hypothesis word, each expanded to its reference words in order.
void Reduction::take_phrases(const Pair& pair) {
  std::uint32_t next = 0;
  const auto unlinked = [&](std::uint32_t until) {
    for (; next < until; ++next) places_.push_back({.word = next});
  };
  for (const Match& match : pair.matches) {
    unlinked(match.hyp);
    for (std::uint32_t i = 0; i < match.ref_length; ++i) {
      const std::uint32_t word = match.hyp + std::min(i, match.hyp_length - 1);
      places_.push_back({word, match.ref + i, true, true, match.weight});
    }
    next = match.hyp + match.hyp_length;
  }
  unlinked(static_cast<std::uint32_t>(pair.hyp.size()));
}

// One place a hypothesis word, whichever of its links is kept.
void Reduction::take_links(const Pair& pair) {
  places_.assign(pair.hyp.size(), {});
  for (std::uint32_t i = 0; i < places_.size(); ++i) places_[i].word = i;
  for (const Match& match : pair.matches) {
    const std::uint32_t first = match.ref, last = match.ref + match.ref_length - 1;
    const std::uint32_t key = keep_ == Keep::kRightmost ? last : first;
    for (std::uint32_t i = match.hyp; i < match.hyp + match.hyp_length; ++i) {
      Place& place = places_[i];
      bool better = !place.linked;
      if (keep_ == Keep::kLeftmost) better |= key < place.key;
      if (keep_ == Keep::kRightmost) better |= key > place.key;
      if (keep_ == Keep::kProbable)  // of equally probable links the leftmost
        better |= match.weight > place.weight ||
                  (match.weight == place.weight && key < place.key);
      if (better) place = {i, key, true, true, match.weight};
    }
  }
}

void Reduction::attach() {
  const auto copy = [](auto begin, auto end) {
    const Place* near = nullptr;
    for (auto it = begin; it != end; ++it) {
      if (it->linked)
        near = &*it;
      else if (near)
        it->key = near->key, it->linked = true, near = &*it;
    }
  };
  // The second pass serves words with no aligned word on their own side.
  if (unaligned_ == Unaligned::kLeft) {
    copy(places_.begin(), places_.end());
    copy(places_.rbegin(), places_.rend());
  } else {
    copy(places_.rbegin(), places_.rend());
    copy(places_.begin(), places_.end());
  }
}

// -------------------------------------------------------------------------- scores

namespace {

// 1 only where the candidate is longer; equal lengths give e^0.
double brevity_penalty(std::size_t candidate, std::size_t reference) {
  if (candidate == 0) return 0.0;
  if (candidate > reference) return 1.0;
  return std::exp(1.0 - static_cast<double>(reference) / static_cast<double>(candidate));
}

class OrderWorker final : public PairWorker {
 public:
  explicit OrderWorker(const OrderKernelSettings& settings)
      : settings_(settings),
        reduction_(settings.keep, settings.unaligned),
        scorer_(settings.order) {}

  void row(const Pair& pair, double* out) override {
    const double lexical = settings_.alpha > 0 ? lexical_score(pair) : 0.0;
    fill(reduction_.reduce(pair), pair.ref.size(), lexical, out);
  }

  void fill(Permutation perm, std::size_t ref_length, double lexical, double* out) {
    double score = scorer_.score(perm);
    const Measure measure = settings_.order.measure;
    if (measure == Measure::kAvgArity || measure == Measure::kInvertedRatio) {
      // Nothing aligned is as bad as can be: all words inverted, or in one operator.
      const auto words = static_cast<double>(ref_length);
      if (perm.empty())
        score = measure == Measure::kAvgArity ? std::max(2.0, words) : std::min(1.0, words);
      score = -score;
    } else {
      if (settings_.brevity) score *= brevity_penalty(perm.size(), ref_length);
      if (settings_.alpha > 0)
        score = settings_.alpha * lexical + (1 - settings_.alpha) * score;
    }
    out[1] = settings_.by_length ? static_cast<double>(ref_length) : 1.0;
    out[0] = out[1] * score;
    out[2] = perm.size() < 2 ? 1.0 : 0.0;
  }

 private:
  double lexical_score(const Pair& pair) {
    if (pair.hyp.empty() || pair.ref.empty()) return 0.0;
    const auto hyp = static_cast<double>(pair.hyp.size());
    const auto ref = static_cast<double>(pair.ref.size());
    const double common = common_words(pair);
    if (settings_.lexical == Lexical::kF1) return 2 * common / (hyp + ref);
    return common / hyp * brevity_penalty(pair.hyp.size(), pair.ref.size());
  }

  // Clipped unigram matches.
  double common_words(const Pair& pair) {
    for (const std::uint32_t word : pair.ref) {
      if (word >= left_.size()) left_.resize(word + std::size_t{1});
      ++left_[word];
    }
    std::size_t found = 0;
    for (const std::uint32_t word : pair.hyp)
      if (word < left_.size() && left_[word] > 0) --left_[word], ++found;
    for (const std::uint32_t word : pair.ref) left_[word] = 0;
    return static_cast<double>(found);
  }

  OrderKernelSettings settings_;
  Reduction reduction_;
  OrderScorer scorer_;
  std::vector<std::uint32_t> left_;
};

}  // namespace

std::unique_ptr<PairWorker> OrderKernel::worker() const {
  return std::make_unique<OrderWorker>(settings_);
}

void OrderKernel::permutation_rows(const Permutations& perms, std::size_t begin,
                                   std::size_t end, unsigned threads, double* out) const {
  parallel_for(end - begin, 256, threads, [&]() -> Body {
    auto worker = std::make_shared<OrderWorker>(settings_);
    return [&, worker, begin](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) {
        const Permutation perm = perms.at(begin + i);
        worker->fill(perm, perm.size(), 0.0, out + 3 * i);
      }
    };
  });
}

}  // namespace tertium
