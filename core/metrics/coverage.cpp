// SPDX-License-Identifier: Apache-2.0
#include "metrics/coverage.hpp"

#include <algorithm>

namespace tertium {

namespace {

class CoverageWorker final : public PairWorker {
 public:
  void row(const Pair& pair, double* out) override {
    hyp_.assign(pair.hyp.size(), 0);
    ref_.assign(pair.ref.size(), 0);
    for (const Match& match : pair.matches) {  // links from a file may share words
      std::fill_n(hyp_.begin() + match.hyp, match.hyp_length, 1);
      std::fill_n(ref_.begin() + match.ref, match.ref_length, 1);
    }
    out[0] = static_cast<double>(std::count(hyp_.begin(), hyp_.end(), 1) +
                                 std::count(ref_.begin(), ref_.end(), 1));
    out[1] = static_cast<double>(hyp_.size() + ref_.size());
  }

 private:
  std::vector<char> hyp_, ref_;
};

class Coverage final : public PairKernel {
 public:
  std::size_t width() const override { return 2; }
  std::unique_ptr<PairWorker> worker() const override {
    return std::make_unique<CoverageWorker>();
  }
  double score(const double* row) const override { return row[1] > 0 ? row[0] / row[1] : 0.0; }
};

}  // namespace

std::unique_ptr<PairKernel> make_aligned_percentage() { return std::make_unique<Coverage>(); }

}  // namespace tertium
