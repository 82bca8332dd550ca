// SPDX-License-Identifier: Apache-2.0
// Orders of least risk: those with the highest expected Kendall tau, from the
// probabilities that one word comes before another.
//
// Over all orders this is the linear ordering problem, which is NP-hard. Over separable
// orders (those of binary trees; Tromble and Eisner 2009) a dynamic programme on prefix
// sums of the probabilities is exact: O(n^3), or O(n^3 d) with a maximum displacement d.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tertium {

using Order = std::vector<std::int32_t>;  // the source index at every place

// One sentence and what its order must respect.
struct RiskTask {
  std::size_t words = 0;
  const double* expectations = nullptr;  // [i * words + j]: that i comes before j
  // Words of a block stay together, in their order; blocks are disjoint and sorted.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> frozen;
  // What comes before a wall stays before what comes after.
  std::vector<std::uint32_t> walls;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> before;  // the first precedes the second
  std::int64_t max_displacement = -1;                           // of a word; -1: any
};

struct SafeOrder {
  Order order;
  double gain;  // the expected tau
};

// The `count` best separable orders, the best first; fewer if there are no more. Of equal
// ones, those that keep source words in place come first. None: the constraints exclude all.
std::vector<SafeOrder> best_orders(const RiskTask& task, std::size_t count);

// The expected tau of any order; 1 below two words. O(n^2).
double expected_tau(std::span<const std::int32_t> order, const double* expectations);

}  // namespace tertium
