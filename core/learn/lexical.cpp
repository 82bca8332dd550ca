// SPDX-License-Identifier: Apache-2.0
#include "learn/lexical.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <span>
#include <utility>
#include <vector>

#include "learn/lexical_side.hpp"
#include "order/common_blocks.hpp"
#include "text/levenshtein.hpp"
#include "text/ngrams.hpp"
#include "text/skip_pairs.hpp"
#include "text/subsequence.hpp"

namespace tertium {

namespace {

using namespace lexical;
using Symbols = LexicalSide::Symbols;

constexpr long kBetween = 3;        // words between the two of a pair
constexpr double kMostUnknown = 4;  // unknown words; more are not worse

double number(std::size_t n) { return static_cast<double>(n); }

// Precision and recall.
struct Shares {
  double p, r;

  // Shares of units that both texts have; `none` where neither has any unit.
  static Shares of(double common, double hyp, double ref, Shares none) {
    if (hyp == 0 && ref == 0) return none;
    return {hyp > 0 ? common / hyp : 0.0, ref > 0 ? common / ref : 0.0};
  }
  void write(double* out) const {
    out[0] = p;
    out[1] = r;
  }
};
constexpr Shares kAll{1.0, 1.0};  // nothing is a perfect copy of nothing

// One reference, ready to be compared with hypotheses.
class Reference {
 public:
  LexicalSide side;

  // To be called when the reader has read all references.
  void build(const LexicalReader& reader, bool listed) {
    listed_ = listed;
    build_grams(chars_, side.chars, kCharOrders, reader.char_types());
    build_grams(spaced_, side.spaced, kSpacedOrders + 1, reader.char_types());
    build_grams(words_, side.words, listed ? 1 : 2, reader.types());
    if (!listed) pairs_.set_ref(side.words, reader.types());
    blocks_.set_ref(side.stems, reader.stem_types());
    edits_.set_pattern(side.text, reader.char_types());
    subsequence_.set_pattern(side.text, reader.char_types());
    scripts_.fill(false);
    for (const Script script : side.letters) scripts_[static_cast<std::size_t>(script)] = true;
    word_counts_ = counts(side.words, reader.types());
    if (listed) weigh_stems(reader.stem_types());
  }

  // Write the features of a hypothesis.
  void compare(const LexicalSide& hyp, double* out) {
    write_grams(chars_, hyp.chars.size(), side.chars.size(), hyp.chars, 1, out + kChars);
    write_grams(spaced_, hyp.spaced.size(), side.spaced.size(), hyp.spaced, 2, out + kSpaced);
    const auto matches = words_.match(hyp.words);
    const Shares words =
        Shares::of(number(matches[0]), number(hyp.words.size()), number(side.words.size()), kAll);
    words.write(out + kWords);
    if (listed_) {
      stem_shares(hyp).write(out + kPairs);
      function_shares(hyp, words).write(out + kPairs + 2);
      write_unknown(hyp, out + kUnknown);
    } else {
      const auto bigrams = [](const Symbols& s) { return number(ngram_total(s.size(), 2)); };
      Shares::of(number(matches[1]), bigrams(hyp.words), bigrams(side.words), words)
          .write(out + kPairs);
      Shares::of(number(pairs_.common(hyp.words)), number(pairs_.total(hyp.words.size())),
                 number(pairs_.total(side.words.size())), words)
          .write(out + kPairs + 2);
    }
    write_order(hyp, out + kOrder);
    write_edits(hyp, out + kEdits);
    write_lengths(hyp.words.size(), side.words.size(), out + kLength);
    write_lengths(hyp.chars.size(), side.chars.size(), out + kLength + 2);
    out[kScript] = script_loss(hyp);
  }

 private:
  static void build_grams(NgramCounts& grams, const Symbols& symbols, std::size_t orders,
                          std::size_t types) {
    grams.build(1, [&](std::size_t) -> const Symbols& { return symbols; }, symbols.size(), orders,
                types);
  }

  static std::vector<std::uint32_t> counts(const Symbols& words, std::size_t types) {
    std::vector<std::uint32_t> out(types, 0);
    for (const std::uint32_t word : words) ++out[word];
    return out;
  }

  // Shares of n-grams from order `first` on. Where both texts are shorter than n, those
  // of the next shorter n-grams stand for them.
  static void write_grams(NgramCounts& grams, std::size_t hyp_size, std::size_t ref_size,
                          const Symbols& hyp, std::size_t first, double* out) {
    const auto matches = grams.match(hyp);
    Shares shares = kAll;
    for (std::size_t n = 1; n <= matches.size(); ++n) {
      shares = Shares::of(number(matches[n - 1]), number(ngram_total(hyp_size, n)),
                          number(ngram_total(ref_size, n)), shares);
      if (n >= first) shares.write(out + 2 * (n - first));
    }
  }

  // A stem of the reference weighs as its most frequent word there.
  void weigh_stems(std::size_t types) {
    stem_weights_.assign(types, 0.0);
    stem_counts_ = counts(side.stems, types);
    for (std::size_t i = 0; i < side.stems.size(); ++i) {
      double& weight = stem_weights_[side.stems[i]];
      weight = weight == 0.0 ? side.weights[i] : std::min(weight, side.weights[i]);
    }
    stem_total_ = 0.0;
    for (std::size_t t = 0; t < types; ++t) stem_total_ += stem_counts_[t] * stem_weights_[t];
  }

  Shares stem_shares(const LexicalSide& hyp) {
    left_.assign(stem_counts_.begin(), stem_counts_.end());
    double common = 0.0, total = 0.0;
    for (std::size_t i = 0; i < hyp.stems.size(); ++i) {
      const std::uint32_t stem = hyp.stems[i];
      const bool shared = stem < left_.size() && stem_counts_[stem] > 0;
      const double weight = shared ? stem_weights_[stem] : hyp.weights[i];
      total += weight;
      if (!shared || left_[stem] == 0) continue;
      --left_[stem];
      common += weight;
    }
    // Sums in another order may differ in the last bit.
    return Shares::of(std::min({common, total, stem_total_}), total, stem_total_, kAll);
  }

  Shares function_shares(const LexicalSide& hyp, Shares none) {
    left_.assign(word_counts_.begin(), word_counts_.end());
    std::size_t common = 0, total = 0;
    for (std::size_t i = 0; i < hyp.words.size(); ++i) {
      if (!hyp.function[i]) continue;
      ++total;
      if (hyp.words[i] >= left_.size() || left_[hyp.words[i]] == 0) continue;
      --left_[hyp.words[i]];
      ++common;
    }
    const auto in_ref = std::count(side.function.begin(), side.function.end(), 1);
    return Shares::of(number(common), number(total), static_cast<double>(in_ref), none);
  }

  // Words that neither the reference nor the word list has: untranslated ones, most
  // often. A name that the reference has and the text lacks accounts for one capitalised
  // word, which may be its other spelling; so do other words that are not in the list.
  void write_unknown(const LexicalSide& hyp, double* out) {
    using Rarity = LexicalSide::Rarity;
    const auto place = [](Rarity kind) { return static_cast<std::size_t>(kind); };
    std::array<std::size_t, 4> kinds{}, missing{};
    left_.assign(word_counts_.begin(), word_counts_.end());
    for (std::size_t i = 0; i < hyp.words.size(); ++i) {
      const bool in_ref = hyp.words[i] < word_counts_.size() && word_counts_[hyp.words[i]] > 0;
      if (in_ref) left_[hyp.words[i]] = 0;
      else ++kinds[place(hyp.rarity[i])];
    }
    for (std::size_t i = 0; i < side.words.size(); ++i) {
      if (left_[side.words[i]] == 0) continue;
      if (side.name[i]) ++missing[place(Rarity::kCapital)];
      if (side.rarity[i] != Rarity::kCapital) ++missing[place(side.rarity[i])];
    }
    for (const Rarity kind : {Rarity::kCapital, Rarity::kLower, Rarity::kForeign}) {
      const std::size_t words = kinds[place(kind)];
      const double count = number(words - std::min(words, missing[place(kind)]));
      *out++ = hyp.words.empty() ? 0.0 : -count / number(hyp.words.size());
      *out++ = -std::min(count, kMostUnknown) / kMostUnknown;
    }
  }

  void write_order(const LexicalSide& hyp, double* out) {
    const std::size_t h = hyp.stems.size(), r = side.stems.size();
    if (h == 0 && r == 0) {
      out[0] = out[1] = out[3] = 1.0;
      out[2] = 0.0;
      return;
    }
    std::size_t matched = 0, chunks = 0, hyp_end = 0, ref_end = 0;
    tails_.clear();
    for (const auto& block : blocks_.align(hyp.stems)) {
      if (chunks == 0 || block.hyp != hyp_end || block.ref != ref_end) ++chunks;
      hyp_end = block.hyp + block.length;
      ref_end = block.ref + block.length;
      matched += block.length;
      for (std::size_t k = 0; k < block.length; ++k) extend_rising(block.ref + k);
    }
    const double continuity =
        matched > 1 ? 1.0 - number(chunks - 1) / number(matched - 1) : number(matched);
    out[0] = continuity;
    out[1] = continuity * number(2 * matched) / number(h + r);
    // Every missing word is a chunk as well, so that no match is not the best value.
    out[2] = r == 0 ? -1.0 : -number(chunks + (r - matched) - 1) / number(r);
    out[3] = number(tails_.size()) / number(std::max(h, r));
  }

  // The longest rising sequence, one place after the other.
  void extend_rising(std::size_t place) {
    const auto at = std::lower_bound(tails_.begin(), tails_.end(), place);
    if (at == tails_.end()) tails_.push_back(place);
    else *at = place;
  }

  void write_edits(const LexicalSide& hyp, double* out) {
    const std::size_t longest = std::max(hyp.text.size(), side.text.size());
    out[0] = longest == 0 ? 0.0 : -number(edits_.distance(hyp.text)) / number(longest);
    Shares::of(number(subsequence_.length(hyp.text)), number(hyp.text.size()),
               number(side.text.size()), kAll)
        .write(out + 1);
  }

  static void write_lengths(std::size_t hyp, std::size_t ref, double* out) {
    const std::size_t longest = std::max(hyp, ref);
    const double lack = ref > hyp ? number(ref - hyp) : 0.0;
    const double difference = number(longest - std::min(hyp, ref));
    out[0] = longest == 0 ? 0.0 : -difference / number(longest);
    out[1] = ref == 0 ? 0.0 : -lack / number(ref);
  }

  // The share of letters in a script that the reference does not have: words left in the
  // source language.
  double script_loss(const LexicalSide& hyp) const {
    if (side.letters.empty() || hyp.letters.empty()) return 0.0;
    std::size_t foreign = 0;
    for (const Script script : hyp.letters) foreign += !scripts_[static_cast<std::size_t>(script)];
    return -number(foreign) / number(hyp.letters.size());
  }

  bool listed_ = false;
  NgramCounts chars_, spaced_, words_;
  SkipPairs pairs_{kBetween};
  CommonBlocks blocks_;
  Levenshtein edits_;
  Subsequence subsequence_;
  std::array<bool, 32> scripts_{};
  std::vector<std::uint32_t> word_counts_, stem_counts_, left_;
  std::vector<double> stem_weights_;
  double stem_total_ = 0.0;
  std::vector<std::size_t> tails_;
};

// Compares hypotheses with all references of a segment.
class Comparison {
 public:
  explicit Comparison(const WordList* list) : reader_(list), listed_(list != nullptr) {}

  void set_refs(std::span<const Text> refs) {
    std::size_t bytes = 0;
    for (const Text ref : refs) bytes += ref.size();
    reader_.reset(bytes);
    count_ = refs.size();
    while (refs_.size() < count_) refs_.emplace_back();
    for (std::size_t r = 0; r < count_; ++r) reader_.read_ref(refs[r], refs_[r].side);
    for (std::size_t r = 0; r < count_; ++r) refs_[r].build(reader_, listed_);
  }
  void set_hyp(Text hyp) { reader_.read_hyp(hyp, hyp_); }
  std::size_t refs() const { return count_; }
  void compare(std::size_t r, double* out) { refs_[r].compare(hyp_, out); }

 private:
  LexicalReader reader_;
  bool listed_;
  std::deque<Reference> refs_;  // which point into themselves
  std::size_t count_ = 0;
  LexicalSide hyp_;
};

class FeatureWorker final : public Worker {
 public:
  explicit FeatureWorker(const WordList* list) : comparison_(list) {}

  void set_refs(std::span<const Text> refs) override { comparison_.set_refs(refs.first(1)); }
  void row(Text hyp, double* out) override {
    comparison_.set_hyp(hyp);
    comparison_.compare(0, out);
  }

 private:
  Comparison comparison_;
};

class FeatureKernel final : public Kernel {
 public:
  explicit FeatureKernel(std::shared_ptr<const WordList> list) : list_(std::move(list)) {}
  std::size_t width() const override { return list_ ? kListed : kPlain; }
  std::unique_ptr<Worker> worker() const override {
    return std::make_unique<FeatureWorker>(list_.get());
  }
  double score(const double* row) const override { return row[0]; }  // rows are not sums

 private:
  std::shared_ptr<const WordList> list_;
};

class ModelWorker final : public Worker {
 public:
  ModelWorker(const WordList* list, const LinearModel& model, std::size_t width)
      : comparison_(list), model_(model), values_(width) {
    // All copies of references are alike.
    const Text empty[1] = {};
    comparison_.set_refs(empty);
    comparison_.set_hyp({});
    comparison_.compare(0, values_.data());
    same_ = model_.raw(values_.data());
  }

  void set_refs(std::span<const Text> refs) override { comparison_.set_refs(refs); }
  void row(Text hyp, double* out) override {
    comparison_.set_hyp(hyp);
    out[0] = 0.0;
    out[1] = 1.0;
    for (std::size_t r = 0; r < comparison_.refs(); ++r) {
      comparison_.compare(r, values_.data());
      out[0] = std::max(out[0], model_.score(model_.raw(values_.data()), same_));
    }
  }

 private:
  Comparison comparison_;
  const LinearModel& model_;
  std::vector<double> values_;
  double same_ = 0.0;
};

class ModelKernel final : public Kernel {
 public:
  ModelKernel(std::shared_ptr<const WordList> list, LinearOptions model)
      : list_(std::move(list)), model_(std::move(model)) {}
  std::size_t width() const override { return 2; }
  std::unique_ptr<Worker> worker() const override {
    return std::make_unique<ModelWorker>(list_.get(), model_, list_ ? kListed : kPlain);
  }
  double score(const double* row) const override { return row[1] > 0 ? row[0] / row[1] : 0.0; }

 private:
  std::shared_ptr<const WordList> list_;
  LinearModel model_;
};

}  // namespace

std::unique_ptr<Kernel> make_lexical_features(std::shared_ptr<const WordList> list) {
  return std::make_unique<FeatureKernel>(std::move(list));
}

std::unique_ptr<Kernel> make_lexical_model(std::shared_ptr<const WordList> list,
                                           const LinearOptions& model) {
  check_linear(model, list ? kListed : kPlain);
  return std::make_unique<ModelKernel>(std::move(list), model);
}

}  // namespace tertium
