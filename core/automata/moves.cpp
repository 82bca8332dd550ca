// SPDX-License-Identifier: Apache-2.0
#include "automata/moves.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <tuple>
#include <unordered_map>

#include "base/flat_map.hpp"

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
  bool operator==(const State&) const = default;
};

struct Hash {
  std::size_t operator()(const State& state) const {
    return mix(mix(state.early) + 3 * mix(state.late) + 256u * state.next + state.moves);
  }
};

// Pass the next token, and those after it that went early.
State passed(State state, bool postponed) {
  bool went = false;
  do {
    state.late = state.late << 1 | (postponed ? 1 : 0);
    postponed = false;
    ++state.next;
    went = (state.early & 1) != 0;
    state.early >>= 1;
  } while (went);
  return state;
}

struct Made {
  std::uint32_t to;
  int token, displacement;
  Step step;
};

// All states that can be reached, and the steps from each; the start is the first.
class Reached {
 public:
  Reached(int tokens, int moves, int window) : n_(tokens), moves_(moves), window_(window) {
    // States are met by depth, so that all ways to one are known when it is left.
    by_depth_.resize(static_cast<std::size_t>(3 * n_ + 1));
    number({0, 0, 0, 0});
    for (std::size_t depth = 0; depth < by_depth_.size(); ++depth)
      for (std::size_t i = 0; i < by_depth_[depth].size(); ++i) leave(by_depth_[depth][i]);
  }

  std::uint32_t number(const State& state) {
    const auto [place, fresh] =
        numbers_.try_emplace(state, static_cast<std::uint32_t>(states.size()));
    if (fresh) {
      if (states.size() == MoveLattice::kMostStates)
        throw std::invalid_argument("tokens could move in too many ways; lower moves or window");
      states.push_back(state);
      steps.emplace_back();
      by_depth_[static_cast<std::size_t>(state.depth())].push_back(place->second);
    }
    return place->second;
  }

  std::vector<State> states;
  std::vector<std::vector<Made>> steps;

 private:
  void leave(std::uint32_t from) {
    const State state = states[from];
    const int place = state.place();
    const auto far = [&](int token) { return std::abs(place - token); };
    const auto reach = [&](State to, int token, Step step) {
      if (to.late != 0) {
        // A late token that is out of its window already can never be put out.
        const int oldest = to.next - static_cast<int>(std::bit_width(to.late));
        if (to.place() - oldest > window_) return;
      } else if (to.next == n_) {
        to.moves = 0;  // one end, however many moves it took
      }
      const std::uint32_t there = number(to);
      steps[from].push_back({there, token, step == Step::kInPlace ? 0 : far(token), step});
    };
    if (state.next < n_ && far(state.next) <= window_)
      reach(passed(state, false), state.next, Step::kInPlace);
    for (std::uint64_t late = state.late; late != 0; late &= late - 1) {
      const int token = state.next - 1 - std::countr_zero(late);
      State to = state;
      to.late &= ~(late & (~late + 1));
      if (far(token) <= window_) reach(to, token, Step::kLate);
    }
    if (state.moves == moves_ || state.next >= n_) return;
    State moved = state;
    ++moved.moves;
    reach(passed(moved, true), state.next, Step::kPostpone);
    for (int token = state.next + 1; token < n_ && token - place <= window_; ++token) {
      const std::uint64_t bit = std::uint64_t{1} << (token - state.next - 1);
      if ((state.early & bit) != 0 || far(token) > window_) continue;
      State to = moved;
      to.early |= bit;
      reach(to, token, Step::kEarly);
    }
  }

  int n_, moves_, window_;
  std::unordered_map<State, std::uint32_t, Hash> numbers_;
  std::vector<std::vector<std::uint32_t>> by_depth_;
};

}  // namespace

MoveLattice::MoveLattice(std::size_t tokens, int moves, int window) : tokens_(tokens) {
  const int n = static_cast<int>(tokens);
  Reached found(n, moves, window);
  const std::uint32_t end = found.number({static_cast<std::uint16_t>(n), 0, 0, 0});
  std::vector<std::uint32_t> order(found.states.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(found.states[a].depth(), a) < std::tuple(found.states[b].depth(), b);
  });
  // Leave out what cannot be finished, from the end backwards.
  std::vector<std::uint8_t> useful(order.size(), 0);
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    std::erase_if(found.steps[*it], [&](const Made& made) { return !useful[made.to]; });
    useful[*it] = *it == end || !found.steps[*it].empty();
  }
  std::erase_if(order, [&](std::uint32_t state) { return !useful[state]; });
  std::vector<std::uint32_t> renumbered(found.states.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) renumbered[order[i]] = i;
  for (const std::uint32_t old : order) {
    const State& state = found.states[old];
    next_.push_back(state.next);
    first_.push_back(steps_.size());
    for (const Made& made : found.steps[old])
      steps_.push_back({renumbered[made.to], static_cast<std::uint16_t>(made.token),
                        static_cast<std::uint8_t>(made.displacement), made.step});
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

std::shared_ptr<const MoveLattice> MoveLattice::shared(std::size_t tokens, int moves, int window) {
  constexpr std::size_t kKept = 128;  // lengths of sentences that one run meets
  static std::mutex mutex;
  static std::map<std::tuple<std::size_t, int, int>, std::shared_ptr<const MoveLattice>> kept;
  const std::tuple key(tokens, moves, window);
  {
    const std::lock_guard lock(mutex);
    if (const auto found = kept.find(key); found != kept.end()) return found->second;
  }
  const auto made = std::make_shared<const MoveLattice>(tokens, moves, window);
  const std::lock_guard lock(mutex);
  if (kept.size() >= kKept) kept.clear();
  return kept.emplace(key, made).first->second;
}

}  // namespace tertium
