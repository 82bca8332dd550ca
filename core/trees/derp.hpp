// SPDX-License-Identifier: Apache-2.0
// DERP: dependency relations between aligned words, over a minimum spanning tree
// (McCaffery 2017, chapter 5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "align/pairs.hpp"
#include "base/pace.hpp"
#include "trees/derp_paths.hpp"
#include "trees/derp_spanning.hpp"

namespace tertium {

struct DerpOptions {
  // What several words that stand for several words become: one vertex, or
  // vertices of their own that are joined greedily or at the least cost.
  enum class Ordinality { kContract, kGreedy, kExact };
  // What the sum of L is divided by (5.8): the sum of L_max, the edges of the
  // spanning tree, the edges of the reference's dependency tree.
  enum class Normalise { kMax, kSpanning, kDependency };
  enum class Labels { kFull, kUniversal, kNone };
  // What becomes of pairs without a path to compare: 1, 0, or left out.
  enum class Degenerate { kKeep, kZero, kDrop };

  bool flat = false;
  Ordinality ordinality = Ordinality::kContract;
  Normalise normalise = Normalise::kMax;
  bool ignore_punct = false;
  Labels labels = Labels::kFull;
  Degenerate degenerate = Degenerate::kKeep;
};

// An edge of the spanning tree: two words of the reference, and of the hypothesis
// the words they stand for, one and the same if they share it.
struct DerpEdge {
  std::uint32_t hyp[2], ref[2];  // words, counted from 0
  PathCost cost;
};

struct DerpSums {
  std::uint64_t edits = 0, longest = 0;  // sums of L and of L_max
  std::size_t hyp_aligned = 0, hyp_words = 0;
  std::size_t ref_aligned = 0, ref_words = 0;

  void add(PathCost cost) {
    edits += edits_of(cost);
    longest += longest_of(cost);
  }
  bool degenerate() const { return longest == 0; }
};

// The search within one pair, with the scratch memory of a thread.
class Derp {
 public:
  explicit Derp(const DerpOptions& options) : options_(options) {}

  // The sums alone: O(k^2) for k links, and O(depth^2) for every link of trees.
  DerpSums sums(const Pair& pair);
  // The same with the edges, as Kruskal's algorithm takes them.
  DerpSums edges(const Pair& pair, std::vector<DerpEdge>& out);
  // The score of sums; 0 for pairs left out.
  double score(const DerpSums& sums) const;

 private:
  struct Side {
    std::vector<std::uint32_t> index;     // place among the words kept, or none
    std::vector<std::uint32_t> words;     // the words kept
    std::vector<std::uint32_t> heads, labels;
    std::vector<std::uint32_t> links;     // how many links a kept word has
  };

  DerpSums read(const Pair& pair);
  void keep_words(std::span<const std::uint32_t> text, const Words& words, Side& side) const;
  void read_tree(const DependencyTree* tree, const Pair& pair, bool is_hyp);
  void group_links();
  bool has_many_to_many() const;
  template <typename Paths>
  void contract(Paths& paths, DerpSums& sums);
  template <typename Paths>
  std::vector<DerpEdge> kruskal(Paths& paths);
  template <typename Paths>
  std::vector<DerpEdge> join_both(Paths& paths, const Pair& pair);
  template <typename Call>
  auto with_paths(Call call);

  DerpOptions options_;
  Side hyp_, ref_;
  std::vector<Link> links_;            // by group
  std::vector<std::size_t> first_;     // where the links of a group begin
  std::vector<char> many_;             // by group: several words on both sides
  std::vector<PathCost> nearest_;      // by group
  std::vector<std::uint32_t> open_;    // links of groups that are not in the tree
  UnionFind sets_;
  Pace pace_;
  FlatPaths flat_;
  TreePaths trees_;
};

// Row: score, weight, degenerate pairs; the score of a system is the mean.
std::unique_ptr<PairKernel> make_derp(const DerpOptions& options);

}  // namespace tertium
