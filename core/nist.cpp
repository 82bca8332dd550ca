// SPDX-License-Identifier: Apache-2.0
#include "nist.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <string>
#include <vector>

#include "ngrams.hpp"

namespace tertium {

// A growing trie over the words of all references; nodes count occurrences.
class NistInformation {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  void observe(const std::vector<Text>& words, std::size_t max_order) {
    ids_.clear();
    for (const Text word : words) ids_.push_back(learn(word));
    counts_[0] += static_cast<double>(words.size());
    // Order by order: the look-ups of one order do not wait for each other.
    path_.assign(ids_.size(), 0);
    for (std::size_t n = 0; n < max_order && n < ids_.size(); ++n) {
      for (std::size_t i = 0; i + n < ids_.size(); ++i) {
        std::uint32_t& node = nodes_.at_or_add(key(path_[i], ids_[i + n]));
        if (node == 0) {
          node = static_cast<std::uint32_t>(counts_.size());
          counts_.push_back(0.0);
        }
        counts_[node] += 1.0;
        path_[i] = node;
      }
    }
  }

  // Make room for the n-grams of so many words.
  void reserve(std::size_t words, std::size_t max_order) { nodes_.reserve(words * max_order); }

  std::uint32_t word(Text text) const {
    const std::uint64_t first = word_key(text);
    for (std::uint64_t key = first;; key = next_key(key)) {
      const std::uint32_t number = numbers_.at(key);
      if (number == 0) return kNone;
      if (first < kHashedKey || words_[number - 1] == text) return number;
    }
  }

  // 0 if there is none.
  std::uint32_t child(std::uint32_t node, std::uint32_t word) const {
    return nodes_.at(key(node, word));
  }

  // log2(count(w1..wn-1) / count(w1..wn)); the root counts all words.
  double weight(std::uint32_t parent, std::uint32_t node) const {
    return std::log(counts_[parent] / counts_[node]) / std::log(2.0);
  }

 private:
  static std::uint64_t key(std::uint32_t node, std::uint32_t word) {
    return (static_cast<std::uint64_t>(node) << 32) | word;
  }

  // Words are numbered from 1.
  std::uint32_t learn(Text text) {
    const std::uint64_t first = word_key(text);
    for (std::uint64_t key = first;; key = next_key(key)) {
      std::uint32_t& number = numbers_.at_or_add(key);
      if (number == 0) {
        words_.emplace_back(text);
        return number = static_cast<std::uint32_t>(words_.size());
      }
      if (first < kHashedKey || words_[number - 1] == text) return number;
    }
  }

  std::deque<std::string> words_;
  GrowingMap numbers_;
  GrowingMap nodes_;
  std::vector<double> counts_{0.0};
  std::vector<std::uint32_t> ids_, path_;
};

namespace {

class NistWorker final : public Worker {
 public:
  NistWorker(const NistInformation& information, Scheme scheme, std::size_t max_order)
      : information_(information), segment_(Tokenizer(scheme)), max_order_(max_order) {}

  void set_refs(std::span<const Text> refs) override {
    segment_.set_refs(refs);
    global_.assign(segment_.types(), 0);
    if (tries_.size() < refs.size()) tries_.resize(refs.size());
    for (std::size_t r = 0; r < refs.size(); ++r) {
      tries_[r].reset(segment_.ref(r).size(), max_order_, segment_.types());
      tries_[r].add_reference(segment_.ref(r), 0);
    }
  }

  void row(Text hyp, double* out) override {
    segment_.set_hyp(hyp);
    const std::size_t length = segment_.hyp().size();
    std::fill_n(out, 2 * max_order_ + 2, 0.0);
    best_.assign(max_order_, Best{-1.0, 0.0});
    for (std::size_t r = 0; r < segment_.refs(); ++r) consider(r);
    for (std::size_t n = 0; n < max_order_; ++n) {
      out[n] = best_[n].weight;
      out[max_order_ + n] = static_cast<double>(ngram_total(length, n + 1));
      out[2 * max_order_] += best_[n].ref_length;
      out[2 * max_order_ + 1] += static_cast<double>(length);
    }
  }

 private:
  struct Best {
    double weight, ref_length;
  };

  // NLTK takes, order by order, the reference with the largest weight and of
  // equal ones the longest.
  void consider(std::size_t r) {
    const auto hyp = segment_.hyp();
    sums_.assign(max_order_, 0.0);
    path_.assign(max_order_ + 1, 0);
    std::size_t start = hyp.size(), known = 0;
    tries_[r].match(hyp, [&](std::size_t n, std::size_t i) {
      // Follow the n-gram in the trie of the whole test set as far as needed.
      if (i != start) {
        start = i;
        known = 0;
      }
      for (; known <= n; ++known)
        path_[known + 1] = information_.child(path_[known], global(hyp[i + known]));
      if (path_[n + 1] != 0) sums_[n] += information_.weight(path_[n], path_[n + 1]);
    });
    const double length = static_cast<double>(segment_.ref(r).size());
    for (std::size_t n = 0; n < max_order_; ++n) {
      Best& best = best_[n];
      if (sums_[n] > best.weight || (sums_[n] == best.weight && length > best.ref_length))
        best = Best{sums_[n], length};
    }
  }

  // The number of a word in the whole test set, looked up when first needed.
  std::uint32_t global(std::uint32_t id) {
    if (global_[id] == 0) global_[id] = information_.word(segment_.word(id));
    return global_[id];
  }

  const NistInformation& information_;
  TokenizedSegment segment_;
  std::size_t max_order_;
  std::vector<NgramTrie> tries_;
  std::vector<std::uint32_t> global_, path_;
  std::vector<double> sums_;
  std::vector<Best> best_;
};

class Nist final : public NistKernel {
 public:
  Nist(Scheme scheme, std::size_t max_order) : scheme_(scheme), max_order_(max_order) {}

  void observe(std::span<const Text> refs) override {
    std::size_t bytes = 0;
    for (const Text ref : refs) bytes += ref.size();
    information_.reserve(bytes / 8, max_order_);  // words are rarely shorter
    Tokenizer tokenizer(scheme_);
    std::vector<Text> words;
    for (const Text ref : refs) {
      tokenizer.reset();
      tokenizer(ref, words);
      information_.observe(words, max_order_);
    }
  }

  std::size_t width() const override { return 2 * max_order_ + 2; }

  std::unique_ptr<Worker> worker() const override {
    return std::make_unique<NistWorker>(information_, scheme_, max_order_);
  }

  double score(const double* row) const override {
    double sum = 0.0;
    for (std::size_t n = 0; n < max_order_; ++n)
      if (row[max_order_ + n] > 0) sum += row[n] / row[max_order_ + n];
    return sum * penalty(row[2 * max_order_ + 1], row[2 * max_order_]);
  }

 private:
  // exp(beta ln^2 min(1, hyp/ref)) with beta such that 2/3 gives 1/2.
  static double penalty(double hyp, double ref) {
    if (hyp <= 0) return 0.0;
    if (hyp >= ref) return 1.0;
    const double beta = std::log(0.5) / (std::log(1.5) * std::log(1.5));
    const double ratio = std::log(hyp / ref);
    return std::exp(beta * ratio * ratio);
  }

  Scheme scheme_;
  std::size_t max_order_;
  NistInformation information_;
};

}  // namespace

std::unique_ptr<NistKernel> make_nist(Scheme scheme, std::size_t max_order) {
  return std::make_unique<Nist>(scheme, max_order);
}

}  // namespace tertium
