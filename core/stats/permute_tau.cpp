// SPDX-License-Identifier: Apache-2.0
// Permutation tests of Kendall's tau-b by item.
//
// The pairs (i, j), i < j, of an item's systems are bits. For two metrics A and B
// there are four comparisons of a pair, AA, AB, BA and BB: which of them holds is
// a matter of the coins of i and j. So a trial is a choice among four words, and
// counting bits gives what tau needs. Words of coins are made once for all metrics.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>

#include "base/batch.hpp"
#include "base/clones.hpp"
#include "base/pace.hpp"
#include "stats/permute.hpp"

namespace tertium {

namespace {

using Word = std::uint64_t;

constexpr std::size_t kTrials = 128;  // that are looked at together
constexpr std::size_t kItems = 32;

// One comparison of all pairs of an item: who is higher.
struct Signs {
  std::array<Word, 31> greater, less;
};

void compare(const double* x, const double* y, std::size_t n, Signs& out) {
  std::size_t bit = 0;
  Word greater = 0, less = 0;
  for (std::size_t i = 0; i + 1 < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) {
      greater |= static_cast<Word>(x[i] > y[j]) << (bit % 64);
      less |= static_cast<Word>(x[i] < y[j]) << (bit % 64);
      if (++bit % 64 == 0) {
        out.greater[bit / 64 - 1] = greater;
        out.less[bit / 64 - 1] = less;
        greater = less = 0;
      }
    }
  if (bit % 64 != 0) {
    out.greater[bit / 64] = greater;
    out.less[bit / 64] = less;
  }
}

// A choice among four words as xors: with m the coin of i, e whether the coins of
// i and j differ, the first metric has s ^ (e & (s ^ d)) where s = aa ^ (m & same),
// d = ab ^ (m & mixed); the second has the opposite coins.
struct Choice {
  Word aa, ab, same, mixed;

  static Choice of(Word aa, Word ab, Word ba, Word bb) { return {aa, ab, aa ^ bb, ab ^ ba}; }
};

struct PairWords {
  Choice concordant, untied;
  Word human;  // pairs that people do not tie
};

// Words of the coins of 128 trials.
struct Coins {
  std::array<Word, kTrials> first, differ;
};

// Bits a byte.
TERTIUM_INLINE Word byte_counts(Word x) {
  x -= x >> 1 & 0x5555555555555555ull;
  x = (x & 0x3333333333333333ull) + (x >> 2 & 0x3333333333333333ull);
  return (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0Full;
}

// The sum of eight bytes, each up to 255.
TERTIUM_INLINE Word sum_bytes(Word x) {
  x = (x & 0x00FF00FF00FF00FFull) + (x >> 8 & 0x00FF00FF00FF00FFull);
  x += x >> 32;
  return (x + (x >> 16)) & 0xFFFF;
}

struct Counts {
  std::array<std::int32_t, kTrials> agree1, agree2;  // concordant minus discordant
  std::array<std::uint32_t, kTrials> untied1, untied2;
};

template <std::size_t kWords>
TERTIUM_INLINE void count(const PairWords* words, const Coins* coins, std::size_t dynamic,
                          Counts& out) {
  const std::size_t length = kWords > 0 ? kWords : dynamic;
  for (std::size_t t = 0; t < kTrials; ++t) {
    Word c1 = 0, c2 = 0, u1 = 0, u2 = 0, n1 = 0, n2 = 0;
    for (std::size_t w = 0; w < length; ++w) {
      const Word m = coins[w].first[t], e = coins[w].differ[t];
      const PairWords& p = words[w];
      const auto choose = [m, e](const Choice& c, Word& first, Word& second) {
        const Word s = c.aa ^ (m & c.same), d = c.ab ^ (m & c.mixed), x = s ^ d;
        first = s ^ (e & x);
        second = s ^ c.same ^ (e & (x ^ c.same ^ c.mixed));
      };
      Word first, second;
      choose(p.concordant, first, second);
      c1 += byte_counts(first);
      c2 += byte_counts(second);
      choose(p.untied, first, second);
      u1 += byte_counts(first);
      u2 += byte_counts(second);
      n1 += byte_counts(first & p.human);
      n2 += byte_counts(second & p.human);
    }
    out.agree1[t] = static_cast<std::int32_t>(2 * sum_bytes(c1) - sum_bytes(n1));
    out.agree2[t] = static_cast<std::int32_t>(2 * sum_bytes(c2) - sum_bytes(n2));
    out.untied1[t] = static_cast<std::uint32_t>(sum_bytes(u1));
    out.untied2[t] = static_cast<std::uint32_t>(sum_bytes(u2));
  }
}

TERTIUM_CLONES void count_one(const PairWords* p, const Coins* c, Counts& out) {
  count<1>(p, c, 1, out);
}
TERTIUM_CLONES void count_two(const PairWords* p, const Coins* c, Counts& out) {
  count<2>(p, c, 2, out);
}
TERTIUM_CLONES void count_three(const PairWords* p, const Coins* c, Counts& out) {
  count<3>(p, c, 3, out);
}
TERTIUM_CLONES void count_more(const PairWords* p, const Coins* c, std::size_t n, Counts& out) {
  count<0>(p, c, n, out);
}

void count_words(const PairWords* p, const Coins* c, std::size_t n, Counts& out) {
  if (n == 1) return count_one(p, c, out);
  if (n == 2) return count_two(p, c, out);
  if (n == 3) return count_three(p, c, out);
  count_more(p, c, n, out);
}

// Coins of systems as coins of pairs.
void expand(Word mask, std::size_t n, std::size_t t, Coins* coins) {
  const std::size_t words = (n * (n - 1) / 2 + 63) / 64;
  for (std::size_t w = 0; w < words; ++w) coins[w].first[t] = coins[w].differ[t] = 0;
  std::size_t bit = 0;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const std::size_t length = n - 1 - i, shift = bit % 64;
    const Word all = ~Word{0} >> (64 - length);
    const Word first = mask >> i & 1 ? all : 0;
    const Word differ = (first ^ mask >> (i + 1)) & all;
    coins[bit / 64].first[t] |= first << shift;
    coins[bit / 64].differ[t] |= differ << shift;
    if (shift + length > 64) {
      coins[bit / 64 + 1].first[t] |= first >> (64 - shift);
      coins[bit / 64 + 1].differ[t] |= differ >> (64 - shift);
    }
    bit += length;
  }
}

// An item without its missing entries.
struct Item {
  std::vector<std::uint32_t> present;
  std::size_t pairs, words;
  double scale;  // 1 / sqrt(pairs that people do not tie)
  Signs human;
  std::vector<double> values;  // of metric m from m * present.size() on
  std::vector<Signs> own;      // of every metric with itself
};

Item make_item(const Scores& scores, std::size_t segment) {
  Item item;
  const double* human = scores.human + segment * scores.systems;
  for (std::uint32_t i = 0; i < scores.systems; ++i)
    if (!std::isnan(human[i])) item.present.push_back(i);
  const std::size_t n = item.present.size();
  item.pairs = n < 2 ? 0 : n * (n - 1) / 2;
  item.words = (item.pairs + 63) / 64;
  item.scale = 0;
  if (item.pairs == 0) return item;
  std::vector<double> kept;
  for (const std::uint32_t i : item.present) kept.push_back(human[i]);
  compare(kept.data(), kept.data(), n, item.human);
  std::size_t untied = 0;
  for (std::size_t i = 0; i + 1 < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) untied += kept[i] != kept[j];
  if (untied == 0) return item;
  item.scale = 1 / std::sqrt(static_cast<double>(untied));
  item.own.resize(scores.metrics);
  for (std::size_t m = 0; m < scores.metrics; ++m) {
    const double* metric = scores.metric(m) + segment * scores.systems;
    for (const std::uint32_t i : item.present) item.values.push_back(metric[i]);
    compare(&item.values[m * n], &item.values[m * n], n, item.own[m]);
  }
  return item;
}

struct Mixed {
  Signs ab, ba;
};

// Compare two metrics; return whether no coins can make a tie.
bool compare_rivals(const Item& item, Rivals rivals, Mixed& mixed) {
  const std::size_t n = item.present.size();
  const double *a = &item.values[rivals.a * n], *b = &item.values[rivals.b * n];
  compare(a, b, n, mixed.ab);
  compare(b, a, n, mixed.ba);
  const Signs &aa = item.own[rivals.a], &bb = item.own[rivals.b];
  bool free = true;
  for (std::size_t w = 0; w < item.words; ++w) {
    const std::size_t left = item.pairs - w * 64;
    const Word all = left >= 64 ? ~Word{0} : ~Word{0} >> (64 - left);
    const Word untied = (aa.greater[w] | aa.less[w]) & (bb.greater[w] | bb.less[w]) &
                        (mixed.ab.greater[w] | mixed.ab.less[w]) &
                        (mixed.ba.greater[w] | mixed.ba.less[w]);
    free = free && untied == all;
  }
  return free;
}

void make_words(const Item& item, Rivals rivals, const Mixed& mixed, PairWords* out) {
  const Signs &aa = item.own[rivals.a], &bb = item.own[rivals.b];
  for (std::size_t w = 0; w < item.words; ++w) {
    const Word greater = item.human.greater[w], less = item.human.less[w];
    const auto concordant = [&](const Signs& s) {
      return (s.greater[w] & greater) | (s.less[w] & less);
    };
    const auto untied = [&](const Signs& s) { return s.greater[w] | s.less[w]; };
    out[w] = {Choice::of(concordant(aa), concordant(mixed.ab), concordant(mixed.ba),
                         concordant(bb)),
              Choice::of(untied(aa), untied(mixed.ab), untied(mixed.ba), untied(bb)),
              greater | less};
  }
}

// The weight of every entry (see permute_linear.cpp) in an item without ties.
void add_weights(const Item& item, Rivals rivals, double* weights) {
  const std::size_t n = item.present.size();
  const Signs& human = item.human;
  const double *a = &item.values[rivals.a * n], *b = &item.values[rivals.b * n];
  const double scale = item.scale / std::sqrt(static_cast<double>(item.pairs)) / 2;
  std::array<int, kMaxTauSystems> sum{};
  std::size_t bit = 0;
  for (std::size_t i = 0; i + 1 < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j, ++bit) {
      const int up = static_cast<int>(human.greater[bit / 64] >> (bit % 64) & 1);
      const int down = static_cast<int>(human.less[bit / 64] >> (bit % 64) & 1);
      // Signs are 2 * (x > y) - 1; their differences need the comparisons only.
      const int same = 2 * ((a[i] > a[j]) - (b[i] > b[j])) * (up - down);
      const int mixed = 2 * ((a[i] > b[j]) - (b[i] > a[j])) * (up - down);
      sum[i] += same + mixed;
      sum[j] += same - mixed;
    }
  for (std::size_t k = 0; k < n; ++k) weights[item.present[k]] = scale * sum[k];
}

struct Totals {
  std::vector<double> sum1, sum2;
  std::vector<std::uint32_t> defined1, defined2;

  explicit Totals(std::size_t n) : sum1(n), sum2(n), defined1(n), defined2(n) {}
};

// What remains of a pair of metrics and an item for the words.
struct Task {
  std::uint32_t pair, words;  // the first of the words
};

class TauTest {
 public:
  // If `linear`, items without ties are left to weights of entries.
  TauTest(const Scores& scores, std::span<const Rivals> rivals, SwapTrials trials,
          unsigned threads, bool linear)
      : scores_(scores), rivals_(rivals), trials_(trials), threads_(threads), linear_(linear),
        padded_((trials.count + kTrials - 1) / kTrials * kTrials),
        totals_(rivals.size() * padded_), free_(rivals.size()),
        weights_(linear ? rivals.size() * scores.size() : 0),
        inverse_(scores.systems * scores.systems / 2 + 1) {
    for (std::size_t k = 1; k < inverse_.size(); ++k)
      inverse_[k] = 1 / std::sqrt(static_cast<double>(k));
  }

  // Fill `out` and return the pairs of metrics that had unequal numbers of
  // defined items in some trial: then a linear difference of sums will not do.
  std::vector<std::uint32_t> run(double* out) {
    for (std::size_t first = 0; first < scores_.segments; first += kItems)
      add_items(first, std::min(scores_.segments, first + kItems));
    const std::size_t count = trials_.count;
    std::fill_n(out, rivals_.size() * count, 0.0);
    if (linear_) {
      std::vector<std::uint32_t> all(rivals_.size());
      std::iota(all.begin(), all.end(), 0u);
      add_signed_sums(weights_, scores_, all, trials_, threads_, out);
    }
    std::vector<std::uint32_t> unequal;
    const auto mean = [](double sum, std::size_t n) {
      return n == 0 ? 0.0 : sum / static_cast<double>(n);
    };
    for (std::uint32_t p = 0; p < rivals_.size(); ++p) {
      bool equal = true;
      for (std::size_t t = 0; t < count; ++t) {
        const std::size_t at = p * padded_ + t;
        const std::size_t n1 = free_[p] + totals_.defined1[at];
        const std::size_t n2 = free_[p] + totals_.defined2[at];
        double& difference = out[p * count + t];
        if (linear_)
          difference = mean(difference + totals_.sum1[at] - totals_.sum2[at], n1);
        else
          difference = mean(totals_.sum1[at], n1) - mean(totals_.sum2[at], n2);
        equal = equal && n1 == n2;
      }
      if (!equal) unequal.push_back(p);
    }
    return unequal;
  }

 private:
  void add_items(std::size_t first, std::size_t last) {
    const std::size_t count = last - first;
    std::vector<Item> items(count);
    std::vector<std::vector<Task>> tasks(count);
    std::vector<std::vector<PairWords>> words(count);
    std::vector<std::vector<std::uint32_t>> free(count);
    parallel_for(count, 1, threads_, [&]() -> Body {
      return [&, mixed = std::make_shared<Mixed>()](std::size_t from, std::size_t to) {
        for (std::size_t k = from; k < to; ++k) {
          Item& item = items[k] = make_item(scores_, first + k);
          if (item.scale == 0) continue;
          for (std::uint32_t p = 0; p < rivals_.size(); ++p) {
            if (compare_rivals(item, rivals_[p], *mixed) && linear_) {
              double* place = &weights_[p * scores_.size()];
              add_weights(item, rivals_[p], place + (first + k) * scores_.systems);
              free[k].push_back(p);
              continue;
            }
            tasks[k].push_back({p, static_cast<std::uint32_t>(words[k].size())});
            words[k].resize(words[k].size() + item.words);
            make_words(item, rivals_[p], *mixed, &words[k][tasks[k].back().words]);
          }
        }
      };
    });
    for (const std::vector<std::uint32_t>& pairs : free)
      for (const std::uint32_t p : pairs) ++free_[p];
    parallel_for(padded_ / kTrials, 1, threads_, [&]() -> Body {
      return [&, pace = Pace(), coins = std::vector<Coins>(31),
              counts = std::make_shared<Counts>()](std::size_t from, std::size_t to) mutable {
        for (std::size_t block = from; block < to; ++block)
          for (std::size_t k = 0; k < count; ++k) {
            if (tasks[k].empty()) continue;
            pace.spend(tasks[k].size() * items[k].words * kTrials);
            toss(items[k], first + k, block, coins.data());
            for (const Task& task : tasks[k]) {
              count_words(&words[k][task.words], coins.data(), items[k].words, *counts);
              add(*counts, items[k].scale, task.pair * padded_ + block * kTrials);
            }
          }
      };
    });
  }

  void toss(const Item& item, std::size_t segment, std::size_t block, Coins* coins) const {
    const std::size_t n = item.present.size();
    for (std::size_t t = 0; t < kTrials; ++t) {
      const SwapMask mask(trials_.swap, trials_.seed, trials_.first + block * kTrials + t,
                          scores_.systems);
      Word word = mask.word(segment);
      if (n < scores_.systems) {
        Word kept = 0;
        for (std::size_t k = 0; k < n; ++k) kept |= (word >> item.present[k] & 1) << k;
        word = kept;
      }
      expand(word, n, t, coins);
    }
  }

  void add(const Counts& counts, double scale, std::size_t at) {
    double *sum1 = &totals_.sum1[at], *sum2 = &totals_.sum2[at];
    std::uint32_t *defined1 = &totals_.defined1[at], *defined2 = &totals_.defined2[at];
    for (std::size_t t = 0; t < kTrials; ++t) {
      sum1[t] += counts.agree1[t] * inverse_[counts.untied1[t]] * scale;
      sum2[t] += counts.agree2[t] * inverse_[counts.untied2[t]] * scale;
      defined1[t] += counts.untied1[t] > 0;
      defined2[t] += counts.untied2[t] > 0;
    }
  }

  const Scores& scores_;
  std::span<const Rivals> rivals_;
  SwapTrials trials_;
  unsigned threads_;
  bool linear_;
  std::size_t padded_;
  Totals totals_;
  std::vector<std::size_t> free_;  // items that are left to the weights
  std::vector<double> weights_, inverse_;
};

}  // namespace

void permute_tau_b(const Scores& scores, std::span<const Rivals> rivals, SwapTrials trials,
                   unsigned threads, double* out) {
  const std::vector<std::uint32_t> unequal =
      TauTest(scores, rivals, trials, threads, true).run(out);
  if (unequal.empty()) return;
  std::vector<Rivals> again;
  for (const std::uint32_t p : unequal) again.push_back(rivals[p]);
  std::vector<double> differences(again.size() * trials.count);
  TauTest(scores, again, trials, threads, false).run(differences.data());
  for (std::size_t k = 0; k < unequal.size(); ++k)
    std::copy_n(&differences[k * trials.count], trials.count, out + unequal[k] * trials.count);
}

}  // namespace tertium
