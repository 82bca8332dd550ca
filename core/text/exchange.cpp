// SPDX-License-Identifier: Apache-2.0
#include "text/exchange.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/pace.hpp"
#include "base/random.hpp"

namespace tertium {
namespace {

constexpr std::size_t kTable = std::size_t{1} << 16;
constexpr double kGain = 1e-9;  // below it, a move is rounding

// n log n, from a table for small n.
class Entropy {
 public:
  Entropy() : table_(kTable) {
    for (std::size_t n = 1; n < kTable; ++n) table_[n] = compute(static_cast<double>(n));
  }
  double operator()(std::uint64_t n) const {
    return n < kTable ? table_[n] : compute(static_cast<double>(n));
  }

 private:
  static double compute(double n) { return n * std::log(n); }
  std::vector<double> table_;
};

struct Neighbour {
  std::uint32_t word, count;
};

// How often every word follows every other; the end of a sentence is a word of its own.
struct Bigrams {
  std::vector<std::vector<Neighbour>> after, before;  // without the word itself
  std::vector<std::uint64_t> count, twice;            // of the word; of it after itself

  explicit Bigrams(const WordLists& text)
      : after(text.types + 1), before(text.types + 1), count(text.types + 1),
        twice(text.types + 1) {
    const auto end = static_cast<std::uint64_t>(text.types);
    std::vector<std::uint64_t> pairs;
    pairs.reserve(text.words.size() + text.starts.size());
    for (std::size_t i = 0; i + 1 < text.starts.size(); ++i) {
      std::uint64_t last = end;
      for (std::uint64_t k = text.starts[i]; k < text.starts[i + 1]; ++k) {
        pairs.push_back(last << 32 | text.words[k]);
        last = text.words[k];
      }
      if (last != end) pairs.push_back(last << 32 | end);
    }
    std::sort(pairs.begin(), pairs.end());
    for (std::size_t i = 0, next = 0; i < pairs.size(); i = next) {
      while (next < pairs.size() && pairs[next] == pairs[i]) ++next;
      add(static_cast<std::uint32_t>(pairs[i] >> 32), static_cast<std::uint32_t>(pairs[i]),
          static_cast<std::uint32_t>(next - i));
    }
  }

 private:
  void add(std::uint32_t first, std::uint32_t second, std::uint32_t times) {
    count[first] += times;
    if (first == second) {
      twice[first] = times;
      return;
    }
    after[first].push_back({second, times});
    before[second].push_back({first, times});
  }
};

// The counts of one word with the classes next to it, listed in `classes`.
struct Contexts {
  std::vector<std::uint64_t> count;
  std::vector<std::uint32_t> classes;

  void fill(const std::vector<Neighbour>& neighbours, std::span<const std::uint32_t> of) {
    for (const std::uint32_t c : classes) count[c] = 0;
    classes.clear();
    for (const auto& [word, times] : neighbours) {
      std::uint64_t& total = count[of[word]];
      if (total == 0) classes.push_back(of[word]);
      total += times;
    }
  }
};

class Exchange {
 public:
  Exchange(const WordLists& text, std::size_t classes, std::uint64_t seed)
      : bigrams_(text), types_(text.types), classes_(classes), side_(classes + 1),
        pairs_(side_ * side_), totals_(side_), of_(text.types + 1) {
    by_count_.resize(types_);
    std::iota(by_count_.begin(), by_count_.end(), 0u);
    std::stable_sort(by_count_.begin(), by_count_.end(), [&](auto a, auto b) {
      return bigrams_.count[a] > bigrams_.count[b];
    });
    const Random random(seed, 0);
    for (std::size_t i = 0; i < types_; ++i)
      of_[by_count_[i]] = static_cast<std::uint32_t>(i < classes ? i : random.draw(i) % classes);
    of_[types_] = static_cast<std::uint32_t>(classes);
    for (std::size_t word = 0; word <= types_; ++word) {
      totals_[of_[word]] += bigrams_.count[word];
      pairs_[of_[word] * side_ + of_[word]] += bigrams_.twice[word];
      for (const auto& [next, times] : bigrams_.after[word])
        pairs_[of_[word] * side_ + of_[next]] += times;
    }
    after_.count.resize(side_);
    before_.count.resize(side_);
  }

  // One turn of every word, frequent ones first; whether one has moved.
  bool iterate() {
    bool moved = false;
    for (const std::uint32_t word : by_count_) moved = exchange(word) || moved;
    return moved;
  }

  double log_likelihood() const {
    double sum = 0;
    for (const std::uint64_t n : pairs_) sum += entropy_(n);
    for (const std::uint64_t n : totals_) sum -= 2 * entropy_(n);
    for (const std::uint64_t n : bigrams_.count) sum += entropy_(n);
    return sum;
  }

  std::vector<std::uint32_t> classes() const { return {of_.begin(), of_.end() - 1}; }

 private:
  bool exchange(std::uint32_t word) {
    after_.fill(bigrams_.after[word], of_);
    before_.fill(bigrams_.before[word], of_);
    const std::uint32_t old = of_[word];
    shift<-1>(word, old);
    std::uint32_t best = old;
    double most = gain(word, old) + kGain;
    for (std::uint32_t c = 0; c < classes_; ++c) {
      if (c == old) continue;
      if (const double x = gain(word, c); x > most) {
        most = x;
        best = c;
      }
    }
    shift<1>(word, best);
    of_[word] = best;
    pace_.spend(classes_ * (after_.classes.size() + before_.classes.size()));
    return best != old;
  }

  // Add the word to the counts of a class, or take it out.
  template <int sign>
  void shift(std::uint32_t word, std::uint32_t c) {
    const auto change = [](std::uint64_t& n, std::uint64_t by) { n = sign > 0 ? n + by : n - by; };
    for (const std::uint32_t k : after_.classes) change(pairs_[c * side_ + k], after_.count[k]);
    for (const std::uint32_t k : before_.classes) change(pairs_[k * side_ + c], before_.count[k]);
    change(pairs_[c * side_ + c], bigrams_.twice[word]);
    change(totals_[c], bigrams_.count[word]);
  }

  // What the log-likelihood gains if the word joins a class.
  double gain(std::uint32_t word, std::uint32_t c) const {
    const auto rise = [&](std::uint64_t n, std::uint64_t by) {
      return entropy_(n + by) - entropy_(n);
    };
    double sum = -2 * rise(totals_[c], bigrams_.count[word]);
    for (const std::uint32_t k : after_.classes)
      if (k != c) sum += rise(pairs_[c * side_ + k], after_.count[k]);
    for (const std::uint32_t k : before_.classes)
      if (k != c) sum += rise(pairs_[k * side_ + c], before_.count[k]);
    return sum + rise(pairs_[c * side_ + c],
                      after_.count[c] + before_.count[c] + bigrams_.twice[word]);
  }

  const Entropy entropy_;
  const Bigrams bigrams_;
  const std::size_t types_, classes_, side_;
  std::vector<std::uint64_t> pairs_;  // of classes, side_ × side_
  std::vector<std::uint64_t> totals_;
  std::vector<std::uint32_t> of_, by_count_;
  Contexts after_, before_;
  Pace pace_;
};

}  // namespace

WordClasses exchange_classes(const WordLists& text, std::size_t classes,
                             std::size_t iterations, std::uint64_t seed) {
  Exchange exchange(text, classes, seed);
  WordClasses out;
  out.log_likelihoods.push_back(exchange.log_likelihood());
  for (std::size_t i = 0; i < iterations; ++i) {
    const bool moved = exchange.iterate();
    out.log_likelihoods.push_back(exchange.log_likelihood());
    if (!moved) break;
  }
  out.classes = exchange.classes();
  return out;
}

}  // namespace tertium
