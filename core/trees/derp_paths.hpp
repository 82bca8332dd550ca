// SPDX-License-Identifier: Apache-2.0
// How much the paths between two aligned words differ (McCaffery 2017, 5.2-5.4).
//
// The path from n to m climbs to the highest node p and descends to m. Its
// encoding has three parts: the labels climbed, the direction in the sentence, and
// the labels descended; an edge carries the label of its lower end. Two paths
// differ by L = lev(climbed) + [other direction] + lev(descended) of at most
// L_max = longer climb + 1 + longer descent.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "base/pace.hpp"

namespace tertium {

struct Link {
  std::uint32_t hyp, ref;  // words, counted from 0
  std::uint32_t group;     // which component of the alignment
};

// L and L_max as one number, whose order is that of the pair (L, L_max).
using PathCost = std::uint64_t;
constexpr PathCost path_cost(std::uint64_t edits, std::uint64_t longest) {
  return edits << 32 | longest;
}
constexpr std::uint64_t edits_of(PathCost cost) { return cost >> 32; }
constexpr std::uint64_t longest_of(PathCost cost) { return cost & 0xFFFFFFFF; }

// Paths of flattened trees, in which every word hangs on the one before it under
// one and the same label: only gaps between words and their directions count.
class FlatPaths {
 public:
  void set(std::span<const Link> links) { links_ = links; }
  void from(std::size_t i) { start_ = links_[i]; }
  PathCost to(std::size_t j) const {
    // Without a branch, for directions are hard to predict. Gaps d and d' of one
    // direction differ by |d - d'|, of opposite ones by the same and 1.
    const std::int64_t hyp = std::int64_t{links_[j].hyp} - start_.hyp;
    const std::int64_t ref = std::int64_t{links_[j].ref} - start_.ref;
    const std::int64_t turned = (hyp < 0) != (ref < 0);
    const std::int64_t edits = std::abs(hyp - ref) + turned;
    const std::int64_t longest = 1 + std::max(std::abs(hyp), std::abs(ref));
    return path_cost(static_cast<std::uint64_t>(edits),
                     static_cast<std::uint64_t>(turned ? edits : longest));
  }

 private:
  std::span<const Link> links_;
  Link start_{};
};

// A tree below a virtual root, node 0, whose edges carry the roots' own labels, so
// that several roots are not a special case. Word i is node i + 1.
class RootedTree {
 public:
  // False if the heads form a cycle.
  bool set(std::span<const std::uint32_t> heads, std::span<const std::uint32_t> labels);

  std::uint32_t depth(std::uint32_t word) const { return depth_[word + 1]; }
  // The labels from a word up to the virtual root.
  void climb(std::uint32_t word, std::vector<std::uint32_t>& out) const;
  // Where the path from this word to any other turns; linear.
  void from(std::uint32_t word);
  std::uint32_t meeting_depth(std::uint32_t word) const { return meet_[word + 1]; }

 private:
  std::vector<std::uint32_t> heads_, labels_;  // by node
  std::vector<std::uint32_t> depth_, order_;   // order_: heads before dependents
  std::vector<std::uint32_t> meet_, walk_;
  std::vector<char> above_;
};

// Paths of two trees. The labels climbed from n are a prefix of its labels up to
// the root, and so, read backwards, are those descended to n. One table of
// Levenshtein distances between the prefixes of both words of a link therefore
// serves all paths that begin or end there: O(depth^2) a link, O(1) a path. Where
// trees are so deep that tables would not fit, their rows are made one after the
// other, and only the distances that paths need are kept: k^2 of them for k links.
class TreePaths {
 public:
  RootedTree hyp, ref;

  // Throws invalid_argument if that would take minutes.
  void set(std::span<const Link> links);
  void from(std::size_t i) {
    start_ = i;
    hyp.from(links_[i].hyp);
    ref.from(links_[i].ref);
  }
  PathCost to(std::size_t j) {
    const Link &n = links_[start_], &m = links_[j];
    const End &begin = ends_[start_], &end = ends_[j];
    const std::uint32_t top = hyp.meeting_depth(m.hyp), ref_top = ref.meeting_depth(m.ref);
    const std::uint32_t up = begin.hyp_depth - top, ref_up = begin.ref_depth - ref_top;
    const std::uint32_t down = end.hyp_depth - top, ref_down = end.ref_depth - ref_top;
    const std::uint64_t turned = (n.hyp < m.hyp) != (n.ref < m.ref);
    // Reading both sequences backwards does not change their distance.
    const std::uint64_t climbed =
        tables_fit_ ? in_table(start_, up, ref_up) : climbs_[start_ * links_.size() + j];
    const std::uint64_t descended =
        tables_fit_ ? in_table(j, down, ref_down) : climbs_[j * links_.size() + start_];
    return path_cost(climbed + turned + descended,
                     std::uint64_t{std::max(up, ref_up)} + 1 + std::max(down, ref_down));
  }

 private:
  struct End {  // of paths, at a link
    std::uint32_t hyp_depth, ref_depth;
    std::size_t table;  // where its table begins
  };

  void fill(std::size_t i);
  void fill_climbs(std::size_t i);
  std::uint32_t in_table(std::size_t link, std::uint32_t hyp_length,
                         std::uint32_t ref_length) const {
    const End& end = ends_[link];
    return table_[end.table + hyp_length * (end.ref_depth + std::size_t{1}) + ref_length];
  }

  std::span<const Link> links_;
  std::size_t start_ = 0;
  bool tables_fit_ = true;
  std::vector<std::uint32_t> table_;
  std::vector<std::uint32_t> climbs_;  // by links n and m: lev(climbed from n towards m)
  std::vector<End> ends_;
  std::vector<std::uint32_t> up_hyp_, up_ref_;
  std::vector<std::uint32_t> row_, first_, next_;  // for fill_climbs
  Pace pace_;
};

}  // namespace tertium
