// SPDX-License-Identifier: Apache-2.0
#include "align/search.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "base/flat_map.hpp"

namespace tertium {

namespace {

using Kind = AlignmentGraph::Kind;

constexpr std::size_t kScanned = 12;  // so few states are found without a table

bool test(const std::uint64_t* bits, std::uint32_t i) { return bits[i / 64] >> (i % 64) & 1; }
void set(std::uint64_t* bits, std::uint32_t i) { bits[i / 64] |= std::uint64_t{1} << (i % 64); }

std::uint64_t bits_below(std::uint32_t n) {
  return n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
}

std::uint64_t hash_of(std::uint32_t end, const std::uint64_t* used, std::size_t words) {
  std::uint64_t hash = end;
  for (std::size_t w = 0; w < words; ++w) hash = mix(hash ^ used[w]);
  return hash;
}

}  // namespace

bool AlignmentSearch::run(std::size_t hyp_words, std::size_t ref_words,
                          std::span<const Match> candidates,
                          std::span<const std::uint32_t> first, std::vector<Match>& out) {
  graph_.build(hyp_words, ref_words, candidates, first);
  if (!graph_.contested()) {
    out.assign(graph_.candidates().begin(), graph_.candidates().end());
    return true;
  }
  words_ = (graph_.bits() + 63) / 64;
  return words_ == 1 && !graph_.phrases() ? search_words(out) : search_phrases(out);
}

bool AlignmentSearch::run(const WordGroups& groups, std::vector<Match>& out) {
  bool exact = true;
  if (groups.contested() != 0) {
    describe(groups);
    exact = search(word_search_, word_search_.candidates(), [&] {
      groups.build_bounds(bounds_);
      word_search_.set_bounds(bounds_);
    });
  }
  groups.write(word_search_.chosen(), out);
  return exact;
}

template <class Searcher, class Build>
bool AlignmentSearch::search(Searcher& searcher, std::size_t cost, Build build_bounds) {
  // Long and repetitive pairs must end, too: fewer states where each costs more.
  std::size_t width = beam_;
  while (width > 1 && width * cost > (std::size_t{1} << 27)) width /= 2;
  const std::size_t narrow = std::min(width, kNarrow);
  const bool dropped = searcher.pass(narrow, nullptr);
  const AlignmentCost first = *searcher.best();
  searcher.keep();
  if (!dropped) return true;
  if (narrow == width) return false;
  build_bounds();
  const bool exact = !searcher.pass(width, &first);
  if (searcher.best()) searcher.keep();
  return exact;
}

// --------------------------------------------------------------------------- words

void AlignmentSearch::describe(const WordGroups& groups) {
  word_search_.start(groups.hyp_words(), true);
  for (std::uint32_t h = 0; h < groups.hyp_words(); ++h) {
    // Not structured bindings, which lambdas of Clang before 16 cannot capture.
    const auto hyps = groups.words(h).hyps;
    const auto refs = groups.words(h).refs;
    if (refs == 0) {
      word_search_.add_bare();
    } else if (!(groups.contested() >> h & 1)) {
      word_search_.add_settled(
          groups.match(h, static_cast<std::uint32_t>(std::countr_zero(refs))));
    } else {
      const std::uint32_t left = WordGroups::count(hyps >> h);
      const std::uint32_t ref_count = WordGroups::count(refs);
      word_search_.add_contested({.hyp = h,
                                  .left = left,
                                  .refs = ref_count,
                                  .own = refs,
                                  .expiring = left == 1 ? refs : 0,
                                  .may_go_without = WordGroups::count(hyps) > ref_count},
                                 [&](std::uint32_t ref) { return ref < 64 && (refs >> ref & 1); });
      const WordGroups::Set joints = groups.before_next(h);
      WordGroups::for_each(refs, [&](std::uint32_t r) {
        word_search_.add_option(groups.match(h, r), WordGroups::Set{1} << r, joints >> r & 1);
      });
    }
  }
  word_search_.close();
}

void AlignmentSearch::describe_graph() {
  word_search_.start(graph_.hyp_words(), graph_.complete());
  const auto candidates = graph_.candidates();
  for (std::uint32_t h = 0; h < graph_.hyp_words(); ++h) {
    if (graph_.kind(h) == Kind::kBare) {
      word_search_.add_bare();
    } else if (graph_.kind(h) == Kind::kForced) {
      word_search_.add_settled(candidates[graph_.first(h)]);
    } else {
      const AlignmentGraph::Component& c = graph_.component(h);
      std::uint64_t expiring = 0;
      for (const std::uint32_t bit : graph_.expiring(h, h + 1)) expiring |= std::uint64_t{1} << bit;
      // Its bits; there are some, and at most 64.
      word_search_.add_contested(
          {.hyp = h,
           .left = graph_.left(h),
           .refs = c.ref_words,
           .own = ~std::uint64_t{0} >> (64 - c.ref_words) << c.first_bit,
           .expiring = expiring,
           .may_go_without = !graph_.complete() || c.hyp_words > c.ref_words},
          [&](std::uint32_t ref) { return graph_.starts(h, ref); });
      for (std::uint32_t k = graph_.first(h); k < graph_.first(h + 1); ++k)
        word_search_.add_option(candidates[k], std::uint64_t{1} << graph_.bit(candidates[k].ref),
                                graph_.starts(h + 1, candidates[k].ref + 1));
    }
  }
  word_search_.close();
}

bool AlignmentSearch::search_words(std::vector<Match>& out) {
  describe_graph();
  const bool exact = search(word_search_, graph_.candidates().size(), [&] {
    graph_.build_bounds();
    word_search_.set_bounds(graph_.bounds());
  });
  out.clear();
  for (const Match& match : graph_.candidates())
    if (graph_.kind(match.hyp) == Kind::kForced || word_search_.chosen()[match.hyp] == match.ref)
      out.push_back(match);
  return exact;
}

// ------------------------------------------------------------------------- phrases

bool AlignmentSearch::search_phrases(std::vector<Match>& out) {
  const bool exact = search(*this, words_ * graph_.candidates().size(),
                            [&] { graph_.build_bounds(); });
  out.clear();
  for (std::uint32_t h = 0; h < graph_.hyp_words(); ++h)
    if (graph_.kind(h) == Kind::kForced && graph_.first(h) < graph_.first(h + 1))
      out.push_back(graph_.candidates()[graph_.first(h)]);
    else if (graph_.kind(h) == Kind::kContested && chosen_[h] != kNone)
      out.push_back(graph_.candidates()[chosen_[h]]);
  return exact;
}

const AlignmentCost* AlignmentSearch::best() {
  const auto& states = layer(graph_.hyp_words()).states;
  return states.empty() ? nullptr : &states.front().cost;
}

void AlignmentSearch::keep() {
  chosen_.assign(graph_.hyp_words(), kNone);
  const State& state = layer(graph_.hyp_words()).states.front();
  for (std::uint32_t t = state.trail; t != kNone; t = trails_[t].before)
    chosen_[graph_.candidates()[trails_[t].candidate].hyp] = trails_[t].candidate;
}

// Search from the first word to past the last one, leaving out what costs as much
// as `limit`; return whether states were dropped for lack of room.
bool AlignmentSearch::pass(std::size_t width, const AlignmentCost* limit) {
  limit_ = limit;
  if (layers_.size() < graph_.longest() + std::size_t{1}) layers_.resize(graph_.longest() + 1);
  for (Layer& each : layers_) each.clear();
  trails_.clear();
  scratch_.assign(words_, 0);
  insert(0, {}, scratch_.data(), kNone);
  bool dropped = false;
  for (std::uint32_t h = 0; h < graph_.hyp_words();) {
    Layer& now = layer(h);
    pace_.spend((1 + graph_.first(h + 1) - graph_.first(h)) *
                (8 * now.states.size() + now.used.size()));
    if (graph_.kind(h) == Kind::kContested) {
      dropped |= prune(now, width);
      expand(h++, now);
      now.clear();
    } else {
      h = stride(h, now);
    }
  }
  return dropped;
}

void AlignmentSearch::add(State& state, const Match& match) {
  state.cost.lost_chunks += state.end != match.ref || match.ref == 0;
  state.cost.far += AlignmentCost::distance(match) + match.matcher;
  state.end = match.ref + match.ref_length;
}

// Move the states over all words up to the next contested one; return that. No
// other state can be there: it would have come from inside of a match.
std::uint32_t AlignmentSearch::stride(std::uint32_t h, Layer& now) {
  kept_.states.swap(now.states);
  kept_.used.swap(now.used);
  now.clear();
  // Behind its first match a stride is the same for all states.
  const Match* match = nullptr;
  if (graph_.kind(h) == Kind::kForced) {
    match = &graph_.candidates()[graph_.first(h)];
    h += match->hyp_length;
  }
  State rest;
  rest.end = match ? match->ref + match->ref_length : 0;
  while (h < graph_.hyp_words() && graph_.kind(h) != Kind::kContested) {
    if (graph_.kind(h) == Kind::kBare) {
      rest.end = 0;
      ++h;
    } else {
      const Match& next = graph_.candidates()[graph_.first(h)];
      add(rest, next);
      h += next.hyp_length;
    }
  }
  if (rest.end != 0 && !graph_.starts(h, rest.end)) rest.end = 0;
  for (std::size_t s = 0; s < kept_.states.size(); ++s) {
    State& state = kept_.states[s];
    if (match) add(state, *match);
    state.cost = state.cost + rest.cost;
    state.end = rest.end;
    insert(h, state, kept_.used.data() + s * words_, kNone);
  }
  return h;
}

// The most words a component could still cover.
std::uint32_t AlignmentSearch::potential(const AlignmentGraph::Component& c,
                                         std::uint32_t hyp_left,
                                         const std::uint64_t* used) const {
  const std::uint32_t from = c.first_bit, to = c.first_bit + c.ref_words;
  std::uint32_t free = c.ref_words;
  for (std::uint32_t w = from / 64; w * 64 < to; ++w) {
    std::uint64_t word = used[w];
    if (w * 64 < from) word &= ~bits_below(from - w * 64);
    if (to - w * 64 < 64) word &= bits_below(to - w * 64);
    free -= static_cast<std::uint32_t>(std::popcount(word));
  }
  return c.phrases ? hyp_left + free : 2 * std::min(hyp_left, free);
}

void AlignmentSearch::expand(std::uint32_t h, Layer& now) {
  const std::size_t words = words_;
  const AlignmentGraph::Component& c = graph_.component(h);
  std::uint64_t* next_used = scratch_.data();
  for (std::size_t s = 0; s < now.states.size(); ++s) {
    const std::uint64_t* used = now.used.data() + s * words;
    const std::uint32_t before = potential(c, graph_.left(h), used);
    // Go on to word `next` with so many more words covered by candidate `taken`.
    const auto go = [&](State& state, std::uint32_t next, std::uint32_t gain,
                        std::uint32_t taken) {
      for (const std::uint32_t bit : graph_.expiring(h, next)) set(next_used, bit);
      if (!graph_.complete()) {
        const std::uint32_t after =
            potential(c, graph_.left(h) - (next - h), next_used);
        state.cost.lost_chunks += (before - gain - after) * AlignmentCost::kLostWord;
      }
      if (state.end != 0 && !graph_.starts(next, state.end)) state.end = 0;
      insert(next, state, next_used, taken);
    };
    for (std::uint32_t k = graph_.first(h); k < graph_.first(h + 1); ++k) {
      const Match& match = graph_.candidates()[k];
      const std::uint32_t bit = graph_.bit(match.ref);
      bool free = true;
      for (std::uint32_t i = 0; i < match.ref_length; ++i) free &= !test(used, bit + i);
      if (!free) continue;
      std::copy_n(used, words, next_used);
      for (std::uint32_t i = 0; i < match.ref_length; ++i) set(next_used, bit + i);
      State state = now.states[s];
      add(state, match);
      go(state, h + match.hyp_length, match.hyp_length + match.ref_length, k);
    }
    // In complete components taking a match loses nothing, so only a word that is
    // one too many may go without.
    if (graph_.complete() && before == 2 * graph_.left(h)) continue;
    std::copy_n(used, words, next_used);
    State state = now.states[s];
    state.end = 0;
    go(state, h + 1, 0, kNone);
  }
}

// Add a state unless an equal one is as good.
void AlignmentSearch::insert(std::uint32_t at, State state, const std::uint64_t* used,
                             std::uint32_t taken) {
  const std::size_t words = words_;
  if (limit_ && state.cost + graph_.bound(at) >= *limit_) return;
  Layer& to = layer(at);
  const auto equal = [&](std::size_t s) {
    return to.states[s].end == state.end &&
           std::equal(used, used + words, to.used.data() + s * words);
  };
  const std::size_t none = to.states.size();
  std::size_t found = 0, slot = 0;
  if (to.table.empty()) {
    while (found < none && !equal(found)) ++found;
  } else {
    const std::size_t mask = to.table.size() - 1;
    slot = hash_of(state.end, used, words) & mask;
    while (to.table[slot] != 0 && !equal(to.table[slot] - 1)) slot = (slot + 1) & mask;
    found = to.table[slot] != 0 ? to.table[slot] - 1 : none;
  }
  if (found != none && !(state.cost < to.states[found].cost)) return;
  if (taken != kNone) {
    trails_.push_back({state.trail, taken});
    state.trail = static_cast<std::uint32_t>(trails_.size() - 1);
  }
  if (found != none) {
    to.states[found] = state;
    return;
  }
  to.states.push_back(state);
  to.used.insert(to.used.end(), used, used + words);
  if (to.table.empty() ? to.states.size() > kScanned : 2 * to.states.size() > to.table.size())
    rehash(to, std::max<std::size_t>(64, 2 * to.table.size()));
  else if (!to.table.empty())
    to.table[slot] = static_cast<std::uint32_t>(to.states.size());
}

void AlignmentSearch::rehash(Layer& to, std::size_t size) const {
  to.table.assign(size, 0);
  for (std::size_t s = 0; s < to.states.size(); ++s) {
    std::size_t i = hash_of(to.states[s].end, to.used.data() + s * words_, words_) & (size - 1);
    while (to.table[i] != 0) i = (i + 1) & (size - 1);
    to.table[i] = static_cast<std::uint32_t>(s + 1);
  }
}

// Keep the best states, of equal ones the first; return whether any had to go.
bool AlignmentSearch::prune(Layer& now, std::size_t width) {
  const std::size_t words = words_;
  if (now.states.size() <= width) return false;
  order_.resize(now.states.size());
  std::iota(order_.begin(), order_.end(), 0u);
  const auto better = [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(now.states[a].cost, a) < std::pair(now.states[b].cost, b);
  };
  std::nth_element(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(width) - 1,
                   order_.end(), better);
  order_.resize(width);
  std::sort(order_.begin(), order_.end());  // as they came
  for (std::size_t to = 0; to < width; ++to) {  // order_[to] >= to
    now.states[to] = now.states[order_[to]];
    std::copy_n(now.used.begin() + static_cast<std::ptrdiff_t>(order_[to] * words), words,
                now.used.begin() + static_cast<std::ptrdiff_t>(to * words));
  }
  now.states.resize(width);
  now.used.resize(width * words);
  return true;
}

}  // namespace tertium
