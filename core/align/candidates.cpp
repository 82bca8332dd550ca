// SPDX-License-Identifier: Apache-2.0
#include "align/candidates.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/flat_map.hpp"

namespace tertium {

namespace {

auto shape(const Match& m) { return std::tuple(m.hyp_length, m.ref, m.ref_length); }

// Call visit(key) for the keys of a word.
template <class Ready, class Visit>
void for_keys(const Ready& ready, std::uint32_t word, Visit visit) {
  const Matcher& matcher = *ready.matcher;
  const std::uint32_t base = ready.base;
  if (matcher.kind == Matcher::Kind::kExact && !ready.implied) visit(base + word);
  if (matcher.kind == Matcher::Kind::kKeys)
    for (std::uint32_t k = matcher.first[word]; k < matcher.first[word + 1]; ++k)
      visit(base + matcher.keys[k]);
}

// Whether every word has exactly one key, that with its own number.
bool one_key_each(const Matcher& matcher) {
  return matcher.kind == Matcher::Kind::kKeys && matcher.first.size() == matcher.keys.size() + 1 &&
         std::adjacent_find(matcher.first.begin(), matcher.first.end()) == matcher.first.end();
}

}  // namespace

MatcherSet::MatcherSet(std::span<const Matcher> matchers, const Words& words) {
  for (const Matcher& matcher : matchers) {
    Ready ready{&matcher, keys_, false, {}};
    if (matcher.kind == Matcher::Kind::kExact)
      keys_ += static_cast<std::uint32_t>(words.types());
    if (matcher.kind == Matcher::Kind::kKeys) keys_ += matcher.key_count;
    if (matcher.kind == Matcher::Kind::kPhrases)
      for (std::uint32_t w = 0; w < words.types(); ++w)
        ready.in_table.push_back(matcher.table->word(words.word(w)));
    ready_.push_back(std::move(ready));
  }
  for (std::uint32_t m = 0; m < ready_.size(); ++m) {
    if (ready_[m].matcher->kind != Matcher::Kind::kExact) continue;
    for (const Ready& later : std::span(ready_).subspan(m + 1))
      if (later.matcher->kind == Matcher::Kind::kKeys &&
          std::adjacent_find(later.matcher->first.begin(), later.matcher->first.end()) ==
              later.matcher->first.end())
        implied_ = m;
    if (implied_ == m) ready_[m].implied = true;
    break;
  }
  for (std::uint32_t m = 0; m < ready_.size(); ++m) {
    const Matcher& matcher = *ready_[m].matcher;
    if (ready_[m].implied) continue;
    const bool words = matcher.kind == Matcher::Kind::kExact;
    if (single_ != kNone || !(words || one_key_each(matcher))) {
      single_ = kNone;
      break;
    }
    single_ = m;
    single_keys_ = words ? nullptr : matcher.keys.data();
  }
}

void CandidateFinder::find(const Pair& pair, std::span<const Match> given) {
  candidates.clear();
  first.clear();
  cut = false;
  places_.resize(set_.keys_);  // now, as most pairs are short and never come here
  stamp_.assign(pair.ref.size(), 0);
  given_.assign(given.begin(), given.end());
  std::stable_sort(given_.begin(), given_.end(),
                   [](const Match& a, const Match& b) { return a.hyp < b.hyp; });
  index_keys(pair.ref);
  index_phrases(pair.ref);
  auto next_given = given_.begin();
  for (std::uint32_t h = 0; h < pair.hyp.size(); ++h) {
    const std::size_t from = candidates.size();
    first.push_back(static_cast<std::uint32_t>(from));
    bool words_only = true;
    for (std::uint32_t m = 0; m < set_.ready_.size(); ++m) {
      const auto& ready = set_.ready_[m];
      for_keys(ready, pair.hyp[h], [&](std::uint32_t key) { find_key(pair, h, key, m); });
      if (ready.matcher->kind != Matcher::Kind::kPhrases) continue;
      words_only = false;
      find_phrases(pair, h, m);
    }
    for (; next_given != given_.end() && next_given->hyp == h; ++next_given) {
      words_only = false;
      candidates.push_back(*next_given);
    }
    if (!words_only || set_.ready_.size() > 1) tidy(from);
  }
  first.push_back(static_cast<std::uint32_t>(candidates.size()));
  forget_keys(pair.ref);
}

void CandidateFinder::index_keys(std::span<const std::uint32_t> ref) {
  chain_.clear();
  for (std::size_t r = ref.size(); r-- > 0;)  // backwards, so that lists rise
    for (const auto& ready : set_.ready_)
      for_keys(ready, ref[r], [&](std::uint32_t key) {
        Place& place = places_[key];
        chain_.push_back({place.head, static_cast<std::uint32_t>(r)});
        place.head = static_cast<std::uint32_t>(chain_.size());
        ++place.count;
      });
}

void CandidateFinder::forget_keys(std::span<const std::uint32_t> ref) {
  for (const std::uint32_t word : ref)
    for (const auto& ready : set_.ready_)
      for_keys(ready, word, [&](std::uint32_t key) { places_[key] = {}; });
}

void CandidateFinder::find_key(const Pair& pair, std::uint32_t h, std::uint32_t key,
                               std::uint32_t matcher) {
  Place& place = places_[key];
  if (place.count == 0) return;
  std::uint32_t skip = 0, left = place.count;
  if (place.count > kOccurrences) {
    const std::uint32_t own = std::min(place.seen++, place.count - 1);
    skip = std::min(own - std::min(own, kOccurrences / 2), place.count - kOccurrences);
    left = kOccurrences;
    cut = true;
  }
  for (std::uint32_t i = place.head; i != 0 && left > 0; i = chain_[i - 1].next) {
    if (skip > 0) {
      --skip;
      continue;
    }
    --left;
    const std::uint32_t r = chain_[i - 1].at;
    if (stamp_[r] == h + 1) continue;  // found by an earlier matcher or key
    stamp_[r] = h + 1;
    const bool exact = set_.implied_ < matcher && pair.hyp[h] == pair.ref[r];
    candidates.push_back({h, 1, r, 1, exact ? set_.implied_ : matcher});
  }
  pace_.spend(place.count);
}

// All phrases of the reference that a table knows and that have paraphrases.
void CandidateFinder::index_phrases(std::span<const std::uint32_t> ref) {
  spans_.resize(set_.ready_.size());
  for (std::size_t m = 0; m < set_.ready_.size(); ++m) {
    const auto& [matcher, base, implied, in_table] = set_.ready_[m];
    if (matcher->kind != Matcher::Kind::kPhrases) continue;
    std::vector<Span>& spans = spans_[m];
    spans.clear();
    for (std::uint32_t r = 0; r < ref.size(); ++r) {
      std::uint32_t phrase = PhraseTable::kRoot;
      for (std::uint32_t end = r; end < ref.size(); ++end) {
        phrase = matcher->table->longer(phrase, in_table[ref[end]]);
        if (phrase == PhraseTable::kRoot) break;
        if (!matcher->table->paraphrases(phrase).empty())
          spans.push_back({phrase, r, end + 1 - r});
      }
    }
    std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
      return std::tie(a.phrase, a.ref) < std::tie(b.phrase, b.ref);
    });
  }
}

void CandidateFinder::find_phrases(const Pair& pair, std::uint32_t h, std::uint32_t matcher) {
  const auto& ready = set_.ready_[matcher];
  const PhraseTable& table = *ready.matcher->table;
  const std::vector<Span>& spans = spans_[matcher];
  std::uint32_t phrase = PhraseTable::kRoot;
  for (std::uint32_t end = h; end < pair.hyp.size(); ++end) {
    phrase = table.longer(phrase, ready.in_table[pair.hyp[end]]);
    if (phrase == PhraseTable::kRoot) return;
    const auto others = table.paraphrases(phrase);
    // Both lists rise, and a phrase may have thousands of paraphrases.
    auto other = others.begin();
    for (const Span& span : spans) {
      other = std::lower_bound(other, others.end(), span.phrase);
      if (other == others.end()) break;
      if (*other == span.phrase)
        candidates.push_back({h, end + 1 - h, span.ref, span.length, matcher});
    }
  }
}

// Order the candidates of one word and keep one of a kind, the first matcher's.
void CandidateFinder::tidy(std::size_t from) {
  const auto begin = candidates.begin() + static_cast<std::ptrdiff_t>(from);
  if (candidates.end() - begin < 2) return;
  std::sort(begin, candidates.end(), [](const Match& a, const Match& b) {
    return std::tuple_cat(shape(a), std::tie(a.matcher)) <
           std::tuple_cat(shape(b), std::tie(b.matcher));
  });
  candidates.erase(std::unique(begin, candidates.end(), [](const Match& a, const Match& b) {
    return shape(a) == shape(b);
  }), candidates.end());
}

}  // namespace tertium
