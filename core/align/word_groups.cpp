// SPDX-License-Identifier: Apache-2.0
#include "align/word_groups.hpp"

#include <algorithm>
#include <utility>

namespace tertium {

WordGroups::WordGroups(const MatcherSet& set)
    : possible_(set.single()),
      keys_(set.single_keys()),
      equal_(set.matcher_of_equal_words()),
      other_(set.matcher_of_other_words()) {
  if (possible_) key_group_.resize(set.keys());
}

bool WordGroups::build(const Pair& pair) {
  if (!possible_ || pair.hyp.size() > kWords || pair.ref.size() > kWords) return false;
  hyp_ = pair.hyp;
  hyp_words_ = static_cast<std::uint32_t>(pair.hyp.size());
  const auto find_groups = [&](auto key) {
    index(pair.ref, key);
    find(key);
  };
  if (keys_) find_groups([keys = keys_](std::uint32_t word) { return keys[word]; });
  else find_groups([](std::uint32_t word) { return word; });
  if (contested_ != 0) settle();
  return true;
}

// -------------------------------------------------------------------------- groups

template <class Key>
void WordGroups::index(std::span<const std::uint32_t> ref, Key key) {
  // Outputs of several systems come one after the other for one reference.
  if (ref.data() == ref_.data() && ref.size() == ref_.size()) return;
  for (const std::uint32_t word : ref_) key_group_[key(word)] = 0;
  ref_ = ref;
  ref_groups_ = 1;
  ref_group_of_ = {};
  for (std::uint32_t r = 0; r < ref.size(); ++r) {
    std::uint8_t& group = key_group_[key(ref[r])];
    if (group == 0) {
      group = static_cast<std::uint8_t>(ref_groups_);
      ref_sets_[ref_groups_++] = 0;
    }
    ref_sets_[group] |= bit(r);
    ref_group_of_[r + 1] = group;
  }
}

template <class Key>
void WordGroups::find(Key key) {
  count_ = ref_groups_;
  for (std::uint32_t g = 0; g < count_; ++g) groups_[g] = {0, ref_sets_[g]};
  for (std::uint32_t h = 0; h < hyp_words_; ++h) {
    const std::uint8_t group = key_group_[key(hyp_[h])];
    hyp_group_[h + 1] = group;
    groups_[group].hyps |= bit(h);
  }
  hyp_group_[hyp_words_ + 1] = 0;
  groups_[0].hyps = 0;
  contested_ = matched_ = 0;
  for (std::uint32_t g = 1; g < count_; ++g) {  // without branches: hard to foretell
    const auto [hyps, refs] = groups_[g];
    matched_ |= hyps;
    contested_ |= one(hyps) && one(refs) ? 0 : hyps;
  }
}

void WordGroups::write(std::span<const std::uint32_t> chosen, std::vector<Match>& out) const {
  out.clear();
  for_each(matched_, [&](std::uint32_t h) {
    const Set refs = words(h).refs;
    const bool open = contested_ >> h & 1;
    const auto ref = open ? chosen[h] : static_cast<std::uint32_t>(std::countr_zero(refs));
    if (ref < ref_.size()) out.push_back(match(h, ref));
  });
}

void WordGroups::build_bounds(std::vector<AlignmentCost>& bounds) const {
  bounds.assign(hyp_words_ + std::size_t{1}, {});
  for (std::uint32_t h = hyp_words_; h-- > 0;) {
    bounds[h] = bounds[h + 1];
    const auto& [hyps, refs] = words(h);
    // A contested word is surely matched if its group has a reference word for every
    // hypothesis word.
    if (refs == 0 || count(hyps) > count(refs)) continue;
    std::uint64_t far = ~std::uint64_t{0};
    for_each(refs, [&](std::uint32_t r) {
      far = std::min(far, AlignmentCost::distance({h, 1, r, 1}));
    });
    bounds[h] = bounds[h] + AlignmentCost{!(behind_previous(h) & refs), far};
  }
}

// ------------------------------------------------------------------------ settling

// See AlignmentGraph::settle() for why this loses nothing.
void WordGroups::settle() {
  ref_group_ = ref_group_of_;
  Set large = 0;
  for (Set left = contested_; left != 0;) {
    const Group& group = words(static_cast<std::uint32_t>(std::countr_zero(left)));
    left &= ~group.hyps;
    if (count(group.hyps) * count(group.refs) > kSettled) large |= group.hyps;
  }
  for (int sweep = 0; sweep < 3; ++sweep) {
    const Set before = contested_;
    for_each(contested_ & ~large, [&](std::uint32_t h) { settle_word(h); });
    for (Set left = contested_ & ~large; left != 0;) {
      const auto h = static_cast<std::uint32_t>(63 - std::countl_zero(left));
      left ^= bit(h);
      settle_word(h);
    }
    if (contested_ == before) break;
  }
  for (Set left = contested_ & ~large; left != 0;) {
    Group& own = group(static_cast<std::uint32_t>(std::countr_zero(left)));
    left &= ~own.hyps;
    if (alone(own)) settle_alone(own);
  }
}

void WordGroups::settle_word(std::uint32_t h) {
  const Set self = bit(h);
  if (!(contested_ & self)) return;
  Group& own = group(h);
  const Set others = own.hyps & ~self;
  const Set after = behind_previous(h) & own.refs, before = before_next(h) & own.refs;
  // Behind a settled match that ends before reference word r, unless h could make
  // another joint with what follows, or another word could with r.
  if (after != 0 && !(contested_ & self >> 1) && !(before & ~after)) {
    const auto r = static_cast<std::uint32_t>(std::countr_zero(after));
    if (!(groups_[ref_group_[r + 2]].hyps >> 1 & others)) return take(own, h, r);
  }
  // The same before a settled match.
  if (before != 0 && !(contested_ & self << 1) && !(after & ~before)) {
    const auto r = static_cast<std::uint32_t>(std::countr_zero(before));
    if (!(groups_[ref_group_[r]].hyps << 1 & others)) return take(own, h, r);
  }
}

// Make two words of a group a group of their own.
void WordGroups::take(Group& group, std::uint32_t h, std::uint32_t ref) {
  group.hyps &= ~bit(h);
  group.refs &= ~bit(ref);
  contested_ &= ~bit(h);
  if (group.settled()) contested_ &= ~group.hyps;
  groups_[count_] = {bit(h), bit(ref)};
  hyp_group_[h + 1] = ref_group_[ref + 1] = static_cast<std::uint8_t>(count_++);
}

// Whether no match of a group can be next to another match, and all are equally good.
bool WordGroups::alone(const Group& group) const {
  Set joints = 0;
  for_each(group.hyps, [&](std::uint32_t h) { joints |= behind_previous(h) | before_next(h); });
  return !(joints & group.refs) && (equal_ == other_ || one_matcher(group));
}

bool WordGroups::one_matcher(const Group& group) const {
  const auto matcher = [&](Set hyp, Set ref) {
    return match(static_cast<std::uint32_t>(std::countr_zero(hyp)),
                 static_cast<std::uint32_t>(std::countr_zero(ref))).matcher;
  };
  const std::uint32_t first = matcher(group.hyps, group.refs);
  for (Set hyps = group.hyps; hyps != 0; hyps &= hyps - 1)
    for (Set refs = group.refs; refs != 0; refs &= refs - 1)
      if (matcher(hyps, refs) != first) return false;
  return true;
}

// Only displacement is left to choose by, and an order without crossings has the
// least: each word of the shorter side gets one of the longer side, and least_[i][j] is
// the cost of the first i words with the first j. O(words of both).
void WordGroups::settle_alone(Group& group) {
  few_.clear();
  many_.clear();
  for_each(group.hyps, [&](std::uint32_t h) { few_.push_back(h); });
  for_each(group.refs, [&](std::uint32_t r) { many_.push_back(r); });
  const bool swap = few_.size() > many_.size();
  if (swap) few_.swap(many_);
  const std::size_t width = many_.size() + 1;
  constexpr std::uint64_t kNever = ~std::uint64_t{0} / 2;
  least_.assign((few_.size() + 1) * width, kNever);
  std::fill_n(least_.begin(), width, 0);
  for (std::size_t i = 1; i <= few_.size(); ++i)
    for (std::size_t j = i; j < width; ++j) {
      const std::uint32_t a = few_[i - 1], b = many_[j - 1];
      least_[i * width + j] = std::min(least_[i * width + j - 1],
                                       least_[(i - 1) * width + j - 1] + (a > b ? a - b : b - a));
    }
  for (std::size_t i = few_.size(), j = many_.size(); i > 0; --j) {
    if (least_[i * width + j] == least_[i * width + j - 1]) continue;
    --i;
    take(group, swap ? many_[j - 1] : few_[i], swap ? few_[i] : many_[j - 1]);
  }
}

}  // namespace tertium
