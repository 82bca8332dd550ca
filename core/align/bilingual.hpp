// SPDX-License-Identifier: Apache-2.0
// A word aligner that learns from sentence pairs: model 1 (Brown et al. 1993) and the
// hidden Markov model (Vogel et al. 1996), in both directions at once.
//
// A direction is numbered by the side that generates: 0 generates target words from
// source words, 1 source words from target words.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "align/chain.hpp"
#include "align/lexicon.hpp"

namespace tertium {

// The words of one language. Rare words share what is known about their stems.
struct Vocabulary {
  std::vector<std::int32_t> stem_of;  // by word
  std::vector<double> share;          // by word: its share of the stem's occurrences
  std::vector<std::string> stems;     // in UTF-8

  std::size_t size() const { return stem_of.size(); }
};

struct BilingualSettings {
  double prior = 2e-4;      // Dirichlet prior of any pair of stems
  double likeness = 3;      // what is added to it for stems that are spelt alike
  double back_off = 10;     // the occurrences of a word that its stem counts as
  double held_out = 0.8;    // how much of a cell's count its own probability ignores
  double null_probability = 0.15;
  double null_prior = 0.03;
  double jump_prior = 5;
};

// A word of a text to align: its number in the model and that of its stem, or -1.
struct KnownWord {
  std::int32_t word, stem;
  double share;
  std::string text;  // of the stem
};

// Whether two stems are spelt alike: equal, or with equal beginnings of at least three
// characters that are half of both.
bool alike(std::string_view one, std::string_view other);

// What is known about pairs of words: expected counts, smoothed when they are used.
class BilingualModel {
 public:
  BilingualModel(std::array<Vocabulary, 2> words, PairTable table, std::size_t window,
                 const BilingualSettings& settings);

  const Vocabulary& words(std::size_t side) const { return words_[side]; }
  const PairTable& table() const { return table_; }
  const BilingualSettings& settings() const { return settings_; }

  std::vector<float> counts(std::size_t d) const;
  void set_counts(std::size_t d, std::span<const float> counts);
  std::span<const double> null_counts(std::size_t d) const { return sides_[d].null; }
  void set_null_counts(std::size_t d, std::span<const double> counts);
  const Jumps& jumps(std::size_t d) const { return sides_[d].jumps; }
  void set_jumps(std::size_t d, std::span<const double> weights);

  // What is known about a pair of words: by direction, its count and that of the stems.
  struct Pair {
    std::array<float, 2> counts{}, stem_counts{};
    float prior = 0;  // of the stems
  };
  const Pair& pair(std::uint32_t number) const { return pairs_[number]; }
  Pair find(const KnownWord& source, const KnownWord& target) const;
  // The probability that a word generates another, ignoring `held` of the count. Numbers
  // below 0 are words and stems that the model has not seen.
  double emission(std::size_t d, const Pair& pair, std::int32_t from, std::int32_t from_stem,
                  double share, double held) const;
  double null_emission(std::size_t d, std::int32_t word) const;

 private:
  struct Direction {
    std::vector<double> rows, stem_rows;  // sums of counts, by generating word and stem
    std::vector<double> null;
    double null_sum = 0;
    Jumps jumps{0};
  };

  void link_stems();
  float prior(std::string_view source, std::string_view target) const;

  std::array<Vocabulary, 2> words_;
  PairTable table_, stems_;
  std::vector<Pair> pairs_;  // with the counts of the stems: one place in memory per cell
  std::vector<std::uint32_t> stem_pair_of_;        // by pair
  std::array<std::vector<float>, 2> stem_counts_;  // by direction and pair of stems
  std::array<Direction, 2> sides_;
  BilingualSettings settings_;
};

// The posteriors of one sentence pair in both directions.
class BilingualWorker {
 public:
  explicit BilingualWorker(const BilingualModel& model) : model_(model) {}

  // Make room for a sentence pair and its emissions.
  void resize(std::size_t sources, std::size_t targets);
  double& emission(std::size_t d, std::size_t i, std::size_t j) {
    return emission_[d][d == 0 ? j * sizes_[0] + i : i * sizes_[1] + j];
  }
  double& null(std::size_t d, std::size_t at) { return null_[d][at]; }

  // Compute the posteriors and return the log-likelihoods. No side may be empty.
  std::array<double, 2> run(bool ordered);
  // That source word i and target word j belong together.
  double posterior(std::size_t d, std::size_t i, std::size_t j) {
    return chains_[d].posterior()[d == 0 ? j * sizes_[0] + i : i * sizes_[1] + j];
  }
  Chain& chain(std::size_t d) { return chains_[d]; }
  std::size_t size(std::size_t side) const { return sizes_[side]; }

 private:
  const BilingualModel& model_;
  std::array<std::vector<double>, 2> emission_, null_;
  std::array<std::size_t, 2> sizes_{};
  std::array<Chain, 2> chains_;
};

// Links of many sentences: those of sentence s are [first[s], first[s + 1]).
struct LinkLists {
  std::vector<std::int64_t> first;
  std::vector<std::int32_t> source, target;
  std::vector<double> weight;
};

// Learns from sentences. The results do not depend on the number of threads.
class BilingualTraining {
 public:
  BilingualTraining(std::array<Vocabulary, 2> words, const Side& source, const Side& target,
                    std::size_t window, const BilingualSettings& settings, unsigned threads);

  const BilingualModel& model() const { return model_; }
  // One iteration of EM, with model 1 or ordered. If directions are to agree, a pair
  // counts by the product of its posteriors in both (Liang et al. 2006). Returns the
  // log-likelihoods of both directions before it.
  std::array<double, 2> iterate(bool ordered, bool agree, unsigned threads);

 private:
  struct LocalCounts;
  struct Counts;

  void load(BilingualWorker& worker, std::size_t s) const;
  void count(BilingualWorker& worker, std::size_t s, bool agree, Counts& counts,
             LocalCounts& local);
  void estimate(const Counts& counts, bool ordered);

  Side source_, target_;
  BilingualModel model_;
  Cells cells_;
  std::array<std::vector<float>, 2> posteriors_;  // of all cells, in the last iteration
};

// Sentences that need not be those a model has learnt from; the numbers of both sides
// count in `words`. O(log of the row's length) more per pair of words.
struct BilingualText {
  const BilingualModel& model;
  std::array<std::vector<KnownWord>, 2> words;
  Side source, target;

  // Each target word with its best source word, unless NULL is better, and the other way
  // round.
  std::array<LinkLists, 2> links(unsigned threads) const;
  // All pairs of words by the geometric mean of both posteriors, from a threshold on.
  LinkLists soft_links(double threshold, unsigned threads) const;

 private:
  using Visit = std::function<void(BilingualWorker&, std::size_t)>;

  void visit(unsigned threads, const Visit& read) const;
  bool prepare(BilingualWorker& worker, std::size_t s) const;
};

}  // namespace tertium
