// SPDX-License-Identifier: Apache-2.0
// Which derivations of a grammar respect the limits on a sentence's order.
//
// Operators of two children are decided by the span and its split. With more children, an
// item of a dotted rule does not know which child has a word of a pair. In spans that
// contain a pair, their edges are therefore listed with all boundaries: O(n^arity) per span.
// In spans of more than kListed words, such operators never separate a pair, which is
// decided by the split again, but leaves out edges that keep its order.
#pragma once

#include <cstddef>
#include <vector>

#include "preorder/order_limits.hpp"
#include "preorder/parse_tables.hpp"

namespace tertium {

class ParseLimits {
 public:
  static constexpr std::size_t kListed = 24;

  ParseLimits(const ParseTables& tables, const OrderLimits& order);

  const OrderLimits& order() const { return order_; }

  // Whether an item over [begin, end) may be made of those of its parts.
  bool allows(const ItemRun& run, std::size_t begin, std::size_t middle, std::size_t end) const;
  bool allows(std::size_t item, std::size_t begin, std::size_t middle, std::size_t end) const {
    return allows(tables_.runs[run_of_[item]], begin, middle, end);
  }
  // Whether edges of more than two children are listed instead of built from items.
  bool listed(std::size_t begin, std::size_t end) const {
    return (order_.complete() || end - begin <= kListed) && order_.paired(begin, end);
  }
  // Whether a node of the operator may have this boundary as its b-th.
  bool fits(std::size_t op, std::size_t b, std::size_t boundary) const {
    return !order_.joint(boundary) || keeps_[op][b];
  }
  // Whether the operator may join a span: false if a wall within is in its way anyhow.
  bool crosses(std::size_t op, std::size_t begin, std::size_t end) const {
    return !(whole_[op] && order_.wall(begin, end));
  }
  const std::vector<std::uint32_t>& ranks(std::size_t op) const {
    return tables_.grammar.shape.operators[op].ranks;
  }

 private:
  const ParseTables& tables_;
  const OrderLimits& order_;
  std::vector<std::uint32_t> run_of_;     // by item
  std::vector<std::vector<char>> keeps_;  // by operator and boundary: neighbours stay
  std::vector<char> whole_;               // by operator: no boundary without a swap across it
};

}  // namespace tertium
