// SPDX-License-Identifier: Apache-2.0
#include "preorder/parse_tables.hpp"

#include <algorithm>

namespace tertium {
namespace {

// What a smoothed grammar adds to every expansion and emission: far less than any
// probability that training has seen, so that it only decides where nothing else does.
constexpr double kFloor = 1e-12;

}  // namespace

ParseTables::ParseTables(const Grammar& source, TableKind kind)
    : grammar(source), coarse_(kind == TableKind::kCoarse), smooth_(kind == TableKind::kSmooth) {
  lay_out();
  fill(smooth_);
}

void ParseTables::lay_out() {
  const GrammarShape& shape = grammar.shape;
  std::uint32_t widest = 0;
  for (std::uint32_t op = 0; op < shape.operators.size(); ++op) {
    const std::uint32_t arity = shape.operators[op].arity();
    widest = std::max(widest, arity);
    for (std::uint32_t k = 0; k < (coarse_ ? 1 : shape.splits[op]); ++k)
      all.push_back({op, k, arity, {}, std::vector<std::uint32_t>(2)});
  }
  std::stable_sort(all.begin(), all.end(), [](const ParseState& a, const ParseState& b) {
    return a.arity < b.arity;
  });
  for (const ParseState& state : all) {
    const std::uint32_t parts = coarse_ ? shape.splits[state.op] : 1;
    state_sources_.push_back({shape.first_state[state.op] + state.split, parts});
  }
  for (std::uint32_t child = 0; child < widest; ++child)
    for (ParseState& state : all) {
      if (state.arity <= child) continue;
      const auto slot = static_cast<std::uint32_t>(emits.size());
      state.slots.push_back(slot);
      // The second part of an item is a slot, in the same place.
      if (child > 0) state.items.push_back(slot - static_cast<std::uint32_t>(all.size()));
      emits.push_back({shape.block(state.op, child) + state.split,
                       coarse_ ? shape.splits[state.op] : 1});
      emitter_.push_back(shape.operators[state.op].emitter == static_cast<std::int32_t>(child));
    }
  for (const ParseState& state : all) {
    complete.push_back(state.items[state.arity]);
    // With d children done, an item is the first part of that with d + 1.
    for (std::uint32_t done = 2; done < state.arity; ++done)
      continued.push_back({state.items[done], state.items[done + 1]});
  }
  complete_run_.resize(shape.operators.size());
  for (std::uint32_t s = 0; s < all.size(); ++s) {
    const ParseState& state = all[s];
    if (state.split > 0) continue;
    const std::uint32_t count = coarse_ ? 1 : shape.splits[state.op];
    for (std::uint32_t done = 2; done <= state.arity; ++done)
      runs.push_back({state.items[done], count, state.op, done, state.arity, s});
    complete_run_[state.op] = static_cast<std::uint32_t>(runs.size() - 1);
  }
}

void ParseTables::fill(bool smooth) {
  const std::size_t width = grammar.shape.states();
  for (const Source& from : state_sources_) {
    root.push_back(smooth ? kFloor : 0);
    for (std::uint32_t i = 0; i < from.count; ++i) root.back() += grammar.root[from.first + i];
  }
  unary.assign(slots() * states(), 0);
  transpose.assign(unary.size(), 0);
  for (std::size_t slot = 0; slot < slots(); ++slot)
    for (std::size_t state = 0; state < states(); ++state) {
      const Source &row = emits[slot], &column = state_sources_[state];
      double sum = 0;
      for (std::uint32_t i = 0; i < row.count; ++i)
        for (std::uint32_t j = 0; j < column.count; ++j)
          sum += grammar.unary[(row.first + i) * width + column.first + j];
      sum /= row.count;
      if (smooth && !emitter_[slot]) sum += kFloor;
      unary[slot * states() + state] = transpose[state * slots() + slot] = sum;
    }
}

void ParseTables::emissions(std::int64_t terminal, std::span<double> out) const {
  thread_local std::vector<double> column;
  column.assign(grammar.shape.slots(), 0);
  if (terminal >= 0) grammar.emissions(static_cast<std::size_t>(terminal), column);
  for (std::size_t slot = 0; slot < slots(); ++slot) {
    double sum = 0;
    for (std::uint32_t i = 0; i < emits[slot].count; ++i) sum += column[emits[slot].first + i];
    out[slot] = sum / emits[slot].count + (smooth_ ? kFloor : 0);
  }
}

}  // namespace tertium
