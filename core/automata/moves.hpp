// SPDX-License-Identifier: Apache-2.0
// Permutations of a hypothesis as a lattice: few tokens move, none of them far.
//
// A permutation of n tokens is allowed if n minus its longest increasing subsequence
// is at most `moves` and no token ends further than `window` from its place. A state
// knows the next token in order, the later tokens that went early and the earlier ones
// that are late, so permutations share what is left to do.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tertium {

enum class Step : std::uint8_t {
  kInPlace,   // the next token in order
  kEarly,     // a later token, moved here
  kLate,      // a token postponed before, moved here
  kPostpone,  // no output: the next token will come later
};

struct MoveStep {
  std::uint32_t to;
  std::uint16_t token;
  std::uint8_t displacement;  // of a moved token that is put out
  Step step;
};

// States are numbered such that every step leads to a higher number; 0 is the start,
// the last one the end. Their number grows linearly with n, and with `moves` as fast
// as window^moves; lattices with more than kMostStates are rejected.
class MoveLattice {
 public:
  static constexpr int kMostMoves = 8, kWidestWindow = 24, kMostTokens = 2000;
  static constexpr std::size_t kMostStates = 300'000;

  MoveLattice(std::size_t tokens, int moves, int window);
  // The same lattice for all who ask: it depends on these three numbers alone.
  static std::shared_ptr<const MoveLattice> shared(std::size_t tokens, int moves, int window);

  std::size_t size() const { return next_.size(); }
  std::size_t tokens() const { return tokens_; }
  std::uint32_t end() const { return static_cast<std::uint32_t>(size() - 1); }
  std::size_t next(std::uint32_t state) const { return next_[state]; }
  std::span<const MoveStep> steps(std::uint32_t state) const {
    return std::span(steps_).subspan(first_[state], first_[state + 1] - first_[state]);
  }
  std::span<const std::uint16_t> early(std::uint32_t state) const {
    return std::span(apart_).subspan(apart_first_[state],
                                     late_first_[state] - apart_first_[state]);
  }
  std::span<const std::uint16_t> late(std::uint32_t state) const {
    return std::span(apart_).subspan(late_first_[state],
                                     apart_first_[state + 1] - late_first_[state]);
  }

 private:
  std::size_t tokens_;
  std::vector<std::uint16_t> next_;
  std::vector<std::size_t> first_, apart_first_, late_first_;
  std::vector<MoveStep> steps_;
  std::vector<std::uint16_t> apart_;  // early tokens, then late ones, of each state
};

}  // namespace tertium
