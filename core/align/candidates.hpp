// SPDX-License-Identifier: Apache-2.0
// Candidate matches between two texts: everything an aligner may choose from.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "align/pairs.hpp"
#include "align/phrases.hpp"
#include "base/pace.hpp"

namespace tertium {

// A matcher says which words or phrases may stand for each other.
struct Matcher {
  enum class Kind {
    kExact,    // equal words
    kKeys,     // words that share a key: a stem, a set of synonyms
    kPhrases,  // phrases that a table pairs
    kGiven,    // nothing; its matches come with the pairs
  };
  Kind kind = Kind::kExact;
  // kKeys: the keys of word w of the batch are keys[first[w] .. first[w + 1]), each
  // below `key_count`.
  std::vector<std::uint32_t> first = {}, keys = {};
  std::uint32_t key_count = 0;
  const PhraseTable* table = nullptr;  // kPhrases
};

// Matchers made ready for the words of a batch.
class MatcherSet {
 public:
  MatcherSet(std::span<const Matcher> matchers, const Words& words);

  // Whether one matcher finds all candidates and every word has one key of it; those
  // keys, null if the words are; and how many numbers there are for keys.
  bool single() const { return single_ != kNone; }
  const std::uint32_t* single_keys() const { return single_keys_; }
  std::uint32_t keys() const { return keys_; }
  // In that case: whose the matches of equal words are, and those of others.
  std::uint32_t matcher_of_equal_words() const { return std::min(implied_, single_); }
  std::uint32_t matcher_of_other_words() const { return single_; }

 private:
  friend class CandidateFinder;
  struct Ready {
    const Matcher* matcher;
    std::uint32_t base;  // keys of all matchers have distinct numbers
    bool implied;        // see implied_
    std::vector<std::uint32_t> in_table;  // the table's number of every word
  };
  std::vector<Ready> ready_;
  std::uint32_t keys_ = 0;
  // The only matcher with keys that are looked at, if every word has one of them
  // and no other matcher adds candidates; and those keys, null if the words are.
  std::uint32_t single_ = kNone;
  const std::uint32_t* single_keys_ = nullptr;
  // The exact matcher, if one behind it has keys for all words: equal words share
  // those, so that only the number of the match tells the two apart.
  std::uint32_t implied_ = kNone;
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
};

// Finds the candidates of one pair after the other; scratch memory of one thread.
class CandidateFinder {
 public:
  explicit CandidateFinder(const MatcherSet& set) : set_(set) {}

  // Fill `candidates` and `first`. `given` are matches of kGiven, in any order. A
  // pair of phrases that several matchers find belongs to the first of them.
  void find(const Pair& pair, std::span<const Match> given);

  // By first hypothesis word, then shorter before longer, then by reference.
  std::vector<Match> candidates;
  // Those that start at word h are candidates[first[h] .. first[h + 1]).
  std::vector<std::uint32_t> first;
  // Whether candidates of very frequent words were left out.
  bool cut = false;

 private:
  // Of a word that occurs more often in the reference only so many occurrences
  // are candidates: those around the one with the same number as the word's own.
  // Without such a limit a thousand equal words have a million candidates.
  static constexpr std::uint32_t kOccurrences = 64;

  struct Place {
    std::uint32_t head = 0;   // first occurrence in the reference, + 1
    std::uint32_t count = 0;  // occurrences in the reference
    std::uint32_t seen = 0;   // occurrences in the hypothesis so far
  };
  struct Occurrence {
    std::uint32_t next, at;  // next occurrence + 1, and the word's place
  };
  struct Span {
    std::uint32_t phrase, ref, length;
  };

  void index_keys(std::span<const std::uint32_t> ref);
  void forget_keys(std::span<const std::uint32_t> ref);
  void index_phrases(std::span<const std::uint32_t> ref);
  void find_key(const Pair& pair, std::uint32_t h, std::uint32_t key, std::uint32_t matcher);
  void find_phrases(const Pair& pair, std::uint32_t h, std::uint32_t matcher);
  void tidy(std::size_t from);

  const MatcherSet& set_;
  std::vector<Place> places_;  // of every key; all zero between calls
  std::vector<Occurrence> chain_;
  std::vector<std::uint32_t> stamp_;  // of every reference word
  std::vector<std::vector<Span>> spans_;  // phrases of the reference, one list a table
  std::vector<Match> given_;
  Pace pace_;
};

}  // namespace tertium
