// SPDX-License-Identifier: Apache-2.0
#include "align/meteor.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>
#include <numeric>
#include <tuple>

#include "align/match_writer.hpp"
#include "base/batch.hpp"

namespace tertium {

namespace {

constexpr std::size_t kBlock = 64;

// The number of a phrase of the batch in a table.
std::uint32_t number_in(const PhraseTable& table, const Words& words,
                        std::span<const std::uint32_t> phrase) {
  std::uint32_t number = PhraseTable::kRoot;
  for (const std::uint32_t word : phrase)
    number = table.longer(number, table.word(words.word(word)));
  return number;
}

}  // namespace

bool MeteorSearch::run(std::size_t hyp_words, std::size_t ref_words,
                       std::vector<Match>& candidates, std::vector<Match>& out) {
  out.clear();
  const auto key = [](const Match& m) {
    return std::tuple(m.ref, m.matcher, m.hyp, m.hyp_length, m.ref_length);
  };
  std::sort(candidates.begin(), candidates.end(),
            [&](const Match& a, const Match& b) { return key(a) < key(b); });
  count(hyp_words, ref_words, candidates);
  words_ = hyp_words / 64 + 1;
  paths_.assign(1, {});
  used_.assign(words_, 0);
  trails_.clear();
  bool complete = true;
  std::uint32_t at = 0;
  for (std::uint32_t r = 0; r < ref_words; ++r) {
    std::uint32_t end = at;
    while (end < candidates.size() && candidates[end].ref == r) ++end;
    complete &= prune();
    next_.clear();
    next_used_.clear();
    for (const Path& path : paths_) {
      if (path.next > r) {
        pass_by(path);
        continue;
      }
      if (end == at + 1 && alone(candidates[at])) {
        take(path, candidates[at], at, false);
        continue;
      }
      for (std::uint32_t c = at; c < end; ++c)
        if (free(path, candidates[c])) take(path, candidates[c], c, true);
      Path skipped = path;
      skipped.next = r + 1;
      pass_by(skipped);
    }
    paths_.swap(next_);
    used_.swap(next_used_);
    at = end;
    pace_.spend(used_.size());
  }
  complete &= prune();
  for (std::uint32_t t = paths_.front().trail; t != kNone; t = trails_[t].before)
    out.push_back(candidates[trails_[t].candidate]);
  std::sort(out.begin(), out.end(),
            [](const Match& a, const Match& b) { return a.hyp < b.hyp; });
  return complete;
}

// How many candidates cover every word.
void MeteorSearch::count(std::size_t hyp_words, std::size_t ref_words,
                         std::span<const Match> candidates) {
  hyp_count_.assign(hyp_words, 0);
  ref_count_.assign(ref_words, 0);
  for (const Match& match : candidates) {
    for (std::uint32_t i = 0; i < match.hyp_length; ++i) ++hyp_count_[match.hyp + i];
    for (std::uint32_t i = 0; i < match.ref_length; ++i) ++ref_count_[match.ref + i];
  }
}

bool MeteorSearch::alone(const Match& match) const {
  for (std::uint32_t i = 0; i < match.hyp_length; ++i)
    if (hyp_count_[match.hyp + i] > 1) return false;
  for (std::uint32_t i = 0; i < match.ref_length; ++i)
    if (ref_count_[match.ref + i] > 1) return false;
  return true;
}

std::uint32_t MeteorSearch::value(const Match& match) const {
  return match.matcher == exact_ ? match.hyp_length + match.ref_length
                                 : match.hyp_length / 2 + match.ref_length / 2;
}

// Order the paths, best first, of equal ones the first; keep as many as the beam
// is wide. Returns whether all stay.
bool MeteorSearch::prune() {
  if (paths_.size() < 2) return true;
  order_.resize(paths_.size());
  std::iota(order_.begin(), order_.end(), 0u);
  const auto key = [&](std::uint32_t p) {
    const Path& path = paths_[p];
    // ~: larger ones first.
    return std::tuple(~path.value, path.chunks, ~path.matches, p);
  };
  const std::size_t kept = std::min(beam_, order_.size());
  std::partial_sort(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(kept),
                    order_.end(),
                    [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  next_.clear();
  for (std::size_t i = 0; i < kept; ++i) next_.push_back(paths_[order_[i]]);
  const bool all = kept == paths_.size();
  paths_.swap(next_);
  return all;
}

bool MeteorSearch::free(const Path& path, const Match& match) const {
  const std::uint64_t* used = used_.data() + path.used * words_;
  for (std::uint32_t i = match.hyp; i < match.hyp + match.hyp_length; ++i)
    if (used[i / 64] >> (i % 64) & 1) return false;
  return true;
}

void MeteorSearch::take(Path path, const Match& match, std::uint32_t number, bool counts) {
  if (counts) path.value += value(match);
  path.chunks += path.hyp_end != match.hyp || path.ref_end != match.ref;
  ++path.matches;
  path.hyp_end = match.hyp + match.hyp_length;
  path.ref_end = path.next = match.ref + match.ref_length;
  trails_.push_back({path.trail, number});
  path.trail = static_cast<std::uint32_t>(trails_.size() - 1);
  pass_by(path);
  std::uint64_t* used = next_used_.data() + next_.back().used * words_;
  for (std::uint32_t i = match.hyp; i < path.hyp_end; ++i)
    used[i / 64] |= std::uint64_t{1} << (i % 64);
}

void MeteorSearch::pass_by(Path path) {
  const std::size_t from = path.used * words_;
  path.used = static_cast<std::uint32_t>(next_.size());
  next_.push_back(path);
  for (std::size_t w = 0; w < words_; ++w) next_used_.push_back(used_[from + w]);
}

std::size_t align_as_meteor(PairBatch& batch, std::span<const Matcher> matchers,
                            std::span<const std::vector<Match>> given, std::size_t beam,
                            unsigned threads) {
  // Every matcher on its own: what two of them find is two candidates.
  std::deque<MatcherSet> sets;
  std::uint32_t exact = MeteorSearch::kNone;
  for (std::uint32_t m = 0; m < matchers.size(); ++m) {
    sets.emplace_back(matchers.subspan(m, 1), batch.words());
    if (matchers[m].kind == Matcher::Kind::kExact) exact = m;
  }
  struct Own {
    Own(PairBatch& batch, const std::deque<MatcherSet>& sets, std::size_t beam,
        std::uint32_t exact)
        : search(beam, exact), writer(batch) {
      for (const MatcherSet& set : sets) finders.emplace_back(set);
    }
    std::deque<CandidateFinder> finders;
    MeteorSearch search;
    MatchWriter writer;
    std::vector<Match> candidates, given;
  };
  std::atomic<std::size_t> unsure = 0;
  const auto align_pair = [&](Own& own, const Pair& pair, std::size_t number,
                              std::vector<Match>& out) {
    own.candidates.clear();
    bool cut = false;
    for (std::uint32_t m = 0; m < own.finders.size(); ++m) {
      own.given.clear();
      if (!given.empty())
        for (const Match& match : given[number])
          if (match.matcher == m) own.given.push_back(match);
      CandidateFinder& finder = own.finders[m];
      finder.find(pair, own.given);
      cut |= finder.cut;
      for (Match match : finder.candidates) {
        // Equal words are the exact matcher's.
        const bool equal = match.hyp_length == 1 && match.ref_length == 1 &&
                           pair.hyp[match.hyp] == pair.ref[match.ref];
        if (equal && exact != MeteorSearch::kNone && m != exact) continue;
        match.matcher = m;
        own.candidates.push_back(match);
        if (const PhraseTable* table = matchers[m].table) {
          const std::uint32_t a =
              number_in(*table, batch.words(), pair.hyp.subspan(match.hyp, match.hyp_length));
          const std::uint32_t b =
              number_in(*table, batch.words(), pair.ref.subspan(match.ref, match.ref_length));
          if (table->repeated(a, b)) own.candidates.push_back(match);
        }
      }
    }
    return own.search.run(pair.hyp.size(), pair.ref.size(), own.candidates, out) && !cut;
  };
  parallel_for(batch.segments(), kBlock, threads, [&]() -> Body {
    return [&, own = std::make_shared<Own>(batch, sets, beam, exact)](std::size_t from,
                                                                      std::size_t to) {
      unsure += own->writer.write_all(
          from, to, given.empty(),
          [&](const Pair& pair, std::size_t number, std::vector<Match>& out) {
        return align_pair(*own, pair, number, out);
      });
    };
  });
  return unsure;
}

}  // namespace tertium
