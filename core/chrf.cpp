// SPDX-License-Identifier: Apache-2.0
#include "chrf.hpp"

#include <cstring>
#include <vector>

#include "ngrams.hpp"
#include "tokenize.hpp"

namespace tertium {

namespace {

constexpr double kEpsilon = 1e-16;  // as chrF++.py, Moses and NLTK

double f_score(const ChrfOptions& options, const double* row) {
  const std::size_t orders = options.char_order + options.word_order;
  const double factor = options.beta * options.beta;
  double smoothed = 0.0, precision = 0.0, recall = 0.0;
  std::size_t effective = 0;
  for (std::size_t i = 0; i < orders; ++i) {
    const double hyp = row[3 * i], ref = row[3 * i + 1], match = row[3 * i + 2];
    const double p = hyp > 0 ? match / hyp : kEpsilon;
    const double r = ref > 0 ? match / ref : kEpsilon;
    const double denominator = factor * p + r;
    smoothed += denominator > 0 ? (1 + factor) * p * r / denominator : kEpsilon;
    if (hyp > 0 && ref > 0) {
      precision += p;
      recall += r;
      ++effective;
    }
  }
  if (options.eps_smoothing) return 100 * smoothed / static_cast<double>(orders);
  if (effective == 0) return 0.0;
  precision /= static_cast<double>(effective);
  recall /= static_cast<double>(effective);
  if (precision + recall == 0) return 0.0;
  return 100 * ((1 + factor) * precision * recall / (factor * precision + recall));
}

bool is_ascii_punctuation(char c) {
  return c != '\0' && std::strchr("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", c) != nullptr;
}

// Cut a punctuation mark off the end of a word or, failing that, off its start:
// '(hi)' gives '(hi' and ')', as in chrF++.py.
void cut_punctuation(std::vector<Text>& words, std::vector<Text>& out) {
  out.clear();
  for (const Text word : words) {
    if (word.size() > 1 && is_ascii_punctuation(word.back())) {
      out.push_back(word.substr(0, word.size() - 1));
      out.push_back(word.substr(word.size() - 1));
    } else if (word.size() > 1 && is_ascii_punctuation(word.front())) {
      out.push_back(word.substr(0, 1));
      out.push_back(word.substr(1));
    } else {
      out.push_back(word);
    }
  }
}

class ChrfWorker final : public Worker {
 public:
  explicit ChrfWorker(const ChrfOptions& options)
      : options_(options),
        candidate_(3 * (options.char_order + options.word_order)) {}

  void row(Text hyp, std::span<const Text> refs, double* out) override {
    read_chars(hyp, hyp_chars_);
    if (options_.word_order > 0) read_words(hyp, refs);
    double best = -1.0;
    for (std::size_t r = 0; r < refs.size(); ++r) {
      read_chars(refs[r], ref_chars_);
      count(hyp_chars_, ref_chars_, options_.char_order, candidate_.data());
      if (options_.word_order > 0)
        count(words_[0], words_[r + 1], options_.word_order,
              candidate_.data() + 3 * options_.char_order);
      const double score = f_score(options_, candidate_.data());
      if (score > best) {
        best = score;
        std::memcpy(out, candidate_.data(), candidate_.size() * sizeof(double));
      }
    }
  }

 private:
  using Symbols = std::vector<std::uint32_t>;

  void read_chars(Text text, Symbols& out) const {
    out.clear();
    for (std::size_t i = 0; i < text.size();) {
      const char32_t c = next_point(text, i);
      if (options_.whitespace || !is_space(c)) out.push_back(c);
    }
  }

  void read_words(Text hyp, std::span<const Text> refs) {
    const std::size_t texts = refs.size() + 1;
    if (words_.size() < texts) {
      words_.resize(texts);
      tokens_.resize(texts);
    }
    std::size_t total = 0;
    for (std::size_t t = 0; t < texts; ++t) {
      raw_.clear();
      split(t == 0 ? hyp : refs[t - 1], raw_);
      cut_punctuation(raw_, tokens_[t]);
      total += tokens_[t].size();
    }
    intern_.reset(total);
    for (std::size_t t = 0; t < texts; ++t) {
      words_[t].clear();
      for (const Text token : tokens_[t]) words_[t].push_back(intern_(token));
    }
  }

  void count(const Symbols& hyp, const Symbols& ref, std::size_t orders, double* out) {
    trie_.reset(ngram_bound(ref.size(), orders));
    trie_.add_reference(ref, orders, 0);
    for (std::size_t n = 0; n < orders; ++n) {
      const std::size_t ref_total = ngram_total(ref.size(), n + 1);
      // Hypothesis n-grams do not count where the reference has none.
      out[3 * n] = ref_total == 0 ? 0.0 : static_cast<double>(ngram_total(hyp.size(), n + 1));
      out[3 * n + 1] = static_cast<double>(ref_total);
      out[3 * n + 2] = 0.0;
    }
    trie_.match(hyp, orders, [&](std::size_t n, std::uint32_t) { out[3 * n + 2] += 1; });
  }

  ChrfOptions options_;
  std::vector<double> candidate_;
  Symbols hyp_chars_, ref_chars_;
  std::vector<Text> raw_;
  std::vector<std::vector<Text>> tokens_;
  std::vector<Symbols> words_;
  Interner intern_;
  NgramTrie trie_;
};

class Chrf final : public Kernel {
 public:
  explicit Chrf(const ChrfOptions& options) : options_(options) {}
  std::size_t width() const override {
    return 3 * (options_.char_order + options_.word_order);
  }
  std::unique_ptr<Worker> worker() const override {
    return std::make_unique<ChrfWorker>(options_);
  }
  double score(const double* row) const override { return f_score(options_, row); }

 private:
  ChrfOptions options_;
};

}  // namespace

std::unique_ptr<Kernel> make_chrf(const ChrfOptions& options) {
  return std::make_unique<Chrf>(options);
}

}  // namespace tertium
