// SPDX-License-Identifier: Apache-2.0
#include "preorder/grammar.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace tertium {

GrammarShape::GrammarShape(std::vector<GrammarOperator> given, std::vector<std::uint32_t> parts)
    : operators(std::move(given)), splits(std::move(parts)) {
  if (operators.empty() || operators.size() != splits.size())
    throw std::invalid_argument("a grammar needs operators, each with its number of splits");
  first_state = first_slot = {0};
  for (std::size_t op = 0; op < operators.size(); ++op) {
    std::vector<std::uint32_t> sorted = operators[op].ranks, ranks(sorted.size());
    std::sort(sorted.begin(), sorted.end());
    std::iota(ranks.begin(), ranks.end(), 1u);
    if (ranks.size() < 2 || sorted != ranks)
      throw std::invalid_argument("an operator is not a permutation of two or more children");
    if (operators[op].emitter >= static_cast<std::int32_t>(ranks.size()))
      throw std::invalid_argument("an operator has no such child");
    if (splits[op] == 0) throw std::invalid_argument("an operator needs at least one split");
    first_state.push_back(first_state.back() + splits[op]);
    first_slot.push_back(first_slot.back() + splits[op] * operators[op].arity());
  }
}

void Grammar::check() const {
  const std::size_t slots = shape.slots();
  if (root.size() != shape.states() || unary.size() != slots * shape.states())
    throw std::invalid_argument("root or unary do not fit the states and slots");
  if (first.empty() || first.front() != 0 || first.back() != slot.size() ||
      slot.size() != value.size() || !std::is_sorted(first.begin(), first.end()))
    throw std::invalid_argument("the emissions do not fit together");
  if (std::any_of(slot.begin(), slot.end(), [&](std::uint32_t s) { return s >= slots; }))
    throw std::invalid_argument("an emission has a slot that the grammar has not");
  if (slot_backoff.size() != slots || terminal_backoff.size() != terminals())
    throw std::invalid_argument("the back-off does not fit the slots and terminals");
}

void Grammar::emissions(std::size_t terminal, std::span<double> out) const {
  for (std::size_t s = 0; s < out.size(); ++s)
    out[s] = slot_backoff[s] * terminal_backoff[terminal];
  for (std::uint32_t i = first[terminal]; i < first[terminal + 1]; ++i) out[slot[i]] += value[i];
}

}  // namespace tertium
