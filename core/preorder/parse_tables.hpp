// SPDX-License-Identifier: Apache-2.0
// A reordering grammar laid out for parsing.
//
// States are sorted by arity, so that the children numbered c of all states that have so
// many are one block of slots, and combining two spans is one element-wise product:
//
//   slots     child 0 of all states | child 1 of all states | child 2 of arity >= 3 | ...
//   items     all states with 2 children done | those of arity >= 3 with 3 done | ...
//   left      child 0 of all states | arity >= 3 with 2 children done | ...
//
// Item x of a span is the sum over splits of left[x] of its first part and slot
// [states + x] of its second: CKY+ with dotted rules (Chappelier and Rajman 1998).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "preorder/grammar.hpp"

namespace tertium {

// One state of an operator. Its slots and items, by the number of children before or done.
struct ParseState {
  std::uint32_t op, split, arity;
  std::vector<std::uint32_t> slots;  // slots[c] of child c
  std::vector<std::uint32_t> items;  // items[d] with d children done, from 2 on
};

// The items of all splits of an operator with so many children done, from `first` on. Its
// states start at `state`.
struct ItemRun {
  std::uint32_t first, count, op, done, arity, state;
};

// How the grammar is changed for parsing.
enum class TableKind {
  kExact,
  kSmooth,  // every slot may expand into every state and emit every word
  kCoarse,  // one state per operator, the mean over its splits
};

class ParseTables {
 public:
  ParseTables(const Grammar& grammar, TableKind kind);

  std::size_t states() const { return all.size(); }
  std::size_t items() const { return slots() - states(); }
  std::size_t slots() const { return emits.size(); }

  // The probability that every slot emits a terminal; -1 is one that nobody knows.
  void emissions(std::int64_t terminal, std::span<double> out) const;

  const Grammar& grammar;
  std::vector<ParseState> all;
  std::vector<double> root;              // by state
  std::vector<double> unary, transpose;  // slots x states, states x slots
  std::vector<std::uint32_t> complete;   // the item of every state that is done
  // Items that are not: the place in `left` where each continues, or none.
  struct Continued {
    std::uint32_t item, left;
  };
  std::vector<Continued> continued;
  std::vector<ItemRun> runs;  // all items, run by run
  // The items of an operator that are done.
  const ItemRun& complete_run(std::uint32_t op) const { return runs[complete_run_[op]]; }

 private:
  struct Source {  // slots of the grammar, `count` of them, with the mean of their values
    std::uint32_t first, count;
  };
  void lay_out();
  void fill(bool smooth);

  bool coarse_, smooth_;
  std::vector<Source> emits;           // by slot
  std::vector<Source> state_sources_;  // by state
  std::vector<char> emitter_;          // by slot: nothing but emissions
  std::vector<std::uint32_t> complete_run_;  // by operator
};

}  // namespace tertium
