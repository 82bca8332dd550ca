// SPDX-License-Identifier: Apache-2.0
#include "preorder/btg.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <thread>

#include "base/batch.hpp"
#include "base/flat_map.hpp"

namespace tertium {
namespace {

constexpr double kSmall = 1e-5;   // gradients below it are dropped
constexpr float kSquares = 0.1f;  // what sums of squares start from

std::uint32_t mask_of(std::span<const float> weights) {
  return static_cast<std::uint32_t>(weights.size() / 2 - 1);
}

// One sentence at a time: its features, scores and gradient.
class Learner {
 public:
  void score(std::span<const std::uint64_t> attributes, std::span<const float> weights) {
    features_.read(attributes, mask_of(weights));
    parts_.assign(features_.parts(), {});
    features_.each([&](std::size_t part, std::span<const std::uint32_t> slots) {
      for (const std::uint32_t slot : slots) prefetch(&weights[2 * std::size_t{slot}]);
      Both sum;
      for (const std::uint32_t slot : slots)
        sum += {weights[2 * std::size_t{slot}], weights[2 * std::size_t{slot} + 1]};
      parts_[part] = sum;
    });
    features_.combine(parts_, scores_);
  }
  const std::vector<Both>& scores() const { return scores_; }

  // After score: exclude nodes that a sentence's limits forbid.
  void exclude(const OrderLimits& limits) {
    nodes_.reset(features_.nodes().words());
    nodes_.each([&](std::size_t node, std::size_t l, std::size_t m, std::size_t r) {
      if (!limits.straight(l, m, m, r)) scores_[node].straight = kNever;
      if (!limits.inverted(l, m, m, r) || limits.joint(l) || limits.joint(m) || limits.joint(r))
        scores_[node].inverted = kNever;
    });
  }

  // After score: write the probability that i comes before j.
  void expect(double* out) {
    const std::size_t n = features_.nodes().words();
    if (chart_.inside(features_.nodes(), scores_) > kNever) {
      chart_.outside(features_.nodes(), scores_, free_);
      nodes_.reset(n);
      nodes_.pair_sums([&](std::size_t node) { return free_[node].inverted; }, pairs_);
    } else {
      pairs_.assign(n * n, 0);
    }
    std::fill_n(out, n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i + 1; j < n; ++j) {
        const double swapped = std::clamp(pairs_[i * n + j], 0.0, 1.0);
        out[j * n + i] = swapped;
        out[i * n + j] = 1 - swapped;
      }
  }

  // After score: the objective; the gradient of all parts is kept.
  double learn(std::span<const std::int32_t> ranks, double penalty) {
    const BtgNodes& nodes = features_.nodes();
    count_errors(ranks);
    penalised_.resize(scores_.size());
    for (std::size_t k = 0; k < scores_.size(); ++k) {
      const double wrong = inversions_[k];
      penalised_[k] = {scores_[k].straight - penalty * wrong,
                       scores_[k].inverted - penalty * (pairs_of_[k] - wrong)};
    }
    const double gold = chart_.inside(nodes, penalised_);
    chart_.outside(nodes, penalised_, gold_);
    const double all = chart_.inside(nodes, scores_);
    chart_.outside(nodes, scores_, free_);
    for (std::size_t k = 0; k < scores_.size(); ++k) {
      gold_[k].straight -= free_[k].straight;
      gold_[k].inverted -= free_[k].inverted;
    }
    features_.divide(gold_, parts_);
    return gold - all;
  }

  // After learn: call visit(slots, gradient) for every part that has one.
  template <class Visit>
  void each_part(Visit&& visit) const {
    features_.each([&](std::size_t part, std::span<const std::uint32_t> slots) {
      const Both& change = parts_[part];
      if (std::abs(change.straight) + std::abs(change.inverted) >= kSmall) visit(slots, change);
    });
  }

 private:
  // Of every node, how many pairs of words there are, and how many the gold order swaps.
  void count_errors(std::span<const std::int32_t> ranks) {
    const std::size_t n = ranks.size();
    nodes_.reset(n);
    pairs_.assign(n * n, 0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i + 1; j < n; ++j) pairs_[i * n + j] = ranks[i] > ranks[j] ? 1 : 0;
    nodes_.rectangles(pairs_, inversions_);
    pairs_of_.resize(nodes_.size());
    nodes_.each([&](std::size_t node, std::size_t l, std::size_t m, std::size_t r) {
      pairs_of_[node] = static_cast<double>((m - l) * (r - m));
    });
  }

  BtgFeatures features_;
  BtgNodes nodes_;
  BtgChart chart_;
  std::vector<Both> parts_, scores_, penalised_, gold_, free_;
  std::vector<double> pairs_, inversions_, pairs_of_;
};

// AdaGrad on the slots of one share: those whose number leaves the rest `share` when divided
// by `shares`. Every slot sees the sentences in their order, whoever does it.
class Updater {
 public:
  Updater(BtgWeights model, double rate, std::size_t share, std::size_t shares)
      : model_(model), rate_(static_cast<float>(rate)), share_(share), shares_(shares) {}

  void update(const Learner& learner) {
    learner.each_part([&](std::span<const std::uint32_t> slots, const Both& gradient) {
      const auto straight = static_cast<float>(gradient.straight);
      const auto inverted = static_cast<float>(gradient.inverted);
      for (const std::uint32_t slot : slots) fetch(2 * std::size_t{slot});
      for (const std::uint32_t slot : slots) {
        if (shares_ > 1 && slot % shares_ != share_) continue;
        step(2 * std::size_t{slot}, straight);
        step(2 * std::size_t{slot} + 1, inverted);
      }
    });
  }

 private:
  void fetch(std::size_t place) const {
    prefetch(&model_.weights[place]);
    prefetch(&model_.squares[place]);
  }
  void step(std::size_t place, float gradient) {
    float& squares = model_.squares[place];
    squares += gradient * gradient;
    model_.weights[place] += rate_ * gradient / std::sqrt(squares + kSquares);
  }

  BtgWeights model_;
  float rate_;
  std::size_t share_, shares_;
};

// Learns from one batch after the other; keeps the memory of a batch.
class Trainer {
 public:
  Trainer(const BtgText& text, const BtgPass& pass, BtgWeights model, unsigned threads)
      : text_(text), pass_(pass), model_(model), threads_(threads), learners_(pass.batch),
        objectives_(pass.batch) {
    if (threads_ == 0) threads_ = std::max(1u, std::thread::hardware_concurrency());
  }

  // The sum of the objective over sentences [begin, end) of the pass.
  double learn(std::size_t begin, std::size_t end, double rate) {
    parallel_for(end - begin, 1, threads_, [&]() -> Body {
      return [&](std::size_t from, std::size_t to) {
        for (std::size_t k = from; k < to; ++k)
          objectives_[k] = learn_sentence(pass_.order[begin + k], learners_[k]);
      };
    });
    parallel_for(threads_, 1, threads_, [&]() -> Body {
      return [&](std::size_t from, std::size_t to) {
        for (std::size_t share = from; share < to; ++share) {
          Updater updater(model_, rate, share, threads_);
          for (std::size_t k = 0; k < end - begin; ++k) updater.update(learners_[k]);
        }
      };
    });
    double sum = 0;
    for (std::size_t k = 0; k < end - begin; ++k) sum += objectives_[k];
    return sum;
  }

 private:
  double learn_sentence(std::size_t i, Learner& learner) const {
    learner.score(text_.sentence(i), model_.weights);
    return learner.learn(pass_.ranks.subspan(text_.starts[i], text_.words(i)), pass_.penalty);
  }

  const BtgText& text_;
  const BtgPass& pass_;
  BtgWeights model_;
  unsigned threads_;
  std::vector<Learner> learners_;
  std::vector<double> objectives_;
};

}  // namespace

double btg_train(const BtgText& text, const BtgPass& pass, BtgWeights model, unsigned threads) {
  Trainer trainer(text, pass, model, threads);
  const std::size_t size = pass.order.size();
  double sum = 0;
  for (std::size_t begin = 0; begin < size; begin += pass.batch) {
    const double done = static_cast<double>(begin) / static_cast<double>(size);
    const double rate = pass.first_rate + done * (pass.last_rate - pass.first_rate);
    sum += trainer.learn(begin, std::min(begin + pass.batch, size), rate);
  }
  return sum;
}

std::vector<double> btg_expectations(const BtgText& text, std::span<const float> weights,
                                     std::span<const OrderLimits> limits, unsigned threads) {
  std::vector<std::size_t> first(text.size() + 1);
  for (std::size_t i = 0; i < text.size(); ++i)
    first[i + 1] = first[i] + text.words(i) * text.words(i);
  std::vector<double> out(first.back());
  constexpr std::size_t kBlock = 16;
  parallel_for(text.size(), kBlock, threads, [&]() -> Body {
    const auto learner = std::make_shared<Learner>();
    return [&, learner](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) {
        learner->score(text.sentence(i), weights);
        if (!limits.empty() && limits[i].any()) learner->exclude(limits[i]);
        learner->expect(out.data() + first[i]);
      }
    };
  });
  return out;
}

std::vector<Both> btg_scores(std::span<const std::uint64_t> attributes,
                             std::span<const float> weights) {
  Learner learner;
  learner.score(attributes, weights);
  return learner.scores();
}

double btg_gradient(const BtgText& text, std::span<const std::int32_t> ranks, double penalty,
                    std::span<const float> weights, std::span<double> gradient) {
  std::fill(gradient.begin(), gradient.end(), 0.0);
  Learner learner;
  double sum = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    learner.score(text.sentence(i), weights);
    sum += learner.learn(ranks.subspan(text.starts[i], text.words(i)), penalty);
    learner.each_part([&](std::span<const std::uint32_t> slots, const Both& change) {
      for (const std::uint32_t slot : slots) {
        gradient[2 * std::size_t{slot}] += change.straight;
        gradient[2 * std::size_t{slot} + 1] += change.inverted;
      }
    });
  }
  return sum;
}

}  // namespace tertium
