// SPDX-License-Identifier: Apache-2.0
#include "align/word_search.hpp"

#include <algorithm>
#include <bit>

#include "base/flat_map.hpp"

namespace tertium {

namespace {

constexpr std::size_t kScanned = 16;  // so few states are found without a table

}  // namespace

// --------------------------------------------------------------------- description

void WordSearch::start(std::size_t hyp_words, bool complete) {
  hyp_words_ = static_cast<std::uint32_t>(hyp_words);
  complete_ = complete;
  settled_ = 0;
  stride_ = {};
  stops_.clear();
  strides_.clear();
  options_.clear();
  chosen_.resize(hyp_words);
}

void WordSearch::add_bare() {
  ++stride_.words;
  stride_.end = 0;
}

void WordSearch::add_settled(const Match& match) {
  if (stride_.words++ == 0) {
    stride_.continues = continued(match.ref);
    stride_.chunks = 1;
  } else {
    stride_.chunks += stride_.end != match.ref || match.ref == 0;
  }
  stride_.far += AlignmentCost::distance(match) + match.matcher;
  stride_.end = match.ref + 1;
  ++settled_;
}

void WordSearch::add_stop(const Stop& stop) {
  strides_.push_back(stride_);
  stride_ = {};
  stops_.push_back(stop);
  stops_.back().first = stops_.back().last = static_cast<std::uint32_t>(options_.size());
}

void WordSearch::add_option(const Match& match, std::uint64_t bit, bool goes_on) {
  options_.push_back({bit, AlignmentCost::distance(match) + match.matcher, match.hyp, match.ref,
                      continued(match.ref), goes_on ? match.ref + 1 : 0});
  ++stops_.back().last;
}

void WordSearch::close() {
  stride_.end = 0;
  strides_.push_back(stride_);
}

// -------------------------------------------------------------------------- search

bool WordSearch::pass(std::size_t width, const AlignmentCost* limit) {
  trails_.clear();
  // Have step() insert the states before word `at`.
  const auto advance = [&](std::uint32_t at, auto step) {
    next_.clear();
    table_.clear();
    ceiling_ = limit ? limit->less(bounds_[at]) : AlignmentCost::never();
    step();
    now_.swap(next_);
  };
  advance(0, [&] { insert({}, kNone); });
  bool dropped = false;
  for (std::size_t s = 0; s < strides_.size(); ++s) {
    const bool last = s == stops_.size();
    if (strides_[s].words > 0)
      advance(last ? hyp_words_ : stops_[s].hyp, [&] { stride(strides_[s]); });
    if (last) break;
    pace_.spend(16 * now_.size());
    dropped |= prune(width);
    advance(stops_[s].hyp + 1, [&] { expand(stops_[s]); });
  }
  return dropped;
}

void WordSearch::keep() {
  for (const Stop& stop : stops_) chosen_[stop.hyp] = kNone;
  for (std::uint32_t t = now_.front().trail; t != kNone; t = trails_[t].before) {
    const Option& option = options_[trails_[t].option];
    chosen_[option.hyp] = option.ref;
  }
}

void WordSearch::stride(const Stride& stride) {
  for (State state : now_) {
    state.cost.lost_chunks += stride.chunks - (state.end == stride.continues);
    state.cost.far += stride.far;
    state.end = stride.end;
    insert(state, kNone);
  }
}

void WordSearch::expand(const Stop& stop) {
  // The most pairs of words that its component could still match.
  const auto potential = [&](std::uint32_t hyp_left, std::uint64_t used) {
    return std::min(hyp_left,
                    stop.refs - static_cast<std::uint32_t>(std::popcount(used & stop.own)));
  };
  for (const State& state : now_) {
    const auto go = [&](State next, std::uint32_t gain, std::uint32_t taken) {
      next.used |= stop.expiring;
      if (!complete_)
        next.cost.lost_chunks += 2 * AlignmentCost::kLostWord *
                                 (potential(stop.left, state.used) - gain -
                                  potential(stop.left - 1, next.used));
      insert(next, taken);
    };
    for (std::uint32_t k = stop.first; k < stop.last; ++k) {
      const Option& option = options_[k];
      if (state.used & option.bit) continue;
      State next = state;
      next.used |= option.bit;
      next.cost.lost_chunks += state.end != option.continues;
      next.cost.far += option.far;
      next.end = option.end;
      go(next, 1, k);
    }
    // See AlignmentSearch::expand().
    if (!stop.may_go_without || (complete_ && potential(stop.left, state.used) == stop.left))
      continue;
    State next = state;
    next.end = 0;
    go(next, 0, kNone);
  }
}

void WordSearch::insert_or_merge(const State& state, std::uint32_t taken) {
  const auto equal = [&](const State& other) {
    return other.used == state.used && other.end == state.end;
  };
  const std::size_t none = next_.size();
  std::size_t found = 0, slot = 0;
  if (table_.empty()) {
    while (found < none && !equal(next_[found])) ++found;
  } else {
    const std::size_t mask = table_.size() - 1;
    slot = mix(state.end ^ mix(state.used)) & mask;
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
  if (table_.empty() ? next_.size() > kScanned : 2 * next_.size() > table_.size()) rehash();
  else if (!table_.empty()) table_[slot] = static_cast<std::uint32_t>(next_.size());
}

void WordSearch::rehash() {
  table_.assign(std::max<std::size_t>(128, 2 * table_.size()), 0);
  const std::size_t mask = table_.size() - 1;
  for (std::uint32_t s = 0; s < next_.size(); ++s) {
    std::size_t slot = mix(next_[s].end ^ mix(next_[s].used)) & mask;
    while (table_[slot] != 0) slot = (slot + 1) & mask;
    table_[slot] = s + 1;
  }
}

// Keep the best states, of equal ones the first, in their order; return whether any
// had to go.
bool WordSearch::prune(std::size_t width) {
  if (now_.size() <= width) return false;
  ranks_.clear();
  for (const State& state : now_)
    ranks_.push_back({state.cost, static_cast<std::uint32_t>(ranks_.size())});
  const auto worst = ranks_.begin() + static_cast<std::ptrdiff_t>(width) - 1;
  std::nth_element(ranks_.begin(), worst, ranks_.end());
  std::size_t to = 0;
  for (std::uint32_t from = 0; from < now_.size(); ++from)
    if (!(*worst < Rank{now_[from].cost, from})) now_[to++] = now_[from];
  now_.resize(width);
  return true;
}

}  // namespace tertium
