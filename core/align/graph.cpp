// SPDX-License-Identifier: Apache-2.0
#include "align/graph.hpp"

#include <algorithm>
#include <utility>

namespace tertium {

void AlignmentGraph::build(std::size_t hyp_words, std::size_t ref_words,
                           std::span<const Match> candidates,
                           std::span<const std::uint32_t> first) {
  candidates_ = candidates;
  first_ = first;
  phrases_ = false;
  kinds_.resize(hyp_words);
  find_components(ref_words);
  bits_ = 0;
  if (contested_.empty()) return;
  settle(ref_words);
  if (!contested_.empty()) number_bits(ref_words);
}

// ---------------------------------------------------------------------- components

std::uint32_t AlignmentGraph::root(std::uint32_t number) {
  while (parent_[number] != number) number = parent_[number] = parent_[parent_[number]];
  return number;
}

void AlignmentGraph::find_components(std::size_t ref_words) {
  component_.assign(kinds_.size(), kNone);
  ref_component_.assign(ref_words, kNone);
  components_.clear();
  parent_.clear();
  longest_ = 1;
  bool joined = false;
  // Make two words, or what they belong to, one component.
  const auto join = [&](std::uint32_t& a, std::uint32_t& b) {
    if (a == kNone) std::swap(a, b);
    if (a == kNone) {
      a = static_cast<std::uint32_t>(components_.size());
      components_.emplace_back();
      parent_.push_back(a);
    }
    if (b != kNone && a != b && root(a) != root(b)) {
      parent_[root(b)] = root(a);
      joined = true;
    }
    b = a;
  };
  for (const Match& m : candidates_) {
    std::uint32_t& own = component_[m.hyp];
    join(own, ref_component_[m.ref]);
    for (std::uint32_t i = 1; i < m.hyp_length; ++i) join(own, component_[m.hyp + i]);
    for (std::uint32_t i = 1; i < m.ref_length; ++i) join(own, ref_component_[m.ref + i]);
    Component& c = components_[own];
    ++c.candidates;
    const bool phrase = m.hyp_length > 1 || m.ref_length > 1;
    c.phrases |= phrase;
    phrases_ |= phrase;
    longest_ = std::max(longest_, m.hyp_length);
  }
  if (joined) {
    for (std::uint32_t number = 0; number < components_.size(); ++number)
      if (Component& top = components_[root(number)]; &top != &components_[number]) {
        top.candidates += components_[number].candidates;
        top.phrases |= components_[number].phrases;
        components_[number] = {};
      }
    for (auto* words : {&component_, &ref_component_})
      for (std::uint32_t& number : *words)
        if (number != kNone) number = root(number);
  }
  contested_.clear();
  for (std::uint32_t h = 0; h < hyp_words(); ++h) {
    kinds_[h] = Kind::kBare;
    if (component_[h] == kNone) continue;
    Component& c = components_[component_[h]];
    ++c.hyp_words;
    kinds_[h] = c.candidates > 1 ? Kind::kContested : Kind::kForced;
    if (c.candidates > 1) contested_.push_back(h);
  }
  for (const std::uint32_t number : ref_component_)
    if (number != kNone) ++components_[number].ref_words;
}

// ------------------------------------------------------------------------ settling

// Let h be a contested word of a complete component behind a forced match that ends
// before reference word r of the same component. Take any alignment that covers the
// most words but lacks h-r, and give h the word r, and whoever has r the word that h
// has, if any. No word is lost. The chunk of the forced match goes on: one chunk
// less. Joints that break can only be those of the two exchanged matches with the
// matches behind them; if no candidates can make such joints, the alignment was not
// the best. So h-r is in all best alignments. The same holds before a forced match.
void AlignmentGraph::settle(std::size_t ref_words) {
  const std::uint32_t n = hyp_words();
  begin_.assign(n + 1, kNone);
  end_.assign(n + 1, kNone);
  next_.assign(n, kNone);
  ref_fixed_.assign(ref_words, 0);
  for (std::uint32_t h = 0; h < n; ++h)
    if (kinds_[h] == Kind::kForced && first_[h] < first_[h + 1]) {
      const Match& m = candidates_[first_[h]];
      begin_[h] = m.ref;
      end_[h + m.hyp_length] = m.ref + m.ref_length;
    }
  for (std::size_t i = contested_.size(); i-- > 0;) {
    Component& c = components_[component_[contested_[i]]];
    next_[contested_[i]] = c.first_hyp;
    c.first_hyp = contested_[i];
  }
  const std::size_t before = contested_.size();
  const auto drop_settled = [&] {
    return std::erase_if(contested_,
                         [&](std::uint32_t h) { return kinds_[h] != Kind::kContested; }) > 0;
  };
  for (int sweep = 0; sweep < 3; ++sweep) {
    for (const std::uint32_t h : contested_) settle_word(h);
    for (std::size_t i = contested_.size(); i-- > 0;) settle_word(contested_[i]);
    if (!drop_settled()) break;
  }
  for (const std::uint32_t h : contested_)
    if (h == first_contested(component(h))) settle_alone(components_[component_[h]]);
  drop_settled();
  if (contested_.size() < before) leave_out_settled();
}

std::uint32_t AlignmentGraph::first_contested(const Component& c) const {
  std::uint32_t h = c.first_hyp;
  while (h != kNone && kinds_[h] != Kind::kContested) h = next_[h];
  return h;
}

// If no match of a complete component can be next to another match, only their
// displacement is left to choose by, and an order without crossings has the least.
void AlignmentGraph::settle_alone(Component& c) {
  if (!c.complete() || c.candidates > kSettled) return;
  hyps_.clear();
  refs_.clear();
  const std::uint32_t from = first_contested(c), matcher = candidates_[first_[from]].matcher;
  for (std::uint32_t h = from; h != kNone; h = next_[h]) {
    if (kinds_[h] != Kind::kContested) continue;
    hyps_.push_back(h);
    for (std::uint32_t k = first_[h]; k < first_[h + 1]; ++k) {
      const std::uint32_t r = candidates_[k].ref;
      if (ref_fixed_[r]) continue;
      if (h == from) refs_.push_back(r);
      if (candidates_[k].matcher != matcher || may_start(h + 1, r + 1) || may_end(h, r)) return;
    }
  }
  // Each word of the shorter side gets one of the longer side: least_[i][j] is the
  // cost of the first i words with the first j. O(words of both).
  const bool swap = hyps_.size() > refs_.size();
  const std::vector<std::uint32_t>&few = swap ? refs_ : hyps_, &many = swap ? hyps_ : refs_;
  const std::size_t width = many.size() + 1;
  constexpr std::uint64_t kNever = ~std::uint64_t{0} / 2;
  least_.assign((few.size() + 1) * width, kNever);
  std::fill_n(least_.begin(), width, 0);
  for (std::size_t i = 1; i <= few.size(); ++i)
    for (std::size_t j = i; j < width; ++j) {
      const std::uint32_t a = few[i - 1], b = many[j - 1];
      least_[i * width + j] = std::min(least_[i * width + j - 1],
                                       least_[(i - 1) * width + j - 1] + (a > b ? a - b : b - a));
    }
  for (std::size_t i = few.size(), j = many.size(); i > 0; --j) {
    if (least_[i * width + j] == least_[i * width + j - 1]) continue;
    --i;
    force(swap ? many[j - 1] : few[i], swap ? few[i] : many[j - 1]);
  }
  for (const std::uint32_t h : hyps_)
    if (kinds_[h] == Kind::kContested) kinds_[h] = Kind::kBare;
  c.candidates = 0;
}

void AlignmentGraph::settle_word(std::uint32_t h) {
  if (kinds_[h] != Kind::kContested) return;
  const std::uint32_t number = component_[h];
  const Component& c = components_[number];
  if (!c.complete() || c.candidates > kSettled) return;
  const auto wanted = [&](std::uint32_t ref) {
    return ref < ref_component_.size() && ref_component_[ref] == number && !ref_fixed_[ref];
  };
  // Whether some candidate of h other than `ref` may have such a joint.
  const auto any_own = [&](std::uint32_t ref, auto joint) {
    for (std::uint32_t k = first_[h]; k < first_[h + 1]; ++k) {
      const std::uint32_t other = candidates_[k].ref;
      if (other != ref && !ref_fixed_[other] && joint(other)) return true;
    }
    return false;
  };
  if (const std::uint32_t r = end_[h]; r != kNone && wanted(r) &&
      !any_own(r, [&](std::uint32_t other) { return may_start(h + 1, other + 1); }) &&
      !any_other(h, [&](std::uint32_t other) { return may_start(other + 1, r + 1); }))
    return fix(h, r);
  if (const std::uint32_t r = begin_[h + 1] - 1; begin_[h + 1] != kNone && wanted(r) &&
      !any_own(r, [&](std::uint32_t other) { return may_end(h, other); }) &&
      !any_other(h, [&](std::uint32_t other) { return may_end(other, r); }))
    return fix(h, r);
}

// Whether visit holds for a contested word of h's component other than h.
template <class Visit>
bool AlignmentGraph::any_other(std::uint32_t h, Visit visit) const {
  for (std::uint32_t o = component(h).first_hyp; o != kNone; o = next_[o])
    if (o != h && kinds_[o] == Kind::kContested && visit(o)) return true;
  return false;
}

// Whether a match that starts at hypothesis word h and reference word `ref` is still
// possible.
bool AlignmentGraph::may_start(std::uint32_t h, std::uint32_t ref) const {
  if (h >= hyp_words() || kinds_[h] == Kind::kBare) return false;
  if (kinds_[h] == Kind::kForced) return begin_[h] == ref;
  return starts(h, ref) && !ref_fixed_[ref];
}

// The same for one that ends before h and `ref`.
bool AlignmentGraph::may_end(std::uint32_t h, std::uint32_t ref) const {
  if (h == 0 || ref == 0 || kinds_[h - 1] == Kind::kBare) return false;
  if (kinds_[h - 1] == Kind::kForced) return end_[h] == ref;
  if (ref_fixed_[ref - 1]) return false;
  for (std::uint32_t from = h - std::min(h, longest_); from < h; ++from)
    for (std::uint32_t k = first_[from]; k < first_[from + 1]; ++k)
      if (candidates_[k].hyp + candidates_[k].hyp_length == h &&
          candidates_[k].ref + candidates_[k].ref_length == ref)
        return true;
  return false;
}

void AlignmentGraph::force(std::uint32_t h, std::uint32_t ref) {
  kinds_[h] = Kind::kForced;
  begin_[h] = ref;
  end_[h + 1] = ref + 1;
  ref_fixed_[ref] = 1;
}

void AlignmentGraph::fix(std::uint32_t h, std::uint32_t ref) {
  force(h, ref);
  Component& c = components_[component_[h]];
  --c.hyp_words;
  --c.ref_words;
  c.candidates = c.hyp_words * c.ref_words;
  if (c.candidates > 1) return;
  // One word is left on a side: it takes what there is, or nothing.
  for (std::uint32_t o = c.first_hyp; o != kNone; o = next_[o]) {
    if (kinds_[o] != Kind::kContested) continue;
    kinds_[o] = Kind::kBare;
    if (c.candidates == 0) continue;
    for (std::uint32_t k = first_[o]; k < first_[o + 1]; ++k)
      if (!ref_fixed_[candidates_[k].ref]) {
        force(o, candidates_[k].ref);
        break;
      }
  }
}

// From here on candidates are those of forced and of contested words.
void AlignmentGraph::leave_out_settled() {
  open_.clear();
  open_first_.clear();
  for (std::uint32_t h = 0; h < hyp_words(); ++h) {
    open_first_.push_back(static_cast<std::uint32_t>(open_.size()));
    if (kinds_[h] == Kind::kBare) continue;
    std::uint32_t k = first_[h];
    const std::uint32_t to = first_[h + 1];
    if (kinds_[h] == Kind::kForced) {
      while (k < to && candidates_[k].ref != begin_[h]) ++k;
      if (k < to) open_.push_back(candidates_[k]);
      continue;
    }
    for (; k < to; ++k)
      if (!ref_fixed_[candidates_[k].ref]) open_.push_back(candidates_[k]);
  }
  open_first_.push_back(static_cast<std::uint32_t>(open_.size()));
  for (std::size_t r = 0; r < ref_component_.size(); ++r)
    if (ref_fixed_[r]) ref_component_[r] = kNone;
  candidates_ = open_;
  first_ = open_first_;
}

// --------------------------------------------------------------------------- search

void AlignmentGraph::number_bits(std::size_t ref_words) {
  for (Component& c : components_) c.hyp_words = c.ref_words = 0;
  left_.assign(kinds_.size(), 0);
  for (std::size_t i = contested_.size(); i-- > 0;)
    left_[contested_[i]] = ++components_[component_[contested_[i]]].hyp_words;
  bit_.assign(ref_words, kNone);
  for (std::size_t r = 0; r < ref_words; ++r)  // the place among the component's bits
    if (ref_component_[r] != kNone) bit_[r] = components_[ref_component_[r]].ref_words++;
  complete_ = true;
  for (Component& c : components_) {
    if (c.candidates < 2) continue;
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
    if (kinds_[h] == Kind::kContested && !(complete_ && c.hyp_words <= c.ref_words)) continue;
    std::uint64_t far = AlignmentCost::distance(candidates_[first_[h]]);
    for (std::uint32_t k = first_[h]; k < first_[h + 1]; ++k)
      far = std::min(far, AlignmentCost::distance(candidates_[k]));
    bounds_[h] = bounds_[h] + AlignmentCost{surely_starts_chunk(h), far};
  }
}

}  // namespace tertium
