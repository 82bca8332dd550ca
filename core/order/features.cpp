// SPDX-License-Identifier: Apache-2.0
#include "order/features.hpp"

#include <algorithm>

#include "order/order.hpp"

namespace tertium {

namespace {

enum : std::size_t { kKendall, kPets, kStraight, kInverted, kFour, kMore, kRecall };

class OrderFeatureWorker final : public PairWorker {
 public:
  void row(const Pair& pair, double* out) override {
    features_.read(reduction_.reduce(pair), out);
    ref_.assign(pair.ref.size(), 0);
    for (const Match& match : pair.matches)
      std::fill_n(ref_.begin() + match.ref, match.ref_length, 1);
    const auto aligned = static_cast<double>(std::count(ref_.begin(), ref_.end(), 1));
    out[kRecall] = ref_.empty() ? 0.0 : aligned / static_cast<double>(ref_.size());
  }

 private:
  Reduction reduction_{Keep::kLeftmost, Unaligned::kDrop};
  OrderFeatures features_;
  std::vector<char> ref_;
};

class OrderFeatureKernel final : public PairKernel {
 public:
  std::size_t width() const override { return kOrderFeatures; }
  std::unique_ptr<PairWorker> worker() const override {
    return std::make_unique<OrderFeatureWorker>();
  }
  double score(const double* row) const override { return row[kKendall]; }
};

}  // namespace

void OrderFeatures::read(Permutation perm, double* out) {
  std::fill_n(out, kOrderFeatures - 1, 0.0);
  const std::size_t n = perm.size();
  if (n < 2) {
    out[kPets] = static_cast<double>(n);
    return;
  }
  out[kKendall] = flat_.score(FlatMetric::kKendall, perm);
  const FlatTree& tree = builder_.build(perm);
  // The one tree of two words is all there can be, so the count says nothing.
  out[kPets] = n == 2 ? static_cast<double>(perm[0] < perm[1]) : counter_.n_pets(tree, n);
  double nodes = 0;
  for (const std::uint32_t i : tree.inner) {
    const TreeNode& node = tree.nodes[i];
    // A merged node of k children is a chain of k - 1 binary ones.
    const double own = node.kind == NodeKind::kPrime ? 1.0 : node.count - 1.0;
    const std::size_t kind = node.kind == NodeKind::kStraight   ? kStraight
                             : node.kind == NodeKind::kInverted ? kInverted
                             : node.count == 4                  ? kFour
                                                                : kMore;
    out[kind] += own;
    nodes += own;
  }
  for (const std::size_t kind : {kStraight, kInverted, kFour, kMore}) out[kind] /= nodes;
}

std::unique_ptr<PairKernel> make_order_features() {
  return std::make_unique<OrderFeatureKernel>();
}

}  // namespace tertium
