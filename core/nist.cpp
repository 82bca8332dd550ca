// SPDX-License-Identifier: Apache-2.0
#include "nist.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>
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
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      std::uint32_t node = 0;
      for (std::size_t n = i; n < ids_.size() && n < i + max_order; ++n) {
        std::uint32_t& next = nodes_.at_or_add(key(node, ids_[n]));
        if (next == 0) {
          next = static_cast<std::uint32_t>(counts_.size());
          counts_.push_back(0.0);
        }
        node = next;
        counts_[node] += 1.0;
      }
    }
  }

  std::uint32_t word(Text text) const {
    const auto found = words_.find(text);
    return found == words_.end() ? kNone : found->second;
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
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(Text text) const { return std::hash<Text>{}(text); }
  };

  static std::uint64_t key(std::uint32_t node, std::uint32_t word) {
    return (static_cast<std::uint64_t>(node) << 32) | word;
  }

  std::uint32_t learn(Text text) {
    const auto found = words_.find(text);
    if (found != words_.end()) return found->second;
    const auto id = static_cast<std::uint32_t>(words_.size());
    words_.emplace(std::string(text), id);
    return id;
  }

  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> words_;
  GrowingMap nodes_;
  std::vector<double> counts_{0.0};
  std::vector<std::uint32_t> ids_;
};

namespace {

class NistWorker final : public Worker {
 public:
  NistWorker(const NistInformation& information, Scheme scheme, std::size_t max_order)
      : information_(information), segment_(Tokenizer(scheme)), max_order_(max_order) {}

  void set_refs(std::span<const Text> refs) override {
    segment_.set_refs(refs);
    global_.resize(segment_.types());
    for (std::uint32_t id = 0; id < global_.size(); ++id)
      global_[id] = information_.word(segment_.word(id));
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
        path_[known + 1] = information_.child(path_[known], global_[hyp[i + known]]);
      if (path_[n + 1] != 0) sums_[n] += information_.weight(path_[n], path_[n + 1]);
    });
    const double length = static_cast<double>(segment_.ref(r).size());
    for (std::size_t n = 0; n < max_order_; ++n) {
      Best& best = best_[n];
      if (sums_[n] > best.weight || (sums_[n] == best.weight && length > best.ref_length))
        best = Best{sums_[n], length};
    }
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
