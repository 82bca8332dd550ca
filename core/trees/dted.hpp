// SPDX-License-Identifier: Apache-2.0
// DTED, dependency tree edit distance (McCaffery 2017, chapter 4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "align/pairs.hpp"
#include "trees/tree_edit.hpp"

namespace tertium {

// b: every operation costs 1. c: pairing linked words is free. co and cl: aligned
// operations are counted first, then unaligned ones; co scores the former alone,
// cl weighs both.
enum class DtedVariant { kB, kC, kCo, kCl };

// The weight of unaligned operations in cl: min(cap, base^prop), the share of
// aligned words as the thesis says, or the share of unaligned ones.
enum class DtedWeighting { kLog, kProportional, kInverse };

// What a segment whose score is 0/0 counts: as it is, nothing at all, zero.
enum class Degenerate { kKeep, kDrop, kZero };

struct DtedOptions {
  DtedVariant variant = DtedVariant::kC;
  bool flat = false;
  DtedWeighting weighting = DtedWeighting::kLog;
  double log_base = 0.1, cap = 0.9;
  std::uint32_t mismatch = 1;  // operations for a pair of aligned words without link
  bool virtual_root = false;   // several roots under a free node, or a forest
  bool binarise = false;
  bool ignore_punct = false;
  Degenerate degenerate = Degenerate::kKeep;
};

// Words with their heads (counted from 1, 0 for a root); no heads: a chain.
struct DtedText {
  std::size_t size;
  std::span<const std::uint32_t> heads;
  std::span<const char> skipped;  // words to leave out; none if empty
};

struct DtedOutcome {
  std::uint64_t dist = 0;                 // all operations
  std::uint64_t dist_a = 0, dist_na = 0;  // of co and cl: aligned ones, unaligned ones
  std::uint64_t words = 0, aligned = 0;   // of both texts
  double prop = 0, weight = 0, score = 0;
  bool degenerate = false;
};

// One pair after the other; keeps its memory.
class Dted {
 public:
  explicit Dted(const DtedOptions& options) : options_(options) {}

  // Links are (word of hyp, word of ref), counted from 0, sorted by the first.
  DtedOutcome compare(const DtedText& hyp, const DtedText& ref,
                      std::span<const std::pair<std::uint32_t, std::uint32_t>> links);
  // The word of ref that a word of hyp is paired with, or -1, in a cheapest mapping.
  std::vector<std::int32_t> mapping(
      const DtedText& hyp, const DtedText& ref,
      std::span<const std::pair<std::uint32_t, std::uint32_t>> links);

 private:
  using Links = std::span<const std::pair<std::uint32_t, std::uint32_t>>;
  using Costs = TableCosts<std::int64_t>;
  struct Side {
    std::vector<std::uint32_t> kept;    // words that are not left out
    std::vector<std::uint32_t> place;   // of a word among them, counted from 1
    std::vector<char> aligned;          // of kept words
    std::vector<std::uint32_t> parents, word;  // of nodes; 0 is not a word
    OrderedForest forest;
  };

  void load(const DtedText& hyp, const DtedText& ref, Links links);
  void keep(const DtedText& text, Side& side) const;
  void grow(const DtedText& text, Side& side) const;
  std::int64_t sequences();
  std::int64_t trees();
  std::int64_t alone(const Side& side, std::size_t word) const;
  std::int64_t paired(bool hyp_aligned, bool ref_aligned) const;
  void finish(std::int64_t cost, DtedOutcome& out) const;

  DtedOptions options_;
  Side hyp_, ref_;
  std::vector<std::uint32_t> first_link_, linked_;  // of kept words of hyp: links
  std::vector<std::uint32_t> mark_;
  std::vector<std::int64_t> row_, inserts_, costs_[2];
  TreeEdit<Costs> edit_;
  Costs table_;
  bool mirrored_ = false;
};

// Row: score · weight, weight, degenerate segments. The score is their quotient.
std::unique_ptr<PairKernel> make_dted(const DtedOptions& options);

}  // namespace tertium
