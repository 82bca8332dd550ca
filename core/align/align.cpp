// SPDX-License-Identifier: Apache-2.0
#include "align/align.hpp"

#include <atomic>
#include <memory>
#include <utility>

#include "align/context.hpp"
#include "align/match_writer.hpp"
#include "align/search.hpp"
#include "base/batch.hpp"

namespace tertium {

namespace {

constexpr std::size_t kBlock = 64;

struct Aligner {
  Aligner(PairBatch& batch, const MatcherSet& set, std::size_t beam)
      : groups(set), finder(set), search(beam), writer(batch) {}

  // Returns whether the result is surely the best there is.
  bool align(const Pair& pair, std::span<const Match> given, std::vector<Match>& out) {
    if (given.empty() && groups.build(pair)) return search.run(groups, out);
    finder.find(pair, given);
    const bool exact =
        search.run(pair.hyp.size(), pair.ref.size(), finder.candidates, finder.first, out);
    return exact && !finder.cut;
  }

  WordGroups groups;
  CandidateFinder finder;
  AlignmentSearch search;
  MatchWriter writer;
};

}  // namespace

std::size_t align(PairBatch& batch, std::span<const Matcher> matchers,
                  std::span<const std::vector<Match>> given, std::size_t beam,
                  unsigned threads) {
  const MatcherSet set(matchers, batch.words());
  std::atomic<std::size_t> unsure = 0;
  parallel_for(batch.segments(), kBlock, threads, [&]() -> Body {
    return [&, own = std::make_shared<Aligner>(batch, set, beam)](std::size_t from,
                                                                  std::size_t to) {
      unsure += own->writer.write_all(
          from, to, given.empty(),
          [&](const Pair& pair, std::size_t number, std::vector<Match>& out) {
        return own->align(pair, given.empty() ? std::span<const Match>() : given[number], out);
      });
    };
  });
  return unsure;
}

void align_by_context(PairBatch& batch, unsigned threads) {
  parallel_for(batch.segments(), kBlock, threads, [&]() -> Body {
    struct Scratch {
      explicit Scratch(PairBatch& batch) : writer(batch) {}
      MatchWriter writer;
      ContextAligner aligner;
      std::vector<char> taken;
    };
    return [&, own = std::make_shared<Scratch>(batch)](std::size_t from, std::size_t to) {
      own->writer.write_all(from, to, true, [&](const Pair& pair, std::size_t,
                                                std::vector<Match>& out) {
        out.clear();
        own->taken.assign(pair.ref.size(), 0);
        for (const auto& [h, r] : own->aligner.align(pair.hyp, pair.ref, batch.words().types()))
          if (!std::exchange(own->taken[r], 1)) out.push_back({h, 1, r, 1});
        return true;
      });
    };
  });
}

}  // namespace tertium
