// SPDX-License-Identifier: Apache-2.0
#include "order/link_tau.hpp"

#include <algorithm>

namespace tertium {

namespace {

std::uint64_t pairs_of(std::uint64_t n) { return n * (n - 1) / 2; }

// The number of pairs of neighbours in order that `same` joins.
template <class Same>
std::uint64_t tied(const std::vector<WordLink>& links, Same same) {
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < links.size();) {
    std::size_t end = i + 1;
    while (end < links.size() && same(links[i], links[end])) ++end;
    total += pairs_of(end - i);
    i = end;
  }
  return total;
}

// Sort by reference word; return how many pairs stood the wrong way round.
std::uint64_t merge_sort(std::span<WordLink> links, std::vector<WordLink>& scratch) {
  if (links.size() < 2) return 0;
  const std::size_t half = links.size() / 2;
  std::uint64_t inversions =
      merge_sort(links.first(half), scratch) + merge_sort(links.subspan(half), scratch);
  scratch.clear();
  for (std::size_t a = 0, b = half; a < half || b < links.size();) {
    if (b == links.size() || (a < half && links[a].second <= links[b].second)) {
      scratch.push_back(links[a++]);
    } else {
      inversions += half - a;
      scratch.push_back(links[b++]);
    }
  }
  std::copy(scratch.begin(), scratch.end(), links.begin());
  return inversions;
}

class LinkTauWorker final : public PairWorker {
 public:
  void row(const Pair& pair, double* out) override {
    links_.clear();
    for (const Match& m : pair.matches)
      for (std::uint32_t h = m.hyp; h < m.hyp + m.hyp_length; ++h)
        for (std::uint32_t r = m.ref; r < m.ref + m.ref_length; ++r) links_.emplace_back(h, r);
    const std::optional<double> tau = link_tau(links_);
    out[0] = tau.value_or(0.0);
    out[1] = tau ? 1.0 : 0.0;
    out[2] = tau ? 0.0 : 1.0;
  }

 private:
  std::vector<WordLink> links_;
};

class LinkTau final : public PairKernel {
 public:
  std::size_t width() const override { return 3; }
  std::unique_ptr<PairWorker> worker() const override {
    return std::make_unique<LinkTauWorker>();
  }
  double score(const double* row) const override { return row[1] > 0 ? row[0] / row[1] : 0.0; }
};

}  // namespace

std::optional<double> link_tau(std::vector<WordLink>& links) {
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  const std::uint64_t all = links.empty() ? 0 : pairs_of(links.size());
  const std::uint64_t same_hyp =
      tied(links, [](const WordLink& a, const WordLink& b) { return a.first == b.first; });
  // Links of one hypothesis word are sorted by reference: no inversion among them.
  std::vector<WordLink> scratch;
  const std::uint64_t discordant = merge_sort(links, scratch);
  const std::uint64_t same_ref =
      tied(links, [](const WordLink& a, const WordLink& b) { return a.second == b.second; });
  const std::uint64_t counted = all - same_hyp - same_ref;  // no two links share both
  if (counted == 0) return std::nullopt;
  const std::uint64_t concordant = counted - discordant;
  return (static_cast<double>(concordant) - static_cast<double>(discordant)) /
         static_cast<double>(counted);
}

std::unique_ptr<PairKernel> make_link_tau() { return std::make_unique<LinkTau>(); }

}  // namespace tertium
