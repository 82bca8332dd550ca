// SPDX-License-Identifier: Apache-2.0
#include "metrics/nist.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <string>
#include <vector>

#include "text/ngrams.hpp"
#include "text/segment.hpp"

namespace tertium {

// How often n-grams occur in all references, as a trie. Words are nodes 1 to V.
//
// An n-gram whose first n-1 words occur only once tells nothing: its weight is
// log2(1 / 1). So orders are counted one after the other, and n-grams are only
// counted where they continue one that occurs twice. Most long ones do not.
class NistInformation {
 public:
  // Take the next references: four bytes a word are kept until finish().
  void observe(std::span<const Text> refs, Scheme scheme) {
    Tokenizer tokenizer(scheme);
    std::vector<Text> tokens;
    for (const Text ref : refs) {
      tokenizer.reset();
      tokenizer(ref, tokens);
      for (const Text token : tokens) text_.push_back(learn(token));
      text_.push_back(0);
      total_ += static_cast<double>(tokens.size());
    }
  }

  // Count n-grams, after the last references.
  void finish(std::size_t max_order) {
    counts_.assign(words_.size() + 1, 0.0);
    for (const std::uint32_t word : text_) counts_[word] += 1.0;
    counts_[0] = total_;
    count_longer(text_, max_order);
    std::vector<std::uint32_t>().swap(text_);
  }

  NistState state() const {
    NistState state;
    state.total = total_;
    state.words.assign(words_.begin(), words_.end());
    state.counts = counts_;
    state.keys.resize(counts_.size() - std::min(counts_.size(), words_.size() + 1));
    nodes_.each([&](std::uint64_t key, std::uint32_t node) {
      state.keys[node - words_.size() - 1] = key;
    });
    return state;
  }

  void restore(const NistState& state) {
    total_ = state.total;
    for (const std::string& word : state.words) learn(word);
    counts_ = state.counts;
    nodes_.reserve(state.keys.size());
    for (std::size_t i = 0; i < state.keys.size(); ++i)
      nodes_.at_or_add(state.keys[i]) = static_cast<std::uint32_t>(words_.size() + 1 + i);
  }

  // The node of an n-gram from that of its first n-1 words; 0 if it tells nothing.
  std::uint32_t child(std::uint32_t node, std::uint32_t word) const {
    return node == 0 ? word : nodes_.at(key(node, word));
  }

  // The number of a word of the references.
  std::uint32_t word(Text text) const {
    const std::uint64_t first = word_key(text);
    for (std::uint64_t key = first;; key = next_key(key)) {
      const std::uint32_t number = numbers_.at(key);
      if (number == 0 || first < kHashedKey || words_[number - 1] == text) return number;
    }
  }

  // log2(count(w1..wn-1) / count(w1..wn)); node 0 counts all words.
  double weight(std::uint32_t parent, std::uint32_t node) const {
    return std::log(counts_[parent] / counts_[node]) / std::log(2.0);
  }

 private:
  static std::uint64_t key(std::uint32_t node, std::uint32_t word) {
    return (static_cast<std::uint64_t>(node) << 32) | word;
  }

  void count_longer(const std::vector<std::uint32_t>& text, std::size_t max_order) {
    // Where n-grams start that may be continued, and their nodes.
    std::vector<std::uint32_t> starts, nodes;
    starts.reserve(text.size());
    nodes.reserve(text.size());
    for (std::uint32_t i = 0; i < text.size(); ++i) {
      if (text[i] == 0) continue;
      starts.push_back(i);
      nodes.push_back(text[i]);
    }
    for (std::size_t n = 1; n < max_order && !starts.empty(); ++n) {
      std::size_t kept = 0;
      for (std::size_t s = 0; s < starts.size(); ++s) {
        const std::uint32_t word = text[starts[s] + n];  // 0 behind a reference
        if (word == 0 || counts_[nodes[s]] < 2.0) continue;
        std::uint32_t& node = nodes_.at_or_add(key(nodes[s], word));
        if (node == 0) {
          node = static_cast<std::uint32_t>(counts_.size());
          counts_.push_back(0.0);
        }
        counts_[node] += 1.0;
        starts[kept] = starts[s];
        nodes[kept++] = node;
      }
      starts.resize(kept);
      nodes.resize(kept);
    }
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

  double total_ = 0.0;
  std::vector<std::uint32_t> text_;  // the words of all references, 0 between them
  std::deque<std::string> words_;
  GrowingMap numbers_, nodes_;
  std::vector<double> counts_;
};

namespace {

class NistWorker final : public Worker {
 public:
  NistWorker(const NistInformation& information, Scheme scheme, std::size_t max_order)
      : information_(information), segment_(Tokenizer(scheme)), max_order_(max_order) {}

  void set_refs(std::span<const Text> refs) override {
    segment_.set_refs(refs);
    global_.assign(segment_.types(), kUnset);
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
  static constexpr std::uint32_t kUnset = 0xFFFFFFFFu;

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
      for (; known <= n; ++known) {
        const bool told = known == 0 || path_[known] != 0;
        path_[known + 1] =
            told ? information_.child(path_[known], global(hyp[i + known])) : 0;
      }
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
    if (global_[id] == kUnset) global_[id] = information_.word(segment_.word(id));
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
    information_.observe(refs, scheme_);
  }
  void finish() override { information_.finish(max_order_); }
  NistState state() const override { return information_.state(); }
  void restore(const NistState& state) override { information_.restore(state); }

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
