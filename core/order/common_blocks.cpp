// SPDX-License-Identifier: Apache-2.0
#include "order/common_blocks.hpp"

#include <algorithm>

namespace tertium {

bool CommonBlocks::Run::operator<(const Run& other) const {
  if (length != other.length) return length < other.length;
  if (distance != other.distance) return distance > other.distance;
  if (hyp != other.hyp) return hyp > other.hyp;
  return ref > other.ref;
}

void CommonBlocks::set_ref(Words ref, std::size_t types) {
  ref_ = ref;
  first_.assign(types + 1, 0);
  for (const std::uint32_t word : ref) ++first_[word + 1];
  for (std::size_t t = 0; t < types; ++t) first_[t + 1] += first_[t];
  places_.resize(ref.size());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::size_t j = 0; j < ref.size(); ++j)
    places_[next[ref[j]]++] = static_cast<std::uint32_t>(j);
}

std::span<const std::uint32_t> CommonBlocks::places(std::uint32_t word) const {
  if (std::size_t{word} + 1 >= first_.size()) return {};
  return std::span(places_).subspan(first_[word], first_[word + 1] - first_[word]);
}

std::size_t CommonBlocks::distance(std::size_t hyp, std::size_t ref,
                                   std::size_t hyp_words) const {
  const std::size_t a = hyp * ref_.size(), b = ref * hyp_words;
  return a > b ? a - b : b - a;
}

const std::vector<CommonBlocks::Block>& CommonBlocks::align(Words hyp) {
  blocks_.clear();
  hyp_taken_.assign(hyp.size(), 0);
  ref_taken_.assign(ref_.size(), 0);
  if (count_pairs(hyp) > kMostPairs) {
    align_in_turn(hyp);
  } else {
    collect(hyp);
    take(hyp.size());
  }
  std::sort(blocks_.begin(), blocks_.end(),
            [](const Block& a, const Block& b) { return a.hyp < b.hyp; });
  return blocks_;
}

std::size_t CommonBlocks::count_pairs(Words hyp) const {
  std::size_t pairs = 0;
  for (const std::uint32_t word : hyp) pairs += places(word).size();
  return pairs;
}

// Find all longest runs, from the last word of the hypothesis to the first: a run is
// complete when the words before it differ.
void CommonBlocks::collect(Words hyp) {
  runs_.clear();
  next_.clear();  // the runs that start at the word after this one, by place
  for (std::size_t i = hyp.size(); i-- > 0;) {
    row_.clear();
    auto after = next_.begin();
    for (const std::uint32_t j : places(hyp[i])) {
      while (after != next_.end() && after->first < j + 1) ++after;
      const bool longer = after != next_.end() && after->first == j + 1;
      row_.emplace_back(j, longer ? after->second + 1 : 1);
      const bool starts = i == 0 || j == 0 || hyp[i - 1] != ref_[j - 1];
      if (starts) runs_.push_back({row_.back().second, distance(i, j, hyp.size()), i, j});
    }
    pace_.spend(8 * row_.size());
    std::swap(row_, next_);
  }
  std::make_heap(runs_.begin(), runs_.end());
}

void CommonBlocks::take(std::size_t hyp_words) {
  while (!runs_.empty()) {
    std::pop_heap(runs_.begin(), runs_.end());
    const Run run = runs_.back();
    runs_.pop_back();
    pace_.spend(16 + run.length);
    split(run, hyp_words);
  }
}

// Take a run if all its words are free; otherwise put its free parts back.
void CommonBlocks::split(const Run& run, std::size_t hyp_words) {
  const auto free = [&](std::size_t k) {
    return !hyp_taken_[run.hyp + k] && !ref_taken_[run.ref + k];
  };
  std::size_t begin = 0;
  while (begin < run.length) {
    if (!free(begin)) {
      ++begin;
      continue;
    }
    std::size_t end = begin + 1;
    while (end < run.length && free(end)) ++end;
    if (end - begin == run.length) {
      for (std::size_t k = 0; k < run.length; ++k)
        hyp_taken_[run.hyp + k] = ref_taken_[run.ref + k] = 1;
      blocks_.push_back({run.hyp, run.ref, run.length});
      return;
    }
    const std::size_t i = run.hyp + begin, j = run.ref + begin;
    runs_.push_back({end - begin, distance(i, j, hyp_words), i, j});
    std::push_heap(runs_.begin(), runs_.end());
    begin = end;
  }
}

void CommonBlocks::align_in_turn(Words hyp) {
  std::vector<std::uint32_t> used(first_.size(), 0);
  for (std::size_t i = 0; i < hyp.size(); ++i) {
    const auto all = places(hyp[i]);
    if (all.empty() || used[hyp[i]] >= all.size()) continue;
    blocks_.push_back({i, all[used[hyp[i]]++], 1});
  }
}

}  // namespace tertium
