// SPDX-License-Identifier: Apache-2.0
#include "metrics/meteor.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tertium {

namespace {

enum : std::size_t { kHyp, kRef, kHypFunction, kRefFunction, kMatchers };

class MeteorWorker final : public PairWorker {
 public:
  MeteorWorker(std::size_t matchers, bool whole_is_free)
      : matchers_(matchers), whole_is_free_(whole_is_free) {}

  void row(const Pair& pair, double* out) override {
    std::fill_n(out, kMatchers + 4 * matchers_ + 3, 0.0);
    double* tail = out + kMatchers + 4 * matchers_;
    out[kHyp] = static_cast<double>(pair.hyp.size());
    out[kRef] = static_cast<double>(pair.ref.size());
    out[kHypFunction] = function_words(pair, pair.hyp);
    out[kRefFunction] = function_words(pair, pair.ref);
    hyp_seen_.assign(pair.hyp.size(), 0);
    ref_seen_.assign(pair.ref.size(), 0);
    std::uint32_t next_hyp = 0, next_ref = 0;
    bool first = true;
    for (const Match& match : pair.matches) {
      // Links from a file know no matchers.
      double* own = out + kMatchers + 4 * std::min<std::size_t>(match.matcher, matchers_ - 1);
      tail[1] += cover(pair, pair.hyp, match.hyp, match.hyp_length, hyp_seen_, own);
      tail[2] += cover(pair, pair.ref, match.ref, match.ref_length, ref_seen_, own + 1);
      if (first || match.hyp != next_hyp || match.ref != next_ref) tail[0] += 1;
      first = false;
      next_hyp = match.hyp + match.hyp_length;
      next_ref = match.ref + match.ref_length;
    }
    if (whole_is_free_ && tail[0] == 1 && tail[1] == out[kHyp] && tail[2] == out[kRef])
      tail[0] = 0;
  }

 private:
  static bool is_function(const Pair& pair, std::uint32_t word) {
    return word < pair.function.size() && pair.function[word];
  }

  static double function_words(const Pair& pair, std::span<const std::uint32_t> text) {
    return static_cast<double>(std::count_if(
        text.begin(), text.end(), [&](std::uint32_t word) { return is_function(pair, word); }));
  }

  // Count the words of a match, every word once: links from a file may share
  // words. out[0] content words, out[2] function words.
  static double cover(const Pair& pair, std::span<const std::uint32_t> text, std::uint32_t begin,
                      std::uint32_t length, std::vector<char>& seen, double* out) {
    double covered = 0;
    for (std::uint32_t i = begin; i < begin + length; ++i) {
      if (std::exchange(seen[i], 1)) continue;
      out[is_function(pair, text[i]) ? 2 : 0] += 1;
      covered += 1;
    }
    return covered;
  }

  std::size_t matchers_;
  bool whole_is_free_;
  std::vector<char> hyp_seen_, ref_seen_;
};

class Meteor final : public PairKernel {
 public:
  explicit Meteor(MeteorOptions options) : options_(std::move(options)) {}

  std::size_t width() const override { return kMatchers + 4 * options_.weights.size() + 3; }

  std::unique_ptr<PairWorker> worker() const override {
    return std::make_unique<MeteorWorker>(options_.weights.size(), options_.whole_is_free);
  }

  double score(const double* row) const override {
    const double* tail = row + kMatchers + 4 * options_.weights.size();
    const double matched = (tail[1] + tail[2]) / 2;
    if (!(matched > 0)) return 0.0;
    const double penalty =  // shared links may make more chunks than words
        tail[0] > 0 ? options_.gamma * std::pow(std::min(1.0, tail[0] / matched), options_.beta)
                    : 0.0;
    if (options_.order_only) return 1.0 - penalty;
    const double precision = share(row, 0);
    const double recall = share(row, 1);
    const double divisor = options_.alpha * precision + (1 - options_.alpha) * recall;
    return divisor > 0 ? (1 - penalty) * precision * recall / divisor : 0.0;
  }

 private:
  // Weighted precision (side 0) or recall (side 1).
  double share(const double* row, std::size_t side) const {
    const double content = options_.delta, function = 1 - options_.delta;
    double matched = 0;
    for (std::size_t i = 0; i < options_.weights.size(); ++i) {
      const double* own = row + kMatchers + 4 * i + side;
      matched += options_.weights[i] * (content * own[0] + function * own[2]);
    }
    const double functions = row[kHypFunction + side];
    const double words = content * (row[kHyp + side] - functions) + function * functions;
    return words > 0 ? matched / words : 0.0;
  }

  MeteorOptions options_;
};

}  // namespace

std::unique_ptr<PairKernel> make_meteor(MeteorOptions options) {
  return std::make_unique<Meteor>(std::move(options));
}

}  // namespace tertium
