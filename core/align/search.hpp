// SPDX-License-Identifier: Apache-2.0
// The choice of matches: a beam search over the words of the hypothesis.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "align/graph.hpp"
#include "align/word_groups.hpp"
#include "align/word_search.hpp"
#include "base/pace.hpp"

namespace tertium {

// Chooses matches that share no word so that, in this order of importance,
//   1. most words are covered, of both texts together;
//   2. there are fewest chunks: runs of matches that are neighbours in the same
//      order in both texts;
//   3. the sum of |first hypothesis word - first reference word| is smallest;
//   4. the sum of the matchers' numbers is smallest (exact before stem).
// What is equal in all of these is decided by the order of the search, which
// depends on nothing but the pair.
//
// The states of the search are sets of used reference words, of contested ones
// that are still of use, with the place where the current chunk could go on. Equal
// states are merged, which loses nothing. A narrow search finds some alignment
// fast; if it had to drop states, a search `beam` wide follows, which leaves out
// what cannot become better than that. The result is the best there is unless
// more than `beam` such states were alive before one of the words.
//
// Cost: O(words + candidates x states).
class AlignmentSearch {
 public:
  explicit AlignmentSearch(std::size_t beam) : beam_(beam) {}

  // Write the best matches to `out`, by first hypothesis word. Candidates are in
  // the order of CandidateFinder. Returns whether the result is surely optimal.
  bool run(std::size_t hyp_words, std::size_t ref_words, std::span<const Match> candidates,
           std::span<const std::uint32_t> first, std::vector<Match>& out);
  // The same for groups of words.
  bool run(const WordGroups& groups, std::vector<Match>& out);

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  static constexpr std::size_t kNarrow = 6;  // states of the first search

  struct State {
    AlignmentCost cost;
    std::uint32_t end = 0;        // where a match would continue the chunk, 0: nowhere
    std::uint32_t trail = kNone;  // the last candidate taken and those before it
  };
  struct Step {
    std::uint32_t before, candidate;
  };
  // The states before one hypothesis word, with their used reference words. Many
  // states have a hash table of state numbers + 1.
  struct Layer {
    std::vector<State> states;
    std::vector<std::uint64_t> used;
    std::vector<std::uint32_t> table;
    void clear() {
      states.clear();
      used.clear();
      table.clear();
    }
  };

  // Have `searcher` search narrowly and, if states were dropped, widely; build_bounds()
  // is called before that. Returns whether the result is surely optimal. `cost` is what
  // a state costs.
  template <class Searcher, class Build>
  bool search(Searcher& searcher, std::size_t cost, Build build_bounds);

  bool search_phrases(std::vector<Match>& out);
  bool search_words(std::vector<Match>& out);
  void describe(const WordGroups& groups);
  void describe_graph();

  // As in WordSearch, but for candidates of any length.
  bool pass(std::size_t width, const AlignmentCost* limit);
  const AlignmentCost* best();
  void keep();
  std::uint32_t stride(std::uint32_t h, Layer& now);
  void expand(std::uint32_t h, Layer& now);
  void insert(std::uint32_t at, State state, const std::uint64_t* used, std::uint32_t taken);
  bool prune(Layer& now, std::size_t width);
  std::uint32_t potential(const AlignmentGraph::Component& c, std::uint32_t hyp_left,
                          const std::uint64_t* used) const;
  void rehash(Layer& to, std::size_t size) const;
  Layer& layer(std::uint32_t at) { return layers_[at % layers_.size()]; }
  static void add(State& state, const Match& match);

  std::size_t beam_, words_ = 1;  // words of 64 bits a state
  AlignmentGraph graph_;
  WordSearch word_search_;
  std::vector<AlignmentCost> bounds_;
  const AlignmentCost* limit_ = nullptr;
  std::vector<Layer> layers_;
  Layer kept_;
  std::vector<Step> trails_;
  std::vector<std::uint32_t> order_, chosen_;
  std::vector<std::uint64_t> scratch_;
  Pace pace_;
};

}  // namespace tertium
