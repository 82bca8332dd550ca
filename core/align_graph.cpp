// SPDX-License-Identifier: Apache-2.0
#include "align_graph.hpp"

#include <algorithm>
#include <numeric>

namespace tertium {

void AlignmentGraph::build(std::size_t hyp_words, std::size_t ref_words,
                           std::span<const Match> candidates,
                           std::span<const std::uint32_t> first) {
  candidates_ = candidates;
  first_ = first;
  kinds_.assign(hyp_words, Kind::kBare);
  find_components(ref_words);
  bits_ = 0;
  for (const Component& c : components_)
    if (c.candidates > 1) return number_bits(ref_words);
}

std::uint32_t AlignmentGraph::root(std::uint32_t node) {
  while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
  return node;
}

void AlignmentGraph::join(std::uint32_t a, std::uint32_t b) {
  a = root(a);
  b = root(b);
  if (a != b) parent_[std::max(a, b)] = std::min(a, b);
}

void AlignmentGraph::find_components(std::size_t ref_words) {
  const auto refs = static_cast<std::uint32_t>(kinds_.size());  // number of the first one
  parent_.resize(kinds_.size() + ref_words);
  std::iota(parent_.begin(), parent_.end(), 0u);
  longest_ = 1;
  for (const Match& m : candidates_) {
    for (std::uint32_t i = 1; i < m.hyp_length; ++i) join(m.hyp, m.hyp + i);
    for (std::uint32_t i = 0; i < m.ref_length; ++i) join(m.hyp, refs + m.ref + i);
    longest_ = std::max(longest_, m.hyp_length);
  }
  components_.clear();
  number_.assign(parent_.size(), kNone);
  component_.assign(kinds_.size(), kNone);
  ref_component_.assign(ref_words, kNone);
  for (const Match& m : candidates_) {
    std::uint32_t& number = number_[root(m.hyp)];
    if (number == kNone) {
      number = static_cast<std::uint32_t>(components_.size());
      components_.emplace_back();
    }
    Component& c = components_[number];
    ++c.candidates;
    c.phrases |= m.hyp_length > 1 || m.ref_length > 1;
    std::fill_n(component_.begin() + m.hyp, m.hyp_length, number);
    std::fill_n(ref_component_.begin() + m.ref, m.ref_length, number);
  }
  for (std::size_t h = 0; h < kinds_.size(); ++h)
    if (component_[h] != kNone)
      kinds_[h] = components_[component_[h]].candidates > 1 ? Kind::kContested : Kind::kForced;
}

void AlignmentGraph::number_bits(std::size_t ref_words) {
  left_.assign(kinds_.size(), 0);
  for (std::size_t h = kinds_.size(); h-- > 0;)
    if (component_[h] != kNone) left_[h] = ++components_[component_[h]].hyp_words;
  bit_.assign(ref_words, kNone);
  for (std::size_t r = 0; r < ref_words; ++r)  // the place among the component's bits
    if (ref_component_[r] != kNone) bit_[r] = components_[ref_component_[r]].ref_words++;
  complete_ = true;
  for (Component& c : components_) {
    if (c.candidates == 1) continue;
    complete_ &= c.complete();
    c.first_bit = bits_;
    bits_ += c.ref_words;
  }
  for (std::size_t r = 0; r < ref_words; ++r)
    if (ref_component_[r] != kNone) bit_[r] += components_[ref_component_[r]].first_bit;

  last_start_.assign(bits_, 0);
  for (const Match& m : candidates_)  // by rising start: the last one stays
    if (kinds_[m.hyp] == Kind::kContested)
      std::fill_n(last_start_.begin() + bit_[m.ref], m.ref_length, m.hyp);
  first_expiring_.assign(kinds_.size() + 2, 0);
  for (const std::uint32_t h : last_start_) ++first_expiring_[h + 2];
  for (std::size_t h = 2; h < first_expiring_.size(); ++h)
    first_expiring_[h] += first_expiring_[h - 1];
  expiring_.resize(bits_);
  for (std::uint32_t b = 0; b < bits_; ++b)
    expiring_[first_expiring_[last_start_[b] + 1]++] = b;
}

// Whether no candidate that ends before word h is continued by one that starts there.
bool AlignmentGraph::surely_starts_chunk(std::uint32_t h) const {
  for (std::uint32_t from = h - std::min(h, longest_); from < h; ++from)
    for (std::uint32_t k = first_[from]; k < first_[from + 1]; ++k) {
      const Match& before = candidates_[k];
      if (before.hyp + before.hyp_length == h && starts(h, before.ref + before.ref_length))
        return false;
    }
  return true;
}

void AlignmentGraph::build_bounds() {
  bounds_.assign(kinds_.size() + 1, {});
  for (std::uint32_t h = hyp_words(); h-- > 0;) {
    bounds_[h] = bounds_[h + 1];
    if (kinds_[h] == Kind::kBare || first_[h] == first_[h + 1]) continue;
    // A contested word is surely matched if no component may lose a word and its
    // own has a reference word for every hypothesis word.
    const Component& c = component(h);
    if (c.candidates > 1 && !(complete_ && c.hyp_words <= c.ref_words)) continue;
    std::uint64_t far = AlignmentCost::distance(candidates_[first_[h]]);
    for (std::uint32_t k = first_[h]; k < first_[h + 1]; ++k)
      far = std::min(far, AlignmentCost::distance(candidates_[k]));
    bounds_[h] = bounds_[h] + AlignmentCost{surely_starts_chunk(h), far};
  }
}

}  // namespace tertium
