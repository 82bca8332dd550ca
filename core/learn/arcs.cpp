// SPDX-License-Identifier: Apache-2.0
#include "learn/arcs.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

namespace tertium {

namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};

using Ids = std::span<const std::uint32_t>;

void check(Ids words, const DependencyTree* tree) {
  if (tree != nullptr && tree->heads.size() != words.size())
    throw std::invalid_argument("a text has no dependency tree; give one to all or to none");
}

// The head of word i, counted from 1; 0 for a root.
std::uint32_t head_of(const DependencyTree* tree, std::uint32_t i) {
  return tree == nullptr ? i : tree->heads[i];
}

// Call visit(item, in first, in second) for every item of two sorted ranges.
template <class Item, class Visit>
void merge(const std::vector<Item>& first, const std::vector<Item>& second, Visit visit) {
  auto a = first.begin(), b = second.begin();
  while (a != first.end() || b != second.end()) {
    const bool in_first = b == second.end() || (a != first.end() && *a <= *b);
    const bool in_second = a == first.end() || (b != second.end() && *b <= *a);
    visit(in_first ? *a : *b, in_first, in_second);
    if (in_first) ++a;
    if (in_second) ++b;
  }
}

class ArcWorker final : public PairWorker {
 public:
  explicit ArcWorker(const ArcSettings& settings) : settings_(settings) {}

  void row(const Pair& pair, double* out) override {
    std::fill_n(out, 3 * settings_.relations, 0.0);
    read(pair.hyp, pair.hyp_tree, hyp_);
    read(pair.ref, pair.ref_tree, ref_);
    const auto hyp = static_cast<double>(pair.hyp.size());
    const auto ref = static_cast<double>(pair.ref.size());
    const double both = settings_.longer ? std::max(hyp, ref) : (hyp + ref) / 2;
    merge(hyp_, ref_, [&](const Arc& arc, bool in_hyp, bool in_ref) {
      const std::size_t place = in_hyp && in_ref ? 0 : in_hyp ? 1 : 2;
      out[3 * arc[0] + place] += 1.0;
    });
    // Whole counts are divided last, so that equal texts give equal numbers.
    for (std::size_t r = 0; r < settings_.relations; ++r) {
      if (both > 0) out[3 * r] /= both;
      if (hyp > 0) out[3 * r + 1] /= hyp;
      if (ref > 0) out[3 * r + 2] /= ref;
    }
  }

 private:
  using Arc = std::array<std::uint32_t, 3>;  // relation, head, dependent

  void read(Ids words, const DependencyTree* tree, std::vector<Arc>& out) const {
    check(words, tree);
    out.clear();
    for (std::uint32_t i = 0; i < words.size(); ++i) {
      const std::uint32_t head = head_of(tree, i);
      const std::uint32_t relation = tree != nullptr ? tree->labels[i]
                                     : head == 0     ? settings_.root
                                                     : settings_.flat;
      if (relation >= settings_.relations)
        throw std::invalid_argument("a tree has a relation that has no place");
      out.push_back({relation, head == 0 ? kNone : words[head - 1], words[i]});
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
  }

  ArcSettings settings_;
  std::vector<Arc> hyp_, ref_;
};

class ArcKernel final : public PairKernel {
 public:
  explicit ArcKernel(const ArcSettings& settings) : settings_(settings) {
    if (settings.root >= settings.relations || settings.flat >= settings.relations)
      throw std::invalid_argument("a flattened tree has a relation that has no place");
  }
  std::size_t width() const override { return 3 * settings_.relations; }
  std::unique_ptr<PairWorker> worker() const override {
    return std::make_unique<ArcWorker>(settings_);
  }
  // Of several references, the one that shares most.
  double score(const double* row) const override {
    double sum = 0;
    for (std::size_t r = 0; r < settings_.relations; ++r) sum += row[3 * r];
    return sum;
  }

 private:
  ArcSettings settings_;
};

class ValencyWorker final : public PairWorker {
 public:
  void row(const Pair& pair, double* out) override {
    read(pair.hyp, pair.hyp_tree, hyp_);
    read(pair.ref, pair.ref_tree, ref_);
    out[0] = 0.0;
    // Equal items of sorted lists meet one to one, which clips them.
    merge(hyp_, ref_, [&](std::uint64_t, bool in_hyp, bool in_ref) {
      out[0] += in_hyp && in_ref ? 1.0 : 0.0;
    });
    out[1] = static_cast<double>(hyp_.size());
    out[2] = static_cast<double>(ref_.size());
  }

 private:
  void read(Ids words, const DependencyTree* tree, std::vector<std::uint64_t>& out) {
    check(words, tree);
    dependents_.assign(words.size(), 0);
    for (std::uint32_t i = 0; i < words.size(); ++i)
      if (const std::uint32_t head = head_of(tree, i)) ++dependents_[head - 1];
    out.clear();
    for (std::size_t i = 0; i < words.size(); ++i)
      if (dependents_[i] > 0) out.push_back(std::uint64_t{words[i]} << 32 | dependents_[i]);
    std::sort(out.begin(), out.end());
  }

  std::vector<std::uint32_t> dependents_;
  std::vector<std::uint64_t> hyp_, ref_;
};

class ValencyKernel final : public PairKernel {
 public:
  std::size_t width() const override { return 3; }
  std::unique_ptr<PairWorker> worker() const override {
    return std::make_unique<ValencyWorker>();
  }
  double score(const double* row) const override {
    return row[1] + row[2] > 0 ? 2 * row[0] / (row[1] + row[2]) : 0.0;
  }
};

}  // namespace

std::unique_ptr<PairKernel> make_arc_features(const ArcSettings& settings) {
  return std::make_unique<ArcKernel>(settings);
}

std::unique_ptr<PairKernel> make_valencies() { return std::make_unique<ValencyKernel>(); }

}  // namespace tertium
