// SPDX-License-Identifier: Apache-2.0
// Sentence pairs as word numbers, and the table of word pairs that occur together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tertium {

// The words of all sentences of one language: those of sentence s are
// words[starts[s] .. starts[s + 1]).
struct Side {
  std::span<const std::int32_t> words;
  std::span<const std::int64_t> starts;

  std::size_t size() const { return starts.size() - 1; }
  std::span<const std::int32_t> sentence(std::size_t s) const {
    return words.subspan(static_cast<std::size_t>(starts[s]),
                         static_cast<std::size_t>(starts[s + 1] - starts[s]));
  }
};

// Which target words each source word occurs with: one row per source word, sorted.
class PairTable {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  PairTable() = default;
  PairTable(std::vector<std::int64_t> rows, std::vector<std::int32_t> targets);
  // All pairs of words that are in one sentence pair. O(cells).
  PairTable(const Side& source, const Side& target, std::size_t sources, std::size_t targets,
            unsigned threads);

  std::size_t size() const { return targets_.size(); }
  std::size_t sources() const { return rows_.size() - 1; }
  std::span<const std::int64_t> rows() const { return rows_; }
  std::span<const std::int32_t> targets() const { return targets_; }

  // The number of a pair, or kNone; O(log of the row's length).
  std::uint32_t find(std::int32_t source, std::int32_t target) const;

 private:
  std::vector<std::int64_t> rows_{0};
  std::vector<std::int32_t> targets_;
};

// The pair of each cell of each sentence: those of sentence s are n * m numbers, by
// source word, from first(s) on.
class Cells {
 public:
  Cells(const Side& source, const Side& target, const PairTable& table, unsigned threads);

  std::size_t size() const { return pairs_.size(); }
  std::size_t first(std::size_t s) const { return first_[s]; }
  std::span<const std::uint32_t> sentence(std::size_t s) const {
    return std::span(pairs_).subspan(first_[s], first_[s + 1] - first_[s]);
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<std::uint32_t> pairs_;
};

}  // namespace tertium
