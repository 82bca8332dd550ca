// SPDX-License-Identifier: Apache-2.0
// Learning a BilingualModel.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <mutex>
#include <utility>

#include "align/bilingual.hpp"
#include "base/batch.hpp"
#include "base/flat_map.hpp"

namespace tertium {

namespace {

constexpr std::size_t kBlock = 16;
constexpr std::size_t kAhead = 16;  // cells between a prefetch and its use
// The decay of jumps before anything is known about them: wide, and towards the next word.
constexpr double kWidth = 5, kFloor = 1e-3;

std::vector<double> first_jumps(std::size_t window) {
  std::vector<double> weights(2 * window + 1);
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const double distance = static_cast<double>(k) - static_cast<double>(window);
    weights[k] = std::exp(-std::abs(distance - 1) / kWidth) + kFloor;
  }
  return weights;
}

}  // namespace

// Expected counts of one thread in one iteration. All are integers (see to_fixed).
struct BilingualTraining::LocalCounts {
  std::array<JumpCounts, 2> jumps;
  std::array<std::vector<std::uint64_t>, 2> null;

  explicit LocalCounts(const BilingualModel& model)
      : jumps{JumpCounts(model.jumps(0)), JumpCounts(model.jumps(1))},
        null{std::vector<std::uint64_t>(model.words(1).size()),
             std::vector<std::uint64_t>(model.words(0).size())} {}
};

// Those of all threads: counts of pairs are shared.
struct BilingualTraining::Counts {
  using Shared = std::unique_ptr<std::atomic<std::uint64_t>[]>;

  std::array<Shared, 2> pairs;
  std::vector<std::shared_ptr<LocalCounts>> locals;
};

BilingualTraining::BilingualTraining(std::array<Vocabulary, 2> words, const Side& source,
                                     const Side& target, std::size_t window,
                                     const BilingualSettings& settings, unsigned threads)
    : source_(source),
      target_(target),
      model_(words, PairTable(source, target, words[0].size(), words[1].size(), threads), window,
             settings),
      cells_(source, target, model_.table(), threads) {
  for (std::size_t d = 0; d < 2; ++d) {
    posteriors_[d].resize(cells_.size());
    model_.set_jumps(d, first_jumps(window));
  }
}

void BilingualTraining::load(BilingualWorker& worker, std::size_t s) const {
  const std::span<const std::int32_t> source = source_.sentence(s), target = target_.sentence(s);
  const std::span<const std::uint32_t> pairs = cells_.sentence(s);
  const double held_out = model_.settings().held_out;
  const Vocabulary &left = model_.words(0), &right = model_.words(1);
  worker.resize(source.size(), target.size());
  for (std::size_t i = 0, at = 0; i < source.size(); ++i) {
    const auto f = static_cast<std::size_t>(source[i]);
    for (std::size_t j = 0; j < target.size(); ++j, ++at) {
      const auto e = static_cast<std::size_t>(target[j]);
      if (at + kAhead < pairs.size()) prefetch(&model_.pair(pairs[at + kAhead]));
      const BilingualModel::Pair& pair = model_.pair(pairs[at]);
      const std::size_t place = cells_.first(s) + at;
      worker.emission(0, i, j) = model_.emission(0, pair, source[i], left.stem_of[f],
                                                 right.share[e], held_out * posteriors_[0][place]);
      worker.emission(1, i, j) = model_.emission(1, pair, target[j], right.stem_of[e],
                                                 left.share[f], held_out * posteriors_[1][place]);
    }
  }
  for (std::size_t j = 0; j < target.size(); ++j)
    worker.null(0, j) = model_.null_emission(0, target[j]);
  for (std::size_t i = 0; i < source.size(); ++i)
    worker.null(1, i) = model_.null_emission(1, source[i]);
}

void BilingualTraining::count(BilingualWorker& worker, std::size_t s, bool agree, Counts& counts,
                              LocalCounts& local) {
  const std::span<const std::uint32_t> pairs = cells_.sentence(s);
  const std::size_t columns = worker.size(1);
  for (std::size_t at = 0; at < pairs.size(); ++at) {
    std::array<double, 2> weights{};
    for (std::size_t d = 0; d < 2; ++d)
      weights[d] = worker.posterior(d, at / columns, at % columns);
    if (agree) weights[0] = weights[1] = weights[0] * weights[1];
    for (std::size_t d = 0; d < 2; ++d) {
      posteriors_[d][cells_.first(s) + at] = static_cast<float>(weights[d]);
      const std::uint64_t fixed = to_fixed(weights[d]);
      if (fixed > 0) counts.pairs[d][pairs[at]].fetch_add(fixed, std::memory_order_relaxed);
    }
  }
  const std::array<std::span<const std::int32_t>, 2> words{target_.sentence(s),
                                                           source_.sentence(s)};
  for (std::size_t d = 0; d < 2; ++d)
    for (std::size_t w = 0; w < words[d].size(); ++w)
      local.null[d][static_cast<std::size_t>(words[d][w])] +=
          to_fixed(worker.chain(d).null_posterior()[w]);
}

void BilingualTraining::estimate(const Counts& counts, bool ordered) {
  std::vector<float> pairs(model_.table().size());
  for (std::size_t d = 0; d < 2; ++d) {
    for (std::size_t p = 0; p < pairs.size(); ++p)
      pairs[p] = static_cast<float>(from_fixed(counts.pairs[d][p].load()));
    model_.set_counts(d, pairs);
    std::vector<std::uint64_t> null(model_.words(1 - d).size());
    JumpCounts jumps(model_.jumps(d));
    for (const std::shared_ptr<LocalCounts>& local : counts.locals) {
      for (std::size_t w = 0; w < null.size(); ++w) null[w] += local->null[d][w];
      jumps.add(local->jumps[d]);
    }
    std::vector<double> expected(null.size());
    std::transform(null.begin(), null.end(), expected.begin(), from_fixed);
    model_.set_null_counts(d, expected);
    if (ordered) model_.set_jumps(d, jumps.estimate(model_.jumps(d), model_.settings().jump_prior));
  }
}

std::array<double, 2> BilingualTraining::iterate(bool ordered, bool agree, unsigned threads) {
  Counts counts;
  for (Counts::Shared& shared : counts.pairs)
    shared = std::make_unique<std::atomic<std::uint64_t>[]>(model_.table().size());
  std::vector<std::array<double, 2>> likelihoods(source_.size());
  std::mutex guard;
  parallel_for(source_.size(), kBlock, threads, [&]() -> Body {
    auto local = std::make_shared<LocalCounts>(model_);
    {
      const std::lock_guard lock(guard);
      counts.locals.push_back(local);
    }
    return [&, local, worker = BilingualWorker(model_)](std::size_t from, std::size_t to) mutable {
      for (std::size_t s = from; s < to; ++s) {
        if (cells_.sentence(s).empty()) continue;
        load(worker, s);
        likelihoods[s] = worker.run(ordered);
        count(worker, s, agree, counts, *local);
        for (std::size_t d = 0; ordered && d < 2; ++d)
          worker.chain(d).add_jumps(model_.jumps(d), local->jumps[d]);
      }
    };
  });
  estimate(counts, ordered);
  std::array<double, 2> sums{};
  for (const std::array<double, 2>& sentence : likelihoods)
    for (std::size_t d = 0; d < 2; ++d) sums[d] += sentence[d];
  return sums;
}

}  // namespace tertium
