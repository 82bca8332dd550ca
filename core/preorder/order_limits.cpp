// SPDX-License-Identifier: Apache-2.0
#include "preorder/order_limits.hpp"

#include <algorithm>
#include <stdexcept>

namespace tertium {

OrderLimits::OrderLimits(std::size_t words, const LimitLists& lists)
    : side_(words + 1),
      joints_(side_),
      walls_(side_ + 1),
      kept_(side_ * side_),
      swapped_(side_ * side_) {
  for (const std::uint32_t joint : lists.joints) {
    if (joint > words) throw std::invalid_argument("a frozen span lies outside its sentence");
    joints_[joint] = 1;
  }
  for (const std::uint32_t wall : lists.walls) {
    if (wall > words) throw std::invalid_argument("a wall lies outside its sentence");
    ++walls_[wall + 1];
    for (std::size_t i = 0; i < wall; ++i)
      for (std::size_t j = wall; j < words; ++j) kept_[(i + 1) * side_ + j + 1] = 1;
  }
  for (std::size_t b = 1; b < walls_.size(); ++b) walls_[b] += walls_[b - 1];
  for (const auto& [first, second] : lists.before) {
    if (std::max(first, second) >= words || first == second)
      throw std::invalid_argument("a pair of words lies outside its sentence");
    const std::size_t low = std::min(first, second), high = std::max(first, second);
    (first < second ? kept_ : swapped_)[(low + 1) * side_ + high + 1] = 1;
  }
  add_up(kept_);
  add_up(swapped_);
}

OrderLimits::OrderLimits(std::span<const std::int32_t> order)
    : OrderLimits(order.size(), LimitLists{}) {
  complete_ = true;
  for (std::size_t s = 0; s < order.size(); ++s)
    for (std::size_t t = s + 1; t < order.size(); ++t) {
      const auto first = static_cast<std::size_t>(order[s]);
      const auto second = static_cast<std::size_t>(order[t]);
      Counts& counts = first < second ? kept_ : swapped_;
      counts[(std::min(first, second) + 1) * side_ + std::max(first, second) + 1] = 1;
    }
  add_up(kept_);
  add_up(swapped_);
}

void OrderLimits::add_up(Counts& counts) const {
  for (std::size_t i = 1; i < side_; ++i) {
    std::uint32_t row = 0;
    for (std::size_t j = 1; j < side_; ++j) {
      row += counts[i * side_ + j];
      counts[i * side_ + j] = counts[(i - 1) * side_ + j] + row;
    }
  }
}

}  // namespace tertium
