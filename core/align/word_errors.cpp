// SPDX-License-Identifier: Apache-2.0
#include "align/word_errors.hpp"

#include <algorithm>
#include <memory>

#include "base/batch.hpp"

namespace tertium {
namespace {

constexpr std::size_t kBlock = 64;
constexpr std::uint32_t kNone = 0xFFFFFFFF;

using Flags = std::vector<char>;

// The scratch memory of one thread, and the errors of the last pair.
class Labeller {
 public:
  explicit Labeller(const Flags& marks) : marks_(marks) {}

  // Label a pair; return how many words are wrong.
  std::size_t label(const Pair& pair) {
    hyp.assign(pair.hyp.size(), kAlone);
    ref.assign(pair.ref.size(), kAlone);
    links.assign(pair.hyp.size(), -1);
    for (const Match& match : pair.matches) {
      const char error = match.matcher == 0 ? 0 : kForm;
      hyp[match.hyp] = ref[match.ref] = error;
      links[match.hyp] = static_cast<std::int32_t>(match.ref);
    }
    find_rising(pair.matches);
    std::uint32_t h = 0, r = 0;
    for (const Match& match : pair.matches) {
      if (!rising_[static_cast<std::size_t>(&match - pair.matches.data())]) {
        hyp[match.hyp] |= kOrder;
        ref[match.ref] |= kOrder;
        continue;
      }
      pair_gap(pair, h, match.hyp, r, match.ref);
      h = match.hyp + 1;
      r = match.ref + 1;
    }
    pair_gap(pair, h, static_cast<std::uint32_t>(hyp.size()), r,
             static_cast<std::uint32_t>(ref.size()));
    const auto right = [](const std::string& text) {
      return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\0'));
    };
    return hyp.size() - right(hyp) + ref.size() - right(ref);
  }

  std::string hyp, ref;
  std::vector<std::int32_t> links;

 private:
  // Mark a longest rising sequence of the matches' places in the reference.
  void find_rising(std::span<const Match> matches) {
    tails_.clear();
    before_.resize(matches.size());
    for (std::uint32_t i = 0; i < matches.size(); ++i) {
      const auto place = std::lower_bound(
          tails_.begin(), tails_.end(), matches[i].ref,
          [&](std::uint32_t tail, std::uint32_t ref) { return matches[tail].ref < ref; });
      before_[i] = place == tails_.begin() ? kNone : *(place - 1);
      if (place == tails_.end())
        tails_.push_back(i);
      else
        *place = i;
    }
    rising_.assign(matches.size(), 0);
    for (std::uint32_t i = tails_.empty() ? kNone : tails_.back(); i != kNone; i = before_[i])
      rising_[i] = 1;
  }

  // Let unmatched words of a gap stand for each other.
  void pair_gap(const Pair& pair, std::uint32_t h, std::uint32_t h_end, std::uint32_t r,
                std::uint32_t r_end) {
    for (const char mark : {0, 1}) {
      const auto seek = [&](const std::string& errors, std::span<const std::uint32_t> words,
                            std::uint32_t from, std::uint32_t end) {
        while (from < end && (errors[from] != kAlone || marks_[words[from]] != mark)) ++from;
        return from;
      };
      std::uint32_t a = seek(hyp, pair.hyp, h, h_end), b = seek(ref, pair.ref, r, r_end);
      while (a < h_end && b < r_end) {
        hyp[a] = ref[b] = kChoice;
        a = seek(hyp, pair.hyp, a + 1, h_end);
        b = seek(ref, pair.ref, b + 1, r_end);
      }
    }
  }

  const Flags& marks_;
  std::vector<std::uint32_t> tails_, before_;
  Flags rising_;
};

}  // namespace

SystemErrors word_errors(const PairBatch& batch, const Flags& marks, std::size_t system,
                         unsigned threads) {
  struct Segment {
    std::string hyp, ref;
    std::vector<std::int32_t> links;
    std::uint32_t chosen = 0;
  };
  std::vector<Segment> segments(batch.segments());
  parallel_for(batch.segments(), kBlock, threads, [&]() -> Body {
    return [&, own = std::make_shared<Labeller>(marks)](std::size_t from, std::size_t to) {
      for (std::size_t s = from; s < to; ++s) {
        std::size_t fewest = SIZE_MAX;
        const std::size_t first = batch.first_ref(s);
        for (std::size_t r = first; r < batch.first_ref(s + 1); ++r) {
          const std::size_t errors = own->label(batch.pair(system, s, r));
          if (errors >= fewest) continue;
          fewest = errors;
          segments[s] = {own->hyp, own->ref, own->links,
                         static_cast<std::uint32_t>(r - first)};
        }
      }
    };
  });
  SystemErrors out;
  out.chosen.reserve(segments.size());
  for (const Segment& segment : segments) {
    out.hyp += segment.hyp;
    out.ref += segment.ref;
    out.links.insert(out.links.end(), segment.links.begin(), segment.links.end());
    out.chosen.push_back(segment.chosen);
  }
  return out;
}

}  // namespace tertium
