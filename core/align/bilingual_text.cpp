// SPDX-License-Identifier: Apache-2.0
// Reading links off a BilingualModel.
#include <algorithm>
#include <cmath>
#include <utility>

#include "align/bilingual.hpp"
#include "base/batch.hpp"

namespace tertium {

namespace {

constexpr std::size_t kBlock = 16;

using WeightedLinks = std::vector<std::pair<std::pair<std::int32_t, std::int32_t>, double>>;

// The best state of every generated word, unless it has none.
void add_best(BilingualWorker& worker, std::size_t d, WeightedLinks& links) {
  const std::size_t states = worker.size(d), words = worker.size(1 - d);
  const std::span<const double> posterior = worker.chain(d).posterior();
  for (std::size_t w = 0; w < words; ++w) {
    const double* row = posterior.data() + w * states;
    const auto best = static_cast<std::size_t>(std::max_element(row, row + states) - row);
    if (row[best] < worker.chain(d).null_posterior()[w]) continue;
    const auto state = static_cast<std::int32_t>(best), word = static_cast<std::int32_t>(w);
    links.push_back({d == 0 ? std::pair(state, word) : std::pair(word, state), row[best]});
  }
}

void add_soft(BilingualWorker& worker, double threshold, WeightedLinks& links) {
  for (std::size_t i = 0; i < worker.size(0); ++i)
    for (std::size_t j = 0; j < worker.size(1); ++j) {
      const double weight =
          std::min(1.0, std::sqrt(worker.posterior(0, i, j) * worker.posterior(1, i, j)));
      if (weight >= threshold && weight > 0)
        links.push_back({{static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)}, weight});
    }
}

LinkLists join(const std::vector<WeightedLinks>& sentences) {
  LinkLists out;
  out.first.push_back(0);
  for (const WeightedLinks& sentence : sentences) {
    for (const auto& [link, weight] : sentence) {
      out.source.push_back(link.first);
      out.target.push_back(link.second);
      out.weight.push_back(weight);
    }
    out.first.push_back(static_cast<std::int64_t>(out.source.size()));
  }
  return out;
}

}  // namespace

bool BilingualText::prepare(BilingualWorker& worker, std::size_t s) const {
  const std::span<const std::int32_t> left = source.sentence(s), right = target.sentence(s);
  if (left.empty() || right.empty()) return false;
  worker.resize(left.size(), right.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    const KnownWord& f = words[0][static_cast<std::size_t>(left[i])];
    worker.null(1, i) = model.null_emission(1, f.word);
    for (std::size_t j = 0; j < right.size(); ++j) {
      const KnownWord& e = words[1][static_cast<std::size_t>(right[j])];
      const BilingualModel::Pair pair = model.find(f, e);
      worker.emission(0, i, j) = model.emission(0, pair, f.word, f.stem, e.share, 0);
      worker.emission(1, i, j) = model.emission(1, pair, e.word, e.stem, f.share, 0);
    }
  }
  for (std::size_t j = 0; j < right.size(); ++j)
    worker.null(0, j) = model.null_emission(0, words[1][static_cast<std::size_t>(right[j])].word);
  return true;
}

void BilingualText::visit(unsigned threads, const Visit& read) const {
  parallel_for(source.size(), kBlock, threads, [&]() -> Body {
    return [&, worker = BilingualWorker(model)](std::size_t from, std::size_t to) mutable {
      for (std::size_t s = from; s < to; ++s) {
        if (!prepare(worker, s)) continue;
        worker.run(true);
        read(worker, s);
      }
    };
  });
}

std::array<LinkLists, 2> BilingualText::links(unsigned threads) const {
  const std::size_t n = source.size();
  std::array<std::vector<WeightedLinks>, 2> links;
  links.fill(std::vector<WeightedLinks>(n));
  visit(threads, [&](BilingualWorker& worker, std::size_t s) {
    for (std::size_t d = 0; d < 2; ++d) {
      add_best(worker, d, links[d][s]);
      std::sort(links[d][s].begin(), links[d][s].end());
    }
  });
  return {join(links[0]), join(links[1])};
}

LinkLists BilingualText::soft_links(double threshold, unsigned threads) const {
  std::vector<WeightedLinks> links(source.size());
  visit(threads, [&](BilingualWorker& worker, std::size_t s) {
    add_soft(worker, threshold, links[s]);
  });
  return join(links);
}

}  // namespace tertium
