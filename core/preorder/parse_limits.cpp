// SPDX-License-Identifier: Apache-2.0
#include "preorder/parse_limits.hpp"

#include <algorithm>

namespace tertium {
namespace {

// Which boundaries, from that before the first child to that after the last one, have the
// same words around them before and after the operator.
std::vector<char> kept_boundaries(const std::vector<std::uint32_t>& ranks) {
  std::vector<char> out(ranks.size() + 1);
  out.front() = ranks.front() == 1;
  out.back() = ranks.back() == ranks.size();
  for (std::size_t b = 1; b < ranks.size(); ++b) out[b] = ranks[b] == ranks[b - 1] + 1;
  return out;
}

bool swaps_across_all(const std::vector<std::uint32_t>& ranks) {
  std::uint32_t highest = 0;
  for (std::size_t b = 1; b < ranks.size(); ++b) {
    highest = std::max(highest, ranks[b - 1]);
    if (highest == b) return false;
  }
  return true;
}

}  // namespace

ParseLimits::ParseLimits(const ParseTables& tables, const OrderLimits& order)
    : tables_(tables), order_(order), run_of_(tables.items()) {
  for (std::uint32_t r = 0; r < tables.runs.size(); ++r)
    std::fill_n(run_of_.begin() + tables.runs[r].first, tables.runs[r].count, r);
  for (const GrammarOperator& op : tables.grammar.shape.operators) {
    keeps_.push_back(kept_boundaries(op.ranks));
    whole_.push_back(swaps_across_all(op.ranks));
  }
}

bool ParseLimits::allows(const ItemRun& run, std::size_t begin, std::size_t middle,
                         std::size_t end) const {
  if (!fits(run.op, 0, begin) || !fits(run.op, run.done - 1, middle) ||
      !fits(run.op, run.done, end))
    return false;
  if (run.arity == 2)
    return ranks(run.op)[0] < ranks(run.op)[1] ? order_.straight(begin, middle, middle, end)
                                               : order_.inverted(begin, middle, middle, end);
  if (run.done == run.arity && listed(begin, end)) return false;
  return !order_.apart(begin, middle, end);
}

}  // namespace tertium
