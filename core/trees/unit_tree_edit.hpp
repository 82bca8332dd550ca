// SPDX-License-Identifier: Apache-2.0
// Tree edit distance at unit costs, eight subproblems at a time.
//
// Counts what is saved against deleting and inserting everything: nodes of both
// prefixes minus their distance. Deletions and insertions then cost nothing, so a
// row is a running maximum. All key ranges of the second tree stand side by side in
// one row, so that short ranges make no short loops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/pace.hpp"
#include "trees/tree_edit.hpp"

namespace tertium {

// A labelled forest in one of its orders, with what a comparison needs.
struct UnitOrder {
  // Equal labels are equal numbers, by node. The postorder must outlive this.
  void assign(const Postorder& postorder, std::span<const std::uint32_t> node_labels);

  const Postorder* order = nullptr;
  std::vector<std::uint32_t> labels;  // by place

  // A row: key ranges, each behind a column without nodes and filled up to a
  // multiple of eight, then the subtrees of one node that are key ranges. No
  // columns where a row would be too long.
  std::size_t width = 0, spare = 0;       // columns of ranges, of single nodes
  std::vector<std::int16_t> low, high;    // labels of columns, in two halves
  std::vector<std::int16_t> whole;        // all ones where the prefix is a tree
  std::vector<std::int16_t> inside;       // 0 in the first eight columns of a range
  std::vector<std::uint16_t> start;       // the column before the subtree
  std::vector<std::uint16_t> home;        // where the subtree itself is compared
};

class UnitTreeEdit {
 public:
  std::int32_t distance(const UnitOrder& a, const UnitOrder& b);

 private:
  void fill(const UnitOrder& a, const UnitOrder& b, KeyRange key);
  void fill_path(const UnitOrder& a, const UnitOrder& b, std::size_t i, const std::int16_t* above,
                 std::int16_t* row);

  // What is saved by a subtree of a (row) with that of a column; by a prefix of a
  // key range with that of a column.
  std::vector<std::int16_t> trees_, forest_;
  Pace pace_;
  TreeEdit<UnitCosts> large_;  // for trees whose rows would be too long
};

}  // namespace tertium
