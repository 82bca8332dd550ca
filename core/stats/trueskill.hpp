// SPDX-License-Identifier: Apache-2.0
// TrueSkill (Herbrich, Minka and Graepel 2007) for games of two, many runs at once.
//
// A run goes through judgements one after the other in an order of its own, so
// the skills depend on the order; runs do not depend on each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tertium {

struct TrueSkillModel {
  double sigma;   // of the skills before the first game, whose mean is 0
  double beta;    // of the performance in one game
  double tau;     // what a skill may change between two games
  double margin;  // performances closer than this are a draw
};

// Games of judgement j: [starts[j], starts[j + 1]).
struct Games {
  std::span<const std::int32_t> first, second, outcome;  // 1, 0 or -1 for the first
  std::span<const std::int32_t> starts;
  std::size_t players;
};

// draws[r * length ..]: the judgements of run r in their order. Games of one judgement
// are shuffled, differently in every run: a fixed order would set apart systems that
// are equal. Run r takes its random numbers from (seed, first + r). skills[r * 2 *
// players ..]: the means, then the standard deviations.
struct Runs {
  std::span<const std::int32_t> draws;
  std::size_t count, first;
  std::uint64_t seed;
};

void trueskill(const Games& games, const TrueSkillModel& model, const Runs& runs,
               unsigned threads, double* skills);

}  // namespace tertium
