// SPDX-License-Identifier: Apache-2.0
#include "order/scores.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

namespace tertium {

// ----------------------------------------------------------------- counting trees

Catalan::Catalan() : scaled_{1.0}, log_{0.0} {
  std::uint64_t value = 1;
  for (std::uint64_t m = 0; m < kExact; ++m) {
    exact_[m] = static_cast<double>(value);
    value = value * 2 * (2 * m + 1) / (m + 2);
  }
}

void Catalan::grow(std::size_t m) {
  for (std::size_t i = scaled_.size() - 1; i < m; ++i) {
    const auto x = static_cast<double>(i);
    scaled_.push_back(scaled_.back() * ((2.0 * x + 1.0) / (2.0 * x + 4.0)));
    log_.push_back(log_.back() + std::log(2.0 * (2.0 * x + 1.0) / (x + 2.0)));
  }
}

namespace {

bool is_merged(const TreeNode& node) {
  return node.kind == NodeKind::kStraight || node.kind == NodeKind::kInverted;
}

}  // namespace

// (#trees - 1) / (Cat(n-1) - 1) with #trees = Π Cat(k-1) over merged nodes. Exact
// integers where they fit; beyond, the quotient of scaled numbers, in which the
// ones no longer show except for few trees.
double OrderScorer::n_pets(const FlatTree& tree, std::size_t n) {
  constexpr double kWhole = 9007199254740992.0;  // 2^53
  double trees = 1.0, ratio = 1.0;
  std::int64_t fours = 0;
  for (const std::uint32_t i : tree.inner) {
    const TreeNode& node = tree.nodes[i];
    if (!is_merged(node)) continue;
    const std::size_t m = node.count - 1;
    trees *= m < Catalan::kExact ? catalan_.exact(m) : kWhole;
    ratio *= catalan_.scaled(m);
    fours += static_cast<std::int64_t>(m);
  }
  if (n - 1 < Catalan::kExact) return (trees - 1.0) / (catalan_.exact(n - 1) - 1.0);
  ratio /= catalan_.scaled(n - 1);
  fours -= static_cast<std::int64_t>(n - 1);
  const auto twos = static_cast<int>(std::max<std::int64_t>(2 * fours, -9999));
  const double share = std::ldexp(ratio, twos);
  return trees < kWhole ? share * ((trees - 1.0) / trees) : share;
}

double OrderScorer::count_measure(const FlatTree& tree, std::size_t n) {
  double straight = 0, inverted = 0, primes = 0, lengths = 0, longest = 2, logs = 0;
  double straight_spans = 0, inverted_spans = 0;
  for (const std::uint32_t i : tree.inner) {
    const TreeNode& node = tree.nodes[i];
    const auto k = static_cast<double>(node.count);
    if (node.kind == NodeKind::kPrime) {
      primes += 1;
      lengths += k;
      longest = std::max(longest, k);
    } else {
      (node.kind == NodeKind::kStraight ? straight : inverted) += k - 1;
      (node.kind == NodeKind::kStraight ? straight_spans : inverted_spans) += k * (k - 1) / 2;
      if (settings_.measure == Measure::kLogPets) logs += catalan_.log(node.count - 1);
    }
  }
  const auto words = static_cast<double>(n);
  const double internal = straight + inverted + primes;
  const double spans = words * (words - 1) / 2;
  switch (settings_.measure) {
    case Measure::kStraightRatio:
      return settings_.chart ? straight_spans / spans : straight / (words - 1);
    case Measure::kInvertedRatio:
      return settings_.chart ? inverted_spans / spans : inverted / (words - 1);
    case Measure::kAvgArity:
      return (2 * (straight + inverted) + lengths) / internal;
    case Measure::kPetSize:
      return n == 2 ? 1.0 : (internal - 1) / (words - 2);
    case Measure::kMaxOp:
      return n == 2 ? 1.0 : 1.0 - (longest - 2) / (words - 2);
    case Measure::kNPets:
      return n == 2 ? 1.0 : n_pets(tree, n);
    case Measure::kLogPets:
      return n == 2 ? 1.0 : logs / catalan_.log(n - 1);
    default:
      return 0.0;
  }
}

double OrderScorer::score(Permutation perm) {
  const std::size_t n = perm.size();
  if (settings_.measure == Measure::kFlat) return flat_.score(settings_.flat, perm);
  if (n < 2) {  // no operator: the best there is, unless there is no word either
    if (settings_.measure == Measure::kAvgArity) return 2.0;
    return settings_.measure == Measure::kInvertedRatio ? 0.0 : static_cast<double>(n);
  }
  const FlatTree& tree = builder_.build(perm);
  return settings_.measure >= Measure::kRecpet ? recursive(tree, n) : count_measure(tree, n);
}

// -------------------------------------------------------------- recursive metrics

double OrderScorer::recursive(const FlatTree& tree, std::size_t n) {
  const double value = node_values(tree).back();
  if (!settings_.rescale) return value;
  const double worst = settings_.by_span ? all_words(n) : settings_.gamma;
  if (worst >= 1.0) return value;  // inversion costs nothing: there is no scale
  return std::clamp((value - worst) / (1.0 - worst), 0.0, 1.0);
}

std::span<const double> OrderScorer::node_values(const FlatTree& tree) {
  values_.assign(tree.nodes.size(), 1.0);
  for (const std::uint32_t i : tree.inner) {
    const TreeNode& node = tree.nodes[i];
    const double o = op_score(tree, node);
    // A node over words alone has the score of its operator (2.7).
    if (!settings_.by_span && node.count == node.words())
      values_[i] = o;
    else
      values_[i] = node.kind == NodeKind::kPrime ? prime(tree, node, o) : merged(tree, node, o);
  }
  return values_;
}

double OrderScorer::op_score(const FlatTree& tree, const TreeNode& node) {
  if (node.kind == NodeKind::kStraight) return 1.0;
  if (node.kind == NodeKind::kInverted) return settings_.gamma;
  if (!settings_.graded) return 0.0;
  const auto children = tree.children_of(node);
  order_.resize(children.size());
  op_.resize(children.size());
  std::iota(order_.begin(), order_.end(), 0u);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return tree.nodes[children[a]].lo < tree.nodes[children[b]].lo;
  });
  for (std::uint32_t rank = 0; rank < order_.size(); ++rank) op_[order_[rank]] = rank;
  return flat_.score(settings_.op_score, op_);
}

double OrderScorer::prime(const FlatTree& tree, const TreeNode& node, double o) {
  double sum = 0.0, weight = 0.0;
  for (const std::uint32_t id : tree.children_of(node)) {
    const double words = tree.nodes[id].words();
    const double own = settings_.by_span ? words : (words > 1 ? 1.0 : 0.0);
    sum += own * values_[id];
    weight += own;
  }
  return settings_.beta * o + (1 - settings_.beta) * sum / weight;
}

double OrderScorer::merged(const FlatTree& tree, const TreeNode& node, double o) {
  const bool words_alone = node.count == node.words();
  if (words_alone && o == 1.0) return 1.0;
  if (words_alone && settings_.by_span) return all_words(node.count);
  scores_.clear();
  sizes_.clear();
  for (const std::uint32_t id : tree.children_of(node)) {
    scores_.push_back(values_[id]);
    sizes_.push_back(tree.nodes[id].words());
  }
  if (settings_.measure == Measure::kRecpet) return one_tree(o);
  if (settings_.forest == ForestMode::kSplit)
    return settings_.by_span ? splits_by_span(o) : splits(o);
  return interval_table(o);
}

// The chain of a canonical tree, from its lowest node outwards.
double OrderScorer::one_tree(double o) {
  const double beta = settings_.beta;
  const std::size_t k = scores_.size();
  const auto at = [&](std::size_t i) { return settings_.right_branching ? k - 1 - i : i; };
  double value = scores_[at(0)], words = sizes_[at(0)];
  for (std::size_t i = 1; i < k; ++i) {
    const double score = scores_[at(i)], size = sizes_[at(i)];
    double below;
    if (settings_.by_span)
      below = (words * value + size * score) / (words + size);
    else if (words == 1 && size == 1)
      below = o;
    else if (words == 1)
      below = score;
    else
      below = size == 1 ? value : (value + score) / 2;
    value = beta * o + (1 - beta) * below;
    words += size;
  }
  return value;
}

// Mean over splits in closed form: φ - o is linear in the deviations
// v_i - o, and the weight of child i is a product of one factor a side. O(k) for
// every child that is not a word.
double OrderScorer::splits(double o) {
  const double c = (1 - settings_.beta) / 2;
  const std::size_t k = scores_.size();
  for (std::size_t a = steps_.size(); a < k; ++a) steps_.push_back(c / static_cast<double>(a));
  const double* const steps = steps_.data();
  double sum = 0.0;
  for (std::size_t i = 0; i < k; ++i) {
    if (sizes_[i] == 1 || scores_[i] == o) continue;
    pace_.spend(2 * k);
    double u = 1.0, s = 1.0;
    for (std::size_t a = 1; a <= i; ++a) {
      u = steps[a] * (sizes_[i - a] == 1 ? s + u : s);
      s += u;
    }
    const double weight = u;
    u = s = 1.0;
    for (std::size_t a = 1; a < k - i; ++a) {
      u = steps[a] * (sizes_[i + a] == 1 ? s + u : s);
      s += u;
    }
    sum += weight * u * (scores_[i] - o);
  }
  return o + sum;
}

// Mean over splits with children weighed by their words: an interval table whose
// running sums are all that is kept. O(k²) time, O(k) memory.
double OrderScorer::splits_by_span(double o) {
  const double beta = settings_.beta;
  const std::size_t k = scores_.size();
  prefix_.assign(k + 1, 0.0);
  left_.resize(k);   // Σ words · score of the ranges that start here
  right_.resize(k);  // and of those that end here
  for (std::size_t a = 0; a < k; ++a) {
    prefix_[a + 1] = prefix_[a] + sizes_[a];
    left_[a] = right_[a] = sizes_[a] * scores_[a];
  }
  double value = 0.0;
  for (std::size_t length = 2; length <= k; ++length) {
    for (std::size_t a = 0; a + length <= k; ++a) {
      const std::size_t b = a + length - 1;
      const double words = prefix_[b + 1] - prefix_[a];
      const double mean = (left_[a] + right_[b]) / (words * static_cast<double>(length - 1));
      value = beta * o + (1 - beta) * mean;
      left_[a] += words * value;
      right_[b] += words * value;
    }
    pace_.spend(k - length);
  }
  return value;
}

namespace {

[[noreturn]] void too_many_children(std::size_t k) {
  throw std::invalid_argument(
      "a permutation has " + std::to_string(k) + " blocks in a row, over the limit of " +
      std::to_string(OrderScorer::kMostChildren) +
      " for forest=tree, max and min, whose time is cubic; use forest=split");
}

// Takes in one split after the other.
class Pick {
 public:
  explicit Pick(ForestMode mode) : mode_(mode) {}
  void add(double value, double weight) {
    if (mode_ == ForestMode::kTree)
      value_ += weight * value;
    else if (first_ || (mode_ == ForestMode::kMax ? value > value_ : value < value_))
      value_ = value;
    first_ = false;
  }
  double value() const { return value_; }

 private:
  ForestMode mode_;
  bool first_ = true;
  double value_ = 0.0;
};

}  // namespace

// S(a, b) over ranges of children, for the uniform mean over trees, the best and
// the worst tree. O(k³) time, O(k²) memory.
double OrderScorer::interval_table(double o) {
  const double beta = settings_.beta;
  const std::size_t k = scores_.size();
  if (k > kMostChildren) too_many_children(k);
  prefix_.assign(k + 1, 0.0);
  table_.resize(k * k);
  for (std::size_t a = 0; a < k; ++a) {
    prefix_[a + 1] = prefix_[a] + sizes_[a];
    table_[a * k + a] = scores_[a];
  }
  const auto words = [&](std::size_t a, std::size_t b) { return prefix_[b + 1] - prefix_[a]; };
  for (std::size_t length = 2; length <= k; ++length) {
    pace_.spend(8 * length * (k - length + 1));
    for (std::size_t a = 0; a + length <= k; ++a) {
      const std::size_t b = a + length - 1;
      const double all = words(a, b);
      double& cell = table_[a * k + b];
      if (!settings_.by_span && all == 2) {
        cell = o;
        continue;
      }
      Pick pick(settings_.forest);
      for (std::size_t s = a; s < b; ++s) {
        const double left = table_[a * k + s], right = table_[(s + 1) * k + b];
        const double left_words = words(a, s), right_words = all - left_words;
        double below;
        if (settings_.by_span)
          below = (left_words * left + right_words * right) / all;
        else if (left_words == 1)
          below = right;
        else
          below = right_words == 1 ? left : (left + right) / 2;
        // Cat(s-a) Cat(b-s-1) / Cat(b-a); the powers of four leave one behind.
        const double share = catalan_.scaled(s - a) * catalan_.scaled(b - s - 1) /
                             (4 * catalan_.scaled(b - a));
        pick.add(below, share);
      }
      cell = beta * o + (1 - beta) * pick.value();
    }
  }
  return table_[k - 1];
}

// All ranges of the same length are alike, so one dimension is enough.
double OrderScorer::all_words(std::size_t k) {
  const double beta = settings_.beta, o = settings_.gamma;
  const bool quadratic =
      settings_.measure == Measure::kRecpef && settings_.forest != ForestMode::kSplit;
  if (quadratic && k > 16 * std::size_t{kMostChildren}) too_many_children(k);
  if (inverted_.empty()) inverted_ = {0.0, 1.0};  // words · score, by words
  if (k < inverted_.size()) return inverted_[k] / static_cast<double>(k);
  double sum = std::accumulate(inverted_.begin(), inverted_.end(), 0.0);
  for (std::size_t n = inverted_.size(); n <= k; ++n) {
    const auto words = static_cast<double>(n);
    double below;
    if (settings_.measure == Measure::kRecpet) {
      below = (inverted_[n - 1] + 1.0) / words;
    } else if (!quadratic) {
      below = 2.0 * sum / (words * (words - 1.0));
    } else {
      pace_.spend(16 * n);
      Pick pick(settings_.forest);
      for (std::size_t s = 1; s < n; ++s)
        pick.add((inverted_[s] + inverted_[n - s]) / words,
                 catalan_.scaled(s - 1) * catalan_.scaled(n - s - 1) /
                     (4 * catalan_.scaled(n - 1)));
      below = pick.value();
    }
    inverted_.push_back(words * (beta * o + (1 - beta) * below));
    sum += inverted_.back();
  }
  return inverted_[k] / static_cast<double>(k);
}

}  // namespace tertium
