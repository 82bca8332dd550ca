// SPDX-License-Identifier: Apache-2.0
// Which scores two metrics exchange in a trial of a permutation test.
//
// Deutsch, Dror and Roth (2021): PERM-BOTH tosses a coin for every (segment,
// system), PERM-INPUT for every segment, PERM-SYSTEM for every system. Coins are
// numbered segment by segment, coin k is bit k of the trial's stream: the same
// numbering as in coin_sums, so that all kernels see the same swaps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random.hpp"

namespace tertium {

enum class Swap { kNone, kBoth, kInputs, kSystems };

class SwapMask {
 public:
  SwapMask(Swap swap, std::uint64_t seed, std::uint64_t trial, std::size_t systems)
      : swap_(swap), random_(seed, trial), systems_(systems) {}

  bool at(std::size_t segment, std::size_t system) const {
    switch (swap_) {
      case Swap::kBoth:
        return coin(segment * systems_ + system);
      case Swap::kInputs:
        return coin(segment);
      case Swap::kSystems:
        return coin(system);
      default:
        return false;
    }
  }

  // All systems of a segment, at most 64.
  std::uint64_t word(std::size_t segment) const {
    const std::uint64_t all = ~std::uint64_t{0} >> (64 - systems_);
    switch (swap_) {
      case Swap::kBoth: {
        const std::size_t bit = segment * systems_, shift = bit % 64;
        std::uint64_t word = random_.draw(bit / 64) >> shift;
        if (shift + systems_ > 64) word |= random_.draw(bit / 64 + 1) << (64 - shift);
        return word & all;
      }
      case Swap::kInputs:
        return coin(segment) ? all : 0;
      case Swap::kSystems:
        return random_.draw(0) & all;
      default:
        return 0;
    }
  }

 private:
  bool coin(std::size_t k) const { return random_.draw(k / 64) >> (k % 64) & 1; }

  Swap swap_;
  Random random_;
  std::size_t systems_;
};

// Scores of people and of metrics, segment after segment: human[s * systems + i],
// metrics[m][s * systems + i]. NaN in `human` is missing, and then whatever the
// metrics have; elsewhere metrics are finite.
struct Scores {
  std::size_t segments, systems, metrics;
  const double* human;
  const double* values;

  std::size_t size() const { return segments * systems; }
  const double* metric(std::size_t m) const { return values + m * size(); }
};

// Two metrics that are compared.
struct Rivals {
  std::uint32_t a, b;
};

struct SwapTrials {
  Swap swap;
  std::uint64_t seed;
  std::size_t first, count;
};

// How entries form groups: member k of group g is at g * group + k * member.
struct Grouping {
  std::size_t groups, members, group, member;

  static Grouping items(const Scores& s) { return {s.segments, s.systems, s.systems, 1}; }
  static Grouping by_system(const Scores& s) { return {s.systems, s.segments, 1, s.systems}; }
  static Grouping none(const Scores& s) { return {1, s.size(), 0, 1}; }
  std::size_t at(std::size_t g, std::size_t k) const { return g * group + k * member; }
};

}  // namespace tertium
