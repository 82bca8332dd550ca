// SPDX-License-Identifier: Apache-2.0
#include "moves.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>
#include <tuple>

namespace tertium {

namespace {

// Bit d of `early` is token next + 1 + d, bit d of `late` is token next - 1 - d.
struct State {
  std::uint16_t next;
  std::uint8_t moves;
  std::uint64_t early, late;

  // How many tokens are put out, which is the place of the one to come.
  int place() const { return next - std::popcount(late) + std::popcount(early); }
  // Every step makes this larger: it puts a token out or leaves one behind.
  int depth() const { return place() + 2 * next; }
  auto key() const { return std::tuple(depth(), next, moves, early, late); }
  bool operator<(const State& other) const { return key() < other.key(); }
};

// Pass the next token, and those after it that went early.
State passed(State state, bool postponed) {
  do {
    state.late = state.late << 1 | (postponed ? 1 : 0);
    postponed = false;
    ++state.next;
    const bool went = (state.early & 1) != 0;
    state.early >>= 1;
    if (!went) break;
  } while (true);
  return state;
}

}  // namespace

MoveLattice::MoveLattice(std::size_t tokens, int moves, int window) : tokens_(tokens) {
  const int n = static_cast<int>(tokens);
  struct Found {
    State to;
    int token, displacement;
    Step step;
  };
  std::map<State, std::vector<Found>> found;
  const State start{0, 0, 0, 0}, end_key{static_cast<std::uint16_t>(n), 0, 0, 0};
  found[start];
  // States come out sorted by depth, so those found on the way are met later.
  for (auto it = found.begin(); it != found.end(); ++it) {
    const State state = it->first;
    std::vector<Found>& out = it->second;
    const int place = state.place();
    const auto near = [&](int token) { return std::abs(place - token) <= window; };
    const auto reach = [&](State to, int token, int displacement, Step step) {
      // A late token that is out of its window already can never be put out.
      if (to.late != 0) {
        const int oldest = to.next - std::bit_width(to.late);
        if (to.place() - oldest > window) return;
      } else if (to.next == n) {
        to = end_key;  // however many moves it took
      }
      found[to];
      out.push_back({to, token, displacement, step});
    };
    if (state.next < n && near(state.next))
      reach(passed(state, false), state.next, 0, Step::kInPlace);
    for (std::uint64_t late = state.late; late != 0; late &= late - 1) {
      const int token = state.next - 1 - std::countr_zero(late);
      if (!near(token)) continue;
      State to = state;
      to.late &= ~(late & (~late + 1));
      reach(to, token, std::abs(place - token), Step::kLate);
    }
    if (state.moves == moves || state.next >= n) continue;
    State moved = state;
    ++moved.moves;
    reach(passed(moved, true), state.next, 0, Step::kPostpone);
    for (int token = state.next + 1; token < n && near(token); ++token) {
      const std::uint64_t bit = std::uint64_t{1} << (token - state.next - 1);
      if ((state.early & bit) != 0) continue;
      State to = moved;
      to.early |= bit;
      reach(to, token, std::abs(place - token), Step::kEarly);
    }
  }
  // Leave out what cannot be finished, from the end backwards.
  std::map<State, std::uint32_t> number;
  for (auto it = found.rbegin(); it != found.rend(); ++it) {
    std::erase_if(it->second, [&](const Found& f) { return !number.contains(f.to); });
    if (!it->second.empty() || !(it->first < end_key || end_key < it->first)) number[it->first] = 0;
  }
  std::uint32_t count = 0;
  for (auto& [state, id] : number) id = count++;
  for (const auto& [state, id] : number) {
    next_.push_back(state.next);
    first_.push_back(steps_.size());
    for (const Found& f : found[state])
      steps_.push_back({number[f.to], static_cast<std::uint16_t>(f.token),
                        static_cast<std::uint8_t>(f.displacement), f.step});
    apart_first_.push_back(apart_.size());
    for (std::uint64_t early = state.early; early != 0; early &= early - 1)
      apart_.push_back(static_cast<std::uint16_t>(state.next + 1 + std::countr_zero(early)));
    late_first_.push_back(apart_.size());
    for (std::uint64_t late = state.late; late != 0; late &= late - 1)
      apart_.push_back(static_cast<std::uint16_t>(state.next - 1 - std::countr_zero(late)));
  }
  first_.push_back(steps_.size());
  apart_first_.push_back(apart_.size());
}

}  // namespace tertium
