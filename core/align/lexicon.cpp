// SPDX-License-Identifier: Apache-2.0
#include "align/lexicon.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/batch.hpp"

namespace tertium {

namespace {

constexpr std::size_t kBlock = 64;

// Where each source word occurs: the places of word f are places[first[f] .. first[f + 1]).
struct Occurrences {
  struct Place {
    std::uint32_t sentence, position;
  };
  std::vector<std::size_t> first;
  std::vector<Place> places;

  Occurrences(const Side& source, std::size_t words) : first(words + 1) {
    for (const std::int32_t word : source.words) ++first[static_cast<std::size_t>(word) + 1];
    for (std::size_t w = 0; w < words; ++w) first[w + 1] += first[w];
    places.resize(source.words.size());
    std::vector<std::size_t> next(first.begin(), first.end() - 1);
    for (std::size_t s = 0; s < source.size(); ++s) {
      const std::span<const std::int32_t> sentence = source.sentence(s);
      for (std::size_t i = 0; i < sentence.size(); ++i)
        places[next[static_cast<std::size_t>(sentence[i])]++] = {static_cast<std::uint32_t>(s),
                                                                 static_cast<std::uint32_t>(i)};
    }
  }
};

// The target words of the sentences in which a source word occurs, sorted.
void collect(const Occurrences& occurrences, const Side& target, std::size_t word,
             std::vector<std::uint32_t>& seen, std::vector<std::int32_t>& row) {
  row.clear();
  for (std::size_t k = occurrences.first[word]; k < occurrences.first[word + 1]; ++k)
    for (const std::int32_t other : target.sentence(occurrences.places[k].sentence)) {
      std::uint32_t& mark = seen[static_cast<std::size_t>(other)];
      if (mark == word + 1) continue;
      mark = static_cast<std::uint32_t>(word + 1);
      row.push_back(other);
    }
  std::sort(row.begin(), row.end());
}

}  // namespace

PairTable::PairTable(std::vector<std::int64_t> rows, std::vector<std::int32_t> targets)
    : rows_(std::move(rows)), targets_(std::move(targets)) {
  if (rows_.empty() || rows_.front() != 0 ||
      rows_.back() != static_cast<std::int64_t>(targets_.size()) ||
      !std::is_sorted(rows_.begin(), rows_.end()))
    throw std::invalid_argument("the rows do not fit the targets");
}

PairTable::PairTable(const Side& source, const Side& target, std::size_t sources,
                     std::size_t targets, unsigned threads) {
  const Occurrences occurrences(source, sources);
  std::vector<std::vector<std::int32_t>> by_word(sources);
  parallel_for(sources, kBlock, threads, [&]() -> Body {
    return [&, seen = std::vector<std::uint32_t>(targets), row = std::vector<std::int32_t>()](
               std::size_t from, std::size_t to) mutable {
      for (std::size_t word = from; word < to; ++word) {
        collect(occurrences, target, word, seen, row);
        by_word[word].assign(row.begin(), row.end());
      }
    };
  });
  std::size_t total = 0;
  for (const std::vector<std::int32_t>& row : by_word) total += row.size();
  if (total >= kNone) throw std::length_error("too many pairs of words");
  rows_.reserve(sources + 1);
  targets_.reserve(total);
  for (std::vector<std::int32_t>& row : by_word) {
    targets_.insert(targets_.end(), row.begin(), row.end());
    rows_.push_back(static_cast<std::int64_t>(targets_.size()));
    row = {};
  }
}

std::uint32_t PairTable::find(std::int32_t source, std::int32_t target) const {
  if (source < 0 || static_cast<std::size_t>(source) >= sources()) return kNone;
  const auto row = targets_.begin() + rows_[static_cast<std::size_t>(source)];
  const auto end = targets_.begin() + rows_[static_cast<std::size_t>(source) + 1];
  const auto place = std::lower_bound(row, end, target);
  if (place == end || *place != target) return kNone;
  return static_cast<std::uint32_t>(place - targets_.begin());
}

Cells::Cells(const Side& source, const Side& target, const PairTable& table, unsigned threads)
    : first_(1) {
  for (std::size_t s = 0; s < source.size(); ++s)
    first_.push_back(first_.back() + source.sentence(s).size() * target.sentence(s).size());
  pairs_.resize(first_.back());
  const Occurrences occurrences(source, table.sources());
  // By source word: its row is spread over an array once, and read for each cell.
  parallel_for(table.sources(), kBlock, threads, [&]() -> Body {
    return [&, number = std::vector<std::uint32_t>()](std::size_t from, std::size_t to) mutable {
      for (std::size_t word = from; word < to; ++word) {
        for (std::int64_t p = table.rows()[word]; p < table.rows()[word + 1]; ++p) {
          const auto other = static_cast<std::size_t>(table.targets()[static_cast<std::size_t>(p)]);
          if (other >= number.size()) number.resize(2 * other + 1);
          number[other] = static_cast<std::uint32_t>(p);
        }
        for (std::size_t k = occurrences.first[word]; k < occurrences.first[word + 1]; ++k) {
          const auto [s, i] = occurrences.places[k];
          const std::span<const std::int32_t> others = target.sentence(s);
          std::uint32_t* out = pairs_.data() + first_[s] + i * others.size();
          for (std::size_t j = 0; j < others.size(); ++j)
            out[j] = number[static_cast<std::size_t>(others[j])];
        }
      }
    };
  });
}

}  // namespace tertium
