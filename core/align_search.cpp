// SPDX-License-Identifier: Apache-2.0
#include "align_search.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "flat_map.hpp"

namespace tertium {

namespace {

constexpr std::uint64_t kLostWord = std::uint64_t{1} << 32;
constexpr unsigned kFar = 24;
constexpr std::size_t kTable = 128;  // smallest hash table of a layer

bool test(const std::uint64_t* bits, std::uint32_t i) { return bits[i / 64] >> (i % 64) & 1; }
void set(std::uint64_t* bits, std::uint32_t i) { bits[i / 64] |= std::uint64_t{1} << (i % 64); }

std::uint64_t bits_below(std::uint32_t n) {
  return n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
}

}  // namespace

bool AlignmentSearch::run(std::size_t hyp_words, std::size_t ref_words,
                          std::span<const Match> candidates,
                          std::span<const std::uint32_t> first, std::vector<Match>& out) {
  hyp_words_ = hyp_words;
  ref_words_ = ref_words;
  candidates_ = candidates;
  first_ = first;
  exact_ = true;
  out.clear();
  if (candidates.empty()) return true;
  find_components();
  bool forced = true;
  for (const Component& c : components_) forced &= c.candidates == 1;
  if (forced) {
    out.assign(candidates.begin(), candidates.end());
    return true;
  }
  number_bits();
  if (words_ == 1) search<1>();
  else search<0>();

  for (std::uint32_t t = layer(static_cast<std::uint32_t>(hyp_words)).states.front().trail;
       t != kNone; t = trails_[t].before)
    out.push_back(candidates[trails_[t].candidate]);
  for (const Match& match : candidates)
    if (components_[component_[match.hyp]].candidates == 1) out.push_back(match);
  std::sort(out.begin(), out.end(),
            [](const Match& a, const Match& b) { return a.hyp < b.hyp; });
  return exact_;
}

// --------------------------------------------------------------------- components

std::uint32_t AlignmentSearch::root(std::uint32_t node) {
  while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
  return node;
}

void AlignmentSearch::join(std::uint32_t a, std::uint32_t b) {
  a = root(a);
  b = root(b);
  if (a != b) parent_[std::max(a, b)] = std::min(a, b);
}

void AlignmentSearch::find_components() {
  const auto refs = static_cast<std::uint32_t>(hyp_words_);  // number of the first one
  parent_.resize(hyp_words_ + ref_words_);
  std::iota(parent_.begin(), parent_.end(), 0u);
  longest_ = 1;
  for (const Match& m : candidates_) {
    for (std::uint32_t i = 1; i < m.hyp_length; ++i) join(m.hyp, m.hyp + i);
    for (std::uint32_t i = 0; i < m.ref_length; ++i) join(m.hyp, refs + m.ref + i);
    longest_ = std::max(longest_, m.hyp_length);
  }
  components_.clear();
  number_.assign(parent_.size(), kNone);
  component_.assign(hyp_words_, kNone);
  for (const Match& m : candidates_) {
    std::uint32_t& number = number_[root(m.hyp)];
    if (number == kNone) {
      number = static_cast<std::uint32_t>(components_.size());
      components_.emplace_back();
    }
    Component& c = components_[number];
    ++c.candidates;
    c.phrases |= m.hyp_length > 1 || m.ref_length > 1;
    for (std::uint32_t i = 0; i < m.hyp_length; ++i) component_[m.hyp + i] = number;
  }
}

// Give every reference word that candidates compete for a bit, those of one
// component side by side, and find out when it is of no more use.
void AlignmentSearch::number_bits() {
  left_.assign(hyp_words_, 0);
  for (std::size_t h = hyp_words_; h-- > 0;)
    if (component_[h] != kNone) left_[h] = ++components_[component_[h]].hyp_words;
  bit_.assign(ref_words_, kNone);
  const auto number_of = [&](std::size_t r) {
    return number_[root(static_cast<std::uint32_t>(hyp_words_ + r))];
  };
  for (std::size_t r = 0; r < ref_words_; ++r)
    if (number_of(r) != kNone) ++components_[number_of(r)].ref_words;
  std::uint32_t bits = 0;
  for (Component& c : components_) {
    c.first_bit = bits;
    if (c.candidates > 1) bits += c.ref_words;
  }
  last_start_.assign(bits, 0);
  complete_ = true;
  for (Component& c : components_) {
    if (c.candidates > 1)
      complete_ &= !c.phrases && c.candidates == c.hyp_words * std::uint64_t{c.ref_words};
    c.ref_words = 0;  // counted again while bits are given away
  }
  for (std::size_t r = 0; r < ref_words_; ++r) {
    if (number_of(r) == kNone) continue;
    Component& c = components_[number_of(r)];
    if (c.candidates > 1) bit_[r] = c.first_bit + c.ref_words;
    ++c.ref_words;
  }
  for (const Match& m : candidates_)  // by rising start: the last one stays
    if (bit_[m.ref] != kNone)
      for (std::uint32_t i = 0; i < m.ref_length; ++i) last_start_[bit_[m.ref] + i] = m.hyp;
  first_expiring_.assign(hyp_words_ + 2, 0);
  for (const std::uint32_t h : last_start_) ++first_expiring_[h + 2];
  for (std::size_t h = 2; h < first_expiring_.size(); ++h)
    first_expiring_[h] += first_expiring_[h - 1];
  expiring_.resize(bits);
  for (std::uint32_t b = 0; b < bits; ++b) expiring_[first_expiring_[last_start_[b] + 1]++] = b;
  words_ = std::max<std::size_t>(1, (bits + 63) / 64);
}

// ------------------------------------------------------------------------- search

// The most words a component could still cover.
std::uint32_t AlignmentSearch::potential(const Component& c, std::uint32_t hyp_left,
                                         std::uint32_t used) const {
  const std::uint32_t free = c.ref_words - used;
  return c.phrases ? hyp_left + free : 2 * std::min(hyp_left, free);
}

bool AlignmentSearch::can_continue(std::uint32_t at, std::uint32_t end) const {
  if (at >= hyp_words_) return false;
  for (std::uint32_t k = first_[at]; k < first_[at + 1]; ++k)
    if (candidates_[k].ref == end) return true;
  return false;
}

void AlignmentSearch::add(State& state, const Match& match) {
  state.cost.lost_chunks += state.end != match.ref || match.ref == 0;
  const std::uint32_t distance =
      match.hyp > match.ref ? match.hyp - match.ref : match.ref - match.hyp;
  state.cost.far += (std::uint64_t{distance} << kFar) + match.matcher;
  state.end = match.ref + match.ref_length;
}

void AlignmentSearch::Layer::clear() {
  states.clear();
  used.clear();
  table.assign(kTable, 0);
}

template <std::size_t kFixed>
void AlignmentSearch::search() {
  const std::size_t words = kFixed ? kFixed : words_;
  // Long and repetitive pairs must end, too: fewer states where each costs more.
  width_ = beam_;
  while (width_ > 1 && width_ * words * candidates_.size() > (std::size_t{1} << 27)) width_ /= 2;
  exact_ &= width_ == beam_;
  if (layers_.size() < longest_ + std::size_t{1}) layers_.resize(longest_ + std::size_t{1});
  for (Layer& each : layers_) each.clear();
  trails_.clear();
  scratch_.assign(words, 0);
  insert<kFixed>(0, {{0, 0}, 0, kNone}, scratch_.data());
  for (std::uint32_t h = 0; h < hyp_words_;) {
    Layer& now = layer(h);
    std::uint32_t next = h + 1;
    if (component_[h] != kNone && components_[component_[h]].candidates > 1) {
      prune<kFixed>(now);
      expand<kFixed>(h, now);
      now.clear();
    } else {
      next = pass<kFixed>(h, now);
    }
    h = next;
  }
  prune<kFixed>(layer(static_cast<std::uint32_t>(hyp_words_)));
}

// Move the states over a word without a choice; return the word behind it. No other
// state can be there: it would have come from inside of the match.
template <std::size_t kFixed>
std::uint32_t AlignmentSearch::pass(std::uint32_t h, Layer& now) {
  if (component_[h] == kNone) {  // no chunk goes on here, so no state can differ in that
    Layer& to = layer(h + 1);
    to.states.swap(now.states);
    to.used.swap(now.used);
    now.clear();
    return h + 1;
  }
  const std::size_t words = kFixed ? kFixed : words_;
  const Match& match = candidates_[first_[h]];
  const std::uint32_t next = h + match.hyp_length;
  const bool open = can_continue(next, match.ref + match.ref_length);
  kept_.states.swap(now.states);
  kept_.used.swap(now.used);
  now.clear();
  for (std::size_t s = 0; s < kept_.states.size(); ++s) {
    State& state = kept_.states[s];
    add(state, match);
    if (!open) state.end = 0;
    insert<kFixed>(next, state, kept_.used.data() + s * words);
  }
  return next;
}

template <std::size_t kFixed>
void AlignmentSearch::expand(std::uint32_t h, Layer& now) {
  const std::size_t words = kFixed ? kFixed : words_;
  const Component& c = components_[component_[h]];
  const std::uint32_t bits = c.first_bit + c.ref_words;
  const auto expire = [&](std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t k = first_expiring_[from]; k < first_expiring_[to]; ++k)
      set(scratch_.data(), expiring_[k]);
  };
  for (std::size_t s = 0; s < now.states.size(); ++s) {
    const std::uint64_t* used = now.used.data() + s * words;
    const std::uint32_t before =
        potential(c, left_[h], count_used<kFixed>(used, c.first_bit, bits));
    const auto finish = [&](State state, std::uint32_t next, std::uint32_t gain) {
      const std::uint32_t after = potential(
          c, left_[h] - (next - h), count_used<kFixed>(scratch_.data(), c.first_bit, bits));
      state.cost.lost_chunks += (before - gain - after) * kLostWord;
      if (complete_ && state.cost.lost_chunks >= kLostWord) return;
      if (state.end != 0 && !can_continue(next, state.end)) state.end = 0;
      insert<kFixed>(next, state, scratch_.data());
    };
    for (std::uint32_t k = first_[h]; k < first_[h + 1]; ++k) {
      const Match& match = candidates_[k];
      const std::uint32_t bit = bit_[match.ref];
      bool free = true;
      for (std::uint32_t i = 0; i < match.ref_length; ++i) free &= !test(used, bit + i);
      if (!free) continue;
      std::copy_n(used, words, scratch_.data());
      for (std::uint32_t i = 0; i < match.ref_length; ++i) set(scratch_.data(), bit + i);
      expire(h, h + match.hyp_length);
      State state = now.states[s];
      add(state, match);
      trails_.push_back({state.trail, k});
      state.trail = static_cast<std::uint32_t>(trails_.size() - 1);
      finish(state, h + match.hyp_length, match.hyp_length + match.ref_length);
    }
    std::copy_n(used, words, scratch_.data());
    expire(h, h + 1);
    State state = now.states[s];
    state.end = 0;
    finish(state, h + 1, 0);
  }
}

// Add a state unless an equal one is as good.
template <std::size_t kFixed>
void AlignmentSearch::insert(std::uint32_t at, const State& state, const std::uint64_t* used) {
  const std::size_t words = kFixed ? kFixed : words_;
  Layer& to = layer(at);
  std::uint64_t hash = state.end;
  for (std::size_t w = 0; w < words; ++w) hash = mix(hash ^ used[w]);
  const std::size_t mask = to.table.size() - 1;
  for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
    std::uint32_t& slot = to.table[i];
    if (slot == 0) {
      to.states.push_back(state);
      to.used.insert(to.used.end(), used, used + words);
      slot = static_cast<std::uint32_t>(to.states.size());
      if (2 * to.states.size() > to.table.size()) grow(to, words);
      return;
    }
    State& other = to.states[slot - 1];
    if (other.end != state.end ||
        !std::equal(used, used + words, to.used.data() + (slot - 1) * words))
      continue;
    if (state.cost < other.cost) other = state;
    return;
  }
}

void AlignmentSearch::grow(Layer& to, std::size_t words) const {
  const std::size_t size = 2 * to.table.size();
  to.table.assign(size, 0);
  for (std::size_t s = 0; s < to.states.size(); ++s) {
    std::uint64_t hash = to.states[s].end;
    for (std::size_t w = 0; w < words; ++w) hash = mix(hash ^ to.used[s * words + w]);
    std::size_t i = hash & (size - 1);
    while (to.table[i] != 0) i = (i + 1) & (size - 1);
    to.table[i] = static_cast<std::uint32_t>(s + 1);
  }
}

// Keep the best states, of equal ones the first.
template <std::size_t kFixed>
void AlignmentSearch::prune(Layer& now) {
  const std::size_t words = kFixed ? kFixed : words_;
  if (now.states.size() <= width_) return;
  exact_ = false;
  order_.resize(now.states.size());
  std::iota(order_.begin(), order_.end(), 0u);
  const auto better = [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(now.states[a].cost, a) < std::pair(now.states[b].cost, b);
  };
  std::nth_element(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(width_) - 1,
                   order_.end(), better);
  order_.resize(width_);
  std::sort(order_.begin(), order_.end());  // as they came
  kept_.states.clear();
  kept_.used.clear();
  for (const std::uint32_t s : order_) {
    kept_.states.push_back(now.states[s]);
    kept_.used.insert(kept_.used.end(), now.used.begin() + static_cast<std::ptrdiff_t>(s * words),
                      now.used.begin() + static_cast<std::ptrdiff_t>((s + 1) * words));
  }
  now.states.swap(kept_.states);
  now.used.swap(kept_.used);
}

template <std::size_t kFixed>
std::uint32_t AlignmentSearch::count_used(const std::uint64_t* used, std::uint32_t from,
                                          std::uint32_t to) const {
  if constexpr (kFixed == 1)
    return static_cast<std::uint32_t>(
        std::popcount(used[0] & bits_below(to) & ~bits_below(from)));
  std::uint32_t count = 0;
  for (std::uint32_t w = from / 64; w * 64 < to; ++w) {
    std::uint64_t word = used[w];
    if (w * 64 < from) word &= ~bits_below(from - w * 64);
    if (to - w * 64 < 64) word &= bits_below(to - w * 64);
    count += static_cast<std::uint32_t>(std::popcount(word));
  }
  return count;
}

}  // namespace tertium
