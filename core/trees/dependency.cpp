// SPDX-License-Identifier: Apache-2.0
#include "trees/dependency.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace tertium {

namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};

// The nodes of one text: words, heads, labels, and what the last step made of them.
struct Side {
  std::span<const std::uint32_t> words;
  std::vector<std::uint32_t> heads, labels;  // heads from 1, 0 for a root
  std::vector<std::uint32_t> chain;          // by node: number of the chain that ends there
  std::vector<std::uint64_t> keys;           // by node, where there is one
  std::vector<std::uint32_t> nodes;          // whose keys these are

  void set(std::span<const std::uint32_t> text, const DependencyTree* tree, bool flat) {
    words = text;
    if (flat) {
      heads.resize(text.size());
      for (std::uint32_t i = 0; i < text.size(); ++i) heads[i] = i;
      labels.assign(text.size(), 0);
    } else if (tree != nullptr && tree->heads.size() == text.size()) {
      heads = tree->heads;
      labels = tree->labels;
    } else {
      throw std::invalid_argument("a text has no dependency tree; give one, or flatten");
    }
  }
};

// Equal keys of both sides get equal numbers.
class Numbers {
 public:
  // Replace the chains of both sides by the numbers of their keys.
  void assign(Side& a, Side& b) {
    all_ = a.keys;
    all_.insert(all_.end(), b.keys.begin(), b.keys.end());
    std::sort(all_.begin(), all_.end());
    all_.erase(std::unique(all_.begin(), all_.end()), all_.end());
    for (Side* side : {&a, &b}) {
      side->chain.assign(side->words.size(), kNone);
      for (std::size_t i = 0; i < side->keys.size(); ++i)
        side->chain[side->nodes[i]] = static_cast<std::uint32_t>(
            std::lower_bound(all_.begin(), all_.end(), side->keys[i]) - all_.begin());
    }
  }

  // How many keys both sides have, each as often as in the side with fewer.
  std::size_t shared(const Side& a, const Side& b) {
    counts_.assign(all_.size(), 0);
    for (const std::uint32_t node : b.nodes) ++counts_[b.chain[node]];
    std::size_t out = 0;
    for (const std::uint32_t node : a.nodes)
      if (counts_[a.chain[node]] > 0) {
        --counts_[a.chain[node]];
        ++out;
      }
    return out;
  }

 private:
  std::vector<std::uint64_t> all_;
  std::vector<std::size_t> counts_;
};

constexpr std::uint64_t join(std::uint32_t above, std::uint32_t below) {
  return std::uint64_t{above} << 32 | below;
}

// A key for every word alone.
void word_keys(Side& side) {
  side.keys.clear();
  side.nodes.clear();
  for (std::uint32_t i = 0; i < side.words.size(); ++i) {
    side.keys.push_back(side.words[i]);
    side.nodes.push_back(i);
  }
}

// A key for every chain that is one word longer: the number of the chain that ends
// at the head, and the word.
void longer_keys(Side& side) {
  side.keys.clear();
  side.nodes.clear();
  for (std::uint32_t i = 0; i < side.words.size(); ++i) {
    if (side.heads[i] == 0 || side.chain[side.heads[i] - 1] == kNone) continue;
    side.keys.push_back(join(side.chain[side.heads[i] - 1], side.words[i]));
    side.nodes.push_back(i);
  }
}

class ChainWorker final : public PairWorker {
 public:
  // Columns of every length: shared, of the hypothesis, and, if wanted, of the reference.
  ChainWorker(bool flat, std::size_t max_length, std::size_t columns)
      : flat_(flat), max_length_(max_length), columns_(columns) {}

  void row(const Pair& pair, double* out) override {
    hyp_.set(pair.hyp, pair.hyp_tree, flat_);
    ref_.set(pair.ref, pair.ref_tree, flat_);
    for (std::size_t n = 0; n < max_length_; ++n) {
      for (Side* side : {&hyp_, &ref_}) n == 0 ? word_keys(*side) : longer_keys(*side);
      numbers_.assign(hyp_, ref_);
      out[columns_ * n] = static_cast<double>(numbers_.shared(hyp_, ref_));
      out[columns_ * n + 1] = static_cast<double>(hyp_.keys.size());
      if (columns_ == 3) out[columns_ * n + 2] = static_cast<double>(ref_.keys.size());
    }
  }

 private:
  bool flat_;
  std::size_t max_length_, columns_;
  Side hyp_, ref_;
  Numbers numbers_;
};

class HeadwordChain final : public PairKernel {
 public:
  HeadwordChain(bool flat, std::size_t max_length) : flat_(flat), max_length_(max_length) {}

  std::size_t width() const override { return 2 * max_length_; }
  std::unique_ptr<PairWorker> worker() const override {
    return std::make_unique<ChainWorker>(flat_, max_length_, 2);
  }
  double score(const double* row) const override {
    double sum = 0;
    for (std::size_t n = 0; n < max_length_; ++n)
      if (row[2 * n + 1] > 0) sum += row[2 * n] / row[2 * n + 1];
    return sum / static_cast<double>(max_length_);
  }

 private:
  bool flat_;
  std::size_t max_length_;
};

class ChainCounts final : public PairKernel {
 public:
  ChainCounts(bool flat, std::size_t max_length) : flat_(flat), max_length_(max_length) {}

  std::size_t width() const override { return 3 * max_length_; }
  std::unique_ptr<PairWorker> worker() const override {
    return std::make_unique<ChainWorker>(flat_, max_length_, 3);
  }
  double score(const double* row) const override {
    double sum = 0;
    for (std::size_t n = 0; n < max_length_; ++n) {
      const double chains = row[3 * n + 1] + row[3 * n + 2];
      if (chains > 0) sum += 2 * row[3 * n] / chains;
    }
    return sum / static_cast<double>(max_length_);
  }

 private:
  bool flat_;
  std::size_t max_length_;
};

class OverlapWorker final : public PairWorker {
 public:
  OverlapWorker(bool flat, Arcs arcs) : flat_(flat), arcs_(arcs) {}

  void row(const Pair& pair, double* out) override {
    hyp_.set(pair.hyp, pair.hyp_tree, flat_);
    ref_.set(pair.ref, pair.ref_tree, flat_);
    for (Side* side : {&hyp_, &ref_}) word_keys(*side);
    numbers_.assign(hyp_, ref_);
    if (arcs_ != Arcs::kWords) {
      extend([](const Side& side, std::uint32_t i) {  // a root hangs on no word
        return side.heads[i] == 0 ? kNone : side.chain[side.heads[i] - 1];
      });
      if (arcs_ == Arcs::kLabelled)
        extend([](const Side& side, std::uint32_t i) { return side.labels[i]; });
    }
    out[0] = static_cast<double>(numbers_.shared(hyp_, ref_));
    out[1] = static_cast<double>(hyp_.words.size());
    out[2] = static_cast<double>(ref_.words.size());
  }

 private:
  template <typename Part>
  void extend(Part part) {
    for (Side* side : {&hyp_, &ref_})
      for (std::uint32_t i = 0; i < side->words.size(); ++i)
        side->keys[i] = join(part(*side, i), side->chain[i]);
    numbers_.assign(hyp_, ref_);
  }

  bool flat_;
  Arcs arcs_;
  Side hyp_, ref_;
  Numbers numbers_;
};

class DependencyOverlap final : public PairKernel {
 public:
  DependencyOverlap(bool flat, Arcs arcs, Overlap overlap)
      : flat_(flat), arcs_(arcs), overlap_(overlap) {}

  std::size_t width() const override { return 3; }
  std::unique_ptr<PairWorker> worker() const override {
    return std::make_unique<OverlapWorker>(flat_, arcs_);
  }
  double score(const double* row) const override {
    const double precision = row[1] > 0 ? row[0] / row[1] : 0.0;
    const double recall = row[2] > 0 ? row[0] / row[2] : 0.0;
    switch (overlap_) {
      case Overlap::kPrecision: return precision;
      case Overlap::kRecall: return recall;
      case Overlap::kMean: return (precision + recall) / 2;
      case Overlap::kF: break;
    }
    return row[1] + row[2] > 0 ? 2 * row[0] / (row[1] + row[2]) : 0.0;
  }

 private:
  bool flat_;
  Arcs arcs_;
  Overlap overlap_;
};

}  // namespace

std::unique_ptr<PairKernel> make_headword_chain(bool flat, std::size_t max_length) {
  return std::make_unique<HeadwordChain>(flat, max_length);
}

std::unique_ptr<PairKernel> make_chain_counts(bool flat, std::size_t max_length) {
  return std::make_unique<ChainCounts>(flat, max_length);
}

std::unique_ptr<PairKernel> make_dependency_overlap(bool flat, Arcs arcs, Overlap overlap) {
  return std::make_unique<DependencyOverlap>(flat, arcs, overlap);
}

}  // namespace tertium
