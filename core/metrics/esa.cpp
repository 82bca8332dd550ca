// SPDX-License-Identifier: Apache-2.0
#include "metrics/esa.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "base/pace.hpp"
#include "text/words.hpp"

namespace tertium {

namespace {

double tf_weight(std::size_t count) { return 1.0 + std::log(static_cast<double>(count)); }

// A word of a text and how often it occurs there.
struct Term {
  std::uint32_t word;
  std::size_t count;
};

// The distinct words of a text, by number: the sum of their vectors has a fixed order.
void count_terms(std::vector<std::uint32_t>& words, std::vector<Term>& out) {
  std::ranges::sort(words);
  out.clear();
  for (const std::uint32_t word : words) {
    if (!out.empty() && out.back().word == word) ++out.back().count;
    else out.push_back({word, 1});
  }
}

// The documents of every word, with the word's tf-idf in the document's unit vector.
class ConceptIndex {
 public:
  void observe(std::span<const Text> documents, Scheme scheme) {
    size_ = documents.size();
    Tokenizer tokenizer(scheme);
    std::vector<Text> tokens;
    std::vector<std::uint32_t> words;
    std::vector<Term> terms;
    std::vector<Term> all;              // of all documents, one after the other
    std::vector<std::size_t> ends;      // where each document ends in it
    std::vector<std::size_t> in_documents;
    for (const Text document : documents) {
      tokenizer.reset();
      tokenizer(document, tokens);
      words.clear();
      for (const Text token : tokens) words.push_back(vocabulary_.add(token));
      count_terms(words, terms);
      in_documents.resize(vocabulary_.size(), 0);
      for (const Term& term : terms) ++in_documents[term.word];
      all.insert(all.end(), terms.begin(), terms.end());
      ends.push_back(all.size());
    }
    weigh(in_documents);
    invert(all, ends, in_documents);
  }

  std::size_t documents() const { return size_; }
  std::uint32_t word(Text text) const { return vocabulary_.find(text); }

  // Add the vector of a word that occurs so often; return how many documents have it.
  std::size_t add(const Term& term, double* concepts) const {
    const double weight = tf_weight(term.count) * idf_[term.word];
    const std::size_t end = starts_[term.word + 1];
    for (std::size_t i = starts_[term.word]; i < end; ++i)
      concepts[postings_[i].document] += weight * postings_[i].weight;
    return end - starts_[term.word];
  }

 private:
  struct Posting {
    std::uint32_t document;
    float weight;
  };

  void weigh(const std::vector<std::size_t>& in_documents) {
    for (const std::size_t count : in_documents)
      idf_.push_back(std::log1p(static_cast<double>(size_) / static_cast<double>(count)));
  }

  void invert(const std::vector<Term>& all, const std::vector<std::size_t>& ends,
              const std::vector<std::size_t>& in_documents) {
    starts_.assign(in_documents.size() + 1, 0);
    std::partial_sum(in_documents.begin(), in_documents.end(), starts_.begin() + 1);
    postings_.resize(all.size());
    std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
    std::size_t first = 0;
    for (std::size_t d = 0; d < ends.size(); first = ends[d++]) {
      const std::span<const Term> terms(all.data() + first, ends[d] - first);
      double squares = 0.0;
      for (const Term& term : terms) {
        const double weight = tf_weight(term.count) * idf_[term.word];
        squares += weight * weight;
      }
      const double scale = squares > 0 ? 1.0 / std::sqrt(squares) : 0.0;
      for (const Term& term : terms)
        postings_[next[term.word]++] = {
            static_cast<std::uint32_t>(d),
            static_cast<float>(tf_weight(term.count) * idf_[term.word] * scale)};
    }
  }

  Vocabulary vocabulary_;
  std::size_t size_ = 0;
  std::vector<double> idf_;
  std::vector<std::size_t> starts_;  // of the postings of every word, and their end
  std::vector<Posting> postings_;
};

// Similarities of a text to all documents.
struct Concepts {
  std::vector<double> values;
  double squares = 0.0;
};

class EsaWorker final : public Worker {
 public:
  EsaWorker(const ConceptIndex& index, Scheme scheme) : index_(index), tokenizer_(scheme) {}

  void set_refs(std::span<const Text> refs) override {
    tokenizer_.reset();
    count_ = refs.size();
    refs_.resize(std::max(refs_.size(), count_));
    for (std::size_t r = 0; r < count_; ++r) read(refs[r], refs_[r]);
  }

  void row(Text hyp, double* out) override {
    read(hyp, hyp_);
    double best = 0.0;
    for (std::size_t r = 0; r < count_; ++r) best = std::max(best, cosine(hyp_, refs_[r]));
    out[0] = best;
    out[1] = 1.0;
  }

  void read(Text text, Concepts& out) {
    tokenizer_(text, tokens_);
    words_.clear();
    for (const Text token : tokens_) {
      const std::uint32_t word = index_.word(token);
      if (word != Vocabulary::kUnknown) words_.push_back(word);
    }
    count_terms(words_, terms_);
    out.values.assign(index_.documents(), 0.0);
    std::size_t steps = 2 * index_.documents();
    for (const Term& term : terms_) steps += index_.add(term, out.values.data());
    out.squares = dot(out.values, out.values);
    pace_.spend(steps);
  }

 private:
  static double dot(const std::vector<double>& a, const std::vector<double>& b) {
    // Four sums, so that additions need not wait for each other.
    double sums[4] = {0, 0, 0, 0};
    std::size_t i = 0;
    for (; i + 4 <= a.size(); i += 4)
      for (std::size_t k = 0; k < 4; ++k) sums[k] += a[i + k] * b[i + k];
    for (; i < a.size(); ++i) sums[0] += a[i] * b[i];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }

  static double cosine(const Concepts& a, const Concepts& b) {
    const double below = std::sqrt(a.squares) * std::sqrt(b.squares);
    return below > 0 ? std::min(1.0, dot(a.values, b.values) / below) : 0.0;
  }

  const ConceptIndex& index_;
  Tokenizer tokenizer_;
  std::vector<Text> tokens_;
  std::vector<std::uint32_t> words_;
  std::vector<Term> terms_;
  std::vector<Concepts> refs_;
  std::size_t count_ = 0;
  Concepts hyp_;
  Pace pace_;
};

class Esa final : public EsaKernel {
 public:
  explicit Esa(Scheme scheme) : scheme_(scheme) {}

  void observe(std::span<const Text> documents) override { index_.observe(documents, scheme_); }
  std::vector<double> concepts(Text text) const override {
    Concepts out;
    EsaWorker(index_, scheme_).read(text, out);
    return out.values;
  }
  std::size_t width() const override { return 2; }
  std::unique_ptr<Worker> worker() const override {
    return std::make_unique<EsaWorker>(index_, scheme_);
  }
  double score(const double* row) const override { return row[1] > 0 ? row[0] / row[1] : 0.0; }

 private:
  Scheme scheme_;
  ConceptIndex index_;
};

}  // namespace

std::unique_ptr<EsaKernel> make_esa(Scheme scheme) { return std::make_unique<Esa>(scheme); }

}  // namespace tertium
