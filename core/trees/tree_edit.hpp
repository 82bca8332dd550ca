// SPDX-License-Identifier: Apache-2.0
// Edit distance of ordered trees and forests (Tai 1979; Zhang and Shasha 1989).
//
// Zhang and Shasha's algorithm decomposes both trees along left paths; mirrored,
// along right paths. Both are exact; the one with fewer subproblems is taken, a
// product of two sums that are known beforehand. One-node key ranges need no
// table at all. Chains have one key range, so they cost O(nm).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/pace.hpp"

namespace tertium {

// Heads that form no tree: a node is its own ancestor, or has no such parent.
class NotATree : public std::invalid_argument {
 public:
  NotATree(std::size_t where, const std::string& what)
      : std::invalid_argument(what), node(where) {}
  std::size_t node;
};

// Places [first, last] of a postorder: a subtree that is not a first child, or all.
struct KeyRange {
  std::uint32_t first, last;
};

struct Postorder {
  std::vector<std::uint32_t> node;    // the node at a place
  std::vector<std::uint32_t> first;   // where the subtree begins that ends at a place
  std::vector<KeyRange> keys;         // of two nodes and more, by last place; then all
  std::vector<std::uint32_t> leaves;  // key ranges of one node
  double work = 0;                    // total length of keys
};

class OrderedForest {
 public:
  // The parent of every node, counted from 1; 0 for a root. Children are ordered
  // by number, roots too. Throws NotATree.
  void assign(std::span<const std::uint32_t> parents);

  std::size_t size() const { return left_.node.size(); }
  const Postorder& left() const { return left_; }
  const Postorder& right() const { return right_; }  // of the mirrored forest

 private:
  Postorder left_, right_;
  std::vector<std::uint32_t> child_, sibling_, preorder_, size_, depth_, seen_;
};

// Whether two forests are cheaper to compare mirrored.
inline bool mirrored(const OrderedForest& a, const OrderedForest& b) {
  return a.right().work * b.right().work < a.left().work * b.left().work;
}

// Throw where tables or time would be absurd: more than 2^26 pairs of nodes (two
// trees of 8,192), or 2^38 subproblems (some minutes).
void check_effort(const Postorder& a, const Postorder& b);

// What operations cost. Places are those of the chosen postorders.
struct UnitCosts {
  using Value = std::int32_t;
  const std::uint32_t* a_labels;
  const std::uint32_t* b_labels;
  Value remove(std::size_t) const { return 1; }
  Value insert(std::size_t) const { return 1; }
  Value rename(std::size_t i, std::size_t j) const { return a_labels[i] != b_labels[j]; }
};

// Costs by node. A rename may be forbidden (kForbidden), other costs are finite.
template <class Number>
struct TableCosts {
  using Value = Number;
  static constexpr Number kForbidden = std::numeric_limits<Number>::has_infinity
                                           ? std::numeric_limits<Number>::infinity()
                                           : Number{1} << (8 * sizeof(Number) - 4);
  std::vector<Number> removes, inserts, renames;  // of places; renames by row

  Value remove(std::size_t i) const { return removes[i]; }
  Value insert(std::size_t j) const { return inserts[j]; }
  Value rename(std::size_t i, std::size_t j) const { return renames[i * inserts.size() + j]; }
};

// The tables of one comparison, kept for the next one.
template <class Costs>
class TreeEdit {
 public:
  using Value = typename Costs::Value;

  Value distance(const Postorder& a, const Postorder& b, const Costs& costs);
  // For every place of a the place of b it is mapped to, or -1; after distance()
  // of the same arguments. Of equally cheap mappings one is chosen by a fixed
  // rule: pairs before deletions before insertions, from the last place on.
  std::vector<std::int32_t> mapping(const Postorder& a, const Postorder& b, const Costs& costs);

 private:
  void fill_leaves(const Postorder& a, const Postorder& b, const Costs& costs);
  void fill(const Postorder& a, const Postorder& b, const Costs& costs, KeyRange ka, KeyRange kb);

  std::vector<Value> trees_;   // distance of subtrees, by place of a and of b
  std::vector<Value> forest_;  // distance of prefixes of two key ranges
  std::vector<Value> total_, best_;
  Pace pace_;
  std::size_t stride_ = 0;
};

extern template class TreeEdit<UnitCosts>;
extern template class TreeEdit<TableCosts<double>>;
extern template class TreeEdit<TableCosts<std::int64_t>>;

}  // namespace tertium
