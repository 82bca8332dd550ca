// SPDX-License-Identifier: Apache-2.0
#include "metrics/chrf.hpp"

#include <cstring>
#include <vector>

#include "metrics/ngram_kernel.hpp"
#include "text/char_numbers.hpp"
#include "text/ngrams.hpp"
#include "text/segment.hpp"

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

template <class Number>
void read_chars(Text text, bool whitespace, Symbols& out, Number&& number) {
  out.clear();
  for (std::size_t i = 0; i < text.size();) {
    const char32_t c = next_point(text, i);
    if (whitespace || !is_space(c)) out.push_back(number(c));
  }
}

// The words of a text, punctuation cut off.
class WordCutter {
 public:
  const std::vector<Text>& operator()(Text text) {
    raw_.clear();
    split(text, stops_, raw_);
    cut_punctuation(raw_, cut_);
    return cut_;
  }

 private:
  Stops stops_;
  std::vector<Text> raw_, cut_;
};

// The n-grams of one reference.
struct Grams {
  Symbols symbols;
  NgramCounts counts;

  void build(std::size_t orders, std::size_t types) {
    counts.build(1, [&](std::size_t) -> const Symbols& { return symbols; }, symbols.size(),
                 orders, types);
  }

  void count(const Symbols& hyp, std::size_t orders, double* out) {
    const auto matches = counts.match(hyp);
    for (std::size_t n = 0; n < orders; ++n) {
      const std::size_t total = ngram_total(symbols.size(), n + 1);
      // Hypothesis n-grams do not count where the reference has none.
      out[3 * n] = total == 0 ? 0.0 : static_cast<double>(ngram_total(hyp.size(), n + 1));
      out[3 * n + 1] = static_cast<double>(total);
      out[3 * n + 2] = static_cast<double>(matches[n]);
    }
  }
};

class ChrfWorker final : public Worker {
 public:
  explicit ChrfWorker(const ChrfOptions& options)
      : options_(options), candidate_(3 * (options.char_order + options.word_order)) {}

  void set_refs(std::span<const Text> refs) override {
    count_ = refs.size();
    if (chars_.size() < count_) {
      chars_.resize(count_);
      words_.resize(count_);
    }
    if (options_.char_order > 0) set_chars(refs);
    if (options_.word_order > 0) set_words(refs);
  }

  void row(Text hyp, double* out) override {
    read_chars(hyp, options_.whitespace, hyp_chars_,
               [&](char32_t c) { return numbers_.find(c); });
    if (options_.word_order > 0) {
      hyp_words_.clear();
      for (const Text word : cut_words_(hyp)) hyp_words_.push_back(intern_.find(word));
    }
    double best = -1.0;
    for (std::size_t r = 0; r < count_; ++r) {
      double* words = candidate_.data() + 3 * options_.char_order;
      if (options_.char_order > 0)
        chars_[r].count(hyp_chars_, options_.char_order, candidate_.data());
      if (options_.word_order > 0) words_[r].count(hyp_words_, options_.word_order, words);
      const double score = f_score(options_, candidate_.data());
      if (score > best) {
        best = score;
        std::memcpy(out, candidate_.data(), candidate_.size() * sizeof(double));
      }
    }
  }

 private:
  void set_chars(std::span<const Text> refs) {
    numbers_.reset();
    for (std::size_t r = 0; r < count_; ++r)
      read_chars(refs[r], options_.whitespace, chars_[r].symbols,
                 [&](char32_t c) { return numbers_.add(c); });
    for (std::size_t r = 0; r < count_; ++r)
      chars_[r].build(options_.char_order, numbers_.size());
  }

  void set_words(std::span<const Text> refs) {
    std::size_t bytes = 0;  // there are no more words than bytes
    for (const Text ref : refs) bytes += ref.size();
    intern_.reset(bytes);
    for (std::size_t r = 0; r < count_; ++r) {
      words_[r].symbols.clear();
      for (const Text word : cut_words_(refs[r])) words_[r].symbols.push_back(intern_.add(word));
    }
    for (std::size_t r = 0; r < count_; ++r)
      words_[r].build(options_.word_order, intern_.size());
  }

  ChrfOptions options_;
  std::vector<double> candidate_;
  std::size_t count_ = 0;  // references
  CharNumbers numbers_;
  Interner intern_;
  Symbols hyp_chars_, hyp_words_;
  WordCutter cut_words_;
  std::vector<Grams> chars_, words_;
};

class ChrfReader final : public NgramReader {
 public:
  explicit ChrfReader(const ChrfOptions& options) : options_(options) {}

  void reset(std::size_t bytes) override {
    numbers_.reset();
    if (options_.word_order > 0) intern_.reset(bytes);
  }

  void read(Text text, std::span<Symbols> out) override {
    if (options_.char_order > 0)
      read_chars(text, options_.whitespace, out.front(),
                 [&](char32_t c) { return numbers_.add(c); });
    if (options_.word_order == 0) return;
    out.back().clear();
    for (const Text word : cut_words_(text)) out.back().push_back(intern_.add(word));
  }

  std::size_t types(std::size_t stream) const override {
    return stream == 0 && options_.char_order > 0 ? numbers_.size() : intern_.size();
  }

 private:
  ChrfOptions options_;
  CharNumbers numbers_;
  Interner intern_;
  WordCutter cut_words_;
};

class Chrf final : public NgramKernel {
 public:
  explicit Chrf(const ChrfOptions& options) : options_(options) {}
  std::size_t width() const override {
    return 3 * (options_.char_order + options_.word_order);
  }
  std::unique_ptr<Worker> worker() const override {
    return std::make_unique<ChrfWorker>(options_);
  }
  double score(const double* row) const override { return f_score(options_, row); }

  std::vector<std::size_t> orders() const override {
    std::vector<std::size_t> out;
    if (options_.char_order > 0) out.push_back(options_.char_order);
    if (options_.word_order > 0) out.push_back(options_.word_order);
    return out;
  }
  std::unique_ptr<NgramReader> reader() const override {
    return std::make_unique<ChrfReader>(options_);
  }
  void fill(NgramTotals hyp, NgramTotals ref, const double* matches,
            double* out) const override {
    for (std::size_t i = 0; 3 * i < width(); ++i) {
      out[3 * i] = ref.totals[i] > 0 ? hyp.totals[i] : 0.0;  // as Grams::count
      out[3 * i + 1] = ref.totals[i];
      out[3 * i + 2] = matches[i];
    }
  }

 private:
  ChrfOptions options_;
};

}  // namespace

std::unique_ptr<Kernel> make_chrf(const ChrfOptions& options) {
  return std::make_unique<Chrf>(options);
}

}  // namespace tertium
