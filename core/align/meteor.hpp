// SPDX-License-Identifier: Apache-2.0
// The choice of matches as the program Meteor 1.5 was observed to make it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "align/candidates.hpp"
#include "align/pairs.hpp"
#include "base/pace.hpp"

namespace tertium {

// The papers say: most covered words, fewest chunks, least displacement. What the
// program prints for made-up texts says otherwise, and this follows the program:
//   - a candidate that shares no word with another one is taken, whatever it costs;
//     candidates of two matchers for the same words are two, and so are those of a
//     paraphrase that a table has in both directions;
//   - of the others, exact matches count all their words, any other match half of
//     its words on either side, rounded down, so that single words count nothing;
//   - then fewest chunks, then most matches (displacement has no effect that could
//     be seen), then what was found first;
//   - by a beam search over the words of the reference that merges nothing, so that
//     a wider beam can and does choose otherwise.
// Cost: O(reference words x beam x candidates of a word x log).
class MeteorSearch {
 public:
  // `exact` is the number of the exact matcher, kNone if there is none.
  MeteorSearch(std::size_t beam, std::uint32_t exact) : beam_(beam), exact_(exact) {}

  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  // Write the matches to `out`, by first hypothesis word. Puts `candidates` in
  // order. Returns whether no path had to be dropped.
  bool run(std::size_t hyp_words, std::size_t ref_words, std::vector<Match>& candidates,
           std::vector<Match>& out);

 private:
  struct Path {
    std::uint32_t value = 0, chunks = 0, matches = 0;
    std::uint32_t next = 0;                  // the first reference word not yet decided
    std::uint32_t hyp_end = kNone, ref_end = kNone;  // of the last match
    std::uint32_t trail = kNone;
    std::uint32_t used = 0;  // number of its set of used hypothesis words
  };
  struct Step {
    std::uint32_t before, candidate;
  };

  void count(std::size_t hyp_words, std::size_t ref_words, std::span<const Match> candidates);
  bool alone(const Match& match) const;
  std::uint32_t value(const Match& match) const;
  bool prune();
  bool free(const Path& path, const Match& match) const;
  void take(Path path, const Match& match, std::uint32_t number, bool counts);
  void pass_by(Path path);

  std::size_t beam_, words_ = 1;
  std::uint32_t exact_;
  std::vector<std::uint32_t> hyp_count_, ref_count_;
  std::vector<Path> paths_, next_;
  std::vector<std::uint64_t> used_, next_used_;
  std::vector<std::uint32_t> order_;
  std::vector<Step> trails_;
  Pace pace_;
};

// Align all pairs of a batch so; see align().
std::size_t align_as_meteor(PairBatch& batch, std::span<const Matcher> matchers,
                            std::span<const std::vector<Match>> given, std::size_t beam,
                            unsigned threads);

}  // namespace tertium
