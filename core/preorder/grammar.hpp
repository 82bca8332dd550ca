// SPDX-License-Identifier: Apache-2.0
// preorder/: units, forests and grammars that reorder a source sentence before translation.
//
// The reordering grammar (Stanojević 2017, section 3.3). Every operator is split into
// latent states; every child of a state is a slot, which expands into a state of any
// operator or emits a terminal: a word, the unknown word, or a multiword unit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tertium {

// Child c goes to place ranks[c], counted from 1.
struct GrammarOperator {
  std::vector<std::uint32_t> ranks;
  std::int32_t emitter = -1;  // the child that only emits: that of an unaligned unit

  std::uint32_t arity() const { return static_cast<std::uint32_t>(ranks.size()); }
};

// Which states and slots there are. State k of an operator is first_state[op] + k; its
// slot for child c is first_slot[op] + c · splits[op] + k, so that the slots of one child
// are a block.
struct GrammarShape {
  std::vector<GrammarOperator> operators;
  std::vector<std::uint32_t> splits;
  std::vector<std::uint32_t> first_state, first_slot;  // one more than operators

  GrammarShape() = default;
  // Throws std::invalid_argument unless ranks are permutations and splits positive.
  GrammarShape(std::vector<GrammarOperator> operators, std::vector<std::uint32_t> splits);

  std::uint32_t states() const { return first_state.back(); }
  std::uint32_t slots() const { return first_slot.back(); }
  std::uint32_t block(std::size_t op, std::size_t child) const {
    return first_slot[op] + static_cast<std::uint32_t>(child) * splits[op];
  }
};

// The probabilities. A slot's unary row and its emissions add up to 1.
struct Grammar {
  GrammarShape shape;
  std::vector<double> root;   // states
  std::vector<double> unary;  // slots x states
  // Emissions by terminal: those of terminal t are [first[t], first[t + 1]), by slot.
  std::vector<std::uint32_t> first, slot;
  std::vector<double> value;
  // Every slot also emits terminal t with slot_backoff[slot] · terminal_backoff[t].
  std::vector<double> slot_backoff, terminal_backoff;

  std::size_t terminals() const { return first.size() - 1; }
  // Throws std::invalid_argument unless all sizes and slots fit.
  void check() const;
  // The probability that each slot emits the terminal.
  void emissions(std::size_t terminal, std::span<double> out) const;
};

}  // namespace tertium
