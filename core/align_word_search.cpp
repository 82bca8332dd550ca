// SPDX-License-Identifier: Apache-2.0
// The search of AlignmentSearch once more, for pairs without phrases and with at most
// 64 contested reference words: nearly all. It goes through the same states in the
// same order, but what depends on a candidate alone is worked out once, and a state
// is one record.
#include <algorithm>
#include <bit>
#include <numeric>

#include "align_search.hpp"
#include "flat_map.hpp"

namespace tertium {

namespace {

using Kind = AlignmentGraph::Kind;

constexpr std::size_t kScanned = 16;  // so few states are found without a table

}  // namespace

void AlignmentSearch::prepare_words() {
  const auto candidates = graph_.candidates();
  options_.resize(candidates.size());
  expiring_.resize(graph_.hyp_words());
  for (std::uint32_t h = 0; h < graph_.hyp_words(); ++h) {
    if (graph_.kind(h) != Kind::kContested) continue;
    expiring_[h] = 0;
    for (const std::uint32_t bit : graph_.expiring(h, h + 1))
      expiring_[h] |= std::uint64_t{1} << bit;
    for (std::uint32_t k = graph_.first(h); k < graph_.first(h + 1); ++k) {
      const Match& match = candidates[k];
      options_[k] = {std::uint64_t{1} << graph_.bit(match.ref),
                     AlignmentCost::distance(match) + match.matcher, match.ref,
                     graph_.starts(h + 1, match.ref + 1) ? match.ref + 1 : 0};
    }
  }
}

bool AlignmentSearch::pass_words(std::size_t width, const AlignmentCost* limit) {
  limit_ = limit;
  trails_.clear();
  now_.clear();
  next_.clear();
  table_.clear();
  insert_word(0, {}, kNone);
  now_.swap(next_);
  bool dropped = false;
  for (std::uint32_t h = 0; h < graph_.hyp_words();) {
    next_.clear();
    table_.clear();
    if (graph_.kind(h) == Kind::kContested) {
      dropped |= prune_words(width);
      expand_word(h++);
    } else {
      h = stride_words(h);
    }
    now_.swap(next_);
  }
  return dropped;
}

std::uint32_t AlignmentSearch::stride_words(std::uint32_t h) {
  const Match* match = nullptr;
  if (graph_.kind(h) == Kind::kForced) match = &graph_.candidates()[graph_.first(h)];
  State rest;
  rest.end = match ? match->ref + 1 : 0;
  for (++h; h < graph_.hyp_words() && graph_.kind(h) != Kind::kContested; ++h) {
    if (graph_.kind(h) == Kind::kBare) rest.end = 0;
    else add(rest, graph_.candidates()[graph_.first(h)]);
  }
  if (rest.end != 0 && !graph_.starts(h, rest.end)) rest.end = 0;
  for (WordState state : now_) {
    if (match) {
      state.cost.lost_chunks += state.end != match->ref || match->ref == 0;
      state.cost.far += AlignmentCost::distance(*match) + match->matcher;
    }
    state.cost = state.cost + rest.cost;
    state.end = rest.end;
    insert_word(h, state, kNone);
  }
  return h;
}

void AlignmentSearch::expand_word(std::uint32_t h) {
  const AlignmentGraph::Component& c = graph_.component(h);
  const std::uint32_t left = graph_.left(h);
  const bool complete = graph_.complete();
  const std::uint64_t expiring = expiring_[h];
  // Its bits; there are some, and at most 64.
  const std::uint64_t own = ~std::uint64_t{0} >> (64 - c.ref_words) << c.first_bit;
  // The most pairs of words that its component could still match.
  const auto potential = [&](std::uint32_t hyp_left, std::uint64_t used) {
    return std::min(hyp_left,
                    c.ref_words - static_cast<std::uint32_t>(std::popcount(used & own)));
  };
  const std::uint32_t from = graph_.first(h), to = graph_.first(h + 1);
  for (const WordState& state : now_) {
    const std::uint32_t before = potential(left, state.used);
    const auto go = [&](WordState next, std::uint32_t gain, std::uint32_t taken) {
      next.used |= expiring;
      if (!complete)
        next.cost.lost_chunks +=
            2 * (before - gain - potential(left - 1, next.used)) * AlignmentCost::kLostWord;
      insert_word(h + 1, next, taken);
    };
    for (std::uint32_t k = from; k < to; ++k) {
      const Option& option = options_[k];
      if (state.used & option.bit) continue;
      WordState next = state;
      next.used |= option.bit;
      next.cost.lost_chunks += state.end != option.ref || option.ref == 0;
      next.cost.far += option.far;
      next.end = option.end;
      go(next, 1, k);
    }
    if (complete && before == left) continue;  // see expand()
    WordState next = state;
    next.end = 0;
    go(next, 0, kNone);
  }
}

void AlignmentSearch::insert_word(std::uint32_t at, const WordState& state,
                                  std::uint32_t taken) {
  if (limit_ && state.cost + graph_.bound(at) >= *limit_) return;
  const auto equal = [&](const WordState& other) {
    return other.used == state.used && other.end == state.end;
  };
  const auto hash = [](const WordState& of) { return mix(of.end ^ mix(of.used)); };
  const std::size_t none = next_.size();
  std::size_t found = 0, slot = 0;
  if (table_.empty()) {
    while (found < none && !equal(next_[found])) ++found;
  } else {
    const std::size_t mask = table_.size() - 1;
    slot = hash(state) & mask;
    while (table_[slot] != 0 && !equal(next_[table_[slot] - 1])) slot = (slot + 1) & mask;
    found = table_[slot] != 0 ? table_[slot] - 1 : none;
  }
  if (found != none && !(state.cost < next_[found].cost)) return;
  if (found == none) next_.push_back(state);
  else next_[found] = state;
  if (taken != kNone) {
    next_[found].trail = static_cast<std::uint32_t>(trails_.size());
    trails_.push_back({state.trail, taken});
  }
  if (found != none) return;
  if (table_.empty() ? next_.size() <= kScanned : 2 * next_.size() <= table_.size()) {
    if (!table_.empty()) table_[slot] = static_cast<std::uint32_t>(next_.size());
    return;
  }
  table_.assign(std::max<std::size_t>(128, 2 * table_.size()), 0);
  for (std::uint32_t s = 0; s < next_.size(); ++s) {
    std::size_t i = hash(next_[s]) & (table_.size() - 1);
    while (table_[i] != 0) i = (i + 1) & (table_.size() - 1);
    table_[i] = s + 1;
  }
}

// As prune(): the best states, of equal ones the first, stay in their order.
bool AlignmentSearch::prune_words(std::size_t width) {
  if (now_.size() <= width) return false;
  order_.resize(now_.size());
  std::iota(order_.begin(), order_.end(), 0u);
  const auto better = [&](std::uint32_t a, std::uint32_t b) {
    const auto order = now_[a].cost <=> now_[b].cost;
    return order != 0 ? order < 0 : a < b;
  };
  std::nth_element(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(width) - 1,
                   order_.end(), better);
  order_.resize(width);
  std::sort(order_.begin(), order_.end());
  for (std::size_t to = 0; to < width; ++to) now_[to] = now_[order_[to]];
  now_.resize(width);
  return true;
}

}  // namespace tertium
